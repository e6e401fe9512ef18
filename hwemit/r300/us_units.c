/* Decides which values share one temporary; together they are called a unit. If an operand, coordinate or dot
 * product reads channels of several values, these are put into one temporary, each in the lane where it is
 * read. This needs no copies, since each operation writes only its own lanes. If two operands want different
 * lanes for a value, the first one decides, and the other one is legalised by us_split.c. */
#include "hwemit/r300/us.h"

unsigned hwemit_us_unit(const struct us_program *a, unsigned value)
{
    while (a->value[value].parent != value)
        value = a->value[value].parent;
    return value;
}

unsigned hwemit_us_lane(const struct us_program *a, const struct machine_src *c)
{
    return a->value[c->index].number ? a->value[c->index].lane : c->lane;
}

unsigned hwemit_us_lane_now(const struct us_program *a, const struct machine_src *c)
{
    const unsigned lane = c->file == MACHINE_VALUE ? hwemit_us_lane(a, c) : c->lane;
    if (lane != US_ANY_LANE)
        return lane;
    return a->value[c->index].written ? a->m->value[c->index].lane[0] : a->assumed;
}

/* ---- merging of units ---- */

struct joining {
    unsigned root[4], nroots; /* the units to merge */
    unsigned number[4];       /* per lane: 1 + the number to put there, or 0 */
    unsigned taken;           /* lanes that the units occupy */
};

static bool add_root(const struct us_program *a, struct joining *j, unsigned root)
{
    for (unsigned i = 0; i < j->nroots; i++)
        if (j->root[i] == root)
            return true;
    if (j->taken & a->value[root].lanes)
        return false;
    j->taken |= a->value[root].lanes;
    j->root[j->nroots++] = root;
    return true;
}

/* Adds a channel that is to be read from lane `lane`. Returns false if that is not possible. */
static bool join_channel(const struct us_program *a, struct joining *j, const struct machine_src *c,
                         unsigned lane)
{
    if (c->file != MACHINE_VALUE)
        return false;
    if (hwemit_us_lane(a, c) != US_ANY_LANE)
        return hwemit_us_lane(a, c) == lane && add_root(a, j, hwemit_us_unit(a, c->index));
    for (unsigned l = 0; l < 4; l++)
        if (j->number[l] == c->index + 1u)
            return false; /* a number has only one lane */
    j->number[lane] = c->index + 1u;
    return true;
}

static bool possible(const struct us_program *a, struct joining *j, const struct machine_src *chan,
                     unsigned mask)
{
    bool fixed = false;
    *j = (struct joining){0};
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && !join_channel(a, j, &chan[c], c))
            return false;
    for (unsigned i = 0; i < j->nroots; i++)
        fixed |= a->value[j->root[i]].fixed;
    for (unsigned c = 0; c < 4; c++)
        if (j->number[c] && (fixed || j->taken >> c & 1))
            return false;
    return !fixed || j->nroots == 1;
}

/* Merges the units of the channels in the mask. Returns false if that is not possible. */
static bool join(struct us_program *a, const struct machine_src *chan, unsigned mask)
{
    struct joining j;
    if (!mask || !possible(a, &j, chan, mask))
        return false;
    for (unsigned c = 0; c < 4 && !j.nroots; c++)
        if (j.number[c])
            j.root[j.nroots++] = j.number[c] - 1;
    struct us_value *u = &a->value[j.root[0]];
    for (unsigned i = 1; i < j.nroots; i++) {
        u->lanes |= a->value[j.root[i]].lanes;
        a->value[j.root[i]].parent = (uint16_t)j.root[0];
    }
    for (unsigned c = 0; c < 4; c++)
        if (j.number[c]) {
            a->value[j.number[c] - 1].parent = (uint16_t)j.root[0];
            a->value[j.number[c] - 1].lane = (uint8_t)c;
            u->lanes |= (uint8_t)(1u << c);
        }
    return true;
}

/* ---- coordinates: in one temporary, on r300 and r400 in order, without signs (notes/facts/r300.md 2.3,
 * 3.2b) ---- */

/* If the coordinate cannot be in one temporary as it is, the lookup reads a copy. r500 would kill at -0, GL
 * does not; a copy x*1 + 0 turns -0 into 0 (notes/facts/r300.md 2.1). */
static void coordinate(struct us_program *a, struct machine_op *l)
{
    const bool r500 = a->p.chip->generation == R500;
    const struct machine_src *first = &l->arg[0][hwemit_machine_lowest(l->terms)];
    bool plain = !r500 || l->op != MACHINE_KILL, swizzled = r500;
    for (unsigned c = 0; c < 4 && plain; c++) {
        const struct machine_src *x = &l->arg[0][c];
        if (!(l->terms >> c & 1))
            continue;
        plain = x->file == MACHINE_VALUE && !x->neg && !x->abs;
        swizzled = swizzled && plain && hwemit_us_lane(a, x) != US_ANY_LANE &&
            hwemit_us_unit(a, x->index) == hwemit_us_unit(a, first->index);
    }
    if (plain && (swizzled || join(a, l->arg[0], l->terms)))
        return;
    hwemit_us_copy_operand(a, l, 0);
    join(a, l->arg[0], l->terms);
}

bool hwemit_us_units(struct us_program *a)
{
    const unsigned nops = a->m->nops;
    for (unsigned i = 0; i < a->nlookups && !a->m->failed; i++)
        coordinate(a, &a->m->op[i]);
    /* The alpha half selects its own sources: only the colour lanes must be in one register. */
    for (unsigned i = a->nlookups; i < nops; i++) {
        const struct machine_op *op = &a->m->op[i];
        const bool colours = op->kind != US_SCALAR && op->kind != US_FUNCTION;
        for (unsigned s = 0; s < hwemit_machine_args(op->op) && colours; s++)
            join(a, op->arg[s], hwemit_machine_reads(op, 0) & 7);
    }
    return !a->m->failed;
}
