/* Compiles every state of a file of stages N times at an -O level, without printing: what a driver pays for a new state. Count instructions with
 *   valgrind --tool=callgrind --toggle-collect=fragprog_compile_atifs build/tests/bench_compile LEVEL N FILE
 *   valgrind --tool=callgrind --toggle-collect=hwemit_compile build/tests/bench_compile LEVEL N FILE CHIP [ASSUME, bits as a number]
 * and divide by the number of compilations that it prints. */
#include "hwemit/hwemit.h"

#include <stdio.h>
#include <stdlib.h>

struct bench {
    struct fragprog_options options;
    const struct hwemit_target *chip; /* NULL: programs of the extension */
    struct hwemit_options chip_options;
    unsigned times;
    unsigned long compiled, refused;
};

static bool compile(const struct bench *b, const struct texenv_state *state)
{
    static struct hwemit_word word[HWEMIT_MAX_WORDS];
    static struct hwemit_code code;
    struct fragprog_atifs program;
    struct fragprog_reason why;
    if (!b->chip)
        return fragprog_compile_atifs(&program, state, &b->options, &why);
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    return hwemit_compile(&code, b->chip, state, &b->options, &b->chip_options, &why);
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct bench *b = user;
    struct texenv_state state;
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        return true;
    for (unsigned n = 0; n < b->times; n++)
        if (compile(b, &state))
            b->compiled++;
        else
            b->refused++;
    return true;
}

int main(int argc, char **argv)
{
    const struct hwemit_target *chip = argc > 4 ? hwemit_find_target(argv[4]) : NULL;
    if (argc < 4 || argc > 6 || (argc > 4 && !chip)) {
        fprintf(stderr, "usage: %s LEVEL TIMES FILE.stages [CHIP [ASSUME]]\n", argv[0]);
        return 2;
    }
    static char text[1 << 24];
    FILE *f = fopen(argv[3], "rb");
    if (!f) {
        perror(argv[3]);
        return 1;
    }
    size_t length = fread(text, 1, sizeof text, f);
    fclose(f);
    struct bench b = {.options = {.level = (uint8_t)atoi(argv[1]), .bind_compact = 1}, .chip = chip, .times = (unsigned)atoi(argv[2]),
                      .chip_options = {.assume = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 0) : 0, .primary_texcoord = -1}};
    struct texenv_reader reader = {.on_draw = on_draw, .user = &b};
    texenv_read_stages(&reader, text, length);
    printf("%lu compiled, %lu refused\n", b.compiled, b.refused);
    return 0;
}
