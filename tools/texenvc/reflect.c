#include "reflect.h"
#include "diag.h"
#include "embed_values.h"
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
    /* Which stored component each channel of the texture gets if, as in core profiles and ES, the texture is
     * stored as red, or red and green (notes/numbers.md). The application sets these swizzles in GL. */
    static const char *const swizzles[TEXENV_BASES] = {"rgba", "rgb1", "000r", "rrr1", "rrrg",
                                                       "rrrr", "r001", "rg01", "r"};
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!(i->textures >> u & 1))
            continue;
        struct variable *v = reflect_sampler(r, u, i->target[u], i->shadow[u]);
        if (!item->state)
            continue;
        v->format = base_names[item->state->stage[u].base];
        v->texture = item->textures ? &item->textures[u] : NULL;
        if (r->core && !i->shadow[u])
            v->swizzle = swizzles[item->state->stage[u].base];
    }
}

/* ---- uniforms ---- */

unsigned variable_numbers(const struct variable *v)
{
    const unsigned n = (unsigned)(v->type[3] - '0');
    return v->type[0] == 'm' ? n * n : v->type[0] == 'v' ? n : 1;
}

/* Computes the uniform's value from GL's values. */
static void compute(float *value, const struct variable *v, const struct texenv_values *values)
{
    struct fragprog_pair one = {.nuniforms = 1};
    one.uniform[0] = (struct fragprog_pair_uniform){.id = (uint8_t)v->uniform,
                                                    .index = (uint8_t)(v->unit < 0 ? 0 : v->unit)};
    fragprog_uniform_values(&one, values, value);
}

/* Sets the variable's value if the state determines it, or if the input gave it a value that differs from
 * GL's initial one. */
static void set_value(struct variable *v, const struct item *item)
{
    static struct texenv_values now, initial;
    float first[16] = {0};
    if (!item->state || v->uniform >= FRAGPROG_PAIR_VALUES)
        return;
    texenv_values_init(&initial);
    now = item->values ? *item->values : initial;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        memcpy(now.texenv_color[u], item->state->stage[u].color, sizeof now.texenv_color[u]);
    now.alpha_reference = item->state->alpha_ref;
    compute(v->value, v, &now);
    compute(first, v, &initial);
    const bool said = v->uniform == FRAGPROG_PAIR_TEXENV_COLOR ||
        (v->uniform == FRAGPROG_PAIR_ALPHA_REFERENCE && item->state->alpha_test);
    if (said || memcmp(v->value, first, sizeof first) != 0)
        v->values = variable_numbers(v);
    for (unsigned i = 0; i < v->values; i++)
        v->unknown |= v->value[i] != v->value[i];
}

/* What uniforms of all kinds of programs hold. `is` is set for those that shader pairs do not have. */
static const struct {
    uint8_t uniform;
    const char *is;
} kinds[FRAGPROG_UNIFORMS] = {
    [FRAGPROG_UNIFORM_MODELVIEW_PROJECTION] = {VARIABLE_MODELVIEW_PROJECTION,
                                               "GL_PROJECTION_MATRIX * GL_MODELVIEW_MATRIX"},
    [FRAGPROG_UNIFORM_TEXENV_COLOR] = {FRAGPROG_PAIR_TEXENV_COLOR, NULL},
    [FRAGPROG_UNIFORM_PROGRAM_ENV] = {VARIABLE_ENV, "GL_CON_%u_ATI, set outside of the shader"},
    [FRAGPROG_UNIFORM_PROGRAM_LOCAL] = {VARIABLE_LOCAL, "program.local[%u]"},
    [FRAGPROG_UNIFORM_FOG_COLOR] = {FRAGPROG_PAIR_FOG_COLOR, NULL},
    [FRAGPROG_UNIFORM_FOG_DENSITY] = {FRAGPROG_PAIR_FOG_DENSITY, NULL},
    [FRAGPROG_UNIFORM_FOG_END] = {FRAGPROG_PAIR_FOG_END, NULL},
    [FRAGPROG_UNIFORM_FOG_SCALE] = {FRAGPROG_PAIR_FOG_SCALE, NULL},
    [FRAGPROG_UNIFORM_ALPHA_REFERENCE] = {FRAGPROG_PAIR_ALPHA_REFERENCE, NULL}};

/* Returns the elements that are read: bit n for element n. */
static unsigned elements_read(const struct fragprog_interface *i, unsigned uniform)
{
    switch (uniform) {
    case FRAGPROG_UNIFORM_TEXENV_COLOR: return i->colors;
    case FRAGPROG_UNIFORM_PROGRAM_ENV: return i->program_env;
    case FRAGPROG_UNIFORM_PROGRAM_LOCAL: return i->program_local;
    default: return 1;
    }
}

struct variable *reflect_element(struct reflection *r, const struct item *item, unsigned uniform, unsigned n,
                                 unsigned stages)
{
    /* built-in names of the state, in ARB programs and in GLSL */
    static const char *const built_in[FRAGPROG_UNIFORMS][2] = {
        [FRAGPROG_UNIFORM_TEXENV_COLOR] = {"state.texenv[%u].color", "gl_TextureEnvColor[%u]"},
        [FRAGPROG_UNIFORM_PROGRAM_ENV] = {"program.env[%u]", NULL},
        [FRAGPROG_UNIFORM_PROGRAM_LOCAL] = {"program.local[%u]", NULL}};
    const struct fragprog_uniform_info *info = fragprog_uniform_of((enum fragprog_uniform)uniform);
    const char *name = r->core ? NULL : built_in[uniform][!is_arb(r)];
    struct variable *v = reflect_add(r, KIND_UNIFORM, info->type, "%s", "");
    char number[16] = "";
    if (info->elements > 1)
        snprintf(number, sizeof number, "[%u]", n);
    if (name)
        snprintf(v->name, sizeof v->name, name, n);
    else
        snprintf(v->name, sizeof v->name, "%s%s%s", prefix_of(r), info->name, number);
    v->uniform = kinds[uniform].uniform;
    if (kinds[uniform].is)
        reflect_means(v, kinds[uniform].is, n);
    else
        describe_uniform(v->is, sizeof v->is, (unsigned)v->uniform, n);
    v->unit = info->elements > 1 ? (int)n : -1;
    v->stages = stages;
    v->built_in = name && uniform == FRAGPROG_UNIFORM_TEXENV_COLOR;
    if (is_vulkan(r)) { /* std140: elements of arrays are 16 bytes apart, and matrices have four of them */
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

/* Adds the uniforms of those shaders of the pair that `stages` contains. */
static void add_pair_uniforms(struct reflection *r, const struct item *item, const struct fragprog_pair *pair,
                              unsigned stages)
{
    const struct fragprog_pair_options names = {.language = r->how.language, .prefix = r->how.prefix};
    for (unsigned i = 0; i < pair->nuniforms; i++) {
        const struct fragprog_pair_uniform *u = &pair->uniform[i];
        const unsigned stage = u->id >= FRAGPROG_PAIR_TEXENV_COLOR ? STAGE_FRAGMENT : STAGE_VERTEX;
        struct texenv_text text;
        if (!(stages & stage))
            continue;
        struct variable *v = reflect_add(
            r, KIND_UNIFORM, fragprog_pair_uniform_type((enum fragprog_pair_value)u->id), "%s", "");
        texenv_text_init(&text, v->name, sizeof v->name);
        fragprog_print_pair_uniform(&text, u, &names);
        describe_uniform(v->is, sizeof v->is, u->id, u->index);
        v->uniform = u->id;
        v->unit = strchr(v->name, '[') ? u->index : -1;
        v->stages = stage;
        if (is_vulkan(r)) {
            v->binding = r->how.binding;
            v->offset = (int)(4u * u->offset);
        }
        set_value(v, item);
    }
}

/* ---- attributes and varyings ---- */

/* Adds the attributes of the vertex shader in core profiles and ES. */
static void add_attributes(struct reflection *r, const struct fragprog_pair *pair)
{
    static const struct {
        const char *type, *is;
    } rows[] = {[FRAGPROG_ATTRIB_POSITION] = {"vec4", "glVertex"},
                [FRAGPROG_ATTRIB_NORMAL] = {"vec3", "glNormal"},
                [FRAGPROG_ATTRIB_COLOR] = {"vec4", "glColor"},
                [FRAGPROG_ATTRIB_SECONDARY] = {"vec3", "glSecondaryColor"},
                [FRAGPROG_ATTRIB_FOGCOORD] = {"float", "glFogCoord"},
                [FRAGPROG_ATTRIB_TEXCOORD] = {"vec4", "glMultiTexCoord of GL_TEXTURE%u"}};
    const struct fragprog_pair_options names = {.language = r->how.language, .prefix = r->how.prefix};
    for (unsigned a = 0; a < 16; a++) {
        const unsigned unit = a < FRAGPROG_ATTRIB_TEXCOORD ? 0 : a - FRAGPROG_ATTRIB_TEXCOORD;
        if (!(pair->attributes >> a & 1))
            continue;
        struct variable *v = reflect_add(r, KIND_ATTRIBUTE, rows[a - unit].type, "%s", "");
        struct texenv_text text;
        texenv_text_init(&text, v->name, sizeof v->name);
        fragprog_print_pair_attribute(&text, a, &names);
        reflect_means(v, rows[a - unit].is, unit);
        v->location = pair->location[a];
    }
}

PRINTF_LIKE(5, 6)
static void add_varying(struct reflection *r, bool there, unsigned location, unsigned size,
                        const char *format, ...)
{
    static const char *const types[] = {"", "float", "vec2", "vec3", "vec4"};
    char name[32];
    va_list args;
    if (!there)
        return;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    struct variable *v = reflect_add(r, KIND_VARYING, types[size], "%s%s", prefix_of(r), name);
    if (is_vulkan(r))
        v->location = (int)(r->how.location + location);
}

static void add_pair_varyings(struct reflection *r, const struct fragprog_pair *pair)
{
    add_varying(r, pair->primary, FRAGPROG_LOCATION_PRIMARY, 4, "primary_color");
    add_varying(r, pair->secondary, FRAGPROG_LOCATION_SECONDARY, 3, "secondary_color");
    add_varying(r, pair->back && pair->primary, FRAGPROG_LOCATION_BACK, 4, "back_color");
    add_varying(r, pair->back && pair->secondary, FRAGPROG_LOCATION_BACK + 1, 3, "back_secondary_color");
    add_varying(r, pair->fog, FRAGPROG_LOCATION_FOG, 1, "fog_coord");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        add_varying(r, pair->coords >> n & 1, FRAGPROG_LOCATION_TEXCOORD + n, pair->coord_size[n],
                    "texcoord%u", n);
    for (unsigned n = 0; n < TEXENV_CLIP_PLANES; n++)
        add_varying(r, pair->clip_distances >> n & 1, 0, 1, "clip_distance%u", n);
}

void reflect_varyings(struct reflection *r, bool primary, bool secondary, bool fog, unsigned coords)
{
    add_varying(r, r->core && primary, FRAGPROG_LOCATION_PRIMARY, 4, "primary_color");
    add_varying(r, r->core && secondary, FRAGPROG_LOCATION_SECONDARY, 4, "secondary_color");
    add_varying(r, r->core && fog, FRAGPROG_LOCATION_FOG, 1, "fog_coord");
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        add_varying(r, r->core && coords >> n & 1, FRAGPROG_LOCATION_TEXCOORD + n, 4, "texcoord%u", n);
}

/* ---- the whole program ---- */

/* Describes what follows texturing as formulas: GL 2.1, 3.10 and 4.1.4. $ is the prefix of fog variables, #
 * the fog coordinate. */
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
    const unsigned parameters = 1u << FRAGPROG_UNIFORM_PROGRAM_ENV | 1u << FRAGPROG_UNIFORM_PROGRAM_LOCAL;
    struct fragprog_interface found;
    const char *name = o->name ? o->name : "texenv";
    memset(r, 0, sizeof *r);
    r->values = item->values;
    r->how = language_of(item, o);
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
    fragprog_find_interface(&found, &c->ir, &r->how);
    r->vertex = r->core && o->stages & STAGE_VERTEX;
    r->block = r->vertex ? 4u * c->pair.floats : FRAGPROG_BLOCK_SIZE;
    unsigned uniforms = found.uniforms;
    if (!r->core) /* only built-in state and parameters */
        uniforms = 1u << FRAGPROG_UNIFORM_TEXENV_COLOR | parameters;
    if (o->stages & STAGE_FRAGMENT) {
        add_samplers(r, item, &found);
        add_uniforms(r, item, &found, r->vertex ? uniforms & parameters : uniforms, STAGE_FRAGMENT);
    }
    if (r->vertex) {
        add_pair_uniforms(r, item, &c->pair, o->stages);
        add_attributes(r, &c->pair);
        add_pair_varyings(r, &c->pair);
    } else {
        reflect_varyings(r, found.primary, found.secondary, r->how.fog, found.coords);
    }
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

/* Appends a member of a texture's object if it is set. text: NULL for the number itself. */
static void add_texture_member(struct buffer *b, const char **separator, const char *key, uint32_t value,
                               const char *text)
{
    if (!value)
        return;
    buffer_printf(b, "%s\"%s\": ", *separator, key);
    *separator = ", ";
    if (value == TEXENV_NOT_KNOWN)
        buffer_puts(b, "null");
    else if (text)
        buffer_printf(b, "\"%s\"", text);
    else
        buffer_printf(b, "%u", (unsigned)value);
}

/* Appends what the input says about the texture. */
static void add_texture(struct buffer *b, const struct texenv_texture_info *t)
{
    static const struct texenv_texture_info none;
    static const char *const keys[TEXENV_TEXTURE_PARAMETERS] = {"min_filter", "mag_filter", "wrap_s",
                                                                "wrap_t", "wrap_r"};
    const char *separator = "";
    if (!t || memcmp(t, &none, sizeof none) == 0)
        return;
    buffer_puts(b, ", \"texture\": {");
    add_texture_member(b, &separator, "name", t->name, NULL);
    if (t->size[0])
        buffer_printf(b, "%s\"size\": [", separator);
    for (unsigned i = 0; i < 3 && t->size[i]; i++) {
        buffer_puts(b, i ? ", " : "");
        if (t->size[i] == TEXENV_NOT_KNOWN)
            buffer_puts(b, "null");
        else
            buffer_printf(b, "%u", (unsigned)t->size[i]);
    }
    if (t->size[0])
        buffer_puts(b, "]"), separator = ", ";
    add_texture_member(b, &separator, "internal_format", t->internal_format,
                       t->internal_format > 4 ? texenv_token_name(t->internal_format) : NULL);
    for (unsigned i = 0; i < TEXENV_TEXTURE_PARAMETERS; i++)
        add_texture_member(b, &separator, keys[i], t->parameter[i], texenv_filter_name(t->parameter[i]));
    buffer_puts(b, "}");
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
    add_texture(b, v->texture);
    if (v->unknown)
        buffer_puts(b, ", \"value\": null");
    for (unsigned i = 0; i < v->values && !v->unknown; i++) {
        buffer_puts(b, i ? ", " : v->values > 1 ? ", \"value\": [" : ", \"value\": ");
        buffer_float(b, v->value[i]);
    }
    buffer_puts(b, v->values > 1 && !v->unknown ? "]" : "");
    if (v->uniform == FRAGPROG_PAIR_TEXENV_COLOR || (v->built_in && v->kind != KIND_SAMPLER))
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
