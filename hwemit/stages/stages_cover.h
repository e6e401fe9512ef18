/* Covering a program with blend stages: shared by the files of hwemit/i830. How it works: notes/i830.md.
 * Internal.
 *
 * Every value that a stage can leave in a register is sat(p) for a polynomial p over atoms: what a stage can
 * read (texels, colours, constants), values whose clamp can bite, and dot products. A tile is one way to
 * compute a value in one operation from other values. The search goes backwards from the result: it asks
 * which values must lie in the registers before each stage. */
#ifndef I830_COVER_H
#define I830_COVER_H

#include "hwemit/stages/stages_polynomial.h"
#include "hwemit/i830/i830_registers.h"

#include <stddef.h>

enum {
    I830_STAGES = 4,
    I830_MOST_STAGES = 6, /* that the search goes to, in order to say how many too few there are */
    I830_TEXTURE_SLOTS = 4,
    I830_ATOMS = 128, /* they are bytes in monomials */
    I830_KONSTS = 32,
    I830_VALUES = 500, /* below 2047: numbers of 11 bits in keys */
    I830_TILES = 3000,
    I830_ALSO = 48,
    I830_LATE = 24, /* atoms for values that the program does not name */
    I830_NORMALS = 64,
    I830_POINTS = 24,
    I830_NONE = 0xffff,
};

enum i830_atom_kind { I830_TEXEL, I830_PRIMARY, I830_SECONDARY, I830_KONST, I830_VALUE, I830_DOT };
struct i830_atom {
    uint8_t kind;
    uint8_t scalar;        /* the same in all channels: an alpha, a scalar value, a dot product */
    uint16_t index;        /* texture; konst; value */
    uint16_t value[2];     /* [0]: the value that is this atom (not of dots); dots: their two arguments */
    uint8_t inv;           /* dots: the second argument is inverted */
    uint8_t coord, target; /* texels */
    uint8_t late;          /* a value that the program does not name */
};

/* Part of a colour that a factor can hold: rgb, or one number that goes to its alpha. */
struct i830_konst {
    uint8_t scalar;
    int8_t unit[3]; /* where each channel comes from; as hwemit_constant */
    uint8_t component[3];
    float value[3];
    float color[4]; /* the whole colour that it is part of */
};

struct i830_arg {
    uint16_t value;
    uint8_t inv;
}; /* 1 - value if inv */
struct i830_tile {
    uint8_t op, scale;      /* scale: power of 2 */
    struct i830_arg arg[3]; /* native ARG0, ARG1, ARG2; value I830_NONE: not read */
    uint16_t next;
};

struct i830_value {
    struct fragprog_poly p; /* before the clamp, in normal form */
    uint8_t scalar;
    uint8_t leaf;             /* the atom that it is, if a stage can read that */
    uint8_t number;           /* 0 or 1 */
    uint8_t depth;            /* stages that it needs at least: clamps that can bite, one in another */
    uint8_t atom;             /* the atom that stands for it where its clamp can bite; 0: none yet */
    uint8_t nscalar, nvector; /* different leaves that it depends on */
    uint8_t dots;             /* it depends on dot products */
    uint8_t expanded;         /* for so many stages */
    uint8_t yes[2], no[2]; /* by pipe: bit n, it is (not) to be had after n stages, other values left aside */
    uint32_t leaves[I830_ATOMS / 32]; /* atoms */
    uint16_t complement;              /* the value 1 - this one; I830_NONE: not yet looked for */
    uint16_t also; /* further polynomials of the same value: with clamps that p has opened */
    uint16_t tile, last_tile, next;
    float at[I830_POINTS]; /* behind the clamp */
};

/* What one pipe of a stage does. */
struct i830_half {
    uint8_t op, scale, out; /* out: I830_CURRENT, I830_ACCUM */
    /* source: enum i830_source. TEXEL0: that of the atom. FACTOR_N: the atom, or 0 for the half */
    struct {
        uint8_t used, source, alpha, inv, atom;
    } arg[3];
};
struct i830_plan {
    uint8_t nstages;
    uint16_t global[2]; /* konst in the global factor's rgb and alpha; I830_NONE; I830_HALF */
    uint16_t factor[I830_MOST_STAGES][2];
    struct i830_half stage[I830_MOST_STAGES][2];
};
enum { I830_HALF = 0xfffe }; /* a constant of 0x80, for DOT4's alpha term */

struct i830_normal {
    struct fragprog_poly from, to;
};

/* CURRENT and ACCUM, colour and alpha: pipe + 2 * output */
enum { I830_RGB_C, I830_A_C, I830_RGB_A, I830_A_A, I830_REGISTERS };
enum { I830_HOLD = 0xffff, I830_MOVE = 0xfffe, I830_DIRECT = 0xff, I830_OPTIONS = 1000 };

/* What one pipe may do in a stage. */
struct i830_option {
    uint16_t tile;                  /* I830_HOLD: nothing changes; I830_MOVE: ARG1 */
    uint8_t reg;                    /* register written */
    uint8_t dot4;                   /* alpha of the same operation goes to this register, or 0 */
    uint16_t value[3];              /* of each argument; I830_NONE */
    uint8_t inv[3], place[3];       /* place: register, or I830_DIRECT */
    uint8_t asks;                   /* registers that it needs (bits) */
    uint16_t needs[I830_REGISTERS]; /* what has to be in each register before; I830_NONE */
    uint32_t konsts;                /* the constants that it reads */
};
/* What an instruction gives: its colour or its alpha. */
struct i830_form_of_half {
    uint8_t known;
    struct fragprog_poly p; /* with clamps that cannot bite opened */
    uint8_t atom;           /* that it is; 0: p */
};

struct i830_cover {
    const char *code, *text; /* why a program cannot be read */
    int unit;
    bool strict_constants; /* immediates have to be multiples of 1/255 */
    bool mad, accum;       /* MODULATE_AND_ADD, ACCUM may be used */
    bool scaled_dot4;      /* DOT4 may have a scale */
    bool any_constants;    /* as if every stage had factors enough */
    uint16_t most_values;  /* I830_VALUES; fewer where only a hint is wanted */
    struct fragprog_budget *budget;
    uint32_t until; /* of budget->spent: the end of a search that only makes a hint */
    bool stopped;   /* the search has come to its end */
    bool frozen;    /* no more tiles are made but of one or two stages */
    bool late;      /* the program is read: it named so many atoms */
    uint16_t natoms_read;
    bool overflow; /* a limit was met: a failure proves nothing */
    uint16_t natoms, nkonsts, nvalues, ntiles, nalso;
    uint32_t steps; /* of the search, so far */
    uint8_t nroots;
    /* values of the result's colour and alpha: the same, as the optimised and the plain program have them */
    uint16_t root[4][2];
    struct fragprog_interval box[I830_ATOMS]; /* what atoms can be */
    float point[I830_ATOMS][I830_POINTS];
    uint16_t bucket[64];
    struct i830_atom atom[I830_ATOMS];
    struct i830_konst konst[I830_KONSTS];
    struct i830_value value[I830_VALUES + 1]; /* the last: of hwemit_i830_scratch */
    struct i830_tile tile[I830_TILES];
    struct {
        struct fragprog_poly p;
        uint16_t next;
    } also[I830_ALSO];
    struct i830_normal normal[I830_NORMALS]; /* normal forms that were asked for last */
    /* states of the search that are known to fail; see i830_search.c */
    uint64_t failed[1 << 10];
    uint32_t pipe_memo[1 << 10];
    struct i830_plan plan;          /* what the search found */
    struct i830_equation *equation; /* that is solved: memory for it */
    uint16_t noptions;
    union {
        struct i830_form_of_half half[FRAGPROG_TEXENV_INSTS][2]; /* while a program is read */
        /* while a cover is looked for: a list a stage */
        struct i830_option option[I830_OPTIONS];
    };
};

/* ---- i830_points.c ---- */
void hwemit_i830_scatter(struct i830_cover *c, unsigned atom); /* values of a new atom that is no value */
/* before any clamp */
void hwemit_i830_at(const struct i830_cover *c, const struct fragprog_poly *p, float *out);
bool hwemit_i830_spend(struct i830_cover *c, uint32_t work); /* false, and overflow, if there is no more */

/* ---- i830_clamps.c ---- */
struct fragprog_interval hwemit_i830_range(const struct i830_cover *c, const struct fragprog_poly *p);
bool hwemit_i830_is_unit(const struct i830_cover *c, const struct fragprog_poly *p); /* in [0,1] */
/* Brings sat(p) into the form in which equal ones are equal, as far as bounds show it. at: what p is at the
 * points then. */
void hwemit_i830_normalise(struct i830_cover *c, struct fragprog_poly *p, float *at);
/* Whether sat(f(q)) and sat(f(sat(q))) are the same: at0, at1, open are f(0), f(1), f(q). */
bool hwemit_i830_unseen(const struct i830_cover *c, const struct fragprog_poly *at0,
                        const struct fragprog_poly *at1, const struct fragprog_poly *open,
                        const struct fragprog_poly *q);

/* ---- i830_values.c ---- */
void hwemit_i830_cover_init(struct i830_cover *c);
/* sat(p); I830_NONE if the tables are full */
unsigned hwemit_i830_value(struct i830_cover *c, const struct fragprog_poly *p);
/* sat(p) is the same value. */
void hwemit_i830_also(struct i830_cover *c, unsigned value, const struct fragprog_poly *p);
/* Whether sat(p) is this value, as far as normal forms tell. */
/* stages that broken coefficients take */
unsigned hwemit_i830_fraction_depth(const struct i830_cover *c, const struct fragprog_poly *p);
bool hwemit_i830_is(struct i830_cover *c, unsigned value, const struct fragprog_poly *p);
/* sat(p) as a value that is in no table, until the next is asked for; or the one in the table. */
unsigned hwemit_i830_scratch(struct i830_cover *c, const struct fragprog_poly *p);
unsigned hwemit_i830_complement(struct i830_cover *c, unsigned value);
/* sat(p) as an argument */
struct i830_arg hwemit_i830_arg(struct i830_cover *c, const struct fragprog_poly *p);
/* the value's atom, for readers that do not look into it; 0 if there is no room */
unsigned hwemit_i830_atom_of(struct i830_cover *c, unsigned value);
/* finds or adds; 0 if full */
unsigned hwemit_i830_atom(struct i830_cover *c, const struct i830_atom *atom);
void hwemit_i830_tile(struct i830_cover *c, unsigned value, unsigned op, unsigned scale, struct i830_arg a0,
                      struct i830_arg a1, struct i830_arg a2);

/* ---- i830_program.c ---- */
/* Enters the program's values, with a tile for each instruction that is one operation. root: colour and alpha
 * of the result. False with code, text, unit. */
bool hwemit_i830_read(struct i830_cover *c, const struct fragprog *p, uint16_t root[2]);

/* ---- i830_tiles.c ---- */
/* Finds the ways to compute the value in one operation, as the last of so many stages: from what a stage can
 * read; for more than one stage, from that and at most one argument else (or an atom or part of the program).
 */
void hwemit_i830_expand(struct i830_cover *c, unsigned value, unsigned stages);

/* ---- i830_options.c and i830_search.c: a stage, seen from its end ---- */

/* Part of i830_cover.option: the last list is given back first. */
struct i830_options {
    unsigned n;
    struct i830_option *option;
};

/* The value that has to lie in each register after a stage, and the constants in the global factor as far as
 * they are decided. I830_NONE: any. */
struct i830_goals {
    uint16_t goal[I830_REGISTERS];
    uint16_t global[2];
};

/* a stage can read it: no register has to hold it */
bool hwemit_i830_is_direct(const struct i830_cover *c, unsigned value);
/* In the pipe's CURRENT before the first stage. */
bool hwemit_i830_is_initial(const struct i830_cover *c, unsigned value, unsigned pipe);
/* The constant that argument i is; NULL if it is none. */
const struct i830_atom *hwemit_i830_konst_of(const struct i830_cover *c, const struct i830_option *o,
                                             unsigned i);
/* All that a pipe may do in stage k (counted from 1) towards the goals; and with DOT4, both pipes. */
/* The list is in use until c->noptions is set back to what it was. */
void hwemit_i830_options(struct i830_cover *c, struct i830_options *list, const struct i830_goals *g,
                         unsigned pipe, unsigned k);
void hwemit_i830_dot4_options(struct i830_cover *c, struct i830_options *list, const struct i830_goals *g,
                              unsigned k);
/* Adds what the option has to find in the registers. False if that contradicts. */
bool hwemit_i830_merge(struct i830_goals *before, const struct i830_option *o);
/* Both values of a pipe after k stages, if whatever the other pipe has to give were there in time. */
bool hwemit_i830_pipe_can(struct i830_cover *c, unsigned pipe, unsigned current, unsigned accum, unsigned k);

/* A plan of fewest stages, at most max: for each number of them the roots in turn. */
bool hwemit_i830_search(struct i830_cover *c, unsigned max);

/* ---- i830_emit.c ---- */
void hwemit_i830_emit(struct hwemit_code *code, const struct i830_cover *c, const struct i830_plan *plan);

extern const struct hwemit_target hwemit_i830;

#endif
