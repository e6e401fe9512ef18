/* Assembly programs (fragprog.unbounded) on the pair unit of r300, r400 and r500. Texture environments take
 * another way (r300_choose.h), which treats what they compute as polynomials over [0,1]; here an instruction
 * is what it says.
 *
 *     struct fragprog
 *         |  asm_select.c, asm_expand.c: operations of the unit; each channel of an operand by itself
 *         |  asm_constants.c: constants laid out anew (fragprog_constants_compact)
 *         |  asm_units.c: which values have to lie in one temporary, and in which lanes
 *         |  asm_split.c: operands that the unit cannot select, in several operations
 *     struct asm_op
 *         |  asm_schedule.c, asm_place.c: pairs, blocks of lookups, source addresses
 *         |  asm_allocate.c: temporaries by register classes (fragprog/alloc/colour.h)
 *     struct program (r300_program.h): the encoders' form
 *
 * Facts: notes/facts/r300.md 1 to 5. */
#ifndef HWEMIT_R300_ASM_H
#define HWEMIT_R300_ASM_H

#include "fragprog/constants.h"
#include "hwemit/r300/r300_program.h"

enum {
    ASM_OPS = 2048,    /* more than any chip issues */
    ASM_VALUES = 2600, /* results, texels, inputs */
    ASM_LOOKUPS = MAX_TEX,
    ASM_CONSTS = 512, /* different constants of the source and numbers of our own */
    ASM_NUMBERS = 16,
    ASM_READS = 3 * ASM_OPS,
    ASM_TARGETS = 4 /* colour outputs */
};

/* What one channel of an operand reads. */
enum asm_file {
    ASM_UNREAD,
    ASM_VALUE,  /* component `lane` of value `index` */
    ASM_CONST,  /* lane of a constant of the source, or of our own numbers after these */
    ASM_SLOT,   /* the same laid out: lane of a slot */
    ASM_INLINE, /* r500: a number in the address (index: its code) */
    ASM_LITERAL /* lane: FRAGPROG_ZERO, ONE, HALF */
};
struct asm_chan {
    uint8_t file, lane, neg;
    uint16_t index;
};

/* An operation. VECTOR: of two or three colour channels, in the colour half. SCALAR: of one number, in either
 * half. DOT3, DOT4: the colour half, for DOT4 with the alpha half; their result is a number. FUNCTION: of one
 * number, in the alpha half alone. Numbers are component 0 of their value, and read from channel 0 of
 * operands. */
enum asm_kind { ASM_VECTOR, ASM_SCALAR, ASM_DOT3, ASM_DOT4, ASM_FUNCTION };
/* alpha codes of functions, as the words have them (notes/facts/r300.md 2.1) */
enum { ASM_EX2 = 8, ASM_LG2, ASM_RCP, ASM_RSQ, ASM_SIN, ASM_COS };
struct asm_op {
    uint8_t kind, code; /* code: OP_*, of functions ASM_EX2 .. */
    uint8_t mask;       /* VECTOR: components of its value */
    uint8_t clamp;
    int8_t scale, unit;
    uint8_t abs;           /* bit s: |operand s|; signs come after that */
    uint8_t out[2];        /* channels of the output (RGB: mask, ALPHA: 1) */
    uint8_t target, depth; /* of `out`; depth: the alpha result is the depth */
    uint16_t value;
    uint16_t order;            /* in the program */
    struct asm_chan arg[3][4]; /* channels 0..2 colour, 3 alpha (of DOT4); a number: channel 0 */
    /* schedule */
    uint16_t phase, height, waits;
    bool live, done;
};

/* A value: components that lie in one temporary. Numbers may lie in any lane until `unit` says otherwise. */
enum asm_source { ASM_RESULT, ASM_TEXEL, ASM_INPUT };
struct asm_value {
    uint8_t source, components; /* a number: 1 */
    uint8_t number;
    uint16_t from;      /* TEXEL: number of the lookup; INPUT: of the input */
    uint16_t unit;      /* struct asm_unit */
    uint8_t lane;       /* of a number in its unit; 0xff: any */
    uint16_t writer[4]; /* by component: the operation; NONE */
    uint8_t part;       /* of a number in any lane, after the schedule: RGB or ALPHA */
    uint8_t read;       /* components that are read */
};
/* Values in one temporary. */
struct asm_unit {
    uint16_t parent; /* union-find: itself, or the unit that it was merged into */
    uint8_t lanes;   /* that are taken; 0: of one number in any lane */
    uint8_t fixed;   /* input or texel: no lane is free for others */
    /* allocation */
    uint16_t reg;
    uint8_t place[4]; /* lane of each component (of a number: [0]) */
    uint32_t begin[4], end[4];
};

struct asm_lookup {
    uint8_t op;                     /* TEX_* */
    uint8_t texture, target, needs; /* needs: channels of the coordinate */
    uint8_t read;                   /* channels of the texel */
    int8_t unit;
    uint8_t set;           /* coordinate set; of computed coordinates the number of the texture */
    uint16_t value, phase; /* value: NONE for KIL */
    uint16_t order;        /* operations before it in the program */
    uint16_t waits, height;
    bool live;
    struct asm_chan coord[4];
};

struct asm_result {
    struct asm_chan chan[4];
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
    struct program *p; /* chip, source; filled at the end */
    const struct fragprog *ir;
    struct fragprog_reason *why;
    bool failed;
    struct asm_result *result; /* of each instruction of the source */
    char *colour;              /* scratch of colouring and of constants */
    size_t room;
    uint16_t nops, nvalues, nlookups, nconsts, nslots, ninputs;
    uint16_t phases;
    bool in_order;  /* the schedule keeps to the order of the program */
    uint8_t layout; /* of constants: enum fragprog_constants_layout */
    uint8_t nnumbers;
    struct asm_input input[HWEMIT_INPUTS];
    struct asm_output output[ASM_TARGETS + 1]; /* the last: depth, in z */
    /* From here on nothing is set up: of a table an entry is written, whole, before its counter includes it,
     * and the others by the step that they are for, for all operations, lookups or constants. */
    struct asm_op op[ASM_OPS];
    struct asm_value value[ASM_VALUES];
    struct asm_unit unit[ASM_VALUES];
    struct asm_lookup lookup[ASM_LOOKUPS];
    uint16_t edge[9 * ASM_OPS + 4 * ASM_LOOKUPS]; /* readers of each operation and lookup, from first[] on */
    uint16_t first[ASM_OPS + ASM_LOOKUPS + 1], filled[ASM_OPS + ASM_LOOKUPS];
    float number[ASM_NUMBERS]; /* of our own, as constants after those of the source */
    struct constant slot[HWEMIT_CONSTANTS];
    struct fragprog_constants_slot before[ASM_CONSTS];
    struct fragprog_constants_read reads[ASM_READS];
    struct fragprog_constants_use use[ASM_READS];
    struct fragprog_constants_lane after[ASM_CONSTS + ASM_READS + 1][4];
};

/* ---- asm_select.c ---- */
bool hwemit_asm_select(struct asm_program *a);
/* Appends an operation, of which only kind, code, mask, scale, clamp and operands are the caller's, and its
 * value. NULL: too many. */
struct asm_op *hwemit_asm_emit(struct asm_program *a, const struct asm_op *op);
/* The same; *result is the operand that reads the scalar result. */
void hwemit_asm_number(struct asm_program *a, const struct asm_op *op, struct asm_chan *result);
/* Emits the colour and the alpha part of `mask` as one operation each. result: the operand for each channel
 * of `mask`; others are not written. */
void hwemit_asm_channels(struct asm_program *a, const struct asm_op *op, unsigned mask,
                         struct asm_chan result[4]);
struct asm_chan hwemit_asm_literal(unsigned lane);
struct asm_chan hwemit_asm_constant(struct asm_program *a, float value);
struct asm_chan hwemit_asm_negated(struct asm_chan c);
uint16_t hwemit_asm_new_value(struct asm_program *a, unsigned source, unsigned components);
bool hwemit_asm_refuse_long(struct asm_program *a);

/* ---- asm_expand.c: operations that the unit does not have ---- */
/* op: its operands by channel, scale and clamp. False: it is none of them. */
bool hwemit_asm_expand(struct asm_program *a, const struct fragprog_inst *inst, struct asm_op *op,
                       struct asm_chan result[4]);

/* ---- asm_constants.c ---- */
bool hwemit_asm_constants(struct asm_program *a);
/* ---- asm_units.c ---- */
bool hwemit_asm_units(struct asm_program *a);
unsigned hwemit_asm_unit(const struct asm_program *a, unsigned value);
/* The lane of its temporary in which a channel lies; 0xff: a number in any lane. */
unsigned hwemit_asm_lane(const struct asm_program *a, const struct asm_chan *c);
/* ---- asm_outputs.c ---- */
bool hwemit_asm_outputs(struct asm_program *a);
/* This half has to write something of the operation: an output, or a lane that its value was given. */
bool hwemit_asm_wants(const struct asm_program *a, const struct asm_op *op, unsigned half);
/* ---- asm_split.c ---- */
bool hwemit_asm_split(struct asm_program *a);
/* ---- asm_place.c ---- */
/* The pair of two operations (NONE: none; the same twice: in both halves): source addresses, by unit, and
 * which of them operands read. False: they do not fit together. */
bool hwemit_asm_place(const struct asm_program *a, struct pair *pair, unsigned rgb, unsigned alpha);
/* Operands of an operation in this half; of operand s the channels read: how many of *chan, from there on,
 * and from which channel of the half on. */
unsigned hwemit_asm_args(const struct asm_op *op, unsigned half);
struct asm_chan hwemit_asm_reads(const struct asm_op *op, unsigned half, unsigned s, unsigned channel);
/* ---- asm_schedule.c ---- */
bool hwemit_asm_schedule(struct asm_program *a);
/* ---- asm_allocate.c: temporaries; the pairs name them then ---- */
bool hwemit_asm_allocate(struct asm_program *a);
/* ---- asm_fill.c: the program as the encoders take it ---- */
void hwemit_asm_fill(struct asm_program *a);
/* ---- asm_compile.c ---- */
bool hwemit_asm_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why);
size_t hwemit_asm_scratch(unsigned insts);

#endif
