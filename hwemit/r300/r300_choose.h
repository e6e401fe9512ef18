/* Instruction selection for texture environments: turns the intermediate program into operations of the
 * chip's paired (colour and alpha) unit. r300_nodes.c describes each instruction as a polynomial, r300_fuse.c
 * substitutes values into the polynomials that use them, r300_emit.c chooses operations for each polynomial.
 * This header declares what these files and r300_choose.c, r300_lookups.c, r300_dots.c and r300_copies.c
 * share. */
#ifndef HWEMIT_R300_CHOOSE_H
#define HWEMIT_R300_CHOOSE_H

#include "hwemit/r300/r300_program.h"

/* An operand of the intermediate program: factor * leaf + offset, or the constant `offset` if leaf.file is
 * FILE_NONE. With `abs`, |leaf| takes the place of leaf. */
struct affine {
    float factor, offset;
    struct leaf leaf;
    bool abs;
};

/* The polynomial that the colour or the alpha half of one instruction of the intermediate program computes
 * from its sources (struct leaf). A source with file FILE_VREG is here the result of an earlier instruction:
 * its index is 2 * instruction + part (0 colour, 1 alpha). */
struct node {
    bool used, simple; /* the result is read; the half is a polynomial, so it can take part in fusion */
    uint8_t half, clamp, nleaves;
    /* r300_fuse.c: the number of hardware instructions that compute q, counted up to `limit` + 1 (cost 0: not
     * computed yet) */
    uint8_t cost, limit;
    uint16_t readers;
    struct leaf leaf[MAX_LEAVES];
    struct fragprog_quad q;
    float low, high;
};

/* A polynomial whose value is already in register `vreg`, for common subexpression elimination. Only values
 * without a clamp and with equal channels are kept, because either half can read those. */
struct known {
    struct fragprog_quad q;
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves;
    uint16_t vreg;
};

/* A way to compute a polynomial by two instructions: the first computes t, the second computes `rest` from
 * the sources and from t. In `rest` the value t is the last source, read with the swizzle of `as`. */
enum { MAX_SPLITS = 16, KEPT_SPLITS = 20 };
struct split {
    struct fragprog_quad t, rest;
    struct leaf as;
};
/* A cache entry: the splits that were found for polynomial q. */
struct splits {
    struct fragprog_quad q;
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves, n;
    bool rgb, packs, all; /* all: way[] has all splits of q */
    bool sided;           /* as in struct answer */
    struct split way[MAX_SPLITS];
};
struct kept_splits {
    unsigned n; /* how many were added so far; the newest KEPT_SPLITS remain */
    struct splits kept[KEPT_SPLITS];
};

/* A cache entry: the forms (struct form) that hwemit_r300_match found for polynomial q. */
enum { KEPT_FORMS = 32 };
struct matched {
    struct fragprog_quad q;
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves;
    bool rgb, thorough, packs;
    struct answer answer;
    unsigned n;
    struct form form[MAX_FORMS];
};

enum { MAX_SOURCE = 600, FUSED = MAX_QUADS, MAX_KNOWN = 24 };
/* The state of instruction selection. */
struct chooser {
    struct program *p;
    const struct fragprog *ir;
    struct fragprog_reason *why;
    bool failed;
    /* analysed: `read` and `node` are up to date for `ir`; fused: hwemit_r300_fuse changed some node */
    bool analysed, fused;
    uint16_t reciprocal; /* virtual register that holds 1/divisor of the projection being emitted */
    unsigned nmatched;   /* entries added so far; the newest KEPT_FORMS remain */
    unsigned nknown;
    unsigned npolynomials;          /* polynomials emitted so far */
    const struct fragprog *bare_of; /* the program that `bare` was computed for, or NULL */
    /* The members below are not initialised, except splits.n. vreg, read and input are written for the whole
     * program before any operation is emitted, nodes by hwemit_r300_make_nodes, and an array entry before its
     * counter includes it. */
    struct kept_splits splits;
    uint16_t vreg[MAX_SOURCE][2]; /* register of each instruction's colour and alpha result, or NONE */
    /* mask of how each result is read: 1 as colour, 2 as alpha, 4 as a texture coordinate */
    uint8_t read[MAX_SOURCE];
    uint16_t input[2 + TEXENV_UNITS]; /* virtual registers of the interpolated inputs */
    struct matched matched[KEPT_FORMS];
    struct known known[MAX_KNOWN];
    struct node node[FUSED]; /* index: 2 * instruction + half; longer programs are not fused */
    struct node bare[FUSED]; /* copy of `node` from before fusion */
};

/* The caller's memory (hwemit_source.scratch). */
struct scratch {
    struct program p;
    struct chooser c;
};

/* When fusion substitutes a value into the instructions that read it: never; only if this saves instructions;
 * or also if the number of instructions stays the same, because the result can then be split in other ways.
 */
enum fusing { FUSE_NOTHING, FUSE_SHORTER, FUSE_ALIKE };
/* r300_choose.c. Emits the operations of program p. If c->analysed is true, c must be unchanged since an
 * earlier call for the same source. */
bool hwemit_r300_choose(struct chooser *c, struct program *p, enum fusing fusing,
                        struct fragprog_reason *why);

/* ---- r300_nodes.c ---- */
/* Describes the channels `mask` of a source operand as factor * leaf + offset. Returns false if one hardware
 * operand cannot read these channels together. */
bool hwemit_r300_affine(const struct chooser *c, struct affine *out, const struct fragprog_src *src,
                        unsigned mask, unsigned half);
/* Replaces the index of an intermediate result by that of its virtual register. */
void hwemit_r300_resolve(const struct chooser *c, struct leaf *leaf);
/* What hwemit_r300_polynomial does with an operand |x|, which an additional instruction must compute first:
 * STRICT fails, PROBE treats |x| as x, EMIT emits that instruction. */
enum abs_mode { STRICT, PROBE, EMIT };
bool hwemit_r300_polynomial(struct chooser *c, struct node *n, const struct fragprog_inst *inst,
                            unsigned mask, enum abs_mode mode);
/* Returns the channels that the instruction writes in this half. */
unsigned hwemit_r300_part_mask(unsigned half, const struct fragprog_inst *inst);
void hwemit_r300_make_nodes(struct chooser *c);
/* Returns whether dot product i has two scalar operands and is computed as three times their product. */
bool hwemit_r300_is_scalar_dot(const struct chooser *c, unsigned i);

/* r300_fuse.c: substitutes values into the polynomials that read them. Returns whether any node changed. */
bool hwemit_r300_fuse(struct chooser *c, enum fusing fusing);

/* ---- r300_lookups.c ---- */
void hwemit_r300_find_readers(struct chooser *c);
void hwemit_r300_find_inputs(struct chooser *c);
uint16_t hwemit_r300_input(const struct chooser *c, const struct fragprog_src *src);
void hwemit_r300_emit_lookup(struct chooser *c, unsigned i);

/* ---- r300_emit.c ---- */
struct target {    /* the destination of an operation */
    uint16_t vreg; /* the register to write; NONE: allocate one */
    uint8_t half, mask, clamp;
    int8_t unit;
    bool out;
    bool fixed; /* the result must be in the colour part (a coordinate, or a register with several writers) */
};
uint16_t hwemit_r300_new_vreg(struct chooser *c, unsigned kind, unsigned part);
/* Appends an operation. Returns NULL, with the reason in c->why, if the program is too long. */
struct op *hwemit_r300_new_op(struct chooser *c, const struct target *t, unsigned code);
/* Appends a form to the last operation; NULL if the pool is full. */
struct form *hwemit_r300_new_form(struct chooser *c, struct op *op);
/* Emits operations that compute polynomial q of the given sources (with virtual registers, see
 * hwemit_r300_resolve). Returns the virtual register of the result. */
uint16_t hwemit_r300_emit_quad(struct chooser *c, const struct target *t, const struct fragprog_quad *q,
                               const struct leaf *leaf, unsigned nleaves);
/* If q, whose values are in [low, high], is constant after a clamp to [0,1], replaces q by 0 or 1 and returns
 * true. */
bool hwemit_r300_settle_clamp(struct fragprog_quad *q, unsigned clamp, float low, float high);
/* r300_limit.c: hwemit_r300_emit_quad, also for a target that is clamped to [-8,8] (FRAGPROG_SAT8). */
uint16_t hwemit_r300_emit_limited(struct chooser *c, const struct target *t, const struct fragprog_quad *q,
                                  const struct leaf *leaf, unsigned nleaves);
void hwemit_r300_settle(const struct chooser *c, struct leaf *leaf, bool rgb);
void hwemit_r300_pin(struct chooser *c, struct op *op);
bool hwemit_r300_uniform(const struct chooser *c, const struct leaf *leaf);
void hwemit_r300_leaf_range(const struct chooser *c, const struct leaf *leaf, float *low, float *high);
/* Returns the number of instructions that compute q: 1, 2, or 3 for "more than 2". With limit 1 it returns 1,
 * or 3 for "more than 1". */
unsigned hwemit_r300_cost(struct chooser *c, const struct fragprog_quad *q, const struct leaf *leaf,
                          unsigned nleaves, bool rgb, unsigned limit);
/* r300_two.c. The cache key: the sources of a polynomial, renumbered by their relative order. Polynomials
 * that differ only in the registers they read have the same key and therefore the same forms and splits. */
struct question {
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves;
    bool rgb;
};
void hwemit_r300_question(struct question *question, const struct leaf *leaf, unsigned nleaves, bool rgb);
/* For an alpha half that reads only alpha channels, writes the key of the colour half that computes the same
 * polynomial from the unswizzled colours of the same sources. Both keys have the same results unless
 * answer.sided is set. Returns false if the alpha half reads other channels. */
bool hwemit_r300_of_colour(struct question *colour, const struct question *alpha);
/* Returns splits of q: at least `wanted` of them, or all if there are fewer. */
const struct splits *hwemit_r300_splits(struct chooser *c, const struct fragprog_quad *q,
                                        const struct leaf *leaf, unsigned nleaves, bool rgb, unsigned wanted);

/* ---- r300_operands.c ---- */
/* An operation under construction, which hwemit_r300_append adds to the program. It is built here first
 * because its sources may need operations of their own, which must precede it, and because the forms of an
 * operation must be contiguous in the pool. */
enum { OPERATION_FORMS = 4 };
struct operation {
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves, nforms;
    struct form form[OPERATION_FORMS];
};
/* Which presubtract an operand may use to read source x: BARE none; INVERTED 1 - x or 1 - 2x; SHIFTED x + k
 * for a literal k. With SCALED added, a factor that is a power of two may be left to the output modifier. */
enum reading { BARE, INVERTED, SHIFTED, SCALED = 4 };
struct affine hwemit_r300_of_vreg(uint16_t v, unsigned half);
/* As hwemit_r300_affine, for source s of an instruction; also replaces the index of an intermediate result by
 * that of its virtual register. */
bool hwemit_r300_read_source(struct chooser *c, struct affine *a, const struct fragprog_inst *inst,
                             unsigned s, unsigned mask, unsigned half);
/* Encodes an affine source as operand `arg` of form f, with the presubtracts that `as` (enum reading) allows.
 * Returns false if the source must be computed by an additional instruction first; f may then have changed
 * and d may have one more source. */
bool hwemit_r300_operand(const struct chooser *c, struct operation *d, struct form *f, unsigned arg,
                         const struct affine *a, unsigned as);
/* Builds DP3 of the two sources (x y z) times 2^omod in d, with several forms, and emits additional
 * instructions for the sources if needed. With keep_omod_free, prefers forms without an output modifier. */
void hwemit_r300_dp3(struct chooser *c, struct operation *d, const struct fragprog_inst *inst, int omod,
                     bool keep_omod_free);
/* Builds only the forms of that DP3 that need no further instruction, trying INVERTED and SHIFTED for each
 * source with an offset. d must have no forms yet. */
bool hwemit_r300_dp3_direct(const struct chooser *c, struct operation *d, const struct affine a[2], int omod,
                            bool keep_omod_free);
struct op *hwemit_r300_append(struct chooser *c, const struct target *t, unsigned code,
                              const struct operation *d);

/* r300_dots.c: dot products and conditional selects. */
/* Returns the instruction that computes the alpha half of colour dot product i, or NULL. */
const struct fragprog_inst *hwemit_r300_companion(const struct chooser *c, unsigned i);
void hwemit_r300_emit_dot(struct chooser *c, unsigned i, unsigned parts);
void hwemit_r300_emit_select(struct chooser *c, unsigned i, unsigned half);
/* Returns the number (from 1) of a source in leaves[], appending it if it is new; 0 if there is no room. */
unsigned hwemit_r300_add_leaf(struct leaf *leaves, unsigned *n, const struct leaf *leaf);

/* ---- r300_copies.c ---- */
void hwemit_r300_emit_node(struct chooser *c, const struct target *t, const struct node *n);
void hwemit_r300_emit_abs(struct chooser *c, struct affine *a, unsigned half, unsigned mask, int unit);
uint16_t hwemit_r300_emit_copy(struct chooser *c, const struct target *t, struct affine *a);
uint16_t hwemit_r300_collect(struct chooser *c, const struct fragprog_src *src, unsigned mask, unsigned half,
                             int unit);
uint16_t hwemit_r300_emit_reciprocal(struct chooser *c, const struct fragprog_src *src, int unit);
void hwemit_r300_emit_groups(struct chooser *c, const struct fragprog_inst *inst, struct target *t,
                             unsigned mask);
/* Returns the source as a register or constant with factor 1 or -1 and without an offset. Emits a copy if
 * needed. */
struct affine hwemit_r300_materialise(struct chooser *c, const struct fragprog_inst *inst, unsigned s,
                                      unsigned mask, unsigned half, float scale);

#endif
