/* The lexer: words and single characters by longest match. Numbers are read only where the parser asks for
 * one. */
#include "fragprog/lex.h"
#include "fragprog/names.h"

#include <string.h>

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool fragprog_lex_fail(const struct fragprog_lex *lex, struct texenv_place place, const char *code,
                       const char *message)
{
    texenv_emit(lex->sink, TEXENV_ERROR, -1, place, code, "%s", message);
    return false;
}

void fragprog_expected(const struct texenv_sink *sink, struct texenv_place place, const char *what,
                       const char *found, size_t n)
{
    if (n == 0)
        texenv_emit(sink, TEXENV_ERROR, -1, place, "syntax", "expected %s, found the end of the text", what);
    else if (n == 1 && (*found <= ' ' || *found > '~'))
        texenv_emit(sink, TEXENV_ERROR, -1, place, "syntax", "expected %s, found the character 0x%x", what,
                    (unsigned)(unsigned char)*found);
    else
        texenv_emit(sink, TEXENV_ERROR, -1, place, "syntax", "expected %s, found \"%.*s\"", what,
                    n < 40 ? (int)n : 40, found);
}

bool fragprog_lex_expected(const struct fragprog_lex *lex, const char *what)
{
    fragprog_expected(lex->sink, lex->place, what, lex->text + lex->start, lex->size);
    return false;
}

bool fragprog_lex_matches(const char *s, size_t n, const char *pattern, int *number)
{
    size_t at = 0;
    for (; *pattern; pattern++) {
        size_t from = at;
        if (*pattern == '#') {
            *number = 0;
            for (; at < n && s[at] >= '0' && s[at] <= '9'; at++)
                *number = *number < 10 ? *number * 10 + (s[at] - '0') : 99;
            number++;
        } else if (*pattern == ' ') {
            while (at < n && (s[at] == ' ' || s[at] == '\t'))
                at++;
        } else if (at < n && s[at] == *pattern) {
            at++;
        }
        if (at == from)
            return false;
    }
    return at == n;
}

static struct texenv_place place_of(const struct fragprog_lex *lex, size_t at)
{
    return (struct texenv_place){.line = lex->line, .column = (uint32_t)(at - lex->line_start) + 1};
}

/* Skips a comment, which ends at a newline, a carriage return, or the end of the text. */
static void skip_comment(struct fragprog_lex *lex)
{
    const char *s = lex->text;
    size_t at = lex->next + 1, end = at;
    while (end < lex->length && s[end] != '\n' && s[end] != '\r')
        end++;
    struct texenv_place place = place_of(lex, lex->next);
    lex->next = end;
    while (at < end && (s[at] == ' ' || s[at] == '\t'))
        at++;
    while (end > at && (s[end - 1] == ' ' || s[end - 1] == '\t'))
        end--;
    if (lex->comment)
        lex->comment(lex, s + at, end - at, place);
}

static void skip_character(struct fragprog_lex *lex)
{
    if (lex->text[lex->next++] == '\n') {
        lex->line_start = lex->next;
        lex->line++;
    }
}

/* Returns whether a C comment begins here: with a slash followed by `second`. */
static bool is_c_comment(const struct fragprog_lex *lex, char second)
{
    return lex->c_comments && lex->length - lex->next >= 2 && lex->text[lex->next] == '/' &&
        lex->text[lex->next + 1] == second;
}

static void skip_c_comment(struct fragprog_lex *lex)
{
    const size_t first = lex->next + 3; /* the earliest position of its final slash */
    while (lex->next < lex->length &&
           (lex->next < first || lex->text[lex->next - 1] != '*' || lex->text[lex->next] != '/'))
        skip_character(lex);
    if (lex->next < lex->length)
        lex->next++;
}

void fragprog_lex_next(struct fragprog_lex *lex)
{
    const char *s = lex->text;
    while (lex->next < lex->length) {
        const char c = s[lex->next];
        if (c == '#' || is_c_comment(lex, '/'))
            skip_comment(lex);
        else if (is_c_comment(lex, '*'))
            skip_c_comment(lex);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            skip_character(lex);
        else
            break;
    }
    lex->place = place_of(lex, lex->next);
    lex->start = lex->next;
    if (lex->next == lex->length) {
        lex->kind = FRAGPROG_LEX_END;
    } else if (!is_word(s[lex->next])) {
        lex->kind = FRAGPROG_LEX_CHAR;
        lex->next++;
    } else {
        lex->kind = FRAGPROG_LEX_WORD;
        while (lex->next < lex->length && is_word(s[lex->next]))
            lex->next++;
    }
    lex->size = lex->next - lex->start;
}

bool fragprog_lex_is(const struct fragprog_lex *lex, const char *token)
{
    return lex->kind != FRAGPROG_LEX_END && fragprog_name_is(token, lex->text + lex->start, lex->size);
}

bool fragprog_lex_accept(struct fragprog_lex *lex, const char *token)
{
    if (!fragprog_lex_is(lex, token))
        return false;
    fragprog_lex_next(lex);
    return true;
}

bool fragprog_lex_number(struct fragprog_lex *lex, double *value)
{
    const char *s = lex->text;
    size_t end = lex->start + texenv_scan_number(value, s + lex->start, lex->length - lex->start);
    if (end == lex->start || (end < lex->length && (is_word(s[end]) || s[end] == '.')))
        return fragprog_lex_expected(lex, "a number from 0 to 1");
    if (!(*value <= 1))
        return fragprog_lex_fail(lex, lex->place, "number", "a constant is in the range from 0 to 1");
    lex->next = end;
    fragprog_lex_next(lex);
    return true;
}
