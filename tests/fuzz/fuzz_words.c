/* Fuzzes lines of words as assembly and as bit fields, of every chip that has assembly: words that are read
 * come back from the lines that are printed for them. */
#include "pipeline.h"

#include "hwemit/targets.h"

#include <string.h>

enum { ROOM = 512 };

static void print_and_read(const struct hwemit_registers *registers, const struct hwemit_words *words)
{
    static char text[ROOM * 256];
    const struct texenv_sink sink = {pipeline_emit, NULL};
    struct hwemit_word word[ROOM];
    uint32_t line[ROOM];
    struct hwemit_words back = {word, line, 0, ROOM};
    struct texenv_text out;
    texenv_text_init(&out, text, sizeof text);
    for (uint32_t i = 0, n; i < words->n; i += n) {
        n = hwemit_print_assembly(&out, registers, words->word, i, words->n);
        if (!n) {
            hwemit_print_word(&out, registers, words->word, i, words->n);
            n = 1;
        }
        texenv_printf(&out, "\n");
    }
    if (!hwemit_read_asm(&back, registers, text, out.length, &sink) || back.n != words->n ||
        memcmp(back.word, words->word, back.n * sizeof *word) != 0)
        pipeline_broken("the lines of words are other words", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct texenv_sink sink = {pipeline_emit, NULL};
    for (unsigned t = 0; hwemit_targets[t]; t++) {
        const struct hwemit_registers *registers = hwemit_find_registers(hwemit_targets[t]);
        struct hwemit_word word[ROOM];
        uint32_t line[ROOM];
        struct hwemit_words words = {word, line, 0, ROOM};
        if (registers->assembly && hwemit_read_asm(&words, registers, (const char *)data, size, &sink))
            print_and_read(registers, &words);
    }
    return 0;
}
