/* Polynomials of many terms over up to 32 variables in [0,1], with bounds over boxes: what same.c proves with. Internal to hwemit/i830.
 *
 * All numbers are binary fractions, and a polynomial whose numbers would not be exact in a double is bad: the signs below are exact. */
#ifndef I830_WIDE_H
#define I830_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { I830_WIDE_TERMS = 96, I830_WIDE_VARS = 32, I830_DENSE = 4096 };

/* Exponents, 4 bits a variable; at most 7. */
struct i830_powers { uint64_t e[I830_WIDE_VARS / 16]; };
struct i830_term { struct i830_powers m; double c; };

/* Terms with coefficients other than 0, sorted. bad: not known; infectious. */
struct i830_wide {
    uint16_t n, bad;
    struct i830_term t[I830_WIDE_TERMS];
};

struct i830_box { double lo[I830_WIDE_VARS], hi[I830_WIDE_VARS]; };

void hwemit_i830_wide_constant(struct i830_wide *p, double c);
void hwemit_i830_wide_variable(struct i830_wide *p, unsigned v);
bool hwemit_i830_wide_is_constant(const struct i830_wide *p, double *value);
bool hwemit_i830_wide_equal(const struct i830_wide *a, const struct i830_wide *b);
/* *r = x*a + y*b with x, y not 0; r is not b. */
void hwemit_i830_wide_sum(struct i830_wide *r, double x, const struct i830_wide *a, double y, const struct i830_wide *b);
/* *r = x*a + y with x not 0; r may be a. */
void hwemit_i830_wide_affine(struct i830_wide *r, double x, const struct i830_wide *a, double y);
/* *r += x * a * b with x 1 or -1; r is neither. */
void hwemit_i830_wide_add_product(struct i830_wide *r, int x, const struct i830_wide *a, const struct i830_wide *b);
/* *p with q in place of a variable that is not in q. scratch: two more. */
void hwemit_i830_wide_put(struct i830_wide *p, unsigned v, const struct i830_wide *q, struct i830_wide scratch[2]);
unsigned hwemit_i830_wide_degree(const struct i830_wide *p, unsigned v); /* in one variable */
/* Divides by each variable x, and by each 1-x, as often as that goes. */
void hwemit_i830_wide_strip(struct i830_wide *p, struct i830_wide *scratch);
/* True and *q if a = b * q exactly; q is neither. */
bool hwemit_i830_wide_divide(struct i830_wide *q, const struct i830_wide *a, const struct i830_wide *b, struct i830_wide scratch[2]);
double hwemit_i830_wide_at(const struct i830_wide *p, const double *x);

/* What Bernstein coefficients are counted over: variables, and the degree in each. */
struct i830_shape {
    unsigned n, size;
    uint8_t var[I830_WIDE_VARS], degree[I830_WIDE_VARS];
    uint16_t step[I830_WIDE_VARS];
};
/* The shape that all of them have room in; false if it is too large. */
bool hwemit_i830_shape(struct i830_shape *s, const struct i830_wide *const *p, unsigned n);
/* The Bernstein coefficients over the box, each times a positive number that depends on its place alone: exact. False if doubles cannot hold them. */
bool hwemit_i830_dense(const struct i830_shape *s, const struct i830_wide *p, const struct i830_box *box, double *out);
/* Bounds over the box, not exact but safe; false if there are none. */
bool hwemit_i830_wide_range(const struct i830_wide *p, const struct i830_box *box, double *dense, double *lo, double *hi);

#endif
