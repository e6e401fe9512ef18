/* Hash tables of values, keyed by their grid cells at the first two points (table.h). */
#include "table.h"

void open_table(struct table_of *t, int key_width)
{
    t->width = key_width;
    t->bit = calloc((size_t)1 << (key_width - 6), 8);
    t->head = calloc((size_t)1 << (key_width - 3), 4);
    t->n = 1;
    if (!t->bit || !t->head)
        exit(2);
}

void put(struct table_of *t, uint32_t key, uint32_t what)
{
    t->bit[key >> 6] |= (uint64_t)1 << (key & 63);
    if (t->n >= t->room) {
        t->room = t->room ? 2 * t->room : 1 << 16;
        t->place = realloc(t->place, t->room * sizeof *t->place);
        if (!t->place)
            exit(2);
    }
    t->place[t->n] = (struct place){t->head[key >> 3], what};
    t->head[key >> 3] = t->n++;
}

/* Inserts a value into all grid cells within the tolerance. */
void put_near(struct table_of *t, double a, double b, uint32_t what)
{
    uint32_t a0 = cell(fmax(a - TOLERANCE, 0)), a1 = cell(a + TOLERANCE), b0 = cell(fmax(b - TOLERANCE, 0)),
             b1 = cell(b + TOLERANCE);
    for (uint32_t i = a0; i <= a1; i++)
        for (uint32_t j = b0; j <= b1; j++)
            put(t, key_of(i, j, t->width), what);
}

void put_wanted(struct table_of *t, const struct wanted *g, uint32_t what)
{
    for (int i = 0; i < g->n[0]; i++)
        for (int j = 0; j < g->n[1]; j++)
            put_near(t, g->v[0][i], g->v[1][j], what);
}

void empty_table(struct table_of *t)
{
    memset(t->bit, 0, (size_t)1 << (t->width - 3));
    memset(t->head, 0, (size_t)4 << (t->width - 3));
    t->n = 1;
}
