/* Hash tables of values. The key is made of the grid cells that a value lies in at the first two points; the
 * caller compares the values found at all points. */
#ifndef TABLE_H
#define TABLE_H

#include "local.h"

#define CELLS 262144.0
static inline uint32_t cell(double v) { return (uint32_t)(v * CELLS + 1); }
static inline uint32_t key_of(uint32_t a, uint32_t b, int bits_of_key)
{
    return (uint32_t)(((uint64_t)a * 0x9E3779B97F4A7C15u ^ (uint64_t)b * 0xC2B2AE3D27D4EB4Fu) *
                          0xD6E8FEB86659FD93u >>
                      (64 - bits_of_key));
}

/* A hash table: a bit array as filter, heads by key, entries in linked lists. */
struct table_of {
    int width;
    uint64_t *bit;
    uint32_t *head, n, room;
    struct place {
        uint32_t next, what;
    } * place;
};

static inline bool has(const struct table_of *t, uint32_t key) { return t->bit[key >> 6] >> (key & 63) & 1; }
static inline uint32_t key_at(const struct table_of *t, double a, double b)
{
    return key_of(cell(a > 0 ? a : 0), cell(b > 0 ? b : 0), t->width);
}

/* table.c */
void open_table(struct table_of *t, int width);
void put(struct table_of *t, uint32_t key, uint32_t what);
void put_near(struct table_of *t, double a, double b, uint32_t what);
void put_wanted(struct table_of *t, const struct wanted *g, uint32_t what);
void empty_table(struct table_of *t);

extern struct table_of of_values; /* in chain.c; entry: index of a value */

#endif
