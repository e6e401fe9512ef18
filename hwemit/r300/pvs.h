/* Vertex programs (fragprog.vertex) on the programmable vertex engine (PVS) of r300, r400 and r500.
 *
 *     struct fragprog
 *       | pvs_select.c: operations of the engine; each channel of an operand by itself
 *       | pvs_outputs.c: results that nothing else reads are written where they are wanted
 *       | pvs_operands.c: each operand comes from one register; an instruction reads one input, one constant
 *       | pvs_moves.c: moves to outputs go along with what writes the same output
 *       | pvs_pairs.c: two operations in one instruction; address loads
 *       | pvs_allocate.c: temporaries and alternate temporaries, by register classes
 *       v pvs_encode.c
 *     words
 *
 * A number that the program computes is a slot; slots that have to lie in one register are a variable, whose
 * lanes the allocation chooses. Facts: notes/facts/r300-vertex.md 1 and 2. */
#ifndef HWEMIT_R300_PVS_H
#define HWEMIT_R300_PVS_H

#include "hwemit/r300/r300_program.h"
#include "hwemit/targets.h"

enum {
    PVS_OPS = 1500, /* while they are worked on: more than are issued */
    PVS_SLOTS = 4 * PVS_OPS,
    PVS_CONSTS = 512, /* different ones; with numbers of our own */
    PVS_LOADS = 512,
    PVS_TEMPS = 32,
    PVS_ALTERNATES = 20,     /* all together, for all vertices that are worked on at one time */
    PVS_MATH_ALTERNATES = 4, /* of those what the second half of an instruction can write */
    PVS_CONTROLLERS = 5
};

/* Codes of the vector and the math engine (notes/facts/r300-vertex.md 1.1, 1.2). */
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
    PVS_SLOT,   /* index: slot */
    PVS_INPUT,  /* lane of attribute `index` */
    PVS_CONST,  /* lane of constant `index` */
    PVS_LOADED, /* lane of the element that load `index` names */
    PVS_LITERAL /* lane: FRAGPROG_ZERO, FRAGPROG_ONE */
};
struct pvs_chan {
    uint8_t file, lane, neg;
    uint16_t index;
};

/* EACH: each component from the same one of its operands. SUM: of products of four channels. NUMBER: of the
 * math engine, of numbers. LANES: the same, with components that lie in the lanes of their names. ADDRESS:
 * into the address register. */
enum pvs_kind { PVS_EACH, PVS_SUM, PVS_NUMBER, PVS_LANES, PVS_ADDRESS };
struct pvs_op {
    uint8_t kind, code, args;
    bool gone;
    uint8_t abs; /* bit s: |operand s|, before its signs; r500 only */
    uint8_t components;
    uint16_t slot[4];          /* by component; NONE: nobody reads it */
    int8_t out;                /* the output that is written instead; -1: none */
    uint8_t lanes[4];          /* then: of each component the lanes of the output, as a mask */
    struct pvs_chan arg[3][4]; /* of NUMBER, LANES, ADDRESS channel 0 */
    uint16_t second;           /* what the math half does: number in pvs.math; NONE */
    uint32_t order;
};

struct pvs_slot {
    uint16_t var;
    uint8_t component;
    uint16_t writer;     /* where in the program it is written */
    uint32_t begin, end; /* as of struct fragprog_colour_value */
};
/* own: its components lie in the lanes of their numbers. */
struct pvs_var {
    uint16_t slot[4]; /* by component; NONE */
    bool own, alternate, math;
    uint16_t reg;
    uint8_t lane[4]; /* by component */
};

struct pvs_const {
    float value[4];
    int32_t origin[4];
    uint8_t component[4];
    uint16_t array; /* fragprog_const.array */
    bool used;
    uint16_t slot;
};
/* An element of an array: floor(address) + offset. */
struct pvs_load {
    struct pvs_chan address;
    uint16_t array;
    int16_t offset;
};
struct pvs_result {
    struct pvs_chan chan[4];
};
struct pvs_output {
    struct pvs_chan chan[4];
    uint8_t mask, reg;
};

/* What of a chip counts here (notes/facts/r300-vertex.md 2.2). */
struct pvs_chip {
    bool r500;
    uint16_t instructions, memory, constants; /* memory: vec4 of temporaries, of inputs, of outputs */
};

enum pvs_atrm { PVS_ATRM_NONE, PVS_ATRM_EAGER, PVS_ATRM_SEARCH };

struct pvs {
    const struct pvs_chip *chip;
    const struct fragprog *ir;
    struct fragprog_reason *why;
    bool failed;
    uint8_t atrm;
    uint16_t nops, nslots, nvars, nconsts, nloads, nmath, numbers;
    uint16_t first_number; /* constant of our own numbers; NONE */
    uint32_t reuse;        /* for how many operations a copy of an input or constant serves */
    uint16_t temps, alternates, duals;
    uint16_t whole; /* temporaries, if each variable had one of its own and there were no others */
    uint8_t input_slot[FRAGPROG_ATTRIBS]; /* 0xff: not read */
    uint16_t ninputs;
    struct pvs_output output[FRAGPROG_VERTEX_OUTS]; /* 0: the position */
    struct pvs_result *result;                      /* by instruction of the program */
    char *room;
    size_t nroom;
    struct pvs_const konst[PVS_CONSTS];
    struct pvs_load load[PVS_LOADS];
    struct pvs_slot slot[PVS_SLOTS];
    struct pvs_var var[PVS_SLOTS];
    struct pvs_op op[PVS_OPS], next[PVS_OPS]; /* next: where a pass writes them anew */
    struct pvs_op math[PVS_OPS / 2];
};

/* ---- pvs_select.c ---- */
bool hwemit_pvs_select(struct pvs *p);
bool hwemit_pvs_refuse_long(struct pvs *p);
/* Appends to op[]; NULL and the program refused if there are too many. */
struct pvs_op *hwemit_pvs_append(struct pvs *p, const struct pvs_op *op);
/* A variable of n new slots, in lanes of their own or in any; the first slot. */
uint16_t hwemit_pvs_new_slots(struct pvs *p, unsigned n, bool own);
/* The two variables become one, if their slots fit into a register. */
bool hwemit_pvs_join(struct pvs *p, unsigned a, unsigned b);
/* What channel c of argument s of the operation reads, c below this. */
unsigned hwemit_pvs_channels(const struct pvs_op *op);

/* ---- pvs_outputs.c ---- */
void hwemit_pvs_outputs(struct pvs *p);

/* ---- pvs_operands.c ---- */
bool hwemit_pvs_operands(struct pvs *p);
/* Both are of one register; a literal is of any. */
bool hwemit_pvs_same_register(const struct pvs *p, const struct pvs_chan *a, const struct pvs_chan *b);
/* The channel that says which register operand s reads; NULL: literals alone. */
const struct pvs_chan *hwemit_pvs_register(const struct pvs_op *op, unsigned s);

/* Whether it is a move to an output. */
bool hwemit_pvs_is_move(const struct pvs_op *op);

/* ---- pvs_moves.c ---- */
void hwemit_pvs_moves(struct pvs *p);

/* ---- pvs_pairs.c ---- */
void hwemit_pvs_pairs(struct pvs *p);
bool hwemit_pvs_addresses(struct pvs *p);

/* ---- pvs_allocate.c ---- */
bool hwemit_pvs_allocate(struct pvs *p);
/* Vertices that are worked on at one time, with so many temporaries and alternate ones. */
unsigned hwemit_pvs_controllers(const struct pvs_chip *chip, unsigned temps, unsigned alternates);

/* ---- pvs_encode.c ---- */
bool hwemit_pvs_encode(struct pvs *p, struct hwemit_code *code);

/* ---- pvs_compile.c ---- */
bool hwemit_pvs_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why);
size_t hwemit_pvs_scratch(unsigned insts);

#endif
