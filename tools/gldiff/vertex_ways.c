#include "vertex_ways.h"
#include "vertex_core.h"
#include "arb_scene.h"
#include "draw.h"
#include "tools/texenvc/vertex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const vertex_ways[WAYS] = {"glsl", "arbvp", "glsl-110", "glsl-330", "glsl-es", "glsl-es-300"};

const char *vertex_way_lacks(enum vertex_way way)
{
    switch (way) {
    case WAY_ARBVP: return gl_has("GL_ARB_vertex_program") ? NULL : "GL_ARB_vertex_program";
    case WAY_GLSL_330: return gl_has("GL_ARB_explicit_attrib_location") ? NULL : "shaders of version 3.30";
    case WAY_GLSL_ES: return gl_has("GL_ARB_ES2_compatibility") ? NULL : "GL_ARB_ES2_compatibility";
    case WAY_GLSL_ES_300: return gl_has("GL_ARB_ES3_compatibility") ? NULL : "GL_ARB_ES3_compatibility";
    default: return gl.glCreateShader && gl.glLinkProgram ? NULL : "shaders of version 2.0";
    }
}

static char text_data[1 << 17];
static char words[1024];

static const char *complain(const char *what, const char *log)
{
    snprintf(words, sizeof words, "%s: %.*s", what, (int)strcspn(log ? log : "", "\n"), log ? log : "");
    return words;
}

static struct vertex_program program; /* the vertex half's IR before optimisation */

/* Writes the vertex program to text_data. Returns NULL, or why it cannot. */
static const char *translate(enum vertex_way way, const struct vertex_subject *subject,
                             const struct fragprog_options *passes)
{
    static const uint8_t languages[WAYS] = {
        [WAY_GLSL] = FRAGPROG_GLSL_120,       [WAY_ARBVP] = FRAGPROG_ARBFP,
        [WAY_GLSL_110] = FRAGPROG_GLSL_110,   [WAY_GLSL_330] = FRAGPROG_GLSL_330,
        [WAY_GLSL_ES] = FRAGPROG_GLSL_ES_100, [WAY_GLSL_ES_300] = FRAGPROG_GLSL_ES_300};
    static struct fragprog_reason why;
    const struct options language = {.to = FORM_LANGUAGE};
    struct texenv_text text;
    vertex_free(&program);
    if (!vertex_generate(&program, &subject->vertex, &subject->reads, &language))
        die_internal("a generated vertex program is not read");
    const struct fragprog_source source = {.ir = &program.p};
    const struct fragprog_language_options how = {.language = languages[way]};
    void *scratch = xrealloc(NULL, fragprog_scratch(&source));
    texenv_text_init(&text, text_data, sizeof text_data);
    const bool ok = fragprog_compile_language(&text, &source, passes, &how, scratch, &why);
    free(scratch);
    return ok ? NULL : why.text;
}

static const char *draw_arbvp(struct vertex_shot *shot, const struct vertex_values *v,
                              const struct vertex_subject *subject)
{
    const char *why;
    const GLuint name = arb_program_new(GL_VERTEX_PROGRAM_ARB, text_data, strlen(text_data), &why);
    if (!name)
        return complain("the GL refuses the ARB program", why);
    gl.glEnable(GL_VERTEX_PROGRAM_ARB);
    const bool drawn = vertex_scene_draw(shot, v, subject);
    gl.glDisable(GL_VERTEX_PROGRAM_ARB);
    arb_program_delete(GL_VERTEX_PROGRAM_ARB, name);
    return drawn ? NULL : "the GL reports an error while drawing by an ARB program";
}

static bool is_core(enum vertex_way way) { return way >= WAY_GLSL_330; }

/* Makes a program for each part of the results. Returns NULL, or the reason of a failure. */
static const char *make_parts(GLuint programs[VERTEX_PARTS], enum vertex_way way,
                              const struct vertex_subject *subject)
{
    char fragment[2048], log[512] = "";
    for (unsigned part = 0; part < VERTEX_PARTS; part++) {
        if (!vertex_scene_part(subject, part))
            continue;
        if (is_core(way))
            vertex_core_shader(fragment, sizeof fragment, way, &subject->reads, part);
        else
            vertex_scene_shader(fragment, sizeof fragment, &subject->reads, part);
        programs[part] = program_of_shaders(text_data, fragment, log, sizeof log);
        if (!programs[part])
            return complain("the GL refuses the shader", log);
    }
    return NULL;
}

static const char *draw_glsl(struct vertex_shot *shot, enum vertex_way way, const struct vertex_values *v,
                             const struct vertex_subject *subject)
{
    GLuint programs[VERTEX_PARTS] = {0};
    const char *why = make_parts(programs, way, subject);
    if (!why && is_core(way) && !vertex_core_find(&program.p, v))
        why = "the GL does not say its state";
    if (!why && !vertex_scene_draw_shaders(shot, v, programs, is_core(way) ? vertex_core_use : NULL))
        why = "the GL reports an error while drawing by a shader";
    vertex_core_done();
    for (unsigned part = 0; part < VERTEX_PARTS; part++)
        gl.glDeleteProgram(programs[part]); /* GL ignores program 0 */
    return why;
}

const char *vertex_way_text(const struct vertex_draw *how, const struct vertex_subject *subject,
                            const char **why)
{
    *why = translate(how->way, subject, how->passes);
    return *why ? NULL : text_data;
}

const char *vertex_way_draw(struct vertex_shot *shot, const struct vertex_draw *how,
                            const struct vertex_values *v, const struct vertex_subject *subject,
                            bool *refused)
{
    const char *why = translate(how->way, subject, how->passes);
    *refused = why;
    if (why)
        return why;
    return how->way == WAY_ARBVP ? draw_arbvp(shot, v, subject) : draw_glsl(shot, how->way, v, subject);
}

/* Changes a state as if the generator used object planes instead of eye planes, and ignored attenuation,
 * two-sided lighting and texture matrices. */
void vertex_sabotage(struct texenv_vertex *vertex)
{
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        vertex->light[n].attenuated = 0;
    vertex->two_side = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        vertex->texture_matrix[u] = 0;
        for (unsigned c = 0; c < 4; c++)
            if (vertex->texgen[u][c] == TEXENV_TEXGEN_EYE)
                vertex->texgen[u][c] = TEXENV_TEXGEN_OBJECT;
    }
    texenv_vertex_canonicalise(vertex);
}
