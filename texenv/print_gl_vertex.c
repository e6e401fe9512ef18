/* Prints the vertex half of a state as the GL calls that produce it from the initial GL state
 * (notes/formats/gl.md). A state has modes but no values, so the calls get the simplest values that select
 * these modes. */
#include "texenv/print_values.h"
#include "texenv/vertex_words.h"

static void enable(struct texenv_text *text, const char *cap)
{
    texenv_printf(text, "glEnable(GL_%s);\n", cap);
}

static void model(struct texenv_text *text, bool on, const char *pname, const char *value)
{
    if (on)
        texenv_printf(text, "glLightModeli(GL_LIGHT_MODEL_%s, GL_%s);\n", pname, value);
}

static void print_light(struct texenv_text *text, const struct texenv_light *light, unsigned n)
{
    if (light->positional)
        texenv_printf(text, "glLightfv(GL_LIGHT%u, GL_POSITION, (const GLfloat[]){0, 0, 1, 1});\n", n);
    if (light->spot)
        texenv_printf(text, "glLightf(GL_LIGHT%u, GL_SPOT_CUTOFF, 45);\n", n);
    if (light->attenuated)
        texenv_printf(text, "glLightf(GL_LIGHT%u, GL_LINEAR_ATTENUATION, 1);\n", n);
}

/* Prints ColorMaterial. GL has one mode at a time, for one side or for both. */
static void print_color_material(struct texenv_text *text, const uint8_t *tracks)
{
    const char *const face = tracks[0] && tracks[1] ? "FRONT_AND_BACK" : tracks[0] ? "FRONT" : "BACK";
    const unsigned bits = tracks[0] | tracks[1];
    if (!bits)
        return;
    texenv_printf(text, "glColorMaterial(GL_%s, GL_%s);\n", face,
                  bits == TEXENV_TRACKS_EMISSION       ? "EMISSION"
                      : bits == TEXENV_TRACKS_AMBIENT  ? "AMBIENT"
                      : bits == TEXENV_TRACKS_DIFFUSE  ? "DIFFUSE"
                      : bits == TEXENV_TRACKS_SPECULAR ? "SPECULAR"
                                                       : "AMBIENT_AND_DIFFUSE");
    enable(text, "COLOR_MATERIAL");
}

static void print_lighting(struct texenv_text *text, const struct texenv_vertex *v, bool color_sum,
                           const struct texenv_values *values)
{
    model(text, v->two_side, "TWO_SIDE", "TRUE");
    model(text, v->local_viewer, "LOCAL_VIEWER", "TRUE");
    model(text, color_sum || v->separate_specular, "COLOR_CONTROL", "SEPARATE_SPECULAR_COLOR");
    if (values)
        texenv_print_material_values(text, values);
    print_color_material(text, v->tracks);
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        if (!v->light[n].enabled)
            continue;
        if (values)
            texenv_print_light_values(text, values, n);
        else
            print_light(text, &v->light[n], n);
        texenv_printf(text, "glEnable(GL_LIGHT%u);\n", n);
    }
    enable(text, "LIGHTING");
}

static void print_unit(struct texenv_text *text, const struct texenv_vertex *v, unsigned unit,
                       const struct texenv_values *values)
{
    static const char *const modes[TEXENV_TEXGENS] = {
        [TEXENV_TEXGEN_OBJECT] = "OBJECT_LINEAR",      [TEXENV_TEXGEN_EYE] = "EYE_LINEAR",
        [TEXENV_TEXGEN_SPHERE] = "SPHERE_MAP",         [TEXENV_TEXGEN_NORMAL] = "NORMAL_MAP",
        [TEXENV_TEXGEN_REFLECTION] = "REFLECTION_MAP",
    };
    const uint8_t *mode = v->texgen[unit];
    if (!(mode[0] | mode[1] | mode[2] | mode[3] | v->texture_matrix[unit]))
        return;
    texenv_printf(text, "glActiveTexture(GL_TEXTURE%u);\n", unit);
    for (unsigned c = 0; c < 4; c++)
        if (mode[c] != TEXENV_TEXGEN_OFF)
            texenv_printf(text,
                          "glTexGeni(GL_%c, GL_TEXTURE_GEN_MODE, GL_%s);\nglEnable(GL_TEXTURE_GEN_%c);\n",
                          "STRQ"[c], modes[mode[c]], "STRQ"[c]);
    if (values)
        texenv_print_unit_values(text, values, v, unit);
    else if (v->texture_matrix[unit])
        texenv_printf(text, "glMatrixMode(GL_TEXTURE);\nglScalef(2, 2, 2);\nglMatrixMode(GL_MODELVIEW);\n");
}

void texenv_print_vertex_calls(struct texenv_text *text, const struct texenv_vertex *v, bool color_sum,
                               const struct texenv_values *values)
{
    if (v->lighting)
        print_lighting(text, v, color_sum, values);
    if (v->normals != TEXENV_NORMALS_PLAIN)
        enable(text, v->normals == TEXENV_NORMALS_NORMALIZED ? "NORMALIZE" : "RESCALE_NORMAL");
    if (v->point_attenuation && values)
        texenv_print_point_values(text, values);
    else if (v->point_attenuation)
        texenv_printf(text,
                      "glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, (const GLfloat[]){0, 0, 1});\n");
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        print_unit(text, v, u, values);
}

void texenv_print_raster_calls(struct texenv_text *text, const struct texenv_raster *raster, bool points,
                               const struct texenv_values *values)
{
    if (raster->flat)
        texenv_printf(text, "glShadeModel(GL_FLAT);\n");
    if (points && values)
        texenv_print_point_size(text, values);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (raster->sprites >> u & 1)
            texenv_printf(text,
                          "glActiveTexture(GL_TEXTURE%u);\n"
                          "glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);\n",
                          u);
    if (raster->sprites)
        enable(text, "POINT_SPRITE");
    if (raster->lower_left)
        texenv_printf(text, "glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, %s);\n",
                      raster->lower_left == 0xff ? "unknown" : "GL_LOWER_LEFT");
    if (raster->radial_fog)
        texenv_printf(text, "glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV);\n");
    for (unsigned n = 0; n < TEXENV_CLIP_PLANES; n++) {
        if (!(raster->clip_planes >> n & 1))
            continue;
        if (values)
            texenv_print_clip_plane(text, values, n);
        texenv_printf(text, "glEnable(%s%u);\n", TEXENV_PLANE_NAME(n), n);
    }
}
