/* Makes operations write outputs directly where the channels match, and emits copies for the other outputs.
 * An operation can write its temporary and one output. */
#include "hwemit/r300/us.h"

bool hwemit_us_wants(const struct us_program *a, const struct machine_op *op, unsigned half)
{
    const uint8_t lane = op->value == NONE ? 0xff : a->value[op->value].lane;
    return op->out[half] || (half == ALPHA && op->depth) || (half == RGB ? lane < 3 : lane == 3);
}

/* Returns whether this half can also write the result. A scalar operation can run in both halves. The alpha
 * half can copy a dot product, and the colour half a function; but it is not known whether they copy before
 * or after the other half's scale and clamp (notes/facts/r300.md 2.1). A clamp of a dot product does not
 * matter, since the alpha half clamps, too. */
static bool can_add(const struct us_program *a, const struct machine_op *op, unsigned half)
{
    if (op->kind == US_VECTOR)
        return half == RGB;
    if (op->kind == US_SCALAR || !hwemit_us_wants(a, op, 1 - half))
        return true;
    return !op->scale && (op->kind != US_FUNCTION || !op->sat);
}

static bool same_target(const struct machine_op *op, unsigned target, bool depth)
{
    if (depth)
        return !op->out[ALPHA] && !op->depth;
    return !op->depth && ((!op->out[RGB] && !op->out[ALPHA]) || op->target == target);
}

static bool direct(struct us_program *a, const struct machine_src *c, unsigned channel, unsigned target,
                   bool depth)
{
    if (c->file != MACHINE_VALUE || c->neg || c->abs || a->value[c->index].fixed)
        return false;
    const struct us_value *v = &a->value[c->index];
    struct machine_op *op = &a->m->op[v->writer[v->number ? 0 : c->lane]];
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

static void copy(struct us_program *a, const struct machine_src chan[4], unsigned mask, unsigned target,
                 bool depth)
{
    for (unsigned half = 0; half < 2; half++) {
        const unsigned channels = half == RGB ? mask & 7 : mask & 8;
        if (!channels)
            continue;
        struct machine_op op = hwemit_us_copy(chan, channels, UINT16_MAX);
        op.target = (uint8_t)target;
        op.depth = half == ALPHA && depth;
        op.out[RGB] = half == RGB ? (uint8_t)channels : 0;
        op.out[ALPHA] = half == ALPHA && !depth;
        hwemit_us_emit(a, &op); /* writes only outputs: nothing reads its value */
    }
}

bool hwemit_us_outputs(struct us_program *a)
{
    for (unsigned t = 0; t < US_TARGETS; t++) {
        unsigned rest = 0;
        for (unsigned c = 0; c < 4; c++)
            if (a->output[t].mask >> c & 1 && !direct(a, &a->output[t].arg[0][c], c, t, false))
                rest |= 1u << c;
        copy(a, a->output[t].arg[0], rest, t, false);
    }
    struct machine_src *depth = a->output[US_TARGETS].arg[0];
    if (a->output[US_TARGETS].mask && !direct(a, depth, 3, 0, true)) {
        depth[3] = depth[0];
        copy(a, depth, FRAGPROG_MASK_W, 0, true);
    }
    return !a->m->failed;
}
