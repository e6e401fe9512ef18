/* The cache of shader pairs (pair_cache.h): a ring buffer of records, in which the oldest are overwritten.
 * Positions count all bytes ever written, so a position tells whether its record still exists, and references
 * to overwritten records need no update. */
#include "fragprog/pair_cache.h"
#include "fragprog/reason.h"

#include <string.h>

enum kind { GAP, SOURCE, PAIR };
/* The header of every record. A gap, which fills the end of the ring, has only size and kind. */
struct record {
    uint32_t size; /* bytes of the whole record, a multiple of ALIGNMENT */
    uint32_t kind;
    uint64_t hash, next; /* position of the preceding record in the bucket */
    uint64_t pair;       /* in a source, whose key follows the record: position of its pair */
    uint32_t length;     /* length of the key */
};
struct pair_record {
    struct record record;
    bool fits;
    struct fragprog_cached_pair found; /* its key is that of the record; its texts follow */
    struct fragprog_reason why;
};

struct fragprog_pair_cache {
    struct fragprog_pair_cache_options options;
    uint64_t first, end; /* positions of the oldest record and after the last one */
    uint64_t size;       /* size of the ring */
    uint64_t buckets;    /* number of buckets, a power of two */
    uint64_t *bucket;    /* position of the last record of each bucket */
    char *scratch, *ring;
};

enum {
    ALIGNMENT = sizeof(max_align_t),
    /* the maximum that one call adds */
    MOST = sizeof(struct pair_record) + FRAGPROG_PAIR_TEXTS + sizeof(struct record) + FRAGPROG_PAIR_KEY +
        2 * ALIGNMENT
};
#define ALIGNED(size) (((size) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

struct fragprog_pair_cache *fragprog_pair_cache_open(void *memory, size_t size,
                                                     const struct fragprog_pair_cache_options *options)
{
    struct fragprog_pair_cache *c = memory;
    size_t at = ALIGNED(sizeof *c);
    /* refused, because a given fragment program is valid for one source only */
    if (size < FRAGPROG_PAIR_CACHE_LEAST || options->options.fragment)
        return NULL;
    *c = (struct fragprog_pair_cache){.options = *options, .buckets = 64};
    while (c->buckets < size / 4096)
        c->buckets *= 2;
    c->bucket = (uint64_t *)(void *)((char *)memory + at);
    memset(c->bucket, 0, c->buckets * sizeof *c->bucket);
    at += ALIGNED(c->buckets * sizeof *c->bucket);
    c->scratch = (char *)memory + at;
    c->ring = c->scratch + FRAGPROG_PAIR_SCRATCH;
    c->size = (size - at - FRAGPROG_PAIR_SCRATCH) / ALIGNMENT * ALIGNMENT;
    c->first = c->end = c->size; /* so that no position is 0 */
    return c;
}

/* ---- records ---- */

static struct record *record_at(const struct fragprog_pair_cache *c, uint64_t place)
{
    return (struct record *)(void *)(c->ring + place % c->size);
}

static const uint8_t *key_of(const struct record *r)
{
    return r->kind == PAIR ? ((const struct pair_record *)(const void *)r)->found.pair.key
                           : (const uint8_t *)(r + 1);
}

/* Hashes a key whose length is a multiple of the word size. Two independent words at a time allow
 * instruction-level parallelism. */
static uint64_t hash_of(enum kind kind, const uint8_t *key, uint32_t length)
{
    uint64_t h[2] = {kind, length}, word[2];
    for (uint32_t i = 0; i < length; i += sizeof word) {
        memcpy(word, key + i, sizeof word);
        h[0] = (h[0] ^ h[0] >> 29 ^ word[0]) * UINT64_C(0x9E3779B97F4A7C15);
        h[1] = (h[1] ^ h[1] >> 31 ^ word[1]) * UINT64_C(0xC2B2AE3D27D4EB4F);
    }
    h[0] = (h[0] ^ h[0] >> 32 ^ h[1] >> 7 ^ h[1]) * UINT64_C(0x9E3779B97F4A7C15);
    return h[0] ^ h[0] >> 32;
}

/* Returns the position of the record with this key, or 0. */
static uint64_t find(const struct fragprog_pair_cache *c, enum kind kind, uint64_t hash, const uint8_t *key,
                     uint32_t length)
{
    uint64_t place = c->bucket[hash & (c->buckets - 1)];
    while (place >= c->first) {
        const struct record *r = record_at(c, place);
        if (r->hash == hash && r->kind == kind && r->length == length && memcmp(key_of(r), key, length) == 0)
            return place;
        place = r->next;
    }
    return 0;
}

/* Frees `bytes` after the last record, evicting the oldest records. */
static void clear(struct fragprog_pair_cache *c, uint64_t bytes)
{
    while (c->end + bytes > c->first + c->size) {
        const struct record *r = record_at(c, c->first);
        const struct pair_record *pair = (const struct pair_record *)(const void *)r;
        if (r->kind == PAIR && pair->fits && c->options.gone)
            c->options.gone(c->options.gone_user, &pair->found);
        c->first += r->size;
    }
}

/* Makes contiguous room for MOST bytes, the maximum that a call adds. */
static void make_room(struct fragprog_pair_cache *c)
{
    const uint64_t left = c->size - c->end % c->size;
    if (left < MOST) {
        clear(c, left);
        record_at(c, c->end)->size = (uint32_t)left;
        record_at(c, c->end)->kind = GAP;
        c->end += left;
    }
    clear(c, MOST);
}

/* Adds to the ring the record that was constructed at its end, and returns the position of the record. */
static uint64_t add(struct fragprog_pair_cache *c, enum kind kind, uint64_t hash, uint32_t length,
                    size_t size)
{
    struct record *r = record_at(c, c->end);
    uint64_t *bucket = &c->bucket[hash & (c->buckets - 1)];
    r->size = (uint32_t)ALIGNED(size);
    r->kind = kind;
    r->hash = hash;
    r->next = *bucket;
    r->length = length;
    *bucket = c->end;
    c->end += r->size;
    return *bucket;
}

/* Makes the key of a source: all its bytes except values, zero-padded to a multiple of the word size.
 * Different sources may have equal pairs; those are found by the keys of the pairs. */
static uint32_t make_key(uint8_t key[FRAGPROG_PAIR_KEY], const struct fragprog_pair_source *s)
{
    const struct texenv_state *state = &s->state;
    const uint8_t first[] = {state->nstages,    state->color_sum, state->fog,    state->fog_coord,
                             state->alpha_test, s->flat,          s->points,     s->clip_planes,
                             s->sprites,        s->affine,        s->radial_fog, s->lower_left};
    enum { STAGE = offsetof(struct texenv_stage, color), WORDS = 16 };
    _Static_assert(STAGE == 4 + 2 * (4 + TEXENV_ARGS * sizeof(struct texenv_arg)) &&
                       sizeof(struct texenv_vertex) % 4 == 1 &&
                       sizeof first + sizeof s->vertex + TEXENV_UNITS * STAGE + WORDS <= FRAGPROG_PAIR_KEY,
                   "without padding, and with room for all");
    uint32_t length = sizeof first + sizeof s->vertex;
    memcpy(key, first, sizeof first);
    memcpy(key + sizeof first, &s->vertex, sizeof s->vertex);
    for (unsigned u = 0; u < state->nstages; u++, length += STAGE)
        memcpy(key + length, &state->stage[u], STAGE);
    memset(key + length, 0, WORDS);
    return (length + WORDS - 1) / WORDS * WORDS;
}

/* Compiles a pair and returns its position. */
static uint64_t make_pair(struct fragprog_pair_cache *c, const struct fragprog_pair_source *source)
{
    struct pair_record *made = (struct pair_record *)(void *)record_at(c, c->end);
    struct fragprog_pair *pair = &made->found.pair;
    char *texts = (char *)(made + 1);
    size_t size = sizeof *made;
    made->found.user = 0;
    made->fits = fragprog_compile_pair(pair, source, &c->options.options, texts, c->scratch, &made->why);
    if (!made->fits)
        return add(c, PAIR, 0, 0, size); /* a refusal is found through its source only */
    const uint64_t hash = hash_of(PAIR, pair->key, FRAGPROG_PAIR_KEY),
                   place = find(c, PAIR, hash, pair->key, FRAGPROG_PAIR_KEY);
    size += (size_t)(pair->fragment - texts) + strlen(pair->fragment) + 1;
    return place ? place : add(c, PAIR, hash, FRAGPROG_PAIR_KEY, size);
}

struct fragprog_cached_pair *fragprog_pair_cache_get(struct fragprog_pair_cache *c,
                                                     const struct fragprog_pair_source *source,
                                                     struct fragprog_reason *why)
{
    uint8_t key[FRAGPROG_PAIR_KEY];
    if (source->state.nstages > TEXENV_UNITS)
        return fragprog_refuse(why, -1, "state", "more units than there are"), NULL;
    const uint32_t length = make_key(key, source);
    const uint64_t hash = hash_of(SOURCE, key, length), known = find(c, SOURCE, hash, key, length);
    uint64_t place = known ? record_at(c, known)->pair : 0;
    if (place < c->first) { /* new, or the pair was evicted */
        make_room(c);
        place = make_pair(c, source);
        struct record *r = record_at(c, c->end);
        r->pair = place;
        memcpy(r + 1, key, length);
        add(c, SOURCE, hash, length, sizeof *r + length);
    }
    struct pair_record *pair = (struct pair_record *)(void *)record_at(c, place);
    if (pair->fits)
        return &pair->found;
    *why = pair->why;
    return NULL;
}
