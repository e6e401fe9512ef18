/* Compiles a fragment program: tries variants and keeps the shortest result. At -O1 it takes the first
 * that fits; at -O3 it tries more. */
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

/* ---- the steps on the machine form ---- */

static bool outputs(struct machine *m)
{
    return hwemit_us_convert(m->own) && hwemit_us_units(m->own) && hwemit_us_outputs(m->own);
}
static bool constants(struct machine *m) { return hwemit_us_constants(m->own) && hwemit_us_split(m->own); }
static bool presubtract(struct machine *m)
{
    return hwemit_us_presubtract(m->own) && hwemit_us_order_constants(m->own);
}
const struct hwemit_step hwemit_us_steps[] = {{"select", hwemit_machine_select},
                                              {"combine", hwemit_machine_combine},
                                              {"factor", hwemit_machine_factor},
                                              {"outputs", outputs},
                                              {"constants", constants},
                                              {"presubtract", presubtract},
                                              {NULL, NULL}};

/* The operations of the unit: codes, and which argument each operand A, B, C gets (notes/facts/r300.md 2.1).
 * r300 and r400 have neither SIN nor COS (MACHINE_POLYNOMIAL). */
static const struct machine_target target = {
    .row = {[MACHINE_MOV] = {1, true, OP_MAD, 0, {1}},
            [MACHINE_ADD] = {1, false, OP_MAD, 0, {1, 0, 2}},
            [MACHINE_MUL] = {1, false, OP_MAD, 0, {1, 2}},
            [MACHINE_MAD] = {1, false, OP_MAD, 0, {1, 2, 3}},
            [MACHINE_MIN] = {1, false, OP_MIN, 0, {1, 2}},
            [MACHINE_MAX] = {1, false, OP_MAX, 0, {1, 2}},
            [MACHINE_CGE] = {1, false, OP_CMP, 0, {2, 3, 1}},
            [MACHINE_CHOOSE] = {1, false, OP_CMP, 0, {1, 2, 3}},
            [MACHINE_DP3] = {1, false, OP_DP3, 0, {1, 2}},
            [MACHINE_DP4] = {1, false, OP_DP4, 0, {1, 2}},
            [MACHINE_EX2] = {1, false, US_EX2, 0, {1}},
            [MACHINE_LG2] = {1, false, US_LG2, 0, {1}},
            [MACHINE_RCP] = {1, false, US_RCP, 0, {1}},
            [MACHINE_RSQ] = {1, false, US_RSQ, 0, {1}},
            [MACHINE_SIN] = {1, false, US_SIN, 0, {1}},
            [MACHINE_COS] = {1, false, US_COS, 0, {1}},
            [MACHINE_TEX] = {1, false, TEX_LD, 0, {1}},
            [MACHINE_TXB] = {1, false, TEX_TXB, 0, {1}},
            [MACHINE_TXP] = {1, false, TEX_TXP, 0, {1}},
            [MACHINE_KILL] = {1, false, TEX_KIL, 0, {1}},
            [MACHINE_FRC] = {1, false, OP_FRC, 0, {1}}},
    .rectangles = true,
    .outputs = true,
    .bias_in_w = true,
    .halves = true,
    .ops = US_OPS,
    .small = US_SMALL_OPS,
    .classes = &fragprog_classes_lanes,
};

/* Clears *a and divides the memory behind it. */
static void set_up(struct us_program *a, const struct fragprog *ir, bool large)
{
    const unsigned ops = large ? US_OPS : US_SMALL_OPS, lookups = large ? US_LOOKUPS : US_SMALL_LOOKUPS;
    char *at = (char *)(a + 1);
    memset(a, 0, offsetof(struct us_program, value));
    a->value = hwemit_machine_take(&at, MACHINE_VALUES(ops), sizeof *a->value);
    a->p.tex = hwemit_machine_take(&at, lookups, sizeof *a->p.tex);
    a->p.pair = hwemit_machine_take(&at, US_PAIRS, sizeof *a->p.pair);
    struct machine_presub(*presub)[2] = hwemit_machine_take(&at, ops, sizeof *presub);
    a->m = hwemit_machine_take(&at, 1, sizeof *a->m);
    hwemit_machine_set_up(a->m, at, &target, ir);
    a->m->own = a;
    a->m->presub = presub;
    a->m->nroom = large ? US_ROOM : a->m->nroom;
}

enum { PAIR = 1000000 }; /* the price of a pair */
static uint32_t price(const struct program *p)
{
    return p->npairs * PAIR + p->phases * 100000u + p->temps * 300u + p->nconsts;
}

/* Schedules by critical path or, if that is shorter, in the order of the program. Returns false, too, if
 * there are certainly more pairs than `most`. */
static bool schedule(struct us_program *a, bool both, uint32_t most)
{
    struct fragprog_reason *const why = a->m->why;
    struct fragprog_reason other;
    if (!hwemit_us_graph(a) || hwemit_us_least_pairs(a) > most)
        return false;
    const bool fits = hwemit_us_schedule(a, false, UINT16_MAX);
    const unsigned pairs = fits ? a->p.npairs : UINT_MAX;
    if (!both || pairs <= hwemit_us_least_pairs(a))
        return fits;
    a->m->why = &other;
    const bool shorter = hwemit_us_schedule(a, true, UINT16_MAX) && a->p.npairs < pairs;
    a->m->why = why;
    return shorter || (fits && hwemit_us_schedule(a, false, UINT16_MAX));
}

/* Assigns temporaries. If there are too few, schedules again so that fewer values are alive at once. */
static bool allocate(struct us_program *a)
{
    struct fragprog_reason *const why = a->m->why;
    struct fragprog_reason other;
    if (hwemit_us_allocate(a))
        return true;
    a->m->why = &other;
    const bool fits = hwemit_us_graph(a) && hwemit_us_schedule(a, true, a->p.chip->temps / 4) &&
        hwemit_us_allocate(a);
    a->m->why = why;
    return fits;
}

/* Compiles one variant. Returns false, too, if it has too many pairs. */
static bool make(struct us_program *a, const struct chip *chip, const struct hwemit_source *source,
                 const struct way *way, const struct fragprog_options *passes, struct fragprog_reason *why)
{
    const struct fragprog *best = source->best, *plain = source->plain ? source->plain : best;
    set_up(a, way->plain ? plain : best, hwemit_is_large(best) || hwemit_is_large(plain));
    a->p.chip = chip;
    a->layout = way->layout;
    a->m->why = why;
    a->m->expanded = way->expanded;
    a->m->samplers = HWEMIT_TEXTURES;
    a->m->search = a->m->ir->unbounded ? 500 : 0;
    a->m->angle = chip->generation == R500 ? MACHINE_TURN : MACHINE_POLYNOMIAL;
    if (!hwemit_machine_run(a->m, hwemit_us_steps, passes->hooks) ||
        !schedule(a, passes->level != 1, way->most_pairs) || a->p.npairs > way->most_pairs || !allocate(a))
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
