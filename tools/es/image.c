#include "image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct es_pixel_store es_pack = {.alignment = 4}, es_unpack = {.alignment = 4};
struct es_transfer es_transfer = {
    .scale = {1, 1, 1, 1}, .depth_scale = 1, .map_size = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

/* ---- formats (table 3.6) and types (tables 3.5, 3.8) ---- */

enum { LUMINANCE = 4, NUMBER = 5 }; /* channels besides R, G, B, A (0 to 3); NUMBER: an index */

struct format {
    GLenum name;
    uint8_t n, channel[4];
};
static const struct format formats[] = {{GL_COLOR_INDEX, 1, {NUMBER}},
                                        {GL_STENCIL_INDEX, 1, {NUMBER}},
                                        {GL_DEPTH_COMPONENT, 1, {0}},
                                        {GL_RED, 1, {0}},
                                        {GL_GREEN, 1, {1}},
                                        {GL_BLUE, 1, {2}},
                                        {GL_ALPHA, 1, {3}},
                                        {GL_RGB, 3, {0, 1, 2}},
                                        {GL_BGR, 3, {2, 1, 0}},
                                        {GL_RGBA, 4, {0, 1, 2, 3}},
                                        {GL_BGRA, 4, {2, 1, 0, 3}},
                                        {GL_LUMINANCE, 1, {LUMINANCE}},
                                        {GL_LUMINANCE_ALPHA, 2, {LUMINANCE, 3}}};

struct type {
    GLenum name;
    uint8_t size;     /* bytes of a number, or of a packed pixel; BITMAP: 0 */
    uint8_t n;        /* channels of a packed pixel; 0: not packed */
    uint8_t bits[4];  /* size of the first channel, the second ... */
    uint8_t reversed; /* whether the first channel is in the lowest bits */
};
static const struct type types[] = {{GL_BITMAP, 0, 0, {0}, 0},
                                    {GL_UNSIGNED_BYTE, 1, 0, {0}, 0},
                                    {GL_BYTE, 1, 0, {0}, 0},
                                    {GL_UNSIGNED_SHORT, 2, 0, {0}, 0},
                                    {GL_SHORT, 2, 0, {0}, 0},
                                    {GL_UNSIGNED_INT, 4, 0, {0}, 0},
                                    {GL_INT, 4, 0, {0}, 0},
                                    {GL_FLOAT, 4, 0, {0}, 0},
                                    {GL_UNSIGNED_BYTE_3_3_2, 1, 3, {3, 3, 2}, 0},
                                    {GL_UNSIGNED_BYTE_2_3_3_REV, 1, 3, {3, 3, 2}, 1},
                                    {GL_UNSIGNED_SHORT_5_6_5, 2, 3, {5, 6, 5}, 0},
                                    {GL_UNSIGNED_SHORT_5_6_5_REV, 2, 3, {5, 6, 5}, 1},
                                    {GL_UNSIGNED_SHORT_4_4_4_4, 2, 4, {4, 4, 4, 4}, 0},
                                    {GL_UNSIGNED_SHORT_4_4_4_4_REV, 2, 4, {4, 4, 4, 4}, 1},
                                    {GL_UNSIGNED_SHORT_5_5_5_1, 2, 4, {5, 5, 5, 1}, 0},
                                    {GL_UNSIGNED_SHORT_1_5_5_5_REV, 2, 4, {5, 5, 5, 1}, 1},
                                    {GL_UNSIGNED_INT_8_8_8_8, 4, 4, {8, 8, 8, 8}, 0},
                                    {GL_UNSIGNED_INT_8_8_8_8_REV, 4, 4, {8, 8, 8, 8}, 1},
                                    {GL_UNSIGNED_INT_10_10_10_2, 4, 4, {10, 10, 10, 2}, 0},
                                    {GL_UNSIGNED_INT_2_10_10_10_REV, 4, 4, {10, 10, 10, 2}, 1}};

static const struct format *format_of(GLenum name)
{
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].name == name)
            return &formats[i];
    return NULL;
}

static const struct type *type_of(GLenum name)
{
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].name == name)
            return &types[i];
    return NULL;
}

GLenum es_image_check(GLenum format, GLenum type)
{
    const struct format *f = format_of(format);
    const struct type *t = type_of(type);
    if (!f || !t)
        return GL_INVALID_ENUM;
    if (type == GL_BITMAP && format != GL_COLOR_INDEX && format != GL_STENCIL_INDEX)
        return GL_INVALID_ENUM;
    if (t->n == 3 && format != GL_RGB)
        return GL_INVALID_OPERATION;
    if (t->n == 4 && format != GL_RGBA && format != GL_BGRA)
        return GL_INVALID_OPERATION;
    return GL_NO_ERROR;
}

/* ---- client memory (3.6.1, 3.6.4) ---- */

static size_t pixel_bytes(const struct format *f, const struct type *t)
{
    return (size_t)t->size * (t->n ? 1 : f->n);
}

static size_t row_bytes(const struct es_rectangle *r, size_t pixels)
{
    const struct type *t = type_of(r->type);
    return t->size ? pixels * pixel_bytes(format_of(r->format), t) : (pixels + 7) / 8;
}

size_t es_image_bytes(const struct es_rectangle *r)
{
    const uint64_t row = row_bytes(r, (size_t)r->width), rows = (uint64_t)r->height * (uint64_t)r->depth;
    return row && rows > SIZE_MAX / 2 / row ? 0 : (size_t)(row * rows);
}

/* How rows of pixels are laid out in client memory. */
struct layout {
    size_t row, image, start;
    unsigned bit; /* for BITMAP: the first pixel's bit in its byte */
};

static struct layout layout_of(const struct es_rectangle *r, const struct es_pixel_store *s, GLint border)
{
    const size_t length = (size_t)(s->row_length > 0 ? s->row_length : r->width + 2 * border);
    const size_t skip = (size_t)s->skip_pixels + (size_t)border, align = (size_t)s->alignment;
    const bool volume = r->dimensions == 3;
    const size_t rows = (size_t)(volume && s->image_height > 0 ? s->image_height : r->height + 2 * border);
    struct layout l = {.row = (row_bytes(r, length) + align - 1) / align * align};
    l.image = l.row * rows;
    l.start = ((size_t)s->skip_rows + (size_t)(r->dimensions > 1 ? border : 0)) * l.row;
    if (volume)
        l.start += ((size_t)s->skip_images + (size_t)border) * l.image;
    l.start += r->type == GL_BITMAP ? skip / 8 : row_bytes(r, skip);
    l.bit = r->type == GL_BITMAP ? skip % 8 : 0;
    return l;
}

static unsigned get_bit(const GLubyte *row, size_t x, GLint lsb_first)
{
    return row[x / 8] >> (lsb_first ? x % 8 : 7 - x % 8) & 1;
}

static void swap(GLubyte *bytes, size_t n, size_t size)
{
    for (size_t i = 0; i + size <= n; i += size)
        for (size_t j = 0; j < size / 2; j++) {
            const GLubyte b = bytes[i + j];
            bytes[i + j] = bytes[i + size - 1 - j];
            bytes[i + size - 1 - j] = b;
        }
}

static void unpack_row(const struct es_rectangle *r, unsigned bit, const GLubyte *from, GLubyte *to)
{
    const size_t bytes = row_bytes(r, (size_t)r->width);
    if (r->type != GL_BITMAP) {
        memcpy(to, from, bytes);
        if (es_unpack.swap_bytes)
            swap(to, bytes, type_of(r->type)->size);
        return;
    }
    memset(to, 0, bytes);
    for (size_t x = 0; x < (size_t)r->width; x++)
        if (get_bit(from, x + bit, es_unpack.lsb_first))
            to[x / 8] |= (GLubyte)(0x80 >> x % 8);
}

const void *es_image_unpack(const struct es_rectangle *r, GLint border, const void *client, void **copy)
{
    *copy = NULL;
    if (!client)
        return NULL;
    const struct layout l = layout_of(r, &es_unpack, border);
    const size_t row = row_bytes(r, (size_t)r->width), bytes = es_image_bytes(r);
    const bool same = r->type == GL_BITMAP ? !es_unpack.lsb_first && !l.bit
                                           : !es_unpack.swap_bytes || type_of(r->type)->size < 2;
    const GLubyte *from = (const GLubyte *)client + l.start;
    if (same && (l.row == row || r->height * r->depth <= 1) &&
        (l.image == row * (size_t)r->height || r->depth <= 1))
        return from;
    GLubyte *to = *copy = malloc(bytes ? bytes : 1);
    if (es_fails(!to, GL_OUT_OF_MEMORY))
        return NULL;
    for (GLsizei z = 0; z < r->depth; z++)
        for (GLsizei y = 0; y < r->height; y++, to += row)
            unpack_row(r, l.bit, from + (size_t)z * l.image + (size_t)y * l.row, to);
    return *copy;
}

/* ---- numbers to and from pixels (tables 2.9, 4.5, 4.6) ---- */

static GLuint load(const GLubyte *p, unsigned size)
{
    uint16_t half;
    GLuint word;
    switch (size) {
    case 1: return *p;
    case 2: memcpy(&half, p, 2); return half;
    default: memcpy(&word, p, 4); return word;
    }
}

static void store(GLubyte *p, unsigned size, GLuint word)
{
    const uint16_t half = (uint16_t)word;
    switch (size) {
    case 1: *p = (GLubyte)word; break;
    case 2: memcpy(p, &half, 2); break;
    default: memcpy(p, &word, 4);
    }
}

/* Reads a number of a type that is not packed. index: integers stay integers instead of becoming fractions.
 */
static double load_number(const GLubyte *p, const struct type *t, bool index)
{
    const GLuint bits = load(p, t->size);
    float f;
    switch (t->name) {
    case GL_FLOAT: memcpy(&f, p, sizeof f); return (double)f;
    case GL_UNSIGNED_BYTE: return index ? bits : bits / 255.0;
    case GL_UNSIGNED_SHORT: return index ? bits : bits / 65535.0;
    case GL_UNSIGNED_INT: return index ? bits : bits / 4294967295.0;
    case GL_BYTE: return index ? (int8_t)bits : (2.0 * (int8_t)bits + 1) / 255.0;
    case GL_SHORT: return index ? (int16_t)bits : (2.0 * (int16_t)bits + 1) / 65535.0;
    default: return index ? (int32_t)bits : (2.0 * (int32_t)bits + 1) / 4294967295.0;
    }
}

static double clamp(double x, double low, double high) { return x > low ? x < high ? x : high : low; }

static void store_number(GLubyte *p, const struct type *t, double x, bool index)
{
    const float f = (float)x;
    const double most = pow(2, 8.0 * t->size) - 1;
    switch (t->name) {
    case GL_FLOAT: memcpy(p, &f, sizeof f); break;
    case GL_UNSIGNED_BYTE:
    case GL_UNSIGNED_SHORT:
    case GL_UNSIGNED_INT:
        store(p, t->size,
              (GLuint)(index ? (GLuint)(int64_t)x & (GLuint)most : floor(clamp(x, 0, 1) * most + 0.5)));
        break;
    default: store(p, t->size, (GLuint)(int64_t)(index ? x : floor((clamp(x, -1, 1) * most - 1) / 2 + 0.5)));
    }
}

static void load_packed(const GLubyte *p, const struct type *t, double *out)
{
    const GLuint word = load(p, t->size);
    unsigned at = t->reversed ? 0 : 8u * t->size;
    for (unsigned i = 0; i < t->n; i++) {
        const GLuint most = (1u << t->bits[i]) - 1;
        at -= t->reversed ? 0 : t->bits[i];
        out[i] = (word >> at & most) / (double)most;
        at += t->reversed ? t->bits[i] : 0;
    }
}

static void store_packed(GLubyte *p, const struct type *t, const double *x)
{
    GLuint word = 0;
    unsigned at = t->reversed ? 0 : 8u * t->size;
    for (unsigned i = 0; i < t->n; i++) {
        const GLuint most = (1u << t->bits[i]) - 1;
        at -= t->reversed ? 0 : t->bits[i];
        word |= (GLuint)floor(clamp(x[i], 0, 1) * most + 0.5) << at;
        at += t->reversed ? t->bits[i] : 0;
    }
    store(p, t->size, word);
}

/* ---- pixel transfer (3.6.5) ---- */

enum { MAP_S_TO_S = 1, MAP_I_TO_R = 2, MAP_R_TO_R = 6 };

bool es_image_transfers(void)
{
    const struct es_transfer *t = &es_transfer;
    for (int c = 0; c < 4; c++)
        if (t->scale[c] != 1 || t->bias[c] != 0)
            return true;
    return t->map_color;
}

static void transfer(double rgba[4])
{
    const struct es_transfer *t = &es_transfer;
    for (int c = 0; c < 4; c++) {
        rgba[c] = rgba[c] * (double)t->scale[c] + (double)t->bias[c];
        if (t->map_color) {
            const int n = t->map_size[MAP_R_TO_R + c];
            rgba[c] = (double)t->map[MAP_R_TO_R + c][(int)(clamp(rgba[c], 0, 1) * (n - 1) + 0.5)];
        }
    }
}

static int64_t shift_index(double index)
{
    const int shift = es_transfer.index_shift;
    const double moved = ldexp(index, (int)clamp(shift, -64, 64));
    return (int64_t)clamp(floor(moved), -1e15, 1e15) + es_transfer.index_offset;
}

static void index_to_color(double index, double rgba[4])
{
    const int64_t i = shift_index(index);
    for (int c = 0; c < 4; c++) /* the sizes of these maps are powers of two */
        rgba[c] = (double)es_transfer.map[MAP_I_TO_R + c][i & (es_transfer.map_size[MAP_I_TO_R + c] - 1)];
}

/* ---- pixels for ES ---- */

GLenum es_image_format(enum texenv_base base)
{
    switch (base) {
    case TEXENV_BASE_RGB: return GL_RGB;
    case TEXENV_BASE_ALPHA: return GL_ALPHA;
    case TEXENV_LUMINANCE: return GL_LUMINANCE;
    case TEXENV_LUMINANCE_ALPHA:
    case TEXENV_INTENSITY: return GL_LUMINANCE_ALPHA;
    default: return GL_RGBA;
    }
}

unsigned es_image_channels(enum texenv_base base) { return format_of(es_image_format(base))->n; }

bool es_image_same(const struct es_rectangle *r, enum texenv_base base)
{
    return r->type == GL_UNSIGNED_BYTE && r->format == es_image_format(base) && base != TEXENV_INTENSITY &&
        !es_image_transfers();
}

/* Reads the colour of pixel x in a row. */
static void load_color(const struct format *f, const struct type *t, const GLubyte *row, size_t x,
                       double rgba[4])
{
    double number[4];
    const GLubyte *p = row + x * pixel_bytes(f, t);
    if (!t->size)
        number[0] = get_bit(row, x, GL_FALSE);
    else if (t->n)
        load_packed(p, t, number);
    else
        for (unsigned i = 0; i < f->n; i++)
            number[i] = load_number(p + i * t->size, t, f->channel[0] == NUMBER);
    if (f->channel[0] == NUMBER) {
        index_to_color(number[0], rgba);
        return;
    }
    rgba[0] = rgba[1] = rgba[2] = 0, rgba[3] = 1;
    for (unsigned i = 0; i < f->n; i++)
        if (f->channel[i] == LUMINANCE)
            rgba[0] = rgba[1] = rgba[2] = number[i];
        else
            rgba[f->channel[i]] = number[i];
}

static GLubyte to_byte(double x) { return (GLubyte)(clamp(x, 0, 1) * 255 + 0.5); }

/* Writes the channels that a base format keeps (table 3.15), as ES holds them. Returns the end of the output.
 */
static GLubyte *put(enum texenv_base base, const double rgba[4], GLubyte *out)
{
    switch (base) {
    case TEXENV_BASE_ALPHA: *out++ = to_byte(rgba[3]); break;
    case TEXENV_LUMINANCE: *out++ = to_byte(rgba[0]); break;
    case TEXENV_INTENSITY: *out++ = to_byte(rgba[0]), *out++ = to_byte(rgba[0]); break;
    case TEXENV_LUMINANCE_ALPHA: *out++ = to_byte(rgba[0]), *out++ = to_byte(rgba[3]); break;
    default:
        for (int c = 0; c < (base == TEXENV_BASE_RGB ? 3 : 4); c++)
            *out++ = to_byte(rgba[c]);
    }
    return out;
}

/* Converts pixels whose channels are bytes, without pixel transfer. */
static void convert_bytes(const struct format *f, size_t n, const GLubyte *from, enum texenv_base base,
                          GLubyte *out)
{
    const struct format *to = format_of(es_image_format(base));
    unsigned source[4], missing = f->n; /* indices of bytes in a pixel; missing: 0, missing + 1: 255 */
    for (unsigned i = 0; i < to->n; i++) {
        unsigned channel = to->channel[i] == LUMINANCE || base == TEXENV_INTENSITY ? 0 : to->channel[i];
        source[i] = channel == 3 ? missing + 1 : missing;
        for (unsigned j = 0; j < f->n; j++)
            if (f->channel[j] == channel || (f->channel[j] == LUMINANCE && channel < 3))
                source[i] = j;
    }
    for (size_t x = 0; x < n; x++, from += f->n)
        for (unsigned i = 0; i < to->n; i++)
            *out++ = source[i] < missing ? from[source[i]] : source[i] > missing ? 255 : 0;
}

void es_image_convert(const struct es_rectangle *r, const void *pixels, enum texenv_base base, GLubyte *out)
{
    const struct format *f = format_of(r->format);
    const struct type *t = type_of(r->type);
    const size_t row = row_bytes(r, (size_t)r->width), rows = (size_t)r->height * (size_t)r->depth;
    const bool change = es_image_transfers() && f->channel[0] != NUMBER;
    const GLubyte *from = pixels;
    if (r->type == GL_UNSIGNED_BYTE && f->channel[0] != NUMBER && !change) {
        convert_bytes(f, (size_t)r->width * rows, from, base, out);
        return;
    }
    for (size_t y = 0; y < rows; y++, from += row)
        for (size_t x = 0; x < (size_t)r->width; x++) {
            double rgba[4];
            load_color(f, t, from, x, rgba);
            if (change)
                transfer(rgba);
            out = put(base, rgba, out);
        }
}

void es_image_convert_depth(const struct es_rectangle *r, const void *pixels, GLuint *out)
{
    const struct type *t = type_of(r->type), *to = type_of(GL_UNSIGNED_INT);
    const GLubyte *from = pixels;
    for (size_t n = (size_t)r->width * (size_t)r->height * (size_t)r->depth; n; n--, from += t->size, out++) {
        const double depth = load_number(from, t, false);
        store_number((GLubyte *)out, to,
                     depth * (double)es_transfer.depth_scale + (double)es_transfer.depth_bias, false);
    }
}

/* ---- pixels from ES ---- */

static void store_color(const struct format *f, const struct type *t, const double rgba[4], bool sum,
                        GLubyte *p)
{
    double number[4];
    for (unsigned i = 0; i < f->n; i++)
        if (f->channel[i] == LUMINANCE)
            number[i] = sum ? rgba[0] + rgba[1] + rgba[2] : rgba[0];
        else
            number[i] = rgba[f->channel[i]];
    if (t->n)
        store_packed(p, t, number);
    for (unsigned i = 0; i < f->n && !t->n; i++)
        store_number(p + i * t->size, t, clamp(number[i], 0, 1), false);
}

void es_image_pack(const struct es_rectangle *r, const GLubyte *rgba, bool frame, void *client)
{
    const struct format *f = format_of(r->format);
    const struct type *t = type_of(r->type);
    const struct layout l = layout_of(r, &es_pack, 0);
    const bool change = frame && es_image_transfers(),
               plain = r->format == GL_RGBA && r->type == GL_UNSIGNED_BYTE && !change;
    const size_t size = pixel_bytes(f, t);
    for (size_t z = 0; z < (size_t)r->depth; z++)
        for (size_t y = 0; y < (size_t)r->height; y++) {
            GLubyte *row = (GLubyte *)client + l.start + z * l.image + y * l.row;
            for (size_t x = 0; x < (size_t)r->width && !plain; x++, rgba += 4) {
                double color[4];
                for (int c = 0; c < 4; c++)
                    color[c] = rgba[c] / 255.0;
                if (change)
                    transfer(color);
                store_color(f, t, color, frame, row + x * size);
            }
            if (plain) {
                memcpy(row, rgba, 4 * (size_t)r->width);
                rgba += 4 * (size_t)r->width;
            }
            if (es_pack.swap_bytes)
                swap(row, size * (size_t)r->width, t->size);
        }
}

static void pack_number(const struct es_rectangle *r, const struct type *t, double value, GLubyte *row,
                        size_t x)
{
    const bool depth = r->format == GL_DEPTH_COMPONENT;
    if (depth) {
        value = clamp(value * (double)es_transfer.depth_scale + (double)es_transfer.depth_bias, 0, 1);
    } else {
        value = (double)shift_index(value);
        if (es_transfer.map_stencil)
            value = (double)
                        es_transfer.map[MAP_S_TO_S][(int64_t)value & (es_transfer.map_size[MAP_S_TO_S] - 1)];
    }
    if (t->size) {
        store_number(row + x * t->size, t, value, !depth);
    } else {
        const GLubyte bit = (GLubyte)(es_pack.lsb_first ? 1 << x % 8 : 0x80 >> x % 8);
        row[x / 8] = (GLubyte)((int64_t)value & 1 ? row[x / 8] | bit : row[x / 8] & ~bit);
    }
}

void es_image_pack_depth(const struct es_rectangle *r, const GLfloat *values, void *client)
{
    const struct type *t = type_of(r->type);
    const struct layout l = layout_of(r, &es_pack, 0);
    for (size_t y = 0; y < (size_t)r->height; y++) {
        GLubyte *row = (GLubyte *)client + l.start + y * l.row;
        for (size_t x = 0; x < (size_t)r->width; x++)
            pack_number(r, t, (double)*values++, row, x + l.bit);
        if (es_pack.swap_bytes && t->size > 1)
            swap(row, t->size * (size_t)r->width, t->size);
    }
}

void es_image_expand(enum texenv_base base, GLubyte *rgba, size_t n)
{
    for (; n; n--, rgba += 4) {
        if (base == TEXENV_LUMINANCE || base == TEXENV_LUMINANCE_ALPHA || base == TEXENV_INTENSITY)
            rgba[1] = rgba[2] = 0;
        if (base == TEXENV_INTENSITY || base == TEXENV_LUMINANCE || base == TEXENV_BASE_RGB)
            rgba[3] = 255;
    }
}
