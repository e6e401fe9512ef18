/* Compiles fragment programs for the paired unit of r300, r400 and r500, in these steps on the operations of
 * hwemit/machine (us_compile.c):
 *
 *     struct fragprog
 *         |  steps of hwemit/machine: operations
 *         |  us_convert.c: operations of the unit, lookups before all others
 *         |  us_units.c: decide which values share a temporary, and their lanes
 *         |  us_outputs.c: let operations write outputs directly
 *         |  us_constants.c: pack constants into slots (fragprog_constants_compact)
 *         |  us_split.c: split operations whose operands the unit cannot swizzle
 *         |  us_presub.c: let presubtracts compute sums
 *         |  us_order.c: order; drops operations that nothing reads
 *         |  us_schedule.c, us_place.c: texture blocks, pairs, source addresses, temporaries
 *         v  us_fill.c
 *     struct program (r300_program.h), which the encoders read
 *
 * Facts: notes/facts/r300.md 1 to 5. */
#ifndef HWEMIT_R300_US_H
#define HWEMIT_R300_US_H

#include "fragprog/constants.h"
#include "hwemit/machine/machine.h"
#include "hwemit/r300/r300_program.h"

enum {
    /* limits during compilation, SMALL ones for texture environments */
    US_OPS = 2048, /* operations, lookups among them; more than any chip issues */
    US_SMALL_OPS = 400,
    US_LOOKUPS = 520,
    US_SMALL_LOOKUPS = FRAGPROG_TEXENV_INSTS,
    US_CONSTS = 512, /* constants of the source, and literals that the compiler adds */
    US_NUMBERS = 64, /* these literals */
    US_PAIRS = 640,
    US_TARGETS = 4,     /* colour outputs */
    US_READS = 15,      /* channels of values that an operation reads */
    US_STEP = 4,        /* between the orders of two operations, for others that are added between them */
    US_ANY_LANE = 0xff, /* of a number: not fixed yet; us_value.left and written count it as lane 3 */
    US_ANY_LAYOUT = -1
};

/* Kinds of operations. VECTOR computes two or three colour channels, in the colour half. SCALAR computes one
 * number, in either half. DOT3 runs in the colour half, DOT4 in both halves; their result is a number.
 * FUNCTION computes a function of one number, in the alpha half only. A number (here not a
 * struct machine_number, which is a constant) is component 0 of its value; an operand that is a number is in
 * arg[s][0]. */
enum us_kind { US_VECTOR, US_SCALAR, US_DOT3, US_DOT4, US_FUNCTION };
/* opcodes of functions in the alpha half (notes/facts/r300.md 2.1) */
enum { US_EX2 = 8, US_LG2, US_RCP, US_RSQ, US_SIN, US_COS };

/* What there is to know of a value besides struct machine_value. Values that share a temporary are a unit, a
 * tree of `parent` (union-find); `lanes`, `written` and `left` of its root describe the whole unit. */
struct us_value {
    bool number;        /* a number, which may be in any lane until `lane` is set */
    bool fixed;         /* an input or a texel, which no other value can join */
    uint8_t lane;       /* for a number: its lane in the temporary, or US_ANY_LANE */
    uint8_t lanes;      /* mask of occupied lanes; 0: a single number whose lane is not fixed */
    uint16_t parent;    /* itself, or the unit that it was merged into */
    uint16_t height;    /* the longest chain of operations that depend on it, set by us_order.c */
    uint16_t writer[4]; /* the operation that writes each component, or NONE */
    uint16_t left[4];   /* for each lane: how many reads are not scheduled yet, set by us_order.c */
    uint8_t written;    /* mask of lanes whose writes are scheduled */
};

/* What an operation reads of values: 4*unit + lane. */
struct us_reads {
    uint8_t n;
    uint16_t place[US_READS];
};

struct us_program {
    /* chip and arrays are set first, pairs and temps by us_schedule.c, the rest by us_fill.c */
    struct program p;
    struct machine *m;
    uint16_t nlookups; /* number of lookups and kills, which are the first operations */
    uint16_t nslots;   /* entries of `slot` */
    uint16_t nwaiting; /* entries of `waiting` */
    int layout;        /* constant packing: enum fragprog_constants_layout, or US_ANY_LAYOUT */
    uint8_t nnumbers;  /* how many literals are added to the constants; machine_number.place numbers them */
    struct machine_op output[US_TARGETS + 1]; /* moves to colour outputs, and to the depth, in x */
    /* The members below are not initialised: they are written by the pass that uses them. */
    struct us_value *value;
    uint32_t *waiting;      /* the operations that are not scheduled yet, without lookups; in machine.room */
    uint8_t assumed;        /* the lane of a number whose lane is not fixed, for hwemit_us_fits */
    struct us_reads *reads; /* of each operation; in machine.room, too */
    uint8_t *taken;         /* for each temporary: mask of lanes that are not free; in machine.room, too */
    uint32_t most;          /* more pairs are of no use */
    struct constant slot[HWEMIT_CONSTANTS];
};

/* ---- us_convert.c ---- */
/* Makes operations of the unit of those of a->m: replaces numbers by literals, puts lookups first, and takes
 * out outputs. */
bool hwemit_us_convert(struct us_program *a);
/* hwemit_us_append: appends an operation; returns NULL if there are too many. hwemit_us_emit: also makes a
 * value for its result; returns an operand that reads component 0. */
struct machine_op *hwemit_us_append(struct us_program *a, const struct machine_op *op);
struct machine_src hwemit_us_emit(struct us_program *a, const struct machine_op *op);
/* Returns the operation x*1 + 0 for these channels, a SCALAR if there is only one. */
struct machine_op hwemit_us_copy(const struct machine_src x[4], unsigned channels, unsigned order);
/* Makes source s of an operation read copies of what it reads. */
void hwemit_us_copy_operand(struct us_program *a, struct machine_op *op, unsigned s);
/* Returns an operand that reads FRAGPROG_ZERO, ONE or HALF. */
struct machine_src hwemit_us_literal(unsigned lane);
/* Returns the texture of a lookup, NULL for a kill. */
const struct hwemit_texture *hwemit_us_texture(const struct us_program *a, const struct machine_op *op);
/* Refuses a program that needs more ALU instructions than the chip has. Returns false. */
bool hwemit_us_refuse_long(struct us_program *a);

/* ---- us_constants.c ---- */
bool hwemit_us_constants(struct us_program *a);
/* ---- us_units.c ---- */
bool hwemit_us_units(struct us_program *a);
/* Returns the root of the value's unit. */
unsigned hwemit_us_unit(const struct us_program *a, unsigned value);
/* Returns the lane of a channel in its temporary; US_ANY_LANE for a number whose lane is not fixed yet. */
unsigned hwemit_us_lane(const struct us_program *a, const struct machine_src *c);
/* Returns the lane of a channel in its slot or, also if it is not fixed, in its temporary. */
unsigned hwemit_us_lane_now(const struct us_program *a, const struct machine_src *c);
/* ---- us_outputs.c ---- */
bool hwemit_us_outputs(struct us_program *a);
/* Returns whether this half must write the operation's result, to an output or to the lane of its value. */
bool hwemit_us_wants(const struct us_program *a, const struct machine_op *op, unsigned half);
/* ---- us_split.c ---- */
bool hwemit_us_split(struct us_program *a);
/* Returns the swizzle of r300 and r400 with these lanes in the channels of the mask
 * (notes/facts/r300.md 2.3), or NULL. */
const uint8_t *hwemit_us_swizzle(const uint8_t lane[3], unsigned mask);
/* ---- us_presub.c ---- */
void hwemit_us_presubtract(struct us_program *a);
/* Returns how many different sources a presubtract (PRE_*) reads. */
static inline unsigned hwemit_us_summands(unsigned pre)
{
    return pre == PRE_NONE ? 0 : pre == PRE_ADD || pre == PRE_SUB ? 2 : 1;
}
/* ---- us_place.c ---- */
/* Makes a pair of two operations: assigns source addresses, each to a temporary or a slot, and makes the
 * operands select them. NONE leaves a half empty; the same operation twice runs in both halves. Returns
 * false if the operations do not fit together. */
bool hwemit_us_place(const struct us_program *a, struct pair *pair, unsigned rgb, unsigned alpha);
/* Returns whether an operation fits a pair of its own, whatever parts its scalar operands will be in. */
bool hwemit_us_fits(struct us_program *a, unsigned i);
/* hwemit_us_args: the number of operands that an operation reads in this half. hwemit_us_reads: what the
 * half reads as one channel of operand s. hwemit_us_read_channels: the number of channels that can differ. */
unsigned hwemit_us_args(const struct machine_op *op, unsigned half);
unsigned hwemit_us_read_channels(const struct machine_op *op, unsigned half);
struct machine_src hwemit_us_reads(const struct machine_op *op, unsigned half, unsigned s, unsigned channel);
/* ---- us_order.c: sets a->waiting, a->reads and us_value.left ---- */
/* in_order: in the order of the program, not by critical path. */
void hwemit_us_order(struct us_program *a, bool in_order);
/* ---- us_schedule.c ---- */
bool hwemit_us_schedule(struct us_program *a);
/* ---- us_fill.c: converts the result to struct program ---- */
void hwemit_us_fill(struct us_program *a);
/* ---- us_compile.c ---- */
bool hwemit_us_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                       const struct hwemit_options *options, struct fragprog_reason *why);
/* US_SMALL_SCRATCH: scratch memory for texture environments; US_SCRATCH: for other programs, in which a step
 * has the memory US_ROOM. */
enum { US_ROOM = 5 << 19 };
#define US_BYTES(ops, lookups, insts) \
    (sizeof(struct us_program) + MACHINE_VALUES(ops) * sizeof(struct us_value) + \
     2 * (ops) * sizeof(struct machine_presub) + (lookups) * sizeof(struct lookup) + \
     US_PAIRS * sizeof(struct pair) + 6 * MACHINE_ALIGN + MACHINE_BYTES(ops, insts, 0))
#define US_SMALL_SCRATCH US_BYTES(US_SMALL_OPS, US_SMALL_LOOKUPS, FRAGPROG_TEXENV_INSTS)
#define US_SCRATCH (US_BYTES(US_OPS, US_LOOKUPS, 0) - MACHINE_ROOM(US_OPS) + US_ROOM)

#endif
