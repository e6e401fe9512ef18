/* A state by the program that it is converted to. */
#include "draw.h"
#include "gl.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

const char *const via_names[VIAS] = {"atifs", "arbfp", "glsl"};

const char *draw_lacks(enum via via)
{
    switch (via) {
    case VIA_ATIFS: return gl_has("GL_ATI_fragment_shader") && gl.glBeginFragmentShaderATI ? NULL : "GL_ATI_fragment_shader";
    case VIA_ARBFP: return gl_has("GL_ARB_fragment_program") && gl.glProgramStringARB ? NULL : "GL_ARB_fragment_program";
    default: return gl.glCreateShader && gl.glLinkProgram ? NULL : "shaders of version 2.0";
    }
}

static char message[1024];

/* ---- GL_ATI_fragment_shader ---- */

static void ati_op(const struct fragprog_atifs_op *op, bool alpha)
{
    const struct fragprog_atifs_arg *a = op->arg;
#define ARG(i) a[i].source, a[i].rep, a[i].mods
    if (!op->op)
        return;
    switch (op->nargs + (alpha ? 3 : 0)) {
    case 1: gl.glColorFragmentOp1ATI(op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0)); break;
    case 2: gl.glColorFragmentOp2ATI(op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0), ARG(1)); break;
    case 3: gl.glColorFragmentOp3ATI(op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0), ARG(1), ARG(2)); break;
    case 4: gl.glAlphaFragmentOp1ATI(op->op, GL_REG_0_ATI + op->dst, op->mod, ARG(0)); break;
    case 5: gl.glAlphaFragmentOp2ATI(op->op, GL_REG_0_ATI + op->dst, op->mod, ARG(0), ARG(1)); break;
    default: gl.glAlphaFragmentOp3ATI(op->op, GL_REG_0_ATI + op->dst, op->mod, ARG(0), ARG(1), ARG(2)); break;
    }
#undef ARG
}

static void ati_setup(struct scene_binding *binding, const struct fragprog_atifs_setup *setup, unsigned reg)
{
    GLuint from = setup->from_reg ? GL_REG_0_ATI + setup->source : GL_TEXTURE0 + setup->source;
    if (setup->op == FRAGPROG_PASS_COORD)
        gl.glPassTexCoordATI(GL_REG_0_ATI + reg, from, GL_SWIZZLE_STR_ATI + setup->swizzle);
    if (setup->op != FRAGPROG_SAMPLE)
        return;
    gl.glSampleMapATI(GL_REG_0_ATI + reg, from, GL_SWIZZLE_STR_ATI + setup->swizzle);
    binding->texture[reg] = setup->texture >= 0 ? setup->texture : (int)reg;
    if (!setup->from_reg)
        binding->coord[setup->source] = binding->texture[reg];
}

static const char *draw_atifs(const struct texenv_state *state, const struct draw_options *options, unsigned bank, unsigned n, bool *refused)
{
    static struct fragprog_reason why;
    static GLuint name;
    struct fragprog_atifs program;
    struct scene_binding binding = scene_as_is;
    if (!fragprog_compile_atifs(&program, state, &options->passes, &why)) {
        *refused = true;
        return why.text;
    }
    if (!name)
        name = gl.glGenFragmentShadersATI(1);
    gl.glBindFragmentShaderATI(name);
    gl.glBeginFragmentShaderATI();
    for (unsigned k = 0; k < 8; k++)
        if (program.konst[k].used)
            gl.glSetFragmentShaderConstantATI(GL_CON_0_ATI + k, program.konst[k].value);
    for (unsigned p = 0; p < program.npasses; p++) {
        for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
            ati_setup(&binding, &program.pass[p].setup[r], r);
        for (unsigned i = 0; i < program.pass[p].npairs; i++) {
            ati_op(&program.pass[p].pair[i].half[TEXENV_RGB], false);
            ati_op(&program.pass[p].pair[i].half[TEXENV_ALPHA], true);
        }
    }
    gl.glEndFragmentShaderATI();
    gl.glEnable(GL_FRAGMENT_SHADER_ATI);
    scene_bind(state, &binding, bank, true); /* the enabled target is what a unit samples */
    scene_color_sum(state->color_sum && !program.color_sum);
    scene_draw(n);
    gl.glDisable(GL_FRAGMENT_SHADER_ATI);
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL refuses the fragment shader";
}

/* ---- all ---- */

/* ADD_SIGNED becomes ADD where there is one. */
static void sabotage(struct texenv_state *state)
{
    for (unsigned u = 0; u < state->nstages; u++)
        for (unsigned h = 0; h < 2; h++) {
            uint8_t *func = &state->stage[u].half[h].func;
            if (*func == TEXENV_F_ADD_SIGNED)
                *func = TEXENV_F_ADD;
        }
}

const char *draw_program(const struct texenv_state *state, enum via via, const struct draw_options *options, unsigned bank, unsigned n, bool *refused)
{
    struct texenv_state changed = *state;
    *refused = false;
    if (options->sabotage)
        sabotage(&changed);
    switch (via) {
    case VIA_ATIFS: return draw_atifs(&changed, options, bank, n, refused);
    default: snprintf(message, sizeof message, "not there yet"); return message;
    }
}
