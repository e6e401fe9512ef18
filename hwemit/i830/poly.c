/* Polynomials over atoms. */
#include "hwemit/i830/poly.h"

#include <stddef.h>
#include <string.h>

enum { VARS = 8, CORNERS = 256 }; /* of the exact bounds */

/* A coefficient that stays exact in all arithmetic here. */
static bool fits(double c)
{
    return c > -16384 && c < 16384 && c * 256 == (double)(int32_t)(c * 256);
}

/* Adds a term, keeping the order. */
static void add_term(struct i830_poly *p, double c, i830_mono m)
{
    unsigned i = 0;
    while (i < p->n && p->m[i] > m)
        i++;
    if (i < p->n && p->m[i] == m) {
        c += (double)p->c[i];
        if (c == 0) {
            p->n--;
            memmove(&p->c[i], &p->c[i + 1], (p->n - i) * sizeof p->c[0]);
            memmove(&p->m[i], &p->m[i + 1], (p->n - i) * sizeof p->m[0]);
        } else {
            p->bad |= !fits(c);
            p->c[i] = (float)c;
        }
        return;
    }
    if (c == 0)
        return;
    if (p->n == I830_TERMS || !fits(c)) {
        p->bad = 1;
        return;
    }
    memmove(&p->c[i + 1], &p->c[i], (p->n - i) * sizeof p->c[0]);
    memmove(&p->m[i + 1], &p->m[i], (p->n - i) * sizeof p->m[0]);
    p->c[i] = (float)c;
    p->m[i] = m;
    p->n++;
}

static struct i830_poly empty(void)
{
    struct i830_poly p;
    p.n = p.bad = 0;
    return p;
}

struct i830_poly hwemit_i830_poly_constant(double c)
{
    struct i830_poly p = empty();
    add_term(&p, c, 0);
    return p;
}

struct i830_poly hwemit_i830_poly_atom(unsigned atom)
{
    struct i830_poly p = empty();
    add_term(&p, 1, (i830_mono)atom << 56);
    return p;
}

struct i830_poly hwemit_i830_poly_affine(double p, const struct i830_poly *a, double t)
{
    struct i830_poly r = *a;
    if (p == 0)
        return hwemit_i830_poly_constant(t);
    for (unsigned i = 0; i < r.n; i++) {
        double c = (double)r.c[i] * p;
        r.bad |= !fits(c);
        r.c[i] = (float)c;
    }
    add_term(&r, t, 0);
    return r;
}

struct i830_poly hwemit_i830_poly_sum(double p, const struct i830_poly *a, double q, const struct i830_poly *b)
{
    struct i830_poly r = hwemit_i830_poly_affine(p, a, 0);
    r.bad |= b->bad;
    for (unsigned i = 0; i < b->n; i++)
        add_term(&r, q * (double)b->c[i], b->m[i]);
    return r;
}

/* The product of two monomials; false if the degree is too high. */
static bool times(i830_mono a, i830_mono b, i830_mono *out)
{
    i830_mono r = 0;
    unsigned n = 0;
    while (a | b) {
        i830_mono *larger = a >> 56 >= b >> 56 ? &a : &b;
        if (n == I830_DEGREE)
            return false;
        r |= (*larger >> 56) << (56 - 8 * n++);
        *larger <<= 8;
    }
    *out = r;
    return true;
}

/* a / b; false if b does not divide a. */
static bool over(i830_mono a, i830_mono b, i830_mono *out)
{
    i830_mono r = 0;
    unsigned n = 0;
    while (a) {
        if (a >> 56 == b >> 56) {
            b <<= 8;
        } else {
            r |= (a >> 56) << (56 - 8 * n++);
        }
        a <<= 8;
    }
    *out = r;
    return b == 0;
}

struct i830_poly hwemit_i830_poly_product(const struct i830_poly *a, const struct i830_poly *b)
{
    struct i830_poly r = empty();
    i830_mono m;
    r.bad = a->bad | b->bad;
    for (unsigned i = 0; i < a->n && !r.bad; i++)
        for (unsigned j = 0; j < b->n; j++) {
            if (!times(a->m[i], b->m[j], &m))
                r.bad = 1;
            else
                add_term(&r, (double)a->c[i] * (double)b->c[j], m);
        }
    return r;
}

bool hwemit_i830_poly_divide(struct i830_poly *q, const struct i830_poly *a, const struct i830_poly *b)
{
    struct i830_poly rest = *a;
    *q = empty();
    if (a->bad || b->bad || b->n == 0)
        return false;
    while (rest.n) {
        i830_mono m, t;
        double c = (double)rest.c[0] / (double)b->c[0];
        if (!over(rest.m[0], b->m[0], &m) || !fits(c))
            return false;
        add_term(q, c, m);
        for (unsigned i = 0; i < b->n; i++) {
            if (!times(m, b->m[i], &t))
                return false;
            add_term(&rest, -c * (double)b->c[i], t);
        }
        if (rest.bad || q->bad)
            return false;
    }
    return true;
}

/* The monomial whose square m is; false if there is none. */
static bool half(i830_mono m, i830_mono *out)
{
    unsigned n = 0;
    for (*out = 0; m; m <<= 16) {
        if (m >> 56 != (m << 8) >> 56)
            return false;
        *out |= (m >> 56) << (56 - 8 * n++);
    }
    return true;
}

/* Of a coefficient; 0 if it has none. */
static double root_of(double c)
{
    unsigned lo = 0, hi = 1u << 15; /* in 1/256 */
    while (hi - lo > 1) {
        const unsigned middle = (lo + hi) / 2;
        if ((double)middle * middle <= c * 65536)
            lo = middle;
        else
            hi = middle;
    }
    return (double)lo * lo == c * 65536 ? lo / 256.0 : 0;
}

bool hwemit_i830_poly_root(struct i830_poly *q, const struct i830_poly *a)
{
    struct i830_poly rest = *a;
    i830_mono m = 0;
    *q = empty();
    if (a->bad || a->n == 0 || !half(a->m[0], &m))
        return false;
    add_term(q, root_of((double)a->c[0]), m);
    while (q->n && !q->bad) { /* the rest is what 2*q*(further terms) + (further terms)^2 has to be */
        const struct i830_poly square = hwemit_i830_poly_product(q, q);
        rest = hwemit_i830_poly_sum(1, a, -1, &square);
        if (rest.bad || rest.n == 0)
            return !rest.bad;
        const double c = (double)rest.c[0] / (2 * (double)q->c[0]);
        if (!over(rest.m[0], q->m[0], &m) || !fits(c) || m >= q->m[q->n - 1])
            return false;
        add_term(q, c, m);
    }
    return false;
}

struct i830_poly hwemit_i830_poly_restrict(const struct i830_poly *a, unsigned atom, double value)
{
    struct i830_poly r = empty();
    r.bad = a->bad;
    for (unsigned i = 0; i < a->n; i++) {
        double c = (double)a->c[i];
        i830_mono m = 0;
        unsigned n = 0;
        for (i830_mono rest = a->m[i]; rest; rest <<= 8) {
            if (rest >> 56 == atom)
                c *= value;
            else
                m |= (rest >> 56) << (56 - 8 * n++);
        }
        add_term(&r, c, m);
    }
    return r;
}

bool hwemit_i830_poly_equal(const struct i830_poly *a, const struct i830_poly *b)
{
    if (a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (a->m[i] != b->m[i] || (double)a->c[i] != (double)b->c[i])
            return false;
    return true;
}

bool hwemit_i830_poly_is_constant(const struct i830_poly *a, double *value)
{
    *value = hwemit_i830_poly_constant_term(a);
    return a->n == 0 || (a->n == 1 && a->m[0] == 0);
}

double hwemit_i830_poly_constant_term(const struct i830_poly *a) { return a->n && a->m[a->n - 1] == 0 ? (double)a->c[a->n - 1] : 0; }

unsigned hwemit_i830_poly_length(const struct i830_poly *a) { return a->n && a->m[a->n - 1] == 0 ? a->n - 1u : a->n; }

/* ---- bounds ---- */

static struct i830_range by_terms(const struct i830_poly *a, const uint8_t *reach)
{
    struct i830_range r = {0, 0};
    for (unsigned i = 0; i < a->n; i++) {
        double lo = (double)a->c[i], hi = lo;
        if (a->m[i]) {
            double size = 1;
            bool is_signed = false;
            for (i830_mono m = a->m[i]; m; m <<= 8)
                if (reach[m >> 56]) {
                    size *= reach[m >> 56];
                    is_signed = true;
                }
            double most = (lo < 0 ? -lo : lo) * size;
            lo = is_signed || lo < 0 ? -most : 0;
            hi = is_signed || hi > 0 ? most : 0;
        }
        r.lo += lo;
        r.hi += hi;
    }
    return r;
}

/* The polynomial as an array of coefficients: a dimension a variable, of its degree + 1. */
struct dense {
    unsigned n, size;
    uint8_t var[VARS], degree[VARS];
    uint16_t step[VARS];
    double c[CORNERS];
};

static bool to_dense(struct dense *d, const struct i830_poly *a, const uint8_t *reach)
{
    uint8_t power[I830_TERMS][VARS];
    memset(power, 0, sizeof power);
    d->n = 0;
    d->size = 1;
    for (unsigned i = 0; i < a->n; i++)
        for (i830_mono m = a->m[i]; m; m <<= 8) {
            unsigned v = 0;
            while (v < d->n && d->var[v] != m >> 56)
                v++;
            if (v == VARS || reach[m >> 56])
                return false;
            if (v == d->n) {
                d->var[d->n] = (uint8_t)(m >> 56);
                d->degree[d->n++] = 0;
            }
            if (++power[i][v] > d->degree[v])
                d->degree[v] = power[i][v];
        }
    for (unsigned v = 0; v < d->n; v++) {
        d->step[v] = (uint16_t)d->size;
        d->size *= d->degree[v] + 1u;
        if (d->size > CORNERS)
            return false;
    }
    memset(d->c, 0, d->size * sizeof d->c[0]);
    for (unsigned i = 0; i < a->n; i++) {
        unsigned at = 0;
        for (unsigned v = 0; v < d->n; v++)
            at += (unsigned)power[i][v] * d->step[v];
        d->c[at] = (double)a->c[i];
    }
    return true;
}

/* Along one variable: the powers of x by those of (x+offset)/2. */
static void halve(struct dense *d, unsigned v, double offset)
{
    const unsigned step = d->step[v], n = d->degree[v], row = step * (n + 1);
    for (unsigned high = 0; high < d->size; high += row)
        for (unsigned i = high; i < high + step; i++) {
            double scale = 1;
            for (unsigned j = 0; j <= n; j++, scale /= 2)
                d->c[i + j * step] *= scale;
            for (unsigned k = 0; offset != 0 && k < n; k++) /* by those of x+offset */
                for (unsigned j = n; j-- > k;)
                    d->c[i + j * step] += d->c[i + (j + 1) * step] * offset;
        }
}

/* Along one variable: powers to Bernstein polynomials, number k of degree n having sum over j of a_j C(k,j)/C(n,j). */
static void bernstein(struct dense *d, unsigned v)
{
    const unsigned step = d->step[v], n = d->degree[v], row = step * (n + 1);
    for (unsigned high = 0; high < d->size; high += row)
        for (unsigned i = high; i < high + step; i++) {
            if (n == 1) {
                d->c[i + step] += d->c[i];
                continue;
            }
            for (unsigned k = n; k > 0; k--) {
                double sum = d->c[i], ratio = 1;
                for (unsigned j = 1; j <= k; j++) {
                    ratio = ratio * (k - j + 1) / (n - j + 1);
                    sum += d->c[i + j * step] * ratio;
                }
                d->c[i + k * step] = sum;
            }
        }
}

/* Bounds, once no more is to be halved. */
static void bound(struct dense *d, bool first, struct i830_range *r)
{
    for (unsigned v = 0; v < d->n; v++)
        bernstein(d, v);
    for (unsigned i = 0; i < d->size; i++) {
        if ((first && i == 0) || d->c[i] < r->lo)
            r->lo = d->c[i];
        if ((first && i == 0) || d->c[i] > r->hi)
            r->hi = d->c[i];
    }
}

/* A polynomial on the unit cube lies between the smallest and the largest of its Bernstein coefficients. They are its corners where no variable is squared; else the
 * bound is closer over the halves. */
static struct i830_range of_dense(struct dense *whole)
{
    struct dense d;
    uint8_t halved[2];
    unsigned nhalved = 0;
    struct i830_range r = {0, 0};
    for (unsigned v = 0; v < whole->n; v++)
        if (whole->degree[v] >= 2 && nhalved < 2)
            halved[nhalved++] = (uint8_t)v;
    for (unsigned box = 0; nhalved && box < 1u << nhalved; box++) {
        memcpy(&d, whole, offsetof(struct dense, c) + whole->size * sizeof whole->c[0]);
        for (unsigned i = 0; i < nhalved; i++)
            halve(&d, halved[i], box >> i & 1);
        bound(&d, box == 0, &r);
    }
    if (nhalved == 0)
        bound(whole, true, &r);
    return r;
}

struct i830_range hwemit_i830_poly_range(const struct i830_poly *a, const uint8_t *reach)
{
    struct dense whole;
    return to_dense(&whole, a, reach) ? of_dense(&whole) : by_terms(a, reach);
}

struct i830_range hwemit_i830_poly_range_half(const struct i830_poly *a, const uint8_t *reach, unsigned atom, unsigned upper)
{
    struct dense whole;
    if (!to_dense(&whole, a, reach))
        return by_terms(a, reach);
    for (unsigned v = 0; v < whole.n; v++)
        if (whole.var[v] == atom)
            halve(&whole, v, upper);
    return of_dense(&whole);
}
