#include "reflect.h"
#include "diag.h"
#include "json.h"
#include "recorded.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- variables ---- */

struct variable *reflect_add(struct reflection *r, enum kind kind, const char *type, const char *format, ...)
{
    r->v = xrealloc(r->v, (r->n + 1) * sizeof *r->v);
    struct variable *v = &r->v[r->n++];
    va_list args;
    memset(v, 0, sizeof *v);
    v->kind = kind;
    v->uniform = v->unit = v->location = v->binding = v->offset = -1;
    snprintf(v->type, sizeof v->type, "%s", type);
    va_start(args, format);
    vsnprintf(v->name, sizeof v->name, format, args);
    va_end(args);
    return v;
}

void reflect_means(struct variable *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(v->is, sizeof v->is, format, args);
    va_end(args);
}

static const char *prefix_of(const struct reflection *r) { return r->how.prefix ? r->how.prefix : ""; }
static bool is_arb(const struct reflection *r) { return r->how.language == FRAGPROG_ARBFP; }
static bool is_vulkan(const struct reflection *r) { return r->how.language == FRAGPROG_GLSL_450; }

/* ---- samplers ---- */

struct variable *reflect_sampler(struct reflection *r, unsigned unit, unsigned target, bool shadow)
{
    static const struct {
        const char *type, *name;
        uint32_t target;
    } rows[TEXENV_TARGETS] = {{"sampler1D", "GL_TEXTURE_1D", 0x0DE0},
                              {"sampler2D", "GL_TEXTURE_2D", 0x0DE1},
                              {"sampler2DRect", "GL_TEXTURE_RECTANGLE", 0x84F5},
                              {"sampler3D", "GL_TEXTURE_3D", 0x806F},
                              {"samplerCube", "GL_TEXTURE_CUBE_MAP", 0x8513}};
    struct variable *v = is_arb(r) ? reflect_add(r, KIND_SAMPLER, "", "texture[%u]", unit)
                                   : reflect_add(r, KIND_SAMPLER, "", "%stexture%u", prefix_of(r), unit);
    snprintf(v->type, sizeof v->type, "%s%s", rows[target].type, shadow ? "Shadow" : "");
    v->unit = (int)unit;
    v->stages = STAGE_FRAGMENT;
    v->target = rows[target].target;
    v->target_name = rows[target].name;
    v->built_in = is_arb(r);
    if (is_vulkan(r))
        v->binding = (int)(r->how.binding + FRAGPROG_BINDING_SAMPLER + unit);
    return v;
}

static void add_samplers(struct reflection *r, const struct item *item, const struct fragprog_interface *i)
{
    /* What a lookup gives of a texture that is stored as red or red and green, as core profiles and ES have
     * it (notes/numbers.md); swizzle parameters of the texture say it to GL. */
    static const char *const swizzles[TEXENV_BASES] = {"rgba", "rgb1", "000r", "rrr1", "rrrg",
                                                       "rrrr", "r001", "rg01", "r"};
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!(i->textures >> u & 1))
            continue;
        struct variable *v = reflect_sampler(r, u, i->target[u], i->shadow[u]);
        if (!item->state)
            continue;
        v->format = base_names[item->state->stage[u].base];
        if (r->core && !i->shadow[u])
            v->swizzle = swizzles[item->state->stage[u].base];
    }
}

/* ---- uniforms ---- */

static const char *const meanings[FRAGPROG_UNIFORMS] = {
    [FRAGPROG_UNIFORM_MODELVIEW_PROJECTION] = "GL_PROJECTION_MATRIX * GL_MODELVIEW_MATRIX",
    [FRAGPROG_UNIFORM_MODELVIEW] = "GL_MODELVIEW_MATRIX",
    [FRAGPROG_UNIFORM_TEXTURE_MATRIX] = "GL_TEXTURE_MATRIX of GL_TEXTURE%u",
    [FRAGPROG_UNIFORM_TEXENV_COLOR] = "GL_TEXTURE_ENV_COLOR of GL_TEXTURE%u",
    [FRAGPROG_UNIFORM_PROGRAM_ENV] = "GL_CON_%u_ATI, set outside of the shader",
    [FRAGPROG_UNIFORM_PROGRAM_LOCAL] = "program.local[%u]",
    [FRAGPROG_UNIFORM_FOG_COLOR] = "GL_FOG_COLOR",
    [FRAGPROG_UNIFORM_FOG_DENSITY] = "GL_FOG_DENSITY",
    [FRAGPROG_UNIFORM_FOG_END] = "GL_FOG_END",
    [FRAGPROG_UNIFORM_FOG_SCALE] = "1 / (GL_FOG_END - GL_FOG_START)",
    [FRAGPROG_UNIFORM_ALPHA_REFERENCE] = "GL_ALPHA_TEST_REF"};

/* Bit n: element n is read. */
static unsigned elements_read(const struct fragprog_interface *i, unsigned uniform)
{
    switch (uniform) {
    case FRAGPROG_UNIFORM_TEXTURE_MATRIX: return i->coords;
    case FRAGPROG_UNIFORM_TEXENV_COLOR: return i->colors;
    case FRAGPROG_UNIFORM_PROGRAM_ENV: return i->program_env;
    case FRAGPROG_UNIFORM_PROGRAM_LOCAL: return i->program_local;
    default: return 1;
    }
}

static void set_numbers(struct variable *v, const float *numbers, unsigned count)
{
    v->values = count;
    memcpy(v->value, numbers, count * sizeof *numbers);
    for (unsigned i = 0; i < count; i++)
        v->unknown |= numbers[i] != numbers[i];
}

static void set_of_values(struct variable *v, const struct texenv_values *values)
{
    const float depth = values->fog.end - values->fog.start, scale = depth == 0 ? 1 : 1 / depth;
    float m[16];
    switch (v->uniform) {
    case FRAGPROG_UNIFORM_MODELVIEW_PROJECTION:
        texenv_matrix_product(m, values->projection, values->modelview);
        set_numbers(v, m, 16);
        break;
    case FRAGPROG_UNIFORM_MODELVIEW: set_numbers(v, values->modelview, 16); break;
    case FRAGPROG_UNIFORM_TEXTURE_MATRIX: set_numbers(v, values->texture_matrix[v->unit], 16); break;
    case FRAGPROG_UNIFORM_FOG_COLOR: set_numbers(v, values->fog.color, 4); break;
    case FRAGPROG_UNIFORM_FOG_DENSITY: set_numbers(v, &values->fog.density, 1); break;
    case FRAGPROG_UNIFORM_FOG_END: set_numbers(v, &values->fog.end, 1); break;
    case FRAGPROG_UNIFORM_FOG_SCALE: set_numbers(v, &scale, 1); break;
    default: break;
    }
}

/* Of what is no part of the state: those that the input gave, which are not GL's initial ones. */
static void set_recorded(struct variable *v, const struct texenv_values *values)
{
    struct texenv_values initial;
    struct variable first = *v;
    texenv_values_init(&initial);
    set_of_values(&first, &initial);
    set_of_values(v, values);
    if (memcmp(v->value, first.value, sizeof first.value) == 0)
        v->values = 0;
}

static void set_value(struct variable *v, const struct item *item)
{
    if (!item->state)
        return;
    if (item->values)
        set_recorded(v, item->values);
    if (v->uniform == FRAGPROG_UNIFORM_TEXENV_COLOR) {
        v->values = 4;
        v->unknown = texenv_stage_color_unknown(&item->state->stage[v->unit]) != 0;
        memcpy(v->value, item->state->stage[v->unit].color, sizeof item->state->stage[0].color);
    } else if (v->uniform == FRAGPROG_UNIFORM_ALPHA_REFERENCE && item->state->alpha_test) {
        v->values = 1;
        v->value[0] = item->state->alpha_ref;
        v->unknown = v->value[0] != v->value[0];
    }
}

struct variable *reflect_element(struct reflection *r, const struct item *item, unsigned uniform, unsigned n,
                                 unsigned stages)
{
    /* where GL has the state itself, in ARB programs and in GLSL */
    static const char *const built_in[FRAGPROG_UNIFORMS][2] = {
        [FRAGPROG_UNIFORM_TEXENV_COLOR] = {"state.texenv[%u].color", "gl_TextureEnvColor[%u]"},
        [FRAGPROG_UNIFORM_PROGRAM_ENV] = {"program.env[%u]", NULL},
        [FRAGPROG_UNIFORM_PROGRAM_LOCAL] = {"program.local[%u]", NULL}};
    const struct fragprog_uniform_info *info = fragprog_uniform_info((enum fragprog_uniform)uniform);
    const char *name = r->core ? NULL : built_in[uniform][!is_arb(r)];
    struct variable *v = reflect_add(r, KIND_UNIFORM, info->type, "%s", "");
    char number[16] = "";
    if (info->elements > 1)
        snprintf(number, sizeof number, "[%u]", n);
    if (name)
        snprintf(v->name, sizeof v->name, name, n);
    else
        snprintf(v->name, sizeof v->name, "%s%s%s", prefix_of(r), info->name, number);
    reflect_means(v, meanings[uniform], n);
    v->uniform = (int)uniform;
    v->unit = info->elements > 1 ? (int)n : -1;
    v->stages = stages;
    v->built_in = name && uniform == FRAGPROG_UNIFORM_TEXENV_COLOR;
    if (is_vulkan(r)) { /* std140: elements of arrays lie 16 bytes apart, matrices have four of them */
        v->binding = r->how.binding;
        v->offset = (int)(info->offset + n * (info->type[0] == 'm' ? 64 : 16));
    }
    set_value(v, item);
    return v;
}

static void add_uniforms(struct reflection *r, const struct item *item, const struct fragprog_interface *i,
                         unsigned mask, unsigned stage)
{
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        for (unsigned n = 0; mask >> u & 1 && n < TEXENV_UNITS; n++)
            if (elements_read(i, u) >> n & 1)
                reflect_element(r, item, u, n, stage);
}

/* ---- attributes and varyings ---- */

static void add_attribute(struct reflection *r, int location, const char *type, const char *name,
                          const char *is)
{
    struct variable *v = reflect_add(r, KIND_ATTRIBUTE, type, "%s%s", prefix_of(r), name);
    reflect_means(v, "%s", is);
    v->location = location;
}

static void add_texcoord(struct reflection *r, unsigned n)
{
    char name[32], is[40];
    snprintf(name, sizeof name, "vertex_texcoord%u", n);
    snprintf(is, sizeof is, "glMultiTexCoord of GL_TEXTURE%u", n);
    add_attribute(r, (int)(FRAGPROG_ATTRIB_TEXCOORD + n), "vec4", name, is);
}

/* Of the vertex program of core profiles and ES; locations as it lays them out. */
static void add_attributes(struct reflection *r, const struct fragprog_interface *i)
{
    add_attribute(r, 0, "vec4", "vertex_position", "glVertex");
    if (i->primary)
        add_attribute(r, 3, "vec4", "vertex_color", "glColor");
    if (i->secondary)
        add_attribute(r, 4, "vec4", "vertex_secondary_color", "glSecondaryColor");
    if (r->how.fog && r->how.fog_coord)
        add_attribute(r, 5, "float", "vertex_fog_coord", "glFogCoord");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (i->coords >> n & 1)
            add_texcoord(r, n);
}

static void add_varying(struct reflection *r, unsigned location, const char *type, const char *name)
{
    struct variable *v = reflect_add(r, KIND_VARYING, type, "%s%s", prefix_of(r), name);
    if (is_vulkan(r))
        v->location = (int)(r->how.location + location);
}

void reflect_varyings(struct reflection *r, bool primary, bool secondary, bool fog, unsigned coords)
{
    if (!r->core)
        return;
    if (primary)
        add_varying(r, FRAGPROG_LOCATION_PRIMARY, "vec4", "primary_color");
    if (secondary)
        add_varying(r, FRAGPROG_LOCATION_SECONDARY, "vec4", "secondary_color");
    if (fog)
        add_varying(r, FRAGPROG_LOCATION_FOG, "float", "fog_coord");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        if (coords >> n & 1) {
            char name[32];
            snprintf(name, sizeof name, "texcoord%u", n);
            add_varying(r, FRAGPROG_LOCATION_TEXCOORD + n, "vec4", name);
        }
}

/* ---- the whole ---- */

/* What follows texturing, in words: GL 2.1, 3.10 and 4.1.4. $: what names of fog begin with; #: its
 * coordinate. */
static void add_formulas(struct reflection *r)
{
    static const char *const compare[TEXENV_COMPARES] = {
        [TEXENV_LESS] = "<",    [TEXENV_EQUAL] = "==",    [TEXENV_LEQUAL] = "<=",
        [TEXENV_GREATER] = ">", [TEXENV_NOTEQUAL] = "!=", [TEXENV_GEQUAL] = ">="};
    static const char *const fog[] = {"", "mix($color, color, clamp(($end - #) * $scale, 0, 1))",
                                      "mix($color, color, clamp(exp(-($density * #)), 0, 1))",
                                      "mix($color, color, clamp(exp(-($density * #)^2), 0, 1))"};
    struct buffer *b = &r->fog_formula;
    for (const char *c = fog[r->how.fog]; *c; c++)
        if (*c == '$')
            buffer_printf(b, "%s%s", r->core ? prefix_of(r) : "", r->core ? "fog_" : "gl_Fog.");
        else if (*c == '#')
            buffer_printf(b, "%s%s", r->core ? prefix_of(r) : "", r->core ? "fog_coord" : "gl_FogFragCoord");
        else
            buffer_add(b, c, 1);
    if (r->core && r->how.alpha_test == TEXENV_NEVER)
        buffer_puts(&r->alpha_formula, "discard");
    else if (r->core && compare[r->how.alpha_test])
        buffer_printf(&r->alpha_formula, "discard unless alpha %s %salpha_reference",
                      compare[r->how.alpha_test], prefix_of(r));
}

void reflection_free(struct reflection *r)
{
    buffer_free(&r->fog_formula);
    buffer_free(&r->alpha_formula);
    free(r->v);
    r->v = NULL;
    r->n = 0;
}

void reflect(struct reflection *r, const struct item *item, struct compiled *c, const struct options *o,
             uint64_t number)
{
    struct fragprog_interface fragment, vertex;
    struct fragprog_language_options before;
    const char *name = o->name ? o->name : "texenv";
    memset(r, 0, sizeof *r);
    r->values = item->values;
    before = r->how = language_of(item, o);
    before.vertex = true;
    r->core = !is_arb(r) && r->how.language != FRAGPROG_GLSL_110 && r->how.language != FRAGPROG_GLSL_120;
    if (number > 1)
        snprintf(r->name, sizeof r->name, "%s_%" PRIu64, name, number);
    else
        snprintf(r->name, sizeof r->name, "%s", name);
    compile_ir(c, item, o, NULL);
    add_formulas(r);
    if (c->ir.unbounded) {
        reflect_program(r, item, &c->ir);
        return;
    }
    fragprog_find_interface(&fragment, &c->ir, &r->how);
    fragprog_find_interface(&vertex, &c->ir, &before);
    if (o->stages & STAGE_FRAGMENT)
        add_samplers(r, item, &fragment);
    unsigned uniforms = fragment.uniforms;
    if (!r->core) { /* what GL has itself, and parameters */
        uniforms |= (fragment.colors ? 1u << FRAGPROG_UNIFORM_TEXENV_COLOR : 0) |
            (fragment.program_env ? 1u << FRAGPROG_UNIFORM_PROGRAM_ENV : 0) |
            (fragment.program_local ? 1u << FRAGPROG_UNIFORM_PROGRAM_LOCAL : 0);
    }
    if (o->stages & STAGE_FRAGMENT)
        add_uniforms(r, item, &fragment, uniforms, STAGE_FRAGMENT);
    r->vertex = r->core && o->stages & STAGE_VERTEX;
    r->block = FRAGPROG_BLOCK_SIZE;
    if (r->vertex && compile_vertex_ir(c, item, o)) {
        add_uniforms(r, item, &vertex, 1u << FRAGPROG_UNIFORM_MODELVIEW_PROJECTION, STAGE_VERTEX);
        reflect_state(r, &c->ir);
        reflect_attributes(r, &c->ir);
    } else if (r->vertex) {
        add_uniforms(r, item, &vertex, vertex.uniforms, STAGE_VERTEX);
        add_attributes(r, &fragment);
    }
    reflect_varyings(r, fragment.primary, fragment.secondary, r->how.fog, fragment.coords);
}

/* ---- JSON ---- */

static void add_text(struct buffer *b, const char *key, const char *text)
{
    if (!text || !text[0])
        return;
    buffer_printf(b, ", \"%s\": ", key);
    buffer_json_string(b, text, strlen(text));
}

static void add_number(struct buffer *b, const char *key, int number)
{
    if (number >= 0)
        buffer_printf(b, ", \"%s\": %d", key, number);
}

static void add_variable(struct buffer *b, const struct variable *v)
{
    static const char *const stages[] = {"", "fragment", "vertex", "both"};
    buffer_puts(b, "{\"name\": ");
    buffer_json_string(b, v->name, strlen(v->name));
    add_text(b, "type", v->type);
    add_text(b, "is", v->is);
    add_text(b, "stage", stages[v->stages]);
    if (v->kind == KIND_SAMPLER)
        add_number(b, "unit", v->unit);
    add_text(b, "target", v->target_name);
    add_text(b, "format", v->format);
    add_text(b, "swizzle", v->swizzle);
    if (v->unknown)
        buffer_puts(b, ", \"value\": null");
    for (unsigned i = 0; i < v->values && !v->unknown; i++) {
        buffer_puts(b, i ? ", " : v->values > 1 ? ", \"value\": [" : ", \"value\": ");
        buffer_float(b, v->value[i]);
    }
    buffer_puts(b, v->values > 1 && !v->unknown ? "]" : "");
    if (v->uniform == FRAGPROG_UNIFORM_TEXENV_COLOR || (v->built_in && v->kind != KIND_SAMPLER))
        buffer_printf(b, ", \"built_in\": %s", v->built_in ? "true" : "false");
    add_number(b, "location", v->location);
    add_number(b, "binding", v->binding);
    add_number(b, "offset", v->offset);
    buffer_puts(b, "}");
}

static void add_list(struct buffer *b, const struct reflection *r, enum kind kind, const char *name)
{
    unsigned n = 0;
    buffer_printf(b, ",\n   \"%s\": [", name);
    for (unsigned i = 0; i < r->n; i++)
        if (r->v[i].kind == kind) {
            buffer_puts(b, n++ ? ",\n     " : "\n     ");
            add_variable(b, &r->v[i]);
        }
    buffer_puts(b, n ? "\n   ]" : "]");
}

void add_reflection(struct buffer *b, const struct reflection *r, const struct item *item)
{
    add_json_source(b, item);
    buffer_printf(b, ",\n   \"language\": \"%s\", \"fog\": \"%s\", \"alpha_test\": \"%s\"",
                  fragprog_language_name((enum fragprog_language)r->how.language), fog_names[r->how.fog & 3],
                  r->core ? compare_names[r->how.alpha_test] : "off");
    add_text(b, "fog_formula", r->fog_formula.data);
    add_text(b, "alpha_formula", r->alpha_formula.data);
    if (is_vulkan(r) && r->block)
        buffer_printf(b, ", \"block\": {\"binding\": %u, \"size\": %u}", (unsigned)r->how.binding, r->block);
    add_list(b, r, KIND_SAMPLER, "samplers");
    add_list(b, r, KIND_UNIFORM, "uniforms");
    if (r->vertex)
        add_list(b, r, KIND_ATTRIBUTE, "attributes");
    if (r->core)
        add_list(b, r, KIND_VARYING, "varyings");
    if (item->values) {
        buffer_puts(b, ",\n   \"values\": {");
        add_recorded_members(b, item->values, true);
        buffer_puts(b, "}");
    }
}

void add_reflection_end(struct buffer *b, const char *name, const char *files)
{
    buffer_puts(b, ",\n   \"name\": ");
    buffer_json_string(b, name, strlen(name));
    if (files)
        buffer_printf(b, ", \"files\": [%s]", files);
    buffer_puts(b, "}");
}
