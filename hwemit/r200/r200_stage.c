/* One stage: a pair of the extension's instructions as two words for each half. */
#include "hwemit/r200/r200.h"

/* How each operation of the extension is said: the chip's operation, which of A, B, C each argument goes to,
 * which of them is 1, which is negated. The chip has no MOV, ADD, SUB and MUL but A*B + C with zeros and
 * ones; LERP is C*B + (1-C)*A. */
enum { A, B, C, NOTHING };
static const struct {
    uint8_t op, to[3], one, minus;
} rows[API_DOT2ADD - API_MOV + 1] = {
#define ROW(api) [API_##api - API_MOV]
    ROW(MOV) = {R200_OP_MADD, {C}, NOTHING, NOTHING},
    ROW(ADD) = {R200_OP_MADD, {A, C}, B, NOTHING},
    ROW(SUB) = {R200_OP_MADD, {A, C}, B, C},
    ROW(MUL) = {R200_OP_MADD, {A, B}, NOTHING, NOTHING},
    ROW(MAD) = {R200_OP_MADD, {A, B, C}, NOTHING, NOTHING},
    ROW(LERP) = {R200_OP_LERP, {C, B, A}, NOTHING, NOTHING},
    ROW(CND) = {R200_OP_CND, {A, B, C}, NOTHING, NOTHING},
    ROW(CND0) = {R200_OP_CND0, {A, B, C}, NOTHING, NOTHING},
    ROW(DOT3) = {R200_OP_DOT3, {A, B}, NOTHING, NOTHING},
    ROW(DOT4) = {R200_OP_DOT4, {A, B}, NOTHING, NOTHING},
    ROW(DOT2ADD) = {R200_OP_DOT2_ADD, {A, B, C}, NOTHING, NOTHING},
#undef ROW
};

static bool is_dot(unsigned api) { return api == API_DOT3 || api == API_DOT4 || api == API_DOT2ADD; }

/* The two words of a half while its arguments are added. konst: constants it reads, in the order of TFACTOR
 * and TFACTOR1. */
struct half {
    uint32_t word[2];
    bool alpha;
    unsigned nkonst, konst[2];
};

/* Where A's part of a field of three lies, and how far it is to B's and C's; the same in colour and alpha
 * words. */
static unsigned argument_shift(unsigned slot)
{
    return R200_TXCBLEND_ARG_A + slot * (R200_TXCBLEND_ARG_B - R200_TXCBLEND_ARG_A);
}
static uint32_t modifiers(unsigned slot, unsigned mods)
{
    static const uint32_t of_a[16] = {
#define BIT(mods, mod, field) \
    ((mods)&FRAGPROG_ATI_##mod ? UINT32_C(1) << R200_TXCBLEND_##field##_A : UINT32_C(0))
#define MODS(m) BIT(m, 2X, SCALE) | BIT(m, COMP, COMP) | BIT(m, NEGATE, NEG) | BIT(m, BIAS, BIAS)
        MODS(0), MODS(1),  MODS(2),  MODS(3),  MODS(4),  MODS(5),  MODS(6), MODS(7), MODS(8),
        MODS(9), MODS(10), MODS(11), MODS(12), MODS(13), MODS(14), MODS(15)
#undef MODS
#undef BIT
    };
    return of_a[mods & 15] << slot * (R200_TXCBLEND_COMP_B - R200_TXCBLEND_COMP_A);
}
static unsigned replication_shift(unsigned slot)
{
    return R200_TXCBLEND2_REPL_ARG_A + slot * (R200_TXCBLEND2_REPL_ARG_B - R200_TXCBLEND2_REPL_ARG_A);
}

static unsigned constant_source(struct half *h, unsigned k)
{
    for (unsigned i = 0; i < h->nkonst; i++)
        if (h->konst[i] == k)
            return i ? R200_SRC_TFACTOR1 : R200_SRC_TFACTOR;
    h->konst[h->nkonst] = k;
    h->word[1] |= (uint32_t)k << (h->nkonst ? R200_TXCBLEND2_TFACTOR1_SEL : R200_TXCBLEND2_TFACTOR_SEL);
    return h->nkonst++ ? R200_SRC_TFACTOR1 : R200_SRC_TFACTOR;
}

/* The even code of a source. */
static unsigned source_code(struct half *h, unsigned source)
{
    switch (source) {
    case FRAGPROG_ATI_ZERO:
    case FRAGPROG_ATI_ONE: return R200_SRC_ZERO;
    case FRAGPROG_ATI_PRIMARY: return R200_SRC_DIFFUSE;
    case FRAGPROG_ATI_SECONDARY: return R200_SRC_SPECULAR;
    default:
        if (source >= FRAGPROG_ATI_CON_0)
            return constant_source(h, source - FRAGPROG_ATI_CON_0);
        return R200_SRC_R0 + 2 * (source - FRAGPROG_ATI_REG_0);
    }
}

static void add_argument(struct half *h, unsigned slot, const struct fragprog_atifs_arg *arg, bool minus)
{
    unsigned code = source_code(h, arg->source), mods = arg->mods, replicate = 0;
    if (arg->source == FRAGPROG_ATI_ONE)
        mods ^= FRAGPROG_ATI_COMP; /* 1 is 1-0 */
    if (minus)
        mods ^= FRAGPROG_ATI_NEGATE;
    if (code != R200_SRC_ZERO) {
        /* A colour word replicates alpha by the odd code, an alpha word blue; red and green of an alpha word
         * stand with the odd code, as the driver writes them. */
        bool alpha = arg->rep == FRAGPROG_ATI_ALPHA, channel = arg->rep && !alpha;
        if (h->alpha ? channel : alpha)
            code |= 1;
        if (channel && !(h->alpha && arg->rep == FRAGPROG_ATI_BLUE))
            replicate = 1u + arg->rep - FRAGPROG_ATI_RED;
    }
    h->word[0] |= (uint32_t)code << argument_shift(slot) | modifiers(slot, mods);
    h->word[1] |= (uint32_t)replicate << replication_shift(slot);
}

static void add_operation(struct half *h, const struct fragprog_atifs_op *op)
{
    static const struct fragprog_atifs_arg one = {.source = FRAGPROG_ATI_ONE};
    const unsigned r = op->op - (unsigned)API_MOV;
    h->word[0] |= (uint32_t)rows[r].op << R200_TXCBLEND_OP;
    for (unsigned i = 0; i < op->nargs; i++)
        add_argument(h, rows[r].to[i], &op->arg[i], rows[r].minus == rows[r].to[i]);
    if (rows[r].one != NOTHING)
        add_argument(h, rows[r].one, &one, false);
}

static void add_result(struct half *h, const struct fragprog_atifs_op *op, bool clamp)
{
    /* 2X 4X 8X HALF QUARTER EIGHTH */
    static const uint8_t scales[0x40] = {[1] = 1, [2] = 2, [4] = 3, [8] = 5, [0x10] = 6, [0x20] = 7};
    h->word[1] |= (uint32_t)scales[op->mod & 0x3f] << R200_TXCBLEND2_SCALE;
    clamp |= (op->mod & FRAGPROG_ATI_SATURATE) != 0;
    h->word[1] |= (uint32_t)(clamp ? R200_CLAMP_0_1 : R200_CLAMP_8_8) << R200_TXCBLEND2_CLAMP;
    h->word[1] |= (op->dst + 1u) << R200_TXCBLEND2_OUTPUT_REG;
}

void hwemit_r200_limits_of_dot(const struct fragprog_atifs_op op[2], bool limited[2])
{
    if (is_dot(op[TEXENV_ALPHA].op))
        limited[TEXENV_RGB] = limited[TEXENV_ALPHA] = limited[TEXENV_RGB] && limited[TEXENV_ALPHA];
}

void hwemit_r200_encode_stage(uint32_t word[4], const struct fragprog_atifs_op op[2], const bool last[2])
{
    /* Of the extension's mask (red 1, green 2, blue 4) to OUTPUT_MASK, where bits disable: blue 1, green 2,
     * red 4. */
    static const uint8_t masks[8] = {7, 3, 5, 1, 6, 2, 4, 0};
    const struct fragprog_atifs_op *color_op = &op[TEXENV_RGB], *alpha_op = &op[TEXENV_ALPHA];
    struct half color = {.alpha = false}, alpha = {.alpha = true};
    bool limited[2] = {last[TEXENV_RGB], last[TEXENV_ALPHA]};
    hwemit_r200_limits_of_dot(op, limited);
    if (color_op->op) {
        add_operation(&color, color_op);
        add_result(&color, color_op, limited[TEXENV_RGB]);
        color.word[1] |= (uint32_t)masks[color_op->mask & 7] << R200_TXCBLEND2_OUTPUT_MASK;
    }
    if (color_op->op == API_DOT4) { /* its fourth product is of the alpha half's arguments */
        add_operation(&alpha, color_op);
        alpha.word[0] &= ~(UINT32_C(7) << R200_TXABLEND_OP); /* only the arguments count */
    } else if (alpha_op->op && !is_dot(alpha_op->op)) {
        add_operation(&alpha, alpha_op);
    }
    if (alpha_op->op) {
        add_result(&alpha, alpha_op, limited[TEXENV_ALPHA]);
        if (is_dot(alpha_op->op))
            alpha.word[1] |= UINT32_C(1) << R200_TXABLEND2_DOT_ALPHA;
    }
    /* A half that writes nothing has a limit whose meaning is known. */
    if (!color_op->op)
        color.word[1] |= (uint32_t)R200_CLAMP_8_8 << R200_TXCBLEND2_CLAMP;
    if (!alpha_op->op)
        alpha.word[1] |= (uint32_t)R200_CLAMP_8_8 << R200_TXABLEND2_CLAMP;
    word[0] = color.word[0], word[1] = color.word[1], word[2] = alpha.word[0], word[3] = alpha.word[1];
}
