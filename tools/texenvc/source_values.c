#include "source.h"

#include <string.h>

static const struct value unknown;

/* ---- memory ---- */

void source_forget_array(struct array *a)
{
    for (int64_t i = 0; !a->constant && i < a->n; i++) {
        bool pointer = a->shape && a->shape->field[i].pointer && !a->shape->field[i].array;
        if (a->v[i].kind == VALUE_ARRAY && !pointer && !a->v[i].pointer)
            source_forget_array(a->v[i].array);
        else
            a->v[i] = unknown;
    }
}

void source_escape(struct value v)
{
    if (v.kind != VALUE_ARRAY || v.array->escaped)
        return;
    source_forget_array(v.array);
    v.array->escaped = true;
    for (int64_t i = 0; i < v.array->n; i++)
        source_escape(v.array->v[i]);
}

/* Assigns v to the location `to`, which the tokens from..end name. */
static void assign(struct run *r, const struct result *to, size_t from, size_t end, struct value v)
{
    if (r->skip || to->constant)
        return;
    source_end_let(r, from, end);
    if (!to->place || (to->in && to->in->escaped))
        source_escape(v); /* other code may get a pointer to the array */
    if (!to->place) {     /* an unknown pointer may point to any array and any variable of the file */
        for (struct variable *x = r->variables; x; x = x->next)
            if (x->v.kind == VALUE_ARRAY)
                source_forget_array(x->v.array);
        source_forget_file(r);
        r->let_over |= r->let_pointed;
        return;
    }
    if (source_is_object(*to->place) && !source_is_object(v)) {
        source_forget_array(to->place->array);
        return;
    }
    if (source_is_object(*to->place)) /* pointers to the object remain valid */
        source_escape(*to->place);
    bool lost = r->maybe || (to->variable && to->variable->escaped) || (to->in && to->in->escaped);
    *to->place = lost ? unknown : source_convert(source_copy(r, v), to->type);
}

static struct result of_value(struct value v) { return (struct result){.v = v}; }

/* Returns the value that all elements have, if it is the same, for an unknown index. */
static struct value common(const struct array *a)
{
    for (int64_t i = 0; i < a->n; i++)
        if (a->shape || a->v[i].kind != VALUE_INT || a->v[i].i != a->v[0].i)
            return unknown;
    return a->n ? a->v[0] : unknown;
}

static struct result element(struct result a, struct value index)
{
    struct result e = {.constant = a.constant};
    if (a.let)
        return a;
    if (a.v.kind != VALUE_ARRAY)
        return e;
    if (a.v.array->shape) { /* the object to which it points */
        if (a.v.pointer && a.v.at == 0 && index.kind == VALUE_INT && index.i == 0)
            e.v = a.v;
        e.v.pointer = false;
        return e;
    }
    int64_t at = index.kind == VALUE_INT ? a.v.at + index.i : -1;
    if (index.kind != VALUE_INT)
        e.v = common(a.v.array);
    e.constant = a.v.array->constant;
    if (at < 0 || at >= a.v.array->n)
        return e;
    e.in = a.v.array;
    e.at = at;
    e.place = &a.v.array->v[at];
    e.type = a.v.array->type;
    e.v = *e.place;
    return e;
}

/* Returns whether the program may define its own operator for these operands. */
static bool own_operator(const struct run *r, const struct token *op)
{
    for (size_t n = op->n > 1 ? op->n - 1 : 1; n <= op->n; n++)
        if (hash_set_has(&r->operators, hash_bytes(op->s, n, 1)))
            return true;
    return false;
}

static struct value operate(const struct run *r, const struct token *op, size_t n, struct value a,
                            struct value b)
{
    return own_operator(r, op) ? unknown : source_operate(op, n, a, b);
}

static struct result unary(struct run *r);
static struct result primary(struct run *r);

/* ---- primary expressions ---- */

static bool is_known(const struct value *v)
{
    for (int64_t i = 0; v->kind == VALUE_ARRAY && i < v->array->n; i++)
        if (v->array->v[i].kind == VALUE_UNKNOWN)
            return false;
    return v->kind != VALUE_UNKNOWN;
}

static struct result name_value(struct run *r, const struct token *t)
{
    struct result e = {0};
    const struct field *of = source_own_field(r, t);
    struct variable *x = source_variable(r, t);
    const size_t p = (size_t)(t - r->tokens.t);
    if (of && (!x || x->frame == 0)) { /* a member hides a variable of the file */
        if (!source_let_value(r, p, p + 1, NULL, &e))
            e.v = source_same_value(t->s, t->n, (int64_t)r->changes, 1);
        return e;
    }
    if (x)
        e = (struct result){.v = x->v,
                            .place = x->constant ? NULL : &x->v,
                            .variable = x,
                            .type = x->type,
                            .constant = x->constant};
    if (is_known(&e.v) || (!(x && x->assigned) && source_let_value(r, p, p + 1, NULL, &e)) ||
        e.v.kind != VALUE_UNKNOWN)
        return e;
    if (x && !x->v.i && !x->escaped)
        e.v = x->v = source_same_value("variable", 8, (int64_t)++r->epoch, 0);
    if (x)
        return e;
    int64_t token = texenv_token(t->s, t->n);
    const struct function *f = source_function(r, t);
    if (token >= 0)
        e.v = source_integer(token, token > INT32_MAX);
    else if (token_in(t, " NULL false nullptr GL_FALSE "))
        e.v = source_integer(0, false);
    else if (token_in(t, " true GL_TRUE "))
        e.v = source_integer(1, false);
    else if (f)
        e.v = (struct value){.kind = VALUE_FUNCTION, .i = f - r->function};
    else /* defined in another file */
        e.v = source_same_value(t->s, t->n, (int64_t)r->changes, 0);
    return e;
}

/* Evaluates a cast up to `close`, starting after its "(" or after the "<" of `static_cast<type>(e)`; or a
 * compound literal "(type[]){...}". */
static struct result cast(struct run *r, size_t close)
{
    const bool named = token_is(&r->tokens.t[close], ">");
    bool constant = false, is_typedef, pointer = false, array = false;
    uint8_t type = source_type(r, &constant, &is_typedef);
    const struct shape *shape = r->shape;
    for (; r->p < close; r->p++) {
        pointer |= token_is(source_at(r), "*") || token_is(source_at(r), "&");
        array |= token_is(source_at(r), "[");
    }
    r->p = close + 1;
    if (token_is(source_at(r), "{")) {
        const struct field f = {.type = type, .shape = shape, .array = array};
        return of_value(array || shape ? source_initial(r, &f) : unknown);
    }
    struct value v = named ? primary(r).v : unary(r).v;
    if (!pointer)
        return of_value(shape || (named && type == C_OTHER) ? unknown : source_convert(v, type));
    if (v.kind == VALUE_ARRAY &&
        v.array->type != type) { /* the memory may be written through a pointer of another type */
        source_escape(v);
        v = unknown;
    }
    return of_value(v);
}

/* Returns whether the "(" at p begins a cast to an unknown type: `(name *)`, `(name) operand`. */
static bool casts(const struct run *r)
{
    const struct token *t = source_at(r) + 1, *name = t;
    while (token_is(t, "const") || token_is(t, "::"))
        name = ++t;
    if (t->kind != TEXENV_C_NAME || source_variable(r, t) || texenv_token(t->s, t->n) >= 0)
        return false;
    for (t++; token_is(t, "::") || t->kind == TEXENV_C_NAME; t++)
        ;
    bool pointer = token_is(t, "*");
    while (token_is(t, "*") || token_is(t, "const"))
        t++;
    if (!token_is(t, ")"))
        return false;
    t++;
    bool call = token_is(t, "(") && (source_function(r, name) || strncmp(name->s, "gl", 2) == 0);
    return pointer ||
        (!call &&
         (t->kind == TEXENV_C_NAME || t->kind == TEXENV_C_NUMBER || t->kind == TEXENV_C_STRING ||
          token_is(t, "(")));
}

/* Evaluates an operand that begins with a keyword of C++. Returns false if it does not. */
static bool cpp_operand(struct run *r, struct result *e)
{
    const struct token *t = source_at(r);
    bool constant = false, is_typedef;
    if (t->kind != TEXENV_C_NAME)
        return false;
    if (token_in(t, " static_cast reinterpret_cast const_cast dynamic_cast ") && token_is(t + 1, "<")) {
        r->p += 2;
        *e = cast(r, source_angles(&r->tokens, r->p - 1) - 1);
    } else if (token_is(t, "new") && !source_variable(r, t) && t[1].kind == TEXENV_C_NAME) {
        r->p++;
        source_type(r, &constant, &is_typedef);
        while (source_take(r, "*"))
            ;
        while (token_in(source_at(r), " ( [ { "))
            source_pass_over(r, source_group(&r->tokens, r->p));
        *e = of_value(unknown);
    } else if (token_is(t, "delete") && !source_variable(r, t) && !token_is(t + 1, "(")) {
        r->p++;
        if (token_is(source_at(r), "["))
            r->p = source_group(&r->tokens, r->p);
        *e = unary(r);
    } else if (source_is_type(r, r->p) && token_is(t + 1, "(")) { /* a conversion like float(e) */
        uint8_t type = source_type(r, &constant, &is_typedef);
        struct value v = unknown;
        source_expect(r, "(");
        if (!token_is(source_at(r), ")"))
            v = source_expression(r).v;
        source_expect(r, ")");
        *e = of_value(type == C_OTHER ? unknown : source_convert(v, type));
    } else if (!source_variable(r, t) && token_is(t + 1, "<")) {
        size_t behind = source_angles(&r->tokens, r->p + 1);
        if (behind > r->p + 1 && token_is(&r->tokens.t[behind], "::") && r->references) {
            r->p = behind;
            *e = unary(r);
            return true;
        }
        if (!token_is(&r->tokens.t[behind], "(") || !r->references)
            return false;
        r->p = behind; /* a template call: name<types>(...) */
        *e = of_value(source_call(r, t, NULL));
    } else {
        return false;
    }
    return true;
}

/* Evaluates `sizeof a / sizeof a[0]`, the length of an array. Other uses of sizeof are unknown. p is after
 * the first sizeof. */
static struct value size_of(struct run *r)
{
    struct result of = {.at = -1};
    r->skip++;
    const struct value v = unary(r).v;
    const size_t slash = r->p;
    if (v.kind == VALUE_ARRAY && !v.at && !v.pointer && source_take(r, "/") && source_take(r, "sizeof"))
        of = unary(r);
    r->skip--;
    if (of.at == 0 && of.in == v.array)
        return source_integer(v.array->n, true);
    r->p = slash;
    return unknown;
}

/* Skips adjacent strings, and unknown macros among them. */
static struct value strings(struct run *r)
{
    while (source_at(r)->kind == TEXENV_C_STRING ||
           (source_at(r)->kind == TEXENV_C_NAME && !source_variable(r, source_at(r))))
        r->p++;
    return unknown;
}

static struct result primary(struct run *r)
{
    const struct token *t = source_at(r);
    struct result operand;
    if (cpp_operand(r, &operand))
        return operand;
    if (t->kind == TEXENV_C_NUMBER) {
        r->p++;
        return of_value(source_number(t));
    }
    if (t->kind == TEXENV_C_STRING ||
        (t->kind == TEXENV_C_NAME && t[1].kind == TEXENV_C_STRING && !source_variable(r, t)))
        return of_value(strings(r));
    if (t->kind == TEXENV_C_NAME) {
        r->p++;
        if (token_in(t, " sizeof _Alignof __alignof__ ")) {
            if (!token_is(source_at(r), "(") || !source_is_type(r, r->p + 1))
                return of_value(size_of(r));
            r->p = source_group(&r->tokens, r->p);
            return of_value(unknown);
        }
        if (token_is(source_at(r), "("))
            return of_value(source_call(r, t, NULL));
        return name_value(r, t);
    }
    if (token_is(t, "::") && t[1].kind == TEXENV_C_NAME) {
        r->p++;
        return primary(r);
    }
    bool open_cast = token_is(t, "(") && !source_is_type(r, r->p + 1) && casts(r);
    if (!source_take(r, "(")) {
        source_fail(r, t, "source-expression", "'%.*s' is not supported in an expression", (int)t->n, t->s);
        return of_value(unknown);
    }
    if (token_is(source_at(r), "{")) {
        source_fail(r, t, "source-expression", "a statement within an expression is not supported");
        return of_value(unknown);
    }
    if (open_cast) {
        while (!source_take(r, ")"))
            r->p++;
        source_escape(unary(r).v);
        return of_value(unknown);
    }
    if (source_is_type(r, r->p) && !token_is(source_at(r) + 1, "("))
        return cast(r, source_group(&r->tokens, r->p - 1) - 1);
    struct result e = source_expression(r);
    source_expect(r, ")");
    return e;
}

/* Evaluates `.name` and `->name`. If the object is unknown, a call is identified by the last name. */
static struct result member(struct run *r, const struct result *of, size_t from)
{
    const bool arrow = token_is(source_at(r), "->") && source_is_object(of->v);
    r->p++;
    const struct token *t = source_at(r);
    if (t->kind != TEXENV_C_NAME) {
        source_fail(r, t, "source-expression", "a name is expected here");
        return of_value(unknown);
    }
    r->p++;
    /* with arrow, -> is an operator that the program defines */
    struct result e = arrow ? of_value(unknown) : source_member(of, t);
    r->object = of->v.kind == VALUE_ARRAY && of->v.array->shape ? of->v.array->shape->tag : NULL;
    if (token_is(source_at(r), "("))
        return of_value(source_call(r, t, e.v.kind == VALUE_FUNCTION ? &r->function[e.v.i] : NULL));
    if (!is_known(&e.v) && !source_let_value(r, from, r->p, NULL, &e))
        source_let_value(r, r->p - 1, r->p, NULL, &e);
    if (e.v.kind == VALUE_UNKNOWN && !e.v.i && e.place && e.in && !e.in->escaped)
        e.v = *e.place = source_same_value("member", 6, (int64_t)++r->epoch, 0);
    else if (e.v.kind == VALUE_UNKNOWN && !e.v.i && of->v.kind == VALUE_UNKNOWN && of->v.i)
        e.v = source_same_value(t->s, t->n, of->v.i, (int64_t)r->changes);
    return e;
}

/* For a call through a computed pointer, `(*a->f)(b)`: the last name before the "(" at p. */
static const struct token *name_of_call(const struct run *r)
{
    size_t p = r->p;
    while (token_is(&r->tokens.t[p - 1], ")"))
        p--;
    return r->tokens.t[p - 1].kind == TEXENV_C_NAME ? &r->tokens.t[p - 1] : NULL;
}

static struct value call_computed(struct run *r, const struct value *v)
{
    const struct token *name = name_of_call(r);
    if (name || v->kind == VALUE_FUNCTION)
        return source_call(r, name ? name : source_at(r),
                           v->kind == VALUE_FUNCTION ? &r->function[v->i] : NULL);
    if (!r->skip && !r->failed)
        source_fail(r, source_at(r), "source-pointer", "which function is called here is not known");
    return unknown;
}

static struct result postfix(struct run *r)
{
    const size_t from = r->p;
    struct result e = primary(r);
    while (!r->failed) {
        const struct token *t = source_at(r);
        if (source_take(r, "[")) {
            const size_t open = r->p - 1;
            struct value index = source_expression(r).v;
            source_expect(r, "]");
            const int64_t of = e.v.kind == VALUE_UNKNOWN ? e.v.i : 0;
            e = element(e, index);
            if (e.v.kind == VALUE_UNKNOWN)
                source_let_value(r, from, r->p, NULL, &e);
            if (e.v.kind == VALUE_UNKNOWN && index.kind == VALUE_INT)
                source_let_value(r, from, open, &index.i, &e);
            if (e.v.kind == VALUE_UNKNOWN && of &&
                (index.kind == VALUE_INT || (index.kind == VALUE_UNKNOWN && index.i)))
                e.v = source_same_value("[", 1, of ^ index.i, (int64_t)r->changes);
        } else if (token_in(t, " . -> ")) {
            e = member(r, &e, from);
        } else if (token_is(t, "::")) {
            r->p++;
            e = primary(r);
        } else if (token_is(t, "(")) {
            e = of_value(call_computed(r, &e.v));
        } else if (token_in(t, " ++ -- ")) {
            r->p++;
            struct value before = e.v;
            assign(r, &e, from, r->p - 1, operate(r, t, 1, e.v, source_integer(1, false)));
            e = of_value(before);
        } else {
            break;
        }
    }
    return e;
}

static struct result address(struct run *r, struct result e)
{
    if (r->skip)
        return of_value(unknown);
    if (e.v.kind == VALUE_FUNCTION)
        return of_value(e.v);
    if (e.v.kind == VALUE_ARRAY && e.v.array->shape && !e.v.pointer && !(e.in && !e.in->shape)) {
        e.v.pointer = true; /* address of an object */
        return of_value(e.v);
    }
    if (e.in)
        return of_value((struct value){.kind = VALUE_ARRAY, .array = e.in, .at = e.at, .pointer = true});
    source_escape(e.v);
    if (e.variable && !e.constant) {
        e.variable->escaped = true;
        e.variable->v = unknown;
    }
    return of_value(unknown);
}

static struct result unary(struct run *r)
{
    const struct token *t = source_at(r);
    if (r->nesting++ > MOST_NESTING)
        source_fail(r, t, "source-nesting", "nested too deep");
    struct result e = {0};
    if (r->failed) {
    } else if (t->kind == TEXENV_C_PUNCT && t->n == 1 && strchr("-+!~*&", *t->s)) {
        const size_t from = ++r->p;
        e = unary(r);
        if (*t->s == '&')
            source_point_let(r, from, r->p);
        if (*t->s != '*' && *t->s != '&' && own_operator(r, t))
            e = of_value(unknown);
        if (*t->s == '*')
            e = element(e, source_integer(0, false));
        else if (*t->s == '&')
            e = address(r, e);
        else if (*t->s == '!')
            e = of_value(source_truth(e.v) < 0 ? source_inverse(e.v)
                                               : source_integer(!source_truth(e.v), false));
        else if (*t->s == '-')
            e = of_value(e.v.kind == VALUE_REAL      ? source_real(-e.v.r, e.v.single)
                             : e.v.kind == VALUE_INT ? source_integer(-e.v.i, e.v.is_unsigned)
                                                     : unknown);
        else
            e = of_value(*t->s == '+' && source_is_number(e.v) ? e.v : unknown);
    } else if (token_in(t, " ++ -- ")) {
        const size_t from = ++r->p;
        e = unary(r);
        struct value v = operate(r, t, 1, e.v, source_integer(1, false));
        assign(r, &e, from, r->p, v);
        e.v = v;
    } else {
        e = postfix(r);
    }
    r->nesting--;
    return e;
}

/* ---- binary operators ---- */

static int precedence(const struct token *t)
{
    static const char *const level[] = {" || ",    " && ",        " | ",     " ^ ",   " & ",
                                        " == != ", " < > <= >= ", " << >> ", " + - ", " * / % "};
    for (int i = 0; t->kind == TEXENV_C_PUNCT && i < 10; i++)
        if (token_in(t, level[i]))
            return i;
    return -1;
}

static struct value binary(struct run *r, int least);

/* Returns whether the rest of the expression calls functions that matter, so that two paths are explored. */
static bool forks(struct run *r)
{
    const size_t p = source_find(&r->tokens, r->p, r->tokens.n - 1, " ) ] } ; , ");
    return !r->skip && !r->maybe && !r->failed && r->frame && source_effect(r, r->p, p, false) == EFFECT_SETS;
}

/* Evaluates the right operand of && or ||, unless the left operand decides the result. */
static struct value logical(struct run *r, bool is_and, struct value a, int level)
{
    int left = source_truth(a);
    if (left < 0 && forks(r))
        left = source_ask(r, &r->tokens.t[r->p - 1], r->operand, r->p - 1, a);
    bool settled = left >= 0 && (left == 0) == is_and, open = left < 0;
    r->skip += settled;
    r->maybe += open;
    int right = source_truth(binary(r, level + 1));
    r->skip -= settled;
    r->maybe -= open;
    if (settled)
        return source_integer(left, false);
    if (right >= 0 && (left >= 0 || (right == 0) == is_and))
        return source_integer(right, false);
    return unknown;
}

/* Evaluates the operators after the left operand whose precedence is at least `least`. */
static struct value binary_rest(struct run *r, struct value a, int least)
{
    for (;;) {
        const struct token *t = source_at(r);
        int level = precedence(t);
        if (r->failed || level < least || level < 0)
            return a;
        r->p++;
        a = level <= 1 ? logical(r, level == 1, a, level) : operate(r, t, t->n, a, binary(r, level + 1));
    }
}

static struct value binary(struct run *r, int least) { return binary_rest(r, unary(r).v, least); }

/* Returns whether the choice between a and b matters, so that two paths are explored: they differ, and are GL
 * enumerants, or the statement calls functions that matter. */
static bool tells(struct run *r, struct value a, struct value b)
{
    if (r->skip || r->maybe || r->failed || !r->frame || a.kind == VALUE_UNKNOWN || b.kind == VALUE_UNKNOWN ||
        (a.kind == b.kind && a.i == b.i && a.r == b.r && a.array == b.array && a.at == b.at))
        return false;
    bool tokens = a.kind == VALUE_INT && b.kind == VALUE_INT && a.i >= 0x100 && b.i >= 0x100 &&
        texenv_token_name((uint32_t)a.i) && texenv_token_name((uint32_t)b.i);
    return tokens ||
        source_effect(r, r->statement, source_end_of_statement(r, r->statement), true) == EFFECT_SETS;
}

static const struct token plus = {.s = "+", .n = 1, .kind = TEXENV_C_PUNCT};

/* Evaluates a conditional operator at its "?"; the condition begins at token `from`. */
static struct value conditional(struct run *r, struct value condition, size_t from)
{
    int truth = source_truth(condition);
    const size_t at = r->p - 1;
    if (truth < 0 && forks(r))
        truth = source_ask(r, &r->tokens.t[at], from, at, condition);
    r->skip += truth == 0;
    r->maybe += truth < 0;
    struct value a = token_is(source_at(r), ":") ? condition : source_expression(r).v;
    r->skip -= truth == 0;
    source_expect(r, ":");
    r->skip += truth == 1;
    struct value b = source_assignment(r).v;
    r->skip -= truth == 1;
    r->maybe -= truth < 0;
    if (truth < 0 && tells(r, a, b))
        truth = source_ask(r, &r->tokens.t[at], from, at, condition);
    if (truth < 0) { /* either array may be written through the result */
        source_escape(a);
        source_escape(b);
        return unknown;
    }
    struct value v = truth ? a : b, zero = truth ? b : a;
    zero.i = 0;
    zero.r = 0;
    return source_is_number(v) && source_is_number(zero) ? source_operate(&plus, 1, v, zero)
                                                         /* adding 0 converts both to their common type */
                                                         : v;
}

bool source_assigns(const struct token *t)
{
    return t->kind == TEXENV_C_PUNCT && t->s[t->n - 1] == '=' && !token_in(t, " == != <= >= ");
}

static struct result assignment(struct run *r, size_t from)
{
    struct result e = unary(r);
    const struct token *t = source_at(r);
    r->operand = from;
    if (!r->failed && source_assigns(t)) {
        r->p++;
        struct value v = source_assignment(r).v;
        if (t->n > 1)
            v = operate(r, t, t->n - 1, e.v, v);
        assign(r, &e, from, (size_t)(t - r->tokens.t), v);
        e.v = source_convert(r->maybe ? unknown : v, e.type);
        return e;
    }
    if (r->failed || (precedence(t) < 0 && !token_is(t, "?")))
        return e;
    struct value v = binary_rest(r, e.v, 0);
    if (source_take(r, "?"))
        v = conditional(r, v, from);
    return of_value(v);
}

struct result source_assignment(struct run *r)
{
    const size_t from = r->p;
    if (r->nesting++ > MOST_NESTING)
        source_fail(r, source_at(r), "source-nesting", "nested too deep");
    struct result e = assignment(r, from);
    r->nesting--;
    return e;
}
struct result source_expression(struct run *r)
{
    struct result e = source_assignment(r);
    while (!r->failed && source_take(r, ","))
        e = source_assignment(r);
    return e;
}
