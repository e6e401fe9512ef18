/* Rows of the words of the i915, and which word of a stream is which. */
#include "hwemit/i915/i915.h"
#include "hwemit/targets.h"

static const char *const op_names[32] = {
    "NOP", "ADD", "MOV", "MUL", "MAD", "DP2ADD", "DP3", "DP4", "FRC",   "RCP",    "RSQ",    "EXP",     "LOG",
    "CMP", "MIN", "MAX", "FLR", "MOD", "TRC",    "SGE", "SLT", "TEXLD", "TEXLDP", "TEXLDB", "TEXKILL", "DCL"};
static const char *const file_names[8] = {"R", "T", "CONST", "S", "OC", "OD", "U"};
static const char *const mask_names[16] = {"none", "x",  "y",  "xy",  "z",  "xz",  "yz",  "xyz",
                                           "w",    "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"};
static const char *const select_names[16] = {"X",  "Y",     "Z",     "W",     "ZERO",  "ONE",      NULL,
                                             NULL, "NEG_X", "NEG_Y", "NEG_Z", "NEG_W", "NEG_ZERO", "NEG_ONE"};
static const char *const sampler_names[4] = {"2D", "CUBE", "VOLUME", NULL};

#define CHIP(name) I915_##name
#define AS_FIELDS
#include "hwemit/register_schema.def"
#include "hwemit/i915/i915_registers.def"

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/i915/i915_registers.def"
    {0}};
#undef CHIP
#define CHIP(name) ROW_##name
enum {
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/i915/i915_registers.def"
};
#undef CHIP

/* Word `place` of an instruction. */
static const struct hwemit_register *of_instruction(uint32_t first, unsigned place)
{
    const uint32_t op = first >> I915_A0_OP;
    if (op < I915_TEXLD)
        return &rows[ROW_A0 + place];
    if (op > I915_DCL)
        return NULL;
    return place == 2 || (place && op == I915_DCL) ? &rows[ROW_REST]
                                                   : &rows[op == I915_DCL ? ROW_D0 : ROW_T0 + place];
}

/* Packets are complete and hold whole instructions, and values for all registers of the mask. */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    for (uint32_t at = 0, length; at <= i; at += length) {
        const uint32_t header = word[at].value, k = i - at;
        const bool program = (header & rows[ROW_PROGRAM].fixed_mask) == I915_PROGRAM;
        const bool constants = (header & rows[ROW_CONSTANTS].fixed_mask) == I915_CONSTANTS;
        length = (header & (program ? 0x1ff : 0xff)) + 2; /* the field is the length less two */
        if (word[at].address != HWEMIT_STREAM || length > n - at ||
            !(program ? length % 3 == 1 : constants && length % 4 == 2))
            return NULL;
        if (k >= length)
            continue;
        if (k == 0)
            return &rows[program ? ROW_PROGRAM : ROW_CONSTANTS];
        if (program)
            return of_instruction(word[at + (k - 1) / 3 * 3 + 1].value, (k - 1) % 3);
        uint32_t registers = 0;
        for (uint32_t mask = word[at + 1].value; mask; mask &= mask - 1)
            registers += 4;
        return registers + 2 == length ? &rows[k == 1 ? ROW_MASK : ROW_VALUE] : NULL;
    }
    return NULL;
}

const struct hwemit_registers hwemit_i915_registers = {
    .target = &hwemit_i915, .row = rows, .classify = classify};
