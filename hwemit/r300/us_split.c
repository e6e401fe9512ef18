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
 * unit, see us_units.c) or a constant slot. */
static unsigned place_of(const struct us_program *a, const struct machine_src *c)
{
    return c->file == MACHINE_VALUE ? hwemit_us_unit(a, c->index) : (unsigned)c->file << 16 | c->index;
}

/* Returns whether the colour half can read these channels as one operand (notes/facts/r300.md 2.3, 4). */
static bool selectable(const struct us_program *a, const struct machine_src *chan, unsigned mask)
{
    const bool r500 = a->p.chip->generation == R500;
    const unsigned first = hwemit_machine_lowest(mask);
    unsigned place = UINT32_MAX;
    bool equal = true;
    uint8_t lane[3] = {0};
    for (unsigned c = first + 1; c < 3; c++)
        equal &= !(mask >> c & 1) || hwemit_machine_same(chan[c], chan[first]);
    if (equal)
        return true;
    for (unsigned c = first; c < 3; c++) {
        if (!(mask >> c & 1))
            continue;
        if (chan[c].neg != chan[first].neg || chan[c].abs != chan[first].abs)
            return false;
        if (chan[c].file == MACHINE_LITERAL) {
            if (!r500)
                return false;
            continue;
        }
        if (place != UINT32_MAX && place != place_of(a, &chan[c]))
            return false;
        place = place_of(a, &chan[c]);
        lane[c] = chan[c].file == MACHINE_VALUE ? (uint8_t)hwemit_us_lane(a, &chan[c]) : chan[c].lane;
    }
    return r500 || hwemit_us_swizzle(lane, mask) != NULL;
}

static bool all_selectable(const struct us_program *a, const struct machine_op *op, unsigned mask)
{
    for (unsigned s = 0; s < hwemit_machine_args(op->op); s++)
        if (!selectable(a, op->arg[s], mask))
            return false;
    return true;
}

/* ---- too many constants for a pair ---- */

static bool reads_constant(const struct machine_op *op, unsigned s)
{
    for (unsigned c = 0; c < 4; c++)
        if (hwemit_machine_reads(op, s) >> c & 1 && op->arg[s][c].file == MACHINE_SLOT)
            return true;
    return false;
}

/* ---- operations on channels ---- */

/* Returns the largest subset of `left` that one operation can do, the lowest channels first. */
static unsigned most(const struct us_program *a, const struct machine_op *op, unsigned left)
{
    static const uint8_t subsets[] = {7, 3, 5, 6, 1, 2, 4};
    unsigned n = 0;
    while ((subsets[n] & left) != subsets[n] || !all_selectable(a, op, subsets[n]))
        n++;
    return subsets[n];
}

static void split_vector(struct us_program *a, unsigned i)
{
    const struct machine_op whole = a->m->op[i];
    for (unsigned left = whole.mask; left;) {
        const unsigned mask = most(a, &whole, left);
        struct machine_op *op = left == whole.mask ? &a->m->op[i] : hwemit_us_append(a, &whole);
        left &= ~mask;
        if (!op)
            return;
        op->mask = (uint8_t)mask;
        op->out[RGB] = whole.out[RGB] & (uint8_t)mask;
        for (unsigned c = 0; c < 3; c++)
            if (mask >> c & 1)
                a->value[whole.value].writer[c] = (uint16_t)(op - a->m->op);
    }
}

/* ---- dot products ---- */

static void sum(struct us_program *a, unsigned i)
{
    const struct machine_op whole = a->m->op[i];
    struct machine_src total = hwemit_us_literal(FRAGPROG_ZERO);
    const unsigned n = whole.kind == US_DOT3 ? 3 : 4;
    for (unsigned c = 0; c < n; c++) {
        struct machine_op term = {.op = MACHINE_MAD, .kind = US_SCALAR, .mask = 1};
        term.order = (uint16_t)(whole.order - 1);
        term.arg[0][0] = whole.arg[0][c];
        term.arg[1][0] = whole.arg[1][c];
        term.arg[2][0] = total;
        if (c + 1 < n) {
            total = hwemit_us_emit(a, &term);
            continue;
        }
        struct machine_op *last = &a->m->op[i];
        *last = whole;
        last->kind = US_SCALAR;
        last->op = MACHINE_MAD;
        memcpy(last->arg, term.arg, sizeof term.arg);
    }
}

bool hwemit_us_split(struct us_program *a)
{
    for (unsigned i = a->nlookups; i < a->m->nops && !a->m->failed; i++) {
        if (a->m->op[i].kind == US_VECTOR)
            split_vector(a, i);
        const struct machine_op *op = &a->m->op[i];
        if ((op->kind == US_DOT3 || op->kind == US_DOT4) &&
            !(all_selectable(a, op, 7) && hwemit_us_fits(a, i)))
            sum(a, i);
        if (reads_constant(op, 0) && reads_constant(op, 1) && reads_constant(op, 2) && !hwemit_us_fits(a, i))
            hwemit_us_copy_operand(a, &a->m->op[i], 2);
    }
    return !a->m->failed;
}
