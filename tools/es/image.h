/* image - rectangles of pixels: formats and types of OpenGL 1.5, client memory, and the conversion for ES
 * (3.6, 4.3 of the OpenGL 1.5 specification). Internal. */
#ifndef ES_IMAGE_H
#define ES_IMAGE_H

#include "es.h"

/* The state of PixelStore for one direction, PACK or UNPACK. */
struct es_pixel_store {
    GLint swap_bytes, lsb_first, row_length, skip_rows, skip_pixels, alignment, image_height, skip_images;
};

enum { ES_PIXEL_MAPS = 10, ES_PIXEL_MAP_SIZE = 256 };

/* The state of PixelTransfer and PixelMap. Maps are in the order PIXEL_MAP_I_TO_I ... PIXEL_MAP_A_TO_A. */
struct es_transfer {
    GLboolean map_color, map_stencil;
    GLint index_shift, index_offset;
    GLfloat scale[4], bias[4], depth_scale, depth_bias;
    GLint map_size[ES_PIXEL_MAPS];
    GLfloat map[ES_PIXEL_MAPS][ES_PIXEL_MAP_SIZE];
};

extern struct es_pixel_store es_pack, es_unpack;
extern struct es_transfer es_transfer;

/* A rectangle of pixels. If dimensions is 3, IMAGE_HEIGHT and SKIP_IMAGES apply to client memory. */
struct es_rectangle {
    GLsizei width, height, depth;
    GLenum format, type;
    GLint dimensions;
};

/* Returns GL's error for a format and a type, or GL_NO_ERROR (tables 3.5, 3.6, 3.8). */
GLenum es_image_check(GLenum format, GLenum type);
/* Returns the bytes of a rectangle without gaps, or 0 if that exceeds a size_t. Rows of BITMAP are whole
 * bytes. */
size_t es_image_bytes(const struct es_rectangle *r);
/* Returns the pixels in client memory without gaps: `client` itself if it has none, otherwise a copy in
 * *copy, which the caller frees. The rectangle does not include the border: `border` texels on each side are
 * left out. Returns NULL if client is NULL, and NULL with OUT_OF_MEMORY if there is no memory. */
const void *es_image_unpack(const struct es_rectangle *r, GLint border, const void *client, void **copy);

/* Returns the format in which ES holds a base format, in bytes. INTENSITY becomes LUMINANCE_ALPHA with both
 * equal. */
GLenum es_image_format(enum texenv_base base);
unsigned es_image_channels(enum texenv_base base);
/* Tells whether es_transfer changes colours. */
bool es_image_transfers(void);
/* Tells whether es_image_convert would only copy the bytes. */
bool es_image_same(const struct es_rectangle *r, enum texenv_base base);
/* Converts pixels (colours, or colour indices; stored without gaps) to bytes of es_image_format(base), and
 * applies es_transfer. */
void es_image_convert(const struct es_rectangle *r, const void *pixels, enum texenv_base base, GLubyte *out);
/* Converts depths to integers of 32 bits. */
void es_image_convert_depth(const struct es_rectangle *r, const void *pixels, GLuint *out);

/* Converts RGBA bytes to the rectangle's format in client memory. frame: for ReadPixels, with es_transfer,
 * and with R + G + B as LUMINANCE (4.3.2); otherwise for GetTexImage, without transfer, and with R as
 * LUMINANCE (6.1.4). */
void es_image_pack(const struct es_rectangle *r, const GLubyte *rgba, bool frame, void *client);
/* Does the same for one channel: depths from 0 to 1 (DEPTH_COMPONENT), or stencil values (STENCIL_INDEX). */
void es_image_pack_depth(const struct es_rectangle *r, const GLfloat *values, void *client);

/* Changes texels as ES samples them to those that GetTexImage uses (6.1.4): (L, 0, 0, A) and so on. */
void es_image_expand(enum texenv_base base, GLubyte *rgba, size_t n);

extern GLfloat es_pixel_zoom[2];

/* In pixels.c. Reads depths of the frame buffer as floats. Returns false, with GL's error, if the context
 * cannot. */
bool es_read_depth(GLint x, GLint y, const struct es_rectangle *r, GLfloat *out);

#endif
