/* Prints an optimised program in a form similar to stage notation. */
#ifndef TEXENVC_OPTIMISED_H
#define TEXENVC_OPTIMISED_H

#include "compile.h"

/* Appends the pairs in one line: `{T0*T1-T2} {V1+T3}`. V1 is the result of pair 1, C2 the colour of unit 2.
 * Such a program is in general no texture environment any more. Call after fragprog_assign. */
void add_optimised(struct buffer *b, const struct compiled *c);

/* Appends lines about rewrites that look valid but are not: an addition that must not be moved before a
 * subtraction, with inputs for which the result would differ. */
void add_refused_rewrites(struct buffer *b, const struct compiled *c);

#endif
