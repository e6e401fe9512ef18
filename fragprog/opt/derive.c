/* Replaces expressions of environment colours by derived constants, whose values are computed by the code
 * that uploads the colours. Such expressions are a colour with modifiers (1-c, 2c-1), and sums and products
 * of two such operands. This is not a row of fragprog_passes, because it applies only to chips whose
 * constants can hold such numbers (notes/numbers.md). */
#include "fragprog/algebra/derived.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

#include <string.h>

/* Stores a lane of an operand as argument i of the expression *d. Returns false if the lane is neither a
 * colour nor a literal. Sets *color if it is a colour. */
static bool argument(const struct fragprog *p, const struct fragprog_src *src, unsigned lane,
                     struct fragprog_derived *d, unsigned i, bool *color)
{
    const unsigned l = src->lane[lane];
    if ((src->file != FRAGPROG_CONST && l <= FRAGPROG_W) || src->mods & FRAGPROG_ABS)
        return false;
    d->arg[i].mods = src->mods;
    d->arg[i].negate = src->negate >> lane & 1;
    d->arg[i].lane = (uint8_t)l;
    if (l > FRAGPROG_W)
        return true;
    const struct fragprog_const *k = &p->konst[src->index];
    d->arg[i].unit = (uint8_t)k->origin[l].unit;
    d->arg[i].lane = k->origin[l].component;
    *color = true;
    return k->origin[l].unit >= 0 && k->origin[l].unit < FRAGPROG_ORIGIN_GLOBAL;
}

/* Returns the index of a constant with these origins in the lanes of the mask, adding them if needed; -1 if
 * there is no room. */
static int constant(struct fragprog *p, const int32_t origin[4], unsigned mask)
{
    unsigned k = 0;
    for (; k < p->nkonst; k++) {
        bool fits = true, derived = false;
        for (unsigned c = 0; c < 4; c++) {
            const int32_t there = p->konst[k].origin[c].unit;
            derived |= there >= FRAGPROG_ORIGIN_DERIVED;
            fits &= !(mask >> c & 1) || there == FRAGPROG_ORIGIN_IMMEDIATE || there == origin[c];
        }
        if (fits && derived)
            break;
    }
    if (k == p->maxkonst)
        return -1;
    struct fragprog_const *to = &p->konst[k];
    if (k == p->nkonst) {
        memset(to, 0, sizeof *to);
        for (unsigned c = 0; c < 4; c++)
            to->origin[c].unit = FRAGPROG_ORIGIN_IMMEDIATE;
        p->nkonst++;
    }
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            to->origin[c].unit = origin[c];
    return (int)k;
}

/* Computes the values of all derived lanes from the values of the colours in the original program. */
static void set_values(struct fragprog *p, const struct fragprog *colors)
{
    float color[TEXENV_UNITS][4] = {{0}};
    for (unsigned n = 0; n < colors->nkonst; n++)
        for (unsigned c = 0; c < 4; c++) {
            const int32_t unit = colors->konst[n].origin[c].unit;
            if (unit >= 0 && unit < FRAGPROG_ORIGIN_GLOBAL)
                color[unit][colors->konst[n].origin[c].component] = colors->konst[n].value[c];
        }
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++)
            if (p->konst[k].origin[c].unit >= FRAGPROG_ORIGIN_DERIVED)
                p->konst[k].value[c] = fragprog_derived_value(p->konst[k].origin[c].unit, color[0]);
}

/* Makes the source read a constant with these origins in these lanes; equal origins share one lane. */
static bool read_constant(struct fragprog *p, struct fragprog_src *src, const int32_t origin[4],
                          unsigned lanes, unsigned lane)
{
    int32_t moved[4];
    bool same = true;
    unsigned first = 0;
    while (!(lanes >> first & 1))
        first++;
    for (unsigned c = 0; c < 4; c++) {
        same &= !(lanes >> c & 1) || origin[c] == origin[first];
        moved[c] = lanes >> c & 1 ? origin[c] : 0;
    }
    const unsigned at = lane > FRAGPROG_W ? FRAGPROG_W : lane;
    if (same)
        moved[at] = origin[first];
    const int k = constant(p, moved, same ? 1u << at : lanes);
    if (k < 0)
        return false;
    *src = same ? fragprog_src_replicate(FRAGPROG_CONST, (unsigned)k, at) : fragprog_src_value((unsigned)k);
    src->file = FRAGPROG_CONST;
    return true;
}

/* Replaces a derived constant with modifiers by another derived constant. */
static bool derive_again(struct fragprog *p, struct fragprog_src *src, unsigned lanes)
{
    int32_t origin[4] = {0};
    unsigned lane = 0;
    bool negative = false;
    if (src->mods & FRAGPROG_ABS || src->negate & lanes)
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!(lanes >> c & 1))
            continue;
        lane = src->lane[c];
        if (lane > FRAGPROG_W)
            return false;
        origin[c] = fragprog_derived_then(p->konst[src->index].origin[lane].unit,
                                          fragprog_affine_of(src->mods), &negative);
        if (origin[c] == FRAGPROG_ORIGIN_IMMEDIATE)
            return false;
    }
    if (!read_constant(p, src, origin, lanes, lane))
        return false;
    src->mods = negative ? FRAGPROG_NEG : 0;
    return true;
}

/* Replaces a colour that has modifiers other than a negation by a derived constant. */
static bool derive_source(struct fragprog *p, struct fragprog_src *src, unsigned lanes)
{
    int32_t origin[4] = {0};
    unsigned lane = 0;
    bool color = false;
    if (!(src->mods & (FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X)) || src->file != FRAGPROG_CONST)
        return false;
    for (unsigned c = 0; c < 4; c++) {
        struct fragprog_derived d = {.op = FRAGPROG_MOV};
        if (!(lanes >> c & 1))
            continue;
        if (!argument(p, src, c, &d, 0, &color))
            return derive_again(p, src, lanes);
        origin[c] = fragprog_derived_origin(&d);
        lane = d.arg[0].lane;
    }
    return color && read_constant(p, src, origin, lanes, lane);
}

/* Replaces an instruction that reads only colours and literals by a move of a derived constant. */
static bool derive_instruction(struct fragprog *p, struct fragprog_inst *inst)
{
    int32_t origin[4] = {0};
    unsigned lane = 0;
    bool color = false;
    const struct fragprog_src *src = inst->src;
    if (inst->op > FRAGPROG_SUB || inst->clamp == FRAGPROG_SAT8 || inst->scale < -3 || inst->scale > 3 ||
        (inst->op == FRAGPROG_MOV && !inst->scale && !src->mods && !src->negate))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        struct fragprog_derived d = {.op = inst->op, .scale = inst->scale};
        if (!(inst->mask >> c & 1))
            continue;
        for (unsigned s = 0; s < fragprog_op_args(inst->op) && s < 2; s++)
            if (!argument(p, &src[s], c, &d, s, &color))
                return false;
        origin[c] = fragprog_derived_origin(&d);
        if (origin[c] == FRAGPROG_ORIGIN_IMMEDIATE)
            return false;
        if (inst->clamp == FRAGPROG_SAT) {
            const struct fragprog_interval x = fragprog_derived_range(origin[c]);
            d.sat = x.lo < 0 || x.hi > 1;
            origin[c] = fragprog_derived_origin(&d);
        }
        lane = d.arg[0].lane;
    }
    if (!color || !read_constant(p, &inst->src[0], origin, inst->mask, lane))
        return false;
    inst->op = FRAGPROG_MOV;
    inst->scale = 0;
    memset(&inst->src[1], 0, 2 * sizeof inst->src[1]);
    return true;
}

/* Returns true if the operand is known to be in [0,1] without range analysis. */
static bool is_unit(const struct fragprog *p, const struct fragprog_src *src)
{
    if (src->mods & ~(unsigned)FRAGPROG_COMP || src->negate)
        return false;
    if (src->file == FRAGPROG_VALUE)
        return p->inst[src->index].op == FRAGPROG_TEX || p->inst[src->index].clamp == FRAGPROG_SAT;
    if (src->file == FRAGPROG_CONST)
        return fragprog_is_unit_constant(&p->konst[src->index]);
    return src->file == FRAGPROG_PRIMARY || src->file == FRAGPROG_SECONDARY;
}

/* Replaces (x*k)*l with x*(k*l) if x*k has no other use. */
static bool derive_product(struct fragprog *p, struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_src v = inst->src[s];
    if (inst->op != FRAGPROG_MUL || v.file != FRAGPROG_VALUE || v.mods || v.negate ||
        fragprog_lane_word(v.lane, inst->mask) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE)
        return false;
    const struct fragprog_inst *from = &p->inst[v.index];
    if (from->op != FRAGPROG_MUL || from->scale > 0 || from->scale + inst->scale < -3 ||
        (from->clamp && !(is_unit(p, &from->src[0]) && is_unit(p, &from->src[1]))) ||
        fragprog_uses(p, v.index) != 1)
        return false;
    struct fragprog_inst both = *inst;
    for (unsigned n = 0; n < 2; n++) {
        struct fragprog_inst product = {.op = FRAGPROG_MUL, .mask = inst->mask};
        product.src[0] = fragprog_through(&v, &from->src[n]);
        product.src[1] = inst->src[1 - s];
        if (!derive_instruction(p, &product))
            continue;
        both.scale = (int8_t)(inst->scale + from->scale);
        both.src[s] = fragprog_through(&v, &from->src[1 - n]);
        both.src[1 - s] = product.src[0];
        *inst = both;
        return true;
    }
    return false;
}

/* Quick test whether the operand may be a constant or literal; derive_instruction decides. */
static bool is_known(const struct fragprog_src *src)
{
    return src->file == FRAGPROG_CONST ||
        fragprog_lane_word(src->lane, 15) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE;
}

/* Makes *out the derived constant (a op b) in the lanes of the mask, if a and b are colours or literals. */
static bool derive_two(struct fragprog *p, unsigned mask, unsigned op, const struct fragprog_src *a,
                       const struct fragprog_src *b, struct fragprog_src *out)
{
    struct fragprog_inst two = {.op = (uint8_t)op, .mask = (uint8_t)mask};
    if (!is_known(a) || !is_known(b))
        return false;
    two.src[0] = *a;
    two.src[1] = *b;
    if (!derive_instruction(p, &two))
        return false;
    *out = two.src[0];
    return true;
}

/* Let k and l be constants. Replaces lerp(x,k,l) with x*(k-l) + l, lerp(k,x,l) with k*x + (1-k)*l,
 * lerp(k,l,x) with (1-k)*x + k*l, and mad(k,l,x) with (k*l) + x. */
static bool derive_three(struct fragprog *p, struct fragprog_inst *inst)
{
    struct fragprog_src *src = inst->src, other = src[0];
    if (inst->op == FRAGPROG_MAD && derive_two(p, inst->mask, FRAGPROG_MUL, &src[0], &src[1], &src[0])) {
        inst->op = FRAGPROG_ADD;
        src[1] = src[2];
        memset(&src[2], 0, sizeof src[2]);
        return true;
    }
    if (inst->op != FRAGPROG_LERP || !fragprog_apply(&other, inst->mask, (struct fragprog_affine){-1, 1}))
        return false;
    if (derive_two(p, inst->mask, FRAGPROG_MUL, &src[0], &src[1], &src[1])) {
        const struct fragprog_src product = src[1];
        src[0] = other;
        src[1] = src[2];
        src[2] = product;
    } else if (!derive_two(p, inst->mask, FRAGPROG_SUB, &src[1], &src[2], &src[1]) &&
               !derive_two(p, inst->mask, FRAGPROG_MUL, &other, &src[2], &src[2])) {
        return false;
    }
    inst->op = FRAGPROG_MAD;
    return true;
}

/* Moves the offset t of an operand's modifiers into a constant summand l: (m*x+t) + l becomes m*x + (l+t),
 * and (m*x+t)*k + l becomes m*x*k + (l+t*k) if t is 1 or -1. */
static bool derive_sum(struct fragprog *p, struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_affine a = fragprog_affine_of(inst->src[s].mods);
    const bool mad = inst->op == FRAGPROG_MAD, sub = inst->op == FRAGPROG_SUB;
    if (a.t == 0 || inst->src[s].file == FRAGPROG_CONST || !(mad || sub || inst->op == FRAGPROG_ADD))
        return false;
    struct fragprog_src *l = &inst->src[mad ? 2 : 1 - s], t = inst->src[1 - s], moved = *l;
    if (mad ? a.t * a.t != 1 : !fragprog_literal_source(&t, a.t < 0 ? -a.t : a.t))
        return false;
    const bool minus = (a.t < 0) != sub;
    if (!derive_two(p, inst->mask, minus ? FRAGPROG_SUB : FRAGPROG_ADD, l, &t, l)) {
        if (mad || !fragprog_apply(&moved, inst->mask, (struct fragprog_affine){1, sub ? -a.t : a.t}) ||
            !derive_source(p, &moved, inst->mask))
            return false;
        *l = moved;
    }
    inst->src[s].mods = (uint8_t)((inst->src[s].mods & FRAGPROG_ABS) |
                                  (unsigned)fragprog_mods_of((struct fragprog_affine){a.m, 0}));
    return true;
}

static bool reads_constants(const struct fragprog_inst *inst)
{
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        if (inst->src[s].file == FRAGPROG_CONST)
            return true;
    return false;
}

/* Applies all rewrites to one instruction. */
static bool derive_at(struct fragprog *p, struct fragprog_inst *inst)
{
    const bool constants = reads_constants(inst);
    bool changed = false;
    if (constants && derive_instruction(p, inst))
        return true;
    changed = constants && derive_three(p, inst);
    for (unsigned s = 0; s < 2; s++)
        changed |= derive_product(p, inst, s) || (constants && derive_sum(p, inst, s));
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].mods && inst->src[s].file == FRAGPROG_CONST)
            changed |= derive_source(p, &inst->src[s], fragprog_lanes_read(inst, s));
    return changed;
}

bool fragprog_derive(struct fragprog *p, const struct fragprog *colors)
{
    bool changed = false;
    if (!p->nkonst || p->unbounded)
        return false;
    for (unsigned i = 0; i < p->ninst; i++)
        if (!fragprog_op_is_lookup(p->inst[i].op) && p->inst[i].op != FRAGPROG_VEC)
            changed |= derive_at(p, &p->inst[i]);
    if (changed)
        set_values(p, colors);
    return changed;
}
