/* Operands that the chip can select: each from one register with one sign, and what comes from outside from
 * one uniform register. Values that an operand reads side by side are put into one temporary where they have
 * room; else an operation is done channel by channel, or (dot products, coordinates) channels are collected
 * by moves. */
#include "fragprog/alloc/immediate.h"
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

/* ---- values side by side ---- */

static bool make_room(struct etna *e, unsigned from, unsigned to)
{
    uint8_t map[4] = {0};
    unsigned taken = e->value[to].components;
    if (hwemit_etna_count(taken) + hwemit_etna_count(e->value[from].components) > 4)
        return false;
    for (unsigned round = 0; round < 2; round++) /* in their own lanes first */
        for (unsigned c = 0; c < 4; c++)
            for (unsigned k = 0; k < 4; k++)
                if (e->value[from].components >> c & 1 && !map[c] && !(taken >> k & 1) && (round || k == c)) {
                    map[c] = (uint8_t)(1u << k);
                    taken |= map[c];
                }
    hwemit_etna_rename(e, from, to, map);
    return true;
}

static void side_by_side(struct etna *e, struct etna_op *op, unsigned s)
{
    const unsigned channels = hwemit_etna_reads(op, s);
    const struct etna_chan *first = NULL;
    unsigned total = 0;
    for (unsigned c = 0; c < 4; c++) {
        const struct etna_chan *at = &op->arg[s][c];
        if (!(channels >> c & 1))
            continue;
        if (at->file != ETNA_VALUE || e->value[at->index].kind != ETNA_RESULT ||
            (first && at->neg != first->neg))
            return;
        bool seen = false;
        for (unsigned k = 0; k < c; k++)
            seen = seen || (channels >> k & 1 && op->arg[s][k].index == at->index);
        total += seen ? 0 : hwemit_etna_count(e->value[at->index].components);
        first = first ? first : at;
    }
    if (!first || total > 4)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1 && op->arg[s][c].index != first->index)
            make_room(e, op->arg[s][c].index, first->index);
}

/* ---- what one operand can be ---- */

static bool immediate(const struct etna *e, const struct etna_chan *c)
{
    return c->file == ETNA_SCALAR && e->scalar[c->index].origin == FRAGPROG_ORIGIN_IMMEDIATE;
}

static bool agree(const struct etna *e, const struct etna_chan *x, const struct etna_chan *y)
{
    if (x->file != y->file || (x->file == ETNA_VALUE && x->index != y->index))
        return false;
    return x->neg == y->neg || immediate(e, x) || immediate(e, y);
}

/* Channels of the source that can be read together with the first one of them. */
static unsigned readable(const struct etna *e, const struct etna_op *op, unsigned s, unsigned channels)
{
    const struct etna_chan *first = NULL;
    unsigned good = 0;
    for (unsigned c = 0; c < 4; c++) {
        const struct etna_chan *at = &op->arg[s][c];
        if (!(channels >> c & 1) || (first && !agree(e, first, at)))
            continue;
        if (!first || immediate(e, first))
            first = at;
        good |= 1u << c;
    }
    return good;
}

/* If an operand reads immediates beside negated external values, the immediates are stored negated, so that
 * the operand has one sign. */
static void one_sign(struct etna *e, struct etna_op *op, unsigned s)
{
    const unsigned channels = hwemit_etna_reads(op, s);
    bool neg = false;
    for (unsigned c = 0; c < 4; c++)
        neg = neg || (channels >> c & 1 && op->arg[s][c].neg);
    for (unsigned c = 0; c < 4 && neg; c++)
        if (channels >> c & 1 && immediate(e, &op->arg[s][c]) && !op->arg[s][c].neg) {
            op->arg[s][c] = hwemit_etna_negated(e, op->arg[s][c]);
            op->arg[s][c].neg = 1;
        }
}

/* The upper 20 bits of a float (notes/facts/etnaviv.md A.1: immediates of type 0). */
static const struct fragprog_immediates upper_bits = {
    .exponent = 8, .mantissa = 11, .bias = 127, .sign = true};

int32_t hwemit_etna_inline(const struct etna *e, const struct etna_op *op, unsigned s)
{
    const unsigned channels = hwemit_etna_reads(op, s);
    const struct etna_chan *first = NULL;
    if (e->halti < 2 || op->abs >> s & 1 || op->kind == ETNA_LOOKUP || !channels)
        return -1;
    for (unsigned c = 0; c < 4; c++) {
        const struct etna_chan *at = &op->arg[s][c];
        if (!(channels >> c & 1))
            continue;
        if (!immediate(e, at) || at->neg || (first && at->index != first->index))
            return -1;
        first = first ? first : at;
    }
    return fragprog_immediate(&upper_bits, e->scalar[first->index].value, NULL);
}

unsigned hwemit_etna_outside(const struct etna *e, const struct etna_op *op, unsigned s)
{
    const unsigned channels = hwemit_etna_reads(op, s);
    unsigned outside = 0;
    for (unsigned c = 0; channels >> c; c++)
        if (channels >> c & 1 && op->arg[s][c].file == ETNA_SCALAR)
            outside |= 1u << c;
    return outside && hwemit_etna_inline(e, op, s) < 0 ? outside : 0;
}

/* ---- writing the operations anew ---- */

struct rewriting {
    struct etna *e;
    unsigned n;
};

static struct etna_op *put(struct rewriting *w, const struct etna_op *op)
{
    if (w->n == w->e->maxops) {
        hwemit_etna_refuse_long(w->e);
        w->n = 0;
    }
    w->e->next[w->n] = *op;
    return &w->e->next[w->n++];
}

/* Different numbers from outside that the sources read, in these channels of operations by channel. */
static unsigned numbers(const struct etna *e, const struct etna_op *op, unsigned sources)
{
    uint16_t seen[12];
    unsigned n = 0;
    for (unsigned s = 0; s < 3; s++) {
        const unsigned outside = sources >> s & 1 ? hwemit_etna_outside(e, op, s) : 0;
        for (unsigned c = 0; outside >> c; c++) {
            bool known = !(outside >> c & 1);
            for (unsigned k = 0; k < n && !known; k++)
                known = seen[k] == op->arg[s][c].index;
            if (!known)
                seen[n++] = op->arg[s][c].index;
        }
    }
    return n;
}

/* The source's channels in a temporary, signs and all, by as few moves as it takes. */
static void collect(struct rewriting *w, struct etna_op *op, unsigned s)
{
    const unsigned channels = hwemit_etna_reads(op, s);
    const uint16_t value = hwemit_etna_new_value(w->e, ETNA_RESULT, channels);
    struct etna_op move = {.code = ETNA_MOV, .used = 4, .value = value, .unit = op->unit};
    move.abs = op->abs >> s & 1 ? 4 : 0;
    memcpy(move.arg[2], op->arg[s], sizeof move.arg[2]);
    for (unsigned left = channels; left; left &= ~(unsigned)move.mask) {
        move.mask = (uint8_t)readable(w->e, op, s, left);
        one_sign(w->e, put(w, &move), 2);
    }
    op->abs &= (uint8_t) ~(1u << s);
    for (unsigned c = 0; c < 4; c++)
        op->arg[s][c] = (struct etna_chan){
            .file = channels >> c & 1 ? ETNA_VALUE : ETNA_UNREAD, .lane = (uint8_t)c, .index = value};
}

/* One uniform register an instruction: four numbers at most, or (nothing merged) one source's. What is over
 * that goes through a temporary. */
static void one_uniform(struct rewriting *w, struct etna_op *op)
{
    struct etna *e = w->e;
    while (e->one && !e->failed) {
        unsigned most = 3, sources = 0;
        for (unsigned s = 0; s < 3; s++) {
            if (!numbers(e, op, 1u << s))
                continue;
            sources++;
            if (most == 3 || numbers(e, op, 1u << s) > numbers(e, op, 1u << most))
                most = s;
        }
        const unsigned all = numbers(e, op, 7);
        if (all <= 4 && (e->merge || sources < 2 || all <= numbers(e, op, 1u << most)))
            return;
        const struct etna_op before = *op;
        collect(w, op, most);
        for (unsigned s = 0; s < 3; s++) /* the same operand twice is moved once */
            if (s != most && op->used >> s & 1 &&
                memcmp(before.arg[s], before.arg[most], sizeof before.arg[s]) == 0 &&
                (before.abs >> s & 1) == (before.abs >> most & 1)) {
                memcpy(op->arg[s], op->arg[most], sizeof op->arg[s]);
                op->abs &= (uint8_t) ~(1u << s);
            }
        e->moves++;
    }
}

static void whole(struct rewriting *w, const struct etna_op *from)
{
    struct etna_op op = *from;
    for (unsigned s = 0; s < 3; s++) {
        const unsigned channels = hwemit_etna_reads(&op, s);
        bool bad = readable(w->e, &op, s, channels) != channels;
        for (unsigned c = 0; c < 4; c++) /* coordinates are a temporary as it is */
            bad = bad ||
                (op.kind == ETNA_LOOKUP && channels >> c & 1 &&
                 (op.arg[s][c].file != ETNA_VALUE || op.arg[s][c].neg));
        if (bad && op.kind == ETNA_LOOKUP && s == 1)
            op.arg[1][0] = op.arg[0][3];
        else if (bad)
            collect(w, &op, s);
    }
    if (op.kind == ETNA_LOOKUP && op.used & 2)
        op.arg[1][0] = op.arg[0][3];
    for (unsigned s = 0; s < 3; s++)
        one_sign(w->e, &op, s);
    one_uniform(w, &op);
    put(w, &op);
}

static void by_channel(struct rewriting *w, const struct etna_op *from)
{
    for (unsigned left = from->mask, these; left; left &= ~these) {
        struct etna_op part = *from;
        these = left;
        for (unsigned s = 0; s < 3; s++)
            if (part.used >> s & 1)
                these = readable(w->e, from, s, these);
        part.mask = (uint8_t)these;
        for (unsigned s = 0; s < 3; s++)
            one_sign(w->e, &part, s);
        one_uniform(w, &part);
        put(w, &part);
    }
}

bool hwemit_etna_operands(struct etna *e)
{
    static const uint8_t order[] = {ETNA_LOOKUP, ETNA_DOT, ETNA_CHANNELS};
    for (unsigned k = 0; k < sizeof order; k++)
        for (unsigned i = 0; i < e->nops; i++)
            for (unsigned s = 0; s < 3; s++)
                if (e->op[i].kind == order[k])
                    side_by_side(e, &e->op[i], s);
    struct rewriting w = {.e = e};
    for (unsigned i = 0; i < e->nops && !e->failed; i++)
        if (e->op[i].kind == ETNA_CHANNELS)
            by_channel(&w, &e->op[i]);
        else
            whole(&w, &e->op[i]);
    struct etna_op *const old = e->op;
    e->op = e->next;
    e->next = old;
    e->nops = (uint16_t)w.n;
    return !e->failed;
}
