/* Where converted states go: framed into one output, or a file each. notes/formats.md says how several states
 * stand in one text. */
#ifndef TEXENVC_WRITER_H
#define TEXENVC_WRITER_H

#include "input.h"

struct writer {
    const struct options *o;
    enum form shape; /* how states are framed */
    bool folder;     /* a file each */
    bool file;       /* one file (else standard output) */
    uint64_t states; /* in the output, refused ones too */
    uint64_t converted;
    struct buffer framed;   /* what is not yet written, as if there were several states */
    struct buffer alone;    /* the first state as it stands if it is the only one */
    bool flushed;           /* something of `framed` was written */
    unsigned matrices;      /* GL: bit u: a state has set texture matrix u */
    struct buffer preamble; /* text before the states of each output */
    struct buffer end;      /* and after them */
    /* The input that is being read: thrown away if it has errors. */
    size_t mark;
    uint64_t mark_states, mark_converted;
    struct {
        size_t file;
        uint64_t in_file;
        bool vertex;
    } * parts; /* folder: of this input */
    size_t nparts, parts_room;
    uint64_t in_input; /* folder: states of this input that have files */
    /* Folder: after writer_end_input the files of each of these states, as strings of JSON with commas, and
     * what their names have in common. */
    struct buffer *files, *common;
    uint64_t nfiles;
};

void writer_open(struct writer *w, const struct options *o);
/* A converted state. body: its text; must end in a newline (a JSON object: without). vertex: NULL, or of a
 * folder the vertex program, which gets a file of its own; both may be empty. */
void writer_state(struct writer *w, const struct item *item, const struct buffer *body,
                  const struct buffer *vertex);
/* A refused one. body: of JSON, else unused. */
void writer_refused(struct writer *w, const struct item *item, const char *reason, const struct buffer *body);
void writer_end_input(struct writer *w, const struct input *input, bool failed);
/* A file beside the output; path NULL: none. */
struct writer_side {
    const char *path;
    const struct buffer *text;
};
/* Finishes; with failed, no file is left. */
void writer_close(struct writer *w, bool failed, const struct writer_side *sides, size_t nsides);

#endif
