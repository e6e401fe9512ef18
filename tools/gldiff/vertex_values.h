/* The numbers that a vertex half is drawn with: matrices, lights, materials, planes and vertices. All are
 * random, those of a state by its number; many sit in corners: light across a surface, positions with w
 * beside 1, exponents of 0 and 128. */
#ifndef GLDIFF_VERTEX_VALUES_H
#define GLDIFF_VERTEX_VALUES_H

#include "gl.h"

#include "texenv/vertex.h"

enum {
    VERTEX_COLUMNS = 16,
    VERTEX_ROWS = 3,
    VERTICES = VERTEX_COLUMNS * VERTEX_ROWS /* one for each pixel; as many triangles as columns */
};

struct vertex_values {
    /* by columns, as GL has them; a texture matrix that is the identity is not used */
    float modelview[16], projection[16], texture[TEXENV_UNITS][16];
    float object_plane[TEXENV_UNITS][4][4], eye_plane[TEXENV_UNITS][4][4]; /* as given, under modelview */
    struct {
        float ambient[4], diffuse[4], specular[4];
        float position[4]; /* in the eye's space */
        float direction[3], exponent, cutoff, attenuation[3];
    } light[TEXENV_LIGHTS];
    struct {
        float ambient[4], diffuse[4], specular[4], emission[4], shininess;
    } material[2]; /* front, back */
    float model_ambient[4];
    float point_size, point_least, point_most, point_attenuation[3];
    float position[VERTICES][4], normal[VERTICES][3], color[VERTICES][4], secondary[VERTICES][3],
        fog_coord[VERTICES], coord[TEXENV_UNITS][VERTICES][4];
    float eye[VERTICES][4]; /* the positions in the eye's space */
};

/* Of state number n of a seed. */
void vertex_values_make(struct vertex_values *v, const struct texenv_vertex *vertex, uint64_t seed,
                        uint64_t n);
/* Changes every number but integers and angles by up to 2^-18 of itself.
 */
void vertex_values_vary(struct vertex_values *v, unsigned variation);
/* Makes them GL's state, of what vertex has. NULL, or why GL has no such state. */
const char *vertex_values_set(const struct vertex_values *v, const struct texenv_vertex *vertex);
/* Their points' sizes; NULL: of one pixel. */
void vertex_values_points(const struct vertex_values *v);

/* Why a vertex's colours or coordinates are left out: rounding decides there. */
enum vertex_border {
    BORDER_NONE,
    BORDER_ACROSS, /* N.L about 0 where it switches specular reflection on */
    BORDER_SPOT,   /* at the border of a spot */
    BORDER_HALF,   /* N.H about 0 with an exponent below 1 */
    BORDER_SPHERE, /* the reflection goes straight away, where a sphere map is all of its border */
    BORDER_SIZE,   /* a point's size about a half or whole number, where it may cover other pixels */
    BORDERS
};
extern const char *const vertex_borders[BORDERS];
/* Of the colours, the coordinates, and the size of a vertex. */
enum vertex_border vertex_color_border(const struct vertex_values *v, const struct texenv_vertex *vertex,
                                       unsigned i);
enum vertex_border vertex_sphere_border(const struct vertex_values *v, const struct texenv_vertex *vertex,
                                        unsigned i);
enum vertex_border vertex_size_border(const struct vertex_values *v, unsigned i);
/* Where vertex i comes to. */
void vertex_pixel(unsigned i, unsigned *x, unsigned *y);
/* Is this vertex of a triangle that shows its back? */
bool vertex_is_back(unsigned i);

#endif
