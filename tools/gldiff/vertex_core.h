/* Shaders of core profiles and of OpenGL ES: attributes by name, and GL's state as uniforms that are named
 * after the bindings of ARB programs (notes/formats/languages.md, notes/formats/arbfp.md). */
#ifndef GLDIFF_VERTEX_CORE_H
#define GLDIFF_VERTEX_CORE_H

#include "vertex_ways.h"

/* The fragment shader that shows a part (vertex_scene.h) behind such a vertex shader. */
void vertex_core_shader(char *text, size_t size, enum vertex_way way, const struct texenv_vertex_reads *reads,
                        unsigned part);
/* Asks the GL for the state that p takes, as it is now, and for PART_SIZE with v's sizes of points. False
 * after an error of the GL. */
bool vertex_core_find(const struct fragprog *p, const struct vertex_values *v);
/* Uses a program, and sets its uniforms, to what was found, and its attributes. */
void vertex_core_use(GLuint program, const struct vertex_values *v, unsigned part);
/* The attributes alone. */
void vertex_core_attributes(GLuint program, const struct vertex_values *v);
/* Takes the attributes away again. */
void vertex_core_done(void);

#endif
