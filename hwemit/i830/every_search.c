/* All programs of four stages at one point.
 *
 * With v1, v2, v3 what the first three stages make, v1 is of inputs, v2 of inputs and v1, v3 of two of the live values, the result of v3 and one of v1 and v2, which
 * CURRENT and ACCUM hold. For each v1 and v2, what v3 may be is looked up among what the result needs. Doubles say what to look at, the prime decides.
 * A stage whose clamp bites near the point is constant there: then the others make the result, and where no program of two stages does, only one can be like that; it may be
 * whatever is beyond its clamp there. A stage that nothing there depends on could be left out: then a program of three stages is right at all samples of the special kind. */
#include "hwemit/i830/every_index.h"

/* Functions of one value at the point. */
struct functions { double *a, *b, *c; };
#define CLOSE 1e-6 /* roots that are the same are off by so much at most */
enum last { OF_P, OF_P_V1, OF_P_V2, LASTS }; /* what the last stage reads beside the one before; number of a function and this: */

struct search {
    struct every *e;
    struct pile need, made, flat_need; /* what v3 has to be, and the last stages that need it; what v3 can be without v2; what v2 has to be if v3 is 0 or 1 */
    struct functions p, both, both_here; /* functions of P; of P and W, W being v1; W being v2 */
    double *both_at[3][3], *row;       /* functions of P and W: coefficients of P^x * W^y */
    uint32_t np, nboth, needs;         /* needs: those without v2 */
    struct every_program program;
    struct every_number v1, v2;
    bool any_short, stop;
};

static double value(const struct functions *f, uint32_t i, double x) { return (f->a[i] * x + f->b[i]) * x + f->c[i]; }
static struct quadratic quadratic(const struct functions *f, uint32_t i) { return (struct quadratic){f->a[i], f->b[i], f->c[i]}; }

/* All functions of P and W with a W. */
static void all_with_w(const struct search *s, struct functions *out, double w)
{
    double *const to[3] = {out->c, out->b, out->a};
    for (unsigned x = 0; x < 3; x++) {
        const double *const one = s->both_at[x][0], *const of_w = s->both_at[x][1], *const of_square = s->both_at[x][2];
        double *const restrict v = to[x];
        for (uint32_t i = 0; i < s->nboth; i++)
            v[i] = (of_square[i] * w + of_w[i]) * w + one[i];
    }
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
            if (is_beyond(value(&s->p, i, p ? s->v2.r : s->v1.r), g->end) && function(s, EVERY_OF_P, i)->step.from <= stage + 1) {
                set_stage(s, stage, EVERY_OF_P, i, p, 0);
                hwemit_i830_every_lift(e, g);
            }
    for (uint32_t i = 0; i < s->nboth && stage == 2 && !e->too_many; i++)
        if (is_beyond(value(&s->both, i, s->v2.r), g->end) && function(s, EVERY_OF_BOTH, i)->step.from <= stage + 1) {
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

static field last_at(const struct search *s, uint32_t what, field f)
{
    const enum last reads = what % LASTS;
    return field_at(s, reads == OF_P ? EVERY_OF_P : EVERY_OF_BOTH, what / LASTS, f, reads == OF_P_V2 ? s->v2.special : s->v1.special);
}

static bool is_near(const struct search *s, uint32_t last, double r)
{
    const struct functions *const f[LASTS] = {&s->p, &s->both, &s->both_here};
    return near(value(f[last % LASTS], last / LASTS, r), s->e->target.r);
}

/* Stages before the last one are there, from `first` on, and the last but one makes f: this last one, if it is right. */
static void finish_with(struct search *s, unsigned first, uint32_t what, field f)
{
    const enum last reads = what % LASTS;
    if (last_at(s, what, f) != s->e->target.special)
        return;
    set_stage(s, 3, reads == OF_P ? EVERY_OF_P : EVERY_OF_BOTH, what / LASTS, 2, reads == OF_P ? 0 : reads == OF_P_V2 ? 1 : first);
    hit(s, first);
}

/* Whether something needs r. */
static bool is_needed(const struct search *s, double r)
{
    if (!inside(r) || !pile_may_have(&s->need, r))
        return false;
    for (uint32_t n = NONE; (n = pile_next(&s->need, r, n)) != NONE;)
        if (is_near(s, s->need.number[n].what, r))
            return true;
    return false;
}

/* The last but one makes r and f: all last ones. */
static void finish(struct search *s, unsigned first, double r, field f)
{
    for (uint32_t n = NONE; (n = pile_next(&s->need, r, n)) != NONE && !s->stop;)
        if (is_near(s, s->need.number[n].what, r) && (first < 2 || s->need.number[n].what % LASTS == OF_P))
            finish_with(s, first, s->need.number[n].what, f);
}

/* The third stage reads v1 or inputs and makes r, and the last one it and v2. */
static void third_without_v2(struct search *s, double r, uint32_t last)
{
    for (uint32_t n = NONE; (n = pile_next(&s->made, r, n)) != NONE && !s->stop;) {
        const uint32_t what = s->made.number[n].what, i = what / 2;
        const enum every_reads reads = what % 2 ? EVERY_OF_P : EVERY_OF_LEAVES;
        const double off = (what % 2 ? value(&s->p, i, s->v1.r) : function(s, reads, i)->c[0][0]) - r;
        if (off > CLOSE || off < -CLOSE || function(s, reads, i)->step.from > 3)
            continue;
        set_stage(s, 2, reads, i, 0, 0);
        finish_with(s, 0, last, field_at(s, reads, i, s->v1.special, 0));
    }
}

/* The third stage is constant near the point, and the fourth reads v2. */
static void flat_third(struct search *s)
{
    for (uint32_t n = NONE; (n = pile_next(&s->flat_need, s->v2.r, n)) != NONE && !s->stop;) {
        const uint32_t i = s->flat_need.number[n].what / 2;
        const unsigned end = s->flat_need.number[n].what % 2;
        if (!near(value(&s->both_here, i, end), s->e->target.r) || field_at(s, EVERY_OF_BOTH, i, end, s->v2.special) != s->e->target.special)
            continue;
        s->program.flat = 3, s->program.end = (uint8_t)end;
        set_stage(s, 3, EVERY_OF_BOTH, i, 2, 1);
        hit(s, 0);
        s->program.flat = 0;
    }
}

/* What the last stage needs, i being its number. */
static void put_roots(struct search *s, const struct functions *f, uint32_t i, enum last reads)
{
    const struct quadratic q = quadratic(f, i);
    double solution[2];
    for (unsigned n = solve(&q, s->e->target.r, solution); n-- > 0;) {
        pile_put(&s->need, solution[n], i * LASTS + reads);
        if (reads == OF_P_V2 && pile_may_have(&s->made, solution[n]))
            third_without_v2(s, solution[n], i * LASTS + reads);
    }
}

/* The third stage reads v2, and v1 if it is of both: all that make what is needed. */
static void third_of(struct search *s, enum every_reads reads)
{
    const struct functions *const f = reads == EVERY_OF_P ? &s->p : &s->both;
    const uint32_t n = reads == EVERY_OF_P ? s->np : s->nboth;
    const double *const a = f->a, *const b = f->b, *const c = f->c, p = s->v2.r;
    double *const restrict row = s->row;
    for (uint32_t i = 0; i < n; i++)
        row[i] = (a[i] * p + b[i]) * p + c[i];
    for (uint32_t i = 0; i < n && !s->stop; i++)
        if (is_needed(s, row[i]) && function(s, reads, i)->step.from <= 3 && !is_spare(s, reads, i)) {
            set_stage(s, 2, reads, i, 1, 0);
            finish(s, 0, row[i], field_at(s, reads, i, s->v2.special, s->v1.special));
        }
}

/* v1 and v2 are there. */
static void third_stages(struct search *s)
{
    struct every *const e = s->e;
    e->work += s->np + s->nboth;
    pile_keep(&s->need, s->needs);
    if (e->accum && !turns(s)) {
        all_with_w(s, &s->both_here, s->v2.r);
        e->work += s->nboth;
        if (!s->program.flat && pile_may_have(&s->flat_need, s->v2.r))
            flat_third(s);
        for (uint32_t i = 0; i < s->nboth && !s->stop; i++)
            put_roots(s, &s->both_here, i, OF_P_V2);
    }
    third_of(s, EVERY_OF_P);
    third_of(s, EVERY_OF_BOTH);
}

/* v1 is there: what v3 has to be, and can be, with it. */
static void prepare(struct search *s)
{
    if (s->e->accum) {
        all_with_w(s, &s->both, s->v1.r);
        for (uint32_t i = 0; i < s->nboth; i++)
            put_roots(s, &s->both, i, OF_P_V1);
        for (uint32_t i = 0; i < s->np; i++)
            if (inside(value(&s->p, i, s->v1.r)))
                pile_put(&s->made, value(&s->p, i, s->v1.r), 2 * i + 1);
    }
    s->needs = s->need.n;
}

static void second_stages(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES];
    for (uint32_t i = 0; i < s->np && !s->stop && e->work < e->most_work; i++) {
        const double r = value(&s->p, i, s->v1.r);
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
        const double v = value(&s->p, i, v1.r);
        if (is_needed(s, v)) {
            set_stage(s, 2, EVERY_OF_P, i, 1, 0);
            finish(s, 1, v, field_at(s, EVERY_OF_P, i, v1.special, 0));
        }
    }
    for (uint32_t i = 0; i < leaves->nfunctions && s->e->accum && !s->stop; i++) {
        const double v = leaves->function[i].c[0][0];
        if (is_needed(s, v)) {
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
        pile_keep(&s->need, needs);
        pile_keep(&s->made, made);
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
        pile_keep(&s->need, needs);
        pile_keep(&s->made, made);
    }
    for (unsigned k = 0; k < 2 && !s->stop && e->work < e->most_work; k++) { /* the first stage is constant near the point */
        s->v1 = (struct every_number){k, k, 0};
        s->program.flat = 1, s->program.end = (uint8_t)k;
        set_stage(s, 0, EVERY_OF_LEAVES, 0, 0, 0);
        prepare(s);
        second_stages(s);
        s->program.flat = 0;
        pile_keep(&s->need, needs);
        pile_keep(&s->made, made);
    }
}

static bool open_functions(struct every *e, struct functions *f, uint32_t n)
{
    f->a = hwemit_i830_every_lend(e, (n + 1) * sizeof *f->a);
    f->b = hwemit_i830_every_lend(e, (n + 1) * sizeof *f->b);
    f->c = hwemit_i830_every_lend(e, (n + 1) * sizeof *f->c);
    return f->a && f->b && f->c;
}

/* False: there is too little memory. */
static bool open_search(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const of_p = &e->table[EVERY_OF_P], *const both = &e->table[EVERY_OF_BOTH];
    s->row = hwemit_i830_every_lend(e, (s->np + s->nboth + 1) * sizeof *s->row);
    bool room = s->row && open_functions(e, &s->p, s->np) && open_functions(e, &s->both, s->nboth) && open_functions(e, &s->both_here, s->nboth);
    for (unsigned k = 0; k < 9 && room; k++) {
        double *const at = s->both_at[k / 3][k % 3] = hwemit_i830_every_lend(e, (s->nboth + 1) * sizeof *at);
        room = at;
        for (uint32_t i = 0; i < s->nboth && room; i++)
            at[i] = both->function[i].c[k / 3][k % 3];
    }
    for (uint32_t i = 0; i < s->np && room; i++)
        s->p.a[i] = of_p->function[i].c[2][0], s->p.b[i] = of_p->function[i].c[1][0], s->p.c[i] = of_p->function[i].c[0][0];
    pile_clear(&s->need);
    pile_clear(&s->made);
    pile_clear(&s->flat_need);
    return room;
}

/* What is so for all v1. */
static void prepare_all(struct search *s)
{
    struct every *const e = s->e;
    const struct every_table *const leaves = &e->table[EVERY_OF_LEAVES];
    double solution[2];
    for (uint32_t i = 0; i < s->np; i++)
        put_roots(s, &s->p, i, OF_P);
    for (uint32_t i = 0; i < leaves->nfunctions; i++)
        if (inside(leaves->function[i].c[0][0]))
            pile_put(&s->made, leaves->function[i].c[0][0], 2 * i);
    for (unsigned end = 0; end < 2; end++) /* as a function of W */
        for (uint32_t i = 0; i < s->nboth; i++) {
            const double(*const c)[3] = (const double(*)[3])e->table[EVERY_OF_BOTH].function[i].c;
            const struct quadratic q = {c[0][2] + end * (c[1][2] + c[2][2]), c[0][1] + end * (c[1][1] + c[2][1]), c[0][0] + end * (c[1][0] + c[2][0])};
            for (unsigned n = solve(&q, e->target.r, solution); n-- > 0;)
                pile_put(&s->flat_need, solution[n], 2 * i + end);
        }
}

enum every_end hwemit_i830_every_search(struct every *e)
{
    uint8_t *const mark = e->end;
    struct search *const s = hwemit_i830_every_lend(e, sizeof *s);
    enum every_end end = EVERY_GAVE_UP;
    if (!s)
        return end;
    s->e = e, s->np = e->table[EVERY_OF_P].nfunctions, s->nboth = e->accum ? e->table[EVERY_OF_BOTH].nfunctions : 0;
    s->program = (struct every_program){0};
    s->any_short = s->stop = false;
    if (open_search(s)) {
        prepare_all(s);
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
            const bool whole = !s->stop && e->work < e->most_work && !s->need.full && !s->made.full && !s->flat_need.full;
            end = !whole ? EVERY_GAVE_UP : e->nfound ? EVERY_SOME : EVERY_NONE;
        } else {
            end = EVERY_MORE;
        }
    }
    e->end = mark;
    return end;
}
