/* A fragment program for the ALU, which issues a colour (rgb) and an alpha instruction together as a pair;
 * both read three rgb and three alpha source addresses (notes/facts/r300.md 2). Selection chooses operations
 * for each half (r300_choose.c, r300_match.c), scheduling makes pairs of them (r300_place.c,
 * r300_schedule.c), allocation assigns temporaries (r300_allocate.c). */
#ifndef HWEMIT_R300_PROGRAM_H
#define HWEMIT_R300_PROGRAM_H

#include "hwemit/hwemit.h"
#include "fragprog/algebra/quadratic.h"
#include "fragprog/alloc/immediate.h"

enum { RGB, ALPHA }; /* the halves of a pair, and the parts of a temporary */
enum { NONE = 0xffff };

/* ---- capabilities of a chip (notes/facts/r300.md 1) ---- */
enum generation { R300, R400, R500 };
/* What setting chip.packs would change for a polynomial: nothing; there would be more forms; there would be
 * forms instead of none. */
enum packing { PACKING_NONE, PACKING_MORE, PACKING_NEEDED };
struct chip {
    enum generation generation;
    /* limits of instructions; total: limit of ALU and TEX together, 0 if there is none */
    uint16_t alu, tex, total;
    uint16_t temps, consts;
    /* maximum number of texture blocks, 0: no limit. A block is a group of lookups, then ALU instructions;
     * lookups can only depend on instructions of earlier blocks. */
    uint8_t nodes;
    uint8_t pair_consts;                          /* how many different constants a pair may read */
    const struct fragprog_immediates *immediates; /* literals that an address field can encode; NULL: none */
    /* The rgb and the alpha part each have a presubtract operation. True if a half that reads the presubtract
     * result of the other part gets it by the other part's operation; false if this is not known. */
    bool part_presub;
    bool thorough; /* list all forms of an operation, not only the simplest */
    /* allow forms with two literals that would exceed pair_consts unless they share a constant slot, and
     * forms with a literal in each of two presubtracts */
    bool packs;
    enum packing *packing; /* while `packs` is false, records what setting it would have changed */
    struct fragprog_budget *budget;
    bool hasty; /* fast mode: take the first forms that are found */
    /* the alpha half copies a dot product before the colour half's output modifier and clamp */
    bool dot_copies_first;
};

/* Counts work, in units of FRAGPROG_MOST_WORK: placements of two operations, products matched, splits
 * offered. When the limit is reached, the shortest program so far is used; if there is none, the current one
 * is completed without further search. */
static inline void hwemit_r300_spend(const struct chip *chip, uint32_t n) { fragprog_spend(chip->budget, n); }
static inline bool hwemit_r300_spent(const struct chip *chip)
{
    return chip->budget->spent == chip->budget->most;
}

/* Operation codes, equal to the rgb codes of notes/facts/r300.md 2.1. RCP exists in the alpha half only. */
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
    OP_REPL_ALPHA = 10, /* in the colour half: copies the result of the alpha half's function */
    CODE_FUNCTION = 64  /* in the alpha half: plus the function's code (8 EX2 .. 13 COS) */
};
/* presubtract operations; SUB is src1 - src0 */
enum { PRE_1_MINUS_2X, PRE_SUB, PRE_ADD, PRE_1_MINUS_X, PRE_NONE = 0xff };

/* ---- sources ---- */
/* Where a source comes from: a virtual register; a constant of the fragprog; a literal (index into
 * program.number); the constant slot that the literal was assigned; on r500, a literal encoded in the address
 * field. */
enum file { FILE_NONE, FILE_VREG, FILE_CONST, FILE_NUMBER, FILE_SLOT, FILE_CODE };
/* A leaf: one source of an operation, i.e. a register or constant with a swizzle. It is also a variable of a
 * polynomial: fragprog_quad numbers its variables from 1, number i is leaf[i - 1]. */
struct leaf {
    uint8_t file;
    uint8_t lane[3]; /* swizzle: x y z (r g b) 0 to 2, w (alpha) 3; alpha operations use lane[0] */
    uint16_t index;
};

/* Orders sources, so that both halves of a pair write a difference a - b with the same operand order. */
static inline bool hwemit_r300_later(const struct leaf *a, const struct leaf *b)
{
    return a->file > b->file || (a->file == b->file && a->index > b->index);
}

/* ---- a form: one way to encode an operation as an instruction ---- */
enum { FORM_NUMBERS = 2 };
enum {
    ARG_ZERO,
    ARG_HALF,
    ARG_ONE,
    ARG_PRE,
    ARG_PRE2,
    ARG_NUMBER /* literals: + 0, 1 */,
    ARG_LEAF = ARG_NUMBER + FORM_NUMBERS /* sources of the operation: + 0.. */
};
enum { MOD_NEG = 1, MOD_ABS = 2 };
#define NO_PRESUB .pre = {{PRE_NONE, {0}}, {PRE_NONE, {0}}}
struct presub {
    uint8_t op;     /* PRE_* */
    uint8_t arg[2]; /* ARG_LEAF + n or ARG_NUMBER + n: src0 and src1 */
};
struct form {
    uint8_t arg[3], mod[3];
    /* the presubtracts that ARG_PRE and ARG_PRE2 read, one of the rgb and one of the alpha part, in any order
     */
    struct presub pre[2];
    int8_t omod; /* output modifier: the result is multiplied by 2^omod, -3..3 */
    bool dot;    /* encoded as DP3 of A and B, to compute 3*A*B where all channels are equal */
    uint8_t pad[2];
    float number[FORM_NUMBERS]; /* values of ARG_NUMBER; 0: unused */
};

enum {
    MAX_OPS = 640,
    MAX_VREGS = 800,
    MAX_FORMS = 64,
    MAX_NUMBERS = 64,
    MAX_TEX = 520,
    MAX_LEAVES = FRAGPROG_QUAD_LEAVES
};

/* Which half may execute an operation. EITHER: a scalar, or a colour with three equal channels; it is written
 * to an alpha part or to all of a colour part. BOTH: a dot product that needs both halves, because it has
 * four terms or because both colour and alpha are results. */
enum where { AT_RGB, AT_ALPHA, AT_EITHER, AT_BOTH };
struct op {
    uint8_t op, where, mask, clamp; /* mask: channels x y z of a colour result */
    int8_t unit;
    uint8_t nleaves, nforms;
    bool out[2]; /* whether the rgb and the alpha result are colour outputs */
    /* virtual registers of the colour and alpha result, NONE if unread; AT_EITHER uses [0] */
    uint16_t result[2];
    int8_t alpha_omod; /* AT_BOTH: output modifier of the alpha half */
    uint8_t alpha_clamp;
    struct leaf leaf[MAX_LEAVES];
    uint32_t form; /* index of its first form in program.forms */
    /* If not 0, only the first form was made so far; hwemit_r300_forms makes the others from polynomial
     * program.quad[quad - 1], for a colour half if `rgb`. */
    uint16_t quad;
    bool rgb;
    /* set by the schedule: length of the longest dependence chain that starts here; texture block; number of
     * producers that are not issued yet */
    uint16_t height, phase, left;
    uint16_t pair; /* the pair that the operation was scheduled in, or NONE */
    uint8_t half;
};

/* A virtual register: a texel or an interpolated input (all four channels), or an rgb or alpha result of
 * operations. */
struct vreg {
    uint8_t kind;     /* enum vreg_kind */
    uint8_t part;     /* V_OP: RGB or ALPHA; the scheduler decides it for AT_EITHER */
    bool uniform;     /* V_OP: all channels are equal, so that either part can hold the value */
    uint8_t parts;    /* V_TEX, V_INPUT: bit mask of the parts that are read */
    uint16_t source;  /* index of the lookup (V_TEX) or input (V_INPUT) */
    uint16_t writers; /* V_OP: how many operations write it */
    uint16_t phase;   /* V_TEX: the texture block of its lookup */
    uint16_t temp;
    float low, high; /* range of its values */
    uint16_t depth;
};
enum vreg_kind { V_TEX, V_INPUT, V_OP };

struct lookup {             /* a texture instruction */
    uint16_t coord, result; /* virtual registers */
    uint16_t phase;
    uint8_t texture, target, op; /* TEX_LD, TEX_TXP */
    uint8_t lane[4];             /* r500: the coordinate's channels used as S, T, R, Q */
    int8_t unit;
    /* for the encoders: temporaries; written channels; the coordinate set or the texture */
    uint16_t src, dst;
    uint8_t mask, set;
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
    uint32_t form;         /* index of the form that was chosen */
    uint8_t code;          /* OP_*; in the alpha half also ALPHA_DP: a copy of the rgb dot product */
    uint8_t mask;          /* write mask of the temporary: bits x y z, or 1 for alpha */
    uint8_t out;           /* write mask of the colour output */
    uint8_t target, depth; /* number of the colour output; whether the alpha result is the depth */
    uint8_t clamp;
    int8_t omod;
    uint16_t temp; /* virtual register, after allocation the temporary */
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
extern const struct hwemit_option hwemit_r300_options[];

enum { MAX_PAIRS = 640, MAX_POOL = 2400, MAX_QUADS = 2 * FRAGPROG_TEXENV_INSTS };
enum { SEARCH_OPS = 24 }; /* up to this many operations the scheduler searches all orders */
struct chooser;
struct program {
    const struct chip *chip;
    const struct fragprog *source;
    struct chooser *chooser; /* the state of instruction selection that made it */
    bool relies_on_part_presub, relies_on_dot_copy, relies_on_constants;
    bool pinned;        /* scalars stay in the half of their instruction (never AT_EITHER) */
    uint8_t variety[2]; /* for each half: index of the split that its polynomials use, of the possible ones */
    bool varied[2];     /* some polynomial had a split with that index */
    uint8_t apart;   /* n: compute the n-th polynomial by two instructions even if one is enough; 0: none */
    uint16_t nsplit; /* how many polynomials were split into two operations */
    /* Lower bound of the number of pairs, for any order of these operations and also for other splits (each
     * of which may shorten the longest dependence chain by one). */
    uint16_t bound;
    uint16_t most_pairs; /* programs with more pairs are not scheduled */
    bool longer;         /* every order exceeds most_pairs: no pairs were made, npairs is a lower bound */
    uint16_t nops, nvregs, ntex, ninputs, npairs, nnumbers;
    uint32_t nforms;
    uint16_t temps;  /* highest temporary in use + 1 */
    uint16_t phases; /* the number of the last texture block (see chip.nodes), from 0 */
    uint16_t nconsts;
    uint16_t first_slot, nslots;     /* constant slots that hold literals */
    const struct constant *constant; /* nconsts entries; NULL: use const_slot and slot */
    /* The members below are not initialised. An entry is written completely before its counter includes it;
     * const_slot starts as NONE. */
    struct op op[MAX_OPS];
    struct vreg vreg[MAX_VREGS];
    struct lookup tex[MAX_TEX];
    struct {
        uint8_t what, index;
        uint16_t vreg;
    } input[HWEMIT_INPUTS];
    struct pair pair[MAX_PAIRS];
    /* unfit[n]: mask of the alpha operations that cannot be paired with colour operation n, whatever their
     * forms */
    uint32_t unfit[SEARCH_OPS];
    struct form forms[MAX_POOL];
    struct fragprog_quad quad[MAX_QUADS]; /* see op.quad */
    float number[MAX_NUMBERS];
    uint16_t const_slot[HWEMIT_CONSTANTS]; /* slots of the fragprog's constants, NONE: not read */
    /* literal in the colour channels and in the alpha channel of each slot, or NONE */
    uint16_t slot[MAX_NUMBERS][2];
};

/* r300_match.c: finds the forms in which one instruction computes polynomial q of the given sources, at most
 * MAX_FORMS, and returns their number. With `first` one form is enough. */
struct asked {
    const struct chip *chip;
    bool rgb, first;
};
struct answer {
    bool more;  /* only the first form was returned, so there may be others */
    bool sided; /* an alpha half that reads the alpha channels of these sources may have other forms */
    enum packing packing; /* what chip.packs would have changed */
};
unsigned hwemit_r300_match(struct form *forms, const struct fragprog_quad *q, const struct leaf *leaf,
                           unsigned nleaves, const struct asked *asked, struct answer *answer);
/* Returns whether there is such a form. Sets *sided as above. */
bool hwemit_r300_matches(const struct fragprog_quad *q, const struct leaf *leaf, unsigned nleaves,
                         const struct asked *asked, bool *sided);

/* r300_forms.c. hwemit_r300_fits: whether the sources of a form fit a pair whose other half is empty (at most
 * three per part, few enough constants). hwemit_r300_sources: the number of sources of a form. */
bool hwemit_r300_fits(const struct form *f, const struct leaf *leaf, bool rgb, const struct chip *chip);
void hwemit_r300_note_packing(const struct chip *chip);
unsigned hwemit_r300_sources(const struct form *f);
/* Returns a form's cost: literals count most, then presubtracts. */
unsigned hwemit_r300_weight(const struct form *f);
/* Returns whether a presubtract can read these channels: they must be in one part and, on r300, have a
 * swizzle that presubtracts have (notes/facts/r300.md 2.3). hwemit_r300_presub_part returns the part of a
 * presubtract, which is RGB if both sources are literals. */
bool hwemit_r300_presubtracts(const struct chip *chip, const uint8_t lane[3]);
unsigned hwemit_r300_presub_part(const struct presub *pre, const struct leaf *leaf);
/* Returns whether an operand of the chip has this swizzle (notes/facts/r300.md 2.3). */
bool hwemit_r300_native(const struct chip *chip, const uint8_t lane[3], unsigned mask);
/* Returns the swizzle of r300 and r400 with these lanes, or NULL. */
const uint8_t *hwemit_r300_select(const uint8_t lane[3], unsigned mask);

/* hwemit_r300_constant makes a literal operand `arg` of a form. hwemit_r300_number adds it to the form's
 * literals and sets *arg to its ARG_NUMBER. Both return false if the form has no room for the literal. */
bool hwemit_r300_constant(struct form *f, unsigned arg, float value);
bool hwemit_r300_number(struct form *f, float value, uint8_t *arg);

/* r300_emit.c: returns how many forms the operation has. The forms after the first are made when this is
 * first called with i > 0. */
unsigned hwemit_r300_forms(struct program *p, struct op *op, unsigned i);
/* r300_unread.c: dead code elimination of operations, lookups and inputs. */
void hwemit_r300_drop_unread(struct program *p);
/* r300_schedule.c: schedules the operations as pairs. */
bool hwemit_r300_schedule(struct program *p, struct fragprog_reason *why);
/* r300_order.c: searches for an order of at most SEARCH_OPS operations (one texture block) with fewer pairs
 * than p has. Returns its number of pairs, or 0 if none was found. Changes vreg.part of scalars. */
unsigned hwemit_r300_shorter_order(struct program *p, uint16_t order[SEARCH_OPS][2]);
/* r300_place.c: makes a pair of two operations (NONE: that half is empty), choosing a form of each. Returns
 * false if no forms fit the source addresses together. An operation AT_BOTH is passed twice. The only
 * change in the program is that literals may be added to program.number. */
bool hwemit_r300_place(struct program *p, struct pair *pair, unsigned rgb, unsigned alpha);
/* Returns the number of different constants that the pair reads. */
unsigned hwemit_r300_pair_constants(const struct program *p, const struct pair *pair);
/* Returns whether that number is within chip.pair_consts. */
bool hwemit_r300_few_constants(const struct program *p, const struct pair *pair);
/* Assigns the literals that the pairs read to further constant slots. Returns false if there are too many. */
bool hwemit_r300_number_slots(struct program *p);
/* r300_allocate.c: assigns temporaries and constant slots, sets NOP flags. */
bool hwemit_r300_allocate(struct program *p, struct fragprog_reason *why);
/* r300_encode.c, r500_encode.c: encode the program as words. */
bool hwemit_r300_encode(struct hwemit_code *code, const struct program *p, struct fragprog_reason *why);
void hwemit_r300_encode500(struct hwemit_code *code, const struct program *p);

#endif
