/* Reads the operands of ARB programs. */
#include "fragprog/lang/arbfp_read.h"
#include "fragprog/operand.h"

#include <string.h>

/* ---- swizzles and masks ---- */

int fragprog_arbfp_component(const struct arbfp_reader *r, const char *word, size_t at, const char **set)
{
    static const char *const sets[] = {"xyzw", "rgba"};
    for (unsigned n = 0; n < (r->vertex ? 1 : 2); n++) {
        const char *found = memchr(sets[n], word[at], 4);
        if (found && (!*set || *set == sets[n])) {
            *set = sets[n];
            return (int)(found - sets[n]);
        }
    }
    return -1;
}

/* Reads a swizzle after a ".": one letter or four. scalar: one letter only. */
static bool read_swizzle(struct arbfp_reader *r, bool scalar, struct arbfp_operand *o)
{
    const char *set = NULL;
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "a swizzle");
    if (r->length != 1 && (scalar || r->length != 4))
        return fragprog_arbfp_fail(r, "swizzle",
                                   scalar ? "\"%.*s\": a scalar operand has one component"
                                          : "\"%.*s\": a swizzle has one component or four");
    for (unsigned i = 0; i < 4; i++) {
        const int c = fragprog_arbfp_component(r, r->token, r->length == 1 ? 0 : i, &set);
        if (c < 0)
            return fragprog_arbfp_fail(r, "swizzle",
                                       r->vertex
                                           ? "\"%.*s\": the components are x y z w"
                                           : "\"%.*s\": the components are x y z w or r g b a, not mixed");
        o->lane[i] = (uint8_t)c;
    }
    fragprog_arbfp_next(r);
    return true;
}

/* ---- operands ---- */

/* Reads a relative index after NAME[: ADDRESS.x, an optional offset, ]. A separate instruction loads the
 * element. */
static bool relative(struct arbfp_reader *r, struct arbfp_param *param, struct arbfp_place *from)
{
    const struct arbfp_symbol *s = fragprog_arbfp_find(r);
    struct fragprog_inst load = arbfp_operation(FRAGPROG_LOAD, FRAGPROG_MASK_XYZW);
    const struct texenv_place at = r->place;
    uint32_t offset = 0;
    unsigned value;
    if (!s || s->kind != ARBFP_ADDRESS)
        return fragprog_arbfp_expected(r, "the index of this array, or an address register");
    fragprog_arbfp_next(r);
    if (!fragprog_arbfp_expect(r, '.') || !fragprog_arbfp_expect_word(r, "x"))
        return false;
    const bool minus = fragprog_arbfp_is_char(r, '-');
    if (fragprog_arbfp_accept(r, '-') || fragprog_arbfp_accept(r, '+'))
        if (!fragprog_arbfp_integer(r, FRAGPROG_LOAD_ZERO + minus, "what is added to an address", &offset))
            return false;
    if (!fragprog_arbfp_expect(r, ']') || !fragprog_arbfp_array(r, param))
        return false;
    load.src[0] = r->address[s->index];
    if (load.src[0].file == ARBFP_REGISTER) {
        texenv_emit(r->sink, TEXENV_WARNING, -1, at, "undefined",
                    "undefined: the address register %.*s has no value here; taken as 0",
                    (int)(s->length < 60 ? s->length : 60), s->name);
        fragprog_literal_source(&load.src[0], 0);
    }
    load.target = param->number;
    load.texture = (uint8_t)(minus ? FRAGPROG_LOAD_ZERO - offset : FRAGPROG_LOAD_ZERO + offset);
    if (!fragprog_arbfp_append(r, &load, &value))
        return false;
    from->file = FRAGPROG_VALUE;
    from->index = (uint16_t)value;
    return true;
}

/* Reads an element of a parameter: NAME[n]. */
static bool element(struct arbfp_reader *r, struct arbfp_param *param, struct arbfp_place *from)
{
    uint32_t n = 0, low = param->item, high = param->item + param->items;
    if (param->array && !fragprog_arbfp_is_char(r, '['))
        return fragprog_arbfp_expected(r, "\"[\" and an index: the name is an array's");
    if (!param->array && fragprog_arbfp_is_char(r, '['))
        return fragprog_arbfp_fail(r, "index", "an index of what is no array");
    if (param->array) {
        fragprog_arbfp_next(r);
        if (r->vertex && r->kind == ARBFP_WORD)
            return relative(r, param, from);
        if (!fragprog_arbfp_integer(r, param->size, "the index of this array", &n) ||
            !fragprog_arbfp_expect(r, ']'))
            return false;
    }
    while (high - low > 1) { /* items are sorted by `start` */
        const uint32_t middle = low + (high - low) / 2;
        if (r->item[middle].start <= n)
            low = middle;
        else
            high = middle;
    }
    const struct arbfp_item *item = &r->item[low];
    from->file = FRAGPROG_CONST;
    from->index = item->konst;
    return item->origin == FRAGPROG_ORIGIN_IMMEDIATE ||
        fragprog_arbfp_uploaded(r, item->origin + (int32_t)(n - item->start), &from->index);
}

static bool named(struct arbfp_reader *r, struct arbfp_place *from)
{
    const struct arbfp_symbol *s = fragprog_arbfp_find(r);
    if (!s)
        return fragprog_arbfp_fail(
            r, "name", fragprog_arbfp_is_reserved(r) ? "%.*s cannot stand here" : "%.*s is not declared");
    if (s->kind == ARBFP_OUTPUT)
        return fragprog_arbfp_fail(r, "read", "%.*s is a result, which cannot be read");
    if (s->kind == ARBFP_ADDRESS)
        return fragprog_arbfp_fail(r, "read", "%.*s is an address register, which only indexes arrays");
    fragprog_arbfp_next(r);
    if (s->kind == ARBFP_PARAM)
        return element(r, &r->param[s->index], from);
    if (s->kind == ARBFP_TEMP) {
        from->file = ARBFP_REGISTER;
        from->reg = &r->temp[s->index];
    } else {
        from->file = (uint8_t)(s->index >> 16);
        from->index = (uint16_t)s->index;
    }
    if (fragprog_arbfp_is_char(r, '['))
        return fragprog_arbfp_fail(r, "index", "an index of what is no array");
    return true;
}

/* Reads a register, attribute, parameter or constant, without suffix. */
static bool base(struct arbfp_reader *r, struct arbfp_place *from)
{
    *from = (struct arbfp_place){.at = r->place, .name = r->token, .length = r->length};
    if (fragprog_arbfp_is(r, r->vertex ? "vertex" : "fragment"))
        return fragprog_arbfp_attribute(r, from);
    if (fragprog_arbfp_is(r, "result"))
        return fragprog_arbfp_fail(r, "read", "a result cannot be read");
    if (fragprog_arbfp_is(r, "state") || fragprog_arbfp_is(r, "program")) {
        struct arbfp_item item;
        from->file = FRAGPROG_CONST;
        return fragprog_arbfp_item(r, false, &item) && fragprog_arbfp_uploaded(r, item.origin, &from->index);
    }
    if (r->kind == ARBFP_NUMBER || fragprog_arbfp_is_char(r, '{')) {
        from->file = FRAGPROG_CONST;
        return fragprog_arbfp_constant(r, false, &from->index);
    }
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "an operand");
    return named(r, from);
}

bool fragprog_arbfp_read_operand(struct arbfp_reader *r, bool scalar, struct arbfp_operand *o)
{
    *o = (struct arbfp_operand){.lane = {0, 1, 2, 3}};
    if (fragprog_arbfp_accept(r, '-'))
        o->negate = 15;
    else
        fragprog_arbfp_accept(r, '+');
    if (!base(r, &o->from))
        return false;
    if (fragprog_arbfp_accept(r, '.'))
        return read_swizzle(r, scalar, o);
    if (scalar)
        return fragprog_arbfp_expected(r, "\".\" and one component: the operand is a scalar");
    return true;
}

/* Reads an operand of SWZ: a register, then four times [sign] 0 1 x y z w. */
bool fragprog_arbfp_read_extended(struct arbfp_reader *r, struct arbfp_operand *o)
{
    const char *set = NULL;
    *o = (struct arbfp_operand){.lane = {0, 1, 2, 3}};
    if (r->kind == ARBFP_NUMBER || fragprog_arbfp_is_char(r, '{') || !base(r, &o->from))
        return r->kind == ARBFP_NUMBER || fragprog_arbfp_is_char(r, '{')
            ? fragprog_arbfp_expected(r, "a register")
            : false;
    for (unsigned i = 0; i < 4; i++) {
        if (!fragprog_arbfp_expect(r, ','))
            return false;
        if (fragprog_arbfp_accept(r, '-'))
            o->negate |= (uint8_t)(1u << i);
        else
            fragprog_arbfp_accept(r, '+');
        const int c = r->kind == ARBFP_WORD && r->length == 1 ? fragprog_arbfp_component(r, r->token, 0, &set)
                                                              : -1;
        if (r->kind == ARBFP_NUMBER && r->length == 1 && (*r->token == '0' || *r->token == '1'))
            o->lane[i] = *r->token == '0' ? FRAGPROG_ZERO : FRAGPROG_ONE;
        else if (c >= 0)
            o->lane[i] = (uint8_t)c;
        else
            return fragprog_arbfp_expected(
                r,
                r->vertex ? "one of 0 1 x y z w with an optional sign"
                          : "one of 0 1 x y z w (or r g b a, not mixed) with an optional sign");
        fragprog_arbfp_next(r);
    }
    return true;
}
