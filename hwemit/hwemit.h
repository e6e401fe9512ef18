/* hwemit - compiles programs of texture combiners to the binary words of real chips.
 *
 * A target takes the intermediate program of a texture environment (or of a GL_ATI_fragment_shader program),
 * legalises and schedules it, and encodes it as the words that a driver uploads. Its registers and packets
 * are described by tables (hwemit/<chip>/<chip>_registers.def), from which the encoder's shifts, the
 * disassembler and the assembler are generated. So these are inverses of each other by construction, and the
 * tests check the tables.
 *
 * The conventions are those of texenv.h: no allocation, input, output, writable globals or abort; an object
 * may be used by one thread at a time. */
#ifndef HWEMIT_H
#define HWEMIT_H

#include "fragprog/atifs.h"
#include "fragprog/backend.h"
#include "fragprog/fragprog.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * The result of a compilation */

/* address: byte offset of the register, or the number that the chip's packets use for it; HWEMIT_STREAM for a
 * word of a packet stream. */
#define HWEMIT_STREAM 0xFFFFFFFFu
struct hwemit_word {
    uint32_t address, value;
};

/* A constant that the words contain. To use another value, for instance another environment colour, only the
 * words of the constant change. slot: the chip's number of the constant. */
struct hwemit_constant {
    uint16_t slot;
    /* The origin of the value: n >= 0: the environment colour of unit n; FRAGPROG_ORIGIN_GLOBAL + n or
     * FRAGPROG_ORIGIN_LOCAL + n: parameter n of an ATI_fragment_shader program; -1: an immediate of the
     * program; HWEMIT_BY_LANES: see origin. */
    int8_t unit;
    /* FRAGPROG_MASK_* of the channels with this origin: 15, or less if a target packs two colours into one
     * constant, which then has two entries. For ARB programs: the channels that are read. */
    uint8_t channels;
    uint32_t word; /* index in hwemit_code.word of the first word that contains the value */
    /* The value before conversion to the chip's format, which rounds to nearest, but truncates 24-bit floats
     * as drivers do (notes/numbers.md). For a parameter: the value that the program was read with, or 0. */
    float value[4];
    /* With HWEMIT_BY_LANES (ARB programs, and some chips): lane c is component[c] of origin[c]
     * (fragprog_const.origin); FRAGPROG_ORIGIN_IMMEDIATE: it is fixed; from FRAGPROG_ORIGIN_DERIVED on:
     * fragprog_derived_value. */
    int32_t origin[4];
    uint8_t component[4];
};
enum { HWEMIT_BY_LANES = -2 };
/* The chip's texture unit `slot` samples the texture of GL's unit `unit` with coordinate set `coord`. A
 * program whose two passes use different coordinate sets has two entries. */
struct hwemit_texture {
    uint8_t slot, unit, coord, target; /* enum texenv_target */
};
/* Values that the rasteriser writes into temporaries (input registers, on chips that have no fixed ones). */
enum {
    HWEMIT_COLOR, /* index 0: primary, 1: secondary */
    HWEMIT_COORD, /* coordinate set `index` */
    /* ARB programs: the fog coordinate in x; the fragment's position (window x, y, depth, 1/w) */
    HWEMIT_FOGCOORD,
    HWEMIT_POSITION,
    /* vertex programs: attribute `index` (enum fragprog_attrib); `temp` is the input register */
    HWEMIT_ATTRIB
};
struct hwemit_input {
    uint8_t temp, what, index, pad;
};
/* Vertex programs: output register `slot` holds `what` (0: the position, else enum fragprog_vertex_out).
 * Fragment programs, where results may be in any register: `slot` holds the depth or a further colour. */
enum { HWEMIT_DEPTH = 64, HWEMIT_TARGET_COLOR /* + n: colour output n */ };
struct hwemit_output {
    uint8_t slot, what;
};
/* Statistics of the program, with target-specific names: "stages", "pairs" ... */
struct hwemit_stat {
    const char *name;
    uint32_t value;
};

enum { HWEMIT_COLOR_SUM = 1, HWEMIT_FOG = 2 };
enum {
    HWEMIT_CONSTANTS = 256,
    HWEMIT_TEXTURES = 16,
    HWEMIT_INPUTS = 16,
    HWEMIT_OUTPUTS = 16,
    HWEMIT_STATS = 8
};
struct hwemit_code {
    struct hwemit_word *word; /* in upload order, in the caller's storage */
    uint32_t nwords, maxwords;
    uint16_t nconstants, ntextures, ninputs, noutputs, nstats;
    uint32_t assumed; /* bit n: the words are correct only if assumption n of the target holds */
    /* HWEMIT_COLOR_SUM, HWEMIT_FOG: the steps after texturing that the words include */
    uint8_t follows;
    /* the temporary that holds the final colour, on chips without a fixed register for it; else -1 */
    int16_t output;
    struct hwemit_constant constant[HWEMIT_CONSTANTS];
    struct hwemit_texture texture[HWEMIT_TEXTURES];
    struct hwemit_input input[HWEMIT_INPUTS];
    struct hwemit_output outputs[HWEMIT_OUTPUTS];
    struct hwemit_stat stat[HWEMIT_STATS];
    /* Set by the target: returns word n of a constant's words, of which there are constant_words. */
    uint32_t (*constant_word)(const float rgba[4], unsigned n);
    uint32_t constant_words;
};
/* Words that suffice for every texture environment, and for every program that a target accepts. */
#define HWEMIT_TEXENV_WORDS 1024
#define HWEMIT_MAX_WORDS 8192

/* Changes the value of constant i (below code->nconstants; it must have a unit or lanes), as when an
 * environment colour or a parameter changes. Its words and constant[i].value become what compiling with this
 * value would have produced. For a constant with HWEMIT_BY_LANES, rgba has the new value of each lane, which
 * is component[n] of origin[n]; lanes with FRAGPROG_ORIGIN_IMMEDIATE do not change. If the target packs parts
 * of two colours into one constant, only the channels of constant[i].channels change. Colours are clamped to
 * [0,1], as by GL; NaN becomes 0. The storage must hold all words (nwords <= maxwords). Upload again
 * code->constant_words words from constant[i].word on. For a packet stream, also upload the words that
 * precede them in their packet; and if several words have the same address, all of these from the nearest
 * earlier word with another address on, which is their index. */
TEXENV_API void hwemit_set_constant(struct hwemit_code *code, unsigned i, const float rgba[4]);

/* Changes all constants that contain environment colours or values computed from them. The colour of unit n
 * is color[4*n] to color[4*n + 3], which is clamped first; only units that the code uses are read. */
TEXENV_API void hwemit_set_colors(struct hwemit_code *code, const float *color);
/* Returns the value of lane c of a constant with these colours, clamped as by hwemit_set_constant; or the
 * present value if the lane does not depend on an environment colour. */
TEXENV_API float hwemit_constant_lane(const struct hwemit_constant *constant, unsigned c, const float *color);

/* Initialises an empty result that uses the storage. */
TEXENV_API void hwemit_code_init(struct hwemit_code *code, struct hwemit_word *storage, uint32_t maxwords);
/* Appends a word. Nothing is written beyond maxwords, but nwords continues to count: nwords > maxwords means
 * that the storage was too small and its content is unusable. */
TEXENV_API void hwemit_add(struct hwemit_code *code, uint32_t address, uint32_t value);
/* Appends a constant, whose words must be added next. */
TEXENV_API void hwemit_add_constant(struct hwemit_code *code, unsigned slot, int unit, const float value[4]);
TEXENV_API void hwemit_add_lanes(struct hwemit_code *code, unsigned slot, const float value[4],
                                 const int32_t origin[4], const uint8_t component[4]);
TEXENV_API void hwemit_add_texture(struct hwemit_code *code, unsigned slot, unsigned unit, unsigned coord,
                                   unsigned target);
TEXENV_API void hwemit_add_input(struct hwemit_code *code, unsigned temp, unsigned what, unsigned index);
TEXENV_API void hwemit_add_output(struct hwemit_code *code, unsigned slot, unsigned what);
TEXENV_API void hwemit_add_stat(struct hwemit_code *code, const char *name, uint32_t value);

/* ------------------------------------------------------------------------------------------------
 * Targets */

/* An assumption about a chip that no document confirms; --assume NAME lets a target rely on it. */
struct hwemit_assumption {
    const char *name, *help;
};

/* An option of one target: a number from low to high with a name (hwemit_set_option). */
struct hwemit_option {
    const char *name;
    int16_t low, high;
    const char *help;
};
enum { HWEMIT_OPTIONS = 8 };

/* All zero means: no assumptions, and defaults for the target's options. */
struct hwemit_options {
    /* level, hooks, most_work ... (the other members concern ATI_fragment_shader programs) */
    struct fragprog_options passes;
    uint32_t assume; /* bit n: assumption n of the target may be used */
    /* HWEMIT_COLOR_SUM, HWEMIT_FOG: which of these the state enables; a target whose combiners can do them
     * includes them in the words (hwemit_code.follows) */
    uint8_t follows;
    /* do not compute constants from environment colours (FRAGPROG_ORIGIN_DERIVED) */
    uint8_t no_derived;
    /* bit n: value[n] is the value of option n of the target; otherwise its default applies */
    uint8_t given;
    int16_t value[HWEMIT_OPTIONS];
};

/* The input of a target, which does not modify the programs. */
struct hwemit_source {
    const struct fragprog *best; /* after the passes of the requested level */
    /* after removal of dead stages only, tried if the best one does not fit; may equal best or be NULL */
    const struct fragprog *plain;
    /* the ATI_fragment_shader program that it was compiled from, or NULL */
    const struct fragprog_atifs *atifs;
    struct fragprog_budget *budget; /* the limit of work for its searches */
    /* memory of hwemit_target.scratch bytes, aligned for any object */
    void *scratch;
};

struct hwemit_target {
    const char *name; /* as given to --to */
    const char *help;
    const struct hwemit_assumption *assumptions; /* ends with name NULL */
    const struct hwemit_option *options;         /* ends with name NULL; may be NULL */
    size_t scratch;                              /* bytes of hwemit_source.scratch */
    /* The same if the program is unbounded or has more than FRAGPROG_TEXENV_INSTS, and how many more for each
     * instruction. unbounded_scratch 0: the target accepts no unbounded program. */
    size_t unbounded_scratch, instruction_scratch;
    uint32_t most_work; /* default of fragprog_options.most_work at levels 0 to 2 */
    const void *chip;   /* the target's own description of the chip, for `compile` */
    /* Compiles a program. Returns false with *why (code, unit, text, fit) if the chip cannot execute it;
     * *code is then unusable. Never compiles an approximation. */
    bool (*compile)(struct hwemit_code *code, const struct hwemit_target *target,
                    const struct hwemit_source *source, const struct hwemit_options *options,
                    struct fragprog_reason *why);
    /* fragprog_derive, if constants are floats that may be computed from environment colours; or NULL */
    bool (*derive)(struct fragprog *p, const struct fragprog *colors);
    bool no_packets; /* the packets of its command stream are not documented: hwemit_packets returns none */
    /* the chip's hwemit_packets; NULL: type-0 packets of a Radeon, and stream words unchanged */
    uint32_t (*pack)(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n);
    /* Returns a program's length. hwemit_compile uses constants that are computed from environment colours
     * only if that makes it no longer. NULL: always use them; at level 3, compare stat[0] instead. */
    uint32_t (*length)(const struct hwemit_code *code);
    const char *inputs; /* what hwemit_input.temp numbers in fragment programs; NULL: temporaries */
    bool scalars;       /* registers hold one number: hwemit_code.output is 4*register + channel */
    /* steps of fragment and vertex programs (hwemit/targets.h), or NULL; NULL: takes no vertex programs */
    const struct hwemit_step *steps, *vertex_steps;
};
/* Sets option `name` of the target. Returns false without effect if the target has no such option or the
 * value is out of range. */
TEXENV_API bool hwemit_set_option(struct hwemit_options *options, const struct hwemit_target *target,
                                  const char *name, int value);
/* For targets: returns the value of option n, or `otherwise` if it is not given. */
TEXENV_API int hwemit_option_value(const struct hwemit_options *options, unsigned n, int otherwise);

/* All targets; ends with NULL. */
TEXENV_API extern const struct hwemit_target *const hwemit_targets[];
/* Returns the target of this name, or NULL. */
TEXENV_API const struct hwemit_target *hwemit_find_target(const char *name);

/* Scratch memory that compiling for any target needs: provided by the caller, aligned for any object, with no
 * defined content before and after. No function uses more than 32 KB of stack. hwemit_scratch: what one
 * target needs; hwemit_scratch_of: what one source needs, more than HWEMIT_SCRATCH for long programs. */
#define HWEMIT_SCRATCH (512u << 10)
TEXENV_API size_t hwemit_scratch(const struct hwemit_target *target);
TEXENV_API size_t hwemit_scratch_of(const struct hwemit_target *target, const struct fragprog_source *source);

/* Compiles a state or program to words. Returns false with *why if the target cannot execute it, or if the
 * search ended because the limit of work was reached (code "work"). */
TEXENV_API bool hwemit_compile(struct hwemit_code *code, const struct hwemit_target *target,
                               const struct fragprog_source *source, const struct hwemit_options *options,
                               void *scratch, struct fragprog_reason *why);

/* ------------------------------------------------------------------------------------------------
 * Assembler and disassembler of words (notes/formats/words.md) */

/* A bit field of a register or packet. Bits that belong to no field must be zero (or as `fixed` says). */
struct hwemit_field {
    const char *name;
    uint8_t low, width;
    /* names of the 1 << width values, NULL for a value without name; or NULL: values are numbers */
    const char *const *names;
};
struct hwemit_register {
    const char *name; /* if there are several, with '#' in place of the number: "PP_TXCBLEND_#" */
    /* address of the first one; HWEMIT_STREAM: a packet word, recognised by its fixed bits or by preceding
     * words */
    uint32_t address;
    uint16_t count, stride;     /* how many registers, and their distance in bytes */
    uint32_t fixed_mask, fixed; /* bits that always have this value */
    const struct hwemit_field *field;
    uint16_t nfields;
    /* mask of the bits that a compilation determines, if the driver keeps other bits there; 0: all bits */
    uint32_t program;
};

struct hwemit_words;
/* The register tables of a target. They are separate from hwemit_target so that a program that only compiles
 * does not link them. */
struct hwemit_registers {
    const struct hwemit_target *target;
    const struct hwemit_register *row; /* ends with name NULL */
    /* Returns the register of word i of n, or NULL if the word is invalid. The pointer is NULL if the address
     * alone determines the register. */
    const struct hwemit_register *(*classify)(const struct hwemit_word *word, uint32_t i, uint32_t n);
    /* The inverse of hwemit_target.pack, if there is one: decodes the packet at the beginning of a stream of
     * n words (only their values count) to at most HWEMIT_PACKET register writes; these may be in place of
     * the stream. Returns the packet's length in words, or 0 if pack never makes such a packet. */
    uint32_t (*unpack)(const struct hwemit_word *stream, uint32_t n, struct hwemit_word *word,
                       uint32_t *nwords);
    /* Converts all words to a program in the language of the chip's public tools, which begins with
     * `language`, and back. NULL: there is no such language. print returns false, with unusable output, if
     * the language cannot express the words. read works as hwemit_read_asm; words that only drivers know keep
     * their initial values. */
    const char *language;
    bool (*print)(struct texenv_text *text, const struct hwemit_word *word, uint32_t n);
    bool (*read)(struct hwemit_words *out, const char *text, size_t length, const struct texenv_sink *sink);
    const struct hwemit_assembly *assembly; /* the syntax of instructions; or NULL */
};
#define HWEMIT_PACKET 256
/* Returns the register tables of any of hwemit_targets, else NULL. See also hwemit/targets.h. */
TEXENV_API const struct hwemit_registers *hwemit_find_registers(const struct hwemit_target *target);

/* Returns the table row of word i of n, or NULL if the target has none, and its index among the registers of
 * that row (number may be NULL). */
TEXENV_API const struct hwemit_register *hwemit_classify(const struct hwemit_registers *registers,
                                                         const struct hwemit_word *word, uint32_t i,
                                                         uint32_t n, unsigned *number);

/* Returns NULL if word i of n is a register of the target without reserved bits set; else a static text that
 * describes the error, and the bits in error. */
TEXENV_API const char *hwemit_check_word(const struct hwemit_registers *registers,
                                         const struct hwemit_word *word, uint32_t i, uint32_t n,
                                         uint32_t *bits);

/* Prints one line without newline: the register, its nonzero fields, and the word as a comment. The word must
 * pass hwemit_check_word. */
TEXENV_API void hwemit_print_word(struct texenv_text *text, const struct hwemit_registers *registers,
                                  const struct hwemit_word *word, uint32_t i, uint32_t n);

/* Prints the word as hwemit_read_hex reads it: "0x2f00 0x0000008a", or "0x6d021183" for a stream. */
TEXENV_API void hwemit_print_hex(struct texenv_text *text, const struct hwemit_word *word);

/* Words read from a text, in the caller's storage. line (may be NULL): the line number of each. */
struct hwemit_words {
    struct hwemit_word *word;
    uint32_t *line;
    uint32_t n, max;
};
/* Reads lines as hwemit_print_word and hwemit_print_assembly (hwemit/targets.h) write them, with comments
 * from '#' on. Reports each problem as an ERROR diagnostic and returns false if there was any. The words read
 * pass hwemit_check_word. */
TEXENV_API bool hwemit_read_asm(struct hwemit_words *out, const struct hwemit_registers *registers,
                                const char *text, size_t length, const struct texenv_sink *sink);
/* Reads hexadecimal numbers ("0x" may be omitted), one word per line: "ADDRESS VALUE", or "VALUE" for a
 * stream, with comments from '#' on. For a target with registers, words without an address are packets
 * (hwemit_packets), which are unpacked. The words read pass hwemit_check_word; errors as in hwemit_read_asm.
 */
TEXENV_API bool hwemit_read_hex(struct hwemit_words *out, const struct hwemit_registers *registers,
                                const char *text, size_t length, const struct texenv_sink *sink);

/* Converts words to packets of the target's command stream. A Radeon has packets of type 0: (count - 1) << 16
 * | address >> 2, then the values. Consecutive registers share a packet; repeated writes of one register are
 * a packet with bit 15 set. Words that already are a stream are copied. Returns the number of dwords, of
 * which at most `room` are written. */
TEXENV_API uint32_t hwemit_packets(uint32_t *dword, uint32_t room, const struct hwemit_target *target,
                                   const struct hwemit_word *word, uint32_t n);

/* For targets: returns x, clamped to [0,1], times 255, rounded to nearest. */
TEXENV_API uint32_t hwemit_unorm8(float x);

/* For targets: fills *why with a formatted text (fragprog_reason.text) and with a description of what would
 * make the program fit. Returns false. */
TEXENV_API bool hwemit_refuse(struct fragprog_reason *why, int unit, const char *code, const char *fit,
                              const char *format, ...);

#ifdef __cplusplus
}
#endif
#endif
