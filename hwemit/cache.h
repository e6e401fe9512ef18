/* Words by state: what was compiled once is found again. For a driver that validates its state at each draw:
 *
 *     texenv setters ...                           as GL's calls come in
 *     code = hwemit_cache_get(&use, &te, &why);    at the draw: the words, found or compiled; NULL: refused
 *     if (code && code != last) upload code->word[0 .. code->nwords)
 *     n = hwemit_cache_colors(&use, &te, upload, HWEMIT_CACHE_UPLOADS);
 *     upload upload[0 .. n)                        colours that changed: no lookup, no compilation
 *     last = code;                                 also where it is NULL: see hwemit_cache_get
 *
 * A word goes to the chip by itself where its address is its own. Of words that share an address, behind an
 * index, and of words of a stream (HWEMIT_STREAM) keep a copy, change upload[0 .. n) in it, and send from the
 * word that says where they go, which is the nearest before them with another address, or the packet's first;
 * or send all of the copy.
 *
 * A state is looked up by its units' packed codes (texenv_pack); a code that is new is compared by
 * fragprog_key, so that what is compiled to the same words is kept once, and only then compiled. Environment
 * colours are in no key.
 *
 * This is the one part of the library that allocates, through the caller's hook, and only in
 * hwemit_cache_create and where a state is new. Threads: a cache without hooks for a lock is used by one
 * thread at a time. With them several threads may use it, each with its own struct hwemit_cache_use and its
 * own struct texenv; compiling is done under the lock.
 */
#ifndef HWEMIT_CACHE_H
#define HWEMIT_CACHE_H

#include "hwemit/hwemit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hwemit_cache;

struct hwemit_cache_options {
    const struct hwemit_target *target;
    struct hwemit_options options; /* passes.fold_constants has no place here: colours are in no key */
    struct texenv_policy policy;   /* of texenv_canonicalise, as the next */
    bool no_images;
    /* Environments that are kept at most, from 2 to 65,535; of those that nobody uses the one that was not
     * asked for the longest goes. One takes some 10 KB and its words. */
    uint32_t entries;
    struct texenv_memory memory;
    /* NULL: one thread */
    void (*lock)(void *user);
    void (*unlock)(void *user);
    void *lock_user;
};

/* NULL: no memory, entries out of range, or fold_constants. */
TEXENV_API struct hwemit_cache *hwemit_cache_create(const struct hwemit_cache_options *options);
/* Nobody uses it any more. NULL is nothing. */
TEXENV_API void hwemit_cache_destroy(struct hwemit_cache *cache);

/* One context that draws by a cache. Its members are the cache's business, but for `same`. */
struct hwemit_cache_use {
    struct hwemit_cache *cache;
    struct hwemit_cache_entry *entry; /* what the last call gave; is not thrown away */
    uint64_t same;                    /* calls that found the state as it was, and did not look */
    uint32_t units;
    bool known; /* color is what the chip has */
    uint64_t hash, code[TEXENV_UNITS][2];
    float color[TEXENV_UNITS][4];
};
/* Begins. At most one use fewer than the cache has entries; false, and no use, if there are more. */
TEXENV_API bool hwemit_cache_join(struct hwemit_cache_use *use, struct hwemit_cache *cache);
/* Ends; the code of the last call may go. */
TEXENV_API void hwemit_cache_leave(struct hwemit_cache_use *use);

/* The words of the state. NULL if the target refuses it, with *why (which may be NULL), or if there is no
 * memory (why->code "memory"; such an answer is not kept). The result stays as it is until the next call with
 * this use; it is shared, and its constants hold the colours of the state that it was compiled for:
 * hwemit_cache_colors says those of this one. A result that equals that of the call before is the same words;
 * one that equals an earlier result, with others or NULL between, may be other words at the same address.
 * Brings te->code up to date (texenv_pack), and changes nothing else in *te. */
TEXENV_API const struct hwemit_code *hwemit_cache_get(struct hwemit_cache_use *use, struct texenv *te,
                                                      struct fragprog_reason *why);

/* Word `word` of the code of the last hwemit_cache_get is to be this. */
struct hwemit_cache_upload {
    uint32_t word, value;
};
/* enough for the colours of all units */
#define HWEMIT_CACHE_UPLOADS 128
/* The words of those constants whose colours in *te are not what the last call said; after another code, of
 * all constants that are colours. Returns how many there are; at most room are written, and if there are
 * more the next call says all again. Does not look at the cache. 0 after a refusal. */
TEXENV_API uint32_t hwemit_cache_colors(struct hwemit_cache_use *use, const struct texenv *te,
                                        struct hwemit_cache_upload *upload, uint32_t room);

/* Since the beginning, of all uses, but for hwemit_cache_use.same. */
struct hwemit_cache_stats {
    uint64_t hits;     /* found by packed codes */
    uint64_t equal;    /* by the key: written otherwise, compiled to the same words */
    uint64_t compiled; /* of these, refused ones included */
    uint64_t refused;
    uint64_t evicted;
    uint64_t bytes; /* allocated now */
};
TEXENV_API void hwemit_cache_statistics(struct hwemit_cache_stats *stats, const struct hwemit_cache *cache);

#ifdef __cplusplus
}
#endif
#endif
