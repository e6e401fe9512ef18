#include "both.h"
#include "both_direct.h"
#include "both_pair.h"
#include "arb_scene.h"
#include "compare.h"
#include "reasons.h"
#include "scene.h"
#include "vertex_core.h"
#include "tools/texenvc/compile.h"
#include "tools/texenvc/vertex.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Draws whole states, with their vertex halves, by fixed function and by programs, and compares the colours.
 */
enum { SHOWN = 50 };

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

struct found {
    double most, allowed;
    unsigned vertex, channel;
    float converted[VERTICES][4];
};

/* ---- drawing ---- */

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

static const char *draw_pair(struct found *f, const struct both_job *job, const struct vertex_values *values,
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
                                          .points = both_points(job),
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
    both_pair_use(program, values, &job->state, both_add_values);
    struct texenv_raster es = job->raster;
    es.lower_left = 0;
    /* ES shaders discard fragments instead of writing clip distances, and flip sprites themselves */
    if (way >= BOTH_ES)
        both_set_raster(&es, 0);
    const bool ok = vertex_scene_pixels(f->converted, both_points(job));
    both_set_raster(&job->raster, job->raster.clip_planes);
    vertex_core_done();
    gl.glUseProgram(0);
    gl.glDeleteProgram(program);
    return ok ? NULL : "the GL reports an error while drawing by shaders";
}

/* Draws by the programs of both halves. Returns NULL, or the reason of a failure. */
static const char *draw_converted(struct found *f, const struct both_job *job,
                                  const struct vertex_values *values, enum way way,
                                  const struct draw_options *options, bool *refused)
{
    struct both_job made = *job;
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

static void compare_values(struct found *f, struct figures *g, const struct both_direct *d,
                           const struct both_job *job)
{
    const double base = BOTH_TOLERANCE * state_gain(&job->state);
    f->most = 0, f->allowed = INFINITY;
    for (unsigned i = 0; i < VERTICES; i++) {
        bool border = false; /* with flat shading, the colour comes from another vertex of the triangle */
        for (unsigned k = 0; k < (job->raster.flat ? 3 : 1) && job->half.vertex.lighting; k++)
            border |= vertex_color_border(d->values, &job->half.vertex,
                                          job->raster.flat ? i / 3 * 3 + k : i) != BORDER_NONE;
        for (unsigned c = 0; c < 4; c++) {
            const double e = difference(d->value[i][c], f->converted[i][c], job->state.color_sum),
                         m = d->moved[i][c];
            if (d->mesa[i] || border || !(m <= BOTH_STEADY)) {
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

static void add_place(struct buffer *b, const struct both_job *job)
{
    if (job->call)
        buffer_printf(b, "%s:call %" PRIu64 ": state %" PRIu64, job->file, job->call, job->number);
    else
        buffer_printf(b, "%s:%" PRIu64 ": state %" PRIu64, job->file, job->line, job->number);
}

static void report_json(struct both *d, const struct both_job *job, enum way way, const struct found *f,
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

static void report(struct both *d, const struct both_job *job, enum way way, const struct both_direct *direct,
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

static void draw(struct both *d, const struct both_job *job)
{
    static struct found f;
    static struct both_direct direct;
    const char *none = both_draw_direct(&direct, job, d->g->seed);
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

static void draw_random(struct both *d)
{
    for (uint64_t i = 1; i <= d->g->random; i++) {
        struct both_job job;
        both_random(&job, d->g->seed, i, &d->o->policy);
        draw(d, &job);
    }
}

static void on_item(void *user, const struct item *item)
{
    struct both *d = user;
    struct both_job job = {.file = item->source->name,
                           .number = item->number,
                           .line = item->place.line,
                           .call = item->place.call};
    const char *why = !item->state ? item->refused
            ? item->refused->text
            : "this is a program, which has no vertex half: give a texture environment"
                                   : item->vertex_refused;
    if (why) {
        d->skipped++;
        reasons_count(&d->why, why);
        return;
    }
    job.state = *item->state;
    job.half.vertex = *item->vertex;
    job.raster = item->raster;
    both_find_reads(&job);
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
