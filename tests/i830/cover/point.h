/* Declarations shared by the files of the search for covers at one point (described in point.c). */
#ifndef POINT_H
#define POINT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t field; /* a number modulo 2^61 - 1 */
struct number {
    double r;
    field f;
};

/* Arguments of a stage: an index of `leaf` (the inputs), or P (CURRENT), W (another live value) or a
 * complement of P or W. */
enum { LEAVES = 120, P = 200, NOT_P, W, NOT_W };
enum kind {
    ARG1,
    MODULATE,
    ADD,
    ADDSIGNED,
    SUBTRACT,
    BLEND,
    PRODUCT_AND_ADD,
    PRODUCT_2_AND_ADD,
    PRODUCT_4_AND_ADD,
    DOT3,
    KINDS
};
struct op {
    uint8_t kind, scale, arg[3];
};

/* All different operations on P at the point, as a*P*P + b*P + c. q: coefficients of a, b and c as
 * polynomials in W. The first `linear` operations have a = 0. */
struct table {
    int n, linear;
    struct op *op;
    double *q[9], *a, *b, *c, *x, *y;
};

extern struct leaf {
    char name[40];
    int from;
    struct number v;
    bool alpha, lent;
} leaf[LEAVES];
extern double leaf_at_point[LEAVES];
extern const double *leaf_now; /* inputs at which real_of evaluates */
extern int leaves_of[5];       /* number of inputs, from the first on, that stages 1 to 4 can read */
extern bool full, dots;

/* A value computed from inputs alone. */
struct value {
    struct number v;
    struct op op;
};
struct values {
    int n;
    struct value *v;
};

/* values that one stage computes from inputs: those of stages up to the second, the third and the fourth */
extern struct values first, third, fourth;
/* [stage][end]: values that one stage computes from inputs and that are below 0 (end 0) or above 1 (end 1) */
extern struct values beyond[3][2];
extern struct table plain[5];
extern struct number target;
extern int stages; /* the largest number of stages of a program */
extern clock_t deadline;

extern int samples; /* input vectors for testing whole programs, including clamps */
extern double *leaf_samples, *target_samples;
double clamped(const struct op *e, double p, double w);

/* point_chain.c */
bool find_chain(void); /* returns true if a program is found */

/* operations.c */
field random_field(void);
bool reads(const struct op *e, int which); /* which: P or W */
double real_of(const struct op *e, double p, double w);
field field_of(const struct op *e, field p, field w);
void make_table(struct table *t, int stage, bool with_w);
void set_w(struct table *t, double w);
void make_values(struct values *v, int stage);
void make_values_beyond(struct values *v, int stage, int end);
void make_values_of_alpha(struct values *v);
int solve(const struct table *t, double result, double *p, int *which);
int say_op(char *out, const struct op *e, const char *p, const char *w);

static inline bool in_range(double v) { return v >= -1e-9 && v <= 1 + 1e-9; }
static inline double at(const struct table *t, int i, double p)
{
    return (t->a[i] * p + t->b[i]) * p + t->c[i];
}

/* ---- sets of numbers between 0 and 1, hashed by cells of width 2^-30 ---- */

struct set {
    int bits;
    uint64_t *bit;
    uint32_t *slot, *done;
    int n, room;
};
#define NEAR 1e-10 /* tolerance for rounding errors of doubles */

void open_set(struct set *s, int bits);
void put(struct set *s, double v);
void release(struct set *s, int n); /* removes all but the first n elements */

static inline uint32_t cell(double v) { return (uint32_t)(v * 1073741824 + 2); }
static inline bool has_cell(const struct set *s, uint32_t c)
{
    uint32_t h = c * 2654435769u;
    if (!(s->bit[h >> (32 - s->bits) >> 6] >> (h >> (32 - s->bits) & 63) & 1))
        return false;
    for (uint32_t i = h >> (35 - s->bits);; i = (i + 1) & ((1u << (s->bits - 3)) - 1))
        if (!s->slot[i] || s->slot[i] == c)
            return s->slot[i] == c;
}

#endif
