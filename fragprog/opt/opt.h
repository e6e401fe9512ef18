/* The passes of the optimiser, and what they share. Internal to fragprog. */
#ifndef FRAGPROG_OPT_H
#define FRAGPROG_OPT_H

#include "fragprog/algebra/replace.h"

/* Reports that a rule was applied to an instruction of this unit. */
static inline void fragprog_fired(const struct fragprog_opt *opt, const char *rule, int unit)
{
    if (opt->fired)
        opt->fired(opt->user, rule, unit);
}

/* The passes; each returns true if it changed an instruction. opt->ranges is set. For passes that process one
 * instruction i, it has the ranges of the values up to i and the use counts. */
bool fragprog_opt_constant(struct fragprog *p, const struct fragprog_opt *opt, unsigned i);
bool fragprog_opt_forward(struct fragprog *p, const struct fragprog_opt *opt, unsigned i);
bool fragprog_opt_rules(struct fragprog *p, const struct fragprog_opt *opt, unsigned i);
bool fragprog_opt_absorb(struct fragprog *p, const struct fragprog_opt *opt, unsigned i);
bool fragprog_opt_window(struct fragprog *p, const struct fragprog_opt *opt, unsigned i);
bool fragprog_opt_cse(struct fragprog *p, const struct fragprog_opt *opt);
bool fragprog_opt_fold(struct fragprog *p, const struct fragprog_opt *opt);

#endif
