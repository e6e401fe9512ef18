/* The scheduler's parts: the program as a graph (product_order.c, graph.c), one pass as slots (slots.c,
 * pass_search.c), registers and the extension's terms (pass_registers.c), two passes (pass_split.c). Internal
 * to fragprog. The rules are in notes/pipeline.md, "Two passes". */
#ifndef FRAGPROG_SCHEDULE_H
#define FRAGPROG_SCHEDULE_H

#include "fragprog/atifs/assign.h"

enum {
    FRAGPROG_MAX_NODES = 64,  /* bits of a set of nodes; moves that a plan adds are nodes too */
    FRAGPROG_MAX_VALUES = 96, /* of one pass */
    FRAGPROG_MAX_SLOTS = 16,  /* of one pass: 8, and more when it is asked what would do */
    FRAGPROG_NO_VALUE = 0xff,
    FRAGPROG_NO_NODE = 0xff,
    FRAGPROG_NO_GROUP = 0xff,
    /* groups from here on are part of the plan; others have the number of their first value */
    FRAGPROG_FIXED_GROUP = 0xe0
};

/* What is done in one slot: a colour instruction, an alpha instruction, or a dot product with its companion.
 */
struct fragprog_node {
    uint16_t inst[2]; /* of each half, or FRAGPROG_NO_INST */
    uint64_t preds;   /* nodes whose values it reads */
};

struct fragprog_graph {
    struct fragprog p; /* legalised */
    struct fragprog_storage storage;
    unsigned nnodes;
    struct fragprog_node node[FRAGPROG_MAX_NODES];
    uint8_t node_of[FRAGPROG_TEXENV_INSTS];
    uint64_t readers[FRAGPROG_TEXENV_INSTS][2]; /* nodes that read the rgb, the alpha of a value */
    /* nodes that read rgb, alpha of the primary colour; the secondary colour */
    uint64_t primary[2], secondary;
    /* nodes that take the colour, the alpha half of a slot (a DOT4 takes both) */
    uint64_t takes[2];
    uint64_t scalar; /* nodes whose colour is one number in all three channels */
    /* the lookup whose texel register n gets, or FRAGPROG_NO_INST */
    uint16_t texel[FRAGPROG_REGISTERS];
    uint8_t coord[FRAGPROG_REGISTERS]; /* and its coordinate set */
    /* slots from the node to the end of the program, itself included */
    uint8_t heights[FRAGPROG_MAX_NODES];
};

/* Legalises a copy of p and makes its graph. False with *why if no pass can say some instruction or lookup.
 * known_legal: one is known to say each instruction, of the same program with products turned round. */
bool fragprog_make_graph(struct fragprog_graph *g, const struct fragprog *p,
                         const struct fragprog_schedule_options *options, bool known_legal,
                         struct fragprog_reason *why);

/* How many sums of two products there are of which either can come first, and the choice: bit n turns sum n
 * round. */
unsigned fragprog_products(const struct fragprog *p);
void fragprog_turn_products(struct fragprog *p, uint32_t choice);
/* Orders the two products of each sum so that the one whose operands are ready first comes first. Returns p,
 * or the copy if a sum was changed; NULL if the copy has no room. */
const struct fragprog *fragprog_turn_by_depth(const struct fragprog *p, struct fragprog *copy);
/* Brings sums of two products into canonical order: the product that compares less is part of the sum, the
 * other one precedes it. */
void fragprog_order_products(struct fragprog *p);
void fragprog_order_sum(struct fragprog_inst *mul, struct fragprog_inst *mad);

/* A half of a register's content during one pass. */
struct fragprog_value {
    uint64_t readers; /* nodes of this pass */
    uint8_t node;     /* that makes it; FRAGPROG_NO_NODE: there from the start */
    uint8_t half;     /* of the register */
    uint8_t keep;     /* to the end of the pass */
    uint8_t reg;      /* from the start: its register, FRAGPROG_NO_REG: any that no lookup takes */
    /* numbers that share a register, one channel each; FRAGPROG_NO_GROUP: it has the half for itself */
    uint8_t group;
    uint8_t channel; /* in the group's register: 0 red, 1 green, 2 blue */
    uint8_t in_r0;   /* the search put it into register 0 */
    /* of a second pass, where reg is FRAGPROG_NO_REG from the start: the first pass's value */
    uint8_t from;
};

/* A node that a plan adds: moves a value into another half. */
struct fragprog_move {
    uint16_t inst;
    uint8_t from, to;
    uint8_t last; /* it makes the result */
};

/* One pass to be scheduled, and its schedule. */
struct fragprog_slots {
    const struct fragprog_graph *g;
    uint64_t todo, takes[2]; /* takes: nodes that run in each half */
    uint64_t turned;         /* nodes that the search runs in the other half */
    uint64_t preds[FRAGPROG_MAX_NODES];
    unsigned nmoves;
    struct fragprog_move move[8]; /* nodes g->nnodes + n */
    unsigned nvalues;
    struct fragprog_value value[FRAGPROG_MAX_VALUES];
    /* the value that readers of an instruction's rgb, alpha find, or FRAGPROG_NO_VALUE */
    uint8_t where[FRAGPROG_TEXENV_INSTS][2];
    uint8_t made[FRAGPROG_MAX_NODES][2]; /* the value that a node writes into each half */
    uint8_t primary;                     /* value of the primary colour in a register, or FRAGPROG_NO_VALUE */
    uint8_t result[2]; /* values that must end in register 0; FRAGPROG_NO_VALUE in a first pass */
    uint8_t textures;  /* bit n: register n is filled by a lookup */
    bool last;         /* the pass that ends in the result: where register 0 counts */
    uint8_t heights[FRAGPROG_MAX_NODES];
    /* the schedule */
    unsigned nslots;
    uint8_t slot[FRAGPROG_MAX_SLOTS][2]; /* node of each half */
    uint8_t reg[FRAGPROG_MAX_VALUES];    /* of each value (pass_registers.c) */
};

/* A partial schedule that has failed: what has been done, where the numbers lie, what register 0 holds. */
enum { FRAGPROG_FAILURES = 2048, FRAGPROG_HOMES = 14 };
struct fragprog_failure {
    struct fragprog_failed_state {
        uint64_t done;
        uint8_t r0[2], home[FRAGPROG_HOMES];
    } state;
    uint8_t left, used;
};

/* The caller's memory. */
struct fragprog_schedule_scratch {
    struct fragprog_graph graph;
    struct fragprog_slots pass[2], trial[2];
    struct fragprog q;
    struct fragprog_storage storage;
    struct fragprog_atifs made, other;
    struct fragprog_failure failed[FRAGPROG_FAILURES];
};

/* Limits of a search; what it took. */
struct fragprog_search {
    struct fragprog_budget *budget;
    struct fragprog_failure *failed; /* [FRAGPROG_FAILURES], for the search itself */
    unsigned slots, registers;
    bool shared_dot; /* the text form: a dot and its companion write one register */
    /* a companion is computed again from its own arguments, after the colour was written (Mesa) */
    bool in_any_order;
    bool must_place;   /* no slot's halves may depend on their order; else that is just preferred */
    bool flexible;     /* numbers may be computed in the other half (pass_search.c) */
    uint32_t states;   /* visited */
    uint32_t unplaced; /* schedules without a register assignment under must_place and the like */
    bool gave_up;      /* the budget was used up */
};

/* Takes work for n states that are visited; false, and gave_up, if there is not so much left. */
bool fragprog_search_spend(struct fragprog_search *search, uint32_t work);

/* Empty pass of the nodes `todo`, with the lookups that they need and their values. */
void fragprog_slots_begin(struct fragprog_slots *s, const struct fragprog_graph *g, uint64_t todo, bool last);
unsigned fragprog_slots_add(struct fragprog_slots *s, struct fragprog_value value);
/* Adds a node that moves inst's value of half `from` into half `to`; gives the value it makes. last: as the
 * result. */
unsigned fragprog_slots_move(struct fragprog_slots *s, unsigned inst, unsigned from, unsigned to, bool last);
/* Call when all is added: what no schedule is shorter than. */
unsigned fragprog_slots_bound(struct fragprog_slots *s, bool flexible);
/* Finds the shortest schedule within the limits: depth first, what most depends on first; complete unless
 * search->gave_up. */
bool fragprog_slots_search(struct fragprog_slots *s, struct fragprog_search *search, unsigned from);

/* Gives every value its register. False only under shared_dot or in_any_order, or without work. */
bool fragprog_place(struct fragprog_slots *s, struct fragprog_search *search);
/* Writes a scheduled pass; before: the first pass, for what the second takes over. */
void fragprog_emit_slots(struct fragprog_atifs_pass *pass, const struct fragprog_slots *s,
                         const struct fragprog_slots *before,
                         const struct fragprog_schedule_options *options);

/* One pass by the search's first descent alone; false: it would have to come back from something, or the
 * program is not simple. p: with products turned. *work: what it takes, which is what the search would take,
 * is added; no more than `most` of it. */
enum { FRAGPROG_WORK_OF_SLOT = 17 };
bool fragprog_schedule_first(struct fragprog_atifs *out, const struct fragprog *p,
                             const struct fragprog_schedule_options *options, uint32_t most, uint32_t *work);

/* Two passes: the best split, or false. m->pass[0] and [1] are then scheduled and placed; splits: how many
 * were looked at. */
bool fragprog_split(struct fragprog_schedule_scratch *m, const struct fragprog_schedule_options *options,
                    struct fragprog_search *search, uint32_t *splits);
/* Is the value needed after the nodes `done`? Register halves that are in use then, and that values made by
 * `now` need. */
bool fragprog_slots_live(const struct fragprog_value *v, uint64_t done);
void fragprog_slots_count(const struct fragprog_slots *s, uint64_t done, uint64_t now, unsigned count[2]);
/* How many lookups the pass has. */
unsigned fragprog_slots_lookups(const struct fragprog_slots *s);

static inline unsigned fragprog_count(uint64_t set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/* The lowest member of a set that is not empty. */
static inline unsigned fragprog_lowest(uint64_t set)
{
#ifdef __GNUC__
    return (unsigned)__builtin_ctzll(set);
#else
    unsigned n = 0;
    for (; !(set & 1); set >>= 1)
        n++;
    return n;
#endif
}

#endif
