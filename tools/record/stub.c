/* libtexenv-record.so: a GL that keeps state but draws nothing, for code that is not a whole application.
 * Link a function against it (cc setup.c -ltexenv-record) and run it: each environment that it draws with is
 * written as a script, as texenv-record does for applications. If nothing was drawn, the final state is
 * written.
 *
 * The calls that texturing depends on become lines of an apitrace dump, which the reader of such dumps
 * follows (texenv/texenv.h); that reader handles display lists, the attribute stack, texture objects and GL's
 * errors. All other GL functions do nothing (stub_rest.c, generated from the headers at build time). */
#define _GNU_SOURCE
#define GL_GLEXT_PROTOTYPES
#include "environments.h"

#include <GL/gl.h>
#include <GL/glext.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static struct {
    struct texenv_trace *trace;
    struct texenv_reader reader;
    GLuint next_name;
    unsigned not_followed;
    const struct texenv_draw *draw; /* the draw being handled */
} stub;

static void start(void);

static void stop(const char *what)
{
    fprintf(stderr, "texenv-record: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- the reader ---- */

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

static void complain(void *user, const struct texenv_diag *diag)
{
    static char data[4096];
    struct texenv_text text;
    (void)user;
    if (diag->severity == TEXENV_NOTE)
        return;
    texenv_text_init(&text, data, sizeof data);
    stack_print(&text);
    fprintf(stderr, "texenv-record: %s\n%s", diag->text, data);
}

static bool query_draw(struct texenv_values *values, struct texenv_texture_info *textures,
                       const struct texenv_state *state)
{
    (void)state;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (stub.draw->textures[u])
            textures[u] = *stub.draw->textures[u];
    if (stub.draw->values)
        texenv_values_of(values, stub.draw->values, stub.draw->te);
    return stub.draw->values;
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct texenv_state state;
    bool fresh;
    (void)user;
    stub.draw = draw;
    if (texenv_canonicalise(&state, draw->te, NULL, draw->no_images, NULL, NULL))
        environments_draw(&state, draw->vertex, &draw->raster, draw->vertex_refused, 0, &fresh);
    return true;
}

/* Called by functions that do nothing here although they change what textures give (stub_rest.c). Each
 * function is reported once, with its caller, and all of its calls are counted. */
void stub_not_followed(const char *function, bool *told) __attribute__((visibility("hidden")));
void stub_not_followed(const char *function, bool *told)
{
    struct texenv_diag diag = {.severity = TEXENV_ERROR};
    start();
    stub.not_followed++;
    if (*told)
        return;
    *told = true;
    snprintf(diag.text, sizeof diag.text, "%s is not supported here: what is drawn from now on can be wrong",
             function);
    complain(NULL, &diag);
}

static void at_end(void)
{
    static const char draw[] = "1 glDrawArrays(mode = 4, first = 0, count = 3)\n";
    if (!environments_count())
        texenv_trace_feed(stub.trace, draw, sizeof draw - 1);
    texenv_trace_close(stub.trace);
    environments_flush();
    fprintf(stderr, "texenv-record: %u environments\n", environments_count());
    if (stub.not_followed)
        fprintf(stderr, "texenv-record: %u calls are not supported: record a running program instead\n",
                stub.not_followed);
}

static void start(void)
{
    const char *folder = getenv("TEXENV_RECORD_DIR");
    if (stub.trace)
        return;
    folder = folder && *folder ? folder : "recorded";
    if (!environments_open(folder, program_invocation_short_name, query_draw))
        stop(folder);
    stub.reader = (struct texenv_reader){
        .memory.resize = resize, .sink.report = complain, .on_draw = on_draw};
    stub.trace = texenv_trace_open(&stub.reader);
    if (!stub.trace)
        stop("texenv_trace_open");
    atexit(at_end);
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    char line[1024];
    va_list args;
    start();
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof line - 1)
        return;
    line[length] = '\n';
    texenv_trace_feed(stub.trace, line, (size_t)length + 1);
}

/* ---- calls that are followed ---- */

/* TRACE defines a function; ALSO adds its names in the extensions that it came from. */
#define TRACE(name, parameters, format, ...) \
    EXPORT void name parameters { say("1 " #name "(" format ")", __VA_ARGS__); }
#define ALSO(alias_name, name, parameters) EXPORT void alias_name parameters __attribute__((alias(#name)));

TRACE(glActiveTexture, (GLenum texture), "texture = %u", texture)
ALSO(glActiveTextureARB, glActiveTexture, (GLenum texture))
TRACE(glClientActiveTexture, (GLenum texture), "texture = %u", texture)
ALSO(glClientActiveTextureARB, glClientActiveTexture, (GLenum texture))
TRACE(glEnable, (GLenum cap), "cap = %u", cap)
TRACE(glDisable, (GLenum cap), "cap = %u", cap)
TRACE(glTexEnvi, (GLenum target, GLenum pname, GLint param), "target = %u, pname = %u, param = %d", target,
      pname, param)
TRACE(glTexEnvf, (GLenum target, GLenum pname, GLfloat param), "target = %u, pname = %u, param = %.9g",
      target, pname, (double)param)
TRACE(glLightModeli, (GLenum pname, GLint param), "pname = %u, param = %d", pname, param)
TRACE(glLightModelf, (GLenum pname, GLfloat param), "pname = %u, param = %.9g", pname, (double)param)
TRACE(glFogi, (GLenum pname, GLint param), "pname = %u, param = %d", pname, param)
TRACE(glFogf, (GLenum pname, GLfloat param), "pname = %u, param = %.9g", pname, (double)param)
TRACE(glAlphaFunc, (GLenum func, GLfloat ref), "func = %u, ref = %.9g", func, (double)ref)
TRACE(glBindTexture, (GLenum target, GLuint texture), "target = %u, texture = %u", target, texture)
ALSO(glBindTextureEXT, glBindTexture, (GLenum target, GLuint texture))
TRACE(glPushAttrib, (GLbitfield mask), "mask = %u", mask)
TRACE(glNewList, (GLuint list, GLenum mode), "list = %u, mode = %u", list, mode)
TRACE(glCallList, (GLuint list), "list = %u", list)
TRACE(glListBase, (GLuint base), "base = %u", base)
TRACE(glDeleteLists, (GLuint list, GLsizei range), "list = %u, range = %d", list, range)
TRACE(glUseProgram, (GLuint program), "program = %u", program)
TRACE(glUseProgramObjectARB, (GLhandleARB program), "programObj = %u", (unsigned)program)
TRACE(glBindProgramPipeline, (GLuint pipeline), "pipeline = %u", pipeline)
TRACE(glBegin, (GLenum mode), "mode = %u", mode)

/* Functions whose parameters do not matter. */
#define PLAIN(name, parameters) \
    EXPORT void name parameters { say("1 " #name "()"); }
PLAIN(glPopAttrib, (void))
PLAIN(glEndList, (void))
PLAIN(glEnd, (void))

/* Tells whether pname is a texel swizzle, which the reader does not support. */
static bool is_swizzle(GLenum pname)
{
    static bool told;
    const bool is = pname >= GL_TEXTURE_SWIZZLE_R && pname <= GL_TEXTURE_SWIZZLE_RGBA;
    if (is)
        stub_not_followed("GL_TEXTURE_SWIZZLE", &told);
    return is;
}

static bool is_four(GLenum pname)
{
    return pname == GL_TEXTURE_ENV_COLOR || pname == GL_TEXTURE_BORDER_COLOR || pname == GL_FOG_COLOR ||
        pname == GL_LIGHT_MODEL_AMBIENT;
}

/* Functions that take vectors: colours have four numbers, all other parameters that matter here have one. */
#define VECTOR_F(name, first, first_format, ...) \
    EXPORT void name(first GLenum pname, const GLfloat *params) \
    { \
        if (is_swizzle(pname)) \
            return; \
        if (is_four(pname)) \
            say("1 " #name "(" first_format "pname = %u, params = {%.9g, %.9g, %.9g, %.9g})", \
                __VA_ARGS__ pname, (double)params[0], (double)params[1], (double)params[2], \
                (double)params[3]); \
        else \
            say("1 " #name "(" first_format "pname = %u, params = {%.9g})", __VA_ARGS__ pname, \
                (double)params[0]); \
    }
#define VECTOR_I(name, first, first_format, ...) \
    EXPORT void name(first GLenum pname, const GLint *params) \
    { \
        if (is_swizzle(pname)) \
            return; \
        if (is_four(pname)) \
            say("1 " #name "(" first_format "pname = %u, params = {%d, %d, %d, %d})", __VA_ARGS__ pname, \
                params[0], params[1], params[2], params[3]); \
        else \
            say("1 " #name "(" first_format "pname = %u, params = {%d})", __VA_ARGS__ pname, params[0]); \
    }
#define TARGET GLenum target,
#define NOTHING
#define COMMA ,
VECTOR_F(glTexEnvfv, TARGET, "target = %u, ", target COMMA)
VECTOR_I(glTexEnviv, TARGET, "target = %u, ", target COMMA)
VECTOR_F(glTexParameterfv, TARGET, "target = %u, ", target COMMA)
VECTOR_I(glTexParameteriv, TARGET, "target = %u, ", target COMMA)
EXPORT void glTexParameteri(GLenum target, GLenum pname, GLint param)
{
    if (!is_swizzle(pname))
        say("1 glTexParameteri(target = %u, pname = %u, param = %d)", target, pname, param);
}
EXPORT void glTexParameterf(GLenum target, GLenum pname, GLfloat param)
{
    if (!is_swizzle(pname))
        say("1 glTexParameterf(target = %u, pname = %u, param = %.9g)", target, pname, (double)param);
}
VECTOR_F(glLightModelfv, NOTHING, "", NOTHING)
VECTOR_I(glLightModeliv, NOTHING, "", NOTHING)
VECTOR_F(glFogfv, NOTHING, "", NOTHING)
VECTOR_I(glFogiv, NOTHING, "", NOTHING)

/* ---- the vertex half ---- */

TRACE(glMatrixMode, (GLenum mode), "mode = %u", mode)
PLAIN(glLoadIdentity, (void))
PLAIN(glPushMatrix, (void))
PLAIN(glPopMatrix, (void))
TRACE(glColorMaterial, (GLenum face, GLenum mode), "face = %u, mode = %u", face, mode)

#define THREE(name, type) \
    TRACE(name, (type x, type y, type z), "x = %.9g, y = %.9g, z = %.9g", (double)x, (double)y, (double)z)
#define ROTATE(name, type) \
    TRACE(name, (type angle, type x, type y, type z), "angle = %.9g, x = %.9g, y = %.9g, z = %.9g", \
          (double)angle, (double)x, (double)y, (double)z)
#define ROW(i) (double)m[i], (double)m[i + 1], (double)m[i + 2], (double)m[i + 3]
#define FOUR "%.9g, %.9g, %.9g, %.9g"
#define MATRIX(name, m_16) \
    TRACE(name, (m_16), "m = {" FOUR ", " FOUR ", " FOUR ", " FOUR "}", ROW(0), ROW(4), ROW(8), ROW(12))
#define VIEW(name, type) \
    TRACE(name, (type left, type right, type bottom, type top, type zNear, type zFar), \
          "left = %.17g, right = %.17g, bottom = %.17g, top = %.17g, zNear = %.17g, zFar = %.17g", left, \
          right, bottom, top, zNear, zFar)
VIEW(glFrustum, GLdouble)
VIEW(glOrtho, GLdouble)
TRACE(glClipPlane, (GLenum plane, const GLdouble *m), "plane = %u, equation = {" FOUR "}", plane, ROW(0))
TRACE(glShadeModel, (GLenum mode), "mode = %u", mode)
TRACE(glPointSize, (GLfloat size), "size = %.9g", (double)size)
THREE(glTranslatef, GLfloat)
THREE(glTranslated, GLdouble)
THREE(glScalef, GLfloat)
THREE(glScaled, GLdouble)
ROTATE(glRotatef, GLfloat)
ROTATE(glRotated, GLdouble)
MATRIX(glLoadMatrixf, const GLfloat *m)
MATRIX(glLoadMatrixd, const GLdouble *m)
MATRIX(glMultMatrixf, const GLfloat *m)
MATRIX(glMultMatrixd, const GLdouble *m)
MATRIX(glLoadTransposeMatrixf, const GLfloat m[16])
MATRIX(glLoadTransposeMatrixd, const GLdouble m[16])
MATRIX(glMultTransposeMatrixf, const GLfloat m[16])
MATRIX(glMultTransposeMatrixd, const GLdouble m[16])

/* Returns how many numbers a parameter has. */
static int numbers(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_EMISSION:
    case GL_AMBIENT_AND_DIFFUSE:
    case GL_POSITION:
    case GL_OBJECT_PLANE:
    case GL_EYE_PLANE: return 4;
    case GL_SPOT_DIRECTION:
    case GL_POINT_DISTANCE_ATTENUATION: return 3;
    default: return 1;
    }
}
#define VALUE(name, type, first, first_format, ...) \
    EXPORT void name(first GLenum pname, type param) \
    { \
        say("1 " #name "(" first_format "pname = %u, param = %.9g)", __VA_ARGS__ pname, (double)param); \
    }
#define VALUES(name, type, first, first_format, ...) \
    EXPORT void name(first GLenum pname, const type *params) \
    { \
        double p[4] = {0, 0, 0, 0}; \
        for (int i = 0; i < numbers(pname); i++) \
            p[i] = (double)params[i]; \
        say("1 " #name "(" first_format "pname = %u, params = {" FOUR "})", __VA_ARGS__ pname, p[0], p[1], \
            p[2], p[3]); \
    }
#define LIGHT GLenum light,
#define COORD GLenum coord,
#define FACE GLenum face,
VALUE(glLightf, GLfloat, LIGHT, "light = %u, ", light COMMA)
VALUE(glLighti, GLint, LIGHT, "light = %u, ", light COMMA)
VALUES(glLightfv, GLfloat, LIGHT, "light = %u, ", light COMMA)
VALUES(glLightiv, GLint, LIGHT, "light = %u, ", light COMMA)
VALUE(glMaterialf, GLfloat, FACE, "face = %u, ", face COMMA)
VALUE(glMateriali, GLint, FACE, "face = %u, ", face COMMA)
VALUES(glMaterialfv, GLfloat, FACE, "face = %u, ", face COMMA)
VALUES(glMaterialiv, GLint, FACE, "face = %u, ", face COMMA)
VALUE(glTexGenf, GLfloat, COORD, "coord = %u, ", coord COMMA)
VALUE(glTexGeni, GLint, COORD, "coord = %u, ", coord COMMA)
VALUE(glTexGend, GLdouble, COORD, "coord = %u, ", coord COMMA)
VALUES(glTexGenfv, GLfloat, COORD, "coord = %u, ", coord COMMA)
VALUES(glTexGeniv, GLint, COORD, "coord = %u, ", coord COMMA)
VALUES(glTexGendv, GLdouble, COORD, "coord = %u, ", coord COMMA)
VALUE(glPointParameterf, GLfloat, NOTHING, "", NOTHING)
VALUE(glPointParameteri, GLint, NOTHING, "", NOTHING)
VALUES(glPointParameterfv, GLfloat, NOTHING, "", NOTHING)
VALUES(glPointParameteriv, GLint, NOTHING, "", NOTHING)

EXPORT void glDeleteTextures(GLsizei n, const GLuint *textures)
{
    for (GLsizei i = 0; i < n; i++)
        say("1 glDeleteTextures(n = 1, textures = {%u})", textures[i]);
}

/* Returns element i of an array of list offsets (GL 2.1, 5.4). */
static GLuint list_offset(GLenum type, const void *lists, GLsizei i)
{
    const GLubyte *b = lists;
    switch (type) {
    case GL_BYTE: return (GLuint)((const GLbyte *)lists)[i];
    case GL_UNSIGNED_BYTE: return b[i];
    case GL_SHORT: return (GLuint)((const GLshort *)lists)[i];
    case GL_UNSIGNED_SHORT: return ((const GLushort *)lists)[i];
    case GL_FLOAT: return (GLuint)(GLint)((const GLfloat *)lists)[i];
    case GL_2_BYTES: return (GLuint)b[2 * i] << 8 | b[2 * i + 1];
    case GL_3_BYTES: return (GLuint)b[3 * i] << 16 | (GLuint)b[3 * i + 1] << 8 | b[3 * i + 2];
    case GL_4_BYTES:
        return (GLuint)b[4 * i] << 24 | (GLuint)b[4 * i + 1] << 16 | (GLuint)b[4 * i + 2] << 8 | b[4 * i + 3];
    default: return ((const GLuint *)lists)[i];
    }
}

EXPORT void glCallLists(GLsizei n, GLenum type, const void *lists)
{
    for (GLsizei i = 0; i < n; i++)
        say("1 glCallLists(n = 1, type = GL_UNSIGNED_INT, lists = {%u})", list_offset(type, lists, i));
}

/* ---- images ---- */

#define IMAGE "1 %s(target = %u, level = %d, internalformat = %d, width = %d"
EXPORT void glTexImage1D(GLenum target, GLint level, GLint internal, GLsizei w, GLint border, GLenum format,
                         GLenum type, const void *pixels)
{
    (void)border, (void)format, (void)type, (void)pixels;
    say(IMAGE ")", "glTexImage1D", target, level, internal, w);
}
EXPORT void glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei w, GLsizei h, GLint border,
                         GLenum format, GLenum type, const void *pixels)
{
    (void)border, (void)format, (void)type, (void)pixels;
    say(IMAGE ", height = %d)", "glTexImage2D", target, level, internal, w, h);
}
EXPORT void glTexImage3D(GLenum target, GLint level, GLint internal, GLsizei w, GLsizei h, GLsizei d,
                         GLint border, GLenum format, GLenum type, const void *pixels)
{
    (void)border, (void)format, (void)type, (void)pixels;
    say(IMAGE ", height = %d, depth = %d)", "glTexImage3D", target, level, internal, w, h, d);
}
EXPORT void glCopyTexImage1D(GLenum target, GLint level, GLenum internal, GLint x, GLint y, GLsizei w,
                             GLint border)
{
    (void)x, (void)y, (void)border;
    say(IMAGE ")", "glTexImage1D", target, level, (int)internal, w);
}
EXPORT void glCopyTexImage2D(GLenum target, GLint level, GLenum internal, GLint x, GLint y, GLsizei w,
                             GLsizei h, GLint border)
{
    (void)x, (void)y, (void)border;
    say(IMAGE ", height = %d)", "glTexImage2D", target, level, (int)internal, w, h);
}
EXPORT void glCompressedTexImage2D(GLenum target, GLint level, GLenum internal, GLsizei w, GLsizei h,
                                   GLint border, GLsizei size, const void *data)
{
    (void)border, (void)size, (void)data;
    say(IMAGE ", height = %d)", "glCompressedTexImage2D", target, level, (int)internal, w, h);
}
EXPORT void glTexStorage1D(GLenum target, GLsizei levels, GLenum internal, GLsizei w)
{
    say("1 glTexStorage1D(target = %u, levels = %d, internalformat = %u, width = %d)", target, levels,
        internal, w);
}
EXPORT void glTexStorage2D(GLenum target, GLsizei levels, GLenum internal, GLsizei w, GLsizei h)
{
    say("1 glTexStorage2D(target = %u, levels = %d, internalformat = %u, width = %d, height = %d)", target,
        levels, internal, w, h);
}
EXPORT void glTexStorage3D(GLenum target, GLsizei levels, GLenum internal, GLsizei w, GLsizei h, GLsizei d)
{
    say("1 glTexStorage3D(target = %u, levels = %d, internalformat = %u, width = %d, height = %d, depth = "
        "%d)",
        target, levels, internal, w, h, d);
}
ALSO(glCompressedTexImage2DARB, glCompressedTexImage2D,
     (GLenum, GLint, GLenum, GLsizei, GLsizei, GLint, GLsizei, const void *))

/* Functions of GLU, by which many applications load their textures. */
int gluBuild1DMipmaps(GLenum target, GLint internal, GLsizei w, GLenum format, GLenum type, const void *data);
int gluBuild2DMipmaps(GLenum target, GLint internal, GLsizei w, GLsizei h, GLenum format, GLenum type,
                      const void *data);
EXPORT int gluBuild1DMipmaps(GLenum target, GLint internal, GLsizei w, GLenum format, GLenum type,
                             const void *data)
{
    (void)format, (void)type, (void)data;
    say("1 gluBuild1DMipmaps(target = %u, internalFormat = %d, width = %d)", target, internal, w);
    return 0;
}
EXPORT int gluBuild2DMipmaps(GLenum target, GLint internal, GLsizei w, GLsizei h, GLenum format, GLenum type,
                             const void *data)
{
    (void)format, (void)type, (void)data;
    say("1 gluBuild2DMipmaps(target = %u, internalFormat = %d, width = %d, height = %d)", target, internal, w,
        h);
    return 0;
}

/* ---- draws ---- */

/* Only the fact that something is drawn matters, and whether it consists of points. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define DRAW_OF(primitives, name, parameters) \
    EXPORT void name parameters { say("1 glDrawArrays(mode = %u, first = 0, count = 3)", primitives); }
#define DRAW(name, parameters) DRAW_OF(mode, name, parameters)
#define DRAW_AREA(name, parameters) DRAW_OF(GL_TRIANGLES, name, parameters)
DRAW(glDrawArrays, (GLenum mode, GLint first, GLsizei count))
ALSO(glDrawArraysEXT, glDrawArrays, (GLenum, GLint, GLsizei))
DRAW(glDrawElements, (GLenum mode, GLsizei count, GLenum type, const void *indices))
DRAW(glDrawRangeElements,
     (GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type, const void *indices))
DRAW(glMultiDrawArrays, (GLenum mode, const GLint *first, const GLsizei *count, GLsizei n))
DRAW(glMultiDrawElements,
     (GLenum mode, const GLsizei *count, GLenum type, const void *const *indices, GLsizei n))
DRAW_AREA(glRectd, (GLdouble a, GLdouble b, GLdouble c, GLdouble d))
DRAW_AREA(glRectf, (GLfloat a, GLfloat b, GLfloat c, GLfloat d))
DRAW_AREA(glRecti, (GLint a, GLint b, GLint c, GLint d))
DRAW_AREA(glRects, (GLshort a, GLshort b, GLshort c, GLshort d))
DRAW_AREA(glDrawPixels, (GLsizei width, GLsizei height, GLenum format, GLenum type, const void *pixels))
DRAW_AREA(glBitmap,
          (GLsizei w, GLsizei h, GLfloat xo, GLfloat yo, GLfloat xm, GLfloat ym, const GLubyte *bits))
#pragma GCC diagnostic pop

/* ---- queries ---- */

EXPORT void glGenTextures(GLsizei n, GLuint *textures)
{
    for (GLsizei i = 0; i < n; i++)
        textures[i] = ++stub.next_name;
}
ALSO(glGenTexturesEXT, glGenTextures, (GLsizei, GLuint *))

EXPORT GLuint glGenLists(GLsizei range)
{
    const GLuint first = stub.next_name + 1;
    stub.next_name += range > 0 ? (GLuint)range : 0;
    return first;
}

EXPORT GLenum glGetError(void) { return GL_NO_ERROR; }

/* Answers what code queries before it uses an extension. */
EXPORT const GLubyte *glGetString(GLenum name)
{
    switch (name) {
    case GL_VENDOR: return (const GLubyte *)"texenvc";
    case GL_RENDERER: return (const GLubyte *)"texenv-record, which draws nothing";
    case GL_VERSION: return (const GLubyte *)"2.1 texenv-record";
    case GL_EXTENSIONS:
        return (
            const GLubyte *)"GL_ARB_multitexture GL_ARB_texture_cube_map GL_ARB_texture_env_add "
                            "GL_ARB_texture_env_combine GL_ARB_texture_env_crossbar GL_ARB_texture_env_dot3 "
                            "GL_ATI_texture_env_combine3 GL_EXT_secondary_color GL_EXT_fog_coord "
                            "GL_EXT_texture_env_add GL_EXT_texture_env_combine GL_EXT_texture_env_dot3 "
                            "GL_NV_texture_env_combine4 GL_ARB_depth_texture GL_ARB_shadow";
    default: return NULL;
    }
}

static GLint value_of(GLenum pname)
{
    switch (pname) {
    case GL_MAX_TEXTURE_UNITS:
    case GL_MAX_TEXTURE_COORDS: return TEXENV_UNITS;
    case GL_MAX_TEXTURE_IMAGE_UNITS: return TEXENV_IMAGE_UNITS;
    case GL_MAX_TEXTURE_SIZE: return 4096;
    case GL_MAX_LIGHTS: return 8;
    default: return 0;
    }
}
EXPORT void glGetIntegerv(GLenum pname, GLint *value) { *value = value_of(pname); }
EXPORT void glGetFloatv(GLenum pname, GLfloat *value) { *value = (GLfloat)value_of(pname); }
EXPORT void glGetBooleanv(GLenum pname, GLboolean *value) { *value = value_of(pname) != 0; }
