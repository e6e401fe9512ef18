/* The targets r300 and r400: their limits and entry points. */
#include "hwemit/r300/us.h"
#include "hwemit/r300/r300_target.h"

static const struct chip r300_chip = {
    .generation = R300, .alu = 64, .tex = 32, .temps = 32, .consts = 32, .nodes = 4, .pair_consts = 2};
static const struct chip r400_chip = {
    .generation = R400, .alu = 512, .tex = 512, .temps = 64, .consts = 32, .nodes = 4, .pair_consts = 2};

static bool compile_r300(struct hwemit_code *code, const struct hwemit_source *source,
                         const struct hwemit_options *options, struct fragprog_reason *why)
{
    return hwemit_r300_compile(code, &r300_chip, source, options, why);
}

static bool compile_r400(struct hwemit_code *code, const struct hwemit_source *source,
                         const struct hwemit_options *options, struct fragprog_reason *why)
{
    return hwemit_r300_compile(code, &r400_chip, source, options, why);
}

const struct hwemit_target hwemit_r300 = {.name = "r300",
                                          .help = "ATI R300..R360, RV350..RV380",
                                          .assumptions = hwemit_r300_assumptions,
                                          .options = hwemit_r300_options,
                                          .scratch = US_SMALL_SCRATCH,
                                          .compile = compile_r300,
                                          .vertex = true,
                                          .steps = hwemit_r300_steps,
                                          .derive = fragprog_derive,
                                          .unbounded_scratch = hwemit_r300_unbounded_scratch};
const struct hwemit_target hwemit_r400 = {.name = "r400",
                                          .help = "ATI R420..R480",
                                          .assumptions = hwemit_r300_assumptions,
                                          .options = hwemit_r300_options,
                                          .scratch = US_SMALL_SCRATCH,
                                          .compile = compile_r400,
                                          .vertex = true,
                                          .steps = hwemit_r300_steps,
                                          .derive = fragprog_derive,
                                          .unbounded_scratch = hwemit_r300_unbounded_scratch};
