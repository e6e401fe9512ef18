/* Draws a state as an SVG picture: its units from top to bottom, with the inputs of each on its left. */
#ifndef TEXENVC_STAGES_SVG_H
#define TEXENVC_STAGES_SVG_H

#include "analysis.h"

/* Appends an <svg> element. web/explain.css defines its appearance; class "dead" marks what does not reach
 * the result. */
void add_stages_svg(struct buffer *b, const struct item *item, const struct analysis *a);

#endif
