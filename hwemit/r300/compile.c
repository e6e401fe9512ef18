/* From a program to the words of one of the three chips. The optimised and the plain program are tried, with and without fusing for this unit: the shortest is taken. */
#include "hwemit/r300/choose.h"
#include "hwemit/r300/target.h"

#include <stddef.h>
#include <string.h>

const struct hwemit_assumption hwemit_r300_assumptions[] = {
    {"three-constants", "a pair may read more than two different constants"},
    {"presub-part", "srcp.a has the alpha word's operation also where the colour half reads it (known of r500)"},
    {"dot-copy", "the alpha half copies a dot product before the colour half's output modifier and clamp"},
    {NULL, NULL}};

/* A way to the words: which program, fused or not, which forms and which splits of what takes two instructions. */
struct way { bool plain, unfused, thorough, pinned, packs; uint8_t variety[2]; };

static bool make(struct chooser *c, struct program *p, struct chip *chip, const struct hwemit_source *source, const struct way *way, struct fragprog_reason *why)
{
    memset(p, 0, offsetof(struct program, op)); /* the arrays are written before they are read */
    memset(p->const_slot, 0xff, sizeof p->const_slot);
    p->chip = chip;
    chip->thorough = way->thorough;
    chip->packs = way->packs;
    p->source = way->plain ? source->plain : source->best;
    p->pinned = way->pinned;
    p->variety[RGB] = way->variety[RGB];
    p->variety[ALPHA] = way->variety[ALPHA];
    return hwemit_r300_choose(c, p, !way->unfused, why) && hwemit_r300_schedule(p, why) && hwemit_r300_allocate(p, why);
}

/* Pairs first, then what the other figures of a program are worth. */
static uint32_t price(const struct program *p) { return p->npairs * 1000000u + p->phases * 100000u + p->temps * 300u + p->nconsts; }

/* Ways to split that are tried in each half, for so few operations. */
static unsigned splits_of(unsigned nops) { return nops <= 5 ? 16 : nops == 6 ? 4 : nops <= 16 ? 2 : 0; }

struct best { struct chooser *c; struct program *p; uint32_t price; unsigned pairs; struct way way; bool current; /* p is it */ };

/* False if the program cannot be made so. */
static bool try(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way, struct fragprog_reason *why)
{
    best->current = false;
    way->pinned = false;
    if (!make(best->c, best->p, chip, source, way, why)) {
        struct fragprog_reason again;
        way->pinned = true; /* a scalar may have gone where a later reader has no room for it */
        if (!make(best->c, best->p, chip, source, way, &again))
            return false;
    }
    if (price(best->p) < best->price) {
        best->price = price(best->p);
        best->pairs = best->p->npairs;
        best->way = *way;
        best->current = true;
    }
    return true;
}

/* Other splits, until nothing shorter can come of it. */
static void other_splits(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way, unsigned goal)
{
    struct fragprog_reason why;
    const struct program *p = best->p;
    unsigned most[2] = {splits_of(p->nops), splits_of(p->nops)};
    for (unsigned rgb = 0; rgb < most[RGB]; rgb++)
        for (unsigned alpha = 0; alpha < most[ALPHA]; alpha++) {
            way->variety[RGB] = (uint8_t)rgb;
            way->variety[ALPHA] = (uint8_t)alpha;
            if (!try(best, chip, source, way, &why) || best->pairs <= goal || p->bound >= best->pairs)
                return;
            for (unsigned half = 0; half < 2; half++)
                if (!p->varied[half] && most[half] > way->variety[half]) /* there are no more */
                    most[half] = way->variety[half] ? way->variety[half] : 1;
        }
}

bool hwemit_r300_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct program p;
    struct chip wider = *chip;
    struct chooser c;
    struct best best = {.c = &c, .p = &p, .price = UINT32_MAX};
    struct fragprog_reason other;
    enum packing packing = PACKING_NONE;
    wider.packing = &packing;
    if (options->assume >> ASSUME_THREE_CONSTANTS & 1)
        wider.pair_consts = 6;
    wider.part_presub |= options->assume >> ASSUME_PRESUB_PART & 1;
    wider.dot_copies_first = options->assume >> ASSUME_DOT_COPY & 1;

    c.analysed = false;
    c.nmatched = c.splits.n = 0;
    for (unsigned program = 0; program < 4 && best.pairs != 1; program++) {
        struct way way = {.plain = program / 2 == 1, .unfused = program % 2 == 1};
        if (way.plain && (!source->plain || source->plain == source->best))
            continue;
        if (way.unfused && c.analysed && !c.fused)
            continue;
        c.analysed = false;
        if (try(&best, &wider, source, &way, program == 0 ? why : &other) && p.npairs > p.bound && p.bound < best.pairs) {
            way.thorough = true;
            other_splits(&best, &wider, source, &way, p.bound);
        }
        if (packing >= (p.nops > 2 ? PACKING_NEEDED : PACKING_MORE) && best.pairs != 1) {
            way = (struct way){.plain = way.plain, .unfused = way.unfused, .thorough = true, .packs = true};
            try(&best, &wider, source, &way, &other);
        }
    }
    if (best.price == UINT32_MAX)
        return false;
    if (!best.current) {
        c.analysed = false;
        make(&c, &p, &wider, source, &best.way, &other);
    }
    return hwemit_r300_encode(code, &p, why);
}
