/* fragprog - the intermediate program of ATI_fragment_shader, its passes, and the extension's own programs.
 *
 * Texture environments (texenv/texenv.h) are lowered to straight-line SSA (struct fragprog), passes shorten
 * it and assign registers, and the result is a program of GL_ATI_fragment_shader (struct fragprog_atifs) that
 * prints as text or C.
 *
 * Conventions are those of texenv.h: no allocation, input, output, writable globals or abort; one thread an
 * object. "The extension" is GL_ATI_fragment_shader 1.8, "the text extension"
 * GL_ATI_text_fragment_shader 1.0.11.
 */
#ifndef FRAGPROG_H
#define FRAGPROG_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Intermediate program
 *
 * A value is the number of the instruction that makes it. It has four channels x y z w; only those of the
 * instruction's mask exist. The two halves of a stage are two instructions: colour (mask xyz) and alpha (mask
 * w). Text form: notes/formats.md 4.
 */

/* Rows, with what each computes: fragprog/opcodes.def */
enum fragprog_op {
#define FRAGPROG_OP(id, name, args, api, formula) FRAGPROG_##id,
#include "fragprog/opcodes.def"
#undef FRAGPROG_OP
    FRAGPROG_OPS
};

enum fragprog_file {
    FRAGPROG_VALUE,     /* index: instruction */
    FRAGPROG_PRIMARY,   /* primary colour, in [0,1] */
    FRAGPROG_SECONDARY, /* secondary colour, in [0,1]; its alpha in unbounded programs only */
    FRAGPROG_COORD,     /* index: texture coordinate set */
    FRAGPROG_CONST,     /* index into the constant pool */
    FRAGPROG_LITERAL,   /* lanes ZERO, ONE, HALF only */
    /* of unbounded programs: the fog coordinate (lane X only); the fragment's position (window x, y, depth,
     * 1/w) */
    FRAGPROG_FOGCOORD,
    FRAGPROG_POSITION,
    FRAGPROG_ATTRIB /* of vertex programs; index: enum fragprog_attrib */
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

/* What FRAGPROG_OUT of a vertex program writes beside the position. GL limits the colours to [0,1] after the
 * program. */
enum fragprog_vertex_out {
    FRAGPROG_OUT_COLOR0 = 1,
    FRAGPROG_OUT_COLOR1,
    FRAGPROG_OUT_BACK_COLOR0,
    FRAGPROG_OUT_BACK_COLOR1,
    FRAGPROG_OUT_FOGCOORD,     /* channel x */
    FRAGPROG_OUT_POINTSIZE,    /* channel x */
    FRAGPROG_OUT_TEXCOORD = 8, /* + n */
    FRAGPROG_VERTEX_OUTS = FRAGPROG_OUT_TEXCOORD + TEXENV_UNITS
};

enum fragprog_lane {
    FRAGPROG_X,
    FRAGPROG_Y,
    FRAGPROG_Z,
    FRAGPROG_W,
    FRAGPROG_ZERO,
    FRAGPROG_ONE,
    FRAGPROG_HALF
};

/* Argument modifiers, applied in this order after lanes and lane signs (extension, "argument modifiers"; ABS
 * is ours). */
enum { FRAGPROG_ABS = 1, FRAGPROG_COMP = 2, FRAGPROG_BIAS = 4, FRAGPROG_2X = 8, FRAGPROG_NEG = 16 };

struct fragprog_src {
    uint8_t file; /* enum fragprog_file */
    uint8_t mods; /* FRAGPROG_ABS ... */
    uint16_t index;
    uint8_t lane[4]; /* enum fragprog_lane, read by result channel x y z w (dots: by channel of the sum) */
    uint8_t negate;  /* bit per lane */
    uint8_t pad;
};

enum fragprog_clamp { FRAGPROG_NO_CLAMP, FRAGPROG_SAT, FRAGPROG_SAT8 };

enum {
    FRAGPROG_MASK_X = 1,
    FRAGPROG_MASK_Y = 2,
    FRAGPROG_MASK_Z = 4,
    FRAGPROG_MASK_W = 8,
    FRAGPROG_MASK_XYZ = 7,
    FRAGPROG_MASK_XYZW = 15
};

struct fragprog_inst {
    uint8_t op;    /* enum fragprog_op */
    uint8_t mask;  /* channels that the value has */
    int8_t scale;  /* result times 2^scale, -3..3, before the clamp */
    uint8_t clamp; /* enum fragprog_clamp */
    int8_t unit;   /* texture unit (stage) it came from, or -1 */
    /* FRAGPROG_TEX and FRAGPROG_TXB: what is looked up; src[0] is the coordinate, FRAGPROG_COORD or
     * (dependent lookup) FRAGPROG_VALUE, without modifiers. Lanes 0..2 are the coordinates (as many as the
     * target has; 2 with shadow is the reference), lane 3 is what they are divided by: fixed function's q.
     * Cube maps never divide. TXB does not divide: lane 3 is added to the level of detail. */
    /* texture unit; of FRAGPROG_OUT: n of colour output n > 0, or 0: the depth (of a vertex program enum
     * fragprog_vertex_out); of FRAGPROG_LOAD: FRAGPROG_LOAD_ZERO + what is added to the index */
    uint8_t texture;
    uint8_t target;    /* enum texenv_target; of FRAGPROG_LOAD: number of the array */
    uint8_t base;      /* enum texenv_base of what the texel gives */
    uint8_t shadow;    /* with comparison */
    uint8_t undivided; /* the coordinates are taken as they are; lane 3 is not read */
    uint16_t scratch;  /* of a pass while it runs; 0 between passes */
    struct fragprog_src src[3];
};

enum { FRAGPROG_LOAD_ZERO = 64, FRAGPROG_MOST_ARRAYS = 255 };

/* Arguments of an operation (enum fragprog_op). */
static inline unsigned fragprog_op_args(unsigned op)
{
    static const uint8_t number[FRAGPROG_OPS] = {
#define FRAGPROG_OP(id, name, args, api, formula) args,
#include "fragprog/opcodes.def"
#undef FRAGPROG_OP
    };
    return number[op];
}
/* Its name in the text of the intermediate program. */
TEXENV_API const char *fragprog_op_text(unsigned op);
/* A function of numbers: all lanes that an argument reads are one lane with one sign. All channels are the
 * same but of FRAGPROG_SCS, EXP, LOG and LOAD. */
TEXENV_API bool fragprog_op_is_scalar(unsigned op);
/* It does something and gives no value: FRAGPROG_KIL ends the fragment where a channel of its mask is < 0,
 * FRAGPROG_OUT writes an output. Stays however little is read. */
TEXENV_API bool fragprog_op_has_effect(unsigned op);
/* FRAGPROG_TEX, FRAGPROG_TXB. */
static inline bool fragprog_op_is_lookup(unsigned op) { return op == FRAGPROG_TEX || op == FRAGPROG_TXB; }
/* Bits 0..3: the lanes of source s that the instruction reads (for a dot those of the sum, else those of the
 * mask). */
TEXENV_API unsigned fragprog_lanes_read(const struct fragprog_inst *inst, unsigned s);
/* FRAGPROG_MASK_* of the channels that source s reads of what it names (lanes ZERO, ONE, HALF read none). */
TEXENV_API unsigned fragprog_channels_read(const struct fragprog_inst *inst, unsigned s);

/* A constant: each channel has its origin, so that compaction can move channels. An immediate's value is the
 * program's own; all others are uploaded, those below FRAGPROG_ORIGINS in [0,1]. */
enum {
    FRAGPROG_ORIGIN_IMMEDIATE = -1,
    /* + n: program.env[n], SetFragmentShaderConstantATI outside of a shader */
    FRAGPROG_ORIGIN_GLOBAL = TEXENV_UNITS,
    FRAGPROG_ORIGIN_LOCAL = 2 * TEXENV_UNITS, /* + n: program.local[n] */
    FRAGPROG_ORIGINS = 3 * TEXENV_UNITS,
    /* Of unbounded programs, any number: + n, program.env[n] and program.local[n] of ARB programs; state that
     * ARB programs bind by name (fragprog/bindings.def): + row << 16 | index << 4 | matrix << 2 | row of it,
     * matrix being 0, 1 inverse, 2 transpose, 3 inverse transpose. */
    FRAGPROG_ORIGIN_ENV = 1 << 16,
    FRAGPROG_ORIGIN_PARAMETER = 2 << 16,
    FRAGPROG_ORIGIN_STATE = 1 << 24,
    /* From here on: computed from environment colours, for chips (fragprog_options.derive):
     * fragprog_derived_value. The component means nothing. */
    FRAGPROG_ORIGIN_DERIVED = 1 << 30,
    FRAGPROG_MOST_PARAMETERS = 4096 /* numbers of parameters are below it */
};
struct fragprog_const {
    float value[4];
    /* unit: environment colour of this unit, or FRAGPROG_ORIGIN_*; component 0..3 of it */
    struct {
        int32_t unit;
        uint8_t component, pad[3]; /* pad: 0, constants are compared as bytes */
    } origin[4];
    uint16_t scratch; /* of a pass while it runs; 0 between passes */
    /* Of vertex programs: the number of the array whose element it is, from 1 on; 0: of none. The elements of
     * an array stand side by side in order, all or none of them. */
    uint16_t array;
};
/* Prints an origin as ARB programs name it: "state.texenv[0].color", "program.env[3]",
 * "state.matrix.mvp.inverse.row[2]". fragprog_read_origin reads all that it prints for FRAGPROG_ORIGIN_ENV
 * and above, and state.texenv[n].color: how many characters it took, 0 if no origin stands there. */
TEXENV_API void fragprog_print_origin(struct texenv_text *text, int32_t origin);
TEXENV_API size_t fragprog_read_origin(const char *text, size_t length, int32_t *origin);
/* Prints what a lane holds: "state.texenv[0].color.x", or of a derived one its expression,
 * "2*state.texenv[0].color.x-1", "clamp(...,0,1)". */
TEXENV_API void fragprog_print_lane(struct texenv_text *text, int32_t origin, unsigned component);
/* The value of a lane with an origin from FRAGPROG_ORIGIN_DERIVED on: the single next to its expression, with
 * color[4*n] to color[4*n + 3] the environment colour of unit n, limited; only those are read that it is
 * computed from. */
TEXENV_API float fragprog_derived_value(int32_t origin, const float *color);
/* A component of an environment colour, limited to [0,1] as GL limits it where it is specified; NaN is 0. */
static inline float fragprog_limited(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }

/* What unbounded programs (below) need that texture environments do not (internal). By reference from the
 * programs, so that it is linked only with what makes them. */
struct fragprog_unbounded;
TEXENV_API extern const struct fragprog_unbounded fragprog_unbounded_program;

/* Over the caller's storage: see fragprog_init. Copy with fragprog_copy, not by assignment. */
struct fragprog {
    struct fragprog_inst *inst;
    struct fragprog_const *konst;
    uint16_t ninst, maxinst;
    uint16_t nkonst, maxkonst;
    uint16_t result[2]; /* values that hold the final colour (xyz) and alpha (w) */
    /* An assembly program: nothing is known to be in [0,1] but colours that come in, state.texenv[n].color
     * and comparisons; values without a clamp are any real number; all operations may stand in it, and
     * textures up to FRAGPROG_MOST_TEXTURES. Else a texture environment, or a program of
     * the extension: the operations up to FRAGPROG_DOT2ADD, and what has no clamp is within [-8,8] or may be
     * limited to that. &fragprog_unbounded_program, or NULL. */
    const struct fragprog_unbounded *unbounded;
    /* A vertex program, which is unbounded, too: attributes instead of a fragment's inputs, no lookups and
     * kills, no clamps; the result is the position. invariant: fixed function makes the position instead, and
     * the result means nothing. */
    bool vertex, invariant;
};
enum { FRAGPROG_MOST_TEXTURES = 32 };

/* Storage that is enough for every texture environment, and every program of the extension, through every
 * pass here. (16 pairs are 32 instructions, with 12 lookups and, where masks make a register of several
 * values, at most 2 VECs for the colour and 1 for the alpha of each state of a register that is read.) */
#define FRAGPROG_TEXENV_INSTS 128
#define FRAGPROG_TEXENV_CONSTS 16
struct fragprog_storage {
    struct fragprog_inst inst[FRAGPROG_TEXENV_INSTS];
    struct fragprog_const konst[FRAGPROG_TEXENV_CONSTS];
};

/* An empty program over the storage. */
TEXENV_API void fragprog_init(struct fragprog *p, struct fragprog_storage *storage);
/* Copies instructions, constants and results; false if they do not fit. */
TEXENV_API bool fragprog_copy(struct fragprog *to, const struct fragprog *from);

/* Why a target cannot do a program, for people and machines. */
struct fragprog_reason {
    int unit;         /* texture unit (stage) at fault, or -1 */
    const char *code; /* static: "shadow", "registers", "pairs", "textures" ... */
    char text[200];   /* one line: unit, limit, what would make it fit */
    /* the nearest relaxation by itself ("two units fewer"), where the target tells it apart; else empty */
    char fit[120];
};

/* Literal lowering of a canonical state: each enabled stage gives a colour and an alpha value, clamped to
 * [0,1]; a combine4 half gives two instructions. Channels of base formats that are 0 or 1 become literals. A
 * stage that passes both halves through gives none. Never fails. */
TEXENV_API void fragprog_lower(struct fragprog *p, const struct texenv_state *state);

/* ------------------------------------------------------------------------------------------------
 * Passes. Each keeps the value of the result unless it says otherwise.
 */

/* What one pass of the extension has. */
enum { FRAGPROG_REGISTERS = 6, FRAGPROG_PAIRS = 8 };

struct fragprog_pass;
/* What passes are told. All zero: nothing special, of fragprog_optimise level 0. */
struct fragprog_opt {
    bool fold_constants; /* the environment colours will not change: their values may be used */
    uint8_t level;       /* of fragprog_optimise: the -O level (0, 1, 2; 3 is 2) */
    bool clean;          /* of fragprog_optimise: "dead" has been over the program, and need not begin */
    uint32_t skip;       /* of fragprog_optimise: bit n leaves row n out */
    /* Called after each row, or walk of rows, that changed something, and in the first round after every row;
     * may be NULL. */
    void (*after)(void *user, const struct fragprog_pass *pass, const struct fragprog *p);
    /* Called for each rewrite with the name of its rule and the unit of the instruction; may be NULL. */
    void (*fired)(void *user, const char *rule, int unit);
    void *user;
    struct fragprog_ranges *ranges; /* fragprog_optimise's own, what it hands from pass to pass; NULL */
};

struct fragprog_pass {
    const char *name; /* as in --print-after and --skip */
    const char *help;
    uint8_t level; /* runs at -O level and above */
    /* Of fragprog_optimise, one of them; true: it changed an instruction. run: looks at all of them. at:
     * looks at instruction i, of which others run again and again until none changes it, before the next. */
    bool (*run)(struct fragprog *p, const struct fragprog_opt *opt);
    bool (*at)(struct fragprog *p, const struct fragprog_opt *opt, unsigned i);
};
/* The pipeline; ends with name NULL. The rows whose level is reached run in order, "dead" first: at level 0
 * once; at level 1 once, then "dead" again; at level 2 again and again until none changes anything, and so at
 * level 1 of unbounded programs. Rows of one instruction and the same level that stand side by side walk over
 * the program together. */
TEXENV_API extern const struct fragprog_pass fragprog_passes[];

/* Runs the passes. Of unbounded programs the rows of level 2 are left out. Another program of more than
 * FRAGPROG_TEXENV_INSTS instructions is only freed of dead ones. scratch: FRAGPROG_PASSES_SCRATCH bytes of
 * the caller (of an unbounded program fragprog_passes_scratch), aligned as for any object; their content
 * means nothing before and after. */
#define FRAGPROG_PASSES_SCRATCH (28u << 10)
/* The same for an unbounded program of so many instructions. */
TEXENV_API size_t fragprog_passes_scratch(unsigned insts);
TEXENV_API void fragprog_optimise(struct fragprog *p, const struct fragprog_opt *opt, void *scratch);

/* Pass 1, dead stages: removes instructions (stages, texture reads) that do not reach the result, channel by
 * channel, and constants that nobody reads. */
TEXENV_API bool fragprog_opt_dead(struct fragprog *p, const struct fragprog_opt *opt);

/* What environment colours alone decide becomes constants with an origin from FRAGPROG_ORIGIN_DERIVED on. The
 * values of the colours are those of the constants of `colors`, which has all that p was made of. True: it
 * changed something. Nothing is to be done in unbounded programs. */
TEXENV_API bool fragprog_derive(struct fragprog *p, const struct fragprog *colors);

/* Checks the invariants of the form (sources earlier, channels exist, lanes, counts ...). NULL if it holds;
 * else a static text that names the broken rule, *where the instruction. */
TEXENV_API const char *fragprog_check(const struct fragprog *p, unsigned *where);

/* Brings a program without dead instructions into the one of its forms that chips compile: commuted arguments
 * in order, biases with the second one, products of a sum in order, formats that nobody can tell from RGBA as
 * RGBA. Keeps the value. */
TEXENV_API void fragprog_canonicalise(struct fragprog *p);

/* The key of a texture environment: states that are compiled to the same words share it, however their stages
 * are written (dead stages, unused arguments, commuted operands, formats), and environment colours are left
 * out, unless fold_constants says that they are compiled in. Equal keys: equal words, from hwemit_compile
 * with equal options. The key of a cache is this, the target and the options (fog and colour sum come after
 * the words). Returns the key's length; at most room bytes are written. Bytes compare; fragprog_key_hash is
 * for tables and people. It is a key of words: the texts of a language may differ where it is equal. */
#define FRAGPROG_KEY_MAX 4096
TEXENV_API uint32_t fragprog_key(uint8_t *key, uint32_t room, const struct texenv_state *state,
                                 bool fold_constants);
TEXENV_API uint64_t fragprog_key_hash(const uint8_t *key, uint32_t length);

/* ------------------------------------------------------------------------------------------------
 * Programs of the extension
 */

/* Values of the extension's enumerants are used directly: the C printer needs no table, importers of calls
 * none either. */
enum {
    FRAGPROG_ATI_ZERO = 0,
    FRAGPROG_ATI_ONE = 1,
    FRAGPROG_ATI_REG_0 = 0x8921,
    FRAGPROG_ATI_CON_0 = 0x8941,
    FRAGPROG_ATI_PRIMARY = 0x8577,
    FRAGPROG_ATI_SECONDARY = 0x896D,
    /* rep */
    FRAGPROG_ATI_RED = 0x1903,
    FRAGPROG_ATI_GREEN,
    FRAGPROG_ATI_BLUE,
    FRAGPROG_ATI_ALPHA,
    /* mods of an argument */
    FRAGPROG_ATI_2X = 1,
    FRAGPROG_ATI_COMP = 2,
    FRAGPROG_ATI_NEGATE = 4,
    FRAGPROG_ATI_BIAS = 8,
    /* mod of a result */
    FRAGPROG_ATI_SATURATE = 0x40
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
    uint8_t mask; /* colour: RED 1, GREEN 2, BLUE 4 or-ed; alpha: 0 */
    uint8_t mod;  /* scale bits 2X 1, 4X 2, 8X 4, HALF 8, QUARTER 0x10, EIGHTH 0x20; SATURATE 0x40 */
    uint8_t nargs;
    int8_t unit; /* texture unit (stage) it came from, or -1 (not in the text) */
    uint8_t pad;
    struct fragprog_atifs_arg arg[3];
};

enum { FRAGPROG_SAMPLE = 1, FRAGPROG_PASS_COORD = 2 };
struct fragprog_atifs_setup {
    uint8_t op;       /* FRAGPROG_SAMPLE, FRAGPROG_PASS_COORD; 0: register not set up */
    uint8_t from_reg; /* coordinates come from a register (second pass) */
    uint8_t source;   /* coordinate set 0..7 or register */
    uint8_t swizzle;  /* 0 STR, 1 STQ, 2 STR_DR, 3 STQ_DQ (0x8976 + n) */
    int8_t texture;   /* texture unit whose texel this is ("# bind"), -1: unknown, then the register's own */
    uint8_t target;   /* its enum texenv_target + 1 ("# bind"); 0: 2D, or unknown */
};

struct fragprog_atifs_pass {
    struct fragprog_atifs_setup setup[FRAGPROG_REGISTERS]; /* by destination register */
    struct {
        struct fragprog_atifs_op half[2];
    } pair[FRAGPROG_PAIRS];
    uint8_t npairs;
};

enum { FRAGPROG_CONST_LITERAL, FRAGPROG_CONST_LOCAL, FRAGPROG_CONST_ENV };
struct fragprog_atifs_const {
    uint8_t used;
    uint8_t kind; /* FRAGPROG_CONST_*: literal value, program.local[index], program.env[index] */
    uint8_t index;
    int8_t unit; /* environment colour of unit ("# const"), or -1 */
    /* of a literal; also the value of a local, -1 where it is not known (read from a text) */
    float value[4];
};

struct fragprog_atifs {
    struct fragprog_atifs_pass pass[2];
    uint8_t npasses;   /* 1 or 2; the last is the output pass */
    uint8_t color_sum; /* the program adds the secondary colour itself */
    struct fragprog_atifs_const konst[8];
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
    /* in units of FRAGPROG_MOST_WORK; 0: that, or what a target states (hwemit_target.most_work), or
     * FRAGPROG_OFFLINE times as much at level 3 */
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
 * caller's, aligned as for any object, its content of no meaning before and after. One compilation at a time.
 */
#define FRAGPROG_SCRATCH (176u << 10)
/* The same for unbounded programs, whose size has no limit; FRAGPROG_SCRATCH for all others. */
TEXENV_API size_t fragprog_scratch(const struct fragprog_source *source);

/* A compilation between the passes and a back end: how a target, a language or the extension gets what it
 * compiles. */
struct fragprog_budget {
    uint32_t most, spent;
    bool ended; /* a search wanted more than there was */
};
struct fragprog_compilation {
    const struct fragprog *best; /* after the passes of the level that is wanted */
    /* after dead stages only, for where the best one does not fit; may equal best */
    const struct fragprog *plain;
    const struct fragprog_atifs *atifs; /* the source's */
    /* the best one before constants of it were computed (fragprog_options.derive); NULL: none are */
    const struct fragprog *underived;
    struct fragprog_budget budget;
    /* of the back end: FRAGPROG_BACK_SCRATCH bytes or what the target asks for */
    void *scratch;
};
/* What fragprog_begin takes of the scratch memory: FRAGPROG_FRONT_SCRATCH but for unbounded programs. */
#define FRAGPROG_FRONT_SCRATCH (48u << 10)
TEXENV_API size_t fragprog_front_scratch(const struct fragprog_source *source);
#define FRAGPROG_BACK_SCRATCH (FRAGPROG_SCRATCH - FRAGPROG_FRONT_SCRATCH)

/* The way of every compilation: lower (or copy), dead stages, the canonical form where `canonical` is set
 * (words do not depend on how a state is written then), passes. *c points into scratch. False with *why if
 * the program is longer than one compilation is prepared for, or there is none. */
TEXENV_API bool fragprog_begin(struct fragprog_compilation *c, const struct fragprog_source *source,
                               const struct fragprog_options *options, bool canonical, void *scratch,
                               struct fragprog_reason *why);
/* The work that options->level allows where it is `most` at level 2. */
TEXENV_API uint32_t fragprog_most_work(uint32_t most, const struct fragprog_options *options);
/* Takes units of work; false if there are not so many left: a search ends then. */
TEXENV_API bool fragprog_spend(struct fragprog_budget *budget, uint32_t work);
/* For a back end: the refusal of a search that came to its end (code "work"): unit and what was not found.
 * Returns false. */
TEXENV_API bool fragprog_refuse_work(struct fragprog_reason *why, const struct fragprog_budget *budget,
                                     int unit, const char *what);
/* For a back end that cannot do unbounded programs: *why says which operation, input or parameter of the
 * program it lacks. Returns false. */
TEXENV_API bool fragprog_refuse_unbounded(struct fragprog_reason *why, const struct fragprog *p);
/* For a back end: calls the hook, if there is one. */
TEXENV_API void fragprog_step(const struct fragprog_options *options, const char *name,
                              const struct fragprog *p, const struct fragprog_assignment *assignment);

/* Where a constant comes from: a unit, or FRAGPROG_ORIGIN_*. */
TEXENV_API int fragprog_atifs_const_origin(const struct fragprog_atifs_const *konst);

/* The intermediate program of a program of the extension (one that fragprog_check_atifs accepts; p has
 * fragprog_init's storage). Results of arithmetic are limited to [-8,8] where they may leave it; registers
 * that nothing has written are 0. *undefined (may be NULL): a static text that says that something undefined
 * is read, or NULL. scratch: FRAGPROG_PASSES_SCRATCH bytes. */
TEXENV_API void fragprog_import_atifs(struct fragprog *p, const struct fragprog_atifs *program,
                                      const char **undefined, void *scratch);

/* Register assignment and pairing over time, for explain and tests. Halves apart; 0xff: none. */
struct fragprog_assignment {
    uint8_t npairs;
    uint8_t texture_reg[TEXENV_UNITS];       /* register of unit n's texel, 0xff if not sampled */
    uint16_t pair[FRAGPROG_TEXENV_INSTS][2]; /* instruction in each half of each pair, 0xffff none */
    uint8_t reg[FRAGPROG_TEXENV_INSTS];      /* register of each value */
};

/* Legalises p for one pass of the extension (p is changed: unequal or lone alpha dots, moves into r0,
 * departures to avoid), pairs colour with alpha, and assigns registers: each contributing texture gets its
 * register, then each result the lowest-numbered available register half (one that is unassigned or
 * whose value will not be read again; an instruction may overwrite what it reads). False with *why if 6
 * registers or 8 pairs do not suffice, or the extension cannot express it. */
TEXENV_API bool fragprog_assign(struct fragprog *p, const struct fragprog_options *options,
                                struct fragprog_assignment *a, struct fragprog_reason *why);

/* Writes the assigned program in the extension's terms. p and a come from fragprog_assign. Cannot fail. */
TEXENV_API void fragprog_emit_atifs(struct fragprog_atifs *out, const struct fragprog *p,
                                    const struct fragprog_assignment *a,
                                    const struct fragprog_options *options);

/* From a state or program to the program of the extension in one call: fragprog_begin, assign, emit; where
 * one pass so does not do, schedule. False with *why, and *out as it was, if the extension cannot do it.
 * Where the optimised program does not fit the plain one (level 0) is tried too, so that a higher level never
 * refuses more. scratch: FRAGPROG_SCRATCH bytes. */
TEXENV_API bool fragprog_compile_atifs(struct fragprog_atifs *out, const struct fragprog_source *source,
                                       const struct fragprog_options *options, void *scratch,
                                       struct fragprog_reason *why);

/* Up to two passes of 8 pairs, for chips that are programmed like the extension, and for what one pass of it
 * cannot do. */
struct fragprog_schedule_options {
    uint8_t max_passes; /* 1 or 2 */
    uint8_t min_passes; /* 2: fewer need not be tried; 0 and 1: all */
    /* textures 6 and 7 take texture units that are free; else they are refused (without bind_compact) */
    uint8_t rebind;
    uint8_t bind_compact; /* as in fragprog_options, as the next three */
    uint8_t avoid_mesa;
    uint8_t constants_local;
    uint8_t color_sum;
    /* the program must print: a dot product writes its colour and alpha into one register */
    uint8_t text_form;
    uint8_t alpha_dot_modifiers; /* a dot product's alpha has its own scale and limit; no text says so */
    /* the first of two passes may read primary and secondary colour, which the extension forbids */
    uint8_t interpolators_first;
    int8_t primary_texcoord; /* the primary colour also comes in as this coordinate set (0..5), or -1 */
    uint8_t whole_search;    /* the search from its beginning, also where its first descent by itself does */
};
/* What a schedule may use: work, and FRAGPROG_SCHEDULE_SCRATCH bytes of memory. */
#define FRAGPROG_SCHEDULE_SCRATCH (112u << 10)
struct fragprog_means {
    struct fragprog_budget *budget;
    void *scratch;
};
/* What a schedule took, for measurements. */
struct fragprog_schedule_effort {
    /* of partial schedules that were looked at; no more than slots if the first descent found one */
    uint32_t states;
    uint32_t splits;   /* ways to part the program into two passes */
    uint8_t gave_up;   /* the work was used up: a refusal is then not proven */
    uint32_t unplaced; /* schedules whose registers could not be assigned in the text's terms */
};
/* Schedules p (after any passes) into one pass if it can be done, else into two, with the fewest pairs, then
 * the fewest lookups. False with *why if no schedule exists under the rules of notes/pipeline.md; *out is
 * then as it was. effort may be NULL. */
TEXENV_API bool fragprog_schedule(struct fragprog_atifs *out, const struct fragprog *p,
                                  const struct fragprog_schedule_options *options,
                                  const struct fragprog_means *means, struct fragprog_reason *why,
                                  struct fragprog_schedule_effort *effort);
/* The optimised program or (plain may be NULL or the same) the plain one, in one pass before two. The reason
 * is the optimised program's; why may be NULL: finding the reason is a search of its own. */
TEXENV_API bool fragprog_schedule_either(struct fragprog_atifs *out, const struct fragprog *best,
                                         const struct fragprog *plain,
                                         const struct fragprog_schedule_options *options,
                                         const struct fragprog_means *means, struct fragprog_reason *why);
/* Replaces a program of one pass by what the complete search makes of best or plain (may be NULL) in one
 * pass, if that has fewer pairs; true if it did. For where the quick assignment needs all pairs: the search
 * may find a shorter order, or make a shorter program of the plain one than the quick way does of the
 * optimised one. */
TEXENV_API bool fragprog_schedule_shorter(struct fragprog_atifs *program, const struct fragprog *best,
                                          const struct fragprog *plain,
                                          const struct fragprog_schedule_options *options,
                                          const struct fragprog_means *means);
/* The options of fragprog_schedule for a program of the extension, as text. */
TEXENV_API struct fragprog_schedule_options fragprog_schedule_text(const struct fragprog_options *options);

/* Texts (notes/formats.md 4 and 5). */
TEXENV_API void fragprog_print_ir(struct texenv_text *text, const struct fragprog *p);
TEXENV_API void fragprog_print_atifs(struct texenv_text *text, const struct fragprog_atifs *program);
/* A C function `void NAME(void)` of GL calls between glBeginFragmentShaderATI and glEndFragmentShaderATI;
 * constants are set inside (local to the shader). */
TEXENV_API void fragprog_print_atifs_c(struct texenv_text *text, const struct fragprog_atifs *program,
                                       const char *name);

/* Reads one IR text. False after an ERROR diagnostic; *p is then empty. The text may end with white space and
 * comments only. first_line: of text, for places. */
TEXENV_API bool fragprog_read_ir(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                                 const struct texenv_sink *sink);
/* Reads one !!ATIfs1.0 text, "# bind" and "# const" comments included, and checks the restrictions of both
 * extensions. */
TEXENV_API bool fragprog_read_atifs(struct fragprog_atifs *out, const char *text, size_t length,
                                    uint32_t first_line, const struct texenv_sink *sink);
/* NULL if the program obeys the extension's restrictions (its sections "Errors" and "Issues"); else a static
 * text of the broken one, *pass and *pair the place. */
TEXENV_API const char *fragprog_check_atifs(const struct fragprog_atifs *program, unsigned *pass,
                                            unsigned *pair);
/* The same, and what only the text form cannot say: coordinate sets 6 and 7, an alpha dot product unlike its
 * colour half. If NULL, the text of fragprog_print_atifs reads back. *pair of both: FRAGPROG_PAIRS if the
 * place is no pair. */
TEXENV_API const char *fragprog_check_atifs_text(const struct fragprog_atifs *program, unsigned *pass,
                                                 unsigned *pair);
/* Makes a program that calls gave one of the same value that the text form can say: an alpha dot product with
 * a register or modifiers of its own becomes a dot product by itself and a move. NULL, or why it stays a
 * program without a text (a static text); then some may be changed already. The program has to obey
 * fragprog_check_atifs. */
TEXENV_API const char *fragprog_atifs_as_text(struct fragprog_atifs *program);

/* ------------------------------------------------------------------------------------------------
 * Constant compaction: which scalar of which constant lies in which lane of which slot (notes/alloc.md)
 *
 * Works on plain data, for any program: slots of four scalars as the program has them, and its operands that
 * read them. What uploads constants fills each lane of the new slots from where the layout says.
 */

enum fragprog_constants_layout {
    /* Slots read as vectors first, in their order, lanes unmoved, then external scalars in lanes that are
     * left; immediates in the order of the reads: vectors as they are, scalars where their value already is,
     * else in lanes that are left (notes/alloc.md) */
    FRAGPROG_CONSTANTS_SEED,
    /* the same with all immediate vectors before all immediate scalars */
    FRAGPROG_CONSTANTS_VECTORS_FIRST,
    /* Fewest slots: vectors move and share slots as far as every reader's swizzle stays native, and are read
     * lane by lane where that saves a slot. Never more slots than the other two. */
    FRAGPROG_CONSTANTS_BEST
};

struct fragprog_constants_slot {
    float value[4];   /* of an immediate */
    uint8_t external; /* uploaded: its values are not known here */
    uint8_t relative; /* read by a computed address */
};

/* One operand. The unread of the four channels mean nothing. */
struct fragprog_constants_read {
    uint16_t slot;
    uint8_t channels; /* bit c: channel c is read */
    uint8_t lane[4];  /* by channel: FRAGPROG_X..W of the slot, or FRAGPROG_ZERO, ONE, HALF */
    uint8_t fixed;    /* nothing can be selected here: each channel reads the lane of its own name */
    /* the reader cannot negate what it reads; nor is it read lane by lane */
    uint8_t keep_sign;
    /* the reader can multiply what it reads by 2^least..2^most, within -4..4; 0, 0: it cannot. For reads of
     * one scalar. */
    int8_t least, most;
};

struct fragprog_constants_target {
    /* What the first three channels of an operand can select, FRAGPROG_X..W, ZERO, ONE, HALF each; the fourth
     * selects any lane. Replications of X..W must be among them. NULL: any selection. */
    const uint8_t (*native)[3];
    uint8_t nnative;
    uint8_t inlined; /* bits 0, 1, 2: an operand has 0, 1, 1/2 without a constant */
    uint8_t negate;  /* FRAGPROG_CONSTANTS_NEGATE_* */
};
enum {
    FRAGPROG_CONSTANTS_NEGATE_NONE,
    FRAGPROG_CONSTANTS_NEGATE_ALL, /* of an operand all channels or none */
    FRAGPROG_CONSTANTS_NEGATE_EACH
};

struct fragprog_constants_request {
    const struct fragprog_constants_slot *slot; /* external ones before immediates, if rows are printed */
    const struct fragprog_constants_read *read; /* in the order of the program */
    uint32_t nslots, nreads;                    /* at most 16,384 slots */
    const struct fragprog_constants_target *target;
    uint8_t layout; /* enum fragprog_constants_layout */
    uint8_t mix;    /* external and immediate lanes may share a slot */
    /* Slots that there are; 0: as few as can be. With a limit no vector is read lane by lane unless it would
     * not fit otherwise. */
    uint32_t limit;
    /* of the search, in units of a slot looked at for a vector; 0: FRAGPROG_CONSTANTS_WORK. Past it `best` is
     * the best found. */
    uint32_t work;
};
#define FRAGPROG_CONSTANTS_WORK 400000u

/* A lane of a new slot. */
struct fragprog_constants_lane {
    uint8_t kind;  /* FRAGPROG_CONSTANTS_UNUSED, EXTERNAL: lane of slot, IMMEDIATE: value */
    uint8_t lane;  /* also of an immediate: where the program has this value, or its negative */
    uint16_t slot; /* (0xffff: as a literal only) */
    float value;
};
enum { FRAGPROG_CONSTANTS_UNUSED, FRAGPROG_CONSTANTS_EXTERNAL, FRAGPROG_CONSTANTS_IMMEDIATE };

/* What an operand reads now: by channel the new slot and lane, or FRAGPROG_ZERO, ONE, HALF and no slot. */
struct fragprog_constants_use {
    uint16_t slot[4];
    uint8_t lane[4];
    uint8_t negate;     /* bit c: channel c reads the negative of that */
    int8_t shift;       /* and that times 2^shift */
    uint8_t scalarised; /* a vector of which each channel is read by itself */
};

struct fragprog_constants {
    /* Filled; both are the caller's: nslots + nreads + 1 slots and nreads uses. */
    struct fragprog_constants_lane (*slot)[4];
    struct fragprog_constants_use *use;
    uint32_t nslots;
    /* No layout has fewer slots, whatever is read lane by lane (and for a program with relative addressing:
     * whatever may move). lanes: different scalars that no operand has inline. */
    uint32_t lower_bound, lanes;
    uint32_t scalarised; /* operands */
    /* no layout is better: fewer slots (the limit's at least), then fewer channels read by themselves */
    uint8_t proved;
};

/* Chips of a colour and an alpha half with few selections of lanes: R300 to R420. */
TEXENV_API extern const struct fragprog_constants_target fragprog_constants_pairs;
/* The constants of a program as slots, p->nkonst of them, and the operands that read some, in order: how many
 * there are; at most room are written. A constant has all its channels external or none. */
TEXENV_API void fragprog_constants_slots(const struct fragprog *p, struct fragprog_constants_slot *slot);
TEXENV_API uint32_t fragprog_constants_reads(const struct fragprog *p, struct fragprog_constants_read *read,
                                             uint32_t room);
/* Bytes of scratch, aligned as for any object. */
TEXENV_API size_t fragprog_constants_scratch(uint32_t nslots, uint32_t nreads);
/* Lays out the constants that are read. False with *why over the limit; *out is filled all the same. With
 * relative addressing all external slots, and the immediates that are read so, come first as they are. */
TEXENV_API bool fragprog_constants_compact(struct fragprog_constants *out,
                                           const struct fragprog_constants_request *request, void *scratch,
                                           struct fragprog_reason *why);

/* ------------------------------------------------------------------------------------------------
 * Alias tables: the operands of a lookup that have to lie in consecutive registers, named anew instead of
 * moved (ir3's alias.tex; notes/alloc.md). Before the lookup stand at most sixteen
 * entries, each a name and what it stands for: another register, a constant, or a number. A name that is in
 * the table hides the register of that name; a name that is not is that register. Plain data in and out; no
 * allocation; any number of threads.
 */

/* Registers and constants are numbered by component: r1.y is 5. */
enum fragprog_alias_file { FRAGPROG_ALIAS_REGISTER, FRAGPROG_ALIAS_CONSTANT, FRAGPROG_ALIAS_IMMEDIATE };
struct fragprog_alias_source {
    uint32_t value; /* number of the register or constant, bits of the immediate */
    uint8_t file;   /* enum fragprog_alias_file */
};

enum {
    FRAGPROG_ALIAS_GROUPS = 3,
    FRAGPROG_ALIAS_SOURCES = 24, /* of all groups */
    FRAGPROG_ALIAS_ENTRIES = 16,
    FRAGPROG_ALIAS_NAMES = 48 * 4, /* r0.x to r47.w */
    FRAGPROG_ALIAS_FIRST = 40 * 4  /* names of our own begin here, or where there is room */
};

/* NONE: moves. PLAIN: an entry for every source, groups after one another, as the document lists them. BEST:
 * the fewest entries: a group may lie where a source of it already is, and groups may share names that stand
 * for the same. */
enum fragprog_alias_how { FRAGPROG_ALIAS_NONE, FRAGPROG_ALIAS_PLAIN, FRAGPROG_ALIAS_BEST };

struct fragprog_alias_request {
    struct fragprog_alias_source source[FRAGPROG_ALIAS_SOURCES]; /* group after group */
    uint8_t size[FRAGPROG_ALIAS_GROUPS], ngroups;
    uint8_t how; /* enum fragprog_alias_how */
};

/* What has to be done before the lookup, by ascending name: entries of the table, or moves into the register
 * of that name where the table has no room or none is wanted. */
struct fragprog_alias_entry {
    struct fragprog_alias_source source;
    uint16_t name;
    bool move;
};
struct fragprog_alias_table {
    struct fragprog_alias_entry entry[FRAGPROG_ALIAS_SOURCES];
    uint8_t n;                            /* entries and moves */
    uint8_t entries;                      /* of these, not moves */
    uint16_t base[FRAGPROG_ALIAS_GROUPS]; /* the name of each group's first source */
};

/* False if the names do not suffice, the request has more groups or sources than there may be, or a register
 * is none of FRAGPROG_ALIAS_NAMES. A name that is made never hides a register that is read. The search is
 * complete: no choice of names has fewer entries (that a name may be any register that no source is, is
 * assumed). */
TEXENV_API bool fragprog_alias(struct fragprog_alias_table *table,
                               const struct fragprog_alias_request *request);

/* ------------------------------------------------------------------------------------------------
 * Programs of the extension from its calls
 */

/* Where a program's parts were said. */
struct fragprog_atifs_places {
    struct texenv_place begin, end, konst[8], setup[2][FRAGPROG_REGISTERS];
    struct {
        struct texenv_place op, arg[3];
    } op[2][FRAGPROG_PAIRS][2];
};

/* Follows the calls of one context: give fragprog_atifs_call as on_call of a texenv_reader, and this as its
 * user. */
struct fragprog_atifs_calls {
    struct texenv_sink sink;
    /* A program that glEndFragmentShaderATI ends. Return false to stop reading. */
    bool (*on_program)(void *user, const struct fragprog_atifs *program,
                       const struct fragprog_atifs_places *places);
    void *user;
    /* calls that GL refuses are left out, with a warning, as GL does (traces); else they are errors of the
     * input */
    bool as_gl;
    uint64_t errors;   /* ERROR diagnostics */
    uint64_t programs; /* handed on */
    /* Its own. */
    struct fragprog_atifs program;
    struct fragprog_atifs_places places;
    bool open, broken;
    uint8_t set; /* bit n: constant n was set inside */
};
/* Sets sink, on_program, user and as_gl; the rest is empty. */
TEXENV_API void fragprog_atifs_calls_init(struct fragprog_atifs_calls *calls, const struct texenv_sink *sink,
                                          bool as_gl,
                                          bool (*on_program)(void *user, const struct fragprog_atifs *program,
                                                             const struct fragprog_atifs_places *places),
                                          void *user);
TEXENV_API bool fragprog_atifs_call(void *calls, const struct texenv_call *call);
/* At the end of the input: a program that is not ended. */
TEXENV_API void fragprog_atifs_calls_finish(struct fragprog_atifs_calls *calls);

/* ------------------------------------------------------------------------------------------------
 * Shading languages (notes/formats.md 8)
 */

enum fragprog_language {
#define FRAGPROG_LANGUAGE(id, name, help) FRAGPROG_##id,
#include "fragprog/languages.def"
#undef FRAGPROG_LANGUAGE
    FRAGPROG_LANGUAGES
};
/* The name as in --to, and what it is; NULL if there is no such language. */
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
TEXENV_API const struct fragprog_uniform_info *fragprog_uniform_info(enum fragprog_uniform uniform);

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
    uint8_t vertex;         /* the vertex program that goes before it, instead of the program itself */
    uint8_t fog_coord;      /* of the vertex program: fog uses the fog coordinate, not the eye's distance */
    uint8_t location;       /* of glsl-450: of the first varying */
    uint16_t binding;       /* of glsl-450: of the uniform block */
    /* What is known of the vertex stage, so that the fragment program can do without. pair: colours are in
     * [0,1], the fog coordinate is >= 0 unless fog_coord, and inputs have the components that are read
     * (struct fragprog_interface). affine: bit n: the q of coordinate set n is 1. */
    uint8_t pair, affine;
    uint8_t sprites;  /* bit n: set n is the point's, gl_PointCoord in core profiles and ES */
    uint8_t two_side; /* core profiles and ES: back faces have inputs back_color, back_secondary_color */
    uint8_t flat;     /* core profiles and ES 3.00: colours are not interpolated */
    /* ES: bit n: where input clip_distancen is below 0 the fragment goes. */
    uint8_t clip_planes;
    uint8_t precision; /* enum fragprog_precision */
    /* Put before every name of GLSL that is seen outside of main and is not built in; NULL: nothing. Programs
     * are refused if it is no prefix. */
    const char *prefix;
};

/* What a program of a language takes from outside. Names and forms: notes/formats.md 8. */
struct fragprog_interface {
    bool primary, secondary; /* colours */
    uint8_t coords;          /* bit n: texture coordinate set n; none of options->sprites */
    uint8_t secondary_size, coord_size[TEXENV_UNITS]; /* components of these in core profiles and ES */
    uint8_t textures;                                 /* bit n: the texture of unit n */
    uint8_t target[TEXENV_UNITS];                     /* of those: enum texenv_target */
    uint8_t shadow[TEXENV_UNITS];                     /* with comparison */
    uint8_t colors;                     /* bit n: the environment colour of unit n, as a uniform */
    uint8_t program_env, program_local; /* bit n: program.env[n], program.local[n] */
    uint16_t uniforms;                  /* bits by enum fragprog_uniform: of options->vertex the vertex
                                           program's, else its own; none that is built in */
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
/* A parameter of an assembly program as the language calls it: "program_env[3]"; state by GL's built-in name,
 * else a uniform of the prefix and the origin's words with "_" between them, "state_light_0_position". */
TEXENV_API void fragprog_print_parameter(struct texenv_text *text, int32_t origin,
                                         const struct fragprog_language_options *options);

/* Bytes that are enough for the text of every texture environment in every language, where there is no
 * prefix. Of other programs text->length says how many there would have been. */
#define FRAGPROG_LANGUAGE_TEXT (16u << 10)
/* From a state or program to a text of the language in one call: fragprog_begin, fragprog_print_language.
 * scratch: FRAGPROG_SCRATCH bytes. */
TEXENV_API bool fragprog_compile_language(struct texenv_text *text, const struct fragprog_source *source,
                                          const struct fragprog_options *options,
                                          const struct fragprog_language_options *language, void *scratch,
                                          struct fragprog_reason *why);

/* A program of the language with the same result, every clamp included; or (options->vertex) the vertex
 * program that goes before it: position, and of colours, coordinates and the fog coordinate what the program
 * reads, each from the vertex through GL's matrices, without lighting and coordinate generation. False with
 * *why, and text as it was, if the language cannot say it (texture targets). scratch:
 * fragprog_language_scratch(p->ninst) bytes, aligned as for any object. */
TEXENV_API bool fragprog_print_language(struct texenv_text *text, const struct fragprog *p,
                                        const struct fragprog_language_options *options, void *scratch,
                                        struct fragprog_reason *why);
TEXENV_API size_t fragprog_language_scratch(unsigned insts);

/* What reading an ARB program of this text needs at most: a program with room for so many
 * instructions and constants, and bytes of memory while it is read. */
struct fragprog_bound {
    uint16_t insts, consts;
    size_t scratch;
};
TEXENV_API struct fragprog_bound fragprog_bound_arbfp(const char *text, size_t length);
/* Reads one !!ARBfp1.0 text, as GL_ARB_fragment_program has it, with its options, those of
 * GL_ARB_fragment_program_shadow and of GL_ARB_draw_buffers, or one !!ARBvp1.0 text, as GL_ARB_vertex_program
 * has it (p->vertex is true then). Fog of an option becomes instructions. Indices of GL's
 * state are below what GL has (fragprog/bindings.def), those of coordinate sets below TEXENV_UNITS. How much
 * a GL has of anything else is no limit here, but numbers of textures and colour outputs are
 * below FRAGPROG_MOST_TEXTURES, those of parameters below FRAGPROG_MOST_PARAMETERS, and there are at most
 * 65534 instructions. A WARNING (code "undefined") names each read of what the specification leaves
 * undefined, which is 0 then. False after an ERROR diagnostic; *p is then empty. scratch: bytes of the bound,
 * aligned as for any object. */
TEXENV_API bool fragprog_read_arbfp(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                                    const struct texenv_sink *sink, void *scratch);

/* ------------------------------------------------------------------------------------------------
 * Registers of stages as lists of reads, colour and alpha not separated, by hand-written examples
 * (`texenvc registers`; notes/pipeline.md)
 */

enum { FRAGPROG_READ_PREVIOUS = 0x40, FRAGPROG_READ_OTHER = 0x50 /* + index: F, C, 0, 1 */ };
struct fragprog_reads {
    uint8_t nstages;
    struct {
        uint8_t n;
        uint8_t read[8];
    } stage[TEXENV_UNITS]; /* T0..T7: 0..7 */
};
struct fragprog_reads_assignment {
    uint8_t first;                    /* stages before this one are dead (pass 1) */
    uint8_t texture_reg[8];           /* pass 2.1; 0xff: not read */
    uint8_t result_reg[TEXENV_UNITS]; /* pass 2.2: where each live stage's result lies; 0xff for dead ones */
    uint8_t blocked;                  /* 0xff, or the stage whose result finds no available register */
};
/* Dead stages (pass 1), then registers of textures (2.1) and of results (2.2), of the given number of them
 * (1..8). False: textures or a result (->blocked) find none. */
TEXENV_API bool fragprog_assign_reads(struct fragprog_reads_assignment *a, const struct fragprog_reads *reads,
                                      unsigned registers);

#ifdef __cplusplus
}
#endif
#endif
