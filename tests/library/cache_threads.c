/* Eight threads share a cache of fewer environments than they use, in a build with the thread sanitizer. Each
 * thread compares the results with its own compilation. */
#include "texenvc.c"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, ENVIRONMENTS = 24, DRAWS = 3000, WORDS = 256 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct hwemit_cache *cache;
static const struct hwemit_options options = {.passes = {.level = 2}};
static struct {
    struct hwemit_word word[WORDS];
    uint32_t n;
} wanted[ENVIRONMENTS];

static void hold(void *user) { pthread_mutex_lock(user); }
static void let_go(void *user) { pthread_mutex_unlock(user); }
static void *get_memory(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

/* Selects environment n; its constant colour is unchanged. */
static void set(struct texenv *te, unsigned n)
{
    static const int32_t function[] = {0x2100, 0x0104, 0x8574, 0x84E7}, source[] = {0x1702, 0x8576, 0x8577};
    texenv_tex_env_i(te, 0x2300, 0x8571, function[n % 4]);
    texenv_tex_env_i(te, 0x2300, 0x8580, source[n / 4 % 3]);
    texenv_tex_env_i(te, 0x2300, 0x8573, 1 + n / 12 % 2);
}

static void begin(struct texenv *te)
{
    const struct texenv_texture texture = {.complete = 1};
    texenv_init(te);
    texenv_enable(te, 0x0DE1, true);
    texenv_bind_texture(te, 0x0DE1, &texture);
    texenv_tex_env_i(te, 0x2300, 0x2200, 0x8570);
}

static void *context(void *arg)
{
    struct hwemit_cache_use use;
    struct texenv te;
    unsigned n = (unsigned)(size_t)arg, bad = 0;
    begin(&te);
    if (!hwemit_cache_join(&use, cache))
        return (void *)1;
    for (unsigned i = 0; i < DRAWS; i++) {
        struct hwemit_cache_upload upload[HWEMIT_CACHE_UPLOADS];
        n = n * 1103515245u + 12345u;
        const unsigned k = n / 65536 % ENVIRONMENTS;
        set(&te, k);
        const struct hwemit_code *code = hwemit_cache_get(&use, &te, NULL);
        bad += !code || code->nwords != wanted[k].n;
        for (uint32_t w = 0; code && w < code->nwords; w++)
            bad += code->word[w].value != wanted[k].word[w].value;
        hwemit_cache_colors(&use, &te, upload, HWEMIT_CACHE_UPLOADS);
    }
    hwemit_cache_leave(&use);
    return (void *)(size_t)bad;
}

static int compile_all(void)
{
    static max_align_t scratch[HWEMIT_SCRATCH / sizeof(max_align_t)];
    for (unsigned n = 0; n < ENVIRONMENTS; n++) {
        static struct hwemit_code code;
        struct texenv te;
        struct texenv_state state;
        struct fragprog_reason why;
        const struct fragprog_source source = {.state = &state};
        begin(&te);
        set(&te, n);
        hwemit_code_init(&code, wanted[n].word, WORDS);
        if (!texenv_canonicalise(&state, &te, NULL, false, NULL, NULL) ||
            !hwemit_compile(&code, &hwemit_r200, &source, &options, scratch, &why))
            return 1;
        wanted[n].n = code.nwords;
    }
    return 0;
}

int main(void)
{
    const struct hwemit_cache_options how = {.target = &hwemit_r200,
                                             .options = options,
                                             .entries = 12,
                                             .memory = {get_memory, NULL},
                                             .lock = hold,
                                             .unlock = let_go,
                                             .lock_user = &mutex};
    pthread_t thread[THREADS];
    struct hwemit_cache_stats stats;
    size_t bad = (size_t)compile_all();
    cache = hwemit_cache_create(&how);
    for (size_t i = 0; i < THREADS; i++)
        bad += pthread_create(&thread[i], NULL, context, (void *)(i + 1)) != 0;
    for (unsigned i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(thread[i], &result);
        bad += (size_t)result;
    }
    hwemit_cache_statistics(&stats, cache);
    hwemit_cache_destroy(cache);
    printf("cache_threads: %d threads, %d draws each; %lu hits, %lu compiled, %lu evicted; %lu wrong\n",
           THREADS, DRAWS, (unsigned long)stats.hits, (unsigned long)stats.compiled,
           (unsigned long)stats.evicted, (unsigned long)bad);
    return bad || !stats.hits || !stats.evicted;
}
