/* Sorting of numbers by what they stand for, without allocation. Internal to fragprog. */
#ifndef FRAGPROG_SORT_H
#define FRAGPROG_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Sorts item[0..n) so that for neighbours a, b never before(user, b, a); equal ones keep their order. room: n
 * numbers. Takes n log n steps. */
void fragprog_sort(uint32_t *item, uint32_t n, uint32_t *room,
                   bool (*before)(const void *user, uint32_t a, uint32_t b), const void *user);

#endif
