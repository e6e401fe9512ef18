/* hwemit - programs of texture combiners as words of real chips.
 *
 * A target takes the intermediate program of a texture environment (or a program of GL_ATI_fragment_shader),
 * legalises and schedules it, and encodes it as the words that a driver uploads. Its registers and packets
 * are rows (hwemit/<chip>/<chip>_registers.def), from which the encoder's shifts, the disassembler and the
 * assembler derive: they are inverses by construction, and the tests check the rows themselves.
 *
 * Conventions are those of texenv.h: no allocation, input, output, writable globals or abort; one thread an
 * object.
 */
#ifndef HWEMIT_H
#define HWEMIT_H

#include "fragprog/atifs.h"
#include "fragprog/backend.h"
#include "fragprog/fragprog.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * What a compilation gives
 */

/* address: byte offset of the register, or the number by which the chip's packets name it; HWEMIT_STREAM for
 * a word of a packet stream. */
#define HWEMIT_STREAM 0xFFFFFFFFu
struct hwemit_word {
    uint32_t address, value;
};

/* A constant that the words hold: uploading another colour needs no other change. slot: as the chip counts
 * them. */
struct hwemit_constant {
    uint16_t slot;
    /* environment colour of unit; FRAGPROG_ORIGIN_GLOBAL or _LOCAL + n: parameter n of a program of the
     * extension; or -1: the value is the program's own; or HWEMIT_BY_LANES: see origin */
    int8_t unit;
    /* FRAGPROG_MASK_* of those that are the unit's; 15 but where a target packs parts of two colours into one
     * constant, which then has two entries; of assembly programs those that are read */
    uint8_t channels;
    uint32_t word; /* index in the words of its (first) value word */
    /* before it becomes the chip's format: the nearest, but a float of 24 bits is cut off, as drivers do it
     * (notes/numbers.md); of a parameter the one that the program was read with, 0 if none */
    float value[4];
    /* With HWEMIT_BY_LANES (constants laid out anew: of assembly programs, of some chips all), what each
     * lane is filled from: component[c] of origin[c] (fragprog_const.origin); FRAGPROG_ORIGIN_IMMEDIATE: its
     * value stays; from FRAGPROG_ORIGIN_DERIVED on: fragprog_derived_value. */
    int32_t origin[4];
    uint8_t component[4];
};
enum { HWEMIT_BY_LANES = -2 };
/* The chip's texture unit `slot` samples the texture of GL's unit `unit` with coordinate set `coord`; of a
 * program whose two passes take different sets there are two entries. */
struct hwemit_texture {
    uint8_t slot, unit, coord, target; /* enum texenv_target */
};
/* What the rasteriser writes into a temporary before the program starts (chips without fixed places for
 * them). */
enum {
    HWEMIT_COLOR, /* index 0: primary, 1: secondary */
    HWEMIT_COORD, /* coordinate set `index` */
    /* of assembly programs: the fog coordinate in x; the fragment's position (window x, y, depth, 1/w) */
    HWEMIT_FOGCOORD,
    HWEMIT_POSITION,
    /* of vertex programs: attribute `index` (enum fragprog_attrib); `temp` is the input register */
    HWEMIT_ATTRIB
};
struct hwemit_input {
    uint8_t temp, what, index, pad;
};
/* Of vertex programs: output register `slot` holds `what` (0: the position, else enum fragprog_vertex_out).
 * Of chips whose results lie in any registers: `slot` holds the depth or the first component of another
 * colour.
 */
enum { HWEMIT_DEPTH = 64, HWEMIT_TARGET_COLOR /* + n: colour output n */ };
struct hwemit_output {
    uint8_t slot, what;
};
/* Figures of the program, by the target's own names: "stages", "pairs" ... */
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
    struct hwemit_word *word; /* in upload order, over the caller's storage */
    uint32_t nwords, maxwords;
    uint16_t nconstants, ntextures, ninputs, noutputs, nstats;
    uint32_t assumed; /* bit n: holds only under assumption n of the target */
    /* HWEMIT_COLOR_SUM, HWEMIT_FOG: what follows texturing in GL and the words do; the rest stays with who
     * draws */
    uint8_t follows;
    /* the temporary that holds the colour at the end, of chips without a fixed place for it; else -1 */
    int16_t output;
    struct hwemit_constant constant[HWEMIT_CONSTANTS];
    struct hwemit_texture texture[HWEMIT_TEXTURES];
    struct hwemit_input input[HWEMIT_INPUTS];
    struct hwemit_output outputs[HWEMIT_OUTPUTS];
    struct hwemit_stat stat[HWEMIT_STATS];
    /* Of the target: word n of the words of a constant, and how many these are. */
    uint32_t (*constant_word)(const float rgba[4], unsigned n);
    uint32_t constant_words;
};
/* Words that are enough for every texture environment, and for every program that any target accepts. */
#define HWEMIT_TEXENV_WORDS 1024
#define HWEMIT_MAX_WORDS 8192

/* Gives constant i (below code->nconstants; one with a unit or lanes) another value, as when the environment
 * colour or the parameter changes: its words and constant[i].value become what compiling with this colour
 * would have made of them. Of a constant with HWEMIT_BY_LANES the lanes that are not the program's own get
 * rgba, lane by lane: for lane n component[n] of origin[n], as it is where that is no colour. Where the
 * target packs parts of two colours into one constant, only the channels of constant[i].channels. A colour is
 * limited to [0,1], as GL limits it; NaN is 0. The storage holds all words (nwords <= maxwords). What is to
 * be uploaded again are code->constant_words words from constant[i].word on; of a packet stream also what
 * comes before them in their packet, and where words share an address all from the nearest before them with
 * another address on, which is their index. */
TEXENV_API void hwemit_set_constant(struct hwemit_code *code, unsigned i, const float rgba[4]);

/* The same for all constants that hold something of environment colours, computed or as it is: those of
 * unit n are color[4*n] to color[4*n + 3], limited first; only units that the code has are read. */
TEXENV_API void hwemit_set_colors(struct hwemit_code *code, const float *color);
/* The value of lane c of constant i with these colours, which are limited as by hwemit_set_constant; what it
 * was if it is none. */
TEXENV_API float hwemit_constant_lane(const struct hwemit_constant *constant, unsigned c, const float *color);

/* Makes an empty result over the storage. */
TEXENV_API void hwemit_code_init(struct hwemit_code *code, struct hwemit_word *storage, uint32_t maxwords);
/* Appends. Nothing is written past maxwords; nwords goes on counting, so that nwords > maxwords tells that
 * the storage was too small; what is in it is of no use then. */
TEXENV_API void hwemit_add(struct hwemit_code *code, uint32_t address, uint32_t value);
/* its word is the next one */
TEXENV_API void hwemit_add_constant(struct hwemit_code *code, unsigned slot, int unit, const float value[4]);
TEXENV_API void hwemit_add_lanes(struct hwemit_code *code, unsigned slot, const float value[4],
                                 const int32_t origin[4], const uint8_t component[4]);
TEXENV_API void hwemit_add_texture(struct hwemit_code *code, unsigned slot, unsigned unit, unsigned coord,
                                   unsigned target);
TEXENV_API void hwemit_add_input(struct hwemit_code *code, unsigned temp, unsigned what, unsigned index);
TEXENV_API void hwemit_add_output(struct hwemit_code *code, unsigned slot, unsigned what);
TEXENV_API void hwemit_add_stat(struct hwemit_code *code, const char *name, uint32_t value);

/* ------------------------------------------------------------------------------------------------
 * Targets
 */

/* One thing about a chip that no document settles, by name: --assume NAME takes it for true. */
struct hwemit_assumption {
    const char *name, *help;
};

/* Something that the user may tell one target, by name, as a number from low to high (hwemit_set_option). */
struct hwemit_option {
    const char *name;
    int16_t low, high;
    const char *help;
};
enum { HWEMIT_OPTIONS = 8 };

/* All zero: nothing is assumed, and no option of the target is given. */
struct hwemit_options {
    /* level, hooks, most_work ... (the rest is for the extension's programs) */
    struct fragprog_options passes;
    uint32_t assume; /* bit n: assumption n of the target may be used */
    /* HWEMIT_COLOR_SUM, HWEMIT_FOG: what the state has of these; a target whose combiners do them makes them
     * part of the words (hwemit_code.follows) */
    uint8_t follows;
    /* constants are environment colours as they are, none is computed from them (FRAGPROG_ORIGIN_DERIVED) */
    uint8_t no_derived;
    /* bit n: option n of the target has the value below; else the target's own default */
    uint8_t given;
    int16_t value[HWEMIT_OPTIONS];
};

/* What a target gets. It leaves the programs unchanged. */
struct hwemit_source {
    const struct fragprog *best; /* after the passes of the level that is wanted */
    /* after dead stages only, for where the best one does not fit; may equal best or be NULL */
    const struct fragprog *plain;
    const struct fragprog_atifs *atifs; /* the program of the extension that it comes from, or NULL */
    struct fragprog_budget *budget;     /* what its searches may spend */
    /* memory of the size that the target states, aligned as for any object */
    void *scratch;
};

struct hwemit_target {
    const char *name; /* as in --to */
    const char *help;
    const struct hwemit_assumption *assumptions; /* ends with name NULL */
    const struct hwemit_option *options;         /* ends with name NULL; NULL: none */
    size_t scratch;                              /* bytes of hwemit_source.scratch */
    uint32_t most_work; /* the default of fragprog_options.most_work at levels 0 to 2 */
    /* Compiles. False with *why (code, unit, text, fit) if the chip cannot do it; *code is then of no use.
     * Never an approximation. */
    bool (*compile)(struct hwemit_code *code, const struct hwemit_source *source,
                    const struct hwemit_options *options, struct fragprog_reason *why);
    /* The bytes of hwemit_source.scratch that compile needs for an unbounded program (fragprog.unbounded) of
     * so many instructions. NULL: it is not given such programs. */
    size_t (*unbounded_scratch)(unsigned insts);
    /* fragprog_derive: constants are floats, they may be computed from environment colours; or NULL */
    bool (*derive)(struct fragprog *p, const struct fragprog *colors);
    bool vertex;     /* compile takes vertex programs, too */
    bool no_packets; /* those of its command stream are not known: hwemit_packets gives none */
    /* hwemit_packets of this chip; NULL: type-0 packets of a Radeon, and words of a stream as they are */
    uint32_t (*pack)(uint32_t *dword, uint32_t room, const struct hwemit_word *word, uint32_t n);
    /* The measure by which a program must not be longer for constants that are computed from environment
     * colours: the target compiles with and without them. NULL: constants are computed wherever they can be,
     * but at level 3, where the first of `stat` is the measure. */
    uint32_t (*length)(const struct hwemit_code *code);
};
/* Gives option `name` of the target a value. False, and nothing done, if the target has no such option or the
 * value is out of its range. */
TEXENV_API bool hwemit_set_option(struct hwemit_options *options, const struct hwemit_target *target,
                                  const char *name, int value);
/* For targets: the value of option n, or `otherwise` if it is not given. */
TEXENV_API int hwemit_option_value(const struct hwemit_options *options, unsigned n, int otherwise);

/* Ends with NULL. */
TEXENV_API extern const struct hwemit_target *const hwemit_targets[];
/* NULL if there is none of this name. */
TEXENV_API const struct hwemit_target *hwemit_find_target(const char *name);

/* Memory that a compilation to any target needs besides the stack, of which no function here takes more than
 * 32 KB: the caller's, aligned as for any object; its content means nothing before and after. hwemit_scratch:
 * what one target needs, where that matters. */
#define HWEMIT_SCRATCH (512u << 10)
TEXENV_API size_t hwemit_scratch(const struct hwemit_target *target);
/* The same for one source: more than HWEMIT_SCRATCH where an unbounded program is long. */
TEXENV_API size_t hwemit_scratch_of(const struct hwemit_target *target, const struct fragprog_source *source);

/* From a state or program to words in one call: fragprog_begin, target. False with *why if the target cannot
 * do it, or its search ended for want of work (code "work"). */
TEXENV_API bool hwemit_compile(struct hwemit_code *code, const struct hwemit_target *target,
                               const struct fragprog_source *source, const struct hwemit_options *options,
                               void *scratch, struct fragprog_reason *why);

/* ------------------------------------------------------------------------------------------------
 * Words as text, and back (notes/formats/words.md)
 */

/* Rows of a register or packet: which bits are which field. Bits of no field must be zero (or as `fixed`
 * says). */
struct hwemit_field {
    const char *name;
    uint8_t low, width;
    /* of the values, 1 << width of them, NULL where a value has no name; or NULL: numbers */
    const char *const *names;
};
struct hwemit_register {
    const char *name; /* with '#' where the number stands if there are several: "PP_TXCBLEND_#" */
    /* of the first; HWEMIT_STREAM: a packet word, known by its fixed bits or by what precedes it */
    uint32_t address;
    uint16_t count, stride;     /* how many, and bytes from one to the next */
    uint32_t fixed_mask, fixed; /* bits that always have this value */
    const struct hwemit_field *field;
    uint16_t nfields;
    /* the bits that a compilation determines, where the register has others too: the driver merges them into
     * what it keeps there; 0: all */
    uint32_t program;
};

struct hwemit_words;
/* What the words of a target mean. Apart from it: who only makes words does not link the names. */
struct hwemit_registers {
    const struct hwemit_target *target;
    const struct hwemit_register *row; /* ends with name NULL */
    /* For words whose meaning depends on earlier words: returns the register of word i of n, or NULL if it is
     * none. The pointer is NULL if the address alone tells the register. */
    const struct hwemit_register *(*classify)(const struct hwemit_word *word, uint32_t i, uint32_t n);
    /* With hwemit_target.pack, its inverse: the registers that the packet at the beginning of a stream of n
     * words (of which only the values count) writes, at most HWEMIT_PACKET; returns how many words it has, 0
     * if it is none that pack makes. */
    uint32_t (*unpack)(const struct hwemit_word *stream, uint32_t n, struct hwemit_word *word,
                       uint32_t *nwords);
    /* All words as a program in the language of the chip's public tools, which begins with `language`, and
     * back; NULL: it has none. print: false, and what was appended is of no use, if the language cannot say
     * them. read: as hwemit_read_asm; words that only drivers know are left as they are initially. */
    const char *language;
    bool (*print)(struct texenv_text *text, const struct hwemit_word *word, uint32_t n);
    bool (*read)(struct hwemit_words *out, const char *text, size_t length, const struct texenv_sink *sink);
};
#define HWEMIT_PACKET 256
/* Those of any of hwemit_targets, else NULL. hwemit/targets.h has them one by one. */
TEXENV_API const struct hwemit_registers *hwemit_find_registers(const struct hwemit_target *target);

/* The row that word i of n is, and its number among equal registers (number may be NULL); NULL if the target
 * has none. */
TEXENV_API const struct hwemit_register *hwemit_classify(const struct hwemit_registers *registers,
                                                         const struct hwemit_word *word, uint32_t i,
                                                         uint32_t n, unsigned *number);

/* NULL if word i of n is one of the target's registers and has no bit set that must be zero; else a static
 * text of what is wrong, and the bits at fault. */
TEXENV_API const char *hwemit_check_word(const struct hwemit_registers *registers,
                                         const struct hwemit_word *word, uint32_t i, uint32_t n,
                                         uint32_t *bits);

/* One line without its end: the register, the fields that are not zero, and the word as a comment. The word
 * must pass hwemit_check_word. */
TEXENV_API void hwemit_print_word(struct texenv_text *text, const struct hwemit_registers *registers,
                                  const struct hwemit_word *word, uint32_t i, uint32_t n);

/* The word as hwemit_read_hex reads it: "0x2f00 0x0000008a", or "0x6d021183" of a stream. */
TEXENV_API void hwemit_print_hex(struct texenv_text *text, const struct hwemit_word *word);

/* Words read from a text, over the caller's storage. line (may be NULL): the line of each. */
struct hwemit_words {
    struct hwemit_word *word;
    uint32_t *line;
    uint32_t n, max;
};
/* Reads lines as hwemit_print_word writes them; comments from '#' on. Every problem is an ERROR diagnostic;
 * false if there was one. The words pass hwemit_check_word. */
TEXENV_API bool hwemit_read_asm(struct hwemit_words *out, const struct hwemit_registers *registers,
                                const char *text, size_t length, const struct texenv_sink *sink);
/* Reads hexadecimal numbers ("0x" may be left out), one word a line: "ADDRESS VALUE", or "VALUE" of a stream;
 * comments from '#' on. For a target of registers, words without address are packets (hwemit_packets), and
 * come out unpacked. The words pass hwemit_check_word; else as hwemit_read_asm. */
TEXENV_API bool hwemit_read_hex(struct hwemit_words *out, const struct hwemit_registers *registers,
                                const char *text, size_t length, const struct texenv_sink *sink);

/* Words as packets of the target's command stream. Those of a Radeon are of type 0: (count - 1) << 16 |
 * address >> 2, then the values. Neighbouring registers share a packet; one register written again and again
 * is a packet with bit 15 set. Words that are a stream already go through. Returns the number of dwords; at
 * most room are written. */
TEXENV_API uint32_t hwemit_packets(uint32_t *dword, uint32_t room, const struct hwemit_target *target,
                                   const struct hwemit_word *word, uint32_t n);

/* For targets: x clamped to [0,1] as the nearest multiple of 1/255, times 255. Exact: 32 bits hold the
 * product. */
TEXENV_API uint32_t hwemit_unorm8(float x);

/* For targets: fills *why with a formatted line (fragprog_reason.text), and what would make it fit. Returns
 * false. */
TEXENV_API bool hwemit_refuse(struct fragprog_reason *why, int unit, const char *code, const char *fit,
                              const char *format, ...);

#ifdef __cplusplus
}
#endif
#endif
