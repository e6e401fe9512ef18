/* All programs of up to four stages, tried one by one: shared by the every_*.c. How it works: notes/i830.md. Internal to hwemit/i830.
 *
 * Near a point of its inputs a texture environment is a polynomial, and so is what each stage of a program makes, unless its clamp bites there. At a special point, where
 * many inputs are alike, few functions of one stage differ, and all programs of them can be tried; those that are right there are tried with all inputs that stand for
 * the special ones. */
#ifndef I830_EVERY_H
#define I830_EVERY_H

#include "hwemit/i830/cover.h"
#include "hwemit/i830/field.h"

#include <stddef.h>

#define NONE UINT32_MAX /* no place */

enum {
    EVERY_LEAVES = 48,    /* inputs and their complements; 0 and 1 are the first two */
    EVERY_P = 48, EVERY_W = 50, EVERY_ARGS = 52, /* what the stage before left, something older; each before its complement */
    EVERY_FLAT_LENT = 5,  /* what is lent, as a stage whose clamp bites */
    EVERY_SAME = 3,       /* programs that ask for the same, or less */
    EVERY_DOUBTS = 40000, /* samples at which a program is tried that cannot be shown to be right */
    EVERY_DOUBTFUL = 2000, /* tiles that are kept aside for such */
    EVERY_TRIAL = 3200,   /* steps that it takes to try a program at all samples */
    EVERY_ASKED = 1 << 16, /* slots for what programs ask for */
    EVERY_SAMPLES = 96,   /* input vectors at which a program is tried, clamps included */
    EVERY_LEARNT = 160,   /* further ones, at which a program was wrong that is right at these */
    EVERY_ROUNDS = 12,    /* of searches, each with what was learnt in those before */
    EVERY_FIRST = 24,     /* of them, those where the result is between 0 and 1, if that can be */
    EVERY_UNKNOWNS = EVERY_LEAVES / 2,
};

/* A number at the special point: itself, and modulo the prime with the unknowns there random, and with all inputs random where only the clamps are those of the point. */
struct every_number { double r; field special, all; };

struct every_leaf {
    uint16_t value;
    uint8_t inv;
    uint8_t from;         /* the first stage that can read it */
    struct every_number v;
    field name;           /* random: what tells steps apart */
    field kind;           /* as at the special point, but a name if its clamp may do elsewhere what it does not there: steps are one function if they are equal at all inputs of the kind */
};

/* One operation. arg: native ARG0, ARG1, ARG2; those that it does not read are 0. */
struct every_step { uint8_t op, scale, arg[3], from; };

/* Of what is equal at the special point one is the function, and all steps that are it there follow each other. */
struct every_function {
    struct every_step step;
    bool spare;           /* its complement is a function, too, which can be there as early: readers invert */
    uint32_t first, n;
    double c[3][3];       /* of P^i * W^j */
};
enum every_reads { EVERY_OF_LEAVES, EVERY_OF_P, EVERY_OF_BOTH, EVERY_OF_LENT, EVERY_TABLES }; /* OF_LENT: of inputs that the alpha pipe reads */
struct every_table {
    uint32_t nsteps, nfunctions;
    struct every_step *step;
    struct every_function *function;
};

/* A program; of fewer stages it has the last ones, from `first` on. p, w: which stage's value each reads as P and W, 0 being the first. table: of its function. */
struct every_program {
    uint32_t function[4];
    uint8_t first, table[4], p[4], w[4]; /* p, w 4: what is lent */
    bool lent;            /* a stage reads what the alpha pipe makes in one: */
    uint32_t lent_function;
    struct every_step lend;
    uint8_t flat, end;    /* the stage, counted from 1, whose clamp bites near the point, or EVERY_FLAT_LENT, or 0; what it makes there, 0 or 1 */
    uint8_t passes[4];    /* what each stage makes, if it is one of every.through: its number, from 1 on */
    bool entered, wrong;  /* as tiles; at one of many samples */
    uint64_t asks[4];     /* of the other pipe and of constants, by stage: bits */
    uint64_t key;         /* of all that, of dot products and of what it passes through; its slot among e->asked */
    uint32_t slot;
    struct every_step step[4];
};

enum every_end { EVERY_MORE, EVERY_NONE, EVERY_SOME, EVERY_GAVE_UP, EVERY_NO_SHORT /* none of up to three stages, and no chain of four */ };
struct every {
    struct i830_cover *c;
    unsigned pipe, root;
    bool mad, accum, dots;
    bool lends;                         /* tables for every_lent.c are made, too */
    bool any_point;                     /* the special point need not be one where many clamps are open */
    unsigned natoms;                    /* inputs */
    uint8_t atom[EVERY_LEAVES / 2];
    unsigned nleaves;
    struct every_leaf leaf[EVERY_LEAVES];
    bool all_apart;                     /* the special point: no two inputs are alike */
    struct every_number target;
    struct every_table table[EVERY_TABLES];
    uint64_t work, most_work, tried, most_tried;
    uint32_t nfound, most_found;        /* programs that are right at all samples; few of those that ask for the same */
    bool sparing;                       /* of programs that are as good few are entered, with ACCUM, too */
    bool one_of_two;                    /* of a function and its complement only one is tried, until something is found */
    uint32_t nfound_before;
    uint64_t *asked;
    bool too_many;
    bool only_short;                    /* programs of at most three stages are asked for */
    uint8_t nthrough;                   /* of four stages, only those that pass through one of these values, or its complement; 0: all */
    uint16_t through[EVERY_LEAVES];
    struct every_program *found;
    unsigned channels;
    /* At samples of the special kind and of all inputs: each leaf's channels, and the result's first. */
    double (*like)[EVERY_LEAVES];
    double (*sample)[EVERY_LEAVES][3];
    double (*through_sample)[EVERY_LEAVES]; /* what those values are at the first EVERY_SAMPLES of these */
    double like_target[EVERY_SAMPLES], target_at[EVERY_SAMPLES + EVERY_LEARNT];
    unsigned nsamples, nrounds;
    bool was_wrong;                     /* something was found that is wrong at a vector that is a sample now: what it stood in the way of is not found */
    uint32_t seed;
    double (*stock)[3], *stock_target;  /* further samples for programs that cannot be shown to be right: leaves' channels of one after the other, and results. NULL: not drawn yet */
    struct every_doubts *doubts;
    uint8_t *memory, *end;
};

/* Last stages of programs that neither can be shown to be right nor are wrong at any vector: tiles of which only it is known what follows if they are right. */
struct every_doubts {
    unsigned n;
    struct every_doubt { uint16_t value; struct i830_tile tile; } of[EVERY_DOUBTFUL];
};

void *hwemit_i830_every_take(struct every *e, size_t size); /* of the caller's memory; NULL if there is too little */
void *hwemit_i830_every_lend(struct every *e, size_t size); /* the same from its end: given back with e->end */

/* ---- every_leaves.c ---- */
/* Whether all inputs of the value are the root's, too. */
bool hwemit_i830_every_depends_less(const struct i830_cover *c, unsigned value, unsigned root);
/* The dot product that the value is, perhaps scaled, as one stage can make it; NULL if it is none. */
const struct i830_atom *hwemit_i830_every_dot_of(const struct i830_cover *c, unsigned value);
/* The dot products that the alpha pipe's result depends on become values of the state, with each scale, as if its program had them in alpha. */
void hwemit_i830_every_add_dots(struct i830_cover *c, unsigned root);
/* What the pipe reads: what the result depends on; for alpha, dot products, which the colour pipe makes; for colours, also what the state's program has in alpha, and 1/2. ready: of each atom
 * that is a value of the state's alpha, after how many stages the alpha pipe can have it; 0: not in time. False: too many. */
bool hwemit_i830_every_add_leaves(struct every *e, const uint8_t *ready);

/* ---- every_point.c ---- */
/* Chooses a special point with so many unknowns and evaluates all there and at samples. False if none was found where the result is between 0 and 1. */
bool hwemit_i830_every_choose(struct every *e, unsigned unknowns);
/* The samples of all inputs: the same for all special points. */
void hwemit_i830_every_sample(struct every *e);
/* One more of them, of 4 kinds by `kind`: the leaves' channels, and, unless NULL, what the values of e->through are; returns what the result is. */
double hwemit_i830_every_one_sample(struct every *e, unsigned kind, double leaf[][3], double *through);
/* Samples of the special kind where no inputs are alike but a colour's channels. */
void hwemit_i830_every_sample_apart(struct every *e);

/* ---- every_steps.c ---- */
bool hwemit_i830_every_make_tables(struct every *e); /* false: too little memory */
double hwemit_i830_every_real(const struct every_step *s, const double *leaf, double p, double w);
/* The step as a polynomial: the coefficients of P^x * W^y, leaves being what they are. */
void hwemit_i830_every_polynomial(const struct every_step *s, const double *leaf, double c[3][3]);
enum every_of { EVERY_SPECIAL, EVERY_KIND, EVERY_ALL, EVERY_NAME };
field hwemit_i830_every_field(const struct every_step *s, const struct every_leaf *leaf, enum every_of of, field p, field w);

/* ---- every_search.c ---- */
/* All programs of four stages at the special point, and where no inputs are alike those of fewer; each goes to every_lift. EVERY_MORE: the point does not do: shorter programs
 * are right near it and not everywhere. */
enum every_end hwemit_i830_every_search(struct every *e);

/* ---- every_chain.c ---- */
/* All programs of up to four stages in which each reads the one before: EVERY_NONE, EVERY_SOME, EVERY_GAVE_UP. */
enum every_end hwemit_i830_every_chain(struct every *e);

/* ---- every_lent.c ---- */
/* All chains of the colour pipe in which one stage reads a value of one stage of the alpha pipe, as every_search; with only_short, those of up to three stages. */
enum every_end hwemit_i830_every_lent(struct every *e);

/* ---- every_lift.c ---- */
bool hwemit_i830_every_right(const struct every *e, const struct every_program *p); /* at samples of all inputs */
/* Whether it is wrong at one of many more, which is a sample from now on. */
bool hwemit_i830_every_is_wrong(struct every *e, const struct every_program *p);
/* Whether the program is right at samples of the special kind, clamps included. */
bool hwemit_i830_every_alike(const struct every *e, const struct every_program *p);
/* The programs of all inputs that are this one at the special point: those that are right at samples are found. */
void hwemit_i830_every_lift(struct every *e, struct every_program *p);
/* Whether a does all that b does, is not longer, and asks for nothing of the other pipe and of the constants that b does not ask for. */
bool hwemit_i830_every_as_good(const struct every_program *a, const struct every_program *b);
/* Sets p->passes: which of the values that the other pipe may want its stages make, as far as the samples tell. */
void hwemit_i830_every_pass(const struct every *e, struct every_program *p);
/* Whether such a program is wanted: few are enough that are as good. p->passes is set; sets what it asks for. */
bool hwemit_i830_every_wanted(struct every *e, struct every_program *p);
/* The program is wanted, and right at all samples: it is kept. */
void hwemit_i830_every_keep(struct every *e, const struct every_program *p);
/* From now on of a function and its complement only one is tried: whether anything is right. */
void hwemit_i830_every_one_of_two(struct every *e);
/* Something is: the search can stop. */
bool hwemit_i830_every_is_enough(const struct every *e);
/* Whether something was: it is forgotten, and all functions have to be tried now. */
bool hwemit_i830_every_all_after(struct every *e);

/* ---- every_enter.c ---- */
/* Enters what was found, but what another that is entered is as good as. The stage, counted from 1, after which the pipe can have the value; 0 if nothing was found. If something was
 * wrong all has to be searched again (every_again), and nothing is put aside.
 * One that may be right, though that cannot be shown, goes to e->doubts. *filled: becomes true if there is no room for all. */
unsigned hwemit_i830_every_enter(struct every *e, bool *filled);
/* Whether to search again. *whole: becomes false if there is no more room for samples. */
bool hwemit_i830_every_again(struct every *e, bool *whole);

#endif
