/* From a program to the words of one of the three chips. The optimised and the plain program are tried, with and without fusing for this unit: the shortest is taken. */
#include "hwemit/r300/target.h"

#include <string.h>

/* The first is relied on without being asked for: the documented order of an instruction has clamp and output modifier before both write masks, and the words are longer without. */
const struct hwemit_assumption hwemit_r300_assumptions[] = {
    {"output-modifiers", "clamp and output modifier act on what goes to the output as on what goes to a temporary (relied on unless plain-outputs is given)"},
    {"plain-outputs", "they do not: a result that needs them, or is read again, is copied to the output"},
    {"three-constants", "a pair may read more than two different constants"},
    {NULL, NULL}};

/* One way: which program, fused or not. */
static bool make(struct program *p, const struct chip *chip, const struct fragprog *source, bool fuse, const struct hwemit_options *options, struct fragprog_reason *why)
{
    memset(p, 0, sizeof *p);
    memset(p->const_slot, 0xff, sizeof p->const_slot);
    p->chip = chip;
    p->source = source;
    p->plain_outputs = options->assume >> ASSUME_PLAIN_OUTPUTS & 1;
    return hwemit_r300_choose(p, fuse, why) && hwemit_r300_outputs(p, why) && hwemit_r300_schedule(p, why) && hwemit_r300_allocate(p, why);
}

static uint32_t price(const struct program *p) { return p->npairs * 1000000u + p->phases * 100000u + p->temps * 300u + p->nconsts; }

bool hwemit_r300_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct program p;
    struct chip wider = *chip;
    const struct fragprog *candidate[2] = {source->best, source->plain != source->best ? source->plain : NULL};
    uint32_t least = UINT32_MAX;
    unsigned chosen = 0, last = 4;
    struct fragprog_reason first = {.unit = -1};
    if (options->assume >> ASSUME_THREE_CONSTANTS & 1)
        wider.pair_consts = 6;
    for (unsigned way = 0; way < 4; way++) {
        if (!candidate[way / 2])
            continue;
        last = way;
        if (!make(&p, &wider, candidate[way / 2], way % 2 == 0, options, way == 0 ? &first : why))
            continue;
        if (price(&p) < least) {
            least = price(&p);
            chosen = way;
        }
    }
    if (least == UINT32_MAX) {
        *why = first;
        return false;
    }
    if (chosen != last || price(&p) != least)
        make(&p, &wider, candidate[chosen / 2], chosen % 2 == 0, options, why);
    return hwemit_r300_encode(code, &p, why);
}
