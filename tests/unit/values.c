/* Tests the tracking of GL's values, such as matrices and materials (texenv/values.h), in cases that the
 * random calls of tests/vertex/values_calls.c do not reach: unknown values, undefined results, and overflow.
 * Expected values were derived by hand. */
#include "check.h"
#include "texenv/gl.h"
#include "texenv/values.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct texenv te;
static struct texenv_values_gl gl;
static const struct texenv_values *const v = &gl.values;

static void start(void)
{
    texenv_init(&te);
    texenv_values_gl_init(&gl);
}

static bool same(const float *a, const float *b, unsigned count)
{
    bool equal = true;
    for (unsigned i = 0; i < count; i++)
        equal &= a[i] == b[i] || (isnan(a[i]) && isnan(b[i]));
    return equal;
}
#define VECTOR(actual, ...) \
    CHECK_SAY(same(actual, (const float[]){__VA_ARGS__}, sizeof(float[]){__VA_ARGS__} / sizeof(float)), \
              "%s is (%g, %g, %g ...)", #actual, (double)(actual)[0], (double)(actual)[1], \
              (double)(actual)[2])

static void translate(float x, float y, float z)
{
    float m[16];
    texenv_matrix_translate(m, x, y, z);
    CHECK(texenv_values_mult_matrix(&gl, &te, m) == TEXENV_OK);
}

static void scale(float x, float y, float z)
{
    float m[16];
    texenv_matrix_scale(m, x, y, z);
    CHECK(texenv_values_mult_matrix(&gl, &te, m) == TEXENV_OK);
}

/* Calls TexGen with the eye plane (1, 2, 3, 4); returns the plane that is stored. */
static const float *plane(void)
{
    static const float given[4] = {1, 2, 3, 4};
    CHECK(texenv_values_clip_plane(&gl, &te, GL_CLIP_PLANE0 + 7, given) == TEXENV_OK);
    CHECK(texenv_values_tex_gen_fv(&gl, &te, GL_Q, GL_EYE_PLANE, given) == TEXENV_OK);
    CHECK(same(v->clip_plane[7], v->eye_plane[0][3], 4));
    return v->clip_plane[7];
}

static void light(uint32_t pname, float x, float y, float z, float w)
{
    CHECK(texenv_values_light_fv(&gl, &te, GL_LIGHT0, pname, (const float[]){x, y, z, w}) == TEXENV_OK);
}

/* ---- positions, directions and planes are transformed by the modelview matrix ---- */

static void through_modelview(void)
{
    start();
    translate(5, 0, 0);
    scale(2, 4, 1);
    light(GL_POSITION, 1, 1, 1, 2);
    VECTOR(v->light[0].position, 12, 4, 1, 2);
    light(GL_SPOT_DIRECTION, 1, 1, 1, 9);
    VECTOR(v->light[0].spot_direction, 2, 4, 1);
    VECTOR(plane(), 0.5f, 0.5f, 3, 1.5f); /* the points with x + 2y + 3z + 4w = 0, transformed */
    translate(1, 1, 1);                   /* later changes of the matrix have no effect */
    VECTOR(v->light[0].position, 12, 4, 1, 2);
}

static void without_inverse(void)
{
    float m[9];
    start();
    scale(1, 1, 0);
    VECTOR(plane(), 1, 2, 3, 4);
    texenv_normal_matrix(m, v->modelview, true);
    VECTOR(m, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    start(); /* a singular matrix, of rank 2, without a zero column */
    static const float rank2[16] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0, 1};
    CHECK(texenv_values_load_matrix(&gl, &te, rank2) == TEXENV_OK);
    VECTOR(plane(), 1, 2, 3, 4);
}

static void not_known(void)
{
    start();
    translate(NAN, 0, 0);
    light(GL_POSITION, 1, 2, 3, 0);
    VECTOR(v->light[0].position, 1, 2, 3, 0);
    light(GL_POSITION, 1, 2, 3, 1);
    VECTOR(v->light[0].position, NAN, 2, 3, 1);
    VECTOR(plane(), NAN, NAN, NAN, NAN);
    start();
    float m[16];
    texenv_matrix_rotate(m, NAN, 0, 0, 1);
    VECTOR(m + 12, 0, 0, 0, 1);
    CHECK(isnan(m[0]) && isnan(m[10]) && m[3] == 0 && m[7] == 0 && m[11] == 0);
    CHECK(texenv_values_fog_f(&gl, &te, GL_FOG_DENSITY, NAN) == TEXENV_OK && isnan(v->fog.density));
    CHECK(texenv_values_point_size(&gl, &te, NAN) == TEXENV_OK && isnan(v->point.size));
    CHECK(texenv_values_fog_fv(&gl, &te, GL_FOG_COLOR, (const float[]){2, NAN, -1, 1}) == TEXENV_OK);
    VECTOR(v->fog.color, 1, NAN, 0, 1);
}

static void overflow(void)
{
    start();
    scale(1e30f, 1, 1);
    scale(1e30f, 1, 1);
    CHECK(v->modelview[0] == FLT_MAX);
    light(GL_POSITION, -2, 0, 0, 1);
    CHECK(v->light[0].position[0] == -FLT_MAX);
    start();
    scale(1e-30f, 1e-30f, 1e-30f);
    light(GL_POSITION, 1, 0, 0, 1);
    VECTOR(plane(), 1e30f, 2e30f, 3e30f, 4);
}

/* ---- materials that follow the current colour ---- */

static const float red[4] = {1, 0, 0, 0.5f}, green[4] = {0, 1, 0, 1};

static void following(void)
{
    start();
    texenv_values_color(&gl, red);
    VECTOR(v->material[0].diffuse, 0.8f, 0.8f, 0.8f, 1);
    texenv_values_enable(&gl, &te, GL_COLOR_MATERIAL, true); /* this copies the current colour at once */
    VECTOR(v->material[1].ambient, 1, 0, 0, 0.5f);
    CHECK(texenv_values_material_fv(&gl, GL_FRONT, GL_AMBIENT_AND_DIFFUSE, green) == TEXENV_OK);
    VECTOR(v->material[0].diffuse, 1, 0, 0, 0.5f);
    texenv_values_enable(&gl, &te, GL_COLOR_MATERIAL, false);
    texenv_values_color(&gl, green);
    VECTOR(v->material[0].diffuse, 1, 0, 0, 0.5f); /* the material keeps the colour after Disable */
    CHECK(texenv_values_material_fv(&gl, GL_FRONT, GL_AMBIENT_AND_DIFFUSE, green) == TEXENV_OK);
    VECTOR(v->material[0].ambient, 0, 1, 0, 1);
    VECTOR(v->material[1].ambient, 1, 0, 0, 0.5f);
    te.inside_begin = 1; /* Color and Material are allowed between Begin and End */
    CHECK(texenv_values_color(&gl, red) == TEXENV_OK);
    CHECK(texenv_values_material_f(&gl, GL_BACK, GL_SHININESS, 128) == TEXENV_OK);
    CHECK(v->material[1].shininess == 128 && v->material[0].shininess == 0);
}

static void following_popped(void)
{
    static struct texenv_values_gl pushed;
    start();
    texenv_values_enable(&gl, &te, GL_COLOR_MATERIAL, true);
    pushed = gl;
    texenv_values_color(&gl, red);
    texenv_values_pop_attrib(&gl, &pushed, GL_LIGHTING_BIT);
    VECTOR(v->material[0].diffuse, 1, 0, 0, 0.5f); /* the pop did not restore the current colour */
    texenv_values_pop_attrib(&gl, &pushed, GL_CURRENT_BIT);
    VECTOR(v->material[0].diffuse, 1, 1, 1, 1);
}

/* ---- derived values ---- */

static void computed(void)
{
    float m[16], a[3] = {0, 3, -4}, zero[3] = {0, 0, 0};
    texenv_matrix_scale(m, 2, 2, 2);
    texenv_normal_matrix(m, m, false);
    VECTOR(m, 0.5f, 0, 0, 0, 0.5f, 0, 0, 0, 0.5f);
    texenv_matrix_scale(m, 1, 1, 4); /* the rescale factor depends only on the third row of the inverse */
    texenv_normal_matrix(m, m, true);
    VECTOR(m, 4, 0, 0, 0, 4, 0, 0, 0, 1);
    texenv_unit_vector(a);
    texenv_unit_vector(zero);
    VECTOR(a, 0, 0.6f, -0.8f);
    VECTOR(zero, 0, 0, 0);
    texenv_half_vector(a, (const float[]){0, 0, -2, 0});
    VECTOR(a, 0, 0, 0);
    texenv_half_vector(a, (const float[]){3, 0, 0, 0});
    CHECK(a[0] == a[2] && a[1] == 0 && a[0] == sqrtf(0.5f));
    CHECK(texenv_cosine(90) == 0 && texenv_cosine(60) == 0.5f && texenv_cosine(180) == -1);
    CHECK(texenv_cosine(0) == 1 && texenv_cosine(-450) == 0 && isnan(texenv_cosine(NAN)));
    CHECK(isnan(texenv_cosine(INFINITY)) && fabsf(texenv_cosine(FLT_MAX)) <= 1);
    for (int d = -720; d <= 720; d++)
        CHECK(fabs((double)texenv_cosine((float)d) - cos(d * 3.14159265358979 / 180)) < 1e-7);
}

static void draw(void)
{
    static struct texenv_values out;
    start();
    CHECK(texenv_tex_env_fv(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, red) == TEXENV_OK);
    CHECK(texenv_alpha_func(&te, GL_LESS, 0.25f) == TEXENV_OK);
    texenv_values_of(&out, &gl, &te);
    VECTOR(out.texenv_color[0], 1, 0, 0, 0.5f);
    CHECK(out.alpha_reference == 0.25f && out.point.max == TEXENV_POINT_SIZE_MAX);
}

/* ---- printing and reading back ---- */

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

static struct texenv_values found;
static struct texenv_raster found_raster;

static bool on_draw(void *user, const struct texenv_draw *drawn)
{
    (void)user;
    if (CHECK(drawn->values))
        texenv_values_of(&found, drawn->values, drawn->te);
    found_raster = drawn->raster;
    return true;
}

#define SAME(member, count) \
    CHECK_SAY(same((const float *)&found.member, (const float *)&values.member, count), #member)

/* Prints values that are all different and reads them back. */
static void printed(void)
{
    static char data[4 * TEXENV_TEXT_MAX];
    static struct texenv_values values;
    const struct texenv_state state = {.fog = TEXENV_FOG_LINEAR};
    struct texenv_vertex vertex = {
        .lighting = 1, .two_side = 1, .point_attenuation = 1, .texture_matrix = {1}};
    const struct texenv_raster raster = {0, 0x84, 1, 0x82, 1, 1};
    struct texenv_reader reader = {.memory.resize = resize, .on_draw = on_draw, .has_vertex = true};
    struct texenv_text text;
    float *numbers = (float *)&values;
    for (unsigned i = 0; i < sizeof values / sizeof *numbers; i++)
        numbers[i] = (float)(i + 1) / 3000;
    for (unsigned m = 3; m < 15; m += 4) /* the modelview matrix is affine */
        values.modelview[m] = 0;
    values.modelview[15] = 1;
    values.light[7].diffuse[1] = NAN;
    vertex.light[0] = vertex.light[7] = (struct texenv_light){1, 1, 1, 1};
    vertex.texgen[0][0] = TEXENV_TEXGEN_OBJECT;
    vertex.texgen[0][1] = TEXENV_TEXGEN_EYE;
    texenv_text_init(&text, data, sizeof data);
    texenv_print_gl_values(&text, &state, &vertex, &raster, NULL, &values);
    CHECK(text.length < sizeof data);
    texenv_read_gl(&reader, data, text.length);
    CHECK(reader.draws == 1 && reader.errors == 0 && reader.gl_errors == 0);
    SAME(light[0], sizeof values.light[0] / sizeof(float));
    SAME(light[7], sizeof values.light[7] / sizeof(float));
    SAME(material[0], 17);
    SAME(material[1], 17);
    SAME(light_model_ambient, 4);
    SAME(fog, sizeof values.fog / sizeof(float));
    SAME(point, 6);
    SAME(clip_plane[2], 4);
    SAME(clip_plane[7], 4);
    CHECK(memcmp(&found_raster, &raster, sizeof raster) == 0);
    SAME(object_plane[0][0], 4);
    SAME(eye_plane[0][1], 4);
    SAME(texture_matrix[0], 16);
    SAME(projection, 16);
    SAME(modelview, 16);
    /* reading does not change values that the text does not contain */
    CHECK(found.light[1].position[2] == 1 && found.eye_plane[0][0][0] == 1);
}

int main(void)
{
    printed();
    through_modelview();
    without_inverse();
    not_known();
    overflow();
    following();
    following_popped();
    computed();
    draw();
    return check_report("values");
}
