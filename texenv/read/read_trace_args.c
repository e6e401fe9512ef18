/* Parses the arguments of a record: "name = value" pairs, or only values if the trace was dumped with
 * `apitrace dump --arg-names=no`; then their order decides. */
#include "texenv/c_token.h"
#include "texenv/read/read_trace.h"

#include <float.h>

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void blank(struct texenv_trace *t)
{
    while (t->p < t->end && (*t->p == ' ' || *t->p == '\t' || *t->p == '\r' || *t->p == '\n'))
        t->p++;
}

/* Skips from inside a value to the "," or closing bracket that ends it. */
static enum texenv_trace_status skip_value(struct texenv_trace *t)
{
    for (size_t depth = 0; t->p < t->end; t->p++) {
        switch (*t->p) {
        case '"':
            for (t->p++; t->p < t->end && *t->p != '"'; t->p++)
                t->p += *t->p == '\\' && t->end - t->p > 1;
            if (t->p == t->end)
                return TEXENV_TRACE_CUT;
            break;
        case '(':
        case '{':
        case '[': depth++; break;
        case ')':
        case '}':
        case ']':
            if (depth-- == 0)
                return TEXENV_TRACE_OK;
            break;
        case ',':
            if (depth == 0)
                return TEXENV_TRACE_OK;
            break;
        default: break;
        }
    }
    return TEXENV_TRACE_CUT;
}

/* ---- scalars ---- */

/* Reads a number at a digit, letter or sign. Returns false if there is none. apitrace prints inf and nan, as
 * C++ streams do; infinity is clamped like any large number, and NaN counts as 0. */
static bool number(struct texenv_trace *t, struct texenv_value *v)
{
    const bool negative = *t->p == '-';
    const char *p = t->p + negative;
    enum texenv_c_token kind;
    const size_t n = texenv_scan_token(&kind, p, (size_t)(t->end - p), false);
    if (kind == TEXENV_C_NUMBER && texenv_calls_number(v, p, n)) {
        v->integer = negative ? (int64_t)(0 - (uint64_t)v->integer) : v->integer;
        v->real = negative ? -v->real : v->real;
    } else if (texenv_names_equal(p, n, "inf") || texenv_names_equal(p, n, "nan")) {
        v->real = *p == 'n' || negative ? -DBL_MAX : DBL_MAX;
        v->kind = TEXENV_V_REAL;
    } else {
        return false;
    }
    t->p = p + n;
    return true;
}

static void name(struct texenv_trace *t, struct texenv_value *v)
{
    static const struct {
        const char *name;
        int value;
    } words[] = {{"NULL", 0},  {"True", 1}, {"False", 0}, {"true", 1},
                 {"false", 0}, {"TRUE", 1}, {"FALSE", 0}};
    const char *s = t->p;
    while (t->p < t->end && (is_letter(*t->p) || is_digit(*t->p)))
        t->p++;
    size_t n = (size_t)(t->p - s);
    if (n > 3 && s[0] == 'G' && s[1] == 'L' && s[2] == '_') {
        texenv_calls_token(&t->calls, v, s, n);
        return;
    }
    v->kind = TEXENV_V_NAME;
    if (n > 5)
        return;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (texenv_names_equal(s, n, words[i].name)) {
            v->kind = TEXENV_V_INT;
            v->integer = words[i].value;
        }
}

static bool at_end_of_value(const struct texenv_trace *t)
{
    return *t->p == ',' || *t->p == ')' || *t->p == '}' || *t->p == ']';
}

/* Reads a number, a name, or names joined by " | "; any other value gets kind OTHER. Leaves t->p at the ","
 * or closing bracket after it. */
static enum texenv_trace_status scalar(struct texenv_trace *t, struct texenv_value *v)
{
    bool first = true;
    v->text = t->p;
    v->kind = TEXENV_V_OTHER;
    if (t->newlines == 0) { /* fast path: the record is on one line */
        v->line = t->line;
        v->column = (uint32_t)(t->p - t->start) + 1;
    } else {
        struct texenv_place place = texenv_trace_place(t, t->p);
        v->line = place.line;
        v->column = place.column;
    }
    for (;; first = false) {
        struct texenv_value part = {0};
        if (t->p == t->end)
            return TEXENV_TRACE_CUT;
        if (is_digit(*t->p) || *t->p == '-') {
            if (!number(t, &part))
                break;
        } else if (is_letter(*t->p)) {
            if ((*t->p == 'i' || *t->p == 'n') && number(t, &part))
                ;
            else
                name(t, &part);
        } else {
            break;
        }
        if (first) {
            v->kind = part.kind;
            v->integer = part.integer;
            v->real = part.real;
        } else if (v->kind == TEXENV_V_INT && part.kind == TEXENV_V_INT) {
            v->integer |= part.integer;
        } else {
            v->kind = v->kind == TEXENV_V_NAME || part.kind == TEXENV_V_NAME ? TEXENV_V_NAME : TEXENV_V_OTHER;
        }
        v->length = (uint32_t)(t->p - v->text);
        if (t->p < t->end && at_end_of_value(t))
            return TEXENV_TRACE_OK;
        blank(t);
        if (t->p == t->end)
            return TEXENV_TRACE_CUT;
        if (at_end_of_value(t))
            return TEXENV_TRACE_OK;
        if (*t->p != '|')
            break;
        t->p++;
        blank(t);
    }
    v->kind = TEXENV_V_OTHER;
    enum texenv_trace_status status = skip_value(t);
    v->length = (uint32_t)(t->p - v->text);
    return status;
}

/* ---- values ---- */

static enum texenv_trace_status item(struct texenv_trace *t, struct texenv_value *array)
{
    struct texenv_value *v = texenv_calls_item(&t->calls, texenv_trace_place(t, t->p));
    if (!v)
        return TEXENV_TRACE_BAD;
    array->count++;
    return scalar(t, v);
}

/* Reads a scalar, an array "{...}" or "[...]", or "&" followed by the only element of an array. Elements that
 * are structures or arrays get kind OTHER, because no call needs them. */
static enum texenv_trace_status value(struct texenv_trace *t, struct texenv_value *v)
{
    enum texenv_trace_status status;
    blank(t);
    if (t->p == t->end)
        return TEXENV_TRACE_CUT;
    if (*t->p != '&' && *t->p != '{' && *t->p != '[')
        return scalar(t, v);
    v->kind = TEXENV_V_ARRAY;
    v->text = t->p;
    v->length = 1;
    v->first = t->calls.item_count;
    if (*t->p++ == '&') {
        status = item(t, v);
    } else {
        for (;;) {
            blank(t);
            if (t->p == t->end)
                return TEXENV_TRACE_CUT;
            if (*t->p == '}' || *t->p == ']')
                break;
            status = item(t, v);
            if (status != TEXENV_TRACE_OK)
                return status;
            if (*t->p == ',')
                t->p++;
            else if (*t->p == ')')
                break;
        }
        t->p++;
        status = TEXENV_TRACE_OK;
    }
    return status;
}

enum texenv_trace_status texenv_trace_rest(struct texenv_trace *t)
{
    size_t depth = 1;
    for (const char *p = t->p, *close; depth; p = close + 1) {
        close = p < t->end ? memchr(p, ')', (size_t)(t->end - p)) : NULL;
        if (!close) {
            t->p = t->end;
            return TEXENV_TRACE_CUT;
        }
        if (memchr(p, '"', (size_t)(close - p)))
            break;
        for (const char *open = p; (open = memchr(open, '(', (size_t)(close - open))); open++)
            depth++;
        if (--depth == 0) {
            t->p = close + 1;
            return TEXENV_TRACE_OK;
        }
    }
    /* The text contains strings: skip value by value. */
    for (;;) {
        if (skip_value(t) != TEXENV_TRACE_OK)
            return TEXENV_TRACE_CUT;
        if (*t->p++ == ')')
            return TEXENV_TRACE_OK;
    }
}

enum texenv_trace_status texenv_trace_args(struct texenv_trace *t, const struct texenv_call_info *info,
                                           struct texenv_value *args, bool all)
{
    unsigned found = 0;
    t->calls.item_count = 0;
    for (unsigned i = 0;; i++) {
        if (!all && found == info->params)
            return texenv_trace_rest(t);
        blank(t);
        if (t->p == t->end)
            return TEXENV_TRACE_CUT;
        if (*t->p == ')') {
            t->p++;
            return TEXENV_TRACE_OK;
        }
        /* Find the parameter by its name; arguments usually are in the order of the table. */
        const char *s = t->p;
        unsigned which = i;
        while (t->p < t->end && (is_letter(*t->p) || is_digit(*t->p)))
            t->p++;
        size_t n = (size_t)(t->p - s);
        blank(t);
        if (n && t->p < t->end && *t->p == '=') {
            t->p++;
            if (which >= info->params || n != info->param_length[which] ||
                memcmp(s, info->param[which], n) != 0)
                for (which = 0; which < info->params; which++)
                    if (n == info->param_length[which] && memcmp(s, info->param[which], n) == 0)
                        break;
        } else {
            t->p = s;
        }
        enum texenv_trace_status status;
        if (which < info->params) {
            found += args[which].kind == TEXENV_V_MISSING;
            status = value(t, &args[which]);
        } else {
            status = skip_value(t);
        }
        if (status != TEXENV_TRACE_OK)
            return status;
        blank(t);
        if (t->p == t->end)
            return TEXENV_TRACE_CUT;
        if (*t->p == ',') {
            t->p++;
        } else if (*t->p != ')') {
            TEXENV_CALLS_ERROR(&t->calls, texenv_trace_place(t, t->p), "bad-record",
                               "expected ',' or ')' after an argument of %s, found '%c'", info->name,
                               *t->p > ' ' && *t->p < 0x7f ? *t->p : '?');
            return TEXENV_TRACE_BAD;
        }
    }
}

enum texenv_trace_status texenv_trace_result(struct texenv_trace *t, struct texenv_value *v)
{
    memset(v, 0, sizeof *v);
    blank(t);
    if (t->p == t->end || *t->p != '=')
        return TEXENV_TRACE_OK;
    t->p++;
    blank(t);
    if (t->p == t->end)
        return TEXENV_TRACE_CUT;
    v->text = t->p;
    v->kind = TEXENV_V_OTHER;
    if (is_digit(*t->p) || *t->p == '-')
        number(t, v);
    else if (is_letter(*t->p))
        name(t, v);
    v->length = (uint32_t)(t->p - v->text);
    return TEXENV_TRACE_OK;
}
