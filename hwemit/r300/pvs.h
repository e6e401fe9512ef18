/* Compiles vertex programs (fragprog.vertex) for the programmable vertex engine (PVS) of r300, r400 and r500,
 * in these steps on the operations of hwemit/machine (pvs_compile.c):
 *
 *     struct fragprog
 *       | steps of hwemit/machine and of pvs_steps.c: operations and constants
 *       | pvs_pairs.c: loads the address register; puts two operations into one instruction
 *       | pvs_allocate.c: assigns temporaries and alternate temporaries by graph colouring
 *       v pvs_encode.c
 *     words
 *
 * An instruction can execute an operation of the vector half and one of the math half ("dual"). The result of
 * the math half is then in an alternate temporary, a second register file, which can also hold other values
 * (option `atrm`); the figure `alternates` counts those in use.
 *
 * Facts: notes/facts/r300-vertex.md 1 and 2. */
#ifndef HWEMIT_R300_PVS_H
#define HWEMIT_R300_PVS_H

#include "hwemit/machine/machine.h"
#include "hwemit/r300/r300_program.h"
#include "hwemit/targets.h"

enum {
    PVS_TEMPS = 32,
    PVS_ALTERNATES = 20,     /* shared by all vertices that are processed at the same time */
    PVS_MATH_ALTERNATES = 4, /* number of those that the math half of a dual instruction can write */
    PVS_CONTROLLERS = 5      /* maximum number of vertices that are processed at the same time */
};

/* Opcodes of the vector engine, then of the math engine (notes/facts/r300-vertex.md 1.1, 1.2). */
enum {
    PVS_DOT = 1,
    PVS_MUL,
    PVS_ADD,
    PVS_MAD,
    PVS_DST,
    PVS_FRC,
    PVS_MAX,
    PVS_MIN,
    PVS_SGE,
    PVS_SLT,
    PVS_FLOOR_ADDRESS = 13
};
enum { PVS_EXP = 1, PVS_LOG, PVS_LIT = 4, PVS_POW, PVS_RCP, PVS_RSQ = 8, PVS_EX2 = 11, PVS_LG2 };

/* machine_value.file of results. MATH: an alternate temporary that the math half of a dual instruction
 * writes. */
enum { PVS_IN_TEMPORARY, PVS_IN_ALTERNATE, PVS_IN_MATH_ALTERNATE };

/* The register that a source of an operation reads. NOWHERE: none, as the source reads only 0, 1 and -1.
 * index: the value, or the slot of constants. */
enum pvs_file { PVS_NOWHERE, PVS_TEMP, PVS_ALTERNATE, PVS_INPUT, PVS_CONST, PVS_ELEMENT };
struct pvs_port {
    uint8_t file;
    uint16_t index;
};

/* The limits of a chip (notes/facts/r300-vertex.md 2.2). */
struct pvs_chip {
    bool r500;
    /* memory: size in vec4 of each of the memories for temporaries, inputs and outputs */
    uint16_t instructions, memory, constants;
};

/* The option `atrm`: how many values are put into alternate temporaries (pvs_allocate.c). */
enum pvs_atrm { PVS_ATRM_NONE, PVS_ATRM_EAGER, PVS_ATRM_SEARCH };

struct pvs {
    const struct pvs_chip *chip;
    uint8_t atrm; /* enum pvs_atrm */
    /* how many are used; whole: temporaries if no two values shared one */
    uint16_t instructions, temps, alternates, whole;
    uint8_t output[FRAGPROG_VERTEX_OUTS]; /* register of each output; [0] is the position */
};

/* ---- pvs_steps.c: steps on the machine form ---- */
bool hwemit_pvs_gather(struct machine *m);
bool hwemit_pvs_repeat(struct machine *m);
bool hwemit_pvs_early(struct machine *m);
bool hwemit_pvs_ports(struct machine *m);
bool hwemit_pvs_arrays(struct machine *m);
struct pvs_port hwemit_pvs_port(const struct machine *m, const struct machine_op *op, unsigned s);
/* Moves an operation to another place in the list. */
void hwemit_pvs_move(struct machine *m, unsigned from, unsigned to);

/* ---- pvs_pairs.c ---- */
bool hwemit_pvs_addresses(struct machine *m);
bool hwemit_pvs_pairs(struct machine *m);
/* Returns the operation that is the math half of the instruction of operation i, or NULL. */
const struct machine_op *hwemit_pvs_second(const struct machine *m, unsigned i);
/* Sets barred[v] for each value v that an instruction reads together with an alternate temporary. */
void hwemit_pvs_bar(const struct machine *m, uint8_t *barred);

/* ---- pvs_allocate.c ---- */
bool hwemit_pvs_allocate(struct machine *m);
unsigned hwemit_pvs_class(const struct machine_value *value);
void hwemit_pvs_classes(struct fragprog_classes *to);
/* Returns how many vertices the chip can process at the same time if each uses these numbers of temporaries
 * and alternate temporaries. */
unsigned hwemit_pvs_controllers(const struct pvs *p);

/* ---- pvs_encode.c ---- */
void hwemit_pvs_encode(struct machine *m);

/* ---- pvs_compile.c ---- */
bool hwemit_pvs_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why);
enum { PVS_OPS = 8000 }; /* so large because register allocation uses the same memory */
#define PVS_SCRATCH MACHINE_BYTES(PVS_OPS, 0, sizeof(struct pvs))

#endif
