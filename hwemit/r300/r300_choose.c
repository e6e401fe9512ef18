/* Instruction selection: emits operations of the paired unit for each instruction of the intermediate
 * program, which is treated as a polynomial (after fusion, r300_fuse.c), a texture lookup, a dot product or a
 * select. */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

static bool is_out(const struct chooser *c, unsigned i, unsigned half) { return c->ir->result[half] == i; }

static void emit_half(struct chooser *c, unsigned i, unsigned half)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, half),
                       .half = (uint8_t)half,
                       .clamp = inst->clamp,
                       .unit = inst->unit,
                       .out = is_out(c, i, half),
                       .fixed = c->read[i] & 4};
    c->vreg[i][half] = t.vreg;
    if (inst->op == FRAGPROG_PROJ)
        c->reciprocal = hwemit_r300_emit_reciprocal(c, &inst->src[0], inst->unit);
    if (!c->failed)
        hwemit_r300_emit_groups(c, inst, &t, hwemit_r300_part_mask(half, inst));
}

/* Returns whether dot product i has two scalar operands and is emitted as a polynomial. */
static bool is_product(const struct chooser *c, unsigned i, bool small)
{
    return small ? c->node[i * 2].simple || c->node[i * 2 + 1].simple
                 : c->p->chip->hasty && hwemit_r300_is_scalar_dot(c, i);
}

static void emit_inst(struct chooser *c, unsigned i, bool small)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    const unsigned parts = (c->read[i] & 1 && inst->mask & 7 ? 1u : 0) |
        (c->read[i] & 2 && inst->mask & 8 ? 2u : 0);
    const bool dot = inst->op == FRAGPROG_DOT3 || inst->op == FRAGPROG_DOT4 || inst->op == FRAGPROG_DOT2ADD;
    if (inst->op == FRAGPROG_TEX) {
        if (c->read[i])
            hwemit_r300_emit_lookup(c, i);
    } else if (dot && !is_product(c, i, small)) {
        if (parts)
            hwemit_r300_emit_dot(c, i, parts);
    } else
        for (unsigned half = 0; half < 2 && !c->failed; half++) {
            if (!(parts >> half & 1))
                continue;
            const struct node *n = small ? &c->node[i * 2 + half] : NULL;
            if (inst->op == FRAGPROG_CND || inst->op == FRAGPROG_CND0)
                hwemit_r300_emit_select(c, i, half);
            else if (!n || !n->simple)
                emit_half(c, i, half);
            else if (n->used) {
                struct target t = {.vreg = hwemit_r300_new_vreg(c, V_OP, half),
                                   .half = (uint8_t)half,
                                   .mask = half == RGB ? 7 : 1,
                                   .clamp = n->clamp,
                                   .unit = inst->unit,
                                   .out = is_out(c, i, half),
                                   .fixed = half == RGB && c->read[i] & 4};
                c->vreg[i][half] = t.vreg;
                hwemit_r300_emit_node(c, &t, n);
            }
        }
}

/* Fills c->node and runs fusion. Turns chip->packs off while it does, so that decisions do not depend on how
 * literals share constant slots. */
static void find_nodes(struct chooser *c, enum fusing fusing)
{
    const size_t size = 2 * c->ir->ninst * sizeof *c->node;
    const struct chip *chip = c->p->chip;
    struct chip simple = *chip;
    simple.packs = false;
    c->p->chip = &simple;
    if (c->bare_of == c->ir) {
        memcpy(c->node, c->bare, size);
    } else {
        hwemit_r300_make_nodes(c);
        c->bare_of = c->ir;
        memcpy(c->bare, c->node, size);
    }
    c->fused = fusing != FUSE_NOTHING && hwemit_r300_fuse(c, fusing);
    c->p->chip = chip;
}

bool hwemit_r300_choose(struct chooser *c, struct program *p, enum fusing fusing, struct fragprog_reason *why)
{
    const struct fragprog *ir = p->source;
    if (ir->nkonst > HWEMIT_CONSTANTS)
        return hwemit_refuse(why, -1, "constants", "fewer constants",
                             "the program has %u constants, the chip has %u", (unsigned)ir->nkonst,
                             (unsigned)p->chip->consts);
    if (ir->ninst > MAX_SOURCE)
        return hwemit_refuse(why, -1, "alu", "a shorter program",
                             "the program has %u instructions; the chip takes at most %d", ir->ninst,
                             (int)p->chip->alu);
    /* programs that are longer, or compiled hastily, are emitted instruction by instruction without fusion */
    const bool small = ir->ninst <= FRAGPROG_TEXENV_INSTS && !p->chip->hasty;
    c->p = p;
    p->chooser = c;
    c->ir = ir;
    c->why = why;
    c->failed = false;
    c->reciprocal = 0;
    c->nknown = 0;
    c->npolynomials = 0;
    memset(c->vreg, 0xff, ir->ninst * sizeof *c->vreg);
    if (!c->analysed && c->bare_of != ir)
        hwemit_r300_find_readers(c);
    hwemit_r300_find_inputs(c);
    if (!c->analysed && small)
        find_nodes(c, fusing);
    c->analysed = true;
    for (unsigned i = 0; i < ir->ninst && !c->failed; i++)
        emit_inst(c, i, small);
    for (unsigned half = 0; half < 2 && !c->failed; half++) /* copy a texel that is the program's result */
        if (ir->inst[ir->result[half]].op == FRAGPROG_TEX) {
            struct target t = {.vreg = NONE,
                               .half = (uint8_t)half,
                               .mask = half == RGB ? 7 : 1,
                               .unit = ir->inst[ir->result[half]].unit,
                               .out = true};
            struct affine a = {.factor = 1,
                               .leaf = {.file = FILE_VREG,
                                        .index = c->vreg[ir->result[half]][half] | 0x8000,
                                        .lane = {0, 1, 2}}};
            if (half == ALPHA)
                memset(a.leaf.lane, 3, 3);
            hwemit_r300_emit_copy(c, &t, &a);
        }
    return !c->failed;
}
