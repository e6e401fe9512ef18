/* Sets of bits, and memory that is given out in parts. Internal to fragprog and hwemit. */
#ifndef FRAGPROG_BITS_H
#define FRAGPROG_BITS_H

#include <stddef.h>
#include <stdint.h>

static inline unsigned fragprog_count(uint64_t set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/* Returns the number of lanes in a mask. */
static inline unsigned fragprog_lanes_of(unsigned mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

/* Returns the lowest member of a nonempty set. */
static inline unsigned fragprog_lowest(uint64_t set)
{
#ifdef __GNUC__
    return (unsigned)__builtin_ctzll(set);
#else
    unsigned n = 0;
    for (; !(set & 1); set >>= 1)
        n++;
    return n;
#endif
}

/* Returns 1 + the highest member of a set, 0 for an empty one. */
static inline uint16_t fragprog_bits(uint64_t set)
{
    uint16_t n = 0;
    for (; set; set >>= 1)
        n++;
    return n;
}

struct fragprog_arena {
    char *at; /* NULL: only computes the size */
    size_t used;
};

/* Returns memory for n elements, aligned for any type. */
static inline void *fragprog_take(struct fragprog_arena *a, size_t n, size_t size)
{
    void *p = a->at ? a->at + a->used : NULL;
    a->used += (n * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    return p;
}

#endif
