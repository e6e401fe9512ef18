/* Polynomials over atoms: what a value is before its clamp. Internal to hwemit/i830. */
#ifndef I830_POLY_H
#define I830_POLY_H

#include <stdbool.h>
#include <stdint.h>

enum { I830_TERMS = 12, I830_DEGREE = 8 };
/* A monomial: numbers of its atoms (1..255), one a byte, the largest in the highest byte, 0 where there is none. 0 is the constant. */
typedef uint64_t i830_mono;

/* Terms with coefficients other than 0, the largest monomial first. Coefficients are multiples of 1/256 below 2^14, so that float is exact; `bad` says that a
 * result left that, or has too many terms, and is infectious. */
struct i830_poly {
    uint8_t n, bad;
    float c[I830_TERMS];
    i830_mono m[I830_TERMS];
};

struct i830_poly hwemit_i830_poly_constant(double c);
struct i830_poly hwemit_i830_poly_atom(unsigned atom);
/* p*a + q*b */
struct i830_poly hwemit_i830_poly_sum(double p, const struct i830_poly *a, double q, const struct i830_poly *b);
/* p*a + t */
struct i830_poly hwemit_i830_poly_affine(double p, const struct i830_poly *a, double t);
struct i830_poly hwemit_i830_poly_product(const struct i830_poly *a, const struct i830_poly *b);
/* True and *q if a = b * q exactly. */
bool hwemit_i830_poly_divide(struct i830_poly *q, const struct i830_poly *a, const struct i830_poly *b);
/* True and *q if a = q * q exactly. */
bool hwemit_i830_poly_root(struct i830_poly *q, const struct i830_poly *a);
/* a with the atom replaced by a number. */
struct i830_poly hwemit_i830_poly_restrict(const struct i830_poly *a, unsigned atom, double value);
bool hwemit_i830_poly_equal(const struct i830_poly *a, const struct i830_poly *b);
bool hwemit_i830_poly_is_constant(const struct i830_poly *a, double *value);
double hwemit_i830_poly_constant_term(const struct i830_poly *a);
/* Terms other than the constant. */
unsigned hwemit_i830_poly_length(const struct i830_poly *a);

struct i830_range { double lo, hi; };
/* Bounds while atom n goes over [-reach[n], reach[n]] if reach is not 0, over [0,1] if it is: exact where no atom is squared, safe else. */
struct i830_range hwemit_i830_poly_range(const struct i830_poly *a, const uint8_t *reach);
/* The same while one atom is at most, or at least (upper), 1/2. */
struct i830_range hwemit_i830_poly_range_half(const struct i830_poly *a, const uint8_t *reach, unsigned atom, unsigned upper);

#endif
