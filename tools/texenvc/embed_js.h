/* Modules for WebGL and pages: --embed of a language of WebGL, --page. */
#ifndef TEXENVC_EMBED_JS_H
#define TEXENVC_EMBED_JS_H

#include "reflect.h"

/* What stands before the first pair and behind the last, of a module or (page) of a page. */
void add_js_preamble(struct buffer *b, bool page);
void add_js_end(struct buffer *b, bool page);
/* What a pair has but for name and place. */
void add_js_fields(struct buffer *b, const struct reflection *r, const struct item *item,
                   const struct buffer *vertex, const struct buffer *fragment);
/* A pair: an element of the module's `pairs`. */
void add_js_pair(struct buffer *b, const struct reflection *r, const struct item *item,
                 const struct buffer *fields);
/* The module's declarations for TypeScript. */
void add_js_types(struct buffer *b);
/* Why the WebGL of this language cannot do it, or NULL. */
const char *js_refuses(const struct reflection *r);

#endif
