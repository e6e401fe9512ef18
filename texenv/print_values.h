/* Prints GL's values as the calls that set them, as far as they differ from the initial values. The printed
 * calls that set lights and planes must run while the modelview matrix is the identity. A value that is not
 * known is printed as the name `unknown`, which readers accept as an unknown value. */
#ifndef TEXENV_PRINT_VALUES_H
#define TEXENV_PRINT_VALUES_H

#include "texenv/values.h"

/* Print a number, and count numbers with ", " between. */
void texenv_print_value(struct texenv_text *text, float x);
void texenv_print_values(struct texenv_text *text, const float *v, unsigned count);
void texenv_print_light_values(struct texenv_text *text, const struct texenv_values *values, unsigned n);
/* Also prints the light model's ambient colour. */
void texenv_print_material_values(struct texenv_text *text, const struct texenv_values *values);
/* Prints the planes and the texture matrix that this vertex half uses in `unit`, which must be the active
 * unit. */
void texenv_print_unit_values(struct texenv_text *text, const struct texenv_values *values,
                              const struct texenv_vertex *vertex, unsigned unit);
void texenv_print_point_values(struct texenv_text *text, const struct texenv_values *values);
void texenv_print_point_size(struct texenv_text *text, const struct texenv_values *values);
/* The name of a clip plane's token without its number. GL 2.1 has tokens for six planes only; the others are
 * of GL 3.0. */
#define TEXENV_PLANE_NAME(n) ((n) < 6 ? "GL_CLIP_PLANE" : "GL_CLIP_DISTANCE")
void texenv_print_clip_plane(struct texenv_text *text, const struct texenv_values *values, unsigned n);
void texenv_print_fog_values(struct texenv_text *text, const struct texenv_values *values);
/* Prints the projection and modelview matrices and leaves the matrix mode MODELVIEW. Must be called last,
 * because lights and planes set later would be transformed. */
void texenv_print_matrix_values(struct texenv_text *text, const struct texenv_values *values);

#endif
