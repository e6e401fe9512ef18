/* One pass as slots: which instructions run together, and in which order, so that no more register halves are needed than there are. Depth first; among what is ready the
 * instruction on which most depends comes first, so that the first descent is a list schedule. States (what has been done, what register 0 holds) that have failed are remembered. */
#include "fragprog/schedule.h"

#include <string.h>

static inline uint64_t bit(unsigned n) { return UINT64_C(1) << n; }

/* ---- a pass is set up ---- */

unsigned fragprog_slots_add(struct fragprog_slots *s, struct fragprog_value value)
{
    s->value[s->nvalues] = value;
    return s->nvalues++;
}

static void add_texels(struct fragprog_slots *s)
{
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
        unsigned inst = s->g->texel[r];
        for (unsigned h = 0; h < 2 && inst != FRAGPROG_NO_INST; h++) {
            uint64_t readers = s->g->readers[inst][h] & s->todo;
            if (!readers)
                continue;
            s->textures |= (uint8_t)(1u << r);
            s->where[inst][h] = (uint8_t)fragprog_slots_add(s, (struct fragprog_value){.readers = readers, .node = FRAGPROG_NO_NODE, .half = (uint8_t)h, .reg = (uint8_t)r, .group = FRAGPROG_NO_GROUP, .from = FRAGPROG_NO_VALUE});
        }
    }
}

static void add_results(struct fragprog_slots *s, unsigned n)
{
    const struct fragprog_node *node = &s->g->node[n];
    for (unsigned h = 0; h < 2; h++) {
        if (node->inst[h] == FRAGPROG_NO_INST)
            continue;
        bool is_result = s->last && s->g->p.result[h] == node->inst[h];
        uint64_t readers = s->g->readers[node->inst[h]][h] & s->todo;
        if (h == TEXENV_ALPHA && node->inst[TEXENV_RGB] != FRAGPROG_NO_INST && !readers && !is_result) { /* nobody needs the companion */
            if (s->g->p.inst[node->inst[h]].op != FRAGPROG_DOT4)
                s->takes[TEXENV_ALPHA] &= ~bit(n);
            continue;
        }
        unsigned v = fragprog_slots_add(s, (struct fragprog_value){.readers = readers, .node = (uint8_t)n, .half = (uint8_t)h, .keep = is_result, .reg = FRAGPROG_NO_REG, .group = FRAGPROG_NO_GROUP, .from = FRAGPROG_NO_VALUE});
        s->made[n][h] = s->where[node->inst[h]][h] = (uint8_t)v;
        if (is_result)
            s->result[h] = (uint8_t)v;
    }
}

void fragprog_slots_begin(struct fragprog_slots *s, const struct fragprog_graph *g, uint64_t todo, bool last)
{
    s->g = g;
    s->todo = todo;
    s->as_color = 0;
    s->nmoves = s->nvalues = s->nslots = 0;
    s->textures = 0;
    s->last = last;
    s->primary = s->result[0] = s->result[1] = FRAGPROG_NO_VALUE;
    for (unsigned h = 0; h < 2; h++)
        s->takes[h] = g->takes[h] & todo;
    memset(s->where, FRAGPROG_NO_VALUE, sizeof s->where);
    memset(s->made, FRAGPROG_NO_VALUE, sizeof s->made);
    add_texels(s);
    for (unsigned n = 0; n < g->nnodes; n++)
        if (todo & bit(n)) {
            s->preds[n] = g->node[n].preds & todo;
            add_results(s, n);
        }
}

unsigned fragprog_slots_move(struct fragprog_slots *s, unsigned inst, unsigned from, unsigned to, bool last)
{
    unsigned n = s->g->nnodes + s->nmoves, source = s->where[inst][from];
    s->move[s->nmoves++] = (struct fragprog_move){(uint16_t)inst, (uint8_t)from, (uint8_t)to, last};
    s->todo |= bit(n);
    s->takes[to] |= bit(n);
    s->value[source].readers |= bit(n);
    s->preds[n] = s->value[source].node == FRAGPROG_NO_NODE ? 0 : bit(s->value[source].node);
    unsigned v = fragprog_slots_add(s, (struct fragprog_value){.node = (uint8_t)n, .half = (uint8_t)to, .keep = 1, .reg = FRAGPROG_NO_REG, .group = FRAGPROG_NO_GROUP, .from = FRAGPROG_NO_VALUE});
    s->made[n][to] = (uint8_t)v;
    if (last)
        s->result[to] = (uint8_t)v;
    return v;
}

unsigned fragprog_slots_lookups(const struct fragprog_slots *s) { return fragprog_count(s->textures); }

unsigned fragprog_slots_bound(struct fragprog_slots *s)
{
    unsigned bound = 0, total = s->g->nnodes + s->nmoves;
    memset(s->heights, 0, sizeof s->heights);
    for (unsigned n = total; n-- > 0;) { /* moves have the highest numbers, and only read */
        if (!(s->todo & bit(n)))
            continue;
        if (++s->heights[n] > bound)
            bound = s->heights[n];
        for (uint64_t preds = s->preds[n]; preds; preds &= preds - 1) {
            unsigned m = fragprog_lowest(preds);
            if (s->heights[m] < s->heights[n])
                s->heights[m] = s->heights[n];
        }
    }
    for (unsigned h = 0; h < 2; h++)
        if (fragprog_count(s->takes[h]) > bound)
            bound = fragprog_count(s->takes[h]);
    return bound;
}

/* ---- the search ---- */

enum { FAILED = 1024, PROBES = 8 };
struct run {
    struct fragprog_slots *s;
    struct fragprog_search *search;
    unsigned limit;
    bool remembers; /* the table of failures has been cleared: the first descent does without it */
    struct { uint64_t done; uint8_t r0[2], left, used; } failed[FAILED];
};

static unsigned home(uint64_t done, const uint8_t r0[2])
{
    uint64_t x = (done ^ (uint64_t)r0[0] << 48 ^ (uint64_t)r0[1] << 56) * UINT64_C(0x9E3779B97F4A7C15);
    return (unsigned)(x >> 32) % FAILED;
}

static bool known_to_fail(const struct run *r, uint64_t done, const uint8_t r0[2], unsigned left)
{
    for (unsigned i = 0, at = home(done, r0); r->remembers && i < PROBES; i++, at = (at + 1) % FAILED)
        if (r->failed[at].used && r->failed[at].done == done && r->failed[at].r0[0] == r0[0] && r->failed[at].r0[1] == r0[1])
            return r->failed[at].left >= left;
    return false;
}

static void remember(struct run *r, uint64_t done, const uint8_t r0[2], unsigned left)
{
    if (!r->remembers) {
        memset(r->failed, 0, sizeof r->failed);
        r->remembers = true;
    }
    unsigned at = home(done, r0), first = at;
    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) % FAILED) {
        bool same = r->failed[at].done == done && r->failed[at].r0[0] == r0[0] && r->failed[at].r0[1] == r0[1];
        if (!r->failed[at].used || same)
            break;
        if (i + 1 == PROBES)
            at = first; /* forget one */
    }
    r->failed[at].used = 1;
    r->failed[at].done = done;
    r->failed[at].r0[0] = r0[0], r->failed[at].r0[1] = r0[1];
    r->failed[at].left = (uint8_t)left;
}

static bool is_live(const struct fragprog_value *v, uint64_t done)
{
    return (v->node == FRAGPROG_NO_NODE || done & bit(v->node)) && (v->keep || v->readers & ~done);
}

/* Whether the register half of value v is still needed: of a group, by any of its numbers. */
static bool is_held(const struct fragprog_slots *s, unsigned v, uint64_t done)
{
    if (s->value[v].group == FRAGPROG_NO_GROUP)
        return is_live(&s->value[v], done);
    for (unsigned i = 0; i < s->nvalues; i++)
        if (s->value[i].group == s->value[v].group && is_live(&s->value[i], done))
            return true;
    return false;
}

/* Register halves in use after `done`; a value that was just made and that nobody reads needs one too. */
static void count_halves(const struct fragprog_slots *s, uint64_t done, uint64_t now, unsigned count[2])
{
    unsigned groups = 0;
    count[0] = count[1] = 0;
    for (unsigned i = 0; i < s->nvalues; i++) {
        const struct fragprog_value *v = &s->value[i];
        if (!is_live(v, done) && !(v->node != FRAGPROG_NO_NODE && now & bit(v->node)))
            continue;
        if (v->group == FRAGPROG_NO_GROUP)
            count[v->half]++;
        else
            groups |= 1u << v->group;
    }
    count[TEXENV_RGB] += fragprog_count(groups);
}

void fragprog_slots_count(const struct fragprog_slots *s, uint64_t done, unsigned count[2]) { count_halves(s, done, 0, count); }

static bool search_from(struct run *r, uint64_t done, unsigned slot, const uint8_t r0[2]);

/* The nodes `now` run in this slot. Each value that they make goes into register 0 or into another one; results into register 0. */
static bool try_nodes(struct run *r, uint64_t done, uint64_t now, unsigned slot, const uint8_t r0[2])
{
    struct fragprog_slots *s = r->s;
    uint64_t after = done | now;
    unsigned count[2], born[2] = {FRAGPROG_NO_VALUE, FRAGPROG_NO_VALUE};
    uint8_t held[2];
    count_halves(s, after, now, count);
    if (count[0] > r->search->registers || count[1] > r->search->registers)
        return false;
    if (!s->last)
        return search_from(r, after, slot + 1, r0);
    for (unsigned h = 0; h < 2; h++)
        held[h] = r0[h] != FRAGPROG_NO_VALUE && is_held(s, r0[h], after) ? r0[h] : (uint8_t)FRAGPROG_NO_VALUE;
    for (uint64_t rest = now; rest; rest &= rest - 1) {
        unsigned n = fragprog_lowest(rest);
        for (unsigned h = 0; h < 2; h++) {
            unsigned v = s->made[n][h];
            if (v != FRAGPROG_NO_VALUE && !(s->value[v].group != FRAGPROG_NO_GROUP && is_held(s, v, done)))
                born[s->value[v].half] = v;
        }
    }
    /* in: bit h: the value born in half h goes into register 0. Not there first, which keeps it for the result. */
    for (unsigned in = 0; in < 4; in++) {
        uint8_t next[2] = {held[0], held[1]};
        bool fits = true;
        for (unsigned h = 0; h < 2 && fits; h++) {
            bool zero = in >> h & 1;
            if (born[h] == FRAGPROG_NO_VALUE) {
                fits = !zero;
            } else {
                fits = (born[h] == s->result[h] ? zero : true) && (!zero || held[h] == FRAGPROG_NO_VALUE);
                if (zero)
                    next[h] = (uint8_t)born[h];
            }
            fits &= count[h] - (next[h] != FRAGPROG_NO_VALUE) <= r->search->registers - 1u;
        }
        if (!fits)
            continue;
        for (unsigned h = 0; h < 2; h++)
            if (born[h] != FRAGPROG_NO_VALUE)
                s->value[born[h]].in_r0 = in >> h & 1;
        /* A value that nobody reads leaves at once. */
        for (unsigned h = 0; h < 2; h++)
            if (next[h] != FRAGPROG_NO_VALUE && !is_held(s, next[h], after))
                next[h] = FRAGPROG_NO_VALUE;
        if (search_from(r, after, slot + 1, next))
            return true;
        if (r->search->gave_up)
            return false;
    }
    return false;
}

/* Lists the ready nodes of a kind, the highest first. */
static unsigned list_ready(const struct fragprog_slots *s, uint64_t kind, uint64_t done, uint8_t list[FRAGPROG_MAX_NODES])
{
    unsigned n = 0;
    for (uint64_t rest = kind & s->todo & ~done; rest; rest &= rest - 1) {
        unsigned i = fragprog_lowest(rest);
        if (s->preds[i] & ~done)
            continue;
        unsigned at = n++;
        for (; at > 0 && s->heights[list[at - 1]] < s->heights[i]; at--)
            list[at] = list[at - 1];
        list[at] = (uint8_t)i;
    }
    return n;
}

static bool enough_slots(const struct run *r, uint64_t done, unsigned slot)
{
    const struct fragprog_slots *s = r->s;
    uint64_t rest = s->todo & ~done;
    unsigned left = r->limit - slot;
    if (fragprog_count(s->takes[0] & rest) > left || fragprog_count(s->takes[1] & rest) > left)
        return false;
    for (unsigned n = 0; n < s->g->nnodes + s->nmoves; n++)
        if (rest & bit(n) && s->heights[n] > left)
            return false;
    return true;
}

static bool search_from(struct run *r, uint64_t done, unsigned slot, const uint8_t r0[2])
{
    struct fragprog_slots *s = r->s;
    if (done == s->todo) {
        s->nslots = slot;
        return r->search->registers > FRAGPROG_REGISTERS || fragprog_place(s, r->search);
    }
    if (++r->search->states > r->search->bound) {
        r->search->gave_up = true;
        return false;
    }
    if (!enough_slots(r, done, slot) || known_to_fail(r, done, r0, r->limit - slot))
        return false;
    uint8_t color[FRAGPROG_MAX_NODES + 1], alpha[FRAGPROG_MAX_NODES + 1];
    unsigned ncolor = list_ready(s, s->takes[0], done, color), nalpha = list_ready(s, s->takes[1] & ~s->takes[0], done, alpha);
    color[ncolor] = alpha[nalpha] = FRAGPROG_NO_NODE; /* nothing, last */
    for (unsigned i = 0; i <= ncolor; i++)
        for (unsigned j = 0; j <= nalpha; j++) {
            unsigned c = color[i], a = alpha[j];
            bool both = c != FRAGPROG_NO_NODE && s->takes[1] & bit(c);
            if ((c == FRAGPROG_NO_NODE && a == FRAGPROG_NO_NODE) || (both && a != FRAGPROG_NO_NODE))
                continue;
            s->slot[slot][TEXENV_RGB] = (uint8_t)c;
            s->slot[slot][TEXENV_ALPHA] = (uint8_t)(both ? c : a);
            if (try_nodes(r, done, (c == FRAGPROG_NO_NODE ? 0 : bit(c)) | (a == FRAGPROG_NO_NODE ? 0 : bit(a)), slot, r0))
                return true;
            if (r->search->gave_up)
                return false;
        }
    remember(r, done, r0, r->limit - slot);
    return false;
}

bool fragprog_slots_search(struct fragprog_slots *s, struct fragprog_search *search, unsigned from)
{
    struct run r;
    uint8_t r0[2] = {FRAGPROG_NO_VALUE, FRAGPROG_NO_VALUE};
    unsigned count[2];
    r.s = s;
    r.search = search;
    r.remembers = false;
    count_halves(s, 0, 0, count);
    if (count[0] > search->registers || count[1] > search->registers)
        return false;
    for (unsigned i = 0; i < s->nvalues; i++)
        if (s->value[i].node == FRAGPROG_NO_NODE && s->value[i].reg == 0)
            r0[s->value[i].half] = (uint8_t)i;
    for (r.limit = from; r.limit <= search->slots && !search->gave_up; r.limit++)
        if (search_from(&r, 0, 0, r0))
            return true;
    return false;
}
