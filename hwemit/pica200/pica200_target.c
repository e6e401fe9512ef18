/* The target pica200: the combiner of the Nintendo 3DS (notes/facts/pica200.md). It has six stages, each with
 * a colour and an alpha pipe and a constant of its own, and a buffer that holds one colour. hwemit/stages
 * covers a program with the stages. */
#include "hwemit/pica200/pica200.h"

#include <stddef.h>

enum { ADD_MULTIPLY_CLAMPS, UNDIVIDED };
static const struct hwemit_assumption assumptions[] = {
    {"add-multiply-clamps", "ADD_MULTIPLY is min(a+b,1)*c, not (a+b)*c, where a+b is above 1"},
    {"undivided", "q is 1 in texture coordinates that a program does not divide by it"},
    {NULL, NULL},
};
static const struct stages_feature features[] = {
    {.assumption = 1u << ADD_MULTIPLY_CLAMPS,
     .ops = STAGES_OP(ADD_CLAMPED_MODULATE),
     .name = "ADD_MULTIPLY of sums above 1"},
    {.name = NULL},
};

enum { FLAT = 1 << TEXENV_1D | 1 << TEXENV_2D }; /* 1D textures are used as 2D textures */
static const struct stages_chip chip = {
    .stages = PICA200_STAGES,
    .targets = {FLAT | 1 << TEXENV_CUBE, FLAT, FLAT},
    .own_units = true,
    .textures = PICA200_TEXTURES,
    .too_many = "more than 3 textures contribute",
    .ops = STAGES_COMMON_OPS | STAGES_OP(MODULATE_AND_ADD) | STAGES_OP(ADD_MODULATE),
    .feature = features,
    .unsettled = "whose result is not settled",
    .fit = "--assume add-multiply-clamps",
    .undivided = 1u << UNDIVIDED,
    .alpha_reads_color = true,
    .delayed = true,
    .dot4_scales = true,
    .shared = 2 * STAGES_SECOND,
    .emit = hwemit_pica200_emit,
};

const struct hwemit_target hwemit_pica200 = {.name = "pica200",
                                             .help = "Nintendo 3DS: registers of six combiner stages",
                                             .assumptions = assumptions,
                                             .scratch = STAGES_SCRATCH,
                                             .most_work = 36000,
                                             .chip = &chip,
                                             .compile = hwemit_stages_compile,
                                             .pack = hwemit_pica200_pack};
