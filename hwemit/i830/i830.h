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

/* Sources (notes/facts/i830.md 3.2). */
enum i830_source {
    I830_S_ONE = 0,
    I830_S_FACTOR = 1,
    I830_S_ACCUM = 2,
    I830_S_DIFFUSE = 3,
    I830_S_SPECULAR = 4,
    I830_S_CURRENT = 5,
    I830_S_TEXEL0 = 6,
    I830_S_FACTOR_N = 0xe,
};
enum { I830_STAGES = 4, I830_TEXTURE_SLOTS = 4 };

/* ---- i830_emit.c ---- */
void hwemit_i830_emit(struct hwemit_code *code, const struct stages_plan *plan);

#endif
