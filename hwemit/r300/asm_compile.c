/* Compiles an ARB fragment program for r300, r400 or r500. Tries the optimised and the plain program, each
 * scheduled by critical path and in program order, and keeps the result with the fewest pairs; among
 * equals, the one with the fewest other resources. */
#include "hwemit/r300/asm.h"

#include <stddef.h>
#include <string.h>

struct way {
    bool plain, in_order;
    uint8_t layout;
};

/* Size of the scratch memory behind the program structure. */
enum { ROOM = 2 << 20 };

struct asm_scratch {
    struct program p;
    struct asm_program a;
    struct machine m;
};

size_t hwemit_asm_scratch(unsigned insts)
{
    const size_t selection = MACHINE_BYTES(ASM_OPS, insts, 0);
    return sizeof(struct asm_scratch) + (selection > ROOM ? selection : ROOM);
}

static bool make(struct asm_scratch *scratch, const struct chip *chip, const struct hwemit_source *source,
                 const struct way *way, const struct fragprog_hooks *hooks, struct fragprog_reason *why)
{
    struct program *p = &scratch->p;
    struct asm_program *a = &scratch->a;
    memset(p, 0, offsetof(struct program, op));
    memset(a, 0, offsetof(struct asm_program, op));
    p->chip = chip;
    p->source = a->ir = way->plain ? source->plain : source->best;
    a->p = p;
    a->why = why;
    a->in_order = way->in_order;
    a->layout = way->layout;
    a->colour = (char *)(scratch + 1);
    a->room = ROOM;
    if (!hwemit_asm_select(a, &scratch->m, a->colour, hooks) || !hwemit_asm_units(a) ||
        !hwemit_asm_outputs(a) || !hwemit_asm_constants(a) || !hwemit_asm_split(a) ||
        !hwemit_asm_schedule(a) || !hwemit_asm_allocate(a))
        return false;
    hwemit_asm_fill(a);
    if (chip->total && p->npairs + p->ntex > chip->total)
        return hwemit_refuse(why, -1, "instructions", "a shorter program",
                             "the program needs %u instructions, the chip has %u",
                             (unsigned)p->npairs + p->ntex, (unsigned)chip->total);
    return true;
}

static uint32_t price(const struct program *p)
{
    return p->npairs * 1000000u + p->phases * 100000u + p->temps * 300u + p->nconsts;
}

/* Tries all variants with one layout of the constants, and leaves the shortest program in *scratch. Returns
 * false with *why if none fits. */
static bool try_layout(struct asm_scratch *scratch, const struct chip *chip,
                       const struct hwemit_source *source, unsigned layout,
                       const struct fragprog_hooks *hooks, struct fragprog_reason *why)
{
    struct way best = {0}, last = {0};
    uint32_t least = UINT32_MAX;
    struct fragprog_reason other;
    for (unsigned n = 0; n < 4; n++) {
        const struct way way = {.plain = n / 2 == 1, .in_order = n % 2 == 1, .layout = (uint8_t)layout};
        if (way.plain && (!source->plain || source->plain == source->best))
            continue;
        last = way;
        if (make(scratch, chip, source, &way, NULL, n == 0 ? why : &other) && price(&scratch->p) < least) {
            least = price(&scratch->p);
            best = way;
        }
    }
    const bool shows = hooks && hooks->after;
    if (least != UINT32_MAX && (shows || last.plain != best.plain || last.in_order != best.in_order))
        make(scratch, chip, source, &best, hooks, &other);
    return least != UINT32_MAX;
}

bool hwemit_asm_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct asm_scratch *scratch = source->scratch;
    const int asked = hwemit_option_value(options, OPTION_CONSTANTS_LAYOUT, -1);
    bool fits = try_layout(scratch, chip, source,
                           asked < 0 ? FRAGPROG_CONSTANTS_VECTORS_FIRST : (unsigned)asked,
                           options->passes.hooks, why);
    /* The densest packing may cost instructions, because vectors are then read lane by lane. So it is tried
     * only if the constants do not fit otherwise. */
    if (!fits && asked < 0 && strcmp(why->code, "constants") == 0)
        fits = try_layout(scratch, chip, source, FRAGPROG_CONSTANTS_BEST, options->passes.hooks, why);
    return fits && hwemit_r300_encode(code, &scratch->p, why);
}
