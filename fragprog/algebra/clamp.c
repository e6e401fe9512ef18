/* Decides when a clamp can be removed. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/algebra/expand.h"

#include <string.h>

typedef struct fragprog_interval interval;
typedef struct fragprog_poly poly;

/* ---- by ranges ---- */

/* Let x be the unclamped value and sat(k*x + b) the reader. If x is clamped, the reader gives sat(k + b)
 * where x > 1, and sat(b) where x < 0. It gives the same for the unclamped x iff the reader is itself
 * saturated there (rules.def, CLAMP rows). If x can be > 1, k > 0 requires k + b >= 1, and k < 0 requires k +
 * b <= 0. If x can be < 0, k > 0 requires b <= 0, and k < 0 requires b >= 1. */
static bool saturates(interval x, interval k, interval b)
{
    if (x.hi > 1) {
        if (k.hi > 0 && (k.lo > 0 ? k.lo : 0) + b.lo < 1)
            return false;
        if (k.lo < 0 && (k.hi < 0 ? k.hi : 0) + b.hi > 0)
            return false;
    }
    if (x.lo < 0) {
        if (k.hi > 0 && b.hi > 0)
            return false;
        if (k.lo < 0 && b.lo < 1)
            return false;
    }
    return true;
}

/* A reader k*x + b of x. */
struct line {
    interval k, b;
};

/* Expresses the scaled, unclamped result in lane `lane` as a linear function of argument s. Returns false if
 * it is not linear in that argument. */
static bool linear_in(const struct fragprog_ranges *r, const struct fragprog *p,
                      const struct fragprog_inst *i, unsigned s, unsigned lane, struct line *line)
{
    struct fragprog_affine a = fragprog_affine_of(i->src[s].mods);
    interval v[3], slope = fragprog_point(0), rest = slope;
    if (i->src[s].mods & FRAGPROG_ABS || !fragprog_op_is_polynomial(i->op) || i->op == FRAGPROG_VEC)
        return false;
    if (s == 0 && fragprog_op_is_blend(i->op))
        return false; /* undefined outside [0,1] */
    if (i->src[s].negate & 1u << lane)
        a.m = -a.m;
    for (unsigned n = 0; n < fragprog_op_args(i->op); n++)
        v[n] = fragprog_src_range(r, p, &i->src[n], lane);
    for (const struct fragprog_product *q = fragprog_formula(i->op); q->sign; q++) {
        const bool first = q->factor[0] == s, second = q->factor[1] == s;
        const interval x = first ? fragprog_point(1) : fragprog_factor_range(q->factor[0], v);
        const interval y = second ? fragprog_point(1) : fragprog_factor_range(q->factor[1], v);
        interval *to = first || second ? &slope : &rest;
        *to = fragprog_interval_sum(*to,
                                    fragprog_interval_affine(q->sign, fragprog_interval_product(x, y), 0));
    }
    const double scale = fragprog_power(i->scale);
    line->k = fragprog_interval_affine(scale * a.m, slope, 0);
    line->b = fragprog_interval_affine(
        scale, fragprog_interval_sum(fragprog_interval_affine(a.t, slope, 0), rest), 0);
    return true;
}

/* ---- by polynomials ---- */

/* The set of inputs for which y > 0. */
struct region {
    const struct fragprog_sources *sources;
    poly y;
};

/* Returns true if m*a + t >= 0 is proved in the region. */
static bool holds(const struct region *region, double m, const poly *a, double t)
{
    poly z;
    fragprog_poly_affine(&z, m, a, t);
    return fragprog_poly_implies(&region->y, &z, region->sources->box);
}

/* Returns true if a >= 1 in the region, so that a clamp to [0,1] gives 1. */
static bool is_high(const struct region *region, const poly *a) { return holds(region, 1, a, -1); }

/* Returns true if a <= 0 in the region, so that a clamp to [0,1] gives 0. */
static bool is_low(const struct region *region, const poly *a) { return holds(region, -1, a, 0); }

static bool reads_once(const struct fragprog_reader *reader)
{
    unsigned n = 0;
    for (unsigned s = 0; s < fragprog_op_args(reader->inst->op); s++)
        n += reader->inst->src[s].file == FRAGPROG_VALUE && reader->inst->src[s].index == reader->value;
    return n == 1;
}

/* Computes f(g), where f is the reader; g NULL: f as an ordinary instruction. */
static bool of_reader(struct fragprog_sources *sources, const struct fragprog_reader *reader, const poly *g,
                      poly *out)
{
    const struct fragprog_src in_lane = fragprog_src_replicate(FRAGPROG_VALUE, 0, reader->lane);
    return fragprog_expand(sources, reader->inst, &in_lane, reader->value, g, out);
}

/* Computes f(0) or f(1), for end 0 or 1. */
static bool at_end(struct fragprog_sources *sources, const struct fragprog_reader *reader, unsigned end,
                   poly *out)
{
    poly g;
    fragprog_poly_constant(&g, end);
    return of_reader(sources, reader, &g, out);
}

/* Returns true if in the region the reader f is proved to give 1 (high) or 0 for sat(g), which is g, 0 (where
 * g < 0) or 1 (where g > 1). If f reads its argument only once, f is linear. A bound that holds for f(0) and
 * f(1) then also holds between them; furthermore f(g) >= 1 for some g < 0 implies f(0) >= 1 if f rises, and
 * for some g > 1 it implies f(1) >= 1 if f falls. */
static bool ends_at(struct fragprog_sources *sources, const struct region *region,
                    const struct fragprog_reader *reader, const poly *g, bool high)
{
    poly f_of_g, f_of[2], rise;
    bool ends[2], linear = reads_once(reader);
    for (unsigned n = 0; n < 2; n++) {
        if (!at_end(sources, reader, n, &f_of[n]))
            return false;
        ends[n] = high ? is_high(region, &f_of[n]) : is_low(region, &f_of[n]);
    }
    if (linear && ends[0] && ends[1])
        return true;
    if (!of_reader(sources, reader, g, &f_of_g) ||
        !(high ? is_high(region, &f_of_g) : is_low(region, &f_of_g)))
        return false;
    fragprog_poly_sum(&rise, high ? 1 : -1, &f_of[1], high ? -1 : 1, &f_of[0], 0);
    ends[0] = ends[0] || holds(region, 1, g, 0) || (linear && holds(region, 1, &rise, 0));
    ends[1] = ends[1] || holds(region, -1, g, 1) || (linear && holds(region, -1, &rise, 0));
    return ends[0] && ends[1];
}

/* The results of a reader of x before its clamp. */
struct outcome {
    /* free: the result for the unclamped x; one and zero: the results for 1 and 0, to which the clamp limits
     * x */
    poly free, one, zero;
    poly rise;     /* one - zero: the slope of a reader that is linear in x */
    bool has_free; /* `free` is valid: its degree is not too high */
    bool linear;
};

/* Returns true if it is proved that in the region, where x > 1 (upper) or x < 0, the reader (or `last`) gives
 * the same result for x and for the clamped x. */
static bool makes_no_difference(struct fragprog_sources *sources, const struct region *region, bool upper,
                                const struct outcome *o, const struct fragprog_reader *last)
{
    const poly *clamped = upper ? &o->one : &o->zero;
    if (is_high(region, clamped) &&
        ((o->linear && holds(region, upper ? 1 : -1, &o->rise, 0)) ||
         (o->has_free && is_high(region, &o->free))))
        return true;
    if (is_low(region, clamped) &&
        ((o->linear && holds(region, upper ? -1 : 1, &o->rise, 0)) ||
         (o->has_free && is_low(region, &o->free))))
        return true;
    if (last && o->has_free)
        for (unsigned high = 0; high < 2; high++)
            if (ends_at(sources, region, last, clamped, high) &&
                ends_at(sources, region, last, &o->free, high))
                return true;
    return false;
}

/* Returns true if the clamp of x is proved redundant for the reader with results *o, or for `last` (may be
 * NULL), which is the only instruction that reads it. */
static bool is_idle(struct fragprog_sources *sources, const poly *x, const struct outcome *o,
                    const struct fragprog_reader *last)
{
    struct region part = {.sources = sources};
    fragprog_poly_affine(&part.y, 1, x, -1); /* where the upper clamp acts */
    if (!makes_no_difference(sources, &part, true, o, last))
        return false;
    fragprog_poly_affine(&part.y, -1, x, 0); /* where the lower clamp acts */
    return makes_no_difference(sources, &part, false, o, last);
}

/* Returns the channel of value j that instruction i reads in this lane, or -1 if it reads none or several. */
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

bool fragprog_clamp_is_proved_idle(const struct fragprog_ranges *r, const struct fragprog *p,
                                   const struct fragprog_reader *reader, const struct fragprog_reader *last)
{
    struct fragprog_sources sources = {.p = p, .ranges = r, .lanes = 1};
    struct outcome o;
    poly x, t;
    const int channel = channel_read(reader->inst, reader->value, reader->lane);
    if (channel < 0 || reader->inst->clamp != FRAGPROG_SAT)
        return false;
    const struct fragprog_reader made = {&p->inst[reader->value], FRAGPROG_TEXENV_INSTS, (unsigned)channel};
    if (!of_reader(&sources, &made, NULL, &x) || !at_end(&sources, reader, 1, &o.one))
        return false;
    struct region above = {.sources = &sources};
    fragprog_poly_affine(&above.y, 1, &x, -1);
    if (!last && !is_high(&above, &o.one) && !is_low(&above, &o.one))
        return false; /* most clamps act */
    if (!at_end(&sources, reader, 0, &o.zero) || (last && !of_reader(&sources, last, &o.zero, &t)))
        return false; /* of `last`: fails early, and registers all its variables */
    o.has_free = of_reader(&sources, reader, &x, &o.free);
    o.linear = reads_once(reader);
    fragprog_poly_sum(&o.rise, 1, &o.one, -1, &o.zero, 0);
    return is_idle(&sources, &x, &o, last);
}

/* ---- both ---- */

/* Returns true if the clamp of value j does not change values in the range x. Without an explicit clamp,
 * registers of ATI_fragment_shader may clamp to [-8,8], and those of unbounded programs do not clamp. */
static bool is_idle_on(const struct fragprog *p, const struct fragprog_inst *j, interval x)
{
    return j->clamp == FRAGPROG_SAT ? x.lo >= 0 && x.hi <= 1
        : j->clamp || !p->unbounded ? x.lo >= -8 && x.hi <= 8
                                    : true;
}

/* Instruction i reads value j. Returns true if lane `lane` of i reads this lane of j, and in both
 * instructions it reads the same sources as the preceding colour lane, in corresponding channels and with
 * equal ranges, so that a proof for that lane also holds for this one. */
static bool as_lane_before(const struct fragprog *p, const struct fragprog_ranges *r,
                           const struct fragprog_inst *i, unsigned j, unsigned lane)
{
    return (lane == FRAGPROG_Y || lane == FRAGPROG_Z) && i->mask >> (lane - 1) & 1 &&
        p->inst[j].mask >> (lane - 1) & 1 && fragprog_channels_alike(r, p, i, true, lane - 1, lane) &&
        fragprog_channels_alike(r, p, &p->inst[j], true, lane - 1, lane) &&
        channel_read(i, j, lane) == (int)lane;
}

bool fragprog_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j,
                              const struct fragprog_inst *i, unsigned s)
{
    const struct fragprog_inst *made = &p->inst[j];
    const unsigned lanes = fragprog_lanes(i, s);
    if (r->flags[j] & FRAGPROG_EVEN && is_idle_on(p, made, r->raw[j][0]))
        return true;
    for (unsigned lane = 0; lane < 4; lane++) {
        const unsigned c = i->src[s].lane[lane];
        struct line line;
        if (!(lanes & 1u << lane) || c > FRAGPROG_W || is_idle_on(p, made, r->raw[j][c]))
            continue;
        /* the remaining tests are valid only in bounded programs */
        if (p->unbounded || made->clamp != FRAGPROG_SAT || i->clamp != FRAGPROG_SAT ||
            !linear_in(r, p, i, s, lane, &line))
            return false;
        const struct fragprog_reader reader = {i, j, lane};
        if (saturates(r->raw[j][c], line.k, line.b) || as_lane_before(p, r, i, j, lane))
            continue;
        if (!(reads_once(&reader) && fragprog_clamp_is_proved_idle(r, p, &reader, NULL)))
            return false;
    }
    return true;
}

/* Returns true if the clamp of value j may change the channel that lane `lane` of src reads. */
static bool acts(const struct fragprog *p, const struct fragprog_ranges *r, unsigned j,
                 const struct fragprog_src *src, unsigned lane)
{
    const interval raw = r->raw[j][src->lane[lane]];
    return p->inst[j].clamp == FRAGPROG_SAT ? raw.lo < 0 || raw.hi > 1 : raw.lo < -8 || raw.hi > 8;
}

/* Returns the only instruction that reads value i, or NULL. */
static const struct fragprog_inst *only_reader(const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *reader = NULL;
    if (p->result[0] == i || p->result[1] == i)
        return NULL;
    for (unsigned k = i + 1; k < p->ninst; k++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[k].op); s++)
            if (p->inst[k].src[s].file == FRAGPROG_VALUE && p->inst[k].src[s].index == i) {
                if (reader && reader != &p->inst[k])
                    return NULL;
                reader = &p->inst[k];
            }
    return reader && fragprog_is_polynomial(reader) ? reader : NULL;
}

/* Value i is the only reader of value j. Returns true if the clamp of j is redundant for the only instruction
 * that reads i. */
static bool may_go_for_reader(const struct fragprog *p, const struct fragprog_ranges *r, unsigned i,
                              unsigned j, const struct fragprog_src *through)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const struct fragprog_inst *last = only_reader(p, i);
    if (last && fragprog_op_is_blend(last->op) && last->src[0].file == FRAGPROG_VALUE &&
        last->src[0].index == i && (last->src[0].negate || last->src[0].mods & ~(unsigned)FRAGPROG_COMP))
        return false; /* the blend may be undefined for this weight, so it is not a polynomial */
    for (unsigned lane = 0; last && lane < 4; lane++) {
        if (!(last->mask & 1u << lane))
            continue;
        const int c = channel_read(last, i, lane);
        if (c < 0)
            return false;
        if (as_lane_before(p, r, inst, j, lane) && as_lane_before(p, r, last, i, lane))
            continue;
        const struct fragprog_reader reader = {inst, j, (unsigned)c}, after = {last, i, lane};
        if (acts(p, r, j, through, (unsigned)c) &&
            !(last->clamp == FRAGPROG_SAT && fragprog_clamp_is_proved_idle(r, p, &reader, &after)))
            return false;
    }
    return last != NULL;
}

bool fragprog_clamp_may_go(const struct fragprog *p, const struct fragprog_ranges *r, unsigned i, unsigned j,
                           const struct fragprog_src *through, unsigned reads)
{
    const struct fragprog_inst *inst = &p->inst[i];
    bool may = true;
    for (unsigned lane = 0; lane < 4 && may; lane++)
        if (inst->mask & 1u << lane && acts(p, r, j, through, lane) && !as_lane_before(p, r, inst, j, lane))
            may = p->inst[j].clamp == FRAGPROG_SAT &&
                fragprog_clamp_is_proved_idle(r, p, &(struct fragprog_reader){inst, j, lane}, NULL);
    if (may || p->inst[j].clamp != FRAGPROG_SAT)
        return may;
    if (reads == 1 && fragprog_clamp_droppable(r, p, j, inst, (unsigned)(through - inst->src)))
        return true;
    return may_go_for_reader(p, r, i, j, through);
}

void fragprog_drop_idle_clamps(struct fragprog *p, const struct fragprog_ranges *r, unsigned kinds)
{
    for (unsigned i = 0; i < p->ninst; i++) {
        const bool sat = p->inst[i].clamp == FRAGPROG_SAT;
        const double lo = sat ? 0 : -8, hi = sat ? 1 : 8;
        bool idle = kinds >> p->inst[i].clamp & 1;
        for (unsigned c = 0; c < 4; c++)
            idle &= !(p->inst[i].mask >> c & 1) || (r->raw[i][c].lo >= lo && r->raw[i][c].hi <= hi);
        if (idle)
            p->inst[i].clamp = FRAGPROG_NO_CLAMP;
    }
}
