/* Draws the results of vertices as colours. Each of the VERTICES is a point of one pixel in float textures.
 * Another drawing measures their positions, and a third one the sizes of points, by the pixels that they
 * cover. */
#ifndef GLDIFF_VERTEX_SCENE_H
#define GLDIFF_VERTEX_SCENE_H

#include "vertex_values.h"

enum vertex_seen {
    SEEN_PRIMARY,
    SEEN_SECONDARY,
    SEEN_FOG,
    SEEN_COORD,
    /* x and y in fractions of a pixel; window z and 1/w */
    SEEN_POSITION = SEEN_COORD + TEXENV_UNITS,
    /* sizes of points, in pixels */
    SEEN_SIZE,
    SEEN
};
struct vertex_shot {
    float value[SEEN][VERTICES][4];
};

/* A vertex half, and the results of it that are read. */
struct vertex_subject {
    struct texenv_vertex vertex;
    struct texenv_vertex_reads reads;
};

/* Sets up the context for vertex halves. Returns NULL, or the reason of a failure. */
const char *vertex_scene_open(void);
/* Enables the vertex arrays alone. */
void vertex_scene_open_arrays(void);
/* Draws all results with the state that is set and the vertices' processing that is enabled (fixed function,
 * or an ARB vertex program). Returns false after a GL error. */
bool vertex_scene_draw(struct vertex_shot *shot, const struct vertex_values *v,
                       const struct vertex_subject *subject);

/* The results are drawn in parts of at most TARGETS colours; the last two parts measure positions
 * and sizes. */
enum { TARGETS = 8, PART_POSITION = 2, PART_SIZE, VERTEX_PARTS };
/* Returns whether the subject has any result in this part. */
bool vertex_scene_part(const struct vertex_subject *subject, unsigned part);
/* Writes a fragment shader (GLSL 1.20) that outputs one part of the results that `reads` has. */
void vertex_scene_shader(char *text, size_t size, const struct texenv_vertex_reads *reads, unsigned part);
/* Does the same as vertex_scene_draw, with a GLSL program for each part (0: the part is not drawn). use:
 * makes a program current and sets its uniforms; NULL if it has no uniforms. */
bool vertex_scene_draw_shaders(struct vertex_shot *shot, const struct vertex_values *v,
                               const GLuint programs[VERTEX_PARTS],
                               void (*use)(GLuint program, const struct vertex_values *v, unsigned part));

/* Draws one point with the program and state that are bound, and reads its first n colours. The point must be
 * in the middle of the framebuffer. */
bool vertex_scene_point(float (*values)[4], unsigned n);
/* Draws the vertices with the program and state that are bound, as points or as triangles, and reads colour 0
 * of each. */
bool vertex_scene_pixels(float out[VERTICES][4], bool points);

#endif
