#include "random.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <string.h>

struct chance {
    uint64_t s;
};

/* splitmix64: consecutive seeds give unrelated numbers */
static uint32_t below(struct chance *r, uint32_t n)
{
    uint64_t z = r->s += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

#define PICK(table) table[below(r, sizeof table / sizeof table[0])]

static void set(struct texenv *te, uint32_t pname, uint32_t value)
{
    /* a value that GL refuses changes nothing */
    (void)texenv_tex_env_i(te, GL_TEXTURE_ENV, pname, (int32_t)value);
}

static void texture_of(struct chance *r, struct texenv *te)
{
    static const uint32_t targets[] = {GL_TEXTURE_2D,        GL_TEXTURE_2D, GL_TEXTURE_2D,      GL_TEXTURE_1D,
                                       GL_TEXTURE_RECTANGLE, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP};
    static const uint32_t formats[] = {
        GL_RGBA, GL_RGBA, GL_RGBA, GL_RGB, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY};
    uint32_t target = PICK(targets);
    struct texenv_texture texture = {.depth_mode = TEXENV_LUMINANCE};
    (void)texenv_texture_image(&texture, 0, PICK(formats));
    (void)texenv_bind_texture(te, target, &texture);
    (void)texenv_enable(te, target, true);
}

static void random_unit(struct chance *r, struct texenv *te, unsigned unit, unsigned units)
{
    static const uint32_t classic[] = {GL_REPLACE, GL_MODULATE, GL_DECAL, GL_BLEND, GL_ADD};
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
    texture_of(r, te);
    uint32_t kind = below(r, 8);
    bool combine4 = kind == 7;
    set(te, GL_TEXTURE_ENV_MODE, kind < 2 ? PICK(classic) : combine4 ? GL_COMBINE4_NV : GL_COMBINE);
    set(te, GL_COMBINE_RGB, combine4 ? PICK(of_combine4) : PICK(functions));
    set(te, GL_COMBINE_ALPHA, combine4 ? PICK(of_combine4) : PICK(functions));
    for (unsigned half = 0; half < 2; half++)
        for (unsigned a = 0; a < TEXENV_ARGS; a++) {
            set(te, (half ? GL_SOURCE0_ALPHA : GL_SOURCE0_RGB) + a,
                below(r, 4) ? PICK(sources) : GL_TEXTURE0 + below(r, units));
            set(te, (half ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB) + a, PICK(operands));
        }
    set(te, GL_RGB_SCALE, 1u << below(r, 3));
    set(te, GL_ALPHA_SCALE, 1u << below(r, 3));
    float color[4];
    for (unsigned c = 0; c < 4; c++)
        color[c] = (float)below(r, 256) / 255.0f;
    (void)texenv_tex_env_fv(te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
}

void random_state_make(struct texenv_state *state, uint64_t seed, uint64_t n,
                       const struct texenv_policy *policy)
{
    struct chance chance = {seed * UINT64_C(0xD1342543DE82EF95) + n}, *r = &chance;
    struct texenv te;
    unsigned units = below(r, 4) ? 1 + below(r, 4) : 1 + below(r, TEXENV_UNITS);
    texenv_init(&te);
    for (unsigned unit = 0; unit < units; unit++)
        random_unit(r, &te, unit, units);
    (void)texenv_enable(&te, GL_COLOR_SUM, below(r, 4) == 0);
    memset(state, 0, sizeof *state);
    texenv_canonicalise(state, &te, policy, false, NULL, NULL);
}
