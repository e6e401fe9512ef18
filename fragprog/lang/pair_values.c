/* Computes the values of a shader pair's uniforms (fragprog/pair.h, rows of pair_uniforms.def) from GL's
 * values. Section numbers are those of the OpenGL 2.1 specification. */
#include "fragprog/pair.h"

#include <string.h>

static void copy(float *out, const float *v, unsigned count) { memcpy(out, v, count * sizeof *v); }

static void unit(float *out, const float *v)
{
    copy(out, v, 3);
    texenv_unit_vector(out);
}

/* Sums and products are computed in double precision, so that they are rounded only once. */
static void product(float *out, const float *a, const float *b)
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = texenv_float((double)a[c] * (double)b[c]);
}

static void scene_color(float *out, const struct texenv_material_values *material, const float *ambient)
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = texenv_float((double)material->emission[c] +
                              (double)material->ambient[c] * (double)ambient[c]);
}

/* Computes the position of a light (2.14.1). A light with w = 0 has no position; its vector is unchanged. */
static void place(float *out, const float *position)
{
    const double w = position[3] == 0 ? 1 : (double)position[3];
    for (unsigned c = 0; c < 3; c++)
        out[c] = texenv_float((double)position[c] / w);
}

static void put_light(float *out, unsigned id, const struct texenv_light_values *light)
{
    switch (id) {
    case FRAGPROG_PAIR_LIGHT_DIRECTION: unit(out, light->position); break;
    case FRAGPROG_PAIR_LIGHT_POSITION: place(out, light->position); break;
    case FRAGPROG_PAIR_LIGHT_HALF_VECTOR: texenv_half_vector(out, light->position); break;
    case FRAGPROG_PAIR_LIGHT_SPOT_DIRECTION: unit(out, light->spot_direction); break;
    case FRAGPROG_PAIR_LIGHT_SPOT_EXPONENT: *out = light->spot_exponent; break;
    case FRAGPROG_PAIR_LIGHT_SPOT_COS_CUTOFF: *out = texenv_cosine(light->spot_cutoff); break;
    case FRAGPROG_PAIR_LIGHT_ATTENUATION: copy(out, light->attenuation, 3); break;
    case FRAGPROG_PAIR_LIGHT_AMBIENT:
    case FRAGPROG_PAIR_LIGHT_BACK_AMBIENT: copy(out, light->ambient, 3); break;
    case FRAGPROG_PAIR_LIGHT_DIFFUSE:
    case FRAGPROG_PAIR_LIGHT_BACK_DIFFUSE: copy(out, light->diffuse, 3); break;
    case FRAGPROG_PAIR_LIGHT_SPECULAR:
    case FRAGPROG_PAIR_LIGHT_BACK_SPECULAR: copy(out, light->specular, 3); break;
    default: break;
    }
}

static void put_product(float *out, unsigned id, const struct texenv_light_values *light,
                        const struct texenv_material_values *material)
{
    switch (id) {
    case FRAGPROG_PAIR_LIGHT_AMBIENT_PRODUCT: product(out, light->ambient, material[0].ambient); break;
    case FRAGPROG_PAIR_LIGHT_DIFFUSE_PRODUCT: product(out, light->diffuse, material[0].diffuse); break;
    case FRAGPROG_PAIR_LIGHT_SPECULAR_PRODUCT: product(out, light->specular, material[0].specular); break;
    case FRAGPROG_PAIR_LIGHT_BACK_AMBIENT_PRODUCT: product(out, light->ambient, material[1].ambient); break;
    case FRAGPROG_PAIR_LIGHT_BACK_DIFFUSE_PRODUCT: product(out, light->diffuse, material[1].diffuse); break;
    case FRAGPROG_PAIR_LIGHT_BACK_SPECULAR_PRODUCT:
        product(out, light->specular, material[1].specular);
        break;
    default: put_light(out, id, light); break;
    }
}

static void put_material(float *out, unsigned id, const struct texenv_values *values)
{
    const struct texenv_material_values *front = &values->material[0], *back = &values->material[1];
    const float *ambient = values->light_model_ambient;
    switch (id) {
    case FRAGPROG_PAIR_LIGHT_MODEL_AMBIENT: copy(out, ambient, 3); break;
    case FRAGPROG_PAIR_SCENE_COLOR: scene_color(out, front, ambient); break;
    case FRAGPROG_PAIR_MATERIAL_EMISSION: copy(out, front->emission, 3); break;
    case FRAGPROG_PAIR_SCENE_AMBIENT: product(out, front->ambient, ambient); break;
    case FRAGPROG_PAIR_MATERIAL_ALPHA: *out = front->diffuse[3]; break;
    case FRAGPROG_PAIR_MATERIAL_SHININESS: *out = front->shininess; break;
    case FRAGPROG_PAIR_BACK_SCENE_COLOR: scene_color(out, back, ambient); break;
    case FRAGPROG_PAIR_BACK_MATERIAL_EMISSION: copy(out, back->emission, 3); break;
    case FRAGPROG_PAIR_BACK_SCENE_AMBIENT: product(out, back->ambient, ambient); break;
    case FRAGPROG_PAIR_BACK_MATERIAL_ALPHA: *out = back->diffuse[3]; break;
    case FRAGPROG_PAIR_BACK_MATERIAL_SHININESS: *out = back->shininess; break;
    default: break;
    }
}

static void put_point(float *out, unsigned id, const struct texenv_values *values)
{
    const float size = values->point.size, min = values->point.min, max = values->point.max;
    switch (id) {
    case FRAGPROG_PAIR_POINT_SIZE: *out = size; break;
    case FRAGPROG_PAIR_POINT_SIZE_LIMITED: /* like clamp() in GLSL */
        *out = size < min ? min : size;
        *out = *out > max ? max : *out;
        break;
    case FRAGPROG_PAIR_POINT_MIN: *out = min; break;
    case FRAGPROG_PAIR_POINT_MAX: *out = max; break;
    case FRAGPROG_PAIR_POINT_ATTENUATION: copy(out, values->point.attenuation, 3); break;
    default: break;
    }
}

/* Computes the scale of fog. 3.10 does not define it for end equal to start; drivers use 1. */
static float fog_scale(const struct texenv_values *values)
{
    const double depth = (double)values->fog.end - (double)values->fog.start;
    return depth == 0 ? 1 : texenv_float(1 / depth);
}

static void put_fragment(float *out, unsigned id, const struct texenv_values *values)
{
    switch (id) {
    case FRAGPROG_PAIR_FOG_COLOR: copy(out, values->fog.color, 4); break;
    case FRAGPROG_PAIR_FOG_DENSITY: *out = values->fog.density; break;
    case FRAGPROG_PAIR_FOG_END: *out = values->fog.end; break;
    case FRAGPROG_PAIR_FOG_SCALE: *out = fog_scale(values); break;
    case FRAGPROG_PAIR_ALPHA_REFERENCE: *out = values->alpha_reference; break;
    default: put_point(out, id, values); break;
    }
}

static void put_matrix(float *out, const struct fragprog_pair *pair, unsigned id, const float *modelview)
{
    /* distance of the columns in floats */
    const unsigned column = pair->language == FRAGPROG_GLSL_450 ? 4 : 3;
    float m[9];
    texenv_normal_matrix(m, modelview, id == FRAGPROG_PAIR_NORMAL_MATRIX_RESCALED);
    for (unsigned c = 0; c < 3; c++)
        copy(out + column * c, m + 3 * c, 3);
}

static void put(float *out, const struct fragprog_pair *pair, const struct fragprog_pair_uniform *uniform,
                const struct texenv_values *values)
{
    const unsigned id = uniform->id, n = uniform->index;
    if (id >= FRAGPROG_PAIR_LIGHT_DIRECTION && id <= FRAGPROG_PAIR_LIGHT_SPOT_COS_CUTOFF)
        put_product(out, id, &values->light[n], values->material);
    else if (id >= FRAGPROG_PAIR_LIGHT_MODEL_AMBIENT && id <= FRAGPROG_PAIR_BACK_MATERIAL_SHININESS)
        put_material(out, id, values);
    else if (id >= FRAGPROG_PAIR_OBJECT_PLANE_S && id <= FRAGPROG_PAIR_OBJECT_PLANE_Q)
        copy(out, values->object_plane[n][id - FRAGPROG_PAIR_OBJECT_PLANE_S], 4);
    else if (id >= FRAGPROG_PAIR_EYE_PLANE_S && id <= FRAGPROG_PAIR_EYE_PLANE_Q)
        copy(out, values->eye_plane[n][id - FRAGPROG_PAIR_EYE_PLANE_S], 4);
    else if (id == FRAGPROG_PAIR_CLIP_PLANE)
        copy(out, values->clip_plane[n], 4);
    else if (id == FRAGPROG_PAIR_TEXENV_COLOR)
        copy(out, values->texenv_color[n], 4);
    else if (id == FRAGPROG_PAIR_MODELVIEW)
        copy(out, values->modelview, 16);
    else if (id == FRAGPROG_PAIR_PROJECTION)
        copy(out, values->projection, 16);
    else if (id == FRAGPROG_PAIR_TEXTURE_MATRIX)
        copy(out, values->texture_matrix[n], 16);
    else if (id == FRAGPROG_PAIR_NORMAL_MATRIX || id == FRAGPROG_PAIR_NORMAL_MATRIX_RESCALED)
        put_matrix(out, pair, id, values->modelview);
    else
        put_fragment(out, id, values);
}

void fragprog_uniform_values(const struct fragprog_pair *pair, const struct texenv_values *values, float *out)
{
    for (unsigned i = 0; i < pair->nuniforms; i++)
        put(out + pair->uniform[i].offset, pair, &pair->uniform[i], values);
}
