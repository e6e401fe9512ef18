#include "both_pair.h"
#include "draw.h"
#include "vertex_core.h"

#include <stdio.h>
#include <string.h>

static struct fragprog_pair pair;
static struct fragprog_pair_options made_with;

GLuint both_pair_make(const struct fragprog_pair_source *source, const struct fragprog_pair_options *options,
                      const char **refused, const char **failed)
{
    static char texts[FRAGPROG_PAIR_TEXTS], log[512], words[600];
    static uint64_t scratch[FRAGPROG_PAIR_SCRATCH / sizeof(uint64_t)];
    static struct fragprog_reason why;
    *refused = *failed = NULL;
    made_with = *options;
    if (!fragprog_compile_pair(&pair, source, options, texts, scratch, &why)) {
        *refused = why.text;
        return 0;
    }
    log[0] = '\0';
    const GLuint program = program_of_shaders(pair.vertex, pair.fragment, log, sizeof log);
    snprintf(words, sizeof words, "the GL refuses the shaders: %.*s", (int)strcspn(log, "\n"), log);
    *failed = program ? NULL : words;
    return program;
}

/* ---- the values, given to the library by its setters as an application would ---- */

static struct texenv te;
static struct texenv_values_gl followed;

static void give_lights(const struct vertex_values *v)
{
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        const uint32_t light = GL_LIGHT0 + n;
        const float cutoff = v->light[n].cutoff, exponent = v->light[n].exponent;
        texenv_values_light_fv(&followed, &te, light, GL_AMBIENT, v->light[n].ambient);
        texenv_values_light_fv(&followed, &te, light, GL_DIFFUSE, v->light[n].diffuse);
        texenv_values_light_fv(&followed, &te, light, GL_SPECULAR, v->light[n].specular);
        texenv_values_light_fv(&followed, &te, light, GL_POSITION, v->light[n].position);
        texenv_values_light_fv(&followed, &te, light, GL_SPOT_DIRECTION, v->light[n].direction);
        texenv_values_light_f(&followed, &te, light, GL_SPOT_EXPONENT, exponent);
        texenv_values_light_f(&followed, &te, light, GL_SPOT_CUTOFF, cutoff);
        for (unsigned k = 0; k < 3; k++)
            texenv_values_light_f(&followed, &te, light, GL_CONSTANT_ATTENUATION + k,
                                  v->light[n].attenuation[k]);
    }
    texenv_values_light_model_fv(&followed, &te, GL_LIGHT_MODEL_AMBIENT, v->model_ambient);
}

static void give_materials(const struct vertex_values *v)
{
    for (unsigned side = 0; side < 2; side++) {
        const uint32_t face = side ? GL_BACK : GL_FRONT;
        texenv_values_material_fv(&followed, face, GL_AMBIENT, v->material[side].ambient);
        texenv_values_material_fv(&followed, face, GL_DIFFUSE, v->material[side].diffuse);
        texenv_values_material_fv(&followed, face, GL_SPECULAR, v->material[side].specular);
        texenv_values_material_fv(&followed, face, GL_EMISSION, v->material[side].emission);
        texenv_values_material_f(&followed, face, GL_SHININESS, v->material[side].shininess);
    }
}

static void give_matrix(uint32_t mode, const float *m)
{
    texenv_values_matrix_mode(&followed, &te, mode);
    texenv_values_load_matrix(&followed, &te, m);
}

static void give_units(const struct vertex_values *v)
{
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        texenv_active_texture(&te, GL_TEXTURE0 + u);
        give_matrix(GL_TEXTURE, v->texture[u]);
        for (unsigned c = 0; c < 4; c++) {
            texenv_values_tex_gen_fv(&followed, &te, GL_S + c, GL_OBJECT_PLANE, v->object_plane[u][c]);
            texenv_values_tex_gen_fv(&followed, &te, GL_S + c, GL_EYE_PLANE, v->eye_plane[u][c]);
        }
    }
}

static void follow(struct texenv_values *out, const struct vertex_values *v, const struct texenv_state *state)
{
    texenv_init(&te);
    texenv_values_gl_init(&followed);
    give_lights(v); /* in eye coordinates, as the modelview matrix is still the identity */
    give_materials(v);
    give_matrix(GL_PROJECTION, v->projection);
    give_matrix(GL_MODELVIEW, v->modelview);
    give_units(v);
    texenv_values_of(out, &followed, &te);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        memcpy(out->texenv_color[u], state->stage[u].color, sizeof out->texenv_color[u]);
    out->alpha_reference = state->alpha_ref;
}

/* ---- uniforms ---- */

static void set_uniform(GLuint program, const struct fragprog_pair_uniform *uniform, const float *value)
{
    char name[128];
    struct texenv_text text;
    const char *type = fragprog_pair_uniform_type((enum fragprog_pair_value)uniform->id);
    texenv_text_init(&text, name, sizeof name);
    fragprog_print_pair_uniform(&text, uniform, &made_with);
    const GLint at = gl.glGetUniformLocation(program, name);
    if (strcmp(type, "mat4") == 0)
        gl.glUniformMatrix4fv(at, 1, GL_FALSE, value);
    else if (strcmp(type, "mat3") == 0)
        gl.glUniformMatrix3fv(at, 1, GL_FALSE, value);
    else if (strcmp(type, "vec4") == 0)
        gl.glUniform4fv(at, 1, value);
    else if (strcmp(type, "vec3") == 0)
        gl.glUniform3fv(at, 1, value);
    else
        gl.glUniform1f(at, *value);
}

void both_pair_use(GLuint program, const struct vertex_values *v, const struct texenv_state *state,
                   void (*more)(struct texenv_values *values))
{
    static struct texenv_values values;
    static float floats[4096];
    follow(&values, v, state);
    more(&values);
    fragprog_uniform_values(&pair, &values, floats);
    gl.glUseProgram(program);
    for (unsigned i = 0; i < pair.nuniforms; i++)
        set_uniform(program, &pair.uniform[i], floats + pair.uniform[i].offset);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        char name[16];
        snprintf(name, sizeof name, "texture%u", u);
        gl.glUniform1i(gl.glGetUniformLocation(program, name), (GLint)u); /* GL ignores location -1 */
    }
    vertex_core_attributes(program, v);
}
