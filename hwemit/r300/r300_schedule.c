/* Pairs: operations in an order, two at a time. List scheduling by the longest way to an end; where that is
 * not as short as the bound, a search over all orders, bounded by a number of steps. */
#include "hwemit/r300/r300_program.h"

#include <string.h>

static const struct vreg *vreg_of(const struct program *p, const struct leaf *leaf)
{
    return leaf->file == FILE_VREG ? &p->vreg[leaf->index] : NULL;
}

/* Blocks of lookups: the first reads interpolated coordinates; a block reads what the operations before it
 * made. */
static unsigned find_phases(struct program *p)
{
    unsigned most = 0;
    for (unsigned i = 0; i < p->nvregs; i++)
        p->vreg[i].phase = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < p->ntex; i++) {
            struct lookup *t = &p->tex[i];
            const struct vreg *coord = &p->vreg[t->coord];
            unsigned phase = coord->kind == V_INPUT ? 0 : coord->phase + 1u;
            changed |= t->phase != phase || p->vreg[t->result].phase != phase;
            t->phase = p->vreg[t->result].phase = (uint16_t)phase;
            most = phase > most ? phase : most;
        }
        for (unsigned i = 0; i < p->nops; i++) {
            struct op *op = &p->op[i];
            unsigned phase = op->phase;
            for (unsigned l = 0; l < op->nleaves; l++) {
                const struct vreg *v = vreg_of(p, &op->leaf[l]);
                phase = v && v->phase > phase ? v->phase : phase;
            }
            changed |= phase != op->phase;
            op->phase = (uint16_t)phase;
            for (unsigned h = 0; h < 2; h++)
                if (op->result[h] != NONE && p->vreg[op->result[h]].phase < phase) {
                    p->vreg[op->result[h]].phase = (uint16_t)phase;
                    changed = true;
                }
        }
        if (most > MAX_TEX)
            return most;
    }
    return most;
}

/* Longest ways to an end, and the last block of operations that each may stand in (before the lookup that
 * needs it). */
static void find_heights(struct program *p, uint16_t *deadline)
{
    uint16_t height[MAX_VREGS], before[MAX_VREGS];
    memset(height, 0, p->nvregs * sizeof *height);
    memset(before, 0xff, p->nvregs * sizeof *before);
    /* Producers come before readers among operations, and lookups in order: two rounds per block are enough,
     * more change nothing. */
    for (unsigned round = 0; round <= p->phases; round++) {
        for (unsigned i = p->ntex; i-- > 0;) {
            const struct lookup *t = &p->tex[i];
            uint16_t limit = (uint16_t)(t->phase - 1), h = (uint16_t)(height[t->result] + 1);
            if (t->phase && before[t->coord] > limit)
                before[t->coord] = limit;
            height[t->coord] = h > height[t->coord] ? h : height[t->coord];
        }
        for (unsigned i = p->nops; i-- > 0;) {
            struct op *op = &p->op[i];
            op->height = 1;
            deadline[i] = NONE;
            for (unsigned h = 0; h < 2; h++)
                if (op->result[h] != NONE) {
                    if (height[op->result[h]] + 1 > op->height)
                        op->height = (uint16_t)(height[op->result[h]] + 1);
                    if (before[op->result[h]] < deadline[i])
                        deadline[i] = before[op->result[h]];
                }
            for (unsigned l = 0; l < op->nleaves; l++)
                if (op->leaf[l].file == FILE_VREG) {
                    uint16_t v = op->leaf[l].index;
                    height[v] = op->height > height[v] ? op->height : height[v];
                    before[v] = deadline[i] < before[v] ? deadline[i] : before[v];
                }
        }
    }
}

static bool ready(const struct program *p, unsigned i, unsigned phase)
{
    const struct op *op = &p->op[i];
    if (op->pair != NONE || op->phase > phase)
        return false;
    for (unsigned l = 0; l < op->nleaves; l++) {
        const struct vreg *v = vreg_of(p, &op->leaf[l]);
        if (v && v->kind == V_OP && v->writers)
            return false;
    }
    return true;
}

static void commit(struct program *p, const struct pair *pair, unsigned phase)
{
    p->pair[p->npairs] = *pair;
    p->pair[p->npairs].phase = (uint16_t)phase;
    for (unsigned half = 0; half < 2; half++) {
        unsigned i = pair->half[half].op;
        if (i == NONE)
            continue;
        p->op[i].pair = p->npairs;
        p->op[i].half = (uint8_t)half;
        if (pair->half[half].temp != NONE) {
            struct vreg *v = &p->vreg[pair->half[half].temp];
            v->writers--;
            if (v->uniform)
                v->part = (uint8_t)half;
        }
    }
    p->npairs++;
}

static void take_back(struct program *p)
{
    const struct pair *pair = &p->pair[--p->npairs];
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE) {
            p->op[pair->half[half].op].pair = NONE;
            if (pair->half[half].temp != NONE)
                p->vreg[pair->half[half].temp].writers++;
        }
}

static bool can_stand(const struct op *op, unsigned half)
{
    return op->where == AT_EITHER || op->where == (half == RGB ? AT_RGB : AT_ALPHA);
}

/* slack: what the longest way may be too long. */
static bool hopeless(const struct program *p, unsigned left, unsigned slack)
{
    unsigned rgb = 0, alpha = 0, total = 0;
    for (unsigned i = 0; i < p->nops; i++) {
        const struct op *op = &p->op[i];
        if (op->pair != NONE)
            continue;
        if (op->height > left + slack)
            return true;
        rgb += op->where == AT_RGB || op->where == AT_BOTH;
        alpha += op->where == AT_ALPHA || op->where == AT_BOTH;
        total += op->where == AT_BOTH ? 2 : 1;
    }
    return rgb > left || alpha > left || total > 2 * left;
}

/* No source of it may lie in either part: whether it fits does not depend on the order. */
static bool is_settled(const struct program *p, const struct op *op)
{
    for (unsigned l = 0; l < op->nleaves; l++)
        if (op->leaf[l].file == FILE_VREG && p->vreg[op->leaf[l].index].uniform)
            return false;
    return true;
}

/* hwemit_r300_place; what did not fit once is not tried again. */
static bool place(struct program *p, struct pair *pair, unsigned rgb, unsigned alpha)
{
    const bool few = p->nops <= SEARCH_OPS && rgb != NONE && alpha != NONE;
    if (few && p->unfit[rgb] >> alpha & 1)
        return false;
    if (hwemit_r300_place(p, pair, rgb, alpha))
        return true;
    if (few && is_settled(p, &p->op[rgb]) && is_settled(p, &p->op[alpha]))
        p->unfit[rgb] |= 1u << alpha;
    return false;
}

/* ---- list scheduling ---- */

/* Which operations may be taken: those that are ready in this block; needed: only what has to be done in it.
 */
struct block {
    unsigned phase;
    const uint16_t *deadline; /* by operation: the last block that it may stand in */
    bool needed;
};

/* Does i come before the other one: a longer way to go, or it can stand nowhere else? */
static bool is_before(const struct program *p, unsigned i, unsigned other)
{
    const struct op *a = &p->op[i], *b = &p->op[other];
    return a->height > b->height ||
        (a->height == b->height && b->where == AT_EITHER && a->where != AT_EITHER);
}

/* Operations that may stand in this half beside `other`. */
struct candidates {
    unsigned n;
    uint16_t op[MAX_OPS];
};

static void find_candidates(const struct program *p, struct candidates *list, unsigned half, unsigned other,
                            const struct block *b)
{
    list->n = 0;
    for (unsigned i = 0; i < p->nops; i++)
        if (i != other && can_stand(&p->op[i], half) && (!b->needed || b->deadline[i] <= b->phase) &&
            ready(p, i, b->phase))
            list->op[list->n++] = (uint16_t)i;
}

/* The place of the one with the longest way to go. */
static unsigned first_of(const struct program *p, const struct candidates *list)
{
    unsigned first = 0;
    for (unsigned k = 1; k < list->n; k++)
        if (is_before(p, list->op[k], list->op[first]))
            first = k;
    return first;
}

/* The one for this half with the longest way to go that fits beside `other`. */
static unsigned best(struct program *p, struct pair *pair, unsigned half, unsigned other,
                     const struct block *b)
{
    struct candidates list;
    find_candidates(p, &list, half, other, b);
    while (list.n) {
        const unsigned first = first_of(p, &list), i = list.op[first];
        if (place(p, pair, half == RGB ? i : other, half == RGB ? other : i))
            return i;
        memmove(&list.op[first], &list.op[first + 1], (--list.n - first) * sizeof *list.op);
    }
    return NONE;
}

/* An operation of both halves with the longest way to go. */
static unsigned best_of_both(const struct program *p, const struct block *b)
{
    unsigned both = NONE;
    for (unsigned i = 0; i < p->nops; i++)
        if (p->op[i].where == AT_BOTH && (!b->needed || b->deadline[i] <= b->phase) &&
            ready(p, i, b->phase) && (both == NONE || p->op[i].height > p->op[both].height))
            both = i;
    return both;
}

/* Does the alpha operation come first: has it further to go, or can the other stand elsewhere? */
static bool alpha_leads(const struct program *p, unsigned rgb, unsigned alpha)
{
    return rgb == NONE ||
        (alpha != NONE &&
         (p->op[alpha].height > p->op[rgb].height ||
          (p->op[rgb].where == AT_EITHER && p->op[alpha].height == p->op[rgb].height)));
}

static unsigned first_candidate(const struct program *p, unsigned half, const struct block *b)
{
    struct candidates list;
    find_candidates(p, &list, half, NONE, b);
    return list.n ? list.op[first_of(p, &list)] : NONE;
}

/* This operation, and what fits beside it. */
static bool pair_up(struct program *p, unsigned half, unsigned op, const struct block *b)
{
    struct pair pair;
    const struct block beside = {b->phase, b->deadline, false};
    if (best(p, &pair, 1 - half, op, &beside) == NONE &&
        !place(p, &pair, half == RGB ? op : NONE, half == RGB ? NONE : op))
        return false;
    commit(p, &pair, b->phase);
    return true;
}

static bool step(struct program *p, unsigned phase, const uint16_t *deadline, bool needed)
{
    const struct block block = {phase, deadline, needed};
    const unsigned both = best_of_both(p, &block);
    struct pair pair;
    unsigned rgb = first_candidate(p, RGB, &block), alpha = first_candidate(p, ALPHA, &block);
    if (both != NONE && p->op[both].height >= (rgb != NONE ? p->op[rgb].height : 0) &&
        (alpha == NONE || p->op[both].height >= p->op[alpha].height) && place(p, &pair, both, both)) {
        commit(p, &pair, phase);
        return true;
    }
    if (rgb == NONE && alpha == NONE)
        return false;
    if (alpha_leads(p, rgb, alpha) ? pair_up(p, ALPHA, alpha, &block) : pair_up(p, RGB, rgb, &block))
        return true;
    /* it does not even fit alone: one that does */
    rgb = best(p, &pair, RGB, NONE, &block);
    alpha = best(p, &pair, ALPHA, NONE, &block);
    if (rgb == NONE && alpha == NONE)
        return false;
    return alpha_leads(p, rgb, alpha) ? pair_up(p, ALPHA, alpha, &block) : pair_up(p, RGB, rgb, &block);
}

static void empty_pair(struct pair *pair)
{
    memset(pair, 0, sizeof *pair);
    pair->pre[0] = pair->pre[1] = PRE_NONE;
    for (unsigned half = 0; half < 2; half++) {
        pair->half[half].op = pair->half[half].temp = NONE;
        for (unsigned a = 0; a < 3; a++)
            pair->half[half].arg[a].from = SRC_ZERO;
    }
}

static bool list_schedule(struct program *p, const uint16_t *deadline)
{
    for (unsigned phase = 0; phase <= p->phases; phase++) {
        const bool last = phase == p->phases;
        const unsigned start = p->npairs;
        for (;;) {
            bool more = false;
            for (unsigned i = 0; i < p->nops && !more; i++)
                more = p->op[i].pair == NONE && (last || deadline[i] <= phase);
            if (!more)
                break;
            if (p->npairs == MAX_PAIRS || !step(p, phase, deadline, !last))
                return false;
        }
        /* every block has an ALU instruction (facts: section 3.2) */
        if (p->npairs == start && !step(p, phase, deadline, false) && p->npairs < MAX_PAIRS) {
            struct pair nothing;
            empty_pair(&nothing);
            commit(p, &nothing, phase);
        }
    }
    return true;
}

/* ---- search ---- */

enum { SEARCH_STEPS = 4000 };
struct search {
    struct program *p;
    unsigned length, steps;
};

static bool search(struct search *s)
{
    struct program *p = s->p;
    bool done = true;
    for (unsigned i = 0; i < p->nops; i++)
        done &= p->op[i].pair != NONE;
    if (done)
        return true;
    if (p->npairs == s->length || hopeless(p, s->length - p->npairs, 0))
        return false;
    unsigned list[SEARCH_OPS], n = 0;
    for (unsigned i = 0; i < p->nops; i++)
        if (ready(p, i, 0))
            list[n++] = i;
    for (unsigned a = 0; a <= n; a++)
        for (unsigned b = 0; b <= n; b++) {
            unsigned rgb = a < n ? list[a] : NONE, alpha = b < n ? list[b] : NONE;
            if (rgb == NONE && alpha == NONE)
                continue;
            if (rgb == alpha ? p->op[rgb].where != AT_BOTH
                             : (rgb != NONE && !can_stand(&p->op[rgb], RGB)) ||
                        (alpha != NONE && !can_stand(&p->op[alpha], ALPHA)))
                continue;
            struct pair pair;
            if (s->steps == 0 || hwemit_r300_spent(p->chip))
                return false;
            s->steps--;
            if (!place(p, &pair, rgb, alpha))
                continue;
            commit(p, &pair, 0);
            if (search(s))
                return true;
            take_back(p);
        }
    return false;
}

/* A shorter order than the one there is, if the search finds one; else that one again. */
static void improve(struct program *p, unsigned least)
{
    const unsigned have = p->npairs;
    struct pair kept[SEARCH_OPS];
    if (have > SEARCH_OPS || have <= least)
        return;
    memcpy(kept, p->pair, have * sizeof *kept);
    while (p->npairs)
        take_back(p);
    struct search s = {.p = p, .steps = SEARCH_STEPS};
    for (s.length = least; s.length < have; s.length++)
        if (search(&s))
            return;
    for (unsigned i = 0; i < have; i++)
        commit(p, &kept[i], 0);
}

/* No order has fewer pairs. slack: what the longest way may be too long. */
static unsigned least_pairs(const struct program *p, unsigned slack)
{
    unsigned n = 0;
    while (hopeless(p, n, slack))
        n++;
    return n;
}

bool hwemit_r300_schedule(struct program *p, struct fragprog_reason *why)
{
    uint16_t deadline[MAX_OPS];
    hwemit_r300_drop_unread(p);
    p->phases = (uint16_t)find_phases(p);
    if (p->chip->nodes && p->phases + 1u > p->chip->nodes)
        return hwemit_refuse(
            why, -1, "nodes", "fewer lookups that depend on lookups",
            "the program has %u blocks of texture lookups that depend on each other, the chip %u",
            p->phases + 1u, (unsigned)p->chip->nodes);
    find_heights(p, deadline);
    memset(p->unfit, 0, sizeof p->unfit);
    const bool searched = p->phases == 0 && p->nops > 0 && p->nops <= SEARCH_OPS;
    const unsigned least = searched ? least_pairs(p, 0) : 0;
    p->bound = (uint16_t)(searched ? least_pairs(p, p->nsplit) : 0);
    p->longer = least > p->most_pairs;
    if (p->longer) {
        p->npairs = (uint16_t)least;
        return true;
    }
    if (!list_schedule(p, deadline))
        return hwemit_refuse(why, -1, "alu", "a shorter program",
                             "the program does not fit %u ALU instructions", (unsigned)p->chip->alu);
    if (!searched || p->npairs > SEARCH_OPS)
        p->bound = p->npairs;
    else
        improve(p, least);
    return true;
}
