#include "both_direct.h"
#include "draw.h"
#include "random.h"
#include "scene.h"
#include "vertex_compare.h"

#include <math.h>
#include <string.h>

#define FOG_DENSITY 0.3f
#define FOG_START 0.5f
#define FOG_END 4.5f
static const float fog_color[4] = {0.75f, 0.25f, 0.125f, 1};

static void set_fog(const struct texenv_state *state)
{
    static const GLenum modes[] = {
        [TEXENV_FOG_LINEAR] = GL_LINEAR, [TEXENV_FOG_EXP] = GL_EXP, [TEXENV_FOG_EXP2] = GL_EXP2};
    gl.glDisable(GL_FOG);
    if (!state->fog)
        return;
    gl.glEnable(GL_FOG);
    gl.glFogi(GL_FOG_MODE, (GLint)modes[state->fog]);
    gl.glFogf(GL_FOG_DENSITY, FOG_DENSITY);
    gl.glFogf(GL_FOG_START, FOG_START);
    gl.glFogf(GL_FOG_END, FOG_END);
    gl.glFogfv(GL_FOG_COLOR, fog_color);
}

/* Clip planes in eye coordinates. Each passes through the visible volume and removes a part of it. */
static const float clip_plane[TEXENV_CLIP_PLANES][4] = {{1, 0, 0, 0.3f},    {-1, 0.5f, 0, 0.4f},
                                                        {0, 1, 0.1f, 0.5f}, {0, -1, 0, 0.45f},
                                                        {0, 0, 1, 3},       {0.2f, 0, -1, -1}};

bool both_points(const struct both_job *job) { return job->raster.points || job->raster.clip_planes; }

const char *both_set_raster(const struct texenv_raster *r, unsigned planes)
{
    gl.glShadeModel(r->flat ? GL_FLAT : GL_SMOOTH);
    gl.glMatrixMode(GL_MODELVIEW);
    gl.glPushMatrix();
    gl.glLoadIdentity();
    for (unsigned n = 0; n < 6; n++) {
        double plane[4];
        for (unsigned c = 0; c < 4; c++)
            plane[c] = (double)clip_plane[n][c];
        gl.glClipPlane(GL_CLIP_PLANE0 + n, plane);
        (planes >> n & 1 ? gl.glEnable : gl.glDisable)(GL_CLIP_PLANE0 + n);
    }
    gl.glPopMatrix();
    (r->sprites ? gl.glEnable : gl.glDisable)(GL_POINT_SPRITE);
    gl.glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, r->lower_left ? GL_LOWER_LEFT : GL_UPPER_LEFT);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        gl.glActiveTexture(GL_TEXTURE0 + u);
        gl.glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, r->sprites >> u & 1);
    }
    gl.glActiveTexture(GL_TEXTURE0);
    if (gl_has("GL_NV_fog_distance"))
        gl.glFogi(GL_FOG_DISTANCE_MODE_NV, r->radial_fog ? GL_EYE_RADIAL_NV : GL_EYE_PLANE_ABSOLUTE_NV);
    else if (r->radial_fog)
        return "the GL has no fog of the distance from the eye";
    return r->clip_planes >> 6 ? "there are six clip planes here" : NULL;
}

const char *both_set(const struct vertex_values **made, const struct both_job *job, uint64_t seed,
                     unsigned variation)
{
    static struct vertex_values values; /* static because GL reads the arrays when it draws */
    *made = &values;
    scene_bind(&job->state, &scene_as_is, 0, true);
    fixed_set(&job->state);
    set_fog(&job->state);
    vertex_values_make(&values, &job->half.vertex, seed, job->number);
    if (variation)
        vertex_values_vary(&values, variation);
    for (unsigned c = 0; c < 4 && job->raster.sprites; c++) {
        /* move points off pixel centres, so that no sprite coordinate is at the border of a texel */
        values.projection[4 * c] += 0.4f / VERTEX_COLUMNS * values.projection[4 * c + 3];
        values.projection[4 * c + 1] += 0.3f / VERTEX_ROWS * values.projection[4 * c + 3];
    }
    const char *why = vertex_values_set(&values, &job->half.vertex);
    return why ? why : both_set_raster(&job->raster, job->raster.clip_planes);
}

static bool is_cube(const struct texenv_state *state, unsigned unit)
{
    return unit < state->nstages && state->stage[unit].mode != TEXENV_OFF &&
        state->stage[unit].target == TEXENV_CUBE;
}

bool both_cube_q(bool bad[VERTICES], const struct both_job *job, const struct vertex_values *values)
{
    static struct vertex_shot shot;
    struct vertex_subject coords = {.vertex = job->half.vertex};
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        coords.reads.coord[u] = is_cube(&job->state, u) ? 8 : 0;
    gl.glDisable(GL_FOG);
    both_set_raster(&job->raster, 0);
    const bool ok = vertex_scene_draw(&shot, values, &coords);
    set_fog(&job->state);
    both_set_raster(&job->raster, job->raster.clip_planes);
    for (unsigned i = 0; i < VERTICES; i++) {
        bad[i] = false;
        for (unsigned u = 0; u < TEXENV_UNITS; u++)
            bad[i] |= is_cube(&job->state, u) && !(shot.value[SEEN_COORD + u][i][3] > 0);
    }
    return ok;
}

/* Finds the vertices that a deviation of Mesa affects, by drawing without fog and clip planes, and with the
 * coordinates as colours. Returns false after a GL error. */
static bool find_mesa(struct both_direct *d, const struct both_job *job, const struct vertex_values *values)
{
    static float sum[VERTICES][4];
    bool ok = both_cube_q(d->mesa, job, values);
    gl.glDisable(GL_FOG);
    both_set_raster(&job->raster, 0);
    ok &= vertex_scene_pixels(sum, both_points(job));
    set_fog(&job->state);
    both_set_raster(&job->raster, job->raster.clip_planes);
    for (unsigned i = 0; i < VERTICES; i++)
        for (unsigned c = 0; c < 3 && job->state.color_sum && job->state.fog; c++)
            d->mesa[i] |= !(sum[i][c] <= 1);
    return ok;
}

const char *both_draw_direct(struct both_direct *d, const struct both_job *job, uint64_t seed)
{
    static float other[VERTICES][4];
    memset(d->moved, 0, sizeof d->moved);
    for (unsigned k = BOTH_VARIATIONS + 1; k-- > 0;) {
        const struct vertex_values *values;
        const char *why = both_set(&values, job, seed, k);
        if (why)
            return why;
        if (!vertex_scene_pixels(k == BOTH_VARIATIONS ? d->value : other, both_points(job)) ||
            (!k && !find_mesa(d, job, values)))
            return "the GL reports an error while drawing by fixed function";
        for (unsigned i = 0; k < BOTH_VARIATIONS && i < VERTICES * 4; i++) {
            double *moved = &d->moved[i / 4][i % 4];
            const double m = fabs((double)other[i / 4][i % 4] - (double)d->value[i / 4][i % 4]);
            *moved = m <= *moved ? *moved : m;
        }
        if (!k)
            memcpy(d->value, other, sizeof other);
        d->values = values;
    }
    return NULL;
}

void both_add_values(struct texenv_values *values)
{
    memcpy(values->clip_plane, clip_plane, sizeof clip_plane);
    memcpy(values->fog.color, fog_color, sizeof fog_color);
    values->fog.density = FOG_DENSITY;
    values->fog.start = FOG_START;
    values->fog.end = FOG_END;
}

void both_find_reads(struct both_job *job)
{
    texenv_vertex_reads_of(&job->half.reads, &job->state);
    texenv_vertex_restrict(&job->half.vertex, &job->half.reads);
}

void both_random(struct both_job *job, uint64_t seed, uint64_t n, const struct texenv_policy *policy)
{
    *job = (struct both_job){.file = "random", .number = n, .line = n};
    random_state_make(&job->state, seed, n, policy);
    vertex_random(&job->half, seed, n);
    /* with lighting, GL itself enables the colour sum for a separate specular colour (2.1, 3.9) */
    if (job->half.vertex.lighting)
        job->state.color_sum = job->half.vertex.separate_specular;
    job->state.fog = (uint8_t)(n % 4);
    job->state.fog_coord = job->half.vertex.fog_coord = job->state.fog && n / 4 % 2;
    job->raster.flat = n % 5 == 0;
    job->raster.clip_planes = n % 7 == 0 ? (uint8_t)(n / 7 % 64) : 0;
    job->raster.points = n % 11 == 0;
    job->raster.sprites = n % 11 == 0 ? (uint8_t)(n / 11) : 0;
    job->raster.lower_left = job->raster.sprites && n / 11 % 3 == 0;
    job->raster.flat &= !both_points(job);
    job->raster.radial_fog = n % 3 == 0 && job->state.fog && !job->state.fog_coord;
    both_find_reads(job);
}
