/* The targets by name, hwemit_r200 and so on, and what their words mean, hwemit_r200_registers and so on, for
 * a program that needs one or two of them: what it does not name is not linked. hwemit_targets,
 * hwemit_find_target and hwemit_find_registers (hwemit.h) stand for all. */
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
