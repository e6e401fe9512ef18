/* texenv - fixed-function texture environments: state, readers, printers.
 *
 * This header is the manual of the layer. It holds four things:
 *
 *   struct texenv        the texture-environment part of a GL context, changed by setters that mirror GL
 *   struct texenv_state  one canonical texture environment: what a draw computes, and nothing else
 *   readers              turn GL calls, apitrace dumps or stage notation into the struct texenv of each draw
 *   printers             turn a struct texenv_state into GL calls or stage notation
 *
 * Section numbers without a name are those of the OpenGL 2.1 specification; the choices where specifications
 * disagree are listed in notes/choices.md, the text formats in notes/formats.md.
 *
 * Conventions of every function here:
 *   - No allocation, no input or output, no writable globals, no use of the locale, no abort. Only readers of
 *     traces and scripts need tables of unbounded size (texture names, display lists); they allocate through
 *     struct texenv_memory.
 *   - Thread safety: functions may run at the same time on different objects; nothing is shared.
 *   - Pointers are not kept after the call returns unless the function says so.
 *   - GL enumerants are passed as uint32_t with the values of the OpenGL headers; no GL header is needed.
 *   - GL enumerants and input texts are checked: an invalid one is an error. Structures, and values of the
 *     enumerations of these headers, are trusted to be valid.
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

/* Marks the functions of the public headers, which a shared library exports. TEXENV_SHARED is set for
 * everything that builds or uses a shared library (by CMake and pkg-config), TEXENV_BUILDING only while the
 * library itself is built. */
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
/* The version as one number, so that #if can compare versions. */
#define TEXENV_VERSION_NUMBER \
    (TEXENV_VERSION_MAJOR * 10000 + TEXENV_VERSION_MINOR * 100 + TEXENV_VERSION_PATCH)
/* The version as text: "0.2.0". */
#define TEXENV_VERSION TEXENV_DOTTED(TEXENV_VERSION_MAJOR, TEXENV_VERSION_MINOR, TEXENV_VERSION_PATCH)
#define TEXENV_DOTTED(major, minor, patch) TEXENV_QUOTED(major.minor.patch)
#define TEXENV_QUOTED(text) #text

/* Returns the version of the linked or loaded library: TEXENV_VERSION_NUMBER and TEXENV_VERSION as it was
 * built. */
TEXENV_API uint32_t texenv_version_number(void);
TEXENV_API const char *texenv_version(void);

#define TEXENV_UNITS 8 /* texture units with an environment (MAX_TEXTURE_UNITS) */
/* units that ActiveTexture can select (MAX_COMBINED_TEXTURE_IMAGE_UNITS); only shaders use those above 7 */
#define TEXENV_IMAGE_UNITS 32
#define TEXENV_ARGS 4 /* argument slots of a combiner (NV_texture_env_combine4) */

/* The halves of a unit: the colour (rgb) and the alpha combiner. They are the indexes of every [2] below. */
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

/* Texture targets in rising priority: a unit uses the highest enabled target (3.8.15; ARB_texture_rectangle
 * puts RECTANGLE between 2D and 3D). */
enum texenv_target { TEXENV_1D, TEXENV_2D, TEXENV_RECT, TEXENV_3D, TEXENV_CUBE, TEXENV_TARGETS };

/* Base internal formats (3.8.1, table 3.15; RED and RG from ARB_texture_rg). notes/numbers.md says which
 * components each base format gives a texel. */
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

/* The properties of a texture object that texturing depends on. All zero: it has no image (incomplete). */
struct texenv_texture {
    uint8_t complete; /* its target has an image at level 0 */
    uint8_t base;     /* enum texenv_base; TEXENV_DEPTH for depth textures */
    /* DEPTH_TEXTURE_MODE as enum texenv_base: LUMINANCE (initially; also 0), INTENSITY, ALPHA or RED */
    uint8_t depth_mode;
    uint8_t compare; /* TEXTURE_COMPARE_MODE is COMPARE_R_TO_TEXTURE */
};

/* The TEXTURE_ENV state of one unit as GL enumerants (6.2, table 6.20). */
struct texenv_env {
    uint32_t mode; /* TEXTURE_ENV_MODE */
    /* TEXTURE_ENV_COLOR, in [0,1]; NaN if not known, which only texenv_reader.open_values allows */
    float color[4];
    uint32_t combine[2]; /* COMBINE_RGB, COMBINE_ALPHA */
    uint32_t source[2][TEXENV_ARGS];
    uint32_t operand[2][TEXENV_ARGS];
    uint8_t scale[2]; /* RGB_SCALE, ALPHA_SCALE: 1, 2 or 4 */
};

struct texenv_unit {
    struct texenv_env env;
    uint8_t enabled;                               /* bit (1 << target): this target is enabled */
    struct texenv_texture texture[TEXENV_TARGETS]; /* properties of the object bound to each target */
};

/* Programs that replace fixed-function texturing while they are in use (bits of struct texenv.programs). */
enum {
    TEXENV_PROGRAM_ARB = 1,            /* FRAGMENT_PROGRAM_ARB enabled (also NV_fragment_program) */
    TEXENV_PROGRAM_ATI = 2,            /* FRAGMENT_SHADER_ATI or TEXT_FRAGMENT_SHADER_ATI enabled */
    TEXENV_PROGRAM_COMBINERS = 4,      /* REGISTER_COMBINERS_NV enabled */
    TEXENV_PROGRAM_TEXTURE_SHADER = 8, /* TEXTURE_SHADER_NV enabled */
    TEXENV_PROGRAM_GLSL = 16,          /* a GLSL program is in use */
    TEXENV_PROGRAM_PIPELINE = 32       /* a program pipeline is bound (and no GLSL program in use) */
};

enum texenv_fog { TEXENV_FOG_OFF, TEXENV_FOG_LINEAR, TEXENV_FOG_EXP, TEXENV_FOG_EXP2 };

/* The alpha test (4.1.4). The comparison functions are in GL's order: GL_NEVER + n is TEXENV_NEVER + n. */
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

/* The part of a GL context that determines what texturing computes. Assign it to take a snapshot. */
struct texenv {
    struct texenv_unit unit[TEXENV_UNITS];
    uint8_t active; /* ACTIVE_TEXTURE - TEXTURE0 */
    /* CLIENT_ACTIVE_TEXTURE - TEXTURE0 (stored only; texturing does not depend on it) */
    uint8_t client_active;
    uint8_t inside_begin;      /* between Begin and End */
    uint8_t color_sum;         /* COLOR_SUM enabled */
    uint8_t lighting;          /* LIGHTING enabled */
    uint8_t separate_specular; /* LIGHT_MODEL_COLOR_CONTROL is SEPARATE_SPECULAR_COLOR */
    uint8_t fog;               /* FOG enabled */
    uint8_t fog_mode;          /* enum texenv_fog, never OFF; initial EXP */
    uint8_t fog_coord;         /* FOG_COORDINATE_SOURCE is FOG_COORDINATE */
    uint8_t programs;          /* TEXENV_PROGRAM_* bits of the programs that replace texturing */
    uint8_t alpha_test;        /* ALPHA_TEST enabled */
    uint8_t alpha_func;        /* enum texenv_compare, never NONE; initial ALWAYS */
    float alpha_ref;           /* ALPHA_TEST_REF, in [0,1]; NaN: not known, as env.color */
    /* State of texenv_pack: bit u is set while code[u] is up to date for unit u. Setters update the code or
     * clear the bit. Whoever writes into `unit` without a setter (also by texenv_texture_image on one of its
     * textures) must clear all bits. 0 is always valid. */
    uint8_t packed;
    uint8_t units; /* 1 + the number of the last enabled unit */
    uint64_t code[TEXENV_UNITS][2];
    uint64_t hash; /* hash of the codes of all units */
};

/* Brings te->code, units and hash up to date. The 16 bytes of a code determine everything of the unit's
 * environment and texture except the environment colour; the code of a unit that is not enabled is 0. If the
 * codes of all units are equal, the canonical states are equal except for colours and what follows texturing
 * (colour sum, fog, alpha test). Used by caches (hwemit/cache.h); units that did not change cost no time. */
TEXENV_API void texenv_pack(struct texenv *te);

/* Sets the initial state of a context (tables 6.x), with 8 units and all extensions known here. */
TEXENV_API void texenv_init(struct texenv *te);

/* ActiveTexture (2.7) accepts TEXTURE0 .. TEXTURE31, ClientActiveTexture TEXTURE0 .. TEXTURE7; INVALID_ENUM
 * for other values. INVALID_OPERATION inside Begin/End. */
TEXENV_API uint32_t texenv_active_texture(struct texenv *te, uint32_t texture);
TEXENV_API uint32_t texenv_client_active_texture(struct texenv *te, uint32_t texture);

/* Enable (on) and Disable (2.11 ...): the texture targets of the active unit, COLOR_SUM, LIGHTING, FOG,
 * ALPHA_TEST and the programs of TEXENV_PROGRAM_*. A capability that texturing does not depend on is accepted
 * and changes nothing, even if GL does not know it. INVALID_OPERATION inside Begin/End, and for a texture
 * target while the active unit is 8 or higher. */
TEXENV_API uint32_t texenv_enable(struct texenv *te, uint32_t cap, bool on);

/* TexEnv{i,f,iv,fv} on the active unit (3.8.13, EXT/ARB_texture_env_combine, ARB_texture_env_crossbar,
 * EXT/ARB_texture_env_dot3, ATI_texture_env_combine3, NV_texture_env_combine4).
 * target TEXTURE_ENV; TEXTURE_FILTER_CONTROL and POINT_SPRITE with their own pnames are accepted and change
 * nothing. params of the vector variants has 4 values for TEXTURE_ENV_COLOR, which are clamped to [0,1] (NaN
 * to 0), and one value for other pnames. INVALID_ENUM: unknown target or pname, or a value that the pname
 * does not accept. INVALID_VALUE: a scale other than 1, 2, 4. INVALID_OPERATION: inside Begin/End, or the
 * active unit is 8 or higher. After an error the state is unchanged.
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

/* AlphaFunc (4.1.4). ref is clamped to [0,1], NaN to 0. INVALID_ENUM unless func is one of NEVER .. ALWAYS;
 * INVALID_OPERATION inside Begin/End. */
TEXENV_API uint32_t texenv_alpha_func(struct texenv *te, uint32_t func, float ref);

/* Begin, End (2.6.1). INVALID_OPERATION when nested or unmatched. The mode of Begin is not checked. */
TEXENV_API uint32_t texenv_begin(struct texenv *te);
TEXENV_API uint32_t texenv_end(struct texenv *te);

/* UseProgram and BindProgramPipeline. Name 0: no program is in use. INVALID_OPERATION inside Begin/End. */
TEXENV_API uint32_t texenv_use_program(struct texenv *te, uint32_t name);
TEXENV_API uint32_t texenv_bind_pipeline(struct texenv *te, uint32_t name);

/* BindTexture on the active unit. GL names the texture object; here the caller, who knows the object, passes
 * its properties, which are copied. target is a GL target (TEXTURE_2D ...). INVALID_ENUM for an unknown
 * target; INVALID_OPERATION inside Begin/End. While unit 8 or higher is active, nothing is stored. */
TEXENV_API uint32_t texenv_bind_texture(struct texenv *te, uint32_t target,
                                        const struct texenv_texture *texture);

/* Setters of a texture object *t, for callers that keep texture objects. texenv_texture_image is TexImage,
 * CopyTexImage, CompressedTexImage or TexStorage: the object gets an image of internal_format at `level`. Any
 * sized, unsized, legacy (1..4), compressed or sRGB format is known, and those of OpenGL ES (3.8.1).
 * INVALID_VALUE: negative level or unknown internal format; *t is then unchanged. texenv_texture_parameter_i
 * is TexParameter with DEPTH_TEXTURE_MODE and TEXTURE_COMPARE_MODE; other pnames are accepted and change
 * nothing. INVALID_ENUM: an invalid value. */
TEXENV_API uint32_t texenv_texture_image(struct texenv_texture *t, int32_t level, uint32_t internal_format);
TEXENV_API uint32_t texenv_texture_parameter_i(struct texenv_texture *t, uint32_t pname, int32_t param);

/* Returns the target (enum texenv_target) of a GL texture target or image target: TEXTURE_2D,
 * TEXTURE_CUBE_MAP, TEXTURE_CUBE_MAP_POSITIVE_X ...; -1 for a proxy or any other enumerant. */
TEXENV_API int texenv_target_of(uint32_t gl_target);

/* Returns the base format (enum texenv_base) of an internal format (texenv_texture_image); -1 if unknown. */
TEXENV_API int texenv_base_of(uint32_t internal_format);

/* ------------------------------------------------------------------------------------------------
 * Canonical state
 *
 * What a draw computes, after policies have been applied. Whatever does not influence the result is removed:
 * unused arguments, the colour of a unit that does not read it, targets and formats of textures that are not
 * read, scales without effect, and disabled units at the end. Equal bytes mean equal environments; the
 * converse does not hold (commuted arguments, a colour of which only a part is read). All padding is zero, so
 * states can be compared with memcmp and hashed as bytes.
 */

/* The mode of a stage. */
enum texenv_mode {
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

/* The function of one half of a COMBINE or COMBINE4 stage, with arguments a0..a3. */
enum texenv_func {
    TEXENV_F_REPLACE,             /* a0 */
    TEXENV_F_MODULATE,            /* a0*a1 */
    TEXENV_F_ADD,                 /* a0+a1 */
    TEXENV_F_ADD_SIGNED,          /* a0+a1-1/2 */
    TEXENV_F_INTERPOLATE,         /* a0*a2 + a1*(1-a2) */
    TEXENV_F_SUBTRACT,            /* a0-a1 */
    TEXENV_F_DOT3_RGB,            /* 4*sum((a0-1/2)*(a1-1/2)); this and the next three: rgb only */
    TEXENV_F_DOT3_RGBA,           /* also writes alpha; the alpha half only gives the scale */
    TEXENV_F_DOT3_RGB_EXT,        /* DOT3_RGB without scale */
    TEXENV_F_DOT3_RGBA_EXT,       /* DOT3_RGBA without scale */
    TEXENV_F_MODULATE_ADD,        /* a0*a2+a1 */
    TEXENV_F_MODULATE_SIGNED_ADD, /* a0*a2+a1-1/2 */
    TEXENV_F_MODULATE_SUBTRACT,   /* a0*a2-a1 */
    TEXENV_F_COMBINE4_ADD,        /* a0*a1+a2*a3 */
    TEXENV_F_COMBINE4_ADD_SIGNED, /* a0*a1+a2*a3-1/2 */
    TEXENV_FUNCS
};

/* Returns the number of arguments that a function reads (1..4). */
TEXENV_API unsigned texenv_func_args(enum texenv_func func);
/* Returns whether the rgb function also computes alpha (DOT3_RGBA, DOT3_RGBA_EXT). */
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
    uint8_t unit;       /* for TEXENV_S_TEXTURE the unit whose texel is read, else 0 */
    uint8_t complement; /* the argument is 1-x; never set for ZERO and ONE, since 1-ZERO is ONE */
    /* every channel reads the source's alpha; always set in an alpha half, never for ZERO and ONE */
    uint8_t alpha;
};

struct texenv_half {
    uint8_t func;  /* enum texenv_func */
    uint8_t scale; /* 1, 2 or 4; 1 if it has no effect */
    uint8_t pad[2];
    struct texenv_arg arg[TEXENV_ARGS]; /* zero beyond texenv_func_args() */
};

struct texenv_stage {
    uint8_t mode;   /* enum texenv_mode; if OFF, all members below are 0 */
    uint8_t base;   /* enum texenv_base; for a depth texture that of its depth mode */
    uint8_t target; /* enum texenv_target */
    uint8_t depth;  /* 1: depth texture; 2: depth texture with shadow comparison; else 0 */
    /* all zero for classic modes; if rgb writes alpha, half[TEXENV_ALPHA] is zero except for scale */
    struct texenv_half half[2];
    /* Environment colour: all zero if no component is read, never -0. NaN: not known; compiled programs
     * contain 0 instead, but the colour stays a uniform that can be set. */
    float color[4];
};

struct texenv_state {
    struct texenv_stage stage[TEXENV_UNITS]; /* indexed by unit */
    uint8_t nstages;                         /* 1 + the number of the last unit that is not OFF */
    uint8_t color_sum;                       /* the secondary colour is added after the last stage (3.9) */
    uint8_t fog;                             /* enum texenv_fog: fog is applied after the colour sum (3.10) */
    uint8_t fog_coord;                       /* whether fog uses the fog coordinate instead of the depth */
    uint8_t alpha_test;                      /* enum texenv_compare: the alpha test comes after fog (4.1.4) */
    float alpha_ref;                         /* the test's reference; 0 if there is no test or it is NEVER */
};

/* Returns which components of the environment colour a stage reads: bit 0 rgb, bit 1 alpha. */
TEXENV_API unsigned texenv_stage_color_use(const struct texenv_stage *stage);
/* Returns which of the components that are read are not known: bit c for component c. */
TEXENV_API unsigned texenv_stage_color_unknown(const struct texenv_stage *stage);
/* Returns the units whose texels stage number `unit` reads (bit n: unit n). Classic modes read their own. */
TEXENV_API unsigned texenv_stage_textures(const struct texenv_state *state, unsigned unit);

/* Expresses stage number `unit` in functions of COMBINE, also for the classic modes (tables 3.22 and 3.23 by
 * base format). If the rgb function writes alpha, half[TEXENV_ALPHA] is unused except for its scale. The
 * result for an OFF stage is REPLACE(PREVIOUS) in both halves. */
TEXENV_API void texenv_stage_halves(struct texenv_half half[2], const struct texenv_state *state,
                                    unsigned unit);

/* Choices where specifications are unclear or disagree (notes/choices.md). All zero is the default. */
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
/* Sets one policy from "NAME=VALUE". Returns false, and changes nothing, for an unknown name or value. */
TEXENV_API bool texenv_policy_set(struct texenv_policy *policy, const char *text);

/* ------------------------------------------------------------------------------------------------
 * Diagnostics
 */

enum texenv_severity { TEXENV_NOTE, TEXENV_WARNING, TEXENV_ERROR };

/* A position in the input. line 0 means that there is none. */
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

/* Receives diagnostics; report NULL: they are dropped. The diag is valid only during the call. */
struct texenv_sink {
    void (*report)(void *user, const struct texenv_diag *diag);
    void *user;
};

/* Formats a message into a diag and reports it. The format is that of a small printf: %s %d %u %x %c %% and
 * %.*s. Text that does not fit is cut. */
TEXENV_API void texenv_emit(const struct texenv_sink *sink, enum texenv_severity severity, int unit,
                            struct texenv_place place, const char *code, const char *format, ...);

/* The pieces of state of a unit. For each one readers remember the position in the input where it was set, so
 * that diagnostics of canonicalisation can point there. */
enum texenv_slot {
    TEXENV_AT_ENABLE,
    TEXENV_AT_MODE,
    TEXENV_AT_COLOR,
    TEXENV_AT_IMAGE,
    TEXENV_AT_COMBINE_RGB,
    TEXENV_AT_COMBINE_ALPHA,
    TEXENV_AT_SCALE_RGB,
    TEXENV_AT_SCALE_ALPHA,
    TEXENV_AT_SOURCE_RGB, /* TEXENV_ARGS slots, for Arg0..3; so for the following ones */
    TEXENV_AT_SOURCE_ALPHA = TEXENV_AT_SOURCE_RGB + TEXENV_ARGS,
    TEXENV_AT_OPERAND_RGB = TEXENV_AT_SOURCE_ALPHA + TEXENV_ARGS,
    TEXENV_AT_OPERAND_ALPHA = TEXENV_AT_OPERAND_RGB + TEXENV_ARGS,
    TEXENV_SLOTS = TEXENV_AT_OPERAND_ALPHA + TEXENV_ARGS
};
struct texenv_places {
    struct texenv_place draw; /* the draw call, or the end of the input */
    struct texenv_place slot[TEXENV_UNITS][TEXENV_SLOTS];
};
/* Returns the slot that a TexEnv pname sets; -1 for an unknown pname. */
TEXENV_API int texenv_slot_of(uint32_t pname);

/* Reduces the GL-side state to the canonical state, which describes what a draw computes. textures_complete:
 * treat a texture without image as a complete RGBA texture (for scripts that define no images). policy NULL:
 * the defaults; places and sink may be NULL. Returns false if a policy refuses the state; an ERROR diagnostic
 * then says why, and *out must not be used. Warnings name settings without effect or with undefined results.
 * te->programs is ignored: the caller must check whether a program replaces texturing. */
TEXENV_API bool texenv_canonicalise(struct texenv_state *out, const struct texenv *te,
                                    const struct texenv_policy *policy, bool textures_complete,
                                    const struct texenv_places *places, const struct texenv_sink *sink);

/* ------------------------------------------------------------------------------------------------
 * Output of text
 */

/* A bounded text buffer in the caller's storage. Text that does not fit is counted but not stored. */
struct texenv_text {
    char *data;    /* always terminated by NUL if size > 0 */
    size_t size;   /* size of data in bytes */
    size_t length; /* length of the complete text; if >= size, text was cut */
};
TEXENV_API void texenv_text_init(struct texenv_text *text, char *data, size_t size);
TEXENV_API void texenv_text_add(struct texenv_text *text, const char *s, size_t n);
/* Appends formatted text: the conversions of texenv_emit, and %f, which prints a float (passed as double) as
 * the shortest decimal that reads back to the same float. */
TEXENV_API void texenv_printf(struct texenv_text *text, const char *format, ...);
TEXENV_API void texenv_vprintf(struct texenv_text *text, const char *format, va_list args);

/* Read a decimal number ([0-9.][eE]) of at most n bytes at s, independent of the locale. The double is
 * rounded correctly for up to 19 digits and moderate exponents, else within one unit in the last place; the
 * float is nearest to the double, or infinity. Return the number of bytes read; 0 if there is no number. */
TEXENV_API size_t texenv_scan_number(double *value, const char *s, size_t n);
TEXENV_API size_t texenv_scan_float(float *value, const char *s, size_t n);

/* Print canonical texts (notes/formats/gl.md, .../stages.md). state must come from texenv_canonicalise. */
TEXENV_API void texenv_print_gl(struct texenv_text *text, const struct texenv_state *state);
TEXENV_API void texenv_print_stages(struct texenv_text *text, const struct texenv_state *state);
/* Prints one stage in stage notation, braces included, without settings: "{T0*P}*2". */
TEXENV_API void texenv_print_stage(struct texenv_text *text, const struct texenv_state *state, unsigned unit);
/* Prints a half (TEXENV_RGB or TEXENV_ALPHA) of a stage as a formula before the clamp: "rgb = 2*(T0*P)". */
TEXENV_API void texenv_print_formula(struct texenv_text *text, const struct texenv_state *state,
                                     unsigned unit, unsigned half);
/* A buffer of this size holds the text of any canonical state. */
#define TEXENV_TEXT_MAX 32768

/* ------------------------------------------------------------------------------------------------
 * Readers
 *
 * A reader calls on_draw for each state that the input contains. Diagnostics are sent to the sink. ERROR
 * means that the input cannot be understood from there on; a call that causes a GL error is a WARNING.
 */

/* Works like realloc: size 0 frees p and returns NULL. NULL for size > 0 means that memory is exhausted; the
 * reader then stops with an error. */
struct texenv_memory {
    void *(*resize)(void *user, void *p, size_t size);
    void *user;
};

/* State of a draw that belongs neither to the vertex half nor to the fragment half but influences shader
 * pairs (fragprog/pair.h). All zero is the initial state. */
struct texenv_raster {
    uint8_t flat;        /* SHADE_MODEL is FLAT, and the primitives are not points */
    uint8_t clip_planes; /* bit n: CLIP_PLANEn is enabled */
    uint8_t points;      /* whether points are drawn */
    uint8_t sprites;     /* bit n: unit n gets the coordinates within the point sprite (COORD_REPLACE) */
    uint8_t lower_left;  /* POINT_SPRITE_COORD_ORIGIN is LOWER_LEFT; 0xff: not known */
    uint8_t radial_fog;  /* fog uses the distance from the eye instead of the depth (NV_fog_distance) */
};

struct texenv_vertex;
struct texenv_values_gl;
struct texenv_texture_info;
struct texenv_draw {
    const struct texenv *te;            /* the state at the draw; te->programs is 0 */
    const struct texenv_places *places; /* valid during the call, as is te */
    /* The canonical vertex half (texenv/vertex.h) with all sets of texture coordinates:
     * texenv_vertex_restrict removes what the environment does not read. NULL if there is none;
     * vertex_refused then says why. */
    const struct texenv_vertex *vertex;
    const char *vertex_refused;
    struct texenv_raster raster; /* state that vertex programs cannot express */
    /* GL's values (texenv/values.h), NaN where not known. The current colour is not tracked, nor are
     * materials that take their colour from it. NULL if no value is known (vertex_refused says why) or the
     * input has no values. */
    const struct texenv_values_gl *values;
    /* the texture that each unit uses (texenv/values.h), or NULL; the array is NULL if no unit uses one */
    const struct texenv_texture_info *const *textures;
    /* false if nothing changed since this reader's previous on_draw (of the same context, in traces) */
    bool changed;
    bool no_images; /* no texture image has been specified so far in the whole input */
};

/* A call of GL_ATI_fragment_shader, passed to texenv_reader.on_call. Valid during the call. */
enum texenv_argument_kind {
    /* not a constant, or the call is inside another statement (the arguments of such calls are not read) */
    TEXENV_ARGUMENT_UNKNOWN,
    TEXENV_ARGUMENT_NAME, /* an unknown name GL_... */
    TEXENV_ARGUMENT_INTEGER,
    TEXENV_ARGUMENT_REAL,
    TEXENV_ARGUMENT_ARRAY
};
struct texenv_argument {
    uint8_t kind;     /* enum texenv_argument_kind */
    uint8_t count;    /* for ARRAY the number of elements in item, at most 4 */
    const char *name; /* the parameter's name in the GL registry */
    const char *text; /* the input's text, `length` bytes; NULL if the input has none */
    uint32_t length;
    int64_t integer; /* value of an INTEGER */
    double item[4];  /* value of a REAL in the first element; elements of an ARRAY */
    struct texenv_place place;
};
struct texenv_call {
    const char *name; /* the name without "gl" and "ATI" */
    const struct texenv_argument *arg;
    unsigned args;
    struct texenv_place place;
};

struct texenv_reader {
    struct texenv_memory memory; /* not used by texenv_read_stages */
    struct texenv_sink sink;
    /* Called for each draw. Returns false to stop reading, which is not an error. */
    bool (*on_draw)(void *user, const struct texenv_draw *draw);
    void *user;
    /* If not NULL, calls of GL_ATI_fragment_shader are passed to on_call, and no states to on_draw. For
     * scripts and traces. Returns false to stop reading. */
    bool (*on_call)(void *user, const struct texenv_call *call);
    /* Scripts: constructs that may change texturing but are not interpreted (wrappers, macros, names that are
     * no GL call) cause a warning instead of an error. */
    bool lenient;
    /* The caller's output cannot express GL state beside texturing (texture coordinate generation, texture
     * matrices, lighting): using such state causes a warning instead of a note. */
    bool lost_beside;
    /* The caller's output expresses the vertex half or the alpha test: using them is not reported. */
    bool has_vertex, has_alpha_test;
    struct texenv_raster has_raster; /* the members that the caller's output expresses */
    /* Scripts: an environment colour, a component of it, or an alpha reference that is no constant becomes
     * NaN, with a note. If false, this is an error (but a reference becomes 0, with a note). */
    bool open_values;
    /* Results, filled by the reader. */
    uint64_t draws;         /* number of states passed to on_draw */
    uint64_t program_draws; /* draws with a program in use, which are not passed to on_draw */
    uint64_t skipped;       /* calls on which texturing does not depend */
    uint64_t errors;        /* number of ERROR diagnostics; 0 if the input was understood */
    uint64_t gl_errors;     /* calls that cause a GL error */
    /* texture images specified; if 0, canonicalise the states with textures_complete */
    uint64_t images;
    bool truncated; /* traces: the last record was incomplete */
};

/* Reads a script of GL calls (notes/formats/gl.md), which must be completely in memory. After an error
 * reading continues with the next statement, so that up to 20 errors are reported. */
TEXENV_API void texenv_read_gl(struct texenv_reader *reader, const char *text, size_t length);

/* Reads stage notation (notes/formats/stages.md). Every line is a state. */
TEXENV_API void texenv_read_stages(struct texenv_reader *reader, const char *text, size_t length);

/* Reads the output of `apitrace dump` (notes/formats/apitrace.md) in pieces of any size. open returns NULL if
 * there is no memory; *reader must live until close. feed and close return false once reading has stopped
 * (because on_draw returned false or memory is exhausted). close processes the end of the text and frees the
 * trace. */
struct texenv_trace;
TEXENV_API struct texenv_trace *texenv_trace_open(struct texenv_reader *reader);
TEXENV_API bool texenv_trace_feed(struct texenv_trace *trace, const char *text, size_t length);
TEXENV_API bool texenv_trace_close(struct texenv_trace *trace);

/* Guesses the format from the first bytes (4096 suffice): "gl", "apitrace", "stages", "ir",
 * "atifs", "arbfp". */
TEXENV_API const char *texenv_guess_form(const char *text, size_t length);

/* Names of GL enumerants. texenv_token returns the value of a name of OpenGL or OpenGL ES, with or without
 * "GL_" and with any known vendor suffix, or -1. texenv_token_name returns the preferred name, with "GL_", of
 * an enumerant that the texture environment uses, or NULL. */
TEXENV_API int64_t texenv_token(const char *name, size_t length);
TEXENV_API const char *texenv_token_name(uint32_t value);

/* Returns the name of a GL error ("GL_INVALID_ENUM"; "GL_NO_ERROR" for TEXENV_OK); NULL if it is none. */
TEXENV_API const char *texenv_error_name(uint32_t error);

#ifdef __cplusplus
}
#endif
#endif
