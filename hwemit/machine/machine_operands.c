/* Legalises operands for chips with registers of four channels: an operand can read one register, with one
 * sign, or numbers from one register of the constant file. Values that an operand reads together are put into
 * one register if there is room. Otherwise an operation is split by channels or, if it is a dot product or a
 * lookup, moves collect the channels in a register. */
#include "hwemit/machine/machine.h"

#include <string.h>

/* ---- values side by side ---- */

static void side_by_side(struct machine *m, struct machine_op *op, unsigned s)
{
    const unsigned channels = hwemit_machine_reads(op, s);
    const struct machine_src *first = NULL;
    struct machine_slot seen = {.n = 0}; /* the values */
    unsigned total = 0;
    for (unsigned c = 0; c < 4; c++) {
        const struct machine_src *at = &op->arg[s][c];
        if (!(channels >> c & 1) || hwemit_machine_selected(m, *at))
            continue;
        first = first ? first : at;
        if (at->file != MACHINE_VALUE || m->value[at->index].kind != MACHINE_RESULT ||
            (!m->target->selects && (at->neg != first->neg || at->abs != first->abs)))
            return;
        const unsigned n = seen.n;
        hwemit_machine_hold(&seen, at->index);
        total += seen.n > n ? hwemit_machine_count(m->value[at->index].components) : 0;
    }
    if (!first || total > 4)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1 && op->arg[s][c].file == first->file && op->arg[s][c].index != first->index)
            hwemit_machine_merge(m, op->arg[s][c].index, first->index);
}

/* ---- what one operand can read ---- */

/* Tells whether y can be read together with x. */
static bool agree(const struct machine *m, const struct machine_src *x, const struct machine_src *y)
{
    if (hwemit_machine_selected(m, *x) || hwemit_machine_selected(m, *y))
        return true;
    if (x->file != y->file || (x->file == MACHINE_VALUE && x->index != y->index))
        return false;
    return m->target->selects || (x->neg == y->neg && x->abs == y->abs);
}

/* Returns the mask of channels of the source that can be read together with the first one that does not
 * select 0 or 1. */
static unsigned readable(const struct machine *m, const struct machine_op *op, unsigned s, unsigned channels)
{
    const struct machine_src *first = NULL;
    unsigned good = 0;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1 && (!first || hwemit_machine_selected(m, *first)))
            first = &op->arg[s][c];
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1 && agree(m, first, &op->arg[s][c]))
            good |= 1u << c;
    return good;
}

void hwemit_machine_own_signs(struct machine *m, struct machine_op *op, unsigned s)
{
    for (unsigned c = 0; c < 4; c++) {
        struct machine_src *at = &op->arg[s][c];
        const float *own = hwemit_machine_value(m, *at);
        const bool neg = at->neg;
        if (own && *own < 0) {
            *at = hwemit_machine_immediate(m, -*own);
            at->neg = !neg;
        }
    }
}

unsigned hwemit_machine_from_slots(const struct machine *m, const struct machine_op *op, unsigned s)
{
    unsigned outside = op->numbers >> 4 * s & 15;
    if (outside && !m->target->selects)
        return outside & ~m->target->inlined(m, op, s);
    for (unsigned c = 0; outside >> c; c++)
        if (outside >> c & 1 && hwemit_machine_selected(m, op->arg[s][c]))
            outside &= ~(1u << c);
    return outside;
}

/* ---- rewriting the operations ---- */

bool hwemit_machine_rewritten(struct machine *m)
{
    memcpy(m->op, m->next, m->nops * sizeof *m->op);
    return !m->failed;
}

/* Moves the source's channels to a register, with their signs, in as few moves as possible. */
static void collect(struct machine *m, struct machine_op *op, unsigned s)
{
    const unsigned channels = hwemit_machine_reads(op, s);
    struct machine_op move = hwemit_machine_make(MACHINE_MOV, op->arg[s], NULL, NULL);
    move.value = hwemit_machine_new_value(m, MACHINE_RESULT, channels);
    for (unsigned left = channels; left; left &= ~(unsigned)move.mask) {
        move.mask = (uint8_t)readable(m, &move, 0, left);
        struct machine_op part = move;
        if (m->target->selects)
            hwemit_machine_own_signs(m, &part, 0);
        hwemit_machine_append_to(m, m->next, &part);
    }
    m->value[move.value].own = m->target->whole_lookups && hwemit_machine_looks_up(op);
    for (unsigned c = 0; c < 4; c++)
        op->arg[s][c] = channels >> c & 1 ? hwemit_machine_component(m, &move, c) : (struct machine_src){0};
    hwemit_machine_find_reads(op);
}

/* Makes the instruction read only one register of the constant file: at most four numbers. Other numbers are
 * first moved to a register. */
static void one_slot(struct machine *m, struct machine_op *op)
{
    while (m->one_slot && op->numbers && !m->failed) {
        unsigned most = 0;
        if (hwemit_machine_different(m, op, 7) <= 4)
            return;
        for (unsigned s = 1; s < 3; s++)
            if (hwemit_machine_different(m, op, 1u << s) > hwemit_machine_different(m, op, 1u << most))
                most = s;
        collect(m, op, most);
        m->moves++;
    }
}

static void finish(struct machine *m, struct machine_op *op)
{
    for (unsigned s = 0; s < 3 && m->target->selects; s++)
        hwemit_machine_own_signs(m, op, s);
    one_slot(m, op);
    hwemit_machine_append_to(m, m->next, op);
}

/* Legalises an operation that cannot be split by channels. Coordinates must be in a register without sign, on
 * chips with whole_lookups also without swizzle. */
static void whole(struct machine *m, const struct machine_op *from)
{
    struct machine_op op = *from;
    const bool lookup = hwemit_machine_looks_up(&op);
    for (unsigned s = 0; s < (lookup ? 1 : 3); s++) {
        const unsigned channels = hwemit_machine_reads(&op, s);
        bool bad = channels && readable(m, &op, s, channels) != channels;
        for (unsigned c = 0; c < 4; c++)
            bad = bad ||
                (lookup && channels >> c & 1 &&
                 (op.arg[s][c].file != MACHINE_VALUE || op.arg[s][c].neg || op.arg[s][c].abs ||
                  (m->target->whole_lookups && op.arg[s][c].lane != c)));
        if (bad)
            collect(m, &op, s);
        else if (lookup && m->target->whole_lookups)
            m->value[op.arg[s][hwemit_machine_lowest(channels)].index].own = 1;
    }
    if (lookup && m->target->bias_in_w)
        op.arg[1][0] = op.arg[0][3];
    hwemit_machine_find_reads(&op);
    finish(m, &op);
}

/* Returns the channels that do not select 0 or 1; if all do, returns `channels`. */
static unsigned unselected(const struct machine *m, const struct machine_src x[4], unsigned channels)
{
    unsigned rest = channels;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1 && hwemit_machine_selected(m, x[c]))
            rest &= ~(1u << c);
    return rest ? rest : channels;
}

static void by_channel(struct machine *m, const struct machine_op *from)
{
    for (unsigned left = from->mask, these; left; left &= ~these) {
        struct machine_op part = *from;
        these = left;
        for (unsigned s = 0; s < hwemit_machine_args(from->op); s++)
            these = readable(m, from, s, these);
        if (from->op ==
            MACHINE_MOV) /* a move that also selects 0 or 1 could not be removed (machine_place.c) */
            these = unselected(m, from->arg[0], these);
        part.mask = (uint8_t)these;
        if (these != from->mask)
            hwemit_machine_find_reads(&part);
        finish(m, &part);
    }
}

/* Returns whether the operation is a move to an output that can be split into moves of single channels, which
 * later steps remove or join with other operations. */
static bool can_be_parted(const struct machine *m, const struct machine_op *op)
{
    return m->target->selects && op->op == MACHINE_MOV && m->value[op->value].kind == MACHINE_OUTPUT;
}

bool hwemit_machine_operands(struct machine *m)
{
    const unsigned n = m->nops;
    for (unsigned i = m->nops; i-- > 0;)
        for (unsigned s = 0; s < 3 && !can_be_parted(m, &m->op[i]); s++)
            side_by_side(m, &m->op[i], s);
    m->nops = 0;
    for (unsigned i = 0; i < n && !m->failed; i++)
        if (hwemit_machine_kind(m->op[i].op) == MACHINE_CHANNELS)
            by_channel(m, &m->op[i]);
        else
            whole(m, &m->op[i]);
    m->legal = true;
    return hwemit_machine_rewritten(m);
}
