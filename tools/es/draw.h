/* Drawing inside of libtexenv-es: programs, sources of vertices, client arrays, buffers, vertices of Begin
 * and End. Internal. */
#ifndef ES_DRAW_H
#define ES_DRAW_H

#include "es.h"

/* ---- program.c ---- */
struct es_program {
    GLuint name;
    uint16_t attributes;  /* that it reads, bits by enum fragprog_attrib */
    uint8_t location[16]; /* of these */
};
/* The program of the state, which is brought into use with its uniforms and textures. points: points are
 * drawn; affine: bit n: texture coordinates of unit n have a q of 1. NULL: nothing can be drawn, which is
 * said. */
const struct es_program *es_program_use(bool points, uint8_t affine);
/* How many units of the last program count for affine. */
unsigned es_program_units(void);

/* ---- draw.c ---- */
/* Where an attribute comes from: a buffer of ES; 0: the current value. */
struct es_source {
    GLuint buffer;
    GLenum type;
    GLsizei stride;
    uint8_t size;
    GLboolean normalized;
    uintptr_t offset;
};
/* Indices: of a range, or in memory. */
struct es_index_source {
    const void *pointer; /* NULL: first, first + 1 ... */
    GLenum type;
    uint32_t first; /* is added to all */
    bool list;      /* quads are cut as those with indices */
};
uint32_t es_index(const struct es_index_source *index, uint32_t i);

/* Sets the attributes of a program. */
void es_sources_use(const struct es_program *program, const struct es_source source[ES_ATTRIBUTES]);
/* Draws count vertices of a mode of GL, quads and polygons included, by the program and attributes in use. */
void es_draw(GLenum mode, const struct es_index_source *index, uint32_t count);
/* Several primitives of modes with the same es_kind, of vertices start + first and so on. */
struct es_primitive {
    GLenum mode;
    uint32_t start, count;
};
/* kept: where indices that have to be made are kept for the next time; NULL: nowhere. */
struct es_index_buffer {
    GLuint name;
    uint32_t count;
    bool flat; /* for flat shading */
};
void es_draw_primitives(const struct es_primitive *primitive, unsigned n, uint32_t first,
                        struct es_index_buffer *kept);
/* GL_POINTS, GL_LINES or GL_TRIANGLES: what a mode becomes under the polygon mode. */
GLenum es_kind(GLenum mode);
enum { ES_QUAD_VERTICES = 65536 }; /* quads up to this one need no indices of their own */
void es_bind_buffer(GLenum target, GLuint name);
void es_delete_buffer(GLuint name);
/* Puts bytes into the buffer that is filled over and over; *buffer is its name. Their offset there is a
 * multiple of alignment. */
uintptr_t es_stream(GLenum target, const void *data, size_t bytes, size_t alignment, GLuint *buffer);
/* Before several streams of vertices for one draw: room for all of them, with what alignment takes. */
void es_stream_reserve(size_t bytes);
/* Attribute caches and bindings are not what ES has any more. */
void es_sources_forget(void);

/* ---- indices.c ---- */
struct es_indices {
    uint32_t *data;
    uint32_t count, room, most; /* most: the highest index */
};
/* Appends the points, lines or triangles of a primitive, of kind es_kind(mode). False: no memory. */
bool es_indices_add(struct es_indices *out, GLenum mode, const struct es_index_source *index, uint32_t count);

/* ---- arrays.c ---- */
void es_arrays_init(struct es_arrays *arrays);
/* Element i of a client array, as floats. */
void es_array_fetch(const struct es_array *array, unsigned attribute, uint32_t i, float v[4]);
void es_array_element(GLint i);
bool es_array_get(GLenum pname, struct es_value *value);
/* Whether a client array is enabled. False: there is no such capability. */
bool es_arrays_enabled(GLenum cap, bool *on);
/* Whether all texture coordinates have a q of 1: bit n of unit n. */
uint8_t es_affine(const struct es_source source[ES_ATTRIBUTES]);

/* ---- buffer.c ---- */
/* The content of a buffer of GL; NULL: there is none. *size may be NULL. */
const void *es_buffer_data(GLuint name, size_t *size);
/* ES's buffer with the content, for use as target. */
GLuint es_buffer_name(GLuint name, GLenum target);

/* ---- immediate.c ---- */
/* Vertices of Begin and End that wait to be drawn, or go into a list. All attributes that were set since the
 * first vertex are in it, floats one behind the other, the position first. */
struct es_batch {
    uint8_t size[ES_ATTRIBUTES]; /* floats of each attribute; 0: not in it */
    uint8_t offset[ES_ATTRIBUTES];
    uint16_t stride;                 /* of a vertex, in floats */
    float vertex[ES_ATTRIBUTES * 4]; /* the next one */
    float *data;
    size_t room;    /* floats */
    uint32_t count; /* vertices */
    struct es_primitive *primitive;
    uint32_t primitives, primitive_room;
    bool begun; /* the last primitive has no End yet */
    bool loose; /* of lists: vertices without Begin, or Begin without End, or the reverse */
    /* Of lists: the first so many vertices have the value that is current when the list is called; set: bits
     * of attributes that were set. */
    uint32_t inherited[ES_ATTRIBUTES];
    uint32_t set;
};
extern struct es_batch es_batch; /* that is drawn, not of a list */
enum { ES_NO_MODE = 0xFFFF };    /* of a primitive in a list: vertices before any Begin */
/* Attribute k gets n components; the others are 0, 0, 1. */
void es_attribute(unsigned k, unsigned n, float x, float y, float z, float w);
void es_vertex(unsigned n, float x, float y, float z, float w);
void es_begin(GLenum mode);
void es_end(void);
/* Before a value changes that all vertices of a primitive share (Material): draws those before. */
void es_batch_split(void);
/* Draws a batch whose vertices are in a buffer, from vertex number first on. kept: as of es_draw_primitives.
 */
void es_batch_draw(const struct es_batch *batch, GLuint buffer, uint32_t first, struct es_index_buffer *kept);
void es_batch_clear(struct es_batch *batch); /* keeps its memory */

#endif
