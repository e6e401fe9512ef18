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

bool hwemit_machine_hold(struct machine_slot *u, unsigned number)
{
    if (!holds(u, number) && u->n == 4)
        return false;
    if (!holds(u, number))
        u->number[u->n++] = (uint16_t)number;
    return true;
}

/* Returns the set of numbers that these sources read; too many: there are more than four. */
static struct machine_slot set_of(const struct machine *m, const struct machine_op *op, unsigned sources,
                                  bool *too_many)
{
    struct machine_slot set = {.n = 0};
    *too_many = false;
    for (unsigned s = 0; op->numbers >> 4 * s; s++) {
        unsigned outside = sources >> s & 1 ? hwemit_machine_from_slots(m, op, s) : 0;
        for (; outside; outside &= outside - 1)
            if (!hwemit_machine_hold(&set, op->arg[s][hwemit_machine_lowest(outside)].index))
                *too_many = true;
    }
    return set;
}

unsigned hwemit_machine_different(const struct machine *m, const struct machine_op *op, unsigned sources)
{
    bool too_many;
    const struct machine_slot set = set_of(m, op, sources, &too_many);
    return set.n + too_many;
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
        MACHINE_REFUSE(m, -1, "constants", "fewer constants",
                       "the constants need more than the %u registers that there are", (unsigned)m->slots);
        return MACHINE_NONE;
    }
    if (best == MACHINE_NONE) {
        best = m->nslots++;
        m->slot[best] = (struct machine_slot){.n = 0};
    }
    struct machine_slot *u = &m->slot[best];
    for (unsigned i = 0; i < set->n; i++)
        hwemit_machine_hold(u, set->number[i]);
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

/* On scalar chips: assigns each number to a lane, independently of the others. */
static void places(struct machine *m, const struct machine_op *op)
{
    for (unsigned s = 0; op->numbers >> 4 * s; s++)
        for (unsigned outside = hwemit_machine_from_slots(m, op, s); outside; outside &= outside - 1)
            hwemit_machine_give_place(m, op->arg[s][hwemit_machine_lowest(outside)].index);
}

bool hwemit_machine_numbers(struct machine *m)
{
    struct machine_slot *const set = (void *)m->room; /* of each operation or, if not one_slot, each source */
    const unsigned sources = m->one_slot ? 1 : 3;
    bool too_many;
    for (unsigned n = 0; n < sources * m->nops && !m->target->numbers; n++)
        set[n] = set_of(m, &m->op[n / sources], m->one_slot ? 7 : 1u << n % sources, &too_many);
    for (unsigned i = 0; i < m->nops && m->target->numbers && !m->failed; i++)
        places(m, &m->op[i]);
    for (unsigned size = m->target->numbers ? 0 : 4; size > 0; size--)
        for (unsigned n = 0; n < sources * m->nops && !m->failed; n++) {
            if (set[n].n != size)
                continue;
            const unsigned slot = slot_for(m, &set[n]);
            for (unsigned s = 0; s < 3; s++)
                if (m->one_slot || s == n % sources)
                    m->op[n / sources].slot[s] = (uint16_t)slot;
        }
    m->numbered = true;
    return !m->failed;
}
