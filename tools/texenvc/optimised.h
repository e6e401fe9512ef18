/* An optimised program in the manner of the stage notation. */
#ifndef TEXENVC_OPTIMISED_H
#define TEXENVC_OPTIMISED_H

#include "compile.h"

/* One line: the pairs as `{T0*T1-T2} {V1+T3}`. V1 is the result of pair 1, C2 the colour of unit 2: such a
 * program is no longer a texture environment. After fragprog_assign. */
void add_optimised(struct buffer *b, const struct compiled *c);

/* Lines about rewrites that look right and are not: an addition that may not be moved before a subtraction,
 * with the inputs where that would differ. */
void add_refused_rewrites(struct buffer *b, const struct compiled *c);

#endif
