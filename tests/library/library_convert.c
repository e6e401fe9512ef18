/* Writes what `texenvc convert --to TO FILE.stages` writes (for words: with --format hex), using only the
 * library with one call for each state, as a driver would. Used by tests/library/both_ways.py.
 *
 * library_convert LEVEL TO FILE.stages      one state a line */
#include "hwemit/hwemit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 200 }; /* work limit of the command, as a multiple of the library's */

struct run {
    const char *path, *to;
    const struct hwemit_target *chip; /* NULL: a language, or ATI_fragment_shader */
    int language;                     /* -1: ATI_fragment_shader */
    struct fragprog_options options;
    unsigned long states;
};

static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
static char output[1 << 18];

static bool words(const struct run *r, const struct fragprog_source *source, struct texenv_text *text,
                  struct fragprog_reason *why)
{
    static struct hwemit_word word[HWEMIT_MAX_WORDS];
    static struct hwemit_code code;
    struct hwemit_options options = {.passes = r->options,
                                     .follows = (source->state->color_sum ? HWEMIT_COLOR_SUM : 0) |
                                         (source->state->fog ? HWEMIT_FOG : 0)};
    options.passes.most_work = PATIENCE * (r->chip->most_work ? r->chip->most_work : FRAGPROG_MOST_WORK);
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    if (!hwemit_compile(&code, r->chip, source, &options, scratch, why))
        return false;
    for (uint32_t i = 0; i < code.nwords; i++) {
        hwemit_print_hex(text, &word[i]);
        texenv_printf(text, "\n");
    }
    return true;
}

static bool compile(const struct run *r, const struct texenv_state *state, struct texenv_text *text,
                    struct fragprog_reason *why)
{
    const struct fragprog_source source = {.state = state};
    struct fragprog_options options = r->options;
    options.most_work = PATIENCE * FRAGPROG_MOST_WORK;
    if (r->chip)
        return words(r, &source, text, why);
    if (r->language >= 0) {
        const struct fragprog_language_options language = {.language = (uint8_t)r->language,
                                                           .color_sum = state->color_sum,
                                                           .fog = state->fog,
                                                           .alpha_test = state->alpha_test};
        return fragprog_compile_language(text, &source, &options, &language, scratch, why);
    }
    struct fragprog_atifs program;
    if (!fragprog_compile_atifs(&program, &source, &options, scratch, why))
        return false;
    fragprog_print_atifs(text, &program);
    return true;
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct run *r = user;
    struct texenv_state state;
    struct texenv_text text;
    struct fragprog_reason why;
    texenv_text_init(&text, output, sizeof output);
    r->states++;
    printf("%s state %lu %s:%lu", strncmp(r->to, "glsl", 4) == 0 ? "//" : "#", r->states, r->path, r->states);
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        printf(" refused by a policy\n");
    else if (compile(r, &state, &text, &why))
        printf("\n%s%s", output, text.length && output[text.length - 1] != '\n' ? "\n" : "");
    else
        printf(" refused: %s\n", why.text);
    return true;
}

int main(int argc, char **argv)
{
    static char text[1 << 24];
    if (argc != 4)
        return 2;
    struct run r = {.path = argv[3],
                    .to = argv[2],
                    .chip = hwemit_find_target(argv[2]),
                    .language = -1,
                    .options = {.level = (uint8_t)atoi(argv[1])}};
    for (int i = 0; i < FRAGPROG_LANGUAGES; i++)
        if (strcmp(fragprog_language_name((enum fragprog_language)i), r.to) == 0)
            r.language = i;
    FILE *f = fopen(argv[3], "rb");
    if (!f || (!r.chip && r.language < 0 && strcmp(r.to, "atifs") != 0))
        return 2;
    size_t length = fread(text, 1, sizeof text, f);
    fclose(f);
    struct texenv_reader reader = {.on_draw = on_draw, .user = &r};
    texenv_read_stages(&reader, text, length);
    return reader.errors != 0;
}
