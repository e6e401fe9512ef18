/* What the parts of constant compaction share. Internal to fragprog/alloc.
 *
 * A *cell* is what a lane holds: twice the number of a scalar, plus 1 for its negative. Scalars are numbered
 * so that what may stand for each other has one number: an external lane is 4*slot + lane, an immediate the
 * first lane that has its value (or the value's negative, where the target negates), and 0, 1, 1/2 have the
 * last three numbers. */
#ifndef FRAGPROG_CONSTANTS_RUN_H
#define FRAGPROG_CONSTANTS_RUN_H

#include "fragprog/constants.h"

#include <string.h>

#define CONSTANTS_NONE UINT32_MAX /* an empty lane; no slot */

enum constants_kind {
    CONSTANTS_VECTOR, /* several lanes of one slot */
    CONSTANTS_SINGLE, /* one scalar, wherever it is */
    CONSTANTS_INLINE, /* nothing is stored for it */
    CONSTANTS_PINNED  /* reads a slot that stays as it is */
};

/* Operands that want the same. */
struct constants_demand {
    uint32_t cell[4]; /* by channel */
    uint8_t channels, keep_sign, external;
    uint8_t kind;
    uint8_t forced; /* the search reads it lane by lane */
    uint32_t read;  /* the first operand of them */
    uint32_t cost;  /* if scalarised: channels that are read one by one, without the first of each operand */
    uint32_t slot;  /* where it lies; CONSTANTS_NONE: scalarised */
    uint32_t best;  /* the same, of the best layout so far */
};

struct constants_run {
    const struct fragprog_constants_request *q;
    bool relative; /* some slot is read by a computed address */
    uint32_t nids;
    uint32_t *id;     /* of each lane of the program's slots; CONSTANTS_NONE: not read */
    uint32_t *sorted; /* immediate lanes that are read, by magnitude */
    uint32_t nsorted;
    uint8_t *used;      /* lanes of each slot that are read */
    uint8_t *vector;    /* of these, the ones read in a vector */
    uint32_t *new_slot; /* of each slot that lies as a whole, for the two rules in order; CONSTANTS_NONE */
    struct constants_demand *demand;
    uint32_t ndemands;
    uint32_t *demand_of; /* of each read */
    uint32_t *list;      /* room for an order of demands, or of reads */
    uint32_t *order;     /* the first read of each demand, in the order of the program */
    uint32_t *room;      /* for sorting */
    /* the new layout */
    uint32_t (*cell)[4]; /* by new slot */
    uint8_t *external;   /* by new slot: 1 external, 0 immediate, 2 both may be in it */
    uint32_t nslots;
    uint32_t *where; /* by cell: 4*slot + lane, or CONSTANTS_NONE */
    uint32_t *need;  /* by scalar: demands for it alone */
    uint32_t *count; /* by scalar: lanes that hold it */
    uint32_t *todo;  /* by scalar: vectors not yet placed that hold it */
    uint8_t *mark;   /* by scalar: for use inside of one function; 0 between calls */
    /* the search's (constants_search.c) */
    uint32_t (*best)[4];
    struct constants_level *level;
};

/* The numbers of 0, 1, 1/2 follow this. */
static inline uint32_t constants_literal(const struct constants_run *r) { return r->nids - 3; }
static inline bool constants_inline(const struct constants_run *r, uint32_t id)
{
    return id >= constants_literal(r) && r->q->target->inlined >> (id - constants_literal(r)) & 1;
}
static inline bool constants_is_external(const struct constants_run *r, uint32_t id)
{
    return id < constants_literal(r) && r->q->slot[id / 4].external;
}

/* The sign that makes a cell of the number of an immediate lane. */
static inline uint32_t constants_sign(const struct constants_run *r, uint32_t slot, unsigned lane)
{
    uint32_t bits;
    memcpy(&bits, &r->q->slot[slot].value[lane], sizeof bits);
    return !r->q->slot[slot].external && r->q->target->negate ? bits >> 31 : 0;
}

/* ---- constants_place.c ---- */

/* One way for a demand to lie in a slot. */
struct constants_placed {
    uint32_t cell[4]; /* the slot after it */
    uint8_t lane[4];  /* by channel; FRAGPROG_ZERO.. : inline */
    uint8_t negate;   /* by channel */
    uint8_t added;    /* lanes of the slot that were empty before */
};
/* How many ways there are to try, and the n-th in a slot with these cells; false: it does not go. */
unsigned fragprog_constants_variants(const struct constants_run *r, const struct constants_demand *d);
bool fragprog_constants_place(const struct constants_run *r, const struct constants_demand *d,
                              const uint32_t cell[4], unsigned n, struct constants_placed *to);
/* A way that adds no lane. */
bool fragprog_constants_place_free(const struct constants_run *r, const struct constants_demand *d,
                                   const uint32_t cell[4], struct constants_placed *to);
extern const uint32_t fragprog_constants_empty[4];
/* The scalar lies somewhere, or is inline, as this demand can read it. */
bool fragprog_constants_present(const struct constants_run *r, const struct constants_demand *d,
                                uint32_t cell);
/* Puts the cell into lane `lane` of a new slot. */
void fragprog_constants_put(struct constants_run *r, uint32_t slot, unsigned lane, uint32_t cell);
/* A new slot for these scalars (1 external, 0 immediate, 2 both). */
uint32_t fragprog_constants_new_slot(struct constants_run *r, unsigned external);
/* The cell goes into the first empty lane of slots first.. for its kind, else into a new one. *first moves on
 * past full slots. */
void fragprog_constants_put_anywhere(struct constants_run *r, uint32_t *first, uint32_t cell,
                                     unsigned external);

/* What immediates of one number have in common; the number of 0, 1, 1/2, or CONSTANTS_NONE. */
uint32_t fragprog_constants_key(const struct constants_run *r, float value);
uint32_t fragprog_constants_literal_of(const struct constants_run *r, float value);

/* ---- constants_greedy.c ---- */

void fragprog_constants_in_order(struct constants_run *r, bool vectors_first);

/* ---- constants_search.c ---- */

/* Demands of a kind: 1 external, 0 immediate, 2 all. */
struct constants_found {
    uint32_t slots, cost;
    bool proved;
};
/* Places vectors and then scalars of a kind into new slots: first of all at most limit slots, then least
 * cost, then fewest slots. least: a lower bound. */
struct constants_found fragprog_constants_search(struct constants_run *r, unsigned external, uint32_t limit,
                                                 uint32_t least);
/* Lanes that this kind needs at least. */
uint32_t fragprog_constants_least_lanes(struct constants_run *r, unsigned external);

struct constants_level {
    uint32_t demand, slot; /* the slot it was put in; CONSTANTS_NONE: none */
    uint32_t before[4];    /* that slot's cells */
    uint32_t at;           /* next slot to try */
    uint16_t variant;      /* next way to try there */
    uint8_t added;         /* lanes that the options now tried add */
    uint8_t opened, applied, done;
};

#endif
