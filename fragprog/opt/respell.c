/* Three instructions become two. A chain k, j, i, in which each alone reads the one before, often is one
 * polynomial in which clamps do not matter: A*k + D, with A = m*(x - r) the factor that j or i gives to k,
 * and D all that does not read k. With any E that is D where x = r, the same polynomial is A*(k + (D - E)/A)
 * + E. Where k + (D - E)/A is one instruction and A*q + E another, those two replace the three. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/say.h"

enum { K = 1 /* the variable that value k is */, NO_VALUE = 0xffff, LOOSE = 1 };

/* The value that instruction i alone reads by source s, in place, with the same channels; else NO_VALUE. */
static unsigned read_alone(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i,
                           unsigned s, unsigned *reads)
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
    return ranges->uses[src->index] == *reads ? src->index : NO_VALUE;
}

/* f = m*(x - r)*k + d, k being variable 1 and x variable v. False if it is not of this form. */
struct split {
    unsigned v;
    double m, r;
    struct fragprog_poly d;
};

static bool take_apart(struct split *s, const struct fragprog_poly *f)
{
    struct fragprog_poly factor;
    if (f->bad || fragprog_poly_degree(f) > 2 || !fragprog_poly_split(&factor, &s->d, f, K))
        return false;
    if (factor.n == 0 || factor.n > 2 || factor.m[0] == 0 || (factor.n == 2 && factor.m[1] != 0))
        return false;
    s->v = (unsigned)(factor.m[0] >> 56);
    s->m = (double)factor.c[0];
    s->r = factor.n == 2 ? -(double)factor.c[1] / s->m : 0;
    return s->r == 0 || s->r == 0.5 || s->r == 1;
}

/* d = at_r + (x - r)*rest, at_r without x. */
static bool divide(const struct split *s, struct fragprog_poly *at_r, struct fragprog_poly *rest)
{
    struct fragprog_poly difference, factor;
    fragprog_poly_restrict(at_r, &s->d, s->v, s->r);
    fragprog_poly_sum(&difference, 1, &s->d, -1, at_r, 0);
    fragprog_poly_variable(&factor, s->v, 1, -s->r);
    return fragprog_poly_divide(rest, &difference, &factor);
}

/* An instruction can add it: a number, or a multiple of one source and a number. */
static bool is_addable(const struct fragprog_poly *a)
{
    return fragprog_poly_degree(a) <= 1 && (a->n <= 1 || (a->n == 2 && a->m[1] == 0));
}

/* Between which values the polynomial lies, in the first lane. */
static bool reach(const struct fragprog *p, const struct fragprog_ranges *ranges,
                  const struct fragprog_sources *vars, const struct fragprog_poly *f,
                  struct fragprog_interval *x)
{
    struct fragprog_interval box[FRAGPROG_SOURCES + 1];
    unsigned lane = 0;
    while (!(vars->lanes >> lane & 1))
        lane++;
    for (unsigned v = 0; v < vars->n; v++)
        box[v + 1] = fragprog_src_range(ranges, p, &vars->src[v], lane);
    return fragprog_poly_bounds(x, f, box);
}

/* The two instructions for one choice of E and of the modifiers m*q + t by which the second reads the first.
 * lerp: E is at_r times what the factor lacks to 1. */
struct choice {
    bool lerp;
    struct fragprog_affine read;
};

/* How the three are taken apart, and what of that two can say. */
struct plan {
    struct fragprog_sources vars;
    struct split s;
    struct fragprog_poly of_k, at_r, rest;
};

/* k + (D - E)/A: what the first is to be, modifiers apart. */
static void first_of(const struct plan *plan, bool lerp, struct fragprog_poly *first)
{
    const double sign = !lerp ? 0 : plan->s.r == 0 ? 1 : -1;
    fragprog_poly_sum(first, 1 / plan->s.m, &plan->rest, sign / plan->s.m, &plan->at_r, 0);
    fragprog_poly_sum(first, 1, first, 1, &plan->of_k, 0);
}

/* The first of the two: q = (read - t) / m. */
static bool spell_first(const struct fragprog_ranges *ranges, const struct plan *plan,
                        const struct fragprog_poly *read, const struct choice *choice,
                        struct fragprog_inst *first)
{
    struct fragprog_poly q;
    fragprog_poly_affine(&q, 1 / choice->read.m, read, -choice->read.t / choice->read.m);
    return fragprog_say(plan->vars.p, ranges, &plan->vars, &q, first);
}

/* The second: m*(x - r)*(read.m*q + t) + E. Variable 1 is q here, which is value j. */
static bool spell_second(const struct fragprog_ranges *ranges, const struct plan *plan,
                         const struct choice *choice, unsigned j, struct fragprog_inst *second)
{
    struct fragprog_sources with = plan->vars;
    struct fragprog_poly x, q, product, e = plan->at_r;
    with.src[K - 1] = fragprog_src_value(j);
    fragprog_poly_variable(&x, plan->s.v, plan->s.m, -plan->s.m * plan->s.r);
    fragprog_poly_variable(&q, K, choice->read.m, choice->read.t);
    fragprog_poly_product(&product, &x, &q);
    if (choice->lerp) { /* E = at_r * (1 - x), or at_r * x where r is 1 */
        fragprog_poly_variable(&x, plan->s.v, plan->s.r == 0 ? -1 : 1, plan->s.r == 0 ? 1 : 0);
        fragprog_poly_product(&e, &plan->at_r, &x);
    }
    fragprog_poly_sum(&product, 1, &product, 1, &e, 0);
    return fragprog_say(plan->vars.p, ranges, &with, &product, second);
}

/* What replaces j and i keeps the value: the clamp of the first does not act, or not on what the second
 * gives. */
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

/* A chain: instruction i alone reads value j (`reads` times, as by *read), which alone reads value k. */
struct chain {
    unsigned i, j, k, reads;
    const struct fragprog_src *read;
    enum { NOT_ASKED, THEY_ACT, THEY_MAY_GO } clamps;
};

/* The clamps of j and of k do not matter to what i gives. */
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

/* The same, asked once: it costs most of all. */
static bool clamps_may_go(const struct fragprog *p, const struct fragprog_ranges *ranges, struct chain *c)
{
    if (c->clamps == NOT_ASKED)
        c->clamps = find_clamps(p, ranges, c) ? THEY_MAY_GO : THEY_ACT;
    return c->clamps == THEY_MAY_GO;
}

static bool make_plan(const struct fragprog *p, const struct chain *c, struct plan *plan)
{
    struct fragprog_poly of_j, f;
    plan->vars = (struct fragprog_sources){.p = p, .n = K, .lanes = p->inst[c->i].mask};
    plan->vars.src[K - 1] = fragprog_src_value(c->k);
    return fragprog_expand(&plan->vars, &p->inst[c->k], NULL, NO_VALUE, NULL, &plan->of_k) &&
        fragprog_expand(&plan->vars, &p->inst[c->j], NULL, NO_VALUE, NULL, &of_j) &&
        fragprog_expand(&plan->vars, &p->inst[c->i], NULL, c->j, &of_j, &f) && take_apart(&plan->s, &f) &&
        divide(&plan->s, &plan->at_r, &plan->rest) && is_addable(&plan->at_r);
}

/* By one choice of E, with each of the modifiers. */
static bool respell_with(struct fragprog *p, struct fragprog_ranges *ranges, struct chain *c,
                         const struct plan *plan, bool lerp)
{
    struct fragprog_poly read_by;
    struct fragprog_interval x;
    unsigned unsaid = 0; /* offsets in halves, from -2: what cannot be said with one cannot be said either
                            negated or halved */
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
            continue; /* its clamp would act, most likely */
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
        plan.at_r.n; /* at_r times what the factor lacks to 1 is another E */
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
