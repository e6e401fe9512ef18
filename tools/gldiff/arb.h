/* Draws ARB programs as they are and after conversion to each language, and compares the results. */
#ifndef GLDIFF_ARB_H
#define GLDIFF_ARB_H

#include "draw.h"
#include "tools/texenvc/input.h"

/* Stores a program until arb_run. */
void arb_add(const struct item *item);
/* Returns whether any program has been stored. */
bool arb_any(void);
/* Draws all stored programs and reports the differences; the GL context cannot be used for other drawings
 * afterwards. If json is not NULL, appends `"programs": [...], "program_totals": {...}` to it, otherwise
 * prints text. Returns the number of programs drawn. *bad: the number of conversions that differ or that the
 * GL refuses. */
uint64_t arb_run(const struct options *o, const struct draw_options *draw, struct buffer *json,
                 uint64_t *bad);

#endif
