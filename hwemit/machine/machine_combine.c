/* Joins operations that do the same on different channels of the same registers (for example the colour and
 * the alpha half of a stage), and removes repeated computations. At this point each value is written by only
 * one operation, so operands do not change, and a later operation with the same operands can move up to the
 * first one. */
#include "hwemit/machine/machine.h"

#include <string.h>

enum { WINDOW = 64 }; /* maximum number of operations by which one is moved up */

/* Makes the operation write components map[c] of value `to` instead of each component c. */
static void rename_result(struct machine_op *op, unsigned to, const uint8_t map[4])
{
    const struct machine_op old = *op;
    const bool by_channel = hwemit_machine_kind(op->op) == MACHINE_CHANNELS;
    op->value = (uint16_t)to;
    op->mask = 0;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 4; k++) {
            if (!(old.mask >> c & 1) || !(map[c] >> k & 1))
                continue;
            op->mask |= (uint8_t)(1u << k);
            op->texel[k] = old.texel[c];
            for (unsigned s = 0; s < 3 && by_channel; s++)
                op->arg[s][k] = old.arg[s][c];
        }
}

unsigned hwemit_machine_fit(uint8_t map[4], unsigned components, unsigned taken, bool own)
{
    memset(map, 0, 4);
    for (unsigned any = 0; any < 2u - own; any++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned k = 0; k < 4; k++)
                if (components >> c & 1 && !map[c] && !(taken >> k & 1) && (any || k == c)) {
                    map[c] = (uint8_t)(1u << k);
                    taken |= map[c];
                }
    return taken;
}

void hwemit_machine_rename(struct machine *m, unsigned from, unsigned to, const uint8_t map[4])
{
    uint8_t first[4] = {0};
    for (unsigned c = 0; c < 4; c++) {
        while (map[c] && !(map[c] >> first[c] & 1))
            first[c]++;
        if (!(m->value[from].components >> c & 1))
            continue;
        m->value[to].components |= map[c];
        m->value[to].unit = (uint8_t)((m->value[to].unit & ~map[c]) |
                                      (m->value[from].unit >> c & 1 ? map[c] : 0));
    }
    m->value[to].own |= m->value[from].own;
    m->value[from].components = 0;
    for (unsigned i = 0; i < m->nops; i++) {
        struct machine_op *op = &m->op[i];
        if (op->mask && op->value == from)
            rename_result(op, to, map);
        for (unsigned s = 0; s < hwemit_machine_args(op->op); s++)
            for (unsigned c = 0; c < 4; c++) {
                struct machine_src *at = &op->arg[s][c];
                if (at->file != MACHINE_VALUE || at->index != from)
                    continue;
                at->index = (uint16_t)to;
                at->lane = first[at->lane] & 3;
            }
    }
}

static bool same_but_for_clamp(const struct machine_op *x, const struct machine_op *y)
{
    return x->op == y->op && x->cond == y->cond && x->terms == y->terms && x->texture == y->texture &&
        x->scale == y->scale;
}
static bool same_operation(const struct machine_op *x, const struct machine_op *y)
{
    return same_but_for_clamp(x, y) && x->sat == y->sat;
}

/* ---- repeated computations ---- */

static bool same_component(const struct machine_op *x, unsigned c, const struct machine_op *y, unsigned k)
{
    const enum machine_kind kind = hwemit_machine_kind(x->op);
    for (unsigned s = 0; s < hwemit_machine_args(x->op) && kind == MACHINE_CHANNELS; s++)
        if (!hwemit_machine_same(x->arg[s][c], y->arg[s][k]))
            return false;
    return (kind != MACHINE_LOOKUP || x->texel[c] == y->texel[k]) && (kind != MACHINE_LANES || c == k);
}

static bool again(struct machine *m, const struct machine_op *first, const struct machine_op *second)
{
    uint8_t map[4] = {0};
    const bool whole = hwemit_machine_kind(first->op) != MACHINE_CHANNELS;
    const bool factors = m->value[first->value].kind == MACHINE_FACTORS;
    for (unsigned s = 0; s < 3 && whole; s++)
        for (unsigned c = 0; c < 4; c++)
            if (hwemit_machine_reads(first, s) >> c & 1 &&
                !hwemit_machine_same(first->arg[s][c], second->arg[s][c]))
                return false;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 4 && second->mask >> c & 1 && !map[c]; k++)
            if (first->mask >> k & 1 && same_component(second, c, first, k) && (!factors || c == k))
                map[c] = (uint8_t)(1u << k);
    for (unsigned c = 0; c < 4; c++)
        if (second->mask >> c & 1 && !map[c])
            return false;
    const unsigned from = second->value, to = first->value;
    m->op[second - m->op] = (struct machine_op){0};
    hwemit_machine_rename(m, from, to, map);
    return true;
}

/* If a dot product is computed both with and without clamp, replaces the clamped one by a move that clamps,
 * which machine_mix.c may join with other operations. */
static void clamp_by_move(struct machine *m, struct machine_op *first, struct machine_op *second)
{
    const bool dot = hwemit_machine_kind(first->op) == MACHINE_DOT;
    if (!m->target->selects || !dot || first->sat || !second->sat || !same_but_for_clamp(first, second))
        return;
    for (unsigned s = 0; s < 2; s++)
        for (unsigned c = 0; c < 4; c++)
            if (first->terms >> c & 1 && !hwemit_machine_same(first->arg[s][c], second->arg[s][c]))
                return;
    unsigned lowest = 0;
    while (!(first->mask >> lowest & 1))
        lowest++;
    const struct machine_src sum = hwemit_machine_component(m, first, lowest);
    second->op = MACHINE_MOV;
    second->terms = 0;
    for (unsigned c = 0; c < 4; c++)
        second->arg[0][c] = sum;
}

/* ---- side by side ---- */

/* Tells whether everything that both operations read with source s is in one register, or consists of
 * numbers, and has one sign. Adds the numbers to the *n different ones in seen. */
static bool together(const struct machine_op *x, const struct machine_op *y, unsigned s, uint16_t seen[5],
                     unsigned *n)
{
    const struct machine_src *first = NULL;
    for (unsigned i = 0; i < 8; i++) {
        const struct machine_op *op = i < 4 ? x : y;
        const struct machine_src *at = &op->arg[s][i % 4];
        if (!(op->mask >> i % 4 & 1))
            continue;
        first = first ? first : at;
        if (at->file != first->file || at->neg != first->neg || at->abs != first->abs ||
            (at->file == MACHINE_VALUE && at->index != first->index))
            return false;
        bool known = at->file != MACHINE_NUMBER;
        for (unsigned k = 0; k < *n && !known; k++)
            known = seen[k] == at->index;
        if (!known && *n == 4)
            return false;
        if (!known)
            seen[(*n)++] = at->index;
    }
    return true;
}

static bool join(struct machine *m, struct machine_op *first, struct machine_op *second)
{
    uint8_t map[4];
    uint16_t seen[5];
    unsigned n = 0;
    if (hwemit_machine_kind(first->op) != MACHINE_CHANNELS || m->value[first->value].kind != MACHINE_RESULT ||
        m->value[second->value].kind != MACHINE_RESULT ||
        hwemit_machine_count(first->mask) + hwemit_machine_count(second->mask) > 4)
        return false;
    for (unsigned s = 0; s < hwemit_machine_args(first->op); s++)
        if (!together(first, second, s, seen, &n))
            return false;
    const unsigned taken = hwemit_machine_fit(map, second->mask, first->mask, false);
    for (unsigned s = 0; s < 3; s++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned k = 0; k < 4; k++)
                if (map[c] >> k & 1)
                    first->arg[s][k] = second->arg[s][c];
    first->mask = (uint8_t)taken;
    const unsigned from = second->value, to = first->value;
    *second = (struct machine_op){0};
    hwemit_machine_rename(m, from, to, map);
    return true;
}

bool hwemit_machine_combine(struct machine *m)
{
    for (unsigned i = 0; i < m->nops; i++)
        for (unsigned j = i + 1; j < m->nops && j <= i + WINDOW; j++) {
            struct machine_op *first = &m->op[i], *second = &m->op[j];
            if (first->mask && second->mask && same_operation(first, second) &&
                m->value[second->value].kind != MACHINE_OUTPUT && !again(m, first, second) &&
                !m->target->halves)
                join(m, first, second);
            else if (first->mask && second->mask)
                clamp_by_move(m, first, second);
        }
    return hwemit_machine_trim(m);
}
