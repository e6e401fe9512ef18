/* Registers of the PICA200's combiner stages: places of the fields, and the numbers that stand in them.
 * Internal to hwemit/pica200. */
#ifndef PICA200_H
#define PICA200_H

#include "hwemit/stages/stages_chip.h"
#include "hwemit/targets.h"

#define FIELD(id, name, low, width, names) PICA200_##id = (low),
#define STAGE(id, name, ...) __VA_ARGS__
#define REGISTER(id, name, number, program, ...) __VA_ARGS__
enum pica200_shift {
#include "hwemit/pica200/pica200_registers.def"
};
#undef FIELD
#undef STAGE
#undef REGISTER

/* By stage; the numbers of the registers that there are once. */
#define FIELD(id, name, low, width, names)
#define STAGE(id, name, ...) PICA200_##id,
#define REGISTER(id, name, number, program, ...) PICA200_##id = (number),
enum pica200_register {
#include "hwemit/pica200/pica200_registers.def"
};
#undef FIELD
#undef STAGE
#undef REGISTER

enum {
    PICA200_STAGES = 6,
    PICA200_TEXTURES = 3,
    PICA200_OF_STAGE = 5 /* registers */,
    PICA200_BUFFER_SLOT = PICA200_STAGES
};
enum pica200_source {
    PICA200_S_PRIMARY = 0x0,
    PICA200_S_TEXTURE0 = 0x3,
    PICA200_S_BUFFER = 0xD,
    PICA200_S_CONSTANT = 0xE,
    PICA200_S_PREVIOUS = 0xF,
};

/* ---- pica200_registers.c ---- */
/* Of the stage's register SOURCE. */
uint32_t hwemit_pica200_base(unsigned stage);
uint32_t hwemit_pica200_pack(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n);

/* ---- pica200_emit.c ---- */
void hwemit_pica200_emit(struct hwemit_code *code, const struct stages_plan *plan);

#endif
