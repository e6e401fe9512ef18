/* Internal: names of GL tokens and of GL calls, and how vendor suffixes are read. The readers keep a struct
 * texenv_names, whose two hash indexes are filled once per input: they live with the reader, since the core
 * has no writable globals. */
#ifndef TEXENV_NAMES_H
#define TEXENV_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TEXENV_TOKEN_SLOTS = 1024, TEXENV_CALL_SLOTS = 512 };

struct texenv_names {
    uint16_t token[TEXENV_TOKEN_SLOTS]; /* row + 1; 0: empty */
    uint16_t call[TEXENV_CALL_SLOTS];
};

/* Fill the two halves of the index. */
void texenv_names_index_tokens(struct texenv_names *names);
void texenv_names_index_calls(struct texenv_names *names);

/* As texenv_token(), by way of the index. */
int64_t texenv_names_token(const struct texenv_names *names, const char *name, size_t length);

/* The length of a vendor suffix at the end of the name, or 0: "_ARB" of tokens, "ARB" of calls (underscore
 * false). */
size_t texenv_names_suffix(const char *name, size_t length, bool underscore);

/* The name among `count` ones that is nearest to a misspelt one, but for the case of letters, or NULL if none
 * is near. */
const char *texenv_names_nearest(const char *const *names, size_t count, const char *name, size_t length);
/* The same among the tokens, with "GL_" before both. */
const char *texenv_names_nearest_token(const char *name, size_t length);

static inline bool texenv_names_equal(const char *a, size_t length, const char *b)
{
    return strlen(b) == length && memcmp(a, b, length) == 0;
}

/* Eight bytes a step; the last step may overlap the one before it. */
static inline uint32_t texenv_names_hash(const char *s, size_t n)
{
    const uint64_t k = 0x9e3779b97f4a7c15u;
    uint64_t h = n * k, v = 0;
    if (n >= 8) {
        for (size_t i = 0; i + 8 < n; i += 8) {
            memcpy(&v, s + i, 8);
            h = (h ^ v) * k;
            h ^= h >> 29;
        }
        memcpy(&v, s + n - 8, 8);
    } else {
        for (size_t i = 0; i < n; i++)
            v = v << 8 | (unsigned char)s[i];
    }
    h = (h ^ v) * k;
    return (uint32_t)(h >> 32);
}

/* Stands for a number that is not known: NaN, always the same bits. */
static inline float texenv_unknown(void)
{
    const union {
        uint32_t bits;
        float number;
    } nan = {.bits = 0x7fc00000};
    return nan.number;
}

#endif
