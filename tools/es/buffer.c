/* Buffer objects (2.9). Their contents are kept here, for quads with indices, types that ES does not support,
 * ArrayElement and MapBuffer. They are given to ES when a draw needs them, in separate buffers for vertices
 * and for indices, because WebGL allows a buffer to hold only one of these. */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

struct buffer {
    void *data;
    size_t size;
    GLenum usage, access;
    bool mapped;
    struct {
        GLuint name;
        size_t size;     /* size of ES's buffer */
        size_t from, to; /* the range of bytes still to be given to ES */
    } es[2];             /* ES's buffers for vertices and for indices */
};

static struct es_names buffers;

/* Returns the application's binding of a target, or NULL (with INVALID_ENUM) if there is no such target. */
static GLuint *binding(GLenum target)
{
    if (target == GL_ARRAY_BUFFER)
        return &es.arrays.array_buffer;
    if (target == GL_ELEMENT_ARRAY_BUFFER)
        return &es.arrays.element_buffer;
    es_error(GL_INVALID_ENUM);
    return NULL;
}

static struct buffer *bound(GLenum target)
{
    if (!es_outside())
        return NULL;
    const GLuint *name = binding(target);
    struct buffer *b = name ? es_names_get(&buffers, *name) : NULL;
    if (name && !b)
        es_error(GL_INVALID_OPERATION);
    return b;
}

static void touch(struct buffer *b, size_t from, size_t to)
{
    es.arrays_changed = true;
    for (unsigned i = 0; i < 2; i++) {
        if (b->es[i].from == b->es[i].to)
            b->es[i].from = from, b->es[i].to = to;
        b->es[i].from = from < b->es[i].from ? from : b->es[i].from;
        b->es[i].to = to > b->es[i].to ? to : b->es[i].to;
    }
}

const void *es_buffer_data(GLuint name, size_t *size)
{
    const struct buffer *b = es_names_get(&buffers, name);
    if (size)
        *size = b ? b->size : 0;
    return b ? b->data : NULL;
}

GLuint es_buffer_name(GLuint name, GLenum target)
{
    struct buffer *b = es_names_get(&buffers, name);
    const unsigned i = target == GL_ELEMENT_ARRAY_BUFFER;
    if (!b || !b->size)
        return 0;
    if (!b->es[i].name)
        ES(GenBuffers)(1, &b->es[i].name);
    const size_t from = b->es[i].from, to = b->es[i].to;
    if (b->es[i].size != b->size || (from == 0 && to == b->size)) {
        es_bind_buffer(target, b->es[i].name);
        ES(BufferData)
        (target, (GLsizeiptr)b->size, b->data,
         b->usage >= GL_STATIC_DRAW && b->usage < GL_DYNAMIC_DRAW ? GL_STATIC_DRAW : GL_DYNAMIC_DRAW);
        b->es[i].size = b->size;
    } else if (from < to) {
        es_bind_buffer(target, b->es[i].name);
        ES(BufferSubData)(target, (GLintptr)from, (GLsizeiptr)(to - from), (const char *)b->data + from);
    }
    b->es[i].from = b->es[i].to = 0;
    return b->es[i].name;
}

static void delete_buffer(struct buffer *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < 2; i++)
        if (b->es[i].name)
            es_delete_buffer(b->es[i].name);
    free(b->data);
    free(b);
}

/* ---- calls ---- */

void glGenBuffers(GLsizei n, GLuint *names)
{
    if (!es_outside() || es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLsizei i = 0; i < n; i++) {
        names[i] = es_names_unused(&buffers, 1);
        es_names_put(&buffers, names[i], NULL);
    }
}

void glBindBuffer(GLenum target, GLuint name)
{
    GLuint *at = es_outside() ? binding(target) : NULL;
    if (!at)
        return;
    if (name && !es_names_get(&buffers, name)) {
        struct buffer *b = calloc(1, sizeof *b);
        if (!b || !es_names_put(&buffers, name, b)) {
            free(b);
            es_error(GL_OUT_OF_MEMORY);
            return;
        }
        b->usage = GL_STATIC_DRAW;
        b->access = GL_READ_WRITE;
    }
    *at = name;
    es.arrays_changed |= target == GL_ELEMENT_ARRAY_BUFFER;
}

void glDeleteBuffers(GLsizei n, const GLuint *names)
{
    if (!es_outside() || es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLsizei i = 0; i < n; i++) {
        if (!names[i])
            continue;
        if (es.arrays.array_buffer == names[i])
            es.arrays.array_buffer = 0;
        if (es.arrays.element_buffer == names[i])
            es.arrays.element_buffer = 0;
        for (unsigned k = 0; k < ES_ATTRIBUTES; k++)
            if (es.arrays.array[k].buffer == names[i])
                es.arrays.array[k].buffer = 0, es.arrays.array[k].pointer = NULL;
        es.arrays_changed = true;
        delete_buffer(es_names_get(&buffers, names[i]));
        es_names_remove(&buffers, names[i]);
    }
}

GLboolean glIsBuffer(GLuint name) { return es_outside() && es_names_get(&buffers, name) != NULL; }

void glBufferData(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    struct buffer *b = bound(target);
    if (!b)
        return;
    if (es_fails(usage < GL_STREAM_DRAW || usage > GL_DYNAMIC_COPY || (usage & 3) == 3, GL_INVALID_ENUM))
        return;
    if (es_fails(size < 0, GL_INVALID_VALUE))
        return;
    void *memory = calloc(1, size ? (size_t)size : 1);
    if (es_fails(!memory, GL_OUT_OF_MEMORY))
        return;
    if (data)
        memcpy(memory, data, (size_t)size);
    free(b->data);
    b->data = memory;
    b->size = (size_t)size;
    b->usage = usage;
    b->mapped = false;
    touch(b, 0, b->size);
}

/* Tells whether the range can be read or written; if not, sets GL's error. */
static bool check_range(const struct buffer *b, GLintptr offset, GLsizeiptr size)
{
    if (offset < 0 || size < 0 || (size_t)offset > b->size || (size_t)size > b->size - (size_t)offset)
        return !es_error(GL_INVALID_VALUE);
    return !(b->mapped && es_error(GL_INVALID_OPERATION));
}

void glBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, const void *data)
{
    struct buffer *b = bound(target);
    if (!b || !check_range(b, offset, size) || size == 0)
        return;
    memcpy((char *)b->data + offset, data, (size_t)size);
    touch(b, (size_t)offset, (size_t)offset + (size_t)size);
}

void glGetBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, void *data)
{
    const struct buffer *b = bound(target);
    if (b && check_range(b, offset, size) && size)
        memcpy(data, (const char *)b->data + offset, (size_t)size);
}

void *glMapBuffer(GLenum target, GLenum access)
{
    struct buffer *b = bound(target);
    if (!b)
        return NULL;
    if (es_fails(access < GL_READ_ONLY || access > GL_READ_WRITE, GL_INVALID_ENUM))
        return NULL;
    if (es_fails(b->mapped, GL_INVALID_OPERATION))
        return NULL;
    b->mapped = true;
    b->access = access;
    return b->data;
}

GLboolean glUnmapBuffer(GLenum target)
{
    struct buffer *b = bound(target);
    if (!b)
        return GL_FALSE;
    if (es_fails(!b->mapped, GL_INVALID_OPERATION))
        return GL_FALSE;
    b->mapped = false;
    if (b->access != GL_READ_ONLY)
        touch(b, 0, b->size);
    return GL_TRUE;
}

void glGetBufferParameteriv(GLenum target, GLenum pname, GLint *value)
{
    const struct buffer *b = bound(target);
    if (!b)
        return;
    switch (pname) {
    case GL_BUFFER_SIZE: *value = (GLint)b->size; break;
    case GL_BUFFER_USAGE: *value = (GLint)b->usage; break;
    case GL_BUFFER_ACCESS: *value = (GLint)b->access; break;
    case GL_BUFFER_MAPPED: *value = b->mapped; break;
    default: es_error(GL_INVALID_ENUM);
    }
}

void glGetBufferPointerv(GLenum target, GLenum pname, void **pointer)
{
    const struct buffer *b = bound(target);
    if (b && !(pname != GL_BUFFER_MAP_POINTER && es_error(GL_INVALID_ENUM)))
        *pointer = b->mapped ? b->data : NULL;
}

ES_ALIAS(glGenBuffersARB, glGenBuffers);
ES_ALIAS(glBindBufferARB, glBindBuffer);
ES_ALIAS(glDeleteBuffersARB, glDeleteBuffers);
ES_ALIAS(glIsBufferARB, glIsBuffer);
ES_ALIAS(glBufferDataARB, glBufferData);
ES_ALIAS(glBufferSubDataARB, glBufferSubData);
ES_ALIAS(glGetBufferSubDataARB, glGetBufferSubData);
ES_ALIAS(glMapBufferARB, glMapBuffer);
ES_ALIAS(glUnmapBufferARB, glUnmapBuffer);
ES_ALIAS(glGetBufferParameterivARB, glGetBufferParameteriv);
ES_ALIAS(glGetBufferPointervARB, glGetBufferPointerv);
