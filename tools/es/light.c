/* State that is kept by the core: lights, materials, fog, texture environments and coordinate generation,
 * points, the alpha test. Integers and doubles are converted to floats (colours by table 2.9, see 2.14.2). */
#include "draw.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* GLES/gl.h declares those with GLfixed */

enum { BOTH = ES_DIRTY_STATE | ES_DIRTY_VALUES };

/* ---- parameters ---- */

static bool is_color(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_EMISSION:
    case GL_AMBIENT_AND_DIFFUSE:
    case GL_LIGHT_MODEL_AMBIENT:
    case GL_FOG_COLOR:
    case GL_TEXTURE_ENV_COLOR: return true;
    default: return false;
    }
}

/* Returns how many numbers the vector form of a call reads. */
static unsigned count_of(GLenum pname)
{
    switch (pname) {
    case GL_POSITION:
    case GL_OBJECT_PLANE:
    case GL_EYE_PLANE: return 4;
    case GL_SPOT_DIRECTION:
    case GL_POINT_DISTANCE_ATTENUATION:
    case GL_COLOR_INDEXES: return 3;
    default: return is_color(pname) ? 4 : 1;
    }
}

/* A call. Its command is given target, pname, whether the call has the vector form, and four numbers. */
struct call {
    es_command *command;
    GLenum target, pname;
    bool vector, anywhere;
};

static void send(const struct call *c, const float *v)
{
    union es_arg a[7] = {{.u = c->target}, {.u = c->pname}, {.u = c->vector}};
    for (unsigned i = 0; i < (c->vector ? count_of(c->pname) : 1); i++)
        a[3 + i].f = v[i];
    (c->anywhere ? es_call_anywhere : es_call)(c->command, 7, a, NULL, 0);
}

static void send_ints(const struct call *c, const GLint *v)
{
    float f[4] = {0};
    for (unsigned i = 0; i < (c->vector ? count_of(c->pname) : 1); i++)
        f[i] = is_color(c->pname) ? (float)((2.0 * v[i] + 1) / 4294967295.0) : (float)v[i];
    send(c, f);
}

/* Fixed point numbers of OpenGL ES 1.1, in which 65536 stands for 1. Enumerants and booleans are not scaled.
 */
static void send_fixed(const struct call *c, const GLfixed *v)
{
    float f[4] = {0};
    const GLenum p = c->pname;
    const bool scaled = count_of(p) > 1 || p == GL_SHININESS || p == GL_RGB_SCALE || p == GL_ALPHA_SCALE ||
        (p >= GL_SPOT_EXPONENT && p <= GL_QUADRATIC_ATTENUATION) ||
        (p >= GL_FOG_DENSITY && p <= GL_FOG_END) ||
        (p >= GL_POINT_SIZE_MIN && p <= GL_POINT_FADE_THRESHOLD_SIZE);
    for (unsigned i = 0; i < (c->vector ? count_of(p) : 1); i++)
        f[i] = (float)v[i] / (scaled ? 65536 : 1);
    send(c, f);
}

static void send_doubles(const struct call *c, const GLdouble *v)
{
    float f[4] = {0};
    for (unsigned i = 0; i < (c->vector ? count_of(c->pname) : 1); i++)
        f[i] = texenv_float(v[i]);
    send(c, f);
}

#define NUMBERS(a) ((const float[]){(a)[3].f, (a)[4].f, (a)[5].f, (a)[6].f})

/* Ends a command: sets GL's error or, if there is none, the bits of es.dirty that the command changes. */
static void done(GLenum error, uint32_t dirty)
{
    if (!es_error(error))
        es.dirty |= dirty;
}

/* ---- commands ---- */

ES_COMMAND(light)
{
    const GLenum pname = a[1].u;
    done(a[2].u ? texenv_values_light_fv(&es.values, &es.te, a[0].u, pname, NUMBERS(a))
                : texenv_values_light_f(&es.values, &es.te, a[0].u, pname, a[3].f),
         is_color(pname) ? ES_DIRTY_VALUES : BOTH);
}

ES_COMMAND(light_model)
{
    if (a[1].u == GL_LIGHT_MODEL_COLOR_CONTROL)
        done(texenv_light_model_i(&es.te, a[1].u, (int32_t)a[3].f), BOTH);
    else
        done(a[2].u ? texenv_values_light_model_fv(&es.values, &es.te, a[1].u, NUMBERS(a))
                    : texenv_values_light_model_f(&es.values, &es.te, a[1].u, a[3].f),
             BOTH);
}

ES_COMMAND(material)
{
    if (es.te.inside_begin)
        es_batch_split();
    else if (es.vertices)
        es_flush();
    done(a[2].u ? texenv_values_material_fv(&es.values, a[0].u, a[1].u, NUMBERS(a))
                : texenv_values_material_f(&es.values, a[0].u, a[1].u, a[3].f),
         ES_DIRTY_VALUES);
}

ES_COMMAND(fog)
{
    const GLenum pname = a[1].u;
    if (pname == GL_FOG_MODE || pname == GL_FOG_COORD_SRC)
        done(texenv_fog_i(&es.te, pname, (int32_t)a[3].f), BOTH);
    else
        done(a[2].u ? texenv_values_fog_fv(&es.values, &es.te, pname, NUMBERS(a))
                    : texenv_values_fog_f(&es.values, &es.te, pname, a[3].f),
             ES_DIRTY_VALUES);
}

ES_COMMAND(tex_env)
{
    const GLenum target = a[0].u, pname = a[1].u;
    const unsigned unit = es.te.active;
    if (es_error(a[2].u ? texenv_tex_env_fv(&es.te, target, pname, NUMBERS(a))
                        : texenv_tex_env_f(&es.te, target, pname, a[3].f)))
        return;
    if (target == GL_POINT_SPRITE)
        done(texenv_coord_replace(&es.values.vertex, &es.te, a[3].f != 0), BOTH);
    else if (target == GL_TEXTURE_FILTER_CONTROL && unit < TEXENV_UNITS) {
        es.lod_bias[unit] = a[3].f;
        if (a[3].f != 0)
            es_missing("TexEnv(GL_TEXTURE_LOD_BIAS)", "ES has no bias");
    } else if (pname == GL_TEXTURE_ENV_COLOR) {
        memcpy(es.values.values.texenv_color[unit], es.te.unit[unit].env.color, 4 * sizeof(float));
        es.dirty |= ES_DIRTY_VALUES;
    } else
        es.dirty |= ES_DIRTY_STATE;
}

ES_COMMAND(tex_gen)
{
    done(a[2].u ? texenv_values_tex_gen_fv(&es.values, &es.te, a[0].u, a[1].u, NUMBERS(a))
                : texenv_values_tex_gen_f(&es.values, &es.te, a[0].u, a[1].u, a[3].f),
         a[1].u == GL_TEXTURE_GEN_MODE ? BOTH : ES_DIRTY_VALUES);
}

ES_COMMAND(point_parameter)
{
    done(a[2].u ? texenv_values_point_parameter_fv(&es.values, &es.te, a[1].u, NUMBERS(a))
                : texenv_values_point_parameter_f(&es.values, &es.te, a[1].u, a[3].f),
         BOTH);
}

/* ---- calls ---- */

#define FORMS(Name, command, target, first, anywhere) \
    void gl##Name##f(first GLenum p, GLfloat v) \
    { \
        send(&(struct call){command, target, p, false, anywhere}, &v); \
    } \
    void gl##Name##fv(first GLenum p, const GLfloat *v) \
    { \
        send(&(struct call){command, target, p, true, anywhere}, v); \
    } \
    void gl##Name##i(first GLenum p, GLint v) \
    { \
        send_ints(&(struct call){command, target, p, false, anywhere}, &v); \
    } \
    void gl##Name##iv(first GLenum p, const GLint *v) \
    { \
        send_ints(&(struct call){command, target, p, true, anywhere}, v); \
    }
#define COMMA ,
FORMS(Light, light, t, GLenum t COMMA, false)
FORMS(Material, material, t, GLenum t COMMA, true)
FORMS(TexEnv, tex_env, t, GLenum t COMMA, false)
FORMS(LightModel, light_model, 0, , false)
FORMS(Fog, fog, 0, , false)
FORMS(PointParameter, point_parameter, 0, , false)
FORMS(TexGen, tex_gen, t, GLenum t COMMA, false)

/* Forms that only OpenGL ES 1.1 has. */
#define FIXED_FORMS(Name, command, target, first, anywhere) \
    void gl##Name##x(first GLenum p, GLfixed v) \
    { \
        send_fixed(&(struct call){command, target, p, false, anywhere}, &v); \
    } \
    void gl##Name##xv(first GLenum p, const GLfixed *v) \
    { \
        send_fixed(&(struct call){command, target, p, true, anywhere}, v); \
    }
FIXED_FORMS(Light, light, t, GLenum t COMMA, false)
FIXED_FORMS(Material, material, t, GLenum t COMMA, true)
FIXED_FORMS(TexEnv, tex_env, t, GLenum t COMMA, false)
FIXED_FORMS(LightModel, light_model, 0, , false)
FIXED_FORMS(Fog, fog, 0, , false)
FIXED_FORMS(PointParameter, point_parameter, 0, , false)

void glTexGend(GLenum t, GLenum p, GLdouble v)
{
    send_doubles(&(struct call){tex_gen, t, p, false, false}, &v);
}
void glTexGendv(GLenum t, GLenum p, const GLdouble *v)
{
    send_doubles(&(struct call){tex_gen, t, p, true, false}, v);
}
ES_ALIAS(glPointParameterfARB, glPointParameterf);
ES_ALIAS(glPointParameterfvARB, glPointParameterfv);
ES_ALIAS(glPointParameterfEXT, glPointParameterf);
ES_ALIAS(glPointParameterfvEXT, glPointParameterfv);

/* ---- other calls ---- */

ES_COMMAND(alpha_func)
{
    done(texenv_alpha_func(&es.te, a[0].u, a[1].f), BOTH);
    es.values.values.alpha_reference = es.te.alpha_ref;
}
void glAlphaFunc(GLenum func, GLclampf ref) { ES_CALL(alpha_func, {.u = func}, {.f = ref}); }

ES_COMMAND(shade_model) { done(texenv_shade_model(&es.values.vertex, &es.te, a[0].u), ES_DIRTY_STATE); }
void glShadeModel(GLenum mode) { ES_CALL(shade_model, {.u = mode}); }

ES_COMMAND(color_material) { done(texenv_values_color_material(&es.values, &es.te, a[0].u, a[1].u), BOTH); }
void glColorMaterial(GLenum face, GLenum mode) { ES_CALL(color_material, {.u = face}, {.u = mode}); }

ES_COMMAND(point_size) { done(texenv_values_point_size(&es.values, &es.te, a[0].f), ES_DIRTY_VALUES); }
void glPointSize(GLfloat size) { ES_CALL(point_size, {.f = size}); }

ES_COMMAND(clip_plane)
{
    if (a[0].u < GL_CLIP_PLANE0 || a[0].u >= GL_CLIP_PLANE0 + ES_CLIP_PLANES)
        es_error(GL_INVALID_ENUM);
    else
        done(texenv_values_clip_plane(&es.values, &es.te, a[0].u, &a[1].f), ES_DIRTY_VALUES);
}
void glClipPlane(GLenum plane, const GLdouble *equation)
{
    float v[4];
    for (unsigned i = 0; i < 4; i++)
        v[i] = texenv_float(equation[i]);
    ES_CALL(clip_plane, {.u = plane}, {.f = v[0]}, {.f = v[1]}, {.f = v[2]}, {.f = v[3]});
}

ES_COMMAND(active_texture)
{
    if (a[0].u < GL_TEXTURE0 || a[0].u >= GL_TEXTURE0 + (GLuint)es.limits.units)
        es_error(GL_INVALID_ENUM);
    else
        es_error(texenv_active_texture(&es.te, a[0].u));
}
void glActiveTexture(GLenum unit) { ES_CALL(active_texture, {.u = unit}); }
ES_ALIAS(glActiveTextureARB, glActiveTexture);

void glClientActiveTexture(GLenum unit)
{
    es_open();
    if (unit < GL_TEXTURE0 || unit >= GL_TEXTURE0 + (GLuint)es.limits.units)
        es_error(GL_INVALID_ENUM);
    else
        es.te.client_active = (uint8_t)(unit - GL_TEXTURE0);
}
ES_ALIAS(glClientActiveTextureARB, glClientActiveTexture);
