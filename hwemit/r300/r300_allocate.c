/* Register allocation: assigns temporaries and constant slots, and sets the NOP flag where a pair
 * presubtracts what the previous pair writes.
 *
 * The colour and the alpha part of a temporary are allocated separately. The program is straight-line code
 * (the lookups of a block, then its pairs), so live ranges are intervals and a linear scan with the lowest
 * free temporary is optimal, except that texels and inputs need both parts of one temporary. An instruction
 * may overwrite a register that it reads for the last time, because pairs and lookups read before they write.
 */
#include "hwemit/r300/r300_encode.h"

#include <string.h>

enum { TEMPS = 128, NEVER = -2 };

struct line {
    struct program *p;
    int last[MAX_VREGS][2]; /* position of the last read of each part */
    int busy[TEMPS][2];     /* position from which on the part is free */
    unsigned limit;
};

static void reads(struct line *l, unsigned v, unsigned part, int place)
{
    if (l->last[v][part] < place)
        l->last[v][part] = place;
}

static void find_last_readers(struct line *l)
{
    struct program *p = l->p;
    for (unsigned i = 0; i < p->nvregs; i++)
        l->last[i][RGB] = l->last[i][ALPHA] = NEVER;
    int place = 0;
    unsigned n = 0;
    for (unsigned phase = 0; phase <= p->phases; phase++) {
        for (unsigned t = 0; t < p->ntex; t++) {
            if (p->tex[t].phase != phase)
                continue;
            reads(l, p->tex[t].coord, RGB, place);
            if (p->vreg[p->tex[t].coord].kind != V_OP)
                reads(l, p->tex[t].coord, ALPHA, place);
            place++;
        }
        for (; n < p->npairs && p->pair[n].phase == phase; n++, place++)
            for (unsigned part = 0; part < 2; part++)
                for (unsigned s = 0; s < 3; s++)
                    if (p->pair[n].port[part][s].file == FILE_VREG)
                        reads(l, p->pair[n].port[part][s].index, part, place);
    }
}

/* Returns the lowest temporary whose `parts` are free at this position, or l->limit if there is none. */
static unsigned free_temp(const struct line *l, unsigned parts, int place)
{
    for (unsigned t = 0; t < l->limit; t++)
        if ((!(parts & 1) || l->busy[t][RGB] <= place) && (!(parts & 2) || l->busy[t][ALPHA] <= place))
            return t;
    return l->limit;
}

static bool define(struct line *l, unsigned v, unsigned parts, int place)
{
    struct vreg *vreg = &l->p->vreg[v];
    unsigned t = free_temp(l, parts, place);
    if (t == l->limit)
        return false;
    vreg->temp = (uint16_t)t;
    for (unsigned part = 0; part < 2; part++)
        if (parts >> part & 1) /* an unread result occupies its register while it is written */
            l->busy[t][part] = l->last[v][part] > place ? l->last[v][part] : place + 1;
    if (t + 1u > l->p->temps)
        l->p->temps = (uint16_t)(t + 1);
    return true;
}

static bool temporaries(struct line *l)
{
    struct program *p = l->p;
    for (unsigned t = 0; t < l->limit; t++)
        l->busy[t][0] = l->busy[t][1] = NEVER;
    for (unsigned i = 0; i < p->ninputs; i++) /* inputs arrive in temporaries 0, 1, ... */
        if (!define(l, p->input[i].vreg, 3, -1))
            return false;
    int place = 0;
    unsigned n = 0;
    bool defined[MAX_VREGS];
    memset(defined, 0, p->nvregs * sizeof *defined);
    for (unsigned phase = 0; phase <= p->phases; phase++) {
        for (unsigned t = 0; t < p->ntex; t++) {
            if (p->tex[t].phase != phase)
                continue;
            const unsigned v = p->tex[t].result;
            unsigned parts = 3; /* r300 writes all four channels; r500 only those that are read */
            if (p->chip->generation == R500)
                parts = (l->last[v][RGB] >= 0) | (unsigned)(l->last[v][ALPHA] >= 0) << 1;
            p->vreg[v].parts = (uint8_t)((l->last[v][RGB] >= 0) | (l->last[v][ALPHA] >= 0) << 1);
            if (!define(l, v, parts, place++))
                return false;
        }
        for (; n < p->npairs && p->pair[n].phase == phase; n++, place++)
            for (unsigned half = 0; half < 2; half++) {
                const unsigned v = p->pair[n].half[half].temp;
                if (v == NONE || defined[v])
                    continue;
                if (!define(l, v, 1u << half, place))
                    return false;
                defined[v] = true;
            }
    }
    return true;
}

/* Replaces virtual registers by temporaries in the pairs. */
static void rename_all(struct program *p)
{
    for (unsigned n = 0; n < p->npairs; n++) {
        struct pair *pair = &p->pair[n];
        for (unsigned half = 0; half < 2; half++) {
            if (pair->half[half].temp != NONE)
                pair->half[half].temp = p->vreg[pair->half[half].temp].temp;
            for (unsigned s = 0; s < 3; s++)
                if (pair->port[half][s].file == FILE_VREG)
                    pair->port[half][s].index = p->vreg[pair->port[half][s].index].temp;
        }
    }
}

static void rename_lookups(struct program *p)
{
    for (unsigned t = 0; t < p->ntex; t++) {
        struct lookup *l = &p->tex[t];
        const struct vreg *coord = &p->vreg[l->coord];
        const unsigned parts = p->vreg[l->result].parts;
        l->src = coord->temp;
        l->dst = p->vreg[l->result].temp;
        l->mask = (uint8_t)((parts & 1 ? 7 : 0) | (parts & 2) << 2);
        l->set = coord->kind == V_INPUT ? p->input[coord->source].index : l->texture;
    }
}

/* Assigns constant slots in the driver's order: constants that GL state sets come first (notes/facts/r300.md
 * 3.2c, upload order), then immediates, then literals that the compiler adds. */
static bool constants(struct program *p, struct fragprog_reason *why)
{
    bool used[HWEMIT_CONSTANTS] = {false};
    for (unsigned n = 0; n < p->npairs; n++)
        for (unsigned part = 0; part < 2; part++)
            for (unsigned s = 0; s < 3; s++) {
                const struct port *port = &p->pair[n].port[part][s];
                if (port->file == FILE_CONST)
                    used[port->index] = true;
            }
    for (unsigned immediate = 0; immediate < 2; immediate++)
        for (unsigned k = 0; k < p->source->nkonst; k++) {
            bool env = false;
            for (unsigned c = 0; c < 4; c++)
                env |= p->source->konst[k].origin[c].unit >= 0;
            if (used[k] && env != immediate)
                p->const_slot[k] = p->nconsts++;
        }
    if (!hwemit_r300_number_slots(p) || p->nconsts > p->chip->consts)
        return hwemit_refuse(why, -1, "constants", "fewer constants",
                             "the program needs %u constants, the chip has %u", (unsigned)p->nconsts,
                             (unsigned)p->chip->consts);
    return true;
}

/* Sets the NOP flag of pairs that write a register that the next pair presubtracts (notes/facts/r300.md 2.2).
 * A lookup between the two pairs makes the flag unnecessary. */
static void flags(struct program *p)
{
    for (unsigned n = 0; n + 1 < p->npairs; n++) {
        struct pair *pair = &p->pair[n];
        const struct pair *next = &p->pair[n + 1];
        if (pair->phase != next->phase)
            continue;
        for (unsigned part = 0; part < 2; part++) {
            if (next->pre[part] == PRE_NONE)
                continue;
            const unsigned sources = next->pre[part] == PRE_SUB || next->pre[part] == PRE_ADD ? 2 : 1;
            for (unsigned s = 0; s < sources; s++)
                for (unsigned half = 0; half < 2; half++)
                    if (next->port[part][s].file == FILE_VREG &&
                        pair->half[half].temp == next->port[part][s].index && pair->half[half].mask)
                        pair->nop = true;
        }
    }
}

/* Records which assumptions (see hwemit_r300_assumptions) the pairs depend on. */
static void reliance(struct program *p)
{
    for (unsigned n = 0; n < p->npairs; n++) {
        const struct pair *pair = &p->pair[n];
        p->relies_on_constants |= p->chip->pair_consts > 2 && hwemit_r300_pair_constants(p, pair) > 2;
        for (unsigned half = 0; half < 2; half++)
            for (unsigned a = 0; a < 3; a++) {
                const struct operand *o = &pair->half[half].arg[a];
                if (p->chip->generation != R500 && o->from == SRC_PRE && (o->lane[0] == 3) != half &&
                    pair->pre[0] != pair->pre[1])
                    p->relies_on_part_presub = true;
            }
    }
}

bool hwemit_r300_allocate(struct program *p, struct fragprog_reason *why)
{
    struct line l; /* not initialised: array entries are written before they are read */
    l.p = p;
    l.limit = p->chip->temps;
    if (p->npairs > p->chip->alu)
        return hwemit_refuse(why, -1, "alu", "a shorter program",
                             "the program needs %u ALU instructions, the chip has %u", (unsigned)p->npairs,
                             (unsigned)p->chip->alu);
    if (p->ntex > p->chip->tex)
        return hwemit_refuse(why, -1, "textures", "fewer lookups",
                             "the program needs %u texture instructions, the chip has %u", (unsigned)p->ntex,
                             (unsigned)p->chip->tex);
    if (p->chip->total && p->npairs + p->ntex > p->chip->total)
        return hwemit_refuse(why, -1, "instructions", "a shorter program",
                             "the program needs %u instructions, the chip has %u",
                             (unsigned)p->npairs + p->ntex, (unsigned)p->chip->total);
    find_last_readers(&l);
    if (!temporaries(&l))
        return hwemit_refuse(why, -1, "temporaries", "fewer values at once",
                             "the program needs more than %u temporaries", (unsigned)p->chip->temps);
    reliance(p);
    if (!constants(p, why))
        return false;
    rename_all(p);
    rename_lookups(p);
    flags(p);
    return true;
}
