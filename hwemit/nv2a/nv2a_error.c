/* How far the hardware's integers may be from exact arithmetic (fact sheet nv2a.md 5): intervals over the
 * words, in units of 1/255. Where the facts leave two readings, both are within the bound. */
#include "hwemit/nv2a/nv2a.h"

#include <string.h>

/* The exact value is in [lo, hi]; what the hardware has is within err of it. */
struct range {
    float lo, hi, err;
};
struct machine {
    const struct hwemit_word *word;
    uint32_t n;
    struct range reg[16][4]; /* by channel: rgb, alpha */
};
enum { ONE = 255 };

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }
static float size(struct range a) { return most(-a.lo, a.hi) + a.err; }

static struct range clamped(struct range a, float lo, float hi)
{
    return (struct range){least(most(a.lo, lo), hi), most(least(a.hi, hi), lo), least(a.err, hi - lo)};
}
/* k*a + t, with an error that this adds. */
static struct range affine(struct range a, float k, float t, float more)
{
    const float lo = k * a.lo + t, hi = k * a.hi + t;
    return (struct range){least(lo, hi), most(lo, hi), (k < 0 ? -k : k) * a.err + more};
}
static struct range sum(struct range a, struct range b)
{
    return (struct range){a.lo + b.lo, a.hi + b.hi, a.err + b.err};
}
static bool is_exact(struct range a, float x) { return a.lo == a.hi && a.err == 0 && size(a) == x; }

/* Rounded to nearest, but where a factor is 0, 1 or -1. */
static struct range product(struct range a, struct range b)
{
    const float p[4] = {a.lo * b.lo / ONE, a.lo * b.hi / ONE, a.hi * b.lo / ONE, a.hi * b.hi / ONE};
    const bool exact = is_exact(a, 0) || is_exact(b, 0) || is_exact(a, ONE) || is_exact(b, ONE);
    return (struct range){least(least(p[0], p[1]), least(p[2], p[3])),
                          most(most(p[0], p[1]), most(p[2], p[3])),
                          (size(a) * b.err + size(b) * a.err) / ONE + (exact ? 0 : 0.5f)};
}

static uint32_t value(const struct machine *m, uint32_t method)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (m->word[i].address == method)
            return m->word[i].value;
    return 0;
}

/* Results are limited at -255 or at -256. */
static struct range signed_value(struct range v)
{
    v.err = v.lo <= 1 - ONE ? most(v.err, 1) : v.err;
    return v;
}

/* Input byte i (0 for A) of a word, in channel c. Expand is 2x-255 or 2x-256; half-bias subtracts 128 or 127.
 */
static struct range input(const struct machine *m, uint32_t word, unsigned i, unsigned c)
{
    const uint32_t byte = word >> (24 - 8 * i) & 0xff, mapping = byte >> NV2A_MAPPING;
    const struct range v = m->reg[byte & 15][byte & NV2A_ALPHA ? 3 : c < 3 ? c : 2];
    const struct range positive = clamped(v, 0, most(v.hi, ONE));
    switch (mapping) {
    case 0: return positive;
    case 1: return affine(clamped(v, 0, ONE), -1, ONE, 0);
    case 2: return affine(positive, 2, -ONE, 1);
    case 3: return affine(positive, -2, ONE, 1);
    case 4: return affine(positive, 1, -ONE / 2.0f, 0.5f);
    case 5: return affine(positive, -1, ONE / 2.0f, 0.5f);
    case 6: return signed_value(v);
    default: return affine(signed_value(v), -1, 0, 0);
    }
}

static struct range pair(const struct machine *m, uint32_t word, unsigned first, unsigned c)
{
    return product(input(m, word, first, c), input(m, word, first + 1, c));
}

static struct range dot(const struct machine *m, uint32_t word, unsigned first)
{
    return sum(sum(pair(m, word, first, 0), pair(m, word, first, 1)), pair(m, word, first, 2));
}

static struct range operated(struct range a, unsigned op)
{
    static const float scale[4] = {1, 2, 4, 0.5f};
    if (op & 1)
        a = affine(a, 1, -ONE / 2.0f, 0.5f);
    return clamped(affine(a, scale[op >> 1], 0, op == NV2A_OP_HALF ? 0.5f : 0), -ONE, ONE);
}

/* The results of one half: each is written after all is read. */
static void half(const struct machine *m, uint32_t in, uint32_t out, unsigned c, struct range (*reg)[4])
{
    const unsigned op = out >> NV2A_OCW_OP & 7,
                   target[3] = {out >> NV2A_OCW_AB & 15, out >> NV2A_OCW_CD & 15, out >> NV2A_OCW_SUM & 15};
    const bool dots[2] = {out >> NV2A_OCW_AB_DOT & 1, out >> NV2A_OCW_CD_DOT & 1},
               blue[3] = {out >> NV2A_OCW_AB_BLUE & 1, out >> NV2A_OCW_CD_BLUE & 1, false};
    struct range r[3];
    for (unsigned i = 0; i < 2; i++)
        r[i] = dots[i] ? dot(m, in, 2 * i) : pair(m, in, 2 * i, c);
    r[2] = sum(r[0], r[1]);
    if (out >> NV2A_OCW_MUX & 1) /* either */
        r[2] = (struct range){-ONE, ONE, 2 * ONE};
    for (unsigned i = 0; i < 3; i++)
        if (target[i]) {
            reg[target[i]][c] = operated(r[i], op);
            if (blue[i] && c == 2)
                reg[target[i]][3] = reg[target[i]][2];
        }
}

static float final_error(struct machine *m)
{
    const uint32_t cw0 = value(m, NV2A_CW0), cw1 = value(m, NV2A_CW1);
    float err = clamped(input(m, cw1, 2, 3), 0, ONE).err;
    for (unsigned c = 0; c < 3; c++) {
        struct range s[2] = {clamped(m->reg[NV2A_R0][c], 0, ONE), m->reg[NV2A_V1][c]};
        if (cw1 >> NV2A_INVERT_R0 & 1)
            s[0] = affine(s[0], -1, ONE, 0);
        if (cw1 >> NV2A_INVERT_V1 & 1)
            s[1] = affine(s[1], -1, ONE, 0);
        m->reg[NV2A_SUM][c] = cw1 >> NV2A_CLAMP_SUM & 1 ? clamped(sum(s[0], s[1]), 0, ONE) : sum(s[0], s[1]);
        m->reg[NV2A_EF][c] = pair(m, cw1, 0, c);
        const struct range a = input(m, cw0, 0, c),
                           mixed = sum(pair(m, cw0, 0, c),
                                       product(affine(a, -1, ONE, 0), input(m, cw0, 2, c)));
        err = most(err, clamped(sum(mixed, input(m, cw0, 3, c)), 0, ONE).err);
    }
    return err;
}

uint32_t hwemit_nv2a_error(const struct hwemit_word *word, uint32_t n)
{
    static const struct range any = {0, ONE, 0}, nothing = {0, 0, 0};
    struct machine m = {.word = word, .n = n};
    for (unsigned i = 0; i < 64; i++)
        m.reg[i / 4][i % 4] = i / 4 ? any : nothing;
    for (unsigned s = 0; s < (value(&m, NV2A_CONTROL) & 15); s++) {
        struct range after[16][4];
        memcpy(after, m.reg, sizeof after);
        for (unsigned c = 0; c < 4; c++)
            half(&m, value(&m, (c < 3 ? NV2A_COLOR_ICW : NV2A_ALPHA_ICW) + 4 * s),
                 value(&m, (c < 3 ? NV2A_COLOR_OCW : NV2A_ALPHA_OCW) + 4 * s), c, after);
        memcpy(m.reg, after, sizeof after);
    }
    return (uint32_t)(100 * final_error(&m) + 0.999f);
}
