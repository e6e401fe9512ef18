/* The register descriptions of r500, made from r500_registers.def, with names of field values, and the
 * decoding of instruction dwords. */
#include "hwemit/r300/r300_registers.h"
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

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/r300/r500_registers.def"
    {0}};

/* Finds what a word is. After a write to the index, data words are instructions of six dwords or constants of
 * four; the type in an instruction's first dword determines the meaning of the others (notes/facts/r300.md
 * 4). */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    static const uint8_t alu[] = {ROW500_US_CMN_INST,     ROW500_US_ALU_RGB_ADDR,   ROW500_US_ALU_ALPHA_ADDR,
                                  ROW500_US_ALU_RGB_INST, ROW500_US_ALU_ALPHA_INST, ROW500_US_ALU_RGBA_INST};
    static const uint8_t tex[] = {ROW500_US_CMN_INST,      ROW500_US_TEX_INST, ROW500_US_TEX_ADDR,
                                  ROW500_US_TEX_ADDR_DXDY, ROW500_US_UNUSED,   ROW500_US_UNUSED};
    (void)n;
    if (word[i].address != 0x4254)
        return hwemit_r300_classify(rows, word, i);
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
        return &rows[ROW500_US_CONST];
    static const uint8_t *const dwords[4] = {alu, alu, NULL, tex}; /* no flow control */
    const uint8_t *const row = dwords[word[i - place % 6].value & 3];
    return row ? &rows[row[place % 6]] : NULL;
}

const struct hwemit_registers hwemit_r500_registers = {
    .target = &hwemit_r500, .row = rows, .classify = classify, .assembly = &hwemit_r500_assembly};
