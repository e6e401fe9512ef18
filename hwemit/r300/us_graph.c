/* The dependence graph of the schedule: its nodes are the operations, then the lookups. Also removes
 * operations whose result nothing reads, and puts each lookup into the earliest possible texture block, which
 * makes the number of blocks minimal. */
#include "hwemit/r300/us.h"

#include <string.h>

enum { READS = 15 }; /* most channels with values that an operation reads: two sums and an operand */

/* A node that reads a component of a value, and the node that writes it; NONE: an input. */
struct read {
    uint16_t node, writer, value;
    uint8_t component;
};

struct reads {
    struct us_program *a;
    struct read *read;
    unsigned n;
};

static unsigned nodes(const struct us_program *a) { return (unsigned)a->nops + a->nlookups; }

static void add(struct reads *r, unsigned node, const struct us_chan *c)
{
    if (c->file != US_VALUE)
        return;
    const struct us_value *v = &r->a->value[c->index];
    const uint8_t component = v->number ? 0 : c->lane;
    const unsigned writer = v->source == US_INPUT ? NONE
        : v->source == US_TEXEL                   ? (unsigned)r->a->nops + v->from
                                                  : v->writer[component];
    r->read[r->n++] = (struct read){(uint16_t)node, (uint16_t)writer, c->index, component};
}

static void add_reads_of(struct reads *r, unsigned i)
{
    const struct us_op *op = &r->a->op[i];
    const unsigned channels = hwemit_us_channels(op);
    for (unsigned s = 0; s < hwemit_us_operands(op); s++)
        for (unsigned c = 0; channels >> c; c++)
            if (channels >> c & 1)
                add(r, i, &op->arg[s][c]);
    for (unsigned k = 0; k < 16 && op->presub[k / 8].op; k++)
        add(r, i, &op->presub[k / 8].source[k / 4 % 2][k % 4]);
}

static void find_reads(struct reads *r)
{
    const struct us_program *a = r->a;
    for (unsigned i = 0; i < a->nops; i++)
        if (!a->op[i].gone)
            add_reads_of(r, i);
    for (unsigned t = 0; t < a->nlookups; t++)
        for (unsigned c = 0; c < 4; c++)
            if (a->lookup[t].needs >> c & 1)
                add(r, a->nops + t, &a->lookup[t].coord[c]);
}

/* Marks the components that are read, and removes operations whose result nothing reads. */
static void drop_unread(struct reads *r)
{
    struct us_program *a = r->a;
    for (bool changed = true; changed;) {
        unsigned left = 0;
        changed = false;
        for (unsigned v = 0; v < a->nvalues; v++)
            a->value[v].read = 0;
        for (unsigned n = 0; n < r->n; n++) {
            const struct read read = r->read[n];
            if (read.node < a->nops && a->op[read.node].gone)
                continue;
            a->value[read.value].read |= (uint8_t)(1u << read.component);
            r->read[left++] = read;
        }
        r->n = left;
        for (unsigned i = 0; i < a->nops; i++) {
            struct us_op *op = &a->op[i];
            if (!op->gone && !a->value[op->value].read && !op->out[RGB] && !op->out[ALPHA] && !op->depth)
                op->gone = changed = true;
        }
    }
}

static void find_edges(const struct reads *r, struct us_graph *g)
{
    const unsigned count = nodes(r->a);
    memset(g->first, 0, (count + 1) * sizeof *g->first);
    memset(g->node, 0, count * sizeof *g->node);
    for (unsigned n = 0; n < r->n; n++)
        if (r->read[n].writer != NONE)
            g->first[r->read[n].writer + 1]++;
    for (unsigned i = 0; i < count; i++) {
        g->first[i + 1] = (uint16_t)(g->first[i + 1] + g->first[i]);
        g->filled[i] = g->first[i];
    }
    for (unsigned n = 0; n < r->n; n++)
        if (r->read[n].writer != NONE) {
            g->edge[g->filled[r->read[n].writer]++] = r->read[n].node;
            g->node[r->read[n].node].edges++;
            g->node[r->read[n].node].waits++;
        }
}

/* Finds the texture block of each node in topological order, then heights in reverse order. */
static void find_phases(struct us_program *a, struct us_graph *g)
{
    unsigned n = 0;
    for (unsigned node = 0; node < nodes(a); node++)
        if (!g->node[node].edges)
            g->order[n++] = (uint16_t)node;
    for (unsigned i = 0; i < n; i++)
        for (unsigned e = g->first[g->order[i]]; e < g->first[g->order[i] + 1]; e++) {
            struct us_node *to = &g->node[g->edge[e]];
            const unsigned least = g->node[g->order[i]].phase + (g->edge[e] >= a->nops ? 1u : 0);
            to->phase = to->phase < least ? (uint16_t)least : to->phase;
            if (--to->waits == 0)
                g->order[n++] = g->edge[e];
        }
    while (n-- > 0) {
        struct us_node *node = &g->node[g->order[n]];
        for (unsigned e = g->first[g->order[n]]; e < g->first[g->order[n] + 1]; e++) {
            const unsigned height = g->node[g->edge[e]].height + (g->edge[e] < a->nops ? 1u : 8u);
            node->height = height > node->height ? (uint16_t)height : node->height;
        }
        if (g->order[n] < a->nops)
            continue;
        a->lookup[g->order[n] - a->nops].phase = node->phase;
        a->phases = node->phase > a->phases ? node->phase : a->phases;
    }
}

bool hwemit_us_graph(struct us_program *a)
{
    const unsigned most = READS * a->maxops + 4u * a->maxlookups, blocks = a->p.chip->nodes;
    char *at = a->room;
    struct us_graph *g = hwemit_machine_take(&at, 1, sizeof *g);
    g->node = hwemit_machine_take(&at, nodes(a), sizeof *g->node);
    g->edge = hwemit_machine_take(&at, most, sizeof *g->edge);
    g->first = hwemit_machine_take(&at, nodes(a) + 1, sizeof *g->first);
    g->filled = hwemit_machine_take(&at, nodes(a), sizeof *g->filled);
    g->order = hwemit_machine_take(&at, nodes(a), sizeof *g->order);
    struct reads r = {.a = a, .read = hwemit_machine_take(&at, most, sizeof *r.read)};
    a->graph = g;
    find_reads(&r);
    drop_unread(&r);
    find_edges(&r, g);
    find_phases(a, g);
    if (blocks && a->phases >= blocks) {
        a->failed = true;
        return hwemit_refuse(
            a->why, -1, "indirections", "fewer dependent lookups",
            "the program needs %u blocks of lookups that depend on each other, the chip has %u",
            a->phases + 1u, blocks);
    }
    return true;
}
