/* Makes a context without a window: of OpenGL ES 2 or later, for libtexenv-es (OVER_ES), otherwise of OpenGL.
 */
#ifndef TESTS_OPEN_GL_H
#define TESTS_OPEN_GL_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stddef.h>

/* Returns 0 if no context can be made. */
static int open_gl(int side)
{
    const EGLint size[] = {EGL_WIDTH, side, EGL_HEIGHT, side, EGL_NONE};
#ifdef OVER_ES
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint bit = EGL_OPENGL_ES2_BIT;
    eglBindAPI(EGL_OPENGL_ES_API);
#else
    static const EGLint *version;
    const EGLint bit = EGL_OPENGL_BIT;
    eglBindAPI(EGL_OPENGL_API);
#endif
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             bit,
                             EGL_DEPTH_SIZE,
                             24,
                             EGL_STENCIL_SIZE,
                             8,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
        "eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    EGLConfig config;
    EGLint n = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
        !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
        return 0;
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    return eglMakeCurrent(display, surface, surface,
                          eglCreateContext(display, config, EGL_NO_CONTEXT, version));
}

#endif
