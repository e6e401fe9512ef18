/* Three instructions become two. A chain k, j, i, in which each alone reads the one before, often is one polynomial in which clamps do not matter: A*k + D, with A = m*(x - r) the
 * factor that j or i gives to k, and D all that does not read k. With any E that is D where x = r, the same polynomial is A*(k + (D - E)/A) + E. Where k + (D - E)/A is
 * one instruction and A*q + E another, those two replace the three. */
#include "fragprog/operand.h"
#include "fragprog/opt.h"
#include "fragprog/poly.h"
#include "fragprog/say.h"
#include "fragprog/window.h"

enum { VARS = FRAGPROG_SAY_VARS, NO_VALUE = 0xffff, LOOSE = 1 };

/* The value that instruction i alone reads by source s, in place, with the same channels; else NO_VALUE. */
static unsigned read_alone(const struct fragprog *p, unsigned i, unsigned s, unsigned *reads)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const struct fragprog_src *src = &inst->src[s];
    if (src->file != FRAGPROG_VALUE)
        return NO_VALUE;
    const struct fragprog_inst *made = &p->inst[src->index];
    if (!fragprog_is_polynomial(made) || made->mask != inst->mask || made->clamp != FRAGPROG_SAT)
        return NO_VALUE;
    *reads = 0;
    for (unsigned t = 0; t < fragprog_op_args(inst->op); t++)
        if (inst->src[t].file == FRAGPROG_VALUE && inst->src[t].index == src->index) {
            for (unsigned lane = 0; lane < 4; lane++)
                if (inst->mask & 1u << lane && inst->src[t].lane[lane] != lane)
                    return NO_VALUE;
            ++*reads;
        }
    return fragprog_uses(p, src->index) == *reads ? src->index : NO_VALUE;
}

/* f = m*(x_v - r)*x_0 + d. False if it is not of this form. */
struct split { unsigned v; double m, r; struct fragprog_quadratic d; };

static bool take_apart(struct split *s, const struct fragprog_quadratic *f, unsigned n)
{
    s->v = 0, s->m = 0;
    s->d = *f;
    if (f->c[fragprog_square[0][0]] != 0)
        return false;
    for (unsigned x = 1; x < n; x++)
        if (f->c[fragprog_square[0][x]] != 0) {
            if (s->v)
                return false;
            s->v = x;
            s->m = f->c[fragprog_square[0][x]];
            s->d.c[fragprog_square[0][x]] = 0;
        }
    if (!s->v)
        return false;
    s->r = -f->c[1] / s->m;
    s->d.c[1] = 0;
    return s->r == 0 || s->r == 0.5 || s->r == 1;
}

/* d = at_r + (x_v - r)*rest, at_r without x_v. */
static void divide(const struct split *s, struct fragprog_quadratic *at_r, struct fragprog_quadratic *rest)
{
    const unsigned v = s->v, square = fragprog_square[v][v];
    *at_r = s->d;
    *rest = (struct fragprog_quadratic){{0}};
    rest->c[0] = s->d.c[1 + v] + s->d.c[square] * s->r;
    rest->c[1 + v] = s->d.c[square];
    at_r->c[0] += s->r * s->d.c[1 + v] + s->r * s->r * s->d.c[square];
    at_r->c[1 + v] = at_r->c[square] = 0;
    for (unsigned w = 0; w < VARS; w++)
        if (w != v) {
            rest->c[1 + w] = s->d.c[fragprog_square[v][w]];
            at_r->c[1 + w] += s->r * s->d.c[fragprog_square[v][w]];
            at_r->c[fragprog_square[v][w]] = 0;
        }
}

/* Between which values the polynomial lies, roughly: each term by itself, in the first lane. */
static struct fragprog_interval reach(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct fragprog_vars *vars, const struct fragprog_quadratic *f)
{
    struct fragprog_interval x[VARS], sum = {f->c[0], f->c[0]};
    unsigned lane = 0;
    while (!(vars->lanes >> lane & 1))
        lane++;
    for (unsigned v = 0; v < vars->n; v++) {
        x[v] = fragprog_src_range(ranges, p, &vars->src[v], lane);
        const double c = f->c[1 + v];
        sum.lo += c * (c > 0 ? x[v].lo : x[v].hi);
        sum.hi += c * (c > 0 ? x[v].hi : x[v].lo);
    }
    for (unsigned v = 0; v < vars->n; v++)
        for (unsigned w = v; w < vars->n; w++) { /* sources lie in [0,1], where products rise with both factors */
            const double c = f->c[fragprog_square[v][w]], low = x[v].lo * x[w].lo, high = x[v].hi * x[w].hi;
            sum.lo += c * (c > 0 ? low : high);
            sum.hi += c * (c > 0 ? high : low);
        }
    return sum;
}

/* The two instructions for one choice of E and of the modifiers m*q + t by which the second reads the first. lerp: E is at_r times what the factor lacks to 1. */
struct choice { bool lerp; struct fragprog_affine read; };

/* The first of the two: q = (read - t) / m. */
static bool spell_first(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct fragprog_vars *vars, const struct fragprog_quadratic *read,
                        const struct choice *choice, struct fragprog_inst *first)
{
    struct fragprog_quadratic q = fragprog_quadratic_sum(1 / choice->read.m, read, 0, read);
    q.c[0] -= choice->read.t / choice->read.m;
    return fragprog_say(p, ranges, vars, &q, first);
}

/* The second: m*(x_v - r)*(read.m*q + t) + E. Variable 0 is q here, which is value j. */
static bool spell_second(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct fragprog_vars *vars, const struct split *s, const struct fragprog_quadratic *at_r,
                         const struct choice *choice, unsigned j, struct fragprog_inst *second)
{
    const double sign = !choice->lerp ? 0 : s->r == 0 ? 1 : -1;
    struct fragprog_vars with = *vars;
    with.src[0] = fragprog_src_value(j);
    struct fragprog_quadratic f = *at_r;
    f.c[1 + s->v] += s->m * choice->read.t;
    f.c[0] -= s->m * choice->read.t * s->r;
    f.c[fragprog_square[0][s->v]] += s->m * choice->read.m;
    f.c[1] -= s->m * choice->read.m * s->r;
    if (choice->lerp) /* E = at_r * (1 - x_v), or at_r * x_v where r is 1 */
        for (unsigned w = 0; w < VARS; w++) {
            const double c = at_r->c[1 + w];
            f.c[fragprog_square[s->v][w]] -= sign * c;
            f.c[1 + w] -= s->r * c;
        }
    if (choice->lerp) {
        f.c[1 + s->v] -= sign * at_r->c[0];
        f.c[0] -= s->r * at_r->c[0];
    }
    return fragprog_say(p, ranges, &with, &f, second);
}

/* What replaces j and i keeps the value: the clamp of the first does not act, or not on what the second gives. */
static bool try_pair(struct fragprog *p, struct fragprog_ranges *ranges, unsigned i, unsigned j, const struct fragprog_inst *first, const struct fragprog_inst *second)
{
    const struct fragprog_inst old_j = p->inst[j], old_i = p->inst[i];
    p->inst[j] = *first;
    p->inst[i] = *second;
    bool holds = true;
    for (unsigned lane = 0; lane < 4 && holds; lane++)
        if (first->mask & 1u << lane && !fragprog_as_lane_before(p, ranges, first, second, lane)) {
            const struct fragprog_interval x = fragprog_op_range(ranges, p, first, lane);
            const double scale = fragprog_power(first->scale);
            holds = (x.lo * scale >= 0 && x.hi * scale <= 1) || fragprog_poly_both_droppable(ranges, p, j, i, NULL, lane);
        }
    if (holds) {
        fragprog_find_range(ranges, p, j);
        if (fragprog_acceptable(p, ranges, second))
            return true;
    }
    p->inst[j] = old_j;
    p->inst[i] = old_i;
    fragprog_find_range(ranges, p, j);
    return false;
}

static bool respell(struct fragprog *p, struct fragprog_ranges *ranges, unsigned i, unsigned j, unsigned k, const struct fragprog_src *read, unsigned reads)
{
    struct fragprog_vars vars = {.n = 1, .lanes = p->inst[i].mask};
    struct fragprog_quadratic of_k, of_j, f, at_r, rest;
    struct split s;
    unsigned linear = 0, unsaid = 0;
    vars.src[0] = fragprog_src_value(k);
    if (!fragprog_expand(&vars, &p->inst[k], NULL, NO_VALUE, NULL, &of_k) || !fragprog_expand(&vars, &p->inst[j], NULL, NO_VALUE, NULL, &of_j) ||
        !fragprog_expand(&vars, &p->inst[i], NULL, j, &of_j, &f) || !take_apart(&s, &f, vars.n))
        return false;
    divide(&s, &at_r, &rest);
    for (unsigned x = 1; x < FRAGPROG_SAY_TERMS; x++)
        linear += at_r.c[x] != 0 ? x <= VARS ? 1 : VARS : 0;
    if (linear > 1)
        return false; /* no instruction adds that */
    struct fragprog_quadratic read_by;
    struct fragprog_interval x = {0, 0};
    for (unsigned n = 0; n < (s.r == 0.5 || (linear == 0 && at_r.c[0] == 0) ? 1 : 2) * FRAGPROG_MAPS; n++) {
        const struct choice choice = {n >= FRAGPROG_MAPS, fragprog_maps[n % FRAGPROG_MAPS]};
        struct fragprog_inst first = p->inst[j], second = p->inst[i];
        if (n % FRAGPROG_MAPS == 0) { /* k + (D - E)/A: what the first is to be, modifiers apart */
            const double sign = !choice.lerp ? 0 : s.r == 0 ? 1 : -1;
            read_by = fragprog_quadratic_sum(1 / s.m, &rest, sign / s.m, &at_r);
            read_by = fragprog_quadratic_sum(1, &read_by, 1, &of_k);
            x = reach(p, ranges, &vars, &read_by);
            unsaid = 0;
        }
        const double a = (x.lo - choice.read.t) / choice.read.m, b = (x.hi - choice.read.t) / choice.read.m;
        if ((a < b ? a : b) < -LOOSE || (a < b ? b : a) > 1 + LOOSE)
            continue; /* its clamp would act, most likely */
        /* What cannot be said with this offset cannot be said either negated or halved. */
        const unsigned offset = 1u << (int)(choice.read.t * 2 + 4);
        if (unsaid & offset)
            continue;
        if (!spell_first(p, ranges, &vars, &read_by, &choice, &first)) {
            unsaid |= offset;
            continue;
        }
        if (!spell_second(p, ranges, &vars, &s, &at_r, &choice, j, &second))
            continue;
        if (!fragprog_clamp_may_go(p, ranges, i, j, read, reads))
            return false;
        for (unsigned lane = 0; lane < 4; lane++)
            if (p->inst[k].mask & 1u << lane && !(fragprog_as_lane_before(p, ranges, &p->inst[i], &p->inst[j], lane) && fragprog_as_lane_before(p, ranges, &p->inst[k], &p->inst[k], lane)) &&
                (ranges->raw[k][lane].lo < 0 || ranges->raw[k][lane].hi > 1) && !fragprog_poly_chain_droppable(ranges, p, k, j, i, lane))
                return false;
        if (try_pair(p, ranges, i, j, &first, &second))
            return true;
    }
    return false;
}

static bool respell_at(struct fragprog *p, struct fragprog_ranges *ranges, unsigned i)
{
    unsigned reads, reads_of_j;
    for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++) {
        const unsigned j = read_alone(p, i, s, &reads);
        for (unsigned t = 0; j != NO_VALUE && t < fragprog_op_args(p->inst[j].op); t++) {
            const unsigned k = read_alone(p, j, t, &reads_of_j);
            if (k != NO_VALUE && respell(p, ranges, i, j, k, &p->inst[i].src[s], reads))
                return true;
        }
    }
    return false;
}

bool fragprog_opt_respell(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges own, *ranges = fragprog_ranges_of(opt, &own);
    bool changed = false;
    for (unsigned i = 0; i < p->ninst; i++) {
        fragprog_find_range(ranges, p, i);
        if (!fragprog_is_polynomial(&p->inst[i]) || p->inst[i].clamp != FRAGPROG_SAT || fragprog_is_settled(ranges, p, FRAGPROG_RESPELL, i))
            continue;
        if (respell_at(p, ranges, i)) {
            fragprog_fired(opt, "respell", p->inst[i].unit);
            fragprog_find_range(ranges, p, i);
            changed = true;
        } else {
            fragprog_settle(ranges, FRAGPROG_RESPELL, i);
        }
    }
    return changed;
}
