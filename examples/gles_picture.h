/* What gles.c draws, by calls of OpenGL 1.x: fixed(Enable) and so on, which whoever includes this has. A pair
 * of rings, lit and textured in fog, one of them with a sphere map, before a floor of vertex colours with an
 * alpha test. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <math.h>
#include <stdio.h>

enum { SIDE = 192, AROUND = 36, ACROSS = 18, RING = AROUND * ACROSS * 6, FLOATS = 12 };

#ifndef GL_LIGHTING /* from the registry of OpenGL: ES has not kept them */
enum {
    GL_EXP2 = 0x0801,
    GL_LIGHTING = 0x0B50,
    GL_COLOR_MATERIAL = 0x0B57,
    GL_FOG = 0x0B60,
    GL_FOG_DENSITY = 0x0B62,
    GL_FOG_START,
    GL_FOG_END,
    GL_FOG_MODE,
    GL_FOG_COLOR,
    GL_NORMALIZE = 0x0BA1,
    GL_ALPHA_TEST = 0x0BC0,
    GL_TEXTURE_GEN_S = 0x0C60,
    GL_TEXTURE_GEN_T,
    GL_AMBIENT = 0x1200,
    GL_DIFFUSE,
    GL_SPECULAR,
    GL_POSITION,
    GL_SPOT_DIRECTION,
    GL_SPOT_EXPONENT,
    GL_SPOT_CUTOFF,
    GL_CONSTANT_ATTENUATION,
    GL_LINEAR_ATTENUATION,
    GL_SHININESS = 0x1601,
    GL_AMBIENT_AND_DIFFUSE,
    GL_MODELVIEW = 0x1700,
    GL_PROJECTION,
    GL_S = 0x2000,
    GL_T,
    GL_MODULATE = 0x2100,
    GL_TEXTURE_ENV_MODE = 0x2200,
    GL_TEXTURE_ENV = 0x2300,
    GL_SPHERE_MAP = 0x2402,
    GL_TEXTURE_GEN_MODE = 0x2500,
    GL_T2F_C4F_N3F_V3F = 0x2A2C,
    GL_LIGHT0 = 0x4000
};
void fixed(Enable)(GLenum cap);
void fixed(Disable)(GLenum cap);
void fixed(AlphaFunc)(GLenum func, float ref);
void fixed(Fogi)(GLenum pname, GLint param);
void fixed(Fogf)(GLenum pname, float v);
void fixed(Fogfv)(GLenum pname, const float *v);
void fixed(Lightf)(GLenum light, GLenum pname, float v);
void fixed(Lightfv)(GLenum light, GLenum pname, const float *v);
void fixed(Materialf)(GLenum face, GLenum pname, float v);
void fixed(Materialfv)(GLenum face, GLenum pname, const float *v);
void fixed(MatrixMode)(GLenum mode);
void fixed(LoadMatrixf)(const float *m);
void fixed(Frustum)(double l, double r, double b, double t, double n, double f);
void fixed(TexEnvi)(GLenum target, GLenum pname, GLint v);
void fixed(TexGeni)(GLenum coord, GLenum pname, GLint v);
void fixed(ActiveTexture)(GLenum unit);
void fixed(TexImage2D)(GLenum target, GLint level, GLint internal, GLsizei w, GLsizei h, GLint border,
                       GLenum format, GLenum type, const void *pixels);
void fixed(InterleavedArrays)(GLenum format, GLsizei stride, const void *v);
void fixed(DrawArrays)(GLenum mode, GLint first, GLsizei count);
#endif

static void put_vertex(float *v, int i, int k)
{
    const float a = (float)i * 6.2831853f / AROUND, b = (float)k * 6.2831853f / ACROSS,
                r = 1 + 0.4f * cosf(b);
    const float all[FLOATS] = {(float)i * 8 / AROUND,
                               (float)k * 4 / ACROSS,
                               0.9f,
                               0.6f + 0.4f * cosf(a),
                               0.5f,
                               1,
                               cosf(a) * cosf(b),
                               sinf(a) * cosf(b),
                               sinf(b),
                               cosf(a) * r,
                               sinf(a) * r,
                               0.4f * sinf(b)};
    for (int n = 0; n < FLOATS; n++)
        v[n] = all[n];
}

static void make_ring(float *v)
{
    static const int corner[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    for (int i = 0; i < AROUND; i++)
        for (int k = 0; k < ACROSS; k++)
            for (int c = 0; c < 6; c++, v += FLOATS)
                put_vertex(v, i + corner[c][0], k + corner[c][1]);
}

static void set_texture(GLenum unit, GLint mode, int seed)
{
    unsigned char texel[8][8][4];
    for (int i = 0; i < 64; i++)
        for (int c = 0; c < 4; c++)
            texel[i / 8][i % 8][c] = c == 3 ? (unsigned char)(4 * i)
                                            : (unsigned char)(90 + (i * seed + 40 * c) % 160);
    fixed(ActiveTexture)(unit);
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    fixed(TexImage2D)(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    fixed(TexEnvi)(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, mode);
}

static void set_light(GLenum light, const float *position, const float *color)
{
    fixed(Enable)(light);
    fixed(Lightfv)(light, GL_POSITION, position);
    fixed(Lightfv)(light, GL_DIFFUSE, color);
    fixed(Lightfv)(light, GL_SPECULAR, color);
}

static void set_lights(void)
{
    static const float sun[] = {0.5f, 0.8f, 0.6f, 0}, warm[] = {0.9f, 0.8f, 0.7f, 1},
                       lamp[] = {-1, 0.5f, 1.5f, 1}, blue[] = {0.5f, 0.7f, 1, 1}, down[] = {0.5f, -0.2f, -1},
                       white[] = {1, 1, 1, 1};
    set_light(GL_LIGHT0, sun, warm);
    set_light(GL_LIGHT0 + 1, lamp, blue);
    fixed(Lightfv)(GL_LIGHT0 + 1, GL_SPOT_DIRECTION, down);
    fixed(Lightf)(GL_LIGHT0 + 1, GL_SPOT_CUTOFF, 50);
    fixed(Lightf)(GL_LIGHT0 + 1, GL_SPOT_EXPONENT, 3);
    fixed(Lightf)(GL_LIGHT0 + 1, GL_LINEAR_ATTENUATION, 0.2f);
    fixed(Materialfv)(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, white);
    fixed(Materialfv)(GL_FRONT_AND_BACK, GL_SPECULAR, white);
    fixed(Materialf)(GL_FRONT_AND_BACK, GL_SHININESS, 20);
}

/* Turned about the x axis, at a place. */
static void place(float angle, float x, float y, float z)
{
    const float c = cosf(angle), s = sinf(angle), m[16] = {1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, x, y, z, 1};
    fixed(LoadMatrixf)(m);
}

static void draw_picture(void)
{
    static const float identity[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1}, mist[] = {0.3f, 0.4f, 0.5f, 1};
    static const float floor[4][FLOATS] = {{0, 0, 1, 0.2f, 0.2f, 1, 0, 1, 0, -3, -1.5f, -1},
                                           {9, 0, 0.2f, 1, 0.2f, 0.5f, 0, 1, 0, 3, -1.5f, -1},
                                           {0, 9, 0.2f, 0.2f, 1, 1, 0, 1, 0, -3, -1, -9},
                                           {9, 9, 1, 1, 0.2f, 0.3f, 0, 1, 0, 3, -1, -9}};
    static float ring[RING * FLOATS];
    make_ring(ring);
    fixed(MatrixMode)(GL_PROJECTION);
    fixed(LoadMatrixf)(identity);
    fixed(Frustum)(-0.5, 0.5, -0.5, 0.5, 1, 20);
    fixed(MatrixMode)(GL_MODELVIEW);
    fixed(LoadMatrixf)(identity);
    set_lights();
    set_texture(GL_TEXTURE0, GL_MODULATE, 7);
    fixed(Enable)(GL_TEXTURE_2D);
    fixed(Enable)(GL_DEPTH_TEST);
    fixed(Enable)(GL_FOG);
    fixed(Fogfv)(GL_FOG_COLOR, mist);
    fixed(Fogi)(GL_FOG_MODE, GL_LINEAR);
    fixed(Fogf)(GL_FOG_START, 2);
    fixed(Fogf)(GL_FOG_END, 9);

    fixed(InterleavedArrays)(GL_T2F_C4F_N3F_V3F, 0, floor);
    fixed(Enable)(GL_ALPHA_TEST);
    fixed(AlphaFunc)(GL_GREATER, 0.2f);
    place(0, 0, 0, 0);
    fixed(DrawArrays)(GL_TRIANGLE_STRIP, 0, 4);
    fixed(Disable)(GL_ALPHA_TEST);

    fixed(InterleavedArrays)(GL_T2F_C4F_N3F_V3F, 0, ring);
    fixed(Enable)(GL_LIGHTING);
    fixed(Enable)(GL_NORMALIZE);
    place(0.5f, -0.6f, 0.3f, -4);
    fixed(DrawArrays)(GL_TRIANGLES, 0, RING);
    fixed(Enable)(GL_COLOR_MATERIAL);
    fixed(Fogi)(GL_FOG_MODE, GL_EXP2);
    fixed(Fogf)(GL_FOG_DENSITY, 0.15f);
    set_texture(GL_TEXTURE0 + 1, GL_MODULATE, 5);
    fixed(Enable)(GL_TEXTURE_2D);
    fixed(TexGeni)(GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);
    fixed(TexGeni)(GL_T, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);
    fixed(Enable)(GL_TEXTURE_GEN_S);
    fixed(Enable)(GL_TEXTURE_GEN_T);
    place(-0.8f, 0.8f, -0.2f, -5);
    fixed(DrawArrays)(GL_TRIANGLES, 0, RING);
}

static const char *open_gl(void)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT,
                                    EGL_RENDERABLE_TYPE,
                                    PICTURE_BIT,
                                    EGL_DEPTH_SIZE,
                                    16,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_GREEN_SIZE,
                                    8,
                                    EGL_BLUE_SIZE,
                                    8,
                                    EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, SIDE, EGL_HEIGHT, SIDE, EGL_NONE};
    static const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
        "eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    EGLConfig config;
    EGLint n = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return "EGL has no display without a window system";
    if (!eglBindAPI(PICTURE_API) || !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
        return "EGL has no such API, or nothing to draw to";
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT,
                                          PICTURE_API == EGL_OPENGL_ES_API ? es2 : NULL);
    return eglMakeCurrent(display, surface, surface, context) ? NULL : "EGL makes no context";
}

/* Draws, and writes the picture to stdout. 0; 77: there is nothing to draw with; 1: the GL reports an error.
 */
static int picture(void)
{
    static unsigned char pixel[SIDE * SIDE][4];
    const char *why = open_gl();
    if (why) {
        fprintf(stderr, "%s\n", why);
        return 77;
    }
    glViewport(0, 0, SIDE, SIDE);
    glClearColor(0.3f, 0.4f, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_picture();
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    printf("P6 %d %d 255\n", SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        fwrite(pixel[(SIDE - 1 - i / SIDE) * SIDE + i % SIDE], 1, 3, stdout);
    return glGetError() != GL_NO_ERROR;
}
