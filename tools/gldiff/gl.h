/* Loads OpenGL at run time: creates a context without a window (EGL without surface, on a device, or on a
 * display; or OSMesa), and loads its functions as gl.NAME. */
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

/* Makes a context current and loads the functions. AUTO tries each platform in turn. On failure, returns a
 * message, which stays valid. */
const char *gl_open(enum platform wanted, enum platform *got);
/* Tells whether GL_EXTENSIONS contains this name as a whole word. */
bool gl_has(const char *extension);

#endif
