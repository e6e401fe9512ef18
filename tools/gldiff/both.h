/* Compares whole states with their vertex halves: drawn by fixed function, and by the programs of both
 * halves. */
#ifndef GLDIFF_BOTH_H
#define GLDIFF_BOTH_H

#include "draw.h"
#include "tools/texenvc/input.h"

/* Has the same parameters and result as vertex_run (vertex.h). */
uint64_t both_run(const struct options *o, const struct gldiff_options *g, const struct draw_options *draw,
                  struct buffer *b, uint64_t *bad, bool *failed);

#endif
