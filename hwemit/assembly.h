/* Internal to hwemit: printing and reading of instructions as assembly, in the syntax of a chip's public
 * tools. A table of templates describes the lines; the same table is used for printing and reading
 * (assembly.c).
 *
 * In a template, a blank matches one or more blanks (after ',' and ')' also none). A field of the
 * instruction, or a derived field (hwemit_assembly.derived), is written in braces:
 *
 *     {NAME}         the name of the field's value in lower case, or a number if the field has no names
 *     {NAME*}        the name of the value, which must be one of the row's codes
 *     {NAME:text}    the text if the value is not 0; '#' in the text stands for the value
 *     {NAME=number}  no text; the template applies only if the field has this value, which reading sets
 *     {NAME~number}  no text; when printing, applies only if the field does not have this value
 *     {NAME|s11}     a signed integer of 11 bits; x32: a hexadecimal number; f32, f20, f16: a float
 *     {NAME|xyzw}    a letter x, y, z or w for each two bits
 *     {NAME|kind}    an operand of this kind; in field names of the kind's templates, '@' stands for NAME
 *     {!c}           no text; the template applies only if the line does not continue with character c
 *     {>}            no text; names of fields are looked for from the next word on, which must exist
 *
 * If several words of the instruction have a field of one name, "1.NAME" is that of word 1. "NAME[2-7]" and
 * "NAME[2]" are bits of a field. The derived field N, if there is one, is the number of the first register
 * among those of its row.
 *
 * After printing, the line is read again; if that gives other words, it is not used. */
#ifndef HWEMIT_ASSEMBLY_H
#define HWEMIT_ASSEMBLY_H

#include "hwemit/hwemit.h"

struct assembly;
/* A kind of operand. It is printed and read by the first template of `form` (ends with NULL) that applies, or
 * by the function `both`. */
struct assembly_kind {
    const char *name;
    const char *const *form;
    bool (*both)(struct assembly *a, const char *field);
};
#define ASSEMBLY_KIND(form) \
    { \
#form, form, NULL \
    }
struct assembly_row {
    uint8_t first; /* the row of its first word in hwemit_registers.row; if there are layouts, its layout */
    uint64_t codes[2]; /* set of values that {NAME*} accepts: bit n % 64 of codes[n / 64] is value n */
    const char *form;
};
/* ASSEMBLY_APART: maximum number of instructions whose words stand apart. */
enum { ASSEMBLY_WORDS = 8, ASSEMBLY_APART = 64 };
struct assembly_layout {
    uint8_t words, row[ASSEMBLY_WORDS]; /* the rows of its words in hwemit_registers.row */
};
struct hwemit_assembly {
    unsigned words;                   /* number of words of an instruction, if there is no layout */
    char stroke;                      /* the character that is printed for '_' in names of values */
    const struct assembly_row *row;   /* ends with form NULL */
    const struct assembly_kind *kind; /* ends with name NULL */
    /* Further names of bits, which are numbered through all words: bit 32 is the lowest of word 1. Fields of
     * one name that follow each other are the parts of a number, lowest first. Bits behind the words are for
     * the field N and for values that `derive` computes. Ends with name NULL. */
    const struct hwemit_field *derived;
    /* Computes the values behind the words; when a line is read, fields of the words from these. May be NULL.
     */
    void (*derive)(struct assembly *a);
    const struct assembly_layout *layout; /* may be NULL */
    bool capitals;                        /* names of values are printed as they are, not in lower case */
    /* The words of an instruction, if there are several, do not follow each other: the first words of all
     * instructions stand before the second words of all, and so on. */
    bool apart;
    bool hash; /* '#' before a digit or '-' belongs to an operand and begins no comment */
    const struct hwemit_assembly *next; /* another table that is tried next, or NULL */
};

/* The error message of the template that matched most of the line, of all that were tried. */
struct assembly_error {
    const char *at;
    char text[160];
};
struct assembly {
    const struct hwemit_registers *registers;
    const struct hwemit_assembly *table;
    const struct assembly_row *row;
    const char *operand;                                  /* the field name that '@' stands for */
    unsigned cursor;                                      /* the word from which on names are looked for */
    uint32_t word[ASSEMBLY_WORDS], known[ASSEMBLY_WORDS]; /* known: bits that the line determines */
    bool reading;
    struct texenv_text text;     /* the text printed so far */
    const char *start, *p, *end; /* the line that is read, and the current position in it */
    struct assembly_error *error;
};

uint32_t hwemit_assembly_get(const struct assembly *a, const char *field);
/* Sets a field. When a line is read, returns false if the line has given the field another value before, or
 * if the value has too many bits. */
bool hwemit_assembly_set(struct assembly *a, const char *field, uint32_t value);
/* The following functions print their argument or, when a line is read, read it; they return false after
 * hwemit_assembly_fail. */
bool hwemit_assembly_text(struct assembly *a, const char *s);
/* An integer of 1 to 32 bits; a float of 32 or 16 bits, or (width 20) the highest 20 bits of one of 32. */
bool hwemit_assembly_integer(struct assembly *a, uint32_t *value, unsigned width, bool has_sign);
bool hwemit_assembly_real(struct assembly *a, uint32_t *value, unsigned width);
/* Records why the line cannot be read. Returns false. */
bool hwemit_assembly_fail(struct assembly *a, const char *at, const char *format, ...);

/* Reads an instruction. Returns its number of words, or 0 with *error if the line is not an instruction.
 * *apart: whether the words do not follow each other (hwemit_assembly.apart). */
uint32_t hwemit_read_assembly(const struct hwemit_registers *registers, const char *line, const char *end,
                              struct hwemit_word word[ASSEMBLY_WORDS], bool *apart,
                              struct assembly_error *error);

#endif
