/* Register allocation by graph colouring over register classes. Internal to fragprog and hwemit.
 *
 * Values are listed in the order of their definitions. Each component has its own live range, from its
 * definition to its own last use, so that a lane is free again after the last use of its component. Two
 * values interfere if components of both are live at the same time; such components may not share a lane. */
#ifndef FRAGPROG_COLOUR_H
#define FRAGPROG_COLOUR_H

#include "fragprog/alloc/classes.h"

#define FRAGPROG_COLOUR_NONE UINT32_MAX

/* How the components of a value may be arranged in the lanes of a mask. */
enum fragprog_colour_order {
    FRAGPROG_COLOUR_ANY,       /* in any order, because readers have swizzles */
    FRAGPROG_COLOUR_ASCENDING, /* in ascending order */
    FRAGPROG_COLOUR_OWN        /* each component in its own lane: texels, coordinates, results */
};

struct fragprog_colour_value {
    uint8_t class_;     /* index of the class in the tables */
    uint8_t components; /* mask of the components that the value has; not 0 */
    uint8_t order;      /* enum fragprog_colour_order */
    /* The live range of each component: from begin up to, but excluding, end. A component that begins when
     * another ends may take its lane. A component that is never read is live at its begin, because it is
     * written. The unit of time is up to the caller, but the first begin of each value must not be before
     * that of the preceding value. Lanes of the class's mask that hold no component are written at the first
     * begin. */
    uint32_t begin[4], end[4];
    uint32_t reg; /* the fixed register, or FRAGPROG_COLOUR_NONE */
    /* The value of which this is a copy, component by component, or FRAGPROG_COLOUR_NONE. The move is removed
     * if both get the same place. */
    uint32_t copy_of;
    /* The scalar that must be in the preceding lane (4*register + lane), or FRAGPROG_COLOUR_NONE. That scalar
     * is earlier in the list, and precedes only one value. Both have one component and order ANY. */
    uint32_t follows;
};

struct fragprog_colour_place {
    uint16_t reg;
    uint8_t lane[4]; /* lane of each component; 0xff: none */
    uint8_t mask;    /* lanes that are written, a mask of the class; it may have lanes without a component */
    uint8_t lanes;   /* lanes of components */
};

struct fragprog_colour_request {
    const struct fragprog_classes *classes;
    const struct fragprog_colour_value *value;
    uint32_t n;
    uint32_t registers; /* registers 0..registers-1 exist; at most 4096 */
    uint32_t work;      /* bound on the search, in visited values; 0: no search */
};

struct fragprog_colour_result {
    struct fragprog_colour_place *place; /* n places, allocated by the caller */
    uint32_t registers;                  /* number of registers used: the highest register + 1 */
    uint32_t lower_bound;                /* no assignment uses fewer registers */
    uint32_t whole;                      /* number of registers if each value has whole registers */
    uint32_t coalesced;                  /* number of copies at the same place as their source */
    bool proved;                         /* `registers` is proven to be minimal */
};

/* Returns the bytes of scratch memory (aligned as for any object), which grow with the number of
 * interferences. Takes O(n log n) steps. */
size_t fragprog_colour_scratch(const struct fragprog_colour_request *request);
/* Assigns registers. Returns false if there are too few; result->registers is then the number needed. Never
 * uses more registers than `whole`. The time is proportional to the number of values and interferences, times
 * the difference between the result and the lower bound. */
bool fragprog_colour(struct fragprog_colour_result *result, const struct fragprog_colour_request *request,
                     void *scratch);

#endif
