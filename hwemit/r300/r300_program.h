/* The pair unit's program while it is made: operations chosen for each half (r300_choose.c, r300_match.c),
 * their pairs (r300_place.c, r300_schedule.c) and their temporaries (r300_allocate.c). The unit issues a
 * colour (rgb) and an alpha half together; both read three rgb and three alpha source addresses
 * (notes/facts/r300.md 2). */
#ifndef HWEMIT_R300_PROGRAM_H
#define HWEMIT_R300_PROGRAM_H

#include "hwemit/hwemit.h"
#include "fragprog/algebra/quadratic.h"
#include "fragprog/alloc/immediate.h"

enum { RGB, ALPHA }; /* halves of a pair, parts of a temporary */
enum { NONE = 0xffff };

/* ---- what a chip has (notes/facts/r300.md 1) ---- */
enum generation { R300, R400, R500 };
/* What chip.packs gives a polynomial: nothing, more forms, or the only forms that it has. */
enum packing { PACKING_NONE, PACKING_MORE, PACKING_NEEDED };
struct chip {
    enum generation generation;
    uint16_t alu, tex, total; /* instructions; total: ALU and TEX together, 0: counted apart */
    uint16_t temps, consts;
    uint8_t nodes;                                /* blocks of texture lookups; 0: any number */
    uint8_t pair_consts;                          /* different constants that a pair may read */
    const struct fragprog_immediates *immediates; /* numbers that an address may be; NULL: none */
    /* srcp.a has the alpha word's operation also where the colour half reads it, and the other way round */
    bool part_presub;
    bool thorough; /* all forms of an operation are listed, not only the simplest */
    /* a form may read numbers in both parts that only together are few enough constants, or one in each of
     * two presubtracts */
    bool packs;
    enum packing *packing; /* without `packs`: what it would have given */
    struct fragprog_budget *budget;
    bool hasty; /* the first forms that are found will do */
    /* the alpha half copies a dot product before the colour's output modifier and clamp */
    bool dot_copies_first;
};

/* Work in units of FRAGPROG_MOST_WORK: placements of two operations, products matched, splits offered.
 * Without any left the shortest program so far is taken, and one that is begun is ended in the first way that
 * works. */
static inline void hwemit_r300_spend(const struct chip *chip, uint32_t n) { fragprog_spend(chip->budget, n); }
static inline bool hwemit_r300_spent(const struct chip *chip)
{
    return chip->budget->spent == chip->budget->most;
}

/* Operations, numbered as the rgb codes of notes/facts/r300.md 2.1. */
/* RCP: alpha only */
enum {
    OP_MAD = 0,
    OP_DP3 = 1,
    OP_DP4 = 2,
    OP_MIN = 4,
    OP_MAX = 5,
    OP_CND = 7,
    OP_CMP = 8,
    OP_FRC = 9,
    OP_RCP = 10,
    OP_REPL_ALPHA = 10, /* of the colour half: what the alpha half's function gives */
    CODE_FUNCTION = 64  /* of the alpha half: + its code (8 EX2 .. 13 COS) */
};
enum { PRE_1_MINUS_2X, PRE_SUB, PRE_ADD, PRE_1_MINUS_X, PRE_NONE = 0xff }; /* srcp; SUB is src1 - src0 */

/* ---- what is read ---- */
/* virtual register; constant of the fragprog; number of our own; the constant slot that it is in; r500: a
 * number as it stands in the address */
enum file { FILE_NONE, FILE_VREG, FILE_CONST, FILE_NUMBER, FILE_SLOT, FILE_CODE };
struct leaf {
    uint8_t file;
    uint8_t lane[3]; /* of x y z (r g b) and w = 3; an alpha operation reads lane[0] */
    uint16_t index;
};

/* The order of the operands of a difference: one for both halves of a pair. */
static inline bool hwemit_r300_later(const struct leaf *a, const struct leaf *b)
{
    return a->file > b->file || (a->file == b->file && a->index > b->index);
}

/* ---- a form in which an operation can be issued ---- */
enum { FORM_NUMBERS = 2 };
enum {
    ARG_ZERO,
    ARG_HALF,
    ARG_ONE,
    ARG_PRE,
    ARG_PRE2,
    ARG_NUMBER /* + 0, 1 */,
    ARG_LEAF = ARG_NUMBER + FORM_NUMBERS /* + 0.. */
};
enum { MOD_NEG = 1, MOD_ABS = 2 };
#define NO_PRESUB .pre = {{PRE_NONE, {0}}, {PRE_NONE, {0}}}
struct presub {
    uint8_t op;     /* PRE_* */
    uint8_t arg[2]; /* ARG_LEAF + n or ARG_NUMBER + n: src0 and src1 */
};
struct form {
    uint8_t arg[3], mod[3];
    struct presub pre[2]; /* ARG_PRE and ARG_PRE2: a colour can read srcp of both parts */
    int8_t omod;          /* result times 2^omod, -3..3 */
    bool dot;             /* DP3 of A and B, which stands for three times A*B: all channels are equal */
    uint8_t pad[2];
    float number[FORM_NUMBERS]; /* of ARG_NUMBER, 0: none */
};

enum {
    MAX_OPS = 640,
    MAX_VREGS = 800,
    MAX_FORMS = 64,
    MAX_NUMBERS = 64,
    MAX_TEX = 520,
    MAX_LEAVES = FRAGPROG_QUAD_LEAVES
};

/* Where an operation may run. UNIFORM: a scalar, or a colour with three equal channels; its result lies in an
 * alpha part, or in all of a colour part. BOTH: a dot product with four terms, or one whose result both
 * halves want. */
enum where { AT_RGB, AT_ALPHA, AT_EITHER, AT_BOTH };
struct op {
    uint8_t op, where, mask, clamp; /* mask: of x y z that a colour result has */
    int8_t unit;
    uint8_t nleaves, nforms;
    bool out[2];        /* its rgb, its alpha result goes to the output */
    uint16_t result[2]; /* virtual registers, NONE if nobody reads them. AT_EITHER: [0] */
    int8_t alpha_omod;  /* AT_BOTH: of the alpha half */
    uint8_t alpha_clamp;
    uint8_t alpha_leaf[2]; /* DP4: leaves that the alpha half reads as A and B */
    struct leaf leaf[MAX_LEAVES];
    uint32_t form; /* the first of them in the pool */
    /* there are more forms, of this polynomial (from 1) of a colour or of an alpha; 0: no more */
    uint16_t quad;
    bool rgb;
    /* schedule */
    /* longest way to an end; lookups in a row before it; writers it waits for */
    uint16_t height, phase, left;
    uint16_t pair; /* where it went, NONE */
    uint8_t half;
};

/* A virtual register: texel or interpolated input (all four channels), or result of operations (rgb or alpha
 * part). */
struct vreg {
    uint8_t kind;     /* enum vreg_kind */
    uint8_t part;     /* V_OP: RGB or ALPHA; decided in the schedule for AT_EITHER */
    bool uniform;     /* V_OP of AT_EITHER */
    uint8_t parts;    /* V_TEX, V_INPUT: bits of the parts that are read */
    uint16_t source;  /* V_TEX: number of the lookup; V_INPUT: of the input */
    uint16_t writers; /* V_OP: operations that write it */
    uint16_t phase;   /* V_TEX: block it is looked up in */
    uint16_t temp;
    float low, high; /* of its channels */
    uint16_t depth;
};
enum vreg_kind { V_TEX, V_INPUT, V_OP };

struct lookup {             /* a texture instruction */
    uint16_t coord, result; /* virtual registers */
    uint16_t phase;
    uint8_t texture, target, op; /* TEX_LD, TEX_TXP */
    uint8_t lane[4];             /* r500: channels of the coordinate that are S, T, R, Q */
    int8_t unit;
    /* for the encoders: temporaries; channels that are read; the coordinate set, or the texture */
    uint16_t src, dst;
    uint8_t mask, set;
};
enum { TEX_LD = 1, TEX_KIL, TEX_TXP, TEX_TXB };

/* ---- pairs ---- */
struct operand {
    uint8_t from, lane[3], mod;
}; /* from: SRC_0.., SRC_PRE, SRC_ZERO ..; lane of r500 also FRAGPROG_ZERO, ONE, HALF */
enum { SRC_0, SRC_1, SRC_2, SRC_PRE, SRC_ZERO, SRC_HALF, SRC_ONE };
struct port {
    uint16_t file, index;
}; /* FILE_*, after allocation the temporary or the slot */
struct half {
    uint16_t op;           /* struct op, NONE: does nothing */
    uint32_t form;         /* the form that was placed */
    uint8_t code;          /* OP_*; ALPHA_DP in the alpha half: copy of the rgb dot */
    uint8_t mask;          /* of the temporary: x y z; alpha 1 */
    uint8_t out;           /* of the output */
    uint8_t target, depth; /* which colour output; the alpha result is the depth */
    uint8_t clamp;
    int8_t omod;
    uint16_t temp; /* virtual register, after allocation the temporary */
    struct operand arg[3];
};
enum { ALPHA_DP = 1 };
struct pair {
    struct half half[2];
    struct port port[2][3];
    uint8_t pre[2]; /* PRE_* of the rgb and the alpha word */
    bool nop;       /* the next pair reads a presubtract of what this one writes */
    uint16_t phase;
};

/* A constant slot of the words: where each lane comes from. */
struct constant {
    float value[4];
    int32_t origin[4]; /* FRAGPROG_ORIGIN_*; IMMEDIATE for what is not used, too */
    uint8_t component[4], used;
};

/* Options of the three targets. */
enum { OPTION_CONSTANTS_LAYOUT, OPTION_ATRM };
extern const struct hwemit_option hwemit_r300_options[];

enum { MAX_PAIRS = 640, MAX_POOL = 2400, MAX_QUADS = 2 * FRAGPROG_TEXENV_INSTS };
enum { SEARCH_OPS = 24 }; /* of so few operations all orders are searched */
struct chooser;
struct program {
    const struct chip *chip;
    const struct fragprog *source;
    struct chooser *chooser; /* what made it */
    bool relies_on_part_presub, relies_on_dot_copy, relies_on_constants;
    bool pinned;        /* scalars stay in the half that they are of */
    uint8_t variety[2]; /* which of the ways to split a polynomial is taken, in each half */
    bool varied[2];     /* some polynomial had so many */
    uint8_t apart;      /* which polynomial takes two instructions though one would do; 0: none */
    uint16_t nsplit;    /* polynomials that took two operations */
    /* a lower bound of the number of pairs, for any order of these operations, and for operations by other
     * splits, each of which may make the longest chain shorter by one */
    uint16_t bound;
    uint16_t most_pairs; /* give up on longer programs */
    bool longer;         /* every order is longer, so no pairs were made; npairs is a lower bound */
    uint16_t nops, nvregs, ntex, ninputs, npairs, nnumbers;
    uint32_t nforms;
    uint16_t temps;  /* in use: highest + 1 */
    uint16_t phases; /* blocks of lookups */
    uint16_t nconsts;
    uint16_t first_slot, nslots;     /* constant slots with numbers */
    const struct constant *constant; /* nconsts of them; NULL: see const_slot and slot */
    /* From here on nothing is set up: an entry is written, whole, before its counter includes it; const_slot
     * is NONE at first. */
    struct op op[MAX_OPS];
    struct vreg vreg[MAX_VREGS];
    struct lookup tex[MAX_TEX];
    struct {
        uint8_t what, index;
        uint16_t vreg;
    } input[HWEMIT_INPUTS];
    struct pair pair[MAX_PAIRS];
    uint32_t unfit[SEARCH_OPS]; /* of colour operations: bits of alpha operations that fit in no form */
    struct form forms[MAX_POOL];
    struct fragprog_quad quad[MAX_QUADS]; /* of the first operations: where forms may be wanted later */
    float number[MAX_NUMBERS];
    uint16_t const_slot[HWEMIT_CONSTANTS]; /* of the fragprog's constants, NONE: not read */
    uint16_t slot[MAX_NUMBERS][2];         /* number of its colour channels and of its alpha; NONE */
};

/* r300_match.c: finds the forms in which one instruction computes the polynomial q of the operation's leaves,
 * at most MAX_FORMS, and returns their number. With `first` the first form is enough. */
struct asked {
    const struct chip *chip;
    bool rgb, first;
};
struct answer {
    bool more;            /* the first is given alone, though there may be others */
    bool sided;           /* an alpha half that reads alpha channels may have another answer */
    enum packing packing; /* what chip.packs would have given */
};
unsigned hwemit_r300_match(struct form *forms, const struct fragprog_quad *q, const struct leaf *leaf,
                           unsigned nleaves, const struct asked *asked, struct answer *answer);
/* Is there one? *sided becomes true as above. */
bool hwemit_r300_matches(const struct fragprog_quad *q, const struct leaf *leaf, unsigned nleaves,
                         const struct asked *asked, bool *sided);

/* r300_forms.c. Do the sources of this form fit a pair by themselves: three a part, few enough different
 * constants? And how many sources are they? */
bool hwemit_r300_fits(const struct form *f, const struct leaf *leaf, bool rgb, const struct chip *chip);
void hwemit_r300_note_packing(const struct chip *chip);
unsigned hwemit_r300_sources(const struct form *f);
/* How much a form takes: numbers, then presubtract values. */
unsigned hwemit_r300_weight(const struct form *f);
/* Can srcp be of these channels: all in one part, and on r300 selected as that is (notes/facts/r300.md 2.3)?
 * The part of a presubtract; that of two numbers is of the colour part. */
bool hwemit_r300_presubtracts(const struct chip *chip, const uint8_t lane[3]);
unsigned hwemit_r300_presub_part(const struct presub *pre, const struct leaf *leaf);
/* Can this operand select be one of the chip's (notes/facts/r300.md 2.3)? */
bool hwemit_r300_native(const struct chip *chip, const uint8_t lane[3], unsigned mask);

/* A number as operand `arg` of a form; as a source of it. False if the form has no room for it. */
bool hwemit_r300_constant(struct form *f, unsigned arg, float value);
bool hwemit_r300_number(struct form *f, float value, uint8_t *arg);

/* r300_emit.c: how many forms the operation has, which are made when form i is wanted and it is not the
 * first.
 */
unsigned hwemit_r300_forms(struct program *p, struct op *op, unsigned i);
/* r300_unread.c: operations, lookups and inputs whose results nobody reads go. */
void hwemit_r300_drop_unread(struct program *p);
/* r300_schedule.c: pairs. */
bool hwemit_r300_schedule(struct program *p, struct fragprog_reason *why);
/* r300_order.c: pairs of few operations (SEARCH_OPS, one block), fewer than those that are committed; how
 * many, 0: none was found. Parts of scalars are left as they were tried. */
unsigned hwemit_r300_shorter_order(struct program *p, uint16_t order[SEARCH_OPS][2]);
/* r300_place.c: makes the pair of these two operations (NONE: that half is empty) in some of their forms;
 * false if no forms fit the source addresses together. An operation AT_BOTH stands in both halves. Does not
 * touch the program but for its pool of numbers. */
bool hwemit_r300_place(struct program *p, struct pair *pair, unsigned rgb, unsigned alpha);
/* Different constants that the pair reads. */
unsigned hwemit_r300_pair_constants(const struct program *p, const struct pair *pair);
/* Are they no more than it may? */
bool hwemit_r300_few_constants(const struct program *p, const struct pair *pair);
/* Slots, after those that there are, for the numbers that the pairs read. False if they are too many. */
bool hwemit_r300_number_slots(struct program *p);
/* r300_allocate.c: temporaries and constant slots, no-operation flags. */
bool hwemit_r300_allocate(struct program *p, struct fragprog_reason *why);
/* r300_encode.c, r500_encode.c: the words. */
bool hwemit_r300_encode(struct hwemit_code *code, const struct program *p, struct fragprog_reason *why);
void hwemit_r300_encode500(struct hwemit_code *code, const struct program *p);

#endif
