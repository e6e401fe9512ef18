#define _POSIX_C_SOURCE 200809L
#include "diag.h"
#include "output.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    bool json, quiet, silent;
    bool progress_shown, progress_forced;
    double progress_start, progress_last;
} settings;

static const char *const severity_names[] = {"note", "warning", "error"};

void diag_setup(bool json, bool quiet)
{
    settings.json = json;
    settings.quiet = quiet;
}

void diag_silence(void) { settings.silent = true; }

static bool shown(enum texenv_severity severity) { return severity == TEXENV_ERROR || !settings.quiet; }

/* Returns the length of the UTF-8 character at p, or 0 if it is invalid or not printable. */
static size_t character(const char *p, size_t length)
{
    unsigned char c = (unsigned char)*p;
    if (c < 0x80)
        return c >= 0x20 && c != 0x7f;
    size_t n = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : 2, i = 1;
    if (c < 0xc2 || c > 0xf4 || (c == 0xc2 && length > 1 && (unsigned char)p[1] < 0xa0))
        return 0;
    while (i < n && i < length && ((unsigned char)p[i] & 0xc0) == 0x80)
        i++;
    return i == n ? n : 0;
}

/* Prints a line. Control characters, which come from names and texts of the input and could control the
 * terminal, are printed as numbers. */
static void print_line(struct buffer *b)
{
    if (settings.silent) {
        buffer_free(b);
        return;
    }
    struct buffer text = {0};
    for (size_t i = 0; i < b->length;) {
        size_t n = b->data[i] == '\n' ? 1 : character(b->data + i, b->length - i);
        if (n)
            buffer_add(&text, b->data + i, n);
        else
            buffer_printf(&text, "\\x%02x", (unsigned)(unsigned char)b->data[i]);
        i += n ? n : 1;
    }
    progress_clear();
    buffer_puts(&text, "\n");
    fwrite(text.data, 1, text.length, stderr);
    buffer_free(&text);
    buffer_free(b);
}

static void print_json(const char *file, enum texenv_severity severity, const struct texenv_place *place,
                       int unit, const char *code, const char *text)
{
    struct buffer b = {0};
    buffer_printf(&b, "{\"severity\": \"%s\"", severity_names[severity]);
    if (file) {
        buffer_puts(&b, ", \"file\": ");
        buffer_json_string(&b, file, strlen(file));
    }
    if (place && place->line)
        buffer_printf(&b, ", \"line\": %" PRIu32 ", \"column\": %" PRIu32, place->line, place->column);
    if (place && place->call)
        buffer_printf(&b, ", \"call\": %" PRIu64, place->call);
    if (unit >= 0)
        buffer_printf(&b, ", \"unit\": %d", unit);
    buffer_puts(&b, ", \"code\": ");
    buffer_json_string(&b, code, strlen(code));
    buffer_puts(&b, ", \"text\": ");
    buffer_json_string(&b, text, strlen(text));
    buffer_puts(&b, "}");
    print_line(&b);
}

/* ---- positions in the source ---- */

void source_init(struct source *s, const char *name) { *s = (struct source){.name = name, .first_line = 1}; }

void source_window(struct source *s, const char *text, size_t length, uint32_t first_line, bool first_is_cut)
{
    s->text = text;
    s->length = length;
    s->first_line = first_line;
    s->first_is_cut = first_is_cut;
    s->cursor_line = 0;
}

void source_close(struct source *s)
{
    if (s->hidden)
        message(TEXENV_NOTE, "more", "%s: %" PRIu64 " more warnings and notes (texenvc lint shows all)",
                s->name, s->hidden);
    if (s->limit && s->refused > s->limit)
        message(TEXENV_ERROR, "more", "%s: %" PRIu64 " more states refused (texenvc lint shows all)", s->name,
                s->refused - s->limit);
    hash_set_free(&s->seen);
}

/* Finds a line. Diagnostics come mostly in the order of the text, so the search starts at the last line
 * found. */
static bool find_line(struct source *s, uint32_t line, const char **start, size_t *length)
{
    if (!s->text || line < s->first_line || (line == s->first_line && s->first_is_cut))
        return false;
    if (!s->cursor_line || line < s->cursor_line) {
        s->cursor_line = s->first_line;
        s->cursor = 0;
    }
    while (s->cursor_line < line) {
        const char *end = memchr(s->text + s->cursor, '\n', s->length - s->cursor);
        if (!end)
            return false;
        s->cursor = (size_t)(end + 1 - s->text);
        s->cursor_line++;
    }
    *start = s->text + s->cursor;
    const char *end = memchr(*start, '\n', s->length - s->cursor);
    *length = end ? (size_t)(end - *start) : s->length - s->cursor;
    if (*length && (*start)[*length - 1] == '\r')
        --*length;
    return true;
}

const char *source_line(struct source *s, uint32_t line, size_t *length)
{
    const char *start;
    return find_line(s, line, &start, length) ? start : NULL;
}

static bool continues(char c)
{ /* within a UTF-8 character: does not take a column on the screen */
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Appends the line, cut around the column if it is long, and a caret below the column. A tab counts as one
 * column, so it is shown as one blank. */
static void add_excerpt(struct buffer *b, const char *line, size_t length, uint32_t column)
{
    enum { BEFORE = 70, AFTER = 40 };
    size_t at = column ? column - 1 : 0;
    if (at > length)
        at = length;
    size_t from = at > BEFORE ? at - BEFORE : 0, to = length - at > AFTER ? at + AFTER : length;
    if (length <= BEFORE + AFTER) {
        from = 0;
        to = length;
    }
    while (from > 0 && continues(line[from]))
        from--;
    while (to < length && continues(line[to]))
        to++;
    buffer_puts(b, from ? "\n    ..." : "\n    ");
    size_t caret = from ? 3 : 0;
    /* a character that is not printable is shown as '?', which also takes one column */
    for (size_t i = from; i < to;) {
        size_t n = character(line + i, to - i);
        buffer_add(b, n ? line + i : line[i] == '\t' ? " " : "?", n ? n : 1);
        caret += i < at;
        i += n ? n : 1;
    }
    buffer_puts(b, to < length ? "...\n    " : "\n    ");
    buffer_pad(b, b->length, caret);
    buffer_puts(b, "^");
}

static bool is_new(struct source *s, const struct texenv_diag *d)
{
    uint64_t hash = hash_bytes(d->text, strlen(d->text), d->place.line * UINT64_C(4096) + d->place.column);
    return hash_set_add(
        &s->seen, hash_bytes(d->code, strlen(d->code), hash + (uint64_t)(d->unit + 1) * 8 + d->severity));
}

static void print_diag(struct source *s, const struct texenv_diag *d)
{
    if (settings.json) {
        print_json(s->name, d->severity, &d->place, d->unit, d->code, d->text);
        return;
    }
    struct buffer b = {0};
    buffer_puts(&b, s->name);
    if (d->place.line)
        buffer_printf(&b, ":%" PRIu32 ":%" PRIu32, d->place.line, d->place.column);
    buffer_printf(&b, ": %s: ", severity_names[d->severity]);
    if (d->place.call)
        buffer_printf(&b, "call %" PRIu64 ": ", d->place.call);
    if (d->unit >= 0 && !strstr(d->text, "unit"))
        buffer_printf(&b, "unit %d: ", d->unit);
    buffer_printf(&b, "%s [%s]", d->text, d->code);
    const char *line;
    size_t length;
    if (d->place.line && find_line(s, d->place.line, &line, &length) && length)
        add_excerpt(&b, line, length, d->place.column);
    print_line(&b);
}

/* Returns whether to hide a diagnostic: the same text is shown only a few times, and all texts together
 * `limit` times. */
static bool is_too_many(struct source *s, const struct texenv_diag *d)
{
    enum { SAME_TEXT = 3 };
    if (!s->limit || d->severity == TEXENV_ERROR)
        return false;
    bool few = false;
    for (uint64_t i = 1; i <= SAME_TEXT && !few; i++)
        few = hash_set_add(&s->seen, hash_bytes(d->text, strlen(d->text), ~i));
    return !few || s->count[TEXENV_WARNING] + s->count[TEXENV_NOTE] - s->hidden > s->limit;
}

void diag_report(struct source *s, const struct texenv_diag *d)
{
    if (!is_new(s, d))
        return;
    s->count[d->severity]++;
    if (is_too_many(s, d))
        s->hidden++;
    else if (shown(d->severity))
        print_diag(s, d);
}

void diag_refused(struct source *s, struct texenv_place place, int unit, const char *code, const char *text)
{
    struct texenv_diag d = {.severity = TEXENV_ERROR, .unit = unit, .place = place, .code = code};
    snprintf(d.text, sizeof d.text, "refused: %s", text);
    if (is_new(s, &d) && (++s->refused <= s->limit || !s->limit))
        print_diag(s, &d);
}

static void emit(void *user, const struct texenv_diag *diag) { diag_report(user, diag); }

struct texenv_sink diag_sink(struct source *s) { return (struct texenv_sink){emit, s}; }

/* ---- messages of the program itself ---- */

const char *message_name = "texenvc";

static void vmessage(enum texenv_severity severity, const char *code, const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    if (settings.json) {
        print_json(NULL, severity, NULL, -1, code, text);
        return;
    }
    struct buffer b = {0};
    buffer_printf(&b, "%s: %s%s%s", message_name, severity == TEXENV_NOTE ? "" : severity_names[severity],
                  severity == TEXENV_NOTE ? "" : ": ", text);
    print_line(&b);
}

void message(enum texenv_severity severity, const char *code, const char *format, ...)
{
    if (!shown(severity))
        return;
    va_list args;
    va_start(args, format);
    vmessage(severity, code, format, args);
    va_end(args);
}

void die_internal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vmessage(TEXENV_ERROR, "internal", format, args);
    va_end(args);
    output_abandon();
    exit(STATUS_INTERNAL);
}

void die_file(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vmessage(TEXENV_ERROR, "file", format, args);
    va_end(args);
    output_abandon();
    exit(STATUS_INPUT);
}

void die_memory(void)
{ /* must not allocate memory */
    fputs(settings.json ? "{\"severity\": \"error\", \"code\": \"memory\", \"text\": \"out of memory\"}\n"
                        : "texenvc: error: out of memory\n",
          stderr);
    output_abandon();
    exit(STATUS_INTERNAL);
}

void die_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vmessage(TEXENV_ERROR, "usage", format, args);
    va_end(args);
    output_abandon();
    exit(STATUS_USAGE);
}

/* ---- progress ---- */

static bool is_terminal(void)
{
    static int terminal = -1;
    if (terminal < 0)
        terminal = isatty(STDERR_FILENO);
    return terminal;
}

static bool is_shown(void)
{
    return (is_terminal() || settings.progress_forced) && !settings.json && !settings.quiet;
}

void progress_force(void) { settings.progress_forced = true; }

/* Called before and after a line of progress. On a terminal it overwrites the previous one, elsewhere each is
 * a separate line. */
static void progress_begin(void)
{
    if (is_terminal())
        fputs("\r\033[K", stderr);
}

static void progress_end(void)
{
    if (is_terminal())
        settings.progress_shown = true;
    else
        fputs("\n", stderr);
    fflush(stderr);
}

void progress(const char *name, uint64_t bytes, uint64_t states)
{
    if (!is_shown())
        return;
    double now = now_seconds();
    if (settings.progress_start == 0)
        settings.progress_start = settings.progress_last = now;
    if (now - settings.progress_last < 0.25)
        return;
    settings.progress_last = now;
    double seconds = now - settings.progress_start;
    progress_begin();
    fprintf(stderr, "%s: %" PRIu64 " states", name, states);
    if (bytes)
        fprintf(stderr, ", %.1f MB, %.1f MB/s", (double)bytes / 1e6, (double)bytes / 1e6 / seconds);
    else
        fprintf(stderr, ", %.0f a second", (double)states / seconds);
    progress_end();
}

void progress_clear(void)
{
    if (!settings.progress_shown)
        return;
    fputs("\r\033[K", stderr);
    settings.progress_shown = false;
}
