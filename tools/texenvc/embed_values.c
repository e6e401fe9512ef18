#include "embed_values.h"

#include <ctype.h>
#include <string.h>

static const char *const uniforms[FRAGPROG_UNIFORMS][2] = {
#define EMBED_UNIFORM(id, javascript, c) [FRAGPROG_UNIFORM_##id] = {javascript, c},
#include "embed_values.def"
#undef EMBED_UNIFORM
};
static const struct {
    const char *name, *expression[2];
} bindings[] = {
#define EMBED_BINDING(name, javascript, c) {name, {javascript, c}},
#include "embed_values.def"
#undef EMBED_BINDING
};

enum { PARTS = 4 };
struct part {
    const char *text;
    size_t length;
};

static bool matches(const char *pattern, const char *name, struct part part[PARTS])
{
    for (unsigned n = 0; *pattern; pattern++) {
        if (*pattern != '#' && *pattern != '@') {
            if (*pattern != *name++)
                return false;
            continue;
        }
        part[n].text = name;
        while (*pattern == '#' ? isdigit((unsigned char)*name) : isalpha((unsigned char)*name))
            name++;
        part[n].length = (size_t)(name - part[n].text);
        if (!part[n++].length)
            return false;
    }
    return !*name;
}

static void add_expression(struct buffer *b, const char *expression, const struct part part[PARTS])
{
    for (; *expression; expression++)
        if (*expression == '$') {
            const struct part *p = &part[*++expression - '1'];
            buffer_add(b, p->text, p->length);
        } else {
            buffer_add(b, expression, 1);
        }
}

void add_value_expression(struct buffer *b, const struct variable *v, enum embed_language language)
{
    struct part part[PARTS];
    char unit[12];
    if (v->uniform != VARIABLE_BINDING) {
        snprintf(unit, sizeof unit, "%d", v->unit);
        part[0] = (struct part){unit, strlen(unit)};
        add_expression(b, uniforms[v->uniform][language], part);
        return;
    }
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (matches(bindings[i].name, v->is, part)) {
            add_expression(b, bindings[i].expression[language], part);
            return;
        }
    die_internal("no expression says what %s holds", v->is);
}
