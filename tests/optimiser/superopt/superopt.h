/* The yardstick: how short single-channel programs can be, against how short the optimiser makes them. See
 * superopt.c. */
#ifndef TESTS_SUPEROPT_H
#define TESTS_SUPEROPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- points: inputs at which functions are compared (points.c) ----
 *
 * Coordinates are k/32, so that every value of a chain of three stages is a dyadic rational of at most 2^-40,
 * and a double holds it exactly. For two sources the points are the whole grid, in an order that begins with
 * GENERIC points; the set is closed under exchanging and complementing sources, and so is each group of 8 of
 * those. */
enum { SOURCES = 4, MOST_POINTS = 1120, OPEN_POINTS = 448, GENERIC = 24, FILTER = 8, MOST_SYMMETRIES = 8 };

struct points {
    unsigned sources, n;
    double at[SOURCES][MOST_POINTS];
    unsigned nsymmetries;                         /* 1: the set is not closed */
    uint16_t image[MOST_SYMMETRIES][MOST_POINTS]; /* of point i under each symmetry */
};
/* extra: points that have to be among them. */
void points_make(struct points *p, unsigned sources, bool closed, unsigned nextra, double (*extra)[SOURCES]);
/* Symmetry number g applied to an input: sources exchanged, then complemented. */
void points_transform(double *out, const double *x, unsigned sources, unsigned g);

struct print128 {
    uint64_t a, b;
};
/* Of the values at all points, read through image (NULL: in place). */
struct print128 points_print(const struct points *p, const double *value, const uint16_t *image);
/* The least fingerprint under all symmetries. */
struct print128 points_orbit_print(const struct points *p, const double *value);

/* A map from fingerprints to numbers 0, 1, ... in the order of insertion. */
struct prints {
    struct print128 *key;
    uint32_t *slot;
    size_t nslots, n, max;
};
void prints_init(struct prints *m);
void prints_free(struct prints *m);
/* The number of k, which is inserted if *fresh is asked for (fresh not NULL); -1 if it is not there. */
int64_t prints_find(struct prints *m, struct print128 k, bool *fresh);

/* ---- chains of stages (chain.c) ---- */
enum func {
    REPLACE,
    MODULATE,
    ADD,
    ADD_SIGNED,
    SUBTRACT,
    INTERPOLATE,
    MODULATE_ADD,
    MODULATE_SIGNED_ADD,
    MODULATE_SUBTRACT,
    COMBINE4_ADD,
    COMBINE4_ADD_SIGNED,
    FUNCS
};

/* An argument: 2*source + complemented, sources 0 .. SOURCES-1 and the previous result; then the literals. */
enum { ARG_PREVIOUS = 2 * SOURCES, ARG_ZERO = ARG_PREVIOUS + 2, ARG_ONE, ARGS };

struct stage {
    uint8_t func, scale /* 0 1 2: times 1 2 4 */, arg[4];
};
enum { STAGES = 3 };
struct chain {
    uint8_t n;
    struct stage stage[STAGES];
};

struct alphabet {
    const char *name, *help;
    unsigned stages, sources;
    unsigned funcs;  /* bits */
    unsigned scales; /* how many of 1 2 4 */
    bool literals;   /* 0 and 1 are arguments */
    /* 0: every function; else one function of this many, with all its chains (closed points only) */
    unsigned part;
};

/* Calls each for every chain of the alphabet, in a fixed order, with the values at the points. Chains are
 * canonical: sources numbered by first appearance, which is plain; arguments that commute in order; every
 * stage but the first reads its predecessor. Which functions a part has is decided by a hash of the values at
 * generic points in any order, so that chains of the same function, up to symmetry, are all in it or none is.
 * Returns how many chains there are in all. */
unsigned long long chain_each(const struct alphabet *alphabet, const struct points *p,
                              void (*each)(void *user, const struct chain *chain, const double *value),
                              void *user);
/* How many sources it reads: the first ones. */
unsigned chain_sources(const struct chain *chain);
/* No source is read twice (P is no source). */
bool chain_single(const struct chain *chain);
/* A stage at the points. */
void chain_stage_value(double *out, const struct stage *stage, const struct points *p,
                       const double *previous);
/* A chain at the points; or with its inner results taken without their clamps, as 0, as 1: where that is the
 * same function, the reason why something shorter exists is that the clamps do not matter, or that the
 * predecessor does not. */
enum inner { AS_IT_IS, UNCLAMPED, ALL_ZERO, ALL_ONE };
void chain_value(double *out, const struct chain *chain, const struct points *p, enum inner inner);
/* Stage notation (notes/formats/stages.md), alpha half. Returns buffer. */
const char *chain_text(char *buffer, size_t size, const struct chain *chain);

/* ---- programs of the extension (program.c; one.c, two.c search) ---- */
enum op { OP_MOV, OP_ADD, OP_MUL, OP_MAD, OP_LERP };
enum { MAPS = 12, LITERALS = 7 }; /* argument modifiers as maps m*x+t; literals with modifiers */
struct map {
    double m, t;
    const char *text;
};
extern const struct map maps[MAPS];
extern const double literals[LITERALS];

/* Arguments: source*MAPS + map, then SOURCES*MAPS + literal; of the second instruction also EARLIER + map. */
enum { ARG_LITERAL = SOURCES * MAPS, EARLIER = 0x80 };
struct inst {
    uint8_t op, arg[3];
    int8_t scale;
    uint8_t sat;
};
struct program {
    uint8_t n;
    struct inst inst[2];
};
const char *program_text(char *buffer, size_t size, const struct program *program);
/* The program's value at one input; *range: false if something left [-8,8] or a LERP factor [0,1]. */
double program_value(const struct program *program, const double *source, bool *in_range);

/* Exchanges and complements sources so that the program has these values at the points; false if it has them
 * under no symmetry. */
bool program_fit(struct program *program, const struct points *p, const double *value);

/* Tables of programs of length 1 over the sources, and a search for programs of length 2. */
struct search {
    const struct points *p;
    struct prints one;
    struct inst *first;
    size_t nfirst;
};
void search_init(struct search *s, const struct points *p);
void search_free(struct search *s);
/* The instruction that computes the function with this fingerprint, if one does. */
bool search_one(struct search *s, struct print128 k, struct program *found);
/* For each of n wanted functions, given by a chain and different under all symmetries: found[i].n becomes 2
 * if two instructions compute it. */
void search_two(struct search *s, size_t n, const struct chain *wanted, struct program *found);

/* ---- the optimiser (optimiser.c) ---- */
struct optimised {
    unsigned n;
    bool wrong;
    char text[400], pattern[200];
};
/* Instructions of the alpha half after -O2; its values are compared with those of the chain. texts: also as
 * text. */
void optimise(struct optimised *out, const struct chain *chain, const struct points *p, const double *value,
              bool texts);

#endif
