/* A fragment program for the ALU, which issues a colour (rgb) and an alpha instruction together as a pair;
 * both read three rgb and three alpha source addresses (notes/facts/r300.md 2). The encoders read it. */
#ifndef HWEMIT_R300_PROGRAM_H
#define HWEMIT_R300_PROGRAM_H

#include "hwemit/machine/machine.h"

enum { RGB, ALPHA }; /* the halves of a pair, and the parts of a temporary */
enum { NONE = 0xffff };

/* ---- capabilities of a chip (notes/facts/r300.md 1) ---- */
enum generation { R300, R400, R500 };
struct chip {
    enum generation generation;
    /* limits of instructions; total: limit of ALU and TEX together, 0 if there is none */
    uint16_t alu, tex, total;
    uint16_t temps, consts;
    /* maximum number of texture blocks, 0: no limit. A block is a group of lookups, then ALU instructions;
     * lookups can only depend on instructions of earlier blocks. */
    uint8_t nodes;
};
/* How many different constants a pair may read (notes/facts/r300.md 3.1; whether three work is not known,
 * notes/facts/hw-open.md r300.3). */
enum { PAIR_CONSTANTS = 2 };

/* Operation codes, equal to the rgb codes of notes/facts/r300.md 2.1. */
enum {
    OP_MAD = 0,
    OP_DP3 = 1,
    OP_DP4 = 2,
    OP_MIN = 4,
    OP_MAX = 5,
    OP_CMP = 8,
    OP_FRC = 9,
    OP_REPL_ALPHA = 10, /* in the colour half: copies the result of the alpha half's function */
    CODE_FUNCTION = 64  /* in the alpha half: plus the function's code (8 EX2 .. 13 COS) */
};
/* presubtract operations; SUB is src1 - src0 */
enum { PRE_1_MINUS_2X, PRE_SUB, PRE_ADD, PRE_1_MINUS_X, PRE_NONE = 0xff };

/* Where a source comes from: a temporary or a constant slot. */
enum file { FILE_NONE, FILE_VREG, FILE_SLOT };
enum { MOD_NEG = 1, MOD_ABS = 2 };

struct lookup {                  /* a texture instruction; they are in the order of their blocks */
    uint16_t number, phase;      /* index of the operation; the block */
    uint8_t texture, target, op; /* TEX_LD .. */
    uint8_t lane[4];             /* r500: the coordinate's channels used as S, T, R, Q */
    uint16_t src, dst;           /* temporaries */
    uint8_t mask, set;           /* written channels; the coordinate set that the texture takes */
};
enum { TEX_LD = 1, TEX_KIL, TEX_TXP, TEX_TXB };

/* ---- pairs ---- */
struct operand {
    uint8_t from, lane[3], mod;
}; /* from: SRC_*; lane: swizzle, on r500 also FRAGPROG_ZERO, ONE, HALF */
enum { SRC_0, SRC_1, SRC_2, SRC_PRE, SRC_ZERO, SRC_HALF, SRC_ONE };
struct port {
    uint16_t file, index;
}; /* FILE_*; index: after allocation the temporary or the constant slot */
struct half {
    uint16_t op;           /* index of the operation, NONE: this half is empty */
    uint8_t code;          /* OP_*; in the alpha half also ALPHA_DP: a copy of the rgb dot product */
    uint8_t mask;          /* write mask of the temporary: bits x y z, or 1 for alpha */
    uint8_t out;           /* write mask of the colour output */
    uint8_t target, depth; /* number of the colour output; whether the alpha result is the depth */
    uint8_t clamp;
    int8_t omod; /* output modifier: the result is multiplied by 2^omod, -3..3 */
    uint16_t temp;
    struct operand arg[3];
};
enum { ALPHA_DP = 1 };
struct pair {
    struct half half[2];
    struct port port[2][3];
    uint8_t pre[2]; /* PRE_* of the rgb and of the alpha part */
    bool nop;       /* NOP flag: the next pair presubtracts a register that this pair writes */
    uint16_t phase;
};

/* A constant slot: the value and the origin of each of its channels. */
struct constant {
    float value[4];
    int32_t origin[4]; /* FRAGPROG_ORIGIN_*; IMMEDIATE also for unused channels */
    uint8_t component[4], used;
};

/* Command line options of the three targets. */
enum { OPTION_CONSTANTS_LAYOUT, OPTION_ATRM };

struct program {
    const struct chip *chip;
    uint16_t ntex, ninputs, npairs, nconsts;
    uint16_t temps;  /* highest temporary in use + 1 */
    uint16_t phases; /* the number of the last texture block (see chip.nodes), from 0 */
    const struct constant *constant;
    struct lookup *tex;
    struct pair *pair;
    const struct machine_input *input;
};

/* r300_encode.c, r500_encode.c: encode the program as words. */
bool hwemit_r300_encode(struct hwemit_code *code, const struct program *p, struct fragprog_reason *why);
void hwemit_r300_encode500(struct hwemit_code *code, const struct program *p);

/* ---- helpers shared by both encoders ---- */

/* Begins the code: adds the list of textures, the statistics, and the word that enables texture units. */
void hwemit_r300_lists(struct hwemit_code *code, const struct program *p);
/* Adds what colour or coordinate n, which arrives in a temporary, needs in the words RS_IP and RS_INST. */
typedef void hwemit_r300_route(uint32_t *ip, uint32_t *inst, bool color, unsigned n, unsigned temp);
/* Appends the list of inputs, and the words that route them: RS_IP and RS_INST, which are at these addresses
 * and filled by `route`, and their numbers. */
void hwemit_r300_routing(struct hwemit_code *code, const struct program *p, hwemit_r300_route *route,
                         uint32_t ip_address, uint32_t inst_address);
/* Appends the words that say whether the program writes the depth. */
void hwemit_r300_depth(struct hwemit_code *code, const struct program *p);
/* Where constants are uploaded to: channel c of slot n to address + step * (4 * n + c). word: its word. */
struct constant_file {
    uint32_t address, step;
    uint32_t (*word)(const float value[4], unsigned channel);
};
/* Writes the constants that the program itself defines (`immediate` true), or those that GL state sets
 * (false). */
void hwemit_r300_constants(struct hwemit_code *code, const struct program *p, bool immediate,
                           const struct constant_file *file);
/* Returns whether GL state sets any channel of the constant. */
bool hwemit_r300_external(const struct constant *k);
unsigned hwemit_r300_omod(int omod); /* the hardware code of 2^omod */
unsigned hwemit_r300_alpha_op(const struct half *h);

#endif
