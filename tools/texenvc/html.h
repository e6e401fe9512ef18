/* Helpers to write HTML and SVG. */
#ifndef TEXENVC_HTML_H
#define TEXENVC_HTML_H

#include "util.h"

/* Appends text with all markup characters escaped. What HTML cannot contain (control characters, bytes that
 * are no UTF-8) becomes U+FFFD. */
void add_html(struct buffer *b, const char *text, size_t length);
/* Appends a formula as text. Each T0 ... T7, C, F, P and S is put in an element of the given name whose class
 * is the letter in lower case. */
void add_html_formula(struct buffer *b, const char *element, const char *text, size_t length);

#endif
