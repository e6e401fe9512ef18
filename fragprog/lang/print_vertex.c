/* Vertex programs: what fixed function does before texturing, without lighting and coordinate generation.
 * They give what the fragment program reads, and no more. Section numbers are of the OpenGL 2.1
 * specification. */
#include "fragprog/lang/language.h"

/* Attributes lie where ARB_vertex_program says that the conventional ones are (its table X.1); languages
 * without layout qualifiers take the same numbers by glBindAttribLocation. */
enum { POSITION = 0, COLOR = 3, SECONDARY = 4, FOG_COORD = 5, TEXCOORD = 8 };

struct vertex {
    struct texenv_text *text;
    const struct fragprog_reading *r;
    const struct fragprog_language_options *options;
};

static bool reads_eye(const struct vertex *v) { return v->options->fog && !v->options->fog_coord; }

/* ---- ARB programs ---- */

static void print_arbvp(struct vertex *v)
{
    texenv_printf(v->text, "!!ARBvp1.0\nOPTION ARB_position_invariant;\n");
    if (reads_eye(v))
        texenv_printf(v->text, "TEMP eye;\n");
    if (v->r->primary)
        texenv_printf(v->text, "MOV result.color, vertex.color;\n");
    if (v->r->secondary)
        texenv_printf(v->text, "MOV result.color.secondary, vertex.color.secondary;\n");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        for (unsigned row = 0; v->r->coords >> n & 1 && row < 4; row++)
            texenv_printf(
                v->text,
                "DP4 result.texcoord[%u].%c, state.matrix.texture[%u].row[%u], vertex.texcoord[%u];\n", n,
                "xyzw"[row], n, row, n);
    if (reads_eye(v)) /* 3.10: an implementation may take the eye's z for the distance, as all do */
        texenv_printf(v->text,
                      "DP4 eye.x, state.matrix.modelview.row[2], vertex.position;\n"
                      "ABS result.fogcoord.x, eye.x;\n");
    else if (v->options->fog)
        texenv_printf(v->text, "MOV result.fogcoord.x, vertex.fogcoord.x;\n");
    texenv_printf(v->text, "END\n");
}

/* ---- GLSL with fixed function's own inputs and outputs ---- */

static void print_compatible(struct vertex *v)
{
    texenv_printf(v->text, "#version %s\n\nvoid main()\n{\n    gl_Position = ftransform();\n",
                  v->options->language == FRAGPROG_GLSL_110 ? "110" : "120");
    if (v->r->primary)
        texenv_printf(v->text, "    gl_FrontColor = gl_BackColor = gl_Color;\n");
    if (v->r->secondary)
        texenv_printf(v->text, "    gl_FrontSecondaryColor = gl_BackSecondaryColor = gl_SecondaryColor;\n");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (v->r->coords >> n & 1)
            texenv_printf(v->text, "    gl_TexCoord[%u] = gl_TextureMatrix[%u] * gl_MultiTexCoord%u;\n", n, n,
                          n);
    if (v->options->fog)
        texenv_printf(v->text,
                      v->options->fog_coord
                          ? "    gl_FogFragCoord = gl_FogCoord;\n"
                          : "    gl_FogFragCoord = abs((gl_ModelViewMatrix * gl_Vertex).z);\n");
    texenv_printf(v->text, "}\n");
}

/* ---- GLSL of core profiles and ES ---- */

static void print_attribute(struct vertex *v, unsigned location, const char *type, const char *name)
{
    if (v->options->language != FRAGPROG_GLSL_ES_100)
        texenv_printf(v->text, "layout(location = %u) in %s %s;\n", location, type, name);
    else
        texenv_printf(v->text, "attribute %s %s;\n", type, name);
}

static void print_uniforms(struct vertex *v)
{
    unsigned matrices = 0;
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (v->r->coords >> n & 1)
            matrices = n + 1;
    texenv_printf(v->text, "uniform mat4 modelview_projection;\n");
    if (reads_eye(v))
        texenv_printf(v->text, "uniform mat4 modelview;\n");
    if (matrices)
        texenv_printf(v->text, "uniform mat4 texture_matrix[%u];\n", matrices);
}

static void print_attributes(struct vertex *v)
{
    char name[] = "vertex_texcoordN";
    print_attribute(v, POSITION, "vec4", "vertex_position");
    if (v->r->primary)
        print_attribute(v, COLOR, "vec4", "vertex_color");
    if (v->r->secondary)
        print_attribute(v, SECONDARY, "vec4", "vertex_secondary_color");
    if (v->options->fog && v->options->fog_coord)
        print_attribute(v, FOG_COORD, "float", "vertex_fog_coord");
    for (unsigned n = 0; n < TEXENV_UNITS; n++) {
        name[sizeof name - 2] = (char)('0' + n);
        if (v->r->coords >> n & 1)
            print_attribute(v, TEXCOORD + n, "vec4", name);
    }
}

/* Named as the fragment program's inputs. */
static void print_varyings(struct vertex *v)
{
    const char *out = v->options->language == FRAGPROG_GLSL_ES_100 ? "varying" : "out";
    if (v->r->primary)
        texenv_printf(v->text, "%s vec4 primary_color;\n", out);
    if (v->r->secondary)
        texenv_printf(v->text, "%s vec4 secondary_color;\n", out);
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (v->r->coords >> n & 1)
            texenv_printf(v->text, "%s vec4 texcoord%u;\n", out, n);
    if (v->options->fog)
        texenv_printf(v->text, "%s float fog_coord;\n", out);
}

static void print_core(struct vertex *v)
{
    static const char *const versions[FRAGPROG_LANGUAGES] = {
        [FRAGPROG_GLSL_330] = "330 core", [FRAGPROG_GLSL_ES_100] = "100", [FRAGPROG_GLSL_ES_300] = "300 es"};
    texenv_printf(v->text, "#version %s\n", versions[v->options->language]);
    print_uniforms(v);
    print_attributes(v);
    print_varyings(v);
    texenv_printf(v->text, "\nvoid main()\n{\n    gl_Position = modelview_projection * vertex_position;\n");
    if (v->r->primary) /* 2.14.6 clamps colours at the vertex */
        texenv_printf(v->text, "    primary_color = clamp(vertex_color, 0.0, 1.0);\n");
    if (v->r->secondary)
        texenv_printf(v->text, "    secondary_color = clamp(vertex_secondary_color, 0.0, 1.0);\n");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (v->r->coords >> n & 1)
            texenv_printf(v->text, "    texcoord%u = texture_matrix[%u] * vertex_texcoord%u;\n", n, n, n);
    if (v->options->fog)
        texenv_printf(v->text,
                      v->options->fog_coord ? "    fog_coord = vertex_fog_coord;\n"
                                            : "    fog_coord = abs((modelview * vertex_position).z);\n");
    texenv_printf(v->text, "}\n");
}

void fragprog_print_vertex(struct texenv_text *text, const struct fragprog_reading *r,
                           const struct fragprog_language_options *options)
{
    struct vertex v = {text, r, options};
    switch (options->language) {
    case FRAGPROG_ARBFP: print_arbvp(&v); break;
    case FRAGPROG_GLSL_110:
    case FRAGPROG_GLSL_120: print_compatible(&v); break;
    default: print_core(&v); break;
    }
}
