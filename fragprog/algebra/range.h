/* What values a program's channels can take. Internal to fragprog. */
#ifndef FRAGPROG_RANGE_H
#define FRAGPROG_RANGE_H

#include "fragprog/algebra/affine.h"
#include "fragprog/algebra/interval.h"
#include "fragprog/inst.h"

/* For each value and channel: before its clamp (after the scale), and after it. Over inputs in [0,1]
 * (notes/numbers.md). */
struct fragprog_ranges {
    struct fragprog_interval (*raw)[4], (*out)[4];
    uint8_t *flags; /* of each value: FRAGPROG_EVEN ... */
    /* How many sources and results read a value, or more; never too few. 0: it is dead. Instructions that are
     * dead are not counted, where that was seen (fragprog_put). */
    uint32_t *uses;
    /* Of unbounded programs, whose length has no limit, a hash table of the instructions; else NULL. */
    uint32_t *table;
    uint32_t table_mask;
};

enum {
    FRAGPROG_EVEN = 1, /* all channels that it has have the same ranges, which stand in all four then */
    FRAGPROG_UNIT = 2, /* and after the clamp that is [0,1] */
    FRAGPROG_POINT = 4 /* after the clamp it is one number, the same in all of them */
};

/* Finds the range of value i; ranges of the values that it reads must be there. */
void fragprog_find_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i);
/* Of all values, from nothing. */
void fragprog_find_ranges(struct fragprog_ranges *r, const struct fragprog *p);

/* The parts of fragprog_find_range: where it is not one of unit_range.c; and the range x in all channels,
 * before scale and clamp. */
void fragprog_compute_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i);
void fragprog_put_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i,
                        struct fragprog_interval x);
/* The constant is an environment colour or parameter in all channels. */
static inline bool fragprog_is_unit_constant(const struct fragprog_const *k)
{
    return (uint32_t)k->origin[0].unit < FRAGPROG_ORIGINS && (uint32_t)k->origin[1].unit < FRAGPROG_ORIGINS &&
        (uint32_t)k->origin[2].unit < FRAGPROG_ORIGINS && (uint32_t)k->origin[3].unit < FRAGPROG_ORIGINS;
}

/* Of lane `lane` of a source, modifiers applied. */
struct fragprog_interval fragprog_src_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                            const struct fragprog_src *src, unsigned lane);

/* Of an instruction's result before scale and clamp. */
struct fragprog_interval fragprog_op_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                           const struct fragprog_inst *inst, unsigned channel);

/* fragprog_op_range where it is the same in all channels, and each source has one range in all lanes that are
 * read. False: it is not so simple. */
bool fragprog_even_range(const struct fragprog_ranges *r, const struct fragprog *p,
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
