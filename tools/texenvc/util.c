#define _POSIX_C_SOURCE 200809L
#include "util.h"
#include "diag.h"
#include "texenv/texenv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *xrealloc(void *p, size_t size)
{
    void *q = realloc(p, size ? size : 1);
    if (!q)
        die_memory();
    return q;
}

void *xcalloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        die_memory();
    return p;
}

char *xstrndup(const char *s, size_t length)
{
    char *p = xrealloc(NULL, length + 1);
    memcpy(p, s, length);
    p[length] = '\0';
    return p;
}

static void buffer_vprintf(struct buffer *b, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0)
        die_internal("formatting failed");
    buffer_reserve(b, (size_t)n);
    vsnprintf(b->data + b->length, (size_t)n + 1, format, again);
    b->length += (size_t)n;
    va_end(again);
}

char *xprintf(const char *format, ...)
{
    struct buffer b = {0};
    va_list args;
    va_start(args, format);
    buffer_vprintf(&b, format, args);
    va_end(args);
    return b.data;
}

void buffer_reserve(struct buffer *b, size_t more)
{
    if (b->capacity - b->length > more)
        return;
    size_t want = b->length + more + 1;
    size_t capacity = b->capacity ? b->capacity : 256;
    while (capacity < want)
        capacity *= 2;
    b->data = xrealloc(b->data, capacity);
    b->capacity = capacity;
}

void buffer_add(struct buffer *b, const char *s, size_t length)
{
    buffer_reserve(b, length);
    if (length)
        memcpy(b->data + b->length, s, length);
    b->length += length;
    b->data[b->length] = '\0';
}

void buffer_puts(struct buffer *b, const char *s) { buffer_add(b, s, strlen(s)); }

void buffer_printf(struct buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buffer_vprintf(b, format, args);
    va_end(args);
}

void buffer_pad(struct buffer *b, size_t start, size_t width)
{
    while (b->length < start + width)
        buffer_add(b, " ", 1);
}

void buffer_free(struct buffer *b)
{
    free(b->data);
    *b = (struct buffer){0};
}

size_t utf8_length(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
        : s[0] >= 0xE0 && s[0] <= 0xEF           ? 3
        : s[0] >= 0xC2 && s[0] <= 0xDF           ? 2
                                                 : 0;
    if (!length || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
        (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return length;
}

void buffer_json_string(struct buffer *b, const char *s, size_t length)
{
    buffer_puts(b, "\"");
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)s[i];
        size_t n = utf8_length(s + i, length - i);
        if (c == '"' || c == '\\')
            buffer_printf(b, "\\%c", c);
        else if (c == '\n')
            buffer_puts(b, "\\n");
        else if (c == '\t')
            buffer_puts(b, "\\t");
        else if (c < 0x20 || c == 0x7F)
            buffer_printf(b, "\\u%04x", c);
        else if (n)
            buffer_add(b, s + i, n);
        else
            buffer_puts(b, "\\ufffd");
        i += n ? n : 1;
    }
    buffer_puts(b, "\"");
}

void buffer_float(struct buffer *b, float value)
{
    char data[64];
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    texenv_printf(&text, "%f", (double)value);
    buffer_puts(b, value == value ? data : "null"); /* null if the value is not known */
}

bool hash_set_add(struct hash_set *set, uint64_t hash)
{
    hash += hash == 0;
    if (2 * (set->used + 1) > set->capacity) {
        struct hash_set bigger = {xcalloc(set->capacity ? 2 * set->capacity : 64, sizeof *set->slot), 0,
                                  set->capacity ? 2 * set->capacity : 64};
        for (size_t i = 0; i < set->capacity; i++)
            if (set->slot[i])
                hash_set_add(&bigger, set->slot[i]);
        free(set->slot);
        *set = bigger;
    }
    size_t i = hash & (set->capacity - 1);
    for (; set->slot[i]; i = (i + 1) & (set->capacity - 1))
        if (set->slot[i] == hash)
            return false;
    set->slot[i] = hash;
    set->used++;
    return true;
}

bool hash_set_has(const struct hash_set *set, uint64_t hash)
{
    hash += hash == 0;
    for (size_t i = hash & (set->capacity - 1); set->capacity && set->slot[i];
         i = (i + 1) & (set->capacity - 1))
        if (set->slot[i] == hash)
            return true;
    return false;
}

void hash_set_free(struct hash_set *set)
{
    free(set->slot);
    *set = (struct hash_set){0};
}

/* Hashes eight bytes per step; each step is a bijection of the state. Fast, and good enough for tables that
 * compare the data afterwards. */
uint64_t hash_bytes(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h = seed ^ (size * UINT64_C(0x9E3779B97F4A7C15));
    while (size) {
        uint64_t word = 0;
        size_t n = size < 8 ? size : 8;
        memcpy(&word, p, n);
        h = (h ^ word) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
        p += n;
        size -= n;
    }
    return h;
}

double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns the number of edits (insert, delete, replace) from a to b, or SIZE_MAX if one has more than 31
 * characters. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[32], n = strlen(b);
    if (n >= 32 || strlen(a) >= 32)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

void nearest_init(struct nearest *n, const char *word) { *n = (struct nearest){word, NULL, SIZE_MAX}; }

void nearest_try(struct nearest *n, const char *candidate)
{
    size_t distance = edit_distance(n->word, candidate);
    /* An abbreviation counts as a single edit. */
    if (distance != SIZE_MAX && strlen(n->word) >= 2 && strncmp(candidate, n->word, strlen(n->word)) == 0)
        distance = 1;
    if (distance < n->distance) {
        n->distance = distance;
        n->best = candidate;
    }
}

const char *nearest_get(const struct nearest *n)
{
    size_t length = strlen(n->word);
    return n->distance <= (size_t)1 + (length >= 5) + (length >= 9) && n->distance < length ? n->best : NULL;
}
