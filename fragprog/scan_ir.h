/* Characters, words and errors of the intermediate program's text (private to its reader). Statements are
 * lines, so the end of a line is no white space here. Functions that give false have reported an error,
 * unless they say otherwise. */
#ifndef FRAGPROG_SCAN_IR_H
#define FRAGPROG_SCAN_IR_H

#include "fragprog/names.h"

struct fragprog_scan {
    struct fragprog *p;
    const char *at, *end; /* the rest of the text */
    const char *line_start;
    uint32_t line;
    const struct texenv_sink *sink;
};

/* An error at a character of the current line; "expected WHAT, found ..." at the current place. Both give
 * false. */
bool fragprog_scan_fail(const struct fragprog_scan *r, const char *at, const char *code, const char *message);
bool fragprog_scan_expected(const struct fragprog_scan *r, const char *what);

bool fragprog_scan_is_word(char c);
/* The length of the longest word here; whether it is this one. */
size_t fragprog_scan_word(const struct fragprog_scan *r);
bool fragprog_scan_at(const struct fragprog_scan *r, const char *word);

void fragprog_scan_blanks(struct fragprog_scan *r);
/* The character directly here, and on; false without an error if it is another. */
bool fragprog_scan_accept(struct fragprog_scan *r, char c);
/* The character with blanks around it. what: for the error. */
bool fragprog_scan_expect(struct fragprog_scan *r, char c, const char *what);
/* A number, at most max. */
bool fragprog_scan_index(struct fragprog_scan *r, unsigned max, const char *what, unsigned *value);
/* A word of the table. */
bool fragprog_scan_name(struct fragprog_scan *r, const struct fragprog_name *table, const char *what,
                        int32_t *value);

/* White space and a comment up to the end of the line, and on to the next line. */
bool fragprog_scan_end_line(struct fragprog_scan *r);
/* Skips lines without a statement. False at the end of the text, *ok, or after an error, not *ok. */
bool fragprog_scan_statement(struct fragprog_scan *r, bool *ok);

#endif
