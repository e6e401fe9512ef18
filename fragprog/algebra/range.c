/* Range analysis: an interval for each channel of each value. */
#include "fragprog/algebra/derived.h"
#include "fragprog/algebra/expand.h"
#include "fragprog/operand.h"
#include "fragprog/unbounded.h"

#include <string.h>

typedef struct fragprog_interval interval;

/* The range of texture coordinates and of quotients, which may be any number. The bound is larger than every
 * bound of interest, and a power of 2, so that products stay exact. */
static const interval anything = {-1073741824.0, 1073741824.0};

/* Returns an interval that contains a folded constant and whose ends have few bits, so that sums and products
 * are exact. Beyond [-8,8] that is any number: the conversion to int would overflow for large ones. */
static interval known(double value)
{
    if (!(value >= -8 && value <= 8))
        return anything;
    double low = (double)(int)(value * 4096) / 4096;
    return value < 0 || low == value ? fragprog_point(value) : (interval){low, low + 1.0 / 4096};
}

/* Returns the range of a channel of a texel; the base format makes some channels 0 or 1 (GL 2.1 table
 * 3.15). */
static interval texel_range(unsigned base, unsigned channel)
{
    interval unit = {0, 1};
    bool alpha = channel == FRAGPROG_W;
    switch (base) {
    case TEXENV_BASE_ALPHA: return alpha ? unit : fragprog_point(0);
    case TEXENV_RED: return alpha ? fragprog_point(1) : channel == FRAGPROG_X ? unit : fragprog_point(0);
    case TEXENV_RG: return alpha ? fragprog_point(1) : channel == FRAGPROG_Z ? fragprog_point(0) : unit;
    case TEXENV_BASE_RGB:
    case TEXENV_LUMINANCE: return alpha ? fragprog_point(1) : unit;
    default: return unit;
    }
}

/* Returns the range of channel c of a source that is not a value. */
static interval input_range(const struct fragprog *p, const struct fragprog_src *src, unsigned c)
{
    if (src->file == FRAGPROG_CONST) {
        const int32_t origin = p->konst[src->index].origin[c].unit;
        if (origin >= FRAGPROG_ORIGIN_DERIVED)
            return fragprog_derived_range(origin);
        if (origin >= FRAGPROG_ORIGINS)
            return (interval){-FRAGPROG_ANY, FRAGPROG_ANY};
        if (origin < 0)
            return p->unbounded ? fragprog_interval_snap(fragprog_point(p->konst[src->index].value[c]))
                                : known(p->konst[src->index].value[c]);
    }
    if (src->file == FRAGPROG_COORD || src->file >= FRAGPROG_FOGCOORD)
        return p->unbounded ? (interval){-FRAGPROG_ANY, FRAGPROG_ANY} : anything;
    return (interval){0, 1};
}

static const interval literal[] = {
    [FRAGPROG_ZERO] = {0, 0}, [FRAGPROG_ONE] = {1, 1}, [FRAGPROG_HALF] = {0.5, 0.5}};

/* Returns the range of an operand whose source is in x, with its modifiers. */
static interval modified(interval x, unsigned mods, bool negate)
{
    if (negate)
        x = fragprog_interval_affine(-1, x, 0);
    if (mods & FRAGPROG_ABS)
        x = x.lo >= 0   ? x
            : x.hi <= 0 ? fragprog_interval_affine(-1, x, 0)
                        : (interval){0, -x.lo > x.hi ? -x.lo : x.hi};
    struct fragprog_affine a = fragprog_affine_of(mods);
    return fragprog_interval_affine(a.m, x, a.t);
}

struct fragprog_interval fragprog_src_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                            const struct fragprog_src *src, unsigned lane)
{
    const unsigned c = src->lane[lane];
    interval x = c > FRAGPROG_W       ? literal[c]
        : src->file == FRAGPROG_VALUE ? r->out[src->index][c]
                                      : input_range(p, src, c);
    if (!(src->mods | src->negate))
        return x;
    return modified(x, src->mods, src->negate >> lane & 1);
}

struct fragprog_interval fragprog_factor_range(unsigned factor, const struct fragprog_interval *args)
{
    if (factor == FRAGPROG_FACTOR_ONE)
        return fragprog_point(1);
    return factor == FRAGPROG_FACTOR_NOT_A ? fragprog_interval_affine(-1, args[0], 1) : args[factor];
}

/* Finds the ranges of an instruction's arguments in one lane. */
static void argument_ranges(const struct fragprog_ranges *r, const struct fragprog *p,
                            const struct fragprog_inst *inst, unsigned lane, interval *args)
{
    const unsigned n = fragprog_op_args(inst->op);
    for (unsigned s = 0; s < n; s++)
        args[s] = fragprog_src_range(r, p, &inst->src[s], lane);
}

static interval product_range(const struct fragprog_product *q, const interval *args)
{
    interval x = fragprog_factor_range(q->factor[0], args);
    if (q->factor[1] != FRAGPROG_FACTOR_ONE)
        x = fragprog_interval_product(x, fragprog_factor_range(q->factor[1], args));
    return q->sign < 0 ? fragprog_interval_affine(-1, x, 0) : x;
}

/* Returns the range of the result before the scale. lane: the result channel (for dot products any
 * channel). */
interval fragprog_op_range(const struct fragprog_ranges *r, const struct fragprog *p,
                           const struct fragprog_inst *inst, unsigned lane)
{
    interval v[3], sum = {0, 0};
    if (p->unbounded)
        return p->unbounded->range(r, p, inst, lane);
    if (inst->op == FRAGPROG_TEX)
        return inst->shadow ? (interval){0, 1} : texel_range(inst->base, lane);
    if (inst->op == FRAGPROG_PROJ)
        return anything;
    if (!fragprog_op_is_dot(inst->op))
        argument_ranges(r, p, inst, lane, v);
    if (inst->op == FRAGPROG_CND || inst->op == FRAGPROG_CND0)
        return fragprog_hull(v[0], v[1]);
    if (fragprog_op_is_blend(inst->op) && v[0].lo >= 0 && v[0].hi <= 1)
        return fragprog_hull(v[1], v[2]);
    for (const struct fragprog_product *q = fragprog_formula(inst->op); q->sign; q++) {
        if (!q->lanes)
            sum = fragprog_interval_sum(sum, product_range(q, v));
        for (unsigned i = 0; i < 4; i++)
            if (q->lanes >> i & 1) {
                argument_ranges(r, p, inst, i, v);
                sum = fragprog_interval_sum(sum, product_range(q, v));
            }
    }
    return sum;
}

/* Returns true if two arguments read the same channel of a source, so that their ranges are not independent.
 * A blend counts as such, because it uses its weight twice. */
static bool depends(const struct fragprog_inst *inst, unsigned c)
{
    if (fragprog_op_is_blend(inst->op))
        return true;
    for (unsigned s = 1, args = fragprog_op_args(inst->op); s < args; s++)
        for (unsigned t = 0; t < s; t++)
            if (inst->src[s].file == inst->src[t].file && inst->src[s].index == inst->src[t].index &&
                inst->src[s].lane[c] == inst->src[t].lane[c])
                return true;
    return false;
}

/* One argument in a channel: m*x + t, where x is the source that is read twice, or, if m is 0, an independent
 * value in `range`. */
struct in_channel {
    double m, t;
    interval range;
};

/* Returns bounds of p2*x^2 + p1*x + p0 for x in [0,1], from its Bernstein coefficients, plus those of
 * `added`. */
static interval quadratic(double p2, double p1, double p0, interval added)
{
    const double end = p0 + p1 + p2, middle = p2 != 0 ? p0 + p1 / 2 : p0;
    interval x = fragprog_hull(fragprog_point(p0), fragprog_point(end));
    x = fragprog_hull(x, fragprog_point(middle));
    return fragprog_interval_sum(x, added);
}

/* Returns the range of a*b + c, where at least one of the factors depends on x. */
static interval of_product(const struct in_channel *a, const struct in_channel *b, const struct in_channel *c)
{
    const interval added = c->m == 0 ? c->range : fragprog_point(0);
    const double t = c->m == 0 ? 0 : c->t;
    if (a->m != 0 && b->m != 0)
        return quadratic(a->m * b->m, a->m * b->t + a->t * b->m + c->m, a->t * b->t + t, added);
    if (a->m == 0)
        return of_product(b, a, c);
    const interval low = quadratic(0, a->m * b->range.lo + c->m, a->t * b->range.lo + t, added),
                   high = quadratic(0, a->m * b->range.hi + c->m, a->t * b->range.hi + t, added);
    return fragprog_hull(low, high);
}

/* A closed form of fragprog_expanded_range for sums and products in which one source with the range [0,1]
 * occurs twice in this channel and all others are independent. Returns false for other instructions. */
static bool dependent_range(const struct fragprog_inst *inst, unsigned c, const interval *v, interval *range)
{
    struct in_channel arg[3];
    const struct fragprog_src *shared = NULL;
    const unsigned args = fragprog_op_args(inst->op);
    if (inst->op != FRAGPROG_ADD && inst->op != FRAGPROG_SUB && inst->op != FRAGPROG_MUL &&
        inst->op != FRAGPROG_MAD)
        return false;
    for (unsigned s = 1; s < args && !shared; s++)
        for (unsigned t = 0; t < s && !shared; t++)
            if (inst->src[s].file == inst->src[t].file && inst->src[s].index == inst->src[t].index &&
                inst->src[s].lane[c] == inst->src[t].lane[c] && inst->src[s].lane[c] <= FRAGPROG_W)
                shared = &inst->src[s];
    for (unsigned s = 0; s < args && shared; s++) {
        const struct fragprog_src *src = &inst->src[s];
        const struct fragprog_affine a = fragprog_affine_of(src->mods);
        const bool same_one = src->file == shared->file && src->index == shared->index &&
            src->lane[c] == shared->lane[c];
        arg[s] = (struct in_channel){same_one ? a.m : 0, a.t, v[s]};
        const double low = a.m < 0 ? a.m + a.t : a.t, high = a.m < 0 ? a.t : a.m + a.t;
        if (src->negate >> c & 1 || src->mods & FRAGPROG_ABS ||
            (same_one && (arg[s].range.lo != low || arg[s].range.hi != high)))
            return false; /* the shared source does not cover [0,1] */
    }
    if (!shared)
        return false;
    static const struct in_channel one = {0, 0, {1, 1}}, zero = {0, 0, {0, 0}};
    if (inst->op == FRAGPROG_SUB)
        arg[1].m = -arg[1].m, arg[1].t = -arg[1].t;
    *range = inst->op == FRAGPROG_MUL ? of_product(&arg[0], &arg[1], &zero)
        : inst->op == FRAGPROG_MAD    ? of_product(&arg[0], &arg[1], &arg[2])
                                      : of_product(&arg[0], &one, &arg[1]);
    *range = fragprog_interval_affine(fragprog_power(inst->scale), *range, 0);
    return true;
}

static bool same(interval a, interval b) { return a.lo == b.lo && a.hi == b.hi; }

/* Returns true for a blend of two arguments with the same range by a weight that covers [0,1]. The blend then
 * has that range, too, even if some arguments are the same variable. */
static bool is_even_blend(unsigned op, const interval *v)
{
    return op == FRAGPROG_LERP && v[0].lo == 0 && v[0].hi == 1 && same(v[1], v[2]);
}

/* Returns the range in channel c before the clamp for an instruction that reads a source twice. x: range of
 * the operation; v: ranges of the arguments. */
static interval narrowed(const struct fragprog_ranges *r, const struct fragprog *p,
                         const struct fragprog_inst *inst, unsigned c, const interval *v, interval x)
{
    interval tight;
    x = fragprog_interval_affine(fragprog_power(inst->scale), x, 0);
    if (depends(inst, c) && !is_even_blend(inst->op, v) &&
        (dependent_range(inst, c, v, &tight) || fragprog_expanded_range(r, p, inst, c, &tight)))
        x = (interval){tight.lo > x.lo ? tight.lo : x.lo, tight.hi < x.hi ? tight.hi : x.hi};
    return x;
}

/* Returns the range in channel c before the clamp. twice: the instruction may read a source twice. */
static interval raw_range(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_inst *inst, bool twice, unsigned c)
{
    const interval x = fragprog_op_range(r, p, inst, c);
    if (twice && !p->unbounded) {
        interval v[3];
        argument_ranges(r, p, inst, c, v);
        return narrowed(r, p, inst, c, v, x);
    }
    const interval scaled = fragprog_interval_affine(fragprog_power(inst->scale), x, 0);
    return p->unbounded ? fragprog_interval_snap(scaled) : scaled;
}

bool fragprog_channels_alike(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, bool same_sources, unsigned b, unsigned c)
{
    if (inst->op == FRAGPROG_TEX || fragprog_op_is_dot(inst->op))
        return inst->op != FRAGPROG_TEX;
    if (inst->op > FRAGPROG_DOT2ADD)
        return false; /* the channels of lit, dst and xpd are computed differently */
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const struct fragprog_src *src = &inst->src[s];
        unsigned x = src->lane[b], y = src->lane[c];
        if ((src->negate >> b ^ src->negate >> c) & 1)
            return false;
        if (same_sources && !(x == b && y == c) && !(x == y && x >= FRAGPROG_W))
            return false;
        if (x == y)
            continue;
        if (x > FRAGPROG_W || y > FRAGPROG_W ||
            (src->file == FRAGPROG_VALUE && !same(r->out[src->index][x], r->out[src->index][y])))
            return false;
        if (src->file != FRAGPROG_CONST)
            continue;
        const int32_t of_x = p->konst[src->index].origin[x].unit, of_y = p->konst[src->index].origin[y].unit;
        const bool colours = of_x < TEXENV_UNITS && of_y < TEXENV_UNITS; /* both in [0,1] */
        if (of_x < 0 || of_y < 0 || (of_x != of_y && !colours))
            return false;
    }
    return true;
}

/* Finds the range of a source. Returns false if the range is not the same in all lanes that are read, or not
 * easy to determine. */
static bool even_source(const struct fragprog_ranges *r, const struct fragprog *p,
                        const struct fragprog_src *src, unsigned lanes, interval *x)
{
    const uint32_t word = fragprog_lane_word(src->lane, lanes);
    if (word & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE) {
        const unsigned lane = src->lane[fragprog_first_lane(lanes)];
        if (word != fragprog_same_lanes(lane, lanes))
            return false;
        *x = literal[lane];
    } else if (src->file == FRAGPROG_VALUE) {
        if (!(r->flags[src->index] & FRAGPROG_EVEN))
            return false;
        *x = r->out[src->index][0];
    } else if (src->file == FRAGPROG_CONST) {
        if (!fragprog_is_unit_constant(&p->konst[src->index]))
            return false;
        *x = (interval){0, 1};
    } else if (src->file == FRAGPROG_PRIMARY || src->file == FRAGPROG_SECONDARY) {
        *x = (interval){0, 1};
    } else {
        return false;
    }
    const unsigned negated = src->negate & lanes;
    if (negated || src->mods & FRAGPROG_ABS) {
        *x = modified(*x, src->mods, negated != 0);
        return negated == 0 || negated == lanes;
    }
    if (src->mods)
        *x = fragprog_interval_affine(fragprog_affine_of(src->mods).m, *x, fragprog_affine_of(src->mods).t);
    return true;
}

/* Does the same as even_source for all arguments, except for the condition of conditional operations, which
 * does not affect the range. */
static bool even_arguments(const struct fragprog_ranges *r, const struct fragprog *p,
                           const struct fragprog_inst *inst, interval *v)
{
    const unsigned op = inst->op, args = op >= FRAGPROG_CND ? 2 : fragprog_op_args(op);
    const unsigned lanes = op == FRAGPROG_DOT3 ? 7 : op == FRAGPROG_DOT4 ? 15 : inst->mask;
    if (p->unbounded || op < FRAGPROG_MOV || op > FRAGPROG_CND0)
        return false;
    for (unsigned s = 0; s < args; s++)
        if (!even_source(r, p, &inst->src[s], lanes, &v[s]))
            return false;
    return true;
}

/* Computes the range of the result from the ranges v of the arguments. */
static bool even_result(unsigned op, const interval *v, interval *x)
{
    switch (op) {
    case FRAGPROG_MOV: *x = v[0]; break;
    case FRAGPROG_ADD: *x = fragprog_interval_sum(v[0], v[1]); break;
    case FRAGPROG_SUB: *x = (interval){v[0].lo - v[1].hi, v[0].hi - v[1].lo}; break;
    case FRAGPROG_MUL: *x = fragprog_interval_product(v[0], v[1]); break;
    case FRAGPROG_MAD: *x = fragprog_interval_sum(fragprog_interval_product(v[0], v[1]), v[2]); break;
    case FRAGPROG_DOT3:
    case FRAGPROG_DOT4:
        *x = fragprog_interval_affine(op == FRAGPROG_DOT3 ? 3 : 4, fragprog_interval_product(v[0], v[1]), 0);
        break;
    case FRAGPROG_LERP:
        if (v[0].lo < 0 || v[0].hi > 1)
            return false;
        *x = fragprog_hull(v[1], v[2]);
        break;
    default: *x = fragprog_hull(v[0], v[1]); break; /* conditional operations */
    }
    return true;
}

bool fragprog_even_range(const struct fragprog_ranges *r, const struct fragprog *p,
                         const struct fragprog_inst *inst, struct fragprog_interval *range)
{
    interval v[3];
    return even_arguments(r, p, inst, v) && even_result(inst->op, v, range);
}

/* Applies the clamp. Without one, registers of ATI_fragment_shader hold at least [-8,8] and may clamp to it;
 * those of unbounded programs do not clamp. */
static interval clamped(const struct fragprog *p, const struct fragprog_inst *inst, interval raw)
{
    return inst->clamp == FRAGPROG_SAT ? fragprog_interval_clamp(raw, 0, 1)
        : inst->clamp == FRAGPROG_SAT8 ? fragprog_interval_clamp(raw, -8, 8)
        : p->unbounded                 ? raw
                                       : fragprog_hull(raw, fragprog_interval_clamp(raw, -8, 8));
}

/* Stores the range `raw`, before the clamp, for all channels. */
static void put_even(struct fragprog_ranges *r, const struct fragprog *p, unsigned i, interval raw)
{
    const interval out = clamped(p, &p->inst[i], raw);
    for (unsigned c = 0; c < 4; c++) {
        r->raw[i][c] = raw;
        r->out[i][c] = out;
    }
    r->flags[i] = out.lo == out.hi   ? FRAGPROG_EVEN | FRAGPROG_POINT
        : out.lo == 0 && out.hi == 1 ? FRAGPROG_EVEN | FRAGPROG_UNIT
                                     : FRAGPROG_EVEN;
}

/* Finds and stores the ranges of each channel. */
static void put_channels(struct fragprog_ranges *r, const struct fragprog *p, unsigned i, bool twice)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const unsigned first = fragprog_first_lane(inst->mask);
    bool even = true, point = true;
    interval raw = {0, 0}, out = {0, 0};
    for (unsigned c = 0, last = 4; c < 4; c++) {
        interval *const raws = &r->raw[i][c], *const outs = &r->out[i][c];
        if (!(inst->mask >> c & 1)) {
            *raws = *outs = fragprog_point(0);
            continue;
        }
        if (!(last < 4 && fragprog_channels_alike(r, p, inst, twice, last, c))) {
            raw = raw_range(r, p, inst, twice, c);
            out = clamped(p, inst, raw);
        }
        *raws = raw;
        *outs = out;
        point = point && out.lo == out.hi && same(out, r->out[i][first]);
        even = even && same(raw, r->raw[i][first]) && same(out, r->out[i][first]);
        last = c;
    }
    r->flags[i] = point ? FRAGPROG_POINT : 0;
    if (even)
        put_even(r, p, i, raw);
}

/* Returns true if arguments that read the same source read the same lanes of it. If the channels of each
 * source then have equal ranges, so have the channels of the result. */
static bool reads_alike(const struct fragprog_inst *inst)
{
    const unsigned args = fragprog_op_args(inst->op);
    if (!fragprog_op_reads_own(inst->op))
        return false;
    for (unsigned s = 1; s < args; s++)
        for (unsigned t = 0; t < s; t++)
            if (inst->src[s].index == inst->src[t].index && inst->src[s].file == inst->src[t].file &&
                fragprog_lane_word(inst->src[s].lane, inst->mask) !=
                    fragprog_lane_word(inst->src[t].lane, inst->mask))
                return false;
    return true;
}

void fragprog_put_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i,
                        struct fragprog_interval x)
{
    put_even(r, p, i, fragprog_interval_affine(fragprog_power(p->inst[i].scale), x, 0));
}

void fragprog_compute_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const bool twice = inst->op != FRAGPROG_MOV && fragprog_reads_twice(inst);
    interval v[3], x;
    if (!even_arguments(r, p, inst, v) || !even_result(inst->op, v, &x) || (twice && !reads_alike(inst))) {
        put_channels(r, p, i, twice);
        return;
    }
    if (twice)
        x = narrowed(r, p, inst, fragprog_first_lane(inst->mask), v, x);
    else if (inst->scale)
        x = fragprog_interval_affine(fragprog_power(inst->scale), x, 0);
    put_even(r, p, i, x);
}

void fragprog_find_ranges(struct fragprog_ranges *r, const struct fragprog *p)
{
    for (unsigned i = 0; i < p->ninst; i++)
        fragprog_find_range(r, p, i);
}
