/* Prints the colours in the vertex shader for the vertex half of fixed function. Section numbers are those of
 * the OpenGL 2.1 specification. */
#include "fragprog/lang/glsl_fixed_vertex.h"

/* Names of the front and the back side. */
static const struct side {
    const char *color, *specular; /* names of the sums */
    const char *sign;             /* sign of the side's normal */
    uint8_t scene, emission, ambient, alpha, shininess, out;
} sides[2] = {{"color", "specular", "", FRAGPROG_PAIR_SCENE_COLOR, FRAGPROG_PAIR_MATERIAL_EMISSION,
               FRAGPROG_PAIR_SCENE_AMBIENT, FRAGPROG_PAIR_MATERIAL_ALPHA, FRAGPROG_PAIR_MATERIAL_SHININESS,
               FRAGPROG_PAIR_PRIMARY},
              {"back", "back_specular", "-", FRAGPROG_PAIR_BACK_SCENE_COLOR,
               FRAGPROG_PAIR_BACK_MATERIAL_EMISSION, FRAGPROG_PAIR_BACK_SCENE_AMBIENT,
               FRAGPROG_PAIR_BACK_MATERIAL_ALPHA, FRAGPROG_PAIR_BACK_MATERIAL_SHININESS, FRAGPROG_PAIR_BACK}};

/* Properties of lights, in the order of the uniforms from LIGHT_AMBIENT on. */
enum { AMBIENT, DIFFUSE, SPECULAR };

static bool is_tracked(const struct fragprog_glsl_fixed *g, unsigned side, unsigned property)
{
    return g->source->vertex.tracks[side] >> property & 1;
}

/* Returns the uniform of a property: the product with the material's property, or the light's alone if the
 * vertex colour replaces the material's (2.14.3). */
static unsigned light_value(const struct fragprog_glsl_fixed *g, unsigned side, unsigned property)
{
    if (!is_tracked(g, side, property))
        return (side ? FRAGPROG_PAIR_LIGHT_BACK_AMBIENT_PRODUCT : FRAGPROG_PAIR_LIGHT_AMBIENT_PRODUCT) +
            property;
    return (side && !is_tracked(g, 0, property) ? FRAGPROG_PAIR_LIGHT_BACK_AMBIENT
                                                : FRAGPROG_PAIR_LIGHT_AMBIENT) +
        property;
}

/* Prints "vertex_color.rgb * " if the property tracks the vertex colour. */
static void print_tracked(struct fragprog_glsl_fixed *g, bool tracked)
{
    if (tracked)
        fragprog_glsl_part(g, "@.rgb * ", FRAGPROG_ATTRIB_COLOR);
}

/* ---- the initial colour of a side ---- */

static void print_scene(struct fragprog_glsl_fixed *g, unsigned side)
{
    const struct side *s = &sides[side];
    const bool ambient = is_tracked(g, side, AMBIENT),
               emission = g->source->vertex.tracks[side] & TEXENV_TRACKS_EMISSION;
    if (g->needs.diffuse && ambient && emission)
        fragprog_glsl_line(g, "vec3 % = @.rgb * (1.0 + #);", s->color, FRAGPROG_ATTRIB_COLOR,
                           FRAGPROG_PAIR_LIGHT_MODEL_AMBIENT);
    else if (g->needs.diffuse && ambient)
        fragprog_glsl_line(g, "vec3 % = # + @.rgb * #;", s->color, s->emission, FRAGPROG_ATTRIB_COLOR,
                           FRAGPROG_PAIR_LIGHT_MODEL_AMBIENT);
    else if (g->needs.diffuse && emission)
        fragprog_glsl_line(g, "vec3 % = @.rgb + #;", s->color, FRAGPROG_ATTRIB_COLOR, s->ambient);
    else if (g->needs.diffuse)
        fragprog_glsl_line(g, "vec3 % = #;", s->color, s->scene);
    if (g->needs.specular && g->source->vertex.separate_specular)
        fragprog_glsl_line(g, "vec3 % = vec3(0.0);", s->specular);
}

/* ---- a light (2.14.1) ---- */

static const struct texenv_light *light_at(const struct fragprog_glsl_fixed *g)
{
    return &g->source->vertex.light[g->light];
}

/* Returns true if the current light is attenuated by distance or cone. */
static bool has_factor(const struct fragprog_glsl_fixed *g)
{
    return light_at(g)->attenuated || light_at(g)->spot;
}

static void print_direction(struct fragprog_glsl_fixed *g)
{
    const struct texenv_light *light = light_at(g);
    if (light->attenuated) {
        fragprog_glsl_line(g, "vec3 direction = # - eye_position.xyz;", FRAGPROG_PAIR_LIGHT_POSITION);
        fragprog_glsl_line(g, "float distance = length(direction);");
        fragprog_glsl_line(g, "direction /= distance;");
        fragprog_glsl_line(g, "float attenuation = 1.0 / dot(#, vec3(1.0, distance, distance * distance));",
                           FRAGPROG_PAIR_LIGHT_ATTENUATION);
    } else if (light->positional) {
        fragprog_glsl_line(g, "vec3 direction = normalize(# - eye_position.xyz);",
                           FRAGPROG_PAIR_LIGHT_POSITION);
    } else if (g->built_in) {
        fragprog_glsl_line(g, "vec3 direction = #;", FRAGPROG_PAIR_LIGHT_DIRECTION);
    }
    if (light->spot) {
        fragprog_glsl_line(g, "float spot = -dot(&, #);", FRAGPROG_PAIR_LIGHT_SPOT_DIRECTION);
        fragprog_glsl_line(
            g, "% spot < # ? 0.0 : %power(spot, #);",
            light->attenuated ? "attenuation *=" : "float attenuation =", FRAGPROG_PAIR_LIGHT_SPOT_COS_CUTOFF,
            g->options->prefix, FRAGPROG_PAIR_LIGHT_SPOT_EXPONENT);
        g->power = true;
    }
}

/* Prints N.L of the front side, and N.H if it is needed. */
static void print_dots(struct fragprog_glsl_fixed *g)
{
    const bool local = g->source->vertex.local_viewer;
    fragprog_glsl_line(g, "float diffuse = dot(normal, &);");
    if (!g->needs.specular)
        return;
    if (!local && !light_at(g)->positional) {
        fragprog_glsl_line(g, "float highlight = dot(normal, #);", FRAGPROG_PAIR_LIGHT_HALF_VECTOR);
        return;
    }
    fragprog_glsl_line(g,
                       local ? "vec3 half_vector = normalize(& - view);"
                             : "vec3 half_vector = normalize(& + vec3(0.0, 0.0, 1.0));");
    fragprog_glsl_line(g, "float highlight = dot(normal, half_vector);");
}

/* Prints color += attenuation * (ambient + max(dot, 0.0) * diffuse), where dot is N.L */
static void print_diffuse(struct fragprog_glsl_fixed *g, unsigned side, const char *dot)
{
    const struct side *s = &sides[side];
    const bool ambient = is_tracked(g, side, AMBIENT), diffuse = is_tracked(g, side, DIFFUSE),
               both = ambient && diffuse, outer = both || has_factor(g);
    fragprog_glsl_indent(g);
    fragprog_glsl_part(g, has_factor(g) ? "% += attenuation * " : "% += ", s->color);
    print_tracked(g, both);
    fragprog_glsl_part(g, outer ? "(" : "");
    print_tracked(g, ambient && !both);
    fragprog_glsl_part(g, dot ? "# + max(%, 0.0) * " : "# + max(dot(normal, &), 0.0) * ",
                       light_value(g, side, AMBIENT), dot);
    print_tracked(g, diffuse && !both);
    fragprog_glsl_part(g, outer ? "#);\n" : "#;\n", light_value(g, side, DIFFUSE));
}

static void print_specular(struct fragprog_glsl_fixed *g, unsigned side)
{
    const struct side *s = &sides[side];
    fragprog_glsl_line(g, side ? "if (diffuse < 0.0)" : "if (diffuse > 0.0)");
    fragprog_glsl_indent(g);
    fragprog_glsl_part(g, has_factor(g) ? "    % += attenuation * " : "    % += ",
                       g->source->vertex.separate_specular ? s->specular : s->color);
    print_tracked(g, is_tracked(g, side, SPECULAR));
    fragprog_glsl_part(g, "%power(%highlight, #) * #;\n", g->options->prefix, s->sign, s->shininess,
                       light_value(g, side, SPECULAR));
    g->power = true;
}

static void print_light(struct fragprog_glsl_fixed *g)
{
    const unsigned nsides = g->source->vertex.two_side ? 2 : 1;
    print_direction(g);
    if (!g->needs.specular && nsides == 1) { /* N.L is used once and needs no variable */
        print_diffuse(g, 0, NULL);
        return;
    }
    print_dots(g);
    for (unsigned side = 0; side < nsides; side++) {
        if (g->needs.diffuse)
            print_diffuse(g, side, side ? "-diffuse" : "diffuse");
        if (g->needs.specular)
            print_specular(g, side);
    }
}

/* ---- lights ---- */

/* Returns the number of equal consecutive lights from light n on, which is enabled. */
static unsigned run_of(const struct texenv_vertex *v, unsigned n)
{
    unsigned end = n + 1;
    while (end < TEXENV_LIGHTS && memcmp(&v->light[end], &v->light[n], sizeof v->light[n]) == 0)
        end++;
    return end - n;
}

static void print_lights(struct fragprog_glsl_fixed *g)
{
    const struct texenv_vertex *v = &g->source->vertex;
    unsigned run, runs = 0;
    for (unsigned n = 0; n < TEXENV_LIGHTS; n += run) {
        run = v->light[n].enabled ? run_of(v, n) : 1;
        runs += v->light[n].enabled;
    }
    for (unsigned n = 0; n < TEXENV_LIGHTS; n += run) {
        run = 1;
        if (!v->light[n].enabled)
            continue;
        run = run_of(v, n);
        g->light = (uint8_t)n;
        g->loop = run > 1 ? (uint8_t)(((1u << run) - 1) << n) : 0;
        const bool block = runs > 1 || g->loop;
        if (block)
            fragprog_glsl_indent(g);
        if (g->loop)
            texenv_printf(g->text, "for (int i = %u; i < %u; i++) {\n", n, n + run);
        else if (block)
            texenv_printf(g->text, "{ // light %u\n", n);
        g->depth += block;
        print_light(g);
        g->depth -= block;
        if (block)
            fragprog_glsl_line(g, "}");
    }
    g->loop = 0;
}

/* ---- results ---- */

/* Prints the final colours, clamped before interpolation (2.14.6). GL clamps its built-in varyings itself. */
static void print_lit(struct fragprog_glsl_fixed *g, unsigned side)
{
    const struct side *s = &sides[side];
    const char *open = g->built_in ? "" : "clamp(", *close = g->built_in ? "" : ", 0.0, 1.0)";
    if (g->reads.primary && is_tracked(g, side, DIFFUSE))
        fragprog_glsl_line(g, "$ = %vec4(%, @.a)%;", s->out, open, s->color, FRAGPROG_ATTRIB_COLOR, close);
    else if (g->reads.primary)
        fragprog_glsl_line(g, "$ = %vec4(%, #)%;", s->out, open, s->color, s->alpha, close);
    if (!g->reads.secondary)
        return;
    const char *specular = g->needs.specular && g->source->vertex.separate_specular ? s->specular
                                                                                    : "vec3(0.0)";
    fragprog_glsl_line(g, g->built_in ? "$ = vec4(%, 1.0);" : "$ = clamp(%, 0.0, 1.0);",
                       s->out + FRAGPROG_PAIR_SECONDARY, specular);
}

static void print_given(struct fragprog_glsl_fixed *g)
{
    static const char *const forms[2] = {"$ = clamp(@, 0.0, 1.0);", "$ = @;"};
    if (g->reads.primary)
        fragprog_glsl_line(g, forms[g->built_in], FRAGPROG_PAIR_PRIMARY, FRAGPROG_ATTRIB_COLOR);
    if (g->reads.secondary)
        fragprog_glsl_line(g, forms[g->built_in], FRAGPROG_PAIR_SECONDARY, FRAGPROG_ATTRIB_SECONDARY);
}

void fragprog_glsl_lighting(struct fragprog_glsl_fixed *g)
{
    const unsigned nsides = g->source->vertex.two_side ? 2 : 1;
    if (!g->source->vertex.lighting) {
        print_given(g);
        return;
    }
    if (g->needs.diffuse || g->needs.specular)
        fragprog_glsl_line(g, "// Lighting: OpenGL 2.1, 2.14.1");
    for (unsigned side = 0; side < nsides; side++)
        print_scene(g, side);
    if (g->needs.lights)
        print_lights(g);
    for (unsigned side = 0; side < nsides; side++)
        print_lit(g, side);
}
