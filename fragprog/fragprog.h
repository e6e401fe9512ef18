/* fragprog - texture environments as programs: options, and one call from a state to a program of
 * GL_ATI_fragment_shader or of a shading language, with what it takes from outside.
 *
 * Whoever wants both shaders of a state takes fragprog/pair.h; words of a chip: hwemit/hwemit.h. Behind these
 * calls: the intermediate program (fragprog/ir.h), and what a target begins with (fragprog/backend.h).
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; one
 * thread an object. "The extension" is GL_ATI_fragment_shader 1.8.
 */
#ifndef FRAGPROG_H
#define FRAGPROG_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fragprog;
struct fragprog_atifs;

/* Why a target cannot do a program, for people and machines. */
struct fragprog_reason {
    int unit;         /* texture unit (stage) at fault, or -1 */
    const char *code; /* static: "shadow", "registers", "pairs", "textures" ... */
    char text[200];   /* one line: unit, limit, what would make it fit */
    /* only what would make it fit ("two units fewer"), if the target tells it; else empty */
    char fit[120];
};

/* Told after each step of a compilation: "lower" (or "import", or "read"), the rows of fragprog_passes that
 * ran, "assign", "schedule". */
struct fragprog_assignment;
struct fragprog_step {
    const char *name;
    const struct fragprog *p; /* what there is now; valid during the call */
    /* of "assign": p is legalised, and this says where everything is; else NULL */
    const struct fragprog_assignment *assignment;
};
struct fragprog_hooks {
    void (*after)(void *user, const struct fragprog_step *step); /* may be NULL */
    void (*fired)(void *user, const char *rule, int unit);       /* as fragprog_opt.fired */
    void *user;
};

/* Work that a compilation may spend in searches, of every kind and for every target, in units of about 100
 * machine instructions. Over it a search ends: what it was to improve stays as it is; where nothing was found
 * yet the compilation fails with code "work", which says nothing about whether the target could do it.
 * Finding the reason of a refusal, and what would do, may take half as much again. The default keeps a
 * compilation to a program of the extension or to an r200 within 3 million instructions (tests: bound_atifs,
 * bound_r200). */
#define FRAGPROG_MOST_WORK 12000u
#define FRAGPROG_OFFLINE 100u

struct fragprog_options {
    /* The -O level. 0: dead stages only are removed. 1, at draw time: rewriting, without the costly rows of
     * fragprog_passes, and a target takes the first way that it finds. 2: all rows, the shortest of some
     * ways. 3, ahead of time: all ways, and FRAGPROG_OFFLINE times the work; never longer than 2. */
    uint8_t level;
    /* the environment colours will not change: their values may be folded (level 1 and above) */
    uint8_t fold_constants;
    /* textures take the next registers in order; else texture n stays in register n */
    uint8_t bind_compact;
    uint8_t avoid_mesa;      /* keep clear of Mesa's departures from the extension (notes/pipeline.md) */
    uint8_t constants_local; /* constants are program.local[n], not literals */
    uint8_t color_sum;       /* the state has colour sum: with avoid_mesa the program adds it */
    uint32_t skip;           /* bit n leaves row n of fragprog_passes out */
    /* most work of a search, in the units of FRAGPROG_MOST_WORK. 0: the default, which is FRAGPROG_MOST_WORK
     * or the target's (hwemit_target.most_work), times FRAGPROG_OFFLINE at level 3 */
    uint32_t most_work;
    const struct fragprog_hooks *hooks; /* NULL: none */
    /* fragprog_derive, for chips whose constants are floats (hwemit_compile sets it): what environment
     * colours alone decide becomes a constant (level 1 and above). NULL: nothing does. */
    bool (*derive)(struct fragprog *p, const struct fragprog *colors);
};

/* What is compiled: one of the first two, the other NULL. */
struct fragprog_source {
    const struct texenv_state *state; /* canonical */
    const struct fragprog *ir;        /* obeys fragprog_check */
    /* with ir: the program of the extension that it comes from (fragprog_import_atifs), which a chip that is
     * made like the extension takes as it is; obeys fragprog_check_atifs */
    const struct fragprog_atifs *atifs;
};

/* Memory that a compilation needs besides the stack (of which no function here takes more than 32 KB): the
 * caller's, aligned as for any object, its content of no meaning before and after. Compilations at the same
 * time each need their own. */
#define FRAGPROG_SCRATCH (176u << 10)
/* The same for unbounded programs, whose size has no limit; FRAGPROG_SCRATCH for all others. */
TEXENV_API size_t fragprog_scratch(const struct fragprog_source *source);

/* From a state or program to the program of the extension in one call: fragprog_begin, assign, emit; if
 * that does not fit one pass, schedule. False with *why, and *out as it was, if the extension cannot do it.
 * Where the optimised program does not fit the plain one (level 0) is tried too, so that a higher level never
 * refuses more. scratch: FRAGPROG_SCRATCH bytes. */
TEXENV_API bool fragprog_compile_atifs(struct fragprog_atifs *out, const struct fragprog_source *source,
                                       const struct fragprog_options *options, void *scratch,
                                       struct fragprog_reason *why);

/* The key of a texture environment: equal however its stages are written (dead stages, unused arguments,
 * commuted operands, formats), with environment colours left out, unless fold_constants says that they are
 * compiled in. Equal keys: equal words, from hwemit_compile with equal options. The key of a cache is this,
 * the target and the options (fog and colour sum come after the words). Returns the key's length; at most
 * room bytes are written. Bytes compare; fragprog_key_hash is for tables and people. It is a key of words:
 * the texts of a language may differ where it is equal. */
#define FRAGPROG_KEY_MAX 4096
TEXENV_API uint32_t fragprog_key(uint8_t *key, uint32_t room, const struct texenv_state *state,
                                 bool fold_constants);
TEXENV_API uint64_t fragprog_key_hash(const uint8_t *key, uint32_t length);

/* ------------------------------------------------------------------------------------------------
 * Shading languages (notes/formats/languages.md)
 */

enum fragprog_language {
#define FRAGPROG_LANGUAGE(id, name, help) FRAGPROG_##id,
#include "fragprog/languages.def"
#undef FRAGPROG_LANGUAGE
    FRAGPROG_LANGUAGES
};
/* The name as in --to, and a description; NULL if there is no such language. */
TEXENV_API const char *fragprog_language_name(enum fragprog_language language);
TEXENV_API const char *fragprog_language_help(enum fragprog_language language);

/* The uniforms of programs in core profiles, ES and Vulkan. */
enum fragprog_uniform {
#define FRAGPROG_UNIFORM(id, name, type, elements, offset) FRAGPROG_UNIFORM_##id,
#include "fragprog/uniforms.def"
#undef FRAGPROG_UNIFORM
    FRAGPROG_UNIFORMS
};
struct fragprog_uniform_info {
    char name[24], type[8]; /* as in GLSL */
    uint8_t elements;       /* more than 1: an array of so many, cut after the last that is read */
    uint16_t offset;        /* in the uniform block of glsl-450, std140, in bytes */
};
TEXENV_API const struct fragprog_uniform_info *fragprog_uniform_of(enum fragprog_uniform uniform);

/* Whether names may begin with it: a letter, then letters, digits and single "_", at most FRAGPROG_PREFIX_MAX
 * characters, no "gl_" in front: an identifier of every GLSL (1.10, 3.7), of C and of C++. */
enum { FRAGPROG_PREFIX_MAX = 63 };
TEXENV_API bool fragprog_is_prefix(const char *prefix);

/* Where programs in glsl-450 have what they take from outside: both stages one uniform block, of this many
 * bytes at binding options.binding; the sampler of unit n at FRAGPROG_BINDING_SAMPLER + n after it. Locations
 * of varyings count from options.location. */
enum {
    FRAGPROG_BLOCK_SIZE = 1056,
    FRAGPROG_BINDING_SAMPLER = 1,
    FRAGPROG_LOCATION_PRIMARY = 0,
    FRAGPROG_LOCATION_SECONDARY = 1,
    FRAGPROG_LOCATION_FOG = 2,
    FRAGPROG_LOCATION_TEXCOORD = 3, /* + n */
    FRAGPROG_LOCATION_BACK = 11     /* after those of the front: colours of back faces */
};

/* Attributes of a vertex (GL_ARB_vertex_program, table X.1); the fog coordinate has channel x only. */
enum fragprog_attrib {
    FRAGPROG_ATTRIB_POSITION,
    FRAGPROG_ATTRIB_WEIGHT,
    FRAGPROG_ATTRIB_NORMAL,
    FRAGPROG_ATTRIB_COLOR,
    FRAGPROG_ATTRIB_SECONDARY,
    FRAGPROG_ATTRIB_FOGCOORD,
    FRAGPROG_ATTRIB_MATRIXINDEX,
    FRAGPROG_ATTRIB_TEXCOORD = 8, /* + n */
    FRAGPROG_ATTRIB_GENERIC = 16, /* + n: vertex.attrib[n] */
    FRAGPROG_ATTRIBS = 32
};

/* Precision of numbers in fragment programs of ES: highp where the implementation has it. */
enum fragprog_precision { FRAGPROG_PRECISION_BEST, FRAGPROG_PRECISION_MEDIUMP, FRAGPROG_PRECISION_HIGHP };

/* What follows the program in the pipeline is in it only if it is asked for: GL does neither while a program
 * of a language is in use. A language, fog or alpha test that there is not is refused (code "options"). */
struct fragprog_language_options {
    uint8_t language;  /* enum fragprog_language */
    uint8_t color_sum; /* add the secondary colour */
    uint8_t fog;       /* enum texenv_fog: blend with the fog colour after that */
    /* enum texenv_compare: the alpha test (discard by the uniform alpha_reference), in the languages of a GL
     * that has none: GLSL of core profiles and ES. In the others GL goes on doing it. */
    uint8_t alpha_test;
    uint8_t fold_constants; /* environment colours by value, not as parameters */
    uint8_t fog_coord;      /* with pair: fog uses the fog coordinate, not the eye's distance */
    uint8_t location;       /* of glsl-450: of the first varying */
    uint16_t binding;       /* of glsl-450: of the uniform block */
    /* What is known of the vertex stage, so that the fragment program can do without. pair: colours are in
     * [0,1], the fog coordinate is >= 0 unless fog_coord, and inputs have the components that are read
     * (struct fragprog_interface). affine: bit n: the q of coordinate set n is 1. */
    uint8_t pair, affine;
    uint8_t sprites;    /* bit n: set n is the point's, gl_PointCoord in core profiles and ES */
    uint8_t lower_left; /* of sprites in ES and GLSL 4.50, as in fragprog_pair_source */
    uint8_t two_side;   /* core profiles and ES: back faces have inputs back_color, back_secondary_color */
    uint8_t flat;       /* core profiles and ES 3.00: colours are not interpolated */
    /* ES: bit n: where input clip_distancen is below 0 the fragment goes. */
    uint8_t clip_planes;
    uint8_t precision; /* enum fragprog_precision */
    /* Put before every name of GLSL that is seen outside of main and is not built in; NULL: nothing. Programs
     * are refused if it is no prefix. */
    const char *prefix;
};

/* What a program of a language takes from outside. Names and forms: notes/formats/languages.md. */
struct fragprog_interface {
    bool primary, secondary; /* colours */
    uint8_t coords;          /* bit n: texture coordinate set n; none of options->sprites */
    uint8_t secondary_size, coord_size[TEXENV_UNITS]; /* components of these in core profiles and ES */
    uint8_t textures;                                 /* bit n: the texture of unit n */
    uint8_t target[TEXENV_UNITS];                     /* of those: enum texenv_target */
    uint8_t shadow[TEXENV_UNITS];                     /* with comparison */
    uint8_t colors;                     /* bit n: the environment colour of unit n, as a uniform */
    uint8_t program_env, program_local; /* bit n: program.env[n], program.local[n] */
    uint16_t uniforms;                  /* bits by enum fragprog_uniform; none that is built in */
};
/* Of p, after its passes. */
TEXENV_API void fragprog_find_interface(struct fragprog_interface *found, const struct fragprog *p,
                                        const struct fragprog_language_options *options);

/* State that an assembly program binds and the language has no name for, each a uniform of four numbers: one
 * after the other, *at from 0 on; false after the last. *origin: fragprog_print_origin names what it holds.
 * Of vertex programs in glsl-450 uniform n lies at FRAGPROG_BLOCK_SIZE + 16 n of the block. */
TEXENV_API bool fragprog_next_state_uniform(const struct fragprog *p,
                                            const struct fragprog_language_options *options, unsigned *at,
                                            int32_t *origin);
/* The name of an assembly program's parameter in the language: "program_env[3]"; of state GL's built-in name,
 * else the prefix and the words of the binding joined by "_": "state_light_0_position". */
TEXENV_API void fragprog_print_parameter(struct texenv_text *text, int32_t origin,
                                         const struct fragprog_language_options *options);

/* Bytes that are enough for the text of every texture environment in every language, where there is no
 * prefix. For other programs text->length is the length that was needed. */
#define FRAGPROG_LANGUAGE_TEXT (16u << 10)
/* From a state or program to a text of the language in one call: fragprog_begin, fragprog_print_language.
 * scratch: FRAGPROG_SCRATCH bytes. */
TEXENV_API bool fragprog_compile_language(struct texenv_text *text, const struct fragprog_source *source,
                                          const struct fragprog_options *options,
                                          const struct fragprog_language_options *language, void *scratch,
                                          struct fragprog_reason *why);

/* A program of the language with the same result, every clamp included. False with *why, and text as it
 * was, if the language cannot say it (texture targets). scratch: fragprog_language_scratch(p->ninst) bytes,
 * aligned as for any object. */
TEXENV_API bool fragprog_print_language(struct texenv_text *text, const struct fragprog *p,
                                        const struct fragprog_language_options *options, void *scratch,
                                        struct fragprog_reason *why);
TEXENV_API size_t fragprog_language_scratch(unsigned insts);

#ifdef __cplusplus
}
#endif
#endif
