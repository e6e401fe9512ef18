/* Prints and reads instructions as assembly, by the templates of a chip (assembly.h). */
#include "hwemit/assembly.h"
#include "hwemit/targets.h"
#include "hwemit/words.h"

#include <float.h>
#include <string.h>

enum { LINE = 256, NAME = 24, HEX = 22 }; /* HEX: the text of a word and a blank */
_Static_assert(ASSEMBLY_APART *(LINE + 4 + ASSEMBLY_WORDS * HEX) < HWEMIT_LINES_SIZE, "64 lines");

static size_t name_length(const struct assembly *a, const char *at)
{
    size_t n = 0;
    while (at + n < a->end && (hwemit_is_name(at[n]) || at[n] == '.'))
        n++;
    return n;
}

bool hwemit_assembly_fail(struct assembly *a, const char *at, const char *format, ...)
{
    if (!a->error->at || at >= a->error->at) {
        struct texenv_text text;
        va_list args;
        texenv_text_init(&text, a->error->text, sizeof a->error->text);
        va_start(args, format);
        texenv_vprintf(&text, format, args);
        va_end(args);
        a->error->at = at;
    }
    return false;
}

/* ---- fields ---- */

static unsigned words_of(const struct assembly *a)
{
    return a->table->layout ? a->table->layout[a->row->first].words : a->table->words;
}

/* Returns the register of word w of the line. */
static const struct hwemit_register *register_of(const struct assembly *a, unsigned w)
{
    const struct assembly_layout *layout = a->table->layout;
    return &a->registers->row[layout ? layout[a->row->first].row[w] : a->row->first + w];
}

/* Bits of a word: those of a field, of one part of a derived field, or those that "[low-high]" selects. */
struct bits {
    const struct hwemit_field *field; /* NULL: there is no such field */
    unsigned word, low, width;
};

static struct bits bits_of(const struct hwemit_field *f, unsigned word)
{
    return (struct bits){f, word, f->low % 32, f->width};
}

/* Finds a field, or the first part of a derived field, by its name of n characters. */
static struct bits find_name(const struct assembly *a, const char *name, size_t n)
{
    const bool numbered = n > 1 && name[1] == '.';
    const unsigned first = numbered ? (unsigned)(*name - '0') : a->cursor,
                   end = numbered ? first + 1 : words_of(a);
    name += numbered ? 2 : 0;
    n -= numbered ? 2 : 0;
    for (unsigned word = first; word < end; word++) {
        const struct hwemit_register *r = register_of(a, word);
        for (const struct hwemit_field *f = r->field; f < r->field + r->nfields; f++)
            if (*f->name == *name && strncmp(f->name, name, n) == 0 && !f->name[n])
                return bits_of(f, word);
    }
    for (const struct hwemit_field *f = a->table->derived; f && f->name; f++)
        if (*f->name == *name && strncmp(f->name, name, n) == 0 && !f->name[n])
            return bits_of(f, f->low / 32);
    return (struct bits){NULL, 0, 0, 0};
}

/* Reads a number behind the character at *s. */
static unsigned number_behind(const char **s)
{
    unsigned n = 0;
    for (++*s; **s >= '0' && **s <= '9'; ++*s)
        n = 10 * n + (unsigned)(**s - '0');
    return n;
}

static struct bits find(const struct assembly *a, const char *name)
{
    const char *s = name + strcspn(name, "[");
    struct bits b = find_name(a, name, (size_t)(s - name));
    for (; *s == '['; s++) {
        const unsigned low = number_behind(&s), high = *s == '-' ? number_behind(&s) : low;
        b.low += low;
        b.width = high - low + 1;
    }
    return b;
}

static bool is_whole(struct bits b) { return b.width == b.field->width; }

/* Returns the next part of a derived field. An array of fields ends with name NULL. */
static struct bits part_after(struct bits b)
{
    const struct hwemit_field *next = b.field + 1;
    if (!is_whole(b) || !next->name || strcmp(next->name, b.field->name) != 0)
        return (struct bits){NULL, 0, 0, 0};
    return bits_of(next, next->low / 32);
}

static unsigned width_of(struct bits b)
{
    unsigned width = 0;
    for (; b.field; b = part_after(b))
        width += b.width;
    return width;
}

static uint32_t limit_of(unsigned width) { return UINT32_MAX >> (32 - width); }

uint32_t hwemit_assembly_get(const struct assembly *a, const char *field)
{
    uint32_t value = 0;
    unsigned at = 0;
    for (struct bits b = find(a, field); b.field; at += b.width, b = part_after(b))
        value |= (a->word[b.word] >> b.low & limit_of(b.width)) << at;
    return value;
}

bool hwemit_assembly_set(struct assembly *a, const char *field, uint32_t value)
{
    struct bits b = find(a, field);
    if (!b.field)
        return false;
    const uint32_t limit = limit_of(width_of(b));
    if (value > limit)
        return hwemit_assembly_fail(a, a->p, "at most %u is possible here", (unsigned)limit);
    for (unsigned at = 0; b.field; at += b.width, b = part_after(b)) {
        const uint32_t part = limit_of(b.width), mask = part << b.low, bits = (value >> at & part) << b.low;
        if (a->reading && (a->word[b.word] ^ bits) & a->known[b.word] & mask)
            return hwemit_assembly_fail(a, a->p, "this does not go with what stands before it");
        a->word[b.word] = (a->word[b.word] & ~mask) | bits;
        a->known[b.word] |= mask;
    }
    return true;
}

/* ---- pieces of text ---- */

static bool text_of(struct assembly *a, const char *s, size_t n)
{
    if (!a->reading) {
        texenv_text_add(&a->text, s, n);
        return true;
    }
    size_t same = 0;
    while (same < n && a->p + same < a->end && a->p[same] == s[same])
        same++;
    if (same < n) {
        unsigned wanted = 1, given = 1;
        for (const char *c = a->row->form; *c; c++)
            wanted += *c == ',';
        for (const char *c = a->start; c < a->end; c++)
            given += *c == ',';
        if (a->p == a->start)
            return hwemit_assembly_fail(a, a->p, "%s has no register or operation '%.*s'",
                                        a->registers->target->name, (int)name_length(a, a->p), a->p);
        if (s[same] == ',' && wanted > given && a->error->at != a->p + same)
            return hwemit_assembly_fail(a, a->p + same, "it takes %u operands, %u given", wanted, given);
        if (!a->error->at ||
            a->p > a->error->at) /* keeps the message of the template that matched furthest */
            hwemit_assembly_fail(a, a->p, "'%.*s' is expected", (int)n, s);
        return false;
    }
    a->p += n;
    return true;
}

bool hwemit_assembly_text(struct assembly *a, const char *s) { return text_of(a, s, strlen(s)); }

/* Blanks may stand before a piece, except within a word. */
static bool blanks(struct assembly *a, bool must)
{
    const char *before = a->p;
    if (!a->reading)
        return !must || text_of(a, " ", 1);
    if (must || a->p == a->start || a->p[-1] == ')' || a->p[-1] == ',')
        a->p = hwemit_skip_blanks(a->p, a->end);
    if (must && a->p == before && a->p > a->start && hwemit_is_name(a->p[-1]))
        return a->p == a->end ? hwemit_assembly_fail(a, a->p, "operands are expected")
                              : hwemit_assembly_fail(a, a->p, "a blank is expected");
    return true;
}

bool hwemit_assembly_integer(struct assembly *a, uint32_t *value, unsigned width, bool has_sign)
{
    const uint32_t mask = UINT32_MAX >> (32 - width);
    const int64_t low = has_sign ? -(int64_t)(mask / 2) - 1 : 0, high = low + mask;
    const int64_t v = *value & mask;
    if (!a->reading) {
        texenv_printf(&a->text, "%lld", (long long)(v > high ? v - mask - 1 : v));
        return true;
    }
    const bool minus = a->p < a->end && *a->p == '-';
    const char *s = a->p + minus, *p = s;
    uint32_t n;
    while (p < a->end && hwemit_is_name(*p))
        p++;
    if (!hwemit_read_number(s, (size_t)(p - s), false, &n))
        return hwemit_assembly_fail(a, a->p, "a number is expected");
    if ((minus ? -(int64_t)n : n) < low || (minus ? -(int64_t)n : n) > high)
        return hwemit_assembly_fail(a, a->p, "%lld to %lld are possible here", (long long)low,
                                    (long long)high);
    *value = (minus ? 0 - n : n) & mask;
    a->p = p;
    return true;
}

static void print_real(struct texenv_text *to, uint32_t bits)
{
    char data[40];
    struct texenv_text text;
    float x;
    memcpy(&x, &bits, sizeof x);
    texenv_text_init(&text, data, sizeof data);
    texenv_printf(&text, "%s%f", bits << 1 > 0xFF000000u && bits >> 31 ? "-" : "", (double)x);
    const char *point = strchr(data, '.');
    texenv_text_add(to, data, text.length);
    if (!strpbrk(data, "eni")) { /* at least six digits behind the point, as by printf */
        const size_t have = point ? strlen(point + 1) : 0;
        texenv_text_add(to, ".000000", point ? 0 : 1);
        texenv_text_add(to, "000000", have < 6 ? 6 - have : 0);
    }
}

/* Prints or reads {NAME|xyzw}. */
static bool letters(struct assembly *a, const char *field)
{
    static const char letter[] = "xyzw";
    uint32_t v = a->reading ? 0 : hwemit_assembly_get(a, field);
    for (unsigned c = 0; c < width_of(find(a, field)); c += 2) {
        const char *is = a->reading && a->p < a->end && *a->p ? strchr(letter, *a->p) : NULL;
        if (!a->reading) {
            texenv_printf(&a->text, "%c", letter[v >> c & 3]);
            continue;
        }
        if (!is)
            return hwemit_assembly_fail(a, a->p, "a component (x, y, z or w) is expected");
        v |= (uint32_t)(is - letter) << c;
        a->p++;
    }
    return hwemit_assembly_set(a, field, v);
}

/* Converts between singles and halves: the bits of a half, shifted, are a single whose exponent is 112 too
 * low. */
static uint32_t to_half(uint32_t bits)
{
    const uint32_t sign = bits >> 16 & 0x8000;
    float x;
    bits &= 0x7FFFFFFF;
    if (bits > 0x7F800000)
        return sign | 0x7E00;
    memcpy(&x, &bits, sizeof x);
    if (x >= 65520)
        return sign | 0x7C00;
    x *= 0x1p-112f;
    memcpy(&bits, &x, sizeof bits);
    return sign | (bits + 0xFFF + (bits >> 13 & 1)) >> 13;
}

static uint32_t from_half(uint32_t half)
{
    uint32_t bits = (half & 0x7FFF) << 13;
    float x;
    if (bits >= 0x7C00 << 13)
        return (half >> 15) << 31 | 0x7F800000 | (bits & 0x7FFFFF);
    memcpy(&x, &bits, sizeof x);
    x *= 0x1p112f;
    memcpy(&bits, &x, sizeof bits);
    return (half >> 15) << 31 | bits;
}

bool hwemit_assembly_real(struct assembly *a, uint32_t *value, unsigned width)
{
    uint32_t bits = width == 16 ? from_half(*value & 0xFFFF) : *value << (32 - width);
    const bool minus = a->p < a->end && *a->p == '-';
    const char *at = a->p, *p = at + minus;
    const size_t left = (size_t)(a->end - p);
    float x;
    if (!a->reading) {
        print_real(&a->text, bits);
        return true;
    }
    size_t n = texenv_scan_float(&x, p, left);
    if (x > FLT_MAX)
        return hwemit_assembly_fail(a, at, "the number is out of range");
    memcpy(&bits, &x, sizeof bits);
    if (!n && left >= 3 && (memcmp(p, "inf", 3) == 0 || memcmp(p, "nan", 3) == 0)) {
        bits = *p == 'i' ? 0x7F800000 : 0x7FC00000;
        n = 3;
    }
    if (!n)
        return hwemit_assembly_fail(a, at, "a number is expected");
    bits |= (uint32_t)minus << 31;
    a->p = p + n;
    *value = width == 16 ? to_half(bits) : bits >> (32 - width);
    return width != 20 || !(bits & 0xFFF) || hwemit_assembly_fail(a, at, "this number does not fit 20 bits");
}

/* ---- templates ---- */

static bool run(struct assembly *a, const char *form);

static char in_text(const struct assembly *a, char c)
{
    return c == '_'                                   ? a->table->stroke
        : c >= 'A' && c <= 'Z' && !a->table->capitals ? (char)(c - 'A' + 'a')
                                                      : c;
}

/* Returns the length of the name if the line continues with it, else 0. */
static size_t match(const struct assembly *a, const char *name)
{
    size_t n = 0;
    while (name[n] && a->p + n < a->end && a->p[n] == in_text(a, name[n]))
        n++;
    return name[n] ? 0 : n;
}

/* Returns the name of value v; NULL if it has none, or if the row does not have this code. */
static const char *name_of(const struct assembly *a, const struct hwemit_field *f, uint32_t v, bool code)
{
    return !code || a->row->codes[v / 64] >> v % 64 & 1 ? f->names[v] : NULL;
}

/* Prints or reads {NAME}, or {NAME*} if `code` is true. */
static bool value(struct assembly *a, const char *field, bool code)
{
    const struct bits b = find(a, field);
    const struct hwemit_field *f = b.field;
    uint32_t v = hwemit_assembly_get(a, field), best = 0;
    size_t length = 0;
    if (!f || !f->names || !is_whole(b))
        return f && hwemit_assembly_integer(a, &v, width_of(b), false) && hwemit_assembly_set(a, field, v);
    if (!a->reading) {
        const char *s = name_of(a, f, v, code);
        for (const char *c = s; c && *c; c++)
            texenv_printf(&a->text, "%c", in_text(a, *c));
        return s;
    }
    for (v = 0; v <= limit_of(width_of(b)); v++) {
        const char *s = name_of(a, f, v, code);
        if (s && match(a, s) > length)
            length = match(a, s), best = v;
    }
    const bool whole = !code || a->p + length == a->end || !hwemit_is_name(a->p[length]);
    if (!length || !whole)
        return hwemit_assembly_fail(a, a->p,
                                    code ? "%s has no register or operation '%.*s'" : "%s has no '%.*s' here",
                                    a->registers->target->name, (int)name_length(a, a->p), a->p);
    a->p += length;
    return hwemit_assembly_set(a, field, best);
}

/* Prints or reads {NAME:text}. */
static bool flag(struct assembly *a, const char *name, const char *s, size_t n)
{
    const char *mark = memchr(s, '#', n), *before = a->p;
    const size_t first = mark ? (size_t)(mark - s) : n;
    uint32_t v = a->reading ? 1 : hwemit_assembly_get(a, name);
    struct assembly_error ignored = {.at = a->end}, *error = a->error;
    if (!v)
        return true;
    a->error = &ignored;
    bool is = text_of(a, s, first) &&
        (!mark || (hwemit_assembly_integer(a, &v, 31, false) && v && text_of(a, mark + 1, n - first - 1)));
    a->error = error;
    if (*s == '.' && a->reading && a->p < a->end &&
        hwemit_is_name(*a->p)) /* the line has a longer suffix that begins with this text */
        is = false;
    if (!is)
        a->p = before, v = 0;
    return hwemit_assembly_set(a, name, v);
}

static bool kind_of(struct assembly *a, const char *name, const char *s, size_t n)
{
    const struct assembly_kind *k = a->table->kind;
    uint32_t v = hwemit_assembly_get(a, name), width;
    if (hwemit_read_number(s + 1, n - 1, false, &width)) {
        if (*s == 'x' && !a->reading)
            texenv_printf(&a->text, "0x%x", (unsigned)v);
        else if (!(*s == 'f' ? hwemit_assembly_real(a, &v, width)
                             : hwemit_assembly_integer(a, &v, width, *s == 's')))
            return false;
        return hwemit_assembly_set(a, name, v);
    }
    if (n == 4 && memcmp(s, "xyzw", n) == 0)
        return letters(a, name);
    while (k->name && (strlen(k->name) != n || memcmp(k->name, s, n) != 0))
        k++;
    if (!k->name || k->both)
        return k->name && k->both(a, name);
    for (const char *const *form = k->form; *form; form++) {
        const struct assembly before = *a;
        a->operand = name;
        if (run(a, *form)) {
            a->operand = before.operand;
            return true;
        }
        *a = before;
    }
    return false;
}

/* Prints or reads the placeholder whose n bytes between braces are at s. */
static bool placeholder(struct assembly *a, const char *s, size_t n)
{
    char name[NAME] = "";
    size_t k = 0, length = 0;
    for (; k < n && (hwemit_is_name(s[k]) || strchr(".@[-]", s[k])) && length < NAME - 1; k++)
        if (s[k] != '@')
            name[length++] = s[k];
        else
            for (const char *c = a->operand; *c && length < NAME - 1; c++)
                name[length++] = *c;
    const char sign = k < n ? s[k++] : '\0';
    uint32_t number = 0;
    switch (sign) {
    case '=':
    case '~':
        hwemit_read_number(s + k, n - k, false, &number);
        if (a->reading)
            return sign == '~' || hwemit_assembly_set(a, name, number);
        return (hwemit_assembly_get(a, name) == number) == (sign == '=');
    case '!': {
        const char *next = hwemit_skip_blanks(a->p, a->end);
        return !a->reading || next == a->end || *next != s[k];
    }
    case '>': return ++a->cursor < words_of(a);
    case ':': return flag(a, name, s + k, n - k);
    case '|': return kind_of(a, name, s + k, n - k);
    default: return value(a, name, sign == '*');
    }
}

static bool run(struct assembly *a, const char *form)
{
    while (*form) {
        size_t n = *form == '{' ? strcspn(form, "}") : strcspn(form, "{ ");
        if (!blanks(a, *form == ' '))
            return false;
        if (*form == ' ')
            n = 1;
        else if (!(*form == '{' ? placeholder(a, form + 1, n - 1) : text_of(a, form, n)))
            return false;
        form += n + (*form == '{');
    }
    return true;
}

/* ---- instructions ---- */

static void derive(struct assembly *a)
{
    if (a->table->derive)
        a->table->derive(a);
}

/* Reads a line by the template of one row. */
static bool read_row(struct assembly *a)
{
    struct assembly printed;
    for (unsigned w = 0; w < words_of(a); w++)
        a->word[w] = register_of(a, w)->fixed;
    if (!run(a, a->row->form))
        return false;
    a->p = hwemit_skip_blanks(a->p, a->end);
    if (a->p < a->end)
        return hwemit_assembly_fail(a, a->p, "the instruction should end here");
    derive(a);
    printed = *a;
    printed.reading = false;
    derive(&printed);
    for (unsigned w = words_of(a); w < ASSEMBLY_WORDS; w++)
        if ((a->word[w] ^ printed.word[w]) & a->known[w])
            return hwemit_assembly_fail(a, a->end,
                                        "flags, types and operands of the instruction do not go "
                                        "together");
    return true;
}

/* Returns the address of word w of the line for registers of number n. */
static uint32_t address_of(const struct assembly *a, unsigned w, uint32_t n)
{
    const struct hwemit_register *r = register_of(a, w);
    return r->address + n * r->stride;
}

uint32_t hwemit_read_assembly(const struct hwemit_registers *registers, const char *line, const char *end,
                              struct hwemit_word word[ASSEMBLY_WORDS], bool *apart,
                              struct assembly_error *error)
{
    *error = (struct assembly_error){NULL, ""};
    for (const struct hwemit_assembly *table = registers->assembly; table; table = table->next)
        for (const struct assembly_row *row = table->row; row->form; row++) {
            struct assembly a = {.registers = registers,
                                 .table = table,
                                 .row = row,
                                 .reading = true,
                                 .operand = "",
                                 .start = line,
                                 .p = line,
                                 .end = end,
                                 .error = error};
            if (!read_row(&a))
                continue;
            for (unsigned w = 0; w < words_of(&a); w++)
                word[w] = (struct hwemit_word){address_of(&a, w, hwemit_assembly_get(&a, "N")), a.word[w]};
            *apart = table->apart && words_of(&a) > 1;
            return words_of(&a);
        }
    return 0;
}

/* Returns whether the register is `row` or a further one like it (ALSO in register_schema.def): its name has
 * a number where that of the row has "#". */
static bool is_one_of(const struct hwemit_register *r, const struct hwemit_register *row)
{
    const char *name = r->name, *pattern = row->name;
    while (*name && (*name == *pattern || *pattern == '#')) {
        name++;
        pattern++;
    }
    return *name == *pattern;
}

/* Copies the words of one instruction, which are word i of n and every step-th word behind it, to a->word.
 * Returns false if they do not match the row. */
static bool take(struct assembly *a, const struct hwemit_word *word, uint32_t i, uint32_t step, uint32_t n)
{
    const struct hwemit_register *first = register_of(a, 0);
    uint32_t number = first->stride ? (word[i].address - first->address) / first->stride : 0;
    for (unsigned w = 0; w < words_of(a); w++) {
        const uint32_t at = i + w * step;
        const struct hwemit_register *r = at < n ? hwemit_classify(a->registers, word, at, n, NULL) : NULL;
        if (!r || !is_one_of(r, register_of(a, w)) || word[at].address != address_of(a, w, number))
            return false;
        a->word[w] = word[at].value;
    }
    return !number || hwemit_assembly_set(a, "N", number);
}

/* Prints the words that `take` takes by the template of one row. Returns the number of words, or 0 if the
 * template cannot express them. */
static uint32_t print_row(struct texenv_text *text, struct assembly *a, const struct hwemit_word *word,
                          uint32_t i, uint32_t step, uint32_t n)
{
    char line[LINE];
    struct hwemit_word again[ASSEMBLY_WORDS];
    texenv_text_init(&a->text, line, sizeof line);
    if (!take(a, word, i, step, n))
        return 0;
    derive(a);
    if (!run(a, a->row->form) || a->text.length >= sizeof line)
        return 0;
    bool apart;
    const uint32_t count = hwemit_read_assembly(a->registers, line, line + a->text.length, again, &apart,
                                                a->error);
    bool same = count == words_of(a);
    for (unsigned w = 0; same && w < count; w++)
        same = again[w].address == word[i + w * step].address && again[w].value == word[i + w * step].value;
    if (!same)
        return 0;
    texenv_text_add(text, line, a->text.length);
    for (unsigned w = 0; w < count; w++) {
        texenv_printf(text, w ? " " : " # ");
        hwemit_print_hex(text, &word[i + w * step]);
    }
    return count;
}

/* Prints the instructions whose first words stand side by side from word i on, while their other words follow
 * behind (hwemit_assembly.apart), a line each. Returns the number of words of all. */
static uint32_t print_apart(struct texenv_text *text, struct assembly *a, const struct hwemit_word *word,
                            uint32_t i, uint32_t n)
{
    const uint32_t words = words_of(a);
    const size_t length = text->length;
    uint32_t count = 1;
    while (count < ASSEMBLY_APART && i + count < n &&
           word[i + count].address == word[i].address + count * register_of(a, 0)->stride)
        count++;
    /* a further instruction right behind these would be read as one of them, in another order of words */
    const uint32_t next = i + words * count;
    const struct hwemit_register *r = next < n ? hwemit_classify(a->registers, word, next, n, NULL) : NULL;
    if (next > n || (count < ASSEMBLY_APART && r && is_one_of(r, register_of(a, 0))))
        return 0;
    for (uint32_t k = 0; k < count; k++) {
        struct assembly each = *a;
        texenv_text_add(text, "\n", k > 0);
        if (!print_row(text, &each, word, i + k, count, n)) {
            text->length = length;
            return 0;
        }
    }
    return words * count;
}

uint32_t hwemit_print_assembly(struct texenv_text *text, const struct hwemit_registers *registers,
                               const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    const struct hwemit_register *first = hwemit_classify(registers, word, i, n, NULL);
    uint32_t count = 0;
    for (const struct hwemit_assembly *table = registers->assembly; first && table; table = table->next)
        for (const struct assembly_row *row = table->row; !count && row->form; row++) {
            struct assembly_error error = {NULL, ""};
            struct assembly a = {
                .registers = registers, .table = table, .row = row, .operand = "", .error = &error};
            if (is_one_of(first, register_of(&a, 0)))
                count = table->apart && words_of(&a) > 1 ? print_apart(text, &a, word, i, n)
                                                         : print_row(text, &a, word, i, 1, n);
        }
    return count;
}
