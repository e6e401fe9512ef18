/* Packs the constants of a program into slots for the operands that read them, by constant compaction
 * (fragprog_constants_compact in fragprog/alloc/constants.c decides which constants share a slot), and
 * encodes literals in address fields on r500. Constants that GL state sets come first, as the driver uploads
 * them (notes/facts/r300.md 3.2c, upload order). */
#include "hwemit/r300/us.h"
#include "hwemit/r300/r300_encode.h"

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

/* Returns the value of an operand, 0 if the driver sets it. */
static float value_of(const struct us_program *a, struct machine_src x)
{
    const float *own = hwemit_machine_value(a->m, x);
    if (own || x.file != MACHINE_NUMBER)
        return own ? *own : 0;
    const struct fragprog_const *k = &a->m->ir->konst[constant_of(a, x)];
    return k->origin[channel_of(x)].unit < 0 ? k->value[channel_of(x)] : 0;
}

/* On r500, encodes operand s in the address field if all its channels are the same number up to sign. */
static void inline_numbers(const struct us_program *a, struct machine_op *op, unsigned s)
{
    const unsigned channels = hwemit_machine_reads(op, 0);
    float magnitude = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1))
            continue;
        const float value = value_of(a, op->arg[s][c]);
        if (value == 0 || (magnitude && value != magnitude && -value != magnitude))
            return;
        magnitude = value < 0 ? -value : value;
    }
    const int32_t code = fragprog_immediate(a->p.chip->immediates, magnitude, NULL);
    if (code < 0)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) {
            const bool below = value_of(a, op->arg[s][c]) < 0 && !op->arg[s][c].abs;
            op->arg[s][c] = (struct machine_src){
                .file = MACHINE_INLINE, .index = (uint16_t)code, .neg = op->arg[s][c].neg ^ below};
        }
}

/* ---- two walks over all operands in the same order: the first collects the constants that they read, the
 * second makes them read slots ---- */

struct walk {
    struct us_program *a;
    uint32_t n, most;
    bool put; /* true in the second walk */
    struct fragprog_constants_read *read;
    struct fragprog_constants_use *use;
};

static void put(struct machine_src *c, const struct fragprog_constants_use *use, unsigned channel)
{
    const uint8_t lane = use->lane[channel];
    c->neg ^= (use->negate >> channel & 1) && !c->abs;
    c->lane = lane & 3;
    c->file = lane > FRAGPROG_W ? MACHINE_LITERAL : MACHINE_SLOT;
    c->index = lane > FRAGPROG_W ? lane : use->slot[channel];
}

static bool operand(struct walk *w, struct machine_op *op, unsigned s)
{
    struct us_program *a = w->a;
    const unsigned channels = hwemit_machine_reads(op, 0);
    unsigned todo = 0;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1 && op->arg[s][c].file == MACHINE_NUMBER)
            todo |= 1u << c;
    while (todo) {
        const unsigned first = hwemit_machine_lowest(todo), constant = constant_of(a, op->arg[s][first]);
        unsigned these = 0;
        for (unsigned c = first; c < 4; c++)
            if (todo >> c & 1 && constant_of(a, op->arg[s][c]) == constant)
                these |= 1u << c;
        todo &= ~these;
        if (w->n == w->most)
            return hwemit_us_refuse_long(a);
        struct fragprog_constants_read *read = &w->read[w->n];
        const bool number = channels == 1;
        if (!w->put) {
            *read = (struct fragprog_constants_read){.slot = (uint16_t)constant};
            read->channels = (uint8_t)(number ? 8 : these);
            for (unsigned c = 0; c < 4; c++)
                read->lane[c] = (uint8_t)channel_of(op->arg[s][number ? 0 : c]);
        } else
            for (unsigned c = 0; c < 4; c++)
                if (these >> c & 1)
                    put(&op->arg[s][c], &w->use[w->n], number ? 3 : c);
        w->n++;
    }
    return true;
}

static bool walk(struct walk *w)
{
    struct us_program *a = w->a;
    w->n = 0;
    for (unsigned i = a->nlookups; i < a->m->nops; i++)
        for (unsigned s = 0; s < hwemit_machine_args(a->m->op[i].op); s++)
            if (!operand(w, &a->m->op[i], s))
                return false;
    return true;
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
    struct walk w = {.a = a, .most = 3u * a->m->maxops};
    const unsigned nconsts = a->m->ir->nkonst + a->nnumbers;
    struct fragprog_constants_slot *before = hwemit_machine_take(&at, nconsts, sizeof *before);
    w.read = hwemit_machine_take(&at, w.most, sizeof *w.read);
    w.use = hwemit_machine_take(&at, w.most, sizeof *w.use);
    const bool r500 = a->p.chip->generation == R500;
    for (unsigned i = a->nlookups; a->p.chip->immediates && i < a->m->nops; i++)
        for (unsigned s = 0; s < hwemit_machine_args(a->m->op[i].op); s++)
            inline_numbers(a, &a->m->op[i], s);
    if (nconsts > US_CONSTS)
        return hwemit_refuse(a->m->why, -1, "constants", "fewer constants",
                             "the program has %u constants, the chip %u", nconsts,
                             (unsigned)a->p.chip->consts);
    if (!walk(&w))
        return false;
    find_slots(a, before);
    if (w.n == 0)
        return true;
    const struct fragprog_constants_request request = {.slot = before,
                                                       .read = w.read,
                                                       .nslots = (uint16_t)nconsts,
                                                       .nreads = w.n,
                                                       .target = r500 ? &any : &fragprog_constants_pairs,
                                                       .layout = (enum fragprog_constants_layout)a->layout,
                                                       .limit = a->p.chip->consts};
    struct fragprog_constants out = {.use = w.use};
    out.slot = hwemit_machine_take(&at, request.nslots + request.nreads + 1, sizeof *out.slot);
    if (at > a->m->room + a->m->nroom ||
        fragprog_constants_scratch(request.nslots, request.nreads) > (size_t)(a->m->room + a->m->nroom - at))
        return hwemit_us_refuse_long(a);
    if (!fragprog_constants_compact(&out, &request, at, a->m->why)) {
        memcpy(a->m->why->fit, "fewer constants", sizeof "fewer constants");
        return false;
    }
    for (unsigned n = 0; n < out.nslots; n++)
        describe(a, out.slot[n], &a->slot[a->nslots++]);
    w.put = true;
    return walk(&w);
}

static void renumber(const uint16_t *number, struct machine_src (*chan)[4], unsigned n)
{
    for (unsigned i = 0; i < 4 * n; i++)
        if (chan[i / 4][i % 4].file == MACHINE_SLOT)
            chan[i / 4][i % 4].index = number[chan[i / 4][i % 4].index];
}

bool hwemit_us_order_constants(struct us_program *a)
{
    uint16_t number[HWEMIT_CONSTANTS], n = 0;
    char *at = a->m->room;
    struct constant *slot = hwemit_machine_take(&at, a->nslots, sizeof *slot);
    while (n + 1 < a->nslots && (hwemit_r300_external(&a->slot[n]) || !hwemit_r300_external(&a->slot[n + 1])))
        n++;
    if (n + 1 >= a->nslots)
        return true; /* they are in order */
    n = 0;
    memcpy(slot, a->slot, a->nslots * sizeof *slot);
    for (unsigned immediates = 0; immediates < 2; immediates++)
        for (unsigned k = 0; k < a->nslots; k++) {
            if (hwemit_r300_external(&slot[k]) == immediates)
                continue;
            number[k] = n;
            a->slot[n++] = slot[k];
        }
    for (unsigned i = a->nlookups; i < a->m->nops; i++) {
        renumber(number, a->m->op[i].arg, 3);
        renumber(number, a->m->presub[i][0].source, 2);
        renumber(number, a->m->presub[i][1].source, 2);
    }
    return true;
}
