/* Whether there is any cover: all programs of up to four stages for each pipe, those that are right are tiles for the search then (every_enter.c). */
#include "hwemit/i830/every.h"

#include <string.h>

static void *align(struct every *e, size_t size, bool at_end)
{
    const size_t whole = (size + 15) / 16 * 16, room = (size_t)(e->end - e->memory);
    if (whole < size || whole > room)
        return NULL;
    if (at_end)
        return e->end -= whole;
    e->memory += whole;
    return e->memory - whole;
}

void *hwemit_i830_every_take(struct every *e, size_t size) { return align(e, size, false); }
void *hwemit_i830_every_lend(struct every *e, size_t size) { return align(e, size, true); }

/* ---- a pipe ---- */

enum { POINTS = 40, FEWEST = 2, MOST = 4, LENT_EACH = 24, LENT_TRIES = 4 * LENT_EACH, SHORT_AT = 10, LENT_GIVEN_UP = 2 };
#define MOST_WORK 20000000000u
#define LENT_WORK 8000000000u
#define SHORT_LENT_WORK 300000000u
#define MORE_LENT_WORK 300000000u /* where the colour has programs without */
#define TOGETHER_STEPS 100000000 /* of the search that puts both pipes together */
#define MORE_CHAIN_WORK 100000000000u /* where no other programs are known */
#define CHAINS 300000000u /* pairs of functions that are looked through for chains where there are other programs */

/* What is known of all programs so far. */
struct progress {
    uint16_t root[2];
    uint8_t ready[I830_ATOMS]; /* of own_values */
    bool done[2];
    bool whole;                /* no bound was met */
    bool filled, sparing;      /* the tables had no room for all that was found; of programs that are as good few are entered */
    bool shorts;               /* of some only those of three stages were tried */
    bool no_short;             /* of the pipe that was tried last, no program of up to three stages is right, and no chain of four: not all of four were tried */
    bool lent;                 /* programs that read what the alpha pipe lends were all tried */
    bool may_lend;             /* the colour has other programs; those are not tried yet */
    bool indirect;             /* a dot product reads what colour stages make: they may read what alpha lends, which is not looked into */
    struct every_doubts *doubts;
    uint8_t *memory, *end;
};

static struct every start(struct i830_cover *c, unsigned pipe, unsigned root, const struct progress *g)
{
    struct every e = {.c = c, .pipe = pipe, .root = root, .mad = c->mad, .accum = c->accum, .memory = g->memory, .end = g->end, .doubts = g->doubts, .sparing = g->sparing};
    e.dots = c->value[root].dots;
    e.channels = e.dots ? 3 : 1;
    e.most_work = MOST_WORK;
    e.most_tried = 100000000;
    e.most_found = 20000;
    e.seed = 1;
    return e;
}

static bool begin(struct every *e, const uint8_t *ready)
{
    if (!hwemit_i830_every_add_leaves(e, ready))
        return false;
    e->found = hwemit_i830_every_take(e, e->most_found * sizeof *e->found);
    e->asked = hwemit_i830_every_take(e, EVERY_ASKED * sizeof *e->asked);
    e->like = hwemit_i830_every_take(e, EVERY_SAMPLES * sizeof *e->like);
    e->sample = hwemit_i830_every_take(e, (EVERY_SAMPLES + EVERY_LEARNT) * sizeof *e->sample);
    e->through_sample = hwemit_i830_every_take(e, EVERY_SAMPLES * sizeof *e->through_sample);
    if (!e->found || !e->asked || !e->like || !e->sample || !e->through_sample)
        return false;
    hwemit_i830_every_sample(e);
    return true;
}

static void clear(struct every *e)
{
    e->nfound = 0;
    e->too_many = false;
    e->work = e->tried = 0;
    memset(e->asked, 0, EVERY_ASKED * sizeof *e->asked);
}

static enum every_end search_at(struct every *e, unsigned unknowns)
{
    uint8_t *const mark = e->memory;
    clear(e);
    const enum every_end end = !hwemit_i830_every_choose(e, unknowns) || !hwemit_i830_every_make_tables(e) ? EVERY_GAVE_UP : hwemit_i830_every_search(e);
    e->memory = mark;
    return end;
}

static enum every_end search_chains(struct every *e)
{
    uint8_t *const mark = e->memory;
    hwemit_i830_every_sample_apart(e);
    enum every_end end = hwemit_i830_every_make_tables(e) ? EVERY_MORE : EVERY_GAVE_UP;
    const uint64_t n = e->table[EVERY_OF_P].nfunctions, of_leaves = e->table[EVERY_OF_LEAVES].nfunctions;
    if (end == EVERY_MORE && (!e->nfound || (n * n <= CHAINS && n * of_leaves <= CHAINS)))
        end = hwemit_i830_every_chain(e);
    e->memory = mark;
    return end;
}

/* Without ACCUM all programs are chains. With it, at special points; where programs of up to three stages are right at all of these, EVERY_MORE: such programs, and chains of four;
 * EVERY_NO_SHORT: there are none of these, and other programs of four stages were not tried. */
static enum every_end search_pipe(struct every *e)
{
    enum every_end end = EVERY_MORE;
    e->most_work = MOST_WORK;
    if (!e->accum) {
        clear(e);
        return search_chains(e);
    }
    for (unsigned unknowns = e->natoms < FEWEST ? e->natoms : FEWEST; unknowns <= MOST && unknowns <= e->natoms; unknowns++)
        for (unsigned i = 0; i < POINTS; i++) {
            e->only_short = unknowns == e->natoms && e->natoms > FEWEST + 1;
            e->any_point = i % 2;
            end = e->only_short ? EVERY_MORE : search_at(e, unknowns);
            if (end == EVERY_NONE || end == EVERY_SOME)
                return end;
            if (end == EVERY_GAVE_UP || e->only_short)
                break;
        }
    e->only_short = true;
    e->any_point = false;
    end = search_at(e, e->natoms);
    e->only_short = false;
    const bool some = e->nfound > 0;
    e->work = e->tried = 0;
    e->most_work = some ? e->most_work / 4 : MORE_CHAIN_WORK;
    const enum every_end chains = search_chains(e);
    if (end == EVERY_GAVE_UP || (!some && chains == EVERY_GAVE_UP))
        return EVERY_GAVE_UP;
    return e->nfound ? EVERY_MORE : chains == EVERY_NONE ? EVERY_NO_SHORT : EVERY_GAVE_UP;
}

static bool may_lend(const struct every *e)
{
    bool may = false;
    for (unsigned i = 2; i < e->nleaves && e->pipe == I830_COLOR_PIPE; i++)
        may |= e->c->value[e->leaf[i].value].leaf && e->c->value[e->leaf[i].value].scalar;
    return may;
}

/* At a point of so many unknowns. */
static enum every_end lent_at(struct every *e, unsigned unknowns, bool only_short)
{
    uint8_t *const mark = e->memory;
    enum every_end end = EVERY_MORE;
    if (hwemit_i830_every_choose(e, unknowns) && hwemit_i830_every_make_tables(e)) {
        e->only_short = true;
        end = only_short ? EVERY_NONE : hwemit_i830_every_search(e); /* where shorter programs do nearby the point is no good */
        e->only_short = only_short;
        if (end == EVERY_NONE || end == EVERY_SOME)
            end = hwemit_i830_every_lent(e);
        e->only_short = false;
    }
    e->memory = mark;
    return end;
}

/* Chains of the colour pipe that read a value of one stage of the alpha pipe. One point decides: false if none was found that does, and there may be more than what was found. Where
 * points do not, there may be a short one, which is found where all inputs are apart. */
static bool search_lent(struct every *e, uint64_t work)
{
    const bool accum = e->accum;
    bool all = false;
    e->accum = false;
    e->lends = true;
    clear(e);
    for (unsigned i = 0, given_up = 0; i < LENT_TRIES && !all && given_up < LENT_GIVEN_UP && !e->too_many && e->work < work && !e->nfound; i++) {
        if (i == SHORT_AT) {
            const uint64_t done = e->work;
            e->work = 0;
            e->most_work = SHORT_LENT_WORK;
            lent_at(e, e->natoms, true);
            e->work = done;
        }
        const unsigned unknowns = FEWEST + i / LENT_EACH; /* the fewer, the less there is to try */
        e->any_point = i % 2;
        e->most_work = work;
        if (unknowns > e->natoms || e->nfound)
            continue;
        const enum every_end end = lent_at(e, unknowns == FEWEST + LENT_TRIES / LENT_EACH - 1 ? e->natoms : unknowns, false);
        all = end == EVERY_NONE || end == EVERY_SOME;
        given_up += end == EVERY_GAVE_UP;
    }
    e->accum = accum;
    e->lends = e->any_point = false;
    return all && !e->too_many;
}

/* Which of the roots' values says most plainly what the pipe depends on. */
static unsigned root_of(const struct i830_cover *c, unsigned pipe)
{
    unsigned best = c->root[0][pipe];
    for (unsigned r = 1; r < c->nroots; r++) {
        const struct i830_value *const v = &c->value[c->root[r][pipe]], *const b = &c->value[best];
        if (v->nscalar + v->nvector < b->nscalar + b->nvector)
            best = c->root[r][pipe];
    }
    return best;
}

enum { NEVER = 9 };

/* After how many stages the pipe can have a value, at least; NEVER: after more than three. Its programs become tiles. */
static unsigned least_stages(struct i830_cover *c, unsigned pipe, unsigned value, struct progress *g)
{
    struct every e = start(c, pipe, value, g);
    e.only_short = true;
    for (unsigned k = 1; k < c->natoms_read && e.nthrough < EVERY_LEAVES && pipe == I830_ALPHA_PIPE; k++)
        if (c->atom[k].kind == I830_VALUE && c->atom[k].scalar && c->atom[k].value[0] != value && hwemit_i830_every_depends_less(c, c->atom[k].value[0], value))
            e.through[e.nthrough++] = c->atom[k].value[0];
    const bool can = begin(&e, g->ready);
    enum every_end end;
    unsigned least;
    do {
        end = can ? search_at(&e, e.natoms) : EVERY_GAVE_UP;
        least = hwemit_i830_every_enter(&e, &g->filled);
    } while (hwemit_i830_every_again(&e, &g->whole));
    g->whole &= end != EVERY_GAVE_UP;
    return end == EVERY_GAVE_UP ? 1 : least ? least : NEVER;
}

/* The same for it or its complement: readers invert. */
static unsigned least_of_either(struct i830_cover *c, unsigned pipe, unsigned value, struct progress *g)
{
    const unsigned n = least_stages(c, pipe, value, g), complement = n > 1 ? hwemit_i830_complement(c, value) : I830_NONE;
    const unsigned m = complement == I830_NONE ? NEVER : least_stages(c, pipe, complement, g);
    return n < m ? n : m;
}

/* The same for a value that is a dot product, of which it becomes a tile. */
static unsigned least_of_dot(struct i830_cover *c, unsigned value, struct progress *g)
{
    const struct i830_atom dot = *hwemit_i830_every_dot_of(c, value);
    const double scale = (double)c->value[value].p.c[0];
    const struct i830_arg none = {I830_NONE, 0}, x = {dot.value[0], 0}, y = {dot.value[1], dot.inv};
    unsigned most = 0;
    hwemit_i830_tile(c, value, I830_DOT3, scale == 1 ? 0 : scale == 2 ? 1 : 2, none, x, y);
    for (unsigned i = 0; i < 2; i++)
        if (!hwemit_i830_is_direct(c, dot.value[i])) {
            const unsigned n = least_of_either(c, I830_COLOR_PIPE, dot.value[i], g);
            g->indirect = true;
            most = n > most ? n : most;
        }
    return most + 1;
}

/* After how many stages the alpha pipe can have each of the values that the state's program has in alpha; 0: not in time. A dot product is the colour pipe's work. */
static void own_values(struct i830_cover *c, struct progress *g)
{
    for (unsigned i = 1; i < c->natoms_read; i++) {
        if (c->atom[i].kind != I830_VALUE || !c->atom[i].scalar)
            continue;
        const unsigned value = c->atom[i].value[0];
        const unsigned n = hwemit_i830_every_dot_of(c, value) ? least_of_dot(c, value, g) : least_of_either(c, I830_ALPHA_PIPE, value, g);
        g->ready[i] = (uint8_t)(n < I830_STAGES ? n : 0);
    }
}

/* Tries all programs of a pipe; the right ones become tiles. False: there is none. */
static bool try_pipe(struct i830_cover *c, unsigned pipe, struct progress *g)
{
    const struct i830_value *const root = &c->value[g->root[pipe]];
    if (!root->dots && (pipe == I830_ALPHA_PIPE ? root->nscalar : root->nvector) > 2 * I830_STAGES + 1) /* operations of three arguments, each but the first reading the one before */
        return g->no_short = false; /* what is lent is of inputs that are no colours */
    struct every e = start(c, pipe, g->root[pipe], g);
    for (unsigned i = 1; i < c->natoms_read && pipe == I830_ALPHA_PIPE; i++)
        if (g->ready[i] && e.nthrough < EVERY_LEAVES && hwemit_i830_every_depends_less(c, c->atom[i].value[0], g->root[pipe]))
            e.through[e.nthrough++] = c->atom[i].value[0];
    const struct i830_poly half = hwemit_i830_poly_constant(0.5); /* a leaf of the colour, too */
    const unsigned value = hwemit_i830_value(c, &half);
    if (pipe == I830_ALPHA_PIPE && e.nthrough < EVERY_LEAVES && value != I830_NONE)
        e.through[e.nthrough++] = (uint16_t)value;
    g->done[pipe] = true;
    if (!begin(&e, g->ready)) {
        g->whole = false;
        return true;
    }
    enum every_end end;
    do {
        end = search_pipe(&e);
        hwemit_i830_every_enter(&e, &g->filled);
    } while (hwemit_i830_every_again(&e, &g->whole));
    bool lent = false;
    const bool none = end == EVERY_NONE || end == EVERY_NO_SHORT;
    g->lent = true;
    g->may_lend |= !none && may_lend(&e);
    if (none && may_lend(&e)) {
        e.nrounds = 0;
        do {
            g->lent = search_lent(&e, end == EVERY_NONE ? LENT_WORK : MORE_LENT_WORK);
            lent = e.nfound > 0;
            hwemit_i830_every_enter(&e, &g->filled);
        } while (hwemit_i830_every_again(&e, &g->whole));
    }
    g->no_short = end == EVERY_NO_SHORT;
    g->shorts |= end == EVERY_MORE || end == EVERY_NO_SHORT;
    g->whole &= end != EVERY_GAVE_UP;
    return !none || lent;
}

static enum i830_tried none_of(const struct i830_cover *c, unsigned pipe, const struct progress *g)
{
    if (g->no_short)
        return pipe == I830_ALPHA_PIPE ? I830_NO_SHORT_ALPHA : I830_NO_SHORT_COLOR;
    if ((c->value[g->root[pipe]].dots && g->indirect) || (pipe == I830_COLOR_PIPE && !g->lent))
        return I830_NO_OWN;
    return pipe == I830_ALPHA_PIPE ? I830_NO_ALPHA : I830_NO_COLOR;
}

static bool go_together(struct i830_cover *c, struct progress *g)
{
    memset(c->pipe_memo, 0, sizeof c->pipe_memo);
    for (unsigned i = 0; i < c->nvalues; i++)
        c->value[i].no[0] = c->value[i].no[1] = 0;
    c->overflow = false;
    c->most_steps = TOGETHER_STEPS;
    const bool found = hwemit_i830_search(c, I830_STAGES);
    g->whole &= !c->overflow;
    return found;
}

/* Whether there is a cover with some of the programs that read what the alpha pipe lends, where the colour has others that go together with none of alpha's. If not, nothing is changed. */
static bool lent_go_together(struct i830_cover *c, const struct progress *g)
{
    struct progress now = *g;
    struct every e = start(c, I830_COLOR_PIPE, g->root[I830_COLOR_PIPE], g);
    struct i830_cover *const before = hwemit_i830_every_take(&e, sizeof *before);
    const unsigned doubts = g->doubts->n;
    if (!before || !begin(&e, g->ready))
        return false;
    memcpy(before, c, sizeof *c);
    do {
        search_lent(&e, MORE_LENT_WORK);
        hwemit_i830_every_enter(&e, &now.filled);
    } while (hwemit_i830_every_again(&e, &now.whole));
    if (e.nfound && go_together(c, &now))
        return true;
    memcpy(c, before, sizeof *c);
    g->doubts->n = doubts;
    return false;
}

/* Whether there is a cover if all that is doubtful is right. */
static bool would_go_together(struct i830_cover *c, struct progress *g)
{
    for (unsigned i = 0; i < g->doubts->n; i++) {
        const struct i830_tile *const t = &g->doubts->of[i].tile;
        hwemit_i830_tile(c, g->doubts->of[i].value, t->op, t->scale, t->arg[0], t->arg[1], t->arg[2]);
    }
    g->filled |= c->overflow;
    c->doubtful = g->doubts->n > 0;
    return c->doubtful && go_together(c, g);
}

/* All is done again then, sparing. */
static bool is_full(const struct progress *g) { return g->filled && !g->sparing; }

static enum i830_tried try_all(struct i830_cover *c, struct progress *g)
{
    hwemit_i830_every_add_dots(c, g->root[I830_ALPHA_PIPE]);
    own_values(c, g);
    const unsigned by_dot = hwemit_i830_every_dot_of(c, g->root[I830_ALPHA_PIPE]) ? least_of_dot(c, g->root[I830_ALPHA_PIPE], g) : NEVER;
    for (unsigned pipe = 0; pipe < 2; pipe++)
        g->done[pipe] = hwemit_i830_is_direct(c, g->root[pipe]);
    for (unsigned joint = 0; joint < 2 && !is_full(g); joint++) { /* first each pipe that no cover is known for */
        for (unsigned pipe = I830_ALPHA_PIPE + 1; pipe-- > 0;)
            if (!is_full(g) && !g->done[pipe] && (joint || !hwemit_i830_pipe_can(c, pipe, g->root[pipe], I830_NONE, I830_STAGES)) && !try_pipe(c, pipe, g) &&
                (pipe == I830_COLOR_PIPE || by_dot > I830_STAGES))
                return none_of(c, pipe, g);
        if (!is_full(g) && go_together(c, g))
            return I830_COVER_FOUND;
    }
    if (!is_full(g) && g->may_lend && lent_go_together(c, g))
        return I830_COVER_FOUND;
    if (!g->whole || g->filled || would_go_together(c, g) || !g->whole || g->filled)
        return I830_NOT_ALL_TRIED;
    return g->shorts ? I830_SHORT_NOT_TOGETHER : I830_NOT_TOGETHER;
}

enum i830_tried hwemit_i830_every(struct i830_cover *c, void *memory, size_t size)
{
    struct i830_cover *const before = memory; /* the caller's is aligned for anything */
    struct every_doubts *const doubts = (struct every_doubts *)((uint8_t *)memory + (sizeof *before + 15) / 16 * 16);
    struct i830_option *const lists = (struct i830_option *)((uint8_t *)doubts + (sizeof *doubts + 15) / 16 * 16);
    enum i830_tried tried = I830_NOT_ALL_TRIED;
    struct progress g = {0};
    c->frozen = true;
    c->lists = lists;
    memcpy(before, c, sizeof *c);
    for (unsigned sparing = 0; sparing < 2 && (!sparing || (tried == I830_NOT_ALL_TRIED && g.filled)); sparing++) {
        if (sparing)
            memcpy(c, before, sizeof *c);
        g = (struct progress){.root = {(uint16_t)root_of(c, I830_COLOR_PIPE), (uint16_t)root_of(c, I830_ALPHA_PIPE)}, .whole = true, .lent = true, .sparing = sparing, .doubts = doubts};
        g.memory = (uint8_t *)(lists + I830_MORE_OPTIONS * I830_LISTS * (I830_MOST_STAGES + 1)), g.end = (uint8_t *)memory + size;
        doubts->n = 0;
        tried = try_all(c, &g);
    }
    return tried;
}
