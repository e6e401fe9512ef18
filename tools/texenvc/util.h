/* What every file of the tool leans on: memory, growing text, clock, spelling hints. Nothing here knows
 * texturing. */
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

/* Memory that is there or the program ends with STATUS_INTERNAL. */
void *xrealloc(void *p, size_t size);
void *xcalloc(size_t count, size_t size);
char *xstrndup(const char *s, size_t length);
char *xprintf(const char *format, ...) PRINTF_LIKE(1, 2);

/* Text that grows. data is NULL while nothing was appended, else it ends in NUL. */
struct buffer {
    char *data;
    size_t length, capacity;
};
void buffer_reserve(struct buffer *b, size_t more); /* room for `more` bytes and a NUL after length */
void buffer_add(struct buffer *b, const char *s, size_t length);
void buffer_puts(struct buffer *b, const char *s);
void buffer_printf(struct buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buffer_pad(struct buffer *b, size_t start, size_t width); /* blanks until `width` columns after start */
void buffer_free(struct buffer *b);

/* A JSON string, quotes included. Bytes that are no UTF-8 become U+FFFD. */
void buffer_json_string(struct buffer *b, const char *s, size_t length);
/* A float as the shortest decimal that reads back. */
void buffer_float(struct buffer *b, float value);

/* A set of 64-bit hashes. */
struct hash_set {
    uint64_t *slot; /* 0: empty */
    size_t used, capacity;
};
bool hash_set_add(struct hash_set *set, uint64_t hash); /* false: it was there */
bool hash_set_has(const struct hash_set *set, uint64_t hash);
void hash_set_free(struct hash_set *set);
uint64_t hash_bytes(const void *data, size_t size, uint64_t seed);

double now_seconds(void);

/* The candidate nearest to `word` if it is near enough to be what was meant, else NULL. */
struct nearest {
    const char *word;
    const char *best;
    size_t distance;
};
void nearest_init(struct nearest *n, const char *word);
void nearest_try(struct nearest *n, const char *candidate);
const char *nearest_get(const struct nearest *n);

#endif
