/* All programs of four stages at one point.
 *
 * With v1, v2, v3 what the first three stages make, v1 is of inputs, v2 of inputs and v1, v3 of two of the live values, the result of v3 and one of v1 and v2, which
 * CURRENT and ACCUM hold. For each v1 and v2, what v3 may be is looked up among what the result needs. Doubles say what to look at, the prime decides.
 * A stage whose clamp bites near the point is constant there: then the others make the result, and where no program of two stages does, only one can be like that; it may be
 * whatever is beyond its clamp there. A stage that nothing there depends on could be left out: then a program of three stages is right at all samples of the special kind. */
#include "hwemit/i830/every.h"
#include "hwemit/i830/quadratic.h"

#include <string.h>

enum { SET_BITS = 22, CELLS = 1 << 15 };
/* Numbers between 0 and 1. */
struct set { uint64_t bit[1 << (SET_BITS - 6)]; uint32_t cell[CELLS], n; bool full; };

struct search {
    struct every *e;
    struct set need, need_here, made, flat_need; /* what v3 has to be, W being none or v1; the same, W being v2; what it can be without v2; what v2 has to be if v3 is 0 or 1 */
    struct quadratic *p, *both, *both_here; /* functions of P; of P and W, W being v1; W being v2 */
    double *row;
    uint32_t np, nboth;
    struct every_program program;
    struct every_number v1, v2;
    bool any_short, stop;
};

static uint32_t cell_of(double v) { return (uint32_t)(v * (1 << SET_BITS)) & ((1u << SET_BITS) - 1); }
static bool has(const struct set *s, double v)
{
    const uint32_t i = cell_of(v);
    return s->bit[i >> 6] >> (i & 63) & 1;
}
static void put(struct set *s, double v)
{
    for (int side = -1; side < 2; side += 2) {
        const double x = v + side * TINY;
        const uint32_t i = cell_of(x < 0 ? 0 : x > 1 ? 1 : x);
        if (s->bit[i >> 6] >> (i & 63) & 1)
            continue;
        if (s->n == CELLS) {
            s->full = true;
            return;
        }
        s->bit[i >> 6] |= UINT64_C(1) << (i & 63);
        s->cell[s->n++] = i;
    }
}
static void keep(struct set *s, uint32_t n)
{
    while (s->n > n) {
        const uint32_t i = s->cell[--s->n];
        s->bit[i >> 6] &= ~(UINT64_C(1) << (i & 63));
    }
}

/* All functions of P and W with a W. */
static void all_with_w(const struct search *s, struct quadratic *out, double w)
{
    const struct every_table *const t = &s->e->table[EVERY_OF_BOTH];
    for (uint32_t i = 0; i < t->nfunctions; i++)
        out[i] = with_w((const double(*)[3])t->function[i].c, w);
}

static const struct every_function *function(const struct search *s, enum every_reads t, uint32_t i) { return &s->e->table[t].function[i]; }

static field field_at(const struct search *s, enum every_reads t, uint32_t i, field p, field w)
{
    return hwemit_i830_every_field(&function(s, t, i)->step, s->e->leaf, EVERY_SPECIAL, p, w);
}

static void set_stage(struct search *s, unsigned stage, enum every_reads t, uint32_t i, unsigned p, unsigned w)
{
    struct every_program *const g = &s->program;
    g->function[stage] = i, g->table[stage] = (uint8_t)t, g->p[stage] = (uint8_t)p, g->w[stage] = (uint8_t)w;
}

/* v1 and v2 are of inputs, and found the other way round, too. */
static bool turns(const struct search *s)
{
    return s->program.table[1] == EVERY_OF_LEAVES && function(s, EVERY_OF_LEAVES, s->program.function[1])->step.from <= 1;
}

/* Of it and its complement the other one is tried. */
static bool is_spare(const struct search *s, enum every_reads t, uint32_t i) { return s->e->one_of_two && function(s, t, i)->spare; }

static bool is_beyond(double v, unsigned end) { return end ? v > 1 - TINY : v < TINY; }

/* All functions that the stage whose clamp bites may be. */
static void lift_flat(struct search *s)
{
    struct every *const e = s->e;
    struct every_program *const g = &s->program;
    const unsigned stage = g->flat - 1u;
    const struct every_program as_it_is = *g;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES];
    for (uint32_t i = 0; i < leaves->nfunctions && !e->too_many; i++)
        if (is_beyond(leaves->function[i].c[0][0], g->end) && leaves->function[i].step.from <= stage + 1) {
            set_stage(s, stage, EVERY_OF_LEAVES, i, 0, 0);
            hwemit_i830_every_lift(e, g);
        }
    for (unsigned p = 0; p < stage; p++)
        for (uint32_t i = 0; i < s->np && !e->too_many; i++)
            if (is_beyond(at(&s->p[i], p ? s->v2.r : s->v1.r), g->end) && function(s, EVERY_OF_P, i)->step.from <= stage + 1) {
                set_stage(s, stage, EVERY_OF_P, i, p, 0);
                hwemit_i830_every_lift(e, g);
            }
    for (uint32_t i = 0; i < s->nboth && stage == 2 && !e->too_many; i++)
        if (is_beyond(at(&s->both[i], s->v2.r), g->end) && function(s, EVERY_OF_BOTH, i)->step.from <= stage + 1) {
            set_stage(s, stage, EVERY_OF_BOTH, i, 1, 0);
            hwemit_i830_every_lift(e, g);
        }
    *g = as_it_is;
}

/* The program is right near the point. */
static void hit(struct search *s, unsigned first)
{
    struct every *const e = s->e;
    s->program.first = (uint8_t)first;
    if (first >= 2) /* two stages more may do nothing near the point */
        s->any_short = true;
    if (first > 0 && !e->all_apart)
        s->any_short |= hwemit_i830_every_alike(e, &s->program);
    else if (first > 0 || !s->program.flat)
        hwemit_i830_every_lift(e, &s->program);
    else
        lift_flat(s);
    s->stop = e->tried >= e->most_tried || e->too_many || hwemit_i830_every_is_enough(e);
}

/* Stages before the last one are there, from `first` on, and the last but one makes r and f: all last ones. */
static void finish(struct search *s, unsigned first, double r, field f)
{
    struct every *const e = s->e;
    const double t = e->target.r;
    for (uint32_t i = 0; i < s->np && !s->stop; i++)
        if (near(at(&s->p[i], r), t) && field_at(s, EVERY_OF_P, i, f, 0) == e->target.special) {
            set_stage(s, 3, EVERY_OF_P, i, 2, 0);
            hit(s, first);
        }
    for (unsigned w = 0; w < 2 && e->accum && first < 2; w++) {
        if (w == 1 && (first || turns(s)))
            continue;
        const struct quadratic *const q = w ? s->both_here : s->both;
        for (uint32_t i = 0; i < s->nboth && !s->stop; i++)
            if (near(at(&q[i], r), t) && field_at(s, EVERY_OF_BOTH, i, f, w ? s->v2.special : s->v1.special) == e->target.special) {
                set_stage(s, 3, EVERY_OF_BOTH, i, 2, w ? 1 : first);
                hit(s, first);
            }
    }
}

/* The third stage reads v1 or inputs, the fourth it and v2. */
static void third_without_v2(struct search *s, double r)
{
    const struct every_table *const leaves = &s->e->table[EVERY_OF_LEAVES];
    for (uint32_t i = 0; i < s->np && !s->stop; i++) {
        if (near(at(&s->p[i], s->v1.r), r) && function(s, EVERY_OF_P, i)->step.from <= 3) {
            set_stage(s, 2, EVERY_OF_P, i, 0, 0);
            finish(s, 0, r, field_at(s, EVERY_OF_P, i, s->v1.special, 0));
        }
    }
    for (uint32_t i = 0; i < leaves->nfunctions && !s->stop; i++) {
        if (near(leaves->function[i].c[0][0], r) && leaves->function[i].step.from <= 3) {
            set_stage(s, 2, EVERY_OF_LEAVES, i, 0, 0);
            finish(s, 0, r, field_at(s, EVERY_OF_LEAVES, i, 0, 0));
        }
    }
}

/* The third stage is constant near the point, and the fourth reads v2. */
static void flat_third(struct search *s)
{
    const double t = s->e->target.r;
    for (unsigned end = 0; end < 2; end++)
        for (uint32_t i = 0; i < s->nboth && !s->stop; i++)
            if (near(at(&s->both_here[i], end), t) && field_at(s, EVERY_OF_BOTH, i, end, s->v2.special) == s->e->target.special) {
                s->program.flat = 3, s->program.end = (uint8_t)end;
                set_stage(s, 3, EVERY_OF_BOTH, i, 2, 1);
                hit(s, 0);
                s->program.flat = 0;
            }
}

/* v1 and v2 are there. */
static void third_stages(struct search *s)
{
    struct every *const e = s->e;
    const double p = s->v2.r;
    double solution[2];
    e->work += s->np + s->nboth;
    if (e->accum && !turns(s)) {
        keep(&s->need_here, 0);
        all_with_w(s, s->both_here, p);
        e->work += s->nboth;
        if (!s->program.flat && has(&s->flat_need, p))
            flat_third(s);
        for (uint32_t i = 0; i < s->nboth && !s->stop; i++)
            for (unsigned n = solve(&s->both_here[i], e->target.r, solution); n-- > 0 && !s->stop;) {
                if (has(&s->made, solution[n]))
                    third_without_v2(s, solution[n]);
                put(&s->need_here, solution[n]);
            }
    }
    for (uint32_t i = 0; i < s->np; i++)
        s->row[i] = at(&s->p[i], p);
    for (uint32_t i = 0; i < s->np && !s->stop; i++)
        if (inside(s->row[i]) && (has(&s->need, s->row[i]) || has(&s->need_here, s->row[i])) && function(s, EVERY_OF_P, i)->step.from <= 3 && !is_spare(s, EVERY_OF_P, i)) {
            set_stage(s, 2, EVERY_OF_P, i, 1, 0);
            finish(s, 0, s->row[i], field_at(s, EVERY_OF_P, i, s->v2.special, 0));
        }
    for (uint32_t i = 0; i < s->nboth; i++)
        s->row[i] = at(&s->both[i], p);
    for (uint32_t i = 0; i < s->nboth && !s->stop; i++)
        if (inside(s->row[i]) && (has(&s->need, s->row[i]) || has(&s->need_here, s->row[i])) && function(s, EVERY_OF_BOTH, i)->step.from <= 3 && !is_spare(s, EVERY_OF_BOTH, i)) {
            set_stage(s, 2, EVERY_OF_BOTH, i, 1, 0);
            finish(s, 0, s->row[i], field_at(s, EVERY_OF_BOTH, i, s->v2.special, s->v1.special));
        }
}

/* v1 is there: what v3 has to be, and can be, with it. */
static void prepare(struct search *s)
{
    struct every *const e = s->e;
    double solution[2];
    if (e->accum) {
        all_with_w(s, s->both, s->v1.r);
        for (uint32_t i = 0; i < s->nboth; i++)
            for (unsigned n = solve(&s->both[i], e->target.r, solution); n-- > 0;)
                put(&s->need, solution[n]);
        for (uint32_t i = 0; i < s->np; i++)
            if (inside(at(&s->p[i], s->v1.r)))
                put(&s->made, at(&s->p[i], s->v1.r));
    }
}

static void second_stages(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES];
    for (uint32_t i = 0; i < s->np && !s->stop && e->work < e->most_work; i++) {
        const double r = at(&s->p[i], s->v1.r);
        if (!inside(r) || function(s, EVERY_OF_P, i)->step.from > 2 || is_spare(s, EVERY_OF_P, i))
            continue;
        s->v2 = (struct every_number){r, field_at(s, EVERY_OF_P, i, s->v1.special, 0), 0};
        set_stage(s, 1, EVERY_OF_P, i, 0, 0);
        third_stages(s);
    }
    for (unsigned end = 0; end < 2 && e->accum && !s->program.flat && !s->stop; end++) { /* constant near the point */
        s->v2 = (struct every_number){end, end, 0};
        s->program.flat = 2, s->program.end = (uint8_t)end;
        set_stage(s, 1, EVERY_OF_P, 0, 0, 0);
        third_stages(s);
        s->program.flat = 0;
    }
    keep(&s->need_here, 0);
    for (uint32_t i = 0; i < leaves->nfunctions && e->accum && !s->stop && e->work < e->most_work; i++) {
        const double r = leaves->function[i].c[0][0];
        if (!inside(r) || leaves->function[i].step.from > 2 || is_spare(s, EVERY_OF_LEAVES, i))
            continue;
        s->v2 = (struct every_number){r, field_at(s, EVERY_OF_LEAVES, i, 0, 0), 0};
        set_stage(s, 1, EVERY_OF_LEAVES, i, 0, 0);
        third_stages(s);
    }
}

/* Programs of two and three stages, of which v1 is the first. */
static void short_after(struct search *s)
{
    const struct every_table *const leaves = &s->e->table[EVERY_OF_LEAVES];
    const struct every_number v1 = s->v1;
    const struct every_program of_leaves = s->program;
    set_stage(s, 2, EVERY_OF_LEAVES, of_leaves.function[0], 0, 0);
    finish(s, 2, v1.r, v1.special);
    set_stage(s, 1, EVERY_OF_LEAVES, of_leaves.function[0], 0, 0);
    for (uint32_t i = 0; i < s->np && !s->stop; i++) {
        const double v = at(&s->p[i], v1.r);
        if (inside(v) && has(&s->need, v)) {
            set_stage(s, 2, EVERY_OF_P, i, 1, 0);
            finish(s, 1, v, field_at(s, EVERY_OF_P, i, v1.special, 0));
        }
    }
    for (uint32_t i = 0; i < leaves->nfunctions && s->e->accum && !s->stop; i++) {
        const double v = leaves->function[i].c[0][0];
        if (inside(v) && has(&s->need, v)) {
            set_stage(s, 2, EVERY_OF_LEAVES, i, 1, 0);
            finish(s, 1, v, field_at(s, EVERY_OF_LEAVES, i, 0, 0));
        }
    }
    s->program = of_leaves;
}

/* Programs of at most three stages. */
static void short_programs(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES];
    const uint32_t needs = s->need.n, made = s->made.n;
    for (uint32_t i = 0; i < leaves->nfunctions && !s->stop && (e->all_apart || !s->any_short); i++) {
        s->v1 = (struct every_number){leaves->function[i].c[0][0], field_at(s, EVERY_OF_LEAVES, i, 0, 0), 0};
        e->work += s->np + s->nboth;
        if (s->v1.special == e->target.special) {
            set_stage(s, 3, EVERY_OF_LEAVES, i, 0, 0);
            hit(s, 3);
        }
        if (!inside(s->v1.r))
            continue;
        set_stage(s, 0, EVERY_OF_LEAVES, i, 0, 0);
        prepare(s);
        short_after(s);
        keep(&s->need, needs);
        keep(&s->made, made);
    }
}

static void four_stages(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES];
    const uint32_t needs = s->need.n, made = s->made.n;
    for (uint32_t i = 0; i < leaves->nfunctions && !s->stop && e->work < e->most_work; i++) {
        const struct every_function *const f = &leaves->function[i];
        if (!inside(f->c[0][0]) || f->step.from > 1 || is_spare(s, EVERY_OF_LEAVES, i))
            continue;
        s->v1 = (struct every_number){f->c[0][0], field_at(s, EVERY_OF_LEAVES, i, 0, 0), 0};
        set_stage(s, 0, EVERY_OF_LEAVES, i, 0, 0);
        prepare(s);
        second_stages(s);
        keep(&s->need, needs);
        keep(&s->made, made);
    }
    for (unsigned k = 0; k < 2 && !s->stop && e->work < e->most_work; k++) { /* the first stage is constant near the point */
        s->v1 = (struct every_number){k, k, 0};
        s->program.flat = 1, s->program.end = (uint8_t)k;
        set_stage(s, 0, EVERY_OF_LEAVES, 0, 0, 0);
        prepare(s);
        second_stages(s);
        s->program.flat = 0;
        keep(&s->need, needs);
        keep(&s->made, made);
    }
}

enum every_end hwemit_i830_every_search(struct every *e)
{
    const struct every_table *const of_p = &e->table[EVERY_OF_P], *const leaves = &e->table[EVERY_OF_LEAVES];
    uint8_t *const mark = e->end;
    const uint32_t np = of_p->nfunctions, nboth = e->accum ? e->table[EVERY_OF_BOTH].nfunctions : 0;
    struct search *const s = hwemit_i830_every_lend(e, sizeof *s);
    double solution[2];
    enum every_end end = EVERY_GAVE_UP;
    if (!s)
        return end;
    memset(s, 0, sizeof *s);
    s->e = e, s->np = np, s->nboth = nboth;
    s->p = hwemit_i830_every_lend(e, (np + 1) * sizeof *s->p);
    s->both = hwemit_i830_every_lend(e, (nboth + 1) * sizeof *s->both);
    s->both_here = hwemit_i830_every_lend(e, (nboth + 1) * sizeof *s->both_here);
    s->row = hwemit_i830_every_lend(e, (np + nboth + 1) * sizeof *s->row);
    if (s->p && s->both && s->both_here && s->row) {
        for (uint32_t i = 0; i < np; i++) {
            const struct every_function *const f = &of_p->function[i];
            s->p[i] = (struct quadratic){f->c[2][0], f->c[1][0], f->c[0][0]};
            for (unsigned n = solve(&s->p[i], e->target.r, solution); n-- > 0;)
                put(&s->need, solution[n]);
        }
        for (uint32_t i = 0; i < leaves->nfunctions; i++)
            if (inside(leaves->function[i].c[0][0]))
                put(&s->made, leaves->function[i].c[0][0]);
        for (unsigned w = 0; w < 2 && e->accum; w++) { /* as a function of W */
            for (uint32_t i = 0; i < nboth; i++) {
                const double(*const c)[3] = (const double(*)[3])e->table[EVERY_OF_BOTH].function[i].c;
                const struct quadratic q = {c[0][2] + w * (c[1][2] + c[2][2]), c[0][1] + w * (c[1][1] + c[2][1]), c[0][0] + w * (c[1][0] + c[2][0])};
                for (unsigned n = solve(&q, e->target.r, solution); n-- > 0;)
                    put(&s->flat_need, solution[n]);
            }
        }
        short_programs(s);
        if (e->only_short) {
            end = s->stop ? EVERY_GAVE_UP : s->any_short && !e->all_apart ? EVERY_MORE : e->nfound ? EVERY_SOME : EVERY_NONE;
        } else if (!s->any_short || e->nfound) {
            hwemit_i830_every_one_of_two(e);
            four_stages(s);
            if (hwemit_i830_every_all_after(e)) {
                s->stop = false;
                four_stages(s);
            }
            const bool whole = !s->stop && e->work < e->most_work && !s->need.full && !s->need_here.full && !s->made.full;
            end = !whole ? EVERY_GAVE_UP : e->nfound ? EVERY_SOME : EVERY_NONE;
        } else {
            end = EVERY_MORE;
        }
    }
    e->end = mark;
    return end;
}
