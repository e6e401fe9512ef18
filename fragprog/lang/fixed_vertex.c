/* Prints the vertex half of fixed function as an ARB vertex program, because this language has names for all
 * the state that is needed. fragprog_read_arbfp reads the text into the intermediate program. Section numbers
 * are those of the OpenGL 2.1 specification; bindings are those of GL_ARB_vertex_program.
 *
 * Bindings hold the vectors that were passed to GL, so the program must normalise directions of lights and
 * spots; only state.light[n].half is a unit vector. The program also computes products that are the same for
 * all vertices if no binding has them. */
#include "fragprog/fixed_vertex.h"
#include "fragprog/lang/vertex_needs.h"

struct generator {
    struct texenv_text *text;
    const struct texenv_vertex *v;
    const struct texenv_vertex_reads *reads;
    bool language; /* the program is for a shading language, not for a chip's vertex engine */
    struct fragprog_vertex_needs needs;
    const char *factor; /* attenuation of the current light by distance and cone; NULL: none */
};

static const char *const sides[2] = {"front", "back"};
static const char coordinates[] = "strq", channels[] = "xyzw";

/* Returns the channels of the vertex in eye coordinates that are needed. */
static unsigned eye_channels(const struct generator *g)
{
    return g->needs.planes                             ? 15
        : g->needs.view || g->needs.positional         ? 7
        : g->v->point_attenuation || g->needs.distance ? 4
                                                       : 0;
}

/* ---- eye coordinates and normals (2.11.1, 2.11.3) ---- */

static void print_position(struct generator *g)
{
    for (unsigned c = 0; c < 4; c++)
        texenv_printf(g->text, "DP4 result.position.%c, state.matrix.mvp.row[%u], vertex.position;\n",
                      channels[c], c);
}

static void print_eye(struct generator *g)
{
    for (unsigned c = 0; c < 4; c++)
        if (eye_channels(g) >> c & 1)
            texenv_printf(g->text, "DP4 eye.%c, state.matrix.modelview.row[%u], vertex.position;\n",
                          channels[c], c);
    if (g->needs.view)
        texenv_printf(g->text,
                      "DP3 unit.w, eye, eye;\n"
                      "RSQ unit.w, unit.w;\n"
                      "MUL unit.xyz, eye, unit.w;\n");
}

static void print_normal(struct generator *g)
{
    if (!g->needs.normal)
        return;
    for (unsigned c = 0; c < 3; c++)
        texenv_printf(g->text, "DP3 normal.%c, state.matrix.modelview.invtrans.row[%u], vertex.normal;\n",
                      channels[c], c);
    /* RESCALE_NORMAL divides by the length of the third row of the inverse. */
    if (g->v->normals == TEXENV_NORMALS_RESCALED)
        texenv_printf(g->text,
                      "DP3 normal.w, state.matrix.modelview.inverse.row[2], "
                      "state.matrix.modelview.inverse.row[2];\n");
    else if (g->v->normals == TEXENV_NORMALS_NORMALIZED)
        texenv_printf(g->text, "DP3 normal.w, normal, normal;\n");
    else
        return;
    texenv_printf(g->text,
                  "RSQ normal.w, normal.w;\n"
                  "MUL normal.xyz, normal, normal.w;\n");
}

/* ---- lighting (2.14.1) ---- */

/* Prints a property of the material, which may track the vertex colour (2.14.3). */
static void print_material(struct generator *g, unsigned side, unsigned bit, const char *name)
{
    if (g->v->tracks[side] & bit)
        texenv_printf(g->text, "vertex.color");
    else
        texenv_printf(g->text, "state.material.%s.%s", sides[side], name);
}

/* Prints the initial colour of a side: emission and the light model's ambient term. */
static void print_scene(struct generator *g, unsigned side)
{
    const unsigned tracks = g->v->tracks[side];
    if (g->needs.diffuse && tracks & (TEXENV_TRACKS_EMISSION | TEXENV_TRACKS_AMBIENT)) {
        texenv_printf(g->text, "MAD %s_sum.xyz, ", sides[side]);
        print_material(g, side, TEXENV_TRACKS_AMBIENT, "ambient");
        texenv_printf(g->text, ", state.lightmodel.ambient, ");
        print_material(g, side, TEXENV_TRACKS_EMISSION, "emission");
        texenv_printf(g->text, ";\n");
    } else if (g->needs.diffuse) {
        texenv_printf(g->text, "MOV %s_sum.xyz, state.lightmodel.%s.scenecolor;\n", sides[side], sides[side]);
    }
    if (g->needs.specular && g->v->separate_specular)
        texenv_printf(g->text, "MOV %s_second, {0, 0, 0, 1};\n", sides[side]);
    if (g->needs.specular && g->needs.lights)
        texenv_printf(g->text, "MOV %s.w, state.material.%s.shininess.x;\n", sides[side], sides[side]);
}

/* Prints the computation of `light`, the unit vector from the vertex to the light, and of `att.x`, the
 * attenuation by distance. */
static void print_direction(struct generator *g, unsigned n)
{
    const struct texenv_light *light = &g->v->light[n];
    if (light->positional)
        texenv_printf(g->text,
                      "RCP light.w, state.light[%u].position.w;\n"
                      "MAD light.xyz, state.light[%u].position, light.w, -eye;\n"
                      "DP3 light.w, light, light;\n",
                      n, n);
    else
        texenv_printf(g->text, "DP3 light.w, state.light[%u].position, state.light[%u].position;\n", n, n);
    texenv_printf(g->text, "RSQ reach.w, light.w;\n");
    if (light->positional)
        texenv_printf(g->text, "MUL light.xyz, light, reach.w;\n");
    else
        texenv_printf(g->text, "MUL light.xyz, state.light[%u].position, reach.w;\n", n);
    if (!light->attenuated)
        return;
    g->factor = "att.x"; /* DST computes (1, d, d^2, 1/d) from d^2 and 1/d */
    texenv_printf(g->text,
                  "DST reach, light.w, reach.w;\n"
                  "DP3 att.x, reach, state.light[%u].attenuation;\n"
                  "RCP att.x, att.x;\n",
                  n);
}

/* Prints the attenuation by the cone of a spot. LIT computes the power inside the cone, and 0 outside. */
static void print_spot(struct generator *g, unsigned n)
{
    texenv_printf(g->text,
                  "DP3 spot.w, state.light[%u].spot.direction, state.light[%u].spot.direction;\n"
                  "RSQ spot.w, spot.w;\n"
                  "DP3 spot.y, -light, state.light[%u].spot.direction;\n"
                  "MUL spot.y, spot.y, spot.w;\n"
                  "SGE spot.x, spot.y, state.light[%u].spot.direction.w;\n"
                  "MOV spot.w, state.light[%u].attenuation.w;\n"
                  "LIT spot.z, spot;\n",
                  n, n, n, n, n);
    if (g->factor)
        texenv_printf(g->text, "MUL att.x, att.x, spot.z;\n");
    else
        g->factor = "spot.z";
}

/* Prints N.L and N.H for the front side. */
static void print_dots(struct generator *g, unsigned n)
{
    const bool local = g->v->local_viewer, half = !local && !g->v->light[n].positional;
    texenv_printf(g->text, "DP3 front.x, normal, light;\n");
    if (!g->needs.specular)
        return;
    if (half) {
        texenv_printf(g->text, "DP3 front.y, normal, state.light[%u].half;\n", n);
        return;
    }
    texenv_printf(g->text, local ? "SUB half.xyz, light, unit;\n" : "ADD half.xyz, light, {0, 0, 1, 0};\n");
    texenv_printf(g->text,
                  "DP3 half.w, half, half;\n"
                  "RSQ half.w, half.w;\n"
                  "MUL half.xyz, half, half.w;\n"
                  "DP3 front.y, normal, half;\n");
}

/* Adds a term to the sum: `factor` times the product of light and material. factor "" is 1. */
static void print_term(struct generator *g, unsigned side, unsigned n, unsigned bit, const char *name,
                       const char *factor)
{
    const bool tracked = g->v->tracks[side] & bit;
    const char *sum = bit == TEXENV_TRACKS_SPECULAR && g->v->separate_specular ? "second" : "sum";
    if (tracked)
        texenv_printf(g->text, "MUL product.xyz, vertex.color, state.light[%u].%s;\n", n, name);
    texenv_printf(g->text, factor[0] ? "MAD %s_%s.xyz, %s, " : "ADD %s_%s.xyz, %s", sides[side], sum, factor);
    if (tracked)
        texenv_printf(g->text, "product");
    else
        texenv_printf(g->text, "state.lightprod[%u].%s.%s", n, sides[side], name);
    texenv_printf(g->text, ", %s_%s;\n", sides[side], sum);
}

static void print_side(struct generator *g, unsigned side, unsigned n)
{
    if (side)
        texenv_printf(g->text, g->needs.specular ? "MOV back.xy, -front;\n" : "MOV back.x, -front;\n");
    if (g->needs.specular)
        texenv_printf(g->text, "LIT lit, %s;\n", sides[side]);
    else
        texenv_printf(g->text, "MAX lit.y, %s.x, {0, 0, 0, 0}.x;\n", sides[side]);
    if (g->factor)
        texenv_printf(g->text, g->needs.specular ? "MUL lit.yz, lit, %s;\n" : "MUL lit.y, lit, %s;\n",
                      g->factor);
    if (g->needs.diffuse)
        print_term(g, side, n, TEXENV_TRACKS_AMBIENT, "ambient", g->factor ? g->factor : "");
    if (g->needs.specular)
        print_term(g, side, n, TEXENV_TRACKS_SPECULAR, "specular", "lit.z");
    if (g->needs.diffuse) /* last, because print_lit reads alpha from the same constant */
        print_term(g, side, n, TEXENV_TRACKS_DIFFUSE, "diffuse", "lit.y");
}

static void print_lights(struct generator *g, unsigned nsides)
{
    for (unsigned n = 0; n < TEXENV_LIGHTS && g->needs.lights; n++) {
        if (!g->v->light[n].enabled)
            continue;
        g->factor = NULL;
        print_direction(g, n);
        if (g->v->light[n].spot)
            print_spot(g, n);
        print_dots(g, n);
        for (unsigned side = 0; side < nsides; side++)
            print_side(g, side, n);
    }
}

/* Prints the alpha of the diffuse material. In ARB_vertex_program the scene colour and the diffuse products
 * contain it, too; a program for an engine takes it from one of these constants if it reads one anyway. (Of
 * GLSL's corresponding variables, only the material has this alpha.) */
static void print_alpha(struct generator *g, unsigned side)
{
    unsigned last = TEXENV_LIGHTS;
    while (last > 0 && !g->v->light[last - 1].enabled)
        last--;
    if (g->v->tracks[side] & TEXENV_TRACKS_DIFFUSE || g->language)
        print_material(g, side, TEXENV_TRACKS_DIFFUSE, "diffuse");
    else if (last)
        texenv_printf(g->text, "state.lightprod[%u].%s.diffuse", last - 1, sides[side]);
    else
        texenv_printf(g->text, "state.lightmodel.%s.scenecolor", sides[side]);
    texenv_printf(g->text, ".w;\n");
}

/* Prints the final colours. The alpha of the secondary colour is 1. */
static void print_lit(struct generator *g, unsigned side)
{
    static const char *const results[2] = {"result.color", "result.color.back"};
    if (g->reads->primary) {
        texenv_printf(g->text, "MOV %s.xyz, %s_sum;\nMOV %s.w, ", results[side], sides[side], results[side]);
        print_alpha(g, side);
    }
    if (g->reads->secondary && g->v->separate_specular)
        texenv_printf(g->text, "MOV %s.secondary, %s_second;\n", results[side], sides[side]);
    else if (g->reads->secondary)
        texenv_printf(g->text, "MOV %s.secondary, {0, 0, 0, 1};\n", results[side]);
}

static void print_colors(struct generator *g)
{
    if (!g->v->lighting) {
        if (g->reads->primary)
            texenv_printf(g->text, "MOV result.color, vertex.color;\n");
        if (g->reads->secondary)
            texenv_printf(g->text, "MOV result.color.secondary, vertex.color.secondary;\n");
        return;
    }
    const unsigned nsides = g->v->two_side ? 2 : 1;
    for (unsigned side = 0; side < nsides; side++)
        print_scene(g, side);
    print_lights(g, nsides);
    for (unsigned side = 0; side < nsides; side++)
        print_lit(g, side);
}

/* ---- texture coordinates (2.11.4, 2.11.2) ---- */

/* Prints the computation of `reflected` (the reflection vector) and `sphere` (s and t of the sphere map). */
static void print_reflection(struct generator *g)
{
    if (!g->needs.reflection)
        return;
    texenv_printf(g->text,
                  "DP3 reflected.w, normal, unit;\n"
                  "ADD reflected.w, reflected.w, reflected.w;\n"
                  "MAD reflected.xyz, -normal, reflected.w, unit;\n");
    if (g->needs.sphere)
        texenv_printf(g->text,
                      "ADD sphere.xyz, reflected, {0, 0, 1, 0};\n"
                      "DP3 sphere.w, sphere, sphere;\n"
                      "RSQ sphere.w, sphere.w;\n"
                      "MUL sphere.w, sphere.w, {0.5, 0.5, 0.5, 0.5}.x;\n"
                      "MAD sphere.xy, reflected, sphere.w, {0.5, 0.5, 0.5, 0.5};\n");
}

/* Prints the destination of coordinates, " result.texcoord[1].xy". */
static void print_target(struct generator *g, unsigned unit, unsigned mask)
{
    if (g->v->texture_matrix[unit])
        texenv_printf(g->text, " coord.");
    else
        texenv_printf(g->text, " result.texcoord[%u].", unit);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            texenv_printf(g->text, "%c", channels[c]);
}

/* Prints the coordinates of one generation mode, before the matrix. */
static void print_generated(struct generator *g, unsigned unit, unsigned mode, unsigned mask)
{
    static const char *const made[TEXENV_TEXGENS] = {[TEXENV_TEXGEN_SPHERE] = "sphere",
                                                     [TEXENV_TEXGEN_REFLECTION] = "reflected",
                                                     [TEXENV_TEXGEN_NORMAL] = "normal"};
    const bool eye = mode == TEXENV_TEXGEN_EYE;
    if (!eye && mode != TEXENV_TEXGEN_OBJECT) {
        texenv_printf(g->text, "MOV");
        print_target(g, unit, mask);
        texenv_printf(g->text, made[mode] ? ", %s;\n" : ", vertex.texcoord[", made[mode]);
        if (!made[mode])
            texenv_printf(g->text, "%u];\n", unit);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) {
            texenv_printf(g->text, "DP4");
            print_target(g, unit, 1u << c);
            texenv_printf(g->text, ", %s, state.texgen[%u].%s.%c;\n", eye ? "eye" : "vertex.position", unit,
                          eye ? "eye" : "object", coordinates[c]);
        }
}

static void print_coordinates(struct generator *g, unsigned unit)
{
    const unsigned wanted = g->needs.made[unit];
    bool generated = false;
    for (unsigned c = 0; c < 4; c++)
        generated |= g->v->texgen[unit][c] != TEXENV_TEXGEN_OFF;
    const bool matrix = g->v->texture_matrix[unit];
    for (unsigned mode = 0; mode < TEXENV_TEXGENS && (generated || !matrix); mode++) {
        unsigned mask = 0;
        for (unsigned c = 0; c < 4; c++)
            mask |= (wanted >> c & 1 && g->v->texgen[unit][c] == mode) ? 1u << c : 0;
        if (mask)
            print_generated(g, unit, mode, mask);
    }
    for (unsigned c = 0; c < 4 && matrix; c++)
        if (g->reads->coord[unit] >> c & 1) {
            texenv_printf(g->text, "DP4 result.texcoord[%u].%c, state.matrix.texture[%u].row[%u], ", unit,
                          channels[c], unit, c);
            texenv_printf(g->text, generated ? "coord;\n" : "vertex.texcoord[%u];\n", unit);
        }
}

/* ---- fog (3.10) and points (3.3) ---- */

static void print_fog(struct generator *g)
{
    if (!g->reads->fog)
        return;
    /* An implementation may use the eye's z as the distance, and all do. */
    texenv_printf(g->text,
                  g->v->fog_coord ? "MOV result.fogcoord.x, vertex.fogcoord.x;\n"
                                  : "ABS result.fogcoord.x, eye.z;\n");
}

/* Prints the point size. As in implementations, the eye's z is used as the distance. */
static void print_point_size(struct generator *g)
{
    if (g->v->point_attenuation)
        texenv_printf(g->text,
                      "ABS point.x, eye.z;\n"
                      "MAD point.y, point.x, state.point.attenuation.z, state.point.attenuation.y;\n"
                      "MAD point.x, point.x, point.y, state.point.attenuation.x;\n"
                      "RSQ point.x, point.x;\n"
                      "MUL point.x, point.x, state.point.size.x;\n"
                      "MAX point.x, point.x, state.point.size.y;\n"
                      "MIN result.pointsize.x, point.x, state.point.size.z;\n");
}

void fragprog_print_fixed_vertex(struct texenv_text *text, const struct texenv_vertex *vertex,
                                 const struct texenv_vertex_reads *reads, bool invariant)
{
    struct texenv_vertex v = *vertex;
    struct generator g = {.text = text, .v = &v, .reads = reads, .language = invariant};
    texenv_vertex_restrict(&v, reads);
    fragprog_find_vertex_needs(&g.needs, &v, reads);
    texenv_printf(text,
                  "!!ARBvp1.0\n%sTEMP eye, unit, normal, light, reach, spot, half, att, front, back, lit;\n"
                  "TEMP front_sum, back_sum, front_second, back_second, product;\n"
                  "TEMP reflected, sphere, coord, point;\n",
                  invariant ? "OPTION ARB_position_invariant;\n" : "");
    if (!invariant)
        print_position(&g);
    print_eye(&g);
    print_normal(&g);
    print_colors(&g);
    print_reflection(&g);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        print_coordinates(&g, u);
    print_fog(&g);
    print_point_size(&g);
    texenv_printf(text, "END\n");
}
