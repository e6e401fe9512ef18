/* Evaluates a texture environment: the colour that it computes from texels and colours. */
#ifndef TEXENVC_EVALUATE_H
#define TEXENVC_EVALUATE_H

#include "texenv/texenv.h"

/* The inputs of a fragment, each in [0,1]; NaN: not given. texel: components as the texture stores them;
 * luminance, intensity and depth use the first component, depth of mode ALPHA the fourth (with shadow
 * comparison, that is the comparison's result). color: environment colours that replace those of the state.
 */
struct evaluate_inputs {
    double texel[TEXENV_UNITS][4], color[TEXENV_UNITS][4], primary[4], secondary[4];
};
/* The results of the units, and the colour after the colour sum, before fog. All in [0,1]; NaN if a result
 * depends on an input that is not given. */
struct evaluated {
    double unit[TEXENV_UNITS][4], color[4];
};

/* Evaluates in double precision, operation by operation (3.8.13, 3.9). */
void evaluate_state(struct evaluated *out, const struct texenv_state *state,
                    const struct evaluate_inputs *in);

#endif
