/* Expands ARB instructions that the paired unit lacks into operations that it has. The expansions are exact
 * over the reals, except SIN, COS and SCS on r300 and r400, which lack them and use a polynomial. */
#include "hwemit/r300/asm.h"

#include <string.h>

/* sin(2 pi h) = h*(c0 + c1*h^2 + c2*h^4 + c3*h^6) for |h| <= 1/4: the best polynomial of this form in single
 * precision, with an error of at most 6.1e-7. */
static const float wave[4] = {6.283164024353027f, -41.33714294433594f, 81.34076690673828f,
                              -70.9934310913086f};
#define TURNS 0.15915493667125702f /* 1/(2 pi) */
#define LIT_MOST 127.9375f         /* LIT clamps its exponent to (-128, 128) */

/* ---- helpers that emit one scalar operation each ---- */

static struct asm_chan number(struct asm_program *a, struct asm_op *op)
{
    struct asm_chan result;
    hwemit_asm_number(a, op, &result);
    return result;
}

static struct asm_op operation(unsigned code, struct asm_chan x, struct asm_chan y, struct asm_chan z)
{
    struct asm_op op = {.kind = ASM_SCALAR, .code = (uint8_t)code, .unit = -1};
    op.arg[0][0] = x;
    op.arg[1][0] = y;
    op.arg[2][0] = z;
    return op;
}

static struct asm_chan mad(struct asm_program *a, struct asm_chan x, struct asm_chan y, struct asm_chan z)
{
    struct asm_op op = operation(OP_MAD, x, y, z);
    return number(a, &op);
}

static struct asm_chan select(struct asm_program *a, struct asm_chan x, struct asm_chan y, struct asm_chan z)
{
    struct asm_op op = operation(OP_CMP, x, y, z);
    return number(a, &op);
}

static struct asm_chan two(struct asm_program *a, unsigned code, struct asm_chan x, struct asm_chan y)
{
    struct asm_op op = operation(code, x, y, (struct asm_chan){0});
    return number(a, &op);
}

static struct asm_chan function(struct asm_program *a, unsigned code, struct asm_chan x, unsigned abs)
{
    struct asm_op op = operation(code, x, (struct asm_chan){0}, (struct asm_chan){0});
    op.kind = ASM_FUNCTION;
    op.abs = (uint8_t)abs;
    return number(a, &op);
}

static struct asm_chan literal(unsigned lane) { return hwemit_asm_literal(lane); }
static struct asm_chan minus(struct asm_chan c) { return hwemit_asm_negated(c); }

/* Returns an operand without a |x| modifier, computing |x| if needed. */
static struct asm_chan plain(struct asm_program *a, const struct asm_op *op, unsigned s, unsigned channel)
{
    if (!(op->abs >> s & 1))
        return op->arg[s][channel];
    struct asm_op copy = operation(OP_MAD, op->arg[s][channel], literal(FRAGPROG_ONE),
                                   literal(FRAGPROG_ZERO));
    copy.abs = 1;
    return number(a, &copy);
}

/* Applies the instruction's scale and clamp to the result, which the expansion leaves out. */
static void finish(struct asm_program *a, const struct asm_op *op, unsigned mask, struct asm_chan result[4])
{
    if (!op->scale && !op->clamp)
        return;
    struct asm_op copy = {.code = OP_MAD, .scale = op->scale, .clamp = op->clamp, .unit = op->unit};
    for (unsigned c = 0; c < 4; c++) {
        copy.arg[0][c] = result[c];
        copy.arg[1][c] = literal(FRAGPROG_ONE);
        copy.arg[2][c] = literal(FRAGPROG_ZERO);
    }
    hwemit_asm_channels(a, &copy, mask, result);
}

/* ---- functions of one number ---- */

/* Returns the channel from which a scalar operand is read; all its lanes read the same. */
static unsigned first_channel(const struct fragprog_inst *inst, unsigned s)
{
    const unsigned lanes = fragprog_lanes_read(inst, s);
    unsigned c = 0;
    while (!(lanes >> c & 1))
        c++;
    return c;
}

/* Emits the sine or cosine of x. r300 and r400: let t = x / (2 pi) for the cosine, t = x / (2 pi) - 1/4 for
 * the sine, f = frac(t + 1/2) - 1/2 and h = 1/4 - |f|; the result is cos(2 pi f) = sin(2 pi h). */
static struct asm_chan turn(struct asm_program *a, struct asm_chan x, bool cosine)
{
    const struct asm_chan turns = hwemit_asm_constant(a, TURNS);
    if (a->p->chip->generation == R500) {
        struct asm_op fraction = operation(OP_FRC, mad(a, x, turns, literal(FRAGPROG_ZERO)),
                                           (struct asm_chan){0}, (struct asm_chan){0});
        return function(a, cosine ? ASM_COS : ASM_SIN, number(a, &fraction), 0);
    }
    const struct asm_chan quarter = hwemit_asm_constant(a, 0.25f);
    struct asm_op fraction = operation(OP_FRC, mad(a, x, turns, cosine ? literal(FRAGPROG_HALF) : quarter),
                                       (struct asm_chan){0}, (struct asm_chan){0});
    const struct asm_chan f = mad(a, number(a, &fraction), literal(FRAGPROG_ONE),
                                  minus(literal(FRAGPROG_HALF)));
    struct asm_op fold = operation(OP_MAD, f, minus(literal(FRAGPROG_ONE)), quarter);
    fold.abs = 1;
    const struct asm_chan h = number(a, &fold), h2 = mad(a, h, h, literal(FRAGPROG_ZERO));
    struct asm_chan sum = mad(a, h2, hwemit_asm_constant(a, wave[3]), hwemit_asm_constant(a, wave[2]));
    sum = mad(a, sum, h2, hwemit_asm_constant(a, wave[1]));
    sum = mad(a, sum, h2, hwemit_asm_constant(a, wave[0]));
    return mad(a, sum, h, literal(FRAGPROG_ZERO));
}

static bool scalar(struct asm_program *a, const struct fragprog_inst *inst, struct asm_op *op,
                   struct asm_chan result[4])
{
    static const uint8_t codes[FRAGPROG_OPS] = {[FRAGPROG_RCP] = ASM_RCP,
                                                [FRAGPROG_RSQ] = ASM_RSQ,
                                                [FRAGPROG_EX2] = ASM_EX2,
                                                [FRAGPROG_LG2] = ASM_LG2};
    const unsigned channel = first_channel(inst, 0);
    struct asm_chan r;
    if (codes[inst->op]) {
        struct asm_op one = operation(codes[inst->op], op->arg[0][channel], (struct asm_chan){0},
                                      (struct asm_chan){0});
        one.kind = ASM_FUNCTION;
        one.abs = op->abs & 1;
        if (inst->op == FRAGPROG_RSQ) { /* RSQ is of |x|, as in the driver */
            one.abs = 1;
            one.arg[0][0].neg = false;
        }
        one.scale = op->scale;
        one.clamp = op->clamp;
        r = number(a, &one);
        for (unsigned c = 0; c < 4; c++)
            result[c] = r;
        return true;
    }
    const struct asm_chan x = plain(a, op, 0, channel);
    switch (inst->op) {
    case FRAGPROG_POW:
        r = function(a, ASM_EX2,
                     mad(a, function(a, ASM_LG2, x, 0), plain(a, op, 1, first_channel(inst, 1)),
                         literal(FRAGPROG_ZERO)),
                     0);
        break;
    case FRAGPROG_SIN: r = turn(a, x, false); break;
    case FRAGPROG_COS: r = turn(a, x, true); break;
    case FRAGPROG_SCS:
        if (inst->mask & FRAGPROG_MASK_X)
            result[0] = turn(a, x, true);
        if (inst->mask & FRAGPROG_MASK_Y)
            result[1] = turn(a, x, false);
        finish(a, op, inst->mask, result);
        return true;
    default: return false;
    }
    for (unsigned c = 0; c < 4; c++)
        result[c] = r;
    finish(a, op, inst->mask, result);
    return true;
}

/* ---- operations on channels ---- */

static void lit(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                struct asm_chan result[4])
{
    const struct asm_chan zero = literal(FRAGPROG_ZERO), one = literal(FRAGPROG_ONE);
    const bool power = inst->mask & FRAGPROG_MASK_Z, product = inst->mask & FRAGPROG_MASK_Y;
    result[0] = result[3] = one;
    const struct asm_chan x = power || product ? plain(a, op, 0, 0) : zero;
    if (product)
        result[1] = two(a, OP_MAX, x, zero);
    if (power) {
        const struct asm_chan y = two(a, OP_MAX, plain(a, op, 0, 1), zero), w = plain(a, op, 0, 3);
        const struct asm_chan most = hwemit_asm_constant(a, LIT_MOST);
        const struct asm_chan limited = two(a, OP_MAX, two(a, OP_MIN, w, most), minus(most));
        struct asm_chan z = function(a, ASM_EX2, mad(a, function(a, ASM_LG2, y, 0), limited, zero), 0);
        z = select(a, zero, z, minus(y));                          /* LG2(0) is not specified */
        struct asm_op first = operation(OP_CMP, one, z, minus(w)); /* 0^0 is 1 */
        first.arg[2][0].neg = true;
        first.abs = 4;
        z = number(a, &first);
        result[2] = select(a, zero, z, minus(x));
    }
    finish(a, op, inst->mask, result);
}

/* FLR: x - FRC(x). */
static void floor_of(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                     struct asm_chan result[4])
{
    struct asm_op fraction = {.code = OP_FRC, .abs = op->abs & 1, .unit = op->unit}, rest = *op;
    memcpy(fraction.arg[0], op->arg[0], sizeof fraction.arg[0]);
    rest.code = OP_MAD;
    hwemit_asm_channels(a, &fraction, inst->mask, rest.arg[2]);
    for (unsigned c = 0; c < 4; c++) {
        rest.arg[1][c] = literal(FRAGPROG_ONE);
        rest.arg[2][c] = minus(rest.arg[2][c]);
    }
    hwemit_asm_channels(a, &rest, inst->mask, result);
}

/* SGE: a - b >= 0 ? 1 : 0; SLT: the opposite. */
static void compare(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                    struct asm_chan result[4])
{
    struct asm_op difference = *op, choice = {.code = OP_CMP, .scale = op->scale, .clamp = op->clamp};
    choice.unit = op->unit;
    difference.code = OP_MAD;
    difference.scale = difference.clamp = 0;
    difference.abs = (uint8_t)((op->abs & 1) | (op->abs & 2) << 1);
    for (unsigned c = 0; c < 4; c++) {
        difference.arg[2][c] = minus(op->arg[1][c]);
        difference.arg[1][c] = literal(FRAGPROG_ONE);
        choice.arg[0][c] = literal(inst->op == FRAGPROG_SGE ? FRAGPROG_ONE : FRAGPROG_ZERO);
        choice.arg[1][c] = literal(inst->op == FRAGPROG_SGE ? FRAGPROG_ZERO : FRAGPROG_ONE);
    }
    hwemit_asm_channels(a, &difference, inst->mask, choice.arg[2]);
    hwemit_asm_channels(a, &choice, inst->mask, result);
}

/* LRP: A*(B - C) + C. */
static void blend(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                  struct asm_chan result[4])
{
    struct asm_op difference = {.code = OP_MAD, .unit = op->unit}, sum = *op;
    difference.abs = (uint8_t)(op->abs >> 1 & 1) | (uint8_t)(op->abs & 4);
    sum.code = OP_MAD;
    sum.abs = op->abs & 5;
    for (unsigned c = 0; c < 4; c++) {
        difference.arg[0][c] = op->arg[1][c];
        difference.arg[1][c] = literal(FRAGPROG_ONE);
        difference.arg[2][c] = minus(op->arg[2][c]);
    }
    hwemit_asm_channels(a, &difference, inst->mask, sum.arg[1]);
    hwemit_asm_channels(a, &sum, inst->mask, result);
}

/* XPD: A.yzx*B.zxy - A.zxy*B.yzx. */
static void cross(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                  struct asm_chan result[4])
{
    const unsigned mask = inst->mask & FRAGPROG_MASK_XYZ;
    struct asm_op second = {.code = OP_MAD, .abs = op->abs, .unit = op->unit}, first = *op;
    first.code = OP_MAD;
    for (unsigned c = 0; c < 3; c++) {
        first.arg[0][c] = op->arg[0][(c + 1) % 3];
        first.arg[1][c] = op->arg[1][(c + 2) % 3];
        second.arg[0][c] = op->arg[0][(c + 2) % 3];
        second.arg[1][c] = op->arg[1][(c + 1) % 3];
        second.arg[2][c] = literal(FRAGPROG_ZERO);
    }
    hwemit_asm_channels(a, &second, mask, first.arg[2]);
    for (unsigned c = 0; c < 3; c++)
        first.arg[2][c] = minus(first.arg[2][c]);
    hwemit_asm_channels(a, &first, mask, result);
}

/* DST: (1, A.y*B.y, A.z, B.w) as one product. */
static void distance(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                     struct asm_chan result[4])
{
    struct asm_op product = *op;
    product.code = OP_MAD;
    product.arg[0][0] = product.arg[0][3] = product.arg[1][0] = product.arg[1][2] = literal(FRAGPROG_ONE);
    for (unsigned c = 0; c < 4; c++)
        product.arg[2][c] = literal(FRAGPROG_ZERO);
    hwemit_asm_channels(a, &product, inst->mask, result);
}

/* DOT2ADD as two scalar operations, because not all of these chips have an instruction for it. */
static void dot2add(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                    struct asm_chan result[4])
{
    struct asm_op sum = operation(OP_MAD, op->arg[0][0], op->arg[1][0], op->arg[2][2]);
    sum.abs = op->abs;
    struct asm_op rest = operation(OP_MAD, op->arg[0][1], op->arg[1][1], number(a, &sum));
    rest.abs = op->abs & 3;
    result[0] = number(a, &rest);
    result[1] = result[2] = result[3] = result[0];
    finish(a, op, inst->mask, result);
}

/* PROJ: A.xyz / A.w. */
static void project(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_op *op,
                    struct asm_chan result[4])
{
    struct asm_op product = *op;
    const struct asm_chan r = function(a, ASM_RCP, op->arg[0][3], op->abs & 1);
    product.code = OP_MAD;
    for (unsigned c = 0; c < 4; c++) {
        product.arg[1][c] = r;
        product.arg[2][c] = literal(FRAGPROG_ZERO);
    }
    hwemit_asm_channels(a, &product, inst->mask, result);
}

bool hwemit_asm_expand(struct asm_program *a, const struct fragprog_inst *inst, struct asm_op *op,
                       struct asm_chan result[4])
{
    switch (inst->op) {
    case FRAGPROG_LIT: lit(a, inst, op, result); return true;
    case FRAGPROG_FLR: floor_of(a, inst, op, result); return true;
    case FRAGPROG_SGE:
    case FRAGPROG_SLT: compare(a, inst, op, result); return true;
    case FRAGPROG_LERP: blend(a, inst, op, result); return true;
    case FRAGPROG_XPD: cross(a, inst, op, result); return true;
    case FRAGPROG_DST: distance(a, inst, op, result); return true;
    case FRAGPROG_DOT2ADD: dot2add(a, inst, op, result); return true;
    case FRAGPROG_PROJ: project(a, inst, op, result); return true;
    default: return scalar(a, inst, op, result);
    }
}
