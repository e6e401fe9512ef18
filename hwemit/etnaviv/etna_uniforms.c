/* Which numbers lie in which uniform register. What one instruction reads is a set of at most four, which has
 * to lie in one register (notes/facts/etnaviv.md A.1: an instruction reads one uniform); sets that share
 * numbers share registers. The largest sets come first, each goes where it adds least; without the rule each
 * source has a set of its own. */
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

enum { NO_SLOT = 0xffff };

unsigned hwemit_etna_lane(const struct etna *e, unsigned slot, unsigned scalar)
{
    unsigned lane = 0;
    while (e->slot[slot].scalar[lane] != scalar)
        lane++;
    return lane;
}

static bool holds(const struct etna_uniform *u, unsigned scalar)
{
    for (unsigned i = 0; i < u->n; i++)
        if (u->scalar[i] == scalar)
            return true;
    return false;
}

/* What these sources read from outside. */
static struct etna_uniform set_of(const struct etna *e, const struct etna_op *op, unsigned sources)
{
    struct etna_uniform set = {.n = 0};
    for (unsigned s = 0; s < 3; s++) {
        const unsigned outside = sources >> s & 1 ? hwemit_etna_outside(e, op, s) : 0;
        for (unsigned c = 0; outside >> c; c++)
            if (outside >> c & 1 && set.n < 4 && !holds(&set, op->arg[s][c].index))
                set.scalar[set.n++] = op->arg[s][c].index;
    }
    return set;
}

/* Numbers of the set that the register does not hold; 5: they have no room. */
static unsigned adds(const struct etna_uniform *u, const struct etna_uniform *set)
{
    unsigned n = 0;
    for (unsigned i = 0; i < set->n; i++)
        n += !holds(u, set->scalar[i]);
    return u->n + n > 4 ? 5 : n;
}

/* The register of the set; NO_SLOT: none is left. */
static unsigned slot_for(struct etna *e, const struct etna_uniform *set)
{
    unsigned best = NO_SLOT, least = 5;
    for (unsigned n = 0; n < e->nslots; n++)
        if (adds(&e->slot[n], set) < least) {
            least = adds(&e->slot[n], set);
            best = n;
        }
    if (best == NO_SLOT) {
        if (e->nslots == e->uniforms)
            return NO_SLOT;
        best = e->nslots++;
        e->slot[best] = (struct etna_uniform){.n = 0};
    }
    struct etna_uniform *u = &e->slot[best];
    for (unsigned i = 0; i < set->n; i++)
        if (!holds(u, set->scalar[i]))
            u->scalar[u->n++] = set->scalar[i];
    return best;
}

static bool place(struct etna *e, struct etna_op *op, unsigned sources, unsigned size)
{
    const struct etna_uniform set = set_of(e, op, sources);
    if (!set.n || set.n != size)
        return true;
    const unsigned slot = slot_for(e, &set);
    for (unsigned s = 0; s < 3; s++)
        if (sources >> s & 1)
            op->slot[s] = (uint16_t)slot;
    return slot != NO_SLOT;
}

bool hwemit_etna_uniforms(struct etna *e)
{
    bool fits = true;
    e->nslots = 0;
    for (unsigned size = 4; size > 0; size--)
        for (unsigned i = 0; i < e->nops && fits; i++)
            for (unsigned s = 0; s < 3 && fits; s++) {
                if (e->one && s == 0)
                    fits = place(e, &e->op[i], 7, size);
                else if (!e->one)
                    fits = place(e, &e->op[i], 1u << s, size);
            }
    if (!fits) {
        e->failed = true;
        return hwemit_refuse(e->why, -1, "constants", "fewer constants",
                             "the constants need more than the %u uniform registers that there are",
                             (unsigned)e->uniforms);
    }
    return true;
}
