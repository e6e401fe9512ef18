#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct value unknown;

const struct token *source_at(const struct run *r)
{ /* positions after the end give TEXENV_C_END */
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

/* Returns whether the line contains the token as a whole word at this position. */
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
    /* Macro expansions shift columns, so search the token's text in its line. */
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

void source_fail(struct run *r, const struct token *at, const char *code, const char *format, ...)
{
    struct texenv_diag diag = {.severity = TEXENV_ERROR, .unit = -1, .code = code};
    const struct script_place place = place_of(r, at);
    va_list args;
    va_start(args, format);
    vsnprintf(diag.text, sizeof diag.text, format, args);
    va_end(args);
    if (!r->failed && !r->quiet)
        report_in_source(r->in, &place, &diag);
    r->failed = true;
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

/* Returns the name before the "::" that precedes `name`, or the "::" itself if it has no name before it; NULL
 * if there is no "::". */
static const struct token *qualifier(const struct token *name)
{
    const struct token *t = name - 1, *colons = t;
    if (!token_is(t, "::"))
        return NULL;
    if (token_is(--t, ">"))
        while (!token_is(t, "<") && !token_is(t, ";"))
            t--;
    t -= token_is(t, "<");
    return t->kind == TEXENV_C_NAME ? t : colons;
}

/* Returns the tag of the innermost namespace, class or enum around *open, which is updated to the enclosing
 * scope. *word: the keyword before the tag. NULL if there is none. */
static const struct token *tag_around(const struct run *r, uint32_t *open, const struct token **word)
{
    const struct token *tag = NULL;
    while (*open && !tag) {
        const struct token *brace = &r->tokens.t[*open - 1], *q = brace;
        while (!strchr(";{})=", *q[-1].s))
            q--;
        for (*word = NULL; q < brace && !token_is(q, ":") && !token_is(q, "final"); q++) {
            const bool is_word = token_in(q, " namespace class struct union enum ");
            *word = is_word ? q : *word;
            tag = is_word ? NULL : *word && q->kind == TEXENV_C_NAME ? q : tag;
        }
        *open = brace->open;
    }
    return tag;
}

unsigned source_depth(const struct run *r, const struct token *name, const struct token *use)
{
    const struct token *of = qualifier(use), *word, *tag, *t = r->tokens.t;
    uint32_t open = name->open, around = use->open;
    unsigned depth = 1;
    if (!r->references)
        return 1;
    for (uint32_t o = open; o; o = t[o - 1].open)
        depth++;
    do { /* an enumerator also belongs to the scope around its enum */
        tag = tag_around(r, &open, &word);
        if (of && tag && source_same(tag, of))
            return depth;
    } while (tag && token_is(word, "enum"));
    if (of)
        return !tag && of->kind == TEXENV_C_PUNCT ? depth : 0;
    if (!tag || (r->inside && r->inside->of && source_same(tag, r->inside->of)))
        return depth;
    for (const struct token *x; (x = tag_around(r, &around, &word));)
        if (source_same(x, tag))
            return depth;
    for (; t->kind != TEXENV_C_END; t++)
        if (token_is(t, "namespace") && token_is(t - 1, "using") && source_same(t + 1, tag))
            return depth;
    return 0;
}

bool source_is_of_class(const struct run *r, const struct token *name)
{
    const struct token *word = NULL;
    uint32_t open = name->open;
    return qualifier(name) || (tag_around(r, &open, &word) && !token_is(word, "namespace"));
}

struct variable *source_variable(const struct run *r, const struct token *name)
{
    struct variable *found = NULL;
    unsigned deepest = 0;
    for (struct variable *v = r->variables; v; v = v->next) {
        if (!source_same(v->name, name))
            continue;
        if (v->frame && v->frame == r->frame && !qualifier(name))
            return v->same ? v->same : v;
        unsigned depth = v->frame ? 0 : source_depth(r, v->name, name);
        found = depth > deepest ? v : found;
        deepest = depth > deepest ? depth : deepest;
    }
    return found;
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
        free(x);
    }
}

struct array *source_array(struct run *r, int64_t n, uint8_t type)
{
    struct array *a = xcalloc(1, sizeof *a);
    r->elements += (uint64_t)n;
    if (r->elements > MOST_ELEMENTS && !r->failed) /* happens if the program runs too long */
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

const char *source_alias(const struct options *o, const struct token *t, size_t *n, unsigned *drop)
{
    *drop = 0;
    for (size_t i = 0; i < o->nwrapper; i++) {
        const char *equals = strchr(o->wrapper[i], '=');
        if ((size_t)(equals - o->wrapper[i]) != t->n || memcmp(o->wrapper[i], t->s, t->n) != 0)
            continue;
        *n = strcspn(equals + 1, "@");
        const char *at = equals + 1 + *n;
        *drop = *at ? (unsigned)strtoul(at + 1, NULL, 10) - 1 : *drop;
        return equals + 1;
    }
    return NULL;
}

/* Prefixes that programs put before GL's names for pointers to its functions. */
static const char *const prefixes[] = {"q",  "p",  "_",   "p_", "m_",    "m_p",    "g_",
                                       "s_", "fp", "pfn", "pf", "glad_", "epoxy_", "ext"};

const char *source_call_name(const struct options *o, const struct token *t, size_t *n)
{
    unsigned drop;
    const char *s = source_alias(o, t, n, &drop);
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

enum { NOT, MAYBE, FREE, OWN = 1000 }; /* see nearness() */

/* Returns how well a function of the file matches a call: one of the values above; for a function outside of
 * classes, FREE plus the nesting depth of its scope. */
static unsigned nearness(const struct run *r, const struct function *f, const struct token *callee)
{
    const struct token *of = qualifier(callee);
    const bool method = token_in(callee - 1, " . -> ");
    if (!source_same(f->name, callee) || token_is(f->name - 1, "~") || (method && !f->of))
        return NOT;
    if (!f->of) {
        unsigned depth = source_depth(r, f->name, callee);
        return depth ? FREE + depth : of ? NOT : MAYBE;
    }
    const struct token *class = of ? of : method ? r->object : r->inside ? r->inside->of : NULL;
    if (class && source_same(f->of, class))
        return OWN;
    return of                                           ? (source_is_class(r, of) ? MAYBE : NOT)
        : method || class || !source_is_class(r, f->of) ? MAYBE
                                                        : NOT;
}

bool source_is_virtual(const struct run *r, const struct token *callee)
{
    return !qualifier(callee) && hash_set_has(&r->virtuals, hash_bytes(callee->s, callee->n, 1)) &&
        !source_alias(r->o, callee, &(size_t){0}, &(unsigned){0});
}

bool source_may_be(const struct run *r, const struct function *f, const struct token *callee)
{
    return nearness(r, f, callee) != NOT;
}

struct function *source_called(struct run *r, const struct token *callee, bool *several)
{
    size_t length;
    const char *alias = source_call_name(r->o, callee, &length);
    struct function *found = NULL;
    unsigned best = MAYBE;
    bool maybe = false;
    *several = false;
    for (size_t i = 0; i < r->nfunctions; i++) {
        struct function *f = &r->function[i];
        if (memchr(alias, ':', length)) {
            if (source_is_named(f, alias))
                return f;
            continue;
        }
        const unsigned near = nearness(r, f, callee);
        maybe |= near == MAYBE && source_body_effect(r, f) >= EFFECT_DRAWS;
        *several = near > best ? false : *several || (near > MAYBE && near == best);
        found = near > best ? f : found;
        best = near > best ? near : best;
    }
    *several |= maybe && best < OWN;
    return *several ? NULL : found;
}

bool source_is_gl(const char *name, size_t n)
{
    return n > 2 && name[0] == 'g' && name[1] == 'l' && name[2] >= 'A' && name[2] <= 'Z';
}

bool source_is_beside(const char *name, size_t n)
{
    static const char with[] =
        " Vertex Color Normal TexCoord MultiTexCoord Get Gen Blend Depth Stencil Clear Flush Finish Viewport "
        "Scissor Material ShadeModel Hint Polygon CullFace FrontFace PointS LineWidth Read Raster Pixel "
        "IsEnabled EnableClient DisableC ClientA Edge Interl ";
    return source_listed(with, name + 2, n - 2, true) &&
        !source_listed(" ColorMaterial ", name + 2, n - 2, true);
}

void source_forget(struct run *r, size_t from, size_t to)
{
    bool calls = false;
    source_end_lets(r, from, to);
    for (size_t p = from; p < to; p++) {
        const struct token *t = &r->tokens.t[p];
        if (t->kind != TEXENV_C_NAME)
            continue;
        const bool call = token_is(t + 1, "("), inside = token_in(t + 1, " [ . -> ");
        if (call && !r->lets_ended && source_function(r, t)) {
            source_end_lets(r, 1, r->tokens.n - 1);
            r->lets_ended = true;
        }
        calls |= call;
        struct variable *v = source_variable(r, t);
        const bool other = token_in(t - 1, " & ++ -- ") || token_in(t + 1, " ++ -- ") ||
            source_assigns(t + 1);
        if (v && (other || inside || v->v.kind == VALUE_ARRAY))
            source_forget_variable(v, other);
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
