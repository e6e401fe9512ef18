/* Handles macros, and calls that a script makes but the reader does not follow. Most of these calls have
 * nothing to do with texturing and are skipped. A call that may change the environment must be reported,
 * since otherwise the result would be wrong: wrappers (GL_SelectTexture(1)), calls under another name
 * (qglTexEnvi), misspelt calls (glTexEnvI), macros. They are recognised by name and by the GL names in their
 * arguments. Such a call is an error, or a warning if the reader is lenient (notes/formats/gl.md). */
#include "texenv/read/read_gl.h"

struct texenv_script_macro {
    const char *name, *alias; /* alias: the macro's body if it is a single name, else NULL */
    uint32_t length, alias_length;
    enum { NAMES_NOTHING, NAMES_TOKEN, NAMES_CALL } names;
};

/* ---- names ---- */

static const char *const call_names[] = {
#define NAME(call) #call,
#include "texenv/read/gl_calls.def"
#undef NAME
};
enum { CALL_NAMES = sizeof call_names / sizeof call_names[0] };

static bool is_listed(const char *name, size_t n)
{
    size_t low = 0, high = CALL_NAMES;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(call_names[middle], name, n);
        if (order == 0)
            order = call_names[middle][n] != '\0';
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Returns whether name, which is given without "gl", is a GL call. */
static bool is_gl_call(const char *name, size_t n)
{
    size_t suffix = texenv_names_suffix(name, n, false);
    return is_listed(name, n) || (suffix && is_listed(name, n - suffix));
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

static bool has(const char *name, size_t n, const char *part)
{
    size_t m = strlen(part);
    for (size_t i = 0; i + m <= n; i++) {
        size_t k = 0;
        while (k < m && lower(name[i + k]) == part[k])
            k++;
        if (k == m)
            return true;
    }
    return false;
}

/* If the name is a GL call with a prefix ("qglTexEnvi", "extGlActiveTextureARB"), returns the call's name
 * without "gl", else NULL. */
static const char *wrapped(const char *name, size_t n)
{
    for (size_t i = 0; i + 3 < n; i++)
        if (lower(name[i]) == 'g' && lower(name[i + 1]) == 'l' && is_gl_call(name + i + 2, n - i - 2))
            return name + i + 2;
    return NULL;
}

/* Returns whether the name of a function mentions texture units or environments. */
static bool speaks_of_units(const char *name, size_t n)
{
    static const char *const parts[] = {
        "activetex", "selecttex",   "texenv",       "textureenv", "bindtex",     "multitex",
        "texunit",   "textureunit", "texturestage", "texstage",   "settmu",      "selecttmu",
        "activetmu", "enabletex",   "disabletex",   "texmode",    "texturemode", "combiner"};
    if (has(name, n, "client")) /* ClientActiveTexture and its wrappers select vertex arrays, not units */
        return false;
    /* matches only at the end of a name, because names like SetTextureRect have nothing to do with units */
    static const char set[] = "settexture";
    if (n + 1 >= sizeof set && has(name + n + 1 - sizeof set, sizeof set - 1, set))
        return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (has(name, n, parts[i]))
            return true;
    return false;
}

/* Returns whether `name` is an enumerant that suggests that a call changes texturing. Blend factors, formats,
 * primitives and other enumerants that mostly occur elsewhere are excluded. */
static bool is_telling(const struct texenv_script *s, const char *name, size_t n)
{
    static const struct {
        uint16_t from, to;
    } ranges[] = {{0x2300, 0x2300}, {0x2200, 0x2201}, {0x2100, 0x2101}, {0x1E01, 0x1E01}, {0x0104, 0x0104},
                  {0x8062, 0x8062}, {0x8503, 0x8503}, {0x8570, 0x859B}, {0x0D1C, 0x0D1C}, {0x84E7, 0x84E7},
                  {0x86AE, 0x86AF}, {0x8740, 0x8746}, {0x84C0, 0x84DF}, {0x0DE0, 0x0DE1}, {0x806F, 0x806F},
                  {0x84F5, 0x84F5}, {0x8513, 0x8513}, {0x8515, 0x851A}, {0x884B, 0x884C}, {0x8458, 0x8458},
                  {0x8804, 0x8804}, {0x8870, 0x8870}, {0x8920, 0x8920}, {0x8200, 0x8200}, {0x8522, 0x8522},
                  {0x86DE, 0x86DE}, {0x0B60, 0x0B60}, {0x0B65, 0x0B65}, {0x81F8, 0x81F8}};
    if (n <= 3 || memcmp(name, "GL_", 3) != 0)
        return false;
    int64_t value = texenv_names_token(&s->calls.names, name, n);
    if (s->calls.reader->on_call) /* with GL_ATI_fragment_shader: registers, constants, operations */
        return value >= 0x8920 && value <= 0x897F;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (value >= ranges[i].from && value <= ranges[i].to)
            return true;
    return false;
}

/* ---- macros ---- */

static uint64_t key_of(const char *name, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
    return h;
}

static const struct texenv_script_macro *find_macro(const struct texenv_script *s, const char *name, size_t n)
{
    const struct texenv_script_macro *m = s->macro_count ? texenv_map_get(&s->macros, key_of(name, n)) : NULL;
    return m && m->length == n && memcmp(m->name, name, n) == 0 ? m : NULL;
}

const char *texenv_script_alias(const struct texenv_script *s, const char *name, size_t *n)
{
    for (unsigned i = 0; i < 8; i++) { /* a macro may be an alias of another macro; the limit ends cycles */
        const struct texenv_script_macro *m = find_macro(s, name, *n);
        if (!m || !m->alias)
            break;
        name = m->alias;
        *n = m->alias_length;
    }
    return name;
}

/* Determines what kinds of names the macro body from p to end contains; sets m->alias if it is a
 * single name. */
static void read_body(const struct texenv_script *s, const char *p, const char *end,
                      struct texenv_script_macro *m)
{
    bool alone = true;
    unsigned words = 0;
    while (p < end) {
        size_t n = texenv_script_word(p, end);
        if (n == 0) {
            alone &= *p == ' ' || *p == '\t' || *p == '\r';
            p++;
            continue;
        }
        const struct texenv_script_macro *other = find_macro(s, p, n);
        bool gl = n > 2 && p[0] == 'g' && p[1] == 'l';
        const struct texenv_call_info *info = gl ? texenv_calls_wanted(&s->calls, p + 2, n - 2) : NULL;
        if (texenv_calls_changes(info) || (other && other->names == NAMES_CALL))
            m->names = NAMES_CALL;
        else if (m->names == NAMES_NOTHING && (other || is_telling(s, p, n)))
            m->names = NAMES_TOKEN;
        m->alias = p;
        m->alias_length = (uint32_t)n;
        words++;
        p += n;
    }
    if (!alone || words != 1 || m->names != NAMES_CALL)
        m->alias = NULL;
}

static void release(struct texenv_script *s, void *macro)
{
    if (macro)
        texenv_calls_resize(&s->calls, macro, 0);
}

/* Processes a "#" line: keeps the macro that it defines if the macro names calls or enumerants of texturing.
 * Returns false if there is no memory. */
static bool read_define(struct texenv_script *s, const char *p, const char *end)
{
    struct texenv_script_macro m = {0};
    for (p++; p < end && (*p == ' ' || *p == '\t');)
        p++;
    if (texenv_script_word(p, end) != 6 || memcmp(p, "define", 6) != 0)
        return true;
    for (p += 6; p < end && (*p == ' ' || *p == '\t');)
        p++;
    size_t n = texenv_script_word(p, end);
    m.name = p;
    m.length = (uint32_t)n;
    p += n;
    bool parameters = p < end && *p == '(';
    while (parameters && p < end && *p != ')')
        p++;
    read_body(s, p + (parameters && p < end), end, &m);
    if (parameters)
        m.alias = NULL;
    if (!n || m.names == NAMES_NOTHING)
        return true;
    struct texenv_script_macro *kept = texenv_calls_resize(&s->calls, NULL, sizeof *kept);
    if (!kept)
        return false;
    *kept = m;
    uint64_t key = key_of(m.name, n);
    release(s, texenv_map_remove(&s->macros, key));
    if (!texenv_map_put(&s->calls, &s->macros, key, kept)) {
        release(s, kept);
        return false;
    }
    s->macro_count++;
    return true;
}

void texenv_script_define(struct texenv_script *s, const char *from, const char *to)
{
    if (*from == '#' && !read_define(s, from, to))
        texenv_calls_no_memory(&s->calls, texenv_script_place(s, from));
}

void texenv_script_free_macros(struct texenv_script *s)
{
    for (size_t i = 0; i < s->macros.capacity; i++)
        release(s, texenv_map_at(&s->macros, i));
    texenv_map_free(&s->calls, &s->macros);
}

/* ---- diagnostics ---- */

/* Reports an error, or a warning if the reader is lenient. */
#define COMPLAIN(s, place, code, ...) \
    ((s)->calls.reader->lenient \
         ? (texenv_emit(&(s)->calls.reader->sink, TEXENV_WARNING, -1, place, code, __VA_ARGS__), (void)0) \
         : TEXENV_SCRIPT_ERROR(s, place, code, __VA_ARGS__))

static int shown(size_t n) { return (int)(n < 60 ? n : 60); }

/* Marks the vertex half as unknown if the skipped call belongs to it. */
static void lose_vertex(struct texenv_script *s, const char *inner, size_t length, struct texenv_place place)
{
    const struct texenv_call_info *info = texenv_calls_wanted(&s->calls, inner, length);
    if (info && texenv_calls_is_vertex(info->kind))
        texenv_calls_lose_vertex(&s->calls, place, info->name, info->length);
}

/* Reports a name that begins with gl but is no GL call. */
static void no_gl_call(struct texenv_script *s, const char *name, size_t n, struct texenv_place place)
{
    const char *near = s->calls.reader->lenient
        ? NULL
        : texenv_names_nearest(call_names, CALL_NAMES, name + 2, n - 2);
    COMPLAIN(s, place, "no-gl-call", "%.*s is no OpenGL call: %s%s%s", shown(n), name,
             near ? "did you mean gl" : "write the OpenGL calls that it makes", near ? near : "",
             near ? "?" : ", or take it out");
}

bool texenv_script_skipped_call(struct texenv_script *s, const char *name, size_t n,
                                struct texenv_place place)
{
    bool gl = n > 2 && name[0] == 'g' && name[1] == 'l' && name[2] >= 'A' && name[2] <= 'Z' && name[2] != 'X';
    const struct texenv_script_macro *macro = find_macro(s, name, n);
    const char *inner = gl ? NULL : wrapped(name, n);
    size_t length = inner ? (size_t)(name + n - inner) : 0;
    if (macro && macro->names == NAMES_CALL) {
        COMPLAIN(s, place, "macro",
                 "%.*s is a macro that makes GL calls, and macros are not expanded: write out the calls",
                 shown(n), name);
    } else if (gl) {
        if (!is_gl_call(name + 2, n - 2))
            no_gl_call(s, name, n, place);
        lose_vertex(s, name + 2, n - 2, place);
    } else if (inner && !texenv_calls_changes(texenv_calls_wanted(&s->calls, inner, length))) {
        lose_vertex(s, inner, length, place);
        return false; /* a GL call under another name, and texturing does not depend on it */
    } else if (inner) {
        /* a method cannot be replaced by a #define */
        bool member = name > s->line_start && (name[-1] == '>' || name[-1] == '.' || name[-1] == ':');
        if (member)
            COMPLAIN(s, place, "wrapper",
                     "%.*s is not interpreted, and may be gl%.*s: if it is, write gl%.*s(...) instead",
                     shown(n), name, shown(length), inner, shown(length), inner);
        else
            COMPLAIN(s, place, "wrapper",
                     "%.*s is not interpreted, and may be gl%.*s: write that as a statement, or put "
                     "\"#define %.*s gl%.*s\" before it",
                     shown(n), name, shown(length), inner, shown(n), name, shown(length), inner);
    } else if (!s->calls.reader->on_call && speaks_of_units(name, n)) {
        COMPLAIN(s, place, "wrapper",
                 "%.*s is not interpreted, and its name suggests that it changes texturing: write the GL "
                 "calls that it makes",
                 shown(n), name);
    } else {
        if (!s->callee) {
            s->callee = name;
            s->callee_length = n;
        }
        return true;
    }
    return false;
}

bool texenv_script_is_definition(const struct texenv_script *s, const char *name, size_t n)
{
    const char *p = s->p + 1;
    for (size_t word;
         (word = texenv_script_word(p, s->end)) || (p < s->end && memchr(", *&:[]\t\r\n", *p, 10));
         p += word ? word : 1)
        if (is_telling(s, p, word) || find_macro(s, p, word))
            return false; /* "WITH_UNIT(GL_TEXTURE1) {" is the use of a macro */
    if (p == s->end || *p != ')' || find_macro(s, name, n))
        return false;
    p++;
    while (p < s->end && *p != '{') {
        size_t word = texenv_script_word(p, s->end);
        if (word ? !texenv_names_equal(p, word, "const") : !memchr(" \t\r\n", *p, 4))
            return false;
        p += word ? word : 1;
    }
    return p < s->end;
}

void texenv_script_argument(struct texenv_script *s, const char *name, size_t n, struct texenv_place place)
{
    const struct texenv_script_macro *macro = find_macro(s, name, n);
    if ((!macro && !is_telling(s, name, n)) || texenv_names_equal(s->callee, s->callee_length, "assert"))
        return;
    COMPLAIN(s, place, "wrapper",
             "%.*s is given to %.*s, which is not interpreted: write the GL calls that it makes", shown(n),
             name, shown(s->callee_length), s->callee);
    s->callee = NULL; /* report only one argument of each call */
}

void texenv_script_skipped_name(struct texenv_script *s, const char *name, size_t n,
                                struct texenv_place place)
{
    const struct texenv_script_macro *macro = find_macro(s, name, n);
    if (macro && macro->names == NAMES_CALL)
        COMPLAIN(s, place, "macro",
                 "%.*s is a macro that makes GL calls, and macros are not expanded: write out the calls",
                 shown(n), name);
}

void texenv_script_inside(struct texenv_script *s, const char *name, size_t n, struct texenv_place place)
{
    COMPLAIN(s, place, "not-followed",
             "%.*s inside another statement is not interpreted: make it a statement of its own", shown(n),
             name);
}
