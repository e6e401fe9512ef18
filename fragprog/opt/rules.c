/* Applies the rows of rules.def: one instruction is replaced by another that gives the same value. What it no
 * longer reads dies by opt_dead. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/rule_table.h"

enum { NO_VALUE = 0xffff };

/* One attempt to match one rule. */
struct attempt {
    const struct fragprog *p;
    const struct fragprog_ranges *ranges;
    const struct fragprog_inst *inst; /* the instruction to replace */
    unsigned argument;                /* of inst, being matched */
    unsigned swaps; /* bit k: the k-th commutative operation of the pattern matches in the other order */
    unsigned commutative; /* how many were met so far */
    unsigned bound;       /* variables (bits) */
    struct fragprog_src var[4];
    unsigned inner; /* value that an operation inside the pattern stands for */
    int8_t
        *droppable; /* per argument of inst: whether the clamp of what it reads may go; -1: not known yet */
};

static bool match_term(struct attempt *m, const uint8_t **t, const struct fragprog_src *src, unsigned lanes);

/* The arguments of an operation against the sources src[] (those of an inner one already read through). */
static bool match_arguments(struct attempt *m, const uint8_t **t, unsigned op, const struct fragprog_src *src,
                            unsigned lanes, bool outer)
{
    unsigned order[3] = {0, 1, 2};
    if (FRAGPROG_RULE_COMMUTES((int)op) && m->swaps >> m->commutative++ & 1)
        order[0] = 1, order[1] = 0;
    for (unsigned a = 0; a < fragprog_op_args(op); a++) {
        if (outer)
            m->argument = order[a];
        if (!match_term(m, t, &src[order[a]], lanes))
            return false;
    }
    return true;
}

/* An operation inside, with modifiers: the value that src reads, before its clamp. Its scale and the
 * modifiers of src together are those of the pattern. */
static bool match_inner(struct attempt *m, const uint8_t **t, unsigned op, unsigned mods,
                        const struct fragprog_src *src, unsigned lanes)
{
    if (src->file != FRAGPROG_VALUE || src->mods & FRAGPROG_ABS || src->negate & lanes)
        return false;
    const struct fragprog_inst *inner = &m->p->inst[src->index];
    struct fragprog_affine have = fragprog_affine_of(src->mods), want = fragprog_affine_of(mods);
    have.m *= fragprog_power(inner->scale);
    if (inner->op != op || have.m != want.m || have.t != want.t)
        return false;
    int8_t *droppable = &m->droppable[m->argument];
    if (*droppable < 0)
        *droppable = fragprog_clamp_droppable(m->ranges, m->p, src->index, m->inst, m->argument);
    if (!*droppable)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (lanes & 1u << i && src->lane[i] > FRAGPROG_W)
            return false;
    m->inner = src->index;
    struct fragprog_src through[3];
    for (unsigned s = 0; s < fragprog_op_args(op); s++)
        through[s] = fragprog_through(src, &inner->src[s]);
    return match_arguments(m, t, op, through, lanes, false);
}

static bool match_variable(struct attempt *m, unsigned v, unsigned mods, const struct fragprog_src *src,
                           unsigned lanes)
{
    struct fragprog_src expected;
    struct fragprog_affine a = fragprog_affine_of(mods);
    if (m->bound & 1u << v) {
        expected = m->var[v];
        return fragprog_apply(&expected, lanes, a) && fragprog_same_source(&expected, src, lanes);
    }
    /* A variable met with a modifier stands for the source without it. Only a doubling is ever met first
     * (mov_twice), and only where one stands. */
    expected = *src;
    if (mods &&
        (!(src->mods & mods) ||
         !fragprog_apply(&expected, lanes, (struct fragprog_affine){1 / a.m, -a.t / a.m})))
        return false;
    m->var[v] = expected;
    m->bound |= 1u << v;
    return true;
}

static bool match_term(struct attempt *m, const uint8_t **t, const struct fragprog_src *src, unsigned lanes)
{
    unsigned mods = 0;
    while (**t & FRAGPROG_T_MOD)
        mods |= *(*t)++ & ~(unsigned)FRAGPROG_T_MOD;
    unsigned term = *(*t)++;
    if (term >= FRAGPROG_T_ZERO) {
        static const double value_of[] = {0, 1, 0.5};
        struct fragprog_affine a = fragprog_affine_of(mods);
        double v;
        return fragprog_literal_value(src, lanes, &v) && v == a.m * value_of[term - FRAGPROG_T_ZERO] + a.t;
    }
    if (term >= FRAGPROG_T_VAR)
        return match_variable(m, term - FRAGPROG_T_VAR, mods, src, lanes);
    return match_inner(m, t, term, mods, src, lanes);
}

/* One argument of the replacement. */
static bool build_source(const struct attempt *m, const uint8_t **t, struct fragprog_src *src, unsigned lanes)
{
    unsigned mods = 0;
    while (**t & FRAGPROG_T_MOD)
        mods |= *(*t)++ & ~(unsigned)FRAGPROG_T_MOD;
    unsigned term = *(*t)++;
    if (term >= FRAGPROG_T_ZERO) {
        static const uint8_t lane_of[] = {FRAGPROG_ZERO, FRAGPROG_ONE, FRAGPROG_HALF};
        *src = fragprog_src_replicate(FRAGPROG_LITERAL, 0, lane_of[term - FRAGPROG_T_ZERO]);
    } else {
        *src = m->var[term - FRAGPROG_T_VAR];
    }
    return fragprog_apply(src, lanes, fragprog_affine_of(mods));
}

static bool is_unit(const struct attempt *m, unsigned v, unsigned lanes)
{
    for (unsigned i = 0; i < 4; i++)
        if (lanes & 1u << i) {
            struct fragprog_interval x = fragprog_src_range(m->ranges, m->p, &m->var[v], i);
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

static bool apply_rule(const struct fragprog_rule *rule, struct attempt *m, struct fragprog_inst *out)
{
    const uint8_t *t = rule->pattern + 1;
    unsigned lanes = m->inst->mask;
    if (m->p->unbounded && !suits_unbounded(rule))
        return false;
    if (!match_arguments(m, &t, m->inst->op, m->inst->src, lanes, true))
        return false;
    if (rule->unit_var && !is_unit(m, rule->unit_var - 1u, lanes))
        return false;
    t = rule->replacement;
    *out = *m->inst;
    out->op = *t++;
    for (unsigned s = 0; s < 3; s++) {
        out->src[s] = (struct fragprog_src){0};
        if (s < fragprog_op_args(out->op) && !build_source(m, &t, &out->src[s], lanes))
            return false;
    }
    int scale = m->inst->scale + rule->scale;
    if (scale < -3 || scale > 3)
        return false;
    out->scale = (int8_t)scale;
    if (m->inner != NO_VALUE && out->op != FRAGPROG_MOV && m->ranges->uses[m->inner] > 1)
        return false;
    return fragprog_acceptable(m->p, m->ranges, out);
}

enum { LITERALS = 1 << 30 };

/* A bit for each source, some for several, and one for literals. *modified: some source has a modifier, or is
 * a literal, which can stand for another with one. */
static uint32_t sources_of(const struct fragprog_inst *inst, bool *modified)
{
    uint32_t bits = 0, lanes = 0;
    unsigned mods = 0;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++) {
        const struct fragprog_src *src = &inst->src[s];
        mods |= src->mods | src->negate;
        lanes |= fragprog_lane_word(src->lane, 15);
        bits |= 1u << ((src->index + 3u * src->file) & 15) << (src->file == FRAGPROG_VALUE ? 0 : 14);
    }
    if (lanes & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE)
        bits |= LITERALS;
    *modified |= mods || bits & LITERALS;
    return bits;
}

/* The modifiers by which an argument reads what an instruction makes before its scale; -1: no modifiers. */
static int modifiers_through(const struct fragprog_src *src, const struct fragprog_inst *made)
{
    if (!made->scale && !src->mods)
        return 0;
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    a.m *= fragprog_power(made->scale);
    return fragprog_mods_of(a);
}

/* As a row's `needs`: the operations that the arguments read, literals, one source twice.
 */
static uint32_t offers(const struct fragprog *p, const struct fragprog_inst *inst, uint32_t *inner)
{
    const unsigned lane = inst->mask == FRAGPROG_MASK_W ? FRAGPROG_W
        : inst->mask & FRAGPROG_MASK_X                  ? FRAGPROG_X
        : inst->mask & FRAGPROG_MASK_Y                  ? FRAGPROG_Y
                                                        : FRAGPROG_Z;
    bool modified = false;
    const uint32_t here = sources_of(inst, &modified);
    uint32_t has = fragprog_reads_twice(inst) ? FRAGPROG_NEEDS_TWICE : 0u;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++) {
        const struct fragprog_src *src = &inst->src[s];
        if (src->lane[lane] > FRAGPROG_W) {
            has |= has & FRAGPROG_NEEDS_LITERAL ? FRAGPROG_NEEDS_TWICE : FRAGPROG_NEEDS_LITERAL;
            continue;
        }
        const struct fragprog_inst *made = src->file == FRAGPROG_VALUE ? &p->inst[src->index] : NULL;
        if (!made || made->op > FRAGPROG_DOT2ADD || !(fragprog_rules_need >> made->op & 1))
            continue;
        const int mods = modifiers_through(src, made);
        has |= 1u << made->op | (here & sources_of(made, &modified) ? FRAGPROG_NEEDS_SHARED : 0u);
        inner[made->op] |= mods >= 0 ? 1u << mods : 0;
        modified |= made->scale != 0;
    }
    return has | (modified ? FRAGPROG_NEEDS_MODIFIED : 0u);
}

static const struct fragprog_rule *find_rule(const struct fragprog *p, const struct fragprog_ranges *ranges,
                                             unsigned i, struct fragprog_inst *out)
{
    int8_t droppable[3] = {-1, -1, -1};
    uint32_t inner[FRAGPROG_DOT2ADD + 1] = {0};
    const unsigned op = p->inst[i].op, end = fragprog_first_rule[op + 1];
    if (fragprog_first_rule[op] == end)
        return NULL;
    const uint32_t lacks = ~offers(p, &p->inst[i], inner);
    struct attempt m;
    if (!(fragprog_rules_need & ~lacks))
        return NULL;
    m.p = p;
    m.ranges = ranges;
    m.inst = &p->inst[i];
    m.droppable = droppable;
    for (unsigned n = fragprog_first_rule[op]; n < end; n++) {
        const struct fragprog_rule *rule = &fragprog_rules[n];
        if (rule->needs & lacks || (rule->inner && !(inner[rule->inner] >> rule->inner_mods & 1)))
            continue;
        unsigned failed = 0; /* orders (bits): those of operations that were not met make no difference */
        for (m.swaps = 0; m.swaps < rule->orders; m.swaps++) {
            m.argument = m.commutative = m.bound = 0;
            m.inner = NO_VALUE;
            if (failed >> m.swaps & 1)
                continue;
            if (apply_rule(rule, &m, out))
                return rule;
            for (unsigned same = m.swaps; same < rule->orders; same += 1u << m.commutative)
                failed |= 1u << same;
        }
    }
    return NULL;
}

bool fragprog_opt_rules(struct fragprog *p, const struct fragprog_opt *opt, unsigned i)
{
    struct fragprog_inst out;
    if (p->inst[i].op == FRAGPROG_TEX || p->inst[i].op > FRAGPROG_DOT2ADD)
        return false;
    const struct fragprog_rule *rule = find_rule(p, opt->ranges, i, &out);
    if (!rule)
        return false;
    fragprog_fired(opt, rule->name, out.unit);
    fragprog_put(p, opt->ranges, i, &out);
    return true;
}
