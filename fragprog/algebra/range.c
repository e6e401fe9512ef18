/* Range analysis: an interval for each channel of each value. */
#include "fragprog/algebra/derived.h"
#include "fragprog/algebra/expand.h"
#include "fragprog/operand.h"

#include <string.h>

typedef struct fragprog_interval interval;

/* Texture coordinates, and what is divided: large enough for everything that is asked here; a power of 2, so
 * that products stay exact. */
static const interval anything = {-1073741824.0, 1073741824.0};

/* A folded constant, as an interval of few bits around it: sums and products of such numbers are exact. */
static interval known(double value)
{
    double low = (double)(int)(value * 4096) / 4096;
    return value < 0 || low == value ? fragprog_point(value) : (interval){low, low + 1.0 / 4096};
}

/* Channels that a texel's base format makes 0 or 1 (GL 2.1 table 3.15). */
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

/* What channel c of a source lies in that is no value. */
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

struct fragprog_interval fragprog_src_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                            const struct fragprog_src *src, unsigned lane)
{
    static const interval literal[] = {
        [FRAGPROG_ZERO] = {0, 0}, [FRAGPROG_ONE] = {1, 1}, [FRAGPROG_HALF] = {0.5, 0.5}};
    const unsigned c = src->lane[lane];
    interval x = c > FRAGPROG_W       ? literal[c]
        : src->file == FRAGPROG_VALUE ? r->out[src->index][c]
                                      : input_range(p, src, c);
    if (!(src->mods | src->negate))
        return x;
    if (src->negate & 1u << lane)
        x = fragprog_interval_affine(-1, x, 0);
    if (src->mods & FRAGPROG_ABS)
        x = x.lo >= 0   ? x
            : x.hi <= 0 ? fragprog_interval_affine(-1, x, 0)
                        : (interval){0, -x.lo > x.hi ? -x.lo : x.hi};
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    return fragprog_interval_affine(a.m, x, a.t);
}

struct fragprog_interval fragprog_factor_range(unsigned factor, const struct fragprog_interval *args)
{
    if (factor == FRAGPROG_FACTOR_ONE)
        return fragprog_point(1);
    return factor == FRAGPROG_FACTOR_NOT_A ? fragprog_interval_affine(-1, args[0], 1) : args[factor];
}

/* The ranges of an instruction's arguments in one lane. */
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

/* Before scale. lane: result channel (dots: any). */
interval fragprog_op_range(const struct fragprog_ranges *r, const struct fragprog *p,
                           const struct fragprog_inst *inst, unsigned lane)
{
    interval v[3], sum = {0, 0};
    if (p->unbounded)
        return fragprog_unbounded_range(r, p, inst, lane);
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

/* Some channel of a source stands in two arguments, so that their ranges are not independent; of a blend,
 * which reads its weight twice, some source. */
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

/* One argument in a channel: m*x + t, x being what it reads, or (m 0) whatever is in `range`. */
struct in_channel {
    double m, t;
    interval range;
};

/* The least and the greatest of p2*x^2 + p1*x + p0 and of what is added, x in [0,1], by Bernstein
 * coefficients. */
static interval quadratic(double p2, double p1, double p0, interval added)
{
    const double end = p0 + p1 + p2, middle = p2 != 0 ? p0 + p1 / 2 : p0;
    interval x = fragprog_hull(fragprog_point(p0), fragprog_point(end));
    x = fragprog_hull(x, fragprog_point(middle));
    return fragprog_interval_sum(x, added);
}

/* a*b + c, where x occurs in some of them: in a alone of the factors, or in both. */
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

/* What fragprog_expanded_range says of a sum or product in which one source, with all of [0,1], stands twice
 * in this channel, and the rest is independent. False: it is not so simple. */
static bool dependent_range(const struct fragprog_ranges *r, const struct fragprog *p,
                            const struct fragprog_inst *inst, unsigned c, interval *range, bool *known)
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
        arg[s] = (struct in_channel){same_one ? a.m : 0, a.t, fragprog_src_range(r, p, src, c)};
        const double low = a.m < 0 ? a.m + a.t : a.t, high = a.m < 0 ? a.t : a.m + a.t;
        if (src->negate >> c & 1 || src->mods & FRAGPROG_ABS ||
            (same_one && (arg[s].range.lo != low || arg[s].range.hi != high)))
            return false; /* not all of [0,1] */
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
    *known = true;
    return true;
}

/* The range in channel c, before the clamp. */
static interval raw_range(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_inst *inst, bool twice, unsigned c)
{
    interval x = fragprog_interval_affine(fragprog_power(inst->scale), fragprog_op_range(r, p, inst, c), 0),
             tight;
    bool known_tight = false;
    if (p->unbounded)
        return fragprog_interval_snap(x);
    if (twice && depends(inst, c) && !dependent_range(r, p, inst, c, &tight, &known_tight))
        known_tight = fragprog_expanded_range(r, p, inst, c, &tight);
    if (known_tight)
        x = (interval){tight.lo > x.lo ? tight.lo : x.lo, tight.hi < x.hi ? tight.hi : x.hi};
    return x;
}

static bool same(interval a, interval b) { return a.lo == b.lo && a.hi == b.hi; }

bool fragprog_channels_alike(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, bool same_sources, unsigned b, unsigned c)
{
    if (inst->op == FRAGPROG_TEX || fragprog_op_is_dot(inst->op))
        return inst->op != FRAGPROG_TEX;
    if (inst->op > FRAGPROG_DOT2ADD)
        return false; /* lit, dst, xpd: channels of their own */
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
        if (src->file == FRAGPROG_CONST &&
            (p->konst[src->index].origin[x].unit < 0 || p->konst[src->index].origin[y].unit < 0))
            return false;
    }
    return true;
}

void fragprog_forget_ranges(struct fragprog_ranges *r)
{
    r->now = 0;
    memset(r->time, 0, r->insts * sizeof *r->time);
    memset(r->touched, 0, r->insts * sizeof *r->touched);
    for (unsigned n = 0; n < FRAGPROG_WALKS; n++)
        memset(r->settled[n], 0, r->insts * sizeof *r->settled[n]);
}

/* Bytes of each instruction, but for the hash table. */
enum {
    EACH = 2 * sizeof(struct fragprog_interval[4]) + sizeof(struct fragprog_inst) +
        (5 + FRAGPROG_WALKS) * sizeof(uint32_t) + sizeof(uint16_t) + sizeof(uint8_t)
};
_Static_assert(sizeof(struct fragprog_ranges) + 64 + FRAGPROG_TEXENV_INSTS * EACH <= FRAGPROG_PASSES_SCRATCH,
               "FRAGPROG_PASSES_SCRATCH is too small");

static unsigned table_size(unsigned insts)
{
    unsigned size = 16;
    while (size < 2 * insts)
        size *= 2;
    return size;
}

/* What comes after them is aligned to 4. */
static size_t room_for_insts(size_t n) { return (n * sizeof(struct fragprog_inst) + 3) & ~(size_t)3; }

size_t fragprog_passes_scratch(unsigned insts)
{
    const size_t n = insts < FRAGPROG_TEXENV_INSTS ? FRAGPROG_TEXENV_INSTS : insts;
    return sizeof(struct fragprog_ranges) + 64 + n * EACH + table_size((unsigned)n) * sizeof(uint32_t);
}

struct fragprog_ranges *fragprog_ranges_over(void *scratch, const struct fragprog *p)
{
    struct fragprog_ranges *r = scratch;
    const unsigned n = p->ninst < FRAGPROG_TEXENV_INSTS ? FRAGPROG_TEXENV_INSTS : p->ninst;
    char *at = (char *)scratch + ((sizeof *r + 15) & ~(size_t)15);
    *r = (struct fragprog_ranges){.insts = n};
    r->raw = (void *)at;
    r->out = r->raw + n;
    r->of = (void *)(r->out + n);
    r->time = (void *)((char *)r->of + room_for_insts(n));
    r->touched = r->time + n;
    r->seen = (void *)(r->touched + n);
    r->settled[0] = (void *)(r->seen + n);
    for (unsigned k = 1; k < FRAGPROG_WALKS; k++)
        r->settled[k] = r->settled[k - 1] + n;
    fragprog_forget_ranges(r);
    r->uses = (void *)(r->settled[FRAGPROG_WALKS - 1] + n);
    if (p->unbounded) {
        r->table = r->settled[FRAGPROG_WALKS - 1] + n;
        r->table_mask = table_size(n) - 1;
        r->uses = (void *)(r->table + r->table_mask + 1);
    }
    r->unit = (void *)(r->uses + n);
    return r;
}

void fragprog_release_sources(struct fragprog_ranges *r, const struct fragprog_inst *inst)
{
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            r->touched[inst->src[s].index] = ++r->now;
}

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* The last change at i or what it reads. */
static uint32_t touched_around(const struct fragprog_ranges *r, const struct fragprog_inst *inst,
                               uint32_t last)
{
    const unsigned args = fragprog_op_args(inst->op);
    for (unsigned s = 0; s < args; s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            last = later(last, r->touched[inst->src[s].index]);
    return last;
}

bool fragprog_is_settled(const struct fragprog_ranges *r, const struct fragprog *p, unsigned walk, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const unsigned args = fragprog_op_args(inst->op);
    uint32_t last = touched_around(r, inst, r->touched[i]);
    for (unsigned s = 0; s < args; s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            last = touched_around(r, &p->inst[inst->src[s].index], last);
    return last <= r->settled[walk][i];
}

bool fragprog_range_is_of(const struct fragprog_ranges *r, const struct fragprog_inst *inst, unsigned i)
{
    return r->time[i] && !memcmp(&r->of[i], inst, sizeof *inst);
}

void fragprog_move_range(struct fragprog_ranges *r, const struct fragprog_inst *inst, unsigned from,
                         unsigned to)
{
    r->of[to] = *inst;
    if (from == to)
        return;
    memcpy(r->raw[to], r->raw[from], sizeof r->raw[to]);
    memcpy(r->out[to], r->out[from], sizeof r->out[to]);
    memcpy(r->seen[to], r->seen[from], sizeof r->seen[to]);
    r->unit[to] = r->unit[from];
    r->time[to] = r->time[from];
    r->touched[to] = r->touched[from];
    for (unsigned n = 0; n < FRAGPROG_WALKS; n++)
        r->settled[n][to] = r->settled[n][from];
}

/* The source is within [0,1], and can be all of it, in the lanes that are read, for all that is known. */
static bool is_unit(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_src *src,
                    unsigned lanes)
{
    if (src->negate & lanes || src->mods & ~(unsigned)FRAGPROG_COMP ||
        fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE)
        return false;
    const uint8_t *lane = src->lane;
    unsigned channels = 0;
    switch (src->file) {
    case FRAGPROG_PRIMARY:
    case FRAGPROG_SECONDARY: return true;
    case FRAGPROG_VALUE:
        for (unsigned i = 0; i < 4; i++)
            channels |= (lanes >> i & 1u) << (lane[i] & 3);
        return !(channels & ~(unsigned)r->unit[src->index]);
    case FRAGPROG_CONST:
        for (unsigned c = 0; c < 4; c++)
            if (p->konst[src->index].origin[c].unit < 0 ||
                p->konst[src->index].origin[c].unit >= FRAGPROG_ORIGINS)
                return false;
        return true;
    default: return false;
    }
}

bool fragprog_simple_range(const struct fragprog_ranges *r, const struct fragprog *p,
                           const struct fragprog_inst *inst, struct fragprog_interval *range)
{
    static const interval of[FRAGPROG_LERP + 1] = {
        [FRAGPROG_MOV] = {0, 1},  [FRAGPROG_ADD] = {0, 2}, [FRAGPROG_MUL] = {0, 1},
        [FRAGPROG_SUB] = {-1, 1}, [FRAGPROG_MAD] = {0, 2}, [FRAGPROG_LERP] = {0, 1}};
    if (p->unbounded)
        return false;
    *range = (interval){0, 1};
    if (inst->op == FRAGPROG_TEX)
        return inst->base == TEXENV_RGBA && inst->clamp == FRAGPROG_NO_CLAMP && !inst->scale;
    if (inst->op > FRAGPROG_LERP || of[inst->op].hi == 0)
        return false;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        if (!is_unit(r, p, &inst->src[s], inst->mask))
            return false;
    *range = of[inst->op];
    return true;
}

/* Without a clamp: the extension's registers hold at least [-8,8], a language's hold everything. */
static interval clamped(const struct fragprog *p, const struct fragprog_inst *inst, interval raw)
{
    return inst->clamp == FRAGPROG_SAT ? fragprog_interval_clamp(raw, 0, 1)
        : inst->clamp == FRAGPROG_SAT8 ? fragprog_interval_clamp(raw, -8, 8)
        : p->unbounded                 ? raw
                                       : fragprog_hull(raw, fragprog_interval_clamp(raw, -8, 8));
}

/* The ranges of value i are those of its sources now. True: they were others. */
static bool put_ranges(struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    interval raw, out;
    const bool twice = fragprog_reads_twice(inst), simple = !twice && fragprog_simple_range(r, p, inst, &raw);
    bool changed = false;
    unsigned unit = 0;
    if (simple) {
        const double power = fragprog_power(inst->scale);
        raw = (interval){raw.lo * power, raw.hi * power};
        out = clamped(p, inst, raw);
    }
    for (unsigned c = 0, before = 4; c < 4; c++) {
        interval *const raws = &r->raw[i][c], *const outs = &r->out[i][c];
        if (!(inst->mask >> c & 1)) {
            *raws = *outs = fragprog_point(0);
            continue;
        }
        if (!simple && !(before < 4 && fragprog_channels_alike(r, p, inst, twice, before, c))) {
            raw = raw_range(r, p, inst, twice, c);
            out = clamped(p, inst, raw);
        }
        changed = changed || !same(*outs, out) || !same(*raws, raw);
        *raws = raw;
        *outs = out;
        unit |= (out.lo == 0 && out.hi == 1 ? 1u : 0u) << c;
        before = c;
    }
    r->unit[i] = (uint8_t)unit;
    return changed;
}

void fragprog_find_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const unsigned args = fragprog_op_args(inst->op);
    const bool same_one = fragprog_range_is_of(r, inst, i);
    bool known = same_one;
    for (unsigned s = 0; s < args; s++) {
        const uint32_t time = inst->src[s].file == FRAGPROG_VALUE ? r->time[inst->src[s].index] : 0;
        known &= r->seen[i][s] == time;
        r->seen[i][s] = time;
    }
    if (known)
        return;
    if (!same_one) {
        if (r->time[i])
            fragprog_release_sources(r, &r->of[i]);
        fragprog_release_sources(r, inst);
        r->touched[i] = ++r->now;
        r->of[i] = *inst;
    }
    if (put_ranges(r, p, i) || !r->time[i])
        r->time[i] = r->touched[i] = ++r->now;
}

void fragprog_find_ranges(struct fragprog_ranges *r, const struct fragprog *p)
{
    fragprog_forget_ranges(r);
    for (unsigned i = 0; i < p->ninst; i++)
        fragprog_find_range(r, p, i);
}
