/* Deletes operations and components that nothing reads. */
#include "hwemit/machine/machine.h"

#include <string.h>

static void read(struct machine *m, struct machine_src x)
{
    if (x.file == MACHINE_VALUE)
        m->value[x.index].read |= (uint8_t)(1u << x.lane);
}

static unsigned components_read(const struct machine *m, const struct machine_op *op)
{
    unsigned mask = 0;
    if (!m->target->numbers)
        return op->mask & m->value[op->value].read;
    for (unsigned c = 0; op->mask >> c; c++)
        mask |= (op->mask >> c & m->value[op->value + c].read & 1u) << c;
    return mask;
}

void hwemit_machine_find_reads(struct machine_op *op)
{
    unsigned reads = 0, numbers = 0;
    for (unsigned s = 0; s < hwemit_machine_args(op->op); s++)
        for (unsigned c = 0, left = hwemit_machine_reads(op, s); left >> c; c++) {
            const unsigned file = left >> c & 1 ? op->arg[s][c].file : MACHINE_UNREAD;
            reads |= (unsigned)(file == MACHINE_VALUE) << (4 * s + c);
            numbers |= (unsigned)(file == MACHINE_NUMBER) << (4 * s + c);
        }
    op->reads = (uint16_t)reads;
    op->numbers = (uint16_t)numbers;
}

bool hwemit_machine_trim(struct machine *m)
{
    uint16_t n = m->nops;
    for (unsigned v = 0; v < m->nvalues; v++)
        m->value[v].read = m->value[v].kind == MACHINE_OUTPUT ? FRAGPROG_MASK_XYZW : 0;
    for (unsigned o = 0; o < m->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            read(m, m->output[o].chan[c]);
    for (unsigned i = m->nops; i-- > 0;) {
        struct machine_op *op = &m->op[i];
        if (hwemit_machine_kind(op->op) != MACHINE_EFFECT) {
            unsigned mask = components_read(m, op);
            if (!mask)
                continue;
            if (m->target->whole_lookups && hwemit_machine_kind(op->op) == MACHINE_LOOKUP)
                mask = m->value[op->value].read = FRAGPROG_MASK_XYZW;
            if (mask != op->mask) {
                op->mask = (uint8_t)mask;
                hwemit_machine_find_reads(op);
            }
        }
        for (unsigned r = op->reads; r; r &= r - 1)
            read(m, hwemit_machine_at(op, r));
        if (--n != i)
            m->op[n] = *op;
    }
    if (n)
        memmove(m->op, &m->op[n], (size_t)(m->nops - n) * sizeof *m->op);
    m->nops = (uint16_t)(m->nops - n);
    for (unsigned v = 0; v < m->nvalues; v++)
        if (m->value[v].kind != MACHINE_INPUT || !m->target->numbers)
            m->value[v].components = m->value[v].read;
    return true;
}
