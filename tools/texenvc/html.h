/* Pieces of HTML and SVG. */
#ifndef TEXENVC_HTML_H
#define TEXENVC_HTML_H

#include "util.h"

/* Text, so that none of it is markup; what HTML cannot hold (control characters, bytes that are no UTF-8)
 * becomes U+FFFD. */
void add_html(struct buffer *b, const char *text, size_t length);
/* A formula: as text, with each T0 ... T7, C, F, P and S in an element of this name whose class is the small
 * letter. */
void add_html_formula(struct buffer *b, const char *element, const char *text, size_t length);

#endif
