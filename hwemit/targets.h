/* The targets by name, hwemit_r200 and so on, for a program that needs one or two of them: what it does not
 * name is not linked. hwemit_targets and hwemit_find_target (hwemit.h) stand for all. */
#ifndef HWEMIT_TARGETS_H
#define HWEMIT_TARGETS_H

#include "hwemit/hwemit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HWEMIT_TARGET(name) TEXENV_API extern const struct hwemit_target hwemit_##name;
#include "hwemit/targets.def"
#undef HWEMIT_TARGET

#ifdef __cplusplus
}
#endif
#endif
