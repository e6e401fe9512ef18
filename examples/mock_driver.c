/* A driver's draw loop without the hardware: the draws of a recorded trace, each with the words of an r200
 * that its texture environment needs. A cache keeps the words; what only changes a colour is uploaded without
 * compiling. At the end it says how often that was so.
 *
 *   apitrace dump game.trace >game.txt
 *   cc mock_driver.c $(pkg-config --cflags --libs texenv) -o mock_driver && ./mock_driver [--check] game.txt
 *
 * --check compiles every draw afresh, too, and compares: a cache must never give other words.
 */
#ifdef TEXENVC_SINGLE_FILE
#include "texenvc.h"
#else
#include "hwemit/cache.h"
#include "hwemit/targets.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct driver {
    struct hwemit_cache_options options;
    struct hwemit_cache_use use;
    const struct hwemit_code *chip;               /* the code that the driver got last */
    struct hwemit_word word[HWEMIT_TEXENV_WORDS]; /* the words that the chip holds */
    bool check;
    uint64_t draws, unchanged, refused, colors, uploaded, stale;
};

/* 0 stale, or the cache is wrong. */
static void check(struct driver *d, const struct hwemit_code *code, const struct texenv *te)
{
    static max_align_t scratch[HWEMIT_SCRATCH / sizeof(max_align_t)];
    static struct hwemit_word word[HWEMIT_TEXENV_WORDS];
    static struct hwemit_code fresh;
    struct texenv_state state;
    struct fragprog_reason why;
    const struct fragprog_source source = {.state = &state};
    if (!texenv_canonicalise(&state, te, NULL, d->options.no_images, NULL, NULL))
        return;
    hwemit_code_init(&fresh, word, HWEMIT_TEXENV_WORDS);
    const bool fits = hwemit_compile(&fresh, d->options.target, &source, &d->options.options, scratch, &why);
    if (fits != (code != NULL) ||
        (fits && (fresh.nwords != code->nwords || memcmp(word, d->word, fresh.nwords * sizeof *word) != 0)))
        d->stale++;
}

static bool draw(void *user, const struct texenv_draw *now)
{
    struct driver *d = user;
    struct hwemit_cache_upload upload[HWEMIT_CACHE_UPLOADS];
    d->draws++;
    if (!now->changed && d->chip) { /* nothing was set since the last draw */
        d->unchanged++;
        return true;
    }
    if (!d->use.cache) { /* whether the trace has images is known at its first draw */
        d->options.no_images = now->no_images;
        struct hwemit_cache *cache = hwemit_cache_create(&d->options);
        if (!cache || !hwemit_cache_join(&d->use, cache))
            return false;
    }
    struct texenv te = *now->te; /* the reader's; a driver has its own */
    const struct hwemit_code *code = hwemit_cache_get(&d->use, &te, NULL);
    if (!code) {
        d->refused++; /* a driver falls back to software here */
    } else if (code != d->chip) {
        memcpy(d->word, code->word, code->nwords * sizeof *d->word);
        d->uploaded += code->nwords;
    }
    const uint32_t n = hwemit_cache_colors(&d->use, &te, upload, HWEMIT_CACHE_UPLOADS);
    for (uint32_t i = 0; i < n; i++)
        d->word[upload[i].word].value = upload[i].value;
    if (code == d->chip) /* else they went with the other words */
        d->uploaded += n, d->colors += n;
    d->chip = code;
    if (d->check)
        check(d, code, &te);
    return true;
}

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct driver d;
    d.check = argc > 2 && strcmp(argv[1], "--check") == 0;
    d.options = (struct hwemit_cache_options){
        .target = &hwemit_r200, .options.passes.level = 2, .entries = 64, .memory = {resize, NULL}};
    FILE *f = argc > 1 ? fopen(argv[argc - 1], "rb") : NULL;
    struct texenv_reader reader = {.memory = {resize, NULL}, .on_draw = draw, .user = &d};
    struct texenv_trace *trace = f ? texenv_trace_open(&reader) : NULL;
    if (!trace) {
        fprintf(stderr, "usage: mock_driver [--check] FILE (the text of apitrace dump)\n");
        return 2;
    }
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) && texenv_trace_feed(trace, piece, n))
        ;
    const bool read = texenv_trace_close(trace);
    fclose(f);
    if (d.use.cache) {
        struct hwemit_cache_stats stats;
        hwemit_cache_statistics(&stats, d.use.cache);
        printf("%llu draws: %llu unchanged, %llu hits, %llu compiled, %llu refused\n",
               (unsigned long long)d.draws, (unsigned long long)d.unchanged,
               (unsigned long long)(d.use.same + stats.hits + stats.equal),
               (unsigned long long)stats.compiled, (unsigned long long)d.refused);
        printf("%llu words uploaded, %llu colours changed without compiling\n",
               (unsigned long long)d.uploaded, (unsigned long long)d.colors);
        hwemit_cache_leave(&d.use);
        hwemit_cache_destroy(d.use.cache);
    }
    if (d.check)
        printf("%llu stale\n", (unsigned long long)d.stale);
    return !read || reader.errors || d.stale;
}
