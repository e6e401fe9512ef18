/* Programs of GL_ATI_fragment_shader 1.8: data structures, checks, readers and printers, and their
 * reconstruction from GL calls. "The text extension" is GL_ATI_text_fragment_shader 1.0.11.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; an
 * object may be used by one thread at a time. */
#ifndef FRAGPROG_ATIFS_H
#define FRAGPROG_ATIFS_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fragprog;

/* Registers and instruction pairs of one pass of ATI_fragment_shader. */
enum { FRAGPROG_REGISTERS = 6, FRAGPROG_PAIRS = 8 };

/* The values are those of ATI_fragment_shader's enumerants, so that neither the C printer nor the importer of
 * calls needs a translation table. */
enum {
    FRAGPROG_ATI_ZERO = 0,
    FRAGPROG_ATI_ONE = 1,
    FRAGPROG_ATI_REG_0 = 0x8921,
    FRAGPROG_ATI_CON_0 = 0x8941,
    FRAGPROG_ATI_PRIMARY = 0x8577,
    FRAGPROG_ATI_SECONDARY = 0x896D,
    /* replication of an argument (rep) */
    FRAGPROG_ATI_RED = 0x1903,
    FRAGPROG_ATI_GREEN,
    FRAGPROG_ATI_BLUE,
    FRAGPROG_ATI_ALPHA,
    /* modifiers of an argument (mods) */
    FRAGPROG_ATI_2X = 1,
    FRAGPROG_ATI_COMP = 2,
    FRAGPROG_ATI_NEGATE = 4,
    FRAGPROG_ATI_BIAS = 8,
    /* modifier of a result (mod) */
    FRAGPROG_ATI_SATURATE = 0x40,
/* operations: FRAGPROG_ATI_MOV, ...; 0 for an operation that ATI_fragment_shader does not have */
#define FRAGPROG_OP(id, name, args, api, formula) FRAGPROG_ATI_##id = api,
#include "fragprog/opcodes.def"
    FRAGPROG_ATI_CONSTANTS = 8
};
struct fragprog_atifs_arg {
    /* REG_0_ATI (0x8921) + n, CON_0_ATI (0x8941) + n, ZERO 0, ONE 1, PRIMARY_COLOR 0x8577,
     * SECONDARY_INTERPOLATOR 0x896D */
    uint16_t source;
    uint16_t rep; /* NONE 0, RED 0x1903, GREEN, BLUE, ALPHA 0x1906 */
    uint8_t mods; /* 2X_BIT 1, COMP_BIT 2, NEGATE_BIT 4, BIAS_BIT 8 */
    uint8_t pad;
};

struct fragprog_atifs_op {
    uint16_t op;  /* MOV_ATI 0x8961 ... ; 0: this half of the pair is empty */
    uint8_t dst;  /* register number 0..5 */
    uint8_t mask; /* colour: RED 1, GREEN 2, BLUE 4, or'ed; alpha: 0 */
    uint8_t mod;  /* scale bits 2X 1, 4X 2, 8X 4, HALF 8, QUARTER 0x10, EIGHTH 0x20; SATURATE 0x40 */
    uint8_t nargs;
    int8_t unit; /* texture unit (stage) that it comes from, or -1 (not part of the text form) */
    uint8_t pad;
    struct fragprog_atifs_arg arg[3];
};

enum { FRAGPROG_SAMPLE = 1, FRAGPROG_PASS_COORD = 2 };
enum { FRAGPROG_STR, FRAGPROG_STQ, FRAGPROG_STR_DR, FRAGPROG_STQ_DQ };
struct fragprog_atifs_setup {
    uint8_t op;       /* FRAGPROG_SAMPLE, FRAGPROG_PASS_COORD; 0: register not set up */
    uint8_t from_reg; /* the coordinates are read from a register (second pass) */
    uint8_t source;   /* coordinate set 0..7, or a register */
    uint8_t swizzle;  /* FRAGPROG_STR ... (SWIZZLE_STR_ATI 0x8976 + n) */
    /* Texture unit of the texel ("# bind"); -1 means not known, and the unit with the register's number is
     * then used. */
    int8_t texture;
    uint8_t target; /* enum texenv_target + 1 of the texture ("# bind"); 0: 2D, or not known */
};

struct fragprog_atifs_pass {
    struct fragprog_atifs_setup setup[FRAGPROG_REGISTERS]; /* indexed by destination register */
    struct {
        struct fragprog_atifs_op half[2];
    } pair[FRAGPROG_PAIRS];
    uint8_t npairs;
};

enum { FRAGPROG_CONST_LITERAL, FRAGPROG_CONST_LOCAL, FRAGPROG_CONST_ENV };
struct fragprog_atifs_const {
    uint8_t used;
    uint8_t kind; /* FRAGPROG_CONST_*: literal, program.local[index] or program.env[index] */
    uint8_t index;
    int8_t unit; /* the constant is the environment colour of this unit ("# const"), or -1 */
    /* The value of a literal or of a local parameter; -1 if the program was read from text, which has no
     * values of local parameters. */
    float value[4];
};

struct fragprog_atifs {
    struct fragprog_atifs_pass pass[2];
    uint8_t npasses;   /* 1 or 2; the last pass is the output pass */
    uint8_t color_sum; /* the program adds the secondary colour itself */
    struct fragprog_atifs_const konst[FRAGPROG_ATI_CONSTANTS];
};

/* Returns the origin of a constant: a unit, or FRAGPROG_ORIGIN_*. */
TEXENV_API int fragprog_atifs_const_origin(const struct fragprog_atifs_const *konst);

/* Converts a program of ATI_fragment_shader, which fragprog_check_atifs accepts, to the intermediate program
 * p (set up by fragprog_init). Results of arithmetic that may exceed [-8,8] are clamped to it; registers that
 * were never written are 0. *undefined (may be NULL) becomes a static text that says which undefined value is
 * read, or NULL. scratch: FRAGPROG_PASSES_SCRATCH bytes. */
TEXENV_API void fragprog_import_atifs(struct fragprog *p, const struct fragprog_atifs *program,
                                      const char **undefined, void *scratch);

/* Prints a program as text (notes/formats/atifs.md). */
TEXENV_API void fragprog_print_atifs(struct texenv_text *text, const struct fragprog_atifs *program);
/* Prints a C function `void NAME(void)` of the GL calls between glBeginFragmentShaderATI and
 * glEndFragmentShaderATI; constants are set inside (local to the shader). */
TEXENV_API void fragprog_print_atifs_c(struct texenv_text *text, const struct fragprog_atifs *program,
                                       const char *name);
/* Reads one !!ATIfs1.0 text, "# bind" and "# const" comments included, and checks the restrictions of both
 * extensions. */
TEXENV_API bool fragprog_read_atifs(struct fragprog_atifs *out, const char *text, size_t length,
                                    uint32_t first_line, const struct texenv_sink *sink);
/* Returns NULL if the program obeys ATI_fragment_shader's restrictions (its sections "Errors" and "Issues");
 * else a static text that names the broken restriction, with *pass and *pair set to the place of the
 * error. */
TEXENV_API const char *fragprog_check_atifs(const struct fragprog_atifs *program, unsigned *pass,
                                            unsigned *pair);
/* Like fragprog_check_atifs, but also refuses what the text form cannot express: coordinate sets 6 and 7, and
 * an alpha dot product that differs from its colour half. If it returns NULL, the text of
 * fragprog_print_atifs can be read back. In both functions *pair is FRAGPROG_PAIRS if the place is not a
 * pair. */
TEXENV_API const char *fragprog_check_atifs_text(const struct fragprog_atifs *program, unsigned *pass,
                                                 unsigned *pair);
/* Changes a program that was built from GL calls into an equivalent one that the text form can express: an
 * alpha dot product with its own register or modifiers becomes a separate dot product and a move. Returns
 * NULL, or a static text that says why the text form cannot express the program, which may then be partly
 * changed. The program must obey fragprog_check_atifs. */
TEXENV_API const char *fragprog_atifs_as_text(struct fragprog_atifs *program);

/* ------------------------------------------------------------------------------------------------
 * Programs of ATI_fragment_shader from its calls
 */

/* The positions of a program's parts in the input. */
struct fragprog_atifs_places {
    struct texenv_place begin, end, konst[FRAGPROG_ATI_CONSTANTS], setup[2][FRAGPROG_REGISTERS];
    struct fragprog_atifs_op_places {
        struct texenv_place op, arg[3];
    } op[2][FRAGPROG_PAIRS][2];
};

/* Follows the calls of one context. Use fragprog_atifs_call as on_call of a texenv_reader, and this struct as
 * its user pointer. */
struct fragprog_atifs_calls {
    struct texenv_sink sink;
    /* Called for each program that glEndFragmentShaderATI completes. Returns false to stop reading. */
    bool (*on_program)(void *user, const struct fragprog_atifs *program,
                       const struct fragprog_atifs_places *places);
    void *user;
    /* Calls that GL would refuse are ignored, as in GL, with a warning (for traces). If false, they are
     * errors of the input. */
    bool as_gl;
    uint64_t errors;   /* number of ERROR diagnostics */
    uint64_t programs; /* number of programs passed to on_program */
    /* The remaining fields are private. */
    struct fragprog_atifs program;
    struct fragprog_atifs_places places;
    bool open, broken;
    uint8_t set; /* bit n: constant n was set inside the shader */
};
/* Sets sink, on_program, user and as_gl, and clears all other fields. */
TEXENV_API void fragprog_atifs_calls_init(struct fragprog_atifs_calls *calls, const struct texenv_sink *sink,
                                          bool as_gl,
                                          bool (*on_program)(void *user, const struct fragprog_atifs *program,
                                                             const struct fragprog_atifs_places *places),
                                          void *user);
TEXENV_API bool fragprog_atifs_call(void *calls, const struct texenv_call *call);
/* Call it at the end of the input: reports a program that was not ended. */
TEXENV_API void fragprog_atifs_calls_finish(struct fragprog_atifs_calls *calls);

#ifdef __cplusplus
}
#endif
#endif
