/* Declares each target (hwemit_r200 ...) and its register tables (hwemit_r200_registers ...) individually,
 * for programs that need only some of them: others are then not linked. hwemit_targets, hwemit_find_target
 * and hwemit_find_registers (hwemit.h) refer to all of them. */
#ifndef HWEMIT_TARGETS_H
#define HWEMIT_TARGETS_H

#include "hwemit/hwemit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HWEMIT_TARGET(name) \
    TEXENV_API extern const struct hwemit_target hwemit_##name; \
    TEXENV_API extern const struct hwemit_registers hwemit_##name##_registers;
#include "hwemit/targets.def"
#undef HWEMIT_TARGET

#ifdef __cplusplus
}
#endif
#endif
