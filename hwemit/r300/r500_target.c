/* The target r500: rows; what a dword of an instruction is. */
#include "hwemit/r300/asm.h"
#include "hwemit/r300/r300_choose.h"
#include "hwemit/r300/r300_target.h"
#include "hwemit/r300/r300_value_names.h"

static const char *const rgb_ops[16] = {NULL,  "DP3", "DP4", "D2A", "MIN", "MAX", NULL, "CND",
                                        "CMP", "FRC", "SOP", "MDH", "MDV", NULL,  NULL, NULL};
static const char *const alpha_ops[16] = {NULL,  "DP",  "MIN", "MAX", NULL,  "CND", "CMP", "FRC",
                                          "EX2", "LN2", "RCP", "RSQ", "SIN", "COS", "MDH", "MDV"};
static const char *const sources[4] = {NULL, "src1", "src2", "srcp"};
static const char *const swizzles[8] = {NULL, "g", "b", "a", "0", "half", "1", "unused"};
static const char *const channels[4] = {NULL, "g", "b", "a"};
static const char *const vector_types[2] = {NULL, "const"};
static const char *const instruction_types[4] = {NULL, "OUT", "FC", "TEX"};

#define FIELD(id, field, low, width) {#field, low, width, NULL},
#define NAMED(id, field, low, width, names) {#field, low, width, names},
#define REGISTER(id, text, at, n, step, ...) static const struct hwemit_field id[] = {__VA_ARGS__};
#include "hwemit/r300/r500_registers.def"
#undef REGISTER
#define REGISTER(id, text, at, n, step, ...) {text, at, n, step, 0, 0, id, sizeof id / sizeof *id, 0},
static const struct hwemit_register registers[] = {
#include "hwemit/r300/r500_registers.def"
    {"US_UNUSED", 0x4254, 1, 0, 0, 0, NULL, 0, 0}, {0}};
#undef REGISTER
#define REGISTER(id, text, at, n, step, ...) ROW_##id,
enum {
#include "hwemit/r300/r500_registers.def"
    ROW_US_UNUSED
};

/* Six dwords an instruction, four a constant, from the last write to the index on; the first dword's type
 * says what the others are (facts: section 4). */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    static const uint8_t alu[] = {ROW_US_CMN_INST,     ROW_US_ALU_RGB_ADDR,   ROW_US_ALU_ALPHA_ADDR,
                                  ROW_US_ALU_RGB_INST, ROW_US_ALU_ALPHA_INST, ROW_US_ALU_RGBA_INST};
    static const uint8_t flow[] = {ROW_US_CMN_INST, ROW_US_UNUSED, ROW_US_FC_INST,
                                   ROW_US_FC_ADDR,  ROW_US_UNUSED, ROW_US_UNUSED};
    static const uint8_t tex[] = {ROW_US_CMN_INST,      ROW_US_TEX_INST, ROW_US_TEX_ADDR,
                                  ROW_US_TEX_ADDR_DXDY, ROW_US_UNUSED,   ROW_US_UNUSED};
    (void)n;
    if (word[i].address != 0x4254)
        return hwemit_r300_classify(registers, word, i);
    uint32_t place = 0;
    for (uint32_t k = i; place <= i; place++) {
        if (k-- == 0)
            return NULL; /* data without an index */
        if (word[k].address == 0x4250)
            break;
        if (word[k].address != 0x4254)
            return NULL;
    }
    if (word[i - place - 1].value >> 16 & 1)
        return &registers[ROW_US_CONST];
    static const uint8_t *const dwords[4] = {alu, alu, flow, tex};
    return &registers[dwords[word[i - place % 6].value & 3][place % 6]];
}

/* Small floats in an address: bit 7, four bits of exponent, three of mantissa (facts: section 1.2). Exponent
 * field 0 is left alone: the sources disagree about it. */
static const struct fragprog_immediates small_floats = {
    .exponent = 4, .mantissa = 3, .bias = 7, .least = 1, .base = 0x80};

static const struct chip chip = {.generation = R500,
                                 .alu = 512,
                                 .tex = 512,
                                 .total = 512,
                                 .temps = 128,
                                 .consts = 256,
                                 .pair_consts = 2,
                                 .immediates = &small_floats,
                                 .part_presub = true};

static bool compile(struct hwemit_code *code, const struct hwemit_source *source,
                    const struct hwemit_options *options, struct fragprog_reason *why)
{
    return hwemit_r300_compile(code, &chip, source, options, why);
}

const struct hwemit_target hwemit_r500 = {.name = "r500",
                                          .help = "ATI RV515, R520 .. R580",
                                          .assumptions = hwemit_r300_assumptions,
                                          .options = hwemit_r300_options,
                                          .scratch = sizeof(struct scratch),
                                          .most_work = HWEMIT_R300_WORK,
                                          .compile = compile,
                                          .vertex = true,
                                          .derives = true,
                                          .unbounded_scratch = hwemit_r300_unbounded_scratch,
                                          .registers = registers,
                                          .classify = classify};
