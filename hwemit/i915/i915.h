/* The target i915: fragment programs of Intel's third generation (915G to Pineview), whose instructions work
 * on registers of four channels; each channel of an operand selects a channel, 0 or 1, with its own sign.
 * hwemit/machine compiles the programs, from the description of the chip in i915_target.c. Numbers such as
 * "4.1" in the comments of this folder are sections of notes/facts/i915.md. */
#ifndef HWEMIT_I915_H
#define HWEMIT_I915_H

#include "hwemit/machine/machine.h"

enum i915_shift {
#define CHIP(name) I915_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/i915/i915_registers.def"
};

/* Operations in the order of their codes (4.1 to 4.3). */
#define I915_OPCODES(is) \
    is(NOP) is(ADD) is(MOV) is(MUL) is(MAD) is(DP2ADD) is(DP3) is(DP4) is(FRC) is(RCP) is(RSQ) is(EXP) \
        is(LOG) is(CMP) is(MIN) is(MAX) is(FLR) is(MOD) is(TRC) is(SGE) is(SLT) is(TEXLD) is(TEXLDP) \
            is(TEXLDB) is(TEXKILL) is(DCL)
#define I915_OPCODE(name) I915_##name,
enum i915_opcode { I915_OPCODES(I915_OPCODE) };
enum i915_file { I915_R, I915_T, I915_CONST, I915_S, I915_OC, I915_OD, I915_U }; /* section 3 */
enum i915_select { I915_ZERO = 4, I915_ONE, I915_NEGATED = 8 };
enum { I915_DIFFUSE = 8, I915_SPECULAR, I915_FOG }; /* registers T after the coordinate sets */

/* Limits of the chip (section 1). OPS: of operations during compilation; SMALL: in texture environments. */
enum { I915_SETS = 8, I915_INSTRUCTIONS = 64, I915_LOOKUPS = 32, I915_PHASES = 4 };
enum { I915_OPS = 1200, I915_SMALL = 400 };

/* ---- i915_encode.c ---- */
void hwemit_i915_encode(struct machine *m);

#endif
