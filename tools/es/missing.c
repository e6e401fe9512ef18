/* Functions that are not supported: accumulation, selection, feedback, evaluators, parts of compressed
 * textures, occlusion queries with results. Each reports that once, and sets GL's error. */
#include "es.h"

static void missing(const char *name, const char *what)
{
    es_missing(name, what);
    es_raise(GL_INVALID_OPERATION);
}

void glAccum(GLenum op, GLfloat value)
{
    (void)op, (void)value;
    missing("Accum", "there is no accumulation buffer");
}

/* ---- selection and feedback; names are ignored while drawing (5.2) ---- */

GLint glRenderMode(GLenum mode)
{
    if (mode == GL_SELECT || mode == GL_FEEDBACK)
        missing("RenderMode", "there is no selection and no feedback");
    else if (mode != GL_RENDER)
        es_error(GL_INVALID_ENUM);
    return 0;
}
void glSelectBuffer(GLsizei n, GLuint *buffer) { (void)n, (void)buffer; }
void glFeedbackBuffer(GLsizei n, GLenum type, GLfloat *buffer) { (void)n, (void)type, (void)buffer; }
void glInitNames(void) {}
void glLoadName(GLuint name) { (void)name; }
void glPushName(GLuint name) { (void)name; }
void glPopName(void) {}
void glPassThrough(GLfloat token) { (void)token; }

/* ---- evaluators, parts of compressed textures ---- */

#define MISSING(name, parameters, message, what) \
    void gl##name parameters { missing(message, what); }
#define EVALUATOR(name, parameters) MISSING(name, parameters, "evaluators", "there are none")
#define COMPRESSED(name, parameters) MISSING(name, parameters, #name, "is not there")
#pragma GCC diagnostic ignored "-Wunused-parameter"
EVALUATOR(Map1f, (GLenum t, GLfloat a, GLfloat b, GLint s, GLint o, const GLfloat *p))
EVALUATOR(Map1d, (GLenum t, GLdouble a, GLdouble b, GLint s, GLint o, const GLdouble *p))
EVALUATOR(Map2f,
          (GLenum t, GLfloat a, GLfloat b, GLint s, GLint o, GLfloat c, GLfloat d, GLint r, GLint q,
           const GLfloat *p))
EVALUATOR(Map2d,
          (GLenum t, GLdouble a, GLdouble b, GLint s, GLint o, GLdouble c, GLdouble d, GLint r, GLint q,
           const GLdouble *p))
EVALUATOR(MapGrid1f, (GLint n, GLfloat a, GLfloat b))
EVALUATOR(MapGrid1d, (GLint n, GLdouble a, GLdouble b))
EVALUATOR(MapGrid2f, (GLint n, GLfloat a, GLfloat b, GLint m, GLfloat c, GLfloat d))
EVALUATOR(MapGrid2d, (GLint n, GLdouble a, GLdouble b, GLint m, GLdouble c, GLdouble d))
EVALUATOR(EvalCoord1f, (GLfloat u))
EVALUATOR(EvalCoord1d, (GLdouble u))
EVALUATOR(EvalCoord2f, (GLfloat u, GLfloat v))
EVALUATOR(EvalCoord2d, (GLdouble u, GLdouble v))
EVALUATOR(EvalCoord1fv, (const GLfloat *u))
EVALUATOR(EvalCoord1dv, (const GLdouble *u))
EVALUATOR(EvalCoord2fv, (const GLfloat *u))
EVALUATOR(EvalCoord2dv, (const GLdouble *u))
EVALUATOR(EvalMesh1, (GLenum mode, GLint a, GLint b))
EVALUATOR(EvalMesh2, (GLenum mode, GLint a, GLint b, GLint c, GLint d))
EVALUATOR(EvalPoint1, (GLint i))
EVALUATOR(EvalPoint2, (GLint i, GLint j))
EVALUATOR(GetMapfv, (GLenum t, GLenum q, GLfloat *v))
EVALUATOR(GetMapdv, (GLenum t, GLenum q, GLdouble *v))
EVALUATOR(GetMapiv, (GLenum t, GLenum q, GLint *v))
COMPRESSED(CompressedTexSubImage1D,
           (GLenum t, GLint level, GLint x, GLsizei w, GLenum f, GLsizei n, const void *p))
COMPRESSED(CompressedTexSubImage3D,
           (GLenum t, GLint level, GLint x, GLint y, GLint z, GLsizei w, GLsizei h, GLsizei d, GLenum f,
            GLsizei n, const void *p))
COMPRESSED(GetCompressedTexImage, (GLenum t, GLint level, void *p))

/* ---- occlusion queries, whose counters have no bits (4.1.7): the result is always 0 ---- */

static struct es_names queries;
static GLuint active;

void glGenQueries(GLsizei n, GLuint *names)
{
    if (!es_outside() || es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLsizei i = 0; i < n; i++)
        es_names_put(&queries, names[i] = es_names_unused(&queries, 1), NULL);
}
void glDeleteQueries(GLsizei n, const GLuint *names)
{
    if (!es_outside() || es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLsizei i = 0; i < n; i++)
        es_names_remove(&queries, names[i]);
}
GLboolean glIsQuery(GLuint name) { return es_outside() && es_names_get(&queries, name) != NULL; }
void glBeginQuery(GLenum target, GLuint name)
{
    static char begun;
    if (!es_outside() || es_fails(target != GL_SAMPLES_PASSED, GL_INVALID_ENUM))
        return;
    es_missing("BeginQuery", "queries count no samples (QUERY_COUNTER_BITS is 0)");
    if (active || !name)
        es_error(GL_INVALID_OPERATION);
    else if (es_names_put(&queries, name, &begun))
        active = name;
}
void glEndQuery(GLenum target)
{
    if (!es_outside() || es_fails(target != GL_SAMPLES_PASSED, GL_INVALID_ENUM))
        return;
    if (!active)
        es_error(GL_INVALID_OPERATION);
    active = 0;
}
void glGetQueryiv(GLenum target, GLenum pname, GLint *value)
{
    if (!es_outside())
        return;
    if (target != GL_SAMPLES_PASSED || (pname != GL_CURRENT_QUERY && pname != GL_QUERY_COUNTER_BITS))
        es_error(GL_INVALID_ENUM);
    else
        *value = pname == GL_CURRENT_QUERY ? (GLint)active : 0;
}
void glGetQueryObjectiv(GLuint name, GLenum pname, GLint *value)
{
    if (!es_outside())
        return;
    if (pname != GL_QUERY_RESULT && pname != GL_QUERY_RESULT_AVAILABLE)
        es_error(GL_INVALID_ENUM);
    else if (!es_names_get(&queries, name) || name == active)
        es_error(GL_INVALID_OPERATION);
    else
        *value = pname == GL_QUERY_RESULT_AVAILABLE;
}
void glGetQueryObjectuiv(GLuint name, GLenum pname, GLuint *value)
{
    GLint v = (GLint)*value;
    glGetQueryObjectiv(name, pname, &v);
    *value = (GLuint)v;
}
