/* The three targets of this folder, and the compilation that they share. */
#ifndef HWEMIT_R300_TARGET_H
#define HWEMIT_R300_TARGET_H

#include "hwemit/r300/r300_program.h"
#include "hwemit/targets.h"

/* Of a compilation for a draw call: no more than some ten million machine instructions. */
enum { HWEMIT_R300_WORK = 36000 };
enum { ASSUME_THREE_CONSTANTS, ASSUME_PRESUB_PART, ASSUME_DOT_COPY };
extern const struct hwemit_assumption hwemit_r300_assumptions[];
bool hwemit_r300_compile(struct hwemit_code *code, const struct chip *chip,
                         const struct hwemit_source *source, const struct hwemit_options *options,
                         struct fragprog_reason *why);

/* pvs_words.c: the register of word i; not for fragment words of r500. */
const struct hwemit_register *hwemit_r300_classify(const struct hwemit_register *registers,
                                                   const struct hwemit_word *word, uint32_t i);
/* Enough for a fragment or a vertex program. */
size_t hwemit_r300_unbounded_scratch(unsigned insts);

#endif
