/* Internal to hwemit: instructions as lines of assembly, in the syntax of a chip's public tools. A table of
 * templates says how a line looks; the same table prints and reads (assembly.c).
 *
 * In a template, a blank stands for one or more (none after ',' and ')'), and braces for a field or derived
 * field of the instruction:
 *
 *     {NAME}         the value: its name in lower case; of a field without names a number
 *     {NAME*}        its name, which must be one of the row's codes
 *     {NAME:text}    the text if the value is not 0; '#' in it stands for the value
 *     {NAME=number}  nothing: the template is only for this value
 *     {NAME~number}  nothing: the template is not for this value
 *     {NAME|s11}     an integer with sign of 11 bits; x32: a hexadecimal number; f32, f20, f16: a float
 *     {NAME|kind}    as the kind says. In the names of a kind's templates, '@' stands for NAME
 *     {!c}           nothing: the template is only for a text that does not continue, after blanks, with the
 *                    character c
 *
 * "1.NAME" is the field of word 1 of the line where several words have one of this name. The derived field N,
 * if there is one, is the number of the first register among those of its row.
 *
 * A template is never wrong about the words: what is printed is read again, and discarded if that gives other
 * words. */
#ifndef HWEMIT_ASSEMBLY_H
#define HWEMIT_ASSEMBLY_H

#include "hwemit/hwemit.h"

struct assembly;
/* A kind of operand: the first template of `form` (ends with NULL) that fits; or `both`, a function that
 * prints and reads the operand. */
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
    uint8_t first;     /* the row of its first word in hwemit_registers.row, or its layout */
    uint64_t codes[2]; /* of {NAME*}: bit n % 64 of n / 64: value n */
    const char *form;
};
enum { ASSEMBLY_WORDS = 8 };
struct assembly_layout {
    uint8_t words, row[ASSEMBLY_WORDS]; /* the rows of its words in hwemit_registers.row */
};
struct hwemit_assembly {
    unsigned words;                     /* of an instruction without layout, in consecutive rows */
    char stroke;                        /* what '_' in the names of values is in the text */
    const struct assembly_row *row;     /* ends with form NULL */
    const struct assembly_kind *kind;   /* ends with name NULL */
    const struct hwemit_field *derived; /* ends with name NULL; bits 0 to 127 behind the words */
    /* Computes the derived fields from the words, or where a line is read the words from them; or NULL. */
    void (*derive)(struct assembly *a);
    const struct assembly_layout *layout; /* or NULL: there are none */
    bool capitals;                        /* the names of values are not printed in lower case */
    bool hash; /* '#' before a digit or '-' belongs to an operand and begins no comment */
    const struct hwemit_assembly *next; /* further lines, or NULL */
};

/* The error message: of all templates that were tried, the one that was read farthest. */
struct assembly_error {
    const char *at;
    char text[160];
};
struct assembly {
    const struct hwemit_registers *registers;
    const struct hwemit_assembly *table;
    const struct assembly_row *row;
    const char *operand;                                  /* what '@' stands for */
    uint32_t word[ASSEMBLY_WORDS], known[ASSEMBLY_WORDS]; /* known: bits that the line has said */
    bool reading;
    struct texenv_text text;     /* printed */
    const char *start, *p, *end; /* read */
    struct assembly_error *error;
};

uint32_t hwemit_assembly_get(const struct assembly *a, const char *field);
/* When a line is read, returns false if the field has got another value before, or the value has too many
 * bits. */
bool hwemit_assembly_set(struct assembly *a, const char *field, uint32_t value);
/* The following functions print their argument or, when a line is read, read it; they return false after
 * hwemit_assembly_fail. */
bool hwemit_assembly_text(struct assembly *a, const char *s);
/* One of x, y, z, w as two bits of *value, the c-th from the lowest. */
bool hwemit_assembly_letter(struct assembly *a, uint32_t *value, unsigned c);
/* An integer of 1 to 32 bits; a float of 32 or 16 bits, or the highest 20 of 32. */
bool hwemit_assembly_integer(struct assembly *a, uint32_t *value, unsigned width, bool has_sign);
bool hwemit_assembly_real(struct assembly *a, uint32_t *value, unsigned width);
/* Records why the line cannot be read. Returns false. */
bool hwemit_assembly_fail(struct assembly *a, const char *at, const char *format, ...);

/* Reads an instruction. Returns how many words it has; 0 with *error if it is none. */
uint32_t hwemit_read_assembly(const struct hwemit_registers *registers, const char *line, const char *end,
                              struct hwemit_word word[ASSEMBLY_WORDS], struct assembly_error *error);

#endif
