/* pair - compiles the vertex and the fragment shader of a fixed-function state in one call.
 *
 *     fragprog_compile_pair(&pair, &source, &options, texts, scratch, &why)
 *     compile pair.vertex and pair.fragment, bind pair.attribute[], link
 *     for each pair.uniform[]: glGetUniformLocation of fragprog_print_pair_uniform
 *     at the draw: fragprog_uniform_values(&pair, &values, floats), and set each uniform from its offset
 *
 * Conventions are those of fragprog.h. Section numbers refer to the OpenGL 2.1 specification. Shaders of GLSL
 * 1.10 and 1.20 read GL's own state by its built-in names: their only uniforms are samplers, and they require
 * VERTEX_PROGRAM_TWO_SIDE and VERTEX_PROGRAM_POINT_SIZE to be enabled for two-sided light and for points.
 *
 * Simplifications: w of eye coordinates is assumed to be 1 where directions are computed from them
 * (texenv_vertex_refuses tells whether that makes a difference for a modelview matrix), and the eye's z is
 * used as the distance for fog (unless radial_fog) and for points, as 3.10 and 3.3 allow. */
#ifndef FRAGPROG_PAIR_H
#define FRAGPROG_PAIR_H

#include "fragprog/fragprog.h"
#include "texenv/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a uniform: the rows of fragprog/pair_uniforms.def. */
enum fragprog_pair_value {
#define PAIR_UNIFORM(id, name, type, index, built_in) FRAGPROG_PAIR_##id,
#include "fragprog/pair_uniforms.def"
    FRAGPROG_PAIR_VALUES
};
struct fragprog_pair_uniform {
    uint8_t id;    /* enum fragprog_pair_value */
    uint8_t index; /* number of the light, unit or clip plane; else 0 */
    /* Index of the first float that fragprog_uniform_values writes. In GLSL 4.50 it is the offset in the
     * uniform block with std140 layout (columns of a mat3 are four floats apart); otherwise the uniforms are
     * contiguous. */
    uint16_t offset;
};

/* The state of a draw. It need not be canonical. */
struct fragprog_pair_source {
    struct texenv_state state;
    struct texenv_vertex vertex;
    uint8_t flat;        /* SHADE_MODEL is FLAT */
    uint8_t clip_planes; /* bit n: CLIP_PLANEn is enabled */
    uint8_t points;      /* points are drawn, so the shader writes their size */
    /* bit n: for points, the coordinates of unit n are those of the sprite (COORD_REPLACE) */
    uint8_t sprites;
    /* The origin of sprite coordinates is the lower left (POINT_SPRITE_COORD_ORIGIN), else the upper left.
     * OpenGL has this state; shaders of GLSL 4.50 require its initial value, as Vulkan and ES do. */
    uint8_t lower_left;
    uint8_t radial_fog; /* fog uses the distance from the eye, not the eye's z */
    /* bit n: the texture coordinates of unit n are specified without q (neither TexCoord4 nor arrays of
     * four), so that q is 1 and lookups need no division */
    uint8_t affine;
};

struct fragprog_pair_options {
    uint8_t language;  /* enum fragprog_language except FRAGPROG_ARBFP */
    uint8_t level;     /* the -O level of fragprog_options */
    uint8_t precision; /* precision in fragment shaders of ES, as in fragprog_language_options */
    /* Attributes get the consecutive locations 0, 1, 2 ... (always in glsl-es, where the caller binds them);
     * otherwise the locations of ARB_vertex_program, of which OpenGL ES supports only half. */
    uint8_t packed;
    uint8_t location;   /* glsl-450: location of the first varying */
    uint16_t binding;   /* glsl-450: binding of the uniform block; samplers follow */
    const char *prefix; /* prefix of all names outside of main, or NULL */
    /* A bounded fragment program, to which the passes were applied, that replaces texturing: only the
     * operations after texturing are then taken from the fragment state. Pairs with such a program cannot be
     * cached, because their key does not identify it. NULL: texturing is compiled from the state. */
    const struct fragprog *fragment;
};

enum {
    FRAGPROG_PAIR_UNIFORMS = 192,   /* upper bound */
    FRAGPROG_PAIR_KEY = 528,        /* bytes of a key, a multiple of 16 */
    FRAGPROG_PAIR_TEXTS = 64 << 10, /* sufficient for both texts without a prefix */
    FRAGPROG_PAIR_SCRATCH = 96 << 10
};

struct fragprog_pair {
    const char *vertex, *fragment; /* pointers into the caller's memory */
    uint8_t language;
    /* varyings that exist: primary_color, secondary_color (three components), fog */
    uint8_t primary, secondary, fog;
    uint8_t back;                     /* core profiles and ES: varyings of back colours exist */
    uint8_t coords;                   /* bit n: the varying texcoordn exists */
    uint8_t coord_size[TEXENV_UNITS]; /* number of components of texcoordn */
    uint8_t clip_distances;           /* in ES, bit n: the varying clip_distancen exists */
    uint8_t textures;                 /* bit n: the sampler texturen exists */
    uint8_t target[TEXENV_UNITS];     /* target of each sampler (enum texenv_target) */
    uint8_t shadow[TEXENV_UNITS];     /* whether each sampler's texture has a depth comparison */
    uint16_t attributes;              /* vertex attributes that are read: bits by enum fragprog_attrib */
    uint8_t location[16];             /* location of each attribute */
    uint16_t nuniforms;
    uint16_t floats; /* number of floats that fragprog_uniform_values writes */
    struct fragprog_pair_uniform uniform[FRAGPROG_PAIR_UNIFORMS];
    /* Encodes source and options, but no values; pairs with equal keys are equal. */
    uint8_t key[FRAGPROG_PAIR_KEY];
};

/* Compiles both shaders. texts: FRAGPROG_PAIR_TEXTS bytes, into which *pair points; scratch:
 * FRAGPROG_PAIR_SCRATCH bytes, aligned as for any object. Returns false with *why if the language cannot
 * express the state, the source has invalid numbers, or the names with the prefix do not fit into texts. */
TEXENV_API bool fragprog_compile_pair(struct fragprog_pair *pair, const struct fragprog_pair_source *source,
                                      const struct fragprog_pair_options *options, char *texts, void *scratch,
                                      struct fragprog_reason *why);

/* Writes the values of all uniforms to out, which has room for pair->floats, each at its offset. Other
 * elements are unchanged, so one buffer can serve many draws. Values that GL derives at a draw are computed
 * here, as pair_uniforms.def says. An input that is NaN (texenv/values.h) makes the dependent values NaN.
 * Where GL leaves results undefined: fog with end equal to start has a scale of 1; a direction of length 0 is
 * not normalised; a light with w = 0 in a pair for a positional light is not divided by w; a singular
 * modelview matrix gives the identity for normals. */
TEXENV_API void fragprog_uniform_values(const struct fragprog_pair *pair, const struct texenv_values *values,
                                        float *out);

/* Returns the type of a uniform as in GLSL. */
TEXENV_API const char *fragprog_pair_uniform_type(enum fragprog_pair_value id);
/* Print names as OpenGL takes them: "light[2].position"; "vertex_normal". */
TEXENV_API void fragprog_print_pair_uniform(struct texenv_text *text,
                                            const struct fragprog_pair_uniform *uniform,
                                            const struct fragprog_pair_options *options);
TEXENV_API void fragprog_print_pair_attribute(struct texenv_text *text, unsigned attribute,
                                              const struct fragprog_pair_options *options);

#ifdef __cplusplus
}
#endif
#endif
