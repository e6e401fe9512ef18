#include "source.h"

#include <stdlib.h>
#include <string.h>

/* One number or token of --let. */
static struct value let_element(const char *text, size_t n)
{
    bool minus = *text == '-';
    if (n > 1 && strchr("fF", text[n - 1]) && strspn(text, "-0123456789") == n - 1) /* 1f is no C */
        return source_real(strtof(text, NULL), true);
    struct token number = {.s = text + minus, .n = (uint32_t)(n - minus)};
    int64_t token = texenv_token(number.s, number.n);
    struct value v = token >= 0 ? source_integer(token, token > INT32_MAX) : source_number(&number);
    if (minus && source_is_number(v))
        v = v.kind == VALUE_INT ? source_integer(-v.i, false) : source_real(-v.r, v.single);
    return v;
}

/* Whether the tokens from..to are the text, but for blanks. */
static bool is_text(const struct run *r, size_t from, size_t to, const char *text, size_t n)
{
    for (; from < to; from++) {
        const struct token *t = &r->tokens.t[from];
        while (n && *text == ' ')
            text++, n--;
        if (t->n > n || memcmp(t->s, text, t->n) != 0)
            return false;
        text += t->n;
        n -= t->n;
    }
    return n == 0;
}

bool source_let_value(struct run *r, size_t from, size_t to, struct result *e)
{
    for (size_t i = 0; i < r->o->nlet; i++) {
        const char *let = r->o->let[i], *equals = strchr(let, '=');
        if (!is_text(r, from, to, let, (size_t)(equals - let)) || (i < 64 && r->let_over >> i & 1))
            continue;
        const char *text = equals + 1;
        e->let = !strchr(text, ',');
        e->v = let_element(text, strcspn(text, ","));
        if (e->let)
            return true;
        int64_t commas = 0;
        for (const char *p = text; *p; p++)
            commas += *p == ',';
        r->let = r->let ? r->let : xcalloc(r->o->nlet, sizeof(struct array *));
        struct array *a = r->let[i] ? r->let[i] : source_array(r, commas + 1, C_OTHER);
        e->v = (struct value){.kind = VALUE_ARRAY, .array = a};
        for (int64_t at = 0; !r->let[i] && at <= commas; at++, text += strcspn(text, ",") + 1)
            a->v[at] = let_element(text, strcspn(text, ","));
        a->constant = true;
        r->let[i] = a;
        return true;
    }
    return false;
}

void source_end_let(struct run *r, size_t from, size_t to)
{
    for (size_t i = 0; i < r->o->nlet && i < 64; i++) {
        const char *let = r->o->let[i];
        size_t n = (size_t)(strchr(let, '=') - let);
        if (is_text(r, from, to, let, n) || (to > from && is_text(r, to - 1, to, let, n)))
            r->let_over |= UINT64_C(1) << i;
    }
}

void source_let_array(struct run *r, const struct token *name, struct array *a)
{
    struct result e = {0};
    const size_t p = (size_t)(name - r->tokens.t);
    if (a->constant || a->shape || !source_let_value(r, p, p + 1, &e))
        return;
    for (int64_t i = 0; i < a->n; i++) {
        const bool list = e.v.kind == VALUE_ARRAY;
        if (a->v[i].kind == VALUE_UNKNOWN && (!list || i < e.v.array->n))
            a->v[i] = source_convert(list ? e.v.array->v[i] : e.v, a->type);
    }
}
