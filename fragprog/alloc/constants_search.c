/* The best layout, by depth-first branch and bound. Vectors, those with the most scalars first, are placed
 * one after the other in every slot where a native swizzle can read them, or are read lane by lane. Scalars
 * then fill the free lanes; for the bound it is sufficient to count them. If a slot already holds all scalars
 * of a vector in suitable lanes, no other slot is tried. */
#include "fragprog/alloc/constants_run.h"
#include "fragprog/ir.h"

#include "fragprog/alloc/sort.h"

struct search {
    struct constants_run *r;
    uint32_t *list; /* vectors of this kind, in the order of the search */
    uint32_t n;
    unsigned external;
    uint32_t base;               /* number of new slots before the search */
    uint32_t pinned;             /* number of slots before the search that are of this kind */
    uint32_t lanes, outstanding; /* lanes in use; scalars that still need a lane */
    uint32_t cost;
    uint32_t limit, least;
    struct constants_found best;
    uint32_t best_slots; /* r->nslots in the best layout */
    bool any;            /* a layout was found */
    uint32_t work;
    bool descend; /* stop at the first layout */
};

static bool of_kind(const struct constants_demand *d, unsigned external)
{
    return external == 2 || d->external == external;
}

uint32_t fragprog_constants_least_lanes(struct constants_run *r, unsigned external)
{
    uint32_t lanes = 0;
    memset(r->mark, 0, r->nids);
    memset(r->count, 0, r->nids * sizeof *r->count);
    memset(r->need, 0, r->nids * sizeof *r->need);
    for (uint32_t s = 0; s < r->nslots; s++) /* pinned slots */
        for (unsigned lane = 0; lane < 4; lane++)
            if (external == 2 || r->external[s] == external)
                r->mark[r->cell[s][lane] / 2] = 1;
    for (uint32_t i = 0; i < r->ndemands; i++) {
        const struct constants_demand *d = &r->demand[i];
        for (unsigned c = 0; c < 4 && of_kind(d, external) && d->kind != CONSTANTS_INLINE; c++)
            if (d->channels >> c & 1 &&
                (!constants_inline(r, d->cell[c] / 2) || (d->keep_sign && d->cell[c] & 1)))
                r->mark[d->cell[c] / 2] = 1;
    }
    for (uint32_t id = 0; id < r->nids; id++)
        lanes += r->mark[id];
    memset(r->mark, 0, r->nids);
    return lanes;
}

/* ---- stored and outstanding scalars ---- */

static bool outstanding(const struct constants_run *r, uint32_t id)
{
    return !r->count[id] && (r->need[id] || r->todo[id]) && !constants_inline(r, id);
}

/* Adds `by` to a counter of the scalar, and updates s->outstanding. */
static void change(struct search *s, uint32_t *counter, uint32_t id, uint32_t by)
{
    bool before = outstanding(s->r, id);
    counter[id] += by;
    s->outstanding += (uint32_t)outstanding(s->r, id) - (uint32_t)before;
}

/* Calls change once for each distinct scalar of a vector. */
static void change_all(struct search *s, uint32_t *counter, const struct constants_demand *d, uint32_t by)
{
    for (unsigned c = 0; c < 4; c++) {
        bool first = d->channels >> c & 1;
        for (unsigned e = 0; e < c; e++)
            first &= !(d->channels >> e & 1) || d->cell[e] / 2 != d->cell[c] / 2;
        if (first)
            change(s, counter, d->cell[c] / 2, by);
    }
}

static void set_cells(struct search *s, uint32_t slot, const uint32_t cell[4])
{
    uint32_t *now = s->r->cell[slot];
    for (unsigned lane = 0; lane < 4; lane++) {
        if (now[lane] == cell[lane])
            continue;
        bool off = cell[lane] == CONSTANTS_NONE;
        uint32_t id = (off ? now[lane] : cell[lane]) / 2;
        now[lane] = cell[lane];
        s->lanes += off ? UINT32_MAX : 1;
        change(s, s->r->count, id, off ? UINT32_MAX : 1);
    }
}

static uint32_t slots_of_kind(const struct search *s) { return s->pinned + s->r->nslots - s->base; }

/* Returns a lower bound on the slots of every completion of the current partial layout. */
static uint32_t bound(const struct search *s)
{
    uint32_t by_lanes = (s->lanes + s->outstanding + 3) / 4;
    return slots_of_kind(s) > by_lanes ? slots_of_kind(s) : by_lanes;
}

static bool better(const struct search *s, uint32_t slots, uint32_t cost)
{
    uint32_t over = slots > s->limit ? slots : s->limit;
    uint32_t best = s->best.slots > s->limit ? s->best.slots : s->limit;
    if (!s->any || over != best)
        return !s->any || over < best;
    return cost != s->best.cost ? cost < s->best.cost : slots < s->best.slots;
}

/* ---- the search ---- */

static void apply(struct search *s, struct constants_level *l, uint32_t slot,
                  const struct constants_placed *placed)
{
    struct constants_run *r = s->r;
    struct constants_demand *d = &r->demand[l->demand];
    l->slot = slot;
    l->applied = true;
    l->opened = slot == r->nslots;
    d->slot = slot;
    if (slot == CONSTANTS_NONE) {
        s->cost += d->cost;
        change_all(s, r->need, d, 1);
    } else {
        if (l->opened)
            fragprog_constants_new_slot(r, s->external);
        memcpy(l->before, r->cell[slot], sizeof l->before);
        set_cells(s, slot, placed->cell);
    }
    change_all(s, r->todo, d, UINT32_MAX);
}

static void undo(struct search *s, struct constants_level *l)
{
    struct constants_run *r = s->r;
    struct constants_demand *d = &r->demand[l->demand];
    change_all(s, r->todo, d, 1);
    if (l->slot == CONSTANTS_NONE) {
        s->cost -= d->cost;
        change_all(s, r->need, d, UINT32_MAX);
    } else {
        set_cells(s, l->slot, l->before);
        r->nslots -= l->opened;
    }
    l->applied = false;
}

/* Tries the next placement in slot l->at that adds exactly l->added lanes. */
static bool try_slot(struct search *s, struct constants_level *l)
{
    struct constants_run *r = s->r;
    const struct constants_demand *d = &r->demand[l->demand];
    bool fresh = l->at == r->nslots;
    const uint32_t *cell = fresh ? fragprog_constants_empty : r->cell[l->at];
    unsigned variants = fragprog_constants_variants(r, d), room = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        room += cell[lane] == CONSTANTS_NONE;
    if (room < l->added || (!fresh && r->external[l->at] != s->external && s->external != 2))
        return false;
    s->work -= s->work > 0;
    while (l->variant < variants) {
        struct constants_placed placed;
        if (fragprog_constants_place(r, d, cell, l->variant++, &placed) && placed.added == l->added) {
            l->done = l->added == 0; /* a placement without a new lane is optimal */
            apply(s, l, l->at, &placed);
            return true;
        }
    }
    return false;
}

/* Finds the next placement of the level's vector. Returns false if there is none. */
static bool advance(struct search *s, struct constants_level *l)
{
    const struct constants_demand *d = &s->r->demand[l->demand];
    if (l->done)
        return false;
    for (; l->added <= 4 && !(d->forced && !d->keep_sign); l->added++, l->at = 0)
        for (; l->at <= s->r->nslots; l->at++, l->variant = 0)
            if (try_slot(s, l))
                return true;
    l->done = true;
    if (d->keep_sign)
        return false;
    apply(s, l, CONSTANTS_NONE, NULL);
    return true;
}

static void record(struct search *s)
{
    struct constants_run *r = s->r;
    uint32_t total = (s->lanes + s->outstanding + 3) / 4;
    total = total > slots_of_kind(s) ? total : slots_of_kind(s);
    if (!better(s, total, s->cost))
        return;
    s->any = true;
    s->best.slots = total;
    s->best.cost = s->cost;
    s->best_slots = r->nslots;
    memcpy(r->best[s->base], r->cell[s->base], (r->nslots - s->base) * sizeof *r->best);
    for (uint32_t i = 0; i < s->n; i++)
        r->demand[s->list[i]].best = r->demand[s->list[i]].slot;
}

static bool ideal(const struct search *s) { return s->any && !s->best.cost && s->best.slots <= s->least; }

/* Runs the search. Returns true if it is complete: everything was searched, or the best possible layout was
 * found. */
static bool descend(struct search *s)
{
    struct constants_level *level = s->r->level;
    uint32_t depth = 0;
    bool over = false, pruned = false;
    memset(level, 0, sizeof *level);
    for (;;) {
        struct constants_level *l = &level[depth];
        over |= s->any && !s->work && !s->descend;
        over |= s->descend && (pruned || depth == s->n);
        if (l->applied)
            undo(s, l);
        if (depth == s->n && !ideal(s))
            record(s);
        if (depth < s->n)
            l->demand = s->list[depth];
        bool on = depth < s->n && !over && !ideal(s) && advance(s, l);
        pruned = on && !better(s, bound(s), s->cost);
        if (pruned)
            continue;
        if (on)
            memset(&level[++depth], 0, sizeof *level);
        else if (!depth--)
            break;
    }
    return !over || ideal(s);
}

/* Scalarises one more vector at a time, always the one that improves the layout most, until the layout fits
 * the limit or nothing improves it; then tries to scalarise all vectors. */
static void scalarise_more(struct search *s)
{
    struct constants_run *r = s->r;
    s->descend = true;
    for (uint32_t chosen = 0; chosen != CONSTANTS_NONE && s->best.slots > s->limit;) {
        chosen = CONSTANTS_NONE;
        for (uint32_t i = 0; i < s->n && s->work; i++) {
            struct constants_demand *d = &r->demand[s->list[i]];
            struct constants_found before = s->best;
            if (d->forced)
                continue;
            d->forced = true;
            descend(s);
            d->forced = false;
            if (s->best.slots != before.slots || s->best.cost != before.cost)
                chosen = s->list[i];
        }
        if (chosen != CONSTANTS_NONE)
            r->demand[chosen].forced = true;
    }
    for (uint32_t i = 0; i < s->n; i++)
        r->demand[s->list[i]].forced = true;
    if (s->best.slots > s->limit)
        descend(s);
    for (uint32_t i = 0; i < s->n; i++)
        r->demand[s->list[i]].forced = false;
}

/* ---- preparation and result ---- */

static unsigned scalars(const struct constants_demand *d)
{
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++) {
        bool first = d->channels >> c & 1;
        for (unsigned e = 0; e < c; e++)
            first &= !(d->channels >> e & 1) || d->cell[e] / 2 != d->cell[c] / 2;
        n += first;
    }
    return n;
}

/* Sort order: vectors with a fixed sign first, then those with more scalars, then by slot. */
static bool before_vector(const void *user, uint32_t a, uint32_t b)
{
    const struct constants_run *r = user;
    const struct constants_demand *x = &r->demand[a], *y = &r->demand[b];
    if (x->keep_sign != y->keep_sign) /* vectors that can be negated can adopt the stored sign */
        return x->keep_sign;
    if (scalars(x) != scalars(y))
        return scalars(x) > scalars(y);
    return r->q->read[x->read].slot < r->q->read[y->read].slot;
}

static void begin(struct search *s)
{
    struct constants_run *r = s->r;
    memset(r->count, 0, r->nids * sizeof *r->count);
    memset(r->need, 0, r->nids * sizeof *r->need);
    memset(r->todo, 0, r->nids * sizeof *r->todo);
    memset(r->mark, 0, r->nids);
    s->base = r->nslots;
    for (uint32_t n = 0; n < r->nslots; n++) {
        if (s->external != 2 && r->external[n] != s->external)
            continue;
        s->pinned++;
        s->lanes += 4;
        for (unsigned lane = 0; lane < 4; lane++)
            if (r->cell[n][lane] == CONSTANTS_NONE)
                s->lanes--;
            else
                r->count[r->cell[n][lane] / 2]++;
    }
    for (uint32_t i = 0; i < r->ndemands; i++) {
        const struct constants_demand *d = &r->demand[i];
        if (!of_kind(d, s->external) || d->kind == CONSTANTS_PINNED || d->kind == CONSTANTS_INLINE)
            continue;
        change_all(s, d->kind == CONSTANTS_VECTOR ? r->todo : r->need, d, 1);
        if (d->kind == CONSTANTS_VECTOR)
            s->list[s->n++] = i;
    }
    fragprog_sort(s->list, s->n, r->room, before_vector, r);
}

/* Rebuilds the best layout and adds the scalars. */
static void finish(struct search *s)
{
    struct constants_run *r = s->r;
    uint32_t first = 0;
    for (uint32_t n = s->base; n < s->best_slots; n++) {
        fragprog_constants_new_slot(r, s->external);
        for (unsigned lane = 0; lane < 4; lane++)
            if (r->best[n][lane] != CONSTANTS_NONE)
                fragprog_constants_put(r, n, lane, r->best[n][lane]);
    }
    for (uint32_t i = 0; i < s->n; i++)
        r->demand[s->list[i]].slot = r->demand[s->list[i]].best;
    for (uint32_t i = 0; i < r->ndemands; i++) {
        const struct constants_demand *d = &r->demand[r->demand_of[r->order[i]]];
        bool scalar = d->kind == CONSTANTS_SINGLE ||
            (d->kind == CONSTANTS_VECTOR && d->slot == CONSTANTS_NONE);
        for (unsigned c = 0; c < 4 && scalar && of_kind(d, s->external); c++)
            if (d->channels >> c & 1 && !fragprog_constants_present(r, d, d->cell[c]))
                fragprog_constants_put_anywhere(r, &first, d->cell[c], s->external);
    }
}

struct constants_found fragprog_constants_search(struct constants_run *r, unsigned external, uint32_t limit,
                                                 uint32_t least)
{
    struct search s = {.r = r,
                       .list = r->list,
                       .external = external,
                       .limit = limit,
                       .least = least,
                       .work = r->q->work ? r->q->work : FRAGPROG_CONSTANTS_WORK};
    begin(&s);
    bool proved = descend(&s);
    if (!proved) {
        s.work = r->q->work ? r->q->work : FRAGPROG_CONSTANTS_WORK;
        scalarise_more(&s);
    }
    finish(&s);
    s.best.proved = proved;
    return s.best;
}
