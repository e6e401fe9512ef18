/* Explains and checks the vertex half of a state, for the commands explain and lint. */
#ifndef TEXENVC_HALVES_H
#define TEXENVC_HALVES_H

#include "input.h"

/* Explains what a state's vertex half computes, which part of the draw's vertex half is not read, or why
 * there is no vertex half. Appends nothing if the vertex half is GL's initial state. */
void explain_vertex(struct buffer *b, const struct item *item);

/* Reports notes about the vertex half: that there is none, that a part is not read, that no light
 * is enabled. */
void lint_vertex(const struct item *item);

#endif
