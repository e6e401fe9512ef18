/* DrawPixels, Bitmap and CopyPixels (3.6.4, 3.7, 4.3.3 of the OpenGL 1.5 specification). They draw quads by
 * the pipeline, which applies fog, the alpha test and so on: one quad whose texture is the pixels, or, for
 * bitmaps and if the application's state reads textures, a quad for each run of equal pixels in a row.
 * GetTexImage is here, too, as it may have to draw. */
#include "draw.h"
#include "texture.h"
#include "raster_position.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE = 4096 }; /* size of the viewport while a rectangle is drawn; every context allows it */

static struct es_texture pixel_texture; /* the pixels of DrawPixels */

/* ---- rectangles at the raster position ---- */

static bool is_textured(void)
{
    for (unsigned unit = 0; unit < TEXENV_UNITS; unit++)
        for (unsigned target = 0; target < TEXENV_TARGETS; target++)
            if (es.te.unit[unit].enabled >> target & 1 && es.te.unit[unit].texture[target].complete)
                return true;
    return false;
}

static bool too_large(GLsizei width, GLsizei height)
{
    if (width <= es.limits.texture_size && height <= es.limits.texture_size)
        return false;
    es_missing("rectangles of pixels", "above MAX_TEXTURE_SIZE they are not drawn");
    return true;
}

/* Returns where a rectangle begins. Without a zoom this is a pixel's border, so that each pixel's centre lies
 * in the middle of a texel. */
static GLfloat begin(GLfloat x, GLfloat zoom) { return zoom == 1 ? ceilf(x - 0.5f) : x; }

/* Pixels that are drawn through the texture environment: as quads of fixed function that all have the raster
 * position's texture coordinates. Either rgba (colours) or bits (a bitmap, with one colour) is set. */
struct pixels {
    GLsizei width, height;
    const GLubyte *rgba, *bits;
    GLfloat x, y, zoom[2];
    GLfloat color[4];
};

static bool bit_at(const struct pixels *p, size_t x, size_t y)
{
    return p->bits[y * (((size_t)p->width + 7) / 8) + x / 8] & 0x80 >> x % 8;
}

static bool equal_pixels(const struct pixels *p, size_t x, size_t other, size_t y)
{
    if (p->bits)
        return bit_at(p, x, y) == bit_at(p, other, y);
    const GLubyte *row = p->rgba + 4 * (size_t)p->width * y;
    return memcmp(row + 4 * x, row + 4 * other, 4) == 0;
}

static void quad(const struct pixels *p, size_t from, size_t to, size_t y)
{
    const GLfloat z = es_raster_position.position[2], x0 = p->x + (GLfloat)from * p->zoom[0],
                  x1 = p->x + (GLfloat)to * p->zoom[0], y0 = p->y + (GLfloat)y * p->zoom[1],
                  y1 = y0 + p->zoom[1];
    GLfloat c[4];
    for (int i = 0; i < 4; i++)
        c[i] = p->bits ? p->color[i] : p->rgba[4 * ((size_t)p->width * y + from) + (size_t)i] / 255.0f;
    es_attribute(FRAGPROG_ATTRIB_COLOR, 4, c[0], c[1], c[2], c[3]);
    es_vertex(3, x0, y0, z, 1);
    es_vertex(3, x1, y0, z, 1);
    es_vertex(3, x1, y1, z, 1);
    es_vertex(3, x0, y1, z, 1);
}

static struct es kept; /* the application's state while a rectangle is drawn */

/* Keeps the state. Then sets matrices with which vertices are window coordinates, and switches off everything
 * else that changes vertices, and what GL applies to polygons but not to pixels. */
static void begin_rectangle(void)
{
    kept = es;
    struct texenv_values_gl *v = &es.values;
    const struct es_raster_position *r = &es_raster_position;
    texenv_matrix_identity(v->values.modelview);
    texenv_matrix_identity(v->values.projection);
    for (int i = 0; i < 3; i++) {
        v->values.projection[5 * i] = i < 2 ? 2.0f / WHOLE : 2;
        v->values.projection[12 + i] = -1;
    }
    v->vertex.clip_planes = 0;
    for (unsigned unit = 0; unit < TEXENV_UNITS; unit++) {
        texenv_matrix_identity(v->values.texture_matrix[unit]);
        v->vertex.not_identity[unit] = 0;
        v->vertex.generated[unit] = 0;
        memcpy(es.current[FRAGPROG_ATTRIB_TEXCOORD + unit], r->texcoord[unit], sizeof r->texcoord[unit]);
    }
    memset(v->vertex.w_row, 0, sizeof v->vertex.w_row);
    v->vertex.w_row[v->vertex.modelview][3] = 1;
    v->vertex.color_material = 0;
    es.te.color_sum |= es.te.lighting && es.te.separate_specular;
    es.te.lighting = 0;
    es.te.fog_coord = 1;
    es.current[FRAGPROG_ATTRIB_FOGCOORD][0] = r->distance;
    memcpy(es.current[FRAGPROG_ATTRIB_SECONDARY], r->secondary, sizeof r->secondary);
    es.raster.polygon_mode[0] = es.raster.polygon_mode[1] = GL_FILL;
    es.list = NULL;
    es.batch = &es_batch;
    es.dirty = ES_DIRTY_ALL;
    ES(Viewport)(0, 0, WHOLE, WHOLE);
    ES(DepthRangef)(0, 1);
    ES(Disable)(GL_CULL_FACE);
    ES(Disable)(GL_POLYGON_OFFSET_FILL);
}

/* Draws what was collected, and restores the state, in ES also that of the groups in mask. */
static void end_rectangle(GLbitfield mask)
{
    static const GLenum caps[] = {GL_CULL_FACE,    GL_POLYGON_OFFSET_FILL, GL_BLEND, GL_DEPTH_TEST,
                                  GL_SCISSOR_TEST, GL_STENCIL_TEST,        GL_DITHER};
    es_flush();
    kept.error = es.error;
    es = kept;
    es.dirty = ES_DIRTY_ALL;
    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++)
        (es_enabled(caps[i]) ? ES(Enable) : ES(Disable))(caps[i]);
    es_raster_apply(mask | GL_VIEWPORT_BIT);
}

/* Draws quads of equal pixels through the application's texture environment. */
static void draw_runs(const struct pixels *p)
{
    es_begin(GL_QUADS);
    for (size_t y = 0; y < (size_t)p->height; y++)
        for (size_t x = 0, to; x < (size_t)p->width; x = to) {
            for (to = x + 1; to < (size_t)p->width && equal_pixels(p, x, to, y); to++)
                continue;
            if (!p->bits || bit_at(p, x, y))
                quad(p, x, to, y);
        }
    es_end();
}

/* Draws a quad, whose left lower and right upper corners are given in window coordinates, with a texture in
 * place of the colour. */
static void draw_texture(struct es_texture *t, const GLfloat low[2], const GLfloat high[2], GLfloat depth)
{
    struct texenv_unit *unit = &es.te.unit[0];
    struct es_texture *before = es_texture_exchange(0, TEXENV_2D, t);
    unit->enabled = 1 << TEXENV_2D;
    unit->texture[TEXENV_2D] = (struct texenv_texture){.complete = 1, .base = TEXENV_RGBA};
    unit->env.mode = GL_REPLACE;
    es.te.packed = 0;
    es_begin(GL_QUADS);
    for (int i = 0; i < 4; i++) {
        const int right = i == 1 || i == 2, upper = i > 1;
        es_attribute(FRAGPROG_ATTRIB_TEXCOORD, 2, (GLfloat)right, (GLfloat)upper, 0, 1);
        es_vertex(3, right ? high[0] : low[0], upper ? high[1] : low[1], depth, 1);
    }
    es_end();
    es_flush();
    es_texture_exchange(0, TEXENV_2D, before);
}

/* Makes RGBA pixels ES's texture. */
static void give_pixels(GLsizei width, GLsizei height, const void *pixels)
{
    struct es_texture *t = &pixel_texture;
    if (!t->es) {
        t->target = TEXENV_2D;
        es_texture_parameters_init(&t->parameters, TEXENV_RECT); /* RECT: clamps, and has no mipmaps */
        t->parameters.min_filter = t->parameters.mag_filter = GL_NEAREST;
        t->parameters_new = true;
    }
    const GLenum target = es_texture_edit(t);
    t->level[0][0].size[0] = width, t->level[0][0].size[1] = height;
    ES(TexImage2D)(target, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

/* Draws colours, which lie in memory without gaps, at the raster position. */
static void draw_colors(GLsizei width, GLsizei height, const GLubyte *rgba)
{
    const GLfloat *at = es_raster_position.position, *zoom = es_pixel_zoom;
    const GLfloat x = begin(at[0], zoom[0]), y = begin(at[1], zoom[1]);
    begin_rectangle();
    if (is_textured()) {
        draw_runs(&(struct pixels){width, height, rgba, NULL, x, y, {zoom[0], zoom[1]}, {0}});
    } else {
        give_pixels(width, height, rgba);
        draw_texture(&pixel_texture, (const GLfloat[]){x, y},
                     (const GLfloat[]){x + (GLfloat)width * zoom[0], y + (GLfloat)height * zoom[1]}, at[2]);
    }
    end_rectangle(0);
}

static void draw_pixels(const union es_arg *a, const void *data)
{
    const struct es_rectangle r = {a[0].i, a[1].i, 1, a[2].u, a[3].u, 2};
    if (r.format == GL_DEPTH_COMPONENT || r.format == GL_STENCIL_INDEX) {
        es_missing("DrawPixels of depths and stencil values", "is not there: INVALID_OPERATION");
        es_error(GL_INVALID_OPERATION);
        return;
    }
    if (!es_raster_position.valid || !r.width || !r.height || too_large(r.width, r.height))
        return;
    GLubyte *rgba = malloc(4 * (size_t)r.width * (size_t)r.height);
    if (es_fails(!rgba, GL_OUT_OF_MEMORY))
        return;
    es_image_convert(&r, data, TEXENV_RGBA, rgba);
    draw_colors(r.width, r.height, rgba);
    free(rgba);
}

void glDrawPixels(GLsizei width, GLsizei height, GLenum format, GLenum type, const GLvoid *pixels)
{
    const struct es_rectangle r = {width, height, 1, format, type, 2};
    void *copy;
    if (es_error(es_image_check(format, type)) || es_fails(width < 0 || height < 0, GL_INVALID_VALUE))
        return;
    const void *tight = es_image_unpack(&r, 0, pixels, &copy);
    if (tight)
        ES_CALL_DATA(draw_pixels, tight, es_image_bytes(&r), {.i = width}, {.i = height}, {.u = format},
                     {.u = type});
    free(copy);
}

/* ---- Bitmap ---- */

static void bitmap(const union es_arg *a, const void *data)
{
    struct es_raster_position *r = &es_raster_position;
    const GLsizei width = a[0].i, height = a[1].i;
    if (!r->valid)
        return;
    /* 1e-4 compensates for rounding if the position is on a pixel's border */
    const GLfloat x = floorf(r->position[0] - a[2].f + 1e-4f), y = floorf(r->position[1] - a[3].f + 1e-4f);
    if (width && height && data) {
        struct pixels p = {width, height, NULL, data, x, y, {1, 1}, {0}};
        memcpy(p.color, r->color, sizeof p.color);
        begin_rectangle();
        draw_runs(&p);
        end_rectangle(0);
    }
    r->position[0] += a[4].f;
    r->position[1] += a[5].f;
}

void glBitmap(GLsizei width, GLsizei height, GLfloat x, GLfloat y, GLfloat move_x, GLfloat move_y,
              const GLubyte *bits)
{
    const struct es_rectangle r = {width, height, 1, GL_COLOR_INDEX, GL_BITMAP, 2};
    void *copy;
    if (es_fails(width < 0 || height < 0, GL_INVALID_VALUE))
        return;
    const void *tight = es_image_unpack(&r, 0, bits, &copy);
    if (tight || !bits)
        ES_CALL_DATA(bitmap, tight, tight ? es_image_bytes(&r) : 0, {.i = width}, {.i = height}, {.f = x},
                     {.f = y}, {.f = move_x}, {.f = move_y});
    free(copy);
}

/* ---- CopyPixels ---- */

static void copy_pixels(const union es_arg *a, const void *data)
{
    const struct es_rectangle r = {a[2].i, a[3].i, 1, GL_RGBA, GL_UNSIGNED_BYTE, 2};
    (void)data;
    if (a[4].u != GL_COLOR) {
        const bool known = a[4].u == GL_DEPTH || a[4].u == GL_STENCIL;
        if (known)
            es_missing("CopyPixels of depths and stencil values", "is not there: INVALID_OPERATION");
        es_error(known ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
        return;
    }
    if (es_fails(r.width < 0 || r.height < 0, GL_INVALID_VALUE) || !es_raster_position.valid || !r.width ||
        !r.height || too_large(r.width, r.height))
        return;
    const size_t bytes = 4 * (size_t)r.width * (size_t)r.height;
    GLubyte *rgba = malloc(2 * bytes);
    if (es_fails(!rgba, GL_OUT_OF_MEMORY))
        return;
    ES(ReadPixels)(a[0].i, a[1].i, r.width, r.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    es_image_convert(&r, rgba, TEXENV_RGBA, rgba + bytes);
    draw_colors(r.width, r.height, rgba + bytes);
    free(rgba);
}

void glCopyPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum type)
{
    ES_CALL(copy_pixels, {.i = x}, {.i = y}, {.i = width}, {.i = height}, {.u = type});
}

/* ---- GetTexImage, which ES lacks. The image is read through a frame buffer object; if ES cannot draw to its
 * format, it is first drawn to a texture to which ES can draw. ---- */

static GLenum image_target(const struct es_texture *t, GLenum target)
{
    return t->target == TEXENV_CUBE ? target : GL_TEXTURE_2D;
}

/* Draws a level of the texture. As the rectangle has the level's size, a filter that takes the nearest level
 * reads this level. */
static void draw_level(struct es_texture *t, GLint level, const GLsizei size[2])
{
    static const GLenum caps[] = {GL_BLEND, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_DITHER};
    const struct es_texture_parameters parameters = t->parameters;
    t->parameters.min_filter = level ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST;
    t->parameters.mag_filter = GL_NEAREST;
    t->parameters.compare_mode = GL_NONE;
    t->parameters_new = true;
    begin_rectangle();
    es.te.alpha_test = es.te.fog = es.te.color_sum = 0;
    for (unsigned i = 0; i < TEXENV_UNITS; i++)
        es.te.unit[i].enabled = 0;
    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++)
        ES(Disable)(caps[i]);
    ES(ColorMask)(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    draw_texture(t, (const GLfloat[]){0, 0}, (const GLfloat[]){(GLfloat)size[0], (GLfloat)size[1]}, 0);
    end_rectangle(GL_COLOR_BUFFER_BIT);
    t->parameters = parameters;
    t->parameters_new = true;
}

static bool read_level(struct es_texture *t, GLenum target, GLint level, GLubyte *rgba)
{
    const struct es_level *l = &t->level[es_texture_face(target)][level];
    const GLsizei size[2] = {l->size[0] - 2 * l->border,
                             t->target == TEXENV_1D ? 1 : l->size[1] - 2 * l->border};
    GLint frame = 0;
    GLuint buffer;
    ES(GetIntegerv)(GL_FRAMEBUFFER_BINDING, &frame);
    ES(GenFramebuffers)(1, &buffer);
    ES(BindFramebuffer)(GL_FRAMEBUFFER, buffer);
    es_texture_edit(t);
    const bool color = l->base == TEXENV_RGBA || l->base == TEXENV_BASE_RGB;
    if (color && (level == 0 || es.limits.es3))
        ES(FramebufferTexture2D)(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, image_target(t, target), t->es, level);
    bool good = color && (level == 0 || es.limits.es3) &&
        ES(CheckFramebufferStatus)(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (!good && t->target != TEXENV_CUBE && t->target != TEXENV_3D && l->base != TEXENV_DEPTH &&
        (!level || t->te.complete)) {
        give_pixels(size[0], size[1], NULL);
        ES(FramebufferTexture2D)(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, pixel_texture.es, 0);
        good = ES(CheckFramebufferStatus)(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
        if (good)
            draw_level(t, level, size);
    }
    if (good)
        ES(ReadPixels)(0, 0, size[0], size[1], GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    ES(BindFramebuffer)(GL_FRAMEBUFFER, (GLuint)frame);
    ES(DeleteFramebuffers)(1, &buffer);
    return good;
}

void glGetTexImage(GLenum target, GLint level, GLenum format, GLenum type, GLvoid *pixels)
{
    struct es_texture *t = es_outside() ? es_texture_of(target, true) : NULL;
    if (es.te.inside_begin || es_error(t ? es_image_check(format, type) : GL_INVALID_ENUM) ||
        es_fails(level < 0 || level >= ES_LEVELS, GL_INVALID_VALUE))
        return;
    const struct es_level *l = &t->level[es_texture_face(target)][level];
    const bool depth = l->base == TEXENV_DEPTH && l->size[0];
    if (es_fails(format == GL_STENCIL_INDEX || format == GL_COLOR_INDEX, GL_INVALID_ENUM) ||
        es_fails((format == GL_DEPTH_COMPONENT) != depth, GL_INVALID_OPERATION))
        return;
    const GLsizei b = 2 * l->border;
    const struct es_rectangle r = {
        l->size[0] - b, l->size[1] - (t->target == TEXENV_1D ? 0 : b), 1, format, type, 2};
    if (!l->size[0])
        return;
    GLubyte *rgba = malloc(4 * (size_t)r.width * (size_t)r.height + 1);
    if (!rgba)
        es_error(GL_OUT_OF_MEMORY);
    else if (read_level(t, target, level, rgba)) {
        es_image_expand(l->base, rgba, (size_t)r.width * (size_t)r.height);
        es_image_pack(&r, rgba, false, pixels);
    } else {
        es_missing("GetTexImage", "of this kind of texture is not there: INVALID_OPERATION");
        es_error(GL_INVALID_OPERATION);
    }
    free(rgba);
}
