/* texenvc explain --html. */
#ifndef TEXENVC_EXPLAIN_HTML_H
#define TEXENVC_EXPLAIN_HTML_H

#include "options.h"

/* Explains all states of the inputs in one HTML document that needs no other file. Returns the
 * exit status. */
int explain_html(const struct options *o);

#endif
