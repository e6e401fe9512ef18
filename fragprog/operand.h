/* Operations on operands: comparing them, composing modifiers and swizzles, literals. Internal to
 * fragprog. */
#ifndef FRAGPROG_OPERAND_H
#define FRAGPROG_OPERAND_H

#include "fragprog/inst.h"
#include "fragprog/algebra/range.h"

/* Returns true if both sources read the same values in these lanes (bits). */
bool fragprog_same_source(const struct fragprog_src *a, const struct fragprog_src *b, unsigned lanes);

/* If the source is the same literal in all these lanes, returns true and its value with modifiers applied. */
bool fragprog_literal_lanes_value(const struct fragprog_src *src, unsigned lanes, double *value);
static inline bool fragprog_literal_value(const struct fragprog_src *src, unsigned lanes, double *value)
{
    uint32_t all;
    memcpy(&all, src->lane, sizeof all);
    return all & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE &&
        fragprog_literal_lanes_value(src, lanes, value);
}
/* Makes *src the literal of this value. Returns false if no literal of ATI_fragment_shader with modifiers has
 * the value (0, 1/2, 1, 2 and their negatives exist). */
bool fragprog_literal_source(struct fragprog_src *src, double value);

/* Composes the function `outer` with the modifiers of *src. Returns false, with *src unchanged, if no
 * combination of modifiers expresses the composition. */
bool fragprog_apply(struct fragprog_src *src, unsigned lanes, struct fragprog_affine outer);

/* Copy propagation: `outer` reads the value of an instruction whose source is `inner`. Returns the source
 * that reads `inner` directly, with the composed swizzle and without outer's modifiers. */
struct fragprog_src fragprog_through(const struct fragprog_src *outer, const struct fragprog_src *inner);

/* Returns true if two arguments of the instruction read the same source, so that their values are not
 * independent. */
bool fragprog_reads_twice(const struct fragprog_inst *inst);

/* Returns how many sources and results read value i. */
unsigned fragprog_uses(const struct fragprog *p, unsigned i);

/* Returns true if ATI_fragment_shader can express the instruction: it reads at most 2 constants, and its
 * result before the scale stays within [-8,8] unless it has a clamp to [-8,8]. r: the ranges of all earlier
 * values. */
bool fragprog_acceptable(const struct fragprog *p, const struct fragprog_ranges *r,
                         const struct fragprog_inst *inst);

#endif
