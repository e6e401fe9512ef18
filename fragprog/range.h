/* What values a program's channels can take. Internal to fragprog. */
#ifndef FRAGPROG_RANGE_H
#define FRAGPROG_RANGE_H

#include "fragprog/inst.h"

struct fragprog_interval { double lo, hi; };

/* For each value and channel: before its clamp (after the scale), and after it. Over inputs in [0,1] (notes/numbers.md). */
struct fragprog_ranges {
    struct fragprog_interval raw[FRAGPROG_TEXENV_INSTS][4];
    struct fragprog_interval out[FRAGPROG_TEXENV_INSTS][4];
};

/* Ranges of values first .. p->ninst - 1; those of earlier values must be there. */
void fragprog_find_ranges(struct fragprog_ranges *r, const struct fragprog *p, unsigned first);

/* Of lane `lane` of a source, modifiers applied. */
struct fragprog_interval fragprog_src_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_src *src, unsigned lane);

/* Of an instruction's result before scale and clamp. */
struct fragprog_interval fragprog_op_range(const struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst, unsigned channel);

/* May value j lose its clamp to [0,1] as far as argument s of instruction i is concerned? Either the clamp never acts, or i saturates and the result is the same wherever it
 * acts. i must read j in argument s. */
bool fragprog_clamp_droppable(const struct fragprog_ranges *r, const struct fragprog *p, unsigned j, const struct fragprog_inst *i, unsigned s);

/* 2^scale, scale from -3 to 3. */
double fragprog_power(int scale);

/* The modifiers of a source as m*x + t. */
struct fragprog_affine { double m, t; };
struct fragprog_affine fragprog_affine_of(unsigned mods);
/* Modifiers that are m*x + t; -1 if there are none. */
int fragprog_mods_of(struct fragprog_affine a);

#endif
