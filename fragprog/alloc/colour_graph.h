/* The interference graph, between the parts of colouring. Internal to fragprog/alloc. */
#ifndef FRAGPROG_COLOUR_GRAPH_H
#define FRAGPROG_COLOUR_GRAPH_H

#include "fragprog/alloc/colour.h"

/* A value, or a value and its copies. */
struct colour_node {
    uint8_t class_, components, order;
    uint8_t size;         /* how many components */
    bool grouped, last;   /* in a group of consecutive scalars; the last of it */
    bool out;             /* of the graph, while the order of placing is made */
    bool level, even;     /* its components begin together; and end together */
    uint32_t first_begin; /* of begin */
    uint32_t last_end;    /* of end, of components that there are */
    uint32_t begin[4], end[4], reg;
    uint32_t follows; /* node */
    uint32_t hint;    /* node of a copy's other end */
    /* its neighbours: those before it from edge[before] on, and all that follow it up to, and not including,
     * node `until` */
    size_t before;
    uint32_t nbefore, until;
    uint32_t next_bound; /* node after it that cannot be elsewhere: the register is given, or it is grouped */
};

/* Of a register. */
struct colour_closed {
    uint16_t closed; /* lanes that are closed to component 0, those to 1, ... */
    uint8_t written; /* those that are to lanes that it only writes */
    bool near;       /* some neighbour is there */
};

struct colour_graph {
    const struct fragprog_colour_request *q;
    uint32_t most; /* registers that there is room for here */
    struct colour_node *node;
    uint32_t nnodes;
    uint32_t *node_of;  /* by value */
    uint32_t *in_group; /* by value, while nodes are made */
    uint32_t *edge;
    uint32_t *order, *stack, *degree;    /* by node */
    struct fragprog_colour_place *place; /* by node; mask 0: none yet */
    struct fragprog_colour_place *bound; /* by node: what place_bound placed */
    struct colour_closed *closed;        /* by register, to the node at hand */
    uint8_t *run;                        /* by register: lanes at which a group can begin */
    uint32_t used;                       /* no place is in this register or after it */
    uint32_t limit;                      /* more registers are not asked for */
    /* registers that place_bound takes, and that places in the order of the program do, with the lowest or
     * the fullest register first; UINT32_MAX: more than the limit; 0: not known yet */
    uint32_t bound_takes, takes[2];
    enum { COLOUR_LOWEST, COLOUR_FULLEST, COLOUR_OTHERWISE } placed; /* how the places were found */
    bool in_order; /* after a node only those have places that cannot be elsewhere */
    bool copies;   /* some value is one */
    bool joined;   /* the nodes are those of copies joined */
    bool whole;    /* values take all lanes of a register */
    bool fullest;  /* the fullest register first, not the lowest */
    bool exhausted, undecided;
};

/* By components: the ways in which these may lie in lanes, two bits a component; others' bits are 0. */
struct fragprog_colour_codes {
    uint8_t n, code[24];
};
extern const struct fragprog_colour_codes fragprog_colour_codes[16];

/* Fills `closed` for a node in registers first..end-1, from the places of its neighbours. */
void fragprog_colour_forbid(struct colour_graph *g, uint32_t i, uint32_t first, uint32_t end);
/* Whether the node's components may lie so (after forbid), and the place. */
bool fragprog_colour_fits(const struct colour_graph *g, uint32_t i, uint32_t reg, unsigned code,
                          struct fragprog_colour_place *to);
/* The register needs not be tried (after forbid): a component has no lane, or all have too few. */
bool fragprog_colour_full(const struct colour_graph *g, const struct colour_node *n, uint32_t reg);
bool fragprog_colour_ordered(const struct colour_node *n, unsigned code);
uint32_t fragprog_colour_first(const struct colour_graph *g, uint32_t i);
uint32_t fragprog_colour_end(const struct colour_graph *g, uint32_t i, uint32_t k);

/* Looks for any assignment to k registers, value by value in the order of the program, within the work; true:
 * it is in g->place. g->exhausted: the search came to its end. */
bool fragprog_colour_search(struct colour_graph *g, uint32_t k, uint32_t work);

#endif
