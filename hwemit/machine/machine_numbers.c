/* Assigns numbers (components of constants, and values from the program) to registers of the constant file.
 * Numbers that must be in the same register form a set of at most four: those that all operands of an
 * operation read, if it can read only one register, else those that one operand reads. The largest sets are
 * assigned first, each to the register to which it adds the fewest numbers, so sets with common numbers share
 * registers. */
#include "hwemit/machine/machine.h"

unsigned hwemit_machine_lane(const struct machine *m, unsigned slot, unsigned number)
{
    unsigned lane = 0;
    while (lane < 3 && m->slot[slot].number[lane] != number)
        lane++;
    return lane;
}

unsigned hwemit_machine_lane_of(const struct machine *m, const struct machine_op *op, unsigned s, unsigned c)
{
    const struct machine_src x = op->arg[s][c];
    return x.file == MACHINE_VALUE ? m->value[x.index].lane[x.lane]
                                   : hwemit_machine_lane(m, op->slot[s], x.index);
}

void hwemit_machine_positions(const struct machine *m, const struct machine_op *op, unsigned s,
                              uint8_t channel[4])
{
    const bool by_channel = hwemit_machine_kind(op->op) == MACHINE_CHANNELS;
    unsigned used = 0;
    for (unsigned reads = hwemit_machine_reads(op, s); reads; reads &= reads - 1) {
        const unsigned c = hwemit_machine_lowest(reads), p = by_channel ? m->value[op->value].lane[c] : c;
        channel[p] = (uint8_t)c;
        used |= 1u << p;
    }
    for (unsigned p = 0; p < 4 && used; p++)
        if (!(used >> p & 1))
            channel[p] = channel[hwemit_machine_lowest(used)];
}

static bool holds(const struct machine_slot *u, unsigned number)
{
    for (unsigned i = 0; i < u->n; i++)
        if (u->number[i] == number)
            return true;
    return false;
}

/* Returns the set of numbers that these sources read. */
static struct machine_slot set_of(const struct machine *m, const struct machine_op *op, unsigned sources)
{
    struct machine_slot set = {.n = 0};
    for (unsigned s = 0; s < 3; s++) {
        const unsigned outside = sources >> s & 1 ? hwemit_machine_from_slots(m, op, s) : 0;
        for (unsigned c = 0; outside >> c; c++)
            if (outside >> c & 1 && set.n < 4 && !holds(&set, op->arg[s][c].index))
                set.number[set.n++] = op->arg[s][c].index;
    }
    return set;
}

/* Counts the numbers of the set that the register does not hold. Returns 5 if it has no room for them. */
static unsigned adds(const struct machine_slot *u, const struct machine_slot *set)
{
    unsigned n = 0;
    for (unsigned i = 0; i < set->n; i++)
        n += !holds(u, set->number[i]);
    return u->n + n > 4 ? 5 : n;
}

/* Assigns a set to a register and returns that. If none is left, refuses the program and returns
 * MACHINE_NONE. */
static unsigned slot_for(struct machine *m, const struct machine_slot *set)
{
    unsigned best = MACHINE_NONE, least = 5;
    for (unsigned n = 0; n < m->nslots && least; n++)
        if (adds(&m->slot[n], set) < least) {
            least = adds(&m->slot[n], set);
            best = n;
        }
    if (best == MACHINE_NONE && m->nslots == m->slots) {
        m->failed = true;
        hwemit_refuse(m->why, -1, "constants", "fewer constants",
                      "the constants need more than the %u registers that there are", (unsigned)m->slots);
        return MACHINE_NONE;
    }
    if (best == MACHINE_NONE) {
        best = m->nslots++;
        m->slot[best] = (struct machine_slot){.n = 0};
    }
    struct machine_slot *u = &m->slot[best];
    for (unsigned i = 0; i < set->n; i++)
        if (!holds(u, set->number[i]))
            u->number[u->n++] = set->number[i];
    return best;
}

void hwemit_machine_give_place(struct machine *m, unsigned number)
{
    const struct machine_slot set = {.number = {(uint16_t)number}, .n = 1};
    if (m->number[number].place != MACHINE_NONE)
        return;
    const unsigned slot = slot_for(m, &set);
    if (slot != MACHINE_NONE)
        m->number[number].place = (uint16_t)(4 * slot + hwemit_machine_lane(m, slot, number));
}

static void place(struct machine *m, struct machine_op *op, unsigned sources, unsigned size)
{
    const struct machine_slot set = set_of(m, op, sources);
    if (!set.n || set.n != size)
        return;
    const unsigned slot = slot_for(m, &set);
    for (unsigned s = 0; s < 3; s++)
        if (sources >> s & 1)
            op->slot[s] = (uint16_t)slot;
}

/* On scalar chips: assigns each number to a lane, independently of the others. */
static void places(struct machine *m, const struct machine_op *op)
{
    for (unsigned s = 0; op->numbers >> 4 * s; s++) {
        const unsigned outside = op->numbers >> 4 * s & 15 ? hwemit_machine_from_slots(m, op, s) : 0;
        for (unsigned c = 0; outside >> c; c++)
            if (outside >> c & 1)
                hwemit_machine_give_place(m, op->arg[s][c].index);
    }
}

bool hwemit_machine_numbers(struct machine *m)
{
    for (unsigned i = 0; i < m->nops && m->target->numbers && !m->failed; i++)
        places(m, &m->op[i]);
    for (unsigned size = m->target->numbers ? 0 : 4; size > 0; size--)
        for (unsigned i = 0; i < m->nops; i++)
            for (unsigned s = 0; s < 3 && !m->failed; s++) {
                if (m->one_slot && s == 0)
                    place(m, &m->op[i], 7, size);
                else if (!m->one_slot)
                    place(m, &m->op[i], 1u << s, size);
            }
    m->numbered = true;
    return !m->failed;
}
