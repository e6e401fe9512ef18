/* Polynomials in up to 4 variables on the unit cube, each of degree at most 2 in each variable, as 81 coefficients. Bounds come from the Bernstein form: on
 * [0,1]^n a polynomial lies between its smallest and its largest Bernstein coefficient (and the bound is exact for multilinear ones). All numbers are
 * dyadic rationals of few bits (fragprog_src_range sees to that), so that the arithmetic is exact. */
#include "fragprog/poly.h"

#include <string.h>

enum { VARS = 4, TERMS = 81 };
static const uint8_t power3[VARS] = {1, 3, 9, 27};

struct poly { double c[TERMS]; }; /* index: sum of exponent * 3^variable */

/* The sources that the polynomials are about. */
struct space {
    const struct fragprog_ranges *r;
    const struct fragprog *p;
    unsigned n;
    struct { uint8_t file, channel; uint16_t index; struct fragprog_interval range; } var[VARS];
};

static struct poly constant(double x)
{
    struct poly a;
    memset(&a, 0, sizeof a);
    a.c[0] = x;
    return a;
}

static struct poly combine(double m, const struct poly *a, double n, const struct poly *b)
{
    struct poly sum;
    for (unsigned i = 0; i < TERMS; i++)
        sum.c[i] = m * a->c[i] + n * b->c[i];
    return sum;
}

/* False if a degree exceeds 2. */
static bool multiply(struct poly *out, const struct poly *a, const struct poly *b)
{
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < TERMS; i++) {
        if (a->c[i] == 0)
            continue;
        for (unsigned j = 0; j < TERMS; j++) {
            if (b->c[j] == 0)
                continue;
            for (unsigned v = 0; v < VARS; v++)
                if (i / power3[v] % 3 + j / power3[v] % 3 > 2)
                    return false;
            out->c[i + j] += a->c[i] * b->c[j];
        }
    }
    return true;
}

/* Smallest Bernstein coefficient. */
static double lower_bound(const struct poly *a, unsigned vars)
{
    struct poly b = *a;
    double least;
    for (unsigned v = 0; v < vars; v++)
        for (unsigned i = 0; i < TERMS; i++)
            if (i / power3[v] % 3 == 0) { /* monomial a0 + a1 x + a2 x^2 -> Bernstein a0, a0 + a1/2, a0 + a1 + a2 */
                double a0 = b.c[i], a1 = b.c[i + power3[v]], a2 = b.c[i + 2 * power3[v]];
                b.c[i + power3[v]] = a0 + a1 / 2;
                b.c[i + 2 * power3[v]] = a0 + a1 + a2;
            }
    least = b.c[0];
    for (unsigned i = 0; i < TERMS; i++) {
        bool used = true;
        for (unsigned v = vars; v < VARS; v++)
            used &= i / power3[v] % 3 == 0;
        if (used && b.c[i] < least)
            least = b.c[i];
    }
    return least;
}

/* a with variable v replaced by (v + offset) / 2: one half of its interval. */
static struct poly half_of(const struct poly *a, unsigned v, double offset)
{
    struct poly b = *a;
    for (unsigned i = 0; i < TERMS; i++)
        if (i / power3[v] % 3 == 0) {
            double a1 = a->c[i + power3[v]], a2 = a->c[i + 2 * power3[v]];
            b.c[i] += a1 * offset / 2 + a2 * offset * offset / 4;
            b.c[i + power3[v]] = a1 / 2 + a2 * offset / 2;
            b.c[i + 2 * power3[v]] = a2 / 4;
        }
    return b;
}

static bool is_at_least_zero(const struct poly *a, unsigned vars, unsigned halvings)
{
    if (lower_bound(a, vars) >= 0)
        return true;
    for (unsigned v = 0; v < vars && halvings > 0; v++) {
        bool square = false; /* halving helps where the bound is not exact */
        for (unsigned i = 0; i < TERMS; i++)
            square |= i / power3[v] % 3 == 2 && a->c[i] != 0;
        if (!square)
            continue;
        struct poly low = half_of(a, v, 0), high = half_of(a, v, 1);
        return is_at_least_zero(&low, vars, halvings - 1) && is_at_least_zero(&high, vars, halvings - 1);
    }
    return false;
}

/* ---- from instructions ---- */

/* The source in one lane as a polynomial of its variable, which goes over [0,1] as the source goes over its range. */
static bool source(struct space *space, const struct fragprog_src *src, unsigned lane, struct poly *out)
{
    unsigned channel = src->lane[lane];
    if (src->mods & FRAGPROG_ABS)
        return false;
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    if (src->negate & 1u << lane)
        a.m = -a.m;
    struct fragprog_src plain = *src;
    plain.mods = plain.negate = 0;
    struct fragprog_interval range = fragprog_src_range(space->r, space->p, &plain, lane);
    if (range.lo == range.hi) {
        *out = constant(a.m * range.lo + a.t);
        return true;
    }
    unsigned v = 0;
    while (v < space->n && (space->var[v].file != src->file || space->var[v].index != src->index || space->var[v].channel != channel))
        v++;
    if (v == space->n) {
        if (v == VARS)
            return false;
        space->var[v].file = src->file;
        space->var[v].index = src->index;
        space->var[v].channel = (uint8_t)channel;
        space->var[v].range = range;
        space->n++;
    }
    *out = constant(a.m * range.lo + a.t);
    out->c[power3[v]] = a.m * (range.hi - range.lo);
    return true;
}

/* The result before scale and clamp. */
static bool result(struct space *space, const struct fragprog_inst *inst, unsigned lane, struct poly *out)
{
    struct poly v[3], t, rest, one = constant(1);
    unsigned n = fragprog_op_args(inst->op);
    if (inst->op == FRAGPROG_TEX || fragprog_op_is_dot(inst->op) || inst->op == FRAGPROG_CND || inst->op == FRAGPROG_CND0)
        return false;
    for (unsigned s = 0; s < n; s++)
        if (!source(space, &inst->src[s], lane, &v[s]))
            return false;
    switch (inst->op) {
    case FRAGPROG_MOV: *out = v[0]; return true;
    case FRAGPROG_ADD: *out = combine(1, &v[0], 1, &v[1]); return true;
    case FRAGPROG_SUB: *out = combine(1, &v[0], -1, &v[1]); return true;
    case FRAGPROG_MUL: return multiply(out, &v[0], &v[1]);
    case FRAGPROG_MAD:
        if (!multiply(&t, &v[0], &v[1]))
            return false;
        *out = combine(1, &t, 1, &v[2]);
        return true;
    default: /* LERP: f*a + (1-f)*b */
        rest = combine(1, &one, -1, &v[0]);
        if (!multiply(&t, &v[0], &v[1]) || !multiply(&one, &rest, &v[2]))
            return false;
        *out = combine(1, &t, 1, &one);
        return true;
    }
}

/* k and b of the consumer k*x + b, x being argument s; as linear_in of range.c. */
static bool linear_form(struct space *space, const struct fragprog_inst *i, unsigned s, unsigned lane, struct poly *k, struct poly *b)
{
    struct poly v[3], factor = constant(1), rest = constant(0), one = constant(1), not_f;
    struct fragprog_affine a = fragprog_affine_of(i->src[s].mods);
    if (i->src[s].mods & FRAGPROG_ABS)
        return false;
    if (i->src[s].negate & 1u << lane)
        a.m = -a.m;
    for (unsigned n = 0; n < fragprog_op_args(i->op); n++)
        if (n != s && !source(space, &i->src[n], lane, &v[n]))
            return false;
    switch (i->op) {
    case FRAGPROG_MOV: break;
    case FRAGPROG_ADD: rest = v[1 - s]; break;
    case FRAGPROG_SUB:
        factor = constant(s == 0 ? 1 : -1);
        rest = s == 0 ? combine(-1, &v[1], 0, &v[1]) : v[0];
        break;
    case FRAGPROG_MUL: factor = v[1 - s]; break;
    case FRAGPROG_MAD:
        if (s < 2)
            factor = v[1 - s], rest = v[2];
        else if (!multiply(&rest, &v[0], &v[1]))
            return false;
        break;
    case FRAGPROG_LERP:
        if (s == 0)
            return false;
        not_f = combine(1, &one, -1, &v[0]);
        factor = s == 1 ? v[0] : not_f;
        if (!multiply(&rest, s == 1 ? &not_f : &v[0], &v[3 - s]))
            return false;
        break;
    default: return false;
    }
    double scale = fragprog_power(i->scale);
    *k = combine(scale * a.m, &factor, 0, &factor);
    *b = combine(scale * a.t, &factor, scale, &rest);
    return true;
}

/* Wherever y > 0, z >= 0: shown by z - lambda*y >= 0 on the whole cube for some lambda >= 0. */
static bool follows(const struct space *space, const struct poly *y, const struct poly *z)
{
    static const double lambda[] = {0, 0.5, 1, 2, 4};
    for (unsigned n = 0; n < sizeof lambda / sizeof *lambda; n++) {
        struct poly d = combine(1, z, -lambda[n], y);
        if (is_at_least_zero(&d, space->n, 3))
            return true;
    }
    return false;
}

bool fragprog_poly_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned s, unsigned lane)
{
    struct space space = {.r = r, .p = p};
    struct poly x, k, b, one = constant(1), over, under, z;
    for (unsigned n = 0; n < fragprog_op_args(i->op); n++)
        if (n != s && i->src[n].file == FRAGPROG_VALUE && i->src[n].index == j)
            return false; /* the other reading is clamped: not a polynomial of the same variables */
    if (i->clamp != FRAGPROG_SAT || !result(&space, &p->inst[j], i->src[s].lane[lane], &x) || !linear_form(&space, i, s, lane, &k, &b))
        return false;
    double scale = fragprog_power(p->inst[j].scale);
    x = combine(scale, &x, 0, &x);
    over = combine(1, &x, -1, &one);  /* > 0 where the upper clamp acts */
    under = combine(-1, &x, 0, &x);   /* > 0 where the lower clamp acts */
    struct poly minus_k = combine(-1, &k, 0, &k);
    bool rising = is_at_least_zero(&k, space.n, 2), falling = is_at_least_zero(&minus_k, space.n, 2);
    if (!rising && !falling)
        return false;
    /* As `saturates` of range.c: rising needs k + b >= 1 above and b <= 0 below, falling k + b <= 0 above and b >= 1 below. */
    struct poly sum = combine(1, &k, 1, &b);
    z = rising ? combine(1, &sum, -1, &one) : combine(-1, &sum, 0, &sum);
    if (!follows(&space, &over, &z))
        return false;
    z = rising ? combine(-1, &b, 0, &b) : combine(1, &b, -1, &one);
    return follows(&space, &under, &z);
}

bool fragprog_poly_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, unsigned lane, struct fragprog_interval *range)
{
    struct space space = {.r = r, .p = p};
    struct poly x, minus;
    if (!result(&space, inst, lane, &x))
        return false;
    minus = combine(-1, &x, 0, &x);
    range->lo = lower_bound(&x, space.n);
    range->hi = -lower_bound(&minus, space.n);
    return true;
}
