/* Makes random vertex halves. */
#include "vertex_compare.h"

#include <string.h>

static uint32_t below(uint64_t *s, uint32_t n)
{
    uint64_t z = *s += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

static uint8_t one_in(uint64_t *s, uint32_t n) { return below(s, n) == 0; }

static void lights(uint64_t *s, struct texenv_vertex *v)
{
    static const uint8_t tracked[] = {TEXENV_TRACKS_AMBIENT, TEXENV_TRACKS_DIFFUSE, TEXENV_TRACKS_SPECULAR,
                                      TEXENV_TRACKS_EMISSION, TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE};
    const unsigned n = one_in(s, 4) ? below(s, TEXENV_LIGHTS + 1) : 1 + below(s, 3);
    v->two_side = one_in(s, 2);
    v->local_viewer = one_in(s, 2);
    v->separate_specular = one_in(s, 2);
    if (one_in(s, 3)) {
        const unsigned sides = 1 + below(s, 3); /* glColorMaterial has only one mode for both sides */
        const uint8_t how = tracked[below(s, sizeof tracked)];
        for (unsigned side = 0; side < 2; side++)
            v->tracks[side] = sides >> side & 1 ? how : 0;
    }
    for (unsigned k = 0; k < n; k++) {
        struct texenv_light *l = &v->light[below(s, TEXENV_LIGHTS)];
        *l = (struct texenv_light){1, !one_in(s, 3), one_in(s, 3), one_in(s, 2)};
    }
}

static void unit(uint64_t *s, struct texenv_vertex *v, unsigned u)
{
    const uint8_t all = (uint8_t)(1 + below(s, TEXENV_TEXGENS - 1));
    /* 0: no generation, 1: the same mode for all coordinates, 2: any mode for each coordinate */
    const unsigned how = below(s, 3);
    for (unsigned c = 0; c < 4; c++)
        v->texgen[u][c] = how == 0 ? 0 : how == 1 ? all : (uint8_t)below(s, TEXENV_TEXGENS);
    v->texture_matrix[u] = one_in(s, 2);
}

void vertex_random(struct vertex_subject *subject, uint64_t seed, uint64_t n)
{
    uint64_t state = seed * UINT64_C(0xD1342543DE82EF95) + n, *s = &state;
    struct texenv_vertex *v = &subject->vertex;
    struct texenv_vertex_reads *reads = &subject->reads;
    memset(subject, 0, sizeof *subject);
    v->lighting = !one_in(s, 4);
    if (v->lighting)
        lights(s, v);
    v->normals = (uint8_t)below(s, 3);
    v->fog_coord = one_in(s, 2);
    v->point_attenuation = one_in(s, 8);
    reads->primary = !one_in(s, 8);
    reads->secondary = one_in(s, 2);
    reads->fog = one_in(s, 2);
    const unsigned units = one_in(s, 4) ? 1 + below(s, TEXENV_UNITS) : 1 + below(s, 2);
    for (unsigned k = 0; k < units; k++) {
        const unsigned u = below(s, TEXENV_UNITS);
        static const uint8_t lanes[] = {15, 15, 7, 3, 3, 11, 1};
        unit(s, v, u);
        reads->coord[u] = one_in(s, 8) ? (uint8_t)below(s, 16) : lanes[below(s, sizeof lanes)];
    }
    texenv_vertex_canonicalise(v);
}
