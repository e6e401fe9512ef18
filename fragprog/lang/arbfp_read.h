/* Interface between the parts of the reader of ARB programs. Internal to fragprog/lang. "The specification"
 * is GL_ARB_fragment_program, revision 28, or for vertex programs GL_ARB_vertex_program, revision 46.
 *
 * Functions that return false have reported an error. */
#ifndef FRAGPROG_ARBFP_READ_H
#define FRAGPROG_ARBFP_READ_H

#include "fragprog/bindings.h"
#include "fragprog/inst.h"

enum arbfp_token { ARBFP_END_OF_TEXT, ARBFP_WORD, ARBFP_NUMBER, ARBFP_RANGE, ARBFP_CHARACTER };

/* A declared name. index: number of the temporary, output, address register, parameter (struct arbfp_param)
 * or attribute. */
enum arbfp_kind { ARBFP_ATTRIB, ARBFP_PARAM, ARBFP_TEMP, ARBFP_OUTPUT, ARBFP_ADDRESS };
struct arbfp_symbol {
    const char *name;
    uint32_t length, index;
    uint8_t kind; /* enum arbfp_kind */
};

/* A parameter consists of items. Each item is `count` constants, which are elements `start` and following of
 * the parameter: either constants of the pool from konst on, or (origin not IMMEDIATE) parameters or rows
 * from origin on. */
struct arbfp_item {
    int32_t origin;
    uint32_t start, count;
    uint16_t konst;
};
struct arbfp_param {
    uint32_t item, items, size;
    bool array;
    /* for an array that is addressed relatively: its number, from 1 on; the pool then contains the whole
     * array */
    uint8_t number;
};

/* A register: for each channel the value that was written last, or ARBFP_UNWRITTEN. gathered: the number of a
 * vec that contains the current values of the channels in `mask`. */
enum { ARBFP_UNWRITTEN = 0xffff };
struct arbfp_register {
    uint16_t value[4];
    uint16_t gathered;
    uint8_t mask;
};

/* The source of an operand, before swizzle and sign. */
enum { ARBFP_REGISTER = 0xff }; /* pseudo-file, in addition to enum fragprog_file */
struct arbfp_place {
    uint8_t file; /* enum fragprog_file, or ARBFP_REGISTER */
    uint16_t index;
    struct arbfp_register *reg;
    struct texenv_place at;
    const char *name; /* its text in the program, `length` characters */
    size_t length;
};
struct arbfp_operand {
    struct arbfp_place from;
    uint8_t lane[4]; /* enum fragprog_lane */
    uint8_t negate;  /* bit n: lane[n] is negated */
    bool abs;
};

enum {
    ARBFP_FOG_SET = 1,
    ARBFP_FASTEST = 2,
    ARBFP_NICEST = 4,
    ARBFP_SHADOW = 8,
    ARBFP_DRAW_BUFFERS = 16,
    ARBFP_INVARIANT = 32
};
enum { ARBFP_OUTPUTS = FRAGPROG_MOST_TEXTURES + 1, ARBFP_DEPTH = FRAGPROG_MOST_TEXTURES };

struct arbfp_reader {
    const char *at, *end, *line_start;
    uint32_t line;
    const struct texenv_sink *sink;
    /* the current token: its text and position */
    enum arbfp_token kind;
    const char *token;
    size_t length;
    struct texenv_place place;
    struct fragprog *p;
    bool vertex;      /* the text is a vertex program */
    unsigned options; /* set of ARBFP_SHADOW ... */
    uint8_t fog;      /* enum texenv_fog */
    uint8_t
        /* for each unit: enum texenv_target + 1, + 16 with comparison; 0: no lookup so far */
        target[FRAGPROG_MOST_TEXTURES];
    struct arbfp_register output[ARBFP_OUTPUTS];
    uint64_t outputs;    /* bit n: an instruction writes output n */
    uint32_t attributes; /* vertex attributes that are bound: bits by enum fragprog_attrib */
    /* The following tables are in scratch memory. Hash tables hold indices + 1; 0 is a free entry. */
    struct arbfp_symbol *symbol;
    struct arbfp_param *param;
    struct arbfp_item *item;
    struct arbfp_register *temp;
    /* for each address register: the operand of the last ARL; file ARBFP_REGISTER: none */
    struct fragprog_src *address;
    uint32_t *symbol_table, *const_table;
    uint32_t symbols, params, items, temps, addresses, arrays, symbol_mask, const_mask;
};

/* scan_arbfp.c */
/* Report an error at the token, which is %.*s in `format`, or elsewhere. */
bool fragprog_arbfp_fail(struct arbfp_reader *r, const char *code, const char *format);
bool fragprog_arbfp_fail_at(struct arbfp_reader *r, struct texenv_place place, const char *code,
                            const char *text);
/* Reports "expected WHAT, found ..." at the token. */
bool fragprog_arbfp_expected(struct arbfp_reader *r, const char *what);
void fragprog_arbfp_next(struct arbfp_reader *r);
bool fragprog_arbfp_is(const struct arbfp_reader *r, const char *word);
bool fragprog_arbfp_is_char(const struct arbfp_reader *r, char c);
/* If the current token is the character or word, advance and return true; else return false without an
 * error. */
bool fragprog_arbfp_accept(struct arbfp_reader *r, char c);
bool fragprog_arbfp_accept_word(struct arbfp_reader *r, const char *word);
/* Like fragprog_arbfp_accept, but report an error. */
bool fragprog_arbfp_expect(struct arbfp_reader *r, char c);
bool fragprog_arbfp_expect_word(struct arbfp_reader *r, const char *word);
/* Reads an unsigned integer below `limit`. */
bool fragprog_arbfp_integer(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value);
/* Read [n]; fragprog_arbfp_optional_index gives 0 if there is no "[". */
bool fragprog_arbfp_index(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value);
bool fragprog_arbfp_optional_index(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value);
/* Reads .primary or .secondary and returns 0 or 1. If the next word is neither, returns 0; the dot then
 * begins a suffix. */
unsigned fragprog_arbfp_is_secondary(struct arbfp_reader *r);
/* Reads a number with an optional sign. */
bool fragprog_arbfp_number(struct arbfp_reader *r, bool sign, float *value);

/* read_arbfp_names.c */
/* Returns whether the token, a word, is reserved; returns the symbol of that name, or NULL. */
bool fragprog_arbfp_is_reserved(const struct arbfp_reader *r);
struct arbfp_symbol *fragprog_arbfp_find(const struct arbfp_reader *r);
/* Reads an ATTRIB, PARAM, TEMP, OUTPUT, ALIAS or ADDRESS declaration. *is: the token begins one of these. */
bool fragprog_arbfp_declaration(struct arbfp_reader *r, bool *is);

/* read_arbfp_bindings.c */
/* Read fragment.* or vertex.*, and result.*. *output: the number of the output, in a vertex program an enum
 * fragprog_vertex_out or 0 for the position. */
bool fragprog_arbfp_attribute(struct arbfp_reader *r, struct arbfp_place *from);
bool fragprog_arbfp_result(struct arbfp_reader *r, uint32_t *output);
/* Reads one element of a PARAM declaration: state, a program parameter or a constant. many: also accepts
 * ranges and whole matrices. */
bool fragprog_arbfp_item(struct arbfp_reader *r, bool many, struct arbfp_item *item);
/* Reads {x, y, z, w} or a number as a constant of the pool. sign: the number may have a sign. */
bool fragprog_arbfp_constant(struct arbfp_reader *r, bool sign, uint16_t *konst);
/* Finds or adds the constant of the pool for parameter `origin`. */
bool fragprog_arbfp_uploaded(struct arbfp_reader *r, int32_t origin, uint16_t *konst);

/* Adds the whole array to the pool, as adjacent constants. A constant that already existed gets the index + 1
 * of its element in `scratch`, for fragprog_arbfp_order. */
bool fragprog_arbfp_array(struct arbfp_reader *r, struct arbfp_param *param);
/* Returns whether the parameter is in the pool, and sets *konst to its index. */
bool fragprog_arbfp_find_uploaded(const struct arbfp_reader *r, int32_t origin, uint16_t *konst);

/* read_arbfp_order.c */
/* Sorts the constants by their declaration, uploaded constants before immediates. */
void fragprog_arbfp_order(struct arbfp_reader *r);

/* read_arbfp_values.c */
static inline struct fragprog_inst arbfp_operation(unsigned op, unsigned mask)
{
    return (struct fragprog_inst){.op = (uint8_t)op, .mask = (uint8_t)mask, .unit = -1};
}
void fragprog_arbfp_clear(struct arbfp_register *reg);
bool fragprog_arbfp_append(struct arbfp_reader *r, const struct fragprog_inst *inst, unsigned *value);
/* Converts the operand to a source of an instruction that reads these lanes. */
bool fragprog_arbfp_source(struct arbfp_reader *r, const struct arbfp_operand *o, unsigned lanes,
                           struct fragprog_src *src);
/* Appends an instruction whose first source is these channels of an output. name: the output's, for
 * warnings. */
bool fragprog_arbfp_copy_output(struct arbfp_reader *r, unsigned output, const char *name,
                                struct fragprog_inst inst, unsigned *value);
void fragprog_arbfp_write(struct arbfp_register *reg, unsigned mask, unsigned value);
/* Add the instructions after the last one of the text: fog and results. The function for vertex programs is
 * in read_arbvp.c. */
bool fragprog_arbfp_finish(struct arbfp_reader *r);
bool fragprog_arbvp_finish(struct arbfp_reader *r);

/* read_arbvp.c: vertex programs' part of fragprog_arbfp_attribute, and of fragprog_arbfp_result after
 * "result.". */
bool fragprog_arbvp_read_attribute(struct arbfp_reader *r, struct arbfp_place *from);
bool fragprog_arbvp_read_result(struct arbfp_reader *r, uint32_t *output);

/* read_arbfp_operands.c */
/* Returns the component of a letter: x y z w, or in fragment programs also r g b a. *set remembers the set of
 * the first letter, so that a word cannot mix both sets. Returns -1 for other letters. */
int fragprog_arbfp_component(const struct arbfp_reader *r, const char *word, size_t at, const char **set);
bool fragprog_arbfp_read_operand(struct arbfp_reader *r, bool scalar, struct arbfp_operand *o);
/* Reads the operand of SWZ. */
bool fragprog_arbfp_read_extended(struct arbfp_reader *r, struct arbfp_operand *o);

/* read_arbfp_instructions.c. Returns whether the token is the name of an instruction. */
bool fragprog_arbfp_is_instruction(const struct arbfp_reader *r);
bool fragprog_arbfp_instruction(struct arbfp_reader *r);

#endif
