/* The table of the i830's packets, made from i830_registers.def, the decoding of their words, and the
 * assembly. */
#include "hwemit/assembly.h"
#include "hwemit/i830/i830.h"
#include "hwemit/words.h"

static const char *const pipe_names[4] = {"COLOR", "ALPHA", "KILL", NULL};
static const char *const output_names[4] = {"CURRENT", "ACCUM", NULL, NULL};
static const char *const scale_names[4] = {"1X", "2X", "4X", NULL};
static const char *const op_names[16] = {
    [1] = "ARG1",         "ARG2",     "MODULATE", [6] = "ADD", "ADDSIGNED",        "BLEND",
    "BLEND_AND_ADD",      "SUBTRACT", "DOT3",     "DOT4",      "MODULATE_AND_ADD", "MODULATE_2X_AND_ADD",
    "MODULATE_4X_AND_ADD"};
static const char *const source_names[16] = {"ONE",      "FACTOR",  "ACCUM",          "DIFFUSE",
                                             "SPECULAR", "CURRENT", "TEXEL0",         "TEXEL1",
                                             "TEXEL2",   "TEXEL3",  [14] = "FACTOR_N"};
static const char *const bind_names[16] = {"KEEP",    "DEFAULT", [8] = "VERTEX0", "VERTEX1", "VERTEX2",
                                           "VERTEX3", "VERTEX4", "VERTEX5",       "VERTEX6", "VERTEX7"};

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/i830/i830_registers.def"
    {0}};
#define CHIP(name) ROW_##name
enum {
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/i830/i830_registers.def"
};

static const struct hwemit_register *payload_of(const struct hwemit_register *r)
{
    switch (r->fixed) {
    case I830_COLOR_FACTOR:
    case I830_COLOR_FACTOR_N: return &rows[ROW_ARGB];
    case I830_MAP_COORD_SETBIND: return &rows[ROW_SETBIND];
    default: return NULL;
    }
}

/* Returns the row of word i. A payload word can look like the first word of a packet with a payload. In a run
 * of such words directly before word i, every second one is a payload, so word i is one if the run's length
 * is odd.
 */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    const struct hwemit_register *r = hwemit_find_register(rows, &word[i]), *before = NULL;
    uint32_t run = 0;
    for (uint32_t k = i; k > 0; k--, run++) {
        const struct hwemit_register *p = hwemit_find_register(rows, &word[k - 1]);
        if (!p || !payload_of(p))
            break;
        if (run == 0)
            before = p;
    }
    if (run % 2 == 1)
        return payload_of(before);
    return r && payload_of(r) && i + 1 == n ? NULL : r; /* NULL: a truncated packet */
}

/* ---- assembly: a line is a stage, as in `stage1: current.rgb = 2x(texel0*(1-diffuse.alpha)); current.alpha
 * = texel0`. Its words are both operations, arguments of colour, arguments of alpha, in the order of the line
 * ---- */

#define ARG(pipe, n) "{>}{ARG=" #n "}{PIPE=" #pipe "}{|arg}"
#define OPS(pipe) \
    "{" #pipe ".OP=13}" ARG(pipe, 1) "*" ARG(pipe, 2) " + " ARG(pipe, 0), \
        "{" #pipe ".OP=3}" ARG(pipe, 1) "*" ARG(pipe, 2), \
        "{" #pipe ".OP=7}" ARG(pipe, 1) " + " ARG(pipe, 2) " - 0.5", \
        "{" #pipe ".OP=6}" ARG(pipe, 1) " + " ARG(pipe, 2), \
        "{" #pipe ".OP=10}" ARG(pipe, 1) " - " ARG(pipe, 2), \
        "{" #pipe ".OP=8}lerp(" ARG(pipe, 1) ", " ARG(pipe, 2) ", " ARG(pipe, 0) ")", \
        "{" #pipe ".OP=11}dot3(" ARG(pipe, 1) ", " ARG(pipe, 2) ")", \
        "{" #pipe ".OP=12}dot4(" ARG(pipe, 1) ", " ARG(pipe, 2) ")", "{" #pipe ".OP=1}" ARG(pipe, 1), NULL
#define LINE \
    "stage{0.STAGE}: {>}" \
    "{0.OUTPUT_VALID=1}{0.CONTROL_VALID=1}{0.MODIFY=1}{1.PIPE=1}{1.OUTPUT_VALID=1}{1.MODIFY=1}" \
    "{0.OUTPUT}.rgb = {0.SCALE|open}{|rgb}{0.SCALE|close}; " \
    "{1.OUTPUT}.alpha = {1.SCALE|open}{|alpha}{1.SCALE|close}{0.LAST_STAGE:; last}"

static const char *const arg[] = {"{MODIFY=1}{INVERT=0}{SOURCE}{REPLICATE_ALPHA:.alpha}",
                                  "{MODIFY=1}{INVERT=1}(1-{SOURCE}{REPLICATE_ALPHA:.alpha})", NULL};
static const char *const open[] = {"{@=1}2x(", "{@=2}4x(", "{@=0}", NULL};
static const char *const close[] = {"{@=0}", "{@=1})", "{@=2})", NULL};
static const char *const rgb[] = {OPS(0)}, *const alpha[] = {OPS(1)};
static const struct assembly_kind kinds[] = {ASSEMBLY_KIND(arg), ASSEMBLY_KIND(open),  ASSEMBLY_KIND(close),
                                             ASSEMBLY_KIND(rgb), ASSEMBLY_KIND(alpha), {0}};
enum { OP = ROW_MAP_BLEND_OP, A = ROW_MAP_BLEND_ARG };
static const struct assembly_layout layouts[] = {/* for 2 to 6 arguments of both pipes */
                                                 {4, {OP, OP, A, A}},
                                                 {5, {OP, OP, A, A, A}},
                                                 {6, {OP, OP, A, A, A, A}},
                                                 {7, {OP, OP, A, A, A, A, A}},
                                                 {8, {OP, OP, A, A, A, A, A, A}}};
/* the fewest words first: a line with more arguments than words does not match */
static const struct assembly_row lines[] = {{0, {0}, LINE}, {1, {0}, LINE}, {2, {0}, LINE},
                                            {3, {0}, LINE}, {4, {0}, LINE}, {0}};

/* When a line is read, writes the number of the stage to all words. */
static void derive(struct assembly *a)
{
    for (unsigned w = 1; a->reading && w < a->table->layout[a->row->first].words; w++)
        a->word[w] |= a->word[0] & 3u << I830_MAP_BLEND_OP_STAGE;
}

static const struct hwemit_assembly assembly = {
    .stroke = '_', .row = lines, .kind = kinds, .derive = derive, .layout = layouts};

const struct hwemit_registers hwemit_i830_registers = {
    .target = &hwemit_i830, .row = rows, .classify = classify, .assembly = &assembly};
