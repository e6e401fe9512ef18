/* Two drawings of a state, compared; and a state that fails, made smaller. */
#ifndef GLDIFF_COMPARE_H
#define GLDIFF_COMPARE_H

#include "draw.h"
#include "scene.h"

struct difference {
    double most;             /* largest absolute difference; infinite if a result is no number */
    unsigned point, channel; /* where */
};
/* color_sum: the sum is clamped where GL clamps it, in the final conversion to a fixed-point framebuffer
 * (2.1, 3.9 and 4.1.9), which a float framebuffer leaves out. */
struct difference compare(float (*a)[4], float (*b)[4], bool color_sum);

/* How much a state can enlarge an error made in its first stage: the product of its scales, and 4 for each
 * dot product. */
double state_gain(const struct texenv_state *state);

/* What is allowed: base, times the gain; for 8 bits a rounding step each side, times the gain. */
double tolerance(const struct texenv_state *state, double base);

/* Draws and compares this state alone. False if it cannot be drawn both ways. */
bool draw_alone(const struct texenv_state *state, enum via via, const struct draw_options *options,
                unsigned bank, float direct[POINTS][4], float converted[POINTS][4]);

/* A smaller state that still differs by more than its tolerance. */
void shrink(struct texenv_state *state, enum via via, const struct draw_options *options, unsigned bank,
            double base);

#endif
