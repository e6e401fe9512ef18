/* The reader of ARB programs in its parts. Internal to fragprog/lang. "The specification" is
 * GL_ARB_fragment_program, revision 28, for vertex programs GL_ARB_vertex_program, revision 46.
 *
 * Functions that give false have reported an error. */
#ifndef FRAGPROG_ARBFP_READ_H
#define FRAGPROG_ARBFP_READ_H

#include "fragprog/bindings.h"
#include "fragprog/inst.h"

enum arbfp_token { ARBFP_END_OF_TEXT, ARBFP_WORD, ARBFP_NUMBER, ARBFP_RANGE, ARBFP_CHARACTER };

/* What a name stands for. index: of a temporary, output, address, parameter (struct arbfp_param), or
 * attribute. */
enum arbfp_kind { ARBFP_ATTRIB, ARBFP_PARAM, ARBFP_TEMP, ARBFP_OUTPUT, ARBFP_ADDRESS };
struct arbfp_symbol {
    const char *name;
    uint32_t length, index;
    uint8_t kind; /* enum arbfp_kind */
};

/* A parameter is its items, of which each is `count` constants from `start` on: those of the pool from konst
 * on, or (origin not IMMEDIATE) parameters or rows from origin on. */
struct arbfp_item {
    int32_t origin;
    uint32_t start, count;
    uint16_t konst;
};
struct arbfp_param {
    uint32_t item, items, size;
    bool array;
    uint8_t number; /* of an array that is addressed relatively, from 1 on: it is in the pool as a whole */
};

/* Four channels: which value each was last written by, or ARBFP_UNWRITTEN. gathered: a vec of the channels
 * `mask` of it that is still right. */
enum { ARBFP_UNWRITTEN = 0xffff };
struct arbfp_register {
    uint16_t value[4];
    uint16_t gathered;
    uint8_t mask;
};

/* Where an operand reads, before swizzle and sign. */
enum { ARBFP_REGISTER = 0xff }; /* beside enum fragprog_file */
struct arbfp_place {
    uint8_t file; /* enum fragprog_file, or ARBFP_REGISTER */
    uint16_t index;
    struct arbfp_register *reg;
    struct texenv_place at;
    const char *name; /* where it stands in the text, `length` characters */
    size_t length;
};
struct arbfp_operand {
    struct arbfp_place from;
    uint8_t lane[4]; /* enum fragprog_lane */
    uint8_t negate;  /* bit per lane */
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
    /* the token here: its text and place */
    enum arbfp_token kind;
    const char *token;
    size_t length;
    struct texenv_place place;
    struct fragprog *p;
    bool vertex;      /* a vertex program */
    unsigned options; /* ARBFP_SHADOW ... */
    uint8_t fog;      /* enum texenv_fog */
    uint8_t
        target[FRAGPROG_MOST_TEXTURES]; /* enum texenv_target + 1, + 16 with comparison; 0: not looked up */
    struct arbfp_register output[ARBFP_OUTPUTS];
    uint64_t outputs;    /* bit n: an instruction writes output n */
    uint32_t attributes; /* of a vertex that are bound: bits by enum fragprog_attrib */
    /* over the caller's scratch memory; hash tables hold numbers + 1, 0 is free */
    struct arbfp_symbol *symbol;
    struct arbfp_param *param;
    struct arbfp_item *item;
    struct arbfp_register *temp;
    struct fragprog_src *address; /* what ARL last put there; file ARBFP_REGISTER: nothing */
    uint32_t *symbol_table, *const_table;
    uint32_t symbols, params, items, temps, addresses, arrays, symbol_mask, const_mask;
};

/* scan_arbfp.c */
bool fragprog_arbfp_fail(struct arbfp_reader *r, struct texenv_place place, const char *code,
                         const char *format, const char *what, size_t length);
/* "expected WHAT, found ..." at the token. */
bool fragprog_arbfp_expected(struct arbfp_reader *r, const char *what);
void fragprog_arbfp_next(struct arbfp_reader *r);
bool fragprog_arbfp_is(const struct arbfp_reader *r, const char *word);
bool fragprog_arbfp_is_char(const struct arbfp_reader *r, char c);
/* The character or word, and on; false without an error if it is not here. */
bool fragprog_arbfp_accept(struct arbfp_reader *r, char c);
bool fragprog_arbfp_accept_word(struct arbfp_reader *r, const char *word);
/* The same with an error. */
bool fragprog_arbfp_expect(struct arbfp_reader *r, char c);
bool fragprog_arbfp_expect_word(struct arbfp_reader *r, const char *word);
/* An unsigned integer below `limit`. */
bool fragprog_arbfp_integer(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value);
/* [n] */
bool fragprog_arbfp_index(struct arbfp_reader *r, uint32_t limit, const char *what, uint32_t *value);
/* A number with an optional sign. */
bool fragprog_arbfp_number(struct arbfp_reader *r, bool sign, float *value);

/* read_arbfp_names.c */
bool fragprog_arbfp_is_reserved(const struct arbfp_reader *r, const char *word, size_t length);
struct arbfp_symbol *fragprog_arbfp_find(const struct arbfp_reader *r, const char *name, size_t length);
/* ATTRIB, PARAM, TEMP, OUTPUT, ALIAS, ADDRESS: *is says whether the token is one of them. */
bool fragprog_arbfp_declaration(struct arbfp_reader *r, bool *is);

/* read_arbfp_bindings.c */
/* fragment.*, vertex.*; result.*: the number of the output, of a vertex program enum fragprog_vertex_out, 0
 * the position. */
bool fragprog_arbfp_attribute(struct arbfp_reader *r, struct arbfp_place *from);
bool fragprog_arbfp_result(struct arbfp_reader *r, uint32_t *output);
/* One element of a PARAM declaration: state, a program parameter or a constant. many: ranges and whole
 * matrices are allowed. */
bool fragprog_arbfp_item(struct arbfp_reader *r, bool many, struct arbfp_item *item);
/* {x, y, z, w} or a number as a constant of the pool. sign: of a number. */
bool fragprog_arbfp_constant(struct arbfp_reader *r, bool sign, uint16_t *konst);
/* The constant of the pool that is parameter `origin`. */
bool fragprog_arbfp_uploaded(struct arbfp_reader *r, int32_t origin, uint16_t *konst);

/* The array as a whole, side by side in the pool. What equals an element already has its number + 1 in
 * scratch then, for fragprog_arbfp_order. */
bool fragprog_arbfp_array(struct arbfp_reader *r, struct arbfp_param *param);
/* Whether the parameter is in the pool. */
bool fragprog_arbfp_find_uploaded(const struct arbfp_reader *r, int32_t origin, uint16_t *konst);

/* read_arbfp_order.c */
/* Numbers the constants as they are declared: what is uploaded before immediates. */
void fragprog_arbfp_order(struct arbfp_reader *r);

/* read_arbfp_values.c */
void fragprog_arbfp_clear(struct arbfp_register *reg);
bool fragprog_arbfp_append(struct arbfp_reader *r, const struct fragprog_inst *inst, unsigned *value);
/* The operand as a source of an instruction that reads these lanes of it. */
bool fragprog_arbfp_source(struct arbfp_reader *r, const struct arbfp_operand *o, unsigned lanes,
                           struct fragprog_src *src);
void fragprog_arbfp_write(struct arbfp_register *reg, unsigned mask, unsigned value);
/* What follows the last instruction: fog, and the results. read_arbvp.c: of a vertex program. */
bool fragprog_arbfp_finish(struct arbfp_reader *r);
bool fragprog_arbvp_finish(struct arbfp_reader *r);

/* read_arbvp.c: bindings of vertex programs. */
bool fragprog_arbvp_read_attribute(struct arbfp_reader *r, struct arbfp_place *from);
bool fragprog_arbvp_read_result(struct arbfp_reader *r, uint32_t *output);

/* read_arbfp_operands.c */
/* Components as letters: x y z w or r g b a, not of both kinds, fragment programs only. -1: another word. */
int fragprog_arbfp_component(const struct arbfp_reader *r, const char *word, size_t at, const char **set);
bool fragprog_arbfp_read_operand(struct arbfp_reader *r, bool scalar, struct arbfp_operand *o);
/* That of SWZ. */
bool fragprog_arbfp_read_extended(struct arbfp_reader *r, struct arbfp_operand *o);

/* read_arbfp_instructions.c */
bool fragprog_arbfp_instruction(struct arbfp_reader *r);

#endif
