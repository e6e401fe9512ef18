/* From a program to the words of one of the three chips. The optimised and the plain program are tried, with and without fusing for this unit: the shortest is taken. */
#include "hwemit/r300/target.h"

#include <stddef.h>
#include <string.h>

const struct hwemit_assumption hwemit_r300_assumptions[] = {
    {"three-constants", "a pair may read more than two different constants"},
    {"presub-part", "srcp.a has the alpha word's operation also where the colour half reads it (known of r500)"},
    {"dot-copy", "the alpha half copies a dot product before the colour half's output modifier and clamp"},
    {NULL, NULL}};

/* A way to the words: which program, fused or not, which forms and which splits of what takes two instructions. */
struct way { bool plain, unfused, thorough, pinned; uint8_t variety[2]; };

static bool make(struct program *p, struct chip *chip, const struct hwemit_source *source, const struct way *way, struct fragprog_reason *why)
{
    memset(p, 0, offsetof(struct program, op)); /* the arrays are written before they are read */
    memset(p->const_slot, 0xff, sizeof p->const_slot);
    p->chip = chip;
    chip->thorough = way->thorough;
    p->source = way->plain ? source->plain : source->best;
    p->pinned = way->pinned;
    p->variety[RGB] = way->variety[RGB];
    p->variety[ALPHA] = way->variety[ALPHA];
    return hwemit_r300_choose(p, !way->unfused, why) && hwemit_r300_schedule(p, why) && hwemit_r300_allocate(p, why);
}

/* Pairs first, then what the other figures of a program are worth. */
static uint32_t price(const struct program *p) { return p->npairs * 1000000u + p->phases * 100000u + p->temps * 300u + p->nconsts; }

/* Splits of each half that are tried for programs of at most FEW, of at most SMALL operations. */
enum { FEW = 6, FEW_SPLITS = 4, SMALL = 16, SMALL_SPLITS = 2 };

bool hwemit_r300_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct program p;
    struct chip wider = *chip;
    struct way best = {.plain = false};
    struct fragprog_reason first = {.unit = -1};
    uint32_t least = UINT32_MAX;
    unsigned pairs = 0;
    bool current = false; /* p is what best says */
    if (options->assume >> ASSUME_THREE_CONSTANTS & 1)
        wider.pair_consts = 6;
    wider.part_presub |= options->assume >> ASSUME_PRESUB_PART & 1;
    wider.dot_copies_first = options->assume >> ASSUME_DOT_COPY & 1;

    for (unsigned program = 0; program < 4; program++) {
        struct way way = {.plain = program / 2, .unfused = program % 2};
        if (way.plain && (!source->plain || source->plain == source->best))
            break;
        unsigned splits = 1;
        for (unsigned split = 0; split <= splits * splits; split++) { /* the first with few forms, the others with all */
            way.thorough = split > 0;
            way.variety[RGB] = split ? (uint8_t)((split - 1) % splits) : 0;
            way.variety[ALPHA] = split ? (uint8_t)((split - 1) / splits) : 0;
            current = false;
            way.pinned = false;
            if (!make(&p, &wider, source, &way, least == UINT32_MAX && program == 0 ? &first : why)) {
                way.pinned = true; /* a scalar may have gone where a later reader has no room for it */
                if (!make(&p, &wider, source, &way, why))
                    break;
            }
            if (price(&p) < least) {
                least = price(&p);
                pairs = p.npairs;
                best = way;
                current = true;
            }
            if (p.npairs == p.bound || p.bound >= pairs || p.nops > SMALL)
                break;
            splits = p.nops <= FEW ? FEW_SPLITS : SMALL_SPLITS;
        }
    }
    if (least == UINT32_MAX) {
        *why = first;
        return false;
    }
    if (!current)
        make(&p, &wider, source, &best, why);
    return hwemit_r300_encode(code, &p, why);
}
