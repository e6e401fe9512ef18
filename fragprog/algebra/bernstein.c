/* Bounds of polynomials from their Bernstein form. */
#include "fragprog/algebra/bernstein.h"

#include <string.h>

typedef struct fragprog_poly poly;

enum { VARS = 8, POINTS = 256, HALVINGS = 4, ROOM = 2 * HALVINGS * 81 };

/* The index space of Bernstein coefficients: the variables, and the degree in each variable and the stride of
 * its index. */
struct grid {
    unsigned n, size;
    uint8_t var[VARS], degree[VARS];
    uint16_t step[VARS];
};

static unsigned variable_of(const struct grid *g, fragprog_monomial m)
{
    unsigned v = 0;
    while (v < g->n && g->var[v] != m >> 56)
        v++;
    return v;
}

/* Extends the grid by the variables and degrees of another polynomial. Returns false if there are too many
 * variables. */
static bool widen(struct grid *g, const poly *a)
{
    for (unsigned i = 0; i < a->n; i++) {
        unsigned power = 0;
        for (fragprog_monomial m = a->m[i]; m; m <<= 8) {
            const unsigned v = variable_of(g, m);
            if (v == VARS)
                return false;
            if (v == g->n) {
                g->var[g->n] = (uint8_t)(m >> 56);
                g->degree[g->n++] = 0;
            }
            power++;
            if (m >> 56 == m << 8 >> 56)
                continue; /* equal variables are adjacent */
            if (power > g->degree[v])
                g->degree[v] = (uint8_t)power;
            power = 0;
        }
    }
    return !a->bad;
}

static bool lay_out(struct grid *g)
{
    g->size = 1;
    for (unsigned v = 0; v < g->n; v++) {
        g->step[v] = (uint16_t)g->size;
        g->size *= g->degree[v] + 1u;
        if (g->size > POINTS)
            return false;
    }
    return true;
}

/* Substitutes x = lo + (hi-lo)*u: converts the coefficients of the powers of x, up to the n-th, to
 * coefficients of the powers of u. */
static void move_powers(double *c, unsigned n, unsigned step, struct fragprog_interval x)
{
    double scale = 1;
    for (unsigned k = 0; x.lo != 0 && k < n; k++)
        for (unsigned j = n; j-- > k;)
            c[j * step] += c[(j + 1) * step] * x.lo;
    for (unsigned j = 0; j <= n; j++, scale *= x.hi - x.lo)
        c[j * step] *= scale;
}

/* Converts power coefficients to Bernstein coefficients: number k of degree n is the sum over j of a_j
 * C(k,j)/C(n,j). */
static void to_bernstein(double *c, unsigned n, unsigned step)
{
    if (n == 1) {
        c[step] += c[0];
        return;
    }
    for (unsigned k = n; k > 0; k--) {
        double sum = c[0], ratio = 1;
        for (unsigned j = 1; j <= k; j++) {
            ratio = ratio * (k - j + 1) / (n - j + 1);
            sum += c[j * step] * ratio;
        }
        c[k * step] = sum;
    }
}

/* Loops over the lines of the grid along variable v. */
#define EACH_LINE(g, v, i) \
    for (unsigned row_ = (g)->step[v] * ((g)->degree[v] + 1u), high_ = 0; high_ < (g)->size; high_ += row_) \
        for (unsigned i = high_; i < high_ + (g)->step[v]; i++)

static void coefficients(double *c, const struct grid *g, const poly *a, fragprog_box box)
{
    memset(c, 0, g->size * sizeof *c);
    for (unsigned i = 0; i < a->n; i++) {
        unsigned at = 0;
        for (fragprog_monomial m = a->m[i]; m; m <<= 8)
            at += g->step[variable_of(g, m)];
        c[at] = (double)a->c[i];
    }
    for (unsigned v = 0; v < g->n; v++) {
        const struct fragprog_interval x = box ? box[g->var[v]] : (struct fragprog_interval){0, 1};
        const bool unit = x.lo == 0 && x.hi == 1;
        EACH_LINE(g, v, i)
        {
            if (!unit)
                move_powers(&c[i], g->degree[v], g->step[v], x);
            to_bernstein(&c[i], g->degree[v], g->step[v]);
        }
    }
}

/* Computes the coefficients on one half of the interval of variable v (de Casteljau). */
static void halve(double *to, const double *from, const struct grid *g, unsigned v, bool upper)
{
    const unsigned n = g->degree[v], step = g->step[v];
    EACH_LINE(g, v, i)
    {
        double t[FRAGPROG_POLY_DEGREE + 1];
        for (unsigned k = 0; k <= n; k++)
            t[k] = from[i + k * step];
        for (unsigned r = 0; r <= n; r++) {
            to[i + (upper ? n - r : r) * step] = upper ? t[n - r] : t[0];
            for (unsigned k = 0; k + r < n; k++)
                t[k] = (t[k] + t[k + 1]) / 2;
        }
    }
}

/* Returns true if coefficient i is the value of the polynomial at a corner of the box. */
static bool is_corner(const struct grid *g, unsigned i)
{
    for (unsigned v = 0; v < g->n; v++) {
        const unsigned power = i / g->step[v] % (g->degree[v] + 1u);
        if (power != 0 && power != g->degree[v])
            return false;
    }
    return true;
}

/* ---- bounds ---- */

static struct fragprog_interval extremes(const double *c, unsigned size)
{
    struct fragprog_interval r = {c[0], c[0]};
    for (unsigned i = 1; i < size; i++) {
        r.lo = c[i] < r.lo ? c[i] : r.lo;
        r.hi = c[i] > r.hi ? c[i] : r.hi;
    }
    return r;
}

bool fragprog_poly_bounds(struct fragprog_interval *out, const poly *a, fragprog_box box)
{
    struct grid g = {.n = 0};
    double c[POINTS];
    if (!widen(&g, a) || !lay_out(&g))
        return false;
    coefficients(c, &g, a, box);
    *out = extremes(c, g.size);
    return true;
}

/* ---- signs ---- */

enum verdict { REFUTED, UNKNOWN, PROVED };

/* Returns true if, for one of a few factors k >= 0, all coefficients of z - k*y are >= 0. If y is NULL,
 * returns true if all coefficients of z are >= 0. */
static bool by_multiple(const double *y, const double *z, unsigned size)
{
    static const double factor[] = {0, 0.5, 1, 2, 4};
    for (unsigned k = 0; k < (y ? sizeof factor / sizeof *factor : 1); k++) {
        unsigned i = 0;
        while (i < size && z[i] - (y ? factor[k] * y[i] : 0) >= 0)
            i++;
        if (i == size)
            return true;
    }
    return false;
}

/* Decides whether z >= 0 wherever y > 0. This is PROVED if z - k*y >= 0 for some k >= 0, or if it is proved
 * recursively in both halves of the box; it is REFUTED if a corner of the box contradicts it. room: memory
 * for the halves. */
static enum verdict implied(const struct grid *g, const double *y, const double *z, unsigned halvings,
                            double *room)
{
    bool empty = true;
    for (unsigned i = 0; i < g->size; i++) {
        const bool inside = !y || y[i] > 0;
        empty &= !inside;
        if (inside && z[i] < 0 && is_corner(g, i))
            return REFUTED;
    }
    if (empty || by_multiple(y, z, g->size))
        return PROVED;
    if (halvings == 0 || g->n == 0)
        return UNKNOWN;
    double *half_y = room, *half_z = room + g->size;
    for (unsigned upper = 0; upper < 2; upper++) {
        if (y)
            halve(half_y, y, g, halvings % g->n, upper);
        halve(half_z, z, g, halvings % g->n, upper);
        const enum verdict verdict = implied(g, y ? half_y : NULL, half_z, halvings - 1,
                                             room + 2 * (size_t)g->size);
        if (verdict != PROVED)
            return verdict;
    }
    return PROVED;
}

bool fragprog_poly_implies(const poly *y, const poly *z, fragprog_box box)
{
    struct grid g = {.n = 0};
    double at_y[POINTS], at_z[POINTS], room[ROOM];
    if ((y && !widen(&g, y)) || !widen(&g, z) || !lay_out(&g))
        return false;
    if (y)
        coefficients(at_y, &g, y, box);
    coefficients(at_z, &g, z, box);
    const unsigned halvings = ROOM / (2 * g.size) < HALVINGS ? ROOM / (2 * g.size) : HALVINGS;
    return implied(&g, y ? at_y : NULL, at_z, halvings, room) == PROVED;
}
