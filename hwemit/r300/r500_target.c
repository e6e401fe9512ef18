/* The target r500: its limits and entry points. */
#include "hwemit/r300/us.h"
#include "hwemit/r300/r300_target.h"

/* Small float literals in an address field: bit 7 set, four bits of exponent, three of mantissa
 * (notes/facts/r300.md 1.2). Exponent field 0 is not used because the sources disagree about its value. */
static const struct fragprog_immediates small_floats = {
    .exponent = 4, .mantissa = 3, .bias = 7, .least = 1, .base = 0x80};

static const struct chip chip = {.generation = R500,
                                 .alu = 512,
                                 .tex = 512,
                                 .total = 512,
                                 .temps = 128,
                                 .consts = 256,
                                 .pair_consts = 2,
                                 .immediates = &small_floats,
                                 .part_presub = true};

static bool compile(struct hwemit_code *code, const struct hwemit_source *source,
                    const struct hwemit_options *options, struct fragprog_reason *why)
{
    return hwemit_r300_compile(code, &chip, source, options, why);
}

const struct hwemit_target hwemit_r500 = {.name = "r500",
                                          .help = "ATI RV515, R520 .. R580",
                                          .assumptions = hwemit_r300_assumptions,
                                          .options = hwemit_r300_options,
                                          .scratch = US_SMALL_SCRATCH,
                                          .compile = compile,
                                          .vertex = true,
                                          .steps = hwemit_r300_steps,
                                          .derive = fragprog_derive,
                                          .unbounded_scratch = hwemit_r300_unbounded_scratch};
