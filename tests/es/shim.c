/* The shim's test program with libtexenv-es: its contexts of OpenGL become contexts of OpenGL ES, and
 * eglGetProcAddress gives it this library's functions. */
#define _GNU_SOURCE
#include <EGL/egl.h>

#include <dlfcn.h>

typedef void (*function)(void);

static function address_of(const char *name)
{
    union {
        void *from;
        function to;
    } address = {dlsym(RTLD_DEFAULT, name)};
    return address.to;
}

static EGLBoolean choose_config(EGLDisplay display, const EGLint *wanted, EGLConfig *config, EGLint size,
                                EGLint *n)
{
    EGLint changed[32];
    int i = 0;
    for (; wanted[i] != EGL_NONE && i < 30; i += 2) {
        changed[i] = wanted[i];
        changed[i + 1] = wanted[i] == EGL_RENDERABLE_TYPE ? EGL_OPENGL_ES2_BIT : wanted[i + 1];
    }
    changed[i] = EGL_NONE;
    return eglChooseConfig(display, changed, config, size, n);
}

static EGLContext create_context(EGLDisplay display, EGLConfig config, EGLContext share,
                                 const EGLint *attributes)
{
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    (void)attributes;
    return eglCreateContext(display, config, share, version);
}

#define eglGetProcAddress address_of
#define eglBindAPI(api) ((void)(api), eglBindAPI(EGL_OPENGL_ES_API))
#define eglChooseConfig choose_config
#define eglCreateContext create_context
#include "../realgl/shim/program.c"
