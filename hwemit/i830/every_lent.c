/* Programs of the colour pipe in which one stage reads a value that the alpha pipe makes in one stage: chains, at the special point.
 *
 * With u such a value, v of inputs, f what a stage makes of one value and g of two, the result is g(f(f(v)), u), f(g(f(v), u)), f(f(g(v, u))) or f(f(f(u))). As in every_search.c
 * no stage is constant near the point, where no shorter program is right; u may be, and be whatever is beyond its clamp there.
 *
 * Last stages are asked first what they can make of anything in [0,1] at samples, clamps included: where that is not what is needed, there is nothing to look for, and few are left. What
 * has to be f(v) then is looked up among all of these. */
#include "hwemit/i830/every_chain.h"
#include "hwemit/i830/every_index.h"

#include <string.h>

enum { LENT = 4, PAIR_ROOM = 1 << 20, INDEX_BITS = 20, INPUT_BITS = 12, NEED_CELLS = 1 << 16 }; /* LENT: as the number of a stage */

/* Between which numbers something is at each sample; the same of many. */
struct ranges { float lo[AT], hi[AT]; };
struct many_ranges { float *lo[AT], *hi[AT]; };

struct search {
    struct every *e;
    uint32_t np, nboth, nv, nlent;  /* functions; values of inputs that are between 0 and 1 */
    uint32_t *lent;                 /* functions of OF_LENT that are tried */
    struct quadratic *p, *both;     /* functions of P; of P and W, W being u */
    uint32_t *v;
    struct index v_at;              /* v at the point */
    double *need;                   /* what the last stage needs, and its function */
    uint32_t *need_of, nneeds;
    uint8_t one_need[NEED_CELLS + 1]; /* where there are needs */
    struct many_ranges makes;       /* a function of P, of anything */
    uint32_t *last, nlast;          /* functions that may be the last stage, as far as samples tell, and what they may read */
    struct many_ranges last_reads;
    uint32_t *some;                 /* numbers of some of them */
    struct index pairs;             /* what f(f()) needs at the point */
    struct pair_of { uint32_t f3, f4; } *pair;
    struct lookup two;              /* f(v) at the point, of the functions f from first_two to end_two */
    uint32_t first_two, end_two;
    int32_t *cell;                  /* of the filter */
    double (*both_at)[AT][3][3];    /* functions of P and W at samples */
    double (*lent_at)[AT];
    struct every_number u;
    struct every_program program;
    bool any_short, stop;
};

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
        s->stop |= e->too_many || hwemit_i830_every_is_enough(e);
        return;
    }
    s->any_short |= n <= 2 || (n == 3 && s->program.p[first] != LENT && !e->all_apart && hwemit_i830_every_alike(e, &s->program));
    if (n == 4 || e->all_apart || s->program.p[first] == LENT)
        hwemit_i830_every_lift(e, &s->program);
    s->stop |= e->tried >= e->most_tried || e->too_many || hwemit_i830_every_is_enough(e);
}

/* ---- what stages make, and may read, at samples ---- */

/* Of a list of n the first: those that overlap at sample k. How many. */
static uint32_t overlap_at(const struct many_ranges *m, unsigned k, float lo, float hi, uint32_t *list, uint32_t n)
{
    const float *const from = m->lo[k], *const to = m->hi[k];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t one = list[i];
        list[kept] = one;
        kept += (lo < to[one]) & (hi > from[one]);
    }
    return kept;
}

static uint32_t first_numbers(uint32_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        list[i] = i;
    return n;
}

/* Functions of P that may make what is in the ranges: into s->some. How many. */
static uint32_t those_making(struct search *s, const struct ranges *r)
{
    uint32_t n = first_numbers(s->some, s->np);
    for (unsigned k = 0; k < AT && n; k++)
        n = overlap_at(&s->makes, k, r->lo[k], r->hi[k], s->some, n);
    return n;
}

/* With W being u at sample k. */
static struct quadratic both_with(const struct search *s, uint32_t g, unsigned k)
{
    return with_w((const double(*)[3])s->both_at[g][k], s->lent_at[s->program.lent_function][k]);
}

/* Last stages that may read what g(anything, u) makes: into s->some. How many. Where u is constant near the point it is not known what it is at samples. */
static uint32_t last_after(struct search *s, uint32_t g)
{
    uint32_t n = first_numbers(s->some, s->nlast);
    for (unsigned k = 0; k < AT && n && !s->program.flat; k++) {
        const struct quadratic q = both_with(s, g, k);
        float lo, hi;
        range_of(&q, &lo, &hi);
        n = overlap_at(&s->last_reads, k, lo, hi, s->some, n);
    }
    return n;
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

/* Stage `stage`, which is there with those after it, reads r: f(v), of two stages before it. */
static void before(struct search *s, unsigned stage, double r)
{
    unsigned cell = 0;
    if (!lookup_may_have(&s->two, r))
        return;
    for (uint32_t n = NONE; (n = lookup_next(&s->two, r, &cell, n)) != NONE && !s->stop;) {
        const uint32_t what = s->two.number[n].what;
        set_stage(s, stage - 2, EVERY_OF_LEAVES, s->v[what % s->nv], 0);
        set_stage(s, stage - 1, EVERY_OF_P, s->first_two + what / s->nv, stage - 2);
        hit(s, stage - 2);
    }
}

/* What f(f()) needs: stages 2 and 3, after stages from `first` on, which make r. */
static void before_pairs(struct search *s, double r, unsigned first)
{
    unsigned cell = 0;
    for (uint32_t n = NONE; (n = index_next(&s->pairs, r, &cell, n)) != NONE && !s->stop;) {
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
        if (index_may_have(&s->pairs, v))
            before_pairs(s, v, 1);
    }
    s->e->work += s->np;
}

/* Stage `stage`, which is there with those after it, reads r: of inputs, as the stage before. */
static void of_input(struct search *s, unsigned stage, double r)
{
    unsigned cell = 0;
    for (uint32_t n = NONE; (n = index_next(&s->v_at, r, &cell, n)) != NONE && !s->stop;) {
        set_stage(s, stage - 1, EVERY_OF_LEAVES, s->v[n], 0);
        hit(s, stage - 1);
    }
}

/* f(u), f(f(u)), f(f(f(u))) and g(v, u). */
static void short_ones(struct search *s)
{
    double third[2];
    if (!s->program.flat)
        of_lent_alone(s);
    for (uint32_t k = 0; k < s->nboth && !s->stop; k++)
        for (unsigned n = solve(&s->both[k], s->e->target.r, third); n-- > 0 && !s->stop;) {
            set_stage(s, 3, EVERY_OF_BOTH, k, 2);
            of_input(s, 3, third[n]);
        }
    s->e->work += 4 * s->nboth;
}

/* f(g(v, u)) and g(f(v), u); not if only short ones are wanted, g(f(f(v)), u) and f(g(f(v), u)). */
static void of_two_stages(struct search *s)
{
    struct every *const e = s->e;
    double third[2], second[2];
    struct ranges reads;
    for (uint32_t k = 0; k < s->nboth && !s->stop; k++) {
        e->work += 4 + 4 * s->nlast;
        const unsigned ends = solve(&s->both[k], e->target.r, third);
        if (ends && both_may_end(s, k, &reads)) {
            for (unsigned n = 0; n < ends && !s->stop; n++) {
                set_stage(s, 3, EVERY_OF_BOTH, k, 2);
                before(s, 3, third[n]);
            }
            e->work += 10 * s->np;
            const uint32_t nsome = e->only_short ? 0 : those_making(s, &reads);
            for (uint32_t i = 0; i < nsome && !s->stop; i++)
                for (unsigned n = 0; n < ends; n++)
                    for (unsigned m = solve(&s->p[s->some[i]], third[n], second); m-- > 0 && !s->stop;) {
                        set_stage(s, 2, EVERY_OF_P, s->some[i], 1);
                        set_stage(s, 3, EVERY_OF_BOTH, k, 2);
                        before(s, 2, second[m]);
                    }
        }
        const uint32_t nsome = last_after(s, k);
        for (uint32_t i = 0; i < nsome && !s->stop; i++) {
            const uint32_t last = s->last[s->some[i]];
            for (unsigned ways = solve(&s->p[last], e->target.r, third); ways-- > 0;)
                for (unsigned n = solve(&s->both[k], third[ways], second); n-- > 0 && !s->stop;) {
                    set_stage(s, 2, EVERY_OF_BOTH, k, 1);
                    set_stage(s, 3, EVERY_OF_P, last, 2);
                    if (s->first_two == 0)
                        of_input(s, 2, second[n]);
                    if (!e->only_short)
                        before(s, 2, second[n]);
                }
        }
    }
}

/* f(f(g(v, u))). */
static void sweep(struct search *s)
{
    const uint32_t ncells = UINT32_C(1) << (s->pairs.bits + FILTER_BITS);
    const double *const v = s->v_at.number, cells = (double)ncells;
    int32_t *const restrict cell = s->cell;
    for (uint32_t k = 0; k < s->nboth && !s->stop && s->pairs.n; k++) {
        const double a = s->both[k].a * cells, b = s->both[k].b * cells, c = s->both[k].c * cells;
        s->e->work += 2 * s->nv;
        for (uint32_t i = 0; i < s->nv; i++)
            cell[i] = (int32_t)((a * v[i] + b) * v[i] + c); /* some dozens at most before it is scaled */
        for (uint32_t i = 0; i < s->nv && !s->stop; i++)
            if ((uint32_t)cell[i] < ncells && filter_has(&s->pairs, (uint32_t)cell[i])) {
                const double r = at(&s->both[k], v[i]);
                if (!inside(r))
                    continue;
                set_stage(s, 0, EVERY_OF_LEAVES, s->v[i], 0);
                set_stage(s, 1, EVERY_OF_BOTH, k, 0);
                before_pairs(s, r, 0);
            }
    }
}

static bool goes_on(const struct search *s) { return !s->stop && s->e->work < s->e->most_work && (!s->any_short || s->e->only_short); }

/* For all u, and u constant near the point. */
static void for_all(struct search *s, void (*with)(struct search *s))
{
    struct every *const e = s->e;
    const struct every_table *const both = &e->table[EVERY_OF_BOTH];
    for (uint32_t l = 0; l < s->nlent + 2 && goes_on(s); l++) {
        if (l < s->nlent)
            set_lent(s, s->lent[l]);
        else
            set_flat(s, l - s->nlent);
        s->program.lent = true;
        for (uint32_t i = 0; i < s->nboth; i++)
            s->both[i] = with_w((const double(*)[3])both->function[i].c, s->u.r);
        with(s);
    }
}

/* Functions of P: what they are at the point, make at samples, and which may end. */
static void prepare_last(struct search *s)
{
    struct every *const e = s->e;
    double solution[2];
    for (uint32_t i = 0; i < s->np; i++) {
        const struct every_function *const f = &e->table[EVERY_OF_P].function[i];
        bool ends = true;
        s->p[i] = (struct quadratic){f->c[2][0], f->c[1][0], f->c[0][0]};
        const unsigned n = solve(&s->p[i], e->target.r, solution);
        for (unsigned m = 0; m < n; m++) {
            s->one_need[(uint32_t)((solution[m] - TINY) * NEED_CELLS)] = s->one_need[(uint32_t)((solution[m] + TINY) * NEED_CELLS)] = 1;
            s->need[s->nneeds] = solution[m], s->need_of[s->nneeds++] = i;
        }
        for (unsigned k = 0; k < AT; k++) {
            const struct quadratic q = of_p_at(e, &f->step, k);
            const double t = e->like_target[k];
            range_of(&q, &s->makes.lo[k][i], &s->makes.hi[k][i]);
            ends = ends && (double)s->makes.lo[k][i] < t + 1e-4 && (double)s->makes.hi[k][i] > t - 1e-4 &&
                   hwemit_i830_chain_before(&q, t, &s->last_reads.lo[k][s->nlast], &s->last_reads.hi[k][s->nlast]);
        }
        if (ends && n)
            s->last[s->nlast++] = i;
    }
}

/* Numbers, by place, of the functions that are not constant near the point. How many. */
static uint32_t those_open(struct search *s, enum every_reads which, struct index *x, uint32_t *list)
{
    const struct every_table *const t = &s->e->table[which];
    index_clear(x);
    for (uint32_t i = 0; i < t->nfunctions; i++)
        if (inside(t->function[i].c[0][0]) && !(s->e->one_of_two && t->function[i].spare)) {
            list[x->n] = i;
            index_put(x, t->function[i].c[0][0]);
        }
    return x->n;
}

/* False: no room. */
static bool prepare(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES], *const lent = &e->table[EVERY_OF_LENT];
    double third[2], second[2];
    bool room = index_open(e, &s->v_at, INPUT_BITS, (leaves->nfunctions > lent->nfunctions ? leaves : lent)->nfunctions + 1) && index_open(e, &s->pairs, INDEX_BITS, PAIR_ROOM);
    if (!room)
        return false;
    prepare_last(s);
    for (uint32_t i = 0; i < s->nboth; i++)
        for (unsigned k = 0; k < AT; k++)
            hwemit_i830_every_polynomial(&e->table[EVERY_OF_BOTH].function[i].step, e->like[k], s->both_at[i][k]);
    for (uint32_t i = 0; i < lent->nfunctions; i++)
        for (unsigned k = 0; k < AT; k++)
            s->lent_at[i][k] = clamped(hwemit_i830_every_real(&lent->function[i].step, e->like[k], 0, 0));
    for (uint32_t m = 0; m < s->nlast; m++) {
        const unsigned ways = solve(&s->p[s->last[m]], e->target.r, third);
        struct ranges reads;
        for (unsigned k = 0; k < AT; k++)
            reads.lo[k] = s->last_reads.lo[k][m], reads.hi[k] = s->last_reads.hi[k][m];
        const uint32_t nsome = those_making(s, &reads);
        for (uint32_t i = 0; i < nsome && room; i++)
            for (unsigned w = 0; w < ways; w++)
                for (unsigned n = solve(&s->p[s->some[i]], third[w], second); n-- > 0 && room;) {
                    if (s->pairs.n < s->pairs.room)
                        s->pair[s->pairs.n] = (struct pair_of){s->some[i], s->last[m]};
                    room = index_put(&s->pairs, second[n]);
                }
    }
    e->work += (uint64_t)s->nlast * s->np;
    return room;
}

static void try_all(struct search *s)
{
    struct every *const e = s->e;
    s->nlent = those_open(s, EVERY_OF_LENT, &s->v_at, s->lent);
    s->nv = those_open(s, EVERY_OF_LEAVES, &s->v_at, s->v);
    for_all(s, short_ones);
    for (s->first_two = 0; s->first_two < s->np && goes_on(s); s->first_two = s->end_two) { /* as many functions as there is room for */
        lookup_clear(&s->two);
        for (s->end_two = s->first_two; s->end_two < s->np && s->two.n + s->nv <= LOOKUP_ROOM; s->end_two++)
            for (uint32_t i = 0; i < s->nv; i++) {
                const double r = at(&s->p[s->end_two], s->v_at.number[i]);
                if (inside(r))
                    lookup_put(&s->two, r, (s->end_two - s->first_two) * s->nv + i);
            }
        e->work += 30 * (uint64_t)s->two.n;
        for_all(s, of_two_stages);
    }
    if (!e->only_short)
        for_all(s, sweep);
}

/* False: there is too little memory. */
static bool open_ranges(struct every *e, struct many_ranges *m, uint32_t n)
{
    bool room = true;
    for (unsigned k = 0; k < AT && room; k++) {
        m->lo[k] = hwemit_i830_every_lend(e, (n + 1) * sizeof *m->lo[k]);
        m->hi[k] = hwemit_i830_every_lend(e, (n + 1) * sizeof *m->hi[k]);
        room = m->lo[k] && m->hi[k];
    }
    return room;
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
    s->e = e, s->np = np, s->nboth = nboth;
    s->p = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->p);
    s->both = hwemit_i830_every_lend(e, (nboth + 1) * sizeof *s->both);
    s->v = hwemit_i830_every_lend(e, (e->table[EVERY_OF_LEAVES].nfunctions + 1) * sizeof *s->v);
    s->need = hwemit_i830_every_lend(e, (2 * np + 1) * sizeof *s->need);
    s->need_of = hwemit_i830_every_lend(e, (2 * np + 1) * sizeof *s->need_of);
    s->last = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->last);
    s->some = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->some);
    s->pair = hwemit_i830_every_lend(e, PAIR_ROOM * sizeof *s->pair);
    s->cell = hwemit_i830_every_lend(e, (e->table[EVERY_OF_LEAVES].nfunctions + 1) * sizeof *s->cell);
    s->both_at = hwemit_i830_every_lend(e, (nboth + 1) * sizeof *s->both_at);
    s->lent_at = hwemit_i830_every_lend(e, (nlent + 1) * sizeof *s->lent_at);
    s->lent = hwemit_i830_every_lend(e, (nlent + 1) * sizeof *s->lent);
    if (s->p && s->both && s->v && s->need && s->need_of && s->last && s->some && s->pair && s->cell && s->both_at && s->lent_at && s->lent &&
        open_ranges(e, &s->makes, np) && open_ranges(e, &s->last_reads, np) && lookup_open(e, &s->two) && prepare(s)) {
        hwemit_i830_every_one_of_two(e);
        try_all(s);
        if (hwemit_i830_every_all_after(e)) {
            s->stop = false;
            try_all(s);
        }
        end = s->stop || e->work >= e->most_work ? EVERY_GAVE_UP : s->any_short ? EVERY_MORE : e->nfound ? EVERY_SOME : EVERY_NONE;
    }
    e->end = mark;
    return end;
}
