/* The pipeline on one screen. */
#include "fragprog/opt/opt.h"

const struct fragprog_pass fragprog_passes[] = {
    {"dead", "pass 1: remove stages and texture reads that do not reach the result, colour and alpha apart",
     0, fragprog_opt_dead},
    {"fold", "with --fold-constants: environment colours by value", 1, fragprog_opt_fold},
    {"constant", "values that can only be 0, 1/2 or 1 become literals", 1, fragprog_opt_constant},
    {"forward", "readers of copies read what was copied, modifiers composed", 1, fragprog_opt_forward},
    {"rules", "the rewrite rules of rules.def", 1, fragprog_opt_rules},
    {"absorb", "copies that scale or clamp become part of what they copy", 1, fragprog_opt_absorb},
    {"window", "two instructions that compute what one can say, by their polynomials", 2,
     fragprog_opt_window},
    {"respell", "three instructions that compute what two can say", 2, fragprog_opt_respell},
    {"cse", "equal instructions become one", 1, fragprog_opt_cse},
    {NULL, NULL, 0, NULL}};

/* Every rewrite leaves the program with fewer instructions, cheaper operations or fewer readers of copies, so
 * the rounds end by themselves; the bound is for programs read as text. */
enum { MOST_ROUNDS = 64 };

void fragprog_optimise(struct fragprog *p, const struct fragprog_opt *opt, void *scratch)
{
    struct fragprog_opt o = *opt;
    /* How many changes there had been when a row last found nothing to do. */
    uint32_t changes = 1, idle[sizeof fragprog_passes / sizeof *fragprog_passes] = {0};
    bool changed = true;
    if (p->ninst > FRAGPROG_TEXENV_INSTS && !p->unbounded)
        o.level = 0; /* the rewriting passes keep tables of that size */
    else
        o.ranges = fragprog_ranges_over(scratch, p);
    if (p->unbounded && o.level > 1)
        o.level = 1; /* the others reason about polynomials of inputs in [0,1] */
    for (unsigned round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (unsigned n = 0; fragprog_passes[n].name; n++) {
            const struct fragprog_pass *pass = &fragprog_passes[n];
            const unsigned constants = p->nkonst;
            if (pass->level > o.level || o.skip >> n & 1 || (pass->level == 2 && changed))
                continue; /* the costly rows wait until the others have nothing left to do */
            if (idle[n] == changes)
                continue;
            if (pass->run(p, &o)) {
                changed = true;
                changes++;
            } else {
                idle[n] = changes;
                /* A constant that nobody reads any more goes without making work for other rows. */
                if (round > 0 && p->nkonst == constants)
                    continue;
            }
            if (o.after)
                o.after(o.user, pass, p);
        }
        if (o.level == 0)
            break;
    }
}
