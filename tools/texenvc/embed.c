#include "embed.h"
#include "embed_values.h"
#include "recorded.h"
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

/* ---- declarations that a file contains once ---- */

static const char tables[] =
    "#ifndef TEXENVC_TABLES\n"
    "#define TEXENVC_TABLES\n"
    "#include <stddef.h>\n"
    "enum texenvc_kind { TEXENVC_SAMPLER, TEXENVC_UNIFORM, TEXENVC_ATTRIBUTE, TEXENVC_VARYING };\n"
    "/* Which state a uniform holds. */\n"
    "enum texenvc_state {\n"
    "    TEXENVC_NO_STATE = -1,\n"
#define PAIR_UNIFORM(id, name, type, index, built_in) "    TEXENVC_" #id ",\n"
#include "fragprog/pair_uniforms.def"
#undef PAIR_UNIFORM
    "    TEXENVC_BINDING, /* the vector that `is` names as ARB programs do: state.light[0].position */\n"
    "    TEXENVC_PROGRAM_ENV,\n"
    "    TEXENVC_PROGRAM_LOCAL,\n"
    "    TEXENVC_MODELVIEW_PROJECTION,\n"
    "    TEXENVC_STATES\n"
    "};\n"
    "/* Numbers that are not there are -1, texts NULL. */\n"
    "struct texenvc_variable {\n"
    "    const char *name, *type; /* as in the shaders */\n"
    "    const char *is;          /* the state in GL's words */\n"
    "    enum texenvc_kind kind;\n"
    "    enum texenvc_state state; /* of a uniform */\n"
    "    int unit;                 /* which texture unit, light or clip plane it is of */\n"
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

void add_c_preamble(struct buffer *b, bool embed)
{
    buffer_puts(b, tables);
    if (embed)
        buffer_puts(b, web_embed_h);
}

/* ---- a pair ---- */

/* Appends a string literal of C, or NULL. */
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

/* Appends a shader source, one string literal for each line. */
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
    static const char *const states[VARIABLE_UNIFORMS] = {
#define PAIR_UNIFORM(id, name, type, index, built_in) "TEXENVC_" #id,
#include "fragprog/pair_uniforms.def"
#undef PAIR_UNIFORM
        [VARIABLE_BINDING] = "TEXENVC_BINDING",
        [VARIABLE_ENV] = "TEXENVC_PROGRAM_ENV",
        [VARIABLE_LOCAL] = "TEXENVC_PROGRAM_LOCAL",
        [VARIABLE_MODELVIEW_PROJECTION] = "TEXENVC_MODELVIEW_PROJECTION"};
    buffer_puts(b, "    {");
    add_c_string(b, v->name);
    buffer_puts(b, ", ");
    add_c_string(b, v->type);
    buffer_puts(b, ", ");
    add_c_string(b, v->is);
    buffer_printf(b, ", %s, %s, %d, %u, %d, %d, %d, %d, 0x%xu, ", kinds[v->kind],
                  v->uniform < 0 ? "TEXENVC_NO_STATE" : states[v->uniform], v->unit, v->stages, v->built_in,
                  v->location, v->binding, v->offset, (unsigned)v->target);
    add_c_string(b, v->format);
    buffer_puts(b, ", ");
    add_c_string(b, v->swizzle);
    unsigned values = v->values > 4 ? 0 : v->values;
    for (unsigned i = 0; i < values; i++)
        values = v->value[i] == v->value[i] ? values : 0; /* if one number is not known, none is written */
    buffer_printf(b, ", %u, {%s", values, values ? "" : "0");
    for (unsigned i = 0; i < values; i++) {
        buffer_puts(b, i ? ", (float)" : "(float)");
        buffer_float(b, v->value[i]);
    }
    buffer_puts(b, "}},\n");
}

/* Appends a function that sets the values known from the input. */
static void add_recorded(struct buffer *b, const struct reflection *r)
{
    buffer_printf(
        b,
        "/* GL's initial state, with what was known of this pair's when it was converted. */\n"
        "static inline void %s_values(struct texenvc_values *v)\n{\n    texenvc_initial_values(v);\n",
        r->name);
    if (r->values)
        add_recorded_statements(b, r->values);
    for (unsigned i = 0; i < r->n; i++) {
        const struct variable *v = &r->v[i];
        if (v->uniform != FRAGPROG_PAIR_TEXENV_COLOR && v->uniform != FRAGPROG_PAIR_ALPHA_REFERENCE)
            continue;
        const bool color = v->uniform == FRAGPROG_PAIR_TEXENV_COLOR;
        for (unsigned k = 0; v->kind == KIND_UNIFORM && !v->unknown && k < v->values; k++) {
            if (color)
                buffer_printf(b, "    v->texenv_color[%d][%u] = (float)", v->unit, k);
            else
                buffer_puts(b, "    v->alpha_reference = (float)");
            buffer_float(b, v->value[k]);
            buffer_puts(b, ";\n");
        }
    }
    buffer_puts(b, "}\n");
}

/* Appends a call for each sampler and uniform that GL does not set. block: appends the writes to the uniform
 * block instead. */
static void add_calls(struct buffer *b, const struct reflection *r, bool block)
{
    for (unsigned i = 0; i < r->n; i++) {
        const struct variable *v = &r->v[i];
        if (v->kind == KIND_SAMPLER && !v->built_in && !block)
            buffer_printf(b, "    gl->Uniform1i(gl->GetUniformLocation(program, \"%s\"), %d);\n", v->name,
                          v->unit);
        if (v->kind != KIND_UNIFORM || v->built_in || block != (v->offset >= 0))
            continue;
        const unsigned n = variable_numbers(v);
        if (block)
            buffer_printf(b, "    texenvc_put(block, %d, %u, ", v->offset, n);
        else
            buffer_printf(b, "    texenvc_uniform%u(gl, program, \"%s\", ", n, v->name);
        add_value_expression(b, v, EMBED_C);
        buffer_puts(b, ");\n");
    }
}

static void add_functions(struct buffer *b, const struct reflection *r)
{
    const bool block = r->how.language == FRAGPROG_GLSL_450;
    add_recorded(b, r);
    buffer_printf(b,
                  "/* Sets every %s of the program in use. */\n"
                  "static inline void %s_set(const struct texenvc_gl *gl, unsigned program,\n"
                  "    const struct texenvc_values *v)\n"
                  "{\n    float t[4], m[16];\n    (void)gl, (void)program, (void)v, (void)t, (void)m;\n",
                  block ? "sampler" : "sampler and uniform that GL does not fill", r->name);
    add_calls(b, r, false);
    buffer_puts(b, "}\n");
    if (!block)
        return;
    buffer_printf(b,
                  "/* Writes the uniform block, of %u bytes. */\n"
                  "static inline void %s_fill(void *block, const struct texenvc_values *v)\n"
                  "{\n    float t[4], m[16];\n    (void)block, (void)v, (void)t, (void)m;\n",
                  r->block, r->name);
    add_calls(b, r, true);
    buffer_puts(b, "}\n");
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
