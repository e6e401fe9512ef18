/* Rows (values of a wanted function under one symmetry): their keys, and an order of points that
 * distinguishes them. */
#include "two.h"

#include <stdlib.h>

uint64_t next_key(uint64_t key, const double *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        double x = v[i] + 0.0;
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        key = (key ^ bits ^ bits >> 29) * 0xd6e8feb86659fd93u;
        key ^= key >> 32;
    }
    return key;
}

size_t slot_of(const struct keys *k, uint64_t key)
{
    size_t at = (key >> 20) & k->mask;
    while (k->left[at] && k->key[at] != key)
        at = (at + 1) & k->mask;
    return at;
}

/* Adds `change` to the number of functions with this key. The count starts at 1, so that the slot stays in
 * use after all its functions have been found. */
static void want(struct keys *k, uint64_t key, int change)
{
    size_t at = slot_of(k, key);
    k->key[at] = key;
    k->left[at] = (k->left[at] ? k->left[at] : 1) + (uint32_t)change;
}

bool wants(const struct keys *k, uint64_t key) { return k->left[slot_of(k, key)] > 1; }

static uint64_t row_key(const double *row)
{
    uint64_t key = first_key(row);
    for (unsigned l = 1; l < LEVELS; l++)
        key = next_key(key, row + level_points[l - 1], level_points[l] - level_points[l - 1]);
    return key;
}

void fill_filter(struct second *t)
{
    for (unsigned one = 0; one < 2; one++) {
        double row[ORDERED];
        for (unsigned i = 0; i < ORDERED; i++)
            row[i] = one;
        t->constant_left[one] = wants(&t->level[LEVELS - 1], row_key(row));
    }
    memset(t->filter, 0, ((size_t)1 << (64 - t->filter_shift)) / 8);
    for (size_t i = 0; i <= t->level[0].mask; i++)
        if (t->level[0].left[i] > 1) {
            uint64_t at = t->level[0].key[i] >> t->filter_shift;
            t->filter[at / 64] |= (uint64_t)1 << (at % 64);
        }
}

size_t want_row(struct second *t, const double *row, int change)
{
    uint64_t key = first_key(row);
    want(&t->level[0], key, change);
    for (unsigned l = 1; l < LEVELS; l++) {
        key = next_key(key, row + level_points[l - 1], level_points[l] - level_points[l - 1]);
        want(&t->level[l], key, change);
    }
    return slot_of(&t->level[LEVELS - 1], key);
}

void make_row(double *row, const struct second *t, const double *value, unsigned g)
{
    const struct points *p = t->s->p;
    for (unsigned k = 0; k < p->n; k++)
        row[k] = value[p->nsymmetries > 1 ? p->image[g][t->order[k]] : t->order[k]];
}

/* Orders the points greedily: each next point splits the wanted functions and the constants 0 and 1 into as
 * many groups of equal values as possible. */
static void split_greedily(struct second *t, size_t n)
{
    enum { ROWS = 4096, SLOTS = 4 * ROWS };
    const struct points *p = t->s->p;
    size_t images = n * p->nsymmetries, nrows = images + 2 < ROWS ? images + 2 : ROWS;
    struct column *row = malloc(nrows * sizeof *row);
    uint32_t *group = calloc(nrows, sizeof *group), *fresh = malloc(nrows * sizeof *fresh),
             *slot = malloc(SLOTS * sizeof *slot);
    for (unsigned k = 0; k < p->n; k++)
        t->order[k] = (uint16_t)k;
    for (size_t r = 0; r < nrows; r++) {
        double value[MOST_POINTS];
        size_t image = r < 2 ? 0 : (r - 2) * images / (nrows - 2);
        chain_value(value, &t->chains[image / p->nsymmetries], p, AS_IT_IS);
        make_row(row[r].v, t, value, image % p->nsymmetries);
        for (unsigned k = 0; r < 2 && k < p->n; k++)
            row[r].v[k] = r; /* the constants 0 and 1, which most candidates are */
    }
    for (unsigned at = 0; at < ORDERED && at < p->n; at++) {
        unsigned best = at, most = 0;
        for (unsigned round = 0; round <= 96; round++) {
            unsigned candidate = round == 96 ? best : at + (round * 2654435761u >> 8) % (p->n - at),
                     point = t->order[candidate], groups = 0;
            memset(slot, 0xff, SLOTS * sizeof *slot);
            for (size_t r = 0; r < nrows; r++) {
                double x = row[r].v[point] + 0.0;
                uint64_t bits;
                memcpy(&bits, &x, sizeof bits);
                size_t h = ((bits ^ bits >> 31) + group[r]) * 0x9fb21c651e98df25u >> 40 & (SLOTS - 1);
                while (slot[h] != UINT32_MAX && (group[slot[h]] != group[r] || row[slot[h]].v[point] != x))
                    h = (h + 1) & (SLOTS - 1);
                if (slot[h] == UINT32_MAX)
                    slot[h] = (uint32_t)r, groups++;
                fresh[r] = slot[h];
            }
            if (round < 96 && groups > most)
                most = groups, best = candidate;
        }
        memcpy(group, fresh, nrows * sizeof *group);
        uint16_t swap = t->order[at];
        t->order[at] = t->order[best], t->order[best] = swap;
    }
    free(row), free(group), free(fresh), free(slot);
}

/* For wanted functions that are constantly 0 or 1 at the ordered points but not elsewhere, replaces an
 * ordered point by one where they are not, since most candidates are such constants. */
static void tell_from_constants(struct second *t, size_t n)
{
    const struct points *p = t->s->p;
    unsigned at = ORDERED;
    double value[MOST_POINTS], row[MOST_POINTS];
    for (size_t i = 0; i < n * p->nsymmetries && p->n > ORDERED && at > ORDERED / 2; i++) {
        if (i % p->nsymmetries == 0)
            chain_value(value, &t->chains[i / p->nsymmetries], p, AS_IT_IS);
        make_row(row, t, value, i % p->nsymmetries);
        unsigned k = 0;
        while (k < ORDERED && row[k] == row[0])
            k++;
        if (k < ORDERED || (row[0] != 0 && row[0] != 1))
            continue;
        while (k < p->n && row[k] == row[0])
            k++;
        if (k == p->n)
            continue;
        uint16_t swap = t->order[--at];
        t->order[at] = t->order[k], t->order[k] = swap;
    }
}

void find_order(struct second *t, size_t n)
{
    split_greedily(t, n);
    tell_from_constants(t, n);
}
