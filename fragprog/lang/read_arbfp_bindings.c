/* Reads the bindings of ARB programs: attributes, results, parameters, state, constants. */
#include "fragprog/lang/arbfp_read.h"

#include <string.h>

/* ---- attributes and results ---- */

bool fragprog_arbfp_attribute(struct arbfp_reader *r, struct arbfp_place *from)
{
    uint32_t index;
    from->index = 0;
    from->reg = NULL;
    from->at = r->place;
    if (r->vertex)
        return fragprog_arbvp_read_attribute(r, from);
    if (!fragprog_arbfp_expect_word(r, "fragment") || !fragprog_arbfp_expect(r, '.'))
        return false;
    if (fragprog_arbfp_accept_word(r, "color")) {
        from->file = fragprog_arbfp_is_secondary(r) ? FRAGPROG_SECONDARY : FRAGPROG_PRIMARY;
        return true;
    }
    if (fragprog_arbfp_accept_word(r, "texcoord")) {
        const bool ok = fragprog_arbfp_optional_index(r, TEXENV_UNITS,
                                                      "the number of a texture coordinate set", &index);
        from->file = FRAGPROG_COORD;
        from->index = (uint16_t)index;
        return ok;
    }
    from->file = fragprog_arbfp_is(r, "fogcoord") ? FRAGPROG_FOGCOORD : FRAGPROG_POSITION;
    return fragprog_arbfp_accept_word(r, "fogcoord") || fragprog_arbfp_accept_word(r, "position") ||
        fragprog_arbfp_expected(r, "an attribute: color, texcoord, fogcoord or position");
}

bool fragprog_arbfp_result(struct arbfp_reader *r, uint32_t *output)
{
    *output = 0;
    if (!fragprog_arbfp_expect_word(r, "result") || !fragprog_arbfp_expect(r, '.'))
        return false;
    if (r->vertex)
        return fragprog_arbvp_read_result(r, output);
    if (fragprog_arbfp_accept_word(r, "depth")) {
        *output = ARBFP_DEPTH;
        return true;
    }
    if (!fragprog_arbfp_accept_word(r, "color"))
        return fragprog_arbfp_expected(r, "a result: color or depth");
    if (!fragprog_arbfp_is_char(r, '['))
        return true;
    if (!(r->options & ARBFP_DRAW_BUFFERS))
        return fragprog_arbfp_fail(r, "option",
                                   "result.color has a number only with OPTION ARB_draw_buffers");
    return fragprog_arbfp_index(r, FRAGPROG_MOST_TEXTURES, "the number of a colour output", output);
}

/* ---- the constant pool ---- */

static uint32_t hash(const struct fragprog_const *k)
{
    uint32_t h = UINT32_C(2166136261);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t bits;
        memcpy(&bits, &k->value[c], sizeof bits);
        h = (h ^ bits) * UINT32_C(16777619);
        h = (h ^ h >> 13 ^ (uint32_t)k->origin[c].unit) * UINT32_C(16777619);
    }
    return h ^ h >> 16;
}

static bool same(const struct fragprog_const *a, const struct fragprog_const *b)
{
    for (unsigned c = 0; c < 4; c++)
        if (memcmp(&a->value[c], &b->value[c], sizeof a->value[c]) != 0 ||
            a->origin[c].unit != b->origin[c].unit || a->origin[c].component != b->origin[c].component)
            return false;
    return true;
}

/* Returns the position of a constant equal to k in the hash table, or the free position for it. */
static uint32_t find(const struct arbfp_reader *r, const struct fragprog_const *k)
{
    uint32_t at = hash(k) & r->const_mask;
    while (r->const_table[at] && !same(&r->p->konst[r->const_table[at] - 1], k))
        at = (at + 1) & r->const_mask;
    return at;
}

/* Finds or adds the constant. Numerically equal vectors count once (the specification, 3.11.5). */
static bool pool(struct arbfp_reader *r, const struct fragprog_const *k, uint16_t *konst)
{
    const uint32_t at = find(r, k);
    if (r->const_table[at]) {
        *konst = (uint16_t)(r->const_table[at] - 1);
        return true;
    }
    if (r->p->nkonst == r->p->maxkonst)
        return fragprog_arbfp_fail(r, "size", "more constants than there is room for");
    *konst = r->p->nkonst;
    r->p->konst[r->p->nkonst++] = *k;
    r->const_table[at] = r->p->nkonst;
    return true;
}

static struct fragprog_const uploaded(int32_t origin)
{
    struct fragprog_const k;
    memset(&k, 0, sizeof k);
    for (unsigned c = 0; c < 4; c++) {
        k.origin[c].unit = origin;
        k.origin[c].component = (uint8_t)c;
    }
    return k;
}

bool fragprog_arbfp_uploaded(struct arbfp_reader *r, int32_t origin, uint16_t *konst)
{
    const struct fragprog_const k = uploaded(origin);
    return pool(r, &k, konst);
}

/* Returns element n of an item. */
static struct fragprog_const element_of(const struct arbfp_reader *r, const struct arbfp_item *item,
                                        uint32_t n)
{
    return item->origin == FRAGPROG_ORIGIN_IMMEDIATE ? r->p->konst[item->konst]
                                                     : uploaded(item->origin + (int32_t)n);
}

/* Adds an array element to the pool. If the pool has an equal constant, the uses of that constant are later
 * redirected to the element. */
static bool add_element(struct arbfp_reader *r, const struct fragprog_const *k)
{
    const uint32_t at = find(r, k), known = r->const_table[at];
    if (known && r->p->konst[known - 1].array && k->origin[0].unit >= 0)
        return fragprog_arbfp_fail(
            r, "array",
            "a parameter or state is bound more than once in arrays that are addressed relatively");
    r->p->konst[r->p->nkonst++] = *k;
    if (known && !r->p->konst[known - 1].array)
        r->p->konst[known - 1].scratch = r->p->nkonst;
    if (!known || !r->p->konst[known - 1].array)
        r->const_table[at] = r->p->nkonst;
    return true;
}

bool fragprog_arbfp_array(struct arbfp_reader *r, struct arbfp_param *param)
{
    if (param->number)
        return true;
    if (r->arrays == FRAGPROG_MOST_ARRAYS)
        return fragprog_arbfp_fail(r, "size", "more than 255 arrays are addressed relatively");
    if (param->size > (uint32_t)(r->p->maxkonst - r->p->nkonst))
        return fragprog_arbfp_fail(r, "size", "more constants than there is room for");
    param->number = (uint8_t)++r->arrays;
    for (uint32_t i = param->item; i < param->item + param->items; i++)
        for (uint32_t n = 0; n < r->item[i].count; n++) {
            struct fragprog_const k = element_of(r, &r->item[i], n);
            k.array = param->number;
            k.scratch = 0;
            if (!add_element(r, &k))
                return false;
        }
    return true;
}

bool fragprog_arbfp_find_uploaded(const struct arbfp_reader *r, int32_t origin, uint16_t *konst)
{
    const struct fragprog_const k = uploaded(origin);
    const uint32_t at = find(r, &k);
    *konst = (uint16_t)(r->const_table[at] - 1);
    return r->const_table[at] != 0;
}

bool fragprog_arbfp_constant(struct arbfp_reader *r, bool sign, uint16_t *konst)
{
    struct fragprog_const k;
    unsigned n = 0;
    memset(&k, 0, sizeof k);
    for (unsigned c = 0; c < 4; c++)
        k.origin[c].unit = FRAGPROG_ORIGIN_IMMEDIATE;
    if (!fragprog_arbfp_accept(r, '{')) {
        if (!fragprog_arbfp_number(r, sign, &k.value[0]))
            return false;
        k.value[1] = k.value[2] = k.value[3] = k.value[0];
        return pool(r, &k, konst);
    }
    k.value[3] = 1;
    do {
        if (n == 4)
            return fragprog_arbfp_fail(r, "constant", "a constant has at most four components");
        if (!fragprog_arbfp_number(r, true, &k.value[n++]))
            return false;
    } while (fragprog_arbfp_accept(r, ','));
    return fragprog_arbfp_expect(r, '}') && pool(r, &k, konst);
}

/* ---- state ---- */

/* The part of a state name that was read so far, with '#' for each index. */
struct path {
    char text[48];
    uint32_t index;
};

static bool extend(struct path *p, const char *text, size_t length)
{
    const size_t n = strlen(p->text);
    if (n + length >= sizeof p->text)
        return false;
    memcpy(p->text + n, text, length);
    p->text[n + length] = 0;
    return true;
}

/* Returns the row that has the path as its name, or FRAGPROG_BINDINGS. *prefix is set if the path is a proper
 * prefix of a name. */
static unsigned row_of(const struct path *p, bool *prefix)
{
    const size_t n = strlen(p->text);
    unsigned found = FRAGPROG_BINDINGS;
    *prefix = false;
    for (unsigned row = 0; row < FRAGPROG_BINDINGS; row++) {
        const char *name = fragprog_binding_name(row)->arb;
        if (strncmp(name, p->text, n) == 0) {
            *prefix |= name[n] != 0;
            found = name[n] ? found : row;
        }
    }
    return found;
}

/* Extends the path if the result is a name or the beginning of one. */
static bool begins_row(struct path *p, const char *text, size_t length)
{
    struct path longer = *p;
    bool prefix;
    if (!extend(&longer, text, length))
        return false;
    const bool is = row_of(&longer, &prefix) < FRAGPROG_BINDINGS;
    if (is || prefix)
        *p = longer;
    return is || prefix;
}

/* Reads a word after a ".". A missing side of a material means the front. */
static bool read_word(struct arbfp_reader *r, struct path *p)
{
    char word[16] = ".";
    if (r->kind == ARBFP_WORD && r->length < sizeof word - 2) {
        memcpy(word + 1, r->token, r->length);
        word[r->length + 1] = 0;
        if (begins_row(p, word, strlen(word)))
            return true;
        struct path front = *p;
        if (extend(&front, ".front", 6) && begins_row(&front, word, strlen(word))) {
            *p = front;
            return true;
        }
    }
    return fragprog_arbfp_expected(r, "the name of GL state");
}

/* Reads an index after the word, if there is one. Some indices are optional and default to 0. */
static bool read_state_index(struct arbfp_reader *r, struct path *p)
{
    static const char *const optional[] = {"state.texenv", "state.matrix.modelview", "state.matrix.texture",
                                           "state.texgen"};
    struct path indexed = *p;
    if (!begins_row(&indexed, "[#]", 3))
        return true;
    bool needed = true;
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        needed &= strcmp(p->text, optional[i]) != 0;
    *p = indexed;
    if (!needed && !fragprog_arbfp_is_char(r, '['))
        return true;
    const char *what = NULL;
    const unsigned limit = fragprog_binding_limit(p->text, &what);
    return fragprog_arbfp_index(r, limit, what, &p->index);
}

/* Reads [a], or with `many` also [a..b], of which each number is below `limit`, and adds it to the item. */
static bool read_range(struct arbfp_reader *r, bool many, uint32_t limit, const char *what,
                       const char *backwards, struct arbfp_item *item)
{
    const struct texenv_place at = r->place;
    uint32_t first, last;
    if (!fragprog_arbfp_expect(r, '[') || !fragprog_arbfp_integer(r, limit, what, &first))
        return false;
    last = first;
    if (many && r->kind == ARBFP_RANGE) {
        fragprog_arbfp_next(r);
        if (!fragprog_arbfp_integer(r, limit, what, &last))
            return false;
    }
    if (last < first)
        return fragprog_arbfp_fail_at(r, at, "range", backwards);
    item->origin += (int32_t)first;
    item->count = last - first + 1;
    return fragprog_arbfp_expect(r, ']');
}

/* Reads the suffixes of a matrix: a modifier, and a row or a range of rows. With `many`, a matrix without
 * rows means all four. */
static bool read_matrix(struct arbfp_reader *r, bool many, struct arbfp_item *item)
{
    static const char modifiers[4][12] = {"", "inverse", "transpose", "invtrans"};
    bool more = fragprog_arbfp_accept(r, '.');
    for (unsigned m = 1; m < 4 && more; m++)
        if (fragprog_arbfp_accept_word(r, modifiers[m])) {
            item->origin += (int32_t)(m << 2);
            more = fragprog_arbfp_accept(r, '.');
            break;
        }
    if (!more && !many)
        return fragprog_arbfp_fail(
            r, "matrix", "a row of the matrix is needed: only an element of an array can be all of it");
    item->count = 4;
    if (more && !fragprog_arbfp_accept_word(r, "row"))
        return fragprog_arbfp_expected(r, "a row of the matrix, or inverse, transpose, invtrans");
    return !more ||
        read_range(r, many, 4, "a row of a matrix", "a range of rows that ends before it begins", item);
}

static bool state_item(struct arbfp_reader *r, bool many, struct arbfp_item *item)
{
    struct path path = {.text = "state", .index = 0};
    const struct texenv_place at = r->place;
    unsigned row;
    bool prefix;
    fragprog_arbfp_next(r);
    while ((row = row_of(&path, &prefix)) == FRAGPROG_BINDINGS) {
        if (!fragprog_arbfp_expect(r, '.') || !read_word(r, &path))
            return false;
        fragprog_arbfp_next(r);
        if (!read_state_index(r, &path))
            return false;
    }
    const bool of_fragments = row == FRAGPROG_BINDING_TEXENV_COLOR || row == FRAGPROG_BINDING_DEPTH_RANGE,
               of_vertices = row >= FRAGPROG_BINDING_POINT_SIZE && row < FRAGPROG_BINDING_MODELVIEW;
    if (r->vertex ? of_fragments : of_vertices)
        return fragprog_arbfp_fail_at(r, at, "state",
                                      r->vertex ? "vertex programs do not bind this state"
                                                : "fragment programs do not bind this state");
    item->origin = row == FRAGPROG_BINDING_TEXENV_COLOR ? (int32_t)path.index
                                                        : fragprog_origin_of_state(row, path.index);
    return row < FRAGPROG_BINDING_MODELVIEW || read_matrix(r, many, item);
}

/* Reads program.env[a] or program.local[a], or with `many` also [a..b]. */
static bool program_item(struct arbfp_reader *r, bool many, struct arbfp_item *item)
{
    fragprog_arbfp_next(r);
    if (!fragprog_arbfp_expect(r, '.'))
        return false;
    item->origin = fragprog_arbfp_is(r, "env") ? FRAGPROG_ORIGIN_ENV : FRAGPROG_ORIGIN_PARAMETER;
    if (!fragprog_arbfp_accept_word(r, "env") && !fragprog_arbfp_accept_word(r, "local"))
        return fragprog_arbfp_expected(r, "env or local");
    return read_range(r, many, FRAGPROG_MOST_PARAMETERS, "the number of a parameter",
                      "a range of parameters that ends before it begins", item);
}

bool fragprog_arbfp_item(struct arbfp_reader *r, bool many, struct arbfp_item *item)
{
    *item = (struct arbfp_item){.origin = FRAGPROG_ORIGIN_IMMEDIATE, .count = 1};
    if (fragprog_arbfp_is(r, "state"))
        return state_item(r, many, item);
    if (fragprog_arbfp_is(r, "program"))
        return program_item(r, many, item);
    if (r->kind != ARBFP_NUMBER && !fragprog_arbfp_is_char(r, '{') && !fragprog_arbfp_is_char(r, '-') &&
        !fragprog_arbfp_is_char(r, '+'))
        return fragprog_arbfp_expected(r, "state, program.env, program.local or a constant");
    return fragprog_arbfp_constant(r, true, &item->konst);
}
