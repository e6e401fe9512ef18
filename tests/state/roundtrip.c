/* Builds random GL states through the setters and runs all checks of tests/fuzz/pipeline.h on them: their
 * texts in stage notation and as GL calls read back as the same bytes; their ir and atifs texts, read back,
 * print as the same texts. usage: roundtrip [COUNT [SEED]] */
#include "tests/fuzz/pipeline.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state_of_random;

static uint32_t below(uint32_t n) /* a random number below n, by xorshift64* */
{
    state_of_random ^= state_of_random >> 12;
    state_of_random ^= state_of_random << 25;
    state_of_random ^= state_of_random >> 27;
    return (uint32_t)((state_of_random * UINT64_C(2685821657736338717)) >> 33) % n;
}

#define PICK(table) table[below(sizeof table / sizeof table[0])]

static float component(void)
{
    static const float some[] = {0.0f, 1.0f, 0.5f, 0.25f, 0.1f, 1e-20f, 0.99999994f};
    return below(3) ? (float)below(256) / 255.0f : PICK(some);
}

static void set(struct texenv *te, uint32_t pname, uint32_t value)
{
    /* A value that GL refuses leaves the state unchanged. */
    (void)texenv_tex_env_i(te, GL_TEXTURE_ENV, pname, (int32_t)value);
}

static void random_unit(struct texenv *te, unsigned unit)
{
    static const uint32_t targets[] = {GL_TEXTURE_2D,        GL_TEXTURE_2D, GL_TEXTURE_2D,      GL_TEXTURE_1D,
                                       GL_TEXTURE_RECTANGLE, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP};
    static const uint32_t formats[] = {GL_RGBA,
                                       GL_RGBA8,
                                       GL_RGB,
                                       GL_ALPHA,
                                       GL_LUMINANCE,
                                       GL_LUMINANCE_ALPHA,
                                       GL_INTENSITY,
                                       GL_RED,
                                       GL_RG,
                                       GL_DEPTH_COMPONENT,
                                       1,
                                       2,
                                       3,
                                       4};
    static const uint32_t depth_modes[] = {GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED};
    static const uint32_t modes[] = {GL_REPLACE, GL_MODULATE,    GL_DECAL,      GL_BLEND,
                                     GL_ADD,     GL_COMBINE,     GL_COMBINE,    GL_COMBINE,
                                     GL_COMBINE, GL_COMBINE4_NV, GL_COMBINE4_NV};
    static const uint32_t functions[] = {GL_REPLACE,
                                         GL_MODULATE,
                                         GL_ADD,
                                         GL_ADD_SIGNED,
                                         GL_INTERPOLATE,
                                         GL_SUBTRACT,
                                         GL_MODULATE_ADD_ATI,
                                         GL_MODULATE_SIGNED_ADD_ATI,
                                         GL_MODULATE_SUBTRACT_ATI,
                                         GL_DOT3_RGB,
                                         GL_DOT3_RGBA,
                                         GL_DOT3_RGB_EXT,
                                         GL_DOT3_RGBA_EXT};
    static const uint32_t of_combine4[] = {GL_ADD, GL_ADD_SIGNED};
    static const uint32_t sources[] = {GL_TEXTURE,  GL_TEXTURE,       GL_PREVIOUS, GL_PREVIOUS,
                                       GL_CONSTANT, GL_PRIMARY_COLOR, GL_ZERO,     GL_ONE};
    static const uint32_t operands[] = {GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_SRC_ALPHA,
                                        GL_ONE_MINUS_SRC_ALPHA};

    (void)texenv_active_texture(te, GL_TEXTURE0 + unit);
    for (unsigned n = 1 + (below(8) == 0); n > 0; n--) {
        uint32_t target = PICK(targets);
        struct texenv_texture texture = {.depth_mode = TEXENV_LUMINANCE};
        if (below(20))
            (void)texenv_texture_image(&texture, 0, PICK(formats));
        (void)texenv_texture_parameter_i(&texture, GL_DEPTH_TEXTURE_MODE, (int32_t)PICK(depth_modes));
        if (below(10) == 0)
            (void)texenv_texture_parameter_i(&texture, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
        (void)texenv_bind_texture(te, target, &texture);
        (void)texenv_enable(te, target, below(8) != 0);
    }
    uint32_t mode = PICK(modes);
    bool combine4 = mode == GL_COMBINE4_NV && below(6);
    set(te, GL_TEXTURE_ENV_MODE, mode);
    set(te, GL_COMBINE_RGB, combine4 ? PICK(of_combine4) : PICK(functions));
    set(te, GL_COMBINE_ALPHA, combine4 ? PICK(of_combine4) : PICK(functions));
    for (unsigned half = 0; half < 2; half++)
        for (unsigned a = 0; a < TEXENV_ARGS; a++) {
            set(te, (half ? GL_SOURCE0_ALPHA : GL_SOURCE0_RGB) + a,
                below(4) ? PICK(sources) : GL_TEXTURE0 + below(9));
            set(te, (half ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB) + a, PICK(operands));
        }
    set(te, GL_RGB_SCALE, below(6));
    set(te, GL_ALPHA_SCALE, below(6));
    const float color[4] = {component(), component(), component(), component()};
    (void)texenv_tex_env_fv(te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
}

static void random_state(struct texenv *te)
{
    static const int32_t fogs[] = {GL_LINEAR, GL_EXP, GL_EXP2};
    texenv_init(te);
    unsigned units = below(4) ? 1 + below(4) : 1 + below(TEXENV_UNITS);
    for (unsigned unit = 0; unit < units; unit++)
        random_unit(te, unit);
    (void)texenv_enable(te, GL_COLOR_SUM, below(4) == 0);
    (void)texenv_enable(te, GL_LIGHTING, below(2));
    (void)texenv_light_model_i(te, GL_LIGHT_MODEL_COLOR_CONTROL,
                               below(5) ? GL_SINGLE_COLOR : GL_SEPARATE_SPECULAR_COLOR);
    (void)texenv_enable(te, GL_FOG, below(5) == 0);
    (void)texenv_fog_i(te, GL_FOG_MODE, PICK(fogs));
    (void)texenv_fog_i(te, GL_FOG_COORDINATE_SOURCE, below(2) ? GL_FOG_COORDINATE : GL_FRAGMENT_DEPTH);
}

int main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000, done = 0, refused = 0, cannot = 0,
                  empty = 0;
    state_of_random = argc > 2 ? strtoull(argv[2], NULL, 10) : 20050722;
    for (unsigned long n = 0; n < count; n++) {
        struct texenv te;
        struct texenv_state state;
        struct texenv_policy policy = {.crossbar_off = (uint8_t)below(5), .dot3_alpha = (uint8_t)below(2)};
        struct texenv_sink sink = {pipeline_emit, NULL};
        random_state(&te);
        memset(&state, 0xa5, sizeof state);
        if (!texenv_canonicalise(&state, &te, &policy, below(8) == 0, NULL, &sink)) {
            refused++;
            continue;
        }
        pipeline_thorough = done++ % 16 == 0;
        empty += state.nstages == 0;
        cannot += !pipeline_state(&state);
    }
    printf("roundtrip: %lu random states (%lu without texturing), %lu refused by the policy; %lu that the "
           "target cannot do at all\n",
           done, empty, refused, cannot);
    return done < count / 2;
}
