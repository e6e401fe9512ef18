/* Small polynomials over the sources of an instruction and of one that it reads: what intervals lose when a source occurs twice. Internal to fragprog. */
#ifndef FRAGPROG_POLY_H
#define FRAGPROG_POLY_H

#include "fragprog/range.h"

enum { FRAGPROG_POLY_VARS = 4, FRAGPROG_POLY_TERMS = 81 };

/* Degree at most 2 in each variable. The coefficient of x0^a x1^b x2^c x3^d is c[a + 3b + 9c + 27d]. */
struct fragprog_poly { double c[FRAGPROG_POLY_TERMS]; };
extern const uint8_t fragprog_poly_var[FRAGPROG_POLY_VARS]; /* index of the coefficient of each variable: 1, 3, 9, 27 */

struct fragprog_poly fragprog_poly_constant(double x);
/* m*a + n*b */
struct fragprog_poly fragprog_poly_sum(double m, const struct fragprog_poly *a, double n, const struct fragprog_poly *b);
/* The result of an operation (MOV to LERP, no dots) on arguments; false if a degree exceeds 2. */
bool fragprog_poly_apply(unsigned op, const struct fragprog_poly *args, struct fragprog_poly *out);

/* As fragprog_clamp_droppable for one lane whose interval test failed, with the sources' correlation taken into account. */
bool fragprog_poly_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned s, unsigned lane);

/* May instruction i read value j without its clamp to [0,1] in all its arguments at once, as far as this lane goes? */
bool fragprog_poly_both_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned lane);

/* A range of the instruction's result before scale that may be tighter than that of its arguments' intervals. False: no polynomial of this size. */
bool fragprog_poly_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, unsigned lane, struct fragprog_interval *range);

#endif
