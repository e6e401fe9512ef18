/* The table of the NV2A's methods, made from nv2a_registers.def, and packing and unpacking of its command
 * stream. */
#include "hwemit/nv2a/nv2a.h"

#include <stddef.h>

static const char *const register_names[16] = {"0",  "C0", "C1",         "FOG",      "V0", "V1",
                                               NULL, NULL, "T0",         "T1",       "T2", "T3",
                                               "R0", "R1", "V1_PLUS_R0", "E_TIMES_F"};
static const char *const mapping_names[8] = {"UNSIGNED_IDENTITY", "UNSIGNED_INVERT",  "EXPAND_NORMAL",
                                             "EXPAND_NEGATE",     "HALF_BIAS_NORMAL", "HALF_BIAS_NEGATE",
                                             "SIGNED_IDENTITY",   "SIGNED_NEGATE"};
static const char *const op_names[8] = {"X1", "BIAS", "X2", "X2_BIAS", "X4", NULL, "HALF", NULL};
static const char *const mode_names[32] = {"NONE", "2D_PROJECTIVE", "3D_PROJECTIVE", "CUBE_MAP"};

static const struct hwemit_register rows[] = {
#define AS_ROWS
#include "hwemit/register_schema.def"
#include "hwemit/nv2a/nv2a_registers.def"
    {0}};

/* ---- packets: a header and the values of consecutive methods (Linux, nvif/push006c.h). The header has the
 * number of values in bits 28:18, the subchannel in 15:13, the first method in 12:2; other bits are 0 ---- */

enum { COUNT = 18, MOST = 0x7ff, METHODS = 0x1ffc };

uint32_t hwemit_nv2a_pack(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n)
{
    uint32_t out = 0;
    for (uint32_t i = 0, run; i < n; i += run) {
        for (run = 1; i + run < n && run < MOST && word[i + run].address == word[i].address + 4 * run; run++)
            ;
        for (uint32_t k = 0; k <= run; k++, out++)
            if (out < room)
                dword[out] = k ? word[i + k - 1].value : run << COUNT | word[i].address;
    }
    return out;
}

static uint32_t unpack(const struct hwemit_word *stream, uint32_t n, struct hwemit_word *word,
                       uint32_t *nwords)
{
    const uint32_t header = n ? stream[0].value : 0, run = header >> COUNT;
    if (run == 0 || run > HWEMIT_PACKET || run >= n || header & ~(MOST << COUNT | METHODS))
        return 0;
    for (uint32_t k = 0; k < run; k++)
        word[k] = (struct hwemit_word){(header & METHODS) + 4 * k, stream[k + 1].value};
    *nwords = run;
    return run + 1;
}

const struct hwemit_registers hwemit_nv2a_registers = {.target = &hwemit_nv2a,
                                                       .row = rows,
                                                       .unpack = unpack,
                                                       .language = "!!RC1.0",
                                                       .print = hwemit_nv2a_print,
                                                       .read = hwemit_nv2a_read};
