/* The target etnaviv: fragment programs for Vivante's unified shader core (GC2000 and later), whose
 * instructions work on registers of four channels, one operation each.
 *
 *     struct fragprog
 *         |  etna_select.c, etna_expand.c: operations of the chip; each channel of an operand by itself
 *         |  etna_combine.c: operations on different channels that are the same become one
 *         |  etna_operands.c: each operand comes from one register, at most four numbers from outside
 *         |  etna_place.c: moves vanish where a result can be written in place; what nobody reads goes
 *         |  etna_uniforms.c: one uniform register an instruction
 *         |  etna_allocate.c: temporaries by register classes (fragprog/alloc/colour.h)
 *         v  etna_encode.c
 *     words
 *
 * Facts: notes/facts/etnaviv.md. */
#ifndef HWEMIT_ETNAVIV_H
#define HWEMIT_ETNAVIV_H

#include "fragprog/alloc/classes.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

enum etna_shift {
#define CHIP(name) ETNA_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/etnaviv/etnaviv_registers.def"
#undef CHIP
};

enum etna_opcode {
    ETNA_NOP,
    ETNA_ADD,
    ETNA_MAD,
    ETNA_MUL,
    ETNA_DST,
    ETNA_DP3,
    ETNA_DP4,
    ETNA_DSX,
    ETNA_DSY,
    ETNA_MOV,
    ETNA_RCP = 0x0c,
    ETNA_RSQ,
    ETNA_SELECT = 0x0f,
    ETNA_SET,
    ETNA_EXP,
    ETNA_LOG,
    ETNA_FRC,
    ETNA_BRANCH = 0x16,
    ETNA_TEXKILL,
    ETNA_TEXLD,
    ETNA_TEXLDB,
    ETNA_TEXLDD,
    ETNA_TEXLDL,
    ETNA_SQRT = 0x21,
    ETNA_SIN,
    ETNA_COS,
    ETNA_FLOOR = 0x25,
    ETNA_CEIL,
    ETNA_SIGN,
    ETNA_CMP = 0x31
};
enum etna_cond { ETNA_TRUE, ETNA_GT, ETNA_LT, ETNA_GE, ETNA_GEZ = 12, ETNA_GZ, ETNA_LZ = 15 };
enum etna_group { ETNA_TEMP, ETNA_UNIFORM0 = 2, ETNA_IMMEDIATE = 7 };

enum {
    ETNA_MOST_UNIFORMS = 256,
    ETNA_MOST_TEMPS = 64,
    ETNA_MOST_INSTRUCTIONS = 1024,
    ETNA_OPS = 1600,   /* while they are worked on: more than are issued */
    ETNA_SMALL = 400,  /* the same of texture environments */
    ETNA_SCALARS = 640 /* different numbers from outside the instructions */
};

/* Options of the target, by number. */
enum etna_option { ETNA_HALTI, ETNA_N_UNIFORMS, ETNA_N_INSTRUCTIONS, ETNA_N_TEMPS, ETNA_ONE, ETNA_PAIRS };

/* What one channel of an operand reads. */
enum etna_file { ETNA_UNREAD, ETNA_VALUE, ETNA_SCALAR };
struct etna_chan {
    uint8_t file, lane; /* VALUE: component `lane` of value `index`; SCALAR: number `index` */
    uint8_t neg, pad;   /* pad: 0, they are compared as bytes */
    uint16_t index;
};

/* A number that the driver uploads: a component of an origin, or the program's own value. */
struct etna_scalar {
    int32_t origin; /* FRAGPROG_ORIGIN_IMMEDIATE: value */
    uint8_t component;
    float value;
};

/* CHANNELS: each component of the result from the same channel of its operands. DOT: a sum over the first
 * `terms` channels. FUNCTION: of the number in channel 0. LOOKUP: coordinates in channels 0 to 3, bias in
 * channel 0 of the second operand. KILL: of the number in channel 0. Results of DOT and FUNCTION are the same
 * in all components. */
enum etna_kind { ETNA_CHANNELS, ETNA_DOT, ETNA_FUNCTION, ETNA_LOOKUP, ETNA_KILL };
struct etna_op {
    uint8_t kind, code, cond, sat;
    uint8_t terms;     /* DOT: channels of the sum; LOOKUP: channels of the coordinates, as masks */
    uint8_t mask;      /* components of its value */
    uint8_t used, abs; /* bit s: source s; |source s|, before its sign */
    uint8_t round;     /* 1: the new form of a function, whose result is a product of two components */
    uint8_t texture;
    int8_t unit;
    uint8_t texel[4]; /* LOOKUP: which channel of the texel each component is */
    uint16_t value;
    uint16_t slot[3]; /* by source: the uniform register that it reads */
    struct etna_chan arg[3][4];
};

/* Components in one temporary. */
enum etna_kind_of_value { ETNA_RESULT, ETNA_INPUT, ETNA_OUTPUT, ETNA_HALVES };
struct etna_value {
    uint8_t kind; /* HALVES: two components, in xy or zw */
    uint8_t components, read;
    uint16_t reg; /* of inputs */
    uint32_t begin[4], end[4];
    uint8_t lane[4];
};
struct etna_input {
    uint8_t what, index;
    uint16_t value;
};
struct etna_result {
    struct etna_chan chan[4];
};
/* A uniform register: numbers that it holds. */
struct etna_uniform {
    uint16_t scalar[4];
    uint8_t n;
};

struct etna {
    const struct fragprog *ir;
    struct fragprog_reason *why;
    struct hwemit_code *code;
    bool failed;
    bool merge; /* numbers of several operands may share a uniform register */
    uint16_t halti, uniforms, instructions, temps;
    bool one, pairs; /* one uniform an instruction; new transcendentals */
    uint16_t nops, maxops, nvalues, maxvalues, nscalars, nslots, ninputs, output;
    uint16_t registers, whole, moves;
    uint8_t textures; /* entries */
    /* From here on an entry is written, whole, before its counter includes it; the pointers, and what they
     * point to of `result`, are set up one by one (set_up in etna_target.c). */
    struct etna_input input[HWEMIT_INPUTS];
    struct etna_op *op, *next; /* next: where a pass writes the operations anew */
    struct etna_value *value;
    struct etna_result *result; /* of each instruction of the source */
    struct etna_scalar scalar[ETNA_SCALARS];
    struct etna_uniform slot[ETNA_MOST_UNIFORMS];
    char *room; /* of colouring */
    size_t nroom;
    struct hwemit_texture texture[HWEMIT_TEXTURES];
};

/* ---- etna_select.c ---- */
bool hwemit_etna_select(struct etna *e);
uint16_t hwemit_etna_new_value(struct etna *e, unsigned kind, unsigned components);
/* Appends; NULL and the program refused if there are too many. The value is the caller's. */
struct etna_op *hwemit_etna_append(struct etna *e, const struct etna_op *op);
/* An operation on the channels of the mask; what reads its result, by channel. */
void hwemit_etna_channels(struct etna *e, const struct etna_op *op, unsigned mask,
                          struct etna_chan result[4]);
/* One with a single result. */
struct etna_chan hwemit_etna_number(struct etna *e, const struct etna_op *op);
struct etna_chan hwemit_etna_immediate(struct etna *e, float value);
struct etna_chan hwemit_etna_negated(struct etna *e, struct etna_chan c);
bool hwemit_etna_refuse_long(struct etna *e);
/* Appends the scale and clamp of inst that the selected operation does not do itself. */
void hwemit_etna_finish(struct etna *e, const struct fragprog_inst *inst, struct etna_chan result[4]);

/* ---- etna_expand.c: operations that the chip does not have. False: it is none of them. */
bool hwemit_etna_expand(struct etna *e, const struct fragprog_inst *inst, struct etna_op *op,
                        struct etna_chan result[4]);

/* ---- etna_combine.c ---- */
void hwemit_etna_combine(struct etna *e);
/* Component c of value `from` becomes the components map[c] (a mask) of value `to`, everywhere. */
void hwemit_etna_rename(struct etna *e, unsigned from, unsigned to, const uint8_t map[4]);
unsigned hwemit_etna_count(unsigned mask);
/* Channels of source s that the operation reads. */
unsigned hwemit_etna_reads(const struct etna_op *op, unsigned s);

/* ---- etna_operands.c ---- */
bool hwemit_etna_operands(struct etna *e);
/* The number that all channels of the source read, if an instruction can hold it: its 20 bits; else -1. */
int32_t hwemit_etna_inline(const struct etna *e, const struct etna_op *op, unsigned s);
/* Channels that the source reads from a uniform register. */
unsigned hwemit_etna_outside(const struct etna *e, const struct etna_op *op, unsigned s);

/* ---- etna_place.c ---- */
void hwemit_etna_place(struct etna *e);
/* Operations and components that nobody reads go. */
void hwemit_etna_trim(struct etna *e);

/* ---- etna_uniforms.c ---- */
bool hwemit_etna_uniforms(struct etna *e);
/* Lane of a uniform register that holds the number. */
unsigned hwemit_etna_lane(const struct etna *e, unsigned slot, unsigned scalar);

/* ---- etna_allocate.c ---- */
/* Register classes: scalar to vec4, the two factors of a function, inputs, the position. As
 * fragprog_classes_build makes them. */
extern const struct fragprog_classes hwemit_etna_classes;
bool hwemit_etna_allocate(struct etna *e);

/* ---- etna_encode.c ---- */
void hwemit_etna_encode(struct etna *e);

#endif
