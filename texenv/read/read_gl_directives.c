/* Preprocessor conditionals of a script (notes/formats/gl.md). They are found in one pass before the script
 * is read. Text that `#if 0` removes is stored as ranges to skip. For any other conditional a warning says
 * that all its branches are read. A "#" line that is no conditional is treated as a comment. */
#include "texenv/read/read_gl.h"

enum directive { NO_DIRECTIVE, OPENS, OPENS_ZERO, BRANCH, ELSE, CLOSES };

struct texenv_script_conditional {
    /* the range from the "#" of `#if 0` to the end of the line with its #else, #elif or #endif; `to` is NULL
     * until that line is found */
    const char *from, *to;
    struct texenv_place place, branch; /* places of the "#" and of the #elif of `#if 0` */
    size_t outer;                      /* 1 + the index of the enclosing conditional; 0: none */
    bool zero, closed;
};

/* Returns the length of a backslash and a newline at p, or 0 if there are none. */
static size_t continuation(const char *p, const char *end)
{
    if (end - p > 1 && p[0] == '\\' && p[1] == '\n')
        return 2;
    return end - p > 2 && p[0] == '\\' && p[1] == '\r' && p[2] == '\n' ? 3 : 0;
}

static const char *blanks(const char *p, const char *end)
{
    for (;;) {
        size_t n = continuation(p, end);
        if (n == 0 && !(p < end && (*p == ' ' || *p == '\t')))
            return p;
        p += n ? n : 1;
    }
}

/* Returns whether a directive ends at p: at the end of the line or at a comment. */
static bool at_end(const char *p, const char *end)
{
    return p == end || *p == '\n' || *p == '\r' ||
        (end - p > 1 && p[0] == '/' && (p[1] == '/' || p[1] == '*'));
}

/* Returns whether the text after #if or #elif can be a C expression, that is, ends with an operand and has no
 * two adjacent operands. This distinguishes directives from prose in "#" comments. */
static bool is_condition(const char *p, const char *end)
{
    bool operand = false, defined = false;
    for (p = blanks(p, end); !at_end(p, end); p = blanks(p, end)) {
        const size_t n = texenv_script_word(p, end);
        if (n ? operand && !defined : !memchr("()!<>=&|+-*/%~^?:", *p, 17))
            return false;
        operand = n || *p == ')';
        defined = texenv_names_equal(p, n, "defined");
        p += n ? n : 1;
    }
    return operand && !defined;
}

/* Classifies the line with the "#" at p. */
static enum directive directive_at(const char *p, const char *end)
{
    const char *word = blanks(p + 1, end);
    const size_t n = texenv_script_word(word, end);
    const char *rest = blanks(word + n, end);
    if (texenv_names_equal(word, n, "if")) {
        if (rest < end && *rest == '0' && at_end(blanks(rest + 1, end), end))
            return OPENS_ZERO;
        return is_condition(rest, end) ? OPENS : NO_DIRECTIVE;
    }
    if (texenv_names_equal(word, n, "ifdef") || texenv_names_equal(word, n, "ifndef")) {
        const size_t name = texenv_script_word(rest, end);
        return name && at_end(blanks(rest + name, end), end) ? OPENS : NO_DIRECTIVE;
    }
    if (texenv_names_equal(word, n, "elif"))
        return is_condition(rest, end) ? BRANCH : NO_DIRECTIVE;
    if (!at_end(rest, end))
        return NO_DIRECTIVE;
    return texenv_names_equal(word, n, "else") ? ELSE
        : texenv_names_equal(word, n, "endif") ? CLOSES
                                               : NO_DIRECTIVE;
}

/* Returns the end of the line at p, including lines joined to it by backslashes. */
static const char *line_end(const char *p, const char *end)
{
    for (;;) {
        const char *newline = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
        if (!newline)
            return end;
        const char *last = newline > p && newline[-1] == '\r' ? newline - 1 : newline;
        if (last == p || last[-1] != '\\')
            return newline;
        p = newline + 1;
    }
}

static bool has_endif(const char *p, const char *end)
{
    for (; p < end && (p = memchr(p, '#', (size_t)(end - p))); p++)
        if (directive_at(p, end) == CLOSES || directive_at(p, end) == OPENS_ZERO)
            return true;
    return false;
}

static struct texenv_script_conditional *new_conditional(struct texenv_script *s)
{
    if (s->conditional_count == s->conditional_capacity) {
        size_t capacity = s->conditional_capacity ? 2 * s->conditional_capacity : 16;
        struct texenv_script_conditional *grown = texenv_calls_resize(&s->calls, s->conditional,
                                                                      capacity * sizeof *grown);
        if (!grown)
            return NULL;
        s->conditional = grown;
        s->conditional_capacity = capacity;
    }
    return &s->conditional[s->conditional_count++];
}

/* Processes one directive. *open is 1 + the index of the innermost open conditional. Returns false without
 * memory. */
static bool note(struct texenv_script *s, enum directive what, const char *at, struct texenv_place place,
                 size_t *open)
{
    if (what == OPENS || what == OPENS_ZERO) {
        struct texenv_script_conditional *c = new_conditional(s);
        if (!c)
            return false;
        *c = (struct texenv_script_conditional){
            .from = at, .place = place, .outer = *open, .zero = what == OPENS_ZERO};
        *open = s->conditional_count;
    } else if (*open) {
        struct texenv_script_conditional *c = &s->conditional[*open - 1];
        if (c->zero && !c->to) {
            c->to = line_end(at, s->end);
            if (what == BRANCH)
                c->branch = place;
        }
        if (what == CLOSES) {
            c->closed = true;
            *open = c->outer;
        }
    }
    return true;
}

/* Records all conditionals from s->p to the end. Returns false if there is no memory. */
static bool find_all(struct texenv_script *s)
{
    const char *p = s->p, *end = s->end, *line_start = p;
    uint32_t line = s->line;
    size_t open = 0;
    bool first = true; /* only blanks precede p on its line */
    while (p < end) {
        const char *from = p;
        char c = *p++;
        if (c == '#' || (c == '/' && p < end && *p == '/')) {
            enum directive what = first && c == '#' ? directive_at(from, end) : NO_DIRECTIVE;
            struct texenv_place place = {.line = line, .column = (uint32_t)(from - line_start) + 1};
            if (what != NO_DIRECTIVE && !note(s, what, from, place, &open))
                return false;
            p = line_end(from, end);
        } else if (c == '/' && p < end && *p == '*') {
            for (p++; p < end && !(*p == '*' && end - p > 1 && p[1] == '/'); p++)
                ;
            p = end - p > 2 ? p + 2 : end;
        } else if (c == '"' || c == '\'') {
            enum texenv_c_token kind;
            p = from + texenv_scan_token(&kind, from, (size_t)(end - from), false);
        } else if (c != ' ' && c != '\t' && c != '\n') {
            first = false;
            continue;
        }
        for (const char *q = from; q < p && (q = memchr(q, '\n', (size_t)(p - q))); q++) {
            line++;
            line_start = q + 1;
        }
        first = c == '\n' || (first && (c == ' ' || c == '\t'));
    }
    return true;
}

void texenv_script_conditionals(struct texenv_script *s)
{
    const struct texenv_sink *sink = &s->calls.reader->sink;
    if (!has_endif(s->p, s->end))
        return;
    if (!find_all(s)) {
        texenv_calls_no_memory(&s->calls, (struct texenv_place){.line = s->line, .column = 1});
        return;
    }
    size_t kept = 0;
    const char *read_from = s->p; /* everything before this position is skipped */
    for (size_t i = 0; i < s->conditional_count; i++) {
        const struct texenv_script_conditional c = s->conditional[i];
        if (c.from < read_from)
            continue;
        if (c.closed && c.zero) {
            read_from = c.to;
            s->conditional[kept++] = c;
        } else if (c.zero) {
            texenv_emit(sink, TEXENV_WARNING, -1, c.place, "not-followed",
                        "#if 0 without an #endif: only this line is ignored");
        }
        if (c.closed && (!c.zero || c.branch.line))
            texenv_emit(sink, TEXENV_WARNING, -1, c.zero ? c.branch : c.place, "not-followed",
                        "preprocessor conditions are not evaluated: all branches up to the #endif are read");
    }
    s->conditional_count = kept;
}

const char *texenv_script_passed_over(const struct texenv_script *s)
{
    size_t low = 0, high = s->conditional_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->conditional[middle].from < s->p)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->conditional_count && s->conditional[low].from == s->p ? s->conditional[low].to
                                                                          : line_end(s->p, s->end);
}
