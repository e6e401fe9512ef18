/* Emits instructions for operands that must be computed into a register first: copies, absolute values,
 * coordinates collected from several sources, reciprocals. Also splits an instruction whose channels need
 * different polynomials into groups of channels. */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

/* Emits |leaf| into a new virtual register and replaces the leaf by it. Bit 15 of the index marks a virtual
 * register, as in hwemit_r300_affine. */
void hwemit_r300_emit_abs(struct chooser *c, struct affine *a, unsigned half, unsigned mask, int unit)
{
    const struct target t = {
        .vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? mask & 7 : 1, .unit = (int8_t)unit};
    struct op *op = hwemit_r300_new_op(c, &t, OP_MAD);
    struct form *f = op ? hwemit_r300_new_form(c, op) : NULL;
    if (!f)
        return;
    f->arg[0] = ARG_LEAF, f->arg[1] = ARG_ONE, f->arg[2] = ARG_ZERO;
    f->mod[0] = MOD_ABS;
    hwemit_r300_resolve(c, &a->leaf);
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

uint16_t hwemit_r300_emit_copy(struct chooser *c, const struct target *t, struct affine *a)
{
    if (a->abs)
        hwemit_r300_emit_abs(c, a, t->half, t->mask, t->unit);
    hwemit_r300_resolve(c, &a->leaf);
    struct fragprog_quad q = fragprog_quad_affine(a->factor, a->leaf.file != FILE_NONE, a->offset);
    return hwemit_r300_emit_quad(c, t, &q, &a->leaf, a->leaf.file != FILE_NONE);
}

/* Copies a source into one register, by groups of channels that one operand can read. */
uint16_t hwemit_r300_collect(struct chooser *c, const struct fragprog_src *src, unsigned mask, unsigned half,
                             int unit)
{
    struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, half),
                       .half = (uint8_t)half,
                       .unit = (int8_t)unit,
                       .fixed = true};
    unsigned left = mask;
    while (left && !c->failed) {
        struct affine a;
        unsigned group = left & -left;
        for (unsigned i = 0; i < 4; i++) /* extend the group greedily */
            if (left >> i & 1 && hwemit_r300_affine(c, &a, src, group | 1u << i, half))
                group |= 1u << i;
        hwemit_r300_affine(c, &a, src, group, half);
        t.mask = half == RGB ? (uint8_t)group : 1;
        hwemit_r300_emit_copy(c, &t, &a);
        left &= ~group;
    }
    return t.vreg;
}

struct affine hwemit_r300_materialise(struct chooser *c, const struct fragprog_inst *inst, unsigned s,
                                      unsigned mask, unsigned half, float scale)
{
    struct affine a;
    const struct fragprog_src *src = &inst->src[s];
    if (hwemit_r300_affine(c, &a, src, mask, half)) {
        a.factor *= scale;
        a.offset *= scale;
        if (!a.abs && a.leaf.file == FILE_NONE &&
            (a.offset == 0 || a.offset == 0.5f || a.offset == -0.5f || a.offset == 1 || a.offset == -1))
            return a;
        if (!a.abs && a.offset == 0 && (a.factor == 1 || a.factor == -1)) {
            hwemit_r300_resolve(c, &a.leaf);
            return a;
        }
        struct target t = {
            .vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? mask & 7 : 1, .unit = inst->unit};
        a.leaf.index = hwemit_r300_emit_copy(c, &t, &a);
        a.leaf.file = FILE_VREG;
        for (unsigned i = 0; i < 3; i++)
            a.leaf.lane[i] = half == ALPHA ? 3 : (uint8_t)i;
    } else {
        uint16_t v = hwemit_r300_collect(c, src, mask, half, inst->unit);
        a = (struct affine){.leaf = {.file = FILE_VREG, .index = v, .lane = {0, 1, 2}}};
        if (half == ALPHA)
            memset(a.leaf.lane, 3, 3);
        if (scale != 1) {
            struct target t = {
                .vreg = NONE, .half = (uint8_t)half, .mask = half == RGB ? mask & 7 : 1, .unit = inst->unit};
            a.factor = scale;
            a.leaf.index |= 0x8000;
            a.leaf.index = hwemit_r300_emit_copy(c, &t, &a);
        }
    }
    a.factor = 1;
    a.offset = 0;
    a.abs = false;
    return a;
}

void hwemit_r300_emit_node(struct chooser *c, const struct target *target, const struct node *n)
{
    struct leaf leaf[MAX_LEAVES];
    for (unsigned i = 0; i < n->nleaves; i++) {
        leaf[i] = n->leaf[i];
        hwemit_r300_resolve(c, &leaf[i]);
    }
    hwemit_r300_emit_limited(c, target, &n->q, leaf, n->nleaves);
}

/* Emits the reciprocal of channel w of a source. */
uint16_t hwemit_r300_emit_reciprocal(struct chooser *c, const struct fragprog_src *src, int unit)
{
    struct affine a;
    const struct target t = {.vreg = NONE, .half = ALPHA, .mask = 1, .unit = (int8_t)unit};
    struct fragprog_inst copy = {.op = FRAGPROG_MOV, .src = {*src}, .unit = (int8_t)unit};
    a = hwemit_r300_materialise(c, &copy, 0, 8, ALPHA, 1);
    struct op *op = c->failed ? NULL : hwemit_r300_new_op(c, &t, OP_RCP);
    struct form *f = op ? hwemit_r300_new_form(c, op) : NULL;
    if (!f)
        return 0;
    f->arg[0] = a.leaf.file == FILE_NONE ? a.offset == 0 ? ARG_ZERO
            : a.offset == 0.5f || a.offset == -0.5f      ? ARG_HALF
                                                         : ARG_ONE
                                         : ARG_LEAF;
    f->mod[0] = a.factor < 0 || (a.leaf.file == FILE_NONE && a.offset < 0) ? MOD_NEG : 0;
    f->arg[1] = f->arg[2] = ARG_ZERO;
    op->leaf[0] = a.leaf;
    op->nleaves = a.leaf.file != FILE_NONE;
    uint16_t v = op->result[ALPHA] = hwemit_r300_new_vreg(c, V_OP, ALPHA);
    c->p->vreg[v].writers = 1;
    c->p->vreg[v].low = -1e6f, c->p->vreg[v].high = 1e6f;
    return v;
}

/* Emits the channels `mask` of an instruction, in as few groups as its sources allow. */
void hwemit_r300_emit_groups(struct chooser *c, const struct fragprog_inst *inst, struct target *t,
                             unsigned mask)
{
    unsigned left = mask;
    const bool fixed = t->fixed;
    while (left && !c->failed) {
        struct node n = {.half = t->half};
        unsigned group = left;
        if (!hwemit_r300_polynomial(c, &n, inst, group, STRICT)) {
            if (!hwemit_r300_polynomial(c, &n, inst, group, PROBE)) {
                group = left & -left;
                for (unsigned k = 0; k < 4; k++)
                    if (left >> k & 1 && hwemit_r300_polynomial(c, &n, inst, group | 1u << k, PROBE))
                        group |= 1u << k;
            }
            hwemit_r300_polynomial(c, &n, inst, group, EMIT);
        }
        t->mask = t->half == RGB ? (uint8_t)group : 1;
        t->fixed = fixed || group != mask;
        hwemit_r300_emit_node(c, t, &n);
        left &= ~group;
    }
}
