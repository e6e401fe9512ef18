/* The JSON object of one state (--to json). */
#ifndef TEXENVC_JSON_H
#define TEXENVC_JSON_H

#include "compile.h"

/* c NULL: a policy refuses the state, see item->refused. */
void add_json(struct buffer *b, const struct item *item, const struct compiled *c);
/* The beginning of an object, up to where the input says more: `{"state": 1, "source": {...}, "draws": 1,
 * "textures_assumed": false`. */
void add_json_source(struct buffer *b, const struct item *item);

#endif
