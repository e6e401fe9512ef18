/* Reads apitrace dumps in pieces, and merges draws with equal canonical states. Textures without images are
 * assumed complete only if the whole trace contains no texture image. As long as no image has been seen, the
 * states are collected both with and without this assumption. */
#define _POSIX_C_SOURCE 200809L
#include "input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18 };

/* Draws with equal keys are merged. All bytes are compared, also the reason of a refusal. */
struct key {
    struct texenv_state state;
    struct fragprog_reason why; /* code NULL: the state is not refused */
    struct texenv_vertex vertex;
    struct texenv_raster raster;
    char no_vertex[120]; /* why there is no vertex half; empty if there is one */
};

struct entry {
    struct key key;
    struct texenv_place place;
    uint64_t draws;
    bool assumed;
    struct texenv *te;                                 /* NULL unless reader.keep is set */
    struct texenv_values *values;                      /* GL's values at the first draw; NULL if not known */
    struct texenv_texture_info textures[TEXENV_UNITS]; /* at the first draw */
    struct texenv_places *places;
};

/* The states and diagnostics under one of the two assumptions about images. */
struct merged {
    bool complete;       /* textures without images are assumed complete */
    struct entry *entry; /* in the order of their first draws */
    size_t n, room;
    size_t *slot; /* hash table with open addressing: index + 1; size 2 * room */
    struct texenv_diag *diag;
    size_t ndiag, diag_room;
};

struct trace {
    struct reading *in;
    struct texenv_reader reader;
    struct merged as_is, assumed;
    bool images;        /* a texture image was seen: `assumed` is not used any more */
    struct texenv last; /* the last draw, and its entries */
    struct texenv_vertex last_vertex;
    struct texenv_raster last_raster;
    const char *last_refused;
    bool have_last, last_images;
    size_t last_entry[2];
    uint64_t bytes;
};

static void keep_diag(void *user, const struct texenv_diag *diag)
{
    struct merged *m = user;
    if (m->ndiag == m->diag_room) {
        m->diag_room = m->diag_room ? 2 * m->diag_room : 16;
        m->diag = xrealloc(m->diag, m->diag_room * sizeof *m->diag);
    }
    m->diag[m->ndiag++] = *diag;
}

static size_t *find_slot(struct merged *m, const struct key *key)
{
    size_t mask = 2 * m->room - 1;
    size_t i = hash_bytes(key, sizeof *key, 0) & mask;
    while (m->slot[i] && memcmp(&m->entry[m->slot[i] - 1].key, key, sizeof *key) != 0)
        i = (i + 1) & mask;
    return &m->slot[i];
}

static void grow(struct merged *m)
{
    m->room = m->room ? 2 * m->room : 64;
    m->entry = xrealloc(m->entry, m->room * sizeof *m->entry);
    free(m->slot);
    m->slot = xcalloc(2 * m->room, sizeof *m->slot);
    for (size_t i = 0; i < m->n; i++)
        *find_slot(m, &m->entry[i].key) = i + 1;
}

static void put_vertex(struct key *key, const struct reader *r, const struct texenv_draw *draw)
{
    const char *none = vertex_half(&key->vertex, &key->raster, r, draw, &key->state);
    if (none)
        snprintf(key->no_vertex, sizeof key->no_vertex, "%s", none);
}

/* Merges the draw into m and returns the index of its entry. Reports diagnostics only for new states. */
static size_t merge(struct trace *t, struct merged *m, const struct texenv_draw *draw)
{
    const struct reader *r = t->in->r;
    struct key key;
    memset(&key, 0, sizeof key);
    struct fragprog_reason why;
    if (!canonicalise(&key.state, &why, draw, &r->options->policy, m->complete, NULL)) {
        memset(&key.state, 0, sizeof key.state);
        key.why.unit = why.unit;
        key.why.code = why.code;
        memcpy(key.why.text, why.text, strlen(why.text));
    } else if (r->vertex) {
        put_vertex(&key, r, draw);
    }
    if (m->n == m->room)
        grow(m);
    size_t *slot = find_slot(m, &key);
    if (*slot) {
        m->entry[*slot - 1].draws++;
        return *slot - 1;
    }
    *slot = m->n + 1;
    struct entry *e = &m->entry[m->n];
    *e = (struct entry){.place = draw->places->draw, .draws = 1};
    memcpy(&e->key, &key, sizeof key); /* memcpy, as an assignment need not copy the padding */
    copy_textures(e->textures, draw);
    if (draw->values) {
        e->values = xrealloc(NULL, sizeof *e->values);
        texenv_values_of(e->values, draw->values, draw->te);
    }
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        e->assumed |= m->complete && draw->te->unit[u].enabled;
    if (r->keep) {
        e->te = xrealloc(NULL, sizeof *e->te);
        e->places = xrealloc(NULL, sizeof *e->places);
        *e->te = *draw->te;
        *e->places = *draw->places;
    }
    struct texenv_state again;
    struct texenv_sink sink = t->images ? diag_sink(&t->in->source) : (struct texenv_sink){keep_diag, m};
    canonicalise(&again, &why, draw, &r->options->policy, m->complete, &sink);
    return m->n++;
}

static void flush_diags(struct trace *t, struct merged *m)
{
    for (size_t i = 0; i < m->ndiag; i++)
        diag_report(&t->in->source, &m->diag[i]);
    m->ndiag = 0;
}

static void free_merged(struct merged *m)
{
    for (size_t i = 0; i < m->n; i++) {
        free(m->entry[i].te);
        free(m->entry[i].values);
        free(m->entry[i].places);
    }
    free(m->entry);
    free(m->slot);
    free(m->diag);
    *m = (struct merged){0};
}

static bool same_vertex(const struct trace *t, const struct texenv_draw *draw)
{
    return !t->in->r->vertex ||
        (t->last_refused == draw->vertex_refused &&
         memcmp(&t->last_raster, &draw->raster, sizeof t->last_raster) == 0 &&
         (!draw->vertex || memcmp(&t->last_vertex, draw->vertex, sizeof t->last_vertex) == 0));
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct trace *t = user;
    if (!draw->no_images && !t->images) {
        t->images = true;
        free_merged(&t->assumed);
        flush_diags(t, &t->as_is);
        t->have_last = false;
    }
    /* Fast path: most draws follow one with the same state. Compares bytes and not draw->changed, because
     * draws of several contexts may alternate. */
    if (t->have_last && memcmp(&t->last, draw->te, sizeof t->last) == 0 && same_vertex(t, draw)) {
        t->as_is.entry[t->last_entry[0]].draws++;
        if (!t->images)
            t->assumed.entry[t->last_entry[1]].draws++;
        return true;
    }
    t->last_entry[0] = merge(t, &t->as_is, draw);
    if (!t->images)
        t->last_entry[1] = merge(t, &t->assumed, draw);
    memcpy(&t->last, draw->te, sizeof t->last);
    if (draw->vertex)
        t->last_vertex = *draw->vertex;
    t->last_refused = draw->vertex_refused;
    t->last_raster = draw->raster;
    t->have_last = true;
    return true;
}

/* ---- reading in pieces ---- */

/* The last two pieces of text are kept, so that diagnostics can show their line. */
struct window {
    char data[2 * PIECE];
    size_t length;
    size_t old;          /* start of the newest piece */
    uint32_t first_line; /* line number at data[0] */
    bool cut;            /* data[0] is in the middle of a line */
};

static void window_drop_old(struct window *w)
{
    for (const char *p = w->data; (p = memchr(p, '\n', (size_t)(w->data + w->old - p))); p++)
        w->first_line++;
    if (w->old)
        w->cut = w->data[w->old - 1] != '\n';
    memmove(w->data, w->data + w->old, w->length - w->old);
    w->length -= w->old;
    w->old = w->length;
}

static void summary(const struct trace *t, const struct merged *m, double seconds)
{
    const struct texenv_reader *reader = &t->reader;
    double megabytes = (double)t->bytes / 1e6;
    message(TEXENV_NOTE, "summary",
            "%s: states %zu, draws %" PRIu64 ", draws under programs (not converted) %" PRIu64
            ", calls skipped %" PRIu64 "; %.1f MB in %.2f s, %.0f MB/s%s",
            t->in->source.name, m->n, reader->draws, reader->program_draws, reader->skipped, megabytes,
            seconds, seconds > 0 ? megabytes / seconds : 0.0,
            reader->truncated ? "; the last call is cut off" : "");
}

uint64_t feed_trace(struct reading *in, struct texenv_reader *reader, FILE *f, const char *first,
                    size_t length, void **window)
{
    struct window *w = *window = xcalloc(1, sizeof *w);
    uint64_t bytes = 0;
    w->first_line = 1;
    struct texenv_trace *trace = texenv_trace_open(reader);
    if (!trace)
        die_memory();
    for (bool more = true; more;) {
        window_drop_old(w);
        size_t n = length < PIECE ? length : PIECE;
        if (n) {
            memcpy(w->data + w->length, first, n);
            first += n;
            length -= n;
        } else if (f) {
            n = fread(w->data + w->length, 1, PIECE, f);
            if (n < PIECE && ferror(f)) {
                message(TEXENV_ERROR, "file", "cannot read '%s': %s", in->source.name, strerror(errno));
                in->source.count[TEXENV_ERROR]++;
            }
        }
        if (!n)
            break;
        w->length += n;
        bytes += n;
        source_window(&in->source, w->data, w->length, w->first_line, w->cut);
        more = texenv_trace_feed(trace, w->data + w->old, n);
        progress(in->source.name, bytes, reader->draws);
    }
    bool ok = texenv_trace_close(trace);
    if (reader->errors && !in->source.count[TEXENV_ERROR])
        in->source.count[TEXENV_ERROR] = reader->errors;
    if (!ok && !reader->errors)
        die_memory();
    progress_clear();
    return bytes;
}

void read_trace(struct reading *in, FILE *f, const char *first, size_t length)
{
    struct trace *t = xcalloc(1, sizeof *t);
    double start = now_seconds();
    t->in = in;
    t->assumed.complete = true;
    t->reader = (struct texenv_reader){
        .memory = tool_memory, .sink = diag_sink(&in->source), .on_draw = on_draw, .user = t};
    say_beside(&t->reader, in);
    void *window;
    t->bytes = feed_trace(in, &t->reader, f, first, length, &window);
    struct merged *m = t->images || t->reader.images ? &t->as_is : &t->assumed;
    flush_diags(t, m);
    summary(t, m, now_seconds() - start);
    in->skipped = t->reader.skipped;
    in->program_draws = t->reader.program_draws;
    for (size_t i = 0; i < m->n; i++) {
        const struct entry *e = &m->entry[i];
        bool refused = e->key.why.code != NULL;
        bool has_vertex = in->r->vertex && !refused && !e->key.no_vertex[0];
        struct item item = {.place = e->place,
                            .draws = e->draws,
                            .assumed = e->assumed,
                            .refused = refused ? &e->key.why : NULL,
                            .state = refused ? NULL : &e->key.state,
                            .te = e->te,
                            .places = e->places,
                            .vertex = has_vertex ? &e->key.vertex : NULL,
                            .values = e->values,
                            .textures = e->textures,
                            .raster = e->key.raster,
                            .vertex_refused = e->key.no_vertex[0] ? e->key.no_vertex : NULL};
        deliver(in, &item);
    }
    free_merged(&t->as_is);
    free_merged(&t->assumed);
    free(window);
    free(t);
}
