/* Measures the time of a compilation, and of a draw with the cache (hwemit/cache.h).
 *
 *   bench times ROUNDS FILE.stages ...
 *
 * Prints the table of times. Each state is compiled at all levels for all chips before the next state, so
 * that branch predictors and caches are not trained to one state, and the times of a ratio are of the same
 * moment.
 *
 *   bench compile LEVEL FILE.stages [CHIP [ASSUME [MOST_WORK]]]
 *
 * Compiles each state once, without a CHIP to a program of ATI_fragment_shader, for valgrind --tool=callgrind
 * --toggle-collect=hwemit_compile (or fragprog_compile_atifs). Prints how many states were compiled and
 * refused.
 *
 *   bench draw CASE CALLS
 *
 * Runs one case of `cases`, for callgrind: the counts for two numbers of calls are subtracted.
 *
 * tests/speed/bench.py chooses the states, and prints instruction counts beside the times. */
#include "hwemit/cache.h"
#include "hwemit/targets.h"
#include "texenv/gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_STATES = 1024, LEVELS = 4, CHIPS = 2, COLUMNS = CHIPS * LEVELS, UNITS = 4 };
static const struct hwemit_target *const chips[CHIPS] = {&hwemit_r200, &hwemit_r300};
static struct texenv_state state[MAX_STATES];
static unsigned nstates;
static struct hwemit_word word[HWEMIT_TEXENV_WORDS];
static struct hwemit_code code;
static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)(t.tv_sec % 1000000) * 1e9 + (double)t.tv_nsec; /* keeps the precision of a double */
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* ---- states ---- */

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    (void)user;
    if (nstates < MAX_STATES && texenv_canonicalise(&state[nstates], draw->te, NULL, false, NULL, NULL))
        nstates++;
    return true;
}

static bool read_states(const char *path)
{
    static char text[1 << 22];
    struct texenv_reader reader = {.on_draw = on_draw};
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return false;
    }
    const size_t length = fread(text, 1, sizeof text, f);
    fclose(f);
    nstates = 0;
    texenv_read_stages(&reader, text, length);
    return nstates > 0;
}

static bool compile(const struct hwemit_target *chip, const struct hwemit_options *options,
                    const struct texenv_state *from)
{
    const struct fragprog_source source = {.state = from};
    struct fragprog_reason why;
    struct fragprog_atifs program;
    if (!chip)
        return fragprog_compile_atifs(&program, &source, &options->passes, scratch, &why);
    hwemit_code_init(&code, word, HWEMIT_TEXENV_WORDS);
    return hwemit_compile(&code, chip, &source, options, scratch, &why);
}

/* ---- draws ---- */

enum { SAME, ONE_UNIT, ALL_UNITS, COLOR, COLORS, PACK, SETTER, KEY, MISS, CASES };
static const char *const cases[CASES] = {
    "nothing changed",  "one unit changed",       "all four changed",
    "a colour changed", "no colour changed",      "a unit packed anew",
    "a setter",         "key: canonicalise, key", "miss: key and compile"};
static struct hwemit_cache_use use;
static struct texenv te;
static unsigned long said; /* prevents the measured code from being optimised away */

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

static void begin(void)
{
    const struct texenv_texture texture = {.complete = 1};
    texenv_init(&te);
    for (unsigned u = 0; u < UNITS; u++) {
        texenv_active_texture(&te, GL_TEXTURE0 + u);
        texenv_enable(&te, GL_TEXTURE_2D, true);
        texenv_bind_texture(&te, GL_TEXTURE_2D, &texture);
        texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
        texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_MODULATE);
        if (u == 2) /* alpha reads this unit's environment colour, whatever function() does */
            texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_INTERPOLATE);
    }
}

static void function(unsigned unit, unsigned long i)
{
    texenv_active_texture(&te, GL_TEXTURE0 + unit);
    texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_COMBINE_RGB, i & 1 ? GL_ADD : GL_MODULATE);
}

/* Prepares a call; not measured. */
static void before(unsigned which, unsigned long i)
{
    const float color[4] = {(float)(i & 1), 0.5f, 0.5f, 1};
    if (which == ONE_UNIT || which == PACK)
        function(1, i);
    for (unsigned u = 0; which == ALL_UNITS && u < UNITS; u++)
        function(u, i);
    if (which == COLOR)
        memcpy(te.unit[2].env.color, color, sizeof color);
    if (which == PACK)
        te.packed &= (uint8_t)~2u;
    if (which == MISS) /* an environment of a set larger than the cache */
        for (unsigned u = 0; u < UNITS; u++)
            function(u, i >> u);
}

static void measured(unsigned which, unsigned long i)
{
    struct hwemit_cache_upload upload[HWEMIT_CACHE_UPLOADS];
    static uint8_t key[FRAGPROG_KEY_MAX];
    switch (which) {
    case PACK: texenv_pack(&te); break;
    case SETTER: function(1, i); break;
    case COLOR:
    case COLORS: said += hwemit_cache_colors(&use, &te, upload, HWEMIT_CACHE_UPLOADS); break;
    case KEY:
        texenv_canonicalise(&state[0], &te, NULL, false, NULL, NULL);
        said += fragprog_key(key, sizeof key, &state[0], false);
        break;
    default: said += hwemit_cache_get(&use, &te, NULL) != NULL; break;
    }
}

/* Opens a cache that contains the environments of this case, except for the case of misses. */
static bool open_cache(unsigned which)
{
    const struct hwemit_cache_options options = {.target = &hwemit_r200,
                                                 .options.passes.level = 2,
                                                 .entries = which == MISS ? 2 : 64,
                                                 .memory = {resize, NULL}};
    struct hwemit_cache *cache = hwemit_cache_create(&options);
    if (!cache || !hwemit_cache_join(&use, cache))
        return false;
    begin();
    hwemit_cache_get(&use, &te, NULL);
    for (unsigned i = 0; i < 4; i++) {
        before(which, i);
        measured(which, i);
    }
    return true;
}

static void close_cache(void)
{
    struct hwemit_cache *cache = use.cache;
    hwemit_cache_leave(&use);
    hwemit_cache_destroy(cache);
}

/* Nanoseconds for a call; the time of the preparation is measured separately and subtracted. */
static double draws(unsigned which, unsigned long calls)
{
    const double start = now();
    for (unsigned long i = 0; i < calls; i++)
        before(which, i);
    const double middle = now();
    for (unsigned long i = 0; i < calls; i++) {
        before(which, i);
        measured(which, i);
    }
    return (now() - middle - (middle - start)) / (double)calls;
}

/* ---- tables ---- */

enum { MEDIAN, NINETY, NINETY_NINE, WORST, PERCENTILES };

static void percentiles(double *value, unsigned n, double out[PERCENTILES])
{
    qsort(value, n, sizeof *value, by_size);
    out[MEDIAN] = value[n / 2];
    out[NINETY] = value[n * 9 / 10];
    out[NINETY_NINE] = value[n * 99 / 100];
    out[WORST] = value[n - 1];
}

/* Returns the median over the states of the ratio of two columns. */
static double ratio(double time[COLUMNS][MAX_STATES], unsigned column, unsigned over)
{
    static double of[MAX_STATES];
    double out[PERCENTILES];
    for (unsigned s = 0; s < nstates; s++)
        of[s] = time[column][s] / time[over][s];
    percentiles(of, nstates, out);
    return out[MEDIAN];
}

static void print_compiled(const char *name, double time[COLUMNS][MAX_STATES])
{
    for (unsigned column = 0; column < COLUMNS; column++) {
        const unsigned level = column % LEVELS, first = column - level;
        const double to_first = ratio(time, column, first),
                     to_last = level ? ratio(time, column, column - 1) : 1;
        static double sorted[MAX_STATES];
        double out[PERCENTILES];
        memcpy(sorted, time[column], sizeof sorted);
        percentiles(sorted, nstates, out);
        printf("%-10s %-5s -O%u %6u %9.1f %9.1f %9.1f %9.1f %8.2f %8.2f\n", name,
               chips[column / LEVELS]->name, level, nstates, out[MEDIAN] / 1e3, out[NINETY] / 1e3,
               out[NINETY_NINE] / 1e3, out[WORST] / 1e3, to_first, to_last);
    }
}

/* Takes the fastest round of each state, to exclude disturbances by other processes. -O3 is measured once. */
static void compiled(const char *path, unsigned rounds)
{
    static double time[COLUMNS][MAX_STATES];
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char shown[32];
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned s = 0; s < nstates; s++)
            for (unsigned column = 0; column < COLUMNS; column++) {
                const struct hwemit_options options = {.passes.level = column % LEVELS};
                if (round && options.passes.level == 3)
                    continue;
                const double start = now();
                said += compile(chips[column / LEVELS], &options, &state[s]);
                const double taken = now() - start;
                if (!round || taken < time[column][s])
                    time[column][s] = taken;
            }
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(name, "."), name);
    print_compiled(shown, time);
}

static int times(unsigned rounds, char **path, int paths)
{
    enum { SAMPLES = 300, CALLS = 1000 };
    static double found[CASES][SAMPLES];
    printf("microseconds; ratios state by state to -O0, which optimises nothing, and to the level before\n"
           "%-10s %-5s %3s %6s %9s %9s %9s %9s %8s %8s\n",
           "states", "chip", "", "number", "median", "90 %", "99 %", "worst", "to -O0", "to last");
    for (int n = 0; n < paths; n++) {
        if (!read_states(path[n]))
            return 1;
        compiled(path[n], rounds);
    }
    for (unsigned n = 0; n < SAMPLES; n++)
        for (unsigned which = 0; which < CASES; which++) {
            if (!open_cache(which))
                return 1;
            found[which][n] = draws(which, which >= KEY ? CALLS / 100 : CALLS);
            close_cache();
        }
    printf("\nnanoseconds, r200, four units; %u samples of %u calls (of the last two %u), the cases in turn\n"
           "%-26s %9s %9s %9s %9s\n",
           SAMPLES, CALLS, CALLS / 100, "a draw", "median", "90 %", "99 %", "worst");
    for (unsigned which = 0; which < CASES; which++) {
        double out[PERCENTILES];
        percentiles(found[which], SAMPLES, out);
        printf("%-26s %9.1f %9.1f %9.1f %9.1f\n", cases[which], out[MEDIAN], out[NINETY], out[NINETY_NINE],
               out[WORST]);
    }
    return said == 0;
}

static int compile_once(int argc, char **argv)
{
    const struct hwemit_target *chip = argc > 4 ? hwemit_find_target(argv[4]) : NULL;
    const struct hwemit_options options = {
        .passes = {.level = (uint8_t)atoi(argv[2]),
                   .bind_compact = 1,
                   .most_work = argc > 6 ? (uint32_t)strtoul(argv[6], NULL, 0) : 0},
        .assume = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 0) : 0};
    unsigned fit = 0;
    if ((argc > 4 && !chip) || !read_states(argv[3]))
        return 2;
    for (unsigned s = 0; s < nstates; s++)
        fit += compile(chip, &options, &state[s]);
    printf("%u compiled, %u refused\n", fit, nstates - fit);
    return 0;
}

static int draw_once(unsigned which, unsigned long calls)
{
    if (which >= CASES || !open_cache(which))
        return 2;
    draws(which, calls);
    close_cache();
    return which == COLOR && !said;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "times") == 0 && atoi(argv[2]) > 0)
        return times((unsigned)atoi(argv[2]), argv + 3, argc - 3);
    if (argc > 3 && strcmp(argv[1], "compile") == 0)
        return compile_once(argc, argv);
    if (argc > 3 && strcmp(argv[1], "draw") == 0)
        return draw_once((unsigned)atoi(argv[2]), strtoul(argv[3], NULL, 10));
    fprintf(stderr,
            "usage: bench times ROUNDS FILE.stages ... | compile LEVEL FILE.stages [CHIP [ASSUME "
            "[MOST_WORK]]] | draw CASE CALLS\n");
    return 2;
}
