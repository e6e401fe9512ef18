/* Constant compaction: which scalar of which constant lies in which lane of which slot (notes/alloc.md)
 *
 * Works on plain data, for any program: slots of four scalars as the program has them, and its operands that
 * read them. What uploads constants fills each lane of the new slots from where the layout says.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; one
 * thread an object.
 */
#ifndef FRAGPROG_CONSTANTS_H
#define FRAGPROG_CONSTANTS_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fragprog;
struct fragprog_reason;

enum fragprog_constants_layout {
    /* Slots read as vectors first, in their order, lanes unmoved, then external scalars in lanes that are
     * left; immediates in the order of the reads: vectors as they are, scalars where their value already is,
     * else in lanes that are left (notes/alloc.md) */
    FRAGPROG_CONSTANTS_SEED,
    /* the same with all immediate vectors before all immediate scalars */
    FRAGPROG_CONSTANTS_VECTORS_FIRST,
    /* Fewest slots: vectors move and share slots as far as every reader's swizzle stays native, and are read
     * lane by lane where that saves a slot. Never more slots than the other two. */
    FRAGPROG_CONSTANTS_BEST
};

struct fragprog_constants_slot {
    float value[4];   /* of an immediate */
    uint8_t external; /* uploaded: its values are not known here */
    uint8_t relative; /* read by a computed address */
};

/* One operand. The unread of the four channels mean nothing. */
struct fragprog_constants_read {
    uint16_t slot;
    uint8_t channels; /* bit c: channel c is read */
    uint8_t lane[4];  /* by channel: FRAGPROG_X..W of the slot, or FRAGPROG_ZERO, ONE, HALF */
    /* the reader cannot negate what it reads; nor is it read lane by lane */
    uint8_t keep_sign;
};

struct fragprog_constants_target {
    /* What the first three channels of an operand can select, FRAGPROG_X..W, ZERO, ONE, HALF each; the fourth
     * selects any lane. Replications of X..W must be among them. NULL: any selection. */
    const uint8_t (*native)[3];
    uint8_t nnative;
    uint8_t inlined; /* bits 0, 1, 2: an operand has 0, 1, 1/2 without a constant */
    uint8_t negate;  /* 1: an operand can negate all of its channels together */
};

struct fragprog_constants_request {
    const struct fragprog_constants_slot *slot; /* external ones before immediates, if rows are printed */
    const struct fragprog_constants_read *read; /* in the order of the program */
    uint32_t nslots, nreads;                    /* at most 16,384 slots */
    const struct fragprog_constants_target *target;
    uint8_t layout; /* enum fragprog_constants_layout */
    uint8_t mix;    /* external and immediate lanes may share a slot */
    /* Slots that there are; 0: as few as can be. With a limit no vector is read lane by lane unless it would
     * not fit otherwise. */
    uint32_t limit;
    /* of the search, in units of a slot looked at for a vector; 0: FRAGPROG_CONSTANTS_WORK. Past it `best` is
     * the best found. */
    uint32_t work;
};
#define FRAGPROG_CONSTANTS_WORK 400000u

/* A lane of a new slot. */
struct fragprog_constants_lane {
    uint8_t kind;  /* FRAGPROG_CONSTANTS_UNUSED, EXTERNAL: lane of slot, IMMEDIATE: value */
    uint8_t lane;  /* also of an immediate: where the program has this value, or its negative */
    uint16_t slot; /* (0xffff: as a literal only) */
    float value;
};
enum { FRAGPROG_CONSTANTS_UNUSED, FRAGPROG_CONSTANTS_EXTERNAL, FRAGPROG_CONSTANTS_IMMEDIATE };

/* What an operand reads now: by channel the new slot and lane, or FRAGPROG_ZERO, ONE, HALF and no slot. */
struct fragprog_constants_use {
    uint16_t slot[4];
    uint8_t lane[4];
    uint8_t negate;     /* bit c: channel c reads the negative of that */
    uint8_t scalarised; /* a vector of which each channel is read by itself */
};

struct fragprog_constants {
    /* Filled; both are the caller's: nslots + nreads + 1 slots and nreads uses. */
    struct fragprog_constants_lane (*slot)[4];
    struct fragprog_constants_use *use;
    uint32_t nslots;
    /* lower_bound: no layout has fewer slots, even if every vector is read lane by lane (and with relative
     * addressing every slot may move). lanes: different scalars that operands do not encode. */
    uint32_t lower_bound, lanes;
    uint32_t scalarised; /* operands */
    /* no layout is better: fewer slots (the limit's at least), then fewer channels read by themselves */
    uint8_t proved;
};

/* Chips of a colour and an alpha half with few selections of lanes: R300 to R420. */
TEXENV_API extern const struct fragprog_constants_target fragprog_constants_pairs;
/* The constants of a program as slots, p->nkonst of them, and the operands that read some, in order: how many
 * there are; at most room are written. A constant has all its channels external or none. */
TEXENV_API void fragprog_constants_slots(struct fragprog_constants_slot *slot, const struct fragprog *p);
TEXENV_API uint32_t fragprog_constants_reads(struct fragprog_constants_read *read, uint32_t room,
                                             const struct fragprog *p);
/* Bytes of scratch, aligned as for any object. */
TEXENV_API size_t fragprog_constants_scratch(uint32_t nslots, uint32_t nreads);
/* Places the constants that are read. False with *why if they exceed the limit; *out is filled all the same.
 * With relative addressing all external slots, and the immediates that are addressed relatively, come first
 * and unchanged. */
TEXENV_API bool fragprog_constants_compact(struct fragprog_constants *out,
                                           const struct fragprog_constants_request *request, void *scratch,
                                           struct fragprog_reason *why);

#ifdef __cplusplus
}
#endif
#endif
