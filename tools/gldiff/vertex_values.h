/* The numbers with which vertex halves are drawn: matrices, lights, materials, planes and vertices. All are
 * random; a state's number determines them. Many are special cases: light parallel to a surface, positions
 * whose w is not 1, exponents of 0 and 128. */
#ifndef GLDIFF_VERTEX_VALUES_H
#define GLDIFF_VERTEX_VALUES_H

#include "gl.h"

#include "texenv/vertex.h"

enum {
    VERTEX_COLUMNS = 16,
    VERTEX_ROWS = 3,
    VERTICES = VERTEX_COLUMNS * VERTEX_ROWS /* one for each pixel; there are as many triangles as columns */
};

struct vertex_values {
    /* column-major, as in GL; a texture matrix that is the identity is not used */
    float modelview[16], projection[16], texture[TEXENV_UNITS][16];
    /* as given to GL; the modelview matrix is set then */
    float object_plane[TEXENV_UNITS][4][4], eye_plane[TEXENV_UNITS][4][4];
    struct {
        float ambient[4], diffuse[4], specular[4];
        float position[4]; /* in eye coordinates */
        float direction[3], exponent, cutoff, attenuation[3];
    } light[TEXENV_LIGHTS];
    struct {
        float ambient[4], diffuse[4], specular[4], emission[4], shininess;
    } material[2]; /* front, back */
    float model_ambient[4];
    float point_size, point_least, point_most, point_attenuation[3];
    float position[VERTICES][4], normal[VERTICES][3], color[VERTICES][4], secondary[VERTICES][3],
        fog_coord[VERTICES], coord[TEXENV_UNITS][VERTICES][4];
    float eye[VERTICES][4]; /* positions in eye coordinates */
};

/* Makes the numbers of state number n of a seed. */
void vertex_values_make(struct vertex_values *v, const struct texenv_vertex *vertex, uint64_t seed,
                        uint64_t n);
/* Changes every number, except integers and angles, by up to 2^-18 of itself. */
void vertex_values_vary(struct vertex_values *v, unsigned variation);
/* Sets GL's state to the numbers, as far as vertex uses them. Returns NULL, or why GL has no such state. */
const char *vertex_values_set(const struct vertex_values *v, const struct texenv_vertex *vertex);
/* Sets the point sizes; NULL: one pixel. */
void vertex_values_points(const struct vertex_values *v);

/* Why a vertex's results are not compared: at these borders rounding decides the result. */
enum vertex_border {
    BORDER_NONE,
    BORDER_ACROSS, /* N.L is about 0, where specular reflection begins */
    BORDER_SPOT,   /* the vertex is at the border of a spot */
    BORDER_HALF,   /* N.H is about 0, with an exponent below 1 */
    BORDER_SPHERE, /* the reflection goes straight away from the viewer, where a sphere map is singular */
    /* a point's size is about a half or whole number, where it may cover other pixels */
    BORDER_SIZE,
    BORDERS
};
extern const char *const vertex_borders[BORDERS];
/* These return the border at which a vertex's colours, texture coordinates or size are. */
enum vertex_border vertex_color_border(const struct vertex_values *v, const struct texenv_vertex *vertex,
                                       unsigned i);
enum vertex_border vertex_sphere_border(const struct vertex_values *v, const struct texenv_vertex *vertex,
                                        unsigned i);
enum vertex_border vertex_size_border(const struct vertex_values *v, unsigned i);
/* Computes the pixel at which vertex i is drawn. */
void vertex_pixel(unsigned i, unsigned *x, unsigned *y);
/* Returns whether the triangle of this vertex shows its back. */
bool vertex_is_back(unsigned i);

#endif
