/* Some chips execute a program in phases: a lookup whose coordinates were computed in the current phase
 * begins a new one, and the number of phases is limited. Orders operations so that there are few phases, and
 * counts them. A kill counts as a lookup if it reads a register as lookups do, not a single number. */
#include "hwemit/machine/machine.h"

#include <string.h>

/* Returns the first phase (from 0) in which the operation can be executed, given the phase of each value. */
static unsigned first_phase(const struct machine *m, const struct machine_op *op, const uint16_t *phase)
{
    unsigned n = 0;
    for (unsigned r = op->reads; r; r &= r - 1) {
        const struct machine_src x = hwemit_machine_at(op, r);
        const unsigned after = phase[x.index] +
            (hwemit_machine_looks_up(op) && m->value[x.index].kind != MACHINE_INPUT);
        n = after > n ? after : n;
    }
    return n;
}

bool hwemit_machine_order_phases(struct machine *m)
{
    char *at = m->room + m->nops * sizeof *m->next;
    unsigned n = 0, most = 0;
    uint16_t *phase = hwemit_machine_take(&at, m->nvalues, sizeof *phase); /* of values */
    uint16_t *of_op = hwemit_machine_take(&at, m->nops, sizeof *of_op);
    if (at > m->room + m->nroom)
        return hwemit_machine_refuse_long(m, (unsigned)m->nroom, "bytes to find phases");
    memset(phase, 0, m->nvalues * sizeof *phase);
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        of_op[i] = (uint16_t)first_phase(m, op, phase);
        most = of_op[i] > most ? of_op[i] : most;
        if (op->mask && phase[op->value] < of_op[i])
            phase[op->value] = of_op[i];
    }
    for (unsigned p = 0; p <= most; p++)
        for (unsigned rest = 0; rest < 2; rest++) /* lookups come first */
            for (unsigned i = 0; i < m->nops; i++)
                if (of_op[i] == p && hwemit_machine_looks_up(&m->op[i]) != rest)
                    m->next[n++] = m->op[i];
    memcpy(m->op, m->next, n * sizeof *m->op);
    return true;
}

static uint64_t bit_of(const struct machine_value *v) { return (uint64_t)1 << v->reg; }

/* Adds the registers that the operation reads or writes to the sets used[0] (temporaries) and used[1]
 * (outputs). */
static void use(const struct machine *m, const struct machine_op *op, uint64_t used[2])
{
    for (unsigned r = op->reads; r; r &= r - 1) {
        const struct machine_value *v = &m->value[hwemit_machine_at(op, r).index];
        if (v->kind != MACHINE_INPUT)
            used[v->kind == MACHINE_OUTPUT] |= bit_of(v);
    }
    if (op->mask)
        used[m->value[op->value].kind == MACHINE_OUTPUT] |= bit_of(&m->value[op->value]);
}

/* Counts phases. A lookup begins a phase if it writes an output, or if its coordinates are in a register that
 * was written in the current phase. The chip may execute a lookup before the preceding arithmetic of its
 * phase, so the lookup must not write a register that this arithmetic uses. */
bool hwemit_machine_count_phases(struct machine *m)
{
    uint16_t written[2][64] = {{0}}; /* for temporaries and outputs: the phase of the last write */
    uint64_t used[2] = {0}; /* registers used by arithmetic since a lookup last waited for its coordinates */
    m->phases = 1;
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        const struct machine_value *to = op->mask ? &m->value[op->value] : NULL;
        const bool output = to && to->kind == MACHINE_OUTPUT;
        if (!hwemit_machine_looks_up(op))
            use(m, op, used);
        else {
            const struct machine_value *coord = &m->value[hwemit_machine_at(op, op->reads).index];
            m->phases += output;
            if (coord->kind != MACHINE_INPUT &&
                written[coord->kind == MACHINE_OUTPUT][coord->reg] == m->phases - output) {
                m->phases += !output;
                used[0] = used[1] = 0;
            }
            if (to && used[output] & bit_of(to))
                return hwemit_refuse(m->why, -1, "registers", "fewer lookups whose coordinates are inputs",
                                     "a lookup has no temporary that the arithmetic before it leaves alone");
        }
        if (to)
            written[output][to->reg] = m->phases;
    }
    return m->phases <= m->target->phases ||
        hwemit_refuse(m->why, -1, "indirections", "fewer lookups by computed coordinates",
                      "lookups by computed coordinates take %u phases, the chip has %u", (unsigned)m->phases,
                      (unsigned)m->target->phases);
}
