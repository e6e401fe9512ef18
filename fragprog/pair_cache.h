/* A cache of shader pairs, for a layer over OpenGL that looks up its state at each draw:
 *
 *     found = fragprog_pair_cache_get(cache, &source, &why)       at the draw; NULL if refused
 *     if (!found->user) found->user = its program                 compiled by GL from found->pair, and linked
 *     fragprog_uniform_values(&found->pair, &values, floats)      and set the uniforms
 *
 * Sources that differ only in state that their shaders do not read give the same pair. Values (environment
 * colours, the alpha test's reference) are not part of a pair. All memory is one block of the caller. A cache
 * may be used by one thread at a time. hwemit/cache.h is the corresponding cache for words of chips. */
#ifndef FRAGPROG_PAIR_CACHE_H
#define FRAGPROG_PAIR_CACHE_H

#include "fragprog/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fragprog_pair_cache; /* stored in the caller's memory */
struct fragprog_cached_pair {
    struct fragprog_pair pair; /* including its texts */
    uint64_t user;             /* for use by the caller; 0 in a new pair */
};

struct fragprog_pair_cache_options {
    struct fragprog_pair_options options; /* options of all pairs; the prefix string is not copied */
    /* Called when a pair is evicted, the oldest first, to make room for a new one; the GL program in its
     * `user` may then be deleted. May be NULL. */
    void (*gone)(void *user, const struct fragprog_cached_pair *found);
    void *gone_user;
};

/* The minimum memory. Each pair takes 1.5 KB in addition to its texts, and each source about 200 bytes, so 2
 * MB hold about 300 pairs. */
#define FRAGPROG_PAIR_CACHE_LEAST ((size_t)384 << 10)

/* Creates an empty cache in size bytes, aligned as for any object. It need not be closed. Returns NULL if
 * size is too small, or options->options.fragment is set (that program belongs to a single source). */
TEXENV_API struct fragprog_pair_cache *fragprog_pair_cache_open(
    void *memory, size_t size, const struct fragprog_pair_cache_options *options);
/* Returns the pair for a source; it is valid until a later call compiles another pair. Returns NULL with *why
 * as fragprog_compile_pair does; refusals are cached, too. */
TEXENV_API struct fragprog_cached_pair *fragprog_pair_cache_get(struct fragprog_pair_cache *cache,
                                                                const struct fragprog_pair_source *source,
                                                                struct fragprog_reason *why);

#ifdef __cplusplus
}
#endif
#endif
