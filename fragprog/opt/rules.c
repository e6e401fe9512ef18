/* Applies the rows of rules.def: one instruction is replaced by another that gives the same value. What it no
 * longer reads dies by opt_dead. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/rule_table.h"

/* One attempt to match one rule. */
struct attempt {
    const struct fragprog *p;
    const struct fragprog_ranges *ranges;
    const struct fragprog_inst *inst; /* the instruction to replace */
    const uint64_t *marks; /* of each argument: the literal or the operation inside that it reads */
    const struct fragprog_rule *rule;
    const uint8_t *term; /* the next one of the pattern, or of the replacement */
    unsigned swaps;      /* bit k: the k-th commutative operation of the pattern matches in the other order */
    unsigned commutative; /* commutative operations seen so far */
    unsigned bound;       /* variables (bits) */
    const struct fragprog_src *var[4];
    struct fragprog_src read[3]; /* made for variables that no operand has in this form */
    int inner; /* the argument of inst that stands for an operation inside the pattern; -1: there is none */
    int8_t droppable[3]; /* per argument of inst: the clamp of what it reads may go; -1: not known yet */
};

/* The modifiers before the next term. */
static unsigned take_modifiers(struct attempt *m)
{
    unsigned mods = 0;
    while (*m->term & FRAGPROG_T_MOD)
        mods |= *m->term++ & ~(unsigned)FRAGPROG_T_MOD;
    return mods;
}

static bool match_variable(struct attempt *m, unsigned v, unsigned mods, const struct fragprog_src *src)
{
    const unsigned lanes = m->inst->mask;
    const struct fragprog_affine a = fragprog_affine_of(mods);
    if (m->bound & 1u << v) {
        struct fragprog_src expected = *m->var[v];
        if ((expected.index != src->index || expected.file != src->file) &&
            !(fragprog_all_lanes(src->lane) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE))
            return false; /* as it mostly is */
        return fragprog_apply(&expected, lanes, a) && fragprog_same_source(&expected, src, lanes);
    }
    if (mods) {
        /* If the first occurrence of a variable in the pattern has a modifier, the variable is the source
         * without that modifier. Only doubling occurs so (mov_twice), and only where the source is doubled.
         */
        m->read[0] = *src;
        if (!(src->mods & mods) ||
            !fragprog_apply(&m->read[0], lanes, (struct fragprog_affine){1 / a.m, -a.t / a.m}))
            return false;
        src = &m->read[0];
    }
    m->var[v] = src;
    m->bound |= 1u << v;
    return true;
}

/* Whether the first two arguments of the next operation of the pattern match in the other order. */
static unsigned take_order(struct attempt *m, unsigned op)
{
    return FRAGPROG_RULE_COMMUTES((int)op) ? m->swaps >> m->commutative++ & 1 : 0;
}

/* An operation inside: the value that argument s reads, before its clamp (asked later, since that costs). Its
 * arguments are variables. */
static bool match_inner(struct attempt *m, unsigned op, unsigned s)
{
    const struct fragprog_src *src = &m->inst->src[s], *read = m->p->inst[src->index].src;
    if (m->ranges->uses[src->index] > 1 && m->rule->replacement[0] != FRAGPROG_MOV)
        return false; /* it stays for the others: nothing would be saved */
    const unsigned args = fragprog_op_args(op), swapped = take_order(m, op);
    m->inner = (int)s;
    if (fragprog_all_lanes(src->lane) != fragprog_all_lanes(fragprog_in_place)) {
        for (unsigned a = 0; a < args; a++)
            m->read[a] = fragprog_through(src, &read[a]);
        read = m->read;
    }
    for (unsigned a = 0; a < args; a++) {
        const unsigned mods = take_modifiers(m), v = *m->term++ - FRAGPROG_T_VAR;
        if (!match_variable(m, v, mods, &read[a < 2 ? a ^ swapped : a]))
            return false;
    }
    return true;
}

static bool match_pattern(struct attempt *m)
{
    const unsigned op = m->inst->op, args = fragprog_op_args(op), swapped = take_order(m, op);
    for (unsigned a = 0; a < args; a++) {
        const unsigned mods = take_modifiers(m), term = *m->term++, s = a < 2 ? a ^ swapped : a;
        if (term >= FRAGPROG_T_VAR && term < FRAGPROG_T_ZERO) {
            if (!match_variable(m, term - FRAGPROG_T_VAR, mods, &m->inst->src[s]))
                return false;
        } else if (!(m->marks[s] >> m->rule->mark & 1) ||
                   (term < FRAGPROG_T_VAR && !match_inner(m, term, s))) {
            return false; /* the row's mark, with its modifiers, is somewhere else */
        }
    }
    return true;
}

/* One argument of the replacement. */
static bool build_source(struct attempt *m, struct fragprog_src *src)
{
    const unsigned mods = take_modifiers(m), term = *m->term++;
    if (term >= FRAGPROG_T_ZERO) {
        static const uint8_t lane_of[] = {FRAGPROG_ZERO, FRAGPROG_ONE, FRAGPROG_HALF};
        *src = fragprog_src_replicate(FRAGPROG_LITERAL, 0, lane_of[term - FRAGPROG_T_ZERO]);
    } else {
        *src = *m->var[term - FRAGPROG_T_VAR];
    }
    return fragprog_apply(src, m->inst->mask, fragprog_affine_of(mods));
}

static bool is_unit(const struct attempt *m, unsigned v, unsigned lanes)
{
    for (unsigned i = 0; i < 4; i++)
        if (lanes & 1u << i) {
            struct fragprog_interval x = fragprog_src_range(m->ranges, m->p, m->var[v], i);
            if (x.lo < 0 || x.hi > 1)
                return false;
        }
    return true;
}

/* Assembly languages negate operands and do not scale, complement or bias them. And where values have no
 * bound, what would cancel stays: (a + b) - b is a, but a program may mean the digits that single precision
 * loses there (notes/numbers.md). */
static bool suits_unbounded(const struct fragprog_rule *rule)
{
    int variables = 0, inner = 0;
    for (unsigned n = 0; n < FRAGPROG_RULE_TERMS; n++) {
        const unsigned was = rule->pattern[n], is = rule->replacement[n];
        if (is & FRAGPROG_T_MOD && is != (FRAGPROG_T_MOD | FRAGPROG_NEG))
            return false;
        variables += was >= FRAGPROG_T_VAR && was < FRAGPROG_T_ZERO;
        variables -= is >= FRAGPROG_T_VAR && is < FRAGPROG_T_ZERO;
        inner += n && was && was < FRAGPROG_T_VAR;
    }
    return !rule->scale && !(inner && variables > 1);
}

/* The clamp of the operation inside may go. */
static bool is_droppable(struct attempt *m)
{
    if (m->inner < 0)
        return true;
    int8_t *known = &m->droppable[m->inner];
    if (*known < 0)
        *known = fragprog_clamp_droppable(m->ranges, m->p, m->inst->src[m->inner].index, m->inst,
                                          (unsigned)m->inner);
    return *known;
}

static bool apply_rule(struct attempt *m, struct fragprog_inst *out)
{
    const struct fragprog_rule *rule = m->rule;
    const int scale = m->inst->scale + rule->scale;
    m->commutative = m->bound = 0;
    m->inner = -1;
    m->term = rule->pattern + 1;
    if (scale < -3 || scale > 3 || !match_pattern(m) || !is_droppable(m) ||
        (rule->unit_var && !is_unit(m, rule->unit_var - 1u, m->inst->mask)))
        return false;
    m->term = rule->replacement;
    *out = *m->inst;
    out->op = *m->term++;
    out->scale = (int8_t)scale;
    for (unsigned s = 0, args = fragprog_op_args(out->op); s < 3; s++)
        if (s >= args)
            out->src[s] = (struct fragprog_src){0};
        else if (!build_source(m, &out->src[s]))
            return false;
    return fragprog_acceptable(m->p, m->ranges, out);
}

/* In one of the orders that the arguments can stand in. */
static bool match_rule(struct attempt *m, struct fragprog_inst *out)
{
    unsigned failed = 0; /* orders (bits): those of operations that were not met make no difference */
    if (m->p->unbounded && !suits_unbounded(m->rule))
        return false;
    for (m->swaps = 0; m->swaps < m->rule->orders; m->swaps++) {
        if (failed >> m->swaps & 1)
            continue;
        if (apply_rule(m, out))
            return true;
        for (unsigned same = m->swaps; same < m->rule->orders; same += 1u << m->commutative)
            failed |= 1u << same;
    }
    return false;
}

/* The first row that the instruction matches, of those that know it by these marks. */
static const struct fragprog_rule *find_rule(struct attempt *m, uint64_t marks, struct fragprog_inst *out)
{
    const unsigned op = m->inst->op;
    unsigned shared = 0;
    bool known = false;
    for (const struct fragprog_rule *rule = &fragprog_rules[fragprog_first_rule[op]]; rule->pattern[0] == op;
         rule++) {
        if (!(marks >> rule->mark & 1))
            continue;
        if (rule->shares && !known) {
            shared = fragprog_shared_marks(m->p, m->inst, m->marks, marks);
            known = true;
        }
        m->rule = rule;
        if ((!rule->shares || shared >> rule->shares & 1) && match_rule(m, out))
            return rule;
    }
    return NULL;
}

bool fragprog_opt_rules(struct fragprog *p, const struct fragprog_opt *opt, unsigned i)
{
    uint64_t each[3];
    const uint64_t marks = fragprog_marks_of(p, opt->ranges, &p->inst[i], each);
    if (!marks)
        return false;
    struct attempt m;
    m.p = p;
    m.ranges = opt->ranges;
    m.inst = &p->inst[i];
    m.marks = each;
    m.droppable[0] = m.droppable[1] = m.droppable[2] = -1;
    struct fragprog_inst out;
    const struct fragprog_rule *rule = find_rule(&m, marks, &out);
    if (!rule)
        return false;
    fragprog_fired(opt, rule->name, out.unit);
    fragprog_put(p, opt->ranges, i, &out);
    return true;
}
