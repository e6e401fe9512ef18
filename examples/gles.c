/* Fixed function over OpenGL ES 2: a layer that has calls of OpenGL 1.x, and a picture drawn by them. Each
 * draw finds the pair of shaders of its state, which is compiled where it is new, and sets the uniforms.
 *
 *   cc gles.c $(pkg-config --cflags --libs texenv) -lEGL -lGLESv2 -lm -o gles && ./gles > picture.ppm
 *
 * or, with the single file, cc -DTEXENVC_SINGLE_FILE -DTEXENV_WITH_LANGUAGES gles.c texenvc.c -lEGL ...
 */
#ifdef TEXENVC_SINGLE_FILE
#include "texenvc.h"
#else
#include "fragprog/pair_cache.h"
#endif

#include <GLES2/gl2.h>
#include <stdlib.h>

#define fixed(call) layer##call
#define PICTURE_API EGL_OPENGL_ES_API
#define PICTURE_BIT EGL_OPENGL_ES2_BIT
#include "gles_picture.h" /* declares what is to be implemented here */

static struct texenv te;
static struct texenv_values_gl values;
static struct fragprog_pair_cache *cache;
static struct program {
    GLuint name;
    GLint at[FRAGPROG_PAIR_UNIFORMS];
} program[1024];
static const struct fragprog_pair_options options = {.language = FRAGPROG_GLSL_ES_100, .level = 2};
static const float *vertices; /* of GL_T2F_C4F_N3F_V3F: twelve floats each */

/* What a call returns is what glGetError would give. Each state has its own setters, which leave alone what
 * is not theirs. */
void layerEnable(GLenum cap)
{
    texenv_enable(&te, cap, true);
    texenv_values_enable(&values, &te, cap, true);
    if (cap == GL_DEPTH_TEST)
        glEnable(cap);
}
void layerDisable(GLenum cap)
{
    texenv_enable(&te, cap, false);
    texenv_values_enable(&values, &te, cap, false);
    if (cap == GL_DEPTH_TEST)
        glDisable(cap);
}
void layerAlphaFunc(GLenum func, float ref) { texenv_alpha_func(&te, func, ref); }
void layerFogi(GLenum pname, GLint param) { texenv_fog_i(&te, pname, param); }
void layerFogf(GLenum pname, float v) { texenv_values_fog_f(&values, &te, pname, v); }
void layerFogfv(GLenum pname, const float *v) { texenv_values_fog_fv(&values, &te, pname, v); }
void layerLightf(GLenum l, GLenum pname, float v) { texenv_values_light_f(&values, &te, l, pname, v); }
void layerLightfv(GLenum l, GLenum pname, const float *v)
{
    texenv_values_light_fv(&values, &te, l, pname, v);
}
void layerMaterialf(GLenum face, GLenum pname, float v) { texenv_values_material_f(&values, face, pname, v); }
void layerMaterialfv(GLenum face, GLenum pname, const float *v)
{
    texenv_values_material_fv(&values, face, pname, v);
}
void layerMatrixMode(GLenum mode) { texenv_values_matrix_mode(&values, &te, mode); }
void layerLoadMatrixf(const float *m) { texenv_values_load_matrix(&values, &te, m); }
void layerFrustum(double l, double r, double b, double t, double n, double f)
{
    float m[16];
    if (texenv_matrix_frustum(m, (const double[6]){l, r, b, t, n, f}) == 0)
        texenv_values_mult_matrix(&values, &te, m);
}
void layerTexEnvi(GLenum target, GLenum pname, GLint v) { texenv_tex_env_i(&te, target, pname, v); }
void layerTexGeni(GLenum coord, GLenum pname, GLint v)
{
    texenv_values_tex_gen_f(&values, &te, coord, pname, (float)v);
}
void layerActiveTexture(GLenum unit)
{
    texenv_active_texture(&te, unit);
    glActiveTexture(unit);
}
/* A layer that keeps texture objects has one struct texenv_texture of each, given to texenv_bind_texture. */
void layerTexImage2D(GLenum target, GLint level, GLint internal, GLsizei w, GLsizei h, GLint border,
                     GLenum format, GLenum type, const void *pixels)
{
    struct texenv_texture texture = {0};
    texenv_texture_image(&texture, level, (uint32_t)internal);
    texenv_bind_texture(&te, target, &texture);
    glTexImage2D(target, level, internal, w, h, border, format, type, pixels);
}
void layerInterleavedArrays(GLenum format, GLsizei stride, const void *v)
{
    (void)format, (void)stride;
    vertices = v;
}

/* Its place among the programs. */
static unsigned build(const struct fragprog_pair *pair)
{
    struct program *p = &program[1];
    while (p->name) /* the cache has room for fewer */
        p++;
    const char *const text[2] = {pair->vertex, pair->fragment};
    char name[64];
    struct texenv_text t;
    p->name = glCreateProgram();
    for (unsigned i = 0; i < 2; i++) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &text[i], NULL);
        glCompileShader(shader);
        glAttachShader(p->name, shader);
    }
    for (unsigned a = 0; a < 16; a++)
        if (pair->attributes >> a & 1) {
            texenv_text_init(&t, name, sizeof name);
            fragprog_print_pair_attribute(&t, a, &options);
            glBindAttribLocation(p->name, pair->location[a], name);
        }
    glLinkProgram(p->name);
    glUseProgram(p->name);
    for (unsigned i = 0; i < pair->nuniforms; i++) {
        texenv_text_init(&t, name, sizeof name);
        fragprog_print_pair_uniform(&t, &pair->uniform[i], &options);
        p->at[i] = glGetUniformLocation(p->name, name);
    }
    for (int u = 0; u < TEXENV_UNITS; u++) {
        snprintf(name, sizeof name, "texture%d", u);
        glUniform1i(glGetUniformLocation(p->name, name), u); /* -1, which it is without one, is ignored */
    }
    return (unsigned)(p - program);
}

static void set_uniforms(const struct fragprog_pair *pair, const struct program *p)
{
    static struct texenv_values now;
    static float all[4096];
    texenv_values_of(&now, &values, &te);
    fragprog_uniform_values(pair, &now, all);
    glUseProgram(p->name);
    for (unsigned i = 0; i < pair->nuniforms; i++) {
        const char *type = fragprog_pair_uniform_type(
            pair->uniform[i].id); /* float, vec3, vec4, mat3, mat4 */
        const float *v = all + pair->uniform[i].offset;
        switch (type[0] + type[3]) {
        case 'm' + '4': glUniformMatrix4fv(p->at[i], 1, GL_FALSE, v); break;
        case 'm' + '3': glUniformMatrix3fv(p->at[i], 1, GL_FALSE, v); break;
        case 'v' + '4': glUniform4fv(p->at[i], 1, v); break;
        case 'v' + '3': glUniform3fv(p->at[i], 1, v); break;
        default: glUniform1f(p->at[i], *v);
        }
    }
}

void layerDrawArrays(GLenum mode, GLint first, GLsizei count)
{
    static const uint8_t size[4] = {3, 3, 4, 2}, at[4] = {9, 6, 2, 0}; /* position, normal, color, texcoord */
    static const uint8_t attribute[4] = {FRAGPROG_ATTRIB_POSITION, FRAGPROG_ATTRIB_NORMAL,
                                         FRAGPROG_ATTRIB_COLOR, FRAGPROG_ATTRIB_TEXCOORD};
    struct fragprog_pair_source source = {.affine = 0xFF, .points = mode == GL_POINTS};
    struct fragprog_reason why;
    const char *none;
    if (!texenv_canonicalise(&source.state, &te, NULL, false, NULL, NULL) ||
        !texenv_vertex_of(&source.vertex, &values.vertex, &te, &none))
        return;
    struct fragprog_cached_pair *found = fragprog_pair_cache_get(cache, &source, &why);
    if (!found)
        return;
    if (!found->user)
        found->user = build(&found->pair);
    set_uniforms(&found->pair, &program[found->user]);
    for (unsigned i = 0; i < 4; i++) {
        const GLuint location = found->pair.location[attribute[i]];
        if (!(found->pair.attributes >> attribute[i] & 1))
            continue;
        glVertexAttribPointer(location, size[i], GL_FLOAT, GL_FALSE, 12 * sizeof(float), vertices + at[i]);
        glEnableVertexAttribArray(location);
    }
    glDrawArrays(mode, first, count);
    for (GLuint location = 0; location < 4; location++)
        glDisableVertexAttribArray(location);
}

static void gone(void *user, const struct fragprog_cached_pair *found)
{
    (void)user;
    glDeleteProgram(program[found->user].name);
    program[found->user].name = 0;
}

int main(void)
{
    enum { SIZE = 1 << 20 };
    const struct fragprog_pair_cache_options all = {.options = options, .gone = gone};
    cache = fragprog_pair_cache_open(malloc(SIZE), SIZE, &all);
    texenv_init(&te);
    texenv_values_gl_init(&values);
    return !cache || picture();
}
