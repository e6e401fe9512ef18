/* Prints GL's values as the calls that set them (texenv/print_values.h). */
#include "texenv/print_values.h"

#include <string.h>

const char *texenv_filter_name(uint32_t value)
{
    switch (value) {
#define FILTER(name, value) \
    case value: \
        return "GL_" #name;
#include "texenv/filters.def"
#undef FILTER
    default: return NULL;
    }
}

void texenv_print_value(struct texenv_text *text, float x)
{
    texenv_printf(text, x != x ? "unknown" : "%f", (double)x);
}

void texenv_print_values(struct texenv_text *text, const float *v, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        texenv_printf(text, i ? ", " : "");
        texenv_print_value(text, v[i]);
    }
}

/* Prints one call with `count` numbers. call: the name without "gl" and "v"; before: the text before the
 * numbers. */
static void print(struct texenv_text *text, const char *call, const char *before, const float *v,
                  unsigned count)
{
    const bool matrix = count == 16;
    texenv_printf(text, "gl%s%s(%s%s", call, count > 1 && !matrix ? "v" : "", before,
                  count > 1 ? "(const GLfloat[]){" : "");
    texenv_print_values(text, v, count);
    texenv_printf(text, count > 1 ? "});\n" : ");\n");
}

/* A member of a structure of floats, and its name in GL. */
struct member {
    const char *name;
    unsigned offset, count; /* counted in floats */
};
#define MEMBER(name, type, member, count) \
    { \
        name, offsetof(struct type, member) / sizeof(float), count \
    }

/* Prints a call for each member of `now` that differs from `first`, the initial values. before: a format with
 * %s for the member's name. */
static void print_members(struct texenv_text *text, const char *call, const char *before,
                          const struct member *m, const float *now, const float *first)
{
    char data[64];
    for (; m->name; m++) {
        struct texenv_text name;
        if (memcmp(now + m->offset, first + m->offset, m->count * sizeof *now) == 0)
            continue;
        texenv_text_init(&name, data, sizeof data);
        texenv_printf(&name, before, m->name);
        print(text, call, data, now + m->offset, m->count);
    }
}

void texenv_print_light_values(struct texenv_text *text, const struct texenv_values *values, unsigned n)
{
    static const struct member members[] = {
        MEMBER("AMBIENT", texenv_light_values, ambient, 4),
        MEMBER("DIFFUSE", texenv_light_values, diffuse, 4),
        MEMBER("SPECULAR", texenv_light_values, specular, 4),
        MEMBER("POSITION", texenv_light_values, position, 4),
        MEMBER("SPOT_DIRECTION", texenv_light_values, spot_direction, 3),
        MEMBER("SPOT_EXPONENT", texenv_light_values, spot_exponent, 1),
        MEMBER("SPOT_CUTOFF", texenv_light_values, spot_cutoff, 1),
        MEMBER("CONSTANT_ATTENUATION", texenv_light_values, attenuation[0], 1),
        MEMBER("LINEAR_ATTENUATION", texenv_light_values, attenuation[1], 1),
        MEMBER("QUADRATIC_ATTENUATION", texenv_light_values, attenuation[2], 1),
        {NULL, 0, 0}};
    struct texenv_values first;
    char before[] = "GL_LIGHT0, GL_%s, ";
    before[8] = (char)('0' + n);
    texenv_values_init(&first);
    print_members(text, "Lightf", before, members, values->light[n].ambient, first.light[n].ambient);
}

void texenv_print_material_values(struct texenv_text *text, const struct texenv_values *values)
{
    static const struct member members[] = {MEMBER("AMBIENT", texenv_material_values, ambient, 4),
                                            MEMBER("DIFFUSE", texenv_material_values, diffuse, 4),
                                            MEMBER("SPECULAR", texenv_material_values, specular, 4),
                                            MEMBER("EMISSION", texenv_material_values, emission, 4),
                                            MEMBER("SHININESS", texenv_material_values, shininess, 1),
                                            {NULL, 0, 0}};
    static const struct member model[] = {{"LIGHT_MODEL_AMBIENT", 0, 4}, {NULL, 0, 0}};
    const struct texenv_material_values *now = values->material;
    const bool same = memcmp(&now[0], &now[1], sizeof now[0]) == 0;
    struct texenv_values first;
    texenv_values_init(&first);
    print_members(text, "LightModelf", "GL_%s, ", model, values->light_model_ambient,
                  first.light_model_ambient);
    print_members(text, "Materialf", same ? "GL_FRONT_AND_BACK, GL_%s, " : "GL_FRONT, GL_%s, ", members,
                  now[0].ambient, first.material[0].ambient);
    if (!same)
        print_members(text, "Materialf", "GL_BACK, GL_%s, ", members, now[1].ambient,
                      first.material[1].ambient);
}

void texenv_print_unit_values(struct texenv_text *text, const struct texenv_values *values,
                              const struct texenv_vertex *vertex, unsigned unit)
{
    static const struct member object[] = {{"OBJECT_PLANE", 0, 4}, {NULL, 0, 0}};
    static const struct member eye[] = {{"EYE_PLANE", 0, 4}, {NULL, 0, 0}};
    struct texenv_values first;
    texenv_values_init(&first);
    for (unsigned c = 0; c < 4; c++) {
        char before[] = "GL_S, GL_%s, ";
        before[3] = "STRQ"[c];
        if (vertex->texgen[unit][c] == TEXENV_TEXGEN_OBJECT)
            print_members(text, "TexGenf", before, object, values->object_plane[unit][c],
                          first.object_plane[unit][c]);
        else if (vertex->texgen[unit][c] == TEXENV_TEXGEN_EYE)
            print_members(text, "TexGenf", before, eye, values->eye_plane[unit][c], first.eye_plane[unit][c]);
    }
    if (!vertex->texture_matrix[unit])
        return;
    texenv_printf(text, "glMatrixMode(GL_TEXTURE);\n");
    print(text, "LoadMatrixf", "", values->texture_matrix[unit], 16);
    texenv_printf(text, "glMatrixMode(GL_MODELVIEW);\n");
}

void texenv_print_point_values(struct texenv_text *text, const struct texenv_values *values)
{
    print(text, "PointParameterf", "GL_POINT_DISTANCE_ATTENUATION, ", values->point.attenuation, 3);
    print(text, "PointParameterf", "GL_POINT_SIZE_MIN, ", &values->point.min, 1);
    print(text, "PointParameterf", "GL_POINT_SIZE_MAX, ", &values->point.max, 1);
}

void texenv_print_point_size(struct texenv_text *text, const struct texenv_values *values)
{
    if (values->point.size != 1)
        print(text, "PointSize", "", &values->point.size, 1);
}

void texenv_print_clip_plane(struct texenv_text *text, const struct texenv_values *values, unsigned n)
{
    texenv_printf(text, "glClipPlane(%s%u, (const GLdouble[]){", TEXENV_PLANE_NAME(n), n);
    texenv_print_values(text, values->clip_plane[n], 4);
    texenv_printf(text, "});\n");
}

void texenv_print_fog_values(struct texenv_text *text, const struct texenv_values *values)
{
    print(text, "Fogf", "GL_FOG_COLOR, ", values->fog.color, 4);
    print(text, "Fogf", "GL_FOG_DENSITY, ", &values->fog.density, 1);
    print(text, "Fogf", "GL_FOG_START, ", &values->fog.start, 1);
    print(text, "Fogf", "GL_FOG_END, ", &values->fog.end, 1);
}

void texenv_print_matrix_values(struct texenv_text *text, const struct texenv_values *values)
{
    float identity[16];
    texenv_matrix_identity(identity);
    if (memcmp(values->projection, identity, sizeof identity) != 0) {
        texenv_printf(text, "glMatrixMode(GL_PROJECTION);\n");
        print(text, "LoadMatrixf", "", values->projection, 16);
        texenv_printf(text, "glMatrixMode(GL_MODELVIEW);\n");
    }
    if (memcmp(values->modelview, identity, sizeof identity) != 0)
        print(text, "LoadMatrixf", "", values->modelview, 16);
}
