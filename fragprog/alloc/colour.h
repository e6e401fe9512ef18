/* Registers for values by graph colouring over register classes. Internal to fragprog and hwemit.
 *
 * Values come in the order in which they are written. Each component lives from the write to its own last
 * read: lanes are free for others as soon as their component has been read for the last time. Two values
 * interfere where components of theirs live at one time; interfering components may not share a lane. */
#ifndef FRAGPROG_COLOUR_H
#define FRAGPROG_COLOUR_H

#include "fragprog/alloc/classes.h"

#define FRAGPROG_COLOUR_NONE UINT32_MAX

/* How components may lie in the lanes of a mask. */
enum fragprog_colour_order {
    FRAGPROG_COLOUR_ANY,       /* in any order: readers have swizzles */
    FRAGPROG_COLOUR_ASCENDING, /* in their order */
    FRAGPROG_COLOUR_OWN        /* each in the lane of its own name: texels, coordinates, results */
};

struct fragprog_colour_value {
    uint8_t class_;     /* number in the tables */
    uint8_t components; /* mask of those that the value has; not 0 */
    uint8_t order;      /* enum fragprog_colour_order */
    /* Each component lives from its begin up to, and not including, its end: what begins where another ends
     * may take its lane. One that is not read still writes: it lives at its begin. Times are the caller's; of
     * each value the first begin is not before that of the value before it. Lanes of the class's mask that
     * hold no component are written at the first begin. */
    uint32_t begin[4], end[4];
    uint32_t reg; /* the register that it has to lie in, or FRAGPROG_COLOUR_NONE */
    /* the value that it is a copy of, component by component, or FRAGPROG_COLOUR_NONE: a move that vanishes
     * if both get one place */
    uint32_t copy_of;
    /* the scalar that lies in the lane just before it (4*register + lane), or FRAGPROG_COLOUR_NONE; earlier
     * in the list, and before one value only. Both have one component and order ANY. */
    uint32_t follows;
};

struct fragprog_colour_place {
    uint16_t reg;
    uint8_t lane[4]; /* by component; 0xff: none */
    uint8_t mask;    /* that is written; with more lanes than components where the class has no other */
    uint8_t lanes;   /* those of components */
};

struct fragprog_colour_request {
    const struct fragprog_classes *classes;
    const struct fragprog_colour_value *value;
    uint32_t n;
    uint32_t registers; /* 0..registers-1 exist; at most 4096 */
    uint32_t work;      /* of the search, in values looked at; 0: no search */
};

struct fragprog_colour_result {
    struct fragprog_colour_place *place; /* the caller's, n */
    uint32_t registers;                  /* used: the highest and all below */
    uint32_t lower_bound;                /* no assignment has fewer */
    uint32_t whole;                      /* what it takes if each value has registers of its own */
    uint32_t coalesced;                  /* copies that lie where what they copy lies */
    bool proved;                         /* no assignment has fewer */
};

/* Bytes of scratch, aligned as for any object; grows with the pairs of values that live at one time. Takes n
 * log n steps. */
size_t fragprog_colour_scratch(const struct fragprog_colour_request *request);
/* False if the registers do not suffice (then result->registers is what would have). Never more registers
 * than `whole`. Steps: in proportion to values and interferences, times how far the result is from the bound.
 */
bool fragprog_colour(struct fragprog_colour_result *result, const struct fragprog_colour_request *request,
                     void *scratch);

#endif
