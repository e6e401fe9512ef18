/* Guesses which input format a text has from its first tokens (notes/formats.md). */
#include "texenv/texenv.h"

#include <string.h>

struct cursor {
    const char *at, *end;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_word(char c) { return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '_'; }

static bool begins(const struct cursor *c, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(c->end - c->at) >= n && memcmp(c->at, word, n) == 0;
}

static void skip_line(struct cursor *c)
{
    while (c->at < c->end && *c->at != '\n')
        c->at++;
}

/* Skips blanks, newlines and the comments of every format. Sets *trace if one of these comments is a line
 * that `apitrace dump` writes before the first call. */
static void skip_comments(struct cursor *c, bool *trace)
{
    while (c->at < c->end) {
        if (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n') {
            c->at++;
        } else if (*c->at == '#' || begins(c, "//")) {
            *trace |= begins(c, "// process.");
            skip_line(c);
        } else if (begins(c, "/*")) {
            for (c->at += 2; c->at < c->end && !begins(c, "*/");)
                c->at++;
            c->at += c->at < c->end ? 2 : 0;
        } else {
            return;
        }
    }
}

/* Returns whether the text starts with a call record of a trace: "123 glFoo(" or "123 @1 glFoo(". */
static bool is_call_record(struct cursor c)
{
    const char *digits = c.at;
    while (c.at < c.end && is_digit(*c.at))
        c.at++;
    if (c.at == digits)
        return false;
    for (unsigned part = 0; part < 2; part++) {
        while (c.at < c.end && *c.at == ' ')
            c.at++;
        if (part == 0 && c.at < c.end && *c.at == '@') {
            c.at++;
            while (c.at < c.end && is_word(*c.at))
                c.at++;
        }
    }
    const char *name = c.at;
    while (c.at < c.end && is_word(*c.at))
        c.at++;
    return c.at > name && !is_digit(*name) && c.at < c.end && *c.at == '(';
}

/* Returns whether a name of the form glXyz occurs outside of comments. Stage notation has no such names. */
static bool names_gl(struct cursor c)
{
    bool trace = false;
    for (; skip_comments(&c, &trace), c.at < c.end; c.at++) {
        if (!is_word(*c.at))
            continue;
        if (begins(&c, "gl") && c.end - c.at > 2 && is_upper(c.at[2]))
            return true;
        while (c.at + 1 < c.end && is_word(c.at[1]))
            c.at++;
    }
    return false;
}

const char *texenv_guess_form(const char *text, size_t length)
{
    text = length ? text : ""; /* text may be NULL then, and C leaves NULL + 0 undefined */
    struct cursor c = {text, text + length};
    bool trace = false;
    if (begins(&c, "\xef\xbb\xbf")) /* byte order mark */
        c.at += 3;
    skip_comments(&c, &trace);
    if (begins(&c, "!!ATIfs"))
        return "atifs";
    if (begins(&c, "!!ARBfp") || begins(&c, "!!ARBvp"))
        return "arbfp";
    if (begins(&c, "!!texir"))
        return "ir";
    if (is_call_record(c) || (trace && c.at == c.end))
        return "apitrace";
    if (begins(&c, "{") && !names_gl(c)) /* a block of C code would contain GL calls */
        return "stages";
    return "gl";
}
