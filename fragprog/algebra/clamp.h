/* Decides when a clamp can be removed from an instruction. Internal to fragprog.
 *
 * A clamp is redundant if it never changes the value, or if the instruction that reads the value gives the
 * same result with and without it: a reader sat(k*x + b) may itself be saturated wherever the clamp acts.
 * First the ranges of values are examined. Where they do not suffice, because the same source occurs twice,
 * polynomials are examined. */
#ifndef FRAGPROG_ALGEBRA_CLAMP_H
#define FRAGPROG_ALGEBRA_CLAMP_H

#include "fragprog/algebra/range.h"

/* An instruction, in one lane and before its clamp, as a function of the value that it reads. */
struct fragprog_reader {
    const struct fragprog_inst *inst;
    unsigned value, lane;
};

/* Returns true if the clamp of value j is redundant for argument s of instruction i, which reads j. */
bool fragprog_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j,
                              const struct fragprog_inst *i, unsigned s);

/* Instruction i is the only reader of value j, and reads it with `reads` operands; `through` is one of them.
 * Returns true if the clamp of j is redundant for the result of i, or for the result of the only instruction
 * that reads i. */
bool fragprog_clamp_may_go(const struct fragprog *p, const struct fragprog_ranges *r, unsigned i, unsigned j,
                           const struct fragprog_src *through, unsigned reads);

/* Attempts only the proof by polynomials. The value is read by `reader` alone, whose result is read by `last`
 * alone if `last` is not NULL. Returns true if the clamp of the value is redundant for the result of `reader`
 * or of `last`. */
bool fragprog_clamp_is_proved_idle(const struct fragprog_ranges *r, const struct fragprog *p,
                                   const struct fragprog_reader *reader, const struct fragprog_reader *last);

/* Removes the clamps of these kinds (bits by enum fragprog_clamp) that never change a value. */
void fragprog_drop_idle_clamps(struct fragprog *p, const struct fragprog_ranges *r, unsigned kinds);

/* Returns true if each channel of the result is a polynomial of the same channel of the arguments and the
 * operation is not VEC; passes may substitute such an instruction into others. */
static inline bool fragprog_is_polynomial(const struct fragprog_inst *inst)
{
    return inst->op != FRAGPROG_VEC && fragprog_op_is_polynomial(inst->op);
}

#endif
