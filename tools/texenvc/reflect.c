#include "reflect.h"
#include "json.h"

#include <string.h>

/* ---- lists of objects ---- */

struct list {
    struct buffer *b;
    unsigned n;
};

static struct list open_list(struct buffer *b, const char *name)
{
    buffer_printf(b, ",\n   \"%s\": [", name);
    return (struct list){b, 0};
}

static void add_named(struct list *l, const char *name, const char *type)
{
    buffer_printf(l->b, "%s\n     {\"name\": ", l->n++ ? "," : "");
    buffer_json_string(l->b, name, strlen(name));
    buffer_printf(l->b, ", \"type\": \"%s\"", type);
}

/* With what it is in GL. */
PRINTF_LIKE(4, 5)
static void add_meaning(struct list *l, const char *name, const char *type, const char *format, ...)
{
    char text[128];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_named(l, name, type);
    buffer_puts(l->b, ", \"is\": ");
    buffer_json_string(l->b, text, strlen(text));
}

static void close_list(struct list *l) { buffer_puts(l->b, l->n ? "\n   ]" : "]"); }

/* ---- names ---- */

enum family { ARB, COMPATIBLE, CORE };
static enum family family_of(unsigned language)
{
    return language == FRAGPROG_ARBFP                                    ? ARB
        : language == FRAGPROG_GLSL_110 || language == FRAGPROG_GLSL_120 ? COMPATIBLE
                                                                         : CORE;
}

static const char *numbered(const char *before, unsigned n, const char *after)
{
    static char name[64];
    snprintf(name, sizeof name, "%s%u%s", before, n, after);
    return name;
}

/* ---- the parts ---- */

static void add_samplers(struct buffer *b, const struct item *item, const struct fragprog_interface *i,
                         enum family family)
{
    static const char *const types[TEXENV_TARGETS] = {"sampler1D", "sampler2D", "sampler2DRect", "sampler3D",
                                                      "samplerCube"};
    static const char *const targets[TEXENV_TARGETS] = {
        "GL_TEXTURE_1D", "GL_TEXTURE_2D", "GL_TEXTURE_RECTANGLE", "GL_TEXTURE_3D", "GL_TEXTURE_CUBE_MAP"};
    /* What a lookup gives of a texture that is stored as red or red and green, as core profiles and ES have
     * it (notes/numbers.md); swizzle parameters of the texture say it to GL. */
    static const char *const swizzles[TEXENV_BASES] = {"rgba", "rgb1", "000r", "rrr1", "rrrg",
                                                       "rrrr", "r001", "rg01", "r"};
    struct list l = open_list(b, "samplers");
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!(i->textures >> u & 1))
            continue;
        char type[32];
        snprintf(type, sizeof type, "%s%s", types[i->target[u]], i->shadow[u] ? "Shadow" : "");
        add_named(&l, family == ARB ? numbered("texture[", u, "]") : numbered("texture", u, ""), type);
        buffer_printf(b, ", \"unit\": %u, \"target\": \"%s\"", u, targets[i->target[u]]);
        if (item->state && family == CORE && !i->shadow[u])
            buffer_printf(b, ", \"format\": \"%s\", \"swizzle\": \"%s\"",
                          base_names[item->state->stage[u].base], swizzles[item->state->stage[u].base]);
        else if (item->state)
            buffer_printf(b, ", \"format\": \"%s\"", base_names[item->state->stage[u].base]);
        buffer_puts(b, "}");
    }
    close_list(&l);
}

static void add_colors(struct list *l, const struct item *item, const struct fragprog_interface *i,
                       enum family family)
{
    static const char *const before[] = {"state.texenv[", "gl_TextureEnvColor[", "texenv_color["};
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!(i->colors >> u & 1))
            continue;
        add_meaning(l, numbered(before[family], u, family == ARB ? "].color" : "]"), "vec4",
                    "GL_TEXTURE_ENV_COLOR of GL_TEXTURE%u", u);
        for (unsigned c = 0; item->state && c < 4; c++) {
            buffer_puts(l->b, c ? ", " : ", \"value\": [");
            buffer_float(l->b, item->state->stage[u].color[c]);
        }
        buffer_printf(l->b, item->state ? "], \"built_in\": %s}" : ", \"built_in\": %s}",
                      family == CORE ? "false" : "true");
    }
}

static void add_parameters(struct list *l, const struct fragprog_interface *i, enum family family)
{
    for (unsigned local = 0; local < 2; local++)
        for (unsigned n = 0; n < TEXENV_UNITS; n++)
            if ((local ? i->program_local : i->program_env) >> n & 1) {
                const char *before = family == ARB ? (local ? "program.local[" : "program.env[")
                                                   : (local ? "program_local[" : "program_env[");
                add_meaning(l, numbered(before, n, "]"), "vec4",
                            local ? "program.local[%u]" : "GL_CON_%u_ATI, set outside of the shader", n);
                buffer_puts(l->b, "}");
            }
}

/* Fog, alpha test and matrices: uniforms of ours in core profiles and ES, GL's own state elsewhere. */
static void add_state(struct list *l, const struct item *item, const struct fragprog_language_options *how)
{
    static const struct {
        const char *name, *type, *is;
        unsigned modes; /* bit by enum texenv_fog */
    } fog[] = {{"fog_color", "vec4", "GL_FOG_COLOR", 0xe},
               {"fog_density", "float", "GL_FOG_DENSITY", 0xc},
               {"fog_end", "float", "GL_FOG_END", 2},
               {"fog_scale", "float", "1 / (GL_FOG_END - GL_FOG_START)", 2}};
    for (size_t k = 0; k < sizeof fog / sizeof *fog; k++)
        if (fog[k].modes >> how->fog & 1) {
            add_meaning(l, fog[k].name, fog[k].type, "%s", fog[k].is);
            buffer_puts(l->b, "}");
        }
    if (how->alpha_test > TEXENV_NEVER && how->alpha_test < TEXENV_ALWAYS) {
        add_meaning(l, "alpha_reference", "float", "GL_ALPHA_TEST_REF");
        if (item->state && item->state->alpha_test) {
            buffer_puts(l->b, ", \"value\": ");
            buffer_float(l->b, item->state->alpha_ref);
        }
        buffer_puts(l->b, "}");
    }
}

static void add_matrices(struct list *l, const struct fragprog_interface *i,
                         const struct fragprog_language_options *how)
{
    add_meaning(l, "modelview_projection", "mat4", "GL_PROJECTION_MATRIX * GL_MODELVIEW_MATRIX");
    buffer_puts(l->b, "}");
    if (how->fog && !how->fog_coord) {
        add_meaning(l, "modelview", "mat4", "GL_MODELVIEW_MATRIX");
        buffer_puts(l->b, "}");
    }
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (i->coords >> n & 1) {
            add_meaning(l, numbered("texture_matrix[", n, "]"), "mat4", "GL_TEXTURE_MATRIX of GL_TEXTURE%u",
                        n);
            buffer_puts(l->b, "}");
        }
}

static void add_attribute(struct list *l, const char *name, const char *type, unsigned location,
                          const char *is)
{
    add_meaning(l, name, type, "%s", is);
    buffer_printf(l->b, ", \"location\": %u}", location);
}

/* Of the vertex program of core profiles and ES; locations as it lays them out. */
static void add_attributes(struct buffer *b, const struct fragprog_interface *i,
                           const struct fragprog_language_options *how)
{
    struct list l = open_list(b, "attributes");
    add_attribute(&l, "vertex_position", "vec4", 0, "glVertex");
    if (i->primary)
        add_attribute(&l, "vertex_color", "vec4", 3, "glColor");
    if (i->secondary)
        add_attribute(&l, "vertex_secondary_color", "vec4", 4, "glSecondaryColor");
    if (how->fog && how->fog_coord)
        add_attribute(&l, "vertex_fog_coord", "float", 5, "glFogCoord");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (i->coords >> n & 1) {
            char is[40];
            snprintf(is, sizeof is, "glMultiTexCoord of GL_TEXTURE%u", n);
            add_attribute(&l, numbered("vertex_texcoord", n, ""), "vec4", 8 + n, is);
        }
    close_list(&l);
}

static void add_varyings(struct buffer *b, const struct fragprog_interface *i,
                         const struct fragprog_language_options *how)
{
    struct list l = open_list(b, "varyings");
    const struct {
        const char *name, *type;
        bool there;
    } varyings[] = {{"primary_color", "vec4", i->primary},
                    {"secondary_color", "vec4", i->secondary},
                    {"fog_coord", "float", how->fog != TEXENV_FOG_OFF}};
    for (size_t k = 0; k < sizeof varyings / sizeof *varyings; k++)
        if (varyings[k].there) {
            add_named(&l, varyings[k].name, varyings[k].type);
            buffer_puts(b, "}");
        }
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (i->coords >> n & 1) {
            add_named(&l, numbered("texcoord", n, ""), "vec4");
            buffer_puts(b, "}");
        }
    close_list(&l);
}

void add_reflection(struct buffer *b, const struct item *item, struct compiled *c, const struct options *o)
{
    const struct fragprog_language_options how = language_of(item, o);
    const enum family family = family_of(how.language);
    struct fragprog_interface i;
    compile_ir(c, item, o, NULL);
    fragprog_find_interface(&i, &c->ir, &how);
    add_json_source(b, item);
    buffer_printf(b, ",\n   \"language\": \"%s\", \"fog\": \"%s\", \"alpha_test\": \"%s\"",
                  fragprog_language_name((enum fragprog_language)how.language), fog_names[how.fog & 3],
                  family == CORE ? compare_names[how.alpha_test] : "off");
    add_samplers(b, item, &i, family);
    struct list l = open_list(b, "uniforms");
    add_colors(&l, item, &i, family);
    add_parameters(&l, &i, family);
    if (family == CORE && o->stages & STAGE_FRAGMENT)
        add_state(&l, item, &how);
    if (family == CORE && o->stages & STAGE_VERTEX)
        add_matrices(&l, &i, &how);
    close_list(&l);
    if (family == CORE && o->stages & STAGE_VERTEX)
        add_attributes(b, &i, &how);
    if (family == CORE)
        add_varyings(b, &i, &how);
    buffer_puts(b, "}");
}
