/* Sorting of indices without allocation. Internal to fragprog. */
#ifndef FRAGPROG_SORT_H
#define FRAGPROG_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Stable merge sort of item[0..n) by the order `before`. room: memory for n items. Takes O(n log n) steps. */
void fragprog_sort(uint32_t *item, uint32_t n, uint32_t *room,
                   bool (*before)(const void *user, uint32_t a, uint32_t b), const void *user);

#endif
