/* What the passes that look at several instructions at once share. Internal to fragprog. */
#ifndef FRAGPROG_WINDOW_H
#define FRAGPROG_WINDOW_H

#include "fragprog/range.h"

/* Each channel of the result is a polynomial of the same lane of the arguments. */
static inline bool fragprog_is_polynomial(const struct fragprog_inst *inst)
{
    return inst->op != FRAGPROG_VEC && fragprog_op_is_polynomial(inst->op);
}

/* Colour lane `lane` and the one before it are alike in both instructions: what was shown there holds here. */
static inline bool fragprog_as_lane_before(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct fragprog_inst *i, const struct fragprog_inst *j, unsigned lane)
{
    return (lane == FRAGPROG_Y || lane == FRAGPROG_Z) && i->mask >> (lane - 1) & 1 && j->mask >> (lane - 1) & 1 &&
           fragprog_channels_alike(ranges, p, i, true, lane - 1, lane) && fragprog_channels_alike(ranges, p, j, true, lane - 1, lane);
}

/* Instruction i, which alone reads value j (`reads` times, through like `through`), may read it without its clamp: as far as its own result goes, or that of the only
 * reader of that. */
bool fragprog_clamp_may_go(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i, unsigned j, const struct fragprog_src *through, unsigned reads);

#endif
