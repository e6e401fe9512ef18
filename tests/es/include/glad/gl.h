/* Replaces glad's header: the functions of GL are linked, not loaded at run time. */
#ifndef TESTS_GLAD_H
#define TESTS_GLAD_H
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
static inline int gladLoaderLoadGL(void) { return 1; }
static inline void gladLoaderUnloadGL(void) {}
#endif
