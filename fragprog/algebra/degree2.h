/* Polynomials of degree 2 in the few sources of two or three instructions, every coefficient in its place.
 * Internal to fragprog.
 *
 * They are made of modifiers and scales alone: a coefficient has few bits, and double precision is exact. */
#ifndef FRAGPROG_ALGEBRA_DEGREE2_H
#define FRAGPROG_ALGEBRA_DEGREE2_H

#include "fragprog/algebra/expand.h"

enum {
    FRAGPROG_FIRST_SQUARE = 1 + FRAGPROG_SOURCES,
    FRAGPROG_DEGREE2_TERMS = (FRAGPROG_SOURCES + 1) * (FRAGPROG_SOURCES + 2) / 2,
    FRAGPROG_DEGREE2_ROOM = (FRAGPROG_DEGREE2_TERMS + 1) & ~1 /* even: loops take two at a time */
};

/* c[0] is the constant, c[v] the coefficient of variable v (from 1 on), c[fragprog_term[v][w]] that of v
 * times w, for which 0 stands for 1. The last is 0. */
struct fragprog_degree2 {
    double c[FRAGPROG_DEGREE2_ROOM];
};
extern const uint8_t fragprog_term[FRAGPROG_SOURCES + 1][FRAGPROG_SOURCES + 1];

/* As fragprog_expand. False also where the degree is higher. */
bool fragprog_expand2(struct fragprog_sources *sources, const struct fragprog_inst *inst,
                      const struct fragprog_src *through, unsigned j, const struct fragprog_degree2 *x,
                      struct fragprog_degree2 *out);

/* What inst and value j, which is `inner`, compute together is of degree 3 or more: seen without computing
 * it, so not always. */
bool fragprog_is_cubic(const struct fragprog_inst *inst, const struct fragprog_inst *inner, unsigned j);

/* *to += k*a*b of linear a and b. */
void fragprog_add_product2(struct fragprog_degree2 *to, double k, const struct fragprog_linear *a,
                           const struct fragprog_linear *b);

void fragprog_poly_of_degree2(struct fragprog_poly *out, const struct fragprog_degree2 *a);

/* Bounds of the result in one lane, with its scale, that may be tighter than those of its arguments'
 * intervals where a source occurs twice. False: there are none. */
bool fragprog_expanded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, unsigned lane,
                             struct fragprog_interval *range);

#endif
