/* Packs the constants of a program into slots for the operands that read them
 * (fragprog_constants_compact), and encodes literals in address fields on r500. Constants that GL state sets
 * come first, as the driver uploads them (notes/facts/r300.md 3.2c, upload order). */
#include "hwemit/r300/us.h"
#include "hwemit/r300/r300_encode.h"

#include <string.h>

/* Constant layouts for r500, which has arbitrary swizzles. */
static const struct fragprog_constants_target any = {.inlined = 7, .negate = 1};

static float value_of(const struct us_program *a, const struct us_chan *c)
{
    return c->index < a->ir->nkonst ? a->ir->konst[c->index].value[c->lane]
                                    : a->number[c->index - a->ir->nkonst];
}

static bool immediate(const struct us_program *a, const struct us_chan *c)
{
    return c->file == US_CONST &&
        (c->index >= a->ir->nkonst || a->ir->konst[c->index].origin[c->lane].unit < 0);
}

/* On r500, encodes operand s in the address field if all its channels are the same literal up to sign. */
static void inline_numbers(const struct us_program *a, struct us_op *op, unsigned s)
{
    const unsigned channels = hwemit_us_channels(op);
    float magnitude = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(channels >> c & 1))
            continue;
        const float value = immediate(a, &op->arg[s][c]) ? value_of(a, &op->arg[s][c]) : 0;
        if (value == 0 || (magnitude && value != magnitude && -value != magnitude))
            return;
        magnitude = value < 0 ? -value : value;
    }
    const int32_t code = fragprog_immediate(a->p.chip->immediates, magnitude, NULL);
    if (code < 0)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) {
            const bool below = value_of(a, &op->arg[s][c]) < 0 && !op->arg[s][c].abs;
            op->arg[s][c] = (struct us_chan){.file = US_INLINE,
                                             .lane = US_ANY_LANE,
                                             .index = (uint16_t)code,
                                             .neg = op->arg[s][c].neg ^ below};
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

static void put(struct us_chan *c, const struct fragprog_constants_use *use, unsigned channel)
{
    const uint8_t lane = use->lane[channel];
    c->neg ^= (use->negate >> channel & 1) && !c->abs;
    c->lane = lane;
    c->file = lane > FRAGPROG_W ? US_LITERAL : US_SLOT;
    c->index = lane > FRAGPROG_W ? 0 : use->slot[channel];
}

static bool operand(struct walk *w, struct us_op *op, unsigned s)
{
    struct us_program *a = w->a;
    const unsigned channels = hwemit_us_channels(op);
    unsigned todo = 0;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1 && op->arg[s][c].file == US_CONST)
            todo |= 1u << c;
    while (todo) {
        unsigned first = 0, these = 0;
        while (!(todo >> first & 1))
            first++;
        for (unsigned c = first; c < 4; c++)
            if (todo >> c & 1 && op->arg[s][c].index == op->arg[s][first].index)
                these |= 1u << c;
        todo &= ~these;
        if (w->n == w->most)
            return hwemit_us_refuse_long(a);
        struct fragprog_constants_read *read = &w->read[w->n];
        const bool number = channels == 1;
        if (!w->put) {
            *read = (struct fragprog_constants_read){.slot = op->arg[s][first].index};
            read->channels = (uint8_t)(number ? 8 : these);
            for (unsigned c = 0; c < 4; c++)
                read->lane[c] = op->arg[s][number ? 0 : c].lane;
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
    for (unsigned i = 0; i < a->nops; i++)
        for (unsigned s = 0; s < hwemit_us_operands(&a->op[i]); s++)
            if (!operand(w, &a->op[i], s))
                return false;
    return true;
}

/* ---- slots ---- */

static bool find_slots(struct us_program *a, struct fragprog_constants_slot *before)
{
    a->nconsts = (uint16_t)(a->ir->nkonst + a->nnumbers);
    if (a->nconsts > a->maxconsts) {
        a->failed = true;
        return hwemit_refuse(a->why, -1, "constants", "fewer constants",
                             "the program has %u constants, the chip %u", (unsigned)a->nconsts,
                             (unsigned)a->p.chip->consts);
    }
    fragprog_constants_slots(before, a->ir);
    for (unsigned n = 0; n < a->nnumbers; n++) {
        before[a->ir->nkonst + n] = (struct fragprog_constants_slot){0};
        for (unsigned c = 0; c < 4; c++)
            before[a->ir->nkonst + n].value[c] = a->number[n];
    }
    return true;
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
            const struct fragprog_const *k = &a->ir->konst[lane[c].slot];
            to->value[c] = k->value[lane[c].lane];
            to->origin[c] = k->origin[lane[c].lane].unit;
            to->component[c] = k->origin[lane[c].lane].component;
        }
    }
}

bool hwemit_us_constants(struct us_program *a)
{
    char *at = a->room;
    struct walk w = {.a = a, .most = 3u * a->maxops};
    struct fragprog_constants_slot *before = hwemit_machine_take(&at, a->maxconsts, sizeof *before);
    w.read = hwemit_machine_take(&at, w.most, sizeof *w.read);
    w.use = hwemit_machine_take(&at, w.most, sizeof *w.use);
    const bool r500 = a->p.chip->generation == R500;
    for (unsigned i = 0; a->p.chip->immediates && i < a->nops; i++)
        for (unsigned s = 0; s < hwemit_us_operands(&a->op[i]); s++)
            inline_numbers(a, &a->op[i], s);
    if (!find_slots(a, before) || !walk(&w))
        return false;
    if (w.n == 0)
        return true;
    const struct fragprog_constants_request request = {.slot = before,
                                                       .read = w.read,
                                                       .nslots = a->nconsts,
                                                       .nreads = w.n,
                                                       .target = r500 ? &any : &fragprog_constants_pairs,
                                                       .layout = (enum fragprog_constants_layout)a->layout,
                                                       .limit = a->p.chip->consts};
    struct fragprog_constants out = {.use = w.use};
    out.slot = hwemit_machine_take(&at, request.nslots + request.nreads + 1, sizeof *out.slot);
    if (at > a->room + a->nroom ||
        fragprog_constants_scratch(request.nslots, request.nreads) > (size_t)(a->room + a->nroom - at))
        return hwemit_us_refuse_long(a);
    if (!fragprog_constants_compact(&out, &request, at, a->why)) {
        a->failed = true;
        memcpy(a->why->fit, "fewer constants", sizeof "fewer constants");
        return false;
    }
    for (unsigned n = 0; n < out.nslots; n++)
        describe(a, out.slot[n], &a->slot[a->nslots++]);
    w.put = true;
    return walk(&w);
}

static void renumber(const uint16_t *number, struct us_chan (*chan)[4], unsigned n)
{
    for (unsigned i = 0; i < 4 * n; i++)
        if (chan[i / 4][i % 4].file == US_SLOT)
            chan[i / 4][i % 4].index = number[chan[i / 4][i % 4].index];
}

bool hwemit_us_order_constants(struct us_program *a)
{
    uint16_t number[HWEMIT_CONSTANTS], n = 0;
    char *at = a->room;
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
    for (unsigned i = 0; i < a->nops; i++) {
        renumber(number, a->op[i].arg, 3);
        renumber(number, a->op[i].presub[0].source, 2);
        renumber(number, a->op[i].presub[1].source, 2);
    }
    return true;
}
