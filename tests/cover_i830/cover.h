/* The search for covers in blend stages of the i830 (search.c): what its files share. */
#ifndef COVER_H
#define COVER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POINTS = 128, SAMPLES = 3 * POINTS, LEAVES = 96, STAGES = 8, KEYS = 6 };
#define EPS 1e-9

/* Input of a stage that is not unknown. mask: the inputs of the texture environment that it reads; avail: first stage that may read it. */
struct leaf {
    char name[80];
    uint32_t mask;
    int avail;
    double v[SAMPLES];
};
/* What a clamped value may be: one of two intervals, the second often empty (lo > hi). */
struct goal { double lo[2][SAMPLES], hi[2][SAMPLES]; };

/* A stage of leaves alone. */
enum { L_ARG, L_MUL, L_ADD, L_ADDS, L_SUB, L_BLEND, L_MAA, LOPS };
struct entry {
    uint8_t op, k, s, x, y, z, avail; /* k: 1 << k times the product of MODULATE_AND_ADD; s: scale 1 << s */
    uint32_t mask;
    double key[KEYS]; /* its values at the samples of table.at */
};
struct table {
    struct entry *entry;
    uint32_t n, *order[KEYS]; /* by key */
    int at[KEYS];           /* in colour, the channels of the first two points */
};
/* One pipe; samples: 3 a point in colour, 1 in alpha. */
struct pipe {
    bool alpha;
    int samples, nleaf;
    struct leaf leaf[LEAVES + 4]; /* the last ones: a second live value and its complement */
    uint32_t essential;           /* inputs that the target depends on */
    int widest[STAGES + 1];       /* most inputs that a leaf of a stage brings */
    double target[SAMPLES];
    struct table table;           /* all values of one stage */
};
extern int points;
extern bool full;

static inline double clamp(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}
static inline double leaf_value(int op, int k, double x, double y, double z)
{
    switch (op) {
    case L_ARG: return x;
    case L_MUL: return x * y;
    case L_ADD: return x + y;
    case L_ADDS: return x + y - .5;
    case L_SUB: return x - y;
    case L_BLEND: return x * y + (1 - x) * z;
    default: return (1 << k) * x * y + z;
    }
}
static inline int bits(uint32_t x)
{
    return __builtin_popcount(x);
}

/* goal.c: a*p*p + b*p + c within [lo,hi], as intervals of p in [0,1] */
struct pieces { int n; double lo[4], hi[4]; };
void add_piece(struct pieces *out, double lo, double hi);
void inverse(double a, double b, double c, double lo, double hi, struct pieces *out);
bool settle(struct pieces *p, struct goal *g, int i);
bool unclamp(const struct goal *g, int which, int i, double scale, double *lo, double *hi);
static inline bool allowed(const struct goal *g, int i, double v)
{
    return (v >= g->lo[0][i] - EPS && v <= g->hi[0][i] + EPS) || (v >= g->lo[1][i] - EPS && v <= g->hi[1][i] + EPS);
}

/* first.c */
void make_table(struct pipe *p);
/* The next entry from *at on whose values are within the goal, NULL if there is none; begin with *at = 0. */
struct cursor { int which, piece; uint32_t at, end; bool started; };
const struct entry *next_entry(const struct pipe *p, const struct goal *g, struct cursor *c, int stage, uint32_t missing);
void entry_values(const struct pipe *p, const struct entry *e, int samples, int per, double *v);
int entry_text(char *out, size_t room, const struct leaf *leaf, const struct entry *e);
/* Whether any entry agrees with the goal at the table's samples; of other samples the goal need not be known. */
bool some_entry(const struct pipe *p, const struct goal *g, int stage, uint32_t missing);
bool entry_within(const struct pipe *p, const struct goal *g, const struct entry *e);

#endif
