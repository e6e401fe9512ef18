/* The target nv2a: the register combiners of the Xbox (notes/facts/nv2a.md). It has up to eight general
 * stages, whose colour and alpha halves add two products, and a final combiner. hwemit/stages covers a
 * program with them. */
#include "hwemit/nv2a/nv2a.h"

#include <stddef.h>

enum { UNDIVIDED };
static const struct hwemit_assumption assumptions[] = {
    {"undivided", "q is 1 in texture coordinates that a program does not divide by it"},
    {NULL, NULL},
};

enum { TARGETS = 1 << TEXENV_1D | 1 << TEXENV_2D | 1 << TEXENV_RECT | 1 << TEXENV_3D | 1 << TEXENV_CUBE };
static const struct stages_chip chip = {
    .stages = RC_STAGES,
    .targets = {TARGETS, TARGETS, TARGETS, TARGETS, TARGETS, TARGETS, TARGETS, TARGETS},
    .textures = RC_TEXTURES,
    .too_many = "more than 4 textures contribute",
    .ops = STAGES_COMMON_OPS | STAGES_PRODUCT_OPS,
    .feature = &(const struct stages_feature){.name = NULL},
    .undivided = 1u << UNDIVIDED,
    .secondary = true,
    .one = true,
    .shadow = true,
    .alpha_reads_color = true, /* alpha can read the blue of a register */
    .second = true,
    .second_constant = true,
    .dot4_joined = true,
    .shared = 2 * STAGES_SHARED,
    /* the final combiner */
    .last = {[0] = STAGES_OP(ARG1) | STAGES_OP(MODULATE) | STAGES_OP(ADD) | STAGES_OP(BLEND) |
                 STAGES_OP(MODULATE_AND_ADD) | STAGES_OP(PRODUCTS),
             [HWEMIT_COLOR_SUM] = STAGES_OP(ARG1) | STAGES_OP(MODULATE) | STAGES_OP(BLEND),
             [HWEMIT_FOG] = STAGES_OP(ARG1) | STAGES_OP(MODULATE)},
    .emit = hwemit_nv2a_emit,
};

const struct hwemit_target hwemit_nv2a = {.name = "nv2a",
                                          .help = "Microsoft Xbox: methods of eight register combiners",
                                          .assumptions = assumptions,
                                          .scratch = STAGES_SCRATCH,
                                          .most_work = 6000, /* GL's texture functions need less */
                                          .chip = &chip,
                                          .compile = hwemit_stages_compile,
                                          .pack = hwemit_nv2a_pack};
