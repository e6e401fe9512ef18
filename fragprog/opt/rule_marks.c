/* Finds the marks of an instruction (rule_table.h), which preselect the rewrite rules. */
#include "fragprog/opt/rule_table.h"
#include "fragprog/operand.h"

/* Returns the mark of a literal, or 0 if no rule contains the literal. */
static uint64_t mark_of_literal(double value)
{
    static const uint8_t marks[] = {FRAGPROG_BY_MINUS_ONE, FRAGPROG_BY_MINUS_HALF, FRAGPROG_BY_ZERO,
                                    FRAGPROG_BY_HALF, FRAGPROG_BY_ONE};
    return value < -1 || value > 1 ? 0 : UINT64_C(1) << marks[(int)(2 * value) + 2];
}

/* Returns the mark of the inner operation, the one that computes the value of src. Returns 0 if no rule of
 * operation `op` has such an inner operation, or its value has other uses that prevent the rewrite. */
static uint64_t mark_of_inner(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned op,
                              const struct fragprog_src *src, unsigned lanes)
{
    const struct fragprog_inst *made = &p->inst[src->index];
    int mods = src->mods;
    if (made->op > FRAGPROG_LERP || !(fragprog_rule_reads[op] >> made->op & 1) || src->mods & FRAGPROG_ABS ||
        src->negate & lanes ||
        fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE)
        return 0;
    if (made->scale || FRAGPROG_INNER_MARK(mods) == FRAGPROG_INNER_MARKS) {
        struct fragprog_affine a = fragprog_affine_of(src->mods);
        a.m *= fragprog_power(made->scale);
        mods = fragprog_mods_of(a);
    }
    if (mods < 0 || FRAGPROG_INNER_MARK(mods) == FRAGPROG_INNER_MARKS)
        return 0;
    const unsigned first = FRAGPROG_BY_INNER + FRAGPROG_INNER_MARKS * (made->op - FRAGPROG_ADD);
    const uint64_t mark = UINT64_C(1) << (first + (unsigned)FRAGPROG_INNER_MARK(mods));
    return ranges->uses[src->index] > 1 ? mark & fragprog_rule_marks_of_copies : mark;
}

/* Returns the mark of the relation between the modifiers of two operands with the same source, or 0 if no
 * rule has this relation. */
static unsigned mark_of_pair(const struct fragprog_src *a, const struct fragprog_src *b)
{
    if (a->mods == b->mods)
        return 1u << FRAGPROG_BY_SAME;
    const struct fragprog_affine x = fragprog_affine_of(a->mods), y = fragprog_affine_of(b->mods);
    if (x.m + y.m != 0)
        return 0;
    return x.t + y.t == 0  ? 1u << FRAGPROG_BY_NEGATED
        : x.t + y.t == 1   ? 1u << FRAGPROG_BY_COMPLEMENT
        : x.t + y.t == 0.5 ? 1u << FRAGPROG_BY_BIASED
                           : 0u;
}

/* Returns true if both operands read the same lanes of the same source. Modifiers are not compared. */
static bool reads_same(const struct fragprog_src *a, const struct fragprog_src *b, unsigned lanes)
{
    return a->index == b->index && a->file == b->file &&
        fragprog_lane_word(a->lane, lanes) == fragprog_lane_word(b->lane, lanes);
}

uint64_t fragprog_marks_of(const struct fragprog *p, const struct fragprog_ranges *ranges,
                           const struct fragprog_inst *inst, uint64_t each[3])
{
    const unsigned lanes = inst->mask, args = fragprog_op_args(inst->op);
    const uint64_t wanted = inst->op <= FRAGPROG_LERP ? fragprog_rule_marks[inst->op] : 0;
    uint64_t marks = 0;
    unsigned literals = 0;
    if (!wanted)
        return 0;
    for (unsigned s = 0; s < args; s++) {
        const struct fragprog_src *src = &inst->src[s];
        double value;
        each[s] = 0;
        if (fragprog_literal_value(src, lanes, &value)) {
            each[s] = mark_of_literal(value);
            marks |= literals++ ? FRAGPROG_BY_PAIRS : 0u;
        } else if (src->file == FRAGPROG_VALUE) {
            each[s] = mark_of_inner(p, ranges, inst->op, src, lanes);
        }
        marks |= each[s];
    }
    if (inst->src[0].mods & FRAGPROG_2X)
        marks |= 1u << FRAGPROG_BY_DOUBLED;
    const struct fragprog_src *src = inst->src;
    if (wanted & FRAGPROG_BY_PAIRS && reads_same(&src[0], &src[1], lanes))
        marks |= mark_of_pair(&src[0], &src[1]);
    if (wanted & FRAGPROG_BY_PAIRS && args > 2 && reads_same(&src[0], &src[2], lanes))
        marks |= mark_of_pair(&src[0], &src[2]);
    if (wanted & FRAGPROG_BY_PAIRS && args > 2 && reads_same(&src[1], &src[2], lanes))
        marks |= mark_of_pair(&src[1], &src[2]);
    return marks & wanted;
}

static bool may_read_literal(const struct fragprog_inst *inst)
{
    uint32_t lanes = 0;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        lanes |= fragprog_all_lanes(inst->src[s].lane);
    return lanes & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE;
}

unsigned fragprog_shared_marks(const struct fragprog *p, const struct fragprog_inst *inst,
                               const uint64_t each[3], uint64_t marks)
{
    const unsigned args = fragprog_op_args(inst->op);
    unsigned shared = 0;
    for (unsigned s = 0; s < args; s++) {
        if (!(each[s] & marks) || inst->src[s].file != FRAGPROG_VALUE)
            continue;
        const struct fragprog_inst *inner = &p->inst[inst->src[s].index];
        if (may_read_literal(inst) && may_read_literal(inner))
            /* equal literals can be written in several ways */
            shared |= FRAGPROG_BY_PAIRS | 1u << FRAGPROG_BY_TWO;
        const struct fragprog_src *const end = inner->src + fragprog_op_args(inner->op);
        for (unsigned t = 0; t < args; t++)
            for (const struct fragprog_src *a = inner->src; a < end && t != s; a++)
                if (a->index == inst->src[t].index && a->file == inst->src[t].file) {
                    const unsigned pair = mark_of_pair(a, &inst->src[t]);
                    shared |= pair | (shared & pair & 1u << FRAGPROG_BY_SAME ? 1u << FRAGPROG_BY_TWO : 0u);
                }
    }
    return shared;
}
