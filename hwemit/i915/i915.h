/* The target i915: fragment programs of Intel's third generation (915G to Pineview), whose instructions work
 * on registers of four channels; each channel of an operand selects a channel, 0 or 1, with its own sign.
 * hwemit/machine makes the programs by what i915_target.c tells. Facts: notes/facts/i915.md. */
#ifndef HWEMIT_I915_H
#define HWEMIT_I915_H

#include "hwemit/machine/machine.h"

enum i915_shift {
#define CHIP(name) I915_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/i915/i915_registers.def"
#undef CHIP
};

enum i915_opcode { /* 4.1 to 4.3 */
                   I915_NOP,
                   I915_ADD,
                   I915_MOV,
                   I915_MUL,
                   I915_MAD,
                   I915_DP2ADD,
                   I915_DP3,
                   I915_DP4,
                   I915_FRC,
                   I915_RCP,
                   I915_RSQ,
                   I915_EXP,
                   I915_LOG,
                   I915_CMP,
                   I915_MIN,
                   I915_MAX,
                   I915_FLR,
                   I915_MOD,
                   I915_TRC,
                   I915_SGE,
                   I915_SLT,
                   I915_TEXLD,
                   I915_TEXLDP,
                   I915_TEXLDB,
                   I915_TEXKILL,
                   I915_DCL
};
enum i915_file { I915_R, I915_T, I915_CONST, I915_S, I915_OC, I915_OD, I915_U }; /* 3 */
enum i915_select { I915_ZERO = 4, I915_ONE, I915_NEGATED = 8 };
enum { I915_DIFFUSE = 8, I915_SPECULAR, I915_FOG }; /* registers T beside coordinate sets */

enum { /* 1 */
       I915_SETS = 8,
       I915_INSTRUCTIONS = 64,
       I915_LOOKUPS = 32,
       I915_PHASES = 4,
       I915_OPS = 1200, /* while they are worked on: more than are issued */
       I915_SMALL = 400 /* the same of texture environments */
};

/* ---- i915_encode.c ---- */
/* The register file and number of a value that has a place. */
enum i915_file hwemit_i915_file(const struct machine *m, unsigned value);
void hwemit_i915_encode(struct machine *m);

#endif
