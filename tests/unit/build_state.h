/* Short functions with which tests build GL states through the setters, as a program does by GL calls. */
#ifndef TESTS_BUILD_STATE_H
#define TESTS_BUILD_STATE_H

#include "check.h"
#include "texenv/texenv.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <string.h>

static inline void set(struct texenv *te, uint32_t pname, uint32_t value)
{
    uint32_t error = texenv_tex_env_i(te, GL_TEXTURE_ENV, pname, (int32_t)value);
    CHECK_SAY(error == 0, "TexEnvi(0x%x, 0x%x) gives 0x%x", pname, value, error);
}

/* Enables a unit with a complete texture of this internal format, and makes it the active unit. */
static inline void unit_with(struct texenv *te, unsigned unit, uint32_t target, uint32_t internal_format)
{
    struct texenv_texture texture = {.depth_mode = TEXENV_LUMINANCE};
    CHECK(texenv_texture_image(&texture, 0, internal_format) == 0);
    CHECK(texenv_active_texture(te, GL_TEXTURE0 + unit) == 0);
    CHECK(texenv_bind_texture(te, target, &texture) == 0);
    CHECK(texenv_enable(te, target, true) == 0);
}

static inline void unit_rgba(struct texenv *te, unsigned unit)
{
    unit_with(te, unit, GL_TEXTURE_2D, GL_RGBA);
}

/* Sets function and arguments of one half (0 rgb, 1 alpha) of the active unit. n: the number of arguments,
 * which is the length of `sources` and `operands`. */
static inline void combine(struct texenv *te, unsigned half, uint32_t func, unsigned n,
                           const uint32_t *sources, const uint32_t *operands)
{
    set(te, half ? GL_COMBINE_ALPHA : GL_COMBINE_RGB, func);
    for (unsigned i = 0; i < n; i++) {
        set(te, (half ? GL_SOURCE0_ALPHA : GL_SOURCE0_RGB) + i, sources[i]);
        set(te, (half ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB) + i, operands[i]);
    }
}

static inline void color(struct texenv *te, float r, float g, float b, float a)
{
    const float c[4] = {r, g, b, a};
    CHECK(texenv_tex_env_fv(te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, c) == 0);
}

/* Canonicalises into memory that is not zero, so that comparisons of bytes find padding that is not set. */
static inline struct texenv_state canonical_by(const struct texenv *te, const struct texenv_policy *policy)
{
    struct texenv_state state;
    memset(&state, 0xa5, sizeof state);
    CHECK(texenv_canonicalise(&state, te, policy, false, NULL, NULL));
    return state;
}

static inline struct texenv_state canonical(const struct texenv *te) { return canonical_by(te, NULL); }

static inline bool same(const struct texenv *a, const struct texenv *b)
{
    struct texenv_state x = canonical(a), y = canonical(b);
    return memcmp(&x, &y, sizeof x) == 0;
}

#endif
