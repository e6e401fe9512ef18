/* The modifiers of operands and the scales of results as numbers. Internal to the library. */
#ifndef FRAGPROG_ALGEBRA_AFFINE_H
#define FRAGPROG_ALGEBRA_AFFINE_H

#include "fragprog/ir.h"

/* Returns 2^scale, for a scale from -3 to 3. */
static inline double fragprog_power(int scale)
{
    static const double of[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    return of[scale + 3];
}

/* The modifiers of an operand, except the absolute value, as the function m*x + t. */
struct fragprog_affine {
    double m, t;
};
extern const struct fragprog_affine fragprog_affines[2 * FRAGPROG_NEG];
static inline struct fragprog_affine fragprog_affine_of(unsigned mods) { return fragprog_affines[mods]; }
/* Returns the modifiers that compute m*x + t, or -1 if there are none. */
int fragprog_mods_of(struct fragprog_affine a);

#endif
