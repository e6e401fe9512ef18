/* Superoptimiser: finds the shortest single-channel programs by exhaustive search, to compare them with the
 * optimiser's output. superopt.c has the main program. */
#ifndef TESTS_SUPEROPT_H
#define TESTS_SUPEROPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- points: inputs at which functions are compared (points.c) ----
 *
 * Coordinates are multiples of 1/32, so that every value of a chain of three stages is a multiple of 2^-40,
 * which a double holds exactly. For two sources the points are the whole grid, beginning with GENERIC points
 * that are neither at corners nor symmetric. The set is closed under symmetries, which exchange or complement
 * (1 - x) sources, and so is each group of 8 generic points. */
enum { SOURCES = 4, MOST_POINTS = 1120, OPEN_POINTS = 448, GENERIC = 24, FILTER = 8, MOST_SYMMETRIES = 8 };

struct points {
    unsigned sources, n;
    double at[SOURCES][MOST_POINTS];
    unsigned nsymmetries; /* 1, the identity, if the set is not closed under symmetries */
    uint16_t image[MOST_SYMMETRIES][MOST_POINTS]; /* [g][i]: the point that symmetry g maps point i to */
};
/* Makes a set of points, closed under symmetries if `closed`, that includes the extra points. */
void points_make(struct points *p, unsigned sources, bool closed, unsigned nextra, double (*extra)[SOURCES]);
/* Applies symmetry number g to an input: exchanges sources, then complements some. */
void points_transform(double *out, const double *x, unsigned sources, unsigned g);

struct print128 {
    uint64_t a, b;
};
/* Returns the fingerprint (a hash) of a function's values at all points, each point i replaced by image[i]
 * unless image is NULL. */
struct print128 points_print(const struct points *p, const double *value, const uint16_t *image);
/* Returns the least fingerprint of a function's images under all symmetries, which is equal for all these
 * images. */
struct print128 points_orbit_print(const struct points *p, const double *value);

/* A hash map from fingerprints to numbers 0, 1, ... in the order of insertion. */
struct prints {
    struct print128 *key;
    uint32_t *slot;
    size_t nslots, n, max;
};
void prints_init(struct prints *m);
void prints_free(struct prints *m);
/* Returns the number of k, or -1 if k is not in the map. If fresh is not NULL, a missing k is inserted
 * instead, and *fresh is set to whether it was missing. */
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

/* Encoding of arguments: 2*source + complemented, where source SOURCES is the previous result; then literals.
 */
enum { ARG_PREVIOUS = 2 * SOURCES, ARG_ZERO = ARG_PREVIOUS + 2, ARG_ONE, ARGS };

struct stage {
    uint8_t func, scale /* log2 */, arg[4];
};
enum { STAGES = 3 };
struct chain {
    uint8_t n;
    struct stage stage[STAGES];
};

struct alphabet {
    const char *name, *help;
    unsigned stages, sources;
    unsigned funcs;  /* bit mask of enum func */
    unsigned scales; /* 3 allows the scales 1, 2 and 4 */
    bool literals;   /* 0 and 1 may be arguments */
    /* If not 0, only one in `part` functions is measured, with all its chains. Needs points that are closed
     * under symmetries. */
    unsigned part;
};

/* Calls each() for every chain of the alphabet, in a fixed order, with its values at the points. Only
 * canonical chains are enumerated: sources are numbered in the order of their first use, which is not
 * complemented; commuting arguments are ordered; every stage but the first reads the previous result. If the
 * alphabet has a part, a hash of the values at generic points that does not depend on the points' order
 * selects the chains, so that of all chains that compute one function up to symmetry either all or none are
 * visited. Returns the number of all chains, visited or not. */
unsigned long long chain_each(const struct alphabet *alphabet, const struct points *p,
                              void (*each)(void *user, const struct chain *chain, const double *value),
                              void *user);
/* Returns n if the chain reads the sources 0 to n - 1. */
unsigned chain_sources(const struct chain *chain);
/* Returns whether the chain reads no source twice. */
bool chain_single(const struct chain *chain);
/* Evaluates a stage at all points. */
void chain_stage_value(double *out, const struct stage *stage, const struct points *p,
                       const double *previous);
/* Evaluates a chain at all points. inner: what happens to the results of all stages but the last: UNCLAMPED
 * leaves out their clamps, ALL_ZERO and ALL_ONE replace them by 0 or 1. If this does not change the function,
 * these clamps or stages are redundant, which explains why a shorter program exists. */
enum inner { AS_IT_IS, UNCLAMPED, ALL_ZERO, ALL_ONE };
void chain_value(double *out, const struct chain *chain, const struct points *p, enum inner inner);
/* Prints the alpha half in stage notation (notes/formats/stages.md). Returns buffer. */
const char *chain_text(char *buffer, size_t size, const struct chain *chain);

/* ---- programs of ATI_fragment_shader (program.c), and the search for them (one.c, two.c) ---- */
enum op { OP_MOV, OP_ADD, OP_MUL, OP_MAD, OP_LERP };
enum {
    MAPS = 12,
    LITERALS = 7
}; /* numbers of combinations of argument modifiers (m*x + t), and of literals with modifiers */
struct map {
    double m, t;
    const char *text;
};
extern const struct map maps[MAPS];
extern const double literals[LITERALS];

/* Encoding of arguments: source*MAPS + map, then SOURCES*MAPS + literal; EARLIER + map is the result of the
 * first instruction, as an argument of the second. */
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
/* Evaluates the program at one input. Sets *in_range to false if a result is outside [-8,8] or a LERP factor
 * outside [0,1]. */
double program_value(const struct program *program, const double *source, bool *in_range);

/* Applies to the program the symmetry after which it has these values at the points; returns false if there
 * is none. */
bool program_fit(struct program *program, const struct points *p, const double *value);

/* A table of all programs of one instruction, and the search for programs of two instructions. */
struct search {
    const struct points *p;
    struct prints one;
    struct inst *first;
    size_t nfirst;
};
void search_init(struct search *s, const struct points *p);
void search_free(struct search *s);
/* Finds an instruction that computes the function with this fingerprint; returns false if there is none. */
bool search_one(struct search *s, struct print128 k, struct program *found);
/* Searches two instructions for each of n functions, which are given by chains and are not symmetric to each
 * other. Sets found[i] to the program, or found[i].n to 0 if there is none. */
void search_two(struct search *s, size_t n, const struct chain *wanted, struct program *found);

/* ---- the optimiser (optimiser.c) ---- */
struct optimised {
    unsigned n;
    bool wrong;
    char text[400], pattern[200];
};
/* Optimises the chain with -O2: sets n to the number of instructions of the alpha half, and wrong if its
 * values at the points differ from those of the chain. With texts, also prints the program into text, and its
 * operations and kinds of operands into pattern. */
void optimise(struct optimised *out, const struct chain *chain, const struct points *p, const double *value,
              bool texts);

#endif
