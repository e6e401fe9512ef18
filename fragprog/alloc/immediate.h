/* Numbers that an operand is by itself, without a constant: 0, 1/2 and 1 of selections of lanes, tables of
 * numbers, small floats. A row says which; every target asks here. Internal to the library. */
#ifndef FRAGPROG_IMMEDIATE_H
#define FRAGPROG_IMMEDIATE_H

#include <stdbool.h>
#include <stdint.h>

struct fragprog_immediates {
    /* These, number n by its code. */
    uint8_t n, code[5];
    float number[5];
    /* And, unless mantissa is 0, those of sign, exponent and mantissa bits: their code is these bits and
     * `base`. Exponent `least` is the lowest that counts: below that would be numbers without a leading 1. */
    uint8_t exponent, mantissa, bias, least, base;
    bool sign;
};
/* The row that compaction has: what a selection of lanes can name; codes are FRAGPROG_ZERO and above. */
extern const struct fragprog_immediates fragprog_immediate_lanes;

/* The code of the number; -1: the row (NULL: none) does not have it. neg: whether it is the code's negative,
 * of operands that can negate; NULL: they cannot. */
int32_t fragprog_immediate(const struct fragprog_immediates *row, float number, bool *neg);

#endif
