/* The table of the PICA200's combiner registers, packing and unpacking of its command buffer, and
 * its assembly. */
#include "hwemit/assembly.h"
#include "hwemit/pica200/pica200.h"
#include "hwemit/targets.h"

#include <stddef.h>

static const char *const source_names[16] = {
    "PRIMARY",  "LIGHT_PRIMARY", "LIGHT_SECONDARY",        "TEXTURE0", "TEXTURE1",
    "TEXTURE2", "TEXTURE3",      [13] = "PREVIOUS_BUFFER", "CONSTANT", "PREVIOUS"};
static const char *const rgb_names[16] = {
    "COLOR",       "ONE_MINUS_COLOR",       "ALPHA",       "ONE_MINUS_ALPHA", "RED", "ONE_MINUS_RED",
    [8] = "GREEN", [9] = "ONE_MINUS_GREEN", [12] = "BLUE", "ONE_MINUS_BLUE"};
static const char *const alpha_names[8] = {"ALPHA", "ONE_MINUS_ALPHA", "RED",  "ONE_MINUS_RED",
                                           "GREEN", "ONE_MINUS_GREEN", "BLUE", "ONE_MINUS_BLUE"};
static const char *const op_names[16] = {"REPLACE",  "MODULATE", "ADD",       "ADD_SIGNED",   "INTERPOLATE",
                                         "SUBTRACT", "DOT3_RGB", "DOT3_RGBA", "MULTIPLY_ADD", "ADD_MULTIPLY"};
static const char *const scale_names[4] = {"1X", "2X", "4X", NULL};

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/pica200/pica200_registers.def"
    {0}};
#define CHIP(name) PICA200_ROW_##name
enum {
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/pica200/pica200_registers.def"
};

/* ---- packets (notes/facts/pica200.md 2): the first value, a header, further values, and a zero to make the
 * number of words even ---- */

enum { MASK = 16, FURTHER = 20, CONSECUTIVE = 31, MOST = 256 };

/* Returns the mask of bytes that a packet writes: for UPDATE_BUFFER only the byte that does not belong to
 * fog. */
static uint32_t mask_of(uint32_t address) { return address == PICA200_UPDATE_BUFFER ? 2 : 15; }

uint32_t hwemit_pica200_pack(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n)
{
    uint32_t out = 0;
    for (uint32_t i = 0, run; i < n; i += run) {
        const uint32_t mask = mask_of(word[i].address);
        for (run = 1; i + run < n && run < MOST && word[i + run].address == word[i].address + run &&
             mask_of(word[i + run].address) == mask;
             run++)
            ;
        const uint32_t header = word[i].address | mask << MASK | (run - 1) << FURTHER |
            (run > 1 ? UINT32_C(1) << CONSECUTIVE : 0);
        for (uint32_t k = 0; k < run + 1 + (run + 1) % 2; k++, out++)
            if (out < room)
                dword[out] = k == 0 ? word[i].value : k == 1 ? header : k <= run ? word[i + k - 1].value : 0;
    }
    return out;
}

static uint32_t unpack(const struct hwemit_word *stream, uint32_t n, struct hwemit_word *word,
                       uint32_t *nwords)
{
    const uint32_t header = n > 1 ? stream[1].value : 0, address = header & 0xffff,
                   run = (header >> FURTHER & 0xff) + 1, length = run + 1 + (run + 1) % 2;
    if (n < 2 || n < length || header >> 28 & 7 || (run > 1 && !(header >> CONSECUTIVE)) ||
        (length > run + 1 && stream[length - 1].value))
        return 0;
    for (uint32_t k = 0; k < run; k++) {
        word[k] = (struct hwemit_word){address + k, stream[k ? k + 1 : 0].value};
        if ((header >> MASK & 15) != mask_of(address + k))
            return 0;
    }
    *nwords = run;
    return length;
}

/* ---- assembly: a line is a stage, as in `stage1: rgb = 2x(texture0*(1-primary.alpha)); alpha = texture0;
 * constant = (255, 0, 0, 255)`; a white constant is omitted ---- */

#define BOTH(name, pipe, n, inv) \
    "{" pipe "_O@=" #n "}{" pipe "_S@}" name, "{" pipe "_O@=" #inv "}(1-{" pipe "_S@}" name ")"
#define OPS(pipe, arg) \
    "{2." pipe "=8}{0|" arg "}*{1|" arg "} + {2|" arg "}", "{2." pipe "=1}{0|" arg "}*{1|" arg "}", \
        "{2." pipe "=3}{0|" arg "} + {1|" arg "} - 0.5", "{2." pipe "=2}{0|" arg "} + {1|" arg "}", \
        "{2." pipe "=5}{0|" arg "} - {1|" arg "}", \
        "{2." pipe "=4}lerp({0|" arg "}, {1|" arg "}, {2|" arg "})", \
        "{2." pipe "=6}dot3({0|" arg "}, {1|" arg "})", "{2." pipe "=7}dot3_rgba({0|" arg "}, {1|" arg "})", \
        "{2." pipe "=9}add_multiply({0|" arg "}, {1|" arg "}, {2|" arg "})", "{2." pipe "=0}{0|" arg "}", \
        NULL
#define ANY(pipe, arg) "{2." pipe "}({0|" arg "}, {1|" arg "}, {2|" arg "})", NULL
#define LINE(rgb, alpha) \
    "stage{N}: rgb = {4.RGB|open}{0|" rgb "}{4.RGB|close}; alpha = {4.ALPHA|open}{0|" alpha \
    "}{4.ALPHA|close}{3.|constant}"

static const char *const rgb[] = {BOTH("{!.}", "RGB", 0, 1),    BOTH(".alpha", "RGB", 2, 3),
                                  BOTH(".red", "RGB", 4, 5),    BOTH(".green", "RGB", 8, 9),
                                  BOTH(".blue", "RGB", 12, 13), NULL};
static const char *const alpha[] = {BOTH("{!.}", "ALPHA", 0, 1), BOTH(".red", "ALPHA", 2, 3),
                                    BOTH(".green", "ALPHA", 4, 5), BOTH(".blue", "ALPHA", 6, 7), NULL};
static const char *const rgb_op[] = {OPS("RGB", "rgb")}, *const alpha_op[] = {OPS("ALPHA", "alpha")};
static const char *const rgb_any[] = {ANY("RGB", "rgb")}, *const alpha_any[] = {ANY("ALPHA", "alpha")};
static const char *const open[] = {"{@=1}2x(", "{@=2}4x(", "{@=0}", NULL};
static const char *const close[] = {"{@=1})", "{@=2})", "{@=0}", NULL};
static const char *const constant[] = {"{!;}{@R=255}{@G=255}{@B=255}{@A=255}",
                                       "; constant = ({@R}, {@G}, {@B}, {@A})", NULL};
static const struct assembly_kind kinds[] = {ASSEMBLY_KIND(rgb),      ASSEMBLY_KIND(alpha),
                                             ASSEMBLY_KIND(rgb_op),   ASSEMBLY_KIND(alpha_op),
                                             ASSEMBLY_KIND(rgb_any),  ASSEMBLY_KIND(alpha_any),
                                             ASSEMBLY_KIND(open),     ASSEMBLY_KIND(close),
                                             ASSEMBLY_KIND(constant), {0}};
static const char *const stages[8] = {"0", "1", "2", "3", NULL, NULL, "4", "5"}; /* by (address - 0xc0) / 8 */
static const struct hwemit_field derived[] = {{"N", 224, 3, stages}, {0}};
static const struct assembly_layout layout = {
    5, {PICA200_ROW_SOURCE, PICA200_ROW_OPERAND, PICA200_ROW_COMBINER, PICA200_ROW_COLOR, PICA200_ROW_SCALE}};
static const struct assembly_row lines[] = {
    {0, {0}, LINE("rgb_op", "alpha_op")},   /* the second one is used if */
    {0, {0}, LINE("rgb_any", "alpha_any")}, /* an unread argument is set */
    {0}};
static const struct hwemit_assembly assembly = {5, '_', lines, kinds, derived, .layout = &layout};

const struct hwemit_registers hwemit_pica200_registers = {
    .target = &hwemit_pica200, .row = rows, .unpack = unpack, .assembly = &assembly};
