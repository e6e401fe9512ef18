/* Draws vertex halves by fixed function and by the vertex programs that are generated for them, and compares
 * the results. */
#ifndef GLDIFF_VERTEX_H
#define GLDIFF_VERTEX_H

#include "tools/texenvc/input.h"

/* Reads the inputs that o and g name, and draws them; the GL context cannot be used for other drawings
 * afterwards. Appends the states and totals to *b as text or JSON, and writes *b out from time to time.
 * Returns the number of states drawn. *bad: how many states differ or are refused by the GL; *failed: whether
 * an input has errors. */
uint64_t vertex_run(const struct options *o, const struct gldiff_options *g, struct buffer *b, uint64_t *bad,
                    bool *failed);

#endif
