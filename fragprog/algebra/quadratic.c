/* Quadratic polynomials: sums, products, bounds. */
#include "fragprog/algebra/quadratic.h"

#include <string.h>

enum { N = FRAGPROG_QUAD_LEAVES + 1 };

/* Leaves of each term. */
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
    for (unsigned t = 0; t < FRAGPROG_QUAD_TERMS; t++) {
        if (a->c[t] != 0)
            left[m++] = (uint8_t)t;
        if (b->c[t] != 0)
            right[n++] = (uint8_t)t;
    }
    for (unsigned i = 0; i < m; i++)
        for (unsigned k = 0; k < n; k++) {
            const unsigned s = left[i], t = right[k];
            unsigned low, high; /* second is 0 for the constant alone, first for what is linear */
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

/* The least and the most of c*x*x + b*x, x in [low, high]. */
static void parabola(float c, float b, float low, float high, float *least, float *most)
{
    const float at_low = (c * low + b) * low, at_high = (c * high + b) * high;
    *least = at_low < at_high ? at_low : at_high;
    *most = at_low < at_high ? at_high : at_low;
    const float x = -b / (2 * c), top = b * x / 2; /* there it turns */
    if (x > low && x < high && top < *least)
        *least = top;
    if (x > low && x < high && top > *most)
        *most = top;
}

/* In what is not squared the extremes lie in corners; one square is followed along its leaf, others are
 * bounded by themselves. */
void fragprog_quad_range(const struct fragprog_quad *a, const float *low, const float *high, float *least,
                         float *most)
{
    unsigned used[N], n = 0, curve = 0;
    float square_low = 0, square_high = 0;
    for (unsigned i = 1; i < N; i++) {
        float c = a->c[fragprog_quad_term(i, i)], lo = low[i] * low[i], hi = high[i] * high[i];
        if (c != 0 && !curve) {
            curve = i;
            continue;
        }
        if (c != 0) {
            float top = lo > hi ? lo : hi, bottom = low[i] <= 0 && high[i] >= 0 ? 0 : lo < hi ? lo : hi;
            square_low += c > 0 ? c * bottom : c * top;
            square_high += c > 0 ? c * top : c * bottom;
        }
        if (fragprog_quad_has(a, i))
            used[n++] = i;
    }
    for (unsigned corner = 0; corner < 1u << n; corner++) {
        float x[N] = {1}, sum = 0, slope = 0, bottom = 0, top = 0;
        for (unsigned u = 0; u < n; u++)
            x[used[u]] = corner >> u & 1 ? high[used[u]] : low[used[u]];
        for (unsigned t = 0; t < FRAGPROG_QUAD_TERMS; t++)
            if (a->c[t] != 0 && (first[t] != second[t] || t == 0))
                sum += a->c[t] * x[first[t]] * x[second[t]];
        for (unsigned i = 0; curve && i < N; i++)
            if (i != curve)
                slope += a->c[fragprog_quad_term(i, curve)] * x[i];
        if (curve)
            parabola(a->c[fragprog_quad_term(curve, curve)], slope, low[curve], high[curve], &bottom, &top);
        if (corner == 0 || sum + bottom + square_low < *least)
            *least = sum + bottom + square_low;
        if (corner == 0 || sum + top + square_high > *most)
            *most = sum + top + square_high;
    }
}
