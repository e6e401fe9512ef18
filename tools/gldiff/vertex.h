/* Vertex halves, drawn by fixed function and by the vertex programs that are generated for them, and
 * compared. */
#ifndef GLDIFF_VERTEX_H
#define GLDIFF_VERTEX_H

#include "tools/texenvc/input.h"

/* Reads and draws what o and g say, after which the context is theirs. Appends the states and totals to *b,
 * text or JSON, and writes it out from time to time. How many states were drawn; *bad: how many differ or are
 * refused by the GL; *failed: an input has errors. */
uint64_t vertex_run(const struct options *o, const struct gldiff_options *g, struct buffer *b, uint64_t *bad,
                    bool *failed);

#endif
