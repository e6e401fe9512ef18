/* Operations on operands: comparing them, composing modifiers and swizzles, literals. */
#include "fragprog/operand.h"

#include <string.h>

bool fragprog_same_source(const struct fragprog_src *a, const struct fragprog_src *b, unsigned lanes)
{
    double x, y;
    if (fragprog_literal_value(a, lanes, &x))
        return fragprog_literal_value(b, lanes, &y) && x == y;
    if (a->file != b->file || a->index != b->index || a->mods != b->mods)
        return false;
    return fragprog_lane_word(a->lane, lanes) == fragprog_lane_word(b->lane, lanes) &&
        !((a->negate ^ b->negate) & lanes);
}

bool fragprog_literal_lanes_value(const struct fragprog_src *src, unsigned lanes, double *value)
{
    static const double of[] = {[FRAGPROG_ZERO] = 0, [FRAGPROG_ONE] = 1, [FRAGPROG_HALF] = 0.5};
    bool found = false;
    if ((fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE) !=
        fragprog_same_lanes(FRAGPROG_LITERAL_LANE, lanes))
        return false;
    const unsigned lane = src->lane[fragprog_first_lane(lanes)];
    if (lanes && !(src->mods || src->negate & lanes) &&
        fragprog_lane_word(src->lane, lanes) == fragprog_same_lanes(lane, lanes)) {
        *value = of[lane];
        return true;
    }
    for (unsigned i = 0; i < 4; i++) {
        if (!(lanes & 1u << i))
            continue;
        double v = src->negate & 1u << i ? -of[src->lane[i]] : of[src->lane[i]];
        if (src->mods & FRAGPROG_ABS && v < 0)
            v = -v;
        struct fragprog_affine a = fragprog_affine_of(src->mods);
        v = a.m * v + a.t;
        if (found && v != *value)
            return false;
        *value = v;
        found = true;
    }
    return found;
}

bool fragprog_literal_source(struct fragprog_src *src, double value)
{
    double magnitude = value < 0 ? -value : value;
    unsigned lane = magnitude == 0 ? FRAGPROG_ZERO : magnitude == 0.5 ? FRAGPROG_HALF : FRAGPROG_ONE;
    if (magnitude != 0 && magnitude != 0.5 && magnitude != 1 && magnitude != 2)
        return false;
    *src = fragprog_src_replicate(FRAGPROG_LITERAL, 0, lane);
    src->mods = magnitude == 2 ? FRAGPROG_2X : 0;
    src->negate = value < 0 ? 15 : 0;
    return true;
}

bool fragprog_apply(struct fragprog_src *src, unsigned lanes, struct fragprog_affine outer)
{
    double v;
    if (fragprog_literal_value(src, lanes, &v))
        return fragprog_literal_source(src, outer.m * v + outer.t);
    if (outer.m == 1 && outer.t == 0)
        return true;
    if (src->mods & FRAGPROG_ABS || src->negate & lanes)
        return false; /* these occur only in programs that were read as text */
    struct fragprog_affine inner = fragprog_affine_of(src->mods);
    int mods = fragprog_mods_of((struct fragprog_affine){outer.m * inner.m, outer.m * inner.t + outer.t});
    if (mods < 0)
        return false;
    src->mods = (uint8_t)mods;
    return true;
}

struct fragprog_src fragprog_through(const struct fragprog_src *outer, const struct fragprog_src *inner)
{
    struct fragprog_src src = *inner;
    if (fragprog_all_lanes(outer->lane) == fragprog_all_lanes(fragprog_in_place) ||
        (!src.negate && fragprog_all_lanes(src.lane) == src.lane[0] * FRAGPROG_EACH_LANE))
        return src;
    src.negate = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned lane = outer->lane[i] <= FRAGPROG_W ? outer->lane[i] : i;
        src.lane[i] = inner->lane[lane];
        if (inner->negate & 1u << lane)
            src.negate |= (uint8_t)(1u << i);
    }
    return src;
}

static bool same_name(const struct fragprog_src *a, const struct fragprog_src *b)
{
    return a->index == b->index && a->file == b->file && a->file != FRAGPROG_LITERAL;
}

bool fragprog_reads_twice(const struct fragprog_inst *inst)
{
    const struct fragprog_src *const src = inst->src;
    const unsigned args = fragprog_op_args(inst->op);
    return args > 1 &&
        (same_name(&src[0], &src[1]) ||
         (args > 2 && (same_name(&src[0], &src[2]) || same_name(&src[1], &src[2]))));
}

unsigned fragprog_uses(const struct fragprog *p, unsigned i)
{
    unsigned n = (p->result[0] == i) + (p->result[1] == i);
    for (unsigned k = i + 1; k < p->ninst; k++) {
        const struct fragprog_inst *inst = &p->inst[k];
        for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
            n += inst->src[s].index == i && inst->src[s].file == FRAGPROG_VALUE;
    }
    return n;
}

/* Returns true if the instruction reads at most two constants, and not the alpha of the secondary colour. */
static bool has_readable_sources(const struct fragprog_inst *inst)
{
    const struct fragprog_src *const src = inst->src;
    unsigned constants = 0;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++) {
        constants += src[s].file == FRAGPROG_CONST;
        if (src[s].file == FRAGPROG_SECONDARY && fragprog_channels_read(inst, s) & FRAGPROG_MASK_W)
            return false;
    }
    return constants < 3 || src[0].index == src[1].index || src[0].index == src[2].index ||
        src[1].index == src[2].index;
}

/* Returns true if the result before the scale is certainly within [-6,6]: it is a sum of a product and a
 * number, and every operand is within [-2,2], because it reads values in [0,1] through modifiers without
 * negated lanes. */
static bool is_small(const struct fragprog *p, const struct fragprog_ranges *r,
                     const struct fragprog_inst *inst)
{
    static const uint32_t ops = 1u << FRAGPROG_MOV | 1u << FRAGPROG_ADD | 1u << FRAGPROG_MUL |
        1u << FRAGPROG_SUB | 1u << FRAGPROG_MAD;
    if (!(ops >> inst->op & 1))
        return false;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++) {
        const struct fragprog_src *src = &inst->src[s];
        const bool unit = src->file == FRAGPROG_VALUE ? r->flags[src->index] & FRAGPROG_UNIT
            : src->file == FRAGPROG_CONST             ? fragprog_is_unit_constant(&p->konst[src->index])
                                                      : src->file != FRAGPROG_COORD;
        if (!unit || src->negate)
            return false;
    }
    return true;
}

bool fragprog_acceptable(const struct fragprog *p, const struct fragprog_ranges *r,
                         const struct fragprog_inst *inst)
{
    if (p->unbounded)
        return true;
    if (!has_readable_sources(inst))
        return false;
    if (inst->clamp == FRAGPROG_SAT8)
        /* an explicit clamp to [-8,8] gives the same result, whatever instruction computes the value */
        return true;
    const double scale = inst->clamp == FRAGPROG_SAT || inst->scale < 0 ? 1 : 1 << inst->scale;
    struct fragprog_interval x;
    if (scale == 1 && is_small(p, r, inst))
        return true;
    if (fragprog_even_range(r, p, inst, &x))
        return x.lo * scale >= -8 && x.hi * scale <= 8;
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask & 1u << c) {
            x = fragprog_op_range(r, p, inst, c);
            if (x.lo * scale < -8 || x.hi * scale > 8)
                return false;
        }
    return true;
}
