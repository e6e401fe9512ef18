/* Virtual register classes: which lanes of a physical register of four a value may lie in. The engine behind
 * every assignment of registers (colour.h). Internal to fragprog and hwemit.
 *
 * A class is a set of allowed component masks. A virtual register is a mask on a physical register; two
 * conflict if they are of one physical register and their masks intersect (the founding document on etnaviv's
 * register classes). */
#ifndef FRAGPROG_CLASSES_H
#define FRAGPROG_CLASSES_H

#include "texenv/texenv.h"

enum { FRAGPROG_CLASSES_MOST = 16 };

/* masks: bit m for mask m (1..15). Registers first..end-1 may be used: a register 0 that is forbidden is
 * first = 1. */
struct fragprog_class {
    uint16_t masks;
    uint16_t first, end;
};

/* The tables of a target, in its caller's storage: zeroed, then built once. Read by any number of threads
 * after that. */
struct fragprog_classes {
    unsigned n;
    struct fragprog_class class_[FRAGPROG_CLASSES_MOST];
    uint8_t nmasks[FRAGPROG_CLASSES_MOST];
    /* q[a][b]: most virtual registers of class a that one of class b conflicts with */
    uint8_t q[FRAGPROG_CLASSES_MOST][FRAGPROG_CLASSES_MOST];
    /* cover[a][lanes]: the smallest mask of class a that has these lanes; 0: none */
    uint8_t cover[FRAGPROG_CLASSES_MOST][16];
    uint32_t builds; /* how often the tables were computed */
};

/* Computes the tables; does nothing if they hold these classes already. */
void fragprog_classes_build(struct fragprog_classes *to, const struct fragprog_class *classes, unsigned n);

/* Virtual registers (masks) of all classes on one physical register, each once; which pairs conflict. */
unsigned fragprog_classes_virtual(const struct fragprog_classes *c, uint8_t mask[15]);

/* Scalar, vec2, vec3, vec4: all masks with 1, 2, 3, 4 lanes, of registers first..end-1. */
void fragprog_classes_vec4(struct fragprog_class to[4], unsigned first, unsigned end);

/* The classes of temporaries of four lanes that fragment units share, each in any register: scalar, vec2,
 * vec3, vec4, and two of scalars that only one half of a pair of instructions writes, in w or in one of x, y,
 * z. As fragprog_classes_build makes them, as constants. */
enum { FRAGPROG_CLASS_ALPHA = 4, FRAGPROG_CLASS_COLOUR, FRAGPROG_CLASSES_LANES };
extern const struct fragprog_classes fragprog_classes_lanes;

#endif
