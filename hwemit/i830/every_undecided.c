/* Pairs of last stages of which no sample says what they need, since f2 may be clamped wherever they show it: what they may read there is between two numbers. */
#include "hwemit/i830/every_chain.h"

#include <string.h>

enum { CELLS = 64, LISTED = 1 << 20 };

struct between { float lo, hi; };

static void widen(struct between *r, double lo, double hi)
{
    r->lo = lo - 1e-5 < (double)r->lo ? (float)(lo - 1e-5) : r->lo;
    r->hi = hi + 1e-5 > (double)r->hi ? (float)(hi + 1e-5) : r->hi;
}

/* Adds what the function may read so that, clamped, it makes something from a to b. */
static void add_before(const struct quadratic *q, double a, double b, struct between *r)
{
    double x[2], lo = 0, hi = 1;
    if (q->a > TINY || q->a < -TINY) {
        const bool point = b - a < SAME && a > INSIDE && a < 1 - INSIDE;
        const unsigned n = point ? solve_clamped(q, a, x) : 0;
        for (unsigned i = 0; i < n; i++)
            widen(r, x[i], x[i]);
        if (!point)
            widen(r, 0, 1);
        return;
    }
    for (unsigned side = 0; side < 2; side++) { /* q >= a; -q >= -b */
        const double least = side ? -b : a, slope = side ? -q->b : q->b, zero = side ? -q->c : q->c, cut = slope == 0 ? 0 : (least - zero) / slope;
        if (side ? b > 1 - 1e-6 : a < 1e-6)
            continue;
        if (slope > TINY)
            lo = cut > lo ? cut : lo;
        else if (slope < -TINY)
            hi = cut < hi ? cut : hi;
        else if (zero < least - 1e-5)
            return;
    }
    if (lo <= hi + 1e-5)
        widen(r, lo, hi);
}

/* What f3 has to read at sample k. */
static struct between reads_between(const struct chain *s, unsigned k, const struct pair *p)
{
    const double t = s->e->like_target[k];
    const struct quadratic *const f3 = &s->f[k * s->n + p->f3], *const f4 = &s->f[k * s->n + p->f4];
    struct between r = {1, 0};
    double v3[2];
    float lo, hi;
    const unsigned n = t > TINY && t < 1 - TINY ? solve_clamped(f4, t, v3) : 0;
    for (unsigned i = 0; i < n; i++)
        add_before(f3, v3[i], v3[i], &r);
    if (n == 0 && hwemit_i830_chain_before(f4, t, &lo, &hi))
        add_before(f3, (double)lo, (double)hi, &r);
    return r;
}

struct listed { uint32_t pair, next; };
struct lists {
    struct between of[UNDECIDED]; /* what the pair reads at the sample that says most of it */
    uint32_t low[UNDECIDED], high[UNDECIDED]; /* samples where it reads 0, where 1 */
    uint32_t n, cell[AT][CELLS + 1];
    unsigned nused, used[AT];     /* samples that have lists */
    struct listed listed[LISTED];
};

static unsigned cell_at(double v) { return v < 0 ? 0 : v > 1 ? CELLS : (unsigned)(v * CELLS); }

/* Enters a pair at the sample where what it has to read is known best. False: no room. */
static bool list(const struct chain *s, struct lists *l, uint32_t pair)
{
    unsigned best = 0, used = 0;
    struct between least = {0, 2};
    l->low[pair] = l->high[pair] = 0;
    for (unsigned k = 0; k < AT; k++) {
        const struct between r = reads_between(s, k, &s->undecided[pair]);
        if (r.lo > r.hi)
            return true; /* nothing does */
        l->low[pair] |= (uint32_t)((double)r.hi < END) << k;
        l->high[pair] |= (uint32_t)((double)r.lo > 1 - END) << k;
        if (r.hi - r.lo < least.hi - least.lo)
            least = r, best = k;
    }
    l->of[pair] = least;
    while (used < l->nused && l->used[used] != best)
        used++;
    if (used == l->nused)
        l->used[l->nused++] = best;
    for (unsigned c = cell_at((double)least.lo); c <= cell_at((double)least.hi); c++) {
        if (l->n == LISTED)
            return false;
        l->listed[l->n] = (struct listed){pair, l->cell[best][c]};
        l->cell[best][c] = l->n++;
    }
    return true;
}

/* f2(v1) against the listed pairs. */
static void against(struct chain *s, const struct lists *l, uint32_t f2, uint32_t v1)
{
    double r[AT];
    uint32_t low = 0, high = 0;
    for (unsigned k = 0; k < AT; k++) {
        r[k] = clamped(at(&s->f[k * s->n + f2], s->v[k * s->nleaves + v1]));
        low |= (uint32_t)(r[k] < 2 * END) << k;
        high |= (uint32_t)(r[k] > 1 - 2 * END) << k;
    }
    s->e->work += AT;
    for (unsigned u = 0; u < l->nused && !s->stop; u++) {
        const double v = r[l->used[u]];
        for (uint32_t m = l->cell[l->used[u]][cell_at(v)]; m != NONE && !s->stop; m = l->listed[m].next) {
            const uint32_t n = l->listed[m].pair;
            const struct pair *const p = &s->undecided[n];
            s->e->work++;
            if (!(l->low[n] & ~low) && !(l->high[n] & ~high) && v > (double)l->of[n].lo && v < (double)l->of[n].hi && (f2 == s->identity || p->f3 != s->identity))
                hwemit_i830_chain_found(s, v1, f2, p->f3, p->f4);
        }
    }
    s->stop |= s->e->work > s->e->most_work;
}

/* Pairs of which no sample says what they need: f2 may be clamped wherever they show it. All f2(v1) are tried that are between what they may read at one. */
void hwemit_i830_chain_undecided(struct chain *s)
{
    struct every *const e = s->e;
    struct lists *const l = hwemit_i830_every_lend(e, sizeof *l);
    if (!l) {
        s->stop = true;
        return;
    }
    memset(l->cell, 0xff, sizeof l->cell);
    l->n = l->nused = 0;
    for (uint32_t i = 0; i < s->nundecided && !s->stop; i++)
        s->stop |= !list(s, l, i);
    for (uint32_t i = 0; i < s->n && !s->stop; i++)
        for (uint32_t j = 0; j < s->nleaves && !s->stop; j++)
            against(s, l, i, j);
}
