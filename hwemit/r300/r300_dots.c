/* Emits dot products and conditional selects (CND, CMP). */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

static const float power_of_two[] = {0.125f, 0.25f, 0.5f, 1, 2, 4, 8};

static void set_range(struct chooser *c, uint16_t v, unsigned clamp)
{
    c->p->vreg[v].low = clamp == FRAGPROG_SAT ? 0 : -1e6f;
    c->p->vreg[v].high = clamp == FRAGPROG_SAT ? 1 : 1e6f;
    c->p->vreg[v].writers++;
}

/* Emits a dot product of three terms into a register whose three channels are equal. */
static uint16_t append_dp3(struct chooser *c, const struct fragprog_inst *inst, const struct operation *d,
                           unsigned clamp, bool out)
{
    const struct target t = {
        .vreg = NONE, .half = RGB, .mask = 7, .clamp = (uint8_t)clamp, .unit = inst->unit, .out = out};
    uint16_t v = hwemit_r300_new_vreg(c, V_OP, RGB);
    struct op *op = c->failed ? NULL : hwemit_r300_append(c, &t, OP_DP3, d);
    if (!op)
        return 0;
    op->result[RGB] = v;
    c->p->vreg[v].uniform = true;
    c->p->vreg[v].source = (uint16_t)(op - c->p->op);
    set_range(c, v, clamp);
    return v;
}

static uint16_t emit_dp3(struct chooser *c, const struct fragprog_inst *inst, int scale, unsigned clamp,
                         bool out)
{
    struct operation d;
    hwemit_r300_dp3(c, &d, inst, scale, false);
    return append_dp3(c, inst, &d, clamp, out);
}

/* Emits a copy of a dot product for each part that is read, with the clamp of that part, and with its scale
 * unless the dot product is already scaled. dot NONE: the value is 0. */
static void emit_copies(struct chooser *c, unsigned i, unsigned parts, uint16_t dot, bool scaled,
                        const struct fragprog_inst *const inst[2])
{
    for (unsigned half = 0; half < 2 && !c->failed; half++) {
        const unsigned result = (unsigned)(inst[half] - c->ir->inst);
        if (!(parts >> half & 1))
            continue;
        const struct target t = {.vreg = NONE,
                                 .half = (uint8_t)half,
                                 .mask = half == RGB ? 7 : 1,
                                 .clamp = dot == NONE ? FRAGPROG_NO_CLAMP : inst[half]->clamp,
                                 .unit = inst[half]->unit,
                                 .out = c->ir->result[half] == result,
                                 .fixed = half == RGB && c->read[i] & 4};
        const struct leaf leaf = hwemit_r300_of_vreg(dot, RGB).leaf;
        const struct fragprog_quad q = fragprog_quad_affine(dot == NONE ? 0
                                                                : scaled
                                                                ? 1
                                                                : power_of_two[inst[half]->scale + 3],
                                                            1, 0);
        c->vreg[result][half] = hwemit_r300_emit_limited(c, &t, &q, &leaf, dot != NONE);
    }
}

/* Emits instruction inst, one half of a dot product whose halves differ in scale (see emit_apart): 2^omod *
 * sign * (u - x.b - (v - 3/2)), where u, x and v are rest->leaf and the sign is that of rest->factor. */
struct rest {
    struct leaf leaf[3];
    int omod; /* in addition to the instruction's scale */
    float factor;
};
static void emit_rest(struct chooser *c, unsigned i, unsigned half, const struct fragprog_inst *inst,
                      const struct rest *rest)
{
    const unsigned result = (unsigned)(inst - c->ir->inst);
    struct operation d = {.nleaves = 3, .nforms = 1, .form = {{NO_PRESUB}}};
    struct form *f = d.form;
    memcpy(d.leaf, rest->leaf, sizeof rest->leaf);
    f->pre[0] = (struct presub){PRE_SUB, {ARG_LEAF + 1, ARG_LEAF}};
    f->pre[1] = (struct presub){PRE_SUB, {ARG_NUMBER, ARG_LEAF + 2}};
    f->number[0] = 1.5f;
    f->arg[0] = ARG_PRE, f->arg[1] = ARG_ONE, f->arg[2] = ARG_PRE2;
    f->mod[rest->factor < 0 ? 0 : 2] = MOD_NEG;
    f->omod = (int8_t)(rest->omod + inst->scale);
    const struct target t = {.vreg = NONE,
                             .half = (uint8_t)half,
                             .mask = half == RGB ? 7 : 1,
                             .clamp = inst->clamp,
                             .unit = inst->unit,
                             .out = c->ir->result[half] == result};
    const uint16_t v = hwemit_r300_new_vreg(c, V_OP, half);
    struct op *op = c->failed ? NULL : hwemit_r300_append(c, &t, OP_MAD, &d);
    if (!op)
        return;
    op->result[half] = v;
    set_range(c, v, inst->clamp);
    c->vreg[half == RGB ? i : result][half] = v;
}

/* Emits both halves of a DOT3 whose halves differ in scale and whose operands are both 1 - 2x. (x - 1/2).(y -
 * 1/2) is (x - 1/2).y minus half the sum of x - 1/2; the alpha half adds two terms of that sum while the
 * colour half computes the dot product. A second pair subtracts and scales in each half. A dot product and a
 * copy for each half would take three pairs. */
static bool emit_apart(struct chooser *c, unsigned i, const struct fragprog_inst *const inst[2])
{
    struct affine a[2];
    struct operation d = {.nleaves = 0};
    for (unsigned s = 0; s < 2; s++)
        if (!hwemit_r300_read_source(c, &a[s], inst[RGB], s, 7, RGB) || a[s].abs ||
            a[s].leaf.file == FILE_NONE || a[s].factor != -2 * a[s].offset || a[s].factor == 0)
            return false;
    if (hwemit_r300_dp3_direct(c, &d, a, 0, false))
        return false;
    const unsigned x = a[0].leaf.file == FILE_CONST ? 1 : 0;
    const uint8_t *lane = a[x].leaf.lane;
    const float factor = a[0].factor * a[1].factor / 2;
    int omod = -3;
    while (omod <= 3 && power_of_two[omod + 3] != factor && power_of_two[omod + 3] != -factor)
        omod++;
    for (unsigned half = 0; half < 2; half++)
        if (omod + inst[half]->scale < -3 || omod + inst[half]->scale > 3)
            return false;
    if (lane[0] != 0 || lane[1] != 1 || lane[2] != 2 || hwemit_r300_uniform(c, &a[x].leaf))
        return false;
    a[x].factor = a[1 - x].factor = 1;
    a[x].offset = -0.5f, a[1 - x].offset = 0;
    d.nleaves = 0;
    if (!hwemit_r300_dp3_direct(c, &d, a, 1, false))
        return false;

    const uint16_t u = append_dp3(c, inst[RGB], &d, FRAGPROG_NO_CLAMP, false);
    const struct target t = {.vreg = NONE, .half = ALPHA, .mask = 1, .unit = inst[ALPHA]->unit};
    struct rest rest = {.leaf = {a[x].leaf, a[x].leaf}, .omod = omod, .factor = factor};
    struct leaf *leaf = rest.leaf;
    memset(leaf[0].lane, 0, 3);
    memset(leaf[1].lane, 1, 3);
    struct fragprog_quad sum = fragprog_quad_affine(1, 1, 0), green = fragprog_quad_affine(1, 2, 0);
    sum = fragprog_quad_sum(1, &sum, 1, &green);
    const uint16_t v = c->failed ? 0 : hwemit_r300_emit_quad(c, &t, &sum, leaf, 2);
    leaf[0] = hwemit_r300_of_vreg(u, RGB).leaf;
    leaf[2] = hwemit_r300_of_vreg(v, ALPHA).leaf;
    /* u, whose channels are all equal, is read like x.b, since both sources of a presubtract need the same
     * swizzle */
    memset(leaf[0].lane, 2, 3);
    memset(leaf[1].lane, 2, 3);
    for (unsigned half = 0; half < 2 && !c->failed; half++)
        emit_rest(c, i, half, inst[half], &rest);
    return true;
}

/* Returns the later instruction that computes the same dot product for alpha only, or NULL. */
const struct fragprog_inst *hwemit_r300_companion(const struct chooser *c, unsigned i)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    for (unsigned j = i + 1; j < c->ir->ninst; j++) {
        const struct fragprog_inst *other = &c->ir->inst[j];
        if (other->op == inst->op && other->mask == FRAGPROG_MASK_W && c->read[j] & 2 &&
            memcmp(other->src, inst->src, 2 * sizeof *inst->src) == 0)
            return other;
    }
    return NULL;
}

/* Returns whether the dot product is x . -kx, which is never positive. */
static bool never_positive(struct chooser *c, const struct fragprog_inst *inst)
{
    struct affine a[2];
    for (unsigned s = 0; s < 2; s++)
        if (!hwemit_r300_read_source(c, &a[s], inst, s, 7, RGB) || a[s].abs || a[s].leaf.file == FILE_NONE)
            return false;
    return memcmp(&a[0].leaf, &a[1].leaf, sizeof a[0].leaf) == 0 && a[0].factor * a[1].factor < 0 &&
        a[0].factor * a[1].offset == a[1].factor * a[0].offset;
}

/* Emits one pair for both halves of a dot product. If no source can be multiplied by the colour's scale,
 * emits the dot product without scale and a copy for each half. */
static void emit_paired(struct chooser *c, unsigned i, unsigned parts,
                        const struct fragprog_inst *const half[2])
{
    const struct fragprog_inst *inst = half[RGB], *first = parts & 1 ? half[RGB] : half[ALPHA];
    const unsigned alpha = (unsigned)(half[ALPHA] - c->ir->inst), rgb_clamp = first->clamp,
                   alpha_clamp = half[ALPHA]->clamp;
    const int rgb_scale = first->scale, alpha_scale = half[ALPHA]->scale;
    const bool free_order = c->p->chip->dot_copies_first;
    struct operation d;
    hwemit_r300_dp3(c, &d, inst, rgb_scale, !free_order);
    const int omod = d.form[0].omod;
    if (omod != 0 && !free_order && !c->failed) { /* no source can be multiplied by the scale */
        uint16_t v = emit_dp3(c, inst, 0, FRAGPROG_NO_CLAMP, false);
        if (!c->failed)
            emit_copies(c, i, parts, v, false, half);
        return;
    }
    const struct target t = {.vreg = NONE,
                             .half = RGB,
                             .mask = 7,
                             .clamp = (uint8_t)rgb_clamp,
                             .unit = inst->unit,
                             .out = parts & 1 && c->ir->result[RGB] == i};
    uint16_t v[2] = {hwemit_r300_new_vreg(c, V_OP, RGB), hwemit_r300_new_vreg(c, V_OP, ALPHA)};
    struct op *op = c->failed ? NULL : hwemit_r300_append(c, &t, OP_DP3, &d);
    if (!op)
        return;
    op->where = AT_BOTH;
    for (unsigned k = 1; k < op->nforms; k++) /* alpha_omod must be right for all forms: drop the others */
        if (d.form[k].omod != omod)
            op->nforms = (uint8_t)k;
    op->out[ALPHA] = parts & 2 && c->ir->result[ALPHA] == alpha;
    op->alpha_omod = (int8_t)(omod + alpha_scale - rgb_scale);
    /* a clamp in both halves does no harm: the second one changes nothing */
    c->p->relies_on_dot_copy |= omod != 0 || (rgb_clamp && !alpha_clamp);
    op->alpha_clamp = (uint8_t)alpha_clamp;
    op->result[RGB] = parts & 1 ? v[RGB] : NONE;
    op->result[ALPHA] = v[ALPHA];
    set_range(c, v[RGB], rgb_clamp);
    set_range(c, v[ALPHA], alpha_clamp);
    if (parts & 1)
        c->vreg[i][RGB] = v[RGB];
    c->vreg[alpha][ALPHA] = v[ALPHA];
}

/* Emits DOT3: colour by DP3, and alpha by DP in the same pair. It is not known whether the alpha half copies
 * the dot product before or after the colour's output modifier and clamp, so the pair is used only where this
 * makes no difference (notes/facts/hw-open.md r300.12). */
static void emit_dot3(struct chooser *c, unsigned i, unsigned parts)
{
    const struct fragprog_inst *inst = &c->ir->inst[i], *half[2] = {inst, inst};
    if (c->vreg[i][ALPHA] != NONE && !(parts & 1))
        return; /* already emitted with its colour half */
    if (!(parts & 2)) {
        const struct fragprog_inst *other = hwemit_r300_companion(c, i);
        if (other && c->vreg[other - c->ir->inst][ALPHA] == NONE) {
            half[ALPHA] = other;
            parts |= 2;
        }
    }
    const struct fragprog_inst *first = half[parts & 1 ? RGB : ALPHA], *second = half[ALPHA];
    const unsigned alpha = (unsigned)(second - c->ir->inst);
    if ((!(parts & 1) || half[RGB]->clamp == FRAGPROG_SAT) &&
        (!(parts & 2) || half[ALPHA]->clamp == FRAGPROG_SAT) && never_positive(c, inst)) {
        emit_copies(c, i, parts, NONE, true, half);
        return;
    }
    /* a sum of three products can leave [-8,8] */
    if (half[RGB]->clamp == FRAGPROG_SAT8 || half[ALPHA]->clamp == FRAGPROG_SAT8) {
        const bool equal = parts != 3 ||
            (half[RGB]->scale == half[ALPHA]->scale && half[RGB]->clamp == half[ALPHA]->clamp);
        uint16_t v = emit_dp3(c, inst, equal ? first->scale : 0, FRAGPROG_NO_CLAMP, false);
        if (!c->failed)
            emit_copies(c, i, parts, v, equal, half);
        return;
    }
    const bool out_alpha = parts & 2 && c->ir->result[ALPHA] == alpha;
    if (!out_alpha &&
        (parts != 3 || (half[0]->scale == half[1]->scale && half[0]->clamp == half[1]->clamp))) {
        uint16_t v = emit_dp3(c, first, first->scale, first->clamp, parts & 1 && c->ir->result[RGB] == i);
        if (parts & 1)
            c->vreg[i][RGB] = v;
        if (parts & 2)
            c->vreg[alpha][ALPHA] = v;
        return;
    }
    if (!c->p->chip->dot_copies_first && (second->scale < first->scale || (first->clamp && !second->clamp))) {
        if (emit_apart(c, i, half))
            return;
        struct fragprog_inst plain = *inst;
        plain.scale = 0;
        uint16_t v = emit_dp3(c, &plain, 0, FRAGPROG_NO_CLAMP, false);
        if (!c->failed)
            emit_copies(c, i, parts, v, false, half);
        return;
    }
    emit_paired(c, i, parts, half);
}

/* Returns channel `lane` of a source as a replicated scalar, with its factor and offset; used for the terms
 * of DOT4 and DOT2ADD that DP3 does not compute. */
static struct leaf scalar(struct chooser *c, float *factor, float *offset, const struct fragprog_src *src,
                          unsigned lane)
{
    struct fragprog_src one = *src;
    struct affine a;
    memset(one.lane, src->lane[lane], 4);
    one.negate = src->negate >> lane & 1 ? 15 : 0;
    struct fragprog_inst inst = {.op = FRAGPROG_MOV, .src = {one}, .unit = -1};
    if (!hwemit_r300_read_source(c, &a, &inst, 0, 7, RGB) || a.abs)
        a = hwemit_r300_materialise(c, &inst, 0, 7, RGB, 1);
    *factor = a.factor;
    *offset = a.offset;
    return a.leaf;
}

/* The third operand of emit_product: register vreg; if vreg is NONE, channel `lane` of source 2; or 0 if also
 * `lane` is negative. */
struct summand {
    uint16_t vreg;
    int lane;
};

/* Emits 2^scale * (a[lane]*b[lane] + c) into a target. */
static uint16_t emit_product(struct chooser *c, const struct target *t, const struct fragprog_inst *inst,
                             unsigned lane, struct summand to, int scale)
{
    struct leaf leaves[MAX_LEAVES], leaf;
    unsigned n = 0;
    float factor, offset;
    struct fragprog_quad q[3], product;
    for (unsigned s = 0; s < 3; s++) {
        if (s == 2 && to.vreg != NONE) { /* a value that cannot be in either part is in the colour part */
            const unsigned part = c->p->vreg[to.vreg].uniform ? t->half : RGB;
            leaf = hwemit_r300_of_vreg(to.vreg, part).leaf;
            factor = 1, offset = 0;
        } else if (s == 2 && to.lane < 0) {
            q[s] = fragprog_quad_affine(0, 0, 0);
            continue;
        } else
            leaf = scalar(c, &factor, &offset, &inst->src[s], s == 2 ? (unsigned)to.lane : lane);
        unsigned number = leaf.file == FILE_NONE ? 0 : hwemit_r300_add_leaf(leaves, &n, &leaf);
        q[s] = fragprog_quad_affine(factor, number, offset);
    }
    fragprog_quad_product(&product, &q[0], &q[1]);
    product = fragprog_quad_sum(1, &product, 1, &q[2]);
    product = fragprog_quad_sum(power_of_two[scale + 3], &product, 0, &product);
    return hwemit_r300_emit_limited(c, t, &product, leaves, n);
}

void hwemit_r300_emit_dot(struct chooser *c, unsigned i, unsigned parts)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    if (inst->op == FRAGPROG_DOT3) {
        emit_dot3(c, i, parts);
        return;
    }
    for (unsigned half = 0; half < 2 && !c->failed; half++) {
        if (!(parts >> half & 1))
            continue;
        struct target t = {.vreg = NONE,
                           .half = (uint8_t)half,
                           .mask = half == RGB ? 7 : 1,
                           .clamp = inst->clamp,
                           .unit = inst->unit,
                           .out = c->ir->result[half] == i,
                           .fixed = half == RGB && c->read[i] & 4};
        struct target inner = {.vreg = NONE, .half = RGB, .mask = 7, .unit = inst->unit};
        uint16_t sum;
        if (inst->op == FRAGPROG_DOT4)
            sum = emit_dp3(c, inst, 0, FRAGPROG_NO_CLAMP, false);
        else
            sum = emit_product(c, &inner, inst, 0, (struct summand){NONE, 2}, 0);
        if (!c->failed)
            c->vreg[i][half] = emit_product(c, &t, inst, inst->op == FRAGPROG_DOT4 ? 3 : 1,
                                            (struct summand){sum, -1}, inst->scale);
    }
}

/* Emits a select: CND: c > 1/2 ? a : b; CND0: c >= 0 ? a : b. */
void hwemit_r300_emit_select(struct chooser *c, unsigned i, unsigned half)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    const unsigned mask = half == RGB ? inst->mask & 7u : 8u;
    struct operation d = {.nleaves = 0, .nforms = 1, .form = {{NO_PRESUB}}};
    for (unsigned k = 0; k < 3 && !c->failed; k++) {
        unsigned s = k == 0 ? 2 : k - 1; /* the condition first: 1-x and 1-2x are harder to place */
        struct affine a;
        const struct operation kept = d;
        const bool whole = hwemit_r300_read_source(c, &a, inst, s, mask, half),
                   direct = whole && hwemit_r300_operand(c, &d, d.form, s, &a, INVERTED);
        if (direct && hwemit_r300_fits(d.form, d.leaf, half == RGB, c->p->chip))
            continue;
        d = kept;
        if (direct && a.leaf.file == FILE_CONST) { /* too many constants for one pair */
            const struct target t = {
                .vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? mask : 1, .unit = inst->unit};
            a = hwemit_r300_of_vreg(hwemit_r300_emit_copy(c, &t, &a), half);
        } else
            a = hwemit_r300_materialise(c, inst, s, mask, half, 1);
        hwemit_r300_operand(c, &d, d.form, s, &a, BARE);
    }
    struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, half),
                       .half = (uint8_t)half,
                       .mask = half == RGB ? (uint8_t)mask : 1,
                       .clamp = inst->clamp,
                       .unit = inst->unit,
                       .out = c->ir->result[half] == i};
    const bool limited = inst->clamp == FRAGPROG_SAT8;
    if (limited) {
        t.clamp = 0;
        t.out = false;
    }
    d.form[0].omod = inst->scale;
    struct op *op = c->failed ? NULL
                              : hwemit_r300_append(c, &t, inst->op == FRAGPROG_CND ? OP_CND : OP_CMP, &d);
    if (!op)
        return;
    op->result[half] = t.vreg;
    set_range(c, t.vreg, inst->clamp);
    c->vreg[i][half] = t.vreg;
    if (limited) {
        const struct leaf leaf = hwemit_r300_of_vreg(t.vreg, half).leaf;
        const struct fragprog_quad same = fragprog_quad_affine(1, 1, 0);
        t.vreg = NONE;
        t.clamp = inst->clamp;
        t.out = c->ir->result[half] == i;
        c->vreg[i][half] = hwemit_r300_emit_limited(c, &t, &same, &leaf, 1);
    }
}
