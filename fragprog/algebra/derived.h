/* Derived constants, which are computed from environment colours: their expression and its encoding as an
 * origin. Internal to the library. */
#ifndef FRAGPROG_ALGEBRA_DERIVED_H
#define FRAGPROG_ALGEBRA_DERIVED_H

#include "fragprog/algebra/affine.h"
#include "fragprog/algebra/interval.h"

/* The expression of a derived constant: last(x), where x is (arg[0] op arg[1]) * 2^scale, clamped to [0,1] if
 * sat. */
struct fragprog_derived {
    uint8_t op; /* FRAGPROG_MOV (arg[0] alone), ADD, SUB, MUL */
    int8_t scale;
    bool sat;
    uint8_t last; /* 0: x, 1: x-1/2, 2: 1-x, 3: 2x-1 */
    struct {
        uint8_t unit, lane; /* FRAGPROG_X.. of the unit's colour, or ZERO, ONE, HALF */
        uint8_t mods;       /* without ABS */
        bool negate;        /* applied before mods */
    } arg[2];
};

/* Returns the origin that encodes the expression, or FRAGPROG_ORIGIN_IMMEDIATE if it cannot be encoded. */
int32_t fragprog_derived_origin(const struct fragprog_derived *d);
/* Returns the origin that encodes a(x), where x is the derived constant, or -a(x) with *negative set.
 * FRAGPROG_ORIGIN_IMMEDIATE if it cannot be encoded. */
int32_t fragprog_derived_then(int32_t origin, struct fragprog_affine a, bool *negative);
/* Returns the range of the constant over all colours. */
struct fragprog_interval fragprog_derived_range(int32_t origin);

#endif
