/* Assembly of fragment programs of r300 and r400, in the notation of r500_assembly.c. A line begins with the
 * number of the instruction, as in "ALU3: RGB [...", or "ALU3 EXT: RGB [..." if there is the word of r400
 * that extends the numbers of registers. Facts: notes/facts/r300.md 2, 3. */
#include "hwemit/assembly.h"
#include "hwemit/r300/r300_registers.h"
#include "hwemit/r300/r300_target.h"

enum { ALU, LOOKUP };
static const struct assembly_layout layouts[] = {
    {4, {ROW_US_ALU_RGB_INST, ROW_US_ALU_RGB_ADDR, ROW_US_ALU_ALPHA_INST, ROW_US_ALU_ALPHA_ADDR}},
    {1, {ROW_US_TEX_INST}}};
static const struct assembly_layout ext_layouts[] = {
    {5,
     {ROW_US_ALU_RGB_INST, ROW_US_ALU_RGB_ADDR, ROW_US_ALU_ALPHA_INST, ROW_US_ALU_ALPHA_ADDR,
      ROW_US_ALU_EXT_ADDR}}};

/* Prints or reads the register of a field SRC0, SRC1 or SRC2, and the flag CONST that belongs to it, or that
 * of the field DST. Word 4, if there is one, has a further bit of the number. */
static bool r300_register(struct assembly *a, const char *field)
{
    const bool source = field[2] == 'S', ext = a->table->layout == ext_layouts;
    const char flag[] = {field[0], '.', 'C', 'O', 'N', 'S', 'T', field[5], '\0'};
    char high[16];
    struct texenv_text name;
    texenv_text_init(&name, high, sizeof high);
    texenv_printf(&name, "4.%s%s", field[0] == '1' ? "RGB_" : "ALPHA_", field + 2);
    uint32_t n = hwemit_assembly_get(a, field) | hwemit_assembly_get(a, high) << 5;
    if (!a->reading) {
        texenv_printf(&a->text, "%c%u", source && hwemit_assembly_get(a, flag) ? 'c' : 't', (unsigned)n);
        return true;
    }
    const bool named = source && a->p < a->end && *a->p == 'c';
    return hwemit_assembly_text(a, named ? "c" : "t") && hwemit_assembly_integer(a, &n, ext ? 6 : 5, false) &&
        hwemit_assembly_set(a, field, n & 31) && (!source || hwemit_assembly_set(a, flag, named)) &&
        (!ext || hwemit_assembly_set(a, high, n >> 5));
}

#define SOURCES(w, p) " [{" #w ".SRC0|reg}, {" #w ".SRC1|reg}, {" #w ".SRC2|reg}{" #p ".PRE|pre}]: "
#define SIGNED(kind) \
    "-|{@|" kind "}|{@_MOD=3}", "|{@|" kind "}|{@_MOD=2}", "-{@|" kind "}{@_MOD=1}", "{@|" kind "}{@_MOD=0}"
static const char *const pre[] = {"{@=1}; src1-src0", "{@=2}; src1+src0", "{@=3}; 1-src0", "{@=0}", NULL};
static const char *const times[] = {".{@}", "{@=0}", NULL};

#define IDLE "{0.OMOD=0}{0.CLAMP=0}{1.WRITE=0}{1.OUT=0}{1.DST=0}{1.TARGET=0}{0.OP=0}"
#define IDLE_ALPHA "{2.OMOD=0}{2.CLAMP=0}{3.WRITE=0}{3.OUT=0}{3.DST=0}{3.TARGET=0}{3.DEPTH=0}{2.OP=0}"
#define RGB "{0.CLAMP:_SAT}{0.OMOD|times} {|colour}, {0.A|rgb}{0.B|second}{0.C|third}"
#define ALPHA "{2.CLAMP:_SAT}{2.OMOD|times} {|alpha}, {2.A|rgb}{2.B|other}{2.C|last}"
static const char *const value[] = {"{@}", NULL};
static const char *const rgb[] = {SIGNED("value"), NULL};
static const char *const second[] = {"{!,}{@=20}{@_MOD=0}{0.C=20}{0.C_MOD=0}", ", {@|rgb}", NULL};
static const char *const third[] = {"{!,}{@=20}{@_MOD=0}", ", {@|rgb}", NULL};
static const char *const other[] = {"{!,}{@=16}{@_MOD=0}{2.C=16}{2.C_MOD=0}", ", {@|rgb}", NULL};
static const char *const last[] = {"{!,}{@=16}{@_MOD=0}", ", {@|rgb}", NULL};
/* the longest destination is the first that is tried when a line is read */
static const char *const colour[] = {
    "{1.DST|reg}.{1.WRITE}+out{1.TARGET}.{1.OUT}", "{1.OUT=0}{1.TARGET=0}{1.DST|reg}.{1.WRITE}",
    "{1.WRITE=0}{1.DST=0}out{1.TARGET}.{1.OUT}", "{1.WRITE=0}{1.OUT=0}{1.DST=0}{1.TARGET=0}none", NULL};
static const char *const alpha[] = {"{3.WRITE=1}{3.DEPTH=0}{3.OUT=1}{3.DST|reg}.w+out{3.TARGET}.w",
                                    "{3.OUT=0}{3.TARGET=0}{3.DEPTH=0}{3.WRITE=1}{3.DST|reg}.w",
                                    "{3.WRITE=0}{3.DST=0}{3.DEPTH=0}{3.OUT=1}out{3.TARGET}.w",
                                    "{3.WRITE=0}{3.DST=0}{3.OUT=0}{3.TARGET=0}{3.DEPTH=1}depth",
                                    "{3.WRITE=0}{3.OUT=0}{3.DST=0}{3.TARGET=0}{3.DEPTH=0}none",
                                    NULL};
static const char *const colours[] = {IDLE "{0.A=20}{0.B=20}{0.C=20}nop", "{0.OP=0}MAD" RGB, "{0.OP}" RGB,
                                      NULL};
static const char *const alphas[] = {IDLE_ALPHA "{2.A=16}{2.B=16}{2.C=16}nop", "{2.OP=0}MAD" ALPHA,
                                     "{2.OP}" ALPHA, NULL};
static const struct assembly_kind r300_kinds[] = {{"reg", NULL, r300_register}, ASSEMBLY_KIND(pre),
                                                  ASSEMBLY_KIND(times),         ASSEMBLY_KIND(value),
                                                  ASSEMBLY_KIND(rgb),           ASSEMBLY_KIND(second),
                                                  ASSEMBLY_KIND(third),         ASSEMBLY_KIND(other),
                                                  ASSEMBLY_KIND(last),          ASSEMBLY_KIND(colour),
                                                  ASSEMBLY_KIND(alpha),         ASSEMBLY_KIND(colours),
                                                  ASSEMBLY_KIND(alphas),        {0}};
#define HALVES ": RGB" SOURCES(1, 0) "{|colours}; A" SOURCES(3, 2) "{|alphas}{0.NOP:; nop}"
static const struct hwemit_field number[] = {{"N", 224, 6, NULL}, {0}};
static const struct assembly_row r300_rows[] = {
    {ALU, {0}, "ALU{N}" HALVES}, {LOOKUP, {0}, "TEX{N}: {OP} t{DST}, tex{TEXTURE}, t{SRC}"}, {0}};
static const struct assembly_row r400_rows[] = {
    {ALU, {0}, "ALU{N}" HALVES},
    {LOOKUP, {0}, "TEX{N}: {OP} t{DST}{DST_EXT:+32}, tex{TEXTURE}, t{SRC}{SRC_EXT:+32}"},
    {0}};
static const struct assembly_row ext_rows[] = {{ALU, {0}, "ALU{N} EXT" HALVES}, {0}};
#define R300_TABLE(rows_, layout_, next_) \
    { \
        .stroke = '.', .row = rows_, .kind = r300_kinds, .derived = number, .layout = layout_, \
        .capitals = true, .apart = true, .next = next_ \
    }
const struct hwemit_assembly hwemit_r300_assembly = R300_TABLE(r300_rows, layouts, &hwemit_pvs_assembly);
static const struct hwemit_assembly r400_assembly = R300_TABLE(r400_rows, layouts, &hwemit_pvs_assembly);
const struct hwemit_assembly hwemit_r400_assembly = R300_TABLE(ext_rows, ext_layouts, &r400_assembly);
