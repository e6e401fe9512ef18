/* Merge sort, bottom up. */
#include "fragprog/alloc/sort.h"

#include <string.h>

void fragprog_sort(uint32_t *item, uint32_t n, uint32_t *room,
                   bool (*before)(const void *user, uint32_t a, uint32_t b), const void *user)
{
    for (uint32_t width = 1; width < n; width *= 2)
        for (uint32_t start = 0; start < n && n - start > width; start += 2 * width) {
            uint32_t middle = start + width, end = n - start > 2 * width ? start + 2 * width : n;
            uint32_t a = start, b = middle, to = start;
            if (!before(user, item[b], item[b - 1]))
                continue; /* already in order */
            while (a < middle || b < end) {
                bool second = a == middle || (b < end && before(user, item[b], item[a]));
                room[to++] = second ? item[b++] : item[a++];
            }
            memcpy(item + start, room + start, (end - start) * sizeof *item);
        }
}
