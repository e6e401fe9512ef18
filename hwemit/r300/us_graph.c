/* The dependence graph of the schedule. Also removes operations whose result nothing reads, and puts each
 * lookup into the earliest possible texture block (a group of lookups before ALU instructions), which makes
 * the number of blocks minimal. */
#include "hwemit/r300/us.h"

#include <string.h>

/* An operation that reads a component of a value, and the one that writes it; NONE: an input. */
struct read {
    uint16_t node, writer, value;
    uint8_t component;
};

struct reads {
    struct us_program *a;
    struct read *read;
    unsigned n;
};

unsigned hwemit_us_values(const struct us_program *a, unsigned i, struct machine_src x[US_READS])
{
    const struct machine_op *op = &a->m->op[i];
    const struct machine_presub *presub = a->m->presub[i];
    unsigned n = 0;
    for (unsigned places = op->reads; places; places &= places - 1)
        x[n++] = hwemit_machine_at(op, places);
    for (unsigned k = 0; k < 16 && presub[k / 8].op; k++)
        if (presub[k / 8].source[k / 4 % 2][k % 4].file == MACHINE_VALUE)
            x[n++] = presub[k / 8].source[k / 4 % 2][k % 4];
    return n;
}

static void find_reads(struct reads *r)
{
    const struct us_program *a = r->a;
    for (unsigned i = 0; i < a->m->nops; i++) {
        struct machine_src x[US_READS];
        if (i >= a->nlookups && !a->m->op[i].mask)
            continue;
        hwemit_machine_find_reads(&a->m->op[i]);
        for (unsigned k = 0, n = hwemit_us_values(a, i, x); k < n; k++)
            r->read[r->n++] = (struct read){(uint16_t)i, a->value[x[k].index].writer[x[k].lane], x[k].index,
                                            x[k].lane};
    }
}

/* Marks the components that are read, and removes operations whose result nothing reads. */
static void drop_unread(struct reads *r)
{
    const struct us_program *a = r->a;
    const struct machine *m = a->m;
    for (bool changed = true; changed;) {
        unsigned left = 0;
        changed = false;
        for (unsigned v = 0; v < m->nvalues; v++)
            m->value[v].read = 0;
        for (unsigned n = 0; n < r->n; n++) {
            const struct read read = r->read[n];
            if (read.node >= a->nlookups && !m->op[read.node].mask)
                continue;
            m->value[read.value].read |= (uint8_t)(1u << read.component);
            r->read[left++] = read;
        }
        r->n = left;
        for (unsigned i = a->nlookups; i < m->nops; i++) {
            struct machine_op *op = &m->op[i];
            if (op->mask && !m->value[op->value].read && !op->out[RGB] && !op->out[ALPHA] && !op->depth) {
                op->mask = 0;
                changed = true;
            }
        }
    }
}

static void find_edges(const struct reads *r, struct us_graph *g)
{
    const unsigned count = r->a->m->nops;
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
    for (unsigned node = 0; node < a->m->nops; node++)
        if (!g->node[node].edges)
            g->order[n++] = (uint16_t)node;
    for (unsigned i = 0; i < n; i++)
        for (unsigned e = g->first[g->order[i]]; e < g->first[g->order[i] + 1]; e++) {
            struct us_node *to = &g->node[g->edge[e]];
            const unsigned least = g->node[g->order[i]].phase + (g->edge[e] < a->nlookups ? 1u : 0);
            to->phase = to->phase < least ? (uint16_t)least : to->phase;
            if (--to->waits == 0)
                g->order[n++] = g->edge[e];
        }
    while (n-- > 0) {
        struct us_node *node = &g->node[g->order[n]];
        for (unsigned e = g->first[g->order[n]]; e < g->first[g->order[n] + 1]; e++) {
            const unsigned height = g->node[g->edge[e]].height + (g->edge[e] < a->nlookups ? 8u : 1u);
            node->height = height > node->height ? (uint16_t)height : node->height;
        }
        if (g->order[n] >= a->nlookups)
            continue;
        a->m->op[g->order[n]].phase = node->phase;
        a->phases = node->phase > a->phases ? node->phase : a->phases;
    }
}

bool hwemit_us_graph(struct us_program *a)
{
    const unsigned most = US_READS * a->m->nops, blocks = a->p.chip->nodes;
    char *at = a->m->room;
    struct us_graph *g = hwemit_machine_take(&at, 1, sizeof *g);
    g->node = hwemit_machine_take(&at, a->m->nops, sizeof *g->node);
    g->edge = hwemit_machine_take(&at, most, sizeof *g->edge);
    g->first = hwemit_machine_take(&at, a->m->nops + 1, sizeof *g->first);
    g->filled = hwemit_machine_take(&at, a->m->nops, sizeof *g->filled);
    g->order = hwemit_machine_take(&at, a->m->nops, sizeof *g->order);
    struct reads r = {.a = a, .read = hwemit_machine_take(&at, most, sizeof *r.read)};
    a->graph = g;
    find_reads(&r);
    drop_unread(&r);
    find_edges(&r, g);
    find_phases(a, g);
    if (blocks && a->phases >= blocks) {
        return hwemit_refuse(
            a->m->why, -1, "indirections", "fewer dependent lookups",
            "the program needs %u blocks of lookups that depend on each other, the chip has %u",
            a->phases + 1u, blocks);
    }
    return true;
}
