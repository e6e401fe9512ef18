/* The interference graph, shared by the parts of colouring. Internal to fragprog/alloc. */
#ifndef FRAGPROG_COLOUR_GRAPH_H
#define FRAGPROG_COLOUR_GRAPH_H

#include "fragprog/alloc/colour.h"

/* A node: one value, or several coalesced values. */
struct colour_node {
    uint8_t class_, components, order;
    uint8_t size;         /* number of components */
    bool grouped, last;   /* part of a group of consecutive scalars; the last of its group */
    bool out;             /* removed from the graph, while the order of colouring is computed */
    bool level, even;     /* level: all components begin together; even: they also end together */
    uint32_t first_begin; /* minimum of begin */
    uint32_t last_end;    /* maximum of end, over existing components */
    uint32_t begin[4], end[4], reg;
    uint32_t follows; /* node of the preceding scalar in a group */
    uint32_t hint;    /* node of the source or of the copy, for places */
    /* The neighbours: nbefore preceding nodes, listed from edge[before] on, and all following nodes up to,
     * but excluding, node `until`. */
    size_t before;
    uint32_t nbefore, until;
    uint32_t next_bound; /* the next node that has a fixed register or belongs to a group */
};

/* The lanes of one register that are not available to the current node. */
struct colour_closed {
    uint16_t closed; /* four lanes closed to component 0, four to component 1, ... */
    uint8_t written; /* lanes that the node must not write, not even without a component in them */
    bool near;       /* a neighbour is placed in the register */
};

struct colour_graph {
    const struct fragprog_colour_request *q;
    uint32_t most; /* number of registers in the arrays below */
    struct colour_node *node;
    uint32_t nnodes;
    uint32_t *node_of;  /* indexed by value */
    uint32_t *in_group; /* indexed by value; used while nodes are made */
    uint32_t *edge;
    uint32_t *order, *stack, *degree;    /* indexed by node */
    struct fragprog_colour_place *place; /* indexed by node; mask 0: not placed yet */
    struct fragprog_colour_place *bound; /* indexed by node: the places from place_bound */
    struct colour_closed *closed;        /* indexed by register, for the current node */
    uint8_t *run;                        /* indexed by register: lanes at which a group can begin */
    uint32_t used;                       /* 1 + the highest register in use */
    uint32_t limit;                      /* the maximum number of registers to try */
    /* Registers that place_bound needs, and those that placement in program order needs with the lowest or
     * the fullest register first. UINT32_MAX: more than the limit; 0: not known yet. */
    uint32_t bound_takes, takes[2];
    /* the method that gave the current places */
    enum { COLOUR_LOWEST, COLOUR_FULLEST, COLOUR_OTHERWISE } placed;
    bool in_order; /* no node after the current one is placed, except by place_bound */
    bool copies;   /* some value is a copy */
    bool joined;   /* copies are coalesced in the current graph */
    bool whole;    /* each value takes all lanes of its registers */
    bool fullest;  /* prefer the fullest register to the lowest */
    bool exhausted, undecided;
};

/* The possible assignments of a set of components to lanes: two bits for each component, 0 for missing
 * components. */
struct fragprog_colour_codes {
    uint8_t n, code[24];
};
extern const struct fragprog_colour_codes fragprog_colour_codes[16];

/* Computes `closed` for node i in registers first..end-1 from the places of its neighbours. */
void fragprog_colour_forbid(struct colour_graph *g, uint32_t i, uint32_t first, uint32_t end);
/* Returns whether the node's components fit into the register in this arrangement, and the place. Requires
 * fragprog_colour_forbid. */
bool fragprog_colour_fits(const struct colour_graph *g, uint32_t i, uint32_t reg, unsigned code,
                          struct fragprog_colour_place *to);
/* Returns true if the node certainly does not fit into the register: a component has no lane, or there are
 * too few lanes. Requires fragprog_colour_forbid. */
bool fragprog_colour_full(const struct colour_graph *g, const struct colour_node *n, uint32_t reg);
bool fragprog_colour_ordered(const struct colour_node *n, unsigned code);
uint32_t fragprog_colour_first(const struct colour_graph *g, uint32_t i);
uint32_t fragprog_colour_end(const struct colour_graph *g, uint32_t i, uint32_t k);

/* Backtracking search for any assignment to k registers, value by value in program order, limited by `work`.
 * If it returns true, the assignment is in g->place. g->exhausted: the complete search space was searched. */
bool fragprog_colour_search(struct colour_graph *g, uint32_t k, uint32_t work);

#endif
