/* Compiles a fragment program for r300, r400 or r500. Tries variants of the compilation (optimised or plain
 * program, with or without fusion, different splits) and keeps the shortest result. Level 1 takes the first
 * that succeeds; level 3 tries all splits also for long programs. */
#include "hwemit/r300/asm.h"
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/r300_choose.h"
#include "hwemit/r300/r300_target.h"

#include <stddef.h>
#include <string.h>

const struct hwemit_assumption hwemit_r300_assumptions[] = {
    {"three-constants", "a pair may read more than two different constants"},
    {"presub-part",
     "srcp.a has the alpha word's operation also where the colour half reads it (known of r500)"},
    {"dot-copy", "the alpha half copies a dot product before the colour half's output modifier and clamp"},
    {NULL, NULL}};
const struct hwemit_option hwemit_r300_options[] = {
    [OPTION_CONSTANTS_LAYOUT] =
        {"constants-layout", FRAGPROG_CONSTANTS_SEED, FRAGPROG_CONSTANTS_BEST,
         "of ARB programs: how constants are laid out (enum fragprog_constants_layout)"},
    [OPTION_ATRM] = {"atrm", 0, 2,
                     "of vertex programs: alternate temporaries: 0 none, 1 eager, 2 search (2)"},
    {NULL, 0, 0, NULL}};

/* One variant of the compilation: which program, how it is fused, which forms are considered, and which
 * splits are taken (see struct program). */
struct way {
    bool plain, unfused, alike, thorough, pinned, packs;
    uint8_t variety[2], apart;
};

/* Cost of a program: the number of pairs, then its other resources. */
static uint32_t price(const struct program *p)
{
    return p->npairs * 1000000u + p->phases * 100000u + p->temps * 300u + p->nconsts;
}

/* Maximum numbers of operations of a program for which the expensive variants are tried. ALIKE_OPS: for
 * FUSE_ALIKE, if the program has three pairs. APART_OPS: for splitting polynomials that one instruction can
 * compute, if halves of pairs are empty. */
enum { ALIKE_OPS = 5, APART_OPS = 4 };

struct best {
    struct chooser *c;
    struct program *p;
    struct hwemit_code *code;    /* words of the best program so far */
    struct fragprog_reason *why; /* reason for failure if `encoded` is false */
    bool encoded;
    bool all; /* exhaustive: do not skip variants of long programs */
    uint32_t price;
    unsigned pairs, nops;
};

static bool make(struct best *best, struct chip *chip, const struct hwemit_source *source,
                 const struct way *way, struct fragprog_reason *why)
{
    struct chooser *c = best->c;
    struct program *p = best->p;
    memset(p, 0, offsetof(struct program, op));
    memset(p->const_slot, 0xff, sizeof p->const_slot);
    p->chip = chip;
    hwemit_r300_spend(chip, 200);
    chip->thorough = way->thorough;
    chip->packs = way->packs;
    p->source = way->plain ? source->plain : source->best;
    p->pinned = way->pinned;
    p->variety[RGB] = way->variety[RGB];
    p->variety[ALPHA] = way->variety[ALPHA];
    p->apart = way->apart;
    p->most_pairs = best->price != UINT32_MAX ? best->pairs : MAX_PAIRS;
    return hwemit_r300_choose(c, p,
                              way->unfused     ? FUSE_NOTHING
                                  : way->alike ? FUSE_ALIKE
                                               : FUSE_SHORTER,
                              why) &&
        hwemit_r300_schedule(p, why) && (p->longer || hwemit_r300_allocate(p, why));
}

/* Returns how many splits per half are tried for a program of `nops` operations. */
static unsigned splits_of(const struct best *best, unsigned nops)
{
    return best->all || nops <= 6 ? MAX_SPLITS : nops <= 16 ? 4 : nops <= 24 ? 2 : 0;
}

/* Compiles one variant, and keeps the program if it is better than *best. Returns false if it does not fit.
 */
static bool try(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way,
                struct fragprog_reason *why)
{
    way->pinned = false;
    if (!make(best, chip, source, way, why)) {
        struct fragprog_reason again;
        /* a scalar may have been scheduled into a part for which an operation that reads it has no free
         * address */
        way->pinned = true;
        if (!make(best, chip, source, way, &again))
            return false;
    }
    if (best->price != UINT32_MAX && hwemit_r300_spent(chip))
        return true; /* the limit of work was reached, so this program may be worse than without the limit */
    if (!best->p->longer && price(best->p) < best->price) {
        best->price = price(best->p);
        best->pairs = best->p->npairs;
        best->nops = best->p->nops;
        hwemit_code_init(best->code, best->code->word, best->code->maxwords);
        best->encoded = hwemit_r300_encode(best->code, best->p, best->why);
    }
    return true;
}

/* Tries other splits, until the program cannot get shorter. */
static void other_splits(struct best *best, struct chip *chip, const struct hwemit_source *source,
                         struct way *way, unsigned goal)
{
    struct fragprog_reason why;
    const struct program *p = best->p;
    unsigned most[2] = {splits_of(best, p->nops), splits_of(best, p->nops)};
    for (unsigned rgb = 0; rgb < most[RGB]; rgb++)
        for (unsigned alpha = 0; alpha < most[ALPHA] && !hwemit_r300_spent(chip); alpha++) {
            way->variety[RGB] = (uint8_t)rgb;
            way->variety[ALPHA] = (uint8_t)alpha;
            if (!try(best, chip, source, way, &why) || best->pairs <= goal || p->bound >= best->pairs)
                return;
            for (unsigned half = 0; half < 2; half++)
                if (!p->varied[half] && most[half] > way->variety[half]) /* this half has no further splits */
                    most[half] = way->variety[half] ? way->variety[half] : 1;
        }
}

/* Tries to compute one polynomial at a time by two instructions, to use the empty halves of pairs. */
static void apart(struct best *best, struct chip *chip, const struct hwemit_source *source, struct way *way)
{
    struct fragprog_reason why;
    const unsigned goal = best->pairs - 1, npolynomials = best->c->npolynomials;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned k = 1; k <= npolynomials; k++)
            for (unsigned n = 0; n < MAX_SPLITS && best->pairs > goal && !hwemit_r300_spent(chip); n++) {
                way->apart = (uint8_t)k;
                way->variety[1 - half] = 0;
                way->variety[half] = (uint8_t)n;
                try(best, chip, source, way, &why);
                if (!best->p->varied[half])
                    break;
            }
}

/* Lower bound of the number of pairs without fusion: each half of an instruction is one operation, except
 * that both halves may share the computation of an unclamped scalar. */
static unsigned least_unfused(const struct fragprog *ir)
{
    unsigned ops = 0, numbers[2] = {0, 0};
    for (unsigned i = 0; i < ir->ninst; i++)
        for (unsigned half = 0; half < 2 && ir->inst[i].op != FRAGPROG_TEX; half++)
            if (hwemit_r300_part_mask(half, &ir->inst[i])) {
                ops++;
                numbers[half] += !ir->inst[i].clamp && ir->result[half] != i;
            }
    ops -= numbers[RGB] < numbers[ALPHA] ? numbers[RGB] : numbers[ALPHA];
    return (ops + 1) / 2;
}

/* Returns whether the programs are equal, i.e. the optimiser changed nothing. */
static bool equal(const struct fragprog *a, const struct fragprog *b)
{
    return a->ninst == b->ninst && a->nkonst == b->nkonst &&
        memcmp(a->result, b->result, sizeof a->result) == 0 &&
        memcmp(a->inst, b->inst, a->ninst * sizeof *a->inst) == 0 &&
        memcmp(a->konst, b->konst, a->nkonst * sizeof *a->konst) == 0;
}

/* Tries each program with and without fusion, each with its splits. */
static void all_programs(struct best *best, struct chip *chip, const struct hwemit_source *source)
{
    struct chooser *c = best->c;
    const struct program *p = best->p;
    struct fragprog_reason other;
    for (unsigned program = 0;
         program < (best->all || (best->pairs == 3 && best->nops <= ALIKE_OPS) ? 5 : 4) && best->pairs != 1;
         program++) {
        if (best->price != UINT32_MAX && hwemit_r300_spent(chip))
            break;
        struct way way = {.plain = program / 2 == 1, .unfused = program % 2 == 1, .alike = program == 4};
        if (way.plain &&
            (!source->plain || source->plain == source->best || equal(source->plain, source->best)))
            continue;
        if (way.unfused && best->price != UINT32_MAX &&
            least_unfused(way.plain ? source->plain : source->best) > best->pairs)
            continue;
        if (way.unfused && c->analysed && !c->fused)
            continue;
        c->analysed = false;
        if (try(best, chip, source, &way, program == 0 && best->price == UINT32_MAX ? best->why : &other) &&
            p->npairs > p->bound && p->bound < best->pairs) {
            way.thorough = true;
            const unsigned nops = p->nops, bound = p->bound;
            other_splits(best, chip, source, &way, bound);
            if ((best->all || nops <= APART_OPS) && nops < 2 * (best->pairs - 1) && best->pairs > bound)
                apart(best, chip, source, &way);
        }
        if (!hwemit_r300_spent(chip) && *chip->packing >= (p->nops > 2 ? PACKING_NEEDED : PACKING_MORE) &&
            best->pairs != 1) {
            way = (struct way){.plain = way.plain, .unfused = way.unfused, .thorough = true, .packs = true};
            try(best, chip, source, &way, &other);
        }
    }
}

size_t hwemit_r300_unbounded_scratch(unsigned insts)
{
    const size_t fragments = hwemit_asm_scratch(insts), vertices = hwemit_pvs_scratch(insts);
    return fragments > vertices ? fragments : vertices;
}

bool hwemit_r300_compile(struct hwemit_code *code, const struct chip *chip,
                         const struct hwemit_source *source, const struct hwemit_options *options,
                         struct fragprog_reason *why)
{
    if (source->best->vertex)
        return hwemit_pvs_compile(code, chip, source, options, why);
    if (source->best->unbounded)
        return hwemit_asm_compile(code, chip, source, options, why);
    struct scratch *scratch = source->scratch;
    struct chooser *c = &scratch->c;
    struct chip wider = *chip;
    struct best best = {.c = c, .p = &scratch->p, .code = code, .why = why, .price = UINT32_MAX};
    enum packing packing = PACKING_NONE;
    wider.packing = &packing;
    wider.budget = source->budget;
    if (options->assume >> ASSUME_THREE_CONSTANTS & 1)
        wider.pair_consts = 6;
    wider.part_presub |= options->assume >> ASSUME_PRESUB_PART & 1;
    wider.dot_copies_first = options->assume >> ASSUME_DOT_COPY & 1;

    memset(c, 0, offsetof(struct chooser, splits));
    c->splits.n = 0;
    if (options->passes.level == 1) {
        struct way first = {.unfused = true};
        wider.hasty = true;
        try(&best, &wider, source, &first, why);
        wider.hasty = false;
        c->nmatched = 0;
    }
    if (best.price == UINT32_MAX)
        all_programs(&best, &wider, source);
    /* level 3 repeats the search exhaustively after that of level 2, so that its result is never longer */
    if (options->passes.level > 2 && best.pairs > 1) {
        best.all = true;
        all_programs(&best, &wider, source);
    }
    if (best.price == UINT32_MAX) {
        /* report that the limit of work was reached, unless there were no splits to search among: then the
         * chip's limits are the reason */
        const bool searched = hwemit_r300_spent(&wider) && scratch->p.nsplit > 0;
        return searched ? fragprog_refuse_work(why, wider.budget, -1, "a program") : false;
    }
    return best.encoded;
}
