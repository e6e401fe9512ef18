/* Polynomials in up to 4 variables on the unit cube, each of degree at most 2 in each variable, as 81 coefficients. Bounds come from the Bernstein form: on
 * [0,1]^n a polynomial lies between its smallest and its largest Bernstein coefficient (and the bound is exact for multilinear ones). All numbers are
 * dyadic rationals of few bits (fragprog_src_range sees to that), so that the arithmetic is exact. */
#include "fragprog/poly.h"

#include <string.h>

enum { VARS = FRAGPROG_POLY_VARS, TERMS = FRAGPROG_POLY_TERMS };
const uint8_t fragprog_poly_var[VARS] = {1, 3, 9, 27};
#define power3 fragprog_poly_var
static const uint8_t terms_of[VARS + 1] = {1, 3, 9, 27, 81}; /* coefficients in use with so many variables */

/* The sources that the polynomials are about. */
struct space {
    const struct fragprog_ranges *r;
    const struct fragprog *p;
    unsigned n;
    struct { uint8_t file, channel; uint16_t index; struct fragprog_interval range; } var[VARS];
};

struct fragprog_poly fragprog_poly_constant(double x)
{
    struct fragprog_poly a;
    memset(&a, 0, sizeof a);
    a.c[0] = x;
    return a;
}

struct fragprog_poly fragprog_poly_sum(double m, const struct fragprog_poly *a, double n, const struct fragprog_poly *b)
{
    struct fragprog_poly sum;
    for (unsigned i = 0; i < TERMS; i++)
        sum.c[i] = m * a->c[i] + n * b->c[i];
    return sum;
}

/* False if a degree exceeds 2. */
static bool multiply(struct fragprog_poly *out, const struct fragprog_poly *a, const struct fragprog_poly *b)
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
static double lower_bound(const struct fragprog_poly *a, unsigned vars)
{
    double b[TERMS], least;
    const unsigned terms = terms_of[vars];
    memcpy(b, a->c, terms * sizeof *b);
    for (unsigned v = 0; v < vars; v++) {
        const unsigned step = power3[v];
        for (unsigned high = 0; high < terms; high += 3 * step)
            for (unsigned i = high; i < high + step; i++) { /* monomial a0 + a1 x + a2 x^2 -> Bernstein a0, a0 + a1/2, a0 + a1 + a2 */
                double a0 = b[i], a1 = b[i + step], a2 = b[i + 2 * step];
                b[i + step] = a0 + a1 / 2;
                b[i + 2 * step] = a0 + a1 + a2;
            }
    }
    least = b[0];
    for (unsigned i = 1; i < terms; i++)
        if (b[i] < least)
            least = b[i];
    return least;
}

/* a with variable v replaced by (v + offset) / 2: one half of its interval. */
static struct fragprog_poly half_of(const struct fragprog_poly *a, unsigned v, double offset)
{
    struct fragprog_poly b = *a;
    for (unsigned i = 0; i < TERMS; i++)
        if (i / power3[v] % 3 == 0) {
            double a1 = a->c[i + power3[v]], a2 = a->c[i + 2 * power3[v]];
            b.c[i] += a1 * offset / 2 + a2 * offset * offset / 4;
            b.c[i + power3[v]] = a1 / 2 + a2 * offset / 2;
            b.c[i + 2 * power3[v]] = a2 / 4;
        }
    return b;
}

static bool is_at_least_zero(const struct fragprog_poly *a, unsigned vars, unsigned halvings)
{
    if (lower_bound(a, vars) >= 0)
        return true;
    for (unsigned v = 0; v < vars && halvings > 0; v++) {
        bool square = false; /* halving helps where the bound is not exact */
        for (unsigned i = 0; i < TERMS; i++)
            square |= i / power3[v] % 3 == 2 && a->c[i] != 0;
        if (!square)
            continue;
        struct fragprog_poly low = half_of(a, v, 0), high = half_of(a, v, 1);
        return is_at_least_zero(&low, vars, halvings - 1) && is_at_least_zero(&high, vars, halvings - 1);
    }
    return false;
}

/* ---- from instructions ---- */

/* The source in one lane as a polynomial of its variable, which goes over [0,1] as the source goes over its range. */
static bool source(struct space *space, const struct fragprog_src *src, unsigned lane, struct fragprog_poly *out)
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
        *out = fragprog_poly_constant(a.m * range.lo + a.t);
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
    *out = fragprog_poly_constant(a.m * range.lo + a.t);
    out->c[power3[v]] = a.m * (range.hi - range.lo);
    return true;
}

bool fragprog_poly_apply(unsigned op, const struct fragprog_poly *v, struct fragprog_poly *out)
{
    struct fragprog_poly t, u, rest, one = fragprog_poly_constant(1);
    switch (op) {
    case FRAGPROG_MOV: *out = v[0]; return true;
    case FRAGPROG_ADD: *out = fragprog_poly_sum(1, &v[0], 1, &v[1]); return true;
    case FRAGPROG_SUB: *out = fragprog_poly_sum(1, &v[0], -1, &v[1]); return true;
    case FRAGPROG_MUL: return multiply(out, &v[0], &v[1]);
    case FRAGPROG_MAD:
        if (!multiply(&t, &v[0], &v[1]))
            return false;
        *out = fragprog_poly_sum(1, &t, 1, &v[2]);
        return true;
    case FRAGPROG_LERP: /* f*a + (1-f)*b */
        rest = fragprog_poly_sum(1, &one, -1, &v[0]);
        if (!multiply(&t, &v[0], &v[1]) || !multiply(&u, &rest, &v[2]))
            return false;
        *out = fragprog_poly_sum(1, &t, 1, &u);
        return true;
    default: return false;
    }
}

/* The result before scale and clamp; what it reads of value j, if any, is *x instead (NULL: j is a variable as others are). */
static bool result(struct space *space, const struct fragprog_inst *inst, unsigned lane, unsigned j, const struct fragprog_poly *x, struct fragprog_poly *out)
{
    struct fragprog_poly v[3];
    if (inst->op == FRAGPROG_TEX)
        return false;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const struct fragprog_src *src = &inst->src[s];
        if (x && src->file == FRAGPROG_VALUE && src->index == j) {
            struct fragprog_affine a = fragprog_affine_of(src->mods);
            struct fragprog_poly t = fragprog_poly_constant(a.t);
            if (src->mods & FRAGPROG_ABS || src->negate & 1u << lane)
                return false;
            v[s] = fragprog_poly_sum(a.m, x, 1, &t);
        } else if (!source(space, src, lane, &v[s])) {
            return false;
        }
    }
    return fragprog_poly_apply(inst->op, v, out);
}

/* k and b of the consumer k*x + b, x being argument s; as linear_in of range.c. */
static bool linear_form(struct space *space, const struct fragprog_inst *i, unsigned s, unsigned lane, struct fragprog_poly *k, struct fragprog_poly *b)
{
    struct fragprog_poly v[3], factor = fragprog_poly_constant(1), rest = fragprog_poly_constant(0), one = fragprog_poly_constant(1), not_f;
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
        factor = fragprog_poly_constant(s == 0 ? 1 : -1);
        rest = s == 0 ? fragprog_poly_sum(-1, &v[1], 0, &v[1]) : v[0];
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
        not_f = fragprog_poly_sum(1, &one, -1, &v[0]);
        factor = s == 1 ? v[0] : not_f;
        if (!multiply(&rest, s == 1 ? &not_f : &v[0], &v[3 - s]))
            return false;
        break;
    default: return false;
    }
    double scale = fragprog_power(i->scale);
    *k = fragprog_poly_sum(scale * a.m, &factor, 0, &factor);
    *b = fragprog_poly_sum(scale * a.t, &factor, scale, &rest);
    return true;
}

/* Wherever y > 0, z >= 0: shown by z - lambda*y >= 0 on the whole cube for some lambda >= 0. */
static bool follows(const struct space *space, const struct fragprog_poly *y, const struct fragprog_poly *z)
{
    static const double lambda[] = {0, 0.5, 1, 2, 4};
    for (unsigned n = 0; n < sizeof lambda / sizeof *lambda; n++) {
        struct fragprog_poly d = fragprog_poly_sum(1, z, -lambda[n], y);
        if (is_at_least_zero(&d, space->n, 3))
            return true;
    }
    return false;
}

bool fragprog_poly_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned s, unsigned lane)
{
    struct space space = {.r = r, .p = p};
    struct fragprog_poly x, k, b, one = fragprog_poly_constant(1), over, under, z;
    for (unsigned n = 0; n < fragprog_op_args(i->op); n++)
        if (n != s && i->src[n].file == FRAGPROG_VALUE && i->src[n].index == j)
            return false; /* the other reading is clamped: not a polynomial of the same variables */
    if (i->clamp != FRAGPROG_SAT || !result(&space, &p->inst[j], i->src[s].lane[lane], 0, NULL, &x) || !linear_form(&space, i, s, lane, &k, &b))
        return false;
    double scale = fragprog_power(p->inst[j].scale);
    x = fragprog_poly_sum(scale, &x, 0, &x);
    over = fragprog_poly_sum(1, &x, -1, &one);  /* > 0 where the upper clamp acts */
    under = fragprog_poly_sum(-1, &x, 0, &x);   /* > 0 where the lower clamp acts */
    struct fragprog_poly minus_k = fragprog_poly_sum(-1, &k, 0, &k);
    bool rising = is_at_least_zero(&k, space.n, 2), falling = is_at_least_zero(&minus_k, space.n, 2);
    if (!rising && !falling)
        return false;
    /* As `saturates` of range.c: rising needs k + b >= 1 above and b <= 0 below, falling k + b <= 0 above and b >= 1 below. */
    struct fragprog_poly sum = fragprog_poly_sum(1, &k, 1, &b);
    z = rising ? fragprog_poly_sum(1, &sum, -1, &one) : fragprog_poly_sum(-1, &sum, 0, &sum);
    if (!follows(&space, &over, &z))
        return false;
    z = rising ? fragprog_poly_sum(-1, &b, 0, &b) : fragprog_poly_sum(1, &b, -1, &one);
    return follows(&space, &under, &z);
}

/* Where y > 0, both values of the consumer are saturated on the same side. */
static bool both_saturate(const struct space *space, const struct fragprog_poly *y, const struct fragprog_poly *f, const struct fragprog_poly *g)
{
    struct fragprog_poly one = fragprog_poly_constant(1), high_f = fragprog_poly_sum(1, f, -1, &one), high_g = fragprog_poly_sum(1, g, -1, &one);
    struct fragprog_poly low_f = fragprog_poly_sum(-1, f, 0, f), low_g = fragprog_poly_sum(-1, g, 0, g);
    return (follows(space, y, &high_f) && follows(space, y, &high_g)) || (follows(space, y, &low_f) && follows(space, y, &low_g));
}

bool fragprog_poly_both_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned lane)
{
    struct space space = {.r = r, .p = p};
    struct fragprog_poly x, at[3], zero = fragprog_poly_constant(0), one = fragprog_poly_constant(1);
    int channel = -1;
    for (unsigned s = 0; s < fragprog_op_args(i->op); s++)
        if (i->src[s].file == FRAGPROG_VALUE && i->src[s].index == j) {
            if (channel >= 0 && i->src[s].lane[lane] != channel)
                return false;
            channel = i->src[s].lane[lane];
        }
    if (channel < 0 || channel > FRAGPROG_W || !result(&space, &p->inst[j], (unsigned)channel, 0, NULL, &x))
        return false;
    double scale = fragprog_power(p->inst[j].scale), outer = fragprog_power(i->scale);
    x = fragprog_poly_sum(scale, &x, 0, &x);
    const struct fragprog_poly *replaced[3] = {&x, &one, &zero}; /* the consumer with x unclamped, and clamped above and below */
    for (unsigned n = 0; n < 3; n++) {
        if (!result(&space, i, lane, j, replaced[n], &at[n]))
            return false;
        at[n] = fragprog_poly_sum(outer, &at[n], 0, &at[n]);
    }
    struct fragprog_poly over = fragprog_poly_sum(1, &x, -1, &one), under = fragprog_poly_sum(-1, &x, 0, &x);
    struct fragprog_poly not_over = fragprog_poly_sum(-1, &over, 0, &over);
    bool no_upper = is_at_least_zero(&not_over, space.n, 2), no_lower = is_at_least_zero(&x, space.n, 2);
    return (no_upper || (i->clamp == FRAGPROG_SAT && both_saturate(&space, &over, &at[0], &at[1]))) &&
           (no_lower || (i->clamp == FRAGPROG_SAT && both_saturate(&space, &under, &at[0], &at[2])));
}

bool fragprog_poly_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, unsigned lane, struct fragprog_interval *range)
{
    struct space space = {.r = r, .p = p};
    struct fragprog_poly x, minus;
    if (!result(&space, inst, lane, 0, NULL, &x))
        return false;
    minus = fragprog_poly_sum(-1, &x, 0, &x);
    range->lo = lower_bound(&x, space.n);
    range->hi = -lower_bound(&minus, space.n);
    return true;
}
