/* Bit positions of the register fields of r500_registers.def. IN500(US_CONFIG, LAST_NODE, value) is `value`
 * shifted to that field. */
#ifndef HWEMIT_R500_REGISTERS_H
#define HWEMIT_R500_REGISTERS_H

#include "hwemit/hwemit.h"

enum {
#define CHIP(name) R500_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/r300/r500_registers.def"
};

#define IN500(id, name, value) \
    ((uint32_t)((value) & ((UINT64_C(1) << R500_##id##_##name##_WIDTH) - 1)) << R500_##id##_##name)

#endif
