/* Makes indices where ES has no mode: for quads and polygons (as triangles), for polygons as lines or points,
 * and for primitives of several modes that are drawn together. The last vertex of each triangle and line is
 * the one whose colour GL uses for flat shading (table 2.12; for polygons this is their first vertex). */
#include "draw.h"

#include <stdlib.h>

uint32_t es_index(const struct es_index_source *index, uint32_t i)
{
    const void *p = index->pointer;
    if (!p)
        return index->first + i;
    switch (index->type) {
    case GL_UNSIGNED_BYTE: return ((const GLubyte *)p)[i] + index->first;
    case GL_UNSIGNED_SHORT: return ((const GLushort *)p)[i] + index->first;
    default: return ((const GLuint *)p)[i] + index->first;
    }
}

static bool is_polygon(GLenum mode) { return mode >= GL_TRIANGLES; }

GLenum es_kind(GLenum mode)
{
    if (mode == GL_POINTS)
        return GL_POINTS;
    if (!is_polygon(mode))
        return GL_LINES;
    const struct es_raster *r = &es.raster;
    const bool culls = es.caps >> ES_CAP_CULL_FACE & 1;
    if (culls && r->cull_face == GL_FRONT_AND_BACK)
        return GL_TRIANGLES; /* ES culls all of them */
    const GLenum polygon = r->polygon_mode[culls && r->cull_face == GL_FRONT];
    if (!culls && r->polygon_mode[0] != r->polygon_mode[1])
        es_missing("PolygonMode", "the mode of the front is that of the back, too");
    if (polygon == GL_FILL)
        return GL_TRIANGLES;
    if (culls)
        es_missing("PolygonMode", "polygons as lines or points are not culled");
    if (es.values.vertex.flat)
        es_missing("PolygonMode", "lines and points of flat polygons have colours of their own");
    if (es.te.lighting && es.values.vertex.two_side)
        es_missing("PolygonMode", "lines and points of polygons have the colours of the front");
    return polygon == GL_LINE ? GL_LINES : GL_POINTS;
}

static bool reserve(struct es_indices *out, uint32_t more)
{
    if (out->room - out->count >= more)
        return true;
    const uint32_t room = (out->count + more) * 2;
    uint32_t *data = realloc(out->data, room * sizeof *data);
    if (!data)
        return !es_error(GL_OUT_OF_MEMORY);
    out->data = data;
    out->room = room;
    return true;
}

struct cursor {
    struct es_indices *out;
    const struct es_index_source *index;
    GLenum kind;
};

static void put(const struct cursor *c, uint32_t i)
{
    const uint32_t v = es_index(c->index, i);
    if (v > c->out->most)
        c->out->most = v;
    c->out->data[c->out->count++] = v;
}

static void put2(const struct cursor *c, uint32_t a, uint32_t b)
{
    put(c, a);
    put(c, b);
}

static void put3(const struct cursor *c, uint32_t a, uint32_t b, uint32_t d)
{
    put2(c, a, b);
    put(c, d);
}

/* Adds a side of a polygon or, for points, the side's first vertex. */
static void side(const struct cursor *c, uint32_t from, uint32_t to)
{
    put(c, from);
    if (c->kind == GL_LINES)
        put(c, to);
}

static void outline(const struct cursor *c, uint32_t n, const uint32_t *corner)
{
    for (uint32_t i = 0; i < n; i++)
        side(c, corner[i], corner[(i + 1) % n]);
}

static void add_lines(const struct cursor *c, GLenum mode, uint32_t n)
{
    if (mode == GL_LINES)
        for (uint32_t i = 0; i + 1 < n; i += 2)
            put2(c, i, i + 1);
    else
        for (uint32_t i = 0; i + 1 < n; i++)
            put2(c, i, i + 1);
    if (n > 1 && mode == GL_LINE_LOOP)
        put2(c, n - 1, 0);
}

/* Adds triangles. GL does not define which diagonal divides a quad. This follows Mesa: the one between
 * vertices 0 and 2 if there are neither indices nor a list and colours are smooth, otherwise the one between
 * 1 and 3. */
static void add_triangles(const struct cursor *c, GLenum mode, uint32_t n)
{
    const uint32_t linear = !c->index->pointer && !c->index->list && !es.values.vertex.flat,
                   other = linear ? 2 : 3;
    for (uint32_t i = 0; i + 2 < n; i++)
        switch (mode) {
        case GL_TRIANGLES:
            if (i % 3 == 0)
                put3(c, i, i + 1, i + 2);
            break;
        case GL_TRIANGLE_STRIP: put3(c, i + i % 2, i + 1 - i % 2, i + 2); break;
        case GL_TRIANGLE_FAN: put3(c, 0, i + 1, i + 2); break;
        case GL_POLYGON: put3(c, i + 1, i + 2, 0); break;
        case GL_QUADS:
            if (i % 4 == 0 && i + 3 < n) {
                put3(c, i, i + 1, i + other);
                put3(c, i + 1 - linear, i + 2, i + 3);
            }
            break;
        default: /* GL_QUAD_STRIP */
            if (i % 2 == 0 && i + 3 < n) {
                put3(c, i, i + 1, i + 3);
                put3(c, i + 2, i, i + 3);
            }
        }
}

/* The edges or corners of polygons, not edges inside of quads and polygons (3.5.4). */
static void add_edges(const struct cursor *c, GLenum mode, uint32_t n)
{
    if (mode == GL_POLYGON && n > 2) {
        for (uint32_t i = 0; i < n; i++)
            side(c, i, (i + 1) % n);
        return;
    }
    for (uint32_t i = 0; i + 2 < n; i++)
        switch (mode) {
        case GL_TRIANGLES:
            if (i % 3 == 0)
                outline(c, 3, (const uint32_t[]){i, i + 1, i + 2});
            break;
        case GL_TRIANGLE_STRIP: outline(c, 3, (const uint32_t[]){i, i + 1, i + 2}); break;
        case GL_TRIANGLE_FAN: outline(c, 3, (const uint32_t[]){0, i + 1, i + 2}); break;
        case GL_QUADS:
            if (i % 4 == 0 && i + 3 < n)
                outline(c, 4, (const uint32_t[]){i, i + 1, i + 2, i + 3});
            break;
        default:
            if (mode == GL_QUAD_STRIP && i % 2 == 0 && i + 3 < n)
                outline(c, 4, (const uint32_t[]){i, i + 1, i + 3, i + 2});
        }
}

bool es_indices_add(struct es_indices *out, GLenum mode, const struct es_index_source *index, uint32_t count)
{
    const GLenum kind = es_kind(mode);
    const struct cursor c = {out, index, kind};
    if (count > UINT32_MAX / 16 || !reserve(out, count * 6 + 8))
        return false;
    if (kind == GL_TRIANGLES)
        add_triangles(&c, mode, count);
    else if (is_polygon(mode))
        add_edges(&c, mode, count);
    else if (kind == GL_LINES)
        add_lines(&c, mode, count);
    else
        for (uint32_t i = 0; i < count; i++)
            put(&c, i);
    return true;
}
