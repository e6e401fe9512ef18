/* Parses arguments of calls in C source: constant expressions of numbers and GL names, and array literals.
 * Anything else is kept as text without a value, because many calls do not need it (notes/formats/gl.md). */
#include "texenv/read/read_gl.h"

bool texenv_script_listed(const char *name, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (texenv_names_equal(name, n, *list))
            return true;
    return false;
}

/* A position to return to. */
struct position {
    const char *p, *line_start;
    uint32_t line;
};

static struct position here(const struct texenv_script *s)
{
    return (struct position){s->p, s->line_start, s->line};
}

static void go_back(struct texenv_script *s, const struct position *to)
{
    s->p = to->p;
    s->line_start = to->line_start;
    s->line = to->line;
}

static void put_place(const struct texenv_script *s, struct texenv_value *v, const char *at)
{
    struct texenv_place place = texenv_script_place(s, at);
    v->line = place.line;
    v->column = place.column;
}

/* Marks v as not constant; text is the part of the argument that is not constant. Always returns false. */
static bool other(struct texenv_script *s, struct texenv_value *v, uint8_t kind, const char *text,
                  size_t length)
{
    v->kind = kind;
    v->text = text;
    v->length = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    put_place(s, v, text);
    return false;
}

/* ---- numbers ---- */

static bool number(struct texenv_script *s, struct texenv_value *v)
{
    const char *p = s->p;
    const size_t n = texenv_script_token(s);
    const bool real = memchr(p, '.', n) || memchr(p, 'e', n) || memchr(p, 'E', n);
    if (texenv_calls_number(v, p, n) && (v->kind == TEXENV_V_INT ? v->integer >= 0 : real))
        return true;
    TEXENV_SCRIPT_ERROR(s, texenv_script_place(s, p), "bad-number", "'%.*s' is not a number that can be read",
                        n < 40 ? (int)n : 40, p);
    return other(s, v, TEXENV_V_OTHER, p, n);
}

/* ---- casts ---- */

struct cast {
    bool real;
    uint64_t declared; /* the number of elements in a cast to an array: "[4]" */
};

static bool is_type_word(const char *name, size_t n)
{
    static const char *const words[] = {"const", "unsigned", "signed", "int",      "float",  "double", "char",
                                        "short", "long",     "void",   "volatile", "struct", NULL};
    return (n > 2 && name[0] == 'G' && name[1] == 'L' && name[2] != '_') ||
        (n > 2 && name[n - 2] == '_' && name[n - 1] == 't') || texenv_script_listed(name, n, words);
}

/* Reads a cast at "(". If there is none, returns false and leaves s->p unchanged. */
static bool read_cast(struct texenv_script *s, struct cast *cast)
{
    static const char *const reals[] = {"GLfloat", "GLdouble", "GLclampf", "GLclampd",
                                        "float",   "double",   NULL};
    const struct position before = here(s);
    cast->real = false;
    cast->declared = 0;
    s->p++;
    texenv_script_blank(s, false);
    bool type = is_type_word(s->p, texenv_script_word(s->p, s->end));
    while (type && !texenv_script_at(s, ')')) {
        const char *word = s->p;
        if (texenv_script_take(s, '[')) {
            struct texenv_value declared;
            texenv_script_blank(s, false);
            word = s->p;
            const size_t n = texenv_script_word(word, s->end);
            s->p += n;
            if (n && texenv_calls_number(&declared, word, n) && declared.kind == TEXENV_V_INT)
                cast->declared = (uint64_t)declared.integer;
            type = texenv_script_take(s, ']');
        } else if (texenv_script_kind(s) == TEXENV_C_NAME) {
            cast->real |= texenv_script_listed(word, texenv_script_token(s), reals);
        } else {
            type = texenv_script_take(s, '*');
        }
    }
    if (!type) {
        go_back(s, &before);
        return false;
    }
    s->p++;
    texenv_script_blank(s, false);
    return true;
}

static void convert(struct texenv_value *v, const struct cast *cast)
{
    if (cast->real && v->kind == TEXENV_V_INT) {
        v->real = (double)v->integer;
        v->kind = TEXENV_V_REAL;
    } else if (!cast->real && v->kind == TEXENV_V_REAL) {
        v->integer = v->real > -9e18 && v->real < 9e18 ? (int64_t)v->real : 0;
        v->kind = TEXENV_V_INT;
    }
}

/* ---- expressions ---- */

static bool sum(struct texenv_script *s, struct texenv_value *v, unsigned depth);

static bool name(struct texenv_script *s, struct texenv_value *v)
{
    static const char *const zeros[] = {"NULL", "nullptr", "false", "FALSE", NULL},
                             *const ones[] = {"true", "TRUE", NULL};
    const char *p = s->p;
    size_t n = texenv_script_token(s);
    if (n > 3 && memcmp(p, "GL_", 3) == 0) {
        texenv_calls_token(&s->calls, v, p, n);
        return v->kind == TEXENV_V_NAME ? other(s, v, TEXENV_V_NAME, p, n) : true;
    }
    v->kind = TEXENV_V_INT;
    v->integer = texenv_script_listed(p, n, ones);
    if (v->integer || texenv_script_listed(p, n, zeros))
        return true;
    return other(s, v, TEXENV_V_OTHER, p, n);
}

static bool term(struct texenv_script *s, struct texenv_value *v, unsigned depth)
{
    texenv_script_blank(s, false);
    const char *p = s->p;
    const enum texenv_c_token kind = texenv_script_kind(s);
    if (kind == TEXENV_C_END)
        return other(s, v, TEXENV_V_OTHER, p, 0);
    if (depth > TEXENV_SCRIPT_NESTING) {
        TEXENV_SCRIPT_ERROR(s, texenv_script_place(s, p), "nesting", "an expression nested deeper than %d",
                            TEXENV_SCRIPT_NESTING);
        return other(s, v, TEXENV_V_OTHER, p, 1);
    }
    if (kind == TEXENV_C_NUMBER)
        return number(s, v);
    if (kind == TEXENV_C_NAME)
        return name(s, v);
    if (*p == '-' || *p == '+' || *p == '~') {
        s->p++;
        if (!term(s, v, depth + 1))
            return false;
        if (*p == '~' && v->kind != TEXENV_V_INT)
            return other(s, v, TEXENV_V_OTHER, p, 1);
        if (*p == '~')
            v->integer = ~v->integer;
        if (*p == '-') {
            v->integer = (int64_t)(0 - (uint64_t)v->integer);
            v->real = -v->real;
        }
        return true;
    }
    if (*p == '(') {
        struct cast cast;
        if (read_cast(s, &cast)) {
            if (!term(s, v, depth + 1))
                return false;
            convert(v, &cast);
            return true;
        }
        s->p++;
        if (!sum(s, v, depth + 1))
            return false;
        return texenv_script_take(s, ')') || other(s, v, TEXENV_V_OTHER, s->p, s->p < s->end);
    }
    return other(s, v, TEXENV_V_OTHER, p, 1);
}

static double real_of(const struct texenv_value *v)
{
    return v->kind == TEXENV_V_REAL ? v->real : (double)v->integer;
}

/* Parses terms joined by + - |. */
static bool sum(struct texenv_script *s, struct texenv_value *v, unsigned depth)
{
    if (!term(s, v, depth))
        return false;
    for (;;) {
        texenv_script_blank(s, false);
        const char *op = s->p;
        if (op == s->end || (*op != '+' && *op != '-' && *op != '|'))
            return true;
        struct texenv_value right = {0};
        s->p++;
        if (!term(s, &right, depth + 1)) {
            *v = right;
            return false;
        }
        if (v->kind == TEXENV_V_INT && right.kind == TEXENV_V_INT) {
            uint64_t a = (uint64_t)v->integer, b = (uint64_t)right.integer;
            v->integer = (int64_t)(*op == '+' ? a + b : *op == '-' ? a - b : (a | b));
        } else if (*op == '|') {
            return other(s, v, TEXENV_V_OTHER, op, 1);
        } else {
            v->real = *op == '+' ? real_of(v) + real_of(&right) : real_of(v) - real_of(&right);
            v->kind = TEXENV_V_REAL;
        }
    }
}

/* ---- arguments ---- */

/* Skips to the "," or ")" (or "}") that ends an argument. */
static void skip_argument(struct texenv_script *s)
{
    while (!s->failed) {
        texenv_script_blank(s, false);
        if (s->p == s->end || memchr(",)}];", *s->p, 5))
            return;
        if (*s->p == '(' || *s->p == '[' || *s->p == '{')
            texenv_script_group(s, false);
        else
            texenv_script_token(s);
    }
}

/* Parses an argument up to the "," or closing bracket: a constant, or text without a value. */
static void scalar(struct texenv_script *s, struct texenv_value *v)
{
    texenv_script_blank(s, false);
    const char *start = s->p;
    const struct position before = here(s);
    put_place(s, v, start);
    if (sum(s, v, 0)) {
        const char *stop = s->p;
        while (stop > start && (unsigned char)stop[-1] <= ' ')
            stop--;
        texenv_script_blank(s, false);
        if (s->p == s->end || memchr(",)}];", *s->p, 5)) {
            v->text = start;
            v->length = (uint32_t)(stop - start);
            return;
        }
        if (texenv_script_word(s->p, s->end))
            return; /* no operator follows: the caller reports what it expected */
        /* An unsupported operator follows: the argument has no value. */
        other(s, v, TEXENV_V_OTHER, s->p, 1);
    } else { /* parsing may have stopped inside brackets: "(f32) scale" */
        go_back(s, &before);
    }
    skip_argument(s);
}

/* Parses an array literal at "{". */
static void array(struct texenv_script *s, struct texenv_value *v, const struct cast *cast)
{
    struct texenv_place open = texenv_script_place(s, s->p);
    v->kind = TEXENV_V_ARRAY;
    v->text = s->p++;
    v->length = 1;
    v->line = open.line;
    v->column = open.column;
    v->first = s->calls.item_count;
    v->declared = cast->declared;
    while (!s->failed) {
        if (texenv_script_take(s, '}')) {
            v->count = s->calls.item_count - v->first;
            return;
        }
        struct texenv_value *e = texenv_calls_item(&s->calls, open);
        if (!e) {
            s->failed = true;
            return;
        }
        scalar(s, e);
        if (s->failed)
            return;
        if (e->kind == TEXENV_V_INT || e->kind == TEXENV_V_REAL)
            convert(e, &(struct cast){.real = cast->real || e->kind == TEXENV_V_REAL});
        if (s->p < s->end && *s->p == ',') {
            s->p++;
        } else if (s->p == s->end || *s->p != '}') {
            struct texenv_script_found found;
            TEXENV_SCRIPT_ERROR(s, texenv_script_place(s, s->p), "syntax",
                                "expected ',' or '}' in the array literal of line %u, found %s", open.line,
                                texenv_script_found(s, &found));
        }
    }
}

static void argument(struct texenv_script *s, struct texenv_value *v)
{
    struct cast cast = {0};
    const struct position before = here(s);
    memset(v, 0, sizeof *v);
    if ((!texenv_script_at(s, '(') || read_cast(s, &cast)) && texenv_script_at(s, '{')) {
        array(s, v, &cast);
        if (s->failed || texenv_script_at(s, ',') || texenv_script_at(s, ')') || s->p == s->end)
            return;
        other(s, v, TEXENV_V_OTHER, s->p, 1); /* an expression like "(GLint[]){1, 2}[i]" */
        skip_argument(s);
        return;
    }
    go_back(s, &before);
    scalar(s, v);
}

unsigned texenv_script_args(struct texenv_script *s, const struct texenv_call_info *info,
                            struct texenv_value *args)
{
    struct texenv_place open = texenv_script_place(s, s->p);
    struct texenv_script_found found;
    unsigned n = 0;
    s->p++;
    if (texenv_script_take(s, ')'))
        return 0;
    while (!s->failed) {
        if (n < info->params)
            argument(s, &args[n]);
        else
            skip_argument(s);
        n++;
        if (s->failed)
            break;
        if (texenv_script_take(s, ')'))
            break;
        if (s->p == s->end) {
            TEXENV_SCRIPT_ERROR(s, open, "syntax",
                                "the input ends inside the call gl%s: its '(' is never closed", info->name);
        } else if (texenv_script_take(s, ',')) {
            texenv_script_blank(s, false);
        } else {
            TEXENV_SCRIPT_ERROR(s, texenv_script_place(s, s->p), "syntax",
                                "expected ',' or ')' in the call gl%s, found %s", info->name,
                                texenv_script_found(s, &found));
        }
    }
    return n;
}
