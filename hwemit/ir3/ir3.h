/* The target ir3: fragment programs for Qualcomm's Adreno a6xx and a7xx, whose instructions of 64 bits work
 * on single numbers in registers r0.x to r47.w.
 *
 *     struct fragprog
 *         |  ir3_select.c, ir3_expand.c: operations of the chip on single numbers; each is done once
 *         |  ir3_operands.c: what an operand may be; numbers that a lookup reads side by side; the outputs
 *         |  ir3_schedule.c: an order in which few slots stay empty
 *         |  ir3_allocate.c: registers by the classes of fragprog/alloc/colour.h
 *         |  ir3_wait.c: empty slots, (ss) and (sy); alias tables; repeats
 *         v  ir3_encode.c
 *     words
 *
 * Facts: notes/facts/ir3.md. */
#ifndef HWEMIT_IR3_H
#define HWEMIT_IR3_H

#include "fragprog/alloc/classes.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

enum ir3_shift {
#define CHIP(name) IR3_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/ir3/ir3_registers.def"
#undef CHIP
};

/* Codes, by category (B.2, and Mesa's ir3-cat0.xml for the marks of the preamble). */
enum ir3_cat0 { IR3_NOP, IR3_KILL = 5, IR3_END, IR3_SHPS = 7, IR3_SHPE };
enum ir3_cat2 {
    IR3_ADD,
    IR3_MIN,
    IR3_MAX,
    IR3_MUL,
    IR3_CMPS = 5,
    IR3_ABSNEG,
    IR3_FLOOR = 9,
    IR3_BARY = 0x39
};
enum ir3_cat3 { IR3_MAD = 7, IR3_SEL = 9 };
enum ir3_cat4 { IR3_RCP, IR3_RSQ, IR3_LOG2, IR3_EXP2, IR3_SIN, IR3_COS };
enum ir3_cat5 { IR3_SAM = 3, IR3_SAMB };
enum ir3_cond { IR3_LT, IR3_LE, IR3_GT, IR3_GE, IR3_EQ, IR3_NE };
enum ir3_kind_of_operand { IR3_GPR, IR3_CONSTANT = 2, IR3_TABLE = 5 }; /* of categories 2 and 4 */

enum {
    IR3_REGISTERS = 48,
    IR3_P0 = 62 * 4, /* the predicate p0.x as a register */
    IR3_FIRST_OF_POSITION = 2,
    IR3_FROM_UNSIGNED = 1, /* code of a move: of an unsigned number to a float */
    IR3_LOOKUP_SOURCES = 5,
    IR3_OPS = 4000,                     /* while they are worked on */
    IR3_SMALL = 800,                    /* the same of texture environments */
    IR3_SCALARS = 4 * HWEMIT_CONSTANTS, /* different numbers from outside */
    IR3_HASH = 1024,
    IR3_MOST_CONSTANTS = 512
};

/* Options of the target, by number. */
enum ir3_option { IR3_LEVEL, IR3_ALIAS };

/* What an operand reads: value `index`, or number `index` from outside. */
enum ir3_file { IR3_UNREAD, IR3_VALUE, IR3_SCALAR };
struct ir3_src {
    uint8_t file, neg, abs;
    uint16_t index;
};

/* A number that the driver uploads: a component of an origin, or the program's own value. */
struct ir3_scalar {
    int32_t origin; /* FRAGPROG_ORIGIN_IMMEDIATE: value */
    uint8_t component;
    float value;
    uint16_t slot; /* its place in the constant file, 4*c + component; IR3_NO_SLOT */
};
enum { IR3_NO_SLOT = 0xffff, IR3_NO_VALUE = 0xffff };

/* What an operation is; the category of its instruction where there is one. LOOKUP: sources are coordinates
 * (and reference), `first` of them, then the bias; results are the values from `value` on. KILL: of the
 * number, by way of p0.x. */
enum ir3_kind { IR3_MOVE = 1, IR3_TWO, IR3_THREE, IR3_FUNCTION, IR3_LOOKUP, IR3_COMPARE_KILL, IR3_DO_KILL };
struct ir3_op {
    uint8_t kind, code, cond, sat;
    uint8_t n, first;       /* sources; LOOKUP: of the first group */
    uint8_t mask;           /* LOOKUP: components that are read */
    uint8_t texture, three; /* LOOKUP: three coordinates */
    uint8_t predicate;      /* COMPARE_KILL and DO_KILL: component of p0 */
    uint8_t nops;           /* empty slots after it */
    uint8_t before;         /* LOOKUP: slots of the nop before it that has (ss), which a lookup cannot have */
    uint8_t ss : 1, sy : 1, ei : 1; /* wait for functions, for lookups; the last bary.f */
    uint8_t repeat;                 /* how many operations after it are the same instruction */
    int8_t unit;
    uint16_t value;           /* IR3_NO_VALUE: none */
    uint16_t next;            /* in the chain of equal hashes */
    uint16_t base[2];         /* LOOKUP: registers (or names) of its groups */
    uint16_t alias, naliases; /* its table */
    struct ir3_src src[IR3_LOOKUP_SOURCES];
};

/* A number in a register. follows: the value in the register before it. */
struct ir3_value {
    uint16_t follows, followed, reg; /* 4*n + component of r<n> */
    uint16_t op;                     /* while operations are selected: what makes it, + 1 */
    uint32_t begin, end;
    uint8_t fixed; /* lies in `reg` from the beginning: what bary.f works on, the position */
    uint8_t gap;   /* nothing: a place that stays free between others */
    uint8_t unit;  /* lies in [0,1] */
};

struct ir3_result {
    struct ir3_src chan[4];
};
/* A colour output, or the depth (target IR3_DEPTH, component 0); its registers follow one another. */
struct ir3_output {
    uint8_t target, components;
    struct ir3_src chan[4];
    uint16_t value[4]; /* IR3_NO_VALUE: bound by alias.rt */
};
enum { IR3_TARGETS = 8, IR3_DEPTH = IR3_TARGETS };
/* An instruction of an alias table. */
struct ir3_alias {
    uint16_t name;
    uint8_t file; /* enum fragprog_alias_file */
    uint32_t value;
};

struct ir3 {
    const struct fragprog *ir;
    struct fragprog_reason *why;
    struct hwemit_code *code;
    bool failed;
    bool ordered;         /* false: in the order of the program, which has fewer values at once */
    uint8_t level, alias; /* enum fragprog_alias_how */
    uint16_t nops, maxops, nvalues, maxvalues, nscalars, nconstants, ninputs, noutputs, nalias, maxalias;
    uint16_t registers, moves, empty, words, preamble, nentries;
    bool end_ss, end_sy; /* what `end` waits for */
    bool landing;        /* the next instruction is where the preamble ends */
    uint32_t aliased;
    uint16_t ij;                 /* values r0.x and r0.y */
    uint16_t position;           /* those from r0.z on, if they are read; IR3_NO_VALUE */
    uint16_t bucket[IR3_HASH];   /* operation + 1 */
    uint16_t moved[IR3_SCALARS]; /* by scalar from outside: the value that it was moved to */
    uint8_t textures;
    /* From here on an entry is written, whole, before its counter includes it; the pointers, and what they
     * point to of `result`, are set up one by one (set_up in ir3_target.c). */
    struct {
        uint8_t what, index;
    } input[HWEMIT_INPUTS];
    struct ir3_output output[IR3_TARGETS + 1];
    struct ir3_scalar scalar[IR3_SCALARS];
    struct hwemit_texture texture[HWEMIT_TEXTURES];
    struct ir3_op *op, *scheduled;
    struct ir3_value *value;
    struct ir3_result *result; /* of each instruction of the source */
    struct ir3_alias *table;
    char *room; /* of scheduling and colouring */
    size_t nroom;
};

/* Functions and lookups take no slot: Mesa, the source of how slots count, counts those of categories 0 to 3
 * only (count_instruction in ir3_delay.c, later in ir3_legalize.c). */
static inline bool hwemit_ir3_takes_slot(const struct ir3_op *op)
{
    return op->kind != IR3_FUNCTION && op->kind != IR3_LOOKUP;
}
static inline bool hwemit_ir3_pure(const struct ir3_op *op) { return op->value != IR3_NO_VALUE; }
/* Values that it makes: of a lookup up to the last that is read. */
static inline unsigned hwemit_ir3_results(const struct ir3_op *op)
{
    unsigned n = hwemit_ir3_pure(op);
    for (unsigned m = op->kind == IR3_LOOKUP ? op->mask : 0u; m > 1; m >>= 1)
        n++;
    return n;
}

/* ---- ir3_select.c ---- */
bool hwemit_ir3_select(struct ir3 *s);
bool hwemit_ir3_refuse_long(struct ir3 *s);
uint16_t hwemit_ir3_new_value(struct ir3 *s);
/* The result of an operation, which is done once. */
struct ir3_src hwemit_ir3_do(struct ir3 *s, const struct ir3_op *op);
struct ir3_src hwemit_ir3_immediate(struct ir3 *s, float value);
struct ir3_src hwemit_ir3_negated(struct ir3 *s, struct ir3_src x);
struct ir3_src hwemit_ir3_absolute(struct ir3 *s, struct ir3_src x);
bool hwemit_ir3_is_number(const struct ir3 *s, struct ir3_src x, float value);
/* The program's own value, if it is one. */
const float *hwemit_ir3_own(const struct ir3 *s, struct ir3_src x);
/* The operation that makes a value; NULL: a lookup, or nothing does. */
const struct ir3_op *hwemit_ir3_made(const struct ir3 *s, struct ir3_src x);
/* Operations on numbers; any operands. */
struct ir3_src hwemit_ir3_two(struct ir3 *s, unsigned code, struct ir3_src x, struct ir3_src y, bool sat);
struct ir3_src hwemit_ir3_mad(struct ir3 *s, struct ir3_src x, struct ir3_src y, struct ir3_src z, bool sat);
struct ir3_src hwemit_ir3_function(struct ir3 *s, unsigned code, struct ir3_src x);
struct ir3_src hwemit_ir3_floor(struct ir3 *s, struct ir3_src x, bool sat);
/* Category 4, choices and lookups do not clamp. */
struct ir3_src hwemit_ir3_saturated(struct ir3 *s, struct ir3_src x);
/* x cond y ? a : b */
struct ir3_src hwemit_ir3_choose(struct ir3 *s, unsigned cond, struct ir3_src x, struct ir3_src y,
                                 struct ir3_src a, struct ir3_src b);

/* ---- ir3_expand.c: one operation of the program, its operands by argument and channel. sat: its results are
 * clamped to [0,1]. False: the target has no such operation. ---- */
bool hwemit_ir3_operation(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[3][4], bool sat,
                          struct ir3_src result[4]);

/* ---- ir3_operands.c ---- */
bool hwemit_ir3_operands(struct ir3 *s);
/* The index of source n in the table of inline numbers; -1 if it is not there, or op is of category 3. */
int hwemit_ir3_inline(const struct ir3 *s, const struct ir3_op *op, unsigned n, bool *neg);

/* ---- ir3_schedule.c ---- */
bool hwemit_ir3_schedule(struct ir3 *s);
/* Empty slots that have to lie between an operation and one that reads its result as source n; of what is
 * waited for by (ss) or (sy): 0. */
unsigned hwemit_ir3_delay(const struct ir3_op *from, const struct ir3_op *to, unsigned n);

/* ---- ir3_allocate.c ---- */
/* Any lane, then one each: what fragprog_classes_build makes of them. */
extern const struct fragprog_classes hwemit_ir3_classes;
bool hwemit_ir3_allocate(struct ir3 *s);

/* ---- ir3_wait.c ---- */
bool hwemit_ir3_wait(struct ir3 *s);

/* ---- ir3_alias.c ---- */
/* Entries of alias tables before each lookup. */
bool hwemit_ir3_alias_lookups(struct ir3 *s);

/* ---- ir3_encode.c ---- */
void hwemit_ir3_encode(struct ir3 *s);

#endif
