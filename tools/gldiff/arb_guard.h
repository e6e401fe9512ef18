/* What GL_ARB_fragment_program and GL_ARB_vertex_program leave undefined, found by drawing: the program with
 * another number in the place of each undefined one. What does not depend on that number is defined. */
#ifndef GLDIFF_ARB_GUARD_H
#define GLDIFF_ARB_GUARD_H

#include "fragprog/ir.h"

/* The most instructions that a program is guarded with. */
enum { ARB_GUARDED = 9000, ARB_GUARDS = 7 };

/* Instead of what these give it gives junk, by channel: RCP, RSQ and LOG of 0, LG2 and POW of what is not
 * positive, SCS beyond [-pi,pi], a lookup divided by what is not positive, an element that an array does not
 * have; and everything that is as large as 1e30 (the specification says nothing of overflow). False if p has
 * more than ARB_GUARDED instructions. *out: its storage has room for ARB_GUARDS times p's instructions, and
 * as many constants more as p has instructions, and two. */
bool arb_guard(struct fragprog *out, const struct fragprog *p, const float junk[4]);

#endif
