/* The local search for covers (local.c): inputs, operations on one unknown, values of one stage. */
#ifndef LOCAL_H
#define LOCAL_H

#include "forms.h"

enum { AT = 12, INPUTS = 1024, ALTS = 4, NONE = -1 };
#define TOLERANCE 1e-7 /* of a value at a point: doubles, through a few divisions */

/* What a stage may read besides CURRENT. lent: a value of the alpha pipe. */
struct input {
    char name[96];
    int avail; /* first stage that may read it */
    bool lent;
    double v[AT], *everywhere; /* at the points of the region; at the samples that judge a program as a whole */
};
/* a*P*P + b*P + c, scale included, at each point */
struct op { uint8_t form, k, s, avail; int16_t x, y; };
struct ops { struct op *op; int n, room; double *a[AT], *b[AT], *c[AT], *over[AT]; bool *square; };
/* A stage of inputs alone: an operation with P = inputs[start]; op NONE: the input itself. */
struct value { int start, op, avail; double v[AT]; };
/* What P may be: up to ALTS values a point. */
struct wanted { uint8_t n[AT]; double v[AT][ALTS]; };

extern struct input in[INPUTS + 2]; /* the last two in use: ACCUM's value and its complement */
extern int inputs, accum_at;        /* accum_at: where those are, or NONE */
extern int samples;

/* ops.c */
void make_ops(struct ops *o, bool with_accum);
void coefficients_again(struct ops *o); /* ACCUM holds something else */
bool forward(const struct ops *o, int i, const double *p, double *v);
bool backward(const struct ops *o, int i, const struct wanted *g, struct wanted *before);
struct value *make_values(const struct ops *o, int *n, bool alpha_only);
uint64_t hash_of(const double *v, int n);
void clear_seen(void);
bool add_to_seen(uint64_t h); /* false if it was seen since they were cleared */

static inline double at(const struct ops *o, int i, int point, double p)
{
    return (o->a[point][i] * p + o->b[point][i]) * p + o->c[point][i];
}
static inline bool in_range(double v)
{
    return v >= -1e-9 && v <= 1 + 1e-9;
}

#endif
