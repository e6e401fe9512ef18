/* Lanes of constants that are computed from environment colours: what their origin says. Internal to the
 * library. */
#ifndef FRAGPROG_ALGEBRA_DERIVED_H
#define FRAGPROG_ALGEBRA_DERIVED_H

#include "fragprog/algebra/affine.h"
#include "fragprog/algebra/interval.h"

/* (arg[0] op arg[1]) * 2^scale, limited to [0,1] if sat, of which last. */
struct fragprog_derived {
    uint8_t op; /* FRAGPROG_MOV (arg[0] alone), ADD, SUB, MUL */
    int8_t scale;
    bool sat;
    uint8_t last; /* 0: x, 1: x-1/2, 2: 1-x, 3: 2x-1 */
    struct {
        uint8_t unit, lane; /* FRAGPROG_X.. of the unit's colour, or ZERO, ONE, HALF */
        uint8_t mods;       /* but ABS */
        bool negate;        /* before mods */
    } arg[2];
};

/* The origin that says so; FRAGPROG_ORIGIN_IMMEDIATE: none does. */
int32_t fragprog_derived_origin(const struct fragprog_derived *d);
/* The origin that says a of it, of the opposite if *negative; FRAGPROG_ORIGIN_IMMEDIATE: none does. */
int32_t fragprog_derived_then(int32_t origin, struct fragprog_affine a, bool *negative);
/* What the lane lies between, whatever the colours are. */
struct fragprog_interval fragprog_derived_range(int32_t origin);

#endif
