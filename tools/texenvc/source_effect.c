/* Estimates the effect of tokens that are not interpreted: change GL state that draws depend on, draw, or
 * nothing. */
#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- names ---- */

/* Functions of the C library, which call no function that matters here. Functions that system headers declare
 * are treated in the same way. */
static const char library[] =
    " abort abs assert atan atan2 atexit atof atoi calloc ceil clock close cos cosf exit exp fabs fabsf "
    "fclose feof fflush fgets floor floorf fmod fopen fprintf fputc fputs fread free fscanf fseek ftell "
    "fwrite getc getenv isalpha isdigit isspace log longjmp malloc memchr memcmp memcpy memmove memset "
    "open perror pow powf printf putc putchar puts qsort rand random read realloc rewind setjmp signal "
    "sin sinf sleep snprintf sprintf sqrt sqrtf srand srandom sscanf strcasecmp strcat strchr strcmp "
    "strcpy strdup strerror strlen strncasecmp strncat strncmp strncpy strrchr strstr strtod strtok "
    "strtol system tan time tolower toupper usleep va_arg va_end va_start vfprintf vprintf vsnprintf "
    "vsprintf write ";
/* Methods of containers and strings of C++. */
static const char methods[] =
    " append assign at back begin c_str clear count data empty end erase find front get insert length "
    "pop_back pop_front push_back push_front release reserve reset resize size str substr swap ";
/* Words before "(" that are no function names and no types. */
static const char words[] =
    " catch decltype defined else for if noexcept offsetof operator return sizeof switch throw while ";

/* Returns whether the call's name is in a list of names from an option; a "*" at the end of a name matches
 * any continuation. */
static bool is_told(const char **list, size_t count, const struct token *t)
{
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(list[i]);
        bool star = n && list[i][n - 1] == '*';
        if (star ? t->n >= n - 1 && memcmp(t->s, list[i], n - 1) == 0 : token_is(t, list[i]))
            return true;
    }
    return false;
}

bool source_is_ignored(const struct run *r, const struct token *t)
{
    return is_told(r->o->ignore, r->o->nignore, t);
}

bool source_is_of_library(const struct run *r, const struct token *t)
{
    static const char with[] = " glut glfw glX wgl egl SDL_ pthread_ Sleep ";
    const bool of_std = token_is(t - 1, "::") && token_is(t - 2, "std");
    return of_std || token_in(t, token_in(t - 1, " . -> ") ? methods : library) ||
        (!r->references && hash_set_has(&r->tokens.system, hash_bytes(t->s, t->n, 1))) ||
        source_listed(with, t->s, t->n, true);
}

static bool has(const char *name, size_t n, const char *part)
{
    for (size_t i = 0, m = strlen(part); i + m <= n; i++)
        if (strncasecmp(name + i, part, m) == 0)
            return true;
    return false;
}

/* Returns whether the reader of GL calls may consider this unknown call to change texturing, because of its
 * name or of a GL name among its arguments. */
static bool speaks(const struct run *r, const struct token *t)
{
    size_t end = source_group(&r->tokens, (size_t)(t - r->tokens.t) + 1);
    const bool texture = has(t->s, t->n, "tex") && (!has(t->s, t->n, "text") || has(t->s, t->n, "textu"));
    if (texture || has(t->s, t->n, "gl") || has(t->s, t->n, "tmu") || has(t->s, t->n, "combin"))
        return true;
    for (const struct token *a = t + 1; a < &r->tokens.t[end]; a++) {
        unsigned long value = a->kind == TEXENV_C_NUMBER && a->n > 3 && a->s[0] == '0'
            ? strtoul(a->s, NULL, 16)
            : 0;
        if ((a->kind == TEXENV_C_NAME && a->n > 3 && memcmp(a->s, "GL_", 3) == 0) ||
            (value >= 0xb60 && value < 0xa000 && texenv_token_name((uint32_t)value)))
            return true;
    }
    return false;
}

/* ---- effects ---- */

static enum effect most(enum effect a, enum effect b) { return a > b ? a : b; }

/* Computes the effect of a function. Functions that call each other have the same effect: they are a strongly
 * connected component, which Tarjan's algorithm finds. f->order is the order of visit of a function in an
 * unfinished component, f->effect its effect so far. */
enum effect source_body_effect(struct run *r, struct function *f)
{
    if (f->order && f->order < r->lowest)
        r->lowest = f->order;
    if (f->effect)
        return (enum effect)(f->effect - 1);
    const struct function *inside = r->inside;
    const unsigned lowest = r->lowest, order = ++r->order;
    if (r->nesting++ > 4 * MOST_NESTING)
        source_fail(r, f->name, "source-nesting", "calls are nested too deep");
    f->effect = 1 + EFFECT_NONE;
    f->order = r->lowest = order;
    r->inside = f;
    /* includes the initialisers of a constructor */
    f->effect = (uint8_t)(1 +
                          source_effect(r, source_group(&r->tokens, f->params),
                                        source_group(&r->tokens, f->body), false));
    r->inside = inside;
    r->nesting--;
    for (size_t i = 0; r->lowest == order && i < r->nfunctions; i++)
        if (r->function[i].order >= order) {
            r->function[i].effect = f->effect;
            r->function[i].order = 0;
        }
    r->lowest = lowest < r->lowest ? lowest : r->lowest;
    return (enum effect)(f->effect - 1);
}

/* Returns whether the class name here creates an object, and is no pointer or part of another name. */
static bool makes(const struct token *t)
{
    return !token_in(t + 1, " * & && :: . -> = ) ") && !token_in(t - 1, " . -> ~ ");
}

/* Returns the effect of creating and destroying an object of the class: its constructors and destructors,
 * those of bases and members, and member initialisers. shape: the class; NULL: all classes with this tag. */
static enum effect of_class(struct run *r, const struct token *tag, const struct shape *shape)
{
    enum effect effect = EFFECT_NONE;
    for (size_t i = 0; tag && i < r->nfunctions; i++)
        if (r->function[i].of && source_same(r->function[i].name, tag) && source_same(r->function[i].of, tag))
            effect = most(effect, source_body_effect(r, &r->function[i]));
    for (struct shape *s = r->shapes; s && effect < EFFECT_SETS; s = s->next) {
        if (s->open || (shape ? s != shape : !s->tag || !source_same(s->tag, tag)))
            continue;
        s->open = true;
        if (r->classes++ > MOST_CLASSES) /* the walk over bases and members can grow exponentially */
            effect = EFFECT_SETS;
        for (size_t p = s->bases; p < s->body; p++)
            if (r->tokens.t[p].kind == TEXENV_C_NAME)
                effect = most(effect, of_class(r, &r->tokens.t[p], NULL));
        for (const struct field *f = s->field; f < s->field + s->nfields && effect < EFFECT_SETS; f++) {
            effect = most(effect, source_effect(r, f->initial, f->initial_end, false));
            if (f->shape && !f->pointer && !f->reference)
                effect = most(effect, of_class(r, f->shape->tag, f->shape));
        }
        s->open = false;
    }
    return effect;
}

static enum effect of_gl(const struct run *r, const char *name, size_t n)
{
    static const char draws[] = " DrawA DrawE DrawR MultiDraw Rect ArrayE EvalMesh DrawPix Bitmap ";
    if (source_is_beside(name, n))
        return EFFECT_NONE;
    const bool is_draw = source_listed(" Begin End ", name + 2, n - 2, false) ||
        source_listed(draws, name + 2, n - 2, true) ||
        (!r->lists && source_listed(" CallList ", name + 2, n - 2, true));
    return is_draw ? EFFECT_DRAWS : EFFECT_SETS;
}

bool source_given(struct run *r)
{
    for (size_t p = 1; p + 1 < r->tokens.n && !r->given; p++) {
        struct function *f = r->tokens.t[p].kind == TEXENV_C_NAME ? source_function(r, &r->tokens.t[p])
                                                                  : NULL;
        if (f && f->name != &r->tokens.t[p] && source_is_given(r, p) &&
            source_body_effect(r, f) == EFFECT_SETS)
            r->given = 2;
    }
    r->given = r->given ? r->given : 1;
    return r->given == 2;
}

enum effect source_call_effect(struct run *r, const struct token *t)
{
    static const char shapes[] = " gluSphere gluCylinder gluDisk gluPart gluEndS gluEndC gluEndP gluTessEndP "
                                 "glutSolid glutWire glutBitmapC glutBitmapS glutStrokeC glutStrokeS ";
    size_t n;
    const char *name = source_call_name(r->o, t, &n);
    enum effect effect = EFFECT_NONE;
    const bool initial = token_in(t - 1, " : , "); /* initialiser of a member in a constructor */
    if ((initial && source_own_field(r, t)) || token_in(t, words) || source_is_ignored(r, t))
        return EFFECT_NONE;
    if (is_told(r->o->draw, r->o->ndraw, t) ||
        (source_listed(shapes, t->s, t->n, true) && !source_function(r, t)))
        return EFFECT_DRAWS;
    const struct variable *v = source_variable(r, t);
    bool any = v && v->v.kind == VALUE_FUNCTION;
    if (any)
        effect = source_body_effect(r, &r->function[v->v.i]);
    for (size_t i = 0; i < r->nfunctions && effect < EFFECT_SETS; i++)
        if (source_may_be(r, &r->function[i], t)) {
            effect = most(effect, source_body_effect(r, &r->function[i]));
            any = true;
        }
    if (source_is_gl(name, n) && !any && !source_is_of_library(r, t))
        return of_gl(r, name, n);
    if (source_is_virtual(r, t))
        return most(effect, EFFECT_MAY_DRAW);
    if (!any && (source_is_function_member(r, t) || (v && v->v.kind == VALUE_UNKNOWN)) && source_given(r))
        return EFFECT_SETS;
    if (any || source_is_of_library(r, t) || texenv_token(t->s, t->n) >= 0 ||
        (source_is_type(r, (size_t)(t - r->tokens.t)) && !v))
        return effect;
    return !source_function(r, t) && speaks(r, t) ? EFFECT_SETS : EFFECT_MAY_DRAW;
}

/* Returns the effect of C++ code at this token that does not name the functions it calls. */
static enum effect implied(struct run *r, size_t p)
{
    const struct token *t = &r->tokens.t[p];
    enum effect effect = EFFECT_NONE;
    if (!r->references || t->kind != TEXENV_C_NAME || source_is_ignored(r, t))
        return EFFECT_NONE;
    if (token_is(t, "delete") && !token_is(t + 1, "(") && !token_is(t + 1, ";"))
        for (size_t i = 0; i < r->nfunctions; i++)
            if (token_is(r->function[i].name - 1, "~"))
                effect = most(effect, source_body_effect(r, &r->function[i]));
    return makes(t) ? most(effect, of_class(r, t, NULL)) : effect;
}

enum effect source_effect(struct run *r, size_t from, size_t to, bool leaving)
{
    enum effect effect = EFFECT_NONE;
    /* the ends of loops, and of loops and switches, in the range: before these, continue and break stay
     * inside */
    size_t loop = from, breaks = from;
    int open = 0;
    for (size_t p = from; p < to && effect < EFFECT_SETS && !r->failed; p++) {
        const struct token *t = &r->tokens.t[p];
        if (t->kind != TEXENV_C_NAME) {
            /* a call through a table of functions, or a lambda */
            if (token_is(t, "]") && token_is(t + 1, "("))
                return EFFECT_SETS;
            continue;
        }
        const bool loops = token_in(t, " for while do ");
        if (leaving && (loops || token_is(t, "switch"))) {
            size_t end = source_end_of_statement(r, p);
            breaks = end > breaks ? end : breaks;
            loop = loops && end > loop ? end : loop;
        }
        if (leaving &&
            (token_in(t, " return goto asm __asm__ ") || (token_is(t, "break") && p >= breaks) ||
             (token_is(t, "continue") && p >= loop)))
            return EFFECT_SETS;
        open += token_is(t, "glBegin") - token_is(t, "glEnd");
        effect = most(effect, implied(r, p));
        if (token_is(t + 1, "("))
            effect = most(effect, source_call_effect(r, t));
    }
    return open ? EFFECT_SETS : effect;
}

/* ---- skipping tokens ---- */

void source_put_draw(struct run *r, const struct token *t, bool certain)
{
    source_add_place(r, t);
    if (certain)
        buffer_puts(&r->script, "glRects(0, 0, 1, 1);\n");
    else
        buffer_printf(&r->script, POSSIBLE_DRAW " //%.*s\n", (int)(t->n < 40 ? t->n : 40), t->s);
    r->hash = hash_bytes(certain ? "!" : t->s, certain ? 1 : t->n, r->hash);
    r->line_start = r->script.length;
    r->lines++;
}

void source_leave_out(struct run *r, size_t from, size_t to, enum effect effect)
{
    if (effect >= EFFECT_MAY_DRAW) {
        size_t p = from;
        while (p + 1 < to && source_effect(r, p, p + 1, false) < effect)
            p++;
        source_put_draw(r, &r->tokens.t[p], effect == EFFECT_DRAWS);
    }
    source_forget(r, from, to);
}

void source_pass_over(struct run *r, size_t to)
{
    for (; r->p < to && !r->failed; r->p++) {
        enum effect effect = r->skip || !r->frame ? EFFECT_NONE : source_effect(r, r->p, r->p + 1, false);
        const struct token *t = source_at(r);
        if (effect >= EFFECT_DRAWS)
            source_fail(r, t, "source-skipped",
                        "'%.*s' draws or sets GL state in code that is not interpreted", (int)t->n, t->s);
        else if (effect)
            source_put_draw(r, t, false);
    }
}

void source_check_implied(struct run *r, size_t to)
{
    for (size_t p = r->p; p < to && r->references && !r->failed; p++) {
        const struct token *t = &r->tokens.t[p];
        const enum effect effect = implied(r, p);
        if (effect >= EFFECT_DRAWS)
            source_fail(r, t, "source-object",
                        "a constructor or destructor of '%.*s' draws or sets GL state, and is not "
                        "interpreted: write the calls, or say --ignore '%.*s' if it does neither",
                        (int)t->n, t->s, (int)t->n, t->s);
    }
}
