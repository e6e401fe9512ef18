/* Expresses a polynomial of degree 2 as one instruction. Internal to fragprog. */
#ifndef FRAGPROG_SAY_H
#define FRAGPROG_SAY_H

#include "fragprog/algebra/expand.h"

/* All functions m*x + t that the modifiers COMP, BIAS, 2X and NEG can express. */
enum { FRAGPROG_MAPS = 12 };
extern const struct fragprog_affine fragprog_maps[FRAGPROG_MAPS];

/* Sets operation, scale and sources of *out so that it computes f with the mask, clamp and unit of *out.
 * Returns false if no instruction of ATI_fragment_shader does. */
bool fragprog_say(const struct fragprog *p, const struct fragprog_ranges *ranges,
                  const struct fragprog_sources *vars, const struct fragprog_poly *f,
                  struct fragprog_inst *out);

#endif
