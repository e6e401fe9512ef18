/* What uniforms hold, as expressions of JavaScript and C over a structure of GL's values. */
#ifndef TEXENVC_EMBED_VALUES_H
#define TEXENVC_EMBED_VALUES_H

#include "reflect.h"

enum embed_language { EMBED_JAVASCRIPT, EMBED_C };

/* Of a uniform that GL does not fill. */
void add_value_expression(struct buffer *b, const struct variable *v, enum embed_language language);

#endif
