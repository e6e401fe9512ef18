/* Functions that OpenGL ES 1.1 has and OpenGL 1.5 has not: with floats in place of doubles, and with fixed
 * point numbers, in which 65536 stands for 1. Parameters that are enumerants or booleans are not scaled. */
#include "es.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* GLES/gl.h, which declares them, is not included */

#define X(v) (GLfloat)((v) / 65536.0)

/* ---- floats ---- */

void glOrthof(GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f) { glOrtho(l, r, b, t, n, f); }
void glFrustumf(GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f)
{
    glFrustum(l, r, b, t, n, f);
}
void glClipPlanef(GLenum plane, const GLfloat *v)
{
    glClipPlane(plane, (const GLdouble[]){v[0], v[1], v[2], v[3]});
}
void glGetClipPlanef(GLenum plane, GLfloat *v)
{
    GLdouble d[4] = {v[0], v[1], v[2], v[3]};
    glGetClipPlane(plane, d);
    for (int i = 0; i < 4; i++)
        v[i] = (GLfloat)d[i];
}

/* ---- fixed point ---- */

void glAlphaFuncx(GLenum func, GLfixed ref) { glAlphaFunc(func, X(ref)); }
void glClearColorx(GLfixed r, GLfixed g, GLfixed b, GLfixed a) { glClearColor(X(r), X(g), X(b), X(a)); }
void glClearDepthx(GLfixed depth) { glClearDepth(X(depth)); }
void glColor4x(GLfixed r, GLfixed g, GLfixed b, GLfixed a) { glColor4f(X(r), X(g), X(b), X(a)); }
void glDepthRangex(GLfixed n, GLfixed f) { glDepthRange(X(n), X(f)); }
void glLineWidthx(GLfixed width) { glLineWidth(X(width)); }
void glNormal3x(GLfixed x, GLfixed y, GLfixed z) { glNormal3f(X(x), X(y), X(z)); }
void glMultiTexCoord4x(GLenum unit, GLfixed s, GLfixed t, GLfixed r, GLfixed q)
{
    glMultiTexCoord4f(unit, X(s), X(t), X(r), X(q));
}
void glPointSizex(GLfixed size) { glPointSize(X(size)); }
void glPolygonOffsetx(GLfixed factor, GLfixed units) { glPolygonOffset(X(factor), X(units)); }
void glSampleCoveragex(GLfixed value, GLboolean invert) { glSampleCoverage(X(value), invert); }
void glRotatex(GLfixed a, GLfixed x, GLfixed y, GLfixed z) { glRotatef(X(a), X(x), X(y), X(z)); }
void glScalex(GLfixed x, GLfixed y, GLfixed z) { glScalef(X(x), X(y), X(z)); }
void glTranslatex(GLfixed x, GLfixed y, GLfixed z) { glTranslatef(X(x), X(y), X(z)); }
void glOrthox(GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f)
{
    glOrtho(X(l), X(r), X(b), X(t), X(n), X(f));
}
void glFrustumx(GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f)
{
    glFrustum(X(l), X(r), X(b), X(t), X(n), X(f));
}

#define MATRIX(name) \
    void gl##name##Matrixx(const GLfixed *v) \
    { \
        GLfloat m[16]; \
        for (int i = 0; i < 16; i++) \
            m[i] = X(v[i]); \
        gl##name##Matrixf(m); \
    }
MATRIX(Load)
MATRIX(Mult)

/* The parameters of textures are enumerants and booleans, which are not scaled. Calls with parameters that
 * may be scaled are in light.c. */
void glTexParameterx(GLenum target, GLenum pname, GLfixed v) { glTexParameterf(target, pname, (GLfloat)v); }
void glTexParameterxv(GLenum target, GLenum pname, const GLfixed *v)
{
    glTexParameterf(target, pname, (GLfloat)*v);
}
