#include "gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct gl_functions gl;
const char *const platform_names[PLATFORMS] = {"auto", "surfaceless", "device", "display", "osmesa"};

typedef void (*function)(void);
typedef function (*find_function)(const char *name);

static char problem[512];

static bool fail(const char *text)
{
    size_t n = strlen(problem);
    snprintf(problem + n, sizeof problem - n, "%s%s", n ? "; " : "", text);
    return false;
}

/* Returns a function by its name. dlsym returns a data pointer, which C cannot cast to a function pointer. */
static function symbol(void *library, const char *name)
{
    void *p = dlsym(library, name);
    function f;
    memcpy(&f, &p, sizeof f);
    return f;
}

static bool load(find_function find)
{
    bool all = true;
#define GL(name) all &= (gl.name = (__typeof__(gl.name))find(#name)) != NULL;
#define GL_OPTIONAL(name) gl.name = (__typeof__(gl.name))find(#name);
#include "gl.def"
#undef GL
#undef GL_OPTIONAL
    return all;
}

/* ---- EGL ---- */

static struct {
    void *library;
    __typeof__(eglGetProcAddress) *eglGetProcAddress;
    __typeof__(eglQueryString) *eglQueryString;
    __typeof__(eglGetDisplay) *eglGetDisplay;
    __typeof__(eglInitialize) *eglInitialize;
    __typeof__(eglBindAPI) *eglBindAPI;
    __typeof__(eglChooseConfig) *eglChooseConfig;
    __typeof__(eglCreateContext) *eglCreateContext;
    __typeof__(eglCreatePbufferSurface) *eglCreatePbufferSurface;
    __typeof__(eglMakeCurrent) *eglMakeCurrent;
} egl;

static bool load_egl(void)
{
    egl.library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!egl.library)
        return fail("there is no libEGL.so.1");
#define FIND(name) ((egl.name = (__typeof__(egl.name))symbol(egl.library, #name)) != NULL)
    return (FIND(eglGetProcAddress) && FIND(eglQueryString) && FIND(eglGetDisplay) && FIND(eglInitialize) &&
            FIND(eglBindAPI) && FIND(eglChooseConfig) && FIND(eglCreateContext) &&
            FIND(eglCreatePbufferSurface) && FIND(eglMakeCurrent)) ||
        fail("libEGL.so.1 lacks functions");
}

static EGLDisplay display_of(enum platform platform)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl.eglGetProcAddress(
        "eglGetPlatformDisplayEXT");
    PFNEGLQUERYDEVICESEXTPROC devices = (PFNEGLQUERYDEVICESEXTPROC)egl.eglGetProcAddress(
        "eglQueryDevicesEXT");
    EGLDeviceEXT device;
    EGLint n = 0;
    switch (platform) {
    case PLATFORM_SURFACELESS:
        return get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    case PLATFORM_DEVICE:
        if (!get || !devices || !devices(1, &device, &n) || n < 1)
            return EGL_NO_DISPLAY;
        return get(EGL_PLATFORM_DEVICE_EXT, device, NULL);
    default: return egl.eglGetDisplay(EGL_DEFAULT_DISPLAY);
    }
}

static function find_egl(const char *name)
{
    function f = (function)egl.eglGetProcAddress(name);
    return f ? f : symbol(egl.library, name);
}

static bool open_egl(enum platform platform)
{
    static const EGLint with_pbuffer[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                          EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint without[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    char text[96];
    EGLint n = 0;
    EGLConfig config = NULL;
    if (!egl.library && !load_egl())
        return false;
    EGLDisplay display = display_of(platform);
    snprintf(text, sizeof text, "EGL has no %s", platform_names[platform]);
    if (display == EGL_NO_DISPLAY || !egl.eglInitialize(display, NULL, NULL))
        return fail(text);
    snprintf(text, sizeof text, "EGL on %s has no OpenGL", platform_names[platform]);
    if (!egl.eglBindAPI(EGL_OPENGL_API))
        return fail(text);
    EGLSurface surface = EGL_NO_SURFACE;
    if (egl.eglChooseConfig(display, with_pbuffer, &config, 1, &n) && n > 0)
        surface = egl.eglCreatePbufferSurface(display, config, size);
    else if (!egl.eglChooseConfig(display, without, &config, 1, &n) || n < 1)
        return fail(text);
    EGLContext context = egl.eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    if (context == EGL_NO_CONTEXT || !egl.eglMakeCurrent(display, surface, surface, context))
        return fail(text);
    return load(find_egl) || fail("the GL lacks functions of version 1.5");
}

/* ---- OSMesa: the types are declared here so that its header is not needed ---- */

typedef struct osmesa_context *(*osmesa_create)(GLenum format, GLint depth, GLint stencil, GLint accum,
                                                struct osmesa_context *share);
typedef GLboolean (*osmesa_make_current)(struct osmesa_context *context, void *buffer, GLenum type,
                                         GLsizei width, GLsizei height);

static find_function osmesa_find;
static function find_osmesa(const char *name) { return osmesa_find(name); }

static bool open_osmesa(void)
{
    static unsigned char buffer[16 * 16 * 4];
    void *library = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        library = dlopen("libOSMesa.so", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return fail("there is no libOSMesa.so");
    osmesa_create create = (osmesa_create)symbol(library, "OSMesaCreateContextExt");
    osmesa_make_current make_current = (osmesa_make_current)symbol(library, "OSMesaMakeCurrent");
    osmesa_find = (find_function)symbol(library, "OSMesaGetProcAddress");
    if (!create || !make_current || !osmesa_find)
        return fail("libOSMesa.so lacks functions");
    struct osmesa_context *context = create(GL_RGBA, 24, 0, 0, NULL);
    if (!context || !make_current(context, buffer, GL_UNSIGNED_BYTE, 16, 16))
        return fail("OSMesa gives no context");
    return load(find_osmesa) || fail("the GL lacks functions of version 1.5");
}

const char *gl_open(enum platform wanted, enum platform *got)
{
    problem[0] = '\0';
    for (enum platform p = PLATFORM_SURFACELESS; p < PLATFORMS; p++) {
        if (wanted != PLATFORM_AUTO && wanted != p)
            continue;
        *got = p;
        if (p == PLATFORM_OSMESA ? open_osmesa() : open_egl(p))
            return NULL;
    }
    return problem;
}

bool gl_has(const char *extension)
{
    const char *all = (const char *)gl.glGetString(GL_EXTENSIONS);
    size_t n = strlen(extension);
    for (const char *p = all; p && (p = strstr(p, extension)); p += n)
        if ((p == all || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return true;
    return false;
}
