/* Bit positions of the register fields of r300_registers.def and r500_registers.def: IN(US_CONFIG, LAST_NODE,
 * value) is `value` shifted to that field of r300 and r400, IN500 of r500. The numbers of the tables' rows:
 * ROW_US_CONFIG, of r500 ROW500_US_CONFIG. */
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
enum {
#define CHIP(name) ROW_##name
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/r300/r300_registers.def"
};
#undef R400_FIELD
#undef R400_REGISTER
#undef TEMP_BITS
enum {
#define CHIP(name) R500_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/r300/r500_registers.def"
};
enum {
#define CHIP(name) ROW500_##name
#define AS_NUMBERS
#include "hwemit/register_schema.def"
#include "hwemit/r300/r500_registers.def"
};

#define FIELD_OF(place, width, value) ((uint32_t)((value) & ((UINT64_C(1) << (width)) - 1)) << (place))
#define IN(id, name, value) FIELD_OF(R_##id##_##name, R_##id##_##name##_WIDTH, value)
#define IN500(id, name, value) FIELD_OF(R500_##id##_##name, R500_##id##_##name##_WIDTH, value)

#endif
