/* Setters of GL's values (matrices, lights, materials, planes ...). They return the same errors as the
 * setters of modes (vertex_state.c), and transform values as GL does when they are set. Section numbers are
 * of the OpenGL 2.1 specification. */
#include "texenv/values.h"
#include "texenv/gl.h"
#include "texenv/values_matrix.h"

#include <string.h>

void texenv_values_init(struct texenv_values *values)
{
    static const float black[4] = {0, 0, 0, 1}, white[4] = {1, 1, 1, 1};
    static const float grey[4] = {0.2f, 0.2f, 0.2f, 1}, bright[4] = {0.8f, 0.8f, 0.8f, 1};
    memset(values, 0, sizeof *values);
    texenv_matrix_identity(values->modelview);
    texenv_matrix_identity(values->projection);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        texenv_matrix_identity(values->texture_matrix[u]);
        for (unsigned c = 0; c < 2; c++) /* the initial planes of s and t are (1,0,0,0) and (0,1,0,0) */
            values->object_plane[u][c][c] = values->eye_plane[u][c][c] = 1;
    }
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        struct texenv_light_values *light = &values->light[n];
        memcpy(light->ambient, black, sizeof black);
        memcpy(light->diffuse, n ? black : white, sizeof black);
        memcpy(light->specular, n ? black : white, sizeof black);
        light->position[2] = 1;
        light->spot_direction[2] = -1;
        light->spot_cutoff = 180;
        light->attenuation[0] = 1;
    }
    for (unsigned side = 0; side < 2; side++) {
        memcpy(values->material[side].ambient, grey, sizeof grey);
        memcpy(values->material[side].diffuse, bright, sizeof bright);
        memcpy(values->material[side].specular, black, sizeof black);
        memcpy(values->material[side].emission, black, sizeof black);
    }
    memcpy(values->light_model_ambient, grey, sizeof grey);
    values->fog.density = values->fog.end = 1;
    values->point.size = values->point.attenuation[0] = 1;
    values->point.max = TEXENV_POINT_SIZE_MAX;
}

void texenv_values_gl_init(struct texenv_values_gl *gl)
{
    memset(gl, 0, sizeof *gl);
    texenv_vertex_init(&gl->vertex);
    texenv_values_init(&gl->values);
    for (unsigned c = 0; c < 4; c++)
        gl->color[c] = 1;
}

void texenv_values_of(struct texenv_values *out, const struct texenv_values_gl *gl, const struct texenv *te)
{
    *out = gl->values;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        memcpy(out->texenv_color[u], te->unit[u].env.color, sizeof out->texenv_color[u]);
    out->alpha_reference = te->alpha_ref;
}

/* ---- the current colour, and materials that track it ---- */

/* Returns the material property number n, whose TEXENV_TRACKS_* bit is 1 << n. */
static float *property(struct texenv_material_values *material, unsigned n)
{
    float *const of[4] = {material->ambient, material->diffuse, material->specular, material->emission};
    return of[n];
}

/* Assigns a colour to the properties (TEXENV_TRACKS_*) of the given sides (bit 0 front, bit 1 back). */
static void give(struct texenv_values_gl *gl, unsigned sides, unsigned properties, const float *color)
{
    for (unsigned i = 0; i < 8; i++)
        if (sides >> i / 4 & 1 && properties >> i % 4 & 1)
            memcpy(property(&gl->values.material[i / 4], i % 4), color, 4 * sizeof *color);
}

static void follow(struct texenv_values_gl *gl)
{
    if (gl->vertex.color_material)
        give(gl, gl->vertex.sides, gl->vertex.tracks, gl->color);
}

uint32_t texenv_values_color(struct texenv_values_gl *gl, const float *color)
{
    memcpy(gl->color, color, sizeof gl->color);
    follow(gl);
    return TEXENV_OK;
}

uint32_t texenv_values_enable(struct texenv_values_gl *gl, const struct texenv *te, uint32_t cap, bool on)
{
    const uint32_t error = texenv_vertex_enable(&gl->vertex, te, cap, on);
    follow(gl);
    return error;
}

uint32_t texenv_values_color_material(struct texenv_values_gl *gl, const struct texenv *te, uint32_t face,
                                      uint32_t mode)
{
    const uint32_t error = texenv_color_material(&gl->vertex, te, face, mode);
    follow(gl);
    return error;
}

/* Returns the TEXENV_TRACKS_* bits that a pname of Material sets; 0 if none. */
static unsigned properties_of(uint32_t pname)
{
    switch (pname) {
    case GL_AMBIENT: return TEXENV_TRACKS_AMBIENT;
    case GL_DIFFUSE: return TEXENV_TRACKS_DIFFUSE;
    case GL_SPECULAR: return TEXENV_TRACKS_SPECULAR;
    case GL_EMISSION: return TEXENV_TRACKS_EMISSION;
    case GL_AMBIENT_AND_DIFFUSE: return TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE;
    default: return 0;
    }
}

uint32_t texenv_values_material_f(struct texenv_values_gl *gl, uint32_t face, uint32_t pname, float param)
{
    const uint32_t error = texenv_material_f(face, pname, param);
    for (unsigned side = 0; error == TEXENV_OK && side < 2; side++)
        if (texenv_sides_of(face) >> side & 1)
            gl->values.material[side].shininess = param;
    return error;
}

uint32_t texenv_values_material_fv(struct texenv_values_gl *gl, uint32_t face, uint32_t pname,
                                   const float *params)
{
    const uint32_t error = texenv_material_fv(face, pname, params);
    if (error != TEXENV_OK)
        return error;
    if (pname == GL_SHININESS)
        return texenv_values_material_f(gl, face, pname, params[0]);
    give(gl, texenv_sides_of(face), properties_of(pname), params);
    follow(gl); /* properties that track the current colour keep that colour */
    return TEXENV_OK;
}

/* ---- lights ---- */

uint32_t texenv_values_light_f(struct texenv_values_gl *gl, const struct texenv *te, uint32_t light,
                               uint32_t pname, float param)
{
    const uint32_t error = texenv_light_f(&gl->vertex, te, light, pname, param);
    if (error != TEXENV_OK)
        return error;
    struct texenv_light_values *values = &gl->values.light[light - GL_LIGHT0];
    switch (pname) {
    case GL_SPOT_EXPONENT: values->spot_exponent = param; break;
    case GL_SPOT_CUTOFF: values->spot_cutoff = param; break;
    default: values->attenuation[pname - GL_CONSTANT_ATTENUATION] = param; break;
    }
    return TEXENV_OK;
}

uint32_t texenv_values_light_fv(struct texenv_values_gl *gl, const struct texenv *te, uint32_t light,
                                uint32_t pname, const float *params)
{
    const uint32_t error = texenv_light_fv(&gl->vertex, te, light, pname, params);
    if (error != TEXENV_OK)
        return error;
    struct texenv_light_values *values = &gl->values.light[light - GL_LIGHT0];
    switch (pname) {
    case GL_AMBIENT: memcpy(values->ambient, params, sizeof values->ambient); break;
    case GL_DIFFUSE: memcpy(values->diffuse, params, sizeof values->diffuse); break;
    case GL_SPECULAR: memcpy(values->specular, params, sizeof values->specular); break;
    case GL_POSITION: texenv_transform(values->position, gl->values.modelview, params, 4); break;
    case GL_SPOT_DIRECTION: texenv_transform(values->spot_direction, gl->values.modelview, params, 3); break;
    default: return texenv_values_light_f(gl, te, light, pname, params[0]);
    }
    return TEXENV_OK;
}

uint32_t texenv_values_light_model_f(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                                     float param)
{
    return texenv_vertex_light_model_f(&gl->vertex, te, pname, param);
}

uint32_t texenv_values_light_model_fv(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                                      const float *params)
{
    const uint32_t error = texenv_vertex_light_model_fv(&gl->vertex, te, pname, params);
    if (error == TEXENV_OK && pname == GL_LIGHT_MODEL_AMBIENT)
        memcpy(gl->values.light_model_ambient, params, sizeof gl->values.light_model_ambient);
    return error;
}

/* ---- planes ---- */

/* Multiplies the plane, a row of coefficients, by the inverse of the modelview matrix (2.11.4, 2.12). */
static void to_eye(const struct texenv_values_gl *gl, float *plane, const float *given)
{
    double inverse[4][4];
    texenv_inverse(inverse, gl->values.modelview, 4);
    for (unsigned column = 0; column < 4; column++) {
        double sum = 0;
        for (unsigned c = 0; c < 4; c++)
            sum += given[c] == 0 ? 0 : (double)given[c] * inverse[column][c];
        plane[column] = texenv_float(sum);
    }
}

uint32_t texenv_values_tex_gen_f(struct texenv_values_gl *gl, const struct texenv *te, uint32_t coord,
                                 uint32_t pname, float param)
{
    return texenv_tex_gen_f(&gl->vertex, te, coord, pname, param);
}

uint32_t texenv_values_tex_gen_fv(struct texenv_values_gl *gl, const struct texenv *te, uint32_t coord,
                                  uint32_t pname, const float *params)
{
    const uint32_t error = texenv_tex_gen_fv(&gl->vertex, te, coord, pname, params);
    if (error != TEXENV_OK)
        return error;
    if (pname == GL_EYE_PLANE)
        to_eye(gl, gl->values.eye_plane[te->active][coord - GL_S], params);
    else if (pname == GL_OBJECT_PLANE)
        memcpy(gl->values.object_plane[te->active][coord - GL_S], params, 4 * sizeof *params);
    return TEXENV_OK;
}

uint32_t texenv_values_clip_plane(struct texenv_values_gl *gl, const struct texenv *te, uint32_t plane,
                                  const float *equation)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (plane < GL_CLIP_PLANE0 || plane >= GL_CLIP_PLANE0 + TEXENV_CLIP_PLANES)
        return TEXENV_INVALID_ENUM;
    to_eye(gl, gl->values.clip_plane[plane - GL_CLIP_PLANE0], equation);
    return TEXENV_OK;
}

/* ---- fog, points ---- */

uint32_t texenv_values_fog_f(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                             float param)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    switch (pname) {
    case GL_FOG_DENSITY:
        if (param < 0)
            return TEXENV_INVALID_VALUE;
        gl->values.fog.density = param;
        return TEXENV_OK;
    case GL_FOG_START: gl->values.fog.start = param; return TEXENV_OK;
    case GL_FOG_END: gl->values.fog.end = param; return TEXENV_OK;
    case GL_FOG_DISTANCE_MODE_NV: return texenv_fog_distance(&gl->vertex, te, param);
    case GL_FOG_INDEX:
    case GL_FOG_MODE:
    case GL_FOG_COORDINATE_SOURCE: return TEXENV_OK;
    default: return TEXENV_INVALID_ENUM;
    }
}

uint32_t texenv_values_fog_fv(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                              const float *params)
{
    if (pname != GL_FOG_COLOR || te->inside_begin)
        return texenv_values_fog_f(gl, te, pname, params[0]);
    for (unsigned c = 0; c < 4; c++)
        gl->values.fog.color[c] = params[c] < 0 ? 0 : params[c] > 1 ? 1 : params[c];
    return TEXENV_OK;
}

uint32_t texenv_values_point_size(struct texenv_values_gl *gl, const struct texenv *te, float size)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (size <= 0)
        return TEXENV_INVALID_VALUE;
    gl->values.point.size = size;
    return TEXENV_OK;
}

uint32_t texenv_values_point_parameter_f(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                                         float param)
{
    const uint32_t error = texenv_point_parameter_f(&gl->vertex, te, pname, param);
    if (error == TEXENV_OK && pname == GL_POINT_SIZE_MIN)
        gl->values.point.min = param;
    if (error == TEXENV_OK && pname == GL_POINT_SIZE_MAX)
        gl->values.point.max = param;
    return error;
}

uint32_t texenv_values_point_parameter_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                          uint32_t pname, const float *params)
{
    if (pname != GL_POINT_DISTANCE_ATTENUATION)
        return texenv_values_point_parameter_f(gl, te, pname, params[0]);
    const uint32_t error = texenv_point_parameter_fv(&gl->vertex, te, pname, params);
    if (error == TEXENV_OK)
        memcpy(gl->values.point.attenuation, params, sizeof gl->values.point.attenuation);
    return error;
}

/* ---- matrices ---- */

uint32_t texenv_values_matrix_mode(struct texenv_values_gl *gl, const struct texenv *te, uint32_t mode)
{
    return texenv_matrix_mode(&gl->vertex, te, mode);
}

/* A stack of matrices: its top, the matrices below the top, and their number. top is NULL for a matrix mode
 * whose matrices are not tracked. */
struct stack {
    float *top, (*below)[16];
    unsigned depth;
};

/* Returns the stack of the current matrix mode. The caller has checked that the active unit has one. */
static struct stack stack_of(struct texenv_values_gl *gl, const struct texenv *te)
{
    switch (gl->vertex.matrix_mode) {
    case TEXENV_MODELVIEW: return (struct stack){gl->values.modelview, gl->modelview, gl->vertex.modelview};
    case TEXENV_PROJECTION:
        return (struct stack){gl->values.projection, gl->projection, gl->vertex.projection};
    case TEXENV_MATRIX_TEXTURE:
        return (struct stack){gl->values.texture_matrix[te->active], gl->texture[te->active],
                              gl->vertex.texture[te->active]};
    default: return (struct stack){NULL, NULL, 0};
    }
}

uint32_t texenv_values_load_matrix(struct texenv_values_gl *gl, const struct texenv *te, const float *m)
{
    const uint32_t error = texenv_load_matrix(&gl->vertex, te, m);
    float *top = error == TEXENV_OK ? stack_of(gl, te).top : NULL;
    if (top)
        memcpy(top, m, 16 * sizeof *m);
    return error;
}

uint32_t texenv_values_mult_matrix(struct texenv_values_gl *gl, const struct texenv *te, const float *m)
{
    const uint32_t error = texenv_mult_matrix(&gl->vertex, te, m);
    float *top = error == TEXENV_OK ? stack_of(gl, te).top : NULL;
    if (top)
        texenv_matrix_product(top, top, m);
    return error;
}

uint32_t texenv_values_push_matrix(struct texenv_values_gl *gl, const struct texenv *te)
{
    const uint32_t error = texenv_push_matrix(&gl->vertex, te);
    if (error != TEXENV_OK)
        return error;
    const struct stack stack = stack_of(gl, te);
    if (stack.top)
        memcpy(stack.below[stack.depth - 1], stack.top, sizeof stack.below[0]);
    return TEXENV_OK;
}

uint32_t texenv_values_pop_matrix(struct texenv_values_gl *gl, const struct texenv *te)
{
    const uint32_t error = texenv_pop_matrix(&gl->vertex, te);
    if (error != TEXENV_OK)
        return error;
    const struct stack stack = stack_of(gl, te);
    if (stack.top)
        memcpy(stack.top, stack.below[stack.depth], sizeof stack.below[0]);
    return TEXENV_OK;
}

/* ---- attribute groups ---- */

void texenv_values_pop_attrib(struct texenv_values_gl *gl, const struct texenv_values_gl *pushed,
                              uint32_t mask)
{
    struct texenv_values *to = &gl->values;
    const struct texenv_values *from = &pushed->values;
    texenv_vertex_pop_attrib(&gl->vertex, &pushed->vertex, mask);
    if (mask & GL_CURRENT_BIT)
        memcpy(gl->color, pushed->color, sizeof gl->color);
    if (mask & GL_LIGHTING_BIT) {
        memcpy(to->light, from->light, sizeof to->light);
        memcpy(to->material, from->material, sizeof to->material);
        memcpy(to->light_model_ambient, from->light_model_ambient, sizeof to->light_model_ambient);
    }
    if (mask & GL_TRANSFORM_BIT)
        memcpy(to->clip_plane, from->clip_plane, sizeof to->clip_plane);
    if (mask & GL_TEXTURE_BIT) {
        memcpy(to->eye_plane, from->eye_plane, sizeof to->eye_plane);
        memcpy(to->object_plane, from->object_plane, sizeof to->object_plane);
    }
    if (mask & GL_FOG_BIT)
        to->fog = from->fog;
    if (mask & GL_POINT_BIT)
        to->point = from->point;
    follow(gl);
}
