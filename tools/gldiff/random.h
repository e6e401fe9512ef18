/* Makes random states by calling the setters, as an application would. */
#ifndef GLDIFF_RANDOM_H
#define GLDIFF_RANDOM_H

#include "texenv/texenv.h"

/* Makes state number n of a seed. It has 1 to 8 units, and any mode, function, source, operand, scale, format
 * and target, but no shadow comparison. */
void random_state_make(struct texenv_state *state, uint64_t seed, uint64_t n,
                       const struct texenv_policy *policy);

#endif
