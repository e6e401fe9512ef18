/* What uniforms of shader pairs hold: the rows of embed_values.def. */
#ifndef TEXENVC_EMBED_VALUES_H
#define TEXENVC_EMBED_VALUES_H

#include "reflect.h"

/* In GL's words, of enum fragprog_pair_value and an index. */
void describe_uniform(char *text, size_t size, unsigned id, unsigned index);

enum embed_language { EMBED_JAVASCRIPT, EMBED_C };
/* As an expression over a structure of GL's values. */
void add_value_expression(struct buffer *b, const struct variable *v, enum embed_language language);

#endif
