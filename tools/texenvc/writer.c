#define _POSIX_C_SOURCE 200809L
#include "writer.h"
#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH = 1 << 20 };

static const char *const extensions[FORMS] = {
    [FORM_GL] = "gl",     [FORM_STAGES] = "stages", [FORM_IR] = "ir",    [FORM_ATIFS] = "atifs",
    [FORM_ATIFS_C] = "c", [FORM_JSON] = "json",     [FORM_CHIP] = "txt", [FORM_LANGUAGE] = "frag"};

/* Words of chips and programs of languages use the frame of the format that they resemble. */
static enum form shape_of(const struct options *o)
{
    if (o->embed)
        return FORM_ATIFS_C;
    if (o->to == FORM_LANGUAGE && o->language.language == FRAGPROG_ARBFP)
        return FORM_ATIFS;
    return o->to != FORM_CHIP      ? o->to
        : o->format == FORMAT_JSON ? FORM_JSON
        : o->format == FORMAT_C    ? FORM_ATIFS_C
                                   : FORM_CHIP;
}

void writer_open(struct writer *w, const struct options *o)
{
    *w = (struct writer){.o = o, .shape = shape_of(o)};
    if (!o->output || strcmp(o->output, "-") == 0)
        return;
    w->folder = output_is_folder(o->output);
    w->file = !w->folder;
    if (w->file) {
        check_no_input(w->o, o->output);
        output_create(o->output);
    }
}

/* ---- frames: what separates several states in one output ---- */

/* Appends a text inside a comment line: without control characters, and without the end of a C comment or of
 * an HTML script. */
static void add_plain(struct buffer *b, const char *s)
{
    for (; *s; s++) {
        const bool ends = (*s == '*' && s[1] == '/') || (*s == '<' && (s[1] == '/' || s[1] == '!'));
        char c = (unsigned char)*s < 0x20 || *s == 0x7F || ends ? '?' : *s;
        buffer_add(b, &c, 1);
    }
}

static void add_comment(struct buffer *b, enum form form, const char *text)
{
    buffer_printf(b,
                  form == FORM_ATIFS_C        ? "/* %s */\n"
                      : form == FORM_LANGUAGE ? "// %s\n"
                                              : "# %s\n",
                  text);
}

static void add_frame(struct buffer *b, const struct writer *w, const struct item *item, const char *reason)
{
    struct buffer line = {0};
    buffer_printf(&line, "state %" PRIu64 " ", item->number);
    add_plain(&line, item->source->name);
    if (item->place.call)
        buffer_printf(&line, ":call %" PRIu64 ", %" PRIu64 " draws", item->place.call, item->draws);
    else
        buffer_printf(&line, ":%" PRIu32, item->place.line);
    if (reason) {
        buffer_puts(&line, " refused: ");
        add_plain(&line, reason);
    }
    add_comment(b, w->shape, line.data);
    buffer_free(&line);
}

/* Appends calls that return to the initial GL state before each state. Matrices belong to no attribute group
 * and are reset separately. */
static void add_gl_reset(struct writer *w, const struct item *item)
{
    struct buffer *b = &w->framed;
    const bool first = w->converted == 1;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (w->matrices >> u & 1)
            buffer_printf(b, "glActiveTexture(GL_TEXTURE%u);\nglMatrixMode(GL_TEXTURE);\nglLoadIdentity();\n",
                          u);
    for (unsigned u = 0; item->vertex && u < TEXENV_UNITS; u++)
        w->matrices |= (unsigned)item->vertex->texture_matrix[u] << u;
    if (!first)
        buffer_puts(b,
                    "glPopAttrib();\nglDeleteTextures(8, (const GLuint[]){100, 200, 300, 400, 500, 600, 700, "
                    "800});\n");
    buffer_puts(b, "glPushAttrib(GL_ALL_ATTRIB_BITS);\n");
}

static const char assumed_text[] = "textures assumed complete RGBA";

/* Appends the state's text. A comment about assumed textures comes after the header line, if the format has
 * one. */
static void add_body(struct buffer *b, enum form form, const struct item *item, const struct buffer *body)
{
    size_t header = 0;
    if (item->assumed) {
        const char *end = (form == FORM_ATIFS || form == FORM_IR || form == FORM_LANGUAGE) && body->length
            ? memchr(body->data, '\n', body->length)
            : NULL;
        header = end ? (size_t)(end + 1 - body->data) : 0;
        buffer_add(b, body->data, header);
        add_comment(b, form, assumed_text);
    }
    buffer_add(b, body->data + header, body->length - header);
}

/* Appends the state without a frame, as the only one in its output. */
static void add_alone(struct buffer *b, enum form form, const struct item *item, const struct buffer *body)
{
    if (form != FORM_JSON) {
        add_body(b, form, item, body);
        return;
    }
    buffer_puts(b, "[\n");
    buffer_add(b, body->data, body->length);
    buffer_puts(b, "\n]\n");
}

/* ---- states ---- */

static void put(struct writer *w, const struct buffer *b)
{
    if (w->file)
        output_write(b->data, b->length);
    else
        output_stdout(b->data, b->length);
}

static void flush(struct writer *w)
{
    if (!w->flushed && w->framed.length)
        put(w, &w->preamble);
    put(w, &w->framed);
    w->flushed |= w->framed.length > 0;
    w->framed.length = 0;
}

static void add_part(struct writer *w, const struct item *item, const struct buffer *body, bool vertex)
{
    struct buffer alone = {0};
    if (w->nparts == w->parts_room) {
        w->parts_room = w->parts_room ? 2 * w->parts_room : 64;
        w->parts = xrealloc(w->parts, w->parts_room * sizeof *w->parts);
    }
    add_alone(&alone, w->shape, item, body);
    w->parts[w->nparts].file = output_create_in(w->o->output);
    w->parts[w->nparts].vertex = vertex;
    w->parts[w->nparts++].in_file = w->in_input;
    output_write(w->preamble.data, w->preamble.length);
    output_write(alone.data, alone.length);
    output_close();
    buffer_free(&alone);
}

static void add_state(struct writer *w, const struct item *item, const struct buffer *body,
                      const char *reason)
{
    enum form form = w->shape;
    bool first = w->states++ == 0;
    if (form == FORM_JSON) {
        buffer_puts(&w->framed, first ? "[\n" : ",\n");
        buffer_add(&w->framed, body->data, body->length);
        return;
    }
    add_frame(&w->framed, w, item, reason);
    if (reason)
        return;
    if (form == FORM_GL)
        add_gl_reset(w, item);
    add_body(&w->framed, form, item, body);
    if (first) {
        w->alone.length = 0;
        add_alone(&w->alone, form, item, body);
    }
    /* A file is discarded as a whole if the input has errors, so it can be written before the input ends. */
    if (w->file && w->states > 1 && w->framed.length > FLUSH)
        flush(w);
}

void writer_state(struct writer *w, const struct item *item, const struct buffer *body,
                  const struct buffer *vertex)
{
    w->converted++;
    w->in_input++;
    if (w->folder && vertex && vertex->length)
        add_part(w, item, vertex, true);
    if (w->folder && body->length)
        add_part(w, item, body, w->o->to == FORM_LANGUAGE && item->ir && item->ir->vertex);
    if (!w->folder)
        add_state(w, item, body, NULL);
}

void writer_refused(struct writer *w, const struct item *item, const char *reason, const struct buffer *body)
{
    if (w->folder && w->shape == FORM_JSON) {
        w->in_input++;
        add_part(w, item, body, false);
    } else if (!w->folder)
        add_state(w, item, body, reason);
}

static void forget_files(struct writer *w)
{
    for (uint64_t i = 0; i < w->nfiles; i++) {
        buffer_free(&w->files[i]);
        buffer_free(&w->common[i]);
    }
    free(w->files);
    free(w->common);
    w->files = w->common = NULL;
    w->nfiles = 0;
}

static void note_file(struct writer *w, uint64_t state, const char *name)
{
    struct buffer *files = &w->files[state - 1], *common = &w->common[state - 1];
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    buffer_puts(files, files->length ? ", " : "");
    buffer_json_string(files, name, strlen(name));
    if (!common->length)
        buffer_add(common, base, dot ? (size_t)(dot - base) : strlen(base));
}

/* Names the files DIR/BASENAME.EXT, or DIR/BASENAME-N.EXT for the Nth of several states of the input that
 * could be converted. */
static void name_parts(struct writer *w, const struct input *input)
{
    const uint64_t items = w->in_input;
    forget_files(w);
    w->files = xcalloc(items, sizeof *w->files);
    w->common = xcalloc(items, sizeof *w->common);
    w->nfiles = items;
    const char *path = !input->path ? "text" : strcmp(input->path, "-") == 0 ? "stdin" : input->path;
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    int length = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));
    int digits = snprintf(NULL, 0, "%" PRIu64, items);
    const char *folder = w->o->output;
    const bool arb = w->o->to == FORM_LANGUAGE && w->shape == FORM_ATIFS;
    if (w->o->name) {
        base = w->o->name;
        length = (int)strlen(base);
    }
    const char *separator = folder[strlen(folder) - 1] == '/' ? "" : "/";
    for (size_t i = 0; i < w->nparts; i++) {
        const char *extension = w->parts[i].vertex ? (arb ? "arbvp" : "vert")
            : arb                                  ? "arbfp"
            : w->o->embed                          ? "h"
                                                   : extensions[w->shape];
        char *name = items == 1 ? xprintf("%s%s%.*s.%s", folder, separator, length, base, extension)
                                : xprintf("%s%s%.*s-%0*" PRIu64 ".%s", folder, separator, length, base,
                                          digits, w->parts[i].in_file, extension);
        check_no_input(w->o, name);
        output_name(w->parts[i].file, name);
        note_file(w, w->parts[i].in_file, name);
        free(name);
    }
    w->nparts = 0;
    w->in_input = 0;
}

void writer_end_input(struct writer *w, const struct input *input, bool failed)
{
    if (failed && !w->file) { /* discard all output of an input with errors */
        w->framed.length = w->mark;
        w->states = w->mark_states;
        w->converted = w->mark_converted;
    }
    if (w->folder)
        name_parts(w, input);
    if (!w->folder && !w->file && w->states > 1)
        flush(w);
    w->mark = w->framed.length;
    w->mark_states = w->states;
    w->mark_converted = w->converted;
}

/* Renames all files to their final names at once. */
static void commit(struct writer *w, bool failed, const struct writer_side *sides, size_t nsides)
{
    for (size_t i = 0; i < nsides; i++) {
        if (!sides[i].path || failed)
            continue;
        check_no_input(w->o, sides[i].path);
        output_close();
        output_create(sides[i].path);
        output_write(sides[i].text->data, sides[i].text->length);
    }
    output_commit();
}

void writer_close(struct writer *w, bool failed, const struct writer_side *sides, size_t nsides)
{
    bool json = w->shape == FORM_JSON;
    if ((w->folder || w->file) && (failed || (!w->converted && !json))) {
        output_abandon();
    } else if (!w->folder) {
        if (json && (w->states || !failed)) /* an input with errors gives no output, not even an empty list */
            buffer_puts(&w->framed, w->states ? "\n]\n" : "[]\n");
        else if (w->states == 1 && w->converted == 1) {
            buffer_free(&w->framed);
            w->framed = w->alone;
            w->alone = (struct buffer){0};
        }
        flush(w);
        if (w->flushed)
            put(w, &w->end);
        commit(w, failed, sides, nsides);
    } else {
        commit(w, failed, sides, nsides);
    }
    forget_files(w);
    buffer_free(&w->preamble);
    buffer_free(&w->end);
    buffer_free(&w->framed);
    buffer_free(&w->alone);
    free(w->parts);
}
