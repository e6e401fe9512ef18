/* Makes operations write outputs directly where the channels match, and emits copies for the other outputs.
 * An operation can write its temporary and one output. */
#include "hwemit/r300/asm.h"

#include <string.h>

bool hwemit_asm_wants(const struct asm_program *a, const struct asm_op *op, unsigned half)
{
    const uint8_t lane = op->value == NONE ? 0xff : a->value[op->value].lane;
    return op->out[half] || (half == ALPHA && op->depth) || (half == RGB ? lane < 3 : lane == 3);
}

/* Returns whether this half can also write the result. The alpha half can copy a dot product, and the colour
 * half a function; but it is not known whether the copy has the scale and clamp (notes/facts/r300.md 2.1), so
 * with either of them only one half writes the result. Other scalar operations run in one half only. */
static bool can_add(const struct asm_program *a, const struct asm_op *op, unsigned half)
{
    const bool other = hwemit_asm_wants(a, op, 1 - half);
    if (op->kind == ASM_VECTOR)
        return half == RGB;
    return !other || (op->kind != ASM_SCALAR && !op->scale && !op->clamp);
}

static bool same_target(const struct asm_op *op, unsigned target, bool depth)
{
    if (depth)
        return !op->out[ALPHA] && !op->depth;
    return !op->depth && ((!op->out[RGB] && !op->out[ALPHA]) || op->target == target);
}

static bool direct(struct asm_program *a, const struct asm_chan *c, unsigned channel, unsigned target,
                   bool depth)
{
    if (c->file != ASM_VALUE || c->neg || c->abs || a->value[c->index].source != ASM_RESULT)
        return false;
    const struct asm_value *v = &a->value[c->index];
    struct asm_op *op = &a->op[v->writer[v->number ? 0 : c->lane]];
    const unsigned half = channel < 3 ? RGB : ALPHA;
    if ((!v->number && c->lane != channel) || !can_add(a, op, half) || !same_target(op, target, depth))
        return false;
    op->target = (uint8_t)target;
    if (depth)
        op->depth = true;
    else
        op->out[half] |= (uint8_t)(half == RGB ? 1u << channel : 1);
    return true;
}

static void copy(struct asm_program *a, const struct asm_chan chan[4], unsigned mask, unsigned target,
                 bool depth)
{
    for (unsigned half = 0; half < 2; half++) {
        const unsigned channels = half == RGB ? mask & 7 : mask & 8;
        unsigned first = 0;
        if (!channels)
            continue;
        while (!(channels >> first & 1))
            first++;
        struct asm_op op = hwemit_asm_copy(chan, a->nops);
        if (channels & (channels - 1)) {
            op.kind = ASM_VECTOR;
            op.mask = (uint8_t)channels;
        } else
            op.arg[0][0] = chan[first];
        op.target = (uint8_t)target;
        op.depth = half == ALPHA && depth;
        op.out[RGB] = half == RGB ? (uint8_t)channels : 0;
        op.out[ALPHA] = half == ALPHA && !depth;
        hwemit_asm_emit(a, &op); /* writes only outputs: nothing reads its value */
    }
}

bool hwemit_asm_outputs(struct asm_program *a)
{
    for (unsigned t = 0; t <= ASM_TARGETS && !a->failed; t++) {
        struct asm_output *o = &a->output[t];
        unsigned rest = 0;
        if (t == ASM_TARGETS) {
            if (o->mask && !direct(a, &o->chan[0], 3, 0, true)) {
                o->chan[3] = o->chan[0];
                copy(a, o->chan, FRAGPROG_MASK_W, 0, true);
            }
            continue;
        }
        for (unsigned c = 0; c < 4; c++)
            if (o->mask >> c & 1 && !direct(a, &o->chan[c], c, t, false))
                rest |= 1u << c;
        copy(a, o->chan, rest, t, false);
    }
    return !a->failed;
}
