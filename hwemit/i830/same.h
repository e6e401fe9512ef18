/* The state of a proof: shared by same.c and boxes.c. Internal to hwemit/i830. */
#ifndef I830_SAME_H
#define I830_SAME_H

#include "hwemit/i830/cover.h"
#include "hwemit/i830/wide.h"

enum {
    I830_CLAMPS = 20, I830_LEAVES = 12, /* at most */
    I830_RULES = 6, I830_CLAIMS = 12, I830_LIST = I830_RULES * I830_CLAMPS + I830_CLAIMS,
    I830_GUESSES = 16, /* points that tell what is worth trying */
};
enum i830_case { I830_OPEN, I830_NUMBER, I830_BETWEEN };

struct i830_proof {
    unsigned nleaves, nclamps; /* the last two clamps: the values that are to be equal */
    unsigned boxes; /* so far */
    uint64_t work;
    bool differs;   /* they do, at some point */
    uint32_t seed;
    uint8_t variable[I830_ATOMS];
    uint8_t state[I830_CLAMPS]; /* enum i830_case */
    uint8_t needed[I830_CLAMPS], nrules[I830_CLAMPS];
    struct i830_wide raw[I830_CLAMPS];     /* behind the clamp */
    struct i830_wide form[I830_CLAMPS];    /* the same, with the numbers that clamps before it are */
    struct i830_wide whole[I830_CLAMPS];   /* and with what those between their ends are: of leaves alone, if all are decided */
    struct i830_wide rule[I830_CLAMPS][I830_RULES]; /* positive, by what is assumed of the clamp */
    struct i830_wide claim[I830_CLAIMS];       /* positive, by one of the two being larger */
    struct i830_wide part[2], scratch[4];
    double dense[2][I830_DENSE];
    const struct i830_wide *list[I830_LIST]; /* all that is assumed */
    double point[I830_GUESSES][I830_WIDE_VARS], at[I830_LIST][I830_GUESSES];
};

extern const struct i830_box hwemit_i830_unit_box;

/* Numbers in [0,1), the same in each proof. */
double hwemit_i830_guess(struct i830_proof *w);
/* Whether the two differ at a point; x has its leaves, and gets its clamps. */
bool hwemit_i830_differ_at(struct i830_proof *w, double *x);
/* No more is to be tried. */
bool hwemit_i830_given_up(const struct i830_proof *w);
/* Puts the claims and all rules into the list; their number. */
unsigned hwemit_i830_assumed(struct i830_proof *w, unsigned nclaims);
/* Whether the first n of the list cannot be positive at one point of the box. Something of the first nnew has to take part. Narrows the box. */
bool hwemit_i830_impossible(struct i830_proof *w, struct i830_box *box, unsigned n, unsigned nnew);
/* The same, in as many boxes as it takes. */
bool hwemit_i830_in_boxes(struct i830_proof *w, const struct i830_box *whole, unsigned n, unsigned depth);

#endif
