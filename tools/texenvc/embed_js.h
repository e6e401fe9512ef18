/* Writes JavaScript modules for WebGL (--embed) and HTML pages (--page). */
#ifndef TEXENVC_EMBED_JS_H
#define TEXENVC_EMBED_JS_H

#include "reflect.h"

/* Append the text before the first pair and after the last pair, of a module or, if page is set, of
 * a page. */
void add_js_preamble(struct buffer *b, bool page);
void add_js_end(struct buffer *b, bool page);
/* Appends everything of a pair except its name and place in the input. */
void add_js_fields(struct buffer *b, const struct reflection *r, const struct item *item,
                   const struct buffer *vertex, const struct buffer *fragment);
/* Appends a pair as an element of the module's `pairs`. */
void add_js_pair(struct buffer *b, const struct reflection *r, const struct item *item,
                 const struct buffer *fields);
/* Appends the module's declarations for TypeScript. */
void add_js_types(struct buffer *b);
/* Returns why WebGL of this version cannot use the pair, or NULL. */
const char *js_refuses(const struct reflection *r);

#endif
