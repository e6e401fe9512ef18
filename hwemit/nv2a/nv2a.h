/* Methods of the NV2A's register combiners: places of the fields, and the numbers that stand in them.
 * Internal to hwemit/nv2a. */
#ifndef NV2A_H
#define NV2A_H

#include "hwemit/stages/stages_chip.h"
#include "hwemit/targets.h"

#define INPUT(id, name, low) NV2A_##id = (low),
#define COLOR(id)
#define FIELD(id, name, low, width, names) NV2A_##id = (low),
#define METHOD(id, name, offset, count, ...) __VA_ARGS__
enum nv2a_shift {
#include "hwemit/nv2a/nv2a_registers.def"
};
#undef INPUT
#undef FIELD
#undef METHOD
#define INPUT(id, name, low)
#define FIELD(id, name, low, width, names)
#define METHOD(id, name, offset, count, ...) NV2A_##id = (offset),
enum nv2a_method {
#include "hwemit/nv2a/nv2a_registers.def"
};
#undef INPUT
#undef COLOR
#undef FIELD
#undef METHOD

enum { NV2A_STAGES = 8, NV2A_TEXTURES = 4, NV2A_FINAL_SLOT = 2 * NV2A_STAGES };
enum nv2a_register {
    NV2A_ZERO, /* as a result: nowhere */
    NV2A_C0,
    NV2A_C1,
    NV2A_FOG,
    NV2A_V0,
    NV2A_V1,
    NV2A_T0 = 8,
    NV2A_R0 = 12,
    NV2A_R1,
    NV2A_SUM, /* v1 + r0 */
    NV2A_EF   /* E*F */
};
/* An input: a register, a component, a mapping. */
enum {
    NV2A_ALPHA = 0x10, /* alpha in each channel; without it rgb, in alpha's half and G blue */
    NV2A_MAPPING = 5,
    NV2A_INVERT = 1 << NV2A_MAPPING,
    NV2A_EXPAND = 2 << NV2A_MAPPING, /* + NV2A_INVERT: of 1-x */
    NV2A_HALF_BIAS = 4 << NV2A_MAPPING,
    NV2A_SIGNED = 6 << NV2A_MAPPING,
    NV2A_ONE = NV2A_ZERO | NV2A_INVERT,
    NV2A_MINUS_ONE = NV2A_ZERO | NV2A_EXPAND
};
/* What is done to each result. */
enum { NV2A_OP_X1, NV2A_OP_BIAS, NV2A_OP_X2, NV2A_OP_X2_BIAS, NV2A_OP_X4, NV2A_OP_HALF = 6 };
/* Of a texture unit. */
enum { NV2A_PROJECT2D = 1, NV2A_PROJECT3D, NV2A_CUBE };

/* ---- nv2a_registers.c ---- */
uint32_t hwemit_nv2a_pack(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n);

/* ---- nv2a_emit.c ---- */
/* code->follows says what the final combiner does. */
void hwemit_nv2a_emit(struct hwemit_code *code, const struct stages_plan *plan);

/* ---- nv2a_error.c ---- */
/* How far the result of these words may be from exact arithmetic, in percent of 1/255, where all inputs are
 * multiples of 1/255. */
uint32_t hwemit_nv2a_error(const struct hwemit_word *word, uint32_t n);

/* ---- nv2a_rc.c: hwemit_registers.print and read ---- */
bool hwemit_nv2a_print_rc(struct texenv_text *text, const struct hwemit_word *word, uint32_t n);
bool hwemit_nv2a_read_rc(struct hwemit_words *out, const char *text, size_t length,
                         const struct texenv_sink *sink);

#endif
