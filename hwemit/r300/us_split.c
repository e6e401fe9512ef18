/* Legalises operands whose swizzle the chip does not have: splits a vector operation by channels; replaces a
 * dot product by a sum of products. */
#include "hwemit/r300/us.h"

#include <string.h>

/* ---- swizzles ---- */

const uint8_t *hwemit_us_swizzle(const uint8_t lane[3], unsigned mask)
{
    const struct fragprog_constants_target *chip = &fragprog_constants_pairs;
    for (unsigned s = 0; s < chip->nnative; s++) {
        bool equal = true;
        for (unsigned c = 0; c < 3; c++)
            equal = equal && (!(mask >> c & 1) || lane[c] == chip->native[s][c]);
        if (equal)
            return chip->native[s];
    }
    return NULL;
}

/* Returns a number that identifies what a channel is read from: a temporary (values that share one are a
 * unit, see us_units.c), a constant slot, or an inline literal. */
static unsigned place_of(const struct us_program *a, const struct us_chan *c)
{
    return c->file == US_VALUE ? hwemit_us_unit(a, c->index) : (unsigned)c->file << 16 | c->index;
}

/* Returns whether the colour half can read these channels as one operand (notes/facts/r300.md 2.3, 4). */
static bool selectable(const struct us_program *a, const struct us_chan *chan, unsigned mask)
{
    const bool r500 = a->p.chip->generation == R500;
    unsigned first = 0, place = UINT32_MAX;
    bool equal = true;
    uint8_t lane[3] = {0};
    while (!(mask >> first & 1))
        first++;
    for (unsigned c = first + 1; c < 3; c++)
        equal &= !(mask >> c & 1) || memcmp(&chan[c], &chan[first], sizeof *chan) == 0;
    if (equal)
        return true;
    for (unsigned c = first; c < 3; c++) {
        if (!(mask >> c & 1))
            continue;
        if (chan[c].neg != chan[first].neg || chan[c].abs != chan[first].abs)
            return false;
        if (chan[c].file == US_LITERAL) {
            if (!r500)
                return false;
            continue;
        }
        if (place != UINT32_MAX && place != place_of(a, &chan[c]))
            return false;
        place = place_of(a, &chan[c]);
        lane[c] = chan[c].file == US_VALUE ? (uint8_t)hwemit_us_lane(a, &chan[c]) : chan[c].lane;
    }
    return r500 || hwemit_us_swizzle(lane, mask) != NULL;
}

static bool all_selectable(const struct us_program *a, const struct us_op *op, unsigned mask)
{
    for (unsigned s = 0; s < hwemit_us_operands(op); s++)
        if (!selectable(a, op->arg[s], mask))
            return false;
    return true;
}

/* ---- too many constants for a pair ---- */

static unsigned slots_of(const struct us_op *op, unsigned mask, uint16_t slot[12])
{
    unsigned n = 0;
    for (unsigned s = 0; s < hwemit_us_operands(op); s++)
        for (unsigned c = 0; c < 4; c++) {
            const struct us_chan *chan = &op->arg[s][c];
            bool seen = !(mask >> c & 1) || chan->file != US_SLOT;
            for (unsigned i = 0; i < n && !seen; i++)
                seen = slot[i] == chan->index;
            if (!seen)
                slot[n++] = chan->index;
        }
    return n;
}

static bool reads_constant(const struct us_op *op, unsigned s)
{
    for (unsigned c = 0; c < 4; c++)
        if (hwemit_us_channels(op) >> c & 1 && op->arg[s][c].file == US_SLOT)
            return true;
    return false;
}

/* Copies the last constant operand into a temporary; on r500 some of its channels can be 0, 1/2 or 1. */
static void copy_constant(struct us_program *a, unsigned i)
{
    struct us_op *op = &a->op[i];
    unsigned s = hwemit_us_operands(op);
    while (!reads_constant(op, s - 1))
        s--;
    struct us_op move = hwemit_us_copy(op->arg[s - 1], op->order);
    move.kind = op->kind;
    move.mask = op->mask;
    for (unsigned c = 0; c < 4; c++)
        move.arg[0][c].neg = move.arg[0][c].abs = false;
    const struct us_op *made = hwemit_us_emit(a, &move);
    op = &a->op[i];
    for (unsigned c = 0; c < 4 && made; c++) {
        op->arg[s - 1][c].file = US_VALUE;
        op->arg[s - 1][c].index = made->value;
        op->arg[s - 1][c].lane = op->kind == US_VECTOR ? (uint8_t)c : 0;
    }
}

/* ---- operations on channels ---- */

/* Returns the largest subset of `left` that one operation can do, the lowest channels first. */
static unsigned most(const struct us_program *a, const struct us_op *op, unsigned left)
{
    unsigned best = left & -left;
    for (unsigned mask = 1; mask < 8; mask++)
        if ((mask & left) == mask && hwemit_machine_count(mask) > hwemit_machine_count(best) &&
            all_selectable(a, op, mask))
            best = mask;
    return best;
}

static void split_vector(struct us_program *a, unsigned i)
{
    const struct us_op whole = a->op[i];
    unsigned left = whole.mask, at = i;
    while (left) {
        const unsigned mask = most(a, &whole, left);
        left &= ~mask;
        if (at == a->maxops) {
            hwemit_us_refuse_long(a);
            return;
        }
        struct us_op *op = &a->op[at];
        *op = whole;
        op->mask = (uint8_t)mask;
        op->out[RGB] = whole.out[RGB] & (uint8_t)mask;
        for (unsigned c = 0; c < 3; c++)
            if (mask >> c & 1)
                a->value[whole.value].writer[c] = (uint16_t)at;
        if (at == a->nops)
            a->nops++;
        at = a->nops;
    }
}

/* ---- dot products ---- */

static void sum(struct us_program *a, unsigned i)
{
    const struct us_op whole = a->op[i];
    struct us_chan total = hwemit_us_literal(FRAGPROG_ZERO);
    const unsigned n = whole.kind == US_DOT3 ? 3 : 4;
    for (unsigned c = 0; c < n; c++) {
        struct us_op term = {.kind = US_SCALAR, .code = OP_MAD, .mask = 1, .order = whole.order};
        term.arg[0][0] = whole.arg[0][c];
        term.arg[1][0] = whole.arg[1][c];
        term.arg[2][0] = total;
        if (c + 1 < n) {
            hwemit_us_number(a, &term, &total);
            continue;
        }
        struct us_op *last = &a->op[i];
        *last = whole;
        last->kind = US_SCALAR;
        last->code = OP_MAD;
        memcpy(last->arg, term.arg, sizeof term.arg);
    }
}

/* A dot product can write its result in both halves, but the sum of products that replaces it only in one. If
 * both are needed, adds a copy of the result for the outputs of the other half. */
static void leave_one_half(struct us_program *a, unsigned i)
{
    const unsigned half = a->value[a->op[i].value].lane == 3 ? RGB : ALPHA;
    const struct us_chan x = {.file = US_VALUE, .index = a->op[i].value};
    struct us_op copy = hwemit_us_copy((struct us_chan[4]){x, x, x, x}, a->op[i].order);
    if (!hwemit_us_wants(a, &a->op[i], RGB) || !hwemit_us_wants(a, &a->op[i], ALPHA))
        return;
    copy.target = a->op[i].target;
    copy.out[half] = a->op[i].out[half];
    a->op[i].out[half] = 0;
    if (half == ALPHA) {
        copy.depth = a->op[i].depth;
        a->op[i].depth = false;
    } else if (copy.out[RGB] & (copy.out[RGB] - 1)) {
        copy.kind = US_VECTOR;
        copy.mask = copy.out[RGB];
    }
    hwemit_us_emit(a, &copy);
}

/* Returns whether the operands of a four-term dot product fit the three source addresses of each part. The
 * schedule decides later which part holds a scalar without a fixed lane; tries the worst cases, in which all
 * of them are in one part. */
static bool addressable(struct us_program *a, unsigned i)
{
    struct pair pair;
    bool fits = true;
    for (unsigned part = 0; part < 2; part++) {
        for (unsigned n = 0; n < 8; n++)
            if (a->op[i].arg[n / 4][n % 4].file == US_VALUE)
                a->value[a->op[i].arg[n / 4][n % 4].index].part = (uint8_t)part;
        fits &= hwemit_us_place(a, &pair, i, i);
    }
    return fits;
}

static bool issuable(struct us_program *a, unsigned i)
{
    const struct us_op *op = &a->op[i];
    uint16_t slot[12];
    if (slots_of(op, hwemit_us_channels(op), slot) > a->p.chip->pair_consts)
        return false;
    return op->kind == US_DOT3 || addressable(a, i);
}

static void split_dot(struct us_program *a, unsigned i)
{
    struct us_op *op = &a->op[i];
    if (all_selectable(a, op, 7) && issuable(a, i))
        return;
    leave_one_half(a, i);
    if (!a->failed)
        sum(a, i);
}

bool hwemit_us_split(struct us_program *a)
{
    uint16_t slot[12];
    for (unsigned i = 0; i < a->nops && !a->failed; i++) {
        if (a->op[i].kind == US_VECTOR)
            split_vector(a, i);
        else if (a->op[i].kind == US_DOT3 || a->op[i].kind == US_DOT4)
            split_dot(a, i);
        if (!a->failed && slots_of(&a->op[i], hwemit_us_channels(&a->op[i]), slot) > a->p.chip->pair_consts)
            copy_constant(a, i);
    }
    return !a->failed;
}
