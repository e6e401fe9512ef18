/* List scheduling for few empty issue slots. Of the operations that can be issued earliest, the one with the
 * longest path to the end is next. */
#include "hwemit/machine/machine.h"

#include <string.h>

struct edge {
    uint16_t to, time, next; /* next: 1 + the next edge from the same operation */
};
struct schedule {
    struct machine *m;
    struct edge *edge;
    uint16_t *edges;         /* for each operation: 1 + the last edge from it */
    uint16_t *waits, *ready; /* number of operations that each waits for; list of those that wait for none */
    uint16_t *maker;         /* for each component: 1 + the operation that writes it */
    uint32_t *height, *ready_at; /* for each operation: longest path to the end; earliest time */
    unsigned nedges, maxedges;
    unsigned lanes, nready; /* maximum components of a value; entries of `ready` */
};

static unsigned component(const struct schedule *c, struct machine_src x)
{
    return c->lanes * x.index + x.lane;
}

static unsigned writes(const struct schedule *c, const struct machine_op *op, unsigned n)
{
    return component(c, hwemit_machine_component(c->m, op, n));
}

/* Adds an edge from operation `from` - 1 to i, unless `from` is 0. */
static void edge(struct schedule *c, unsigned from, unsigned i, unsigned time)
{
    if (!from || c->nedges == c->maxedges)
        return;
    c->edge[c->nedges++] = (struct edge){(uint16_t)i, (uint16_t)time, c->edges[from - 1]};
    c->edges[from - 1] = (uint16_t)c->nedges;
    c->waits[i]++;
}

/* Adds edges from each operation to those that read its result, and between operations with effects. */
static void link(struct schedule *c)
{
    const struct machine *m = c->m;
    unsigned effect = 0;
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        for (unsigned r = op->reads; r; r &= r - 1) {
            const unsigned read = component(c, hwemit_machine_at(op, r)), from = c->maker[read];
            edge(c, from, i,
                 from ? m->target->latency(&m->op[from - 1], op, hwemit_machine_lowest(r) / 4) : 0);
        }
        for (unsigned n = 0; op->mask >> n; n++)
            if (op->mask >> n & 1)
                c->maker[writes(c, op, n)] = (uint16_t)(i + 1);
        if (hwemit_machine_kind(op->op) != MACHINE_EFFECT)
            continue;
        edge(c, effect, i,
             effect && m->op[effect - 1].op != op->op ? m->target->latency(&m->op[effect - 1], op, 0) : 1);
        effect = i + 1;
    }
}

static bool build(struct schedule *c)
{
    struct machine *m = c->m;
    const unsigned components = c->lanes * m->nvalues;
    char *at = m->room + m->nops * sizeof *m->next, *const end = m->room + m->nroom;
    char *const begin = hwemit_machine_take(&at, 0, 1);
    c->edges = hwemit_machine_take(&at, m->nops, sizeof *c->edges);
    c->height = hwemit_machine_take(&at, m->nops, sizeof *c->height);
    c->ready_at = hwemit_machine_take(&at, m->nops, sizeof *c->ready_at);
    c->waits = hwemit_machine_take(&at, m->nops, sizeof *c->waits);
    c->ready = hwemit_machine_take(&at, m->nops, sizeof *c->ready);
    c->maker = hwemit_machine_take(&at, components, sizeof *c->maker);
    if (at > end)
        return hwemit_machine_refuse_long(m, (unsigned)m->nroom, "bytes to schedule operations");
    memset(begin, 0, (size_t)(at - begin));
    c->edge = (void *)at;
    c->maxedges = (unsigned)((size_t)(end - at) / sizeof *c->edge);
    c->maxedges = c->maxedges < UINT16_MAX ? c->maxedges : UINT16_MAX;
    link(c);
    if (c->nedges == c->maxedges)
        return hwemit_machine_refuse_long(m, c->maxedges, "dependences between operations");
    for (unsigned i = m->nops; i-- > 0;)
        for (unsigned e = c->edges[i]; e; e = c->edge[e - 1].next) {
            const uint32_t height = c->height[c->edge[e - 1].to] + c->edge[e - 1].time;
            c->height[i] = height > c->height[i] ? height : c->height[i];
        }
    return true;
}

static bool better(const struct schedule *c, unsigned x, unsigned y, uint32_t now)
{
    const uint32_t at_x = c->ready_at[x] > now ? c->ready_at[x] : now,
                   at_y = c->ready_at[y] > now ? c->ready_at[y] : now;
    if (at_x != at_y)
        return at_x < at_y;
    if (c->height[x] != c->height[y])
        return c->height[x] > c->height[y];
    return x < y;
}

static void issue(struct schedule *c, unsigned i, uint32_t now)
{
    for (unsigned e = c->edges[i]; e; e = c->edge[e - 1].next) {
        const struct edge edge = c->edge[e - 1];
        if (c->ready_at[edge.to] < now + edge.time)
            c->ready_at[edge.to] = now + edge.time;
        if (--c->waits[edge.to] == 0)
            c->ready[c->nready++] = edge.to;
    }
}

bool hwemit_machine_schedule(struct machine *m)
{
    struct schedule c = {.m = m, .lanes = m->target->numbers ? 1 : 4};
    uint32_t now = 0;
    if (m->second) /* keep the order of the program, in which fewer values are live at once */
        return true;
    if (!build(&c))
        return false;
    for (unsigned i = 0; i < m->nops; i++)
        if (!c.waits[i])
            c.ready[c.nready++] = (uint16_t)i;
    for (unsigned done = 0; done < m->nops; done++) {
        unsigned best = 0;
        for (unsigned r = 1; r < c.nready; r++)
            if (better(&c, c.ready[r], c.ready[best], now))
                best = r;
        const unsigned i = c.ready[best];
        c.ready[best] = c.ready[--c.nready];
        now = c.ready_at[i] > now ? c.ready_at[i] : now;
        m->next[done] = m->op[i];
        issue(&c, i, now);
        now += m->target->takes_slot(&m->op[i]);
    }
    memcpy(m->op, m->next, m->nops * sizeof *m->op);
    return true;
}
