/* Instruction selection for chips with combiner stages: covers a program with the stages of a chip that is
 * described by data (struct stages_chip). The back ends of such chips include this header. How it works:
 * notes/stages.md.
 *
 * Such a chip executes a sequence of stages. Each stage has a colour and an alpha pipe; a pipe does one
 * operation of up to four arguments, scales the result by 1, 2 or 4, and clamps it to [0,1]. Arguments are
 * texels, the primary and perhaps the secondary colour, constants, and two registers of each pipe: the result
 * of the previous stage, and a second one. */
#ifndef STAGES_CHIP_H
#define STAGES_CHIP_H

#include "hwemit/hwemit.h"

enum {
    STAGES_MOST = 8, /* largest number of stages that the search tries */
    STAGES_ARGS = 4, /* maximum number of arguments of an operation */
    STAGES_NONE = 0xffff,
    STAGES_HALF = 0xfffe, /* the constant 0x80, for DOT4's alpha term */
    STAGES_ONE = 0xfffd,  /* the constant 1, where the chip has no other source for it */
};

/* Operations, before scale and clamp; a0 to a3 are the arguments. */
enum stages_op {
    STAGES_ARG1,
    STAGES_MODULATE,               /* a1*a2 */
    STAGES_ADD,                    /* a1+a2 */
    STAGES_ADDSIGNED,              /* a1+a2-1/2 */
    STAGES_BLEND,                  /* a0*a1+(1-a0)*a2 */
    STAGES_SUBTRACT,               /* a1-a2 */
    STAGES_DOT3,                   /* 4*sum of (a1-1/2)*(a2-1/2) over r, g, b */
    STAGES_DOT4,                   /* a DOT3 whose result is written to colour and alpha */
    STAGES_MODULATE_AND_ADD,       /* a1*a2+a0 */
    STAGES_MODULATE_2X_AND_ADD,    /* 2*a1*a2+a0 */
    STAGES_MODULATE_4X_AND_ADD,    /* 4*a1*a2+a0 */
    STAGES_ADD_MODULATE,           /* (a1+a2)*a0, if a1+a2 is at most 1 */
    STAGES_ADD_CLAMPED_MODULATE,   /* the same operation if a1+a2 may exceed 1: min(a1+a2,1)*a0 */
    STAGES_MODULATE_AND_SUBTRACT,  /* a1*a2-a0 */
    STAGES_MODULATE_AND_ADDSIGNED, /* a1*a2+a0-1/2 */
    STAGES_PRODUCTS,               /* a1*a2+a0*a3 */
    STAGES_PRODUCTS_SIGNED,        /* a1*a2+a0*a3-1/2, only with a scale of 1 or 2 */
};
#define STAGES_OP(op) (UINT32_C(1) << STAGES_##op)
/* Operations that all chips have. */
#define STAGES_COMMON_OPS \
    (STAGES_OP(ARG1) | STAGES_OP(MODULATE) | STAGES_OP(ADD) | STAGES_OP(ADDSIGNED) | STAGES_OP(BLEND) | \
     STAGES_OP(SUBTRACT) | STAGES_OP(DOT3) | STAGES_OP(DOT4))
#define STAGES_MAD_OPS \
    (STAGES_OP(MODULATE_AND_ADD) | STAGES_OP(MODULATE_2X_AND_ADD) | STAGES_OP(MODULATE_4X_AND_ADD))

/* Operations that add two products. */
#define STAGES_PRODUCT_OPS \
    (STAGES_OP(MODULATE_AND_ADD) | STAGES_OP(MODULATE_AND_SUBTRACT) | STAGES_OP(MODULATE_AND_ADDSIGNED) | \
     STAGES_OP(PRODUCTS) | STAGES_OP(PRODUCTS_SIGNED))

enum { STAGES_COLOR_PIPE, STAGES_ALPHA_PIPE };
/* Registers are numbered pipe + 2 * r, where r is CURRENT, SECOND or SHARED. CURRENT holds the result of the
 * previous stage; before the first stage, the primary colour. SHARED holds constants that all stages can read
 * and no stage writes (not every chip has it). */
enum { STAGES_CURRENT, STAGES_SECOND, STAGES_SHARED };
enum { STAGES_RGB_C, STAGES_A_C, STAGES_RGB_S, STAGES_A_S, STAGES_REGISTERS = 6 };

/* A feature of a chip that may be used only under an assumption. */
struct stages_feature {
    uint32_t assumption; /* the bit of the assumption in hwemit_options.assume */
    uint32_t ops;        /* set of operations (STAGES_OP) that the feature allows */
    bool second;         /* whether the feature allows the second register */
    const char *name;    /* for refusals; NULL ends the list */
};

struct stages_plan;
struct stages_chip {
    uint8_t stages; /* number of stages of the chip */
    /* for each texture unit of GL: set of supported texture targets (bits of enum texenv_target) */
    uint8_t targets[TEXENV_UNITS];
    bool own_units;       /* unit n of the chip samples the texture of GL's unit n with coordinate set n */
    uint8_t textures;     /* number of texture units of the chip */
    const char *too_many; /* text of the refusal of a program with more textures */
    uint32_t ops;         /* set of operations (STAGES_OP) that are allowed without assumptions */
    const struct stages_feature *feature;
    uint32_t full;               /* the assumption that implies all features */
    const char *unsettled, *fit; /* for refusals: why features need an assumption, and how to allow them */
    uint32_t dot4, scaled_dot4;  /* assumptions that DOT4, and DOT4 with a scale, need */
    /* The assumption that lookups which do not divide by q need: a unit divides by q for every lookup, or the
     * words do not say whether it does. */
    uint8_t undivided;
    bool secondary;         /* a stage can read the secondary colour */
    bool one;               /* a stage can read the number 1; else a constant has to hold it */
    bool shadow;            /* shadow textures; the result is both colour and alpha of the texel */
    bool alpha_reads_color; /* the alpha pipe can read single channels of colour registers */
    bool second;            /* the chip has the second register, without assumption */
    bool second_constant;   /* each stage has two constants of its own; there is no shared one */
    /* True: a stage cannot write SECOND, but may copy into it what CURRENT held before that stage. Before the
     * first copy SECOND holds a constant, which the first stage cannot read. False: a stage writes one of the
     * two registers. */
    bool delayed;
    bool half;        /* DOT4 needs constants of 0x80 in alpha */
    bool dot4_joined; /* DOT4 writes colour and alpha of the same register */
    bool dot4_scales; /* DOT4's alpha has its own scale */
    uint8_t shared;   /* number of the colour pipe's register that holds shared (or second) constants */
    /* After all stages the chip can apply one of this set of operations (including ARG1) to colour, without a
     * scale, while alpha is copied from any register; 0: nothing follows the stages. Indexed by the steps
     * after texturing that it does, too (hwemit_options.follows); a chip whose last[0] is 0 does none. */
    uint32_t last[4];
    /* Encodes the plan as words. Constants are ARGB8888 unless it sets code->constant_word. */
    void (*emit)(struct hwemit_code *code, const struct stages_plan *plan);
};

/* What an operand of a stage reads. KONST: the stage's own constant; SHARED: the shared constant or, on chips
 * with two constants in each stage, the second one. */
enum stages_source {
    STAGES_FROM_CURRENT,
    STAGES_FROM_SECOND,
    STAGES_FROM_ONE,
    STAGES_FROM_SHARED,
    STAGES_KONST,
    STAGES_PRIMARY,
    STAGES_SECONDARY,
    STAGES_TEXEL,
    /* Atoms are the variables of polynomials: sources that a stage can read (the four above), values whose
     * clamp can act, and dot products. */
    STAGES_VALUE,
    STAGES_DOT
};
struct stages_atom {
    uint8_t kind;          /* enum stages_source */
    uint8_t scalar;        /* equal in all channels: an alpha, a scalar value, a dot product */
    uint16_t index;        /* number of the texture, constant (konst) or value */
    uint16_t value[2];     /* [0]: the value that equals this atom; for dot products: both arguments */
    uint8_t inv;           /* dot products: the second argument is inverted */
    uint8_t coord, target; /* texels */
    uint8_t intensity;     /* texels: alpha equals colour */
    uint8_t shadow;        /* texels: the result of a shadow comparison */
    uint8_t assumed;       /* texels: the assumption that the lookup needs */
};

/* A part of a colour that one part of a constant can hold: rgb, or a scalar in alpha. */
struct stages_konst {
    uint8_t scalar;
    int8_t unit;    /* its origin, as in hwemit_constant */
    uint8_t pad[2]; /* 0, because these structures are compared as bytes */
    float value[3];
    float color[4]; /* the whole colour that the part belongs to */
};

/* ---- a plan: the operations and arguments of each stage ---- */

enum { STAGES_OWN, STAGES_ALPHA, STAGES_RED }; /* the channel that is read: the pipe's own, alpha, or red */
struct stages_operand {
    uint8_t used, source, channel, inv;
    uint8_t atom, slot; /* of texels: the atom, and the chip's texture unit; else slot is 0 */
};
struct stages_half {
    uint8_t op, scale, out; /* scale: log2 of it; out: STAGES_CURRENT or STAGES_SECOND */
    bool store;             /* copies what CURRENT held before the stage to SECOND */
    bool holds;             /* is a copy of CURRENT to itself */
    struct stages_operand arg[STAGES_ARGS];
};
struct stages_plan {
    uint8_t nstages;
    /* contents of constants, rgb and alpha: a number of `konst`, or STAGES_NONE, STAGES_HALF, STAGES_ONE */
    uint16_t shared[2], own[STAGES_MOST + 1][2], second[STAGES_MOST + 1][2];
    uint8_t one[STAGES_MOST + 1]; /* the part of the constant that holds 1, if the stage reads that */
    /* [nstages]: the operation after the stages (stages_chip.last); all CURRENT if there is none */
    struct stages_half stage[STAGES_MOST + 1][2];
    uint8_t texture[TEXENV_UNITS]; /* a texel of the texture in each unit of the chip; 0: none */
    const struct stages_atom *atom;
    const struct stages_konst *konst;
};

/* Returns whether a part of the constant is read. */
static inline bool hwemit_stages_is_read(const uint16_t part[2])
{
    return part[0] != STAGES_NONE || part[1] != STAGES_NONE;
}
/* Combines the parts of a constant that is read, and calls hwemit_add_constant for each colour that they come
 * from. Returns the constant's word, which the caller must add next. */
uint32_t hwemit_stages_constant(struct hwemit_code *code, const struct stages_plan *plan, unsigned slot,
                                const uint16_t part[2]);

/* Implement hwemit_target.scratch and, if its `chip` is a struct stages_chip, hwemit_target.compile. */
#define STAGES_SCRATCH 350000
bool hwemit_stages_compile(struct hwemit_code *code, const struct hwemit_target *target,
                           const struct hwemit_source *source, const struct hwemit_options *options,
                           struct fragprog_reason *why);
#endif
