/* The register table of the R200, made from r200_registers.def, with names of field values, and its assembly.
 */
#include "hwemit/assembly.h"
#include "hwemit/r200/r200.h"
#include "hwemit/targets.h"

static const char *const r200_antialias[4] = {"NONE", "LINE", "POLY"};
static const char *const r200_formats[32] = {
    "I8", "AI88",     "RGB332",  "ARGB1555", "RGB565",    "ARGB4444", "ARGB8888", "RGBA8888",
    "Y8", "AVYU4444", "VYUY422", "YVYU422",  "DXT1",      NULL,       "DXT23",    "DXT45",
    NULL, NULL,       "DVDU88",  "LDVDU655", "LDVDU8888", "GR1616",   "ABGR8888", "BGR111110"};
static const char *const r200_sets[8] = {"STQ0", "STQ1", "STQ2", "STQ3", "STQ4", "STQ5"};
static const char *const r200_clamps_of_coordinates[8] = {
    "WRAP",     "MIRROR",         "CLAMP_LAST", "MIRROR_CLAMP_LAST", "CLAMP_BORDER", "MIRROR_CLAMP_BORDER",
    "CLAMP_GL", "MIRROR_CLAMP_GL"};
static const char *const r200_texcoords[8] = {"NONPROJ", "CUBIC_ENV", "VOLUME", "PROJ",
                                              "DEPTH",   "1D_PROJ",   "1D",     "ZERO"};
static const char *const r200_coord_regs[8] = {"NONE", NULL, "R0", "R1", "R2", "R3", "R4", "R5"};
/* Codes of sources. Even ones read the rgb of a source in a colour word and its alpha in an alpha word. Odd
 * ones read its alpha in a colour word and its blue in an alpha word. */
#define SOURCE(name, even, odd) #name "_" #even, #name "_" #odd
#define SOURCES(even, odd) \
    "ZERO", NULL, SOURCE(CURRENT, even, odd), SOURCE(DIFFUSE, even, odd), SOURCE(SPECULAR, even, odd), \
        SOURCE(TFACTOR, even, odd), SOURCE(R0, even, odd), SOURCE(R1, even, odd), SOURCE(R2, even, odd), \
        SOURCE(R3, even, odd), SOURCE(R4, even, odd), \
        SOURCE(R5, even, odd), [R200_SRC_TFACTOR1] = SOURCE(TFACTOR1, even, odd)
static const char *const r200_color_sources[32] = {SOURCES(COLOR, ALPHA)};
static const char *const r200_alpha_sources[32] = {SOURCES(ALPHA, BLUE)};
static const char *const r200_ops[8] = {"MADD", NULL, "CND0", "LERP", "DOT3", "DOT4", "CND", "DOT2_ADD"};
static const char *const r200_scales[8] = {"1X", "2X", "4X", "8X", NULL, "INV2", "INV4", "INV8"};
static const char *const r200_clamps[4] = {"WRAP", "0_1", "8_8"};
static const char *const r200_output_regs[8] = {"NONE", "R0", "R1", "R2", "R3", "R4", "R5"};
static const char *const r200_masks[8] = {"RGB", "RG", "RB", "R", "GB", "G", "B", "NONE"};
static const char *const r200_rotations[4] = {"RGB", "ARG", "GBA", "RGA"};
static const char *const r200_replications[4] = {"NORMAL", "RED", "GREEN", "BLUE"};

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/r200/r200_registers.def"
    {0}};
#define CHIP(name) R200_ROW_##name
enum {
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/r200/r200_registers.def"
};

/* ---- assembly: a line is half of a stage, as in `rgb1: r2.rg = sat(2x(r0.color*diffuse.color +
 * (r1.alpha-0.5)))` ---- */

#define ZEROS(x) "{ARG_" x "=0}{BIAS_" x "=0}{SCALE_" x "=0}{NEG_" x "=0}{REPL_ARG_" x "=0}"
#define ZERO(x) ZEROS(x) "{COMP_" x "=0}"
#define TWO "{A|arg}, {B|arg})"
#define THREE "{A|arg}, {B|arg}, {C|arg})"
#define REPLICATE "{REPL_ARG_@|part}"

static const char *const part[] = {"{@~0}.{@}", "{@=0}{!.}", NULL};
static const char *const source[] = {"{ARG_@~8}{ARG_@~9}{ARG_@~26}{ARG_@~27}{ARG_@}{![}" REPLICATE,
                                     "{ARG_@=8}{ARG_@}[{TFACTOR_SEL}]" REPLICATE,
                                     "{ARG_@=9}{ARG_@}[{TFACTOR_SEL}]" REPLICATE,
                                     "{ARG_@=26}{ARG_@}[{TFACTOR1_SEL}]" REPLICATE,
                                     "{ARG_@=27}{ARG_@}[{TFACTOR1_SEL}]" REPLICATE,
                                     NULL};
static const char *const arg[] = {"{NEG_@:-}1{ARG_@=0}{COMP_@=1}{BIAS_@=0}{SCALE_@=0}{REPL_ARG_@=0}",
                                  "{COMP_@=0}{BIAS_@=0}{SCALE_@=0}{NEG_@:-}{@|source}",
                                  "{NEG_@:-}{SCALE_@:2*}({COMP_@:1-}{@|source}{BIAS_@:-0.5})", NULL};
static const char *const op[] = {"{OP=3}lerp(" THREE,
                                 "{OP=2}cnd0(" THREE,
                                 "{OP=6}cnd(" THREE,
                                 "{OP=7}dot2_add(" THREE,
                                 "{OP=4}dot3(" TWO,
                                 "{OP=5}dot4(" TWO,
                                 "{OP=0}" ZERO("A") ZERO("B") "{C|arg}{!+}{!*}",
                                 "{OP=0}" ZEROS("B") "{COMP_B=1}{A|arg} + {C|arg}",
                                 "{OP=0}" ZERO("C") "{A|arg}*{B|arg}{!+}",
                                 "{OP=0}{A|arg}*{B|arg} + {C|arg}",
                                 NULL};
static const char *const scaled[] = {
    "{SCALE=1}2x({@|op})",      "{SCALE=2}4x({@|op})",     "{SCALE=3}8x({@|op})", "{SCALE=5}half({@|op})",
    "{SCALE=6}quarter({@|op})", "{SCALE=7}eighth({@|op})", "{SCALE=0}{@|op}",     NULL};
static const char *const value[] = {"{CLAMP=1}sat({@|scaled})", "{CLAMP=0}wrap({@|scaled})",
                                    "{CLAMP=2}{@|scaled}", NULL};
static const char *const rotation[] = {"{@~0}; rotate {@}", "{@=0}", NULL};
static const struct assembly_kind kinds[] = {
    ASSEMBLY_KIND(part),   ASSEMBLY_KIND(source), ASSEMBLY_KIND(arg),      ASSEMBLY_KIND(op),
    ASSEMBLY_KIND(scaled), ASSEMBLY_KIND(value),  ASSEMBLY_KIND(rotation), {0}};
static const struct hwemit_field derived[] = {{"N", 224, 4, NULL}, {0}};
enum { RGB, ALPHA };
static const struct assembly_layout layouts[] = {{2, {R200_ROW_TXCBLEND, R200_ROW_TXCBLEND2}},
                                                 {2, {R200_ROW_TXABLEND, R200_ROW_TXABLEND2}}};
static const struct assembly_row lines[] = {
    {RGB, {0}, "rgb{N}: {OUTPUT_REG}{OUTPUT_MASK|part} = {OP|value}{OUTPUT_ROTATE|rotation}"},
    {ALPHA, {0}, "alpha{N}: {OUTPUT_REG} = {OP|value}{DOT_ALPHA:; dot_alpha}"},
    {0}};
static const struct hwemit_assembly assembly = {2, '.', lines, kinds, derived, .layout = layouts};

const struct hwemit_registers hwemit_r200_registers = {
    .target = &hwemit_r200, .row = rows, .assembly = &assembly};
