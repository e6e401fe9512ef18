/* Sets a state by the TexEnv calls of GL (2.1, 3.8.13; the combine extensions) and draws it. */
#include "draw.h"
#include "gl.h"
#include "scene.h"

static const GLenum modes[] = {
    [TEXENV_REPLACE] = GL_REPLACE,     [TEXENV_MODULATE] = GL_MODULATE, [TEXENV_DECAL] = GL_DECAL,
    [TEXENV_BLEND] = GL_BLEND,         [TEXENV_ADD] = GL_ADD,           [TEXENV_COMBINE] = GL_COMBINE,
    [TEXENV_COMBINE4] = GL_COMBINE4_NV};

static const GLenum functions[TEXENV_FUNCS] = {[TEXENV_F_REPLACE] = GL_REPLACE,
                                               [TEXENV_F_MODULATE] = GL_MODULATE,
                                               [TEXENV_F_ADD] = GL_ADD,
                                               [TEXENV_F_ADD_SIGNED] = GL_ADD_SIGNED,
                                               [TEXENV_F_INTERPOLATE] = GL_INTERPOLATE,
                                               [TEXENV_F_SUBTRACT] = GL_SUBTRACT,
                                               [TEXENV_F_DOT3_RGB] = GL_DOT3_RGB,
                                               [TEXENV_F_DOT3_RGBA] = GL_DOT3_RGBA,
                                               [TEXENV_F_DOT3_RGB_EXT] = GL_DOT3_RGB_EXT,
                                               [TEXENV_F_DOT3_RGBA_EXT] = GL_DOT3_RGBA_EXT,
                                               [TEXENV_F_MODULATE_ADD] = GL_MODULATE_ADD_ATI,
                                               [TEXENV_F_MODULATE_SIGNED_ADD] = GL_MODULATE_SIGNED_ADD_ATI,
                                               [TEXENV_F_MODULATE_SUBTRACT] = GL_MODULATE_SUBTRACT_ATI,
                                               [TEXENV_F_COMBINE4_ADD] = GL_ADD,
                                               [TEXENV_F_COMBINE4_ADD_SIGNED] = GL_ADD_SIGNED};

static void set(GLenum pname, GLenum value) { gl.glTexEnvi(GL_TEXTURE_ENV, pname, (GLint)value); }

static void set_arg(const struct texenv_state *state, unsigned unit, unsigned half, unsigned i)
{
    static const GLenum source_names[2][4] = {
        {GL_SOURCE0_RGB, GL_SOURCE1_RGB, GL_SOURCE2_RGB, GL_SOURCE3_RGB_NV},
        {GL_SOURCE0_ALPHA, GL_SOURCE1_ALPHA, GL_SOURCE2_ALPHA, GL_SOURCE3_ALPHA_NV}};
    static const GLenum operand_names[2][4] = {
        {GL_OPERAND0_RGB, GL_OPERAND1_RGB, GL_OPERAND2_RGB, GL_OPERAND3_RGB_NV},
        {GL_OPERAND0_ALPHA, GL_OPERAND1_ALPHA, GL_OPERAND2_ALPHA, GL_OPERAND3_ALPHA_NV}};
    static const GLenum operands[2][2] = {{GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR},
                                          {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA}};
    const struct texenv_arg *arg = &state->stage[unit].half[half].arg[i];
    unsigned source = arg->source, complement = arg->complement;
    GLenum name = GL_ZERO;
    switch (source) {
    case TEXENV_S_ZERO: name = GL_ZERO; break;
    case TEXENV_S_ONE:
        name = GL_ZERO; /* NV_texture_env_combine4 has no ONE for Arg3, so use 1 - ZERO */
        complement = 1;
        break;
    case TEXENV_S_TEXTURE: name = arg->unit == unit ? GL_TEXTURE : GL_TEXTURE0 + arg->unit; break;
    case TEXENV_S_CONSTANT: name = GL_CONSTANT; break;
    case TEXENV_S_PRIMARY: name = GL_PRIMARY_COLOR; break;
    case TEXENV_S_PREVIOUS: name = GL_PREVIOUS; break;
    }
    set(source_names[half][i], name);
    set(operand_names[half][i], operands[arg->alpha || half == TEXENV_ALPHA][complement]);
}

static void set_half(const struct texenv_state *state, unsigned unit, unsigned half)
{
    const struct texenv_half *h = &state->stage[unit].half[half];
    bool unused = half == TEXENV_ALPHA &&
        texenv_func_writes_alpha((enum texenv_func)state->stage[unit].half[TEXENV_RGB].func);
    if (!unused) {
        set(half == TEXENV_RGB ? GL_COMBINE_RGB : GL_COMBINE_ALPHA, functions[h->func]);
        for (unsigned i = 0; i < texenv_func_args((enum texenv_func)h->func); i++)
            set_arg(state, unit, half, i);
    }
    set(half == TEXENV_RGB ? GL_RGB_SCALE : GL_ALPHA_SCALE, h->scale ? h->scale : 1);
}

void fixed_set(const struct texenv_state *state)
{
    for (unsigned u = 0; u < state->nstages; u++) {
        const struct texenv_stage *stage = &state->stage[u];
        if (stage->mode == TEXENV_OFF)
            continue;
        gl.glActiveTexture(GL_TEXTURE0 + u);
        set(GL_TEXTURE_ENV_MODE, modes[stage->mode]);
        gl.glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, stage->color);
        if (stage->mode == TEXENV_COMBINE || stage->mode == TEXENV_COMBINE4) {
            set_half(state, u, TEXENV_RGB);
            set_half(state, u, TEXENV_ALPHA);
        } else { /* only COMBINE modes apply the scales */
            set(GL_RGB_SCALE, 1);
            set(GL_ALPHA_SCALE, 1);
        }
    }
    scene_color_sum(state->color_sum);
}

const char *draw_fixed(const struct texenv_state *state, unsigned bank, unsigned n)
{
    scene_bind(state, &scene_as_is, bank, true);
    fixed_set(state);
    scene_draw(n);
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL refuses a call of TexEnv";
}
