/* vertex - the vertex half of fixed function: the modes of GL's computations before texturing.
 *
 * These are lighting, generation of texture coordinates, texture matrices, fog coordinates and point sizes.
 * Values (colours, planes, matrices) are not included: programs take them as parameters. Section numbers are
 * of the OpenGL 2.1 specification. Conventions are those of texenv.h.
 *
 *   struct texenv_vertex_gl  the GL state of the vertex half, changed by setters that mirror GL
 *   struct texenv_vertex     the canonical state: what a draw computes, and nothing else
 *
 * The GL state is not part of struct texenv: a driver that tracks only texturing needs no matrix stacks, and
 * snapshots and comparisons of struct texenv at each draw stay small. State on which both halves depend
 * (LIGHTING, the colour control, fog, the active unit, Begin) is kept in struct texenv only, and the
 * functions here read it there.
 */
#ifndef TEXENV_VERTEX_H
#define TEXENV_VERTEX_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEXENV_LIGHTS = 8 };

/* Generation of one texture coordinate (2.11.4). SPHERE is available for s and t, REFLECTION and NORMAL for
 * s, t and r. */
enum texenv_texgen {
    TEXENV_TEXGEN_OFF,
    TEXENV_TEXGEN_OBJECT,
    TEXENV_TEXGEN_EYE,
    TEXENV_TEXGEN_SPHERE,
    TEXENV_TEXGEN_REFLECTION,
    TEXENV_TEXGEN_NORMAL,
    TEXENV_TEXGENS
};

/* How normals are scaled (2.11.3). If both RESCALE_NORMAL and NORMALIZE are enabled, NORMALIZE determines the
 * result. */
enum texenv_normals { TEXENV_NORMALS_PLAIN, TEXENV_NORMALS_RESCALED, TEXENV_NORMALS_NORMALIZED };

/* Material properties that track the vertex's colour (2.14.3), as bits. */
enum {
    TEXENV_TRACKS_AMBIENT = 1,
    TEXENV_TRACKS_DIFFUSE = 2,
    TEXENV_TRACKS_SPECULAR = 4,
    TEXENV_TRACKS_EMISSION = 8
};

/* One byte for each mode. All zero is GL's initial state, in which no light is positional. */
struct texenv_light {
    uint8_t enabled;
    uint8_t positional; /* w of the light's position is not 0 */
    uint8_t spot;       /* the cutoff angle is not 180 */
    uint8_t attenuated; /* the attenuation is not (1,0,0); set only for positional lights */
};
struct texenv_vertex {
    uint8_t lighting;
    uint8_t two_side;          /* back faces get colours of their own */
    uint8_t local_viewer;      /* specular reflection uses a local viewer */
    uint8_t separate_specular; /* the specular colour becomes the secondary colour */
    uint8_t normals;           /* enum texenv_normals */
    uint8_t tracks[2];         /* TEXENV_TRACKS_* of the front and back material */
    uint8_t fog_coord;         /* fog uses the fog coordinate, not the distance from the eye (3.10) */
    uint8_t point_attenuation; /* point sizes depend on the distance (3.3) and must be computed */
    struct texenv_light light[TEXENV_LIGHTS];
    uint8_t texgen[TEXENV_UNITS][4];      /* enum texenv_texgen for s, t, r, q */
    uint8_t texture_matrix[TEXENV_UNITS]; /* whether the matrix is not the identity */
};

/* Brings a state into canonical form: sets to zero whatever does not influence the result (all lights if
 * lighting is off, the modes of a disabled light, the attenuation of a directional light, back materials
 * without two-sided lighting). Values outside of their enumeration become 0. Equal canonical states compute
 * the same. */
TEXENV_API void texenv_vertex_canonicalise(struct texenv_vertex *vertex);

/* Which results of a vertex program the following stages read. */
struct texenv_vertex_reads {
    uint8_t primary, secondary; /* colours */
    uint8_t fog;
    uint8_t coord[TEXENV_UNITS]; /* for each set of texture coordinates: bit 0 s, 1 t, 2 r, 3 q */
};

/* Determines what a canonical texture environment reads. A program of that environment never reads more. */
TEXENV_API void texenv_vertex_reads_of(struct texenv_vertex_reads *reads, const struct texenv_state *state);
/* Removes computations whose results are not read, and brings the rest into canonical form. */
TEXENV_API void texenv_vertex_restrict(struct texenv_vertex *vertex, const struct texenv_vertex_reads *reads);

/* ------------------------------------------------------------------------------------------------
 * GL-side state
 */

enum {
    TEXENV_MODELVIEW_DEPTH = 32, /* MAX_MODELVIEW_STACK_DEPTH: the minimum that GL demands */
    TEXENV_PROJECTION_DEPTH = 32,
    TEXENV_TEXTURE_DEPTH = 10, /* MAX_TEXTURE_STACK_DEPTH: as implementations have it (the minimum is 2) */
    TEXENV_CLIP_PLANES = 8
};

/* Means that a mode is not known, because the caller passed NaN to its setter (see below). */
enum { TEXENV_VERTEX_UNKNOWN = 0xff };

/* Programs and extensions that replace the vertex half: the bits of struct texenv_vertex_gl.replaced. */
enum {
    TEXENV_VERTEX_BY_PROGRAM = 1,  /* VERTEX_PROGRAM_ARB (also NV_vertex_program) enabled */
    TEXENV_VERTEX_BY_SHADER = 2,   /* VERTEX_SHADER_EXT enabled */
    TEXENV_VERTEX_BY_BLENDING = 4, /* VERTEX_BLEND_ARB or VERTEX_WEIGHTING_EXT enabled */
    TEXENV_VERTEX_BY_ES = 8        /* TEXTURE_GEN_STR_OES enabled, which only OpenGL ES has */
};

/* FOG_DISTANCE_MODE_NV: fog depends on |z|, on the length of (x, y, z), or on z, in eye coordinates. */
enum texenv_distance { TEXENV_FOG_PLANE_ABSOLUTE, TEXENV_FOG_RADIAL, TEXENV_FOG_PLANE };

enum texenv_matrix_target { TEXENV_MODELVIEW, TEXENV_PROJECTION, TEXENV_MATRIX_TEXTURE, TEXENV_MATRIX_OTHER };

struct texenv_vertex_gl {
    struct {
        uint8_t enabled;
        uint8_t positional; /* w of the light's position in eye coordinates is not 0 */
        uint8_t spot;
        float attenuation[3]; /* constant, linear, quadratic */
    } light[TEXENV_LIGHTS];
    uint8_t two_side, local_viewer;
    uint8_t color_material; /* COLOR_MATERIAL enabled */
    uint8_t tracks;         /* TEXENV_TRACKS_* of ColorMaterial's mode */
    uint8_t sides;          /* faces of ColorMaterial: bit 0 front, bit 1 back */
    uint8_t normalize, rescale;
    uint8_t point_attenuation;                            /* POINT_DISTANCE_ATTENUATION is not (1,0,0) */
    uint8_t clip_planes;                                  /* bit n: CLIP_PLANEn is enabled */
    uint8_t flat;                                         /* SHADE_MODEL is FLAT */
    uint8_t point_sprite;                                 /* POINT_SPRITE enabled */
    uint8_t coord_replace;                                /* bit n: COORD_REPLACE of unit n */
    uint8_t lower_left;                                   /* POINT_SPRITE_COORD_ORIGIN is LOWER_LEFT */
    uint8_t fog_distance;                                 /* enum texenv_distance */
    uint8_t replaced;                                     /* TEXENV_VERTEX_BY_* */
    uint8_t generated[TEXENV_UNITS];                      /* bit c: TEXTURE_GEN_S + c is enabled */
    uint8_t texgen[TEXENV_UNITS][4];                      /* enum texenv_texgen, never OFF */
    uint8_t matrix_mode;                                  /* enum texenv_matrix_target */
    uint8_t modelview, projection, texture[TEXENV_UNITS]; /* number of matrices below the top of each stack */
    /* the fourth row of each modelview matrix, which determines w of eye coordinates */
    float w_row[TEXENV_MODELVIEW_DEPTH][4];
    uint16_t not_identity[TEXENV_UNITS]; /* bit n: matrix n of the texture stack is not the identity */
};

/* The initial state (tables 6.x). */
TEXENV_API void texenv_vertex_init(struct texenv_vertex_gl *v);

/* Setters. te is the texture environment of the same context, which is not changed. They return TEXENV_OK or
 * a GL error, after which the state is unchanged. For calls with integers or doubles the caller converts the
 * arguments. NaN means that the caller does not know a number; the mode that it sets is then unknown, and
 * texenv_vertex_of refuses the state if that mode matters. The vector variants read as many params as the
 * pname has (at most 4). All except Material return INVALID_OPERATION inside Begin/End; TexGen, its enables
 * and the calls for texture matrices also while the active unit is 8 or higher. */

/* Enable and Disable of LIGHT0 .. 7, COLOR_MATERIAL, NORMALIZE, RESCALE_NORMAL, TEXTURE_GEN_S .. Q of the
 * active unit, CLIP_PLANE0 .. 7, POINT_SPRITE, and of the programs and extensions that replace the vertex
 * half. Other capabilities change nothing: texenv_enable handles LIGHTING and FOG. */
TEXENV_API uint32_t texenv_vertex_enable(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t cap,
                                         bool on);
/* TexGen (2.11.4): INVALID_ENUM for an unknown coordinate, pname or mode, a mode that the coordinate does not
 * support, and a plane in the scalar variant. Planes are values and change no mode. */
TEXENV_API uint32_t texenv_tex_gen_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t coord,
                                     uint32_t pname, float param);
TEXENV_API uint32_t texenv_tex_gen_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t coord,
                                      uint32_t pname, const float *params);
/* Light (2.14.1): POSITION is multiplied by the modelview matrix. INVALID_ENUM for an unknown light or pname,
 * and a vector's pname in the scalar variant; INVALID_VALUE: SPOT_EXPONENT outside of [0,128], SPOT_CUTOFF
 * outside of [0,90] other than 180, a negative attenuation. */
TEXENV_API uint32_t texenv_light_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t light,
                                   uint32_t pname, float param);
TEXENV_API uint32_t texenv_light_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t light,
                                    uint32_t pname, const float *params);
/* LightModel with LOCAL_VIEWER, TWO_SIDE and, in the vector variant only, AMBIENT; INVALID_ENUM for other
 * pnames. LIGHT_MODEL_COLOR_CONTROL is accepted and changes nothing: texenv_light_model_i sets it. */
TEXENV_API uint32_t texenv_vertex_light_model_f(struct texenv_vertex_gl *v, const struct texenv *te,
                                                uint32_t pname, float param);
TEXENV_API uint32_t texenv_vertex_light_model_fv(struct texenv_vertex_gl *v, const struct texenv *te,
                                                 uint32_t pname, const float *params);
/* ColorMaterial (2.14.3): INVALID_ENUM for an unknown face or mode. */
TEXENV_API uint32_t texenv_color_material(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t face,
                                          uint32_t mode);
/* Material (2.14.2) sets values only, so these functions only check the arguments. INVALID_ENUM for an
 * unknown face or pname, and for pnames other than SHININESS in the scalar variant; INVALID_VALUE: SHININESS
 * outside of [0,128]. */
TEXENV_API uint32_t texenv_material_f(uint32_t face, uint32_t pname, float param);
TEXENV_API uint32_t texenv_material_fv(uint32_t face, uint32_t pname, const float *params);
/* PointParameter (3.3): INVALID_ENUM for an unknown pname, DISTANCE_ATTENUATION in the scalar variant and an
 * unknown sprite origin; INVALID_VALUE: a negative size. */
TEXENV_API uint32_t texenv_point_parameter_f(struct texenv_vertex_gl *v, const struct texenv *te,
                                             uint32_t pname, float param);
TEXENV_API uint32_t texenv_point_parameter_fv(struct texenv_vertex_gl *v, const struct texenv *te,
                                              uint32_t pname, const float *params);
/* TexEnv with target POINT_SPRITE and pname COORD_REPLACE (3.3) for the active unit. Ignored for units
 * without texture coordinates. */
TEXENV_API uint32_t texenv_coord_replace(struct texenv_vertex_gl *v, const struct texenv *te, bool on);
/* ShadeModel (2.14.7): INVALID_ENUM for a mode that is neither FLAT nor SMOOTH. */
TEXENV_API uint32_t texenv_shade_model(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t mode);
/* Fog with FOG_DISTANCE_MODE_NV (NV_fog_distance): INVALID_ENUM for an unknown value. */
TEXENV_API uint32_t texenv_fog_distance(struct texenv_vertex_gl *v, const struct texenv *te, float param);
/* MatrixMode (2.11.2): INVALID_ENUM for an unknown mode. COLOR and MATRIX0_ARB .. 31 are accepted, but
 * matrices and stacks of these modes are not tracked. */
TEXENV_API uint32_t texenv_matrix_mode(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t mode);
/* LoadMatrix and MultMatrix with 16 numbers column by column, as in GL. The caller builds the matrices of
 * LoadIdentity, LoadTransposeMatrix, Translate, Rotate, Scale, Frustum, Ortho. A texture matrix counts as the
 * identity only if every matrix loaded and multiplied was the identity, even if the product is
 * the identity. */
TEXENV_API uint32_t texenv_load_matrix(struct texenv_vertex_gl *v, const struct texenv *te, const float *m);
TEXENV_API uint32_t texenv_mult_matrix(struct texenv_vertex_gl *v, const struct texenv *te, const float *m);
/* PushMatrix returns STACK_OVERFLOW if the stack is full, PopMatrix STACK_UNDERFLOW if only one matrix is
 * left. */
TEXENV_API uint32_t texenv_push_matrix(struct texenv_vertex_gl *v, const struct texenv *te);
TEXENV_API uint32_t texenv_pop_matrix(struct texenv_vertex_gl *v, const struct texenv *te);

/* PopAttrib with the given mask: restores the groups ENABLE, FOG, LIGHTING, TEXTURE, TRANSFORM and POINT from
 * `pushed`, the state at PushAttrib. */
TEXENV_API void texenv_vertex_pop_attrib(struct texenv_vertex_gl *v, const struct texenv_vertex_gl *pushed,
                                         uint32_t mask);

/* Returns NULL if a vertex program of a canonical state computes the same as fixed function with a modelview
 * matrix that has this fourth row (4 numbers), else a static sentence with the reason. Programs take the
 * normal from the upper 3x3 of the matrix' inverse and assume that w of eye coordinates is 1
 * (notes/formats/vertex.md). Which rows are accepted therefore depends on what the state reads. Positions in
 * eye coordinates need the row (0,0,0,1), directions from the eye (0,0,0,w) with w > 0, normals (0,0,0,w)
 * with w != 0. If the state reads none of these (but, for example, fog or texture coordinates from planes),
 * any row is accepted. NaN means that a number is not known. */
TEXENV_API const char *texenv_vertex_refuses(const struct texenv_vertex *vertex, const float *w_row);

/* Returns the state of a draw that belongs to neither half. points: points are drawn. */
TEXENV_API void texenv_raster_of(struct texenv_raster *out, const struct texenv_vertex_gl *v,
                                 const struct texenv *te, bool points);

/* Returns the canonical vertex half of a draw. Returns false if vertex programs cannot compute it: because of
 * user clip planes, a fog distance other than |z|, a vertex program in use, the modelview matrix
 * (texenv_vertex_refuses), or a mode that is not known. *why is then a static sentence with the reason, and
 * *out is all zero. */
TEXENV_API bool texenv_vertex_of(struct texenv_vertex *out, const struct texenv_vertex_gl *v,
                                 const struct texenv *te, const char **why);

/* Reads the words of notes/formats/vertex.md: "lighting light0=positional+spot texgen1.st=sphere". Reads to
 * the end of the text; '#' begins a comment. On an error reports an ERROR diagnostic, sets *vertex to zero
 * and returns false. reads receives the meaning of the words "reads=..."; if it is NULL, these words are an
 * error. first_line: the line number of the text's start, for diagnostics. */
TEXENV_API bool texenv_read_vertex(struct texenv_vertex *vertex, struct texenv_vertex_reads *reads,
                                   const char *text, size_t length, uint32_t first_line,
                                   const struct texenv_sink *sink);
/* Prints the words of a state with single spaces between them, or nothing for the initial state. */
TEXENV_API void texenv_print_vertex(struct texenv_text *text, const struct texenv_vertex *vertex);

/* Print like texenv_print_gl and texenv_print_stages, and include the vertex half if it is not initial
 * (notes/formats/gl.md, notes/formats/stages.md). vertex: a canonical state that GL can have (as
 * texenv_vertex_of returns), of the same draw as `state`. The calls contain arbitrary values that select the
 * modes, since a state has no values. */
TEXENV_API void texenv_print_gl_vertex(struct texenv_text *text, const struct texenv_state *state,
                                       const struct texenv_vertex *vertex);
TEXENV_API void texenv_print_stages_vertex(struct texenv_text *text, const struct texenv_state *state,
                                           const struct texenv_vertex *vertex);

#ifdef __cplusplus
}
#endif
#endif
