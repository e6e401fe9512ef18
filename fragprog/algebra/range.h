/* What values a program's channels can take. Internal to fragprog. */
#ifndef FRAGPROG_RANGE_H
#define FRAGPROG_RANGE_H

#include "fragprog/algebra/affine.h"
#include "fragprog/algebra/interval.h"
#include "fragprog/inst.h"

/* Walks of passes over the program (fragprog/passes.c). They look at an instruction, what it reads and what
 * that reads, and need not look again before something changes there. */
enum { FRAGPROG_WALKS = 3 };

/* For each value and channel: before its clamp (after the scale), and after it. Over inputs in [0,1]
 * (notes/numbers.md). */
struct fragprog_ranges {
    struct fragprog_interval (*raw)[4], (*out)[4];
    /* What they were found from: the instruction, and for each value that it reads the time at which that
     * one's range had last changed. Time 0: nothing is known. */
    struct fragprog_inst *of;
    uint32_t now, *time, (*seen)[3];
    /* When the instruction, its range or who reads it last changed, and when each walk last found nothing to
     * do there. */
    uint32_t *touched, *settled[FRAGPROG_WALKS];
    unsigned insts; /* how many there is room for */
    /* How many sources and results read a value, or more; never too few. 0: it is dead. Instructions that are
     * dead are not counted, where that was seen (fragprog_put). */
    uint16_t *uses;
    uint8_t *unit; /* bits: channels whose range after the clamp is [0,1] */
    /* Of unbounded programs, whose length has no limit, a hash table of the instructions; else NULL. */
    uint32_t *table;
    uint32_t table_mask;
};

/* Over memory of fragprog_passes_scratch bytes: for a program of so many instructions (at least
 * FRAGPROG_TEXENV_INSTS are taken), unbounded or not. Nothing is known. */
struct fragprog_ranges *fragprog_ranges_over(void *scratch, const struct fragprog *p);

/* Nothing is known yet, or any more (a constant has changed). */
void fragprog_forget_ranges(struct fragprog_ranges *r);
/* Finds the range of value i unless it is known already; ranges of the values that it reads must be there.
 * Passes walk forward and call this behind them. */
void fragprog_find_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i);
/* Of all values, from nothing. */
void fragprog_find_ranges(struct fragprog_ranges *r, const struct fragprog *p);
/* While dead instructions go: value `from`, whose instruction may have other numbers of values and constants
 * now but no other meaning, moves to `to` <= from. */
void fragprog_move_range(struct fragprog_ranges *r, const struct fragprog_inst *inst, unsigned from,
                         unsigned to);
/* Instruction i reads its sources no longer: what depends on how often they are read may look again. */
void fragprog_release_sources(struct fragprog_ranges *r, const struct fragprog_inst *inst);
/* Nothing that the walk asks about instruction i has changed since it was told (fragprog_settle) that nothing
 * is to be done. find_range comes first. */
bool fragprog_is_settled(const struct fragprog_ranges *r, const struct fragprog *p, unsigned walk,
                         unsigned i);
static inline void fragprog_settle(struct fragprog_ranges *r, unsigned walk, unsigned i)
{
    r->settled[walk][i] = r->now;
}
/* The entry was found from this very instruction. */
bool fragprog_range_is_of(const struct fragprog_ranges *r, const struct fragprog_inst *inst, unsigned i);

/* Of lane `lane` of a source, modifiers applied. */
struct fragprog_interval fragprog_src_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                            const struct fragprog_src *src, unsigned lane);

/* Of an instruction's result before scale and clamp. */
struct fragprog_interval fragprog_op_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                           const struct fragprog_inst *inst, unsigned channel);

/* The range, the same in all channels, of a result before scale and clamp whose sources are independent and
 * within [0,1]. False: it is not so simple. */
bool fragprog_simple_range(const struct fragprog_ranges *r, const struct fragprog *p,
                           const struct fragprog_inst *inst, struct fragprog_interval *range);

/* What is known of a result in channel b is known in channel c: the sources are read alike there, and have
 * the same ranges. same_sources: where a source occurs twice in one channel it does in the other, and what b
 * reads in place, c reads in place. */
bool fragprog_channels_alike(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, bool same_sources, unsigned b, unsigned c);

/* Stands for infinity in ranges of unbounded programs: see unbounded_range.c. */
#define FRAGPROG_ANY 1e30
/* fragprog_op_range of an unbounded program. */
struct fragprog_interval fragprog_unbounded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                                  const struct fragprog_inst *inst, unsigned channel);
/* x as a range of an unbounded program. */
struct fragprog_interval fragprog_interval_snap(struct fragprog_interval x);

/* What a factor of a formula (fragprog/algebra/formula.h) lies in, of the ranges of the arguments. */
struct fragprog_interval fragprog_factor_range(unsigned factor, const struct fragprog_interval *args);

#endif
