/* Packs the constants of a program into slots for the operands that read them, by constant compaction
 * (fragprog_constants_compact in fragprog/alloc/constants.c decides which constants share a slot). */
#include "hwemit/r300/us.h"

#include <string.h>

/* What operands of r500 can select: any lanes and literals. */
static const struct fragprog_constants_target any = {.inlined = 7, .negate = 1};

/* Returns the index of the constant that a number is a channel of. Added literals follow those of the source.
 */
static unsigned constant_of(const struct us_program *a, struct machine_src x)
{
    return x.index >= MACHINE_NUMBERS ? (x.index - MACHINE_NUMBERS) / 4u
                                      : a->m->ir->nkonst + a->m->number[x.index].place;
}

static unsigned channel_of(struct machine_src x) { return x.index >= MACHINE_NUMBERS ? x.index % 4 : 0; }

/* ---- the constants that operands read ---- */

/* What an operand reads of one constant: its channels that do. */
struct place {
    uint16_t op;
    uint8_t source, channels;
};

struct reads {
    uint32_t n, most;
    struct fragprog_constants_read *read;
    struct place *place; /* of each */
};

static bool find_reads(struct us_program *a, struct reads *r, unsigned i, unsigned s)
{
    const struct machine_op *op = &a->m->op[i];
    const struct machine_src *x = op->arg[s];
    unsigned todo = 0;
    for (unsigned c = 0, channels = hwemit_machine_reads(op, s); channels >> c; c++)
        todo |= (unsigned)(channels >> c & 1 && x[c].file == MACHINE_NUMBER) << c;
    while (todo) {
        const unsigned first = hwemit_machine_lowest(todo), constant = constant_of(a, x[first]);
        const bool number = hwemit_machine_reads(op, s) == 1;
        unsigned these = 0;
        for (unsigned c = first; c < 4; c++)
            if (todo >> c & 1 && constant_of(a, x[c]) == constant)
                these |= 1u << c;
        todo &= ~these;
        if (r->n == r->most)
            return hwemit_us_refuse_long(a);
        struct fragprog_constants_read *read = &r->read[r->n];
        r->place[r->n++] = (struct place){(uint16_t)i, (uint8_t)s, (uint8_t)these};
        *read = (struct fragprog_constants_read){.slot = (uint16_t)constant};
        read->channels = (uint8_t)(number ? 8 : these);
        for (unsigned c = 0; c < 4; c++)
            read->lane[c] = (uint8_t)channel_of(x[number ? 0 : c]);
    }
    return true;
}

/* Makes the channels of an operand read the slots that have been found for them. */
static void put(struct us_program *a, const struct place *place, const struct fragprog_constants_use *use)
{
    struct machine_op *op = &a->m->op[place->op];
    for (unsigned c = 0; c < 4; c++) {
        struct machine_src *x = &op->arg[place->source][c];
        const unsigned channel = hwemit_machine_reads(op, place->source) == 1 ? 3 : c;
        const uint8_t lane = use->lane[channel];
        if (!(place->channels >> c & 1))
            continue;
        x->neg ^= (use->negate >> channel & 1) && !x->abs;
        x->lane = lane & 3;
        x->file = lane > FRAGPROG_W ? MACHINE_LITERAL : MACHINE_SLOT;
        x->index = lane > FRAGPROG_W ? lane : use->slot[channel];
    }
}

/* ---- slots ---- */

static void find_slots(const struct us_program *a, struct fragprog_constants_slot *before)
{
    fragprog_constants_slots(before, a->m->ir);
    for (unsigned n = 0; n < a->m->nnumbers; n++) {
        const struct machine_number *x = &a->m->number[n];
        if (x->place != MACHINE_NONE)
            before[a->m->ir->nkonst + x->place] = (struct fragprog_constants_slot){
                .value = {x->value, x->value, x->value, x->value}};
    }
}

static void describe(struct us_program *a, const struct fragprog_constants_lane lane[4], struct constant *to)
{
    *to = (struct constant){.origin = {-1, -1, -1, -1}};
    for (unsigned c = 0; c < 4; c++) {
        if (lane[c].kind == FRAGPROG_CONSTANTS_UNUSED)
            continue;
        to->used |= (uint8_t)(1u << c);
        to->value[c] = lane[c].value;
        if (lane[c].kind == FRAGPROG_CONSTANTS_EXTERNAL) {
            const struct fragprog_const *k = &a->m->ir->konst[lane[c].slot];
            to->value[c] = k->value[lane[c].lane];
            to->origin[c] = k->origin[lane[c].lane].unit;
            to->component[c] = k->origin[lane[c].lane].component;
        }
    }
}

bool hwemit_us_constants(struct us_program *a)
{
    char *at = a->m->room;
    struct reads r = {.most = 3u * a->m->maxops};
    const unsigned nconsts = a->m->ir->nkonst + a->nnumbers;
    struct fragprog_constants_slot *before = hwemit_machine_take(&at, nconsts, sizeof *before);
    struct fragprog_constants_use *use = hwemit_machine_take(&at, r.most, sizeof *use);
    r.read = hwemit_machine_take(&at, r.most, sizeof *r.read);
    r.place = hwemit_machine_take(&at, r.most, sizeof *r.place);
    const bool r500 = a->p.chip->generation == R500;
    for (unsigned i = a->nlookups; i < a->m->nops; i++)
        for (unsigned s = 0; s < hwemit_machine_args(a->m->op[i].op); s++)
            if (!find_reads(a, &r, i, s))
                return false;
    if (nconsts > US_CONSTS)
        return hwemit_refuse(a->m->why, -1, "constants", "fewer constants",
                             "the program has %u constants, the chip %u", nconsts,
                             (unsigned)a->p.chip->consts);
    find_slots(a, before);
    if (r.n == 0)
        return true;
    struct fragprog_constants_request request = {.slot = before,
                                                 .read = r.read,
                                                 .nslots = (uint16_t)nconsts,
                                                 .nreads = r.n,
                                                 .target = r500 ? &any : &fragprog_constants_pairs,
                                                 .layout = a->layout == US_ANY_LAYOUT
                                                     ? FRAGPROG_CONSTANTS_VECTORS_FIRST
                                                     : (enum fragprog_constants_layout)a->layout,
                                                 .limit = a->p.chip->consts};
    struct fragprog_constants out = {.use = use};
    out.slot = hwemit_machine_take(&at, request.nslots + request.nreads + 1, sizeof *out.slot);
    if (at > a->m->room + a->m->nroom ||
        fragprog_constants_scratch(request.nslots, request.nreads) > (size_t)(a->m->room + a->m->nroom - at))
        return hwemit_us_refuse_long(a);
    bool fits = fragprog_constants_compact(&out, &request, at, a->m->why);
    if (!fits && a->layout == US_ANY_LAYOUT) { /* this may cost instructions: vectors are read lane by lane */
        request.layout = FRAGPROG_CONSTANTS_BEST;
        fits = fragprog_constants_compact(&out, &request, at, a->m->why);
    }
    if (!fits) {
        memcpy(a->m->why->fit, "fewer constants", sizeof "fewer constants");
        return false;
    }
    for (unsigned n = 0; n < out.nslots; n++)
        describe(a, out.slot[n], &a->slot[a->nslots++]);
    for (unsigned n = 0; n < r.n; n++)
        put(a, &r.place[n], &use[n]);
    return true;
}
