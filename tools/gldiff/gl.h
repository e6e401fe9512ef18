/* OpenGL, found at run time: a context without a window (EGL on no surface, on a device, or on a display;
 * OSMesa), and its functions as gl.NAME. */
#ifndef GLDIFF_GL_H
#define GLDIFF_GL_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>

struct gl_functions {
#define GL(name) __typeof__(name) *name;
#define GL_OPTIONAL(name) GL(name)
#include "gl.def"
#undef GL
#undef GL_OPTIONAL
};
extern struct gl_functions gl;

enum platform {
    PLATFORM_AUTO,
    PLATFORM_SURFACELESS,
    PLATFORM_DEVICE,
    PLATFORM_DISPLAY,
    PLATFORM_OSMESA,
    PLATFORMS
};
extern const char *const platform_names[PLATFORMS];

/* Makes a context current and finds the functions. AUTO tries the others in turn. On failure returns a text
 * of why, which stays valid. */
const char *gl_open(enum platform wanted, enum platform *got);
/* Does GL_EXTENSIONS have this name (whole)? */
bool gl_has(const char *extension);

#endif
