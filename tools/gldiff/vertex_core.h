/* Draws with shaders of core profiles and of OpenGL ES: attributes are found by their names, and GL's state
 * is passed as uniforms named after the bindings of ARB programs (notes/formats/languages.md,
 * notes/formats/arbfp.md). */
#ifndef GLDIFF_VERTEX_CORE_H
#define GLDIFF_VERTEX_CORE_H

#include "vertex_ways.h"

/* Writes the fragment shader that outputs one part of the results (vertex_scene.h) of such a
 * vertex shader. */
void vertex_core_shader(char *text, size_t size, enum vertex_way way, const struct texenv_vertex_reads *reads,
                        unsigned part);
/* Reads from the GL the current values of the state that p uses: once as they are, and a second time with v's
 * point sizes, which PART_SIZE uses. Returns false after a GL error. */
bool vertex_core_find(const struct fragprog *p, const struct vertex_values *v);
/* Uses a program and sets its attributes, and its uniforms to the values of vertex_core_find. */
void vertex_core_use(GLuint program, const struct vertex_values *v, unsigned part);
/* Sets the attributes only. */
void vertex_core_attributes(GLuint program, const struct vertex_values *v);
/* Disables the attributes. */
void vertex_core_done(void);

#endif
