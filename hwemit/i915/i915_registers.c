/* The table of the i915's words, made from i915_registers.def; the decoding of a stream; and the assembly. */
#include "hwemit/assembly.h"
#include "hwemit/i915/i915.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

#define NAME(name) #name,
static const char *const op_names[32] = {I915_OPCODES(NAME)};
static const char *const file_names[8] = {"R", "T", "CONST", "S", "OC", "OD", "U"};
static const char *const select_names[16] = {"X",  "Y",     "Z",     "W",     "ZERO",  "ONE",      NULL,
                                             NULL, "NEG_X", "NEG_Y", "NEG_Z", "NEG_W", "NEG_ZERO", "NEG_ONE"};
static const char *const sampler_names[4] = {"2D", "CUBE", "3D", NULL};

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/i915/i915_registers.def"
    {0}};
#define CHIP(name) ROW_##name
enum {
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/i915/i915_registers.def"
};

/* Returns the row of word `place` of an instruction whose first word is `first`. */
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

/* Returns the row of word i; NULL unless packets are complete, with values for all registers of the mask. */
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

/* ---- assembly, in the syntax of libdrm's intel_decode.c ---- */

#define OP(name) UINT64_C(1) << I915_##name
#define ONE_SOURCE (OP(MOV) | OP(FRC) | OP(RCP) | OP(RSQ) | OP(EXP) | OP(LOG) | OP(FLR) | OP(MOD) | OP(TRC))
#define TWO_SOURCES (OP(ADD) | OP(MUL) | OP(DP3) | OP(DP4) | OP(MIN) | OP(MAX) | OP(SGE) | OP(SLT))
#define THREE_SOURCES (OP(MAD) | OP(DP2ADD) | OP(CMP))
#define RESULT "{OP*} {DST|file}{MASK|mask}{SAT:.sat}, {SRC0|source}"

static const char *const input[] = {"{@=8}DIFFUSE", "{@=9}SPECULAR", "{@=10}FOG", "T{@}", NULL};
static const char *const file[] = {"{@_FILE=0}R{@}",
                                   "{@_FILE=1}{@|input}",
                                   "{@_FILE=2}C{@}",
                                   "{@_FILE=6}U{@}",
                                   "{@_FILE=4}{@=0}oC",
                                   "{@_FILE=5}{@=0}oD",
                                   NULL};
static const char *const mask[] = {"{@~15}.{@}", "{@=15}", NULL};
static const char *const select[] = {"{@=0}x",   "{@=1}y",   "{@=2}z",  "{@=3}w",   "{@=4}0",
                                     "{@=5}1",   "{@=8}-x",  "{@=9}-y", "{@=10}-z", "{@=11}-w",
                                     "{@=12}-0", "{@=13}-1", NULL};
static const char *const source[] = {"{@|file}{!.}{@_X=0}{@_Y=1}{@_Z=2}{@_W=3}",
                                     "{@|file}.{@_X|select}{@_Y|select}{@_Z|select}{@_W|select}", NULL};
static const struct assembly_kind kinds[] = {ASSEMBLY_KIND(input),  ASSEMBLY_KIND(file),
                                             ASSEMBLY_KIND(mask),   ASSEMBLY_KIND(select),
                                             ASSEMBLY_KIND(source), {0}};
enum { ARITHMETIC, LOOKUP, DECLARATION };
static const struct assembly_layout layouts[] = {
    {3, {ROW_A0, ROW_A1, ROW_A2}}, {3, {ROW_T0, ROW_T1, ROW_REST}}, {3, {ROW_D0, ROW_REST, ROW_REST}}};
static const struct assembly_row lines[] = {
    {ARITHMETIC, {OP(NOP), 0}, "{OP*}"},
    {ARITHMETIC, {ONE_SOURCE, 0}, RESULT},
    {ARITHMETIC, {TWO_SOURCES, 0}, RESULT ", {SRC1|source}"},
    {ARITHMETIC, {THREE_SOURCES, 0}, RESULT ", {SRC1|source}, {SRC2|source}"},
    {LOOKUP, {OP(TEXLD) | OP(TEXLDP) | OP(TEXLDB), 0}, "{OP*} {DST|file}, S{SAMPLER}, {COORD|file}"},
    {LOOKUP, {OP(TEXKILL), 0}, "{OP*} {DST|file}, {COORD|file}"},
    {DECLARATION, {OP(DCL), 0}, "{OP*} {FILE=3}S{REGISTER} {SAMPLER}"},
    {DECLARATION, {OP(DCL), 0}, "{OP*} {FILE=1}{REGISTER|input}{MASK~0}.{MASK}"},
    {0}};
static const struct hwemit_assembly assembly = {3, '_', lines, kinds, .layout = layouts, .capitals = true};

const struct hwemit_registers hwemit_i915_registers = {
    .target = &hwemit_i915, .row = rows, .classify = classify, .assembly = &assembly};
