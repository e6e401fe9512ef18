/* Reads words: the lines of hwemit_print_word and hwemit_print_assembly, and plain hexadecimal. */
#include "hwemit/assembly.h"
#include "hwemit/words.h"

#include <string.h>

struct reading {
    struct hwemit_words *out;
    const struct hwemit_registers *registers;
    const struct texenv_sink *sink;
    const char *start, *p, *end; /* the current line; end: its newline or comment */
    uint32_t line;
    unsigned errors;
    unsigned napart, apart; /* how many instructions whose words stand apart were read last; words of each */
};

/* MAX_ERRORS: further errors are not shown; ALL_ERRORS: there is no use in looking for more. */
enum { MAX_ERRORS = 20, ALL_ERRORS };

struct token {
    const char *s;
    size_t length;
};

static struct texenv_place place_of(const struct reading *in, const char *at)
{
    return (struct texenv_place){.line = in->line, .column = (uint32_t)(at - in->start) + 1};
}

static bool count_error(struct reading *in)
{
    in->errors++;
    return false;
}
#define COMPLAIN(in, at, code, ...) \
    (texenv_emit((in)->sink, TEXENV_ERROR, -1, place_of(in, at), code, __VA_ARGS__), count_error(in))

static void skip_blanks(struct reading *in) { in->p = hwemit_skip_blanks(in->p, in->end); }

/* Reads a run of letters, digits and underscores, which may be empty. */
static struct token name(struct reading *in)
{
    struct token t = {in->p, 0};
    while (in->p < in->end && hwemit_is_name(*in->p))
        in->p++;
    t.length = (size_t)(in->p - t.s);
    return t;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0'
        : c >= 'a' && c <= 'f'  ? c - 'a' + 10
        : c >= 'A' && c <= 'F'  ? c - 'A' + 10
                                : 16;
}

bool hwemit_read_number(const char *s, size_t n, bool hex, uint32_t *value)
{
    uint64_t v = 0;
    unsigned base = hex ? 16 : 10;
    if (n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
        n -= 2;
    }
    if (!n)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned d = (unsigned)digit_of(s[i]);
        if (d >= base || (v = v * base + d) > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)v;
    return true;
}

static bool number(struct token t, bool hex, uint32_t *value)
{
    return hwemit_read_number(t.s, t.length, hex, value);
}

static bool equal(struct token t, const char *s)
{
    return strlen(s) == t.length && memcmp(s, t.s, t.length) == 0;
}

/* ---- registers and fields by name ---- */

/* Matches a token with the name of a row, with a number in place of '#'. */
static bool match(const struct hwemit_register *r, struct token t, unsigned *n)
{
    const char *mark = strchr(r->name, '#');
    *n = 0;
    if (!mark)
        return equal(t, r->name);
    size_t before = (size_t)(mark - r->name), after = strlen(mark + 1);
    if (t.length <= before + after || memcmp(t.s, r->name, before) != 0 ||
        memcmp(t.s + t.length - after, mark + 1, after) != 0)
        return false;
    struct token digits = {t.s + before, t.length - before - after};
    uint32_t value;
    if ((digits.length > 1 && digits.s[0] == '0') || !number(digits, false, &value) || value >= r->count)
        return false;
    *n = value;
    return true;
}

static const struct hwemit_register *find_register(const struct hwemit_registers *registers, struct token t,
                                                   unsigned *n)
{
    for (const struct hwemit_register *r = registers->row; r->name; r++)
        if (match(r, t, n))
            return r;
    return NULL;
}

static bool field_value(struct reading *in, const struct hwemit_field *field, struct token t, uint32_t *value)
{
    uint32_t limit = hwemit_field_mask(field) >> field->low;
    if (field->names)
        for (uint32_t v = 0; v <= limit; v++)
            if (field->names[v] && equal(t, field->names[v])) {
                *value = v;
                return true;
            }
    if (!number(t, false, value))
        return COMPLAIN(in, t.s, "value", "'%.*s' is no value of %s", (int)t.length, t.s, field->name);
    if (*value > limit)
        return COMPLAIN(in, t.s, "value", "%s has %u bits: %u at most", field->name, (unsigned)field->width,
                        (unsigned)limit);
    return true;
}

/* Reads NAME=VALUE, or for a field of one bit NAME alone. */
static bool read_field(struct reading *in, const struct hwemit_register *r, uint32_t *seen, uint32_t *value)
{
    struct token t = name(in);
    if (!t.length)
        return COMPLAIN(in, in->p, "syntax", "a field of %s is expected, NAME=VALUE", r->name);
    for (unsigned f = 0; f < r->nfields; f++) {
        const struct hwemit_field *field = &r->field[f];
        uint32_t v = 1, mask = hwemit_field_mask(field);
        if (!equal(t, field->name))
            continue;
        if (*seen & mask)
            return COMPLAIN(in, t.s, "twice", "%s is given twice", field->name);
        *seen |= mask;
        if (in->p < in->end && *in->p == '=') {
            in->p++;
            struct token text = name(in);
            if (!text.length)
                return COMPLAIN(in, in->p, "syntax", "a value of %s is expected", field->name);
            if (!field_value(in, field, text, &v))
                return false;
        } else if (field->width != 1) {
            return COMPLAIN(in, in->p, "syntax", "'=' and a value of %s are expected", field->name);
        }
        *value |= v << field->low;
        return true;
    }
    return COMPLAIN(in, t.s, "field", "%s has no field '%.*s'", r->name, (int)t.length, t.s);
}

/* ---- lines ---- */

static bool add(struct reading *in, uint32_t address, uint32_t value)
{
    struct hwemit_words *out = in->out;
    if (out->n == out->max) {
        COMPLAIN(in, in->start, "length", "more than %u words", (unsigned)out->max);
        in->errors = ALL_ERRORS;
        return false;
    }
    if (out->line)
        out->line[out->n] = in->line;
    out->word[out->n++] = (struct hwemit_word){address, value};
    return true;
}

/* Moves the last word forward to place `to`. */
static void move_last(struct hwemit_words *out, uint32_t to)
{
    for (uint32_t i = out->n - 1; i > to; i--) {
        const struct hwemit_word word = out->word[i];
        const uint32_t line = out->line ? out->line[i] : 0;
        out->word[i] = out->word[i - 1];
        out->word[i - 1] = word;
        if (out->line)
            out->line[i] = out->line[i - 1], out->line[i - 1] = line;
    }
}

/* Reads a line of assembly. */
static bool instruction(struct reading *in, const char *line)
{
    struct assembly_error error;
    struct hwemit_word word[ASSEMBLY_WORDS];
    bool apart = false;
    const uint32_t n = hwemit_read_assembly(in->registers, line, in->end, word, &apart, &error);
    if (!apart || n != in->apart || in->napart == ASSEMBLY_APART)
        in->napart = 0;
    const uint32_t first = in->out->n - in->napart * n;
    for (uint32_t i = 0; i < n; i++) {
        if (!add(in, word[i].address, word[i].value))
            return false;
        if (in->napart) /* stands behind the same words of the instructions before */
            move_last(in->out, first + i * (in->napart + 1) + in->napart);
    }
    in->napart += apart;
    in->apart = n;
    return n || COMPLAIN(in, error.at, "instruction", "%s", error.text);
}

static bool asm_line(struct reading *in)
{
    struct token t = name(in);
    unsigned n;
    const struct hwemit_register *r = find_register(in->registers, t, &n);
    if (!r && in->registers->assembly)
        return instruction(in, t.s);
    if (!t.length)
        return COMPLAIN(in, in->p, "syntax", "the name of a register is expected");
    if (!r)
        return COMPLAIN(in, t.s, "register", "%s has no register '%.*s'", in->registers->target->name,
                        (int)t.length, t.s);
    uint32_t seen = 0, value = r->fixed;
    in->napart = 0;
    for (skip_blanks(in); in->p < in->end; skip_blanks(in))
        if (!read_field(in, r, &seen, &value))
            return false;
    return add(in, r->address == HWEMIT_STREAM ? HWEMIT_STREAM : r->address + n * r->stride, value);
}

static bool hex_line(struct reading *in)
{
    uint32_t v[2];
    unsigned n = 0;
    for (; in->p < in->end; skip_blanks(in)) {
        struct token t = name(in);
        if (n == 2 || !number(t, true, &v[n]))
            return COMPLAIN(in, t.s, "syntax",
                            n == 2 ? "more than ADDRESS VALUE on a line"
                                   : "a hexadecimal number of 32 bits is expected");
        n++;
    }
    return n == 2 ? add(in, v[0], v[1]) : add(in, HWEMIT_STREAM, v[0]);
}

/* Decodes the type-0 packet at the beginning of a stream of n words into *word. Returns its length in words,
 * or 0 after an error message. */
static uint32_t type_0(struct reading *in, const struct hwemit_word *stream, uint32_t n,
                       struct hwemit_word *word, uint32_t *nwords)
{
    const uint32_t header = stream[0].value, count = (header >> 16) + 1, follow = n - 1;
    if (header >> 30)
        return COMPLAIN(in, in->start, "packet", "this is no type-0 packet");
    if (header & 0x6000)
        return COMPLAIN(in, in->start, "packet", "reserved bits are set in a packet's header");
    if (follow < count)
        return COMPLAIN(in, in->start, "packet", "the packet says %u values, %u follow", (unsigned)count,
                        (unsigned)follow);
    for (uint32_t j = 0; j < count; j++)
        word[j] = (struct hwemit_word){(header & 0x1fff) * 4 + (header & 0x8000 ? 0 : 4 * j),
                                       stream[1 + j].value};
    *nwords = count;
    return 1 + count;
}

/* As type_0, for packets that the target defines. */
static uint32_t own_packet(struct reading *in, const struct hwemit_word *stream, uint32_t n,
                           struct hwemit_word *word, uint32_t *nwords)
{
    const uint32_t length = in->registers->unpack(stream, n, word, nwords);
    return length
        ? length
        : COMPLAIN(in, in->start, "packet", "this is no packet that writes registers of %s, or cut off",
                   in->registers->target->name);
}

/* Replaces packets by their register writes, in place: a packet has fewer register writes than words. */
static bool unpack(struct reading *in)
{
    struct hwemit_words *out = in->out;
    uint32_t n = out->n, k = 0, end = 0; /* end: of the stream that word i is in */
    for (uint32_t i = 0, length, made; i < n; i += length, k += made) {
        const uint32_t line = in->line = out->line ? out->line[i] : 0;
        length = made = 1;
        for (end = end > i ? end : i; end < n && out->word[end].address == HWEMIT_STREAM; end++)
            ;
        if (end == i)
            out->word[k] = out->word[i];
        else
            length = (in->registers->unpack ? own_packet : type_0)(in, &out->word[i], end - i, &out->word[k],
                                                                   &made);
        if (!length)
            return false;
        for (uint32_t j = 0; out->line && j < made; j++)
            out->line[k + j] = in->registers->unpack || length == 1 ? line : out->line[i + 1 + j];
    }
    out->n = k;
    return true;
}

static void check_words(struct reading *in)
{
    struct hwemit_words *out = in->out;
    in->p = in->start;
    for (uint32_t i = 0; i < out->n && in->errors < MAX_ERRORS; i++) {
        uint32_t bits;
        const char *wrong = hwemit_check_word(in->registers, out->word, i, out->n, &bits);
        if (!wrong)
            continue;
        in->line = out->line ? out->line[i] : 0;
        if (bits)
            COMPLAIN(in, in->start, "word", "word %u (0x%x): %s: 0x%x", (unsigned)i,
                     (unsigned)out->word[i].value, wrong, (unsigned)bits);
        else if (out->word[i].address != HWEMIT_STREAM)
            COMPLAIN(in, in->start, "word", "word %u (0x%x at 0x%x): %s", (unsigned)i,
                     (unsigned)out->word[i].value, (unsigned)out->word[i].address, wrong);
        else
            COMPLAIN(in, in->start, "word", "word %u (0x%x): %s", (unsigned)i, (unsigned)out->word[i].value,
                     wrong);
    }
}

/* Returns the end of the current line without its comment. */
static const char *end_of(const struct reading *in, const char *newline)
{
    const struct hwemit_assembly *table = in->registers->assembly;
    const char *c = in->start;
    while ((c = memchr(c, '#', (size_t)(newline - c))) && table && table->hash && c + 1 < newline &&
           (c[1] == '-' || digit_of(c[1]) < 10))
        c++;
    return c ? c : newline;
}

static bool read_lines(struct hwemit_words *out, const struct hwemit_registers *registers, const char *text,
                       size_t length, const struct texenv_sink *sink, bool (*line)(struct reading *in))
{
    text = length ? text : ""; /* NULL + 0 is undefined */
    struct reading in = {.out = out, .registers = registers, .sink = sink, .start = text, .line = 1};
    const char *end = text + length;
    out->n = 0;
    while (in.start < end && in.errors < MAX_ERRORS && out->n <= out->max) {
        const char *newline = memchr(in.start, '\n', (size_t)(end - in.start));
        in.end = end_of(&in, newline ? newline : end);
        in.p = in.start;
        skip_blanks(&in);
        if (in.p < in.end)
            line(&in);
        if (!newline)
            break;
        in.start = newline + 1;
        in.line++;
    }
    in.start = in.p = in.end = text; /* from here on errors have only a line number */
    if (!in.errors && line == hex_line && registers->row->address != HWEMIT_STREAM)
        unpack(&in);
    if (!in.errors)
        check_words(&in);
    if (!in.errors && !out->n)
        COMPLAIN(&in, in.start, "empty", "no words here");
    if (in.errors == MAX_ERRORS)
        texenv_emit(sink, TEXENV_NOTE, -1, place_of(&in, in.p), "errors", "more errors are not shown");
    return !in.errors;
}

bool hwemit_read_asm(struct hwemit_words *out, const struct hwemit_registers *registers, const char *text,
                     size_t length, const struct texenv_sink *sink)
{
    return read_lines(out, registers, text, length, sink, asm_line);
}

bool hwemit_read_hex(struct hwemit_words *out, const struct hwemit_registers *registers, const char *text,
                     size_t length, const struct texenv_sink *sink)
{
    return read_lines(out, registers, text, length, sink, hex_line);
}
