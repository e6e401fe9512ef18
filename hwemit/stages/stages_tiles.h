/* Solving "operation = value" for one argument U: shared by i830_known.c, i830_forms.c, i830_useful.c,
 * i830_tiles.c. Internal to hwemit/i830. */
#ifndef I830_TILES_H
#define I830_TILES_H

#include "hwemit/stages/stages_cover.h"

enum { I830_KNOWN = 64, I830_MULTIPLES = 3 };
#define I830_NEAR 1e-4f /* of values at points */

/* An argument that is given. */
struct i830_known {
    struct i830_arg arg;
    struct fragprog_poly p;
    uint8_t direct; /* a stage can read it; else a register has to hold it */
    uint8_t scalar;
    uint8_t number;        /* 1: 0. 2: 1 */
    uint8_t leaves;        /* how many it depends on */
    uint8_t atom;          /* that it is, perhaps inverted; 0 */
    float at[I830_POINTS]; /* its values */
};

struct i830_equation {
    struct i830_cover *c;
    unsigned value, stages;                       /* in which the value is to be had */
    const struct fragprog_poly *p;                /* it before its clamp */
    double burden;                                /* of p */
    float lo[3][I830_POINTS], hi[3][I830_POINTS]; /* by scale: what the operation may be at the points */
    unsigned decisive;                            /* the point that ruled out the last choice */
    /* 0 and 1 come first, then what else is direct, each before its inversion */
    unsigned nknown, ndirect;
    struct i830_known known[I830_KNOWN];
};

/* ---- i830_forms.c ---- */
/* U, what is known, and 1-U */
enum i830_place { I830_NO_ARG, I830_U, I830_V, I830_X, I830_Y };
struct i830_form {
    uint8_t op, arg[3], x, y, scales;
};
extern const struct i830_form hwemit_i830_forms[];
extern const unsigned hwemit_i830_nforms;
/* (ac + ax*X + ay*Y)*U + bc + bx*X + by*Y + bxy*X*Y */
struct i830_linear {
    float ac, ax, ay, bc, bx, by, bxy;
};
/* A form with its arguments. */
struct i830_choice {
    const struct i830_form *form;
    unsigned multiple, scale;
    struct i830_linear f;
    const struct i830_known *x, *y;
};
struct i830_linear hwemit_i830_of_form(const struct i830_form *form, unsigned multiple);
bool hwemit_i830_takes(const struct i830_form *form, enum i830_place place);
/* The scales (bits) for which some U in [0,1] gives the value at each point. */
unsigned hwemit_i830_possible(struct i830_equation *e, const struct i830_choice *k, unsigned scales);
/* Whether U = u gives the value at each point. */
bool hwemit_i830_gives(const struct i830_equation *e, const struct i830_choice *k, const float *u);

/* ---- i830_tiles.c ---- */
/* The coefficients of U as polynomials: a, b, times the scale. */
void hwemit_i830_coefficients(const struct i830_choice *k, struct fragprog_poly *a, struct fragprog_poly *b);

/* ---- known.c ---- */
void hwemit_i830_gather(struct i830_equation *e); /* fills in what is known */

/* ---- i830_useful.c ---- */
double hwemit_i830_burden(const struct fragprog_poly *p);
/* Cheap tests before solving: false if there is no solution, or none that leads on. */
bool hwemit_i830_useful(const struct i830_equation *e, const struct i830_choice *k);
/* Stages that sat(u) takes at least. */
unsigned hwemit_i830_least(const struct i830_cover *c, const struct fragprog_poly *u);

#endif
