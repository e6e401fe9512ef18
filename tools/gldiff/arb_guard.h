/* Finds what GL_ARB_fragment_program and GL_ARB_vertex_program leave undefined. A program is drawn several
 * times, each time with another number in the place of each undefined result. Values that do not change are
 * defined. */
#ifndef GLDIFF_ARB_GUARD_H
#define GLDIFF_ARB_GUARD_H

#include "fragprog/ir.h"

/* ARB_GUARDED: the most instructions of a program that can be guarded. ARB_GUARDS: the most instructions that
 * one instruction becomes. */
enum { ARB_GUARDED = 9000, ARB_GUARDS = 7 };

/* Copies p to *out, with `junk` (by channel) as the result of RCP, RSQ and LOG of 0; LG2 and POW of a number
 * that is not positive; SCS outside [-pi,pi]; a lookup divided by a number that is not positive; an array
 * element outside the array; and any result of 1e30 or more, because the specification does not define
 * overflow. Returns false if p has more than ARB_GUARDED instructions. The caller allocates out's arrays:
 * ARB_GUARDS times p's instructions, and as many constants as p has constants and instructions, plus two. */
bool arb_guard(struct fragprog *out, const struct fragprog *p, const float junk[4]);

#endif
