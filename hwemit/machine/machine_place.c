/* Removes moves whose source can be written directly to their destination (coalescing): all readers of the
 * source then read the destination. At this point each component is written by only one operation. */
#include "hwemit/machine/machine.h"

#include <string.h>

/* Finds the components of the destination that replace those of `from` if the move is removed. Returns false
 * if it cannot be removed. */
static bool destination(const struct machine *m, const struct machine_op *move, unsigned from, uint8_t map[4])
{
    const struct machine_value *to = &m->value[move->value], *source = &m->value[from];
    unsigned taken = to->components;
    memset(map, 0, 4);
    for (unsigned c = 0; c < 4; c++)
        if (move->mask >> c & 1)
            map[move->arg[0][c].lane] |= (uint8_t)(1u << c);
    for (unsigned c = 0; c < 4; c++) {
        if (!(source->components >> c & 1) || map[c])
            continue;
        unsigned k = 0;
        while (k < 4 && taken >> k & 1)
            k++;
        if (k == 4 || to->kind != MACHINE_RESULT)
            return false;
        taken |= 1u << k;
        map[c] = (uint8_t)(1u << k);
    }
    for (unsigned c = 0; c < 4 && source->own; c++)
        if (source->components >> c & 1 && map[c] != 1u << c)
            return false;
    return true;
}

/* Tells whether an operation other than the move reads the value. */
static bool is_read(const struct machine *m, const struct machine_op *move, unsigned value)
{
    for (const struct machine_op *op = m->op; op < m->op + m->nops; op++)
        for (unsigned r = op != move ? op->reads : 0; r; r &= r - 1)
            if (hwemit_machine_at(op, r).index == value)
                return true;
    return false;
}

/* Tells whether the move can be replaced by clamping the value where it is written: only the move reads the
 * value, and the operations that write it can clamp. */
static bool can_saturate(const struct machine *m, const struct machine_op *move, unsigned value)
{
    unsigned moved = 0;
    for (unsigned c = 0; c < 4; c++)
        if (move->mask >> c & 1)
            moved |= 1u << move->arg[0][c].lane;
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        if (op->mask && op->value == value && !m->target->row[op->op].sat)
            return false;
    }
    return moved == m->value[value].components && !is_read(m, move, value);
}

unsigned hwemit_machine_moved(const struct machine_op *move)
{
    unsigned from = MACHINE_NONE;
    if (move->op != MACHINE_MOV)
        return MACHINE_NONE;
    for (unsigned c = 0; c < 4; c++) {
        const struct machine_src *at = &move->arg[0][c];
        if (!(move->mask >> c & 1))
            continue;
        if (at->file != MACHINE_VALUE || at->neg || at->abs || (from != MACHINE_NONE && at->index != from))
            return MACHINE_NONE;
        from = at->index;
    }
    return from;
}

/* Returns the value that the move copies if the move can be removed, else MACHINE_NONE. */
static unsigned vanishes(const struct machine *m, const struct machine_op *move, uint8_t map[4])
{
    const unsigned from = hwemit_machine_moved(move);
    const bool can = from != MACHINE_NONE && from != move->value && m->value[from].kind == MACHINE_RESULT &&
        m->value[move->value].kind != MACHINE_FACTORS &&
        (!move->sat || hwemit_machine_clamps(m, &m->value[move->value]) || can_saturate(m, move, from)) &&
        destination(m, move, from, map) &&
        /* outputs are not read: no driver lets lookups and kills do so, and some chips cannot */
        !(m->target->files && m->value[move->value].kind == MACHINE_OUTPUT && is_read(m, move, from));
    return can ? from : MACHINE_NONE;
}

bool hwemit_machine_can_move(const struct machine *m, unsigned from, unsigned to)
{
    for (unsigned k = from + 1; k <= to; k++)
        if (hwemit_machine_follows(&m->op[k], &m->op[from]))
            return false;
    for (unsigned k = to; k < from; k++)
        if (hwemit_machine_follows(&m->op[from], &m->op[k]))
            return false;
    return true;
}

/* The last moves come first: one whose result is then moved to an output becomes a move to this output. */
bool hwemit_machine_place(struct machine *m)
{
    for (unsigned i = m->nops; i-- > 0;) {
        uint8_t map[4];
        struct machine_op *move = &m->op[i];
        const unsigned from = vanishes(m, move, map), to = move->value;
        if (from == MACHINE_NONE)
            continue;
        const bool clamp = move->sat && can_saturate(m, move, from);
        for (unsigned k = 0; k < m->nops && clamp; k++)
            if (m->op[k].mask && m->op[k].value == from)
                m->op[k].sat = true;
        *move = (struct machine_op){0};
        hwemit_machine_rename(m, from, to, map);
    }
    return hwemit_machine_trim(m);
}
