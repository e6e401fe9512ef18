/* The JSON object of one state (--to json). */
#ifndef TEXENVC_JSON_H
#define TEXENVC_JSON_H

#include "compile.h"

/* c NULL: a policy refuses the state, see item->refused. */
void add_json(struct buffer *b, const struct item *item, const struct compiled *c);

#endif
