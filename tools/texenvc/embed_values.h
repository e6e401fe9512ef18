/* Describes what uniforms of shader pairs hold, from the rows of embed_values.def. */
#ifndef TEXENVC_EMBED_VALUES_H
#define TEXENVC_EMBED_VALUES_H

#include "reflect.h"

/* Describes a uniform, given by enum fragprog_pair_value and an index, in GL's terms. */
void describe_uniform(char *text, size_t size, unsigned id, unsigned index);

enum embed_language { EMBED_JAVASCRIPT, EMBED_C };
/* Appends an expression that computes the uniform from a structure of GL's values. */
void add_value_expression(struct buffer *b, const struct variable *v, enum embed_language language);

#endif
