/* What only unbounded programs need. Internal to fragprog. */
#ifndef FRAGPROG_UNBOUNDED_H
#define FRAGPROG_UNBOUNDED_H

#include "fragprog/algebra/range.h"
#include "fragprog/fragprog.h"

struct fragprog_unbounded {
    /* as fragprog_op_range */
    struct fragprog_interval (*range)(const struct fragprog_ranges *r, const struct fragprog *p,
                                      const struct fragprog_inst *inst, unsigned channel);
    /* as fragprog_refuse_unbounded */
    bool (*refuse)(struct fragprog_reason *why, const struct fragprog *p);
};

#endif
