/* Reads declarations of ARB programs and maintains the symbol table (the specification, grammar,
 * <namingStatement>). */
#include "fragprog/lang/arbfp_read.h"

#include <string.h>

/* ---- names ---- */

bool fragprog_arbfp_is_reserved(const struct arbfp_reader *r)
{
    static const char words[][10] = {"ALIAS", "ATTRIB", "END",     "OPTION", "OUTPUT",
                                     "PARAM", "TEMP",   "program", "result", "state"};
    static const char of_target[2][2][10] = {{"texture", "fragment"}, {"vertex", "ADDRESS"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fragprog_arbfp_is(r, words[i]))
            return true;
    return fragprog_arbfp_is(r, of_target[r->vertex][0]) || fragprog_arbfp_is(r, of_target[r->vertex][1]) ||
        fragprog_arbfp_is_instruction(r);
}

static uint32_t hash(const char *name, size_t length)
{
    uint32_t h = UINT32_C(2166136261); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)name[i]) * UINT32_C(16777619);
    return h ^ h >> 15;
}

static uint32_t *slot_of(const struct arbfp_reader *r, const char *name, size_t length)
{
    uint32_t at = hash(name, length) & r->symbol_mask;
    for (; r->symbol_table[at]; at = (at + 1) & r->symbol_mask) {
        const struct arbfp_symbol *s = &r->symbol[r->symbol_table[at] - 1];
        if (s->length == length && memcmp(s->name, name, length) == 0)
            break;
    }
    return &r->symbol_table[at];
}

struct arbfp_symbol *fragprog_arbfp_find(const struct arbfp_reader *r)
{
    const uint32_t *slot = slot_of(r, r->token, r->length);
    return *slot ? &r->symbol[*slot - 1] : NULL;
}

/* Reads a name that must not yet be declared. */
static bool new_name(struct arbfp_reader *r, struct arbfp_symbol *s)
{
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "a name");
    if (fragprog_arbfp_is_reserved(r))
        return fragprog_arbfp_fail(r, "name", "%.*s is a reserved word");
    if (fragprog_arbfp_find(r))
        return fragprog_arbfp_fail(r, "name", "%.*s is declared twice");
    s->name = r->token;
    s->length = (uint32_t)r->length;
    fragprog_arbfp_next(r);
    return true;
}

static void declare(struct arbfp_reader *r, const struct arbfp_symbol *s)
{
    r->symbol[r->symbols] = *s;
    *slot_of(r, s->name, s->length) = ++r->symbols;
}

/* ---- declarations ---- */

static bool attrib(struct arbfp_reader *r)
{
    struct arbfp_symbol s = {.kind = ARBFP_ATTRIB};
    struct arbfp_place from;
    if (!new_name(r, &s) || !fragprog_arbfp_expect(r, '=') || !fragprog_arbfp_attribute(r, &from))
        return false;
    s.index = (uint32_t)from.file << 16 | from.index;
    declare(r, &s);
    return true;
}

static bool output(struct arbfp_reader *r)
{
    struct arbfp_symbol s = {.kind = ARBFP_OUTPUT};
    if (!new_name(r, &s) || !fragprog_arbfp_expect(r, '=') || !fragprog_arbfp_result(r, &s.index))
        return false;
    declare(r, &s);
    return true;
}

static bool temps(struct arbfp_reader *r)
{
    do {
        struct arbfp_symbol s = {.kind = ARBFP_TEMP, .index = r->temps};
        if (!new_name(r, &s))
            return false;
        fragprog_arbfp_clear(&r->temp[r->temps++]);
        declare(r, &s);
    } while (fragprog_arbfp_accept(r, ','));
    return true;
}

static bool addresses(struct arbfp_reader *r)
{
    do {
        struct arbfp_symbol s = {.kind = ARBFP_ADDRESS, .index = r->addresses};
        if (!new_name(r, &s))
            return false;
        r->address[r->addresses++] = (struct fragprog_src){.file = ARBFP_REGISTER};
        declare(r, &s);
    } while (fragprog_arbfp_accept(r, ','));
    return true;
}

static bool alias(struct arbfp_reader *r)
{
    struct arbfp_symbol s, *old;
    if (!new_name(r, &s) || !fragprog_arbfp_expect(r, '='))
        return false;
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "a declared name");
    old = fragprog_arbfp_find(r);
    if (!old)
        return fragprog_arbfp_fail(r, "name", "%.*s is not declared");
    s.kind = old->kind;
    s.index = old->index;
    fragprog_arbfp_next(r);
    declare(r, &s);
    return true;
}

static bool add_item(struct arbfp_reader *r, struct arbfp_param *param, bool many)
{
    struct arbfp_item *item = &r->item[r->items];
    if (!fragprog_arbfp_item(r, many, item))
        return false;
    item->start = param->size;
    param->size += item->count;
    param->items++;
    r->items++;
    return true;
}

/* Reads [size] = { items }. */
static bool array(struct arbfp_reader *r, struct arbfp_param *param)
{
    uint32_t size = 0;
    struct texenv_place at = r->place;
    param->array = true;
    if (!fragprog_arbfp_is_char(r, ']')) {
        if (!fragprog_arbfp_integer(r, UINT16_MAX, "the size of an array", &size))
            return false;
        if (size == 0)
            return fragprog_arbfp_fail_at(r, at, "size", "an array has at least one element");
    }
    if (!fragprog_arbfp_expect(r, ']') || !fragprog_arbfp_expect(r, '=') || !fragprog_arbfp_expect(r, '{'))
        return false;
    do {
        if (!add_item(r, param, true))
            return false;
        if (param->size > UINT16_MAX)
            return fragprog_arbfp_fail_at(r, at, "size", "an array of more than 65535 elements");
    } while (fragprog_arbfp_accept(r, ','));
    if (size && size != param->size) {
        texenv_emit(r->sink, TEXENV_ERROR, -1, at, "size", "the array has %u elements and is bound to %u",
                    size, param->size);
        return false;
    }
    return fragprog_arbfp_expect(r, '}');
}

static bool param(struct arbfp_reader *r)
{
    struct arbfp_symbol s = {.kind = ARBFP_PARAM, .index = r->params};
    struct arbfp_param *made = &r->param[r->params];
    *made = (struct arbfp_param){.item = r->items};
    if (!new_name(r, &s))
        return false;
    if (fragprog_arbfp_accept(r, '[') ? !array(r, made)
                                      : !fragprog_arbfp_expect(r, '=') || !add_item(r, made, false))
        return false;
    r->params++;
    declare(r, &s);
    return true;
}

bool fragprog_arbfp_declaration(struct arbfp_reader *r, bool *is)
{
    static const struct {
        char name[8];
        bool (*read)(struct arbfp_reader *r);
    } statements[] = {{"ATTRIB", attrib}, {"PARAM", param}, {"TEMP", temps},
                      {"OUTPUT", output}, {"ALIAS", alias}, {"ADDRESS", addresses}};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (fragprog_arbfp_is(r, statements[i].name) && (r->vertex || statements[i].read != addresses)) {
            *is = true;
            fragprog_arbfp_next(r);
            return statements[i].read(r) && fragprog_arbfp_expect(r, ';');
        }
    *is = false;
    return true;
}
