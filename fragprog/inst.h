/* What passes ask of instructions. Internal to fragprog. */
#ifndef FRAGPROG_INST_H
#define FRAGPROG_INST_H

#include "fragprog/algebra/formula.h"

/* The enumerant of an operation in the extension (0: none). */
unsigned fragprog_op_api(unsigned op);

/* Appends; inserts before number `at` and renumbers what follows. The program must have room. Both give the
 * new value's number. */
unsigned fragprog_append(struct fragprog *p, const struct fragprog_inst *inst);
unsigned fragprog_insert(struct fragprog *p, unsigned at, const struct fragprog_inst *inst);
/* What reads value `from` reads value `to`, the result included. */
void fragprog_replace_value(struct fragprog *p, unsigned from, unsigned to);

/* A source that reads all of a value in place, and one that reads one channel everywhere. */
struct fragprog_src fragprog_src_value(unsigned value);
struct fragprog_src fragprog_src_replicate(unsigned file, unsigned index, unsigned lane);

#endif
