/* texenv - fixed-function texture environments: state, readers, printers.
 *
 * This header is the manual of the layer. It holds four things:
 *
 *   struct texenv        the texture-environment part of a GL context, changed by setters that mirror GL
 *   struct texenv_state  one canonical texture environment: what a draw computes, and nothing else
 *   readers              texts (GL calls, apitrace dumps, stage notation) -> struct texenv at each draw
 *   printers             struct texenv_state -> GL calls, stage notation
 *
 * Section numbers without a name are those of the OpenGL 2.1 specification; the choices where specifications
 * disagree are listed in notes/choices.md, the text forms in notes/formats.md.
 *
 * Conventions of every function here:
 *   - No allocation, no input or output, no writable globals, no use of the locale, no abort. Only readers of
 *     traces and scripts need tables without bound (texture names, display lists): they get memory through
 *     struct texenv_memory.
 *   - Thread safety: functions may run at the same time on different objects; nothing is shared.
 *   - Pointers are not kept after the call returns unless the function says so.
 *   - GL enumerants are passed as uint32_t with the values of the OpenGL headers; no GL header is needed.
 *   - GL's enumerants, and texts that are read, may be anything: what is wrong in them is an error.
 *     Structures, and numbers of enumerations of these headers, are trusted to be what the headers say.
 */
#ifndef TEXENV_H
#define TEXENV_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a shared library exports, which is what the public headers declare. TEXENV_SHARED is set for all that
 * build or use one (by CMake and pkg-config); TEXENV_BUILDING only while the library itself is built. */
#if defined(_WIN32) && defined(TEXENV_SHARED) && defined(TEXENV_BUILDING)
#define TEXENV_API __declspec(dllexport)
#elif defined(_WIN32) && defined(TEXENV_SHARED)
#define TEXENV_API __declspec(dllimport)
#elif defined(__GNUC__) && defined(TEXENV_SHARED)
#define TEXENV_API __attribute__((visibility("default")))
#else
#define TEXENV_API
#endif

/* The version of this header. Until 1.0 any minor version may change the interface. */
#define TEXENV_VERSION_MAJOR 0
#define TEXENV_VERSION_MINOR 2
#define TEXENV_VERSION_PATCH 0
/* For #if: versions compare as numbers. */
#define TEXENV_VERSION_NUMBER \
    (TEXENV_VERSION_MAJOR * 10000 + TEXENV_VERSION_MINOR * 100 + TEXENV_VERSION_PATCH)
/* As text: "0.2.0". */
#define TEXENV_VERSION TEXENV_DOTTED(TEXENV_VERSION_MAJOR, TEXENV_VERSION_MINOR, TEXENV_VERSION_PATCH)
#define TEXENV_DOTTED(major, minor, patch) TEXENV_QUOTED(major.minor.patch)
#define TEXENV_QUOTED(text) #text

/* The version of the library that is linked or loaded: TEXENV_VERSION_NUMBER and TEXENV_VERSION when it was
 * built. */
TEXENV_API uint32_t texenv_version_number(void);
TEXENV_API const char *texenv_version(void);

#define TEXENV_UNITS 8 /* texture units with an environment (MAX_TEXTURE_UNITS) */
/* units that ActiveTexture can select (MAX_COMBINED_TEXTURE_IMAGE_UNITS); those from 8 on serve shaders only
 */
#define TEXENV_IMAGE_UNITS 32
#define TEXENV_ARGS 4 /* argument slots of a combiner (NV_texture_env_combine4) */

/* The two halves of a unit: the colour (rgb) and the alpha combiner. Index of every [2] below. */
enum { TEXENV_RGB, TEXENV_ALPHA };

/* GL errors that the setters return (2.5). TEXENV_OK is GL_NO_ERROR. */
enum {
    TEXENV_OK = 0,
    TEXENV_INVALID_ENUM = 0x0500,
    TEXENV_INVALID_VALUE = 0x0501,
    TEXENV_INVALID_OPERATION = 0x0502,
    TEXENV_STACK_OVERFLOW = 0x0503,
    TEXENV_STACK_UNDERFLOW = 0x0504
};

/* Texture targets in rising priority: the highest enabled one is the one a unit uses (3.8.15;
 * ARB_texture_rectangle puts RECTANGLE between 2D and 3D). */
enum texenv_target { TEXENV_1D, TEXENV_2D, TEXENV_RECT, TEXENV_3D, TEXENV_CUBE, TEXENV_TARGETS };

/* Base internal formats (3.8.1, table 3.15; RED and RG from ARB_texture_rg). What they give is in
 * notes/numbers.md. */
enum texenv_base {
    TEXENV_RGBA,
    TEXENV_BASE_RGB,
    TEXENV_BASE_ALPHA,
    TEXENV_LUMINANCE,
    TEXENV_LUMINANCE_ALPHA,
    TEXENV_INTENSITY,
    TEXENV_RED,
    TEXENV_RG,
    TEXENV_DEPTH,
    TEXENV_BASES
};

/* ------------------------------------------------------------------------------------------------
 * GL-side state
 */

/* What the environment needs to know of one texture object. All zero: no image, incomplete. */
struct texenv_texture {
    uint8_t complete; /* its target has an image at level 0 */
    uint8_t base;     /* enum texenv_base; TEXENV_DEPTH for depth textures */
    /* DEPTH_TEXTURE_MODE as enum texenv_base: LUMINANCE (initial; 0 means it too), INTENSITY, ALPHA or RED */
    uint8_t depth_mode;
    uint8_t compare; /* TEXTURE_COMPARE_MODE is COMPARE_R_TO_TEXTURE */
};

/* The TEXTURE_ENV state of one unit, as GL enumerants (6.2, table 6.20). */
struct texenv_env {
    uint32_t mode; /* TEXTURE_ENV_MODE */
    /* TEXTURE_ENV_COLOR, in [0,1]; NaN: not known (texenv_reader.open_values only) */
    float color[4];
    uint32_t combine[2]; /* COMBINE_RGB, COMBINE_ALPHA */
    uint32_t source[2][TEXENV_ARGS];
    uint32_t operand[2][TEXENV_ARGS];
    uint8_t scale[2]; /* RGB_SCALE, ALPHA_SCALE: 1, 2 or 4 */
};

struct texenv_unit {
    struct texenv_env env;
    uint8_t enabled;                               /* bit (1 << target): TEXTURE_1D ... are enabled */
    struct texenv_texture texture[TEXENV_TARGETS]; /* of the object bound to each target */
};

/* Programs that replace fixed-function texturing while they are in force (bits of struct texenv.programs). */
enum {
    TEXENV_PROGRAM_ARB = 1,            /* FRAGMENT_PROGRAM_ARB enabled (also NV_fragment_program) */
    TEXENV_PROGRAM_ATI = 2,            /* FRAGMENT_SHADER_ATI or TEXT_FRAGMENT_SHADER_ATI enabled */
    TEXENV_PROGRAM_COMBINERS = 4,      /* REGISTER_COMBINERS_NV enabled */
    TEXENV_PROGRAM_TEXTURE_SHADER = 8, /* TEXTURE_SHADER_NV enabled */
    TEXENV_PROGRAM_GLSL = 16,          /* a GLSL program is in use */
    TEXENV_PROGRAM_PIPELINE = 32       /* a program pipeline is bound (and no GLSL program in use) */
};

enum texenv_fog { TEXENV_FOG_OFF, TEXENV_FOG_LINEAR, TEXENV_FOG_EXP, TEXENV_FOG_EXP2 };

/* The alpha test (4.1.4): GL's comparison functions in GL's order, GL_NEVER + n being the one after NONE by n
 * + 1. */
enum texenv_compare {
    TEXENV_COMPARE_NONE, /* no test */
    TEXENV_NEVER,
    TEXENV_LESS,
    TEXENV_EQUAL,
    TEXENV_LEQUAL,
    TEXENV_GREATER,
    TEXENV_NOTEQUAL,
    TEXENV_GEQUAL,
    TEXENV_ALWAYS,
    TEXENV_COMPARES
};

/* The part of a GL context that decides what texturing computes. A plain value: assign it to take a snapshot.
 */
struct texenv {
    struct texenv_unit unit[TEXENV_UNITS];
    uint8_t active; /* ACTIVE_TEXTURE - TEXTURE0 */
    /* CLIENT_ACTIVE_TEXTURE - TEXTURE0 (recorded; texturing does not depend on it) */
    uint8_t client_active;
    uint8_t inside_begin;      /* between Begin and End */
    uint8_t color_sum;         /* COLOR_SUM enabled */
    uint8_t lighting;          /* LIGHTING enabled */
    uint8_t separate_specular; /* LIGHT_MODEL_COLOR_CONTROL is SEPARATE_SPECULAR_COLOR */
    uint8_t fog;               /* FOG enabled */
    uint8_t fog_mode;          /* enum texenv_fog, never OFF; initial EXP */
    uint8_t fog_coord;         /* FOG_COORDINATE_SOURCE is FOG_COORDINATE */
    uint8_t programs;          /* TEXENV_PROGRAM_* in force */
    uint8_t alpha_test;        /* ALPHA_TEST enabled */
    uint8_t alpha_func;        /* enum texenv_compare, never NONE; initial ALWAYS */
    float alpha_ref;           /* ALPHA_TEST_REF, in [0,1]; NaN: not known, as env.color */
    /* Of texenv_pack: bit u says that code[u] is that of unit u. Setters keep it so, or clear the bit;
     * whoever writes into `unit` otherwise (texenv_texture_image on a texture in it, too) clears all of them.
     * 0 is always right. */
    uint8_t packed;
    uint8_t units; /* the last one that is enabled, + 1 */
    uint64_t code[TEXENV_UNITS][2];
    uint64_t hash; /* of all codes */
};

/* Brings te->code, units and hash up to date. A code says in 16 bytes all that the unit's environment and
 * texture are but the environment colour; 0 for a unit that is not enabled. Equal codes of all units:
 * canonical states that are equal but for colours and what follows texturing (colour sum, fog, alpha test).
 * For caches (hwemit/cache.h): what did not change costs nothing. */
TEXENV_API void texenv_pack(struct texenv *te);

/* The initial state of a context (tables 6.x), with every extension of this project exposed and 8 units. */
TEXENV_API void texenv_init(struct texenv *te);

/* ActiveTexture (2.7): INVALID_ENUM unless texture is TEXTURE0 .. TEXTURE31; ClientActiveTexture: TEXTURE0 ..
 * TEXTURE7. INVALID_OPERATION inside Begin/End. */
TEXENV_API uint32_t texenv_active_texture(struct texenv *te, uint32_t texture);
TEXENV_API uint32_t texenv_client_active_texture(struct texenv *te, uint32_t texture);

/* Enable (on) and Disable (2.11 ...): the texture targets of the active unit, COLOR_SUM, LIGHTING, FOG,
 * ALPHA_TEST and the programs of TEXENV_PROGRAM_*. A capability that texturing does not depend on is accepted
 * and changes nothing (whether GL has it is not judged). INVALID_OPERATION inside Begin/End, and for a
 * texture target while the active unit is 8 or higher. */
TEXENV_API uint32_t texenv_enable(struct texenv *te, uint32_t cap, bool on);

/* TexEnv{i,f,iv,fv} on the active unit (3.8.13, EXT/ARB_texture_env_combine, ARB_texture_env_crossbar,
 * EXT/ARB_texture_env_dot3, ATI_texture_env_combine3, NV_texture_env_combine4).
 * target TEXTURE_ENV; TEXTURE_FILTER_CONTROL and POINT_SPRITE with their own pnames are accepted and change
 * nothing. params of the vector forms: 4 values for TEXTURE_ENV_COLOR, which are clamped to [0,1] (NaN to 0),
 * 1 otherwise. INVALID_ENUM: target, pname, or a value that the pname does not take. INVALID_VALUE: a scale
 * other than 1, 2, 4. INVALID_OPERATION: inside Begin/End; the active unit is 8 or higher. After an error the
 * state is as before.
 */
TEXENV_API uint32_t texenv_tex_env_i(struct texenv *te, uint32_t target, uint32_t pname, int32_t param);
TEXENV_API uint32_t texenv_tex_env_f(struct texenv *te, uint32_t target, uint32_t pname, float param);
TEXENV_API uint32_t texenv_tex_env_iv(struct texenv *te, uint32_t target, uint32_t pname,
                                      const int32_t *params);
TEXENV_API uint32_t texenv_tex_env_fv(struct texenv *te, uint32_t target, uint32_t pname,
                                      const float *params);

/* LightModel with pname LIGHT_MODEL_COLOR_CONTROL (2.14.3), Fog with FOG_MODE and FOG_COORDINATE_SOURCE
 * (3.10). Other pnames of these calls are accepted and change nothing. INVALID_ENUM for a bad value;
 * INVALID_OPERATION inside Begin/End. */
TEXENV_API uint32_t texenv_light_model_i(struct texenv *te, uint32_t pname, int32_t param);
TEXENV_API uint32_t texenv_fog_i(struct texenv *te, uint32_t pname, int32_t param);

/* AlphaFunc (4.1.4). ref is clamped to [0,1], NaN to 0. INVALID_ENUM for a func that is none of NEVER ..
 * ALWAYS; INVALID_OPERATION inside Begin/End. */
TEXENV_API uint32_t texenv_alpha_func(struct texenv *te, uint32_t func, float ref);

/* Begin, End (2.6.1). INVALID_OPERATION when nested or unmatched. mode is not judged. */
TEXENV_API uint32_t texenv_begin(struct texenv *te);
TEXENV_API uint32_t texenv_end(struct texenv *te);

/* UseProgram and BindProgramPipeline: with name 0 no program is in use. INVALID_OPERATION inside Begin/End.
 */
TEXENV_API uint32_t texenv_use_program(struct texenv *te, uint32_t name);
TEXENV_API uint32_t texenv_bind_pipeline(struct texenv *te, uint32_t name);

/* BindTexture to the active unit's target, by content: the caller knows the object behind the name. target is
 * a GL target (TEXTURE_2D ...). INVALID_ENUM for another target; INVALID_OPERATION inside Begin/End. texture
 * is copied; with unit 8 or higher active there is nothing to keep it for. */
TEXENV_API uint32_t texenv_bind_texture(struct texenv *te, uint32_t target,
                                        const struct texenv_texture *texture);

/* Changes of the texture object *t, for callers that keep objects.
 * TexImage, CopyTexImage, CompressedTexImage, TexStorage: an image of internal_format (any sized, unsized,
 * legacy 1..4, compressed or sRGB format, and those of OpenGL ES; 3.8.1) appears at level. INVALID_VALUE:
 * negative level or unknown internal format (t unchanged). TexParameter with DEPTH_TEXTURE_MODE and
 * TEXTURE_COMPARE_MODE; other pnames are accepted and change nothing. INVALID_ENUM: a bad value. */
TEXENV_API uint32_t texenv_texture_image(struct texenv_texture *t, int32_t level, uint32_t internal_format);
TEXENV_API uint32_t texenv_texture_parameter_i(struct texenv_texture *t, uint32_t pname, int32_t param);

/* The target (enum texenv_target) of a GL texture or texture image target: TEXTURE_2D, TEXTURE_CUBE_MAP,
 * TEXTURE_CUBE_MAP_POSITIVE_X ...; -1 if it is none, or a proxy. */
TEXENV_API int texenv_target_of(uint32_t gl_target);

/* The base format (enum texenv_base) of an internal format (see texenv_texture_image); -1 if unknown. */
TEXENV_API int texenv_base_of(uint32_t internal_format);

/* ------------------------------------------------------------------------------------------------
 * Canonical state
 *
 * What a draw computes, without what it does not depend on: unused arguments, the colour of a unit that reads
 * none of it, targets and formats of textures that nothing reads, inert scales and disabled units at the end
 * are gone, policies are applied. Equal bytes mean equal environments; the converse does not hold (commuted
 * arguments, a colour of which only a part is read). All padding is zero: memcmp compares, and the bytes may
 * be hashed.
 */

enum texenv_mode {             /* of a stage */
                   TEXENV_OFF, /* passes the previous result through (disabled, incomplete, or by policy) */
                   /* classic modes (3.8.13, tables 3.22, 3.23) */
                   TEXENV_REPLACE,
                   TEXENV_MODULATE,
                   TEXENV_DECAL,
                   TEXENV_BLEND,
                   TEXENV_ADD,
                   TEXENV_COMBINE,
                   TEXENV_COMBINE4
};

enum texenv_func {                       /* of a half of a COMBINE or COMBINE4 stage; arguments a0..a3 */
                   TEXENV_F_REPLACE,     /* a0 */
                   TEXENV_F_MODULATE,    /* a0*a1 */
                   TEXENV_F_ADD,         /* a0+a1 */
                   TEXENV_F_ADD_SIGNED,  /* a0+a1-1/2 */
                   TEXENV_F_INTERPOLATE, /* a0*a2 + a1*(1-a2) */
                   TEXENV_F_SUBTRACT,    /* a0-a1 */
                   TEXENV_F_DOT3_RGB,    /* 4*sum((a0-1/2)*(a1-1/2)); rgb only, as the three below */
                   TEXENV_F_DOT3_RGBA, /* same, also into alpha; the alpha half is not used but for its scale
                                        */
                   TEXENV_F_DOT3_RGB_EXT,        /* not scaled */
                   TEXENV_F_DOT3_RGBA_EXT,       /* not scaled */
                   TEXENV_F_MODULATE_ADD,        /* a0*a2+a1 */
                   TEXENV_F_MODULATE_SIGNED_ADD, /* a0*a2+a1-1/2 */
                   TEXENV_F_MODULATE_SUBTRACT,   /* a0*a2-a1 */
                   TEXENV_F_COMBINE4_ADD,        /* a0*a1+a2*a3 */
                   TEXENV_F_COMBINE4_ADD_SIGNED, /* a0*a1+a2*a3-1/2 */
                   TEXENV_FUNCS
};

/* How many arguments a function reads (1..4). */
TEXENV_API unsigned texenv_func_args(enum texenv_func func);
/* DOT3_RGBA or DOT3_RGBA_EXT: alpha comes from the rgb function. */
TEXENV_API bool texenv_func_writes_alpha(enum texenv_func func);

enum texenv_source {
    TEXENV_S_ZERO,
    TEXENV_S_ONE,
    TEXENV_S_TEXTURE,
    TEXENV_S_CONSTANT,
    TEXENV_S_PRIMARY,
    TEXENV_S_PREVIOUS,
    TEXENV_SOURCES
};

struct texenv_arg {
    uint8_t source;     /* enum texenv_source */
    uint8_t unit;       /* of TEXENV_S_TEXTURE: which unit's texel; else 0 */
    uint8_t complement; /* 1-x. Never set for ZERO and ONE: 1-0 is ONE */
    /* the source's alpha in every channel; always set in an alpha half, never for ZERO and ONE */
    uint8_t alpha;
};

struct texenv_half {
    uint8_t func;  /* enum texenv_func */
    uint8_t scale; /* 1, 2 or 4; 1 where inert */
    uint8_t pad[2];
    struct texenv_arg arg[TEXENV_ARGS]; /* zero beyond texenv_func_args() */
};

struct texenv_stage {
    uint8_t mode;   /* enum texenv_mode; everything below is 0 for OFF */
    uint8_t base;   /* enum texenv_base, depth resolved by its mode: never TEXENV_DEPTH */
    uint8_t target; /* enum texenv_target */
    uint8_t depth;  /* 1: a depth texture, 2: with shadow comparison */
    /* all zero for classic modes; [ALPHA] zero but for scale when [RGB] writes alpha */
    struct texenv_half half[2];
    /* environment colour; 0 if no component is read (never -0); NaN: not known, whose value programs have as
     * 0 (a uniform all the same) */
    float color[4];
};

struct texenv_state {
    struct texenv_stage stage[TEXENV_UNITS]; /* of unit 0, 1, ... */
    uint8_t nstages;                         /* last unit that is not OFF, + 1 */
    uint8_t color_sum;                       /* the secondary colour is added after the last stage (3.9) */
    uint8_t fog;                             /* enum texenv_fog: fog is applied after that (3.10) */
    uint8_t fog_coord;                       /* fog uses the fog coordinate, not the depth */
    uint8_t alpha_test;                      /* enum texenv_compare: the alpha test after that (4.1.4) */
    float alpha_ref;                         /* its reference; 0 where there is no test or it is NEVER */
};

/* Which components of a stage's environment colour are read: bit 0 rgb, bit 1 alpha. */
TEXENV_API unsigned texenv_stage_color_use(const struct texenv_stage *stage);
/* Which of them are not known: bit c for component c. */
TEXENV_API unsigned texenv_stage_color_unknown(const struct texenv_stage *stage);
/* Which units' texels the functions of stage number `unit` name (bit n: unit n), own texture of the classic
 * modes included. */
TEXENV_API unsigned texenv_stage_textures(const struct texenv_state *state, unsigned unit);

/* The functions of stage number `unit` in the terms of COMBINE, also for the classic modes (tables 3.22
 * and 3.23 by base format): half[0] and half[1] with their arguments. [ALPHA] of a function that writes alpha
 * is unused but for its scale. An OFF stage is REPLACE PREVIOUS in both. */
TEXENV_API void texenv_stage_halves(struct texenv_half half[2], const struct texenv_state *state,
                                    unsigned unit);

/* Readings of the specifications (notes/choices.md). All zero is the default. */
enum texenv_crossbar_off {
    TEXENV_CROSSBAR_DEFAULT,
    TEXENV_CROSSBAR_PASS,
    TEXENV_CROSSBAR_ONE,
    TEXENV_CROSSBAR_ZERO,
    TEXENV_CROSSBAR_REFUSE
};
enum texenv_dot3_alpha { TEXENV_DOT3_ALPHA_SCALE, TEXENV_DOT3_RGB_SCALE };
struct texenv_policy {
    uint8_t crossbar_off; /* enum texenv_crossbar_off */
    uint8_t dot3_alpha;   /* enum texenv_dot3_alpha */
};
/* Sets one policy from "NAME=VALUE". False (and *policy unchanged) if there is no such name or value. */
TEXENV_API bool texenv_policy_set(struct texenv_policy *policy, const char *text);

/* ------------------------------------------------------------------------------------------------
 * Diagnostics
 */

enum texenv_severity { TEXENV_NOTE, TEXENV_WARNING, TEXENV_ERROR };

/* Where in the input. line 0: no place. */
struct texenv_place {
    uint64_t call; /* call number of a trace; 0 otherwise */
    uint32_t line, column;
};

struct texenv_diag {
    enum texenv_severity severity;
    int unit; /* texture unit, or -1 */
    struct texenv_place place;
    /* static short name of the kind of problem, such as "crossbar-off"; stable, for machines */
    const char *code;
    char text[240]; /* one line, no full stop, no newline */
};

/* Receives diagnostics. report may be NULL: they are dropped. The diag is valid during the call only. */
struct texenv_sink {
    void (*report)(void *user, const struct texenv_diag *diag);
    void *user;
};

/* Formats into a diag and reports it. A small printf: %s %d %u %x %c %% and %.*s; text that does not fit is
 * cut. */
TEXENV_API void texenv_emit(const struct texenv_sink *sink, enum texenv_severity severity, int unit,
                            struct texenv_place place, const char *code, const char *format, ...);

/* Where each piece of state was last set: readers fill it, canonicalisation points diagnostics with it. */
enum texenv_slot {
    TEXENV_AT_ENABLE,
    TEXENV_AT_MODE,
    TEXENV_AT_COLOR,
    TEXENV_AT_IMAGE, /* per unit */
    TEXENV_AT_COMBINE_RGB,
    TEXENV_AT_COMBINE_ALPHA,
    TEXENV_AT_SCALE_RGB,
    TEXENV_AT_SCALE_ALPHA,
    TEXENV_AT_SOURCE_RGB, /* 4: Arg0..3 */
    TEXENV_AT_SOURCE_ALPHA = TEXENV_AT_SOURCE_RGB + TEXENV_ARGS,
    TEXENV_AT_OPERAND_RGB = TEXENV_AT_SOURCE_ALPHA + TEXENV_ARGS,
    TEXENV_AT_OPERAND_ALPHA = TEXENV_AT_OPERAND_RGB + TEXENV_ARGS,
    TEXENV_SLOTS = TEXENV_AT_OPERAND_ALPHA + TEXENV_ARGS
};
struct texenv_places {
    struct texenv_place draw; /* the draw, or the end of the input */
    struct texenv_place slot[TEXENV_UNITS][TEXENV_SLOTS];
};
/* The slot that a TexEnv pname sets; -1 if none. */
TEXENV_API int texenv_slot_of(uint32_t pname);

/* Reduces the GL-side state to what a draw computes. `textures_complete`: take every texture that has no
 * image for a complete RGBA one (scripts without images). policy NULL: defaults. places, sink NULL: none.
 * Returns false if a policy refuses the state (an ERROR diagnostic says why; *out is then not to be used).
 * Warnings name what the specifications leave undefined and what has no effect. Programs in force
 * (te->programs) are the caller's to look at. */
TEXENV_API bool texenv_canonicalise(struct texenv_state *out, const struct texenv *te,
                                    const struct texenv_policy *policy, bool textures_complete,
                                    const struct texenv_places *places, const struct texenv_sink *sink);

/* ------------------------------------------------------------------------------------------------
 * Output of text
 */

/* A bounded text buffer over the caller's storage. Text that does not fit is counted but not stored. */
struct texenv_text {
    char *data;    /* always ends in NUL if size > 0 */
    size_t size;   /* of data */
    size_t length; /* of the whole text; >= size: it did not fit */
};
TEXENV_API void texenv_text_init(struct texenv_text *text, char *data, size_t size);
/* Appends n bytes. */
TEXENV_API void texenv_text_add(struct texenv_text *text, const char *s, size_t n);
/* Appends formatted text: the printf of texenv_emit, and %f: a float (passed as double) as the shortest
 * decimal that reads back. */
TEXENV_API void texenv_printf(struct texenv_text *text, const char *format, ...);
TEXENV_API void texenv_vprintf(struct texenv_text *text, const char *format, va_list args);

/* Reads a decimal number ([0-9.][eE]) at s, at most n bytes, correctly rounded to double for up to 19 digits
 * and moderate exponents (else within one unit in the last place). Returns how many bytes it took; 0: no
 * number. Independent of the locale. */
TEXENV_API size_t texenv_scan_number(double *value, const char *s, size_t n);

/* Canonical texts (notes/formats/gl.md, notes/formats/stages.md). state must come from
 * texenv_canonicalise. */
TEXENV_API void texenv_print_gl(struct texenv_text *text, const struct texenv_state *state);
TEXENV_API void texenv_print_stages(struct texenv_text *text, const struct texenv_state *state);
/* One stage of the notation, braces included, without settings: "{T0*P}*2". */
TEXENV_API void texenv_print_stage(struct texenv_text *text, const struct texenv_state *state, unsigned unit);
/* A stage as people write formulas: "rgb = 2*(T0*P)", for half TEXENV_RGB or TEXENV_ALPHA, result before the
 * clamp. */
TEXENV_API void texenv_print_formula(struct texenv_text *text, const struct texenv_state *state,
                                     unsigned unit, unsigned half);
/* A size that the texts of every canonical state fit into. */
#define TEXENV_TEXT_MAX 32768

/* ------------------------------------------------------------------------------------------------
 * Readers
 *
 * A reader calls on_draw for each state that the input yields. Diagnostics go to the sink: ERROR means that
 * the input cannot be understood from there on; a GL error is a WARNING with the call's place.
 */

/* realloc-like: size 0 frees p and returns NULL; NULL for size > 0 means no memory (the reader stops with an
 * error). */
struct texenv_memory {
    void *(*resize)(void *user, void *p, size_t size);
    void *user;
};

/* What of a draw is in neither half, and shader pairs contain (fragprog/pair.h). All zero: nothing. */
struct texenv_raster {
    uint8_t flat;        /* SHADE_MODEL is FLAT, and something else than points is drawn */
    uint8_t clip_planes; /* bit n: CLIP_PLANEn is enabled */
    uint8_t points;      /* points are drawn */
    uint8_t sprites;     /* bit n: the coordinates of unit n are those within the point (COORD_REPLACE) */
    uint8_t lower_left;  /* these begin at the lower left (POINT_SPRITE_COORD_ORIGIN); 0xff: not known */
    uint8_t radial_fog;  /* fog is of the distance from the eye (NV_fog_distance) */
};

struct texenv_vertex;
struct texenv_values_gl;
struct texenv_texture_info;
struct texenv_draw {
    const struct texenv *te;            /* at the draw; te->programs is 0 */
    const struct texenv_places *places; /* valid during the call, as te */
    /* The vertex half (texenv/vertex.h), canonical, of all coordinate sets: texenv_vertex_restrict takes out
     * what the environment does not read. NULL: vertex_refused says why it has none. */
    const struct texenv_vertex *vertex;
    const char *vertex_refused;
    struct texenv_raster raster; /* which vertex programs by themselves have not */
    /* GL's values (texenv/values.h), NaN where not known: the current colour is not followed, nor is what
     * materials take of it. NULL: none is known (vertex_refused says why), or the input has none. */
    const struct texenv_values_gl *values;
    /* Of each unit the texture that it uses (texenv/values.h), NULL: none. NULL: no unit has one. */
    const struct texenv_texture_info *const *textures;
    /* false: nothing changed since the previous on_draw of this reader (traces: of the same context) */
    bool changed;
    bool no_images; /* so far, no texture image was specified in the whole input */
};

/* A call of GL_ATI_fragment_shader, for who wants those (texenv_reader.on_call). Valid during the call. */
enum texenv_argument_kind {
    /* no constant, or a call inside of another statement, whose arguments are not read */
    TEXENV_ARGUMENT_UNKNOWN,
    TEXENV_ARGUMENT_NAME, /* GL_... that is not known here */
    TEXENV_ARGUMENT_INTEGER,
    TEXENV_ARGUMENT_REAL,
    TEXENV_ARGUMENT_ARRAY
};
struct texenv_argument {
    uint8_t kind;     /* enum texenv_argument_kind */
    uint8_t count;    /* ARRAY: how many of item there are, at most 4 */
    const char *name; /* as in the GL registry */
    const char *text; /* as it stands in the input, length bytes; NULL: it does not */
    uint32_t length;
    int64_t integer; /* INTEGER */
    double item[4];  /* REAL: the first; ARRAY */
    struct texenv_place place;
};
struct texenv_call {
    const char *name; /* without "gl" and "ATI" */
    const struct texenv_argument *arg;
    unsigned args;
    struct texenv_place place;
};

struct texenv_reader {
    struct texenv_memory memory; /* not used by texenv_read_stages */
    struct texenv_sink sink;
    /* Return false to stop reading (not an error). */
    bool (*on_draw)(void *user, const struct texenv_draw *draw);
    void *user;
    /* If not NULL: the calls of GL_ATI_fragment_shader are wanted, and no states. Scripts and traces. Return
     * false to stop reading. */
    bool (*on_call)(void *user, const struct texenv_call *call);
    /* Scripts: what may change texturing and is not followed (wrappers, macros, names that are no GL call) is
     * a warning, else an error. */
    bool lenient;
    /* What GL does beside texturing (texture coordinate generation, texture matrices, lighting) is lost in
     * the output of the caller: a warning, else a note. */
    bool lost_beside;
    /* The output has the vertex half (these three) or the alpha test: neither a warning nor a note. */
    bool has_vertex, has_alpha_test;
    struct texenv_raster has_raster; /* bits of what it has */
    /* In scripts, an environment colour, a component of it or the reference of the alpha test that is no
     * constant becomes NaN, with a note. False: it is an error (the reference: 0, with a note). */
    bool open_values;
    /* Filled by the reader. */
    uint64_t draws;         /* states yielded */
    uint64_t program_draws; /* draws under a program: not yielded */
    uint64_t skipped;       /* calls that texturing does not depend on */
    uint64_t errors;        /* ERROR diagnostics; 0 if the input was understood */
    uint64_t gl_errors;     /* calls that GL would have refused */
    /* texture images specified; 0: the states have to be canonicalised with textures_complete */
    uint64_t images;
    bool truncated; /* trace: the last record was cut off */
};

/* A GL-call script (notes/formats/gl.md), whole in memory. Reading goes on after an error with the next
 * statement, so that several errors are shown; at most 20. */
TEXENV_API void texenv_read_gl(struct texenv_reader *reader, const char *text, size_t length);

/* The stage notation (notes/formats/stages.md). Every line is a state. */
TEXENV_API void texenv_read_stages(struct texenv_reader *reader, const char *text, size_t length);

/* The text of `apitrace dump` (notes/formats/apitrace.md), in pieces of any size. open returns NULL without
 * memory; *reader is used until close. feed and close return false once reading has stopped (on_draw said so,
 * or no memory). close treats the end of the text and frees the trace. */
struct texenv_trace;
TEXENV_API struct texenv_trace *texenv_trace_open(struct texenv_reader *reader);
TEXENV_API bool texenv_trace_feed(struct texenv_trace *trace, const char *text, size_t length);
TEXENV_API bool texenv_trace_close(struct texenv_trace *trace);

/* Which form a text has, by its first bytes (4096 are plenty): "gl", "apitrace", "stages", "ir", "atifs",
 * "arbfp". */
TEXENV_API const char *texenv_guess_form(const char *text, size_t length);

/* GL names without their "GL_": the token of this name, of all that OpenGL and OpenGL ES have (any known
 * vendor suffix; "GL_" may lead), or -1.
 * texenv_token_name gives the preferred name, with "GL_", of a value of the texture environment, or NULL. */
TEXENV_API int64_t texenv_token(const char *name, size_t length);
TEXENV_API const char *texenv_token_name(uint32_t value);

/* The name of a GL error ("GL_INVALID_ENUM"; of TEXENV_OK "GL_NO_ERROR"), or NULL if it is none. Any thread.
 */
TEXENV_API const char *texenv_error_name(uint32_t error);

#ifdef __cplusplus
}
#endif
#endif
