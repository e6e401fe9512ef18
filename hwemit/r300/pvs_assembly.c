/* Assembly of vertex programs in the syntax in which Mesa's r300 compiler prints them, where it has the
 * operation. `alt[n]` is an alternate temporary; the second operation of an instruction follows after ';'.
 * MOV stands for an addition of zeros. */
#include "hwemit/assembly.h"
#include "hwemit/r300/r300_target.h"

#define CHIP(name) ROW_OF_##name
enum {
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/r300/pvs_registers.def"
#include "hwemit/register_end.def"
};
enum { SINGLE, DUAL };
static const struct assembly_layout layouts[] = {
    {4, {ROW_OF_PVS_WORD_DST, ROW_OF_PVS_WORD_SRC, ROW_OF_PVS_WORD_SRC, ROW_OF_PVS_WORD_SRC}},
    {4, {ROW_OF_PVS_WORD_DST, ROW_OF_PVS_WORD_SRC, ROW_OF_PVS_WORD_SRC, ROW_OF_PVS_WORD_MATH}}};

/* Names of operations, indexed by OPCODE + 32 * MATH + 64 * MACRO; macro operations take two clocks. */
static const char *const codes[128] = {
    "NOP",       "DP4",      "MUL",      "ADD",       "MAD",       "DST",
    "FRC",       "MAX",      "MIN",      "SGE",       "SLT",       "M2X_ADD",
    "MUL_CLAMP", "ARL",      "ARR",      NULL,        NULL,        NULL,
    NULL,        "WRITE_EQ", "WRITE_GT", "WRITE_GTE", "WRITE_NEQ", "MUX_EQ",
    "MUX_GT",    "MUX_GTE",  "SGT",      "SEQ",       "SNE",       NULL,
    NULL,        NULL,       NULL,       "EXP",       "LOG",       "EXP_E",
    "LIT",       "POW",      "RCP",      "RCP_FF",    "RSQ",       "RSQ_FF",
    "MUL_MATH",  "EX2",      "LG2",      "POW_MIN_B", "POW_B_ONE", "POW_0_TO_1",
    "SIN",       "COS",      "LG2_IEEE", "RCP_IEEE",  "RSQ_IEEE",  [64] = "MAD_2CLK",
    "M2X_2CLK"};
/* CODE: OPCODE, MATH and MACRO of the first word; SECOND: OPCODE and OPCODE_4 of the last. */
static const struct hwemit_field derived[] = {{"CODE", 0, 5, codes},
                                              {"CODE", 6, 2, NULL},
                                              {"SECOND", 96 + 21, 4, codes + 32},
                                              {"SECOND", 96 + 2, 1, NULL},
                                              {0}};

/* Prints nothing for a source that the operation does not read, or reads nothing and sets it: such a source
 * selects 0 in all lanes and names the register of the first source. */
static bool spare(struct assembly *a, const char *field)
{
    enum { ZEROS = 0x01248000 };
    const uint32_t reg = UINT32_C(0xe0001ff3), v = ZEROS | (a->word[1] & reg);
    uint32_t *w = &a->word[*field - '0'];
    if (a->reading)
        *w = v;
    return *w == v;
}

#define SIGNS(n) "{@NEG_X=" #n "}{@NEG_Y=" #n "}{@NEG_Z=" #n "}{@NEG_W=" #n "}"
#define LETTERS "{@NEG_X:-}{@X}{@NEG_Y:-}{@Y}{@NEG_Z:-}{@Z}{@NEG_W:-}{@W}"
#define ALL "{!.}{@X=0}{@Y=1}{@Z=2}{@W=3}"
static const char *const place[] = {"{@MODE_0=1}{@OFFSET} + addr[0]{!.}{@ADDRESS_SELECT=0}",
                                    "{@MODE_0=1}{@OFFSET} + addr[0].{@ADDRESS_SELECT|xyzw}", "{@OFFSET}",
                                    NULL};
static const char *const reg[] = {"{@TYPE=0}temp[{@|place}]", "{@TYPE=1}input[{@|place}]",
                                  "{@TYPE=2}const[{@|place}]", "{@TYPE=3}alt[{@|place}]", NULL};
static const char *const source[] = {"{@ABS=0}{@|reg}" ALL SIGNS(0),
                                     "{@ABS=0}-{@|reg}" ALL SIGNS(1),
                                     "{@ABS=0}-{@|reg}.{@X}{@Y}{@Z}{@W}" SIGNS(1),
                                     "{@ABS=0}{@|reg}." LETTERS,
                                     "|{@ABS=1}{@|reg}|." LETTERS,
                                     NULL};
static const char *const result[] = {"{@=0}temp", "{@=1}addr", "{@=2}output", "{@=4}alt", NULL};
static const char *const mask[] = {"{!.}{@=15}", ".{@}", NULL};
static const char *const operands[] = {"{@ABS=0}{@|reg}.{@NEGATE_A:-}{@A}{@NEGATE_B:-}{@B}",
                                       "|{@ABS=1}{@|reg}|.{@NEGATE_A:-}{@A}{@NEGATE_B:-}{@B}", NULL};
static const struct assembly_kind kinds[] = {
    ASSEMBLY_KIND(place), ASSEMBLY_KIND(reg),      ASSEMBLY_KIND(source),  ASSEMBLY_KIND(result),
    ASSEMBLY_KIND(mask),  ASSEMBLY_KIND(operands), {"spare", NULL, spare}, {0}};

/* Sets of values of CODE: all math operations; vector operations with one and with two operands; math
 * operations with one. */
#define MATH_CODES UINT64_C(0xffffffff00000000)
#define ONE ((UINT64_C(1) << 6) | (UINT64_C(1) << 13) | (UINT64_C(1) << 14))
#define TWO UINT64_C(0x1c0007ae)
#define MATH_ONE UINT64_C(0x1f1bce00000000)
#define RESULT " {TYPE|result}[{OFFSET}]{WRITE|mask}, {1.|source}"
#define VECTOR "{CODE*}{SATURATE:.sat}" RESULT
#define MATH "{CODE*}{MATH_SATURATE:.sat}" RESULT
#define SECOND "; {SECOND}{MATH_SATURATE:.sat} alt[{3.ALTERNATE}].{3.LANE|xyzw}, {3.|operands}"
static const struct assembly_row rows[] = {
    {SINGLE, {1, 0}, "{CODE*}"},
    {SINGLE, {ONE, 0}, VECTOR "{2.|spare}{3.|spare}"},
    {SINGLE, {0}, "{CODE=3}MOV{SATURATE:.sat}" RESULT "{2.|spare}{3.|spare}"},
    {SINGLE, {TWO, 0}, VECTOR ", {2.|source}{3.|spare}"},
    {SINGLE, {~(MATH_CODES | 1), 3}, VECTOR ", {2.|source}, {3.|source}"},
    {SINGLE, {MATH_ONE, 0}, MATH "{2.|spare}{3.|spare}"},
    {SINGLE, {MATH_CODES, 0}, MATH ", {2.|source}, {3.|source}"},
    {DUAL, {ONE, 0}, "{DUAL=1}" VECTOR "{2.|spare}" SECOND},
    {DUAL, {TWO, 0}, "{DUAL=1}" VECTOR ", {2.|source}" SECOND},
    {0}};

const struct hwemit_assembly hwemit_pvs_assembly = {
    .stroke = '_', .row = rows, .kind = kinds, .derived = derived, .layout = layouts, .capitals = true};
