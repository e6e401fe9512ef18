/* The table of the i830's packets, made from i830_registers.def, and the decoding of their words. */
#include "hwemit/i830/i830_registers.h"
#include "hwemit/targets.h"

static const char *const pipe_names[4] = {"COLOR", "ALPHA", "KILL", NULL};
static const char *const output_names[4] = {"CURRENT", "ACCUM", NULL, NULL};
static const char *const scale_names[4] = {"1X", "2X", "4X", NULL};
static const char *const op_names[16] = {NULL,
                                         "ARG1",
                                         "ARG2",
                                         "MODULATE",
                                         NULL,
                                         NULL,
                                         "ADD",
                                         "ADDSIGNED",
                                         "BLEND",
                                         "BLEND_AND_ADD",
                                         "SUBTRACT",
                                         "DOT3",
                                         "DOT4",
                                         "MODULATE_AND_ADD",
                                         "MODULATE_2X_AND_ADD",
                                         "MODULATE_4X_AND_ADD"};
static const char *const source_names[16] = {"ONE",    "FACTOR", "ACCUM",    "DIFFUSE", "SPECULAR", "CURRENT",
                                             "TEXEL0", "TEXEL1", "TEXEL2",   "TEXEL3",  NULL,       NULL,
                                             NULL,     NULL,     "FACTOR_N", NULL};
static const char *const bind_names[16] = {"KEEP",    "DEFAULT", NULL,      NULL,      NULL,      NULL,
                                           NULL,      NULL,      "VERTEX0", "VERTEX1", "VERTEX2", "VERTEX3",
                                           "VERTEX4", "VERTEX5", "VERTEX6", "VERTEX7"};

#define CHIP(name) I830_##name
#define AS_FIELDS
#include "hwemit/register_schema.def"
#include "hwemit/i830/i830_registers.def"

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/i830/i830_registers.def"
    {0}};
#undef CHIP
#define CHIP(name) ROW_##name
enum {
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/i830/i830_registers.def"
};
#undef CHIP

/* Returns the packet that begins with this word, or NULL. */
static const struct hwemit_register *packet(uint32_t value)
{
    for (const struct hwemit_register *r = rows; r->name; r++)
        if (r->fixed_mask && (value & r->fixed_mask) == r->fixed)
            return r;
    return NULL;
}

static const struct hwemit_register *payload_of(const struct hwemit_register *r)
{
    switch (r->fixed) {
    case I830_COLOR_FACTOR:
    case I830_COLOR_FACTOR_N: return &rows[ROW_ARGB];
    case I830_MAP_COORD_SETBIND: return &rows[ROW_SETBIND];
    default: return NULL;
    }
}

/* Returns the row of word i. A payload can look like the first word of a packet with a payload. In a run of
 * such words before word i every second one is a payload, so word i is a payload if the run has odd length.
 */
static const struct hwemit_register *classify(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    const struct hwemit_register *r = packet(word[i].value), *before = NULL;
    uint32_t run = 0;
    for (uint32_t k = i; k > 0; k--, run++) {
        const struct hwemit_register *p = packet(word[k - 1].value);
        if (!p || !payload_of(p))
            break;
        if (run == 0)
            before = p;
    }
    if (run % 2 == 1)
        return payload_of(before);
    return r && payload_of(r) && i + 1 == n ? NULL : r; /* a truncated packet */
}

const struct hwemit_registers hwemit_i830_registers = {
    .target = &hwemit_i830, .row = rows, .classify = classify};
