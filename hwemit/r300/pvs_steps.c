/* Steps on the operations of hwemit/machine that only the vertex engine needs. An instruction can read one
 * input, and one constant or array element (notes/facts/r300-vertex.md 2.1); further ones are copied to
 * temporaries, which later instructions use, too. */
#include "hwemit/r300/pvs.h"

#include <string.h>

struct pvs_port hwemit_pvs_port(const struct machine *m, const struct machine_op *op, unsigned s)
{
    static const uint8_t files[] = {
        [MACHINE_RESULT] = PVS_TEMP, [MACHINE_INPUT] = PVS_INPUT, [MACHINE_ELEMENT] = PVS_ELEMENT};
    const unsigned values = op->reads >> 4 * s & 15;
    for (unsigned n = values ? 0 : op->numbers & 15u << 4 * s; n; n &= n - 1)
        if (!hwemit_machine_selected(m, hwemit_machine_at(op, n)))
            return (struct pvs_port){PVS_CONST, op->slot[s]};
    if (!values)
        return (struct pvs_port){PVS_NOWHERE, 0};
    const unsigned index = hwemit_machine_at(op, values << 4 * s).index;
    const struct machine_value *v = &m->value[index];
    const bool alternate = v->kind == MACHINE_RESULT && v->file != PVS_IN_TEMPORARY;
    return (struct pvs_port){alternate ? PVS_ALTERNATE : files[v->kind], (uint16_t)index};
}

void hwemit_pvs_move(struct machine *m, unsigned from, unsigned to)
{
    const struct machine_op op = m->op[from];
    for (; from < to; from++)
        m->op[from] = m->op[from + 1];
    for (; from > to; from--)
        m->op[from] = m->op[from - 1];
    m->op[to] = op;
}

/* A channel without its sign (of), its copy (by), and the index of the operation that made the copy. */
struct copy {
    struct machine_src of, by;
    uint32_t at;
};
enum { COPIES = 256, REUSE = 64 }; /* REUSE: for how many operations a copy is used */
struct ports {
    struct machine *m;
    unsigned n; /* number of copies made so far; the last COPIES of them are remembered */
    struct copy copy[COPIES];
};

/* Returns the copy of a channel, or NULL if none was made recently (older ones would lengthen live ranges).
 */
static const struct machine_src *found(const struct ports *p, struct machine_src of)
{
    of.neg = 0;
    for (unsigned n = p->n; n-- > 0 && n + COPIES >= p->n;) {
        const struct copy *k = &p->copy[n % COPIES];
        if (k->at + REUSE < p->m->nops)
            return NULL;
        if (hwemit_machine_same(k->of, of))
            return &k->by;
    }
    return NULL;
}

/* Returns whether the channels of the source have copies in one register. */
static bool is_copied(const struct ports *p, const struct machine_op *op, unsigned s, unsigned channels)
{
    const struct machine_src *first = NULL;
    for (; channels; channels &= channels - 1) {
        const struct machine_src *by = found(p, op->arg[s][hwemit_machine_lowest(channels)]);
        if (!by || (first && by->index != first->index))
            return false;
        first = by;
    }
    return true;
}

/* Makes these channels of source s read copies in one register. */
static void copy(struct ports *p, struct machine_op *op, unsigned s, unsigned channels)
{
    struct machine *m = p->m;
    struct machine_op mov = {.op = MACHINE_MOV};
    unsigned n = 0;
    for (unsigned c = 0, left = is_copied(p, op, s, channels) ? 0 : channels; left >> c; c++) {
        struct machine_src at = op->arg[s][c];
        bool known = !(left >> c & 1);
        at.neg = 0;
        for (unsigned k = 0; k < n; k++)
            known = known || hwemit_machine_same(mov.arg[0][k], at);
        if (!known)
            mov.arg[0][n++] = at;
    }
    if (n) {
        mov.mask = (uint8_t)((1u << n) - 1);
        mov.value = hwemit_machine_new_value(m, MACHINE_RESULT, mov.mask);
        for (unsigned k = 0; k < n; k++)
            p->copy[p->n++ % COPIES] = (struct copy){mov.arg[0][k], hwemit_machine_component(m, &mov, k),
                                                     m->nops};
        hwemit_machine_append_to(m, m->next, &mov);
    }
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1) {
            const bool neg = op->arg[s][c].neg;
            op->arg[s][c] = *found(p, op->arg[s][c]);
            op->arg[s][c].neg = neg;
        }
    hwemit_machine_find_reads(op);
}

/* ---- operands of dot products, and how many numbers an operation reads ---- */

static void gather(struct ports *p, struct machine_op *op, unsigned s)
{
    const struct machine *m = p->m;
    const struct machine_src *first = NULL;
    unsigned outside = 0;
    bool one = true;
    for (unsigned c = 0, reads = hwemit_machine_reads(op, s); reads >> c; c++) {
        const struct machine_src *at = &op->arg[s][c];
        if (!(reads >> c & 1) || hwemit_machine_selected(m, *at))
            continue;
        first = first ? first : at;
        one = one && at->file == first->file && (at->file == MACHINE_NUMBER || at->index == first->index);
        if (at->file == MACHINE_NUMBER || m->value[at->index].kind != MACHINE_RESULT)
            outside |= 1u << c;
    }
    if (!one && outside)
        copy(p, op, s, outside);
}

/* Makes the operation read at most four different numbers, the size of a constant register: copies the
 * numbers of whole sources, the last one first. */
static void few_numbers(struct ports *p, struct machine_op *op)
{
    for (unsigned s = 3; s-- > 0 && hwemit_machine_different(p->m, op, 7) > 4;)
        copy(p, op, s, hwemit_machine_from_slots(p->m, op, s));
}

/* Where an operand of a dot product reads a temporary and also inputs or constants, copies the latter, so
 * that all can be in one register. */
bool hwemit_pvs_gather(struct machine *m)
{
    struct ports p = {.m = m};
    const unsigned n = m->nops;
    m->nops = 0;
    for (unsigned i = 0; i < n && !m->failed; i++) {
        struct machine_op op = m->op[i];
        for (unsigned s = 0; s < 2 && hwemit_machine_kind(op.op) == MACHINE_DOT; s++)
            gather(&p, &op, s);
        few_numbers(&p, &op);
        hwemit_machine_append_to(m, m->next, &op);
    }
    return hwemit_machine_rewritten(m);
}

/* ---- results of several outputs ---- */

/* Returns the result of the program that a move to an output reads, if without signs; else MACHINE_NONE. */
static unsigned moved(const struct machine *m, const struct machine_op *op)
{
    const unsigned from = m->value[op->value].kind == MACHINE_OUTPUT ? hwemit_machine_moved(op)
                                                                     : MACHINE_NONE;
    return from != MACHINE_NONE && m->value[from].kind == MACHINE_RESULT ? from : MACHINE_NONE;
}

/* Finds the operation that writes each value that only moves to outputs read; MACHINE_NONE: none or several,
 * or others read the value, too. */
static void find_writers(const struct machine *m, uint16_t *writer)
{
    memset(writer, 0xff, m->nvalues * sizeof *writer);
    for (unsigned i = 0; i < m->nops; i++)
        writer[m->op[i].value] = (uint16_t)i;
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        const unsigned from = moved(m, op);
        if (writer[op->value] != i)
            writer[op->value] = MACHINE_NONE;
        for (unsigned r = from == MACHINE_NONE ? op->reads : 0; r; r &= r - 1)
            writer[hwemit_machine_at(op, r).index] = MACHINE_NONE;
    }
}

/* Outputs cannot be read, so a result that several outputs need would take a temporary and a move for each
 * output. Replaces these moves by repeating the computation for each output. */
bool hwemit_pvs_repeat(struct machine *m)
{
    uint16_t *const writer = (void *)m->room;
    find_writers(m, writer);
    for (unsigned i = 0; i < m->nops; i++) {
        struct machine_op *const move = &m->op[i];
        const unsigned value = moved(m, move), at = value == MACHINE_NONE ? value : writer[value];
        if (at == MACHINE_NONE || hwemit_machine_kind(m->op[at].op) == MACHINE_LANES)
            continue;
        const struct machine_op *from = &m->op[at];
        struct machine_op op = *from;
        op.value = move->value;
        op.mask = move->mask;
        for (unsigned s = 0; s < 3 && hwemit_machine_kind(op.op) == MACHINE_CHANNELS; s++)
            for (unsigned c = 0; c < 4; c++)
                op.arg[s][c] = move->mask >> c & 1 ? from->arg[s][move->arg[0][c].lane]
                                                   : (struct machine_src){0};
        hwemit_machine_find_reads(&op);
        *move = op;
    }
    return hwemit_machine_trim(m);
}

/* Moves operations that write outputs as early as possible, which shortens the live ranges of their operands.
 */
bool hwemit_pvs_early(struct machine *m)
{
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        unsigned to = i;
        if (m->value[op->value].kind != MACHINE_OUTPUT)
            continue;
        while (to > 0 && !hwemit_machine_follows(op, &m->op[to - 1]))
            to--;
        hwemit_pvs_move(m, i, to);
    }
    return true;
}

/* ---- one input, one constant ---- */

static bool collide(const struct machine *m, const struct machine_op *op, unsigned s, unsigned t)
{
    const struct pvs_port x = hwemit_pvs_port(m, op, s), y = hwemit_pvs_port(m, op, t);
    if (x.file == PVS_INPUT && y.file == PVS_INPUT)
        return x.index != y.index;
    /* an instruction can have only one relative read, even if both would read the same element */
    return (x.file == PVS_ELEMENT && (y.file == PVS_ELEMENT || y.file == PVS_CONST)) ||
        (x.file == PVS_CONST && y.file == PVS_ELEMENT);
}

/* Only MAD has a form that reads three temporaries. Moves two of LIT's operands into one register if these
 * are in three. */
static void two_registers(struct machine *m, struct machine_op *lit)
{
    struct pvs_port port[3];
    for (unsigned s = 0; s < 3; s++) {
        port[s] = hwemit_pvs_port(m, lit, s);
        if (port[s].file != PVS_TEMP || (s && port[s].index == port[s - 1].index))
            return;
    }
    if (port[0].index == port[2].index)
        return;
    struct machine_op mov = {.op = MACHINE_MOV, .value = hwemit_machine_new_value(m, MACHINE_RESULT, 3)};
    for (unsigned s = 0; s < 2; s++) {
        mov.mask = (uint8_t)(1u << s);
        mov.arg[0][s] = lit->arg[s][0];
        hwemit_machine_append_to(m, m->next, &mov);
        lit->arg[s][0] = hwemit_machine_component(m, &mov, s);
    }
}

bool hwemit_pvs_ports(struct machine *m)
{
    struct ports p = {.m = m};
    const unsigned n = m->nops;
    m->nops = 0;
    for (unsigned i = 0; i < n && !m->failed; i++) {
        struct machine_op op = m->op[i];
        const bool power = op.op == MACHINE_POW;
        /* the address register cannot be loaded relative to itself; exponents are encoded twice */
        if ((power || op.op == MACHINE_LOAD) && hwemit_pvs_port(m, &op, power).file == PVS_ELEMENT)
            copy(&p, &op, power, 1);
        for (unsigned s = 0; s < 3; s++)
            for (unsigned t = s + 1; t < 3; t++)
                if (collide(m, &op, s, t)) {
                    const bool first = hwemit_pvs_port(m, &op, t).file == PVS_CONST ||
                        (hwemit_pvs_port(m, &op, s).file != PVS_CONST &&
                         is_copied(&p, &op, s, op.reads >> 4 * s & 15));
                    const unsigned moved = first ? s : t;
                    copy(&p, &op, moved, op.reads >> 4 * moved & 15);
                }
        if (op.op == MACHINE_LIT)
            two_registers(m, &op);
        hwemit_machine_append_to(m, m->next, &op);
    }
    return hwemit_machine_rewritten(m);
}

/* ---- arrays ---- */

/* Assigns the next constant registers to an array of the program, from constant k of this on. They begin so
 * high that no relative offset is negative. */
static bool place_array(struct machine *m, unsigned k)
{
    const unsigned array = m->ir->konst[k].array;
    int first = -1, last = 0;
    for (unsigned i = 0; i < m->nops; i++) {
        const int offset = m->op[i].texture - FRAGPROG_LOAD_ZERO;
        if (m->op[i].op != MACHINE_LOAD || m->op[i].cond != array)
            continue;
        first = first < 0 ? m->nslots : first;
        first = first + offset < 0 ? -offset : first;
        last = offset > last ? offset : last;
    }
    if (first + last > 255)
        return hwemit_refuse(m->why, -1, "constants", "fewer constants, or smaller offsets",
                             "an array is addressed beyond constant 255");
    while (m->nslots < first) /* other numbers can be here */
        m->slot[m->nslots++] = (struct machine_slot){.n = 0};
    for (unsigned i = 0; i < m->nops; i++)
        if (m->op[i].op == MACHINE_LOAD && m->op[i].cond == array)
            m->value[m->op[i].value].reg = (uint16_t)(first + m->op[i].texture - FRAGPROG_LOAD_ZERO);
    for (; k < m->ir->nkonst && m->ir->konst[k].array == array && first >= 0; k++) {
        const struct fragprog_const *from = &m->ir->konst[k];
        if (m->nslots == m->slots)
            return hwemit_refuse(m->why, -1, "constants", "fewer constants",
                                 "the program needs more than the %u constants that there are",
                                 (unsigned)m->slots);
        struct machine_slot *slot = &m->slot[m->nslots++];
        slot->n = 4;
        for (unsigned c = 0; c < 4; c++) {
            const struct machine_number x = {.origin = from->origin[c].unit,
                                             .component = from->origin[c].component,
                                             .value = from->value[c]};
            slot->number[c] = hwemit_machine_outside(m, &x).index;
        }
    }
    return !m->failed;
}

/* Assigns constant registers to the arrays that are read relative to an address, and to each element the one
 * that address 0 selects. */
bool hwemit_pvs_arrays(struct machine *m)
{
    const struct fragprog_const *konst = m->ir->konst;
    for (unsigned k = 0; k < m->ir->nkonst; k++)
        if (konst[k].array && (!k || konst[k - 1].array != konst[k].array) && !place_array(m, k))
            return false;
    return true;
}
