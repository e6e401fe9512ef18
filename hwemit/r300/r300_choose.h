/* What the files share that choose the unit's operations: r300_choose.c and r300_nodes.c take the
 * intermediate program as polynomials, r300_fuse.c puts values into their readers, r300_emit.c makes
 * operations of polynomials. */
#ifndef HWEMIT_R300_CHOOSE_H
#define HWEMIT_R300_CHOOSE_H

#include "hwemit/r300/r300_program.h"

/* factor * leaf + offset, or a constant alone (leaf.file FILE_NONE). */
struct affine {
    float factor, offset;
    struct leaf leaf;
    bool abs;
};

/* What one half of an instruction of the intermediate program computes, where it is a polynomial over whole
 * leaves. Leaves of FILE_VREG name values: instruction * 2 + part. */
struct node {
    bool used, simple; /* somebody reads it; it is a polynomial and can be fused */
    uint8_t half, clamp, nleaves;
    /* r300_fuse.c: how many instructions it takes, counted up to `limit` (0: not counted yet) */
    uint8_t cost, limit;
    uint16_t readers;
    struct leaf leaf[MAX_LEAVES];
    struct fragprog_quad q;
    float low, high;
};

/* A polynomial that was computed, without a clamp and equal in all channels: either half can read it instead
 * of computing it again. */
struct known {
    struct fragprog_quad q;
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves;
    uint16_t vreg;
};

/* Ways to compute q by two instructions: the first computes t from the leaves; the second computes `rest`
 * from the leaves and t, which is one more leaf to it, read `as`. */
enum { MAX_SPLITS = 16, KEPT_SPLITS = 20 };
struct split {
    struct fragprog_quad t, rest;
    struct leaf as;
};
struct splits {
    struct fragprog_quad q;
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves, n;
    bool rgb, packs, all; /* all: no other split exists */
    bool sided;           /* as of struct answer */
    struct split way[MAX_SPLITS];
};
struct kept_splits {
    unsigned n; /* how many were asked for so far; the last KEPT_SPLITS are kept */
    struct splits kept[KEPT_SPLITS];
};

/* A cache: the forms that a polynomial was found to have. */
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
struct chooser {
    struct program *p;
    const struct fragprog *ir;
    struct fragprog_reason *why;
    bool failed;
    /* read and node are those of the program; values were put into their readers */
    bool analysed, fused;
    uint16_t reciprocal; /* of the divisor of the instruction that is emitted */
    unsigned nmatched;   /* how many were asked for so far; the last KEPT_FORMS are kept */
    unsigned nknown;
    unsigned npolynomials;          /* emitted */
    const struct fragprog *bare_of; /* `bare` is of this program; NULL: of none */
    /* From here on nothing is set up but splits.n: vreg, read and input are written for the whole program
     * before operations of it are, nodes by hwemit_r300_make_nodes, and an entry of the others before its
     * counter includes it. */
    struct kept_splits splits;
    uint16_t vreg[MAX_SOURCE][2];     /* of each value and part, NONE: not there (yet) */
    uint8_t read[MAX_SOURCE];         /* parts that are read: bits RGB, ALPHA; 4: as a coordinate */
    uint16_t input[2 + TEXENV_UNITS]; /* virtual registers of the interpolated inputs */
    struct matched matched[KEPT_FORMS];
    struct known known[MAX_KNOWN];
    struct node node[FUSED]; /* of the first values; programs longer than that are not fused */
    struct node bare[FUSED]; /* the same before values were put into their readers */
};

/* The caller's memory (hwemit_source.scratch). */
struct scratch {
    struct program p;
    struct chooser c;
};

/* When a value is put into its readers: never; where the program has fewer instructions then; also where it
 * has as many, since these can be split in other ways. */
enum fusing { FUSE_NOTHING, FUSE_SHORTER, FUSE_ALIKE };
/* r300_choose.c. Makes the operations of program p. c->analysed is false, or c is as an earlier call for the
 * same source left it. */
bool hwemit_r300_choose(struct chooser *c, struct program *p, enum fusing fusing,
                        struct fragprog_reason *why);

/* ---- r300_nodes.c ---- */
/* Writes what a source reads in these lanes (of channels `mask`) as factor * leaf + offset; false if its
 * channels differ too much for one operand. */
bool hwemit_r300_affine(const struct chooser *c, struct affine *out, const struct fragprog_src *src,
                        unsigned mask, unsigned half);
/* Leaves of values become leaves of virtual registers. */
void hwemit_r300_resolve(const struct chooser *c, struct leaf *leaf);
/* |x| takes an instruction before the polynomial: STRICT refuses it, PROBE takes it for x, EMIT emits it. */
enum abs_mode { STRICT, PROBE, EMIT };
bool hwemit_r300_polynomial(struct chooser *c, struct node *n, const struct fragprog_inst *inst,
                            unsigned mask, enum abs_mode mode);
/* Channels of the half that the instruction writes. */
unsigned hwemit_r300_part_mask(unsigned half, const struct fragprog_inst *inst);
void hwemit_r300_make_nodes(struct chooser *c);
/* Is the dot product i taken for three times a product? */
bool hwemit_r300_is_scalar_dot(const struct chooser *c, unsigned i);

/* r300_fuse.c: puts values into their readers, as `fusing` says. True if it changed anything. */
bool hwemit_r300_fuse(struct chooser *c, enum fusing fusing);

/* ---- r300_lookups.c ---- */
void hwemit_r300_find_readers(struct chooser *c);
void hwemit_r300_find_inputs(struct chooser *c);
uint16_t hwemit_r300_input(const struct chooser *c, const struct fragprog_src *src);
void hwemit_r300_emit_lookup(struct chooser *c, unsigned i);

/* ---- r300_emit.c ---- */
struct target {    /* what an operation writes */
    uint16_t vreg; /* NONE: a new one */
    uint8_t half, mask, clamp;
    int8_t unit;
    bool out;
    bool fixed; /* a colour that must lie in the colour part (a coordinate, one of several writers) */
};
uint16_t hwemit_r300_new_vreg(struct chooser *c, unsigned kind, unsigned part);
/* NULL: too many (why says so) */
struct op *hwemit_r300_new_op(struct chooser *c, const struct target *t, unsigned code);
struct form *hwemit_r300_new_form(struct chooser *c, struct op *op); /* NULL: too many */
/* Emits operations that compute q of the leaves (true virtual registers) into the target; the result's
 * virtual register. */
uint16_t hwemit_r300_emit_quad(struct chooser *c, const struct target *t, const struct fragprog_quad *q,
                               const struct leaf *leaf, unsigned nleaves);
/* What lies beyond a clamp to [0,1] is 0 or 1. True: it does. */
bool hwemit_r300_settle_clamp(struct fragprog_quad *q, unsigned clamp, float low, float high);
/* r300_limit.c: the same for a target that may be limited to [-8,8]. */
uint16_t hwemit_r300_emit_limited(struct chooser *c, const struct target *t, const struct fragprog_quad *q,
                                  const struct leaf *leaf, unsigned nleaves);
void hwemit_r300_settle(const struct chooser *c, struct leaf *leaf, bool rgb);
void hwemit_r300_pin(struct chooser *c, struct op *op);
bool hwemit_r300_uniform(const struct chooser *c, const struct leaf *leaf);
void hwemit_r300_leaf_range(const struct chooser *c, const struct leaf *leaf, float *low, float *high);
/* How many instructions q takes: 1, 2, or 3 for more than 2; with limit 1, 3 for more than 1. */
unsigned hwemit_r300_cost(struct chooser *c, const struct fragprog_quad *q, const struct leaf *leaf,
                          unsigned nleaves, bool rgb, unsigned limit);
/* r300_two.c. A key of the caches: a polynomial's leaves, numbered in the order in which they occur.
 * Polynomials that differ in the names of their leaves alone have the same key, and the same answer. */
struct question {
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves;
    bool rgb;
};
void hwemit_r300_question(struct question *question, const struct leaf *leaf, unsigned nleaves, bool rgb);
/* For an alpha half that reads alpha channels only: the key of the colour half that reads the colours of the
 * same leaves without a swizzle. Both have the same answers, unless an answer is `sided`. False if the alpha
 * half reads other channels. */
bool hwemit_r300_of_colour(struct question *colour, const struct question *alpha);
/* The splits of q: at least `wanted`, if there are so many. */
const struct splits *hwemit_r300_splits(struct chooser *c, const struct fragprog_quad *q,
                                        const struct leaf *leaf, unsigned nleaves, bool rgb, unsigned wanted);

/* ---- r300_operands.c ---- */
/* An operation that is not part of the program yet. Its sources may need operations of their own, which come
 * first, and forms of an operation have to be the last ones in the pool when it is appended. */
enum { OPERATION_FORMS = 4 };
struct operation {
    struct leaf leaf[MAX_LEAVES];
    uint8_t nleaves, nforms;
    struct form form[OPERATION_FORMS];
};
/* How an operand may read x: BARE x alone; INVERTED also 1 - x or 1 - 2x; SHIFTED also x + k for a number k.
 * SCALED with one of these: divided by a power of two, which goes to the output modifier. */
enum reading { BARE, INVERTED, SHIFTED, SCALED = 4 };
struct affine hwemit_r300_of_vreg(uint16_t v, unsigned half);
/* A source of the intermediate program, with its register known. */
bool hwemit_r300_read_source(struct chooser *c, struct affine *a, const struct fragprog_inst *inst,
                             unsigned s, unsigned mask, unsigned half);
/* An affine source as an operand of form f; as: of enum reading. False if it takes an instruction; then f may
 * have changed, and d got a leaf. */
bool hwemit_r300_operand(const struct chooser *c, struct operation *d, struct form *f, unsigned arg,
                         const struct affine *a, unsigned as);
/* The DP3 of the two sources (lanes x y z) times 2^omod, in several forms, after the instructions that they
 * take. With keep_omod_free such forms only as have no modifier, if there are any. */
void hwemit_r300_dp3(struct chooser *c, struct operation *d, const struct fragprog_inst *inst, int omod,
                     bool keep_omod_free);
/* Only if it takes no instruction before: both sources as they are, those with an offset either way. d has no
 * forms yet. */
bool hwemit_r300_dp3_direct(const struct chooser *c, struct operation *d, const struct affine a[2], int omod,
                            bool keep_omod_free);
struct op *hwemit_r300_append(struct chooser *c, const struct target *t, unsigned code,
                              const struct operation *d);

/* r300_dots.c: dot products and selections. */
/* the alpha half of colour dot i; NULL */
const struct fragprog_inst *hwemit_r300_companion(const struct chooser *c, unsigned i);
void hwemit_r300_emit_dot(struct chooser *c, unsigned i, unsigned parts);
void hwemit_r300_emit_select(struct chooser *c, unsigned i, unsigned half);
/* Finds q's leaves among those there are. The number (from 1), or 0 if there is no room. */
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
/* A source as a leaf with factor 1 or -1; emits an instruction if the source has another factor or an offset.
 */
struct affine hwemit_r300_materialise(struct chooser *c, const struct fragprog_inst *inst, unsigned s,
                                      unsigned mask, unsigned half, float scale);

#endif
