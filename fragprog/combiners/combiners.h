/* Programs of register combiners (NV_register_combiners, NV_register_combiners2) and their language,
 * "!!RC1.0" (notes/facts/nvrc.md), for the chips that have such combiners. Internal to the library. */
#ifndef FRAGPROG_COMBINERS_H
#define FRAGPROG_COMBINERS_H

#include "texenv/texenv.h"

/* Numbers of registers, mappings and operations are those of the chips, too (notes/facts/nv2a.md 2). */
enum {
    RC_ZERO, /* as a result: nowhere */
    RC_C0,
    RC_C1,
    RC_FOG,
    RC_V0,
    RC_V1,
    RC_T0 = 8,
    RC_R0 = 12,
    RC_R1,
    RC_SUM, /* v1 + r0; this and the next: inputs A to D of the final combiner */
    RC_EF,  /* E*F */
    RC_REGISTERS
};
/* An input: a register, which component of it, and a mapping. */
enum {
    RC_ALPHA = 0x10, /* alpha in each channel; without it rgb, of what makes an alpha blue */
    RC_MAPPING = 5,  /* the lowest bit of it */
    RC_INVERT = 1 << RC_MAPPING,
    RC_EXPAND = 2 << RC_MAPPING, /* with RC_INVERT, also in the next two: negated */
    RC_HALF_BIAS = 4 << RC_MAPPING,
    RC_SIGNED = 6 << RC_MAPPING,
    RC_ONE = RC_ZERO | RC_INVERT,
    RC_MINUS_ONE = RC_ZERO | RC_EXPAND
};
enum { RC_CLAMP_SUM = 0x80 }; /* a flag of the final combiner: v1 + r0 is limited to 1 */
/* What is done to each result. */
enum { RC_OP_X1, RC_OP_BIAS, RC_OP_X2, RC_OP_X2_BIAS, RC_OP_X4, RC_OP_HALF = 6, RC_OPS = 8 };
enum { RC_STAGES = 8, RC_TEXTURES = 4, RC_TEXTURE_MODES = 32 };

struct fragprog_rc_half {
    uint8_t in[4];  /* A to D */
    uint8_t out[3]; /* registers of AB, CD, and of their sum */
    uint8_t op;
    bool dot[2]; /* AB, CD: dot products */
    bool mux;    /* in place of the sum: AB where r0's alpha is below 1/2, else CD */
    bool blue;   /* the alpha of AB's register becomes its blue */
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
    struct fragprog_rc_constants constants; /* of the final combiner */
    uint8_t final[8];                       /* its inputs A to G: A*B + (1-A)*C + D; alpha is G; flags */
    uint8_t texture[RC_TEXTURES];           /* modes of the texture units, as numbers of the chip */
};

/* What the language has no words for, the textures' modes and fragprog_rc_half.blue, stands in comments,
 * which are read back. Says nothing about what the language cannot say: what is read back is another program.
 */
void fragprog_print_rc(struct texenv_text *text, const struct fragprog_rc *rc);
/* False after diagnostics. */
bool fragprog_read_rc(struct fragprog_rc *rc, const char *text, size_t length,
                      const struct texenv_sink *sink);

#endif
