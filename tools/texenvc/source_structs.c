/* Structures: what members they have, and objects of them, which are arrays with names for their elements. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

static const struct value unknown;

/* ---- shapes ---- */

static bool same_name(const struct token *a, const struct token *b)
{
    return a == b || (a && b && a->n == b->n && memcmp(a->s, b->s, a->n) == 0);
}

static bool same_fields(const struct shape *a, const struct shape *b)
{
    bool same = a->nfields == b->nfields && a->is_union == b->is_union;
    for (unsigned i = 0; same && i < a->nfields; i++) {
        const struct field *f = &a->field[i], *g = &b->field[i];
        same = same_name(f->name, g->name) && f->shape == g->shape && f->type == g->type &&
            f->pointer == g->pointer && f->array == g->array && f->length == g->length &&
            f->function == g->function;
    }
    return same;
}

/* One of this function before those of the file. Of the latter those of one name may be of several classes or
 * namespaces: none of them is guessed. */
struct shape *source_shape_of(const struct run *r, const struct token *tag, const struct token *of)
{
    struct shape *found = NULL;
    bool several = false;
    for (struct shape *s = r->shapes; s; s = s->next) {
        if (!s->tag || !same_name(s->tag, tag) || (of && !same_name(s->of, of)) ||
            (s->frame && s->frame != r->frame))
            continue;
        if (s->frame || (!of && r->within && same_name(s->of, r->within)))
            return s;
        several |= found && (of || !same_name(found->of, s->of) || !same_fields(found, s));
        found = found ? found : s;
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

/* A length in brackets: a number or a constant, else 0. */
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

/* The names of a member declaration that ends at `end`; p is behind its type. */
static void add_fields(struct run *r, struct shape *s, struct field type, size_t end)
{
    while (r->p < end) {
        struct field f = type;
        const struct token *t = source_at(r);
        if (token_is(t, ":")) { /* bits */
            f.name = NULL;
            s->odd = true;
        }
        for (; r->p < end && !token_is(source_at(r), ","); r->p++) {
            t = source_at(r);
            if (token_is(t, "*") || token_is(t, "&"))
                f.pointer = true;
            else if (token_is(t, ":") || token_is(t, "=") || token_is(t, "<") || token_is(t, "{")) {
                s->odd = true;
                f.type = token_is(t, ":") ? C_BITS : f.type;
            } else if (t->kind == TOKEN_NAME && !token_is(t, "const") && !f.name)
                f.name = t;
            else if (token_is(t, "[") && !f.array) {
                f.array = true;
                f.length = length_of(r, r->p);
                r->p = source_group(&r->tokens, r->p) - 1;
            } else if (token_is(t, "[")) {
                f.length = 0; /* of several dimensions: not followed */
                r->p = source_group(&r->tokens, r->p) - 1;
            }
        }
        if (f.name)
            add_field(s, f);
        r->p++;
    }
}

/* `type (*name)(...)` between p and end. */
static const struct token *pointer_to_function(const struct run *r, size_t p, size_t end)
{
    for (; p + 2 < end; p++)
        if (token_is(&r->tokens.t[p], "(")) {
            size_t q = p + 1;
            while (q < end &&
                   (token_is(&r->tokens.t[q], "*") || token_is(&r->tokens.t[q], "const") ||
                    (r->tokens.t[q].kind == TOKEN_NAME && token_is(&r->tokens.t[q + 1], "*"))))
                q++;
            const struct token *behind = &r->tokens.t[q + 1];
            bool is = q > p + 1 && r->tokens.t[q].kind == TOKEN_NAME &&
                (token_is(behind, ")") || token_is(behind, "["));
            return is ? &r->tokens.t[q] : NULL;
        }
    return NULL;
}

/* The member at p of a body that ends at `end`; the token behind it. */
static size_t read_member(struct run *r, struct shape *s, size_t p, size_t end)
{
    const struct tokens *k = &r->tokens;
    static const char *const access[] = {"public", "private", "protected"};
    for (unsigned i = 0; i < 3; i++)
        if (token_is(&k->t[p], access[i]) && token_is(&k->t[p + 1], ":"))
            return p + 2;
    size_t q = p, open = 0;
    bool given = false; /* a value, which may be a call */
    while (q < end && !token_is(&k->t[q], ";") && !token_is(&k->t[q], "{")) {
        given |= !open && token_is(&k->t[q], "=") && !token_is(&k->t[q - 1], "operator");
        open = !open && !given && token_is(&k->t[q], "(") ? q : open;
        q = token_is(&k->t[q], "(") || token_is(&k->t[q], "[") ? source_group(k, q) : q + 1;
    }
    const struct token *name = pointer_to_function(r, p, q);
    if (name) {
        struct field f = {.name = name, .pointer = true, .function = true, .array = token_is(name + 1, "[")};
        f.length = f.array ? length_of(r, (size_t)(name + 1 - k->t)) : 0;
        add_field(s, f);
        return q + 1;
    }
    if (open) { /* a function */
        s->odd |= (s->tag && source_same(&k->t[open - 1], s->tag)) || token_is(&k->t[open - 1], "=");
        size_t behind = token_is(&k->t[q], "{") ? source_group(k, q) : q + 1;
        if (token_is(&k->t[q], "{") && open > p && !r->frame)
            source_add_function(r, p, open - 1, q, s->tag);
        else if (token_is(&k->t[q], "{") && r->frame && source_effect(r, open, behind) == EFFECT_SETS)
            source_fail(r, &k->t[open - 1], "source-class", "a class within a function is not followed");
        return behind;
    }
    bool constant = false, is_typedef;
    r->p = p;
    struct field f = {.type = source_type(r, &constant, &is_typedef)};
    f.shape = r->shape;
    if (r->p <= p || r->p > end)
        return source_end_of_statement(r, p);
    for (q = r->p; q < end && !token_is(&k->t[q], ";");)
        q = token_is(&k->t[q], "(") || token_is(&k->t[q], "{") ? source_group(k, q) : q + 1;
    f.of = r->type_name;
    for (size_t i = r->p; i < q; i++)
        if (token_is(&k->t[i], "=") || token_is(&k->t[i], "{")) {
            s->initial = s->initial ? s->initial : i;
            s->initial_end = q;
        }
    if (!is_typedef)
        add_fields(r, s, f, q);
    return q + 1;
}

struct shape *source_read_shape(struct run *r, const struct token *tag, bool is_union)
{
    size_t end = source_group(&r->tokens, r->p) - 1;
    struct shape *s = xcalloc(1, sizeof *s);
    *s = (struct shape){.next = r->shapes,
                        .tag = tag,
                        .of = r->within,
                        .frame = r->frame,
                        .odd = is_union,
                        .is_union = is_union};
    if (r->nesting++ > MOST_NESTING / 4)
        source_fail(r, source_at(r), "source-nesting", "nested too deep");
    r->within = tag ? tag : r->within;
    for (size_t p = r->p + 1; p < end && !r->failed;)
        p = read_member(r, s, p, end);
    r->within = s->of;
    r->nesting--;
    s->next = r->shapes; /* what stands in it came first */
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

static bool is_object(const struct field *f) { return f->shape && !f->pointer; }

static struct value make_field(struct run *r, const struct field *f, bool zero);

/* zero: all of it is 0, else unknown. */
static struct value make_object(struct run *r, const struct shape *s, bool zero)
{
    if (r->nesting++ > MOST_NESTING)
        source_fail(r, source_at(r), "source-nesting", "nested too deep");
    struct array *a = source_array(r, s->nfields, C_OTHER);
    a->shape = s;
    for (unsigned i = 0; i < s->nfields && !r->failed; i++)
        a->v[i] = make_field(r, &s->field[i], zero && !s->odd);
    r->nesting--;
    return (struct value){.kind = VALUE_ARRAY, .array = a};
}

static struct value make_field(struct run *r, const struct field *f, bool zero)
{
    if (f->array && !f->length)
        return unknown;
    if (f->array) {
        struct array *a = source_array(r, f->length, f->pointer ? C_OTHER : f->type);
        for (int64_t i = 0; i < f->length && !r->failed; i++)
            a->v[i] = is_object(f) ? make_object(r, f->shape, zero)
                : zero             ? source_convert((struct value){.kind = VALUE_INT}, a->type)
                                   : unknown;
        return (struct value){.kind = VALUE_ARRAY, .array = a};
    }
    if (is_object(f))
        return make_object(r, f->shape, zero);
    return zero ? source_convert((struct value){.kind = VALUE_INT}, f->pointer ? C_OTHER : f->type) : unknown;
}

struct value source_object(struct run *r, const struct shape *s) { return make_object(r, s, false); }

static int field_row(const struct shape *s, const struct token *name)
{
    for (unsigned i = 0; i < s->nfields; i++)
        if (s->field[i].name->n == name->n && memcmp(s->field[i].name->s, name->s, name->n) == 0)
            return (int)i;
    return -1;
}

/* One initialiser, of a member. */
static struct value field_value(struct run *r, const struct field *f, bool *known)
{
    bool braces = token_is(source_at(r), "{");
    if (f->array && braces)
        return source_braces(r, f->pointer ? C_OTHER : f->type, f->length, is_object(f) ? f->shape : NULL);
    if (is_object(f) && braces)
        return source_object_braces(r, f->shape);
    if (braces) {
        source_pass_over(r, source_group(&r->tokens, r->p));
        return unknown;
    }
    struct value v = source_assignment(r).v;
    *known &= !(f->array || is_object(f)); /* braces are left out, or it is a string or another object */
    return f->array || is_object(f) ? unknown : f->pointer ? v : source_convert(v, f->type);
}

struct value source_object_braces(struct run *r, const struct shape *s)
{
    size_t end = source_group(&r->tokens, r->p) - 1;
    bool known = !s->odd;
    struct value object = make_object(r, s, true);
    source_expect(r, "{");
    for (unsigned i = 0; !r->failed && r->p < end; i++) {
        if (token_is(source_at(r), ".") && source_at(r)[1].kind == TOKEN_NAME &&
            token_is(source_at(r) + 2, "=")) {
            int row = field_row(s, source_at(r) + 1);
            known &= row >= 0;
            i = row >= 0 ? (unsigned)row : s->nfields;
            r->p += 3;
        }
        if (!known || i >= s->nfields) {
            known = false;
            break;
        }
        object.array->v[i] = field_value(r, &s->field[i], &known);
        if (!source_take(r, ","))
            break;
    }
    if (!known)
        source_forget_array(object.array);
    source_pass_over(r, end);
    source_expect(r, "}");
    return object;
}

/* The object that a value is, or points to. NULL: none. */
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
                           .of = f->of,
                           .in = a,
                           .at = row};
}

/* An object by value is a copy; a pointer is what it points to. */
struct value source_copy(struct run *r, struct value v)
{
    if (v.kind != VALUE_ARRAY || !v.array->shape || v.pointer)
        return v;
    if (r->nesting++ > MOST_NESTING)
        source_fail(r, source_at(r), "source-nesting", "nested too deep");
    if (v.array->shape->odd)
        return source_object(r, v.array->shape);
    struct array *a = source_array(r, v.array->n, v.array->type);
    a->shape = v.array->shape;
    for (int64_t i = 0; i < a->n && !r->failed; i++) {
        const struct field *f = &a->shape->field[i];
        struct value e = v.array->v[i];
        a->v[i] = is_object(f) && !f->array ? source_copy(r, e) : f->array ? unknown : e;
        if (f->array && e.kind == VALUE_ARRAY && !e.array->shape && !is_object(f)) {
            struct array *inner = source_array(r, e.array->n, e.array->type);
            memcpy(inner->v, e.array->v, (size_t)inner->n * sizeof *inner->v);
            a->v[i] = (struct value){.kind = VALUE_ARRAY, .array = inner};
        }
    }
    r->nesting--;
    return (struct value){.kind = VALUE_ARRAY, .array = a};
}

/* The object and all that lies in it is constant. */
void source_make_constant(struct array *a)
{
    a->constant = true;
    for (int64_t i = 0; i < a->n; i++) {
        bool pointer = a->shape && a->shape->field[i].pointer;
        if (a->v[i].kind == VALUE_ARRAY && !pointer && !a->v[i].array->constant)
            source_make_constant(a->v[i].array);
    }
}

const struct token *source_field_class(const struct run *r, const struct token *tag, const struct token *name)
{
    const struct shape *s = tag ? source_shape_of(r, tag, NULL) : NULL;
    int row = s ? field_row(s, name) : -1;
    return row >= 0 ? s->field[row].of : NULL;
}

const struct field *source_own_field(const struct run *r, const struct token *name)
{
    const struct shape *s = r->inside && r->inside->of ? source_shape_of(r, r->inside->of, NULL) : NULL;
    int row = s ? field_row(s, name) : -1;
    return row >= 0 ? &s->field[row] : NULL;
}

bool source_derives(const struct run *r, const struct token *tag, const struct token *base, unsigned depth)
{
    for (const struct shape *s = r->shapes; s && depth < 8; s = s->next)
        for (size_t p = s->bases; s->tag && source_same(s->tag, tag) && p < s->body; p++)
            if (r->tokens.t[p].kind == TOKEN_NAME &&
                (source_same(&r->tokens.t[p], base) || source_derives(r, &r->tokens.t[p], base, depth + 1)))
                return true;
    return false;
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
