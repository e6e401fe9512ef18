/* A small GLUT for tests. It has one window, without a screen, and writes the last frame to a file.
 *
 * Built twice: for the system's OpenGL, and (with TEXENV_ES) for libtexenv-es over OpenGL ES or WebGL.
 * glutMainLoop draws some frames and ends the program. Its clock advances by 20 ms per frame, so that two
 * runs of a program draw the same. Menus, the mouse and overlays do nothing. Shapes and letters are in
 * glut_shapes.c.
 *
 * These variables are read from the environment or, in a browser, from the query of the page's address;
 * defaults are in parentheses:
 *
 *   ES_OUT      file for the last frame (PPM, lines from the bottom)
 *   ES_FRAMES   number of frames (3)
 *   ES_KEYS     keys to press, one per frame from the second frame on
 *   ES_CONTEXT  version of OpenGL ES, 2 or 3 (2)
 */
#include <GL/freeglut_std.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#include <emscripten/html5.h>
#else
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif

enum { TIMERS = 8, MILLISECONDS = 20 };

static struct {
    int width, height, frame, windows, menus;
    bool posted, reshaped;
    void (*display)(void);
    void (*reshape)(int, int);
    void (*idle)(void);
    void (*keyboard)(unsigned char, int, int);
    void (*visibility)(int);
    struct {
        int due, value;
        void (*call)(int);
    } timer[TIMERS];
} glut = {.width = 300, .height = 300, .posted = true};

static void fail(const char *text)
{
    fprintf(stderr, "glut: %s\n", text);
    exit(3);
}

static const char *option(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* ---- the context ---- */

#if defined __EMSCRIPTEN__ && !defined TEXENV_ES
/* LEGACY_GL_EMULATION makes its own context. */
static void open_context(void)
{
    emscripten_set_canvas_element_size("#canvas", glut.width, glut.height);
    emscripten_run_script(
        "Browser.createContext(Module.canvas, true, true, {antialias: false, stencil: true})");
}
#elif defined __EMSCRIPTEN__
static void open_context(void)
{
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = atoi(option("ES_CONTEXT", "2")) - 1;
    attributes.stencil = true;
    attributes.antialias = false;
    emscripten_set_canvas_element_size("#canvas", glut.width, glut.height);
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#canvas", &attributes);
    if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS)
        fail("no WebGL context");
}
#else
static void open_context(void)
{
#ifdef TEXENV_ES
    EGLint version = atoi(option("ES_CONTEXT", "2")),
           bit = version == 3 ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_ES2_BIT;
    const EGLint context_wanted[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    EGLenum api = EGL_OPENGL_ES_API;
#else
    EGLint bit = EGL_OPENGL_BIT;
    const EGLint context_wanted[] = {EGL_NONE};
    EGLenum api = EGL_OPENGL_API;
#endif
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             bit,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_DEPTH_SIZE,
                             24,
                             EGL_STENCIL_SIZE,
                             8,
                             EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, glut.width, EGL_HEIGHT, glut.height, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
        "eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    EGLConfig config;
    EGLint n = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(api) ||
        !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
        fail("EGL has no such configuration");
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wanted);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, surface, surface, context))
        fail("EGL gives no context");
}
#endif

#ifdef __EMSCRIPTEN__
/* Gives the page the frame: width, height and RGBA bytes, lines from the bottom. */
static void write_frame(const char *path)
{
    unsigned char *pixels = malloc((size_t)glut.width * glut.height * 4);
    char script[160];
    (void)path;
    glReadPixels(0, 0, glut.width, glut.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    const unsigned long at = (unsigned long)pixels,
                        size = 4ul * (unsigned long)glut.width * (unsigned long)glut.height;
    snprintf(script, sizeof script, "globalThis.frame = [%d, %d, Array.from(HEAPU8.subarray(%lu, %lu))]",
             glut.width, glut.height, at, at + size);
    emscripten_run_script(script);
    free(pixels);
}
#else
static void write_frame(const char *path)
{
    size_t size = (size_t)glut.width * glut.height;
    unsigned char *pixels = malloc(size * 4);
    FILE *f = fopen(path, "wb");
    if (!pixels || !f)
        fail("the frame cannot be written");
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_SKIP_ROWS, 0);
    glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    glReadPixels(0, 0, glut.width, glut.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    fprintf(f, "P6\n%d %d\n255\n", glut.width, glut.height);
    for (size_t i = 0; i < size; i++)
        fwrite(pixels + 4 * i, 1, 3, f);
    fclose(f);
    free(pixels);
}
#endif

/* ---- the loop ---- */

static void draw_frame(void)
{
    const char *keys = option("ES_KEYS", "");
    int key = glut.frame - 1;
    if (key >= 0 && key < (int)strlen(keys) && glut.keyboard)
        glut.keyboard((unsigned char)keys[key], 0, 0);
    for (int i = 0; i < TIMERS; i++) {
        void (*call)(int) = glut.timer[i].call;
        if (call && glut.timer[i].due <= glut.frame * MILLISECONDS) {
            glut.timer[i].call = NULL;
            call(glut.timer[i].value);
        }
    }
    if (!glut.reshaped) {
        glut.reshaped = true;
        if (glut.reshape)
            glut.reshape(glut.width, glut.height);
        if (glut.visibility)
            glut.visibility(GLUT_VISIBLE);
    }
    if (glut.posted) {
        glut.posted = false;
        if (!glut.display)
            fail("no display function");
        glut.display();
    }
    if (glut.idle)
        glut.idle();
    glut.frame++;
}

void glutMainLoop(void)
{
    int frames = atoi(option("ES_FRAMES", "3"));
    if (!glut.windows)
        fail("no window");
    while (glut.frame < frames)
        draw_frame();
    glut.posted =
        true; /* draws a last frame without the idle function, which may have left a frame unfinished */
    glut.idle = NULL;
    draw_frame();
    write_frame(option("ES_OUT", "/dev/null"));
    exit(0);
}

void glutInit(int *argc, char **argv) { (void)argc, (void)argv; }

void __glutInitWithExit(int *argc, char **argv, void (*on_exit)(int))
{
    (void)on_exit;
    glutInit(argc, argv);
}

int glutCreateWindow(const char *title)
{
    (void)title;
    if (!glut.windows)
        open_context();
    return ++glut.windows;
}

int __glutCreateWindowWithExit(const char *title, void (*on_exit)(int))
{
    (void)on_exit;
    return glutCreateWindow(title);
}

int glutCreateSubWindow(int window, int x, int y, int width, int height)
{
    (void)window, (void)x, (void)y, (void)width, (void)height;
    fail("no windows in windows");
    return 0;
}

void glutInitWindowSize(int width, int height)
{
    if (!glut.windows)
        glut.width = width, glut.height = height;
}

void glutReshapeWindow(int width, int height)
{
    (void)width, (void)height; /* a request, which a window manager may refuse */
}

void glutPostRedisplay(void) { glut.posted = true; }
void glutSwapBuffers(void) { glFlush(); }
void glutDisplayFunc(void (*f)(void)) { glut.display = f; }
void glutReshapeFunc(void (*f)(int, int)) { glut.reshape = f; }
void glutIdleFunc(void (*f)(void)) { glut.idle = f; }
void glutKeyboardFunc(void (*f)(unsigned char, int, int)) { glut.keyboard = f; }
void glutVisibilityFunc(void (*f)(int)) { glut.visibility = f; }

void glutTimerFunc(unsigned time, void (*f)(int), int value)
{
    int i = 0;
    while (i < TIMERS && glut.timer[i].call)
        i++;
    if (i == TIMERS)
        fail("too many timers");
    glut.timer[i].due = glut.frame * MILLISECONDS + (int)time;
    glut.timer[i].value = value;
    glut.timer[i].call = f;
}

int glutGet(GLenum what)
{
    switch (what) {
    case GLUT_ELAPSED_TIME: return glut.frame * MILLISECONDS;
    case GLUT_WINDOW_WIDTH: return glut.width;
    case GLUT_WINDOW_HEIGHT: return glut.height;
    case GLUT_SCREEN_WIDTH: return 1280;
    case GLUT_SCREEN_HEIGHT: return 1024;
    case GLUT_WINDOW_RGBA:
    case GLUT_DISPLAY_MODE_POSSIBLE:
    case GLUT_WINDOW_DOUBLEBUFFER: return 1;
    case GLUT_WINDOW_DEPTH_SIZE: return 24;
    case GLUT_WINDOW_STENCIL_SIZE: return 8;
    case GLUT_WINDOW_RED_SIZE:
    case GLUT_WINDOW_GREEN_SIZE:
    case GLUT_WINDOW_BLUE_SIZE:
    case GLUT_WINDOW_ALPHA_SIZE:
    case GLUT_WINDOW_BUFFER_SIZE: return 8;
    default: return 0;
    }
}

int glutExtensionSupported(const char *name)
{
    const char *all = (const char *)glGetString(GL_EXTENSIONS);
    size_t n = strlen(name);
    for (const char *p = all; p && (p = strstr(p, name)); p += n)
        if ((p == all || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return 1;
    return 0;
}

/* ---- functions that do nothing here ---- */

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define NOTHING(name, ...) \
    void name(__VA_ARGS__) {}

NOTHING(glutInitDisplayMode, unsigned mode)
NOTHING(glutInitDisplayString, const char *text)
NOTHING(glutInitWindowPosition, int x, int y)
NOTHING(glutPositionWindow, int x, int y)
NOTHING(glutFullScreen, void)
NOTHING(glutSetWindowTitle, const char *title)
NOTHING(glutSetIconTitle, const char *title)
NOTHING(glutSetCursor, int cursor)
NOTHING(glutSetWindow, int window)
NOTHING(glutDestroyWindow, int window)
NOTHING(glutHideWindow, void)
NOTHING(glutShowWindow, void)
NOTHING(glutIconifyWindow, void)
NOTHING(glutPopWindow, void)
NOTHING(glutPushWindow, void)
NOTHING(glutKeyboardUpFunc, void (*f)(unsigned char, int, int))
NOTHING(glutSpecialFunc, void (*f)(int, int, int))
NOTHING(glutSpecialUpFunc, void (*f)(int, int, int))
NOTHING(glutMouseFunc, void (*f)(int, int, int, int))
NOTHING(glutMotionFunc, void (*f)(int, int))
NOTHING(glutPassiveMotionFunc, void (*f)(int, int))
NOTHING(glutEntryFunc, void (*f)(int))
NOTHING(glutMenuStateFunc, void (*f)(int))
NOTHING(glutAddMenuEntry, const char *text, int value)
NOTHING(glutAddSubMenu, const char *text, int menu)
NOTHING(glutAttachMenu, int button)
NOTHING(glutDetachMenu, int button)
NOTHING(glutSetMenu, int menu)
NOTHING(glutChangeToMenuEntry, int item, const char *text, int value)
NOTHING(glutDestroyMenu, int menu)
NOTHING(glutIgnoreKeyRepeat, int ignore)
NOTHING(glutSetColor, int index, float red, float green, float blue)
NOTHING(glutReportErrors, void)
NOTHING(glutWarpPointer, int x, int y)

int glutCreateMenu(void (*f)(int))
{
    (void)f;
    return ++glut.menus;
}

int __glutCreateMenuWithExit(void (*f)(int), void (*on_exit)(int))
{
    (void)on_exit;
    return glutCreateMenu(f);
}

int glutGetWindow(void) { return glut.windows; }
int glutGetMenu(void) { return glut.menus; }
int glutGetModifiers(void) { return 0; }

int glutDeviceGet(GLenum what)
{
    (void)what;
    return 0;
}
