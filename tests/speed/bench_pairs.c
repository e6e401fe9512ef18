/* Measures the time to compile shader pairs (fragprog/pair.h), and to find them again in the cache.
 *
 *     bench_pairs times ROUNDS CASE ...   the table; of each pair its fastest round
 *     bench_pairs compile CASE            its pairs once each, for
 *                                         valgrind --tool=callgrind --toggle-collect=fragprog_compile_pair
 *     bench_pairs find CASE               each found 10 times in a cache that has them: for
 *                                         --toggle-collect=fragprog_pair_cache_get
 *
 * CASE: unlit, one texture; lit, eight lights and all that lighting has; randomN, N whole states (at most
 * 2,000); or a file of states (.stages), each with a random vertex half. All languages in turn, at -O2.
 * tests/speed/bench.py has the cases, and puts instructions beside the times. */
#include "fragprog/pair_cache.h"
#include "tests/unit/pairs_by_chance.h"

#include <stdlib.h>
#include <time.h>

enum { MOST = 2000 };
static struct fragprog_pair_source source[MOST];
static struct fragprog_pair_options options[MOST];
static unsigned npairs;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)(t.tv_sec % 1000000) * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Settings of the lights that prevent a loop over them, and all features of lighting. */
static void light(struct texenv_vertex *v)
{
    v->lighting = v->two_side = v->local_viewer = v->separate_specular = 1;
    v->normals = TEXENV_NORMALS_NORMALIZED;
    v->tracks[0] = v->tracks[1] = 2;
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        v->light[n] = (struct texenv_light){1, 1, 1, n % 2};
}

static bool read_file(const char *path)
{
    static char text[1 << 22];
    struct texenv_reader reader = {.on_draw = keep_state};
    FILE *f = fopen(path, "rb");
    const size_t length = f ? fread(text, 1, sizeof text, f) : 0;
    if (f)
        fclose(f);
    nstates = 0;
    texenv_read_stages(&reader, text, length);
    return nstates > 0;
}

static bool make(const char *which)
{
    const bool lit = strcmp(which, "lit") == 0, one = lit || strcmp(which, "unlit") == 0,
               random = strncmp(which, "random", 6) == 0;
    if (!one && !random && !read_file(which))
        return false;
    if (random)
        begin_pairs(4);
    npairs = one ? sizeof languages : random ? (unsigned)strtoul(which + 6, NULL, 10) % (MOST + 1) : nstates;
    for (unsigned n = 0; n < npairs; n++) {
        options[n] = (struct fragprog_pair_options){.language = languages[n % sizeof languages], .level = 2};
        if (one) {
            source[n] = (struct fragprog_pair_source){.affine = 0xFF, .state.nstages = 1};
            source[n].state.stage[0] = (struct texenv_stage){.mode = TEXENV_MODULATE, .target = TEXENV_2D};
            source[n].state.color_sum = lit;
        } else {
            random_source(&source[n]);
            source[n].flat &= options[n].language != FRAGPROG_GLSL_ES_100;
            source[n].state = random ? source[n].state : states[n];
        }
        if (lit)
            light(&source[n].vertex);
    }
    return true;
}

/* Compiles pair n and measures microseconds; returns false if the language refuses it. */
static bool compile(unsigned n, double *taken)
{
    static struct fragprog_pair pair;
    static char texts[FRAGPROG_PAIR_TEXTS];
    static uint64_t scratch[FRAGPROG_PAIR_SCRATCH / sizeof(uint64_t)];
    static struct fragprog_reason why;
    const double start = now();
    const bool ok = fragprog_compile_pair(&pair, &source[n], &options[n], texts, scratch, &why);
    *taken = now() - start;
    return ok;
}

/* ---- a cache that contains all pairs, in one language ---- */

static struct fragprog_pair_cache *fill_cache(void)
{
    static uint64_t memory[(24 << 20) / sizeof(uint64_t)];
    const struct fragprog_pair_cache_options of = {.options = {.language = FRAGPROG_GLSL_330, .level = 2}};
    struct fragprog_pair_cache *cache = fragprog_pair_cache_open(memory, sizeof memory, &of);
    struct fragprog_reason why;
    for (unsigned n = 0; n < npairs; n++)
        fragprog_pair_cache_get(cache, &source[n], &why);
    return cache;
}

/* Returns microseconds for a call. */
static double find_all(struct fragprog_pair_cache *cache, unsigned rounds)
{
    static unsigned long found;
    struct fragprog_reason why;
    const double start = now();
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned n = 0; n < npairs; n++)
            found += fragprog_pair_cache_get(cache, &source[n], &why) != NULL;
    return (now() - start) / rounds / npairs + (found == 0);
}

static double least_to_find(unsigned rounds)
{
    struct fragprog_pair_cache *cache = fill_cache();
    double least = find_all(cache, 10);
    for (unsigned round = 1; round < rounds; round++) {
        const double taken = find_all(cache, 10);
        least = taken < least ? taken : least;
    }
    return least;
}

static void times(const char *which, unsigned rounds)
{
    static double least[MOST];
    const char *name = strrchr(which, '/') ? strrchr(which, '/') + 1 : which;
    double taken, sum = 0;
    unsigned fit = 0;
    for (unsigned n = 0; n < npairs; n++) {
        for (unsigned round = 0; round < rounds; round++)
            if (compile(n, &taken) && (!round || taken < least[fit]))
                least[fit] = taken;
        fit += compile(n, &taken);
    }
    for (unsigned n = 0; n < fit; n++)
        sum += least[n];
    qsort(least, fit, sizeof *least, by_size);
    printf("%-10.*s %6u %9.1f %9.1f %9.1f %9.1f %9.3f\n", (int)strcspn(name, "."), name, fit, sum / fit,
           least[fit / 2], least[fit * 99 / 100], least[fit - 1], least_to_find(rounds));
}

int main(int argc, char **argv)
{
    const bool finds = argc == 3 && strcmp(argv[1], "find") == 0,
               compiles = argc == 3 && strcmp(argv[1], "compile") == 0;
    const unsigned rounds = argc > 3 && strcmp(argv[1], "times") == 0 ? (unsigned)atoi(argv[2]) : 0;
    double taken;
    if (!finds && !compiles && !rounds)
        return fprintf(stderr, "usage: bench_pairs times ROUNDS CASE ... | compile CASE | find CASE\n"), 2;
    if (rounds)
        printf("\nmicroseconds, shader pairs\n%-10s %6s %9s %9s %9s %9s %9s\n", "states", "number", "mean",
               "median", "99 %", "worst", "found");
    for (int i = rounds ? 3 : 2; i < argc; i++) {
        if (!make(argv[i]))
            return 2;
        if (rounds)
            times(argv[i], rounds);
        if (finds)
            find_all(fill_cache(), 10);
        for (unsigned n = 0; n < npairs && compiles; n++)
            compile(n, &taken);
    }
    return 0;
}
