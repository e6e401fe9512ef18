/* Lists the operations that a pipe can do in a stage, and tests quickly whether a value can be computed in a
 * given number of stages at all. */
#include "hwemit/stages/stages_cover.h"

#include <stddef.h>

/* ---- necessary conditions for a value to be computable ---- */

bool hwemit_stages_is_direct(const struct stages_cover *c, unsigned value)
{
    return c->value[value].leaf || c->value[value].number;
}

static bool is_constant(const struct stages_cover *c, unsigned value)
{
    const struct stages_value *v = &c->value[value];
    return value == c->one || (v->leaf && c->atom[v->leaf].kind == STAGES_KONST);
}

bool hwemit_stages_is_initial(const struct stages_cover *c, unsigned value, unsigned reg)
{
    if (reg >= STAGES_RGB_S)
        return reg - reg % 2 == c->chip->shared &&
            (value == STAGES_HALF || value == c->one ||
             (is_constant(c, value) && c->value[value].scalar == reg % 2));
    const struct stages_value *v = &c->value[value];
    return v->leaf && c->atom[v->leaf].kind == STAGES_PRIMARY && v->scalar == (reg == STAGES_A_C);
}

static bool readable(const struct stages_cover *c, unsigned value, unsigned pipe)
{
    return pipe == STAGES_COLOR_PIPE || c->value[value].scalar;
}

/* Returns whether `pipe` can read the value from a register of the pipe `from`. */
static bool reads(const struct stages_cover *c, unsigned value, unsigned pipe, unsigned from)
{
    return from == pipe || from == STAGES_ALPHA_PIPE ||
        (c->chip->alpha_reads_color && c->value[value].scalar);
}

static bool can(struct stages_cover *c, unsigned value, unsigned pipe, unsigned k);

/* Returns whether the value, perhaps inverted, can be in some register that the pipe reads. */
static bool can_read(struct stages_cover *c, unsigned value, unsigned pipe, unsigned k)
{
    for (unsigned inv = 0; inv < 2; inv++) {
        unsigned v = inv ? hwemit_stages_complement(c, value) : value;
        if (v == STAGES_NONE)
            continue;
        for (unsigned from = STAGES_COLOR_PIPE; from <= STAGES_ALPHA_PIPE; from++)
            if (reads(c, v, pipe, from) && can(c, v, from, k))
                return true;
    }
    return false;
}

static bool can_tile(struct stages_cover *c, const struct stages_tile *t, unsigned pipe, unsigned k)
{
    if (!(c->ops >> t->op & 1))
        return false;
    if (t->op == STAGES_DOT3) /* the colour pipe computes it also for alpha (DOT4) */
        pipe = STAGES_COLOR_PIPE;
    for (unsigned i = 0; i < STAGES_ARGS; i++) {
        const unsigned v = t->arg[i].value;
        if (v == STAGES_NONE)
            continue;
        if (hwemit_stages_is_direct(c, v) ? !readable(c, v, pipe) : k == 1 || !can_read(c, v, pipe, k - 1))
            return false;
    }
    return true;
}

/* Returns whether the pipe's registers can hold the value after k stages, assuming that nothing else has to
 * be computed. */
static bool can(struct stages_cover *c, unsigned value, unsigned pipe, unsigned k)
{
    struct stages_value *v = &c->value[value];
    if (pipe == STAGES_ALPHA_PIPE && !v->scalar)
        return false;
    if (hwemit_stages_is_initial(c, value, pipe))
        return true;
    if (k == 0)
        return false;
    if (hwemit_stages_is_direct(c, value))
        return true;
    if (hwemit_stages_depth(c, v) > k)
        return false;
    const uint16_t bit = (uint16_t)(1u << k);
    if (v->yes[pipe] & bit)
        return true;
    if (v->no[pipe] & bit)
        return false;
    bool found = can(c, value, pipe, k - 1);
    /* tries existing tiles first, then makes new ones */
    for (unsigned round = 0; round < 2 && !found; round++) {
        if (round && v->expanded >= k)
            break;
        if (round)
            hwemit_stages_expand(c, value, k);
        for (unsigned t = v->tile; t != STAGES_NONE && !found; t = c->tile[t].next)
            found = can_tile(c, &c->tile[t], pipe, k);
    }
    if (found)
        v->yes[pipe] |= bit;
    else
        v->no[pipe] |= bit;
    return found;
}

/* ---- options of one pipe in one stage ---- */

struct choosing {
    struct stages_cover *c;
    struct stages_options *list;
    const struct stages_goals *g;
    unsigned pipe, k;
};

unsigned hwemit_stages_konst_of(const struct stages_cover *c, const struct stages_option *o, unsigned i)
{
    if (o->tile == STAGES_HOLD || o->value[i] == STAGES_NONE || o->place[i] != STAGES_DIRECT)
        return STAGES_NONE;
    if (c->value[o->value[i]].number)
        return c->one;
    return is_constant(c, o->value[i]) ? o->value[i] : STAGES_NONE;
}

/* Returns whether a has the same effect as b and needs nothing that b does not need. */
static bool as_good(const struct stages_option *a, const struct stages_option *b)
{
    if (a->konsts & ~b->konsts || a->reg != b->reg || a->store != b->store || a->dot4 != b->dot4 ||
        (a->tile == STAGES_HOLD) != (b->tile == STAGES_HOLD))
        return false;
    for (unsigned reg = 0; reg < STAGES_REGISTERS; reg++)
        if (a->needs[reg] != STAGES_NONE && a->needs[reg] != b->needs[reg])
            return false;
    return true;
}

/* Adds an option, unless the list already has one that is at least as good. */
static void add(const struct choosing *w, const struct stages_option *o)
{
    for (unsigned i = 0; i < w->list->n; i++)
        if (as_good(&w->list->option[i], o))
            return;
    if (w->c->noptions == STAGES_OPTIONS) {
        w->c->overflow = true;
        return;
    }
    w->list->option[w->list->n++] = *o;
    w->c->noptions++;
}

/* Computes the registers that the option needs, and adds it. If SECOND has a goal and can be copied from
 * CURRENT, adds it with and without the copy. */
static void push(const struct choosing *w, struct stages_option *o)
{
    for (unsigned reg = 0; reg < STAGES_REGISTERS; reg++)
        o->needs[reg] = STAGES_NONE;
    o->konsts = 0;
    o->store = false;
    for (unsigned i = 0; i < STAGES_ARGS && o->tile != STAGES_HOLD; i++) {
        const unsigned konst = hwemit_stages_konst_of(w->c, o, i);
        if (konst != STAGES_NONE)
            o->konsts |= UINT32_C(1) << (konst == w->c->one ? STAGES_KONSTS
                                                            : w->c->atom[w->c->value[konst].leaf].index);
        else if (o->value[i] != STAGES_NONE && o->place[i] != STAGES_DIRECT)
            o->needs[o->place[i]] = o->value[i];
    }
    const uint16_t second = w->g->goal[STAGES_RGB_S + w->pipe];
    if (w->c->chip->delayed && w->k > 1 && second != STAGES_NONE &&
        (o->needs[w->pipe] == STAGES_NONE || o->needs[w->pipe] == second)) {
        struct stages_option stores = *o;
        stores.store = true;
        stores.needs[w->pipe] = second;
        add(w, &stores);
    }
    add(w, o);
}

/* Tries all registers (or DIRECT) for argument i of the tile and the following arguments. */
static void place(const struct choosing *w, struct stages_option *o, const struct stages_tile *t, unsigned i)
{
    struct stages_cover *c = w->c;
    if (i == STAGES_ARGS) {
        push(w, o);
        return;
    }
    const struct stages_arg a = t->arg[i];
    o->value[i] = a.value;
    o->inv[i] = a.inv;
    o->place[i] = STAGES_DIRECT;
    if (a.value == STAGES_NONE || hwemit_stages_is_direct(c, a.value)) {
        if (a.value == STAGES_NONE || readable(c, a.value, w->pipe))
            place(w, o, t, i + 1);
        return;
    }
    for (unsigned inv = 0; inv < (o->tile == STAGES_MOVE ? 1u : 2u); inv++) {
        const unsigned v = inv ? hwemit_stages_complement(c, a.value) : a.value;
        for (unsigned reg = 0; reg < (c->second ? 4u : 2u) && v != STAGES_NONE; reg++) {
            bool clash = (o->tile == STAGES_MOVE && reg == o->reg) || !reads(c, v, w->pipe, reg % 2) ||
                !can(c, v, reg % 2, w->k - 1);
            for (unsigned before = 0; before < i; before++)
                clash |= o->place[before] == reg && o->value[before] != v;
            if (clash)
                continue;
            o->value[i] = (uint16_t)v;
            o->inv[i] = (uint8_t)(a.inv ^ inv);
            o->place[i] = (uint8_t)reg;
            place(w, o, t, i + 1);
        }
    }
}

static void one_tile(const struct choosing *w, struct stages_option *o, const struct stages_tile *t)
{
    if (can_tile(w->c, t, w->pipe, w->k))
        place(w, o, t, 0);
}

/* Returns how many registers of a pipe a stage can write. */
static unsigned outputs(const struct stages_cover *c) { return c->second && !c->chip->delayed ? 2 : 1; }

void hwemit_stages_options(struct stages_cover *c, struct stages_options *list, const struct stages_goals *g,
                           unsigned pipe, unsigned k, bool last)
{
    const struct choosing w = {c, list, g, pipe, k};
    const uint32_t ops = pipe == STAGES_COLOR_PIPE ? (last ? c->last : UINT32_MAX)
        : last                                     ? STAGES_OP(ARG1)
                                                   : ~STAGES_OP(DOT3);
    *list = (struct stages_options){0, &c->option[c->noptions]};
    for (unsigned out = 0; out < outputs(c); out++) {
        const unsigned reg = pipe + 2 * out, v = g->goal[reg];
        if (v == STAGES_NONE)
            continue;
        struct stages_option o = {.tile = STAGES_MOVE, .reg = (uint8_t)reg};
        const struct stages_tile move = {
            .op = STAGES_ARG1,
            .arg = {{STAGES_NONE, 0}, {(uint16_t)v, 0}, {STAGES_NONE, 0}, {STAGES_NONE, 0}}};
        if (hwemit_stages_is_direct(c, v)) {
            one_tile(&w, &o, &move);
            continue;
        }
        if (ops != STAGES_OP(ARG1))
            hwemit_stages_expand(c, v, k);
        for (unsigned t = c->value[v].tile; t != STAGES_NONE; t = c->tile[t].next) {
            o.tile = (uint16_t)t;
            if (ops >> c->tile[t].op & 1 && !(last && c->tile[t].scale))
                one_tile(&w, &o, &c->tile[t]);
        }
        o.tile = STAGES_MOVE; /* from another register */
        if (k > 1 && (c->second || (pipe == STAGES_COLOR_PIPE && c->value[v].scalar)))
            place(&w, &o, &move, 0);
    }
    push(&w, &(struct stages_option){.tile = STAGES_HOLD});
}

/* Adds options of DOT4 for tile t, which write register `alpha` of the alpha pipe and `reg` of the colour
 * pipe. Register `reg` must have no goal or the same one as `alpha`; if alpha has a separate scale, both may
 * differ in scale. */
static void dot4(const struct choosing *w, unsigned t, unsigned alpha, unsigned reg)
{
    struct stages_cover *c = w->c;
    const unsigned goal = w->g->goal[reg];
    struct stages_option o = {
        .tile = (uint16_t)t, .reg = (uint8_t)reg, .dot4 = (uint8_t)alpha, .dot4_scale = c->tile[t].scale};
    if (goal == STAGES_NONE || goal == w->g->goal[alpha]) {
        one_tile(w, &o, &c->tile[t]);
        return;
    }
    if (!c->chip->dot4_scales || hwemit_stages_is_direct(c, goal))
        return;
    hwemit_stages_expand(c, goal, w->k);
    for (unsigned u = c->value[goal].tile; u != STAGES_NONE; u = c->tile[u].next)
        if (hwemit_stages_same(&c->tile[u], &c->tile[t])) {
            o.tile = (uint16_t)u;
            one_tile(w, &o, &c->tile[u]);
        }
}

/* In DOT4, alpha gets the dot product of the colour pipe, which also writes a colour register. */
void hwemit_stages_dot4_options(struct stages_cover *c, struct stages_options list[2],
                                const struct stages_goals *g, unsigned k)
{
    const struct choosing w = {c, &list[0], g, STAGES_COLOR_PIPE, k},
                          alpha = {c, &list[1], g, STAGES_ALPHA_PIPE, k};
    const unsigned outs = outputs(c);
    list[0] = (struct stages_options){0, &c->option[c->noptions]};
    for (unsigned out = 0; out < outs; out++) {
        const unsigned v = g->goal[STAGES_A_C + 2 * out];
        if (v == STAGES_NONE || hwemit_stages_is_direct(c, v))
            continue;
        hwemit_stages_expand(c, v, k);
        for (unsigned t = c->value[v].tile; t != STAGES_NONE; t = c->tile[t].next)
            for (unsigned reg = STAGES_RGB_C;
                 c->tile[t].op == STAGES_DOT3 && (c->tile[t].scale == 0 || c->scaled_dot4) && reg < 2 * outs;
                 reg += 2)
                if (!c->chip->dot4_joined || reg / 2 == out)
                    dot4(&w, t, STAGES_A_C + 2 * out, reg);
    }
    list[1] = (struct stages_options){0, &c->option[c->noptions]};
    push(&alpha, &(struct stages_option){.tile = STAGES_HOLD});
}

/* ---- one pipe, without the other ---- */

bool hwemit_stages_before(struct stages_goals *before, const struct stages_option *const half[2])
{
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        if (half[pipe] && half[pipe]->tile != STAGES_HOLD)
            before->goal[half[pipe]->reg] = STAGES_NONE;
        if (half[pipe] && half[pipe]->dot4)
            before->goal[half[pipe]->dot4] = STAGES_NONE;
        if (half[pipe] && half[pipe]->store)
            before->goal[STAGES_RGB_S + pipe] = STAGES_NONE;
    }
    for (unsigned pipe = 0; pipe < 2; pipe++)
        for (unsigned reg = 0; half[pipe] && reg < STAGES_REGISTERS; reg++) {
            const uint16_t need = half[pipe]->needs[reg];
            if (need != STAGES_NONE && before->goal[reg] != STAGES_NONE && before->goal[reg] != need)
                return false;
            if (need != STAGES_NONE)
                before->goal[reg] = need;
        }
    return true;
}

/* Returns whether the pipe can reach its goals in k stages if the other pipe is ignored (alpha also by DOT4).
 */
static bool any_option(struct stages_cover *c, const struct stages_goals *g, unsigned pipe, unsigned k)
{
    struct stages_options list;
    const uint16_t noptions = c->noptions;
    bool found = false;
    hwemit_stages_options(c, &list, g, pipe, k, false);
    /* options that only keep values are tried first, since most goals are values that early stages compute */
    for (unsigned i = list.n; i-- > 0 && !found;) {
        struct stages_goals before = *g;
        const struct stages_option *const half[2] = {pipe ? NULL : &list.option[i],
                                                     pipe ? &list.option[i] : NULL};
        found = hwemit_stages_before(&before, half) &&
            hwemit_stages_pipe_can(c, pipe, before.goal[pipe], before.goal[pipe + 2], k - 1);
    }
    c->noptions = noptions;
    for (unsigned out = 0; pipe == STAGES_ALPHA_PIPE && out < 2 && !found; out++) {
        const unsigned v = g->goal[pipe + 2 * out], other = g->goal[pipe + 2 - 2 * out];
        for (unsigned t = v == STAGES_NONE || (out && c->chip->delayed) ? STAGES_NONE : c->value[v].tile;
             t != STAGES_NONE && !found; t = c->tile[t].next)
            found = c->tile[t].op == STAGES_DOT3 && can_tile(c, &c->tile[t], STAGES_COLOR_PIPE, k) &&
                (hwemit_stages_pipe_can(c, pipe, out ? other : STAGES_NONE, out ? STAGES_NONE : other,
                                        k - 1) ||
                 (c->chip->delayed && hwemit_stages_pipe_can(c, pipe, other, STAGES_NONE, k - 1)));
    }
    return found;
}

bool hwemit_stages_pipe_can(struct stages_cover *c, unsigned pipe, unsigned current, unsigned second,
                            unsigned k)
{
    struct stages_goals g = {{STAGES_NONE, STAGES_NONE, STAGES_NONE, STAGES_NONE, STAGES_NONE, STAGES_NONE}};
    bool wanted = false;
    g.goal[pipe] = (uint16_t)current;
    g.goal[pipe + 2] = (uint16_t)second;
    for (unsigned reg = pipe; reg < 4; reg += 2) {
        if (g.goal[reg] == STAGES_NONE)
            continue;
        wanted = true;
        if (k == 0 ? !hwemit_stages_is_initial(c, g.goal[reg], reg) : !can(c, g.goal[reg], pipe, k))
            return false;
    }
    if (k == 0 || !wanted)
        return true;
    const uint32_t key = (uint32_t)(((current & 2047u) << 11 | (second & 2047u)) << 5 | k << 1 | pipe) << 1;
    uint32_t *memo = &c->pipe_memo[key * 2654435769u >> 22];
    if (*memo >> 1 == key >> 1)
        return *memo & 1;
    const bool found = any_option(c, &g, pipe, k);
    *memo = key | found;
    return found;
}
