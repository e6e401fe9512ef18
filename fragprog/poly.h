/* Small polynomials over the sources of an instruction and of what it reads: what intervals lose when a source occurs twice. Internal to fragprog. */
#ifndef FRAGPROG_POLY_H
#define FRAGPROG_POLY_H

#include "fragprog/range.h"

/* As fragprog_clamp_droppable for one lane whose interval test failed, with the sources' correlation taken into account. */
bool fragprog_poly_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned s, unsigned lane);

/* May instruction i, which alone reads value j, read it without its clamp to [0,1] in all its arguments at once, as far as this lane goes? What i gives is the same then, or
 * (last, NULL: not asked) what the instruction `last` gives, which alone reads value i. */
bool fragprog_poly_both_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, unsigned i, const struct fragprog_inst *last, unsigned lane);

/* May instruction j, which alone reads value k, read it without its clamp, where j's own clamp does not matter to instruction i, which alone reads j, as far as i's result in
 * this lane goes? All three are in place: each reads in a lane what the other has there. */
bool fragprog_poly_chain_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned k, unsigned j, unsigned i, unsigned lane);

/* A range of the instruction's result before scale that may be tighter than that of its arguments' intervals. False: no polynomial of this size. */
bool fragprog_poly_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, unsigned lane, struct fragprog_interval *range);

#endif
