/* The intermediate program: straight-line SSA that texture environments, programs of the extension and ARB
 * programs become, the passes on it, its check and its text.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; one
 * thread an object.
 */
#ifndef FRAGPROG_IR_H
#define FRAGPROG_IR_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Intermediate program
 *
 * A value is the number of the instruction that makes it. It has four channels x y z w; only those of the
 * instruction's mask exist. The two halves of a stage are two instructions: colour (mask xyz) and alpha (mask
 * w). Text form: notes/formats/ir.md.
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
 * "state.matrix.mvp.inverse.row[2]". fragprog_read_origin reads these texts (of FRAGPROG_ORIGIN_ENV and
 * above, and state.texenv[n].color) and returns the number of characters read, 0 if the text is no origin. */
TEXENV_API void fragprog_print_origin(struct texenv_text *text, int32_t origin);
TEXENV_API size_t fragprog_read_origin(int32_t *origin, const char *text, size_t length);
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
    /* vertex: a vertex program, which is also unbounded: it has attributes instead of fragment inputs, no
     * lookups, kills or clamps, and its result is the position. invariant: fixed function computes the
     * position, and the result has no meaning. */
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

/* Literal lowering of a canonical state: each enabled stage gives a colour and an alpha value, clamped to
 * [0,1]; a combine4 half gives two instructions. Channels of base formats that are 0 or 1 become literals. A
 * stage that passes both halves through gives none. Never fails. */
TEXENV_API void fragprog_lower(struct fragprog *p, const struct texenv_state *state);

/* ------------------------------------------------------------------------------------------------
 * Passes. Each keeps the value of the result unless it says otherwise.
 */

struct fragprog_pass;
/* Options of passes. All zero: no special options; for fragprog_optimise, level 0. */
struct fragprog_opt {
    bool fold_constants; /* values of environment colours may be used: they will not change */
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
 * level 1 of unbounded programs. Passes that look at one instruction at a time visit the program in groups
 * (passes.c): each instruction is given to all passes of a group before the next one. */
TEXENV_API extern const struct fragprog_pass fragprog_passes[];

/* Runs the passes. Of unbounded programs the rows of level 2 are left out. Another program of more than
 * FRAGPROG_TEXENV_INSTS instructions is only freed of dead ones. scratch: FRAGPROG_PASSES_SCRATCH bytes of
 * the caller (of an unbounded program fragprog_passes_scratch), aligned as for any object; their content
 * means nothing before and after. */
#define FRAGPROG_PASSES_SCRATCH (23u << 10)
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

/* Its text (notes/formats/ir.md). */
TEXENV_API void fragprog_print_ir(struct texenv_text *text, const struct fragprog *p);
/* Reads one IR text. False after an ERROR diagnostic; *p is then empty. The text may end with white space and
 * comments only. first_line: of text, for places. */
TEXENV_API bool fragprog_read_ir(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                                 const struct texenv_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
