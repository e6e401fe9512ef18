/* Internal declarations of the target i830: bit positions of fields, values of fields, and the encoder. */
#ifndef I830_H
#define I830_H

#include "hwemit/stages/stages_chip.h"
#include "hwemit/targets.h"

enum i830_place {
#define CHIP(name) I830_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/i830/i830_registers.def"
};

enum { I830_STAGES = 4, I830_TEXTURE_SLOTS = 4 };

/* ---- i830_emit.c ---- */
void hwemit_i830_emit(struct hwemit_code *code, const struct stages_plan *plan);

#endif
