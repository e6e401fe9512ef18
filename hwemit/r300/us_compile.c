/* Compiles a fragment program: tries variants and keeps the shortest result. Level 1 takes the first that
 * fits; level 3 tries more. */
#include "hwemit/r300/us.h"
#include "hwemit/r300/r300_target.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

/* A variant: which program, whether sums and products stay as they are (see struct machine), how constants
 * are packed. */
struct way {
    bool plain, expanded;
    uint8_t layout;
    uint32_t most_pairs; /* more are of no use */
};

size_t hwemit_us_scratch(unsigned insts)
{
    const size_t selection = MACHINE_BYTES(US_OPS, insts, 0), room = 5u << 19;
    return US_BYTES(US_OPS, US_LOOKUPS, selection > room ? selection : room);
}

/* Clears *a and divides the memory behind it. */
static void set_up(struct us_program *a, size_t bytes, bool large)
{
    char *at = (char *)(a + 1);
    memset(a, 0, offsetof(struct us_program, op));
    a->maxops = large ? US_OPS : US_SMALL_OPS;
    a->maxlookups = large ? US_LOOKUPS : US_SMALL_LOOKUPS;
    a->maxconsts = large ? US_CONSTS : US_SMALL_CONSTS;
    a->maxvalues = (uint16_t)(a->maxops + a->maxlookups + HWEMIT_INPUTS);
    a->op = hwemit_machine_take(&at, a->maxops, sizeof *a->op);
    a->value = hwemit_machine_take(&at, a->maxvalues, sizeof *a->value);
    a->unit = hwemit_machine_take(&at, a->maxvalues, sizeof *a->unit);
    a->lookup = hwemit_machine_take(&at, a->maxlookups, sizeof *a->lookup);
    a->p.tex = hwemit_machine_take(&at, a->maxlookups, sizeof *a->p.tex);
    a->p.pair = hwemit_machine_take(&at, US_PAIRS, sizeof *a->p.pair);
    a->room = at;
    a->nroom = bytes - (size_t)(at - (char *)a);
}

enum { PAIR = 1000000 }; /* the price of a pair */
static uint32_t price(const struct program *p)
{
    return p->npairs * PAIR + p->phases * 100000u + p->temps * 300u + p->nconsts;
}

/* Schedules by critical path or, if that is shorter, in the order of the program. */
static bool schedule(struct us_program *a, bool both)
{
    struct fragprog_reason *const why = a->why;
    struct fragprog_reason other;
    if (!hwemit_us_graph(a))
        return false;
    const bool fits = hwemit_us_schedule(a, false, UINT16_MAX);
    const unsigned pairs = fits ? a->p.npairs : UINT_MAX;
    if (!both || pairs <= hwemit_us_least_pairs(a))
        return fits;
    a->failed = false;
    a->why = &other;
    const bool shorter = hwemit_us_schedule(a, true, UINT16_MAX) && a->p.npairs < pairs;
    a->why = why;
    a->failed = !fits && !shorter;
    return shorter || (fits && hwemit_us_schedule(a, false, UINT16_MAX));
}

/* Assigns temporaries. If there are too few, schedules again so that fewer values are alive at once. */
static bool allocate(struct us_program *a)
{
    struct fragprog_reason *const why = a->why;
    struct fragprog_reason other;
    if (hwemit_us_allocate(a))
        return true;
    a->failed = false;
    a->why = &other;
    const bool fits = hwemit_us_graph(a) && hwemit_us_schedule(a, true, a->p.chip->temps / 4) &&
        hwemit_us_allocate(a);
    a->why = why;
    a->failed = !fits;
    return fits;
}

/* Calls the hook after a step. Returns true. */
static bool show(const struct us_program *a, const struct fragprog_options *passes, const char *name)
{
    const struct fragprog_step step = {.name = name, .p = a->ir, .print = hwemit_us_print, .operations = a};
    if (passes->hooks && passes->hooks->after)
        passes->hooks->after(passes->hooks->user, &step);
    return true;
}

/* Compiles one variant. Returns false, too, if it has too many pairs. */
static bool make(struct us_program *a, const struct chip *chip, const struct hwemit_source *source,
                 const struct way *way, const struct fragprog_options *passes, struct fragprog_reason *why)
{
    const struct fragprog *best = source->best, *plain = source->plain ? source->plain : best;
    const struct fragprog *longer = plain->ninst > best->ninst ? plain : best;
    const bool large = hwemit_is_large(best) || hwemit_is_large(plain);
    set_up(a, large ? hwemit_us_scratch(longer->ninst) : US_SMALL_SCRATCH, large);
    a->p.chip = chip;
    a->ir = way->plain ? plain : best;
    a->why = why;
    a->expanded = way->expanded;
    a->layout = way->layout;
    if (!hwemit_us_select(a, passes->hooks) || !hwemit_us_units(a) || !hwemit_us_outputs(a) ||
        !show(a, passes, "outputs") || !hwemit_us_constants(a) || !hwemit_us_split(a) ||
        !show(a, passes, "constants") || !hwemit_us_presubtract(a) || !hwemit_us_order_constants(a) ||
        !show(a, passes, "presubtract") || !schedule(a, passes->level != 1) ||
        a->p.npairs > way->most_pairs || !allocate(a))
        return false;
    hwemit_us_fill(a);
    if (chip->total && a->p.npairs + a->p.ntex > chip->total)
        return hwemit_refuse(why, -1, "instructions", "a shorter program",
                             "the program needs %u instructions, the chip has %u",
                             (unsigned)a->p.npairs + a->p.ntex, (unsigned)chip->total);
    return true;
}

/* Leaves the shortest variant with one layout of constants in *a. Returns false with *why if none fits. */
static bool try_layout(struct us_program *a, const struct chip *chip, const struct hwemit_source *source,
                       unsigned layout, const struct fragprog_options *passes, struct fragprog_reason *why)
{
    struct way best = {0}, last = {0};
    uint32_t least = UINT32_MAX;
    struct fragprog_reason other;
    struct fragprog_options silent = *passes;
    silent.hooks = NULL;
    const unsigned programs = hwemit_is_optimised(source) ? 2 : 1;
    for (unsigned n = 0; n < (passes->level > 2 ? 4 : 2); n++) {
        const struct way way = {.plain = n % 2 == 1,
                                .expanded = n / 2 == 1,
                                .layout = (uint8_t)layout,
                                .most_pairs = least / PAIR};
        if (n % 2 >= programs || (least != UINT32_MAX && (passes->level == 1 || least < 2 * PAIR)))
            continue;
        last = way;
        if (make(a, chip, source, &way, &silent, n == 0 ? why : &other) && price(&a->p) < least) {
            least = price(&a->p);
            best = way;
        }
    }
    const bool shows = passes->hooks && passes->hooks->after;
    if (least != UINT32_MAX && (shows || last.plain != best.plain || last.expanded != best.expanded))
        make(a, chip, source, &best, passes, &other);
    return least != UINT32_MAX;
}

bool hwemit_us_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                       const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct us_program *a = source->scratch;
    const int asked = hwemit_option_value(options, OPTION_CONSTANTS_LAYOUT, -1);
    struct chip wider = *chip;
    if (options->assume >> ASSUME_THREE_CONSTANTS & 1)
        wider.pair_consts = 6;
    wider.part_presub |= options->assume >> ASSUME_PRESUB_PART & 1;
    wider.dot_copies_first = options->assume >> ASSUME_DOT_COPY & 1;
    bool fits = try_layout(a, &wider, source, asked < 0 ? FRAGPROG_CONSTANTS_VECTORS_FIRST : (unsigned)asked,
                           &options->passes, why);
    /* The densest packing may cost instructions, because vectors are then read lane by lane. So it is tried
     * only if the constants do not fit otherwise. */
    if (!fits && asked < 0 && strcmp(why->code, "constants") == 0)
        fits = try_layout(a, &wider, source, FRAGPROG_CONSTANTS_BEST, &options->passes, why);
    return fits && hwemit_r300_encode(code, &a->p, why);
}
