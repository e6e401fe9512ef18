/* Prints the JSON object of one state (--to json). */
#ifndef TEXENVC_JSON_H
#define TEXENVC_JSON_H

#include "compile.h"

/* Appends the object. c NULL: a policy refuses the state, see item->refused. */
void add_json(struct buffer *b, const struct item *item, const struct compiled *c);
/* Appends the beginning of an object, without a closing brace: `{"state": 1, "source": {...}, "draws": 1,
 * "textures_assumed": false`. */
void add_json_source(struct buffer *b, const struct item *item);

#endif
