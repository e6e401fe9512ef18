/* values - the numbers of fixed function: matrices, lights, materials, planes, fog, points, colours.
 *
 * texenv.h and vertex.h describe which computations a draw makes; this header has the values that these
 * computations read.
 *
 *   struct texenv_values     the values of one draw, as GL uses them: a plain value
 *   struct texenv_values_gl  the GL state from which they come, changed by setters that mirror GL
 *
 * GL transforms some values when they are set: positions of lights and planes are multiplied by the modelview
 * matrix of that moment, a material may track the current colour, matrices are multiplied. The setters do the
 * same. What GL computes at each draw (products of colours, half vectors, the normal matrix) is left to the
 * user of the values: fragprog_uniform_values (fragprog/pair.h) fills the uniforms of a shader pair. Section
 * numbers are of the OpenGL 2.1 specification. Conventions are those of texenv.h.
 *
 * Matrices are 16 floats, column by column, as in LoadMatrix. Products, inverses and trigonometric functions
 * are computed in double precision and rounded once. Angles are in degrees, distances and positions in the
 * units of the application, point sizes in pixels. Colours are not clamped unless a comment says so.
 *
 * NaN means that the caller does not know the number. It passes all checks. Results computed from it are NaN,
 * too, except that its product with 0 is 0. Without such input no result is NaN: a result that overflows
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
    float position[4];       /* in eye coordinates; if w is 0, a direction */
    float spot_direction[3]; /* in eye coordinates; any length */
    float spot_exponent;     /* 0 to 128 */
    float spot_cutoff;       /* in degrees: 0 to 90, or 180 for no spot */
    float attenuation[3];    /* constant, linear, quadratic; not negative */
};

struct texenv_material_values {
    float ambient[4], diffuse[4], specular[4], emission[4];
    float shininess; /* 0 to 128 */
};

/* The values that a draw reads. texenv_values_init sets GL's initial values. */
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
        float size, min, max; /* not negative; size is greater than 0 */
        float attenuation[3];
    } point;
    float clip_plane[TEXENV_CLIP_PLANES][4]; /* in eye coordinates */
    float eye_plane[TEXENV_UNITS][4][4];     /* planes of s, t, r, q in eye coordinates */
    float object_plane[TEXENV_UNITS][4][4];  /* planes of s, t, r, q */
    float texenv_color[TEXENV_UNITS][4];     /* in [0,1] */
    float alpha_reference;                   /* in [0,1] */
};

/* The initial POINT_SIZE_MAX, which GL leaves to the implementation. No implementation has a larger one. */
#define TEXENV_POINT_SIZE_MAX 8192.0f

/* Sets the initial values (tables 6.x), with POINT_SIZE_MAX = TEXENV_POINT_SIZE_MAX. */
TEXENV_API void texenv_values_init(struct texenv_values *values);

/* ------------------------------------------------------------------------------------------------
 * GL-side state
 *
 * It includes the modes of the vertex half, because many calls set both modes and values. Texture
 * environments and the alpha test stay in struct texenv, which has their modes and values.
 */
struct texenv_values_gl {
    struct texenv_vertex_gl vertex; /* only the setters below may change it */
    /* matrices here are the tops of the stacks; texenv_color and alpha_reference are not used */
    struct texenv_values values;
    float color[4]; /* the current colour (2.7), not clamped */
    /* the stacks below their tops; `vertex` has their depths */
    float modelview[TEXENV_MODELVIEW_DEPTH - 1][16];
    float projection[TEXENV_PROJECTION_DEPTH - 1][16];
    float texture[TEXENV_UNITS][TEXENV_TEXTURE_DEPTH - 1][16];
};

/* Sets the initial state (tables 6.x): texenv_vertex_init, texenv_values_init, and the colour (1,1,1,1). */
TEXENV_API void texenv_values_gl_init(struct texenv_values_gl *gl);

/* Returns the values of a draw: the values in gl, and the environment colours and alpha reference of te. */
TEXENV_API void texenv_values_of(struct texenv_values *out, const struct texenv_values_gl *gl,
                                 const struct texenv *te);

/* Setters. te is the texture environment of the same context: the setters read its active unit and whether it
 * is inside Begin/End, and do not change it. They return a GL error; the state is then unchanged. For calls
 * with integers or doubles the caller converts the arguments (colours by table 2.9). The vector variants read
 * as many params as the pname has (at most 4); the scalar variants accept only pnames with one value. Errors
 * are those of the setter of the same name in vertex.h. All except Material and Color return
 * INVALID_OPERATION inside Begin/End. */

/* Enable, Disable: returns the errors of texenv_vertex_enable. Enabling COLOR_MATERIAL assigns the current
 * colour to the material properties that track it (2.14.3). */
TEXENV_API uint32_t texenv_values_enable(struct texenv_values_gl *gl, const struct texenv *te, uint32_t cap,
                                         bool on);
/* Color4 (2.7) with 4 numbers; for Color3 the caller adds an alpha of 1. While COLOR_MATERIAL is enabled, the
 * material properties that track the colour take its value, and keep it when COLOR_MATERIAL is disabled
 * (2.14.3). After a draw with a colour array the colour is undefined (2.8): set NaN. */
TEXENV_API uint32_t texenv_values_color(struct texenv_values_gl *gl, const float *color);
/* ColorMaterial: returns the errors of texenv_color_material. */
TEXENV_API uint32_t texenv_values_color_material(struct texenv_values_gl *gl, const struct texenv *te,
                                                 uint32_t face, uint32_t mode);
/* Material (2.14.2): returns the errors of texenv_material_f. A property that tracks the current colour is
 * left unchanged. COLOR_INDEXES is accepted and changes nothing. */
TEXENV_API uint32_t texenv_values_material_f(struct texenv_values_gl *gl, uint32_t face, uint32_t pname,
                                             float param);
TEXENV_API uint32_t texenv_values_material_fv(struct texenv_values_gl *gl, uint32_t face, uint32_t pname,
                                              const float *params);
/* Light (2.14.1): returns the errors of texenv_light_f. POSITION is multiplied by the modelview matrix,
 * SPOT_DIRECTION by its upper left 3x3. */
TEXENV_API uint32_t texenv_values_light_f(struct texenv_values_gl *gl, const struct texenv *te,
                                          uint32_t light, uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_light_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                           uint32_t light, uint32_t pname, const float *params);
/* LightModel (2.14.1): returns the errors of texenv_vertex_light_model_f. */
TEXENV_API uint32_t texenv_values_light_model_f(struct texenv_values_gl *gl, const struct texenv *te,
                                                uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_light_model_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                                 uint32_t pname, const float *params);
/* TexGen (2.11.4): returns the errors of texenv_tex_gen_f. EYE_PLANE is multiplied by the inverse of the
 * modelview matrix. If the matrix is singular, which GL leaves undefined, the plane is stored unchanged. */
TEXENV_API uint32_t texenv_values_tex_gen_f(struct texenv_values_gl *gl, const struct texenv *te,
                                            uint32_t coord, uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_tex_gen_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                             uint32_t coord, uint32_t pname, const float *params);
/* ClipPlane (2.12), 4 numbers, multiplied by the inverse of the modelview matrix as EYE_PLANE is.
 * INVALID_ENUM unless plane is CLIP_PLANE0 .. 7. */
TEXENV_API uint32_t texenv_values_clip_plane(struct texenv_values_gl *gl, const struct texenv *te,
                                             uint32_t plane, const float *equation);
/* Fog (3.10) with FOG_DENSITY (INVALID_VALUE if negative), FOG_START, FOG_END, and in the vector variant
 * FOG_COLOR, which is clamped to [0,1]. FOG_INDEX, FOG_MODE and FOG_COORDINATE_SOURCE are accepted and change
 * nothing: texenv_fog_i sets the latter two. INVALID_ENUM for other pnames, INVALID_OPERATION inside
 * Begin/End. */
TEXENV_API uint32_t texenv_values_fog_f(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                                        float param);
TEXENV_API uint32_t texenv_values_fog_fv(struct texenv_values_gl *gl, const struct texenv *te, uint32_t pname,
                                         const float *params);
/* PointSize (3.3): INVALID_VALUE unless size is greater than 0. PointParameter: returns the errors of
 * texenv_point_parameter_f. */
TEXENV_API uint32_t texenv_values_point_size(struct texenv_values_gl *gl, const struct texenv *te,
                                             float size);
TEXENV_API uint32_t texenv_values_point_parameter_f(struct texenv_values_gl *gl, const struct texenv *te,
                                                    uint32_t pname, float param);
TEXENV_API uint32_t texenv_values_point_parameter_fv(struct texenv_values_gl *gl, const struct texenv *te,
                                                     uint32_t pname, const float *params);
/* MatrixMode, LoadMatrix, MultMatrix, PushMatrix, PopMatrix (2.11.2) return the errors of texenv_matrix_mode
 * and so on. The functions texenv_matrix_* below build the matrices of Rotate and similar calls. */
TEXENV_API uint32_t texenv_values_matrix_mode(struct texenv_values_gl *gl, const struct texenv *te,
                                              uint32_t mode);
TEXENV_API uint32_t texenv_values_load_matrix(struct texenv_values_gl *gl, const struct texenv *te,
                                              const float *m);
TEXENV_API uint32_t texenv_values_mult_matrix(struct texenv_values_gl *gl, const struct texenv *te,
                                              const float *m);
TEXENV_API uint32_t texenv_values_push_matrix(struct texenv_values_gl *gl, const struct texenv *te);
TEXENV_API uint32_t texenv_values_pop_matrix(struct texenv_values_gl *gl, const struct texenv *te);

/* PopAttrib with the given mask (6.1.14): restores modes and values of the groups CURRENT, ENABLE, LIGHTING,
 * TEXTURE, TRANSFORM, FOG and POINT from `pushed`, the state at PushAttrib. Matrices belong to no group. If
 * COLOR_MATERIAL is enabled after that, materials track the current colour. */
TEXENV_API void texenv_values_pop_attrib(struct texenv_values_gl *gl, const struct texenv_values_gl *pushed,
                                         uint32_t mask);

/* ------------------------------------------------------------------------------------------------
 * Matrices, for LoadMatrix and MultMatrix (2.11.2)
 */

TEXENV_API void texenv_matrix_identity(float *m);
TEXENV_API void texenv_matrix_translate(float *m, float x, float y, float z);
TEXENV_API void texenv_matrix_scale(float *m, float x, float y, float z);
/* Rotation by degrees, counterclockwise about the axis from the origin to (x, y, z), which may have any
 * length. The result for the axis (0, 0, 0), which GL leaves undefined, is the identity. */
TEXENV_API void texenv_matrix_rotate(float *m, float degrees, float x, float y, float z);
/* Frustum, Ortho. box: left, right, bottom, top, near, far. INVALID_VALUE, with *m unchanged, if two opposite
 * sides are equal, or in Frustum if near or far is not greater than 0. */
TEXENV_API uint32_t texenv_matrix_frustum(float *m, const double *box);
TEXENV_API uint32_t texenv_matrix_ortho(float *m, const double *box);
/* gluPerspective: degrees is the angle from bottom to top, aspect the width divided by the height. gluLookAt:
 * places has nine numbers, the positions of the eye and of the centre, and the up direction. */
TEXENV_API uint32_t texenv_matrix_perspective(float *m, double degrees, double aspect, double near,
                                              double far);
TEXENV_API void texenv_matrix_look_at(float *m, const double *places);
/* Transposes a matrix, for LoadTransposeMatrix and MultTransposeMatrix. m and rows must not be the same
 * array. */
TEXENV_API void texenv_matrix_transpose(float *m, const float *rows);
/* m = a times b, which is what MultMatrix(b) turns a into. m may be a or b. */
TEXENV_API void texenv_matrix_product(float *m, const float *a, const float *b);

/* ------------------------------------------------------------------------------------------------
 * Textures
 */

/* Properties of a texture object that readers know but the texture environment does not depend on. 0: never
 * specified; TEXENV_NOT_KNOWN: specified with a value that is not known. */
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
    uint32_t name;                                 /* the texture's name for BindTexture */
    uint32_t internal_format, size[3];             /* format and size of level 0: width, height, depth */
    uint32_t parameter[TEXENV_TEXTURE_PARAMETERS]; /* GL enumerants set by TexParameter */
};

/* Returns the name, with "GL_", of a filter or wrap mode of textures, or NULL if value is neither. */
TEXENV_API const char *texenv_filter_name(uint32_t value);

/* ------------------------------------------------------------------------------------------------
 * Texts
 */

/* Prints the same as texenv_print_gl_vertex, and also the raster state, the values that state, vertex and
 * raster read, the modelview and projection matrices, and the names, sizes, formats and parameters of the
 * textures (TEXENV_UNITS elements, indexed by unit). Reading the text gives the same state and values. A
 * value that is not known is printed as the name `unknown`; raster->points may be 0xff if it is not known
 * whether points are drawn. raster, textures and values may be NULL. The text needs at most TEXENV_TEXT_MAX
 * bytes more than that of texenv_print_gl_vertex. */
TEXENV_API void texenv_print_gl_values(struct texenv_text *text, const struct texenv_state *state,
                                       const struct texenv_vertex *vertex, const struct texenv_raster *raster,
                                       const struct texenv_texture_info *textures,
                                       const struct texenv_values *values);

/* ------------------------------------------------------------------------------------------------
 * Derived values, for code that fills uniforms or constants
 */

/* Computes the matrix by which normals are multiplied (2.11.3): the inverse transpose of the modelview
 * matrix' upper left 3x3, 9 numbers column by column, or the identity if that is singular. If rescaled, it is
 * multiplied by the factor of RESCALE_NORMAL. */
TEXENV_API void texenv_normal_matrix(float *m, const float *modelview, bool rescaled);
/* Scales v, 3 numbers, to length 1; (0, 0, 0) is left unchanged. */
TEXENV_API void texenv_unit_vector(float *v);
/* Computes the half vector of a light at this position (4 numbers, w 0) for a viewer that is not local
 * (2.14.1): 3 numbers, of length 1, or (0, 0, 0) if the light is straight behind the surface. */
TEXENV_API void texenv_half_vector(float *half, const float *position);
/* Returns the nearest float; x beyond the range of float becomes the largest float of its sign. */
TEXENV_API float texenv_float(double x);
/* Returns the cosine of an angle in degrees. */
TEXENV_API float texenv_cosine(float degrees);

#ifdef __cplusplus
}
#endif
#endif
