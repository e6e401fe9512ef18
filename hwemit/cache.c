/* A cache of compiled states (cache.h). A state is looked up in a table of packed codes first, then in a
 * table of keys. */
#include "hwemit/cache.h"

#include <string.h>

/* A compiled environment. serial is unique for each compilation; 0: the entry is free. */
struct hwemit_cache_entry {
    struct hwemit_code code;
    struct fragprog_reason why; /* the reason if the state was refused */
    bool fits;
    uint32_t pins; /* number of uses that hold the entry */
    uint32_t next; /* next entry of the same bucket, + 1 */
    uint64_t serial, used, hash;
    uint32_t length, bytes; /* length of the key; size of the memory at `word`, which holds words and key */
    struct hwemit_word *word;
    uint8_t *key;
};

/* A packed code, and the entry that it belongs to. The table is set-associative with WAYS slots in each set.
 */
enum { WAYS = 4 };
struct slot {
    uint64_t hash, serial, used;
    uint32_t units, entry;
    uint64_t code[TEXENV_UNITS][2];
};

struct hwemit_cache {
    struct hwemit_cache_options options;
    struct hwemit_cache_stats stats;
    uint64_t clock, serial;
    uint32_t uses, buckets; /* buckets: a power of two; also the number of sets of slots */
    uint32_t *bucket;       /* for each hash bucket: 1 + its first entry */
    struct slot *slot;
    struct hwemit_cache_entry *entry;
    void *scratch;
    struct hwemit_word word[HWEMIT_TEXENV_WORDS];
    uint8_t key[FRAGPROG_KEY_MAX];
};

static void lock(const struct hwemit_cache *c)
{
    if (c->options.lock)
        c->options.lock(c->options.lock_user);
}

static void unlock(const struct hwemit_cache *c)
{
    if (c->options.unlock)
        c->options.unlock(c->options.lock_user);
}

static size_t aligned(size_t size) { return (size + 63) / 64 * 64; }

struct hwemit_cache *hwemit_cache_create(const struct hwemit_cache_options *options)
{
    if (options->entries < 2 || options->entries > 0xFFFF || options->options.passes.fold_constants)
        return NULL;
    uint32_t buckets = 1;
    while (buckets < options->entries)
        buckets *= 2;
    /* one block of memory has the cache, its arrays and the scratch memory */
    const size_t bucket = aligned(sizeof(struct hwemit_cache));
    const size_t slot = bucket + aligned(buckets * sizeof(uint32_t));
    const size_t entry = slot + aligned(buckets * sizeof(struct slot) * WAYS);
    const size_t scratch = entry + aligned(options->entries * sizeof(struct hwemit_cache_entry));
    const size_t size = scratch + hwemit_scratch(options->target);
    char *block = options->memory.resize(options->memory.user, NULL, size);
    if (!block)
        return NULL;
    memset(block, 0, scratch);
    struct hwemit_cache *c = (void *)block;
    c->options = *options;
    c->stats.bytes = size;
    c->buckets = buckets;
    c->bucket = (void *)(block + bucket);
    c->slot = (void *)(block + slot);
    c->entry = (void *)(block + entry);
    c->scratch = block + scratch;
    return c;
}

void hwemit_cache_destroy(struct hwemit_cache *c)
{
    for (uint32_t i = 0; c && i < c->options.entries; i++)
        if (c->entry[i].word)
            c->options.memory.resize(c->options.memory.user, c->entry[i].word, 0);
    if (c)
        c->options.memory.resize(c->options.memory.user, c, 0);
}

/* ---- uses ---- */

bool hwemit_cache_join(struct hwemit_cache_use *use, struct hwemit_cache *cache)
{
    memset(use, 0, sizeof *use);
    lock(cache);
    const bool room = cache->uses + 1 < cache->options.entries;
    cache->uses += room;
    unlock(cache);
    if (room)
        use->cache = cache;
    return room;
}

static void unpin(const struct hwemit_cache_use *use)
{
    if (use->entry)
        use->entry->pins--;
}

void hwemit_cache_leave(struct hwemit_cache_use *use)
{
    lock(use->cache);
    unpin(use);
    use->entry = NULL;
    use->cache->uses--;
    unlock(use->cache);
}

/* ---- keys and words ---- */

static struct hwemit_cache_entry *find(const struct hwemit_cache *c, uint64_t hash, uint32_t length)
{
    for (uint32_t i = c->bucket[hash & (c->buckets - 1)]; i; i = c->entry[i - 1].next) {
        struct hwemit_cache_entry *e = &c->entry[i - 1];
        if (e->hash == hash && e->length == length && memcmp(e->key, c->key, length) == 0)
            return e;
    }
    return NULL;
}

/* Returns a free entry, or the least recently used one without uses. There always is one, because there are
 * fewer uses than entries. */
static struct hwemit_cache_entry *make_room(struct hwemit_cache *c)
{
    struct hwemit_cache_entry *oldest = NULL;
    for (uint32_t i = 0; i < c->options.entries; i++) {
        struct hwemit_cache_entry *e = &c->entry[i];
        if (!e->serial)
            return e;
        if (!e->pins && (!oldest || e->used < oldest->used))
            oldest = e;
    }
    uint32_t *at = &c->bucket[oldest->hash & (c->buckets - 1)];
    while (*at != (uint32_t)(oldest - c->entry) + 1)
        at = &c->entry[*at - 1].next;
    *at = oldest->next;
    oldest->serial = 0; /* invalidates slots that refer to it */
    c->stats.evicted++;
    return oldest;
}

static const struct fragprog_reason by_policy = {
    .unit = -1, .code = "policy", .text = "a policy refuses the state"};

static bool compile(struct hwemit_cache *c, struct hwemit_cache_entry *e, const struct texenv_state *state,
                    uint32_t length)
{
    const struct fragprog_source source = {.state = state};
    hwemit_code_init(&e->code, c->word, HWEMIT_TEXENV_WORDS);
    e->why = by_policy;
    e->fits = state &&
        hwemit_compile(&e->code, c->options.target, &source, &c->options.options, c->scratch, &e->why);
    const uint32_t words = e->fits ? e->code.nwords * (uint32_t)sizeof *e->word : 0;
    if (words + length > e->bytes || !e->word) {
        void *block = c->options.memory.resize(c->options.memory.user, e->word, words + length);
        if (!block)
            return false;
        c->stats.bytes += words + length - e->bytes;
        e->word = block;
        e->bytes = words + length;
    }
    e->code.word = e->word;
    e->code.maxwords = e->code.nwords;
    e->key = (uint8_t *)e->word + words;
    memcpy(e->word, c->word, words);
    memcpy(e->key, c->key, length);
    return true;
}

/* Returns the entry of a state whose packed code is new, or NULL if there is no memory. */
static struct hwemit_cache_entry *by_key(struct hwemit_cache *c, const struct texenv *te)
{
    struct texenv_state state;
    const bool taken = texenv_canonicalise(&state, te, &c->options.policy, c->options.no_images, NULL, NULL);
    /* states that a policy refuses share a key that no program has */
    uint32_t length = 1;
    c->key[0] = 0xFF;
    if (taken)
        length = fragprog_key(c->key, sizeof c->key, &state, false);
    const uint64_t hash = fragprog_key_hash(c->key, length);
    struct hwemit_cache_entry *e = find(c, hash, length);
    if (e) {
        c->stats.equal++;
        return e;
    }
    e = make_room(c);
    if (!compile(c, e, taken ? &state : NULL, length))
        return NULL;
    c->stats.compiled++;
    c->stats.refused += !e->fits;
    e->hash = hash;
    e->length = length;
    e->serial = ++c->serial;
    e->next = c->bucket[hash & (c->buckets - 1)];
    c->bucket[hash & (c->buckets - 1)] = (uint32_t)(e - c->entry) + 1;
    return e;
}

/* ---- packed codes ---- */

/* Compares arrays of pairs; void * because C does not convert pointers to arrays to const. */
static bool same(const void *a, const void *b, unsigned units)
{
    return memcmp(a, b, units * sizeof(uint64_t[2])) == 0;
}

/* Finds the entry of a packed code. A new code replaces the least recently used one of its set. */
static struct hwemit_cache_entry *by_code(struct hwemit_cache *c, const struct texenv *te)
{
    const uint64_t hash = te->hash;
    const unsigned units = te->units;
    struct slot *const set = &c->slot[(hash & (c->buckets - 1)) * WAYS], *way = set;
    struct hwemit_cache_entry *e;
    for (struct slot *s = set; s < set + WAYS; s++) {
        if (s->hash == hash && s->units == units && same(s->code, te->code, units)) {
            e = &c->entry[s->entry];
            if (e->serial == s->serial && s->serial) {
                c->stats.hits++;
                s->used = e->used = ++c->clock;
                return e;
            }
            s->used = 0; /* the entry was evicted: reuse this slot */
        }
        way = s->used < way->used ? s : way;
    }
    e = by_key(c, te);
    if (!e)
        return NULL;
    *way = (struct slot){
        .hash = hash, .serial = e->serial, .units = te->units, .entry = (uint32_t)(e - c->entry)};
    memcpy(way->code, te->code, units * sizeof te->code[0]);
    way->used = e->used = ++c->clock;
    return e;
}

const struct hwemit_code *hwemit_cache_get(struct hwemit_cache_use *use, struct texenv *te,
                                           struct fragprog_reason *why)
{
    struct hwemit_cache *c = use->cache;
    if (te->packed != 0xFF)
        texenv_pack(te);
    const unsigned units = te->units;
    if (use->hash == te->hash && use->entry && use->units == units && same(use->code, te->code, units)) {
        use->same++;
    } else {
        lock(c);
        struct hwemit_cache_entry *e = by_code(c, te);
        if (e != use->entry) {
            unpin(use);
            use->known = false;
            if (e)
                e->pins++;
        }
        unlock(c);
        use->entry = e;
        use->units = units;
        use->hash = te->hash;
        memcpy(use->code, te->code, sizeof use->code); /* constant size, so that the C compiler inlines it */
    }
    if (use->entry && use->entry->fits)
        return &use->entry->code;
    if (why)
        *why = use->entry ? use->entry->why
                          : (struct fragprog_reason){.unit = -1, .code = "memory", .text = "no memory"};
    return NULL;
}

/* ---- colours ---- */

/* Returns whether some channel is an environment colour or computed from one. */
static bool is_color(const struct hwemit_constant *constant)
{
    bool any = constant->unit >= 0;
    for (unsigned n = 0; n < 4 && constant->unit == HWEMIT_BY_LANES; n++)
        any = any || (constant->channels >> n & 1 && constant->origin[n] >= 0);
    return any;
}

/* Computes the value of the constant whose first word is `word`; its channels may come from several units. */
static void value_of(const struct hwemit_code *code, const float *color, uint32_t word, float rgba[4])
{
    for (unsigned k = 0; k < code->nconstants; k++)
        for (unsigned n = 0; n < 4 && code->constant[k].word == word; n++)
            if (code->constant[k].channels >> n & 1)
                rgba[n] = hwemit_constant_lane(&code->constant[k], n, color);
}

uint32_t hwemit_cache_colors(struct hwemit_cache_use *use, const struct texenv *te,
                             struct hwemit_cache_upload *upload, uint32_t room)
{
    uint32_t n = 0;
    float color[TEXENV_UNITS][4];
    if (!use->entry || !use->entry->fits)
        return 0;
    const struct hwemit_code *code = &use->entry->code;
    for (unsigned u = 0; u < use->units; u++)
        memcpy(color[u], te->unit[u].env.color, sizeof color[u]);
    const size_t size = use->units * sizeof *color;
    if (use->known && memcmp(use->color, color, size) == 0)
        return 0;
    for (unsigned i = 0; i < code->nconstants; i++) {
        const struct hwemit_constant *constant = &code->constant[i];
        float rgba[4], before[4];
        bool first = is_color(constant); /* the first constant with colours that uses these words */
        for (unsigned k = 0; k < i && first; k++)
            first = code->constant[k].word != constant->word || !is_color(&code->constant[k]);
        if (!first)
            continue;
        memcpy(rgba, constant->value, sizeof rgba);
        value_of(code, use->color[0], constant->word, rgba);
        memcpy(before, rgba, sizeof before);
        value_of(code, color[0], constant->word, rgba);
        if (use->known && memcmp(rgba, before, sizeof rgba) == 0)
            continue;
        for (uint32_t w = 0; w < code->constant_words; w++, n++)
            if (n < room)
                upload[n] = (struct hwemit_cache_upload){constant->word + w, code->constant_word(rgba, w)};
    }
    memcpy(use->color, color, size);
    use->known = n <= room;
    return n;
}

void hwemit_cache_statistics(struct hwemit_cache_stats *stats, const struct hwemit_cache *cache)
{
    lock(cache);
    *stats = cache->stats;
    unlock(cache);
}
