/* Helpers for all files of the tool: memory, growing text buffers, hash sets, clock, spelling hints. */
#ifndef TEXENVC_UTIL_H
#define TEXENVC_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Exit statuses, the same for every command. */
enum { STATUS_OK = 0, STATUS_INPUT = 1, STATUS_USAGE = 2, STATUS_REFUSED = 3, STATUS_INTERNAL = 4 };

/* Memory allocation that never fails: without memory the program ends with STATUS_INTERNAL. */
void *xrealloc(void *p, size_t size);
void *xcalloc(size_t count, size_t size);
char *xstrndup(const char *s, size_t length);
char *xprintf(const char *format, ...) PRINTF_LIKE(1, 2);

/* A growing text buffer. data is NULL while it is empty, else it ends with NUL. */
struct buffer {
    char *data;
    size_t length, capacity;
};
/* ensures space for `more` bytes and a NUL after length */
void buffer_reserve(struct buffer *b, size_t more);
void buffer_add(struct buffer *b, const char *s, size_t length);
void buffer_puts(struct buffer *b, const char *s);
void buffer_printf(struct buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
/* appends blanks up to `width` columns after start */
void buffer_pad(struct buffer *b, size_t start, size_t width);
void buffer_free(struct buffer *b);

/* Returns the length of the well-formed UTF-8 sequence at s (n bytes), or 0 (also for overlong forms and
 * surrogates). */
size_t utf8_length(const char *s, size_t n);
/* Appends a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void buffer_json_string(struct buffer *b, const char *s, size_t length);
/* Appends a float as the shortest decimal that reads back to the same float, or null for NaN. */
void buffer_float(struct buffer *b, float value);

/* A set of 64-bit hashes. */
struct hash_set {
    uint64_t *slot; /* 0: empty */
    size_t used, capacity;
};
bool hash_set_add(struct hash_set *set, uint64_t hash); /* returns false if it was in the set */
bool hash_set_has(const struct hash_set *set, uint64_t hash);
void hash_set_free(struct hash_set *set);
uint64_t hash_bytes(const void *data, size_t size, uint64_t seed);

double now_seconds(void);

/* Finds the candidate most similar to `word`; nearest_get returns NULL if none is similar enough. */
struct nearest {
    const char *word;
    const char *best;
    size_t distance;
};
void nearest_init(struct nearest *n, const char *word);
void nearest_try(struct nearest *n, const char *candidate);
const char *nearest_get(const struct nearest *n);

#endif
