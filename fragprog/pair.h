/* pair - the vertex and the fragment shader of a state of fixed function, in one call.
 *
 *     fragprog_compile_pair(&pair, &source, &options, texts, scratch, &why)
 *     compile pair.vertex and pair.fragment, bind pair.attribute[], link
 *     for each pair.uniform[]: glGetUniformLocation of fragprog_print_pair_uniform
 *     at the draw: fragprog_uniform_values(&pair, &values, floats), and set each uniform from its offset
 *
 * Conventions are those of fragprog.h. Section numbers are of the OpenGL 2.1 specification. Shaders of GLSL
 * 1.10 and 1.20 read GL's own state by its built-in names: they have no uniforms but samplers, and want
 * VERTEX_PROGRAM_TWO_SIDE and VERTEX_PROGRAM_POINT_SIZE enabled for two-sided light and for points.
 *
 * Taken, and not computed: w of eye coordinates is 1 where directions are made of them (texenv_vertex_refuses
 * says of a modelview matrix whether that makes a difference), and the eye's z stands for the distance of fog
 * (unless radial_fog) and of points, as 3.10 and 3.3 allow.
 */
#ifndef FRAGPROG_PAIR_H
#define FRAGPROG_PAIR_H

#include "fragprog/fragprog.h"
#include "texenv/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a uniform holds: the rows of fragprog/pair_uniforms.def. */
enum fragprog_pair_value {
#define PAIR_UNIFORM(id, name, type, index, built_in) FRAGPROG_PAIR_##id,
#include "fragprog/pair_uniforms.def"
#undef PAIR_UNIFORM
    FRAGPROG_PAIR_VALUES
};
struct fragprog_pair_uniform {
    uint8_t id;    /* enum fragprog_pair_value */
    uint8_t index; /* of the light, unit or clip plane; else 0 */
    /* Where fragprog_uniform_values writes it, in floats. In GLSL 4.50 its place in the uniform block, laid
     * out by std140 (columns of mat3 are four floats apart); else they lie one after the other. */
    uint16_t offset;
};

/* What is drawn. Need not be canonical. */
struct fragprog_pair_source {
    struct texenv_state state;
    struct texenv_vertex vertex;
    uint8_t flat;        /* SHADE_MODEL is FLAT */
    uint8_t clip_planes; /* bit n: CLIP_PLANEn is enabled */
    uint8_t points;      /* points are drawn: their size is written */
    uint8_t sprites;     /* of points, bit n: unit n's coordinates are the point's (COORD_REPLACE) */
    /* These begin at the lower left (POINT_SPRITE_COORD_ORIGIN), which is a state of OpenGL (but shaders of
     * GLSL 4.50 want its initial value, as Vulkan and ES have it); sprites alone begin at the upper left */
    uint8_t lower_left;
    uint8_t radial_fog; /* the distance of fog is that from the eye, not the eye's z */
    /* bit n: unit n's texture coordinates are given without q (TexCoord4, arrays of four), so that it is 1,
     * and lookups need not divide */
    uint8_t affine;
};

struct fragprog_pair_options {
    uint8_t language;  /* enum fragprog_language but FRAGPROG_ARBFP */
    uint8_t level;     /* of fragprog_options */
    uint8_t precision; /* of fragment shaders of ES, as in fragprog_language_options */
    /* attributes get the locations 0, 1, 2 ... without a gap, as always in glsl-es, which leaves them to the
     * caller; else those of ARB_vertex_program, of which OpenGL ES has only half */
    uint8_t packed;
    uint8_t location;   /* of glsl-450: of the first varying */
    uint16_t binding;   /* of glsl-450: of the uniform block; samplers follow */
    const char *prefix; /* of every name outside of main; NULL: none */
    /* The fragment program itself, after its passes and not unbounded: of the state only what follows it
     * counts. No key says which one it is, so that no cache takes it. NULL: it is made of the state. */
    const struct fragprog *fragment;
};

enum {
    FRAGPROG_PAIR_UNIFORMS = 192,   /* never more */
    FRAGPROG_PAIR_KEY = 528,        /* bytes of a key, of 16 */
    FRAGPROG_PAIR_TEXTS = 64 << 10, /* enough for both texts without a prefix */
    FRAGPROG_PAIR_SCRATCH = 96 << 10
};

struct fragprog_pair {
    const char *vertex, *fragment; /* in the caller's memory */
    uint8_t language;
    uint8_t primary, secondary, fog;  /* varyings: primary_color, secondary_color of three components */
    uint8_t back;                     /* of core profiles and ES: back_... of both beside them */
    uint8_t coords;                   /* bit n: the varying texcoordn */
    uint8_t coord_size[TEXENV_UNITS]; /* components of these */
    uint8_t clip_distances;           /* of ES, bit n: the varying clip_distancen */
    uint8_t textures;                 /* bit n: the sampler texturen */
    uint8_t target[TEXENV_UNITS];     /* of those: enum texenv_target */
    uint8_t shadow[TEXENV_UNITS];     /* with comparison */
    uint16_t attributes;              /* bits by enum fragprog_attrib: what is read of a vertex */
    uint8_t location[16];             /* of those */
    uint16_t nuniforms;
    uint16_t floats; /* that fragprog_uniform_values writes */
    struct fragprog_pair_uniform uniform[FRAGPROG_PAIR_UNIFORMS];
    /* of what was compiled, but for values: equal keys, equal pairs */
    uint8_t key[FRAGPROG_PAIR_KEY];
};

/* Makes both shaders. texts: FRAGPROG_PAIR_TEXTS bytes, which *pair points into; scratch:
 * FRAGPROG_PAIR_SCRATCH bytes, aligned as for any object. False with *why if the language cannot say it, the
 * source holds numbers that mean nothing, or names with the prefix take more memory than there is. */
TEXENV_API bool fragprog_compile_pair(struct fragprog_pair *pair, const struct fragprog_pair_source *source,
                                      const struct fragprog_pair_options *options, char *texts, void *scratch,
                                      struct fragprog_reason *why);

/* Fills the uniforms: each at its offset in out, which has room for pair->floats. Nothing else is written, so
 * that one buffer serves many draws. What GL computes at a draw is computed here, as pair_uniforms.def says.
 * A value that is NaN (texenv/values.h) makes the numbers NaN that depend on it. Where GL leaves open what to
 * compute: fog whose end is its start has a scale of 1; a direction of length 0 stays; a light at w 0 in a
 * pair of a positional one is not divided; a modelview matrix without an inverse gives the identity for
 * normals. */
TEXENV_API void fragprog_uniform_values(const struct fragprog_pair *pair, const struct texenv_values *values,
                                        float *out);

/* The type of a uniform, as in GLSL. */
TEXENV_API const char *fragprog_pair_uniform_type(enum fragprog_pair_value id);
/* Names as OpenGL takes them: "light[2].position"; "vertex_normal". */
TEXENV_API void fragprog_print_pair_uniform(struct texenv_text *text,
                                            const struct fragprog_pair_uniform *uniform,
                                            const struct fragprog_pair_options *options);
TEXENV_API void fragprog_print_pair_attribute(struct texenv_text *text, unsigned attribute,
                                              const struct fragprog_pair_options *options);

#ifdef __cplusplus
}
#endif
#endif
