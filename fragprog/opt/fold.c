/* Pass "fold", constant folding (--fold-constants): channels that are 0, 1/2 or 1 become literals, and
 * operations on constants become constants. The result of an operation is folded only if it is exactly a
 * single-precision number. */
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

#include <string.h>

/* Makes environment colours immediates, so that the following passes may use their values. */
static bool fix_colors(struct fragprog *p)
{
    bool changed = false;
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++)
            if (p->konst[k].origin[c].unit >= 0 && p->konst[k].origin[c].unit < FRAGPROG_ORIGIN_GLOBAL) {
                p->konst[k].origin[c].unit = -1;
                p->konst[k].origin[c].component = 0;
                changed = true;
            }
    return changed;
}

/* Finds the value of a source in one lane, if it is known. */
static bool known(const struct fragprog *p, const struct fragprog_src *src, unsigned lane, double *value)
{
    if (fragprog_literal_value(src, 1u << lane, value))
        return true;
    if (src->file != FRAGPROG_CONST || src->lane[lane] > FRAGPROG_W || src->mods & FRAGPROG_ABS ||
        (p->unbounded ? p->konst[src->index].origin[src->lane[lane]].unit >= 0
                      : p->konst[src->index].origin[src->lane[lane]].unit >= FRAGPROG_ORIGIN_GLOBAL))
        return false;
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    if (p->unbounded && src->mods & ~(unsigned)FRAGPROG_NEG)
        return false; /* the sum might be rounded */
    double x = p->konst[src->index].value[src->lane[lane]];
    *value = a.m * (src->negate & 1u << lane ? -x : x) + a.t;
    return true;
}

static bool source_to_literal(const struct fragprog *p, struct fragprog_inst *inst, unsigned s)
{
    unsigned lanes = fragprog_lanes_read(inst, s);
    double v = 0, w;
    bool any = false;
    if (inst->src[s].file != FRAGPROG_CONST)
        return false;
    for (unsigned lane = 0; lane < 4; lane++)
        if (lanes & 1u << lane) {
            if (!known(p, &inst->src[s], lane, &w) || (any && w != v))
                return false;
            v = w;
            any = true;
        }
    return any && fragprog_literal_source(&inst->src[s], v);
}

/* Returns true if a + b is exact in double precision. */
static bool is_exact_sum(double a, double b)
{
    const double sum = a + b;
    return sum - a == b && sum - b == a;
}

/* Computes the result in one channel. Returns false if an operand is not known, or the exact result is not a
 * single-precision number. */
static bool evaluate(const struct fragprog *p, const struct fragprog_inst *inst, unsigned channel,
                     float *result)
{
    double v[3] = {0, 0, 0}, x = 0;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (!known(p, &inst->src[s], channel, &v[s]))
            return false;
    if (p->unbounded && fragprog_op_args(inst->op) == 2 && inst->op != FRAGPROG_MUL &&
        !is_exact_sum(v[0], inst->op == FRAGPROG_SUB ? -v[1] : v[1]))
        return false;
    if (!fragprog_op_is_polynomial(inst->op) || fragprog_op_args(inst->op) > 2)
        /* in double precision, a product of two 24-bit factors is exact, but adding a third term may be
         * inexact */
        return false;
    for (const struct fragprog_product *q = fragprog_formula(inst->op); q->sign; q++)
        x += q->sign * v[q->factor[0]] * (q->factor[1] == FRAGPROG_FACTOR_ONE ? 1 : v[q->factor[1]]);
    x *= fragprog_power(inst->scale);
    if (inst->clamp == FRAGPROG_SAT)
        x = x < 0 ? 0 : x > 1 ? 1 : x;
    *result = (float)x;
    return (double)*result == x;
}

/* Returns the index of an immediate with these values in the channels of the mask, adding one if needed; -1
 * if none is free. */
static int immediate(struct fragprog *p, const float *value, unsigned mask)
{
    for (unsigned k = 0; k < p->nkonst; k++) {
        bool same = true;
        for (unsigned c = 0; c < 4; c++)
            same &= !(mask & 1u << c) || (p->konst[k].origin[c].unit < 0 && p->konst[k].value[c] == value[c]);
        if (same)
            return (int)k;
    }
    if (p->nkonst == p->maxkonst)
        return -1;
    struct fragprog_const *k = &p->konst[p->nkonst];
    memset(k, 0, sizeof *k);
    for (unsigned c = 0; c < 4; c++) {
        k->value[c] = mask & 1u << c ? value[c] : 0;
        k->origin[c].unit = -1;
    }
    return p->nkonst++;
}

static bool fold_instruction(struct fragprog *p, struct fragprog_inst *inst)
{
    float value[4] = {0, 0, 0, 0};
    const bool limited = inst->clamp == FRAGPROG_SAT;
    bool plain = inst->op == FRAGPROG_MOV && inst->src[0].file == FRAGPROG_CONST && inst->src[0].mods == 0 &&
        inst->scale == 0;
    bool literal = inst->op == FRAGPROG_MOV && inst->src[0].file == FRAGPROG_LITERAL;
    if (plain || literal || (!limited && (!p->unbounded || inst->clamp)) || inst->op == FRAGPROG_OUT)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask & 1u << c && !evaluate(p, inst, c, &value[c]))
            return false;
    int k = immediate(p, value, inst->mask);
    if (k < 0)
        return false;
    inst->op = FRAGPROG_MOV;
    inst->scale = 0;
    inst->src[0] = fragprog_src_value((unsigned)k);
    inst->src[0].file = FRAGPROG_CONST;
    if (inst->mask == FRAGPROG_MASK_W)
        inst->src[0] = fragprog_src_replicate(FRAGPROG_CONST, (unsigned)k, FRAGPROG_W);
    memset(&inst->src[1], 0, 2 * sizeof inst->src[1]);
    return true;
}

bool fragprog_opt_fold(struct fragprog *p, const struct fragprog_opt *opt)
{
    if (!opt->fold_constants && !p->unbounded)
        return false;
    bool changed = opt->fold_constants && fix_colors(p);
    for (unsigned i = 0; i < p->ninst; i++) {
        struct fragprog_inst *inst = &p->inst[i];
        if (fragprog_op_is_lookup(inst->op) || inst->op == FRAGPROG_VEC)
            continue;
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
            if (source_to_literal(p, inst, s)) {
                fragprog_fired(opt, "fold_literal", inst->unit);
                changed = true;
            }
        if (fold_instruction(p, inst)) {
            fragprog_fired(opt, "fold_constant", inst->unit);
            changed = true;
        }
    }
    return changed;
}
