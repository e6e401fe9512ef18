/* Matrices (2.11.2). They are kept by the core. */
#include "draw.h"

#include <string.h>

/* Ends a call that changes the current matrix: sets GL's error or, if there is none, es.dirty. */
static void changed(GLenum error)
{
    if (es_error(error))
        return;
    es.dirty |= ES_DIRTY_MATRICES;
    if (es.values.vertex.matrix_mode == TEXENV_MATRIX_TEXTURE)
        es.dirty |= ES_DIRTY_STATE; /* the program depends on whether a texture matrix is the identity */
}

ES_COMMAND(matrix_mode)
{
    if (a[0].u < GL_MODELVIEW || a[0].u > GL_TEXTURE) /* the core would accept modes of extensions, too */
        es_error(GL_INVALID_ENUM);
    else
        es_error(texenv_values_matrix_mode(&es.values, &es.te, a[0].u));
}

void glMatrixMode(GLenum mode) { ES_CALL(matrix_mode, {.u = mode}); }

ES_COMMAND(load) { changed(texenv_values_load_matrix(&es.values, &es.te, data)); }

ES_COMMAND(mult) { changed(texenv_values_mult_matrix(&es.values, &es.te, data)); }

ES_COMMAND(push) { es_error(texenv_values_push_matrix(&es.values, &es.te)); }

ES_COMMAND(pop) { changed(texenv_values_pop_matrix(&es.values, &es.te)); }

enum { BYTES = 16 * sizeof(float) };

static void call_mult(const float *m) { es_call(mult, 0, NULL, m, BYTES); }
static void call_load(const float *m) { es_call(load, 0, NULL, m, BYTES); }

static void to_floats(float *m, const GLdouble *d)
{
    for (unsigned i = 0; i < 16; i++)
        m[i] = texenv_float(d[i]);
}

void glPushMatrix(void) { es_call(push, 0, NULL, NULL, 0); }
void glPopMatrix(void) { es_call(pop, 0, NULL, NULL, 0); }

/* LoadMatrix and MultMatrix, also of matrices row by row, in both types. */
#define MATRIX(Name, call) \
    void gl##Name##Matrixf(const GLfloat *m) { call(m); } \
    void gl##Name##Matrixd(const GLdouble *d) \
    { \
        float m[16]; \
        to_floats(m, d); \
        call(m); \
    } \
    void gl##Name##TransposeMatrixf(const GLfloat rows[16]) \
    { \
        float m[16]; \
        texenv_matrix_transpose(m, rows); \
        call(m); \
    } \
    void gl##Name##TransposeMatrixd(const GLdouble rows[16]) \
    { \
        float m[16]; \
        to_floats(m, rows); \
        gl##Name##TransposeMatrixf(m); \
    } \
    ES_ALIAS(gl##Name##TransposeMatrixfARB, gl##Name##TransposeMatrixf); \
    ES_ALIAS(gl##Name##TransposeMatrixdARB, gl##Name##TransposeMatrixd);
MATRIX(Load, call_load)
MATRIX(Mult, call_mult)

void glLoadIdentity(void)
{
    float m[16];
    texenv_matrix_identity(m);
    call_load(m);
}

void glTranslatef(GLfloat x, GLfloat y, GLfloat z)
{
    float m[16];
    texenv_matrix_translate(m, x, y, z);
    call_mult(m);
}

void glScalef(GLfloat x, GLfloat y, GLfloat z)
{
    float m[16];
    texenv_matrix_scale(m, x, y, z);
    call_mult(m);
}

void glRotatef(GLfloat degrees, GLfloat x, GLfloat y, GLfloat z)
{
    float m[16];
    texenv_matrix_rotate(m, degrees, x, y, z);
    call_mult(m);
}

void glTranslated(GLdouble x, GLdouble y, GLdouble z) { glTranslatef((float)x, (float)y, (float)z); }
void glScaled(GLdouble x, GLdouble y, GLdouble z) { glScalef((float)x, (float)y, (float)z); }
void glRotated(GLdouble a, GLdouble x, GLdouble y, GLdouble z)
{
    glRotatef((float)a, (float)x, (float)y, (float)z);
}

#define VIEW(Name, make) \
    void gl##Name(GLdouble l, GLdouble r, GLdouble b, GLdouble t, GLdouble n, GLdouble f) \
    { \
        float m[16]; \
        const GLenum error = make(m, (const double[]){l, r, b, t, n, f}); \
        if (error) \
            es_raise(error); \
        else \
            call_mult(m); \
    }
VIEW(Frustum, texenv_matrix_frustum)
VIEW(Ortho, texenv_matrix_ortho)
