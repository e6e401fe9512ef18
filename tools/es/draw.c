/* Draws: attributes, streams of vertices and indices, and modes that ES does not support. */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM = 256 << 10, LOCATIONS = 16 };

/* A buffer that is filled piece by piece and, when full, given new memory by ES and filled from the start
 * again. So ES need not wait until earlier draws have read it. */
struct stream {
    GLuint name;
    size_t size, at;
};
static struct stream vertex_stream, index_stream;
/* ES's bindings, and the buffer of indices that divide quads into triangles (ES_QUAD_VERTICES) */
static GLuint array_buffer, element_buffer, quads;
static struct es_indices scratch;

/* ES's state of each vertex attribute, by location. A source with buffer 0, or a current value that is NaN,
 * means that this state is not known. */
static struct {
    struct es_source source;
    GLfloat current[4];
} attribute[LOCATIONS];
static uint32_t known, enabled; /* locations, as bits: whose enabling is known; that are enabled */

static void forget(unsigned at)
{
    known &= ~(1u << at);
    attribute[at].source.buffer = 0;
    memset(attribute[at].current, 0xFF, sizeof attribute[at].current);
}

void es_bind_buffer(GLenum target, GLuint name)
{
    GLuint *bound = target == GL_ARRAY_BUFFER ? &array_buffer : &element_buffer;
    if (*bound != name)
        ES(BindBuffer)(target, *bound = name);
}

/* Deletes a buffer of ES. ES unbinds it, and may reuse its name. */
void es_delete_buffer(GLuint name)
{
    ES(DeleteBuffers)(1, &name);
    if (array_buffer == name)
        array_buffer = 0;
    if (element_buffer == name)
        element_buffer = 0;
    for (unsigned i = 0; i < LOCATIONS; i++)
        if (attribute[i].source.buffer == name)
            forget(i);
}

/* Tells whether the buffer has too little room from `at` on. If so, gives it new memory, which is empty. */
static bool is_renewed(struct stream *s, GLenum target, size_t at, size_t bytes)
{
    if (!s->name)
        ES(GenBuffers)(1, &s->name);
    es_bind_buffer(target, s->name);
    if (at + bytes <= s->size)
        return false;
    s->size = bytes > STREAM ? bytes : STREAM;
    ES(BufferData)(target, (GLsizeiptr)s->size, NULL, GL_STREAM_DRAW);
    return true;
}

void es_stream_reserve(size_t bytes)
{
    if (is_renewed(&vertex_stream, GL_ARRAY_BUFFER, vertex_stream.at, bytes))
        vertex_stream.at = 0;
}

uintptr_t es_stream(GLenum target, const void *data, size_t bytes, size_t alignment, GLuint *buffer)
{
    struct stream *s = target == GL_ARRAY_BUFFER ? &vertex_stream : &index_stream;
    size_t at = (s->at + alignment - 1) / alignment * alignment;
    if (is_renewed(s, target, at, bytes))
        at = 0;
    ES(BufferSubData)(target, (GLintptr)at, (GLsizeiptr)bytes, data);
    s->at = at + bytes;
    *buffer = s->name;
    return at;
}

/* ---- attributes ---- */

static bool same(const struct es_source *a, const struct es_source *b)
{
    return a->buffer == b->buffer && a->offset == b->offset && a->stride == b->stride && a->type == b->type &&
        a->size == b->size && a->normalized == b->normalized;
}

static void enable(unsigned at, bool on)
{
    const uint32_t bit = 1u << at;
    (on ? ES(EnableVertexAttribArray) : ES(DisableVertexAttribArray))(at);
    known |= bit;
    enabled = on ? enabled | bit : enabled & ~bit;
}

static void use_array(unsigned at, const struct es_source *s)
{
    if (!(known & enabled & 1u << at))
        enable(at, true);
    if (same(&attribute[at].source, s))
        return;
    es_bind_buffer(GL_ARRAY_BUFFER, s->buffer);
    ES(VertexAttribPointer)(at, s->size, s->type, s->normalized, s->stride, (const void *)s->offset);
    attribute[at].source = *s;
}

static void use_current(unsigned at, const GLfloat *v)
{
    if (!(known & ~enabled & 1u << at)) {
        enable(at, false); /* an array makes the current value undefined in some implementations */
        memset(attribute[at].current, 0xFF, sizeof attribute[at].current);
    }
    if (memcmp(attribute[at].current, v, sizeof attribute[at].current) == 0)
        return;
    ES(VertexAttrib4fv)(at, v);
    memcpy(attribute[at].current, v, sizeof attribute[at].current);
}

/* Arrays that the program does not read stay enabled, for the next program, if their buffers exist. */
void es_sources_use(const struct es_program *program, const struct es_source source[ES_ATTRIBUTES])
{
    for (unsigned k = 0, left = program->attributes; left; k++, left >>= 1) {
        if (!(left & 1))
            continue;
        const unsigned at = program->location[k];
        if (source[k].buffer)
            use_array(at, &source[k]);
        else
            use_current(at, es.current[k]);
    }
    const unsigned n = es.limits.attributes < LOCATIONS ? (unsigned)es.limits.attributes : LOCATIONS;
    for (unsigned at = 0; ~known & ((1u << n) - 1); at++)
        if (!(known >> at & 1))
            enable(at, false);
}

uint8_t es_affine(const struct es_source source[ES_ATTRIBUTES])
{
    unsigned affine = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        const unsigned k = FRAGPROG_ATTRIB_TEXCOORD + u;
        affine |= (unsigned)(source[k].buffer ? source[k].size < 4 : es.current[k][3] == 1) << u;
    }
    return (uint8_t)affine;
}

/* ---- modes ---- */

/* Converts indices, all below 65536, to 16 bits in place: each is read before it is overwritten. */
static uint16_t *narrow(struct es_indices *indices)
{
    for (uint32_t i = 0; i < indices->count; i++) {
        const uint16_t v = (uint16_t)indices->data[i];
        memcpy((char *)indices->data + i * sizeof v, &v, sizeof v);
    }
    return (uint16_t *)(void *)indices->data;
}

static void draw_indices(GLenum kind, struct es_indices *indices)
{
    GLuint name;
    uintptr_t at;
    if (!indices->count)
        return;
    if (indices->most < 65536) {
        const uint16_t *small = narrow(indices);
        at = es_stream(GL_ELEMENT_ARRAY_BUFFER, small, indices->count * sizeof *small, 4, &name);
        ES(DrawElements)(kind, (GLsizei)indices->count, GL_UNSIGNED_SHORT, (const void *)at);
    } else if (es.limits.index_uint) {
        at = es_stream(GL_ELEMENT_ARRAY_BUFFER, indices->data, indices->count * sizeof *indices->data, 4,
                       &name);
        ES(DrawElements)(kind, (GLsizei)indices->count, GL_UNSIGNED_INT, (const void *)at);
    } else
        es_missing("draw", "this ES takes no index above 65535");
}

/* Tells whether ES can draw the mode without indices, and finds ES's mode for it. */
static bool passes(GLenum mode, GLenum *es_mode)
{
    *es_mode = mode;
    if (mode <= GL_TRIANGLE_FAN)
        return mode < GL_TRIANGLES || es_kind(mode) == GL_TRIANGLES;
    *es_mode = GL_TRIANGLE_FAN;
    return mode == GL_POLYGON && es_kind(mode) == GL_TRIANGLES && !es.values.vertex.flat;
}

static bool make_quads(void)
{
    if (quads)
        return true;
    enum { COUNT = ES_QUAD_VERTICES / 4 * 6 };
    uint16_t *index = malloc(COUNT * sizeof *index);
    if (!index)
        return false;
    static const uint8_t corner[6] = {0, 1, 2, 0, 2, 3};
    for (unsigned i = 0; i < COUNT; i++)
        index[i] = (uint16_t)(i / 6 * 4 + corner[i % 6]);
    ES(GenBuffers)(1, &quads);
    es_bind_buffer(GL_ELEMENT_ARRAY_BUFFER, quads);
    ES(BufferData)(GL_ELEMENT_ARRAY_BUFFER, COUNT * (GLsizeiptr)sizeof *index, index, GL_STATIC_DRAW);
    free(index);
    return true;
}

void es_draw(GLenum mode, const struct es_index_source *index, uint32_t count)
{
    GLenum es_mode;
    if (!index->pointer && passes(mode, &es_mode)) {
        ES(DrawArrays)(es_mode, (GLint)index->first, (GLsizei)count);
        return;
    }
    if (mode == GL_QUADS && !index->pointer && !index->list && !es.values.vertex.flat &&
        index->first % 4 == 0 && es_kind(mode) == GL_TRIANGLES && index->first + count <= ES_QUAD_VERTICES &&
        make_quads()) {
        es_bind_buffer(GL_ELEMENT_ARRAY_BUFFER, quads);
        ES(DrawElements)
        (GL_TRIANGLES, (GLsizei)(count / 4 * 6), GL_UNSIGNED_SHORT,
         (const void *)((uintptr_t)index->first / 4 * 6 * 2));
        return;
    }
    scratch.count = scratch.most = 0;
    if (es_indices_add(&scratch, mode, index, count))
        draw_indices(es_kind(mode), &scratch);
}

/* Tells whether the primitives can be drawn as a single one, which then has *count vertices. */
static bool is_joined(const struct es_primitive *primitive, unsigned n, uint32_t *count)
{
    const GLenum mode = primitive[0].mode;
    *count = primitive[0].count;
    if (n > 1 && mode != GL_POINTS && mode != GL_LINES && mode != GL_TRIANGLES && mode != GL_QUADS)
        return false;
    for (unsigned i = 1; i < n; i++) {
        if (primitive[i].mode != mode || primitive[i].start != primitive[0].start + *count)
            return false;
        *count += primitive[i].count;
    }
    return true;
}

static bool make_indices(const struct es_primitive *primitive, unsigned n, uint32_t first, bool list)
{
    scratch.count = scratch.most = 0;
    for (unsigned i = 0; i < n; i++)
        if (!es_indices_add(&scratch, primitive[i].mode,
                            &(struct es_index_source){.first = first + primitive[i].start, .list = list},
                            primitive[i].count))
            return false;
    return true;
}

/* Puts the indices for vertices of a list into a buffer, to be used again. All are below 65536. */
static void keep_indices(struct es_index_buffer *kept)
{
    narrow(&scratch);
    if (!kept->name)
        ES(GenBuffers)(1, &kept->name);
    es_bind_buffer(GL_ELEMENT_ARRAY_BUFFER, kept->name);
    ES(BufferData)
    (GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(scratch.count * sizeof(uint16_t)), scratch.data, GL_STATIC_DRAW);
    kept->count = scratch.count;
    kept->flat = es.values.vertex.flat;
}

void es_draw_primitives(const struct es_primitive *primitive, unsigned n, uint32_t first,
                        struct es_index_buffer *kept)
{
    uint32_t count;
    const GLenum kind = es_kind(primitive[0].mode);
    if (is_joined(primitive, n, &count) && !(kept && primitive[0].mode == GL_QUADS)) {
        es_draw(primitive[0].mode, &(struct es_index_source){.first = first + primitive[0].start}, count);
        return;
    }
    const bool keep = kept && !first && !(primitive[0].mode >= GL_TRIANGLES && kind != GL_TRIANGLES);
    if (!keep || !kept->name || kept->flat != es.values.vertex.flat) {
        if (!make_indices(primitive, n, first, kept != NULL))
            return;
        if (!keep || scratch.most >= 65536) {
            draw_indices(kind, &scratch);
            return;
        }
        keep_indices(kept);
    }
    es_bind_buffer(GL_ELEMENT_ARRAY_BUFFER, kept->name);
    ES(DrawElements)(kind, (GLsizei)kept->count, GL_UNSIGNED_SHORT, NULL);
}
