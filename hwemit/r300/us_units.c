/* Decides which values share one temporary. If an operand, coordinate or dot product reads channels of
 * several values, these are put into one temporary, each in the lane where it is read. This needs no copies,
 * since each operation writes only its own lanes. If two operands want different lanes for a value, the first
 * one decides, and the other one is legalised by us_split.c. */
#include "hwemit/r300/us.h"

#include <string.h>

unsigned hwemit_us_unit(const struct us_program *a, unsigned value)
{
    unsigned u = a->value[value].unit;
    while (a->unit[u].parent != u)
        u = a->unit[u].parent;
    return u;
}

unsigned hwemit_us_lane(const struct us_program *a, const struct us_chan *c)
{
    return a->value[c->index].number ? a->value[c->index].lane : c->lane;
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
    if (j->taken & a->unit[root].lanes)
        return false;
    j->taken |= a->unit[root].lanes;
    j->root[j->nroots++] = root;
    return true;
}

/* Adds a channel that is to be read from lane `lane`. Returns false if that is not possible. */
static bool join_channel(const struct us_program *a, struct joining *j, const struct us_chan *c,
                         unsigned lane)
{
    if (c->file != US_VALUE)
        return false;
    if (hwemit_us_lane(a, c) != 0xff)
        return hwemit_us_lane(a, c) == lane && add_root(a, j, hwemit_us_unit(a, c->index));
    for (unsigned l = 0; l < 4; l++)
        if (j->number[l] == c->index + 1u)
            return false; /* a number has only one lane */
    j->number[lane] = c->index + 1u;
    return true;
}

static bool possible(const struct us_program *a, struct joining *j, const struct us_chan *chan, unsigned mask)
{
    bool fixed = false;
    *j = (struct joining){0};
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && !join_channel(a, j, &chan[c], c))
            return false;
    for (unsigned i = 0; i < j->nroots; i++)
        fixed |= a->unit[j->root[i]].fixed;
    for (unsigned c = 0; c < 4; c++)
        if (j->number[c] && (fixed || j->taken >> c & 1))
            return false;
    return !fixed || j->nroots == 1;
}

/* Merges the units of the channels in the mask. Returns false if that is not possible. */
static bool join(struct us_program *a, const struct us_chan *chan, unsigned mask)
{
    struct joining j;
    if (!mask || !possible(a, &j, chan, mask))
        return false;
    for (unsigned c = 0; c < 4 && !j.nroots; c++)
        if (j.number[c])
            j.root[j.nroots++] = a->value[j.number[c] - 1].unit;
    struct us_unit *u = &a->unit[j.root[0]];
    for (unsigned i = 1; i < j.nroots; i++) {
        u->lanes |= a->unit[j.root[i]].lanes;
        a->unit[j.root[i]].parent = (uint16_t)j.root[0];
    }
    for (unsigned c = 0; c < 4; c++)
        if (j.number[c]) {
            a->value[j.number[c] - 1].unit = (uint16_t)j.root[0];
            a->value[j.number[c] - 1].lane = (uint8_t)c;
            u->lanes |= (uint8_t)(1u << c);
        }
    return true;
}

/* ---- coordinates: in one temporary, on r300 and r400 in order, without signs (notes/facts/r300.md 2.3,
 * 3.2b) ---- */

static bool readable(const struct us_program *a, const struct us_lookup *l)
{
    unsigned unit = UINT16_MAX;
    for (unsigned c = 0; c < 4; c++) {
        if (!(l->needs >> c & 1))
            continue;
        if (l->coord[c].file != US_VALUE || l->coord[c].neg || l->coord[c].abs ||
            hwemit_us_lane(a, &l->coord[c]) == 0xff)
            return false;
        if (unit != UINT16_MAX && unit != hwemit_us_unit(a, l->coord[c].index))
            return false;
        unit = hwemit_us_unit(a, l->coord[c].index);
    }
    return a->p.chip->generation == R500 && l->op != TEX_KIL;
}

static void copy_coordinate(struct us_program *a, struct us_lookup *l, unsigned mask)
{
    struct us_op copy = hwemit_us_copy(l->coord, l->order);
    const unsigned colour = mask & 7;
    if (colour & (colour - 1)) {
        copy.kind = US_VECTOR;
        copy.mask = (uint8_t)colour;
        const struct us_op *made = hwemit_us_emit(a, &copy);
        for (unsigned c = 0; c < 3 && made; c++)
            if (colour >> c & 1)
                l->coord[c] = (struct us_chan){.file = US_VALUE, .lane = (uint8_t)c, .index = made->value};
        mask &= FRAGPROG_MASK_W;
    }
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) {
            copy = hwemit_us_copy(l->coord, l->order);
            copy.arg[0][0] = l->coord[c];
            hwemit_us_number(a, &copy, &l->coord[c]);
        }
}

static void coordinate(struct us_program *a, struct us_lookup *l)
{
    struct joining j;
    /* r500 would kill at -0, GL does not; a copy x*1 + 0 turns -0 into 0 (notes/facts/r300.md 2.1) */
    const bool copies = a->p.chip->generation == R500 && l->op == TEX_KIL;
    unsigned good = 0, signs = 0;
    if (readable(a, l))
        return;
    for (unsigned c = 0; c < 4; c++)
        signs |= (unsigned)(copies || l->coord[c].neg || l->coord[c].abs) << c;
    for (unsigned c = 0; c < 4; c++)
        if ((l->needs & ~signs) >> c & 1 && possible(a, &j, l->coord, good | 1u << c))
            good |= 1u << c;
    if (good == l->needs) {
        join(a, l->coord, good);
        return;
    }
    for (unsigned c = 0; c < 4; c++) /* no value can be added to the temporary of an input or a texel */
        if (good >> c & 1 && a->unit[hwemit_us_unit(a, l->coord[c].index)].fixed)
            good = 0;
    copy_coordinate(a, l, l->needs & ~good);
    if (!a->failed && !join(a, l->coord, l->needs)) {
        copy_coordinate(a, l, good);
        join(a, l->coord, l->needs);
    }
}

/* ---- operands ---- */

/* Returns whether merging is unnecessary (all channels are in one unit) or pointless (some channel is not a
 * value). */
static bool together(const struct us_program *a, const struct us_chan *chan, unsigned mask)
{
    unsigned unit = UINT16_MAX;
    for (unsigned c = 0; c < 4; c++) {
        if (!(mask >> c & 1))
            continue;
        if (chan[c].file != US_VALUE)
            return true; /* not all channels are values */
        const unsigned u = hwemit_us_unit(a, chan[c].index);
        if (unit != UINT16_MAX && u != unit)
            return false;
        unit = u;
    }
    return true;
}

static void operands(struct us_program *a, unsigned kind, unsigned nops)
{
    for (unsigned i = 0; i < nops; i++) {
        const struct us_op *op = &a->op[i];
        const unsigned mask = hwemit_us_channels(op) & 7;
        for (unsigned s = 0; s < hwemit_us_operands(op) && op->kind == kind; s++)
            /* the alpha half selects its own sources: only the colour lanes must be in one register */
            if (!together(a, op->arg[s], mask))
                join(a, op->arg[s], mask);
    }
}

bool hwemit_us_units(struct us_program *a)
{
    const unsigned nops = a->nops;
    for (unsigned i = 0; i < a->nlookups && !a->failed; i++)
        coordinate(a, &a->lookup[i]);
    operands(a, US_DOT3, nops);
    operands(a, US_DOT4, nops);
    operands(a, US_VECTOR, nops);
    for (unsigned v = 0; v < a->nvalues; v++) /* for short searches later */
        a->value[v].unit = (uint16_t)hwemit_us_unit(a, v);
    return !a->failed;
}
