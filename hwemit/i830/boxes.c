/* Whether what a case assumes cannot be in a box: no point has all of it positive (same.c). */
#include "hwemit/i830/same.h"

enum { BOXES = 20000, WORK = 200000000 };

const struct i830_box hwemit_i830_unit_box = {{0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

double hwemit_i830_guess(struct i830_proof *w)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return (double)(w->seed >> 8) / (1 << 24);
}

static double sat(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

bool hwemit_i830_differ_at(struct i830_proof *w, double *x)
{
    for (unsigned k = 0; k < w->nclamps; k++)
        x[w->nleaves + k] = sat(hwemit_i830_wide_at(&w->raw[k], x));
    const double *const end = x + w->nleaves + w->nclamps, off = end[-1] - end[-2];
    w->differs |= off > 1e-6 || off < -1e-6;
    return w->differs;
}

/* What clamps can be in the box, from what is behind them. False if one that is between its ends cannot be. */
static bool narrow(struct i830_proof *w, struct i830_box *box)
{
    for (unsigned k = 0; k + 2 < w->nclamps; k++) {
        double *const lo = &box->lo[w->nleaves + k], *const hi = &box->hi[w->nleaves + k];
        *lo = 0, *hi = 1;
        if (w->state[k] == I830_NUMBER || !w->needed[k])
            continue;
        for (unsigned i = 0; i < (w->state[k] == I830_BETWEEN ? 2 : 1); i++) {
            double low, high;
            if (!hwemit_i830_wide_range(i ? &w->whole[k] : &w->form[k], box, w->dense[0], &low, &high))
                continue;
            w->work += 200;
            if (w->state[k] == I830_BETWEEN && (low > 1 + 1e-9 || high < -1e-9))
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

static bool never_positive(struct i830_proof *w, const struct i830_wide *p, const struct i830_box *box)
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

/* What is 0 or more at a point: 1 (times -1), a variable (2v), what it lacks of 1 (2v+1), or what is assumed (from 2*I830_WIDE_VARS on). */
static double multiplier_at(const struct i830_proof *w, int times, unsigned point)
{
    return times < 0 ? 1 : times >= 2 * I830_WIDE_VARS ? w->at[times - 2 * I830_WIDE_VARS][point] : times % 2 ? 1 - w->point[point][times / 2] : w->point[point][times / 2];
}

/* What y has to be in p + y*m*q <= 0, as far as the points tell; m: such a multiplier. */
static bool may_cancel(struct i830_proof *w, unsigned a, unsigned b, int times, double range[2])
{
    double low = 0, high = 100;
    w->work += 4;
    for (unsigned i = 0; i < I830_GUESSES; i++) {
        const double x = w->at[a][i], y = multiplier_at(w, times, i) * w->at[b][i];
        if (y > 1e-9) {
            if (-x < high * y)
                high = -x / y;
        } else if (y < -1e-9) {
            if (x > -y * low)
                low = x / -y;
        } else if (x > 1e-9) {
            return false;
        }
        if (low > high + 1e-9)
            return false;
    }
    range[0] = low > 1e-9 ? low - 1e-9 : 0, range[1] = high + 1e-9;
    return true;
}

/* m*q for such a multiplier. */
static const struct i830_wide *multiplied(struct i830_proof *w, const struct i830_wide *q, int times)
{
    struct i830_wide *const m = &w->scratch[0], *const product = &w->scratch[1];
    if (times < 0)
        return q;
    if (times >= 2 * I830_WIDE_VARS)
        *m = *w->list[times - 2 * I830_WIDE_VARS];
    else
        hwemit_i830_wide_variable(m, (unsigned)times / 2);
    if (times < 2 * I830_WIDE_VARS && times % 2)
        hwemit_i830_wide_affine(m, -1, m, 1);
    hwemit_i830_wide_constant(product, 0);
    hwemit_i830_wide_add_product(product, 1, m, q);
    return product;
}

/* x*p + y*m*q <= 0 in the box for some x and y above 0. */
static bool cancel(struct i830_proof *w, unsigned a, unsigned b, int times, const struct i830_box *box)
{
    double range[2];
    struct i830_shape s;
    if (!may_cancel(w, a, b, times, range))
        return false;
    const struct i830_wide *const pair[2] = {w->list[a], multiplied(w, w->list[b], times)};
    if (!hwemit_i830_shape(&s, pair, 2))
        return false;
    w->work += 2 * s.size * (s.n + 1);
    if (!hwemit_i830_dense(&s, pair[0], box, w->dense[0]) || !hwemit_i830_dense(&s, pair[1], box, w->dense[1]))
        return false;
    static const uint8_t divisor[] = {1, 2, 3, 4, 8};
    for (unsigned d = 0; d < sizeof divisor; d++) { /* the least multiple of 1/x in the range; y is below 32 */
        const double x = divisor[d], y = (double)(int)(range[0] * x + 1);
        bool all = y <= range[1] * x && y < 32;
        for (unsigned i = 0; i < s.size && all; i++)
            all = x * w->dense[0][i] + y * w->dense[1][i] <= 0;
        if (all)
            return true;
    }
    return false;
}

unsigned hwemit_i830_assumed(struct i830_proof *w, unsigned nclaims)
{
    unsigned n = 0;
    for (unsigned i = 0; i < nclaims; i++)
        w->list[n++] = &w->claim[i];
    for (unsigned k = w->nclamps - 2; k-- > 0;)
        for (unsigned i = 0; i < w->nrules[k]; i++)
            w->list[n++] = &w->rule[k][i];
    return n;
}

bool hwemit_i830_impossible(struct i830_proof *w, struct i830_box *box, unsigned n, unsigned nnew)
{
    const unsigned nvars = w->nleaves + w->nclamps - 2;
    if (!narrow(w, box))
        return true;
    for (unsigned i = 0; i < n; i++)
        if (never_positive(w, w->list[i], box))
            return true;
    for (unsigned k = 0; k < I830_GUESSES; k++) {
        double *const x = w->point[k];
        for (unsigned v = 0; v < nvars; v++) {
            const double u = hwemit_i830_guess(w), r = k % 2 ? u : u < 0.3 ? 0 : u > 0.7 ? 1 : 0.5;
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
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            for (unsigned k = 0; k <= j; k++)
                if (i != j && i != k && (i < nnew || j < nnew || k < nnew) && cancel(w, i, j, (int)(2 * I830_WIDE_VARS + k), box))
                    return true;
    return false;
}

bool hwemit_i830_given_up(const struct i830_proof *w) { return w->differs || w->boxes > BOXES || w->work > WORK; }

/* The leaf that what is assumed changes most with, in the box. */
static unsigned splitter(const struct i830_proof *w, const struct i830_box *box, unsigned n)
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

bool hwemit_i830_in_boxes(struct i830_proof *w, const struct i830_box *whole, unsigned n, unsigned depth)
{
    struct i830_box box = *whole;
    double x[I830_WIDE_VARS];
    w->boxes++;
    for (unsigned v = 0; v < w->nleaves; v++)
        x[v] = box.lo[v] + hwemit_i830_guess(w) * (box.hi[v] - box.lo[v]);
    if (hwemit_i830_differ_at(w, x) || hwemit_i830_given_up(w))
        return false;
    if (hwemit_i830_impossible(w, &box, n, n))
        return true;
    if (depth == 0)
        return false;
    const unsigned v = splitter(w, &box, n);
    const double middle = (box.lo[v] + box.hi[v]) / 2, high = box.hi[v];
    box.hi[v] = middle;
    if (!hwemit_i830_in_boxes(w, &box, n, depth - 1))
        return false;
    box.lo[v] = middle, box.hi[v] = high;
    return hwemit_i830_in_boxes(w, &box, n, depth - 1);
}
