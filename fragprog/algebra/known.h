/* Ranges that are kept while passes change the program: what has changed, and what need not be looked at
 * again. Internal to fragprog. */
#ifndef FRAGPROG_KNOWN_H
#define FRAGPROG_KNOWN_H

#include "fragprog/algebra/range.h"

/* Walks of passes over the program (fragprog/passes.c). They look at an instruction, what it reads and what
 * that reads, and need not look again before something changes there. */
enum { FRAGPROG_WALKS = 3 };

/* When something was: times go up (fragprog_ranges.now), 0 is never. */
struct fragprog_known {
    uint32_t found;                   /* its range was found; 0: not since its instruction is another */
    uint32_t changed;                 /* its range became another */
    uint32_t touched;                 /* its instruction, its range or who reads it changed */
    uint32_t settled[FRAGPROG_WALKS]; /* a walk found nothing to do there */
};

/* Over memory of fragprog_passes_scratch bytes: for a program of so many instructions (at least
 * FRAGPROG_TEXENV_INSTS are taken), unbounded or not. No range is there. */
struct fragprog_ranges *fragprog_ranges_over(void *scratch, const struct fragprog *p);
/* From here on it is kept what is known of values. Nothing is. */
void fragprog_follow_changes(struct fragprog_ranges *r, const struct fragprog *p);

/* Nothing is known any more (a constant has changed). */
void fragprog_forget_ranges(struct fragprog_ranges *r, const struct fragprog *p);
/* Finds the range of value i unless it is known already. Passes walk forward and call this behind them. */
void fragprog_find_unknown_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i);
static inline void fragprog_find_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    if (r->known)
        fragprog_find_unknown_range(r, p, i);
    else
        fragprog_renew_range(r, p, i, false);
}
/* Instruction i is another one than when its range was found. */
static inline void fragprog_mark_changed(struct fragprog_ranges *r, unsigned i)
{
    if (r->known)
        r->known[i].found = 0;
}
/* While dead instructions go: value `from`, whose instruction may have other numbers of values and constants
 * now but no other meaning, moves to `to` <= from. */
void fragprog_move_range(struct fragprog_ranges *r, unsigned from, unsigned to);
/* The instruction reads its sources no longer, or since now: what depends on how often they are read may look
 * again. */
void fragprog_touch_sources(struct fragprog_ranges *r, const struct fragprog_inst *inst);

/* Nothing that the walk asks about instruction i has changed since it was told (fragprog_settle) that nothing
 * is to be done. find_range comes first. */
bool fragprog_is_settled(const struct fragprog_ranges *r, const struct fragprog *p, unsigned walk,
                         unsigned i);
static inline void fragprog_settle(struct fragprog_ranges *r, unsigned walk, unsigned i)
{
    if (r->known)
        r->known[i].settled[walk] = r->now;
}

/* Counts how often values are read (r->uses). */
void fragprog_count_uses(struct fragprog_ranges *r, const struct fragprog *p);
/* The instruction reads nothing any more, nor does what only it read. */
void fragprog_drop_uses(struct fragprog_ranges *r, const struct fragprog *p,
                        const struct fragprog_inst *inst);
/* Puts *inst in the place of instruction i, and keeps the counts and the ranges right. */
void fragprog_put(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                  const struct fragprog_inst *inst);
/* The same of an instruction that makes the number x, before scale and clamp. */
void fragprog_put_number(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                         const struct fragprog_inst *inst, double x);

#endif
