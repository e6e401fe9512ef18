/* The interference graph, between the parts of colouring. Internal to fragprog/alloc. */
#ifndef FRAGPROG_COLOUR_GRAPH_H
#define FRAGPROG_COLOUR_GRAPH_H

#include "fragprog/alloc/colour.h"

/* A value, or a value and its copies. */
struct colour_node {
    uint8_t class_, components, order;
    bool grouped, last;   /* in a group of consecutive scalars; the last of it */
    uint32_t first_begin; /* of begin */
    uint32_t last_end;    /* of end, of components that there are */
    uint32_t begin[4], end[4], reg;
    uint32_t follows; /* node */
    uint32_t hint;    /* node of a copy's other end */
    size_t first;     /* its neighbours in edge */
    uint32_t nedges;
};

struct colour_graph {
    const struct fragprog_colour_request *q;
    uint32_t most; /* registers that there is room for here */
    struct colour_node *node;
    uint32_t nnodes;
    uint32_t *node_of; /* by value */
    uint32_t *edge;
    uint32_t *order, *stack, *active, *degree; /* by node */
    struct fragprog_colour_place *place;       /* by node; mask 0: none yet */
    struct fragprog_colour_place *bound;       /* by node: what choose_bound placed */
    /* by register: lanes closed to each component of the node at hand; [4] to lanes that it only writes; [5]
     * some neighbour is there */
    uint8_t (*forbidden)[6];
    bool copies;  /* some value is one */
    bool joined;  /* the nodes are those of copies joined */
    bool whole;   /* values take all lanes of a register */
    bool fullest; /* the fullest register first, not the lowest */
    bool exhausted, undecided;
};

/* By components: the ways in which these may lie in lanes, two bits a component; others' bits are 0. */
struct fragprog_colour_codes {
    uint8_t n, code[24];
};
extern const struct fragprog_colour_codes fragprog_colour_codes[16];

/* Fills forbidden for a node in registers first..end-1, from the places of its neighbours. */
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
