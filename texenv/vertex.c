/* Canonicalises the vertex half of fixed function (struct texenv_vertex) and prints it as words. */
#include "texenv/vertex_words.h"

#include <string.h>

static uint8_t truth(uint8_t value) { return value != 0; }

static uint8_t below(uint8_t value, unsigned limit) { return value < limit ? value : 0; }

static void light(struct texenv_light *l, bool lit)
{
    l->enabled = lit && l->enabled;
    l->positional = l->enabled && l->positional;
    l->spot = l->enabled && l->spot; /* directional lights may have a spot, too (2.14.1) */
    l->attenuated = l->positional && l->attenuated;
}

/* Returns the mode, or OFF if the coordinate does not support it (2.11.4: q supports neither sphere,
 * reflection nor normal maps; r no sphere map). */
static uint8_t texgen(uint8_t mode, unsigned coordinate)
{
    mode = below(mode, TEXENV_TEXGENS);
    if (coordinate >= (mode == TEXENV_TEXGEN_SPHERE ? 2u : mode > TEXENV_TEXGEN_SPHERE ? 3u : 4u))
        return TEXENV_TEXGEN_OFF;
    return mode;
}

/* Returns whether lights or texture coordinate generation read the normal. */
static bool reads_normal(const struct texenv_vertex *v)
{
    bool normal = false;
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        normal |= v->light[n].enabled;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        for (unsigned c = 0; c < 4; c++)
            normal |= v->texgen[u][c] >= TEXENV_TEXGEN_SPHERE;
    return normal;
}

void texenv_vertex_canonicalise(struct texenv_vertex *v)
{
    const bool lit = v->lighting;
    bool any = false;
    v->lighting = truth(v->lighting);
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        light(&v->light[n], lit);
        any |= v->light[n].enabled;
    }
    v->two_side = lit && v->two_side;
    v->local_viewer = any && v->local_viewer;
    v->separate_specular = any && v->separate_specular;
    v->tracks[0] = lit ? v->tracks[0] & 15 : 0;
    v->tracks[1] = v->two_side ? v->tracks[1] & 15 : 0;
    v->fog_coord = truth(v->fog_coord);
    v->point_attenuation = truth(v->point_attenuation);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        v->texture_matrix[u] = truth(v->texture_matrix[u]);
        for (unsigned c = 0; c < 4; c++)
            v->texgen[u][c] = texgen(v->texgen[u][c], c);
    }
    v->normals = reads_normal(v) ? below(v->normals, TEXENV_NORMALS_NORMALIZED + 1) : TEXENV_NORMALS_PLAIN;
}

/* ---- what a texture environment reads ---- */

/* Returns which texture coordinates a lookup reads (3.8.8), one bit each: one per dimension of the target, r
 * as the reference value of a shadow comparison, and q if the others are divided by it. */
static uint8_t lanes_of(const struct texenv_stage *stage)
{
    static const uint8_t lanes[TEXENV_TARGETS] = {
        [TEXENV_1D] = 9, [TEXENV_2D] = 11, [TEXENV_RECT] = 11, [TEXENV_3D] = 15, [TEXENV_CUBE] = 7};
    return (uint8_t)(lanes[stage->target] | (stage->depth == 2 ? 4 : 0));
}

static bool names(const struct texenv_half *halves, unsigned source)
{
    for (unsigned h = 0; h < 2; h++)
        for (unsigned a = 0; a < texenv_func_args((enum texenv_func)halves[h].func); a++)
            if (halves[h].arg[a].source == source)
                return true;
    return false;
}

void texenv_vertex_reads_of(struct texenv_vertex_reads *reads, const struct texenv_state *state)
{
    bool previous = true; /* whether anything reads the result of stage u */
    memset(reads, 0, sizeof *reads);
    for (unsigned u = state->nstages; u-- && previous;) {
        struct texenv_half halves[2];
        if (state->stage[u].mode == TEXENV_OFF)
            continue;
        texenv_stage_halves(halves, state, u);
        reads->primary |= names(halves, TEXENV_S_PRIMARY);
        previous = names(halves, TEXENV_S_PREVIOUS);
        for (unsigned n = 0; n < TEXENV_UNITS; n++)
            if (texenv_stage_textures(state, u) >> n & 1)
                reads->coord[n] = lanes_of(&state->stage[n]);
    }
    reads->primary |= previous;
    reads->secondary = state->color_sum;
    reads->fog = state->fog != TEXENV_FOG_OFF;
}

void texenv_vertex_restrict(struct texenv_vertex *v, const struct texenv_vertex_reads *reads)
{
    if (!reads->primary && !reads->secondary)
        v->lighting = 0;
    if (!reads->fog)
        v->fog_coord = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!reads->coord[u])
            v->texture_matrix[u] = 0;
        for (unsigned c = 0; c < 4; c++)
            /* a texture matrix reads all four coordinates */
            if (!v->texture_matrix[u] && !(reads->coord[u] >> c & 1))
                v->texgen[u][c] = TEXENV_TEXGEN_OFF;
    }
    texenv_vertex_canonicalise(v);
}

/* ---- words ---- */

const char *const texenv_vertex_flags[TEXENV_VERTEX_FLAGS] = {
    "lighting", "two-side",  "local-viewer", "separate-specular",
    "rescale",  "normalize", "fog-coord",    "point-attenuation"};
const char *const texenv_vertex_lights[3] = {"positional", "spot", "attenuated"};
const char *const texenv_vertex_texgens[TEXENV_TEXGENS] = {"off",    "object",     "eye",
                                                           "sphere", "reflection", "normal"};
const char *const texenv_vertex_tracked[4] = {"ambient", "diffuse", "specular", "emission"};
const char *const texenv_vertex_sides[3] = {"front", "back", "both"};
const char texenv_vertex_coordinates[5] = "strq";

struct printer {
    struct texenv_text *text;
    bool any;
};

static void begin(struct printer *p)
{
    texenv_printf(p->text, p->any ? " " : "");
    p->any = true;
}

/* Prints the names of the set bits as "=a+b", or nothing if no bit is set. */
static void print_bits(struct printer *p, unsigned bits, const char *const *names)
{
    char sign = '=';
    for (unsigned n = 0; bits >> n; n++)
        if (bits >> n & 1) {
            texenv_printf(p->text, "%c%s", sign, names[n]);
            sign = '+';
        }
}

static void print_tracks(struct printer *p, unsigned side, unsigned bits)
{
    if (!bits)
        return;
    begin(p);
    texenv_printf(p->text, "color-material.%s", texenv_vertex_sides[side]);
    print_bits(p, bits, texenv_vertex_tracked);
}

static void print_texgen(struct printer *p, unsigned unit, const uint8_t *modes)
{
    for (unsigned c = 0; c < 4; c++) {
        bool first = modes[c] != TEXENV_TEXGEN_OFF;
        for (unsigned b = 0; b < c; b++)
            first &= modes[b] != modes[c];
        if (!first)
            continue;
        begin(p);
        texenv_printf(p->text, "texgen%u.", unit);
        for (unsigned b = c; b < 4; b++)
            if (modes[b] == modes[c])
                texenv_printf(p->text, "%c", texenv_vertex_coordinates[b]);
        texenv_printf(p->text, "=%s", texenv_vertex_texgens[modes[c]]);
    }
}

void texenv_print_vertex(struct texenv_text *text, const struct texenv_vertex *v)
{
    struct printer p = {text, false};
    const uint8_t flags[TEXENV_VERTEX_FLAGS] = {v->lighting,
                                                v->two_side,
                                                v->local_viewer,
                                                v->separate_specular,
                                                v->normals == TEXENV_NORMALS_RESCALED,
                                                v->normals == TEXENV_NORMALS_NORMALIZED,
                                                v->fog_coord,
                                                v->point_attenuation};
    for (unsigned n = 0; n < TEXENV_VERTEX_FLAGS; n++)
        if (flags[n]) {
            begin(&p);
            texenv_printf(text, "%s", texenv_vertex_flags[n]);
        }
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        const struct texenv_light *l = &v->light[n];
        if (!l->enabled)
            continue;
        begin(&p);
        texenv_printf(text, "light%u", n);
        print_bits(&p, (l->positional ? 1u : 0) | (l->spot ? 2u : 0) | (l->attenuated ? 4u : 0),
                   texenv_vertex_lights);
    }
    if (v->tracks[0] == v->tracks[1]) {
        print_tracks(&p, 2, v->tracks[0]);
    } else {
        print_tracks(&p, 0, v->tracks[0]);
        print_tracks(&p, 1, v->tracks[1]);
    }
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        print_texgen(&p, u, v->texgen[u]);
        if (v->texture_matrix[u]) {
            begin(&p);
            texenv_printf(text, "matrix%u", u);
        }
    }
}
