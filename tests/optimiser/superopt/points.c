/* Sets of points, fingerprints of functions, and the map from fingerprints to numbers (superopt.h). */
#include "superopt.h"

#include <stdlib.h>
#include <string.h>

static uint64_t state = 0x9e3779b97f4a7c15u;

static unsigned draw(unsigned n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)((state >> 33) % n);
}

static int find(const struct points *p, const double *x)
{
    for (unsigned i = 0; i < p->n; i++) {
        bool same = true;
        for (unsigned s = 0; s < p->sources; s++)
            same &= p->at[s][i] == x[s];
        if (same)
            return (int)i;
    }
    return -1;
}

static bool add(struct points *p, const double *x)
{
    if (find(p, x) >= 0)
        return true;
    if (p->n == MOST_POINTS)
        return false;
    for (unsigned s = 0; s < p->sources; s++)
        p->at[s][p->n] = x[s];
    p->n++;
    return true;
}

void points_transform(double *out, const double *x, unsigned sources, unsigned g)
{
    unsigned left[SOURCES] = {0, 1, 2, 3}, complement = g & ((1u << sources) - 1u), order = g >> sources;
    for (unsigned s = 0; s < sources; s++) {
        unsigned k = order % (sources - s), from = left[k];
        order /= sources - s;
        memmove(&left[k], &left[k + 1], (SOURCES - 1 - k) * sizeof *left);
        out[s] = complement >> s & 1 ? 1 - x[from] : x[from];
    }
}

static unsigned symmetries(unsigned sources)
{
    static const unsigned n[] = {1, 2, 8};
    return n[sources];
}

static void add_orbit(struct points *p, const double *x)
{
    struct points before = *p;
    for (unsigned g = 0; g < symmetries(p->sources); g++) {
        double y[SOURCES];
        points_transform(y, x, p->sources, g);
        if (!add(p, y)) {
            *p = before;
            return;
        }
    }
}

static void coordinates(double *x, unsigned sources, unsigned corners)
{
    for (unsigned s = 0; s < sources; s++)
        switch (corners ? draw(4) : 3) {
        case 0: x[s] = draw(2); break;
        case 1: x[s] = (draw(2) ? 1 + draw(7) : 31 - draw(7)) / 32.0; break;
        case 2: x[s] = draw(5) / 4.0; break;
        default: x[s] = draw(33) / 32.0; break;
        }
}

void points_make(struct points *p, unsigned sources, bool closed, unsigned nextra, double (*extra)[SOURCES])
{
    memset(p, 0, sizeof *p);
    state = 0x9e3779b97f4a7c15u; /* so that the points do not depend on earlier calls */
    p->sources = sources;
    p->nsymmetries = 1;
    double x[SOURCES] = {0};
    static const double generic[GENERIC / 8][SOURCES] = {
        {5 / 32.0, 11 / 32.0}, {3 / 32.0, 15 / 32.0}, {9 / 32.0, 2 / 32.0}};
    if (!closed) {
        while (p->n < FILTER) {
            coordinates(x, sources, 0);
            add(p, x);
        }
        for (unsigned c = 0; c < 1u << sources; c++) {
            for (unsigned s = 0; s < sources; s++)
                x[s] = c >> s & 1;
            add(p, x);
        }
        for (unsigned i = 0; i < nextra; i++)
            add(p, extra[i]);
        for (unsigned tries = 0; p->n < OPEN_POINTS && tries < 4000; tries++) {
            coordinates(x, sources, tries % 4);
            add(p, x);
        }
    } else { /* two sources: the generic points, then the whole grid */
        for (unsigned i = 0; i < GENERIC / 8; i++)
            add_orbit(p, generic[i]);
        for (unsigned i = 0; i < 33 * 33; i++) {
            x[0] = i / 33 / 32.0, x[1] = i % 33 / 32.0;
            add(p, x);
        }
        for (unsigned i = 0; i < nextra; i++)
            add_orbit(p, extra[i]);
        p->nsymmetries = symmetries(sources);
        for (unsigned g = 0; g < p->nsymmetries; g++)
            for (unsigned i = 0; i < p->n; i++) {
                double y[SOURCES];
                for (unsigned s = 0; s < sources; s++)
                    x[s] = p->at[s][i];
                points_transform(y, x, sources, g);
                p->image[g][i] = (uint16_t)find(p, y);
            }
    }
}

struct print128 points_print(const struct points *p, const double *value, const uint16_t *image)
{
    /* four independent hashes, so that their multiplications overlap */
    uint64_t h[4] = {0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u};
    for (unsigned i = 0; i < p->n; i++) {
        double v = value[image ? image[i] : i] + 0.0; /* turns -0 into 0 */
        uint64_t bits;
        memcpy(&bits, &v, sizeof bits);
        h[i % 4] = (h[i % 4] ^ bits ^ bits >> 29) * 0x9fb21c651e98df25u;
        h[i % 4] ^= h[i % 4] >> 31;
    }
    struct print128 k = {(h[0] + (h[1] << 32 | h[1] >> 32)) * 0xd6e8feb86659fd93u + h[2],
                         (h[2] ^ h[0]) * 0xd6e8feb86659fd93u + (h[3] ^ h[1] >> 7)};
    k.a ^= k.a >> 32, k.b ^= k.b >> 32;
    return k;
}

/* Compares the images of a function under symmetries g and h lexicographically, by the values at the generic
 * points. */
static int compare(const struct points *p, const double *value, unsigned g, unsigned h)
{
    for (unsigned i = 0; i < GENERIC; i++) {
        double x = value[p->image[g][i]], y = value[p->image[h][i]];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

struct print128 points_orbit_print(const struct points *p, const double *value)
{
    unsigned least[MOST_SYMMETRIES] = {0}, n = 1;
    if (p->nsymmetries == 1)
        return points_print(p, value, NULL);
    for (unsigned g = 1; g < p->nsymmetries; g++) {
        int c = compare(p, value, g, least[0]);
        if (c < 0)
            n = 0;
        if (c <= 0)
            least[n++] = g;
    }
    struct print128 best = points_print(p, value, p->image[least[0]]);
    for (unsigned i = 1; i < n; i++) {
        struct print128 k = points_print(p, value, p->image[least[i]]);
        if (k.a < best.a || (k.a == best.a && k.b < best.b))
            best = k;
    }
    return best;
}

void prints_init(struct prints *m)
{
    memset(m, 0, sizeof *m);
    m->nslots = 1u << 12;
    m->max = m->nslots / 2;
    m->slot = malloc(m->nslots * sizeof *m->slot);
    m->key = malloc(m->max * sizeof *m->key);
    memset(m->slot, 0xff, m->nslots * sizeof *m->slot);
}

void prints_free(struct prints *m)
{
    free(m->slot);
    free(m->key);
}

static void grow(struct prints *m)
{
    m->nslots *= 2, m->max *= 2;
    free(m->slot);
    m->slot = malloc(m->nslots * sizeof *m->slot);
    m->key = realloc(m->key, m->max * sizeof *m->key);
    memset(m->slot, 0xff, m->nslots * sizeof *m->slot);
    for (size_t i = 0; i < m->n; i++) {
        size_t at = m->key[i].a & (m->nslots - 1);
        while (m->slot[at] != UINT32_MAX)
            at = (at + 1) & (m->nslots - 1);
        m->slot[at] = (uint32_t)i;
    }
}

int64_t prints_find(struct prints *m, struct print128 k, bool *fresh)
{
    size_t at = k.a & (m->nslots - 1);
    for (; m->slot[at] != UINT32_MAX; at = (at + 1) & (m->nslots - 1)) {
        const struct print128 *other = &m->key[m->slot[at]];
        if (other->a == k.a && other->b == k.b) {
            if (fresh)
                *fresh = false;
            return m->slot[at];
        }
    }
    if (!fresh)
        return -1;
    *fresh = true;
    if (m->n == m->max) {
        grow(m);
        return prints_find(m, k, fresh);
    }
    m->key[m->n] = k;
    m->slot[at] = (uint32_t)m->n;
    return (int64_t)m->n++;
}
