/* Internal declarations of the target nv2a: methods and field positions of the register combiners, and its
 * functions. */
#ifndef NV2A_H
#define NV2A_H

#include "fragprog/combiners/combiners.h"
#include "hwemit/stages/stages_chip.h"
#include "hwemit/targets.h"

/* Offsets of methods and lowest bits of fields. */
enum nv2a_number {
#define CHIP(name) NV2A_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/nv2a/nv2a_registers.def"
};

/* Modes of a texture unit. */
enum { NV2A_PROJECT2D = 1, NV2A_PROJECT3D, NV2A_CUBE };

/* ---- nv2a_words.c ---- */
enum { NV2A_WORDS = 6 * RC_STAGES + 6 };
/* Encodes a program as words; returns their number. */
uint32_t hwemit_nv2a_words(struct hwemit_word word[NV2A_WORDS], const struct fragprog_rc *rc);
/* Implement hwemit_registers.print and read. */
bool hwemit_nv2a_print(struct texenv_text *text, const struct hwemit_word *word, uint32_t n);
bool hwemit_nv2a_read(struct hwemit_words *out, const char *text, size_t length,
                      const struct texenv_sink *sink);

/* ---- nv2a_registers.c: hwemit_target.pack ---- */
uint32_t hwemit_nv2a_pack(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n);

/* ---- nv2a_emit.c ---- */
/* Encodes a plan of stages. code->follows: the steps after texturing that the final combiner also does. */
void hwemit_nv2a_emit(struct hwemit_code *code, const struct stages_plan *plan);

/* ---- nv2a_error.c ---- */
/* Returns an upper bound of the error of an emitted program compared to exact arithmetic, in hundredths of
 * 1/255, for inputs that are multiples of 1/255. */
uint32_t hwemit_nv2a_error(const struct fragprog_rc *rc);

#endif
