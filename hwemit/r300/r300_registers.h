/* The rows of r300_registers.def as shifts: IN(US_CONFIG, LAST_NODE, value) is that value in its bits. */
#ifndef HWEMIT_R300_REGISTERS_H
#define HWEMIT_R300_REGISTERS_H

#include "hwemit/hwemit.h"

#define TEMP_BITS 6
#define NAMED(id, name, low, width, names) FIELD(id, name, low, width)
#define R400_FIELD(id, name, low, width) FIELD(id, name, low, width)
#define R400_REGISTER REGISTER

#define REGISTER(id, name, address, count, stride, ...) R_##id = address, __VA_ARGS__
#define FIELD(id, name, low, width) LOW_##id##_##name = low, WIDTH_##id##_##name = width,
enum {
#include "hwemit/r300/r300_registers.def"
};
#undef REGISTER
#undef FIELD
#undef NAMED
#undef R400_FIELD
#undef R400_REGISTER
#undef TEMP_BITS

#define IN(id, name, value) \
    ((uint32_t)((value) & ((UINT64_C(1) << WIDTH_##id##_##name) - 1)) << LOW_##id##_##name)

#endif
