/* Test programs that run under the shim, on EGL without a window. Each prints its observations, one on a
 * line; the shim must not change any of them.
 *
 * usage: program core|compat|es|error|wait|wait-caught|environments|halves|newer|values|points|many N
 *   core         a shader of the program's own in an OpenGL 3.3 core profile
 *   es           the same in OpenGL ES 2
 *   compat       a fixed-function draw
 *   error        the same, with an error of the program's own before the draw and one after it
 *   wait         the same, then waits for a signal
 *   wait-caught  the same, with a handler of the program's own
 *   environments draws of three environments in two frames, for recording
 *   halves       draws with lights and generated coordinates
 *   newer        draws with state of later versions than GL 2.1
 *   values       draws that differ in colours alone, with other framebuffers and reads in between
 *   points       draws of points: flat, sprites, a size, a clip plane
 *   many         draws of N environments, then one in N colours, then the first again; says how much memory
 *                it took at most
 */
#define _GNU_SOURCE
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GL functions of this program; loaded by eglGetProcAddress, as SDL does. */
#define FUNCTIONS(X) \
    X(GLenum, glGetError, (void)) \
    X(const GLubyte *, glGetString, (GLenum)) \
    X(void, glClear, (GLbitfield)) \
    X(void, glClearColor, (GLfloat, GLfloat, GLfloat, GLfloat)) \
    X(void, glReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *)) \
    X(void, glDrawArrays, (GLenum, GLint, GLsizei)) \
    X(void, glEnable, (GLenum)) \
    X(void, glBegin, (GLenum)) \
    X(void, glEnd, (void)) \
    X(void, glColor4f, (GLfloat, GLfloat, GLfloat, GLfloat)) \
    X(void, glRectf, (GLfloat, GLfloat, GLfloat, GLfloat)) \
    X(void, glViewport, (GLint, GLint, GLsizei, GLsizei)) \
    X(void, glBindTexture, (GLenum, GLuint)) \
    X(void, glTexImage2D, (GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *)) \
    X(void, glTexParameteri, (GLenum, GLenum, GLint)) \
    X(void, glTexEnvi, (GLenum, GLenum, GLint)) \
    X(void, glTexEnvfv, (GLenum, GLenum, const GLfloat *)) \
    X(void, glDisable, (GLenum)) \
    X(void, glActiveTexture, (GLenum)) \
    X(void, glShadeModel, (GLenum)) \
    X(void, glPointSize, (GLfloat)) \
    X(void, glPointParameteri, (GLenum, GLint)) \
    X(void, glClipPlane, (GLenum, const GLdouble *)) \
    X(void, glTexParameteriv, (GLenum, GLenum, const GLint *)) \
    X(void, glTexCoord3f, (GLfloat, GLfloat, GLfloat)) \
    X(void, glTexStorage2D, (GLenum, GLsizei, GLenum, GLsizei, GLsizei)) \
    X(void, glTexSubImage2D, (GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, const void *)) \
    X(void, glGenSamplers, (GLsizei, GLuint *)) \
    X(void, glBindSampler, (GLuint, GLuint)) \
    X(void, glSamplerParameteri, (GLuint, GLenum, GLint)) \
    X(void, glGetFloatv, (GLenum, GLfloat *)) \
    X(void, glClampColor, (GLenum, GLenum)) \
    X(void, glDrawArraysInstancedBaseInstance, (GLenum, GLint, GLsizei, GLsizei, GLuint)) \
    X(void, glVertexPointer, (GLint, GLenum, GLsizei, const void *)) \
    X(void, glEnableClientState, (GLenum)) \
    X(void, glGenFramebuffers, (GLsizei, GLuint *)) \
    X(void, glBindFramebuffer, (GLenum, GLuint)) \
    X(void, glGenRenderbuffers, (GLsizei, GLuint *)) \
    X(void, glBindRenderbuffer, (GLenum, GLuint)) \
    X(void, glRenderbufferStorage, (GLenum, GLenum, GLsizei, GLsizei)) \
    X(void, glFramebufferRenderbuffer, (GLenum, GLenum, GLenum, GLuint)) \
    X(void, glLightfv, (GLenum, GLenum, const GLfloat *)) \
    X(void, glMaterialfv, (GLenum, GLenum, const GLfloat *)) \
    X(void, glMatrixMode, (GLenum)) \
    X(void, glLoadMatrixf, (const GLfloat *)) \
    X(void, glTexGeni, (GLenum, GLenum, GLint)) \
    X(EGLBoolean, eglSwapBuffers, (EGLDisplay, EGLSurface)) \
    X(GLuint, glCreateShader, (GLenum)) \
    X(void, glShaderSource, (GLuint, GLsizei, const char *const *, const GLint *)) \
    X(void, glCompileShader, (GLuint)) \
    X(GLuint, glCreateProgram, (void)) \
    X(void, glAttachShader, (GLuint, GLuint)) \
    X(void, glBindAttribLocation, (GLuint, GLuint, const char *)) \
    X(void, glLinkProgram, (GLuint)) \
    X(void, glUseProgram, (GLuint)) \
    X(void, glNewList, (GLuint, GLenum)) \
    X(void, glEndList, (void)) \
    X(void, glCallList, (GLuint)) \
    X(void, glGenVertexArrays, (GLsizei, GLuint *)) \
    X(void, glBindVertexArray, (GLuint)) \
    X(void, glGenBuffers, (GLsizei, GLuint *)) \
    X(void, glBindBuffer, (GLenum, GLuint)) \
    X(void, glBufferData, (GLenum, GLsizeiptr, const void *, GLenum)) \
    X(void, glVertexAttribPointer, (GLuint, GLint, GLenum, GLboolean, GLsizei, const void *)) \
    X(void, glEnableVertexAttribArray, (GLuint))
static struct {
#define X(type, name, parameters) type(*name) parameters;
    FUNCTIONS(X)
#undef X
} f;

static void fail(const char *what)
{
    printf("cannot: %s\n", what);
    exit(77);
}

static void open_gl(EGLenum api, EGLint renderable, const EGLint *attributes)
{
    const EGLint wanted[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, renderable, EGL_RED_SIZE, 8, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(api) ||
        !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
        fail("EGL");
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (!context || !eglMakeCurrent(display, surface, surface, context))
        fail("context");
#define X(type, name, parameters) f.name = (type(*) parameters)eglGetProcAddress(#name);
    FUNCTIONS(X)
#undef X
}

static void say(const char *when) { printf("%s: error %#x\n", when, f.glGetError()); }

static void say_pixel(void)
{
    unsigned char rgba[4] = {0};
    f.glReadPixels(4, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    printf("pixel %d %d %d\n", rgba[0], rgba[1], rgba[2]);
}

static GLuint shader(GLenum kind, const char *text)
{
    GLuint name = f.glCreateShader(kind);
    f.glShaderSource(name, 1, &text, NULL);
    f.glCompileShader(name);
    return name;
}

static void own_shader(const char *vertex, const char *fragment, int vertex_arrays)
{
    static const float triangle[] = {-1, -1, 3, -1, -1, 3};
    GLuint name, program = f.glCreateProgram();
    f.glAttachShader(program, shader(GL_VERTEX_SHADER, vertex));
    f.glAttachShader(program, shader(GL_FRAGMENT_SHADER, fragment));
    f.glBindAttribLocation(program, 0, "at");
    f.glLinkProgram(program);
    f.glUseProgram(program);
    if (vertex_arrays) {
        f.glGenVertexArrays(1, &name);
        f.glBindVertexArray(name);
    }
    f.glGenBuffers(1, &name);
    f.glBindBuffer(GL_ARRAY_BUFFER, name);
    f.glBufferData(GL_ARRAY_BUFFER, sizeof triangle, triangle, GL_STATIC_DRAW);
    f.glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    f.glEnableVertexAttribArray(0);
    say("before");
    f.glDrawArrays(GL_TRIANGLES, 0, 3);
    say("after");
}

static void core(void)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    own_shader("#version 330\nin vec2 at;\nvoid main() { gl_Position = vec4(at, 0.0, 1.0); }\n",
               "#version 330\nout vec4 c;\nvoid main() { c = vec4(0.0, 1.0, 0.2, 1.0); }\n", 1);
}

static void es(void)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    open_gl(EGL_OPENGL_ES_API, EGL_OPENGL_ES2_BIT, attributes);
    own_shader("attribute vec2 at;\nvoid main() { gl_Position = vec4(at, 0.0, 1.0); }\n",
               "void main() { gl_FragColor = vec4(0.0, 1.0, 0.2, 1.0); }\n", 0);
}

static void compat(int errors)
{
    const EGLint attributes[] = {EGL_NONE};
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    f.glColor4f(0, 1, 0.2f, 1);
    if (errors)
        f.glEnable(0xdead); /* GL_INVALID_ENUM */
    f.glRectf(-1, -1, 1, 1);
    if (errors) {
        f.glBegin(GL_TRIANGLES);
        f.glClear(0); /* GL_INVALID_OPERATION, but the first error is kept */
        f.glEnd();
    }
    say("first");
    if (errors)
        f.glClear(0xffffffff); /* GL_INVALID_VALUE */
    f.glRectf(-1, -1, 1, 1);
    say("second");
    say("none left");
}

/* Three draws without texture; in the next frame, one of MODULATE with an RGB texture, and four of BLEND with
 * the colours A, A, B, A. tests/realgl/record.py has the expected result. */
static void environments(void)
{
    static const GLfloat colors[4][4] = {{0.5f, 0, 1, 1}, {0.5f, 0, 1, 1}, {0, 0.25f, 1, 1}, {0.5f, 0, 1, 1}};
    const EGLint attributes[] = {EGL_NONE};
    unsigned char white[4 * 2 * 3];
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    f.glColor4f(0, 1, 0.2f, 1);
    for (int i = 0; i < 3; i++)
        f.glRectf(-1, -1, 1, 1);
    f.eglSwapBuffers(eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW));
    memset(white, 255, sizeof white);
    f.glBindTexture(GL_TEXTURE_2D, 1);
    f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 4, 2, 0, GL_RGB, GL_UNSIGNED_BYTE, white);
    f.glEnable(GL_TEXTURE_2D);
    f.glBegin(GL_TRIANGLES);
    f.glEnd();
    f.glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND);
    for (int i = 0; i < 4; i++) {
        f.glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, colors[i]);
        f.glRectf(-1, -1, 1, 1);
    }
    f.eglSwapBuffers(eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW));
    say("after");
}

/* Two draws with two lights; one with and one without lighting under a projective matrix, which generated
 * programs of lights do not support; one with generated coordinates and a texture matrix, and a light that
 * has no effect. tests/realgl/record.py and tests/realgl/shim_contexts.py have the expected results. */
static void halves(void)
{
    static const GLfloat none[4] = {0, 0, 0, 1}, bright[4] = {0, 2, 0, 1}, glow[4] = {0, 0, 0.2f, 1},
                         at[4] = {0, 0, 1, 1}, cutoff[1] = {60};
    static const GLfloat projective[16] = {1, 0, 0, 0.25f, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.5f, 1};
    static const GLfloat plain[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const EGLint attributes[] = {EGL_NONE};
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    f.glEnable(GL_LIGHTING);
    f.glEnable(GL_LIGHT0);
    f.glEnable(GL_LIGHT1);
    f.glLightfv(GL_LIGHT1, GL_POSITION, at);
    f.glLightfv(GL_LIGHT1, GL_SPOT_CUTOFF, cutoff);
    f.glMaterialfv(GL_FRONT, GL_AMBIENT, none);
    f.glMaterialfv(GL_FRONT, GL_DIFFUSE, bright);
    f.glMaterialfv(GL_FRONT, GL_EMISSION, glow);
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            f.glLoadMatrixf(projective);
        if (i == 3)
            f.glDisable(GL_LIGHTING);
        f.glColor4f(0, 1, 0.2f, 1);
        f.glRectf(-1, -1, 1, 1);
        say_pixel();
    }
    f.glLoadMatrixf(plain);
    f.glMatrixMode(GL_TEXTURE);
    f.glLoadMatrixf(projective);
    f.glBindTexture(GL_TEXTURE_2D, 1);
    f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, "\377\377\377");
    f.glEnable(GL_TEXTURE_2D);
    f.glEnable(GL_TEXTURE_GEN_S);
    f.glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);
    f.glRectf(-1, -1, 1, 1);
    say("after");
}

static void draw_and_say(const char *what)
{
    unsigned char rgba[4] = {0};
    f.glRectf(-1, -1, 1, 1);
    f.glReadPixels(4, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    printf("%s %d %d %d %d\n", what, rgba[0], rgba[1], rgba[2], rgba[3]);
}

/* Opens a framebuffer with alpha, even if EGL's framebuffer has none. */
static void open_framebuffer(void)
{
    GLuint name;
    f.glGenFramebuffers(1, &name);
    f.glBindFramebuffer(GL_FRAMEBUFFER, name);
    f.glGenRenderbuffers(1, &name);
    f.glBindRenderbuffer(GL_RENDERBUFFER, name);
    f.glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 8, 8);
    f.glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
}

/* One draw for each feature of newer GL versions. tests/realgl/shim_contexts.py has the expected results. */
static void newer(void)
{
    static const unsigned char texel[] = {51, 102, 153, 204, 255};
    static const GLint as_they_are[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    static const GLushort half_depth[] = {0x8000};
    static const GLint one_zero_red_green[] = {GL_ONE, GL_ZERO, GL_RED, GL_GREEN};
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    const EGLint attributes[] = {EGL_NONE};
    GLuint sampler;
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    if (!f.glTexStorage2D || !f.glGenSamplers || !f.glClampColor || !f.glDrawArraysInstancedBaseInstance)
        fail("a GL of 4.2");
    open_framebuffer();
    f.glColor4f(1, 1, 1, 1);
    f.glEnable(GL_TEXTURE_2D);
    f.glBindTexture(GL_TEXTURE_2D, 1);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    f.glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_A, GL_RED);
    draw_and_say("one swizzle");
    f.glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, one_zero_red_green);
    draw_and_say("all swizzles");
    /* a depth texture that only the sampler compares: 0.25 <= 0.5 */
    f.glBindTexture(GL_TEXTURE_2D, 2);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,
                   half_depth);
    f.glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    f.glGenSamplers(1, &sampler);
    f.glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    f.glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
    f.glBindSampler(0, sampler);
    f.glTexCoord3f(0.5f, 0.5f, 0.25f);
    draw_and_say("sampler");
    f.glBindSampler(0, 0);
    /* the texture has one level, although the filter is NEAREST_MIPMAP_LINEAR */
    f.glBindTexture(GL_TEXTURE_2D, 3);
    f.glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 2, 2);
    for (int at = 0; at < 4; at++)
        f.glTexSubImage2D(GL_TEXTURE_2D, 0, at % 2, at / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    draw_and_say("immutable");
    f.glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    draw_and_say("unlimited");
    f.glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FIXED_ONLY);
    f.glActiveTexture(GL_TEXTURE6); /* the first unit that ATI shaders cannot sample */
    f.glBindTexture(GL_TEXTURE_2D, 1);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel + 1);
    f.glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, as_they_are);
    f.glEnable(GL_TEXTURE_2D);
    f.glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    draw_and_say("unit 6");
    f.glDisable(GL_TEXTURE_2D);
    f.glVertexPointer(2, GL_FLOAT, 0, corners);
    f.glEnableClientState(GL_VERTEX_ARRAY);
    f.glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, 3, 1, 0);
    say("after");
}

/* Draws that differ in colours only: a program must not reuse the current colour or the environment's colour
   of its last draw. */
static void values(void)
{
    static const GLfloat colors[2][4] = {{1, 0, 1, 1}, {0, 1, 0.2f, 1}};
    const EGLint attributes[] = {EGL_NONE};
    enum { PROGRAMS = 16 }; /* names of programs that do not exist; the shim may create some later */
    GLfloat now[4];
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    for (GLuint name = 1; name <= PROGRAMS; name++) {
        f.glNewList(name, GL_COMPILE);
        f.glUseProgram(name);
        f.glEndList();
    }
    f.glRectf(-1, -1, 1, 1);
    for (int i = 0; i < 2; i++) {
        open_framebuffer();
        f.glColor4f(colors[i][0], colors[i][1], colors[i][2], colors[i][3]);
        f.glGetFloatv(GL_CURRENT_COLOR, now);
        draw_and_say("current color");
    }
    f.glBindTexture(GL_TEXTURE_2D, 1);
    f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, "\377\377\377");
    f.glEnable(GL_TEXTURE_2D);
    f.glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND);
    for (int i = 0; i < 2; i++) {
        f.glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, colors[i]);
        draw_and_say("environment color");
    }
    say("after");
    for (GLuint name = 1; name <= PROGRAMS; name++) {
        f.glCallList(name); /* GL_INVALID_VALUE */
        say("no program");
    }
}

static void set_environment(unsigned n)
{
    static const GLint functions[] = {GL_MODULATE, GL_ADD, GL_ADD_SIGNED, GL_INTERPOLATE, GL_SUBTRACT};
    static const GLint sources[] = {GL_TEXTURE, GL_CONSTANT, GL_PRIMARY_COLOR, GL_PREVIOUS};
    for (GLenum unit = 0; unit < 2; unit++) {
        f.glActiveTexture(GL_TEXTURE0 + unit);
        f.glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        f.glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, functions[n % 5]);
        n /= 5;
        for (GLenum i = 0; i < 2; i++, n /= 4)
            f.glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB + i, sources[n % 4]);
        for (GLenum i = 0; i < 2; i++, n /= 2)
            f.glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND0_RGB + i, n % 2 ? GL_ONE_MINUS_SRC_COLOR : GL_SRC_COLOR);
    }
}

static void many(unsigned n)
{
    const EGLint attributes[] = {EGL_NONE};
    char line[128];
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    f.glBindTexture(GL_TEXTURE_2D, 1);
    f.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, "\377\377\377");
    for (GLenum unit = 0; unit < 2; unit++) {
        f.glActiveTexture(GL_TEXTURE0 + unit);
        f.glBindTexture(GL_TEXTURE_2D, 1);
        f.glEnable(GL_TEXTURE_2D);
    }
    for (unsigned i = 0; i < n; i++) {
        /* 102400 is the number of environments; the multiplication changes most settings from one environment
         * to the next */
        set_environment(i * 7919 % 102400);
        f.glRectf(-1, -1, 1, 1);
    }
    set_environment(1 + 5); /* adds the constant of unit 0 */
    f.glActiveTexture(GL_TEXTURE0);
    for (unsigned i = 0; i < n; i++) {
        const GLfloat color[4] = {(GLfloat)(i % 1000) / 1000, (GLfloat)(i / 1000) / 1000, 0.5f, 1};
        f.glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
        f.glRectf(-1, -1, 1, 1);
    }
    set_environment(0); /* draws with the first environment again */
    f.glRectf(-1, -1, 1, 1);
    say("after");
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmHWM", 5) == 0)
            fputs(line, stdout);
    if (status)
        fclose(status);
}

/* Two draws that differ only in values, one of them without sprites. tests/realgl/record.py has the expected
 * result. */
static void points(void)
{
    static const GLdouble plane[] = {0, 1, 0, 0.5};
    const EGLint attributes[] = {EGL_NONE};
    open_gl(EGL_OPENGL_API, EGL_OPENGL_BIT, attributes);
    f.glShadeModel(GL_FLAT);
    f.glEnable(GL_POINT_SPRITE);
    f.glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    f.glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
    f.glClipPlane(GL_CLIP_PLANE1, plane);
    f.glEnable(GL_CLIP_PLANE1);
    for (int i = 0; i < 3; i++) {
        f.glPointSize((GLfloat)(3 + i));
        if (i == 2)
            f.glDisable(GL_POINT_SPRITE);
        f.glBegin(GL_POINTS);
        f.glEnd();
    }
    say("after");
}

static void on_signal(int number)
{
    static const char text[] = "caught\n";
    (void)number;
    if (write(STDOUT_FILENO, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(5);
}

int main(int argc, char **argv)
{
    const char *what = argc >= 2 ? argv[1] : "";
    if (strcmp(what, "wait-caught") == 0) {
        signal(SIGTERM, on_signal);
        signal(SIGINT, on_signal);
    }
    if (strcmp(what, "core") == 0)
        core();
    else if (strcmp(what, "es") == 0)
        es();
    else if (strcmp(what, "environments") == 0)
        environments();
    else if (strcmp(what, "halves") == 0)
        halves();
    else if (strcmp(what, "newer") == 0)
        newer();
    else if (strcmp(what, "values") == 0)
        values();
    else if (strcmp(what, "points") == 0)
        points();
    else if (strcmp(what, "many") == 0 && argc == 3)
        many((unsigned)atoi(argv[2]));
    else
        compat(strcmp(what, "error") == 0);
    say_pixel();
    fflush(stdout);
    if (strncmp(what, "wait", 4) == 0)
        sleep(60);
    return 0;
}
