#include "vertex_compare.h"

#include <math.h>
#include <string.h>

const char *const vertex_kinds[KINDS] = {"colours", "fog coordinates", "coordinates", "positions", "sizes"};

enum vertex_kind vertex_kind_of(unsigned seen)
{
    return seen <= SEEN_SECONDARY ? KIND_COLOR
        : seen == SEEN_FOG        ? KIND_FOG
        : seen < SEEN_POSITION    ? KIND_COORD
        : seen == SEEN_POSITION   ? KIND_POSITION
                                  : KIND_SIZE;
}

/* Returns the mask of the channels that are compared. */
static unsigned channels(const struct vertex_subject *s, unsigned seen)
{
    switch (seen) {
    case SEEN_PRIMARY: return s->reads.primary ? 15 : 0;
    case SEEN_SECONDARY: return s->reads.secondary ? 7 : 0;
    case SEEN_FOG: return s->reads.fog ? 1 : 0;
    case SEEN_POSITION: return 15;
    case SEEN_SIZE: return s->vertex.point_attenuation ? 1 : 0;
    default: return s->reads.coord[seen - SEEN_COORD];
    }
}

static enum vertex_border border_of(const struct vertex_values *v, const struct vertex_subject *s,
                                    unsigned seen, unsigned i)
{
    switch (vertex_kind_of(seen)) {
    case KIND_COLOR: return vertex_color_border(v, &s->vertex, i);
    case KIND_COORD: return vertex_sphere_border(v, &s->vertex, i);
    case KIND_SIZE: return vertex_size_border(v, i);
    default: return BORDER_NONE;
    }
}

/* Returns the allowed difference of a value; unit is the largest magnitude among its vertex' values of that
 * kind, at least 1. Colours get more, because powers of up to 128 amplify errors. Positions in x and y, and
 * sizes, are whole pixels that depend on rounding. */
static double allowed(enum vertex_kind kind, unsigned channel, double base, double unit)
{
    switch (kind) {
    case KIND_COLOR: return 4 * base;
    case KIND_POSITION: return channel < 2 ? 1.5 : base * unit;
    case KIND_SIZE: return 0.5;
    default: return base * unit;
    }
}

static void compare_value(struct vertex_difference *d, const struct vertex_shot shots[2], unsigned at[3],
                          double most)
{
    const double a = (double)shots[0].value[at[0]][at[1]][at[2]],
                 b = (double)shots[1].value[at[0]][at[1]][at[2]];
    const enum vertex_kind kind = vertex_kind_of(at[0]);
    const double e = isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY;
    d->compared++;
    if (kind != KIND_POSITION || at[2] >= 2)
        d->most[kind] = e > d->most[kind] ? e : d->most[kind];
    if (e / most <= d->worst)
        return;
    d->worst = e / most, d->difference = e;
    d->seen = at[0], d->vertex = at[1], d->channel = at[2];
}

void vertex_compare(struct vertex_difference *d, const struct vertex_shot shots[2],
                    const struct vertex_values *v, const struct vertex_subject *subject, double base)
{
    memset(d, 0, sizeof *d);
    for (unsigned seen = 0; seen < SEEN; seen++)
        for (unsigned i = 0; i < VERTICES; i++) {
            const unsigned mask = channels(subject, seen);
            const enum vertex_border border = mask ? border_of(v, subject, seen, i) : BORDER_NONE;
            double unit = 1;
            for (unsigned c = 0; c < 4; c++)
                unit = mask >> c & 1 ? fmax(unit, fabs((double)shots[0].value[seen][i][c])) : unit;
            for (unsigned c = 0; c < 4; c++)
                if (mask >> c & 1 && border)
                    d->left_out[border]++;
                else if (mask >> c & 1)
                    compare_value(d, shots, (unsigned[]){seen, i, c},
                                  allowed(vertex_kind_of(seen), c, base, unit));
        }
}

const char *vertex_try(struct vertex_difference *d, struct vertex_shot shots[2],
                       const struct vertex_subject *subject, const struct vertex_how *how, bool *refused)
{
    static struct vertex_values values;
    struct vertex_subject made = *subject;
    *refused = true;
    vertex_values_make(&values, &subject->vertex, how->seed, how->number);
    const char *why = vertex_values_set(&values, &subject->vertex);
    if (why)
        return why;
    *refused = false;
    if (!vertex_scene_draw(&shots[0], &values, subject))
        return "the GL reports an error while drawing by fixed function";
    if (how->sabotage)
        vertex_sabotage(&made.vertex);
    why = vertex_way_draw(&shots[1], &how->by, &values, &made, refused);
    if (!why)
        vertex_compare(d, shots, &values, subject, how->base);
    return why;
}

/* ---- shrinking ---- */

/* Keeps the candidate if it is a different state whose results still differ. */
static bool keep(struct vertex_subject *best, const struct vertex_subject *candidate,
                 const struct vertex_how *how)
{
    static struct vertex_shot shots[2];
    struct vertex_subject c = *candidate;
    struct vertex_difference d;
    bool refused;
    texenv_vertex_canonicalise(&c.vertex);
    if (memcmp(&c, best, sizeof c) == 0 || vertex_try(&d, shots, &c, how, &refused) || !(d.worst > 1))
        return false;
    *best = c;
    return true;
}

/* Tries to set each byte of the subject to 0, which is the simplest mode of any field. In the masks of
 * results that are read, tries to clear single bits, too. */
static bool smaller(struct vertex_subject *best, const struct vertex_how *how)
{
    const size_t of_vertex = sizeof best->vertex;
    for (size_t i = 0; i < sizeof *best; i++) {
        struct vertex_subject c = *best;
        uint8_t *byte = (uint8_t *)&c + i;
        const uint8_t old = *byte;
        if (!old)
            continue;
        *byte = 0;
        if (keep(best, &c, how))
            return true;
        for (unsigned bit = 0; i >= of_vertex && bit < 4; bit++) {
            *byte = old & (uint8_t) ~(1u << bit);
            if (*byte && keep(best, &c, how))
                return true;
        }
    }
    return false;
}

void vertex_shrink(struct vertex_subject *subject, const struct vertex_how *how)
{
    for (unsigned steps = 0; steps < 300 && smaller(subject, how); steps++)
        continue;
}
