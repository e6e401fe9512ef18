/* Fuzzes programs of register combiners (!!RC1.0). An accepted program becomes words that print as a program
 * with the same words. Other input is taken as words: if these print as a program, it must read back. */
#include "pipeline.h"

#include "hwemit/targets.h"

#include <string.h>

enum { ROOM = 64, BYTES = 6 };
static char text[1 << 15];

static bool same(const struct hwemit_words *a, const struct hwemit_words *b)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            found += a->word[i].address == b->word[k].address && a->word[i].value == b->word[k].value;
    return a->n == b->n && found == a->n;
}

/* Returns whether the words form a program; then its text must read back as these words. */
static bool print_and_read(const struct hwemit_words *words)
{
    const struct texenv_sink sink = {pipeline_emit, NULL};
    struct hwemit_word word[ROOM];
    uint32_t line[ROOM];
    struct hwemit_words back = {word, line, 0, ROOM};
    struct texenv_text out;
    texenv_text_init(&out, text, sizeof text);
    if (!hwemit_nv2a_registers.print(&out, words->word, words->n))
        return false;
    if (!hwemit_nv2a_registers.read(&back, text, strlen(text), &sink) || !same(words, &back))
        pipeline_broken("a program of combiners is other words", text);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct texenv_sink sink = {pipeline_emit, NULL};
    struct hwemit_word word[ROOM];
    uint32_t line[ROOM];
    struct hwemit_words words = {word, line, 0, ROOM};
    if (hwemit_nv2a_registers.read(&words, (const char *)data, size, &sink)) {
        if (!print_and_read(&words))
            pipeline_broken("words of a program of combiners are none", text);
        return 0;
    }
    for (words.n = 0; words.n < ROOM && BYTES * (words.n + 1) <= size; words.n++) {
        const uint8_t *p = data + BYTES * words.n;
        const uint32_t method = (p[0] | (uint32_t)p[1] << 8) & 0x1ffc,
                       value = p[2] | (uint32_t)p[3] << 8 | (uint32_t)p[4] << 16 | (uint32_t)p[5] << 24;
        for (uint32_t i = 0; i < words.n; i++)
            if (word[i].address == method)
                return 0;
        word[words.n] = (struct hwemit_word){method, value};
    }
    print_and_read(&words);
    return 0;
}
