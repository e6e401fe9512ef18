/* Compiles a vertex program for the vertex engine of r300, r400 or r500: tries several variants and keeps the
 * best. */
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/r300_target.h"

#include <stddef.h>
#include <string.h>

/* Limits of the chips (notes/facts/r300-vertex.md 2.2). */
static const struct pvs_chip old = {.instructions = 256, .memory = 72, .constants = 256};
static const struct pvs_chip r500 = {.r500 = true, .instructions = 1024, .memory = 128, .constants = 256};

/* Size of the scratch memory behind the structure, for allocation. */
enum { ROOM = 3 << 20, ALIGN = 64 };

static char *aligned(char *at) { return at + (ALIGN - (uintptr_t)at % ALIGN) % ALIGN; }

size_t hwemit_pvs_scratch(unsigned insts)
{
    return sizeof(struct pvs) + insts * sizeof(struct pvs_result) + ROOM + 3 * ALIGN;
}

struct way {
    bool plain, alone; /* alone: do not put two operations into one instruction */
    uint32_t reuse;
};

static bool make(struct pvs *p, const struct chip *chip, const struct hwemit_source *source,
                 const struct way *way, unsigned atrm, struct fragprog_reason *why)
{
    memset(p, 0, offsetof(struct pvs, konst));
    memset(p->input_slot, 0xff, sizeof p->input_slot);
    p->chip = chip->generation == R500 ? &r500 : &old;
    p->ir = way->plain ? source->plain : source->best;
    p->why = why;
    p->atrm = (uint8_t)atrm;
    p->first_number = NONE;
    p->reuse = way->reuse;
    p->result = (struct pvs_result *)(void *)aligned((char *)(p + 1));
    p->room = aligned((char *)(p->result + p->ir->ninst));
    p->nroom = ROOM;
    memset(p->result, 0, p->ir->ninst * sizeof *p->result);
    if (!hwemit_pvs_select(p))
        return false;
    hwemit_pvs_outputs(p);
    if (p->failed || !hwemit_pvs_operands(p))
        return false;
    hwemit_pvs_moves(p);
    if (atrm != PVS_ATRM_NONE && !way->alone)
        hwemit_pvs_pairs(p);
    if (!hwemit_pvs_addresses(p))
        return false;
    if (p->nops > p->chip->instructions)
        return hwemit_refuse(why, -1, "instructions", "a shorter program",
                             "the program needs %u instructions, the chip has %u", (unsigned)p->nops,
                             (unsigned)p->chip->instructions);
    return hwemit_pvs_allocate(p);
}

/* Cost: most controllers first, then fewest instructions, then fewest temporaries. A cost below ENOUGH means
 * the maximum of controllers; the search then ends, since earlier variants have fewer instructions. */
enum { ENOUGH = 1000000 };
static uint32_t price(const struct pvs *p)
{
    return (PVS_CONTROLLERS - hwemit_pvs_controllers(p->chip, p->temps, p->alternates)) * ENOUGH +
        p->nops * 100u + p->temps;
}

bool hwemit_pvs_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why)
{
    static const struct way ways[] = {{false, false, 64}, {false, true, 64}, {false, false, 4},
                                      {false, true, 4},   {true, false, 4},  {true, true, 4}};
    struct pvs *p = (struct pvs *)(void *)aligned(source->scratch);
    const unsigned atrm = (unsigned)hwemit_option_value(options, OPTION_ATRM, PVS_ATRM_SEARCH);
    unsigned best = 0, last = 0;
    uint32_t least = UINT32_MAX;
    struct fragprog_reason other;
    for (unsigned n = 0; n < sizeof ways / sizeof *ways && least >= ENOUGH; n++) {
        if ((ways[n].plain && (!source->plain || source->plain == source->best)) ||
            (ways[n].alone && atrm == PVS_ATRM_NONE))
            continue;
        last = n;
        if (make(p, chip, source, &ways[n], atrm, n ? &other : why) && price(p) < least) {
            least = price(p);
            best = n;
        }
    }
    if (least == UINT32_MAX)
        return false;
    if (last != best)
        make(p, chip, source, &ways[best], atrm, &other);
    p->why = why;
    return hwemit_pvs_encode(p, code);
}
