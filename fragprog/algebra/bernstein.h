/* Bounds of polynomials over a box of variables, and proofs that one polynomial is nonnegative where another
 * is positive. Internal to the library.
 *
 * All bounds use the Bernstein form: on [0,1]^n a polynomial lies between its smallest and its largest
 * Bernstein coefficient. The bounds are exact if no variable is squared. */
#ifndef FRAGPROG_ALGEBRA_BERNSTEIN_H
#define FRAGPROG_ALGEBRA_BERNSTEIN_H

#include "fragprog/algebra/interval.h"
#include "fragprog/algebra/polynomial.h"

/* The interval of each variable, indexed by its number. NULL: all variables are in [0,1]. */
typedef const struct fragprog_interval *fragprog_box;

/* Computes bounds of a polynomial. They are conservative, and exact if no variable is squared. Returns false
 * if the polynomial is bad or has too many variables. */
bool fragprog_poly_bounds(struct fragprog_interval *out, const struct fragprog_poly *a, fragprog_box box);

/* Returns true if it is proved that z >= 0 wherever y > 0 in the box; y NULL: z >= 0 everywhere. */
bool fragprog_poly_implies(const struct fragprog_poly *y, const struct fragprog_poly *z, fragprog_box box);

#endif
