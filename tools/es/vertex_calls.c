/* Vertex, Color, Normal, TexCoord, MultiTexCoord, SecondaryColor and FogCoord in all their types (2.7). All
 * call es_vertex or es_attribute. Integers in colours and normals are converted by table 2.9. */
#include "draw.h"

/* Table 2.9: the range of an unsigned type is mapped to [0, 1], that of a signed type to [-1, 1]. */
#define UNSIGNED(bits, v) (float)((double)(v) / (double)((UINT64_C(1) << bits) - 1))
#define SIGNED(bits, v) (float)((2.0 * (double)(v) + 1.0) / (double)((UINT64_C(1) << bits) - 1))
#define C_b(v) SIGNED(8, v)
#define C_s(v) SIGNED(16, v)
#define C_i(v) SIGNED(32, v)
#define C_ub(v) UNSIGNED(8, v)
#define C_us(v) UNSIGNED(16, v)
#define C_ui(v) UNSIGNED(32, v)
#define C_f(v) (float)(v)
#define C_d(v) (float)(v)
#define F(v) (float)(v)

enum {
    COLOR = FRAGPROG_ATTRIB_COLOR,
    NORMAL = FRAGPROG_ATTRIB_NORMAL,
    SECONDARY = FRAGPROG_ATTRIB_SECONDARY,
    FOG = FRAGPROG_ATTRIB_FOGCOORD,
    TEXCOORD = FRAGPROG_ATTRIB_TEXCOORD
};

#define VERTICES(t, type) \
    void glVertex2##t(type x, type y) { es_vertex(2, F(x), F(y), 0, 1); } \
    void glVertex3##t(type x, type y, type z) { es_vertex(3, F(x), F(y), F(z), 1); } \
    void glVertex4##t(type x, type y, type z, type w) { es_vertex(4, F(x), F(y), F(z), F(w)); } \
    void glVertex2##t##v(const type *v) { es_vertex(2, F(v[0]), F(v[1]), 0, 1); } \
    void glVertex3##t##v(const type *v) { es_vertex(3, F(v[0]), F(v[1]), F(v[2]), 1); } \
    void glVertex4##t##v(const type *v) { es_vertex(4, F(v[0]), F(v[1]), F(v[2]), F(v[3])); }
VERTICES(s, GLshort)
VERTICES(i, GLint)
VERTICES(f, GLfloat)
VERTICES(d, GLdouble)

#define NORMALS(t, type) \
    void glNormal3##t(type x, type y, type z) { es_attribute(NORMAL, 3, C_##t(x), C_##t(y), C_##t(z), 1); } \
    void glNormal3##t##v(const type *v) { es_attribute(NORMAL, 3, C_##t(v[0]), C_##t(v[1]), C_##t(v[2]), 1); }
NORMALS(b, GLbyte)
NORMALS(s, GLshort)
NORMALS(i, GLint)
NORMALS(f, GLfloat)
NORMALS(d, GLdouble)

#define COLORS(t, type) \
    void glColor3##t(type r, type g, type b) { es_attribute(COLOR, 4, C_##t(r), C_##t(g), C_##t(b), 1); } \
    void glColor3##t##v(const type *v) { es_attribute(COLOR, 4, C_##t(v[0]), C_##t(v[1]), C_##t(v[2]), 1); } \
    void glColor4##t(type r, type g, type b, type a) \
    { \
        es_attribute(COLOR, 4, C_##t(r), C_##t(g), C_##t(b), C_##t(a)); \
    } \
    void glColor4##t##v(const type *v) \
    { \
        es_attribute(COLOR, 4, C_##t(v[0]), C_##t(v[1]), C_##t(v[2]), C_##t(v[3])); \
    } \
    void glSecondaryColor3##t(type r, type g, type b) \
    { \
        es_attribute(SECONDARY, 3, C_##t(r), C_##t(g), C_##t(b), 1); \
    } \
    void glSecondaryColor3##t##v(const type *v) \
    { \
        es_attribute(SECONDARY, 3, C_##t(v[0]), C_##t(v[1]), C_##t(v[2]), 1); \
    } \
    ES_ALIAS(glSecondaryColor3##t##EXT, glSecondaryColor3##t); \
    ES_ALIAS(glSecondaryColor3##t##vEXT, glSecondaryColor3##t##v);
COLORS(b, GLbyte)
COLORS(s, GLshort)
COLORS(i, GLint)
COLORS(ub, GLubyte)
COLORS(us, GLushort)
COLORS(ui, GLuint)
COLORS(f, GLfloat)
COLORS(d, GLdouble)

#define FOGS(t, type) \
    void glFogCoord##t(type f) { es_attribute(FOG, 1, F(f), 0, 0, 1); } \
    void glFogCoord##t##v(const type *v) { es_attribute(FOG, 1, F(*v), 0, 0, 1); } \
    ES_ALIAS(glFogCoord##t##EXT, glFogCoord##t); \
    ES_ALIAS(glFogCoord##t##vEXT, glFogCoord##t##v);
FOGS(f, GLfloat)
FOGS(d, GLdouble)

#define COORDS(t, type) \
    void glTexCoord1##t(type s) { es_attribute(TEXCOORD, 1, F(s), 0, 0, 1); } \
    void glTexCoord2##t(type s, type r) { es_attribute(TEXCOORD, 2, F(s), F(r), 0, 1); } \
    void glTexCoord3##t(type s, type r, type p) { es_attribute(TEXCOORD, 3, F(s), F(r), F(p), 1); } \
    void glTexCoord4##t(type s, type r, type p, type q) \
    { \
        es_attribute(TEXCOORD, 4, F(s), F(r), F(p), F(q)); \
    } \
    void glTexCoord1##t##v(const type *v) { glTexCoord1##t(v[0]); } \
    void glTexCoord2##t##v(const type *v) { glTexCoord2##t(v[0], v[1]); } \
    void glTexCoord3##t##v(const type *v) { glTexCoord3##t(v[0], v[1], v[2]); } \
    void glTexCoord4##t##v(const type *v) { glTexCoord4##t(v[0], v[1], v[2], v[3]); }
COORDS(s, GLshort)
COORDS(i, GLint)
COORDS(f, GLfloat)
COORDS(d, GLdouble)

/* Sets texture coordinates. For a unit that does not exist the result is undefined (2.7); here it is
 * INVALID_ENUM. */
static void coordinate(GLenum unit, unsigned n, const float v[4])
{
    if (unit >= GL_TEXTURE0 && unit < GL_TEXTURE0 + TEXENV_UNITS)
        es_attribute(TEXCOORD + unit - GL_TEXTURE0, n, v[0], v[1], v[2], v[3]);
    else
        es_raise(GL_INVALID_ENUM);
}

#define MULTI_COORDS(t, type) \
    void glMultiTexCoord1##t(GLenum u, type s) { coordinate(u, 1, (float[4]){F(s), 0, 0, 1}); } \
    void glMultiTexCoord2##t(GLenum u, type s, type r) { coordinate(u, 2, (float[4]){F(s), F(r), 0, 1}); } \
    void glMultiTexCoord3##t(GLenum u, type s, type r, type p) \
    { \
        coordinate(u, 3, (float[4]){F(s), F(r), F(p), 1}); \
    } \
    void glMultiTexCoord4##t(GLenum u, type s, type r, type p, type q) \
    { \
        coordinate(u, 4, (float[4]){F(s), F(r), F(p), F(q)}); \
    } \
    void glMultiTexCoord1##t##v(GLenum u, const type *v) { glMultiTexCoord1##t(u, v[0]); } \
    void glMultiTexCoord2##t##v(GLenum u, const type *v) { glMultiTexCoord2##t(u, v[0], v[1]); } \
    void glMultiTexCoord3##t##v(GLenum u, const type *v) { glMultiTexCoord3##t(u, v[0], v[1], v[2]); } \
    void glMultiTexCoord4##t##v(GLenum u, const type *v) { glMultiTexCoord4##t(u, v[0], v[1], v[2], v[3]); } \
    ES_ALIAS(glMultiTexCoord1##t##ARB, glMultiTexCoord1##t); \
    ES_ALIAS(glMultiTexCoord2##t##ARB, glMultiTexCoord2##t); \
    ES_ALIAS(glMultiTexCoord3##t##ARB, glMultiTexCoord3##t); \
    ES_ALIAS(glMultiTexCoord4##t##ARB, glMultiTexCoord4##t); \
    ES_ALIAS(glMultiTexCoord1##t##vARB, glMultiTexCoord1##t##v); \
    ES_ALIAS(glMultiTexCoord2##t##vARB, glMultiTexCoord2##t##v); \
    ES_ALIAS(glMultiTexCoord3##t##vARB, glMultiTexCoord3##t##v); \
    ES_ALIAS(glMultiTexCoord4##t##vARB, glMultiTexCoord4##t##v);
MULTI_COORDS(s, GLshort)
MULTI_COORDS(i, GLint)
MULTI_COORDS(f, GLfloat)
MULTI_COORDS(d, GLdouble)

/* Colour indices are kept for queries only, as no colour buffer of ES has indices. Edge flags, which would
 * matter for polygons drawn as lines or points, are kept for queries, too. */
#define INDICES(t, type) \
    void glIndex##t(type c) { es.current_index = (GLfloat)c; } \
    void glIndex##t##v(const type *c) { es.current_index = (GLfloat)*c; }
INDICES(s, GLshort)
INDICES(i, GLint)
INDICES(f, GLfloat)
INDICES(d, GLdouble)
INDICES(ub, GLubyte)

void glEdgeFlag(GLboolean flag)
{
    es.edge_flag = flag != 0;
    if (!flag)
        es_missing("EdgeFlag", "all edges of polygons that are drawn as lines are seen");
}
void glEdgeFlagv(const GLboolean *flag) { glEdgeFlag(*flag); }

/* ---- Rect (2.10) ---- */

static void rect(float x1, float y1, float x2, float y2)
{
    es_open();
    es_begin(GL_POLYGON);
    es_vertex(2, x1, y1, 0, 1);
    es_vertex(2, x2, y1, 0, 1);
    es_vertex(2, x2, y2, 0, 1);
    es_vertex(2, x1, y2, 0, 1);
    es_end();
}

#define RECTS(t, type) \
    void glRect##t(type x1, type y1, type x2, type y2) { rect(F(x1), F(y1), F(x2), F(y2)); } \
    void glRect##t##v(const type *a, const type *b) { rect(F(a[0]), F(a[1]), F(b[0]), F(b[1])); }
RECTS(s, GLshort)
RECTS(i, GLint)
RECTS(f, GLfloat)
RECTS(d, GLdouble)
