/* The target etnaviv: describes its options, operations, registers and steps to hwemit/machine. */
#include "hwemit/etnaviv/etnaviv.h"

static const struct hwemit_option options[] = {
    [ETNA_HALTI] = {"halti", 0, 5, "level of the core; from 1 on 16 samplers, from 2 on immediates"},
    [ETNA_N_UNIFORMS] = {"uniforms", 16, HWEMIT_CONSTANTS, "uniform registers of fragments (64)"},
    [ETNA_N_INSTRUCTIONS] = {"instructions", 16, ETNA_MOST_INSTRUCTIONS, "instructions of fragments (256)"},
    [ETNA_N_TEMPS] = {"temps", 8, ETNA_MOST_TEMPS, "temporaries (64)"},
    [ETNA_ONE] = {"one-uniform", 0, 1, "an instruction reads one uniform register only (1)"},
    [ETNA_PAIRS] = {"new-transcendentals", 0, 1, "LOG, SIN and COS give two factors of their result (0)"},
    {NULL, 0, 0, NULL},
};

/* The upper 20 bits of a float (notes/facts/etnaviv.md A.1: immediates of type 0). */
static const struct fragprog_immediates upper_bits = {
    .exponent = 8, .mantissa = 11, .bias = 127, .sign = true};

static void begin(struct machine *m, const struct hwemit_options *o)
{
    const int halti = hwemit_option_value(o, ETNA_HALTI, 0);
    m->samplers = halti ? 16 : 8;
    m->immediates = halti < 2 ? NULL : &upper_bits;
    m->slots = (uint16_t)hwemit_option_value(o, ETNA_N_UNIFORMS, 64);
    m->instructions = (uint16_t)hwemit_option_value(o, ETNA_N_INSTRUCTIONS, 256);
    m->temps = (uint16_t)hwemit_option_value(o, ETNA_N_TEMPS, ETNA_MOST_TEMPS);
    m->one_slot = hwemit_option_value(o, ETNA_ONE, 1) == 1;
    m->factors = hwemit_option_value(o, ETNA_PAIRS, 0) ? 7 : 0;
    /* from Mesa (etnaviv_nir.c, etna_lower_alu), since the facts do not say */
    m->angle = m->factors ? MACHINE_HALVES : MACHINE_QUARTERS;
}

enum { CLASS_FACTORS = 4, CLASS_INPUT, CLASS_POSITION, CLASSES };

#define NOT_OF_POSITION 1, 0xffff
#define WHOLE 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15
const struct fragprog_classes hwemit_etna_classes = {
    .n = CLASSES,
    .class_ = {{0x0116, NOT_OF_POSITION},
               {0x1668, NOT_OF_POSITION},
               {0x6880, NOT_OF_POSITION},
               {0x8000, NOT_OF_POSITION},
               {1u << 3 | 1u << 12, NOT_OF_POSITION},
               {1u << 15, NOT_OF_POSITION},
               {1u << 15, 0, 1}},
    .nmasks = {4, 6, 4, 1, 2, 1, 1},
    .q = {{1, 2, 3, 4, 2, 4, 4},
          {3, 5, 6, 6, 5, 6, 6},
          {3, 4, 4, 4, 4, 4, 4},
          {1, 1, 1, 1, 1, 1, 1},
          {1, 2, 2, 2, 1, 2, 2},
          {1, 1, 1, 1, 1, 1, 1},
          {1, 1, 1, 1, 1, 1, 1}},
    .cover = {{1, 1, 2, 0, 4, 0, 0, 0, 8},
              {3, 3, 3, 3, 5, 5, 6, 0, 9, 9, 10, 0, 12},
              {7, 7, 7, 7, 7, 7, 7, 7, 11, 11, 11, 11, 13, 13, 14},
              {WHOLE},
              {3, 3, 3, 3, 12, 0, 0, 0, 12, 0, 0, 0, 12},
              {WHOLE},
              {WHOLE}},
    .builds = 1};

/* Returns the register class of a value. The two factors that a function returns must be in xy or zw, and
 * the position in temporary 0 (notes/facts/etnaviv.md A.1). */
static unsigned class_of(const struct machine_value *v)
{
    if (v->kind == MACHINE_INPUT)
        return v->reg ? CLASS_INPUT : CLASS_POSITION;
    return v->kind == MACHINE_FACTORS ? CLASS_FACTORS : hwemit_machine_count(v->components) - 1;
}

static unsigned inlined(const struct machine *m, const struct machine_op *op, unsigned s)
{
    return hwemit_etna_immediate(m, op, s) < 0 ? 0 : FRAGPROG_MASK_XYZW;
}

static uint32_t length(const struct hwemit_code *code) { return code->stat[0].value; }

static const struct hwemit_step steps[] = {
    {"select", hwemit_machine_select},     {"trim", hwemit_machine_trim},
    {"combine", hwemit_machine_combine},   {"mix", hwemit_machine_mix},
    {"operands", hwemit_machine_operands}, {"place", hwemit_machine_place},
    {"fits", hwemit_machine_fits},         {"numbers", hwemit_machine_numbers},
    {"allocate", hwemit_machine_allocate}, {NULL, NULL}};

/* Facts: notes/facts/etnaviv.md A.3, which does not say whether lookups can saturate. The last column says
 * which argument each of the three operands gets: moves and functions take theirs as the last operand, sums
 * as the first and the last. */
static const struct machine_target etna = {
    .row = {[MACHINE_MOV] = {1, true, ETNA_MOV, 0, {0, 0, 1}},
            [MACHINE_ADD] = {1, true, ETNA_ADD, 0, {1, 0, 2}},
            [MACHINE_MUL] = {1, true, ETNA_MUL, 0, {1, 2, 0}},
            [MACHINE_MAD] = {1, true, ETNA_MAD, 0, {1, 2, 3}},
            [MACHINE_MIN] = {1, true, ETNA_SELECT, ETNA_GT, {1, 2, 1}},
            [MACHINE_MAX] = {1, true, ETNA_SELECT, ETNA_LT, {1, 2, 1}},
            [MACHINE_SGE] = {1, true, ETNA_SET, ETNA_GE, {1, 2, 0}},
            [MACHINE_SLT] = {1, true, ETNA_SET, ETNA_LT, {1, 2, 0}},
            [MACHINE_CGE] = {1, true, ETNA_SELECT, ETNA_GEZ, {1, 2, 3}},
            [MACHINE_FRC] = {1, true, ETNA_FRC, 0, {0, 0, 1}},
            [MACHINE_FLR] = {1, true, ETNA_FLOOR, 0, {0, 0, 1}},
            [MACHINE_DP3] = {1, true, ETNA_DP3, 0, {1, 2, 0}},
            [MACHINE_DP4] = {1, true, ETNA_DP4, 0, {1, 2, 0}},
            [MACHINE_RCP] = {1, true, ETNA_RCP, 0, {0, 0, 1}},
            [MACHINE_RSQ] = {1, true, ETNA_RSQ, 0, {0, 0, 1}},
            [MACHINE_EX2] = {1, true, ETNA_EXP, 0, {0, 0, 1}},
            [MACHINE_LG2] = {1, true, ETNA_LOG, 0, {0, 0, 1}},
            [MACHINE_SIN] = {1, true, ETNA_SIN, 0, {0, 0, 1}},
            [MACHINE_COS] = {1, true, ETNA_COS, 0, {0, 0, 1}},
            [MACHINE_TEX] = {1, false, ETNA_TEXLD, 0, {1, 0, 0}},
            [MACHINE_TXB] = {1, false, ETNA_TEXLDB, 0, {1, 2, 0}},
            [MACHINE_KILL] = {1, false, ETNA_TEXKILL, ETNA_LZ, {1, 0, 0}}},
    .bias_in_w = true,
    .first_input = 1,
    .ops = ETNA_OPS,
    .small = ETNA_SMALL,
    .search = 100,
    .classes = &hwemit_etna_classes,
    .begin = begin,
    .inlined = inlined,
    .class_ = class_of,
    .encode = hwemit_etna_encode,
};

const struct hwemit_target hwemit_etnaviv = {
    .name = "etnaviv",
    .help = "Vivante GC2000 and later: fragment programs of their unified shader core",
    .options = options,
    MACHINE_TARGET(etna, ETNA_OPS, ETNA_SMALL, 0),
    .length = length,
    .no_packets = true,
    .steps = steps,
};
