/* State of pixels, and ReadPixels (3.6.1 to 3.6.3, 4.3.2 of the OpenGL 1.5 specification). */
#include "image.h"
#include "raster_position.h"

#include <stdlib.h>
#include <string.h>

GLfloat es_pixel_zoom[2] = {1, 1};

/* ---- PixelStore ---- */

static GLint *store_of(GLenum pname)
{
    struct es_pixel_store *s = pname >= GL_PACK_SWAP_BYTES && pname <= GL_PACK_ALIGNMENT ? &es_pack
                                                                                         : &es_unpack;
    switch (pname) {
    case GL_PACK_SWAP_BYTES:
    case GL_UNPACK_SWAP_BYTES: return &s->swap_bytes;
    case GL_PACK_LSB_FIRST:
    case GL_UNPACK_LSB_FIRST: return &s->lsb_first;
    case GL_PACK_ROW_LENGTH:
    case GL_UNPACK_ROW_LENGTH: return &s->row_length;
    case GL_PACK_SKIP_ROWS:
    case GL_UNPACK_SKIP_ROWS: return &s->skip_rows;
    case GL_PACK_SKIP_PIXELS:
    case GL_UNPACK_SKIP_PIXELS: return &s->skip_pixels;
    case GL_PACK_ALIGNMENT:
    case GL_UNPACK_ALIGNMENT: return &s->alignment;
    case GL_PACK_IMAGE_HEIGHT: return &es_pack.image_height;
    case GL_UNPACK_IMAGE_HEIGHT: return &es_unpack.image_height;
    case GL_PACK_SKIP_IMAGES: return &es_pack.skip_images;
    case GL_UNPACK_SKIP_IMAGES: return &es_unpack.skip_images;
    default: return NULL;
    }
}

void glPixelStorei(GLenum pname, GLint value)
{
    GLint *to = store_of(pname);
    if (!es_outside() || es_fails(!to, GL_INVALID_ENUM))
        return;
    if (to == &es_pack.swap_bytes || to == &es_unpack.swap_bytes || to == &es_pack.lsb_first ||
        to == &es_unpack.lsb_first)
        *to = value != 0;
    else if (value < 0 ||
             ((to == &es_pack.alignment || to == &es_unpack.alignment) && value != 1 && value != 2 &&
              value != 4 && value != 8))
        es_error(GL_INVALID_VALUE);
    else
        *to = value;
}

void glPixelStoref(GLenum pname, GLfloat value)
{
    glPixelStorei(pname,
                  value > -1e9f && value < 1e9f ? (GLint)(value < 0 ? value - 0.5f : value + 0.5f) : -1);
}

/* ---- PixelTransfer, PixelMap, PixelZoom ---- */

static GLfloat *factor_of(GLenum pname)
{
    struct es_transfer *t = &es_transfer;
    switch (pname) {
    case GL_RED_SCALE: return &t->scale[0];
    case GL_GREEN_SCALE: return &t->scale[1];
    case GL_BLUE_SCALE: return &t->scale[2];
    case GL_ALPHA_SCALE: return &t->scale[3];
    case GL_RED_BIAS: return &t->bias[0];
    case GL_GREEN_BIAS: return &t->bias[1];
    case GL_BLUE_BIAS: return &t->bias[2];
    case GL_ALPHA_BIAS: return &t->bias[3];
    case GL_DEPTH_SCALE: return &t->depth_scale;
    case GL_DEPTH_BIAS: return &t->depth_bias;
    default: return NULL;
    }
}

static GLint whole(GLfloat x) { return x > -1e9f ? x < 1e9f ? (GLint)x : 1000000000 : -1000000000; }

ES_COMMAND(pixel_transfer)
{
    GLfloat *factor = factor_of(a[0].u);
    (void)data;
    if (factor)
        *factor = a[1].f;
    else if (a[0].u == GL_MAP_COLOR)
        es_transfer.map_color = a[1].f != 0;
    else if (a[0].u == GL_MAP_STENCIL)
        es_transfer.map_stencil = a[1].f != 0;
    else if (a[0].u == GL_INDEX_SHIFT)
        es_transfer.index_shift = whole(a[1].f);
    else if (a[0].u == GL_INDEX_OFFSET)
        es_transfer.index_offset = whole(a[1].f);
    else
        es_error(GL_INVALID_ENUM);
}

void glPixelTransferf(GLenum pname, GLfloat value) { ES_CALL(pixel_transfer, {.u = pname}, {.f = value}); }
void glPixelTransferi(GLenum pname, GLint value) { glPixelTransferf(pname, (GLfloat)value); }

enum { MAPS_OF_INDICES = 2 }; /* the first two, I_TO_I and S_TO_S, have indices as values */

ES_COMMAND(pixel_map)
{
    const GLuint map = a[0].u;
    const GLint n = a[1].i;
    const GLfloat *values = data;
    /* the sizes of maps that are looked up by an index must be powers of two */
    if (es_fails(n < 1 || n > ES_PIXEL_MAP_SIZE || (map < 6 && n & (n - 1)), GL_INVALID_VALUE))
        return;
    es_transfer.map_size[map] = n;
    for (GLint i = 0; i < n; i++) {
        const GLfloat x = values[i];
        es_transfer.map[map][i] = map < MAPS_OF_INDICES ? x : x > 0 ? x < 1 ? x : 1 : 0;
    }
}

/* Sets a map. value returns element i of values, whose type may be any, as a double. */
static void give_pixel_map(GLenum map, GLsizei n, double (*value)(const void *values, GLsizei i), double most,
                           const void *values)
{
    GLfloat v[ES_PIXEL_MAP_SIZE];
    if (es_fails(map < GL_PIXEL_MAP_I_TO_I || map > GL_PIXEL_MAP_A_TO_A, GL_INVALID_ENUM) ||
        es_fails(n < 1 || n > ES_PIXEL_MAP_SIZE, GL_INVALID_VALUE))
        return;
    const GLuint number = map - GL_PIXEL_MAP_I_TO_I;
    for (GLsizei i = 0; i < n; i++)
        v[i] = (GLfloat)(value(values, i) / (number < MAPS_OF_INDICES ? 1 : most));
    ES_CALL_DATA(pixel_map, v, (size_t)n * sizeof *v, {.u = number}, {.i = n});
}

static double float_at(const void *values, GLsizei i) { return (double)((const GLfloat *)values)[i]; }
static double uint_at(const void *values, GLsizei i) { return ((const GLuint *)values)[i]; }
static double ushort_at(const void *values, GLsizei i) { return ((const GLushort *)values)[i]; }

void glPixelMapfv(GLenum map, GLsizei n, const GLfloat *v) { give_pixel_map(map, n, float_at, 1, v); }
void glPixelMapuiv(GLenum map, GLsizei n, const GLuint *v)
{
    give_pixel_map(map, n, uint_at, 4294967295.0, v);
}
void glPixelMapusv(GLenum map, GLsizei n, const GLushort *v) { give_pixel_map(map, n, ushort_at, 65535, v); }

/* Writes the values of a map to out and returns their number; 0, with GL's error, if there is no such map. */
static GLint map_values(GLenum map, double most, double *out)
{
    if (!es_outside() || es_fails(map < GL_PIXEL_MAP_I_TO_I || map > GL_PIXEL_MAP_A_TO_A, GL_INVALID_ENUM))
        return 0;
    const GLuint number = map - GL_PIXEL_MAP_I_TO_I;
    for (GLint i = 0; i < es_transfer.map_size[number]; i++)
        out[i] = (double)es_transfer.map[number][i] * (number < MAPS_OF_INDICES ? 1 : most);
    return es_transfer.map_size[number];
}

#define GET_PIXEL_MAP(suffix, type, most, rounding) \
    void glGetPixelMap##suffix(GLenum map, type *values) \
    { \
        double v[ES_PIXEL_MAP_SIZE]; \
        const GLint n = map_values(map, most, v); \
        for (GLint i = 0; i < n; i++) \
            values[i] = (type)(v[i] + rounding); \
    }
GET_PIXEL_MAP(fv, GLfloat, 1, 0)
GET_PIXEL_MAP(uiv, GLuint, 4294967295.0, 0.5)
GET_PIXEL_MAP(usv, GLushort, 65535, 0.5)
#undef GET_PIXEL_MAP

ES_COMMAND(pixel_zoom)
{
    es_pixel_zoom[0] = a[0].f;
    es_pixel_zoom[1] = a[1].f;
}

void glPixelZoom(GLfloat x, GLfloat y) { ES_CALL(pixel_zoom, {.f = x}, {.f = y}); }

/* ---- ReadPixels ---- */

/* Reads depths or stencil values, which ES supports only with an extension, NV_read_depth or NV_read_stencil.
 * Some contexts list the extension but return an error. */
static bool read_numbers(const char *extension, GLint x, GLint y, const struct es_rectangle *r, GLenum type,
                         void *out)
{
    const GLenum format = strcmp(extension, "GL_NV_read_depth") ? GL_STENCIL_INDEX : GL_DEPTH_COMPONENT;
    if (es_has(extension))
        ES(ReadPixels)(x, y, r->width, r->height, format, type, out);
    if (es_has(extension) && ES(GetError)() == GL_NO_ERROR)
        return true;
    es_missing(extension, "this context has it not: INVALID_OPERATION for depths or stencil values");
    es_error(GL_INVALID_OPERATION);
    return false;
}

bool es_read_depth(GLint x, GLint y, const struct es_rectangle *r, GLfloat *out)
{
    if (!read_numbers("GL_NV_read_depth", x, y, r, GL_UNSIGNED_INT, out))
        return false;
    for (size_t i = 0, n = (size_t)r->width * (size_t)r->height; i < n; i++) {
        GLuint depth;
        memcpy(&depth, &out[i], sizeof depth);
        out[i] = (GLfloat)(depth / 4294967295.0);
    }
    return true;
}

static bool read_stencil(GLint x, GLint y, const struct es_rectangle *r, GLfloat *out)
{
    const size_t n = (size_t)r->width * (size_t)r->height;
    GLubyte *bytes = (GLubyte *)out +
        n * (sizeof *out - 1); /* the end of out: converted to floats in place */
    if (!read_numbers("GL_NV_read_stencil", x, y, r, GL_UNSIGNED_BYTE, bytes))
        return false;
    for (size_t i = 0; i < n; i++) {
        const GLfloat value = bytes[i];
        memcpy(&out[i], &value, sizeof value);
    }
    return true;
}

static void read_pixels(const struct es_rectangle *r, GLint x, GLint y, void *client)
{
    const bool numbers = r->format == GL_DEPTH_COMPONENT || r->format == GL_STENCIL_INDEX;
    void *pixels = malloc(4 * (size_t)r->width * (size_t)r->height + 1);
    if (!pixels) {
        es_error(GL_OUT_OF_MEMORY);
    } else if (!numbers) {
        ES(ReadPixels)(x, y, r->width, r->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        es_image_pack(r, pixels, true, client);
    } else if ((r->format == GL_DEPTH_COMPONENT ? es_read_depth : read_stencil)(x, y, r, pixels)) {
        es_image_pack_depth(r, pixels, client);
    }
    free(pixels);
}

void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, GLvoid *pixels)
{
    const struct es_rectangle r = {width, height, 1, format, type, 2};
    if (!es_outside() || es_error(es_image_check(format, type)) ||
        es_fails(width < 0 || height < 0, GL_INVALID_VALUE) ||
        es_fails(format == GL_COLOR_INDEX, GL_INVALID_OPERATION))
        return;
    if (width && height)
        read_pixels(&r, x, y, pixels);
}

/* ---- the attribute stacks, queries ---- */

static struct {
    struct es_raster_position position;
    struct es_transfer *transfer; /* allocated when it is pushed, as it is large and seldom pushed */
    GLfloat zoom[2];
    struct es_pixel_store pack, unpack;
} stack[ES_ATTRIB_DEPTH];

void es_pixels_push(unsigned depth, GLbitfield mask)
{
    if (mask & GL_CURRENT_BIT)
        stack[depth].position = es_raster_position;
    if (mask & GL_PIXEL_MODE_BIT) {
        if (!stack[depth].transfer)
            stack[depth].transfer = malloc(sizeof es_transfer);
        if (es_fails(!stack[depth].transfer, GL_OUT_OF_MEMORY))
            return;
        *stack[depth].transfer = es_transfer;
        memcpy(stack[depth].zoom, es_pixel_zoom, sizeof es_pixel_zoom);
    }
}

void es_pixels_pop(unsigned depth, GLbitfield mask)
{
    if (mask & GL_CURRENT_BIT)
        es_raster_position = stack[depth].position;
    if (mask & GL_PIXEL_MODE_BIT && stack[depth].transfer) {
        es_transfer = *stack[depth].transfer;
        memcpy(es_pixel_zoom, stack[depth].zoom, sizeof es_pixel_zoom);
    }
}

void es_pixels_push_client(unsigned depth)
{
    stack[depth].pack = es_pack;
    stack[depth].unpack = es_unpack;
}

void es_pixels_pop_client(unsigned depth)
{
    es_pack = stack[depth].pack;
    es_unpack = stack[depth].unpack;
}

bool es_pixels_get(GLenum pname, struct es_value *value)
{
    value->count = 1;
    value->color = false;
    if (store_of(pname))
        value->v[0] = *store_of(pname);
    else if (factor_of(pname))
        value->v[0] = (double)*factor_of(pname);
    else if (pname >= GL_PIXEL_MAP_I_TO_I_SIZE && pname <= GL_PIXEL_MAP_A_TO_A_SIZE)
        value->v[0] = es_transfer.map_size[pname - GL_PIXEL_MAP_I_TO_I_SIZE];
    else
        return false;
    return true;
}
