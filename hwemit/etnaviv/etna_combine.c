/* Operations that do the same on different channels of the same registers become one: the colour and the
 * alpha half of a stage, numbers side by side. What is computed twice is computed once. Each value has one
 * operation that writes it here, so what the first of two operations reads is there before it, and the second
 * reads the same registers. */
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

enum { WINDOW = 64 }; /* operations that one may be brought forward over */

unsigned hwemit_etna_count(unsigned mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

unsigned hwemit_etna_reads(const struct etna_op *op, unsigned s)
{
    if (!(op->used >> s & 1))
        return 0;
    if (op->kind == ETNA_CHANNELS)
        return op->mask;
    return op->kind == ETNA_DOT || (op->kind == ETNA_LOOKUP && s == 0) ? op->terms : 1;
}

/* The operation writes components map[c] for each c that it has written. */
static void rename_result(struct etna_op *op, unsigned to, const uint8_t map[4])
{
    const struct etna_op old = *op;
    op->value = (uint16_t)to;
    op->mask = 0;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 4; k++) {
            if (!(old.mask >> c & 1) || !(map[c] >> k & 1))
                continue;
            op->mask |= (uint8_t)(1u << k);
            op->texel[k] = old.texel[c];
            for (unsigned s = 0; s < 3 && op->kind == ETNA_CHANNELS; s++)
                op->arg[s][k] = old.arg[s][c];
        }
}

void hwemit_etna_rename(struct etna *e, unsigned from, unsigned to, const uint8_t map[4])
{
    uint8_t first[4] = {0};
    for (unsigned c = 0; c < 4; c++) {
        while (map[c] && !(map[c] >> first[c] & 1))
            first[c]++;
        if (e->value[from].components >> c & 1)
            e->value[to].components |= map[c];
    }
    e->value[from].components = 0;
    for (unsigned i = 0; i < e->nops; i++) {
        struct etna_op *op = &e->op[i];
        if (op->mask && op->value == from)
            rename_result(op, to, map);
        for (unsigned s = 0; s < 3; s++)
            for (unsigned c = 0; c < 4; c++) {
                struct etna_chan *at = &op->arg[s][c];
                if (at->file != ETNA_VALUE || at->index != from)
                    continue;
                at->index = (uint16_t)to;
                at->lane = first[at->lane];
            }
    }
}

static bool same(struct etna_chan x, struct etna_chan y)
{
    return x.file == y.file && x.lane == y.lane && x.neg == y.neg && x.index == y.index;
}

static bool same_operation(const struct etna_op *x, const struct etna_op *y)
{
    return x->kind == y->kind && x->code == y->code && x->cond == y->cond && x->sat == y->sat &&
        x->used == y->used && x->abs == y->abs && x->round == y->round && x->terms == y->terms &&
        x->texture == y->texture;
}

/* ---- computed twice ---- */

static bool same_component(const struct etna_op *x, unsigned c, const struct etna_op *y, unsigned k)
{
    for (unsigned s = 0; s < 3 && x->kind == ETNA_CHANNELS; s++)
        if (x->used >> s & 1 && !same(x->arg[s][c], y->arg[s][k]))
            return false;
    return x->kind != ETNA_LOOKUP || x->texel[c] == y->texel[k];
}

static bool again(struct etna *e, const struct etna_op *first, const struct etna_op *second)
{
    uint8_t map[4] = {0};
    for (unsigned s = 0; s < 3 && first->kind != ETNA_CHANNELS; s++)
        for (unsigned c = 0; c < 4; c++)
            if (hwemit_etna_reads(first, s) >> c & 1 && !same(first->arg[s][c], second->arg[s][c]))
                return false;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 4 && second->mask >> c & 1 && !map[c]; k++)
            if (first->mask >> k & 1 && same_component(second, c, first, k) && (first->round == 0 || c == k))
                map[c] = (uint8_t)(1u << k);
    for (unsigned c = 0; c < 4; c++)
        if (second->mask >> c & 1 && !map[c])
            return false;
    struct etna_op *const dead = &e->op[second - e->op];
    const unsigned from = second->value, to = first->value;
    *dead = (struct etna_op){.unit = second->unit};
    hwemit_etna_rename(e, from, to, map);
    return true;
}

/* ---- side by side ---- */

/* All that both read by source s comes from one register, or from outside, with one sign. */
static bool together(const struct etna_op *x, const struct etna_op *y, unsigned s)
{
    const struct etna_chan *first = NULL;
    for (unsigned i = 0; i < 8; i++) {
        const struct etna_op *op = i < 4 ? x : y;
        const struct etna_chan *at = &op->arg[s][i % 4];
        if (!(op->mask >> i % 4 & 1))
            continue;
        if (first &&
            (at->file != first->file || at->neg != first->neg ||
             (at->file == ETNA_VALUE && at->index != first->index)))
            return false;
        first = first ? first : at;
    }
    return true;
}

/* Whether x and y, which work by channel and read the same sources, read at most four different scalars from
 * outside. */
static bool few_numbers(const struct etna_op *x, const struct etna_op *y)
{
    uint16_t seen[5];
    unsigned n = 0;
    for (unsigned s = 0; s < 3; s++)
        for (unsigned i = 0; i < 8 && x->used >> s & 1 && n <= 4; i++) {
            const struct etna_op *op = i < 4 ? x : y;
            const struct etna_chan *at = &op->arg[s][i % 4];
            bool known = !(op->mask >> i % 4 & 1) || at->file != ETNA_SCALAR;
            for (unsigned k = 0; k < n && !known; k++)
                known = seen[k] == at->index;
            if (!known)
                seen[n++] = at->index;
        }
    return n <= 4;
}

static bool join(struct etna *e, struct etna_op *first, struct etna_op *second)
{
    uint8_t map[4] = {0};
    unsigned taken = first->mask;
    if (first->kind != ETNA_CHANNELS || e->value[first->value].kind != ETNA_RESULT ||
        e->value[second->value].kind != ETNA_RESULT ||
        hwemit_etna_count(first->mask) + hwemit_etna_count(second->mask) > 4)
        return false;
    for (unsigned s = 0; s < 3; s++)
        if (first->used >> s & 1 && !together(first, second, s))
            return false;
    if (!few_numbers(first, second))
        return false;
    for (unsigned c = 0; c < 4; c++) /* in their own channels first */
        if (second->mask >> c & 1 && !(taken >> c & 1)) {
            map[c] = (uint8_t)(1u << c);
            taken |= map[c];
        }
    for (unsigned c = 0; c < 4; c++)
        for (unsigned k = 0; k < 4 && second->mask >> c & 1 && !map[c]; k++)
            if (!(taken >> k & 1)) {
                map[c] = (uint8_t)(1u << k);
                taken |= map[c];
            }
    for (unsigned s = 0; s < 3; s++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned k = 0; k < 4; k++)
                if (map[c] >> k & 1)
                    first->arg[s][k] = second->arg[s][c];
    first->mask |= (uint8_t)taken;
    const unsigned from = second->value, to = first->value;
    *second = (struct etna_op){.unit = second->unit};
    hwemit_etna_rename(e, from, to, map);
    return true;
}

void hwemit_etna_combine(struct etna *e)
{
    for (unsigned i = 0; i < e->nops; i++)
        for (unsigned j = i + 1; j < e->nops && j <= i + WINDOW; j++) {
            struct etna_op *first = &e->op[i], *second = &e->op[j];
            if (!first->mask || !second->mask || !same_operation(first, second) ||
                e->value[second->value].kind == ETNA_OUTPUT)
                continue;
            if (!again(e, first, second))
                join(e, first, second);
        }
    hwemit_etna_trim(e);
}
