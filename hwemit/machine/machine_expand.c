/* Implements the program's operations (LIT, XPD, POW, ...) by operations that the chip has
 * (machine_target.row). All replacements are exact over the real numbers, within the ranges that
 * ARB_fragment_program allows, except sin and cos by a polynomial. */
#include "hwemit/machine/machine.h"

#include <string.h>

#define LIT_MOST 127.9375f /* LIT's exponents lie within (-128, 128) */
#define TURN 6.283185307179586f
/* sin(2 pi h) = h*(c0 + c1*h^2 + c2*h^4 + c3*h^6) for |h| <= 1/4: the best polynomial of this form in single
 * precision, with an error of at most 6.1e-7. */
static const float sine[4] = {6.283164024353027f, -41.33714294433594f, 81.34076690673828f,
                              -70.9934310913086f};

typedef struct machine_src number;

static bool has(const struct machine *m, unsigned op) { return m->target->row[op].form != 0; }
static number immediate(struct machine *m, float value) { return hwemit_machine_immediate(m, value); }
static number one(struct machine *m, unsigned op, number x, number y)
{
    return hwemit_machine_do(m, op, x, y, (number){0}, false);
}
static number mad(struct machine *m, number x, number y, number z)
{
    return hwemit_machine_do(m, MACHINE_MAD, x, y, z, false);
}

static void everywhere(number result[4], number x)
{
    for (unsigned c = 0; c < 4; c++)
        result[c] = x;
}

static void negate(struct machine *m, unsigned mask, const number x[4], number result[4])
{
    for (unsigned c = 0; c < 4; c++)
        result[c] = mask >> c & 1 ? hwemit_machine_negated(m, x[c]) : x[c];
}

/* ---- choices ---- */

/* Computes x cond y ? a : b, where cond is GT (>) or GE (>=). arg: x, y, a, b. */
static void choose(struct machine *m, unsigned mask, unsigned cond, number arg[4][4], number result[4])
{
    number x[4] = {{0}};
    memcpy(x, arg[0], sizeof x);
    if (has(m, MACHINE_CMP)) {
        struct machine_op compare = hwemit_machine_make(MACHINE_CMP, x, arg[1], NULL);
        compare.cond = (uint8_t)cond;
        hwemit_machine_channels(m, compare, mask, x);
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_SEL, arg[2], x, arg[3]), mask, result);
        return;
    }
    number minus[4];
    negate(m, mask, arg[1], minus);
    bool zero = true;
    for (unsigned c = 0; c < 4; c++)
        zero = zero && (!(mask >> c & 1) || hwemit_machine_is(m, minus[c], 0));
    if (!zero)
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_ADD, x, minus, NULL), mask, x);
    if (cond == MACHINE_GT) { /* -x >= 0 ? b : a */
        negate(m, mask, x, x);
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_CGE, x, arg[3], arg[2]), mask, result);
    } else
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_CGE, x, arg[2], arg[3]), mask, result);
}

/* As choose(), for single numbers: returns x cond y ? a : b. */
static number chosen(struct machine *m, unsigned cond, number x, number y, number a, number b)
{
    number arg[4][4] = {{x}, {y}, {a}, {b}};
    number result[4] = {{0}};
    choose(m, 1, cond, arg, result);
    return result[0];
}

/* Computes x >= y (SGE) or x < y (SLT) as 1 or 0. */
static void compare(struct machine *m, const struct fragprog_inst *inst, number arg[3][4], number result[4])
{
    const unsigned op = inst->op == FRAGPROG_SGE ? MACHINE_SGE : MACHINE_SLT;
    number all[4][4];
    if (has(m, op)) {
        hwemit_machine_channels(m, hwemit_machine_make(op, arg[0], arg[1], NULL), inst->mask, result);
        return;
    }
    memcpy(all, arg, 2 * sizeof *all);
    everywhere(all[2], immediate(m, op == MACHINE_SGE));
    everywhere(all[3], immediate(m, op == MACHINE_SLT));
    choose(m, inst->mask, MACHINE_GE, all, result);
}

/* ---- functions of one number ---- */

_Static_assert(MACHINE_SIN == MACHINE_LG2 + 1 && MACHINE_COS == MACHINE_LG2 + 2, "bits of machine.factors");

/* Computes a function of one number. On some chips it returns two factors, which must be multiplied. */
static number function(struct machine *m, unsigned op, number x)
{
    struct machine_op made = {.op = (uint8_t)op, .arg = {{x}}};
    if (op < MACHINE_LG2 || !(m->factors >> (op - MACHINE_LG2) & 1))
        return hwemit_machine_number(m, &made);
    made.mask = FRAGPROG_MASK_X | FRAGPROG_MASK_Y;
    made.value = hwemit_machine_new_value(m, MACHINE_FACTORS, made.mask);
    hwemit_machine_append(m, &made);
    return one(m, MACHINE_MUL, hwemit_machine_component(m, &made, 0), hwemit_machine_component(m, &made, 1));
}

static void fraction(struct machine *m, unsigned mask, const number x[4], number result[4])
{
    number whole[4] = {{0}};
    if (has(m, MACHINE_FRC)) {
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_FRC, x, NULL, NULL), mask, result);
        return;
    }
    hwemit_machine_channels(m, hwemit_machine_make(MACHINE_FLR, x, NULL, NULL), mask, whole);
    negate(m, mask, whole, whole);
    hwemit_machine_channels(m, hwemit_machine_make(MACHINE_ADD, x, whole, NULL), mask, result);
}

/* Returns the fraction of x/(2 pi) + offset. */
static number turned(struct machine *m, number x, float offset)
{
    number part[4] = {mad(m, x, immediate(m, 1 / TURN), immediate(m, offset))};
    fraction(m, 1, part, part);
    return part[0];
}

/* With t = x/(2 pi) for the cosine, x/(2 pi) - 1/4 for the sine, f = frac(t + 1/2) - 1/2 and h = 1/4 - |f|,
 * the result is cos(2 pi f) = sin(2 pi h). */
static number wave_by_polynomial(struct machine *m, unsigned op, number x)
{
    const number part = turned(m, x, op == MACHINE_COS ? 0.5f : 0.25f);
    const number f = hwemit_machine_absolute(m, one(m, MACHINE_ADD, part, immediate(m, -0.5f)));
    const number h = one(m, MACHINE_ADD, immediate(m, 0.25f), hwemit_machine_negated(m, f));
    const number h2 = one(m, MACHINE_MUL, h, h);
    number sum = immediate(m, sine[3]);
    for (unsigned n = 3; n-- > 0;)
        sum = mad(m, h2, sum, immediate(m, sine[n]));
    return one(m, MACHINE_MUL, sum, h);
}

static number wave(struct machine *m, unsigned op, number x)
{
    switch (m->angle) {
    case MACHINE_POLYNOMIAL: return wave_by_polynomial(m, op, x);
    case MACHINE_TURN: return function(m, op, turned(m, x, 0));
    case MACHINE_QUARTERS: return function(m, op, one(m, MACHINE_MUL, x, immediate(m, 4 / TURN)));
    case MACHINE_HALVES: return function(m, op, one(m, MACHINE_MUL, x, immediate(m, 2 / TURN)));
    default: x = mad(m, turned(m, x, 0.5f), immediate(m, TURN), immediate(m, -TURN / 2));
    }
    return function(m, op, x);
}

/* Returns the number that a scalar operand reads. All its channels read the same. */
static number scalar(const struct fragprog_inst *inst, number arg[3][4], unsigned s)
{
    const unsigned lanes = fragprog_lanes_read(inst, s);
    unsigned c = 0;
    while (c < 3 && !(lanes >> c & 1))
        c++;
    return arg[s][c];
}

/* ---- sums of products ---- */

static number dot(struct machine *m, number arg[3][4], unsigned terms)
{
    struct machine_op op = hwemit_machine_make(terms == 3 ? MACHINE_DP3 : MACHINE_DP4, arg[0], arg[1], NULL);
    if (has(m, op.op)) {
        op.terms = terms == 3 ? FRAGPROG_MASK_XYZ : FRAGPROG_MASK_XYZW;
        return hwemit_machine_number(m, &op);
    }
    number sum = one(m, MACHINE_MUL, arg[0][0], arg[1][0]);
    for (unsigned c = 1; c < terms; c++)
        sum = mad(m, arg[0][c], arg[1][c], sum);
    return sum;
}

/* ---- operations whose result is one number ---- */

static bool numbers(struct machine *m, const struct fragprog_inst *inst, number arg[3][4], number result[4])
{
    const bool waves = has(m, MACHINE_SIN) || m->angle == MACHINE_POLYNOMIAL;
    number x = scalar(inst, arg, 0);
    switch (inst->op) {
    case FRAGPROG_RCP: x = function(m, MACHINE_RCP, x); break;
    case FRAGPROG_RSQ:
        x = function(m, MACHINE_RSQ, m->target->selects ? x : hwemit_machine_absolute(m, x));
        break;
    case FRAGPROG_EX2: x = function(m, MACHINE_EX2, x); break;
    case FRAGPROG_LG2: x = function(m, MACHINE_LG2, x); break;
    case FRAGPROG_SIN: x = wave(m, MACHINE_SIN, x); break;
    case FRAGPROG_COS: x = wave(m, MACHINE_COS, x); break;
    case FRAGPROG_SCS:
        everywhere(result, immediate(m, 0));
        if (inst->mask & FRAGPROG_MASK_X)
            result[0] = wave(m, MACHINE_COS, x);
        if (inst->mask & FRAGPROG_MASK_Y)
            result[1] = wave(m, MACHINE_SIN, x);
        return waves;
    case FRAGPROG_POW:
        if (has(m, MACHINE_POW)) {
            x = one(m, MACHINE_POW, x, scalar(inst, arg, 1));
            break;
        }
        x = one(m, MACHINE_MUL, function(m, MACHINE_LG2, x), scalar(inst, arg, 1));
        x = function(m, MACHINE_EX2, x);
        break;
    case FRAGPROG_DOT3: x = dot(m, arg, 3); break;
    case FRAGPROG_DOT4: x = dot(m, arg, 4); break;
    case FRAGPROG_DPH:
        if (m->target->selects || m->target->halves) {
            arg[0][3] = immediate(m, 1);
            x = dot(m, arg, 4);
        } else
            x = one(m, MACHINE_ADD, dot(m, arg, 3), arg[1][3]);
        break;
    case FRAGPROG_DOT2ADD:
        x = mad(m, arg[0][0], arg[1][0], arg[2][2]);
        x = mad(m, arg[0][1], arg[1][1], x);
        break;
    default: return false;
    }
    everywhere(result, x);
    return waves || (inst->op != FRAGPROG_SIN && inst->op != FRAGPROG_COS);
}

/* ---- operations on each channel ---- */

/* Appends an operation whose components are different results. */
static void lanes(struct machine *m, struct machine_op op, unsigned mask, number result[4])
{
    if (!mask)
        return;
    op.mask = (uint8_t)mask;
    op.value = hwemit_machine_new_value(m, MACHINE_RESULT, mask);
    m->value[op.value].own = 1;
    hwemit_machine_append(m, &op);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            result[c] = hwemit_machine_component(m, &op, c);
}

/* EXP: (2^floor x, x - floor x, 2^x, 1). LOG: (floor log2|x|, |x| / 2^floor log2|x|, log2|x|, 1). The chip's
 * own instruction is less exact in z, so it is used only if x or y is read. */
static void exp_or_log(struct machine *m, const struct fragprog_inst *inst, number arg[3][4],
                       number result[4])
{
    const bool exp = inst->op == FRAGPROG_EXP;
    const unsigned mask = inst->mask & FRAGPROG_MASK_XYZ;
    struct machine_op op = {.op = exp ? MACHINE_EXP : MACHINE_LOG, .arg = {{scalar(inst, arg, 0)}}};
    result[3] = immediate(m, 1);
    if (mask == FRAGPROG_MASK_Z)
        result[2] = function(m, exp ? MACHINE_EX2 : MACHINE_LG2, op.arg[0][0]);
    else
        lanes(m, op, mask, result);
}

/* LIT by the chip's own instruction (only vertex engines have one; it reads y, x, w of the operand), which
 * computes 0^0 as 0, and GL requires 1. So the base is max(y, smallest normal number), unless
 * the exponent is known to be nonzero. */
static void chip_lit(struct machine *m, unsigned mask, const number x[4], number result[4])
{
    const float *power = hwemit_machine_value(m, x[3]);
    struct machine_op op = {.op = MACHINE_LIT, .arg = {{x[1]}, {x[0]}, {x[3]}}};
    if (!power || *power == 0)
        op.arg[0][0] = one(m, MACHINE_MAX, x[1], immediate(m, 0x1p-126f));
    lanes(m, op, mask & (FRAGPROG_MASK_Y | FRAGPROG_MASK_Z), result);
}

static void lit(struct machine *m, unsigned mask, const number x[4], number result[4])
{
    const number zero = immediate(m, 0);
    result[0] = result[3] = immediate(m, 1);
    if (has(m, MACHINE_LIT) && mask & FRAGPROG_MASK_Z) {
        chip_lit(m, mask, x, result);
        return;
    }
    if (mask & FRAGPROG_MASK_Y)
        result[1] = one(m, MACHINE_MAX, x[0], zero);
    if (!(mask & FRAGPROG_MASK_Z))
        return;
    number power = one(m, MACHINE_MIN, x[3], immediate(m, LIT_MOST));
    power = one(m, MACHINE_MAX, power, immediate(m, -LIT_MOST));
    number z = function(m, MACHINE_LG2, one(m, MACHINE_MAX, x[1], zero));
    z = function(m, MACHINE_EX2, one(m, MACHINE_MUL, z, power));
    z = chosen(m, MACHINE_GT, x[1], zero, z, zero); /* the chip's result of 0 * log2(0) is not known */
    z = chosen(m, MACHINE_GT, hwemit_machine_absolute(m, x[3]), zero, z, result[0]); /* 0^0 is 1 */
    result[2] = chosen(m, MACHINE_GT, x[0], zero, z, zero);
}

/* Computes the cross product A.yzx*B.zxy - A.zxy*B.yzx. */
static void cross(struct machine *m, unsigned mask, number arg[3][4], number result[4])
{
    number rest[4] = {{0}}, factor[4][4] = {{{0}}};
    for (unsigned c = 0; c < 3; c++)
        for (unsigned s = 0; s < 4; s++)
            factor[s][c] = arg[s & 1][(c + (s == 0 || s == 3 ? 1 : 2)) % 3];
    mask &= FRAGPROG_MASK_XYZ;
    hwemit_machine_channels(m, hwemit_machine_make(MACHINE_MUL, factor[2], factor[3], NULL), mask, rest);
    negate(m, mask, rest, rest);
    hwemit_machine_channels(m, hwemit_machine_make(MACHINE_MAD, factor[0], factor[1], rest), mask, result);
    result[3] = immediate(m, 0);
}

/* Computes the distance vector (1, A.y*B.y, A.z, B.w), the operation DST. */
static void distance(struct machine *m, unsigned mask, number arg[3][4], number result[4])
{
    result[0] = immediate(m, 1);
    hwemit_machine_channels(m, hwemit_machine_make(MACHINE_MUL, arg[0], arg[1], NULL), mask & FRAGPROG_MASK_Y,
                            result);
    result[2] = arg[0][2];
    result[3] = arg[1][3];
}

/* Converts operations of the program that work on each channel separately. */
static bool channels(struct machine *m, const struct fragprog_inst *inst, number arg[3][4], number result[4])
{
    static const uint8_t direct[FRAGPROG_OPS] = {
        [FRAGPROG_ADD] = MACHINE_ADD, [FRAGPROG_SUB] = MACHINE_ADD,  [FRAGPROG_MUL] = MACHINE_MUL,
        [FRAGPROG_MAD] = MACHINE_MAD, [FRAGPROG_MIN] = MACHINE_MIN,  [FRAGPROG_MAX] = MACHINE_MAX,
        [FRAGPROG_FLR] = MACHINE_FLR, [FRAGPROG_LERP] = MACHINE_MAD, [FRAGPROG_PROJ] = MACHINE_MUL};
    const unsigned mask = inst->mask;
    unsigned op = direct[inst->op];
    number all[4][4];
    switch (inst->op) {
    case FRAGPROG_SUB: negate(m, mask, arg[1], arg[1]); break;
    case FRAGPROG_FLR:
        if (has(m, MACHINE_FLR))
            break;
        fraction(m, mask, arg[0], arg[1]);
        negate(m, mask, arg[1], arg[1]);
        op = MACHINE_ADD;
        break;
    case FRAGPROG_LERP: /* computed as x*(y - z) + z */
        negate(m, mask, arg[2], all[0]);
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_ADD, arg[1], all[0], NULL), mask, arg[1]);
        break;
    case FRAGPROG_PROJ: everywhere(arg[1], function(m, MACHINE_RCP, arg[0][3])); break;
    case FRAGPROG_FRC: fraction(m, mask, arg[0], result); return true;
    case FRAGPROG_SGE:
    case FRAGPROG_SLT: compare(m, inst, arg, result); return true;
    case FRAGPROG_CND:
    case FRAGPROG_CND0:
        memcpy(all[0], arg[2], sizeof all[0]);
        everywhere(all[1], immediate(m, inst->op == FRAGPROG_CND ? 0.5f : 0));
        memcpy(all[2], arg, 2 * sizeof *all);
        choose(m, mask, inst->op == FRAGPROG_CND ? MACHINE_GT : MACHINE_GE, all, result);
        return true;
    default: break;
    }
    if (op)
        hwemit_machine_channels(m, hwemit_machine_make(op, arg[0], arg[1], arg[2]), mask, result);
    return op;
}

bool hwemit_machine_expand(struct machine *m, const struct fragprog_inst *inst, number arg[3][4],
                           number result[4])
{
    if (channels(m, inst, arg, result))
        return true;
    switch (inst->op) {
    case FRAGPROG_XPD: cross(m, inst->mask, arg, result); return true;
    case FRAGPROG_MOV: memcpy(result, arg[0], 4 * sizeof *result); return true;
    case FRAGPROG_VEC: /* in each channel one of the arguments is 0 */
        for (unsigned c = 0; c < 4; c++)
            result[c] = arg[inst->src[0].lane[c] == FRAGPROG_ZERO][c];
        return true;
    case FRAGPROG_LIT: lit(m, inst->mask, arg[0], result); return true;
    case FRAGPROG_EXP:
    case FRAGPROG_LOG: exp_or_log(m, inst, arg, result); return has(m, MACHINE_EXP);
    case FRAGPROG_DST: distance(m, inst->mask, arg, result); return true;
    default: return numbers(m, inst, arg, result);
    }
}
