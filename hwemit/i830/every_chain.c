/* All programs in which each stage reads the one before: f4(f3(f2(v1))), v1 of inputs.
 *
 * At samples of the inputs, clamps included. What f4 and f3 need is asked first: at each sample the result has to be within what f3 and f4 can make of numbers in [0,1], and
 * few pairs are left. At one sample where neither clamp bites, such a pair says what f2(v1) has to be: with that all f2 and v1 are looked through. */
#include "hwemit/i830/every.h"
#include "hwemit/i830/quadratic.h"

#include <string.h>

enum { AT = EVERY_FIRST, SET_BITS = 22, PAIRS = 1 << 18, UNDECIDED = 1 << 15, CELLS = 64, LISTED = 1 << 20 };
#define NONE UINT32_MAX
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

static double clamped(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }
static uint32_t cell_of(double v) { return (uint32_t)(v * (1 << SET_BITS)) & ((1u << SET_BITS) - 1); }

static struct every_step step_of(const struct chain *s, enum every_reads t, uint32_t i) { return s->e->table[t].function[i].step; }

static bool is_move(const struct every_step *s) { return s->op == I830_ARG1 && s->scale == 0 && s->arg[1] == EVERY_P; }

static void prepare(struct chain *s)
{
    struct every *const e = s->e;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct every_step t = step_of(s, EVERY_OF_P, i);
        if (is_move(&t))
            s->identity = i;
        for (unsigned k = 0; k < AT; k++) {
            const double zero = hwemit_i830_every_real(&t, e->like[k], 0, 0), one = hwemit_i830_every_real(&t, e->like[k], 1, 0), minus = hwemit_i830_every_real(&t, e->like[k], -1, 0);
            const struct quadratic q = {(one + minus) / 2 - zero, (one - minus) / 2, zero};
            double lo = zero < one ? zero : one, hi = zero < one ? one : zero;
            if (q.a > TINY || q.a < -TINY) {
                const double x = -q.b / (2 * q.a), vertex = at(&q, x);
                if (x > 0 && x < 1)
                    lo = vertex < lo ? vertex : lo, hi = vertex > hi ? vertex : hi;
            }
            s->f[k * s->n + i] = q;
            s->lo[k * s->n + i] = (float)clamped(lo) - 1e-5f, s->hi[k * s->n + i] = (float)clamped(hi) + 1e-5f;
        }
    }
    for (uint32_t i = 0; i < s->nleaves; i++) {
        const struct every_step t = step_of(s, EVERY_OF_LEAVES, i);
        for (unsigned k = 0; k < AT; k++)
            s->v[k * s->nleaves + i] = clamped(hwemit_i830_every_real(&t, e->like[k], 0, 0));
    }
}

/* The numbers in [0,1] of which the function, clamped, makes v, which is inside: one or two, or none. */
static unsigned solve_clamped(const struct quadratic *q, double v, double *out)
{
    double x[2];
    unsigned kept = 0;
    for (unsigned i = 0, n = all_roots(q, v, x); i < n; i++)
        if (x[i] > -1e-7 && x[i] < 1 + 1e-7)
            out[kept++] = clamped(x[i]);
    return kept;
}

/* What the function may read so that, clamped, it makes v: all between two numbers. False: nothing. */
static bool before(const struct quadratic *q, double v, float *lo, float *hi)
{
    double x[2];
    *lo = 0, *hi = 1;
    if (v > TINY && v < 1 - TINY) {
        const unsigned n = solve_clamped(q, v, x);
        if (n) {
            *lo = (float)(n > 1 && x[1] < x[0] ? x[1] : x[0]) - 1e-5f;
            *hi = (float)(n > 1 && x[1] > x[0] ? x[1] : x[0]) + 1e-5f;
            return true;
        }
        const double is = at(q, 0); /* or it reads nothing */
        return (q->a > -TINY && q->a < TINY) && (q->b > -TINY && q->b < TINY) && is - v < 1e-7 && is - v > -1e-7;
    }
    const double zero = at(q, 0), one = at(q, 1);
    if (q->a > TINY || q->a < -TINY) /* anything between its ends: not looked into */
        return true;
    if (v <= TINY) {
        if (zero > TINY && one > TINY)
            return false;
        if (zero > TINY)
            *lo = (float)(zero / (zero - one)) - 1e-5f;
        else if (one > TINY)
            *hi = (float)(zero / (zero - one)) + 1e-5f;
    } else {
        if (zero < 1 - TINY && one < 1 - TINY)
            return false;
        if (zero < 1 - TINY)
            *lo = (float)((1 - zero) / (one - zero)) - 1e-5f;
        else if (one < 1 - TINY)
            *hi = (float)((1 - zero) / (one - zero)) + 1e-5f;
    }
    return true;
}

/* Which of the values that the other pipe may want its stages make, as far as the samples tell. */
static void passes(const struct every *e, struct every_program *p)
{
    for (unsigned i = 0; i < e->nthrough; i++)
        for (unsigned k = p->first; k < 3; k++) {
            bool same = true, inverse = true;
            for (unsigned n = 0; n < EVERY_FIRST && (same || inverse); n++) {
                double v = 0;
                for (unsigned m = p->first; m <= k; m++)
                    v = clamped(hwemit_i830_every_real(&p->step[m], e->like[n], v, 0));
                same &= v - e->through_like[n][i] < SAME && v - e->through_like[n][i] > -SAME;
                inverse &= 1 - v - e->through_like[n][i] < SAME && 1 - v - e->through_like[n][i] > -SAME;
            }
            if (same || inverse)
                p->passes[k] = (uint8_t)(i + 1);
        }
}

static bool right_at_samples(const struct chain *s, uint32_t v1, uint32_t f2, uint32_t f3, uint32_t f4)
{
    bool right = true;
    for (unsigned k = 0; k < AT && right; k++) {
        const struct quadratic *const f = &s->f[k * s->n];
        const double v = clamped(at(&f[f4], clamped(at(&f[f3], clamped(at(&f[f2], s->v[k * s->nleaves + v1])))))) - s->e->like_target[k];
        right = v < SAME && v > -SAME;
    }
    return right;
}

static void found(struct chain *s, uint32_t v1, uint32_t f2, uint32_t f3, uint32_t f4)
{
    struct every *const e = s->e;
    struct every_program p;
    const uint32_t f[4] = {v1, f2, f3, f4};
    e->tried++;
    e->work += 4;
    if (!right_at_samples(s, v1, f2, f3, f4))
        return;
    e->work += 100;
    memset(&p, 0, sizeof p);
    for (unsigned k = 0; k < 4; k++) {
        p.function[k] = f[k];
        p.table[k] = k ? EVERY_OF_P : EVERY_OF_LEAVES;
        p.step[k] = step_of(s, p.table[k], f[k]);
        p.p[k] = (uint8_t)(k ? k - 1 : 0);
    }
    for (unsigned k = 1; k < 4 && f[k] == s->identity; k++) { /* moves are left out: they come first */
        p.first = (uint8_t)k;
        p.step[k] = p.step[k - 1];
        p.table[k] = EVERY_OF_LEAVES;
    }
    for (unsigned k = p.first; k < 4; k++)
        if (p.step[k].from > k + 1)
            return;
    passes(e, &p);
    if (!hwemit_i830_every_wanted(e, &p))
        return;
    e->work += EVERY_TRIAL;
    if (hwemit_i830_every_alike(e, &p) && hwemit_i830_every_right(e, &p))
        hwemit_i830_every_keep(e, &p);
    s->stop |= e->too_many || e->work > e->most_work;
}

/* All v1 and f2, against the pairs that say at sample k what f2(v1) has to be. */
static void first_stages_at(struct chain *s, unsigned k)
{
    struct every *const e = s->e;
    for (uint32_t i = s->list[k], next; i != NONE; i = next) {
        next = s->pair[i].next;
        uint32_t *const bucket = &s->bucket[cell_of(s->pair[i].need) & (PAIRS - 1)];
        s->pair[i].next = *bucket;
        *bucket = i;
        for (int side = -1; side < 2; side += 2) {
            const uint32_t c = cell_of(clamped(s->pair[i].need + side * SAME));
            s->bit[c >> 6] |= UINT64_C(1) << (c & 63);
        }
    }
    const double *const v = &s->v[k * s->nleaves];
    for (uint32_t i = 0; i < s->n && !s->stop; i++) {
        const struct quadratic q = s->f[k * s->n + i];
        e->work += s->nleaves;
        for (uint32_t j = 0; j < s->nleaves; j++) {
            const double r = clamped((q.a * v[j] + q.b) * v[j] + q.c);
            const uint32_t c = cell_of(r);
            if (!(s->bit[c >> 6] >> (c & 63) & 1))
                continue;
            const uint32_t near[2] = {cell_of(clamped(r - SAME)) & (PAIRS - 1), cell_of(clamped(r + SAME)) & (PAIRS - 1)};
            for (unsigned side = 0; side < (near[0] == near[1] ? 1u : 2u); side++)
                for (uint32_t p = s->bucket[near[side]]; p != NONE && !s->stop; p = s->pair[p].next)
                    if (s->pair[p].need - r < SAME && s->pair[p].need - r > -SAME && (i == s->identity || s->pair[p].f3 != s->identity))
                        found(s, j, i, s->pair[p].f3, s->pair[p].f4);
        }
    }
    memset(s->bucket, 0xff, PAIRS * sizeof *s->bucket);
    memset(s->bit, 0, (sizeof *s->bit) << (SET_BITS - 6));
    s->list[k] = NONE;
    s->stop |= e->work > e->most_work;
}

static void first_stages(struct chain *s)
{
    for (unsigned k = 0; k < AT; k++)
        if (s->list[k] != NONE && !s->stop)
            first_stages_at(s, k);
    s->npairs = 0;
}

/* What f3 has to read at sample k for the result. EVERY_MORE: a clamp may bite there, or f4 or f3 reads nothing: another sample has to say. EVERY_NONE: there is nothing. */
static enum every_end needs(const struct chain *s, unsigned k, uint32_t f3, uint32_t f4, double *need, unsigned *n)
{
    const double t = s->e->like_target[k];
    double v3[2];
    *n = 0;
    if (t < INSIDE || t > 1 - INSIDE)
        return EVERY_MORE;
    const unsigned n3 = solve_clamped(&s->f[k * s->n + f4], t, v3);
    for (unsigned i = 0; i < n3; i++)
        if (v3[i] < INSIDE || v3[i] > 1 - INSIDE)
            return EVERY_MORE;
    for (unsigned i = 0; i < n3; i++) {
        const struct quadratic *const q = &s->f[k * s->n + f3];
        if (q->a > -TINY && q->a < TINY && q->b > -TINY && q->b < TINY)
            return EVERY_MORE;
        const unsigned before_this = *n;
        *n += solve_clamped(q, v3[i], need + *n);
        for (unsigned m = before_this; m < *n; m++)
            if (need[m] < INSIDE || need[m] > 1 - INSIDE) {
                *n = 0;
                return EVERY_MORE;
            }
    }
    return !n3 ? EVERY_MORE : *n ? EVERY_SOME : EVERY_NONE;
}

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
    if (n == 0 && before(f4, t, &lo, &hi))
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
                found(s, v1, f2, p->f3, p->f4);
        }
    }
    s->stop |= s->e->work > s->e->most_work;
}

/* Pairs of which no sample says what they need: f2 may be clamped wherever they show it. All f2(v1) are tried that are between what they may read at one. */
static void undecided_pairs(struct chain *s)
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

/* Whether f4(f3(v2)) is right with 0, or with 1, in place of v2: then that shorter program is as good as any that ends so. f3 NONE: f4(v3) and v3. */
static bool ends_in_shorter(const struct chain *s, uint32_t f3, uint32_t f4)
{
    const struct every *const e = s->e;
    bool right = false;
    for (unsigned end = 0; end < 2 && !right; end++) {
        right = true;
        for (unsigned k = 0; k < AT && right; k++) {
            const struct quadratic *const f = &s->f[k * s->n];
            const double v = clamped(at(&f[f4], f3 == NONE ? end : clamped(at(&f[f3], end)))) - e->like_target[k];
            right = v < SAME && v > -SAME;
        }
        if (!right)
            continue;
        const struct every_step last = step_of(s, EVERY_OF_P, f4), first = f3 == NONE ? last : step_of(s, EVERY_OF_P, f3);
        for (unsigned k = AT; k < EVERY_SAMPLES && right; k++) {
            const double v = clamped(hwemit_i830_every_real(&last, e->like[k], f3 == NONE ? end : clamped(hwemit_i830_every_real(&first, e->like[k], end, 0)), 0)) - e->like_target[k];
            right = v < SAME && v > -SAME;
        }
    }
    return right;
}

static void all_pairs(struct chain *s)
{
    struct every *const e = s->e;
    for (uint32_t f4 = 0; f4 < s->n && !s->stop; f4++) {
        float lo[AT], hi[AT];
        bool is = true;
        for (unsigned i = 0; i < AT && is; i++)
            is = before(&s->f[i * s->n + f4], e->like_target[i], &lo[i], &hi[i]) && (double)s->lo[i * s->n + f4] < e->like_target[i] + 1e-4 &&
                 (double)s->hi[i * s->n + f4] > e->like_target[i] - 1e-4;
        if (!is || ends_in_shorter(s, NONE, f4))
            continue;
        e->work += s->n;
        for (uint32_t f3 = 0; f3 < s->n && !s->stop; f3++) {
            bool may = f4 != s->identity || f3 == s->identity;
            for (unsigned i = 0; i < AT && may; i++)
                may = s->lo[i * s->n + f3] < hi[i] && s->hi[i * s->n + f3] > lo[i];
            if (!may || ends_in_shorter(s, f3, f4))
                continue;
            enum every_end end = EVERY_MORE;
            for (unsigned k = 0; k < AT && end == EVERY_MORE; k++) {
                double need[4];
                unsigned n;
                end = needs(s, k, f3, f4, need, &n);
                for (unsigned m = 0; m < n && end == EVERY_SOME; m++) {
                    if (s->npairs == PAIRS)
                        first_stages(s);
                    s->pair[s->npairs] = (struct pair){f3, f4, s->list[k], need[m]};
                    s->list[k] = s->npairs++;
                }
            }
            if (end == EVERY_MORE) {
                s->stop |= s->nundecided == UNDECIDED;
                s->undecided[s->nundecided % UNDECIDED] = (struct pair){f3, f4, NONE, 0};
                s->nundecided++;
            }
        }
    }
    first_stages(s);
    if (s->nundecided && !s->stop)
        undecided_pairs(s);
}

enum every_end hwemit_i830_every_chain(struct every *e)
{
    uint8_t *const mark = e->end;
    struct chain *const s = hwemit_i830_every_lend(e, sizeof *s);
    enum every_end end = EVERY_GAVE_UP;
    if (!s)
        return end;
    memset(s, 0, sizeof *s);
    s->e = e, s->n = e->table[EVERY_OF_P].nfunctions, s->nleaves = e->table[EVERY_OF_LEAVES].nfunctions;
    s->f = hwemit_i830_every_lend(e, (size_t)AT * s->n * sizeof *s->f);
    s->lo = hwemit_i830_every_lend(e, (size_t)AT * s->n * sizeof *s->lo);
    s->hi = hwemit_i830_every_lend(e, (size_t)AT * s->n * sizeof *s->hi);
    s->v = hwemit_i830_every_lend(e, (size_t)AT * s->nleaves * sizeof *s->v);
    s->pair = hwemit_i830_every_lend(e, PAIRS * sizeof *s->pair);
    s->bucket = hwemit_i830_every_lend(e, PAIRS * sizeof *s->bucket);
    s->bit = hwemit_i830_every_lend(e, (sizeof *s->bit) << (SET_BITS - 6));
    if (s->f && s->lo && s->hi && s->v && s->pair && s->bucket && s->bit) {
        memset(s->bucket, 0xff, PAIRS * sizeof *s->bucket);
        memset(s->bit, 0, (sizeof *s->bit) << (SET_BITS - 6));
        memset(s->list, 0xff, sizeof s->list);
        prepare(s);
        all_pairs(s);
        end = s->stop ? EVERY_GAVE_UP : e->nfound ? EVERY_SOME : EVERY_NONE;
    }
    e->end = mark;
    return end;
}
