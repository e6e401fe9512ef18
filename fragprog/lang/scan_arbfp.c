/* The scanner of ARB programs. */
#include "fragprog/lang/arbfp_read.h"
#include "fragprog/lex.h"

#include <float.h>
#include <string.h>

/* ---- errors ---- */

bool fragprog_arbfp_fail(struct arbfp_reader *r, const char *code, const char *format)
{
    texenv_emit(r->sink, TEXENV_ERROR, -1, r->place, code, format, (int)(r->length > 60 ? 60 : r->length),
                r->token);
    return false;
}

bool fragprog_arbfp_fail_at(struct arbfp_reader *r, struct texenv_place place, const char *code,
                            const char *text)
{
    texenv_emit(r->sink, TEXENV_ERROR, -1, place, code, "%s", text);
    return false;
}

bool fragprog_arbfp_expected(struct arbfp_reader *r, const char *what)
{
    fragprog_expected(r->sink, r->place, what, r->token, r->length);
    return false;
}

/* ---- tokens ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static void skip_blanks(struct arbfp_reader *r)
{
    for (bool comment = false; r->at < r->end; r->at++) {
        const char c = *r->at;
        const bool crlf = c == '\r' && r->at + 1 < r->end && r->at[1] == '\n';
        if ((c == '\n' || c == '\r') && !crlf) {
            r->line++;
            r->line_start = r->at + 1;
            comment = false;
        } else if (c == '#') {
            comment = true;
        } else if (!comment && c != ' ' && c != '\t' && !crlf) {
            return;
        }
    }
}

/* Returns the end of a number: digits, fraction, exponent. The point is not part of the number in "0..3" (a
 * range) and "2.x" (a suffix). */
static const char *end_of_number(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    if (at < end && *at == '.' && !(at + 1 < end && at[1] == '.')) {
        const char *after = at + 1;
        const bool exponent = after < end && (*after == 'e' || *after == 'E') && after + 1 < end &&
            (is_digit(after[1]) || after[1] == '+' || after[1] == '-');
        if (after == end || !is_letter(*after) || exponent)
            at = after;
        while (at < end && is_digit(*at))
            at++;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *digits = at + 1;
        if (digits < end && (*digits == '+' || *digits == '-'))
            digits++;
        if (digits < end && is_digit(*digits))
            for (at = digits; at < end && is_digit(*at);)
                at++;
    }
    return at;
}

void fragprog_arbfp_next(struct arbfp_reader *r)
{
    skip_blanks(r);
    r->token = r->at;
    r->place = (struct texenv_place){.line = r->line, .column = (uint32_t)(r->at - r->line_start) + 1};
    if (r->at == r->end) {
        r->kind = ARBFP_END_OF_TEXT;
    } else if (is_letter(*r->at)) {
        r->kind = ARBFP_WORD;
        while (r->at < r->end && (is_letter(*r->at) || is_digit(*r->at)))
            r->at++;
    } else if (is_digit(*r->at) || (*r->at == '.' && r->at + 1 < r->end && is_digit(r->at[1]))) {
        r->kind = ARBFP_NUMBER;
        r->at = end_of_number(r->at, r->end);
    } else if (*r->at == '.' && r->at + 1 < r->end && r->at[1] == '.') {
        r->kind = ARBFP_RANGE;
        r->at += 2;
    } else {
        r->kind = ARBFP_CHARACTER;
        r->at++;
    }
    r->length = (size_t)(r->at - r->token);
}

bool fragprog_arbfp_is(const struct arbfp_reader *r, const char *word)
{
    return r->kind == ARBFP_WORD && strlen(word) == r->length && memcmp(word, r->token, r->length) == 0;
}

bool fragprog_arbfp_is_char(const struct arbfp_reader *r, char c)
{
    return r->kind == ARBFP_CHARACTER && *r->token == c;
}

bool fragprog_arbfp_accept(struct arbfp_reader *r, char c)
{
    if (!fragprog_arbfp_is_char(r, c))
        return false;
    fragprog_arbfp_next(r);
    return true;
}

bool fragprog_arbfp_accept_word(struct arbfp_reader *r, const char *word)
{
    if (!fragprog_arbfp_is(r, word))
        return false;
    fragprog_arbfp_next(r);
    return true;
}

bool fragprog_arbfp_expect(struct arbfp_reader *r, char c)
{
    const char what[] = {'"', c, '"', 0};
    return fragprog_arbfp_accept(r, c) || fragprog_arbfp_expected(r, what);
}

bool fragprog_arbfp_expect_word(struct arbfp_reader *r, const char *word)
{
    return fragprog_arbfp_accept_word(r, word) || fragprog_arbfp_expected(r, word);
}

bool fragprog_arbfp_integer(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value)
{
    *value = 0;
    for (size_t i = 0; i < r->length; i++)
        if (r->kind != ARBFP_NUMBER || !is_digit(r->token[i]))
            return fragprog_arbfp_expected(r, what);
    if (r->kind != ARBFP_NUMBER)
        return fragprog_arbfp_expected(r, what);
    for (size_t i = 0; i < r->length; i++) {
        *value = *value * 10 + (uint32_t)(r->token[i] - '0');
        if (*value >= limit) {
            texenv_emit(r->sink, TEXENV_ERROR, -1, r->place, "index", "%s is below %u", what, limit);
            return false;
        }
    }
    fragprog_arbfp_next(r);
    return true;
}

bool fragprog_arbfp_index(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value)
{
    return fragprog_arbfp_expect(r, '[') && fragprog_arbfp_integer(r, limit, what, value) &&
        fragprog_arbfp_expect(r, ']');
}

bool fragprog_arbfp_optional_index(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value)
{
    *value = 0;
    return !fragprog_arbfp_is_char(r, '[') || fragprog_arbfp_index(r, limit, what, value);
}

unsigned fragprog_arbfp_is_secondary(struct arbfp_reader *r)
{
    const struct arbfp_reader before = *r;
    if (!fragprog_arbfp_accept(r, '.'))
        return 0;
    const bool secondary = fragprog_arbfp_accept_word(r, "secondary");
    if (!secondary && !fragprog_arbfp_accept_word(r, "primary"))
        *r = before;
    return secondary;
}

bool fragprog_arbfp_number(struct arbfp_reader *r, bool sign, float *value)
{
    bool minus = false;
    if (sign && (fragprog_arbfp_is_char(r, '-') || fragprog_arbfp_is_char(r, '+'))) {
        minus = fragprog_arbfp_is_char(r, '-');
        fragprog_arbfp_next(r);
    }
    if (r->kind != ARBFP_NUMBER)
        return fragprog_arbfp_expected(r, "a number");
    texenv_scan_float(value, r->token, r->length);
    if (*value > FLT_MAX)
        return fragprog_arbfp_fail(r, "number", "the number %.*s is out of range");
    *value = minus ? -*value : *value;
    fragprog_arbfp_next(r);
    return true;
}
