/* Tokens of texts that are made of words and single characters: "!!ATIfs1.0" and "!!RC1.0". White space and
 * comments separate tokens and are otherwise free. Which words may begin with a digit depends on the place,
 * so that every word is lexed alike and the grammar decides. Private to the readers. */
#ifndef FRAGPROG_LEX_H
#define FRAGPROG_LEX_H

#include "texenv/texenv.h"

enum fragprog_lex_kind {
    FRAGPROG_LEX_END,
    FRAGPROG_LEX_WORD, /* letters, digits and "_": keywords, names, "0", "2x", "str_dr" */
    FRAGPROG_LEX_CHAR  /* any other byte by itself */
};

struct fragprog_lex {
    /* The caller's, before the first fragprog_lex_next, which makes the first token current. All that is not
     * named is 0. */
    const char *text;
    size_t length, next; /* next: of the first byte after the current token */
    uint32_t line;
    bool c_comments; /* besides those that begin with "#" */
    /* What a comment that begins with "#" says, without that and white space at its ends. */
    void (*comment)(struct fragprog_lex *lex, const char *s, size_t n, struct texenv_place place);
    const struct texenv_sink *sink;

    size_t line_start;
    enum fragprog_lex_kind kind; /* the current token */
    size_t start, size;
    struct texenv_place place;
    bool failed; /* a comment is wrong: an error was reported */
};

/* On to the next token. */
void fragprog_lex_next(struct fragprog_lex *lex);
bool fragprog_lex_is(const struct fragprog_lex *lex, const char *token);
/* The token, and on; false (without an error) if another one is current. */
bool fragprog_lex_accept(struct fragprog_lex *lex, const char *token);
/* Reads the current token and what follows as a number, as texenv_scan_number does; only where numbers are
 * expected "0.5" is one token. */
bool fragprog_lex_number(struct fragprog_lex *lex, double *value);
/* Errors; always false. */
bool fragprog_lex_expected(const struct fragprog_lex *lex, const char *what);
bool fragprog_lex_fail(const struct fragprog_lex *lex, struct texenv_place place, const char *code,
                       const char *message);
/* Whether a comment is like the pattern, where "#" is a number, put into *number++, and a blank is one or
 * more blanks. Numbers stop at 99. */
bool fragprog_lex_matches(const char *s, size_t n, const char *pattern, int *number);

#endif
