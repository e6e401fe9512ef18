/* The scanner of the intermediate program's text: characters, words and errors. Internal to the reader.
 * Statements are single lines, so that the end of a line is not white space. A function that returns false
 * has reported an error, unless its comment says otherwise. */
#ifndef FRAGPROG_SCAN_IR_H
#define FRAGPROG_SCAN_IR_H

#include "fragprog/names.h"

struct fragprog_scan {
    struct fragprog *p;
    const char *at, *end; /* at: the current position */
    const char *line_start;
    uint32_t line;
    const struct texenv_sink *sink;
};

/* Report an error at a character of the current line, or "expected WHAT, found ..." at the current position.
 * Both return false. */
bool fragprog_scan_fail(const struct fragprog_scan *r, const char *at, const char *code, const char *message);
bool fragprog_scan_expected(const struct fragprog_scan *r, const char *what);

bool fragprog_scan_is_word(char c);
/* fragprog_scan_word returns the length of the word at the current position; fragprog_scan_at returns whether
 * it is `word`. */
size_t fragprog_scan_word(const struct fragprog_scan *r);
bool fragprog_scan_at(const struct fragprog_scan *r, const char *word);

void fragprog_scan_blanks(struct fragprog_scan *r);
/* Skips the character if it is at the current position; else returns false without an error. */
bool fragprog_scan_accept(struct fragprog_scan *r, char c);
/* Skips the character and blanks around it. what: for the error message. */
bool fragprog_scan_expect(struct fragprog_scan *r, char c, const char *what);
/* Reads a number of at most max. */
bool fragprog_scan_index(struct fragprog_scan *r, unsigned max, const char *what, unsigned *value);
/* Reads a word of the table and returns its value. */
bool fragprog_scan_name(struct fragprog_scan *r, const struct fragprog_name *table, const char *what,
                        int32_t *value);

/* Skips white space and a comment to the end of the line, and advances to the next line. */
bool fragprog_scan_end_line(struct fragprog_scan *r);
/* Skips empty lines and comments. Returns false at the end of the text (*ok is true) or after an error (*ok
 * is false). */
bool fragprog_scan_statement(struct fragprog_scan *r, bool *ok);

#endif
