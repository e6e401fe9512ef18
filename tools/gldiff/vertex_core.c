#include "vertex_core.h"
#include "arb_scene.h"

#include <stdio.h>
#include <string.h>

/* ---- fragment shaders that output varyings ---- */

static void declare(char *text, size_t size, const char *in, bool wanted, const char *type, const char *name)
{
    const size_t n = strlen(text);
    if (wanted)
        snprintf(text + n, size - n, "%s %s %s;\n", in, type, name);
}

static void show(char *text, size_t size, enum vertex_way way, unsigned target, const char *value)
{
    const size_t n = strlen(text);
    snprintf(text + n, size - n, way == WAY_GLSL_ES ? "    gl_FragData[%u] = %s;\n" : "    shown%u = %s;\n",
             target, value);
}

/* Writes the expression of a varying as a vec4. */
static void value_of(char *out, size_t size, const struct texenv_vertex_reads *reads, unsigned part,
                     unsigned target)
{
    const unsigned seen = part * TARGETS + target;
    static const char *const names[] = {"primary_color", "secondary_color", "vec4(fog_coord)"};
    const bool there[] = {reads->primary, reads->secondary, reads->fog};
    if (part >= PART_POSITION)
        snprintf(out, size, target ? "vec4(0.0)" : "gl_FragCoord");
    else if (seen < SEEN_COORD)
        snprintf(out, size, "%s", there[seen] ? names[seen] : "vec4(0.0)");
    else if (seen < SEEN_POSITION && reads->coord[seen - SEEN_COORD])
        snprintf(out, size, "texcoord%u", seen - SEEN_COORD);
    else
        snprintf(out, size, "vec4(0.0)");
}

void vertex_core_shader(char *text, size_t size, enum vertex_way way, const struct texenv_vertex_reads *reads,
                        unsigned part)
{
    static const char *const heads[WAYS] = {[WAY_GLSL_330] = "#version 330 core\n",
                                            [WAY_GLSL_ES] = "#version 100\nprecision highp float;\n",
                                            [WAY_GLSL_ES_300] = "#version 300 es\nprecision highp float;\n"};
    const char *in = way == WAY_GLSL_ES ? "varying" : "in";
    char name[40];
    snprintf(text, size, "%s", heads[way]);
    declare(text, size, in, reads->primary, "vec4", "primary_color");
    declare(text, size, in, reads->secondary, "vec4", "secondary_color");
    declare(text, size, in, reads->fog, "float", "fog_coord");
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        snprintf(name, sizeof name, "texcoord%u", u);
        declare(text, size, in, reads->coord[u], "vec4", name);
    }
    for (unsigned i = 0; i < TARGETS && way != WAY_GLSL_ES; i++) {
        char out[40];
        snprintf(out, sizeof out, "layout(location = %u) out", i);
        snprintf(name, sizeof name, "shown%u", i);
        declare(text, size, out, true, "vec4", name);
    }
    snprintf(text + strlen(text), size - strlen(text), "void main()\n{\n");
    for (unsigned i = 0; i < TARGETS; i++) {
        value_of(name, sizeof name, reads, part, i);
        show(text, size, way, i, name);
    }
    snprintf(text + strlen(text), size - strlen(text), "}\n");
}

/* ---- state as uniforms ---- */

/* Reads the values that the GL has for n ARB bindings: a vertex program writes them to texture coordinates,
 * which a fragment program outputs. */
static bool look_up(char bindings[TARGETS][80], unsigned n, float values[TARGETS][4])
{
    char vertex[2048] = "!!ARBvp1.0\nMOV result.position, {0.0625, 0, 0, 1};\n",
         fragment[1024] = "!!ARBfp1.0\nOPTION ARB_draw_buffers;\n";
    const char *why;
    for (unsigned i = 0; i < n; i++) {
        snprintf(vertex + strlen(vertex), sizeof vertex - strlen(vertex), "MOV result.texcoord[%u], %s;\n", i,
                 bindings[i]);
        snprintf(fragment + strlen(fragment), sizeof fragment - strlen(fragment),
                 "MOV result.color[%u], fragment.texcoord[%u];\n", i, i);
    }
    strcat(vertex, "END\n");
    strcat(fragment, "END\n");
    const GLuint names[2] = {arb_program_new(GL_VERTEX_PROGRAM_ARB, vertex, strlen(vertex), &why),
                             arb_program_new(GL_FRAGMENT_PROGRAM_ARB, fragment, strlen(fragment), &why)};
    bool ok = names[0] && names[1];
    if (ok) {
        gl.glEnable(GL_VERTEX_PROGRAM_ARB);
        gl.glEnable(GL_FRAGMENT_PROGRAM_ARB);
        ok = vertex_scene_point(values, n);
        gl.glDisable(GL_VERTEX_PROGRAM_ARB);
        gl.glDisable(GL_FRAGMENT_PROGRAM_ARB);
    }
    arb_program_delete(GL_VERTEX_PROGRAM_ARB, names[0]); /* GL ignores name 0 */
    arb_program_delete(GL_FRAGMENT_PROGRAM_ARB, names[1]);
    return ok;
}

/* Makes a uniform's name from a binding: "state.light[0].position" becomes "state_light_0_position". */
static void name_of(char *name, const char *binding)
{
    for (; *binding; binding++)
        if (*binding != ']')
            *name++ = *binding == '.' || *binding == '[' ? '_' : *binding;
    *name = '\0';
}

enum { MOST = 512 };
static struct {
    int32_t origin;
    float value[2][4]; /* [0] for PART_SIZE, [1] for the other parts */
} found[MOST];
static unsigned nfound;

static void add_origin(int32_t origin)
{
    for (unsigned i = 0; i < nfound; i++)
        if (found[i].origin == origin)
            return;
    if (nfound < MOST)
        found[nfound++].origin = origin;
}

static void binding_of(char out[80], int32_t origin)
{
    struct texenv_text text;
    texenv_text_init(&text, out, 80);
    fragprog_print_origin(&text, origin);
}

static bool find_values(unsigned k)
{
    bool ok = true;
    for (unsigned first = 0; first < nfound; first += TARGETS) {
        const unsigned n = nfound - first < TARGETS ? nfound - first : TARGETS;
        char bindings[TARGETS][80];
        float values[TARGETS][4];
        for (unsigned i = 0; i < n; i++)
            binding_of(bindings[i], found[first + i].origin);
        ok &= look_up(bindings, n, values);
        for (unsigned i = 0; i < n; i++)
            memcpy(found[first + i].value[k], values[i], sizeof values[i]);
    }
    return ok;
}

bool vertex_core_find(const struct fragprog *p, const struct vertex_values *v)
{
    bool ok = true;
    nfound = 0;
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++)
            if (p->konst[k].origin[c].unit >= FRAGPROG_ORIGIN_STATE)
                add_origin(p->konst[k].origin[c].unit);
    for (unsigned k = 0; k < 2; k++) {
        vertex_values_points(k ? NULL : v);
        ok &= find_values(k);
    }
    return ok;
}

static void set_uniforms(GLuint program, unsigned part)
{
    for (unsigned i = 0; i < nfound; i++) {
        char binding[80], name[80];
        binding_of(binding, found[i].origin);
        name_of(name, binding);
        gl.glUniform4fv(gl.glGetUniformLocation(program, name), 1,
                        found[i].value[part != PART_SIZE]); /* GL ignores location -1 */
    }
}

static void set_position(GLuint program, const struct vertex_values *v)
{
    float m[16];
    for (unsigned i = 0; i < 16; i++) {
        double sum = 0;
        for (unsigned k = 0; k < 4; k++)
            sum += (double)v->projection[k * 4 + i % 4] * (double)v->modelview[i / 4 * 4 + k];
        m[i] = (float)sum;
    }
    gl.glUniformMatrix4fv(gl.glGetUniformLocation(program, "modelview_projection"), 1, GL_FALSE, m);
}

/* ---- attributes ---- */

static GLint enabled[6 + TEXENV_UNITS];
static unsigned nenabled;

static void attribute(GLuint program, const char *name, GLint size, const float *data)
{
    const GLint at = gl.glGetAttribLocation(program, name);
    if (at < 0)
        return;
    gl.glVertexAttribPointer((GLuint)at, size, GL_FLOAT, GL_FALSE, 0, data);
    gl.glEnableVertexAttribArray((GLuint)at);
    enabled[nenabled++] = at;
}

void vertex_core_done(void)
{
    while (nenabled)
        gl.glDisableVertexAttribArray((GLuint)enabled[--nenabled]);
}

void vertex_core_attributes(GLuint program, const struct vertex_values *v)
{
    vertex_core_done(); /* disables the attributes of the previous program */
    attribute(program, "vertex_position", 4, v->position[0]);
    attribute(program, "vertex_normal", 3, v->normal[0]);
    attribute(program, "vertex_color", 4, v->color[0]);
    attribute(program, "vertex_secondary_color", 3, v->secondary[0]);
    attribute(program, "vertex_fog_coord", 1, v->fog_coord);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        char name[40];
        snprintf(name, sizeof name, "vertex_texcoord%u", u);
        attribute(program, name, 4, v->coord[u][0]);
    }
}

void vertex_core_use(GLuint program, const struct vertex_values *v, unsigned part)
{
    gl.glUseProgram(program);
    set_uniforms(program, part);
    set_position(program, v);
    vertex_core_attributes(program, v);
}
