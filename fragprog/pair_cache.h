/* Shader pairs by what is drawn: what was compiled once is found again. For a layer over OpenGL that looks at
 * its state at each draw:
 *
 *     found = fragprog_pair_cache_get(cache, &source, &why)       at the draw; NULL: refused
 *     if (!found->user) found->user = its program                 compiled by GL of found->pair, and linked
 *     fragprog_uniform_values(&found->pair, &values, floats)      and set the uniforms
 *
 * A source that differs from an earlier one only in what its shaders do not read gives the same pair. Values
 * (environment colours, the alpha test's reference) are in no pair. All memory is the caller's, one block. A
 * cache is used by one thread at a time. hwemit/cache.h is the same for words of chips.
 */
#ifndef FRAGPROG_PAIR_CACHE_H
#define FRAGPROG_PAIR_CACHE_H

#include "fragprog/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fragprog_pair_cache; /* in the caller's memory */
struct fragprog_cached_pair {
    struct fragprog_pair pair; /* with its texts */
    uint64_t user;             /* the caller's: 0 where the pair is new */
};

struct fragprog_pair_cache_options {
    struct fragprog_pair_options options; /* of all pairs; the prefix stays where it is */
    /* The oldest pairs make room for new ones: this one goes, and the program that is in its `user` may be
     * deleted. NULL: nothing is told. */
    void (*gone)(void *user, const struct fragprog_cached_pair *found);
    void *gone_user;
};

/* The least memory. Each pair takes its texts and 1.5 KB, each source some 200 bytes: in 2 MB are some 300
 * pairs. */
#define FRAGPROG_PAIR_CACHE_LEAST ((size_t)384 << 10)

/* An empty cache in size bytes, aligned as for any object. There is nothing to be closed. NULL: too little,
 * or options->options.fragment is set, which belongs to one source and not to all. */
TEXENV_API struct fragprog_pair_cache *fragprog_pair_cache_open(
    void *memory, size_t size, const struct fragprog_pair_cache_options *options);
/* The pair of what is drawn; it stays until a later call compiles another one. NULL with *why, as of
 * fragprog_compile_pair; that a source is refused is kept, too. */
TEXENV_API struct fragprog_cached_pair *fragprog_pair_cache_get(struct fragprog_pair_cache *cache,
                                                                const struct fragprog_pair_source *source,
                                                                struct fragprog_reason *why);

#ifdef __cplusplus
}
#endif
#endif
