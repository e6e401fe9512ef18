/* Replaces instructions while keeping ranges and use counts up to date. Internal to fragprog. */
#ifndef FRAGPROG_REPLACE_H
#define FRAGPROG_REPLACE_H

#include "fragprog/algebra/range.h"

/* Creates ranges in scratch memory of fragprog_passes_scratch bytes, for a program of p's size (at least
 * FRAGPROG_TEXENV_INSTS). The ranges are not yet computed. */
struct fragprog_ranges *fragprog_ranges_over(void *scratch, const struct fragprog *p);

/* Counts the uses of all values (r->uses). */
void fragprog_count_uses(struct fragprog_ranges *r, const struct fragprog *p);
/* Removes the uses by an instruction, and those by an instruction that is dead then. */
void fragprog_drop_uses(struct fragprog_ranges *r, const struct fragprog *p,
                        const struct fragprog_inst *inst);
/* Replaces instruction i with *inst, and updates its range and the use counts. */
void fragprog_put(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                  const struct fragprog_inst *inst);
/* Like fragprog_put, for an instruction whose result before scale and clamp is the number x. */
void fragprog_put_number(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                         const struct fragprog_inst *inst, double x);

#endif
