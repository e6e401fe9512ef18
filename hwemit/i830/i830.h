/* Internal declarations of the target i830. */
#ifndef I830_H
#define I830_H

#include "hwemit/i830/i830_registers.h"
#include "hwemit/targets.h"
#include "hwemit/stages/stages_chip.h"

enum { I830_STAGES = 4, I830_TEXTURE_SLOTS = 4 };

/* ---- i830_emit.c ---- */
void hwemit_i830_emit(struct hwemit_code *code, const struct stages_plan *plan);

#endif
