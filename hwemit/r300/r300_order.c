/* Searches for the shortest schedule of a few operations: depth first over all orders, with a limit of steps.
 * Sets of operations are bit masks. Memoises which operations fit into one pair, and after which sets of
 * issued operations the rest does not fit into the remaining pairs. */
#include "hwemit/r300/r300_program.h"

#include <string.h>

enum { SEARCH_STEPS = 4000, REMEMBERED = 64, REMEMBERED_PAIRS = 128, NOTHING = SEARCH_OPS };

struct search {
    struct program *p;
    unsigned length, steps, depth;
    uint32_t all, done;
    uint32_t rgb, alpha, both, either; /* operations by struct op.where; rgb and alpha include BOTH */
    uint32_t settled; /* operations without scalar sources: whether they fit does not depend on the order */
    uint32_t halves;  /* issued operations AT_EITHER that are in the alpha half */
    uint32_t needs[SEARCH_OPS], readers[SEARCH_OPS]; /* producers and readers of each operation */
    uint32_t high[SEARCH_OPS + 2];                   /* high[h]: operations with op.height >= h */
    uint8_t chosen[SEARCH_OPS][2];
    struct {
        uint32_t done, halves;
        unsigned left; /* the other operations cannot be issued in this many pairs */
    } failed[REMEMBERED];
    struct {
        uint32_t halves;
        uint8_t rgb, alpha; /* operations, or NOTHING if that half is empty */
        bool known, fit;
    } pair[REMEMBERED_PAIRS];
};

static unsigned number_of(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
}

/* Returns whether `left` pairs are too few for the operations that are left: an operation of height h must be
 * issued h pairs before the end at the latest, and a pair holds one operation per half. */
static bool too_few(const struct search *s, unsigned left, uint32_t undone)
{
    if (left < SEARCH_OPS && s->high[left + 1] & undone)
        return true;
    for (unsigned h = left < SEARCH_OPS ? left : SEARCH_OPS; h > 0; h--) {
        const uint32_t ops = s->high[h] & undone;
        const unsigned room = left - h + 1;
        if (ops &&
            (number_of(ops & s->rgb) > room || number_of(ops & s->alpha) > room ||
             number_of(ops) + number_of(ops & s->both) > 2 * room))
            return true;
    }
    return false;
}

static void begin(struct search *s, struct program *p)
{
    memset(s, 0, sizeof *s);
    s->p = p;
    s->all = (uint32_t)((UINT64_C(1) << p->nops) - 1);
    for (unsigned i = 0; i < p->nops; i++) {
        const struct op *op = &p->op[i];
        const uint32_t bit = UINT32_C(1) << i;
        s->rgb |= op->where == AT_RGB || op->where == AT_BOTH ? bit : 0;
        s->alpha |= op->where == AT_ALPHA || op->where == AT_BOTH ? bit : 0;
        s->both |= op->where == AT_BOTH ? bit : 0;
        s->either |= op->where == AT_EITHER ? bit : 0;
        s->settled |= bit;
        for (unsigned h = 1; h <= op->height; h++)
            s->high[h] |= bit;
        for (unsigned l = 0; l < op->nleaves; l++) {
            const uint16_t v = op->leaf[l].index;
            if (op->leaf[l].file != FILE_VREG || p->vreg[v].kind != V_OP)
                continue;
            if (p->vreg[v].uniform)
                s->settled &= ~bit;
            for (unsigned k = 0; k < p->nops; k++)
                if (p->op[k].result[0] == v || p->op[k].result[1] == v) {
                    s->needs[i] |= UINT32_C(1) << k;
                    s->readers[k] |= bit;
                }
        }
    }
}

/* Returns `halves` restricted to operations that still have unissued readers. Together with `done` this is
 * the key of the memo. */
static uint32_t halves_of(const struct search *s)
{
    uint32_t halves = 0;
    const uint32_t placed = s->halves & s->done;
    for (unsigned i = 0; placed >> i; i++)
        if (placed >> i & 1 && s->readers[i] & ~s->done)
            halves |= UINT32_C(1) << i;
    return halves;
}

static unsigned place_of(uint32_t what, uint32_t halves, unsigned places)
{
    return (what * 0x9e3779b1u ^ halves * 0x85ebca6bu) >> 16 & (places - 1);
}

static bool is_remembered(const struct search *s, unsigned left)
{
    const uint32_t halves = halves_of(s);
    const unsigned n = place_of(s->done, halves, REMEMBERED);
    return s->failed[n].done == s->done && s->failed[n].halves == halves && s->failed[n].left >= left;
}

static void remember(struct search *s, unsigned left)
{
    const uint32_t halves = halves_of(s);
    const unsigned n = place_of(s->done, halves, REMEMBERED);
    s->failed[n].done = s->done;
    s->failed[n].halves = halves;
    s->failed[n].left = left;
}

static bool fits(struct search *s, unsigned rgb, unsigned alpha)
{
    struct pair pair;
    const bool alone = rgb == NOTHING || alpha == NOTHING;
    const unsigned one = rgb == NOTHING ? alpha : rgb, other = alpha == NOTHING ? rgb : alpha;
    /* not tested, since a single operation nearly always fits; if not, making the final pairs fails */
    if (alone && s->settled >> one & 1)
        return true;
    if (!alone && s->p->unfit[rgb] >> alpha & 1)
        return false;
    const uint32_t halves = s->halves & (s->needs[one] | s->needs[other]);
    const unsigned n = place_of(rgb << 8 | alpha, halves, REMEMBERED_PAIRS);
    if (s->pair[n].known && s->pair[n].halves == halves && s->pair[n].rgb == rgb && s->pair[n].alpha == alpha)
        return s->pair[n].fit;
    s->pair[n].known = true;
    s->pair[n].halves = halves;
    s->pair[n].rgb = (uint8_t)rgb;
    s->pair[n].alpha = (uint8_t)alpha;
    s->pair[n].fit = hwemit_r300_place(s->p, &pair, rgb == NOTHING ? NONE : rgb,
                                       alpha == NOTHING ? NONE : alpha);
    return s->pair[n].fit;
}

/* Marks operation i as issued in this half. */
static void put(struct search *s, unsigned i, unsigned half)
{
    if (i == NOTHING)
        return;
    const struct op *op = &s->p->op[i];
    const uint32_t bit = UINT32_C(1) << i;
    const uint16_t v = op->result[0] != NONE ? op->result[0] : op->result[1];
    s->done |= bit;
    s->halves = half == ALPHA && s->either & bit ? s->halves | bit : s->halves & ~bit;
    if (v != NONE && s->p->vreg[v].uniform)
        s->p->vreg[v].part = (uint8_t)half;
}

static bool search(struct search *s);

/* Continues the search with this pair as the next one. */
static bool search_after(struct search *s, unsigned rgb, unsigned alpha)
{
    const uint32_t done = s->done;
    put(s, rgb, RGB);
    put(s, alpha, ALPHA);
    s->chosen[s->depth][RGB] = (uint8_t)rgb;
    s->chosen[s->depth++][ALPHA] = (uint8_t)alpha;
    if (search(s))
        return true;
    s->depth--;
    s->done = done;
    return false;
}

/* Tries all pairs as the next one. Does not try operation X alone if no schedule was found after the pair of
 * X and a Y that can run in the other half only: a schedule with X alone would also be possible with that
 * pair. */
static bool search(struct search *s)
{
    const unsigned left = s->length - s->depth;
    const uint32_t undone = s->all & ~s->done;
    if (!undone)
        return true;
    if (is_remembered(s, left))
        return false;
    uint32_t ready = 0, better[2] = {0, 0};
    for (unsigned i = 0; undone >> i; i++)
        if (undone >> i & 1 && !(s->needs[i] & undone))
            ready |= UINT32_C(1) << i;
    const uint32_t nothing = UINT32_C(1) << NOTHING, rgbs = ready & (s->rgb | s->either),
                   alphas = ready & (s->alpha | s->either) & ~s->both;
    for (unsigned a = 0; a <= NOTHING; a++) {
        const uint32_t bit = UINT32_C(1) << a;
        if (!((rgbs | nothing) & bit))
            continue;
        const uint32_t beside = s->both & bit ? bit : a == NOTHING ? alphas : (alphas & ~bit) | nothing;
        for (unsigned b = 0; beside >> b; b++) {
            if (!(beside >> b & 1) || (b == NOTHING && better[RGB] & bit) ||
                (a == NOTHING && better[ALPHA] >> b & 1))
                continue;
            if (too_few(s, left - 1, undone & ~bit & ~(UINT32_C(1) << b)))
                continue;
            if (s->steps == 0 || hwemit_r300_spent(s->p->chip))
                return false;
            s->steps--;
            if (!fits(s, a, b))
                continue;
            if (search_after(s, a, b))
                return true;
            if (!(s->either >> b & 1))
                better[RGB] |= bit;
            if (!(s->either & bit))
                better[ALPHA] |= UINT32_C(1) << b;
        }
    }
    remember(s, left);
    return false;
}

unsigned hwemit_r300_shorter_order(struct program *p, uint16_t order[SEARCH_OPS][2])
{
    struct search s;
    begin(&s, p);
    s.length = 0;
    while (too_few(&s, s.length, s.all))
        s.length++;
    s.steps = SEARCH_STEPS;
    for (; s.length < p->npairs; s.length++)
        if (search(&s)) {
            for (unsigned n = 0; n < s.depth; n++)
                for (unsigned half = 0; half < 2; half++)
                    order[n][half] = s.chosen[n][half] == NOTHING ? (uint16_t)NONE : s.chosen[n][half];
            return s.depth;
        }
    return 0;
}
