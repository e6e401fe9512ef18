/* Derived constants, which are computed from environment colours: encoding, evaluation, ranges and
 * printing. */
#include "fragprog/algebra/derived.h"

typedef struct fragprog_interval interval;

static const uint8_t ops[4] = {FRAGPROG_MOV, FRAGPROG_ADD, FRAGPROG_SUB, FRAGPROG_MUL};

/* Bit positions in an origin: two arguments of 11 bits (3 unit, 3 lane, 3 modifiers COMP BIAS 2X, their sign,
 * the lane's sign), 2 bits of the operation, 3 of scale + 3, 1 of the clamp, 2 of `last`. */
enum { ARG = 11, OP = 22, SCALE = 24, SAT = 27, LAST = 28 };
static const struct fragprog_affine lasts[4] = {{1, 0}, {1, -0.5}, {-1, 1}, {2, -1}};

int32_t fragprog_derived_origin(const struct fragprog_derived *d)
{
    uint32_t bits = FRAGPROG_ORIGIN_DERIVED | (uint32_t)(d->scale + 3) << SCALE | (uint32_t)d->sat << SAT |
        (uint32_t)d->last << LAST;
    unsigned op = 0;
    while (op < 4 && ops[op] != d->op)
        op++;
    if (op == 4)
        return FRAGPROG_ORIGIN_IMMEDIATE;
    for (unsigned i = 0; i < (op ? 2 : 1); i++)
        bits |= (d->arg[i].unit | (uint32_t)d->arg[i].lane << 3 | (uint32_t)d->arg[i].mods >> 1 << 6 |
                 (uint32_t)d->arg[i].negate << 10)
            << (ARG * i);
    return (int32_t)(bits | op << OP);
}

static struct fragprog_derived derived_of(int32_t origin)
{
    const uint32_t bits = (uint32_t)origin;
    struct fragprog_derived d = {.op = ops[bits >> OP & 3],
                                 .scale = (int8_t)((int)(bits >> SCALE & 7) - 3),
                                 .sat = bits >> SAT & 1,
                                 .last = bits >> LAST & 3};
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t arg = bits >> (ARG * i);
        d.arg[i].unit = arg & 7;
        d.arg[i].lane = arg >> 3 & 7;
        d.arg[i].mods = (uint8_t)((arg >> 6 & 15) << 1);
        d.arg[i].negate = arg >> 10 & 1;
    }
    return d;
}

static struct fragprog_affine affine_of(const struct fragprog_derived *d, unsigned i)
{
    struct fragprog_affine a = fragprog_affine_of(d->arg[i].mods);
    a.m = d->arg[i].negate ? -a.m : a.m;
    return a;
}

int32_t fragprog_derived_then(int32_t origin, struct fragprog_affine a, bool *negative)
{
    if (origin < FRAGPROG_ORIGIN_DERIVED || derived_of(origin).last)
        return FRAGPROG_ORIGIN_IMMEDIATE;
    for (unsigned last = 1; last < 4; last++)
        for (int sign = 1; sign >= -1; sign -= 2)
            if (a.m == sign * lasts[last].m && a.t == sign * lasts[last].t) {
                *negative = sign < 0;
                return (int32_t)((uint32_t)origin | last << LAST);
            }
    return FRAGPROG_ORIGIN_IMMEDIATE;
}

static double literal_of(unsigned lane) { return lane == FRAGPROG_ONE ? 1 : lane == FRAGPROG_HALF ? 0.5 : 0; }

float fragprog_derived_value(int32_t origin, const float *color)
{
    const struct fragprog_derived d = derived_of(origin);
    double v[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct fragprog_affine a = affine_of(&d, i);
        const unsigned lane = d.arg[i].lane;
        const double x = lane > FRAGPROG_W ? literal_of(lane)
                                           : (double)fragprog_limited(color[4 * d.arg[i].unit + lane]);
        v[i] = a.m * x + a.t;
    }
    double x = d.op == FRAGPROG_ADD ? v[0] + v[1]
        : d.op == FRAGPROG_SUB      ? v[0] - v[1]
        : d.op == FRAGPROG_MUL      ? v[0] * v[1]
                                    : v[0];
    x *= fragprog_power(d.scale);
    x = !d.sat ? x : x < 0 ? 0 : x > 1 ? 1 : x;
    return (float)(lasts[d.last].m * x + lasts[d.last].t) + 0.0f; /* -0 becomes 0 */
}

interval fragprog_derived_range(int32_t origin)
{
    const struct fragprog_derived d = derived_of(origin);
    interval v[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct fragprog_affine a = affine_of(&d, i);
        const unsigned lane = d.arg[i].lane;
        v[i] = fragprog_interval_affine(
            a.m, lane > FRAGPROG_W ? fragprog_point(literal_of(lane)) : (interval){0, 1}, a.t);
    }
    const interval x = d.op == FRAGPROG_ADD ? fragprog_interval_sum(v[0], v[1])
        : d.op == FRAGPROG_SUB ? fragprog_interval_sum(v[0], fragprog_interval_affine(-1, v[1], 0))
        : d.op == FRAGPROG_MUL ? fragprog_interval_product(v[0], v[1])
                               : v[0];
    const interval scaled = fragprog_interval_affine(fragprog_power(d.scale), x, 0);
    return fragprog_interval_affine(lasts[d.last].m, d.sat ? fragprog_interval_clamp(scaled, 0, 1) : scaled,
                                    lasts[d.last].t);
}

/* Prints an argument of the expression, "2*state.texenv[0].color.x-1"; with brackets where needed. alone: it
 * is the whole expression. */
static void print_argument(struct texenv_text *text, const struct fragprog_derived *d, unsigned i, bool alone)
{
    const struct fragprog_affine a = affine_of(d, i);
    const unsigned lane = d->arg[i].lane;
    const bool brackets = !alone && (a.t != 0 || a.m < 0);
    if (lane > FRAGPROG_W) {
        texenv_printf(text, brackets ? "(%f)" : "%f", a.m * literal_of(lane) + a.t);
        return;
    }
    texenv_printf(text, brackets ? "(" : "");
    if (a.t > 0 && a.m < 0)
        texenv_printf(text, "%f", a.t);
    texenv_printf(text, a.m < 0 ? "-" : "");
    if (a.m != 1 && a.m != -1)
        texenv_printf(text, "%f*", a.m < 0 ? -a.m : a.m);
    fragprog_print_origin(text, d->arg[i].unit);
    texenv_printf(text, ".%c", "xyzw"[lane]);
    if (a.t != 0 && !(a.t > 0 && a.m < 0))
        texenv_printf(text, a.t > 0 ? "+%f" : "%f", a.t);
    texenv_printf(text, brackets ? ")" : "");
}

void fragprog_print_lane(struct texenv_text *text, int32_t origin, unsigned component)
{
    if (origin < FRAGPROG_ORIGIN_DERIVED) {
        fragprog_print_origin(text, origin);
        texenv_printf(text, ".%c", "xyzw"[component & 3]);
        return;
    }
    const struct fragprog_derived d = derived_of(origin);
    const bool one = d.op == FRAGPROG_MOV;
    static const char *const before[4] = {"", "", "1-(", "2*("}, *const after[4] = {"", "-0.5", ")", ")-1"};
    texenv_printf(text, "%s%s", before[d.last], d.sat ? "clamp(" : "");
    if (d.scale)
        texenv_printf(text, "%f*(", fragprog_power(d.scale));
    print_argument(text, &d, 0, one);
    if (!one) {
        texenv_printf(text, d.op == FRAGPROG_ADD ? "+" : d.op == FRAGPROG_SUB ? "-" : "*");
        print_argument(text, &d, 1, false);
    }
    texenv_printf(text, d.scale ? ")" : "");
    texenv_printf(text, "%s%s", d.sat ? ",0,1)" : "", after[d.last]);
}
