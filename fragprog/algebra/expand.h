/* Converts instructions to polynomials in the sources that they read. Internal to fragprog. */
#ifndef FRAGPROG_ALGEBRA_EXPAND_H
#define FRAGPROG_ALGEBRA_EXPAND_H

#include "fragprog/algebra/bernstein.h"
#include "fragprog/algebra/range.h"

enum { FRAGPROG_SOURCES = 4 };

/* The variables of polynomials: variable v + 1 is src[v], without modifiers, in every lane of `lanes`
 * (bits). */
struct fragprog_sources {
    const struct fragprog *p;
    unsigned n, lanes;
    struct fragprog_src src[FRAGPROG_SOURCES];
    /* May be NULL. Otherwise a source whose range is a single number is replaced with this number, and box[v
     * + 1] is the range of src[v] in the first lane. */
    const struct fragprog_ranges *ranges;
    struct fragprog_interval box[FRAGPROG_SOURCES + 1];
};

/* Returns true if the source reads a literal in none of these lanes. */
static inline bool fragprog_is_variable(const struct fragprog_src *src, unsigned lanes)
{
    return !(fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE);
}

/* Clears the list of variables. */
static inline void fragprog_no_sources(struct fragprog_sources *sources, const struct fragprog *p,
                                       unsigned lanes)
{
    sources->p = p;
    sources->n = 0;
    sources->lanes = lanes;
    sources->ranges = NULL;
}

/* Computes the scaled result of inst before its clamp as a polynomial. *x is substituted for value j (x NULL:
 * j is an ordinary source). through: the operand by which another instruction reads inst, or NULL. Returns
 * false if the result is no polynomial, or has too many variables. */
bool fragprog_expand(struct fragprog_sources *sources, const struct fragprog_inst *inst,
                     const struct fragprog_src *through, unsigned j, const struct fragprog_poly *x,
                     struct fragprog_poly *out);

/* Bounds of the scaled result in one lane, from its polynomial. They may be tighter than interval arithmetic
 * where a source occurs twice. Returns false if the instruction is no such polynomial. */
bool fragprog_expanded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, unsigned lane,
                             struct fragprog_interval *range);

#endif
