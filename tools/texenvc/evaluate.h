/* The colour that a texture environment gives for texels and colours. */
#ifndef TEXENVC_EVALUATE_H
#define TEXENVC_EVALUATE_H

#include "texenv/texenv.h"

/* What a fragment brings, each in [0,1]; NaN: not given. texel: as the texture has it, of luminance,
 * intensity and depth the first component (of a comparison, its result). color: environment colours, instead
 * of the state's own. */
struct evaluate_inputs {
    double texel[TEXENV_UNITS][4], color[TEXENV_UNITS][4], primary[4], secondary[4];
};
/* Of the units, and after the colour sum; before fog. All in [0,1]; NaN: depends on what is not given. */
struct evaluated {
    double unit[TEXENV_UNITS][4], color[4];
};

/* In double precision, operation by operation (3.8.13, 3.9). */
void evaluate_state(struct evaluated *out, const struct texenv_state *state,
                    const struct evaluate_inputs *in);

#endif
