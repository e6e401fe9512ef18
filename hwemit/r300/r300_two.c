/* Finds how to compute a polynomial by two instructions: of the splits that r300_split.c enumerates, those
 * whose halves both match a form. The results are cached, because each compilation variant asks for the same
 * splits. */
#include "hwemit/r300/r300_choose.h"
#include "hwemit/r300/r300_split.h"

#include <string.h>

struct pick {
    const struct chooser *c;
    struct splits *found;
    unsigned wanted;
};

/* Returns the source by which the second instruction reads t. A scalar t is read from an alpha channel,
 * because either half can compute it then. */
static struct leaf leaf_of(const struct splits *s, const struct fragprog_quad *t)
{
    struct leaf leaf = {.file = FILE_VREG, .index = NONE, .lane = {0, 1, 2}};
    bool uniform = true, scalar = !s->rgb;
    for (unsigned i = 0; i < s->nleaves; i++)
        if (s->rgb && fragprog_quad_has(t, i + 1)) {
            const uint8_t *lane = s->leaf[i].lane;
            uniform &= lane[0] == lane[1] && lane[1] == lane[2];
            scalar |= lane[0] == 3;
        }
    if (uniform && scalar)
        memset(leaf.lane, 3, 3);
    return leaf;
}

/* Returns whether t and rest can each be computed by one instruction. */
static bool possible(struct pick *p, const struct fragprog_quad *t, const struct fragprog_quad *rest,
                     const struct leaf *as)
{
    struct splits *s = p->found;
    const struct asked asked = {.chip = p->c->p->chip, .rgb = s->rgb};
    struct leaf leaf[MAX_LEAVES];
    if (!hwemit_r300_matches(t, s->leaf, s->nleaves, &asked, &s->sided))
        return false;
    memcpy(leaf, s->leaf, sizeof leaf);
    leaf[s->nleaves] = *as;
    return hwemit_r300_matches(rest, leaf, s->nleaves + 1u, &asked, &s->sided);
}

static bool collect(void *user, const struct fragprog_quad *t, const struct fragprog_quad *rest)
{
    struct pick *p = user;
    struct splits *s = p->found;
    struct leaf as = leaf_of(s, t);
    for (unsigned i = 0; i < s->n; i++) /* skip a t that was already found */
        if (fragprog_quad_equal(&s->way[i].t, t))
            return false;
    if (possible(p, t, rest, &as))
        s->way[s->n++] = (struct split){*t, *rest, as};
    return s->n == p->wanted;
}

static struct splits *find(struct chooser *c, const struct fragprog_quad *q, const struct question *asked)
{
    struct kept_splits *kept = &c->splits;
    for (unsigned i = 0; i < KEPT_SPLITS && i < kept->n; i++) {
        struct splits *s = &kept->kept[i];
        if (s->nleaves == asked->nleaves && s->rgb == asked->rgb && s->packs == c->p->chip->packs &&
            memcmp(s->leaf, asked->leaf, s->nleaves * sizeof *s->leaf) == 0 && fragprog_quad_equal(&s->q, q))
            return s;
    }
    return NULL;
}

static struct splits *keep(struct chooser *c, const struct fragprog_quad *q, const struct question *asked)
{
    struct splits *s = &c->splits.kept[c->splits.n++ % KEPT_SPLITS];
    s->q = *q;
    memcpy(s->leaf, asked->leaf, sizeof s->leaf);
    s->nleaves = asked->nleaves;
    s->rgb = asked->rgb;
    s->packs = c->p->chip->packs;
    s->all = s->nleaves == MAX_LEAVES;
    s->n = 0;
    s->sided = false;
    return s;
}

/* Orders sources, inputs before values. Inputs are marked by bit 15. */
static bool is_before(const struct leaf *a, const struct leaf *b)
{
    const unsigned x = a->index ^ 0x8000u, y = b->index ^ 0x8000u;
    return a->file == FILE_VREG && b->file == FILE_VREG ? x < y : hwemit_r300_later(b, a);
}

void hwemit_r300_question(struct question *question, const struct leaf *leaf, unsigned nleaves, bool rgb)
{
    *question = (struct question){.nleaves = (uint8_t)nleaves, .rgb = rgb};
    for (unsigned i = 0; i < nleaves; i++) {
        unsigned before = 0;
        for (unsigned k = 0; k < nleaves; k++)
            before += is_before(&leaf[k], &leaf[i]);
        question->leaf[i] = leaf[i];
        question->leaf[i].index = (uint16_t)before;
    }
}

bool hwemit_r300_of_colour(struct question *colour, const struct question *alpha)
{
    *colour = *alpha;
    colour->rgb = true;
    for (unsigned i = 0; i < alpha->nleaves; i++) {
        if (alpha->leaf[i].lane[0] != 3)
            return false;
        for (unsigned c = 0; c < 3; c++)
            colour->leaf[i].lane[c] = (uint8_t)c;
    }
    return !alpha->rgb;
}

const struct splits *hwemit_r300_splits(struct chooser *c, const struct fragprog_quad *q,
                                        const struct leaf *leaf, unsigned nleaves, bool rgb, unsigned wanted)
{
    struct question asked, colour;
    hwemit_r300_question(&asked, leaf, nleaves, rgb);
    struct splits *s = hwemit_r300_of_colour(&colour, &asked) ? find(c, q, &colour) : NULL;
    if (s && !s->sided && (s->all || s->n >= wanted))
        return s;
    s = find(c, q, &asked);
    if (!s)
        s = keep(c, q, &asked);
    if (s->all || s->n >= wanted)
        return s;
    struct pick p = {.c = c, .found = s, .wanted = wanted <= 1 ? 1 : wanted <= 4 ? 4 : MAX_SPLITS};
    s->n = 0;
    s->all = !hwemit_r300_split(c->p->chip, q, nleaves, collect, &p);
    return s;
}
