/* Writes converted states, either all to one output or each to a file of its own. notes/formats.md describes
 * how several states are written in one text. */
#ifndef TEXENVC_WRITER_H
#define TEXENVC_WRITER_H

#include "input.h"

struct writer {
    const struct options *o;
    enum form shape; /* the format; each has a frame: what stands before and after a state */
    bool folder;     /* write a file for each state */
    bool file;       /* write to a file, not to standard output */
    uint64_t states; /* number of states in the output, including refused ones */
    uint64_t converted;
    struct buffer framed;   /* text not yet written, with frames as for several states */
    struct buffer alone;    /* the first state without a frame, used if it is the only one */
    bool flushed;           /* some of `framed` has been written */
    unsigned matrices;      /* for GL scripts: bit u: a state has set texture matrix u */
    struct buffer preamble; /* text before the states of each output */
    struct buffer end;      /* text after the states of each output */
    /* State at the start of the current input, restored if it has errors. */
    size_t mark;
    uint64_t mark_states, mark_converted;
    struct {
        size_t file;
        uint64_t in_file;
        bool vertex;
    } * parts; /* files of this input, if folder is set */
    size_t nparts, parts_room;
    uint64_t in_input; /* number of states of this input with files, if folder is set */
    /* If folder is set, after writer_end_input: for each of these states its files, as JSON strings separated
     * by commas, and the common part of their names. */
    struct buffer *files, *common;
    uint64_t nfiles;
};

void writer_open(struct writer *w, const struct options *o);
/* Adds a converted state. body: its text, which must end with a newline (a JSON object must not). vertex:
 * NULL, or the vertex program, which gets its own file in a folder. Both may be empty. */
void writer_state(struct writer *w, const struct item *item, const struct buffer *body,
                  const struct buffer *vertex);
/* Adds a refused state. body is used for JSON only. */
void writer_refused(struct writer *w, const struct item *item, const char *reason, const struct buffer *body);
void writer_end_input(struct writer *w, const struct input *input, bool failed);
/* A file written in addition to the output; path NULL: none. */
struct writer_side {
    const char *path;
    const struct buffer *text;
};
/* Finishes the output. If failed, no file is left. */
void writer_close(struct writer *w, bool failed, const struct writer_side *sides, size_t nsides);

#endif
