/* Two drawings of a vertex half, compared; and one that differs, made smaller. */
#ifndef GLDIFF_VERTEX_COMPARE_H
#define GLDIFF_VERTEX_COMPARE_H

#include "vertex_ways.h"

enum vertex_kind { KIND_COLOR, KIND_FOG, KIND_COORD, KIND_POSITION, KIND_SIZE, KINDS };
extern const char *const vertex_kinds[KINDS];
enum vertex_kind vertex_kind_of(unsigned seen);

struct vertex_difference {
    double most[KINDS];                   /* largest, by kind; of positions z and 1/w */
    uint64_t compared, left_out[BORDERS]; /* values */
    /* the worst, by its share of what is allowed */
    double worst, difference;
    unsigned seen, vertex, channel;
};
/* What is allowed is base times the largest of 1 and the vertex's values of that kind; 4 base of colours; a
 * pixel of positions; nothing of sizes. */
void vertex_compare(struct vertex_difference *d, const struct vertex_shot shots[2],
                    const struct vertex_values *v, const struct vertex_subject *subject, double base);

/* Where number `number` of a seed is drawn how. */
struct vertex_how {
    struct vertex_draw by;
    uint64_t seed, number;
    double base;
    bool sabotage;
};
/* Draws both ways and compares. NULL, or why it cannot be drawn; *refused as of vertex_way_draw, and of what
 * GL has no state for. */
const char *vertex_try(struct vertex_difference *d, struct vertex_shot shots[2],
                       const struct vertex_subject *subject, const struct vertex_how *how, bool *refused);
/* A smaller one that still differs by more than is allowed. */
void vertex_shrink(struct vertex_subject *subject, const struct vertex_how *how);

/* Random states, made as GL can have them. */
void vertex_random(struct vertex_subject *subject, uint64_t seed, uint64_t n);

#endif
