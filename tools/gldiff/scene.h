/* Draws POINTS points for each state. Points differ in colours, texels and fog coordinate. A float
 * framebuffer holds the results of many states. */
#ifndef GLDIFF_SCENE_H
#define GLDIFF_SCENE_H

#include "texenv/texenv.h"

#include <stdbool.h>

enum {
    /* points for each state */
    POINTS = 16,
    /* sets of inputs; successive states use them in turn */
    BANKS = 4,
    /* width and height of the framebuffer */
    SIZE = 256,
    /* states that fit in the framebuffer */
    BATCH = SIZE / POINTS * SIZE
};

/* The inputs of the points. */
extern float scene_primary[BANKS][POINTS][4], scene_secondary[BANKS][POINTS][3],
    scene_texel[TEXENV_UNITS][BANKS][POINTS][4];

/* Creates inputs, framebuffer and vertices. eight_bit: textures and framebuffer have 8 bits for each
 * component instead of floats. Returns NULL, or the reason of a failure. */
const char *scene_open(bool eight_bit);
/* Creates the inputs and vertices alone. */
void scene_open_inputs(bool eight_bit);
/* For each texture unit of the GL, the unit of the state whose texture it samples and the unit whose
 * coordinates it uses. Usually both are the unit itself; -1: none. */
struct scene_binding {
    int texture[TEXENV_UNITS], coord[TEXENV_UNITS];
};
extern const struct scene_binding scene_as_is;

/* Binds textures and coordinates. enable: also enables the texture targets, as fixed function needs. */
void scene_bind(const struct texenv_state *state, const struct scene_binding *binding, unsigned bank,
                bool enable);

void scene_clear(void);
/* Draws the points of state number n of the batch. */
void scene_draw(unsigned n);
/* Reads the results of the first n states into out[state][point][channel]. Returns false after a GL error. */
bool scene_read(float (*out)[POINTS][4], unsigned n);

/* Enables or disables the colour sum (GL_COLOR_SUM). */
void scene_color_sum(bool on);

#endif
