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

/* Operations (notes/facts/i830.md 2); a0, a1, a2 are the hardware's arguments. */
enum i830_op {
    I830_ARG1 = 0x1,
    I830_MODULATE = 0x3,         /* a1*a2 */
    I830_ADD = 0x6,              /* a1+a2 */
    I830_ADDSIGNED = 0x7,        /* a1+a2-1/2 */
    I830_BLEND = 0x8,            /* a0*a1+(1-a0)*a2 */
    I830_SUBTRACT = 0xa,         /* a1-a2 */
    I830_DOT3 = 0xb,             /* 4*sum of (a1-1/2)*(a2-1/2) over r, g, b */
    I830_DOT4 = 0xc,             /* DOT3 plus the alpha pipe's term, into colour and alpha */
    I830_MODULATE_AND_ADD = 0xd, /* a1*a2+a0; 0xe: 2*a1*a2+a0; 0xf: 4*a1*a2+a0 */
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
