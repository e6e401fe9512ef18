/* Puts two operations into one instruction ("dual math", notes/facts/r300-vertex.md 1.2): a vector operation
 * of at most two operands and a math function, whose scalar result goes to an alternate temporary. Both
 * operations read before either writes. Also inserts loads of the address register before relative reads that
 * need another address than the one loaded. */
#include "hwemit/r300/pvs.h"

#include <string.h>

enum { FAR = 48 }; /* maximum distance between the two operations */

const struct machine_op *hwemit_pvs_second(const struct machine *m, unsigned i)
{
    const bool second = i && m->op[i - 1].joined && m->op[i - 1].op != MACHINE_LOAD;
    return second ? &m->op[i - 1] : NULL;
}

void hwemit_pvs_bar(const struct machine *m, uint8_t *barred)
{
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *half[2] = {&m->op[i], hwemit_pvs_second(m, i)};
        uint16_t temp[6];
        unsigned n = 0;
        bool alternate = false;
        if (!half[1] && !(half[0]->reads >> 4)) /* reads one register */
            continue;
        for (unsigned h = 0; h < 2 && half[h]; h++)
            for (unsigned s = 0; half[h]->reads >> 4 * s; s++) {
                const struct pvs_port port = hwemit_pvs_port(m, half[h], s);
                alternate = alternate || port.file == PVS_ALTERNATE;
                temp[n] = port.index;
                n += port.file == PVS_TEMP;
            }
        for (; alternate && n > 0; n--)
            barred[temp[n - 1]] = true;
    }
}

/* Returns whether the operation can be the math half: it reads one register, and its result can be an
 * alternate temporary. */
static bool can_be_second(const struct machine *m, const struct machine_op *op, const uint8_t *barred)
{
    if (hwemit_machine_kind(op->op) != MACHINE_FUNCTION || m->value[op->value].kind != MACHINE_RESULT ||
        op->mask & (op->mask - 1) || barred[op->value])
        return false;
    const struct pvs_port a = hwemit_pvs_port(m, op, 0), b = hwemit_pvs_port(m, op, 1);
    return a.file != PVS_ELEMENT && (!b.file || (a.file == b.file && a.index == b.index));
}

/* Returns whether the vector operation at i can be in an instruction together with this function: they read
 * at most one input, one constant, one alternate temporary and two temporaries. */
static bool fits(const struct machine *m, unsigned i, const struct machine_op *function)
{
    const struct machine_op *vector = &m->op[i];
    const unsigned kind = hwemit_machine_kind(vector->op);
    struct pvs_port reads[3];
    unsigned temps = 0;
    if ((kind != MACHINE_CHANNELS && kind != MACHINE_DOT) || hwemit_machine_args(vector->op) > 2 ||
        hwemit_pvs_second(m, i))
        return false;
    for (unsigned s = 0; s < 3; s++) {
        bool again = false;
        reads[s] = s < 2 ? hwemit_pvs_port(m, vector, s) : hwemit_pvs_port(m, function, 0);
        if (reads[s].file == PVS_ELEMENT)
            return false;
        for (unsigned t = 0; t < s; t++) {
            const bool same = reads[t].file == reads[s].file && reads[t].index == reads[s].index;
            if (reads[t].file == reads[s].file && !same && reads[s].file != PVS_TEMP)
                return false;
            again = again || same;
        }
        temps += reads[s].file == PVS_TEMP && !again;
    }
    return temps <= 2;
}

/* Combines the function at i and the vector operation at k into one instruction, in which the function comes
 * first: where the vector operation is or else, where the function is. Returns false if neither is possible.
 */
static bool place(struct machine *m, unsigned i, unsigned k)
{
    if (k >= m->nops || !fits(m, k, &m->op[i]))
        return false;
    const bool late = hwemit_machine_can_move(m, i, k), early = !late && hwemit_machine_can_move(m, k, i);
    m->op[i].joined = late || early;
    if (late)
        hwemit_pvs_move(m, i, i < k ? k - 1 : k);
    if (early)
        hwemit_pvs_move(m, k, k < i ? i : i + 1);
    return late || early;
}

bool hwemit_pvs_pairs(struct machine *m)
{
    struct pvs *p = m->own;
    uint8_t *const barred = (uint8_t *)m->room;
    memset(barred, 0, m->nvalues);
    for (unsigned i = 0; i < m->nops && p->atrm != PVS_ATRM_NONE && !m->second; i++) {
        if (m->op[i].joined || !can_be_second(m, &m->op[i], barred))
            continue;
        bool done = false;
        uint8_t *const file = &m->value[m->op[i].value].file, before = *file;
        *file = PVS_IN_MATH_ALTERNATE; /* fits() needs it, since either half may read other lanes of it */
        for (unsigned d = 1; d < FAR && !done; d++)
            done = place(m, i, i + d) || (d <= i && place(m, i, i - d));
        *file = done ? PVS_IN_MATH_ALTERNATE : before;
        if (done)
            hwemit_pvs_bar(m, barred);
        i -= done; /* another operation may be there now */
    }
    for (unsigned i = 0; i < m->nops; i++)
        p->instructions += !m->op[i].joined;
    return hwemit_machine_within(m, p->instructions, p->chip->instructions, "instructions",
                                 "a shorter program", "instructions");
}

/* ---- the address register ---- */

/* Returns the load, before operation i, of an element. */
static const struct machine_op *load_of(const struct machine *m, unsigned i, unsigned element)
{
    while (m->op[i].op != MACHINE_LOAD || m->op[i].value != element)
        i--;
    return &m->op[i];
}

/* Puts each load right before the operation that reads its element. A load whose address is already in the
 * address register needs no instruction of its own. */
bool hwemit_pvs_addresses(struct machine *m)
{
    const unsigned n = m->nops;
    const struct machine_src *now = NULL;
    m->nops = 0;
    for (unsigned i = 0; i < n && !m->failed; i++) {
        const struct machine_op *op = &m->op[i];
        for (unsigned s = 0; op->op != MACHINE_LOAD && op->reads >> 4 * s; s++) {
            const struct pvs_port port = hwemit_pvs_port(m, op, s);
            if (port.file != PVS_ELEMENT)
                continue;
            const struct machine_op *from = load_of(m, i, port.index);
            struct machine_op load = *from;
            load.joined = now && hwemit_machine_same(*now, from->arg[0][0]);
            if (load.joined)
                load.arg[0][0] = hwemit_machine_immediate(m, 0); /* reads nothing */
            else
                now = &from->arg[0][0];
            hwemit_machine_append_to(m, m->next, &load);
        }
        if (op->op != MACHINE_LOAD)
            hwemit_machine_append_to(m, m->next, op);
    }
    return hwemit_machine_rewritten(m);
}
