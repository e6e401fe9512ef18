/* Parameters of textures, and queries of textures (3.8.4, 6.1.3 of the OpenGL 1.5 specification). */
#include "texture.h"

void es_texture_parameters_init(struct es_texture_parameters *p, enum texenv_target target)
{
    const GLenum wrap = target == TEXENV_RECT ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    *p = (struct es_texture_parameters){.min_filter = target == TEXENV_RECT ? GL_LINEAR
                                                                            : GL_NEAREST_MIPMAP_LINEAR,
                                        .mag_filter = GL_LINEAR,
                                        .wrap = {wrap, wrap, wrap},
                                        .compare_mode = GL_NONE,
                                        .compare_func = GL_LEQUAL,
                                        .depth_mode = GL_LUMINANCE,
                                        .priority = 1,
                                        .min_lod = -1000,
                                        .max_lod = 1000,
                                        .max_level = 1000};
}

/* ---- for ES ---- */

static GLenum without_mipmaps(GLenum filter)
{
    return filter == GL_NEAREST || filter == GL_NEAREST_MIPMAP_NEAREST || filter == GL_NEAREST_MIPMAP_LINEAR
        ? GL_NEAREST
        : GL_LINEAR;
}

static GLenum wrap_of(const struct es_texture_parameters *p, unsigned axis, bool limited)
{
    const GLenum wrap = p->wrap[axis];
    if (limited && (wrap == GL_REPEAT || wrap == GL_MIRRORED_REPEAT)) {
        es_missing("repeated textures whose size is no power of two",
                   "not in this context: the edge is repeated");
        return GL_CLAMP_TO_EDGE;
    }
    if (wrap == GL_CLAMP_TO_BORDER)
        es_missing("CLAMP_TO_BORDER", "is not there: as CLAMP_TO_EDGE");
    if (wrap == GL_CLAMP && (p->mag_filter == GL_LINEAR || without_mipmaps(p->min_filter) == GL_LINEAR))
        es_missing("CLAMP", "a linear filter takes no border: as CLAMP_TO_EDGE");
    return wrap == GL_REPEAT || wrap == GL_MIRRORED_REPEAT ? wrap : GL_CLAMP_TO_EDGE;
}

/* Applies DEPTH_TEXTURE_MODE to depths that are not compared (plain). ES returns these in red alone; other
 * channels need a swizzle, which WebGL does not have. */
static void apply_depth_mode(GLenum es_target, GLenum mode, bool plain)
{
    if (es.limits.webgl && plain)
        es_missing("DEPTH_TEXTURE_MODE", "WebGL has depths that are not compared in red alone");
    for (GLenum c = 0; c < 4 && !es.limits.webgl; c++) {
        const bool has = c == 3 ? mode != GL_LUMINANCE : mode != GL_ALPHA;
        const GLenum depth = has ? GL_RED : c == 3 ? GL_ONE : GL_ZERO;
        ES(TexParameteri)(es_target, GL_TEXTURE_SWIZZLE_R + c, (GLint)(plain ? depth : GL_RED + c));
    }
}

void es_texture_parameters_apply(struct es_texture *t, GLenum es_target)
{
    const struct es_texture_parameters *p = &t->parameters;
    const bool limited = es_texture_limited(t), depth = t->te.base == TEXENV_DEPTH;
    GLenum filter = es_texture_uses_mipmaps(t) ? p->min_filter : without_mipmaps(p->min_filter);
    /* ES filters depths only if it compares them (ES 3.0, 3.8.13) */
    const bool nearest = depth && p->compare_mode == GL_NONE;
    if (nearest)
        filter = es_is_mipmap(filter) ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST;
    ES(TexParameteri)(es_target, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    ES(TexParameteri)(es_target, GL_TEXTURE_MAG_FILTER, nearest ? GL_NEAREST : (GLint)p->mag_filter);
    ES(TexParameteri)(es_target, GL_TEXTURE_WRAP_S, (GLint)wrap_of(p, 0, limited));
    if (t->target == TEXENV_1D) /* a 2D texture of height 1 in ES */
        ES(TexParameteri)(es_target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    else
        ES(TexParameteri)(es_target, GL_TEXTURE_WRAP_T, (GLint)wrap_of(p, 1, limited));
    if (p->lod_bias != 0)
        es_missing("TEXTURE_LOD_BIAS", "is not there: as 0");
    if (!es.limits.es3) {
        if (p->min_lod > 0 || p->max_lod < 0)
            es_missing("TEXTURE_MIN_LOD and TEXTURE_MAX_LOD", "need OpenGL ES 3");
        return;
    }
    if (t->target == TEXENV_3D)
        ES(TexParameteri)(es_target, GL_TEXTURE_WRAP_R, (GLint)wrap_of(p, 2, limited));
    apply_depth_mode(es_target, p->depth_mode, nearest);
    ES(TexParameterf)(es_target, GL_TEXTURE_MIN_LOD, p->min_lod);
    ES(TexParameterf)(es_target, GL_TEXTURE_MAX_LOD, p->max_lod);
    ES(TexParameteri)(es_target, GL_TEXTURE_BASE_LEVEL, p->base_level);
    ES(TexParameteri)(es_target, GL_TEXTURE_MAX_LEVEL, p->max_level);
    ES(TexParameteri)(es_target, GL_TEXTURE_COMPARE_MODE, (GLint)(depth ? p->compare_mode : (GLenum)GL_NONE));
    ES(TexParameteri)(es_target, GL_TEXTURE_COMPARE_FUNC, (GLint)p->compare_func);
}

/* ---- TexParameter ---- */

static bool is_filter(GLenum value, bool min, bool rectangle)
{
    return value == GL_NEAREST || value == GL_LINEAR ||
        (min && !rectangle && value >= GL_NEAREST_MIPMAP_NEAREST && value <= GL_LINEAR_MIPMAP_LINEAR);
}

static bool is_wrap(GLenum value, bool rectangle)
{
    if (value == GL_REPEAT || value == GL_MIRRORED_REPEAT)
        return !rectangle;
    return value == GL_CLAMP || value == GL_CLAMP_TO_EDGE || value == GL_CLAMP_TO_BORDER;
}

static GLenum set(GLenum *to, GLenum value, bool good)
{
    if (good)
        *to = value;
    return good ? GL_NO_ERROR : GL_INVALID_ENUM;
}

static GLenum set_level(GLint *to, GLfloat value, bool rectangle)
{
    if (!(value >= 0))
        return GL_INVALID_VALUE;
    if (rectangle && value != 0)
        return GL_INVALID_OPERATION;
    *to = value < 1e6f ? (GLint)value : 1000000;
    return GL_NO_ERROR;
}

static GLenum set_parameter(struct es_texture *t, GLenum pname, const GLfloat *v)
{
    struct es_texture_parameters *p = &t->parameters;
    const GLenum value = v[0] >= 0 && v[0] < 1e6f ? (GLenum)v[0] : 0;
    const bool rectangle = t->target == TEXENV_RECT;
    switch (pname) {
    case GL_TEXTURE_MIN_FILTER: return set(&p->min_filter, value, is_filter(value, true, rectangle));
    case GL_TEXTURE_MAG_FILTER: return set(&p->mag_filter, value, is_filter(value, false, rectangle));
    case GL_TEXTURE_WRAP_S: return set(&p->wrap[0], value, is_wrap(value, rectangle));
    case GL_TEXTURE_WRAP_T: return set(&p->wrap[1], value, is_wrap(value, rectangle));
    case GL_TEXTURE_WRAP_R: return set(&p->wrap[2], value, is_wrap(value, rectangle));
    case GL_TEXTURE_COMPARE_MODE:
        return set(&p->compare_mode, value, value == GL_NONE || value == GL_COMPARE_R_TO_TEXTURE);
    case GL_TEXTURE_COMPARE_FUNC:
        return set(&p->compare_func, value, value >= GL_NEVER && value <= GL_ALWAYS);
    case GL_DEPTH_TEXTURE_MODE:
        return set(&p->depth_mode, value,
                   value == GL_LUMINANCE || value == GL_INTENSITY || value == GL_ALPHA);
    case GL_TEXTURE_BORDER_COLOR:
        for (int c = 0; c < 4; c++)
            p->border_color[c] = es_clamp(v[c]);
        break;
    case GL_TEXTURE_PRIORITY: p->priority = es_clamp(v[0]); break;
    case GL_TEXTURE_MIN_LOD: p->min_lod = v[0]; break;
    case GL_TEXTURE_MAX_LOD: p->max_lod = v[0]; break;
    case GL_TEXTURE_LOD_BIAS: p->lod_bias = v[0]; break;
    case GL_TEXTURE_BASE_LEVEL: return set_level(&p->base_level, v[0], rectangle);
    case GL_TEXTURE_MAX_LEVEL: return set_level(&p->max_level, v[0], false);
    case GL_GENERATE_MIPMAP: p->generate_mipmap = v[0] != 0; break;
    default: return GL_INVALID_ENUM;
    }
    return GL_NO_ERROR;
}

ES_COMMAND(tex_parameter)
{
    const GLfloat v[4] = {a[2].f, a[3].f, a[4].f, a[5].f};
    struct es_texture *t = es_texture_of(a[0].u, false);
    (void)data;
    if (es_error(t ? set_parameter(t, a[1].u, v) : GL_INVALID_ENUM))
        return;
    t->parameters_new = true;
    es_texture_changed(t);
}

void glTexParameterfv(GLenum target, GLenum pname, const GLfloat *v)
{
    const bool four = pname == GL_TEXTURE_BORDER_COLOR;
    ES_CALL(tex_parameter, {.u = target}, {.u = pname}, {.f = v[0]}, {.f = four ? v[1] : 0},
            {.f = four ? v[2] : 0}, {.f = four ? v[3] : 0});
}

void glTexParameterf(GLenum target, GLenum pname, GLfloat value)
{
    ES_CALL(tex_parameter, {.u = target}, {.u = pname == GL_TEXTURE_BORDER_COLOR ? 0 : pname}, {.f = value},
            {.f = 0}, {.f = 0}, {.f = 0});
}

void glTexParameteri(GLenum target, GLenum pname, GLint value)
{
    glTexParameterf(target, pname, (GLfloat)value);
}

void glTexParameteriv(GLenum target, GLenum pname, const GLint *v)
{
    GLfloat f[4] = {(GLfloat)v[0]};
    for (int c = 0; c < 4 && pname == GL_TEXTURE_BORDER_COLOR; c++)
        f[c] = (GLfloat)((2.0 * v[c] + 1) / 4294967295.0);
    glTexParameterfv(target, pname, f);
}

/* ---- queries ---- */

static unsigned get_parameter(const struct es_texture *t, GLenum pname, double *v)
{
    const struct es_texture_parameters *p = &t->parameters;
    switch (pname) {
    case GL_TEXTURE_MIN_FILTER: *v = p->min_filter; return 1;
    case GL_TEXTURE_MAG_FILTER: *v = p->mag_filter; return 1;
    case GL_TEXTURE_WRAP_S: *v = p->wrap[0]; return 1;
    case GL_TEXTURE_WRAP_T: *v = p->wrap[1]; return 1;
    case GL_TEXTURE_WRAP_R: *v = p->wrap[2]; return 1;
    case GL_TEXTURE_COMPARE_MODE: *v = p->compare_mode; return 1;
    case GL_TEXTURE_COMPARE_FUNC: *v = p->compare_func; return 1;
    case GL_DEPTH_TEXTURE_MODE: *v = p->depth_mode; return 1;
    case GL_TEXTURE_PRIORITY: *v = (double)p->priority; return 1;
    case GL_TEXTURE_RESIDENT: *v = GL_TRUE; return 1;
    case GL_TEXTURE_MIN_LOD: *v = (double)p->min_lod; return 1;
    case GL_TEXTURE_MAX_LOD: *v = (double)p->max_lod; return 1;
    case GL_TEXTURE_LOD_BIAS: *v = (double)p->lod_bias; return 1;
    case GL_TEXTURE_BASE_LEVEL: *v = p->base_level; return 1;
    case GL_TEXTURE_MAX_LEVEL: *v = p->max_level; return 1;
    case GL_GENERATE_MIPMAP: *v = p->generate_mipmap; return 1;
    case GL_TEXTURE_BORDER_COLOR:
        for (int c = 0; c < 4; c++)
            v[c] = (double)p->border_color[c];
        return 4;
    default: return 0;
    }
}

bool es_texture_parameter(GLenum target, GLenum pname, struct es_value *value)
{
    const struct es_texture *t = es_texture_of(target, false);
    value->count = t ? get_parameter(t, pname, value->v) : 0;
    value->color = pname == GL_TEXTURE_PRIORITY || pname == GL_TEXTURE_BORDER_COLOR;
    return value->count > 0;
}

/* Returns the number of bits of a channel, which depends on whether the base format has it. */
static GLint bits(const struct es_level *l, GLenum pname)
{
    static const struct {
        GLenum pname;
        unsigned bases;
    } rows[] = {
        {GL_TEXTURE_RED_SIZE, 1 << TEXENV_RGBA | 1 << TEXENV_BASE_RGB},
        {GL_TEXTURE_GREEN_SIZE, 1 << TEXENV_RGBA | 1 << TEXENV_BASE_RGB},
        {GL_TEXTURE_BLUE_SIZE, 1 << TEXENV_RGBA | 1 << TEXENV_BASE_RGB},
        {GL_TEXTURE_ALPHA_SIZE, 1 << TEXENV_RGBA | 1 << TEXENV_BASE_ALPHA | 1 << TEXENV_LUMINANCE_ALPHA},
        {GL_TEXTURE_LUMINANCE_SIZE, 1 << TEXENV_LUMINANCE | 1 << TEXENV_LUMINANCE_ALPHA},
        {GL_TEXTURE_INTENSITY_SIZE, 1 << TEXENV_INTENSITY}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].pname == pname)
            return l->size[0] && rows[i].bases >> l->base & 1 ? 8 : 0;
    return -1;
}

static GLenum get_level(const struct es_level *l, GLenum pname, GLint *v)
{
    switch (pname) {
    case GL_TEXTURE_WIDTH: *v = l->size[0]; break;
    case GL_TEXTURE_HEIGHT: *v = l->size[1]; break;
    case GL_TEXTURE_DEPTH: *v = l->size[2]; break;
    case GL_TEXTURE_BORDER: *v = l->border; break;
    case GL_TEXTURE_INTERNAL_FORMAT: *v = l->size[0] ? (GLint)l->internal : 1; break;
    case GL_TEXTURE_COMPRESSED: *v = l->compressed > 0; break;
    case GL_TEXTURE_DEPTH_SIZE: *v = l->size[0] && l->base == TEXENV_DEPTH ? 24 : 0; break;
    case GL_TEXTURE_COMPRESSED_IMAGE_SIZE:
        if (!l->compressed)
            return GL_INVALID_OPERATION;
        *v = l->compressed;
        break;
    default:
        if (bits(l, pname) < 0)
            return GL_INVALID_ENUM;
        *v = bits(l, pname);
    }
    return GL_NO_ERROR;
}

static bool ask_level(GLenum target, GLint level, GLenum pname, GLint *v)
{
    if (!es_outside())
        return false;
    const struct es_level *l = es_proxy_of(target);
    const struct es_texture *t = l ? NULL : es_texture_of(target, true);
    if (es_error(!l && !t                              ? GL_INVALID_ENUM
                     : level < 0 || level >= ES_LEVELS ? GL_INVALID_VALUE
                                                       : GL_NO_ERROR))
        return false;
    return !es_error(get_level(l ? l + level : &t->level[es_texture_face(target)][level], pname, v));
}

void glGetTexLevelParameteriv(GLenum target, GLint level, GLenum pname, GLint *params)
{
    ask_level(target, level, pname, params);
}

void glGetTexLevelParameterfv(GLenum target, GLint level, GLenum pname, GLfloat *params)
{
    GLint v;
    if (ask_level(target, level, pname, &v))
        *params = (GLfloat)v;
}
