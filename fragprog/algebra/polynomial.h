/* Sparse polynomials in numbered variables, which represent the result of one or more instructions before the
 * clamp. Internal to the library.
 *
 * Every coefficient is a dyadic fraction that single precision holds exactly, so that polynomials can be
 * compared with ==. `bad` marks a result with too many terms, too high a degree or a coefficient of too many
 * bits. Operations on bad polynomials give bad ones, so that a chain of operations needs a single test at its
 * end. */
#ifndef FRAGPROG_ALGEBRA_POLYNOMIAL_H
#define FRAGPROG_ALGEBRA_POLYNOMIAL_H

#include "fragprog/algebra/formula.h"

enum { FRAGPROG_POLY_TERMS = 12, FRAGPROG_POLY_DEGREE = 8 };

/* A product of variables: their numbers, 1 to 255, one in each byte, sorted with the largest in the highest
 * byte; unused bytes are 0. The monomial 0 is the number 1. */
typedef uint64_t fragprog_monomial;

/* Terms with nonzero coefficients, sorted with the largest monomial first. */
struct fragprog_poly {
    uint8_t n, bad;
    float c[FRAGPROG_POLY_TERMS];
    fragprog_monomial m[FRAGPROG_POLY_TERMS];
};

/* In these functions out may be one of the operands, unless stated otherwise. */

void fragprog_poly_constant(struct fragprog_poly *out, double c);
/* Computes m*x + t, where x is variable v. */
void fragprog_poly_variable(struct fragprog_poly *out, unsigned v, double m, double t);
/* Computes m*a + t. */
void fragprog_poly_affine(struct fragprog_poly *out, double m, const struct fragprog_poly *a, double t);
/* Computes m*a + n*b + t. */
void fragprog_poly_sum(struct fragprog_poly *out, double m, const struct fragprog_poly *a, double n,
                       const struct fragprog_poly *b, double t);
/* Computes a*b; out must not be an operand. */
void fragprog_poly_product(struct fragprog_poly *out, const struct fragprog_poly *a,
                           const struct fragprog_poly *b);
/* Computes the operation on three arguments, times `scale`; out must not be an argument. Returns false if the
 * operation is no polynomial, or the result is bad. */
bool fragprog_poly_formula(struct fragprog_poly *out, unsigned op, const struct fragprog_poly *args,
                           double scale);
/* Splits a into k*x + rest, where x is variable v. Returns false if x occurs squared. k and rest must not be
 * a. */
bool fragprog_poly_split(struct fragprog_poly *k, struct fragprog_poly *rest, const struct fragprog_poly *a,
                         unsigned v);
/* Returns true if a = b*q exactly, and then sets *q. q must not be an operand. */
bool fragprog_poly_divide(struct fragprog_poly *q, const struct fragprog_poly *a,
                          const struct fragprog_poly *b);

/* Returns the coefficient of x_v * x_w, where variable 0 is the number 1. */
double fragprog_poly_coefficient(const struct fragprog_poly *a, unsigned v, unsigned w);
bool fragprog_poly_equal(const struct fragprog_poly *a, const struct fragprog_poly *b);

#endif
