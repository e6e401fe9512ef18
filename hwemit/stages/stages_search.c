/* Which tiles, in which stage, through which registers: backwards from the result, for each number of stages
 * anew.
 *
 * A state of the search says which value must lie in each register after stage k; the stage replaces at most
 * one value in each pipe by what its tile reads. Before the first stage there is only the primary colour, in
 * CURRENT. */
#include "hwemit/stages/stages_cover.h"

#include <string.h>

/* ---- one stage ---- */

/* The colours (part 0) or alphas (part 1) of constants that the halves read. */
static unsigned constants(const struct i830_cover *c, const struct i830_option *const half[2], unsigned part,
                          uint16_t item[8])
{
    unsigned n = 0;
    if (part == 1 && half[0]->dot4)
        item[n++] = I830_HALF;
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; i < 3; i++) {
            const struct i830_atom *a = hwemit_i830_konst_of(c, half[h], i);
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
static void write_alpha_of_dot4(struct i830_half *half, const struct i830_option *color)
{
    memset(half, 0, sizeof *half);
    half->op = I830_DOT4;
    half->out = color->dot4 / 2;
    for (unsigned i = 1; i < 3; i++) {
        half->arg[i].used = 1;
        half->arg[i].source = I830_S_FACTOR_N;
    }
}

static void write_half(const struct i830_cover *c, struct i830_half *half, const struct i830_option *o,
                       unsigned pipe)
{
    memset(half, 0, sizeof *half);
    half->op = I830_ARG1;
    if (o->tile == I830_HOLD) {
        half->arg[1].used = 1;
        half->arg[1].source = I830_S_CURRENT;
        return;
    }
    if (o->tile != I830_MOVE) {
        half->op = o->dot4 ? I830_DOT4 : c->tile[o->tile].op;
        half->scale = c->tile[o->tile].scale;
    }
    half->out = o->reg / 2;
    for (unsigned i = 0; i < 3; i++) {
        if (o->value[i] == I830_NONE)
            continue;
        half->arg[i].used = 1;
        half->arg[i].inv = o->inv[i];
        if (o->place[i] != I830_DIRECT) {
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
        half->arg[i].source = a->kind == I830_PRIMARY ? I830_S_DIFFUSE
            : a->kind == I830_SECONDARY               ? I830_S_SPECULAR
            : a->kind == I830_KONST                   ? I830_S_FACTOR_N
                                                      : I830_S_TEXEL0;
    }
}

static bool solve(struct i830_cover *c, const struct i830_goals *after, unsigned k);

/* Gives the stage's constants places and goes on with the stages before. part: rgb, then alpha. */
static bool with_constants(struct i830_cover *c, struct i830_goals *before,
                           const struct i830_option *const half[2], unsigned k, unsigned part)
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
    /* which of them is the global one: as it stands, or one that makes it so */
    for (unsigned g = 0; g <= n; g++) {
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

enum { PAID = 256, WORK_OF_STEP = 5 };

static bool stage(struct i830_cover *c, const struct i830_goals *after, const struct i830_option *color,
                  const struct i830_option *alpha, unsigned k)
{
    struct i830_goals before = *after;
    if (++c->steps % PAID == 0) /* what takes few steps is covered even where there is no work left */
        c->stopped |= !hwemit_i830_spend(c, PAID * WORK_OF_STEP);
    if (c->stopped)
        return false;
    if (color->tile != I830_HOLD)
        before.goal[color->reg] = I830_NONE;
    if (color->dot4)
        before.goal[color->dot4] = I830_NONE;
    if (alpha->tile != I830_HOLD)
        before.goal[alpha->reg] = I830_NONE;
    if (!hwemit_i830_merge(&before, color) || !hwemit_i830_merge(&before, alpha))
        return false;
    const struct i830_option *const half[2] = {color, alpha};
    return with_constants(c, &before, half, k, 0);
}

static uint64_t key_of(const struct i830_goals *g, unsigned k)
{
    uint64_t key = k;
    for (unsigned i = 0; i < I830_REGISTERS; i++)
        key = key << 11 | (g->goal[i] & 2047u);
    for (unsigned i = 0; i < 2; i++)
        key = key << 6 | (g->global[i] == I830_HALF ? 62u : g->global[i] & 63u);
    return key;
}

/* All that the last of k stages may do. */
static bool any_stage(struct i830_cover *c, const struct i830_goals *after, unsigned k)
{
    struct i830_options color, alpha;
    const uint16_t noptions = c->noptions;
    static const struct i830_option hold = {.tile = I830_HOLD,
                                            .needs = {I830_NONE, I830_NONE, I830_NONE, I830_NONE}};
    hwemit_i830_dot4_options(c, &color, after, k);
    for (unsigned i = 0; i < color.n; i++)
        if (stage(c, after, &color.option[i], &hold, k))
            return true;
    c->noptions = noptions;
    hwemit_i830_options(c, &color, after, I830_COLOR_PIPE, k);
    hwemit_i830_options(c, &alpha, after, I830_ALPHA_PIPE, k);
    for (unsigned i = 0; i < color.n; i++)
        for (unsigned j = 0; j < alpha.n; j++) {
            if (color.option[i].tile == I830_HOLD && alpha.option[j].tile == I830_HOLD && k > 1)
                continue; /* a stage for nothing */
            if (stage(c, after, &color.option[i], &alpha.option[j], k))
                return true;
        }
    return false;
}

static bool solve(struct i830_cover *c, const struct i830_goals *after, unsigned k)
{
    if (k == 0) {
        for (unsigned i = 0; i < I830_REGISTERS; i++)
            if (after->goal[i] != I830_NONE &&
                (i > I830_A_C || !hwemit_i830_is_initial(c, after->goal[i], i % 2)))
                return false;
        memcpy(c->plan.global, after->global, sizeof c->plan.global);
        return true;
    }
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (!hwemit_i830_pipe_can(c, pipe, after->goal[pipe], after->goal[pipe + 2], k))
            return false;
    const uint64_t key = key_of(after, k);
    uint64_t *failed = &c->failed[(key * 0x9e3779b97f4a7c15u) >> 54];
    if (*failed == key)
        return false;
    const uint16_t noptions = c->noptions;
    const bool found = any_stage(c, after, k);
    c->noptions = noptions;
    if (!found)
        *failed = key;
    return found;
}

bool hwemit_i830_search(struct i830_cover *c, unsigned max)
{
    bool dots = false; /* to alpha, and scaled: rather without, where that takes no more stages */
    for (unsigned r = 0; r < c->nroots; r++)
        dots |= c->value[c->root[r][1]].dots;
    c->steps = c->noptions = 0;
    c->stopped = false;
    memset(c->pipe_memo, 0, sizeof c->pipe_memo);
    for (unsigned n = 1; n <= max; n++)
        for (unsigned scaled = dots ? 0 : 1; scaled < 2; scaled++) {
            c->scaled_dot4 = scaled;
            memset(c->failed, 0, sizeof c->failed);
            for (unsigned r = 0; r < c->nroots; r++) {
                const struct i830_goals goals = {{c->root[r][0], c->root[r][1], I830_NONE, I830_NONE},
                                                 {I830_NONE, I830_NONE}};
                if (solve(c, &goals, n)) {
                    c->plan.nstages = (uint8_t)n;
                    return true;
                }
            }
        }
    return false;
}
