/* A cache of compiled states, for a driver that validates its state at each draw:
 *
 *     texenv setters ...                           on GL calls
 *     code = hwemit_cache_get(&use, &te, &why);    at a draw: the words, cached or compiled; NULL: refused
 *     if (code && code != last) upload code->word[0 .. code->nwords)
 *     n = hwemit_cache_colors(&use, &te, upload, HWEMIT_CACHE_UPLOADS);
 *     upload upload[0 .. n)                        changed colours, without lookup or compilation
 *     last = code;                                 also if it is NULL: see hwemit_cache_get
 *
 * A word can be uploaded by itself if no other word has its address. For words that share an address, after a
 * write of an index, and for words of a stream (HWEMIT_STREAM), keep a copy of all words, change upload[0 ..
 * n) in it, and upload the copy from the word on that determines their destination: the nearest earlier word
 * with another address, or the first word of the packet. Uploading the whole copy is also correct.
 *
 * A state is looked up by the packed codes of its units (texenv_pack). A new code is looked up by
 * fragprog_key, so that states that compile to the same words share an entry, and compiled only if that
 * fails. No key contains environment colours.
 *
 * This is the only part of the library that allocates memory, by the caller's hook, and only in
 * hwemit_cache_create and for new states. Threads: without lock hooks a cache may be used by one thread at a
 * time. With them several threads may use it, each with its own struct hwemit_cache_use and struct texenv;
 * compiling holds the lock. */
#ifndef HWEMIT_CACHE_H
#define HWEMIT_CACHE_H

#include "hwemit/hwemit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hwemit_cache;

struct hwemit_cache_options {
    const struct hwemit_target *target;
    struct hwemit_options options; /* passes.fold_constants must be 0: no key contains colours */
    struct texenv_policy policy;   /* argument of texenv_canonicalise, as is no_images */
    bool no_images;
    /* Maximum number of cached environments, from 2 to 65,535; the least recently used one that no use holds
     * is evicted. One takes some 10 KB and its words. */
    uint32_t entries;
    struct texenv_memory memory;
    /* may be NULL: one thread */
    void (*lock)(void *user);
    void (*unlock)(void *user);
    void *lock_user;
};

/* Returns NULL if there is no memory, `entries` is out of range, or fold_constants is set. */
TEXENV_API struct hwemit_cache *hwemit_cache_create(const struct hwemit_cache_options *options);
/* Frees the cache, which may be NULL. hwemit_cache_leave must have been called for all uses. */
TEXENV_API void hwemit_cache_destroy(struct hwemit_cache *cache);

/* One context that draws with a cache. All members but `same` are private. */
struct hwemit_cache_use {
    struct hwemit_cache *cache;
    struct hwemit_cache_entry *entry; /* the result of the last call; not evicted */
    uint64_t same;                    /* number of calls with an unchanged state, which need no lookup */
    uint32_t units;
    bool known; /* whether `color` has the colours that were uploaded last */
    uint64_t hash, code[TEXENV_UNITS][2];
    float color[TEXENV_UNITS][4];
};
/* Begins a use. Returns false, without a use, if the cache would have as many uses as entries. */
TEXENV_API bool hwemit_cache_join(struct hwemit_cache_use *use, struct hwemit_cache *cache);
/* Ends a use; the code of the last call may then be evicted. */
TEXENV_API void hwemit_cache_leave(struct hwemit_cache_use *use);

/* Returns the words of the state. Returns NULL if the target refuses it, with *why (which may be NULL), or if
 * there is no memory (why->code "memory"; this is not cached). The result is valid until the next call with
 * this use. It is shared, and its constants have the colours of the state that it was compiled for;
 * hwemit_cache_colors returns those of this state. If the pointer equals that of the previous call, the words
 * are the same; if it equals only that of an earlier call, they may differ. Updates
 * te->code (texenv_pack) and changes nothing else in *te. */
TEXENV_API const struct hwemit_code *hwemit_cache_get(struct hwemit_cache_use *use, struct texenv *te,
                                                      struct fragprog_reason *why);

/* Word number `word` of the code of the last hwemit_cache_get must become `value`. */
struct hwemit_cache_upload {
    uint32_t word, value;
};
/* a number of uploads that suffices for the colours of all units */
#define HWEMIT_CACHE_UPLOADS 128
/* Sets upload[] to the words of the constants whose colours in *te differ from those of the last call; if the
 * code has changed, of all constants that depend on colours. Returns the number of words, of which at most
 * `room` are written; if there are more, the next call returns all of them again. Does no lookup. Returns 0
 * after a refusal. */
TEXENV_API uint32_t hwemit_cache_colors(struct hwemit_cache_use *use, const struct texenv *te,
                                        struct hwemit_cache_upload *upload, uint32_t room);

/* Totals over all uses, without hwemit_cache_use.same. */
struct hwemit_cache_stats {
    uint64_t hits;     /* found by the packed code */
    uint64_t equal;    /* found by the key: another state with the same words */
    uint64_t compiled; /* including refused ones */
    uint64_t refused;
    uint64_t evicted;
    uint64_t bytes; /* memory that is allocated now */
};
TEXENV_API void hwemit_cache_statistics(struct hwemit_cache_stats *stats, const struct hwemit_cache *cache);

#ifdef __cplusplus
}
#endif
#endif
