/* Bounds the error of the hardware's integer arithmetic against exact arithmetic (notes/facts/nv2a.md 5), by
 * interval arithmetic over a program that nv2a_emit.c made, in units of 1/255. Where the facts allow two
 * interpretations, the bound covers both. */
#include "hwemit/nv2a/nv2a.h"

#include "fragprog/algebra/interval.h"

/* The exact value is in interval v; the value that the hardware computes differs from it by at most err. */
struct range {
    struct fragprog_interval v;
    double err;
};
/* Ranges of colour and alpha; red, green and blue share one range. */
struct registers {
    struct range of[RC_REGISTERS][2];
};
enum { ONE = 255 };

static double most(double a, double b) { return a > b ? a : b; }
static double size(struct range a) { return most(-a.v.lo, a.v.hi) + a.err; }
static bool is_exact(struct range a, double x) { return a.v.lo == a.v.hi && a.err == 0 && size(a) == x; }

static struct range clamped(struct range a, double lo, double hi)
{
    return (struct range){fragprog_interval_clamp(a.v, lo, hi), a.err < hi - lo ? a.err : hi - lo};
}
/* Returns the range of k*a + t, with an additional error `more`. */
static struct range affine(struct range a, double k, double t, double more)
{
    return (struct range){fragprog_interval_affine(k, a.v, t), (k < 0 ? -k : k) * a.err + more};
}
static struct range sum(struct range a, struct range b)
{
    return (struct range){fragprog_interval_sum(a.v, b.v), a.err + b.err};
}
/* Products are rounded to nearest, except that a factor 0, 1 or -1 gives an exact product. */
static struct range product(struct range a, struct range b)
{
    const bool exact = is_exact(a, 0) || is_exact(b, 0) || is_exact(a, ONE) || is_exact(b, ONE);
    return (struct range){fragprog_interval_affine(1.0 / ONE, fragprog_interval_product(a.v, b.v), 0),
                          (size(a) * b.err + size(b) * a.err) / ONE + (exact ? 0 : 0.5)};
}

/* Applies a mapping. It is not known whether expand is 2x-255 or 2x-256, whether half-bias subtracts 128 or
 * 127, and whether results are clamped at -255 or -256. */
static struct range input(const struct registers *reg, unsigned in)
{
    const unsigned mapping = in >> RC_MAPPING;
    const struct range v = reg->of[in & 15][in & RC_ALPHA ? 1 : 0];
    const struct range positive = clamped(v, 0, most(v.v.hi, ONE));
    struct range x = v;
    switch (mapping >> 1) {
    case 0: return mapping ? affine(clamped(v, 0, ONE), -1, ONE, 0) : positive;
    case 1: x = affine(positive, 2, -ONE, 1); break;
    case 2: x = affine(positive, 1, -ONE / 2.0, 0.5); break;
    default: x.err = v.v.lo <= 1 - ONE ? most(v.err, 1) : v.err; break;
    }
    return mapping & 1 ? affine(x, -1, 0, 0) : x;
}

static struct range pair(const struct registers *reg, const uint8_t in[2])
{
    return product(input(reg, in[0]), input(reg, in[1]));
}

/* Computes the result of a half and writes it to *after, since both halves read before either writes. */
static void half(const struct registers *reg, const struct fragprog_rc_half *h, unsigned alpha,
                 struct registers *after)
{
    static const double scale[3] = {1, 2, 4};
    struct range r = pair(reg, h->in);
    if (h->dot[0])
        r = sum(sum(r, r), r);
    if (h->out[2])
        r = sum(r, pair(reg, h->in + 2));
    if (h->op & RC_OP_BIAS)
        r = affine(r, 1, -ONE / 2.0, 0.5);
    r = clamped(affine(r, scale[h->op >> 1], 0, 0), -ONE, ONE);
    after->of[h->out[0] | h->out[2]][alpha] = r;
    if (h->blue)
        after->of[h->out[0]][1] = r;
}

uint32_t hwemit_nv2a_error(const struct fragprog_rc *rc)
{
    struct registers reg, after;
    for (unsigned i = 0; i < 2 * RC_REGISTERS; i++)
        reg.of[i / 2][i % 2] = (struct range){.v = {0, i / 2 == RC_ZERO ? 0 : ONE}};
    for (unsigned s = 0; s < rc->stages; s++) {
        after = reg;
        for (unsigned alpha = 0; alpha < 2; alpha++)
            half(&reg, &rc->stage[s].half[alpha], alpha, &after);
        reg = after;
    }
    reg.of[RC_SUM][0] = clamped(sum(clamped(reg.of[RC_R0][0], 0, ONE), reg.of[RC_V1][0]), 0, ONE);
    reg.of[RC_EF][0] = pair(&reg, rc->final + 4);
    const struct range rest = product(affine(input(&reg, rc->final[0]), -1, ONE, 0),
                                      input(&reg, rc->final[2])),
                       rgb = sum(sum(pair(&reg, rc->final), rest), input(&reg, rc->final[3]));
    const double percent = 100 *
        most(clamped(rgb, 0, ONE).err, clamped(input(&reg, rc->final[6]), 0, ONE).err);
    return (uint32_t)percent + ((uint32_t)percent < percent);
}
