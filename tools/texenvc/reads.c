#include "reads.h"
#include "fragprog/reads.h"

#include <string.h>

/* ---- from a state ---- */

static void add_read(struct fragprog_reads *reads, unsigned stage, unsigned read)
{
    uint8_t n = reads->stage[stage].n;
    for (unsigned i = 0; i < n; i++)
        if (reads->stage[stage].read[i] == read)
            return;
    reads->stage[stage].read[n] = (uint8_t)read;
    reads->stage[stage].n++;
}

static unsigned read_of_arg(const struct texenv_arg *arg)
{
    switch (arg->source) {
    case TEXENV_S_TEXTURE: return arg->unit;
    case TEXENV_S_PREVIOUS: return FRAGPROG_READ_PREVIOUS;
    case TEXENV_S_PRIMARY: return FRAGPROG_READ_OTHER;
    case TEXENV_S_CONSTANT: return FRAGPROG_READ_OTHER + 1;
    case TEXENV_S_ONE: return FRAGPROG_READ_OTHER + 3;
    default: return FRAGPROG_READ_OTHER + 2;
    }
}

/* Returns whether Arg2 comes before Arg1 in notation: a*b+c has the arguments Arg0, Arg2, Arg1. */
static bool is_product_first(unsigned func)
{
    return func == TEXENV_F_MODULATE_ADD || func == TEXENV_F_MODULATE_SIGNED_ADD ||
        func == TEXENV_F_MODULATE_SUBTRACT;
}

static bool passes_on(const struct texenv_half half[2])
{
    for (unsigned h = 0; h < 2; h++)
        if (half[h].func != TEXENV_F_REPLACE || half[h].scale != 1 ||
            half[h].arg[0].source != TEXENV_S_PREVIOUS || half[h].arg[0].complement ||
            half[h].arg[0].alpha != (h == TEXENV_ALPHA))
            return false;
    return true;
}

void reads_of_state(struct fragprog_reads *reads, const struct texenv_state *state)
{
    unsigned needed = 1; /* number of stages up to the last one that computes something */
    *reads = (struct fragprog_reads){0};
    for (unsigned u = 0; u < state->nstages; u++) {
        struct texenv_half half[2];
        if (state->stage[u].mode == TEXENV_OFF)
            continue;
        texenv_stage_halves(half, state, u);
        for (unsigned h = 0; h < 2; h++) {
            if (h == TEXENV_ALPHA && texenv_func_writes_alpha(half[TEXENV_RGB].func))
                continue;
            static const uint8_t plain[] = {0, 1, 2, 3}, product[] = {0, 2, 1, 3};
            const uint8_t *order = is_product_first(half[h].func) ? product : plain;
            for (unsigned a = 0; a < texenv_func_args(half[h].func); a++)
                add_read(reads, reads->nstages, read_of_arg(&half[h].arg[order[a]]));
        }
        reads->nstages++;
        if (!passes_on(half))
            needed = reads->nstages;
    }
    if (reads->nstages > needed)
        reads->nstages = (uint8_t)needed;
}

/* ---- from notation without operations ---- */

struct scanner {
    struct reading *in;
    const char *at, *end, *line_start;
    uint32_t line;
    bool failed;
};

static struct texenv_place place_at(const struct scanner *s, const char *at)
{
    return (struct texenv_place){.line = s->line, .column = (uint32_t)(at - s->line_start) + 1};
}

static void fail(struct scanner *s, const char *code, const char *text, const char *hint)
{
    struct texenv_sink sink = diag_sink(&s->in->source);
    int length = s->at < s->end && *s->at != '\n' ? 1 : 0;
    while (length && s->at + length < s->end && length < 20 && strchr("{}, \t\r\n", s->at[length]) == NULL &&
           strchr("{},", *s->at) == NULL)
        length++;
    if (length)
        texenv_emit(&sink, TEXENV_ERROR, -1, place_at(s, s->at), code, "%s, not '%.*s'%s", text, length,
                    s->at, hint);
    else
        texenv_emit(&sink, TEXENV_ERROR, -1, place_at(s, s->at), code, "%s, not the end of the %s%s", text,
                    s->at < s->end ? "line" : "text", hint);
    s->failed = true;
}

static void skip_blanks(struct scanner *s, bool newlines)
{
    while (s->at < s->end) {
        if (*s->at == '\n' && !newlines)
            return;
        if (*s->at == '#') {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
        } else if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] == '\n') {
            s->at++;
            newlines = true;
        } else if (*s->at == '\n' || *s->at == ' ' || *s->at == '\t' || *s->at == '\r') {
            s->at++;
            if (s->at[-1] == '\n') {
                s->line++;
                s->line_start = s->at;
            }
        } else {
            return;
        }
    }
}

static bool take(struct scanner *s, char c, bool newlines)
{
    skip_blanks(s, newlines);
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

static const char names[] = "FC01";

static int scan_name(struct scanner *s)
{
    skip_blanks(s, true);
    const char *at = s->at;
    bool alone = at < s->end && (at + 1 == s->end || strchr("{}, \t\r\n#\\", at[1]));
    if (at < s->end && *at == 'T' && s->end - at > 1 && at[1] >= '0' && at[1] <= '7' &&
        (s->end - at == 2 || strchr("{}, \t\r\n#\\", at[2]))) {
        s->at += 2;
        return at[1] - '0';
    }
    if (alone && *at == 'P') {
        s->at++;
        return FRAGPROG_READ_PREVIOUS;
    }
    if (alone && strchr(names, *at)) {
        s->at++;
        return FRAGPROG_READ_OTHER + (int)(strchr(names, *at) - names);
    }
    fail(s, "name", "expected a read", " (T0 to T7, P, F, C, 0, 1)");
    return -1;
}

static void scan_stage(struct scanner *s, struct fragprog_reads *reads)
{
    if (reads->nstages == TEXENV_UNITS) {
        s->at--;
        fail(s, "stages", "expected the end", " (8 stages are the most)");
        return;
    }
    if (take(s, '}', true))
        return; /* {} is a unit that is off, which is no stage */
    for (unsigned n = 0;; n++) {
        if (n == 8) {
            fail(s, "reads", "expected '}'", " (8 reads are the most)");
            return;
        }
        int read = scan_name(s);
        if (read < 0)
            return;
        add_read(reads, reads->nstages, (unsigned)read);
        if (take(s, '}', true))
            break;
        if (!take(s, ',', true)) {
            fail(s, "separator", "expected ',' or '}'", " (this form lists reads without operations)");
            return;
        }
    }
    reads->nstages++;
}

static void scan_line(struct scanner *s)
{
    struct fragprog_reads reads = {0};
    struct texenv_place place = place_at(s, s->at);
    bool outer = false;
    if (!take(s, '{', true)) {
        fail(s, "stage", "expected '{'", "");
        return;
    }
    skip_blanks(s, true);
    if (s->at < s->end && *s->at == '{') {
        outer = true;
        s->at++;
    }
    for (;;) {
        scan_stage(s, &reads);
        if (s->failed)
            return;
        bool comma = take(s, ',', outer);
        if (take(s, '{', comma || outer))
            continue;
        if (comma) {
            fail(s, "stage", "expected '{' after the comma", "");
            return;
        }
        break;
    }
    if (outer && !take(s, '}', true)) {
        fail(s, "brace", "expected '{' or the outer '}'", "");
        return;
    }
    skip_blanks(s, false);
    if (s->at < s->end && *s->at != '\n') {
        fail(s, "stage", "expected '{' or the end of the line", "");
        return;
    }
    struct item item = {.place = place, .draws = 1, .reads = &reads};
    deliver(s->in, &item);
}

/* Returns whether the text has a comma inside a stage's braces but outside of parentheses, which only this
 * notation has. */
static bool has_list(const char *text, size_t length)
{
    char before = 0;
    int parentheses = 0;
    bool comment = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        comment = (comment || c == '#') && c != '\n';
        if (comment || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\')
            continue;
        parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ';' || (c >= 'a' && c <= 'z' && before == 'g')) /* the text contains calls or formulas */
            return false;
        if (c == ',' && before != '}' && before && parentheses == 0)
            return true;
        before = c;
    }
    return false;
}

bool claim_reads(struct reading *in, const char *text, size_t length)
{
    struct scanner s = {.in = in, .at = text, .end = text + length, .line_start = text, .line = 1};
    skip_blanks(&s, true);
    if (s.at == s.end || *s.at != '{' || !has_list(text, length))
        return false;
    while (!s.failed && s.at < s.end) {
        scan_line(&s);
        if (!s.failed)
            skip_blanks(&s, true);
    }
    return true;
}
