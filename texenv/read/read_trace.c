/* The reader of `apitrace dump` texts (notes/formats/apitrace.md): a stream of records, one for each call.
 * Most calls of a trace do not matter; the reader only finds the end of such a record and looks up its name.
 *
 * A record ends with its line, except that strings (shader sources) may contain newlines. In strings apitrace
 * writes \" and \\ for " and \. */
#include "texenv/read/read_trace.h"

/* longest record, in bytes, that is kept; a longer one is an error if its call matters */
enum { LONGEST = 1 << 24 };

struct texenv_place texenv_trace_place(const struct texenv_trace *t, const char *at)
{
    struct texenv_place place = {.call = t->number, .line = t->line};
    const char *from = t->start;
    for (const char *p = from; t->newlines && p < at; p++)
        if (*p == '\n') {
            place.line++;
            from = p + 1;
        }
    place.column = (uint32_t)(at - from) + 1;
    return place;
}

/* ---- one record ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void blanks(struct texenv_trace *t)
{
    while (t->p < t->end && (*t->p == ' ' || *t->p == '\t' || *t->p == '\r'))
        t->p++;
}

static enum texenv_trace_status bad(struct texenv_trace *t, const char *expected)
{
    if (t->p < t->end && *t->p == 0x1b)
        TEXENV_CALLS_ERROR(&t->calls, texenv_trace_place(t, t->p), "bad-record",
                           "colour codes in the dump: make it with apitrace dump --color=never");
    else if (t->p<t->end && * t->p> ' ' && *t->p < 0x7f)
        TEXENV_CALLS_ERROR(&t->calls, texenv_trace_place(t, t->p), "bad-record", "expected %s, found '%c'",
                           expected, *t->p);
    else
        TEXENV_CALLS_ERROR(&t->calls, texenv_trace_place(t, t->p), "bad-record", "expected %s, found %s",
                           expected,
                           t->p == t->end     ? "the end of the line"
                               : *t->p == ' ' ? "a blank"
                                              : "no readable character");
    return TEXENV_TRACE_BAD;
}

/* Reads "NUMBER @THREAD " before the name. Both may be missing (--call-nos=no). */
static void prefix(struct texenv_trace *t)
{
    const char *p = t->p;
    uint64_t number = 0, thread = 0;
    while (p < t->end && is_digit(*p))
        number = number * 10 + (unsigned)(*p++ - '0');
    t->number = number;
    while (p < t->end && *p == ' ')
        p++;
    if (p < t->end && *p == '@') {
        for (p++; p < t->end; p++) {
            unsigned c = (unsigned char)*p | 0x20;
            if (is_digit(*p))
                thread = thread << 4 | (c - '0');
            else if (c >= 'a' && c <= 'f')
                thread = thread << 4 | (c - 'a' + 10);
            else
                break;
        }
        while (p < t->end && *p == ' ')
            p++;
    }
    t->p = p;
    texenv_trace_use_thread(t, thread);
}

/* Reads a call; t->p is at the "(" after its name. */
static enum texenv_trace_status call(struct texenv_trace *t, const char *name, size_t n)
{
    struct texenv_calls *calls = &t->calls;
    const struct texenv_call_info *info = NULL;
    if (n > 2 && name[0] == 'g' && name[1] == 'l' && name[2] != 'X')
        info = texenv_calls_wanted(calls, name + 2, n - 2);
    if (info) {
        struct texenv_value args[TEXENV_CALL_PARAMS];
        enum texenv_trace_status status = TEXENV_TRACE_OK;
        struct texenv_place place = {
            .call = t->number, .line = t->line, .column = (uint32_t)(name - t->start) + 1};
        t->p++;
        if (info->params) {
            for (unsigned i = 0; i < info->params; i++) {
                args[i].kind = TEXENV_V_MISSING;
                args[i].line = 0;
                args[i].text = NULL;
                args[i].length = 0;
                args[i].declared = args[i].count = 0;
            }
            status = texenv_trace_args(t, info, args, false);
        } else {
            status = texenv_trace_rest(t);
        }
        if (status == TEXENV_TRACE_OK)
            texenv_calls_do(calls, info, args, place);
        return status;
    }
    if (name[0] == 'g' ? n > 2 && name[2] == 'X' : name[0] == 'e' || name[0] == 'w' || name[0] == 'C') {
        info = texenv_trace_find_context_call(name, n);
        if (info) {
            t->p++;
            return texenv_trace_context_call(t, info);
        }
    }
    /* A skipped record that ends with ")" is assumed to be complete. */
    if (t->end[-1] != ')') {
        t->p++;
        if (texenv_trace_rest(t) != TEXENV_TRACE_OK)
            return TEXENV_TRACE_CUT;
    }
    calls->reader->skipped++;
    return TEXENV_TRACE_OK;
}

static enum texenv_trace_status read_record(struct texenv_trace *t)
{
    prefix(t);
    const char *name = t->p;
    /* "::" occurs in methods of other interfaces (IDirect3D9::...) */
    while (t->p < t->end &&
           ((*t->p >= 'a' && *t->p <= 'z') || (*t->p >= 'A' && *t->p <= 'Z') || *t->p == '_' ||
            is_digit(*t->p) || *t->p == ':'))
        t->p++;
    size_t n = (size_t)(t->p - name);
    if (t->p < t->end && *t->p == '(' && n && !is_digit(*name))
        return call(t, name, n);
    if (t->p == t->end)
        return TEXENV_TRACE_CUT;
    return bad(t, n ? "'(' after the name of a call" : "a record: NUMBER NAME(...)");
}

static void say_cut(struct texenv_trace *t)
{
    struct texenv_place place = t->cut;
    if (!place.line)
        return;
    t->cut.line = 0;
    TEXENV_CALLS_ERROR(&t->calls, place, "bad-record", "the record ends before its ')'");
}

/* Reads one record: a line, or several lines joined by a string, without the final newline. */
static void record(struct texenv_trace *t, const char *start, const char *end)
{
    uint32_t lines = 1 + t->newlines;
    t->start = t->p = start;
    t->end = end;
    blanks(t);
    if (t->p < end && !t->comment && *t->p != '#') {
        bool digit = is_digit(*t->p);
        if (t->cut.line)
            say_cut(t);
        if (end - t->p >= 10 && memcmp(t->p, "Backtrace:", 10) == 0) {
            t->backtrace = true;
        } else if (digit || !t->backtrace) { /* otherwise it is a stack frame of a backtrace */
            t->backtrace = false;
            if (read_record(t) == TEXENV_TRACE_CUT)
                t->cut = texenv_trace_place(t, t->p);
        }
    }
    t->line += lines;
    t->newlines = 0;
}

/* ---- splitting the text into records ---- */

/* Returns the end of the current record, whose text continues at p, or NULL if it does not end before `end`.
 */
static const char *record_end(struct texenv_trace *t, const char *p, const char *end)
{
    const char *newline = NULL;
    while (p < end) {
        if (t->in_string) {
            char c = *p++;
            t->newlines += c == '\n';
            if (t->escape)
                t->escape = false;
            else if (c == '\\')
                t->escape = true;
            else if (c == '"')
                t->in_string = false;
            continue;
        }
        if (!newline || newline < p) {
            newline = memchr(p, '\n', (size_t)(end - p));
            if (!newline)
                newline = end;
        }
        const char *quote = t->comment ? NULL : memchr(p, '"', (size_t)(newline - p));
        if (!quote)
            return newline < end ? newline : NULL;
        t->in_string = true;
        p = quote + 1;
    }
    return NULL;
}

static bool keep(struct texenv_trace *t, const char *p, size_t n)
{
    if (t->dropped)
        return true;
    if (t->kept_length + n > LONGEST) {
        t->dropped = true;
        return true;
    }
    if (t->kept_length + n > t->kept_capacity) {
        size_t capacity = t->kept_capacity ? t->kept_capacity : 4096;
        while (capacity < t->kept_length + n)
            capacity *= 2;
        char *kept = texenv_calls_resize(&t->calls, t->kept, capacity);
        if (!kept) {
            texenv_calls_no_memory(&t->calls, (struct texenv_place){.line = t->line, .column = 1});
            return false;
        }
        t->kept = kept;
        t->kept_capacity = capacity;
    }
    if (n)
        memcpy(t->kept + t->kept_length, p, n);
    t->kept_length += n;
    return true;
}

/* Processes a record that was collected from several pieces of text. If it was too long to keep and its call
 * matters, reports an error. */
static void record_kept(struct texenv_trace *t)
{
    bool dropped = t->dropped;
    size_t length = t->kept_length;
    t->kept_length = 0;
    t->dropped = false;
    record(t, t->kept, t->kept + length);
    if (dropped && t->cut.line) {
        TEXENV_CALLS_ERROR(&t->calls, t->cut, "bad-record", "a record longer than %d bytes", LONGEST);
        t->cut.line = 0;
    }
}

bool texenv_trace_feed(struct texenv_trace *t, const char *text, size_t length)
{
    if (length == 0)
        return !t->calls.stopped;
    static const char mark[] = "\xef\xbb\xbf";
    const char *p = text, *end = text + length;
    for (; t->mark < 3 && p < end; p++) {
        if (*p != mark[t->mark]) {
            size_t held = t->mark;
            t->mark = 3;
            if (held)
                texenv_trace_feed(t, mark, held);
            break;
        }
        t->mark++;
    }
    while (p < end && !t->calls.stopped) {
        bool goes_on = t->open;
        if (!goes_on) {
            t->in_string = t->escape = false;
            t->comment = *p == '#' || *p == '/';
        }
        const char *stop = record_end(t, p, end);
        if (!stop) {
            t->open = true;
            keep(t, p, (size_t)(end - p));
            break;
        }
        t->open = false;
        if (!goes_on)
            record(t, p, stop);
        else if (keep(t, p, (size_t)(stop - p)))
            record_kept(t);
        p = stop + 1;
    }
    return !t->calls.stopped;
}

/* Returns whether the last record, which has no newline at its end, is complete: all its brackets are closed.
 */
static bool is_whole(const struct texenv_trace *t)
{
    bool in_string = false;
    size_t depth = 0, calls = 0;
    for (size_t i = 0; i < t->kept_length; i++) {
        char c = t->kept[i];
        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '(' || c == '{' || c == '[') {
            depth++;
        } else if (c == ')' || c == '}' || c == ']') {
            depth -= depth > 0;
            calls += c == ')' && depth == 0;
        }
    }
    return calls && !in_string && depth == 0 && !t->dropped;
}

static bool is_blank(const char *p, size_t n)
{
    while (n && (*p == ' ' || *p == '\t' || *p == '\r')) {
        p++;
        n--;
    }
    return n == 0;
}

struct texenv_trace *texenv_trace_open(struct texenv_reader *reader)
{
    struct texenv_trace *t = reader->memory.resize
        ? reader->memory.resize(reader->memory.user, NULL, sizeof *t)
        : NULL;
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->line = 1;
    if (!texenv_calls_init(&t->calls, reader, true)) {
        reader->memory.resize(reader->memory.user, t, 0);
        return NULL;
    }
    t->initial = t->calls.context;
    texenv_trace_use_thread(t, 0);
    if (t->calls.stopped) {
        texenv_trace_close(t);
        return NULL;
    }
    return t;
}

bool texenv_trace_close(struct texenv_trace *t)
{
    struct texenv_reader *reader = t->calls.reader;
    if (t->mark == 1 || t->mark == 2) { /* the input is only a part of a byte order mark */
        size_t held = t->mark;
        t->mark = 3;
        texenv_trace_feed(t, "\xef\xbb", held);
    }
    if (!t->calls.stopped && t->open && !t->comment && !t->backtrace && !is_blank(t->kept, t->kept_length)) {
        if (is_whole(t)) {
            record_kept(t);
        } else {
            say_cut(t);
            t->cut = (struct texenv_place){.line = t->line, .column = 1};
        }
    }
    if (t->cut.line && !t->calls.stopped) {
        reader->truncated = true;
        texenv_emit(&reader->sink, TEXENV_WARNING, -1, t->cut, "truncated",
                    "the last record is cut off: it is left out");
    }
    /* As in a script, input without a draw yields one state at its end, that of the current context. */
    bool good = !t->calls.stopped && !reader->errors;
    if (good && !t->calls.ran) {
        reader->errors++;
        texenv_emit(&reader->sink, TEXENV_ERROR, -1, (struct texenv_place){.line = 1, .column = 1}, "empty",
                    "no OpenGL call that texturing depends on, and no draw");
    } else if (good && reader->draws == 0 && reader->program_draws == 0 && t->calls.context)
        texenv_calls_draw(&t->calls, (struct texenv_place){.call = t->number, .line = t->line, .column = 1},
                          TEXENV_DRAWS_UNKNOWN);
    bool more = !t->calls.stopped;
    texenv_trace_free_contexts(t);
    texenv_calls_free(&t->calls);
    if (t->kept)
        reader->memory.resize(reader->memory.user, t->kept, 0);
    reader->memory.resize(reader->memory.user, t, 0);
    return more;
}
