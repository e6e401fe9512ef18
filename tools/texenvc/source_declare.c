#include "source.h"

#include <stdlib.h>
#include <string.h>

static const struct value unknown;

/* ---- types and declarations ---- */

struct types {
    const char *names;
    uint8_t type;
};
static const struct types words[] = {
    {" int long signed enum ", C_INT},
    {" unsigned ", C_UNSIGNED},
    {" char short ", C_SMALL},
    {" float ", C_FLOAT},
    {" double ", C_DOUBLE},
    {" _Bool bool ", C_BOOL},
    {" void struct union class const __const constexpr static extern register volatile inline __inline "
     "__inline__ typedef __extension__ auto restrict __restrict _Noreturn ",
     C_OTHER},
    {NULL, C_OTHER}};
/* Types of GL and of the C library, which are known even without their headers. */
static const struct types names[] = {
    {" GLenum GLuint GLbitfield uint32_t ", C_UNSIGNED},
    {" GLint GLsizei int32_t ", C_INT},
    {" GLfloat GLclampf ", C_FLOAT},
    {" GLdouble GLclampd ", C_DOUBLE},
    {" GLubyte GLbyte GLushort GLshort GLboolean GLchar int8_t uint8_t int16_t uint16_t ", C_SMALL},
    {" GLvoid size_t wchar_t int64_t uint64_t ssize_t intptr_t uintptr_t ptrdiff_t FILE va_list time_t ",
     C_OTHER},
    {NULL, C_OTHER}};

/* Returns the type of a word in the table, or -1. */
static int type_in(const struct types *row, const struct token *t)
{
    while (row->names && !(t->kind == TEXENV_C_NAME && token_in(t, row->names)))
        row++;
    return row->names ? row->type : -1;
}

static int typedef_row(const struct run *r, const struct token *t)
{
    for (size_t i = r->ntypenames; t->kind == TEXENV_C_NAME && i-- > 0;)
        if (source_same(r->typename[i].name, t))
            return (int)i;
    return -1;
}

bool source_is_type(const struct run *r, size_t p)
{
    const struct token *t = &r->tokens.t[p];
    return type_in(words, t) >= 0 ||
        ((typedef_row(r, t) >= 0 || type_in(names, t) >= 0) && !source_variable(r, t));
}

size_t source_angles(const struct tokens *k, size_t p)
{
    unsigned depth = 0;
    for (size_t q = p; token_is(&k->t[p], "<") && k->t[q].kind != TEXENV_C_END && q < p + 1000; q++) {
        const struct token *t = &k->t[q];
        if (token_is(t, "("))
            q = source_group(k, q) - 1;
        else if (token_in(t, " ; { } && || "))
            return p;
        depth += token_is(t, "<");
        unsigned less = token_is(t, ">>") ? 2 : token_is(t, ">");
        depth -= less < depth ? less : depth;
        if (less && !depth)
            return q + 1;
    }
    return p;
}

/* Returns the token after a type name at p, including its "A::" and "<...>"; p if there is none. */
static size_t over_type_name(const struct tokens *k, size_t p)
{
    size_t q = p;
    while (k->t[q].kind == TEXENV_C_NAME) {
        q = source_angles(k, q + 1);
        if (!token_is(&k->t[q], "::"))
            return q;
        q++;
    }
    return p;
}

bool source_declares(const struct run *r, size_t p)
{
    const struct token *t = r->tokens.t;
    size_t q = over_type_name(&r->tokens, p), stars = 0;
    if (q == p || (q == p + 1 && source_variable(r, &t[p])) ||
        token_in(&t[p], " delete new throw operator using "))
        return false;
    for (; token_in(&t[q], " * & && const "); q++)
        stars += !token_is(&t[q], "const");
    size_t n;
    const char *name = source_call_name(r->o, &t[q], &n);
    bool called = source_is_gl(name, n) || (!r->references && source_function(r, &t[q]));
    if (t[q].kind != TEXENV_C_NAME || (called && token_is(&t[q + 1], "("))) /* the token before is a macro */
        return false;
    return token_in(&t[q + 1], stars ? " = ; , [ : " : " = ; , [ : ( { ");
}

static void enumerators(struct run *r)
{
    struct value v = {.kind = VALUE_INT, .i = 0};
    r->p++;
    while (!r->failed && source_at(r)->kind == TEXENV_C_NAME) {
        const struct token *name = source_at(r);
        r->p++;
        if (source_take(r, "="))
            v = source_assignment(r).v;
        source_declare(r, name, C_INT, v)->constant = true;
        if (v.kind == VALUE_INT)
            v = v.i < INT32_MAX ? (struct value){.kind = VALUE_INT, .i = v.i + 1} : unknown;
        if (!source_take(r, ","))
            break;
    }
    source_expect(r, "}");
}

/* Returns whether the token before a tag is an unknown macro: `class API name : base`, `class API name {`. */
static bool is_attribute(const struct token *t)
{
    if (t->kind != TEXENV_C_NAME || t[1].kind != TEXENV_C_NAME || token_is(t + 1, "final"))
        return false;
    bool capitals = true;
    for (uint32_t i = 0; i < t->n; i++)
        capitals &= !(t->s[i] >= 'a' && t->s[i] <= 'z');
    return token_is(t + 2, ":") || (capitals && token_is(t + 2, "{"));
}

static void add_typedef(struct run *r, const struct token *name, uint8_t type, const struct shape *shape)
{
    r->typename = xrealloc(r->typename, (r->ntypenames + 1) * sizeof *r->typename);
    r->typename[r->ntypenames++] = (struct typename){.name = name, .shape = shape, .type = type};
}

/* Reads what follows struct, union, class or enum. Returns the structure, or NULL. */
static struct shape *tagged_type(struct run *r, const struct token *word)
{
    const struct token *tag = NULL;
    r->p += token_is(word, "enum") && token_in(source_at(r), " class struct ");
    r->p += is_attribute(source_at(r));
    size_t p = r->p;
    if (source_at(r)->kind == TEXENV_C_NAME) {
        tag = source_at(r);
        p = ++r->p;
        p = r->p = source_angles(&r->tokens, p); /* arguments of a template specialisation */
    }
    if (tag && r->references && token_is(word, "enum")) /* in C++ the tag alone is a type name */
        add_typedef(r, tag, C_INT, NULL);
    const size_t bases = p;
    /* skips the base classes, or the underlying type of an enum */
    if (token_is(&r->tokens.t[p], ":") && (tag || token_is(word, "enum")))
        p = source_find(&r->tokens, p, r->tokens.n - 1, " { ; ");
    if (token_is(&r->tokens.t[p], "{")) {
        bool derived = p > r->p;
        r->p = p;
        if (token_is(word, "enum")) {
            enumerators(r);
            return NULL;
        }
        struct shape *s = source_read_shape(r, tag, token_is(word, "union"));
        s->odd |= derived;
        s->bases = bases;
        s->body = p;
        return s;
    }
    return tag && !token_is(word, "enum") ? source_shape_of(r, tag) : NULL;
}

/* Reads the declaration specifiers at p and returns the type of a value. */
uint8_t source_type(struct run *r, bool *constant, bool *is_typedef)
{
    uint8_t type = C_OTHER;
    bool named = false;
    const struct shape *shape = NULL;
    *is_typedef = false;
    r->shape = NULL;
    while (!r->failed) {
        const struct token *t = source_at(r);
        const bool own = !r->references && token_is(t, "bool") && (named || typedef_row(r, t) >= 0);
        int next = own ? -1 : type_in(words, t); /* own: older C code defines a type bool itself */
        if (token_is(t, "__attribute__") && token_is(t + 1, "(")) {
            r->p = source_group(&r->tokens, r->p + 1);
        } else if (next >= 0) {
            r->p++;
            *constant |= token_in(t, " const constexpr ");
            *is_typedef |= token_is(t, "typedef");
            bool wins = next != C_OTHER && !(type == C_UNSIGNED && next == C_INT) &&
                !(type == C_SMALL && next == C_INT) && !(type == C_SMALL && next == C_UNSIGNED) &&
                !(type == C_DOUBLE && next == C_INT);
            type = wins ? (uint8_t)next : type;
            bool tagged = token_in(t, " struct union enum class ");
            named |= tagged || next != C_OTHER || token_is(t, "void") ||
                (token_is(t, "auto") && r->references);
            if (tagged)
                shape = tagged_type(r, t);
        } else if (!named && t->kind == TEXENV_C_NAME) {
            int known = typedef_row(r, t), gl = type_in(names, t);
            type = known >= 0 ? r->typename[known].type : gl >= 0 ? (uint8_t)gl : C_OTHER;
            shape = known >= 0 ? r->typename[known].shape : gl < 0 ? source_shape_of(r, t) : NULL;
            named = true;
            size_t behind = over_type_name(&r->tokens, r->p);
            if (behind > r->p + 1)
                type = C_OTHER;
            if (behind > r->p + 1 && !token_is(t + 1, "<"))
                shape = source_shape_of(r, &r->tokens.t[behind - 1]);
            r->p = behind;
        } else {
            break;
        }
    }
    r->shape = shape;
    return type;
}

static void over_declarator(struct run *r)
{
    source_pass_over(r, source_find(&r->tokens, r->p, r->tokens.n - 1, " , ; "));
}

/* Returns the initial value of a variable; p is after its name. */
static struct value initial(struct run *r, const struct field *f, bool constant)
{
    if (!source_take(r, "="))
        return source_make(r, f, false);
    if (!f->reference || token_is(source_at(r), "{"))
        return source_initial(r, f);
    const struct result e = source_assignment(r);
    if (e.variable && !constant) { /* the variable may be written through the reference */
        e.variable->escaped = true;
        if (e.v.kind != VALUE_ARRAY)
            e.variable->v = unknown;
    }
    return e.v;
}

/* Returns whether the token can follow the name of a variable. If not, a word before the name was an
 * unknown macro. */
static bool ends_declarator(const struct token *t)
{
    return token_in(t, " = , ; [ : { ) __attribute__ asm __asm__ ");
}

/* Interprets one declarator of a declaration. */
static void declarator(struct run *r, struct field f, bool constant, bool is_typedef)
{
    const size_t head = r->p;
    const struct token *name = source_declarator(r, &f, &constant);
    if (!name || !ends_declarator(source_at(r))) {
        r->p = name ? r->p : head;
        /* an object with constructor arguments */
        if (name && r->frame && r->references && !source_function(r, name))
            source_declare(r, name, C_OTHER, unknown);
        over_declarator(r);
        return;
    }
    const bool place = f.array || f.pointer || f.reference;
    if (is_typedef) {
        add_typedef(r, name, place ? C_OTHER : f.type, place ? NULL : f.shape);
        over_declarator(r);
        return;
    }
    struct value v = initial(r, &f, constant);
    /* other variables of the file may have changed before the function runs */
    bool keeps = constant || r->frame;
    bool object = v.kind == VALUE_ARRAY && (f.array || source_is_object(v));
    if (!keeps && object)
        source_forget_array(v.array); /* length and members stay known */
    else if (!keeps)
        v = unknown;
    if (object && constant)
        source_make_constant(v.array);
    struct variable *x = source_declare(r, name, place ? C_OTHER : f.type,
                                        place ? v : source_convert(v, f.type));
    x->constant = constant || f.array;
    x->pointer = f.pointer || f.reference;
    if (!r->failed && !token_is(source_at(r), ",") && !token_is(source_at(r), ";"))
        over_declarator(r);
}

void source_declaration(struct run *r)
{
    bool constant = false, is_typedef, is_static = false;
    for (size_t p = r->p; type_in(words, &r->tokens.t[p]) >= 0; p++)
        is_static |= token_is(&r->tokens.t[p], "static");
    uint8_t type = source_type(r, &constant, &is_typedef);
    const struct shape *shape = r->shape;
    unsigned frame = r->frame;
    const struct variable *before = r->variables;
    while (!r->failed && !token_is(source_at(r), ";")) {
        declarator(r, (struct field){.type = type, .shape = shape}, constant, is_typedef);
        if (!source_take(r, ","))
            break;
    }
    r->frame = frame;
    for (struct variable *v = r->variables; is_static && frame && v != before; v = v->next) {
        v->stays = true; /* a static variable keeps its value from an earlier call */
        source_forget_variable(v, true);
    }
    for (struct variable *v = r->variables; r->o->nlet && v != before; v = v->next)
        if (!v->assigned && v->v.kind == VALUE_ARRAY && !v->pointer)
            source_let_array(r, v->name, v->v.array);
    source_expect(r, ";");
}
