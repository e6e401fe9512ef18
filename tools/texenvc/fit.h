/* Finds which change would make a state fit a chip. */
#ifndef TEXENVC_FIT_H
#define TEXENVC_FIT_H

#include "compile.h"

/* Call after c reports that the chip cannot express the item. Stores in c->why.fit a change that was tried
 * and suffices. An item that is a program has no units to change; its c->why.fit is not modified. */
void find_fit(struct compiled *c, const struct item *item, const struct options *o);

#endif
