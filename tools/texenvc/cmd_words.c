/* texenvc disasm and asm: translate a chip's words to text with names and fields, and back. Also convert
 * --from rc. */
#include "chip.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool reader(struct hwemit_words *, const struct hwemit_registers *, const char *, size_t,
                    const struct texenv_sink *);

/* Reads the words of the only input. Returns false after diagnostics. */
static bool read_words(struct hwemit_words *words, const struct options *o, reader *read)
{
    static struct hwemit_word word[HWEMIT_MAX_WORDS];
    static uint32_t line[HWEMIT_MAX_WORDS];
    struct source source;
    size_t length = 0;
    if (o->ninput != 1)
        die_usage("%s takes one input; %zu are given", o->command->name, o->ninput);
    char *text = input_text(&o->input[0], &length);
    if (!text)
        return false;
    *words = (struct hwemit_words){word, line, 0, HWEMIT_MAX_WORDS};
    source_init(&source, input_name(&o->input[0]));
    source_window(&source, text, length, 1, false);
    struct texenv_sink sink = diag_sink(&source);
    bool ok = read(words, hwemit_find_registers(o->chip), text, length, &sink);
    source_close(&source);
    free(text);
    return ok;
}

static int finish(const struct options *o, struct buffer *b)
{
    if (o->output) {
        output_create(o->output);
        output_write(b->data, b->length);
        output_commit();
    } else {
        output_stdout(b->data, b->length);
    }
    buffer_free(b);
    return STATUS_OK;
}

/* Reads a program in the language of the chip's public tools if the text starts like one, or else words
 * register by register. */
static bool read_text(struct hwemit_words *out, const struct hwemit_registers *registers, const char *text,
                      size_t length, const struct texenv_sink *sink)
{
    size_t n = registers->language ? strlen(registers->language) : 0, at = 0;
    while (at < length && strchr(" \t\r\n#", text[at])) /* skips comments, too */
        at += text[at] == '#' ? strcspn(text + at, "\n") : 1;
    const bool program = n && length - at >= n && memcmp(text + at, registers->language, n) == 0;
    return (program ? registers->read(out, text, length, sink)
                    : hwemit_read_asm(out, registers, text, length, sink));
}

int cmd_disasm(const struct options *o)
{
    struct hwemit_words words;
    struct buffer b = {0};
    if (!read_words(&words, o, hwemit_read_hex))
        return STATUS_INPUT;
    add_lines(&b, words.word, words.n, o);
    return finish(o, &b);
}

static bool read_combiners(struct hwemit_words *out, const struct hwemit_registers *registers,
                           const char *text, size_t length, const struct texenv_sink *sink)
{
    return registers->read(out, text, length, sink);
}

int convert_combiners(const struct options *o)
{
    struct hwemit_words words;
    struct buffer b = {0};
    const struct hwemit_registers *registers = o->to == FORM_CHIP ? hwemit_find_registers(o->chip) : NULL;
    if (!registers)
        die_usage("a program of register combiners can only become a chip's words: --to nv2a");
    if (!registers->read) {
        fprintf(stderr, "texenvc: error: %s has no register combiners; nv2a has\n", o->chip->name);
        return STATUS_REFUSED;
    }
    if (!read_words(&words, o, read_combiners))
        return STATUS_INPUT;
    add_words(&b, words.word, words.n, o);
    return finish(o, &b);
}

int cmd_asm(const struct options *o)
{
    struct hwemit_words words;
    struct buffer b = {0};
    if (!read_words(&words, o, read_text))
        return STATUS_INPUT;
    uint32_t n = words.n;
    const struct hwemit_word *word = words_or_packets(o, words.word, &n);
    for (uint32_t i = 0; i < n; i++)
        add_hex(&b, &word[i]);
    return finish(o, &b);
}
