/* Schedules ARB programs as pairs by list scheduling: in each texture block, pairs the ready operation with
 * the highest priority with the next one that fits into the other half. Each lookup is put into the earliest
 * possible block, which makes the number of blocks minimal. */
#include "hwemit/r300/asm.h"

#include <string.h>

enum { CANDIDATES = 48 };

/* ---- dependence graph: nodes are operations, then lookups ---- */

static unsigned nodes(const struct asm_program *a) { return (unsigned)a->nops + a->nlookups; }

/* Returns the node that writes what a channel reads, or NONE if none does (an input, a constant). */
static unsigned writer_of(const struct asm_program *a, const struct asm_chan *c)
{
    if (c->file != ASM_VALUE)
        return NONE;
    const struct asm_value *v = &a->value[c->index];
    return v->source == ASM_INPUT ? NONE
        : v->source == ASM_TEXEL  ? (unsigned)a->nops + v->from
                                  : v->writer[v->number ? 0 : c->lane];
}

/* Sets *c to the k-th channel of the node's operands or coordinate. Returns false if there are no more. */
static bool channel_of(const struct asm_program *a, unsigned node, unsigned k, struct asm_chan *c)
{
    if (node >= a->nops) {
        const struct asm_lookup *l = &a->lookup[node - a->nops];
        *c = k < 4 && l->needs >> k & 1 ? l->coord[k] : (struct asm_chan){0};
        return k < 4;
    }
    const struct asm_op *op = &a->op[node];
    const unsigned args = hwemit_asm_operands(op);
    *c = k / 4 < args && hwemit_asm_channels(op) >> k % 4 & 1 ? op->arg[k / 4][k % 4] : (struct asm_chan){0};
    return k < 4 * args;
}

/* Builds the edges from writers to readers, and marks the components that are read. */
static bool find_edges(struct asm_program *a)
{
    struct asm_chan c;
    memset(a->first, 0, sizeof a->first);
    memset(a->node, 0, nodes(a) * sizeof *a->node);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned node = 0; node < nodes(a); node++)
            for (unsigned k = 0; channel_of(a, node, k, &c); k++) {
                const unsigned writer = writer_of(a, &c);
                if (c.file == ASM_VALUE)
                    a->value[c.index].read |= (uint8_t)(1u << (a->value[c.index].number ? 0 : c.lane));
                if (writer == NONE)
                    continue;
                if (pass == 0)
                    a->first[writer + 1]++;
                else {
                    a->edge[a->filled[writer]++] = (uint16_t)node;
                    a->node[node].waits++;
                }
            }
        for (unsigned i = 0; i < nodes(a) && pass == 0; i++) {
            a->first[i + 1] += a->first[i];
            a->filled[i] = a->first[i];
        }
        if (a->first[nodes(a)] > sizeof a->edge / sizeof *a->edge)
            return hwemit_asm_refuse_long(a);
    }
    return true;
}

/* ---- blocks and heights ---- */

static void release(struct asm_program *a, unsigned node, uint16_t *ready, unsigned *n)
{
    for (unsigned e = a->first[node]; e < a->first[node + 1]; e++) {
        struct asm_node *to = &a->node[a->edge[e]];
        const unsigned least = a->node[node].phase + (a->edge[e] >= a->nops ? 1u : 0);
        if (to->phase < least)
            to->phase = (uint16_t)least;
        if (--to->waits == 0 && ready)
            ready[(*n)++] = a->edge[e];
    }
}

/* Finds the texture block of each node in topological order, then heights (lengths of the longest dependence
 * chains) in reverse order. */
static void find_phases(struct asm_program *a)
{
    uint16_t line[ASM_NODES];
    unsigned n = 0;
    for (unsigned node = 0; node < nodes(a); node++)
        if (!a->node[node].waits)
            line[n++] = (uint16_t)node;
    for (unsigned i = 0; i < n; i++)
        release(a, line[i], line, &n);
    while (n-- > 0) {
        struct asm_node *node = &a->node[line[n]];
        for (unsigned e = a->first[line[n]]; e < a->first[line[n] + 1]; e++) {
            struct asm_node *to = &a->node[a->edge[e]];
            const unsigned height = to->height + (a->edge[e] < a->nops ? 1u : 8u);
            node->height = height > node->height ? (uint16_t)height : node->height;
            to->waits++;
        }
        if (line[n] >= a->nops && node->phase > a->phases)
            a->phases = node->phase;
    }
}

/* ---- pairs ---- */

static bool modified(const struct asm_op *op) { return op->scale || op->clamp; }

/* Returns the part of a temporary (RGB or ALPHA) that holds a result whose lane is not fixed, if its
 * operation runs in `half`. */
static unsigned part_of(const struct asm_op *op, unsigned half)
{
    switch (op->kind) {
    case ASM_DOT3: return op->out[ALPHA] || op->depth ? ALPHA : RGB;
    case ASM_DOT4:
    case ASM_FUNCTION: return op->out[RGB] && modified(op) ? RGB : ALPHA;
    default: return half;
    }
}

/* Returns the mask of halves that an operation needs; 0 if it can run in either. */
static unsigned halves_of(const struct asm_program *a, const struct asm_op *op)
{
    const struct asm_value *v = &a->value[op->value];
    unsigned wants = (unsigned)hwemit_asm_wants(a, op, RGB) | (unsigned)hwemit_asm_wants(a, op, ALPHA) << 1;
    switch (op->kind) {
    case ASM_VECTOR: return 1;
    case ASM_SCALAR: return wants;
    default: break;
    }
    if (v->read && v->lane == 0xff)
        wants |= 1u << part_of(op, RGB);
    return wants | (op->kind == ASM_DOT3 ? 1 : op->kind == ASM_DOT4 ? 3 : 2);
}

static bool before(const struct asm_program *a, unsigned x, unsigned y)
{
    const struct asm_op *o = &a->op[x], *p = &a->op[y];
    if (!a->in_order && a->node[x].height != a->node[y].height)
        return a->node[x].height > a->node[y].height;
    return o->order != p->order ? o->order < p->order : x < y;
}

/* Lists the ready operations with the highest priority, in order. */
static unsigned candidates(const struct asm_program *a, unsigned phase, uint16_t *list)
{
    unsigned n = 0;
    for (unsigned i = 0; i < a->nops; i++) {
        if (a->op[i].done || a->node[i].waits || a->node[i].phase > phase)
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

static void issue(struct asm_program *a, unsigned i, unsigned half)
{
    struct asm_op *op = &a->op[i];
    if (op->done)
        return;
    op->done = true;
    a->value[op->value].part = (uint8_t)part_of(op, half);
    release(a, i, NULL, NULL);
}

/* Makes a pair of the first operation of the list and the first later one that fits into the other half. */
static bool find_pair(const struct asm_program *a, const uint16_t *list, unsigned n, struct pair *pair)
{
    const unsigned first = list[0], halves = halves_of(a, &a->op[first]);
    if (halves == 3)
        return hwemit_asm_place(a, pair, first, first);
    for (unsigned i = 1; i < n; i++) {
        const unsigned other = halves_of(a, &a->op[list[i]]);
        if (other == 3)
            continue;
        if (halves != 2 && other != 1 && hwemit_asm_place(a, pair, first, list[i]))
            return true;
        if (halves != 1 && other != 2 && hwemit_asm_place(a, pair, list[i], first))
            return true;
    }
    return halves == 1 ? hwemit_asm_place(a, pair, first, NONE) : hwemit_asm_place(a, pair, NONE, first);
}

static bool block(struct asm_program *a, unsigned phase)
{
    uint16_t list[CANDIDATES];
    struct program *p = a->p;
    const unsigned begin = p->npairs;
    for (unsigned t = 0; t < a->nlookups; t++)
        if (a->node[a->nops + t].phase == phase)
            release(a, a->nops + t, NULL, NULL);
    for (;;) {
        const unsigned n = candidates(a, phase, list);
        if (!n && p->npairs > begin)
            return true;
        if (p->npairs == MAX_PAIRS)
            return hwemit_asm_refuse_long(a);
        struct pair *pair = &p->pair[p->npairs];
        if (n && !find_pair(a, list, n, pair)) {
            a->failed = true;
            return hwemit_refuse(a->why, -1, "sources", "a simpler operation",
                                 "an operation reads more than the source addresses of a pair");
        }
        if (!n) /* every block needs an instruction (notes/facts/r300.md 3.2) */
            hwemit_asm_place(a, pair, NONE, NONE);
        pair->phase = (uint16_t)phase;
        p->npairs++;
        for (unsigned half = 0; half < 2; half++)
            if (pair->half[half].op != NONE)
                issue(a, pair->half[half].op, half);
        if (!n)
            return true;
    }
}

bool hwemit_asm_schedule(struct asm_program *a)
{
    const unsigned most = a->p->chip->nodes;
    if (!find_edges(a))
        return false;
    find_phases(a);
    if (most && a->phases >= most) {
        a->failed = true;
        return hwemit_refuse(a->why, -1, "indirections", "fewer dependent lookups",
                             "the program's lookups depend on each other %u times in a row, the chip has %u "
                             "blocks of lookups",
                             a->phases + 1u, most);
    }
    for (unsigned phase = 0; phase <= a->phases; phase++)
        if (!block(a, phase))
            return false;
    if (a->p->npairs > a->p->chip->alu) {
        a->failed = true;
        return hwemit_refuse(
            a->why, -1, "alu", "a shorter program",
            "the program needs %u ALU instructions, the chip has %u; its constants would fit "
            "(%u of %u)",
            (unsigned)a->p->npairs, (unsigned)a->p->chip->alu, (unsigned)a->nslots,
            (unsigned)a->p->chip->consts);
    }
    return true;
}
