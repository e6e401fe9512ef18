/* Between which values a polynomial lies, and where it is positive, while each variable goes over an
 * interval. Internal to the library.
 *
 * All bounds come from the Bernstein form: on [0,1]^n a polynomial lies between its smallest and its largest
 * Bernstein coefficient, and the bound is exact where no variable is squared. */
#ifndef FRAGPROG_ALGEBRA_BERNSTEIN_H
#define FRAGPROG_ALGEBRA_BERNSTEIN_H

#include "fragprog/algebra/interval.h"
#include "fragprog/algebra/polynomial.h"

/* Where the variables are: an interval by number. NULL: all in [0,1]. */
typedef const struct fragprog_interval *fragprog_box;

/* False if the polynomial is bad or has too many variables. Safe; exact where no variable is squared. */
bool fragprog_poly_bounds(struct fragprog_interval *out, const struct fragprog_poly *a, fragprog_box box);

/* Wherever y > 0, z >= 0; y NULL: everywhere. True only if it is proved. */
bool fragprog_poly_implies(const struct fragprog_poly *y, const struct fragprog_poly *z, fragprog_box box);

#endif
