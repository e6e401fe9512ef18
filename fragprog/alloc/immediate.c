/* Numbers that an operand can encode without a constant. */
#include "fragprog/alloc/immediate.h"
#include "fragprog/ir.h"

#include <string.h>

const struct fragprog_immediates fragprog_immediate_lanes = {
    .n = 3, .code = {FRAGPROG_ZERO, FRAGPROG_ONE, FRAGPROG_HALF}, .number = {0, 1, 0.5f}};

int32_t fragprog_immediate(const struct fragprog_immediates *row, float number, bool *neg)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    const bool below = bits >> 31;
    if (!row || (below && !neg && !row->sign))
        return -1;
    if (neg)
        *neg = below;
    for (unsigned i = 0; i < row->n; i++)
        if (row->number[i] == (below ? -number : number))
            return row->code[i];
    const int e = (int)(bits >> 23 & 0xff) - 127 + row->bias;
    if (!row->mantissa || bits << (9 + row->mantissa) || e < row->least || e >> row->exponent)
        return -1;
    return (int32_t)(row->base | (bits >> (23 - row->mantissa) & ((1u << row->mantissa) - 1)) |
                     ((row->sign && below ? 1u << row->exponent : 0u) | (unsigned)e) << row->mantissa);
}
