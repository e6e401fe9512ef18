/* Tokens of !!ATIfs1.0 texts, and what their machine-readable comments say (private to the reader). */
#ifndef FRAGPROG_LEX_ATIFS_H
#define FRAGPROG_LEX_ATIFS_H

#include "fragprog/names.h"

enum fragprog_lex_kind {
    FRAGPROG_LEX_END,
    FRAGPROG_LEX_WORD, /* letters, digits and "_": keywords, names, "0", "2x", "str_dr" */
    FRAGPROG_LEX_CHAR  /* any other byte by itself */
};

struct fragprog_lex {
    const char *text;
    size_t length, next; /* next: of the first byte after the current token */
    size_t line_start;
    uint32_t line;
    const struct texenv_sink *sink;

    enum fragprog_lex_kind kind; /* the current token */
    size_t start, size;
    struct texenv_place place;

    struct {
        bool seen;
        int texture, coord, target;
        struct texenv_place place;
    } bind[FRAGPROG_REGISTERS]; /* "# bind"; coord -1, target 0: not said */
    struct {
        bool seen;
        int unit;
        struct texenv_place place;
    } konst[ATIFS_CONSTANTS]; /* "# const" */
    bool color_sum;
    bool failed; /* a comment contradicts another one: an error was reported */
};

/* Begins at byte `next` of text, which is on the first line. The first token becomes current. */
void fragprog_lex_init(struct fragprog_lex *lex, const char *text, size_t length, size_t next,
                       uint32_t first_line, const struct texenv_sink *sink);
/* On to the next token. */
void fragprog_lex_next(struct fragprog_lex *lex);
bool fragprog_lex_is(const struct fragprog_lex *lex, const char *token);
/* The token, and on; false (without an error) if another one is current. */
bool fragprog_lex_accept(struct fragprog_lex *lex, const char *token);
/* Reads the current token and what follows as a number, as texenv_scan_number does; only inside of braces
 * "0.5" is one token. */
bool fragprog_lex_number(struct fragprog_lex *lex, double *value);
/* Errors; always false. */
bool fragprog_lex_expected(const struct fragprog_lex *lex, const char *what);
bool fragprog_lex_fail(const struct fragprog_lex *lex, struct texenv_place place, const char *code,
                       const char *message);

#endif
