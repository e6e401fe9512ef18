/* vertex - the vertex half of fixed function: what it does before texturing, as modes.
 *
 * Lighting, generation of texture coordinates, texture matrices, fog coordinates and sizes of points. Values
 * (colours, planes, matrices) are no part of it: programs take them as parameters. Section numbers are of the
 * OpenGL 2.1 specification. Conventions are those of texenv.h.
 *
 *   struct texenv_vertex_gl  the GL state behind it, changed by setters that mirror GL
 *   struct texenv_vertex     what a draw computes, and nothing else
 *
 * The GL state is no part of struct texenv: a driver that follows texturing alone has no use for stacks of
 * matrices, and snapshots and comparisons of struct texenv at each draw stay small. What both halves depend
 * on (LIGHTING, the colour control, fog, the active unit, Begin) is kept there once, and read from there
 * here.
 */
#ifndef TEXENV_VERTEX_H
#define TEXENV_VERTEX_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEXENV_LIGHTS = 8 };

/* Generation of one texture coordinate (2.11.4). SPHERE is of s and t, REFLECTION and NORMAL of s, t and r.
 */
enum texenv_texgen {
    TEXENV_TEXGEN_OFF,
    TEXENV_TEXGEN_OBJECT,
    TEXENV_TEXGEN_EYE,
    TEXENV_TEXGEN_SPHERE,
    TEXENV_TEXGEN_REFLECTION,
    TEXENV_TEXGEN_NORMAL,
    TEXENV_TEXGENS
};

/* What becomes of normals (2.11.3). With both enabled the result is that of NORMALIZE. */
enum texenv_normals { TEXENV_NORMALS_PLAIN, TEXENV_NORMALS_RESCALED, TEXENV_NORMALS_NORMALIZED };

/* Properties of a material that follow the vertex's colour (2.14.3), bits. */
enum {
    TEXENV_TRACKS_AMBIENT = 1,
    TEXENV_TRACKS_DIFFUSE = 2,
    TEXENV_TRACKS_SPECULAR = 4,
    TEXENV_TRACKS_EMISSION = 8
};

/* One byte a mode; all zero is GL's initial state, but that no light is positional there either. */
struct texenv_light {
    uint8_t enabled;
    uint8_t positional; /* w of its position is not 0 */
    uint8_t spot;       /* its cutoff is not 180 */
    uint8_t attenuated; /* its attenuation is not (1,0,0); of positional ones only */
};
struct texenv_vertex {
    uint8_t lighting;
    uint8_t two_side;          /* back colours of their own */
    uint8_t local_viewer;      /* of specular reflection */
    uint8_t separate_specular; /* it becomes the secondary colour */
    uint8_t normals;           /* enum texenv_normals */
    uint8_t tracks[2];         /* TEXENV_TRACKS_* of the front and back material */
    uint8_t fog_coord;         /* fog uses the fog coordinate, not the distance from the eye (3.10) */
    uint8_t point_attenuation; /* points are smaller far away (3.3): their size is computed */
    struct texenv_light light[TEXENV_LIGHTS];
    uint8_t texgen[TEXENV_UNITS][4];      /* enum texenv_texgen of s, t, r, q */
    uint8_t texture_matrix[TEXENV_UNITS]; /* it is not the identity */
};

/* Brings a state into the form that says what is computed, and no more: no lights without lighting, nothing
 * of a disabled light, no attenuation of a directional one, one side's materials where there is one side.
 * Values that no enumeration has become 0. Equal forms compute the same. */
TEXENV_API void texenv_vertex_canonicalise(struct texenv_vertex *vertex);

/* What is read of a vertex program's results behind it. */
struct texenv_vertex_reads {
    uint8_t primary, secondary; /* colours */
    uint8_t fog;
    uint8_t coord[TEXENV_UNITS]; /* of each coordinate set: bit 0 s, 1 t, 2 r, 3 q */
};

/* What a canonical texture environment reads: never less than a program of it does. */
TEXENV_API void texenv_vertex_reads_of(struct texenv_vertex_reads *reads, const struct texenv_state *state);
/* Takes out what nothing reads, and brings the rest into the canonical form. */
TEXENV_API void texenv_vertex_restrict(struct texenv_vertex *vertex, const struct texenv_vertex_reads *reads);

/* ------------------------------------------------------------------------------------------------
 * GL-side state
 */

enum {
    TEXENV_MODELVIEW_DEPTH = 32, /* MAX_MODELVIEW_STACK_DEPTH, its minimum */
    TEXENV_PROJECTION_DEPTH = 32,
    TEXENV_TEXTURE_DEPTH = 10, /* MAX_TEXTURE_STACK_DEPTH, as implementations have it (minimum: 2) */
    TEXENV_CLIP_PLANES = 8
};

/* A mode that is not known: the caller had no value for it (NaN, below). */
enum { TEXENV_VERTEX_UNKNOWN = 0xff };

/* Programs and extensions that take the place of the vertex half, bits of struct texenv_vertex_gl.replaced.
 */
enum {
    TEXENV_VERTEX_BY_PROGRAM = 1,  /* VERTEX_PROGRAM_ARB (also NV_vertex_program) enabled */
    TEXENV_VERTEX_BY_SHADER = 2,   /* VERTEX_SHADER_EXT enabled */
    TEXENV_VERTEX_BY_BLENDING = 4, /* VERTEX_BLEND_ARB or VERTEX_WEIGHTING_EXT enabled */
    TEXENV_VERTEX_BY_ES = 8        /* TEXTURE_GEN_STR_OES enabled: OpenGL ES */
};

/* FOG_DISTANCE_MODE_NV: |z|, the length of (x, y, z), z of eye coordinates. */
enum texenv_distance { TEXENV_FOG_PLANE_ABSOLUTE, TEXENV_FOG_RADIAL, TEXENV_FOG_PLANE };

enum texenv_matrix_target { TEXENV_MODELVIEW, TEXENV_PROJECTION, TEXENV_MATRIX_TEXTURE, TEXENV_MATRIX_OTHER };

struct texenv_vertex_gl {
    struct {
        uint8_t enabled;
        uint8_t positional; /* w of its position in eye coordinates is not 0 */
        uint8_t spot;
        float attenuation[3]; /* constant, linear, quadratic */
    } light[TEXENV_LIGHTS];
    uint8_t two_side, local_viewer;
    uint8_t color_material; /* enabled */
    uint8_t tracks;         /* TEXENV_TRACKS_* of ColorMaterial's mode */
    uint8_t sides;          /* of its face: bit 0 front, 1 back */
    uint8_t normalize, rescale;
    uint8_t point_attenuation;                            /* POINT_DISTANCE_ATTENUATION is not (1,0,0) */
    uint8_t clip_planes;                                  /* bit n: CLIP_PLANEn is enabled */
    uint8_t flat;                                         /* SHADE_MODEL is FLAT */
    uint8_t point_sprite;                                 /* enabled */
    uint8_t coord_replace;                                /* bit n: of unit n */
    uint8_t lower_left;                                   /* POINT_SPRITE_COORD_ORIGIN */
    uint8_t fog_distance;                                 /* enum texenv_distance */
    uint8_t replaced;                                     /* TEXENV_VERTEX_BY_* */
    uint8_t generated[TEXENV_UNITS];                      /* bit c: TEXTURE_GEN_S + c is enabled */
    uint8_t texgen[TEXENV_UNITS][4];                      /* enum texenv_texgen, never OFF */
    uint8_t matrix_mode;                                  /* enum texenv_matrix_target */
    uint8_t modelview, projection, texture[TEXENV_UNITS]; /* matrices on each stack below the top */
    /* the fourth row of each modelview matrix, which makes w of eye coordinates */
    float w_row[TEXENV_MODELVIEW_DEPTH][4];
    uint16_t not_identity[TEXENV_UNITS]; /* bit n: number n of the texture stack is not the identity */
};

/* The initial state (tables 6.x). */
TEXENV_API void texenv_vertex_init(struct texenv_vertex_gl *v);

/* Setters. te: the texture environment of the same context, which is not changed. Return a GL error, and
 * leave the state as it was then. Calls with integers and doubles: the caller converts. A number that is NaN
 * is one that the caller does not know; the state it sets is then unknown, and texenv_vertex_of refuses it
 * where it makes a difference. The vector forms read as many params as the pname has (at most 4).
 * INVALID_OPERATION: inside Begin/End (but for Material); of TexGen, its enables and the texture matrices
 * while the active unit is 8 or higher. */

/* Enable and Disable of LIGHT0 .. 7, COLOR_MATERIAL, NORMALIZE, RESCALE_NORMAL, TEXTURE_GEN_S .. Q of the
 * active unit, CLIP_PLANE0 .. 7, POINT_SPRITE, and what replaces the vertex half. Other capabilities change
 * nothing: texenv_enable has LIGHTING and FOG. */
TEXENV_API uint32_t texenv_vertex_enable(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t cap,
                                         bool on);
/* TexGen (2.11.4): INVALID_ENUM for a coordinate, pname or mode that is none, a mode that the coordinate has
 * not, and a plane in the scalar form. Planes are values, and change nothing. */
TEXENV_API uint32_t texenv_tex_gen_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t coord,
                                     uint32_t pname, float param);
TEXENV_API uint32_t texenv_tex_gen_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t coord,
                                      uint32_t pname, const float *params);
/* Light (2.14.1): POSITION is taken through the modelview matrix. INVALID_ENUM for a light or pname that is
 * none, and a vector's pname in the scalar form; INVALID_VALUE: SPOT_EXPONENT outside of [0,128], SPOT_CUTOFF
 * outside of [0,90] other than 180, a negative attenuation. */
TEXENV_API uint32_t texenv_light_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t light,
                                   uint32_t pname, float param);
TEXENV_API uint32_t texenv_light_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t light,
                                    uint32_t pname, const float *params);
/* LightModel with LOCAL_VIEWER, TWO_SIDE and AMBIENT, the last in the vector form only; INVALID_ENUM for
 * other pnames. LIGHT_MODEL_COLOR_CONTROL is accepted and changes nothing: texenv_light_model_i has it. */
TEXENV_API uint32_t texenv_vertex_light_model_f(struct texenv_vertex_gl *v, const struct texenv *te,
                                                uint32_t pname, float param);
TEXENV_API uint32_t texenv_vertex_light_model_fv(struct texenv_vertex_gl *v, const struct texenv *te,
                                                 uint32_t pname, const float *params);
/* ColorMaterial (2.14.3): INVALID_ENUM for a face or mode that is none. */
TEXENV_API uint32_t texenv_color_material(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t face,
                                          uint32_t mode);
/* Material (2.14.2) is values only, so that there is no state here. INVALID_ENUM for a face or pname that is
 * none, and other pnames than SHININESS in the scalar form; INVALID_VALUE: SHININESS outside of [0,128]. */
TEXENV_API uint32_t texenv_material_f(uint32_t face, uint32_t pname, float param);
TEXENV_API uint32_t texenv_material_fv(uint32_t face, uint32_t pname, const float *params);
/* PointParameter (3.3): INVALID_ENUM for a pname that is none, DISTANCE_ATTENUATION in the scalar form and an
 * origin of sprites that is none; INVALID_VALUE: a negative size. */
TEXENV_API uint32_t texenv_point_parameter_f(struct texenv_vertex_gl *v, const struct texenv *te,
                                             uint32_t pname, float param);
TEXENV_API uint32_t texenv_point_parameter_fv(struct texenv_vertex_gl *v, const struct texenv *te,
                                              uint32_t pname, const float *params);
/* TexEnv of POINT_SPRITE and COORD_REPLACE (3.3), for the active unit; units without coordinates have none.
 */
TEXENV_API uint32_t texenv_coord_replace(struct texenv_vertex_gl *v, const struct texenv *te, bool on);
/* ShadeModel (2.14.7): INVALID_ENUM for a mode that is neither FLAT nor SMOOTH. */
TEXENV_API uint32_t texenv_shade_model(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t mode);
/* Fog of FOG_DISTANCE_MODE_NV (NV_fog_distance): INVALID_ENUM for a value that is none. */
TEXENV_API uint32_t texenv_fog_distance(struct texenv_vertex_gl *v, const struct texenv *te, float param);
/* MatrixMode (2.11.2): INVALID_ENUM for a mode that is none. COLOR and MATRIX0_ARB .. 31 are accepted, and
 * matrices and stacks of these modes are not followed. */
TEXENV_API uint32_t texenv_matrix_mode(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t mode);
/* LoadMatrix and MultMatrix, of 16 numbers column by column as GL has them; the caller makes those of
 * LoadIdentity, LoadTransposeMatrix, Translate, Rotate, Scale, Frustum, Ortho. A texture matrix counts as the
 * identity only if all that was loaded or multiplied were identities, even if the product is one. */
TEXENV_API uint32_t texenv_load_matrix(struct texenv_vertex_gl *v, const struct texenv *te, const float *m);
TEXENV_API uint32_t texenv_mult_matrix(struct texenv_vertex_gl *v, const struct texenv *te, const float *m);
/* PushMatrix, PopMatrix: STACK_OVERFLOW, STACK_UNDERFLOW. */
TEXENV_API uint32_t texenv_push_matrix(struct texenv_vertex_gl *v, const struct texenv *te);
TEXENV_API uint32_t texenv_pop_matrix(struct texenv_vertex_gl *v, const struct texenv *te);

/* PopAttrib of mask: the groups ENABLE, FOG, LIGHTING, TEXTURE, TRANSFORM and POINT come back from what
 * PushAttrib found. */
TEXENV_API void texenv_vertex_pop_attrib(struct texenv_vertex_gl *v, const struct texenv_vertex_gl *pushed,
                                         uint32_t mask);

/* Why a program of a canonical state is none of fixed function under a modelview matrix with this fourth row
 * (4 numbers): a static sentence, or NULL. Programs take the normal from the upper 3x3 of the matrix' inverse
 * and 1 for w of eye coordinates (notes/formats/vertex.md), so that what a state reads decides which rows do:
 * all for texture coordinates of planes, fog, and vertices without lighting; (0,0,0,w) with w != 0 for
 * normals; w > 0 besides for directions from the eye; (0,0,0,1) for places. NaN: not known. */
TEXENV_API const char *texenv_vertex_refuses(const struct texenv_vertex *vertex, const float *w_row);

/* What of a draw is in neither half. points: points are drawn. */
TEXENV_API void texenv_raster_of(struct texenv_raster *out, const struct texenv_vertex_gl *v,
                                 const struct texenv *te, bool points);

/* What a draw computes, canonical. False if the vertex half is none of fixed function alone (user clip
 * planes, another distance of fog than |z|, a vertex program in force), none that programs compute
 * (texenv_vertex_refuses) or not known: *why is then a static sentence that says so, and *out all zero. */
TEXENV_API bool texenv_vertex_of(struct texenv_vertex *out, const struct texenv_vertex_gl *v,
                                 const struct texenv *te, const char **why);

/* Words, as notes/formats/vertex.md has them: "lighting light0=positional+spot texgen1.st=sphere". Reads to
 * the end of the text; '#' begins a comment. False after an ERROR diagnostic at its place, and *vertex is
 * then all zero. reads: what the words "reads=..." say; NULL allows no such word. first_line: of text, for
 * places. */
TEXENV_API bool texenv_read_vertex(struct texenv_vertex *vertex, struct texenv_vertex_reads *reads,
                                   const char *text, size_t length, uint32_t first_line,
                                   const struct texenv_sink *sink);
/* Prints the words of a state, one space between them; nothing for the initial state. */
TEXENV_API void texenv_print_vertex(struct texenv_text *text, const struct texenv_vertex *vertex);

/* The canonical texts of both halves (notes/formats/gl.md, notes/formats/stages.md): texenv_print_gl and
 * texenv_print_stages, with the vertex half where it is not initial. vertex: canonical, as GL can have it (as
 * texenv_vertex_of gives it), of the same draw as state. Calls show values that have the modes, since a state
 * has no values.
 *
 * */
TEXENV_API void texenv_print_gl_vertex(struct texenv_text *text, const struct texenv_state *state,
                                       const struct texenv_vertex *vertex);
TEXENV_API void texenv_print_stages_vertex(struct texenv_text *text, const struct texenv_state *state,
                                           const struct texenv_vertex *vertex);

#ifdef __cplusplus
}
#endif
#endif
