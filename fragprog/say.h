/* One instruction for a polynomial of degree 2 in the sources. Internal to fragprog. */
#ifndef FRAGPROG_SAY_H
#define FRAGPROG_SAY_H

#include "fragprog/range.h"

enum { FRAGPROG_SAY_VARS = 4, FRAGPROG_SAY_TERMS = 15 };

/* Variables by name: sources without modifiers, each the same in every lane of the instruction (lanes: bits). */
struct fragprog_vars {
    unsigned n, lanes;
    struct fragprog_src src[FRAGPROG_SAY_VARS];
};

/* Term 0 is the constant, 1 + v the coefficient of x_v, fragprog_square[v][w] that of x_v * x_w. */
struct fragprog_quadratic { double c[FRAGPROG_SAY_TERMS]; };
extern const uint8_t fragprog_square[FRAGPROG_SAY_VARS][FRAGPROG_SAY_VARS];

/* What modifiers can make of a source: every set of COMP, BIAS, 2X and NEG. */
enum { FRAGPROG_MAPS = 12 };
extern const struct fragprog_affine fragprog_maps[FRAGPROG_MAPS];

/* m*a + n*b */
struct fragprog_quadratic fragprog_quadratic_sum(double m, const struct fragprog_quadratic *a, double n, const struct fragprog_quadratic *b);

/* The result of inst with its scale, without its clamp; what it reads of value j is *x (NULL: nothing special). through: the source by which another instruction
 * reads inst (NULL: none). False: too many sources, or not of degree 2. */
bool fragprog_expand(struct fragprog_vars *vars, const struct fragprog_inst *inst, const struct fragprog_src *through, unsigned j, const struct fragprog_quadratic *x,
                     struct fragprog_quadratic *out);

/* An instruction with mask, clamp and unit of *out that computes f; false: there is none that the extension can say. */
bool fragprog_say(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct fragprog_vars *vars, const struct fragprog_quadratic *f, struct fragprog_inst *out);

#endif
