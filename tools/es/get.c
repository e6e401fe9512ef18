/* Queries: GetIntegerv, GetFloatv and so on, from the rows of get.def; and queries of lights, materials,
 * texture environments, texture coordinate generation and clip planes. */
#include "draw.h"
#include "list.h"
#include "raster_position.h"
#include "texture.h"

#include <math.h>
#include <string.h>

/* ---- conversions (6.1.2) ---- */

static GLint to_int(const struct es_value *value, unsigned i)
{
    double x = value->v[i];
    if (value->color)
        return (GLint)floor((4294967295.0 * fmax(fmin(x, 1), -1) - 1) / 2 + 0.5);
    x = round(x);
    return x > 4294967294.0 ? -1
        : x > 2147483647.0  ? (GLint)(GLuint)x
        : x < -2147483648.0 ? INT32_MIN
                            : (GLint)x;
}

#define PUT(name, type, convert) \
    static void name(const struct es_value *value, type *params) \
    { \
        for (unsigned i = 0; i < value->count; i++) \
            params[i] = convert; \
    }
PUT(put_ints, GLint, to_int(value, i))
PUT(put_floats, GLfloat, (GLfloat)value->v[i])
PUT(put_doubles, GLdouble, value->v[i])
PUT(put_booleans, GLboolean, value->v[i] != 0)

static void floats(struct es_value *value, unsigned count, const float *v)
{
    value->count = count;
    for (unsigned i = 0; i < count; i++)
        value->v[i] = v[i];
}

static void colors(struct es_value *value, unsigned count, const float *v)
{
    floats(value, count, v);
    value->color = true;
}

static void one(struct es_value *value, double v)
{
    value->count = 1;
    value->v[0] = v;
}

/* ---- queries of state ---- */

static const GLenum tracked[16] = {[TEXENV_TRACKS_AMBIENT] = GL_AMBIENT,
                                   [TEXENV_TRACKS_DIFFUSE] = GL_DIFFUSE,
                                   [TEXENV_TRACKS_SPECULAR] = GL_SPECULAR,
                                   [TEXENV_TRACKS_EMISSION] = GL_EMISSION,
                                   [TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE] = GL_AMBIENT_AND_DIFFUSE};
static const GLenum fog_mode[] = {
    [TEXENV_FOG_LINEAR] = GL_LINEAR, [TEXENV_FOG_EXP] = GL_EXP, [TEXENV_FOG_EXP2] = GL_EXP2};

static bool get_row(GLenum pname, struct es_value *value)
{
    const struct texenv_vertex_gl *v = &es.values.vertex;
    const struct texenv_values *n = &es.values.values;
    const struct es_raster *r = &es.raster;
    const unsigned unit = es.te.active;
    GLint es_has[2] = {0, 0};
    switch (pname) {
#define ES_GET(name, x) \
    case GL_##name: \
        one(value, (double)(x)); \
        return true;
#define ES_GET_COLOR(name, x) \
    case GL_##name: \
        colors(value, 1, &(const float){(float)(x)}); \
        return true;
#define ES_GET_V(name, n_, x) \
    case GL_##name: \
        value->count = n_; \
        for (unsigned i = 0; i < n_; i++) \
            value->v[i] = (double)(x)[i]; \
        return true;
#define ES_GET_COLORS(name, n_, x) \
    case GL_##name: \
        colors(value, n_, x); \
        return true;
#define ES_GET_TRANSPOSED(name, x) \
    case GL_##name: \
        value->count = 16; \
        for (unsigned i = 0; i < 16; i++) \
            value->v[i] = (double)(x)[i % 4 * 4 + i / 4]; \
        return true;
#define ES_GET_ES(name, n_) \
    case GL_##name: \
        ES(GetIntegerv)(GL_##name, es_has); \
        value->count = n_; \
        value->v[0] = es_has[0]; \
        value->v[1] = es_has[1]; \
        return true;
#include "get.def"
    default: return false;
    }
}

/* Answers a query of GetIntegerv, GetFloatv and so on. Returns false after an error. */
static bool get(GLenum pname, struct es_value *value)
{
    bool on;
    value->color = false;
    if (!es_outside())
        return false;
    if (get_row(pname, value) || es_array_get(pname, value) || es_texture_get(pname, value) ||
        es_pixels_get(pname, value))
        return true;
    if (!es_is_enabled(pname, &on))
        return !es_error(GL_INVALID_ENUM);
    one(value, on);
    return true;
}

#define GET(Name, type, put) \
    void glGet##Name(GLenum pname, type *params) \
    { \
        struct es_value value; \
        if (get(pname, &value)) \
            put(&value, params); \
    }
GET(Integerv, GLint, put_ints)
GET(Floatv, GLfloat, put_floats)
GET(Doublev, GLdouble, put_doubles)
GET(Booleanv, GLboolean, put_booleans)

/* ---- queries of lights, materials and so on. The functions return false if there is no such pname. ---- */

static bool get_light(GLenum light, GLenum pname, struct es_value *value)
{
    const unsigned i = light - GL_LIGHT0;
    if (i >= TEXENV_LIGHTS)
        return false;
    const struct texenv_light_values *l = &es.values.values.light[i];
    switch (pname) {
    case GL_AMBIENT: colors(value, 4, l->ambient); return true;
    case GL_DIFFUSE: colors(value, 4, l->diffuse); return true;
    case GL_SPECULAR: colors(value, 4, l->specular); return true;
    case GL_POSITION: floats(value, 4, l->position); return true;
    case GL_SPOT_DIRECTION: floats(value, 3, l->spot_direction); return true;
    case GL_SPOT_EXPONENT: one(value, l->spot_exponent); return true;
    case GL_SPOT_CUTOFF: one(value, l->spot_cutoff); return true;
    case GL_CONSTANT_ATTENUATION:
    case GL_LINEAR_ATTENUATION:
    case GL_QUADRATIC_ATTENUATION: one(value, l->attenuation[pname - GL_CONSTANT_ATTENUATION]); return true;
    default: return false;
    }
}

static bool get_material(GLenum face, GLenum pname, struct es_value *value)
{
    if (face != GL_FRONT && face != GL_BACK)
        return false;
    const struct texenv_material_values *m = &es.values.values.material[face == GL_BACK];
    switch (pname) {
    case GL_AMBIENT: colors(value, 4, m->ambient); return true;
    case GL_DIFFUSE: colors(value, 4, m->diffuse); return true;
    case GL_SPECULAR: colors(value, 4, m->specular); return true;
    case GL_EMISSION: colors(value, 4, m->emission); return true;
    case GL_SHININESS: one(value, m->shininess); return true;
    case GL_COLOR_INDEXES: floats(value, 3, (const float[]){0, 1, 1}); return true;
    default: return false;
    }
}

/* Sources and operands of combiners. Their names are consecutive numbers (table 6.20), also that of the
 * fourth argument in NV_texture_env_combine4. */
static bool get_argument(GLenum pname, const struct texenv_env *env, struct es_value *value)
{
    static const GLenum first[4] = {GL_SOURCE0_RGB, GL_SOURCE0_ALPHA, GL_OPERAND0_RGB, GL_OPERAND0_ALPHA};
    for (unsigned i = 0; i < 4; i++)
        if (pname >= first[i] && pname < first[i] + TEXENV_ARGS) {
            one(value, (i < 2 ? env->source : env->operand)[i % 2][pname - first[i]]);
            return true;
        }
    return false;
}

static bool get_env(GLenum target, GLenum pname, struct es_value *value)
{
    const unsigned unit = es.te.active;
    const struct texenv_env *env = &es.te.unit[unit].env;
    if (target == GL_TEXTURE_FILTER_CONTROL)
        return one(value, es.lod_bias[unit]), pname == GL_TEXTURE_LOD_BIAS;
    if (target == GL_POINT_SPRITE)
        return one(value, es.values.vertex.coord_replace >> unit & 1), pname == GL_COORD_REPLACE;
    if (target != GL_TEXTURE_ENV)
        return false;
    switch (pname) {
    case GL_TEXTURE_ENV_MODE: one(value, env->mode); return true;
    case GL_TEXTURE_ENV_COLOR: colors(value, 4, env->color); return true;
    case GL_COMBINE_RGB: one(value, env->combine[0]); return true;
    case GL_COMBINE_ALPHA: one(value, env->combine[1]); return true;
    case GL_RGB_SCALE: one(value, env->scale[0]); return true;
    case GL_ALPHA_SCALE: one(value, env->scale[1]); return true;
    default: return get_argument(pname, env, value);
    }
}

static bool get_gen(GLenum coord, GLenum pname, struct es_value *value)
{
    static const GLenum mode[TEXENV_TEXGENS] = {[TEXENV_TEXGEN_OBJECT] = GL_OBJECT_LINEAR,
                                                [TEXENV_TEXGEN_EYE] = GL_EYE_LINEAR,
                                                [TEXENV_TEXGEN_SPHERE] = GL_SPHERE_MAP,
                                                [TEXENV_TEXGEN_REFLECTION] = GL_REFLECTION_MAP,
                                                [TEXENV_TEXGEN_NORMAL] = GL_NORMAL_MAP};
    const unsigned unit = es.te.active, c = coord - GL_S;
    if (c >= 4)
        return false;
    switch (pname) {
    case GL_TEXTURE_GEN_MODE: one(value, mode[es.values.vertex.texgen[unit][c]]); return true;
    case GL_OBJECT_PLANE: floats(value, 4, es.values.values.object_plane[unit][c]); return true;
    case GL_EYE_PLANE: floats(value, 4, es.values.values.eye_plane[unit][c]); return true;
    default: return false;
    }
}

#define GET_OF(Name, type, put, find) \
    void glGet##Name(GLenum target, GLenum pname, type *params) \
    { \
        struct es_value value = {.count = 0}; \
        if (!es_outside()) \
            return; \
        if (find(target, pname, &value)) \
            put(&value, params); \
        else \
            es_error(GL_INVALID_ENUM); \
    }
GET_OF(Lightfv, GLfloat, put_floats, get_light)
GET_OF(Lightiv, GLint, put_ints, get_light)
GET_OF(Materialfv, GLfloat, put_floats, get_material)
GET_OF(Materialiv, GLint, put_ints, get_material)
GET_OF(TexEnvfv, GLfloat, put_floats, get_env)
GET_OF(TexEnviv, GLint, put_ints, get_env)
GET_OF(TexGenfv, GLfloat, put_floats, get_gen)
GET_OF(TexGeniv, GLint, put_ints, get_gen)
GET_OF(TexGendv, GLdouble, put_doubles, get_gen)
GET_OF(TexParameterfv, GLfloat, put_floats, es_texture_parameter)
GET_OF(TexParameteriv, GLint, put_ints, es_texture_parameter)

void glGetClipPlane(GLenum plane, GLdouble *equation)
{
    if (!es_outside() || (plane - GL_CLIP_PLANE0 >= ES_CLIP_PLANES && es_error(GL_INVALID_ENUM)))
        return;
    for (unsigned i = 0; i < 4; i++)
        equation[i] = es.values.values.clip_plane[plane - GL_CLIP_PLANE0][i];
}
