/* Sources as operands: composing modifiers and lanes, literals. Internal to fragprog. */
#ifndef FRAGPROG_OPERAND_H
#define FRAGPROG_OPERAND_H

#include "fragprog/inst.h"
#include "fragprog/algebra/range.h"

/* Both sources read the same in these lanes (bits). */
bool fragprog_same_source(const struct fragprog_src *a, const struct fragprog_src *b, unsigned lanes);

/* The value of a source that is one literal in these lanes, modifiers applied. False if it is none. */
bool fragprog_literal_lanes_value(const struct fragprog_src *src, unsigned lanes, double *value);
static inline bool fragprog_literal_value(const struct fragprog_src *src, unsigned lanes, double *value)
{
    uint32_t all;
    memcpy(&all, src->lane, sizeof all);
    return all & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE &&
        fragprog_literal_lanes_value(src, lanes, value);
}
/* The literal of this value; false if the extension's literals with modifiers cannot say it (0, 1/2, 1, 2 and
 * their negatives can be said). */
bool fragprog_literal_source(struct fragprog_src *src, double value);

/* *src becomes outer(*src): false, and *src unchanged, if no modifiers say that. */
bool fragprog_apply(struct fragprog_src *src, unsigned lanes, struct fragprog_affine outer);

/* What `outer`, a source that reads the value of an instruction, reads through it of its source `inner`:
 * lanes composed, outer's modifiers left out. */
struct fragprog_src fragprog_through(const struct fragprog_src *outer, const struct fragprog_src *inner);

/* Some source occurs in two arguments of the instruction: their values are not independent. */
bool fragprog_reads_twice(const struct fragprog_inst *inst);

/* How many sources and results read value i. */
unsigned fragprog_uses(const struct fragprog *p, unsigned i);

/* The instruction reads at most 2 constants, and its result before scale stays within [-8,8] (r: ranges of
 * everything before it) unless it is clamped to that. */
bool fragprog_acceptable(const struct fragprog *p, const struct fragprog_ranges *r,
                         const struct fragprog_inst *inst);

#endif
