/* Schedules operations as pairs: list scheduling by critical path; if the result is longer than the lower
 * bound, a bounded search over all orders (r300_order.c). */
#include "hwemit/r300/r300_program.h"

#include <string.h>

static const struct vreg *vreg_of(const struct program *p, const struct leaf *leaf)
{
    return leaf->file == FILE_VREG ? &p->vreg[leaf->index] : NULL;
}

/* Assigns each lookup and operation its texture block. Lookups of the first block read interpolated
 * coordinates, those of later blocks results of operations in earlier blocks. Returns the last block. */
static unsigned find_phases(struct program *p)
{
    unsigned most = 0;
    bool dependent = false;
    for (unsigned i = 0; i < p->ntex; i++)
        dependent |= p->vreg[p->tex[i].coord].kind != V_INPUT;
    for (bool changed = dependent; changed;) { /* initially everything is in block 0 */
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

/* Computes the length of the longest dependence chain from each operation, and its deadline: the last block
 * in which it may be issued before a lookup needs it. */
static void find_heights(struct program *p, uint16_t *deadline)
{
    uint16_t height[MAX_VREGS], before[MAX_VREGS];
    memset(height, 0, p->nvregs * sizeof *height);
    memset(before, 0xff, p->nvregs * sizeof *before);
    /* Operations follow their producers, and so do lookups, so one round per block is enough. */
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
    if (op->phase > phase)
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

/* Returns whether the part (colour or alpha) of all sources is fixed, so that the operations that can be
 * paired with this one do not depend on the order. */
static bool is_settled(const struct program *p, const struct op *op)
{
    for (unsigned l = 0; l < op->nleaves; l++)
        if (op->leaf[l].file == FILE_VREG && p->vreg[op->leaf[l].index].uniform)
            return false;
    return true;
}

/* As hwemit_r300_place, but memoises failures. */
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

/* The texture block that is being scheduled. Candidates are operations that are ready in it; if `needed` is
 * true, only those whose deadline is this block. */
struct block {
    unsigned phase;
    const uint16_t *deadline; /* per operation: the last block that may issue it */
    const uint16_t *order;    /* all operations by priority */
    bool needed;
};

/* Returns whether i has priority: its dependence chain is longer, or of equal length and i needs one
 * particular half. */
static bool is_before(const struct program *p, unsigned i, unsigned other)
{
    const struct op *a = &p->op[i], *b = &p->op[other];
    return a->height > b->height ||
        (a->height == b->height && b->where == AT_EITHER && a->where != AT_EITHER);
}

static void sort(const struct program *p, uint16_t *order)
{
    for (unsigned i = 0; i < p->nops; i++) {
        unsigned k = i;
        for (; k > 0 && is_before(p, i, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = (uint16_t)i;
    }
}

static bool is_candidate(const struct program *p, unsigned i, const struct block *b)
{
    return p->op[i].pair == NONE && (!b->needed || b->deadline[i] <= b->phase) && ready(p, i, b->phase);
}

/* Returns the first candidate for this half that can be paired with `other`, or NONE. */
static unsigned best(struct program *p, struct pair *pair, unsigned half, unsigned other,
                     const struct block *b)
{
    for (unsigned k = 0; k < p->nops; k++) {
        const unsigned i = b->order[k];
        if (i != other && can_stand(&p->op[i], half) && is_candidate(p, i, b) &&
            place(p, pair, half == RGB ? i : other, half == RGB ? other : i))
            return i;
    }
    return NONE;
}

/* Returns whether the alpha operation has priority: its dependence chain is longer, or the colour operation
 * could use either half. */
static bool alpha_leads(const struct program *p, unsigned rgb, unsigned alpha)
{
    return rgb == NONE ||
        (alpha != NONE &&
         (p->op[alpha].height > p->op[rgb].height ||
          (p->op[rgb].where == AT_EITHER && p->op[alpha].height == p->op[rgb].height)));
}

/* The candidates with the highest priority for each half and for both halves. */
struct firsts {
    unsigned half[2], both;
};

static struct firsts find_firsts(const struct program *p, const struct block *b)
{
    struct firsts f = {{NONE, NONE}, NONE};
    for (unsigned k = 0; k < p->nops; k++) {
        const unsigned i = b->order[k];
        if (f.half[RGB] != NONE && f.half[ALPHA] != NONE && p->op[i].height < p->op[f.half[RGB]].height)
            break; /* a shorter chain cannot have priority */
        const bool rgb = f.half[RGB] == NONE && can_stand(&p->op[i], RGB),
                   alpha = f.half[ALPHA] == NONE && can_stand(&p->op[i], ALPHA),
                   both = f.both == NONE && p->op[i].where == AT_BOTH;
        if (!(rgb || alpha || both) || !is_candidate(p, i, b))
            continue;
        f.half[RGB] = rgb ? i : f.half[RGB];
        f.half[ALPHA] = alpha ? i : f.half[ALPHA];
        f.both = both ? i : f.both;
    }
    return f;
}

/* Issues this operation with the first operation that fits into the other half, or alone. */
static bool pair_up(struct program *p, unsigned half, unsigned op, const struct block *b)
{
    struct pair pair;
    struct block beside = *b;
    beside.needed = false;
    if (best(p, &pair, 1 - half, op, &beside) == NONE &&
        !place(p, &pair, half == RGB ? op : NONE, half == RGB ? NONE : op))
        return false;
    commit(p, &pair, b->phase);
    return true;
}

/* Returns whether the candidate that needs both halves has priority: its dependence chain is at least as long
 * as those of the candidates of each half. */
static bool both_lead(const struct program *p, const struct firsts *f)
{
    bool lead = f->both != NONE;
    for (unsigned half = 0; half < 2; half++)
        lead = lead && (f->half[half] == NONE || p->op[f->both].height >= p->op[f->half[half]].height);
    return lead;
}

static bool step(struct program *p, const struct block *block)
{
    const struct firsts f = find_firsts(p, block);
    struct pair pair;
    unsigned rgb = f.half[RGB], alpha = f.half[ALPHA];
    if (both_lead(p, &f) && place(p, &pair, f.both, f.both)) {
        commit(p, &pair, block->phase);
        return true;
    }
    if (rgb == NONE && alpha == NONE)
        return false;
    if (alpha_leads(p, rgb, alpha) ? pair_up(p, ALPHA, alpha, block) : pair_up(p, RGB, rgb, block))
        return true;
    /* the preferred operation does not fit even alone: take one that does */
    rgb = best(p, &pair, RGB, NONE, block);
    alpha = best(p, &pair, ALPHA, NONE, block);
    if (rgb == NONE && alpha == NONE)
        return false;
    return alpha_leads(p, rgb, alpha) ? pair_up(p, ALPHA, alpha, block) : pair_up(p, RGB, rgb, block);
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
    uint16_t order[MAX_OPS];
    sort(p, order);
    for (unsigned phase = 0; phase <= p->phases; phase++) {
        const bool last = phase == p->phases;
        struct block block = {phase, deadline, order, !last};
        const unsigned start = p->npairs;
        for (;;) {
            bool more = false;
            for (unsigned i = 0; i < p->nops && !more; i++)
                more = p->op[i].pair == NONE && (last || deadline[i] <= phase);
            if (!more)
                break;
            if (p->npairs == MAX_PAIRS || !step(p, &block))
                return false;
        }
        /* every block needs an ALU instruction (notes/facts/r300.md 3.2) */
        block.needed = false;
        if (p->npairs == start && !step(p, &block) && p->npairs < MAX_PAIRS) {
            struct pair nothing;
            empty_pair(&nothing);
            commit(p, &nothing, phase);
        }
    }
    return true;
}

/* Replaces the schedule by a shorter one if the search finds one. */
static void improve(struct program *p)
{
    uint16_t order[SEARCH_OPS][2];
    struct pair kept[SEARCH_OPS], pair;
    const unsigned have = p->npairs, n = hwemit_r300_shorter_order(p, order);
    memcpy(kept, p->pair, have * sizeof *kept);
    while (p->npairs)
        take_back(p);
    while (p->npairs < n && hwemit_r300_place(p, &pair, order[p->npairs][RGB], order[p->npairs][ALPHA]))
        commit(p, &pair, 0);
    if (n && p->npairs == n)
        return;
    while (p->npairs)
        take_back(p);
    for (unsigned i = 0; i < have; i++) /* this also restores the parts of scalars */
        commit(p, &kept[i], 0);
}

/* Returns a lower bound of the number of pairs in any order. slack: the largest number by which other splits
 * can shorten the longest dependence chain. */
static unsigned least_pairs(const struct program *p, unsigned slack)
{
    unsigned n[2] = {0, 0}, total = 0, most = 0;
    for (unsigned i = 0; i < p->nops; i++) {
        const struct op *op = &p->op[i];
        most = op->height > most + slack ? op->height - slack : most;
        n[RGB] += op->where == AT_RGB || op->where == AT_BOTH;
        n[ALPHA] += op->where == AT_ALPHA || op->where == AT_BOTH;
        total += op->where == AT_BOTH ? 2 : 1;
    }
    for (unsigned half = 0; half < 2; half++)
        most = n[half] > most ? n[half] : most;
    return (total + 1) / 2 > most ? (total + 1) / 2 : most;
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
    else if (p->npairs > least)
        improve(p);
    return true;
}
