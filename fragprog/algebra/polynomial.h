/* Polynomials of few terms in numbered variables: what an instruction, or several, compute before the clamp.
 * Internal to the library.
 *
 * A coefficient is a dyadic fraction that single precision holds exactly, so that equal means equal. `bad`
 * says that a result has too many terms, too high a degree or a coefficient of too many bits; it is
 * infectious, so that a chain of operations is asked once, at its end. */
#ifndef FRAGPROG_ALGEBRA_POLYNOMIAL_H
#define FRAGPROG_ALGEBRA_POLYNOMIAL_H

#include "fragprog/algebra/formula.h"

enum { FRAGPROG_POLY_TERMS = 12, FRAGPROG_POLY_DEGREE = 8 };

/* A product of variables: their numbers, 1 to 255, one a byte, the largest in the highest byte, 0 where there
 * is none. 0 is the constant. */
typedef uint64_t fragprog_monomial;

/* Terms with coefficients other than 0, the largest monomial first. */
struct fragprog_poly {
    uint8_t n, bad;
    float c[FRAGPROG_POLY_TERMS];
    fragprog_monomial m[FRAGPROG_POLY_TERMS];
};

/* out may be an operand unless it says otherwise. */

void fragprog_poly_constant(struct fragprog_poly *out, double c);
/* m*x + t, x variable number v */
void fragprog_poly_variable(struct fragprog_poly *out, unsigned v, double m, double t);
/* Adds a term behind the others: its monomial is smaller. */
void fragprog_poly_append(struct fragprog_poly *p, double c, fragprog_monomial m);
/* m*a + t */
void fragprog_poly_affine(struct fragprog_poly *out, double m, const struct fragprog_poly *a, double t);
/* m*a + n*b + t */
void fragprog_poly_sum(struct fragprog_poly *out, double m, const struct fragprog_poly *a, double n,
                       const struct fragprog_poly *b, double t);
/* a*b; out is neither. */
void fragprog_poly_product(struct fragprog_poly *out, const struct fragprog_poly *a,
                           const struct fragprog_poly *b);
/* What the operation computes of three arguments, times `scale`; out is none of them. False if it is no
 * polynomial, or a bad one. */
bool fragprog_poly_formula(struct fragprog_poly *out, unsigned op, const struct fragprog_poly *args,
                           double scale);
/* a = k*x + rest with x variable number v; false if x occurs squared. k and rest are not a. */
bool fragprog_poly_split(struct fragprog_poly *k, struct fragprog_poly *rest, const struct fragprog_poly *a,
                         unsigned v);
/* True, and *q, if a = b*q exactly. q is neither. */
bool fragprog_poly_divide(struct fragprog_poly *q, const struct fragprog_poly *a,
                          const struct fragprog_poly *b);

/* The coefficient of x_v * x_w, either of which may be 0 for 1. */
double fragprog_poly_coefficient(const struct fragprog_poly *a, unsigned v, unsigned w);
bool fragprog_poly_equal(const struct fragprog_poly *a, const struct fragprog_poly *b);

#endif
