/* Whole states by shader pairs (fragprog/pair.h), with their uniforms as the library computes them. */
#ifndef GLDIFF_BOTH_PAIR_H
#define GLDIFF_BOTH_PAIR_H

#include "vertex_values.h"

#include "fragprog/pair.h"
#include "texenv/values.h"

/* The program of a pair. 0: *refused says why the library cannot, or *failed why the GL does not take it. */
GLuint both_pair_make(const struct fragprog_pair_source *source, const struct fragprog_pair_options *options,
                      const char **refused, const char **failed);
/* Uses the program of the last pair that was made: uniforms, samplers and attributes. more: adds values that
 * v has not. vertex_core_done ends it. */
void both_pair_use(GLuint program, const struct vertex_values *v, const struct texenv_state *state,
                   void (*more)(struct texenv_values *values));

#endif
