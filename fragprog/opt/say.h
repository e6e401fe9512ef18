/* One instruction for a polynomial of degree 2 in the sources. Internal to fragprog. */
#ifndef FRAGPROG_SAY_H
#define FRAGPROG_SAY_H

#include "fragprog/algebra/degree2.h"

/* What modifiers can make of a source: every set of COMP, BIAS, 2X and NEG. */
enum { FRAGPROG_MAPS = 12 };
extern const struct fragprog_affine fragprog_maps[FRAGPROG_MAPS];

/* An instruction with mask, clamp and unit of *out that computes f; false: there is none that the extension
 * can say. */
bool fragprog_say(const struct fragprog *p, const struct fragprog_ranges *ranges,
                  const struct fragprog_sources *vars, const struct fragprog_degree2 *f,
                  struct fragprog_inst *out);

#endif
