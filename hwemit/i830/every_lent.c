/* Programs of the colour pipe in which one stage reads a value that the alpha pipe makes in one stage: chains, at the special point.
 *
 * With u such a value, v of inputs, f what a stage makes of one value and g of two, the result is g(f(f(v)), u), f(g(f(v), u)), f(f(g(v, u))) or f(f(f(u))). As in every_search.c
 * no stage is constant near the point, where no shorter program is right; u may be, and be whatever is beyond its clamp there.
 *
 * Last stages are asked first what they can make of anything in [0,1] at samples, clamps included: where that is not what is needed, there is nothing to look for, and few are left. What
 * has to be f(v) then is kept until there is enough of it to look through all f(v). */
#include "hwemit/i830/every_chain.h"

#include <string.h>

enum { LENT = 4, PAIR_ROOM = 1 << 21, DEMANDS = 1 << 18, INDEX_BITS = 20, INPUT_BITS = 12, NEED_CELLS = 1 << 16 }; /* LENT: as the number of a stage */
#define ERROR 1e-10 /* that doubles may be off: less than a cell */

/* Numbers between 0 and 1, by cells. */
struct index { unsigned bits; uint32_t n, room, *head, *next; double *number; uint64_t *filter; };

/* Between which numbers something is at each sample. */
struct ranges { float lo[AT], hi[AT]; };

/* What f(v) has to be: of stage `stage`, which reads it. */
struct demand { uint32_t lent, f, g; uint8_t stage, both, flat, end; }; /* both: the stage that reads u; f: the other one after f(v) */

struct search {
    struct every *e;
    uint32_t np, nboth, nv, nlent;  /* functions; values of inputs that are between 0 and 1 */
    bool one_of_two;                /* of a value and its complement only one is tried: readers invert. Until something is found */
    uint32_t nfound;                /* before */
    uint32_t *lent;                 /* those that are tried */
    struct quadratic *p, *both;     /* functions of P; of P and W, W being u */
    uint32_t *v;
    struct index v_at;              /* v at the point */
    double *need;                   /* what the last stage needs, and its function */
    uint32_t *need_of, nneeds;
    uint8_t one_need[NEED_CELLS + 1]; /* where there are needs */
    struct ranges *makes;           /* a function of P, of anything */
    uint32_t *last, nlast;          /* functions that may be the last stage, as far as samples tell, and what they may read */
    struct ranges *last_reads;
    struct index pairs;             /* what f(f()) needs at the point */
    struct pair_of { uint32_t f3, f4; } *pair;
    struct index wanted;            /* what f(v) has to be */
    struct demand *demand;
    double (*both_at)[AT][3][3];    /* functions of P and W at samples */
    double (*lent_at)[AT];
    struct ranges *both_makes;      /* of anything and u: so many samples of each are there */
    uint8_t *nboth_makes;
    struct every_number u;
    struct every_program program;
    bool any_short, stop;
};

/* ---- numbers by cells ---- */

static uint32_t cell_of(const struct index *x, double v) { return (uint32_t)(v * (double)(UINT32_C(1) << x->bits)); }

static void empty(struct index *x)
{
    x->n = 0;
    memset(x->head, 0xff, (sizeof *x->head) << x->bits);
    memset(x->filter, 0, (sizeof *x->filter << x->bits) / 64);
}

static bool open_index(struct every *e, struct index *x, unsigned bits, uint32_t room)
{
    x->bits = bits, x->room = room;
    x->head = hwemit_i830_every_lend(e, (sizeof *x->head) << bits);
    x->next = hwemit_i830_every_lend(e, room * sizeof *x->next);
    x->number = hwemit_i830_every_lend(e, room * sizeof *x->number);
    x->filter = hwemit_i830_every_lend(e, (sizeof *x->filter << bits) / 64);
    if (!x->head || !x->next || !x->number || !x->filter)
        return false;
    empty(x);
    return true;
}

/* The number has the next place. False: there is no room. */
static bool put(struct index *x, double v)
{
    if (x->n == x->room)
        return false;
    const uint32_t c = cell_of(x, v);
    for (int side = -1; side < 2; side += 2) {
        const uint32_t i = cell_of(x, clamped(v + side * ERROR));
        x->filter[i >> 6] |= UINT64_C(1) << (i & 63);
    }
    x->number[x->n] = v;
    x->next[x->n] = x->head[c];
    x->head[c] = x->n++;
    return true;
}

static bool may_have(const struct index *x, double v)
{
    const uint32_t c = cell_of(x, v);
    return x->filter[c >> 6] >> (c & 63) & 1;
}

/* Places of the number, from one to the next: start with *cell 0 and place NONE, ends with NONE. */
static uint32_t next_place(const struct index *x, double v, unsigned *cell, uint32_t place)
{
    const uint32_t c[2] = {cell_of(x, clamped(v - ERROR)), cell_of(x, v + ERROR < 1 ? v + ERROR : v)};
    uint32_t i = place == NONE ? NONE : x->next[place];
    for (;;) {
        for (; i != NONE; i = x->next[i])
            if (near(x->number[i], v))
                return i;
        if (*cell == 2 || (*cell == 1 && c[0] == c[1]))
            return NONE;
        i = x->head[c[(*cell)++]];
    }
}

/* ---- programs ---- */

static void set_stage(struct search *s, unsigned stage, enum every_reads t, uint32_t i, unsigned p)
{
    struct every_program *const g = &s->program;
    g->function[stage] = i, g->table[stage] = (uint8_t)t, g->p[stage] = (uint8_t)p, g->w[stage] = LENT;
}

static bool reads_lent(const struct search *s, unsigned stage) { return s->program.table[stage] == EVERY_OF_BOTH || s->program.p[stage] == LENT; }

static void set_lent(struct search *s, uint32_t function)
{
    struct every *const e = s->e;
    const struct every_function *const f = &e->table[EVERY_OF_LENT].function[function];
    s->program.flat = s->program.end = 0;
    s->program.lent_function = function;
    s->u = (struct every_number){f->c[0][0], hwemit_i830_every_field(&f->step, e->leaf, EVERY_SPECIAL, 0, 0), 0};
}

static void set_flat(struct search *s, unsigned end)
{
    s->program.flat = EVERY_FLAT_LENT, s->program.end = (uint8_t)end;
    s->u = (struct every_number){end, end, 0};
}

/* u is constant near the point: all that it may be. */
static void hit_flat(struct search *s, unsigned stages)
{
    struct every *const e = s->e;
    const struct every_table *const lent = &e->table[EVERY_OF_LENT];
    const double end = s->program.end;
    s->any_short |= stages <= 2;
    for (uint32_t i = 0; i < lent->nfunctions && !e->too_many; i++) {
        const double v = lent->function[i].c[0][0];
        if (end > 0 ? v < 1 - TINY : v > TINY)
            continue;
        s->program.lent_function = i;
        e->work += 20;
        if (stages == 4 || e->all_apart)
            hwemit_i830_every_lift(e, &s->program);
        else
            s->any_short |= hwemit_i830_every_alike(e, &s->program);
    }
}

/* Stages from `first` on are there: whether they are right near the point, by the numbers modulo the prime; the programs of all inputs then. */
static void hit(struct search *s, unsigned first)
{
    struct every *const e = s->e;
    field v[5] = {0, 0, 0, 0, s->u.special};
    s->program.first = (uint8_t)first;
    for (unsigned k = first; k < 4; k++) {
        const struct every_function *const f = &e->table[s->program.table[k]].function[s->program.function[k]];
        if (f->step.from > k + 1 || (reads_lent(s, k) && e->table[EVERY_OF_LENT].function[s->program.lent_function].step.from > k))
            return;
        v[k] = hwemit_i830_every_field(&f->step, e->leaf, EVERY_SPECIAL, v[s->program.p[k]], v[LENT]);
    }
    if (v[3] != e->target.special)
        return;
    const unsigned n = 4 - first;
    if (s->program.flat) {
        hit_flat(s, n);
        s->stop |= e->too_many || (s->one_of_two && e->nfound > s->nfound);
        return;
    }
    s->any_short |= n <= 2 || (n == 3 && s->program.p[first] != LENT && !e->all_apart && hwemit_i830_every_alike(e, &s->program));
    if (n == 4 || e->all_apart || s->program.p[first] == LENT)
        hwemit_i830_every_lift(e, &s->program);
    s->stop |= e->tried >= e->most_tried || e->too_many || (s->one_of_two && e->nfound > s->nfound);
}

/* ---- what stages make, and may read, at samples ---- */

static void range_of(const struct quadratic *q, float *lo, float *hi)
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

static bool overlap(const struct ranges *a, const struct ranges *b)
{
    bool is = true;
    for (unsigned k = 0; k < AT && is; k++)
        is = a->lo[k] < b->hi[k] && a->hi[k] > b->lo[k];
    return is;
}

/* With W being u at sample k. */
static struct quadratic both_with(const struct search *s, uint32_t g, unsigned k)
{
    const double(*const c)[3] = (const double(*)[3])s->both_at[g][k];
    const double u = s->lent_at[s->program.lent_function][k];
    return (struct quadratic){(c[2][2] * u + c[2][1]) * u + c[2][0], (c[1][2] * u + c[1][1]) * u + c[1][0], (c[0][2] * u + c[0][1]) * u + c[0][0]};
}

/* Whether g(anything, u) may be within the ranges. Where u is constant near the point it is not known what it is at samples. */
static bool both_within(struct search *s, uint32_t g, const struct ranges *r)
{
    struct ranges *const makes = &s->both_makes[g];
    bool is = true;
    for (unsigned k = 0; k < AT && is && !s->program.flat; k++) {
        if (k == s->nboth_makes[g]) {
            const struct quadratic q = both_with(s, g, k);
            range_of(&q, &makes->lo[k], &makes->hi[k]);
            s->nboth_makes[g]++;
        }
        is = makes->lo[k] < r->hi[k] && makes->hi[k] > r->lo[k];
    }
    return is;
}

/* Whether g(anything, u) may be the result, and what it may read then. */
static bool both_may_end(struct search *s, uint32_t g, struct ranges *reads)
{
    bool is = true;
    for (unsigned k = 0; k < AT && is; k++) {
        const double t = s->e->like_target[k];
        reads->lo[k] = 0, reads->hi[k] = 1;
        if (s->program.flat)
            continue;
        const struct quadratic q = both_with(s, g, k);
        float lo, hi;
        range_of(&q, &lo, &hi);
        is = (double)lo < t + 1e-4 && (double)hi > t - 1e-4 && hwemit_i830_chain_before(&q, t, &reads->lo[k], &reads->hi[k]);
    }
    return is;
}

/* ---- all of them ---- */

/* All f(v) against what was wanted of them. */
static void flush(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES];
    for (uint32_t i = 0; i < s->np && s->wanted.n && !s->stop; i++) {
        const struct quadratic q = s->p[i];
        e->work += s->nv;
        for (uint32_t k = 0; k < s->nv && !s->stop; k++) {
            const double r = at(&q, leaves->function[s->v[k]].c[0][0]);
            if (!inside(r) || !may_have(&s->wanted, r))
                continue;
            unsigned cell = 0;
            for (uint32_t n = NONE; (n = next_place(&s->wanted, r, &cell, n)) != NONE && !s->stop;) {
                const struct demand *const d = &s->demand[n];
                if (d->flat)
                    set_flat(s, d->end);
                else
                    set_lent(s, d->lent);
                set_stage(s, d->stage - 2u, EVERY_OF_LEAVES, s->v[k], 0);
                set_stage(s, d->stage - 1u, EVERY_OF_P, i, d->stage - 2u);
                for (unsigned stage = d->stage; stage < 4; stage++)
                    set_stage(s, stage, stage == d->both ? EVERY_OF_BOTH : EVERY_OF_P, stage == d->both ? d->g : d->f, stage - 1);
                hit(s, d->stage - 2u);
            }
        }
    }
    empty(&s->wanted);
}

static void want(struct search *s, double r, unsigned stage, unsigned both, uint32_t g, uint32_t f)
{
    if (s->wanted.n == s->wanted.room) {
        const struct every_program as_it_is = s->program;
        const struct every_number u = s->u;
        flush(s);
        s->program = as_it_is;
        s->u = u;
    }
    s->demand[s->wanted.n] = (struct demand){s->program.lent_function, f, g, (uint8_t)stage, (uint8_t)both, s->program.flat, s->program.end};
    put(&s->wanted, r);
}

/* What f(f()) needs: from stage 2 on, after stage `from`, which makes r. */
static void before_pairs(struct search *s, double r, unsigned first)
{
    unsigned cell = 0;
    for (uint32_t n = NONE; (n = next_place(&s->pairs, r, &cell, n)) != NONE && !s->stop;) {
        set_stage(s, 2, EVERY_OF_P, s->pair[n].f3, 1);
        set_stage(s, 3, EVERY_OF_P, s->pair[n].f4, 2);
        hit(s, first);
    }
}

/* f(u), f(f(u)) and f(f(f(u))). */
static void of_lent_alone(struct search *s)
{
    for (uint32_t i = 0; i < s->np && !s->stop; i++) {
        const double v = at(&s->p[i], s->u.r);
        if (near(v, s->e->target.r)) {
            set_stage(s, 3, EVERY_OF_P, i, LENT);
            hit(s, 3);
        }
        if (!inside(v))
            continue;
        for (uint32_t k = 0; k < s->nneeds && s->one_need[(uint32_t)(v * NEED_CELLS)]; k++)
            if (near(s->need[k], v)) {
                set_stage(s, 2, EVERY_OF_P, i, LENT);
                set_stage(s, 3, EVERY_OF_P, s->need_of[k], 2);
                hit(s, 2);
            }
        set_stage(s, 1, EVERY_OF_P, i, LENT);
        if (may_have(&s->pairs, v))
            before_pairs(s, v, 1);
    }
    s->e->work += s->np;
}

/* Stage `stage`, which is there with those after it, reads r: of inputs, as the stage before. */
static void of_input(struct search *s, unsigned stage, double r)
{
    unsigned cell = 0;
    for (uint32_t n = NONE; (n = next_place(&s->v_at, r, &cell, n)) != NONE && !s->stop;) {
        set_stage(s, stage - 1, EVERY_OF_LEAVES, s->v[n], 0);
        hit(s, stage - 1);
    }
}

/* All but f(f(g(v, u))). */
static void but_sweep(struct search *s)
{
    struct every *const e = s->e;
    double third[2], second[2];
    struct ranges reads;
    if (!s->program.flat)
        of_lent_alone(s);
    for (uint32_t k = 0; k < s->nboth && !s->stop; k++) {
        e->work += 4 + s->nlast;
        const unsigned ends = solve(&s->both[k], e->target.r, third);
        for (unsigned n = 0; n < ends && !s->stop; n++) {
            set_stage(s, 3, EVERY_OF_BOTH, k, 2);
            of_input(s, 3, third[n]);
        }
        if (ends && both_may_end(s, k, &reads)) {
            for (unsigned n = 0; n < ends && !s->stop; n++)
                want(s, third[n], 3, 3, k, 0);
            e->work += s->np;
            for (uint32_t i = 0; i < s->np && !s->stop && !e->only_short; i++)
                if (overlap(&s->makes[i], &reads))
                    for (unsigned n = 0; n < ends; n++)
                        for (unsigned m = solve(&s->p[i], third[n], second); m-- > 0;)
                            want(s, second[m], 2, 3, k, i);
        }
        for (uint32_t i = 0; i < s->nlast && !s->stop; i++) {
            if (!both_within(s, k, &s->last_reads[i]))
                continue;
            for (unsigned ways = solve(&s->p[s->last[i]], e->target.r, third); ways-- > 0;)
                for (unsigned n = solve(&s->both[k], third[ways], second); n-- > 0 && !s->stop;) {
                    set_stage(s, 2, EVERY_OF_BOTH, k, 1);
                    set_stage(s, 3, EVERY_OF_P, s->last[i], 2);
                    of_input(s, 2, second[n]);
                    if (!e->only_short)
                        want(s, second[n], 2, 2, k, s->last[i]);
                }
        }
    }
}

/* f(f(g(v, u))). */
static void sweep(struct search *s)
{
    for (uint32_t k = 0; k < s->nboth && !s->stop && s->pairs.n; k++) {
        const struct quadratic q = s->both[k];
        s->e->work += s->nv;
        for (uint32_t i = 0; i < s->nv && !s->stop; i++) {
            const double r = at(&q, s->v_at.number[i]);
            if (!inside(r) || !may_have(&s->pairs, r))
                continue;
            set_stage(s, 0, EVERY_OF_LEAVES, s->v[i], 0);
            set_stage(s, 1, EVERY_OF_BOTH, k, 0);
            before_pairs(s, r, 0);
        }
    }
}

/* For all u, and u constant near the point. */
static void for_all(struct search *s, void (*with)(struct search *s))
{
    struct every *const e = s->e;
    const struct every_table *const both = &e->table[EVERY_OF_BOTH];
    for (uint32_t l = 0; l < s->nlent + 2 && !s->stop && e->work < e->most_work && (!s->any_short || e->only_short); l++) {
        if (l < s->nlent)
            set_lent(s, s->lent[l]);
        else
            set_flat(s, l - s->nlent);
        s->program.lent = true;
        const double u = s->u.r;
        for (uint32_t i = 0; i < s->nboth; i++) {
            const double(*const c)[3] = (const double(*)[3])both->function[i].c;
            s->both[i] = (struct quadratic){(c[2][2] * u + c[2][1]) * u + c[2][0], (c[1][2] * u + c[1][1]) * u + c[1][0], (c[0][2] * u + c[0][1]) * u + c[0][0]};
        }
        memset(s->nboth_makes, 0, s->nboth);
        with(s);
    }
}

static struct quadratic of_p_at(const struct search *s, uint32_t i, unsigned k)
{
    const struct every_step *const t = &s->e->table[EVERY_OF_P].function[i].step;
    const double zero = hwemit_i830_every_real(t, s->e->like[k], 0, 0), one = hwemit_i830_every_real(t, s->e->like[k], 1, 0), minus = hwemit_i830_every_real(t, s->e->like[k], -1, 0);
    return (struct quadratic){(one + minus) / 2 - zero, (one - minus) / 2, zero};
}

/* What functions of P and W are at samples: by their values where these are 0, 1, -1. */
static void both_at_samples(struct search *s)
{
    for (uint32_t i = 0; i < s->nboth; i++)
        for (unsigned k = 0; k < AT; k++) {
            const struct every_step *const t = &s->e->table[EVERY_OF_BOTH].function[i].step;
            double v[3][3], (*const c)[3] = s->both_at[i][k];
            for (int x = 0; x < 3; x++)
                for (int y = 0; y < 3; y++)
                    v[x][y] = hwemit_i830_every_real(t, s->e->like[k], x == 2 ? -1 : x, y == 2 ? -1 : y);
            for (int y = 0; y < 3; y++) {
                const double zero = v[0][y], one = v[1][y], minus = v[2][y];
                v[1][y] = (one - minus) / 2, v[2][y] = (one + minus) / 2 - zero;
            }
            for (int x = 0; x < 3; x++)
                c[x][0] = v[x][0], c[x][1] = (v[x][1] - v[x][2]) / 2, c[x][2] = (v[x][1] + v[x][2]) / 2 - v[x][0];
        }
}

/* Functions of P: what they are at the point, make at samples, and which may end. */
static void prepare_last(struct search *s)
{
    struct every *const e = s->e;
    double solution[2];
    for (uint32_t i = 0; i < s->np; i++) {
        const struct every_function *const f = &e->table[EVERY_OF_P].function[i];
        struct ranges *const reads = &s->last_reads[s->nlast];
        bool ends = true;
        s->p[i] = (struct quadratic){f->c[2][0], f->c[1][0], f->c[0][0]};
        const unsigned n = solve(&s->p[i], e->target.r, solution);
        for (unsigned m = 0; m < n; m++) {
            s->one_need[(uint32_t)((solution[m] - TINY) * NEED_CELLS)] = s->one_need[(uint32_t)((solution[m] + TINY) * NEED_CELLS)] = 1;
            s->need[s->nneeds] = solution[m], s->need_of[s->nneeds++] = i;
        }
        for (unsigned k = 0; k < AT; k++) {
            const struct quadratic q = of_p_at(s, i, k);
            const double t = e->like_target[k];
            range_of(&q, &s->makes[i].lo[k], &s->makes[i].hi[k]);
            ends = ends && (double)s->makes[i].lo[k] < t + 1e-4 && (double)s->makes[i].hi[k] > t - 1e-4 && hwemit_i830_chain_before(&q, t, &reads->lo[k], &reads->hi[k]);
        }
        if (ends && n)
            s->last[s->nlast++] = i;
    }
}

/* Numbers, by place, of the functions that are not constant near the point; if so wanted, of a function and its complement only the one that can be there first. How many. */
static uint32_t those_open(struct search *s, enum every_reads which, struct index *x, uint32_t *list)
{
    struct every *const e = s->e;
    const struct every_table *const t = &e->table[which];
    empty(x);
    for (unsigned from = 1; from <= I830_STAGES; from++)
        for (uint32_t i = 0; i < t->nfunctions; i++) {
            const double r = t->function[i].c[0][0];
            bool is_new = t->function[i].step.from == from && inside(r);
            unsigned cell = 0;
            for (uint32_t n = NONE; is_new && s->one_of_two && (n = next_place(x, 1 - r, &cell, n)) != NONE;)
                is_new = every_add(hwemit_i830_every_field(&t->function[i].step, e->leaf, EVERY_KIND, 0, 0), hwemit_i830_every_field(&t->function[list[n]].step, e->leaf, EVERY_KIND, 0, 0)) != 1;
            if (is_new) {
                list[x->n] = i;
                put(x, r);
            }
        }
    return x->n;
}

/* False: no room. */
static bool prepare(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES], *const lent = &e->table[EVERY_OF_LENT];
    double third[2], second[2];
    bool room = open_index(e, &s->v_at, INPUT_BITS, (leaves->nfunctions > lent->nfunctions ? leaves : lent)->nfunctions + 1) && open_index(e, &s->pairs, INDEX_BITS, PAIR_ROOM) &&
                open_index(e, &s->wanted, INDEX_BITS, DEMANDS);
    if (!room)
        return false;
    prepare_last(s);
    both_at_samples(s);
    for (uint32_t i = 0; i < lent->nfunctions; i++)
        for (unsigned k = 0; k < AT; k++)
            s->lent_at[i][k] = clamped(hwemit_i830_every_real(&lent->function[i].step, e->like[k], 0, 0));
    for (uint32_t m = 0; m < s->nlast; m++) {
        const unsigned ways = solve(&s->p[s->last[m]], e->target.r, third);
        for (uint32_t i = 0; i < s->np && room; i++)
            if (overlap(&s->makes[i], &s->last_reads[m]))
                for (unsigned w = 0; w < ways; w++)
                    for (unsigned n = solve(&s->p[i], third[w], second); n-- > 0 && room;) {
                        if (s->pairs.n < s->pairs.room)
                            s->pair[s->pairs.n] = (struct pair_of){i, s->last[m]};
                        room = put(&s->pairs, second[n]);
                    }
    }
    e->work += (uint64_t)s->nlast * s->np;
    return room;
}

static void try_all(struct search *s)
{
    s->nlent = those_open(s, EVERY_OF_LENT, &s->v_at, s->lent);
    s->nv = those_open(s, EVERY_OF_LEAVES, &s->v_at, s->v);
    empty(&s->wanted);
    for_all(s, but_sweep);
    flush(s);
    if (!s->e->only_short)
        for_all(s, sweep);
}

enum every_end hwemit_i830_every_lent(struct every *e)
{
    uint8_t *const mark = e->end;
    const uint32_t np = e->table[EVERY_OF_P].nfunctions, nboth = e->table[EVERY_OF_BOTH].nfunctions, nlent = e->table[EVERY_OF_LENT].nfunctions;
    struct search *const s = hwemit_i830_every_lend(e, sizeof *s);
    enum every_end end = EVERY_GAVE_UP;
    if (!s)
        return end;
    memset(s, 0, sizeof *s);
    s->e = e, s->np = np, s->nboth = nboth, s->nfound = e->nfound;
    s->p = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->p);
    s->both = hwemit_i830_every_lend(e, (nboth + 1) * sizeof *s->both);
    s->v = hwemit_i830_every_lend(e, (e->table[EVERY_OF_LEAVES].nfunctions + 1) * sizeof *s->v);
    s->need = hwemit_i830_every_lend(e, (2 * np + 1) * sizeof *s->need);
    s->need_of = hwemit_i830_every_lend(e, (2 * np + 1) * sizeof *s->need_of);
    s->makes = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->makes);
    s->last = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->last);
    s->last_reads = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->last_reads);
    s->pair = hwemit_i830_every_lend(e, PAIR_ROOM * sizeof *s->pair);
    s->demand = hwemit_i830_every_lend(e, DEMANDS * sizeof *s->demand);
    s->both_at = hwemit_i830_every_lend(e, (nboth + 1) * sizeof *s->both_at);
    s->lent_at = hwemit_i830_every_lend(e, (nlent + 1) * sizeof *s->lent_at);
    s->both_makes = hwemit_i830_every_lend(e, (nboth + 1) * sizeof *s->both_makes);
    s->nboth_makes = hwemit_i830_every_lend(e, nboth + 1);
    s->lent = hwemit_i830_every_lend(e, (nlent + 1) * sizeof *s->lent);
    if (s->p && s->both && s->v && s->need && s->need_of && s->makes && s->last && s->last_reads && s->pair && s->demand && s->both_at && s->lent_at && s->both_makes && s->nboth_makes &&
        s->lent && prepare(s)) {
        s->one_of_two = true;
        try_all(s);
        if (e->nfound > s->nfound) {
            while (e->nfound > s->nfound)
                e->asked[e->found[--e->nfound].slot] = 0;
            s->one_of_two = s->stop = e->too_many = false;
            try_all(s);
        }
        end = s->stop || e->work >= e->most_work ? EVERY_GAVE_UP : s->any_short ? EVERY_MORE : e->nfound ? EVERY_SOME : EVERY_NONE;
    }
    e->end = mark;
    return end;
}
