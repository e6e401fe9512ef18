/* Graph colouring. For increasing numbers of registers k, from the lower bound on, nodes are removed from the
 * interference graph, first those that can certainly be coloured, and then coloured in reverse order; nodes
 * that were removed without that certainty may still get a register (Briggs). For straight-line code,
 * colouring in program order is optimal as long as lanes are not fragmented, so both orders are tried.
 * Finally a backtracking search (colour_search.c) looks for fewer registers. */
#include "fragprog/alloc/bits.h"
#include "fragprog/alloc/colour_graph.h"

#include <string.h>

/* ---- storage ---- */

static uint32_t begin_of(const struct fragprog_colour_value *v)
{
    uint32_t begin = UINT32_MAX;
    for (unsigned c = 0; v->components >> c; c++)
        if (v->components >> c & 1 && v->begin[c] < begin)
            begin = v->begin[c];
    return begin;
}

/* Returns the end of a component's live range. A component that is never read is live when it is written. */
static uint32_t component_end(const struct fragprog_colour_value *v, unsigned c)
{
    return v->end[c] > v->begin[c] ? v->end[c] : v->begin[c] + 1;
}

static uint32_t end_of(const struct fragprog_colour_value *v)
{
    uint32_t end = 0;
    for (unsigned c = 0; c < 4; c++)
        if (v->components >> c & 1 && component_end(v, c) > end)
            end = component_end(v, c);
    return end;
}

/* Returns an upper bound on the number of interferences: counts the pairs of values of which the second
 * begins before the first ends. */
static size_t count_edges(const struct fragprog_colour_request *q)
{
    size_t edges = 0;
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t low = i + 1, high = q->n, end = end_of(&q->value[i]);
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (begin_of(&q->value[middle]) < end)
                low = middle + 1;
            else
                high = middle;
        }
        edges += low - i - 1;
    }
    return edges;
}

/* Lays out the scratch memory except for the edges, which follow. */
static void carve(struct colour_graph *g, struct fragprog_arena *a, const struct fragprog_colour_request *q)
{
    /* registers for all values, besides the excluded and the fixed ones */
    g->most = q->registers;
    for (uint32_t i = 0; i < q->n; i++) {
        const struct fragprog_colour_value *v = &q->value[i];
        g->copies |= v->copy_of != FRAGPROG_COLOUR_NONE;
        uint32_t least = v->reg != FRAGPROG_COLOUR_NONE ? v->reg : q->classes->class_[v->class_].first;
        g->most = g->most > least + 1 ? g->most : least + 1;
    }
    g->most += q->n;
    g->node = fragprog_take(a, q->n, sizeof *g->node);
    g->node_of = fragprog_take(a, q->n, sizeof *g->node_of);
    g->order = fragprog_take(a, q->n, sizeof *g->order);
    g->stack = fragprog_take(a, q->n, sizeof *g->stack);
    g->degree = fragprog_take(a, q->n, sizeof *g->degree);
    g->place = fragprog_take(a, q->n, sizeof *g->place);
    g->bound = fragprog_take(a, q->n, sizeof *g->bound);
    g->closed = fragprog_take(a, g->most, sizeof *g->closed);
    g->run = fragprog_take(a, g->most + 1, sizeof *g->run);
    g->edge = fragprog_take(a, 0, sizeof *g->edge);
}

size_t fragprog_colour_scratch(const struct fragprog_colour_request *request)
{
    struct fragprog_arena a = {0};
    struct colour_graph g = {.q = request};
    carve(&g, &a, request);
    fragprog_take(&a, count_edges(request), sizeof *g.edge);
    return a.used;
}

/* ---- the graph ---- */

/* Returns true if copy i can be coalesced with its source, because the source is not used after the copy. */
static bool joins(const struct colour_graph *g, uint32_t i)
{
    const struct fragprog_colour_value *v = &g->q->value[i];
    if (v->copy_of == FRAGPROG_COLOUR_NONE || g->in_group[i] || g->in_group[v->copy_of])
        return false;
    const struct fragprog_colour_value *from = &g->q->value[v->copy_of];
    const struct colour_node *node = &g->node[g->node_of[v->copy_of]];
    if (from->components != v->components || node->class_ != v->class_)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (v->components >> c & 1 && node->end[c] != v->begin[c])
            return false;
    return node->reg == v->reg || v->reg == FRAGPROG_COLOUR_NONE;
}

static void add_node(struct colour_graph *g, uint32_t i, bool join)
{
    const struct fragprog_colour_value *v = &g->q->value[i];
    struct colour_node *node = &g->node[g->nnodes];
    if (join && joins(g, i)) {
        g->node_of[i] = g->node_of[v->copy_of];
        node = &g->node[g->node_of[i]];
        node->order = node->order > v->order ? node->order : v->order;
    } else {
        g->node_of[i] = g->nnodes++;
        *node = (struct colour_node){.class_ = v->class_,
                                     .components = v->components,
                                     .order = v->order,
                                     .first_begin = begin_of(v),
                                     .reg = v->reg,
                                     .follows = FRAGPROG_COLOUR_NONE};
        memcpy(node->begin, v->begin, sizeof node->begin);
    }
    for (unsigned c = 0; c < 4; c++)
        node->end[c] = component_end(v, c);
    node->last_end = end_of(v);
    node->size = (uint8_t)fragprog_lanes_of(v->components);
    node->level = node->even = true;
    for (unsigned c = 0; v->components >> c; c++)
        if (v->components >> c & 1) {
            node->level &= node->begin[c] == node->first_begin;
            node->even &= node->level && node->end[c] == node->last_end;
        }
}

/* Builds the edges. The preceding neighbours of a node are listed explicitly; the list is updated from that
 * of the preceding node. The following neighbours are contiguous: all nodes up to the first that begins after
 * this one has ended. */
static void link_nodes(struct colour_graph *g)
{
    uint32_t *list = g->edge, *to = list, n = 0;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        struct colour_node *node = &g->node[i];
        const uint32_t begin = node->first_begin;
        const uint32_t *last = list;
        list = to;
        node->before = (size_t)(list - g->edge);
        node->until = g->nnodes;
        for (uint32_t e = 0; e < n; e++) {
            struct colour_node *neighbour = &g->node[last[e]];
            if (neighbour->last_end > begin)
                *to++ = last[e];
            else
                neighbour->until = i;
        }
        if (i && node[-1].last_end > begin)
            *to++ = i - 1;
        else if (i)
            node[-1].until = i;
        node->nbefore = n = (uint32_t)(to - list);
    }
}

static void hint_copies(struct colour_graph *g)
{
    for (uint32_t i = 0; i < g->nnodes; i++)
        g->node[i].hint = FRAGPROG_COLOUR_NONE;
    for (uint32_t i = 0; i < g->q->n; i++) {
        uint32_t from = g->q->value[i].copy_of;
        if (from == FRAGPROG_COLOUR_NONE || g->node_of[from] == g->node_of[i])
            continue;
        g->node[g->node_of[i]].hint = g->node_of[from];
        g->node[g->node_of[from]].hint = g->node_of[i];
    }
}

/* Builds the graph. join: coalesce copies with their sources. */
static void build(struct colour_graph *g, bool join)
{
    g->joined = join;
    g->nnodes = 0;
    g->in_group = g->stack;
    memset(g->in_group, 0, g->q->n * sizeof *g->in_group);
    for (uint32_t i = 0; i < g->q->n; i++)
        if (g->q->value[i].follows != FRAGPROG_COLOUR_NONE)
            g->in_group[i] = g->in_group[g->q->value[i].follows] = true;
    for (uint32_t i = 0; i < g->q->n; i++)
        add_node(g, i, join);
    for (uint32_t i = 0; i < g->q->n; i++) {
        uint32_t before = g->q->value[i].follows;
        if (before == FRAGPROG_COLOUR_NONE)
            continue;
        g->node[g->node_of[i]].follows = g->node_of[before];
        g->node[g->node_of[i]].grouped = g->node[g->node_of[before]].grouped = true;
    }
    link_nodes(g);
    hint_copies(g);
}

/* ---- bounds ---- */

/* Returns the number of components of a node that are live at a time when at least one is. */
static unsigned living(const struct colour_node *node, uint32_t time)
{
    unsigned lanes = 0;
    if (node->even)
        return node->size;
    for (unsigned c = 0; node->components >> c; c++)
        lanes += node->components >> c & 1 && node->begin[c] <= time && node->end[c] > time;
    return lanes;
}

/* Returns a lower bound on registers. Considers the values that are live when some value begins: each vec4
 * and vec3 takes its own register, and a scalar fits beside a vec3. */
static uint32_t lower_bound(const struct colour_graph *g)
{
    uint32_t bound = 0;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        const struct colour_node *node = &g->node[i];
        const uint32_t least = fragprog_colour_first(g, i) + 1;
        bound = bound > least ? bound : least;
        if (i + 1 < g->nnodes && node[1].first_begin == node->first_begin)
            /* of the nodes that begin at the same time, the last one has all others as neighbours */
            continue;
        uint32_t count[5] = {0};
        count[living(node, node->first_begin)]++;
        for (uint32_t e = 0; e < node->nbefore; e++)
            count[living(&g->node[g->edge[node->before + e]], node->first_begin)]++;
        const uint32_t singles = count[1] > count[3] ? count[1] - count[3] : 0;
        const uint32_t need = count[4] + count[3] + (2 * count[2] + singles + 3) / 4;
        bound = bound > need ? bound : need;
    }
    return bound;
}

/* ---- placement ---- */

/* LANES_OF(c) is the bit of colour_closed.closed that closes lane 0 to component c. Multiplied by a set of
 * lanes, it closes these lanes. */
#define LANES_OF(c) (1u << 4 * (c))
#define ALL_COMPONENTS (LANES_OF(0) | LANES_OF(1) | LANES_OF(2) | LANES_OF(3))

/* Closes the lanes that neighbour m at place p occupies for node n, where the components of a node begin at
 * different times. */
static void close_lane_by_lane(struct colour_closed *to, const struct colour_node *n,
                               const struct colour_node *m, const struct fragprog_colour_place *p, bool whole)
{
    for (unsigned d = 0; m->components >> d; d++) {
        if (!(m->components >> d & 1))
            continue;
        const unsigned lane = whole ? 15 : 1u << p->lane[d];
        for (unsigned c = 0; n->components >> c; c++)
            if (n->components >> c & 1 && m->begin[d] < n->end[c] && n->begin[c] < m->end[d])
                to->closed |= (uint16_t)(lane * LANES_OF(c));
        if (m->begin[d] <= n->first_begin && n->first_begin < m->end[d])
            to->written |= (uint8_t)lane;
    }
}

/* Does the same as close_lane_by_lane if all components of each node begin together. If m begins first, only
 * its lanes that are still live when n begins are closed; if n begins first, lanes are closed only for its
 * components that are still live when m begins. */
static void close_together(struct colour_closed *to, const struct colour_node *n, const struct colour_node *m,
                           const struct fragprog_colour_place *p, bool whole)
{
    const bool before = m->first_begin <= n->first_begin;
    unsigned lanes = p->lanes, components = ALL_COMPONENTS;
    if (before && !m->even)
        for (unsigned d = 0; d < 4; d++)
            if (m->components >> d & 1 && m->end[d] <= n->first_begin)
                lanes &= ~(1u << p->lane[d]);
    if (!before && !n->even)
        for (unsigned c = 0; c < 4; c++)
            if (n->components >> c & 1 && n->end[c] <= m->first_begin)
                components &= ~LANES_OF(c);
    if (whole)
        lanes = 15;
    to->closed |= (uint16_t)(lanes * components);
    if (before)
        to->written |= (uint8_t)lanes;
}

/* Closes the lanes that neighbour m at place p occupies for node n. */
static void close_lanes(const struct colour_graph *g, const struct colour_node *n,
                        const struct colour_node *m, const struct fragprog_colour_place *p)
{
    struct colour_closed *to = &g->closed[p->reg];
    const bool whole = g->whole && !(n->grouped && m->grouped);
    const unsigned spare = whole ? 0 : p->mask & ~p->lanes;
    to->near = true;
    if (n->level && m->level)
        close_together(to, n, m, p, whole);
    else
        close_lane_by_lane(to, n, m, p, whole);
    if (!spare)
        return;
    for (unsigned c = 0; n->components >> c; c++)
        if (n->begin[c] <= m->first_begin && m->first_begin < n->end[c])
            to->closed |= (uint16_t)(spare * LANES_OF(c));
    if (m->first_begin == n->first_begin)
        to->written |= (uint8_t)spare;
}

/* If node j is placed in one of these registers, closes its lanes for the neighbour n. */
static inline void close_to(struct colour_graph *g, const struct colour_node *n, uint32_t j, uint32_t first,
                            uint32_t registers)
{
    const struct colour_node *m = &g->node[j];
    const struct fragprog_colour_place *p = &g->place[j];
    if (!p->mask || p->reg - first >= registers)
        return;
    if (n->level && m->even && m->first_begin <= n->first_begin && p->mask == p->lanes && !g->whole) {
        /* the usual case: all lanes of m are live when n begins */
        struct colour_closed *to = &g->closed[p->reg];
        to->closed |= (uint16_t)(p->lanes * ALL_COMPONENTS);
        to->written |= p->lanes;
        to->near = true;
        return;
    }
    close_lanes(g, n, m, p);
}

void fragprog_colour_forbid(struct colour_graph *g, uint32_t i, uint32_t first, uint32_t end)
{
    const struct colour_node *n = &g->node[i];
    if (first >= end)
        return;
    memset(g->closed + first, 0, (end - first) * sizeof *g->closed);
    for (uint32_t e = 0; e < n->nbefore; e++)
        close_to(g, n, g->edge[n->before + e], first, end - first);
    for (uint32_t j = g->in_order ? n->next_bound : i + 1; j < n->until;
         j = g->in_order ? g->node[j].next_bound : j + 1)
        close_to(g, n, j, first, end - first);
}

bool fragprog_colour_fits(const struct colour_graph *g, uint32_t i, uint32_t reg, unsigned code,
                          struct fragprog_colour_place *to)
{
    const struct colour_node *n = &g->node[i];
    const struct colour_closed *closed = &g->closed[reg];
    unsigned lanes = 0;
    to->reg = (uint16_t)reg;
    for (unsigned c = 0; c < 4; c++) {
        to->lane[c] = 0xff;
        if (!(n->components >> c & 1))
            continue;
        to->lane[c] = code >> 2 * c & 3;
        lanes |= 1u << to->lane[c];
        if (closed->closed >> (4 * c + to->lane[c]) & 1)
            return false;
    }
    to->lanes = (uint8_t)lanes;
    to->mask = g->q->classes->cover[n->class_][lanes];
    return to->mask && !(to->mask & ~lanes & closed->written);
}

bool fragprog_colour_ordered(const struct colour_node *n, unsigned code)
{
    unsigned before = 0;
    if (n->order == FRAGPROG_COLOUR_ANY)
        return true;
    for (unsigned c = 0; c < 4; c++) {
        unsigned lane = code >> 2 * c & 3;
        if (!(n->components >> c & 1))
            continue;
        if ((n->order == FRAGPROG_COLOUR_OWN && lane != c) ||
            (n->order == FRAGPROG_COLOUR_ASCENDING && lane + 1 <= before))
            return false;
        before = lane + 1;
    }
    return true;
}

uint32_t fragprog_colour_first(const struct colour_graph *g, uint32_t i)
{
    const struct colour_node *n = &g->node[i];
    return n->reg != FRAGPROG_COLOUR_NONE ? n->reg : g->q->classes->class_[n->class_].first;
}

uint32_t fragprog_colour_end(const struct colour_graph *g, uint32_t i, uint32_t k)
{
    const struct colour_node *n = &g->node[i];
    uint32_t end = n->reg != FRAGPROG_COLOUR_NONE ? n->reg + 1 : g->q->classes->class_[n->class_].end;
    return end < k ? end : k;
}

/* ---- colouring with k registers ---- */

static unsigned crowd(const struct colour_graph *g, uint32_t reg)
{
    const unsigned f = g->closed[reg].closed;
    return fragprog_lanes_of((f | f >> 4 | f >> 8 | f >> 12 | g->closed[reg].written) & 15);
}

bool fragprog_colour_full(const struct colour_graph *g, const struct colour_node *n, uint32_t reg)
{
    const unsigned free_lanes = ~g->closed[reg].closed & 0xffffu;
    unsigned any = 0;
    for (unsigned c = 0; n->components >> c; c++) {
        if (!(n->components >> c & 1))
            continue;
        if (!(free_lanes >> 4 * c & 15))
            return true;
        any |= free_lanes >> 4 * c & 15;
    }
    return fragprog_lanes_of(any) < n->size;
}

static void put(struct colour_graph *g, uint32_t i, struct fragprog_colour_place place)
{
    g->place[i] = place;
    if (place.reg >= g->used)
        g->used = place.reg + 1u;
}

/* Places a node without conflict with its placed neighbours: in the first register with room, or in the
 * fullest one. All empty registers are equivalent, so only the first of them is tried. */
static bool choose(struct colour_graph *g, uint32_t i, uint32_t k)
{
    const struct colour_node *n = &g->node[i];
    const struct fragprog_colour_codes *codes = &fragprog_colour_codes[n->components];
    struct fragprog_colour_place best = {0}, now;
    const uint32_t first = fragprog_colour_first(g, i), empty = first > g->used ? first : g->used;
    const uint32_t end = fragprog_colour_end(g, i, k < empty + 1 ? k : empty + 1);
    unsigned most = 0;
    fragprog_colour_forbid(g, i, first, end);
    for (uint32_t reg = first; reg < end && (g->fullest || !best.mask); reg++) {
        const unsigned full = g->fullest ? crowd(g, reg) + 1 : 1;
        if (full <= most || fragprog_colour_full(g, n, reg))
            continue;
        for (unsigned m = 0; m < codes->n; m++) {
            unsigned code = codes->code[m];
            if (!fragprog_colour_ordered(n, code) || !fragprog_colour_fits(g, i, reg, code, &now))
                continue;
            best = now;
            most = full;
            break;
        }
    }
    if (best.mask)
        put(g, i, best);
    return best.mask;
}

/* Places a copy where its source is, or the source where the copy is, if that place is free. */
static bool choose_hinted(struct colour_graph *g, uint32_t i, uint32_t k)
{
    const struct colour_node *n = &g->node[i];
    if (n->hint == FRAGPROG_COLOUR_NONE || !g->place[n->hint].mask || g->place[n->hint].reg >= k)
        return false;
    const struct fragprog_colour_place hint = g->place[n->hint];
    struct fragprog_colour_place now;
    unsigned code = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(n->components >> c & 1))
            continue;
        if (hint.lane[c] > 3)
            return false;
        code |= (unsigned)hint.lane[c] << 2 * c;
    }
    if (hint.reg < fragprog_colour_first(g, i) || hint.reg >= fragprog_colour_end(g, i, k) ||
        !fragprog_colour_ordered(n, code))
        return false;
    fragprog_colour_forbid(g, i, hint.reg, hint.reg + 1u);
    if (!fragprog_colour_fits(g, i, hint.reg, code, &now))
        return false;
    put(g, i, now);
    return true;
}

static unsigned only_component(const struct colour_node *n)
{
    unsigned c = 0;
    while (!(n->components >> c & 1))
        c++;
    return c;
}

/* Updates g->run for member i of a group of consecutive scalars: the set of positions (4*register + lane) at
 * which i and all following members fit. On entry g->run is the set for the following members. */
static void add_member(struct colour_graph *g, uint32_t i, uint32_t registers)
{
    const unsigned c = only_component(&g->node[i]);
    const uint32_t first = fragprog_colour_first(g, i), end = fragprog_colour_end(g, i, registers);
    fragprog_colour_forbid(g, i, first, end);
    for (uint32_t reg = 0; reg < registers; reg++) {
        const unsigned after = g->run[reg] >> 1 | (unsigned)g->run[reg + 1] << 3;
        g->run[reg] = reg < first || reg >= end ? 0 : after & ~(g->closed[reg].closed >> 4 * c) & 15;
    }
    g->run[registers] = 0;
}

/* Places the members of a group, the last one at position `at` and each other one before its successor.
 * Places either all or none. */
static bool put_group(struct colour_graph *g, uint32_t last, uint32_t at)
{
    struct fragprog_colour_place place;
    const uint32_t used = g->used;
    for (uint32_t i = last; i != FRAGPROG_COLOUR_NONE; i = g->node[i].follows, at--) {
        const unsigned c = only_component(&g->node[i]);
        fragprog_colour_forbid(g, i, at / 4, at / 4 + 1);
        if (!fragprog_colour_fits(g, i, at / 4, (at % 4) << 2 * c, &place)) {
            for (uint32_t j = last; j != i; j = g->node[j].follows)
                g->place[j].mask = 0;
            g->used = used;
            return false;
        }
        put(g, i, place);
    }
    return true;
}

/* Places a group of scalars in consecutive lanes, at the first position where all of them fit. */
static bool choose_group(struct colour_graph *g, uint32_t last, uint32_t k)
{
    uint32_t length = 0, empty = g->used;
    for (uint32_t i = last; i != FRAGPROG_COLOUR_NONE; i = g->node[i].follows, length++)
        if (fragprog_colour_first(g, i) > empty)
            empty = fragprog_colour_first(g, i);
    /* the group begins in the first empty register or before it */
    const uint32_t most = empty + 1 + (length + 3) / 4, registers = most < k ? most : k;
    memset(g->run, 15, registers + 1);
    for (uint32_t i = last; i != FRAGPROG_COLOUR_NONE; i = g->node[i].follows)
        add_member(g, i, registers);
    for (uint32_t base = 0; base + length <= 4 * registers; base++)
        if (g->run[base / 4] >> base % 4 & 1 && put_group(g, last, base + length - 1))
            return true;
    return false;
}

/* Places nodes with a fixed register, and groups. They are placed first, and in the same way with all
 * options. */
static bool place_bound(struct colour_graph *g, uint32_t k)
{
    memset(g->place, 0, g->nnodes * sizeof *g->place);
    g->used = 0;
    g->in_order = true;
    for (uint32_t i = g->nnodes, next = i; i-- > 0;) {
        g->node[i].next_bound = next;
        if (g->node[i].reg != FRAGPROG_COLOUR_NONE || g->node[i].grouped)
            next = i;
    }
    for (uint32_t i = 0; i < g->nnodes; i++)
        if (g->node[i].reg != FRAGPROG_COLOUR_NONE && !g->node[i].grouped && !choose(g, i, k))
            return false;
    for (uint32_t i = 0; i < g->nnodes; i++)
        g->node[i].last = g->node[i].grouped;
    for (uint32_t i = 0; i < g->nnodes; i++)
        if (g->node[i].follows != FRAGPROG_COLOUR_NONE)
            g->node[g->node[i].follows].last = false;
    for (uint32_t i = 0; i < g->nnodes; i++)
        if (g->node[i].last && !choose_group(g, i, k))
            return false;
    memcpy(g->bound, g->place, g->nnodes * sizeof *g->place);
    return true;
}

/* Places the nodes that place_bound did not place, in program order or in g->order. */
static bool place_others(struct colour_graph *g, uint32_t k, bool in_order)
{
    g->placed = COLOUR_OTHERWISE;
    g->in_order = in_order;
    g->used = g->bound_takes;
    memcpy(g->place, g->bound, g->nnodes * sizeof *g->place);
    for (uint32_t n = 0; n < g->nnodes; n++) {
        const uint32_t i = in_order ? n : g->order[n];
        if (!g->place[i].mask && !choose_hinted(g, i, k) && !choose(g, i, k))
            return false;
    }
    return true;
}

/* Prepares colouring with at most `limit` registers. The places of fixed nodes, and placement in program
 * order, do not depend on the number of registers as long as it suffices; therefore the number of registers
 * that they need is computed only once. */
static void start(struct colour_graph *g, uint32_t limit)
{
    g->limit = limit;
    g->takes[0] = g->takes[1] = 0;
    g->bound_takes = place_bound(g, limit) ? g->used : UINT32_MAX;
}

static bool place_in_order(struct colour_graph *g, uint32_t k, bool fullest)
{
    if (!g->takes[fullest] || (g->takes[fullest] <= k && g->placed != fullest)) {
        g->fullest = fullest;
        g->takes[fullest] = place_others(g, g->limit, true) ? g->used : UINT32_MAX;
        g->placed = fullest;
    }
    return g->takes[fullest] <= k;
}

static uint32_t neighbours(const struct colour_graph *g, uint32_t i)
{
    return g->node[i].nbefore + (g->node[i].until - i - 1);
}

static uint32_t neighbour(const struct colour_graph *g, uint32_t i, uint32_t e)
{
    const struct colour_node *n = &g->node[i];
    return e < n->nbefore ? g->edge[n->before + e] : i + 1 + (e - n->nbefore);
}

static uint32_t room_of(const struct colour_graph *g, uint32_t i, uint32_t k)
{
    uint32_t first = fragprog_colour_first(g, i), end = fragprog_colour_end(g, i, k);
    return end > first ? (end - first) * g->q->classes->nmasks[g->node[i].class_] : 0;
}

/* Computes the order of colouring: repeatedly removes a node that can certainly be coloured (its degree is
 * below the number of places in its class), or if there is none, the node that began last. Nodes are coloured
 * in reverse order. */
static void simplify(struct colour_graph *g, uint32_t k)
{
    uint32_t ready = 0, out = g->nnodes, next = g->nnodes;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        struct colour_node *n = &g->node[i];
        g->degree[i] = 0;
        for (uint32_t e = 0; e < neighbours(g, i); e++)
            g->degree[i] += g->q->classes->q[n->class_][g->node[neighbour(g, i, e)].class_];
        n->out = g->degree[i] < room_of(g, i, k); /* or is on the stack */
        if (n->out)
            g->stack[ready++] = i;
    }
    while (out) {
        if (!ready) {
            while (g->node[next - 1].out)
                next--;
            g->node[next - 1].out = true;
            g->stack[ready++] = next - 1;
        }
        uint32_t i = g->stack[--ready];
        g->order[--out] = i;
        for (uint32_t e = 0; e < neighbours(g, i); e++) {
            const uint32_t j = neighbour(g, i, e);
            g->degree[j] -= g->q->classes->q[g->node[j].class_][g->node[i].class_];
            if (!g->node[j].out && g->degree[j] < room_of(g, j, k)) {
                g->node[j].out = true;
                g->stack[ready++] = j;
            }
        }
    }
}

static bool colour_with(struct colour_graph *g, uint32_t k)
{
    if (g->bound_takes > k)
        return false;
    if (place_in_order(g, k, false) || place_in_order(g, k, true))
        return true;
    simplify(g, k);
    for (unsigned way = 0; way < 2; way++) {
        g->fullest = way;
        if (place_others(g, k, false))
            return true;
    }
    return false;
}

/* ---- the call ---- */

static void keep(struct colour_graph *g, struct fragprog_colour_result *result)
{
    result->registers = 0;
    for (uint32_t i = 0; i < g->q->n; i++) {
        result->place[i] = g->place[g->node_of[i]];
        if (result->place[i].reg >= result->registers)
            result->registers = result->place[i].reg + 1u;
    }
}

/* Gives each value whole registers, in program order. Returns false if the classes do not have enough
 * registers. */
static bool place_whole(struct colour_graph *g, struct fragprog_colour_result *result)
{
    g->whole = true;
    start(g, g->most);
    const bool placed = g->bound_takes <= g->most && place_in_order(g, g->most, false);
    g->whole = false;
    if (placed)
        keep(g, result);
    else
        result->registers = g->q->registers + 1;
    result->whole = result->registers;
    return placed;
}

static void count_copies(struct fragprog_colour_result *result, const struct fragprog_colour_request *q)
{
    result->coalesced = 0;
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t from = q->value[i].copy_of;
        result->coalesced += from != FRAGPROG_COLOUR_NONE &&
            result->place[i].reg == result->place[from].reg &&
            memcmp(result->place[i].lane, result->place[from].lane, 4) == 0;
    }
}

/* Tries k registers: first with coalesced copies, then with separate copies, then by search. */
static bool attempt(struct colour_graph *g, uint32_t k, uint32_t work)
{
    for (unsigned join = g->copies ? 2 : 1; join-- > 0;) {
        if (g->joined != join) {
            build(g, join);
            start(g, g->limit);
        }
        if (colour_with(g, k))
            return true;
    }
    g->placed = COLOUR_OTHERWISE;
    if (fragprog_colour_search(g, k, work))
        return true;
    g->undecided |= !g->exhausted;
    return false;
}

bool fragprog_colour(struct fragprog_colour_result *result, const struct fragprog_colour_request *request,
                     void *scratch)
{
    struct colour_graph g = {.q = request};
    struct fragprog_arena a = {.at = scratch};
    carve(&g, &a, request);
    build(&g, false);
    result->lower_bound = lower_bound(&g);
    place_whole(&g, result);
    uint32_t first = result->lower_bound, end = result->whole;
    if (end > request->registers + 1)
        end = request->registers + 1;
    if (first < end)
        start(&g, end - 1);
    while (first < end) {
        /* The first attempt is the lower bound, which usually succeeds. With a search, larger numbers are
         * then tried one after the other; without a search, bisection keeps the number of attempts for long
         * programs small. */
        const bool in_turn = request->work || first == result->lower_bound;
        const uint32_t k = in_turn ? first : first + (end - first) / 2;
        if (!attempt(&g, k, request->work)) {
            first = k + 1;
            continue;
        }
        keep(&g, result);
        end = k;
    }
    result->proved = !g.undecided && result->registers <= request->registers;
    count_copies(result, request);
    return result->registers <= request->registers;
}
