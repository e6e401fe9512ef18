/* The vertex half of a state, for people. */
#ifndef TEXENVC_HALVES_H
#define TEXENVC_HALVES_H

#include "input.h"

/* What a state's vertex half computes, result by result, what of the draw's nothing reads, or why there is
 * none. Nothing where all of it is as in GL's initial state. */
void explain_vertex(struct buffer *b, const struct item *item);

/* Notes about it: that there is none, that something of it is not read, that there is no light. */
void lint_vertex(const struct item *item);

#endif
