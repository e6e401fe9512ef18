/* Covering a program with combiner stages: shared by the files of hwemit/stages. How it works:
 * notes/stages.md. Internal.
 *
 * Every value that a stage can leave in a register is sat(p) for a polynomial p over atoms: what a stage can
 * read (texels, colours, constants), values whose clamp can bite, and dot products. A tile is one way to
 * compute a value in one operation from other values. The search goes backwards from the result: it asks
 * which values must lie in the registers before each stage. */
#ifndef STAGES_COVER_H
#define STAGES_COVER_H

#include "hwemit/stages/stages_chip.h"
#include "hwemit/stages/stages_polynomial.h"

enum {
    STAGES_ATOMS = 128,  /* they are bytes in monomials */
    STAGES_KONSTS = 31,  /* sets are 32 bits; bit 31 is the number 1 */
    STAGES_VALUES = 500, /* below 509: numbers of 9 bits in keys */
    STAGES_TILES = 3000,
    STAGES_ALSO = 48,
    STAGES_LATE = 24, /* atoms for values that the program does not name */
    STAGES_NORMALS = 64,
    STAGES_POINTS = 24,
    STAGES_OPTIONS = 1000,
};

struct stages_arg {
    uint16_t value;
    uint8_t inv;
}; /* 1 - value if inv */
struct stages_tile {
    uint8_t op, scale;                  /* scale: power of 2 */
    struct stages_arg arg[STAGES_ARGS]; /* value STAGES_NONE: not read */
    uint16_t next;
};

struct stages_value {
    struct fragprog_poly p; /* before the clamp, in normal form */
    uint8_t scalar;
    uint8_t leaf;   /* the atom that it is, if a stage can read that */
    uint8_t number; /* 0 or 1 */
    uint8_t depth;  /* clamps that can bite, one in another; or what broken coefficients or a product take */
    uint8_t atom;   /* the atom that stands for it where its clamp can bite; 0: none yet */
    uint8_t nscalar, nvector; /* different leaves that it depends on */
    uint8_t dots;             /* it depends on dot products */
    uint8_t expanded;         /* for so many stages */
    uint16_t yes[2], no[2];   /* by pipe: bit n, it is (not) to be had after n stages, others left aside */
    uint32_t leaves[STAGES_ATOMS / 32]; /* atoms */
    uint16_t complement;                /* the value 1 - this one; STAGES_NONE: not yet looked for */
    uint16_t also; /* further polynomials of the same value: with clamps that p has opened */
    uint16_t tile, last_tile, next;
    float at[STAGES_POINTS]; /* behind the clamp */
};

struct stages_normal {
    struct fragprog_poly from, to;
};

/* Of options: nothing changes; ARG1. Of an argument's place: no register. */
enum { STAGES_HOLD = 0xffff, STAGES_MOVE = 0xfffe, STAGES_DIRECT = 0xff };

/* One possible use of a pipe in a stage. */
struct stages_option {
    uint16_t tile;               /* STAGES_HOLD, STAGES_MOVE */
    uint8_t reg;                 /* register written */
    bool store;                  /* SECOND takes what CURRENT held */
    uint8_t dot4, dot4_scale;    /* alpha of the same operation goes to this register, or 0 */
    uint16_t value[STAGES_ARGS]; /* of each argument; STAGES_NONE */
    uint8_t inv[STAGES_ARGS], place[STAGES_ARGS]; /* place: register, or STAGES_DIRECT */
    uint8_t asks;                                 /* registers that it needs (bits) */
    uint16_t needs[STAGES_REGISTERS];             /* what has to be in each register before; STAGES_NONE */
    uint32_t konsts;                              /* the constants that it reads */
};
/* What an instruction gives: its colour or its alpha. */
struct stages_form_of_half {
    uint8_t known;
    struct fragprog_poly p; /* with clamps that cannot bite opened */
    uint8_t atom;           /* that it is; 0: p */
};

struct stages_cover {
    const struct stages_chip *chip;
    const char *code, *text; /* why a program cannot be read */
    int unit;
    bool strict_constants; /* literal constants have to be multiples of 1/255 */
    uint32_t ops;          /* that may be used (bits) */
    bool second;           /* the second register, too */
    bool scaled_dot4;      /* DOT4 may have a scale */
    uint16_t one;          /* the number 1, where a constant has to hold it; else STAGES_NONE */
    bool any_constants;    /* count no constants: as if every stage had enough of them */
    uint16_t most_values;  /* STAGES_VALUES; fewer where only a hint is wanted */
    struct fragprog_budget *budget;
    struct stages_equation *equation; /* that is solved: memory for it */
    uint32_t until;                   /* of budget->spent: the end of a search that only makes a hint */
    bool stopped;                     /* the search has come to its end */
    bool frozen;                      /* new tiles are made of one or two stages only */
    bool own;                         /* none are made: those of the program alone */
    bool late;                        /* the program is read: it named so many atoms */
    uint16_t natoms_read;
    bool overflow; /* a limit was met: a failure proves nothing */
    uint16_t natoms, nkonsts, nvalues, ntiles, nalso;
    uint32_t steps; /* of the search, so far */
    uint16_t noptions;
    uint8_t nroots;
    /* values of the result's colour and alpha: the same, as the optimised and the plain program have them */
    uint16_t root[4][2];
    /* From here on nothing is set up: an entry is written, whole, before its counter includes it; bucket and
     * normal by hwemit_stages_cover_init, what failed by the search, plan where there is one. */
    struct fragprog_interval box[STAGES_ATOMS]; /* what atoms can be */
    float point[STAGES_ATOMS][STAGES_POINTS];
    uint16_t bucket[64];
    struct stages_atom atom[STAGES_ATOMS];
    struct stages_konst konst[STAGES_KONSTS];
    struct stages_value value[STAGES_VALUES + 1]; /* the last: of hwemit_stages_scratch */
    struct stages_tile tile[STAGES_TILES];
    struct {
        struct fragprog_poly p;
        uint16_t next;
    } also[STAGES_ALSO];
    struct stages_normal normal[STAGES_NORMALS]; /* normal forms that were asked for last */
    /* states of the search that are known to fail; see stages_search.c */
    uint64_t failed[1 << 10];
    uint32_t pipe_memo[1 << 10];
    struct stages_plan plan; /* what the search found */
    union {
        struct stages_form_of_half half[FRAGPROG_TEXENV_INSTS][2]; /* while a program is read */
        /* while a cover is looked for: a list a stage */
        struct stages_option option[STAGES_OPTIONS];
    };
};

/* ---- stages_points.c ---- */
void hwemit_stages_scatter(struct stages_cover *c, unsigned atom); /* values of a new atom that is no value */
/* before any clamp */
void hwemit_stages_at(const struct stages_cover *c, const struct fragprog_poly *p, float *out);

/* ---- stages_clamps.c ---- */
struct fragprog_interval hwemit_stages_range(const struct stages_cover *c, const struct fragprog_poly *p);
bool hwemit_stages_is_unit(const struct stages_cover *c, const struct fragprog_poly *p); /* in [0,1] */
/* Brings sat(p) into the form in which equal ones are equal, as far as bounds show it. */
void hwemit_stages_normalise(struct stages_cover *c, struct fragprog_poly *p);
/* Whether sat(f(q)) and sat(f(sat(q))) are the same: at0, at1, open are f(0), f(1), f(q). */
bool hwemit_stages_unseen(const struct stages_cover *c, const struct fragprog_poly *at0,
                          const struct fragprog_poly *at1, const struct fragprog_poly *open,
                          const struct fragprog_poly *q);

/* ---- stages_values.c ---- */
void hwemit_stages_cover_init(struct stages_cover *c);
bool hwemit_stages_spend(struct stages_cover *c, uint32_t work); /* false, and overflow: there is no more */
/* sat(p); STAGES_NONE if the tables are full */
unsigned hwemit_stages_value(struct stages_cover *c, const struct fragprog_poly *p);
/* sat(p) is the same value. */
void hwemit_stages_also(struct stages_cover *c, unsigned value, const struct fragprog_poly *p);
/* Stages that the value's depth takes at least: an operation may have a clamp inside. */
unsigned hwemit_stages_depth(const struct stages_cover *c, const struct stages_value *v);
/* stages that broken coefficients take */
unsigned hwemit_stages_fraction_depth(const struct stages_cover *c, const struct fragprog_poly *p);
/* Whether sat(p) is this value, as far as normal forms tell. */
bool hwemit_stages_is(struct stages_cover *c, unsigned value, const struct fragprog_poly *p);
/* sat(p) as a value: the one in the table, or a temporary one that is valid until the next call. */
unsigned hwemit_stages_scratch(struct stages_cover *c, const struct fragprog_poly *p);
unsigned hwemit_stages_complement(struct stages_cover *c, unsigned value);
/* sat(p) as an argument */
struct stages_arg hwemit_stages_arg(struct stages_cover *c, const struct fragprog_poly *p);
/* the value's atom, for readers that do not look into it; 0 if there is no room */
unsigned hwemit_stages_atom_of(struct stages_cover *c, unsigned value);
/* finds or adds; 0 if full */
unsigned hwemit_stages_atom(struct stages_cover *c, const struct stages_atom *atom);
/* Another way to compute the value: op, scale and arguments of the tile are given. */
void hwemit_stages_tile(struct stages_cover *c, unsigned value, struct stages_tile tile);

/* ---- stages_program.c ---- */
/* Enters the program's values, with a tile for each instruction that is one operation. root: colour and alpha
 * of the result. False with code, text, unit. */
bool hwemit_stages_read(struct stages_cover *c, const struct fragprog *p, uint16_t root[2]);

/* ---- stages_tiles.c ---- */
/* Finds the ways to compute the value by one operation, as the last one of `stages` stages. Its arguments are
 * what a stage can read; with more than one stage one argument may be another value (more than one, if they
 * are atoms or values of the program).
 */
void hwemit_stages_expand(struct stages_cover *c, unsigned value, unsigned stages);

/* ---- stages_options.c and stages_search.c: a stage, seen from its end ---- */

/* A list in stages_cover.option, which is a stack: the last list is freed first. */
struct stages_options {
    unsigned n;
    struct stages_option *option;
};

/* The value that has to lie in each register after a stage. STAGES_NONE: any. */
struct stages_goals {
    uint16_t goal[STAGES_REGISTERS];
};

/* a stage can read it: no register has to hold it */
bool hwemit_stages_is_direct(const struct stages_cover *c, unsigned value);
/* In the register before the first stage. */
bool hwemit_stages_is_initial(const struct stages_cover *c, unsigned value, unsigned reg);
/* The value of the constant that argument i is; STAGES_NONE if it is none. */
unsigned hwemit_stages_konst_of(const struct stages_cover *c, const struct stages_option *o, unsigned i);
/* All that a pipe may do in stage k (counted from 1) towards the goals; and with DOT4, both pipes. The list
 * is in use until c->noptions is set back to what it was. */
void hwemit_stages_options(struct stages_cover *c, struct stages_options *list, const struct stages_goals *g,
                           unsigned pipe, unsigned k);
/* And what may be done after n stages, where the chip does something there. */
void hwemit_stages_last_options(struct stages_cover *c, struct stages_options *list,
                                const struct stages_goals *g, unsigned pipe, unsigned n);
void hwemit_stages_dot4_options(struct stages_cover *c, struct stages_options *list,
                                const struct stages_goals *g, unsigned k);
/* What the alpha pipe may do beside DOT4. */
void hwemit_stages_hold_options(struct stages_cover *c, struct stages_options *list,
                                const struct stages_goals *g, unsigned k);
/* From after a stage to before it, with these options of the pipes (NULL: not looked at): what they have to
 * find in the registers. False if that contradicts. */
bool hwemit_stages_before(struct stages_goals *before, const struct stages_option *const half[2]);
/* Both values of a pipe after k stages, if whatever the other pipe has to give were there in time. */
bool hwemit_stages_pipe_can(struct stages_cover *c, unsigned pipe, unsigned current, unsigned second,
                            unsigned k);

/* A plan of fewest stages, at most max: for each number of them the roots in turn. */
bool hwemit_stages_search(struct stages_cover *c, unsigned max);

#endif
