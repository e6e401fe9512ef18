/* Operations that the chip does not have, by those that it has. Each is exact over the reals. */
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

#define LIT_MOST 127.9375f /* LIT's exponents lie within (-128, 128) */
/* SIN and COS take 2/pi of the angle; in their new form 1/pi of it (Mesa, etnaviv_nir.c, etna_lower_alu: the
 * facts do not say). */
#define HALF_PIS 0.6366197466850281f
#define PIS 0.31830987334251404f

/* ---- operations on one number each ---- */

static struct etna_chan two(struct etna *e, unsigned code, struct etna_chan x, struct etna_chan y)
{
    struct etna_op op = {.code = (uint8_t)code, .used = code == ETNA_ADD ? 5 : 3, .unit = -1};
    op.arg[0][0] = x;
    op.arg[code == ETNA_ADD ? 2 : 1][0] = y;
    return hwemit_etna_number(e, &op);
}

/* cond(x) or x cond y, then y, else z */
static struct etna_chan choose(struct etna *e, unsigned cond, struct etna_chan x, struct etna_chan y,
                               struct etna_chan z)
{
    struct etna_op op = {.code = ETNA_SELECT, .cond = (uint8_t)cond, .used = 7, .unit = -1};
    op.arg[0][0] = x;
    op.arg[1][0] = y;
    op.arg[2][0] = z;
    return hwemit_etna_number(e, &op);
}

static struct etna_chan mad(struct etna *e, struct etna_chan x, struct etna_chan y, struct etna_chan z,
                            unsigned abs)
{
    struct etna_op op = {.code = ETNA_MAD, .used = 7, .abs = (uint8_t)abs, .unit = -1};
    op.arg[0][0] = x;
    op.arg[1][0] = y;
    op.arg[2][0] = z;
    return hwemit_etna_number(e, &op);
}

/* New forms of LOG, SIN and COS give two numbers, of which the product is the result. */
static struct etna_chan function(struct etna *e, unsigned code, struct etna_chan x, unsigned abs)
{
    struct etna_op op = {.kind = ETNA_FUNCTION, .code = (uint8_t)code, .used = 4, .unit = -1};
    op.abs = abs ? 4 : 0;
    op.arg[2][0] = x;
    if (!e->pairs || (code != ETNA_LOG && code != ETNA_SIN && code != ETNA_COS))
        return hwemit_etna_number(e, &op);
    op.round = 1;
    op.mask = FRAGPROG_MASK_X | FRAGPROG_MASK_Y;
    op.value = hwemit_etna_new_value(e, ETNA_HALVES, op.mask);
    hwemit_etna_append(e, &op);
    const struct etna_chan half[2] = {{.file = ETNA_VALUE, .lane = 0, .index = op.value},
                                      {.file = ETNA_VALUE, .lane = 1, .index = op.value}};
    return two(e, ETNA_MUL, half[0], half[1]);
}

/* A scalar that can be read without the modifier |x|: a MOV computes it first where the operand has one. */
static struct etna_chan plain(struct etna *e, const struct etna_op *op, unsigned s, unsigned channel)
{
    struct etna_op copy = {.code = ETNA_MOV, .used = 4, .abs = 4, .unit = op->unit};
    if (!(op->abs >> s & 1))
        return op->arg[s][channel];
    copy.arg[2][0] = op->arg[s][channel];
    return hwemit_etna_number(e, &copy);
}

static void everywhere(struct etna_chan result[4], struct etna_chan number)
{
    for (unsigned c = 0; c < 4; c++)
        result[c] = number;
}

/* The channel from which a scalar operand is read: all have the same. */
static unsigned first_channel(const struct fragprog_inst *inst, unsigned s)
{
    const unsigned lanes = fragprog_lanes_read(inst, s);
    unsigned c = 0;
    while (!(lanes >> c & 1))
        c++;
    return c;
}

/* ---- functions of one number ---- */

static struct etna_chan wave(struct etna *e, struct etna_chan x, unsigned code)
{
    return function(e, code, two(e, ETNA_MUL, x, hwemit_etna_immediate(e, e->pairs ? PIS : HALF_PIS)), 0);
}

static bool scalar(struct etna *e, const struct fragprog_inst *inst, struct etna_op *in,
                   struct etna_chan result[4])
{
    static const uint8_t codes[FRAGPROG_OPS] = {[FRAGPROG_RCP] = ETNA_RCP,
                                                [FRAGPROG_RSQ] = ETNA_RSQ,
                                                [FRAGPROG_EX2] = ETNA_EXP,
                                                [FRAGPROG_LG2] = ETNA_LOG};
    struct etna_chan x = in->arg[0][first_channel(inst, 0)];
    if (codes[inst->op]) {
        const bool root = inst->op == FRAGPROG_RSQ; /* of |x| */
        x.neg = root ? 0 : x.neg;
        everywhere(result, function(e, codes[inst->op], x, root || in->abs & 1));
        return true;
    }
    switch (inst->op) {
    case FRAGPROG_POW:
        x = function(e, ETNA_LOG, x, in->abs & 1);
        x = two(e, ETNA_MUL, x, plain(e, in, 1, first_channel(inst, 1)));
        everywhere(result, function(e, ETNA_EXP, x, 0));
        return true;
    case FRAGPROG_SIN:
    case FRAGPROG_COS:
        x = plain(e, in, 0, first_channel(inst, 0));
        everywhere(result, wave(e, x, inst->op == FRAGPROG_SIN ? ETNA_SIN : ETNA_COS));
        return true;
    case FRAGPROG_SCS:
        x = plain(e, in, 0, first_channel(inst, 0));
        if (inst->mask & FRAGPROG_MASK_X)
            result[0] = wave(e, x, ETNA_COS);
        if (inst->mask & FRAGPROG_MASK_Y)
            result[1] = wave(e, x, ETNA_SIN);
        return true;
    default: return false;
    }
}

/* ---- dot products ---- */

static bool dot(struct etna *e, const struct fragprog_inst *inst, const struct etna_op *in,
                struct etna_chan result[4])
{
    struct etna_op op = {.kind = ETNA_DOT, .code = ETNA_DP3, .terms = 7, .used = 3, .unit = inst->unit};
    op.abs = in->abs & 3;
    memcpy(op.arg, in->arg, sizeof op.arg);
    memset(op.arg[2], 0, sizeof op.arg[2]);
    switch (inst->op) {
    case FRAGPROG_DOT4:
        op.code = ETNA_DP4;
        op.terms = 15;
        everywhere(result, hwemit_etna_number(e, &op));
        return true;
    case FRAGPROG_DOT3: everywhere(result, hwemit_etna_number(e, &op)); return true;
    case FRAGPROG_DPH:
        everywhere(result, two(e, ETNA_ADD, hwemit_etna_number(e, &op), plain(e, in, 1, 3)));
        return true;
    case FRAGPROG_DOT2ADD: {
        const struct etna_chan sum = mad(e, in->arg[0][0], in->arg[1][0], in->arg[2][2], in->abs);
        everywhere(result, mad(e, in->arg[0][1], in->arg[1][1], sum, in->abs & 3));
        return true;
    }
    default: return false;
    }
}

/* ---- operations that go by channel ---- */

static void lit(struct etna *e, const struct fragprog_inst *inst, const struct etna_op *in,
                struct etna_chan result[4])
{
    const struct etna_chan zero = hwemit_etna_immediate(e, 0), one = hwemit_etna_immediate(e, 1);
    const struct etna_chan most = hwemit_etna_immediate(e, LIT_MOST),
                           least = hwemit_etna_immediate(e, -LIT_MOST);
    const struct etna_chan x = inst->mask & 6 ? plain(e, in, 0, 0) : zero;
    result[0] = result[3] = one;
    if (inst->mask & FRAGPROG_MASK_Y)
        result[1] = choose(e, ETNA_LT, x, zero, x);
    if (inst->mask & FRAGPROG_MASK_Z) {
        const struct etna_chan y = plain(e, in, 0, 1), w = plain(e, in, 0, 3);
        struct etna_chan power = choose(e, ETNA_GT, w, most, w);
        power = choose(e, ETNA_LT, power, least, power);
        struct etna_chan z = function(e, ETNA_LOG, choose(e, ETNA_LT, y, zero, y), 0);
        z = function(e, ETNA_EXP, two(e, ETNA_MUL, z, power), 0);
        z = choose(e, ETNA_GZ, y, z, zero); /* the logarithm of 0 is not known */
        struct etna_op first = {.code = ETNA_SELECT, .cond = ETNA_GZ, .used = 7, .abs = 1, .unit = -1};
        first.arg[0][0] = w; /* 0^0 is 1 */
        first.arg[0][0].neg = 0;
        first.arg[1][0] = z;
        first.arg[2][0] = one;
        z = hwemit_etna_number(e, &first);
        result[2] = choose(e, ETNA_GZ, x, z, zero);
    }
}

/* A*(B - C) + C */
static void blend(struct etna *e, const struct fragprog_inst *inst, const struct etna_op *in,
                  struct etna_chan result[4])
{
    struct etna_op difference = {.code = ETNA_ADD, .used = 5, .unit = in->unit};
    struct etna_op sum = {.code = ETNA_MAD, .used = 7, .abs = in->abs & 5, .unit = in->unit};
    difference.abs = (uint8_t)((in->abs >> 1 & 1) | (in->abs & 4));
    memcpy(difference.arg[0], in->arg[1], sizeof difference.arg[0]);
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1)
            difference.arg[2][c] = hwemit_etna_negated(e, in->arg[2][c]);
    memcpy(sum.arg, in->arg, sizeof sum.arg);
    hwemit_etna_channels(e, &difference, inst->mask, sum.arg[1]);
    hwemit_etna_channels(e, &sum, inst->mask, result);
}

/* A.yzx*B.zxy - A.zxy*B.yzx */
static void cross(struct etna *e, const struct fragprog_inst *inst, const struct etna_op *in,
                  struct etna_chan result[4])
{
    const unsigned mask = inst->mask & FRAGPROG_MASK_XYZ;
    struct etna_op second = {.code = ETNA_MUL, .used = 3, .abs = in->abs, .unit = in->unit};
    struct etna_op first = {.code = ETNA_MAD, .used = 7, .abs = in->abs, .unit = in->unit};
    for (unsigned c = 0; c < 3; c++) {
        first.arg[0][c] = in->arg[0][(c + 1) % 3];
        first.arg[1][c] = in->arg[1][(c + 2) % 3];
        second.arg[0][c] = in->arg[0][(c + 2) % 3];
        second.arg[1][c] = in->arg[1][(c + 1) % 3];
    }
    hwemit_etna_channels(e, &second, mask, first.arg[2]);
    for (unsigned c = 0; c < 3; c++)
        if (mask >> c & 1)
            first.arg[2][c] = hwemit_etna_negated(e, first.arg[2][c]);
    hwemit_etna_channels(e, &first, mask, result);
}

/* (1, A.y*B.y, A.z, B.w) */
static void distance(struct etna *e, const struct fragprog_inst *inst, const struct etna_op *in,
                     struct etna_chan result[4])
{
    struct etna_op product = {.code = ETNA_MUL, .used = 3, .abs = in->abs & 3, .unit = in->unit};
    product.arg[0][0] = in->arg[0][1];
    product.arg[1][0] = in->arg[1][1];
    result[0] = hwemit_etna_immediate(e, 1);
    if (inst->mask & FRAGPROG_MASK_Y)
        result[1] = hwemit_etna_number(e, &product);
    if (inst->mask & FRAGPROG_MASK_Z)
        result[2] = plain(e, in, 0, 2);
    if (inst->mask & FRAGPROG_MASK_W)
        result[3] = plain(e, in, 1, 3);
}

/* A.xyz / A.w */
static void project(struct etna *e, const struct fragprog_inst *inst, const struct etna_op *in,
                    struct etna_chan result[4])
{
    struct etna_op product = {.code = ETNA_MUL, .used = 3, .abs = in->abs & 1, .unit = in->unit};
    memcpy(product.arg[0], in->arg[0], sizeof product.arg[0]);
    everywhere(product.arg[1], function(e, ETNA_RCP, in->arg[0][3], in->abs & 1));
    hwemit_etna_channels(e, &product, inst->mask, result);
}

/* The clamp, if all results come from the last operation, which nothing else reads. */
static bool saturates(struct etna *e, const struct fragprog_inst *inst, unsigned before,
                      const struct etna_chan result[4])
{
    if (inst->scale || inst->clamp != FRAGPROG_SAT || e->nops == before || e->failed)
        return false;
    struct etna_op *last = &e->op[e->nops - 1];
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1 &&
            (result[c].file != ETNA_VALUE || result[c].index != last->value || result[c].neg))
            return false;
    last->sat = true;
    return true;
}

bool hwemit_etna_expand(struct etna *e, const struct fragprog_inst *inst, struct etna_op *op,
                        struct etna_chan result[4])
{
    const unsigned before = e->nops;
    switch (inst->op) {
    case FRAGPROG_LIT: lit(e, inst, op, result); break;
    case FRAGPROG_LERP: blend(e, inst, op, result); break;
    case FRAGPROG_XPD: cross(e, inst, op, result); break;
    case FRAGPROG_DST: distance(e, inst, op, result); break;
    case FRAGPROG_PROJ: project(e, inst, op, result); break;
    default:
        if (!scalar(e, inst, op, result) && !dot(e, inst, op, result))
            return false;
    }
    if (!saturates(e, inst, before, result))
        hwemit_etna_finish(e, inst, result);
    return true;
}
