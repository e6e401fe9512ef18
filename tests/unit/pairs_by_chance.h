/* Random inputs of shader pairs (fragprog/pair.h). The sequence is the same in each run. */
#ifndef TESTS_PAIRS_BY_CHANCE_H
#define TESTS_PAIRS_BY_CHANCE_H

#include "fragprog/pair.h"
#include "states_by_chance.h"

#include <string.h>

enum { MOST_STATES = 256 };
static struct texenv_state states[MOST_STATES];
static unsigned nstates;

static inline bool keep_state(void *user, const struct texenv_draw *draw)
{
    (void)user;
    nstates += nstates < MOST_STATES &&
        texenv_canonicalise(&states[nstates], draw->te, NULL, true, NULL, NULL);
    return nstates < MOST_STATES;
}

/* Must be called first. units: the largest number of units of a chain. */
static inline void begin_pairs(unsigned units)
{
    struct texenv_reader reader = {.on_draw = keep_state};
    nstates = 0;
    read_states_by_chance(&reader, MOST_STATES, units);
    CHECK(nstates > 200);
}

static inline uint8_t one_in(unsigned n) { return draw_number(n) == 0; }

static inline void random_light(struct texenv_vertex *v, unsigned n)
{
    /* often like the previous light, so that the shader has a loop over lights */
    v->light[n] = n && one_in(2) ? v->light[n - 1]
                                 : (struct texenv_light){one_in(2), one_in(2), one_in(3), one_in(2)};
}

static inline void random_vertex(struct texenv_vertex *v)
{
    v->lighting = one_in(2);
    v->two_side = one_in(3);
    v->local_viewer = one_in(3);
    v->separate_specular = one_in(2);
    v->normals = (uint8_t)draw_number(3);
    for (unsigned side = 0; side < 2; side++)
        v->tracks[side] = one_in(2) ? (uint8_t)draw_number(16) : 0;
    v->fog_coord = one_in(4);
    v->point_attenuation = one_in(3);
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        random_light(v, n);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        v->texture_matrix[u] = one_in(3);
        const uint8_t all = (uint8_t)draw_number(TEXENV_TEXGENS);
        for (unsigned c = 0; c < 4; c++)
            v->texgen[u][c] = one_in(2) ? 0 : one_in(2) ? all : (uint8_t)draw_number(TEXENV_TEXGENS);
    }
}

static inline void random_source(struct fragprog_pair_source *s)
{
    memset(s, 0, sizeof *s);
    s->state = states[draw_number(nstates)];
    s->state.color_sum = one_in(3);
    s->state.fog = one_in(2) ? (uint8_t)draw_number(4) : 0;
    s->state.alpha_test = one_in(2) ? (uint8_t)draw_number(TEXENV_COMPARES) : 0;
    random_vertex(&s->vertex);
    s->flat = one_in(4);
    s->clip_planes = one_in(3) ? (uint8_t)draw_number(256) : 0;
    s->points = one_in(3);
    s->sprites = one_in(2) ? (uint8_t)draw_number(256) : 0;
    s->radial_fog = one_in(3);
    s->affine = (uint8_t)draw_number(256);
}

static const uint8_t languages[] = {FRAGPROG_GLSL_110, FRAGPROG_GLSL_120,    FRAGPROG_GLSL_330,
                                    FRAGPROG_GLSL_450, FRAGPROG_GLSL_ES_100, FRAGPROG_GLSL_ES_300};

static inline void random_options(struct fragprog_pair_options *o)
{
    *o = (struct fragprog_pair_options){.language = languages[draw_number(sizeof languages)],
                                        .level = (uint8_t)draw_number(4),
                                        .precision = (uint8_t)draw_number(3),
                                        .packed = one_in(2),
                                        .location = (uint8_t)draw_number(4),
                                        .binding = (uint16_t)draw_number(4),
                                        .prefix = one_in(2) ? "sky_" : NULL};
}

#endif
