/* The formulas of fragprog/opcodes.def as data, and properties of operations that are derived from them.
 * Internal to the library. */
#ifndef FRAGPROG_ALGEBRA_FORMULA_H
#define FRAGPROG_ALGEBRA_FORMULA_H

#include "fragprog/ir.h"

enum { FRAGPROG_FACTOR_A, FRAGPROG_FACTOR_B, FRAGPROG_FACTOR_C, FRAGPROG_FACTOR_ONE, FRAGPROG_FACTOR_NOT_A };

/* sign * factor[0] * factor[1], summed over the lanes (bits) in `lanes`, or componentwise if `lanes` is 0. A
 * row with sign 0 terminates the list. */
struct fragprog_product {
    int8_t sign;
    uint8_t factor[2], lanes;
};

/* Each operation is the sum of its products. An operation that is not such a sum has no products. */
enum { FRAGPROG_PRODUCTS = 2 };
extern const struct fragprog_product fragprog_formulas[FRAGPROG_OPS][FRAGPROG_PRODUCTS + 1];
static inline const struct fragprog_product *fragprog_formula(unsigned op) { return fragprog_formulas[op]; }

/* Returns true if the operation sums over lanes and gives the same result in all channels. */
static inline bool fragprog_op_is_dot(unsigned op) { return fragprog_formulas[op][0].lanes != 0; }
/* Returns true if each channel of the result is a polynomial of the same channel of the arguments. */
static inline bool fragprog_op_is_polynomial(unsigned op)
{
    return fragprog_formulas[op][0].sign && !fragprog_formulas[op][0].lanes;
}
/* Returns true if the first two arguments can be exchanged. */
bool fragprog_op_commutes(unsigned op);
/* Returns the lanes of argument s that a dot product sums, or 0 for componentwise operations. */
unsigned fragprog_op_lanes(unsigned op, unsigned s);
/* Returns a set of arguments (bits) such that doubling all of them doubles the result, or 0 if there is
 * none. */
unsigned fragprog_op_doubling(unsigned op);
/* Returns true if the first argument f is a weight, f*b + (1-f)*c. The extension defines the result only for
 * a weight in [0,1]. */
bool fragprog_op_is_blend(unsigned op);

#endif
