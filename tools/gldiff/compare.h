/* Compares two drawings of a state, and shrinks a state whose drawings differ. */
#ifndef GLDIFF_COMPARE_H
#define GLDIFF_COMPARE_H

#include "draw.h"
#include "scene.h"

struct difference {
    double most;             /* the largest absolute difference; infinite if a result is NaN or infinite */
    unsigned point, channel; /* the place of the largest difference */
};
/* color_sum: the sum is clamped before comparing. GL clamps it in the final conversion to a fixed-point
 * framebuffer (2.1, 3.9 and 4.1.9), which does not happen in a float framebuffer. */
struct difference compare(float (*a)[4], float (*b)[4], bool color_sum);

/* Returns how much a state can amplify an error made in its first stage: the product of its scales, and of 4
 * for each dot product. */
double state_gain(const struct texenv_state *state);

/* Returns the allowed difference: base times the gain of the state. */
double tolerance(const struct texenv_state *state, double base);

/* Draws this state alone by both methods and reads the results. Returns false if one of them fails. */
bool draw_alone(const struct texenv_state *state, enum via via, const struct draw_options *options,
                unsigned bank, float direct[POINTS][4], float converted[POINTS][4]);

/* Replaces *state by a smaller one that still differs by more than its tolerance. */
void shrink(struct texenv_state *state, enum via via, const struct draw_options *options, unsigned bank,
            double base);

#endif
