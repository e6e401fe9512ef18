/* Evaluates polynomials at a few sample points, to rule out equalities cheaply. */
#include "hwemit/stages/stages_cover.h"

/* Sample values are pseudo-random numbers in [0,1], half of them near 0 and 1; for dot products in [-1,1]. */
void hwemit_stages_scatter(struct stages_cover *c, unsigned atom)
{
    uint32_t x = atom * 2654435769u + 12345;
    for (unsigned i = 0; i < STAGES_POINTS; i++) {
        x = x * 1664525u + 1013904223u;
        const float u = (float)(x >> 8) / (1 << 24);
        c->point[atom][i] = i >= 16 ? (float)(u >= 0.5f)
            : i % 2                 ? (u < 0.5f ? 0.1f * u : 0.9f + 0.1f * u)
                                    : u;
        if (c->box[atom].lo < 0)
            c->point[atom][i] = 2 * c->point[atom][i] - 1;
    }
}

void hwemit_stages_at(const struct stages_cover *c, const struct fragprog_poly *p, float *out)
{
    for (unsigned i = 0; i < STAGES_POINTS; i++)
        out[i] = 0;
    for (unsigned t = 0; t < p->n; t++) {
        float term[STAGES_POINTS];
        const float k = p->c[t], *const first = c->point[p->m[t] >> 56];
        if (!p->m[t])
            for (unsigned i = 0; i < STAGES_POINTS; i++)
                term[i] = k;
        else
            for (unsigned i = 0; i < STAGES_POINTS; i++)
                term[i] = k * first[i];
        for (fragprog_monomial m = p->m[t] << 8; m; m <<= 8) {
            const float *x = c->point[m >> 56];
            for (unsigned i = 0; i < STAGES_POINTS; i++)
                term[i] *= x[i];
        }
        for (unsigned i = 0; i < STAGES_POINTS; i++)
            out[i] += term[i];
    }
}
