/* The scheduler for one or two passes: the dependency graph (product_order.c, graph.c), the slots of one pass
 * (slots.c, pass_search.c), registers and emission (pass_registers.c), splitting into two passes
 * (pass_split.c). Internal to fragprog. The rules are in notes/pipeline.md, "Two passes". */
#ifndef FRAGPROG_SCHEDULE_H
#define FRAGPROG_SCHEDULE_H

#include "fragprog/alloc/bits.h"
#include "fragprog/atifs/assign.h"

enum {
    FRAGPROG_MAX_NODES = 64,  /* size of a set of nodes in bits; moves that a plan adds are nodes, too */
    FRAGPROG_MAX_VALUES = 96, /* in one pass */
    FRAGPROG_MAX_SLOTS = 16,  /* a pass has 8 slots; more are tried to find out how many would suffice */
    FRAGPROG_NO_VALUE = 0xff,
    FRAGPROG_NO_NODE = 0xff,
    FRAGPROG_NO_GROUP = 0xff,
    /* Groups from here on are fixed by the plan; other groups have the number of their first value. */
    FRAGPROG_FIXED_GROUP = 0xe0
};

/* A node occupies one slot: a colour instruction, an alpha instruction, or a dot product with its companion
 * (assign.h). */
struct fragprog_node {
    uint16_t inst[2]; /* instruction in each half, or FRAGPROG_NO_INST */
    uint64_t preds;   /* nodes whose values this node reads */
};

struct fragprog_graph {
    struct fragprog p; /* the legalised program */
    struct fragprog_storage storage;
    unsigned nnodes;
    struct fragprog_node node[FRAGPROG_MAX_NODES];
    uint8_t node_of[FRAGPROG_TEXENV_INSTS];
    uint64_t readers[FRAGPROG_TEXENV_INSTS][2]; /* nodes that read the rgb or the alpha of a value */
    /* nodes that read the rgb or the alpha of the primary colour, and those that read the secondary colour */
    uint64_t primary[2], secondary;
    /* nodes that occupy the colour or the alpha half of a slot (a DOT4 occupies both) */
    uint64_t takes[2];
    uint64_t scalar; /* nodes whose colour result has equal channels */
    /* the lookup whose texel is in register n, or FRAGPROG_NO_INST */
    uint16_t texel[FRAGPROG_REGISTERS];
    uint8_t coord[FRAGPROG_REGISTERS]; /* coordinate set of that lookup */
};

/* Legalises a copy of p and builds its graph. Returns false with *why if some instruction or lookup cannot be
 * expressed. known_legal: all instructions are known to be expressible, because only the order of products
 * was changed. */
bool fragprog_make_graph(struct fragprog_graph *g, const struct fragprog *p,
                         const struct fragprog_schedule_options *options, bool known_legal,
                         struct fragprog_reason *why);

/* fragprog_products returns the number of sums of two products whose products can be exchanged.
 * fragprog_turn_products exchanges those of sum n if bit n of choice is set. */
unsigned fragprog_products(const struct fragprog *p);
void fragprog_turn_products(struct fragprog *p, uint32_t choice);
/* Orders the products of each sum so that the one whose operands are available earlier is computed first.
 * Returns p, the copy if a sum was changed, or NULL if the copy has no room. */
const struct fragprog *fragprog_turn_by_depth(const struct fragprog *p, struct fragprog *copy);
/* Bring sums of two products into canonical order: the smaller product in the order of comparison is part of
 * the MAD, and the other one precedes it. */
void fragprog_order_products(struct fragprog *p);
void fragprog_order_sum(struct fragprog_inst *mul, struct fragprog_inst *mad);

/* The contents of half a register (colour or alpha) during one pass. */
struct fragprog_value {
    uint64_t readers; /* nodes of this pass that read it */
    uint8_t node;     /* node that computes it, or FRAGPROG_NO_NODE: available from the start */
    uint8_t half;     /* half of the register */
    uint8_t keep;     /* keep it to the end of the pass */
    /* its register if it is available from the start; FRAGPROG_NO_REG: any register that no lookup fills */
    uint8_t reg;
    /* A group is a set of numbers that share a register, one in each channel. FRAGPROG_NO_GROUP: the value
     * has the half for itself. */
    uint8_t group;
    uint8_t channel; /* channel in the group's register: 0 red, 1 green, 2 blue */
    uint8_t in_r0;   /* the search placed it in register 0 */
    /* in a second pass, for values with reg FRAGPROG_NO_REG: the value of the first pass that is passed on */
    uint8_t from;
};

/* A node that a plan adds to move a value into another half. */
struct fragprog_move {
    uint16_t inst;
    uint8_t from, to;
    uint8_t last; /* it computes the final result */
};

/* One pass to be scheduled, and its schedule. */
struct fragprog_slots {
    const struct fragprog_graph *g;
    uint64_t todo, takes[2]; /* takes: nodes that run in each half */
    uint64_t preds[FRAGPROG_MAX_NODES];
    unsigned nmoves;
    struct fragprog_move move[8]; /* node number g->nnodes + n */
    unsigned nvalues;
    struct fragprog_value value[FRAGPROG_MAX_VALUES];
    /* the value in which the rgb or alpha of an instruction is found, or FRAGPROG_NO_VALUE */
    uint8_t where[FRAGPROG_TEXENV_INSTS][2];
    uint8_t made[FRAGPROG_MAX_NODES][2]; /* the value that a node writes in each half */
    uint8_t primary;                     /* value of the primary colour in a register, or FRAGPROG_NO_VALUE */
    uint8_t result[2]; /* values that must end in register 0; FRAGPROG_NO_VALUE in a first pass */
    uint8_t textures;  /* bit n: a lookup fills register n */
    bool last;         /* last pass: register 0 must hold the result at its end */
    /* number of slots on the longest path from the node (included) to the end of the pass */
    uint8_t heights[FRAGPROG_MAX_NODES];
    /* The schedule: */
    unsigned nslots;
    uint8_t slot[FRAGPROG_MAX_SLOTS][2]; /* node in each half */
    uint8_t reg[FRAGPROG_MAX_VALUES];    /* register of each value (pass_registers.c) */
};

/* A memoised partial schedule that failed. Its key: the set of nodes done, the placement of numbers, the
 * values in register 0. */
enum { FRAGPROG_FAILURES = 2048, FRAGPROG_HOMES = 14 };
struct fragprog_failure {
    struct fragprog_failed_state {
        uint64_t done;
        uint8_t r0[2], home[FRAGPROG_HOMES];
    } state;
    uint8_t left, used;
};

/* Memory of the scheduler, provided by the caller. */
struct fragprog_schedule_scratch {
    struct fragprog_graph graph;
    struct fragprog_slots pass[2], trial[2];
    struct fragprog q;
    struct fragprog_storage storage;
    struct fragprog_atifs made, other;
    struct fragprog_failure failed[FRAGPROG_FAILURES];
};

/* Limits and statistics of a search. */
struct fragprog_search {
    struct fragprog_budget *budget;
    struct fragprog_failure *failed; /* table of FRAGPROG_FAILURES entries */
    unsigned slots, registers;
    bool shared_dot; /* for the text form: a dot product and its companion write the same register */
    /* as Mesa executes it: the companion computes the dot product again from its own arguments, after the
     * colour half has written its result */
    bool in_any_order;
    /* true: fragprog_place fails unless the result is independent of which half of a slot is executed first;
     * false: it only prefers such a placement */
    bool must_place;
    bool flexible;     /* numbers may be computed in the other half (pass_search.c) */
    uint32_t states;   /* visited states */
    uint32_t unplaced; /* schedules for which fragprog_place found no registers */
    bool gave_up;      /* the budget is used up */
};

/* Takes the work for n visited states from the budget. Returns false and sets gave_up if there is not enough
 * left. */
bool fragprog_search_spend(struct fragprog_search *search, uint32_t work);

/* Initialises a pass with the nodes `todo`, the lookups that they need, and their values. */
void fragprog_slots_begin(struct fragprog_slots *s, const struct fragprog_graph *g, uint64_t todo, bool last);
/* Adds a value that is not kept, has the half for itself and comes from no earlier pass; returns its number.
 */
unsigned fragprog_slots_add(struct fragprog_slots *s, unsigned node, unsigned half, unsigned reg,
                            uint64_t readers);
/* Adds a node that moves inst's value from half `from` to half `to`, and returns the number of the moved
 * value. last: the moved value is the final result. */
unsigned fragprog_slots_move(struct fragprog_slots *s, unsigned inst, unsigned from, unsigned to, bool last);
/* Returns a lower bound on the slots of every schedule. Call it after everything was added. */
unsigned fragprog_slots_bound(struct fragprog_slots *s, bool flexible);
/* Finds the shortest schedule within the limits by depth-first search, nodes of greatest height first. The
 * search is complete unless search->gave_up. */
bool fragprog_slots_search(struct fragprog_slots *s, struct fragprog_search *search, unsigned from);

/* Assigns a register to every value. Can fail only under shared_dot or in_any_order, or without work. */
bool fragprog_place(struct fragprog_slots *s, struct fragprog_search *search);
/* Writes a scheduled pass. before: the first pass, which passes values on to the second. */
void fragprog_emit_slots(struct fragprog_atifs_pass *pass, const struct fragprog_slots *s,
                         const struct fragprog_slots *before,
                         const struct fragprog_schedule_options *options);

/* Schedules one pass without backtracking, as the first descent of the search does. Returns false if the
 * search would have to backtrack, or if the program has an operation or lookup that is not supported here.
 * The products of p must be ordered. The work that the search would use is added to *work, up to `most`. */
enum { FRAGPROG_WORK_OF_SLOT = 17 };
bool fragprog_schedule_first(struct fragprog_atifs *out, const struct fragprog *p,
                             const struct fragprog_schedule_options *options, uint32_t most, uint32_t *work);

/* Finds the best split into two passes, or returns false. m->pass[0] and [1] are then scheduled and placed;
 * *splits counts the splits that were tried. */
bool fragprog_split(struct fragprog_schedule_scratch *m, const struct fragprog_schedule_options *options,
                    struct fragprog_search *search, uint32_t *splits);
/* fragprog_slots_live returns true if the value is needed after the nodes `done`. fragprog_slots_count counts
 * the register halves in use then, including those of values that the nodes `now` compute. */
bool fragprog_slots_live(const struct fragprog_value *v, uint64_t done);
void fragprog_slots_count(const struct fragprog_slots *s, uint64_t done, uint64_t now, unsigned count[2]);
/* Returns the number of lookups in the pass. */
unsigned fragprog_slots_lookups(const struct fragprog_slots *s);

#endif
