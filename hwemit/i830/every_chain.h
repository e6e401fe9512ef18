/* All programs in which each stage reads the one before: shared by every_chain.c and every_undecided.c. Internal to hwemit/i830. */
#ifndef I830_EVERY_CHAIN_H
#define I830_EVERY_CHAIN_H

#include "hwemit/i830/every.h"
#include "hwemit/i830/quadratic.h"

enum { AT = EVERY_FIRST, UNDECIDED = 1 << 15 };
#define SAME 1e-8
#define INSIDE 1e-3
#define END 1e-4

struct pair { uint32_t f3, f4, next; double need; };
struct chain {
    struct every *e;
    uint32_t n, nleaves;            /* functions of P; of inputs */
    struct quadratic *f;            /* n of each sample */
    float *lo, *hi;                 /* what they make of [0,1], clamped, by sample */
    double *v;                      /* those of inputs, clamped, by sample */
    uint32_t identity;
    struct pair *pair;
    uint32_t npairs, list[AT], *bucket; /* list: those that sample k says */
    uint32_t nundecided;
    struct pair undecided[UNDECIDED]; /* of which no sample says what they need */
    uint64_t *bit;
    bool stop;
};

/* The numbers in [0,1] of which the function, clamped, makes v, which is inside: one or two, or none. */
static inline unsigned solve_clamped(const struct quadratic *q, double v, double *out)
{
    double x[2];
    unsigned kept = 0;
    for (unsigned i = 0, n = all_roots(q, v, x); i < n; i++)
        if (x[i] > -1e-7 && x[i] < 1 + 1e-7)
            out[kept++] = clamped(x[i]);
    return kept;
}

/* What a function of P is at sample k: a polynomial of degree 2, by its values where P is 0, 1, -1. */
static inline struct quadratic of_p_at(const struct every *e, const struct every_step *s, unsigned k)
{
    const double zero = hwemit_i830_every_real(s, e->like[k], 0, 0), one = hwemit_i830_every_real(s, e->like[k], 1, 0), minus = hwemit_i830_every_real(s, e->like[k], -1, 0);
    return (struct quadratic){(one + minus) / 2 - zero, (one - minus) / 2, zero};
}

/* Between which numbers it is, clamped, of all in [0,1]. */
static inline void range_of(const struct quadratic *q, float *lo, float *hi)
{
    const double zero = q->c, one = at(q, 1);
    double least = zero < one ? zero : one, most = zero < one ? one : zero;
    if (q->a > TINY || q->a < -TINY) {
        const double x = -q->b / (2 * q->a), vertex = at(q, x);
        if (x > 0 && x < 1)
            least = vertex < least ? vertex : least, most = vertex > most ? vertex : most;
    }
    *lo = (float)clamped(least) - 1e-5f, *hi = (float)clamped(most) + 1e-5f;
}

/* What the function may read so that, clamped, it makes v: all between two numbers. False: nothing. */
bool hwemit_i830_chain_before(const struct quadratic *q, double v, float *lo, float *hi);
/* The program is kept if it is right at samples, and wanted. */
void hwemit_i830_chain_found(struct chain *s, uint32_t v1, uint32_t f2, uint32_t f3, uint32_t f4);

/* ---- every_undecided.c ---- */
/* Tries all f2(v1) with the pairs of which no sample says what they need. */
void hwemit_i830_chain_undecided(struct chain *s);

#endif
