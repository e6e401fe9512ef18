/* Display lists. A list is a sequence of commands; its vertices are in buffers of ES. */
#include "draw.h"
#include "list.h"

#include <stdlib.h>
#include <string.h>

/* A command in a list. It is followed by its n arguments and by its data, at the next multiple of 8 bytes. */
struct node {
    es_command *command;
    uint32_t size; /* bytes to the next command */
    uint16_t n;
    bool anywhere;
};

/* The vertices of a batch. */
struct vertices {
    struct vertices *next;
    struct es_batch batch; /* its data is kept only if it is not in the buffer or must be changed at a call */
    GLuint buffer;
    struct es_index_buffer indices;
    bool changes; /* some vertices take values that are current when the list is called */
};

struct es_list {
    char *code;
    size_t size, room;
    struct vertices *vertices;
};

static struct es_names lists;
static struct es_batch batch; /* vertices of the list that is compiled */
struct es_compiled es_compiled;
static unsigned depth;

static size_t align(size_t n) { return (n + 7) & ~(size_t)7; }

/* ---- execution ---- */

static void execute(const struct node *node)
{
    const char *p = (const char *)node;
    const union es_arg *a = (const union es_arg *)(const void *)(p + align(sizeof *node));
    const size_t behind = align(align(sizeof *node) + node->n * sizeof *a);
    if (node->anywhere || es_outside())
        node->command(a, node->size > behind ? p + behind : NULL);
}

static void call(const struct es_list *list)
{
    if (!list || depth == ES_LIST_DEPTH)
        return;
    depth++;
    for (size_t at = 0; at < list->size;) {
        const struct node *node = (const struct node *)(const void *)(list->code + at);
        at += node->size;
        execute(node);
    }
    depth--;
}

static float *value_of(struct es_batch *b, uint32_t vertex, unsigned k)
{
    return b->data + (size_t)vertex * b->stride + b->offset[k];
}

static void inherit(struct es_batch *b)
{
    for (unsigned k = 1; k < ES_ATTRIBUTES; k++)
        for (uint32_t v = 0; v < b->inherited[k]; v++)
            memcpy(value_of(b, v, k), es.current[k], b->size[k] * sizeof(float));
}

static void put_attribute(struct es_batch *b, unsigned k, const float *from)
{
    float v[4] = {0, 0, 0, 1};
    memcpy(v, from, b->size[k] * sizeof *v);
    es_attribute(k, b->size[k], v[0], v[1], v[2], v[3]);
}

/* Sends the vertices one by one, which is needed if the batch does not consist of whole primitives. */
static void replay(struct es_batch *b)
{
    for (uint32_t i = 0; i < b->primitives; i++) {
        const struct es_primitive *p = &b->primitive[i];
        if (p->mode != ES_NO_MODE)
            es_begin(p->mode);
        for (uint32_t v = p->start; v < p->start + p->count; v++) {
            for (unsigned k = 1; k < ES_ATTRIBUTES; k++)
                if (b->size[k] && v >= b->inherited[k])
                    put_attribute(b, k, value_of(b, v, k));
            const float *at = value_of(b, v, 0);
            es_vertex(b->size[0], at[0], at[1], b->size[0] > 2 ? at[2] : 0, b->size[0] > 3 ? at[3] : 1);
        }
        if (p->mode != ES_NO_MODE && !(b->begun && i == b->primitives - 1))
            es_end();
    }
}

static void draw(struct vertices *v)
{
    struct es_batch *b = &v->batch;
    GLuint buffer = v->buffer;
    uint32_t first = 0;
    if (es.vertices)
        es_flush();
    if (v->changes) {
        const size_t vertex = b->stride * sizeof(float);
        inherit(b);
        first = (uint32_t)(es_stream(GL_ARRAY_BUFFER, b->data, b->count * vertex, 4 * vertex, &buffer) /
                           vertex);
    }
    es_batch_draw(b, buffer, first, &v->indices);
}

ES_COMMAND(call_vertices)
{
    struct vertices *v;
    memcpy(&v, data, sizeof(struct vertices *));
    struct es_batch *b = &v->batch;
    if (b->loose)
        replay(b);
    else if (b->count && es.te.inside_begin)
        es_error(GL_INVALID_OPERATION);
    else if (b->count)
        draw(v);
    for (unsigned k = 1; k < ES_ATTRIBUTES; k++)
        if (b->set >> k & 1)
            put_attribute(b, k, b->vertex + b->offset[k]);
}

/* ---- compilation ---- */

static bool reserve(struct es_list *list, size_t size)
{
    if (list->size + size <= list->room)
        return true;
    const size_t room = (list->size + size) * 2;
    char *code = realloc(list->code, room);
    if (!code)
        return !es_error(GL_OUT_OF_MEMORY);
    list->code = code;
    list->room = room;
    return true;
}

/* Executes a command of the list that is compiled. Meanwhile nothing is added to the list. */
static void execute_now(const struct node *node)
{
    struct es_list *list = es.list;
    es.list = NULL;
    es.batch = &es_batch;
    execute(node);
    es.list = list;
    es.batch = &batch;
}

static void append(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes,
                   bool anywhere)
{
    struct es_list *list = es.list;
    const size_t args = align(sizeof(struct node)), behind = align(args + n * sizeof *a);
    const struct node node = {command, (uint32_t)align(behind + bytes), (uint16_t)n, anywhere};
    if (!reserve(list, node.size))
        return;
    char *to = list->code + list->size;
    memcpy(to, &node, sizeof node);
    if (n)
        memcpy(to + args, a, n * sizeof *a);
    if (bytes)
        memcpy(to + behind, data, bytes);
    list->size += node.size;
    if (es_compiled.mode == GL_COMPILE_AND_EXECUTE)
        execute_now((const struct node *)(const void *)to);
}

/* Moves the batch to the list that is compiled, and its vertices to a buffer. */
static struct vertices *take_batch(void)
{
    struct vertices *v = calloc(1, sizeof *v);
    if (es_fails(!v, GL_OUT_OF_MEMORY))
        return NULL;
    v->batch = batch;
    struct es_batch *b = &v->batch;
    if (b->begun) {
        b->primitive[b->primitives - 1].count = b->count - b->primitive[b->primitives - 1].start;
        b->loose = true;
    }
    for (unsigned k = 1; k < ES_ATTRIBUTES; k++)
        v->changes |= b->inherited[k] > 0;
    batch.data = NULL;
    batch.primitive = NULL;
    batch.room = batch.primitive_room = 0;
    if (b->count && !b->loose && !v->changes) {
        ES(GenBuffers)(1, &v->buffer);
        es_bind_buffer(GL_ARRAY_BUFFER, v->buffer);
        ES(BufferData)
        (GL_ARRAY_BUFFER, (GLsizeiptr)(b->count * b->stride * sizeof *b->data), b->data, GL_STATIC_DRAW);
        free(b->data);
        b->data = NULL;
    }
    v->next = es.list->vertices;
    return es.list->vertices = v;
}

void es_list_flush(void)
{
    struct vertices *v = batch.primitives || batch.set ? take_batch() : NULL;
    es_batch_clear(&batch);
    if (v)
        append(call_vertices, 0, NULL, &v, sizeof(struct vertices *), true);
}

void es_list_add(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes,
                 bool anywhere)
{
    es_list_flush();
    append(command, n, a, data, bytes, anywhere);
}

void es_list_execute(void)
{
    if (es_compiled.mode == GL_COMPILE_AND_EXECUTE)
        es_list_flush();
}

ES_COMMAND(end) { es_end(); }

void es_list_end(void) { es_list_add(end, 0, NULL, NULL, 0, true); }

/* ---- calls ---- */

static void delete_list(struct es_list *list)
{
    if (!list)
        return;
    for (struct vertices *v = list->vertices, *next; v; v = next) {
        next = v->next;
        if (v->buffer)
            es_delete_buffer(v->buffer);
        if (v->indices.name)
            es_delete_buffer(v->indices.name);
        free(v->batch.data);
        free(v->batch.primitive);
        free(v);
    }
    free(list->code);
    free(list);
}

void glNewList(GLuint name, GLenum mode)
{
    if (!es_outside())
        return;
    if (es_fails(name == 0, GL_INVALID_VALUE))
        return;
    if (es_fails(mode != GL_COMPILE && mode != GL_COMPILE_AND_EXECUTE, GL_INVALID_ENUM))
        return;
    if (es_fails(es.list, GL_INVALID_OPERATION))
        return;
    struct es_list *list = calloc(1, sizeof *list);
    if (es_fails(!list, GL_OUT_OF_MEMORY))
        return;
    es_compiled = (struct es_compiled){name, mode};
    es_batch_clear(&batch);
    es.list = list;
    es.batch = &batch;
}

void glEndList(void)
{
    if (es_fails(!es.list || es.te.inside_begin, GL_INVALID_OPERATION))
        return;
    es_list_flush();
    const GLuint name = es_compiled.name;
    struct es_list *list = es.list, *old = es_names_get(&lists, name);
    es.list = NULL;
    es.batch = &es_batch;
    es_compiled = (struct es_compiled){0, 0};
    if (!es_names_put(&lists, name, list))
        delete_list(list);
    else
        delete_list(old);
}

ES_COMMAND(call_list) { call(es_names_get(&lists, a[0].u)); }

void glCallList(GLuint name)
{
    es_open();
    es_call_anywhere(call_list, 1, ES_ARGS({.u = name}), NULL, 0);
}

ES_COMMAND(call_lists)
{
    for (GLuint i = 0; i < a[0].u; i++)
        call(es_names_get(&lists, es.list_base + ((const GLuint *)data)[i]));
}

/* Returns the size in bytes of a type of CallLists (5.4), or 0 if there is no such type. */
static unsigned bytes_of(GLenum type)
{
    if (type >= GL_2_BYTES && type <= GL_4_BYTES)
        return type - GL_2_BYTES + 2;
    return type >= GL_BYTE && type <= GL_FLOAT ? es_type_bytes(type) : 0;
}

static GLuint list_number(GLenum type, const GLubyte *at)
{
    GLuint name = 0;
    if (type < GL_2_BYTES || type > GL_4_BYTES) {
        const double number = es_number(at, type, false);
        return number >= INT32_MIN && number <= UINT32_MAX ? (GLuint)(int64_t)number : 0;
    }
    for (unsigned i = 0; i < bytes_of(type); i++)
        name = name << 8 | at[i];
    return name;
}

void glCallLists(GLsizei n, GLenum type, const void *names)
{
    const unsigned bytes = bytes_of(type);
    es_open();
    if (n < 0 || !bytes) {
        es_raise(n < 0 ? GL_INVALID_VALUE : GL_INVALID_ENUM);
        return;
    }
    GLuint few[64], *all = n <= 64 ? few : malloc((size_t)n * sizeof *all);
    if (es_fails(!all, GL_OUT_OF_MEMORY))
        return;
    for (GLsizei i = 0; i < n; i++)
        all[i] = list_number(type, (const GLubyte *)names + (size_t)i * bytes);
    es_call_anywhere(call_lists, 1, ES_ARGS({.i = n}), all, (size_t)n * sizeof *all);
    if (all != few)
        free(all);
}

ES_COMMAND(list_base) { es.list_base = a[0].u; }

void glListBase(GLuint number) { ES_CALL(list_base, {.u = number}); }

GLuint glGenLists(GLsizei n)
{
    if (!es_outside())
        return 0;
    if (es_fails(n < 0, GL_INVALID_VALUE))
        return 0;
    const GLuint first = n ? es_names_unused(&lists, (GLuint)n) : 0;
    for (GLuint i = 0; first && i < (GLuint)n; i++)
        if (!es_names_put(&lists, first + i, NULL))
            return 0;
    return first;
}

void glDeleteLists(GLuint first, GLsizei n)
{
    if (!es_outside())
        return;
    if (es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLuint i = 0; i < (GLuint)n && lists.count; i++) {
        delete_list(es_names_get(&lists, first + i));
        es_names_remove(&lists, first + i);
    }
}

GLboolean glIsList(GLuint name) { return es_outside() && es_names_has(&lists, name); }
