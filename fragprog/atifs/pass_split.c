/* Splits a program into two passes. Only x, y and z of a register survive between the passes, so the values
 * that the second pass needs from the first are passed as coordinates or recomputed. The search tries all
 * splits, except those whose lower bound is not better than the best split so far (branch and bound). */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

static inline uint64_t bit(unsigned n) { return UINT64_C(1) << n; }

enum { WORK_OF_SPLIT = 4, WORK_OF_PLAN = 30 };

/* One split of the program. */
struct plan {
    uint64_t first, second; /* nodes of each pass; some may run in both */
    uint64_t passed;        /* nodes of the first pass whose value is passed to the second */
    /* subsets of `passed`: alpha values computed directly in a colour channel, and those moved to one */
    uint64_t converted, moved;
    unsigned texels; /* registers whose texel's alpha is passed as a number, without a second lookup */
};

struct splitting {
    const struct fragprog_graph *g;
    const struct fragprog_schedule_options *options;
    struct fragprog_search *search;
    struct fragprog_slots *best, *pass; /* two passes each */
    bool found;
    unsigned slots, lookups;              /* numbers of the best split */
    uint64_t forbidden;                   /* nodes that are not allowed in a first pass */
    uint64_t results;                     /* nodes that compute a result */
    uint64_t readers[FRAGPROG_MAX_NODES]; /* nodes that read any half of each node's value */
    uint32_t splits;
};

/* Assigns the next channel to a number that is passed to the second pass. A group's channels are filled from
 * blue on, because alpha instructions can read blue without replication. */
static void next_channel(struct fragprog_value *v, unsigned *numbers)
{
    v->group = (uint8_t)(FRAGPROG_FIXED_GROUP + *numbers / 3);
    v->channel = (uint8_t)(2 - *numbers % 3);
    ++*numbers;
}

static bool is_alpha_only(const struct fragprog_graph *g, unsigned n)
{
    return g->node[n].inst[TEXENV_RGB] == FRAGPROG_NO_INST;
}
static bool is_number(const struct fragprog_graph *g, unsigned n)
{
    return is_alpha_only(g, n) || g->scalar & bit(n);
}

/* Passes the alpha of register r's texel as a number. Returns false if there is no room. */
static bool pass_texel(struct fragprog_slots *s, unsigned inst, unsigned r, unsigned *numbers, uint8_t *from)
{
    if (s->nmoves == 8)
        return false;
    if (s->where[inst][TEXENV_ALPHA] == FRAGPROG_NO_VALUE) {
        s->where[inst][TEXENV_ALPHA] = (uint8_t)fragprog_slots_add(s, FRAGPROG_NO_NODE, TEXENV_ALPHA, r, 0);
        s->textures |= (uint8_t)(1u << r);
    }
    unsigned v = fragprog_slots_move(s, inst, TEXENV_ALPHA, TEXENV_RGB, false);
    next_channel(&s->value[v], numbers);
    *from = (uint8_t)v;
    return true;
}

/* Sets up the first pass of a plan. from[n] and texel_from[r]: the first-pass value that carries node n's
 * value, or the alpha of register r's texel. */
static bool build_first(struct splitting *sp, const struct plan *plan, uint8_t *from, uint8_t *texel_from)
{
    struct fragprog_slots *s = &sp->pass[0];
    const struct fragprog_graph *g = sp->g;
    unsigned numbers = 0;
    fragprog_slots_begin(s, g, plan->first, false);
    for (uint64_t rest = plan->passed; rest; rest &= rest - 1) {
        unsigned n = fragprog_lowest(rest), v = s->made[n][TEXENV_RGB];
        if (is_alpha_only(g, n)) {
            unsigned inst = g->node[n].inst[TEXENV_ALPHA];
            if (plan->moved & bit(n)) {
                if (s->nmoves == 8)
                    return false;
                v = fragprog_slots_move(s, inst, TEXENV_ALPHA, TEXENV_RGB, false);
            } else {
                v = s->made[n][TEXENV_ALPHA];
                s->made[n][TEXENV_RGB] = (uint8_t)v;
                s->made[n][TEXENV_ALPHA] = FRAGPROG_NO_VALUE;
                s->takes[TEXENV_ALPHA] &= ~bit(n);
                s->takes[TEXENV_RGB] |= bit(n);
                s->value[v].half = TEXENV_RGB;
            }
        }
        s->value[v].keep = 1;
        if (is_number(g, n))
            next_channel(&s->value[v], &numbers);
        from[n] = (uint8_t)v;
    }
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
        if (plan->texels & 1u << r && !pass_texel(s, g->texel[r], r, &numbers, &texel_from[r]))
            return false;
    uint64_t rgb = g->primary[TEXENV_RGB] & plan->first, alpha = g->primary[TEXENV_ALPHA] & plan->first;
    if (sp->options->primary_texcoord >= 0 && !sp->options->interpolators_first && (rgb || alpha)) {
        if (rgb && alpha) /* a setup passes only three of s, t, r and q, so blue or alpha would be missing */
            return false;
        s->primary = (uint8_t)fragprog_slots_add(s, FRAGPROG_NO_NODE, TEXENV_RGB, FRAGPROG_NO_REG,
                                                 rgb | alpha);
        struct fragprog_value *v = &s->value[s->primary];
        if (alpha)
            v->group = FRAGPROG_FIXED_GROUP + 7, v->channel = 2; /* the third component is q */
        if (fragprog_slots_lookups(s) == FRAGPROG_REGISTERS)
            return false;
    }
    return numbers <= 15;
}

/* Sets up the second pass. in_r0: index of the passed register that is placed in register 0, if any.
 * *registers: number of passed registers. */
static bool build_second(struct splitting *sp, const struct plan *plan, const uint8_t *from,
                         const uint8_t *texel_from, unsigned in_r0, unsigned *registers)
{
    struct fragprog_slots *s = &sp->pass[1];
    const struct fragprog_graph *g = sp->g;
    unsigned numbers = 0, n_registers = 0, group_register[8];
    fragprog_slots_begin(s, g, plan->second, true);
    for (uint64_t rest = plan->passed; rest; rest &= rest - 1) {
        unsigned n = fragprog_lowest(rest), at = n_registers;
        const unsigned index = fragprog_slots_add(s, FRAGPROG_NO_NODE, TEXENV_RGB, FRAGPROG_NO_REG, 0);
        struct fragprog_value *v = &s->value[index];
        v->from = from[n];
        if (is_number(g, n)) {
            next_channel(v, &numbers);
            if (v->channel == 2)
                group_register[v->group - FRAGPROG_FIXED_GROUP] = n_registers++;
            at = group_register[v->group - FRAGPROG_FIXED_GROUP];
        } else {
            n_registers++;
        }
        if (at == in_r0)
            v->reg = 0;
        for (unsigned h = 0; h < 2; h++) {
            unsigned inst = g->node[n].inst[h];
            if (inst == FRAGPROG_NO_INST)
                continue;
            s->where[inst][h] = (uint8_t)index;
            v->readers |= g->readers[inst][h] & plan->second;
        }
        for (unsigned h = 0; h < 2; h++) /* a result of the first pass is moved to its register */
            if (g->node[n].inst[h] != FRAGPROG_NO_INST && g->p.result[h] == g->node[n].inst[h])
                fragprog_slots_move(s, g->node[n].inst[h], h, h, true);
    }
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
        if (!(plan->texels & 1u << r))
            continue;
        /* fragprog_slots_begin made it the value of a lookup */
        struct fragprog_value *v = &s->value[s->where[g->texel[r]][TEXENV_ALPHA]];
        next_channel(v, &numbers);
        if (v->channel == 2)
            group_register[v->group - FRAGPROG_FIXED_GROUP] = n_registers++;
        v->half = TEXENV_RGB;
        v->reg = group_register[v->group - FRAGPROG_FIXED_GROUP] == in_r0 ? 0 : (uint8_t)FRAGPROG_NO_REG;
        v->from = texel_from[r];
        s->textures &= (uint8_t) ~(1u << r);
    }
    *registers = n_registers;
    return n_registers + fragprog_slots_lookups(s) <= FRAGPROG_REGISTERS;
}

static bool search_pass(struct splitting *sp, struct fragprog_slots *s, unsigned from, unsigned most)
{
    struct fragprog_search search = *sp->search;
    search.slots = most < FRAGPROG_PAIRS ? most : FRAGPROG_PAIRS;
    bool found = fragprog_slots_search(s, &search, from);
    sp->search->states = search.states;
    sp->search->gave_up |= search.gave_up;
    return found;
}

/* Schedules both passes of a plan, unless they cannot be better than the best split. */
static void judge(struct splitting *sp, const struct plan *plan)
{
    uint8_t from[FRAGPROG_MAX_NODES], texel_from[FRAGPROG_REGISTERS];
    unsigned registers;
    bool flexible = sp->search->flexible;
    for (uint64_t rest = plan->first & ~plan->passed; rest; rest &= rest - 1) /* every value has a use */
        if (!(sp->readers[fragprog_lowest(rest)] & plan->first))
            return;
    if (!fragprog_search_spend(sp->search, WORK_OF_PLAN))
        return;
    if (!build_first(sp, plan, from, texel_from) ||
        !build_second(sp, plan, from, texel_from, FRAGPROG_NO_REG, &registers))
        return;
    unsigned bound[2] = {fragprog_slots_bound(&sp->pass[0], flexible),
                         fragprog_slots_bound(&sp->pass[1], flexible)},
             lookups = fragprog_slots_lookups(&sp->pass[0]) + fragprog_slots_lookups(&sp->pass[1]);
    if (bound[0] > FRAGPROG_PAIRS || bound[1] > FRAGPROG_PAIRS)
        return;
    if (sp->found &&
        (bound[0] + bound[1] > sp->slots || (bound[0] + bound[1] == sp->slots && lookups >= sp->lookups)))
        return;
    unsigned most = !sp->found ? 2 * FRAGPROG_PAIRS : lookups < sp->lookups ? sp->slots : sp->slots - 1;
    if (!search_pass(sp, &sp->pass[0], bound[0], most - bound[1]))
        return;
    /* Pass a value in register 0 only if the other registers do not suffice. */
    bool crowded = registers > FRAGPROG_REGISTERS - 1u - fragprog_count(sp->pass[1].textures & ~1u);
    bool found = false;
    for (unsigned in_r0 = 0; in_r0 < registers && !found; in_r0++) {
        build_second(sp, plan, from, texel_from, crowded ? in_r0 : (unsigned)FRAGPROG_NO_REG, &registers);
        fragprog_slots_bound(&sp->pass[1], flexible);
        found = search_pass(sp, &sp->pass[1], bound[1], most - sp->pass[0].nslots);
        if (!crowded)
            break;
    }
    if (!found)
        return;
    sp->found = true;
    sp->slots = sp->pass[0].nslots + sp->pass[1].nslots;
    sp->lookups = lookups;
    memcpy(sp->best, sp->pass, 2 * sizeof *sp->pass);
}

/* Tries a plan. If the second pass needs more registers at its start than there are, also tries plans that
 * pass the alpha of texels of which only alpha is read. */
static void consider(struct splitting *sp, struct plan plan)
{
    const struct fragprog_graph *g = sp->g;
    unsigned alpha_only = 0, lookups = 0, colors = 0, numbers = 0;
    if (plan.first)
        judge(sp, &plan);
    if (!sp->search->flexible)
        return;
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
        unsigned inst = g->texel[r];
        bool rgb = inst != FRAGPROG_NO_INST && g->readers[inst][TEXENV_RGB] & plan.second,
             alpha = inst != FRAGPROG_NO_INST && g->readers[inst][TEXENV_ALPHA] & plan.second;
        lookups += rgb || alpha;
        alpha_only |= alpha && !rgb ? 1u << r : 0;
    }
    for (uint64_t rest = plan.passed; rest; rest &= rest - 1)
        *(is_number(g, fragprog_lowest(rest)) ? &numbers : &colors) += 1;
    bool crowded = colors + (numbers + 2) / 3 + lookups > FRAGPROG_REGISTERS;
    for (unsigned texels = alpha_only; texels; texels = (texels - 1) & alpha_only) {
        unsigned n = fragprog_count(texels);
        if ((!crowded && plan.first) || colors + (numbers + n + 2) / 3 + lookups - n > FRAGPROG_REGISTERS)
            continue;
        plan.texels = texels;
        judge(sp, &plan);
    }
}

/* Decides for each value that the second pass needs, from the last to the first, whether it is passed or
 * recomputed. */
static void take_over(struct splitting *sp, struct plan plan, unsigned below)
{
    const struct fragprog_graph *g = sp->g;
    for (unsigned n = below; n-- > 0 && !sp->search->gave_up;) {
        if (!(plan.first & bit(n)) || !(sp->readers[n] & plan.second || sp->results & bit(n)))
            continue;
        struct plan next = plan;
        next.passed |= bit(n);
        if (is_alpha_only(g, n)) {
            next.converted |= bit(n);
            take_over(sp, next, n);
            next.converted &= ~bit(n);
            next.moved |= bit(n);
        }
        take_over(sp, next, n);
        next = plan;
        next.second |= bit(n);
        take_over(sp, next, n);
        return;
    }
    sp->splits++;
    if (fragprog_search_spend(sp->search, WORK_OF_SPLIT))
        consider(sp, plan);
}

/* Enumerates all sets of nodes that can be the first pass: the predecessors of a member are members. */
static void choose_first(struct splitting *sp, uint64_t first, unsigned n)
{
    const struct fragprog_graph *g = sp->g;
    if (sp->search->gave_up)
        return;
    if (n == g->nnodes) {
        if (first || sp->search->flexible)
            take_over(sp, (struct plan){.first = first, .second = (bit(g->nnodes) - 1) & ~first}, g->nnodes);
        return;
    }
    if (!(sp->forbidden & bit(n)) && (g->node[n].preds & ~first) == 0 &&
        fragprog_count(first & g->takes[TEXENV_RGB]) < 2 * FRAGPROG_PAIRS)
        choose_first(sp, first | bit(n), n + 1);
    choose_first(sp, first, n + 1);
}

bool fragprog_split(struct fragprog_schedule_scratch *m, const struct fragprog_schedule_options *options,
                    struct fragprog_search *search, uint32_t *splits)
{
    const struct fragprog_graph *g = &m->graph;
    struct splitting sp = {.g = g, .options = options, .search = search, .best = m->pass, .pass = m->trial};
    if (!options->interpolators_first)
        sp.forbidden = g->secondary |
            (options->primary_texcoord >= 0 ? 0 : g->primary[TEXENV_RGB] | g->primary[TEXENV_ALPHA]);
    for (unsigned n = 0; n < g->nnodes; n++)
        for (unsigned h = 0; h < 2; h++)
            if (g->node[n].inst[h] != FRAGPROG_NO_INST) {
                sp.readers[n] |= g->readers[g->node[n].inst[h]][h];
                sp.results |= g->p.result[h] == g->node[n].inst[h] ? bit(n) : 0;
            }
    choose_first(&sp, 0, 0);
    *splits += sp.splits;
    return sp.found;
}
