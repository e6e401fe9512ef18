/* machine - a low-level program representation, and the compilation steps on it, shared by chips whose
 * instructions work on registers. A chip supplies a struct machine_target (a table of its operations,
 * register classes, a few functions) and the list of its steps, some of which it may implement itself.
 *
 *     struct fragprog
 *         |  machine_select.c, machine_sum.c, machine_expand.c: instruction selection; copy propagation for
 *         |      each channel of an operand (machine_build.c makes values, numbers and operations)
 *         |  machine_trim.c: dead code elimination
 *         |  machine_combine.c: removes repeated computations
 *         |  machine_factor.c: regroups sums and products
 *         |  machine_operands.c: legalises operands: each reads one register, or constants as the chip can
 *         |  machine_follow.c: values in consecutive registers, on scalar chips
 *         |  machine_place.c: removes moves whose source can be written directly to the destination
 *         |  machine_mix.c: joins operations on different channels
 *         |  machine_numbers.c: assigns numbers to registers of the constant file
 *         |  machine_schedule.c: scheduling for few empty issue slots
 *         |  machine_phases.c: scheduling for few phases (begun by lookups with computed coordinates)
 *         |  machine_allocate.c: register allocation by classes (fragprog/alloc/colour.h)
 *         v  the chip's encoder
 *     words
 *
 * A chip's list of steps (hwemit_target.steps) takes from these what it needs, in this order or another.
 * A number is a component of a constant. Chips with halves, one for the colour and one for alpha
 * (machine_target.halves), have steps of their own for fragment programs after machine_factor.c, which read
 * and write the same structures.
 *
 * Internal to hwemit. */
#ifndef HWEMIT_MACHINE_H
#define HWEMIT_MACHINE_H

#include "fragprog/alloc/classes.h"
#include "fragprog/alloc/immediate.h"
#include "hwemit/targets.h"

#include <string.h>

enum machine_opcode {
#define MACHINE_OP(id, name, args, kind) MACHINE_##id,
#include "hwemit/machine/machine_ops.def"
    MACHINE_OPS
};
/* Kinds of operations. CHANNELS computes each component of the result from the same channel of the operands.
 * DOT sums products over the channels `terms`. FUNCTION computes a function of the number in channel 0. LANES
 * does so with a different result in each component, which must be in the lane of the same name. LOOKUP reads
 * coordinates from the channels `terms`, and a bias from channel 0 of the second operand. EFFECT has no
 * result; it reads the number in channel 0 or, if `terms` is set, these channels of a register. Results of
 * DOT and FUNCTION are the same in all components. */
enum machine_kind {
    MACHINE_CHANNELS,
    MACHINE_DOT,
    MACHINE_FUNCTION,
    MACHINE_LANES,
    MACHINE_LOOKUP,
    MACHINE_EFFECT
};

/* What one channel of an operand reads (machine_src.file). The absolute value is taken before the sign is
 * applied. machine_src.unused: 0, so that all bits can be compared at once. */
enum machine_file {
    MACHINE_UNREAD,
    MACHINE_VALUE, /* component `lane` of value `index` */
    /* struct machine_number `index`; on chips with halves, MACHINE_NUMBERS + n is channel n % 4 of constant
     * n / 4 of the program */
    MACHINE_NUMBER,
    MACHINE_VARYING, /* varying `index`, for bary */
    /* only on chips with halves: */
    MACHINE_SLOT,    /* channel `lane` of slot `index` of the constants */
    MACHINE_LITERAL, /* 0, 1 or 1/2: `index` is FRAGPROG_ZERO, ONE or HALF */
    MACHINE_PRESUB   /* channel `lane` of presubtract `index` of the operation */
};
struct machine_src {
    uint8_t file, lane : 2, neg : 1, abs : 1, unused : 4;
    uint16_t index;
};

struct machine_op {
    uint8_t op;         /* enum machine_opcode */
    uint8_t cond;       /* for cmp: enum machine_cond; for lookups: whether they compare; for
                           load: the number of the array */
    uint8_t sat, terms; /* whether results are clamped to [0,1]; channels, see machine_kind */
    uint8_t mask;       /* components of `value` that are written; 0: the operation is deleted */
    int8_t scale;       /* results are multiplied by 2^scale, then clamped (machine_target.halves) */
    uint8_t texture;    /* for lookups; for test and kill: the predicate; for load: struct
                           fragprog_inst.texture */
    bool joined;        /* on chips that pair operations: in one instruction with the next one */
    union {
        uint8_t texel[4];         /* for lookups: the channel of the texel that each component gets */
        struct {                  /* on chips with halves, for the other operations: */
            uint8_t kind, out[2]; /* enum us_kind; masks of the output: what each half writes (alpha: 1) */
            uint8_t target : 7, depth : 1; /* the colour output; whether the alpha result is the depth */
        };
    };
    uint16_t value, next;    /* the value that is written; the next operation with the same hash */
    uint16_t reads, numbers; /* masks of bits 4*source + channel: the channels that read values, and those
                                that read numbers; set by hwemit_machine_find_reads */
    union {
        uint16_t slot[3];   /* for each source: the register of the constant file that is read */
        struct {            /* on chips with halves: */
            uint16_t order; /* its place in the program, counted in steps of more than one */
            uint16_t phase; /* for lookups: the texture block */
        };
    };
    struct machine_src arg[3][4];
};
enum machine_cond { MACHINE_GT, MACHINE_GE };

/* On chips with halves: a sum of sources that an operation reads. op: 0 if there is none, else 1 + PRE_*:
 * 1 - 2x, y - x, x + y or 1 - x. source: x and y, by channel. An operation has two at most, the second only
 * with the first. */
struct machine_presub {
    uint8_t op;
    struct machine_src source[2][4];
};

/* A value: components in one register or, on a scalar chip (machine_target.numbers), a single component. An
 * INPUT is in register `reg` from the start. An OUTPUT is read at the end of the program, with each component
 * in the lane of its name. An ELEMENT of an array is in the constant file. FACTORS are two components whose
 * product is the result; they have a separate register class. A GAP is an unused register between others. */
enum machine_value_kind {
    MACHINE_RESULT,
    MACHINE_INPUT,
    MACHINE_OUTPUT,
    MACHINE_ELEMENT,
    MACHINE_FACTORS,
    MACHINE_GAP
};
struct machine_value {
    uint8_t kind, components, read;
    uint8_t unit;    /* mask of components that are known to be in [0,1] */
    uint8_t own;     /* each component must be in the lane of its name, as in texels and coordinates */
    uint8_t lane[4]; /* after register allocation: the lane of `reg` that holds each component */
    uint8_t file;    /* on chips with more than one file of temporaries: which one */
    uint16_t reg;
    uint16_t follows, followed; /* on scalar chips: the values in the registers before and after it */
};

/* A number that the driver uploads: a component of an origin (FRAGPROG_ORIGIN_*), or a value from the
 * program. */
struct machine_number {
    int32_t origin; /* FRAGPROG_ORIGIN_IMMEDIATE: the number is `value` */
    uint8_t component;
    /* place: on scalar chips, its position 4*slot + lane in the constant file; on chips with halves, its
     * number among the literals that the compiler adds to the constants. moved: on scalar chips, the value
     * that a move has copied it to. MACHINE_NONE: none. */
    uint16_t place, moved;
    float value;
};
/* A register of the constant file, and the numbers that it holds. */
struct machine_slot {
    uint16_t number[4];
    uint8_t n;
};
struct machine_input {
    uint8_t what, index;
    uint16_t value;
};
struct machine_result {
    struct machine_src chan[4];
};
/* Colour output `target`, or the depth (MACHINE_DEPTH, in channel 0), or an output of vertex programs. value:
 * the value of each channel; MACHINE_NONE if the channel is not in a register. */
struct machine_output {
    uint8_t target, components;
    struct machine_src chan[4];
    uint16_t value[4];
};
enum {
    MACHINE_NONE = 0xffff,
    MACHINE_SLOTS = 2 * HWEMIT_CONSTANTS, /* more than chips have, to tell how many are needed */
    MACHINE_NUMBERS = 4 * MACHINE_SLOTS,
    MACHINE_HASH = 512,
    MACHINE_COLOURS = 8,
    MACHINE_DEPTH = MACHINE_COLOURS,
    MACHINE_OUTPUTS = FRAGPROG_VERTEX_OUTS
};

struct machine_target;

struct machine {
    const struct machine_target *target;
    const struct fragprog *ir;
    struct fragprog_reason *why;
    struct hwemit_code *code;
    void *own; /* data of the chip, zeroed at the beginning */
    /* legal, numbered, allocated: machine_operands.c, machine_numbers.c and machine_allocate.c have run */
    bool failed, legal, numbered, allocated;
    bool converted; /* on chips with halves: us_convert.c has run; their order means nothing until us_order.c
                     */
    bool second;    /* a second attempt, for fewer registers: nothing is reordered, mixed or paired */
    bool expanded;  /* (1 - x)*y becomes y - x*y at once, and products are not factored */
    bool one_slot;  /* an operation can read only one slot */
    uint8_t factors, angle; /* bit n: operation LG2 + n returns two factors; enum machine_angle */
    uint16_t samplers, instructions, temps, slots; /* limits of the chip */
    const struct fragprog_immediates *immediates;  /* numbers that an operand can encode; NULL: none */
    uint16_t nops, maxops, nvalues, maxvalues, nnumbers, nslots, ninputs, noutputs;
    /* figures of the result. registers: how many are used; whole: if values shared none; moves: how many were
     * inserted to collect operands */
    uint16_t registers, whole, moves, phases;
    uint8_t ntextures;
    uint16_t bucket[MACHINE_HASH]; /* for each hash: 1 + the last operation with this hash */
    /* The arrays from here on are not cleared: an entry is written as a whole before its counter includes it.
     * The pointers, and the entries of `result`, are set one by one (hwemit_machine_set_up). */
    struct machine_input input[HWEMIT_INPUTS];
    struct machine_output output[MACHINE_OUTPUTS];
    struct hwemit_texture texture[HWEMIT_TEXTURES];
    struct machine_number number[MACHINE_NUMBERS];
    struct machine_slot slot[MACHINE_SLOTS];
    struct machine_op *op;
    struct machine_op *next;            /* where a step writes its new list of operations; in `room` */
    struct machine_presub (*presub)[2]; /* of each operation, if they are converted */
    struct machine_value *value;
    struct machine_result *result; /* for each instruction of the source: operands that read its result */
    char *room;                    /* scratch memory for the step that runs */
    size_t nroom;
};

/* The argument of the chip's sin and cos for angle x: HALF_TURN: x reduced to [-pi, pi]; QUARTERS: x * 2/pi;
 * HALVES: x / pi; TURN: x / (2 pi) reduced to [0, 1]. POLYNOMIAL: the chip has neither sin nor cos. */
enum machine_angle { MACHINE_HALF_TURN, MACHINE_QUARTERS, MACHINE_HALVES, MACHINE_TURN, MACHINE_POLYNOMIAL };

/* A chip's implementation of an operation. form: 0 if the chip does not have the operation, otherwise
 * the instruction format, numbered by the chip. sat: results can be clamped. from[s]: 1 + the argument of the
 * operation that source s of the instruction reads, or 0 if none. */
struct machine_row {
    uint8_t form;
    bool sat;
    uint8_t code, cond, from[3];
};

struct machine_target {
    struct machine_row row[MACHINE_OPS];
    /* A scalar chip: a value is one number; an operation writes one value, a lookup four. */
    bool numbers;
    /* The chip has rectangle textures, shadow comparison, more than one output. */
    bool rectangles, shadow, outputs;
    /* lines_are_2d: 1D textures are looked up as 2D textures; bias_in_w: the bias is in coordinate w */
    bool lines_are_2d, bias_in_w;
    /* Each channel of an operand selects a channel, 0 or 1, and has its own sign; only rsq takes an absolute
     * value. */
    bool selects;
    /* A chip with colour and alpha halves: an operation computes two or three channels of the colour, or one
     * number, which is component 0. All but lookups can scale and clamp. Constants stay vectors. */
    bool halves;
    bool files;         /* inputs and outputs have separate register files; outputs clamp to [0,1] */
    bool whole_lookups; /* lookups and kills read a register without swizzle, lookups write a whole one */
    bool no_secondary_alpha; /* it is not known what the alpha of the secondary colour is */
    uint8_t fog_lane;        /* the lane of the input register that has the fog coordinate */
    uint8_t phases;          /* maximum number of phases; 0: no limit */
    uint8_t first_input;
    uint16_t ops, small; /* limits of operations during compilation: in general, of texture environments */
    uint32_t search;     /* fragprog_colour_request.work for small programs */
    const struct fragprog_classes *classes;
    size_t own;
    void (*begin)(struct machine *m, const struct hwemit_options *options);
    /* varying returns channel `lane` of input n, position that of the position. NULL: inputs are in registers
     * from `first_input` on, the position in register 0. */
    struct machine_src (*varying)(struct machine *m, unsigned n, unsigned lane);
    struct machine_src (*position)(struct machine *m, unsigned lane);
    /* Returns the register of an input. NULL: inputs are in registers from `first_input` on. */
    uint16_t (*input)(struct machine *m, const struct machine_input *input);
    /* Returns the mask of channels of source s whose numbers are encoded in the instruction itself. NULL if
     * `selects`. */
    unsigned (*inlined)(const struct machine *m, const struct machine_op *op, unsigned s);
    unsigned (*class_)(const struct machine_value *value);
    /* Returns the latency, in issue slots, from an operation to one that reads its result as source s. NULL:
     * no scheduling. */
    unsigned (*latency)(const struct machine_op *from, const struct machine_op *to, unsigned s);
    bool (*takes_slot)(const struct machine_op *op);
    void (*encode)(struct machine *m);
    /* Returns the cost of the compiled words, 0 if no other attempt can be better. NULL: the first attempt
     * that succeeds is taken. */
    uint32_t (*cost)(const struct machine *m);
};

/* hwemit_machine_info: the operations (machine_ops.def). hwemit_machine_reads: the mask of channels of source
 * s that an operation reads. hwemit_machine_count: the number of channels in a mask. */
extern const struct machine_info {
    const char *name;
    uint8_t args, kind;
} hwemit_machine_info[MACHINE_OPS];
static inline enum machine_kind hwemit_machine_kind(unsigned op) { return hwemit_machine_info[op].kind; }
static inline unsigned hwemit_machine_args(unsigned op) { return hwemit_machine_info[op].args; }
static inline unsigned hwemit_machine_reads(const struct machine_op *op, unsigned s)
{
    const struct machine_info *info = &hwemit_machine_info[op->op];
    if (s >= info->args)
        return 0;
    if (info->kind == MACHINE_CHANNELS)
        return op->mask;
    const bool terms = info->kind == MACHINE_DOT || (info->kind == MACHINE_LOOKUP && s == 0) ||
        (info->kind == MACHINE_EFFECT && op->terms);
    return terms ? op->terms : 1;
}
/* hwemit_machine_lowest: the lowest number 4*source + channel in a set of these. hwemit_machine_at: the
 * operand at this place. */
static inline unsigned hwemit_machine_lowest(unsigned places)
{
    static const uint8_t of_nibble[16] = {0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    unsigned first = 0;
    while (!(places >> first & 15))
        first += 4;
    return first + of_nibble[places >> first & 15];
}
static inline struct machine_src hwemit_machine_at(const struct machine_op *op, unsigned places)
{
    const unsigned n = hwemit_machine_lowest(places);
    return op->arg[n / 4][n % 4];
}
static inline unsigned hwemit_machine_count(unsigned mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}
static inline bool hwemit_machine_same(struct machine_src x, struct machine_src y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Returns whether the operation reads a result of `before`. Both have `reads` set. */
static inline bool hwemit_machine_follows(const struct machine_op *op, const struct machine_op *before)
{
    for (unsigned r = op->reads; r; r &= r - 1) {
        const struct machine_src at = hwemit_machine_at(op, r);
        if (at.index == before->value && before->mask >> at.lane & 1)
            return true;
    }
    return false;
}

/* Returns whether the value is in a register file of inputs, outputs or constants, not in a temporary. */
static inline bool hwemit_machine_in_file(const struct machine *m, unsigned value)
{
    const unsigned kind = m->value[value].kind;
    return m->target->files && (kind == MACHINE_INPUT || kind == MACHINE_OUTPUT || kind == MACHINE_ELEMENT);
}
/* Returns whether writes to this value clamp to [0,1] without being asked to, as colour outputs do. */
static inline bool hwemit_machine_clamps(const struct machine *m, const struct machine_value *to)
{
    return m->target->files && to->kind == MACHINE_OUTPUT && to->reg != MACHINE_DEPTH;
}
/* Returns whether the operation is a lookup, or a kill that reads a register as lookups do. */
static inline bool hwemit_machine_looks_up(const struct machine_op *op)
{
    const unsigned kind = hwemit_machine_kind(op->op);
    return kind == MACHINE_LOOKUP || (kind == MACHINE_EFFECT && op->terms);
}

/* Returns an operand that reads component c of the operation's result. */
static inline struct machine_src hwemit_machine_component(const struct machine *m,
                                                          const struct machine_op *op, unsigned c)
{
    const bool numbers = m->target->numbers;
    return (struct machine_src){.file = MACHINE_VALUE,
                                .lane = numbers ? 0 : c & 3,
                                .index = (uint16_t)(numbers ? op->value + c : op->value)};
}

/* ---- machine_compile.c ---- */
/* MACHINE_BYTES: scratch memory for these numbers of operations and of instructions in the source.
 * MACHINE_EDGES: an estimate of the number of interferences for each operation. */
enum { MACHINE_ALIGN = 64, MACHINE_EDGES = 48 };
#define MACHINE_VALUES(ops) (2u * (ops) + HWEMIT_INPUTS)
#define MACHINE_ROOM(ops) ((ops) * (200u + 4 * MACHINE_EDGES) + 8192)
#define MACHINE_BYTES(ops, insts, own) \
    (sizeof(struct machine) + (own) + (ops) * sizeof(struct machine_op) + \
     MACHINE_VALUES(ops) * sizeof(struct machine_value) + (insts) * sizeof(struct machine_result) + \
     MACHINE_ROOM(ops) + 7 * MACHINE_ALIGN)
/* Implements hwemit_target.compile if hwemit_target.chip is a struct machine_target. Attempts to compile the
 * optimised program, then the same with machine.second, then both with the program that is not optimised.
 * Takes the first attempt that succeeds or, if the chip has `cost`, the cheapest one. Hooks get the steps of
 * that attempt or, if none succeeds, of the first. */
bool hwemit_machine_compile(struct hwemit_code *code, const struct hwemit_target *target,
                            const struct hwemit_source *source, const struct hwemit_options *options,
                            struct fragprog_reason *why);
/* Refuses the program as hwemit_refuse does, unless it is already refused. Is false. */
#define MACHINE_REFUSE(m, ...) hwemit_machine_fail(m, (m)->failed || hwemit_refuse((m)->why, __VA_ARGS__))
static inline bool hwemit_machine_fail(struct machine *m, bool failed)
{
    (void)failed;
    m->failed = true;
    return false;
}
/* Returns whether the program needs no more of something (what) than the chip has; otherwise refuses it. */
bool hwemit_machine_within(struct machine *m, unsigned needed, unsigned most, const char *code,
                           const char *fit, const char *what);
/* The members of hwemit_target that all chips have whose programs hwemit_machine_compile compiles entirely.
 * machine: the struct machine_target; ops, small, own: its members of these names. */
#define MACHINE_TARGET(machine, ops, small, own) \
    .chip = &(machine), .compile = hwemit_machine_compile, .derive = fragprog_derive, .most_work = 1, \
    .scratch = MACHINE_BYTES(small, FRAGPROG_TEXENV_INSTS, own), \
    .unbounded_scratch = MACHINE_BYTES(ops, 0, own), .instruction_scratch = sizeof(struct machine_result)
/* Refuses a program that needs more than `most` of the named objects (what) in a step. */
bool hwemit_machine_refuse_long(struct machine *m, unsigned most, const char *what);
/* A step that refuses programs with more operations than the chip has instructions. */
bool hwemit_machine_fits(struct machine *m);
/* Prepares a machine, with the memory of MACHINE_BYTES behind it from `at` on, for a program. */
void hwemit_machine_set_up(struct machine *m, char *at, const struct machine_target *target,
                           const struct fragprog *ir);
/* Runs these steps, and calls the hook `after`, if there is one, after each. */
bool hwemit_machine_run(struct machine *m, const struct hwemit_step *step,
                        const struct fragprog_hooks *hooks);
/* Returns memory for n objects of this size, which is taken from *at on, and advances *at. */
void *hwemit_machine_take(char **at, size_t n, size_t size);
/* _constants adds the uploads of the constant file to the code: word n goes to `address` + n * step;
 * _interface adds textures and inputs. _drop_unread removes textures that no operation reads any more. */
void hwemit_machine_constants(struct machine *m, uint32_t address, unsigned step);
void hwemit_machine_interface(struct machine *m);
void hwemit_machine_drop_unread(struct machine *m);

/* ---- machine_build.c ---- */
uint16_t hwemit_machine_new_value(struct machine *m, unsigned kind, unsigned components);
struct machine_src hwemit_machine_outside(struct machine *m, const struct machine_number *number);
struct machine_src hwemit_machine_immediate(struct machine *m, float value);
/* Returns the operand's value if it is a constant in the program, otherwise NULL. */
const float *hwemit_machine_value(const struct machine *m, struct machine_src x);
bool hwemit_machine_is(const struct machine *m, struct machine_src x, float value);
/* Returns whether the operand is the constant 0, 1 or -1. hwemit_machine_selected: whether it is one of these
 * and the chip can select it in any channel. */
bool hwemit_machine_one_or_zero(const struct machine *m, struct machine_src x);
static inline bool hwemit_machine_selected(const struct machine *m, struct machine_src x)
{
    return x.file == MACHINE_NUMBER && m->target->selects && hwemit_machine_one_or_zero(m, x);
}
struct machine_src hwemit_machine_negated(struct machine *m, struct machine_src x);
struct machine_src hwemit_machine_absolute(struct machine *m, struct machine_src x);
/* Append an operation, whose value the caller has made, to machine.op or to a list. They return false, and
 * refuse the program, if there are too many operations. */
bool hwemit_machine_append(struct machine *m, const struct machine_op *op);
bool hwemit_machine_append_to(struct machine *m, struct machine_op *list, const struct machine_op *op);
/* hwemit_machine_make: returns an operation with these operands for each channel (NULL: no such operand).
 * hwemit_machine_do: appends an operation on numbers, and returns its result as an operand. */
struct machine_op hwemit_machine_make(unsigned op, const struct machine_src x[4],
                                      const struct machine_src y[4], const struct machine_src z[4]);
struct machine_src hwemit_machine_do(struct machine *m, unsigned op, struct machine_src x,
                                     struct machine_src y, struct machine_src z, bool sat);
/* Returns an earlier operation that computes the same number, or NULL if none is known (`next`). */
const struct machine_op *hwemit_machine_earlier(const struct machine *m, const struct machine_op *op);
/* Append an operation whose result is one number, or one that has a result for each channel of the mask. The
 * results are returned as operands. */
struct machine_src hwemit_machine_number(struct machine *m, const struct machine_op *op);
void hwemit_machine_channels(struct machine *m, struct machine_op op, unsigned mask,
                             struct machine_src result[4]);
/* Returns whether the operand is known to be in [0,1]. */
bool hwemit_machine_is_unit(const struct machine *m, struct machine_src x);
/* Clamps results to [0,1], except those that are known to be in it. */
void hwemit_machine_saturate(struct machine *m, unsigned mask, struct machine_src result[4]);

/* ---- machine_select.c, machine_expand.c ---- */
bool hwemit_machine_select(struct machine *m);
/* Returns an operand that reads this channel of a source, without the modifiers that apply to all channels.
 */
struct machine_src hwemit_machine_read(struct machine *m, const struct fragprog_src *src, unsigned channel);
/* Converts one operation of the program, given its operands by argument and channel, without clamping the
 * result. Returns false if the chip has no such operation. */
bool hwemit_machine_expand(struct machine *m, const struct fragprog_inst *inst, struct machine_src arg[3][4],
                           struct machine_src result[4]);

/* ---- machine_sum.c ---- */
/* Returns whether operands of chips with halves have the number without a constant: 0, 1/2 and 1, with a
 * sign. */
static inline bool hwemit_machine_needs_no_constant(double x)
{
    return x == 0 || x * x == 0.25 || x * x == 1;
}
/* Reads source s of an instruction with its modifiers. */
void hwemit_machine_operand(struct machine *m, const struct fragprog_inst *inst, unsigned s,
                            struct machine_src arg[4]);
/* On chips with halves: converts ADD, SUB and LERP whose sources have modifiers. Returns false if it does not
 * convert the instruction. */
bool hwemit_machine_sum(struct machine *m, const struct fragprog_inst *inst, struct machine_src result[4]);

/* ---- steps ---- */
bool hwemit_machine_trim(struct machine *m);
/* Sets `reads` and `numbers` of an operation. */
void hwemit_machine_find_reads(struct machine_op *op);
bool hwemit_machine_combine(struct machine *m);
bool hwemit_machine_factor(struct machine *m);
bool hwemit_machine_operands(struct machine *m);
bool hwemit_machine_place(struct machine *m);
bool hwemit_machine_mix(struct machine *m);
bool hwemit_machine_numbers(struct machine *m);
/* order_phases runs before register allocation, count_phases after it. */
bool hwemit_machine_order_phases(struct machine *m);
bool hwemit_machine_count_phases(struct machine *m);
bool hwemit_machine_schedule(struct machine *m);
bool hwemit_machine_allocate(struct machine *m);

/* ---- machine_follow.c: consecutive registers, on scalar chips ---- */
/* Appends a move of a number to a new value, to machine.next, and returns that value as an operand. */
struct machine_src hwemit_machine_move(struct machine *m, struct machine_src x);
/* Returns an operand in a register that replaces x. A number is moved only once: its readers share the value.
 */
struct machine_src hwemit_machine_loaded(struct machine *m, struct machine_src x);
/* Returns whether value v is, or can be, in the register after that of `before`; _follow makes it so. */
bool hwemit_machine_may_follow(const struct machine *m, uint16_t before, uint16_t v);
void hwemit_machine_follow(struct machine *m, uint16_t before, uint16_t v);
/* Makes n operands read consecutive registers; NULL: a gap between them. Their values are allocated there if
 * that is possible, else copied. */
void hwemit_machine_side_by_side(struct machine *m, struct machine_src *const x[4], unsigned n);

/* ---- machine_allocate.c ---- */
/* The values that get a temporary, sorted by their first write: `number` is the index of each in
 * machine.value, `value` describes it with its live ranges, `place` is the register that it gets. room: what
 * these arrays leave of machine.room. _find_lives finds the values; _colour assigns registers to them and
 * sets machine.registers and machine.whole. It returns false if that needs more than `most` registers. */
struct machine_lives {
    uint32_t *number;
    struct fragprog_colour_value *value;
    struct fragprog_colour_place *place;
    unsigned n;
    char *room;
};
bool hwemit_machine_find_lives(struct machine *m, struct machine_lives *lives);
bool hwemit_machine_colour(struct machine *m, const struct machine_lives *lives, unsigned most);

/* Makes the components of value `from` further components of value `to`, everywhere: each in its own lane if
 * that is free, or else, unless it must be in its `own`, in the lowest one. Returns false if there is no
 * room.
 */
bool hwemit_machine_merge(struct machine *m, unsigned from, unsigned to);
/* Returns whether the operation at `from` can move to `to`: no operation that it then follows reads its
 * result, and none that it then precedes writes what it reads. */
bool hwemit_machine_can_move(const struct machine *m, unsigned from, unsigned to);
/* Returns the value that the operation copies if it is a move that reads only one, without modifiers; else
 * MACHINE_NONE. */
unsigned hwemit_machine_moved(const struct machine_op *move);
/* Replaces component c of value `from` by the components map[c] (a mask) of value `to`, everywhere. */
void hwemit_machine_rename(struct machine *m, unsigned from, unsigned to, const uint8_t map[4]);
/* Returns the mask of channels that source s reads from the constant file. */
unsigned hwemit_machine_from_slots(const struct machine *m, const struct machine_op *op, unsigned s);
/* Adds a number to a slot or set unless that holds it. Returns false if there is no room. */
bool hwemit_machine_hold(struct machine_slot *slot, unsigned number);
/* Counts the different numbers that these sources read from the constant file; 5: more than four. */
unsigned hwemit_machine_different(const struct machine *m, const struct machine_op *op, unsigned sources);
/* Returns the lane of a number in its slot. hwemit_machine_give_place assigns a number to the constant
 * file (on scalar chips). */
unsigned hwemit_machine_lane(const struct machine *m, unsigned slot, unsigned number);
void hwemit_machine_give_place(struct machine *m, unsigned number);
/* Sets channel[p] to the channel of source s that a swizzle selects at position p. The positions are the
 * lanes that results are written to if the operation computes each channel separately, else the channels'
 * numbers. Unused positions select the same as the first used one. */
void hwemit_machine_positions(const struct machine *m, const struct machine_op *op, unsigned s,
                              uint8_t channel[4]);
/* Returns the lane of its register or slot that channel c of source s reads. */
unsigned hwemit_machine_lane_of(const struct machine *m, const struct machine_op *op, unsigned s, unsigned c);
/* Replaces negative constants of the program that the source reads by a sign and a positive constant, so that
 * there are fewer constants. */
void hwemit_machine_own_signs(struct machine *m, struct machine_op *op, unsigned s);
/* Makes the first machine.nops operations of `next` the program's operations. */
bool hwemit_machine_rewritten(struct machine *m);

#endif
