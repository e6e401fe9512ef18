/* A state as a picture: its units from top to bottom, with what each reads on its left. */
#ifndef TEXENVC_STAGES_SVG_H
#define TEXENVC_STAGES_SVG_H

#include "analysis.h"

/* An <svg> element, whose look is that of web/explain.css: class "dead" for what does not reach the result.
 */
void add_stages_svg(struct buffer *b, const struct item *item, const struct analysis *a);

#endif
