/* Compiles ARB fragment programs (fragprog.unbounded) for the paired unit of r300, r400 and r500, in the
 * passes listed below. Texture environments are compiled by r300_choose.h instead, which treats values as
 * polynomials over [0,1]; here each instruction is translated by itself.
 *
 *     struct fragprog
 *         |  asm_convert.c: select operations (hwemit/machine); each operand channel is tracked separately
 *         |  asm_units.c: decide which values share a temporary, and their lanes
 *         |  asm_outputs.c: let operations write outputs directly
 *         |  asm_constants.c: pack constants into slots (fragprog_constants_compact)
 *         |  asm_split.c: split operations whose operands the unit cannot swizzle
 *     struct asm_op
 *         |  asm_schedule.c, asm_place.c: pairs, texture blocks, source addresses
 *         |  asm_allocate.c: temporaries, by graph colouring (fragprog/alloc/colour.h)
 *         |  asm_fill.c
 *     struct program (r300_program.h), which the encoders read
 *
 * Facts: notes/facts/r300.md 1 to 5. */
#ifndef HWEMIT_R300_ASM_H
#define HWEMIT_R300_ASM_H

#include "fragprog/constants.h"
#include "hwemit/machine/machine.h"
#include "hwemit/r300/r300_program.h"

enum {
    ASM_OPS = 2048,    /* more than any chip issues */
    ASM_VALUES = 2600, /* results, texels, inputs */
    ASM_LOOKUPS = MAX_TEX,
    ASM_NODES = ASM_OPS + ASM_LOOKUPS,
    ASM_CONSTS = 512, /* constants of the source, and literals that the compiler adds */
    ASM_NUMBERS = 64,
    ASM_READS = 3 * ASM_OPS,
    ASM_TARGETS = 4 /* colour outputs */
};

/* What one channel of an operand reads. A "number" is a scalar. */
enum asm_file {
    ASM_UNREAD,
    ASM_VALUE,  /* component `lane` of value `index` */
    ASM_CONST,  /* channel of constant `index`: of the source, or an added literal */
    ASM_SLOT,   /* channel of a constant slot */
    ASM_INLINE, /* r500: a literal in the address field (index: its code) */
    ASM_LITERAL /* the number that `lane` selects: FRAGPROG_ZERO, ONE or HALF */
};
struct asm_chan { /* the absolute value is taken before the sign is applied */
    uint8_t file, lane, neg : 1, abs : 1;
    uint16_t index;
};

/* Kinds of operations. VECTOR computes two or three colour channels, in the colour half. SCALAR computes one
 * number, in either half. DOT3 runs in the colour half, DOT4 in both halves; their result is a number.
 * FUNCTION computes a function of one number, in the alpha half only. A number is component 0 of its value,
 * and an operand that is a number is in arg[s][0]. */
enum asm_kind { ASM_VECTOR, ASM_SCALAR, ASM_DOT3, ASM_DOT4, ASM_FUNCTION };
/* opcodes of functions in the alpha half (notes/facts/r300.md 2.1) */
enum { ASM_EX2 = 8, ASM_LG2, ASM_RCP, ASM_RSQ, ASM_SIN, ASM_COS };
struct asm_op {
    uint8_t kind, code; /* code: OP_*, or ASM_EX2 .. for functions */
    uint8_t mask;       /* VECTOR: write mask */
    uint8_t clamp;
    int8_t scale;
    uint8_t out[2];        /* output write mask (RGB: channels, ALPHA: 1) */
    uint8_t target, depth; /* target: the colour output; depth: the alpha result is the depth */
    uint16_t value;
    uint16_t order;            /* position in the source program */
    struct asm_chan arg[3][4]; /* channels 0..2 are colour, 3 is alpha (DOT4); a number uses channel 0 */
    bool done;                 /* the schedule has put it into a pair */
};

/* A value: components that share one temporary. A number may be in any lane until `lane` is set. */
enum asm_source { ASM_RESULT, ASM_TEXEL, ASM_INPUT };
struct asm_value {
    uint8_t source, components; /* write mask of its components; 1 for a number */
    uint8_t number;
    uint16_t from;      /* index of the lookup (TEXEL) or input (INPUT) */
    uint16_t unit;      /* struct asm_unit */
    uint8_t lane;       /* for a number: its lane in the temporary; 0xff: not fixed yet */
    uint16_t writer[4]; /* the operation that writes each component, or NONE */
    uint8_t part;       /* for a number whose lane is not fixed: RGB or ALPHA, set by the schedule */
    uint8_t read;       /* mask of components that are read */
};
/* Values that share one temporary. Units form a union-find structure. */
struct asm_unit {
    uint16_t parent; /* itself, or the unit that it was merged into */
    uint8_t lanes;   /* mask of occupied lanes; 0: a single number whose lane is not fixed */
    uint8_t fixed;   /* true for an input or a texel, which no other value can join */
    /* set by asm_allocate.c: temporary, lanes, live range of each lane */
    uint16_t reg;
    uint8_t place[4]; /* lane of each component (a number uses [0]) */
    uint32_t begin[4], end[4];
};

struct asm_lookup {
    uint8_t op;                     /* TEX_LD, TEX_KIL, ... */
    uint8_t texture, target, needs; /* needs: mask of coordinate channels */
    uint8_t set;                    /* coordinate set; if coordinates are computed, the texture's number */
    uint16_t value;                 /* the texel, NONE for KIL */
    uint16_t order;                 /* how many operations precede it in the program */
    struct asm_chan coord[4];
};

/* Scheduling data of an operation, or (after all operations) of a lookup: its texture block, the length of
 * the longest dependence chain that starts at it, and the number of its producers that are not issued yet. */
struct asm_node {
    uint16_t phase, height, waits;
};

struct asm_input {
    uint8_t what, index; /* HWEMIT_COLOR .. */
    uint16_t value;
};
struct asm_output {
    struct asm_chan chan[4];
    uint8_t mask;
};

struct asm_program {
    struct program *p; /* chip and source are set first, the rest by asm_fill.c */
    const struct fragprog *ir;
    struct fragprog_reason *why;
    bool failed;
    char *colour; /* scratch memory for graph colouring and constant packing, of `room` bytes */
    size_t room;
    uint16_t nops, nvalues, nlookups, nconsts, nslots, ninputs;
    uint16_t phases;
    bool in_order;  /* schedule by program order instead of by critical path */
    uint8_t layout; /* constant packing: enum fragprog_constants_layout */
    uint8_t nnumbers;
    struct asm_input input[HWEMIT_INPUTS];
    struct asm_output output[ASM_TARGETS + 1]; /* the last one is the depth, in x */
    /* The members below are not initialised. Table entries are written completely before their counter
     * includes them; the other arrays are written by the pass that uses them. */
    struct asm_op op[ASM_OPS];
    struct asm_value value[ASM_VALUES];
    struct asm_unit unit[ASM_VALUES];
    struct asm_lookup lookup[ASM_LOOKUPS];
    /* the nodes that read the result of node n are edge[first[n]] .. edge[first[n + 1] - 1] */
    struct asm_node node[ASM_NODES];
    uint16_t edge[9 * ASM_OPS + 4 * ASM_LOOKUPS];
    uint16_t first[ASM_NODES + 1], filled[ASM_NODES];
    float number[ASM_NUMBERS]; /* added literals; as constants they follow those of the source */
    struct constant slot[HWEMIT_CONSTANTS];
    struct fragprog_constants_slot before[ASM_CONSTS];
    struct fragprog_constants_read reads[ASM_READS];
    struct fragprog_constants_use use[ASM_READS];
    struct fragprog_constants_lane after[ASM_CONSTS + ASM_READS + 1][4];
};

/* ---- asm_convert.c ---- */
/* Translates a->ir to operations, lookups, inputs and outputs. Uses m and MACHINE_BYTES at `memory` as
 * scratch memory. */
bool hwemit_asm_select(struct asm_program *a, struct machine *m, char *memory,
                       const struct fragprog_hooks *hooks);
/* Appends an operation and a value for its result. The caller sets only kind, code, mask, scale, clamp and
 * operands. Returns NULL if there are too many operations. */
struct asm_op *hwemit_asm_emit(struct asm_program *a, const struct asm_op *op);
/* As hwemit_asm_emit, for an operation whose result is a number. Sets *result to an operand that reads it. */
void hwemit_asm_number(struct asm_program *a, const struct asm_op *op, struct asm_chan *result);
/* Returns the operation x*1 + 0 of kind SCALAR, for source position `order`. */
struct asm_op hwemit_asm_copy(const struct asm_chan x[4], unsigned order);
struct asm_chan hwemit_asm_literal(unsigned lane);
bool hwemit_asm_refuse_long(struct asm_program *a);

/* hwemit_asm_operands: the number of operands of an operation. hwemit_asm_channels: the mask of channels that
 * it reads of each. */
static inline unsigned hwemit_asm_operands(const struct asm_op *op)
{
    return op->kind == ASM_FUNCTION || op->code == OP_FRC                                          ? 1
        : op->kind == ASM_DOT3 || op->kind == ASM_DOT4 || op->code == OP_MIN || op->code == OP_MAX ? 2
                                                                                                   : 3;
}
static inline unsigned hwemit_asm_channels(const struct asm_op *op)
{
    return op->kind == ASM_VECTOR ? op->mask : op->kind == ASM_DOT3 ? 7 : op->kind == ASM_DOT4 ? 15 : 1;
}

/* ---- asm_constants.c ---- */
bool hwemit_asm_constants(struct asm_program *a);
/* ---- asm_units.c ---- */
bool hwemit_asm_units(struct asm_program *a);
unsigned hwemit_asm_unit(const struct asm_program *a, unsigned value);
/* Returns the lane of a channel in its temporary; 0xff for a number whose lane is not fixed yet. */
unsigned hwemit_asm_lane(const struct asm_program *a, const struct asm_chan *c);
/* ---- asm_outputs.c ---- */
bool hwemit_asm_outputs(struct asm_program *a);
/* Returns whether this half must write the operation's result, to an output or to the lane of its value. */
bool hwemit_asm_wants(const struct asm_program *a, const struct asm_op *op, unsigned half);
/* ---- asm_split.c ---- */
bool hwemit_asm_split(struct asm_program *a);
/* ---- asm_place.c ---- */
/* Makes a pair of two operations: assigns source addresses, each to one struct asm_unit, and makes the
 * operands select them. NONE leaves a half empty; the same operation twice runs in both halves. Returns false
 * if the operations do not fit together. */
bool hwemit_asm_place(const struct asm_program *a, struct pair *pair, unsigned rgb, unsigned alpha);
/* hwemit_asm_args: the number of operands that an operation reads in this half. hwemit_asm_reads: what the
 * half reads as one channel of operand s. */
unsigned hwemit_asm_args(const struct asm_op *op, unsigned half);
struct asm_chan hwemit_asm_reads(const struct asm_op *op, unsigned half, unsigned s, unsigned channel);
/* ---- asm_schedule.c ---- */
bool hwemit_asm_schedule(struct asm_program *a);
/* ---- asm_allocate.c: assigns temporaries ---- */
bool hwemit_asm_allocate(struct asm_program *a);
/* ---- asm_fill.c: converts the result to struct program ---- */
void hwemit_asm_fill(struct asm_program *a);
/* ---- asm_compile.c ---- */
bool hwemit_asm_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why);
size_t hwemit_asm_scratch(unsigned insts);

#endif
