/* Range analysis of unbounded programs.
 *
 * A bound is a multiple of 2^-12 of at most 2^13, or FRAGPROG_ANY for infinity; after each operation the
 * bounds are rounded outwards to such numbers. Therefore sums and products of bounds are exact in double
 * precision for any program, and infinity is never multiplied by 0. An undefined result has the range of all
 * numbers. */
#include "fragprog/algebra/range.h"

typedef struct fragprog_interval interval;

enum { GRID = 4096, MOST = 8192 };

static double down(double x)
{
    if (x < -MOST)
        return -FRAGPROG_ANY;
    if (x > MOST)
        return MOST;
    const double steps = (double)(int32_t)(x * GRID) / GRID; /* rounds towards 0 */
    return steps > x ? steps - 1.0 / GRID : steps;
}

struct fragprog_interval fragprog_interval_snap(struct fragprog_interval x)
{
    return (interval){down(x.lo), -down(-x.hi)};
}

static const interval any = {-FRAGPROG_ANY, FRAGPROG_ANY}, positive = {0, FRAGPROG_ANY}, unit = {0, 1},
                      both = {-1, 1};

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static interval argument(const struct fragprog_ranges *r, const struct fragprog *p,
                         const struct fragprog_inst *inst, unsigned s, unsigned lane)
{
    return fragprog_interval_snap(fragprog_src_range(r, p, &inst->src[s], lane));
}

/* Returns the range of a sum of products, over lanes or in one channel. */
static interval formula_range(const struct fragprog_ranges *r, const struct fragprog *p,
                              const struct fragprog_inst *inst, unsigned channel)
{
    interval sum = {0, 0};
    for (const struct fragprog_product *q = fragprog_formula(inst->op); q->sign; q++)
        for (unsigned i = 0; i < 4; i++) {
            interval v[3];
            if (!(q->lanes ? q->lanes >> i & 1 : i == channel))
                continue;
            for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
                v[s] = argument(r, p, inst, s, i);
            interval x = fragprog_interval_product(fragprog_factor_range(q->factor[0], v),
                                                   fragprog_factor_range(q->factor[1], v));
            sum = fragprog_interval_sum(sum, fragprog_interval_affine(q->sign, x, 0));
        }
    return sum;
}

/* Returns the range of a scalar function; `channel` is in the instruction's mask. */
static interval function_range(const struct fragprog_ranges *r, const struct fragprog *p,
                               const struct fragprog_inst *inst, unsigned channel)
{
    const interval x = argument(r, p, inst, 0, channel);
    switch (inst->op) {
    case FRAGPROG_RSQ: return positive;
    case FRAGPROG_EX2: return x.hi <= 0 ? unit : positive;
    case FRAGPROG_POW: /* 2^(B * log2 A), A > 0 */
        return x.hi <= 1 && argument(r, p, inst, 1, channel).lo >= 0 ? unit : positive;
    case FRAGPROG_SIN:
    case FRAGPROG_COS:
    case FRAGPROG_SCS: return both;
    default: return any;
    }
}

static interval lit_range(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_inst *inst, unsigned channel)
{
    if (channel == FRAGPROG_X || channel == FRAGPROG_W)
        return fragprog_point(1);
    const interval x = argument(r, p, inst, 0, FRAGPROG_X);
    if (channel == FRAGPROG_Y)
        return (interval){most(x.lo, 0), most(x.hi, 0)};
    return argument(r, p, inst, 0, FRAGPROG_Y).hi <= 1 && argument(r, p, inst, 0, FRAGPROG_W).lo >= 0
        ? unit
        : positive;
}

static interval dst_range(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_inst *inst, unsigned channel)
{
    switch (channel) {
    case FRAGPROG_X: return fragprog_point(1);
    case FRAGPROG_Y:
        return fragprog_interval_product(argument(r, p, inst, 0, FRAGPROG_Y),
                                         argument(r, p, inst, 1, FRAGPROG_Y));
    case FRAGPROG_Z: return argument(r, p, inst, 0, FRAGPROG_Z);
    default: return argument(r, p, inst, 1, FRAGPROG_W);
    }
}

static interval xpd_range(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_inst *inst, unsigned channel)
{
    const unsigned a = (channel + 1) % 3, b = (channel + 2) % 3;
    const interval first = fragprog_interval_product(argument(r, p, inst, 0, a), argument(r, p, inst, 1, b)),
                   second = fragprog_interval_product(argument(r, p, inst, 0, b), argument(r, p, inst, 1, a));
    return fragprog_interval_sum(first, fragprog_interval_affine(-1, second, 0));
}

/* Returns the range of MIN, MAX, SGE and SLT in one channel, from the ranges of both arguments. */
static interval pair_range(unsigned op, interval a, interval b)
{
    switch (op) {
    case FRAGPROG_MIN: return (interval){least(a.lo, b.lo), least(a.hi, b.hi)};
    case FRAGPROG_MAX: return (interval){most(a.lo, b.lo), most(a.hi, b.hi)};
    default: break; /* SGE, SLT */
    }
    const bool sge = op == FRAGPROG_SGE;
    if (a.lo >= b.hi)
        return fragprog_point(sge);
    return a.hi < b.lo ? fragprog_point(!sge) : unit;
}

struct fragprog_interval fragprog_unbounded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                                  const struct fragprog_inst *inst, unsigned channel)
{
    interval a, b;
    switch (inst->op) {
    case FRAGPROG_TEX:
    case FRAGPROG_TXB: return inst->shadow ? unit : any;
    case FRAGPROG_LIT: return lit_range(r, p, inst, channel);
    case FRAGPROG_DST: return dst_range(r, p, inst, channel);
    case FRAGPROG_XPD: return xpd_range(r, p, inst, channel);
    case FRAGPROG_MIN:
    case FRAGPROG_MAX:
    case FRAGPROG_SGE:
    case FRAGPROG_SLT:
        return pair_range(inst->op, argument(r, p, inst, 0, channel), argument(r, p, inst, 1, channel));
    case FRAGPROG_FRC: return unit;
    case FRAGPROG_FLR: a = argument(r, p, inst, 0, channel); return (interval){a.lo - 1, a.hi};
    case FRAGPROG_CND:
    case FRAGPROG_CND0:
        return fragprog_hull(argument(r, p, inst, 0, channel), argument(r, p, inst, 1, channel));
    case FRAGPROG_LERP:
        a = argument(r, p, inst, 1, channel);
        b = argument(r, p, inst, 0, channel);
        if (b.lo >= 0 && b.hi <= 1)
            return fragprog_hull(a, argument(r, p, inst, 2, channel));
        return formula_range(r, p, inst, channel);
    default:
        if (fragprog_op_is_scalar(inst->op))
            return function_range(r, p, inst, channel);
        return fragprog_formula(inst->op)->sign ? formula_range(r, p, inst, channel) : any;
    }
}
