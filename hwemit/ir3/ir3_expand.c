/* Operations of the program by those of the chip, number by number. Each is exact over the reals. */
#include "hwemit/ir3/ir3.h"

#include <string.h>

#define LIT_MOST 127.9375f /* LIT's exponents lie within (-128, 128) */
/* Angles are brought within half a turn of 0, where the chip's functions are good (Mesa does it, too). */
#define TURNS 0.15915494309189535f /* 1/(2 pi) */
#define TURN 6.283185307179586f
#define HALF_TURN 3.141592653589793f

static struct ir3_src number(struct ir3 *s, float value) { return hwemit_ir3_immediate(s, value); }
static struct ir3_src minus(struct ir3 *s, struct ir3_src x) { return hwemit_ir3_negated(s, x); }
static struct ir3_src mul(struct ir3 *s, struct ir3_src x, struct ir3_src y)
{
    return hwemit_ir3_two(s, IR3_MUL, x, y, false);
}

static struct ir3_src either(struct ir3 *s, bool sat, struct ir3_src x)
{
    return sat ? hwemit_ir3_saturated(s, x) : x;
}

/* The channel from which a scalar operand is read: all have the same. */
static unsigned first_channel(const struct fragprog_inst *inst, unsigned n)
{
    const unsigned lanes = fragprog_lanes_read(inst, n);
    unsigned c = 0;
    while (c < 3 && !(lanes >> c & 1))
        c++;
    return c;
}

static void everywhere(struct ir3_src result[4], struct ir3_src x)
{
    for (unsigned c = 0; c < 4; c++)
        result[c] = x;
}

/* ---- functions of one number ---- */

/* x - floor(x) */
static struct ir3_src fraction(struct ir3 *s, struct ir3_src x, bool sat)
{
    return hwemit_ir3_two(s, IR3_ADD, x, minus(s, hwemit_ir3_floor(s, x, false)), sat);
}

static struct ir3_src wave(struct ir3 *s, unsigned code, struct ir3_src x)
{
    const struct ir3_src turns = hwemit_ir3_mad(s, x, number(s, TURNS), number(s, 0.5f), false);
    const struct ir3_src angle = hwemit_ir3_mad(s, fraction(s, turns, false), number(s, TURN),
                                                number(s, -HALF_TURN), false);
    return hwemit_ir3_function(s, code, angle);
}

static bool scalar(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[3][4],
                   struct ir3_src result[4])
{
    const unsigned first = first_channel(inst, 0);
    struct ir3_src x = arg[0][first];
    switch (inst->op) {
    case FRAGPROG_RCP: x = hwemit_ir3_function(s, IR3_RCP, x); break;
    case FRAGPROG_RSQ: x = hwemit_ir3_function(s, IR3_RSQ, hwemit_ir3_absolute(s, x)); break;
    case FRAGPROG_EX2: x = hwemit_ir3_function(s, IR3_EXP2, x); break;
    case FRAGPROG_LG2: x = hwemit_ir3_function(s, IR3_LOG2, x); break;
    case FRAGPROG_SIN: x = wave(s, IR3_SIN, x); break;
    case FRAGPROG_COS: x = wave(s, IR3_COS, x); break;
    case FRAGPROG_POW:
        x = mul(s, hwemit_ir3_function(s, IR3_LOG2, x), arg[1][first_channel(inst, 1)]);
        x = hwemit_ir3_function(s, IR3_EXP2, x);
        break;
    default: return false;
    }
    everywhere(result, x);
    return true;
}

/* ---- sums of products ---- */

static struct ir3_src dot(struct ir3 *s, struct ir3_src arg[3][4], unsigned terms, bool sat)
{
    struct ir3_src sum = mul(s, arg[0][0], arg[1][0]);
    for (unsigned c = 1; c < terms; c++)
        sum = hwemit_ir3_mad(s, arg[0][c], arg[1][c], sum, sat && c == terms - 1);
    return sum;
}

static bool dots(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[3][4], bool sat,
                 struct ir3_src result[4])
{
    struct ir3_src x;
    switch (inst->op) {
    case FRAGPROG_DOT3: x = dot(s, arg, 3, sat); break;
    case FRAGPROG_DOT4: x = dot(s, arg, 4, sat); break;
    case FRAGPROG_DPH: x = hwemit_ir3_two(s, IR3_ADD, dot(s, arg, 3, false), arg[1][3], sat); break;
    case FRAGPROG_DOT2ADD:
        x = hwemit_ir3_mad(s, arg[0][0], arg[1][0], arg[2][2], false);
        x = hwemit_ir3_mad(s, arg[0][1], arg[1][1], x, sat);
        break;
    default: return false;
    }
    everywhere(result, x);
    return true;
}

/* ---- operations that go by channel ---- */

static void lit(struct ir3 *s, unsigned mask, const struct ir3_src x[4], struct ir3_src result[4])
{
    const struct ir3_src zero = number(s, 0), one = number(s, 1);
    result[0] = result[3] = one;
    if (mask & FRAGPROG_MASK_Y)
        result[1] = hwemit_ir3_two(s, IR3_MAX, x[0], zero, false);
    if (!(mask & FRAGPROG_MASK_Z))
        return;
    struct ir3_src power = hwemit_ir3_two(s, IR3_MIN, x[3], number(s, LIT_MOST), false);
    power = hwemit_ir3_two(s, IR3_MAX, power, number(s, -LIT_MOST), false);
    struct ir3_src z = hwemit_ir3_function(s, IR3_LOG2, hwemit_ir3_two(s, IR3_MAX, x[1], zero, false));
    z = hwemit_ir3_function(s, IR3_EXP2, mul(s, z, power));
    z = hwemit_ir3_choose(s, IR3_GT, x[1], zero, z, zero); /* 0 * log2(0) is no number */
    z = hwemit_ir3_choose(s, IR3_GT, hwemit_ir3_absolute(s, x[3]), zero, z, one); /* 0^0 is 1 */
    result[2] = hwemit_ir3_choose(s, IR3_GT, x[0], zero, z, zero);
}

/* A.yzx*B.zxy - A.zxy*B.yzx */
static struct ir3_src cross(struct ir3 *s, struct ir3_src arg[3][4], unsigned c, bool sat)
{
    const struct ir3_src rest = mul(s, arg[0][(c + 2) % 3], arg[1][(c + 1) % 3]);
    return hwemit_ir3_mad(s, arg[0][(c + 1) % 3], arg[1][(c + 2) % 3], minus(s, rest), sat);
}

/* x*(1 - y) is x - x*y */
static bool times_rest(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[3][4], unsigned c,
                       bool sat, struct ir3_src *result)
{
    for (unsigned rest = 0; rest < 2 && inst->op == FRAGPROG_MUL; rest++) {
        const struct ir3_src one_minus = arg[rest][c];
        const struct ir3_op *op = one_minus.file == IR3_VALUE && !one_minus.neg && !one_minus.abs
            ? hwemit_ir3_made(s, one_minus)
            : NULL;
        if (!op || op->kind != IR3_TWO || op->code != IR3_ADD || op->sat)
            continue;
        for (unsigned n = 0; n < 2; n++)
            if (hwemit_ir3_is_number(s, op->src[n], 1) && !op->src[n].neg) {
                const struct ir3_src x = arg[!rest][c], y = op->src[!n]; /* 1 + y */
                *result = hwemit_ir3_mad(s, x, y, x, sat);
                return true;
            }
    }
    return false;
}

static bool channel(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[3][4], unsigned c,
                    bool sat, struct ir3_src *result)
{
    const struct ir3_src x = arg[0][c], y = arg[1][c], z = arg[2][c], zero = number(s, 0);
    switch (inst->op) {
    case FRAGPROG_MOV: *result = either(s, sat, x); return true;
    case FRAGPROG_VEC: *result = either(s, sat, inst->src[0].lane[c] == FRAGPROG_ZERO ? y : x); return true;
    case FRAGPROG_ADD: *result = hwemit_ir3_two(s, IR3_ADD, x, y, sat); return true;
    case FRAGPROG_SUB: *result = hwemit_ir3_two(s, IR3_ADD, x, minus(s, y), sat); return true;
    case FRAGPROG_MUL:
        if (!times_rest(s, inst, arg, c, sat, result))
            *result = hwemit_ir3_two(s, IR3_MUL, x, y, sat);
        return true;
    case FRAGPROG_MAD: *result = hwemit_ir3_mad(s, x, y, z, sat); return true;
    case FRAGPROG_LERP: /* x*(y - z) + z */
        *result = hwemit_ir3_mad(s, x, hwemit_ir3_two(s, IR3_ADD, y, minus(s, z), false), z, sat);
        return true;
    case FRAGPROG_MIN: *result = hwemit_ir3_two(s, IR3_MIN, x, y, sat); return true;
    case FRAGPROG_MAX: *result = hwemit_ir3_two(s, IR3_MAX, x, y, sat); return true;
    case FRAGPROG_FLR: *result = hwemit_ir3_floor(s, x, sat); return true;
    case FRAGPROG_FRC: *result = fraction(s, x, sat); return true;
    case FRAGPROG_CND:
        *result = either(s, sat, hwemit_ir3_choose(s, IR3_GT, z, number(s, 0.5f), x, y));
        return true;
    case FRAGPROG_CND0: *result = either(s, sat, hwemit_ir3_choose(s, IR3_GE, z, zero, x, y)); return true;
    case FRAGPROG_SGE: *result = hwemit_ir3_choose(s, IR3_GE, x, y, number(s, 1), zero); return true;
    case FRAGPROG_SLT: *result = hwemit_ir3_choose(s, IR3_LT, x, y, number(s, 1), zero); return true;
    case FRAGPROG_XPD: *result = c < 3 ? cross(s, arg, c, sat) : zero; return true;
    case FRAGPROG_PROJ:
        *result = hwemit_ir3_two(s, IR3_MUL, x, hwemit_ir3_function(s, IR3_RCP, arg[0][3]), sat);
        return true;
    case FRAGPROG_DST: /* (1, A.y*B.y, A.z, B.w) */
        *result = c == 0 ? number(s, 1)
            : c == 1     ? hwemit_ir3_two(s, IR3_MUL, x, y, sat)
                         : either(s, sat, c == 2 ? x : y);
        return true;
    case FRAGPROG_SCS:
        *result = c > 1 ? zero
                        : either(s, sat, wave(s, c ? IR3_SIN : IR3_COS, arg[0][first_channel(inst, 0)]));
        return true;
    default: return false;
    }
}

bool hwemit_ir3_operation(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[3][4], bool sat,
                          struct ir3_src result[4])
{
    if (dots(s, inst, arg, sat, result))
        return true;
    if (inst->op == FRAGPROG_LIT)
        lit(s, inst->mask, arg[0], result);
    else if (!scalar(s, inst, arg, result)) {
        for (unsigned c = 0; c < 4; c++)
            if (inst->mask >> c & 1 && !channel(s, inst, arg, c, sat, &result[c]))
                return false;
        return true;
    }
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1)
            result[c] = either(s, sat, result[c]);
    return true;
}
