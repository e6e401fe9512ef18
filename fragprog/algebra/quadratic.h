/* Quadratic polynomials in up to six variables. They represent the expression that one instruction of an R300
 * pair is to compute, before its clamp; the variables are the leaves of the expression tree. Coefficients are
 * dyadic numbers of few bits, so that single precision is exact and polynomials can be compared with ==. */
#ifndef FRAGPROG_ALGEBRA_QUADRATIC_H
#define FRAGPROG_ALGEBRA_QUADRATIC_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAGPROG_QUAD_LEAVES = 6,
    FRAGPROG_QUAD_TERMS = (FRAGPROG_QUAD_LEAVES + 1) * (FRAGPROG_QUAD_LEAVES + 2) / 2
};
/* c[fragprog_quad_term(i, j)] is the coefficient of leaf i times leaf j. Leaf 0 is the number 1, so that (0,
 * 0) is the constant and (0, j) are the linear terms. */
struct fragprog_quad {
    float c[FRAGPROG_QUAD_TERMS];
};

static inline unsigned fragprog_quad_term(unsigned i, unsigned j)
{
    unsigned low = i < j ? i : j, high = i < j ? j : i;
    return high * (high + 1) / 2 + low;
}

/* Computes factor*leaf + offset, where `leaf` is the number of a leaf, or 0 for the constant `offset`
 * alone. */
struct fragprog_quad fragprog_quad_affine(float factor, unsigned leaf, float offset);
struct fragprog_quad fragprog_quad_sum(float m, const struct fragprog_quad *a, float n,
                                       const struct fragprog_quad *b);
/* Computes a*b. Returns false if the degree exceeds 2. */
bool fragprog_quad_product(struct fragprog_quad *out, const struct fragprog_quad *a,
                           const struct fragprog_quad *b);
bool fragprog_quad_equal(const struct fragprog_quad *a, const struct fragprog_quad *b);
/* Return the number of nonzero terms, and whether `leaf` occurs. */
unsigned fragprog_quad_count(const struct fragprog_quad *a);
bool fragprog_quad_has(const struct fragprog_quad *a, unsigned leaf);
/* Returns whether the polynomial divided by 3 still has dyadic coefficients. */
bool fragprog_quad_thrice(const struct fragprog_quad *a);
/* Splits a into k*leaf + rest. Returns false if leaf occurs squared. */
bool fragprog_quad_split(const struct fragprog_quad *a, unsigned leaf, struct fragprog_quad *k,
                         struct fragprog_quad *rest);
/* Computes bounds for leaves in [low[i], high[i]], i from 1 on. They are exact if no leaf is squared. */
void fragprog_quad_range(const struct fragprog_quad *a, const float *low, const float *high, float *least,
                         float *most);

#endif
