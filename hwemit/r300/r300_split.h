/* See r300_split.c. */
#ifndef HWEMIT_R300_SPLIT_H
#define HWEMIT_R300_SPLIT_H

#include "hwemit/r300/r300_program.h"

/* Offers (t, rest) to `candidate` until it takes one; t of the leaves 1..nleaves, rest of these and leaf
 * nleaves + 1, which stands for t. False: none taken. */
bool hwemit_r300_split(const struct chip *chip, const struct fragprog_quad *q, unsigned nleaves,
                       bool (*candidate)(void *user, const struct fragprog_quad *t,
                                         const struct fragprog_quad *rest),
                       void *user);

#endif
