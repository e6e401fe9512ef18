/* Quadratic polynomials in a few leaves: what an instruction of the pair unit is asked to compute, without
 * its clamp. A coefficient is a dyadic number of few bits, so that single precision is exact and equal means
 * equal. */
#ifndef HWEMIT_R300_QUAD_H
#define HWEMIT_R300_QUAD_H

#include <stdbool.h>
#include <stdint.h>

enum { QUAD_LEAVES = 6, QUAD_TERMS = (QUAD_LEAVES + 1) * (QUAD_LEAVES + 2) / 2 };
/* c[quad_term(i, j)] is the factor of leaf i times leaf j; number 0 is 1, so that (0, 0) is the constant and
 * (0, j) the linear part. */
struct quad {
    float c[QUAD_TERMS];
};

static inline unsigned quad_term(unsigned i, unsigned j)
{
    unsigned low = i < j ? i : j, high = i < j ? j : i;
    return high * (high + 1) / 2 + low;
}

/* factor*leaf + offset; leaf 1.. (0: none) */
struct quad hwemit_r300_quad_affine(float factor, unsigned leaf, float offset);
struct quad hwemit_r300_quad_sum(float m, const struct quad *a, float n, const struct quad *b);
/* False if a degree exceeds 2. */
bool hwemit_r300_quad_product(struct quad *out, const struct quad *a, const struct quad *b);
bool hwemit_r300_quad_equal(const struct quad *a, const struct quad *b);
/* Terms that are not 0, and whether `leaf` occurs. */
unsigned hwemit_r300_quad_count(const struct quad *a);
bool hwemit_r300_quad_has(const struct quad *a, unsigned leaf);
/* Is it three times a polynomial with dyadic factors? */
bool hwemit_r300_quad_thrice(const struct quad *a);
/* a = k*leaf + rest; false if leaf occurs squared. */
bool hwemit_r300_quad_split(const struct quad *a, unsigned leaf, struct quad *k, struct quad *rest);
/* Bounds over leaves in [low[i], high[i]], i = 1.. ; exact where no leaf is squared. */
void hwemit_r300_quad_range(const struct quad *a, const float *low, const float *high, float *least,
                            float *most);

#endif
