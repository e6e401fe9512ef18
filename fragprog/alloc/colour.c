/* Optimistic colouring: with k registers, from the lower bound up, values are taken out of the graph, the
 * ones that are certain to find a place first, and put back in reverse, wherever a place is; what was taken
 * out as uncertain may find one, too (Briggs). In the order of the program, reversed, the graph of
 * straight-line code needs no luck but for lanes that are left in pieces; both orders are tried. Then a
 * search (colour_search.c) looks for fewer. */
#include "fragprog/alloc/colour_graph.h"

#include <string.h>

/* ---- storage ---- */

struct arena {
    char *at; /* NULL: only counts */
    size_t used;
};

static void *take(struct arena *a, size_t n, size_t size)
{
    void *p = a->at ? a->at + a->used : NULL;
    a->used += (n * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    return p;
}

static uint32_t begin_of(const struct fragprog_colour_value *v)
{
    uint32_t begin = UINT32_MAX;
    for (unsigned c = 0; v->components >> c; c++)
        if (v->components >> c & 1 && v->begin[c] < begin)
            begin = v->begin[c];
    return begin;
}

/* A component lives when it is written, read or not. */
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

/* Pairs of values that live at one time: the value and those that begin before it ends. */
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

static void carve(struct colour_graph *g, struct arena *a, const struct fragprog_colour_request *q)
{
    size_t edges = count_edges(q);
    /* registers for all, besides those that are left out or given */
    g->most = q->registers;
    for (uint32_t i = 0; i < q->n; i++) {
        const struct fragprog_colour_value *v = &q->value[i];
        g->copies |= v->copy_of != FRAGPROG_COLOUR_NONE;
        uint32_t least = v->reg != FRAGPROG_COLOUR_NONE ? v->reg : q->classes->class_[v->class_].first;
        g->most = g->most > least + 1 ? g->most : least + 1;
    }
    g->most += q->n;
    g->node = take(a, q->n, sizeof *g->node);
    g->node_of = take(a, q->n, sizeof *g->node_of);
    g->edge = take(a, 2 * edges, sizeof *g->edge);
    g->order = take(a, q->n, sizeof *g->order);
    g->stack = take(a, q->n, sizeof *g->stack);
    g->active = take(a, q->n, sizeof *g->active);
    g->degree = take(a, q->n, sizeof *g->degree);
    g->place = take(a, q->n, sizeof *g->place);
    g->bound = take(a, q->n, sizeof *g->bound);
    g->forbidden = take(a, g->most, sizeof *g->forbidden);
}

size_t fragprog_colour_scratch(const struct fragprog_colour_request *request)
{
    struct arena a = {0};
    struct colour_graph g = {.q = request};
    carve(&g, &a, request);
    return a.used;
}

/* ---- the graph ---- */

/* A copy and what it copies, which is not read after it, may be one node. */
static bool joins(const struct colour_graph *g, const struct fragprog_colour_value *v)
{
    if (v->copy_of == FRAGPROG_COLOUR_NONE || v->follows != FRAGPROG_COLOUR_NONE)
        return false;
    const struct fragprog_colour_value *from = &g->q->value[v->copy_of];
    const struct colour_node *node = &g->node[g->node_of[v->copy_of]];
    if (from->components != v->components || node->class_ != v->class_ || node->grouped)
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
    if (join && joins(g, v)) {
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
}

/* Two rounds: the first counts neighbours, the second writes them. */
static void link_nodes(struct colour_graph *g, bool write)
{
    uint32_t nactive = 0;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        uint32_t kept = 0;
        for (uint32_t a = 0; a < nactive; a++)
            if (g->node[g->active[a]].last_end > g->node[i].first_begin)
                g->active[kept++] = g->active[a];
        nactive = kept;
        for (uint32_t a = 0; a < nactive; a++) {
            uint32_t j = g->active[a];
            if (write) {
                g->edge[g->node[i].first + g->node[i].nedges] = j;
                g->edge[g->node[j].first + g->node[j].nedges] = i;
            }
            g->node[i].nedges++;
            g->node[j].nedges++;
        }
        g->active[nactive++] = i;
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

/* join: copies are one node with what they copy. */
static void build(struct colour_graph *g, bool join)
{
    if (g->nnodes && g->joined == join)
        return;
    g->joined = join;
    g->nnodes = 0;
    for (uint32_t i = 0; i < g->q->n; i++)
        add_node(g, i, join);
    for (uint32_t i = 0; i < g->q->n; i++) {
        uint32_t before = g->q->value[i].follows;
        if (before == FRAGPROG_COLOUR_NONE)
            continue;
        g->node[g->node_of[i]].follows = g->node_of[before];
        g->node[g->node_of[i]].grouped = g->node[g->node_of[before]].grouped = true;
    }
    link_nodes(g, false);
    size_t first = 0;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        g->node[i].first = first;
        first += g->node[i].nedges;
        g->node[i].nedges = 0;
    }
    link_nodes(g, true);
    hint_copies(g);
}

/* ---- bounds ---- */

static unsigned lanes_of(unsigned mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

/* What lives when a value begins: vec4 and vec3 have registers of their own, a vec3 with room for a scalar.
 */
static uint32_t lower_bound(struct colour_graph *g)
{
    uint32_t bound = 0;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        const struct colour_node *node = &g->node[i];
        uint32_t count[5] = {0};
        unsigned own = 0;
        for (unsigned c = 0; c < 4; c++)
            own += node->components >> c & 1 && node->begin[c] == node->first_begin;
        count[own]++;
        for (uint32_t e = 0; e < node->nedges; e++) {
            const struct colour_node *m = &g->node[g->edge[node->first + e]];
            unsigned living = 0;
            for (unsigned c = 0; m->components >> c; c++)
                living += m->components >> c & 1 && m->begin[c] <= node->first_begin &&
                    m->end[c] > node->first_begin;
            count[living]++;
        }
        uint32_t singles = count[1] > count[3] ? count[1] - count[3] : 0;
        uint32_t need = count[4] + count[3] + (2 * count[2] + singles + 3) / 4;
        uint32_t least = node->reg != FRAGPROG_COLOUR_NONE ? node->reg + 1
                                                           : g->q->classes->class_[node->class_].first + 1u;
        need = need > least ? need : least;
        bound = bound > need ? bound : need;
    }
    return bound;
}

/* ---- places ---- */

/* Each component's last lane is known; which lanes neighbours leave to each component of a node. */
void fragprog_colour_forbid(struct colour_graph *g, uint32_t i, uint32_t first, uint32_t end)
{
    const struct colour_node *n = &g->node[i];
    if (first < end)
        memset(g->forbidden + first, 0, (end - first) * sizeof *g->forbidden);
    for (uint32_t e = 0; e < n->nedges; e++) {
        uint32_t j = g->edge[n->first + e];
        const struct colour_node *m = &g->node[j];
        const struct fragprog_colour_place *p = &g->place[j];
        if (!p->mask || p->reg < first || p->reg >= end)
            continue;
        uint8_t *forbidden = g->forbidden[p->reg];
        unsigned spare = p->mask;
        forbidden[5] = 1;
        for (unsigned d = 0; m->components >> d; d++) {
            if (!(m->components >> d & 1))
                continue;
            unsigned lane = g->whole && !(n->grouped && m->grouped) ? 15 : 1u << p->lane[d];
            spare &= ~lane;
            for (unsigned c = 0; n->components >> c; c++)
                if (n->components >> c & 1 && m->begin[d] < n->end[c] && n->begin[c] < m->end[d])
                    forbidden[c] |= (uint8_t)lane;
            if (m->begin[d] <= n->first_begin && n->first_begin < m->end[d])
                forbidden[4] |= (uint8_t)lane;
        }
        for (unsigned c = 0; n->components >> c && spare; c++)
            if (n->begin[c] <= m->first_begin && m->first_begin < n->end[c])
                forbidden[c] |= (uint8_t)spare;
        if (m->first_begin == n->first_begin)
            forbidden[4] |= (uint8_t)spare;
    }
}

bool fragprog_colour_fits(const struct colour_graph *g, uint32_t i, uint32_t reg, unsigned code,
                          struct fragprog_colour_place *to)
{
    const struct colour_node *n = &g->node[i];
    const uint8_t *forbidden = g->forbidden[reg];
    unsigned lanes = 0;
    to->reg = (uint16_t)reg;
    for (unsigned c = 0; c < 4; c++) {
        to->lane[c] = 0xff;
        if (!(n->components >> c & 1))
            continue;
        to->lane[c] = code >> 2 * c & 3;
        lanes |= 1u << to->lane[c];
        if (forbidden[c] >> to->lane[c] & 1)
            return false;
    }
    to->mask = g->q->classes->cover[n->class_][lanes];
    return to->mask && !(to->mask & ~lanes & forbidden[4]);
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
    const uint8_t *f = g->forbidden[reg];
    return lanes_of(f[0] | f[1] | f[2] | f[3] | f[4]);
}

bool fragprog_colour_full(const struct colour_graph *g, const struct colour_node *n, uint32_t reg)
{
    const uint8_t *forbidden = g->forbidden[reg];
    unsigned free_lanes = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(n->components >> c & 1))
            continue;
        if ((forbidden[c] & 15) == 15)
            return true;
        free_lanes |= ~forbidden[c] & 15u;
    }
    return lanes_of(free_lanes) < lanes_of(n->components);
}

/* A place for the node among its coloured neighbours: in the first register that has one, or in the fullest.
 * The place of the copy's other end comes before all. */
static bool choose(struct colour_graph *g, uint32_t i, uint32_t k)
{
    const struct colour_node *n = &g->node[i];
    const struct fragprog_colour_codes *codes = &fragprog_colour_codes[n->components];
    struct fragprog_colour_place best = {0}, now;
    const uint32_t first = fragprog_colour_first(g, i), end = fragprog_colour_end(g, i, k);
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
    g->place[i] = best;
    return best.mask;
}

/* A copy's partner's place, if that is free. */
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
    g->place[i] = now;
    return true;
}

/* Scalars in consecutive lanes, from the last of them: the first base at which all fit. */
static bool choose_group(struct colour_graph *g, uint32_t last, uint32_t k)
{
    uint32_t length = 1;
    for (uint32_t i = last; g->node[i].follows != FRAGPROG_COLOUR_NONE; i = g->node[i].follows)
        length++;
    for (uint32_t base = 0; base + length <= 4 * k; base++) {
        uint32_t at = base + length, i = last;
        bool ok = true;
        for (uint32_t n = 0; n < length && ok; n++, i = g->node[i].follows) {
            const struct colour_node *node = &g->node[i];
            unsigned c = 0;
            while (!(node->components >> c & 1))
                c++;
            at--;
            fragprog_colour_forbid(g, i, at / 4, at / 4 + 1);
            ok = at / 4 >= fragprog_colour_first(g, i) && at / 4 < fragprog_colour_end(g, i, k) &&
                fragprog_colour_fits(g, i, at / 4, (at % 4) << 2 * c, &g->place[i]);
            g->place[i].mask = ok ? g->place[i].mask : 0;
        }
        if (ok)
            return true;
        for (i = last; i != FRAGPROG_COLOUR_NONE; i = g->node[i].follows)
            g->place[i].mask = 0;
    }
    return false;
}

/* What cannot be elsewhere is placed first, in whatever order and way the others are: registers that are
 * given, groups. */
static bool choose_bound(struct colour_graph *g, uint32_t k)
{
    memset(g->place, 0, g->nnodes * sizeof *g->place);
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

/* The others, after choose_bound. */
static bool select_all(struct colour_graph *g, uint32_t k)
{
    memcpy(g->place, g->bound, g->nnodes * sizeof *g->place);
    for (uint32_t i = 0; i < g->nnodes; i++)
        if (!g->place[g->order[i]].mask && !choose_hinted(g, g->order[i], k) && !choose(g, g->order[i], k))
            return false;
    return true;
}

static uint32_t room_of(const struct colour_graph *g, uint32_t i, uint32_t k)
{
    uint32_t first = fragprog_colour_first(g, i), end = fragprog_colour_end(g, i, k);
    return end > first ? (end - first) * g->q->classes->nmasks[g->node[i].class_] : 0;
}

/* Takes out what is certain to find a place (degree below the room of its class) as long as there is such a
 * node, else the one that began last; the order of colouring is the reverse. */
static void simplify(struct colour_graph *g, uint32_t k)
{
    uint32_t ready = 0, out = g->nnodes, next = g->nnodes;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        const struct colour_node *n = &g->node[i];
        g->degree[i] = 0;
        for (uint32_t e = 0; e < n->nedges; e++)
            g->degree[i] += g->q->classes->q[n->class_][g->node[g->edge[n->first + e]].class_];
        g->active[i] = g->degree[i] < room_of(g, i, k); /* 1: on the stack or out */
        if (g->active[i])
            g->stack[ready++] = i;
    }
    while (out) {
        if (!ready) {
            while (g->active[next - 1])
                next--;
            g->active[next - 1] = 1;
            g->stack[ready++] = next - 1;
        }
        uint32_t i = g->stack[--ready];
        const struct colour_node *n = &g->node[i];
        g->order[--out] = i;
        for (uint32_t e = 0; e < n->nedges; e++) {
            uint32_t j = g->edge[n->first + e];
            g->degree[j] -= g->q->classes->q[g->node[j].class_][n->class_];
            if (!g->active[j] && g->degree[j] < room_of(g, j, k)) {
                g->active[j] = 1;
                g->stack[ready++] = j;
            }
        }
    }
}

static bool colour_with(struct colour_graph *g, uint32_t k)
{
    if (!choose_bound(g, k))
        return false;
    for (unsigned way = 0; way < 4; way++) {
        g->fullest = way & 1;
        if (way < 2)
            for (uint32_t i = 0; i < g->nnodes; i++)
                g->order[i] = i;
        else
            simplify(g, k);
        if (select_all(g, k))
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

/* Values that live when one begins, itself included. */
static uint32_t pressure(const struct colour_graph *g)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < g->nnodes; i++) {
        uint32_t n = 1;
        for (uint32_t e = 0; e < g->node[i].nedges; e++)
            n += g->node[g->edge[g->node[i].first + e]].first_begin <= g->node[i].first_begin;
        most = most > n ? most : n;
    }
    return most;
}

/* Each value in registers of its own, the lowest one in the order of the program; false if classes end too
 * early for that. */
static bool place_whole(struct colour_graph *g, struct fragprog_colour_result *result)
{
    bool placed = false;
    g->whole = true;
    g->fullest = false;
    for (uint32_t i = 0; i < g->nnodes; i++)
        g->order[i] = i;
    for (uint32_t k = g->most - g->q->n + pressure(g); !placed; k = 2 * k < g->most ? 2 * k : g->most) {
        const uint32_t registers = k < g->most ? k : g->most;
        placed = choose_bound(g, registers) && select_all(g, registers);
        if (k >= g->most)
            break;
    }
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

/* With k registers: copies as one node, then each by itself, then a search. */
static bool attempt(struct colour_graph *g, uint32_t k, uint32_t work)
{
    for (unsigned join = g->copies ? 2 : 1; join-- > 0;) {
        build(g, join);
        if (colour_with(g, k))
            return true;
    }
    if (fragprog_colour_search(g, k, work))
        return true;
    g->undecided |= !g->exhausted;
    return false;
}

bool fragprog_colour(struct fragprog_colour_result *result, const struct fragprog_colour_request *request,
                     void *scratch)
{
    struct colour_graph g = {.q = request};
    struct arena a = {.at = scratch};
    carve(&g, &a, request);
    build(&g, false);
    result->lower_bound = lower_bound(&g);
    place_whole(&g, result);
    uint32_t first = result->lower_bound, end = result->whole;
    if (end > request->registers + 1)
        end = request->registers + 1;
    while (first < end) {
        /* the bound, which mostly does; with a search each number of registers after it is decided in turn;
         * without, halves are, so that long programs take few tries */
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
