/* Polynomials of degree 2 in the few sources of two or three instructions, with all coefficients in a dense
 * array. Internal to fragprog.
 *
 * The coefficients are products of modifiers and scales only. They have few bits, so that double precision is
 * exact. */
#ifndef FRAGPROG_ALGEBRA_DEGREE2_H
#define FRAGPROG_ALGEBRA_DEGREE2_H

#include "fragprog/algebra/expand.h"

enum {
    FRAGPROG_FIRST_SQUARE = 1 + FRAGPROG_SOURCES,
    FRAGPROG_DEGREE2_TERMS = (FRAGPROG_SOURCES + 1) * (FRAGPROG_SOURCES + 2) / 2,
    /* even, so that loops can process two terms at a time */
    FRAGPROG_DEGREE2_ROOM = (FRAGPROG_DEGREE2_TERMS + 1) & ~1
};

/* c[0] is the constant, c[v] the coefficient of variable v (from 1 on), and c[fragprog_term[v][w]] that of
 * v*w, where variable 0 is the number 1. The last element is 0. */
struct fragprog_degree2 {
    double c[FRAGPROG_DEGREE2_ROOM];
};
extern const uint8_t fragprog_term[FRAGPROG_SOURCES + 1][FRAGPROG_SOURCES + 1];

/* Like fragprog_expand, but returns false also if the degree is higher than 2. */
bool fragprog_expand2(struct fragprog_sources *sources, const struct fragprog_inst *inst,
                      const struct fragprog_src *through, unsigned j, const struct fragprog_degree2 *x,
                      struct fragprog_degree2 *out);

/* Returns true if inst with the polynomial of `inner` substituted for value j has degree 3 or more. This is a
 * quick test, which does not detect every such case. */
bool fragprog_is_cubic(const struct fragprog_inst *inst, const struct fragprog_inst *inner, unsigned j);

/* Adds k*a*b to *to, where a and b are linear. */
void fragprog_add_product2(struct fragprog_degree2 *to, double k, const struct fragprog_linear *a,
                           const struct fragprog_linear *b);

void fragprog_poly_of_degree2(struct fragprog_poly *out, const struct fragprog_degree2 *a);

/* Computes bounds of the scaled result in one lane from its polynomial. They may be tighter than interval
 * arithmetic where a source occurs twice. Returns false if the result is no polynomial of degree 2. */
bool fragprog_expanded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, unsigned lane,
                             struct fragprog_interval *range);

#endif
