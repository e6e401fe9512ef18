/* Internal data of the search for a cover, shared by the files of hwemit/stages. How it works:
 * notes/stages.md.
 *
 * Every value that a stage can leave in a register is sat(p), with a polynomial p over atoms: what a stage
 * can read (texels, colours, constants), values whose clamp can act, and dot products. A tile is an operation
 * that computes a value from other values. The search proceeds backwards from the result: it determines which
 * values each register must hold before each stage. */
#ifndef STAGES_COVER_H
#define STAGES_COVER_H

#include "hwemit/stages/stages_chip.h"

#include "fragprog/algebra/bernstein.h"

enum {
    STAGES_ATOMS = 128,  /* a monomial is a list of bytes, each the number of an atom */
    STAGES_KONSTS = 31,  /* sets of constants have 32 bits; bit 31 is the number 1 */
    STAGES_VALUES = 500, /* below 509, because keys of search states have 9 bits for a value */
    STAGES_TILES = 3000,
    STAGES_ALSO = 48,
    STAGES_POINTS = 24,
    STAGES_OPTIONS = 1000,
    STAGES_KNOWN = 64
};
#define STAGES_NEAR 1e-4f /* tolerance for values at sample points */

struct stages_arg {
    uint16_t value;
    uint8_t inv;
}; /* the argument: value, or 1 - value if inv */
struct stages_tile {
    uint8_t op, scale;                  /* scale: log2 of it */
    struct stages_arg arg[STAGES_ARGS]; /* arg[i].value STAGES_NONE: the operation has no argument i */
    uint16_t next;
};

struct stages_value {
    struct fragprog_poly p; /* the polynomial before the clamp, in canonical form */
    uint8_t scalar;
    uint8_t leaf;   /* if a stage can read the value as a source: the atom that it equals; else 0 */
    uint8_t number; /* whether it is the constant 0 or 1 */
    /* lower bound on the number of stages that compute it, from nested clamps that can act and fractional
     * coefficients */
    uint8_t depth;
    uint8_t atom;     /* the atom that represents it in other polynomials if its clamp can act; 0: none yet */
    uint8_t nleaves;  /* number of leaves (atoms that a stage can read) that the value depends on */
    uint8_t dots;     /* whether it depends on dot products */
    uint8_t expanded; /* largest number of stages that hwemit_stages_expand was called with for it */
    /* memoised for each pipe: bit n of yes (no) is set if n stages can (cannot) compute this value, provided
     * that they need to compute nothing else */
    uint16_t yes[2], no[2];
    uint32_t leaves[STAGES_ATOMS / 32]; /* bit set of atoms that it depends on */
    uint16_t complement;                /* the value 1 - this one; STAGES_NONE: not computed yet */
    uint16_t also; /* list of other polynomials of this value, which have inner clamps that p does not have */
    uint16_t tile, last_tile, next;
    float at[STAGES_POINTS]; /* values at the sample points, after the clamp */
};

/* Values of stages_option.tile: HOLD keeps the registers unchanged, MOVE copies (ARG1). DIRECT: value of
 * stages_option.place for an argument that is not in a register. */
enum { STAGES_HOLD = 0xffff, STAGES_MOVE = 0xfffe, STAGES_DIRECT = 0xff };

/* One possible operation of a pipe in a stage. */
struct stages_option {
    uint16_t tile;                                /* a tile, or STAGES_HOLD, STAGES_MOVE */
    uint8_t reg;                                  /* the register that is written */
    bool store;                                   /* copies what CURRENT held to SECOND */
    uint8_t dot4, dot4_scale;                     /* for DOT4: the register and scale of its alpha; else 0 */
    uint16_t value[STAGES_ARGS];                  /* the value of each argument, or STAGES_NONE */
    uint8_t inv[STAGES_ARGS], place[STAGES_ARGS]; /* place: the argument's register, or STAGES_DIRECT */
    uint16_t needs[STAGES_REGISTERS]; /* the value that each register must hold before it, or STAGES_NONE */
    uint32_t konsts;                  /* set of the constants that are read */
};
/* The colour or the alpha result of an instruction. */
struct stages_form_of_half {
    uint8_t known;
    struct fragprog_poly p; /* its polynomial, without clamps that cannot act */
    uint8_t atom; /* the atom that represents it in other polynomials; 0: its polynomial p is used */
};

/* A known argument. */
struct stages_known {
    struct stages_arg arg;
    const struct stages_value *value; /* of arg */
    struct fragprog_poly p;
    uint8_t number;          /* 1 if it is the constant 0, 2 if it is the constant 1, else 0 */
    uint8_t atom;            /* the atom a for which it equals a or 1 - a; 0 if there is none */
    float at[STAGES_POINTS]; /* values at the sample points */
};

/* The equation "operation = value", which is solved for one argument U. */
struct stages_equation {
    struct stages_cover *c;
    unsigned value, stages;        /* the value, and the number of stages that must compute it */
    const struct fragprog_poly *p; /* the value before its clamp */
    double burden;                 /* hwemit_stages_burden(p) */
    /* bounds of the operation's result, per scale and sample point */
    float lo[3][STAGES_POINTS], hi[3][STAGES_POINTS];
    unsigned decisive; /* the point that ruled out the last choice */
    /* known[] begins with the ndirect direct arguments, of which 0 and 1 come first; each argument
     * except 0 and 1 is followed by its inverse */
    unsigned nknown, ndirect;
    struct stages_known known[STAGES_KNOWN];
};

/* Why a program cannot be read; code NULL: it can. */
struct stages_reason {
    const char *code, *fit, *text;
    int unit;
};

struct stages_cover {
    const struct stages_chip *chip;
    struct stages_reason reason;
    bool strict_constants; /* immediate constants must be multiples of 1/255 */
    uint32_t assume;       /* hwemit_options.assume */
    uint32_t ops;          /* set of allowed operations */
    bool second;           /* whether the second register is allowed */
    bool scaled_dot4;      /* whether DOT4 may have a scale */
    uint32_t last;         /* set of operations after the stages (stages_chip.last) */
    uint16_t one;          /* the value 1, if a constant has to hold it; else STAGES_NONE */
    bool any_constants;    /* ignore the limit of constants per stage */
    uint16_t most_values;  /* STAGES_VALUES, or less for a short search */
    struct fragprog_budget *budget;
    uint32_t until; /* a short search stops when budget->spent reaches this */
    bool stopped;   /* the search has reached the limit of work */
    bool frozen;    /* new tiles are made only for values that two stages can compute */
    bool own;       /* no new tiles are made: only the program's own operations are used */
    bool overflow;  /* a limit was reached, so a failure proves nothing */
    uint16_t natoms, nkonsts, nvalues, ntiles, nalso;
    uint32_t steps; /* steps of the search so far */
    uint16_t noptions;
    uint8_t nroots;
    /* Values of the result's colour and alpha: nroots alternatives, from the optimised and the plain program.
     */
    uint16_t root[4][2];
    /* The members below are not initialised. An entry is written completely before its counter includes it;
     * bucket is set by hwemit_stages_cover_init, failed by the search, plan if there is one. */
    struct fragprog_interval box[STAGES_ATOMS]; /* ranges of atoms */
    float point[STAGES_ATOMS][STAGES_POINTS];
    uint16_t bucket[64];
    struct stages_atom atom[STAGES_ATOMS];
    struct stages_konst konst[STAGES_KONSTS];
    struct stages_value value[STAGES_VALUES + 1]; /* the last one is for hwemit_stages_scratch */
    struct stages_tile tile[STAGES_TILES];
    struct {
        struct fragprog_poly p;
        uint16_t next;
    } also[STAGES_ALSO];
    uint64_t failed[1 << 10];    /* hash table of search states that are known to fail (stages_search.c) */
    uint32_t pipe_memo[1 << 10]; /* hash table of results of hwemit_stages_pipe_can */
    struct stages_plan plan;     /* the result of the search */
    struct stages_equation equation;
    union {
        struct stages_form_of_half half[FRAGPROG_TEXENV_INSTS][2]; /* while a program is read */
        /* during the search: a list for each stage */
        struct stages_option option[STAGES_OPTIONS];
    };
};

/* ---- the polynomials of fragprog/algebra by value, for use in expressions ---- */
static inline struct fragprog_poly stages_constant(double c)
{
    struct fragprog_poly p;
    fragprog_poly_constant(&p, c);
    return p;
}

static inline struct fragprog_poly stages_variable(unsigned atom)
{
    struct fragprog_poly p;
    fragprog_poly_variable(&p, atom, 1, 0);
    return p;
}

/* Returns p*a + t. */
static inline struct fragprog_poly stages_affine(double p, const struct fragprog_poly *a, double t)
{
    struct fragprog_poly r;
    fragprog_poly_affine(&r, p, a, t);
    return r;
}

/* Returns p*a + q*b. */
static inline struct fragprog_poly stages_sum(double p, const struct fragprog_poly *a, double q,
                                              const struct fragprog_poly *b)
{
    struct fragprog_poly r;
    fragprog_poly_sum(&r, p, a, q, b, 0);
    return r;
}

static inline struct fragprog_poly stages_product(const struct fragprog_poly *a,
                                                  const struct fragprog_poly *b)
{
    struct fragprog_poly r;
    fragprog_poly_product(&r, a, b);
    return r;
}

static inline double stages_constant_term(const struct fragprog_poly *a)
{
    return fragprog_poly_coefficient(a, 0, 0);
}

static inline bool stages_is_constant(const struct fragprog_poly *a, double *value)
{
    *value = stages_constant_term(a);
    return a->n == 0 || (a->n == 1 && a->m[0] == 0);
}

/* Returns the number of terms, not counting the constant term. */
static inline unsigned stages_length(const struct fragprog_poly *a)
{
    return a->n - (a->n && a->m[a->n - 1] == 0 ? 1u : 0u);
}

/* ---- stages_clamps.c ---- */
struct fragprog_interval hwemit_stages_range(const struct stages_cover *c, const struct fragprog_poly *p);
/* Returns whether p is always in [0,1]. */
bool hwemit_stages_is_unit(const struct stages_cover *c, const struct fragprog_poly *p);
/* Brings p into a canonical form, so that p with equal sat(p) become equal as far as bounds can prove it. */
void hwemit_stages_normalise(const struct stages_cover *c, struct fragprog_poly *p);
/* Returns whether sat(f(q)) equals sat(f(sat(q))); at0, at1, open are f(0), f(1), f(q). */
bool hwemit_stages_unseen(const struct stages_cover *c, const struct fragprog_poly *at0,
                          const struct fragprog_poly *at1, const struct fragprog_poly *open,
                          const struct fragprog_poly *q);

/* ---- stages_values.c ---- */
void hwemit_stages_cover_init(struct stages_cover *c);
/* Evaluates sat(p) at the sample points. */
void hwemit_stages_evaluate(const struct stages_cover *c, const struct fragprog_poly *p,
                            float out[STAGES_POINTS]);
/* Takes work from the budget. Returns false and sets `overflow` if the limit is reached. */
bool hwemit_stages_spend(struct stages_cover *c, uint32_t work);
/* Returns the value sat(p), or STAGES_NONE if the tables are full. */
unsigned hwemit_stages_value(struct stages_cover *c, const struct fragprog_poly *p);
/* Records that sat(p) equals this value. */
void hwemit_stages_also(struct stages_cover *c, unsigned value, const struct fragprog_poly *p);
/* Returns a lower bound on the number of stages from the value's depth. If the chip has operations with an
 * inner clamp, one stage may do two nested clamps. */
unsigned hwemit_stages_depth(const struct stages_cover *c, const struct stages_value *v);
/* Returns a lower bound on the number of stages from fractional coefficients. */
unsigned hwemit_stages_fraction_depth(const struct stages_cover *c, const struct fragprog_poly *p);
/* Returns sat(p) as a value: the one in the table, or a temporary one that is valid until the next call. */
unsigned hwemit_stages_scratch(struct stages_cover *c, const struct fragprog_poly *p);
unsigned hwemit_stages_complement(struct stages_cover *c, unsigned value);
/* Returns sat(p) as an argument. */
struct stages_arg hwemit_stages_arg(struct stages_cover *c, const struct fragprog_poly *p);
/* Returns the atom that represents the value; 0 if there is no room. */
unsigned hwemit_stages_atom_of(struct stages_cover *c, unsigned value);
/* Finds or adds an atom; returns 0 if the table is full. */
unsigned hwemit_stages_atom(struct stages_cover *c, const struct stages_atom *atom);
/* Returns whether two tiles differ at most in their scale. */
bool hwemit_stages_same(const struct stages_tile *a, const struct stages_tile *b);
/* Adds a tile that computes the value; op, scale and arguments are given. */
void hwemit_stages_tile(struct stages_cover *c, unsigned value, struct stages_tile tile);

/* ---- stages_program.c ---- */
/* Enters the program's values, and a tile for each instruction that is one operation. root: values of the
 * result's colour and alpha. Returns false with `reason` if the program cannot be read. */
bool hwemit_stages_read(struct stages_cover *c, const struct fragprog *p, uint16_t root[2]);

/* ---- stages_tiles.c ---- */
/* Adds tiles that compute the value in the last of `stages` stages. Their arguments are sources that a stage
 * can read; if there is more than one stage, one argument may be any other value (several, if they are atoms
 * or values of the program). */
void hwemit_stages_expand(struct stages_cover *c, unsigned value, unsigned stages);

/* ---- stages_forms.c ---- */
/* Arguments of a form: U is the unknown, V is 1-U, X and Y are known. */
enum stages_place { STAGES_NO_ARG, STAGES_U, STAGES_V, STAGES_X, STAGES_Y };
/* x, y: which of the numbers 0 (bit 0) and 1 (bit 1) are useful as X and Y; for the others, other forms give
 * the same. scales: mask of useful scales, by their log2. */
struct stages_form {
    uint8_t op, arg[3], x, y, scales;
};
extern const struct stages_form hwemit_stages_forms[]; /* ends with scales 0 */
/* The function (ac + ax*X + ay*Y)*U + bc + bx*X + by*Y + bxy*X*Y. */
struct stages_linear {
    float ac, ax, ay, bc, bx, by, bxy;
};
/* A form with its known arguments and scale. */
struct stages_choice {
    const struct stages_form *form;
    unsigned multiple; /* 1 or 2 for the 2X or 4X variant of MODULATE_AND_ADD, else 0 */
    unsigned scale;    /* log2 of it */
    struct stages_linear f;
    const struct stages_known *x, *y;
};
struct stages_linear hwemit_stages_of_form(const struct stages_form *form, unsigned multiple);
/* Returns the scales (bits) for which, at each sample point, some U in [0,1] gives the value. */
unsigned hwemit_stages_possible(struct stages_equation *e, const struct stages_choice *k, unsigned scales);
/* Returns whether U = u gives the value at each sample point. */
bool hwemit_stages_gives(const struct stages_equation *e, const struct stages_choice *k, const float *u);

/* ---- stages_useful.c ---- */
/* Returns how complicated p is, by the number and size of its terms. */
double hwemit_stages_burden(const struct fragprog_poly *p);
/* Cheap test before solving: returns false if there is no solution, or none that is simpler than the value.
 */
bool hwemit_stages_useful(const struct stages_equation *e, const struct stages_choice *k);
/* Returns a lower bound on the number of stages that compute sat(u). */
unsigned hwemit_stages_least(const struct stages_cover *c, const struct fragprog_poly *u);

/* ---- stages_options.c and stages_search.c: backtracking search from the last stage to the first ---- */

/* A list in stages_cover.option, which is a stack of lists. */
struct stages_options {
    unsigned n;
    struct stages_option *option;
};

/* The value that each register must hold after a stage, or STAGES_NONE if its content does not matter. */
struct stages_goals {
    uint16_t goal[STAGES_REGISTERS];
};

/* Returns whether a stage can read the value without a register. */
bool hwemit_stages_is_direct(const struct stages_cover *c, unsigned value);
/* Returns whether the register already holds the value before the first stage. */
bool hwemit_stages_is_initial(const struct stages_cover *c, unsigned value, unsigned reg);
/* Returns the constant that argument i reads directly, as a value, or STAGES_NONE. */
unsigned hwemit_stages_konst_of(const struct stages_cover *c, const struct stages_option *o, unsigned i);
/* Lists all options of a pipe in stage k (counted from 1; `last`: in the operation after stage k - 1, see
 * stages_chip.last) that compute or keep values of the goals; hwemit_stages_dot4_options lists those of both
 * pipes in a stage with DOT4. The list is valid until c->noptions is reset to its former value. */
void hwemit_stages_options(struct stages_cover *c, struct stages_options *list, const struct stages_goals *g,
                           unsigned pipe, unsigned k, bool last);
void hwemit_stages_dot4_options(struct stages_cover *c, struct stages_options list[2],
                                const struct stages_goals *g, unsigned k);
/* Replaces the goals after a stage by those before it, given the chosen option of each pipe (NULL: this pipe
 * is ignored). Returns false if a register would have to hold two values. */
bool hwemit_stages_before(struct stages_goals *before, const struct stages_option *const half[2]);
/* Returns whether a pipe can hold both values after k stages, assuming that the other pipe can provide every
 * value that is read from there. */
bool hwemit_stages_pipe_can(struct stages_cover *c, unsigned pipe, unsigned current, unsigned second,
                            unsigned k);

/* Searches for a plan with as few stages as possible, at most max; for each number of stages, tries all
 * roots. */
bool hwemit_stages_search(struct stages_cover *c, unsigned max);

#endif
