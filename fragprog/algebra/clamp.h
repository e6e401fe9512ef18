/* When a clamp may go: the one place where that is decided. Internal to fragprog.
 *
 * A value's clamp may go if it never acts, or if whoever reads the value gives the same wherever it acts: a
 * reader sat(k*x + b) is itself at an end there. Decided by the ranges of values first, and where these do
 * not tell (a source that occurs twice), by polynomials. */
#ifndef FRAGPROG_ALGEBRA_CLAMP_H
#define FRAGPROG_ALGEBRA_CLAMP_H

#include "fragprog/algebra/counterexample.h"

/* May value j lose its clamp as far as argument s of instruction i, which reads it there, is concerned? */
bool fragprog_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j,
                              const struct fragprog_inst *i, unsigned s);

/* May instruction i, which alone reads value j (`reads` times, through like `through`), read it without its
 * clamp: as far as its own result goes, or that of the only reader of that? */
bool fragprog_clamp_may_go(const struct fragprog *p, const struct fragprog_ranges *r, unsigned i, unsigned j,
                           const struct fragprog_src *through, unsigned reads);

/* May instruction i, which alone reads value j, read it without its clamp to [0,1] in all its arguments at
 * once, in this lane? */
bool fragprog_clamp_is_idle(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, unsigned i,
                            unsigned lane);

/* The proof alone: the clamp of the value that `reader` alone reads makes no difference to what that gives,
 * or (last not NULL) to what `last`, which alone reads that, gives of it. */
bool fragprog_clamp_is_proved_idle(const struct fragprog_ranges *r, const struct fragprog *p,
                                   const struct fragprog_reader *reader, const struct fragprog_reader *last);

/* May instruction j, which alone reads value k, read it without its clamp, where j's own clamp does not
 * matter to instruction i, which alone reads j, as far as i's result in this lane goes? All three are in
 * place: each reads in a lane what the other has there. */
bool fragprog_clamp_is_idle_in_chain(const struct fragprog_ranges *r, const struct fragprog *p, unsigned k,
                                     unsigned j, unsigned i, unsigned lane);

/* Colour lane `lane` and the one before it are alike in both instructions: what was shown there holds here.
 */
bool fragprog_as_lane_before(const struct fragprog *p, const struct fragprog_ranges *r,
                             const struct fragprog_inst *i, const struct fragprog_inst *j, unsigned lane);

/* A polynomial of the same lane of the arguments, which passes may put into others. */
static inline bool fragprog_is_polynomial(const struct fragprog_inst *inst)
{
    return inst->op != FRAGPROG_VEC && fragprog_op_is_polynomial(inst->op);
}

#endif
