/* The search for programs of two instructions: tries every second instruction on each first one. */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the values of an argument: an index of t->at, or EARLIER + map for the first instruction's result.
 */
static const double *column_of(const struct second *t, unsigned arg)
{
    return arg >= EARLIER ? t->v[arg - EARLIER].v : t->at[arg].v;
}

/* Evaluates a candidate at the points from `from` up to but not including `to`; returns false if a value
 * before scaling is outside of [-8,8]. */
static bool candidate_values(double *restrict v, unsigned op, const double *const *arg, double scale,
                             unsigned from, unsigned to)
{
    const double *a = arg[0], *b = arg[1], *c = arg[2];
    double least = 0, most = 0;
    if (op == OP_MAD)
        for (unsigned i = from; i < to; i++)
            v[i] = a[i] * b[i] + c[i];
    else
        for (unsigned i = from; i < to; i++)
            v[i] = a[i] * b[i] + (1 - a[i]) * c[i];
    for (unsigned i = from; i < to; i++) {
        double x = v[i], y = x * scale;
        least = x < least ? x : least;
        most = x > most ? x : most;
        y = y > 0 ? y : 0;
        v[i] = y < 1 ? y : 1;
    }
    return least >= -8 && most <= 8;
}

static void add_witness(struct second *t, struct witness *w, uint32_t left, const double *v)
{
    double value[MOST_POINTS], row[MOST_POINTS];
    if (left != 2 || w->n == WITNESSES || t->found[w->row / t->s->p->nsymmetries].n)
        return;
    chain_value(value, &t->chains[w->row / t->s->p->nsymmetries], t->s->p, AS_IT_IS);
    make_row(row, t, value, w->row % t->s->p->nsymmetries);
    for (unsigned i = level_points[LEVELS - 1]; i < t->s->p->n; i++)
        if (row[i] != v[i]) {
            w->point[w->n] = (uint16_t)i;
            w->value[w->n++] = row[i];
            return;
        }
}

static void hit(struct second *t, unsigned op, unsigned x, unsigned y, unsigned z, unsigned k, uint64_t key)
{
    const double *const arg[3] = {column_of(t, x), column_of(t, y), column_of(t, z)};
    const struct points *p = t->s->p;
    double v[MOST_POINTS], value[MOST_POINTS], row[MOST_POINTS];
    if (!wants(&t->level[0], key) || !candidate_values(v, op, arg, powers[k], 0, FILTER))
        return;
    for (unsigned l = 1; l < LEVELS; l++) {
        unsigned from = level_points[l - 1], to = level_points[l];
        if (!candidate_values(v, op, arg, powers[k], from, to))
            return;
        key = next_key(key, v + from, to - from);
        if (!wants(&t->level[l], key))
            return;
    }
    struct witness *witness = &t->witness[slot_of(&t->level[LEVELS - 1], key)];
    for (unsigned i = 0; i < witness->n; i++) {
        candidate_values(v, op, arg, powers[k], witness->point[i], witness->point[i] + 1u);
        if (v[witness->point[i]] != witness->value[i])
            return;
    }
    t->passed++;
    if (!candidate_values(v, op, arg, powers[k], level_points[LEVELS - 1], p->n))
        return;
    int64_t at = prints_find(&t->wanted, points_print(p, v, NULL), NULL);
    if (at < 0) {
        add_witness(t, witness, t->level[LEVELS - 1].left[witness - t->witness], v);
        return;
    }
    size_t which = t->which[at] / p->nsymmetries;
    if (t->found[which].n)
        return;
    struct inst second = {.op = (uint8_t)op, .scale = (int8_t)exponents[k], .sat = 1};
    unsigned number[3] = {x, y, z};
    for (unsigned i = 0; i < 3; i++)
        second.arg[i] = number[i] >= EARLIER ? (uint8_t)number[i] : t->a->code[number[i]];
    t->found[which] = (struct program){2, {*t->first, second}};
    chain_value(value, &t->chains[which], p, AS_IT_IS);
    program_fit(&t->found[which], p, value);
    t->left--;
    for (unsigned g = 0; g < p->nsymmetries; g++) {
        make_row(row, t, value, g);
        at = prints_find(&t->wanted, points_print(p, row, NULL), NULL);
        if (t->which[at] == which * p->nsymmetries + g)
            want_row(t, row, -1);
    }
}

/* Returns whether a candidate can be rejected because its clamped result is 0 (1 if `one`) at all ordered
 * points, while no function that is still to be found is constant there. This holds for most candidates. */
static bool idle(struct second *t, unsigned op, unsigned x, unsigned y, unsigned z, bool one)
{
    if (t->constant_left[one])
        return false;
    const double *a = column_of(t, x), *b = column_of(t, y), *c = column_of(t, z);
    for (unsigned i = FILTER; i < ORDERED && i < t->s->p->n; i++) {
        double v = operate(op, a[i], b[i], c[i]);
        if (one ? v < 1 : v > 0)
            return false;
    }
    return true;
}

static inline void try_all_scales(struct second *t, unsigned op, unsigned x, unsigned y, unsigned z)
{
    const double *a = column_of(t, x), *b = column_of(t, y), *c = column_of(t, z);
    double raw[FILTER];
    if (op == OP_MAD)
        for (unsigned i = 0; i < FILTER; i++)
            raw[i] = a[i] * b[i] + c[i];
    else
        for (unsigned i = 0; i < FILTER; i++)
            raw[i] = a[i] * b[i] + (1 - a[i]) * c[i];
    double least = raw[0], most = raw[0];
    for (unsigned i = 1; i < FILTER; i++) {
        least = raw[i] < least ? raw[i] : least;
        most = raw[i] > most ? raw[i] : most;
    }
    t->tried += SCALES;
    if (most <= 0 && idle(t, op, x, y, z, false))
        return;
    for (unsigned k = least >= 1 && idle(t, op, x, y, z, true) ? RISING : 0; k < SCALES; k++) {
        double v[FILTER];
        for (unsigned i = 0; i < FILTER; i++) {
            double y0 = raw[i] * powers[k];
            y0 = y0 > 0 ? y0 : 0;
            v[i] = y0 < 1 ? y0 : 1;
        }
        uint64_t key = first_key(v), at = key >> t->filter_shift;
        if (t->filter[at / 64] >> (at % 64) & 1)
            hit(t, op, x, y, z, k, key);
    }
}

static void try_seconds(struct second *t)
{
    const struct args *a = t->a;
    const struct points *p = t->s->p;
    unsigned n = a->n, zero = 0;
    for (unsigned x = 0; x < n; x++)
        if (a->code[x] == ARG_LITERAL)
            zero = x;
    /* MAD with the first result v as a factor */
    for (unsigned m = 0; m < MAPS; m++) {
        if (maps[m].m < 0)
            continue;
        for (unsigned y = 0; y < n; y++) {
            if (y == zero)
                continue;
            for (unsigned z = 0; z < n; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, y, z);
            for (unsigned z = 0; z < MAPS; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, y, EARLIER + z);
        }
        for (unsigned m2 = 0; m2 < MAPS; m2++) {
            if (maps[m2].m > 0 && m2 < m)
                continue;
            for (unsigned z = 0; z < n; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, EARLIER + m2, z);
            for (unsigned z = 0; z < MAPS; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, EARLIER + m2, EARLIER + z);
        }
    }
    /* MAD with v only as the addend */
    for (unsigned x = 0; x < n; x++)
        for (unsigned y = 0; y < n; y++) {
            if (!a->positive[x] || (a->positive[y] && y < x) || x == zero || y == zero)
                continue;
            for (unsigned z = 0; z < MAPS; z++)
                try_all_scales(t, OP_MAD, x, y, EARLIER + z);
        }
    /* LERP with v as the factor, then with another factor and v as an operand */
    for (unsigned m = 0; m < MAPS; m++) {
        if (!in_unit(p, t->v[m].v) || m == 1) /* factor 1-v: the same as v with the operands exchanged */
            continue;
        for (unsigned y = 0; y < n + MAPS; y++)
            for (unsigned z = 0; z < n + MAPS; z++)
                try_all_scales(t, OP_LERP, EARLIER + m, y < n ? y : EARLIER + y - n,
                               z < n ? z : EARLIER + z - n);
    }
    for (unsigned x = 0; x < n; x++) {
        if (!a->factor[x])
            continue;
        for (unsigned y = 0; y < MAPS; y++)
            for (unsigned z = 0; z < n + MAPS; z++)
                try_all_scales(t, OP_LERP, x, EARLIER + y, z < n ? z : EARLIER + z - n);
    }
}

void search_two(struct search *s, size_t n, const struct chain *wanted, struct program *found)
{
    const struct points *p = s->p;
    struct args a;
    struct firsts f;
    find_args(&a, p);
    find_firsts(&f, &a, p);

    struct second *t = calloc(1, sizeof *t);
    t->s = s, t->a = &a, t->found = found, t->chains = wanted, t->left = n;
    find_order(t, n);
    t->at = malloc(a.n * sizeof *t->at);
    for (unsigned x = 0; x < a.n; x++)
        for (unsigned k = 0; k < p->n; k++)
            t->at[x].v[k] = a.at[x].v[t->order[k]];
    size_t slots = 1u << 12, bits = 1u << 19;
    while (slots < 2 * n * p->nsymmetries)
        slots *= 2;
    while (bits < 16 * n * p->nsymmetries)
        bits *= 2;
    for (t->filter_shift = 64; (size_t)1 << (64 - t->filter_shift) < bits; t->filter_shift--)
        ;
    t->filter = malloc(bits / 8);
    for (unsigned l = 0; l < LEVELS; l++)
        t->level[l] = (struct keys){calloc(slots, sizeof(uint64_t)), calloc(slots, sizeof(uint32_t)),
                                    slots - 1};
    t->witness = calloc(slots, sizeof *t->witness);
    t->which = malloc(n * p->nsymmetries * sizeof *t->which);
    prints_init(&t->wanted);
    for (size_t i = 0; i < n; i++) {
        double value[MOST_POINTS], row[MOST_POINTS];
        found[i].n = 0;
        chain_value(value, &wanted[i], p, AS_IT_IS);
        for (unsigned g = 0; g < p->nsymmetries; g++) {
            bool fresh;
            make_row(row, t, value, g);
            int64_t at = prints_find(&t->wanted, points_print(p, row, NULL), &fresh);
            if (!fresh)
                continue;
            t->which[at] = (uint32_t)(i * p->nsymmetries + g);
            t->witness[want_row(t, row, 1)].row = t->which[at];
        }
    }
    for (size_t i = 0; i < f.n && t->left; i++) {
        if (i % 64 == 0)
            fill_filter(t);
        t->first = &f.inst[i];
        for (unsigned m = 0; m < MAPS; m++)
            for (unsigned k = 0; k < p->n; k++)
                t->v[m].v[k] = maps[m].m * f.at[i].v[t->order[k]] + maps[m].t;
        try_seconds(t);
    }
    printf("  search: %zu first instructions, %llu programs, %llu compared at all points\n", f.n, t->tried,
           t->passed);
    prints_free(&t->wanted);
    for (unsigned l = 0; l < LEVELS; l++)
        free(t->level[l].key), free(t->level[l].left);
    free(t->which), free(t->witness), free(t->filter), free(t->at), free(t);
    prints_free(&f.seen);
    free(f.inst), free(f.at);
    free(a.at);
}
