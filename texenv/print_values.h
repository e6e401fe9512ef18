/* GL's values as calls that give them, each if it is not the initial one. Matrices of lights and planes are
 * the identity at that time. What is not known is "unknown", which readers take for that. */
#ifndef TEXENV_PRINT_VALUES_H
#define TEXENV_PRINT_VALUES_H

#include "texenv/values.h"

void texenv_print_light_values(struct texenv_text *text, const struct texenv_values *values, unsigned n);
/* And the light model's. */
void texenv_print_material_values(struct texenv_text *text, const struct texenv_values *values);
/* Of what this vertex half reads of a unit, which is the active one. */
void texenv_print_unit_values(struct texenv_text *text, const struct texenv_values *values,
                              const struct texenv_vertex *vertex, unsigned unit);
void texenv_print_point_values(struct texenv_text *text, const struct texenv_values *values);
void texenv_print_point_size(struct texenv_text *text, const struct texenv_values *values);
/* GL 2.1 has names for six planes, GL 3.0 under another name for all. */
#define TEXENV_PLANE_NAME(n) ((n) < 6 ? "GL_CLIP_PLANE" : "GL_CLIP_DISTANCE")
void texenv_print_clip_plane(struct texenv_text *text, const struct texenv_values *values, unsigned n);
void texenv_print_fog_values(struct texenv_text *text, const struct texenv_values *values);
/* Projection and modelview, which is the mode behind it. Last: they change what is given. */
void texenv_print_matrix_values(struct texenv_text *text, const struct texenv_values *values);

#endif
