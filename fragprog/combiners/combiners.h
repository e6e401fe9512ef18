/* Programs of register combiners (NV_register_combiners, NV_register_combiners2) and their language "!!RC1.0"
 * (notes/facts/nvrc.md), for chips with such combiners. Internal to the library. */
#ifndef FRAGPROG_COMBINERS_H
#define FRAGPROG_COMBINERS_H

#include "texenv/texenv.h"

/* Registers, mappings and operations have the numbers that the chips use (notes/facts/nv2a.md 2). */
enum {
    RC_ZERO, /* as an output: the result is discarded */
    RC_C0,
    RC_C1,
    RC_FOG,
    RC_V0,
    RC_V1,
    RC_T0 = 8,
    RC_R0 = 12,
    RC_R1,
    RC_SUM, /* v1 + r0; this register and the next exist only as inputs A to D of the final combiner */
    RC_EF,  /* E*F */
    RC_REGISTERS
};
/* An input is a register, a component, and a mapping. */
enum {
    RC_ALPHA = 0x10, /* the input reads alpha; without it rgb, or blue in an alpha half */
    RC_MAPPING = 5,  /* its lowest bit */
    RC_INVERT = 1 << RC_MAPPING,
    RC_EXPAND = 2 << RC_MAPPING, /* with this and the next two mappings, RC_INVERT means negation */
    RC_HALF_BIAS = 4 << RC_MAPPING,
    RC_SIGNED = 6 << RC_MAPPING,
    RC_ONE = RC_ZERO | RC_INVERT,
    RC_MINUS_ONE = RC_ZERO | RC_EXPAND
};
enum { RC_CLAMP_SUM = 0x80 }; /* a flag of the final combiner: v1 + r0 is clamped to 1 */
/* The operation (scale and bias) on all results of a half. */
enum { RC_OP_X1, RC_OP_BIAS, RC_OP_X2, RC_OP_X2_BIAS, RC_OP_X4, RC_OP_HALF = 6, RC_OPS = 8 };
enum { RC_STAGES = 8, RC_TEXTURES = 4, RC_TEXTURE_MODES = 32 };

struct fragprog_rc_half {
    uint8_t in[4];  /* A to D */
    uint8_t out[3]; /* output registers of AB, CD, and their sum */
    uint8_t op;
    bool dot[2]; /* AB, CD are dot products */
    bool mux;    /* instead of the sum: r0's alpha < 1/2 ? AB : CD */
    bool blue;   /* alpha of AB's output register is set to its blue */
};
struct fragprog_rc_constants {
    bool given[2];
    float value[2][4];
};
struct fragprog_rc {
    uint8_t stages;
    struct {
        struct fragprog_rc_half half[2]; /* rgb, alpha */
        struct fragprog_rc_constants constants;
    } stage[RC_STAGES];
    struct fragprog_rc_constants constants; /* constants of the final combiner */
    /* inputs A to G of the final combiner: A*B + (1-A)*C + D; G is the alpha; then flags */
    uint8_t final[8];
    uint8_t texture[RC_TEXTURES]; /* modes of the texture units, with the chip's numbers */
};

/* Prints the program. Texture modes and fragprog_rc_half.blue, which the language lacks, are printed as
 * comments that are read back. It does not check for other features that the language cannot express; the
 * text then means a different program. */
void fragprog_print_rc(struct texenv_text *text, const struct fragprog_rc *rc);
/* Returns false after diagnostics. */
bool fragprog_read_rc(struct fragprog_rc *rc, const char *text, size_t length,
                      const struct texenv_sink *sink);

#endif
