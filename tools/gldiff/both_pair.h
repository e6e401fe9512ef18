/* Draws whole states by shader pairs (fragprog/pair.h), whose uniforms have the values that the library
 * computes. */
#ifndef GLDIFF_BOTH_PAIR_H
#define GLDIFF_BOTH_PAIR_H

#include "vertex_values.h"

#include "fragprog/pair.h"
#include "texenv/values.h"

/* Returns the GL program of a shader pair, or 0: then *refused says why the library cannot make it, or
 * *failed why the GL refuses it. */
GLuint both_pair_make(const struct fragprog_pair_source *source, const struct fragprog_pair_options *options,
                      const char **refused, const char **failed);
/* Uses the program made last, and sets its uniforms, samplers and attributes. more: fills in the values that
 * v does not have. End with vertex_core_done. */
void both_pair_use(GLuint program, const struct vertex_values *v, const struct texenv_state *state,
                   void (*more)(struct texenv_values *values));

#endif
