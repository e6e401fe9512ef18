/* The ways to draw a state: by fixed function, and by the programs that it is converted to. */
#ifndef GLDIFF_DRAW_H
#define GLDIFF_DRAW_H

#include "gl.h"

#include "fragprog/fragprog.h"

enum via { VIA_ATIFS, VIA_ARBFP, VIA_GLSL, VIAS };
extern const char *const via_names[VIAS];

struct draw_options {
    struct fragprog_options passes;
    bool sabotage; /* ADD_SIGNED is converted as ADD: the comparison has to find it */
};

/* The extension or function that the current GL lacks for this way, or NULL. */
const char *draw_lacks(enum via via);

/* Makes the environments and the colour sum of state GL's. */
void fixed_set(const struct texenv_state *state);
/* Draws state as number n of the batch by fixed function. NULL, or the GL's error. */
const char *draw_fixed(const struct texenv_state *state, unsigned bank, unsigned n);
/* The same by a program. NULL, or why not: *refused tells a state that the way cannot do (text: the reason)
 * from an error of the GL. */
const char *draw_program(const struct texenv_state *state, enum via via, const struct draw_options *options,
                         unsigned bank, unsigned n, bool *refused);

/* ADD_SIGNED becomes ADD where there is one. */
void sabotage_state(struct texenv_state *state);

/* A program of this fragment shader and fixed-function vertices (or the vertex program that is enabled); 0 if
 * the GL refuses it, log: why. */
GLuint program_of_shader(const char *fragment, char *log, GLsizei room);
/* The same with a vertex shader; vertex "": without. */
GLuint program_of_shaders(const char *vertex, const char *fragment, char *log, GLsizei room);

#endif
