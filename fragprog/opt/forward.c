/* Pass "forward", copy propagation: uses of a copy read its source instead, with composed modifiers. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

/* Returns true if an assembly language can express the operand: a name with at most one sign, or a number.
 * For any other operand each use would need additional instructions. */
static bool is_plain_operand(const struct fragprog_src *copied, const struct fragprog_src *src,
                             unsigned lanes)
{
    double value;
    if (copied->mods & ~(unsigned)FRAGPROG_NEG)
        return false;
    if (fragprog_literal_value(src, lanes, &value))
        return true;
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1 && (src->lane[i] > FRAGPROG_W || src->negate >> i & 1))
            return false;
    return true;
}

/* If argument s reads a vec, but only channels that the vec copies from one argument, makes it read that
 * argument directly. */
static bool forward_collected(const struct fragprog *p, struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_inst *vec = &p->inst[inst->src[s].index];
    const unsigned lanes = fragprog_lanes_read(inst, s);
    int from = -1;
    if (inst->src[s].file != FRAGPROG_VALUE || vec->op != FRAGPROG_VEC)
        return false;
    for (unsigned i4 = 0; i4 < 4; i4++) {
        const unsigned c = inst->src[s].lane[i4];
        if (!(lanes >> i4 & 1) || c > FRAGPROG_W)
            continue;
        const int a = vec->src[0].lane[c] != FRAGPROG_ZERO ? 0 : 1;
        if ((from >= 0 && a != from) || vec->src[a].lane[c] > FRAGPROG_W)
            return false;
        from = a;
    }
    if (from < 0 ||
        (fragprog_op_is_lookup(inst->op) && vec->src[from].file != FRAGPROG_VALUE &&
         vec->src[from].file != FRAGPROG_COORD))
        return false;
    struct fragprog_src src = inst->src[s];
    src.file = vec->src[from].file;
    src.index = vec->src[from].index;
    for (unsigned lane = 0; lane < 4; lane++)
        if (lanes >> lane & 1 && src.lane[lane] <= FRAGPROG_W)
            src.lane[lane] = vec->src[from].lane[src.lane[lane]];
    inst->src[s] = src;
    return true;
}

/* If argument s reads a MOV, makes it read the source of the MOV, if one operand can express that. */
static bool forward_argument(const struct fragprog *p, const struct fragprog_ranges *ranges,
                             struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = fragprog_lanes(inst, s);
    if (src->file != FRAGPROG_VALUE || p->inst[src->index].op != FRAGPROG_MOV || src->mods & FRAGPROG_ABS ||
        src->negate & lanes ||
        fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE ||
        !fragprog_clamp_droppable(ranges, p, src->index, inst, s))
        return false;
    const struct fragprog_inst *mov = &p->inst[src->index];
    struct fragprog_inst changed = *inst;
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    double scale = fragprog_power(mov->scale);
    int sum = inst->scale + mov->scale;
    changed.src[s] = fragprog_through(src, &mov->src[0]);
    if (p->unbounded && !is_plain_operand(&mov->src[0], &changed.src[s], lanes))
        return false;
    if (!fragprog_apply(&changed.src[s], lanes, (struct fragprog_affine){a.m * scale, a.t})) {
        if (inst->op != FRAGPROG_MUL || a.t != 0 || sum < -3 || sum > 3 ||
            !fragprog_apply(&changed.src[s], lanes, a))
            return false;
        changed.scale = (int8_t)sum; /* scaling a factor scales the product */
    }
    if (!fragprog_acceptable(p, ranges, &changed))
        return false;
    /* LERP is undefined for a factor outside [0,1]. The forwarded factor stays in [0,1], because a clamp that
     * changes the factor is not droppable. */
    *inst = changed;
    return true;
}

/* Forwards the coordinate of a lookup, which must be a value or coordinate without modifiers. */
static bool forward_coordinate(const struct fragprog *p, const struct fragprog_ranges *ranges,
                               struct fragprog_inst *tex)
{
    const struct fragprog_inst *mov = &p->inst[tex->src[0].index];
    if (tex->src[0].file != FRAGPROG_VALUE || mov->op != FRAGPROG_MOV || mov->scale || mov->src[0].mods ||
        mov->src[0].negate || (mov->src[0].file != FRAGPROG_VALUE && mov->src[0].file != FRAGPROG_COORD) ||
        !fragprog_clamp_droppable(ranges, p, tex->src[0].index, tex, 0))
        return false;
    struct fragprog_src src = fragprog_through(&tex->src[0], &mov->src[0]);
    for (unsigned lane = 0; lane < 4; lane++)
        if (!(fragprog_lanes_read(tex, 0) >> lane & 1))
            src.lane[lane] = (uint8_t)lane;
        else if (src.lane[lane] > FRAGPROG_W)
            return false;
    tex->src[0] = src;
    return true;
}

/* Forwards an argument of a vec, which must have no modifiers, and keeps the zeros and ones of the vec. */
static bool forward_channels(const struct fragprog *p, const struct fragprog_ranges *ranges,
                             struct fragprog_inst *vec, unsigned s)
{
    const struct fragprog_inst *mov = &p->inst[vec->src[s].index];
    if (vec->src[s].file != FRAGPROG_VALUE || !fragprog_channels_read(vec, s) || mov->op != FRAGPROG_MOV ||
        mov->scale || mov->src[0].mods || mov->src[0].negate || mov->src[0].file == FRAGPROG_LITERAL ||
        !fragprog_clamp_droppable(ranges, p, vec->src[s].index, vec, s))
        return false;
    struct fragprog_src src = fragprog_through(&vec->src[s], &mov->src[0]);
    for (unsigned lane = 0; lane < 4; lane++)
        if (!(vec->mask >> lane & 1))
            src.lane[lane] = FRAGPROG_ZERO;
        else if (vec->src[s].lane[lane] > FRAGPROG_W)
            src.lane[lane] = vec->src[s].lane[lane];
    vec->src[s] = src;
    return true;
}

/* Forwards one copy into argument s. */
static bool forward(const struct fragprog *p, const struct fragprog_ranges *ranges,
                    struct fragprog_inst *inst, unsigned s)
{
    if (inst->src[s].file != FRAGPROG_VALUE)
        return false;
    if (p->unbounded && forward_collected(p, inst, s))
        return true;
    if (p->inst[inst->src[s].index].op != FRAGPROG_MOV)
        return false;
    return fragprog_op_is_lookup(inst->op) ? forward_coordinate(p, ranges, inst)
        : inst->op == FRAGPROG_VEC         ? forward_channels(p, ranges, inst, s)
                                           : forward_argument(p, ranges, inst, s);
}

/* Forwards copies into argument s until there is no copy left that can be forwarded. */
static bool forward_all(struct fragprog *p, const struct fragprog_opt *opt, unsigned i, unsigned s)
{
    struct fragprog_inst inst = p->inst[i];
    bool changed = false;
    while (forward(p, opt->ranges, &inst, s)) {
        fragprog_fired(opt, "forward", inst.unit);
        changed = true;
    }
    if (changed)
        fragprog_put(p, opt->ranges, i, &inst);
    return changed;
}

bool fragprog_opt_forward(struct fragprog *p, const struct fragprog_opt *opt, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const struct fragprog_src *src = inst->src, *end = src + fragprog_op_args(inst->op);
    bool changed = false;
    for (; src < end; src++)
        if (src->file == FRAGPROG_VALUE &&
            (p->inst[src->index].op == FRAGPROG_MOV || p->inst[src->index].op == FRAGPROG_VEC))
            changed |= forward_all(p, opt, i, (unsigned)(src - inst->src));
    return changed;
}
