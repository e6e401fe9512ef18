/* Internal declarations of the target r200: addresses and bit positions, made from r200_registers.def, and
 * the encoder. */
#ifndef HWEMIT_R200_H
#define HWEMIT_R200_H

#include "hwemit/targets.h"

/* Constants made from r200_registers.def. For example, R200_CNTL is the address of register PP_CNTL,
 * R200_CNTL_STRIDE the distance of such registers, R200_CNTL_MULTI_PASS_ENABLE the lowest bit of that field.
 */
enum {
#define CHIP(name) R200_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/r200/r200_registers.def"
};
/* Field values that the encoder writes (names: r200_registers.c). */
enum {
    R200_OP_MADD = 0,
    R200_OP_CND0 = 2,
    R200_OP_LERP = 3,
    R200_OP_DOT3 = 4,
    R200_OP_DOT4 = 5,
    R200_OP_CND = 6,
    R200_OP_DOT2_ADD = 7
};
enum { R200_CLAMP_0_1 = 1, R200_CLAMP_8_8 = 2 };
enum { R200_COORD_NONPROJ = 0, R200_COORD_CUBIC_ENV = 1, R200_COORD_VOLUME = 2, R200_COORD_PROJ = 3 };
enum {
    R200_SRC_ZERO = 0,
    R200_SRC_DIFFUSE = 4,
    R200_SRC_SPECULAR = 6,
    R200_SRC_TFACTOR = 8,
    R200_SRC_R0 = 10,
    R200_SRC_TFACTOR1 = 26
};
enum { R200_UNITS = 6, R200_STAGES = 8 };

/* Encodes a program of ATI_fragment_shader as words. It must obey the rules of ATI_fragment_shader, but may
 * use the primary colour in its first pass (assumption 0). Returns false with *why if the chip cannot execute
 * it. */
bool hwemit_r200_encode(struct hwemit_code *code, const struct fragprog_atifs *program,
                        struct fragprog_reason *why);
static inline bool hwemit_r200_is_dot(unsigned api)
{
    return api == FRAGPROG_ATI_DOT3 || api == FRAGPROG_ATI_DOT4 || api == FRAGPROG_ATI_DOT2ADD;
}
/* If some channel of the result is not clamped to [0,1] yet, appends a pair that does it. Returns false if
 * the last pass has no room for a pair. */
bool hwemit_r200_limit_result(struct fragprog_atifs *p);

#endif
