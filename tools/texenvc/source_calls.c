/* Interprets calls: GL calls become lines of the script, functions of the file are interpreted, and other
 * calls are judged by their possible effect. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct value unknown;

/* Returns whether a GL call writes to the memory of its pointer arguments; other GL calls only read it. */
static bool is_written(const char *name, size_t n)
{
    return source_listed(" Get Gen Read Are Feedback Select ", name + 2, n - 2, true);
}

/* Records the source text of an expression, for the message that it is no constant. */
static void add_expression(struct run *r, size_t from, size_t to)
{
    enum { MOST = 60 };
    const char *s = r->tokens.t[from].s, *end = r->tokens.t[to - 1].s + r->tokens.t[to - 1].n;
    struct script_place *place = &r->place[r->nplaces - 1];
    uint32_t n = 0;
    while (n < MOST && s + n < end && s[n] >= ' ' && s[n] <= '~')
        n++;
    if (!place->expression) {
        place->expression = s;
        place->expression_length = n;
        place->expression_cut = s + n < end;
    }
}

static void put_value(struct run *r, struct value v, size_t from, size_t to)
{
    struct buffer *b = &r->script;
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
            put_value(r, e.kind == VALUE_ARRAY ? unknown : e, from, to);
        }
        buffer_puts(b, "}");
    } else { /* an unknown value is written as a name, which the reader reports as no constant */
        const struct token *t = &r->tokens.t[from];
        bool plain = to == from + 1 && t->kind == TEXENV_C_NAME && t->n < 64 && !token_is(t, "NULL") &&
            (strncmp(t->s, "GL_", 3) != 0 || !source_variable(r, t));
        buffer_add(b, plain ? t->s : UNKNOWN_VALUE, plain ? t->n : strlen(UNKNOWN_VALUE));
        if (!plain)
            add_expression(r, from, to);
    }
}

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
        /* a type is an argument of va_arg */
        if (source_is_type(r, r->p) && !(r->references && token_is(source_at(r) + 1, "(")))
            r->p = source_find(&r->tokens, r->p, r->tokens.n - 1, " , ) ");
        else
            arg[n].v = source_assignment(r).v;
        arg[n++].to = r->p;
        if (!source_take(r, ",") && !token_is(source_at(r), ")"))
            break;
    }
    source_expect(r, ")");
    return n;
}

/* Writes an unknown texture or list name as a number derived from the expression's text, so that different
 * expressions give different names. */
static bool put_name(struct run *r, const char *name, size_t n, unsigned i, const struct arg *arg)
{
    if (arg->v.kind != VALUE_UNKNOWN || i != (name[2] == 'B') ||
        !source_listed(" BindTexture NewList CallList ", name + 2, n - 2, true))
        return false;
    uint64_t hash = 1;
    for (size_t p = arg->from; p < arg->to; p++)
        hash = hash_bytes(r->tokens.t[p].s, r->tokens.t[p].n, hash);
    buffer_printf(&r->script, "%u", (unsigned)(0x40000000u | (hash & 0x3fffffff)));
    return true;
}

/* Returns whether the list of the glCallList at `start` of the script was created before in the script. A
 * list created elsewhere is assumed to draw. */
static bool is_made(struct run *r, size_t start)
{
    char text[64];
    buffer_puts(&r->script, "");
    snprintf(text, sizeof text, "glNewList(%.*s,", (int)strcspn(r->script.data + start + 11, ")"),
             r->script.data + start + 11);
    return strstr(r->script.data, text) != NULL;
}

static void put_call(struct run *r, const struct token *callee, const struct arg *arg, unsigned n)
{
    size_t length;
    const char *name = source_call_name(r->o, callee, &length);
    bool gl = source_is_gl(name, length) || (length > 3 && memcmp(name, "glu", 3) == 0);
    bool counts = !gl || !source_is_beside(name, length);
    source_add_place(r, callee);
    const size_t start = r->script.length;
    buffer_printf(&r->script, "%.*s(", (int)length, name);
    for (unsigned i = 0; i < n; i++) {
        buffer_puts(&r->script, i ? ", " : "");
        source_add_place(r, &r->tokens.t[arg[i].from]);
        const char *token = !gl && arg[i].v.kind == VALUE_INT && arg[i].v.i >= 0xde0
            ? texenv_token_name((uint32_t)arg[i].v.i)
            : NULL;
        if (token) /* the reader judges unknown calls by the GL names in their arguments */
            buffer_puts(&r->script, token);
        else if (!gl || !put_name(r, name, length, i, &arg[i]))
            put_value(r, arg[i].v, arg[i].from, arg[i].to);
    }
    buffer_puts(&r->script, ");\n");
    if (counts)
        r->hash = hash_bytes(r->script.data + start, r->script.length - start, r->hash);
    if (length == 10 && memcmp(name, "glCallList", 10) == 0 && !is_made(r, start))
        r->script.length--, buffer_puts(&r->script, " glRects(0, 0, 1, 1);\n");
    r->line_start = r->script.length;
    r->lines++;
}

/* ---- functions of the file ---- */

static void declare_parameters(struct run *r, const struct function *f, const struct arg *arg, unsigned n,
                               unsigned caller)
{
    size_t end = source_group(&r->tokens, f->params) - 1;
    unsigned i = 0;
    for (r->p = f->params + 1; r->p < end && !r->failed; i++) {
        bool constant = false, is_typedef;
        uint8_t type = source_type(r, &constant, &is_typedef);
        struct field x = {.type = type, .shape = r->shape};
        bool own = false;
        x.name = source_declarator(r, &x, &own);
        x.pointer |= x.array;
        struct value v = i < n ? arg[i].v : unknown;
        if (source_take(r, "=") && i >= n && r->frame > 1) /* the default argument */
            v = source_assignment(r).v;
        r->p = source_find(&r->tokens, r->p, end, " , ") + 1;
        if (!x.name)
            continue;
        if (x.shape && !x.pointer && !source_is_object(v))
            v = x.reference ? unknown : source_object(r, x.shape);
        if (!x.pointer && !x.reference)
            v = source_copy(r, v);
        struct variable *new = source_declare(r, x.name, x.pointer ? C_OTHER : type,
                                              x.pointer ? v : source_convert(v, type));
        new->pointer = x.pointer;
        const struct token *from = &r->tokens.t[i < n ? arg[i].from : 0];
        r->frame = caller;
        struct variable *to = x.reference && !constant && i < n && arg[i].to == arg[i].from + 1
            ? source_variable(r, from)
            : NULL;
        r->frame = new->frame;
        new->same = to && !to->constant && to->v.kind != VALUE_ARRAY && !to->escaped ? to : NULL;
    }
}

struct value source_enter(struct run *r, const struct function *called, const struct arg *arg, unsigned n)
{
    struct function *f = &r->function[called - r->function];
    if (r->nesting++ > MOST_NESTING / 4) {
        source_fail(r, f->name, "source-nesting", "calls are nested too deep");
        return unknown;
    }
    size_t back = r->p;
    unsigned frame = r->frame, next = ++r->frames;
    struct variable *outer = r->variables;
    const struct function *inside = r->inside;
    r->frame = next;
    r->inside = f;
    declare_parameters(r, f, arg, n, frame);
    r->returned = unknown;
    r->p = f->body;
    f->active++;
    const bool plain = r->plain;
    const enum effect effect = source_body_effect(r, f);
    r->plain |= frame && effect < EFFECT_SETS;
    source_statement(r);
    f->active--;
    if (r->flow == FLOW_UNKNOWN) {
        r->returned = unknown;
        source_leave_out(r, f->body, source_group(&r->tokens, f->body), effect);
        for (unsigned i = 0; i < n; i++)
            source_escape(arg[i].v);
        source_forget_file(r);
    }
    r->plain = plain;
    if (r->flow == FLOW_RETURN || r->flow == FLOW_UNKNOWN)
        r->flow = FLOW_ON;
    struct value returned = source_convert(r->returned, f->type);
    source_drop(r, outer);
    r->frame = frame;
    r->inside = inside;
    r->p = back;
    r->nesting--;
    return returned;
}

/* ---- all calls ---- */

/* GenTextures: stores new names in a variable or array that is known to be the destination. Returns false if
 * it is not known. */
static bool generate(struct run *r, const char *name, size_t n, const struct arg *arg, unsigned args)
{
    if (args != 2 || !source_listed(" GenTextures ", name + 2, n - 2, true))
        return false;
    const struct token *t = &r->tokens.t[arg[1].from];
    struct variable *v = arg[1].to == arg[1].from + 2 && token_is(t, "&") ? source_variable(r, t + 1) : NULL;
    if (v && !v->constant && v->v.kind == VALUE_UNKNOWN && !r->maybe) {
        v->v = (struct value){.kind = VALUE_INT, .i = ++r->generated, .is_unsigned = true};
        v->escaped = false;
        return true;
    }
    if (arg[1].v.kind != VALUE_ARRAY || arg[1].v.array->constant || arg[1].v.array->escaped || r->maybe)
        return false;
    struct array *a = arg[1].v.array;
    int64_t end = arg[0].v.kind == VALUE_INT ? arg[1].v.at + arg[0].v.i : a->n;
    for (int64_t i = arg[1].v.at; i >= 0 && i < end && i < a->n; i++)
        if (!a->shape || !a->shape->field[i].shape)
            a->v[i] = (struct value){.kind = VALUE_INT, .i = ++r->generated, .is_unsigned = true};
    return true;
}

static void note_not_followed(struct run *r, const char *name, size_t n)
{
    if (hash_set_add(&r->names, hash_bytes(name, n, 1)) && r->not_followed.length < 400)
        buffer_printf(&r->not_followed, "%s%.*s", r->not_followed.length ? ", " : "", (int)(n < 60 ? n : 60),
                      name);
}

/* Marks as unknown what a call that is not interpreted may have written. */
static void forget_written(struct run *r, const struct arg *arg, unsigned n, bool gl, bool library)
{
    r->changes++;
    for (unsigned i = 0; i < n; i++) {
        if (arg[i].v.kind == VALUE_ARRAY && (gl || library))
            source_forget_array(arg[i].v.array);
        else
            source_escape(arg[i].v);
        struct variable *v = !gl && r->references && arg[i].to == arg[i].from + 1
            ? source_variable(r, &r->tokens.t[arg[i].from])
            : NULL;
        if (v)
            source_forget_variable(v, true);
    }
    if (!gl && !library)
        source_forget_file(r);
}

/* Handles a call of a function that is not in the file. */
static struct value call_other(struct run *r, const struct token *callee, const struct arg *arg, unsigned n)
{
    size_t length;
    const char *name = source_call_name(r->o, callee, &length);
    bool gl = source_is_gl(name, length), beside = gl && length > 8 && memcmp(name, "glVertex", 8) == 0;
    bool glu = length > 3 && memcmp(name, "glu", 3) == 0, library = source_is_of_library(r, callee);
    if (library && token_in(callee, " exit _exit _Exit abort longjmp ") && !r->maybe)
        r->flow = FLOW_EXIT;
    const enum effect effect = gl || glu ? EFFECT_NONE : source_call_effect(r, callee);
    const bool told = !gl && !glu && (effect == EFFECT_DRAWS || effect == EFFECT_NONE);
    unsigned drop;
    source_alias(r->o, callee, &length, &drop);
    drop = drop < n ? drop : n;
    arg += drop;
    n -= drop;
    if (!r->maybe && !beside && !told)
        put_call(r, callee, arg, n);
    if (effect == EFFECT_MAY_DRAW || effect == EFFECT_DRAWS)
        source_put_draw(r, callee, effect == EFFECT_DRAWS);
    for (unsigned i = 0; i < n && !told && !gl; i++)
        if (arg[i].v.kind == VALUE_FUNCTION &&
            source_body_effect(r, &r->function[arg[i].v.i]) >= EFFECT_DRAWS)
            source_fail(
                r, &r->tokens.t[arg[i].from], "source-pointer",
                "whether '%.*s' calls this function is not known: --ignore '%.*s' says that it does not",
                (int)callee->n, callee->s, (int)callee->n, callee->s);
    if (!gl && effect == EFFECT_SETS &&
        (source_function(r, callee) ||
         ((source_is_function_member(r, callee) || source_variable(r, callee)) && source_given(r))))
        source_fail(r, callee, "source-method",
                    "the method '%.*s' is not in the file, or its class is not known: say --alias "
                    "'%.*s=CLASS::%.*s', or --ignore '%.*s' if it neither draws nor sets GL state",
                    (int)callee->n, callee->s, (int)callee->n, callee->s, (int)callee->n, callee->s,
                    (int)callee->n, callee->s);
    if (!gl && !glu && !library && !told)
        note_not_followed(r, callee->s, callee->n);
    if (gl && generate(r, name, length, arg, n))
        return unknown;
    if (gl && length == 10 && memcmp(name, "glGenLists", 10) == 0)
        return (struct value){.kind = VALUE_INT, .i = r->generated += 256, .is_unsigned = true};
    if (!(gl || glu) || is_written(name, length))
        forget_written(r, arg, n, gl || glu, library);
    return unknown;
}

/* Returns the function of the file to interpret for this call, or NULL. */
static const struct function *followed(struct run *r, const struct token *callee)
{
    bool several;
    size_t length;
    const char *name = source_call_name(r->o, callee, &length);
    if (source_is_gl(name, length) && source_alias(r->o, callee, &length, &(unsigned){0}))
        return NULL;
    const struct function *f = source_called(r, callee, &several);
    const bool open = f && f->of && !r->object && source_is_virtual(r, callee);
    if ((several || open) && source_call_effect(r, callee) >= EFFECT_DRAWS)
        source_fail(r, callee, "source-overload",
                    "which function is this '%.*s' is not known%s: --alias '%.*s=CLASS::%.*s' says it",
                    (int)callee->n, callee->s, open ? ", since it is virtual" : "", (int)callee->n, callee->s,
                    (int)callee->n, callee->s);
    if (!f || open || r->maybe)
        return NULL;
    return f->active && source_call_effect(r, callee) < EFFECT_SETS ? NULL : f;
}

struct value source_call(struct run *r, const struct token *callee, const struct function *f)
{
    struct arg arg[MOST_ARGS] = {0};
    const struct token *object = token_in(callee - 1, " . -> ") ? r->object : NULL;
    const uint64_t pointed = r->let_pointed;
    size_t length;
    unsigned n = read_args(r, arg);
    if (source_is_gl(source_call_name(r->o, callee, &length), length) || source_is_of_library(r, callee))
        r->let_pointed = pointed; /* these functions keep no pointers */
    r->object = object;
    if (r->skip || r->failed || r->flow != FLOW_ON)
        return unknown;
    if (r->maybe && source_call_effect(r, callee) == EFFECT_SETS) {
        source_fail(r, callee, "source-condition", "whether this is called depends on what is not known");
        return unknown;
    }
    f = r->maybe ? NULL : f;
    struct variable *pointer = f ? NULL : source_variable(r, callee);
    if (pointer && pointer->v.kind == VALUE_FUNCTION && !r->maybe)
        f = &r->function[pointer->v.i];
    f = f || pointer ? f : followed(r, callee);
    return r->failed ? unknown : f ? source_enter(r, f, arg, n) : call_other(r, callee, arg, n);
}
