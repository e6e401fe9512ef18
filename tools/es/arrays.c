/* Client arrays (2.8) and draws from them. Arrays in client memory are copied to ES for each draw
 * (es_stream); arrays in buffer objects are used in place, unless ES does not support their type. */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_ALIGNMENT = 8 };

void es_arrays_init(struct es_arrays *arrays)
{
    memset(arrays, 0, sizeof *arrays);
    for (unsigned k = 0; k < ES_ATTRIBUTES; k++) {
        const bool three = k == FRAGPROG_ATTRIB_NORMAL || k == FRAGPROG_ATTRIB_SECONDARY;
        arrays->array[k] = (struct es_array){.size = k == FRAGPROG_ATTRIB_FOGCOORD ? 1
                                                 : three                           ? 3
                                                                                   : 4,
                                             .type = GL_FLOAT};
    }
    arrays->array[ES_ATTRIBUTES] = (struct es_array){.size = 1, .type = GL_FLOAT};
    arrays->array[ES_ATTRIBUTES + 1] = (struct es_array){.size = 1, .type = GL_UNSIGNED_BYTE};
}

/* ---- elements ---- */

static bool is_normalized(unsigned attribute)
{
    return attribute == FRAGPROG_ATTRIB_COLOR || attribute == FRAGPROG_ATTRIB_SECONDARY ||
        attribute == FRAGPROG_ATTRIB_NORMAL;
}

static size_t stride_of(const struct es_array *a)
{
    return a->stride ? (size_t)a->stride : (size_t)a->size * es_type_bytes(a->type);
}

/* Returns the address of the first element, or NULL if the array has none. */
static const char *data_of(const struct es_array *a)
{
    const char *data = a->buffer ? es_buffer_data(a->buffer, NULL) : NULL;
    return a->buffer ? (data ? data + (uintptr_t)a->pointer : NULL) : a->pointer;
}

double es_number(const void *p, GLenum type, bool normalized)
{
    union {
        GLbyte b;
        GLubyte ub;
        GLshort s;
        GLushort us;
        GLint i;
        GLuint ui;
        GLfloat f;
        GLdouble d;
    } v;
    memcpy(&v, p, es_type_bytes(type));
    switch (type) { /* table 2.9 */
    case GL_BYTE: return normalized ? (float)(2 * v.b + 1) / 255 : v.b;
    case GL_UNSIGNED_BYTE: return normalized ? (float)v.ub / 255 : v.ub;
    case GL_SHORT: return normalized ? (float)(2 * v.s + 1) / 65535 : v.s;
    case GL_UNSIGNED_SHORT: return normalized ? (float)v.us / 65535 : v.us;
    case GL_INT: return normalized ? (2.0 * v.i + 1) / 4294967295.0 : v.i;
    case GL_UNSIGNED_INT: return normalized ? v.ui / 4294967295.0 : v.ui;
    case GL_DOUBLE: return v.d;
    case GL_FIXED: return v.i / 65536.0;
    default: return (double)v.f;
    }
}

/* Tells whether all elements up to this one are in the buffer. */
static bool has_element(const struct es_array *a, uint32_t last)
{
    size_t size;
    if (!a->buffer)
        return a->pointer != NULL;
    es_buffer_data(a->buffer, &size);
    const size_t end = (uintptr_t)a->pointer + last * stride_of(a) + (size_t)a->size * es_type_bytes(a->type);
    return (uintptr_t)a->pointer <= size && end <= size;
}

void es_array_fetch(const struct es_array *a, unsigned attribute, uint32_t i, float v[4])
{
    v[0] = v[1] = v[2] = 0, v[3] = 1;
    if (!has_element(a, i))
        return;
    const char *p = data_of(a) + i * stride_of(a);
    for (unsigned c = 0; c < a->size; c++)
        v[c] = (float)es_number(p + c * es_type_bytes(a->type), a->type, is_normalized(attribute));
}

void es_array_element(GLint i)
{
    float v[4];
    for (unsigned k = 1; k < ES_ATTRIBUTES; k++) {
        const struct es_array *a = &es.arrays.array[k];
        if (!a->enabled)
            continue;
        es_array_fetch(a, k, (uint32_t)i, v);
        es_attribute(k, k == FRAGPROG_ATTRIB_COLOR ? 4 : a->size, v[0], v[1], v[2], v[3]);
    }
    if (es.arrays.array[0].enabled) {
        es_array_fetch(&es.arrays.array[0], 0, (uint32_t)i, v);
        es_vertex(es.arrays.array[0].size, v[0], v[1], v[2], v[3]);
    }
}

void glArrayElement(GLint i)
{
    es_open();
    if (i >= 0)
        es_array_element(i);
    else
        es_raise(GL_INVALID_VALUE);
}

/* ---- sources ---- */

/* The elements of the arrays that a draw uses: low to high. */
struct range {
    uint32_t low, high;
};

/* Tells whether the array must be converted, because ES (or WebGL, which is stricter) cannot read it. */
static bool is_converted(const struct es_array *a)
{
    const unsigned bytes = es_type_bytes(a->type);
    if (a->type == GL_DOUBLE || a->type == GL_INT || a->type == GL_UNSIGNED_INT || a->type == GL_FIXED)
        return true;
    return stride_of(a) % bytes || (a->buffer && (uintptr_t)a->pointer % bytes) ||
        (es.limits.webgl && stride_of(a) > 255);
}

static struct es_source converted(const struct es_array *a, unsigned k, const struct range *r)
{
    static float *memory;
    static size_t room;
    const size_t count = (size_t)(r->high - r->low + 1) * a->size;
    struct es_source s = {.type = GL_FLOAT, .size = a->size, .stride = (GLsizei)(a->size * sizeof(float))};
    if (count > room) {
        float *more = realloc(memory, count * sizeof *more);
        if (es_fails(!more, GL_OUT_OF_MEMORY))
            return s;
        memory = more;
        room = count;
    }
    float v[4], *to = memory;
    for (uint32_t i = r->low; i <= r->high; i++, to += a->size) {
        es_array_fetch(a, k, i, v);
        memcpy(to, v, a->size * sizeof *v);
    }
    s.offset = es_stream(GL_ARRAY_BUFFER, memory, count * sizeof *memory, STREAM_ALIGNMENT, &s.buffer);
    return s;
}

/* Finds arrays in client memory that are interleaved, and thus can be copied to ES together: returns, as
 * bits, those of the attributes in `left` that are interleaved with attribute number `first`. Sets *low to
 * the start of their first elements and *bytes to the size of the whole. */
static uint32_t members_of(unsigned first, uint32_t left, const struct range *r, const char **low,
                           size_t *bytes)
{
    const struct es_array *a = &es.arrays.array[first];
    const size_t stride = stride_of(a);
    const char *high = (const char *)a->pointer + (size_t)a->size * es_type_bytes(a->type);
    uint32_t members = 1u << first;
    *low = a->pointer;
    for (unsigned k = first + 1; k < ES_ATTRIBUTES; k++) {
        const struct es_array *other = &es.arrays.array[k];
        if (!(left >> k & 1) || stride_of(other) != stride)
            continue;
        const char *from = other->pointer, *to = from + (size_t)other->size * es_type_bytes(other->type);
        const char *l = (uintptr_t)from < (uintptr_t)*low ? from : *low,
                   *h = (uintptr_t)to > (uintptr_t)high ? to : high;
        if ((uintptr_t)h - (uintptr_t)l > stride)
            continue;
        *low = l, high = h;
        members |= 1u << k;
    }
    *bytes = (r->high - r->low) * stride + (size_t)(high - *low);
    return members;
}

/* Returns the source for an array that needs no conversion; its element 0 is at offset in the buffer. */
static struct es_source source_of(unsigned k, GLuint buffer, uintptr_t offset)
{
    const struct es_array *a = &es.arrays.array[k];
    return (struct es_source){.buffer = buffer,
                              .type = a->type,
                              .stride = (GLsizei)stride_of(a),
                              .size = a->size,
                              .normalized = is_normalized(k) && a->type != GL_FLOAT,
                              .offset = offset};
}

static void stream(uint32_t left, const struct range *r, struct es_source source[ES_ATTRIBUTES])
{
    const char *low;
    size_t bytes;
    GLuint buffer;
    for (unsigned first = 0; first < ES_ATTRIBUTES; first++) {
        if (!(left >> first & 1))
            continue;
        const uint32_t members = members_of(first, left, r, &low, &bytes);
        const uintptr_t at = es_stream(GL_ARRAY_BUFFER, low + r->low * stride_of(&es.arrays.array[first]),
                                       bytes, STREAM_ALIGNMENT, &buffer);
        for (unsigned k = first; k < ES_ATTRIBUTES; k++)
            if (members >> k & 1)
                source[k] = source_of(k, buffer,
                                      at + (size_t)((const char *)es.arrays.array[k].pointer - low));
        left &= ~members;
    }
}

/* Makes room in one buffer for all arrays that a draw copies. conversions: the attributes, as bits, whose
 * arrays are converted; left: those whose arrays are copied unchanged. */
static void reserve(uint32_t conversions, uint32_t left, const struct range *r)
{
    const char *low;
    size_t bytes, sum = 0;
    for (unsigned k = 0; k < ES_ATTRIBUTES; k++) {
        if (conversions >> k & 1)
            sum += (size_t)(r->high - r->low + 1) * es.arrays.array[k].size * sizeof(float) +
                STREAM_ALIGNMENT;
        if (!(left >> k & 1))
            continue;
        left &= ~members_of(k, left, r, &low, &bytes);
        sum += bytes + STREAM_ALIGNMENT;
    }
    if (sum)
        es_stream_reserve(sum);
}

/* Facts about the arrays, computed by look() whenever es.arrays_changed is set. */
static struct {
    bool copied;      /* an array must be copied to ES, so a draw needs its lowest and highest index */
    uint32_t sourced; /* the attributes that have sources, as bits, if no array is copied */
    uint32_t high;    /* their arrays are known to have all elements up to this one */
    uint8_t affine;   /* see es_affine */
    struct es_source source[ES_ATTRIBUTES];
    const char *indices; /* the contents of ELEMENT_ARRAY_BUFFER, and ES's buffer with them (0: not known) */
    size_t indices_size;
    GLuint indices_name;
} found;

/* Brings `found` up to date. */
static void look(void)
{
    if (!es.arrays_changed)
        return;
    es.arrays_changed = false;
    found.copied = false;
    found.sourced = 0;
    for (unsigned k = 0; k < ES_ATTRIBUTES; k++) {
        const struct es_array *a = &es.arrays.array[k];
        found.copied |= a->enabled && (!a->buffer || is_converted(a));
        found.source[k] = (struct es_source){.buffer = a->enabled, .size = a->size}; /* for es_affine */
    }
    found.affine = es_affine(found.source);
    found.indices = es_buffer_data(es.arrays.element_buffer, &found.indices_size);
    found.indices_name = 0;
}

static bool has_elements(uint32_t attributes, const struct range *r)
{
    for (unsigned k = 0; k < ES_ATTRIBUTES; k++)
        if (attributes >> k & 1 && es.arrays.array[k].enabled && !has_element(&es.arrays.array[k], r->high)) {
            es_missing("draw", "an array has fewer elements than are drawn");
            return false;
        }
    return true;
}

/* Finds the sources of the attributes. Returns false if an array has too few elements. */
static bool find_sources(uint32_t attributes, const struct range *r)
{
    uint32_t conversions = 0, streams = 0;
    if (!found.copied && !(attributes & ~found.sourced) && r->high <= found.high)
        return true;
    if (!has_elements(attributes, r))
        return false;
    for (unsigned k = 0; k < ES_ATTRIBUTES; k++) {
        const struct es_array *a = &es.arrays.array[k];
        if (!a->enabled || !(attributes >> k & 1))
            continue;
        if (is_converted(a))
            conversions |= 1u << k;
        else if (!a->buffer)
            streams |= 1u << k;
        else
            found.source[k] = source_of(k, es_buffer_name(a->buffer, GL_ARRAY_BUFFER),
                                        (uintptr_t)a->pointer + (found.copied ? r->low * stride_of(a) : 0));
    }
    found.sourced = attributes;
    found.high = r->high;
    reserve(conversions, streams, r);
    for (unsigned k = 0; k < ES_ATTRIBUTES; k++)
        if (conversions >> k & 1)
            found.source[k] = converted(&es.arrays.array[k], k, r);
    stream(streams, r, found.source);
    return true;
}

/* Makes ES ready to draw from the arrays. Returns false if nothing can be drawn. */
static bool use_arrays(GLenum kind, const struct range *r)
{
    const struct es_program *program = es.arrays.array[0].enabled
        ? es_program_use(kind == GL_POINTS, found.affine)
        : NULL;
    if (!program || !find_sources(program->attributes, r))
        return false;
    es_sources_use(program, found.source);
    return true;
}

/* ---- draws ---- */

static bool check_draw(GLenum mode, GLsizei count)
{
    if (mode > GL_POLYGON || count < 0)
        es_raise(mode > GL_POLYGON ? GL_INVALID_ENUM : GL_INVALID_VALUE);
    return mode <= GL_POLYGON && count >= 0 && (es.list || es_outside());
}

/* Records a draw in a display list, with the present values of the array elements (5.4). */
static void record(GLenum mode, const struct es_index_source *index, uint32_t count)
{
    if (es.te.inside_begin && !es.list)
        return;
    es_begin(mode);
    for (uint32_t i = 0; i < count; i++)
        es_array_element((GLint)es_index(index, i));
    es_end();
}

static void draw_arrays(GLenum mode, uint32_t first, uint32_t count)
{
    const struct range r = {first, first + count - 1};
    look();
    if (count && use_arrays(es_kind(mode), &r))
        es_draw(mode, &(struct es_index_source){.first = found.copied ? 0 : first}, count);
}

void glDrawArrays(GLenum mode, GLint first, GLsizei count)
{
    es_open();
    if (!check_draw(mode, count))
        return;
    if (first < 0)
        es_raise(GL_INVALID_VALUE);
    else if (es.list)
        record(mode, &(struct es_index_source){.first = (uint32_t)first}, (uint32_t)count);
    else
        draw_arrays(mode, (uint32_t)first, (uint32_t)count);
}

static struct range range_of(const struct es_index_source *index, uint32_t count)
{
    struct range r = {UINT32_MAX, 0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = es_index(index, i);
        r.low = v < r.low ? v : r.low;
        r.high = v > r.high ? v : r.high;
    }
    return r;
}

/* Draws without copying anything if possible, that is, if indices and vertices are in buffers and ES supports
 * the mode and types. Returns false if that is impossible. */
static bool draw_buffered(GLenum mode, GLenum kind, GLsizei count, GLenum type, const void *offset)
{
    if (!es.arrays.element_buffer || mode > GL_TRIANGLE_FAN ||
        (mode >= GL_TRIANGLES && kind != GL_TRIANGLES) ||
        (type == GL_UNSIGNED_INT && !es.limits.index_uint) || (uintptr_t)offset % es_type_bytes(type))
        return false;
    if (!found.indices_name)
        found.indices_name = es_buffer_name(es.arrays.element_buffer, GL_ELEMENT_ARRAY_BUFFER);
    es_bind_buffer(GL_ELEMENT_ARRAY_BUFFER, found.indices_name);
    ES(DrawElements)(mode, count, type, offset);
    return true;
}

static void draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    struct es_index_source index = {indices, type, 0, false};
    struct range r = {0, 0};
    look();
    if (es.arrays.element_buffer) {
        const size_t size = found.indices_size;
        if ((uintptr_t)indices > size || (size_t)count * es_type_bytes(type) > size - (uintptr_t)indices) {
            es_missing("draw", "the buffer has fewer indices than are drawn");
            return;
        }
        index.pointer = found.indices + (uintptr_t)indices;
    }
    if (!count || !index.pointer)
        return;
    if (es.list) {
        record(mode, &index, (uint32_t)count);
        return;
    }
    const GLenum kind = es_kind(mode);
    if (found.copied)
        r = range_of(&index, (uint32_t)count);
    if (!use_arrays(kind, &r) || (!found.copied && draw_buffered(mode, kind, count, type, indices)))
        return;
    index.first = found.copied ? 0 - r.low : 0;
    es_draw(mode, &index, (uint32_t)count);
}

void glDrawElements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    es_open();
    if (!check_draw(mode, count))
        return;
    if (type != GL_UNSIGNED_BYTE && type != GL_UNSIGNED_SHORT && type != GL_UNSIGNED_INT)
        es_raise(GL_INVALID_ENUM);
    else
        draw_elements(mode, count, type, indices);
}

void glDrawRangeElements(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                         const void *indices)
{
    if (end < start)
        es_raise(GL_INVALID_VALUE);
    else
        glDrawElements(mode, count, type, indices);
}

void glMultiDrawArrays(GLenum mode, const GLint *first, const GLsizei *count, GLsizei n)
{
    if (n < 0)
        es_raise(GL_INVALID_VALUE);
    for (GLsizei i = 0; i < n; i++)
        glDrawArrays(mode, first[i], count[i]);
}

void glMultiDrawElements(GLenum mode, const GLsizei *count, GLenum type, const void *const *indices,
                         GLsizei n)
{
    if (n < 0)
        es_raise(GL_INVALID_VALUE);
    for (GLsizei i = 0; i < n; i++)
        glDrawElements(mode, count[i], type, indices[i]);
}

/* The extension allows GL to keep a copy of locked arrays. This library does not. */
void glLockArraysEXT(GLint first, GLsizei count)
{
    if (first < 0 || count <= 0)
        es_error(GL_INVALID_VALUE);
}
void glUnlockArraysEXT(void) {}

ES_ALIAS(glDrawRangeElementsEXT, glDrawRangeElements);
ES_ALIAS(glMultiDrawArraysEXT, glMultiDrawArrays);
ES_ALIAS(glMultiDrawElementsEXT, glMultiDrawElements);
