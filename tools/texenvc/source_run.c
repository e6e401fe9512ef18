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
        .source = place_here(r, t),
        .file = t->here ? NULL : t->file,
        .file_length = t->file_length,
        .main = {.line = r->main ? r->main->line : 1, .column = r->main ? r->main->column : 1}};
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
    char text[240];
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
    char text[240];
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
            return v->same ? v->same : v;
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
        struct variable *x = r->variables;
        r->variables = x->next;
        if (x->stays && to) { /* until the function is called again on this way */
            x->next = r->statics;
            r->statics = x;
        } else {
            free(x);
        }
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
    r->changes++;
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

/* The name before the "::" at `colons`. */
static const struct token *before_colons(const struct run *r, const struct token *colons)
{
    const struct token *t = colons > r->tokens.t ? colons - 1 : colons;
    if (token_is(t, ">"))
        while (t > r->tokens.t && !token_is(t, "<") && !token_is(t, ";"))
            t--;
    return token_is(t, "<") && t > r->tokens.t ? t - 1 : t;
}

bool source_may_be(const struct run *r, const struct function *f, const struct token *callee)
{
    const struct token *before = callee > r->tokens.t ? callee - 1 : callee;
    if (token_is(before, "::")) {
        const struct token *of = before_colons(r, before);
        if (of->kind != TOKEN_NAME)
            return !f->of;
        return f->of ? source_same(f->of, of) || source_derives(r, of, f->of, 0) : !source_is_class(r, of);
    }
    if (token_is(before, ".") || token_is(before, "->"))
        return !r->references || f->of;
    const struct token *of = r->inside ? r->inside->of : NULL;
    return !f->of || !source_is_class(r, f->of) ||
        (of && (source_same(f->of, of) || source_derives(r, of, f->of, 0)));
}

/* How near a function is to a call of a method of an object: 2: of its class, 1: of a base, 3: of a class
 * that is derived from it, which the object may be, 0: none of these. */
static unsigned nearness(const struct run *r, const struct function *f)
{
    if (!f->of || !r->object)
        return 0;
    return source_same(f->of, r->object)                      ? 2
        : source_derives(r, r->object, f->of, 0)              ? 1
        : !r->exact && source_derives(r, f->of, r->object, 0) ? 3
                                                              : 0;
}

struct function *source_called(struct run *r, const struct token *callee, unsigned n, bool *several)
{
    const struct token *before = callee > r->tokens.t ? callee - 1 : callee;
    const bool method = r->references && (token_is(before, ".") || token_is(before, "->"));
    size_t length;
    const char *alias = source_call_name(r->o, callee, &length);
    *several = false;
    /* how near it is: by class and number of arguments; missing ones may have values by a declaration */
    for (unsigned step = 0; step < (r->references ? 2u : 3u); step++) {
        struct function *found = NULL;
        unsigned count = 0, best = 0;
        for (size_t i = 0; i < r->nfunctions; i++) {
            struct function *f = &r->function[i];
            if (memchr(alias, ':', length)) {
                if (source_is_named(f, alias))
                    return f;
                continue;
            }
            if (!source_same(f->name, callee) || !source_may_be(r, f, callee) || token_is(f->name - 1, "~") ||
                (step == 0 && n < f->least) || (step < 2 && n > f->most))
                continue;
            const unsigned near = method ? nearness(r, f) : 2;
            if (method && !r->object)
                *several |= source_body_effect(r, f) >= EFFECT_DRAWS;
            else if (near == 3)
                *several |= source_body_effect(r, f) >= EFFECT_DRAWS;
            else if (near > best || (near && near == best)) {
                count = near > best ? 1 : count + 1;
                best = near;
                found = f;
            }
        }
        *several |= count > 1;
        if (count || *several)
            return *several ? NULL : found;
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
        "Vertex",  "Color",    "Normal",    "TexCoord",     "MultiTexCoord", "Get",
        "Gen",     "Blend",    "Depth",     "Stencil",      "Clear",         "Flush",
        "Finish",  "Viewport", "Scissor",   "Material",     "ShadeModel",    "Hint",
        "Polygon", "CullFace", "FrontFace", "PointS",       "LineWidth",     "Read",
        "Raster",  "Pixel",    "IsEnabled", "EnableClient", "DisableC",      "ClientA",
        "Edge",    "Interl",   NULL};
    static const char *const but[] = {"ColorMaterial", NULL};
    return source_begins(name + 2, n - 2, with) && !source_begins(name + 2, n - 2, but);
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
