/* The table of the PICA200's combiner registers, and packing and unpacking of its command buffer. */
#include "hwemit/pica200/pica200.h"
#include "hwemit/targets.h"

#include <stddef.h>

static const char *const source_names[16] = {"PRIMARY",
                                             "LIGHT_PRIMARY",
                                             "LIGHT_SECONDARY",
                                             "TEXTURE0",
                                             "TEXTURE1",
                                             "TEXTURE2",
                                             "TEXTURE3",
                                             [PICA200_S_BUFFER] = "PREVIOUS_BUFFER",
                                             [PICA200_S_CONSTANT] = "CONSTANT",
                                             [PICA200_S_PREVIOUS] = "PREVIOUS"};
static const char *const rgb_names[16] = {
    "COLOR",       "ONE_MINUS_COLOR",       "ALPHA",       "ONE_MINUS_ALPHA", "RED", "ONE_MINUS_RED",
    [8] = "GREEN", [9] = "ONE_MINUS_GREEN", [12] = "BLUE", "ONE_MINUS_BLUE"};
static const char *const alpha_names[8] = {"ALPHA", "ONE_MINUS_ALPHA", "RED",  "ONE_MINUS_RED",
                                           "GREEN", "ONE_MINUS_GREEN", "BLUE", "ONE_MINUS_BLUE"};
static const char *const op_names[16] = {"REPLACE",  "MODULATE", "ADD",       "ADD_SIGNED",   "INTERPOLATE",
                                         "SUBTRACT", "DOT3_RGB", "DOT3_RGBA", "MULTIPLY_ADD", "ADD_MULTIPLY"};
static const char *const scale_names[4] = {"1X", "2X", "4X", NULL};

#define CHIP(name) PICA200_##name
#define AS_FIELDS
#include "hwemit/register_schema.def"
#include "hwemit/pica200/pica200_registers.def"

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/pica200/pica200_registers.def"
    {0}};
#undef CHIP

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

const struct hwemit_registers hwemit_pica200_registers = {
    .target = &hwemit_pica200, .row = rows, .unpack = unpack};
