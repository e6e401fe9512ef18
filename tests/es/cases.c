/* Cases of OpenGL 1.5 in which the specification determines the pixels, run with libtexenv-es (if built with
 * OVER_ES) or with Mesa's GL. Prints the cases that fail. Exit status: 1 if any fails, 77 if there is no
 * context. */
#include "open_gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32 };
static int bad;

static void check(int good, const char *what)
{
    if (!good) {
        printf("not so: %s\n", what);
        bad++;
    }
}

/* Tells whether the pixel has the given color, 0xRGB, in which each digit is 0 (0) or 1 (255). */
static int is_pixel(int x, int y, int color)
{
    GLubyte p[4] = {0, 0, 0, 0};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    for (int c = 0; c < 3; c++)
        if (p[c] != (color >> (8 - 4 * c) & 1 ? 255 : 0))
            return 0;
    return 1;
}
static int is_frame(int left, int right) { return is_pixel(5, 9, left) && is_pixel(SIDE - 5, 9, right); }

static void quad(float x0, float x1)
{
    glVertex2f(x0, -1), glVertex2f(x1, -1), glVertex2f(x1, 1), glVertex2f(x0, 1);
}

/* Makes and binds a texture of two texels, red and green, which replaces the colour. */
static GLuint two_texels(void)
{
    static const GLubyte texels[8] = {255, 0, 0, 255, 0, 255, 0, 255};
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    return name;
}

/* ---- cases ---- */

/* Materials that change between the polygons of one Begin. */
static void materials(void)
{
    static const float colors[2][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}}, none[4] = {0, 0, 0, 1};
    static const GLenum modes[] = {GL_QUADS, GL_TRIANGLES};
    glEnable(GL_LIGHTING);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, none);
    for (int m = 0; m < 2; m++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(modes[m]);
        for (int i = 0; i < 2; i++) {
            glMaterialfv(GL_FRONT_AND_BACK, GL_EMISSION, colors[i]);
            const float x = (float)(i - 1);
            if (modes[m] == GL_QUADS)
                quad(x, x + 1);
            else /* covers the middle of its half */
                glVertex2f(x, -3), glVertex2f(x + 1, -3), glVertex2f(x + 0.5f, 9);
        }
        glEnd();
        check(is_pixel(SIDE / 4, 9, 0x100) && is_pixel(SIDE * 3 / 4, 9, 0x010), "Material between polygons");
    }
    glDisable(GL_LIGHTING);
    glMaterialfv(GL_FRONT_AND_BACK, GL_EMISSION, none);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, (const float[]){0.2f, 0.2f, 0.2f, 1});
}

/* Names of lists in all types of CallLists: 258, or 2 and 256 as the base. */
static void called_lists(void)
{
    static const GLubyte two[] = {1, 2}, three[] = {0, 1, 2}, four[] = {0, 0, 1, 2}, byte = 2;
    static const GLbyte signed_byte = 2;
    static const GLshort s = 258;
    static const GLushort us = 258;
    static const GLint i = 258;
    static const GLuint ui = 258;
    static const GLfloat f = 258;
    static const struct {
        GLenum type;
        const void *name;
    } names[] = {
        {GL_UNSIGNED_BYTE, &byte}, {GL_BYTE, &signed_byte}, {GL_2_BYTES, two},        {GL_3_BYTES, three},
        {GL_4_BYTES, four},        {GL_SHORT, &s},          {GL_UNSIGNED_SHORT, &us}, {GL_INT, &i},
        {GL_UNSIGNED_INT, &ui},    {GL_FLOAT, &f}};
    glNewList(258, GL_COMPILE);
    glColor3f(0, 1, 0);
    glEndList();
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
        GLfloat color[4];
        glColor3f(1, 0, 0);
        glListBase(n < 2 ? 256 : 0);
        glCallLists(1, names[n].type, names[n].name);
        glGetFloatv(GL_CURRENT_COLOR, color);
        check(color[0] == 0 && color[1] == 1, "CallLists calls the list of that name");
    }
    glListBase(0);
    glCallLists(1, GL_DOUBLE, names);
    check(glGetError() == GL_INVALID_ENUM, "CallLists has no names in doubles");
    glDeleteLists(258, 1);
    glColor3f(1, 1, 1);
}

/* Names that stand for nothing in queries. */
static void no_names(void)
{
    GLint value = 77;
    GLuint name;
    glGetIntegerv(0, &value);
    check(glGetError() == GL_INVALID_ENUM && value == 77, "there is no query with number 0");
    check(!glIsEnabled(0) && glGetError() == GL_INVALID_ENUM, "there is no capability with number 0");
    glGenQueries(1, &name);
    check(!glIsQuery(0) && !glIsQuery(name), "a name is a query after BeginQuery");
    glBeginQuery(GL_SAMPLES_PASSED, 0);
    check(glGetError() == GL_INVALID_OPERATION, "no query has the name 0");
    glGetQueryObjectiv(0, GL_QUERY_RESULT_AVAILABLE, &value);
    check(glGetError() == GL_INVALID_OPERATION, "the query with the name 0 has no result");
    glBeginQuery(GL_SAMPLES_PASSED, name);
    glEndQuery(GL_SAMPLES_PASSED);
    check(glIsQuery(name), "a query that has ended is one");
    glDeleteQueries(1, &name);
    check(!glIsQuery(name), "a deleted query is none");
}

/* Reads stencil values in rows of 3 bytes. Runs before any texture is made. */
static void stencil_rows(void)
{
    GLubyte values[9] = {0};
    glEnable(GL_SCISSOR_TEST);
    for (int x = 0; x < 3; x++) {
        glScissor(x, 0, 1, 3);
        glClearStencil(x + 1);
        glClear(GL_STENCIL_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, 3, 3, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, values);
    if (glGetError() == GL_INVALID_OPERATION && !values[0])
        return; /* ES without NV_read_stencil */
    check(memcmp(values, "\1\2\3\1\2\3\1\2\3", 9) == 0, "rows of stencil values");
}

/* Draws quads that fill the frame, with positions and colours in separate arrays, which are freed afterwards.
 */
static void draw_apart(GLsizei count, int color)
{
    float *position = malloc((size_t)count * 3 * sizeof(float)),
          *colors = malloc((size_t)count * 4 * sizeof(float));
    for (GLsizei i = 0; i < count; i++) {
        const float v[3] = {(i + 1) / 2 % 2 ? 1.0f : -1.0f, i / 2 % 2 ? 1.0f : -1.0f, 0};
        memcpy(position + 3 * i, v, sizeof v);
        for (int c = 0; c < 4; c++)
            colors[4 * i + c] = (float)(c == 3 || (color >> (8 - 4 * c) & 1));
    }
    glVertexPointer(3, GL_FLOAT, 0, position);
    glColorPointer(4, GL_FLOAT, 0, colors);
    glDrawArrays(GL_QUADS, 0, count);
    free(position);
    free(colors);
}

static void arrays(void)
{
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    draw_apart(12000, 0x010);
    check(is_frame(0x010, 0x010), "arrays of 144000 and 192000 bytes");
    for (int i = 0; i < 40; i++) {
        const int color = i % 2 ? 0x001 : 0x110;
        draw_apart(1200, color);
        if (!is_frame(color, color)) {
            check(0, "arrays of 14400 and 19200 bytes, one draw after the other");
            break;
        }
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
    glColor3f(1, 1, 1);
}

/* Copies depths 0 and 1 to a texture, which must appear as black and white. */
static void depth_texture(void)
{
    GLuint name;
    glEnable(GL_SCISSOR_TEST);
    for (int i = 0; i < 2; i++) {
        glScissor(i * SIDE / 2, 0, SIDE / 2, SIDE);
        glClearDepth(i);
        glClear(GL_DEPTH_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 0, 0, SIDE, SIDE, 0);
    if (glGetError() != GL_INVALID_VALUE) { /* the error of ES 2 without depth textures */
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_TEXTURE_2D);
        glBegin(GL_QUADS);
        for (int i = 0; i < 4; i++) {
            glTexCoord2f((i + 1) / 2 % 2, i / 2);
            glVertex2f((i + 1) / 2 % 2 ? 1 : -1, i / 2 ? 1 : -1);
        }
        glEnd();
        glDisable(GL_TEXTURE_2D);
        check(is_frame(0x000, 0x111), "a texture of depths that are copied");
    }
    glDeleteTextures(1, &name);
}

/* GetTexImage applies no pixel transfer, and its luminance is red alone (specification, 6.1.4). */
static void texture_image(void)
{
    GLubyte got[2] = {7, 7};
    const GLuint texture = two_texels();
    glPixelTransferf(GL_RED_BIAS, 1);
    glPixelTransferf(GL_GREEN_SCALE, 0);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, got);
    glPixelTransferf(GL_RED_BIAS, 0);
    glPixelTransferf(GL_GREEN_SCALE, 1);
    check(got[0] == 255 && got[1] == 0, "GetTexImage of luminance, without PixelTransfer");
    glDeleteTextures(1, &texture);
}

/* Culled polygons are not drawn as lines either (3.5.4 applies after 3.5.1). */
static void culled_lines(void)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glLineWidth(3);
    glRectf(-0.7f, -0.5f, 0.7f, 0.5f);
    glLineWidth(1);
    glCullFace(GL_BACK);
    glDisable(GL_CULL_FACE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    check(is_pixel(5, 16, 0) && is_pixel(16, 8, 0), "no lines of culled polygons");
}

#ifdef OVER_ES
/* eglSwapBuffers draws vertices that the library has collected. The frame is read with ES's own ReadPixels.
 */
static void shown_frame(void)
{
    union {
        void (*from)(void);
        void (*read)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
    } es = {eglGetProcAddress("glReadPixels")};
    GLubyte p[4] = {0, 0, 0, 0};
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 1, 1);
    eglSwapBuffers(eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW));
    es.read(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    check(p[0] == 0 && p[1] == 255, "eglSwapBuffers draws what waits");
    glColor3f(1, 1, 1);
}

/* Functions that only OpenGL ES 1.1 has; they are declared in its header. */
void glOrthox(GLfixed, GLfixed, GLfixed, GLfixed, GLfixed, GLfixed);
void glColor4x(GLfixed, GLfixed, GLfixed, GLfixed);
void glTexEnvx(GLenum, GLenum, GLfixed);
void glTexEnvxv(GLenum, GLenum, const GLfixed *);
void glClipPlanef(GLenum, const GLfloat *);
static void fixed_point(void)
{
    static const GLfixed corners[8] = {1 << 16, 0, 2 << 16, 0, 1 << 16, 3 << 16, 2 << 16, 3 << 16};
    static const GLfixed blue[4] = {0, 0, 1 << 16, 0};
    GLfloat color[4];
    GLint mode;
    glTexEnvx(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND);
    glTexEnvxv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, blue);
    glGetTexEnviv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, &mode);
    glGetTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
    check(mode == GL_BLEND && color[2] == 1 && color[3] == 0, "TexEnvx");
    glClear(GL_COLOR_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrthox(0, 2 << 16, 0, 3 << 16, -65536, 65536);
    glColor4x(0, 1 << 16, 0, 1 << 16);
    glEnable(GL_CLIP_PLANE0);
    glClipPlanef(GL_CLIP_PLANE0, (const GLfloat[]){0, -1, 0, 2});
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FIXED, 0, corners);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisable(GL_CLIP_PLANE0);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glColor3f(1, 1, 1);
    check(is_frame(0x000, 0x010) && is_pixel(SIDE - 5, SIDE - 4, 0x000),
          "an array, a colour, a plane and a matrix in fixed point");
}

/* A list that is executed while it is made: a CallList (of list 2, which does not exist) interrupts the
 * vertices, and state changes after End. Mesa 22.3 crashes here. */
static void executed_list(void)
{
    glNewList(1, GL_COMPILE_AND_EXECUTE);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 1, 1);
    check(is_frame(0x010, 0x010), "a frame is read while a list is executed");
    glEndList();
    glColor3f(1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glNewList(1, GL_COMPILE_AND_EXECUTE);
    glBegin(GL_TRIANGLES);
    glVertex2f(-3, -1), glVertex2f(3, -1);
    glCallList(2);
    glVertex2f(0, 5);
    glEnd();
    glColorMask(0, 0, 1, 1);
    glEndList();
    check(is_frame(0x111, 0x111), "a ColorMask behind vertices in a list that is executed");
    glColorMask(1, 1, 1, 1);
}
#endif

/* Draws the left half with the current texture coordinates and the right half after a TexCoord2. */
static void inherited(const char *what, int in_one, int in_list)
{
    GLfloat current[4];
    glClear(GL_COLOR_BUFFER_BIT);
    glGetFloatv(GL_CURRENT_TEXTURE_COORDS, current);
    if (in_list) {
        glTexCoord2f(0.8f, 0.5f);
        glNewList(1, GL_COMPILE);
    }
    glBegin(GL_QUADS);
    quad(-1, 0);
    if (!in_one) {
        glEnd();
        glBegin(GL_QUADS);
    }
    glTexCoord2f(0.8f, 0.5f);
    quad(0, 1);
    glEnd();
    if (in_list) {
        glEndList();
        glTexCoord4fv(current);
        glCallList(1);
    }
    check(is_frame(0x100, 0x010), what);
}

static void coordinates(void)
{
    static const float r_to_s[16] = {1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1};
    const GLuint texture = two_texels();
    glEnable(GL_TEXTURE_2D);
    for (int in_one = 0; in_one < 2; in_one++) {
        glTexCoord4f(0.8f, 1, 0, 2);
        inherited("q of vertices before a TexCoord2", in_one, 0);
    }
    glTexCoord4f(0.8f, 1, 0, 2);
    inherited("q of vertices before a TexCoord2 in a list", 1, 1);
    glMatrixMode(GL_TEXTURE);
    glLoadMatrixf(r_to_s);
    for (int in_one = 0; in_one < 2; in_one++) {
        glTexCoord3f(0.8f, 0.5f, -0.5f);
        inherited("r of vertices before a TexCoord2", in_one, 0);
    }
    glTexCoord3f(0.8f, 0.5f, -0.5f);
    inherited("r of vertices before a TexCoord2 in a list", 1, 1);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glDisable(GL_TEXTURE_2D);
    glDeleteTextures(1, &texture);
}

#ifdef OVER_ES
/* The vertices that are left of incomplete triangles are ignored (2.6.1), also in a list. Mesa 22.3 makes
 * triangles of them and of the next vertices. */
static void incomplete_triangles(void)
{
    static const float corners[9][2] = {{0, -1}, {1, -1}, {1, 1}, {-3, -1}, {0, -1},
                                        {0, 1},  {1, 1},  {1, 1}, {1, 1}};
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glNewList(1, GL_COMPILE);
    glMultiDrawArrays(GL_TRIANGLES, (const GLint[]){0, 4}, (const GLsizei[]){4, 5}, 2);
    glBegin(GL_TRIANGLES);
    glVertex2f(-3, -1), glVertex2f(0, -1);
    glEnd();
    glBegin(GL_TRIANGLES);
    glVertex2f(0, 1), glVertex2f(1, 1), glVertex2f(1, 0);
    glEnd();
    glEndList();
    glDisableClientState(GL_VERTEX_ARRAY);
    glCallList(1);
    check(is_frame(0x000, 0x111), "incomplete triangles in a list");
}

/* PopAttrib restores the enables of lights with ENABLE_BIT and the source of fog coordinates with FOG_BIT
 * (6.1.14). Mesa 22.3 does not. */
static void popped_state(void)
{
    GLint source;
    glPushAttrib(GL_ENABLE_BIT);
    glEnable(GL_LIGHT2);
    glPopAttrib();
    check(!glIsEnabled(GL_LIGHT2), "PopAttrib restores the enable of a light");
    glFogi(GL_FOG_COORD_SRC, GL_FOG_COORD);
    glPushAttrib(GL_FOG_BIT);
    glFogi(GL_FOG_COORD_SRC, GL_FRAGMENT_DEPTH);
    glPopAttrib();
    glGetIntegerv(GL_FOG_COORD_SRC, &source);
    check(source == GL_FOG_COORD, "PopAttrib restores the source of fog coordinates");
    glFogi(GL_FOG_COORD_SRC, GL_FRAGMENT_DEPTH);
}

/* The secondary colour of the raster position is added to pixels, too (3.6.4, 3.9). Mesa 22.3 does not. */
static void sum_of_pixels(void)
{
    static const GLubyte red[4] = {255, 0, 0, 255};
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_COLOR_SUM);
    glSecondaryColor3f(0, 1, 0);
    glWindowPos2i(5, 9);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, red);
    check(is_pixel(5, 9, 0x110), "DrawPixels with a secondary colour");
    glSecondaryColor3f(0, 0, 0);
    glDisable(GL_COLOR_SUM);
}

/* A Bitmap of NULL in a list: the commands after it must not be read as its bits. */
static void bitmap_of_nothing(void)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glRasterPos2f(-0.9f, -0.9f);
    glNewList(1, GL_COMPILE);
    glBitmap(24, 24, 0, 0, 0, 0, NULL);
    glColor4f(1, 1, 1, 1);
    glClearStencil(0x55);
    glDepthFunc(GL_LESS);
    glEndList();
    glCallList(1);
    int dark = 1;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            dark &= is_pixel(x, y, 0);
    check(dark, "a Bitmap of NULL in a list draws nothing");
}
#endif

int main(void)
{
    if (!open_gl(SIDE)) {
        fprintf(stderr, "there is no context\n");
        return 77;
    }
    glViewport(0, 0, SIDE, SIDE);
    stencil_rows();
    no_names();
    materials();
    called_lists();
    arrays();
    coordinates();
    depth_texture();
    texture_image();
    culled_lines();
#ifdef OVER_ES
    shown_frame();
    fixed_point();
    executed_list();
    incomplete_triangles();
    popped_state();
    sum_of_pixels();
    bitmap_of_nothing();
#endif
    check(glGetError() == GL_NO_ERROR, "no error");
    printf("%d cases are not so\n", bad);
    return bad != 0;
}
