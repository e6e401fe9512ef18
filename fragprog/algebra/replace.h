/* Ranges and counts of readers, kept right while passes change instructions. Internal to fragprog. */
#ifndef FRAGPROG_REPLACE_H
#define FRAGPROG_REPLACE_H

#include "fragprog/algebra/range.h"

/* Over memory of fragprog_passes_scratch bytes: for a program of so many instructions (at least
 * FRAGPROG_TEXENV_INSTS are taken), unbounded or not. No range is there. */
struct fragprog_ranges *fragprog_ranges_over(void *scratch, const struct fragprog *p);

/* Counts how often values are read (r->uses). */
void fragprog_count_uses(struct fragprog_ranges *r, const struct fragprog *p);
/* The instruction reads nothing any more, nor does what only it read. */
void fragprog_drop_uses(struct fragprog_ranges *r, const struct fragprog *p,
                        const struct fragprog_inst *inst);
/* Puts *inst in the place of instruction i, and keeps its range and the counts right. */
void fragprog_put(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                  const struct fragprog_inst *inst);
/* The same of an instruction that makes the number x, before scale and clamp. */
void fragprog_put_number(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                         const struct fragprog_inst *inst, double x);

#endif
