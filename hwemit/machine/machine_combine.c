/* Removes repeated computations. At this point each value is written by only one operation, so operands do
 * not change, and what repeats an earlier operation can be replaced by its result. */
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
    hwemit_machine_find_reads(op);
}

void hwemit_machine_rename(struct machine *m, unsigned from, unsigned to, const uint8_t map[4])
{
    uint8_t first[4] = {0};
    for (unsigned c = 0; c < 4; c++) {
        first[c] = map[c] ? (uint8_t)hwemit_machine_lowest(map[c]) : 0;
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
        for (unsigned r = op->reads; r; r &= r - 1) {
            const unsigned n = hwemit_machine_lowest(r);
            struct machine_src *at = &op->arg[n / 4][n % 4];
            if (at->index != from)
                continue;
            at->index = (uint16_t)to;
            at->lane = first[at->lane] & 3;
        }
    }
}

bool hwemit_machine_merge(struct machine *m, unsigned from, unsigned to)
{
    const unsigned components = m->value[from].components;
    unsigned taken = m->value[to].components, left = components;
    uint8_t map[4] = {0};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 4; k++)
            if (left >> c & 1 && !(taken >> k & 1) && (k == c || !m->value[from].own)) {
                map[c] = (uint8_t)(1u << k);
                taken |= map[c];
                left &= ~(1u << c);
            }
    if (!left)
        hwemit_machine_rename(m, from, to, map);
    return !left;
}

static bool same_operation(const struct machine_op *x, const struct machine_op *y)
{
    return x->op == y->op && x->cond == y->cond && x->terms == y->terms && x->texture == y->texture &&
        x->scale == y->scale && x->sat == y->sat;
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

static void again(struct machine *m, const struct machine_op *first, const struct machine_op *second)
{
    uint8_t map[4] = {0};
    const bool whole = hwemit_machine_kind(first->op) != MACHINE_CHANNELS;
    const bool factors = m->value[first->value].kind == MACHINE_FACTORS;
    for (unsigned s = 0; s < 3 && whole; s++)
        for (unsigned c = 0; c < 4; c++)
            if (hwemit_machine_reads(first, s) >> c & 1 &&
                !hwemit_machine_same(first->arg[s][c], second->arg[s][c]))
                return;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 4 && second->mask >> c & 1 && !map[c]; k++)
            if (first->mask >> k & 1 && same_component(second, c, first, k) && (!factors || c == k))
                map[c] = (uint8_t)(1u << k);
    for (unsigned c = 0; c < 4; c++)
        if (second->mask >> c & 1 && !map[c])
            return;
    const unsigned from = second->value, to = first->value;
    m->op[second - m->op] = (struct machine_op){0};
    hwemit_machine_rename(m, from, to, map);
}

/* If a dot product is computed again with a clamp, makes that a move of the first result, which other steps
 * may join with other operations: on chips with halves if the first one is clamped, too, and scaled less, as
 * sat(4d) is sat(2*sat(2d)); on others if it is not clamped. */
static void move_dot(const struct machine *m, const struct machine_op *first, struct machine_op *second)
{
    const int scale = second->scale - first->scale;
    if ((!m->target->selects && !m->target->halves) || first->sat != m->target->halves || !second->sat ||
        hwemit_machine_kind(first->op) != MACHINE_DOT || first->op != second->op ||
        first->terms != second->terms || scale < 0 || scale > 3 ||
        memcmp(first->arg, second->arg, sizeof first->arg) != 0)
        return;
    const struct machine_src dot = hwemit_machine_component(m, first, hwemit_machine_lowest(first->mask));
    second->op = MACHINE_MOV;
    second->scale = (int8_t)scale;
    second->terms = 0;
    memset(second->arg, 0, sizeof second->arg);
    for (unsigned c = 0; c < 4; c++)
        second->arg[0][c] = dot;
    hwemit_machine_find_reads(second);
}

bool hwemit_machine_combine(struct machine *m)
{
    for (unsigned i = 0; i < m->nops; i++)
        for (unsigned j = i + 1; j < m->nops && j <= i + WINDOW; j++) {
            struct machine_op *first = &m->op[i], *second = &m->op[j];
            if (first->mask && second->mask && same_operation(first, second) &&
                m->value[second->value].kind != MACHINE_OUTPUT)
                again(m, first, second);
            else if (first->mask && second->mask)
                move_dot(m, first, second);
        }
    return true;
}
