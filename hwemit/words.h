/* Internal to hwemit: helpers for writing, printing and reading words. */
#ifndef HWEMIT_WORDS_H
#define HWEMIT_WORDS_H

#include "hwemit/hwemit.h"

/* Inlined hwemit_add, for encoders. */
static inline void hwemit_put(struct hwemit_code *code, uint32_t address, uint32_t value)
{
    if (code->nwords < code->maxwords)
        code->word[code->nwords] = (struct hwemit_word){address, value};
    code->nwords++;
}

/* hwemit_code.constant_word for chips whose constants are four single precision floats. */
uint32_t hwemit_float_word(const float value[4], unsigned n);
/* The same for chips whose constants are ARGB8888, rounded to nearest. */
uint32_t hwemit_argb_word(const float rgba[4], unsigned n);

/* A letter, digit or underscore. */
static inline bool hwemit_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
/* Returns where p..end continues behind blanks. */
static inline const char *hwemit_skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    return p;
}

/* The names of masks of channels, by the mask; NULL: no channel. */
extern const char *const hwemit_mask_names[16];

/* Converts n characters to a number: decimal, or hexadecimal after 0x (always hexadecimal if `hex`). Returns
 * false if they are not a number or it does not fit 32 bits. */
bool hwemit_read_number(const char *s, size_t n, bool hex, uint32_t *value);

/* Finds the row of a register by its address, and that of a packet word by its fixed bits; or NULL. */
const struct hwemit_register *hwemit_find_register(const struct hwemit_register *rows,
                                                   const struct hwemit_word *word);

uint32_t hwemit_field_mask(const struct hwemit_field *field);

#endif
