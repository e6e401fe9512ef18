/* texenvc disasm and asm: translate a chip's words to text with names and fields, and back. Also convert
 * --from rc. */
#include "chip.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool reader(struct hwemit_words *, const struct hwemit_registers *, const char *, size_t,
                    const struct texenv_sink *);
typedef void adder(struct buffer *, const struct hwemit_words *, const struct options *);

/* The diagnostics of a part of a text get the lines of the whole text. */
struct part {
    uint32_t before; /* lines before the part */
    struct texenv_sink sink;
};

static void report_of_part(void *user, const struct texenv_diag *diag)
{
    const struct part *part = user;
    struct texenv_diag moved = *diag;
    moved.place.line += moved.place.line ? part->before : 0;
    part->sink.report(part->sink.user, &moved);
}

/* Returns whether only blanks and comments precede the end. */
static bool is_empty(const char *at, const char *end)
{
    while (at < end && *at && strchr(" \t\r\n#", *at)) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = *at != '#' ? at + 1 : newline ? newline : end;
    }
    return at == end;
}

/* Returns the beginning of the next line "# state ..." in [at, end), with which convert begins each state, or
 * the end. */
static const char *next_state(const char *at, const char *end)
{
    static const char mark[] = "# state ";
    for (; at < end; at++) {
        if ((size_t)(end - at) >= sizeof mark - 1 && memcmp(at, mark, sizeof mark - 1) == 0)
            return at;
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            break;
    }
    return end;
}

/* Reads the words of the only input. If it has several states, each is read by itself, and its line "# state
 * ..." goes before what `add` appends to *b. Returns false after diagnostics. */
static bool read_words(struct buffer *b, const struct options *o, reader *read, adder *add)
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
    source_init(&source, input_name(&o->input[0]));
    source_window(&source, text, length, 1, false);
    const char *const end = text + length, *const first = next_state(text, end);
    const bool several = first < end && next_state(first + 1, end) < end;
    if (several && (o->format == FORMAT_JSON || o->format == FORMAT_C))
        die_usage("--format json and --format c take one program; '%s' has several", source.name);
    struct part part = {0, diag_sink(&source)};
    const struct texenv_sink sink = {report_of_part, &part};
    const char *at = text, *next;
    bool ok = true;
    do {
        next = several ? next_state(at + (at == text ? at == first : 1), end) : end;
        if (!several || !is_empty(at, next)) {
            struct hwemit_words words = {word, line, 0, HWEMIT_MAX_WORDS};
            ok = read(&words, hwemit_find_registers(o->chip), at, (size_t)(next - at), &sink);
            if (ok && several && *at == '#')
                buffer_printf(b, "%.*s\n", (int)strcspn(at, "\r\n"), at);
            if (ok)
                add(b, &words, o);
        }
        for (; at < next; at++)
            part.before += *at == '\n';
    } while (ok && at < end);
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
    if (length - at > 2 && text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
        uint32_t line = 1;
        for (size_t i = 0; i < at; i++)
            line += text[i] == '\n';
        texenv_emit(sink, TEXENV_ERROR, -1, (struct texenv_place){.line = line, .column = 1}, "words",
                    "these are words already; asm makes words of what convert and disasm print");
        return false;
    }
    const bool program = n && length - at >= n && memcmp(text + at, registers->language, n) == 0;
    return (program ? registers->read(out, text, length, sink)
                    : hwemit_read_asm(out, registers, text, length, sink));
}

/* Reads the input and writes what `add` makes of it. */
static int translate(const struct options *o, reader *read, adder *add)
{
    struct buffer b = {0};
    if (read_words(&b, o, read, add))
        return finish(o, &b);
    buffer_free(&b);
    return STATUS_INPUT;
}

static void add_text(struct buffer *b, const struct hwemit_words *words, const struct options *o)
{
    add_lines(b, words->word, words->n, o);
}

int cmd_disasm(const struct options *o) { return translate(o, hwemit_read_hex, add_text); }

static bool read_combiners(struct hwemit_words *out, const struct hwemit_registers *registers,
                           const char *text, size_t length, const struct texenv_sink *sink)
{
    return registers->read(out, text, length, sink);
}

static void add_formatted(struct buffer *b, const struct hwemit_words *words, const struct options *o)
{
    add_words(b, words->word, words->n, o);
}

int convert_combiners(const struct options *o)
{
    const struct hwemit_registers *registers = o->to == FORM_CHIP ? hwemit_find_registers(o->chip) : NULL;
    if (!registers)
        die_usage("a program of register combiners can only become a chip's words: --to nv2a");
    if (!registers->read) {
        fprintf(stderr, "texenvc: error: %s has no register combiners; nv2a has\n", o->chip->name);
        return STATUS_REFUSED;
    }
    return translate(o, read_combiners, add_formatted);
}

static void add_hexadecimal(struct buffer *b, const struct hwemit_words *words, const struct options *o)
{
    uint32_t n = words->n;
    const struct hwemit_word *word = words_or_packets(o, words->word, &n);
    for (uint32_t i = 0; i < n; i++)
        add_hex(b, &word[i]);
}

int cmd_asm(const struct options *o) { return translate(o, read_text, add_hexadecimal); }
