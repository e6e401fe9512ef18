/* What is drawn: POINTS points a state, each with its own colours, texels and fog coordinate, into a float
 * framebuffer that holds many states. */
#ifndef GLDIFF_SCENE_H
#define GLDIFF_SCENE_H

#include "texenv/texenv.h"

#include <stdbool.h>

enum {
    POINTS = 16,                 /* a state */
    BANKS = 4,                   /* sets of inputs; states take them in turn */
    SIZE = 256,                  /* of the framebuffer */
    BATCH = SIZE / POINTS * SIZE /* states in one framebuffer */
};

/* The inputs, as the GL gets them. */
extern float scene_primary[BANKS][POINTS][4], scene_secondary[BANKS][POINTS][3],
    scene_texel[TEXENV_UNITS][BANKS][POINTS][4];

/* Makes inputs, framebuffer and vertices. 8bit: textures and framebuffer of 8 bits instead of float. NULL, or
 * why not. */
const char *scene_open(bool eight_bit);
/* Which texture a unit of the GL samples, and with whose coordinates: units of the state. Usually the unit
 * itself; -1: none. */
struct scene_binding {
    int texture[TEXENV_UNITS], coord[TEXENV_UNITS];
};
extern const struct scene_binding scene_as_is;

/* Binds textures and coordinates. enable: also enables the targets, for fixed function. */
void scene_bind(const struct texenv_state *state, const struct scene_binding *binding, unsigned bank,
                bool enable);

void scene_clear(void);
/* Draws the points of state number n of the batch. */
void scene_draw(unsigned n);
/* out[n][point][channel], n states. False after a GL error (text: which). */
bool scene_read(float (*out)[POINTS][4], unsigned n);

/* Depth of fog etc. is not drawn: fog is off, colour sum as the state says unless off. */
void scene_color_sum(bool on);

#endif
