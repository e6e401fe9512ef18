/* A lexer for texts of words and single characters: "!!ATIfs1.0" and "!!RC1.0". White space and comments
 * separate tokens. Whether a word may begin with a digit depends on the context, so the lexer treats all
 * words equally and the parser decides. Internal to the readers. */
#ifndef FRAGPROG_LEX_H
#define FRAGPROG_LEX_H

#include "texenv/texenv.h"

enum fragprog_lex_kind {
    FRAGPROG_LEX_END,
    FRAGPROG_LEX_WORD, /* letters, digits and "_": keywords, names, "0", "2x", "str_dr" */
    FRAGPROG_LEX_CHAR  /* any other single byte */
};

struct fragprog_lex {
    /* The caller sets these fields, and all others to 0, and calls fragprog_lex_next to read the first
     * token. */
    const char *text;
    size_t length, next; /* next: offset of the first byte after the current token */
    uint32_t line;
    bool c_comments; /* accept C comments besides those that begin with "#" */
    /* Called for each comment that begins with "#", with its text without "#" and surrounding white space;
     * may be NULL. */
    void (*comment)(struct fragprog_lex *lex, const char *s, size_t n, struct texenv_place place);
    const struct texenv_sink *sink;

    size_t line_start;
    enum fragprog_lex_kind kind; /* this and the following fields describe the current token */
    size_t start, size;
    struct texenv_place place;
    bool failed; /* an error in a comment was reported */
};

/* Advances to the next token. */
void fragprog_lex_next(struct fragprog_lex *lex);
bool fragprog_lex_is(const struct fragprog_lex *lex, const char *token);
/* If the current token is `token`, advances and returns true; else returns false without an error. */
bool fragprog_lex_accept(struct fragprog_lex *lex, const char *token);
/* Reads a number, which starts at the current token and may extend beyond it ("0.5" is one token only here),
 * as texenv_scan_number does. */
bool fragprog_lex_number(struct fragprog_lex *lex, double *value);
/* Reports "expected WHAT, found ..." at n characters that are one token; 0: the end of the text. */
void fragprog_expected(const struct texenv_sink *sink, struct texenv_place place, const char *what,
                       const char *found, size_t n);
/* Report an error and return false. */
bool fragprog_lex_expected(const struct fragprog_lex *lex, const char *what);
bool fragprog_lex_fail(const struct fragprog_lex *lex, struct texenv_place place, const char *code,
                       const char *message);
/* Returns whether a comment matches the pattern, in which "#" matches a number, stored to *number++, and a
 * blank matches one or more blanks. Numbers above 99 become 99. */
bool fragprog_lex_matches(const char *s, size_t n, const char *pattern, int *number);

#endif
