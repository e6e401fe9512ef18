/* texture - texture objects: names, bindings, parameters, completeness. Internal.
 *
 *   texture.c             objects and bindings, and their state in the core and in ES
 *   texture_parameter.c   TexParameter and its queries
 *   texture_image.c       TexImage, TexSubImage, CopyTexImage ...
 */
#ifndef ES_TEXTURE_H
#define ES_TEXTURE_H

#include "image.h"

enum { ES_LEVELS = 16, ES_FACES = 6 };

/* A level of a texture. */
struct es_level {
    GLsizei size[3]; /* as given, with borders; 0: there is no such level */
    GLenum internal;
    GLint border;
    GLsizei compressed; /* bytes of a compressed image; 0: not compressed */
    enum texenv_base base;
};

struct es_texture_parameters {
    GLenum min_filter, mag_filter, wrap[3], compare_mode, compare_func, depth_mode;
    GLfloat border_color[4], priority, min_lod, max_lod, lod_bias;
    GLint base_level, max_level;
    GLboolean generate_mipmap;
};

struct es_texture {
    GLuint name, es; /* its names in GL and in ES; es 0: it was not bound yet */
    enum texenv_target target;
    bool parameters_new; /* the parameters were not given to ES yet */
    struct texenv_texture te;
    struct es_texture_parameters parameters;
    struct es_level level[ES_FACES][ES_LEVELS]; /* only cube maps use more than the first face */
};

/* Returns the texture bound to a target of the active unit, or NULL if there is no such target. Targets are
 * TEXTURE_2D, TEXTURE_CUBE_MAP and so on; if `image` is true, the faces of a cube map instead of
 * TEXTURE_CUBE_MAP. */
struct es_texture *es_texture_of(GLenum target, bool image);
/* Returns the name of the texture bound to a target of the active unit. */
GLuint es_texture_bound(enum texenv_target target);
/* Finds a parameter of the texture bound to a target. Returns false if there is none. */
bool es_texture_parameter(GLenum target, GLenum pname, struct es_value *value);
/* Returns the face to which an image's target belongs. */
unsigned es_texture_face(GLenum target);
/* Binds a texture for the library's own draws, of which the core is not told, and returns the one before. */
struct es_texture *es_texture_exchange(unsigned unit, enum texenv_target target, struct es_texture *t);
/* Binds the texture in ES, in unit 0, and returns ES's target. */
GLenum es_texture_edit(struct es_texture *t);
/* To be called after the texture's images or parameters have changed. */
void es_texture_changed(struct es_texture *t);
/* Returns the last level that a filter with mipmaps reads; the first one is the base level. */
GLint es_texture_last_level(const struct es_texture *t);
/* Tells whether ES accepts the texture only without mipmaps and with clamped coordinates. */
bool es_texture_limited(const struct es_texture *t);
/* Tells whether the filter has mipmaps and ES supports them. If ES does not, prints why. */
bool es_texture_uses_mipmaps(const struct es_texture *t);
bool es_is_mipmap(GLenum filter);
/* Returns the levels of a proxy target, or NULL. */
struct es_level *es_proxy_of(GLenum target);
void es_texture_parameters_init(struct es_texture_parameters *p, enum texenv_target target);
/* Gives ES the texture's parameters. The texture must be bound in ES. */
void es_texture_parameters_apply(struct es_texture *t, GLenum es_target);

#endif
