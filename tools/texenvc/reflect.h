/* What the programs of a language take from outside, for who draws with them: --reflect. */
#ifndef TEXENVC_REFLECT_H
#define TEXENVC_REFLECT_H

#include "compile.h"

/* The JSON object of one item, which compile_language could do (notes/formats.md 8). c is overwritten. */
void add_reflection(struct buffer *b, const struct item *item, struct compiled *c, const struct options *o);

#endif
