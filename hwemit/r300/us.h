/* Compiles fragment programs for the paired unit of r300, r400 and r500, in the passes listed below.
 *
 *     struct fragprog
 *         |  us_convert.c: select operations (hwemit/machine); each operand channel is tracked separately
 *         |  us_units.c: decide which values share a temporary, and their lanes
 *         |  us_outputs.c: let operations write outputs directly
 *         |  us_constants.c: pack constants into slots (fragprog_constants_compact)
 *         |  us_split.c: split operations whose operands the unit cannot swizzle
 *         |  us_presub.c: let presubtracts compute sums
 *     struct us_op
 *         |  us_schedule.c, us_place.c: pairs, texture blocks, source addresses
 *         |  us_allocate.c: temporaries, by graph colouring (fragprog/alloc/colour.h)
 *         |  us_fill.c
 *     struct program (r300_program.h), which the encoders read
 *
 * Facts: notes/facts/r300.md 1 to 5. */
#ifndef HWEMIT_R300_US_H
#define HWEMIT_R300_US_H

#include "fragprog/constants.h"
#include "hwemit/machine/machine.h"
#include "hwemit/r300/r300_program.h"

enum {
    /* limits of operations, of lookups, and of constants (those of the source and literals that the compiler
     * adds), in general and for texture environments */
    US_OPS = 2048, /* more than any chip issues */
    US_LOOKUPS = 520,
    US_CONSTS = 512,
    US_SMALL_OPS = 400,
    US_SMALL_LOOKUPS = FRAGPROG_TEXENV_INSTS,
    US_SMALL_CONSTS = 128,
    US_PAIRS = 640,
    US_NUMBERS = 64,
    US_TARGETS = 4, /* colour outputs */
    US_ANY_LANE = 0xff
};

/* What one channel of an operand reads. A "number" is a value of one component. */
enum us_file {
    US_UNREAD,
    US_VALUE,  /* component `lane` of value `index` */
    US_CONST,  /* channel of constant `index`: of the source, or an added literal */
    US_SLOT,   /* channel of a constant slot */
    US_INLINE, /* r500: a literal in the address field (index: its code) */
    US_PRESUB, /* channel `lane` of presubtract `index` of the operation */
    US_LITERAL /* the literal that `lane` selects: FRAGPROG_ZERO, ONE or HALF */
};
struct us_chan { /* the absolute value is taken before the sign is applied */
    uint8_t file : 6, neg : 1, abs : 1, lane;
    uint16_t index;
};

/* Kinds of operations. VECTOR computes two or three colour channels, in the colour half. SCALAR computes one
 * number, in either half. DOT3 runs in the colour half, DOT4 in both halves; their result is a number.
 * FUNCTION computes a function of one number, in the alpha half only. A number is component 0 of its value,
 * and an operand that is a number is in arg[s][0]. */
enum us_kind { US_VECTOR, US_SCALAR, US_DOT3, US_DOT4, US_FUNCTION };
/* opcodes of functions in the alpha half (notes/facts/r300.md 2.1) */
enum { US_EX2 = 8, US_LG2, US_RCP, US_RSQ, US_SIN, US_COS };
struct us_op {
    uint8_t kind, code; /* code: OP_*, or US_EX2 .. for functions */
    uint8_t mask;       /* write mask; 1 for a number */
    uint8_t clamp;
    int8_t scale;          /* the result is multiplied by 2^scale, then clamped */
    uint8_t out[2];        /* output write mask (RGB: channels, ALPHA: 1) */
    uint8_t target, depth; /* target: the colour output; depth: the alpha result is the depth */
    uint16_t value;
    uint16_t order;           /* position in the source program */
    struct us_chan arg[3][4]; /* channels 0..2 are colour, 3 is alpha (DOT4); a number uses channel 0 */
    bool gone;                /* removed */
    bool done;                /* the schedule has put it into a pair, or it is gone */
    /* At most two presubtracts, one of each part. op: 1 + PRE_*, or 0; source: src0 and src1, by channel. */
    struct us_presub {
        uint8_t op;
        struct us_chan source[2][4];
    } presub[2];
};

/* A value: components that share one temporary. A number may be in any lane until `lane` is set. */
enum us_source { US_RESULT, US_TEXEL, US_INPUT };
struct us_value {
    uint8_t source, components; /* write mask of its components; 1 for a number */
    uint8_t number;
    uint16_t from;      /* index of the lookup (TEXEL) or input (INPUT) */
    uint16_t unit;      /* struct us_unit */
    uint8_t lane;       /* for a number: its lane in the temporary; 0xff: not fixed yet */
    uint16_t writer[4]; /* the operation that writes each component, or NONE */
    uint8_t part;       /* for a number whose lane is not fixed: RGB or ALPHA, set by who places it */
    uint8_t read;       /* mask of components that are read */
};
/* Values that share one temporary. Units form a union-find structure. */
struct us_unit {
    uint16_t parent; /* itself, or the unit that it was merged into */
    uint8_t lanes;   /* mask of occupied lanes; 0: a single number whose lane is not fixed */
    uint8_t fixed;   /* true for an input or a texel, which no other value can join */
    /* set by us_allocate.c: temporary, lanes, live range of each lane */
    uint16_t reg;
    uint8_t place[4]; /* lane of each component (a number uses [0]) */
    uint32_t begin[4], end[4];
};

struct us_lookup {
    uint8_t op;                     /* TEX_LD, TEX_KIL, ... */
    uint8_t texture, target, needs; /* needs: mask of coordinate channels */
    uint8_t set;                    /* coordinate set; if coordinates are computed, the texture's number */
    uint16_t phase;                 /* texture block, set by us_graph.c */
    uint16_t value;                 /* the texel, NONE for KIL */
    uint16_t order;                 /* how many operations precede it in the program */
    struct us_chan coord[4];
};

struct us_input {
    uint8_t what, index; /* HWEMIT_COLOR .. */
    uint16_t value;
};
struct us_output {
    struct us_chan chan[4];
    uint8_t mask;
};

struct us_program {
    struct program p; /* chip and arrays are set first, pairs by us_schedule.c, the rest by us_fill.c */
    const struct fragprog *ir;
    struct fragprog_reason *why;
    bool failed;
    char *room; /* scratch memory for the pass that runs, of `nroom` bytes */
    size_t nroom;
    uint16_t maxops, maxvalues, maxlookups, maxconsts; /* sizes of the arrays below */
    uint16_t nops, nvalues, nlookups, nconsts, nslots, ninputs;
    uint16_t phases;
    bool in_order;  /* schedule by program order instead of by critical path */
    uint16_t ahead; /* both operations of a pair are at most this far apart in the program */
    bool expanded;  /* see struct machine */
    uint8_t layout; /* constant packing: enum fragprog_constants_layout */
    uint8_t nnumbers;
    struct us_input input[HWEMIT_INPUTS];
    struct us_output output[US_TARGETS + 1]; /* the last one is the depth, in x */
    /* The arrays below are not initialised. Table entries are written completely before their counter
     * includes them; the other arrays are written by the pass that uses them. */
    struct us_op *op;
    struct us_value *value; /* results, texels, inputs */
    struct us_unit *unit;
    struct us_lookup *lookup;
    struct us_graph *graph;   /* us_graph.c; in `room` */
    float number[US_NUMBERS]; /* added literals; as constants they follow those of the source */
    struct constant slot[HWEMIT_CONSTANTS];
};

/* ---- us_convert.c ---- */
/* Translates a->ir to operations, lookups, inputs and outputs. */
bool hwemit_us_select(struct us_program *a, const struct fragprog_hooks *hooks);
extern const struct hwemit_step hwemit_us_steps[];
/* Appends an operation and a value for its result. The caller sets only kind, code, mask, scale, clamp and
 * operands. Returns NULL if there are too many operations. */
struct us_op *hwemit_us_emit(struct us_program *a, const struct us_op *op);
/* As hwemit_us_emit, for an operation whose result is a number. Sets *result to an operand that reads it. */
void hwemit_us_number(struct us_program *a, const struct us_op *op, struct us_chan *result);
/* Returns the operation x*1 + 0 of kind SCALAR, for source position `order`. */
struct us_op hwemit_us_copy(const struct us_chan x[4], unsigned order);
struct us_chan hwemit_us_literal(unsigned lane);
bool hwemit_us_refuse_long(struct us_program *a);

/* hwemit_us_operands: the number of operands of an operation. hwemit_us_channels: the mask of channels that
 * it reads of each. */
static inline unsigned hwemit_us_operands(const struct us_op *op)
{
    return op->kind == US_FUNCTION || op->code == OP_FRC                                         ? 1
        : op->kind == US_DOT3 || op->kind == US_DOT4 || op->code == OP_MIN || op->code == OP_MAX ? 2
                                                                                                 : 3;
}
static inline unsigned hwemit_us_channels(const struct us_op *op)
{
    return op->kind == US_VECTOR ? op->mask : op->kind == US_DOT3 ? 7 : op->kind == US_DOT4 ? 15 : 1;
}

/* ---- us_constants.c ---- */
bool hwemit_us_constants(struct us_program *a);
/* Renumbers the slots: those that depend on GL state come first, then immediates. */
bool hwemit_us_order_constants(struct us_program *a);
/* ---- us_units.c ---- */
bool hwemit_us_units(struct us_program *a);
unsigned hwemit_us_unit(const struct us_program *a, unsigned value);
/* Returns the lane of a channel in its temporary; 0xff for a number whose lane is not fixed yet. */
unsigned hwemit_us_lane(const struct us_program *a, const struct us_chan *c);
/* ---- us_outputs.c ---- */
bool hwemit_us_outputs(struct us_program *a);
/* Returns whether this half must write the operation's result, to an output or to the lane of its value. */
bool hwemit_us_wants(const struct us_program *a, const struct us_op *op, unsigned half);
/* ---- us_split.c ---- */
bool hwemit_us_split(struct us_program *a);
/* Returns the swizzle of r300 and r400 with these lanes in the channels of the mask
 * (notes/facts/r300.md 2.3), or NULL. */
const uint8_t *hwemit_us_swizzle(const uint8_t lane[3], unsigned mask);
/* ---- us_presub.c ---- */
bool hwemit_us_presubtract(struct us_program *a);
/* ---- us_place.c ---- */
/* Makes a pair of two operations: assigns source addresses, each to a temporary, slot or literal, and makes
 * the operands select them. NONE leaves a half empty; the same operation twice runs in both halves. Returns
 * false if the operations do not fit together. */
bool hwemit_us_place(const struct us_program *a, struct pair *pair, unsigned rgb, unsigned alpha);
/* Returns the number of different constant slots that the pair reads. */
unsigned hwemit_us_pair_constants(const struct pair *pair);
/* hwemit_us_args: the number of operands that an operation reads in this half. hwemit_us_reads: what the
 * half reads as one channel of operand s. hwemit_us_read_channels: the number of channels that can differ. */
unsigned hwemit_us_args(const struct us_op *op, unsigned half);
unsigned hwemit_us_read_channels(const struct us_op *op, unsigned half);
struct us_chan hwemit_us_reads(const struct us_op *op, unsigned half, unsigned s, unsigned channel);
/* ---- us_graph.c: builds a->graph, which lasts until registers are allocated ---- */
/* Of an operation or (after all operations) of a lookup: its texture block, the longest chain of nodes that
 * depend on it (a lookup counts 8), the number of edges to it, and how many of these come from nodes that are
 * not issued yet. */
struct us_node {
    uint16_t phase, height, edges, waits;
};
/* The nodes that read the result of node n are edge[first[n]] .. edge[first[n + 1] - 1]. `filled` and `order`
 * are scratch memory. */
struct us_graph {
    struct us_node *node;
    uint16_t *edge, *first, *filled, *order;
};
bool hwemit_us_graph(struct us_program *a);
/* ---- us_schedule.c ---- */
bool hwemit_us_schedule(struct us_program *a, bool in_order, unsigned ahead);
/* Returns a lower bound of the number of pairs in any order. */
unsigned hwemit_us_least_pairs(const struct us_program *a);
/* ---- us_allocate.c: assigns temporaries ---- */
bool hwemit_us_allocate(struct us_program *a);
/* ---- us_fill.c: converts the result to struct program ---- */
void hwemit_us_fill(struct us_program *a);
/* ---- us_print.c ---- */
/* Prints the operations of a struct us_program. */
void hwemit_us_print(struct texenv_text *text, const void *program);
/* ---- us_compile.c ---- */
bool hwemit_us_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                       const struct hwemit_options *options, struct fragprog_reason *why);
/* US_SMALL_SCRATCH: scratch memory for texture environments; hwemit_us_scratch: for other programs of so many
 * instructions. */
#define US_VALUES(ops, lookups) ((ops) + (lookups) + HWEMIT_INPUTS)
#define US_BYTES(ops, lookups, room) \
    (sizeof(struct us_program) + (ops) * sizeof(struct us_op) + \
     US_VALUES(ops, lookups) * (sizeof(struct us_value) + sizeof(struct us_unit)) + \
     (lookups) * (sizeof(struct us_lookup) + sizeof(struct lookup)) + US_PAIRS * sizeof(struct pair) + \
     6 * sizeof(max_align_t) + (room))
#define US_SMALL_ROOM MACHINE_BYTES(US_SMALL_OPS, FRAGPROG_TEXENV_INSTS, 0)
#define US_SMALL_SCRATCH US_BYTES(US_SMALL_OPS, US_SMALL_LOOKUPS, US_SMALL_ROOM)
size_t hwemit_us_scratch(unsigned insts);

#endif
