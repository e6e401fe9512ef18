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
    const char *prefix;
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

/* ---- GLSL of core profiles, ES and Vulkan ---- */

/* "vertex_color" */
static void print_attribute(struct vertex *v, unsigned location, const char *type, const char *name)
{
    if (v->options->language != FRAGPROG_GLSL_ES_100)
        texenv_printf(v->text, "layout(location = %u) in ", location);
    else
        texenv_printf(v->text, "attribute ");
    texenv_printf(v->text, "%s %s%s", type, v->prefix, name);
}

static void print_uniforms(struct vertex *v)
{
    const bool block = v->options->language == FRAGPROG_GLSL_450;
    uint16_t elements[FRAGPROG_UNIFORMS];
    fragprog_count_uniforms(elements, v->r, v->options);
    if (block)
        fragprog_open_block(v->text, v->options);
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        if (elements[u])
            fragprog_print_uniform(v->text, (enum fragprog_uniform)u, elements[u], v->options, true);
    if (block)
        texenv_printf(v->text, "};\n");
}

static void print_attributes(struct vertex *v)
{
    print_attribute(v, POSITION, "vec4", "vertex_position;\n");
    if (v->r->primary)
        print_attribute(v, COLOR, "vec4", "vertex_color;\n");
    if (v->r->secondary)
        print_attribute(v, SECONDARY, "vec4", "vertex_secondary_color;\n");
    if (v->options->fog && v->options->fog_coord)
        print_attribute(v, FOG_COORD, "float", "vertex_fog_coord;\n");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (v->r->coords >> n & 1) {
            print_attribute(v, TEXCOORD + n, "vec4", "vertex_texcoord");
            texenv_printf(v->text, "%u;\n", n);
        }
}

/* Named as the fragment program's inputs. */
static void print_varyings(struct vertex *v)
{
    const char *out = v->options->language == FRAGPROG_GLSL_ES_100 ? "varying" : "out";
    if (v->r->primary) {
        fragprog_print_varying(v->text, out, FRAGPROG_LOCATION_PRIMARY, "vec4", v->options);
        texenv_printf(v->text, "primary_color;\n");
    }
    if (v->r->secondary) {
        fragprog_print_varying(v->text, out, FRAGPROG_LOCATION_SECONDARY, "vec4", v->options);
        texenv_printf(v->text, "secondary_color;\n");
    }
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (v->r->coords >> n & 1) {
            fragprog_print_varying(v->text, out, FRAGPROG_LOCATION_TEXCOORD + n, "vec4", v->options);
            texenv_printf(v->text, "texcoord%u;\n", n);
        }
    if (v->options->fog) {
        fragprog_print_varying(v->text, out, FRAGPROG_LOCATION_FOG, "float", v->options);
        texenv_printf(v->text, "fog_coord;\n");
    }
}

/* $: the prefix, @: a number. */
static void print_line(struct vertex *v, const char *form, unsigned number)
{
    for (; *form; form++)
        if (*form == '$')
            texenv_printf(v->text, "%s", v->prefix);
        else if (*form == '@')
            texenv_printf(v->text, "%u", number);
        else
            texenv_printf(v->text, "%c", *form);
}

static void print_core(struct vertex *v)
{
    static const char *const versions[FRAGPROG_LANGUAGES] = {[FRAGPROG_GLSL_330] = "330 core",
                                                             [FRAGPROG_GLSL_450] = "450",
                                                             [FRAGPROG_GLSL_ES_100] = "100",
                                                             [FRAGPROG_GLSL_ES_300] = "300 es"};
    texenv_printf(v->text, "#version %s\n", versions[v->options->language]);
    print_uniforms(v);
    print_attributes(v);
    print_varyings(v);
    texenv_printf(v->text, "\nvoid main()\n{\n");
    print_line(v, "    gl_Position = $modelview_projection * $vertex_position;\n", 0);
    if (v->options->language == FRAGPROG_GLSL_450) /* Vulkan 1.0, 24.2: its view volume has 0 <= z <= w */
        print_line(v, "#ifdef VULKAN\n    gl_Position.z = (gl_Position.z + gl_Position.w) * 0.5;\n#endif\n",
                   0);
    if (v->r->primary) /* 2.14.6 clamps colours at the vertex */
        print_line(v, "    $primary_color = clamp($vertex_color, 0.0, 1.0);\n", 0);
    if (v->r->secondary)
        print_line(v, "    $secondary_color = clamp($vertex_secondary_color, 0.0, 1.0);\n", 0);
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (v->r->coords >> n & 1)
            print_line(v, "    $texcoord@ = $texture_matrix[@] * $vertex_texcoord@;\n", n);
    if (v->options->fog)
        print_line(v,
                   v->options->fog_coord ? "    $fog_coord = $vertex_fog_coord;\n"
                                         : "    $fog_coord = abs(($modelview * $vertex_position).z);\n",
                   0);
    texenv_printf(v->text, "}\n");
}

void fragprog_print_vertex(struct texenv_text *text, const struct fragprog_reading *r,
                           const struct fragprog_language_options *options)
{
    struct vertex v = {text, r, options, fragprog_prefix(options)};
    switch (options->language) {
    case FRAGPROG_ARBFP: print_arbvp(&v); break;
    case FRAGPROG_GLSL_110:
    case FRAGPROG_GLSL_120: print_compatible(&v); break;
    default: print_core(&v); break;
    }
}
