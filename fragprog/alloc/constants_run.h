/* Data structures of constant compaction. Internal to fragprog/alloc.
 *
 * The contents of a lane are encoded as a *cell*: twice the number of a scalar, plus 1 for its negative.
 * The number of an external lane is 4*slot + lane. An immediate has the number of the first lane with the
 * same value (or the negated value, if the target can negate), and 0, 1, 1/2 have the last three numbers. */
#ifndef FRAGPROG_CONSTANTS_RUN_H
#define FRAGPROG_CONSTANTS_RUN_H

#include "fragprog/constants.h"

#include <string.h>

#define CONSTANTS_NONE UINT32_MAX /* an empty lane; no slot */

enum constants_kind {
    CONSTANTS_VECTOR, /* several lanes of one slot */
    CONSTANTS_SINGLE, /* one scalar, which may be in any lane */
    CONSTANTS_INLINE, /* all channels are inline literals, so nothing is stored */
    CONSTANTS_PINNED  /* reads a pinned slot, which must not be changed */
};

/* A demand: a set of operands that read the same cells. */
struct constants_demand {
    uint32_t cell[4]; /* indexed by channel */
    uint8_t channels, keep_sign, external;
    uint8_t kind;
    uint8_t forced; /* set by the search: the vector must be read lane by lane */
    uint32_t read;  /* the first operand of the demand */
    uint32_t cost;  /* of scalarising it: number of additional single-channel reads */
    uint32_t slot;  /* slot of a placed vector; CONSTANTS_NONE: scalarised */
    uint32_t best;  /* `slot` in the best layout so far */
};

struct constants_run {
    const struct fragprog_constants_request *q;
    bool relative; /* some slot is read by relative addressing */
    uint32_t nids;
    uint32_t *id;     /* number of the scalar in each lane of the program's slots; CONSTANTS_NONE: not read */
    uint32_t *sorted; /* immediate lanes that are read, sorted by magnitude */
    uint32_t nsorted;
    uint8_t *used;   /* lanes of each slot that are read */
    uint8_t *vector; /* lanes of each slot that are read as part of a vector */
    /* new index of each slot that is copied as a whole (greedy layouts, pinned slots), or CONSTANTS_NONE */
    uint32_t *new_slot;
    struct constants_demand *demand;
    uint32_t ndemands;
    uint32_t *demand_of; /* demand of each operand */
    uint32_t *list;      /* temporary list of demands or operands */
    uint32_t *order;     /* the first operand of each demand, in program order */
    uint32_t *room;      /* temporary memory for sorting */
    /* The new layout: */
    uint32_t (*cell)[4]; /* indexed by new slot */
    uint8_t *external;   /* indexed by new slot: 1 external, 0 immediate, 2 both allowed */
    uint32_t nslots;
    uint32_t *where; /* indexed by cell: 4*slot + lane, or CONSTANTS_NONE */
    uint32_t *need;  /* indexed by scalar: demands for this scalar alone */
    uint32_t *count; /* indexed by scalar: lanes that hold it */
    uint32_t *todo;  /* indexed by scalar: vectors with this scalar that are not yet placed */
    uint8_t *mark;   /* indexed by scalar: temporary flags, 0 between calls */
    /* The state of the search (constants_search.c): */
    uint32_t (*best)[4];
    struct constants_level *level;
};

/* Returns the number of the scalar 0; those of 1 and 1/2 follow. */
static inline uint32_t constants_literal(const struct constants_run *r) { return r->nids - 3; }
static inline bool constants_inline(const struct constants_run *r, uint32_t id)
{
    return id >= constants_literal(r) && r->q->target->inlined >> (id - constants_literal(r)) & 1;
}
static inline bool constants_is_external(const struct constants_run *r, uint32_t id)
{
    return id < constants_literal(r) && r->q->slot[id / 4].external;
}

/* Returns 1 if the cell of an immediate lane is the negative of its scalar. */
static inline uint32_t constants_sign(const struct constants_run *r, uint32_t slot, unsigned lane)
{
    uint32_t bits;
    memcpy(&bits, &r->q->slot[slot].value[lane], sizeof bits);
    return !r->q->slot[slot].external && r->q->target->negate ? bits >> 31 : 0;
}

/* ---- constants_place.c ---- */

/* One possible placement of a demand in a slot. */
struct constants_placed {
    uint32_t cell[4]; /* contents of the slot after the placement */
    uint8_t lane[4];  /* indexed by channel; FRAGPROG_ZERO or above: inline */
    uint8_t negate;   /* bit c: channel c is negated */
    uint8_t added;    /* number of lanes that were empty before */
};
/* Return the number of placements to try, and compute the n-th one in a slot with these cells.
 * fragprog_constants_place returns false if that placement is impossible. */
unsigned fragprog_constants_variants(const struct constants_run *r, const struct constants_demand *d);
bool fragprog_constants_place(const struct constants_run *r, const struct constants_demand *d,
                              const uint32_t cell[4], unsigned n, struct constants_placed *to);
/* Finds a placement that adds no lane. */
bool fragprog_constants_place_free(const struct constants_run *r, const struct constants_demand *d,
                                   const uint32_t cell[4], struct constants_placed *to);
extern const uint32_t fragprog_constants_empty[4];
/* Returns true if the scalar is inline or stored in some lane, with a sign that the demand can read. */
bool fragprog_constants_present(const struct constants_run *r, const struct constants_demand *d,
                                uint32_t cell);
/* Stores the cell in lane `lane` of a new slot. */
void fragprog_constants_put(struct constants_run *r, uint32_t slot, unsigned lane, uint32_t cell);
/* Adds a slot for scalars of a kind: 1 external, 0 immediate, 2 both. */
uint32_t fragprog_constants_new_slot(struct constants_run *r, unsigned external);
/* Stores the cell in the first empty lane of that kind in slots *first and above, or in a new slot. Advances
 * *first past full slots. */
void fragprog_constants_put_anywhere(struct constants_run *r, uint32_t *first, uint32_t cell,
                                     unsigned external);

/* fragprog_constants_key returns equal keys for equal immediates. fragprog_constants_literal_of returns the
 * number of the scalar 0, 1 or 1/2 if `value` is one of them, else CONSTANTS_NONE. */
uint32_t fragprog_constants_key(const struct constants_run *r, float value);
uint32_t fragprog_constants_literal_of(const struct constants_run *r, float value);

/* ---- constants_greedy.c ---- */

void fragprog_constants_in_order(struct constants_run *r, bool vectors_first);

/* ---- constants_search.c ---- */

/* The result of a search. `external` selects demands: 1 external, 0 immediate, 2 all. */
struct constants_found {
    uint32_t slots, cost;
    bool proved;
};
/* Places first vectors and then scalars of a kind in new slots. Minimises first the number of slots in excess
 * of `limit`, then the cost, then the number of slots. least: a lower bound on the slots. */
struct constants_found fragprog_constants_search(struct constants_run *r, unsigned external, uint32_t limit,
                                                 uint32_t least);
/* Returns a lower bound on the lanes for this kind. */
uint32_t fragprog_constants_least_lanes(struct constants_run *r, unsigned external);

struct constants_level {
    uint32_t demand, slot; /* the slot in which the demand is placed, or CONSTANTS_NONE */
    uint32_t before[4];    /* contents of the slot before that */
    uint32_t at;           /* the next slot to try */
    uint16_t variant;      /* the next placement to try in that slot */
    uint8_t added;         /* number of lanes that the placements being tried add */
    uint8_t opened, applied, done;
};

#endif
