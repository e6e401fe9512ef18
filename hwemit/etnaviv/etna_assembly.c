/* The assembly of etnaviv in the syntax of Mesa's assembler (src/etnaviv/isa). An instruction always has four
 * operands (a lookup also a texture); unused ones are written `void`. */
#include "hwemit/assembly.h"
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

/* Derived fields: values that the words hold in several pieces. SRC*_VALUE: the number of a source whose
 * group is IMMEDIATE, and from bit 20 on its type. */
static const struct hwemit_field derived[] = {{"CODE", 0, 7, hwemit_etna_opcodes},
                                              {"KIND", 7, 3, hwemit_etna_types},
                                              {"PACK", 10, 1, NULL},
                                              {"TARGET", 11, 15, NULL},
                                              {"SRC0_VALUE", 32, 22, NULL},
                                              {"SRC1_VALUE", 64, 22, NULL},
                                              {"SRC2_VALUE", 96, 22, NULL},
                                              {0}};

static void derive(struct assembly *a)
{
    static const struct {
        uint8_t word, reg, amode_word, amode, group_word, group;
    } place[3] = {
        {1, ETNA_INST1_SRC0_REG, 2, ETNA_INST2_SRC0_AMODE, 2, ETNA_INST2_SRC0_GROUP},
        {2, ETNA_INST2_SRC1_REG, 2, ETNA_INST2_SRC1_AMODE, 3, ETNA_INST3_SRC1_GROUP},
        {3, ETNA_INST3_SRC2_REG, 3, ETNA_INST3_SRC2_AMODE, 3, ETNA_INST3_SRC2_GROUP},
    };
    uint32_t *w = a->word, *d = &a->word[4], code = d[0] & 127, kind = d[0] >> 7 & 7;
    if (a->reading) {
        w[0] |= (code & 63) << ETNA_INST0_OP;
        w[1] |= (~d[0] >> 10 & 1) << ETNA_INST1_PMODE | kind >> 2 << ETNA_INST1_TYPE_BIT2;
        w[2] |= code >> 6 << ETNA_INST2_OP_BIT6 | (kind & 3) << ETNA_INST2_TYPE;
        w[3] |= (d[0] >> 11 & 0x7fff) << 7;
    } else {
        code = (w[0] >> ETNA_INST0_OP & 63) | (w[2] >> ETNA_INST2_OP_BIT6 & 1) << 6;
        kind = (w[1] >> ETNA_INST1_TYPE_BIT2 & 1) << 2 | (w[2] >> ETNA_INST2_TYPE & 3);
        d[0] = code | kind << 7 | (~w[1] >> ETNA_INST1_PMODE & 1) << 10 | (w[3] >> 7 & 0x7fff) << 11;
    }
    for (unsigned s = 0; s < 3; s++) {
        uint32_t *n = &w[place[s].word], *amode = &w[place[s].amode_word];
        const unsigned reg = place[s].reg,
                       rest = reg + 10; /* lowest bits of the register, of swizzle and signs */
        if ((w[place[s].group_word] >> place[s].group & 7) != ETNA_IMMEDIATE)
            continue;
        if (a->reading) {
            *n |= (d[1 + s] & 511) << reg | (d[1 + s] >> 9 & 1023) << rest;
            *amode |= (d[1 + s] >> 19 & 7) << place[s].amode;
        } else {
            d[1 + s] = (*n >> reg & 511) | (*n >> rest & 1023) << 9 | (*amode >> place[s].amode & 7) << 19;
        }
    }
}

/* Prints or reads the four letters of a swizzle. */
static bool swizzle(struct assembly *a, const char *field)
{
    uint32_t v = a->reading ? 0 : hwemit_assembly_get(a, field);
    for (unsigned c = 0; c < 4; c++)
        if (!hwemit_assembly_letter(a, &v, c))
            return false;
    return hwemit_assembly_set(a, field, v);
}

/* Prints or reads a write mask such as "._yz_"; nothing if all components are written. Also reads Mesa's
 * spelling
 * ".zy" of this mask. */
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
static const char *const helpers[] = {"{@=16}.skpHp", "{@=0}", NULL}; /* bit 7 where there is no lookup */
static const char *const rounding[] = {"{@=1}.rtz", "{@=2}.rtne", "{@=0}", NULL};
static const char *const halves[] = {"{SEL_BIT0=1}{SEL_BIT1=0}.t0", "{SEL_BIT0=0}{SEL_BIT1=1}.t1",
                                     "{SEL_BIT0=0}{SEL_BIT1=0}", NULL};
static const char *const address[] = {"{@=1}[a.x]", "{@=2}[a.y]", "{@=3}[a.z]", "{@=4}[a.w]", "{@=0}", NULL};
static const char *const result[] = {"{@=0}void", "{@=1}t{DST_REG}{DST_AMODE|address}{DST_MASK|mask}", NULL};
static const char *const group[] = {"{@=4}th", "{@=0}t", "{@=1}i", "{@=2}u", NULL};
static const char *const source[] = {
    "{@=0}void", "{@=1}{@_NEG:-}{@_ABS:|}{@_GROUP|group}{@_REG}{@_AMODE|address}.{@_SWIZ|swizzle}{@_ABS:|}",
    "{@=1}{@_GROUP=7}{@_VALUE|number}", NULL};

static const struct assembly_kind kinds[] = {
    {"suffix", suffix, NULL}, {"helpers", helpers, NULL}, {"rounding", rounding, NULL},
    {"halves", halves, NULL}, {"address", address, NULL}, {"result", result, NULL},
    {"group", group, NULL},   {"source", source, NULL},   {"swizzle", NULL, swizzle},
    {"mask", NULL, mask},     {"number", NULL, number},   {0}};

#define OP(code) (UINT64_C(1) << (code) % 64)
#define ALONE (OP(ETNA_NOP) | OP(ETNA_RET) | OP(ETNA_BARRIER))
#define JUMP (OP(ETNA_CALL) | OP(ETNA_BRANCH))
#define LOOKUP (OP(ETNA_TEXLD) | OP(ETNA_TEXLDB) | OP(ETNA_TEXLDD) | OP(ETNA_TEXLDL))
#define LOOKUP_HIGH (OP(ETNA_TEXLDLPCF) | OP(ETNA_TEXLDGPCF))
static const struct assembly_row rows[] = {
    {0,
     {~(ALONE | JUMP | LOOKUP), ~LOOKUP_HIGH},
     "{CODE*}{DST_FULL:.hp}{SAT:.sat}{COND|suffix}{TEX_SWIZ|helpers}{KIND|suffix}{PACK:.pack}{SEL_BIT0|"
     "halves}"
     "{ROUND|rounding} {DST|result}, {SRC0|source}, {SRC1|source}, {SRC2|source}"},
    {0,
     {LOOKUP, LOOKUP_HIGH},
     "{PACK=1}{CODE*} {DST|result}, tex{TEX_ID}.{TEX_SWIZ|swizzle}, {SRC0|source}, {SRC1|source}, "
     "{SRC2|source}"},
    {0,
     {JUMP, 0},
     "{PACK=1}{CODE*}{COND|suffix}{KIND|suffix} {DST|result}, {SRC0|source}, {SRC1|source}, {TARGET}"},
    {0, {ALONE, 0}, "{PACK=1}{CODE*} void, void, void, void"},
    {0}};

const struct hwemit_assembly hwemit_etnaviv_assembly = {4, '_', rows, kinds, derived, .derive = derive};
