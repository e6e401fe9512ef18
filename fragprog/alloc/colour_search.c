/* Backtracking search for an assignment to k registers. In program order, if no value is bound to a
 * particular lane, all lanes that are free when a value begins are interchangeable, and so are registers with
 * equal contents. */
#include "fragprog/alloc/bits.h"
#include "fragprog/alloc/colour_graph.h"

#include <string.h>

/* Returns true if no value is bound to a lane or register, so that free lanes are interchangeable. */
static bool alike(const struct colour_graph *g)
{
    const struct fragprog_classes *c = g->q->classes;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        const struct colour_node *n = &g->node[i];
        if (n->order != FRAGPROG_COLOUR_ANY || n->reg != FRAGPROG_COLOUR_NONE || n->grouped ||
            c->class_[n->class_].first != c->class_[0].first || c->class_[n->class_].end != c->class_[0].end)
            return false;
        /* lanes for components that begin at different times are not interchangeable */
        for (unsigned d = 0; d < 4; d++)
            if (n->components >> d & 1 && n->begin[d] != n->first_begin)
                return false;
        for (unsigned lanes = 1; lanes < 16; lanes++)
            if (fragprog_lanes_of(lanes) == n->size && c->cover[n->class_][lanes] != lanes)
                return false;
    }
    return true;
}

/* Finds the next place of node i after `at` (register * 24 + index of the arrangement). Returns false if
 * there is none. */
static bool next_place(struct colour_graph *g, uint32_t i, uint32_t k, uint32_t *at, bool same)
{
    const struct colour_node *n = &g->node[i];
    const struct fragprog_colour_codes *codes = &fragprog_colour_codes[n->components];
    const uint32_t first = fragprog_colour_first(g, i), end = fragprog_colour_end(g, i, k);
    uint32_t reg = *at / 24, m = *at % 24;
    bool fresh = false; /* an empty register was tried; the others are equivalent */
    struct fragprog_colour_place place;
    fragprog_colour_forbid(g, i, first, end);
    if (reg < first) {
        reg = first;
        m = 0;
    }
    for (uint32_t r = first; r < reg && r < end; r++)
        fresh |= !g->closed[r].near;
    for (; reg < end; reg++, m = 0) {
        const bool empty = !g->closed[reg].near;
        const bool again = same && fresh && empty;
        fresh |= empty;
        if (again || fragprog_colour_full(g, n, reg))
            continue;
        while (m < codes->n) {
            const unsigned code = codes->code[m++];
            if (!fragprog_colour_ordered(n, code) || !fragprog_colour_fits(g, i, reg, code, &place))
                continue;
            g->place[i] = place;
            /* free lanes are interchangeable: skip the other arrangements */
            *at = reg * 24 + (same ? 24 : m);
            return true;
        }
    }
    return false;
}

bool fragprog_colour_search(struct colour_graph *g, uint32_t k, uint32_t work)
{
    bool same = alike(g);
    uint32_t depth = 0;
    g->exhausted = false;
    g->in_order = true;
    memset(g->place, 0, g->nnodes * sizeof *g->place);
    for (uint32_t i = 0; i < g->nnodes; i++)
        if (g->node[i].grouped)
            return false;
    g->stack[0] = 0;
    while (work-- > 0) {
        if (depth == g->nnodes)
            return true;
        g->place[depth].mask = 0;
        if (next_place(g, depth, k, &g->stack[depth], same)) {
            if (++depth < g->nnodes)
                g->stack[depth] = 0;
        } else if (!depth--) {
            g->exhausted = true;
            return false;
        }
    }
    return false;
}
