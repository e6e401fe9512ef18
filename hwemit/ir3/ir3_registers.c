/* The table of the words of ir3's instructions and constants, made from ir3_registers.def. */
#include "hwemit/ir3/ir3.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

static const char *const component_names[4] = {"x", "y", "z", "w"};
static const char *const mask_names[16] = {NULL, "x",  "y",  "xy",  "z",  "xz",  "yz",  "xyz",
                                           "w",  "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"};
/* Names of the opcodes of category 0, indexed by OPC + 16 * OPC_HI. SHPS and SHPE, which have OPC_HI, are
 * also shown for OPC alone. */
const char *const hwemit_ir3_codes_0[32] = {
    [IR3_NOP] = "NOP",   "BR",          "JUMP",        "CALL",         "RET",
    [IR3_KILL] = "KILL", "END",         "SHPS",        "SHPE",         [16] = "BKT",
    [21] = "GETONE",     [23] = "SHPS", [24] = "SHPE", [29] = "PREDT", [30] = "PREDF",
    [31] = "PREDE"};
static const char *const type_names[8] = {"F16", "F32", "U16", "U32", "S16", "S32", "U8", "S8"};
static const char *const source_names[4] = {"GPR", "CONST", "IMMED"};
static const char *const kind_names[8] = {"GPR",   "RELATIVE", "CONST",     "RELATIVE_CONST",
                                          "IMMED", "TABLE",    "CONST_HIGH"};
static const char *const kind3_names[4] = {"GPR", "RELATIVE", "CONST"};
static const char *const modifier_names[4] = {NULL, "NEG", "ABS", "NEG_ABS"};
static const char *const branch_names[8] = {"BR", "BRAO", "BRAA", "BRAC", "BANY", "BALL"};
static const char *const cond_names[8] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
static const char *const cat2_names[64] = {
    [IR3_ADD] = "ADD_F",     [IR3_MIN] = "MIN_F",   [IR3_MAX] = "MAX_F",       [IR3_MUL] = "MUL_F",
    [4] = "SIGN_F",          [IR3_CMPS] = "CMPS_F", [IR3_ABSNEG] = "ABSNEG_F", [7] = "CMPV_F",
    [IR3_FLOOR] = "FLOOR_F", [10] = "CEIL_F",       [11] = "RNDNE_F",          [12] = "RNDAZ_F",
    [13] = "TRUNC_F",        [0x10] = "ADD_U",      [0x11] = "ADD_S",          [0x12] = "SUB_U",
    [0x13] = "SUB_S",        [0x14] = "CMPS_U",     [0x15] = "CMPS_S",         [0x16] = "MIN_U",
    [0x17] = "MIN_S",        [0x18] = "MAX_U",      [0x19] = "MAX_S",          [0x1a] = "ABSNEG_S",
    [0x1c] = "AND_B",        [0x1d] = "OR_B",       [0x1e] = "NOT_B",          [0x1f] = "XOR_B",
    [0x21] = "CMPV_U",       [0x22] = "CMPV_S",     [0x23] = "MUL_F_MUL2",     [0x24] = "ADD_F_MUL2",
    [0x25] = "MUL_F_DIV2",   [0x26] = "ADD_F_DIV2", [0x30] = "MUL_U24",        [0x31] = "MUL_S24",
    [0x32] = "MULL_U",       [0x33] = "BFREV_B",    [0x34] = "CLZ_S",          [0x35] = "CLZ_B",
    [0x36] = "SHL_B",        [0x37] = "SHR_B",      [0x38] = "ASHR_B",         [IR3_BARY] = "BARY_F",
    [0x3a] = "MGEN_B",       [0x3b] = "GETBIT_B",   [0x3c] = "SETRM",          [0x3d] = "CBITS_B",
    [0x3e] = "SHB",          [0x3f] = "MSAD"};
/* Those of category 3, indexed by OPC + 16 * ALT. */
const char *const hwemit_ir3_codes_3[32] = {
    "MAD_U16",      "MADSH_U16",    "MAD_S16",     "MADSH_M16", "MAD_U24",
    "MAD_S24",      "MAD_F16",      "MAD_F32",     "SEL_B16",   "SEL_B32",
    "SEL_S16",      "SEL_S32",      "SEL_F16",     "SEL_F32",   [20] = "MAD_F16_MUL2",
    "MAD_F32_MUL2", "MAD_F16_DIV2", "MAD_F32_DIV2"};
static const char *const cat4_names[64] = {"RCP", "RSQ",  "LOG2",       "EXP2",  "SIN",
                                           "COS", "SQRT", [9] = "HRSQ", "HLOG2", "HEXP2"};
static const char *const cat5_names[32] = {"ISAM",    "ISAML",    "ISAMM",    "SAM",      "SAMB",
                                           "SAML",    "SAMGQ",    "GETLOD",   "CONV",     "CONVM",
                                           "GETSIZE", "GETBUF",   "GETPOS",   "GETINFO",  "DSX",
                                           "DSY",     "GATHER4R", "GATHER4G", "GATHER4B", "GATHER4A",
                                           "SAMGP0",  "SAMGP1",   "SAMGP2",   "SAMGP3",   [27] = "RGETINFO"};
static const char *const cat7_names[16] = {[8] = "ALIAS"};

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/ir3/ir3_registers.def"
    {0}};

/* Returns the row of word i. Instructions have two words each, and come before constants and registers. */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    const uint32_t high = i | 1;
    if (word[i].address != HWEMIT_STREAM)
        return hwemit_find_register(rows, &word[i]);
    if (high >= n || word[high].address != HWEMIT_STREAM)
        return NULL;
    const uint32_t category = word[high].value >> IR3_CAT0_HI_CAT;
    return category == 6 ? NULL : &rows[2 * (category < 6 ? category : 6) + (i & 1)];
}

const struct hwemit_registers hwemit_ir3_registers = {
    .target = &hwemit_ir3, .row = rows, .classify = classify, .assembly = &hwemit_ir3_assembly};
