/* Range analysis: an interval for each channel of each value, and when a clamp may go. */
#include "fragprog/operand.h"
#include "fragprog/poly.h"

#include <string.h>

typedef struct fragprog_interval interval;

/* Texture coordinates, and what is divided: large enough for everything that is asked here; a power of 2, so that products stay exact. */
static const interval anything = {-1073741824.0, 1073741824.0};

static interval point(double x) { return (interval){x, x}; }
static interval add(interval a, interval b) { return (interval){a.lo + b.lo, a.hi + b.hi}; }
static interval negate(interval a) { return (interval){-a.hi, -a.lo}; }
static interval hull(interval a, interval b) { return (interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi}; }

static interval times(double m, interval a) { return m < 0 ? (interval){m * a.hi, m * a.lo} : (interval){m * a.lo, m * a.hi}; }

static interval mul(interval a, interval b) { return hull(hull(point(a.lo * b.lo), point(a.lo * b.hi)), hull(point(a.hi * b.lo), point(a.hi * b.hi))); }

static interval clamp(interval a, double lo, double hi)
{
    interval r = {a.lo < lo ? lo : a.lo > hi ? hi : a.lo, a.hi < lo ? lo : a.hi > hi ? hi : a.hi};
    return r;
}

struct fragprog_affine fragprog_affine_of(unsigned mods)
{
    struct fragprog_affine a = {1, 0};
    if (mods & FRAGPROG_COMP)
        a.m = -a.m, a.t = 1 - a.t;
    if (mods & FRAGPROG_BIAS)
        a.t -= 0.5;
    if (mods & FRAGPROG_2X)
        a.m *= 2, a.t *= 2;
    if (mods & FRAGPROG_NEG)
        a.m = -a.m, a.t = -a.t;
    return a;
}

int fragprog_mods_of(struct fragprog_affine a)
{
    /* By m from -2 to 2 and t in halves from -2 to 2; 0xff: none. Where two sets say the same, the one of fewer modifiers. */
    enum { COMP = FRAGPROG_COMP, NEG = FRAGPROG_NEG, BIAS = FRAGPROG_BIAS, X2 = FRAGPROG_2X, NONE = 0xff };
    static const uint8_t mods[5][9] = {
        {NONE, NONE, NONE, NONE, NEG | X2, NONE, NEG | BIAS | X2, NONE, COMP | X2},
        {NONE, NONE, NONE, NONE, NEG, NEG | BIAS, COMP, NONE, NONE},
        {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
        {NONE, NONE, COMP | NEG, BIAS, 0, NONE, NONE, NONE, NONE},
        {COMP | X2 | NEG, NONE, BIAS | X2, NONE, X2, NONE, NONE, NONE, NONE}};
    double halves = a.t * 2;
    if (!(a.m >= -2 && a.m <= 2 && halves >= -4 && halves <= 4) || a.m != (int)a.m || halves != (int)halves)
        return -1;
    unsigned found = mods[(int)a.m + 2][(int)halves + 4];
    return found == NONE ? -1 : (int)found;
}

/* A folded constant, as an interval of few bits around it: sums and products of such numbers are exact. */
static interval known(double value)
{
    double low = (double)(int)(value * 4096) / 4096;
    return value < 0 || low == value ? point(value) : (interval){low, low + 1.0 / 4096};
}

/* Channels that a texel's base format makes 0 or 1 (GL 2.1 table 3.15). */
static interval texel_range(unsigned base, unsigned channel)
{
    interval unit = {0, 1};
    bool alpha = channel == FRAGPROG_W;
    switch (base) {
    case TEXENV_BASE_ALPHA: return alpha ? unit : point(0);
    case TEXENV_RED: return alpha ? point(1) : channel == FRAGPROG_X ? unit : point(0);
    case TEXENV_RG: return alpha ? point(1) : channel == FRAGPROG_Z ? point(0) : unit;
    case TEXENV_BASE_RGB:
    case TEXENV_LUMINANCE: return alpha ? point(1) : unit;
    default: return unit;
    }
}

struct fragprog_interval fragprog_src_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_src *src, unsigned lane)
{
    unsigned c = src->lane[lane];
    interval x = {0, 1};
    if (src->file == FRAGPROG_COORD)
        x = anything;
    if (c == FRAGPROG_ZERO)
        x = point(0);
    else if (c == FRAGPROG_ONE)
        x = point(1);
    else if (c == FRAGPROG_HALF)
        x = point(0.5);
    else if (src->file == FRAGPROG_VALUE)
        x = r->out[src->index][c];
    else if (src->file == FRAGPROG_CONST && p->konst[src->index].origin[c].unit < 0)
        x = known(p->konst[src->index].value[c]);
    if (src->negate & 1u << lane)
        x = negate(x);
    if (src->mods & FRAGPROG_ABS)
        x = x.lo >= 0 ? x : x.hi <= 0 ? negate(x) : (interval){0, -x.lo > x.hi ? -x.lo : x.hi};
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    return add(times(a.m, x), point(a.t));
}

/* Before scale. lane: result channel (dots: any). */
interval fragprog_op_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, unsigned lane)
{
    interval v[3] = {{0, 0}, {0, 0}, {0, 0}}, sum = {0, 0};
    for (unsigned s = 0; s < fragprog_op_args(inst->op) && inst->op != FRAGPROG_TEX; s++)
        v[s] = fragprog_src_range(r, p, &inst->src[s], lane);
    switch (inst->op) {
    case FRAGPROG_TEX: return inst->shadow ? (interval){0, 1} : texel_range(inst->base, lane);
    case FRAGPROG_MOV: return v[0];
    case FRAGPROG_PROJ: return anything;
    case FRAGPROG_VEC:
    case FRAGPROG_ADD: return add(v[0], v[1]);
    case FRAGPROG_SUB: return add(v[0], negate(v[1]));
    case FRAGPROG_MUL: return mul(v[0], v[1]);
    case FRAGPROG_MAD: return add(mul(v[0], v[1]), v[2]);
    case FRAGPROG_LERP:
        if (v[0].lo >= 0 && v[0].hi <= 1)
            return hull(v[1], v[2]);
        return add(mul(v[0], v[1]), mul(add(point(1), negate(v[0])), v[2]));
    case FRAGPROG_CND:
    case FRAGPROG_CND0: return hull(v[0], v[1]);
    default:
        for (unsigned i = 0; i < 4; i++)
            if (fragprog_lanes_read(inst, 0) & 1u << i)
                sum = add(sum, mul(fragprog_src_range(r, p, &inst->src[0], i), fragprog_src_range(r, p, &inst->src[1], i)));
        return inst->op == FRAGPROG_DOT2ADD ? add(sum, fragprog_src_range(r, p, &inst->src[2], 2)) : sum;
    }
}

double fragprog_power(int scale)
{
    static const double of[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    return of[scale + 3];
}

/* The range in channel c, before the clamp. */
static interval raw_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, bool twice, unsigned c)
{
    interval x = fragprog_op_range(r, p, inst, c), tight;
    if (twice && fragprog_poly_range(r, p, inst, c, &tight))
        x = (interval){tight.lo > x.lo ? tight.lo : x.lo, tight.hi < x.hi ? tight.hi : x.hi};
    return times(fragprog_power(inst->scale), x);
}

static bool same(interval a, interval b) { return a.lo == b.lo && a.hi == b.hi; }

bool fragprog_channels_alike(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, bool same_sources, unsigned b, unsigned c)
{
    if (inst->op == FRAGPROG_TEX || fragprog_op_is_dot(inst->op))
        return inst->op != FRAGPROG_TEX;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const struct fragprog_src *src = &inst->src[s];
        unsigned x = src->lane[b], y = src->lane[c];
        if ((src->negate >> b ^ src->negate >> c) & 1)
            return false;
        if (same_sources && !(x == b && y == c) && !(x == y && x >= FRAGPROG_W))
            return false;
        if (x == y)
            continue;
        if (x > FRAGPROG_W || y > FRAGPROG_W || (src->file == FRAGPROG_VALUE && !same(r->out[src->index][x], r->out[src->index][y])))
            return false;
        if (src->file == FRAGPROG_CONST && (p->konst[src->index].origin[x].unit < 0 || p->konst[src->index].origin[y].unit < 0))
            return false;
    }
    return true;
}

void fragprog_forget_ranges(struct fragprog_ranges *r)
{
    r->now = 0;
    memset(r->time, 0, sizeof r->time);
    memset(r->touched, 0, sizeof r->touched);
    memset(r->settled, 0, sizeof r->settled);
}

void fragprog_release_sources(struct fragprog_ranges *r, const struct fragprog_inst *inst)
{
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            r->touched[inst->src[s].index] = ++r->now;
}

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* The last change at i or what it reads. */
static uint32_t touched_around(const struct fragprog_ranges *r, const struct fragprog_inst *inst, uint32_t last)
{
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            last = later(last, r->touched[inst->src[s].index]);
    return last;
}

bool fragprog_is_settled(const struct fragprog_ranges *r, const struct fragprog *p, enum fragprog_settling pass, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    uint32_t last = touched_around(r, inst, r->touched[i]);
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            last = touched_around(r, &p->inst[inst->src[s].index], last);
    return last <= r->settled[pass][i];
}

bool fragprog_range_is_of(const struct fragprog_ranges *r, const struct fragprog_inst *inst, unsigned i)
{
    return r->time[i] && !memcmp(&r->of[i], inst, sizeof *inst);
}

void fragprog_move_range(struct fragprog_ranges *r, const struct fragprog_inst *inst, unsigned from, unsigned to)
{
    r->of[to] = *inst;
    if (from == to)
        return;
    memcpy(r->raw[to], r->raw[from], sizeof r->raw[to]);
    memcpy(r->out[to], r->out[from], sizeof r->out[to]);
    memcpy(r->seen[to], r->seen[from], sizeof r->seen[to]);
    r->time[to] = r->time[from];
    r->touched[to] = r->touched[from];
    for (unsigned n = 0; n < FRAGPROG_PASSES; n++)
        r->settled[n][to] = r->settled[n][from];
}

void fragprog_find_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const unsigned args = fragprog_op_args(inst->op);
    bool known = fragprog_range_is_of(r, inst, i);
    for (unsigned s = 0; s < args; s++) {
        uint32_t time = inst->src[s].file == FRAGPROG_VALUE ? r->time[inst->src[s].index] : 0;
        known &= r->seen[i][s] == time;
        r->seen[i][s] = time;
    }
    if (known)
        return;
    if (!fragprog_range_is_of(r, inst, i)) {
        if (r->time[i])
            fragprog_release_sources(r, &r->of[i]);
        fragprog_release_sources(r, inst);
        r->touched[i] = ++r->now;
    }
    bool changed = !r->time[i], twice = fragprog_reads_twice(inst);
    for (unsigned c = 0, before = 4; c < 4; c++) {
        interval raw = point(0), out = raw;
        if (inst->mask & 1u << c) {
            raw = before < 4 && fragprog_channels_alike(r, p, inst, twice, before, c) ? r->raw[i][before] : raw_range(r, p, inst, twice, c);
            /* Without a clamp: the extension's registers hold at least [-8,8], a language's hold everything. */
            out = inst->clamp == FRAGPROG_SAT ? clamp(raw, 0, 1) : inst->clamp == FRAGPROG_SAT8 ? clamp(raw, -8, 8) : hull(raw, clamp(raw, -8, 8));
            before = c;
        }
        changed = changed || !same(r->out[i][c], out) || !same(r->raw[i][c], raw);
        r->raw[i][c] = raw;
        r->out[i][c] = out;
    }
    r->of[i] = *inst;
    if (changed)
        r->time[i] = r->touched[i] = ++r->now;
}

void fragprog_find_ranges(struct fragprog_ranges *r, const struct fragprog *p)
{
    fragprog_forget_ranges(r);
    for (unsigned i = 0; i < p->ninst; i++)
        fragprog_find_range(r, p, i);
}

/* With x the unclamped value, the consumer is sat(k*x + b). Where x > 1 the clamped reading gives sat(k + b), where x < 0 sat(b). Both
 * readings agree for every such x iff the consumer is itself saturated there:
 *   x > 1 reachable: k > 0 needs k + b >= 1, k < 0 needs k + b <= 0;   x < 0 reachable: k > 0 needs b <= 0, k < 0 needs b >= 1. */
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

/* k and b of argument s in lane `lane`; false: the instruction is not linear in it. */
static bool linear_in(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *i, unsigned s, unsigned lane, interval *k, interval *b)
{
    struct fragprog_affine a = fragprog_affine_of(i->src[s].mods);
    interval v[3] = {{0, 0}, {0, 0}, {0, 0}}, one = point(1);
    if (i->src[s].mods & FRAGPROG_ABS)
        return false;
    if (i->src[s].negate & 1u << lane)
        a.m = -a.m;
    for (unsigned n = 0; n < fragprog_op_args(i->op); n++)
        v[n] = fragprog_src_range(r, p, &i->src[n], lane);
    interval factor = one, rest = {0, 0};
    switch (i->op) {
    case FRAGPROG_MOV: break;
    case FRAGPROG_ADD: rest = v[1 - s]; break;
    case FRAGPROG_SUB: factor = point(s == 0 ? 1 : -1), rest = s == 0 ? negate(v[1]) : v[0]; break;
    case FRAGPROG_MUL: factor = v[1 - s]; break;
    case FRAGPROG_MAD:
        if (s < 2)
            factor = v[1 - s], rest = v[2];
        else
            rest = mul(v[0], v[1]);
        break;
    case FRAGPROG_LERP:
        if (s == 0)
            return false; /* undefined outside [0,1] */
        factor = s == 1 ? v[0] : add(one, negate(v[0]));
        rest = s == 1 ? mul(add(one, negate(v[0])), v[2]) : mul(v[0], v[1]);
        break;
    default: return false;
    }
    double scale = fragprog_power(i->scale);
    *k = times(scale, times(a.m, factor));
    *b = times(scale, add(times(a.t, factor), rest));
    return true;
}

bool fragprog_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned s)
{
    unsigned lanes = fragprog_lanes_read(i, s);
    for (unsigned lane = 0; lane < 4; lane++) {
        unsigned c = i->src[s].lane[lane];
        if (!(lanes & 1u << lane) || c > FRAGPROG_W)
            continue;
        interval x = r->raw[j][c], k, b;
        if (p->inst[j].clamp != FRAGPROG_SAT && (x.lo < -8 || x.hi > 8))
            return false; /* the clamp to [-8,8] acts, or the extension's registers would */
        if (p->inst[j].clamp != FRAGPROG_SAT || (x.lo >= 0 && x.hi <= 1))
            continue;
        if (i->clamp != FRAGPROG_SAT || !linear_in(r, p, i, s, lane, &k, &b))
            return false;
        if (!saturates(x, k, b) && !fragprog_poly_clamp_droppable(r, p, j, i, s, lane))
            return false;
    }
    return true;
}
