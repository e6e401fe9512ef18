/* Schedules operations as pairs by list scheduling: in each texture block, pairs the ready operation with the
 * highest priority with the next one that fits into the other half. */
#include "hwemit/r300/us.h"

enum { CANDIDATES = 48 };

/* Makes the operations that wait for this node wait for one less. */
static void release(struct us_program *a, unsigned node)
{
    for (unsigned e = a->graph->first[node]; e < a->graph->first[node + 1]; e++)
        a->graph->node[a->graph->edge[e]].waits--;
}

/* ---- pairs ---- */

static bool modified(const struct machine_op *op) { return op->scale || op->sat; }

/* Returns the part of a temporary (RGB or ALPHA) that holds a result whose lane is not fixed, if its
 * operation runs in `half`. */
static unsigned part_of(const struct machine_op *op, unsigned half)
{
    switch (op->kind) {
    case US_DOT3: return op->out[ALPHA] || op->depth ? ALPHA : RGB;
    case US_DOT4:
    case US_FUNCTION: return op->out[RGB] && modified(op) ? RGB : ALPHA;
    default: return half;
    }
}

/* Returns the mask of halves that an operation needs; 0 if it can run in either. */
static unsigned halves_of(const struct us_program *a, const struct machine_op *op)
{
    unsigned wants = (unsigned)hwemit_us_wants(a, op, RGB) | (unsigned)hwemit_us_wants(a, op, ALPHA) << 1;
    switch (op->kind) {
    case US_VECTOR: return 1;
    case US_SCALAR: return wants;
    default: break;
    }
    if (a->m->value[op->value].read && a->value[op->value].lane == US_ANY_LANE)
        wants |= 1u << part_of(op, RGB);
    return wants | (op->kind == US_DOT3 ? 1 : op->kind == US_DOT4 ? 3 : 2);
}

static bool before(const struct us_program *a, unsigned x, unsigned y)
{
    const struct machine_op *o = &a->m->op[x], *p = &a->m->op[y];
    if (!a->in_order && a->graph->node[x].height != a->graph->node[y].height)
        return a->graph->node[x].height > a->graph->node[y].height;
    return o->order != p->order ? o->order < p->order : x < y;
}

/* Lists the ready operations with the highest priority, in order. */
static unsigned candidates(const struct us_program *a, unsigned phase, uint16_t *list)
{
    unsigned n = 0;
    for (unsigned i = a->nlookups; i < a->m->nops; i++) {
        if (a->graph->node[i].waits || a->graph->node[i].phase > phase)
            continue;
        if (n == CANDIDATES && !before(a, i, list[n - 1]))
            continue;
        unsigned k = n < CANDIDATES ? n++ : n - 1;
        for (; k > 0 && before(a, i, list[k - 1]); k--)
            list[k] = list[k - 1];
        list[k] = (uint16_t)i;
    }
    return n;
}

static void issue(struct us_program *a, unsigned i, unsigned half)
{
    const struct machine_op *op = &a->m->op[i];
    if (a->graph->node[i].waits == US_ISSUED)
        return;
    a->graph->node[i].waits = US_ISSUED;
    a->value[op->value].part = (uint8_t)part_of(op, half);
    release(a, i);
}

/* Makes a pair of the first operation of the list and the first later one that fits into the other half. */
static bool find_pair(const struct us_program *a, const uint16_t *list, unsigned n, struct pair *pair)
{
    const unsigned first = list[0], halves = halves_of(a, &a->m->op[first]);
    if (halves == 3)
        return hwemit_us_place(a, pair, first, first);
    for (unsigned i = 1; i < n; i++) {
        const unsigned other = halves_of(a, &a->m->op[list[i]]);
        if (other == 3 || a->m->op[list[i]].order > a->m->op[first].order + a->ahead)
            continue;
        if (halves != 2 && other != 1 && hwemit_us_place(a, pair, first, list[i]))
            return true;
        if (halves != 1 && other != 2 && hwemit_us_place(a, pair, list[i], first))
            return true;
    }
    return halves == 1 ? hwemit_us_place(a, pair, first, NONE) : hwemit_us_place(a, pair, NONE, first);
}

static bool block(struct us_program *a, unsigned phase)
{
    uint16_t list[CANDIDATES];
    struct program *p = &a->p;
    const unsigned begin = p->npairs;
    for (unsigned t = 0; t < a->nlookups; t++)
        if (a->m->op[t].phase == phase)
            release(a, t);
    for (;;) {
        const unsigned n = candidates(a, phase, list);
        if (!n && p->npairs > begin)
            return true;
        if (p->npairs == US_PAIRS)
            return hwemit_us_refuse_long(a);
        struct pair *pair = &p->pair[p->npairs];
        if (n && !find_pair(a, list, n, pair)) {
            return hwemit_refuse(a->m->why, -1, "sources", "a simpler operation",
                                 "an operation reads more than the source addresses of a pair");
        }
        if (!n) /* every block needs an instruction (notes/facts/r300.md 3.2) */
            hwemit_us_place(a, pair, NONE, NONE);
        pair->phase = (uint16_t)phase;
        p->npairs++;
        for (unsigned half = 0; half < 2; half++)
            if (pair->half[half].op != NONE)
                issue(a, pair->half[half].op, half);
        if (!n)
            return true;
    }
}

bool hwemit_us_schedule(struct us_program *a, bool in_order, unsigned ahead)
{
    a->in_order = in_order;
    a->ahead = (uint16_t)ahead;
    a->p.npairs = 0;
    for (unsigned i = a->nlookups; i < a->m->nops; i++)
        a->graph->node[i].waits = a->m->op[i].mask ? a->graph->node[i].edges : US_ISSUED;
    for (unsigned phase = 0; phase <= a->phases; phase++)
        if (!block(a, phase))
            return false;
    if (a->p.npairs > a->p.chip->alu) {
        return hwemit_refuse(
            a->m->why, -1, "alu", "a shorter program",
            "the program needs %u ALU instructions, the chip has %u; its constants would fit "
            "(%u of %u)",
            (unsigned)a->p.npairs, (unsigned)a->p.chip->alu, (unsigned)a->nslots,
            (unsigned)a->p.chip->consts);
    }
    return true;
}

/* A pair has one operation for each half, and a chain of dependent operations needs a pair for each. */
unsigned hwemit_us_least_pairs(const struct us_program *a)
{
    unsigned half[2] = {0, 0}, all = 0, chain = 0;
    for (unsigned i = a->nlookups; i < a->m->nops; i++) {
        if (!a->m->op[i].mask)
            continue;
        const unsigned halves = halves_of(a, &a->m->op[i]);
        half[RGB] += halves & 1;
        half[ALPHA] += halves >> 1;
        all += halves == 3 ? 2 : 1;
        chain = a->graph->node[i].height + 1u > chain ? a->graph->node[i].height + 1u : chain;
    }
    unsigned least = (all + 1) / 2;
    for (unsigned h = 0; h < 2; h++)
        least = half[h] > least ? half[h] : least;
    return a->phases == 0 && chain > least ? chain : least;
}
