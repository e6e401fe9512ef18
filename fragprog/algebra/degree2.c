/* Converts instructions to polynomials of degree 2. */
#include "fragprog/algebra/degree2.h"
#include "fragprog/operand.h"

#include <string.h>

typedef struct fragprog_degree2 degree2;
typedef struct fragprog_linear linear;

/* Number of the pseudo-variable for which a polynomial is substituted. */
enum { VALUE = FRAGPROG_SOURCES + 1 };

const uint8_t fragprog_term[FRAGPROG_SOURCES + 1][FRAGPROG_SOURCES + 1] = {
    {0, 1, 2, 3, 4}, {1, 5, 6, 7, 8}, {2, 6, 9, 10, 11}, {3, 7, 10, 12, 13}, {4, 8, 11, 13, 14}};

static bool is_linear(const degree2 *a)
{
    for (unsigned t = FRAGPROG_FIRST_SQUARE; t < FRAGPROG_DEGREE2_TERMS; t++)
        if (a->c[t] != 0)
            return false;
    return true;
}

/* Adds k*a to *to, with *x substituted for the value. */
static void add(degree2 *to, double k, const linear *a, const degree2 *x)
{
    to->c[0] += k * a->t;
    if (a->v != VALUE)
        to->c[a->v] += k * a->m;
    else
        for (unsigned t = 0; t < FRAGPROG_DEGREE2_ROOM; t++)
            to->c[t] += k * a->m * x->c[t];
}

void fragprog_add_product2(degree2 *to, double k, const linear *a, const linear *b)
{
    to->c[0] += k * a->t * b->t;
    to->c[a->v] += k * a->m * b->t;
    to->c[b->v] += k * b->m * a->t;
    to->c[fragprog_term[a->v][b->v]] += k * a->m * b->m;
}

/* Gives the constant and the linear coefficients of a, with *x substituted for the value. */
static void coefficients(double c[FRAGPROG_SOURCES + 1], const linear *a, const degree2 *x)
{
    for (unsigned v = 0; v <= FRAGPROG_SOURCES; v++)
        c[v] = a->v == VALUE ? a->m * x->c[v] : v == a->v ? a->m : 0;
    c[0] += a->t;
}

/* Adds k*a*b to *to. Returns false if the degree is higher than 2. */
static bool add_product(degree2 *to, double k, const linear *a, const linear *b, const degree2 *x)
{
    double c[FRAGPROG_SOURCES + 1], d[FRAGPROG_SOURCES + 1];
    if (a->m == 0 || b->m == 0) {
        add(to, k * (a->m == 0 ? a : b)->t, a->m == 0 ? b : a, x);
    } else if (a->v != VALUE && b->v != VALUE) {
        fragprog_add_product2(to, k, a, b);
    } else if (is_linear(x)) {
        coefficients(c, a, x);
        coefficients(d, b, x);
        for (unsigned v = 0; v <= FRAGPROG_SOURCES; v++)
            for (unsigned w = 0; w <= FRAGPROG_SOURCES && c[v] != 0; w++)
                to->c[fragprog_term[v][w]] += k * c[v] * d[w];
    } else {
        return false;
    }
    return true;
}

static bool add_formula(degree2 *to, unsigned op, double scale, const linear *args, const degree2 *x)
{
    static const linear one = {0, 0, 1};
    /* computed as a*(b-c) + c, so that equal terms of b and c cancel */
    if (fragprog_op_is_blend(op) && args[1].v == args[2].v) {
        const linear difference = {args[1].v, args[1].m - args[2].m, args[1].t - args[2].t};
        add(to, scale, &args[2], x);
        return add_product(to, scale, &args[0], &difference, x);
    }
    const linear not_a = {args[0].v, -args[0].m, 1 - args[0].t};
    for (const struct fragprog_product *p = fragprog_formula(op); p->sign; p++) {
        const linear *factor[2];
        for (unsigned n = 0; n < 2; n++)
            factor[n] = p->factor[n] == FRAGPROG_FACTOR_ONE ? &one
                : p->factor[n] == FRAGPROG_FACTOR_NOT_A     ? &not_a
                                                            : &args[p->factor[n]];
        if (!add_product(to, scale * p->sign, factor[0], factor[1], x))
            return false;
    }
    return true;
}

/* Returns true if the instruction multiplies two variables and no other term can cancel the product. */
static bool multiplies(const struct fragprog_inst *inst)
{
    return (inst->op == FRAGPROG_MUL || inst->op == FRAGPROG_MAD) &&
        fragprog_is_variable(&inst->src[0], 15) && fragprog_is_variable(&inst->src[1], 15);
}

bool fragprog_is_cubic(const struct fragprog_inst *inst, const struct fragprog_inst *inner, unsigned j)
{
    bool reads[3] = {false};
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        reads[s] = inst->src[s].file == FRAGPROG_VALUE && inst->src[s].index == j;
    if (!multiplies(inner))
        return false;
    if (inst->op == FRAGPROG_LERP)
        return reads[1] != reads[2] && (reads[0] || fragprog_is_variable(&inst->src[0], 15));
    return multiplies(inst) && (reads[0] || reads[1]);
}

bool fragprog_expand2(struct fragprog_sources *sources, const struct fragprog_inst *inst,
                      const struct fragprog_src *through, unsigned j, const degree2 *x, degree2 *out)
{
    linear args[3];
    if (!fragprog_op_is_polynomial(inst->op))
        return false;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const struct fragprog_src *src = &inst->src[s];
        struct fragprog_src composed;
        if (through) {
            composed = fragprog_through(through, src);
            src = &composed;
        }
        if (x && src->file == FRAGPROG_VALUE && src->index == j) {
            const struct fragprog_affine a = fragprog_affine_of(src->mods);
            if (src->mods & FRAGPROG_ABS || src->negate & sources->lanes)
                return false;
            args[s] = (linear){VALUE, a.m, a.t};
        } else if (!fragprog_expand_source(sources, src, &args[s])) {
            return false;
        }
    }
    memset(out, 0, sizeof *out);
    return add_formula(out, inst->op, fragprog_power(inst->scale), args, x);
}

void fragprog_poly_of_degree2(struct fragprog_poly *out, const degree2 *a)
{
    out->n = out->bad = 0;
    for (unsigned v = FRAGPROG_SOURCES + 1; v-- > 0;)
        for (unsigned w = v + 1; w-- > 0;) {
            const double c = a->c[fragprog_term[v][w]];
            if (c != 0)
                fragprog_poly_append(out, c, (fragprog_monomial)v << 56 | (fragprog_monomial)w << 48);
        }
}

/* ---- bounds ---- */

/* A point of [0,1]^n at which a Bernstein coefficient is evaluated. */
struct point {
    double x[FRAGPROG_SOURCES + 1];
};

enum { POINTS = 81 /* at most three for each variable */ };

/* Computes the smallest and the largest Bernstein coefficient on [0,1]^n (see bernstein.c): the values where
 * each x is 0 or 1, and for a variable that is squared also with x = 1/2 and x*x = 0. */
static struct fragprog_interval bound_on_unit(const degree2 *f, unsigned n)
{
    struct point point[POINTS];
    double value[POINTS] = {f->c[0]};
    unsigned size = 1;
    struct fragprog_interval range;
    for (unsigned v = 1; v <= n; v++) {
        const double square = f->c[fragprog_term[v][v]];
        const unsigned before = size;
        for (unsigned k = 0; k < before; k++) {
            double slope = f->c[v];
            for (unsigned w = 1; w < v; w++)
                slope += f->c[fragprog_term[v][w]] * point[k].x[w];
            point[k].x[v] = 0;
            for (unsigned half = square != 0 ? 1 : 2; half <= 2; half++) {
                point[size] = point[k];
                point[size].x[v] = half == 1 ? 0.5 : 1;
                value[size++] = value[k] + (half == 1 ? slope / 2 : slope + square);
            }
        }
    }
    range = fragprog_point(value[0]);
    for (unsigned k = 1; k < size; k++) {
        range.lo = value[k] < range.lo ? value[k] : range.lo;
        range.hi = value[k] > range.hi ? value[k] : range.hi;
    }
    return range;
}

bool fragprog_expanded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, unsigned lane, struct fragprog_interval *range)
{
    const struct fragprog_src in_lane = fragprog_src_replicate(FRAGPROG_VALUE, 0, lane);
    struct fragprog_sources sources;
    struct fragprog_poly x;
    degree2 f;
    bool is_unit = true;
    fragprog_no_sources(&sources, p, 1);
    sources.ranges = r;
    if (!fragprog_expand2(&sources, inst, &in_lane, 0, NULL, &f))
        return false;
    for (unsigned v = 1; v <= sources.n; v++)
        is_unit &= sources.box[v].lo == 0 && sources.box[v].hi == 1;
    if (is_unit) {
        *range = bound_on_unit(&f, sources.n);
        return true;
    }
    fragprog_poly_of_degree2(&x, &f);
    return fragprog_poly_bounds(range, &x, sources.box);
}
