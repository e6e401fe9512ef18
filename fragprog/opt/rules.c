/* Pass "rules": applies the rows of rules.def. An instruction is replaced by another one with the same value;
 * pass "dead" removes the values that are no longer used. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/rule_table.h"

/* One attempt to match one rule. */
struct attempt {
    const struct fragprog *p;
    const struct fragprog_ranges *ranges;
    const struct fragprog_inst *inst; /* the instruction to replace */
    const uint64_t *marks;            /* marks of each argument, from fragprog_marks_of */
    const struct fragprog_rule *rule;
    const uint8_t *term;  /* the next term of the pattern or the replacement */
    unsigned swaps;       /* bit k: exchange the arguments of the k-th commutative operation of the pattern */
    unsigned commutative; /* number of commutative operations so far */
    unsigned bound;       /* set of the variables that are bound */
    const struct fragprog_src *var[4];
    /* storage for operands that are bound to variables but do not occur in the program in this form */
    struct fragprog_src read[3];
    int inner; /* the argument of inst that matches the inner operation of the pattern, or -1 */
    /* for each argument of inst: whether the clamp of the value is droppable; -1: not known yet */
    int8_t droppable[3];
};

/* Consumes the modifiers before the next term and returns them. */
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
            return false; /* quick exit for the most frequent case */
        return fragprog_apply(&expected, lanes, a) && fragprog_same_source(&expected, src, lanes);
    }
    if (mods) {
        /* If the first occurrence of a variable in the pattern has a modifier, the variable is bound to the
         * source without that modifier. This occurs only for doubling (mov_twice), and only if the source is
         * doubled. */
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

/* Returns 1 if the first two arguments of the pattern's next operation are to be exchanged. */
static unsigned take_order(struct attempt *m, unsigned op)
{
    return FRAGPROG_RULE_COMMUTES((int)op) ? m->swaps >> m->commutative++ & 1 : 0;
}

/* Matches the inner operation: the value that argument s reads, before its clamp (is_droppable is tested
 * later, because it is expensive). Its arguments are variables. */
static bool match_inner(struct attempt *m, unsigned op, unsigned s)
{
    const struct fragprog_src *src = &m->inst->src[s], *read = m->p->inst[src->index].src;
    if (m->ranges->uses[src->index] > 1 && m->rule->replacement[0] != FRAGPROG_MOV)
        return false; /* the value has other uses, so the rewrite would save nothing */
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
            return false; /* this argument does not have the mark of the rule */
        }
    }
    return true;
}

/* Builds one argument of the replacement. */
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

/* Returns true if the rule may be applied to unbounded programs. Assembly languages negate operands, but do
 * not scale, complement or bias them. Besides, rounding must be preserved: (a + b) - b equals a only in exact
 * arithmetic, and the program may rely on the rounding error (notes/numbers.md). */
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

/* Returns true if the clamp of the inner operation is redundant. */
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

/* Tries to match the rule with each order of commutative arguments. */
static bool match_rule(struct attempt *m, struct fragprog_inst *out)
{
    /* orders (bits) that cannot match: a failed attempt also excludes all orders that differ from it only in
     * operations that it did not reach */
    unsigned failed = 0;
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

/* Returns the first rule that matches, among those with one of the given marks. */
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
