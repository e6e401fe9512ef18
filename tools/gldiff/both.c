#include "both.h"
#include "both_pair.h"
#include "arb_scene.h"
#include "compare.h"
#include "random.h"
#include "reasons.h"
#include "scene.h"
#include "vertex_compare.h"
#include "vertex_core.h"
#include "tools/texenvc/compile.h"
#include "tools/texenvc/vertex.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Draws whole states, with their vertex halves, by fixed function and by programs, and compares the colours.
 * A value may differ by TOLERANCE times the state's gain, plus the change described next. A value is
 * unsteady, and not compared, if it changes by more than STEADY when the numbers of the vertices change by up
 * to 2^-18 of themselves, because a texel, a comparison or a spot is at its threshold; or if the vertex is at
 * a border of lighting (enum vertex_border). Two deviations of Mesa are left out as well: it divides
 * coordinates of cube maps by q, which reverses the direction where q is negative (2.1, 3.8.13 has no q
 * there); and with a float framebuffer it does not clamp the colour sum before fog. */
#define TOLERANCE 1e-5
#define STEADY 1e-3
enum { VARIATIONS = 6, SHOWN = 50 };

enum way { BOTH_ARB, BOTH_GLSL, BOTH_110, BOTH_330, BOTH_ES, BOTH_ES_300, BOTH_WAYS };
static const char *const way_names[BOTH_WAYS] = {"arbfp",    "glsl",    "glsl-110",
                                                 "glsl-330", "glsl-es", "glsl-es-300"};
/* The bit of --via for each way. */
static const unsigned way_bits[BOTH_WAYS] = {VIA_ARBFP,
                                             VIA_GLSL,
                                             VIA_GLSL + WAY_GLSL_110,
                                             VIA_GLSL + WAY_GLSL_330,
                                             VIA_GLSL + WAY_GLSL_ES,
                                             VIA_GLSL + WAY_GLSL_ES_300};

struct figures {
    uint64_t states, over, refused, failed, compared, unsteady, mesa;
    double most, most_steady; /* most_steady: the largest among values that changed by 1e-6 at most */
};

struct both {
    const struct options *o;
    const struct gldiff_options *g;
    const struct draw_options *draw;
    struct buffer *b;
    struct figures figures[BOTH_WAYS];
    struct reasons why;
    uint64_t states, skipped, shown;
    bool first;
};

struct job {
    struct texenv_state state;
    struct vertex_subject half;
    struct texenv_raster raster;
    const char *file;
    uint64_t number, line, call;
};

/* The result of fixed function, and the change of each value when the inputs change. */
struct direct {
    const struct vertex_values *values;
    float value[VERTICES][4];
    double moved[VERTICES][4];
    bool mesa[VERTICES]; /* not compared because of a deviation of Mesa */
};

struct found {
    double most, allowed;
    unsigned vertex, channel;
    float converted[VERTICES][4];
};

/* ---- drawing ---- */

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

/* Polygons are drawn as points. Clipping adds corners, which would be points, too; shaders that discard
 * fragments do not add them. So a state with clip planes is drawn as points from the start. */
static bool draws_points(const struct job *job) { return job->raster.points || job->raster.clip_planes; }

/* Sets the rasterization state. Returns NULL, or why GL has no such state. */
static const char *set_raster(const struct texenv_raster *r, unsigned planes)
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

/* Sets all state except programs, and makes the numbers. Returns NULL, or why GL has no such state. */
static const char *set(const struct vertex_values **made, const struct job *job, uint64_t seed,
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
    return why ? why : set_raster(&job->raster, job->raster.clip_planes);
}

static bool is_cube(const struct texenv_state *state, unsigned unit)
{
    return unit < state->nstages && state->stage[unit].mode != TEXENV_OFF &&
        state->stage[unit].target == TEXENV_CUBE;
}

/* Finds the vertices that a deviation of Mesa affects, by drawing without fog and clip planes, and with the
 * coordinates as colours. Returns false after a GL error. */
static bool find_mesa(struct direct *d, const struct job *job, const struct vertex_values *values)
{
    static struct vertex_shot shot;
    static float sum[VERTICES][4];
    struct vertex_subject coords = {.vertex = job->half.vertex};
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        coords.reads.coord[u] = is_cube(&job->state, u) ? 8 : 0;
    gl.glDisable(GL_FOG);
    set_raster(&job->raster, 0);
    const bool ok = vertex_scene_draw(&shot, values, &coords) && vertex_scene_pixels(sum, draws_points(job));
    set_fog(&job->state);
    set_raster(&job->raster, job->raster.clip_planes);
    for (unsigned i = 0; i < VERTICES; i++) {
        d->mesa[i] = false;
        for (unsigned u = 0; u < TEXENV_UNITS; u++)
            d->mesa[i] |= is_cube(&job->state, u) && !(shot.value[SEEN_COORD + u][i][3] > 0);
        for (unsigned c = 0; c < 3 && job->state.color_sum && job->state.fog; c++)
            d->mesa[i] |= !(sum[i][c] <= 1);
    }
    return ok;
}

/* Draws by fixed function. Returns NULL, or the reason of a failure. */
static const char *draw_direct(struct direct *d, const struct job *job, uint64_t seed)
{
    static float other[VERTICES][4];
    memset(d->moved, 0, sizeof d->moved);
    for (unsigned k = VARIATIONS + 1; k-- > 0;) {
        const struct vertex_values *values;
        const char *why = set(&values, job, seed, k);
        if (why)
            return why;
        if (!vertex_scene_pixels(k == VARIATIONS ? d->value : other, draws_points(job)) ||
            (!k && !find_mesa(d, job, values)))
            return "the GL reports an error while drawing by fixed function";
        for (unsigned i = 0; k < VARIATIONS && i < VERTICES * 4; i++) {
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

static char program_text[1 << 17];
static char words[1024];

static const char *complain(const char *what, const char *log)
{
    snprintf(words, sizeof words, "%s: %.*s", what, (int)strcspn(log, "\n"), log);
    return words;
}

/* Writes an ARB fragment program for the state. Returns NULL, or why it cannot. */
static const char *translate(char *out, size_t size, const struct texenv_state *state,
                             const struct draw_options *options)
{
    static uint64_t scratch[FRAGPROG_SCRATCH / sizeof(uint64_t)];
    static struct fragprog_reason why;
    struct texenv_text text;
    const struct fragprog_source source = {.state = state};
    const struct fragprog_language_options how = {.language = FRAGPROG_ARBFP,
                                                  .color_sum = state->color_sum,
                                                  .fog = state->fog,
                                                  .fog_coord = state->fog_coord,
                                                  .fold_constants = options->passes.fold_constants};
    texenv_text_init(&text, out, size);
    return fragprog_compile_language(&text, &source, &options->passes, &how, scratch, &why) ? NULL : why.text;
}

static const char *draw_arb(struct found *f, const char *vertex)
{
    static const GLenum targets[2] = {GL_FRAGMENT_PROGRAM_ARB, GL_VERTEX_PROGRAM_ARB};
    const char *const texts[2] = {program_text, vertex}, *why = NULL, *log = "";
    GLuint names[2] = {0, 0};
    for (unsigned k = 0; k < 2 && !why; k++) {
        names[k] = arb_program_new(targets[k], texts[k], strlen(texts[k]), &log);
        if (names[k])
            gl.glEnable(targets[k]);
        else
            why = complain("the GL refuses the ARB program", log);
    }
    if (!why && !vertex_scene_pixels(f->converted, false))
        why = "the GL reports an error while drawing by ARB programs";
    for (unsigned k = 0; k < 2; k++) {
        gl.glDisable(targets[k]);
        if (names[k])
            arb_program_delete(targets[k], names[k]);
    }
    return why;
}

static void add_values(struct texenv_values *values)
{
    memcpy(values->clip_plane, clip_plane, sizeof clip_plane);
    memcpy(values->fog.color, fog_color, sizeof fog_color);
    values->fog.density = FOG_DENSITY;
    values->fog.start = FOG_START;
    values->fog.end = FOG_END;
}

static const char *draw_pair(struct found *f, const struct job *job, const struct vertex_values *values,
                             enum way way, const char **refused)
{
    static const uint8_t languages[BOTH_WAYS] = {[BOTH_GLSL] = FRAGPROG_GLSL_120,
                                                 [BOTH_110] = FRAGPROG_GLSL_110,
                                                 [BOTH_330] = FRAGPROG_GLSL_330,
                                                 [BOTH_ES] = FRAGPROG_GLSL_ES_100,
                                                 [BOTH_ES_300] = FRAGPROG_GLSL_ES_300};
    /* softpipe uses one gl_FrontFacing for a quad of pixels, even if they belong to several triangles */
    const bool guesses = strstr((const char *)gl.glGetString(GL_RENDERER), "softpipe");
    struct fragprog_pair_source source = {.state = job->state,
                                          .vertex = job->half.vertex,
                                          .flat = way >= BOTH_330 && job->raster.flat,
                                          .clip_planes = job->raster.clip_planes,
                                          .points = draws_points(job),
                                          .sprites = way >= BOTH_330 ? job->raster.sprites : 0,
                                          .lower_left = job->raster.lower_left,
                                          .radial_fog = job->raster.radial_fog};
    const struct fragprog_pair_options options = {.language = languages[way], .level = 2};
    const char *failed;
    source.state.alpha_test = TEXENV_COMPARE_NONE; /* the fixed-function drawing has no alpha test */
    if (guesses && way >= BOTH_330 && job->half.vertex.two_side)
        return *refused = "softpipe gives neighbouring triangles one gl_FrontFacing";
    const GLuint program = both_pair_make(&source, &options, refused, &failed);
    if (!program)
        return *refused ? *refused : failed;
    both_pair_use(program, values, &job->state, add_values);
    struct texenv_raster es = job->raster;
    es.lower_left = 0;
    /* ES shaders discard fragments instead of writing clip distances, and flip sprites themselves */
    if (way >= BOTH_ES)
        set_raster(&es, 0);
    const bool ok = vertex_scene_pixels(f->converted, draws_points(job));
    set_raster(&job->raster, job->raster.clip_planes);
    vertex_core_done();
    gl.glUseProgram(0);
    gl.glDeleteProgram(program);
    return ok ? NULL : "the GL reports an error while drawing by shaders";
}

/* Draws by the programs of both halves. Returns NULL, or the reason of a failure. */
static const char *draw_converted(struct found *f, const struct job *job, const struct vertex_values *values,
                                  enum way way, const struct draw_options *options, bool *refused)
{
    struct job made = *job;
    const char *why = NULL;
    if (options->sabotage) {
        sabotage_state(&made.state);
        vertex_sabotage(&made.half.vertex);
    }
    if (way != BOTH_ARB) {
        const char *failed = draw_pair(f, &made, values, way, &why);
        *refused = why;
        return failed;
    }
    static const struct texenv_raster none = {0};
    const struct vertex_draw by = {WAY_ARBVP, &options->passes};
    if (memcmp(&job->raster, &none, sizeof none) != 0) {
        *refused = true;
        return "ARB programs have no flat colours, planes, sprites and radial fog";
    }
    why = translate(program_text, sizeof program_text, &made.state, options);
    const char *vertex = why ? NULL : vertex_way_text(&by, &made.half, &why);
    *refused = why;
    return why ? why : draw_arb(f, vertex);
}

/* Measures a difference as compare() does (compare.h). */
static double difference(float a, float b, bool color_sum)
{
    if (color_sum)
        return fabs(fmin(fmax((double)a, 0), 1) - fmin(fmax((double)b, 0), 1));
    return fabs((double)a - (double)b);
}

static void compare_values(struct found *f, struct figures *g, const struct direct *d, const struct job *job)
{
    const double base = TOLERANCE * state_gain(&job->state);
    f->most = 0, f->allowed = INFINITY;
    for (unsigned i = 0; i < VERTICES; i++) {
        bool border = false; /* with flat shading, the colour comes from another vertex of the triangle */
        for (unsigned k = 0; k < (job->raster.flat ? 3 : 1) && job->half.vertex.lighting; k++)
            border |= vertex_color_border(d->values, &job->half.vertex,
                                          job->raster.flat ? i / 3 * 3 + k : i) != BORDER_NONE;
        for (unsigned c = 0; c < 4; c++) {
            const double e = difference(d->value[i][c], f->converted[i][c], job->state.color_sum),
                         m = d->moved[i][c];
            if (d->mesa[i] || border || !(m <= STEADY)) {
                *(d->mesa[i] ? &g->mesa : &g->unsteady) += 1;
                continue;
            }
            g->compared++;
            g->most = e <= g->most ? g->most : e;
            if (m <= 1e-6)
                g->most_steady = e <= g->most_steady ? g->most_steady : e;
            if (e - base - m <= f->most - f->allowed)
                continue;
            f->most = e, f->allowed = base + m, f->vertex = i, f->channel = c;
        }
    }
}

/* ---- output ---- */

static void add_place(struct buffer *b, const struct job *job)
{
    if (job->call)
        buffer_printf(b, "%s:call %" PRIu64 ": state %" PRIu64, job->file, job->call, job->number);
    else
        buffer_printf(b, "%s:%" PRIu64 ": state %" PRIu64, job->file, job->line, job->number);
}

static void report_json(struct both *d, const struct job *job, enum way way, const struct found *f,
                        const char *why)
{
    struct buffer *b = d->b;
    buffer_puts(b, d->first ? "    " : ",\n    ");
    d->first = false;
    buffer_printf(b, "{\"state\": %" PRIu64 ", \"file\": ", job->number);
    buffer_json_string(b, job->file, strlen(job->file));
    buffer_printf(b, job->call ? ", \"call\": %" PRIu64 : ", \"line\": %" PRIu64,
                  job->call ? job->call : job->line);
    buffer_printf(b, ", \"via\": \"%s\"", way_names[way]);
    if (why) {
        buffer_puts(b, ", \"skipped\": ");
        buffer_json_string(b, why, strlen(why));
    } else {
        buffer_printf(b, ", \"difference\": %.9g, \"equal\": %s", isfinite(f->most) ? f->most : 1e30,
                      f->most <= f->allowed ? "true" : "false");
    }
    buffer_puts(b, "}");
}

static void report(struct both *d, const struct job *job, enum way way, const struct direct *direct,
                   const struct found *f, const char *why)
{
    struct buffer *b = d->b;
    const bool over = !why && !(f->most <= f->allowed), quiet = d->o->quiet || d->g->random;
    char half[2048];
    struct texenv_text text;
    if (d->o->json) {
        report_json(d, job, way, f, why);
        return;
    }
    if ((!over && quiet) || (over && ++d->shown > SHOWN))
        return;
    add_place(b, job);
    if (why) {
        buffer_printf(b, ": %s: not compared: %s\n", way_names[way], why);
        return;
    }
    buffer_printf(b, ": %s: largest difference %.3g%s\n", way_names[way], f->most, over ? " DIFFERS" : "");
    if (!over)
        return;
    texenv_text_init(&text, half, sizeof half);
    texenv_print_vertex(&text, &job->half.vertex);
    buffer_puts(b, "  ");
    add_stages(b, &job->state);
    buffer_printf(b, "%s  vertex half: %s\n", b->data[b->length - 1] == '\n' ? "" : "\n", half);
    buffer_printf(b, "  flat %u, planes 0x%x, points %u, sprites 0x%x, radial fog %u\n", job->raster.flat,
                  job->raster.clip_planes, job->raster.points, job->raster.sprites, job->raster.radial_fog);
    buffer_printf(b, "  %c of vertex %u: fixed function %.9g, %s %.9g (allowed %.3g)\n", "rgba"[f->channel],
                  f -> vertex, (double)direct -> value[f->vertex][f->channel], way_names[way],
                  (double)f -> converted[f->vertex][f->channel], f -> allowed);
}

static void draw(struct both *d, const struct job *job)
{
    static struct found f;
    static struct direct direct;
    const char *none = draw_direct(&direct, job, d->g->seed);
    for (enum way way = 0; way < BOTH_WAYS; way++) {
        struct figures *g = &d->figures[way];
        bool refused = true;
        if (!(d->g->via >> way_bits[way] & 1))
            continue;
        const char *why = none ? none : draw_converted(&f, job, direct.values, way, d->draw, &refused);
        if (why) {
            reasons_count(&d->why, why);
            *(refused ? &g->refused : &g->failed) += 1;
        } else {
            compare_values(&f, g, &direct, job);
            g->states++;
            g->over += !(f.most <= f.allowed);
        }
        report(d, job, way, &direct, &f, why);
    }
    if (++d->states % 64)
        return;
    progress_clear();
    output_stdout(d->b->data ? d->b->data : "", d->b->length);
    d->b->length = 0;
    progress("drawing", 0, d->states);
}

/* ---- inputs ---- */

/* Reduces the vertex half to the results that the fragment half reads. */
static void find_reads(struct job *job)
{
    texenv_vertex_reads_of(&job->half.reads, &job->state);
    texenv_vertex_restrict(&job->half.vertex, &job->half.reads);
}

static void draw_random(struct both *d)
{
    for (uint64_t i = 1; i <= d->g->random; i++) {
        struct job job = {.file = "random", .number = i, .line = i};
        random_state_make(&job.state, d->g->seed, i, &d->o->policy);
        vertex_random(&job.half, d->g->seed, i);
        /* with lighting, GL itself enables the colour sum for a separate specular colour (2.1, 3.9) */
        if (job.half.vertex.lighting)
            job.state.color_sum = job.half.vertex.separate_specular;
        job.state.fog = (uint8_t)(i % 4);
        job.state.fog_coord = job.half.vertex.fog_coord = job.state.fog && i / 4 % 2;
        job.raster.flat = i % 5 == 0;
        job.raster.clip_planes = i % 7 == 0 ? (uint8_t)(i / 7 % 64) : 0;
        job.raster.points = i % 11 == 0;
        job.raster.sprites = i % 11 == 0 ? (uint8_t)(i / 11) : 0;
        job.raster.lower_left = job.raster.sprites && i / 11 % 3 == 0;
        job.raster.flat &= !draws_points(&job);
        job.raster.radial_fog = i % 3 == 0 && job.state.fog && !job.state.fog_coord;
        find_reads(&job);
        draw(d, &job);
    }
}

static void on_item(void *user, const struct item *item)
{
    struct both *d = user;
    struct job job = {.file = item->source->name,
                      .number = item->number,
                      .line = item->place.line,
                      .call = item->place.call};
    const char *why = !item->state
        ? item->refused ? item->refused->text : "a program is no state: it has no vertex half"
        : item->vertex_refused;
    if (why) {
        d->skipped++;
        reasons_count(&d->why, why);
        return;
    }
    job.state = *item->state;
    job.half.vertex = *item->vertex;
    job.raster = item->raster;
    find_reads(&job);
    draw(d, &job);
}

/* ---- totals ---- */

static uint64_t say_totals(struct both *d, bool failed)
{
    struct buffer *b = d->b;
    const bool json = d->o->json;
    uint64_t bad = 0;
    if (json)
        buffer_puts(b, "\n],\n\"totals\": {");
    for (unsigned way = 0, n = 0; way < BOTH_WAYS; way++) {
        const struct figures *f = &d->figures[way];
        if (!(d->g->via >> way_bits[way] & 1))
            continue;
        bad += f->over + f->failed;
        buffer_printf(
            b,
            json ? "%s\"%s\": {\"compared\": %" PRIu64 ", \"over\": %" PRIu64 ", \"refused\": %" PRIu64
                   ", \"failed\": %" PRIu64 ", \"values\": %" PRIu64 ", \"unsteady\": %" PRIu64
                   ", \"mesa\": %" PRIu64 ", \"most\": %.9g, \"most_steady\": %.9g}"
                 : "%s%s: %" PRIu64 " whole states compared, %" PRIu64 " over; %" PRIu64
                   " the language cannot do, %" PRIu64 " the GL refuses; %" PRIu64
                   " values compared, %" PRIu64 " left out as unsteady, %" PRIu64
                   " for what Mesa does; largest difference %.3g (%.3g where it moves by 1e-6 at most)\n",
            json && n++ ? ", " : "", way_names[way], f->states, f->over, f->refused, f->failed, f->compared,
            f->unsteady, f->mesa, f->most, f->most_steady);
    }
    if (json)
        buffer_printf(b, "}, \"not_drawn\": %" PRIu64 "}\n", d->skipped);
    if (!json && d->shown > SHOWN)
        buffer_printf(b, "  %" PRIu64 " more states that differ were not shown\n", d->shown - SHOWN);
    if (!json)
        reasons_add(b, &d->why);
    if (json && failed)
        b->length = 0;
    return bad;
}

uint64_t both_run(const struct options *o, const struct gldiff_options *g,
                  const struct draw_options *draw_options, struct buffer *b, uint64_t *bad, bool *failed)
{
    struct both d = {.o = o, .g = g, .draw = draw_options, .b = b, .first = true};
    draw_random(&d);
    if (o->ninput) {
        struct reader reader = {.options = o, .user = &d, .item = on_item, .vertex = true};
        memset(&reader.raster, 0xff, sizeof reader.raster);
        read_inputs(&reader);
        *failed = reader.failed;
    }
    *bad = say_totals(&d, *failed);
    progress_clear();
    output_stdout(b->data ? b->data : "", b->length);
    b->length = 0;
    reasons_free(&d.why);
    return d.states;
}
