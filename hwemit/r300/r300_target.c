/* The targets r300, r400 and r500: their limits, options, assumptions and entry points. */
#include "hwemit/r300/r300_target.h"
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/us.h"

static const struct chip r300_chip = {
    .generation = R300, .alu = 64, .tex = 32, .temps = 32, .consts = 32, .nodes = 4};
static const struct chip r400_chip = {
    .generation = R400, .alu = 512, .tex = 512, .temps = 64, .consts = 32, .nodes = 4};
static const struct chip r500_chip = {
    .generation = R500, .alu = 512, .tex = 512, .total = 512, .temps = 128, .consts = 256};

static const struct hwemit_option options[] = {
    [OPTION_CONSTANTS_LAYOUT] = {"constants-layout", FRAGPROG_CONSTANTS_SEED, FRAGPROG_CONSTANTS_BEST,
                                 "how constants are laid out (enum fragprog_constants_layout)"},
    [OPTION_ATRM] = {"atrm", 0, 2,
                     "of vertex programs: alternate temporaries: 0 none, 1 eager, 2 search (2)"},
    {NULL, 0, 0, NULL}};

static bool compile(struct hwemit_code *code, const struct hwemit_target *target,
                    const struct hwemit_source *source, const struct hwemit_options *o,
                    struct fragprog_reason *why)
{
    return (source->best->vertex ? hwemit_pvs_compile : hwemit_us_compile)(code, target->chip, source, o,
                                                                           why);
}

#define TARGET(id, text) \
    const struct hwemit_target hwemit_##id = {.name = #id, \
                                              .help = text, \
                                              .options = options, \
                                              .scratch = US_SMALL_SCRATCH, \
                                              .unbounded_scratch = US_SCRATCH > PVS_SCRATCH ? US_SCRATCH \
                                                                                            : PVS_SCRATCH, \
                                              .instruction_scratch = sizeof(struct machine_result), \
                                              .chip = &id##_chip, \
                                              .compile = compile, \
                                              .steps = hwemit_us_steps, \
                                              .vertex_steps = hwemit_pvs_steps, \
                                              .derive = fragprog_derive};
TARGET(r300, "ATI R300..R360, RV350..RV380")
TARGET(r400, "ATI R420..R480")
TARGET(r500, "ATI RV515, R520 .. R580")
