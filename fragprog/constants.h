/* Constant compaction: packs the scalars of all constants into as few slots of four lanes as possible
 * (notes/alloc.md).
 *
 * It works on plain data and is independent of the IR. The input is the program's slots of four scalars and
 * the operands that read them. The output says for each lane of the new slots where its value comes from, so
 * that the code that uploads constants can fill it.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; an
 * object may be used by one thread at a time. */
#ifndef FRAGPROG_CONSTANTS_H
#define FRAGPROG_CONSTANTS_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fragprog;
struct fragprog_reason;

enum fragprog_constants_layout {
    /* External slots that are read as vectors come first, in their order and with unchanged lanes, then
     * external scalars in the free lanes; then immediates in the order of the reads: vectors unchanged,
     * scalars in a lane that has their value already, or else in a free lane (notes/alloc.md). */
    FRAGPROG_CONSTANTS_SEED,
    /* Like FRAGPROG_CONSTANTS_SEED, but all immediate vectors precede all immediate scalars. */
    FRAGPROG_CONSTANTS_VECTORS_FIRST,
    /* Fewest slots: vectors are moved, and share slots, as far as the swizzles of all reading operands stay
     * native. A vector is read lane by lane where that saves a slot. The result never has more slots than the
     * other two layouts. */
    FRAGPROG_CONSTANTS_BEST
};

struct fragprog_constants_slot {
    float value[4];   /* only for immediates */
    uint8_t external; /* the slot is uploaded, so its values are not known here */
    uint8_t relative; /* the slot is read by relative addressing */
};

/* An operand that reads a slot. Channels that are not read have no meaning. */
struct fragprog_constants_read {
    uint16_t slot;
    uint8_t channels; /* bit c: channel c is read */
    uint8_t lane[4];  /* for each channel: FRAGPROG_X..W of the slot, or FRAGPROG_ZERO, ONE, HALF */
    /* the operand can be neither negated nor read lane by lane */
    uint8_t keep_sign;
};

struct fragprog_constants_target {
    /* The swizzles that the first three channels of an operand support, each channel FRAGPROG_X..W, ZERO, ONE
     * or HALF; the fourth channel may select any lane. Replications of X..W must be among them. NULL: any
     * swizzle. */
    const uint8_t (*native)[3];
    uint8_t nnative;
    uint8_t inlined; /* bits 0, 1, 2: an operand can encode 0, 1, 1/2 itself, without a constant */
    uint8_t negate;  /* 1: an operand can negate all of its channels together */
};

struct fragprog_constants_request {
    const struct fragprog_constants_slot *slot; /* external slots first, if the layout is to be printed */
    const struct fragprog_constants_read *read; /* in the order of the program */
    uint32_t nslots, nreads;                    /* at most 16,384 slots */
    const struct fragprog_constants_target *target;
    uint8_t layout; /* enum fragprog_constants_layout */
    uint8_t mix;    /* external and immediate lanes may share a slot */
    /* The number of available slots; 0: as few as possible. With a limit, a vector is read lane by lane only
     * if the constants do not fit otherwise. */
    uint32_t limit;
    /* Bound on the search, counted in slots tried for a vector; 0: FRAGPROG_CONSTANTS_WORK. A search that
     * exceeds it returns its best result so far. */
    uint32_t work;
};
#define FRAGPROG_CONSTANTS_WORK 400000u

/* One lane of a new slot. */
struct fragprog_constants_lane {
    /* FRAGPROG_CONSTANTS_UNUSED, EXTERNAL: the value is `lane` of input slot `slot`, IMMEDIATE: `value` */
    uint8_t kind;
    uint8_t lane;  /* for an immediate as well: an input lane with this value or its negative */
    uint16_t slot; /* 0xffff: the value occurs as a literal only */
    float value;
};
enum { FRAGPROG_CONSTANTS_UNUSED, FRAGPROG_CONSTANTS_EXTERNAL, FRAGPROG_CONSTANTS_IMMEDIATE };

/* What an operand reads after compaction: for each channel a new slot and lane, or FRAGPROG_ZERO, ONE, HALF
 * without a slot. */
struct fragprog_constants_use {
    uint16_t slot[4];
    uint8_t lane[4];
    uint8_t negate;     /* bit c: channel c reads the negated value */
    uint8_t scalarised; /* the operand is a vector whose channels are read separately */
};

struct fragprog_constants {
    /* Result arrays, allocated by the caller: nslots + nreads + 1 slots and nreads uses. */
    struct fragprog_constants_lane (*slot)[4];
    struct fragprog_constants_use *use;
    uint32_t nslots;
    /* lower_bound: no layout has fewer slots, not even one that reads every vector lane by lane (or, with
     * relative addressing, moves every slot). lanes: number of distinct scalars that operands cannot encode
     * themselves. */
    uint32_t lower_bound, lanes;
    uint32_t scalarised; /* number of operands that are read lane by lane */
    /* The layout is proven to be optimal: no other layout has fewer slots (with a limit: fewer slots in
     * excess of it), and none with as few slots reads fewer channels separately. */
    uint8_t proved;
};

/* Chips with separate colour and alpha instructions and few native swizzles: R300 to R420. */
TEXENV_API extern const struct fragprog_constants_target fragprog_constants_pairs;
/* Convert the p->nkonst constants of a program to slots, and list the operands that read them in order.
 * fragprog_constants_reads returns the number of operands; at most room of them are written. The channels of
 * a constant must be all external or all immediate. */
TEXENV_API void fragprog_constants_slots(struct fragprog_constants_slot *slot, const struct fragprog *p);
TEXENV_API uint32_t fragprog_constants_reads(struct fragprog_constants_read *read, uint32_t room,
                                             const struct fragprog *p);
/* Returns the bytes of scratch memory, which is aligned as for any object. */
TEXENV_API size_t fragprog_constants_scratch(uint32_t nslots, uint32_t nreads);
/* Places the constants that are read. Returns false with *why if they exceed the limit; *out is filled in
 * that case, too. With relative addressing all external slots, and the immediates that are addressed
 * relatively, come first and unchanged. */
TEXENV_API bool fragprog_constants_compact(struct fragprog_constants *out,
                                           const struct fragprog_constants_request *request, void *scratch,
                                           struct fragprog_reason *why);

#ifdef __cplusplus
}
#endif
#endif
