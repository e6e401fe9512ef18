/* Numbers between 0 and 1 to be looked up: every_search.c, every_lent.c. Internal to hwemit/i830.
 *
 * Doubles that should be the same are off by some 1e-12: a number is looked for in the cells of its two neighbours. */
#ifndef I830_EVERY_INDEX_H
#define I830_EVERY_INDEX_H

#include "hwemit/i830/every.h"
#include "hwemit/i830/quadratic.h"

#include <string.h>

#define ERROR 1e-10 /* that doubles may be off: less than a cell */

/* ---- by cells that each have a list; a filter of cells half as large ---- */

enum { FILTER_BITS = 1 };
struct index { unsigned bits; uint32_t n, room, *head, *next; double *number; uint64_t *filter; };

static inline uint32_t cell_of(const struct index *x, double v) { return (uint32_t)(v * (double)(UINT32_C(1) << x->bits)); }
static inline uint32_t filter_cell(const struct index *x, double v) { return (uint32_t)(v * (double)(UINT32_C(1) << (x->bits + FILTER_BITS))); }
static inline bool filter_has(const struct index *x, uint32_t c) { return x->filter[c >> 6] >> (c & 63) & 1; }

static inline void index_clear(struct index *x)
{
    x->n = 0;
    memset(x->head, 0xff, (sizeof *x->head) << x->bits);
    memset(x->filter, 0, (sizeof *x->filter << (x->bits + FILTER_BITS)) / 64);
}

/* False: there is too little memory. */
static inline bool index_open(struct every *e, struct index *x, unsigned bits, uint32_t room)
{
    x->bits = bits, x->room = room;
    x->head = hwemit_i830_every_lend(e, (sizeof *x->head) << bits);
    x->next = hwemit_i830_every_lend(e, room * sizeof *x->next);
    x->number = hwemit_i830_every_lend(e, room * sizeof *x->number);
    x->filter = hwemit_i830_every_lend(e, (sizeof *x->filter << (bits + FILTER_BITS)) / 64);
    if (!x->head || !x->next || !x->number || !x->filter)
        return false;
    index_clear(x);
    return true;
}

/* The number has the next place. False: there is no room. */
static inline bool index_put(struct index *x, double v)
{
    if (x->n == x->room)
        return false;
    const uint32_t c = cell_of(x, v);
    for (int side = -1; side < 2; side += 2) {
        const uint32_t i = filter_cell(x, clamped(v + side * ERROR));
        x->filter[i >> 6] |= UINT64_C(1) << (i & 63);
    }
    x->number[x->n] = v;
    x->next[x->n] = x->head[c];
    x->head[c] = x->n++;
    return true;
}

static inline bool index_may_have(const struct index *x, double v) { return filter_has(x, filter_cell(x, v)); }

/* Places of the number, from one to the next: start with *cell 0 and place NONE, which also ends them. */
static inline uint32_t index_next(const struct index *x, double v, unsigned *cell, uint32_t place)
{
    const uint32_t c[2] = {cell_of(x, clamped(v - ERROR)), cell_of(x, v + ERROR < 1 ? v + ERROR : v)};
    uint32_t i = place == NONE ? NONE : x->next[place];
    for (;;) {
        for (; i != NONE; i = x->next[i])
            if (near(x->number[i], v))
                return i;
        if (*cell == 2 || (*cell == 1 && c[0] == c[1]))
            return NONE;
        i = x->head[c[(*cell)++]];
    }
}

/* ---- of very many: by cells of 2^-30, of which some share a list; what the number is of instead of the number ---- */

enum { LISTS_BITS = 22, LOOKUP_FILTER_BITS = 26, LOOKUP_ROOM = 1 << 22 };
struct lookup { uint32_t n, *head; struct number { uint32_t cell, what, next; } *number; uint64_t *filter; };

static inline uint32_t fine_cell(double v) { return (uint32_t)(v * 1073741824); }
static inline uint32_t list_of(uint32_t cell) { return (cell * 2654435769u) >> (32 - LISTS_BITS); }

static inline void lookup_clear(struct lookup *l)
{
    l->n = 0;
    memset(l->head, 0xff, sizeof *l->head << LISTS_BITS);
    memset(l->filter, 0, sizeof *l->filter << (LOOKUP_FILTER_BITS - 6));
}

/* False: there is too little memory. */
static inline bool lookup_open(struct every *e, struct lookup *l)
{
    l->head = hwemit_i830_every_lend(e, sizeof *l->head << LISTS_BITS);
    l->number = hwemit_i830_every_lend(e, LOOKUP_ROOM * sizeof *l->number);
    l->filter = hwemit_i830_every_lend(e, sizeof *l->filter << (LOOKUP_FILTER_BITS - 6));
    return l->head && l->number && l->filter;
}

/* There has to be room. */
static inline void lookup_put(struct lookup *l, double v, uint32_t what)
{
    const uint32_t cell = fine_cell(v), end[2] = {fine_cell(v - ERROR), fine_cell(v + ERROR)};
    for (unsigned side = 0; side < 2; side++)
        l->filter[end[side] >> (30 - LOOKUP_FILTER_BITS + 6)] |= UINT64_C(1) << (end[side] >> (30 - LOOKUP_FILTER_BITS) & 63);
    l->number[l->n] = (struct number){cell, what, l->head[list_of(cell)]};
    l->head[list_of(cell)] = l->n++;
}

static inline bool lookup_may_have(const struct lookup *l, double v)
{
    const uint32_t c = fine_cell(v);
    return l->filter[c >> (30 - LOOKUP_FILTER_BITS + 6)] >> (c >> (30 - LOOKUP_FILTER_BITS) & 63) & 1;
}

/* As index_next, by cells alone. */
static inline uint32_t lookup_next(const struct lookup *l, double v, unsigned *cell, uint32_t place)
{
    const uint32_t c[2] = {fine_cell(v - ERROR), fine_cell(v + ERROR)};
    uint32_t i = place == NONE ? NONE : l->number[place].next;
    for (;;) {
        for (; i != NONE; i = l->number[i].next)
            if (l->number[i].cell == c[*cell - 1])
                return i;
        if (*cell == 2 || (*cell == 1 && c[0] == c[1]))
            return NONE;
        i = l->head[list_of(c[(*cell)++])];
    }
}

/* ---- of which those that were put last are taken back first ---- */

enum { PILE_BITS = 18, PILE_LISTS = 14, PILE_ROOM = 1 << 17 };
struct pile {
    uint64_t filter[1 << (PILE_BITS - 6)];
    uint32_t head[1 << PILE_LISTS];
    struct piled { uint32_t cell, what, next; bool opens; /* the cell had none */ } number[PILE_ROOM];
    uint32_t n;
    bool full; /* some had no room */
};

static inline uint32_t pile_cell(double v) { return (uint32_t)(v * (1 << PILE_BITS)) & ((1u << PILE_BITS) - 1); }
static inline uint32_t *pile_list(struct pile *p, uint32_t cell) { return &p->head[(cell * 2654435769u) >> (32 - PILE_LISTS)]; }

static inline void pile_clear(struct pile *p)
{
    memset(p->filter, 0, sizeof p->filter);
    memset(p->head, 0xff, sizeof p->head);
    p->n = 0, p->full = false;
}

/* v: between 0 and 1. */
static inline void pile_put(struct pile *p, double v, uint32_t what)
{
    for (int side = -1; side < 2; side += 2) {
        const uint32_t cell = pile_cell(clamped(v + side * TINY));
        uint32_t *const list = pile_list(p, cell);
        uint64_t *const filter = &p->filter[cell >> 6], bit = UINT64_C(1) << (cell & 63);
        if (p->n && p->number[p->n - 1].cell == cell && p->number[p->n - 1].what == what)
            continue;
        if (p->n == PILE_ROOM) {
            p->full = true;
            return;
        }
        p->number[p->n] = (struct piled){cell, what, *list, !(*filter & bit)};
        *list = p->n++;
        *filter |= bit;
    }
}

/* The first n stay. */
static inline void pile_keep(struct pile *p, uint32_t n)
{
    while (p->n > n) {
        const struct piled *const last = &p->number[--p->n];
        *pile_list(p, last->cell) = last->next;
        if (last->opens)
            p->filter[last->cell >> 6] &= ~(UINT64_C(1) << (last->cell & 63));
    }
}

static inline bool pile_may_have(const struct pile *p, double v)
{
    const uint32_t cell = pile_cell(v);
    return p->filter[cell >> 6] >> (cell & 63) & 1;
}

/* What was put near v, and some that was not, one after the other: start with place NONE, which also ends it. What is put in the meantime is passed over. */
static inline uint32_t pile_next(const struct pile *p, double v, uint32_t place)
{
    const uint32_t cell = pile_cell(v);
    uint32_t i = place == NONE ? p->head[(cell * 2654435769u) >> (32 - PILE_LISTS)] : p->number[place].next;
    while (i != NONE && p->number[i].cell != cell)
        i = p->number[i].next;
    return i;
}

#endif
