#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct value unknown;

const struct token *source_at(const struct run *r)
{ /* behind the end stands the end */
    return &r->tokens.t[r->p < r->tokens.n ? r->p : r->tokens.n - 1];
}

bool source_take(struct run *r, const char *s)
{
    if (!token_is(source_at(r), s))
        return false;
    r->p++;
    return true;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether the token stands there, whole. */
static bool stands(const char *line, size_t length, size_t at, const struct token *t)
{
    return at + t->n <= length && memcmp(line + at, t->s, t->n) == 0 &&
        (!is_word(*t->s) || ((at == 0 || !is_word(line[at - 1])) && !is_word(line[at + t->n])));
}

static struct texenv_place place_here(const struct run *r, const struct token *t)
{
    struct texenv_place place = {.line = t->line, .column = t->column};
    const char *line = r->in->source.text;
    if (!t->here)
        return place;
    /* Macros move what stands behind them: the token itself tells where it is in its line. */
    for (uint32_t i = 1; line && i < t->line; i++)
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    size_t length = line ? strcspn(line, "\n") : 0;
    if (!line || stands(line, length, t->column - 1, t))
        return place;
    for (size_t i = 0; i < length; i++)
        if (stands(line, length, i, t)) {
            place.column = (uint32_t)i + 1;
            return place;
        }
    place.column = (uint32_t)strspn(line, " \t") + 1;
    return place;
}

static struct script_place place_of(const struct run *r, const struct token *t)
{
    return (struct script_place){
        .source = place_here(r, t), .file = t->here ? NULL : t->file, .file_length = t->file_length};
}

struct saying {
    struct reading *in;
    struct script_place at;
};
static void emit(void *user, const struct texenv_diag *diag)
{
    struct saying *saying = user;
    report_in_source(saying->in, &saying->at, diag);
}

static void say(struct run *r, enum texenv_severity severity, const struct token *at, const char *code,
                const char *text)
{
    struct saying saying = {r->in, place_of(r, at)};
    struct texenv_sink sink = {emit, &saying};
    texenv_emit(&sink, severity, -1, saying.at.source, code, "%s", text);
}

void source_fail(struct run *r, const struct token *at, const char *code, const char *format, ...)
{
    char text[200];
    va_list args;
    if (r->failed)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!r->quiet)
        say(r, TEXENV_ERROR, at, code, text);
    r->failed = true;
}

void source_warn(struct run *r, const struct token *at, const char *code, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(r, TEXENV_WARNING, at, code, text);
}

void source_expect(struct run *r, const char *s)
{
    const struct token *t = source_at(r);
    if (!source_take(r, s))
        source_fail(r, t, "source-syntax", "'%s' is expected, not '%.*s'", s, (int)t->n, t->s);
}

/* ---- names ---- */

bool source_same(const struct token *a, const struct token *b)
{
    return a->n == b->n && memcmp(a->s, b->s, a->n) == 0;
}

struct variable *source_variable(const struct run *r, const struct token *name)
{
    for (struct variable *v = r->variables; v; v = v->next)
        if ((v->frame == r->frame || v->frame == 0) && source_same(v->name, name))
            return v;
    return NULL;
}

struct variable *source_declare(struct run *r, const struct token *name, uint8_t type, struct value v)
{
    struct variable *x = xcalloc(1, sizeof *x);
    *x = (struct variable){.next = r->variables, .name = name, .frame = r->frame, .type = type, .v = v};
    return r->variables = x;
}

void source_drop(struct run *r, const struct variable *to)
{
    while (r->variables != to) {
        struct variable *next = r->variables->next;
        free(r->variables);
        r->variables = next;
    }
}

struct array *source_array(struct run *r, int64_t n, uint8_t type)
{
    struct array *a = xcalloc(1, sizeof *a);
    r->elements += (uint64_t)n;
    if (r->elements > MOST_ELEMENTS && !r->failed) /* of a program that runs too long */
        source_fail(r, source_at(r), "source-steps", "the program needs more than is followed");
    *a = (struct array){.next = r->arrays, .n = n, .type = type, .v = xcalloc((size_t)n + 1, sizeof *a->v)};
    return r->arrays = a;
}

void source_forget_variable(struct variable *v, bool itself)
{
    if (v->v.kind == VALUE_ARRAY)
        source_forget_array(v->v.array);
    if (!v->constant && (v->v.kind != VALUE_ARRAY || (itself && v->pointer)))
        v->v = unknown;
}

void source_forget_file(struct run *r)
{
    for (struct variable *v = r->variables; v; v = v->next)
        if (v->frame == 0)
            source_forget_variable(v, true);
}

/* The name that --alias gives to a call, or NULL; *drop: how many arguments stand before those of GL. */
static const char *alias_of(const struct options *o, const struct token *t, size_t *n, unsigned *drop)
{
    for (size_t i = 0; i < o->nwrapper; i++) {
        const char *equals = strchr(o->wrapper[i], '=');
        if ((size_t)(equals - o->wrapper[i]) != t->n || memcmp(o->wrapper[i], t->s, t->n) != 0)
            continue;
        *n = strcspn(equals + 1, "@");
        const char *at = equals + 1 + *n;
        *drop = *at ? (unsigned)strtoul(at + 1, NULL, 10) - 1 : 0;
        return equals + 1;
    }
    return NULL;
}

bool source_is_alias(const struct options *o, const struct token *t)
{
    size_t n;
    unsigned drop;
    return alias_of(o, t, &n, &drop) != NULL;
}

unsigned source_dropped(const struct options *o, const struct token *t)
{
    size_t n;
    unsigned drop = 0;
    alias_of(o, t, &n, &drop);
    return drop;
}

/* What stands before GL's names in those of pointers to its functions. */
static const char *const prefixes[] = {"q",  "p",  "_",   "p_", "m_",    "m_p",    "g_",
                                       "s_", "fp", "pfn", "pf", "glad_", "epoxy_", "ext"};

const char *source_call_name(const struct options *o, const struct token *t, size_t *n)
{
    unsigned drop;
    const char *s = alias_of(o, t, n, &drop);
    if (s)
        return s;
    s = t->s;
    *n = t->n;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t m = strlen(prefixes[i]);
        if (*n > m + 2 && memcmp(s, prefixes[i], m) == 0 && memcmp(s + m, "gl", 2) == 0 && s[m + 2] >= 'A' &&
            s[m + 2] <= 'Z') {
            *n -= m;
            return s + m;
        }
    }
    return s;
}

struct function *source_function(const struct run *r, const struct token *name)
{
    for (size_t i = 0; i < r->nfunctions; i++)
        if (source_same(r->function[i].name, name))
            return &r->function[i];
    return NULL;
}

/* Whether a function may be what is called: by its class, where that can be told. */
static bool may_be(const struct run *r, const struct function *f, const struct token *callee)
{
    const struct token *before = callee > r->tokens.t ? callee - 1 : callee;
    if (token_is(before, "::")) {
        const struct token *of = before > r->tokens.t ? before - 1 : before;
        return of->kind != TOKEN_NAME ? !f->of : !f->of || source_same(f->of, of);
    }
    if (token_is(before, ".") || token_is(before, "->")) {
        bool itself = before > r->tokens.t && token_is(before - 1, "this");
        return !r->references ||
            (f->of && (!itself || !r->inside || !r->inside->of || source_same(f->of, r->inside->of)));
    }
    return !f->of || (r->inside && r->inside->of && source_same(f->of, r->inside->of));
}

struct function *source_called(const struct run *r, const struct token *callee, unsigned n, bool *several)
{
    const struct token *before = callee > r->tokens.t ? callee - 1 : callee;
    const bool qualified = token_is(before, "::");
    /* how near it is: by class and number of arguments; missing ones may have values by a declaration; and a
     * method of a base class, or of what is not known */
    for (unsigned step = 0; step < (qualified ? 3u : 6u); step++) {
        struct function *found = NULL;
        unsigned count = 0;
        for (size_t i = 0; i < r->nfunctions; i++) {
            struct function *f = &r->function[i];
            if (!source_same(f->name, callee) || (step < 3 && !may_be(r, f, callee)) ||
                (step % 3 == 0 && n < f->least) || (step % 3 < 2 && n > f->most) ||
                (step % 3 == 2 && r->references))
                continue;
            count++;
            found = f;
        }
        *several = count > 1;
        if (count)
            return count == 1 ? found : NULL;
    }
    return NULL;
}

bool source_is_gl(const char *name, size_t n)
{
    return n > 2 && name[0] == 'g' && name[1] == 'l' && name[2] >= 'A' && name[2] <= 'Z';
}

bool source_begins(const char *name, size_t n, const char *const *with)
{
    for (; *with; with++)
        if (n >= strlen(*with) && memcmp(name, *with, strlen(*with)) == 0)
            return true;
    return false;
}

bool source_is_beside(const char *name, size_t n)
{
    static const char *const with[] = {
        "Vertex",  "Color",     "Normal",     "TexCoord", "MultiTexCoord", "Get",       "Gen",
        "Blend",   "Depth",     "Stencil",    "Clear",    "Flush",         "Finish",    "Viewport",
        "Scissor", "Material",  "ShadeModel", "Hint",     "Polygon",       "CullFace",  "FrontFace",
        "PointS",  "LineWidth", "Read",       "Raster",   "Pixel",         "IsEnabled", NULL};
    static const char *const but[] = {"ColorMaterial", NULL};
    return source_begins(name + 2, n - 2, with) && !source_begins(name + 2, n - 2, but);
}

/* Where control goes inside does not matter outside. */
bool source_body_matters(struct run *r, struct function *f)
{
    if (f->matters == 0) {
        f->matters = 1;
        bool yes = false;
        size_t end = source_group(&r->tokens, f->body);
        if (r->nesting++ > 4 * MOST_NESTING)
            source_fail(r, f->name, "source-nesting", "calls are nested too deep");
        for (size_t q = f->body; q < end && !yes && !r->failed; q++)
            yes = token_is(&r->tokens.t[q + 1], "(") && source_matters(r, q, q + 1);
        r->nesting--;
        f->matters = yes ? 3 : 2;
    }
    return f->matters == 3;
}

/* Whether a function of this name matters. */
static bool any_matters(struct run *r, const struct token *t)
{
    for (size_t i = 0; i < r->nfunctions; i++)
        if (source_same(r->function[i].name, t) && may_be(r, &r->function[i], t) &&
            source_body_matters(r, &r->function[i]))
            return true;
    return false;
}

static bool has(const char *name, size_t n, const char *part)
{
    size_t m = strlen(part);
    for (size_t i = 0; i + m <= n; i++) {
        size_t k = 0;
        while (k < m && (name[i + k] | 0x20) == part[k])
            k++;
        if (k == m)
            return true;
    }
    return false;
}

/* Whether the reader of GL calls may take a call that is not followed for one that changes texturing: by its
 * name, or by a token that it is given. */
static bool speaks(const struct run *r, const struct token *t)
{
    size_t end = source_group(&r->tokens, (size_t)(t - r->tokens.t) + 1);
    if (has(t->s, t->n, "gl") || has(t->s, t->n, "tex") || has(t->s, t->n, "tmu") ||
        has(t->s, t->n, "combin"))
        return true;
    for (const struct token *a = t + 1; a < &r->tokens.t[end]; a++) {
        unsigned long value = a->kind == TOKEN_NUMBER && a->n > 3 && a->s[0] == '0' ? strtoul(a->s, NULL, 16)
                                                                                    : 0;
        if ((a->kind == TOKEN_NAME && a->n > 3 && memcmp(a->s, "GL_", 3) == 0) ||
            (value >= 0xb60 && value < 0xa000 && texenv_token_name((uint32_t)value)))
            return true;
    }
    return false;
}

/* Whether what stands in these tokens may change texturing or where control goes. */
bool source_matters(struct run *r, size_t from, size_t to)
{
    static const char *const leaves[] = {"return", "break", "continue", "goto", "asm", "__asm__"};
    for (size_t p = from; p < to; p++) {
        const struct token *t = &r->tokens.t[p];
        if (t->kind != TOKEN_NAME)
            continue;
        for (size_t i = 0; i < 6; i++)
            if (token_is(t, leaves[i]))
                return true;
        if (!token_is(t + 1, "("))
            continue;
        size_t n;
        const char *name = source_call_name(r->o, t, &n);
        if (source_is_gl(name, n) && source_is_beside(name, n))
            continue;
        bool here = source_function(r, t) && name == t->s;
        if (source_is_gl(name, n) || (!here && speaks(r, t)) || source_is_function_member(r, t) ||
            any_matters(r, t))
            return true;
    }
    return false;
}

static bool writes(const struct token *t)
{
    return t->kind == TOKEN_PUNCT &&
        ((t->s[t->n - 1] == '=' && !(t->n == 2 && strchr("=!<>", *t->s))) || token_is(t, "++") ||
         token_is(t, "--") || token_is(t, "[") || token_is(t, ".") || token_is(t, "->"));
}

void source_forget(struct run *r, size_t from, size_t to)
{
    bool calls = false;
    for (size_t p = from; p < to; p++) {
        const struct token *t = &r->tokens.t[p];
        if (t->kind != TOKEN_NAME)
            continue;
        calls |= token_is(t + 1, "(");
        struct variable *v = source_variable(r, t);
        const struct token *before = p > 0 ? t - 1 : t;
        bool other = token_is(before, "&") || token_is(before, "++") || token_is(before, "--");
        bool inside = token_is(t + 1, "[") || token_is(t + 1, ".") || token_is(t + 1, "->");
        if (v && (writes(t + 1) || v->v.kind == VALUE_ARRAY || other))
            source_forget_variable(v, other || (writes(t + 1) && !inside));
    }
    if (calls)
        source_forget_file(r);
}

void source_add_place(struct run *r, const struct token *t)
{
    if ((r->nplaces & (r->nplaces - 1)) == 0)
        r->place = xrealloc(r->place, (r->nplaces ? r->nplaces * 2 : 1) * sizeof *r->place);
    r->place[r->nplaces] = place_of(r, t);
    r->place[r->nplaces++].script = (struct texenv_place){
        .line = r->lines + 1, .column = (uint32_t)(r->script.length - r->line_start) + 1};
}
