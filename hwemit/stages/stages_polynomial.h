/* Functions that return the polynomials of fragprog/algebra by value, for use in expressions. Internal to
 * hwemit/stages. */
#ifndef STAGES_POLYNOMIAL_H
#define STAGES_POLYNOMIAL_H

#include "fragprog/algebra/bernstein.h"

static inline struct fragprog_poly stages_constant(double c)
{
    struct fragprog_poly p;
    fragprog_poly_constant(&p, c);
    return p;
}

static inline struct fragprog_poly stages_variable(unsigned atom)
{
    struct fragprog_poly p;
    fragprog_poly_variable(&p, atom, 1, 0);
    return p;
}

/* Returns p*a + t. */
static inline struct fragprog_poly stages_affine(double p, const struct fragprog_poly *a, double t)
{
    struct fragprog_poly r;
    fragprog_poly_affine(&r, p, a, t);
    return r;
}

/* Returns p*a + q*b. */
static inline struct fragprog_poly stages_sum(double p, const struct fragprog_poly *a, double q,
                                              const struct fragprog_poly *b)
{
    struct fragprog_poly r;
    fragprog_poly_sum(&r, p, a, q, b, 0);
    return r;
}

static inline struct fragprog_poly stages_product(const struct fragprog_poly *a,
                                                  const struct fragprog_poly *b)
{
    struct fragprog_poly r;
    fragprog_poly_product(&r, a, b);
    return r;
}

static inline double stages_constant_term(const struct fragprog_poly *a)
{
    return fragprog_poly_coefficient(a, 0, 0);
}

static inline bool stages_is_constant(const struct fragprog_poly *a, double *value)
{
    *value = stages_constant_term(a);
    return a->n == 0 || (a->n == 1 && a->m[0] == 0);
}

/* Returns the number of terms, not counting the constant term. */
static inline unsigned stages_length(const struct fragprog_poly *a)
{
    return a->n - (a->n && a->m[a->n - 1] == 0 ? 1u : 0u);
}

#endif
