/* Assembly of fragment programs of r500. An ALU instruction shows for each half which registers its three
 * sources are, and what it computes from them:
 *
 *     RGB [t1, c0, 0]: MAD_SAT t2.xyz, src0.rgb, -src1.aaa, srcp.111; A [t1, 0, 0; 1-src0]: nop; out
 *
 * Operands at the end that read 0 are left out. srcp is the presubtracted source, 1-2*src0 unless the half
 * names another. A number among the sources is an inline constant. Facts: notes/facts/r300.md 1.2, 2, 4. */
#include "hwemit/assembly.h"
#include "hwemit/r300/r300_registers.h"
#include "hwemit/r300/r300_target.h"

#include <string.h>

enum { ALU, LOOKUP };
static const struct assembly_layout layouts[] = {
    {6,
     {ROW500_US_CMN_INST, ROW500_US_ALU_RGB_ADDR, ROW500_US_ALU_ALPHA_ADDR, ROW500_US_ALU_RGB_INST,
      ROW500_US_ALU_ALPHA_INST, ROW500_US_ALU_RGBA_INST}},
    {6,
     {ROW500_US_CMN_INST, ROW500_US_TEX_INST, ROW500_US_TEX_ADDR, ROW500_US_TEX_ADDR_DXDY, ROW500_US_UNUSED,
      ROW500_US_UNUSED}}};

/* Returns the value of an inline constant, or -1 for denormal ones, whose value is not known. */
static float inline_constant(unsigned code)
{
    const int exponent = (int)(code >> 3 & 15) - 10;
    float x = (float)(8 + (code & 7));
    for (int e = exponent; e < 0; e++)
        x /= 2;
    for (int e = 0; e < exponent; e++)
        x *= 2;
    return code & 0x78 ? x : code & 7 ? -1 : 0;
}

/* Prints or reads the register of a field SRC0, SRC1 or SRC2, and the flag CONST that belongs to it. */
static bool reg(struct assembly *a, const char *field)
{
    enum { INLINE = 128 };
    const char flag[] = {field[0], '.', 'C', 'O', 'N', 'S', 'T', field[5], '\0'};
    const char first = a->reading && a->p < a->end ? *a->p : '\0';
    uint32_t n = hwemit_assembly_get(a, field), bits = 0;
    float x = inline_constant(n);
    bool is_const = hwemit_assembly_get(a, flag);
    if (!a->reading) {
        if (is_const || n < INLINE)
            texenv_printf(&a->text, "%c%u", is_const ? 'c' : 't', (unsigned)n);
        else
            texenv_printf(&a->text, "%f", (double)x);
        return is_const || n < INLINE || x >= 0;
    }
    is_const = first == 'c';
    a->p += is_const || first == 't';
    if (is_const || first == 't')
        return hwemit_assembly_integer(a, &n, is_const ? 8 : 7, false) &&
            hwemit_assembly_set(a, flag, is_const) && hwemit_assembly_set(a, field, n);
    const char *const at = a->p;
    if (!hwemit_assembly_real(a, &bits, 32))
        return false;
    memcpy(&x, &bits, sizeof x);
    for (n = INLINE; n < 2 * INLINE && inline_constant(n) != x; n++)
        ;
    return n == 2 * INLINE ? hwemit_assembly_fail(a, at, "this number is no inline constant")
                           : hwemit_assembly_set(a, flag, 0) && hwemit_assembly_set(a, field, n);
}

#define SOURCES(w) " [{" #w ".SRC0|reg}, {" #w ".SRC1|reg}, {" #w ".SRC2|reg}{" #w ".PRE|pre}]: "
static const char *const pre[] = {"{@=1}; src1-src0", "{@=2}; src1+src0", "{@=3}; 1-src0", "{@=0}", NULL};
static const char *const times[] = {".{@}", "{@=0}", NULL};

/* operands */
#define SIGNED(kind) \
    { \
        "-|{@|" kind "}|{@_MOD=3}", "|{@|" kind "}|{@_MOD=2}", "-{@|" kind "}{@_MOD=1}", \
            "{@|" kind "}{@_MOD=0}", NULL \
    }
#define NO_RGB "{@=0}{@_R=4}{@_G=4}{@_B=4}{@_MOD=0}"
#define NO_ALPHA "{@=0}{@_SWZ=4}{@_MOD=0}"
static const char *const lane[] = {"{@=0}r", "{@=5}h", "{@=7}_", "{@}", NULL};
static const char *const source[] = {"{@=0}src0", "{@}", NULL};
static const char *const three[] = {"{@|source}.{@_R|lane}{@_G|lane}{@_B|lane}", NULL};
static const char *const one[] = {"{@|source}.{@_SWZ|lane}", NULL};
static const char *const rgb[] = SIGNED("three");
static const char *const number[] = SIGNED("one");
static const char *const rgb_2[] = {"{!,}" NO_RGB "{5.RGB_C=0}{5.RGB_C_R=4}{5.RGB_C_G=4}{5.RGB_C_B=4}",
                                    ", {@|rgb}", NULL};
static const char *const rgb_3[] = {"{!,}" NO_RGB, ", {@|rgb}", NULL};
static const char *const number_2[] = {"{!,}" NO_ALPHA "{5.ALPHA_C=0}{5.ALPHA_C_SWZ=4}{5.ALPHA_C_MOD=0}",
                                       ", {@|number}", NULL};
static const char *const number_3[] = {"{!,}" NO_ALPHA, ", {@|number}", NULL};

/* destinations; the longest is the first that is tried when a line is read */
static const char *const colour[] = {"t{5.DST}.{0.RGB_WMASK}+out{3.TARGET}.{0.RGB_OMASK}",
                                     "{0.RGB_OMASK=0}{3.TARGET=0}t{5.DST}.{0.RGB_WMASK}",
                                     "{0.RGB_WMASK=0}{5.DST=0}out{3.TARGET}.{0.RGB_OMASK}",
                                     "{0.RGB_WMASK=0}{0.RGB_OMASK=0}{5.DST=0}{3.TARGET=0}none", NULL};
static const char *const alpha[] = {"{0.ALPHA_WMASK=1}{4.DEPTH=0}{0.ALPHA_OMASK=1}t{4.DST}.w+out{4.TARGET}.w",
                                    "{0.ALPHA_OMASK=0}{4.TARGET=0}{4.DEPTH=0}{0.ALPHA_WMASK=1}t{4.DST}.w",
                                    "{0.ALPHA_WMASK=0}{4.DST=0}{4.DEPTH=0}{0.ALPHA_OMASK=1}out{4.TARGET}.w",
                                    "{0.ALPHA_WMASK=0}{4.DST=0}{0.ALPHA_OMASK=0}{4.TARGET=0}{4.DEPTH=1}depth",
                                    "{0.ALPHA_WMASK=0}{0.ALPHA_OMASK=0}{4.DST=0}{4.TARGET=0}{4.DEPTH=0}none",
                                    NULL};
static const char *const texel[] = {"{0.ALPHA_WMASK=0}{0.RGB_WMASK=0}none", "{0.RGB_WMASK}{0.ALPHA_WMASK:w}",
                                    "{0.RGB_WMASK=0}w{0.ALPHA_WMASK=1}", NULL};

/* halves of an instruction */
#define RGB "{0.RGB_CLAMP:_SAT}{3.OMOD|times} {|colour}, {3.A|rgb}{3.B|rgb_2}{5.RGB_C|rgb_3}"
#define ALPHA "{0.ALPHA_CLAMP:_SAT}{4.OMOD|times} {|alpha}, {4.A|number}{4.B|number_2}{5.ALPHA_C|number_3}"
#define NO_RGB_RESULT "{0.RGB_CLAMP=0}{3.OMOD=0}{0.RGB_WMASK=0}{0.RGB_OMASK=0}{5.DST=0}{3.TARGET=0}{5.OP=0}"
#define NO_ALPHA_RESULT \
    "{0.ALPHA_CLAMP=0}{4.OMOD=0}{0.ALPHA_WMASK=0}{0.ALPHA_OMASK=0}{4.DST=0}{4.TARGET=0}{4.DEPTH=0}{4.OP=0}"
static const char *const rgb_half[] = {NO_RGB_RESULT
                                       "{3.A=0}{3.A_R=4}{3.A_G=4}{3.A_B=4}{3.B=0}{3.B_R=4}{3.B_G=4}{3.B_B=4}"
                                       "{5.RGB_C=0}{5.RGB_C_R=4}{5.RGB_C_G=4}{5.RGB_C_B=4}nop",
                                       "{5.OP=0}MAD" RGB, "{5.OP}" RGB, NULL};
static const char *const alpha_half[] = {
    NO_ALPHA_RESULT "{4.A=0}{4.A_SWZ=4}{4.B=0}{4.B_SWZ=4}{5.ALPHA_C=0}{5.ALPHA_C_SWZ=4}nop",
    "{4.OP=0}MAD" ALPHA, "{4.OP}" ALPHA, NULL};

static const struct assembly_kind kinds[] = {{"reg", NULL, reg},
                                             ASSEMBLY_KIND(pre),
                                             ASSEMBLY_KIND(times),
                                             ASSEMBLY_KIND(lane),
                                             ASSEMBLY_KIND(source),
                                             ASSEMBLY_KIND(three),
                                             ASSEMBLY_KIND(one),
                                             ASSEMBLY_KIND(rgb),
                                             ASSEMBLY_KIND(number),
                                             ASSEMBLY_KIND(rgb_2),
                                             ASSEMBLY_KIND(rgb_3),
                                             ASSEMBLY_KIND(number_2),
                                             ASSEMBLY_KIND(number_3),
                                             ASSEMBLY_KIND(colour),
                                             ASSEMBLY_KIND(alpha),
                                             ASSEMBLY_KIND(texel),
                                             ASSEMBLY_KIND(rgb_half),
                                             ASSEMBLY_KIND(alpha_half),
                                             {0}};
#define WAITS "{0.TEX_SEM_WAIT:; texwait}{0.ALU_WAIT:; aluwait}{0.LAST:; last}"
static const struct assembly_row rows[] = {
    {ALU, {0}, "RGB" SOURCES(1) "{|rgb_half}; A" SOURCES(2) "{|alpha_half}{0.TYPE:; out}{0.NOP:; nop}" WAITS},
    {LOOKUP,
     {0},
     "{0.TYPE=3}{1.OP}{1.UNSCALED:.unscaled} t{2.DST}.{|texel}, tex{1.TEXTURE}.{2.DST_R|lane}{2.DST_G|lane}"
     "{2.DST_B|lane}{2.DST_A|lane}, t{2.SRC}.{2.S|lane}{2.T|lane}{2.R|lane}{2.Q|lane}"
     "{1.SEM_ACQUIRE:; acquire}{1.IGNORE_UNCOVERED:; uncovered}" WAITS},
    {0}};

const struct hwemit_assembly hwemit_r500_assembly = {.stroke = '_',
                                                     .row = rows,
                                                     .kind = kinds,
                                                     .layout = layouts,
                                                     .capitals = true,
                                                     .next = &hwemit_pvs_assembly};
