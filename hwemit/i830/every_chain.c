/* All programs in which each stage reads the one before: f4(f3(f2(v1))), v1 of inputs.
 *
 * At samples of the inputs, clamps included. What f4 and f3 need is asked first: at each sample the result has to be within what f3 and f4 can make of numbers in [0,1], and
 * few pairs are left. At one sample where neither clamp bites, such a pair says what f2(v1) has to be: with that all f2 and v1 are looked through. */
#include "hwemit/i830/every_chain.h"

#include <string.h>

enum { SET_BITS = 22, PAIRS = 1 << 18 };

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
            const struct quadratic q = of_p_at(e, &t, k);
            s->f[k * s->n + i] = q;
            range_of(&q, &s->lo[k * s->n + i], &s->hi[k * s->n + i]);
        }
    }
    for (uint32_t i = 0; i < s->nleaves; i++) {
        const struct every_step t = step_of(s, EVERY_OF_LEAVES, i);
        for (unsigned k = 0; k < AT; k++)
            s->v[k * s->nleaves + i] = clamped(hwemit_i830_every_real(&t, e->like[k], 0, 0));
    }
}

bool hwemit_i830_chain_before(const struct quadratic *q, double v, float *lo, float *hi)
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

void hwemit_i830_chain_found(struct chain *s, uint32_t v1, uint32_t f2, uint32_t f3, uint32_t f4)
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
    hwemit_i830_every_pass(e, &p);
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
                        hwemit_i830_chain_found(s, j, i, s->pair[p].f3, s->pair[p].f4);
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

/* The same at all samples, those among them that were learnt. */
static bool is_right_with(const struct chain *s, uint32_t f3, uint32_t f4, unsigned end)
{
    struct every_program p;
    memset(&p, 0, sizeof p);
    p.first = f3 == NONE ? 3 : 2;
    p.step[2] = step_of(s, EVERY_OF_P, f3 == NONE ? f4 : f3);
    p.step[3] = step_of(s, EVERY_OF_P, f4);
    p.p[3] = 2;
    for (unsigned i = 0; i < 3; i++) {
        uint8_t *const arg = &p.step[p.first].arg[i];
        if ((*arg & ~1u) == EVERY_P)
            *arg = (uint8_t)((*arg & 1) ^ end);
    }
    return hwemit_i830_every_right(s->e, &p);
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
        right = right && is_right_with(s, f3, f4, end);
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
            is = hwemit_i830_chain_before(&s->f[i * s->n + f4], e->like_target[i], &lo[i], &hi[i]) && (double)s->lo[i * s->n + f4] < e->like_target[i] + 1e-4 &&
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
        hwemit_i830_chain_undecided(s);
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
