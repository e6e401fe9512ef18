/* The table of the words of Vivante's instructions and uniforms, made from etnaviv_registers.def. */
#include "hwemit/etnaviv/etnaviv.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

/* Names of operations. The code's seventh bit is a separate field, OP_BIT6. */
const char *const hwemit_etna_opcodes[128] = {[ETNA_NOP] = "NOP",
                                              [ETNA_ADD] = "ADD",
                                              [ETNA_MAD] = "MAD",
                                              [ETNA_MUL] = "MUL",
                                              [ETNA_DST] = "DST",
                                              [ETNA_DP3] = "DP3",
                                              [ETNA_DP4] = "DP4",
                                              [ETNA_DSX] = "DSX",
                                              [ETNA_DSY] = "DSY",
                                              [ETNA_MOV] = "MOV",
                                              [ETNA_RCP] = "RCP",
                                              [ETNA_RSQ] = "RSQ",
                                              [ETNA_SELECT] = "SELECT",
                                              [ETNA_SET] = "SET",
                                              [ETNA_EXP] = "EXP",
                                              [ETNA_LOG] = "LOG",
                                              [ETNA_FRC] = "FRC",
                                              [ETNA_BRANCH] = "BRANCH",
                                              [ETNA_TEXKILL] = "TEXKILL",
                                              [ETNA_TEXLD] = "TEXLD",
                                              [ETNA_TEXLDB] = "TEXLDB",
                                              [ETNA_TEXLDD] = "TEXLDD",
                                              [ETNA_TEXLDL] = "TEXLDL",
                                              [ETNA_SQRT] = "SQRT",
                                              [ETNA_SIN] = "SIN",
                                              [ETNA_COS] = "COS",
                                              [ETNA_FLOOR] = "FLOOR",
                                              [ETNA_CEIL] = "CEIL",
                                              [ETNA_SIGN] = "SIGN",
                                              [ETNA_CMP] = "CMP",
                                              [0x0a] = "MOVAR",
                                              [0x0e] = "LITP",
                                              [ETNA_CALL] = "CALL",
                                              [ETNA_RET] = "RET",
                                              [0x2a] = "BARRIER",
                                              [0x2c] = "I2I",
                                              [0x2d] = "I2F",
                                              [0x2e] = "F2I",
                                              [0x2f] = "F2IRND",
                                              [0x36] = "CLAMP0_MAX",
                                              [0x3b] = "IADDSAT",
                                              [0x3c] = "IMULLO0",
                                              [0x40] = "IMULHI0",
                                              [0x44] = "IDIV0",
                                              [0x48] = "IMOD",
                                              [0x4c] = "IMADLO0",
                                              [0x4e] = "IMADLOSAT0",
                                              [0x57] = "IABS",
                                              [0x58] = "LEADZERO",
                                              [0x59] = "LSHIFT",
                                              [0x5a] = "RSHIFT",
                                              [0x5b] = "ROTATE",
                                              [0x5c] = "OR",
                                              [0x5d] = "AND",
                                              [0x5e] = "XOR",
                                              [0x5f] = "NOT",
                                              [0x60] = "BIT_EXTRACT",
                                              [0x61] = "POPCOUNT",
                                              [0x64] = "DIV",
                                              [0x65] = "ATOMIC_ADD",
                                              [0x66] = "ATOMIC_XCHG",
                                              [0x67] = "ATOMIC_CMP_XCHG",
                                              [0x68] = "ATOMIC_MIN",
                                              [0x69] = "ATOMIC_MAX",
                                              [0x6a] = "ATOMIC_OR",
                                              [0x6b] = "ATOMIC_AND",
                                              [0x6c] = "ATOMIC_XOR",
                                              [0x6d] = "BIT_REV",
                                              [0x6f] = "TEXLDLPCF",
                                              [0x70] = "TEXLDGPCF",
                                              [0x72] = "CONV",
                                              [0x73] = "DP2",
                                              [0x74] = "NORM_DP2",
                                              [0x75] = "NORM_DP3",
                                              [0x76] = "NORM_DP4"};
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
