/* Pass "respell": replaces three instructions by two. In a chain k, j, i, each instruction is the only reader
 * of the preceding one. If the clamps of k and j are redundant, the chain is one polynomial A*k + D, where A
 * = m*(x - r) is the factor of k in the chain and D does not depend on k. For any E that equals D where x =
 * r, the same polynomial is A*(k + (D - E)/A) + E. If q = k + (D - E)/A is one instruction and A*q + E is
 * another, they replace the three. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/say.h"

#include <string.h>

typedef struct fragprog_degree2 degree2;

enum { K = 1 /* number of the variable that represents value k */, NO_VALUE = 0xffff, LOOSE = 1 };

/* Returns the value that instruction i reads by source s, if i is its only reader, has the same channels and
 * reads them unswizzled; else NO_VALUE. */
static unsigned read_alone(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i,
                           unsigned s, unsigned *reads)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const struct fragprog_src *src = &inst->src[s];
    if (src->file != FRAGPROG_VALUE || ranges->uses[src->index] > fragprog_op_args(inst->op))
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
    return ranges->uses[src->index] == *reads ? src->index : NO_VALUE;
}

/* Decomposes f into m*(x - r)*k + d, where k is variable 1 and x is variable v. Returns false if f is not of
 * this form. */
struct split {
    unsigned v;
    double m, r;
    degree2 d;
};

static bool take_apart(struct split *s, const degree2 *f)
{
    unsigned factors = 0;
    for (unsigned v = 1; v <= FRAGPROG_SOURCES; v++)
        if (f->c[fragprog_term[K][v]] != 0) {
            s->v = v;
            factors++;
        }
    if (factors != 1 || s->v == K)
        return false;
    s->d = *f;
    s->m = f->c[fragprog_term[K][s->v]];
    s->r = -f->c[K] / s->m;
    s->d.c[fragprog_term[K][s->v]] = s->d.c[K] = 0;
    return s->r == 0 || s->r == 0.5 || s->r == 1;
}

/* Decomposes d into at_r + (x - r)*rest, where at_r does not depend on x. Returns false if at_r is not a
 * multiple of one source plus a number, since no instruction could then add it. */
static bool divide(const struct split *s, struct fragprog_linear *at_r, degree2 *rest)
{
    const double *d = s->d.c, square = d[fragprog_term[s->v][s->v]];
    *at_r = (struct fragprog_linear){0, 0, d[0] + d[s->v] * s->r + square * s->r * s->r};
    memset(rest, 0, sizeof *rest);
    rest->c[0] = d[s->v] + square * s->r;
    rest->c[s->v] = square;
    for (unsigned v = 1; v <= FRAGPROG_SOURCES; v++) {
        if (v == s->v)
            continue;
        rest->c[v] = d[fragprog_term[v][s->v]];
        const double left = d[v] + rest->c[v] * s->r;
        if (left != 0 && at_r->v)
            return false;
        if (left != 0)
            at_r->v = v, at_r->m = left;
        for (unsigned w = 1; w <= v; w++)
            if (w != s->v && d[fragprog_term[v][w]] != 0)
                return false;
    }
    return true;
}

/* Finds the range of the polynomial in the first lane. Returns false if the polynomial is bad. */
static bool reach(const struct fragprog *p, const struct fragprog_ranges *ranges,
                  const struct fragprog_sources *vars, const degree2 *f, struct fragprog_interval *x)
{
    struct fragprog_interval box[FRAGPROG_SOURCES + 1];
    struct fragprog_poly a;
    const unsigned lane = fragprog_first_lane(vars->lanes);
    for (unsigned v = 0; v < vars->n; v++)
        box[v + 1] = fragprog_src_range(ranges, p, &vars->src[v], lane);
    fragprog_poly_of_degree2(&a, f);
    return fragprog_poly_bounds(x, &a, box);
}

/* A choice of E, and of the modifiers m*q + t by which the second new instruction reads the first. Without
 * lerp, E is at_r; with lerp, E is at_r times (1 - factor), so that the second instruction can be a LERP. */
struct choice {
    bool lerp;
    struct fragprog_affine read;
};

/* The decomposition of the chain. */
struct plan {
    struct fragprog_sources vars;
    struct split s;
    struct fragprog_linear at_r;
    degree2 of_k, rest;
};

/* Computes the first polynomial, k + (D - E)/A, without modifiers. */
static void first_of(const struct plan *plan, bool lerp, degree2 *first)
{
    const double sign = !lerp ? 0 : plan->s.r == 0 ? 1 : -1;
    *first = plan->rest;
    first->c[0] += sign * plan->at_r.t;
    first->c[plan->at_r.v] += sign * plan->at_r.m;
    for (unsigned t = 0; t < FRAGPROG_DEGREE2_ROOM; t++)
        first->c[t] = first->c[t] / plan->s.m + plan->of_k.c[t];
}

/* Finds the first instruction: q = (read - t) / m. */
static bool spell_first(const struct fragprog_ranges *ranges, const struct plan *plan, const degree2 *read,
                        const struct choice *choice, struct fragprog_inst *first)
{
    degree2 q;
    for (unsigned t = 0; t < FRAGPROG_DEGREE2_ROOM; t++)
        q.c[t] = read->c[t] / choice->read.m;
    q.c[0] -= choice->read.t / choice->read.m;
    return fragprog_say(plan->vars.p, ranges, &plan->vars, &q, first);
}

/* Finds the second instruction: m*(x - r)*(read.m*q + t) + E. Variable 1 is now q, which becomes value j. */
static bool spell_second(const struct fragprog_ranges *ranges, const struct plan *plan,
                         const struct choice *choice, unsigned j, struct fragprog_inst *second)
{
    struct fragprog_sources with = plan->vars;
    const struct fragprog_linear a = {plan->s.v, plan->s.m, -plan->s.m * plan->s.r},
                                 q = {K, choice->read.m, choice->read.t}, one = {0, 0, 1},
                                 rest = {plan->s.v, plan->s.r == 0 ? -1 : 1, plan->s.r == 0 ? 1 : 0};
    degree2 sum;
    memset(&sum, 0, sizeof sum);
    with.src[K - 1] = fragprog_src_value(j);
    fragprog_add_product2(&sum, 1, &a, &q);
    fragprog_add_product2(&sum, 1, &plan->at_r, choice->lerp ? &rest : &one);
    return fragprog_say(plan->vars.p, ranges, &with, &sum, second);
}

/* Tries to replace j and i by the new instructions. Succeeds if the clamp of the first one never acts, or is
 * redundant for the second. */
static bool try_pair(struct fragprog *p, struct fragprog_ranges *ranges, unsigned i, unsigned j,
                     const struct fragprog_inst *first, const struct fragprog_inst *second)
{
    const struct fragprog_inst old_j = p->inst[j], old_i = p->inst[i];
    p->inst[j] = *first;
    p->inst[i] = *second;
    bool holds = true;
    for (unsigned lane = 0; lane < 4 && holds; lane++)
        if (first->mask & 1u << lane && !fragprog_as_lane_before(p, ranges, first, second, lane)) {
            const struct fragprog_interval x = fragprog_op_range(ranges, p, first, lane);
            const double scale = fragprog_power(first->scale);
            holds = (x.lo * scale >= 0 && x.hi * scale <= 1) || fragprog_clamp_is_idle(ranges, p, j, i, lane);
        }
    p->inst[j] = old_j;
    p->inst[i] = old_i;
    if (!holds)
        return false;
    fragprog_put(p, ranges, j, first);
    if (!fragprog_acceptable(p, ranges, second)) {
        fragprog_put(p, ranges, j, &old_j);
        return false;
    }
    fragprog_put(p, ranges, i, second);
    return true;
}

/* Instruction i is the only reader of value j (`reads` times, by operands like *read), which is the only
 * reader of value k. */
struct chain {
    unsigned i, j, k, reads;
    const struct fragprog_src *read;
    enum { NOT_ASKED, THEY_ACT, THEY_MAY_GO } clamps;
};

/* Returns true if the clamps of j and k are redundant for the result of i. */
static bool find_clamps(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct chain *c)
{
    const struct fragprog_inst *i = &p->inst[c->i], *j = &p->inst[c->j], *k = &p->inst[c->k];
    if (!fragprog_clamp_may_go(p, ranges, c->i, c->j, c->read, c->reads))
        return false;
    for (unsigned lane = 0; lane < 4; lane++) {
        const struct fragprog_interval raw = ranges->raw[c->k][lane];
        if (!(k->mask & 1u << lane) || (raw.lo >= 0 && raw.hi <= 1) ||
            (fragprog_as_lane_before(p, ranges, i, j, lane) &&
             fragprog_as_lane_before(p, ranges, k, k, lane)))
            continue;
        if (!fragprog_clamp_is_idle_in_chain(ranges, p, c->k, c->j, c->i, lane))
            return false;
    }
    return true;
}

/* Like find_clamps, but memoised, since it is the most expensive test. */
static bool clamps_may_go(const struct fragprog *p, const struct fragprog_ranges *ranges, struct chain *c)
{
    if (c->clamps == NOT_ASKED)
        c->clamps = find_clamps(p, ranges, c) ? THEY_MAY_GO : THEY_ACT;
    return c->clamps == THEY_MAY_GO;
}

/* Quick test that ignores lanes: returns true if the chain reads more sources than two instructions can. */
static bool reads_too_much(const struct fragprog *p, const struct chain *c)
{
    const unsigned number[] = {c->k, c->j, c->i};
    const struct fragprog_src *read[FRAGPROG_SOURCES];
    unsigned n = 1;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned s = 0, args = fragprog_op_args(p->inst[number[k]].op); s < args; s++) {
            const struct fragprog_src *src = &p->inst[number[k]].src[s];
            unsigned m = 1;
            if (!fragprog_is_variable(src, 15) ||
                (k > 0 && src->file == FRAGPROG_VALUE && src->index == number[k - 1]))
                continue;
            while (m < n && !(read[m]->file == src->file && read[m]->index == src->index))
                m++;
            if (m == FRAGPROG_SOURCES)
                return true;
            read[m] = src;
            n += m == n;
        }
    return false;
}

static bool make_plan(const struct fragprog *p, const struct chain *c, struct plan *plan)
{
    degree2 of_j, f;
    if (fragprog_is_cubic(&p->inst[c->i], &p->inst[c->j], c->j) || reads_too_much(p, c))
        return false;
    plan->vars = (struct fragprog_sources){.p = p, .n = K, .lanes = p->inst[c->i].mask};
    plan->vars.src[K - 1] = fragprog_src_value(c->k);
    return fragprog_expand2(&plan->vars, &p->inst[c->k], NULL, NO_VALUE, NULL, &plan->of_k) &&
        fragprog_expand2(&plan->vars, &p->inst[c->j], NULL, NO_VALUE, NULL, &of_j) &&
        fragprog_expand2(&plan->vars, &p->inst[c->i], NULL, c->j, &of_j, &f) && take_apart(&plan->s, &f) &&
        divide(&plan->s, &plan->at_r, &plan->rest);
}

/* Tries one choice of E with all modifiers. */
static bool respell_with(struct fragprog *p, struct fragprog_ranges *ranges, struct chain *c,
                         const struct plan *plan, bool lerp)
{
    degree2 read_by;
    struct fragprog_interval x;
    /* a set of the offsets t, in halves from -2, for which no first instruction exists: if one slope m fails
     * with an offset, all do */
    unsigned unsaid = 0;
    first_of(plan, lerp, &read_by);
    if (!reach(p, ranges, &plan->vars, &read_by, &x))
        return false;
    for (unsigned n = 0; n < FRAGPROG_MAPS; n++) {
        const struct choice choice = {lerp, fragprog_maps[n]};
        const struct fragprog_interval q = fragprog_interval_affine(1 / choice.read.m, x,
                                                                    -choice.read.t / choice.read.m);
        const unsigned offset = 1u << (int)(choice.read.t * 2 + 4);
        struct fragprog_inst first = p->inst[c->j], second = p->inst[c->i];
        if (q.lo < -LOOSE || q.hi > 1 + LOOSE || unsaid & offset)
            continue; /* the clamp of q would probably act */
        if (!spell_first(ranges, plan, &read_by, &choice, &first)) {
            unsaid |= offset;
            continue;
        }
        if (!spell_second(ranges, plan, &choice, c->j, &second))
            continue;
        if (!clamps_may_go(p, ranges, c))
            return false;
        if (try_pair(p, ranges, c->i, c->j, &first, &second))
            return true;
    }
    return false;
}

static bool respell(struct fragprog *p, struct fragprog_ranges *ranges, struct chain *c)
{
    struct plan plan;
    if (!make_plan(p, c, &plan))
        return false;
    const bool other = plan.s.r != 0.5 &&
        (plan.at_r.v || plan.at_r.t != 0); /* whether E = at_r * (1 - factor) differs from at_r */
    return respell_with(p, ranges, c, &plan, false) ||
        (other && c->clamps != THEY_ACT && respell_with(p, ranges, c, &plan, true));
}

static bool respell_at(struct fragprog *p, struct fragprog_ranges *ranges, unsigned i)
{
    unsigned reads, reads_of_j;
    for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++) {
        const unsigned j = read_alone(p, ranges, i, s, &reads);
        for (unsigned t = 0; j != NO_VALUE && t < fragprog_op_args(p->inst[j].op); t++) {
            const unsigned k = read_alone(p, ranges, j, t, &reads_of_j);
            struct chain chain = {i, j, k, reads, &p->inst[i].src[s], NOT_ASKED};
            if (k != NO_VALUE && respell(p, ranges, &chain))
                return true;
        }
    }
    return false;
}

bool fragprog_opt_respell(struct fragprog *p, const struct fragprog_opt *opt, unsigned i)
{
    if (!fragprog_is_polynomial(&p->inst[i]) || p->inst[i].clamp != FRAGPROG_SAT ||
        !respell_at(p, opt->ranges, i))
        return false;
    fragprog_fired(opt, "respell", p->inst[i].unit);
    return true;
}
