/* Declarations that the searches for one and for two instructions share. */
#ifndef TESTS_SUPEROPT_PROGRAM_H
#define TESTS_SUPEROPT_PROGRAM_H

#include "superopt.h"

enum { SCALES = 7, RISING = 4 /* the number of scales of at least 1, which come first */ };
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
    uint8_t
        positive[MOST_ARGS];   /* of an argument and its negative, only one is tried as a factor: this one */
    uint8_t factor[MOST_ARGS]; /* true if its values are in [0,1], so that it can be the factor of a LERP */
    struct column *at;
};
bool in_unit(const struct points *p, const double *v);
void find_args(struct args *a, const struct points *p);

/* First instructions, without those whose values equal those of another one up to symmetry and v -> 1 - v. */
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
