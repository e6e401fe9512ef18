#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct value unknown;

const struct token *source_at(const struct run *r) { return &r->tokens.t[r->p]; }

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

static bool same(const struct token *a, const struct token *b)
{
    return a->n == b->n && memcmp(a->s, b->s, a->n) == 0;
}

struct variable *source_variable(const struct run *r, const struct token *name)
{
    for (struct variable *v = r->variables; v; v = v->next)
        if ((v->frame == r->frame || v->frame == 0) && same(v->name, name))
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
    *a = (struct array){.next = r->arrays, .n = n, .type = type, .v = xcalloc((size_t)n + 1, sizeof *a->v)};
    return r->arrays = a;
}

static void forget_variable(struct variable *v)
{
    if (v->v.kind == VALUE_ARRAY)
        source_forget_array(v->v.array);
    if (!v->constant && v->v.kind != VALUE_ARRAY)
        v->v = unknown;
}

void source_forget_file(struct run *r)
{
    for (struct variable *v = r->variables; v; v = v->next)
        if (v->frame == 0)
            forget_variable(v);
}

/* The name that a call stands for by the rules of wrappers. */
const char *source_call_name(const struct options *o, const struct token *t, size_t *n)
{
    static const char *const prefix[] = {"q", "glad_", "epoxy_"};
    for (size_t i = 0; i < o->nwrapper; i++) {
        const char *equals = strchr(o->wrapper[i], '=');
        if ((size_t)(equals - o->wrapper[i]) == t->n && memcmp(o->wrapper[i], t->s, t->n) == 0) {
            *n = strlen(equals + 1);
            return equals + 1;
        }
    }
    const char *s = t->s;
    *n = t->n;
    for (size_t i = 0; i < 3; i++) {
        size_t m = strlen(prefix[i]);
        if (*n > m + 2 && memcmp(s, prefix[i], m) == 0 && memcmp(s + m, "gl", 2) == 0 && s[m + 2] >= 'A' &&
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
        if (same(r->function[i].name, name))
            return &r->function[i];
    return NULL;
}

static bool is_gl(const char *name, size_t n)
{
    return n > 2 && name[0] == 'g' && name[1] == 'l' && name[2] >= 'A' && name[2] <= 'Z';
}

static bool begins(const char *name, size_t n, const char *const *with)
{
    for (; *with; with++)
        if (n >= strlen(*with) && memcmp(name, *with, strlen(*with)) == 0)
            return true;
    return false;
}

/* A call of GL, "gl" in front, that has no say in which states are drawn with: the others may. */
static bool is_beside(const char *name, size_t n)
{
    static const char *const with[] = {
        "Vertex",  "Color",     "Normal",     "TexCoord", "MultiTexCoord", "Get",       "Gen",
        "Blend",   "Depth",     "Stencil",    "Clear",    "Flush",         "Finish",    "Viewport",
        "Scissor", "Material",  "ShadeModel", "Hint",     "Polygon",       "CullFace",  "FrontFace",
        "PointS",  "LineWidth", "Read",       "Raster",   "Pixel",         "IsEnabled", NULL};
    static const char *const but[] = {"ColorMaterial", NULL};
    return begins(name + 2, n - 2, with) && !begins(name + 2, n - 2, but);
}

/* Calls of GL that write what their pointers point to; the others read it. */
static bool is_written(const char *name, size_t n)
{
    static const char *const with[] = {"Get", "Gen", "Read", "Are", "Feedback", "Select", NULL};
    return begins(name + 2, n - 2, with);
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
        if (is_gl(name, n) && is_beside(name, n))
            continue;
        if (is_gl(name, n) || memchr(name, 'G', n) || memchr(name, 'T', n))
            return true;
        struct function *f = source_function(r, t);
        if (!f)
            continue;
        if (f->matters == 0) {
            f->matters = 1;
            bool yes = false; /* where control goes inside does not matter outside */
            size_t end = source_group(&r->tokens, f->body);
            for (size_t q = f->body; q < end && !yes; q++)
                yes = token_is(&r->tokens.t[q + 1], "(") && source_matters(r, q, q + 1);
            f->matters = yes ? 3 : 2;
        }
        if (f->matters != 2)
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
        if (v &&
            (writes(t + 1) || v->v.kind == VALUE_ARRAY || token_is(before, "&") || token_is(before, "++") ||
             token_is(before, "--")))
            forget_variable(v);
    }
    if (calls)
        source_forget_file(r);
}

/* ---- calls ---- */

static void put_value(struct buffer *b, const struct run *r, struct value v, size_t from, size_t to)
{
    if (v.kind == VALUE_INT) {
        buffer_printf(b, "%lld", (long long)v.i);
    } else if (v.kind == VALUE_REAL) {
        char text[40];
        snprintf(text, sizeof text, v.single ? "%.9g" : "%.17g", v.r);
        buffer_printf(b, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
    } else if (v.kind == VALUE_ARRAY && v.at >= 0 && v.at < v.array->n && v.array->n - v.at <= 64) {
        buffer_puts(
            b, v.array->type == C_INT || v.array->type == C_UNSIGNED ? "(const int[]){" : "(const float[]){");
        for (int64_t i = v.at; i < v.array->n; i++) {
            buffer_puts(b, i > v.at ? ", " : "");
            struct value e = v.array->v[i];
            put_value(b, r, e.kind == VALUE_ARRAY ? unknown : e, from, to);
        }
        buffer_puts(b, "}");
    } else { /* what is not known is a name, of which the reader says that it is no constant */
        const struct token *t = &r->tokens.t[from];
        bool plain = to == from + 1 && t->kind == TOKEN_NAME && t->n < 64 && !token_is(t, "NULL") &&
            (strncmp(t->s, "GL_", 3) != 0 || !source_variable(r, t));
        buffer_printf(b, "%.*s", plain ? (int)t->n : 13, plain ? t->s : "unknown_value");
    }
}

void source_add_place(struct run *r, const struct token *t)
{
    if ((r->nplaces & (r->nplaces - 1)) == 0)
        r->place = xrealloc(r->place, (r->nplaces ? r->nplaces * 2 : 1) * sizeof *r->place);
    r->place[r->nplaces] = place_of(r, t);
    r->place[r->nplaces++].script = (struct texenv_place){
        .line = r->lines + 1, .column = (uint32_t)(r->script.length - r->line_start) + 1};
}

enum { MOST_ARGS = 32 };

static unsigned read_args(struct run *r, struct arg *arg)
{
    unsigned n = 0;
    source_expect(r, "(");
    while (!r->failed && !token_is(source_at(r), ")")) {
        if (n == MOST_ARGS) {
            source_fail(r, source_at(r), "source-arguments", "more than %d arguments", MOST_ARGS);
            break;
        }
        arg[n].from = r->p;
        if (source_is_type(r, r->p)) /* of va_arg and the like */
            while (!token_is(source_at(r), ",") && !token_is(source_at(r), ")") && source_at(r)->kind)
                r->p++;
        else
            arg[n].v = source_assignment(r).v;
        arg[n++].to = r->p;
        if (!source_take(r, ",") && !token_is(source_at(r), ")"))
            break;
    }
    source_expect(r, ")");
    return n;
}

static void put_call(struct run *r, const struct token *callee, const struct arg *arg, unsigned n)
{
    size_t length;
    const char *name = source_call_name(r->o, callee, &length);
    bool gl = is_gl(name, length) || (length > 3 && memcmp(name, "glu", 3) == 0);
    source_add_place(r, callee);
    buffer_printf(&r->script, "%.*s(", (int)length, name);
    for (unsigned i = 0; i < n; i++) {
        buffer_puts(&r->script, i ? ", " : "");
        source_add_place(r, &r->tokens.t[arg[i].from]);
        const char *token = !gl && arg[i].v.kind == VALUE_INT && arg[i].v.i >= 0xde0
            ? texenv_token_name((uint32_t)arg[i].v.i)
            : NULL;
        if (token) /* the reader judges what is given to calls that it does not know by the tokens' names */
            buffer_puts(&r->script, token);
        else
            put_value(&r->script, r, arg[i].v, arg[i].from, arg[i].to);
    }
    buffer_puts(&r->script, ");\n");
    r->line_start = r->script.length;
    r->lines++;
}

struct value source_enter(struct run *r, const struct function *f, const struct arg *arg, unsigned n)
{
    if (r->nesting++ > MOST_NESTING / 4) {
        source_fail(r, f->name, "source-nesting", "calls are nested too deep");
        return unknown;
    }
    size_t back = r->p;
    unsigned frame = r->frame, next = ++r->frames, i = 0;
    struct variable *outer = r->variables;
    size_t end = source_group(&r->tokens, f->params) - 1;
    r->frame = next;
    for (r->p = f->params + 1; r->p < end; i++) {
        bool constant = false, is_typedef;
        uint8_t type = source_type(r, &constant, &is_typedef);
        const struct token *name = NULL;
        bool pointer = false;
        for (; r->p < end && !token_is(source_at(r), ","); r->p++) {
            pointer |= token_is(source_at(r), "*") || token_is(source_at(r), "[");
            if (source_at(r)->kind == TOKEN_NAME)
                name = source_at(r);
            if (token_is(source_at(r), "&") && !constant)
                source_fail(r, source_at(r), "source-reference", "references are not followed");
        }
        r->p++;
        struct value v = i < n ? arg[i].v : unknown;
        if (name)
            source_declare(r, name, pointer ? C_OTHER : type, pointer ? v : source_convert(v, type));
    }
    r->returned = unknown;
    r->p = f->body;
    source_statement(r);
    if (r->flow == FLOW_RETURN)
        r->flow = FLOW_ON;
    source_drop(r, outer);
    r->frame = frame;
    r->p = back;
    r->nesting--;
    return source_convert(r->returned, f->type);
}

struct value source_call(struct run *r, const struct token *callee)
{
    struct arg arg[MOST_ARGS] = {0};
    unsigned n = read_args(r, arg);
    if (r->skip || r->failed)
        return unknown;
    size_t p = (size_t)(callee - r->tokens.t), length;
    if (r->maybe && source_matters(r, p, p + 1)) {
        source_fail(r, callee, "source-condition", "whether this is called depends on what is not known");
        return unknown;
    }
    const struct function *f = source_function(r, callee);
    const char *name = source_call_name(r->o, callee, &length);
    if (f && !is_gl(name, length) && !r->maybe)
        return source_enter(r, f, arg, n);
    bool gl = is_gl(name, length) || (length > 3 && memcmp(name, "glu", 3) == 0);
    bool keeps = gl && !is_written(name, length);
    if (!r->maybe && !(gl && length > 8 && memcmp(name, "glVertex", 8) == 0))
        put_call(r, callee, arg, n);
    for (unsigned i = 0; i < n && !keeps; i++)
        if (arg[i].v.kind == VALUE_ARRAY)
            source_forget_array(arg[i].v.array);
    for (unsigned i = 0; i < n && !gl && r->references; i++) {
        struct variable *v = arg[i].to == arg[i].from + 1 ? source_variable(r, &r->tokens.t[arg[i].from])
                                                          : NULL;
        if (v)
            forget_variable(v);
    }
    if (!gl)
        source_forget_file(r);
    return unknown;
}
