/* Functions of one value that is not known, a*x^2 + b*x + c, and numbers as doubles. Internal to hwemit/i830. */
#ifndef I830_QUADRATIC_H
#define I830_QUADRATIC_H

#include "hwemit/i830/field.h"

#include <stdbool.h>

#define TINY 1e-9 /* below this a double counts as 0 */

struct quadratic { double a, b, c; };

static inline double at(const struct quadratic *q, double x) { return (q->a * x + q->b) * x + q->c; }
static inline bool near(double a, double b) { return a - b < 1e-8 && a - b > -1e-8; }
static inline double clamped(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }
static inline bool inside(double v) { return v > TINY && v < 1 - TINY; }

/* A function of P and W with a W; c: as every_function.c. */
static inline struct quadratic with_w(const double (*c)[3], double w)
{
    return (struct quadratic){(c[2][2] * w + c[2][1]) * w + c[2][0], (c[1][2] * w + c[1][1]) * w + c[1][0], (c[0][2] * w + c[0][1]) * w + c[0][0]};
}

/* All x of which the function makes v: two at most; none where it is constant. */
static inline unsigned all_roots(const struct quadratic *q, double v, double x[2])
{
    const double c = q->c - v;
    if (q->a > -TINY && q->a < TINY) {
        if (q->b > -TINY && q->b < TINY)
            return 0;
        x[0] = -c / q->b;
        return 1;
    }
    const double d = q->b * q->b - 4 * q->a * c;
    if (d < -TINY)
        return 0;
    const double root = every_square_root(d);
    x[0] = (-q->b + root) / (2 * q->a), x[1] = (-q->b - root) / (2 * q->a);
    return 2;
}

/* Those inside of [0,1]. */
static inline unsigned solve(const struct quadratic *q, double v, double *out)
{
    double x[2];
    unsigned kept = 0;
    for (unsigned i = 0, n = all_roots(q, v, x); i < n; i++)
        if (inside(x[i]))
            out[kept++] = x[i];
    return kept;
}

#endif
