/* Enumerates splits of a polynomial into two instructions (r300_split.c). */
#ifndef HWEMIT_R300_SPLIT_H
#define HWEMIT_R300_SPLIT_H

#include "hwemit/r300/r300_program.h"

/* Calls `candidate` with pairs (t, rest) until it returns true. t is a polynomial of sources 1..nleaves; in
 * `rest`, source nleaves + 1 stands for the value of t. Returns whether `candidate` has returned true. */
bool hwemit_r300_split(const struct chip *chip, const struct fragprog_quad *q, unsigned nleaves,
                       bool (*candidate)(void *user, const struct fragprog_quad *t,
                                         const struct fragprog_quad *rest),
                       void *user);

#endif
