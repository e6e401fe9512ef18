/* Covering programs with the combiner stages of a chip that is given as data. For the chips; how it works:
 * notes/stages.md.
 *
 * A chip of this kind has a row of stages. Each has a colour and an alpha pipe, which do one operation of up
 * to four arguments each, scale by 1, 2 or 4, and limit to [0,1]. Arguments are texels, the primary and
 * perhaps the secondary colour, constants, and two registers, of each pipe: the result of the stage before,
 * and a second one. */
#ifndef STAGES_CHIP_H
#define STAGES_CHIP_H

#include "hwemit/hwemit.h"

enum {
    STAGES_MOST = 8, /* that the search goes to, beyond what the chip has */
    STAGES_ARGS = 4, /* of an operation */
    STAGES_NONE = 0xffff,
    STAGES_HALF = 0xfffe, /* as a constant: 0x80, for DOT4's alpha term */
    STAGES_ONE = 0xfffd,  /* as a constant: 1, where the chip has no source for it */
};

/* Before scale and limit; a0 to a3 are the arguments. */
enum stages_op {
    STAGES_ARG1,
    STAGES_MODULATE,         /* a1*a2 */
    STAGES_ADD,              /* a1+a2 */
    STAGES_ADDSIGNED,        /* a1+a2-1/2 */
    STAGES_BLEND,            /* a0*a1+(1-a0)*a2 */
    STAGES_SUBTRACT,         /* a1-a2 */
    STAGES_DOT3,             /* 4*sum of (a1-1/2)*(a2-1/2) over r, g, b */
    STAGES_DOT4,             /* in both pipes: the same, into colour and alpha */
    STAGES_MODULATE_AND_ADD, /* a1*a2+a0; the next two: the product twice, four times */
    STAGES_MODULATE_2X_AND_ADD,
    STAGES_MODULATE_4X_AND_ADD,
    STAGES_ADD_MODULATE,           /* (a1+a2)*a0, where a1+a2 is at most 1 */
    STAGES_ADD_CLAMPED_MODULATE,   /* the same operation where that is not known: min(a1+a2,1)*a0 */
    STAGES_MODULATE_AND_SUBTRACT,  /* a1*a2-a0 */
    STAGES_MODULATE_AND_ADDSIGNED, /* a1*a2+a0-1/2 */
    STAGES_PRODUCTS,               /* a1*a2+a0*a3 */
    STAGES_PRODUCTS_SIGNED,        /* a1*a2+a0*a3-1/2, at a scale of 1 or 2 */
};
#define STAGES_OP(op) (UINT32_C(1) << STAGES_##op)
/* What all chips have. */
#define STAGES_COMMON_OPS \
    (STAGES_OP(ARG1) | STAGES_OP(MODULATE) | STAGES_OP(ADD) | STAGES_OP(ADDSIGNED) | STAGES_OP(BLEND) | \
     STAGES_OP(SUBTRACT) | STAGES_OP(DOT3) | STAGES_OP(DOT4))
#define STAGES_MAD_OPS \
    (STAGES_OP(MODULATE_AND_ADD) | STAGES_OP(MODULATE_2X_AND_ADD) | STAGES_OP(MODULATE_4X_AND_ADD))

/* Two products and their sum. */
#define STAGES_PRODUCT_OPS \
    (STAGES_OP(MODULATE_AND_ADD) | STAGES_OP(MODULATE_AND_SUBTRACT) | STAGES_OP(MODULATE_AND_ADDSIGNED) | \
     STAGES_OP(PRODUCTS) | STAGES_OP(PRODUCTS_SIGNED))

enum { STAGES_COLOR_PIPE, STAGES_ALPHA_PIPE };
/* Registers: pipe + 2 * which. CURRENT is what the stage before gave, before the first one the primary
 * colour. No stage writes SHARED: constants that all stages read (not every chip has them). */
enum { STAGES_CURRENT, STAGES_SECOND, STAGES_SHARED };
enum { STAGES_RGB_C, STAGES_A_C, STAGES_RGB_S, STAGES_A_S, STAGES_REGISTERS = 6 };

/* What may be used only if it is assumed. */
struct stages_feature {
    uint32_t assumption; /* bit, as hwemit_options.assume */
    uint32_t ops;        /* bits */
    bool second;         /* the second register */
    const char *name;    /* in refusals; ends with NULL */
};

struct stages_chip {
    uint8_t stages, most_stages;   /* that it has; that the search goes to, to say how many too few */
    uint8_t targets[TEXENV_UNITS]; /* by GL's unit: enum texenv_target of its textures (bits) */
    bool own_units;   /* the texture of GL's unit n, with coordinate set n, is read from the chip's unit n */
    uint8_t textures; /* that it takes, of whichever units */
    const char *too_many; /* that many "textures contribute" */
    uint32_t ops;         /* enum stages_op (bits), without assumptions */
    const struct stages_feature *feature;
    uint32_t full;               /* the assumption that stands for all of them */
    const char *unsettled, *fit; /* of features: why they have to be assumed, and how */
    uint32_t dot4, scaled_dot4;  /* assumptions that DOT4 rests on, and DOT4 with a scale */
    bool secondary;              /* a stage reads the secondary colour */
    bool one;                    /* and the number 1; else a constant has to hold it */
    bool shadow;                 /* textures that compare; their result is the texel's colour and alpha */
    bool alpha_reads_color;      /* the alpha pipe reads single channels of colour registers */
    bool second;                 /* the second register needs no assumption */
    bool second_constant;        /* each stage has two constants of its own, and none is shared */
    /* SECOND takes, in each stage that says so, what CURRENT held before that stage; before the first it
     * holds a constant, which the first cannot read. Else a stage writes one of the two. */
    bool delayed;
    bool half;        /* DOT4 takes constants of 0x80 in alpha */
    bool dot4_joined; /* DOT4 writes colour and alpha of one register */
    bool dot4_scales; /* the scale of DOT4's alpha is the alpha pipe's own */
    uint8_t shared;   /* the register, of the colour pipe, that holds shared constants */
    /* After all stages colour goes through one of these operations (bits; with ARG1) more, without a scale,
     * beside which alpha is read from wherever it is; 0: nothing comes after the stages. */
    uint32_t last;
};

/* What a stage can read, and values that the cover is about. */
enum stages_atom_kind {
    STAGES_TEXEL,
    STAGES_PRIMARY,
    STAGES_SECONDARY,
    STAGES_KONST,
    STAGES_VALUE,
    STAGES_DOT
};
struct stages_atom {
    uint8_t kind;
    uint8_t scalar;        /* the same in all channels: an alpha, a scalar value, a dot product */
    uint16_t index;        /* texture; konst; value */
    uint16_t value[2];     /* [0]: the value that is this atom (not of dots); dots: their two arguments */
    uint8_t inv;           /* dots: the second argument is inverted */
    uint8_t coord, target; /* texels */
    uint8_t intensity;     /* texels: the alpha is the colour */
    uint8_t shadow;        /* texels: the result of a comparison */
    uint8_t late;          /* a value that the program does not name */
};

/* Part of a colour that a constant can hold: rgb, or one number that goes to its alpha. */
struct stages_konst {
    uint8_t scalar;
    int8_t unit[3];            /* where each channel comes from; as hwemit_constant */
    uint8_t component[3], pad; /* pad: 0, they are compared as bytes */
    float value[3];
    float color[4]; /* the whole colour that it is part of */
};

/* ---- a cover ---- */

enum { STAGES_OWN, STAGES_ALPHA, STAGES_RED }; /* the channel that is read */
enum stages_source { STAGES_S_ATOM, STAGES_S_CURRENT, STAGES_S_SECOND, STAGES_S_ONE, STAGES_S_CONSTANT };
struct stages_operand {
    uint8_t used, source, channel, inv;
    uint8_t atom; /* of S_ATOM: a texel, a colour */
    uint8_t part; /* of S_CONSTANT: 0 rgb, 1 alpha */
    bool shared;  /* of S_CONSTANT: not the stage's own, or of chips with two, its second */
};
struct stages_half {
    uint8_t op, scale, out; /* scale: power of 2; out: STAGES_CURRENT, STAGES_SECOND */
    bool store;             /* SECOND takes what CURRENT held before */
    struct stages_operand arg[STAGES_ARGS];
};
struct stages_plan {
    uint8_t nstages;
    /* the constants, rgb and alpha: a konst, or STAGES_NONE, STAGES_HALF, STAGES_ONE */
    uint16_t shared[2], own[STAGES_MOST + 1][2], second[STAGES_MOST + 1][2];
    uint8_t one[STAGES_MOST + 1]; /* the part that holds the number 1, where a stage reads that */
    /* [nstages]: what comes after them (stages_chip.last); all of it is CURRENT where that is nothing */
    struct stages_half stage[STAGES_MOST + 1][2];
    const struct stages_atom *atom;
    const struct stages_konst *konst;
};

/* An operation as a product, or two and their sum, before scale and limit: which argument each factor is
 * (STAGES_ARGS: the number 1), and what is done to it. Of dot products what is multiplied, of PRODUCTS_SIGNED
 * what 1/2 is taken from. */
enum stages_change { STAGES_AS_IS, STAGES_INVERTED, STAGES_LESS_HALF, STAGES_NEGATED, STAGES_EXPANDED };
struct stages_products {
    bool sum;
    struct {
        uint8_t arg, change;
    } factor[4];
};
const struct stages_products *hwemit_stages_products(enum stages_op op);

/* Assigns textures to the chip's first n (at most 8) texture units, as atoms (0: none), and calls
 * hwemit_add_texture for each. Texture n stays in unit n if that exists; the others take free units. */
void hwemit_stages_textures(struct hwemit_code *code, const struct stages_plan *plan, uint8_t *atom,
                            unsigned n);
/* The unit that has the atom's texture. */
unsigned hwemit_stages_slot(const struct stages_plan *plan, const uint8_t *atom, unsigned texel);

/* Joins the parts into one constant, and calls hwemit_add_constant for each colour that they come from; its
 * word is added next. False if nothing reads either part. */
bool hwemit_stages_constant(struct hwemit_code *code, const struct stages_plan *plan, unsigned slot,
                            const uint16_t part[2], float rgba[4]);
/* hwemit_code.constant_word of chips whose constants are ARGB8888, to nearest. */
uint32_t hwemit_stages_argb(const float rgba[4], unsigned n);

/* hwemit_target.scratch and hwemit_target.compile, but that the chip writes the words of the plan. */
#define STAGES_SCRATCH 350000
bool hwemit_stages_compile(struct hwemit_code *code, const struct stages_chip *chip,
                           const struct hwemit_source *source, const struct hwemit_options *options,
                           struct fragprog_reason *why, struct stages_plan *plan);
#endif
