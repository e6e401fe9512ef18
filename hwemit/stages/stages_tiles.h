/* Internal data for solving "operation = value" for one argument U, shared by stages_forms.c, stages_useful.c
 * and stages_tiles.c. */
#ifndef STAGES_TILES_H
#define STAGES_TILES_H

#include "hwemit/stages/stages_cover.h"

enum { STAGES_KNOWN = 64, STAGES_MULTIPLES = 3 };
#define STAGES_NEAR 1e-4f /* tolerance for values at sample points */

/* A known argument. */
struct stages_known {
    struct stages_arg arg;
    const struct stages_value *value; /* of arg */
    struct fragprog_poly p;
    uint8_t number;          /* 1 if it is the constant 0, 2 if it is the constant 1, else 0 */
    uint8_t atom;            /* the atom a for which it equals a or 1 - a; 0 if there is none */
    float at[STAGES_POINTS]; /* values at the sample points */
};

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

#endif
