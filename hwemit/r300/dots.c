/* Dot products and selections: operands are leaves, constants or the presubtract value as they are; what is not takes an instruction before. */
#include "hwemit/r300/choose.h"

#include <string.h>

/* An affine source as an operand of form f, its power of two in *omod. False if it takes an instruction. With `pre` the presubtract may be used. */
static bool operand(const struct chooser *c, struct form *f, unsigned arg, struct op *op, const struct affine *a, int *omod, bool pre)
{
    float factor = a->factor, offset = a->offset, magnitude = factor < 0 ? -factor : factor;
    if (a->leaf.file == FILE_NONE) {
        return hwemit_r300_constant(f, arg, offset);
    }
    if (a->abs && offset == 0 && factor == 1) {
        unsigned count = op->nleaves, leaf = hwemit_r300_add_leaf(op->leaf, &count, &a->leaf);
        op->nleaves = (uint8_t)count;
        f->arg[arg] = (uint8_t)(ARG_LEAF + leaf - 1);
        f->mod[arg] = MOD_ABS;
        return true;
    }
    if (a->abs)
        return false;
    int power = 0;
    if (!omod && magnitude != 1 && offset == 0)
        return false;
    while (omod && magnitude > 1 && power < 3 && offset == 0)
        magnitude /= 2, power++;
    const bool whole = offset == 0 && magnitude == 1;
    if (!whole && !pre)
        return false;
    unsigned count = op->nleaves, leaf = hwemit_r300_add_leaf(op->leaf, &count, &a->leaf), id = ARG_LEAF + leaf - 1;
    if (!leaf)
        return false;
    if (whole) {
        op->nleaves = (uint8_t)count;
        f->arg[arg] = (uint8_t)id;
        f->mod[arg] = factor < 0 ? MOD_NEG : 0;
        if (omod)
            *omod += power;
        return true;
    }
    /* 1 - 2x, 1 - x, and their multiples by a power of two */
    float scale = offset < 0 ? -offset : offset, ratio = offset != 0 ? factor / offset : 0;
    unsigned kind = ratio == -2 ? PRE_1_MINUS_2X : PRE_1_MINUS_X;
    if (ratio != -1 && ratio != -2)
        return false;
    while (omod && scale > 1 && power < 3)
        scale /= 2, power++;
    while (omod && scale < 1 && power > -3)
        scale *= 2, power--;
    const bool alpha = a->leaf.lane[0] == 3; /* a presubtract is of one part (facts: section 2) */
    if ((a->leaf.lane[1] == 3) != alpha || (a->leaf.lane[2] == 3) != alpha)
        return false;
    if (scale != 1 || (c->p->chip->generation != R500 && a->leaf.lane[0] == 1 && a->leaf.lane[1] == 2))
        return false;
    /* the first presubtract value, or the second if it is of the other part */
    unsigned k = 0;
    if (f->pre[0].op != PRE_NONE && (f->pre[0].op != kind || f->pre[0].arg[0] != id)) {
        const bool other_part = (op->leaf[f->pre[0].arg[0] - ARG_LEAF].lane[0] == 3) != (a->leaf.lane[0] == 3);
        if (!other_part || (!c->p->chip->part_presub && f->pre[0].op != kind) || (f->pre[1].op != PRE_NONE && (f->pre[1].op != kind || f->pre[1].arg[0] != id)))
            return false;
        k = 1;
    }
    op->nleaves = (uint8_t)count;
    f->pre[k] = (struct presub){(uint8_t)kind, {(uint8_t)id, (uint8_t)id}};
    f->arg[arg] = k ? ARG_PRE2 : ARG_PRE;
    f->mod[arg] = offset < 0 ? MOD_NEG : 0;
    if (omod)
        *omod += power;
    return true;
}

static struct affine of_vreg(uint16_t v, unsigned half)
{
    struct affine a = {.factor = 1, .leaf = {.file = FILE_VREG, .index = v, .lane = {0, 1, 2}}};
    if (half == ALPHA)
        memset(a.leaf.lane, 3, 3);
    return a;
}

/* A source of the intermediate program, with its register known. */
static bool source(struct chooser *c, struct affine *a, const struct fragprog_inst *inst, unsigned s, unsigned mask, unsigned half)
{
    if (!hwemit_r300_affine(c, a, &inst->src[s], mask, half))
        return false;
    if (a->leaf.file == FILE_VREG)
        a->leaf.index = a->leaf.index & 0x8000 ? a->leaf.index & 0x7fff : c->vreg[a->leaf.index / 2][a->leaf.index % 2];
    hwemit_r300_settle(c, &a->leaf, half == RGB);
    return true;
}

/* How late a source is known: the one that is known first takes the extra instruction. */
static unsigned lateness(const struct chooser *c, const struct affine *a)
{
    return a->leaf.file == FILE_VREG && c->p->vreg[a->leaf.index].kind == V_OP ? 1u + a->leaf.index : 0;
}

/* Fills op with a DP3 of the two sources (lanes x y z), materialising what it must, times 2^*omod less than wanted. extra: a power of two that a materialised source may take instead of
 * the output modifier. */
static void dp3_form(struct chooser *c, struct op *op, struct form *f, const struct fragprog_inst *inst, int *omod, bool keep_omod_free)
{
    struct affine a[2];
    bool whole[2];
    for (unsigned s = 0; s < 2; s++)
        whole[s] = source(c, &a[s], inst, s, 7, RGB);
    int power = *omod;
    if (whole[0] && whole[1]) {
        struct form try = *f;
        struct op kept = *op;
        if (operand(c, &try, 0, op, &a[0], &power, true) && operand(c, &try, 1, op, &a[1], &power, true) && power >= -3 && power <= 3 && (!keep_omod_free || power == 0)) {
            *f = try;
            *omod = power;
            return;
        }
        *op = kept;
        power = *omod;
    }
    /* One of them by an instruction of its own: the other must then do as it is, or both. */
    unsigned first = whole[0] && whole[1] && lateness(c, &a[0]) > lateness(c, &a[1]) ? 1 : 0;
    for (unsigned k = 0; k < 3; k++) {
        unsigned m = k == 0 ? first : 1 - first;
        struct form try = *f;
        struct op kept = *op;
        int p = power;
        if (k < 2 && whole[1 - m] && operand(c, &try, 1 - m, op, &a[1 - m], &p, true)) {
            float scale = 1;
            while (p > 0 && keep_omod_free)
                scale *= 2, p--;
            while (p < 0 && keep_omod_free)
                scale /= 2, p++;
            struct affine t = hwemit_r300_materialise(c, inst, m, 7, RGB, scale);
            if (!c->failed && p >= -3 && p <= 3 && operand(c, &try, m, op, &t, NULL, false)) {
                *f = try;
                *omod = p;
                return;
            }
        }
        *op = kept;
    }
    for (unsigned s = 0; s < 2; s++) {
        struct affine t = hwemit_r300_materialise(c, inst, s, 7, RGB, s == 0 && keep_omod_free ? (float)(1 << (*omod > 0 ? *omod : 0)) : 1);
        if (!c->failed)
            operand(c, f, s, op, &t, NULL, false);
    }
    if (keep_omod_free)
        *omod = 0;
}

/* New operations may move nothing, but an op's leaves and form must be the last made: it is filled here and appended when its sources are there. */
static struct op *append(struct chooser *c, const struct target *t, unsigned code, const struct op *filled, const struct form *f, int omod)
{
    struct op *op = hwemit_r300_new_op(c, t, code);
    struct form *form = op ? hwemit_r300_new_form(c, op) : NULL;
    if (!form)
        return NULL;
    *form = *f;
    form->omod = (int8_t)omod;
    memcpy(op->leaf, filled->leaf, sizeof op->leaf);
    op->nleaves = filled->nleaves;
    hwemit_r300_pin(c, op);
    return op;
}

static void set_range(struct chooser *c, uint16_t v, unsigned clamp)
{
    c->p->vreg[v].low = clamp == FRAGPROG_SAT ? 0 : -1e6f;
    c->p->vreg[v].high = clamp == FRAGPROG_SAT ? 1 : 1e6f;
    c->p->vreg[v].writers++;
}

/* A dot product of three terms into a register whose three channels are equal. */
static uint16_t emit_dp3(struct chooser *c, const struct fragprog_inst *inst, int scale, unsigned clamp, bool out)
{
    struct op filled = {.nleaves = 0};
    struct form f = {NO_PRESUB};
    dp3_form(c, &filled, &f, inst, &scale, false);
    const struct target t = {.vreg = NONE, .half = RGB, .mask = 7, .clamp = (uint8_t)clamp, .unit = inst->unit, .out = out};
    uint16_t v = hwemit_r300_new_vreg(c, V_OP, RGB);
    struct op *op = c->failed ? NULL : append(c, &t, OP_DP3, &filled, &f, scale);
    if (!op)
        return 0;
    op->result[RGB] = v;
    c->p->vreg[v].uniform = true;
    c->p->vreg[v].source = (uint16_t)(op - c->p->op);
    set_range(c, v, clamp);
    return v;
}

static const float power_of_two[] = {0.125f, 0.25f, 0.5f, 1, 2, 4, 8};

/* Copies of a dot for each part that is read, with the part's own clamp, and its own scale where the dot is unscaled. */
static void emit_copies(struct chooser *c, unsigned i, unsigned parts, uint16_t dot, bool scaled, const struct fragprog_inst *const inst[2])
{
    for (unsigned half = 0; half < 2 && !c->failed; half++) {
        const unsigned result = (unsigned)(inst[half] - c->ir->inst);
        if (!(parts >> half & 1))
            continue;
        const struct target t = {.vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? 7 : 1, .clamp = inst[half]->clamp, .unit = inst[half]->unit,
                                 .out = c->ir->result[half] == result, .fixed = half == RGB && c->read[i] & 4};
        const struct leaf leaf = of_vreg(dot, RGB).leaf;
        const struct quad q = hwemit_r300_quad_affine(scaled ? 1 : power_of_two[inst[half]->scale + 3], 1, 0);
        c->vreg[result][half] = hwemit_r300_emit_limited(c, &t, &q, &leaf, 1);
    }
}

/* The alpha half that goes with colour dot i: the next instruction with the same sources, its w alone. */
const struct fragprog_inst *hwemit_r300_companion(const struct chooser *c, unsigned i)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    for (unsigned j = i + 1; j < c->ir->ninst; j++) {
        const struct fragprog_inst *other = &c->ir->inst[j];
        if (other->op == inst->op && other->mask == FRAGPROG_MASK_W && c->read[j] & 2 && memcmp(other->src, inst->src, 2 * sizeof *inst->src) == 0)
            return other;
    }
    return NULL;
}

/* DOT3: colour by DP3, alpha by its companion in the same pair. Whether that companion takes the dot before or after the colour's own output modifier and clamp is not known: the
 * pair is only used where it makes no difference (facts: hw-open, r300 12). */
static void emit_dot3(struct chooser *c, unsigned i, unsigned parts)
{
    const struct fragprog_inst *inst = &c->ir->inst[i], *half[2] = {inst, inst};
    if (c->vreg[i][ALPHA] != NONE && !(parts & 1))
        return; /* done as companion */
    if (!(parts & 2)) {
        const struct fragprog_inst *other = hwemit_r300_companion(c, i);
        if (other && c->vreg[other - c->ir->inst][ALPHA] == NONE) {
            half[ALPHA] = other;
            parts |= 2;
        }
    }
    const unsigned alpha = (unsigned)(half[ALPHA] - c->ir->inst);
    if (half[RGB]->clamp == FRAGPROG_SAT8 || half[ALPHA]->clamp == FRAGPROG_SAT8) { /* three products of values up to 8 can leave [-8,8] */
        const bool equal = parts != 3 || (half[RGB]->scale == half[ALPHA]->scale && half[RGB]->clamp == half[ALPHA]->clamp);
        uint16_t v = emit_dp3(c, inst, equal ? half[parts & 1 ? RGB : ALPHA]->scale : 0, FRAGPROG_NO_CLAMP, false);
        if (!c->failed)
            emit_copies(c, i, parts, v, equal, half);
        return;
    }
    const bool out_alpha = parts & 2 && c->ir->result[ALPHA] == alpha;
    if (!out_alpha && (parts != 3 || (half[0]->scale == half[1]->scale && half[0]->clamp == half[1]->clamp))) {
        const struct fragprog_inst *which = parts & 1 ? half[RGB] : half[ALPHA];
        uint16_t v = emit_dp3(c, which, which->scale, which->clamp, parts & 1 && c->ir->result[RGB] == i);
        if (parts & 1)
            c->vreg[i][RGB] = v;
        if (parts & 2)
            c->vreg[alpha][ALPHA] = v;
        return;
    }
    int rgb_scale = parts & 1 ? half[RGB]->scale : half[ALPHA]->scale, alpha_scale = half[ALPHA]->scale;
    const unsigned rgb_clamp = parts & 1 ? half[RGB]->clamp : half[ALPHA]->clamp, alpha_clamp = half[ALPHA]->clamp;
    const bool free_order = c->p->chip->dot_copies_first;
    if (!free_order && (alpha_scale < rgb_scale || (rgb_clamp && !alpha_clamp))) {
        struct fragprog_inst plain = *inst;
        plain.scale = 0;
        uint16_t v = emit_dp3(c, &plain, 0, FRAGPROG_NO_CLAMP, false);
        if (!c->failed)
            emit_copies(c, i, parts, v, false, half);
        return;
    }
    struct op filled = {.nleaves = 0};
    struct form f = {NO_PRESUB};
    int omod = rgb_scale;
    dp3_form(c, &filled, &f, inst, &omod, !free_order);
    if (omod != 0 && !free_order && !c->failed) { /* no source could take the factor */
        uint16_t v = emit_dp3(c, inst, 0, FRAGPROG_NO_CLAMP, false);
        if (!c->failed)
            emit_copies(c, i, parts, v, false, half);
        return;
    }
    const struct target t = {.vreg = NONE, .half = RGB, .mask = 7, .clamp = (uint8_t)rgb_clamp, .unit = inst->unit, .out = parts & 1 && c->ir->result[RGB] == i};
    uint16_t v[2] = {hwemit_r300_new_vreg(c, V_OP, RGB), hwemit_r300_new_vreg(c, V_OP, ALPHA)};
    struct op *op = c->failed ? NULL : append(c, &t, OP_DP3, &filled, &f, omod);
    if (!op)
        return;
    op->where = AT_BOTH;
    op->out[ALPHA] = out_alpha;
    op->alpha_omod = (int8_t)(omod + alpha_scale - rgb_scale);
    c->p->relies_on_dot_copy |= omod != 0 || (rgb_clamp && !alpha_clamp); /* clamped twice is clamped once */
    op->alpha_clamp = (uint8_t)alpha_clamp;
    op->result[RGB] = parts & 1 ? v[RGB] : NONE;
    op->result[ALPHA] = v[ALPHA];
    set_range(c, v[RGB], rgb_clamp);
    set_range(c, v[ALPHA], alpha_clamp);
    if (parts & 1)
        c->vreg[i][RGB] = v[RGB];
    c->vreg[alpha][ALPHA] = v[ALPHA];
}

/* Channel `lane` of a source as one scalar, replicated, times another: what dot4 and dot2add add to a dot of three or do apart. */
static struct leaf scalar(struct chooser *c, float *factor, float *offset, const struct fragprog_src *src, unsigned lane)
{
    struct fragprog_src one = *src;
    struct affine a;
    memset(one.lane, src->lane[lane], 4);
    one.negate = src->negate >> lane & 1 ? 15 : 0;
    struct fragprog_inst inst = {.op = FRAGPROG_MOV, .src = {one}, .unit = -1};
    if (!source(c, &a, &inst, 0, 7, RGB) || a.abs)
        a = hwemit_r300_materialise(c, &inst, 0, 7, RGB, 1);
    *factor = a.factor;
    *offset = a.offset;
    return a.leaf;
}

/* scale * (a[lane]*b[lane] + c) into a target; c is a register, or source 2's lane if it is NONE. */
static uint16_t emit_product(struct chooser *c, const struct target *t, const struct fragprog_inst *inst, unsigned lane, uint16_t sum, int sum_lane, int scale)
{
    struct leaf leaves[MAX_LEAVES], leaf;
    unsigned n = 0;
    float factor, offset;
    struct quad q[3], product;
    for (unsigned s = 0; s < 3; s++) {
        if (s == 2 && sum != NONE) {
            leaf = of_vreg(sum, t->half).leaf;
            factor = 1, offset = 0;
        } else if (s == 2 && sum_lane < 0) {
            q[s] = hwemit_r300_quad_affine(0, 0, 0);
            continue;
        } else
            leaf = scalar(c, &factor, &offset, &inst->src[s], s == 2 ? (unsigned)sum_lane : lane);
        unsigned number = leaf.file == FILE_NONE ? 0 : hwemit_r300_add_leaf(leaves, &n, &leaf);
        q[s] = hwemit_r300_quad_affine(factor, number, offset);
    }
    hwemit_r300_quad_product(&product, &q[0], &q[1]);
    product = hwemit_r300_quad_sum(1, &product, 1, &q[2]);
    product = hwemit_r300_quad_sum(power_of_two[scale + 3], &product, 0, &product);
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
        struct target t = {.vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? 7 : 1, .clamp = inst->clamp, .unit = inst->unit, .out = c->ir->result[half] == i,
                           .fixed = half == RGB && c->read[i] & 4};
        struct target inner = {.vreg = NONE, .half = RGB, .mask = 7, .unit = inst->unit};
        uint16_t sum;
        if (inst->op == FRAGPROG_DOT4)
            sum = emit_dp3(c, inst, 0, FRAGPROG_NO_CLAMP, false);
        else
            sum = emit_product(c, &inner, inst, 0, NONE, 2, 0);
        if (!c->failed)
            c->vreg[i][half] = emit_product(c, &t, inst, inst->op == FRAGPROG_DOT4 ? 3 : 1, sum, -1, inst->scale);
    }
}

/* cnd: c > 1/2 ? a : b. cnd0: c >= 0 ? a : b. Scaled and clamped like any result. */
void hwemit_r300_emit_select(struct chooser *c, unsigned i, unsigned half)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    const unsigned mask = half == RGB ? inst->mask & 7u : 8u;
    struct op filled = {.nleaves = 0};
    struct form f = {NO_PRESUB};
    for (unsigned k = 0; k < 3 && !c->failed; k++) {
        unsigned s = k == 0 ? 2 : k - 1; /* the condition first: it is most often the one that is biased */
        struct affine a;
        struct form try = f;
        struct op kept = filled;
        if (source(c, &a, inst, s, mask, half) && operand(c, &try, s, &filled, &a, NULL, true))
            f = try;
        else {
            filled = kept;
            a = hwemit_r300_materialise(c, inst, s, mask, half, 1);
            operand(c, &f, s, &filled, &a, NULL, false);
        }
    }
    struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, half), .half = (uint8_t)half, .mask = half == RGB ? (uint8_t)mask : 1, .clamp = inst->clamp, .unit = inst->unit,
                       .out = c->ir->result[half] == i};
    const bool limited = inst->clamp == FRAGPROG_SAT8;
    if (limited) {
        t.clamp = 0;
        t.out = false;
    }
    struct op *op = c->failed ? NULL : append(c, &t, inst->op == FRAGPROG_CND ? OP_CND : OP_CMP, &filled, &f, inst->scale);
    if (!op)
        return;
    op->result[half] = t.vreg;
    set_range(c, t.vreg, inst->clamp);
    c->vreg[i][half] = t.vreg;
    if (limited) {
        const struct leaf leaf = of_vreg(t.vreg, half).leaf;
        const struct quad same = hwemit_r300_quad_affine(1, 1, 0);
        t.vreg = NONE;
        t.clamp = inst->clamp;
        t.out = c->ir->result[half] == i;
        c->vreg[i][half] = hwemit_r300_emit_limited(c, &t, &same, &leaf, 1);
    }
}
