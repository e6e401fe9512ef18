/* Polynomials: sums, products and exact division. */
#include "fragprog/algebra/polynomial.h"

#include <string.h>

typedef struct fragprog_poly poly;

enum { TERMS = FRAGPROG_POLY_TERMS };

/* Returns true if single precision holds the coefficient exactly. */
static bool fits(double c) { return (double)(float)c == c; }

/* Appends a term, whose monomial must be smaller than all others. */
static void append(poly *p, double c, fragprog_monomial m)
{
    if (c == 0)
        return;
    if (p->n == TERMS || !fits(c)) {
        p->bad = 1;
        return;
    }
    p->c[p->n] = (float)c;
    p->m[p->n++] = m;
}

static void remove_term(poly *p, unsigned i)
{
    p->n--;
    for (; i < p->n; i++) {
        p->c[i] = p->c[i + 1];
        p->m[i] = p->m[i + 1];
    }
}

/* Inserts a term at its place in the order. */
static void add_term(poly *p, double c, fragprog_monomial m)
{
    unsigned i = p->n;
    while (i > 0 && p->m[i - 1] < m)
        i--;
    if (i > 0 && p->m[i - 1] == m) {
        c += (double)p->c[i - 1];
        p->bad |= !fits(c);
        p->c[i - 1] = (float)c;
        if (p->c[i - 1] == 0)
            remove_term(p, i - 1);
        return;
    }
    if (c == 0)
        return;
    if (p->n == TERMS || !fits(c)) {
        p->bad = 1;
        return;
    }
    for (unsigned k = p->n++; k > i; k--) { /* there are few terms */
        p->c[k] = p->c[k - 1];
        p->m[k] = p->m[k - 1];
    }
    p->c[i] = (float)c;
    p->m[i] = m;
}

static void clear(poly *p) { p->n = p->bad = 0; }

void fragprog_poly_constant(poly *out, double c)
{
    clear(out);
    append(out, c, 0);
}

void fragprog_poly_variable(poly *out, unsigned v, double m, double t)
{
    clear(out);
    append(out, m, (fragprog_monomial)v << 56);
    append(out, t, 0);
}

void fragprog_poly_affine(poly *out, double m, const poly *a, double t)
{
    const unsigned n = a->n;
    const uint8_t bad = a->bad;
    if (m == 0) {
        fragprog_poly_constant(out, t);
        out->bad |= bad;
        return;
    }
    out->bad = bad;
    out->n = (uint8_t)n;
    for (unsigned i = 0; i < n; i++) {
        const double c = m * (double)a->c[i];
        out->bad |= !fits(c);
        out->c[i] = (float)c;
        out->m[i] = a->m[i];
    }
    if (t != 0)
        add_term(out, t, 0);
}

void fragprog_poly_sum(poly *out, double m, const poly *a, double n, const poly *b, double t)
{
    poly sum;
    unsigned i = 0, k = 0;
    clear(&sum);
    while (i < a->n || k < b->n) {
        const fragprog_monomial x = i < a->n ? a->m[i] : 0, y = k < b->n ? b->m[k] : 0;
        if (i < a->n && (k == b->n || x > y)) {
            append(&sum, m * (double)a->c[i++], x);
        } else if (k < b->n && (i == a->n || y > x)) {
            append(&sum, n * (double)b->c[k++], y);
        } else {
            append(&sum, m * (double)a->c[i] + n * (double)b->c[k], x);
            i++, k++;
        }
    }
    sum.bad |= a->bad | b->bad;
    if (t != 0)
        add_term(&sum, t, 0);
    memcpy(out->c, sum.c, sum.n * sizeof sum.c[0]);
    memcpy(out->m, sum.m, sum.n * sizeof sum.m[0]);
    out->n = sum.n;
    out->bad = sum.bad;
}

/* Multiplies two monomials. Returns false if the degree is too high. */
static bool times(fragprog_monomial a, fragprog_monomial b, fragprog_monomial *out)
{
    fragprog_monomial r = 0;
    if (a && b && !((a | b) << 8)) { /* a product of two variables */
        r = a > b ? a | b >> 8 : b | a >> 8;
    } else if (a && b) {
        unsigned at = 64;
        while (a | b) {
            fragprog_monomial *larger = a >> 56 >= b >> 56 ? &a : &b;
            if (at == 0)
                return false;
            at -= 8;
            r |= (*larger >> 56) << at;
            *larger <<= 8;
        }
    } else {
        r = a | b;
    }
    *out = r;
    return true;
}

/* Divides a by b. Returns false if b does not divide a. */
static bool over(fragprog_monomial a, fragprog_monomial b, fragprog_monomial *out)
{
    fragprog_monomial r = 0;
    unsigned at = 64;
    for (; a; a <<= 8)
        if (a >> 56 == b >> 56) {
            b <<= 8;
        } else {
            at -= 8;
            r |= (a >> 56) << at;
        }
    *out = r;
    return b == 0;
}

void fragprog_poly_product(poly *out, const poly *a, const poly *b)
{
    clear(out);
    out->bad = a->bad | b->bad;
    for (unsigned i = 0; i < a->n && !out->bad; i++)
        for (unsigned k = 0; k < b->n; k++) {
            fragprog_monomial m;
            if (times(a->m[i], b->m[k], &m))
                add_term(out, (double)a->c[i] * (double)b->c[k], m);
            else
                out->bad = 1;
        }
}

/* Returns one factor of a formula, or NULL if it is 1. */
static const poly *factor_of(unsigned factor, const poly *args, poly *not_a)
{
    if (factor == FRAGPROG_FACTOR_ONE)
        return NULL;
    if (factor != FRAGPROG_FACTOR_NOT_A)
        return &args[factor];
    fragprog_poly_affine(not_a, -1, &args[0], 1);
    return not_a;
}

bool fragprog_poly_formula(poly *out, unsigned op, const poly *args, double scale)
{
    poly not_a, product;
    if (!fragprog_op_is_polynomial(op))
        return false;
    clear(out);
    for (const struct fragprog_product *p = fragprog_formula(op); p->sign; p++) {
        const poly *x = factor_of(p->factor[0], args, &not_a), *y = factor_of(p->factor[1], args, &not_a);
        if (y) {
            fragprog_poly_product(&product, x, y);
            x = &product;
        }
        if (out->n || out->bad)
            fragprog_poly_sum(out, 1, out, scale * p->sign, x, 0);
        else
            fragprog_poly_affine(out, scale * p->sign, x, 0);
    }
    return !out->bad;
}

bool fragprog_poly_split(poly *k, poly *rest, const poly *a, unsigned v)
{
    clear(k);
    clear(rest);
    k->bad = rest->bad = a->bad;
    for (unsigned i = 0; i < a->n; i++) {
        fragprog_monomial m, again;
        if (!over(a->m[i], (fragprog_monomial)v << 56, &m))
            append(rest, (double)a->c[i], a->m[i]);
        else if (over(m, (fragprog_monomial)v << 56, &again))
            return false;
        else
            add_term(k, (double)a->c[i], m);
    }
    return true;
}

bool fragprog_poly_divide(poly *q, const poly *a, const poly *b)
{
    poly rest = *a;
    clear(q);
    if (a->bad || b->bad || b->n == 0)
        return false;
    while (rest.n) {
        fragprog_monomial m, t;
        const double c = (double)rest.c[0] / (double)b->c[0];
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

double fragprog_poly_coefficient(const poly *a, unsigned v, unsigned w)
{
    const fragprog_monomial m = v > w ? (fragprog_monomial)v << 56 | (fragprog_monomial)w << 48
                                      : (fragprog_monomial)w << 56 | (fragprog_monomial)v << 48;
    for (unsigned i = 0; i < a->n; i++)
        if (a->m[i] == m)
            return (double)a->c[i];
    return 0;
}

bool fragprog_poly_equal(const poly *a, const poly *b)
{
    return a->n == b->n && a->bad == b->bad && !memcmp(a->c, b->c, a->n * sizeof a->c[0]) &&
        !memcmp(a->m, b->m, a->n * sizeof a->m[0]);
}
