/* How libtexenv-es draws: programs, sources of vertices, client arrays, buffers, vertices between Begin and
 * End. Internal. */
#ifndef ES_DRAW_H
#define ES_DRAW_H

#include "es.h"

/* ---- program.c ---- */
struct es_program {
    GLuint name;
    uint16_t attributes;  /* the attributes that it reads, as bits by enum fragprog_attrib */
    uint8_t location[16]; /* their locations, by enum fragprog_attrib */
};
/* Returns the program for the current state, which ES then uses, with its uniforms and textures. points:
 * points are drawn. affine: bit n is set if the texture coordinates of unit n have a q of 1. Returns NULL,
 * after a message, if nothing can be drawn. */
const struct es_program *es_program_use(bool points, uint8_t affine);

/* ---- draw.c ---- */
/* Where the values of an attribute come from: a buffer of ES or, if that is 0, the current value. */
struct es_source {
    GLuint buffer;
    GLenum type;
    GLsizei stride;
    uint8_t size;
    GLboolean normalized;
    uintptr_t offset;
};
/* Indices of vertices: consecutive ones, or some in memory. */
struct es_index_source {
    const void *pointer; /* NULL: the indices are first, first + 1 ... */
    GLenum type;
    uint32_t first; /* is added to all indices */
    bool list;      /* vertices of a display list: quads are divided like those with indices */
};
uint32_t es_index(const struct es_index_source *index, uint32_t i);

/* Sets the attributes of a program. */
void es_sources_use(const struct es_program *program, const struct es_source source[ES_ATTRIBUTES]);
/* Draws count vertices with the program and attributes in use. mode is any mode of GL, also quads and
 * polygons. */
void es_draw(GLenum mode, const struct es_index_source *index, uint32_t count);
/* A primitive of a batch. All those that are drawn together have modes with the same es_kind. */
struct es_primitive {
    GLenum mode;
    uint32_t start, count;
};
/* A buffer in which indices are kept to be used again. */
struct es_index_buffer {
    GLuint name;
    uint32_t count;
    bool flat; /* made for flat shading */
};
/* Draws n primitives, whose vertices are numbered from first + start on. kept: where to keep indices, or
 * NULL. */
void es_draw_primitives(const struct es_primitive *primitive, unsigned n, uint32_t first,
                        struct es_index_buffer *kept);
/* Returns the kind of primitive that a mode is drawn as under the current polygon mode: GL_POINTS, GL_LINES
 * or GL_TRIANGLES. */
GLenum es_kind(GLenum mode);
enum { ES_QUAD_VERTICES = 65536 }; /* quads of vertices below this number share one buffer of indices */
void es_bind_buffer(GLenum target, GLuint name);
void es_delete_buffer(GLuint name);
/* Copies bytes to the stream buffer of the target, sets *buffer to its name, and returns their offset in it,
 * which is a multiple of alignment. */
uintptr_t es_stream(GLenum target, const void *data, size_t bytes, size_t alignment, GLuint *buffer);
/* Makes room in the stream buffer for several calls of es_stream for one draw. bytes includes alignment. */
void es_stream_reserve(size_t bytes);

/* ---- indices.c ---- */
struct es_indices {
    uint32_t *data;
    uint32_t count, room, most; /* most: the highest index */
};
/* Appends the indices of a primitive, as points, lines or triangles (es_kind(mode)). Returns false without
 * memory. */
bool es_indices_add(struct es_indices *out, GLenum mode, const struct es_index_source *index, uint32_t count);

/* ---- arrays.c ---- */
void es_arrays_init(struct es_arrays *arrays);
/* Reads element i of a client array as floats. */
void es_array_fetch(const struct es_array *array, unsigned attribute, uint32_t i, float v[4]);
void es_array_element(GLint i);
/* Returns the size in bytes of a type of arrays; 4 if there is no such type. */
static inline unsigned es_type_bytes(GLenum type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE: return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT: return 2;
    case GL_DOUBLE: return 8;
    default: return 4;
    }
}
/* Reads a number of a type of arrays. */
double es_number(const void *p, GLenum type, bool normalized);
bool es_array_get(GLenum pname, struct es_value *value);
/* Finds whether a client array is enabled. Returns false if there is no such capability. */
bool es_arrays_enabled(GLenum cap, bool *on);
/* Returns bit n if all texture coordinates of unit n have a q of 1. */
uint8_t es_affine(const struct es_source source[ES_ATTRIBUTES]);

/* ---- buffer.c ---- */
/* Returns the contents of a buffer object, or NULL if there is none. size may be NULL. */
const void *es_buffer_data(GLuint name, size_t *size);
/* Returns ES's buffer with the contents of a buffer object, for use with a target. */
GLuint es_buffer_name(GLuint name, GLenum target);

/* ---- immediate.c ---- */
/* A batch: vertices between Begin and End that were collected, to be drawn or to go into a list. A vertex
 * consists of all attributes that were set since the first vertex, as floats one after the other, the
 * position first. */
struct es_batch {
    uint8_t size[ES_ATTRIBUTES]; /* floats of each attribute; 0: the batch does not have it */
    uint8_t offset[ES_ATTRIBUTES];
    uint16_t stride;                 /* floats of a vertex */
    float vertex[ES_ATTRIBUTES * 4]; /* the next vertex, as far as it was set */
    float *data;
    size_t room;    /* floats */
    uint32_t count; /* vertices */
    struct es_primitive *primitive;
    uint32_t primitives, primitive_room;
    bool begun; /* the last primitive has no End yet */
    bool loose; /* in lists: some vertices are not between a Begin and an End of this batch */
    /* In lists: inherited is the number of vertices, from the first, that have the value which is current
     * when the list is called; set are the attributes that were set, as bits. */
    uint32_t inherited[ES_ATTRIBUTES];
    uint32_t set;
};
extern struct es_batch es_batch; /* the batch that is drawn; a list has its own */
enum { ES_NO_MODE = 0xFFFF };    /* mode of a primitive in a list whose vertices come before any Begin */
/* Sets n components of attribute k; for the others the caller passes the defaults 0, 0, 1. */
void es_attribute(unsigned k, unsigned n, float x, float y, float z, float w);
void es_vertex(unsigned n, float x, float y, float z, float w);
void es_begin(GLenum mode);
void es_end(void);
/* Draws the vertices so far. To be called within Begin and End before a value changes that all vertices of a
 * batch share (Material). */
void es_batch_split(void);
/* Draws a batch whose vertices are in a buffer, from vertex number `first` on. kept: see es_draw_primitives.
 */
void es_batch_draw(const struct es_batch *batch, GLuint buffer, uint32_t first, struct es_index_buffer *kept);
void es_batch_clear(struct es_batch *batch); /* keeps its memory */

#endif
