/* image - rectangles of pixels: formats and types of OpenGL 1.5, client memory, and what ES is given
 * (3.6, 4.3 of the OpenGL 1.5 specification). Internal. */
#ifndef ES_IMAGE_H
#define ES_IMAGE_H

#include "es.h"

/* PixelStore, of one direction. */
struct es_pixel_store {
    GLint swap_bytes, lsb_first, row_length, skip_rows, skip_pixels, alignment, image_height, skip_images;
};

enum { ES_PIXEL_MAPS = 10, ES_PIXEL_MAP_SIZE = 256 };

/* PixelTransfer and PixelMap. Maps in the order of PIXEL_MAP_I_TO_I ... PIXEL_MAP_A_TO_A. */
struct es_transfer {
    GLboolean map_color, map_stencil;
    GLint index_shift, index_offset;
    GLfloat scale[4], bias[4], depth_scale, depth_bias;
    GLint map_size[ES_PIXEL_MAPS];
    GLfloat map[ES_PIXEL_MAPS][ES_PIXEL_MAP_SIZE];
};

extern struct es_pixel_store es_pack, es_unpack;
extern struct es_transfer es_transfer;

/* A rectangle of pixels. dimensions 3: client memory has IMAGE_HEIGHT and SKIP_IMAGES. */
struct es_rectangle {
    GLsizei width, height, depth;
    GLenum format, type;
    GLint dimensions;
};

/* GL's error for a format and a type, or GL_NO_ERROR (tables 3.5, 3.6, 3.8). */
GLenum es_image_check(GLenum format, GLenum type);
/* Bytes of a rectangle without gaps. Rows of BITMAP are whole bytes. 0: it does not fit a size_t. */
size_t es_image_bytes(const struct es_rectangle *r);
/* Client memory without gaps: `client` itself if it has none, else a copy in *copy, which the caller frees.
 * What it copies has no borders: `border` texels on each side are left out (the rectangle is the inner one).
 * NULL, and OUT_OF_MEMORY, if there is no memory; NULL if client is. */
const void *es_image_unpack(const struct es_rectangle *r, GLint border, const void *client, void **copy);

/* How ES holds a base format: in bytes. INTENSITY is LUMINANCE_ALPHA with both the same. */
GLenum es_image_format(enum texenv_base base);
unsigned es_image_channels(enum texenv_base base);
/* Whether es_transfer changes colours. */
bool es_image_transfers(void);
/* Whether es_image_convert would copy bytes. */
bool es_image_same(const struct es_rectangle *r, enum texenv_base base);
/* Pixels without gaps, of colours or colour indices, become bytes of es_image_format(base), by way of
 * es_transfer. */
void es_image_convert(const struct es_rectangle *r, const void *pixels, enum texenv_base base, GLubyte *out);
/* Depths become shorts or ints (bits 16 or 32). */
void es_image_convert_depth(const struct es_rectangle *r, const void *pixels, unsigned bits, void *out);

/* RGBA bytes go to client memory in the rectangle's format. frame: as ReadPixels has it, by way of
 * es_transfer, and LUMINANCE is R + G + B (4.3.2); else as GetTexImage, without transfer, and LUMINANCE is R
 * (6.1.4). */
void es_image_pack(const struct es_rectangle *r, const GLubyte *rgba, bool frame, void *client);
/* The same of one channel of 0 .. 1: DEPTH_COMPONENT; or of numbers: STENCIL_INDEX. */
void es_image_pack_depth(const struct es_rectangle *r, const GLfloat *values, void *client);

/* Texels as ES samples them become what GetTexImage takes them for (6.1.4): (L, 0, 0, A) and so on. */
void es_image_expand(enum texenv_base base, GLubyte *rgba, size_t n);

extern GLfloat es_pixel_zoom[2];

/* pixels.c: depths of the frame buffer, as floats; false, and an error: the context cannot read them. */
bool es_read_depth(GLint x, GLint y, const struct es_rectangle *r, GLfloat *out);

#endif
