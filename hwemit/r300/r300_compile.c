/* The entry point of the targets r300, r400 and r500, their options and their assumptions. */
#include "hwemit/r300/us.h"
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/r300_target.h"

const struct hwemit_assumption hwemit_r300_assumptions[] = {
    {"three-constants", "a pair may read more than two different constants"},
    {"presub-part",
     "srcp.a has the alpha word's operation also where the colour half reads it (known of r500)"},
    {"dot-copy", "the alpha half copies a dot product before the colour half's output modifier and clamp"},
    {NULL, NULL}};
const struct hwemit_option hwemit_r300_options[] = {
    [OPTION_CONSTANTS_LAYOUT] = {"constants-layout", FRAGPROG_CONSTANTS_SEED, FRAGPROG_CONSTANTS_BEST,
                                 "how constants are laid out (enum fragprog_constants_layout)"},
    [OPTION_ATRM] = {"atrm", 0, 2,
                     "of vertex programs: alternate temporaries: 0 none, 1 eager, 2 search (2)"},
    {NULL, 0, 0, NULL}};

size_t hwemit_r300_unbounded_scratch(unsigned insts)
{
    const size_t fragments = hwemit_us_scratch(insts), vertices = hwemit_pvs_scratch(insts);
    return fragments > vertices ? fragments : vertices;
}

bool hwemit_r300_compile(struct hwemit_code *code, const struct chip *chip,
                         const struct hwemit_source *source, const struct hwemit_options *options,
                         struct fragprog_reason *why)
{
    return source->best->vertex ? hwemit_pvs_compile(code, chip, source, options, why)
                                : hwemit_us_compile(code, chip, source, options, why);
}
