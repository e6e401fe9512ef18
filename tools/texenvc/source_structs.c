/* Interprets structures and their objects, which are arrays whose elements have names. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

static const struct value unknown;

/* ---- structure types ---- */

struct shape *source_shape_of(const struct run *r, const struct token *tag)
{
    struct shape *found = NULL;
    unsigned deepest = 0;
    bool several = false;
    for (struct shape *s = r->shapes; s; s = s->next) {
        if (!s->tag || !source_same(s->tag, tag) || (s->frame && s->frame != r->frame))
            continue;
        const unsigned depth = source_depth(r, s->tag, tag);
        if (s->frame)
            return s;
        several = depth > deepest ? false : several || (depth && depth == deepest);
        found = depth > deepest ? s : found;
        deepest = depth > deepest ? depth : deepest;
    }
    return several ? NULL : found;
}

static void add_field(struct shape *s, struct field field)
{
    s->field = xrealloc(s->field, (s->nfields + 1) * sizeof *s->field);
    s->field[s->nfields++] = field;
    uint64_t one = field.shape && !field.pointer ? field.shape->size : 1;
    s->size += field.array && field.length ? one * (uint64_t)field.length : one;
    if (s->size > UINT32_MAX)
        s->size = UINT32_MAX;
}

/* Returns the array length in brackets if it is a number or a constant, else 0. */
static int64_t length_of(struct run *r, size_t open)
{
    struct value v = unknown;
    bool quiet = r->quiet, failed = r->failed;
    size_t back = r->p, close = source_group(&r->tokens, open) - 1;
    r->p = open + 1;
    r->quiet = true;
    r->skip++;
    if (r->p < close)
        v = source_expression(r).v;
    r->skip--;
    r->quiet = quiet;
    r->failed = failed;
    r->p = back;
    return v.kind == VALUE_INT && v.i > 0 && v.i <= 4096 ? v.i : 0;
}

const struct token *source_declarator(struct run *r, struct field *f, bool *constant)
{
    for (; token_in(source_at(r), " * & && const restrict "); r->p++) {
        const bool is = token_is(source_at(r), "const");
        *constant = f->pointer || !is ? is : *constant;
        f->pointer |= token_is(source_at(r), "*");
        f->reference |= *source_at(r)->s == '&';
    }
    size_t p = r->p;
    if (token_is(source_at(r), "(")) { /* `(*name)(...)`, possibly with a calling convention before the "*" */
        const bool word = source_at(r)[1].kind == TEXENV_C_NAME && token_is(source_at(r) + 2, "*");
        p += word ? 3 : token_is(source_at(r) + 1, "*") ? 2 : 0;
        f->pointer = f->function = p > r->p;
        *constant &= !f->function;
    }
    const struct token *name = &r->tokens.t[p];
    if (name->kind != TEXENV_C_NAME)
        return NULL;
    for (r->p = p + 1; token_is(source_at(r), "["); r->p = source_group(&r->tokens, r->p)) {
        f->rows = f->array;
        f->length = f->array ? f->length : length_of(r, r->p);
        f->array = true;
    }
    if (f->function && source_take(r, ")") && token_is(source_at(r), "("))
        r->p = source_group(&r->tokens, r->p);
    return name;
}

/* Adds the names of a member declaration that ends at `end`; p is after its type. */
static void add_fields(struct run *r, struct shape *s, struct field type, size_t end)
{
    bool constant = false;
    while (r->p < end) {
        struct field f = type;
        f.name = source_declarator(r, &f, &constant);
        if (token_is(source_at(r), ":"))
            f.type = C_BITS;
        s->odd |= !token_in(source_at(r), " , ; ");
        if (f.name)
            add_field(s, f);
        r->p = source_find(&r->tokens, r->p, end, " , ") + 1;
    }
}

/* Reads the member at p of a body that ends at `end`. Returns the token after it. */
static size_t read_member(struct run *r, struct shape *s, size_t p, size_t end)
{
    const struct tokens *k = &r->tokens;
    if (token_in(&k->t[p], " public private protected ") && token_is(&k->t[p + 1], ":"))
        return p + 2;
    size_t q = p, open = 0;
    bool given = false; /* after an "=", whose value may contain a call */
    while (q < end && !token_is(&k->t[q], ";") && !token_is(&k->t[q], "{")) {
        given |= !open && token_is(&k->t[q], "=") && !token_is(&k->t[q - 1], "operator");
        open = !open && !given && token_is(&k->t[q], "(") ? q : open;
        q = token_is(&k->t[q], "(") || token_is(&k->t[q], "[") ? source_group(k, q) : q + 1;
    }
    const bool pointer = open && (token_is(&k->t[open + 1], "*") || token_is(&k->t[open + 2], "*"));
    if (open && !pointer) { /* a method */
        s->odd |= (s->tag && source_same(&k->t[open - 1], s->tag)) || token_is(&k->t[open - 1], "=");
        size_t behind = token_is(&k->t[q], "{") ? source_group(k, q) : q + 1;
        if (token_is(&k->t[q], "{") && open > p && !r->frame)
            source_add_function(r, p, open - 1, q, s->tag);
        else if (token_is(&k->t[q], "{") && r->frame && source_effect(r, open, behind, true) == EFFECT_SETS)
            source_fail(r, &k->t[open - 1], "source-class", "a class within a function is not followed");
        return behind;
    }
    bool constant = false, is_typedef;
    r->p = p;
    struct field f = {.type = source_type(r, &constant, &is_typedef)};
    f.shape = r->shape;
    if (r->p <= p || r->p > end)
        return source_end_of_statement(r, p);
    q = source_find(k, r->p, end, " ; ");
    f.initial = source_find(k, r->p, q, " = { ");
    f.initial_end = q;
    if (!is_typedef)
        add_fields(r, s, f, q);
    return q + 1;
}

struct shape *source_read_shape(struct run *r, const struct token *tag, bool is_union)
{
    size_t end = source_group(&r->tokens, r->p) - 1;
    struct shape *s = xcalloc(1, sizeof *s);
    *s = (struct shape){
        .next = r->shapes, .tag = tag, .frame = r->frame, .odd = is_union, .is_union = is_union};
    if (r->nesting++ > MOST_NESTING / 4)
        source_fail(r, source_at(r), "source-nesting", "nested too deep");
    for (size_t p = r->p + 1; p < end && !r->failed;)
        p = read_member(r, s, p, end);
    r->nesting--;
    s->next = r->shapes; /* nested structures were added first */
    r->shapes = s;
    r->p = end + (end < r->tokens.n - 1);
    return s;
}

void source_forget_shapes(struct run *r)
{
    while (r->shapes) {
        struct shape *next = r->shapes->next;
        free(r->shapes->field);
        free(r->shapes);
        r->shapes = next;
    }
}

/* ---- objects ---- */

static bool is_object(const struct field *f) { return f->shape && !f->pointer && !f->reference; }

struct value source_make(struct run *r, const struct field *f, bool zero)
{
    const bool object = is_object(f) && !f->array;
    const uint64_t size = (is_object(f) ? f->shape->size : 1) * (f->array ? (uint64_t)f->length : 1);
    if (!object && !f->array)
        return zero ? source_convert((struct value){.kind = VALUE_INT}, f->pointer ? C_OTHER : f->type)
                    : unknown;
    if (size > 65536 || f->rows || (f->array && !f->length))
        return unknown;
    if (r->nesting++ > MOST_NESTING)
        source_fail(r, source_at(r), "source-nesting", "nested too deep");
    struct field element = *f;
    element.array = false;
    struct array *a = source_array(r, object ? f->shape->nfields : f->length, f->pointer ? C_OTHER : f->type);
    a->shape = object ? f->shape : NULL;
    for (int64_t i = 0; i < a->n && !r->failed; i++)
        a->v[i] = source_make(r, object ? &f->shape->field[i] : &element, zero && !(object && f->shape->odd));
    r->nesting--;
    return (struct value){.kind = VALUE_ARRAY, .array = a};
}

struct value source_object(struct run *r, const struct shape *s)
{
    return source_make(r, &(struct field){.shape = s}, false);
}

static int field_row(const struct shape *s, const struct token *name)
{
    for (unsigned i = 0; i < s->nfields; i++)
        if (source_same(s->field[i].name, name))
            return (int)i;
    return -1;
}

/* Returns the number of initialisers in the braces at p. */
static int64_t count_initialisers(const struct tokens *k, size_t p)
{
    int64_t n = 0;
    const size_t end = source_group(k, p) - 1;
    for (size_t q = p + 1; q < end; n++)
        q = source_find(k, q, end, " , ") + 1;
    return n;
}

struct value source_initial(struct run *r, const struct field *f)
{
    const bool object = is_object(f) && !f->array, braces = token_is(source_at(r), "{");
    if (!braces && object) {
        const struct value v = source_assignment(r).v;
        return source_is_object(v) ? source_copy(r, v) : source_object(r, f->shape);
    }
    if (!braces) {
        const struct value v = source_assignment(r).v;
        return f->array                  ? unknown
            : f->pointer || f->reference ? v
                                         : source_convert(source_copy(r, v), f->type);
    }
    const size_t end = source_group(&r->tokens, r->p) - 1;
    const int64_t n = object ? f->shape->nfields
        : f->length          ? f->length
                             : count_initialisers(&r->tokens, r->p);
    struct field whole = *f;
    whole.length = n;
    whole.rows = false;
    struct value v = source_make(r, &whole, !f->rows);
    bool known = v.kind == VALUE_ARRAY && !(object && f->shape->odd);
    if (r->nesting++ > MOST_NESTING)
        source_fail(r, source_at(r), "source-nesting", "nested too deep");
    r->p += known;
    for (int64_t i = 0; known && !r->failed && r->p < end; i++) {
        if (object && token_is(source_at(r), ".") && token_is(source_at(r) + 2, "=")) {
            i = field_row(f->shape, source_at(r) + 1);
            r->p += 3;
        }
        known = i >= 0 && i < n && !token_is(source_at(r), ".") && !token_is(source_at(r), "[");
        if (!known)
            break;
        struct field e = object ? f->shape->field[i] : *f;
        e.array = object ? e.array : f->rows;
        e.rows = object && e.rows;
        e.length = object ? e.length : 0;
        known = token_is(source_at(r), "{") ||
            !(e.array || is_object(&e)); /* brace elision and copies are not interpreted */
        v.array->v[i] = source_initial(r, &e);
        if (!source_take(r, ","))
            break;
    }
    r->nesting--;
    if (!known && v.kind == VALUE_ARRAY)
        source_forget_array(v.array);
    source_pass_over(r, end);
    source_expect(r, "}");
    return known || object || f->length ? v : unknown;
}

/* Returns the object that the value is or points to, or NULL. */
static struct array *object_of(struct value v)
{
    if (v.kind != VALUE_ARRAY)
        return NULL;
    if (v.array->shape)
        return v.at == 0 ? v.array : NULL;
    struct value e = v.at >= 0 && v.at < v.array->n ? v.array->v[v.at] : unknown;
    return e.kind == VALUE_ARRAY && e.array->shape ? e.array : NULL;
}

struct result source_member(const struct result *e, const struct token *name)
{
    struct array *a = object_of(e->v);
    int row = a ? field_row(a->shape, name) : -1;
    if (row < 0 || a->shape->is_union)
        return (struct result){.constant = a && a->constant};
    const struct field *f = &a->shape->field[row];
    return (struct result){.v = a->v[row],
                           .place = a->v[row].kind == VALUE_ARRAY && !f->pointer ? NULL : &a->v[row],
                           .type = f->pointer ? C_OTHER : f->type,
                           .constant = a->constant,
                           .in = a,
                           .at = row};
}

/* Copies a value deeply. f: its declaration, or that of an array's elements; NULL for an object. */
static struct value copy(struct run *r, struct value v, const struct field *f)
{
    if (v.kind != VALUE_ARRAY || v.pointer || (f && f->pointer))
        return v;
    struct array *a = source_array(r, v.array->n, v.array->type);
    a->shape = v.array->shape;
    for (int64_t i = 0; i < a->n && !r->failed; i++)
        a->v[i] = copy(r, v.array->v[i], a->shape ? &a->shape->field[i] : f);
    return (struct value){.kind = VALUE_ARRAY, .array = a};
}

/* Copies an object passed by value; returns a pointer unchanged. */
struct value source_copy(struct run *r, struct value v)
{
    return !source_is_object(v) ? v
        : v.array->shape->odd   ? source_object(r, v.array->shape)
                                : copy(r, v, NULL);
}

/* Marks an object and all nested objects as constant. */
void source_make_constant(struct array *a)
{
    a->constant = true;
    for (int64_t i = 0; i < a->n; i++) {
        bool pointer = a->shape && a->shape->field[i].pointer;
        if (a->v[i].kind == VALUE_ARRAY && !pointer && !a->v[i].array->constant)
            source_make_constant(a->v[i].array);
    }
}

const struct field *source_own_field(const struct run *r, const struct token *name)
{
    const struct shape *s = r->inside && r->inside->of ? source_shape_of(r, r->inside->of) : NULL;
    int row = s ? field_row(s, name) : -1;
    return row >= 0 ? &s->field[row] : NULL;
}

bool source_is_class(const struct run *r, const struct token *tag)
{
    for (const struct shape *s = r->shapes; s; s = s->next)
        if (s->tag && source_same(s->tag, tag))
            return true;
    return false;
}

bool source_is_function_member(const struct run *r, const struct token *name)
{
    for (const struct shape *s = r->shapes; s; s = s->next) {
        int row = field_row(s, name);
        if (row >= 0 && s->field[row].function)
            return true;
    }
    return false;
}
