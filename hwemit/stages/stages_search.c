/* Searches for a plan: assigns tiles to stages, and their arguments to registers. Works backwards from the
 * result, for each number of stages separately.
 *
 * A search state gives the value that each register must hold after stage k. Going back over a stage replaces
 * at most one value of each pipe by the arguments of the tile that computes it. Before the first stage,
 * registers can hold only the primary colour (CURRENT) and constants. */
#include "hwemit/stages/stages_cover.h"

#include <string.h>

/* ---- one stage ---- */

/* Lists the rgb (part 0) or alpha (part 1) constants that the options of a stage read, as values. one:
 * includes the number 1, if a constant has to hold it. */
static unsigned constants(const struct stages_cover *c, const struct stages_option *const half[2],
                          unsigned part, bool one, uint16_t item[8])
{
    unsigned n = 0;
    if (part == 1 && half[0]->dot4 && c->chip->half)
        item[n++] = STAGES_HALF;
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; i < STAGES_ARGS; i++) {
            const unsigned konst = hwemit_stages_konst_of(c, half[h], i);
            if (konst == STAGES_NONE || (konst == c->one ? !one : c->value[konst].scalar != part))
                continue;
            unsigned k = 0;
            while (k < n && item[k] != konst)
                k++;
            item[n = k == n ? n + 1 : n, k] = (uint16_t)konst;
        }
    return n;
}

/* Writes the alpha half of DOT4. Its term of the dot product must be 0, so both arguments are 1/2. */
static void write_alpha_of_dot4(const struct stages_cover *c, struct stages_half *half,
                                const struct stages_option *color, const uint16_t own[2])
{
    memset(half, 0, sizeof *half);
    half->op = STAGES_DOT4;
    half->out = color->dot4 / 2;
    half->scale = color->dot4_scale;
    const struct stages_operand constant = {
        .used = 1, .source = own[1] == STAGES_HALF ? STAGES_KONST : STAGES_FROM_SHARED};
    for (unsigned i = 1; i < 3 && c->chip->half; i++)
        half->arg[i] = constant;
}

/* Writes an argument that stage k reads without a register. */
static void write_direct(const struct stages_cover *c, struct stages_operand *arg, unsigned value,
                         unsigned pipe, unsigned k)
{
    const struct stages_value *v = &c->value[value];
    const uint16_t *own = c->plan.own[k - 1];
    if (v->number) {
        arg->inv ^= v->p.n == 0;
        const unsigned part = c->plan.one[k - 1];
        arg->source = c->chip->one    ? STAGES_FROM_ONE
            : own[part] == STAGES_ONE ? STAGES_KONST
                                      : STAGES_FROM_SHARED;
        arg->channel = c->chip->one || part == pipe ? STAGES_OWN : pipe ? STAGES_RED : STAGES_ALPHA;
        return;
    }
    const struct stages_atom *a = &c->atom[v->leaf];
    arg->atom = v->leaf;
    arg->channel = pipe == STAGES_COLOR_PIPE && a->scalar ? STAGES_ALPHA : STAGES_OWN;
    arg->source = a->kind == STAGES_KONST && own[a->scalar] != a->index ? STAGES_FROM_SHARED : a->kind;
}

static void write_half(const struct stages_cover *c, struct stages_half *half, const struct stages_option *o,
                       unsigned pipe, unsigned k)
{
    memset(half, 0, sizeof *half);
    half->op = STAGES_ARG1;
    half->store = o->store;
    half->holds = o->tile == STAGES_HOLD;
    if (half->holds) {
        half->arg[1] = (struct stages_operand){.used = 1, .source = STAGES_FROM_CURRENT};
        return;
    }
    if (o->tile != STAGES_MOVE) {
        half->op = o->dot4 ? STAGES_DOT4 : c->tile[o->tile].op;
        half->scale = c->tile[o->tile].scale;
    }
    half->out = o->reg / 2;
    for (unsigned i = 0; i < STAGES_ARGS; i++) {
        if (o->value[i] == STAGES_NONE)
            continue;
        half->arg[i].used = 1;
        half->arg[i].inv = o->inv[i];
        if (o->place[i] == STAGES_DIRECT) {
            write_direct(c, &half->arg[i], o->value[i], pipe, k);
            continue;
        }
        half->arg[i].source = o->place[i] / 2 ? STAGES_FROM_SECOND : STAGES_FROM_CURRENT;
        half->arg[i].channel = o->place[i] % 2 == pipe ? STAGES_OWN : pipe ? STAGES_RED : STAGES_ALPHA;
    }
}

static void write_stage(struct stages_cover *c, const struct stages_option *const half[2], unsigned k)
{
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (pipe == STAGES_ALPHA_PIPE && half[0]->dot4) {
            write_alpha_of_dot4(c, &c->plan.stage[k - 1][pipe], half[0], c->plan.own[k - 1]);
            c->plan.stage[k - 1][pipe].store = half[1]->store;
        } else {
            write_half(c, &c->plan.stage[k - 1][pipe], half[pipe], pipe, k);
        }
}

/* Returns the number that stands for a constant in struct stages_plan. */
static uint16_t name_of(const struct stages_cover *c, unsigned value)
{
    return value == STAGES_NONE || value == STAGES_HALF ? (uint16_t)value
        : value == c->one                               ? (uint16_t)STAGES_ONE
                                                        : c->atom[c->value[value].leaf].index;
}

static bool solve(struct stages_cover *c, const struct stages_goals *after, unsigned k);

/* Assigns the constants of stage k, first of part rgb, then of alpha, and continues with the stages before
 * it. one: the part that holds the number 1. */
static bool with_constants(struct stages_cover *c, struct stages_goals *before,
                           const struct stages_option *const half[2], unsigned k, unsigned part, unsigned one)
{
    if (part == 2) {
        if (!solve(c, before, k - 1))
            return false;
        c->plan.one[k - 1] = (uint8_t)one;
        write_stage(c, half, k);
        return true;
    }
    uint16_t item[8], *goal = &before->goal[c->chip->shared + part];
    const unsigned n = constants(c, half, part, part == one, item);
    const bool sharing = !c->chip->second_constant && (!c->chip->delayed || k > 1);
    const unsigned most = c->chip->second_constant ? 2 : 1;
    const uint16_t shared = *goal;
    /* tries each choice of the shared constant: the one chosen by other stages, or one of this stage */
    for (unsigned g = 0; g <= n; g++) {
        const bool sets = g > 0;
        const uint16_t now = sets ? item[g - 1] : sharing ? shared : STAGES_NONE;
        unsigned own[2] = {STAGES_NONE, STAGES_NONE}, others = 0;
        if (sets && (!sharing || shared != STAGES_NONE || (n < 2 && item[g - 1] != STAGES_HALF)))
            continue; /* the shared constant is already decided, or not needed */
        if (!sets && shared == STAGES_NONE && n && item[0] == STAGES_HALF)
            continue; /* the constant 1/2 is the shared one if possible */
        for (unsigned i = 0; i < n; i++)
            if (item[i] != now && others++ < most)
                own[others - 1] = item[i];
        if (others > most && !c->any_constants)
            continue;
        *goal = sets ? now : shared;
        c->plan.own[k - 1][part] = name_of(c, own[0]);
        c->plan.second[k - 1][part] = name_of(c, own[1]);
        if (with_constants(c, before, half, k, part + 1, one))
            return true;
        *goal = shared;
    }
    return false;
}

enum { PAID = 256, WORK_OF_STEP = 5 };

static bool stage(struct stages_cover *c, const struct stages_goals *after, const struct stages_option *color,
                  const struct stages_option *alpha, unsigned k)
{
    struct stages_goals before = *after;
    const struct stages_option *const half[2] = {color, alpha};
    if (++c->steps % PAID == 0) /* so very short searches take no work and always finish */
        c->stopped |= !hwemit_stages_spend(c, PAID * WORK_OF_STEP);
    if (c->stopped || !hwemit_stages_before(&before, half))
        return false;
    const bool one = (color->konsts | alpha->konsts) >> STAGES_KONSTS & 1;
    return with_constants(c, &before, half, k, 0, 1) || (one && with_constants(c, &before, half, k, 0, 0));
}

/* Tries all pairs of options, of colour and alpha. */
static bool any_pair(struct stages_cover *c, const struct stages_goals *after,
                     const struct stages_options list[2], unsigned k)
{
    for (unsigned i = 0; i < list[0].n; i++)
        for (unsigned j = 0; j < list[1].n; j++) {
            const struct stages_option *color = &list[0].option[i], *alpha = &list[1].option[j];
            if (color->tile == STAGES_HOLD && alpha->tile == STAGES_HOLD && k > 1)
                continue; /* a stage that changes nothing */
            if (stage(c, after, color, alpha, k))
                return true;
        }
    return false;
}

/* Tries all options of stage k, the last one that is still free. */
static bool any_stage(struct stages_cover *c, const struct stages_goals *after, unsigned k)
{
    struct stages_options list[2];
    const uint16_t noptions = c->noptions;
    hwemit_stages_dot4_options(c, list, after, k);
    if (any_pair(c, after, list, k))
        return true;
    c->noptions = noptions;
    hwemit_stages_options(c, &list[0], after, STAGES_COLOR_PIPE, k, false);
    hwemit_stages_options(c, &list[1], after, STAGES_ALPHA_PIPE, k, false);
    return any_pair(c, after, list, k);
}

static bool solve(struct stages_cover *c, const struct stages_goals *after, unsigned k)
{
    if (k == 0) {
        for (unsigned i = 0; i < STAGES_REGISTERS; i++)
            if (after->goal[i] != STAGES_NONE && !hwemit_stages_is_initial(c, after->goal[i], i))
                return false;
        for (unsigned part = 0; part < 2; part++)
            c->plan.shared[part] = name_of(c, after->goal[c->chip->shared + part]);
        return true;
    }
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (!hwemit_stages_pipe_can(c, pipe, after->goal[pipe], after->goal[pipe + 2], k))
            return false;
    uint64_t key = k;
    for (unsigned i = 0; i < STAGES_REGISTERS; i++)
        key = key << 9 | (after->goal[i] & 511u);
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

/* Searches a plan of n stages, first without and then with the operation after the stages. Alpha is tested
 * first, because it fails most often. */
static bool with_last(struct stages_cover *c, const struct stages_goals *after, unsigned n)
{
    struct stages_options list[2] = {{0, NULL}, {0, NULL}};
    static const struct stages_option hold = {.tile = STAGES_HOLD};
    static const struct stages_option *const nothing[2] = {&hold, &hold};
    write_stage(c, nothing, n + 1);
    memset(c->plan.own[n], 0xff, sizeof c->plan.own[n]);
    memset(c->plan.second[n], 0xff, sizeof c->plan.second[n]);
    if (solve(c, after, n))
        return true;
    if (!c->last || hwemit_stages_depth(c, &c->value[after->goal[STAGES_RGB_C]]) > n + 1)
        return false;
    hwemit_stages_options(c, &list[1], after, STAGES_ALPHA_PIPE, n + 1, true);
    const unsigned all = list[1].n;
    list[1].n = 0;
    for (unsigned j = 0; j < all; j++) {
        struct stages_goals before = *after;
        const struct stages_option *const half[2] = {NULL, &list[1].option[j]};
        if (hwemit_stages_before(&before, half) &&
            hwemit_stages_pipe_can(c, STAGES_ALPHA_PIPE, before.goal[STAGES_A_C], before.goal[STAGES_A_S], n))
            list[1].option[list[1].n++] = list[1].option[j];
    }
    if (list[1].n)
        hwemit_stages_options(c, &list[0], after, STAGES_COLOR_PIPE, n + 1, true);
    if (any_pair(c, after, list, n + 1))
        return true;
    c->noptions = 0;
    return false;
}

bool hwemit_stages_search(struct stages_cover *c, unsigned max)
{
    /* true: DOT4 with a scale may help, but needs an assumption, so it is used only if it saves a stage */
    bool dots = false;
    for (unsigned r = 0; r < c->nroots; r++)
        dots |= c->chip->scaled_dot4 && c->value[c->root[r][1]].dots;
    c->steps = c->noptions = 0;
    c->stopped = false;
    memset(c->pipe_memo, 0, sizeof c->pipe_memo);
    for (unsigned n = 1; n <= max; n++)
        for (unsigned scaled = !dots; scaled < (dots && c->own ? 1u : 2u); scaled++) {
            c->scaled_dot4 = scaled;
            if (n == 1 || dots) /* otherwise the memoised failures remain valid */
                memset(c->failed, 0, sizeof c->failed);
            for (unsigned r = 0; r < c->nroots; r++) {
                const struct stages_goals goals = {
                    {c->root[r][0], c->root[r][1], STAGES_NONE, STAGES_NONE, STAGES_NONE, STAGES_NONE}};
                if (with_last(c, &goals, n)) {
                    c->plan.nstages = (uint8_t)n;
                    return true;
                }
            }
        }
    return false;
}
