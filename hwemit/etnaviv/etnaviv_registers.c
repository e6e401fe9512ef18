/* The table of the words of Vivante's instructions and uniforms, made from etnaviv_registers.def; and the
 * assembly. */
#include "hwemit/assembly.h"
#include "hwemit/etnaviv/etnaviv.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

#include <string.h>

/* Names of operations. The code's seventh bit is a separate field, OP_BIT6. */
static const char *const codes[128] = {
#define OPCODE(code, name) [code] = #name,
#include "hwemit/etnaviv/etna_opcodes.def"
};
static const char *const cond_names[32] = {"TRUE", "GT",  "LT",  "GE",  "LE",           "EQ",
                                           "NE",   "AND", "OR",  "XOR", "NOT",          "NZ",
                                           "GEZ",  "GZ",  "LEZ", "LZ",  [22] = "SELMSB"};
static const char *const group_names[8] = {"TEMP",    "INTERNAL", "UNIFORM0", "UNIFORM1",
                                           "TEMP_FP", NULL,       NULL,       "IMMEDIATE"};
/* Names of types. The type's third bit is a separate field, TYPE_BIT2. */
static const char *const types[8] = {"F32", "S32", "S8", "U16", "F16", "S16", "U32", "U8"};

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

/* ---- assembly, in the syntax of Mesa's assembler (src/etnaviv/isa). An instruction always has four operands
 * (a lookup also a texture); unused ones are written `void`. ---- */

/* Derived fields: values that the words hold in several pieces. SRC*_VALUE: the number of a source whose
 * group is IMMEDIATE, and from bit 20 on its type; it is in the bits of the register, of the swizzle and
 * signs, and of the address mode. */
static const struct hwemit_field derived[] = {{"CODE", ETNA_INST0_OP, 6, codes},
                                              {"CODE", 64 + ETNA_INST2_OP_BIT6, 1, NULL},
                                              {"KIND", 64 + ETNA_INST2_TYPE, 2, types},
                                              {"KIND", 32 + ETNA_INST1_TYPE_BIT2, 1, NULL},
                                              {"TARGET", 96 + 7, 15, NULL},
                                              {"SRC0_VALUE", 32 + ETNA_INST1_SRC0_REG, 9, NULL},
                                              {"SRC0_VALUE", 32 + ETNA_INST1_SRC0_SWIZ, 10, NULL},
                                              {"SRC0_VALUE", 64 + ETNA_INST2_SRC0_AMODE, 3, NULL},
                                              {"SRC1_VALUE", 64 + ETNA_INST2_SRC1_REG, 9, NULL},
                                              {"SRC1_VALUE", 64 + ETNA_INST2_SRC1_SWIZ, 10, NULL},
                                              {"SRC1_VALUE", 64 + ETNA_INST2_SRC1_AMODE, 3, NULL},
                                              {"SRC2_VALUE", 96 + ETNA_INST3_SRC2_REG, 9, NULL},
                                              {"SRC2_VALUE", 96 + ETNA_INST3_SRC2_SWIZ, 10, NULL},
                                              {"SRC2_VALUE", 96 + ETNA_INST3_SRC2_AMODE, 3, NULL},
                                              {0}};

/* Prints or reads a write mask such as "._yz_"; nothing if all components are written. Also reads Mesa's
 * spelling ".zy" of this mask. */
static bool mask(struct assembly *a, const char *field)
{
    static const char letters[] = "xyzw_";
    uint32_t v = hwemit_assembly_get(a, field);
    if (!a->reading) {
        for (unsigned c = 0; c < 4 && v != 15; c++)
            texenv_printf(&a->text, "%s%c", c ? "" : ".", v >> c & 1 ? letters[c] : '_');
        return true;
    }
    if (a->p == a->end || *a->p != '.')
        return hwemit_assembly_set(a, field, 15);
    const char *at = a->p++, *letter;
    for (v = 0; a->p < a->end && *a->p && (letter = strchr(letters, *a->p)); a->p++) {
        if (v & 15 & 1u << (letter - letters) || a->p - at > 4)
            return hwemit_assembly_fail(a, a->p, "each component is written once");
        v |= 1u << (letter - letters);
    }
    return a->p > at + 1 ? hwemit_assembly_set(a, field, v & 15)
                         : hwemit_assembly_fail(a, a->p, "components (x, y, z, w) are expected");
}

/* Prints or reads the number of an immediate source: a float, which contains '.', 'e', "inf" or "nan"; a
 * signed integer; or an unsigned integer or half float, which have suffixes. */
static bool number(struct assembly *a, const char *field)
{
    enum { FLOAT, SIGNED, UNSIGNED, HALF };
    static const char *const suffix[4] = {"", "", ":u20", ":f16"};
    uint32_t v = hwemit_assembly_get(a, field), form = v >> 20;
    for (const char *p = a->reading ? a->p : NULL; p && p < a->end && *p != ','; p++)
        form = *p == ':' ? (p + 1 < a->end && p[1] == 'f' ? HALF : UNSIGNED)
            : form < UNSIGNED && (*p == '.' || *p == 'e' || *p == 'n') ? FLOAT
            : p == a->p                                                ? SIGNED
                                                                       : form;
    return (form == FLOAT      ? hwemit_assembly_real(a, &v, 20)
                : form == HALF ? hwemit_assembly_real(a, &v, 16)
                               : hwemit_assembly_integer(a, &v, 20, form == SIGNED)) &&
        hwemit_assembly_text(a, suffix[form]) && hwemit_assembly_set(a, field, v | form << 20);
}

static const char *const suffix[] = {"{@~0}.{@}", "{@=0}", NULL};
/* Where there is no lookup, TEX_SWIZ has a flag: nothing is done for helper pixels. */
static const char *const helpers[] = {"{@=16}.skpHp", "{@=0}", NULL};
static const char *const rounding[] = {"{@=1}.rtz", "{@=2}.rtne", "{@=0}", NULL};
static const char *const pack[] = {"{@=0}.pack", "{@=1}", NULL};
static const char *const halves[] = {"{SEL_BIT0=1}{SEL_BIT1=0}.t0", "{SEL_BIT0=0}{SEL_BIT1=1}.t1",
                                     "{SEL_BIT0=0}{SEL_BIT1=0}", NULL};
static const char *const address[] = {"{@=1}[a.x]", "{@=2}[a.y]", "{@=3}[a.z]", "{@=4}[a.w]", "{@=0}", NULL};
static const char *const result[] = {"{@=0}void", "{@=1}t{DST_REG}{DST_AMODE|address}{DST_MASK|mask}", NULL};
static const char *const group[] = {"{@=4}th", "{@=0}t", "{@=1}i", "{@=2}u", NULL};
static const char *const source[] = {
    "{@=0}void", "{@=1}{@_NEG:-}{@_ABS:|}{@_GROUP|group}{@_REG}{@_AMODE|address}.{@_SWIZ|xyzw}{@_ABS:|}",
    "{@=1}{@_GROUP=7}{@_VALUE|number}", NULL};

static const struct assembly_kind kinds[] = {
    {"suffix", suffix, NULL},     {"helpers", helpers, NULL}, {"pack", pack, NULL},
    {"rounding", rounding, NULL}, {"halves", halves, NULL},   {"address", address, NULL},
    {"result", result, NULL},     {"group", group, NULL},     {"source", source, NULL},
    {"mask", NULL, mask},         {"number", NULL, number},   {0}};

#define OP(code) (UINT64_C(1) << (code) % 64)
#define ALONE (OP(ETNA_NOP) | OP(ETNA_RET) | OP(ETNA_BARRIER))
#define JUMP (OP(ETNA_CALL) | OP(ETNA_BRANCH))
#define LOOKUP (OP(ETNA_TEXLD) | OP(ETNA_TEXLDB) | OP(ETNA_TEXLDD) | OP(ETNA_TEXLDL))
#define LOOKUP_HIGH (OP(ETNA_TEXLDLPCF) | OP(ETNA_TEXLDGPCF))
static const struct assembly_row lines[] = {
    {0,
     {~(ALONE | JUMP | LOOKUP), ~LOOKUP_HIGH},
     "{CODE*}{DST_FULL:.hp}{SAT:.sat}{COND|suffix}{TEX_SWIZ|helpers}{KIND|suffix}{PMODE|pack}{SEL_BIT0|"
     "halves}"
     "{ROUND|rounding} {DST|result}, {SRC0|source}, {SRC1|source}, {SRC2|source}"},
    {0,
     {LOOKUP, LOOKUP_HIGH},
     "{PMODE=0}{CODE*} {DST|result}, tex{TEX_ID}.{TEX_SWIZ|xyzw}, {SRC0|source}, {SRC1|source}, "
     "{SRC2|source}"},
    {0,
     {JUMP, 0},
     "{PMODE=0}{CODE*}{COND|suffix}{KIND|suffix} {DST|result}, {SRC0|source}, {SRC1|source}, {TARGET}"},
    {0, {ALONE, 0}, "{PMODE=0}{CODE*} void, void, void, void"},
    {0}};

static const struct hwemit_assembly assembly = {
    .words = 4, .stroke = '_', .row = lines, .kind = kinds, .derived = derived};

const struct hwemit_registers hwemit_etnaviv_registers = {
    .target = &hwemit_etnaviv, .row = rows, .classify = classify, .assembly = &assembly};
