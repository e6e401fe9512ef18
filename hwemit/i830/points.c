/* Values at a few points: what they rule out needs no algebra. */
#include "hwemit/i830/cover.h"

/* Fixed numbers in [0,1] for each atom, half of them near the ends; dot products in [-1,1]. */
void hwemit_i830_scatter(struct i830_cover *c, unsigned atom)
{
    uint32_t x = atom * 2654435769u + 12345;
    for (unsigned i = 0; i < I830_POINTS; i++) {
        x = x * 1664525u + 1013904223u;
        const float u = (float)(x >> 8) / (1 << 24);
        c->point[atom][i] = i >= 16 ? (float)(u >= 0.5f) : i % 2 ? (u < 0.5f ? 0.1f * u : 0.9f + 0.1f * u) : u;
        if (c->reach[atom])
            c->point[atom][i] = 2 * c->point[atom][i] - 1;
    }
}

void hwemit_i830_at(const struct i830_cover *c, const struct i830_poly *p, float *out)
{
    for (unsigned i = 0; i < I830_POINTS; i++)
        out[i] = 0;
    for (unsigned t = 0; t < p->n; t++) {
        float term[I830_POINTS];
        for (unsigned i = 0; i < I830_POINTS; i++)
            term[i] = p->c[t];
        for (i830_mono m = p->m[t]; m; m <<= 8) {
            const float *x = c->point[m >> 56];
            for (unsigned i = 0; i < I830_POINTS; i++)
                term[i] *= x[i];
        }
        for (unsigned i = 0; i < I830_POINTS; i++)
            out[i] += term[i];
    }
}

/* A hash of two such points tells polynomials apart: the integers of two atoms are never the same in both. */
void hwemit_i830_whole(const struct i830_poly *p, double out[I830_WHOLE])
{
    for (unsigned i = 0; i < I830_WHOLE; i++) {
        out[i] = 0;
        for (unsigned t = 0; t < p->n; t++) {
            double term = (double)p->c[t];
            for (i830_mono m = p->m[t]; m; m <<= 8)
                term *= (double)(i ? 2 + (m >> 56) * 31 % 59 : 3 + (m >> 56) * 17 % 53);
            out[i] += term;
        }
    }
}

double hwemit_i830_whole_root(double square)
{
    const double d = square * 65536;
    if (d < 0 || d >= 9007199254740992.0 || d != (double)(uint64_t)d)
        return -1;
    uint64_t rest = (uint64_t)d, root = 0;
    for (uint64_t bit = UINT64_C(1) << 52; bit; bit >>= 2) {
        const bool more = rest >= root + bit;
        rest -= more ? root + bit : 0;
        root = (root >> 1) + (more ? bit : 0);
    }
    return rest == 0 ? (double)root / 256 : -1;
}

bool hwemit_i830_plain(const struct i830_cover *c, const struct i830_poly *p)
{
    for (unsigned t = 0; t < p->n; t++)
        for (i830_mono m = p->m[t]; m; m <<= 8)
            if (c->atom[m >> 56].kind == I830_VALUE || c->atom[m >> 56].kind == I830_DOT)
                return false;
    return true;
}
