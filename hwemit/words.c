/* Identifies words by the register table of their target, checks and prints them. */
#include "hwemit/hwemit.h"
#include "hwemit/words.h"

#include <string.h>

const char *const hwemit_mask_names[16] = {NULL, "x",  "y",  "xy",  "z",  "xz",  "yz",  "xyz",
                                           "w",  "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"};

uint32_t hwemit_field_mask(const struct hwemit_field *field)
{
    return (field->width < 32 ? (UINT32_C(1) << field->width) - 1 : UINT32_MAX) << field->low;
}

const struct hwemit_register *hwemit_find_register(const struct hwemit_register *rows,
                                                   const struct hwemit_word *word)
{
    for (const struct hwemit_register *r = rows; r->name; r++) {
        if (r->address == HWEMIT_STREAM || word->address == HWEMIT_STREAM) {
            if (r->address == word->address && r->fixed_mask && (word->value & r->fixed_mask) == r->fixed)
                return r;
        } else if (word->address >= r->address) {
            uint32_t offset = word->address - r->address;
            if (offset == 0 || (r->stride && offset % r->stride == 0 && offset / r->stride < r->count))
                return r;
        }
    }
    return NULL;
}

const struct hwemit_register *hwemit_classify(const struct hwemit_registers *registers,
                                              const struct hwemit_word *word, uint32_t i, uint32_t n,
                                              unsigned *number)
{
    const struct hwemit_register *r = registers->classify ? registers->classify(word, i, n)
                                                          : hwemit_find_register(registers->row, &word[i]);
    if (r && number)
        *number = r->stride && word[i].address != HWEMIT_STREAM ? (word[i].address - r->address) / r->stride
                                                                : 0;
    return r;
}

const char *hwemit_check_word(const struct hwemit_registers *registers, const struct hwemit_word *word,
                              uint32_t i, uint32_t n, uint32_t *bits)
{
    const struct hwemit_register *r = hwemit_classify(registers, word, i, n, NULL);
    uint32_t known = 0;
    *bits = 0;
    if (!r)
        return word[i].address == HWEMIT_STREAM ? "this is no packet of the target, or not in its place"
                                                : "the target has no such register";
    for (unsigned f = 0; f < r->nfields; f++)
        known |= hwemit_field_mask(&r->field[f]);
    *bits = word[i].value & ~known & ~r->fixed_mask;
    if (*bits)
        return "reserved bits are set";
    *bits = (word[i].value ^ r->fixed) & r->fixed_mask;
    return *bits ? "fixed bits have another value" : NULL;
}

static void print_digits(struct texenv_text *text, uint32_t value, int n)
{
    texenv_printf(text, "0x");
    while (n--)
        texenv_printf(text, "%x", (unsigned)(value >> 4 * n & 15));
}

void hwemit_print_hex(struct texenv_text *text, const struct hwemit_word *word)
{
    if (word->address != HWEMIT_STREAM) {
        print_digits(text, word->address, 4);
        texenv_printf(text, " ");
    }
    print_digits(text, word->value, 8);
}

/* Prints the register's name with its number in place of '#'. */
static void print_name(struct texenv_text *text, const struct hwemit_register *r, unsigned number)
{
    const char *mark = strchr(r->name, '#');
    if (mark)
        texenv_printf(text, "%.*s%u%s", (int)(mark - r->name), r->name, number, mark + 1);
    else
        texenv_printf(text, "%s", r->name);
}

void hwemit_print_word(struct texenv_text *text, const struct hwemit_registers *registers,
                       const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    unsigned number = 0;
    const struct hwemit_register *r = hwemit_classify(registers, word, i, n, &number);
    print_name(text, r, number);
    for (unsigned f = 0; f < r->nfields; f++) {
        const struct hwemit_field *field = &r->field[f];
        uint32_t value = (word[i].value & hwemit_field_mask(field)) >> field->low;
        if (!value)
            continue;
        if (field->names && field->names[value])
            texenv_printf(text, " %s=%s", field->name, field->names[value]);
        else
            texenv_printf(text, field->width > 8 ? " %s=0x%x" : " %s=%u", field->name, (unsigned)value);
    }
    texenv_printf(text, " # ");
    hwemit_print_hex(text, &word[i]);
}
