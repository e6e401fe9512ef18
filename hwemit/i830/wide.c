/* Polynomials of many terms, with bounds over boxes. */
#include "hwemit/i830/wide.h"

#include <string.h>

enum { MOST_POWER = 7, PLACES = 24 };
#define EXACT 9007199254740992.0 /* 2^53 */
static const uint64_t OVER = UINT64_C(0x8888888888888888);

/* Binary places of a number below 2^20. */
static unsigned places(double x)
{
    unsigned n = 0;
    while (n < 40 && x != (double)(int64_t)x)
        x *= 2, n++;
    return n;
}

/* Coefficients are multiples of 2^-PLACES below 2^20: products that stay that are exact. */
static bool fits(double c) { return c > -1048576 && c < 1048576 && places(c) <= PLACES; }

static int compare(const struct i830_powers *a, const struct i830_powers *b)
{
    for (unsigned i = 0; i < I830_WIDE_VARS / 16; i++)
        if (a->e[i] != b->e[i])
            return a->e[i] > b->e[i] ? -1 : 1;
    return 0;
}

static unsigned power_of(const struct i830_powers *m, unsigned v) { return (unsigned)(m->e[v / 16] >> 4 * (v % 16) & 15); }

static void set_power(struct i830_powers *m, unsigned v, unsigned power)
{
    m->e[v / 16] = (m->e[v / 16] & ~(UINT64_C(15) << 4 * (v % 16))) | (uint64_t)power << 4 * (v % 16);
}

static void add_term(struct i830_wide *p, double c, const struct i830_powers *m)
{
    unsigned low = 0, high = p->n;
    if (c == 0 || p->bad)
        return;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (compare(&p->t[middle].m, m) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < p->n && compare(&p->t[low].m, m) == 0) {
        c += p->t[low].c;
        p->t[low].c = c;
        p->bad |= !fits(c);
        if (c == 0) {
            p->n--;
            memmove(&p->t[low], &p->t[low + 1], (p->n - low) * sizeof p->t[0]);
        }
        return;
    }
    if (p->n == I830_WIDE_TERMS || !fits(c)) {
        p->bad = 1;
        return;
    }
    memmove(&p->t[low + 1], &p->t[low], (p->n - low) * sizeof p->t[0]);
    p->t[low].c = c;
    p->t[low].m = *m;
    p->n++;
}

static const struct i830_powers no_powers;

void hwemit_i830_wide_constant(struct i830_wide *p, double c)
{
    p->n = p->bad = 0;
    add_term(p, c, &no_powers);
}

void hwemit_i830_wide_variable(struct i830_wide *p, unsigned v)
{
    struct i830_powers m = no_powers;
    set_power(&m, v, 1);
    p->n = p->bad = 0;
    add_term(p, 1, &m);
}

bool hwemit_i830_wide_is_constant(const struct i830_wide *p, double *value)
{
    *value = p->n ? p->t[0].c : 0;
    return !p->bad && (p->n == 0 || (p->n == 1 && compare(&p->t[0].m, &no_powers) == 0));
}

bool hwemit_i830_wide_equal(const struct i830_wide *a, const struct i830_wide *b)
{
    if (a->bad || b->bad || a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (a->t[i].c != b->t[i].c || compare(&a->t[i].m, &b->t[i].m) != 0)
            return false;
    return true;
}

void hwemit_i830_wide_affine(struct i830_wide *r, double x, const struct i830_wide *a, double y)
{
    r->n = a->n;
    r->bad = a->bad;
    for (unsigned i = 0; i < a->n; i++) {
        r->t[i].m = a->t[i].m;
        r->t[i].c = x * a->t[i].c;
        r->bad |= !fits(r->t[i].c) || places(x) + places(a->t[i].c) > PLACES;
    }
    add_term(r, y, &no_powers);
}

void hwemit_i830_wide_sum(struct i830_wide *r, double x, const struct i830_wide *a, double y, const struct i830_wide *b)
{
    hwemit_i830_wide_affine(r, x, a, 0);
    r->bad |= b->bad;
    for (unsigned i = 0; i < b->n; i++)
        r->bad |= places(y) + places(b->t[i].c) > PLACES, add_term(r, y * b->t[i].c, &b->t[i].m);
}

void hwemit_i830_wide_add_product(struct i830_wide *r, int x, const struct i830_wide *a, const struct i830_wide *b)
{
    r->bad |= a->bad | b->bad;
    for (unsigned i = 0; i < a->n && !r->bad; i++)
        for (unsigned j = 0; j < b->n; j++) {
            struct i830_powers m;
            for (unsigned k = 0; k < I830_WIDE_VARS / 16; k++) {
                m.e[k] = a->t[i].m.e[k] + b->t[j].m.e[k];
                r->bad |= (m.e[k] & OVER) != 0;
            }
            r->bad |= places(a->t[i].c) + places(b->t[j].c) > PLACES;
            add_term(r, x * a->t[i].c * b->t[j].c, &m);
        }
}

unsigned hwemit_i830_wide_degree(const struct i830_wide *p, unsigned v)
{
    unsigned most = 0;
    for (unsigned i = 0; i < p->n; i++)
        if (power_of(&p->t[i].m, v) > most)
            most = power_of(&p->t[i].m, v);
    return most;
}

void hwemit_i830_wide_put(struct i830_wide *p, unsigned v, const struct i830_wide *q, struct i830_wide scratch[2])
{
    const unsigned degree = hwemit_i830_wide_degree(p, v);
    if (degree == 0)
        return;
    struct i830_wide *sum = &scratch[0], *next = &scratch[1];
    sum->n = sum->bad = 0;
    for (unsigned d = degree + 1; d-- > 0;) { /* Horner */
        next->n = next->bad = 0;
        hwemit_i830_wide_add_product(next, 1, sum, q);
        for (unsigned i = 0; i < p->n; i++)
            if (power_of(&p->t[i].m, v) == d) {
                struct i830_powers m = p->t[i].m;
                set_power(&m, v, 0);
                add_term(next, p->t[i].c, &m);
            }
        struct i830_wide *swap = sum;
        sum = next;
        next = swap;
    }
    sum->bad |= p->bad | q->bad;
    *p = *sum;
}

void hwemit_i830_wide_strip(struct i830_wide *p, struct i830_wide *q)
{
    if (p->bad || p->n < 2)
        return;
    for (unsigned v = 0; v < I830_WIDE_VARS; v++) {
        const unsigned degree = hwemit_i830_wide_degree(p, v);
        if (degree == 0)
            continue;
        unsigned least = MOST_POWER;
        for (unsigned i = 0; i < p->n; i++)
            least = power_of(&p->t[i].m, v) < least ? power_of(&p->t[i].m, v) : least;
        for (unsigned i = 0; i < p->n && least; i++) /* the order stays */
            set_power(&p->t[i].m, v, power_of(&p->t[i].m, v) - least);
        for (unsigned d; (d = hwemit_i830_wide_degree(p, v)) > 0;) { /* q = p / (1-x): a coefficient is the sum of p's up to its power, and the last one 0 */
            q->n = q->bad = 0;
            for (unsigned k = 0; k <= d; k++)
                for (unsigned i = 0; i < p->n; i++)
                    if (power_of(&p->t[i].m, v) <= k) {
                        struct i830_powers m = p->t[i].m;
                        set_power(&m, v, k);
                        add_term(q, p->t[i].c, &m);
                    }
            if (q->bad || hwemit_i830_wide_degree(q, v) == d)
                break;
            *p = *q;
        }
    }
}

bool hwemit_i830_wide_divide(struct i830_wide *q, const struct i830_wide *a, const struct i830_wide *b, struct i830_wide scratch[2])
{
    struct i830_wide *const rest = &scratch[0], *const term = &scratch[1];
    *rest = *a;
    q->n = q->bad = 0;
    if (a->bad || b->bad || b->n == 0)
        return false;
    while (rest->n) {
        const struct i830_term *const lead = &rest->t[0], *const by = &b->t[0];
        const double c = lead->c / by->c;
        term->n = 1, term->bad = 0;
        for (unsigned k = 0; k < I830_WIDE_VARS / 16; k++) { /* each power at least that of the divisor */
            if ((((lead->m.e[k] | OVER) - by->m.e[k]) & OVER) != OVER)
                return false;
            term->t[0].m.e[k] = lead->m.e[k] - by->m.e[k];
        }
        term->t[0].c = c;
        if (!fits(c) || c * by->c != lead->c)
            return false;
        add_term(q, c, &term->t[0].m);
        hwemit_i830_wide_add_product(rest, -1, term, b);
        if (rest->bad || q->bad)
            return false;
    }
    return true;
}

double hwemit_i830_wide_at(const struct i830_wide *p, const double *x)
{
    double sum = 0;
    for (unsigned i = 0; i < p->n; i++) {
        double term = p->t[i].c;
        for (unsigned k = 0; k < I830_WIDE_VARS / 16; k++) {
            unsigned v = 16 * k;
            for (uint64_t e = p->t[i].m.e[k]; e; e >>= 4, v++)
                for (unsigned n = (unsigned)(e & 15); n > 0; n--)
                    term *= x[v];
        }
        sum += term;
    }
    return sum;
}

/* ---- bounds ---- */

bool hwemit_i830_shape(struct i830_shape *s, const struct i830_wide *const *p, unsigned n)
{
    uint8_t degree[I830_WIDE_VARS] = {0};
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < p[k]->n; i++)
            for (unsigned w = 0; w < I830_WIDE_VARS / 16; w++) {
                unsigned v = 16 * w;
                for (uint64_t e = p[k]->t[i].m.e[w]; e; e >>= 4, v++)
                    if ((e & 15) > degree[v])
                        degree[v] = (uint8_t)(e & 15);
            }
    s->n = 0;
    s->size = 1;
    for (unsigned v = 0; v < I830_WIDE_VARS; v++)
        if (degree[v]) {
            s->var[s->n] = (uint8_t)v;
            s->degree[s->n] = degree[v];
            s->step[s->n++] = (uint16_t)s->size;
            s->size *= degree[v] + 1u;
            if (s->size > I830_DENSE)
                return false;
        }
    return true;
}

/* Along one variable, of degree n: powers of x by those of t, x = lo + width * t; then by t^k (1-t)^(n-k). */
static void along(double *c, unsigned size, unsigned step, unsigned n, double lo, double width)
{
    for (unsigned high = 0; high < size; high += step * (n + 1))
        for (unsigned i = high; i < high + step; i++) {
            double *const a = c + i;
            if (lo != 0)
                for (unsigned k = 0; k < n; k++)
                    for (unsigned j = n; j-- > k;)
                        a[j * step] += lo * a[(j + 1) * step];
            if (width != 1) {
                double scale = width;
                for (unsigned j = 1; j <= n; j++, scale *= width)
                    a[j * step] *= scale;
            }
            for (unsigned k = 1; k <= n; k++) /* what is there of degree k - 1 times t + (1-t), and the power k */
                for (unsigned j = k; j > 0; j--)
                    a[j * step] += a[(j - 1) * step];
        }
}

bool hwemit_i830_dense(const struct i830_shape *s, const struct i830_wide *p, const struct i830_box *box, double *out)
{
    double size = 0;
    unsigned most = 0;
    if (p->bad)
        return false;
    for (unsigned i = 0; i < s->size; i++)
        out[i] = 0;
    for (unsigned i = 0; i < p->n; i++) {
        unsigned at = 0;
        for (unsigned k = 0; k < s->n; k++)
            at += power_of(&p->t[i].m, s->var[k]) * s->step[k];
        out[at] = p->t[i].c;
        const unsigned n = places(p->t[i].c);
        most = n > most ? n : most;
        size += p->t[i].c < 0 ? -p->t[i].c : p->t[i].c;
    }
    for (unsigned k = 0; k < s->n; k++) { /* all numbers on the way are multiples of 2^-most and their sum is below `size` */
        const unsigned a = places(box->lo[s->var[k]]), b = places(box->hi[s->var[k]]);
        most += (a > b ? a : b) * s->degree[k];
        for (unsigned j = 0; j < s->degree[k]; j++)
            size *= 2;
    }
    for (; most > 0; most--)
        size *= 2;
    if (!(size < EXACT / 64)) /* and sums of small multiples of two or three */
        return false;
    for (unsigned k = 0; k < s->n; k++)
        along(out, s->size, s->step[k], s->degree[k], box->lo[s->var[k]], box->hi[s->var[k]] - box->lo[s->var[k]]);
    return true;
}

bool hwemit_i830_wide_range(const struct i830_wide *p, const struct i830_box *box, double *dense, double *lo, double *hi)
{
    struct i830_shape s;
    if (!hwemit_i830_shape(&s, &p, 1) || !hwemit_i830_dense(&s, p, box, dense))
        return false;
    for (unsigned i = 0; i < s.size; i++) {
        double by = 1;
        for (unsigned k = 0; k < s.n; k++) {
            const unsigned n = s.degree[k], j = i / s.step[k] % (n + 1);
            for (unsigned m = 1; m <= j; m++) /* n over j */
                by = by * (n - j + m) / m;
        }
        const double c = dense[i] / by;
        *lo = i == 0 || c < *lo ? c : *lo;
        *hi = i == 0 || c > *hi ? c : *hi;
    }
    return true;
}
