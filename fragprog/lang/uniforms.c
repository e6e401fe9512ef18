/* Names that programs and their callers share: uniforms, the prefix, Vulkan layouts. */
#include "fragprog/alloc/bits.h"
#include "fragprog/lang/language.h"

static const struct fragprog_uniform_info uniforms[FRAGPROG_UNIFORMS] = {
#define FRAGPROG_UNIFORM(id, name, type, elements, offset) \
    [FRAGPROG_UNIFORM_##id] = {name, type, elements, offset},
#include "fragprog/uniforms.def"
};

const struct fragprog_uniform_info *fragprog_uniform_of(enum fragprog_uniform uniform)
{
    return &uniforms[uniform];
}

const char *fragprog_prefix(const struct fragprog_language_options *options)
{
    return options->prefix ? options->prefix : "";
}

bool fragprog_is_prefix(const char *prefix)
{
    static const char reserved[] = "gl_";
    unsigned n = 0;
    bool built_in = true;
    for (; prefix[n]; n++) {
        const char c = prefix[n];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
        if (n == FRAGPROG_PREFIX_MAX || (n == 0 && !letter) || !(letter || digit || c == '_') ||
            (c == '_' && prefix[n + 1] == '_'))
            return false;
        built_in &= n > 2 || c == reserved[n];
    }
    return n > 0 && !(built_in && n > 2);
}

bool fragprog_is_core(const struct fragprog_language_options *options)
{
    return options->language != FRAGPROG_ARBFP && options->language != FRAGPROG_GLSL_110 &&
        options->language != FRAGPROG_GLSL_120;
}

void fragprog_count_uniforms(uint16_t *elements, const struct fragprog_reading *r,
                             const struct fragprog_language_options *options)
{
    const uint32_t units = (1u << TEXENV_UNITS) - 1;
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        elements[u] = 0;
    if (options->language == FRAGPROG_ARBFP) /* parameters of ARB programs are not uniforms */
        return;
    elements[FRAGPROG_UNIFORM_PROGRAM_ENV] = fragprog_bits(r->origins >> FRAGPROG_ORIGIN_GLOBAL & units);
    elements[FRAGPROG_UNIFORM_PROGRAM_LOCAL] = fragprog_bits(r->origins >> FRAGPROG_ORIGIN_LOCAL & units);
    if (!fragprog_is_core(options))
        return;
    elements[FRAGPROG_UNIFORM_TEXENV_COLOR] = fragprog_bits(r->origins & units);
    elements[FRAGPROG_UNIFORM_FOG_COLOR] = options->fog != TEXENV_FOG_OFF;
    elements[FRAGPROG_UNIFORM_FOG_DENSITY] = options->fog == TEXENV_FOG_EXP ||
        options->fog == TEXENV_FOG_EXP2;
    elements[FRAGPROG_UNIFORM_FOG_END] = elements[FRAGPROG_UNIFORM_FOG_SCALE] = options->fog ==
        TEXENV_FOG_LINEAR;
    elements[FRAGPROG_UNIFORM_ALPHA_REFERENCE] = options->alpha_test > TEXENV_NEVER &&
        options->alpha_test < TEXENV_ALWAYS;
}

/* ---- text ---- */

void fragprog_open_block(struct texenv_text *text, const char *name,
                         const struct fragprog_language_options *options)
{
    texenv_printf(text, "layout(std140, binding = %u) uniform %s%s {\n", (unsigned)options->binding,
                  fragprog_prefix(options), name);
}

void fragprog_print_uniform(struct texenv_text *text, enum fragprog_uniform uniform, unsigned elements,
                            const struct fragprog_language_options *options, bool offset)
{
    const struct fragprog_uniform_info *u = &uniforms[uniform];
    if (options->language != FRAGPROG_GLSL_450)
        texenv_printf(text, "uniform ");
    else if (offset)
        texenv_printf(text, "    layout(offset = %u) ", (unsigned)u->offset);
    else
        texenv_printf(text, "    ");
    texenv_printf(text, "%s %s%s", u->type, fragprog_prefix(options), u->name);
    if (u->elements > 1)
        texenv_printf(text, "[%u]", elements);
    texenv_printf(text, ";\n");
}

void fragprog_print_varying(struct texenv_text *text, const char *qualifier, unsigned location,
                            const char *type, const struct fragprog_language_options *options)
{
    if (options->language == FRAGPROG_GLSL_450)
        texenv_printf(text, "layout(location = %u) ", options->location + location);
    texenv_printf(text, "%s %s %s", qualifier, type, fragprog_prefix(options));
}

/* The conventional attributes, in the locations of ARB_vertex_program (table X.1), and the generic ones. */
static const struct attribute {
    const char *built_in, *name, *type;
} attributes[FRAGPROG_ATTRIB_TEXCOORD + 1] = {
    [FRAGPROG_ATTRIB_POSITION] = {"gl_Vertex", "vertex_position", "vec4"},
    [FRAGPROG_ATTRIB_NORMAL] = {"gl_Normal", "vertex_normal", "vec3"},
    [FRAGPROG_ATTRIB_COLOR] = {"gl_Color", "vertex_color", "vec4"},
    [FRAGPROG_ATTRIB_SECONDARY] = {"gl_SecondaryColor", "vertex_secondary_color", "vec4"},
    [FRAGPROG_ATTRIB_FOGCOORD] = {"gl_FogCoord", "vertex_fog_coord", "float"},
    [FRAGPROG_ATTRIB_TEXCOORD] = {"gl_MultiTexCoord", "vertex_texcoord", "vec4"}};

const char *fragprog_attribute_type(unsigned attribute)
{
    return attribute < FRAGPROG_ATTRIB_TEXCOORD ? attributes[attribute].type : "vec4";
}

void fragprog_print_attribute(struct texenv_text *text, unsigned attribute, bool core, const char *prefix)
{
    const bool generic = attribute >= FRAGPROG_ATTRIB_GENERIC, set = attribute >= FRAGPROG_ATTRIB_TEXCOORD;
    const struct attribute *row = &attributes[set ? FRAGPROG_ATTRIB_TEXCOORD : attribute];
    texenv_printf(text, "%s%s", core || generic ? prefix : "",
                  generic    ? "vertex_attrib"
                      : core ? row->name
                             : row->built_in);
    if (set)
        texenv_printf(text, "%u", attribute - (generic ? FRAGPROG_ATTRIB_GENERIC : FRAGPROG_ATTRIB_TEXCOORD));
}
