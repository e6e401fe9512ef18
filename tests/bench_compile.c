/* Compiles every state of a file of stages N times at an -O level, without printing: what a driver pays for a new state. Count instructions with
 *   valgrind --tool=callgrind --toggle-collect=fragprog_compile_atifs build/tests/bench_compile LEVEL N FILE
 * and divide by the number of compilations that it prints. */
#include "fragprog/fragprog.h"

#include <stdio.h>
#include <stdlib.h>

struct bench { struct fragprog_options options; unsigned times; unsigned long compiled, refused; };

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct bench *b = user;
    struct texenv_state state;
    struct fragprog_atifs program;
    struct fragprog_reason why;
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        return true;
    for (unsigned n = 0; n < b->times; n++)
        if (fragprog_compile_atifs(&program, &state, &b->options, &why))
            b->compiled++;
        else
            b->refused++;
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s LEVEL TIMES FILE.stages\n", argv[0]);
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
    struct bench b = {.options = {.level = (uint8_t)atoi(argv[1]), .bind_compact = 1}, .times = (unsigned)atoi(argv[2])};
    struct texenv_reader reader = {.on_draw = on_draw, .user = &b};
    texenv_read_stages(&reader, text, length);
    printf("%lu compiled, %lu refused\n", b.compiled, b.refused);
    return 0;
}
