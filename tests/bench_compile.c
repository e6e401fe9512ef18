/* Compiles every state of a file of stages N times at an -O level, without printing: what a driver pays for a
 * new state. Count instructions with valgrind --tool=callgrind --toggle-collect=fragprog_compile_atifs
 * build/tests/bench_compile LEVEL N FILE valgrind --tool=callgrind --toggle-collect=hwemit_compile
 * build/tests/bench_compile LEVEL N FILE CHIP [ASSUME [MOST_WORK]]      (bits as a number;
 * fragprog_options.most_work) and divide by the number of compilations that it prints. The times that it
 * prints are processor time, for ratios in one run; a state's is that of its N compilations divided by N. */
#include "hwemit/hwemit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct bench {
    const struct hwemit_target *chip; /* NULL: programs of the extension */
    struct hwemit_options chip_options;
    unsigned times;
    unsigned long compiled, refused, draw;
    /* of states that are refused, and of those that are not */
    struct times {
        double *seconds;
        unsigned long n, max, slowest;
        double most;
    } times_of[2];
};

static bool compile(const struct bench *b, const struct texenv_state *state)
{
    static struct hwemit_word word[HWEMIT_MAX_WORDS];
    static struct hwemit_code code;
    static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
    const struct fragprog_source source = {.state = state};
    struct fragprog_atifs program;
    struct fragprog_reason why;
    if (!b->chip)
        return fragprog_compile_atifs(&program, &source, &b->chip_options.passes, scratch, &why);
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    return hwemit_compile(&code, b->chip, &source, &b->chip_options, scratch, &why);
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct bench *b = user;
    struct texenv_state state;
    b->draw++;
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        return true;
    const clock_t start = clock();
    bool fits = false;
    for (unsigned n = 0; n < b->times; n++) {
        fits = compile(b, &state);
        if (fits)
            b->compiled++;
        else
            b->refused++;
    }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC / b->times;
    struct times *t = &b->times_of[fits];
    if (seconds >= t->most)
        t->most = seconds, t->slowest = b->draw;
    if (t->n < t->max)
        t->seconds[t->n++] = seconds;
    return true;
}

static int by_size(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

static void print_times(const char *what, struct times *t)
{
    double sum = 0;
    for (unsigned long i = 0; i < t->n; i++)
        sum += t->seconds[i];
    if (!t->n || sum <= 0)
        return;
    qsort(t->seconds, t->n, sizeof *t->seconds, by_size);
    printf("%s: %.0f a second; microseconds: mean %.0f, median %.0f, 90 %% %.0f, 99 %% %.0f, most %.0f "
           "(state %lu)\n",
           what, (double)t->n / sum, 1e6 * sum / (double)t->n, 1e6 * t->seconds[t->n / 2],
           1e6 * t->seconds[t->n * 9 / 10], 1e6 * t->seconds[t->n * 99 / 100], 1e6 * t->most, t->slowest);
}

int main(int argc, char **argv)
{
    const struct hwemit_target *chip = argc > 4 ? hwemit_find_target(argv[4]) : NULL;
    if (argc < 4 || argc > 7 || (argc > 4 && !chip) || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: %s LEVEL TIMES FILE.stages [CHIP [ASSUME [MOST_WORK]]]\n", argv[0]);
        return 2;
    }
    static char text[1 << 24];
    static double seconds[2][1 << 20];
    FILE *f = fopen(argv[3], "rb");
    if (!f) {
        perror(argv[3]);
        return 1;
    }
    size_t length = fread(text, 1, sizeof text, f);
    fclose(f);
    struct bench b = {
        .chip = chip,
        .times = (unsigned)atoi(argv[2]),
        .times_of = {{.seconds = seconds[0], .max = 1 << 20}, {.seconds = seconds[1], .max = 1 << 20}},
        .chip_options = {.passes = {.level = (uint8_t)atoi(argv[1]),
                                    .bind_compact = 1,
                                    .most_work = argc > 6 ? (uint32_t)strtoul(argv[6], NULL, 0) : 0},
                         .assume = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 0) : 0}};
    struct texenv_reader reader = {.on_draw = on_draw, .user = &b};
    texenv_read_stages(&reader, text, length);
    printf("%lu compiled, %lu refused\n", b.compiled, b.refused);
    print_times("compiled", &b.times_of[1]);
    print_times("refused", &b.times_of[0]);
    return 0;
}
