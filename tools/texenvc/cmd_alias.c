/* texenvc alias: builds alias tables for texture lookups whose operands must be in consecutive registers. */
#include "input.h"
#include "fragprog/alias.h"
#include "output.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One lookup, read from a line such as {r3.z, c0.x, 0} {r1.x}. */
struct lookup {
    struct fragprog_alias_request request;
    const char *text[FRAGPROG_ALIAS_SOURCES]; /* the text of each source */
    int length[FRAGPROG_ALIAS_SOURCES];
    unsigned n;
};

struct scan {
    const char *line, *at, *end;
    uint32_t number;
    const struct texenv_sink *sink;
};

static bool fail(const struct scan *s, const char *what)
{
    const struct texenv_place place = {.line = s->number, .column = (uint32_t)(s->at - s->line) + 1};
    texenv_emit(s->sink, TEXENV_ERROR, -1, place, "syntax", "expected %s", what);
    return false;
}

static void blanks(struct scan *s)
{
    while (s->at < s->end && isspace((unsigned char)*s->at))
        s->at++;
}

static bool accept(struct scan *s, char c)
{
    blanks(s);
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

/* Copies the characters of a register or number to `to`, at most 31. */
static size_t word(const struct scan *s, char to[32])
{
    size_t n = 0;
    while (s->at + n < s->end && n < 31 && (isalnum((unsigned char)s->at[n]) || strchr(".-+()", s->at[n])))
        n++;
    memcpy(to, s->at, n);
    to[n] = 0;
    return n;
}

/* Reads a register or constant: r1.y, c12.w. */
static bool numbered(const char *text, struct fragprog_alias_source *source)
{
    static const char components[] = "xyzw";
    char *end;
    if ((*text != 'r' && *text != 'c') || !isdigit((unsigned char)text[1]))
        return false;
    const unsigned long n = strtoul(text + 1, &end, 10);
    const char *component = *end == '.' && end[1] && !end[2] ? strchr(components, end[1]) : NULL;
    if (!component || n >= (*text == 'r' ? FRAGPROG_ALIAS_NAMES / 4 : 512))
        return false;
    source->file = *text == 'r' ? FRAGPROG_ALIAS_REGISTER : FRAGPROG_ALIAS_CONSTANT;
    source->value = (uint32_t)(n * 4 + (unsigned long)(component - components));
    return true;
}

/* Reads an immediate. -3 and 0x10 are integers of 32 bits; 1.0, (1.000000) and 1e9 are floats. */
static bool immediate(const char *text, struct fragprog_alias_source *source)
{
    const size_t length = strlen(text);
    const bool bracket = length > 2 && *text == '(' && text[length - 1] == ')';
    const char *stop = text + length - bracket;
    char *end;
    text += bracket;
    source->file = FRAGPROG_ALIAS_IMMEDIATE;
    errno = 0;
    const long long whole = strtoll(text, &end, 0);
    if (end == stop && end > text && !bracket) {
        source->value = (uint32_t)whole;
        return !errno && whole >= INT32_MIN && whole <= (long long)UINT32_MAX;
    }
    const float value = strtof(text, &end);
    memcpy(&source->value, &value, sizeof value);
    return end == stop && end > text && !errno;
}

static bool read_source(struct scan *s, struct lookup *l)
{
    char text[32];
    blanks(s);
    const size_t length = word(s, text);
    if (l->n == FRAGPROG_ALIAS_SOURCES)
        return fail(s, "no more than 24 sources in a lookup");
    struct fragprog_alias_source *source = &l->request.source[l->n];
    if (!numbered(text, source) && !immediate(text, source))
        return fail(s, "a register (r0.x to r47.w), a constant (c0.x to c511.w) or a number");
    l->text[l->n] = s->at;
    l->length[l->n++] = (int)length;
    s->at += length;
    return true;
}

static bool read_lookup(struct scan *s, struct lookup *l)
{
    for (blanks(s); s->at < s->end; blanks(s)) {
        const unsigned before = l->n;
        if (l->request.ngroups == FRAGPROG_ALIAS_GROUPS)
            return fail(s, "no more than three groups in a lookup");
        if (!accept(s, '{'))
            return fail(s, "\"{\" and the sources of a group");
        do {
            if (!read_source(s, l))
                return false;
        } while (accept(s, ','));
        if (!accept(s, '}'))
            return fail(s, "\",\" or \"}\"");
        l->request.size[l->request.ngroups++] = (uint8_t)(l->n - before);
    }
    return true;
}

static void add_name(struct buffer *b, unsigned name)
{
    buffer_printf(b, "r%u.%c", name / 4, "xyzw"[name % 4]);
}

/* Prints moves before alias entries, because no instruction may separate a table from its lookup. */
static bool add_lookup(struct buffer *b, const struct lookup *l)
{
    struct fragprog_alias_table table;
    if (!fragprog_alias(&table, &l->request))
        return false;
    for (unsigned moves = 2, first = 1; moves-- > 0;)
        for (unsigned i = 0; i < table.n; i++) {
            const struct fragprog_alias_entry *e = &table.entry[i];
            unsigned from = 0;
            if (e->move != (moves == 1))
                continue;
            while (l->request.source[from].file != e->source.file ||
                   l->request.source[from].value != e->source.value)
                from++;
            if (e->move)
                buffer_puts(b, "mov.u32u32 ");
            else
                buffer_printf(b, "alias.tex.b32.%u ", first ? table.entries - 1u : 0);
            first &= e->move;
            add_name(b, e->name);
            buffer_printf(b, ", %.*s\n", l->length[from], l->text[from]);
        }
    buffer_puts(b, "# sources at");
    for (unsigned g = 0; g < l->request.ngroups; g++) {
        buffer_puts(b, g ? ", " : " ");
        add_name(b, table.base[g]);
    }
    buffer_puts(b, "\n");
    return true;
}

static bool add_input(struct buffer *b, const struct options *o, const struct input *input)
{
    struct source source;
    size_t length;
    char *text = input_text(input, &length);
    bool ok = true;
    if (!text)
        return false;
    source_init(&source, input_name(input));
    source_window(&source, text, length, 1, false);
    const struct texenv_sink sink = diag_sink(&source);
    struct scan s = {.line = text, .sink = &sink};
    for (const char *end = text + length; s.line < end; s.line = s.end + 1) {
        const char *newline = memchr(s.line, '\n', (size_t)(end - s.line));
        struct lookup l = {.request = {.how = o->alias}};
        s.number++;
        s.at = s.line;
        s.end = newline ? newline : end;
        blanks(&s);
        if (s.at == s.end || *s.at == '#')
            continue;
        if (!read_lookup(&s, &l))
            ok = false;
        else if (!add_lookup(b, &l))
            ok = fail(&s, "fewer sources: there are no names left");
    }
    source_close(&source);
    free(text);
    return ok;
}

int cmd_alias(const struct options *o)
{
    struct buffer b = {0};
    bool ok = true;
    if (!o->ninput)
        die_usage("alias needs a FILE, or -e TEXT");
    for (size_t i = 0; i < o->ninput; i++)
        ok &= add_input(&b, o, &o->input[i]);
    if (ok && b.length)
        output_stdout(b.data, b.length);
    buffer_free(&b);
    return ok ? STATUS_OK : STATUS_INPUT;
}
