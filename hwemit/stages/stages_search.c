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
static unsigned constants(const struct stages_cover *c, const struct stages_option *const half[2], unsigned part,
                          uint16_t item[8])
{
    unsigned n = 0;
    if (part == 1 && half[0]->dot4)
        item[n++] = STAGES_HALF;
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; i < 3; i++) {
            const struct stages_atom *a = hwemit_stages_konst_of(c, half[h], i);
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
static void write_alpha_of_dot4(struct stages_half *half, const struct stages_option *color)
{
    memset(half, 0, sizeof *half);
    half->op = STAGES_DOT4;
    half->out = color->dot4 / 2;
    for (unsigned i = 1; i < 3; i++) {
        half->arg[i].used = 1;
        half->arg[i].source = STAGES_S_FACTOR_N;
    }
}

static void write_half(const struct stages_cover *c, struct stages_half *half, const struct stages_option *o,
                       unsigned pipe)
{
    memset(half, 0, sizeof *half);
    half->op = STAGES_ARG1;
    if (o->tile == STAGES_HOLD) {
        half->arg[1].used = 1;
        half->arg[1].source = STAGES_S_CURRENT;
        return;
    }
    if (o->tile != STAGES_MOVE) {
        half->op = o->dot4 ? STAGES_DOT4 : c->tile[o->tile].op;
        half->scale = c->tile[o->tile].scale;
    }
    half->out = o->reg / 2;
    for (unsigned i = 0; i < 3; i++) {
        if (o->value[i] == STAGES_NONE)
            continue;
        half->arg[i].used = 1;
        half->arg[i].inv = o->inv[i];
        if (o->place[i] != STAGES_DIRECT) {
            half->arg[i].source = o->place[i] / 2 ? STAGES_S_ACCUM : STAGES_S_CURRENT;
            half->arg[i].alpha = pipe == STAGES_COLOR_PIPE && o->place[i] % 2 == STAGES_ALPHA_PIPE;
            continue;
        }
        const struct stages_value *v = &c->value[o->value[i]];
        if (v->number) {
            half->arg[i].source = STAGES_S_ONE;
            half->arg[i].inv ^= v->p.n == 0;
            continue;
        }
        const struct stages_atom *a = &c->atom[v->leaf];
        half->arg[i].atom = v->leaf;
        half->arg[i].alpha = pipe == STAGES_COLOR_PIPE && a->scalar;
        half->arg[i].source = a->kind == STAGES_PRIMARY ? STAGES_S_DIFFUSE
            : a->kind == STAGES_SECONDARY               ? STAGES_S_SPECULAR
            : a->kind == STAGES_KONST                   ? STAGES_S_FACTOR_N
                                                      : STAGES_S_TEXEL0;
    }
}

static bool solve(struct stages_cover *c, const struct stages_goals *after, unsigned k);

/* Gives the stage's constants places and goes on with the stages before. part: rgb, then alpha. */
static bool with_constants(struct stages_cover *c, struct stages_goals *before,
                           const struct stages_option *const half[2], unsigned k, unsigned part)
{
    if (part == 2) {
        if (!solve(c, before, k - 1))
            return false;
        for (unsigned pipe = 0; pipe < 2; pipe++)
            if (pipe == STAGES_ALPHA_PIPE && half[0]->dot4)
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
        unsigned own = STAGES_NONE, others = 0;
        if (sets && (global != STAGES_NONE || (n < 2 && item[g - 1] != STAGES_HALF)))
            continue; /* decided, or no need */
        if (!sets && global == STAGES_NONE && n && item[0] == STAGES_HALF)
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

static bool stage(struct stages_cover *c, const struct stages_goals *after, const struct stages_option *color,
                  const struct stages_option *alpha, unsigned k)
{
    struct stages_goals before = *after;
    if (++c->steps % PAID == 0) /* what takes few steps is covered even where there is no work left */
        c->stopped |= !hwemit_stages_spend(c, PAID * WORK_OF_STEP);
    if (c->stopped)
        return false;
    if (color->tile != STAGES_HOLD)
        before.goal[color->reg] = STAGES_NONE;
    if (color->dot4)
        before.goal[color->dot4] = STAGES_NONE;
    if (alpha->tile != STAGES_HOLD)
        before.goal[alpha->reg] = STAGES_NONE;
    if (!hwemit_stages_merge(&before, color) || !hwemit_stages_merge(&before, alpha))
        return false;
    const struct stages_option *const half[2] = {color, alpha};
    return with_constants(c, &before, half, k, 0);
}

static uint64_t key_of(const struct stages_goals *g, unsigned k)
{
    uint64_t key = k;
    for (unsigned i = 0; i < STAGES_REGISTERS; i++)
        key = key << 11 | (g->goal[i] & 2047u);
    for (unsigned i = 0; i < 2; i++)
        key = key << 6 | (g->global[i] == STAGES_HALF ? 62u : g->global[i] & 63u);
    return key;
}

/* All that the last of k stages may do. */
static bool any_stage(struct stages_cover *c, const struct stages_goals *after, unsigned k)
{
    struct stages_options color, alpha;
    const uint16_t noptions = c->noptions;
    static const struct stages_option hold = {.tile = STAGES_HOLD,
                                            .needs = {STAGES_NONE, STAGES_NONE, STAGES_NONE, STAGES_NONE}};
    hwemit_stages_dot4_options(c, &color, after, k);
    for (unsigned i = 0; i < color.n; i++)
        if (stage(c, after, &color.option[i], &hold, k))
            return true;
    c->noptions = noptions;
    hwemit_stages_options(c, &color, after, STAGES_COLOR_PIPE, k);
    hwemit_stages_options(c, &alpha, after, STAGES_ALPHA_PIPE, k);
    for (unsigned i = 0; i < color.n; i++)
        for (unsigned j = 0; j < alpha.n; j++) {
            if (color.option[i].tile == STAGES_HOLD && alpha.option[j].tile == STAGES_HOLD && k > 1)
                continue; /* a stage for nothing */
            if (stage(c, after, &color.option[i], &alpha.option[j], k))
                return true;
        }
    return false;
}

static bool solve(struct stages_cover *c, const struct stages_goals *after, unsigned k)
{
    if (k == 0) {
        for (unsigned i = 0; i < STAGES_REGISTERS; i++)
            if (after->goal[i] != STAGES_NONE &&
                (i > STAGES_A_C || !hwemit_stages_is_initial(c, after->goal[i], i % 2)))
                return false;
        memcpy(c->plan.global, after->global, sizeof c->plan.global);
        return true;
    }
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (!hwemit_stages_pipe_can(c, pipe, after->goal[pipe], after->goal[pipe + 2], k))
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

bool hwemit_stages_search(struct stages_cover *c, unsigned max)
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
                const struct stages_goals goals = {{c->root[r][0], c->root[r][1], STAGES_NONE, STAGES_NONE},
                                                 {STAGES_NONE, STAGES_NONE}};
                if (solve(c, &goals, n)) {
                    c->plan.nstages = (uint8_t)n;
                    return true;
                }
            }
        }
    return false;
}
