/* Tests the setters of texture state against the specifications: every value that a parameter accepts or
 * rejects, every error, and that an error leaves the state unchanged. The lists below were written from the
 * specifications, not from the library. */
#include "build_state.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { LIST = 20 };
typedef uint32_t list[LIST]; /* terminated by END */
#define END 0xdeadbeefu

static const list modes = {GL_MODULATE, GL_DECAL,   GL_BLEND,       GL_REPLACE, GL_REPLACE_EXT,
                           GL_ADD,      GL_COMBINE, GL_COMBINE4_NV, END};
static const list rgb_functions = {GL_REPLACE,
                                   GL_MODULATE,
                                   GL_ADD,
                                   GL_ADD_SIGNED,
                                   GL_INTERPOLATE,
                                   GL_SUBTRACT,
                                   GL_DOT3_RGB,
                                   GL_DOT3_RGBA,
                                   GL_DOT3_RGB_EXT,
                                   GL_DOT3_RGBA_EXT,
                                   GL_MODULATE_ADD_ATI,
                                   GL_MODULATE_SIGNED_ADD_ATI,
                                   GL_MODULATE_SUBTRACT_ATI,
                                   END};
static const list alpha_functions = {GL_REPLACE,
                                     GL_MODULATE,
                                     GL_ADD,
                                     GL_ADD_SIGNED,
                                     GL_INTERPOLATE,
                                     GL_SUBTRACT,
                                     GL_MODULATE_ADD_ATI,
                                     GL_MODULATE_SIGNED_ADD_ATI,
                                     GL_MODULATE_SUBTRACT_ATI,
                                     END};
static const list sources = {GL_TEXTURE,  GL_CONSTANT, GL_PRIMARY_COLOR, GL_PREVIOUS, GL_ZERO,
                             GL_ONE,      GL_TEXTURE0, GL_TEXTURE1,      GL_TEXTURE2, GL_TEXTURE3,
                             GL_TEXTURE4, GL_TEXTURE5, GL_TEXTURE6,      GL_TEXTURE7, END};
static const list sources3 = {GL_TEXTURE, GL_CONSTANT, GL_PRIMARY_COLOR, GL_PREVIOUS, GL_ZERO, GL_TEXTURE0,
                              GL_TEXTURE1, GL_TEXTURE2,
                              /* NV_texture_env_combine4: ONE is not allowed */
                              GL_TEXTURE3, GL_TEXTURE4, GL_TEXTURE5, GL_TEXTURE6, GL_TEXTURE7, END};
static const list rgb_operands = {GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA,
                                  END};
static const list alpha_operands = {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, END};

#define FIELD(member) offsetof(struct texenv_env, member)
/* Parameters whose values are enumerants: accepted values, initial value (table 6.20 and those of the
 * extensions), and the field of the state. */
static const struct parameter {
    uint32_t pname;
    const uint32_t *legal;
    uint32_t initial;
    size_t field;
} parameters[] = {
    {GL_TEXTURE_ENV_MODE, modes, GL_MODULATE, FIELD(mode)},
    {GL_COMBINE_RGB, rgb_functions, GL_MODULATE, FIELD(combine[0])},
    {GL_COMBINE_ALPHA, alpha_functions, GL_MODULATE, FIELD(combine[1])},
    {GL_SOURCE0_RGB, sources, GL_TEXTURE, FIELD(source[0][0])},
    {GL_SOURCE1_RGB, sources, GL_PREVIOUS, FIELD(source[0][1])},
    {GL_SOURCE2_RGB, sources, GL_CONSTANT, FIELD(source[0][2])},
    {GL_SOURCE3_RGB_NV, sources3, GL_ZERO, FIELD(source[0][3])},
    {GL_SOURCE0_ALPHA, sources, GL_TEXTURE, FIELD(source[1][0])},
    {GL_SOURCE1_ALPHA, sources, GL_PREVIOUS, FIELD(source[1][1])},
    {GL_SOURCE2_ALPHA, sources, GL_CONSTANT, FIELD(source[1][2])},
    {GL_SOURCE3_ALPHA_NV, sources3, GL_ZERO, FIELD(source[1][3])},
    {GL_OPERAND0_RGB, rgb_operands, GL_SRC_COLOR, FIELD(operand[0][0])},
    {GL_OPERAND1_RGB, rgb_operands, GL_SRC_COLOR, FIELD(operand[0][1])},
    {GL_OPERAND2_RGB, rgb_operands, GL_SRC_ALPHA, FIELD(operand[0][2])},
    {GL_OPERAND3_RGB_NV, rgb_operands, GL_ONE_MINUS_SRC_COLOR, FIELD(operand[0][3])},
    {GL_OPERAND0_ALPHA, alpha_operands, GL_SRC_ALPHA, FIELD(operand[1][0])},
    {GL_OPERAND1_ALPHA, alpha_operands, GL_SRC_ALPHA, FIELD(operand[1][1])},
    {GL_OPERAND2_ALPHA, alpha_operands, GL_SRC_ALPHA, FIELD(operand[1][2])},
    {GL_OPERAND3_ALPHA_NV, alpha_operands, GL_ONE_MINUS_SRC_ALPHA, FIELD(operand[1][3])},
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static bool in(const uint32_t *values, uint32_t v)
{
    for (; *values != END; values++)
        if (*values == v)
            return true;
    return false;
}

static uint32_t *field_of(struct texenv *te, const struct parameter *p)
{
    return (uint32_t *)((char *)&te->unit[te->active].env + p->field);
}

static struct texenv fresh(unsigned active)
{
    struct texenv te;
    memset(&te, 0x5a, sizeof te);
    texenv_init(&te);
    te.active = (uint8_t)active;
    return te;
}

/* Calls TexEnv in one of its four forms. */
static uint32_t call(struct texenv *te, unsigned form, uint32_t target, uint32_t pname, int32_t v)
{
    const float f = (float)v;
    switch (form) {
    case 0: return texenv_tex_env_i(te, target, pname, v);
    case 1: return texenv_tex_env_f(te, target, pname, f);
    case 2: return texenv_tex_env_iv(te, target, pname, &v);
    default: return texenv_tex_env_fv(te, target, pname, &f);
    }
}

static void initial_state(void)
{
    struct texenv te = fresh(0);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        te.active = (uint8_t)u;
        for (unsigned i = 0; i < PARAMETERS; i++)
            CHECK_SAY(*field_of(&te, &parameters[i]) == parameters[i].initial, "unit %u pname 0x%x", u,
                      parameters[i].pname);
        const struct texenv_unit *unit = &te.unit[u];
        CHECK(unit->env.scale[0] == 1 && unit->env.scale[1] == 1 && unit->enabled == 0);
        for (unsigned c = 0; c < 4; c++)
            CHECK(unit->env.color[c] == 0);
        for (unsigned t = 0; t < TEXENV_TARGETS; t++)
            CHECK(!unit->texture[t].complete && unit->texture[t].depth_mode == TEXENV_LUMINANCE &&
                  !unit->texture[t].compare);
    }
    te.active = 0;
    CHECK(!te.client_active && !te.inside_begin && !te.color_sum && !te.lighting && !te.separate_specular &&
          !te.fog && !te.fog_coord && !te.programs);
    CHECK(te.fog_mode == TEXENV_FOG_EXP);
}

/* Passes every 16-bit value, and a few wider ones, to each of these parameters by all forms of TexEnv. */
static void enumerated_parameters(void)
{
    static const int32_t wide[] = {-1, INT32_MIN, INT32_MAX, 0x10000, 0x10000 + GL_MODULATE, 0x1000000};
    for (unsigned i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &parameters[i];
        for (unsigned form = 0; form < 4; form++) {
            unsigned unit = (i + form) % TEXENV_UNITS;
            struct texenv te = fresh(unit), expected = te;
            for (int32_t n = 0; n < 0x10000 + (int32_t)(sizeof wide / sizeof *wide); n++) {
                int32_t v = n < 0x10000 ? n : wide[n - 0x10000];
                bool legal = in(p->legal, (uint32_t)v);
                if (legal)
                    *field_of(&expected, p) = (uint32_t)v;
                uint32_t error = call(&te, form, GL_TEXTURE_ENV, p->pname, v);
                CHECK_SAY(error == (legal ? GL_NO_ERROR : GL_INVALID_ENUM),
                          "pname 0x%x value 0x%x form %u: 0x%x", p->pname, (unsigned)v, form, error);
                if (!CHECK_SAY(memcmp(&te, &expected, sizeof te) == 0, "pname 0x%x value 0x%x form %u: state",
                               p->pname, (unsigned)v, form))
                    te = expected;
            }
        }
    }
}

/* Tests floats passed for enumerants: they are rounded to the nearest integer (2.6), without overflow. */
static void float_enumerants(void)
{
    struct texenv te = fresh(2);
    CHECK(texenv_tex_env_f(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (float)GL_DECAL + 0.25f) == 0);
    CHECK(te.unit[2].env.mode == GL_DECAL);
    CHECK(texenv_tex_env_f(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (float)GL_REPLACE - 0.25f) == 0);
    CHECK(te.unit[2].env.mode == GL_REPLACE);
    const float bad[] = {-1.0f, -(float)GL_DECAL, 4294967296.0f + (float)GL_DECAL, INFINITY, -INFINITY, NAN,
                         1e30f, FLT_MAX};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct texenv before = te;
        CHECK_SAY(texenv_tex_env_f(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, bad[i]) == GL_INVALID_ENUM, "%g",
                  (double)bad[i]);
        CHECK(memcmp(&te, &before, sizeof te) == 0);
    }
}

static void scales(void)
{
    for (unsigned half = 0; half < 2; half++) {
        uint32_t pname = half ? GL_ALPHA_SCALE : GL_RGB_SCALE;
        struct texenv te = fresh(3), expected = te;
        for (int32_t v = -5; v < 300; v++)
            for (unsigned form = 0; form < 4; form++) {
                bool legal = v == 1 || v == 2 || v == 4;
                if (legal)
                    expected.unit[3].env.scale[half] = (uint8_t)v;
                CHECK_SAY(call(&te, form, GL_TEXTURE_ENV, pname, v) ==
                              (legal ? GL_NO_ERROR : GL_INVALID_VALUE),
                          "scale %d", (int)v);
                CHECK(memcmp(&te, &expected, sizeof te) == 0);
            }
        const float bad[] = {0.5f,   1.5f,   3.9999998f, 4.0000005f, -1.0f,
                             257.0f, 258.0f, INFINITY,   NAN,        1.0000001f};
        for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
            CHECK_SAY(texenv_tex_env_f(&te, GL_TEXTURE_ENV, pname, bad[i]) == GL_INVALID_VALUE, "scale %g",
                      (double)bad[i]);
            CHECK(memcmp(&te, &expected, sizeof te) == 0);
        }
    }
}

static void colors(void)
{
    struct texenv te = fresh(5);
    static const struct {
        float in[4], out[4];
    } floats[] = {{{0.25f, 0.5f, 0.75f, 1.0f}, {0.25f, 0.5f, 0.75f, 1.0f}},
                  {{-1.0f, 2.0f, -0.0f, 1e30f}, {0, 1, 0, 1}}, /* clamped by the call (3.8.13) */
                  {{NAN, INFINITY, -INFINITY, 1.0000001f}, {0, 1, 0, 1}},
                  {{1e-38f, 0.1f, 0.99999994f, 0}, {1e-38f, 0.1f, 0.99999994f, 0}}};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        CHECK(texenv_tex_env_fv(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, floats[i].in) == 0);
        /* compared as bytes, since -0 must not be stored */
        CHECK(memcmp(te.unit[5].env.color, floats[i].out, sizeof floats[i].out) == 0);
    }
    /* Integer components: (2c+1)/(2^32-1) (table 2.9), rounded to single precision, clamped. */
    static const struct {
        int32_t in;
        float out;
    } ints[] = {{INT32_MAX, 1.0f},
                {INT32_MIN, 0.0f},
                {-1, 0.0f},
                {0, (float)(1.0 / 4294967295.0)},
                {1 << 30, (float)(2147483649.0 / 4294967295.0)},
                {12345678, (float)(24691357.0 / 4294967295.0)}};
    for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++) {
        const int32_t v[4] = {ints[i].in, 0, INT32_MAX, INT32_MIN};
        CHECK(texenv_tex_env_iv(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, v) == 0);
        CHECK_SAY(te.unit[5].env.color[0] == ints[i].out, "%d: %.9g", ints[i].in,
                  (double)te.unit[5].env.color[0]);
        CHECK(te.unit[5].env.color[2] == 1.0f && te.unit[5].env.color[3] == 0.0f);
    }
    /* A scalar call with a vector parameter is an error. */
    struct texenv before = te;
    CHECK(texenv_tex_env_f(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 0.5f) == GL_INVALID_ENUM);
    CHECK(texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 1) == GL_INVALID_ENUM);
    CHECK(memcmp(&te, &before, sizeof te) == 0);
}

/* Passes every 16-bit number as target and as pname: only those of the texture environment, the LOD bias and
 * point sprites are accepted. */
static void targets_and_pnames(void)
{
    struct texenv te = fresh(1), before = te;
    for (uint32_t v = 0; v < 0x10000; v++) {
        bool known = v == GL_TEXTURE_ENV;
        uint32_t error = texenv_tex_env_i(&te, v, GL_TEXTURE_ENV_MODE, GL_MODULATE);
        CHECK_SAY(error == (known ? GL_NO_ERROR : GL_INVALID_ENUM), "target 0x%x", v);
        known = v == GL_RGB_SCALE || v == GL_ALPHA_SCALE;
        for (unsigned i = 0; i < PARAMETERS; i++)
            known |= parameters[i].pname == v;
        if (!known) {
            for (unsigned form = 0; form < 2; form++)
                CHECK_SAY(call(&te, form, GL_TEXTURE_ENV, v, 1) == GL_INVALID_ENUM, "pname 0x%x", v);
            if (v != GL_TEXTURE_ENV_COLOR)
                for (unsigned form = 2; form < 4; form++)
                    CHECK_SAY(call(&te, form, GL_TEXTURE_ENV, v, 1) == GL_INVALID_ENUM, "pname 0x%x", v);
        }
        CHECK_SAY(texenv_tex_env_f(&te, GL_TEXTURE_FILTER_CONTROL, v, 1) ==
                      (v == GL_TEXTURE_LOD_BIAS ? GL_NO_ERROR : GL_INVALID_ENUM),
                  "0x%x", v);
        CHECK_SAY(texenv_tex_env_i(&te, GL_POINT_SPRITE, v, 1) ==
                      (v == GL_COORD_REPLACE ? GL_NO_ERROR : GL_INVALID_ENUM),
                  "0x%x", v);
    }
    CHECK(memcmp(&te, &before, sizeof te) == 0);
}

static void units(void)
{
    struct texenv te = fresh(0), expected = te;
    for (uint32_t v = 0; v < 0x10000; v++) {
        bool legal = v >= GL_TEXTURE0 && v <= GL_TEXTURE31;
        if (legal)
            expected.active = (uint8_t)(v - GL_TEXTURE0);
        CHECK_SAY(texenv_active_texture(&te, v) == (legal ? GL_NO_ERROR : GL_INVALID_ENUM), "0x%x", v);
        CHECK(memcmp(&te, &expected, sizeof te) == 0);
    }
    /* Units beyond the texture coordinate units can be selected, but have no texture environment. */
    CHECK(texenv_active_texture(&te, GL_TEXTURE8) == GL_NO_ERROR);
    expected.active = 8;
    CHECK(texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE) == GL_INVALID_OPERATION);
    CHECK(texenv_enable(&te, GL_TEXTURE_2D, true) == GL_INVALID_OPERATION);
    CHECK(texenv_enable(&te, GL_TEXTURE_2D, false) == GL_INVALID_OPERATION);
    struct texenv_texture image = {.complete = 1};
    CHECK(texenv_bind_texture(&te, GL_TEXTURE_2D, &image) == GL_NO_ERROR);
    CHECK(memcmp(&te, &expected, sizeof te) == 0);
    for (uint32_t v = GL_TEXTURE0 - 2; v < GL_TEXTURE31 + 2; v++) {
        bool legal = v >= GL_TEXTURE0 && v <= GL_TEXTURE7;
        if (legal)
            expected.client_active = (uint8_t)(v - GL_TEXTURE0);
        CHECK(texenv_client_active_texture(&te, v) == (legal ? GL_NO_ERROR : GL_INVALID_ENUM));
        CHECK(memcmp(&te, &expected, sizeof te) == 0);
    }
}

static void capabilities(void)
{
    static const struct {
        uint32_t cap;
        enum texenv_target target;
    } targets[] = {{GL_TEXTURE_1D, TEXENV_1D},
                   {GL_TEXTURE_2D, TEXENV_2D},
                   {GL_TEXTURE_RECTANGLE, TEXENV_RECT},
                   {GL_TEXTURE_3D, TEXENV_3D},
                   {GL_TEXTURE_CUBE_MAP, TEXENV_CUBE}};
    static const struct {
        uint32_t cap;
        unsigned bit;
    } programs[] = {{GL_FRAGMENT_PROGRAM_ARB, TEXENV_PROGRAM_ARB},
                    {GL_FRAGMENT_PROGRAM_NV, TEXENV_PROGRAM_ARB},
                    {GL_FRAGMENT_SHADER_ATI, TEXENV_PROGRAM_ATI},
                    {GL_TEXT_FRAGMENT_SHADER_ATI, TEXENV_PROGRAM_ATI},
                    {GL_REGISTER_COMBINERS_NV, TEXENV_PROGRAM_COMBINERS},
                    {GL_TEXTURE_SHADER_NV, TEXENV_PROGRAM_TEXTURE_SHADER}};
    struct texenv te = fresh(4), expected = te;
    for (unsigned on = 1; on < 2; on--) { /* on, then off */
        for (unsigned i = 0; i < 5; i++) {
            expected.unit[4].enabled ^= (uint8_t)(1u << targets[i].target);
            CHECK(texenv_enable(&te, targets[i].cap, on) == 0);
            CHECK_SAY(memcmp(&te, &expected, sizeof te) == 0, "cap 0x%x", targets[i].cap);
        }
        for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
            unsigned bit = programs[i].bit;
            expected.programs = (uint8_t)(on ? expected.programs | bit : expected.programs & ~bit);
            CHECK(texenv_enable(&te, programs[i].cap, on) == 0);
            CHECK_SAY(memcmp(&te, &expected, sizeof te) == 0, "cap 0x%x", programs[i].cap);
        }
        expected.color_sum = expected.lighting = expected.fog = expected.alpha_test = (uint8_t)on;
        CHECK(texenv_enable(&te, GL_COLOR_SUM, on) == 0 && texenv_enable(&te, GL_LIGHTING, on) == 0 &&
              texenv_enable(&te, GL_FOG, on) == 0 && texenv_enable(&te, GL_ALPHA_TEST, on) == 0);
        CHECK(memcmp(&te, &expected, sizeof te) == 0);
    }
    /* Capabilities that do not affect texturing; a cube face is not a capability. */
    static const uint32_t others[] = {
        GL_BLEND,         GL_DEPTH_TEST,         GL_LIGHT0,
        GL_TEXTURE_GEN_S, GL_VERTEX_PROGRAM_ARB, GL_TEXTURE_CUBE_MAP_POSITIVE_X};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        (void)texenv_enable(&te, others[i], true);
        CHECK_SAY(memcmp(&te, &expected, sizeof te) == 0, "cap 0x%x", others[i]);
    }
}

/* Tests AlphaFunc (OpenGL 2.1, 4.1.4): eight comparisons, a clamped reference; an error changes nothing. */
static void alpha_func(void)
{
    static const struct {
        float given, kept;
    } refs[] = {{0.5f, 0.5f}, {0, 0}, {1, 1}, {-3, 0}, {7, 1}, {-0.0f, 0}, {NAN, 0}};
    struct texenv te, before;
    texenv_init(&te);
    CHECK(te.alpha_func == TEXENV_ALWAYS && te.alpha_ref == 0 && !te.alpha_test);
    for (unsigned n = 0; n < 8; n++)
        for (unsigned i = 0; i < sizeof refs / sizeof *refs; i++) {
            CHECK(texenv_alpha_func(&te, 0x0200 + n, refs[i].given) == TEXENV_OK);
            CHECK(te.alpha_func == TEXENV_NEVER + n && te.alpha_ref == refs[i].kept);
        }
    before = te;
    CHECK(texenv_alpha_func(&te, 0x01FF, 0.5f) == TEXENV_INVALID_ENUM);
    CHECK(texenv_alpha_func(&te, 0x0208, 0.5f) == TEXENV_INVALID_ENUM);
    CHECK(memcmp(&te, &before, sizeof te) == 0);
    (void)texenv_begin(&te);
    before = te;
    CHECK(texenv_alpha_func(&te, 0x0201, 0.5f) == TEXENV_INVALID_OPERATION);
    CHECK(memcmp(&te, &before, sizeof te) == 0);
}

static void programs_in_use(void)
{
    struct texenv te = fresh(0);
    CHECK(texenv_use_program(&te, 7) == 0 && te.programs == TEXENV_PROGRAM_GLSL);
    CHECK(texenv_bind_pipeline(&te, 3) == 0 && (te.programs & TEXENV_PROGRAM_PIPELINE));
    CHECK(texenv_use_program(&te, 0) == 0 && te.programs == TEXENV_PROGRAM_PIPELINE);
    CHECK(texenv_bind_pipeline(&te, 0) == 0 && te.programs == 0);
}

static void light_model_and_fog(void)
{
    struct texenv te = fresh(0), expected = te;
    expected.separate_specular = 1;
    CHECK(texenv_light_model_i(&te, GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR) == 0);
    CHECK(texenv_light_model_i(&te, GL_LIGHT_MODEL_COLOR_CONTROL, GL_TRUE) == GL_INVALID_ENUM);
    CHECK(texenv_light_model_i(&te, GL_LIGHT_MODEL_TWO_SIDE, 1) == 0);
    CHECK(memcmp(&te, &expected, sizeof te) == 0);
    expected.separate_specular = 0;
    CHECK(texenv_light_model_i(&te, GL_LIGHT_MODEL_COLOR_CONTROL, GL_SINGLE_COLOR) == 0);
    CHECK(memcmp(&te, &expected, sizeof te) == 0);

    static const struct {
        int32_t gl;
        uint8_t mode;
    } modes_of_fog[] = {{GL_LINEAR, TEXENV_FOG_LINEAR}, {GL_EXP, TEXENV_FOG_EXP}, {GL_EXP2, TEXENV_FOG_EXP2}};
    for (unsigned i = 0; i < 3; i++) {
        expected.fog_mode = modes_of_fog[i].mode;
        CHECK(texenv_fog_i(&te, GL_FOG_MODE, modes_of_fog[i].gl) == 0);
        CHECK(texenv_fog_i(&te, GL_FOG_MODE, GL_NEAREST) == GL_INVALID_ENUM);
        CHECK(memcmp(&te, &expected, sizeof te) == 0);
    }
    expected.fog_coord = 1;
    CHECK(texenv_fog_i(&te, GL_FOG_COORDINATE_SOURCE, GL_FOG_COORDINATE) == 0);
    CHECK(texenv_fog_i(&te, GL_FOG_COORDINATE_SOURCE, GL_EXP) == GL_INVALID_ENUM);
    CHECK(texenv_fog_i(&te, GL_FOG_DENSITY, 1) == 0);
    CHECK(memcmp(&te, &expected, sizeof te) == 0);
    expected.fog_coord = 0;
    CHECK(texenv_fog_i(&te, GL_FOG_COORDINATE_SOURCE, GL_FRAGMENT_DEPTH) == 0);
    CHECK(memcmp(&te, &expected, sizeof te) == 0);
}

/* Tests that between Begin and End every setter returns GL_INVALID_OPERATION, even with other errors. */
static void inside_begin(void)
{
    struct texenv te = fresh(0);
    CHECK(texenv_end(&te) == GL_INVALID_OPERATION);
    CHECK(texenv_begin(&te) == 0 && te.inside_begin);
    struct texenv before = te;
    const float color4[4] = {1, 1, 1, 1};
    const int32_t color4i[4] = {1, 1, 1, 1};
    const struct texenv_texture texture = {.complete = 1};
    CHECK(texenv_begin(&te) == GL_INVALID_OPERATION);
    CHECK(texenv_active_texture(&te, GL_TEXTURE1) == GL_INVALID_OPERATION);
    CHECK(texenv_client_active_texture(&te, GL_TEXTURE1) == GL_INVALID_OPERATION);
    CHECK(texenv_enable(&te, GL_TEXTURE_2D, true) == GL_INVALID_OPERATION);
    CHECK(texenv_enable(&te, GL_BLEND, true) == GL_INVALID_OPERATION);
    CHECK(texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL) == GL_INVALID_OPERATION);
    CHECK(texenv_tex_env_f(&te, GL_TEXTURE_ENV, GL_RGB_SCALE, 3) == GL_INVALID_OPERATION);
    CHECK(texenv_tex_env_fv(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color4) == GL_INVALID_OPERATION);
    CHECK(texenv_tex_env_iv(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color4i) == GL_INVALID_OPERATION);
    CHECK(texenv_tex_env_i(&te, GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 1) == GL_INVALID_OPERATION);
    CHECK(texenv_light_model_i(&te, GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR) ==
          GL_INVALID_OPERATION);
    CHECK(texenv_fog_i(&te, GL_FOG_MODE, GL_LINEAR) == GL_INVALID_OPERATION);
    CHECK(texenv_use_program(&te, 1) == GL_INVALID_OPERATION);
    CHECK(texenv_bind_pipeline(&te, 1) == GL_INVALID_OPERATION);
    CHECK(texenv_bind_texture(&te, GL_TEXTURE_2D, &texture) == GL_INVALID_OPERATION);
    CHECK(memcmp(&te, &before, sizeof te) == 0);
    CHECK(texenv_end(&te) == 0 && !te.inside_begin);
    CHECK(texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_DECAL) == 0);
}

static void textures(void)
{
    struct texenv te = fresh(6), expected = te;
    const struct texenv_texture texture = {
        .complete = 1, .base = TEXENV_DEPTH, .depth_mode = TEXENV_INTENSITY, .compare = 1};
    expected.unit[6].texture[TEXENV_3D] = texture;
    CHECK(texenv_bind_texture(&te, GL_TEXTURE_3D, &texture) == 0);
    CHECK(texenv_bind_texture(&te, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, &texture) == GL_INVALID_ENUM);
    CHECK(texenv_bind_texture(&te, GL_PROXY_TEXTURE_2D, &texture) == GL_INVALID_ENUM);
    CHECK(texenv_bind_texture(&te, 0, &texture) == GL_INVALID_ENUM);
    CHECK(memcmp(&te, &expected, sizeof te) == 0);

    struct texenv_texture t = {.depth_mode = TEXENV_LUMINANCE}, want = t;
    CHECK(texenv_texture_image(&t, -1, GL_RGBA) == GL_INVALID_VALUE);
    CHECK(texenv_texture_image(&t, 0, 5) == GL_INVALID_VALUE);
    CHECK(texenv_texture_image(&t, 0, 0) == GL_INVALID_VALUE);
    CHECK(texenv_texture_image(&t, 0, GL_UNSIGNED_BYTE) == GL_INVALID_VALUE);
    /* an image of level 1 alone does not make the texture complete */
    CHECK(texenv_texture_image(&t, 1, GL_RGB) == 0);
    CHECK(memcmp(&t, &want, sizeof t) == 0);
    want.complete = 1, want.base = TEXENV_BASE_RGB;
    CHECK(texenv_texture_image(&t, 0, GL_RGB8) == 0 && memcmp(&t, &want, sizeof t) == 0);

    static const struct {
        int32_t gl;
        uint8_t mode;
    } depth_modes[] = {{GL_INTENSITY, TEXENV_INTENSITY},
                       {GL_ALPHA, TEXENV_BASE_ALPHA},
                       {GL_RED, TEXENV_RED},
                       {GL_LUMINANCE, TEXENV_LUMINANCE}};
    for (unsigned i = 0; i < 4; i++) {
        want.depth_mode = depth_modes[i].mode;
        CHECK(texenv_texture_parameter_i(&t, GL_DEPTH_TEXTURE_MODE, depth_modes[i].gl) == 0);
        CHECK(texenv_texture_parameter_i(&t, GL_DEPTH_TEXTURE_MODE, GL_RGBA) == GL_INVALID_ENUM);
        CHECK(memcmp(&t, &want, sizeof t) == 0);
    }
    want.compare = 1;
    CHECK(texenv_texture_parameter_i(&t, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE) == 0);
    CHECK(texenv_texture_parameter_i(&t, GL_TEXTURE_COMPARE_MODE, GL_LEQUAL) == GL_INVALID_ENUM);
    CHECK(texenv_texture_parameter_i(&t, GL_TEXTURE_MIN_FILTER, GL_LINEAR) == 0);
    CHECK(memcmp(&t, &want, sizeof t) == 0);
    want.compare = 0;
    CHECK(texenv_texture_parameter_i(&t, GL_TEXTURE_COMPARE_MODE, GL_NONE) == 0 &&
          memcmp(&t, &want, sizeof t) == 0);

    for (uint32_t face = GL_TEXTURE_CUBE_MAP_POSITIVE_X; face <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z; face++)
        CHECK(texenv_target_of(face) == TEXENV_CUBE);
    CHECK(texenv_target_of(GL_TEXTURE_1D) == TEXENV_1D &&
          texenv_target_of(GL_TEXTURE_RECTANGLE) == TEXENV_RECT);
    CHECK(texenv_target_of(GL_PROXY_TEXTURE_2D) == -1 && texenv_target_of(GL_PROXY_TEXTURE_CUBE_MAP) == -1 &&
          texenv_target_of(0) == -1);
}

/* Tests the base formats of some internal formats of each kind; tests/state/tokens_check.py checks all. */
static void base_formats(void)
{
    static const struct {
        uint32_t format;
        int base;
    } rows[] = {{1, TEXENV_LUMINANCE},
                {2, TEXENV_LUMINANCE_ALPHA},
                {3, TEXENV_BASE_RGB},
                {4, TEXENV_RGBA},
                {GL_ALPHA, TEXENV_BASE_ALPHA},
                {GL_ALPHA8, TEXENV_BASE_ALPHA},
                {GL_LUMINANCE8, TEXENV_LUMINANCE},
                {GL_LUMINANCE6_ALPHA2, TEXENV_LUMINANCE_ALPHA},
                {GL_INTENSITY16, TEXENV_INTENSITY},
                {GL_R3_G3_B2, TEXENV_BASE_RGB},
                {GL_RGB5_A1, TEXENV_RGBA},
                {GL_RGB10_A2, TEXENV_RGBA},
                {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, TEXENV_BASE_RGB},
                {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, TEXENV_RGBA},
                {GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, TEXENV_RGBA},
                {GL_SRGB8, TEXENV_BASE_RGB},
                {GL_SLUMINANCE8_ALPHA8, TEXENV_LUMINANCE_ALPHA},
                {GL_COMPRESSED_LUMINANCE_LATC1_EXT, TEXENV_LUMINANCE},
                {GL_RG16F, TEXENV_RG},
                {GL_R8, TEXENV_RED},
                {GL_DEPTH_COMPONENT24, TEXENV_DEPTH},
                {GL_DEPTH24_STENCIL8, TEXENV_DEPTH},
                {GL_COMPRESSED_ALPHA, TEXENV_BASE_ALPHA},
                {GL_COMPRESSED_RGB_FXT1_3DFX, TEXENV_BASE_RGB},
                {GL_BGRA, TEXENV_RGBA}, /* EXT_texture_format_BGRA8888 */
                {GL_COLOR_INDEX, -1},
                {GL_STENCIL_INDEX8, -1},
                {GL_RGBA8UI, -1},
                {5, -1},
                {0, -1},
                {0xffffffffu, -1}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_SAY(texenv_base_of(rows[i].format) == rows[i].base, "format 0x%x: %d", rows[i].format,
                  texenv_base_of(rows[i].format));
}

int main(void)
{
    initial_state();
    enumerated_parameters();
    float_enumerants();
    scales();
    colors();
    targets_and_pnames();
    units();
    capabilities();
    alpha_func();
    programs_in_use();
    light_model_and_fog();
    inside_begin();
    textures();
    base_formats();
    return check_report("setters");
}
