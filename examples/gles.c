/* A GL of fixed function over OpenGL ES 2, without the ES: calls come in, and each draw finds the pair of
 * shaders of its texture environment, which is made where it is new. What a layer tells ES is printed
 * instead.
 *
 *   cc gles.c $(pkg-config --cflags --libs texenv) -o gles && ./gles
 *
 * or, with the single file, cc -DTEXENVC_SINGLE_FILE -DTEXENV_WITH_LANGUAGES gles.c texenvc.c
 *
 * Lighting and generated coordinates are the vertex half: fragprog/fixed_vertex.h.
 */
#ifdef TEXENVC_SINGLE_FILE
#include "texenvc.h"
#else
#include "fragprog/fragprog.h"
#endif

#include <stdio.h>
#include <string.h>

/* From the registry of OpenGL: its headers are not needed. */
#define GL_TEXTURE_2D 0x0DE1
#define GL_TEXTURE0 0x84C0
#define GL_TEXTURE_ENV 0x2300
#define GL_TEXTURE_ENV_MODE 0x2200
#define GL_TEXTURE_ENV_COLOR 0x2201
#define GL_MODULATE 0x2100
#define GL_BLEND 0x0BE2
#define GL_ALPHA_TEST 0x0BC0
#define GL_GREATER 0x0204

enum { FRAGMENT, VERTEX, SHADERS };
enum { PROGRAMS = 64 };

struct program { /* and the name of ES's program, and the locations of its uniforms */
    struct texenv_state key;
    struct fragprog_interface reads[SHADERS];
};

struct layer {
    struct texenv te;
    struct program program[PROGRAMS];
    unsigned programs, draws;
};

/* The environment without what is uploaded. By pointers: keys are compared by their bytes, padding as well.
 */
static void make_key(struct texenv_state *key, const struct texenv_state *state)
{
    memcpy(key, state, sizeof *key);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        memset(key->stage[u].color, 0, sizeof key->stage[u].color);
    key->alpha_ref = 0;
}

static bool build(struct program *p, const struct texenv_state *state, struct fragprog_reason *why)
{
    static max_align_t scratch[FRAGPROG_SCRATCH / sizeof(max_align_t)]; /* one for each thread, as the text */
    static char data[FRAGPROG_LANGUAGE_TEXT];
    const struct fragprog_source source = {.state = state};
    const struct fragprog_options options = {.level = 1};
    struct fragprog_compilation c;
    if (!fragprog_begin(&c, &source, &options, false, scratch, why))
        return false;
    for (unsigned shader = 0; shader < SHADERS; shader++) {
        const struct fragprog_language_options language = {.language = FRAGPROG_GLSL_ES_100,
                                                           .vertex = shader == VERTEX,
                                                           .color_sum = state->color_sum,
                                                           .fog = state->fog,
                                                           .fog_coord = state->fog_coord,
                                                           .alpha_test = state->alpha_test};
        struct texenv_text text;
        texenv_text_init(&text, data, sizeof data);
        if (!fragprog_print_language(&text, c.best, &language, c.scratch, why))
            return false;
        fragprog_find_interface(&p->reads[shader], c.best, &language);
        printf("// glCompileShader, %s\n%s", shader == VERTEX ? "vertex" : "fragment", data);
    }
    return true;
}

/* NULL: this environment cannot be drawn with. A layer with many programs has a table instead of the loop,
 * and looks nothing up while texenv_pack leaves all codes as they were. */
static const struct program *find(struct layer *l)
{
    struct texenv_state state, key;
    struct fragprog_reason why;
    if (!texenv_canonicalise(&state, &l->te, NULL, false, NULL, NULL))
        return NULL;
    make_key(&key, &state);
    for (unsigned i = 0; i < l->programs; i++)
        if (memcmp(&l->program[i].key, &key, sizeof key) == 0)
            return &l->program[i];
    struct program *p = &l->program[l->programs % PROGRAMS];
    if (l->programs == PROGRAMS || !build(p, &state, &why)) {
        fprintf(stderr, "%s\n", l->programs == PROGRAMS ? "too many programs" : why.text);
        return NULL;
    }
    memcpy(&p->key, &key, sizeof key);
    printf("// glLinkProgram, glUseProgram: %u\n", l->programs++);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (p->reads[FRAGMENT].textures >> u & 1)
            printf("// glUniform1i: texture%u = %u\n", u, u);
    return p;
}

static void draw(struct layer *l)
{
    const struct program *p = find(l);
    l->draws++;
    if (!p)
        return;
    printf("// glUseProgram: %d\n", (int)(p - l->program));
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        const float *c = l->te.unit[u].env.color;
        if (p->reads[FRAGMENT].colors >> u & 1)
            printf("// glUniform4fv: texenv_color[%u] = %g %g %g %g\n", u, c[0], c[1], c[2], c[3]);
    }
    const unsigned uniforms = p->reads[FRAGMENT].uniforms | p->reads[VERTEX].uniforms;
    if (uniforms >> FRAGPROG_UNIFORM_ALPHA_REFERENCE & 1)
        printf("// glUniform1f: alpha_reference = %g\n", l->te.alpha_ref);
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++) /* GL state that the layer keeps */
        if (uniforms >> u & 1 && u != FRAGPROG_UNIFORM_TEXENV_COLOR &&
            u != FRAGPROG_UNIFORM_ALPHA_REFERENCE) {
            const struct fragprog_uniform_info *info = fragprog_uniform_info((enum fragprog_uniform)u);
            printf("// %s %s\n", info->type, info->name);
        }
}

int main(void)
{
    static struct layer l;
    static const float sky[] = {0.25f, 0.5f, 1, 1}, dusk[] = {1, 0.5f, 0.25f, 1};
    const struct texenv_texture rgba = {.complete = 1, .base = TEXENV_RGBA};
    texenv_init(&l.te);
    texenv_enable(&l.te, GL_TEXTURE_2D, true); /* errors: what the setters return is what glGetError gives */
    texenv_bind_texture(&l.te, GL_TEXTURE_2D, &rgba);
    texenv_tex_env_i(&l.te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_BLEND);
    texenv_tex_env_fv(&l.te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, sky);
    draw(&l);
    texenv_tex_env_fv(&l.te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, dusk); /* the same program */
    draw(&l);
    texenv_active_texture(&l.te, GL_TEXTURE0 + 1);
    texenv_enable(&l.te, GL_TEXTURE_2D, true);
    texenv_bind_texture(&l.te, GL_TEXTURE_2D, &rgba);
    texenv_tex_env_i(&l.te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    texenv_enable(&l.te, GL_ALPHA_TEST, true);
    texenv_alpha_func(&l.te, GL_GREATER, 0.5f);
    draw(&l);
    texenv_alpha_func(&l.te, GL_GREATER, 0.25f);
    draw(&l);
    printf("// %u draws, %u programs\n", l.draws, l.programs);
    return l.programs != 2;
}
