#include "embed.h"

#include <stdlib.h>
#include <string.h>

/* ---- what stands once in a file ---- */

static const char tables[] =
    "#ifndef TEXENVC_TABLES\n"
    "#define TEXENVC_TABLES\n"
    "#include <stddef.h>\n"
    "enum texenvc_kind { TEXENVC_SAMPLER, TEXENVC_UNIFORM, TEXENVC_ATTRIBUTE, TEXENVC_VARYING };\n"
    "/* Which state a uniform holds. */\n"
    "enum texenvc_state {\n"
    "    TEXENVC_NO_STATE = -1,\n"
#define FRAGPROG_UNIFORM(id, name, type, elements, offset) "    TEXENVC_" #id ",\n"
#include "fragprog/uniforms.def"
#undef FRAGPROG_UNIFORM
    "    TEXENVC_BINDING, /* the vector that `is` names as ARB programs do: state.light[0].position */\n"
    "    TEXENVC_STATES\n"
    "};\n"
    "/* Numbers that are not there are -1, texts NULL. */\n"
    "struct texenvc_variable {\n"
    "    const char *name, *type; /* as in the shaders */\n"
    "    const char *is;          /* GL's name of the state */\n"
    "    enum texenvc_kind kind;\n"
    "    enum texenvc_state state; /* of a uniform */\n"
    "    int unit;                 /* which texture unit it is of */\n"
    "    int stages;               /* 1: the fragment shader reads it, 2: the vertex shader */\n"
    "    int built_in;             /* GL fills it */\n"
    "    int location;             /* of attributes; glsl-450: of varyings, too */\n"
    "    int binding, offset;      /* glsl-450: of a sampler, or of the block and in it */\n"
    "    unsigned target;          /* of a sampler: GL_TEXTURE_2D ... */\n"
    "    const char *format, *swizzle;\n"
    "    int values; /* how many of value[] are known; of GL's state as it was converted */\n"
    "    float value[4];\n"
    "};\n"
    "struct texenvc_pair {\n"
    "    const char *name, *language;\n"
    "    const char *vertex, *fragment; /* sources, if they are embedded */\n"
    "    const char *fog, *fog_formula, *alpha_test, *alpha_formula;\n"
    "    int block_binding, block_size; /* glsl-450 */\n"
    "    const struct texenvc_variable *variable;\n"
    "    int nvariables;\n"
    "};\n"
    "#endif\n";

static const char functions[] =
    "#ifndef TEXENVC_EMBED\n"
    "#define TEXENVC_EMBED\n"
    "#include <string.h>\n"
    "#include <texenv/texenv.h>\n"
    "#ifndef TEXENVC_GLAPI\n"
    "#if defined(_WIN32) && !defined(_WIN64)\n"
    "#define TEXENVC_GLAPI __stdcall\n"
    "#else\n"
    "#define TEXENVC_GLAPI\n"
    "#endif\n"
    "#endif\n"
    "/* GL's functions of these names (glUniform1i ...), of OpenGL 2.0 or OpenGL ES 2.0. */\n"
    "struct texenvc_gl {\n"
    "    int(TEXENVC_GLAPI *GetUniformLocation)(unsigned program, const char *name);\n"
    "    void(TEXENVC_GLAPI *Uniform1i)(int location, int value);\n"
    "    void(TEXENVC_GLAPI *Uniform1f)(int location, float value);\n"
    "    void(TEXENVC_GLAPI *Uniform4fv)(int location, int count, const float *value);\n"
    "    void(TEXENVC_GLAPI *UniformMatrix4fv)(int location, int count, unsigned char transpose,\n"
    "                                          const float *value);\n"
    "};\n"
    "/* State that struct texenv does not have; matrices by columns, as glLoadMatrixf takes them. */\n"
    "struct texenvc_frame {\n"
    "    float projection[16], modelview[16], texture[8][16];\n"
    "    float fog_color[4], fog_density, fog_start, fog_end;\n"
    "    /* of vertex programs with lighting or generated coordinates: writes the state that ARB vertex\n"
    "     * programs bind by this name, state.matrix.modelview[0].row[2] a row of a matrix; user is handed "
    "on */\n"
    "    void (*get)(void *user, const char *binding, float value[4]);\n"
    "    void *user;\n"
    "};\n"
    "/* The value of a uniform: 1, 4 or 16 numbers; 0: it is none, or the shader's own. */\n"
    "static inline int texenvc_value(const struct texenvc_variable *v, const struct texenv *te,\n"
    "                                const struct texenvc_frame *frame, float value[16])\n"
    "{\n"
    "    int i, k;\n"
    "    if (v->kind != TEXENVC_UNIFORM || v->built_in)\n"
    "        return 0;\n"
    "    switch (v->state) {\n"
    "    case TEXENVC_MODELVIEW_PROJECTION:\n"
    "        for (i = 0; i < 16; i++) {\n"
    "            value[i] = 0;\n"
    "            for (k = 0; k < 4; k++)\n"
    "                value[i] += frame->projection[4 * k + i % 4] * frame->modelview[i / 4 * 4 + k];\n"
    "        }\n"
    "        return 16;\n"
    "    case TEXENVC_MODELVIEW: memcpy(value, frame->modelview, sizeof frame->modelview); return 16;\n"
    "    case TEXENVC_TEXTURE_MATRIX:\n"
    "        memcpy(value, frame->texture[v->unit], sizeof frame->texture[0]);\n"
    "        return 16;\n"
    "    case TEXENVC_TEXENV_COLOR:\n"
    "        memcpy(value, te->unit[v->unit].env.color, sizeof te->unit[0].env.color);\n"
    "        return 4;\n"
    "    case TEXENVC_FOG_COLOR: memcpy(value, frame->fog_color, sizeof frame->fog_color); return 4;\n"
    "    case TEXENVC_FOG_DENSITY: value[0] = frame->fog_density; return 1;\n"
    "    case TEXENVC_FOG_END: value[0] = frame->fog_end; return 1;\n"
    "    case TEXENVC_FOG_SCALE: value[0] = 1 / (frame->fog_end - frame->fog_start); return 1;\n"
    "    case TEXENVC_ALPHA_REFERENCE: value[0] = te->alpha_ref; return 1;\n"
    "    case TEXENVC_BINDING: frame->get(frame->user, v->is, value); return 4;\n"
    "    default: return 0;\n"
    "    }\n"
    "}\n"
    "/* Sets every uniform and sampler of the pair that GL does not fill, of the program in use. frame may "
    "be\n"
    " * NULL if no matrix, fog and binding is among them. The program must have been made of a state with "
    "te's "
    "key\n"
    " * (texenvc key); te may have other colours and another reference. */\n"
    "static inline void texenvc_set(const struct texenvc_pair *pair, const struct texenvc_gl *gl,\n"
    "                               unsigned program, const struct texenv *te,\n"
    "                               const struct texenvc_frame *frame)\n"
    "{\n"
    "    float value[16];\n"
    "    int i;\n"
    "    for (i = 0; i < pair->nvariables; i++) {\n"
    "        const struct texenvc_variable *v = &pair->variable[i];\n"
    "        int location, count = texenvc_value(v, te, frame, value);\n"
    "        if (!count && (v->kind != TEXENVC_SAMPLER || v->built_in))\n"
    "            continue;\n"
    "        location = gl->GetUniformLocation(program, v->name);\n"
    "        switch (count) {\n"
    "        case 0: gl->Uniform1i(location, v->unit); break;\n"
    "        case 1: gl->Uniform1f(location, value[0]); break;\n"
    "        case 4: gl->Uniform4fv(location, 1, value); break;\n"
    "        default: gl->UniformMatrix4fv(location, 1, 0, value); break;\n"
    "        }\n"
    "    }\n"
    "}\n"
    "/* The same for glsl-450: writes what the pair reads to the uniform block, pair->block_size bytes. */\n"
    "static inline void texenvc_fill(const struct texenvc_pair *pair, void *block, const struct texenv *te,\n"
    "                                const struct texenvc_frame *frame)\n"
    "{\n"
    "    float value[16];\n"
    "    int i;\n"
    "    for (i = 0; i < pair->nvariables; i++) {\n"
    "        const struct texenvc_variable *v = &pair->variable[i];\n"
    "        int count = v->offset < 0 ? 0 : texenvc_value(v, te, frame, value);\n"
    "        if (count)\n"
    "            memcpy((char *)block + v->offset, value, (size_t)count * sizeof value[0]);\n"
    "    }\n"
    "}\n"
    "#endif\n";

void add_c_preamble(struct buffer *b, bool embed)
{
    buffer_puts(b, tables);
    if (embed)
        buffer_puts(b, functions);
}

/* ---- a pair ---- */

/* A string of C, or NULL. */
static void add_c_string(struct buffer *b, const char *s)
{
    if (!s || !*s) {
        buffer_puts(b, "NULL");
        return;
    }
    buffer_puts(b, "\"");
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            buffer_printf(b, "\\%c", *s);
        else if (*s == '\n')
            buffer_puts(b, "\\n");
        else
            buffer_add(b, s, 1);
    buffer_puts(b, "\"");
}

/* A source, a line each. */
static void add_source(struct buffer *b, const struct reflection *r, const char *stage, const char *text)
{
    buffer_printf(b, "static const char %s_%s[] =", r->name, stage);
    while (*text) {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        char *line = xstrndup(text, length);
        buffer_puts(b, "\n    ");
        add_c_string(b, line);
        free(line);
        text += length;
    }
    buffer_puts(b, ";\n");
}

static void add_c_variable(struct buffer *b, const struct variable *v)
{
    static const char *const kinds[KINDS] = {"TEXENVC_SAMPLER", "TEXENVC_UNIFORM", "TEXENVC_ATTRIBUTE",
                                             "TEXENVC_VARYING"};
    static const char *const states[FRAGPROG_UNIFORMS] = {
#define FRAGPROG_UNIFORM(id, name, type, elements, offset) "TEXENVC_" #id,
#include "fragprog/uniforms.def"
#undef FRAGPROG_UNIFORM
    };
    buffer_puts(b, "    {");
    add_c_string(b, v->name);
    buffer_puts(b, ", ");
    add_c_string(b, v->type);
    buffer_puts(b, ", ");
    add_c_string(b, v->is);
    buffer_printf(b, ", %s, %s, %d, %u, %d, %d, %d, %d, 0x%xu, ", kinds[v->kind],
                  v->uniform < 0                       ? "TEXENVC_NO_STATE"
                      : v->uniform == VARIABLE_BINDING ? "TEXENVC_BINDING"
                                                       : states[v->uniform],
                  v->unit, v->stages, v->built_in, v->location, v->binding, v->offset, (unsigned)v->target);
    add_c_string(b, v->format);
    buffer_puts(b, ", ");
    add_c_string(b, v->swizzle);
    unsigned values = v->values;
    for (unsigned i = 0; i < v->values; i++)
        values = v->value[i] == v->value[i] ? values : 0; /* not known */
    buffer_printf(b, ", %u, {%s", values, values ? "" : "0");
    for (unsigned i = 0; i < values; i++) {
        buffer_puts(b, i ? ", (float)" : "(float)");
        buffer_float(b, v->value[i]);
    }
    buffer_puts(b, "}},\n");
}

static void add_functions(struct buffer *b, const struct reflection *r)
{
    if (r->how.language == FRAGPROG_GLSL_450)
        buffer_printf(b,
                      "/* Writes the %u bytes of the uniform block (texenvc_fill). */\n"
                      "static inline void %s_fill(void *block, const struct texenv *te,\n"
                      "    const struct texenvc_frame *frame)\n"
                      "{\n    texenvc_fill(&%s_pair, block, te, frame);\n}\n",
                      r->block, r->name, r->name);
    else
        buffer_printf(b,
                      "/* Sets all uniforms of the program in use (texenvc_set). */\n"
                      "static inline void %s_set(const struct texenvc_gl *gl, unsigned program,\n"
                      "    const struct texenv *te, const struct texenvc_frame *frame)\n"
                      "{\n    texenvc_set(&%s_pair, gl, program, te, frame);\n}\n",
                      r->name, r->name);
}

void add_c_pair(struct buffer *b, const struct reflection *r, const struct buffer *vertex,
                const struct buffer *fragment)
{
    const bool vulkan = r->how.language == FRAGPROG_GLSL_450;
    const char *texts[] = {fog_names[r->how.fog & 3], r->fog_formula.data,
                           r->core ? compare_names[r->how.alpha_test] : "off", r->alpha_formula.data};
    buffer_printf(b, "#ifndef TEXENVC_PAIR_%s\n#define TEXENVC_PAIR_%s\n", r->name, r->name);
    if (vertex)
        add_source(b, r, "vertex", vertex->data);
    if (fragment)
        add_source(b, r, "fragment", fragment->data);
    if (r->n) {
        buffer_printf(b, "static const struct texenvc_variable %s_variables[] = {\n", r->name);
        for (unsigned i = 0; i < r->n; i++)
            add_c_variable(b, &r->v[i]);
        buffer_puts(b, "};\n");
    }
    buffer_printf(b, "static const struct texenvc_pair %s_pair = {\"%s\", \"%s\", ", r->name, r->name,
                  fragprog_language_name((enum fragprog_language)r->how.language));
    if (vertex)
        buffer_printf(b, "%s_vertex, %s_fragment", r->name, r->name);
    else
        buffer_puts(b, "NULL, NULL");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        buffer_puts(b, i ? ", " : ",\n    ");
        add_c_string(b, texts[i]);
    }
    buffer_printf(b, ",\n    %d, %d, %s%s, %u};\n", vulkan ? (int)r->how.binding : -1,
                  vulkan ? (int)r->block : 0, r->n ? r->name : "NULL", r->n ? "_variables" : "", r->n);
    if (vertex)
        add_functions(b, r);
    buffer_puts(b, "#endif\n");
}
