/* fragprog - compiles texture environments to programs. This header has the options, and functions that
 * compile a state to a program of GL_ATI_fragment_shader or of a shading language in one call and describe
 * the program's inputs.
 *
 * See fragprog/pair.h for both shaders of a state, and hwemit/hwemit.h for the words of a chip. These calls
 * are built on the intermediate program (fragprog/ir.h) and the interface for back ends (fragprog/backend.h).
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; an
 * object may be used by one thread at a time. "The extension" is GL_ATI_fragment_shader 1.8. */
#ifndef FRAGPROG_H
#define FRAGPROG_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fragprog;
struct fragprog_atifs;

/* The reason why a target refuses a program, for people and machines. */
struct fragprog_reason {
    int unit;         /* texture unit (stage) that causes the refusal, or -1 */
    const char *code; /* a static string: "shadow", "registers", "pairs", "textures" ... */
    char text[200];   /* one line: the unit, the limit, and the change that would make the program fit */
    /* that change alone ("two units fewer"), if the target knows one; else empty */
    char fit[120];
};

/* The information that a hook gets after each step of a compilation. The steps are "lower" (or "import", or
 * "read"), the rows of fragprog_passes that ran, "assign", "schedule", and the steps of a chip
 * (hwemit_target.steps). */
struct fragprog_assignment;
struct machine;
struct fragprog_step {
    const char *name;
    const struct fragprog *p; /* the current program; valid during the call */
    /* In the step "assign", where p has been legalised: the registers and pairs. Else NULL. */
    const struct fragprog_assignment *assignment;
    /* In a step of a chip: its operations (hwemit_print_machine), made from p. Else NULL. */
    const struct machine *machine;
};
struct fragprog_hooks {
    void (*after)(void *user, const struct fragprog_step *step); /* may be NULL */
    void (*fired)(void *user, const char *rule, int unit);       /* as fragprog_opt.fired */
    void *user;
};

/* The maximum work of all searches of one compilation together, in units of about 100 machine instructions;
 * the same for every target. A search that exceeds it stops: an optimisation then keeps the best result so
 * far; if no solution was found yet, the compilation fails with code "work", although the target may be able
 * to run the program. Finding the reason of a refusal, and a change that would fit, may take half as much
 * work in addition. With the default, a compilation to ATI_fragment_shader or to an r200 takes at most 3
 * million instructions (tests: bound_atifs, bound_r200). */
#define FRAGPROG_MOST_WORK 12000u
#define FRAGPROG_OFFLINE 100u

struct fragprog_options {
    /* The -O level. 0: only removes dead code. 1, for compilation at draw time: rewrites without the
     * expensive rows of fragprog_passes, and a target takes the first solution that it finds. 2: all rows,
     * and the shortest of several solutions. 3, for compilation ahead of time: all solutions, with
     * FRAGPROG_OFFLINE times the work; the result is never longer than that of level 2. */
    uint8_t level;
    /* the environment colours do not change at run time, so their values may be folded (level 1 and above) */
    uint8_t fold_constants;
    /* textures get consecutive registers; else the texture of unit n stays in register n */
    uint8_t bind_compact;
    /* avoid what Mesa implements differently from ATI_fragment_shader (notes/pipeline.md) */
    uint8_t avoid_mesa;
    uint8_t constants_local; /* constants are program.local[n] instead of literals */
    /* colour sum is enabled: with avoid_mesa the program itself adds the secondary colour */
    uint8_t color_sum;
    uint32_t skip; /* bit n disables row n of fragprog_passes */
    /* Bound on the work of searches, in the units of FRAGPROG_MOST_WORK. 0 means the default:
     * FRAGPROG_MOST_WORK or the target's own (hwemit_target.most_work), times FRAGPROG_OFFLINE at level 3. */
    uint32_t most_work;
    const struct fragprog_hooks *hooks; /* NULL: none */
    /* fragprog_derive, or NULL; for chips with floating-point constants, where hwemit_compile sets it. At
     * level 1 and above it replaces values that depend on nothing but environment colours with constants. */
    bool (*derive)(struct fragprog *p, const struct fragprog *colors);
};

/* The input of a compilation: either state or ir; the other one is NULL. */
struct fragprog_source {
    const struct texenv_state *state; /* canonical */
    const struct fragprog *ir;        /* obeys fragprog_check */
    /* Together with ir: the program of the extension that ir was imported from (fragprog_import_atifs). A
     * chip that executes ATI_fragment_shader's instructions directly uses it unchanged. It obeys
     * fragprog_check_atifs. */
    const struct fragprog_atifs *atifs;
};

/* Bytes of memory that a compilation needs besides the stack (no function here uses more than 32 KB of
 * stack). The caller owns it; it is aligned as for any object, and its content has no meaning before and
 * after. Concurrent compilations each need their own. */
#define FRAGPROG_SCRATCH (176u << 10)
/* Returns the bytes of scratch memory for a source: FRAGPROG_SCRATCH, or the number that the size of an
 * unbounded program requires. */
TEXENV_API size_t fragprog_scratch(const struct fragprog_source *source);

/* Compiles a state or program to a program of ATI_fragment_shader: fragprog_begin, fragprog_assign and
 * fragprog_emit_atifs, or fragprog_schedule if one pass does not suffice. If the optimised program does not
 * fit, the unoptimised one (level 0) is tried as well, so that a higher level never refuses more. Returns
 * false with *why, and leaves *out unchanged, if ATI_fragment_shader cannot express the program. scratch:
 * FRAGPROG_SCRATCH bytes. */
TEXENV_API bool fragprog_compile_atifs(struct fragprog_atifs *out, const struct fragprog_source *source,
                                       const struct fragprog_options *options, void *scratch,
                                       struct fragprog_reason *why);

/* Computes the cache key of a texture environment. States that differ only in notation (dead stages, unused
 * arguments, commuted operands, formats) have equal keys. Environment colours are not part of the key, unless
 * fold_constants says that they are compiled in. With equal keys and options, hwemit_compile gives equal
 * words; a cache has to add the target and the options to the key (fog and colour sum are added after the
 * words). Texts of shading languages may differ for equal keys. Returns the key's length; at most room bytes
 * are written. Compare keys bytewise; fragprog_key_hash is for hash tables and for display. */
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
    FRAGPROG_LANGUAGES
};
/* Return the name as in --to, and a description; NULL if there is no such language. */
TEXENV_API const char *fragprog_language_name(enum fragprog_language language);
TEXENV_API const char *fragprog_language_help(enum fragprog_language language);

/* The uniforms of programs in core profiles, ES and Vulkan. */
enum fragprog_uniform {
#define FRAGPROG_UNIFORM(id, name, type, elements, offset) FRAGPROG_UNIFORM_##id,
#include "fragprog/uniforms.def"
    FRAGPROG_UNIFORMS
};
struct fragprog_uniform_info {
    char name[24], type[8]; /* as in GLSL */
    /* if more than 1: length of an array, which ends after the last element that is read */
    uint8_t elements;
    uint16_t offset; /* byte offset in the uniform block (std140) of glsl-450 */
};
TEXENV_API const struct fragprog_uniform_info *fragprog_uniform_of(enum fragprog_uniform uniform);

/* Returns whether the string may be used as a prefix of names: a letter, then letters, digits and single "_",
 * at most FRAGPROG_PREFIX_MAX characters, not beginning with "gl_". It is then an identifier of every GLSL
 * (1.10, 3.7), C and C++. */
enum { FRAGPROG_PREFIX_MAX = 63 };
TEXENV_API bool fragprog_is_prefix(const char *prefix);

/* Bindings and locations of programs in glsl-450. Both shaders of a pair share one uniform block of
 * FRAGPROG_BLOCK_SIZE bytes at binding options.binding; the sampler of unit n has the binding options.binding
 * + FRAGPROG_BINDING_SAMPLER + n. The locations of varyings are relative to options.location. */
enum {
    FRAGPROG_BLOCK_SIZE = 1056,
    FRAGPROG_BINDING_SAMPLER = 1,
    FRAGPROG_LOCATION_PRIMARY = 0,
    FRAGPROG_LOCATION_SECONDARY = 1,
    FRAGPROG_LOCATION_FOG = 2,
    FRAGPROG_LOCATION_TEXCOORD = 3, /* + n: coordinate set n */
    FRAGPROG_LOCATION_BACK = 11     /* + 0, 1: primary, secondary colour of back faces */
};

/* Attributes of a vertex (GL_ARB_vertex_program, table X.1). The fog coordinate has only channel x. */
enum fragprog_attrib {
    FRAGPROG_ATTRIB_POSITION,
    FRAGPROG_ATTRIB_WEIGHT,
    FRAGPROG_ATTRIB_NORMAL,
    FRAGPROG_ATTRIB_COLOR,
    FRAGPROG_ATTRIB_SECONDARY,
    FRAGPROG_ATTRIB_FOGCOORD,
    FRAGPROG_ATTRIB_MATRIXINDEX,
    FRAGPROG_ATTRIB_TEXCOORD = 8, /* + n: coordinate set n */
    FRAGPROG_ATTRIB_GENERIC = 16, /* + n: vertex.attrib[n] */
    FRAGPROG_ATTRIBS = 32
};

/* Default precision in fragment programs of ES. BEST: highp where the implementation has it. */
enum fragprog_precision { FRAGPROG_PRECISION_BEST, FRAGPROG_PRECISION_MEDIUMP, FRAGPROG_PRECISION_HIGHP };

/* Options of a shading language. Colour sum and fog are part of the program only on request, because GL
 * applies neither while a shader is in use. Values of language, fog or alpha_test that do not exist are
 * refused (code "options"). */
struct fragprog_language_options {
    uint8_t language;  /* enum fragprog_language */
    uint8_t color_sum; /* the program adds the secondary colour */
    uint8_t fog;       /* enum texenv_fog: the program then blends with the fog colour */
    /* enum texenv_compare: the program does the alpha test (discard, by the uniform alpha_reference) in
     * languages whose GL has no alpha test: GLSL of core profiles and ES. Ignored in the others, where GL
     * still does the alpha test. */
    uint8_t alpha_test;
    uint8_t fold_constants; /* environment colours are literals, not parameters */
    /* with pair: the factor of fog depends on the fog coordinate, not on the distance from the eye */
    uint8_t fog_coord;
    uint8_t location; /* glsl-450: location of the first varying */
    uint16_t binding; /* glsl-450: binding of the uniform block */
    /* What the fragment program may rely on. pair: it is linked with the vertex shader of fragprog/pair.h, so
     * that colours are in [0,1], the fog coordinate is >= 0 unless fog_coord, and inputs have just the
     * components that are read (struct fragprog_interface). affine: bit n: q of coordinate set n is 1. */
    uint8_t pair, affine;
    /* bit n: coordinate set n contains the coordinates of point sprites (gl_PointCoord in core profiles and
     * ES) */
    uint8_t sprites;
    uint8_t lower_left; /* in ES and GLSL 4.50: origin of sprites, as in fragprog_pair_source */
    uint8_t two_side;   /* core profiles and ES: back faces have inputs back_color, back_secondary_color */
    uint8_t flat;       /* core profiles and ES 3.00: colours are flat-shaded, not interpolated */
    /* ES: bit n: a fragment whose input clip_distancen is below 0 is discarded */
    uint8_t clip_planes;
    uint8_t precision; /* enum fragprog_precision */
    /* Prefix of every GLSL name that is declared outside of main, or NULL. A program is refused if
     * fragprog_is_prefix is false for it. */
    const char *prefix;
};

/* The inputs of a program in a shading language. notes/formats/languages.md describes their names and
 * types. */
struct fragprog_interface {
    bool primary, secondary; /* primary and secondary colour are read */
    /* bit n: texture coordinate set n is read, unless it is one of options->sprites */
    uint8_t coords;
    uint8_t secondary_size, coord_size[TEXENV_UNITS]; /* number of components, in core profiles and ES */
    uint8_t textures;                                 /* bit n: the texture of unit n is read */
    uint8_t target[TEXENV_UNITS];                     /* target of each texture (enum texenv_target) */
    /* whether each texture is compared with the reference value */
    uint8_t shadow[TEXENV_UNITS];
    uint8_t colors;                     /* bit n: the environment colour of unit n is a uniform */
    uint8_t program_env, program_local; /* bit n: program.env[n] or program.local[n] is read */
    /* bits by enum fragprog_uniform; not those that are built into the language */
    uint16_t uniforms;
};
/* Finds the inputs of p, which all passes have processed. */
TEXENV_API void fragprog_find_interface(struct fragprog_interface *found, const struct fragprog *p,
                                        const struct fragprog_language_options *options);

/* Iterates over the parameters of an assembly program that are GL state without a name in the language. Each
 * of them becomes a vec4 uniform. *at is the iterator, 0 at the beginning. Returns false at the end.
 * fragprog_print_origin names the contents of *origin. In glsl-450, uniform n of a vertex program is at
 * FRAGPROG_BLOCK_SIZE + 16 n in the uniform block. */
TEXENV_API bool fragprog_next_state_uniform(const struct fragprog *p,
                                            const struct fragprog_language_options *options, unsigned *at,
                                            int32_t *origin);
/* Prints the name of an assembly program's parameter in the language: "program_env[3]"; for GL state its
 * built-in name, or else the prefix and the words of the binding joined by "_": "state_light_0_position". */
TEXENV_API void fragprog_print_parameter(struct texenv_text *text, int32_t origin,
                                         const struct fragprog_language_options *options);

/* Bytes that suffice for the text of every texture environment in every language, without a prefix. For other
 * programs text->length is the required length. */
#define FRAGPROG_LANGUAGE_TEXT (16u << 10)
/* Compiles a state or program to text of a shading language: fragprog_begin, then fragprog_print_language.
 * scratch: FRAGPROG_SCRATCH bytes. */
TEXENV_API bool fragprog_compile_language(struct texenv_text *text, const struct fragprog_source *source,
                                          const struct fragprog_options *options,
                                          const struct fragprog_language_options *language, void *scratch,
                                          struct fragprog_reason *why);

/* Prints a program of the language with the same result, every clamp included. Returns false with *why, and
 * leaves the text unchanged, if the language cannot express it (texture targets). scratch:
 * fragprog_language_scratch(p->ninst) bytes, aligned as for any object. */
TEXENV_API bool fragprog_print_language(struct texenv_text *text, const struct fragprog *p,
                                        const struct fragprog_language_options *options, void *scratch,
                                        struct fragprog_reason *why);
TEXENV_API size_t fragprog_language_scratch(unsigned insts);

#ifdef __cplusplus
}
#endif
#endif
