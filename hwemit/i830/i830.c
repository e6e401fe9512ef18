/* The target i830: Intel's i830, 845, 85x, 865 (notes/facts/i830.md). It has four blend stages, each with a
 * colour and an alpha pipe; hwemit/stages covers a program with them. */
#include "hwemit/i830/i830.h"

#include <stddef.h>

enum { FULL, MAD, ACCUM, DOT4_HALF, DOT4_SCALE, UNDIVIDED };
static const struct hwemit_assumption assumptions[] = {
    {"full", "both of the next two"},
    {"modulate-and-add",
     "MODULATE_AND_ADD, known by name only, is a1*a2+a0, its 2X and 4X forms with the product twice and four "
     "times"},
    {"accum", "ACCUM is a second CURRENT, each pipe selecting its own output"},
    {"dot4-half",
     "the alpha term of DOT4 is 0 where both of its arguments are 0x80; used without --assume wherever a dot "
     "product goes to alpha"},
    {"dot4-scale",
     "the alpha of DOT4 takes the scale of the colour operation; used without --assume wherever a scaled dot "
     "product goes to alpha"},
    {"undivided", "q is 1 in texture coordinates that a program does not divide by it"},
    {NULL, NULL},
};

static const struct stages_feature features[] = {
    {.assumption = 1u << MAD, .ops = STAGES_MAD_OPS, .name = "MODULATE_AND_ADD"},
    {.assumption = 1u << ACCUM, .second = true, .name = "the accumulator"},
    {.name = NULL},
};

enum { TARGETS = 1 << TEXENV_1D | 1 << TEXENV_2D | 1 << TEXENV_RECT | 1 << TEXENV_CUBE };
static const struct stages_chip chip = {
    .stages = I830_STAGES,
    .targets = {TARGETS, TARGETS, TARGETS, TARGETS, TARGETS, TARGETS, TARGETS, TARGETS},
    .textures = I830_TEXTURE_SLOTS,
    .too_many = "more than 4 textures contribute",
    .ops = STAGES_COMMON_OPS,
    .feature = features,
    .full = 1u << FULL,
    .unsettled = "known by name only",
    .fit = "--i830 full",
    .dot4 = 1u << DOT4_HALF,
    .scaled_dot4 = 1u << DOT4_SCALE,
    .undivided = 1u << UNDIVIDED,
    .secondary = true,
    .one = true,
    .half = true,
    .shared = 2 * STAGES_SHARED,
    .emit = hwemit_i830_emit,
};

const struct hwemit_target hwemit_i830 = {.name = "i830",
                                          .help = "Intel i830 to 865: packets of four blend stages",
                                          .assumptions = assumptions,
                                          .scratch = STAGES_SCRATCH,
                                          .most_work = 34000,
                                          .chip = &chip,
                                          .compile = hwemit_stages_compile};
