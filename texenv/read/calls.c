/* The table of GL calls that the readers follow, and the conversion of a call's parsed arguments into a
 * struct texenv_op. Arguments that matter are checked here. calls_run.c executes the op. */
#include "texenv/read/calls.h"
#include "texenv/gl.h"

#define ANY TEXENV_ANY_ARITY
#define P(p) sizeof p - 1
/* A row of the table: the parameters that are "" do not matter. */
#define INFO(name, kind, form, listed, arity, params, sizes, a, b, c, d, e, f, g, h, i, j, k, l, m) \
    {#name, \
     P(#name), \
     TEXENV_CALL_##kind, \
     form, \
     listed, \
     arity, \
     params, \
     sizes, \
     {a, b, c, d, e, f, g, h, i, j, k, l, m}, \
     {P(a), P(b), P(c), P(d), P(e), P(f), P(g), P(h), P(i), P(j), P(k), P(l), P(m)}},
#define SMALL(name, kind, form, listed, arity, a, b, c) \
    INFO(name, kind, TEXENV_FORM_##form, listed, arity, (P(a) > 0) + (P(b) > 0) + (P(c) > 0), 0, a, b, c, \
         "", "", "", "", "", "", "", "", "", "")
static const struct texenv_call_info infos[] = {
#define CALL(name, kind, form, listed, arity, a, b, c) SMALL(name, kind, form, listed, arity, a, b, c)
#define BEGINS(name, kind, form, a, b, c)
#define IMAGE(name, kind, form, arity, sizes, a, b, c, d, e, f, g) \
    INFO(name, kind, TEXENV_FORM_##form, 1, arity, (sizes) + (form), sizes, a, b, c, d, e, f, g, "", "", "", \
         "", "", "")
#define MATRIX(name, kind, arity, a, b, c, d, e, f, g, h, i) \
    INFO(name, kind, 0, 1, arity, arity, 0, a, b, c, d, e, f, g, h, i, "", "", "", "")
#define SHADER(name, form, arity, ...) INFO(name, SHADER, form, 0, arity, arity, 0, __VA_ARGS__)
#include "texenv/read/calls.def"
};
enum { INFOS = sizeof infos / sizeof infos[0] };
_Static_assert(INFOS < TEXENV_CALL_SLOTS / 2, "TEXENV_CALL_SLOTS is too small");

/* Calls that are recognised by the beginning of their name. */
static const struct texenv_call_info beginnings[] = {
#define CALL(...)
#define MATRIX(...)
#define IMAGE(...)
#define SHADER(...)
#define BEGINS(name, kind, form, a, b, c) SMALL(name, kind, form, 1, ANY, a, b, c)
#include "texenv/read/calls.def"
};
enum { BEGINNINGS = sizeof beginnings / sizeof beginnings[0] };
_Static_assert(INFOS + BEGINNINGS < TEXENV_CALL_ROWS, "TEXENV_CALL_ROWS is too small");

void texenv_names_index_calls(struct texenv_names *names)
{
    memset(names->call, 0, sizeof names->call);
    for (unsigned row = 0; row < INFOS; row++) {
        uint32_t h = texenv_names_hash(infos[row].name, infos[row].length);
        while (names->call[h % TEXENV_CALL_SLOTS])
            h++;
        names->call[h % TEXENV_CALL_SLOTS] = (uint16_t)(row + 1);
    }
}

static const struct texenv_call_info *find_row(const struct texenv_names *names, const char *name,
                                               size_t length)
{
    for (uint32_t h = texenv_names_hash(name, length);; h++) {
        unsigned row = names->call[h % TEXENV_CALL_SLOTS];
        if (row == 0)
            return NULL;
        if (infos[row - 1].length == length && memcmp(infos[row - 1].name, name, length) == 0)
            return &infos[row - 1];
    }
}

const struct texenv_call_info *texenv_calls_find(const struct texenv_names *names, const char *name,
                                                 size_t length)
{
    if (length < 3)
        return NULL;
    const struct texenv_call_info *info = find_row(names, name, length);
    for (unsigned i = 0; i < BEGINNINGS && !info; i++)
        if (name[0] == beginnings[i].name[0] && length >= beginnings[i].length &&
            memcmp(name, beginnings[i].name, beginnings[i].length) == 0)
            info = &beginnings[i];
    const size_t suffix = info ? 0 : texenv_names_suffix(name, length, false);
    if (suffix)
        info = find_row(names, name, length - suffix);
    return info && info->kind != TEXENV_CALL_NONE ? info : NULL;
}

unsigned texenv_calls_row(const struct texenv_call_info *info)
{
    return info >= infos && info < infos + INFOS ? (unsigned)(info - infos)
                                                 : INFOS + (unsigned)(info - beginnings);
}

const struct texenv_call_info *texenv_calls_wanted(const struct texenv_calls *calls, const char *name,
                                                   size_t length)
{
    const struct texenv_call_info *info = texenv_calls_find(&calls->names, name, length);
    return info && (info->kind == TEXENV_CALL_SHADER) == (calls->reader->on_call != NULL) ? info : NULL;
}

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

/* Reads a decimal, 0x... or octal number with suffixes u and l. Returns false if the text is no such number
 * or the number is too large. */
static bool scan_integer(const char *p, size_t n, int64_t *out)
{
    unsigned base = 10;
    uint64_t value = 0;
    size_t i = 0, digits;
    if (n > 1 && p[0] == '0') {
        base = (p[1] | 0x20) == 'x' ? 16 : 8;
        i = base == 16 ? 2 : 1;
    }
    for (digits = i; i < n && digit_value(p[i]) < base; i++) {
        if (value > (UINT64_MAX - 15) / base)
            return false;
        value = value * base + digit_value(p[i]);
    }
    if (i == digits && base != 8)
        return false;
    while (i < n && ((p[i] | 0x20) == 'u' || (p[i] | 0x20) == 'l'))
        i++;
    *out = (int64_t)value;
    return i == n;
}

bool texenv_calls_number(struct texenv_value *v, const char *p, size_t n)
{
    size_t m = n;
    v->kind = TEXENV_V_INT;
    if (scan_integer(p, n, &v->integer))
        return true;
    v->kind = TEXENV_V_REAL;
    while (m > 1 && ((p[m - 1] | 0x20) == 'f' || (p[m - 1] | 0x20) == 'l'))
        m--;
    return n <= m + 1 && texenv_scan_number(&v->real, p, m) == m;
}

void texenv_calls_token(const struct texenv_calls *calls, struct texenv_value *v, const char *name,
                        size_t length)
{
    v->integer = texenv_names_token(&calls->names, name, length);
    v->kind = v->integer < 0 ? TEXENV_V_NAME : TEXENV_V_INT;
}

/* ---- diagnostics for arguments ---- */

/* Returns the length of a value's text to print with "%.*s": at most 60 characters of its first line. */
static int shown(const struct texenv_value *v)
{
    int n = 0;
    while ((uint32_t)n < v->length && n < 60 && (unsigned char)v->text[n] >= 0x20 &&
           (unsigned char)v->text[n] < 0x7f)
        n++;
    return n;
}

/* Reports why v is not acceptable for the parameter `what`. Always returns false. */
static bool refuse(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *v,
                   const char *what, const char *needed)
{
    struct texenv_place place = texenv_value_place(op->place, v);
    switch (v->kind) {
    case TEXENV_V_MISSING:
        TEXENV_CALLS_ERROR(calls, place, "missing-argument", "gl%s: its argument '%s' is missing",
                           op->info->name, what);
        break;
    case TEXENV_V_NAME:
        if (!calls->trace) {
            const char *near = texenv_names_nearest_token(v->text, v->length);
            TEXENV_CALLS_ERROR(calls, place, "unknown-name", "unknown GL name %.*s as '%s' of gl%s%s%s%s",
                               shown(v), v->text, what, op->info->name, near ? "; did you mean " : "",
                               near ? near : "", near ? "?" : "");
        } else {
            /* The application really made this call, so the name exists somewhere. GL either refused it or
             * used it for something that texturing does not depend on. */
            uint32_t error = op->info->sizes ? TEXENV_INVALID_VALUE : TEXENV_INVALID_ENUM;
            const char *pname = op->b && error == TEXENV_INVALID_ENUM ? texenv_token_name(op->b) : NULL;
            if (pname)
                TEXENV_CALLS_GL_ERROR(calls, op, error, "%.*s is no value of %s; the state stays as it was",
                                      shown(v), v->text, pname);
            else
                TEXENV_CALLS_GL_ERROR(calls, op, error,
                                      "%.*s is no '%s' of gl%s known here; the state stays as it was",
                                      shown(v), v->text, what, op->info->name);
        }
        break;
    case TEXENV_V_OTHER:
        if (shown(v) == 0 && v->length > 0) { /* the text starts with a byte that is not printable */
            TEXENV_CALLS_ERROR(calls, place, "not-constant",
                               "expected %s as '%s' of gl%s, found the byte 0x%x", needed, what,
                               op->info->name, (unsigned)(unsigned char)v->text[0]);
            break;
        }
        if (shown(v) == 0) {
            TEXENV_CALLS_ERROR(calls, place, "not-constant", "expected %s as '%s' of gl%s, found nothing",
                               needed, what, op->info->name);
            break;
        }
        TEXENV_CALLS_ERROR(calls, place, "not-constant",
                           "expected %s as '%s' of gl%s, found '%.*s', which is no constant", needed, what,
                           op->info->name, shown(v), v->text);
        break;
    default:
        TEXENV_CALLS_ERROR(calls, place, "bad-argument", "expected %s as '%s' of gl%s, found '%.*s'", needed,
                           what, op->info->name, shown(v), v->text);
        break;
    }
    return false;
}

static bool take(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args,
                 unsigned n, uint32_t *out)
{
    if (!texenv_value_is_number(&args[n]))
        return refuse(calls, op, &args[n], op->info->param[n], "a number or a GL name");
    *out = texenv_value_integer(&args[n]);
    return true;
}

/* Returns whether a call takes fixed-point numbers (OpenGL ES 1.1), where 65536 means 1. Enumerants are
 * not scaled. */
static bool is_fixed(const struct texenv_call_info *info)
{
    const char *end = info->name + info->length - 1;
    return *end == 'x' || (*end == 'v' && end[-1] == 'x');
}

static bool is_real(const struct texenv_op *op)
{
    return op->info->form == TEXENV_FORM_F || op->info->form == TEXENV_FORM_FV;
}

/* If a script passes an environment colour or a reference of the alpha test that is no constant, and the
 * reader has open_values, stores NaN and returns true. Returns false for any other value. */
static bool take_open(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *v,
                      unsigned i)
{
    bool color = op->kind == TEXENV_CALL_TEX_ENV && op->b == GL_TEXTURE_ENV_COLOR &&
        op->info->form == TEXENV_FORM_FV;
    if (!calls->reader->open_values || calls->trace || v->kind != TEXENV_V_OTHER || !shown(v) ||
        !(color || op->kind == TEXENV_CALL_ALPHA_FUNC))
        return false;
    if (!op->value.line) {
        op->value = texenv_value_place(op->place, v);
        texenv_emit(&calls->reader->sink, TEXENV_NOTE, -1, op->value, "open-value",
                    "%s is not known here: programs take it as a uniform",
                    color ? "the environment colour" : "the reference of the alpha test");
    }
    op->v.f[i] = texenv_unknown();
    return true;
}

/* Converts args[n], a scalar or an array with `count` elements, into op->v. */
static bool take_values(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args,
                        unsigned n, unsigned count)
{
    const struct texenv_value *v = &args[n];
    bool vector = op->info->form == TEXENV_FORM_IV || op->info->form == TEXENV_FORM_FV;
    bool real = is_real(op);
    /* apitrace prints "params = GL_ADD" as well as "{GL_ADD}" and "&GL_ADD"; a script must pass an array. */
    if (v->kind == TEXENV_V_ARRAY ? !vector && !calls->trace
                                  : vector && !(calls->trace && texenv_value_is_number(v)) &&
                v->kind != TEXENV_V_OTHER && v->kind != TEXENV_V_NAME)
        return refuse(calls, op, v, op->info->param[n], vector ? "an array literal" : "one value");
    size_t given = v->kind == TEXENV_V_ARRAY ? v->count : 1;
    if (v->kind == TEXENV_V_ARRAY && (given < count && v->declared < count)) {
        TEXENV_CALLS_ERROR(calls, texenv_value_place(op->place, v), "too-few-values",
                           "'%s' of gl%s has %u values, %u are needed", op->info->param[n], op->info->name,
                           (unsigned)given, count);
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        static const struct texenv_value zero = {.kind = TEXENV_V_INT};
        const struct texenv_value *e = v->kind == TEXENV_V_ARRAY
            ? (i < given ? texenv_value_element(calls, v, i) : &zero)
            : v;
        if (take_open(calls, op, e, i))
            continue;
        if (!texenv_value_is_number(e))
            return refuse(calls, op, e, op->info->param[n],
                          vector && e == v ? "an array literal" : "a constant");
        if (i == 0) {
            op->text = e->text;
            op->length = e->length;
        }
        if (real)
            op->v.f[i] = e->kind == TEXENV_V_REAL ? texenv_float(e->real) : (float)e->integer;
        else
            op->v.i[i] = (int32_t)texenv_value_integer(e);
    }
    return true;
}

/* Rounds a float to the nearest integer (2.6), because the setters of Fog, LightModel and TexParameter take
 * integers. */
static void round_value(struct texenv_op *op)
{
    if (is_real(op))
        op->v.i[0] = (int32_t)texenv_enum_of(op->v.f[0]);
}

/* ---- DeleteTextures, CallLists ---- */

static void delete_textures(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args)
{
    const struct texenv_value *array = &args[1];
    if (!calls->trace && !calls->has_images)
        return; /* without images all textures are equal, so deleting any makes no difference */
    if (!take(calls, op, args, 0, &op->a))
        return;
    if ((int32_t)op->a < 0) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE,
                              "glDeleteTextures: n is %d; the call is ignored", (int)op->a);
        return;
    }
    if (op->a == 0)
        return;
    if (array->kind != TEXENV_V_ARRAY) {
        refuse(calls, op, array, "textures", "an array literal");
        return;
    }
    if (array->count < op->a && array->declared < op->a) {
        TEXENV_CALLS_ERROR(calls, texenv_value_place(op->place, array), "too-few-values",
                           "'textures' of glDeleteTextures has %u values, %u are needed",
                           (unsigned)array->count, op->a);
        return;
    }
    for (size_t i = 0; i < array->count && i < op->a; i++)
        if (texenv_value_element(calls, array, i)->kind != TEXENV_V_INT) {
            refuse(calls, op, texenv_value_element(calls, array, i), "textures", "texture names");
            return;
        }
    texenv_calls_delete_textures(calls, op, array);
}

static void submit(struct texenv_calls *calls, struct texenv_op *op);

static bool known_names(const struct texenv_calls *calls, const struct texenv_value *array, uint32_t n)
{
    if (array->kind != TEXENV_V_ARRAY || array->count < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (texenv_value_element(calls, array, i)->kind != TEXENV_V_INT)
            return false;
    return true;
}

/* Executes CallLists as one CallList for each element. If the elements are not known (a string, a blob), the
 * lists could contain anything. The function then reports that and assumes a single draw, because most lists
 * contain one draw. */
static void call_lists(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args)
{
    if (!take(calls, op, args, 0, &op->a))
        return;
    uint32_t n = op->a;
    if ((int32_t)n < 0) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE, "glCallLists: n is %d; the call is ignored",
                              (int)n);
        return;
    }
    if (n == 0)
        return;
    const struct texenv_value *type = &args[1];
    /* GL_2_BYTES and so on: several array elements make up one list name */
    bool bytes = type->length >= 6 && memcmp(type->text + type->length - 6, "_BYTES", 6) == 0;
    if (bytes || !known_names(calls, &args[2], n)) {
        if (!calls->said_lists)
            texenv_emit(&calls->reader->sink, TEXENV_WARNING, -1, op->place, "lists-unknown",
                        "the lists that glCallLists calls are not known: taken as one draw each time");
        calls->said_lists = true;
        op->kind = TEXENV_CALL_DRAW;
        op->a = TEXENV_DRAWS_UNKNOWN;
        submit(calls, op);
        return;
    }
    op->kind = TEXENV_CALL_CALL_LIST;
    op->b = 1; /* ListBase is added to the name */
    texenv_calls_enter_lists(calls, op->place);
    for (size_t i = 0; i < n && !calls->stopped; i++) {
        op->a = (uint32_t)(uint64_t)texenv_value_element(calls, &args[2], i)->integer;
        submit(calls, op);
    }
    texenv_calls_leave_lists(calls);
}

/* ---- all calls ---- */

static void submit(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    if (x->compiling && op->info->listed) {
        texenv_calls_record(calls, op);
        if (x->compile_only)
            return;
    }
    if (!calls->stopped)
        texenv_calls_run(calls, op);
}

/* Stores an image's sizes in op->v.i. v.i[1] becomes -1 if a size is negative, else 0 if one is 0, else 1;
 * unknown sizes count as positive. The sizes follow from v.i[2] on. GLU may resize images whose sizes are no
 * powers of two, so those become unknown. */
static void take_sizes(struct texenv_op *op, const struct texenv_value *args)
{
    int32_t *smallest = &op->v.i[1], *sizes = &op->v.i[2];
    *smallest = 1;
    for (unsigned i = op->info->sizes; i < op->info->params; i++) {
        const bool known = texenv_value_is_number(&args[i]);
        const int32_t size = known ? (int32_t)texenv_value_integer(&args[i]) : (int32_t)TEXENV_NOT_KNOWN;
        if (known && size < *smallest)
            *smallest = size < 0 ? -1 : 0;
        *sizes++ = op->kind == TEXENV_CALL_BUILD_MIPMAPS && (size & (size - 1)) ? (int32_t)TEXENV_NOT_KNOWN
                                                                                : size;
    }
}

/* Stores in op->v.i the level (for TexStorage the number of levels), and the sizes as take_sizes does. */
static bool prepare_image(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args)
{
    uint32_t level = 0;
    unsigned format = op->kind == TEXENV_CALL_BUILD_MIPMAPS ? 1 : 2;
    /* A call with a proxy target only queries, so it does not count as an image. Any other target counts,
     * even if GL refuses the call. */
    if (args[0].kind == TEXENV_V_INT && texenv_target_of((uint32_t)args[0].integer) >= 0)
        calls->reader->images++;
    if (!take(calls, op, args, 0, &op->a) || (format == 2 && !take(calls, op, args, 1, &level)))
        return false;
    op->v.i[0] = (int32_t)level;
    /* OES_compressed_paletted_texture: level -n specifies level 0 and the n levels after it */
    if (args[format].integer >= 0x8B90 && args[format].integer <= 0x8B99 && (int32_t)level < 0)
        op->v.i[0] = 0;
    take_sizes(op, args);
    if (texenv_target_of(op->a) < 0) /* the format of a proxy or an array texture is not checked */
        return true;
    op->text = args[format].text;
    op->length = args[format].length;
    return take(calls, op, args, format, &op->b) && !texenv_calls_open_format(calls, op);
}

/* Stores the truth value of a number, or of an array's first element. Returns false if it is not known. */
static bool known_truth(const struct texenv_calls *calls, const struct texenv_value *v, bool *truth)
{
    v = texenv_value_first(calls, v);
    *truth = v->kind == TEXENV_V_REAL ? v->real != 0 : v->kind == TEXENV_V_INT && v->integer != 0;
    return texenv_value_is_number(v);
}

static bool prepare_env(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args)
{
    bool sprite = false;
    if (!take(calls, op, args, 0, &op->a) || !take(calls, op, args, 1, &op->b))
        return false;
    /* a target of NV_texture_shader, which replaces the texture environment */
    if (op->a == GL_TEXTURE_SHADER_NV)
        return false;
    if (op->a == GL_POINT_SPRITE && op->b == GL_COORD_REPLACE &&
        !(args[2].kind == TEXENV_V_INT && args[2].integer == 0))
        texenv_calls_sprite_beside(calls, 2, known_truth(calls, &args[2], &sprite), op->place);
    if (op->a != GL_TEXTURE_ENV) { /* for other targets only COORD_REPLACE matters, a boolean */
        memset(&op->v, 0, sizeof op->v);
        op->v.i[0] = sprite;
        return true;
    }
    const bool color = op->b == GL_TEXTURE_ENV_COLOR;
    if (texenv_calls_is_open(calls, op, op->b, NULL) ||
        !take_values(calls, op, args, 2, color && op->info->form >= TEXENV_FORM_IV ? 4 : 1))
        return false;
    return color || !texenv_calls_is_open(calls, op, is_real(op) ? (int64_t)op->v.f[0] : op->v.i[0], NULL);
}

/* Prepares AlphaFunc. In a script the reference may be a variable: programs take it as a uniform, so its
 * value need not be known. */
static bool prepare_alpha_func(struct texenv_calls *calls, struct texenv_op *op,
                               const struct texenv_value *args)
{
    if (!take(calls, op, args, 0, &op->a))
        return false;
    if (!calls->trace && !calls->reader->open_values &&
        (args[1].kind == TEXENV_V_OTHER || args[1].kind == TEXENV_V_NAME)) {
        texenv_emit(&calls->reader->sink, TEXENV_NOTE, -1, op->place, "alpha-reference",
                    "the reference of glAlphaFunc is not known here: 0 stands for it");
        op->v.f[0] = 0;
        return true;
    }
    return take_values(calls, op, args, 1, 1);
}

/* Prepares TexParameter for filters and wrap modes. They do not belong to the environment and are only
 * recorded. */
static bool prepare_filter(const struct texenv_calls *calls, struct texenv_op *op,
                           const struct texenv_value *value)
{
    const struct texenv_value *v = texenv_value_first(calls, value);
    op->kind = TEXENV_CALL_FILTER;
    op->v.i[0] = (int32_t)(texenv_value_is_number(v) ? texenv_value_integer(v) : TEXENV_NOT_KNOWN);
    return true;
}

static bool prepare_parameter(struct texenv_calls *calls, struct texenv_op *op,
                              const struct texenv_value *args)
{
    if (args[1].kind == TEXENV_V_NAME || !take(calls, op, args, 0, &op->a) ||
        !take(calls, op, args, 1, &op->b) || texenv_calls_is_open(calls, op, op->b, &args[2]))
        return false;
    if (texenv_calls_parameter(op->b) < TEXENV_TEXTURE_PARAMETERS)
        return prepare_filter(calls, op, &args[2]);
    if ((op->b != GL_DEPTH_TEXTURE_MODE && op->b != GL_TEXTURE_COMPARE_MODE) ||
        !take_values(calls, op, args, 2, 1))
        return false;
    round_value(op);
    return true;
}

/* Checks the arguments and stores them in op. Returns false if there is nothing to execute, or after an
 * error, which has been reported. */
static bool prepare(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args)
{
    uint32_t second = 0;
    switch (op->kind) {
    case TEXENV_CALL_TEX_ENV: return prepare_env(calls, op, args);
    case TEXENV_CALL_TEX_PARAMETER: return prepare_parameter(calls, op, args);
    case TEXENV_CALL_LIGHT_MODEL:
    case TEXENV_CALL_FOG:
        if (args[0].kind == TEXENV_V_NAME || !take(calls, op, args, 0, &op->b) ||
            !take_values(calls, op, args, 1, 1))
            return false;
        round_value(op);
        return true;
    case TEXENV_CALL_ALPHA_FUNC: return prepare_alpha_func(calls, op, args);
    case TEXENV_CALL_BIND_TEXTURE:
        if (!take(calls, op, args, 0, &op->a))
            return false;
        if (!calls->trace && !calls->has_images &&
            (args[1].kind == TEXENV_V_OTHER || args[1].kind == TEXENV_V_NAME)) {
            /* without images in the input, all textures have the same properties */
            op->kind = TEXENV_CALL_BIND_UNKNOWN;
            return true;
        }
        return take(calls, op, args, 1, &op->b);
    case TEXENV_CALL_TEX_IMAGE:
    case TEXENV_CALL_TEX_STORAGE:
    case TEXENV_CALL_BUILD_MIPMAPS: return prepare_image(calls, op, args);
    case TEXENV_CALL_NEW_LIST: return take(calls, op, args, 0, &op->a) && take(calls, op, args, 1, &op->b);
    case TEXENV_CALL_DELETE_LISTS:
        if (!take(calls, op, args, 0, &op->a) || !take(calls, op, args, 1, &second))
            return false;
        op->v.i[0] = (int32_t)second;
        return true;
    case TEXENV_CALL_ENABLE:
    case TEXENV_CALL_ACTIVE_TEXTURE:
    case TEXENV_CALL_CLIENT_ACTIVE_TEXTURE:
        op->text = args[0].text;
        op->length = args[0].length;
        return take(calls, op, args, 0, &op->a);
    case TEXENV_CALL_PUSH_ATTRIB:
    case TEXENV_CALL_CALL_LIST:
    case TEXENV_CALL_LIST_BASE:
    case TEXENV_CALL_USE_PROGRAM:
    case TEXENV_CALL_BIND_PIPELINE: return take(calls, op, args, 0, &op->a);
    case TEXENV_CALL_BEGIN:
    case TEXENV_CALL_DRAW:
        op->a = !op->info->params              ? TEXENV_DRAWS_AREAS
            : texenv_value_is_number(&args[0]) ? texenv_value_integer(&args[0])
                                               : TEXENV_DRAWS_UNKNOWN;
        return true;
    default: return true; /* POP_ATTRIB, END_LIST, END: no arguments */
    }
}

/* Reports a capability with an unknown name. If a known name is similar, the name is considered misspelt. */
static void unknown_cap(struct texenv_calls *calls, const struct texenv_value *cap, struct texenv_place place)
{
    static const char *const caps[] = {
#define CAP(cap, value) #cap,
#include "texenv/read/gl_caps.def"
    };
    enum { CAPS = sizeof caps / sizeof caps[0] };
    const char *name = cap->text + 3;
    size_t n = cap->length - 3, suffix = texenv_names_suffix(name, n, true);
    const char *near = texenv_names_nearest(caps, CAPS, name, n - suffix);
    place = texenv_value_place(place, cap);
    if (near && !calls->reader->lenient)
        TEXENV_CALLS_ERROR(calls, place, "unknown-name", "unknown GL name %.*s: did you mean GL_%s?",
                           (int)(cap->length < 60 ? cap->length : 60), cap->text, near);
    else
        texenv_emit(&calls->reader->sink, TEXENV_WARNING, -1, place, "unknown-name",
                    "unknown GL name %.*s is ignored%s%s%s", (int)(cap->length < 60 ? cap->length : 60),
                    cap->text, near ? ": did you mean GL_" : "", near ? near : "", near ? "?" : "");
}

/* Passes a call of GL_ATI_fragment_shader to the reader's on_call. */
static void hand_on(struct texenv_calls *calls, const struct texenv_call_info *info,
                    const struct texenv_value *args, struct texenv_place place)
{
    struct texenv_argument arg[TEXENV_CALL_PARAMS];
    memset(arg, 0, sizeof arg);
    for (unsigned n = 0; n < info->params; n++) {
        const struct texenv_value *v = &args[n];
        arg[n].name = info->param[n];
        arg[n].text = v->text;
        arg[n].length = v->length;
        arg[n].place = texenv_value_place(place, v);
        switch (v->kind) {
        case TEXENV_V_INT: arg[n].kind = TEXENV_ARGUMENT_INTEGER, arg[n].integer = v->integer; break;
        case TEXENV_V_REAL: arg[n].kind = TEXENV_ARGUMENT_REAL, arg[n].item[0] = v->real; break;
        case TEXENV_V_NAME: arg[n].kind = TEXENV_ARGUMENT_NAME; break;
        case TEXENV_V_ARRAY: {
            size_t count = v->declared > v->count ? (size_t)(v->declared < 4 ? v->declared : 4) : v->count;
            arg[n].kind = TEXENV_ARGUMENT_ARRAY;
            arg[n].count = (uint8_t)(count < 4 ? count : 4);
            for (size_t i = 0; i < arg[n].count && i < v->count; i++) {
                const struct texenv_value *e = texenv_value_element(calls, v, i);
                if (!texenv_value_is_number(e))
                    arg[n].kind = TEXENV_ARGUMENT_UNKNOWN;
                arg[n].item[i] = e->kind == TEXENV_V_REAL ? e->real : (double)e->integer;
            }
            break;
        }
        default: break;
        }
    }
    calls->ran = true;
    const bool begins = texenv_names_equal(info->name, info->length, "BeginFragmentShader");
    if (begins || texenv_names_equal(info->name, info->length, "EndFragmentShader"))
        calls->in_shader = begins;
    struct texenv_call call = {.name = info->name, .arg = arg, .args = info->params, .place = place};
    if (!calls->reader->on_call(calls->reader->user, &call))
        calls->stopped = true;
}

/* Returns whether the values of a fixed-point call (suffix x) are fixed-point numbers and not enumerants. */
static bool has_fixed(const struct texenv_call_info *info, const struct texenv_value *args)
{
    const int64_t first = args[0].kind == TEXENV_V_INT ? args[0].integer : 0;
    const int64_t second = info->params > 1 && args[1].kind == TEXENV_V_INT ? args[1].integer : 0;
    switch (info->kind) {
    case TEXENV_CALL_TEX_ENV:
        return second == GL_TEXTURE_ENV_COLOR || second == GL_RGB_SCALE || second == GL_ALPHA_SCALE;
    case TEXENV_CALL_TEX_GEN: return second != GL_TEXTURE_GEN_MODE;
    case TEXENV_CALL_FOG:
        return first != GL_FOG_MODE && first != GL_FOG_COORDINATE_SOURCE && first != GL_FOG_DISTANCE_MODE_NV;
    case TEXENV_CALL_LIGHT_MODEL: return first == GL_LIGHT_MODEL_AMBIENT;
    case TEXENV_CALL_TEX_PARAMETER: return false;
    default: return true;
    }
}

/* Copies the arguments of a fixed-point call to `scaled` and converts the fixed-point numbers to reals. */
static void scale_fixed(struct texenv_calls *calls, const struct texenv_call_info *info,
                        const struct texenv_value *args, struct texenv_value *scaled)
{
    const bool matrix = info->kind >= TEXENV_CALL_LOAD_MATRIX && info->kind <= TEXENV_CALL_PERSPECTIVE;
    memcpy(scaled, args, info->params * sizeof *args);
    if (!has_fixed(info, args))
        return;
    for (unsigned n = matrix ? 0 : info->params - 1u; n < info->params; n++) {
        const bool array = scaled[n].kind == TEXENV_V_ARRAY;
        struct texenv_value *v = array ? &calls->items[scaled[n].first] : &scaled[n];
        for (size_t i = 0; i < (array ? scaled[n].count : 1); i++)
            if (texenv_value_is_number(&v[i])) {
                v[i].real = (int32_t)texenv_value_integer(&v[i]) / 65536.0;
                v[i].kind = TEXENV_V_REAL;
            }
    }
}

void texenv_calls_do(struct texenv_calls *calls, const struct texenv_call_info *info,
                     const struct texenv_value *args, struct texenv_place place)
{
    struct texenv_value scaled[TEXENV_CALL_PARAMS];
    if (info->params && is_fixed(info)) {
        scale_fixed(calls, info, args, scaled);
        args = scaled;
    }
    if (info->kind == TEXENV_CALL_SHADER) {
        hand_on(calls, info, args, place);
        return;
    }
    if (!calls->context) { /* without a current context GL calls have no effect */
        calls->reader->skipped++;
        return;
    }
    struct texenv_op op;
    memset(&op, 0, sizeof op);
    op.info = info;
    op.kind = info->kind;
    op.place = place;
    switch (op.kind) {
    case TEXENV_CALL_NOT_FOLLOWED: texenv_calls_not_followed(calls, &op, args); return;
    case TEXENV_CALL_BESIDE:
        texenv_calls_beside(calls, info, &args[0], place);
        op.kind = info->form == TEXENV_FORM_F ? TEXENV_CALL_POINT_SIZE : TEXENV_CALL_SHADE_MODEL;
        break;
    case TEXENV_CALL_ENABLE:
        if (args[0].kind == TEXENV_V_NAME) {
            if (!calls->trace)
                unknown_cap(calls, &args[0], place);
            return;
        }
        if (info->form && args[0].kind == TEXENV_V_INT) {
            texenv_calls_enable_beside(calls, args[0].integer, place);
            if (texenv_calls_is_open(calls, &op, args[0].integer, NULL))
                return;
        }
        break;
    case TEXENV_CALL_DELETE_TEXTURES: delete_textures(calls, &op, args); return;
    case TEXENV_CALL_CALL_LISTS: call_lists(calls, &op, args); return;
    case TEXENV_CALL_END: calls->ends = true; break;
    case TEXENV_CALL_LIGHT_MODEL:
        if (args[0].kind != TEXENV_V_INT || args[0].integer != GL_LIGHT_MODEL_COLOR_CONTROL)
            op.kind = TEXENV_CALL_VERTEX_LIGHT_MODEL;
        break;
    case TEXENV_CALL_FOG:
        if (args[0].kind == TEXENV_V_INT && args[0].integer != GL_FOG_MODE &&
            args[0].integer != GL_FOG_COORDINATE_SOURCE)
            op.kind = TEXENV_CALL_VERTEX_FOG;
        break;
    default: break;
    }
    /* counts calls of the vertex half, on which texturing does not depend */
    calls->reader->skipped += texenv_calls_is_vertex(info->kind);
    if (texenv_calls_is_vertex(op.kind) ? texenv_calls_prepare_vertex(calls, &op, args)
                                        : prepare(calls, &op, args))
        submit(calls, &op);
}
