/* Internal: lookup of GL token names and GL call names, and of vendor suffixes. Each reader keeps a struct
 * texenv_names with two hash indexes, which it fills once per input, because the core has no writable
 * globals. */
#ifndef TEXENV_NAMES_H
#define TEXENV_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TEXENV_TOKEN_SLOTS = 1024, TEXENV_CALL_SLOTS = 512 };

struct texenv_names {
    uint16_t token[TEXENV_TOKEN_SLOTS]; /* row number + 1; 0: empty slot */
    uint16_t call[TEXENV_CALL_SLOTS];
};

/* Fill the index of tokens and the index of calls. */
void texenv_names_index_tokens(struct texenv_names *names);
void texenv_names_index_calls(struct texenv_names *names);

/* Gives the same result as texenv_token(), but searches the index. */
int64_t texenv_names_token(const struct texenv_names *names, const char *name, size_t length);

/* Returns the length of a vendor suffix at the end of the name, or 0. Token names have suffixes like "_ARB",
 * call names (underscore false) like "ARB". */
size_t texenv_names_suffix(const char *name, size_t length, bool underscore);

/* Returns the candidate most similar to a misspelt name, ignoring case, or NULL if none is similar enough. */
const char *texenv_names_nearest(const char *const *names, size_t count, const char *name, size_t length);
/* Does the same among all tokens. Both names begin with "GL_". */
const char *texenv_names_nearest_token(const char *name, size_t length);

static inline bool texenv_names_equal(const char *a, size_t length, const char *b)
{
    return strlen(b) == length && memcmp(a, b, length) == 0;
}

/* Hashes eight bytes per step; the last step may overlap the one before. */
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

/* Returns the NaN that represents a number that is not known, always with the same bits. */
static inline float texenv_unknown(void)
{
    const union {
        uint32_t bits;
        float number;
    } nan = {.bits = 0x7fc00000};
    return nan.number;
}

#endif
