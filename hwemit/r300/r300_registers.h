/* Bit positions of the register fields of r300_registers.def. IN(US_CONFIG, LAST_NODE, value) is `value`
 * shifted to that field. */
#ifndef HWEMIT_R300_REGISTERS_H
#define HWEMIT_R300_REGISTERS_H

#include "hwemit/hwemit.h"

#define TEMP_BITS 6
#define R400_FIELD FIELD
#define R400_REGISTER REGISTER
enum {
#define CHIP(name) R_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/r300/r300_registers.def"
};
#undef R400_FIELD
#undef R400_REGISTER
#undef TEMP_BITS

#define IN(id, name, value) \
    ((uint32_t)((value) & ((UINT64_C(1) << R_##id##_##name##_WIDTH) - 1)) << R_##id##_##name)

#endif
