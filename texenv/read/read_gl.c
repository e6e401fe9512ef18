/* The reader of GL-call scripts: C source code in which calls at the start of statements are executed
 * (notes/formats/gl.md). This file splits the text into statements. */
#include "texenv/read/read_gl.h"

struct texenv_place texenv_script_place(const struct texenv_script *s, const char *at)
{
    size_t column = (size_t)(at - s->line_start) + 1;
    return (struct texenv_place){.line = s->line,
                                 .column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
}

const char *texenv_script_found(const struct texenv_script *s, struct texenv_script_found *found)
{
    struct texenv_text text;
    texenv_text_init(&text, found->data, sizeof found->data);
    if (s->p >= s->end) {
        texenv_printf(&text, "the end of the input");
        return found->data;
    }
    unsigned char c = (unsigned char)*s->p;
    const size_t n = texenv_script_word(s->p, s->end);
    if (n)
        texenv_printf(&text, "'%.*s'", n < 32 ? (int)n : 32, s->p);
    else if (c == '\n')
        texenv_printf(&text, "the end of the line");
    else if (c > ' ' && c < 0x7f)
        texenv_printf(&text, "'%c'", c);
    else
        texenv_printf(&text, "the byte 0x%x", (unsigned)c);
    return found->data;
}

/* ---- white space, comments, literals ---- */

static void newline(struct texenv_script *s)
{
    s->p++;
    s->line++;
    s->line_start = s->p;
}

/* Skips a comment up to the end of its line, or the text that a preprocessor directive removes. */
static void skip_line(struct texenv_script *s)
{
    const char *to = texenv_script_passed_over(s), *nl;
    texenv_script_define(s, s->p, to);
    while ((nl = memchr(s->p, '\n', (size_t)(to - s->p)))) {
        s->p = nl;
        newline(s);
    }
    s->p = to;
}

static void block_comment(struct texenv_script *s)
{
    struct texenv_place open = texenv_script_place(s, s->p);
    s->p += 2;
    while (s->p < s->end) {
        if (*s->p == '*' && s->end - s->p > 1 && s->p[1] == '/') {
            s->p += 2;
            return;
        }
        if (*s->p == '\n')
            newline(s);
        else
            s->p++;
    }
    TEXENV_SCRIPT_ERROR(s, open, "syntax",
                        "a comment that is never closed: expected '*/' before the end of the input");
}

/* Returns whether only blanks precede s->p on its line. */
static bool begins_line(const struct texenv_script *s)
{
    const char *p = s->line_start;
    while (p < s->p && (*p == ' ' || *p == '\t'))
        p++;
    return p == s->p;
}

/* Called at a backslash. If it is the last character of its line, moves to the end of that line and returns
 * true. */
static bool continued_line(struct texenv_script *s)
{
    const char *p = s->p + 1;
    p += p < s->end && *p == '\r';
    if (p == s->end || *p != '\n')
        return false;
    s->p = p;
    return true;
}

void texenv_script_blank(struct texenv_script *s, bool between)
{
    while (s->p < s->end) {
        char c = *s->p;
        if (c == '\n')
            newline(s);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
            s->p++;
        else if (c == '\\' && continued_line(s))
            newline(s);
        else if (c == '/' && s->end - s->p > 1 && s->p[1] == '/')
            skip_line(s);
        else if (c == '/' && s->end - s->p > 1 && s->p[1] == '*')
            block_comment(s);
        else if (c == '#' && (between || begins_line(s)))
            skip_line(s);
        else
            return;
    }
}

bool texenv_script_at(struct texenv_script *s, char c)
{
    texenv_script_blank(s, false);
    return s->p < s->end && *s->p == c;
}

bool texenv_script_take(struct texenv_script *s, char c)
{
    const bool taken = texenv_script_at(s, c);
    s->p += taken;
    return taken;
}

size_t texenv_script_token(struct texenv_script *s)
{
    const char *from = s->p;
    enum texenv_c_token kind;
    const size_t n = texenv_scan_token(&kind, from, (size_t)(s->end - from), false);
    s->p += n;
    if (kind == TEXENV_C_OPEN_STRING)
        TEXENV_SCRIPT_ERROR(s, texenv_script_place(s, from), "syntax",
                            "expected %c at the end of the literal, found %s", *from,
                            s->p < s->end ? "the end of the line" : "the end of the input");
    return n;
}

static const struct texenv_call_info *find_call(const struct texenv_script *s, const char *name, size_t n)
{
    return n > 2 && name[0] == 'g' && name[1] == 'l' ? texenv_calls_wanted(&s->calls, name + 2, n - 2) : NULL;
}

/* Returns whether the word begins a jump (goto, return). Jumps are reported even without an `if`. */
static bool leaves(const char *word, size_t n)
{
    return texenv_names_equal(word, n, "goto") || texenv_names_equal(word, n, "return");
}

static void does_not_follow(struct texenv_script *s, const char *word, size_t n, struct texenv_place place)
{
    TEXENV_SCRIPT_ERROR(s, place, "control-flow",
                        "'%.*s': control flow is not interpreted; only calls in a fixed order can be read",
                        (int)n, word);
}

/* How an identifier in skipped code is treated. Identifiers in a declaration or definition, and in the
 * arguments of a call that does not matter, are skipped without a diagnostic; others may cause one. */
enum passing { JUDGED, ARGUMENT_OF_NOTHING, DECLARED };

/* Skips an identifier in a part of the script that is not interpreted, and reports it if it is a call that
 * would matter. Returns false if it is a call whose arguments do not matter. */
static bool skipped_identifier(struct texenv_script *s, enum passing passing)
{
    const char *name = s->p;
    size_t n = texenv_script_token(s);
    const struct texenv_call_info *info = find_call(s, name, n);
    struct texenv_place place = texenv_script_place(s, name);
    /* the call returns a name, which is not checked */
    if (info && info->kind == TEXENV_CALL_SHADER && info->form) {
        struct texenv_value none[TEXENV_CALL_PARAMS];
        memset(none, 0, sizeof none);
        texenv_calls_do(&s->calls, info, none, place);
        return true;
    }
    if (leaves(name, n) && s->calls.in_shader)
        does_not_follow(s, name, n, place);
    bool call = texenv_script_at(s, '(');
    if (passing == DECLARED)
        return true;
    if (call && texenv_calls_changes(info))
        texenv_script_inside(s, name, n, place);
    else if (call)
        return texenv_script_skipped_call(s, name, n, place);
    else if (s->callee && passing == JUDGED)
        texenv_script_argument(s, name, n, place);
    else
        texenv_script_skipped_name(s, name, n, place);
    return true;
}

void texenv_script_group(struct texenv_script *s, bool statements)
{
    struct texenv_place open = texenv_script_place(s, s->p);
    struct texenv_script_found found;
    char bracket = *s->p;
    size_t depth = 0, braces = 0;
    /* bracket depth of the arguments of s->callee (callee), and of the arguments of a call without any effect
     * (nothing); 0: outside of such arguments */
    size_t callee = s->callee ? 1 : 0, nothing = 0;
    while (!s->failed) {
        texenv_script_blank(s, false);
        const enum texenv_c_token kind = texenv_script_kind(s);
        if (kind == TEXENV_C_END)
            break;
        if (kind == TEXENV_C_NAME) {
            if (!skipped_identifier(s, nothing ? ARGUMENT_OF_NOTHING : JUDGED) && !nothing)
                nothing = depth + 1;
            if (s->callee && !callee)
                callee = depth + 1;
            continue;
        }
        const char c = *s->p;
        if (c == '(' || c == '[' || c == '{') {
            depth++;
            braces += c == '{';
        } else if (c == ')' || c == ']' || c == '}') {
            depth--;
            if (depth < nothing)
                nothing = 0;
            if (depth < callee) {
                callee = 0;
                s->callee = NULL;
            }
            if (depth == 0) {
                s->p++;
                return;
            }
        } else if (c == ';' && !statements && !braces) {
            TEXENV_SCRIPT_ERROR(s, texenv_script_place(s, s->p), "syntax", "expected '%c', found %s",
                                bracket == '('       ? ')'
                                    : bracket == '[' ? ']'
                                                     : '}',
                                texenv_script_found(s, &found));
            return;
        }
        texenv_script_token(s);
    }
    if (!s->failed)
        TEXENV_SCRIPT_ERROR(s, open, "syntax", "'%c' is never closed", bracket);
}

/* ---- statements ---- */

/* Skips any other statement (a declaration, an assignment ...) up to its ";" or to the "{" of a function
 * body. typed: the text before s->p may be a type, so that "name(" is a declaration. */
static void other_statement(struct texenv_script *s, struct texenv_place start, bool typed)
{
    bool assigned = false;
    while (!s->failed) {
        if (texenv_script_take(s, ';'))
            return;
        const enum texenv_c_token kind = texenv_script_kind(s);
        if (kind == TEXENV_C_END) {
            TEXENV_SCRIPT_ERROR(s, start, "syntax",
                                "expected ';' at the end of this statement, found the end of the input");
            return;
        }
        const char c = *s->p;
        if (c == '}' || (c == '{' && !assigned))
            return;
        assigned |= c == '=';
        typed &= kind == TEXENV_C_NAME || c == '*' || c == '&' || c == ':' || c == '"'; /* extern "C" */
        s->callee = typed ? NULL : s->callee;
        if (c == '(' || c == '[' || c == '{')
            texenv_script_group(s, false);
        else if (kind == TEXENV_C_NAME)
            skipped_identifier(s, typed ? DECLARED : JUDGED);
        else if (kind != TEXENV_C_PUNCT)
            texenv_script_token(s);
        else if ((unsigned char)c > ' ' && (unsigned char)c < 0x7f && !memchr(")]@$`\\#", c, 7))
            s->p++;
        else {
            struct texenv_script_found found;
            TEXENV_SCRIPT_ERROR(s, texenv_script_place(s, s->p), "syntax", "unexpected %s in a statement",
                                texenv_script_found(s, &found));
        }
    }
}

/* Reads a call statement; s->p is at the "(" after the name. */
static void call_statement(struct texenv_script *s, const char *name, size_t n, struct texenv_place place)
{
    struct texenv_calls *calls = &s->calls;
    const struct texenv_call_info *info = find_call(s, name, n);
    struct texenv_value args[TEXENV_CALL_PARAMS];
    struct texenv_script_found found;
    int shown = (int)(n < 60 ? n : 60);
    if (!info && texenv_script_is_definition(s, name, n)) {
        texenv_script_group(s, true);
        return;
    }
    if (!info)
        texenv_script_skipped_call(s, name, n, place);
    if (s->failed)
        return;
    const bool draws = info && (info->kind == TEXENV_CALL_DRAW || info->kind == TEXENV_CALL_BEGIN);
    if (!info) {
        texenv_script_group(s, false);
    } else {
        memset(args, 0, sizeof args);
        calls->item_count = 0;
        unsigned given = texenv_script_args(s, info, args);
        if (!s->failed && given != info->arity && info->arity != TEXENV_ANY_ARITY && !draws)
            TEXENV_SCRIPT_ERROR(s, place, "argument-count", "%.*s takes %u argument%s, %u given", shown, name,
                                (unsigned)info->arity, info->arity == 1 ? "" : "s", given);
    }
    if (s->failed)
        return;
    if (texenv_script_take(s, ';')) {
        if (info)
            texenv_calls_do(calls, info, args, place);
        else
            calls->reader->skipped++;
    } else if (info || s->p == s->end) {
        TEXENV_SCRIPT_ERROR(s, s->p < s->end ? texenv_script_place(s, s->p) : place, "syntax",
                            "expected ';' after the call %.*s, found %s", shown, name,
                            texenv_script_found(s, &found));
    } else if (*s->p != '{') { /* "{" begins a function body; anything else is like "f(x) = y;" */
        other_statement(s, place, false);
    }
}

static const char *const control[] = {"if", "for", "while", "do", "switch", "goto", "else", NULL};

/* Skips the statement that control flow governs, for readers of GL_ATI_fragment_shader. It is an error if the
 * statement contains a call of this extension. */
static void governed_statement(struct texenv_script *s)
{
    if (s->p == s->end)
        return;
    if (*s->p == '{')
        texenv_script_group(s, true);
    else if (!texenv_script_listed(s->p, texenv_script_word(s->p, s->end),
                                   control)) /* else it is read on its own */
        other_statement(s, texenv_script_place(s, s->p), false);
}

/* `if (...)`, `for (...)` and so on are errors, and the governed statement is read as if it were
 * unconditional. With GL_ATI_fragment_shader they are errors only if such calls are inside. */
static void control_flow(struct texenv_script *s, const char *word, size_t n, struct texenv_place place)
{
    const bool passes = s->calls.reader->on_call != NULL;
    if (!passes || (leaves(word, n) && s->calls.in_shader))
        does_not_follow(s, word, n, place);
    s->failed = false;
    if (texenv_script_at(s, '('))
        texenv_script_group(s, true);
    else if (n == 4 && memcmp(word, "goto", 4) == 0) {
        other_statement(s, place, false);
        return;
    }
    texenv_script_blank(s, false);
    if (passes && !s->failed)
        governed_statement(s);
}

/* Reads a statement that begins with a name but is no call: a declaration, an assignment, or a macro. */
static void name_statement(struct texenv_script *s, const char *name, size_t n, struct texenv_place place)
{
    static const char *const uses[] = {"return", "throw", "delete", NULL};
    texenv_script_skipped_name(s, name, n, place);
    if (leaves(name, n) && s->calls.in_shader)
        does_not_follow(s, name, n, place);
    if (!s->failed)
        other_statement(s, place, !texenv_script_listed(name, n, uses));
}

static void statement(struct texenv_script *s)
{
    static const char *const labels[] = {"case", "default", NULL};
    struct texenv_place place = texenv_script_place(s, s->p);
    struct texenv_script_found found;
    const enum texenv_c_token kind = texenv_script_kind(s);
    char c = *s->p;
    if (c == ';' || c == '{' || c == '}') {
        s->p++;
    } else if (kind == TEXENV_C_NAME) {
        const char *word = s->p;
        size_t n = texenv_script_token(s);
        word = texenv_script_alias(s, word, &n);
        bool is_call = n > 2 && word[0] == 'g' && word[1] == 'l';
        if (!is_call && texenv_script_listed(word, n, control)) {
            control_flow(s, word, n, place);
            return;
        }
        if (!is_call && texenv_script_listed(word, n, labels)) {
            while (s->p < s->end && *s->p != ':' && *s->p != '\n')
                s->p++;
        }
        texenv_script_blank(s, false);
        /* skips namespaces and classes: A::f */
        while (s->end - s->p > 2 && s->p[0] == ':' && s->p[1] == ':' &&
               texenv_script_word(s->p + 2, s->end)) {
            s->p += 2;
            word = s->p;
            n = texenv_script_token(s);
            texenv_script_blank(s, false);
        }
        if (s->p < s->end && *s->p == ':' && !(s->end - s->p > 1 && s->p[1] == ':'))
            s->p++;
        else if (texenv_script_at(s, '('))
            call_statement(s, word, n, place);
        else
            name_statement(s, word, n, place);
    } else if (kind != TEXENV_C_PUNCT || memchr("(*&+-!~[.", c, 9)) {
        other_statement(s, place, false);
    } else {
        TEXENV_SCRIPT_ERROR(s, place, "syntax", "expected a statement, found %s",
                            texenv_script_found(s, &found));
    }
}

/* Continues after an error: moves past the next ";", or to the next line that begins with a call. */
static void recover(struct texenv_script *s)
{
    bool line = begins_line(s);
    while (s->p < s->end) {
        char c = *s->p;
        if (c == '\n') {
            newline(s);
            line = true;
            continue;
        }
        if (c == ';') {
            s->p++;
            return;
        }
        if ((c == '#' && line) || (c == '/' && s->end - s->p > 1 && (s->p[1] == '/' || s->p[1] == '*'))) {
            texenv_script_blank(s, false);
            line = begins_line(s);
            continue;
        }
        if (line && c == 'g' && s->end - s->p > 2 && s->p[1] == 'l' && s->p[2] >= 'A' && s->p[2] <= 'Z')
            return;
        line = line && (c == ' ' || c == '\t' || c == '\r');
        s->p++;
    }
}

/* ---- properties of the whole script ---- */

/* Determines whether the script contains an End (if not, each Begin ends immediately) and texture images (if
 * not, textures count as complete). */
static void look_ahead(struct texenv_script *s)
{
    struct texenv_sink sink = s->calls.reader->sink;
    uint64_t errors = s->calls.reader->errors;
    s->calls.reader->sink.report = NULL; /* errors are reported later, when the statements are read */
    while (s->p < s->end && !(s->calls.ends && s->calls.has_images)) {
        texenv_script_blank(s, true);
        const char *name = s->p;
        const enum texenv_c_token kind = texenv_script_kind(s);
        size_t n = texenv_script_token(s);
        if (kind != TEXENV_C_NAME)
            continue;
        name = texenv_script_alias(s, name, &n);
        if (n < 5 || name[0] != 'g' || name[1] != 'l' ||
            !(name[2] == 'T' || name[2] == 'C' || name[2] == 'E' || name[2] == 'u'))
            continue;
        const struct texenv_call_info *info = find_call(s, name, n);
        if (!info || !texenv_script_take(s, '('))
            continue;
        texenv_script_blank(s, false);
        s->calls.ends |= info->kind == TEXENV_CALL_END;
        if (info->sizes)
            s->calls.has_images |= !(s->end - s->p > 9 && memcmp(s->p, "GL_PROXY_", 9) == 0);
    }
    s->calls.reader->sink = sink;
    s->calls.reader->errors = errors;
    s->calls.stopped = s->failed = false;
}

static void finish(struct texenv_script *s)
{
    struct texenv_calls *calls = &s->calls;
    struct texenv_reader *reader = calls->reader;
    struct texenv_context *x = calls->context;
    if (x->compiling)
        texenv_emit(&reader->sink, TEXENV_WARNING, -1, x->compiling_from, "list-open",
                    "glNewList of list %u without a glEndList: the list is never made", x->compiling_name);
    if (reader->errors)
        return;
    if (!calls->ran) {
        reader->errors++;
        texenv_emit(&reader->sink, TEXENV_ERROR, -1, (struct texenv_place){.line = 1, .column = 1}, "empty",
                    reader->on_call ? "no call of GL_ATI_fragment_shader"
                                    : "no OpenGL call that texturing depends on, and no draw");
    } else if (reader->on_call) {
        return;
    } else if (reader->draws == 0 && reader->program_draws == 0)
        texenv_calls_draw(calls, texenv_script_place(s, s->p), TEXENV_DRAWS_UNKNOWN);
    else if (calls->after_draw.line)
        texenv_emit(&reader->sink, TEXENV_NOTE, -1, calls->after_draw, "after-last-draw",
                    "state calls after the last draw are ignored: nothing is drawn with them");
}

void texenv_read_gl(struct texenv_reader *reader, const char *text, size_t length)
{
    struct texenv_script script;
    memset(&script, 0, sizeof script);
    if (!texenv_calls_init(&script.calls, reader, false))
        return;
    const char *start = length ? text : "", *end = start + length;
    if (length >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        start += 3;
    script.p = script.line_start = start;
    script.end = end;
    script.line = 1;
    texenv_script_conditionals(&script);
    look_ahead(&script);
    script.p = script.line_start = start;
    script.line = 1;
    while (!script.calls.stopped) {
        script.failed = false;
        script.callee = NULL;
        texenv_script_blank(&script, true);
        if (script.p == script.end)
            break;
        if (!script.failed)
            statement(&script);
        if (script.failed)
            recover(&script);
    }
    if (!script.calls.stopped)
        finish(&script);
    texenv_calls_resize(&script.calls, script.conditional, 0);
    texenv_script_free_macros(&script);
    texenv_calls_free(&script.calls);
}
