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

/* A step of a chip's code generator, after which hooks get its operations (fragprog_step.machine).
 * hwemit_target.steps ends with name NULL. */
struct hwemit_step {
    const char *name; /* as in --print-after */
    bool (*run)(struct machine *m);
};
/* Prints these operations, one a line. */
TEXENV_API void hwemit_print_machine(struct texenv_text *text, const struct machine *m);
/* Checks them: each operand is written before it is read and not overwritten in between, and the chip has
 * such operations and operands. Returns NULL if they pass; else a static text that names the broken rule,
 * with *where the operation. */
TEXENV_API const char *hwemit_check_machine(const struct machine *m, unsigned *where);

#ifdef __cplusplus
}
#endif
#endif
