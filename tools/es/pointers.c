/* The pointers of client arrays (2.8), InterleavedArrays, and their queries. */
#include "draw.h"

/* Further values of struct row.attribute: arrays of what is no vertex attribute, and the texture coordinates
 * of the active unit. */
enum { INDEX = ES_ATTRIBUTES, EDGE_FLAG, COORDINATES };

/* Types of arrays, as bits. FIXED, which only OpenGL ES 1.1 has, is allowed where FLOAT is. */
#define BIT(type) (1u << (type - GL_BYTE))
enum {
    B = BIT(GL_BYTE),
    UB = BIT(GL_UNSIGNED_BYTE),
    S = BIT(GL_SHORT),
    US = BIT(GL_UNSIGNED_SHORT),
    I = BIT(GL_INT),
    UI = BIT(GL_UNSIGNED_INT),
    F = BIT(GL_FLOAT) | BIT(GL_FIXED),
    D = BIT(GL_DOUBLE)
};

struct limits {
    int least, most; /* number of components */
    unsigned types;
};

static void set(struct es_array *a, const struct limits *l, GLint size, GLenum type, GLsizei stride,
                const void *p)
{
    if (size < l->least || size > l->most || stride < 0)
        es_error(GL_INVALID_VALUE);
    else if (type < GL_BYTE || type > GL_FIXED || !(l->types & BIT(type)))
        es_error(GL_INVALID_ENUM);
    else
        *a = (struct es_array){a->enabled, (uint8_t)size, type, stride, p, es.arrays.array_buffer};
    es.arrays_changed = true;
}

static struct es_array *array_of(unsigned attribute) { return &es.arrays.array[attribute]; }
static struct es_array *coordinates(void) { return array_of(FRAGPROG_ATTRIB_TEXCOORD + es.te.client_active); }

void glVertexPointer(GLint size, GLenum type, GLsizei stride, const void *p)
{
    set(array_of(FRAGPROG_ATTRIB_POSITION), &(struct limits){2, 4, S | I | F | D}, size, type, stride, p);
}
void glNormalPointer(GLenum type, GLsizei stride, const void *p)
{
    set(array_of(FRAGPROG_ATTRIB_NORMAL), &(struct limits){3, 3, B | S | I | F | D}, 3, type, stride, p);
}
void glColorPointer(GLint size, GLenum type, GLsizei stride, const void *p)
{
    set(array_of(FRAGPROG_ATTRIB_COLOR), &(struct limits){3, 4, B | UB | S | US | I | UI | F | D}, size, type,
        stride, p);
}
void glSecondaryColorPointer(GLint size, GLenum type, GLsizei stride, const void *p)
{
    set(array_of(FRAGPROG_ATTRIB_SECONDARY), &(struct limits){3, 3, B | UB | S | US | I | UI | F | D}, size,
        type, stride, p);
}
void glFogCoordPointer(GLenum type, GLsizei stride, const void *p)
{
    set(array_of(FRAGPROG_ATTRIB_FOGCOORD), &(struct limits){1, 1, F | D}, 1, type, stride, p);
}
void glTexCoordPointer(GLint size, GLenum type, GLsizei stride, const void *p)
{
    set(coordinates(), &(struct limits){1, 4, S | I | F | D}, size, type, stride, p);
}
void glIndexPointer(GLenum type, GLsizei stride, const void *p)
{
    set(array_of(INDEX), &(struct limits){1, 1, UB | S | I | F | D}, 1, type, stride, p);
}
void glEdgeFlagPointer(GLsizei stride, const void *p)
{
    set(array_of(EDGE_FLAG), &(struct limits){1, 1, UB}, 1, GL_UNSIGNED_BYTE, stride, p);
}
ES_ALIAS(glSecondaryColorPointerEXT, glSecondaryColorPointer);
ES_ALIAS(glFogCoordPointerEXT, glFogCoordPointer);

/* The arrays, by the name of their capability, with the names of their queries; 0: there is no such query. */
static const struct row {
    GLenum cap;
    uint8_t attribute; /* COORDINATES: that of the active unit */
    GLenum pointer, size, type, stride, buffer;
} arrays[] = {
#define ARRAY(name, attribute, size, type) \
    { \
        GL_##name, attribute, GL_##name##_POINTER, size, type, GL_##name##_STRIDE, \
            GL_##name##_BUFFER_BINDING \
    }
    ARRAY(VERTEX_ARRAY, FRAGPROG_ATTRIB_POSITION, GL_VERTEX_ARRAY_SIZE, GL_VERTEX_ARRAY_TYPE),
    ARRAY(NORMAL_ARRAY, FRAGPROG_ATTRIB_NORMAL, 0, GL_NORMAL_ARRAY_TYPE),
    ARRAY(COLOR_ARRAY, FRAGPROG_ATTRIB_COLOR, GL_COLOR_ARRAY_SIZE, GL_COLOR_ARRAY_TYPE),
    ARRAY(SECONDARY_COLOR_ARRAY, FRAGPROG_ATTRIB_SECONDARY, GL_SECONDARY_COLOR_ARRAY_SIZE,
          GL_SECONDARY_COLOR_ARRAY_TYPE),
    ARRAY(FOG_COORD_ARRAY, FRAGPROG_ATTRIB_FOGCOORD, 0, GL_FOG_COORD_ARRAY_TYPE),
    ARRAY(TEXTURE_COORD_ARRAY, COORDINATES, GL_TEXTURE_COORD_ARRAY_SIZE, GL_TEXTURE_COORD_ARRAY_TYPE),
    ARRAY(INDEX_ARRAY, INDEX, 0, GL_INDEX_ARRAY_TYPE),
    ARRAY(EDGE_FLAG_ARRAY, EDGE_FLAG, 0, 0),
};

static struct es_array *array_of_row(const struct row *r)
{
    return r->attribute == COORDINATES ? coordinates() : array_of(r->attribute);
}

static struct es_array *array_named(GLenum cap)
{
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i].cap == cap)
            return array_of_row(&arrays[i]);
    return NULL;
}

static void enable(GLenum cap, GLboolean on)
{
    struct es_array *a = array_named(cap);
    es.arrays_changed = true;
    if (a)
        a->enabled = on;
    else
        es_error(GL_INVALID_ENUM);
    if (on && cap == GL_EDGE_FLAG_ARRAY)
        es_missing("EdgeFlagPointer", "all edges of polygons that are drawn as lines are seen");
}
void glEnableClientState(GLenum cap) { enable(cap, GL_TRUE); }
void glDisableClientState(GLenum cap) { enable(cap, GL_FALSE); }

bool es_arrays_enabled(GLenum cap, bool *on)
{
    const struct es_array *a = array_named(cap);
    *on = a && a->enabled;
    return a != NULL;
}

/* Table 2.5: number of components of texture coordinates, colours (1 stands for 4 bytes), normals and
 * positions, and the stride. */
static const struct {
    uint8_t coordinates, colors, bytes, normals, positions;
} layout[] = {
    {0, 0, 0, 0, 2}, {0, 0, 0, 0, 3}, {0, 4, 1, 0, 2}, {0, 4, 1, 0, 3}, {0, 3, 0, 0, 3},
    {0, 0, 0, 3, 3}, {0, 4, 0, 3, 3}, {2, 0, 0, 0, 3}, {4, 0, 0, 0, 4}, {2, 4, 1, 0, 3},
    {2, 3, 0, 0, 3}, {2, 0, 0, 3, 3}, {2, 4, 0, 3, 3}, {4, 4, 0, 3, 4},
};

void glInterleavedArrays(GLenum format, GLsizei stride, const void *pointer)
{
    if (format < GL_V2F || format > GL_T4F_C4F_N3F_V4F || stride < 0) {
        es_error(stride < 0 ? GL_INVALID_VALUE : GL_INVALID_ENUM);
        return;
    }
    const unsigned row = format - GL_V2F;
    const unsigned colors = layout[row].bytes ? 4 : 4u * layout[row].colors;
    const unsigned at_color = 4u * layout[row].coordinates, at_normal = at_color + colors;
    const unsigned at = at_normal + 4u * layout[row].normals;
    const GLsizei step = stride ? stride : (GLsizei)(at + 4u * layout[row].positions);
    const char *p = pointer;
    enable(GL_EDGE_FLAG_ARRAY, GL_FALSE);
    enable(GL_INDEX_ARRAY, GL_FALSE);
    enable(GL_SECONDARY_COLOR_ARRAY, GL_FALSE);
    enable(GL_FOG_COORD_ARRAY, GL_FALSE);
    enable(GL_TEXTURE_COORD_ARRAY, layout[row].coordinates > 0);
    if (layout[row].coordinates)
        glTexCoordPointer(layout[row].coordinates, GL_FLOAT, step, p);
    enable(GL_COLOR_ARRAY, layout[row].colors > 0);
    if (layout[row].colors)
        glColorPointer(layout[row].colors, layout[row].bytes ? GL_UNSIGNED_BYTE : GL_FLOAT, step,
                       p + at_color);
    enable(GL_NORMAL_ARRAY, layout[row].normals > 0);
    if (layout[row].normals)
        glNormalPointer(GL_FLOAT, step, p + at_normal);
    enable(GL_VERTEX_ARRAY, GL_TRUE);
    glVertexPointer(layout[row].positions, GL_FLOAT, step, p + at);
}

/* ---- queries ---- */

void glGetPointerv(GLenum pname, void **pointer)
{
    if (pname == GL_SELECTION_BUFFER_POINTER || pname == GL_FEEDBACK_BUFFER_POINTER) {
        *pointer = NULL;
        return;
    }
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i].pointer == pname) {
            union {
                const void *from;
                void *to;
            } p = {array_of_row(&arrays[i])->pointer};
            *pointer = p.to;
            return;
        }
    es_error(GL_INVALID_ENUM);
}

bool es_array_get(GLenum pname, struct es_value *value)
{
    value->count = 1;
    if (!pname) /* stands for queries that there are not */
        return false;
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const struct row *q = &arrays[i];
        const struct es_array *a = array_of_row(q);
        if (pname != q->size && pname != q->type && pname != q->stride && pname != q->buffer)
            continue;
        value->v[0] = pname == q->size ? a->size
            : pname == q->type         ? a->type
            : pname == q->stride       ? (double)a->stride
                                       : a->buffer;
        return true;
    }
    return false;
}
