/* Numbers modulo 2^61 - 1: polynomials that are equal at random ones are equal, but for one chance in 10^16. Internal to hwemit/i830. */
#ifndef I830_FIELD_H
#define I830_FIELD_H

#include <stdint.h>
#include <string.h>

typedef uint64_t field;
#define EVERY_PRIME ((UINT64_C(1) << 61) - 1)

static inline field every_add(field a, field b)
{
    const field s = a + b;
    return s >= EVERY_PRIME ? s - EVERY_PRIME : s;
}

static inline field every_less(field a, field b) { return a >= b ? a - b : a + EVERY_PRIME - b; }

/* Of halves of 31 bits: 2^62 is 2, and 2^61 is 1. */
static inline field every_times(field a, field b)
{
    const uint64_t a1 = a >> 31, a0 = a & 0x7fffffff, b1 = b >> 31, b0 = b & 0x7fffffff, middle = a1 * b0 + a0 * b1;
    const uint64_t s = 2 * a1 * b1 + (middle >> 30) + ((middle & 0x3fffffff) << 31) + ((a0 * b0) & EVERY_PRIME) + ((a0 * b0) >> 61);
    const field r = (s & EVERY_PRIME) + (s >> 61);
    return r >= EVERY_PRIME ? r - EVERY_PRIME : r;
}

/* A multiple of 1/65536. */
static inline field every_fraction(double c)
{
    const field r = every_times((field)(int64_t)((c < 0 ? -c : c) * 65536), UINT64_C(1) << 45); /* 2^45 * 2^16 is 1 */
    return c < 0 ? every_less(0, r) : r;
}

static inline uint32_t every_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    uint32_t x = *seed;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static inline field every_random_field(uint32_t *seed)
{
    const uint64_t high = every_random(seed);
    return ((high << 32 | every_random(seed)) & EVERY_PRIME) % EVERY_PRIME;
}

static inline double every_square_root(double x)
{
    uint64_t bits;
    double r;
    if (x <= 0)
        return 0;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(0x3ff) << 51); /* half the exponent: at most 7 % off, which Newton's steps square */
    memcpy(&r, &bits, sizeof r);
    for (unsigned i = 0; i < 4; i++)
        r = (r + x / r) / 2;
    return r;
}

#endif
