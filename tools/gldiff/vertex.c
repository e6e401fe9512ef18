#include "vertex.h"
#include "draw.h"
#include "reasons.h"
#include "vertex_compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SHRUNK: at most so many differing states are shrunk; SHOWN: at most so many are shown */
enum { SHRUNK = 5, SHOWN = 50 };

struct figures {
    uint64_t states, over, refused, failed, compared, left_out[BORDERS];
    double most[KINDS];
};

struct vertex_diff {
    const struct options *o;
    const struct gldiff_options *g;
    struct buffer *b;
    struct figures figures[WAYS];
    struct reasons why;
    uint64_t states, read, shown, shrunk;
    bool first, failed;
};

struct job {
    struct vertex_subject subject;
    const char *file;
    uint64_t number;
};

/* ---- output ---- */

static void add_reads(struct buffer *b, const struct texenv_vertex_reads *reads)
{
    const char *sign = "reads=";
    static const char *const names[] = {"color", "secondary", "fog"};
    const uint8_t flags[] = {reads->primary, reads->secondary, reads->fog};
    for (unsigned i = 0; i < 3; i++)
        if (flags[i]) {
            buffer_printf(b, "%s%s", sign, names[i]);
            sign = "+";
        }
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (reads->coord[u]) {
            buffer_printf(b, "%stexcoord%u.", sign, u);
            for (unsigned c = 0; c < 4; c++)
                if (reads->coord[u] >> c & 1)
                    buffer_printf(b, "%c", "strq"[c]);
            sign = "+";
        }
}

static void add_words(struct buffer *b, const struct vertex_subject *subject)
{
    char data[2048];
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    texenv_print_vertex(&text, &subject->vertex);
    buffer_printf(b, "%s%s", data, text.length ? " " : "");
    add_reads(b, &subject->reads);
}

static void add_result(struct buffer *b, const struct vertex_difference *at)
{
    static const char *const names[] = {"color", "secondary", "fog"};
    if (at->seen < SEEN_COORD)
        buffer_printf(b, "%s.%c", names[at->seen], "rgba"[at->channel]);
    else if (at->seen < SEEN_POSITION)
        buffer_printf(b, "texcoord%u.%c", at->seen - SEEN_COORD, "strq"[at->channel]);
    else
        buffer_printf(b, "%s.%c", at->seen == SEEN_POSITION ? "position" : "size", "xyzw"[at->channel]);
}

static void show_shrunk(struct vertex_diff *d, const struct job *job, const struct vertex_how *how)
{
    static struct vertex_shot shots[2];
    struct vertex_subject small = job->subject;
    struct vertex_difference at;
    bool refused;
    vertex_shrink(&small, how);
    if (vertex_try(&at, shots, &small, how, &refused))
        return;
    buffer_puts(d->b, "  shrunk to ");
    add_words(d->b, &small);
    buffer_puts(d->b, "\n  differs in ");
    add_result(d->b, &at);
    buffer_printf(d->b, " of vertex %u (its triangle shows its %s): fixed function %.9g, %s %.9g\n",
                  at.vertex, vertex_is_back(at.vertex) ? "back" : "front",
                  (double)shots[0].value[at.seen][at.vertex][at.channel], vertex_ways[how->by.way],
                  (double)shots[1].value[at.seen][at.vertex][at.channel]);
}

static void report_json(struct vertex_diff *d, const struct job *job, enum vertex_way way,
                        const struct vertex_difference *at, const char *why)
{
    struct buffer *b = d->b;
    buffer_puts(b, d->first ? "    " : ",\n    ");
    d->first = false;
    buffer_printf(b, "{\"state\": %" PRIu64 ", \"file\": ", job->number);
    buffer_json_string(b, job->file, strlen(job->file));
    buffer_puts(b, ", \"words\": \"");
    add_words(b, &job->subject);
    buffer_printf(b, "\", \"via\": \"%s\"", vertex_ways[way]);
    if (why) {
        buffer_puts(b, ", \"skipped\": ");
        buffer_json_string(b, why, strlen(why));
    } else {
        buffer_printf(b, ", \"share\": %.9g, \"equal\": %s", isinf(at->worst) ? 1e30 : at->worst,
                      at->worst > 1 ? "false" : "true");
    }
    buffer_puts(b, "}");
}

static void report(struct vertex_diff *d, const struct job *job, enum vertex_way way,
                   const struct vertex_difference *at, const char *why)
{
    struct buffer *b = d->b;
    const bool over = !why && at->worst > 1, quiet = d->o->quiet || d->g->random;
    if (d->o->json) {
        report_json(d, job, way, at, why);
        return;
    }
    if ((!over && quiet) || (over && ++d->shown > SHOWN))
        return;
    buffer_printf(b, "%s: state %" PRIu64 ": %s: ", job->file, job->number, vertex_ways[way]);
    if (why) {
        buffer_printf(b, "not compared: %s\n", why);
        return;
    }
    buffer_printf(b, "%" PRIu64 " values, largest difference %.3g in ", at->compared, at->difference);
    add_result(b, at);
    buffer_puts(b, over ? " DIFFERS\n" : "\n");
}

static void flush(struct vertex_diff *d)
{
    progress_clear();
    output_stdout(d->b->data ? d->b->data : "", d->b->length);
    d->b->length = 0;
}

/* ---- drawing ---- */

static void add_figures(struct figures *f, const struct vertex_difference *at)
{
    f->states++;
    f->over += at->worst > 1;
    f->compared += at->compared;
    for (unsigned i = 0; i < BORDERS; i++)
        f->left_out[i] += at->left_out[i];
    for (unsigned k = 0; k < KINDS; k++)
        f->most[k] = at->most[k] > f->most[k] ? at->most[k] : f->most[k];
}

static void draw(struct vertex_diff *d, const struct job *job)
{
    static struct vertex_shot shots[2];
    for (enum vertex_way way = 0; way < WAYS; way++) {
        struct vertex_difference at = {.worst = 0};
        bool refused = false;
        if (!(d->g->via >> VIA_GLSL >> way & 1))
            continue;
        const struct vertex_how how = {
            {way, &d->o->target}, d->g->seed, job->number, d->g->vertex_tolerance, d->g->sabotage};
        const char *why = vertex_try(&at, shots, &job->subject, &how, &refused);
        if (why) {
            reasons_count(&d->why, why);
            *(refused ? &d->figures[way].refused : &d->figures[way].failed) += 1;
        } else {
            add_figures(&d->figures[way], &at);
        }
        report(d, job, way, &at, why);
        if (!why && at.worst > 1 && !d->o->json && d->shrunk++ < SHRUNK)
            show_shrunk(d, job, &how);
    }
    d->states++;
    if (d->states % 64 == 0) {
        flush(d);
        progress("drawing", 0, d->states);
    }
}

/* ---- inputs ---- */

static const struct texenv_vertex_reads everything = {1, 1, 1, {15, 15, 15, 15, 15, 15, 15, 15}};

/* Reads states in the text format of vertex halves (notes/formats/vertex.md). */
static void read_words(struct vertex_diff *d, const struct input *input)
{
    static const struct texenv_vertex_reads nothing;
    struct source source;
    size_t length = 0;
    char *text = input_text(input, &length);
    if (!text) {
        d->failed = true;
        return;
    }
    source_init(&source, input_name(input));
    source_window(&source, text, length, 1, false);
    struct job job = {.file = source.name, .number = ++d->read};
    const struct texenv_sink sink = diag_sink(&source);
    if (texenv_read_vertex(&job.subject.vertex, &job.subject.reads, text, length, 1, &sink)) {
        texenv_vertex_canonicalise(&job.subject.vertex);
        if (memcmp(&job.subject.reads, &nothing, sizeof nothing) == 0)
            job.subject.reads = everything;
        draw(d, &job);
    } else {
        d->failed = true;
    }
    source_close(&source);
    free(text);
}

/* Handles a state of an input: draws its vertex half, with those results that its fragment half reads. */
static void on_item(void *user, const struct item *item)
{
    struct vertex_diff *d = user;
    struct job job = {.file = item->source->name, .number = ++d->read};
    const char *why = !item->state ? item->refused
            ? item->refused->text
            : "this is a program, which has no vertex half: give a texture environment"
                                   : item->vertex_refused;
    if (why) {
        reasons_count(&d->why, why);
        return;
    }
    job.subject.vertex = *item->vertex;
    texenv_vertex_reads_of(&job.subject.reads, item->state);
    draw(d, &job);
}

static void read_states(struct vertex_diff *d, struct input *input)
{
    struct options one = *d->o;
    struct reader reader = {.options = &one, .user = d, .item = on_item, .vertex = true};
    one.input = input;
    one.ninput = 1;
    read_inputs(&reader);
    d->failed |= reader.failed;
}

static bool is_words(const struct input *input)
{
    static const char end[] = ".vertex";
    const size_t n = input->path ? strlen(input->path) : 0;
    return !input->path || (n >= sizeof end - 1 && strcmp(input->path + n - (sizeof end - 1), end) == 0);
}

static void draw_random(struct vertex_diff *d)
{
    for (uint64_t i = 1; i <= d->g->random; i++) {
        struct job job = {.file = "random", .number = i};
        vertex_random(&job.subject, d->g->seed, i);
        draw(d, &job);
    }
}

/* ---- totals ---- */

static void add_total_json(struct buffer *b, const char *name, const struct figures *f)
{
    buffer_printf(b,
                  "\"%s\": {\"compared\": %" PRIu64 ", \"over\": %" PRIu64 ", \"refused\": %" PRIu64
                  ", \"failed\": %" PRIu64 ", \"values\": %" PRIu64 ", \"left_out\": {",
                  name, f->states, f->over, f->refused, f->failed, f->compared);
    for (unsigned i = 1; i < BORDERS; i++)
        buffer_printf(b, "%s\"%s\": %" PRIu64, i > 1 ? ", " : "", vertex_borders[i], f->left_out[i]);
    buffer_puts(b, "}, \"most\": {");
    for (unsigned k = 0; k < KINDS; k++)
        buffer_printf(b, "%s\"%s\": %.9g", k ? ", " : "", vertex_kinds[k],
                      isinf(f->most[k]) ? 1e30 : f->most[k]);
    buffer_puts(b, "}}");
}

static void add_total(struct buffer *b, const char *name, const struct figures *f)
{
    buffer_printf(b,
                  "%s: %" PRIu64 " vertex states compared, %" PRIu64 " over; %" PRIu64
                  " the language cannot do, %" PRIu64 " the GL refuses; %" PRIu64
                  " values; largest difference",
                  name, f->states, f->over, f->refused, f->failed, f->compared);
    for (unsigned k = 0; k < KINDS; k++)
        buffer_printf(b, "%s %.3g of %s", k ? "," : "", f->most[k], vertex_kinds[k]);
    buffer_puts(b, "\n");
    for (unsigned i = 1; i < BORDERS; i++)
        if (f->left_out[i])
            buffer_printf(b, "    %" PRIu64 " values left out: %s\n", f->left_out[i], vertex_borders[i]);
}

static uint64_t say_totals(struct vertex_diff *d)
{
    struct buffer *b = d->b;
    const bool json = d->o->json;
    uint64_t bad = 0;
    if (json)
        buffer_puts(b, "\n],\n\"totals\": {");
    for (unsigned way = 0, n = 0; way < WAYS; way++) {
        const struct figures *f = &d->figures[way];
        if (!(d->g->via >> VIA_GLSL >> way & 1))
            continue;
        bad += f->over + f->failed;
        if (json && n++)
            buffer_puts(b, ", ");
        (json ? add_total_json : add_total)(b, vertex_ways[way], f);
    }
    if (json)
        buffer_puts(b, "}}\n");
    if (!json && d->shown > SHOWN)
        buffer_printf(b, "  %" PRIu64 " more states that differ were not shown\n", d->shown - SHOWN);
    if (!json)
        reasons_add(b, &d->why);
    if (json && d->failed)
        b->length = 0;
    return bad;
}

uint64_t vertex_run(const struct options *o, const struct gldiff_options *g, struct buffer *b, uint64_t *bad,
                    bool *failed)
{
    struct vertex_diff d = {.o = o, .g = g, .b = b, .first = true};
    draw_random(&d);
    for (size_t i = 0; i < o->ninput; i++)
        if (is_words(&o->input[i]))
            read_words(&d, &o->input[i]);
        else
            read_states(&d, &o->input[i]);
    *failed = d.failed;
    *bad = say_totals(&d);
    flush(&d);
    reasons_free(&d.why);
    return d.states;
}
