/* The assembly of ir3 in the syntax of Mesa's assembler (src/freedreno/isa, and the texts of
 * src/freedreno/ir3/tests/disasm.c). Loads and stores (category 6), and instructions that notes/facts/ir3.md
 * does not describe, have no template here and are printed as bit fields. */
#include "hwemit/assembly.h"
#include "hwemit/ir3/ir3.h"

#define BIT(n) (UINT64_C(1) << (n))
/* Sets of opcodes: of category 2, those with a condition and those with one source; of category 3, those on
 * half registers; of category 5, lookups with one and with two sources. */
#define COMPARE (BIT(IR3_CMPS) | BIT(7) | BIT(0x14) | BIT(0x15) | BIT(0x21) | BIT(0x22))
#define ONE_SOURCE \
    (BIT(4) | BIT(IR3_ABSNEG) | UINT64_C(0x3e) << 8 | BIT(0x1a) | BIT(0x1e) | UINT64_C(0x607) << 0x33)
#define HALF_3 (BIT(0) | BIT(2) | BIT(6) | BIT(8) | BIT(10) | BIT(12) | BIT(20) | BIT(22))
#define SAMPLE_1 (BIT(0) | BIT(2) | BIT(IR3_SAM) | BIT(6) | BIT(7) | UINT64_C(0xff) << 16)
#define SAMPLE_2 (BIT(1) | BIT(IR3_SAMB) | BIT(5) | BIT(8) | BIT(9))

/* The chip's inline numbers, by their index. */
static const char *const numbers[16] = {"0.0",  "0.5",       "1.0",     "2.0",        "e",        "pi",
                                        "1/pi", "1/log2(e)", "log2(e)", "1/log2(10)", "log2(10)", "4.0"};

/* Derived fields. Those from bit 64 on, behind the two words, are computed by derive(). NOP: a number of
 * empty issue slots; it is in the bits (r) of two sources, which only (rptN) needs otherwise. H: the sources
 * are half registers; DST_H: the result is one; *_TYPE_H: the same by another name, for the kind `type`.
 * SAME: both types of a move are the same. HOW: the mode of a lookup by descriptor as the bits UNIFORM to A1.
 * DESC: SAMP and the lowest bits of TEX as one number, the register of the descriptor or the number of the
 * sampler. */
static const struct hwemit_field derived[] = {{"CODE", 32 + IR3_CAT0_HI_OPC, 4, hwemit_ir3_codes_0},
                                              {"CODE", 32 + IR3_CAT0_HI_OPC_HI, 1, NULL},
                                              {"CODE_3", 32 + IR3_CAT3_HI_OPC, 4, hwemit_ir3_codes_3},
                                              {"CODE_3", IR3_CAT3_LO_ALT, 1, NULL},
                                              {"SRC_INLINE", IR3_CAT4_LO_SRC, 4, numbers},
                                              {"SRC1_INLINE", IR3_CAT2_LO_SRC1, 4, numbers},
                                              {"SRC2_INLINE", IR3_CAT2_LO_SRC2, 4, numbers},
                                              {"NOP", 32 + IR3_CAT2_HI_SRC1_R, 1, NULL},
                                              {"NOP", 32 + IR3_CAT2_HI_SRC2_R, 1, NULL},
                                              {"NOP_3", 32 + IR3_CAT3_HI_SRC1_R, 1, NULL},
                                              {"NOP_3", IR3_CAT3_LO_SRC2_R, 1, NULL},
                                              {"DESC", IR3_CAT5_LO_SAMP, 8, NULL},
                                              {"BASE", 32 + IR3_CAT5_HI_BASE_LO, 1, NULL},
                                              {"BASE", IR3_CAT5_LO_BASE_HI, 2, NULL},
                                              {"H", 64, 1, NULL},
                                              {"SRC_TYPE_H", 64, 1, NULL},
                                              {"DST_H", 64 + 1, 1, NULL},
                                              {"DST_TYPE_H", 64 + 1, 1, NULL},
                                              {"TYPE_H", 64 + 1, 1, NULL},
                                              {"SAME", 64 + 2, 1, NULL},
                                              {"HOW", 64 + 3, 4, NULL},
                                              {"UNIFORM", 64 + 3, 1, NULL},
                                              {"NONUNIFORM", 64 + 4, 1, NULL},
                                              {"BINDLESS", 64 + 5, 1, NULL},
                                              {"A1", 64 + 6, 1, NULL},
                                              {0}};

static uint32_t get(const struct assembly *a, const char *field) { return hwemit_assembly_get(a, field); }
static void put(struct assembly *a, const char *field, uint32_t v) { hwemit_assembly_set(a, field, v); }

static bool is_half(uint32_t type) { return type != 1 && type != 3 && type != 5; }

/* In categories 2 to 4, DST_CONV says that result and sources differ in size: one is a half register. A
 * predicate is never a half register. */
static void derive(struct assembly *a)
{
    enum { U = 1, N = 2, B = 4, A = 8 }; /* UNIFORM, NONUNIFORM, BINDLESS, A1 */
    /* indexed by the mode, the highest three bits of the first word */
    static const uint8_t how[8] = {U, U | B | A, N | B, N | B | A, N, U | B, B, B | A};
    const unsigned category = a->row->first / 2; /* 6: category 7 */
    const bool predicate = get(a, "DST") >= IR3_P0;
    if (a->reading) {
        uint32_t mode = 0;
        while (mode < 7 && how[mode] != get(a, "HOW"))
            mode++;
        put(a, "FULL", !get(a, "H"));
        put(a, "DST_CONV", !predicate && get(a, "H") != get(a, "DST_H"));
        if (get(a, "S2EN"))
            put(a, "TEX[4-6]", mode);
        return;
    }
    put(a, "SAME", get(a, "SRC_TYPE") == get(a, "DST_TYPE"));
    put(a, "HOW", how[get(a, "TEX[4-6]")]);
    put(a, "H",
        category == 1       ? is_half(get(a, "SRC_TYPE"))
            : category == 3 ? HALF_3 >> get(a, "CODE_3") & 1
                            : !get(a, "FULL"));
    put(a, "DST_H",
        category == 1       ? is_half(get(a, "DST_TYPE"))
            : category == 5 ? is_half(get(a, "TYPE"))
            : category == 6 ? get(a, "H")
                            : !predicate && get(a, "H") != get(a, "DST_CONV"));
}

/* ---- operands ---- */

static const char *const gpr[] = {"{@[2-7]~61}{@[2-7]~62}r{@[2-7]}.{@[0-1]|xyzw}",
                                  "p0.{@[2-7]=62}{@[0-1]|xyzw}", "a0.{@[2-7]=61}{@[0-1]|xyzw}", NULL};
static const char *const constant[] = {"c{@[2-10]}.{@[0-1]|xyzw}", NULL};
static const char *const target[] = {"rt{@[2-4]}.{@[0-1]|xyzw}", NULL};
static const char *const nop[] = {"{RPT=0}{@~0}(nop{@}) ", "{RPT=0}{@=0}", "{RPT~0}", NULL};
static const char *const again[] = {"{RPT~0}{@~0}(r){@=1}", "", NULL}; /* without (rptN), (r) says nothing */
static const char *const modifier[] = {"{@=1}(neg)", "{@=2}(abs)", "{@=3}(absneg)", "{@=0}", NULL};
static const char *const rounding[] = {"{@=1}(even)", "{@=2}(pos_infinity)", "{@=3}(neg_infinity)", "{@=0}",
                                       NULL};
static const char *const type[] = {"{@=0}{@_H=1}f16",   "{@=1}{@_H=0}f32", "{@=2}{@_H=1}u16",
                                   "{@=3}{@_H=0}u32",   "{@=4}{@_H=1}s16", "{@=5}{@_H=0}s32",
                                   "{@=7}{@_H=1}u8_32", "{@=6}{@_H=1}u8",  NULL};
static const char *const offset[] = {"{@=0}>", " + {@|s10}>", NULL};
static const char *const relative[] = {"{@[10]=1}c<a0.x{@[0-9]|offset}", "{@[10]=0}r<a0.x{@[0-9]|offset}",
                                       NULL};
/* Sources of categories 2 and 4; of category 3; of category 1, whose field KIND has other values; of
 * category 7. What bit 10 says: of a register: (last); of an offset from a0.x: it leads to a constant, not to
 * a register; of an inline number: it is a half float. */
#define BEFORE "{@_MOD|modifier}{@_R|again}"
static const char *const source[] = {"{@_KIND=0}{@[10]:(last)}" BEFORE "{H:h}{@|gpr}",
                                     "{@_KIND=2}" BEFORE "{H:h}{@|constant}",
                                     "{@_KIND=1}" BEFORE "{H:h}{@|relative}",
                                     "{@_KIND=5}" BEFORE "{@[10]:h}({@_INLINE})",
                                     "{@_KIND=4}" BEFORE "{H=1}h({@|s11})",
                                     "{@_KIND=4}" BEFORE "{H=0}{@|s11}",
                                     NULL};
#define BEFORE_3 "{@_NEG:(neg)}{@_R|again}"
static const char *const source_3[] = {"{@_KIND=0}" BEFORE_3 "{@[10]:(last)}{H:h}{@|gpr}",
                                       "{@_KIND=2}" BEFORE_3 "{H:h}{@|constant}",
                                       "{@_KIND=1}" BEFORE_3 "{H:h}{@|relative}", NULL};
static const char *const source_1[] = {"{SRC_KIND=0}{SRC[11]=0}{SRC[10]:(last)}{SRC_R|again}{H:h}{SRC|gpr}",
                                       "{SRC_KIND=0}{SRC[11]=1}{SRC_R|again}{H:h}{SRC|relative}",
                                       "{SRC_KIND=1}{SRC_R|again}{H:h}{SRC|constant}",
                                       "{SRC_KIND=2}{SRC_TYPE=0}h({SRC|f16})",
                                       "{SRC_KIND=2}{SRC_TYPE=1}({SRC|f32})",
                                       "{SRC_KIND=2}{SRC_TYPE=3}{SRC[12-31]=0}{SRC}",
                                       "{SRC_KIND=2}{SRC_TYPE=3}{SRC=4096}{SRC}",
                                       "{SRC_KIND=2}{SRC_TYPE=3}{SRC|x32}",
                                       "{SRC_KIND=2}{SRC_TYPE=4}{SRC|s16}",
                                       "{SRC_KIND=2}{SRC_TYPE=5}{SRC|s32}",
                                       "{SRC_KIND=2}{SRC}",
                                       NULL};
static const char *const from[] = {"{H:h}{@|gpr}", NULL}, *const to[] = {"{DST_H:h}{@|gpr}", NULL};
static const char *const indexed[] = {"{@=0}>", " + {@}>", NULL};
static const char *const result_1[] = {"{DST_REL=0}{DST|to}", "{DST_REL=1}{DST_H:h}r<a0.x{DST|indexed}",
                                       NULL};
static const char *const source_7[] = {
    "{KIND=0}{H:h}{SRC|gpr}",           "{KIND=1}{H:h}{SRC|constant}",
    "{KIND=2}{BITS=1}{H:h}({SRC|x32})", "{KIND=2}{BITS=0}{H=1}h({SRC|f16})",
    "{KIND=2}{BITS=0}{H=0}({SRC|f32})", NULL};
static const char *const size[] = {"{@=1}{H=0}{DST_H=0}32", "{@=0}{H=1}{DST_H=1}16", NULL};
static const char *const letter[] = {"{@=0}f", "{@=1}b", NULL};
static const char *const second[] = {"{@=0}", "{@=1}, {SRC2|from}", NULL};
/* the texture and sampler, by number or by descriptor */
#define WAY "{@=1}{UNIFORM:.s2en.uniform}{NONUNIFORM:.s2en.nonuniform}"
static const char *const how[] = {"{@=0}{!.}", WAY "{BINDLESS=1}.base{BASE}", WAY "{BINDLESS=0}", NULL};
static const char *const where[] = {"{@=0}s#{SAMP}, t#{TEX}",
                                    "{UNIFORM=0}{NONUNIFORM=0}{A1=1}s#{DESC}, a1.x",
                                    "{UNIFORM=0}{NONUNIFORM=0}{A1=0}s#{SAMP}, t#{TEX[0-3]}",
                                    "{A1=1}{DESC|gpr}, a1.x",
                                    "{A1=0}{BINDLESS=1}{DESC|gpr}",
                                    "{A1=0}{BINDLESS=0}h{DESC|gpr}",
                                    NULL};

static const struct assembly_kind kinds[] = {
    ASSEMBLY_KIND(nop),     ASSEMBLY_KIND(again),    ASSEMBLY_KIND(modifier), ASSEMBLY_KIND(rounding),
    ASSEMBLY_KIND(type),    ASSEMBLY_KIND(offset),   ASSEMBLY_KIND(relative), ASSEMBLY_KIND(from),
    ASSEMBLY_KIND(to),      ASSEMBLY_KIND(source),   ASSEMBLY_KIND(source_3), ASSEMBLY_KIND(source_1),
    ASSEMBLY_KIND(indexed), ASSEMBLY_KIND(result_1), ASSEMBLY_KIND(source_7), ASSEMBLY_KIND(size),
    ASSEMBLY_KIND(letter),  ASSEMBLY_KIND(second),   ASSEMBLY_KIND(how),      ASSEMBLY_KIND(where),
    ASSEMBLY_KIND(gpr),     ASSEMBLY_KIND(constant), ASSEMBLY_KIND(target),   {0}};

/* ---- instructions ---- */

#define WAITS "{SY:(sy)}{SS:(ss)}{JP:(jp)}"
#define CONTROL "{CAT=0}{SY:(sy)}{SS:(ss)}{EQ:(eq)}{JP:(jp)}"
#define JUMP " #{IMMED|s32}"
#define MOVE "{CAT=1}" WAITS "{OPC=0}{RPT:(rpt#)}{UL:(ul)}"
#define MOVES "{CAT=1}" WAITS "{OPC=2}{UL:(ul)}"
#define TYPES "{SRC_TYPE|type}{DST_TYPE|type} {ROUND|rounding}"
#define FLAGS WAITS "{SAT:(sat)}{RPT:(rpt#)}"
#define TWO "{CAT=2}" FLAGS "{NOP|nop}{UL:(ul)}"
#define SOURCE_1 " {EI:(ei)}{DST|to}, {SRC1|source}"
#define SOURCE_2 SOURCE_1 ", {SRC2|source}"
#define THREE "{CAT=3}" FLAGS "{NOP_3|nop}{UL:(ul)}"
#define SOURCES_3 " {DST|to}, {SRC1|source_3}, {SRC2_NEG:(neg)}{SRC2_R|again}{SRC2|from}, {SRC3|source_3}"
#define LOOKUP "{CAT=5}{SY:(sy)}{JP:(jp)}{OPC*}{3D:.3d}{ARRAY:.a}{OFFSET:.o}{PROJ:.p}{SHADOW:.s}"
#define TEXELS " ({TYPE|type})({WRMASK}){DST|to}"
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
    {2, {0}, MOVE "{DST=244}{SRC_TYPE=4}{H=1}{DST_TYPE=4}mova {ROUND|rounding}a0.x, {SRC|source_1}"},
    {2, {0}, MOVE "{DST=245}{SRC_TYPE=2}{H=1}{DST_TYPE=2}mova1 {ROUND|rounding}a1.x, {SRC|source_1}"},
    {2, {0}, MOVE "{SAME=1}mov." TYPES "{DST|result_1}, {SRC|source_1}"},
    {2, {0}, MOVE "{SAME=0}cov." TYPES "{DST|result_1}, {SRC|source_1}"},
    {2, {0}, MOVES "{RPT=0}swz." TYPES "{DST|to}, {SRC[16-23]|to}, {SRC[0-7]|from}, {SRC[8-15]|from}"},
    {2,
     {0},
     MOVES "{RPT=1}gat." TYPES
           "{DST|to}, {SRC[0-7]|from}, {SRC[8-15]|from}, {SRC[16-23]|from}, {SRC[24-31]|from}"},
    {2,
     {0},
     MOVES "{RPT=2}sct." TYPES "{DST|to}, {SRC[8-15]|to}, {SRC[16-23]|to}, {SRC[24-31]|to}, {SRC[0-7]|from}"},
    /* category 2: comparisons; one source; two sources; interpolation */
    {4, {COMPARE, 0}, TWO "{OPC*}.{COND}" SOURCE_2},
    {4, {ONE_SOURCE, 0}, TWO "{OPC*}" SOURCE_1},
    {4, {~(COMPARE | ONE_SOURCE | BIT(IR3_BARY)), 0}, TWO "{OPC*}" SOURCE_2},
    {4, {BIT(IR3_BARY), 0}, TWO "{COND=0}{OPC*}" SOURCE_2},
    {4, {0}, TWO "{COND=4}{OPC=57}flat.b" SOURCE_2},
    /* category 3 */
    {6, {HALF_3, 0}, THREE "{H=1}{CODE_3*}" SOURCES_3},
    {6, {~HALF_3, 0}, THREE "{H=0}{CODE_3*}" SOURCES_3},
    /* category 4 */
    {8, {~UINT64_C(0), 0}, "{CAT=4}" FLAGS "{UL:(ul)}{OPC*} {DST|to}, {SRC|source}"},
    /* category 5: lookups with one source, or two if there is an offset; with two sources; others */
    {10, {SAMPLE_1, 0}, LOOKUP "{S2EN|how}" TEXELS ", {SRC1|from}{OFFSET|second}, {S2EN|where}"},
    {10, {SAMPLE_2, 0}, LOOKUP "{S2EN|how}" TEXELS ", {SRC1|from}, {SRC2|from}, {S2EN|where}"},
    {10, {1 << 10 | 1 << 12, 0}, "{S2EN=0}{OFFSET=0}" LOOKUP TEXELS ", {SRC1|from}, t#{TEX}"},
    {10, {1 << 14 | 1 << 15, 0}, "{S2EN=0}{OFFSET=0}" LOOKUP TEXELS ", {SRC1|from}"},
    {10, {1 << 27, 0}, "{S2EN=0}{OFFSET=0}{H=1}" LOOKUP TEXELS},
    /* category 7 */
    {12, {0}, ALIAS "{RT=0}alias.tex." ALIASED "{DST|to}, {SRC|source_7}"},
    {12, {0}, ALIAS "{RT=1}alias.rt." ALIASED "{DST|target}, {SRC|source_7}"},
    {0}};

const struct hwemit_assembly hwemit_ir3_assembly = {2, '.', rows, kinds, derived, derive, .hash = true};
