#include "embed_values.h"

#include <string.h>

static const struct {
    const char *is, *expression[2];
} rows[FRAGPROG_PAIR_VALUES] = {
#define EMBED_VALUE(id, is, javascript, c) [FRAGPROG_PAIR_##id] = {is, {javascript, c}},
#include "embed_values.def"
#undef EMBED_VALUE
};

/* Appends `form` with each $ replaced by the index, which has one digit. */
static void add_with_index(struct texenv_text *text, const char *form, unsigned index)
{
    for (; *form; form++)
        if (*form == '$')
            texenv_printf(text, "%u", index);
        else
            texenv_text_add(text, form, 1);
}

void describe_uniform(char *text, size_t size, unsigned id, unsigned index)
{
    struct texenv_text out;
    texenv_text_init(&out, text, size);
    add_with_index(&out, rows[id].is, index);
}

void add_value_expression(struct buffer *b, const struct variable *v, enum embed_language language)
{
    char data[128];
    struct texenv_text out;
    if (v->uniform >= FRAGPROG_PAIR_VALUES)
        die_internal("no expression says what %s holds", v->name);
    texenv_text_init(&out, data, sizeof data);
    add_with_index(&out, rows[v->uniform].expression[language], v->unit < 0 ? 0u : (unsigned)v->unit);
    buffer_puts(b, data);
}
