/* Finds by trial which change would make a state fit a chip: assumptions, 2D textures without comparison, or
 * fewer units. */
#include "fit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct trial {
    struct compiled *c;
    const struct item *item;
    struct options o;
    char fit[sizeof((struct fragprog_reason *)0)->fit];
};

static bool fits(struct trial *t, const struct texenv *te)
{
    struct texenv_state state;
    struct texenv_sink none = {NULL, NULL};
    struct item item = *t->item;
    if (!texenv_canonicalise(&state, te, &t->o.policy, item.assumed, NULL, &none))
        return false;
    item.state = &state;
    compile_chip(t->c, &item, &t->o, NULL);
    return t->c->ok;
}

PRINTF_LIKE(2, 3)
static bool say(struct trial *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->fit, sizeof t->fit, format, args);
    va_end(args);
    return n > 0 && (size_t)n < sizeof t->fit;
}

/* Tries all assumptions, then removes those that are not needed. */
static bool try_assumptions(struct trial *t)
{
    const struct hwemit_assumption *rows = t->o.chip->assumptions;
    const uint32_t given = t->o.chip_options.assume;
    struct buffer names = {0};
    bool found = false;
    for (unsigned i = 0; rows && rows[i].name; i++)
        t->o.chip_options.assume |= 1u << i;
    if (t->o.chip_options.assume != given && fits(t, t->item->te)) {
        for (unsigned i = 0; rows[i].name; i++) {
            const uint32_t all = t->o.chip_options.assume;
            if (given >> i & 1)
                continue;
            t->o.chip_options.assume &= ~(1u << i);
            if (fits(t, t->item->te))
                continue;
            t->o.chip_options.assume = all;
            buffer_printf(&names, "%s--assume %s", names.length ? " " : "", rows[i].name);
        }
        found = names.length && say(t, "%s", names.data);
    }
    buffer_free(&names);
    t->o.chip_options.assume = given;
    return found;
}

/* Tries 2D textures without comparison: in one unit, or in all units that have another texture. */
static bool try_plain_textures(struct trial *t)
{
    const struct texenv_state *state = t->item->state;
    struct texenv te = *t->item->te;
    struct buffer units = {0};
    unsigned n = 0;
    bool found = false;
    for (unsigned u = 0; u < state->nstages && !found; u++) {
        struct texenv_unit *unit = &te.unit[u];
        const struct texenv_stage *stage = &state->stage[u];
        if (stage->mode == TEXENV_OFF || (stage->target == TEXENV_2D && stage->depth != 2))
            continue;
        struct texenv_texture texture = unit->texture[stage->target];
        if (t->item->assumed)
            texture.complete = 1;
        texture.compare = 0;
        unit->texture[TEXENV_2D] = texture;
        unit->enabled = 1u << TEXENV_2D;
        buffer_printf(&units, "%s%u", n++ ? ", " : "", u);
        found = fits(t, &te);
    }
    found = found &&
        say(t, "unit%s %s ha%s a 2D texture without comparison", n == 1 ? "" : "s", units.data,
            n == 1 ? "s" : "ve");
    buffer_free(&units);
    return found;
}

/* Describes the units of a mask: "units 3 and 5 are off". */
static bool say_off(struct trial *t, unsigned mask)
{
    struct buffer units = {0};
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (mask >> u & 1)
            buffer_printf(&units, "%s%u", !units.length ? "" : mask >> (u + 1) ? ", " : " and ", u);
    const bool said = say(t, mask & (mask - 1) ? "units %s are off" : "unit %s is off", units.data);
    buffer_free(&units);
    return said;
}

/* Tries to turn off a single unit, the highest one first. If that does not suffice, turns off the highest
 * units until the state fits. */
static bool try_units_off(struct trial *t)
{
    struct texenv te;
    unsigned off = 0;
    bool found = false;
    for (unsigned u = TEXENV_UNITS; u-- > 0 && !found;) {
        te = *t->item->te;
        te.unit[u].enabled = 0;
        found = t->item->te->unit[u].enabled && fits(t, &te) && say_off(t, 1u << u);
    }
    te = *t->item->te;
    for (unsigned u = TEXENV_UNITS; u-- > 0 && !found;) {
        if (!te.unit[u].enabled)
            continue;
        te.unit[u].enabled = 0;
        off |= 1u << u;
        found = fits(t, &te) && say_off(t, off);
    }
    return found;
}

void find_fit(struct compiled *c, const struct item *item, const struct options *o)
{
    const struct fragprog_reason why = c->why;
    struct trial t = {.c = c, .item = item, .o = *o};
    if (!item->state || !item->te || strcmp(why.code, "work") == 0)
        return;
    t.o.target.most_work = 0; /* use the search limit for draw time, because there are several trials */
    t.o.rule_counts = false;
    const bool found = try_assumptions(&t) || try_plain_textures(&t) || try_units_off(&t);
    c->why = why;
    c->ok = false;
    if (found)
        memcpy(c->why.fit, t.fit, sizeof t.fit);
    else
        c->why.fit[0] = '\0';
}
