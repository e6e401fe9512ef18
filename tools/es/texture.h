/* texture - texture objects: names, bindings, parameters, completeness. Internal.
 *
 *   texture.c             objects and bindings, what the core and ES are told of them
 *   texture_parameter.c   TexParameter and its queries
 *   texture_image.c       TexImage, TexSubImage, CopyTexImage ...
 */
#ifndef ES_TEXTURE_H
#define ES_TEXTURE_H

#include "image.h"

enum { ES_LEVELS = 16, ES_FACES = 6 };

/* An image of a texture. */
struct es_level {
    GLsizei size[3]; /* as given, with borders; 0: there is none */
    GLenum internal;
    GLint border;
    GLsizei compressed; /* bytes; 0: it is not compressed */
    enum texenv_base base;
};

struct es_texture_parameters {
    GLenum min_filter, mag_filter, wrap[3], compare_mode, compare_func, depth_mode;
    GLfloat border_color[4], priority, min_lod, max_lod, lod_bias;
    GLint base_level, max_level;
    GLboolean generate_mipmap;
};

struct es_texture {
    struct es_texture *next; /* with the same place in the table of names */
    GLuint name, es;         /* GL's and ES's; es 0: it was not bound yet */
    enum texenv_target target;
    bool parameters_new; /* ES has others */
    struct texenv_texture te;
    struct es_texture_parameters parameters;
    struct es_level level[ES_FACES][ES_LEVELS]; /* but for cubes the first face alone */
};

/* The texture bound to a target of the active unit: TEXTURE_2D, TEXTURE_CUBE_MAP and so on; its faces, too,
 * if `image`. NULL: no such target. */
struct es_texture *es_texture_of(GLenum target, bool image);
/* Of a target of an image: which face. */
unsigned es_texture_face(GLenum target);
/* Binds it in ES, on unit 0, and returns ES's target. */
GLenum es_texture_edit(struct es_texture *t);
/* Its images or parameters changed. */
void es_texture_changed(struct es_texture *t);
/* The levels that a filter with mipmaps reads, from the base level on. */
GLint es_texture_last_level(const struct es_texture *t);
/* ES takes it only without mipmaps and with clamped coordinates. */
bool es_texture_limited(const struct es_texture *t);
/* Its filter has mipmaps, and ES takes them; else it says why not. */
bool es_texture_uses_mipmaps(const struct es_texture *t);
bool es_is_mipmap(GLenum filter);
/* The levels of a proxy target, or NULL. */
struct es_level *es_proxy_of(GLenum target);
void es_texture_parameters_init(struct es_texture_parameters *p, enum texenv_target target);
/* Gives them to ES; the texture is bound there. */
void es_texture_parameters_apply(struct es_texture *t, GLenum es_target);

#endif
