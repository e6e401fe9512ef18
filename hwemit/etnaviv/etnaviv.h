/* The target etnaviv: fragment programs for Vivante's unified shader core (GC2000 and later). Its
 * instructions do one operation each, on registers of four channels. hwemit/machine compiles the programs,
 * from the description of the chip in etna_target.c. Facts: notes/facts/etnaviv.md. */
#ifndef HWEMIT_ETNAVIV_H
#define HWEMIT_ETNAVIV_H

#include "hwemit/machine/machine.h"

enum etna_shift {
#define CHIP(name) ETNA_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/etnaviv/etnaviv_registers.def"
};

enum etna_opcode {
#define OPCODE(code, name) ETNA_##name = (code),
#include "hwemit/etnaviv/etna_opcodes.def"
};
enum etna_cond { ETNA_TRUE, ETNA_GT, ETNA_LT, ETNA_GE, ETNA_GEZ = 12, ETNA_GZ, ETNA_LZ = 15 };
enum etna_group { ETNA_TEMP, ETNA_UNIFORM0 = 2, ETNA_IMMEDIATE = 7 };

enum {
    ETNA_MOST_TEMPS = 64,
    ETNA_MOST_INSTRUCTIONS = 1024,
    ETNA_OPS = 1600, /* limit of operations during compilation, above that of the chip */
    ETNA_SMALL = 400 /* the same limit for texture environments */
};

/* Options of the target, by number. */
enum etna_option { ETNA_HALTI, ETNA_N_UNIFORMS, ETNA_N_INSTRUCTIONS, ETNA_N_TEMPS, ETNA_ONE, ETNA_PAIRS };

/* Register classes: scalar to vec4, the two factors of a function, inputs, the position. The table is as
 * fragprog_classes_build would make it. */
extern const struct fragprog_classes hwemit_etna_classes;

/* ---- etna_encode.c ---- */
void hwemit_etna_encode(struct machine *m);
/* Returns the 20 bits of the number that the source reads, if the instruction can hold it; else -1. */
int32_t hwemit_etna_immediate(const struct machine *m, const struct machine_op *op, unsigned s);

#endif
