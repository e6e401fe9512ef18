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
#include "hwemit/stages/stages_polynomial.h"

enum {
    STAGES_ATOMS = 128,  /* a monomial is a list of bytes, each the number of an atom */
    STAGES_KONSTS = 31,  /* sets of constants have 32 bits; bit 31 is the number 1 */
    STAGES_VALUES = 500, /* below 509, because keys of search states have 9 bits for a value */
    STAGES_TILES = 3000,
    STAGES_ALSO = 48,
    STAGES_POINTS = 24,
    STAGES_OPTIONS = 1000,
};

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
    uint8_t atom; /* the atom that represents it in other polynomials if its clamp can act; 0: none yet */
    /* numbers of leaves (atoms that a stage can read) and of vectors among them that the value depends on */
    uint8_t nleaves, nvector;
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
    uint8_t asks;                                 /* set of the registers that are read */
    uint16_t needs[STAGES_REGISTERS]; /* the value that each register must hold before it, or STAGES_NONE */
    uint32_t konsts;                  /* set of the constants that are read */
};
/* The colour or the alpha result of an instruction. */
struct stages_form_of_half {
    uint8_t known;
    struct fragprog_poly p; /* its polynomial, without clamps that cannot act */
    uint8_t atom; /* the atom that represents it in other polynomials; 0: its polynomial p is used */
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
    uint16_t one;          /* the value 1, if a constant has to hold it; else STAGES_NONE */
    bool any_constants;    /* ignore the limit of constants per stage */
    uint16_t most_values;  /* STAGES_VALUES, or less for a short search */
    struct fragprog_budget *budget;
    struct stages_equation *equation; /* memory for the equation that is being solved */
    uint32_t until;                   /* a short search stops when budget->spent reaches this */
    bool stopped;                     /* the search has reached the limit of work */
    bool frozen;                      /* new tiles are made only for values that two stages can compute */
    bool own;                         /* no new tiles are made: only the program's own operations are used */
    bool overflow;                    /* a limit was reached, so a failure proves nothing */
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
    union {
        struct stages_form_of_half half[FRAGPROG_TEXENV_INSTS][2]; /* while a program is read */
        /* during the search: a list for each stage */
        struct stages_option option[STAGES_OPTIONS];
    };
};

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
