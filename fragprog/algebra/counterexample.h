/* Fast search for input values for which a clamp is not redundant. Internal to fragprog. */
#ifndef FRAGPROG_ALGEBRA_COUNTEREXAMPLE_H
#define FRAGPROG_ALGEBRA_COUNTEREXAMPLE_H

#include "fragprog/algebra/range.h"

/* An instruction, in one lane and before its clamp, as a function of the value that it reads. */
struct fragprog_reader {
    const struct fragprog_inst *inst;
    unsigned value, lane;
};

/* Returns true if it finds input values, within the ranges of the sources, for which `reader` (which
 * saturates) or, if not NULL, `last` (which reads the result of `reader`) gives different results with and
 * without the clamp of the value. It tries only a few points, so a result of false proves nothing. */
bool fragprog_clamp_shows(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_reader *reader, const struct fragprog_reader *last);

#endif
