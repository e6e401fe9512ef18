/* Random scripts of OpenGL 1.5 calls, for Mesa's GL and for libtexenv-es. Writes a frame after each script,
 * and the results of queries and errors.
 *
 * usage: calls SEED FRAMES PICTURES.rgba [smooth | wild] > ANSWERS.txt
 *
 * smooth: without flat shading, which OpenGL ES 2 does not have. wild: with invalid calls, too.
 *
 * Some combinations differ for reasons for which this library is not responsible. Bits of the seed avoid
 * them:
 *
 * - curved: GL does not define along which diagonal a quad is divided (2.6.1), and Mesa 22.3 uses the other
 * one if the quad is clipped. Seeds without this bit draw quads, but all corners of a quad have the same
 * attributes except positions. Seeds with it use things that do not vary linearly over a quad: positional
 * lights, the local viewer, sphere maps.
 *
 * - lines: polygons drawn as lines and points. The library does not cull them or give them one flat colour
 * (it prints a message), and GL does not define which pixels are drawn twice where two lines meet, so stencil
 * values differ. Seeds without this bit use culling, flat shading and the stencil test instead. Seeds with it
 * draw points of size 1, because clipping a polygon makes new corners, at which GL draws points (2.11), Mesa
 * 22.3 some of them, and the library none.
 *
 * - deep: the depth test. Seeds without this bit draw rectangles, and vertices that have no depth, instead,
 * because with the depth test rounding would decide which of two coplanar polygons is nearer.
 *
 * - sums: secondary and separate specular colours. Seeds without this bit use fog instead, because Mesa 22.3
 * does not clamp the sum of colours before fog (3.9).
 */
#include "open_gl.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 96, LISTS = 6 };
static uint64_t seed;
static int wild;   /* errors on purpose */
static int smooth; /* no flat shading */
static int curved, lines, deep, sums;
static int depth_now; /* 1 while a list is made, otherwise 0 */
static GLuint buffer[2], textures[4];

static uint32_t bits(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (uint32_t)(seed * UINT64_C(2685821657736338717) >> 32);
}
static int upto(int n) { return (int)(bits() % (uint32_t)n); }
static float number(float low, float high) { return low + (high - low) * (float)(bits() >> 8) / 16777216.0f; }
/* Returns one of few values, which are exact as floats everywhere. */
static float step(float low, float high) { return low + (high - low) * (float)upto(33) / 32; }
#define ONE_OF(...) \
    one_of((const GLenum[]){__VA_ARGS__}, sizeof(const GLenum[]){__VA_ARGS__} / sizeof(GLenum))
static GLenum one_of(const GLenum *e, size_t n)
{
    return wild && upto(12) == 0 ? (GLenum)upto(0x9000) : e[upto((int)n)];
}
static const float *four(float low, float high)
{
    static float v[4];
    for (int i = 0; i < 4; i++)
        v[i] = step(low, high);
    return v;
}
static int on(void) { return upto(3) != 0; }
static void enable(GLenum cap, int yes) { (yes ? glEnable : glDisable)(cap); }

/* ---- vertices ---- */

/* After calls with more components, Mesa 22.3 does not set alpha to 1 at a Color3, or t to 0 at a TexCoord1.
 * So all calls of a script have the same number of components. */
static int components;

/* Queries a current value. After that, Mesa no longer depends on how many components were set before. */
static void settle(void) { glGetFloatv(GL_CURRENT_COLOR, (float[4]){0}); }

static void attribute(int which)
{
    const int unit = upto(2), three = components & 1;
    const float v[4] = {step(0, 2), step(0, 2), step(0, 1), step(1, 2)};
    /* coordinates are not on the edges of texels, where rounding decides */
    const float c[4] = {v[0] + 0.02f, v[1] + 0.02f, v[2], v[3]};
    switch (which) {
    case 0:
        three ? glColor3f(v[0] / 2, v[1] / 2, v[2]) : glColor4f(v[0] / 2, v[1] / 2, v[2], v[3] - 1);
        break;
    case 1:
        three ? glColor3us((GLushort)bits(), 65535, (GLushort)upto(40000))
              : glColor4ub((GLubyte)bits(), (GLubyte)bits(), (GLubyte)upto(90), (GLubyte)bits());
        break;
    case 2:
        three ? glColor3dv((const double[]){(double)v[2], (double)v[1] / 2, (double)v[2]})
              : glColor4iv((const GLint[]){2147483647, (GLint)bits(), (GLint)bits(), 2147483647});
        break;
    case 3: glNormal3f(v[0] - 1, v[1] - 1, 1); break;
    case 4: glNormal3b((GLbyte)upto(127), (GLbyte)upto(127), 127); break;
    case 5:
        switch (components) {
        case 0:
        case 1: glTexCoord2fv(c); break;
        case 2: glTexCoord4f(c[0], c[1], c[2], c[3]); break;
        case 3: glTexCoord3d((double)c[0], (double)c[1], (double)c[2]); break;
        default: glTexCoord1d((double)c[0]);
        }
        break;
    case 6: glMultiTexCoord2f(GL_TEXTURE1, c[0], c[unit]); break;
    case 7: glSecondaryColor3f(v[0] / 2, v[1] / 2, v[2]); break;
    default: glFogCoordf(v[0] + v[1]);
    }
}

static void attributes(void) { attribute(upto(9)); }

/* Sets all attributes. Mesa 22.3 loses vertices if an attribute is set for the first time within a primitive.
 */
static void all_attributes(void)
{
    for (int i = 2; i < 9; i += i == 3 ? 2 : 1)
        attribute(i);
}

static void vertex(void)
{
    const float x = number(-1.5f, 1.5f), y = number(-1.5f, 1.5f), z = number(-1, 1), w = number(1, 1.5f);
    switch (components) {
    case 0: glVertex2f(x, y); break;
    case 1: glVertex4f(x, y, z, w); break;
    default: glVertex3f(x, y, z); break;
    }
}

static void place(float x, float y, float z)
{
    components == 0 ? glVertex2f(x, y) : components == 1 ? glVertex4f(x, y, z, 1) : glVertex3f(x, y, z);
}

/* Draws a polygon, which must be convex and flat. */
static void polygon(void)
{
    const float x = number(-0.5f, 0.5f), y = number(-0.5f, 0.5f), r = number(0.2f, 1), z = number(-1, 1);
    const int n = 3 + upto(5);
    for (int i = 0; i < n; i++) {
        if (on())
            attributes();
        place(x + r * cosf((float)i * 6.2831853f / (float)n), y + r * sinf((float)i * 6.2831853f / (float)n),
              z);
    }
}

static void quads(int strip)
{
    const float z = number(-1, 1);
    float x = number(-1.5f, 0.5f), y = number(-1.5f, 0.5f);
    const int n = 1 + upto(3);
    for (int i = 0; i < n + strip; i++) {
        const float w = number(0.2f, 0.8f), h = number(0.2f, 0.9f);
        if (!strip && on())
            attributes();
        for (int c = 0; c < (strip ? 2 : 4); c++) {
            if (strip)
                place(x, c ? y + 0.5f : y, z);
            else
                place(c == 1 || c == 2 ? x + w : x, c > 1 ? y + h : y, z);
        }
        x += strip ? w : 0.3f;
        y += strip ? 0 : 0.2f;
    }
}

static void primitive(void)
{
    const GLenum quad = curved ? GL_TRIANGLES : GL_QUADS, quad_strip = curved ? GL_POLYGON : GL_QUAD_STRIP;
    const GLenum mode = ONE_OF(GL_POINTS, GL_LINES, GL_LINE_STRIP, GL_LINE_LOOP, GL_TRIANGLES,
                               GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN, quad, quad_strip, GL_POLYGON, GL_TRIANGLES,
                               quad);
    int n = 1 + upto(9);
    if (depth_now && mode == GL_TRIANGLES) /* see incomplete_triangles of cases.c */
        n -= n % 3;
    glBegin(mode);
    all_attributes();
    if (mode == GL_POLYGON)
        polygon();
    else if (mode == GL_QUADS || mode == GL_QUAD_STRIP)
        quads(mode == GL_QUAD_STRIP);
    else
        for (int i = 0; i < n; i++) {
            if (on())
                attributes();
            vertex();
        }
    if (wild && upto(8) == 0)
        glEnable(GL_BLEND);
    glEnd();
    if (depth_now || mode == GL_LINE_LOOP) /* Mesa 22.3 has wrong current values after a list's vertices */
        all_attributes();
}

/* ---- arrays ---- */

struct corner {
    float position[3];
    GLubyte color[4];
    float coords[2];
    GLshort normal[4];
    double again[2];
};
static struct corner mesh[64];

static void make_mesh(void)
{
    for (int i = 0; i < 64; i += 4) {
        const float x = number(-1.3f, 0.6f), y = number(-1.3f, 0.6f), z = number(-1, 1),
                    w = number(0.2f, 0.9f);
        for (int c = 0; c < 4; c++) {
            struct corner *m = &mesh[i + c];
            m->position[0] = c == 1 || c == 2 ? x + w : x;
            m->position[1] = c > 1 ? y + w : y;
            m->position[2] = z;
            m->again[0] = m->position[0], m->again[1] = m->position[1];
            if (c && !curved) {
                memcpy(m->color, mesh[i].color, sizeof m->color);
                memcpy(m->coords, mesh[i].coords, sizeof m->coords);
                memcpy(m->normal, mesh[i].normal, sizeof m->normal);
                continue;
            }
            for (int k = 0; k < 4; k++)
                m->color[k] = (GLubyte)(bits() & 0xFF);
            m->coords[0] = step(0, 2) + 0.02f, m->coords[1] = step(0, 2) + 0.02f;
            m->normal[0] = (GLshort)upto(20000), m->normal[1] = 0, m->normal[2] = 32767;
        }
    }
}

static void arrays(void)
{
    const int buffered = upto(2), doubles = !deep && upto(4) == 0;
    const char *base = buffered ? NULL : (const char *)mesh;
    settle();
    make_mesh();
    glBindBuffer(GL_ARRAY_BUFFER, buffered ? buffer[0] : 0);
    if (buffered)
        glBufferData(GL_ARRAY_BUFFER, sizeof mesh, mesh, GL_STATIC_DRAW);
    if (buffered && on())
        glBufferSubData(GL_ARRAY_BUFFER, sizeof(struct corner), sizeof(struct corner), mesh);
#define AT(member) (base + offsetof(struct corner, member))
    if (doubles)
        glVertexPointer(2, GL_DOUBLE, sizeof(struct corner), AT(again));
    else
        glVertexPointer(3, GL_FLOAT, sizeof(struct corner), AT(position));
    glColorPointer(components & 1 ? 3 : 4, GL_UNSIGNED_BYTE, sizeof(struct corner), AT(color));
    glTexCoordPointer(2, GL_FLOAT, sizeof(struct corner), AT(coords));
    glNormalPointer(GL_SHORT, sizeof(struct corner), AT(normal));
    glEnableClientState(GL_VERTEX_ARRAY);
    (on() ? glEnableClientState : glDisableClientState)(GL_COLOR_ARRAY);
    (on() ? glEnableClientState : glDisableClientState)(GL_TEXTURE_COORD_ARRAY);
    (on() ? glEnableClientState : glDisableClientState)(GL_NORMAL_ARRAY);
    GLushort index[24];
    GLubyte small[24];
    GLuint wide[24];
    for (int i = 0; i < 24; i++)
        wide[i] = index[i] = small[i] = (GLubyte)(i / 4 * 8 + i % 4);
    const GLenum quad = curved ? GL_TRIANGLES : GL_QUADS;
    GLenum mode = ONE_OF(quad, GL_TRIANGLES, GL_POINTS, GL_LINE_LOOP, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN);
    if (depth_now && mode == GL_TRIANGLES) /* because the numbers below are not multiples of 3 */
        mode = GL_TRIANGLE_STRIP;
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    switch (upto(6)) {
    case 0: glDrawArrays(mode, mode == GL_QUADS ? 4 : upto(8), 4 * (1 + upto(4))); break;
    case 1: glDrawElements(mode, 4 * upto(6), GL_UNSIGNED_SHORT, index); break;
    case 2: glDrawRangeElements(mode, 0, 63, 4 * upto(6), GL_UNSIGNED_BYTE, small); break;
    case 3:
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[1]);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof wide, wide, GL_DYNAMIC_DRAW);
        glDrawElements(mode, 12, GL_UNSIGNED_INT, (const void *)16);
        break;
    case 4: glMultiDrawArrays(mode, (const GLint[]){0, 12}, (const GLsizei[]){4, 8}, 2); break;
    default:
        glBegin(quad);
        for (int i = 0; i < (curved ? 6 : 8); i++)
            glArrayElement(i);
        glEnd();
    }
    /* the current values are not defined now */
    attributes();
    components & 1 ? glColor3f(step(0, 1), step(0, 1), step(0, 1))
                   : glColor4ub(255, (GLubyte)bits(), 90, 200);
    glNormal3f(0, 0, 1);
    components == 0 || components == 1 ? glTexCoord2f(1.1f, 2.1f)
        : components == 2              ? glTexCoord4f(1.1f, 2.1f, 3, 1)
        : components == 3              ? glTexCoord3f(1.1f, 2.1f, 3)
                                       : glTexCoord1f(1.1f);
    settle();
}

/* ---- state ---- */

static void raster_state(void)
{
    switch (upto(22)) {
    case 0: enable(GL_BLEND, on()); break;
    case 1:
        glBlendFunc(ONE_OF(GL_ONE, GL_SRC_ALPHA, GL_DST_COLOR, GL_CONSTANT_COLOR, GL_SRC_ALPHA_SATURATE),
                    ONE_OF(GL_ZERO, GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_SRC_COLOR));
        break;
    case 2:
        glBlendEquation(ONE_OF(GL_FUNC_ADD, GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT));
        break;
    case 3: glBlendColor(step(0, 1), step(0, 1), step(0, 1), step(0, 1)); break;
    case 4: enable(GL_DEPTH_TEST, deep && on()); break;
    case 5: glDepthFunc(ONE_OF(GL_LESS, GL_LEQUAL, GL_GREATER, GL_ALWAYS)); break;
    case 6: glDepthMask(on()); break;
    case 7: glDepthRange(step(0, 0.4f), step(0.6f, 1)); break;
    case 8: enable(GL_STENCIL_TEST, !lines && upto(2)); break;
    case 9: glStencilFunc(ONE_OF(GL_ALWAYS, GL_NOTEQUAL, GL_LEQUAL), upto(4), 0xFF); break;
    case 10:
        glStencilOp(ONE_OF(GL_KEEP, GL_INCR, GL_ZERO), ONE_OF(GL_KEEP, GL_DECR),
                    ONE_OF(GL_KEEP, GL_REPLACE, GL_INCR));
        break;
    case 11: enable(GL_SCISSOR_TEST, upto(4) == 0); break;
    case 12: glScissor(upto(30), upto(30), 40 + upto(50), 40 + upto(50)); break;
    case 13: enable(GL_CULL_FACE, !lines && upto(3) == 0); break;
    case 14: glFrontFace(ONE_OF(GL_CW, GL_CCW)); break;
    case 15: glColorMask(on(), on(), on(), on()); break;
    case 16:
        glPolygonMode(GL_FRONT_AND_BACK,
                      lines ? ONE_OF(GL_FILL, GL_FILL, GL_FILL, GL_LINE, GL_POINT) : GL_FILL);
        break;
    case 17: glViewport(upto(20), upto(20), SIDE - upto(40), SIDE - upto(40)); break;
    case 18: enable(GL_POLYGON_OFFSET_FILL, on()), glPolygonOffset(step(-2, 2), step(-2, 2)); break;
    case 19: glClear(ONE_OF(GL_DEPTH_BUFFER_BIT, GL_STENCIL_BUFFER_BIT)); break;
    case 20: glClearColor(step(0, 1), step(0, 1), step(0, 1), step(0, 1)); break;
    default: glHint(GL_FOG_HINT, ONE_OF(GL_NICEST, GL_DONT_CARE));
    }
}

static void light_state(void)
{
    const GLenum light = GL_LIGHT0 + (GLuint)upto(3);
    switch (upto(20)) {
    case 0:
    case 1: enable(GL_LIGHTING, upto(2)); break;
    case 2: enable(light, on()); break;
    case 3: glLightfv(light, ONE_OF(GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR), four(0, 1)); break;
    case 4:
        glLightfv(light, GL_POSITION,
                  (const float[]){step(-2, 2), step(-2, 2), step(1, 3), (float)(upto(2) && curved)});
        break;
    case 5: glLightf(light, GL_SPOT_CUTOFF, upto(2) ? 180 : step(20, 80)); break;
    case 6: glLightf(light, GL_LINEAR_ATTENUATION, step(0, 0.5f)); break;
    case 7: glLighti(light, GL_SPOT_EXPONENT, upto(8)); break;
    case 8: glLightfv(light, GL_SPOT_DIRECTION, (const float[]){step(-1, 1), step(-1, 1), -1}); break;
    case 9:
        glMaterialfv(ONE_OF(GL_FRONT, GL_BACK, GL_FRONT_AND_BACK),
                     ONE_OF(GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION, GL_AMBIENT_AND_DIFFUSE),
                     four(0, 1));
        break;
    case 10: glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, step(0, 64)); break;
    case 11: glLightModelfv(GL_LIGHT_MODEL_AMBIENT, four(0, 0.5f)); break;
    case 12:
        glLightModeli(curved ? ONE_OF(GL_LIGHT_MODEL_TWO_SIDE, GL_LIGHT_MODEL_LOCAL_VIEWER)
                             : GL_LIGHT_MODEL_TWO_SIDE,
                      upto(2));
        break;
    case 13:
        glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL,
                      (GLint)(sums ? ONE_OF(GL_SINGLE_COLOR, GL_SEPARATE_SPECULAR_COLOR) : GL_SINGLE_COLOR));
        break;
    case 14: /* Mesa 22.3 lets Material calls that it has not yet executed win over this call */
        settle();
        enable(GL_COLOR_MATERIAL, upto(2) && !depth_now);
        break;
    case 15:
        settle();
        glColorMaterial(ONE_OF(GL_FRONT, GL_FRONT_AND_BACK),
                        ONE_OF(GL_DIFFUSE, GL_AMBIENT_AND_DIFFUSE, GL_EMISSION));
        break;
    case 16: enable(GL_NORMALIZE, upto(2)); break;
    case 17: enable(GL_RESCALE_NORMAL, upto(2)); break;
    case 18: glShadeModel(smooth || lines ? GL_SMOOTH : ONE_OF(GL_SMOOTH, GL_SMOOTH, GL_FLAT)); break;
    default: enable(GL_COLOR_SUM, sums && upto(2));
    }
}

static void clip_plane(GLenum plane)
{
    glClipPlane(plane, (const double[]){step(-1, 1), step(-1, 1), 0, step(0, 1)});
}

static void fragment_state(void)
{
    switch (upto(12)) {
    case 0: enable(GL_FOG, !sums && upto(2)); break;
    case 1: glFogi(GL_FOG_MODE, (GLint)ONE_OF(GL_LINEAR, GL_EXP, GL_EXP2)); break;
    case 2: glFogf(ONE_OF(GL_FOG_DENSITY), step(0, 1)); break;
    case 3: glFogf(ONE_OF(GL_FOG_START, GL_FOG_END), step(-2, 4)); break;
    case 4: glFogfv(GL_FOG_COLOR, four(0, 1)); break;
    case 5: glFogi(GL_FOG_COORD_SRC, (GLint)ONE_OF(GL_FOG_COORD, GL_FRAGMENT_DEPTH)); break;
    case 6: enable(GL_ALPHA_TEST, upto(2)); break;
    case 7: glAlphaFunc(ONE_OF(GL_GREATER, GL_LESS, GL_GEQUAL, GL_ALWAYS), 0.5f); break;
    case 8: enable(GL_CLIP_PLANE0 + (GLuint)upto(2), upto(3) == 0); break;
    case 9: clip_plane(GL_CLIP_PLANE0 + (GLuint)upto(2)); break;
    case 10: glPointSize((float)(1 + upto(6) * !lines)); break;
    default:
        glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (const float[]){1, upto(3) ? 0 : step(0, 1), 0});
    }
}

static void texture_state(void)
{
    switch (upto(14)) {
    case 0: glActiveTexture(GL_TEXTURE0 + (GLuint)upto(2)); break;
    case 1:
    case 2: enable(GL_TEXTURE_2D, upto(2)); break;
    case 3: glBindTexture(GL_TEXTURE_2D, textures[upto(4)]); break;
    case 4:
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE,
                  (GLint)ONE_OF(GL_MODULATE, GL_DECAL, GL_REPLACE, GL_BLEND, GL_ADD, GL_COMBINE));
        break;
    case 5: glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, four(0, 1)); break;
    case 6:
        glTexEnvi(GL_TEXTURE_ENV, ONE_OF(GL_COMBINE_RGB, GL_COMBINE_ALPHA),
                  (GLint)ONE_OF(GL_MODULATE, GL_ADD, GL_INTERPOLATE, GL_SUBTRACT, GL_ADD_SIGNED, GL_REPLACE));
        break;
    case 7:
        glTexEnvi(GL_TEXTURE_ENV, ONE_OF(GL_SOURCE0_RGB, GL_SOURCE1_RGB, GL_SOURCE2_RGB, GL_SOURCE0_ALPHA),
                  (GLint)ONE_OF(GL_TEXTURE, GL_CONSTANT, GL_PRIMARY_COLOR, GL_PREVIOUS));
        break;
    case 8: glTexEnvf(GL_TEXTURE_ENV, ONE_OF(GL_RGB_SCALE, GL_ALPHA_SCALE), (float)(1 << upto(3))); break;
    case 9: enable(ONE_OF(GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T), upto(2)); break;
    case 10:
        glTexGeni(ONE_OF(GL_S, GL_T), GL_TEXTURE_GEN_MODE,
                  (GLint)ONE_OF(GL_OBJECT_LINEAR, GL_EYE_LINEAR, curved ? GL_SPHERE_MAP : GL_EYE_LINEAR));
        break;
    case 11: glTexGenfv(ONE_OF(GL_S, GL_T), ONE_OF(GL_OBJECT_PLANE, GL_EYE_PLANE), four(-1, 1)); break;
    case 12:
        glTexParameteri(GL_TEXTURE_2D, ONE_OF(GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T),
                        (GLint)ONE_OF(GL_REPEAT, GL_CLAMP_TO_EDGE));
        break;
    default: {
        GLubyte texels[8 * 8 * 4];
        for (unsigned i = 0; i < sizeof texels; i++)
            texels[i] = (GLubyte)bits();
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)ONE_OF(GL_RGBA, GL_RGB, GL_LUMINANCE, GL_ALPHA, GL_INTENSITY),
                     8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    }
}

static void matrix_state(void)
{
    switch (upto(11)) {
    case 0: glMatrixMode(ONE_OF(GL_MODELVIEW, GL_MODELVIEW, GL_PROJECTION, GL_TEXTURE)); break;
    case 1: glLoadIdentity(); break;
    case 2: glTranslatef(step(-0.3f, 0.3f), step(-0.3f, 0.3f), 0); break;
    case 3: glRotatef(step(0, 90), 0, 0, 1); break;
    case 4: glScalef(step(0.7f, 1.3f), step(0.7f, 1.3f), 1); break;
    case 5: glPushMatrix(); break;
    case 6: glPopMatrix(); break;
    case 7: glRotated(step(-20, 20), 1, step(0, 1), 0); break;
    case 8: glMultMatrixd((const double[]){1, 0, 0, 0, 0.1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}); break;
    case 9:
        glMatrixMode(GL_PROJECTION), glLoadIdentity(), glOrtho(-1.5, 1.5, -1.5, 1.5, -3, 3),
            glMatrixMode(GL_MODELVIEW);
        break;
    default: glMatrixMode(GL_MODELVIEW), glLoadIdentity();
    }
}

static void attrib_state(void)
{
    static const GLbitfield groups[] = {
        GL_CURRENT_BIT,      GL_LIGHTING_BIT, GL_ENABLE_BIT,        GL_COLOR_BUFFER_BIT, GL_POLYGON_BIT,
        GL_DEPTH_BUFFER_BIT, GL_TEXTURE_BIT,  GL_TRANSFORM_BIT,     GL_FOG_BIT,          GL_POINT_BIT,
        GL_VIEWPORT_BIT,     GL_SCISSOR_BIT,  GL_STENCIL_BUFFER_BIT};
    GLbitfield mask = 0;
    for (int i = 0; i < 3; i++)
        mask |= groups[upto(13)];
    if (wild && upto(2)) {
        upto(2) ? glPushAttrib(mask) : glPopAttrib();
        return;
    }
    if (upto(4) == 0) {
        upto(2) ? glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT) : glPopClientAttrib();
        return;
    }
    /* Mesa 22.3 restores the enables of lights only with LIGHTING_BIT */
    if (mask & GL_ENABLE_BIT)
        mask |= GL_LIGHTING_BIT;
    /* not nested: then Mesa 22.3 does not restore some groups */
    glPushAttrib(upto(4) ? mask : GL_ALL_ATTRIB_BITS);
    for (int i = upto(6); i >= 0; i--)
        switch (upto(6)) {
        case 0: primitive(); break;
        case 1: attributes(); break;
        case 2: raster_state(); break;
        case 3: light_state(); break;
        case 4: fragment_state(); break;
        default: texture_state();
        }
    glPopAttrib();
    /* Mesa 22.3 restores the colour, but not materials, COLOR_SUM and FOG_COORD_SRC, not always the normal,
     * and still uses the earlier clip planes */
    attribute(0);
    glNormal3f(0, 0, 1);
    glFogi(GL_FOG_COORD_SRC, GL_FOG_COORD);
    enable(GL_COLOR_SUM, sums && upto(2));
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, step(0, 64));
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, four(0, 1));
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, four(0, 1));
    glMaterialfv(GL_FRONT_AND_BACK, GL_EMISSION, four(0, 1));
    clip_plane(GL_CLIP_PLANE0);
    clip_plane(GL_CLIP_PLANE1);
}

static void call(void);
static void list(void)
{
    const GLuint name = 1 + (GLuint)upto(LISTS);
    if (depth_now || upto(2)) {
        if (!depth_now && upto(4) == 0) {
            glListBase(1);
            glCallLists(2, GL_UNSIGNED_BYTE, (const GLubyte[]){1, (GLubyte)upto(LISTS)});
        } else if (!depth_now)
            glCallList(name);
        return;
    }
    glNewList(name, upto(3) ? GL_COMPILE : GL_COMPILE_AND_EXECUTE);
    depth_now = 1;
    for (int i = upto(8); i >= 0; i--)
        call();
    depth_now = 0;
    glEndList();
}

static void call(void)
{
    switch (upto(24)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: primitive(); break;
    case 5:
    case 6: attributes(); break;
    case 7:
    case 8: raster_state(); break;
    case 9:
    case 10:
    case 11:
    case 12: light_state(); break;
    case 13:
    case 14: fragment_state(); break;
    case 15:
    case 16: matrix_state(); break;
    case 17: attrib_state(); break;
    case 18: arrays(); break;
    case 19:
    case 20: list(); break;
    case 21:
        if (!curved && !deep)
            glRectf(step(-1, 0), step(-1, 0), step(0.1f, 1), step(0.1f, 1));
        break;
    default: texture_state();
    }
}

/* ---- answers ---- */

static void answers(void)
{
    static const GLenum name[] = {GL_MATRIX_MODE,
                                  GL_MODELVIEW_STACK_DEPTH,
                                  GL_MODELVIEW_MATRIX,
                                  GL_PROJECTION_MATRIX,
                                  GL_CURRENT_COLOR,
                                  GL_CURRENT_NORMAL,
                                  GL_SHADE_MODEL,
                                  GL_COLOR_MATERIAL_FACE,
                                  GL_COLOR_MATERIAL_PARAMETER,
                                  GL_FOG_COLOR,
                                  GL_FOG_MODE,
                                  GL_FOG_END,
                                  GL_ALPHA_TEST_FUNC,
                                  GL_ALPHA_TEST_REF,
                                  GL_POINT_SIZE,
                                  GL_BLEND_SRC,
                                  GL_BLEND_DST,
                                  GL_BLEND_EQUATION,
                                  GL_BLEND_COLOR,
                                  GL_COLOR_CLEAR_VALUE,
                                  GL_COLOR_WRITEMASK,
                                  GL_DEPTH_WRITEMASK,
                                  GL_DEPTH_FUNC,
                                  GL_DEPTH_RANGE,
                                  GL_FRONT_FACE,
                                  GL_POLYGON_MODE,
                                  GL_POLYGON_OFFSET_UNITS,
                                  GL_SCISSOR_BOX,
                                  GL_VIEWPORT,
                                  GL_STENCIL_FUNC,
                                  GL_STENCIL_REF,
                                  GL_STENCIL_PASS_DEPTH_PASS,
                                  GL_ACTIVE_TEXTURE,
                                  GL_ATTRIB_STACK_DEPTH,
                                  GL_CLIENT_ATTRIB_STACK_DEPTH,
                                  GL_LIGHTING,
                                  GL_LIGHT1,
                                  GL_FOG,
                                  GL_BLEND,
                                  GL_TEXTURE_2D,
                                  GL_TEXTURE_GEN_S,
                                  GL_NORMALIZE,
                                  GL_VERTEX_ARRAY,
                                  GL_COLOR_ARRAY_SIZE,
                                  GL_LIGHT_MODEL_AMBIENT,
                                  GL_LIGHT_MODEL_TWO_SIDE,
                                  GL_CLIP_PLANE1,
                                  GL_ARRAY_BUFFER_BINDING,
                                  GL_TEXTURE_MATRIX,
                                  GL_CURRENT_TEXTURE_COORDS,
                                  GL_FOG_HINT};
    for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
        double d[16];
        GLint n[16];
        for (int k = 0; k < 16; k++)
            d[k] = -77, n[k] = -77;
        glGetDoublev(name[i], d);
        glGetIntegerv(name[i], n);
        printf("%x", name[i]);
        for (int k = 0; k < 16 && d[k] != -77; k++)
            printf(" %g", d[k]);
        /* compares integers; for matrices, Mesa converts to integers as for colours */
        for (int k = 0; k < 4 && n[k] != -77 && d[4] == -77 && (d[0] >= 1 || d[0] <= -1); k++)
            printf(" %d", n[k]);
        printf("\n");
    }
    for (GLenum light = GL_LIGHT0; light < GL_LIGHT0 + 3; light++)
        for (GLenum p = GL_AMBIENT; p <= GL_QUADRATIC_ATTENUATION; p++) {
            float f[4] = {-77, -77, -77, -77};
            glGetLightfv(light, p, f);
            printf("light%x %x %g %g %g %g\n", light, p, f[0], f[1], f[2], f[3]);
        }
    static const GLenum material[] = {GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION, GL_SHININESS};
    for (unsigned i = 0; i < 5; i++) {
        float f[4] = {0}, b[4] = {0};
        glGetMaterialfv(GL_FRONT, material[i], f);
        glGetMaterialfv(GL_BACK, material[i], b);
        printf("material %x %g %g %g %g %g %g %g %g\n", material[i], f[0], f[1], f[2], f[3], b[0], b[1], b[2],
               b[3]);
    }
    static const GLenum env[] = {GL_TEXTURE_ENV_MODE, GL_TEXTURE_ENV_COLOR, GL_COMBINE_RGB,
                                 GL_COMBINE_ALPHA,    GL_SOURCE0_RGB,       GL_SOURCE1_RGB,
                                 GL_SOURCE0_ALPHA,    GL_OPERAND0_RGB,      GL_RGB_SCALE};
    for (unsigned i = 0; i < 9; i++) {
        float f[4] = {0};
        glGetTexEnvfv(GL_TEXTURE_ENV, env[i], f);
        printf("env %x %g %g %g %g\n", env[i], f[0], f[1], f[2], f[3]);
    }
}

/* Returns the error of ES itself: the library must not cause errors of OpenGL ES. */
static GLenum error_of_es(void)
{
#ifdef OVER_ES
    union {
        void (*from)(void);
        GLenum (*get)(void);
    } es = {eglGetProcAddress("glGetError")};
    return es.get();
#else
    return GL_NO_ERROR;
#endif
}

int main(int argc, char **argv)
{
    static GLubyte pixels[SIDE * SIDE * 4];
    FILE *pictures = argc > 3 ? fopen(argv[3], "wb") : NULL;
    if (!pictures)
        return 2;
    if (!open_gl(SIDE)) {
        fprintf(stderr, "there is no context\n");
        return 77;
    }
    seed = strtoull(argv[1], NULL, 10) * 2654435769u + 1;
    const unsigned number_of_script = (unsigned)strtoul(argv[1], NULL, 10);
    wild = argc > 4 && strcmp(argv[4], "wild") == 0;
    smooth = argc > 4 && strcmp(argv[4], "smooth") == 0;
    curved = number_of_script & 1;
    lines = number_of_script >> 1 & 1;
    deep = number_of_script >> 2 & 1;
    sums = number_of_script >> 3 & 1;
    glGenBuffers(2, buffer);
    glGenTextures(4, textures);
    glViewport(0, 0, SIDE, SIDE);
    unsigned calls = 0;
    for (int frame = 0, frames = atoi(argv[2]); frame < frames; frame++) {
        settle();
        components = deep ? 1 + upto(4) : upto(5);
        for (int i = 10 + upto(30); i > 0; i--, calls++) {
            call();
            const GLenum of_es = error_of_es();
            if (of_es) {
                fprintf(stderr, "frame %d: an error of OpenGL ES: %x\n", frame, of_es);
                return 3;
            }
            for (GLenum error; (error = glGetError()) != 0;)
                printf("frame %d: error %x\n", frame, error);
        }
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        fwrite(pixels, 1, sizeof pixels, pictures);
        printf("frame %d\n", frame);
        answers();
        glPushAttrib(GL_ALL_ATTRIB_BITS);
        glDisable(GL_SCISSOR_TEST);
        glColorMask(1, 1, 1, 1);
        glDepthMask(1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        glPopAttrib();
    }
    printf("%u calls\n", calls);
    return fclose(pictures) != 0;
}
