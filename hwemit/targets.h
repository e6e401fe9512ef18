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

/* Prints one line without newline: the instruction or stage that begins with word i of n, in the syntax of
 * the chip's public tools (ir3, etnaviv, vertex programs of r300 to r500: of Mesa; i915: of libdrm; r200,
 * i830, pica200: a formula), and its words as a comment. Returns how many words it has; 0, and prints
 * nothing, if the chip has no such syntax, word i begins no instruction, or the syntax cannot express all its
 * bits: such words are for hwemit_print_word. In the syntax of ir3 a '#' before a digit or '-' belongs to an
 * operand and begins no comment. */
TEXENV_API uint32_t hwemit_print_assembly(struct texenv_text *text, const struct hwemit_registers *registers,
                                          const struct hwemit_word *word, uint32_t i, uint32_t n);

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
