/* Functions for unbounded programs only. Internal to fragprog. */
#ifndef FRAGPROG_UNBOUNDED_H
#define FRAGPROG_UNBOUNDED_H

#include "fragprog/algebra/range.h"
#include "fragprog/fragprog.h"

struct fragprog_unbounded {
    /* implements fragprog_op_range for unbounded programs */
    struct fragprog_interval (*range)(const struct fragprog_ranges *r, const struct fragprog *p,
                                      const struct fragprog_inst *inst, unsigned channel);
    /* implements fragprog_refuse_unbounded */
    bool (*refuse)(struct fragprog_reason *why, const struct fragprog *p);
};

#endif
