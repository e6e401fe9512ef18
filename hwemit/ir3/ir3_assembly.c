/* The assembly of ir3 in the syntax of Mesa's assembler (src/freedreno/isa, and the texts of
 * src/freedreno/ir3/tests/disasm.c). Loads and stores (category 6), and instructions that notes/facts/ir3.md
 * does not describe, have no template here and are printed as bit fields. */
#include "hwemit/assembly.h"
#include "hwemit/ir3/ir3.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))
/* Sets of opcodes: of category 2, those with a condition and those with one source; of category 3, those on
 * half registers; of category 5, lookups with one and with two sources. */
#define COMPARE (BIT(IR3_CMPS) | BIT(7) | BIT(0x14) | BIT(0x15) | BIT(0x21) | BIT(0x22))
#define ONE_SOURCE \
    (BIT(4) | BIT(IR3_ABSNEG) | UINT64_C(0x3e) << 8 | BIT(0x1a) | BIT(0x1e) | UINT64_C(0x607) << 0x33)
#define HALF_3 (BIT(0) | BIT(2) | BIT(6) | BIT(8) | BIT(10) | BIT(12))
#define SAMPLE_1 (BIT(0) | BIT(2) | BIT(IR3_SAM) | BIT(6) | BIT(7) | UINT64_C(0xff) << 16)
#define SAMPLE_2 (BIT(1) | BIT(IR3_SAMB) | BIT(5) | BIT(8) | BIT(9))

/* Names of the opcodes of category 0, indexed by OPC + 16 * OPC_HI. */
static const char *const codes[32] = {
    [0] = "NOP",   [1] = "BR",     [2] = "JUMP",   [3] = "CALL",    [4] = "RET",
    [5] = "KILL",  [6] = "END",    [16] = "BKT",   [21] = "GETONE", [23] = "SHPS",
    [24] = "SHPE", [29] = "PREDT", [30] = "PREDF", [31] = "PREDE"};
/* Names of the opcodes of category 3 with ALT, which only a7xx has. */
static const char *const scaled[16] = {
    [4] = "MAD_F16_MUL2", [5] = "MAD_F32_MUL2", [6] = "MAD_F16_DIV2", [7] = "MAD_F32_DIV2"};

/* Derived fields: values that the words hold in several pieces, or in bits whose meaning depends on other
 * fields. The same bits may have several names here. H: the sources are half registers; DST_H: the result is
 * one. The bits (r) of two sources are SRC*_RPT in an instruction with (rptN), else NOP, a number of empty
 * issue slots.
 * *_BIT10: bit 10 of a source: (last) of a register; of an inline number, that it is a half float.
 * SAME: both types of a move are the same. BYTE*: the bytes of the first word of parallel moves.
 * HOW: the mode of a lookup by descriptor, as bits UNIFORM to A1; DESC: the descriptor's register or its
 * parts. */
static const struct hwemit_field derived[] = {{"CODE", 0, 5, codes},
                                              {"SCALED", 0, 4, scaled},
                                              {"H", 5, 1, NULL},
                                              {"SRC_TYPE_H", 5, 1, NULL},
                                              {"DST_H", 6, 1, NULL},
                                              {"DST_TYPE_H", 6, 1, NULL},
                                              {"TYPE_H", 6, 1, NULL},
                                              {"NOP", 7, 2, NULL},
                                              {"SRC_RPT", 9, 1, NULL},
                                              {"SRC1_RPT", 9, 1, NULL},
                                              {"SRC2_RPT", 10, 1, NULL},
                                              {"SRC3_RPT", 11, 1, NULL},
                                              {"SRC_BIT10", 12, 1, NULL},
                                              {"SRC1_BIT10", 12, 1, NULL},
                                              {"SRC2_BIT10", 13, 1, NULL},
                                              {"SRC3_BIT10", 14, 1, NULL},
                                              {"SAME", 15, 1, NULL},
                                              {"HOW", 16, 4, NULL},
                                              {"UNIFORM", 16, 1, NULL},
                                              {"NONUNIFORM", 17, 1, NULL},
                                              {"BINDLESS", 18, 1, NULL},
                                              {"A1", 19, 1, NULL},
                                              {"BASE", 20, 3, NULL},
                                              {"DESC", 24, 8, NULL},
                                              {"DESC_SAMP", 24, 4, NULL},
                                              {"DESC_TEX", 28, 4, NULL},
                                              {"BYTE0", 32, 8, NULL},
                                              {"BYTE1", 40, 8, NULL},
                                              {"BYTE2", 48, 8, NULL},
                                              {"BYTE3", 56, 8, NULL},
                                              {0}};

static uint32_t get(const struct assembly *a, const char *field) { return hwemit_assembly_get(a, field); }
static void put(struct assembly *a, const char *field, uint32_t v) { hwemit_assembly_set(a, field, v); }

/* Makes field `real` and derived field `mine` equal, in the direction that is needed. */
static void same(struct assembly *a, const char *real, const char *mine)
{
    put(a, a->reading ? real : mine, get(a, a->reading ? mine : real));
}

/* Moves bit 10 of a source that is a register (kind 0) or an inline number (kind 5) to derived field `mine`,
 * or back when a line is read. */
static void bit_10(struct assembly *a, const char *mine, uint32_t *word, unsigned low, uint32_t kind)
{
    const uint32_t bit = UINT32_C(1) << (low + 10);
    if (kind != IR3_GPR && kind != IR3_TABLE)
        return;
    if (a->reading) {
        *word |= get(a, mine) ? bit : 0;
    } else {
        put(a, mine, (*word & bit) != 0);
        *word &= ~bit;
    }
}

/* Converts between the bits (r) of sources of categories 2 and 3 and the derived fields SRC*_RPT and NOP. */
static void repeats(struct assembly *a)
{
    const uint32_t first = get(a, a->reading ? "SRC1_RPT" : "SRC1_R"),
                   second = get(a, a->reading ? "SRC2_RPT" : "SRC2_R"), nop = get(a, "NOP");
    const bool repeat = get(a, "RPT") != 0;
    if (a->reading) {
        put(a, "SRC1_R", repeat ? first : nop & 1);
        put(a, "SRC2_R", repeat ? second : nop >> 1);
    } else {
        put(a, "NOP", repeat ? 0 : first | second << 1);
        put(a, "SRC1_RPT", repeat ? first : 0);
        put(a, "SRC2_RPT", repeat ? second : 0);
    }
}

/* In categories 2 to 4, DST_CONV says that result and sources differ in size: one is a half register. A
 * predicate is never a half register. */
static void convert(struct assembly *a)
{
    const bool predicate = get(a, "DST") >= IR3_P0;
    if (a->reading)
        put(a, "DST_CONV", !predicate && get(a, "H") != get(a, "DST_H"));
    else
        put(a, "DST_H", !predicate && get(a, "H") != get(a, "DST_CONV"));
}

static void full(struct assembly *a)
{
    put(a, a->reading ? "FULL" : "H", !get(a, a->reading ? "H" : "FULL"));
}

static bool is_half(uint32_t type) { return type != 1 && type != 3 && type != 5; }

/* Converts between the three-bit mode of a lookup by descriptor and the derived fields HOW, DESC and BASE. */
static void descriptor(struct assembly *a)
{
    enum { UNIFORM = 1, NONUNIFORM = 2, BINDLESS = 4, A1 = 8 };
    static const uint8_t how[8] = {UNIFORM,
                                   UNIFORM | BINDLESS | A1,
                                   NONUNIFORM | BINDLESS,
                                   NONUNIFORM | BINDLESS | A1,
                                   NONUNIFORM,
                                   UNIFORM | BINDLESS,
                                   BINDLESS,
                                   BINDLESS | A1};
    uint32_t *low = &a->word[0], mode = *low >> 29;
    if (a->reading) {
        for (mode = 0; mode < 7 && how[mode] != get(a, "HOW");)
            mode++;
        *low |= mode << 29 | get(a, "DESC") << 21;
        put(a, "BASE_HI", get(a, "BASE") >> 1);
        put(a, "BASE_LO", get(a, "BASE") & 1);
    } else {
        put(a, "HOW", how[mode]);
        put(a, "DESC", *low >> 21 & 255);
        put(a, "BASE", get(a, "BASE_HI") << 1 | get(a, "BASE_LO"));
    }
}

static void moves(struct assembly *a)
{
    uint32_t *low = &a->word[0];
    if (get(a, "OPC") == 2) {
        *(a->reading ? low : &a->word[3]) = a->word[a->reading ? 3 : 0];
    } else {
        same(a, "SRC_R", "SRC_RPT");
        if (get(a, "SRC_KIND") == 0 && *low < 1 << 11)
            bit_10(a, "SRC_BIT10", low, 0, IR3_GPR);
    }
    if (!a->reading) {
        put(a, "H", is_half(get(a, "SRC_TYPE")));
        put(a, "DST_H", is_half(get(a, "DST_TYPE")));
        put(a, "SAME", get(a, "SRC_TYPE") == get(a, "DST_TYPE"));
    }
}

static void derive(struct assembly *a)
{
    uint32_t *low = &a->word[0];
    switch (a->row->first / 2) {
    case 0:
        if (a->reading) {
            put(a, "OPC", get(a, "CODE") & 15);
            put(a, "OPC_HI", get(a, "CODE") >> 4);
        } else {
            put(a, "CODE", get(a, "OPC") | get(a, "OPC_HI") << 4);
        }
        break;
    case 1: moves(a); break;
    case 2:
        repeats(a);
        full(a);
        convert(a);
        bit_10(a, "SRC1_BIT10", low, 0, get(a, "SRC1_KIND"));
        bit_10(a, "SRC2_BIT10", low, 16, get(a, "SRC2_KIND"));
        break;
    case 3:
        repeats(a);
        same(a, "SRC3_R", "SRC3_RPT");
        if (get(a, "ALT"))
            same(a, "OPC", "SCALED");
        if (!a->reading)
            put(a, "H", (get(a, "ALT") ? 0x50u : HALF_3) >> get(a, "OPC") & 1);
        convert(a);
        bit_10(a, "SRC1_BIT10", low, 0, get(a, "SRC1_KIND"));
        bit_10(a, "SRC3_BIT10", low, 16, get(a, "SRC3_KIND"));
        break;
    case 4:
        same(a, "SRC_R", "SRC_RPT");
        full(a);
        convert(a);
        bit_10(a, "SRC_BIT10", low, 0, get(a, "SRC_KIND"));
        break;
    case 5:
        full(a);
        if (!a->reading)
            put(a, "DST_H", is_half(get(a, "TYPE")));
        if (get(a, "S2EN"))
            descriptor(a);
        break;
    default:
        if (!a->reading) {
            put(a, "H", !get(a, "FULL"));
            put(a, "DST_H", !get(a, "FULL"));
        }
    }
}

/* ---- operands ---- */

/* Prints or reads a register such as "r1.x", "c260.x" or "rt2.x": a number up to `most` and a component. */
static bool numbered(struct assembly *a, const char *field, const char *file, unsigned most)
{
    uint32_t v = get(a, field), n = v >> 2, component = a->reading ? 0 : v & 3;
    if (!hwemit_assembly_text(a, file))
        return false;
    const char *at = a->p;
    if (!a->reading && n > most)
        return false;
    if (!hwemit_assembly_integer(a, &n, 31, false))
        return false;
    if (n > most)
        return hwemit_assembly_fail(a, at, "'%s%u' is no register: %s0 to %s%u", file, (unsigned)n, file,
                                    file, most);
    return hwemit_assembly_text(a, ".") && hwemit_assembly_letter(a, &component, 0) &&
        hwemit_assembly_set(a, field, n << 2 | component);
}
static bool gpr(struct assembly *a, const char *field)
{
    static const char special[2][4] = {"a0.", "p0."}; /* registers 61 and 62 */
    const uint32_t v = get(a, field);
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t component = a->reading ? 0 : v & 3;
        if (a->reading ? a->end - a->p > 3 && memcmp(a->p, special[k], 3) == 0 : v >> 2 == 61 + k)
            return hwemit_assembly_text(a, special[k]) && hwemit_assembly_letter(a, &component, 0) &&
                hwemit_assembly_set(a, field, (61 + k) << 2 | component);
    }
    return numbered(a, field, "r", 63);
}
static bool constant(struct assembly *a, const char *field) { return numbered(a, field, "c", 511); }
static bool target(struct assembly *a, const char *field) { return numbered(a, field, "rt", 7); }

/* Prints or reads a relative register such as "r<a0.x + 4>", with an offset of `width` bits. */
static bool relative(struct assembly *a, char file, uint32_t *offset, unsigned width)
{
    const char start[] = {file, '<', 'a', '0', '.', 'x', '\0'};
    if (!hwemit_assembly_text(a, start))
        return false;
    const bool none = a->reading ? a->p < a->end && *a->p == '>' : !*offset;
    *offset = none ? 0 : *offset;
    return (none ||
            (hwemit_assembly_text(a, " + ") && hwemit_assembly_integer(a, offset, width, width > 8))) &&
        hwemit_assembly_text(a, ">");
}
/* Prints or reads a relative source. Bit 10 is set for constants; in category 1, bit 11 is set for all
 * relative sources. */
static bool relative_source(struct assembly *a, const char *field)
{
    const uint32_t mark = strcmp(field, "SRC") == 0 && a->row->first == 2 ? 1 << 11 : 0, v = get(a, field);
    const bool is_constant = a->reading ? a->p < a->end && *a->p == 'c' : v >> 10 & 1;
    uint32_t offset = v & 1023;
    if (!a->reading && v >> 11 != mark >> 11)
        return false;
    return relative(a, is_constant ? 'c' : 'r', &offset, 10) &&
        hwemit_assembly_set(a, field, mark | (uint32_t)is_constant << 10 | offset);
}
static bool relative_result(struct assembly *a, const char *field)
{
    uint32_t offset = get(a, field);
    return relative(a, 'r', &offset, 8) && hwemit_assembly_set(a, field, offset);
}

/* Prints or reads an inline number, in parentheses. */
static bool table(struct assembly *a, const char *field)
{
    static const char *const name[] = {"(0.0)",     "(0.5)",        "(1.0)",      "(2.0)",
                                       "(e)",       "(pi)",         "(1/pi)",     "(1/log2(e))",
                                       "(log2(e))", "(1/log2(10))", "(log2(10))", "(4.0)"};
    uint32_t v = get(a, field);
    for (uint32_t k = 0; a->reading && k < sizeof name / sizeof *name; k++)
        if ((size_t)(a->end - a->p) >= strlen(name[v = k]) && memcmp(a->p, name[k], strlen(name[k])) == 0)
            break;
    return v < sizeof name / sizeof *name && hwemit_assembly_text(a, name[v]) &&
        hwemit_assembly_set(a, field, v);
}

static bool hex_if_long(struct assembly *a, const char *field)
{
    uint32_t v = get(a, field);
    if (!a->reading && v > 0x1000)
        texenv_printf(&a->text, "0x%x", (unsigned)v);
    return (!a->reading && v > 0x1000) ||
        (hwemit_assembly_integer(a, &v, 32, false) && hwemit_assembly_set(a, field, v));
}

static const char *const nop[] = {"{@~0}(nop{@}) ", "{@=0}", NULL};
static const char *const modifier[] = {"{@=1}(neg)", "{@=2}(abs)", "{@=3}(absneg)", "{@=0}", NULL};
static const char *const rounding[] = {"{@=1}(even)", "{@=2}(pos_infinity)", "{@=3}(neg_infinity)", "{@=0}",
                                       NULL};
static const char *const type[] = {"{@=0}{@_H=1}f16",   "{@=1}{@_H=0}f32", "{@=2}{@_H=1}u16",
                                   "{@=3}{@_H=0}u32",   "{@=4}{@_H=1}s16", "{@=5}{@_H=0}s32",
                                   "{@=7}{@_H=1}u8_32", "{@=6}{@_H=1}u8",  NULL};
/* sources of categories 2 and 4; of category 3; of category 1, whose field KIND has other values; of category
 * 7 */
#define BEFORE "{@_MOD|modifier}{@_RPT:(r)}"
static const char *const source[] = {"{@_KIND=0}{@_BIT10:(last)}" BEFORE "{H:h}{@|gpr}",
                                     "{@_KIND=2}" BEFORE "{H:h}{@|constant}",
                                     "{@_KIND=1}" BEFORE "{H:h}{@|relative}",
                                     "{@_KIND=5}" BEFORE "{@_BIT10:h}{@|table}",
                                     "{@_KIND=4}" BEFORE "{H=1}h({@|s11})",
                                     "{@_KIND=4}" BEFORE "{H=0}{@|s11}",
                                     NULL};
static const char *const source_3[] = {"{@_KIND=0}{@_NEG:(neg)}{@_RPT:(r)}{@_BIT10:(last)}{H:h}{@|gpr}",
                                       "{@_KIND=2}{@_NEG:(neg)}{@_RPT:(r)}{H:h}{@|constant}",
                                       "{@_KIND=1}{@_NEG:(neg)}{@_RPT:(r)}{H:h}{@|relative}", NULL};
static const char *const source_1[] = {"{SRC_KIND=0}{SRC_BIT10:(last)}{SRC_RPT:(r)}{H:h}{SRC|gpr}",
                                       "{SRC_KIND=0}{SRC_RPT:(r)}{H:h}{SRC|relative}",
                                       "{SRC_KIND=1}{SRC_RPT:(r)}{H:h}{SRC|constant}",
                                       "{SRC_KIND=2}{SRC_TYPE=0}h({SRC|f16})",
                                       "{SRC_KIND=2}{SRC_TYPE=1}({SRC|f32})",
                                       "{SRC_KIND=2}{SRC_TYPE=3}{SRC|hex_if_long}",
                                       "{SRC_KIND=2}{SRC_TYPE=4}{SRC|s16}",
                                       "{SRC_KIND=2}{SRC_TYPE=5}{SRC|s32}",
                                       "{SRC_KIND=2}{SRC}",
                                       NULL};
static const char *const result_1[] = {"{DST_REL=0}{DST_H:h}{DST|gpr}", "{DST_REL=1}{DST_H:h}{DST|indexed}",
                                       NULL};
static const char *const source_7[] = {
    "{KIND=0}{H:h}{SRC|gpr}",           "{KIND=1}{H:h}{SRC|constant}",
    "{KIND=2}{BITS=1}{H:h}({SRC|x32})", "{KIND=2}{BITS=0}{H=1}h({SRC|f16})",
    "{KIND=2}{BITS=0}{H=0}({SRC|f32})", NULL};
static const char *const size[] = {"{@=1}{H=0}{DST_H=0}32", "{@=0}{H=1}{DST_H=1}16", NULL};
static const char *const letter[] = {"{@=0}f", "{@=1}b", NULL};
static const char *const base[] = {"{@=1}.base{BASE}", "{@=0}", NULL};
static const char *const where[] = {"{UNIFORM=0}{NONUNIFORM=0}{A1=1}s#{DESC}, a1.x",
                                    "{UNIFORM=0}{NONUNIFORM=0}{A1=0}s#{DESC_SAMP}, t#{DESC_TEX}",
                                    "{A1=1}{DESC|gpr}, a1.x",
                                    "{A1=0}{BINDLESS=1}{DESC|gpr}",
                                    "{A1=0}{BINDLESS=0}h{DESC|gpr}",
                                    NULL};

static const struct assembly_kind kinds[] = {{"nop", nop, NULL},
                                             {"modifier", modifier, NULL},
                                             {"round", rounding, NULL},
                                             {"type", type, NULL},
                                             {"source", source, NULL},
                                             {"source_3", source_3, NULL},
                                             {"source_1", source_1, NULL},
                                             {"result_1", result_1, NULL},
                                             {"source_7", source_7, NULL},
                                             {"size", size, NULL},
                                             {"letter", letter, NULL},
                                             {"base", base, NULL},
                                             {"where", where, NULL},
                                             {"gpr", NULL, gpr},
                                             {"constant", NULL, constant},
                                             {"target", NULL, target},
                                             {"relative", NULL, relative_source},
                                             {"indexed", NULL, relative_result},
                                             {"table", NULL, table},
                                             {"hex_if_long", NULL, hex_if_long},
                                             {0}};

/* ---- instructions ---- */

#define WAITS "{SY:(sy)}{SS:(ss)}{JP:(jp)}"
#define CONTROL "{CAT=0}{SY:(sy)}{SS:(ss)}{EQ:(eq)}{JP:(jp)}"
#define JUMP " #{IMMED|s32}"
#define MOVE "{CAT=1}" WAITS
#define MOVE_1 MOVE "{OPC=0}{RPT:(rpt#)}{UL:(ul)}"
#define TYPES "{SRC_TYPE|type}{DST_TYPE|type} {ROUND|round}"
#define FLAGS WAITS "{SAT:(sat)}{RPT:(rpt#)}"
#define TWO "{CAT=2}" FLAGS "{NOP|nop}{UL:(ul)}"
#define SOURCE_1 " {EI:(ei)}{DST_H:h}{DST|gpr}, {SRC1|source}"
#define SOURCE_2 SOURCE_1 ", {SRC2|source}"
#define THREE "{CAT=3}" FLAGS "{NOP|nop}{UL:(ul)}"
#define SOURCES_3 \
    " {DST_H:h}{DST|gpr}, {SRC1|source_3}, {SRC2_NEG:(neg)}{SRC2_RPT:(r)}{H:h}{SRC2|gpr}, {SRC3|source_3}"
#define LOOKUP "{CAT=5}{SY:(sy)}{JP:(jp)}{OPC*}{3D:.3d}{ARRAY:.a}"
#define LOOKUP_MORE "{PROJ:.p}{SHADOW:.s}"
#define BY_DESCRIPTOR LOOKUP_MORE "{UNIFORM:.s2en.uniform}{NONUNIFORM:.s2en.nonuniform}{BINDLESS|base}"
#define TEXELS " ({TYPE|type})({WRMASK}){DST_H:h}{DST|gpr}"
#define FIRST ", {H:h}{SRC1|gpr}"
#define SECOND ", {H:h}{SRC2|gpr}"
#define UNIT ", s#{SAMP}, t#{TEX}"
#define ALIAS "{CAT=7}{OPC=8}{MEM=0}" WAITS
#define ALIASED "{BITS|letter}{FULL|size}.{SIZE_1} "

static const struct assembly_row rows[] = {
    /* category 0 */
    {0, {1u << 0 | 1u << 4 | 1u << 6 | 1u << 24 | 7u << 29, 0}, CONTROL "{RPT:(rpt#)}{CODE*}"},
    {0, {1u << 5, 0}, CONTROL "{CODE*} {INV:!}p0.{COMP}"},
    {0, {1u << 2 | 1u << 3 | 1u << 16 | 1u << 21 | 1u << 23, 0}, CONTROL "{CODE*}" JUMP},
    {0, {1 << 0 | 1 << 4 | 1 << 5, 0}, CONTROL "{CODE=1}{BRTYPE*} {INV:!}p0.{COMP}," JUMP},
    {0, {1 << 1 | 1 << 2, 0}, CONTROL "{CODE=1}{BRTYPE*} {INV:!}p0.{COMP}, {INV2:!}p0.{COMP2}," JUMP},
    {0, {1 << 3, 0}, CONTROL "{CODE=1}{BRTYPE*}.{INDEX}" JUMP},
    /* category 1 */
    {2, {0}, MOVE_1 "{DST=244}{SRC_TYPE=4}{H=1}{DST_TYPE=4}mova {ROUND|round}a0.x, {SRC|source_1}"},
    {2, {0}, MOVE_1 "{DST=245}{SRC_TYPE=2}{H=1}{DST_TYPE=2}mova1 {ROUND|round}a1.x, {SRC|source_1}"},
    {2, {0}, MOVE_1 "{SAME=1}mov." TYPES "{DST|result_1}, {SRC|source_1}"},
    {2, {0}, MOVE_1 "{SAME=0}cov." TYPES "{DST|result_1}, {SRC|source_1}"},
    {2,
     {0},
     MOVE "{UL:(ul)}{OPC=2}{RPT=0}swz." TYPES
          "{DST_H:h}{DST|gpr}, {DST_H:h}{BYTE2|gpr}, {H:h}{BYTE0|gpr}, {H:h}{BYTE1|gpr}"},
    {2,
     {0},
     MOVE "{UL:(ul)}{OPC=2}{RPT=1}gat." TYPES
          "{DST_H:h}{DST|gpr}, {H:h}{BYTE0|gpr}, {H:h}{BYTE1|gpr}, {H:h}{BYTE2|gpr}, {H:h}{BYTE3|gpr}"},
    {2,
     {0},
     MOVE "{UL:(ul)}{OPC=2}{RPT=2}sct." TYPES "{DST_H:h}{DST|gpr}, {DST_H:h}{BYTE1|gpr}, "
          "{DST_H:h}{BYTE2|gpr}, {DST_H:h}{BYTE3|gpr}, {H:h}{BYTE0|gpr}"},
    /* category 2: comparisons; one source; two sources; interpolation */
    {4, {COMPARE, 0}, TWO "{OPC*}.{COND}" SOURCE_2},
    {4, {ONE_SOURCE, 0}, TWO "{OPC*}" SOURCE_1},
    {4, {~(COMPARE | ONE_SOURCE | BIT(IR3_BARY)), 0}, TWO "{OPC*}" SOURCE_2},
    {4, {BIT(IR3_BARY), 0}, TWO "{COND=0}{OPC*}" SOURCE_2},
    {4, {0}, TWO "{COND=4}{OPC=57}flat.b" SOURCE_2},
    /* category 3 */
    {6, {HALF_3, 0}, THREE "{ALT=0}{H=1}{OPC*}" SOURCES_3},
    {6, {~HALF_3, 0}, THREE "{ALT=0}{H=0}{OPC*}" SOURCES_3},
    {6, {1 << 4 | 1 << 6, 0}, THREE "{ALT=1}{H=1}{SCALED*}" SOURCES_3},
    {6, {1 << 5 | 1 << 7, 0}, THREE "{ALT=1}{H=0}{SCALED*}" SOURCES_3},
    /* category 4 */
    {8, {~UINT64_C(0), 0}, "{CAT=4}" FLAGS "{UL:(ul)}{OPC*} {DST_H:h}{DST|gpr}, {SRC|source}"},
    /* category 5: lookups by texture and sampler with one source, with an offset, with two sources; lookups
     * by descriptor; others */
    {10, {SAMPLE_1, 0}, "{S2EN=0}{OFFSET=0}" LOOKUP LOOKUP_MORE TEXELS FIRST UNIT},
    {10, {SAMPLE_1, 0}, "{S2EN=0}{OFFSET=1}" LOOKUP ".o" LOOKUP_MORE TEXELS FIRST SECOND UNIT},
    {10, {SAMPLE_2, 0}, "{S2EN=0}" LOOKUP "{OFFSET:.o}" LOOKUP_MORE TEXELS FIRST SECOND UNIT},
    {10, {SAMPLE_1, 0}, "{S2EN=1}{OFFSET=0}" LOOKUP BY_DESCRIPTOR TEXELS FIRST ", {DESC|where}"},
    {10, {SAMPLE_1, 0}, "{S2EN=1}{OFFSET=1}" LOOKUP ".o" BY_DESCRIPTOR TEXELS FIRST SECOND ", {DESC|where}"},
    {10, {SAMPLE_2, 0}, "{S2EN=1}" LOOKUP "{OFFSET:.o}" BY_DESCRIPTOR TEXELS FIRST SECOND ", {DESC|where}"},
    {10, {1 << 10 | 1 << 12, 0}, "{S2EN=0}" LOOKUP LOOKUP_MORE TEXELS FIRST ", t#{TEX}"},
    {10, {1 << 14 | 1 << 15, 0}, "{S2EN=0}" LOOKUP LOOKUP_MORE TEXELS FIRST},
    {10, {1 << 27, 0}, "{S2EN=0}{H=1}" LOOKUP TEXELS},
    /* category 7 */
    {12, {0}, ALIAS "{RT=0}alias.tex." ALIASED "{DST_H:h}{DST|gpr}, {SRC|source_7}"},
    {12, {0}, ALIAS "{RT=1}alias.rt." ALIASED "{DST|target}, {SRC|source_7}"},
    {0}};

const struct hwemit_assembly hwemit_ir3_assembly = {2, '.', rows, kinds, derived, derive, .hash = true};
