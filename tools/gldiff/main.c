/* texenv-gldiff: draws each state by fixed function and again by the program that it is converted to, on the
 * GL of this machine, and compares the pixels. */
#include "arb.h"
#include "both.h"
#include "compare.h"
#include "gl.h"
#include "picture.h"
#include "random.h"
#include "reasons.h"
#include "vertex.h"
#include "vertex_ways.h"
#include "tools/texenvc/compile.h"
#include "tools/texenvc/manual.h"
#include "tools/texenvc/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SHRUNK: at most so many differing states are shrunk; SHOWN: at most so many are shown */
enum { SHRUNK = 5, SHOWN = 50 };

struct job {
    struct texenv_state state;
    uint64_t number, line, call;
    char *file;
};

/* The totals for one way of conversion (enum via). */
struct figures {
    uint64_t compared, over, refused, failed;
    double most;       /* the largest difference of all states */
    double most_plain; /* the largest difference of states with at most 4 units and gain 1 */
};

struct gldiff {
    const struct options *o;
    const struct gldiff_options *g;
    struct draw_options draw;
    struct job job[BATCH];
    unsigned njobs;
    uint64_t states, skipped, programs;
    struct figures via[VIAS];
    struct reasons why;
    unsigned shrunk, shown, pictures;
    bool first_json;
    struct buffer out;
};

static float direct[BATCH][POINTS][4], converted[BATCH][POINTS][4];

/* ---- output ---- */

static void add_place(struct buffer *b, const struct job *job)
{
    if (job->call)
        buffer_printf(b, "%s:call %" PRIu64 ": state %" PRIu64, job->file, job->call, job->number);
    else
        buffer_printf(b, "%s:%" PRIu64 ": state %" PRIu64, job->file, job->line, job->number);
}

static void add_values(struct buffer *b, const char *name, const float *v, unsigned n)
{
    buffer_printf(b, "  %s", name);
    for (unsigned i = 0; i < n; i++)
        buffer_printf(b, " %.9g", (double)v[i]);
    buffer_puts(b, "\n");
}

static void add_stages_line(struct buffer *b, const struct texenv_state *state)
{
    add_stages(b, state);
    if (b->length && b->data[b->length - 1] != '\n')
        buffer_puts(b, "\n");
}

/* Shows the smallest state found that still differs, the point where it differs, and the inputs and results
 * there. */
static void show_shrunk(struct gldiff *d, const struct job *job, enum via via, unsigned bank)
{
    static float a[POINTS][4], b[POINTS][4];
    struct texenv_state small = job->state;
    shrink(&small, via, &d->draw, bank, d->g->tolerance);
    if (!draw_alone(&small, via, &d->draw, bank, a, b))
        return;
    struct difference at = compare(a, b, small.color_sum);
    unsigned p = at.point;
    struct buffer *out = &d->out;
    buffer_puts(out, "  shrunk to ");
    add_stages_line(out, &small);
    buffer_printf(out, "  differs by %.3g in %c at point %u\n", at.most, "rgba"[at.channel], p);
    add_values(out, "primary   ", scene_primary[bank][p], 4);
    for (unsigned u = 0; u < small.nstages; u++) {
        char name[32];
        snprintf(name, sizeof name, "texel %u   ", u);
        if (small.stage[u].mode != TEXENV_OFF)
            add_values(out, name, scene_texel[u][bank][p], 4);
    }
    add_values(out, "direct    ", a[p], 4);
    add_values(out, via_names[via], b[p], 4);
}

static void flush(struct gldiff *d)
{
    progress_clear();
    output_stdout(d->out.data ? d->out.data : "", d->out.length);
    d->out.length = 0;
}

static void report_state(struct gldiff *d, const struct job *job, enum via via,
                         const struct difference *difference, bool over, const char *why)
{
    struct buffer *b = &d->out;
    if (d->o->json) {
        buffer_puts(b, d->first_json ? "    " : ",\n    ");
        d->first_json = false;
        buffer_printf(b, "{\"state\": %" PRIu64 ", \"file\": ", job->number);
        buffer_json_string(b, job->file, strlen(job->file));
        buffer_printf(b, job->call ? ", \"call\": %" PRIu64 : ", \"line\": %" PRIu64,
                      job->call ? job->call : job->line);
        buffer_printf(b, ", \"via\": \"%s\"", via_names[via]);
        if (why) {
            buffer_puts(b, ", \"skipped\": ");
            buffer_json_string(b, why, strlen(why));
        } else {
            buffer_printf(b, ", \"difference\": %.9g, \"tolerance\": %.9g, \"equal\": %s",
                          isinf(difference->most) ? 1e30 : difference->most,
                          tolerance(&job->state, d->g->tolerance), over ? "false" : "true");
        }
        buffer_puts(b, "}");
        return;
    }
    if (!over && !why && (d->o->quiet || d->g->random))
        return;
    if (why && (d->o->quiet || d->g->random))
        return;
    if (over && ++d->shown > SHOWN)
        return;
    add_place(b, job);
    if (why)
        buffer_printf(b, ": %s: not compared: %s\n", via_names[via], why);
    else
        buffer_printf(b, ": %s: largest difference %.3g (allowed %.3g)%s\n", via_names[via], difference->most,
                      tolerance(&job->state, d->g->tolerance), over ? " DIFFERS" : "");
}

/* ---- a batch ---- */

static unsigned bank_of(const struct job *job) { return (unsigned)(job->number % BANKS); }

static void draw_via(struct gldiff *d, enum via via)
{
    static const char *why[BATCH];
    struct figures *f = &d->via[via];
    scene_clear();
    for (unsigned i = 0; i < d->njobs; i++) {
        bool refused = false;
        const char *text = draw_program(&d->job[i].state, via, &d->draw, bank_of(&d->job[i]), i, &refused);
        why[i] = text ? xstrndup(text, strlen(text)) : NULL;
        if (text && refused)
            f->refused++;
        else if (text)
            f->failed++;
        if (text)
            reasons_count(&d->why, text);
    }
    if (!scene_read(converted, d->njobs))
        die_internal("the GL reports an error while reading pixels");
    for (unsigned i = 0; i < d->njobs; i++) {
        const struct job *job = &d->job[i];
        struct difference e = {0, 0, 0};
        bool over = false;
        if (!why[i]) {
            e = compare(direct[i], converted[i], job->state.color_sum);
            over = !(e.most <= tolerance(&job->state, d->g->tolerance));
            f->compared++;
            f->over += over;
            f->most = e.most > f->most ? e.most : f->most;
            if (job->state.nstages <= 4 && state_gain(&job->state) <= 1 && e.most > f->most_plain)
                f->most_plain = e.most;
        }
        report_state(d, job, via, &e, over, why[i]);
        if (over && !d->o->json && d->shrunk++ < SHRUNK)
            show_shrunk(d, job, via, bank_of(job));
        if (d->g->png && !why[i] && (over || d->g->png_all) && d->pictures++ < 1000)
            picture_write(d->g->png, job->number, &job->state, via, &d->draw);
        free((char *)(uintptr_t)why[i]);
    }
}

static void add_samples(struct gldiff *d)
{
    for (unsigned i = 0; i < d->njobs; i++) {
        struct buffer text = {0};
        const struct job *job = &d->job[i];
        add_stages(&text, &job->state);
        text.length -= text.length && text.data[text.length - 1] == '\n';
        buffer_printf(&d->out, "state %" PRIu64 " %u ", job->number, bank_of(job));
        buffer_add(&d->out, text.data, text.length);
        for (unsigned p = 0; p < POINTS; p++)
            for (unsigned c = 0; c < 4; c++)
                buffer_printf(&d->out, "%s%.9g", p + c ? " " : "\n", (double)direct[i][p][c]);
        buffer_puts(&d->out, "\n");
        buffer_free(&text);
    }
}

static void draw_batch(struct gldiff *d)
{
    if (!d->njobs)
        return;
    scene_clear();
    for (unsigned i = 0; i < d->njobs; i++) {
        const char *why = draw_fixed(&d->job[i].state, bank_of(&d->job[i]), i);
        if (why)
            die_file("%s:%" PRIu64 ": state %" PRIu64 ": %s", d->job[i].file, d->job[i].line,
                     d->job[i].number, why);
    }
    if (!scene_read(direct, d->njobs))
        die_internal("the GL reports an error while reading pixels");
    if (d->g->samples)
        add_samples(d);
    else
        for (unsigned via = 0; via < VIAS; via++)
            if (d->g->via >> via & 1)
                draw_via(d, (enum via)via);
    d->states += d->njobs;
    for (unsigned i = 0; i < d->njobs; i++)
        free(d->job[i].file);
    d->njobs = 0;
    flush(d);
    progress("drawing", 0, d->states);
}

static void add_job(struct gldiff *d, const struct texenv_state *state, const char *file, uint64_t number,
                    uint64_t line, uint64_t call)
{
    d->job[d->njobs++] = (struct job){*state, number, line, call, xstrndup(file, strlen(file))};
    if (d->njobs == BATCH)
        draw_batch(d);
}

static void on_item(void *user, const struct item *item)
{
    struct gldiff *d = user;
    if (item->form == FORM_ARBFP) {
        arb_add(item);
        return;
    }
    if (!item->state) {
        d->skipped++;
        reasons_count(&d->why,
                      item->refused ? item->refused->text
                                    : "this is a program: there is no fixed function to compare it with; "
                                      "give a texture environment");
        return;
    }
    add_job(d, item->state, item->source->name, item->number, item->place.line, item->place.call);
}

/* ---- program start and end ---- */

static void say_gl(struct gldiff *d, enum platform platform)
{
    static const GLenum names[] = {GL_VENDOR, GL_RENDERER, GL_VERSION};
    static const char *const keys[] = {"vendor", "renderer", "version"};
    struct buffer *b = &d->out;
    if (d->o->json)
        buffer_printf(b, "{\"platform\": \"%s\"", platform_names[platform]);
    for (unsigned i = 0; i < 3; i++) {
        const char *s = (const char *)gl.glGetString(names[i]);
        if (d->o->json) {
            buffer_printf(b, ", \"%s\": ", keys[i]);
            buffer_json_string(b, s ? s : "", strlen(s ? s : ""));
        } else if (!d->o->quiet) {
            buffer_printf(b, "%s%s", i ? " | " : "", s ? s : "?");
        }
    }
    if (d->o->json) {
        const char *s = (const char *)gl.glGetString(GL_EXTENSIONS);
        buffer_puts(b, ", \"extensions\": ");
        buffer_json_string(b, s ? s : "", strlen(s ? s : ""));
        buffer_puts(b, ",\n\"states\": [\n");
    } else if (!d->o->quiet) {
        static const char *const extensions[] = {"GL_ARB_texture_env_combine", "GL_ARB_texture_env_crossbar",
                                                 "GL_ARB_texture_env_dot3",    "GL_ATI_texture_env_combine3",
                                                 "GL_NV_texture_env_combine4", "GL_ATI_fragment_shader",
                                                 "GL_ARB_fragment_program"};
        buffer_printf(b, " (%s)\n", platform_names[platform]);
        for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++)
            buffer_printf(b, "%s%s: %s", i ? ", " : "", extensions[i], gl_has(extensions[i]) ? "yes" : "no");
        buffer_puts(b, "\n");
    }
    if (d->g->samples)
        d->out.length = 0;
    flush(d);
}

static uint64_t say_totals(struct gldiff *d, bool failed)
{
    struct buffer *b = &d->out;
    uint64_t bad = 0, differing = 0;
    bool json = d->o->json;
    if (json)
        buffer_puts(b, "\n],\n\"totals\": {");
    for (unsigned v = 0, n = 0; v < VIAS; v++) {
        const struct figures *f = &d->via[v];
        if (!(d->g->via >> v & 1) || (!json && !d->states && arb_any()))
            continue;
        bad += f->over + f->failed;
        if (json)
            buffer_printf(b,
                          "%s\"%s\": {\"compared\": %" PRIu64 ", \"over\": %" PRIu64 ", \"refused\": %" PRIu64
                          ", \"failed\": %" PRIu64 ", \"most\": %.9g}",
                          n++ ? ", " : "", via_names[v], f->compared, f->over, f->refused, f->failed,
                          isinf(f->most) ? 1e30 : f->most);
        else
            buffer_printf(
                b,
                "%s: %" PRIu64 " states compared, %" PRIu64 " over; %" PRIu64
                " the language cannot do, %" PRIu64
                " the GL refuses; largest difference %.3g (%.3g in states of up to 4 units without gain)\n",
                via_names[v], f->compared, f->over, f->refused, f->failed, f->most, f->most_plain);
    }
    if (json)
        buffer_printf(b, "}, \"not_drawn\": %" PRIu64, d->skipped);
    d->programs = d->g->samples ? 0 : arb_run(d->o, &d->draw, json ? b : NULL, &differing);
    bad += differing;
    if (json)
        buffer_puts(b, "}\n");
    if (d->shown > SHOWN)
        buffer_printf(b, "  %u more states that differ were not shown\n", d->shown - SHOWN);
    if (!json)
        reasons_add(b, &d->why);
    if (d->g->samples || (json && failed))
        b->length = 0;
    flush(d);
    return bad;
}

static void add_samples_header(struct gldiff *d)
{
    struct buffer *b = &d->out;
    for (unsigned k = 0; k < BANKS; k++)
        for (unsigned p = 0; p < POINTS; p++) {
            buffer_printf(b, "input %u %u", k, p);
            for (unsigned c = 0; c < 4; c++)
                buffer_printf(b, " %.9g", (double)scene_primary[k][p][c]);
            for (unsigned c = 0; c < 3; c++)
                buffer_printf(b, " %.9g", (double)scene_secondary[k][p][c]);
            for (unsigned u = 0; u < TEXENV_UNITS; u++)
                for (unsigned c = 0; c < 4; c++)
                    buffer_printf(b, " %.9g", (double)scene_texel[u][k][p][c]);
            buffer_puts(b, "\n");
        }
}

/* Reports the end of the run and returns the exit status. */
static int end(struct gldiff *d, bool failed, uint64_t bad, uint64_t drawn)
{
    if (!drawn && !failed)
        message(TEXENV_ERROR, "empty", "no state%s was drawn", arb_any() ? " and no program" : "");
    buffer_free(&d->out);
    free(d);
    return failed || bad || !drawn ? STATUS_INPUT : STATUS_OK;
}

static int run_vertex(struct gldiff *d, enum platform platform, bool all)
{
    struct gldiff_options g = *d->g;
    uint64_t bad;
    bool failed;
    const char *why = vertex_scene_open();
    if (why)
        message(TEXENV_ERROR, "gl", "%s", why);
    for (unsigned way = 0; !why && way < WAYS; way++) {
        const char *lacks = vertex_way_lacks((enum vertex_way)way);
        if (!lacks || !(g.via >> VIA_GLSL >> way & 1))
            continue;
        g.via &= ~(1u << VIA_GLSL << way);
        why = all ? NULL : lacks;
        if (why)
            message(TEXENV_ERROR, "extension", "this GL (%s, %s) lacks %s, which --via %s needs",
                    (const char *)gl.glGetString(GL_RENDERER), (const char *)gl.glGetString(GL_VERSION), why,
                    vertex_ways[way]);
    }
    if (why) {
        free(d);
        return STATUS_REFUSED;
    }
    say_gl(d, platform);
    const uint64_t drawn = vertex_run(d->o, &g, &d->out, &bad, &failed);
    return end(d, failed, bad, drawn);
}

static int run_both(struct gldiff *d, enum platform platform)
{
    struct gldiff_options g = *d->g;
    uint64_t bad = 0;
    bool failed = false;
    const char *why = vertex_scene_open();
    for (unsigned way = 0; !why && way < WAYS && g.via_all; way++)
        if (vertex_way_lacks((enum vertex_way)way))
            g.via &= ~(1u << VIA_GLSL << way);
    if (why) {
        message(TEXENV_ERROR, "gl", "%s", why);
        free(d);
        return STATUS_REFUSED;
    }
    say_gl(d, platform);
    const uint64_t drawn = both_run(d->o, &g, &d->draw, &d->out, &bad, &failed);
    return end(d, failed, bad, drawn);
}

static int run(const struct options *o, const struct gldiff_options *g)
{
    struct gldiff *d = xcalloc(1, sizeof *d);
    enum platform platform;
    bool failed = false;
    d->o = o;
    d->g = g;
    d->draw.passes = o->target;
    d->draw.sabotage = g->sabotage;
    d->first_json = true;
    const char *why = gl_open((enum platform)g->platform, &platform);
    if (why) {
        message(TEXENV_ERROR, "gl", "no OpenGL: %s", why);
        return STATUS_REFUSED;
    }
    if (g->vertex)
        return run_vertex(d, platform, g->via_all);
    if (strstr((const char *)gl.glGetString(GL_VERSION), "Mesa"))
        d->draw.passes.avoid_mesa = 1;
    for (unsigned v = 0; v < VIAS; v++)
        if (g->via >> v & 1 && (why = draw_lacks((enum via)v))) {
            message(TEXENV_ERROR, "extension", "this GL (%s, %s) lacks %s, which --via %s needs",
                    (const char *)gl.glGetString(GL_RENDERER), (const char *)gl.glGetString(GL_VERSION), why,
                    via_names[v]);
            return STATUS_REFUSED;
        }
    if ((why = scene_open(g->eight_bit))) {
        message(TEXENV_ERROR, "gl", "%s", why);
        return STATUS_REFUSED;
    }
    if (g->both)
        return run_both(d, platform);
    say_gl(d, platform);
    if (g->samples)
        add_samples_header(d);
    for (uint64_t i = 1; i <= g->random; i++) {
        struct texenv_state state;
        random_state_make(&state, g->seed, i, &o->policy);
        add_job(d, &state, "random", i, i, 0);
    }
    if (o->ninput) {
        struct reader reader = {.options = o, .user = d, .item = on_item};
        read_inputs(&reader);
        failed = reader.failed;
    }
    draw_batch(d);
    progress_clear();
    uint64_t bad = say_totals(d, failed);
    return end(d, failed, bad, d->states + d->programs);
}

static const char help[] =
    "Each state is drawn at 16 points with other colours and texels into a float framebuffer. The\n"
    "largest difference is printed; states that differ by more than 2e-6 times their gain (the product\n"
    "of scales, 4 for a dot product) are reduced to the smallest state that differs. Exit status: 0 all\n"
    "equal, 1 differences or errors, 2 wrong usage, 3 no OpenGL or an extension is missing.\n"
    "\n"
    "An ARB program is drawn at 64 points, each with its own colours, coordinates, fog coordinate and\n"
    "depth, with random textures, parameters and state. Compared are the colours that it writes\n"
    "(limited to [0,1]), the depth, and which fragments it kills. A value may differ by 1e-5, and by as\n"
    "much as it moves when all inputs of the program move by up to 2^-18 of themselves. Left out and\n"
    "counted are undefined values (infinities, NaN, and what changes when other numbers replace RCP and\n"
    "RSQ of 0, LG2 and POW of what is not positive, SCS beyond pi, lookups divided by what is not\n"
    "positive, and anything of 1e30 and more) and unsteady ones (that move by more than 1e-3 so, as at\n"
    "thresholds of comparisons, kills and texels). The bias of TXB has no effect: textures have one\n"
    "level. Of a vertex program up to eight results that fragments read are compared; its position is\n"
    "read as a set of coordinates. Large values may differ by 1e-5 of themselves.\n"
    "\n"
    "With --vertex each vertex half is drawn with 48 vertices, whose triangles show either side, and\n"
    "random matrices, lights, materials, planes and attributes. Compared are positions, sizes of\n"
    "points, and those colours, fog coordinates and coordinates that are read. A value may differ by\n"
    "1e-5 times the largest of 1 and the vertex's values, a colour by 4e-5, a position by a pixel of\n"
    "1024. Left out and counted is where rounding decides: light along a surface, the border of a spot\n"
    "(1e-5 of the cosine), half vectors along a surface with an exponent below 1, sizes within 0.01 of\n"
    "a whole or half pixel. With --both each state is drawn so with textures, and left out is what\n"
    "moves by more than 1e-3 when the vertices move by up to 2^-18 of themselves.\n"
    "\n"
    "Examples:\n"
    "  texenv-gldiff --vertex -e 'lighting light0=spot texgen0.st=sphere'\n"
    "  texenv-gldiff --vertex --random 1000 --via arbvp\n"
    "  texenv-gldiff game.gl\n"
    "  texenv-gldiff --random 10000 --via atifs --platform surfaceless\n"
    "  texenv-gldiff --via arbfp --via glsl water.arbfp\n";

/* Checks --via: each mode accepts some of its names, and uses all of them by default. */
static void settle_via(struct gldiff_options *g)
{
    const unsigned wanted = g->via, vertex = ((1u << WAYS) - 1) << VIA_GLSL,
                   both = (1u << VIA_ARBFP | vertex) & ~(1u << VIA_GLSL << WAY_ARBVP),
                   all = g->vertex ? vertex
        : g->both                  ? both
                                   : (1u << VIAS) - 1;
    if (g->vertex && g->both)
        die_usage("--vertex and --both cannot be used together");
    if (wanted & ~all)
        die_usage(g->vertex ? "--vertex: --via takes arbvp, glsl, glsl-110, glsl-330, glsl-es and glsl-es-300"
                      : g->both
                      ? "--both: --via takes arbfp, glsl, glsl-110, glsl-330, glsl-es and glsl-es-300"
                      : "--via takes arbvp, glsl-110, glsl-330, glsl-es and glsl-es-300 with --vertex only");
    g->via = wanted ? wanted : all;
    g->via_all = !wanted;
}

int main(int argc, char **argv)
{
    static const struct command command[] = {
        {"texenv-gldiff", CMD_GLDIFF, "[FILE...] [options]",
         "Draws texture environments by fixed function, and ARB programs as they are, and each by "
         "the programs that it is converted to, on this machine's OpenGL, and compares",
         help, NULL},
        {0}};
    static const char version[] = "texenv-gldiff " TEXENV_VERSION "\n";
    struct gldiff_options g = {.via = 0, .tolerance = 2e-6, .vertex_tolerance = 1e-5, .seed = 1};
    struct options o = {.program = argv[0], .command = command, .gldiff = &g};
    message_name = "texenv-gldiff";
    options_parse(&o, argc - 1, argv + 1);
    if (o.version) {
        output_stdout(version, strlen(version));
        output_close_stdout();
        return STATUS_OK;
    }
    if (o.help || o.manual) {
        struct buffer text = {0};
        if (o.manual)
            manual_page(&text, command->name, command, command->summary, NULL);
        else
            help_command(&text, command);
        output_stdout(text.data, text.length);
        buffer_free(&text);
        output_close_stdout();
        return STATUS_OK;
    }
    if (!o.ninput && !g.random)
        die_usage("no states: name a FILE or give --random N");
    settle_via(&g);
    if (g.png && !picture_available())
        die_usage("--png: this program was built without libpng");
    if (g.png)
        output_make_folder(g.png);
    if (g.eight_bit)
        g.tolerance = 1.01 / 255;
    int status = run(&o, &g);
    options_free(&o);
    output_close_stdout();
    return status;
}
