/* What each operation computes: the formulas of fragprog/opcodes.def as data, and what follows from them.
 * Internal to the library. */
#ifndef FRAGPROG_ALGEBRA_FORMULA_H
#define FRAGPROG_ALGEBRA_FORMULA_H

#include "fragprog/ir.h"

enum { FRAGPROG_FACTOR_A, FRAGPROG_FACTOR_B, FRAGPROG_FACTOR_C, FRAGPROG_FACTOR_ONE, FRAGPROG_FACTOR_NOT_A };

/* sign * factor[0] * factor[1], over each lane (bit) of `lanes` and summed, or (0) in the result's own
 * channel. sign 0: there is none. */
struct fragprog_product {
    int8_t sign;
    uint8_t factor[2], lanes;
};

/* The products of which the operation gives the sum: those before the first with sign 0, none for an
 * operation that is no such sum. */
enum { FRAGPROG_PRODUCTS = 2 };
extern const struct fragprog_product fragprog_formulas[FRAGPROG_OPS][FRAGPROG_PRODUCTS + 1];
static inline const struct fragprog_product *fragprog_formula(unsigned op) { return fragprog_formulas[op]; }

/* A sum over lanes, the same in all channels. */
static inline bool fragprog_op_is_dot(unsigned op) { return fragprog_formulas[op][0].lanes != 0; }
/* Each channel of the result is a polynomial of the same channel of the arguments. */
static inline bool fragprog_op_is_polynomial(unsigned op)
{
    return fragprog_formulas[op][0].sign && !fragprog_formulas[op][0].lanes;
}
/* The first two arguments may change places. */
bool fragprog_op_commutes(unsigned op);
/* The lanes that the sum reads of argument s; 0: the result's own. */
unsigned fragprog_op_lanes(unsigned op, unsigned s);
/* The arguments (bits) that double the result when all of them are doubled; 0: there are none. */
unsigned fragprog_op_doubling(unsigned op);
/* The first argument weighs the others, f*b + (1-f)*c: the extension defines the result for a weight in [0,1]
 * only. */
bool fragprog_op_is_blend(unsigned op);

#endif
