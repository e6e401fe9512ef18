/* What a pipe may do in a stage, and a quick answer to whether a value can be had in time at all. */
#include "hwemit/stages/stages_cover.h"

#include <string.h>

/* ---- what can be had at all ---- */

bool hwemit_stages_is_direct(const struct stages_cover *c, unsigned value)
{
    return c->value[value].leaf || c->value[value].number;
}

bool hwemit_stages_is_initial(const struct stages_cover *c, unsigned value, unsigned pipe)
{
    const struct stages_value *v = &c->value[value];
    return v->leaf && c->atom[v->leaf].kind == STAGES_PRIMARY && v->scalar == (pipe == STAGES_ALPHA_PIPE);
}

static bool readable(const struct stages_cover *c, unsigned value, unsigned pipe)
{
    return pipe == STAGES_COLOR_PIPE || c->value[value].scalar;
}

static bool can(struct stages_cover *c, unsigned value, unsigned pipe, unsigned k);

/* In some register that the pipe reads, perhaps inverted. */
static bool can_read(struct stages_cover *c, unsigned value, unsigned pipe, unsigned k)
{
    for (unsigned inv = 0; inv < 2; inv++) {
        unsigned v = inv ? hwemit_stages_complement(c, value) : value;
        if (v == STAGES_NONE)
            continue;
        for (unsigned from = STAGES_COLOR_PIPE; from <= STAGES_ALPHA_PIPE; from++)
            if ((from == pipe || from == STAGES_ALPHA_PIPE) && can(c, v, from, k))
                return true;
    }
    return false;
}

static bool can_tile(struct stages_cover *c, const struct stages_tile *t, unsigned pipe, unsigned k)
{
    if (t->op == STAGES_DOT3)
        pipe = STAGES_COLOR_PIPE;               /* for alpha as DOT4 */
    for (unsigned pass = 0; pass < 2; pass++) /* what is known at once first */
        for (unsigned i = 0; i < 3; i++) {
            const unsigned v = t->arg[i].value;
            if (v == STAGES_NONE)
                continue;
            if (hwemit_stages_is_direct(c, v) ? !readable(c, v, pipe)
                                            : k == 1 || (pass == 1 && !can_read(c, v, pipe, k - 1)))
                return false;
        }
    return true;
}

/* In the pipe's CURRENT or ACCUM after k stages, if nothing else were to be computed. */
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
    /* n operations of at most 3 arguments, each read by another, read 2n+1 leaves. Colour has its own k and
     * those of k-1 stages on alpha; alpha has colour's by dot products. */
    const unsigned one = 2 * k + 1, both = 4 * k - 1;
    if (v->depth > k || v->nvector + v->nscalar > both ||
        (!v->dots && (v->nvector > one || (pipe == STAGES_ALPHA_PIPE && v->nscalar > one))))
        return false;
    const uint8_t bit = (uint8_t)(1u << k);
    if (v->yes[pipe] & bit)
        return true;
    if (v->no[pipe] & bit)
        return false;
    bool found = can(c, value, pipe, k - 1);
    for (unsigned round = 0; round < 2 && !found; round++) { /* with what is known already, then with more */
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

/* ---- choices of one pipe in one stage ---- */

/* The constant that argument i is; NULL if it is none. */
const struct stages_atom *hwemit_stages_konst_of(const struct stages_cover *c, const struct stages_option *o,
                                             unsigned i)
{
    if (o->tile == STAGES_HOLD || o->value[i] == STAGES_NONE || o->place[i] != STAGES_DIRECT ||
        !c->value[o->value[i]].leaf)
        return NULL;
    const struct stages_atom *a = &c->atom[c->value[o->value[i]].leaf];
    return a->kind == STAGES_KONST ? a : NULL;
}

/* Whether a does the same as b and asks for nothing that b does not ask for. */
static bool as_good(const struct stages_option *a, const struct stages_option *b)
{
    if (a->asks & ~b->asks || a->konsts & ~b->konsts || a->reg != b->reg || a->dot4 != b->dot4 ||
        (a->tile == STAGES_HOLD) != (b->tile == STAGES_HOLD))
        return false;
    for (unsigned reg = 0; reg < STAGES_REGISTERS; reg++)
        if (a->asks >> reg & 1 && a->needs[reg] != b->needs[reg])
            return false;
    return true;
}

/* Adds an option, unless there is one as good. */
static void push(struct stages_cover *c, struct stages_options *list, struct stages_option *o)
{
    for (unsigned reg = 0; reg < STAGES_REGISTERS; reg++)
        o->needs[reg] = STAGES_NONE;
    o->konsts = 0;
    o->asks = 0;
    for (unsigned i = 0; i < 3 && o->tile != STAGES_HOLD; i++) {
        const struct stages_atom *konst = hwemit_stages_konst_of(c, o, i);
        if (konst)
            o->konsts |= UINT32_C(1) << konst->index;
        else if (o->value[i] != STAGES_NONE && o->place[i] != STAGES_DIRECT)
            o->needs[o->place[i]] = o->value[i], o->asks |= (uint8_t)(1u << o->place[i]);
    }
    for (unsigned i = 0; i < list->n; i++)
        if (as_good(&list->option[i], o))
            return;
    if (c->noptions == STAGES_OPTIONS) {
        c->overflow = true;
        return;
    }
    list->option[list->n++] = *o;
    c->noptions++;
}

/* All places for argument i and those after it. */
static void place(struct stages_cover *c, struct stages_options *list, struct stages_option *o,
                  const struct stages_tile *t, unsigned pipe, unsigned k, unsigned i)
{
    if (i == 3) {
        push(c, list, o);
        return;
    }
    const struct stages_arg a = t->arg[i];
    o->value[i] = a.value;
    o->inv[i] = a.inv;
    o->place[i] = STAGES_DIRECT;
    if (a.value == STAGES_NONE || hwemit_stages_is_direct(c, a.value)) {
        if (a.value == STAGES_NONE || readable(c, a.value, pipe))
            place(c, list, o, t, pipe, k, i + 1);
        return;
    }
    for (unsigned inv = 0; inv < 2; inv++) {
        const unsigned v = inv ? hwemit_stages_complement(c, a.value) : a.value;
        for (unsigned reg = 0; reg < (c->accum ? STAGES_REGISTERS : 2u) && v != STAGES_NONE; reg++) {
            bool clash = (reg % 2 != pipe && !(reg % 2 == STAGES_ALPHA_PIPE)) || !can(c, v, reg % 2, k - 1);
            for (unsigned before = 0; before < i; before++)
                clash |= o->place[before] == reg && o->value[before] != v;
            if (clash)
                continue;
            o->value[i] = (uint16_t)v;
            o->inv[i] = (uint8_t)(a.inv ^ inv);
            o->place[i] = (uint8_t)reg;
            place(c, list, o, t, pipe, k, i + 1);
        }
    }
}

static void one_tile(struct stages_cover *c, struct stages_options *list, struct stages_option *o,
                     const struct stages_tile *t, unsigned pipe, unsigned k)
{
    if (can_tile(c, t, pipe, k))
        place(c, list, o, t, pipe, k, 0);
}

void hwemit_stages_options(struct stages_cover *c, struct stages_options *list, const struct stages_goals *g,
                         unsigned pipe, unsigned k)
{
    *list = (struct stages_options){0, &c->option[c->noptions]};
    for (unsigned out = 0; out < (c->accum ? 2u : 1u); out++) {
        const unsigned reg = pipe + 2 * out, v = g->goal[reg];
        if (v == STAGES_NONE)
            continue;
        struct stages_option o = {.tile = 0, .reg = (uint8_t)reg};
        struct stages_tile move = {.op = STAGES_ARG1, .arg = {{STAGES_NONE, 0}, {(uint16_t)v, 0}, {STAGES_NONE, 0}}};
        if (hwemit_stages_is_direct(c, v)) {
            o.tile = STAGES_MOVE; /* the move */
            one_tile(c, list, &o, &move, pipe, k);
            continue;
        }
        hwemit_stages_expand(c, v, k);
        for (unsigned t = c->value[v].tile; t != STAGES_NONE; t = c->tile[t].next) {
            o.tile = (uint16_t)t;
            if (pipe == STAGES_COLOR_PIPE || c->tile[t].op != STAGES_DOT3)
                one_tile(c, list, &o, &c->tile[t], pipe, k);
        }
        /* from another register */
        if (k > 1 && (c->accum || (pipe == STAGES_COLOR_PIPE && c->value[v].scalar))) {
            o.tile = STAGES_MOVE;
            const unsigned first = list->n;
            place(c, list, &o, &move, pipe, k, 0);
            unsigned n = first;
            for (unsigned i = first; i < list->n; i++) /* but not from its own */
                if (list->option[i].place[1] != reg && !list->option[i].inv[1])
                    list->option[n++] = list->option[i];
            c->noptions = (uint16_t)(c->noptions - (list->n - n));
            list->n = n;
        }
    }
    push(c, list, &(struct stages_option){.tile = STAGES_HOLD});
}

/* DOT4: alpha is the colour pipe's dot product; its colour comes along, wanted or not. */
void hwemit_stages_dot4_options(struct stages_cover *c, struct stages_options *list, const struct stages_goals *g,
                              unsigned k)
{
    *list = (struct stages_options){0, &c->option[c->noptions]};
    for (unsigned out = 0; out < (c->accum ? 2u : 1u); out++) {
        const unsigned v = g->goal[STAGES_A_C + 2 * out];
        if (v == STAGES_NONE || hwemit_stages_is_direct(c, v))
            continue;
        hwemit_stages_expand(c, v, k);
        for (unsigned t = c->value[v].tile; t != STAGES_NONE; t = c->tile[t].next)
            for (unsigned reg = STAGES_RGB_C; c->tile[t].op == STAGES_DOT3 &&
                 (c->tile[t].scale == 0 || c->scaled_dot4) && reg < (c->accum ? 4u : 2u);
                 reg += 2)
                if (g->goal[reg] == STAGES_NONE || g->goal[reg] == v) {
                    struct stages_option o = {
                        .tile = (uint16_t)t, .reg = (uint8_t)reg, .dot4 = (uint8_t)(STAGES_A_C + 2 * out)};
                    one_tile(c, list, &o, &c->tile[t], STAGES_COLOR_PIPE, k);
                }
    }
}

/* ---- what one pipe can do by itself ---- */

bool hwemit_stages_merge(struct stages_goals *before, const struct stages_option *o)
{
    for (unsigned reg = 0; reg < STAGES_REGISTERS; reg++)
        if (o->needs[reg] != STAGES_NONE) {
            if (before->goal[reg] != STAGES_NONE && before->goal[reg] != o->needs[reg])
                return false;
            before->goal[reg] = o->needs[reg];
        }
    return true;
}

bool hwemit_stages_pipe_can(struct stages_cover *c, unsigned pipe, unsigned current, unsigned accum, unsigned k)
{
    const unsigned goal[2] = {current, accum};
    bool wanted = false, found = false;
    for (unsigned out = 0; out < 2; out++) {
        if (goal[out] == STAGES_NONE)
            continue;
        wanted = true;
        if (!can(c, goal[out], pipe, k) || (out && k == 0))
            return false;
    }
    if (k == 0 || !wanted)
        return true;
    const uint32_t key = (uint32_t)(((goal[0] & 2047u) << 11 | (goal[1] & 2047u)) << 4 | k << 1 | pipe) << 1;
    uint32_t *memo = &c->pipe_memo[key * 2654435769u >> 22];
    if (*memo >> 1 == key >> 1)
        return *memo & 1;
    struct stages_goals g = {{STAGES_NONE, STAGES_NONE, STAGES_NONE, STAGES_NONE}, {STAGES_NONE, STAGES_NONE}};
    struct stages_options list;
    const uint16_t noptions = c->noptions;
    for (unsigned out = 0; out < 2; out++)
        g.goal[pipe + 2 * out] = (uint16_t)goal[out];
    hwemit_stages_options(c, &list, &g, pipe, k);
    for (unsigned i = list.n; i-- > 0 && !found;) { /* holding first: most is had with stages to spare */
        struct stages_goals before = g;
        const struct stages_option *o = &list.option[i];
        if (o->tile != STAGES_HOLD)
            before.goal[o->reg] = STAGES_NONE;
        found = hwemit_stages_merge(&before, o) &&
            hwemit_stages_pipe_can(c, pipe, before.goal[pipe], before.goal[pipe + 2], k - 1);
    }
    c->noptions = noptions;
    for (unsigned out = 0; pipe == STAGES_ALPHA_PIPE && out < 2 && !found; out++) /* DOT4: colour's work */
        for (unsigned t = goal[out] == STAGES_NONE ? STAGES_NONE : c->value[goal[out]].tile;
             t != STAGES_NONE && !found; t = c->tile[t].next)
            found = c->tile[t].op == STAGES_DOT3 && can_tile(c, &c->tile[t], STAGES_COLOR_PIPE, k) &&
                hwemit_stages_pipe_can(c, pipe, out ? goal[0] : STAGES_NONE, out ? STAGES_NONE : goal[1], k - 1);
    *memo = key | found;
    return found;
}
