/* Numbers for which a clamp makes a difference. Internal to fragprog. */
#ifndef FRAGPROG_ALGEBRA_COUNTEREXAMPLE_H
#define FRAGPROG_ALGEBRA_COUNTEREXAMPLE_H

#include "fragprog/algebra/range.h"

/* An instruction in one lane that reads one value, here by itself before its clamp: f(g) = its result where
 * it reads g. */
struct fragprog_reader {
    const struct fragprog_inst *inst;
    unsigned value, lane;
};

/* Some numbers within the ranges of what is read have been found for which the reader, which saturates, or
 * (last not NULL) what `last` makes of that, gives another result without the clamp of the value. A few are
 * tried: it costs little, and false says nothing. */
bool fragprog_clamp_shows(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_reader *reader, const struct fragprog_reader *last);

#endif
