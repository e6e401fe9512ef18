/* Range analysis: the interval of possible values of each channel. Internal to fragprog. */
#ifndef FRAGPROG_RANGE_H
#define FRAGPROG_RANGE_H

#include "fragprog/algebra/affine.h"
#include "fragprog/algebra/interval.h"
#include "fragprog/inst.h"

/* The ranges of each value and channel, for inputs in [0,1] (notes/numbers.md): raw after the scale and
 * before the clamp, out after the clamp. */
struct fragprog_ranges {
    struct fragprog_interval (*raw)[4], (*out)[4];
    uint8_t *flags; /* for each value: FRAGPROG_EVEN | ... */
    /* Upper bound on the number of sources and results that read each value; 0 means that it is dead. Uses by
     * instructions that fragprog_put found to be dead are not counted. */
    uint32_t *uses;
    /* A hash table of the instructions of unbounded programs, whose length is unlimited; else NULL. */
    uint32_t *table;
    uint32_t table_mask;
};

enum {
    FRAGPROG_EVEN = 1, /* all channels of the value have the same ranges, which are then stored in all four */
    FRAGPROG_UNIT = 2, /* FRAGPROG_EVEN holds, and the range after the clamp is [0,1] */
    FRAGPROG_POINT = 4 /* after the clamp the value is one number, the same in all channels */
};

/* Finds the range of value i. The ranges of the values that it reads must be known. */
void fragprog_find_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i);
/* Finds the ranges of all values. */
void fragprog_find_ranges(struct fragprog_ranges *r, const struct fragprog *p);

/* Parts of fragprog_find_range: fragprog_compute_range handles instructions that unit_range.c does not cover,
 * and fragprog_put_range stores x as the range of all channels before scale and clamp. */
void fragprog_compute_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i);
void fragprog_put_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i,
                        struct fragprog_interval x);
/* Returns true if all channels of the constant are environment colours or parameters in [0,1]. */
static inline bool fragprog_is_unit_constant(const struct fragprog_const *k)
{
    return (uint32_t)k->origin[0].unit < FRAGPROG_ORIGINS && (uint32_t)k->origin[1].unit < FRAGPROG_ORIGINS &&
        (uint32_t)k->origin[2].unit < FRAGPROG_ORIGINS && (uint32_t)k->origin[3].unit < FRAGPROG_ORIGINS;
}

/* Returns the range of lane `lane` of a source, with its modifiers. */
struct fragprog_interval fragprog_src_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                            const struct fragprog_src *src, unsigned lane);

/* Returns the range of an instruction's result before scale and clamp. */
struct fragprog_interval fragprog_op_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                           const struct fragprog_inst *inst, unsigned channel);

/* Like fragprog_op_range, for an instruction whose result has the same range in all channels and whose
 * sources have one range each in all lanes that are read. Returns false for other instructions. */
bool fragprog_even_range(const struct fragprog_ranges *r, const struct fragprog *p,
                         const struct fragprog_inst *inst, struct fragprog_interval *range);

/* Returns true if range analysis gives the same result in channels b and c: their sources have the same
 * modifiers and equal ranges. With same_sources, b and c must also read either their own lane or the same
 * lane of each source, so that sources which occur twice in one channel also occur twice in the other. */
bool fragprog_channels_alike(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, bool same_sources, unsigned b, unsigned c);

/* Represents infinity in ranges of unbounded programs: see unbounded_range.c. */
#define FRAGPROG_ANY 1e30
/* Implements fragprog_op_range for unbounded programs. */
struct fragprog_interval fragprog_unbounded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                                                  const struct fragprog_inst *inst, unsigned channel);
/* Rounds x outwards to a range of unbounded programs. */
struct fragprog_interval fragprog_interval_snap(struct fragprog_interval x);

/* Returns the range of a factor of a formula (fragprog/algebra/formula.h), given the ranges of the
 * arguments. */
struct fragprog_interval fragprog_factor_range(unsigned factor, const struct fragprog_interval *args);

#endif
