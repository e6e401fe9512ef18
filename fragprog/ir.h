/* The intermediate program (IR): straight-line SSA code to which texture environments, programs of
 * GL_ATI_fragment_shader and ARB assembly programs are translated. This header declares its data structures,
 * the optimisation passes, the checker, the printer and the reader.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; an
 * object may be used by one thread at a time. */
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

/* The rows of fragprog/opcodes.def, which says what each operation computes. */
enum fragprog_op {
#define FRAGPROG_OP(id, name, args, api, formula) FRAGPROG_##id,
#include "fragprog/opcodes.def"
    FRAGPROG_OPS
};

enum fragprog_file {
    FRAGPROG_VALUE,     /* index: the instruction that defines the value */
    FRAGPROG_PRIMARY,   /* primary colour, in [0,1] */
    FRAGPROG_SECONDARY, /* secondary colour, in [0,1]; its alpha in unbounded programs only */
    FRAGPROG_COORD,     /* index: texture coordinate set */
    FRAGPROG_CONST,     /* index into the constant pool */
    FRAGPROG_LITERAL,   /* the lane is ZERO, ONE or HALF */
    /* Only in unbounded programs: the fog coordinate (lane X only), and the fragment's window position (x, y,
     * depth, 1/w). */
    FRAGPROG_FOGCOORD,
    FRAGPROG_POSITION,
    FRAGPROG_ATTRIB /* only in vertex programs; index: enum fragprog_attrib */
};

/* The outputs that FRAGPROG_OUT writes in a vertex program; the position is the program's result instead. GL
 * clamps the colours to [0,1] after the program. */
enum fragprog_vertex_out {
    FRAGPROG_OUT_COLOR0 = 1,
    FRAGPROG_OUT_COLOR1,
    FRAGPROG_OUT_BACK_COLOR0,
    FRAGPROG_OUT_BACK_COLOR1,
    FRAGPROG_OUT_FOGCOORD,     /* channel x */
    FRAGPROG_OUT_POINTSIZE,    /* channel x */
    FRAGPROG_OUT_TEXCOORD = 8, /* + n: coordinate set n */
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

/* Argument modifiers, applied in this order after the selection and negation of lanes. ABS exists only in the
 * IR; the others are ATI_fragment_shader's "argument modifiers". */
enum { FRAGPROG_ABS = 1, FRAGPROG_COMP = 2, FRAGPROG_BIAS = 4, FRAGPROG_2X = 8, FRAGPROG_NEG = 16 };

struct fragprog_src {
    uint8_t file; /* enum fragprog_file */
    uint8_t mods; /* FRAGPROG_ABS | ... */
    uint16_t index;
    uint8_t lane[4]; /* enum fragprog_lane, indexed by result channel (in dot products: by summand) */
    uint8_t negate;  /* bit n: lane[n] is negated */
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
    uint8_t mask;  /* the channels of the value */
    int8_t scale;  /* the result is multiplied by 2^scale, -3..3, before the clamp */
    uint8_t clamp; /* enum fragprog_clamp */
    int8_t unit;   /* texture unit (stage) that the instruction comes from, or -1 */
    /* The next five fields describe the lookup of FRAGPROG_TEX and FRAGPROG_TXB. src[0] is the coordinate:
     * FRAGPROG_COORD, or FRAGPROG_VALUE for a dependent lookup, without modifiers. Lanes 0..2 are the
     * coordinates (as many as the target has; with shadow, lane 2 is the reference value). Lane 3 is the
     * divisor (q in fixed function), but cube maps never divide, and TXB adds lane 3 to the level of detail
     * instead of dividing. */
    /* Texture unit. FRAGPROG_OUT in fragment programs: n > 0 is colour output n, and 0 is the depth; in
     * vertex programs: enum fragprog_vertex_out. FRAGPROG_LOAD: FRAGPROG_LOAD_ZERO + the constant offset that
     * is added to the index. */
    uint8_t texture;
    uint8_t target;    /* enum texenv_target; in FRAGPROG_LOAD the number of the array */
    uint8_t base;      /* enum texenv_base: base format of the texture */
    uint8_t shadow;    /* the texel is compared with the reference value */
    uint8_t undivided; /* the coordinates are used without division; lane 3 is not read */
    uint16_t scratch;  /* private to the running pass; 0 between passes */
    struct fragprog_src src[3];
};

enum { FRAGPROG_LOAD_ZERO = 64, FRAGPROG_MOST_ARRAYS = 255 };

/* Returns the number of arguments of an operation (enum fragprog_op). */
static inline unsigned fragprog_op_args(unsigned op)
{
    static const uint8_t number[FRAGPROG_OPS] = {
#define FRAGPROG_OP(id, name, args, api, formula) args,
#include "fragprog/opcodes.def"
    };
    return number[op];
}
/* Returns the name of an operation in the text of the intermediate program. */
TEXENV_API const char *fragprog_op_text(unsigned op);
/* Returns true for operations on a single number: all lanes that an argument reads must be the same lane with
 * the same sign. All channels of the result are equal, except in FRAGPROG_SCS, EXP, LOG and LOAD. */
TEXENV_API bool fragprog_op_is_scalar(unsigned op);
/* Returns true for operations that have a side effect and no value: FRAGPROG_KIL discards the fragment where
 * a channel of its mask is < 0, and FRAGPROG_OUT writes an output. Dead code elimination keeps them. */
TEXENV_API bool fragprog_op_has_effect(unsigned op);
/* Returns true for texture lookups: FRAGPROG_TEX and FRAGPROG_TXB. */
static inline bool fragprog_op_is_lookup(unsigned op) { return op == FRAGPROG_TEX || op == FRAGPROG_TXB; }
/* Returns the set of lanes (bits 0..3) of source s that the instruction reads: for dot products those of the
 * summands, for most other operations those in the mask. */
TEXENV_API unsigned fragprog_lanes_read(const struct fragprog_inst *inst, unsigned s);
/* Returns the set of channels (FRAGPROG_MASK_*) that source s reads from its value or constant. The lanes
 * ZERO, ONE and HALF read no channel. */
TEXENV_API unsigned fragprog_channels_read(const struct fragprog_inst *inst, unsigned s);

/* A constant. Each channel has its own origin, so that constant compaction can move channels separately. An
 * immediate has a value fixed by the program; all other constants are uploaded at run time, and those with an
 * origin below FRAGPROG_ORIGINS are in [0,1]. */
enum {
    FRAGPROG_ORIGIN_IMMEDIATE = -1,
    /* + n: program.env[n], set by SetFragmentShaderConstantATI outside of a shader */
    FRAGPROG_ORIGIN_GLOBAL = TEXENV_UNITS,
    FRAGPROG_ORIGIN_LOCAL = 2 * TEXENV_UNITS, /* + n: program.local[n] */
    FRAGPROG_ORIGINS = 3 * TEXENV_UNITS,
    /* The next three origins are those of unbounded programs, and their values may be any number. + n:
     * program.env[n] or program.local[n] of ARB programs. State that ARB programs bind by name
     * (fragprog/bindings.def): + row << 16 | index << 4 | matrix << 2 | row of the matrix, where matrix is 0,
     * 1 inverse, 2 transpose or 3 inverse transpose. */
    FRAGPROG_ORIGIN_ENV = 1 << 16,
    FRAGPROG_ORIGIN_PARAMETER = 2 << 16,
    FRAGPROG_ORIGIN_STATE = 1 << 24,
    /* Origins from here on are constants computed from environment colours, for chips
     * (fragprog_options.derive, fragprog_derived_value). Their component has no meaning. */
    FRAGPROG_ORIGIN_DERIVED = 1 << 30,
    FRAGPROG_MOST_PARAMETERS = 4096 /* bound on the numbers of parameters */
};
struct fragprog_const {
    float value[4];
    /* unit: number of the unit whose environment colour this is, or FRAGPROG_ORIGIN_*; component: 0..3 of the
     * colour or parameter */
    struct {
        int32_t unit;
        uint8_t component, pad[3]; /* pad is 0, since constants are compared bytewise */
    } origin[4];
    uint16_t scratch; /* private to the running pass; 0 between passes */
    /* In vertex programs: the number, from 1 on, of the array that this constant is an element of, or 0. The
     * elements of an array are adjacent and in order; a pass keeps either all elements or none. */
    uint16_t array;
};
/* Prints an origin as ARB programs name it: "state.texenv[0].color", "program.env[3]",
 * "state.matrix.mvp.inverse.row[2]". fragprog_read_origin reads these texts (of FRAGPROG_ORIGIN_ENV and
 * above, and state.texenv[n].color) and returns the number of characters read, 0 if the text is no origin. */
TEXENV_API void fragprog_print_origin(struct texenv_text *text, int32_t origin);
TEXENV_API size_t fragprog_read_origin(int32_t *origin, const char *text, size_t length);
/* Prints the contents of one component: "state.texenv[0].color.x", or for a derived constant its expression,
 * "2*state.texenv[0].color.x-1", "clamp(...,0,1)". */
TEXENV_API void fragprog_print_lane(struct texenv_text *text, int32_t origin, unsigned component);
/* Returns the value of a derived constant (an origin of FRAGPROG_ORIGIN_DERIVED or above), rounded to single
 * precision. color[4*n] to color[4*n + 3] hold the environment colour of unit n, clamped to [0,1]; only the
 * elements that occur in the expression are read. */
TEXENV_API float fragprog_derived_value(int32_t origin, const float *color);
/* Returns a component of an environment colour clamped to [0,1], as GL does when the colour is specified; NaN
 * becomes 0. */
static inline float fragprog_limited(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }

/* Functions and tables that unbounded programs (see struct fragprog) need and texture environments do not;
 * internal. Programs refer to them by a pointer, so that only executables that create unbounded programs link
 * them. */
struct fragprog_unbounded;
TEXENV_API extern const struct fragprog_unbounded fragprog_unbounded_program;

/* A program. Its arrays are in the caller's storage: see fragprog_init. Copy it with fragprog_copy, not by
 * assignment. */
struct fragprog {
    struct fragprog_inst *inst;
    struct fragprog_const *konst;
    uint16_t ninst, maxinst;
    uint16_t nkonst, maxkonst;
    uint16_t result[2]; /* values that hold the final colour (channels xyz) and alpha (w) */
    /* &fragprog_unbounded_program in an ARB assembly program: only incoming colours, state.texenv[n].color
     * and the results of comparisons are known to be in [0,1]; values without a clamp may be any real number;
     * all operations may occur, and up to FRAGPROG_MOST_TEXTURES textures. NULL in a texture environment or a
     * program of ATI_fragment_shader: these have the operations up to FRAGPROG_DOT2ADD only, and values
     * without a clamp are within [-8,8] or may be clamped to that range. */
    const struct fragprog_unbounded *unbounded;
    /* vertex: a vertex program. It is unbounded as well; it has attributes instead of fragment inputs, it has
     * no lookups, kills or clamps, and its result is the position. invariant: fixed function computes the
     * position, and the result is ignored. */
    bool vertex, invariant;
};
enum { FRAGPROG_MOST_TEXTURES = 32 };

/* Storage large enough for every texture environment and every program of ATI_fragment_shader through all
 * passes. (16 pairs are 32 instructions. Besides, there are at most 12 lookups. Where write masks combine
 * several values in one register, each version of the register that is read takes at most 2 VECs for the
 * colour and 1 for the alpha.) */
#define FRAGPROG_TEXENV_INSTS 128
#define FRAGPROG_TEXENV_CONSTS 16
struct fragprog_storage {
    struct fragprog_inst inst[FRAGPROG_TEXENV_INSTS];
    struct fragprog_const konst[FRAGPROG_TEXENV_CONSTS];
};

/* Makes *p an empty program in the storage. */
TEXENV_API void fragprog_init(struct fragprog *p, struct fragprog_storage *storage);
/* Copies instructions, constants and results. Returns false if they do not fit. */
TEXENV_API bool fragprog_copy(struct fragprog *to, const struct fragprog *from);

/* Translates a canonical state one to one: each enabled stage becomes a colour and an alpha instruction,
 * clamped to [0,1]; each half of a combine4 stage becomes two instructions. Channels that the base format
 * makes 0 or 1 become literals. A stage that passes both halves through becomes no instruction. Never
 * fails. */
TEXENV_API void fragprog_lower(struct fragprog *p, const struct texenv_state *state);

/* ------------------------------------------------------------------------------------------------
 * Passes. Each keeps the value of the result unless it says otherwise.
 */

struct fragprog_pass;
/* Options of passes. All zero means level 0 and no other option. */
struct fragprog_opt {
    bool fold_constants; /* the environment colours are fixed, so their values may be folded */
    uint8_t level;       /* for fragprog_optimise: the -O level (0, 1, 2; 3 means 2) */
    bool clean;          /* for fragprog_optimise: "dead" has already run, so it is skipped at the start */
    uint32_t skip;       /* for fragprog_optimise: bit n disables row n of fragprog_passes */
    /* Called after each row, or group of rows, that changed something, and after every row in the first
     * round; may be NULL. */
    void (*after)(void *user, const struct fragprog_pass *pass, const struct fragprog *p);
    /* Called after each rewrite with the name of the rule and the unit of the instruction; may be NULL. */
    void (*fired)(void *user, const char *rule, int unit);
    void *user;
    /* private to fragprog_optimise, which shares it between passes; the caller sets NULL */
    struct fragprog_ranges *ranges;
};

struct fragprog_pass {
    const char *name; /* as in --print-after and --skip */
    const char *help;
    uint8_t level; /* the pass runs at this -O level and above */
    /* One of these two functions is set. It returns true if it changed an instruction. `run` processes the
     * whole program. `at` processes instruction i; fragprog_optimise repeats the passes of a group on an
     * instruction until none changes it. */
    bool (*run)(struct fragprog *p, const struct fragprog_opt *opt);
    bool (*at)(struct fragprog *p, const struct fragprog_opt *opt, unsigned i);
};
/* The pipeline, terminated by a row whose name is NULL. The rows up to the requested level run in order,
 * "dead" first. At level 0 they run once; at level 1 once, and then "dead" again; at level 2, and at level 1
 * of unbounded programs, repeatedly until nothing changes. Passes that process one instruction at a time run
 * in groups (passes.c): all passes of a group process an instruction before the next instruction is
 * visited. */
TEXENV_API extern const struct fragprog_pass fragprog_passes[];

/* Runs the passes. Rows of level 2 are skipped for unbounded programs. For a bounded program of more than
 * FRAGPROG_TEXENV_INSTS instructions only dead code is removed. scratch: FRAGPROG_PASSES_SCRATCH bytes of the
 * caller (for an unbounded program fragprog_passes_scratch), aligned as for any object; their content has no
 * meaning before and after. */
#define FRAGPROG_PASSES_SCRATCH (23u << 10)
/* Returns the bytes of scratch memory for an unbounded program of `insts` instructions. */
TEXENV_API size_t fragprog_passes_scratch(unsigned insts);
TEXENV_API void fragprog_optimise(struct fragprog *p, const struct fragprog_opt *opt, void *scratch);

/* Dead code elimination: removes instructions (stages, texture lookups) and single channels that do not reach
 * the result, and constants that are never read. */
TEXENV_API bool fragprog_opt_dead(struct fragprog *p, const struct fragprog_opt *opt);

/* Replaces each value that depends only on environment colours by a derived constant, whose origin is at
 * least FRAGPROG_ORIGIN_DERIVED. `colors` is an earlier version of the program, with all constants from which
 * p was derived; it supplies the values of the colours. Returns true if the program changed. Does nothing in
 * unbounded programs. */
TEXENV_API bool fragprog_derive(struct fragprog *p, const struct fragprog *colors);

/* Checks the invariants of a program (definitions precede uses, channels exist, lanes, counts ...). Returns
 * NULL if all hold; else a static text that names the broken rule, and *where is the instruction. */
TEXENV_API const char *fragprog_check(const struct fragprog *p, unsigned *where);

/* Brings a program without dead code into the canonical form that chips compile: arguments of commutative
 * operations are sorted, a bias is moved to the second argument, the products of a sum are sorted, and a
 * texture format becomes RGBA where the program cannot tell the difference. Keeps the program's value. */
TEXENV_API void fragprog_canonicalise(struct fragprog *p);

/* Prints the program as text (notes/formats/ir.md). */
TEXENV_API void fragprog_print_ir(struct texenv_text *text, const struct fragprog *p);
/* Reads one program from text. Returns false after an ERROR diagnostic; *p is then empty. After the program
 * only white space and comments may follow. first_line: line number of the text's start in its file, for
 * diagnostics. */
TEXENV_API bool fragprog_read_ir(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                                 const struct texenv_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
