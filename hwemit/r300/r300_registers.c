/* The register descriptions of r300 and r400, made from r300_registers.def, with names of field values. */
#include "hwemit/r300/r300_target.h"
#include "hwemit/r300/r300_value_names.h"

static const char *const coordinate_selects[8] = {NULL, "C1", "C2", "C3", "0", "1", NULL, NULL};
static const char *const rgb_ops[16] = {NULL,  "DP3", "DP4",        "D2A", "MIN", "MAX", NULL, "CND",
                                        "CMP", "FRC", "REPL_ALPHA", NULL,  NULL,  NULL,  NULL, NULL};
static const char *const alpha_ops[16] = {NULL,  "DP",  "MIN", "MAX", NULL, "CND", "CMP", "FRC",
                                          "EX2", "LG2", "RCP", "RSQ", NULL, NULL,  NULL,  NULL};
/* What an argument (operand) A, B or C of the colour half and of the alpha half can select: values of
 * US_ALU_RGB_INST and US_ALU_ALPHA_INST (notes/facts/r300.md 2.2). */
static const char *const rgb_selects[32] = {
    "src0_xyz", "src0_xxx", "src0_yyy", "src0_zzz", "src1_xyz", "src1_xxx", "src1_yyy", "src1_zzz",
    "src2_xyz", "src2_xxx", "src2_yyy", "src2_zzz", "src0_www", "src1_www", "src2_www", "srcp_xyz",
    "srcp_xxx", "srcp_yyy", "srcp_zzz", "srcp_www", "0",        "1",        "half",     "src0_yzx",
    "src1_yzx", "src2_yzx", "src0_zxy", "src1_zxy", "src2_zxy", "src0_wzy", "src1_wzy", "src2_wzy"};
static const char *const alpha_selects[32] = {
    "src0_x", "src0_y", "src0_z", "src1_x", "src1_y", "src1_z", "src2_x", "src2_y", "src2_z", "src0_w",
    "src1_w", "src2_w", "srcp_x", "srcp_y", "srcp_z", "srcp_w", "0",      "1",      "half",   NULL};

/* ---- r300 ---- */
#define TEMP_BITS 5
#define R400_FIELD(...)
#define R400_REGISTER(...)
static const struct hwemit_register r300_rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/r300/r300_registers.def"
    {0}};
#undef R400_FIELD
#undef R400_REGISTER
#undef TEMP_BITS

/* ---- r400 ---- */
#define TEMP_BITS 6
#define R400_FIELD FIELD
#define R400_REGISTER REGISTER
static const struct hwemit_register r400_rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/r300/r300_registers.def"
    {0}};

static const struct hwemit_register *classify_r300(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    (void)n;
    return hwemit_r300_classify(r300_rows, word, i);
}

static const struct hwemit_register *classify_r400(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    (void)n;
    return hwemit_r300_classify(r400_rows, word, i);
}

const struct hwemit_registers hwemit_r300_registers = {
    .target = &hwemit_r300, .row = r300_rows, .classify = classify_r300, .assembly = &hwemit_r300_assembly};
const struct hwemit_registers hwemit_r400_registers = {
    .target = &hwemit_r400, .row = r400_rows, .classify = classify_r400, .assembly = &hwemit_r400_assembly};
