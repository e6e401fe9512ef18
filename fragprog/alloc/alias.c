#include "fragprog/alias.h"

#include <string.h>

/* Groups without final names ("floating") get preliminary base names from FLOATING on, at a distance of
 * APART, so that they overlap neither each other nor a register. */
enum { FLOATING = 1024, APART = 128, UNPLACED = 0xffff };

struct alias_search {
    const struct fragprog_alias_request *q;
    unsigned first[FRAGPROG_ALIAS_GROUPS + 1]; /* index of the first source of each group */
    uint16_t base[FRAGPROG_ALIAS_GROUPS];      /* first name of each group, or UNPLACED */
    uint16_t best[FRAGPROG_ALIAS_GROUPS];
    unsigned least;
};

static bool same(const struct fragprog_alias_source *a, const struct fragprog_alias_source *b)
{
    return a->file == b->file && a->value == b->value;
}

static bool in_place(const struct fragprog_alias_source *source, unsigned name)
{
    return source->file == FRAGPROG_ALIAS_REGISTER && source->value == name;
}

/* Returns the source to which a group with a number below `end` maps the name, or NULL. */
static const struct fragprog_alias_source *content(const struct alias_search *s, unsigned name, unsigned end)
{
    for (unsigned g = 0; g < end; g++)
        if (s->base[g] != UNPLACED && name >= s->base[g] && name < s->base[g] + s->q->size[g])
            return &s->q->source[s->first[g] + name - s->base[g]];
    return NULL;
}

/* Returns true if the name is a register that is read. */
static bool is_read(const struct alias_search *s, unsigned name)
{
    for (unsigned i = 0; i < s->first[s->q->ngroups]; i++)
        if (in_place(&s->q->source[i], name))
            return true;
    return false;
}

/* Returns the number of entries for the current bases, or UINT32_MAX if a name would have two meanings. */
static unsigned count(const struct alias_search *s)
{
    unsigned n = 0;
    for (unsigned g = 0; g < s->q->ngroups; g++)
        for (unsigned i = 0; i < s->q->size[g]; i++) {
            const unsigned name = s->base[g] + i;
            const struct fragprog_alias_source *source = &s->q->source[s->first[g] + i];
            const struct fragprog_alias_source *before = content(s, name, g);
            if (before && !same(before, source))
                return UINT32_MAX;
            if (!in_place(source, name) && is_read(s, name))
                return UINT32_MAX;
            n += !before && !in_place(source, name);
        }
    return n;
}

static void search(struct alias_search *s);

static void try(struct alias_search *s, unsigned g, int base)
{
    if (base < 0 || (base < FLOATING && base + s->q->size[g] > FRAGPROG_ALIAS_NAMES))
        return;
    s->base[g] = (uint16_t)base;
    search(s);
    s->base[g] = UNPLACED;
}

/* Backtracking search: tries each unplaced group next, at each base that can save an entry (one of its
 * sources is already in the right register, or it overlaps with a placed group), and separately from the
 * others. */
static void search(struct alias_search *s)
{
    bool all = true;
    for (unsigned g = 0; g < s->q->ngroups; g++) {
        if (s->base[g] != UNPLACED)
            continue;
        all = false;
        const struct fragprog_alias_source *source = &s->q->source[s->first[g]];
        for (unsigned i = 0; i < s->q->size[g]; i++)
            if (source[i].file == FRAGPROG_ALIAS_REGISTER)
                try(s, g, (int)source[i].value - (int)i);
        for (unsigned h = 0; h < s->q->ngroups; h++)
            for (int d = 1 - s->q->size[g]; s->base[h] != UNPLACED && h != g && d < s->q->size[h]; d++)
                try(s, g, s->base[h] + d);
        try(s, g, FLOATING + (int)g * APART + APART / 2);
    }
    const unsigned n = all ? count(s) : UINT32_MAX;
    if (n < s->least) {
        s->least = n;
        memcpy(s->best, s->base, sizeof s->best);
    }
}

/* Returns true if the `length` names from `from` on are neither read nor used by a group. */
static bool is_free(const struct alias_search *s, unsigned from, unsigned length)
{
    for (unsigned name = from; name < from + length; name++)
        if (name >= FRAGPROG_ALIAS_NAMES || is_read(s, name) || content(s, name, s->q->ngroups))
            return false;
    return true;
}

/* Moves floating groups to free names; groups that overlap move together. Returns false if there are not
 * enough names. */
static bool settle(struct alias_search *s)
{
    for (;;) {
        unsigned low = UNPLACED, high = 0;
        for (unsigned g = 0; g < s->q->ngroups; g++)
            if (s->base[g] >= FLOATING && s->base[g] < low)
                low = s->base[g];
        if (low == UNPLACED)
            return true;
        const unsigned region = (low - FLOATING) / APART;
        for (unsigned g = 0; g < s->q->ngroups; g++)
            if (s->base[g] >= FLOATING && (s->base[g] - FLOATING) / (unsigned)APART == region &&
                s->base[g] + s->q->size[g] > high)
                high = s->base[g] + s->q->size[g];
        unsigned to = FRAGPROG_ALIAS_FIRST, tried = 0;
        while (!is_free(s, to, high - low) && tried++ < FRAGPROG_ALIAS_NAMES)
            to = (to + 1) % FRAGPROG_ALIAS_NAMES;
        if (tried > FRAGPROG_ALIAS_NAMES)
            return false;
        for (unsigned g = 0; g < s->q->ngroups; g++)
            if (s->base[g] >= FLOATING && (s->base[g] - FLOATING) / (unsigned)APART == region)
                s->base[g] = (uint16_t)(s->base[g] - low + to);
    }
}

/* Places every group separately, as the chip's documentation does. With FRAGPROG_ALIAS_NONE a group whose
 * sources are already in consecutive registers stays there. */
static void apart(struct alias_search *s)
{
    for (unsigned g = 0; g < s->q->ngroups; g++) {
        const struct fragprog_alias_source *source = &s->q->source[s->first[g]];
        bool right = s->q->how == FRAGPROG_ALIAS_NONE && source->file == FRAGPROG_ALIAS_REGISTER;
        for (unsigned i = 0; i < s->q->size[g]; i++)
            right &= in_place(&source[i], source->value + i);
        s->base[g] = right ? (uint16_t)source->value : (uint16_t)(FLOATING + g * APART + APART / 2);
    }
}

static void list(struct fragprog_alias_table *table, const struct alias_search *s)
{
    for (unsigned name = 0; name < FRAGPROG_ALIAS_NAMES; name++) {
        const struct fragprog_alias_source *source = content(s, name, s->q->ngroups);
        if (!source || in_place(source, name))
            continue;
        struct fragprog_alias_entry *e = &table->entry[table->n++];
        *e = (struct fragprog_alias_entry){.source = *source, .name = (uint16_t)name};
        e->move = s->q->how == FRAGPROG_ALIAS_NONE || table->entries == FRAGPROG_ALIAS_ENTRIES;
        table->entries += !e->move;
    }
}

/* Returns false if a source is not a register below FRAGPROG_ALIAS_NAMES; larger names are used
 * internally. */
static bool has_registers(const struct fragprog_alias_request *request, unsigned sources)
{
    for (unsigned i = 0; i < sources; i++)
        if (request->source[i].file == FRAGPROG_ALIAS_REGISTER &&
            request->source[i].value >= FRAGPROG_ALIAS_NAMES)
            return false;
    return true;
}

bool fragprog_alias(struct fragprog_alias_table *table, const struct fragprog_alias_request *request)
{
    struct alias_search s = {.q = request, .least = UINT32_MAX};
    memset(table, 0, sizeof *table);
    if (request->ngroups > FRAGPROG_ALIAS_GROUPS)
        return false;
    for (unsigned g = 0; g < request->ngroups; g++)
        s.first[g + 1] = s.first[g] + request->size[g];
    if (s.first[request->ngroups] > FRAGPROG_ALIAS_SOURCES ||
        !has_registers(request, s.first[request->ngroups]))
        return false;
    memset(s.base, 0xff, sizeof s.base);
    if (request->how == FRAGPROG_ALIAS_BEST) {
        search(&s);
        memcpy(s.base, s.best, sizeof s.base);
    } else
        apart(&s);
    if (!settle(&s))
        return false;
    memcpy(table->base, s.base, request->ngroups * sizeof *table->base);
    list(table, &s);
    return true;
}
