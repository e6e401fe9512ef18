/* Rows of the words of Vivante's unified instructions. */
#include "hwemit/etnaviv/etnaviv.h"
#include "hwemit/targets.h"

static const char *const opcode_names[64] = {
    [ETNA_NOP] = "NOP",       [ETNA_ADD] = "ADD",       [ETNA_MAD] = "MAD",         [ETNA_MUL] = "MUL",
    [ETNA_DST] = "DST",       [ETNA_DP3] = "DP3",       [ETNA_DP4] = "DP4",         [ETNA_DSX] = "DSX",
    [ETNA_DSY] = "DSY",       [ETNA_MOV] = "MOV",       [ETNA_RCP] = "RCP",         [ETNA_RSQ] = "RSQ",
    [ETNA_SELECT] = "SELECT", [ETNA_SET] = "SET",       [ETNA_EXP] = "EXP",         [ETNA_LOG] = "LOG",
    [ETNA_FRC] = "FRC",       [ETNA_BRANCH] = "BRANCH", [ETNA_TEXKILL] = "TEXKILL", [ETNA_TEXLD] = "TEXLD",
    [ETNA_TEXLDB] = "TEXLDB", [ETNA_TEXLDD] = "TEXLDD", [ETNA_TEXLDL] = "TEXLDL",   [ETNA_SQRT] = "SQRT",
    [ETNA_SIN] = "SIN",       [ETNA_COS] = "COS",       [ETNA_FLOOR] = "FLOOR",     [ETNA_CEIL] = "CEIL",
    [ETNA_SIGN] = "SIGN",     [ETNA_CMP] = "CMP"};
static const char *const cond_names[32] = {"TRUE", "GT",  "LT",  "GE", "LE",  "EQ", "NE",  "AND",
                                           "OR",   "XOR", "NOT", "NZ", "GEZ", "GZ", "LEZ", "LZ"};
static const char *const mask_names[16] = {NULL, "x",  "y",  "xy",  "z",  "xz",  "yz",  "xyz",
                                           "w",  "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"};
static const char *const group_names[8] = {"TEMP",    "INTERNAL", "UNIFORM0", "UNIFORM1",
                                           "TEMP_FP", NULL,       NULL,       "IMMEDIATE"};
/* with TYPE_BIT2: F16, S16, U32, U8 (A.2) */
static const char *const type_names[4] = {"F32", "S32", "S8", "U16"};

#define CHIP(name) ETNA_##name
#define AS_FIELDS
#include "hwemit/register_schema.def"
#include "hwemit/etnaviv/etnaviv_registers.def"

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/etnaviv/etnaviv_registers.def"
    {0}};
#undef CHIP

/* Four words of the stream are an instruction; instructions come before registers. */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    const struct hwemit_register *uniform = &rows[4];
    const uint32_t first = i / 4 * 4, offset = word[i].address - ETNA_UNIFORMS;
    if (word[i].address != HWEMIT_STREAM)
        return offset / 4 < uniform->count && offset % 4 == 0 ? uniform : NULL;
    return first + 3 < n && word[first].address == HWEMIT_STREAM && word[first + 3].address == HWEMIT_STREAM
        ? &rows[i % 4]
        : NULL;
}

const struct hwemit_registers hwemit_etnaviv_registers = {
    .target = &hwemit_etnaviv, .row = rows, .classify = classify};
