/* One pass of the scheduler: its nodes, the values that they read and compute, and the number of register
 * halves in use. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

static inline uint64_t bit(unsigned n) { return UINT64_C(1) << n; }

/* ---- initialisation ---- */

unsigned fragprog_slots_add(struct fragprog_slots *s, unsigned node, unsigned half, unsigned reg,
                            uint64_t readers)
{
    s->value[s->nvalues] = (struct fragprog_value){.readers = readers,
                                                   .node = (uint8_t)node,
                                                   .half = (uint8_t)half,
                                                   .reg = (uint8_t)reg,
                                                   .group = FRAGPROG_NO_GROUP,
                                                   .from = FRAGPROG_NO_VALUE};
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
            s->where[inst][h] = (uint8_t)fragprog_slots_add(s, FRAGPROG_NO_NODE, h, r, readers);
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
        if (h == TEXENV_ALPHA && node->inst[TEXENV_RGB] != FRAGPROG_NO_INST && !readers &&
            !is_result) { /* the companion is not needed */
            if (s->g->p.inst[node->inst[h]].op != FRAGPROG_DOT4)
                s->takes[TEXENV_ALPHA] &= ~bit(n);
            continue;
        }
        const unsigned v = fragprog_slots_add(s, n, h, FRAGPROG_NO_REG, readers);
        s->value[v].keep = is_result;
        s->made[n][h] = s->where[node->inst[h]][h] = (uint8_t)v;
        if (is_result)
            s->result[h] = (uint8_t)v;
    }
}

void fragprog_slots_begin(struct fragprog_slots *s, const struct fragprog_graph *g, uint64_t todo, bool last)
{
    s->g = g;
    s->todo = todo;
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
    const unsigned v = fragprog_slots_add(s, n, to, FRAGPROG_NO_REG, 0);
    s->value[v].keep = 1;
    s->made[n][to] = (uint8_t)v;
    if (last)
        s->result[to] = (uint8_t)v;
    return v;
}

unsigned fragprog_slots_lookups(const struct fragprog_slots *s) { return fragprog_count(s->textures); }

unsigned fragprog_slots_bound(struct fragprog_slots *s, bool flexible)
{
    unsigned bound = 0, total = s->g->nnodes + s->nmoves;
    memset(s->heights, 0, sizeof s->heights);
    for (unsigned n = total; n-- > 0;) { /* moves have the highest numbers, and no successors */
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
    unsigned count[2] = {fragprog_count(s->takes[0]), fragprog_count(s->takes[1])};
    unsigned most = flexible ? (count[0] + count[1] + 1) / 2 : count[0] > count[1] ? count[0] : count[1];
    return most > bound ? most : bound;
}

/* Returns true if the value is live. Several live numbers of one group share a register half. */
bool fragprog_slots_live(const struct fragprog_value *v, uint64_t done)
{
    return (v->node == FRAGPROG_NO_NODE || done & bit(v->node)) && (v->keep || v->readers & ~done);
}

/* A value that was just computed occupies a register half even if it is not read. */
void fragprog_slots_count(const struct fragprog_slots *s, uint64_t done, uint64_t now, unsigned count[2])
{
    uint8_t groups[FRAGPROG_MAX_VALUES];
    unsigned ngroups = 0;
    count[0] = count[1] = 0;
    for (unsigned i = 0; i < s->nvalues; i++) {
        const struct fragprog_value *v = &s->value[i];
        if (!fragprog_slots_live(v, done) && !(v->node != FRAGPROG_NO_NODE && now & bit(v->node)))
            continue;
        if (v->group == FRAGPROG_NO_GROUP) {
            count[v->half]++;
            continue;
        }
        unsigned g = 0;
        while (g < ngroups && groups[g] != v->group)
            g++;
        if (g == ngroups)
            groups[ngroups++] = v->group;
    }
    count[TEXENV_RGB] += ngroups;
}
