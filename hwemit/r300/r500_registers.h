/* The rows of r500_registers.def as shifts: IN500(US_CONFIG, LAST_NODE, value) is that value in its bits. */
#ifndef HWEMIT_R500_REGISTERS_H
#define HWEMIT_R500_REGISTERS_H

#include "hwemit/hwemit.h"

#define NAMED(id, name, low, width, names) FIELD(id, name, low, width)

#define REGISTER(id, name, address, count, stride, ...) R500_##id = address, __VA_ARGS__
#define FIELD(id, name, low, width) R500_LOW_##id##_##name = low, R500_WIDTH_##id##_##name = width,
enum {
#include "hwemit/r300/r500_registers.def"
};
#undef REGISTER
#undef FIELD
#undef NAMED

#define IN500(id, name, value) \
    ((uint32_t)((value) & ((UINT64_C(1) << R500_WIDTH_##id##_##name) - 1)) << R500_LOW_##id##_##name)

#endif
