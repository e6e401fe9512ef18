/* Which tiles, in which stage, through which registers: backwards from the result, for each number of stages anew.
 *
 * A state of the search says which value must lie in each register before the stages that are already chosen; the stage before them takes the place of at most one
 * value in each pipe by what its tile reads. Before the first stage there is only the primary colour, in CURRENT. */
#include "hwemit/i830/cover.h"

#include <string.h>

enum { RGB_C, A_C, RGB_A, A_A, REGISTERS }; /* CURRENT and ACCUM, colour and alpha: pipe + 2 * output */
enum { HOLD = 0xffff, DIRECT = 0xff, OPTIONS = 256, STEPS = 200000 };

/* ---- what can be had at all ---- */

static bool is_direct(const struct i830_cover *c, unsigned value) { return c->value[value].leaf || c->value[value].number; }

static bool readable(const struct i830_cover *c, unsigned value, unsigned pipe) { return pipe == I830_COLOR_PIPE || c->value[value].scalar; }

static bool can(struct i830_cover *c, unsigned value, unsigned pipe, unsigned k);

/* In some register that the pipe reads, perhaps inverted. */
static bool can_read(struct i830_cover *c, unsigned value, unsigned pipe, unsigned k)
{
    for (unsigned inv = 0; inv < 2; inv++) {
        unsigned v = inv ? hwemit_i830_complement(c, value) : value;
        if (v == I830_NONE)
            continue;
        for (unsigned from = I830_COLOR_PIPE; from <= I830_ALPHA_PIPE; from++)
            if ((from == pipe || from == I830_ALPHA_PIPE) && can(c, v, from, k))
                return true;
    }
    return false;
}

static bool can_tile(struct i830_cover *c, const struct i830_tile *t, unsigned pipe, unsigned k)
{
    if (t->op == I830_DOT3)
        pipe = I830_COLOR_PIPE; /* for alpha as DOT4 */
    for (unsigned pass = 0; pass < 2; pass++) /* what is known at once first */
        for (unsigned i = 0; i < 3; i++) {
            const unsigned v = t->arg[i].value;
            if (v == I830_NONE)
                continue;
            if (is_direct(c, v) ? !readable(c, v, pipe) : k == 1 || (pass == 1 && !can_read(c, v, pipe, k - 1)))
                return false;
        }
    return true;
}

/* In the pipe's CURRENT or ACCUM after k stages, if nothing else were to be computed. */
static bool can(struct i830_cover *c, unsigned value, unsigned pipe, unsigned k)
{
    struct i830_value *v = &c->value[value];
    if (pipe == I830_ALPHA_PIPE && !v->scalar)
        return false;
    if (v->leaf && c->atom[v->leaf].kind == I830_PRIMARY && v->scalar == (pipe == I830_ALPHA_PIPE))
        return true;
    if (k == 0)
        return false;
    if (is_direct(c, value))
        return true;
    /* n operations of at most 3 arguments, each read by another, read 2n+1 leaves. Colour has its own k and those of k-1 stages on alpha; alpha has colour's by
     * dot products. */
    const unsigned one = 2 * k + 1, both = 4 * k - 1;
    if (v->depth > k || v->nvector + v->nscalar > both || (!v->dots && (v->nvector > one || (pipe == I830_ALPHA_PIPE && v->nscalar > one))))
        return false;
    const uint8_t bit = (uint8_t)(1u << k);
    if (v->yes[pipe] & bit)
        return true;
    if (v->no[pipe] & bit)
        return false;
    bool found = can(c, value, pipe, k - 1);
    if (!found)
        hwemit_i830_expand(c, value);
    for (unsigned t = v->tile; t != I830_NONE && !found; t = c->tile[t].next)
        found = can_tile(c, &c->tile[t], pipe, k);
    if (found)
        v->yes[pipe] |= bit;
    else
        v->no[pipe] |= bit;
    return found;
}

/* ---- choices of one pipe in one stage ---- */

struct option {
    uint16_t tile;            /* HOLD: nothing changes */
    uint8_t reg;              /* register written */
    uint8_t dot4;             /* alpha of the same operation goes to this register, or 0 */
    uint16_t value[3];        /* of each argument; I830_NONE */
    uint8_t inv[3], place[3]; /* place: register, or DIRECT */
    uint16_t needs[REGISTERS]; /* what has to be in each register before; I830_NONE */
    uint32_t konsts;          /* the constants that it reads */
};
struct options {
    unsigned n;
    struct option option[OPTIONS];
};

struct goals {
    uint16_t goal[REGISTERS];
    uint16_t global[2];
};

/* The constant that argument i is; NULL if it is none. */
static const struct i830_atom *konst_of(const struct i830_cover *c, const struct option *o, unsigned i)
{
    if (o->tile == HOLD || o->value[i] == I830_NONE || o->place[i] != DIRECT || !c->value[o->value[i]].leaf)
        return NULL;
    const struct i830_atom *a = &c->atom[c->value[o->value[i]].leaf];
    return a->kind == I830_KONST ? a : NULL;
}

/* Whether a does the same as b and asks for nothing that b does not ask for. */
static bool as_good(const struct option *a, const struct option *b)
{
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        if (a->needs[reg] != I830_NONE && a->needs[reg] != b->needs[reg])
            return false;
    return a->reg == b->reg && a->dot4 == b->dot4 && (a->tile == HOLD) == (b->tile == HOLD) && !(a->konsts & ~b->konsts);
}

/* Adds an option, unless there is one as good. */
static void push(struct i830_cover *c, struct options *list, struct option *o)
{
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        o->needs[reg] = I830_NONE;
    o->konsts = 0;
    for (unsigned i = 0; i < 3 && o->tile != HOLD; i++) {
        const struct i830_atom *konst = konst_of(c, o, i);
        if (konst)
            o->konsts |= UINT32_C(1) << konst->index;
        else if (o->value[i] != I830_NONE && o->place[i] != DIRECT)
            o->needs[o->place[i]] = o->value[i];
    }
    for (unsigned i = 0; i < list->n; i++)
        if (as_good(&list->option[i], o))
            return;
    if (list->n == OPTIONS)
        c->overflow = true;
    else
        list->option[list->n++] = *o;
}

/* All places for argument i and those after it. */
static void place(struct i830_cover *c, struct options *list, struct option *o, const struct i830_tile *t, unsigned pipe, unsigned k, unsigned i)
{
    if (i == 3) {
        push(c, list, o);
        return;
    }
    const struct i830_arg a = t->arg[i];
    o->value[i] = a.value;
    o->inv[i] = a.inv;
    o->place[i] = DIRECT;
    if (a.value == I830_NONE || is_direct(c, a.value)) {
        if (a.value == I830_NONE || readable(c, a.value, pipe))
            place(c, list, o, t, pipe, k, i + 1);
        return;
    }
    for (unsigned inv = 0; inv < 2; inv++) {
        const unsigned v = inv ? hwemit_i830_complement(c, a.value) : a.value;
        for (unsigned reg = 0; reg < (c->accum ? REGISTERS : 2u) && v != I830_NONE; reg++) {
            bool clash = (reg % 2 != pipe && !(reg % 2 == I830_ALPHA_PIPE)) || !can(c, v, reg % 2, k - 1);
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

static void one_tile(struct i830_cover *c, struct options *list, struct option *o, const struct i830_tile *t, unsigned pipe, unsigned k)
{
    if (can_tile(c, t, pipe, k))
        place(c, list, o, t, pipe, k, 0);
}

static void options_of(struct i830_cover *c, struct options *list, const struct goals *g, unsigned pipe, unsigned k)
{
    list->n = 0;
    for (unsigned out = 0; out < (c->accum ? 2u : 1u); out++) {
        const unsigned reg = pipe + 2 * out, v = g->goal[reg];
        if (v == I830_NONE)
            continue;
        struct option o = {.tile = 0, .reg = (uint8_t)reg};
        struct i830_tile move = {.op = I830_ARG1, .arg = {{I830_NONE, 0}, {(uint16_t)v, 0}, {I830_NONE, 0}}};
        if (is_direct(c, v)) {
            o.tile = HOLD - 1; /* the move */
            one_tile(c, list, &o, &move, pipe, k);
            continue;
        }
        hwemit_i830_expand(c, v);
        for (unsigned t = c->value[v].tile; t != I830_NONE; t = c->tile[t].next) {
            o.tile = (uint16_t)t;
            if (pipe == I830_COLOR_PIPE || c->tile[t].op != I830_DOT3)
                one_tile(c, list, &o, &c->tile[t], pipe, k);
        }
        if (k > 1 && (c->accum || (pipe == I830_COLOR_PIPE && c->value[v].scalar))) { /* from another register */
            o.tile = HOLD - 1;
            const unsigned first = list->n;
            place(c, list, &o, &move, pipe, k, 0);
            unsigned n = first;
            for (unsigned i = first; i < list->n; i++) /* but not from its own */
                if (list->option[i].place[1] != reg && !list->option[i].inv[1])
                    list->option[n++] = list->option[i];
            list->n = n;
        }
    }
    push(c, list, &(struct option){.tile = HOLD});
}

/* DOT4: alpha is the colour pipe's dot product; its colour comes along, wanted or not. */
static void dot4_options(struct i830_cover *c, struct options *list, const struct goals *g, unsigned k)
{
    list->n = 0;
    for (unsigned out = 0; out < (c->accum ? 2u : 1u); out++) {
        const unsigned v = g->goal[A_C + 2 * out];
        if (v == I830_NONE || is_direct(c, v))
            continue;
        hwemit_i830_expand(c, v);
        for (unsigned t = c->value[v].tile; t != I830_NONE; t = c->tile[t].next)
            for (unsigned reg = RGB_C; c->tile[t].op == I830_DOT3 && reg < (c->accum ? 4u : 2u); reg += 2)
                if (g->goal[reg] == I830_NONE || g->goal[reg] == v) {
                    struct option o = {.tile = (uint16_t)t, .reg = (uint8_t)reg, .dot4 = (uint8_t)(A_C + 2 * out)};
                    one_tile(c, list, &o, &c->tile[t], I830_COLOR_PIPE, k);
                }
    }
}

/* ---- what one pipe can do by itself ---- */

static bool merge(struct goals *before, const struct option *o)
{
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        if (o->needs[reg] != I830_NONE) {
            if (before->goal[reg] != I830_NONE && before->goal[reg] != o->needs[reg])
                return false;
            before->goal[reg] = o->needs[reg];
        }
    return true;
}

/* Both values of a pipe after k stages, if whatever the other pipe has to give were there in time. */
static bool pipe_can(struct i830_cover *c, unsigned pipe, unsigned current, unsigned accum, unsigned k)
{
    const unsigned goal[2] = {current, accum};
    bool wanted = false, found = false;
    for (unsigned out = 0; out < 2; out++) {
        if (goal[out] == I830_NONE)
            continue;
        wanted = true;
        if (!can(c, goal[out], pipe, k) || (out && k == 0))
            return false;
    }
    if (k == 0 || !wanted)
        return true;
    const uint32_t key = (uint32_t)(((goal[0] & 1023u) << 10 | (goal[1] & 1023u)) << 4 | k << 1 | pipe) << 1;
    uint32_t *memo = &c->pipe_memo[key * 2654435769u >> 22];
    if (*memo >> 1 == key >> 1)
        return *memo & 1;
    struct goals g = {{I830_NONE, I830_NONE, I830_NONE, I830_NONE}, {I830_NONE, I830_NONE}};
    struct options list;
    for (unsigned out = 0; out < 2; out++)
        g.goal[pipe + 2 * out] = (uint16_t)goal[out];
    options_of(c, &list, &g, pipe, k);
    for (unsigned i = list.n; i-- > 0 && !found;) { /* holding first: most is had with stages to spare */
        struct goals before = g;
        const struct option *o = &list.option[i];
        if (o->tile != HOLD)
            before.goal[o->reg] = I830_NONE;
        found = merge(&before, o) && pipe_can(c, pipe, before.goal[pipe], before.goal[pipe + 2], k - 1);
    }
    for (unsigned out = 0; pipe == I830_ALPHA_PIPE && out < 2 && !found; out++) /* DOT4: colour's work */
        for (unsigned t = goal[out] == I830_NONE ? I830_NONE : c->value[goal[out]].tile; t != I830_NONE && !found; t = c->tile[t].next)
            found = c->tile[t].op == I830_DOT3 && can_tile(c, &c->tile[t], I830_COLOR_PIPE, k) && pipe_can(c, pipe, out ? goal[0] : I830_NONE, out ? I830_NONE : goal[1], k - 1);
    *memo = key | found;
    return found;
}

/* ---- one stage ---- */

/* The colours (part 0) or alphas (part 1) of constants that the halves read. */
static unsigned constants(const struct i830_cover *c, const struct option *const half[2], unsigned part, uint16_t item[8])
{
    unsigned n = 0;
    if (part == 1 && half[0]->dot4)
        item[n++] = I830_HALF;
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; i < 3; i++) {
            const struct i830_atom *a = konst_of(c, half[h], i);
            if (!a || a->scalar != part)
                continue;
            unsigned k = 0;
            while (k < n && item[k] != a->index)
                k++;
            item[n = k == n ? n + 1 : n, k] = a->index;
        }
    return n;
}

/* Its own term is to be 0: both arguments one half. The scale is the colour operation's. */
static void write_alpha_of_dot4(struct i830_half *half, const struct option *color)
{
    memset(half, 0, sizeof *half);
    half->op = I830_DOT4;
    half->out = color->dot4 / 2;
    for (unsigned i = 1; i < 3; i++) {
        half->arg[i].used = 1;
        half->arg[i].source = I830_S_FACTOR_N;
    }
}

static void write_half(const struct i830_cover *c, struct i830_half *half, const struct option *o, unsigned pipe)
{
    memset(half, 0, sizeof *half);
    half->op = I830_ARG1;
    if (o->tile == HOLD) {
        half->arg[1].used = 1;
        half->arg[1].source = I830_S_CURRENT;
        return;
    }
    if (o->tile != HOLD - 1) {
        half->op = o->dot4 ? I830_DOT4 : c->tile[o->tile].op;
        half->scale = c->tile[o->tile].scale;
    }
    half->out = o->reg / 2;
    for (unsigned i = 0; i < 3; i++) {
        if (o->value[i] == I830_NONE)
            continue;
        half->arg[i].used = 1;
        half->arg[i].inv = o->inv[i];
        if (o->place[i] != DIRECT) {
            half->arg[i].source = o->place[i] / 2 ? I830_S_ACCUM : I830_S_CURRENT;
            half->arg[i].alpha = pipe == I830_COLOR_PIPE && o->place[i] % 2 == I830_ALPHA_PIPE;
            continue;
        }
        const struct i830_value *v = &c->value[o->value[i]];
        if (v->number) {
            half->arg[i].source = I830_S_ONE;
            half->arg[i].inv ^= v->p.n == 0;
            continue;
        }
        const struct i830_atom *a = &c->atom[v->leaf];
        half->arg[i].atom = v->leaf;
        half->arg[i].alpha = pipe == I830_COLOR_PIPE && a->scalar;
        half->arg[i].source = a->kind == I830_PRIMARY ? I830_S_DIFFUSE : a->kind == I830_SECONDARY ? I830_S_SPECULAR : a->kind == I830_KONST ? I830_S_FACTOR_N : I830_S_TEXEL0;
    }
}

static bool solve(struct i830_cover *c, const struct goals *after, unsigned k);

/* Gives the stage's constants places and goes on with the stages before. part: rgb, then alpha. */
static bool with_constants(struct i830_cover *c, struct goals *before, const struct option *const half[2], unsigned k, unsigned part)
{
    if (part == 2) {
        if (!solve(c, before, k - 1))
            return false;
        for (unsigned pipe = 0; pipe < 2; pipe++)
            if (pipe == I830_ALPHA_PIPE && half[0]->dot4)
                write_alpha_of_dot4(&c->plan.stage[k - 1][pipe], half[0]);
            else
                write_half(c, &c->plan.stage[k - 1][pipe], half[pipe], pipe);
        return true;
    }
    uint16_t item[8];
    const unsigned n = constants(c, half, part, item);
    const uint16_t global = before->global[part];
    for (unsigned g = 0; g <= n; g++) { /* which of them is the global one: as it stands, or one that makes it so */
        const bool sets = g > 0;
        const uint16_t now = sets ? item[g - 1] : global;
        unsigned own = I830_NONE, others = 0;
        if (sets && (global != I830_NONE || (n < 2 && item[g - 1] != I830_HALF)))
            continue; /* decided, or no need */
        if (!sets && global == I830_NONE && n && item[0] == I830_HALF)
            continue; /* the half is the global one, if that is free */
        for (unsigned i = 0; i < n; i++)
            if (item[i] != now)
                own = item[i], others++;
        if (others > 1 && !c->any_constants)
            continue;
        before->global[part] = now;
        c->plan.factor[k - 1][part] = (uint16_t)own;
        if (with_constants(c, before, half, k, part + 1)) {
            c->plan.factor[k - 1][part] = (uint16_t)own;
            return true;
        }
        before->global[part] = global;
    }
    return false;
}

static bool stage(struct i830_cover *c, const struct goals *after, const struct option *color, const struct option *alpha, unsigned k)
{
    struct goals before = *after;
    if (++c->steps > STEPS) {
        c->overflow = true;
        return false;
    }
    if (color->tile != HOLD)
        before.goal[color->reg] = I830_NONE;
    if (color->dot4)
        before.goal[color->dot4] = I830_NONE;
    if (alpha->tile != HOLD)
        before.goal[alpha->reg] = I830_NONE;
    if (!merge(&before, color) || !merge(&before, alpha))
        return false;
    const struct option *const half[2] = {color, alpha};
    return with_constants(c, &before, half, k, 0);
}

static uint64_t key_of(const struct goals *g, unsigned k)
{
    uint64_t key = k;
    for (unsigned i = 0; i < REGISTERS; i++)
        key = key << 10 | (g->goal[i] & 1023u);
    for (unsigned i = 0; i < 2; i++)
        key = key << 6 | (g->global[i] == I830_HALF ? 62u : g->global[i] & 63u);
    return key;
}

static bool solve(struct i830_cover *c, const struct goals *after, unsigned k)
{
    if (k == 0) {
        for (unsigned i = 0; i < REGISTERS; i++)
            if (after->goal[i] != I830_NONE && (i > A_C || !can(c, after->goal[i], i % 2, 0)))
                return false;
        memcpy(c->plan.global, after->global, sizeof c->plan.global);
        return true;
    }
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (!pipe_can(c, pipe, after->goal[pipe], after->goal[pipe + 2], k))
            return false;
    const uint64_t key = key_of(after, k);
    uint64_t *failed = &c->failed[(key * 0x9e3779b97f4a7c15u) >> 54];
    if (*failed == key)
        return false;
    struct options color, alpha;
    static const struct option hold = {.tile = HOLD, .needs = {I830_NONE, I830_NONE, I830_NONE, I830_NONE}};
    dot4_options(c, &color, after, k);
    for (unsigned i = 0; i < color.n; i++)
        if (stage(c, after, &color.option[i], &hold, k))
            return true;
    options_of(c, &color, after, I830_COLOR_PIPE, k);
    options_of(c, &alpha, after, I830_ALPHA_PIPE, k);
    for (unsigned i = 0; i < color.n; i++)
        for (unsigned j = 0; j < alpha.n; j++) {
            if (color.option[i].tile == HOLD && alpha.option[j].tile == HOLD && k > 1)
                continue; /* a stage for nothing */
            if (stage(c, after, &color.option[i], &alpha.option[j], k))
                return true;
        }
    *failed = key;
    return false;
}

bool hwemit_i830_search(struct i830_cover *c, const uint16_t root[][2], unsigned nroots, unsigned max)
{
    memset(c->failed, 0, sizeof c->failed);
    memset(c->pipe_memo, 0, sizeof c->pipe_memo);
    for (unsigned n = 1; n <= max; n++)
        for (unsigned r = 0; r < nroots; r++) {
            struct goals goals = {{root[r][0], root[r][1], I830_NONE, I830_NONE}, {I830_NONE, I830_NONE}};
            if (solve(c, &goals, n)) {
                c->plan.nstages = (uint8_t)n;
                return true;
            }
        }
    return false;
}
