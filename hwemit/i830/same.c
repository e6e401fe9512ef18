/* Whether two values are equal everywhere, though no algebra makes them one: shown by cases of what their clamps do, and by boxes.
 *
 * sat(A) > sat(B) means A > B, A > 0 and B < 1. Where that is so it is so in a ball. Clamps are taken in order of evaluation; in a smaller ball each is below, above
 * or between its ends, what is behind it a polynomial there, and it a number or that polynomial. For each choice of these cases polynomials say what has to be
 * positive, or 0 or more without being 0 everywhere: all are positive somewhere in the ball. So it is enough that in each of the boxes that make up the cube some
 * sum of these, times positive numbers, is 0 or less by its Bernstein coefficients. Then A > B nowhere; and the same for B > A. */
#include "hwemit/i830/cover.h"
#include "hwemit/i830/wide.h"

#include <string.h>

enum { CLAMPS = 20, LEAVES = 12, POINTS = 16, LIST = 6 * CLAMPS, TRIALS = 600, DEPTH = 40, BOXES = 20000, WORK = 200000000 };
enum state { OPEN, NUMBER, BETWEEN };

struct proof {
    unsigned nleaves, nclamps; /* the last two clamps: the values that are to be equal */
    unsigned boxes;
    uint64_t work;
    bool differs;
    uint32_t seed;
    uint8_t variable[I830_ATOMS];
    uint8_t state[CLAMPS], needed[CLAMPS], nrules[CLAMPS];
    struct i830_wide raw[CLAMPS];     /* behind the clamp */
    struct i830_wide form[CLAMPS];    /* the same, with the numbers that clamps before it are */
    struct i830_wide whole[CLAMPS];   /* and with what those between their ends are: of leaves alone, if all are decided */
    struct i830_wide rule[CLAMPS][4]; /* positive, by what is assumed of the clamp */
    struct i830_wide claim[6];        /* positive, by one of the two being larger */
    unsigned nclaims;
    struct i830_wide scratch[4];
    double dense[2][I830_DENSE];
    const struct i830_wide *list[LIST];
    double point[POINTS][I830_WIDE_VARS], at[LIST][POINTS];
};

static const struct i830_box unit_box = {{0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

static double next(struct proof *w)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return (double)(w->seed >> 8) / (1 << 24);
}

static double sat(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* Whether the two differ at a point; x has its leaves, and gets its clamps. */
static bool differ_at(struct proof *w, double *x)
{
    for (unsigned k = 0; k < w->nclamps; k++)
        x[w->nleaves + k] = sat(hwemit_i830_wide_at(&w->raw[k], x));
    const double *const end = x + w->nleaves + w->nclamps, off = end[-1] - end[-2];
    w->differs |= off > 1e-6 || off < -1e-6;
    return w->differs;
}

/* ---- what is assumed cannot be in a box ---- */

/* What clamps can be in the box, from what is behind them. False if one that is between its ends cannot be. */
static bool narrow(struct proof *w, struct i830_box *box)
{
    for (unsigned k = 0; k + 2 < w->nclamps; k++) {
        double *const lo = &box->lo[w->nleaves + k], *const hi = &box->hi[w->nleaves + k];
        *lo = 0, *hi = 1;
        if (w->state[k] == NUMBER || !w->needed[k])
            continue;
        for (unsigned i = 0; i < (w->state[k] == BETWEEN ? 2 : 1); i++) {
            double low, high;
            if (!hwemit_i830_wide_range(i ? &w->whole[k] : &w->form[k], box, w->dense[0], &low, &high))
                continue;
            w->work += 200;
            if (w->state[k] == BETWEEN && (low > 1 + 1e-9 || high < -1e-9))
                return false;
            low = (double)(int)(sat(low - 1e-9) * 32) / 32; /* few binary places, outwards */
            high = 1 - (double)(int)(sat(1 - high - 1e-9) * 32) / 32;
            *lo = low > *lo ? low : *lo;
            *hi = high < *hi ? high : *hi;
        }
        if (*lo > *hi)
            return false;
    }
    return true;
}

static bool never_positive(struct proof *w, const struct i830_wide *p, const struct i830_box *box)
{
    struct i830_shape s;
    if (p->bad || !hwemit_i830_shape(&s, &p, 1) || !hwemit_i830_dense(&s, p, box, w->dense[0]))
        return false;
    w->work += s.size * (s.n + 1);
    for (unsigned i = 0; i < s.size; i++)
        if (w->dense[0][i] > 0)
            return false;
    return true;
}

static const uint8_t factors[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 4}, {4, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}, {1, 8}, {8, 1}, {3, 4}, {4, 3}};

enum { FACTORS = sizeof factors / sizeof factors[0] };

/* x*p + y*m*q <= 0 for some of the factors x and y, with m 1 (times -1), or a variable (2v), or what it lacks of 1 (2v+1). */
static bool cancel(struct proof *w, unsigned a, unsigned b, int times, const struct i830_box *box)
{
    unsigned may = (1u << FACTORS) - 1;
    for (unsigned i = 0; i < POINTS && may; i++) {
        const double x = times < 0 ? 1 : times % 2 ? 1 - w->point[i][times / 2] : w->point[i][times / 2];
        for (unsigned f = 0; f < FACTORS; f++)
            if (factors[f][0] * w->at[a][i] + factors[f][1] * x * w->at[b][i] > 1e-9)
                may &= ~(1u << f);
    }
    struct i830_shape s;
    const struct i830_wide *pair[2] = {w->list[a], w->list[b]};
    if (!may)
        return false;
    if (times >= 0) {
        struct i830_wide *const m = &w->scratch[0], *const product = &w->scratch[1];
        hwemit_i830_wide_variable(m, (unsigned)times / 2);
        if (times % 2)
            hwemit_i830_wide_affine(m, -1, m, 1);
        hwemit_i830_wide_constant(product, 0);
        hwemit_i830_wide_add_product(product, 1, m, pair[1]);
        pair[1] = product;
    }
    if (!hwemit_i830_shape(&s, pair, 2))
        return false;
    w->work += 2 * s.size * (s.n + 1);
    if (!hwemit_i830_dense(&s, pair[0], box, w->dense[0]) || !hwemit_i830_dense(&s, pair[1], box, w->dense[1]))
        return false;
    for (unsigned f = 0; f < FACTORS; f++) {
        bool all = may >> f & 1;
        for (unsigned i = 0; i < s.size && all; i++)
            all = factors[f][0] * w->dense[0][i] + factors[f][1] * w->dense[1][i] <= 0;
        if (all)
            return true;
    }
    return false;
}

/* All that is assumed; those of clamp `last` and on come first. */
static unsigned all_rules(struct proof *w, unsigned nclaims)
{
    unsigned n = 0;
    for (unsigned i = 0; i < nclaims; i++)
        w->list[n++] = &w->claim[i];
    for (unsigned k = w->nclamps - 2; k-- > 0;)
        for (unsigned i = 0; i < w->nrules[k]; i++)
            w->list[n++] = &w->rule[k][i];
    return n;
}

/* Whether what is assumed cannot be in the box; nnew: of the first of the list something has to take part. */
static bool impossible(struct proof *w, struct i830_box *box, unsigned n, unsigned nnew)
{
    const unsigned nvars = w->nleaves + w->nclamps - 2;
    if (!narrow(w, box))
        return true;
    for (unsigned i = 0; i < n; i++)
        if (never_positive(w, w->list[i], box))
            return true;
    for (unsigned k = 0; k < POINTS; k++) {
        double *const x = w->point[k];
        for (unsigned v = 0; v < nvars; v++) {
            const double u = next(w), r = k % 2 ? u : u < 0.3 ? 0 : u > 0.7 ? 1 : 0.5;
            x[v] = box->lo[v] + r * (box->hi[v] - box->lo[v]);
        }
        for (unsigned i = 0; i < n; i++)
            w->at[i][k] = hwemit_i830_wide_at(w->list[i], x);
    }
    w->work += n * 300;
    for (unsigned i = 0; i < nnew; i++)
        for (unsigned j = i + 1; j < n; j++)
            if (cancel(w, i, j, -1, box))
                return true;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            for (unsigned times = 0; times < 2 * nvars && (i < nnew || j < nnew); times++)
                if (i != j && hwemit_i830_wide_degree(w->list[i], times / 2) > 0 && cancel(w, i, j, (int)times, box))
                    return true;
    return false;
}

static bool over(const struct proof *w) { return w->differs || w->boxes > BOXES || w->work > WORK; }

/* The leaf that what is assumed changes most with, in the box. */
static unsigned splitter(const struct proof *w, const struct i830_box *box, unsigned n)
{
    double most = 0;
    unsigned best = 0;
    for (unsigned v = 0; v < w->nleaves; v++) {
        double sum = 0;
        for (unsigned i = 0; i < n; i++) {
            double all = 0, with = 0;
            for (unsigned t = 0; t < w->list[i]->n; t++) {
                const double c = w->list[i]->t[t].c, size = c < 0 ? -c : c;
                all += size;
                if (w->list[i]->t[t].m.e[v / 16] >> 4 * (v % 16) & 15)
                    with += size;
            }
            sum += all > 0 ? with / all : 0;
        }
        sum *= box->hi[v] - box->lo[v];
        if (sum > most)
            most = sum, best = v;
    }
    return best;
}

static bool in_boxes(struct proof *w, const struct i830_box *whole, unsigned n, unsigned depth)
{
    struct i830_box box = *whole;
    double x[I830_WIDE_VARS];
    w->boxes++;
    for (unsigned v = 0; v < w->nleaves; v++)
        x[v] = box.lo[v] + next(w) * (box.hi[v] - box.lo[v]);
    if (differ_at(w, x) || over(w))
        return false;
    if (impossible(w, &box, n, n))
        return true;
    if (depth == 0)
        return false;
    const unsigned v = splitter(w, &box, n);
    const double middle = (box.lo[v] + box.hi[v]) / 2, high = box.hi[v];
    box.hi[v] = middle;
    if (!in_boxes(w, &box, n, depth - 1))
        return false;
    box.lo[v] = middle, box.hi[v] = high;
    return in_boxes(w, &box, n, depth - 1);
}

/* ---- cases ---- */

/* What is behind the clamps from k on, as the decided ones are. */
static void forms(struct proof *w, unsigned first)
{
    const unsigned n = w->nclamps;
    for (unsigned k = first; k < n; k++) {
        w->state[k] = OPEN;
        w->nrules[k] = 0;
        w->form[k] = w->raw[k];
        for (unsigned j = 0; j < first; j++)
            if (w->state[j] == NUMBER)
                hwemit_i830_wide_put(&w->form[k], w->nleaves + j, &w->whole[j], w->scratch);
    }
    for (unsigned k = n; k-- > first;) {
        w->needed[k] = k + 2 >= n;
        for (unsigned j = k + 1; j < n && !w->needed[k]; j++)
            w->needed[k] = w->needed[j] && hwemit_i830_wide_degree(&w->form[j], w->nleaves + k) > 0;
    }
}

static void make_whole(struct proof *w, unsigned k)
{
    w->whole[k] = w->form[k];
    for (unsigned j = k; j-- > 0;)
        if (w->state[j] == BETWEEN)
            hwemit_i830_wide_put(&w->whole[k], w->nleaves + j, &w->whole[j], w->scratch);
}

/* Adds x*p + y to what is positive, if it is not bad, always so, or there already. */
static void assume(struct proof *w, unsigned below, struct i830_wide *list, unsigned *n, double x, const struct i830_wide *p, double y)
{
    struct i830_wide *const g = &list[*n];
    hwemit_i830_wide_affine(g, x, p, y);
    hwemit_i830_wide_strip(g, w->scratch); /* variables and what they lack of 1 are positive somewhere in each ball */
    for (unsigned k = 0; k < below; k++)
        for (unsigned i = 0; i < w->nrules[k]; i++)
            while (w->rule[k][i].n > 1 && g->n > 1 && hwemit_i830_wide_divide(&w->scratch[0], g, &w->rule[k][i], &w->scratch[1]))
                *g = w->scratch[0];
    bool has = g->bad;
    for (unsigned i = 0; i < *n; i++)
        has |= hwemit_i830_wide_equal(g, &list[i]);
    *n += !has;
}

/* Whether the two are equal by what is assumed so far; boxes: looking at as many boxes as it takes. */
static bool settled(struct proof *w, bool boxes)
{
    const unsigned a = w->nclamps - 2, b = a + 1;
    make_whole(w, a);
    make_whole(w, b);
    if (hwemit_i830_wide_equal(&w->form[a], &w->form[b]) || hwemit_i830_wide_equal(&w->whole[a], &w->whole[b]))
        return true;
    for (unsigned side = 0; side < 2; side++) {
        struct i830_box box = unit_box;
        unsigned nclaims = 0;
        for (unsigned i = 0; i < 2; i++) {
            const struct i830_wide *const p = i ? w->whole : w->form, *const more = &p[side ? b : a], *const less = &p[side ? a : b];
            hwemit_i830_wide_sum(&w->scratch[3], 1, more, -1, less);
            assume(w, a, w->claim, &nclaims, 1, &w->scratch[3], 0);
            assume(w, a, w->claim, &nclaims, 1, more, 0);
            assume(w, a, w->claim, &nclaims, -1, less, 1);
        }
        const unsigned n = all_rules(w, nclaims);
        if (boxes ? !in_boxes(w, &box, n, DEPTH) : !impossible(w, &box, n, nclaims))
            return false;
    }
    return true;
}

/* Whether the two are equal in all cases of the clamps from k on. */
static bool in_cases(struct proof *w, unsigned k)
{
    double number;
    if (over(w))
        return false;
    forms(w, k);
    if (settled(w, false))
        return true;
    while (k + 2 < w->nclamps && !w->needed[k])
        k++;
    if (k + 2 == w->nclamps)
        return settled(w, true);
    make_whole(w, k);
    if (w->whole[k].bad)
        return false;
    if (hwemit_i830_wide_is_constant(&w->whole[k], &number)) {
        w->state[k] = NUMBER;
        hwemit_i830_wide_constant(&w->whole[k], sat(number));
        return in_cases(w, k + 1);
    }
    for (int end = -1; end <= 1; end++) {
        struct i830_box box = unit_box;
        unsigned n = 0;
        forms(w, k); /* the case before has left its own */
        make_whole(w, k);
        for (unsigned i = 0; i < 2; i++) {
            const struct i830_wide *const p = i ? &w->whole[k] : &w->form[k];
            if (end <= 0)
                assume(w, k, w->rule[k], &n, end < 0 ? -1 : 1, p, 0);
            if (end >= 0)
                assume(w, k, w->rule[k], &n, end > 0 ? 1 : -1, p, end > 0 ? -1 : 1);
        }
        w->nrules[k] = (uint8_t)n;
        w->state[k] = end == 0 ? BETWEEN : NUMBER;
        if (impossible(w, &box, all_rules(w, 0), n))
            continue;
        if (end != 0)
            hwemit_i830_wide_constant(&w->whole[k], end > 0);
        if (!in_cases(w, k + 1))
            return false;
    }
    return true;
}

/* ---- the two as polynomials of leaves and clamps ---- */

/* False if there are too many of something. */
static bool enter(struct proof *w, const struct i830_cover *c, const struct i830_poly *const two[2])
{
    bool reads[I830_ATOMS] = {false};
    const struct i830_poly *behind[CLAMPS];
    for (unsigned i = 0; i < 2; i++)
        for (unsigned t = 0; t < two[i]->n; t++)
            for (i830_mono m = two[i]->m[t]; m; m <<= 8)
                reads[m >> 56] = true;
    for (unsigned a = c->natoms; a-- > 1;) /* a clamped value reads atoms that are older */
        if (reads[a] && c->atom[a].kind == I830_VALUE) {
            const struct i830_poly *p = &c->value[c->atom[a].value[0]].p;
            for (unsigned t = 0; t < p->n; t++)
                for (i830_mono m = p->m[t]; m; m <<= 8) {
                    if (m >> 56 >= a)
                        return false;
                    reads[m >> 56] = true;
                }
        }
    w->nleaves = w->nclamps = 0;
    for (unsigned a = 1; a < c->natoms; a++)
        if (reads[a] && c->atom[a].kind != I830_VALUE) {
            if (w->nleaves == LEAVES)
                return false;
            w->variable[a] = (uint8_t)w->nleaves++;
        }
    for (unsigned a = 1; a < c->natoms; a++)
        if (reads[a] && c->atom[a].kind == I830_VALUE) {
            if (w->nclamps + 2 == CLAMPS)
                return false;
            w->variable[a] = (uint8_t)(w->nleaves + w->nclamps);
            behind[w->nclamps++] = &c->value[c->atom[a].value[0]].p;
        }
    behind[w->nclamps++] = two[0];
    behind[w->nclamps++] = two[1];
    for (unsigned k = 0; k < w->nclamps; k++) {
        struct i830_wide *const raw = &w->raw[k], *const term = &w->scratch[0], *const factor = &w->scratch[1], *const product = &w->scratch[2];
        hwemit_i830_wide_constant(raw, 0);
        for (unsigned t = 0; t < behind[k]->n; t++) {
            hwemit_i830_wide_constant(term, (double)behind[k]->c[t]);
            for (i830_mono m = behind[k]->m[t]; m; m <<= 8) {
                const int reach = c->reach[m >> 56]; /* of numbers in [-reach, reach] those in [0,1] that they are made of */
                hwemit_i830_wide_variable(factor, w->variable[m >> 56]);
                if (reach)
                    hwemit_i830_wide_affine(factor, 2 * reach, factor, -reach);
                hwemit_i830_wide_constant(product, 0);
                hwemit_i830_wide_add_product(product, 1, term, factor);
                *term = *product;
            }
            hwemit_i830_wide_constant(factor, 1);
            hwemit_i830_wide_add_product(raw, 1, term, factor);
        }
        if (raw->bad)
            return false;
    }
    return true;
}

bool hwemit_i830_proves(const struct i830_cover *c, unsigned value, const struct i830_poly *p, void *memory, size_t size)
{
    const size_t off = (size_t)(-(uintptr_t)memory & 15);
    struct proof *const w = (struct proof *)((char *)memory + off);
    const struct i830_poly *const two[2] = {&c->value[value].p, p};
    if (size < sizeof *w + 16 || p->bad || !enter(w, c, two))
        return false;
    w->boxes = 0, w->work = 0, w->differs = false, w->seed = 1;
    for (unsigned i = 0; i < TRIALS; i++) {
        double x[I830_WIDE_VARS];
        for (unsigned v = 0; v < w->nleaves; v++) {
            const double u = next(w), r = next(w);
            x[v] = r < 0.2 ? 0 : r > 0.8 ? 1 : u;
        }
        if (differ_at(w, x))
            return false;
    }
    return in_cases(w, 0);
}
