/* From the intermediate program to operations of the pair unit: lookups and inputs, then each instruction's halves as polynomials (fused where that helps), dots and selections. */
#include "hwemit/r300/choose.h"

#include <string.h>

/* Multiples of 1/16 up to 8 are exact in every sum and product here; other immediates stay leaves. */
static bool is_short(float x)
{
    return x >= -8 && x <= 8 && x * 16 == (float)(int)(x * 16);
}

/* Immediate constants that say the same short number in every channel that is read are numbers, not sources. */
static bool immediate(const struct chooser *c, const struct fragprog_src *src, unsigned channel, float *value)
{
    static const float literal[] = {0, 1, 0.5f};
    unsigned lane = src->lane[channel];
    float v;
    if (lane > FRAGPROG_W)
        v = literal[lane - FRAGPROG_ZERO];
    else if (src->file == FRAGPROG_CONST && c->ir->konst[src->index].origin[lane].unit < 0 && is_short(c->ir->konst[src->index].value[lane]))
        v = c->ir->konst[src->index].value[lane];
    else
        return false;
    *value = src->negate >> channel & 1 ? -v : v;
    return true;
}

static uint16_t input(const struct chooser *c, const struct fragprog_src *src)
{
    return c->input[src->file == FRAGPROG_PRIMARY ? 0 : src->file == FRAGPROG_SECONDARY ? 1 : 2 + src->index];
}

static void modify(struct affine *a, unsigned mods)
{
    if (mods & FRAGPROG_ABS) {
        if (a->leaf.file == FILE_NONE)
            a->offset = a->offset < 0 ? -a->offset : a->offset;
        else
            a->abs = true, a->factor = 1;
    }
    if (mods & FRAGPROG_COMP)
        a->factor = -a->factor, a->offset = 1 - a->offset;
    if (mods & FRAGPROG_BIAS)
        a->offset -= 0.5f;
    if (mods & FRAGPROG_2X)
        a->factor *= 2, a->offset *= 2;
    if (mods & FRAGPROG_NEG)
        a->factor = -a->factor, a->offset = -a->offset;
}

bool hwemit_r300_affine(const struct chooser *c, struct affine *out, const struct fragprog_src *src, unsigned mask, unsigned half)
{
    unsigned first = 4, part = RGB;
    *out = (struct affine){.factor = 1};
    bool number = false, scalar = (mask & (mask - 1)) == 0;
    for (unsigned i = 0; i < 4; i++) {
        float value;
        if (!(mask >> i & 1))
            continue;
        bool is_number = immediate(c, src, i, &value);
        if (first == 4) {
            first = i;
            number = is_number;
            out->offset = is_number ? value : 0;
            out->factor = is_number ? 0 : src->negate >> i & 1 ? -1.0f : 1.0f;
            part = src->lane[i] == FRAGPROG_W;
        } else if (is_number != number || (number && value != out->offset) || (!number && (src->negate >> i & 1) != (src->negate >> first & 1)))
            return false;
        if (!number && src->file == FRAGPROG_VALUE && (src->lane[i] == FRAGPROG_W) != part && c->ir->inst[src->index].op != FRAGPROG_TEX)
            return false; /* the parts of a result are two registers */
    }
    if (!number) {
        out->leaf.file = src->file == FRAGPROG_CONST ? FILE_CONST : FILE_VREG;
        out->leaf.index = src->file == FRAGPROG_CONST ? src->index : src->file == FRAGPROG_VALUE ? (uint16_t)(src->index * 2 + part) : NONE;
        if (src->file != FRAGPROG_VALUE && src->file != FRAGPROG_CONST)
            out->leaf.index = input(c, src); /* already a virtual register; resolve() tells the two apart by bit 15 */
        if (src->file != FRAGPROG_VALUE && src->file != FRAGPROG_CONST)
            out->leaf.index |= 0x8000;
        for (unsigned i = 0; i < 3; i++) /* channels that are not written read what the first does where that makes a select */
            out->leaf.lane[i] = half == ALPHA || !(mask >> i & 1) ? src->lane[first] : src->lane[i];
        if (half == RGB && !scalar) {
            if (!hwemit_r300_native(c->p->chip, out->leaf.lane, mask & 7))
                return false;
            if (mask != 7) { /* the native select that agrees */
                static const uint8_t selects[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {3, 2, 1}};
                for (unsigned s = 0; s < 4; s++) {
                    bool equal = true;
                    for (unsigned i = 0; i < 3; i++)
                        equal &= !(mask >> i & 1) || out->leaf.lane[i] == selects[s][i];
                    if (equal) {
                        memcpy(out->leaf.lane, selects[s], 3);
                        break;
                    }
                }
            }
        }
    }
    modify(out, src->mods);
    return true;
}

/* Leaves of values become leaves of virtual registers. */
static void resolve(const struct chooser *c, struct leaf *leaf)
{
    if (leaf->file != FILE_VREG)
        return;
    leaf->index = leaf->index & 0x8000 ? leaf->index & 0x7fff : c->vreg[leaf->index / 2][leaf->index % 2];
}

/* ---- polynomials of instructions ---- */

/* |x| takes an instruction before the polynomial: STRICT refuses it, PROBE takes it for x, EMIT emits it. */
enum abs_mode { STRICT, PROBE, EMIT };
static void emit_abs(struct chooser *c, struct affine *a, unsigned half, unsigned mask, int unit);

static bool add_affine(struct chooser *c, struct node *n, struct quad *out, const struct fragprog_src *src, unsigned mask, enum abs_mode mode)
{
    struct affine a;
    if (!hwemit_r300_affine(c, &a, src, mask, n->half) || (a.abs && mode == STRICT))
        return false;
    if (a.abs && mode == EMIT)
        emit_abs(c, &a, n->half, mask, -1);
    unsigned leaf = 0, count = n->nleaves;
    if (a.leaf.file != FILE_NONE) {
        leaf = hwemit_r300_add_leaf(n->leaf, &count, &a.leaf);
        n->nleaves = (uint8_t)count;
    }
    *out = hwemit_r300_quad_affine(a.factor, leaf, a.offset);
    return true;
}

/* The polynomial of an instruction over channels `mask`, scale included; false if the channels differ in kind, or for |x|. */
static bool polynomial(struct chooser *c, struct node *n, const struct fragprog_inst *inst, unsigned mask, enum abs_mode mode)
{
    n->nleaves = 0;
    struct quad s[3], product;
    unsigned args = fragprog_op_args(inst->op);
    for (unsigned i = 0; i < args; i++)
        if (!add_affine(c, n, &s[i], &inst->src[i], mask, mode))
            return false;
    switch (inst->op) {
    case FRAGPROG_MOV: n->q = s[0]; break;
    case FRAGPROG_VEC: /* in each channel one of the two is 0 */
    case FRAGPROG_ADD: n->q = hwemit_r300_quad_sum(1, &s[0], 1, &s[1]); break;
    case FRAGPROG_SUB: n->q = hwemit_r300_quad_sum(1, &s[0], -1, &s[1]); break;
    case FRAGPROG_LERP: /* a*b + (1-a)*c = a*(b-c) + c */
        s[1] = hwemit_r300_quad_sum(1, &s[1], -1, &s[2]);
        /* fall through */
    case FRAGPROG_MAD:
    case FRAGPROG_MUL:
        hwemit_r300_quad_product(&product, &s[0], &s[1]);
        n->q = inst->op == FRAGPROG_MUL ? product : hwemit_r300_quad_sum(1, &product, 1, &s[2]);
        break;
    case FRAGPROG_PROJ: {
        unsigned count = n->nleaves;
        const struct leaf leaf = {.file = FILE_VREG, .index = c->reciprocal | 0x8000, .lane = {3, 3, 3}};
        s[1] = hwemit_r300_quad_affine(1, hwemit_r300_add_leaf(n->leaf, &count, &leaf), 0);
        n->nleaves = (uint8_t)count;
        hwemit_r300_quad_product(&n->q, &s[0], &s[1]);
        break;
    }
    case FRAGPROG_DOT3: /* of equal channels */
        hwemit_r300_quad_product(&product, &s[0], &s[1]);
        n->q = hwemit_r300_quad_sum(3, &product, 0, &product);
        break;
    default: return false;
    }
    static const float scale[] = {0.125f, 0.25f, 0.5f, 1, 2, 4, 8};
    n->q = hwemit_r300_quad_sum(scale[inst->scale + 3], &n->q, 0, &n->q);
    return true;
}

/* A dot product of a scalar and a number, for the colour alone, is three times their product. */
static bool is_scalar_dot(const struct chooser *c, unsigned i)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    struct affine a[2];
    if (inst->op != FRAGPROG_DOT3 || c->read[i] & 2 || hwemit_r300_companion(c, i))
        return false;
    for (unsigned s = 0; s < 2; s++)
        if (!hwemit_r300_affine(c, &a[s], &inst->src[s], 7, RGB) || a[s].leaf.lane[0] != a[s].leaf.lane[1] || a[s].leaf.lane[1] != a[s].leaf.lane[2])
            return false;
    return a[0].leaf.file == FILE_NONE || a[1].leaf.file == FILE_NONE;
}

static bool is_polynomial(const struct chooser *c, unsigned i)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    if (inst->op == FRAGPROG_DOT3)
        return is_scalar_dot(c, i);
    return inst->op == FRAGPROG_MOV || inst->op == FRAGPROG_ADD || inst->op == FRAGPROG_SUB || inst->op == FRAGPROG_MUL || inst->op == FRAGPROG_MAD || inst->op == FRAGPROG_LERP || inst->op == FRAGPROG_VEC;
}

static unsigned part_mask(unsigned half, const struct fragprog_inst *inst)
{
    return half == RGB ? inst->mask & 7u : inst->mask & 8u;
}

static void node_range(const struct chooser *c, struct node *n)
{
    float low[MAX_LEAVES + 1], high[MAX_LEAVES + 1];
    for (unsigned i = 0; i < n->nleaves; i++) {
        const struct leaf *leaf = &n->leaf[i];
        low[i + 1] = 0, high[i + 1] = 1;
        if (leaf->file == FILE_VREG && leaf->index & 0x8000) {
            low[i + 1] = c->p->vreg[leaf->index & 0x7fff].low;
            high[i + 1] = c->p->vreg[leaf->index & 0x7fff].high;
        } else if (leaf->file == FILE_VREG && c->ir->inst[leaf->index / 2].op != FRAGPROG_TEX) {
            low[i + 1] = c->node[leaf->index].low;
            high[i + 1] = c->node[leaf->index].high;
        } else if (leaf->file == FILE_CONST)
            hwemit_r300_leaf_range(c, leaf, &low[i + 1], &high[i + 1]);
    }
    hwemit_r300_quad_range(&n->q, low, high, &n->low, &n->high);
}

/* Nodes of a short program, for fusing. What is no polynomial is bounded by its clamp or not at all. */
static void make_nodes(struct chooser *c)
{
    const struct fragprog *ir = c->ir;
    for (unsigned i = 0; i < ir->ninst; i++)
        for (unsigned half = 0; half < 2; half++) {
            const struct fragprog_inst *inst = &ir->inst[i];
            struct node *n = &c->node[i * 2 + half];
            *n = (struct node){.half = (uint8_t)half, .low = -1e6f, .high = 1e6f, .clamp = inst->clamp};
            n->used = c->read[i] >> half & 1;
            unsigned mask = part_mask(half, inst);
            if (!n->used || !mask)
                continue;
            if ((mask == 7 || mask == 8) && is_polynomial(c, i) && polynomial(c, n, inst, mask, STRICT)) {
                n->simple = true;
                node_range(c, n);
                hwemit_r300_settle_clamp(&n->q, n->clamp, n->low, n->high);
            }
            if (inst->clamp == FRAGPROG_SAT) {
                n->low = n->low < 0 ? 0 : n->low > 1 ? 1 : n->low;
                n->high = n->high > 1 ? 1 : n->high < 0 ? 0 : n->high;
            }
        }
}

/* ---- emission ---- */

/* Puts |leaf| into a register, which takes the leaf's place; bit 15 marks it as in hwemit_r300_affine. */
static void emit_abs(struct chooser *c, struct affine *a, unsigned half, unsigned mask, int unit)
{
    const struct target t = {.vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? mask & 7 : 1, .unit = (int8_t)unit};
    struct op *op = hwemit_r300_new_op(c, &t, OP_MAD);
    struct form *f = op ? hwemit_r300_new_form(c, op) : NULL;
    if (!f)
        return;
    f->arg[0] = ARG_LEAF, f->arg[1] = ARG_ONE, f->arg[2] = ARG_ZERO;
    f->mod[0] = MOD_ABS;
    resolve(c, &a->leaf);
    op->leaf[0] = a->leaf;
    op->nleaves = 1;
    uint16_t v = op->result[half] = hwemit_r300_new_vreg(c, V_OP, half);
    float low, high;
    hwemit_r300_leaf_range(c, &a->leaf, &low, &high);
    c->p->vreg[v].writers = 1;
    c->p->vreg[v].high = -low > high ? -low : high;
    a->abs = false;
    a->leaf = (struct leaf){.file = FILE_VREG, .index = v | 0x8000, .lane = {0, 1, 2}};
    if (half == ALPHA)
        memset(a->leaf.lane, 3, 3);
}

static uint16_t emit_copy(struct chooser *c, const struct target *t, struct affine *a)
{
    if (a->abs)
        emit_abs(c, a, t->half, t->mask, t->unit);
    resolve(c, &a->leaf);
    struct quad q = hwemit_r300_quad_affine(a->factor, a->leaf.file != FILE_NONE, a->offset);
    return hwemit_r300_emit_quad(c, t, &q, &a->leaf, a->leaf.file != FILE_NONE);
}

/* A source, channel group by channel group, as a register. */
static uint16_t collect(struct chooser *c, const struct fragprog_src *src, unsigned mask, unsigned half, int unit)
{
    struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, half), .half = (uint8_t)half, .unit = (int8_t)unit, .fixed = true};
    unsigned left = mask;
    while (left && !c->failed) {
        struct affine a;
        unsigned group = left & -left;
        for (unsigned i = 0; i < 4; i++) /* the largest group that one operand gives, first come */
            if (left >> i & 1 && hwemit_r300_affine(c, &a, src, group | 1u << i, half))
                group |= 1u << i;
        hwemit_r300_affine(c, &a, src, group, half);
        t.mask = half == RGB ? (uint8_t)group : 1;
        emit_copy(c, &t, &a);
        left &= ~group;
    }
    return t.vreg;
}

struct affine hwemit_r300_materialise(struct chooser *c, const struct fragprog_inst *inst, unsigned s, unsigned mask, unsigned half, float scale)
{
    struct affine a;
    const struct fragprog_src *src = &inst->src[s];
    if (hwemit_r300_affine(c, &a, src, mask, half)) {
        a.factor *= scale;
        a.offset *= scale;
        if (!a.abs && a.leaf.file == FILE_NONE && (a.offset == 0 || a.offset == 0.5f || a.offset == -0.5f || a.offset == 1 || a.offset == -1))
            return a;
        if (!a.abs && a.offset == 0 && (a.factor == 1 || a.factor == -1)) {
            resolve(c, &a.leaf);
            return a;
        }
        struct target t = {.vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? mask & 7 : 1, .unit = inst->unit};
        a.leaf.index = emit_copy(c, &t, &a);
        a.leaf.file = FILE_VREG;
        for (unsigned i = 0; i < 3; i++)
            a.leaf.lane[i] = half == ALPHA ? 3 : (uint8_t)i;
    } else {
        uint16_t v = collect(c, src, mask, half, inst->unit);
        a = (struct affine){.leaf = {.file = FILE_VREG, .index = v, .lane = {0, 1, 2}}};
        if (half == ALPHA)
            memset(a.leaf.lane, 3, 3);
        if (scale != 1) {
            struct target t = {.vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? mask & 7 : 1, .unit = inst->unit};
            a.factor = scale;
            a.leaf.index |= 0x8000;
            a.leaf.index = emit_copy(c, &t, &a);
        }
    }
    a.factor = 1;
    a.offset = 0;
    a.abs = false;
    return a;
}

static void emit_node(struct chooser *c, const struct target *target, struct node *n)
{
    for (unsigned i = 0; i < n->nleaves; i++)
        resolve(c, &n->leaf[i]);
    hwemit_r300_emit_limited(c, target, &n->q, n->leaf, n->nleaves);
}

/* 1/x of channel 3 of a source. */
static uint16_t emit_reciprocal(struct chooser *c, const struct fragprog_src *src, int unit)
{
    struct affine a;
    const struct target t = {.vreg = NONE, .half = ALPHA, .mask = 1, .unit = (int8_t)unit};
    struct fragprog_inst copy = {.op = FRAGPROG_MOV, .src = {*src}, .unit = (int8_t)unit};
    a = hwemit_r300_materialise(c, &copy, 0, 8, ALPHA, 1);
    struct op *op = c->failed ? NULL : hwemit_r300_new_op(c, &t, OP_RCP);
    struct form *f = op ? hwemit_r300_new_form(c, op) : NULL;
    if (!f)
        return 0;
    f->arg[0] = a.leaf.file == FILE_NONE ? a.offset == 0 ? ARG_ZERO : a.offset == 0.5f || a.offset == -0.5f ? ARG_HALF : ARG_ONE : ARG_LEAF;
    f->mod[0] = a.factor < 0 || (a.leaf.file == FILE_NONE && a.offset < 0) ? MOD_NEG : 0;
    f->arg[1] = f->arg[2] = ARG_ZERO;
    op->leaf[0] = a.leaf;
    op->nleaves = a.leaf.file != FILE_NONE;
    uint16_t v = op->result[ALPHA] = hwemit_r300_new_vreg(c, V_OP, ALPHA);
    c->p->vreg[v].writers = 1;
    c->p->vreg[v].low = -1e6f, c->p->vreg[v].high = 1e6f;
    return v;
}

static bool is_out(const struct chooser *c, unsigned i, unsigned half) { return c->ir->result[half] == i; }

/* An instruction's channels `mask`, in as few groups as its sources allow. */
static void emit_groups(struct chooser *c, const struct fragprog_inst *inst, struct target *t, unsigned mask)
{
    unsigned left = mask;
    const bool fixed = t->fixed;
    while (left && !c->failed) {
        struct node n = {.half = t->half};
        unsigned group = left;
        if (!polynomial(c, &n, inst, group, PROBE)) {
            group = left & -left;
            for (unsigned k = 0; k < 4; k++)
                if (left >> k & 1 && polynomial(c, &n, inst, group | 1u << k, PROBE))
                    group |= 1u << k;
        }
        polynomial(c, &n, inst, group, EMIT);
        t->mask = t->half == RGB ? (uint8_t)group : 1;
        t->fixed = fixed || group != mask;
        emit_node(c, t, &n);
        left &= ~group;
    }
}

static void emit_half(struct chooser *c, unsigned i, unsigned half)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, half), .half = (uint8_t)half, .clamp = inst->clamp, .unit = inst->unit, .out = is_out(c, i, half), .fixed = c->read[i] & 4};
    c->vreg[i][half] = t.vreg;
    if (inst->op == FRAGPROG_PROJ)
        c->reciprocal = emit_reciprocal(c, &inst->src[0], inst->unit);
    if (!c->failed)
        emit_groups(c, inst, &t, part_mask(half, inst));
}

/* ---- lookups and inputs ---- */

static uint16_t use_input(struct chooser *c, unsigned what, unsigned index)
{
    uint16_t *v = &c->input[what == HWEMIT_COLOR ? index : 2 + index];
    if (*v == NONE) {
        *v = hwemit_r300_new_vreg(c, V_INPUT, RGB);
        struct program *p = c->p;
        p->vreg[*v].source = p->ninputs;
        if (what == HWEMIT_COORD) {
            p->vreg[*v].low = -1e6f;
            p->vreg[*v].high = 1e6f;
        }
        p->input[p->ninputs].what = (uint8_t)what;
        p->input[p->ninputs].index = (uint8_t)index;
        p->input[p->ninputs++].vreg = *v;
    }
    return *v;
}

/* Interpolated values arrive in temporaries 0, 1, ...: colours first, then coordinates (facts: section 1). One is interpolated even if none is read. */
static void find_inputs(struct chooser *c)
{
    unsigned colors = 0, coords = 0;
    for (unsigned i = 0; i < 2 + TEXENV_UNITS; i++)
        c->input[i] = NONE;
    for (unsigned i = 0; i < c->ir->ninst; i++)
        for (unsigned s = 0; c->read[i] && s < fragprog_op_args(c->ir->inst[i].op); s++) {
            const struct fragprog_src *src = &c->ir->inst[i].src[s];
            colors |= src->file == FRAGPROG_PRIMARY ? 1 : src->file == FRAGPROG_SECONDARY ? 2 : 0;
            if (src->file == FRAGPROG_COORD)
                coords |= 1u << src->index;
        }
    if (!colors && !coords)
        colors = 1;
    for (unsigned i = 0; i < 2; i++)
        if (colors >> i & 1)
            use_input(c, HWEMIT_COLOR, i);
    for (unsigned i = 0; i < TEXENV_UNITS; i++)
        if (coords >> i & 1)
            use_input(c, HWEMIT_COORD, i);
}

static const uint8_t dimensions[TEXENV_TARGETS] = {[TEXENV_1D] = 1, [TEXENV_2D] = 2, [TEXENV_RECT] = 2, [TEXENV_3D] = 3, [TEXENV_CUBE] = 3};

static bool divides(const struct fragprog_inst *inst) { return !inst->undivided && inst->target != TEXENV_CUBE; }

/* The coordinate's register: what the source names where the lookup can read it so (r300: lanes in order; r500: any lanes of one temporary), else a copy, divided where
 * the source is. */
static uint16_t coordinate(struct chooser *c, const struct fragprog_inst *inst, struct lookup *l)
{
    const struct fragprog_src *src = &inst->src[0];
    const unsigned n = dimensions[inst->target];
    const bool result = src->file == FRAGPROG_VALUE && c->ir->inst[src->index].op != FRAGPROG_TEX, any = c->p->chip->generation == R500;
    bool direct = src->file == FRAGPROG_VALUE || src->file == FRAGPROG_COORD || src->file == FRAGPROG_PRIMARY || src->file == FRAGPROG_SECONDARY;
    direct &= !src->mods && !src->negate;
    for (unsigned i = 0; i < 4; i++) {
        l->lane[i] = (uint8_t)(i < n || n == 3 ? i : 3); /* as the driver: the divisor in the places that are not used */
        if (i < n || (i == 3 && divides(inst))) {
            direct &= any ? src->lane[i] <= FRAGPROG_W : src->lane[i] == i;
            direct &= !result || src->lane[i] < FRAGPROG_W; /* colour and alpha of a result are not in one temporary */
            if (any)
                l->lane[i] = src->lane[i];
        }
    }
    l->op = divides(inst) ? TEX_TXP : TEX_LD;
    if (direct) {
        if (any && n < 3)
            l->lane[2] = l->lane[3] = divides(inst) ? src->lane[3] : l->lane[n - 1];
        return src->file == FRAGPROG_VALUE ? c->vreg[src->index][RGB] : input(c, src);
    }
    for (unsigned i = 0; i < 4; i++)
        l->lane[i] = (uint8_t)(i < n ? i : n - 1);
    l->op = TEX_LD;
    if (!divides(inst))
        return collect(c, src, (1u << n) - 1, RGB, inst->unit);
    struct fragprog_inst proj = {.op = FRAGPROG_PROJ, .mask = (uint8_t)((1u << n) - 1), .unit = inst->unit, .src = {*src}};
    struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, RGB), .half = RGB, .unit = inst->unit, .fixed = true};
    c->reciprocal = emit_reciprocal(c, src, inst->unit);
    emit_groups(c, &proj, &t, (1u << n) - 1);
    return t.vreg;
}

static void emit_lookup(struct chooser *c, unsigned i)
{
    struct program *p = c->p;
    const struct fragprog_inst *inst = &c->ir->inst[i];
    if (inst->shadow) {
        hwemit_refuse(c->why, inst->unit, "shadow", "that unit without comparison",
                      "unit %d: the chip does not compare depths in its lookup, and the comparison's function is not part of the program", inst->unit);
        c->failed = true;
        return;
    }
    if (p->ntex == MAX_TEX) {
        hwemit_refuse(c->why, inst->unit, "textures", "fewer lookups", "the program needs more than %d texture instructions", (int)p->chip->tex);
        c->failed = true;
        return;
    }
    struct lookup l = {.texture = inst->texture, .target = inst->target, .unit = inst->unit};
    l.coord = coordinate(c, inst, &l);
    l.result = hwemit_r300_new_vreg(c, V_TEX, RGB);
    if (c->failed)
        return;
    c->vreg[i][RGB] = c->vreg[i][ALPHA] = l.result;
    p->vreg[l.result].source = p->ntex;
    p->tex[p->ntex++] = l;
}

/* Which parts of each value are read, from the result backwards. */
static void find_readers(struct chooser *c)
{
    const struct fragprog *ir = c->ir;
    for (unsigned h = 0; h < 2; h++)
        c->read[ir->result[h]] |= (uint8_t)(1u << h);
    for (unsigned i = ir->ninst; i-- > 0;) {
        const struct fragprog_inst *inst = &ir->inst[i];
        if (!c->read[i])
            continue;
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
            if (inst->src[s].file != FRAGPROG_VALUE)
                continue;
            struct fragprog_inst one = *inst;
            unsigned channels = 0;
            if (inst->op == FRAGPROG_TEX || inst->op == FRAGPROG_PROJ) {
                unsigned lanes = inst->op == FRAGPROG_PROJ ? 15 : (1u << dimensions[inst->target]) - 1 + (divides(inst) ? 8 : 0);
                for (unsigned k = 0; k < 4; k++)
                    if (lanes >> k & 1 && inst->src[s].lane[k] <= FRAGPROG_W)
                        channels |= 1u << inst->src[s].lane[k];
                if (inst->op == FRAGPROG_TEX)
                    c->read[inst->src[s].index] |= 4;
            }
            for (unsigned half = 0; half < 2 && inst->op != FRAGPROG_TEX && inst->op != FRAGPROG_PROJ; half++)
                if (c->read[i] >> half & 1) {
                    one.mask = (uint8_t)(inst->mask & (half == RGB ? 7 : 8));
                    channels |= one.mask ? fragprog_channels_read(&one, s) : 0;
                }
            c->read[inst->src[s].index] |= (uint8_t)((channels & 7 ? 1 : 0) | (channels & 8 ? 2 : 0));
        }
    }
}

bool hwemit_r300_choose(struct program *p, bool fuse, struct fragprog_reason *why)
{
    struct chooser c;
    c.p = p;
    c.ir = p->source;
    c.why = why;
    c.failed = false;
    c.reciprocal = 0;
    c.nknown = 0;
    const struct fragprog *ir = p->source;
    if (ir->nkonst > HWEMIT_CONSTANTS)
        return hwemit_refuse(why, -1, "constants", "fewer constants", "the program has %u constants, the chip has %u", (unsigned)ir->nkonst, (unsigned)p->chip->consts);
    if (ir->ninst > MAX_SOURCE)
        return hwemit_refuse(why, -1, "alu", "a shorter program", "the program has %u instructions; the chip takes at most %d", ir->ninst, (int)p->chip->alu);
    memset(c.read, 0, sizeof c.read);
    memset(c.vreg, 0xff, sizeof c.vreg);
    find_readers(&c);
    find_inputs(&c);
    const bool small = ir->ninst <= FRAGPROG_TEXENV_INSTS;
    if (small) {
        make_nodes(&c);
        if (fuse)
            hwemit_r300_fuse(&c);
    }
    for (unsigned i = 0; i < ir->ninst && !c.failed; i++) {
        const struct fragprog_inst *inst = &ir->inst[i];
        unsigned parts = (c.read[i] & 1 && inst->mask & 7 ? 1u : 0) | (c.read[i] & 2 && inst->mask & 8 ? 2u : 0);
        if (inst->op == FRAGPROG_TEX && c.read[i])
            emit_lookup(&c, i);
        else if ((inst->op == FRAGPROG_DOT3 || inst->op == FRAGPROG_DOT4 || inst->op == FRAGPROG_DOT2ADD) && !(small && c.node[i * 2].simple)) {
            if (parts)
                hwemit_r300_emit_dot(&c, i, parts);
        } else
            for (unsigned half = 0; half < 2 && !c.failed; half++) {
                if (!(parts >> half & 1))
                    continue;
                struct node *n = small ? &c.node[i * 2 + half] : NULL;
                if (inst->op == FRAGPROG_CND || inst->op == FRAGPROG_CND0)
                    hwemit_r300_emit_select(&c, i, half);
                else if (!n || !n->simple)
                    emit_half(&c, i, half);
                else if (n->used) {
                    struct target t = {.vreg = hwemit_r300_new_vreg(&c, V_OP, half), .half = (uint8_t)half, .mask = half == RGB ? 7 : 1, .clamp = n->clamp,
                                       .unit = inst->unit, .out = is_out(&c, i, half), .fixed = half == RGB && c.read[i] & 4};
                    c.vreg[i][half] = t.vreg;
                    emit_node(&c, &t, n);
                }
            }
    }
    for (unsigned half = 0; half < 2 && !c.failed; half++) /* a texel that is the result as it is */
        if (ir->inst[ir->result[half]].op == FRAGPROG_TEX) {
            struct target t = {.vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? 7 : 1, .unit = ir->inst[ir->result[half]].unit, .out = true};
            struct affine a = {.factor = 1, .leaf = {.file = FILE_VREG, .index = c.vreg[ir->result[half]][half] | 0x8000, .lane = {0, 1, 2}}};
            if (half == ALPHA)
                memset(a.leaf.lane, 3, 3);
            emit_copy(&c, &t, &a);
        }
    return !c.failed;
}
