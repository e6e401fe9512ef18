/* Random states, made by the setters as an application would. */
#ifndef GLDIFF_RANDOM_H
#define GLDIFF_RANDOM_H

#include "texenv/texenv.h"

/* State number n of a seed: 1 to 8 units, all modes, functions, sources, operands, scales, formats and
 * targets; no shadow comparison. */
void random_state_make(struct texenv_state *state, uint64_t seed, uint64_t n,
                       const struct texenv_policy *policy);

#endif
