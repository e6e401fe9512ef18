/* Compiles a fragment program: tries variants and keeps the shortest result. At -O1 it takes the first
 * that fits; at -O3 it tries more. */
#include "hwemit/r300/us.h"

#include <stddef.h>
#include <string.h>

/* Bits of the number of a variant: the program before the optimiser; sums and products as they are (struct
 * machine). */
enum { PLAIN = 1, EXPANDED = 2 };

/* ---- the steps on the machine form ---- */

static bool outputs(struct machine *m)
{
    return hwemit_us_convert(m->own) && hwemit_us_units(m->own) && hwemit_us_outputs(m->own);
}
static bool constants(struct machine *m) { return hwemit_us_constants(m->own) && hwemit_us_split(m->own); }
static bool presubtract(struct machine *m)
{
    hwemit_us_presubtract(m->own);
    hwemit_us_order(m->own, false);
    return true;
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

/* Compiles variant n. Returns false, too, if it has more pairs than are of use. */
static bool make(struct us_program *a, const struct chip *chip, const struct hwemit_source *source,
                 const struct hwemit_options *options, unsigned n, struct fragprog_reason *why)
{
    const struct fragprog *best = source->best, *plain = source->plain ? source->plain : best;
    set_up(a, n & PLAIN ? plain : best, hwemit_is_large(best) || hwemit_is_large(plain));
    a->p.chip = chip;
    a->layout = hwemit_option_value(options, OPTION_CONSTANTS_LAYOUT, US_ANY_LAYOUT);
    a->m->why = why;
    a->m->expanded = n & EXPANDED;
    a->m->samplers = HWEMIT_TEXTURES;
    a->m->angle = chip->generation == R500 ? MACHINE_TURN : MACHINE_POLYNOMIAL;
    if (!hwemit_machine_run(a->m, hwemit_us_steps, options->passes.hooks))
        return false;
    if (!hwemit_us_schedule(a)) {
        if (a->p.temps <= chip->temps)
            return false;
        hwemit_us_order(a, true); /* fewer values are alive at once */
        if (!hwemit_us_schedule(a))
            return false;
    }
    hwemit_us_fill(a);
    if (chip->total && a->p.npairs + a->p.ntex > chip->total)
        return hwemit_refuse(why, -1, "instructions", "a shorter program",
                             "the program needs %u instructions, the chip has %u",
                             (unsigned)a->p.npairs + a->p.ntex, (unsigned)chip->total);
    return true;
}

bool hwemit_us_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                       const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct us_program *a = source->scratch;
    const struct fragprog_hooks *hooks = options->passes.hooks;
    const unsigned level = options->passes.level;
    struct hwemit_options silent = *options;
    struct fragprog_reason other;
    unsigned best = 0;
    uint32_t least = UINT32_MAX;
    silent.passes.hooks = NULL;
    a->most = US_PAIRS;
    for (unsigned n = 0; n < (level > 2 ? 4 : 2); n++) {
        struct fragprog_reason *const own = n == 0 ? why : &other;
        if ((n & PLAIN && !hwemit_is_optimised(source)) ||
            (least != UINT32_MAX && (level == 1 || least < 2 * PAIR)))
            continue;
        if (make(a, chip, source, &silent, n, own) && price(&a->p) < least &&
            hwemit_r300_encode(code, &a->p, own)) {
            least = price(&a->p);
            a->most = least / PAIR;
            best = n;
        }
    }
    if (hooks && hooks->after && least != UINT32_MAX)
        make(a, chip, source, options, best, &other);
    return least != UINT32_MAX;
}
