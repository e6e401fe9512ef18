#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Converts one number, enumerant or constant of a --let value. */
static struct value let_element(const struct run *r, const char *text, size_t n)
{
    bool minus = *text == '-';
    if (n > 1 && strchr("fF", text[n - 1]) && strspn(text, "-0123456789") == n - 1) /* 1f is not valid C */
        return source_real(strtof(text, NULL), true);
    struct token number = {.s = text + minus, .n = (uint32_t)(n - minus)};
    int64_t token = texenv_token(number.s, number.n);
    for (const struct variable *x = r->variables; x && token < 0; x = x->next)
        if (x->frame == 0 && x->constant && x->v.kind == VALUE_INT && source_same(x->name, &number))
            return x->v;
    struct value v = token >= 0 ? source_integer(token, token > INT32_MAX) : source_number(&number);
    if (minus && source_is_number(v))
        v = v.kind == VALUE_INT ? source_integer(-v.i, false) : source_real(-v.r, v.single);
    return v;
}

/* Returns the index of the --let that applies to the expression from..to, or with index to the element
 * "[*index]" of it; -1 if there is none. */
static int find_let(const struct run *r, size_t from, size_t to, const int64_t *index)
{
    char text[200];
    size_t n = 0;
    for (; from < to && n < 100; from++)
        n += (size_t)snprintf(text + n, 80, "%.*s", (int)r->tokens.t[from].n, r->tokens.t[from].s);
    if (index)
        n += (size_t)snprintf(text + n, 80, "[%lld]", (long long)*index);
    for (size_t i = 0; i < r->o->nlet && i < 64; i++)
        if (strncmp(r->o->let[i], text, n) == 0 && r->o->let[i][n] == '=' && !(r->let_over >> i & 1))
            return (int)i;
    return -1;
}

/* Stores the value of --let i in e. */
static bool take_let(struct run *r, int i, struct result *e)
{
    if (i < 0)
        return false;
    const char *text = strchr(r->o->let[i], '=') + 1;
    r->let_used |= UINT64_C(1) << i;
    e->let = !strchr(text, ',');
    e->v = let_element(r, text, strcspn(text, ","));
    if (e->let && e->v.kind == VALUE_UNKNOWN)
        source_fail(r, source_at(r), "source-let",
                    "--let %s: the value is no number, no GL token and no constant of the source",
                    r->o->let[i]);
    if (e->let)
        return true;
    int64_t commas = 0;
    for (const char *p = text; *p; p++)
        commas += *p == ',';
    r->let = r->let ? r->let : xcalloc(r->o->nlet, sizeof(struct array *));
    struct array *a = r->let[i] ? r->let[i] : source_array(r, commas + 1, C_OTHER);
    e->v = (struct value){.kind = VALUE_ARRAY, .array = a};
    for (int64_t at = 0; !r->let[i] && at <= commas; at++, text += strcspn(text, ",") + 1)
        a->v[at] = let_element(r, text, strcspn(text, ","));
    a->constant = true;
    r->let[i] = a;
    return true;
}

bool source_let_value(struct run *r, size_t from, size_t to, const int64_t *index, struct result *e)
{
    return r->o->nlet && take_let(r, find_let(r, from, to, index), e);
}

void source_point_let(struct run *r, size_t from, size_t to)
{
    char text[100] = "";
    for (size_t n = 0; from < to && n < 80; from++)
        n += (size_t)snprintf(text + n, 20, "%.*s", (int)r->tokens.t[from].n, r->tokens.t[from].s);
    for (size_t i = 0, n = strcspn(text, "["); i < r->o->nlet && i < 64; i++)
        if (n && strncmp(r->o->let[i], text, n) == 0 && strchr("=.-[", r->o->let[i][n]))
            r->let_pointed |= UINT64_C(1) << i;
}

void source_say_lets(const struct run *r)
{
    for (size_t i = 0; i < r->o->nlet && i < 64; i++)
        if (!(r->let_used >> i & 1))
            message(TEXENV_WARNING, "source-let",
                    "--let %s has no effect: no value of this name is unknown, or the source assigns one "
                    "before it is read",
                    r->o->let[i]);
}

/* Returns whether `name` is the last name of the expression to which --let `let` gives a value: "b" of
 * "a->b=1", "a" of "a[2]=1". */
static bool is_of(const char *let, const struct token *name)
{
    size_t n = strcspn(let, "=");
    while (n && let[n - 1] == ']')
        while (n && let[--n] != '[')
            ;
    return n >= name->n && memcmp(let + n - name->n, name->s, name->n) == 0 &&
        (n == name->n || strchr(".>:", let[n - name->n - 1]));
}

void source_end_let(struct run *r, size_t from, size_t to)
{
    const struct token *t = r->tokens.t, *name = NULL;
    for (size_t p = from; p < to; p = token_is(&t[p], "[") ? source_group(&r->tokens, p) : p + 1)
        name = t[p].kind == TEXENV_C_NAME ? &t[p] : name;
    struct variable *x = name && !token_in(name - 1, " . -> ") ? source_variable(r, name) : NULL;
    if (x && name + 1 == &t[to])
        x->assigned = true;
    for (size_t i = 0; name && i < r->o->nlet && i < 64; i++)
        if ((!x || x->stays || name + 1 < &t[to]) && is_of(r->o->let[i], name))
            r->let_over |= UINT64_C(1) << i;
}

void source_end_lets(struct run *r, size_t from, size_t to)
{
    const struct token *t = r->tokens.t;
    for (size_t p = from; p < to && r->o->nlet; p++) {
        size_t behind = p + 1;
        while (token_is(&t[behind], "["))
            behind = source_group(&r->tokens, behind);
        if (t[p].kind == TEXENV_C_NAME &&
            (source_assigns(&t[behind]) || token_in(&t[behind], " ++ -- ") ||
             token_in(&t[p - 1], " & ++ -- ")))
            source_end_let(r, p, behind);
    }
}

void source_let_array(struct run *r, const struct token *name, struct array *a)
{
    struct result e = {0};
    const size_t p = (size_t)(name - r->tokens.t);
    if (a->constant || a->shape || !source_let_value(r, p, p + 1, NULL, &e))
        return;
    for (int64_t i = 0; i < a->n; i++) {
        const bool list = e.v.kind == VALUE_ARRAY;
        if (a->v[i].kind == VALUE_UNKNOWN && (!list || i < e.v.array->n))
            a->v[i] = source_convert(list ? e.v.array->v[i] : e.v, a->type);
    }
}
