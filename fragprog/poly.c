/* Polynomials in up to 4 variables on the unit cube, each of degree at most 2 in each variable, as 81 coefficients. Bounds come from the Bernstein form: on
 * [0,1]^n a polynomial lies between its smallest and its largest Bernstein coefficient (and the bound is exact for multilinear ones). All numbers are
 * dyadic rationals of few bits (fragprog_src_range sees to that), so that the arithmetic is exact. */
#include "fragprog/poly.h"
#include "fragprog/inst.h"

#include <string.h>

enum { VARS = 4, TERMS = 81 };
static const uint8_t power3[VARS] = {1, 3, 9, 27};           /* index of the coefficient of each variable */
static const uint8_t terms_of[VARS + 1] = {1, 3, 9, 27, 81}; /* coefficients in use with so many variables */

/* The coefficient of x0^a x1^b x2^c x3^d is c[a + 3b + 9c + 27d]; those from terms_of[n] on are 0 and not stored. */
typedef struct { unsigned n; double c[TERMS]; } poly;

/* The sources that the polynomials are about. */
struct space {
    const struct fragprog_ranges *r;
    const struct fragprog *p;
    unsigned n;
    struct { uint8_t file, channel; uint16_t index; struct fragprog_interval range; } var[VARS];
};

static void set_constant(poly *a, double x)
{
    a->n = 0;
    a->c[0] = x;
}

/* m*a + n*b + t; out may be either. */
static void combine(poly *out, double m, const poly *a, double n, const poly *b, double t)
{
    const poly *more = a->n > b->n ? a : b;
    const double by = more == a ? m : n;
    const unsigned both = terms_of[a->n > b->n ? b->n : a->n], all = terms_of[more->n];
    for (unsigned i = 0; i < both; i++)
        out->c[i] = m * a->c[i] + n * b->c[i];
    for (unsigned i = both; i < all; i++)
        out->c[i] = by * more->c[i];
    out->c[0] += t;
    out->n = more->n;
}

/* m*a + t */
static void affine(poly *out, double m, const poly *a, double t)
{
    out->c[0] = m * a->c[0] + t;
    for (unsigned i = 1; i < terms_of[a->n]; i++)
        out->c[i] = m * a->c[i];
    out->n = a->n;
}

/* The degrees of term i, four bits a variable. */
static unsigned degrees(unsigned i) { return i % 3 | i / 3 % 3 << 4 | i / 9 % 3 << 8 | i / 27 << 12; }

/* False if a degree exceeds 2. out is neither. */
static bool multiply(poly *out, const poly *a, const poly *b)
{
    uint8_t used[TERMS];
    uint16_t degree[TERMS];
    unsigned n = 0;
    out->n = a->n > b->n ? a->n : b->n;
    for (unsigned j = 0; j < terms_of[b->n]; j++)
        if (b->c[j] != 0) {
            degree[n] = (uint16_t)degrees(j);
            used[n++] = (uint8_t)j;
        }
    memset(out->c, 0, terms_of[out->n] * sizeof *out->c);
    for (unsigned i = 0; i < terms_of[a->n]; i++) {
        if (a->c[i] == 0)
            continue;
        const unsigned d = degrees(i) + 0x5555; /* with a degree of 3 or 4 the four bits of a variable come to 8 or more */
        for (unsigned k = 0; k < n; k++) {
            if ((d + degree[k]) & 0x8888)
                return false;
            out->c[i + used[k]] += a->c[i] * b->c[used[k]];
        }
    }
    return true;
}

/* ---- signs ---- */

/* The Bernstein coefficients in n variables: monomial a0 + a1 x + a2 x^2 -> a0, a0 + a1/2, a0 + a1 + a2, one variable after the other. */
static void to_bernstein(double *b, const poly *a, unsigned n)
{
    const unsigned terms = terms_of[n];
    memcpy(b, a->c, terms_of[a->n] * sizeof *b);
    memset(b + terms_of[a->n], 0, (terms - terms_of[a->n]) * sizeof *b);
    for (unsigned v = 0; v < n; v++) {
        const unsigned step = power3[v];
        for (unsigned high = 0; high < terms; high += 3 * step)
            for (unsigned i = high; i < high + step; i++) {
                double a0 = b[i], a1 = b[i + step], a2 = b[i + 2 * step];
                b[i + step] = a0 + a1 / 2;
                b[i + 2 * step] = a0 + a1 + a2;
            }
    }
}

/* The form on one half of the interval of variable v. */
static void halve(double *to, const double *b, unsigned n, unsigned v, bool upper)
{
    const unsigned step = power3[v];
    for (unsigned high = 0; high < terms_of[n]; high += 3 * step)
        for (unsigned i = high; i < high + step; i++) {
            double b0 = b[i], b1 = b[i + step], b2 = b[i + 2 * step], middle = (b0 + 2 * b1 + b2) / 4;
            to[i] = upper ? middle : b0;
            to[i + step] = upper ? (b1 + b2) / 2 : (b0 + b1) / 2;
            to[i + 2 * step] = upper ? b2 : middle;
        }
}

/* Term i is the value at a corner: no digit to base 3 is 1. */
static bool is_corner(unsigned i) { return !(degrees(i) & 0x1111); }

enum verdict { REFUTED, UNKNOWN, PROVED };

/* Wherever y > 0, z >= 0, in Bernstein form: shown by z - lambda*y >= 0 for some lambda >= 0, or in each half by itself; refuted by a corner. y NULL: everywhere. */
static enum verdict implied(const double *y, const double *z, unsigned n, unsigned halvings)
{
    static const double lambda[] = {0, 0.5, 1, 2, 4};
    const unsigned terms = terms_of[n];
    bool empty = true;
    for (unsigned i = 0; i < terms; i++) {
        bool inside = !y || y[i] > 0;
        empty &= !inside;
        if (inside && z[i] < 0 && is_corner(i))
            return REFUTED;
    }
    if (empty)
        return PROVED;
    for (unsigned k = 0; k < (y ? sizeof lambda / sizeof *lambda : 1); k++) {
        unsigned i = 0;
        while (i < terms && z[i] - (y ? lambda[k] * y[i] : 0) >= 0)
            i++;
        if (i == terms)
            return PROVED;
    }
    if (halvings == 0 || n == 0)
        return UNKNOWN;
    const unsigned v = halvings % n;
    for (unsigned upper = 0; upper < 2; upper++) {
        double half_y[TERMS], half_z[TERMS];
        if (y)
            halve(half_y, y, n, v, upper);
        halve(half_z, z, n, v, upper);
        enum verdict verdict = implied(y ? half_y : NULL, half_z, n, halvings - 1);
        if (verdict != PROVED)
            return verdict;
    }
    return PROVED;
}

static bool is_at_least_zero(const struct space *space, const poly *a)
{
    double z[TERMS];
    to_bernstein(z, a, space->n);
    return implied(NULL, z, space->n, 4) == PROVED;
}

/* Part of the cube, where a polynomial is above 0. */
struct region { unsigned n; double y[TERMS]; };

static void make_region(struct region *region, const struct space *space, const poly *y)
{
    region->n = space->n;
    to_bernstein(region->y, y, space->n);
}

/* m*a + t >= 0 in the region */
static bool holds(const struct region *region, double m, const poly *a, double t)
{
    double z[TERMS];
    poly b;
    affine(&b, m, a, t);
    to_bernstein(z, &b, region->n);
    return implied(region->y, z, region->n, 4) == PROVED;
}

static bool is_high(const struct region *region, const poly *a) { return holds(region, 1, a, -1); } /* a >= 1 */
static bool is_low(const struct region *region, const poly *a) { return holds(region, -1, a, 0); }  /* a <= 0 */

/* ---- from instructions ---- */

/* The source in one lane as a polynomial of its variable, which goes over [0,1] as the source goes over its range. */
static bool source(struct space *space, const struct fragprog_src *src, unsigned lane, poly *out)
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
    set_constant(out, a.m * range.lo + a.t);
    if (range.lo == range.hi)
        return true;
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
    out->n = v + 1;
    memset(out->c + 1, 0, (terms_of[out->n] - 1u) * sizeof *out->c);
    out->c[power3[v]] = a.m * (range.hi - range.lo);
    return true;
}

/* The result before scale and clamp; what it reads of value j, if any, is *x instead (NULL: j is a variable as others are). */
static bool result(struct space *space, const struct fragprog_inst *inst, unsigned lane, unsigned j, const poly *x, poly *out)
{
    poly v[3], t;
    if (inst->op == FRAGPROG_TEX)
        return false;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const struct fragprog_src *src = &inst->src[s];
        if (x && src->file == FRAGPROG_VALUE && src->index == j) {
            struct fragprog_affine a = fragprog_affine_of(src->mods);
            if (src->mods & FRAGPROG_ABS || src->negate & 1u << lane)
                return false;
            affine(&v[s], a.m, x, a.t);
        } else if (!source(space, src, lane, &v[s])) {
            return false;
        }
    }
    switch (inst->op) {
    case FRAGPROG_MOV: affine(out, 1, &v[0], 0); return true;
    case FRAGPROG_ADD: combine(out, 1, &v[0], 1, &v[1], 0); return true;
    case FRAGPROG_SUB: combine(out, 1, &v[0], -1, &v[1], 0); return true;
    case FRAGPROG_MUL: return multiply(out, &v[0], &v[1]);
    case FRAGPROG_MAD:
        if (!multiply(&t, &v[0], &v[1]))
            return false;
        combine(out, 1, &t, 1, &v[2], 0);
        return true;
    case FRAGPROG_LERP: /* f*(a - b) + b */
        combine(&t, 1, &v[1], -1, &v[2], 0);
        if (!multiply(out, &v[0], &t))
            return false;
        combine(out, 1, out, 1, &v[2], 0);
        return true;
    default: return false;
    }
}

/* The same with the instruction's scale. */
static bool scaled_result(struct space *space, const struct fragprog_inst *inst, unsigned lane, unsigned j, const poly *x, poly *out)
{
    if (!result(space, inst, lane, j, x, out))
        return false;
    affine(out, fragprog_power(inst->scale), out, 0);
    return true;
}

/* k and b of the consumer k*x + b, x being argument s; as linear_in of range.c. */
static bool linear_form(struct space *space, const struct fragprog_inst *i, unsigned s, unsigned lane, poly *k, poly *b)
{
    poly v[3], factor, rest, not_f;
    set_constant(&factor, 1);
    set_constant(&rest, 0);
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
    case FRAGPROG_ADD: affine(&rest, 1, &v[1 - s], 0); break;
    case FRAGPROG_SUB:
        set_constant(&factor, s == 0 ? 1 : -1);
        affine(&rest, s == 0 ? -1 : 1, &v[1 - s], 0);
        break;
    case FRAGPROG_MUL: affine(&factor, 1, &v[1 - s], 0); break;
    case FRAGPROG_MAD:
        if (s < 2) {
            affine(&factor, 1, &v[1 - s], 0);
            affine(&rest, 1, &v[2], 0);
        } else if (!multiply(&rest, &v[0], &v[1])) {
            return false;
        }
        break;
    case FRAGPROG_LERP:
        if (s == 0)
            return false;
        affine(&not_f, -1, &v[0], 1);
        affine(&factor, 1, s == 1 ? &v[0] : &not_f, 0);
        if (!multiply(&rest, s == 1 ? &not_f : &v[0], &v[3 - s]))
            return false;
        break;
    default: return false;
    }
    double scale = fragprog_power(i->scale);
    affine(k, scale * a.m, &factor, 0);
    combine(b, scale * a.t, &factor, scale, &rest, 0);
    return true;
}

bool fragprog_poly_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned s, unsigned lane)
{
    struct space space = {.r = r, .p = p};
    poly x, k, b, t;
    for (unsigned n = 0; n < fragprog_op_args(i->op); n++)
        if (n != s && i->src[n].file == FRAGPROG_VALUE && i->src[n].index == j)
            return false; /* the other reading is clamped: not a polynomial of the same variables */
    if (i->clamp != FRAGPROG_SAT || !scaled_result(&space, &p->inst[j], i->src[s].lane[lane], 0, NULL, &x) || !linear_form(&space, i, s, lane, &k, &b))
        return false;
    bool rising = is_at_least_zero(&space, &k);
    if (!rising) {
        affine(&t, -1, &k, 0);
        if (!is_at_least_zero(&space, &t))
            return false;
    }
    /* As `saturates` of range.c: rising needs k + b >= 1 above and b <= 0 below, falling k + b <= 0 above and b >= 1 below. */
    struct region over, under;
    affine(&t, 1, &x, -1);
    make_region(&over, &space, &t); /* where the upper clamp acts */
    affine(&t, -1, &x, 0);
    make_region(&under, &space, &t); /* where the lower one does */
    combine(&t, 1, &k, 1, &b, 0);
    return rising ? is_high(&over, &t) && is_low(&under, &b) : is_low(&over, &t) && is_high(&under, &b);
}

/* An instruction that reads one value, here by itself before its clamp: f(g) = its result where it reads g. */
struct reader { const struct fragprog_inst *inst; unsigned value, lane; };

static bool reads_once(const struct reader *reader)
{
    unsigned n = 0;
    for (unsigned s = 0; s < fragprog_op_args(reader->inst->op); s++)
        n += reader->inst->src[s].file == FRAGPROG_VALUE && reader->inst->src[s].index == reader->value;
    return n == 1;
}

/* In the region the reader gives 1 (high) or 0 for sat(g). That is g, or 1 where g > 1, or 0 where g < 0. A reader that reads it once is linear in it: then what holds for 0
 * and 1 holds between them, and where f(g) is high so is f(1) if f falls, f(0) if f rises. */
static bool ends_at(struct space *space, const struct region *region, const struct reader *reader, const poly *g, bool high)
{
    poly f_of_g, f_of[2], rise;
    bool ends[2], linear = reads_once(reader);
    for (unsigned n = 0; n < 2; n++) {
        poly bound;
        set_constant(&bound, n);
        if (!scaled_result(space, reader->inst, reader->lane, reader->value, &bound, &f_of[n]))
            return false;
        ends[n] = high ? is_high(region, &f_of[n]) : is_low(region, &f_of[n]);
    }
    if (linear && ends[0] && ends[1])
        return true;
    if (!scaled_result(space, reader->inst, reader->lane, reader->value, g, &f_of_g) || !(high ? is_high(region, &f_of_g) : is_low(region, &f_of_g)))
        return false;
    combine(&rise, high ? 1 : -1, &f_of[1], high ? -1 : 1, &f_of[0], 0);
    ends[0] = ends[0] || holds(region, 1, g, 0) || (linear && holds(region, 1, &rise, 0));
    ends[1] = ends[1] || holds(region, -1, g, 1) || (linear && holds(region, -1, &rise, 0));
    return ends[0] && ends[1];
}

/* What a consumer of x gives before its clamp. */
struct outcome {
    poly free, one, zero, rise; /* for x itself; for 1 and 0, between which its clamp leaves it; the difference of these */
    bool has_free, linear;      /* free is known (it may be of too high a degree); the consumer is linear in x, with the slope `rise` */
};

/* In the region, where x > 1 (upper) or x < 0, it makes no difference whether the consumer reads x or its clamped value. */
static bool makes_no_difference(struct space *space, const struct region *region, bool upper, const struct outcome *o, const struct reader *last)
{
    const poly *clamped = upper ? &o->one : &o->zero;
    if (is_high(region, clamped) && ((o->linear && holds(region, upper ? 1 : -1, &o->rise, 0)) || (o->has_free && is_high(region, &o->free))))
        return true;
    if (is_low(region, clamped) && ((o->linear && holds(region, upper ? -1 : 1, &o->rise, 0)) || (o->has_free && is_low(region, &o->free))))
        return true;
    if (last && o->has_free)
        for (unsigned high = 0; high < 2; high++)
            if (ends_at(space, region, last, clamped, high) && ends_at(space, region, last, &o->free, high))
                return true;
    return false;
}

/* The clamp of x, whose consumer gives *o, makes no difference. */
static bool clamp_is_idle(struct space *space, const poly *x, const struct outcome *o, const struct reader *last)
{
    struct region part;
    poly t;
    affine(&t, 1, x, -1);
    make_region(&part, space, &t);
    if (!makes_no_difference(space, &part, true, o, last))
        return false;
    affine(&t, -1, x, 0);
    make_region(&part, space, &t);
    return makes_no_difference(space, &part, false, o, last);
}

/* The channel of value j that instruction i reads in this lane, wherever it reads j; -1: it differs, or it reads none. */
static int channel_read(const struct fragprog_inst *i, unsigned j, unsigned lane)
{
    int channel = -1;
    for (unsigned s = 0; s < fragprog_op_args(i->op); s++)
        if (i->src[s].file == FRAGPROG_VALUE && i->src[s].index == j) {
            if (channel >= 0 && i->src[s].lane[lane] != channel)
                return -1;
            channel = i->src[s].lane[lane];
        }
    return channel <= FRAGPROG_W ? channel : -1;
}

bool fragprog_poly_both_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, unsigned number, const struct fragprog_inst *last, unsigned lane)
{
    struct space space = {.r = r, .p = p};
    const struct fragprog_inst *i = &p->inst[number];
    const struct reader after = {last, number, lane};
    struct outcome o;
    poly x, t;
    if (last) {
        int channel = channel_read(last, number, lane);
        if (channel < 0 || last->clamp != FRAGPROG_SAT)
            return false;
        lane = (unsigned)channel;
    }
    int channel = channel_read(i, j, lane);
    if (channel < 0 || i->clamp != FRAGPROG_SAT || !scaled_result(&space, &p->inst[j], (unsigned)channel, 0, NULL, &x))
        return false;
    const struct reader reader = {i, j, lane};
    set_constant(&t, 1);
    if (!scaled_result(&space, i, lane, j, &t, &o.one))
        return false;
    set_constant(&t, 0);
    if (!scaled_result(&space, i, lane, j, &t, &o.zero) || (last && !scaled_result(&space, last, after.lane, number, &t, &t)))
        return false; /* all variables have their number from here on */
    o.has_free = scaled_result(&space, i, lane, j, &x, &o.free);
    o.linear = reads_once(&reader);
    combine(&o.rise, 1, &o.one, -1, &o.zero, 0);
    return clamp_is_idle(&space, &x, &o, last ? &after : NULL);
}

bool fragprog_poly_chain_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned k, unsigned j, unsigned i, unsigned lane)
{
    struct space space = {.r = r, .p = p};
    const struct reader of_k = {&p->inst[j], k, lane}, of_j = {&p->inst[i], j, lane};
    struct outcome o;
    poly x, mid, t;
    if (p->inst[i].clamp != FRAGPROG_SAT || !scaled_result(&space, &p->inst[k], lane, 0, NULL, &x))
        return false;
    for (unsigned n = 0; n < 2; n++) {
        set_constant(&t, n);
        if (!scaled_result(&space, &p->inst[j], lane, k, &t, &mid) || !scaled_result(&space, &p->inst[i], lane, j, &mid, n ? &o.one : &o.zero))
            return false;
    }
    o.has_free = scaled_result(&space, &p->inst[j], lane, k, &x, &mid) && scaled_result(&space, &p->inst[i], lane, j, &mid, &o.free);
    o.linear = reads_once(&of_k) && reads_once(&of_j);
    combine(&o.rise, 1, &o.one, -1, &o.zero, 0);
    return clamp_is_idle(&space, &x, &o, NULL);
}

bool fragprog_poly_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, unsigned lane, struct fragprog_interval *range)
{
    struct space space = {.r = r, .p = p};
    double b[TERMS];
    poly x;
    if (!result(&space, inst, lane, 0, NULL, &x))
        return false;
    to_bernstein(b, &x, space.n);
    *range = (struct fragprog_interval){b[0], b[0]};
    for (unsigned i = 1; i < terms_of[space.n]; i++) {
        range->lo = b[i] < range->lo ? b[i] : range->lo;
        range->hi = b[i] > range->hi ? b[i] : range->hi;
    }
    return true;
}
