/* Draws a state by the program that it is converted to (draw_program). */
#include "arb_scene.h"
#include "draw.h"
#include "fragprog/atifs.h"
#include "gl.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>

const char *const via_names[VIAS] = {"atifs", "arbfp", "glsl"};

const char *draw_lacks(enum via via)
{
    switch (via) {
    case VIA_ATIFS:
        return gl_has("GL_ATI_fragment_shader") && gl.glBeginFragmentShaderATI ? NULL
                                                                               : "GL_ATI_fragment_shader";
    case VIA_ARBFP:
        return gl_has("GL_ARB_fragment_program") && gl.glProgramStringARB ? NULL : "GL_ARB_fragment_program";
    default: return gl.glCreateShader && gl.glLinkProgram ? NULL : "shaders of version 2.0";
    }
}

static uint64_t scratch[FRAGPROG_SCRATCH / sizeof(uint64_t)]; /* working memory of the compiler */

static char message[1024];

static const char *complain(const char *what, const char *log)
{
    snprintf(message, sizeof message, "%s: %.*s", what, (int)strcspn(log ? log : "", "\n"), log ? log : "");
    return message;
}

/* ---- GL_ATI_fragment_shader ---- */

static void ati_op(const struct fragprog_atifs_op *op, bool alpha)
{
    const struct fragprog_atifs_arg *a = op->arg;
#define ARG(i) a[i].source, a[i].rep, a[i].mods
    if (!op->op)
        return;
    switch (op->nargs + (alpha ? 3 : 0)) {
    case 1: gl.glColorFragmentOp1ATI(op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0)); break;
    case 2:
        gl.glColorFragmentOp2ATI(op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0), ARG(1));
        break;
    case 3:
        gl.glColorFragmentOp3ATI(op->op, GL_REG_0_ATI + op->dst, op->mask, op->mod, ARG(0), ARG(1), ARG(2));
        break;
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

static const char *draw_atifs(const struct texenv_state *state, const struct draw_options *options,
                              unsigned bank, unsigned n, bool *refused)
{
    static struct fragprog_reason why;
    static GLuint name;
    struct fragprog_atifs program;
    struct scene_binding binding = scene_as_is;
    if (!fragprog_compile_atifs(&program, &(struct fragprog_source){.state = state}, &options->passes,
                                scratch, &why)) {
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
    scene_bind(state, &binding, bank, true); /* an ATI shader samples the target that is enabled */
    scene_color_sum(state->color_sum && !program.color_sum);
    scene_draw(n);
    gl.glDisable(GL_FRAGMENT_SHADER_ATI);
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL refuses the fragment shader";
}

/* ---- languages ---- */

static char program_text[1 << 17];

/* Writes the program of a state in `language` to program_text. Returns NULL, or why the language cannot
 * express it. */
static const char *translate(const struct texenv_state *state, enum fragprog_language language,
                             const struct draw_options *options)
{
    static struct fragprog_reason why;
    struct texenv_text text;
    const struct fragprog_language_options how = {.language = (uint8_t)language,
                                                  .color_sum = state->color_sum,
                                                  .fold_constants = options->passes.fold_constants};
    const struct fragprog_source source = {.state = state};
    texenv_text_init(&text, program_text, sizeof program_text);
    return fragprog_compile_language(&text, &source, &options->passes, &how, scratch, &why) ? NULL : why.text;
}

/* Sets the environment colours, which programs of both languages read from GL. */
static void set_colors(const struct texenv_state *state)
{
    for (unsigned u = 0; u < state->nstages; u++) {
        gl.glActiveTexture(GL_TEXTURE0 + u);
        gl.glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, state->stage[u].color);
    }
}

static const char *draw_arbfp(const struct texenv_state *state, const struct draw_options *options,
                              unsigned bank, unsigned n, bool *refused)
{
    const char *why = translate(state, FRAGPROG_ARBFP, options);
    if (why) {
        *refused = true;
        return why;
    }
    const GLuint name = arb_program_new(GL_FRAGMENT_PROGRAM_ARB, program_text, strlen(program_text), &why);
    if (!name)
        return complain("the GL refuses the ARB program", why);
    gl.glEnable(GL_FRAGMENT_PROGRAM_ARB);
    scene_bind(state, &scene_as_is, bank, true);
    set_colors(state);
    scene_color_sum(false);
    scene_draw(n);
    gl.glDisable(GL_FRAGMENT_PROGRAM_ARB);
    arb_program_delete(GL_FRAGMENT_PROGRAM_ARB, name);
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL reports an error while drawing by an ARB program";
}

/* Compiles a shader and attaches it to the program. On failure returns false, with the GL's message
 * in log. */
static bool attach(GLuint program, GLenum kind, const char *source, char *log, GLsizei room)
{
    GLint ok = 0;
    GLuint shader = gl.glCreateShader(kind);
    gl.glShaderSource(shader, 1, &source, NULL);
    gl.glCompileShader(shader);
    gl.glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        gl.glAttachShader(program, shader);
    else
        gl.glGetShaderInfoLog(shader, room, NULL, log);
    gl.glDeleteShader(shader); /* it exists until the program is deleted */
    return ok;
}

GLuint program_of_shaders(const char *vertex, const char *fragment, char *log, GLsizei room)
{
    GLint ok = 0;
    const GLuint program = gl.glCreateProgram();
    if (attach(program, GL_FRAGMENT_SHADER, fragment, log, room) &&
        (!vertex[0] || attach(program, GL_VERTEX_SHADER, vertex, log, room))) {
        gl.glLinkProgram(program);
        gl.glGetProgramiv(program, GL_LINK_STATUS, &ok);
        if (!ok)
            gl.glGetProgramInfoLog(program, room, NULL, log);
    }
    if (ok)
        return program;
    gl.glDeleteProgram(program);
    return 0;
}

GLuint program_of_shader(const char *fragment, char *log, GLsizei room)
{
    return program_of_shaders("", fragment, log, room);
}

static const char *draw_glsl(const struct texenv_state *state, const struct draw_options *options,
                             unsigned bank, unsigned n, bool *refused)
{
    const char *why = translate(state, FRAGPROG_GLSL_120, options);
    char log[512] = "";
    if (why) {
        *refused = true;
        return why;
    }
    const GLuint program = program_of_shader(program_text, log, sizeof log);
    if (program) {
        gl.glUseProgram(program);
        for (unsigned u = 0; u < TEXENV_UNITS; u++) {
            char name[16];
            snprintf(name, sizeof name, "texture%u", u);
            gl.glUniform1i(gl.glGetUniformLocation(program, name), (GLint)u); /* GL ignores location -1 */
        }
        scene_bind(state, &scene_as_is, bank, true);
        set_colors(state);
        scene_color_sum(false);
        scene_draw(n);
        gl.glUseProgram(0);
    }
    gl.glDeleteProgram(program); /* GL ignores program 0 */
    if (!program)
        return complain("the GL refuses the shader", log);
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL reports an error while drawing by a shader";
}

/* ---- drawing by any way ---- */

void sabotage_state(struct texenv_state *state)
{
    for (unsigned u = 0; u < state->nstages; u++)
        for (unsigned h = 0; h < 2; h++) {
            uint8_t *func = &state->stage[u].half[h].func;
            if (*func == TEXENV_F_ADD_SIGNED)
                *func = TEXENV_F_ADD;
        }
}

const char *draw_program(const struct texenv_state *state, enum via via, const struct draw_options *options,
                         unsigned bank, unsigned n, bool *refused)
{
    struct texenv_state changed = *state;
    *refused = false;
    if (options->sabotage)
        sabotage_state(&changed);
    switch (via) {
    case VIA_ATIFS: return draw_atifs(&changed, options, bank, n, refused);
    case VIA_ARBFP: return draw_arbfp(&changed, options, bank, n, refused);
    default: return draw_glsl(&changed, options, bank, n, refused);
    }
}
