/* The table of the words of Vivante's instructions and uniforms, made from etnaviv_registers.def. */
#include "hwemit/etnaviv/etnaviv.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

/* Names of operations. The code's seventh bit is a separate field, OP_BIT6. */
const char *const hwemit_etna_opcodes[128] = {
#define OPCODE(code, name) [code] = #name,
#include "hwemit/etnaviv/etna_opcodes.def"
};
static const char *const cond_names[32] = {"TRUE", "GT",  "LT",  "GE",  "LE",           "EQ",
                                           "NE",   "AND", "OR",  "XOR", "NOT",          "NZ",
                                           "GEZ",  "GZ",  "LEZ", "LZ",  [22] = "SELMSB"};
static const char *const mask_names[16] = {NULL, "x",  "y",  "xy",  "z",  "xz",  "yz",  "xyz",
                                           "w",  "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"};
static const char *const group_names[8] = {"TEMP",    "INTERNAL", "UNIFORM0", "UNIFORM1",
                                           "TEMP_FP", NULL,       NULL,       "IMMEDIATE"};
/* Names of types. The type's third bit is a separate field, TYPE_BIT2. */
const char *const hwemit_etna_types[8] = {"F32", "S32", "S8", "U16", "F16", "S16", "U32", "U8"};

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/etnaviv/etnaviv_registers.def"
    {0}};

/* Returns the row of word i. Instructions have four stream words each, and precede the uniforms, which are
 * registers. */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    const uint32_t first = i / 4 * 4;
    if (word[i].address != HWEMIT_STREAM)
        return hwemit_find_register(rows, &word[i]);
    return first + 3 < n && word[first].address == HWEMIT_STREAM && word[first + 3].address == HWEMIT_STREAM
        ? &rows[i % 4]
        : NULL;
}

const struct hwemit_registers hwemit_etnaviv_registers = {
    .target = &hwemit_etnaviv, .row = rows, .classify = classify, .assembly = &hwemit_etnaviv_assembly};
