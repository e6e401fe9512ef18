/* Quadratic polynomials in a few leaves: what an instruction of the pair unit is asked to compute, without
 * its clamp. A coefficient is a dyadic number of few bits, so that single precision is exact and equal means
 * equal. */
#ifndef FRAGPROG_ALGEBRA_QUADRATIC_H
#define FRAGPROG_ALGEBRA_QUADRATIC_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAGPROG_QUAD_LEAVES = 6,
    FRAGPROG_QUAD_TERMS = (FRAGPROG_QUAD_LEAVES + 1) * (FRAGPROG_QUAD_LEAVES + 2) / 2
};
/* c[fragprog_quad_term(i, j)] is the factor of leaf i times leaf j; number 0 is 1, so that (0, 0) is the
 * constant and (0, j) the linear part. */
struct fragprog_quad {
    float c[FRAGPROG_QUAD_TERMS];
};

static inline unsigned fragprog_quad_term(unsigned i, unsigned j)
{
    unsigned low = i < j ? i : j, high = i < j ? j : i;
    return high * (high + 1) / 2 + low;
}

/* factor*leaf + offset; leaf 1.. (0: none) */
struct fragprog_quad fragprog_quad_affine(float factor, unsigned leaf, float offset);
struct fragprog_quad fragprog_quad_sum(float m, const struct fragprog_quad *a, float n,
                                       const struct fragprog_quad *b);
/* False if a degree exceeds 2. */
bool fragprog_quad_product(struct fragprog_quad *out, const struct fragprog_quad *a,
                           const struct fragprog_quad *b);
bool fragprog_quad_equal(const struct fragprog_quad *a, const struct fragprog_quad *b);
/* Terms that are not 0, and whether `leaf` occurs. */
unsigned fragprog_quad_count(const struct fragprog_quad *a);
bool fragprog_quad_has(const struct fragprog_quad *a, unsigned leaf);
/* Is it three times a polynomial with dyadic factors? */
bool fragprog_quad_thrice(const struct fragprog_quad *a);
/* a = k*leaf + rest; false if leaf occurs squared. */
bool fragprog_quad_split(const struct fragprog_quad *a, unsigned leaf, struct fragprog_quad *k,
                         struct fragprog_quad *rest);
/* Bounds over leaves in [low[i], high[i]], i = 1.. ; exact where no leaf is squared. */
void fragprog_quad_range(const struct fragprog_quad *a, const float *low, const float *high, float *least,
                         float *most);

#endif
