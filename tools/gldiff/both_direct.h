/* Whole states, with their vertex halves, drawn by fixed function; and how steady the result is. */
#ifndef GLDIFF_BOTH_DIRECT_H
#define GLDIFF_BOTH_DIRECT_H

#include "vertex_scene.h"

#include "texenv/values.h"

/* A value may differ by TOLERANCE times the state's gain, plus the change described next. A value is
 * unsteady, and not compared, if it changes by more than STEADY when the numbers of the vertices change by up
 * to 2^-18 of themselves, because a texel, a comparison or a spot is at its threshold; or if the vertex is at
 * a border of lighting (enum vertex_border). Two deviations of Mesa are left out as well: it divides
 * coordinates of cube maps by q, which reverses the direction where q is negative (2.1, 3.8.13 has no q
 * there); and with a float framebuffer it does not clamp the colour sum before fog. */
#define BOTH_TOLERANCE 1e-5
#define BOTH_STEADY 1e-3
enum { BOTH_VARIATIONS = 6 };

struct both_job {
    struct texenv_state state;
    struct vertex_subject half;
    struct texenv_raster raster;
    const char *file;
    uint64_t number, line, call;
};

/* The result of fixed function, and the change of each value when the inputs change. */
struct both_direct {
    const struct vertex_values *values;
    float value[VERTICES][4];
    double moved[VERTICES][4];
    bool mesa[VERTICES]; /* not compared because of a deviation of Mesa */
};

/* Makes random state number n. */
void both_random(struct both_job *job, uint64_t seed, uint64_t n, const struct texenv_policy *policy);
/* Reduces the vertex half to the results that the fragment half reads. */
void both_find_reads(struct both_job *job);
/* Returns whether points are drawn; otherwise polygons are drawn, with a polygon mode that shows their
 * corners as points. Clipping adds corners to polygons, which would be points; shaders that discard fragments
 * do not add them. So a state with clip planes is drawn with points. */
bool both_points(const struct both_job *job);

/* Sets all state except programs, and makes the numbers. Returns NULL, or why GL has no such state. */
const char *both_set(const struct vertex_values **made, const struct both_job *job, uint64_t seed,
                     unsigned variation);
/* Sets the state of rasterization alone. Returns NULL, or why GL has no such state. */
const char *both_set_raster(const struct texenv_raster *r, unsigned planes);
/* Sets the values of fog and clip planes. */
void both_add_values(struct texenv_values *values);
/* Sets bad[i] if a texture coordinate of vertex i for a cube map has a q that is not positive. Draws with ARB
 * programs; returns false after a GL error. */
bool both_cube_q(bool bad[VERTICES], const struct both_job *job, const struct vertex_values *values);
/* Draws by fixed function. Returns NULL, or the reason of a failure. */
const char *both_draw_direct(struct both_direct *d, const struct both_job *job, uint64_t seed);

#endif
