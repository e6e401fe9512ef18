/* The table of ir3's instructions and constants, made from ir3_registers.def; and the assembly. */
#include "hwemit/assembly.h"
#include "hwemit/ir3/ir3.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

static const char *const component_names[4] = {"x", "y", "z", "w"};
static const char *const codes[8][64] = {
#define OP(category, code, name) [category][code] = #name,
#include "hwemit/ir3/ir3_opcodes.def"
};
static const char *const type_names[8] = {"F16", "F32", "U16", "U32", "S16", "S32", "U8", "S8"};
static const char *const source_names[4] = {"GPR", "CONST", "IMMED"};
static const char *const kind_names[8] = {"GPR",   "RELATIVE", "CONST",     "RELATIVE_CONST",
                                          "IMMED", "TABLE",    "CONST_HIGH"};
static const char *const modifier_names[4] = {NULL, "NEG", "ABS", "NEG_ABS"};
static const char *const branch_names[8] = {"BR", "BRAO", "BRAA", "BRAC", "BANY", "BALL"};
static const char *const cond_names[8] = {"LT", "LE", "GT", "GE", "EQ", "NE"};

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

/* ---- assembly, in the syntax of Mesa's assembler (src/freedreno/isa, and the texts of
 * src/freedreno/ir3/tests/disasm.c). Loads and stores (category 6), and instructions that notes/facts/ir3.md
 * does not describe, have no template here and are printed as bit fields. ---- */

/* The chip's inline numbers, by their index. */
static const char *const numbers[16] = {"0.0",  "0.5",       "1.0",     "2.0",        "e",        "pi",
                                        "1/pi", "1/log2(e)", "log2(e)", "1/log2(10)", "log2(10)", "4.0"};

/* Derived fields. Those from bit 64 on, behind the two words, are computed by derive(). NOP: a number of
 * empty issue slots; it is in the bits (r) of two sources, which only (rptN) needs otherwise. FULL: the
 * sources are full registers, in category 3, whose words have no such field; DST_H: the result is a half
 * register, in categories 2 to 4. SAME: both types of a move are the same. HOW: the mode of a lookup by
 * descriptor, as bits: 0 uniform, 1 nonuniform, 2 bindless, 3 with a1.x. DESC: SAMP and the lowest bits of
 * TEX as one number, the register of the descriptor or the number of the sampler. */
static const struct hwemit_field derived[] = {{"CODE", 32 + IR3_CAT0_HI_OPC, 4, codes[0]},
                                              {"CODE", 32 + IR3_CAT0_HI_OPC_HI, 1, NULL},
                                              {"CODE_3", 32 + IR3_CAT3_HI_OPC, 4, codes[3]},
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
                                              {"FULL", 64, 1, NULL},
                                              {"DST_H", 64 + 1, 1, NULL},
                                              {"SAME", 64 + 2, 1, NULL},
                                              {"HOW", 64 + 3, 4, NULL},
                                              {0}};

static uint32_t get(const struct assembly *a, const char *field) { return hwemit_assembly_get(a, field); }
static void put(struct assembly *a, const char *field, uint32_t v) { hwemit_assembly_set(a, field, v); }

/* In categories 2 to 4, DST_CONV says that result and sources differ in size: one is a half register. A
 * predicate is never a half register. */
static void derive(struct assembly *a)
{
    enum { U = 1, N = 2, B = 4, A = 8 };
    /* HOW, indexed by the mode, the highest three bits of the first word */
    static const uint8_t how[8] = {U, U | B | A, N | B, N | B | A, N, U | B, B, B | A};
    const bool predicate = get(a, "DST") >= IR3_P0;
    if (a->reading) {
        uint32_t mode = 0;
        while (mode < 7 && how[mode] != get(a, "HOW"))
            mode++;
        put(a, "DST_CONV", !predicate && get(a, "FULL") == get(a, "DST_H"));
        if (get(a, "S2EN"))
            put(a, "TEX[4-6]", mode);
        return;
    }
    put(a, "SAME", get(a, "SRC_TYPE") == get(a, "DST_TYPE"));
    put(a, "HOW", how[get(a, "TEX[4-6]")]);
    if (a->row->first == 2 * 3) /* the operations on half registers have even codes */
        put(a, "FULL", get(a, "CODE_3") % 2 || get(a, "CODE_3") == IR3_MAD_U24);
    put(a, "DST_H", !predicate && get(a, "FULL") == get(a, "DST_CONV"));
}

/* Whether a register is a half one ("h"): by the field FULL, by a type. */
static const char *const half[] = {"{@=0}h", "{@=1}", NULL};
static const char *const half_type[] = {"{@=1}", "{@=3}", "{@=5}", "h", NULL};
static const char *const gpr[] = {"{@[2-7]~61}{@[2-7]~62}r{@[2-7]}.{@[0-1]|xyzw}",
                                  "p0.{@[2-7]=62}{@[0-1]|xyzw}", "a0.{@[2-7]=61}{@[0-1]|xyzw}", NULL};
static const char *const constant[] = {"c{@[2-10]}.{@[0-1]|xyzw}", NULL};
static const char *const nop[] = {"{RPT=0}{@~0}(nop{@}) ", "{RPT=0}{@=0}", "{RPT~0}", NULL};
static const char *const again[] = {"{RPT~0}{@~0}(r){@=1}", "", NULL}; /* without (rptN), (r) says nothing */
static const char *const modifier[] = {"{@=1}(neg)", "{@=2}(abs)", "{@=3}(absneg)", "{@=0}", NULL};
static const char *const offset[] = {"{@=0}>", " + {@|s10}>", NULL};
static const char *const relative[] = {"{@[10]=1}c<a0.x{@[0-9]|offset}", "{@[10]=0}r<a0.x{@[0-9]|offset}",
                                       NULL};
/* Sources of categories 2 and 4; of category 3; of category 1, whose field KIND has other values; of
 * category 7. What bit 10 says: of a register: (last); of an offset from a0.x: it leads to a constant, not to
 * a register; of an inline number: it is a half float. */
#define BEFORE "{@_MOD|modifier}{@_R|again}"
static const char *const source[] = {"{@_KIND=0}{@[10]:(last)}" BEFORE "{FULL|half}{@|gpr}",
                                     "{@_KIND=2}" BEFORE "{FULL|half}{@|constant}",
                                     "{@_KIND=1}" BEFORE "{FULL|half}{@|relative}",
                                     "{@_KIND=5}" BEFORE "{@[10]:h}({@_INLINE})",
                                     "{@_KIND=4}" BEFORE "{FULL=0}h({@|s11})",
                                     "{@_KIND=4}" BEFORE "{FULL=1}{@|s11}",
                                     NULL};
#define BEFORE_3 "{@_NEG:(neg)}{@_R|again}"
static const char *const source_3[] = {"{@_KIND=0}" BEFORE_3 "{@[10]:(last)}{FULL|half}{@|gpr}",
                                       "{@_KIND=2}" BEFORE_3 "{FULL|half}{@|constant}",
                                       "{@_KIND=1}" BEFORE_3 "{FULL|half}{@|relative}", NULL};
#define BEFORE_1 "{SRC_R|again}{SRC_TYPE|half_type}"
static const char *const source_1[] = {"{SRC_KIND=0}{SRC[11]=0}{SRC[10]:(last)}" BEFORE_1 "{SRC|gpr}",
                                       "{SRC_KIND=0}{SRC[11]=1}" BEFORE_1 "{SRC|relative}",
                                       "{SRC_KIND=1}" BEFORE_1 "{SRC|constant}",
                                       "{SRC_KIND=2}{SRC_TYPE=0}h({SRC|f16})",
                                       "{SRC_KIND=2}{SRC_TYPE=1}({SRC|f32})",
                                       "{SRC_KIND=2}{SRC_TYPE=3}{SRC[12-31]=0}{SRC}",
                                       "{SRC_KIND=2}{SRC_TYPE=3}{SRC|x32}",
                                       "{SRC_KIND=2}{SRC_TYPE=4}{SRC|s16}",
                                       "{SRC_KIND=2}{SRC_TYPE=5}{SRC|s32}",
                                       "{SRC_KIND=2}{SRC}",
                                       NULL};
static const char *const from[] = {"{SRC_TYPE|half_type}{@|gpr}", NULL};
static const char *const to[] = {"{DST_TYPE|half_type}{DST_REL=0}{@|gpr}",
                                 "{DST_TYPE|half_type}{DST_REL=1}r<a0.x{@|offset}", NULL};
static const char *const source_7[] = {
    "{KIND=0}{FULL|half}{SRC|gpr}",           "{KIND=1}{FULL|half}{SRC|constant}",
    "{KIND=2}{BITS=1}{FULL|half}({SRC|x32})", "{KIND=2}{BITS=0}{FULL=0}h({SRC|f16})",
    "{KIND=2}{BITS=0}{FULL=1}({SRC|f32})",    NULL};
static const char *const size[] = {"{BITS=0}f{@=1}32", "{BITS=1}b{@=1}32", "{BITS=0}f{@=0}16",
                                   "{BITS=1}b{@=0}16", NULL};
/* the texture and sampler, by number or by descriptor */
#define WAY "{@=1}{HOW[0]:.s2en.uniform}{HOW[1]:.s2en.nonuniform}"
static const char *const how[] = {"{@=0}{!.}", WAY "{HOW[2]=1}.base{BASE}", WAY "{HOW[2]=0}", NULL};
static const char *const line[] = {"{@=0}.1d", "{@=1}", NULL};
static const char *const where[] = {"{@=0}s#{SAMP}, t#{TEX}",
                                    "{HOW[0-1]=0}{HOW[3]=1}s#{DESC}, a1.x",
                                    "{HOW[0-1]=0}{HOW[3]=0}s#{SAMP}, t#{TEX[0-3]}",
                                    "{HOW[3]=1}{DESC|gpr}, a1.x",
                                    "{HOW[3]=0}{HOW[2]=1}{DESC|gpr}",
                                    "{HOW[3]=0}{HOW[2]=0}h{DESC|gpr}",
                                    NULL};

static const struct assembly_kind kinds[] = {
    ASSEMBLY_KIND(half),     ASSEMBLY_KIND(half_type), ASSEMBLY_KIND(gpr),      ASSEMBLY_KIND(constant),
    ASSEMBLY_KIND(nop),      ASSEMBLY_KIND(again),     ASSEMBLY_KIND(modifier), ASSEMBLY_KIND(offset),
    ASSEMBLY_KIND(relative), ASSEMBLY_KIND(source),    ASSEMBLY_KIND(source_3), ASSEMBLY_KIND(source_1),
    ASSEMBLY_KIND(source_7), ASSEMBLY_KIND(from),      ASSEMBLY_KIND(to),       ASSEMBLY_KIND(size),
    ASSEMBLY_KIND(how),      ASSEMBLY_KIND(line),      ASSEMBLY_KIND(where),    {0}};

/* Sets of opcodes: of category 2, those with a condition and those with one source. */
#define BIT(opcode) (UINT64_C(1) << IR3_##opcode)
#define COMPARE (BIT(CMPS_F) | BIT(CMPS_U) | BIT(CMPS_S))
#define ONE_SOURCE \
    (BIT(SIGN_F) | BIT(ABSNEG_F) | BIT(FLOOR_F) | BIT(CEIL_F) | BIT(RNDNE_F) | BIT(RNDAZ_F) | BIT(TRUNC_F) | \
     BIT(ABSNEG_S) | BIT(NOT_B) | BIT(BFREV_B) | BIT(CLZ_B))

#define WAITS "{SY:(sy)}{SS:(ss)}{JP:(jp)}"
#define CONTROL "{CAT=0}{SY:(sy)}{SS:(ss)}{EQ:(eq)}{JP:(jp)}"
#define JUMP " #{IMMED|s32}"
#define MOVE "{CAT=1}" WAITS "{OPC=0}{RPT:(rpt#)}{UL:(ul)}{ROUND=0}"
#define MOVED "{SRC_TYPE}{DST_TYPE} {DST|to}"
#define MOVES "{CAT=1}" WAITS "{OPC=2}{UL:(ul)}{ROUND=0}"
#define RESULTS_3 ", {SRC[8-15]|to}, {SRC[16-23]|to}, {SRC[24-31]|to}"
#define SOURCES_4 ", {SRC[0-7]|from}, {SRC[8-15]|from}, {SRC[16-23]|from}, {SRC[24-31]|from}"
#define FLAGS WAITS "{SAT:(sat)}{RPT:(rpt#)}"
#define RESULT "{DST_H:h}{DST|gpr}"
#define TWO "{CAT=2}" FLAGS "{NOP|nop}{UL:(ul)}"
#define SOURCE_1 " {EI:(ei)}" RESULT ", {SRC1|source}"
#define SOURCE_2 SOURCE_1 ", {SRC2|source}"
#define SOURCES_3 \
    " " RESULT ", {SRC1|source_3}, {SRC2_NEG:(neg)}{SRC2_R|again}{FULL|half}{SRC2|gpr}, {SRC3|source_3}"
#define LOOKUP "{CAT=5}{OFFSET=0}{SY:(sy)}{JP:(jp)}{OPC*}{3D:.3d}{ARRAY:.a}{PROJ:.p}"
#define SHADOW "{NOT_1D=0}{SHADOW:.s}{S2EN|how}"
#define TEXELS " ({TYPE})({WRMASK}){TYPE|half_type}{DST|gpr}, {FULL|half}{SRC1|gpr}"
#define ALIAS "{CAT=7}{OPC=8}{MEM=0}" WAITS

static const struct assembly_row lines[] = {
    /* category 0 */
    {0,
     {BIT(NOP) | BIT(RET) | BIT(END) | BIT(SHPE) | BIT(PREDT) | BIT(PREDF) | BIT(PREDE), 0},
     CONTROL "{RPT:(rpt#)}{CODE*}"},
    {0, {BIT(KILL), 0}, CONTROL "{CODE*} {INV:!}p0.{COMP}"},
    {0, {BIT(JUMP) | BIT(CALL) | BIT(GETONE) | BIT(SHPS), 0}, CONTROL "{CODE*}" JUMP},
    {0, {1 << 0 | 1 << 4 | 1 << 5, 0}, CONTROL "{CODE=1}{BRTYPE*} {INV:!}p0.{COMP}," JUMP},
    {0, {1 << 1 | 1 << 2, 0}, CONTROL "{CODE=1}{BRTYPE*} {INV:!}p0.{COMP}, {INV2:!}p0.{COMP2}," JUMP},
    {0, {1 << 3, 0}, CONTROL "{CODE=1}{BRTYPE*}.{INDEX}" JUMP},
    /* category 1 */
    {2, {0}, MOVE "{DST=244}{SRC_TYPE=4}{DST_TYPE=4}mova a0.x, {SRC|source_1}"},
    {2, {0}, MOVE "{DST=245}{SRC_TYPE=2}{DST_TYPE=2}mova1 a1.x, {SRC|source_1}"},
    {2, {0}, MOVE "{SAME=1}mov." MOVED ", {SRC|source_1}"},
    {2, {0}, MOVE "{SAME=0}cov." MOVED ", {SRC|source_1}"},
    {2, {0}, MOVES "{RPT=0}swz." MOVED ", {SRC[16-23]|to}, {SRC[0-7]|from}, {SRC[8-15]|from}"},
    {2, {0}, MOVES "{RPT=1}gat." MOVED SOURCES_4},
    {2, {0}, MOVES "{RPT=2}sct." MOVED RESULTS_3 ", {SRC[0-7]|from}"},
    /* category 2: comparisons; one source; two sources; interpolation */
    {4, {COMPARE, 0}, TWO "{OPC*}.{COND}" SOURCE_2},
    {4, {ONE_SOURCE, 0}, TWO "{OPC*}" SOURCE_1},
    {4, {~(COMPARE | ONE_SOURCE | BIT(BARY_F)), 0}, TWO "{OPC*}" SOURCE_2},
    {4, {BIT(BARY_F), 0}, TWO "{COND=0}{OPC*}" SOURCE_2},
    {4, {0}, TWO "{COND=4}{OPC=57}flat.b" SOURCE_2},
    /* categories 3 and 4 */
    {6, {~UINT64_C(0), 0}, "{CAT=3}" FLAGS "{NOP_3|nop}{UL:(ul)}{CODE_3*}" SOURCES_3},
    {8, {~UINT64_C(0), 0}, "{CAT=4}" FLAGS "{UL:(ul)}{OPC*} " RESULT ", {SRC|source}"},
    /* category 5: lookups with one source, and with two; others */
    {10, {BIT(ISAM), 0}, LOOKUP "{SHADOW:.v}{S2EN|how}{NOT_1D|line}" TEXELS ", {S2EN|where}"},
    {10, {BIT(SAM) | BIT(GETLOD), 0}, LOOKUP SHADOW TEXELS ", {S2EN|where}"},
    {10,
     {BIT(ISAML) | BIT(SAMB) | BIT(SAML), 0},
     LOOKUP SHADOW TEXELS ", {FULL|half}{SRC2|gpr}, {S2EN|where}"},
    {10, {BIT(GETSIZE), 0}, LOOKUP "{S2EN=0}{SHADOW=0}{NOT_1D=0}" TEXELS ", t#{TEX}"},
    {10, {BIT(DSX) | BIT(DSY), 0}, LOOKUP "{S2EN=0}{SHADOW=0}{NOT_1D=0}" TEXELS},
    /* category 7 */
    {12, {0}, ALIAS "{RT=0}alias.tex.{FULL|size}.{SIZE_1} {FULL|half}{DST|gpr}, {SRC|source_7}"},
    {12, {0}, ALIAS "{RT=1}alias.rt.{FULL|size}.{SIZE_1} rt{DST[2-4]}.{DST[0-1]|xyzw}, {SRC|source_7}"},
    {0}};
static const struct hwemit_assembly assembly = {2, '.', lines, kinds, derived, derive, .hash = true};

const struct hwemit_registers hwemit_ir3_registers = {
    .target = &hwemit_ir3, .row = rows, .classify = classify, .assembly = &assembly};
