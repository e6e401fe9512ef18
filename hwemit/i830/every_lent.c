/* Programs of the colour pipe in which one stage reads a value that the alpha pipe makes in one stage: chains, at the special point.
 *
 * With u such a value, v of inputs, f what a stage makes of one value and g of two, the result is g(f(f(v)), u), f(g(f(v), u)), f(f(g(v, u))) or f(f(f(u))). What two stages make, f(v),
 * is looked up among what the last two, or one, need. As in every_search.c no stage is constant near the point, where no shorter program is right; u may be, and be whatever is beyond
 * its clamp there. */
#include "hwemit/i830/every.h"
#include "hwemit/i830/quadratic.h"

#include <string.h>

enum { LENT = 4, NEED_CELLS = 1 << 16, FILTER_BITS = 23, MOST_BITS = 23 }; /* LENT: as the number of a stage */
#define ERROR 1e-10 /* that doubles may be off: less than a cell */

/* Numbers between 0 and 1, each with another number: a cell of 2^-30 in the upper half, that number + 1 in the lower. */
struct lookup { uint64_t *slot; unsigned bits; uint32_t n; uint64_t *filter; /* few bits of each cell: most numbers are not there */ };

struct search {
    struct every *e;
    uint32_t np, nboth, nv;         /* functions; values of inputs that are between 0 and 1 */
    struct quadratic *p, *both;     /* functions of P; of P and W, W being u */
    uint32_t *v;
    double *need;                   /* what the last stage needs, and its function */
    uint32_t *need_of, nneeds;
    uint8_t one_need[NEED_CELLS + 1]; /* where there are needs */
    struct lookup two, last_two;    /* f(v); what f(f()) needs */
    struct every_number u;
    struct every_program program;
    bool any_short, stop;
};


static bool open_lookup(struct every *e, struct lookup *l, unsigned bits)
{
    l->bits = bits;
    l->n = 0;
    l->slot = hwemit_i830_every_lend(e, (sizeof *l->slot) << bits);
    l->filter = hwemit_i830_every_lend(e, sizeof *l->filter << (FILTER_BITS - 6));
    if (!l->slot || !l->filter)
        return false;
    memset(l->slot, 0, (sizeof *l->slot) << bits);
    memset(l->filter, 0, sizeof *l->filter << (FILTER_BITS - 6));
    return true;
}

static bool may_have(const struct lookup *l, uint32_t cell) { return l->filter[cell >> (30 - FILTER_BITS + 6)] >> (cell >> (30 - FILTER_BITS) & 63) & 1; }

static uint32_t first_slot(const struct lookup *l, uint32_t cell) { return (cell * 2654435769u) >> (32 - l->bits); }

static bool put(struct lookup *l, double v, uint32_t what)
{
    const uint32_t cell[2] = {(uint32_t)((v - ERROR) * 1073741824), (uint32_t)((v + ERROR) * 1073741824)};
    for (unsigned side = 0; side < (cell[0] == cell[1] ? 1u : 2u); side++) {
        uint32_t i = first_slot(l, cell[side]);
        l->filter[cell[side] >> (30 - FILTER_BITS + 6)] |= UINT64_C(1) << (cell[side] >> (30 - FILTER_BITS) & 63);
        while (l->slot[i])
            i = (i + 1) & ((UINT32_C(1) << l->bits) - 1);
        l->slot[i] = (uint64_t)cell[side] << 32 | (what + 1);
        if (++l->n > (UINT32_C(3) << l->bits) / 4)
            return false;
    }
    return true;
}

/* The next entry of the cell from slot *i on; UINT32_MAX: there is none. */
static uint32_t next_entry(const struct lookup *l, uint32_t cell, uint32_t *i)
{
    for (; l->slot[*i]; *i = (*i + 1) & ((UINT32_C(1) << l->bits) - 1))
        if (l->slot[*i] >> 32 == cell) {
            const uint32_t what = (uint32_t)l->slot[*i] - 1;
            *i = (*i + 1) & ((UINT32_C(1) << l->bits) - 1);
            return what;
        }
    return UINT32_MAX;
}

static void set_stage(struct search *s, unsigned stage, enum every_reads t, uint32_t i, unsigned p)
{
    struct every_program *const g = &s->program;
    g->function[stage] = i, g->table[stage] = (uint8_t)t, g->p[stage] = (uint8_t)p, g->w[stage] = LENT;
}

static bool reads_lent(const struct search *s, unsigned stage) { return s->program.table[stage] == EVERY_OF_BOTH || s->program.p[stage] == LENT; }

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
        s->stop |= e->too_many;
        return;
    }
    s->any_short |= n <= 2 || (n == 3 && s->program.p[first] != LENT && !e->all_apart && hwemit_i830_every_alike(e, &s->program));
    if (n == 4 || e->all_apart || s->program.p[first] == LENT)
        hwemit_i830_every_lift(e, &s->program);
    s->stop |= e->tried >= e->most_tried || e->too_many;
}

/* f(f(u)) and f(f(f(u))), from what u is on. */
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
        for (uint32_t k = 0; k < s->nneeds; k++)
            if (near(s->need[k], v)) {
                set_stage(s, 2, EVERY_OF_P, i, LENT);
                set_stage(s, 3, EVERY_OF_P, s->need_of[k], 2);
                hit(s, 2);
            }
        const uint32_t cell = (uint32_t)(v * 1073741824);
        uint32_t slot = first_slot(&s->last_two, cell), what;
        while ((what = next_entry(&s->last_two, cell, &slot)) != UINT32_MAX && !s->stop) {
            set_stage(s, 1, EVERY_OF_P, i, LENT);
            set_stage(s, 2, EVERY_OF_P, what / s->nneeds, 1);
            set_stage(s, 3, EVERY_OF_P, s->need_of[what % s->nneeds], 2);
            hit(s, 1);
        }
    }
}

/* g(v, u) as the second, third or fourth stage, v of inputs. */
static void of_inputs(struct search *s)
{
    const struct every_table *const leaves = &s->e->table[EVERY_OF_LEAVES];
    for (uint32_t i = 0; i < s->nv && !s->stop; i++) {
        const double v = leaves->function[s->v[i]].c[0][0];
        s->e->work += s->nboth;
        for (uint32_t k = 0; k < s->nboth && !s->stop; k++) {
            const double r = at(&s->both[k], v);
            if (near(r, s->e->target.r)) {
                set_stage(s, 2, EVERY_OF_LEAVES, s->v[i], 0);
                set_stage(s, 3, EVERY_OF_BOTH, k, 2);
                hit(s, 2);
            }
            if (!inside(r))
                continue;
            const uint32_t cell = (uint32_t)(r * 1073741824);
            uint32_t slot = first_slot(&s->last_two, cell), what;
            while (may_have(&s->last_two, cell) && (what = next_entry(&s->last_two, cell, &slot)) != UINT32_MAX && !s->stop) {
                set_stage(s, 0, EVERY_OF_LEAVES, s->v[i], 0);
                set_stage(s, 1, EVERY_OF_BOTH, k, 0);
                set_stage(s, 2, EVERY_OF_P, what / s->nneeds, 1);
                set_stage(s, 3, EVERY_OF_P, s->need_of[what % s->nneeds], 2);
                hit(s, 0);
            }
            if (s->one_need[(uint32_t)(r * NEED_CELLS)])
                for (uint32_t m = 0; m < s->nneeds && !s->stop; m++)
                    if (near(s->need[m], r)) {
                        set_stage(s, 1, EVERY_OF_LEAVES, s->v[i], 0);
                        set_stage(s, 2, EVERY_OF_BOTH, k, 1);
                        set_stage(s, 3, EVERY_OF_P, s->need_of[m], 2);
                        hit(s, 1);
                    }
        }
    }
}

/* Of stage `stage`, which is there with those after it, what it reads has to be r: f(v), in two stages before it. */
static void before(struct search *s, unsigned stage, double r)
{
    const uint32_t cell = (uint32_t)(r * 1073741824);
    uint32_t slot = first_slot(&s->two, cell), what;
    while (may_have(&s->two, cell) && (what = next_entry(&s->two, cell, &slot)) != UINT32_MAX && !s->stop) {
        set_stage(s, stage - 2, EVERY_OF_LEAVES, s->v[what / s->np], 0);
        set_stage(s, stage - 1, EVERY_OF_P, what % s->np, stage - 2);
        hit(s, stage - 2);
    }
}

/* g(f(v), u) as the third stage, and as the last one; and g(f(f(v)), u). */
static void of_two_stages(struct search *s)
{
    struct every *const e = s->e;
    double third[2], second[2];
    for (uint32_t k = 0; k < s->nboth && !s->stop; k++) {
        e->work += s->nneeds + s->np;
        for (uint32_t m = 0; m < s->nneeds && !s->stop; m++)
            for (unsigned n = solve(&s->both[k], s->need[m], second); n-- > 0 && !s->stop;) {
                set_stage(s, 2, EVERY_OF_BOTH, k, 1);
                set_stage(s, 3, EVERY_OF_P, s->need_of[m], 2);
                before(s, 2, second[n]);
            }
        for (unsigned n = solve(&s->both[k], e->target.r, third); n-- > 0 && !s->stop;) {
            set_stage(s, 3, EVERY_OF_BOTH, k, 2);
            before(s, 3, third[n]);
            for (uint32_t i = 0; i < s->np && !s->stop; i++)
                for (unsigned m = solve(&s->p[i], third[n], second); m-- > 0 && !s->stop;) {
                    set_stage(s, 2, EVERY_OF_P, i, 1);
                    set_stage(s, 3, EVERY_OF_BOTH, k, 2);
                    before(s, 2, second[m]);
                }
        }
    }
}

static void with_u(struct search *s, struct every_number u)
{
    const struct every_table *const both = &s->e->table[EVERY_OF_BOTH];
    s->u = u;
    s->program.lent = true;
    for (uint32_t i = 0; i < s->nboth; i++) {
        const double(*const c)[3] = (const double(*)[3])both->function[i].c;
        s->both[i] = (struct quadratic){(c[2][2] * u.r + c[2][1]) * u.r + c[2][0], (c[1][2] * u.r + c[1][1]) * u.r + c[1][0], (c[0][2] * u.r + c[0][1]) * u.r + c[0][0]};
    }
    if (!s->program.flat)
        of_lent_alone(s);
    of_inputs(s);
    of_two_stages(s);
}

static void with_lent(struct search *s, uint32_t function)
{
    struct every *const e = s->e;
    const struct every_function *const f = &e->table[EVERY_OF_LENT].function[function];
    s->program.lent_function = function;
    if (inside(f->c[0][0]))
        with_u(s, (struct every_number){f->c[0][0], hwemit_i830_every_field(&f->step, e->leaf, EVERY_SPECIAL, 0, 0), 0});
}

/* Of a lookup for so many. */
static unsigned bits_for(uint64_t n, unsigned most)
{
    unsigned bits = 12;
    while (bits < most && (UINT64_C(3) << bits) / 4 < n + n / 16)
        bits++;
    return bits;
}

static bool prepare(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const of_p = &e->table[EVERY_OF_P], *const leaves = &e->table[EVERY_OF_LEAVES];
    double solution[2];
    for (uint32_t i = 0; i < s->np; i++) {
        const struct every_function *const f = &of_p->function[i];
        s->p[i] = (struct quadratic){f->c[2][0], f->c[1][0], f->c[0][0]};
        for (unsigned n = solve(&s->p[i], e->target.r, solution); n-- > 0;) {
            s->one_need[(uint32_t)((solution[n] - TINY) * NEED_CELLS)] = s->one_need[(uint32_t)((solution[n] + TINY) * NEED_CELLS)] = 1;
            s->need[s->nneeds] = solution[n], s->need_of[s->nneeds++] = i;
        }
    }
    for (uint32_t i = 0; i < leaves->nfunctions; i++)
        if (inside(leaves->function[i].c[0][0]))
            s->v[s->nv++] = i;
    bool room = open_lookup(e, &s->two, bits_for((uint64_t)s->nv * s->np, MOST_BITS)) && open_lookup(e, &s->last_two, bits_for((uint64_t)s->nneeds * s->np, MOST_BITS - 1));
    for (uint32_t i = 0; i < s->np && room; i++)
        for (uint32_t k = 0; k < s->nneeds && room; k++)
            for (unsigned n = solve(&s->p[i], s->need[k], solution); n-- > 0 && room;)
                room = put(&s->last_two, solution[n], i * s->nneeds + k);
    for (uint32_t i = 0; i < s->nv && room; i++)
        for (uint32_t k = 0; k < s->np && room; k++) {
            const double v = at(&s->p[k], leaves->function[s->v[i]].c[0][0]);
            if (inside(v))
                room = put(&s->two, v, i * s->np + k);
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
    if (s->p && s->both && s->v && s->need && s->need_of && prepare(s)) {
        for (uint32_t i = 0; i < nlent && !s->stop && e->work < e->most_work && (!s->any_short || e->all_apart); i++)
            with_lent(s, i);
        for (unsigned u = 0; u < 2 && !s->stop && e->work < e->most_work && (!s->any_short || e->all_apart); u++) {
            s->program.flat = EVERY_FLAT_LENT, s->program.end = (uint8_t)u;
            with_u(s, (struct every_number){u, u, 0});
        }
        end = s->stop || e->work >= e->most_work ? EVERY_GAVE_UP : s->any_short && !e->nfound ? EVERY_MORE : e->nfound ? EVERY_SOME : EVERY_NONE;
    }
    e->end = mark;
    return end;
}
