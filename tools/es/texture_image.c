/* Images of textures (3.8.1 to 3.8.3 of the OpenGL 1.5 specification). They are given to ES as bytes, without
 * borders.
 */
#include "texture.h"

#include <stdlib.h>
#include <string.h>

static struct es_level proxies[TEXENV_TARGETS][ES_LEVELS];

/* The image that a call gives. */
struct image {
    GLenum target;
    GLint level;
    GLenum internal;
    GLint border;
    GLint dimensions;
    struct es_rectangle r; /* sizes as given, with borders */
};

/* The arguments of a command in a list that describe an image; image_of reads them. */
#define IMAGE_ARGS(image, given) \
    {.u = (image)->target}, {.i = (image)->level}, {.u = (image)->internal}, {.i = (image)->border}, \
        {.i = (image)->dimensions}, {.i = (image)->r.width}, {.i = (image)->r.height}, \
        {.i = (image)->r.depth}, {.u = (image)->r.format}, {.u = (image)->r.type}, \
    { \
        .u = (given) != NULL \
    }

static struct image image_of(const union es_arg *a)
{
    return (struct image){a[0].u, a[1].i, a[2].u,
                          a[3].i, a[4].i, {a[5].i, a[6].i, a[7].i, a[8].u, a[9].u, a[4].i}};
}

static enum texenv_target proxy_target(GLenum target)
{
    switch (target) {
    case GL_PROXY_TEXTURE_1D: return TEXENV_1D;
    case GL_PROXY_TEXTURE_2D: return TEXENV_2D;
    case GL_PROXY_TEXTURE_3D: return TEXENV_3D;
    case GL_PROXY_TEXTURE_RECTANGLE: return TEXENV_RECT;
    case GL_PROXY_TEXTURE_CUBE_MAP: return TEXENV_CUBE;
    default: return TEXENV_TARGETS;
    }
}

struct es_level *es_proxy_of(GLenum target)
{
    return proxy_target(target) == TEXENV_TARGETS ? NULL : proxies[proxy_target(target)];
}

static GLint axes_of(enum texenv_target target)
{
    return target == TEXENV_1D ? 1 : target == TEXENV_3D ? 3 : 2;
}

/* Returns the base format of an internal format, or -1 if OpenGL 1.5 or the context does not support it. */
static int base_of(GLenum internal)
{
    if (internal >= GL_SRGB && internal <= GL_COMPRESSED_SLUMINANCE_ALPHA)
        return -1;
    const int base = texenv_base_of(internal);
    if (base == TEXENV_RED || base == TEXENV_RG)
        return -1;
    if (base == TEXENV_DEPTH && !es.limits.es3) {
        es_missing("depth textures", "need OpenGL ES 3");
        return -1;
    }
    return base;
}

static GLint size_limit(enum texenv_target target)
{
    return target == TEXENV_CUBE ? es.limits.cube_size
        : target == TEXENV_3D    ? es.limits.volume_size
                                 : es.limits.texture_size;
}

/* Returns GL's error for the arguments of an image, except its target. */
static GLenum check_image(const struct image *m, enum texenv_target target)
{
    if (m->level < 0 || m->level >= ES_LEVELS || m->border < 0 || m->border > 1 || base_of(m->internal) < 0)
        return GL_INVALID_VALUE;
    if (target == TEXENV_RECT && (m->level || m->border))
        return GL_INVALID_VALUE;
    const GLsizei size[3] = {m->r.width, m->r.height, m->r.depth};
    for (GLint axis = 0; axis < 3; axis++)
        if (size[axis] < (axis < axes_of(target) ? 2 * m->border : 0))
            return GL_INVALID_VALUE;
    return target == TEXENV_CUBE && size[0] != size[1] ? GL_INVALID_VALUE : GL_NO_ERROR;
}

static bool fits(const struct image *m, enum texenv_target target)
{
    const GLsizei size[3] = {m->r.width, m->r.height, m->r.depth};
    for (GLint axis = 0; axis < axes_of(target); axis++)
        if (size[axis] - 2 * m->border > size_limit(target) >> (m->level < 30 ? m->level : 30))
            return false;
    return true;
}

static void set_level(struct es_level *l, const struct image *m, GLsizei compressed)
{
    const bool empty = !m->r.width || !m->r.height || !m->r.depth;
    *l = (struct es_level){.internal = m->internal, .border = m->border, .compressed = compressed};
    for (int axis = 0; axis < 3 && !empty; axis++)
        l->size[axis] = (const GLsizei[]){m->r.width, m->r.height, m->r.depth}[axis];
    l->base = (enum texenv_base)base_of(m->internal);
}

/* Returns the image's rectangle without its border. */
static struct es_rectangle inside(const struct image *m)
{
    struct es_rectangle r = m->r;
    r.width -= 2 * m->border;
    r.height -= m->dimensions > 1 ? 2 * m->border : 0;
    r.depth -= m->dimensions > 2 ? 2 * m->border : 0;
    return r;
}

/* ---- to ES ---- */

struct upload {
    GLenum format, type;
    GLint internal;
    const void *pixels;
    void *copy;
};

/* Converts pixels to a form that ES supports. pixels may be NULL (an image without contents). Returns false,
 * with OUT_OF_MEMORY, if there is no memory. */
static bool prepare(struct upload *u, const struct es_rectangle *r, enum texenv_base base, const void *pixels)
{
    const bool depth = base == TEXENV_DEPTH;
    const size_t n = (size_t)r->width * (size_t)r->height * (size_t)r->depth;
    const GLenum format = es_image_format(base);
    *u = (struct upload){.format = format, .type = GL_UNSIGNED_BYTE, .internal = (GLint)format};
    if (depth)
        *u = (struct upload){GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, GL_DEPTH_COMPONENT24, NULL, NULL};
    if (!pixels)
        return true;
    u->pixels = pixels;
    if (!depth && es_image_same(r, base))
        return true;
    u->pixels = u->copy = malloc(n * (depth ? 4 : es_image_channels(base)) + 1);
    if (!u->copy)
        return !es_error(GL_OUT_OF_MEMORY);
    if (depth)
        es_image_convert_depth(r, pixels, u->copy);
    else
        es_image_convert(r, pixels, base, u->copy);
    return true;
}

static GLenum es_image_target(const struct es_texture *t, GLenum target)
{
    return t->target == TEXENV_CUBE ? target : t->target == TEXENV_3D ? GL_TEXTURE_3D : GL_TEXTURE_2D;
}

/* GENERATE_MIPMAP (3.8.8): makes the smaller levels if `level`, which changed, is the base level. */
static void generate(struct es_texture *t, GLint level)
{
    if (!t->parameters.generate_mipmap || level != t->parameters.base_level || es_texture_limited(t))
        return;
    const GLint last = es_texture_last_level(t);
    for (unsigned face = 0; t->target == TEXENV_CUBE && face < ES_FACES; face++)
        if (t->level[face][level].size[0] != t->level[0][level].size[0])
            return; /* the call for the last face does it */
    const GLenum target = es_texture_edit(t);
    if (es.limits.es3) { /* ES 3 generates the levels from BASE_LEVEL to MAX_LEVEL */
        ES(TexParameteri)(target, GL_TEXTURE_BASE_LEVEL, t->parameters.base_level);
        ES(TexParameteri)(target, GL_TEXTURE_MAX_LEVEL, t->parameters.max_level);
    }
    ES(GenerateMipmap)(target);
    for (unsigned face = 0; face < (t->target == TEXENV_CUBE ? ES_FACES : 1); face++)
        for (GLint i = level + 1; i <= last; i++) {
            const struct es_level *above = &t->level[face][i - 1];
            struct es_level *l = &t->level[face][i];
            *l = *above;
            for (GLint axis = 0; axis < 3; axis++) {
                const GLsizei b = axis < axes_of(t->target) ? 2 * l->border : 0,
                              n = (above->size[axis] - b) / 2;
                l->size[axis] = (n ? n : 1) + b;
            }
        }
}

static void changed_image(struct es_texture *t, GLint level)
{
    t->parameters_new = true; /* the parameters that ES is given depend on the images */
    generate(t, level);
    es_texture_changed(t);
}

/* Sets an image. pixels are those inside the border, without gaps in memory, or NULL. */
static void put_image(struct es_texture *t, const struct image *m, const void *pixels)
{
    const struct es_rectangle r = inside(m);
    struct upload u;
    if (!prepare(&u, &r, (enum texenv_base)base_of(m->internal), pixels))
        return;
    es_texture_edit(t);
    const GLenum target = es_image_target(t, m->target);
    if (t->target == TEXENV_3D)
        ES(TexImage3D)
    (target, m->level, u.internal, r.width, r.height, r.depth, 0, u.format, u.type, u.pixels);
    else ES(TexImage2D)(target, m->level, u.internal, r.width, r.height, 0, u.format, u.type, u.pixels);
    free(u.copy);
    set_level(&t->level[es_texture_face(m->target)][m->level], m, 0);
    changed_image(t, m->level);
}

/* ---- TexImage ---- */

ES_COMMAND(tex_image)
{
    const struct image m = image_of(a);
    struct es_texture *t = es_texture_of(m.target, true);
    if (es_fails(!t || axes_of(t->target) != m.dimensions, GL_INVALID_ENUM))
        return;
    if (t->target == TEXENV_3D && !es.limits.es3) {
        es_missing("TexImage3D", "needs OpenGL ES 3");
        es_error(GL_INVALID_OPERATION);
        return;
    }
    const bool depth = base_of(m.internal) == TEXENV_DEPTH;
    GLenum error = check_image(&m, t->target);
    if (!error && !fits(&m, t->target))
        error = GL_INVALID_VALUE;
    if (!error && (m.r.format == GL_DEPTH_COMPONENT) != depth)
        error = GL_INVALID_OPERATION;
    if (!es_error(error))
        put_image(t, &m, a[10].u ? data : NULL);
}

static void tex_image_proxy(const struct image *m)
{
    const enum texenv_target target = proxy_target(m->target);
    if (!es_outside() || es_error(check_image(m, target)))
        return;
    struct es_level *l = &proxies[target][m->level];
    memset(l, 0, sizeof *l);
    if (fits(m, target))
        set_level(l, m, 0);
}

static GLenum check_format(const struct image *m)
{
    if (m->r.format == GL_STENCIL_INDEX)
        return GL_INVALID_ENUM;
    const GLenum error = es_image_check(m->r.format, m->r.type);
    return error                                              ? error
        : m->r.width < 0 || m->r.height < 0 || m->r.depth < 0 ? GL_INVALID_VALUE
                                                              : GL_NO_ERROR;
}

static void give_image(const struct image *m, const void *client)
{
    void *copy;
    if (es_error(check_format(m)))
        return;
    if (proxy_target(m->target) != TEXENV_TARGETS) {
        if (axes_of(proxy_target(m->target)) == m->dimensions)
            tex_image_proxy(m);
        else
            es_error(GL_INVALID_ENUM);
        return;
    }
    const struct es_rectangle r = inside(m);
    if (es_fails(r.width < 0 || r.height < 0 || r.depth < 0 || m->border < 0 || m->border > 1,
                 GL_INVALID_VALUE))
        return;
    if (m->border)
        es_missing("texture borders", "are not there: they are dropped");
    const void *pixels = es_image_unpack(&r, m->border, client, &copy);
    if (pixels || !client)
        ES_CALL_DATA(tex_image, pixels, pixels ? es_image_bytes(&r) : 0, IMAGE_ARGS(m, pixels));
    free(copy);
}

void glTexImage1D(GLenum target, GLint level, GLint internal, GLsizei width, GLint border, GLenum format,
                  GLenum type, const GLvoid *pixels)
{
    const struct image m = {target, level, (GLenum)internal, border, 1, {width, 1, 1, format, type, 1}};
    give_image(&m, pixels);
}

void glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height, GLint border,
                  GLenum format, GLenum type, const GLvoid *pixels)
{
    const struct image m = {target, level, (GLenum)internal, border, 2, {width, height, 1, format, type, 2}};
    give_image(&m, pixels);
}

void glTexImage3D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height, GLsizei depth,
                  GLint border, GLenum format, GLenum type, const GLvoid *pixels)
{
    const struct image m = {target, level, (GLenum)internal,
                            border, 3,     {width, height, depth, format, type, 3}};
    give_image(&m, pixels);
}

/* ---- parts of images ---- */

/* Returns the level that contains the given part of an image. If there is none, or the part is not inside the
 * level, returns NULL and sets GL's error. */
static struct es_level *level_of(const struct image *m, struct es_texture *t, const GLint *offset)
{
    const GLsizei size[3] = {m->r.width, m->r.height, m->r.depth};
    if (es_fails(!t || axes_of(t->target) != m->dimensions, GL_INVALID_ENUM))
        return NULL;
    if (es_fails(m->level < 0 || m->level >= ES_LEVELS, GL_INVALID_VALUE))
        return NULL;
    struct es_level *l = &t->level[es_texture_face(m->target)][m->level];
    if (es_fails(!l->size[0], GL_INVALID_OPERATION))
        return NULL;
    for (GLint axis = 0; axis < m->dimensions; axis++) {
        const GLint border = l->border;
        if (es_fails(size[axis] < 0 || offset[axis] < -border ||
                         offset[axis] > l->size[axis] - border - size[axis],
                     GL_INVALID_VALUE))
            return NULL;
    }
    return l;
}

/* Tells whether a part reaches into the level's border, which is not kept. */
static bool in_border(const struct image *m, const struct es_level *l, const GLint *offset)
{
    const GLsizei size[3] = {m->r.width, m->r.height, m->r.depth};
    for (GLint axis = 0; axis < m->dimensions; axis++)
        if (offset[axis] < 0 || offset[axis] + size[axis] > l->size[axis] - 2 * l->border) {
            es_missing("parts of textures that reach into a border", "are dropped");
            return true;
        }
    return false;
}

static void put_part(struct es_texture *t, const struct image *m, const GLint *o, const struct upload *u)
{
    const struct es_rectangle *r = &m->r;
    es_texture_edit(t);
    const GLenum target = es_image_target(t, m->target);
    if (t->target == TEXENV_3D)
        ES(TexSubImage3D)
    (target, m->level, o[0], o[1], o[2], r->width, r->height, r->depth, u->format, u->type, u->pixels);
    else ES(TexSubImage2D)(target, m->level, o[0], o[1], r->width, r->height, u->format, u->type, u->pixels);
    generate(t, m->level);
    es_texture_changed(t);
}

ES_COMMAND(tex_sub_image)
{
    const struct image m = image_of(a);
    const GLint offset[3] = {a[11].i, a[12].i, a[13].i};
    struct es_texture *t = es_texture_of(m.target, true);
    struct es_level *l = level_of(&m, t, offset);
    struct upload u;
    if (!l)
        return;
    if (es_error(l->compressed || (m.r.format == GL_DEPTH_COMPONENT) != (l->base == TEXENV_DEPTH)
                     ? GL_INVALID_OPERATION
                     : GL_NO_ERROR))
        return;
    if (in_border(&m, l, offset) || !m.r.width || !m.r.height || !m.r.depth ||
        !prepare(&u, &m.r, l->base, data))
        return;
    put_part(t, &m, offset, &u);
    free(u.copy);
}

static void give_part(const struct image *m, const GLint *offset, const void *client)
{
    void *copy;
    if (es_error(check_format(m)))
        return;
    const void *pixels = es_image_unpack(&m->r, 0, client, &copy);
    if (pixels)
        ES_CALL_DATA(tex_sub_image, pixels, es_image_bytes(&m->r), IMAGE_ARGS(m, pixels), {.i = offset[0]},
                     {.i = offset[1]}, {.i = offset[2]});
    free(copy);
}

void glTexSubImage1D(GLenum target, GLint level, GLint x, GLsizei width, GLenum format, GLenum type,
                     const GLvoid *pixels)
{
    const struct image m = {target, level, 0, 0, 1, {width, 1, 1, format, type, 1}};
    give_part(&m, (const GLint[]){x, 0, 0}, pixels);
}

void glTexSubImage2D(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                     GLenum format, GLenum type, const GLvoid *pixels)
{
    const struct image m = {target, level, 0, 0, 2, {width, height, 1, format, type, 2}};
    give_part(&m, (const GLint[]){x, y, 0}, pixels);
}

void glTexSubImage3D(GLenum target, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
                     GLsizei depth, GLenum format, GLenum type, const GLvoid *pixels)
{
    const struct image m = {target, level, 0, 0, 3, {width, height, depth, format, type, 3}};
    give_part(&m, (const GLint[]){x, y, z}, pixels);
}

/* ---- copies from the frame buffer ---- */

/* Reads a rectangle of the frame buffer into new memory, without gaps. Returns NULL, with GL's error, on
 * failure. */
static void *read_frame(struct es_rectangle *r, GLint x, GLint y, bool depth)
{
    r->depth = 1;
    r->format = depth ? GL_DEPTH_COMPONENT : GL_RGBA;
    r->type = depth ? GL_FLOAT : GL_UNSIGNED_BYTE;
    void *pixels = malloc(es_image_bytes(r) + 1);
    if (!pixels) {
        es_error(GL_OUT_OF_MEMORY);
    } else if (depth && !es_read_depth(x, y, r, pixels)) {
        free(pixels);
        pixels = NULL;
    } else if (!depth) {
        ES(ReadPixels)(x, y, r->width, r->height, r->format, r->type, pixels);
    }
    return pixels;
}

/* Tells whether ES's copy to this base format has the result that GL requires. */
static bool copies(enum texenv_base base)
{
    GLint alpha = 0;
    if (es_image_transfers() || base == TEXENV_INTENSITY || base == TEXENV_DEPTH)
        return false;
    if (base == TEXENV_BASE_RGB || base == TEXENV_LUMINANCE)
        return true;
    ES(GetIntegerv)(GL_ALPHA_BITS, &alpha);
    return alpha > 0;
}

ES_COMMAND(copy_tex_image)
{
    struct image m = image_of(a);
    struct es_texture *t = es_texture_of(m.target, true);
    (void)data;
    if (es_fails(!t || axes_of(t->target) != m.dimensions || m.dimensions == 3, GL_INVALID_ENUM))
        return;
    GLenum error = check_image(&m, t->target);
    if (!error && !fits(&m, t->target))
        error = GL_INVALID_VALUE;
    if (es_error(error))
        return;
    const enum texenv_base base = (enum texenv_base)base_of(m.internal);
    struct es_rectangle r = inside(&m);
    const GLint x = a[11].i + m.border, y = a[12].i + (m.dimensions > 1 ? m.border : 0);
    if (copies(base) && r.width && r.height) {
        es_texture_edit(t);
        ES(CopyTexImage2D)
        (es_image_target(t, m.target), m.level, es_image_format(base), x, y, r.width, r.height, 0);
        set_level(&t->level[es_texture_face(m.target)][m.level], &m, 0);
        changed_image(t, m.level);
        return;
    }
    void *pixels = read_frame(&r, x, y, base == TEXENV_DEPTH);
    m.r.format = r.format, m.r.type = r.type;
    if (pixels)
        put_image(t, &m, pixels);
    free(pixels);
}

void glCopyTexImage1D(GLenum target, GLint level, GLenum internal, GLint x, GLint y, GLsizei width,
                      GLint border)
{
    const struct image m = {target, level, internal, border, 1, {width, 1, 1, 0, 0, 1}};
    ES_CALL(copy_tex_image, IMAGE_ARGS(&m, NULL), {.i = x}, {.i = y});
}

void glCopyTexImage2D(GLenum target, GLint level, GLenum internal, GLint x, GLint y, GLsizei width,
                      GLsizei height, GLint border)
{
    const struct image m = {target, level, internal, border, 2, {width, height, 1, 0, 0, 2}};
    ES_CALL(copy_tex_image, IMAGE_ARGS(&m, NULL), {.i = x}, {.i = y});
}

ES_COMMAND(copy_tex_sub_image)
{
    struct image m = image_of(a);
    const GLint offset[3] = {a[11].i, a[12].i, a[13].i}, x = a[14].i, y = a[15].i;
    struct es_texture *t = es_texture_of(m.target, true);
    struct es_level *l = level_of(&m, t, offset);
    struct upload u;
    (void)data;
    if (!l || es_fails(l->compressed, GL_INVALID_OPERATION))
        return;
    if (in_border(&m, l, offset) || !m.r.width || !m.r.height)
        return;
    if (copies(l->base)) {
        es_texture_edit(t);
        const GLenum target = es_image_target(t, m.target);
        if (t->target == TEXENV_3D)
            ES(CopyTexSubImage3D)
        (target, m.level, offset[0], offset[1], offset[2], x, y, m.r.width, m.r.height);
        else ES(CopyTexSubImage2D)(target, m.level, offset[0], offset[1], x, y, m.r.width, m.r.height);
        generate(t, m.level);
        es_texture_changed(t);
        return;
    }
    void *pixels = read_frame(&m.r, x, y, l->base == TEXENV_DEPTH);
    if (pixels && prepare(&u, &m.r, l->base, pixels)) {
        put_part(t, &m, offset, &u);
        free(u.copy);
    }
    free(pixels);
}

void glCopyTexSubImage1D(GLenum target, GLint level, GLint to_x, GLint x, GLint y, GLsizei width)
{
    const struct image m = {target, level, 0, 0, 1, {width, 1, 1, 0, 0, 1}};
    ES_CALL(copy_tex_sub_image, IMAGE_ARGS(&m, NULL), {.i = to_x}, {.i = 0}, {.i = 0}, {.i = x}, {.i = y});
}

void glCopyTexSubImage2D(GLenum target, GLint level, GLint to_x, GLint to_y, GLint x, GLint y, GLsizei width,
                         GLsizei height)
{
    const struct image m = {target, level, 0, 0, 2, {width, height, 1, 0, 0, 2}};
    ES_CALL(copy_tex_sub_image, IMAGE_ARGS(&m, NULL), {.i = to_x}, {.i = to_y}, {.i = 0}, {.i = x}, {.i = y});
}

void glCopyTexSubImage3D(GLenum target, GLint level, GLint to_x, GLint to_y, GLint to_z, GLint x, GLint y,
                         GLsizei width, GLsizei height)
{
    const struct image m = {target, level, 0, 0, 3, {width, height, 1, 0, 0, 3}};
    ES_CALL(copy_tex_sub_image, IMAGE_ARGS(&m, NULL), {.i = to_x}, {.i = to_y}, {.i = to_z}, {.i = x},
            {.i = y});
}

/* ---- compressed images: formats that the context supports are passed on ---- */

static bool has_compressed(GLenum internal)
{
    GLint count = 0, formats[256];
    ES(GetIntegerv)(GL_NUM_COMPRESSED_TEXTURE_FORMATS, &count);
    if (count <= 0 || count > 256)
        return false;
    ES(GetIntegerv)(GL_COMPRESSED_TEXTURE_FORMATS, formats);
    for (GLint i = 0; i < count; i++)
        if ((GLenum)formats[i] == internal)
            return true;
    return false;
}

ES_COMMAND(compressed_tex_image)
{
    const struct image m = image_of(a);
    const GLsizei bytes = a[11].i;
    struct es_texture *t = es_texture_of(m.target, true);
    if (es_fails(!t || axes_of(t->target) != m.dimensions || !has_compressed(m.internal), GL_INVALID_ENUM))
        return;
    const GLenum error = check_image(&m, t->target);
    if (es_error(error || (!m.border && fits(&m, t->target)) ? error : (GLenum)GL_INVALID_VALUE))
        return;
    es_texture_edit(t);
    const GLenum target = es_image_target(t, m.target);
    const struct es_rectangle *r = &m.r;
    if (t->target == TEXENV_3D)
        ES(CompressedTexImage3D)(target, m.level, m.internal, r->width, r->height, r->depth, 0, bytes, data);
    else
        ES(CompressedTexImage2D)(target, m.level, m.internal, r->width, r->height, 0, bytes, data);
    set_level(&t->level[es_texture_face(m.target)][m.level], &m, bytes);
    changed_image(t, m.level);
}

static void give_compressed(const struct image *m, GLsizei bytes, const void *data)
{
    if (es_fails(bytes < 0, GL_INVALID_VALUE))
        return;
    if (proxy_target(m->target) != TEXENV_TARGETS) {
        tex_image_proxy(m);
        return;
    }
    ES_CALL_DATA(compressed_tex_image, data, data ? (size_t)bytes : 0, IMAGE_ARGS(m, data), {.i = bytes});
}

void glCompressedTexImage1D(GLenum target, GLint level, GLenum internal, GLsizei width, GLint border,
                            GLsizei bytes, const GLvoid *data)
{
    const struct image m = {target, level, internal, border, 1, {width, 1, 1, 0, 0, 1}};
    give_compressed(&m, bytes, data);
}

void glCompressedTexImage2D(GLenum target, GLint level, GLenum internal, GLsizei width, GLsizei height,
                            GLint border, GLsizei bytes, const GLvoid *data)
{
    const struct image m = {target, level, internal, border, 2, {width, height, 1, 0, 0, 2}};
    give_compressed(&m, bytes, data);
}

void glCompressedTexImage3D(GLenum target, GLint level, GLenum internal, GLsizei width, GLsizei height,
                            GLsizei depth, GLint border, GLsizei bytes, const GLvoid *data)
{
    const struct image m = {target, level, internal, border, 3, {width, height, depth, 0, 0, 3}};
    give_compressed(&m, bytes, data);
}

ES_COMMAND(compressed_tex_sub_image)
{
    const struct image m = image_of(a);
    const GLint offset[3] = {a[12].i, a[13].i, 0};
    struct es_texture *t = es_texture_of(m.target, true);
    const struct es_level *l = level_of(&m, t, offset);
    if (!l || es_fails(!(l->compressed && l->internal == m.r.format), GL_INVALID_OPERATION))
        return;
    es_texture_edit(t);
    ES(CompressedTexSubImage2D)
    (es_image_target(t, m.target), m.level, offset[0], offset[1], m.r.width, m.r.height, m.r.format, a[11].i,
     data);
}

void glCompressedTexSubImage2D(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                               GLenum format, GLsizei bytes, const GLvoid *data)
{
    const struct image m = {target, level, 0, 0, 2, {width, height, 1, format, 0, 2}};
    if (!es_fails(bytes < 0, GL_INVALID_VALUE))
        ES_CALL_DATA(compressed_tex_sub_image, data, data ? (size_t)bytes : 0, IMAGE_ARGS(&m, data),
                     {.i = bytes}, {.i = x}, {.i = y});
}
