/* Encodes one stage: a pair of ATI_fragment_shader's instructions, as two words for each half. */
#include "hwemit/r200/r200.h"

/* The encoding of each operation. to: which of the chip's arguments A, B, C each argument becomes. bits: bits
 * of the first word, with the chip's operation, and which of A, B, C is 1 or negated. The chip implements
 * MOV, ADD, SUB and MUL as A*B + C with zeros and ones; LERP is C*B + (1-C)*A. Colour and alpha words have
 * the same fields. */
enum { A, B, C };
#define OP(op) ((uint32_t)R200_OP_##op << R200_TXCBLEND_OP)
#define OF_ONE(slot, field) (UINT32_C(1) << (field + slot * (R200_TXCBLEND_COMP_B - R200_TXCBLEND_COMP_A)))
#define ONE(slot) OF_ONE(slot, R200_TXCBLEND_COMP_A) /* the number 1, encoded as 1 - 0 */
#define MINUS(slot) OF_ONE(slot, R200_TXCBLEND_NEG_A)
static const struct {
    uint8_t to[3];
    uint32_t bits;
} rows[FRAGPROG_ATI_DOT2ADD - FRAGPROG_ATI_MOV + 1] = {
#define ROW(api) [FRAGPROG_ATI_##api - FRAGPROG_ATI_MOV]
    ROW(MOV) = {{C}, OP(MADD)},
    ROW(ADD) = {{A, C}, OP(MADD) | ONE(B)},
    ROW(SUB) = {{A, C}, OP(MADD) | ONE(B) | MINUS(C)},
    ROW(MUL) = {{A, B}, OP(MADD)},
    ROW(MAD) = {{A, B, C}, OP(MADD)},
    ROW(LERP) = {{C, B, A}, OP(LERP)},
    ROW(CND) = {{A, B, C}, OP(CND)},
    ROW(CND0) = {{A, B, C}, OP(CND0)},
    ROW(DOT3) = {{A, B}, OP(DOT3)},
    ROW(DOT4) = {{A, B}, OP(DOT4)},
    ROW(DOT2ADD) = {{A, B, C}, OP(DOT2_ADD)},
#undef ROW
};
#undef OP
#undef OF_ONE
#undef ONE
#undef MINUS

/* Return bit positions (or the bits) of the fields of argument A, B or C. */
static unsigned argument_shift(unsigned slot)
{
    return R200_TXCBLEND_ARG_A + slot * (R200_TXCBLEND_ARG_B - R200_TXCBLEND_ARG_A);
}
static uint32_t modifiers(unsigned slot, unsigned mods)
{
#define BIT(mod, field) (mods & FRAGPROG_ATI_##mod ? UINT32_C(1) << R200_TXCBLEND_##field##_A : 0)
    return (BIT(2X, SCALE) | BIT(COMP, COMP) | BIT(NEGATE, NEG) | BIT(BIAS, BIAS))
        << slot * (R200_TXCBLEND_COMP_B - R200_TXCBLEND_COMP_A);
#undef BIT
}
static unsigned replication_shift(unsigned slot)
{
    return R200_TXCBLEND2_REPL_ARG_A + slot * (R200_TXCBLEND2_REPL_ARG_B - R200_TXCBLEND2_REPL_ARG_A);
}

/* Returns the source code by which a half reads constant k, and adds the selection of k to the half's second
 * word. A half can read two constants; *first is the one that TFACTOR selects, or NO_CONSTANT. */
enum { NO_CONSTANT = 8 };
static unsigned constant_code(unsigned *first, unsigned k, uint32_t *select)
{
    if (*first == NO_CONSTANT)
        *first = k;
    *select |= (uint32_t)k << (*first == k ? R200_TXCBLEND2_TFACTOR_SEL : R200_TXCBLEND2_TFACTOR1_SEL);
    return *first == k ? R200_SRC_TFACTOR : R200_SRC_TFACTOR1;
}

/* Encodes the operation and its arguments. */
static void add_operation(uint32_t word[2], const struct fragprog_atifs_op *op, bool alpha)
{
    /* For each replicated channel: bit 0: whether to use the odd code of the source; higher bits: the value
     * of REPL_ARG. An odd code makes a colour word replicate alpha, and an alpha word blue. For red and
     * green, an alpha word uses the odd code, as in the driver. */
#define REP(channel) [FRAGPROG_ATI_##channel & 7]
    static const uint8_t replication[2][8] = {
        {REP(RED) = 1 << 1, REP(GREEN) = 2 << 1, REP(BLUE) = 3 << 1, REP(ALPHA) = 1},
        {REP(RED) = 1 << 1 | 1, REP(GREEN) = 2 << 1 | 1, REP(BLUE) = 1, REP(ALPHA) = 0}};
#undef REP
    const unsigned row = op->op - (unsigned)FRAGPROG_ATI_MOV, nargs = op->nargs;
    unsigned first = NO_CONSTANT;
    uint32_t bits = rows[row].bits, more = 0;
    for (unsigned i = 0; i < nargs; i++) {
        const struct fragprog_atifs_arg *arg = &op->arg[i];
        const unsigned slot = rows[row].to[i], source = arg->source;
        unsigned code = R200_SRC_ZERO, mods = arg->mods;
        if (source >= FRAGPROG_ATI_REG_0 && source < FRAGPROG_ATI_REG_0 + FRAGPROG_REGISTERS) {
            code = R200_SRC_R0 + 2 * (source - FRAGPROG_ATI_REG_0);
        } else if (source == FRAGPROG_ATI_PRIMARY) {
            code = R200_SRC_DIFFUSE;
        } else if (source == FRAGPROG_ATI_SECONDARY) {
            code = R200_SRC_SPECULAR;
        } else if (source >= FRAGPROG_ATI_CON_0) {
            code = constant_code(&first, source - FRAGPROG_ATI_CON_0, &more);
        } else if (source == FRAGPROG_ATI_ONE) {
            mods ^= FRAGPROG_ATI_COMP; /* 1 is encoded as 1 - 0 */
        }
        if (arg->rep && code != R200_SRC_ZERO) {
            const unsigned rep = replication[alpha][arg->rep & 7];
            code |= rep & 1;
            more |= (uint32_t)(rep >> 1) << replication_shift(slot);
        }
        bits ^= (uint32_t)code << argument_shift(slot);
        if (mods)
            bits ^= modifiers(slot, mods);
    }
    word[0] = bits;
    word[1] = more;
}

static void add_result(uint32_t word[2], const struct fragprog_atifs_op *op, bool clamp)
{
    /* codes of the scales 2X, 4X, 8X, HALF, QUARTER, EIGHTH */
    static const uint8_t scales[0x40] = {[1] = 1, [2] = 2, [4] = 3, [8] = 5, [0x10] = 6, [0x20] = 7};
    clamp |= (op->mod & FRAGPROG_ATI_SATURATE) != 0;
    word[1] |= (uint32_t)scales[op->mod & 0x3f] << R200_TXCBLEND2_SCALE |
        (uint32_t)(clamp ? R200_CLAMP_0_1 : R200_CLAMP_8_8) << R200_TXCBLEND2_CLAMP |
        (op->dst + 1u) << R200_TXCBLEND2_OUTPUT_REG;
}

void hwemit_r200_limits_of_dot(const struct fragprog_atifs_op op[2], bool limited[2])
{
    if (hwemit_r200_is_dot(op[TEXENV_ALPHA].op))
        limited[TEXENV_RGB] = limited[TEXENV_ALPHA] = limited[TEXENV_RGB] && limited[TEXENV_ALPHA];
}

void hwemit_r200_encode_stage(uint32_t word[4], const struct fragprog_atifs_op op[2], const bool last[2])
{
    /* Converts ATI_fragment_shader's mask (red 1, green 2, blue 4) to OUTPUT_MASK, whose bits disable
     * channels: blue 1, green 2, red 4. */
    static const uint8_t masks[8] = {7, 3, 5, 1, 6, 2, 4, 0};
    const struct fragprog_atifs_op *color_op = &op[TEXENV_RGB], *alpha_op = &op[TEXENV_ALPHA];
    uint32_t *const color = word, *const alpha = word + 2;
    bool limited[2] = {last[TEXENV_RGB], last[TEXENV_ALPHA]};
    hwemit_r200_limits_of_dot(op, limited);
    word[0] = word[1] = word[2] = word[3] = 0;
    if (color_op->op) {
        add_operation(color, color_op, false);
        add_result(color, color_op, limited[TEXENV_RGB]);
        color[1] |= (uint32_t)masks[color_op->mask & 7] << R200_TXCBLEND2_OUTPUT_MASK;
    }
    if (color_op->op == FRAGPROG_ATI_DOT4) { /* its fourth product has the arguments of the alpha half */
        add_operation(alpha, color_op, true);
        alpha[0] &= ~(UINT32_C(7) << R200_TXABLEND_OP); /* only the arguments matter */
    } else if (alpha_op->op && !hwemit_r200_is_dot(alpha_op->op)) {
        add_operation(alpha, alpha_op, true);
    }
    if (alpha_op->op) {
        add_result(alpha, alpha_op, limited[TEXENV_ALPHA]);
        if (hwemit_r200_is_dot(alpha_op->op))
            alpha[1] |= UINT32_C(1) << R200_TXABLEND2_DOT_ALPHA;
    }
    /* A half that writes nothing still gets a valid clamp mode. */
    if (!color_op->op)
        color[1] |= (uint32_t)R200_CLAMP_8_8 << R200_TXCBLEND2_CLAMP;
    if (!alpha_op->op)
        alpha[1] |= (uint32_t)R200_CLAMP_8_8 << R200_TXABLEND2_CLAMP;
}
