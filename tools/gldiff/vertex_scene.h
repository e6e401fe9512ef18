/* Draws the results of vertices: each of the VERTICES is a point of one pixel in textures of floats. A second
 * drawing shows their positions, a third one the sizes of points, as the pixels that they cover. */
#ifndef GLDIFF_VERTEX_SCENE_H
#define GLDIFF_VERTEX_SCENE_H

#include "vertex_values.h"

enum vertex_seen {
    SEEN_PRIMARY,
    SEEN_SECONDARY,
    SEEN_FOG,
    SEEN_COORD,
    SEEN_POSITION = SEEN_COORD + TEXENV_UNITS, /* x and y in parts of a pixel; z and 1/w of the window */
    SEEN_SIZE,                                 /* of the points, in pixels */
    SEEN
};
struct vertex_shot {
    float value[SEEN][VERTICES][4];
};

/* A vertex half, and what of its results is read. */
struct vertex_subject {
    struct texenv_vertex vertex;
    struct texenv_vertex_reads reads;
};

/* Takes over the context. NULL, or why not. */
const char *vertex_scene_open(void);
/* Draws what is set with the vertices that are enabled (fixed function, or a vertex program). False after an
 * error of the GL. */
bool vertex_scene_draw(struct vertex_shot *shot, const struct vertex_values *v,
                       const struct vertex_subject *subject);

/* Results are drawn in parts of TARGETS each; the last parts show positions and sizes. */
enum { TARGETS = 8, PART_POSITION = 2, PART_SIZE, VERTEX_PARTS };
/* Is there anything in this part? */
bool vertex_scene_part(const struct vertex_subject *subject, unsigned part);
/* The source of a fragment shader (GLSL 1.20) that shows a part of what reads has, for vertex shaders. */
void vertex_scene_shader(char *text, size_t size, const struct texenv_vertex_reads *reads, unsigned part);
/* As vertex_scene_draw, by a program with a vertex shader for each part (0: the part is not drawn). use:
 * makes a program current and sets its uniforms; NULL if it has none. */
bool vertex_scene_draw_shaders(struct vertex_shot *shot, const struct vertex_values *v,
                               const GLuint programs[VERTEX_PARTS],
                               void (*use)(GLuint program, const struct vertex_values *v, unsigned part));

/* The first n colours of one point that is drawn with all that is bound; it has to be in the middle. */
bool vertex_scene_point(float (*values)[4], unsigned n);
/* Colour 0 of each vertex, drawn with all that is bound; points: as points and not as areas' corners. */
bool vertex_scene_pixels(float out[VERTICES][4], bool points);

#endif
