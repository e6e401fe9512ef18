/* Compares two drawings of a vertex half, and shrinks a vertex half whose drawings differ. */
#ifndef GLDIFF_VERTEX_COMPARE_H
#define GLDIFF_VERTEX_COMPARE_H

#include "vertex_ways.h"

enum vertex_kind { KIND_COLOR, KIND_FOG, KIND_COORD, KIND_POSITION, KIND_SIZE, KINDS };
extern const char *const vertex_kinds[KINDS];
enum vertex_kind vertex_kind_of(unsigned seen);

struct vertex_difference {
    /* the largest difference of each kind; of positions, in z and 1/w only */
    double most[KINDS];
    uint64_t compared, left_out[BORDERS]; /* how many values were compared or left out */
    /* the value with the largest quotient of difference and allowed difference */
    double worst, difference;
    unsigned seen, vertex, channel;
};
/* Compares two drawings. The allowed difference is `base` times the larger of 1 and the largest of the
 * vertex' values of that kind; but 4 * base for colours, 1.5 pixels for x and y of positions, and half a
 * pixel for sizes. */
void vertex_compare(struct vertex_difference *d, const struct vertex_shot shots[2],
                    const struct vertex_values *v, const struct vertex_subject *subject, double base);

/* How a vertex half is drawn: the way of conversion, the seed and number of the input values, and the base of
 * the tolerance. */
struct vertex_how {
    struct vertex_draw by;
    uint64_t seed, number;
    double base;
    bool sabotage;
};
/* Draws by fixed function and by the conversion, and compares. Returns NULL, or why it cannot be drawn.
 * *refused is true if the reason is that the target language cannot express the state (see vertex_way_draw)
 * or that GL has no such state. */
const char *vertex_try(struct vertex_difference *d, struct vertex_shot shots[2],
                       const struct vertex_subject *subject, const struct vertex_how *how, bool *refused);
/* Replaces *subject by a smaller one that still differs by more than is allowed. */
void vertex_shrink(struct vertex_subject *subject, const struct vertex_how *how);

/* Makes a random vertex half that GL state can express. */
void vertex_random(struct vertex_subject *subject, uint64_t seed, uint64_t n);

#endif
