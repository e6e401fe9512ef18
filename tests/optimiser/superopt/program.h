/* Declarations shared by the searches for programs of one and of two instructions. */
#ifndef TESTS_SUPEROPT_PROGRAM_H
#define TESTS_SUPEROPT_PROGRAM_H

#include "superopt.h"

enum { SCALES = 7, RISING = 4 /* number of scales of 1 and more, which come first */ };
extern const double powers[SCALES];
extern const int exponents[SCALES];

static inline double unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static inline double operate(unsigned op, double a, double b, double c)
{
    switch (op) {
    case OP_MOV: return a;
    case OP_ADD: return a + b;
    case OP_MUL: return a * b;
    case OP_MAD: return a * b + c;
    default: return a * b + (1 - a) * c;
    }
}

static inline unsigned args_of(unsigned op) { return op == OP_MOV ? 1 : op <= OP_MUL ? 2 : 3; }

/* Returns an argument's value, given the values of the sources and of the first instruction's result. */
double program_argument(unsigned arg, const double *source, double earlier);

/* ---- arguments at the points, and all first instructions over them (one.c) ---- */

enum { MOST_ARGS = SOURCES * MAPS + LITERALS };
struct column {
    double v[MOST_POINTS];
};
struct args {
    unsigned n;
    uint8_t code[MOST_ARGS];
    uint8_t positive[MOST_ARGS]; /* try it as a factor: true for one of an argument and its negative */
    uint8_t factor[MOST_ARGS];   /* whether it can be the weight of a LERP: values in [0,1] */
    struct column *at;
};
bool in_unit(const struct points *p, const double *v);
void find_args(struct args *a, const struct points *p);

/* All first instructions of programs of two; of those whose values are equal up to symmetry and complement (1
 * - v), only one. */
struct firsts {
    const struct points *p;
    struct prints seen;
    struct inst *inst;
    struct column *at;
    size_t n, max;
};
/* The caller frees inst, at and seen. */
void find_firsts(struct firsts *f, const struct args *a, const struct points *p);

#endif
