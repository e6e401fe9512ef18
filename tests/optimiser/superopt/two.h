/* Declarations of the search for programs of two instructions (two.c, two_rows.c). */
#ifndef TESTS_SUPEROPT_TWO_H
#define TESTS_SUPEROPT_TWO_H

#include "program.h"

#include <string.h>

/* Candidates are compared with the wanted functions by hashes of their values at the first FILTER points,
 * then at more, then at all points. The search orders the points so that the first ones distinguish the
 * wanted functions as well as possible. */
enum { LEVELS = 3, ORDERED = 96 };
static const unsigned level_points[LEVELS] = {FILTER, 24, ORDERED};

/* A hash table of the keys of the wanted functions at one level. left: 1 + the number of functions with this
 * key that have not been found yet; 0 for a free slot. */
struct keys {
    uint64_t *key;
    uint32_t *left;
    size_t mask;
};

/* For a wanted row whose key is unique: points at which earlier candidates with the same key differed from
 * the row, and the row's values there. Most wrong candidates differ at one of them. */
enum { WITNESSES = 12 };
struct witness {
    uint32_t row;
    uint16_t n, point[WITNESSES];
    double value[WITNESSES];
};

struct second {
    struct search *s;
    const struct args *a; /* `at` has the same columns in the search's order of points */
    struct column *at;
    uint16_t order[MOST_POINTS];
    struct prints wanted; /* fingerprints of the wanted functions under all symmetries */
    uint32_t *which;      /* for each fingerprint: function * nsymmetries + symmetry */
    struct keys level[LEVELS];
    bool constant_left[2];   /* whether a function not found yet is constantly 0, 1 at all ordered points */
    struct witness *witness; /* for each slot of the last level */
    uint64_t *filter;        /* bit set of the keys of functions not found yet, at the first level */
    unsigned filter_shift;
    struct program *found;
    size_t left;
    const struct chain *chains;
    const struct inst *first;
    struct column v[MAPS];
    unsigned long long tried, passed;
};

static const double weight[FILTER] = {0.5772156649015329, 0.9159655941772190, 0.2614972128476428,
                                      0.6434105462883380, 0.7390851332151607, 0.4142135623730950,
                                      0.3036630028987327, 0.8346268416740732};

static inline uint64_t first_key(const double *v)
{
    double even = 0, odd = 0;
    for (unsigned i = 0; i < FILTER; i += 2)
        even += v[i] * weight[i], odd += v[i + 1] * weight[i + 1];
    double sum = even + odd + 1;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits * 0x9fb21c651e98df25u;
}

uint64_t next_key(uint64_t key, const double *v, unsigned n);
size_t slot_of(const struct keys *k, uint64_t key);
bool wants(const struct keys *k, uint64_t key);
void fill_filter(struct second *t);
/* A row is the list of a wanted function's values under one symmetry. Adds `change` to the counts of the
 * row's keys at all levels; returns its slot in the last level. */
size_t want_row(struct second *t, const double *row, int change);
/* Makes the row of symmetry g from a function's values, in the search's order of points. */
void make_row(double *row, const struct second *t, const double *value, unsigned g);
/* Orders the points so that the first ones distinguish the n wanted functions as well as possible. */
void find_order(struct second *t, size_t n);

#endif
