/* What hwemit/cache.h costs at a draw: nanoseconds a call, the cases in turn in one run. For instructions:
 *
 *     valgrind --tool=callgrind --toggle-collect=hwemit_cache_get bench_cache CASE 10000
 *
 * and divide by the number of calls. CASE: 0 nothing changed; 1 one unit of four changed, back and forth
 * between two environments; 2 all four changed; 3 a colour changed (hwemit_cache_colors, toggle that);
 * 4 compiling instead.
 *
 * usage: bench_cache [CASE] CALLS */
#include "hwemit/cache.h"
#include "hwemit/targets.h"
#include "texenv/gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CASES = 5, UNITS = 4 };
static const char *const names[CASES] = {"nothing changed", "one unit of four changed", "all four changed",
                                         "a colour changed", "compiled"};
static struct hwemit_cache_use use;
static unsigned long uploaded; /* words of colours: what is measured is to do something */
static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
static struct hwemit_word word[HWEMIT_TEXENV_WORDS];

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

static void begin(struct texenv *te)
{
    const struct texenv_texture texture = {.complete = 1};
    texenv_init(te);
    for (unsigned u = 0; u < UNITS; u++) {
        texenv_active_texture(te, GL_TEXTURE0 + u);
        texenv_enable(te, GL_TEXTURE_2D, true);
        texenv_bind_texture(te, GL_TEXTURE_2D, &texture);
        texenv_tex_env_i(te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        texenv_tex_env_i(te, GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_INTERPOLATE);
        if (u == 2) /* reads this unit's colour, which `change` leaves so */
            texenv_tex_env_i(te, GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_INTERPOLATE);
    }
}

/* The setters are not what is measured: they are cheap, and each draw has some. */
static void change(struct texenv *te, unsigned which, unsigned long i)
{
    const float color[4] = {(float)(i & 1), 0.5f, 0.5f, 1};
    if (which == 1)
        te->packed &= (uint8_t)~2u, te->unit[1].env.combine[0] = i & 1 ? GL_ADD : GL_MODULATE;
    if (which == 2) {
        te->packed = 0;
        for (unsigned u = 0; u < UNITS; u++)
            te->unit[u].env.combine[0] = i & 1 ? GL_ADD : GL_MODULATE;
    }
    if (which == 3)
        memcpy(te->unit[2].env.color, color, sizeof color);
}

static void draw(struct texenv *te, unsigned which)
{
    struct hwemit_cache_upload upload[HWEMIT_CACHE_UPLOADS];
    if (which == 4) {
        struct texenv_state state;
        static struct hwemit_code code;
        struct fragprog_reason why;
        const struct hwemit_options options = {.passes = {.level = 2}};
        const struct fragprog_source source = {.state = &state};
        texenv_canonicalise(&state, te, NULL, false, NULL, NULL);
        hwemit_code_init(&code, word, HWEMIT_TEXENV_WORDS);
        hwemit_compile(&code, &hwemit_r200, &source, &options, scratch, &why);
    } else if (which == 3) {
        uploaded += hwemit_cache_colors(&use, te, upload, HWEMIT_CACHE_UPLOADS);
    } else {
        hwemit_cache_get(&use, te, NULL);
    }
}

static double nanoseconds(struct texenv *te, unsigned which, unsigned long calls)
{
    struct timespec from, to;
    timespec_get(&from, TIME_UTC);
    for (unsigned long i = 0; i < calls; i++) {
        change(te, which, i);
        draw(te, which);
    }
    timespec_get(&to, TIME_UTC);
    return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / (double)calls;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* A colour that nobody reads costs nothing, and would say nothing. */
static int no_uploads(int which)
{
    if (which != 3 || uploaded)
        return 0;
    fprintf(stderr, "bench_cache: no colour was uploaded\n");
    return 1;
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 21 };
    static double found[CASES][ROUNDS];
    const struct hwemit_cache_options options = {
        .target = &hwemit_r200, .options.passes.level = 2, .entries = 64, .memory = {resize, NULL}};
    struct hwemit_cache *cache = hwemit_cache_create(&options);
    struct texenv te;
    if (argc < 2 || !cache || !hwemit_cache_join(&use, cache))
        return 2;
    begin(&te);
    for (unsigned long i = 0; i < 4; i++) /* known from now on */
        change(&te, 1 + i / 2 % 2, i), hwemit_cache_get(&use, &te, NULL);
    const unsigned long calls = strtoul(argv[argc - 1], NULL, 10);
    if (argc == 3) {
        nanoseconds(&te, (unsigned)atoi(argv[1]) % CASES, calls);
        return no_uploads(atoi(argv[1]));
    }
    for (unsigned r = 0; r < ROUNDS; r++)
        for (unsigned which = 0; which < CASES; which++)
            found[which][r] = nanoseconds(&te, which, which == 4 ? calls / 100 + 1 : calls);
    printf("r200, four units; ns a call: median, fastest and slowest of %d rounds\n", ROUNDS);
    for (unsigned which = 0; which < CASES; which++) {
        qsort(found[which], ROUNDS, sizeof found[which][0], by_size);
        printf("%-26s %9.1f %9.1f %9.1f\n", names[which], found[which][ROUNDS / 2], found[which][0],
               found[which][ROUNDS - 1]);
    }
    hwemit_cache_leave(&use);
    hwemit_cache_destroy(cache);
    return no_uploads(3);
}
