/* Encodes a program of ATI_fragment_shader: routing of coordinates, constants, stages, control words. */
#include "hwemit/r200/r200.h"
#include "hwemit/words.h"

#include "fragprog/alloc/bits.h"

#include <string.h>

/* ---- lookups and passed coordinates ---- */

/* Returns the coordinate type that a setup needs: three components, divided or not, if the coordinate itself
 * is passed to the register; else the one of the lookup's texture target. */
static unsigned coordinate_type(const struct fragprog_atifs_setup *setup)
{
    bool divided = setup->swizzle == FRAGPROG_STR_DR || setup->swizzle == FRAGPROG_STQ_DQ;
    if (setup->op == FRAGPROG_PASS_COORD)
        return divided ? R200_COORD_PROJ : R200_COORD_VOLUME;
    if (setup->target == TEXENV_3D + 1)
        return R200_COORD_VOLUME;
    if (setup->target == TEXENV_CUBE + 1)
        return R200_COORD_CUBIC_ENV;
    return divided ? R200_COORD_PROJ : R200_COORD_NONPROJ;
}

struct routing {
    uint32_t format, format_x, multi;
};

/* Sets the routing of a unit's coordinates; first: in the first of two passes, else in the last or only pass.
 */
static void route(struct routing *to, const struct fragprog_atifs_setup *setup, bool first)
{
    uint32_t disable = setup->op == FRAGPROG_PASS_COORD, set = setup->from_reg ? 0 : setup->source,
             type = coordinate_type(setup);
    if (first) {
        to->multi |= disable << R200_TXMULTI_CTL_PASS1_LOOKUP_DISABLE |
            type << R200_TXMULTI_CTL_PASS1_TEXCOORD | set << R200_TXMULTI_CTL_PASS1_ST_ROUTE;
        return;
    }
    to->format = disable << R200_TXFORMAT_LOOKUP_DISABLE | set << R200_TXFORMAT_ST_ROUTE;
    to->format_x = type << R200_TXFORMAT_X_TEXCOORD;
    if (setup->from_reg)
        to->multi |= (setup->source + 2u) << R200_TXMULTI_CTL_PASS2_COORDS_REG;
}

/* Lists the texture of unit n, twice if the passes use different coordinate sets. */
static void list_textures(struct hwemit_code *code, const struct fragprog_atifs *p, unsigned n)
{
    const struct fragprog_atifs_setup *first = NULL;
    for (unsigned pass = 0; pass < p->npasses; pass++) {
        const struct fragprog_atifs_setup *s = &p->pass[pass].setup[n];
        if (s->op != FRAGPROG_SAMPLE || (first && (s->from_reg || s->source == first->source)))
            continue;
        hwemit_add_texture(code, n, s->texture < 0 ? n : (unsigned)s->texture, s->from_reg ? n : s->source,
                           s->target ? s->target - 1u : TEXENV_2D);
        first = s;
    }
}

/* For each pass, the set of registers that it sets up (any), and the set of those that lookups fill. */
struct setups {
    unsigned any[2], lookups[2];
};

/* Adds the words of the texture units. Unit n fills register n. */
static void add_units(struct hwemit_code *code, const struct fragprog_atifs *p, const struct setups *setups)
{
    uint32_t third_is_r = 0;
    for (unsigned n = 0; n < R200_UNITS; n++) {
        struct routing to = {0, 0, 0};
        if (!((setups->any[0] | setups->any[1]) >> n & 1))
            continue;
        for (unsigned pass = 0; pass < p->npasses; pass++) {
            const struct fragprog_atifs_setup *setup = &p->pass[pass].setup[n];
            if (!setup->op)
                continue;
            route(&to, setup, pass + 1 < p->npasses);
            if (!setup->from_reg && (setup->swizzle == FRAGPROG_STR || setup->swizzle == FRAGPROG_STR_DR))
                third_is_r |= UINT32_C(1)
                    << (R200_RE_CNTL_VTX_STQ0_D3D +
                        setup->source * (R200_RE_CNTL_VTX_STQ1_D3D - R200_RE_CNTL_VTX_STQ0_D3D));
        }
        hwemit_put(code, R200_TXFORMAT + n * R200_TXFORMAT_STRIDE, to.format);
        hwemit_put(code, R200_TXFORMAT_X + n * R200_TXFORMAT_X_STRIDE, to.format_x);
        hwemit_put(code, R200_TXMULTI_CTL + n * R200_TXMULTI_CTL_STRIDE, to.multi);
        list_textures(code, p, n);
    }
    hwemit_put(code, R200_RE_CNTL, third_is_r);
}

/* ---- control ---- */

static uint32_t stage_enables(unsigned n)
{
    uint32_t low = (UINT32_C(1) << (n < 7 ? n : 7)) - 1;
    return low << R200_CNTL_TEX_BLEND_0_ENABLE | (n > 7 ? UINT32_C(1) << R200_CNTL_TEX_BLEND_7_ENABLE : 0);
}

static void add_control(struct hwemit_code *code, const struct fragprog_atifs *p, const struct setups *setups)
{
    const struct fragprog_atifs_pass *last = &p->pass[p->npasses - 1];
    uint32_t first = 0;
    if (p->npasses == 2) {
        first = setups->any[0] << R200_CNTL_X_TEX_0_ENABLE |
            ((UINT32_C(1) << p->pass[0].npairs) - 1) << R200_CNTL_X_INST_0_ENABLE;
        for (unsigned n = 0; n < R200_UNITS; n++)
            if (last->setup[n].op && last->setup[n].from_reg)
                first |= UINT32_C(1) << (R200_CNTL_X_OUTPUT_REG_0 + last->setup[n].source);
    }
    hwemit_put(code, R200_CNTL,
               setups->any[p->npasses - 1] << R200_CNTL_TEX_0_ENABLE | stage_enables(last->npairs) |
                   (uint32_t)(p->npasses == 2) << R200_CNTL_MULTI_PASS_ENABLE);
    hwemit_put(code, R200_CNTL_X, first);
}

/* ---- constants ---- */

static void add_constants(struct hwemit_code *code, const struct fragprog_atifs *p)
{
    code->constant_word = hwemit_argb_word;
    code->constant_words = 1;
    for (unsigned k = 0; k < 8; k++) {
        const struct fragprog_atifs_const *c = &p->konst[k];
        if (!c->used)
            continue;
        float value[4]; /* parameters without a value are 0; the driver sets them */
        for (unsigned i = 0; i < 4; i++)
            value[i] = c->value[i] >= 0 && c->kind != FRAGPROG_CONST_ENV ? c->value[i] : 0;
        hwemit_add_constant(code, k, fragprog_atifs_const_origin(c), value);
        hwemit_put(code, R200_TFACTOR + k * R200_TFACTOR_STRIDE, hwemit_argb_word(value, 0));
    }
}

/* ---- stages ---- */

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
    word[1] |= (uint32_t)(clamp ? R200_CLAMP_0_1 : R200_CLAMP_8_8) << R200_TXCBLEND2_CLAMP;
    if (op->op)
        word[1] |= (uint32_t)scales[op->mod & 0x3f] << R200_TXCBLEND2_SCALE |
            (op->dst + 1u) << R200_TXCBLEND2_OUTPUT_REG;
}

/* Encodes the four words of a stage: a pair of ATI_fragment_shader's instructions, as two words for each
 * half. limited: for each half, whether its result is clamped to [0,1] even if the operation does not say so.
 * A half that writes nothing gets a valid clamp mode, too. */
static void encode_stage(uint32_t word[4], const struct fragprog_atifs_op op[2], const bool limited[2])
{
    /* Converts ATI_fragment_shader's mask (red 1, green 2, blue 4) to OUTPUT_MASK, whose bits disable
     * channels: blue 1, green 2, red 4. */
    static const uint8_t masks[8] = {7, 3, 5, 1, 6, 2, 4, 0};
    const struct fragprog_atifs_op *color_op = &op[TEXENV_RGB], *alpha_op = &op[TEXENV_ALPHA];
    uint32_t *const color = word, *const alpha = word + 2;
    word[0] = word[1] = word[2] = word[3] = 0;
    if (color_op->op) {
        add_operation(color, color_op, false);
        color[1] |= (uint32_t)masks[color_op->mask & 7] << R200_TXCBLEND2_OUTPUT_MASK;
    }
    if (color_op->op == FRAGPROG_ATI_DOT4) { /* its fourth product has the arguments of the alpha half */
        add_operation(alpha, color_op, true);
        alpha[0] &= ~(UINT32_C(7) << R200_TXABLEND_OP); /* only the arguments matter */
    } else if (alpha_op->op && !hwemit_r200_is_dot(alpha_op->op)) {
        add_operation(alpha, alpha_op, true);
    }
    if (hwemit_r200_is_dot(alpha_op->op))
        alpha[1] |= UINT32_C(1) << R200_TXABLEND2_DOT_ALPHA;
    add_result(color, color_op, limited[TEXENV_RGB]);
    add_result(alpha, alpha_op, limited[TEXENV_ALPHA]);
}

/* ---- clamps of the result ---- */

/* Return the masks of channels (red 1, green 2, blue 4, alpha 8) of register 0 that a half writes, and reads.
 */
static unsigned written(const struct fragprog_atifs_op *op, unsigned half)
{
    return !op->op || op->dst ? 0 : half == TEXENV_ALPHA ? 8 : op->mask;
}

static unsigned read(const struct fragprog_atifs_op *op, unsigned half)
{
    unsigned channels = 0;
    for (unsigned i = 0; op->op && i < op->nargs; i++)
        if (op->arg[i].source == FRAGPROG_ATI_REG_0)
            channels |= op->arg[i].rep        ? 1u << (op->arg[i].rep - FRAGPROG_ATI_RED)
                : half == TEXENV_ALPHA        ? 8
                : op->op == FRAGPROG_ATI_DOT4 ? 15
                                              : 7;
    return channels;
}

/* Returns whether this is the last write of the result in its half and nothing reads that value afterwards.
 */
static bool is_last(const struct fragprog_atifs_pass *pass, unsigned pair, unsigned half)
{
    unsigned live = written(&pass->pair[pair].half[half], half);
    for (unsigned n = pair + 1; n < pass->npairs && live; n++) {
        for (unsigned h = 0; h < 2; h++)
            if (read(&pass->pair[n].half[h], h) & live)
                return false;
        live &= ~written(&pass->pair[n].half[half], half);
    }
    return live != 0;
}

/* Determines which halves are clamped to [0,1] because they write the result last. If alpha is a copy of a
 * dot product, it is not known whether the clamp of the colour or of the alpha half applies, so both halves
 * get the same. */
static void limits(const struct fragprog_atifs_pass *pass, unsigned pair, bool limited[2])
{
    for (unsigned h = 0; h < 2; h++)
        limited[h] = is_last(pass, pair, h);
    if (hwemit_r200_is_dot(pass->pair[pair].half[TEXENV_ALPHA].op))
        limited[TEXENV_RGB] = limited[TEXENV_ALPHA] = limited[TEXENV_RGB] && limited[TEXENV_ALPHA];
}

/* Returns the channels of the result (red 1, green 2, blue 4, alpha 8) that no write of the last pass clamps
 * to [0,1]. */
static unsigned unlimited(const struct fragprog_atifs_pass *pass)
{
    /* passed coordinates may exceed [0,1], texels do not */
    unsigned mask = pass->setup[0].op == FRAGPROG_PASS_COORD ? 7 : 0;
    for (unsigned n = 0; n < pass->npairs; n++) {
        const struct fragprog_atifs_op *pair = pass->pair[n].half;
        bool limited[2];
        limits(pass, n, limited);
        for (unsigned h = 0; h < 2; h++)
            if (limited[h] || pair[h].mod & FRAGPROG_ATI_SATURATE)
                mask &= ~written(&pair[h], h);
            else
                mask |= written(&pair[h], h);
    }
    return mask;
}

bool hwemit_r200_limit_result(struct fragprog_atifs *p)
{
    struct fragprog_atifs_pass *last = &p->pass[p->npasses - 1];
    const unsigned beyond = unlimited(last);
    if (!beyond)
        return true;
    if (last->npairs == FRAGPROG_PAIRS)
        return false;
    unsigned channels = last->setup[0].op ? last->setup[0].op == FRAGPROG_SAMPLE ? 15 : 7 : 0;
    for (unsigned n = 0; n < 2u * last->npairs; n++)
        channels |= written(&last->pair[n / 2].half[n % 2], n % 2);
    struct fragprog_atifs_op *half = last->pair[last->npairs++].half;
    memset(half, 0, 2 * sizeof *half);
    /* clamps the whole half: its other channels are read now, so their writes are not the last and not
     * clamped */
    for (unsigned h = 0; h < 2; h++)
        if (beyond & (h == TEXENV_ALPHA ? 8u : 7u))
            half[h] = (struct fragprog_atifs_op){.op = FRAGPROG_ATI_MOV,
                                                 .mask = h == TEXENV_ALPHA ? 0 : channels & 7,
                                                 .mod = FRAGPROG_ATI_SATURATE,
                                                 .nargs = 1,
                                                 .unit = -1,
                                                 .arg[0] = {.source = FRAGPROG_ATI_REG_0}};
    return true;
}

static void add_stages(struct hwemit_code *code, const struct fragprog_atifs *p)
{
    for (unsigned pass = 0; pass < p->npasses; pass++) {
        const struct fragprog_atifs_pass *of = &p->pass[pass];
        const bool last = pass + 1 == p->npasses;
        for (unsigned n = 0; n < of->npairs; n++) {
            uint32_t word[4], address = R200_TXCBLEND + (n + (last ? 0 : R200_STAGES)) * R200_TXCBLEND_STRIDE;
            bool limited[2] = {false, false};
            if (last)
                limits(of, n, limited);
            encode_stage(word, of->pair[n].half, limited);
            for (unsigned i = 0; i < 4; i++)
                hwemit_put(code, address + 4 * i, word[i]);
        }
    }
}

/* ---- the whole program ---- */

static void add_stats(struct hwemit_code *code, const struct fragprog_atifs *p, const struct setups *setups)
{
    unsigned stages = 0, registers = setups->any[0] | setups->any[1];
    for (unsigned pass = 0; pass < p->npasses; pass++) {
        stages += p->pass[pass].npairs;
        for (unsigned n = 0; n < p->pass[pass].npairs; n++)
            for (unsigned h = 0; h < 2; h++)
                if (p->pass[pass].pair[n].half[h].op)
                    registers |= 1u << p->pass[pass].pair[n].half[h].dst;
    }
    hwemit_add_stat(code, "passes", p->npasses);
    hwemit_add_stat(code, "stages", stages);
    hwemit_add_stat(code, "lookups", fragprog_count(setups->lookups[0]) + fragprog_count(setups->lookups[1]));
    hwemit_add_stat(code, "registers", fragprog_count(registers));
    hwemit_add_stat(code, "constants", code->nconstants);
}

bool hwemit_r200_encode(struct hwemit_code *code, const struct fragprog_atifs *p, struct fragprog_reason *why)
{
    struct setups setups = {{0, 0}, {0, 0}};
    for (unsigned pass = 0; pass < p->npasses; pass++)
        for (unsigned n = 0; n < R200_UNITS; n++) {
            const struct fragprog_atifs_setup *setup = &p->pass[pass].setup[n];
            if (!setup->op)
                continue;
            if (!setup->from_reg && setup->source >= R200_UNITS)
                return hwemit_refuse(why, -1, "coordinates", "coordinates of sets 0 to 5 only",
                                     "r%u takes coordinate set %u: the chip has 6 sets", n,
                                     (unsigned)setup->source);
            setups.any[pass] |= 1u << n;
            setups.lookups[pass] |= (unsigned)(setup->op == FRAGPROG_SAMPLE) << n;
        }
    add_control(code, p, &setups);
    add_units(code, p, &setups);
    add_constants(code, p);
    add_stages(code, p);
    add_stats(code, p, &setups);
    return true;
}
