/* Declarations shared by the three targets of this folder (r300, r400, r500). */
#ifndef HWEMIT_R300_TARGET_H
#define HWEMIT_R300_TARGET_H

#include "hwemit/r300/r300_program.h"
#include "hwemit/targets.h"

/* pvs_words.c: returns the register that word i is written to. Not usable for fragment programs of r500. */
const struct hwemit_register *hwemit_r300_classify(const struct hwemit_register *registers,
                                                   const struct hwemit_word *word, uint32_t i);
/* The steps of fragment and of vertex programs (us_compile.c, pvs_compile.c). */
extern const struct hwemit_step hwemit_us_steps[], hwemit_pvs_steps[];
/* The assembly syntax of vertex programs (pvs) and fragment programs. */
extern const struct hwemit_assembly hwemit_pvs_assembly, hwemit_r300_assembly, hwemit_r400_assembly,
    hwemit_r500_assembly;

#endif
