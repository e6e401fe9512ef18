/* The setters: they change the GL-side state of the texture environment and return the errors that GL
 * defines. Section numbers are of the OpenGL 2.1 specification. The values that each parameter accepts are
 * the union of ARB_texture_env_combine, ARB_texture_env_crossbar, EXT/ARB_texture_env_dot3,
 * ATI_texture_env_combine3 and NV_texture_env_combine4. */
#include "texenv/gl.h"
#include "texenv/pack.h"

#include <string.h>

#if (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(_M_FP_FAST)
#error "colours may be NaN: compile texenvc with -fno-finite-math-only behind -ffast-math, or without both"
#endif

void texenv_init(struct texenv *te)
{
    memset(te, 0, sizeof *te);
    te->fog_mode = TEXENV_FOG_EXP;
    te->alpha_func = TEXENV_ALWAYS;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        struct texenv_env *env = &te->unit[u].env;
        env->mode = GL_MODULATE;
        for (unsigned h = 0; h < 2; h++) {
            static const uint32_t source[TEXENV_ARGS] = {GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT, GL_ZERO};
            static const uint32_t operand[2][TEXENV_ARGS] = {
                {GL_SRC_COLOR, GL_SRC_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_COLOR},
                {GL_SRC_ALPHA, GL_SRC_ALPHA, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA}};
            env->combine[h] = GL_MODULATE;
            memcpy(env->source[h], source, sizeof source);
            memcpy(env->operand[h], operand[h], sizeof operand[h]);
            env->scale[h] = 1;
        }
        for (unsigned t = 0; t < TEXENV_TARGETS; t++)
            te->unit[u].texture[t].depth_mode = TEXENV_LUMINANCE;
    }
}

static uint32_t set_unit(const struct texenv *te, uint8_t *unit, uint32_t texture, unsigned units)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (texture < GL_TEXTURE0 || texture >= GL_TEXTURE0 + units)
        return TEXENV_INVALID_ENUM;
    *unit = (uint8_t)(texture - GL_TEXTURE0);
    return TEXENV_OK;
}

uint32_t texenv_active_texture(struct texenv *te, uint32_t texture)
{
    return set_unit(te, &te->active, texture, TEXENV_IMAGE_UNITS);
}

uint32_t texenv_client_active_texture(struct texenv *te, uint32_t texture)
{
    return set_unit(te, &te->client_active, texture, TEXENV_UNITS);
}

int texenv_target_of(uint32_t gl_target)
{
    switch (gl_target) {
    case GL_TEXTURE_1D: return TEXENV_1D;
    case GL_TEXTURE_2D: return TEXENV_2D;
    case GL_TEXTURE_RECTANGLE: return TEXENV_RECT;
    case GL_TEXTURE_3D: return TEXENV_3D;
    case GL_TEXTURE_CUBE_MAP:
    case GL_TEXTURE_CUBE_MAP_POSITIVE_X:
    case GL_TEXTURE_CUBE_MAP_NEGATIVE_X:
    case GL_TEXTURE_CUBE_MAP_POSITIVE_Y:
    case GL_TEXTURE_CUBE_MAP_NEGATIVE_Y:
    case GL_TEXTURE_CUBE_MAP_POSITIVE_Z:
    case GL_TEXTURE_CUBE_MAP_NEGATIVE_Z: return TEXENV_CUBE;
    default: return -1;
    }
}

/* Returns the target, or -1 if it cannot be enabled and bound (a single cube face, for example). */
static int bindable_target(uint32_t gl_target)
{
    int t = texenv_target_of(gl_target);
    return t == TEXENV_CUBE && gl_target != GL_TEXTURE_CUBE_MAP ? -1 : t;
}

uint32_t texenv_enable(struct texenv *te, uint32_t cap, bool on)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    int target = bindable_target(cap);
    if (target >= 0) {
        if (te->active >= TEXENV_UNITS)
            return TEXENV_INVALID_OPERATION;
        struct texenv_unit *unit = &te->unit[te->active];
        unit->enabled = texenv_with_bit(unit->enabled, 1u << target, on);
        texenv_pack_texture(te);
        return TEXENV_OK;
    }
    switch (cap) {
    case GL_COLOR_SUM: te->color_sum = on; break;
    case GL_LIGHTING: te->lighting = on; break;
    case GL_FOG: te->fog = on; break;
    case GL_ALPHA_TEST: te->alpha_test = on; break;
    case GL_FRAGMENT_PROGRAM_ARB:
    case GL_FRAGMENT_PROGRAM_NV: te->programs = texenv_with_bit(te->programs, TEXENV_PROGRAM_ARB, on); break;
    case GL_FRAGMENT_SHADER_ATI:
    case GL_TEXT_FRAGMENT_SHADER_ATI:
        te->programs = texenv_with_bit(te->programs, TEXENV_PROGRAM_ATI, on);
        break;
    case GL_REGISTER_COMBINERS_NV:
        te->programs = texenv_with_bit(te->programs, TEXENV_PROGRAM_COMBINERS, on);
        break;
    case GL_TEXTURE_SHADER_NV:
        te->programs = texenv_with_bit(te->programs, TEXENV_PROGRAM_TEXTURE_SHADER, on);
        break;
    default: break;
    }
    return TEXENV_OK;
}

/* ---- TexEnv ---- */

int texenv_slot_of(uint32_t pname)
{
    /* Arg0 to Arg3 of each kind have consecutive values (SOURCE3 and OPERAND3 come from
     * NV_texture_env_combine4). */
    if (pname >= GL_SOURCE0_RGB && pname <= GL_SOURCE3_RGB_NV)
        return TEXENV_AT_SOURCE_RGB + (int)(pname - GL_SOURCE0_RGB);
    if (pname >= GL_SOURCE0_ALPHA && pname <= GL_SOURCE3_ALPHA_NV)
        return TEXENV_AT_SOURCE_ALPHA + (int)(pname - GL_SOURCE0_ALPHA);
    if (pname >= GL_OPERAND0_RGB && pname <= GL_OPERAND3_RGB_NV)
        return TEXENV_AT_OPERAND_RGB + (int)(pname - GL_OPERAND0_RGB);
    if (pname >= GL_OPERAND0_ALPHA && pname <= GL_OPERAND3_ALPHA_NV)
        return TEXENV_AT_OPERAND_ALPHA + (int)(pname - GL_OPERAND0_ALPHA);
    switch (pname) {
    case GL_TEXTURE_ENV_MODE: return TEXENV_AT_MODE;
    case GL_TEXTURE_ENV_COLOR: return TEXENV_AT_COLOR;
    case GL_COMBINE_RGB: return TEXENV_AT_COMBINE_RGB;
    case GL_COMBINE_ALPHA: return TEXENV_AT_COMBINE_ALPHA;
    case GL_RGB_SCALE: return TEXENV_AT_SCALE_RGB;
    case GL_ALPHA_SCALE: return TEXENV_AT_SCALE_ALPHA;
    default: return -1;
    }
}

static bool is_mode(uint32_t v)
{
    return v == GL_MODULATE || v == GL_DECAL || v == GL_BLEND || v == GL_REPLACE || v == GL_REPLACE_EXT ||
        v == GL_ADD || v == GL_COMBINE || v == GL_COMBINE4_NV;
}

static bool is_function(uint32_t v, unsigned half)
{
    switch (v) {
    case GL_REPLACE:
    case GL_MODULATE:
    case GL_ADD:
    case GL_ADD_SIGNED:
    case GL_INTERPOLATE:
    case GL_SUBTRACT:
    case GL_MODULATE_ADD_ATI:
    case GL_MODULATE_SIGNED_ADD_ATI:
    case GL_MODULATE_SUBTRACT_ATI: return true;
    case GL_DOT3_RGB:
    case GL_DOT3_RGBA:
    case GL_DOT3_RGB_EXT:
    case GL_DOT3_RGBA_EXT: return half == TEXENV_RGB;
    default: return false;
    }
}

static bool is_source(uint32_t v, unsigned arg)
{
    switch (v) {
    case GL_TEXTURE:
    case GL_CONSTANT:
    case GL_PRIMARY_COLOR:
    case GL_PREVIOUS:
    case GL_ZERO: return true;
    /* ATI_texture_env_combine3, which defines ONE, has three arguments; NV_texture_env_combine4 does not list
     * ONE */
    case GL_ONE: return arg < 3;
    default: return v >= GL_TEXTURE0 && v < GL_TEXTURE0 + TEXENV_UNITS;
    }
}

static bool is_operand(uint32_t v, unsigned half)
{
    if (v == GL_SRC_ALPHA || v == GL_ONE_MINUS_SRC_ALPHA)
        return true;
    return half == TEXENV_RGB && (v == GL_SRC_COLOR || v == GL_ONE_MINUS_SRC_COLOR);
}

/* Makes the checks of target and context that all variants of TexEnv share. Sets *done if the call changes
 * nothing. */
static uint32_t check_tex_env(const struct texenv *te, uint32_t target, uint32_t pname, bool *done)
{
    *done = true;
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (target == GL_TEXTURE_FILTER_CONTROL)
        return pname == GL_TEXTURE_LOD_BIAS ? TEXENV_OK : TEXENV_INVALID_ENUM;
    if (target == GL_POINT_SPRITE)
        return pname == GL_COORD_REPLACE ? TEXENV_OK : TEXENV_INVALID_ENUM;
    if (target != GL_TEXTURE_ENV)
        return TEXENV_INVALID_ENUM;
    if (te->active >= TEXENV_UNITS) /* units 8 and above have no environment */
        return TEXENV_INVALID_OPERATION;
    *done = false;
    return TEXENV_OK;
}

/* Sets any parameter except the colour and the scales to an enumerant. */
static uint32_t set_enum(struct texenv *te, uint32_t pname, uint32_t v)
{
    struct texenv_env *env = &te->unit[te->active].env;
    const int slot = texenv_slot_of(pname);
    uint32_t *value = NULL;
    /* stays false for unknown parameters, and for the colour, which only the vector variants set */
    bool valid = false;
    if (slot >= TEXENV_AT_SOURCE_RGB) {
        const unsigned n = (unsigned)(slot - TEXENV_AT_SOURCE_RGB), arg = n % TEXENV_ARGS,
                       half = n / TEXENV_ARGS % 2;
        const bool source = n < 2 * TEXENV_ARGS;
        value = source ? &env->source[half][arg] : &env->operand[half][arg];
        valid = source ? is_source(v, arg) : is_operand(v, half);
    } else if (slot == TEXENV_AT_MODE) {
        value = &env->mode;
        valid = is_mode(v);
    } else if (slot == TEXENV_AT_COMBINE_RGB || slot == TEXENV_AT_COMBINE_ALPHA) {
        const unsigned half = slot == TEXENV_AT_COMBINE_ALPHA ? TEXENV_ALPHA : TEXENV_RGB;
        value = &env->combine[half];
        valid = is_function(v, half);
    }
    if (!valid)
        return TEXENV_INVALID_ENUM;
    *value = v;
    texenv_pack_slot(te, slot, v);
    return TEXENV_OK;
}

static bool is_scale(uint32_t pname) { return pname == GL_RGB_SCALE || pname == GL_ALPHA_SCALE; }

static uint32_t set_scale(struct texenv *te, uint32_t pname, float v)
{
    if (v != 1.0f && v != 2.0f && v != 4.0f)
        return TEXENV_INVALID_VALUE;
    te->unit[te->active].env.scale[pname == GL_ALPHA_SCALE] = (uint8_t)v;
    texenv_pack_slot(te, texenv_slot_of(pname), (uint32_t)v);
    return TEXENV_OK;
}

/* TEXTURE_ENV_COLOR and the alpha test's reference are clamped when they are set (3.8.13, 4.1.4). NaN and -0
 * become 0. */
static float clamp01(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

uint32_t texenv_tex_env_i(struct texenv *te, uint32_t target, uint32_t pname, int32_t param)
{
    bool done;
    uint32_t error = check_tex_env(te, target, pname, &done);
    if (done)
        return error;
    return is_scale(pname) ? set_scale(te, pname, (float)param) : set_enum(te, pname, (uint32_t)param);
}

uint32_t texenv_tex_env_f(struct texenv *te, uint32_t target, uint32_t pname, float param)
{
    bool done;
    uint32_t error = check_tex_env(te, target, pname, &done);
    if (done)
        return error;
    return is_scale(pname) ? set_scale(te, pname, param) : set_enum(te, pname, texenv_enum_of(param));
}

uint32_t texenv_tex_env_fv(struct texenv *te, uint32_t target, uint32_t pname, const float *params)
{
    bool done;
    uint32_t error = check_tex_env(te, target, pname, &done);
    if (done)
        return error;
    if (pname != GL_TEXTURE_ENV_COLOR)
        return texenv_tex_env_f(te, target, pname, params[0]);
    for (unsigned c = 0; c < 4; c++)
        te->unit[te->active].env.color[c] = clamp01(params[c]);
    return TEXENV_OK;
}

uint32_t texenv_tex_env_iv(struct texenv *te, uint32_t target, uint32_t pname, const int32_t *params)
{
    if (target != GL_TEXTURE_ENV || pname != GL_TEXTURE_ENV_COLOR)
        return texenv_tex_env_i(te, target, pname, params[0]);
    float color[4];
    for (unsigned c = 0; c < 4; c++)
        color[c] = (float)((2.0 * params[c] + 1.0) / 4294967295.0); /* table 2.9, signed 32-bit components */
    return texenv_tex_env_fv(te, target, pname, color);
}

/* ---- state around texturing ---- */

uint32_t texenv_light_model_i(struct texenv *te, uint32_t pname, int32_t param)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (pname != GL_LIGHT_MODEL_COLOR_CONTROL)
        return TEXENV_OK;
    if (param != GL_SINGLE_COLOR && param != GL_SEPARATE_SPECULAR_COLOR)
        return TEXENV_INVALID_ENUM;
    te->separate_specular = param == GL_SEPARATE_SPECULAR_COLOR;
    return TEXENV_OK;
}

uint32_t texenv_fog_i(struct texenv *te, uint32_t pname, int32_t param)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (pname == GL_FOG_MODE) {
        switch (param) {
        case GL_LINEAR: te->fog_mode = TEXENV_FOG_LINEAR; return TEXENV_OK;
        case GL_EXP: te->fog_mode = TEXENV_FOG_EXP; return TEXENV_OK;
        case GL_EXP2: te->fog_mode = TEXENV_FOG_EXP2; return TEXENV_OK;
        default: return TEXENV_INVALID_ENUM;
        }
    }
    if (pname == GL_FOG_COORDINATE_SOURCE) {
        if (param != GL_FOG_COORDINATE && param != GL_FRAGMENT_DEPTH)
            return TEXENV_INVALID_ENUM;
        te->fog_coord = param == GL_FOG_COORDINATE;
    }
    return TEXENV_OK;
}

uint32_t texenv_alpha_func(struct texenv *te, uint32_t func, float ref)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (func < GL_NEVER || func > GL_ALWAYS)
        return TEXENV_INVALID_ENUM;
    te->alpha_func = (uint8_t)(func - GL_NEVER + TEXENV_NEVER);
    te->alpha_ref = clamp01(ref);
    return TEXENV_OK;
}

uint32_t texenv_begin(struct texenv *te)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    te->inside_begin = 1;
    return TEXENV_OK;
}

uint32_t texenv_end(struct texenv *te)
{
    if (!te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    te->inside_begin = 0;
    return TEXENV_OK;
}

static uint32_t set_program(struct texenv *te, unsigned bit, uint32_t name)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    te->programs = texenv_with_bit(te->programs, bit, name != 0);
    return TEXENV_OK;
}

uint32_t texenv_use_program(struct texenv *te, uint32_t name)
{
    return set_program(te, TEXENV_PROGRAM_GLSL, name);
}

uint32_t texenv_bind_pipeline(struct texenv *te, uint32_t name)
{
    return set_program(te, TEXENV_PROGRAM_PIPELINE, name);
}

/* ---- textures ---- */

uint32_t texenv_bind_texture(struct texenv *te, uint32_t target, const struct texenv_texture *texture)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    int t = bindable_target(target);
    if (t < 0)
        return TEXENV_INVALID_ENUM;
    if (te->active >= TEXENV_UNITS)
        return TEXENV_OK;
    te->unit[te->active].texture[t] = *texture;
    texenv_pack_texture(te);
    return TEXENV_OK;
}

int texenv_base_of(uint32_t internal_format)
{
    static const struct {
        uint16_t first, last, base;
    } ranges[] = {
#define FORMAT(name, value, base) {value, value, TEXENV_##base},
#include "texenv/formats.def"
#define FORMATS(first, last, base) {first, last, TEXENV_##base},
#include "texenv/format_ranges.def"
#undef FORMATS
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (internal_format >= ranges[i].first && internal_format <= ranges[i].last)
            return ranges[i].base;
    return -1;
}

uint32_t texenv_texture_image(struct texenv_texture *t, int32_t level, uint32_t internal_format)
{
    int base = texenv_base_of(internal_format);
    if (level < 0 || base < 0)
        return TEXENV_INVALID_VALUE;
    if (level == 0) {
        t->complete = 1;
        t->base = (uint8_t)base;
    }
    return TEXENV_OK;
}

uint32_t texenv_texture_parameter_i(struct texenv_texture *t, uint32_t pname, int32_t param)
{
    if (pname == GL_DEPTH_TEXTURE_MODE) {
        switch (param) {
        case GL_LUMINANCE: t->depth_mode = TEXENV_LUMINANCE; return TEXENV_OK;
        case GL_INTENSITY: t->depth_mode = TEXENV_INTENSITY; return TEXENV_OK;
        case GL_ALPHA: t->depth_mode = TEXENV_BASE_ALPHA; return TEXENV_OK;
        case GL_RED: t->depth_mode = TEXENV_RED; return TEXENV_OK;
        default: return TEXENV_INVALID_ENUM;
        }
    }
    if (pname == GL_TEXTURE_COMPARE_MODE) {
        if (param != GL_NONE && param != GL_COMPARE_R_TO_TEXTURE)
            return TEXENV_INVALID_ENUM;
        t->compare = param == GL_COMPARE_R_TO_TEXTURE;
    }
    return TEXENV_OK;
}

const char *texenv_error_name(uint32_t error)
{
    static const char *const names[] = {"GL_INVALID_ENUM",
                                        "GL_INVALID_VALUE",
                                        "GL_INVALID_OPERATION",
                                        "GL_STACK_OVERFLOW",
                                        "GL_STACK_UNDERFLOW",
                                        "GL_OUT_OF_MEMORY",
                                        "GL_INVALID_FRAMEBUFFER_OPERATION",
                                        "GL_CONTEXT_LOST",
                                        "GL_TABLE_TOO_LARGE"};
    if (error == TEXENV_OK)
        return "GL_NO_ERROR";
    if (error == 0x8031)
        return names[8];
    return error >= TEXENV_INVALID_ENUM && error < TEXENV_INVALID_ENUM + 8
        ? names[error - TEXENV_INVALID_ENUM]
        : NULL;
}
