/* Internal declarations of the target pica200: addresses, bit positions and values of register fields. */
#ifndef PICA200_H
#define PICA200_H

#include "hwemit/stages/stages_chip.h"
#include "hwemit/targets.h"

/* Register addresses of stage 0; stage n of stages 0 to 3 is n times the stride further. */
enum {
#define CHIP(name) PICA200_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/pica200/pica200_registers.def"
};

enum { PICA200_STAGES = 6, PICA200_TEXTURES = 3, PICA200_BUFFER_SLOT = PICA200_STAGES };

/* ---- pica200_registers.c ---- */
uint32_t hwemit_pica200_pack(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n);

/* ---- pica200_emit.c ---- */
void hwemit_pica200_emit(struct hwemit_code *code, const struct stages_plan *plan);

#endif
