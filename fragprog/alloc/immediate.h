/* Numbers that an operand can encode without a constant: 0, 1/2 and 1 in swizzles, tables of numbers, small
 * floats. Every target describes its numbers by a row. Internal to the library. */
#ifndef FRAGPROG_IMMEDIATE_H
#define FRAGPROG_IMMEDIATE_H

#include <stdbool.h>
#include <stdint.h>

struct fragprog_immediates {
    /* a table of n numbers and their codes */
    uint8_t n, code[5];
    float number[5];
    /* Unless `mantissa` is 0, the target also has small floats, with these numbers of exponent and mantissa
     * bits, and a sign bit if `sign`. Their code is these bits plus `base`. `least` is the smallest exponent;
     * denormals are not included. */
    uint8_t exponent, mantissa, bias, least, base;
    bool sign;
};
/* The literals 0, 1 and 1/2 of swizzles, with the codes FRAGPROG_ZERO, ONE and HALF, for constant
 * compaction. */
extern const struct fragprog_immediates fragprog_immediate_lanes;

/* Returns the code of the number, or -1 if the row (may be NULL) does not have it. *neg is set if the code is
 * that of the negated number. neg is NULL if operands cannot negate. */
int32_t fragprog_immediate(const struct fragprog_immediates *row, float number, bool *neg);

#endif
