/* What would make a state fit a chip. */
#ifndef TEXENVC_FIT_H
#define TEXENVC_FIT_H

#include "compile.h"

/* c says that the chip cannot do the item: c->why.fit becomes what was tried and does it. An item without
 * texture units of its own (a program) keeps what the chip says. */
void find_fit(struct compiled *c, const struct item *item, const struct options *o);

#endif
