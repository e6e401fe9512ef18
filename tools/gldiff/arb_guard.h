/* What GL_ARB_fragment_program leaves undefined, found by drawing: the program with another number in the
 * place of each undefined one. What does not depend on that number is defined. */
#ifndef GLDIFF_ARB_GUARD_H
#define GLDIFF_ARB_GUARD_H

#include "fragprog/fragprog.h"

/* The most instructions that a program is guarded with. */
enum { ARB_GUARDED = 12000 };

/* Instead of what these give it gives junk, by channel: RCP and RSQ of 0, LG2 and POW of what is not
 * positive, SCS beyond
 * [-pi,pi], a lookup divided by what is not positive; and everything that is as large as 1e30 (the
 * specification says nothing of overflow). False if p has more than ARB_GUARDED instructions. *out: its
 * storage has room for 4 times p's instructions and 2 constants more. */
bool arb_guard(struct fragprog *out, const struct fragprog *p, const float junk[4]);

#endif
