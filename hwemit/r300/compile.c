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
struct way { bool plain, unfused, merged, all, fused, thorough, pinned, packs, alpha_first; uint8_t variety[2]; struct aside aside; uint8_t apart; uint16_t most; };

static bool make(struct chooser *c, struct program *p, struct chip *chip, const struct hwemit_source *source, const struct way *way, struct fragprog_reason *why)
{
    memset(p, 0, offsetof(struct program, op)); /* the arrays are written before they are read */
    memset(p->const_slot, 0xff, sizeof p->const_slot);
    p->chip = chip;
    chip->thorough = way->thorough;
    chip->packs = way->packs;
    chip->splitting = way->all ? SPLIT_ALL : way->merged ? SPLIT_WIDE : SPLIT_PLAIN;
    p->source = way->plain ? source->plain : source->best;
    p->pinned = way->pinned;
    p->variety[RGB] = way->variety[RGB];
    p->variety[ALPHA] = way->variety[ALPHA];
    p->aside = way->aside;
    p->alpha_first = way->alpha_first;
    p->apart = way->apart;
    p->most = way->most;
    return hwemit_r300_choose(c, p, way->unfused ? FUSE_NOTHING : way->fused ? FUSE_ALL : way->merged ? FUSE_ALIKE : FUSE_SHORTER, why) && hwemit_r300_schedule(p, why) && hwemit_r300_allocate(p, why);
}

/* Pairs first, then what the other figures of a program are worth. */
static uint32_t price(const struct program *p) { return p->npairs * 1000000u + p->phases * 100000u + p->temps * 300u + p->nconsts; }

/* Ways to split that are tried in each half, for so few operations. */
static unsigned splits_of(unsigned nops) { return nops <= 5 ? 16 : nops == 6 ? 4 : nops <= 16 ? 2 : 0; }

enum {
    MERGED = 4,       /* the last program: values are also put into readers that then take as many instructions as before, and split in more ways */
    MERGED_OPS = 5,   /* where three pairs of so few operations could be two */
    ALL = 5,          /* and after it, the same of a single unit: everything with everything */
    ALL_OPS = 6,
    ALL_SPLITS = 1000, /* see all_splits */
    ASIDE_OPS = 4,    /* a source aside, likewise */
    FIRST_SPLITS = 4, /* that are tried first there */
    ASIDE_SPLITS = 16
};

struct best { struct chooser *c; struct program *p; uint32_t price; unsigned pairs, nops; struct way way; bool current; /* p is it */ };

/* False if the program cannot be made so. */
static bool try(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way, struct fragprog_reason *why)
{
    best->current = false;
    way->pinned = false;
    if (!make(best->c, best->p, chip, source, way, why)) {
        struct fragprog_reason again;
        if (way->most)
            return false;
        way->pinned = true; /* a scalar may have gone where a later reader has no room for it */
        if (!make(best->c, best->p, chip, source, way, &again))
            return false;
    }
    if (price(best->p) < best->price) {
        best->price = price(best->p);
        best->pairs = best->p->npairs;
        best->nops = best->p->nops;
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

/* This source aside, with splits `from` to `to` of one half and the first of the other. */
static void aside(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way, unsigned from, unsigned to)
{
    struct fragprog_reason why;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned n = half == ALPHA && from == 0 ? 1 : from; n < to && best->pairs > way->most; n++) {
            way->variety[RGB] = way->variety[ALPHA] = 0;
            way->variety[half] = (uint8_t)n;
            try(best, chip, source, way, &why);
            if (!best->p->varied[half])
                break;
        }
}

/* Each polynomial in two instructions. */
static void apart(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way)
{
    struct fragprog_reason why;
    const unsigned npolynomials = best->c->npolynomials;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned k = 1; k <= npolynomials; k++)
            for (unsigned n = 0; n < ASIDE_SPLITS && best->pairs > way->most; n++) {
                way->apart = (uint8_t)k;
                way->variety[RGB] = way->variety[ALPHA] = 0;
                way->variety[half] = (uint8_t)n;
                try(best, chip, source, way, &why);
                if (!best->p->varied[half])
                    break;
            }
    way->apart = 0;
}

/* Every source aside, in every way. */
static void asides(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way, unsigned from, unsigned to)
{
    for (unsigned kind = 0; kind < ASIDE_KINDS; kind++)
        for (unsigned k = 0; k < best->c->nasides; k++)
            for (unsigned halves = 1; halves < 4 && best->pairs > way->most; halves++) {
                way->aside = best->c->asides[k];
                if (halves & ~way->aside.halves)
                    continue;
                way->aside.halves = (uint8_t)halves;
                way->aside.kind = (uint8_t)kind;
                aside(best, chip, source, way, from, to);
            }
}

/* All forms, other splits, and where half a pair would do nothing a source aside. */
static void vary(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way)
{
    const unsigned goal = best->p->bound, nops = best->p->nops;
    way->thorough = true;
    other_splits(best, chip, source, way, goal);
    if (nops > ASIDE_OPS || nops + 1 > 2 * (best->pairs - 1) || best->pairs <= goal)
        return;
    way->most = (uint16_t)(best->pairs - 1);
    apart(best, chip, source, way);
    asides(best, chip, source, way, 0, FIRST_SPLITS);
    asides(best, chip, source, way, FIRST_SPLITS, ASIDE_SPLITS);
}

/* Splits of one half with those of the other, until there are two pairs: the i-th with the k-th, counted from 1, where i*k is at most ALL_SPLITS, for what is found late in both is seldom
 * good. Those of what is emitted last change most, for what is kept of it depends on the other. */
static void all_splits(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way)
{
    struct fragprog_reason why;
    const unsigned outer = way->alpha_first ? ALPHA : RGB, inner = 1 - outer;
    unsigned most[2] = {MAX_SPLITS, MAX_SPLITS};
    for (unsigned i = 0; i < most[outer]; i++)
        for (unsigned k = 0; k < most[inner] && (i + 1) * (k + 1) <= ALL_SPLITS && best->pairs > 2; k++) {
            way->variety[outer] = (uint8_t)i;
            way->variety[inner] = (uint8_t)k;
            try(best, chip, source, way, &why);
            for (unsigned half = 0; half < 2; half++)
                if (!best->p->varied[half] && most[half] > way->variety[half]) /* there are no more */
                    most[half] = way->variety[half] ? way->variety[half] : 1;
        }
}

/* Either half first; a polynomial in two instructions. */
static void vary_all(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way)
{
    way->thorough = true;
    all_splits(best, chip, source, way);
    way->alpha_first = true;
    all_splits(best, chip, source, way);
    way->alpha_first = false;
    way->most = 2;
    for (unsigned k = best->c->npolynomials; k > 0; k--) {
        way->apart = (uint8_t)k;
        all_splits(best, chip, source, way);
    }
    way->apart = 0;
}

/* Every source aside. */
static void all_asides(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way)
{
    way->thorough = true;
    way->most = 2;
    for (unsigned kind = 0; kind < ALL_ASIDE_KINDS; kind++)
        for (unsigned k = 0; k < best->c->nasides; k++)
            for (unsigned halves = 1; halves < 4; halves++) {
                way->aside = best->c->asides[k];
                if (halves & ~way->aside.halves)
                    continue;
                way->aside.halves = (uint8_t)halves;
                way->aside.kind = (uint8_t)kind;
                all_splits(best, chip, source, way);
            }
}

/* Everything with everything. */
static void everything(struct best *best, struct chip *chip, const struct hwemit_source *source)
{
    for (unsigned n = 0; n < 8 && best->pairs > 2; n++) {
        struct way way = {.merged = true, .all = true, .fused = n / 4, .packs = n % 2};
        if (n % 4 == 0)
            best->c->analysed = false;
        if (n / 2 % 2 == 0)
            vary_all(best, chip, source, &way);
        else
            all_asides(best, chip, source, &way);
    }
}

/* Of a texture environment with one unit that does something? */
static bool of_one_unit(const struct fragprog *p)
{
    int unit = -1;
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op != FRAGPROG_TEX) {
            if (p->inst[i].unit < 0 || (unit >= 0 && p->inst[i].unit != unit))
                return false;
            unit = p->inst[i].unit;
        }
    return true;
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
    c.nmatched = c.splits.nfew = c.splits.nmany = 0;
    c.shares[RGB].nknown = c.shares[ALPHA].nknown = 0;
    for (unsigned program = 0; program <= ALL && best.pairs != 1; program++) {
        struct way way = {.plain = program / 2 == 1, .unfused = program < MERGED && program % 2 == 1, .merged = program >= MERGED, .all = program == ALL};
        if (way.merged && (best.pairs != 3 || best.nops > (way.all ? ALL_OPS : MERGED_OPS)))
            continue;
        if (way.all && !of_one_unit(source->best))
            break;
        if (way.plain && (!source->plain || source->plain == source->best))
            continue;
        if (way.unfused && c.analysed && !c.fused)
            continue;
        if (way.all) {
            everything(&best, &wider, source);
            break;
        }
        c.analysed = false;
        if (try(&best, &wider, source, &way, program == 0 ? why : &other) && p.npairs > p.bound && p.bound < best.pairs)
            vary(&best, &wider, source, &way);
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
