/* Solving "operation = value" for one argument U: shared by stages_known.c, stages_forms.c, stages_useful.c,
 * stages_tiles.c. Internal to hwemit/stages. */
#ifndef STAGES_TILES_H
#define STAGES_TILES_H

#include "hwemit/stages/stages_cover.h"

enum { STAGES_KNOWN = 64, STAGES_MULTIPLES = 3 };
#define STAGES_NEAR 1e-4f /* of values at points */

/* An argument that is given. */
struct stages_known {
    struct stages_arg arg;
    struct fragprog_poly p;
    uint8_t direct; /* a stage can read it; else a register has to hold it */
    uint8_t scalar;
    uint8_t number;          /* 1: 0. 2: 1 */
    uint8_t leaves;          /* how many it depends on */
    uint8_t atom;            /* that it is, perhaps inverted; 0 */
    float at[STAGES_POINTS]; /* its values */
};

struct stages_equation {
    struct stages_cover *c;
    unsigned value, stages;                           /* in which the value is to be had */
    const struct fragprog_poly *p;                    /* it before its clamp */
    double burden;                                    /* of p */
    float lo[3][STAGES_POINTS], hi[3][STAGES_POINTS]; /* bounds of the operation, by scale and point */
    unsigned decisive;                                /* the point that ruled out the last choice */
    /* 0 and 1 come first, then what else is direct, each before its inversion */
    unsigned nknown, ndirect;
    struct stages_known known[STAGES_KNOWN];
};

/* ---- stages_forms.c ---- */
/* U, what is known, and 1-U */
enum stages_place { STAGES_NO_ARG, STAGES_U, STAGES_V, STAGES_X, STAGES_Y };
struct stages_form {
    uint8_t op, arg[3], x, y, scales;
};
extern const struct stages_form hwemit_stages_forms[];
extern const unsigned hwemit_stages_nforms;
/* (ac + ax*X + ay*Y)*U + bc + bx*X + by*Y + bxy*X*Y */
struct stages_linear {
    float ac, ax, ay, bc, bx, by, bxy;
};
/* A form with its arguments. */
struct stages_choice {
    const struct stages_form *form;
    unsigned multiple, scale;
    struct stages_linear f;
    const struct stages_known *x, *y;
};
struct stages_linear hwemit_stages_of_form(const struct stages_form *form, unsigned multiple);
bool hwemit_stages_takes(const struct stages_form *form, enum stages_place place);
/* The scales (bit mask) for which, at each point, some U in [0,1] gives the value. */
unsigned hwemit_stages_possible(struct stages_equation *e, const struct stages_choice *k, unsigned scales);
/* Whether U = u gives the value at each point. */
bool hwemit_stages_gives(const struct stages_equation *e, const struct stages_choice *k, const float *u);

/* ---- stages_tiles.c ---- */
/* The coefficients of U as polynomials: a, b, times the scale. */
void hwemit_stages_coefficients(const struct stages_choice *k, struct fragprog_poly *a,
                                struct fragprog_poly *b);

/* ---- known.c ---- */
void hwemit_stages_gather(struct stages_equation *e); /* fills in what is known */

/* ---- stages_useful.c ---- */
double hwemit_stages_burden(const struct fragprog_poly *p);
/* Cheap tests before solving: false if there is no solution, or none that is simpler than the value. */
bool hwemit_stages_useful(const struct stages_equation *e, const struct stages_choice *k);
/* Stages that sat(u) takes at least. */
unsigned hwemit_stages_least(const struct stages_cover *c, const struct fragprog_poly *u);

#endif
