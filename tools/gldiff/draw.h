/* The two methods to draw a state: fixed function, and the program that the state is converted to. */
#ifndef GLDIFF_DRAW_H
#define GLDIFF_DRAW_H

#include "gl.h"

#include "fragprog/fragprog.h"

enum via { VIA_ATIFS, VIA_ARBFP, VIA_GLSL, VIAS };
extern const char *const via_names[VIAS];

struct draw_options {
    struct fragprog_options passes;
    bool sabotage; /* convert ADD_SIGNED as ADD, which the comparison must detect */
};

/* Returns the extension or function that `via` needs and the current GL lacks, or NULL. */
const char *draw_lacks(enum via via);

/* Sets GL's texture environments and colour sum to those of state. */
void fixed_set(const struct texenv_state *state);
/* Draws state number n of the batch by fixed function. Returns NULL, or the GL's error. */
const char *draw_fixed(const struct texenv_state *state, unsigned bank, unsigned n);
/* Draws state number n of the batch by a program. Returns NULL, or the reason of a failure: *refused is true
 * if the state cannot be expressed this way, and false after a GL error. */
const char *draw_program(const struct texenv_state *state, enum via via, const struct draw_options *options,
                         unsigned bank, unsigned n, bool *refused);

/* Replaces ADD_SIGNED by ADD. */
void sabotage_state(struct texenv_state *state);

/* Links a fragment shader with fixed-function vertices (or with the vertex program that is enabled). Returns
 * 0 if the GL refuses it; log: the GL's message. */
GLuint program_of_shader(const char *fragment, char *log, GLsizei room);
/* Links a vertex and a fragment shader; an empty vertex shader is omitted. */
GLuint program_of_shaders(const char *vertex, const char *fragment, char *log, GLsizei room);

#endif
