/* The scanner of the intermediate program's text: characters, words and errors. */
#include "fragprog/scan_ir.h"
#include "fragprog/lex.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Errors
 */

static struct texenv_place place(const struct fragprog_scan *r, const char *at)
{
    return (struct texenv_place){.line = r->line, .column = (uint32_t)(at - r->line_start) + 1};
}

bool fragprog_scan_fail(const struct fragprog_scan *r, const char *at, const char *code, const char *message)
{
    texenv_emit(r->sink, TEXENV_ERROR, -1, place(r, at), code, "%s", message);
    return false;
}

bool fragprog_scan_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool fragprog_scan_expected(const struct fragprog_scan *r, const char *what)
{
    const size_t n = fragprog_scan_word(r);
    if (r->at < r->end && (*r->at == '\n' || *r->at == '\r' || *r->at == '#'))
        texenv_emit(r->sink, TEXENV_ERROR, -1, place(r, r->at), "syntax",
                    "expected %s, found the end of the line", what);
    else
        fragprog_expected(r->sink, place(r, r->at), what, r->at, n ? n : r->at < r->end);
    return false;
}

/* ------------------------------------------------------------------------------------------------
 * Characters and words
 */

void fragprog_scan_blanks(struct fragprog_scan *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

bool fragprog_scan_accept(struct fragprog_scan *r, char c)
{
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

bool fragprog_scan_expect(struct fragprog_scan *r, char c, const char *what)
{
    fragprog_scan_blanks(r);
    if (!fragprog_scan_accept(r, c))
        return fragprog_scan_expected(r, what);
    fragprog_scan_blanks(r);
    return true;
}

bool fragprog_scan_end_line(struct fragprog_scan *r)
{
    fragprog_scan_blanks(r);
    if (r->at < r->end && *r->at == '#')
        while (r->at < r->end && *r->at != '\n')
            r->at++;
    if (r->end - r->at >= 2 && r->at[0] == '\r' && r->at[1] == '\n')
        r->at++;
    if (r->at == r->end)
        return true;
    if (*r->at != '\n')
        return fragprog_scan_expected(r, "the end of the line");
    r->line_start = ++r->at;
    r->line++;
    return true;
}

bool fragprog_scan_statement(struct fragprog_scan *r, bool *ok)
{
    *ok = true;
    for (;;) {
        fragprog_scan_blanks(r);
        if (r->at == r->end)
            return false;
        if (*r->at != '#' && *r->at != '\n' && *r->at != '\r')
            return true;
        *ok = fragprog_scan_end_line(r);
        if (!*ok)
            return false;
    }
}

size_t fragprog_scan_word(const struct fragprog_scan *r)
{
    size_t n = 0;
    while (r->at + n < r->end && fragprog_scan_is_word(r->at[n]))
        n++;
    return n;
}

bool fragprog_scan_at(const struct fragprog_scan *r, const char *word)
{
    return fragprog_name_is(word, r->at, fragprog_scan_word(r));
}

bool fragprog_scan_index(struct fragprog_scan *r, unsigned max, const char *what, unsigned *value)
{
    const char *start = r->at;
    unsigned n = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
        n = n * 10 + (unsigned)(*r->at++ - '0');
        if (n > max) {
            r->at = start;
            texenv_emit(r->sink, TEXENV_ERROR, -1, place(r, start), "number", "%s is at most %u", what, max);
            return false;
        }
    }
    if (r->at == start)
        return fragprog_scan_expected(r, what);
    if (r->at < r->end && fragprog_scan_is_word(*r->at)) {
        r->at = start;
        return fragprog_scan_expected(r, what);
    }
    *value = n;
    return true;
}

bool fragprog_scan_name(struct fragprog_scan *r, const struct fragprog_name *table, const char *what,
                        int32_t *value)
{
    size_t n = fragprog_scan_word(r);
    const struct fragprog_name *row = n ? fragprog_name_find(table, r->at, n) : NULL;
    if (!row)
        return fragprog_scan_expected(r, what);
    r->at += n;
    *value = row->value;
    return true;
}
