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

enum { HWEMIT_LINES_SIZE = 32768 };
/* Prints one line without newline: the instruction or stage that begins with word i of n, in the syntax of
 * the chip's public tools (ir3, etnaviv, vertex programs of r300 to r500: of Mesa; i915: of libdrm) or one of
 * this project (fragment programs of r300 to r500: the operations of both halves; r200, i830, pica200: a
 * formula), and its words as a comment. Returns its number of words. Where words of several instructions are
 * interleaved (r300, r400), prints a line for each of these, at most 64; HWEMIT_LINES_SIZE bytes are always
 * enough. Returns 0,
 * and prints nothing, if the chip has no such syntax, if no instruction begins with word i, or if the syntax
 * cannot express all its bits; hwemit_print_word can print such words. In the syntax of ir3 a '#' before a
 * digit or '-' belongs to an operand and begins no comment. */
TEXENV_API uint32_t hwemit_print_assembly(struct texenv_text *text, const struct hwemit_registers *registers,
                                          const struct hwemit_word *word, uint32_t i, uint32_t n);

/* Returns whether the program may need unbounded_scratch: it is unbounded, or longer than those of texture
 * environments. */
static inline bool hwemit_is_large(const struct fragprog *p)
{
    return p->unbounded || p->ninst > FRAGPROG_TEXENV_INSTS;
}

/* Returns whether source->plain is another program than source->best, and worth an attempt of its own. */
TEXENV_API bool hwemit_is_optimised(const struct hwemit_source *source);

/* A step of a chip's code generator, after which hooks get the operations (fragprog_step.machine).
 * hwemit_target.steps ends with name NULL. */
struct hwemit_step {
    const char *name; /* as given to --print-after */
    bool (*run)(struct machine *m);
};
/* Prints the operations of a machine, one on each line. */
TEXENV_API void hwemit_print_machine(struct texenv_text *text, const struct machine *m);
/* Verifies the operations: each operand is written before it is read and not overwritten in between, and the
 * chip has such operations and operands. Returns NULL if they are valid; else a static text that names the
 * broken rule, and sets *where to the operation. */
TEXENV_API const char *hwemit_check_machine(const struct machine *m, unsigned *where);

#ifdef __cplusplus
}
#endif
#endif
