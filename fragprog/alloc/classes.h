/* Virtual register classes: which lanes of a physical register of four lanes a value may occupy. All register
 * allocators use them (colour.h). Internal to fragprog and hwemit.
 *
 * A class is a set of allowed component masks. A virtual register is a mask of a physical register. Two
 * virtual registers conflict if they belong to the same physical register and their masks intersect (see the
 * founding document on etnaviv's register classes). */
#ifndef FRAGPROG_CLASSES_H
#define FRAGPROG_CLASSES_H

#include "texenv/texenv.h"

enum { FRAGPROG_CLASSES_MOST = 16 };

/* masks: bit m stands for mask m (1..15). The class may use registers first..end-1; first = 1 excludes a
 * reserved register 0. */
struct fragprog_class {
    uint16_t masks;
    uint16_t first, end;
};

/* Tables of a target's classes, in storage of the target. The caller zeroes them and builds them once; then
 * any number of threads may read them. */
struct fragprog_classes {
    unsigned n;
    struct fragprog_class class_[FRAGPROG_CLASSES_MOST];
    uint8_t nmasks[FRAGPROG_CLASSES_MOST];
    /* q[a][b]: the maximum number of virtual registers of class a with which one virtual register of class b
     * conflicts */
    uint8_t q[FRAGPROG_CLASSES_MOST][FRAGPROG_CLASSES_MOST];
    /* cover[a][lanes]: the smallest mask of class a that contains these lanes, or 0 */
    uint8_t cover[FRAGPROG_CLASSES_MOST][16];
    uint32_t builds; /* how often the tables were computed */
};

/* Computes the tables, unless they already belong to these classes. */
void fragprog_classes_build(struct fragprog_classes *to, const struct fragprog_class *classes, unsigned n);

/* Defines the classes scalar, vec2, vec3 and vec4: all masks of 1, 2, 3, 4 lanes, of registers
 * first..end-1. */
void fragprog_classes_vec4(struct fragprog_class to[4], unsigned first, unsigned end);

/* The precomputed table of classes of several targets, whose temporaries have four lanes. All registers are
 * allowed in each class: scalar, vec2, vec3, vec4; scalars in x, y or z (COLOUR); scalars in x only (X), in
 * y, in z, and in w (ALPHA). */
enum {
    FRAGPROG_CLASS_COLOUR = 4,
    FRAGPROG_CLASS_X,
    FRAGPROG_CLASS_ALPHA = FRAGPROG_CLASS_X + 3,
    FRAGPROG_CLASSES_LANES
};
extern const struct fragprog_classes fragprog_classes_lanes;

#endif
