/* ARB fragment programs, drawn themselves and by their conversions, and compared. */
#ifndef GLDIFF_ARB_H
#define GLDIFF_ARB_H

#include "draw.h"
#include "tools/texenvc/input.h"

/* Keeps a program for arb_run. */
void arb_add(const struct item *item);
/* Whether there is one. */
bool arb_any(void);
/* Draws all programs, after which the context is theirs; says what differs. Appends to json, unless it is
 * NULL, `"programs": [...], "program_totals": {...}`, and prints text else. How many were drawn; *bad: how
 * many conversions differ or are refused by the GL. */
uint64_t arb_run(const struct options *o, const struct draw_options *draw, struct buffer *json,
                 uint64_t *bad);

#endif
