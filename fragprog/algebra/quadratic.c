/* Quadratic polynomials: sums, products, bounds. */
#include "fragprog/algebra/quadratic.h"

#include <string.h>

enum { N = FRAGPROG_QUAD_LEAVES + 1 };

/* The numbers of the two leaves that each term multiplies. */
static const uint8_t first[FRAGPROG_QUAD_TERMS] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3,
                                                   4, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6};
static const uint8_t second[FRAGPROG_QUAD_TERMS] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4,
                                                    4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6};

struct fragprog_quad fragprog_quad_affine(float factor, unsigned leaf, float offset)
{
    struct fragprog_quad a;
    memset(&a, 0, sizeof a);
    if (leaf)
        a.c[fragprog_quad_term(0, leaf)] = factor;
    a.c[0] = offset;
    return a;
}

struct fragprog_quad fragprog_quad_sum(float m, const struct fragprog_quad *a, float n,
                                       const struct fragprog_quad *b)
{
    struct fragprog_quad sum;
    for (unsigned t = 0; t < FRAGPROG_QUAD_TERMS; t++)
        sum.c[t] = m * a->c[t] + n * b->c[t];
    return sum;
}

bool fragprog_quad_product(struct fragprog_quad *out, const struct fragprog_quad *a,
                           const struct fragprog_quad *b)
{
    uint8_t left[FRAGPROG_QUAD_TERMS], right[FRAGPROG_QUAD_TERMS];
    unsigned m = 0, n = 0;
    memset(out, 0, sizeof *out);
    for (unsigned t = 0; t < FRAGPROG_QUAD_TERMS; t++)
        if (a->c[t] != 0)
            left[m++] = (uint8_t)t;
    for (unsigned t = 0; t < FRAGPROG_QUAD_TERMS; t++)
        if (b->c[t] != 0)
            right[n++] = (uint8_t)t;
    for (unsigned i = 0; i < m; i++)
        for (unsigned k = 0; k < n; k++) {
            const unsigned s = left[i], t = right[k];
            unsigned low, high; /* second is 0 only for the constant, first is 0 for linear terms */
            if (second[s] == 0 || second[t] == 0)
                low = first[s] + first[t], high = second[s] + second[t];
            else if (first[s] == 0 && first[t] == 0)
                low = second[s], high = second[t];
            else
                return false;
            out->c[fragprog_quad_term(low, high)] += a->c[s] * b->c[t];
        }
    return true;
}

bool fragprog_quad_equal(const struct fragprog_quad *a, const struct fragprog_quad *b)
{
    for (unsigned t = 0; t < FRAGPROG_QUAD_TERMS; t++)
        if (a->c[t] != b->c[t])
            return false;
    return true;
}

unsigned fragprog_quad_count(const struct fragprog_quad *a)
{
    unsigned n = 0;
    for (unsigned t = 0; t < FRAGPROG_QUAD_TERMS; t++)
        n += a->c[t] != 0;
    return n;
}

bool fragprog_quad_has(const struct fragprog_quad *a, unsigned leaf)
{
    for (unsigned i = 0; i < N; i++)
        if (a->c[fragprog_quad_term(i, leaf)] != 0)
            return true;
    return false;
}

bool fragprog_quad_thrice(const struct fragprog_quad *a)
{
    bool thrice = true;
    for (unsigned t = 0; thrice && t < FRAGPROG_QUAD_TERMS; t++)
        thrice = a->c[t] / 3 * 16 == (float)(int)(a->c[t] / 3 * 16);
    return thrice;
}

bool fragprog_quad_split(const struct fragprog_quad *a, unsigned leaf, struct fragprog_quad *k,
                         struct fragprog_quad *rest)
{
    memset(k, 0, sizeof *k);
    *rest = *a;
    if (a->c[fragprog_quad_term(leaf, leaf)] != 0)
        return false;
    for (unsigned i = 0; i < N; i++)
        if (i != leaf) {
            k->c[fragprog_quad_term(0, i)] = a->c[fragprog_quad_term(i, leaf)];
            rest->c[fragprog_quad_term(i, leaf)] = 0;
        }
    return true;
}

/* Computes the minimum and maximum of c*x*x + b*x for x in [low, high]. */
static void parabola(float c, float b, float low, float high, float *least, float *most)
{
    const float at_low = (c * low + b) * low, at_high = (c * high + b) * high;
    *least = at_low < at_high ? at_low : at_high;
    *most = at_low < at_high ? at_high : at_low;
    const float x = -b / (2 * c), top = b * x / 2; /* value at the vertex */
    if (x > low && x < high && top < *least)
        *least = top;
    if (x > low && x < high && top > *most)
        *most = top;
}

/* The terms of a polynomial, classified for the computation of its bounds. */
struct shape {
    unsigned curve;     /* the first leaf that is squared, or 0 */
    unsigned joined[N]; /* the njoined leaves, except `curve`, that occur in products with others */
    unsigned njoined;
    uint8_t product[FRAGPROG_QUAD_TERMS]; /* the nproducts terms that are products of two leaves */
    unsigned nproducts;
    float least, most; /* bounds of the sum of all other terms, which are bounded leaf by leaf */
};

static void add_bounds(struct shape *s, float x, float y)
{
    s->least += x < y ? x : y;
    s->most += x < y ? y : x;
}

static void take_apart(struct shape *s, const struct fragprog_quad *a, const float *low, const float *high)
{
    unsigned joined = 0, alone = 0; /* bits: leaves in products, and leaves in linear terms */
    s->curve = s->njoined = s->nproducts = 0;
    s->least = s->most = a->c[0];
    for (unsigned t = 1; t < FRAGPROG_QUAD_TERMS; t++) {
        const unsigned i = first[t], j = second[t];
        if (a->c[t] == 0)
            continue;
        if (i == 0) {
            alone |= 1u << j;
        } else if (i != j) {
            joined |= 1u << i | 1u << j;
            s->product[s->nproducts++] = (uint8_t)t;
        } else if (!s->curve) {
            s->curve = i;
        } else { /* a further square is bounded separately */
            const float lo = low[i] * low[i], hi = high[i] * high[i], top = lo > hi ? lo : hi;
            const float bottom = low[i] <= 0 && high[i] >= 0 ? 0 : lo < hi ? lo : hi;
            add_bounds(s, a->c[t] * bottom, a->c[t] * top);
        }
    }
    if (s->curve)
        joined &= ~(1u << s->curve), alone &= ~(1u << s->curve);
    for (unsigned i = 1; (joined | alone) >> i; i++)
        if (joined >> i & 1) {
            s->joined[s->njoined++] = i;
        } else if (alone >> i & 1) {
            const float c = a->c[fragprog_quad_term(0, i)];
            add_bounds(s, c * low[i], c * high[i]);
        }
}

/* Evaluates the products and the linear terms of their leaves at the point x of the joined leaves. *slope
 * becomes the linear coefficient of `curve` at this point. */
static void at_corner(const struct shape *s, const struct fragprog_quad *a, const float x[N], float *sum,
                      float *slope)
{
    *sum = 0;
    *slope = a->c[fragprog_quad_term(0, s->curve)];
    for (unsigned n = 0; n < s->njoined; n++)
        *sum += a->c[fragprog_quad_term(0, s->joined[n])] * x[s->joined[n]];
    for (unsigned n = 0; n < s->nproducts; n++) {
        const unsigned t = s->product[n], i = first[t], j = second[t];
        if (i == s->curve || j == s->curve)
            *slope += a->c[t] * x[i == s->curve ? j : i];
        else
            *sum += a->c[t] * x[i] * x[j];
    }
}

/* Computes the bounds of the sum of all products and the square of `curve`, by visiting all corners of the
 * joined leaves. */
static void bound_corners(const struct shape *s, const struct fragprog_quad *a, const float *low,
                          const float *high, float *lowest, float *highest)
{
    for (unsigned corner = 0; corner < 1u << s->njoined; corner++) {
        float x[N], sum, slope, bottom = 0, top = 0;
        for (unsigned n = 0; n < s->njoined; n++)
            x[s->joined[n]] = corner >> n & 1 ? high[s->joined[n]] : low[s->joined[n]];
        at_corner(s, a, x, &sum, &slope);
        if (s->curve)
            parabola(a->c[fragprog_quad_term(s->curve, s->curve)], slope, low[s->curve], high[s->curve],
                     &bottom, &top);
        if (corner == 0 || sum + bottom < *lowest)
            *lowest = sum + bottom;
        if (corner == 0 || sum + top > *highest)
            *highest = sum + top;
    }
}

/* Multilinear terms have their extremes at corners of the box. One square is minimised and maximised exactly
 * along its leaf; further squares are bounded separately. */
void fragprog_quad_range(const struct fragprog_quad *a, const float *low, const float *high, float *least,
                         float *most)
{
    struct shape s;
    float lowest = 0, highest = 0;
    take_apart(&s, a, low, high);
    if (s.njoined || s.curve)
        bound_corners(&s, a, low, high, &lowest, &highest);
    *least = s.least + lowest;
    *most = s.most + highest;
}
