/* values - the numbers of fixed function: matrices, lights, materials, planes, fog, points, colours.
 *
 * texenv.h and vertex.h say what a draw computes; this header has what it computes with.
 *
 *   struct texenv_values     the values of one draw, as GL computes with them: a plain value
 *   struct texenv_values_gl  GL's state behind it, changed by setters that mirror GL
 *
 * GL does part of the work when a value is given: positions of lights and planes go through the modelview
 * matrix of that moment, a material may follow the current colour, matrices are multiplied. The setters do
 * the same. What GL does at each draw (products of colours, half vectors, the normals' matrix) is left to
 * whoever uses the values: fragprog_uniform_values (fragprog/pair.h) fills the uniforms of a shader pair.
 * Section numbers are of the OpenGL 2.1 specification. Conventions are those of texenv.h.
 *
 * Matrices are 16 floats, column by column, as LoadMatrix has them. Products, inverses and trigonometric
 * functions are computed in double precision and rounded once. Angles are in degrees. Distances and places
 * are in the units of the application; point sizes in pixels; colours are not limited unless it is said.
 *
 * A number that is NaN is one that the caller does not know. It passes all checks, and what is computed of it
 * is NaN, too, but for its products with 0, which are 0. No other call gives a NaN: what would overflow
 * becomes the largest float.
 */
#ifndef TEXENV_VALUES_H
#define TEXENV_VALUES_H

#include "texenv/vertex.h"

#ifdef __cplusplus
extern "C" {
#endif

struct texenv_light_values {
    float ambient[4], diffuse[4], specular[4];
    float position[4];       /* in eye coordinates; w 0: a direction */
    float spot_direction[3]; /* in eye coordinates; any length */
    float spot_exponent;     /* 0 to 128 */
    float spot_cutoff;       /* degrees, 0 to 90, or 180: no spot */
    float attenuation[3];    /* constant, linear, quadratic; not negative */
};

struct texenv_material_values {
    float ambient[4], diffuse[4], specular[4], emission[4];
    float shininess; /* 0 to 128 */
};

/* What a draw reads. texenv_values_init: GL's initial values. */
struct texenv_values {
    float modelview[16], projection[16], texture_matrix[TEXENV_UNITS][16];
    struct texenv_light_values light[TEXENV_LIGHTS];
    struct texenv_material_values material[2]; /* front, back */
    float light_model_ambient[4];
    struct {
        float color[4]; /* in [0,1] */
        float density;  /* not negative */
        float start, end;
    } fog;
    struct {
        float size, min, max; /* not negative; size is above 0 */
        float attenuation[3];
    } point;
    float clip_plane[TEXENV_CLIP_PLANES][4]; /* in eye coordinates */
    float eye_plane[TEXENV_UNITS][4][4];     /* of s, t, r, q, in eye coordinates */
    float object_plane[TEXENV_UNITS][4][4];  /* of s, t, r, q */
    float texenv_color[TEXENV_UNITS][4];     /* in [0,1] */
    float alpha_reference;                   /* in [0,1] */
};

/* What GL leaves to the implementation: the initial POINT_SIZE_MAX, which is above what any has. */
#define TEXENV_POINT_SIZE_MAX 8192.0f

/* The initial values (tables 6.x), with POINT_SIZE_MAX as above. */
TEXENV_API void texenv_values_init(struct texenv_values *values);

/* ------------------------------------------------------------------------------------------------
 * GL-side state
 *
 * The modes of the vertex half are in it: a call sets both its modes and its values. Texture environments and
 * the alpha test stay in struct texenv, which has their values as well.
 */
struct texenv_values_gl {
    struct texenv_vertex_gl vertex; /* changed by the setters below only */
    /* The matrices are the tops of the stacks; texenv_color and alpha_reference are not used */
    struct texenv_values values;
    float color[4]; /* the current colour (2.7), not limited */
    /* the stacks below their tops; how many there are is in vertex */
    float modelview[TEXENV_MODELVIEW_DEPTH - 1][16];
    float projection[TEXENV_PROJECTION_DEPTH - 1][16];
    float texture[TEXENV_UNITS][TEXENV_TEXTURE_DEPTH - 1][16];
};

/* The initial state (tables 6.x): texenv_vertex_init's and texenv_values_init's, colour (1,1,1,1). */
TEXENV_API void texenv_values_gl_init(struct texenv_values_gl *gl);

/* The values of a draw: gl's, with the environment colours and the alpha test's reference of te. */
TEXENV_API void texenv_values_of(struct texenv_values *out, const struct texenv_values_gl *gl,
                                 const struct texenv *te);

/* Setters. te: the texture environment of the same context, which is not changed; its active unit and
 * Begin/End count. Return a GL error, and leave the state as it was then. Calls with integers and doubles:
 * the caller converts (colours by table 2.9). The vector forms read as many params as the pname has (at most
 * 4), the scalar ones take only pnames with one value. What vertex.h says of a setter of the same name holds
 * here, too: its errors, and INVALID_OPERATION inside Begin/End, which Material and Color alone allow. */

/* Enable, Disable: as texenv_vertex_enable. COLOR_MATERIAL gives the current colour to the materials that
 * follow it (2.14.3). */
TEXENV_API uint32_t texenv_values_enable(struct texenv_values_gl *gl, const struct texenv *te, uint32_t cap,
                                         bool on);
/* Color4 (2.7), 4 numbers; the caller adds an alpha of 1 for Color3. While COLOR_MATERIAL is enabled, the
 * materials that follow it take it, for good (2.14.3). Vertex arrays leave it undefined (2.8): NaN. */
TEXENV_API uint32_t texenv_values_color(struct texenv_values_gl *gl, const float *color);
/* ColorMaterial: as texenv_color_material. */
TEXENV_API uint32_t texenv_values_color_material(struct texenv_values_gl *gl, const struct texenv *te,
                                                 uint32_t face, uint32_t mode);
/* Material (2.14.2): as texenv_material_f. A property that follows the current colour stays as it is.
 * COLOR_INDEXES is accepted and changes nothing. */
TEXENV_API uint32_t texenv_values_material_f(struct texenv_values_gl *gl, uint32_t face, uint32_t pname,
                                             float param);
TEXENV_API uint32_t texenv_values_material_fv(struct texenv_values_gl *gl, uint32_t face, uint32_t pname,
                                              const float *params);
/* Light (2.14.1): as texenv_light_f. POSITION goes through the modelview matrix, SPOT_DIRECTION through its
 * upper left 3x3. */
TEXENV_API uint32_t texenv_values_light_f(struct texenv_values_gl *gl, const struct texenv *te,
                                          uint32_t light, uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_light_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                           uint32_t light, uint32_t pname, const float *params);
/* LightModel (2.14.1): as texenv_vertex_light_model_f. */
TEXENV_API uint32_t texenv_values_light_model_f(struct texenv_values_gl *gl, const struct texenv *te,
                                                uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_light_model_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                                 uint32_t pname, const float *params);
/* TexGen (2.11.4): as texenv_tex_gen_f. EYE_PLANE is multiplied by the inverse of the modelview matrix; if
 * there is no inverse, which GL leaves undefined, it stays as given. */
TEXENV_API uint32_t texenv_values_tex_gen_f(struct texenv_values_gl *gl, const struct texenv *te,
                                            uint32_t coord, uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_tex_gen_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                             uint32_t coord, uint32_t pname, const float *params);
/* ClipPlane (2.12), 4 numbers, multiplied by the inverse of the modelview matrix as EYE_PLANE is.
 * INVALID_ENUM unless plane is CLIP_PLANE0 .. 7. */
TEXENV_API uint32_t texenv_values_clip_plane(struct texenv_values_gl *gl, const struct texenv *te,
                                             uint32_t plane, const float *equation);
/* Fog (3.10) with FOG_DENSITY (INVALID_VALUE if it is negative), FOG_START, FOG_END, FOG_INDEX (accepted, and
 * changes nothing) and in the vector form FOG_COLOR, which is limited to [0,1]. FOG_MODE and
 * FOG_COORDINATE_SOURCE are accepted and change nothing: texenv_fog_i has them. INVALID_ENUM for other
 * pnames, INVALID_OPERATION inside Begin/End. */
TEXENV_API uint32_t texenv_values_fog_f(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                                        float param);
TEXENV_API uint32_t texenv_values_fog_fv(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                                         const float *params);
/* PointSize (3.3): INVALID_VALUE unless it is above 0. PointParameter: as texenv_point_parameter_f. */
TEXENV_API uint32_t texenv_values_point_size(struct texenv_values_gl *gl, const struct texenv *te,
                                             float size);
TEXENV_API uint32_t texenv_values_point_parameter_f(struct texenv_values_gl *gl, const struct texenv *te,
                                                    uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_point_parameter_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                                     uint32_t pname, const float *params);
/* MatrixMode, LoadMatrix, MultMatrix, PushMatrix, PopMatrix (2.11.2): as texenv_matrix_mode and so on.
 * Functions below make the matrices of Rotate and others. */
TEXENV_API uint32_t texenv_values_matrix_mode(struct texenv_values_gl *gl, const struct texenv *te,
                                              uint32_t mode);
TEXENV_API uint32_t texenv_values_load_matrix(struct texenv_values_gl *gl, const struct texenv *te,
                                              const float *m);
TEXENV_API uint32_t texenv_values_mult_matrix(struct texenv_values_gl *gl, const struct texenv *te,
                                              const float *m);
TEXENV_API uint32_t texenv_values_push_matrix(struct texenv_values_gl *gl, const struct texenv *te);
TEXENV_API uint32_t texenv_values_pop_matrix(struct texenv_values_gl *gl, const struct texenv *te);

/* PopAttrib of mask (6.1.14): the groups CURRENT, ENABLE, LIGHTING, TEXTURE, TRANSFORM, FOG and POINT come
 * back from what PushAttrib found, modes and values; matrices are of no group. If COLOR_MATERIAL is enabled
 * then, materials follow the current colour. */
TEXENV_API void texenv_values_pop_attrib(struct texenv_values_gl *gl, const struct texenv_values_gl *pushed,
                                         uint32_t mask);

/* ------------------------------------------------------------------------------------------------
 * Matrices, for LoadMatrix and MultMatrix (2.11.2)
 */

TEXENV_API void texenv_matrix_identity(float *m);
TEXENV_API void texenv_matrix_translate(float *m, float x, float y, float z);
TEXENV_API void texenv_matrix_scale(float *m, float x, float y, float z);
/* Of degrees, counterclockwise about the axis from the origin to (x, y, z), of any length; about none (0, 0,
 * 0), which GL leaves undefined: the identity. */
TEXENV_API void texenv_matrix_rotate(float *m, float degrees, float x, float y, float z);
/* Frustum, Ortho. box: left, right, bottom, top, near, far. INVALID_VALUE, and *m stays as it is, if two
 * opposite sides are equal, and in Frustum if near or far is not above 0. */
TEXENV_API uint32_t texenv_matrix_frustum(float *m, const double *box);
TEXENV_API uint32_t texenv_matrix_ortho(float *m, const double *box);
/* gluPerspective: degrees of the whole angle from bottom to top, width by height. gluLookAt: nine numbers,
 * the places of the eye and of the centre, and the direction that is up. */
TEXENV_API uint32_t texenv_matrix_perspective(float *m, double degrees, double aspect, double near,
                                              double far);
TEXENV_API void texenv_matrix_look_at(float *m, const double *places);
/* LoadTransposeMatrix, MultTransposeMatrix. m and rows: not the same. */
TEXENV_API void texenv_matrix_transpose(float *m, const float *rows);
/* a times b: what MultMatrix(b) makes of a. m may be a or b. */
TEXENV_API void texenv_matrix_product(float *m, const float *a, const float *b);

/* ------------------------------------------------------------------------------------------------
 * Textures
 */

/* What readers know of a texture object that no environment depends on. 0: not given; TEXENV_NOT_KNOWN: the
 * input gives it, by a value that is not known. */
#define TEXENV_NOT_KNOWN UINT32_MAX
enum texenv_texture_parameter {
    TEXENV_MIN_FILTER,
    TEXENV_MAG_FILTER,
    TEXENV_WRAP_S,
    TEXENV_WRAP_T,
    TEXENV_WRAP_R,
    TEXENV_TEXTURE_PARAMETERS
};
struct texenv_texture_info {
    uint32_t name;                     /* of BindTexture */
    uint32_t internal_format, size[3]; /* of level 0; width, and height and depth if it has them */
    uint32_t parameter[TEXENV_TEXTURE_PARAMETERS]; /* of TexParameter, as GL enumerants */
};

/* The name of a filter or wrap mode of textures, with "GL_", or NULL if it is none. */
TEXENV_API const char *texenv_filter_name(uint32_t value);

/* ------------------------------------------------------------------------------------------------
 * Texts
 */

/* As texenv_print_gl_vertex, with what is in neither half, with names, sizes, formats and parameters of the
 * textures (TEXENV_UNITS of them, each of its unit), with the values that all of these read, and the matrices
 * of modelview and projection: read again, all are the same. What is not known is the name `unknown`; of
 * raster->points 0xff: whether points are drawn. raster, textures, values NULL: none. The text takes at most
 * TEXENV_TEXT_MAX bytes more. */
TEXENV_API void texenv_print_gl_values(struct texenv_text *text, const struct texenv_state *state,
                                       const struct texenv_vertex *vertex, const struct texenv_raster *raster,
                                       const struct texenv_texture_info *textures,
                                       const struct texenv_values *values);

/* ------------------------------------------------------------------------------------------------
 * What is computed of values, for whoever fills uniforms or constants
 */

/* What a normal is multiplied by (2.11.3): the inverse transpose of the modelview matrix' upper left 3x3, 9
 * numbers column by column; the identity if it has no inverse. rescaled: times the factor of
 * RESCALE_NORMAL. */
TEXENV_API void texenv_normal_matrix(float *m, const float *modelview, bool rescaled);
/* v, 3 numbers, becomes a vector of length 1; (0, 0, 0) stays. */
TEXENV_API void texenv_unit_vector(float *v);
/* The half vector of a light at this position (4 numbers, w 0) for a viewer that is not local (2.14.1), in 3
 * numbers, of length 1; (0, 0, 0) of a light that is straight behind the surface. */
TEXENV_API void texenv_half_vector(float *half, const float *position);
/* The nearest float; the largest one for what is beyond it. */
TEXENV_API float texenv_float(double x);
/* Of an angle in degrees. */
TEXENV_API float texenv_cosine(float degrees);

#ifdef __cplusplus
}
#endif
#endif
