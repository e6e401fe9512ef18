/* Generates vertex programs for vertex halves. */
#ifndef TEXENVC_VERTEX_H
#define TEXENVC_VERTEX_H

#include "input.h"

/* A generated vertex program: its text, and the intermediate program read from the text. */
struct vertex_program {
    char *text;
    size_t length;
    struct fragprog p;
    void *storage;
};

/* Generates a program. Returns false if its text cannot be read, which would be a defect. */
bool vertex_generate(struct vertex_program *program, const struct texenv_vertex *vertex,
                     const struct texenv_vertex_reads *reads, const struct options *o);
void vertex_free(struct vertex_program *program);

/* Determines the vertex half of an item, from --vertex-state or the item itself. Returns false, with the
 * reason in *why, if it has none. */
bool vertex_of_item(struct texenv_vertex *vertex, const struct item *item, const struct options *o,
                    struct fragprog_reason *why);

/* is_vertex_words returns whether an input consists of words of a vertex half. read_vertex_words reads such
 * words and delivers their program as an item. */
bool is_vertex_words(const struct options *o, const struct input *input);
void read_vertex_words(struct reading *in, const char *text, size_t length);
/* Ends the program with a message if --vertex-state is malformed. */
void check_vertex_state(const struct options *o);

#endif
