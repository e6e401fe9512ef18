/* Compiles vertex programs (fragprog.vertex) for the programmable vertex engine (PVS) of r300, r400 and r500,
 * in these passes:
 *
 *     struct fragprog
 *       | hwemit/machine, with pvs_compile.c and pvs_steps.c: operations and constants
 *       | pvs_convert.c: slots and variables
 *       | pvs_pairs.c: puts two operations into one instruction; loads the address register
 *       | pvs_allocate.c: assigns temporaries and alternate temporaries by graph colouring
 *       v pvs_encode.c
 *     words
 *
 * A slot is one scalar that the program computes; slots that must share one register form a variable, whose
 * lanes register allocation chooses. Facts: notes/facts/r300-vertex.md 1 and 2. */
#ifndef HWEMIT_R300_PVS_H
#define HWEMIT_R300_PVS_H

#include "hwemit/machine/machine.h"
#include "hwemit/r300/r300_program.h"
#include "hwemit/targets.h"

enum {
    PVS_OPS = 1500, /* limit during compilation, above that of the chips */
    PVS_SLOTS = 4 * PVS_OPS,
    PVS_CONSTS = MACHINE_SLOTS, /* limit during compilation */
    PVS_LOADS = 512,
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

/* What one channel of an operand reads. */
enum pvs_file {
    PVS_UNREAD,
    PVS_SLOT,   /* slot `index` */
    PVS_INPUT,  /* component `lane` of attribute `index` */
    PVS_CONST,  /* component `lane` of constant `index` */
    PVS_LOADED, /* component `lane` of the array element that load `index` describes */
    PVS_LITERAL /* the number that `lane` selects: FRAGPROG_ZERO or FRAGPROG_ONE */
};
struct pvs_chan {
    uint8_t file, lane, neg;
    uint16_t index;
};

/* Kinds of operations. EACH computes component c from channel c of the operands. SUM is a dot product of four
 * channels. NUMBER is a scalar function of the math engine. LANES is a function of the math engine with a
 * different result in each lane. ADDRESS loads the address register. */
enum pvs_kind { PVS_EACH, PVS_SUM, PVS_NUMBER, PVS_LANES, PVS_ADDRESS };
struct pvs_op {
    uint8_t kind, code, args;
    bool gone;
    uint8_t components;
    uint16_t slot[4];          /* the result of each component; NONE: unread */
    int8_t out;                /* the output that is written instead of slots; -1: none */
    uint8_t lanes[4];          /* if out >= 0: mask of the output lanes that each component is written to */
    struct pvs_chan arg[3][4]; /* NUMBER, LANES and ADDRESS use channel 0 */
    uint16_t second;           /* index in pvs.math of the operation in the math half, or NONE */
};

struct pvs_slot {
    uint16_t var;
    uint8_t component;
    uint16_t writer;     /* position of the operation that writes it */
    uint32_t begin, end; /* live range, as in struct fragprog_colour_value */
};
/* own: component c must be in lane c. alternate: it is in an alternate temporary. math: the math half of a
 * dual instruction writes it, so it must be in an alternate temporary. */
struct pvs_var {
    uint16_t slot[4]; /* of each component, or NONE */
    bool own, alternate, math;
    uint16_t reg;
    uint8_t lane[4]; /* lane of each component */
};

struct pvs_const {
    float value[4];
    int32_t origin[4];
    uint8_t component[4];
    uint16_t array; /* fragprog_const.array */
    uint16_t slot;
};
/* A relative read of array element floor(address) + offset. */
struct pvs_load {
    struct pvs_chan address;
    uint16_t array;
    int16_t offset;
};

/* The limits of a chip (notes/facts/r300-vertex.md 2.2). */
struct pvs_chip {
    bool r500;
    /* memory: size in vec4 of each of the memories for temporaries, inputs and outputs */
    uint16_t instructions, memory, constants;
};

enum pvs_atrm { PVS_ATRM_NONE, PVS_ATRM_EAGER, PVS_ATRM_SEARCH };

struct pvs {
    const struct pvs_chip *chip;
    struct fragprog_reason *why;
    bool failed;
    uint8_t atrm;
    uint16_t nops, nslots, nvars, nconsts, nloads, nmath;
    uint16_t temps, alternates, duals;
    /* for statistics: the number of temporaries that would be needed if no two variables shared a register
     * and there were no alternate temporaries */
    uint16_t whole;
    uint8_t input_slot[FRAGPROG_ATTRIBS]; /* register of each attribute; 0xff: unread */
    uint16_t ninputs;
    uint8_t output[FRAGPROG_VERTEX_OUTS]; /* register of each output; [0] is the position */
    char *room;
    size_t nroom;
    struct pvs_const konst[PVS_CONSTS];
    struct pvs_load load[PVS_LOADS];
    struct pvs_slot slot[PVS_SLOTS];
    struct pvs_var var[PVS_SLOTS];
    struct pvs_op op[PVS_OPS], next[PVS_OPS]; /* next: the list that a pass writes */
    struct pvs_op math[PVS_OPS / 2];
};

/* ---- pvs_steps.c: steps on the machine form ---- */
bool hwemit_pvs_gather(struct machine *m);
bool hwemit_pvs_repeat(struct machine *m);
bool hwemit_pvs_early(struct machine *m);
bool hwemit_pvs_ports(struct machine *m);
bool hwemit_pvs_arrays(struct machine *m);

/* ---- pvs_convert.c ---- */
bool hwemit_pvs_convert(struct pvs *p, struct machine *m);
/* Refuses a program that needs more than `most` of the named objects (what) in a pass. */
bool hwemit_pvs_refuse_long(struct pvs *p, size_t most, const char *what);
/* Returns the number of channels of each argument that the operation reads. */
unsigned hwemit_pvs_channels(const struct pvs_op *op);

/* Returns whether both channels are in one register; a literal fits any register. */
bool hwemit_pvs_same_register(const struct pvs *p, const struct pvs_chan *a, const struct pvs_chan *b);
/* Returns a channel that identifies the register of operand s, or NULL if it has only literals. */
const struct pvs_chan *hwemit_pvs_register(const struct pvs_op *op, unsigned s);

/* ---- pvs_pairs.c ---- */
void hwemit_pvs_pairs(struct pvs *p);
bool hwemit_pvs_addresses(struct pvs *p);

/* ---- pvs_allocate.c ---- */
bool hwemit_pvs_allocate(struct pvs *p);
/* Returns how many vertices the chip can process at the same time if each uses these numbers of temporaries
 * and alternate temporaries. */
unsigned hwemit_pvs_controllers(const struct pvs_chip *chip, unsigned temps, unsigned alternates);

/* ---- pvs_encode.c ---- */
bool hwemit_pvs_encode(struct pvs *p, struct hwemit_code *code);

/* ---- pvs_compile.c ---- */
bool hwemit_pvs_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why);
size_t hwemit_pvs_scratch(unsigned insts);

#endif
