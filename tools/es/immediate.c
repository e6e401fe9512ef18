/* Begin, End and the current values. As long as no state changes, the vertices of several Begins are
 * collected in one batch, which es_flush draws. While a display list is compiled, they go into the list. */
#include "draw.h"
#include "list.h"

#include <stdlib.h>
#include <string.h>

/* A batch is drawn at an End if it has more floats or primitives than this. A batch of a list becomes one
 * buffer. */
enum { ENOUGH = 24 << 10, ENOUGH_PRIMITIVES = 512, ENOUGH_OF_LIST = 60000 };

struct es_batch es_batch;

void es_batch_clear(struct es_batch *b)
{
    memset(b->size, 0, sizeof b->size);
    memset(b->inherited, 0, sizeof b->inherited);
    b->stride = 0;
    b->count = b->primitives = b->set = 0;
    b->begun = b->loose = false;
}

/* ---- the layout ---- */

static bool grow(struct es_batch *b, size_t floats)
{
    if (floats <= b->room)
        return true;
    const size_t room = floats * 2 > 4096 ? floats * 2 : 4096;
    float *data = realloc(b->data, room * sizeof *data);
    if (!data)
        return !es_error(GL_OUT_OF_MEMORY);
    b->data = data;
    b->room = room;
    return true;
}

/* Converts a vertex from the old layout to the new one, in which attribute k has more than its former `had`
 * floats. from and to must not overlap. */
static void move_vertex(const struct es_batch *b, const uint8_t *offsets, unsigned k, unsigned had, float *to,
                        const float *from)
{
    for (unsigned i = 0; i < ES_ATTRIBUTES; i++) {
        const unsigned n = i == k ? had : b->size[i];
        for (unsigned c = 0; c < b->size[i]; c++)
            to[b->offset[i] + c] = c < n ? from[offsets[i] + c] : had || i != k ? c == 3 : es.current[k][c];
    }
}

/* Makes attribute k n floats wide, also in the vertices that were collected, which get the current value. */
static bool widen(struct es_batch *b, unsigned k, unsigned n)
{
    uint8_t offsets[ES_ATTRIBUTES];
    float vertex[ES_ATTRIBUTES * 4];
    const unsigned had = b->size[k], before = b->stride;
    memcpy(offsets, b->offset, sizeof offsets);
    if (!grow(b, (size_t)(b->count + 1) * (before + n - had)))
        return false;
    if (!had && es.list)
        b->inherited[k] = b->count;
    b->size[k] = (uint8_t)n;
    b->stride = 0;
    for (unsigned i = 0; i < ES_ATTRIBUTES; i++) {
        b->offset[i] = (uint8_t)b->stride;
        b->stride = (uint16_t)(b->stride + b->size[i]);
    }
    for (uint32_t v = b->count; v-- > 0;) {
        memcpy(vertex, b->data + (size_t)v * before, before * sizeof *vertex);
        move_vertex(b, offsets, k, had, b->data + (size_t)v * b->stride, vertex);
    }
    memcpy(vertex, b->vertex, before * sizeof *vertex);
    move_vertex(b, offsets, k, had, b->vertex, vertex);
    return true;
}

/* ---- values ---- */

/* Returns how many components texture coordinates need in the batch if coordinates with n components are
 * added to it. The vertices collected so far have the current coordinates, so their r and q count, too. In a
 * list the current coordinates are not known. */
static unsigned coordinates_needed(const struct es_batch *b, unsigned k, unsigned n)
{
    if (k < FRAGPROG_ATTRIB_TEXCOORD || b->size[k] || !b->count)
        return n;
    const unsigned needed = es.list || es.current[k][3] != 1 ? 4 : es.current[k][2] != 0 ? 3 : 2;
    return n > needed ? n : needed;
}

void es_attribute(unsigned k, unsigned n, float x, float y, float z, float w)
{
    struct es_batch *b = es.batch;
    const float v[4] = {x, y, z, w};
    es.vertices = true;
    if (es.list && !b->begun && b->count && !b->size[k])
        es_list_flush(); /* the vertices so far do not have this attribute */
    if (b->size[k] < n) {
        const bool waits = b->count || b->begun || es.list;
        if (waits && (es.list || b->begun || memcmp(es.current[k], v, sizeof v) != 0) &&
            !widen(b, k, coordinates_needed(b, k, n)))
            return;
    }
    memcpy(b->vertex + b->offset[k], v, b->size[k] * sizeof *v);
    if (es.list) {
        b->set |= 1u << k;
        return;
    }
    es.arrays_changed |= k >= FRAGPROG_ATTRIB_TEXCOORD && es.current[k][3] != w;
    memcpy(es.current[k], v, sizeof v);
}

void es_vertex(unsigned n, float x, float y, float z, float w)
{
    struct es_batch *b = es.batch;
    const float v[4] = {x, y, z, w};
    if (!b->begun) {
        if (!es.list)
            return; /* a vertex outside of Begin and End has no meaning (2.6.3) */
        es_begin(ES_NO_MODE);
    }
    if ((b->size[0] < n && !widen(b, 0, n)) || !grow(b, (size_t)(b->count + 1) * b->stride))
        return;
    float *to = b->data + (size_t)b->count++ * b->stride;
    memcpy(to, b->vertex, b->stride * sizeof *to);
    memcpy(to, v, b->size[0] * sizeof *to);
}

/* ---- primitives ---- */

/* Returns the class of a mode. Modes of the same class can be drawn together. */
static unsigned class_of(GLenum mode) { return mode == GL_POINTS ? 0 : mode < GL_TRIANGLES ? 1 : 2; }

static bool add_primitive(struct es_batch *b, GLenum mode)
{
    if (b->primitives == b->primitive_room) {
        const uint32_t room = b->primitive_room ? b->primitive_room * 2 : 64;
        struct es_primitive *p = realloc(b->primitive, room * sizeof *p);
        if (!p)
            return !es_error(GL_OUT_OF_MEMORY);
        b->primitive = p;
        b->primitive_room = room;
    }
    b->primitive[b->primitives++] = (struct es_primitive){.mode = mode, .start = b->count};
    b->begun = true;
    return true;
}

static void flush(void)
{
    if (es.list)
        es_list_flush();
    else
        es_flush();
}

void es_begin(GLenum mode)
{
    struct es_batch *b = es.batch;
    const bool loose = mode == ES_NO_MODE;
    if (es_fails(b->begun && !es.list, GL_INVALID_OPERATION))
        return;
    if (b->begun) /* vertices before a Begin, or two Begins, which become an error when the list is called */
        es_list_flush();
    if (b->primitives && (loose || class_of(b->primitive[0].mode) != class_of(mode)))
        flush();
    if (!add_primitive(b, mode))
        return;
    b->loose |= loose;
    if (!es.list)
        es.te.inside_begin = 1;
    es.vertices = true;
}

/* Returns the number of vertices without those of an incomplete primitive at the end. They are not drawn, and
 * would disturb the primitives after them. */
static uint32_t whole(GLenum mode, uint32_t count)
{
    return count -
        (mode == GL_LINES           ? count % 2
             : mode == GL_TRIANGLES ? count % 3
             : mode == GL_QUADS     ? count % 4
                                    : 0);
}

void es_end(void)
{
    struct es_batch *b = es.batch;
    if (!b->begun || b->primitive[b->primitives - 1].mode == ES_NO_MODE) {
        if (es_fails(!es.list, GL_INVALID_OPERATION))
            return;
        es_list_end();
        return;
    }
    struct es_primitive *p = &b->primitive[b->primitives - 1];
    p->count = whole(p->mode, b->count - p->start);
    b->count = p->start + p->count;
    b->begun = false;
    if (!es.list)
        es.te.inside_begin = 0;
    if ((size_t)b->count * b->stride > (es.list ? SIZE_MAX : ENOUGH) || b->count > ENOUGH_OF_LIST ||
        (!es.list && b->primitives >= ENOUGH_PRIMITIVES))
        flush();
}

void glBegin(GLenum mode)
{
    es_open();
    if (mode > GL_POLYGON) {
        es_raise(GL_INVALID_ENUM);
        return;
    }
    es_begin(mode);
}

void glEnd(void) { es_end(); }

/* ---- drawing ---- */

static void batch_sources(const struct es_batch *b, GLuint buffer, struct es_source source[ES_ATTRIBUTES])
{
    for (unsigned k = 0; k < ES_ATTRIBUTES; k++)
        source[k] = b->size[k] ? (struct es_source){.buffer = buffer,
                                                    .type = GL_FLOAT,
                                                    .stride = (GLsizei)(b->stride * sizeof(float)),
                                                    .size = b->size[k],
                                                    .offset = b->offset[k] * sizeof(float)}
                               : (struct es_source){0};
}

void es_batch_draw(const struct es_batch *b, GLuint buffer, uint32_t first, struct es_index_buffer *kept)
{
    struct es_source source[ES_ATTRIBUTES];
    batch_sources(b, buffer, source);
    const struct es_program *program = es_program_use(es_kind(b->primitive[0].mode) == GL_POINTS,
                                                      es_affine(source));
    if (!program)
        return;
    es_sources_use(program, source);
    es_draw_primitives(b->primitive, b->primitives, first, kept);
}

/* Draws a batch. Attributes that are not in the batch are the current values, which all its vertices share.
 */
static void draw_batch(struct es_batch *b)
{
    GLuint buffer;
    const size_t vertex = b->stride * sizeof(float);
    es_open();
    if (b->count && es.open) {
        const uintptr_t at = es_stream(GL_ARRAY_BUFFER, b->data, b->count * vertex, 4 * vertex, &buffer);
        es_batch_draw(b, buffer, (uint32_t)(at / vertex), NULL);
    }
    es_batch_clear(b);
}

void es_flush(void)
{
    es.vertices = false;
    if (es_batch.primitives)
        draw_batch(&es_batch);
    else
        es_batch_clear(&es_batch);
    const float *color = es.current[FRAGPROG_ATTRIB_COLOR];
    if (memcmp(es.values.color, color, sizeof es.values.color) != 0)
        texenv_values_color(&es.values, color); /* with COLOR_MATERIAL, materials follow the current colour */
}

/* ---- splitting ---- */

/* A primitive is split after n vertices. Finds the vertices with which its second part must begin, and
 * returns their number. */
static unsigned rest_of(GLenum mode, uint32_t n, uint32_t carry[4])
{
    unsigned count = 0;
    switch (mode) {
    case GL_TRIANGLE_FAN:
    case GL_POLYGON:
        carry[count++] = 0;
        if (n > 1)
            carry[count++] = n - 1;
        return n ? count : 0;
    case GL_TRIANGLE_STRIP: /* if the next triangle is an odd one, a triangle without area is put before it */
        if (n > 2 && n % 2 == 1)
            carry[count++] = n - 2;
        break;
    default: break;
    }
    const uint32_t kept = mode == GL_POINTS ? 0
        : mode == GL_LINES                  ? n % 2
        : mode == GL_TRIANGLES              ? n % 3
        : mode == GL_QUADS                  ? n % 4
        : mode == GL_QUAD_STRIP             ? 2 + n % 2
        : mode == GL_TRIANGLE_STRIP         ? 2
                                            : 1;
    for (uint32_t i = n > kept ? n - kept : 0; i < n; i++)
        carry[count++] = i;
    return count;
}

void es_batch_split(void)
{
    struct es_batch *b = es.batch;
    if (es.list || !b->begun || b->count == b->primitive[b->primitives - 1].start)
        return;
    struct es_primitive *p = &b->primitive[b->primitives - 1];
    const GLenum mode = p->mode;
    const uint32_t n = b->count - p->start;
    uint32_t carry[4];
    const unsigned carried = rest_of(mode, n, carry);
    if (carried)
        es_missing("Material", "it changes inside of a primitive, whose shared vertices have the later one");
    if (mode == GL_LINE_LOOP)
        es_missing("GL_LINE_LOOP", "a material changes inside of it: it is not closed");
    float kept[4 * ES_ATTRIBUTES * 4];
    for (unsigned i = 0; i < carried; i++)
        memcpy(kept + i * b->stride, b->data + (size_t)(p->start + carry[i]) * b->stride,
               b->stride * sizeof *kept);
    const struct es_batch layout = *b;
    p->mode = mode == GL_LINE_LOOP ? GL_LINE_STRIP : mode;
    p->count = whole(mode, n);
    draw_batch(b);
    memcpy(b->size, layout.size, sizeof b->size);
    memcpy(b->offset, layout.offset, sizeof b->offset);
    b->stride = layout.stride;
    add_primitive(b, p->mode);
    memcpy(b->data, kept, carried * b->stride * sizeof *kept);
    b->count = carried;
}
