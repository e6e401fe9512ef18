/* Polynomials that no instruction computes, as two: which of the ways that r300_split.c offers the chip can
 * do. What was found is kept, for the same question comes in every try. */
#include "hwemit/r300/r300_choose.h"
#include "hwemit/r300/r300_split.h"

#include <string.h>

struct pick {
    const struct chooser *c;
    struct splits *found;
    unsigned wanted;
};

/* How the second instruction reads t: as a scalar where it is one, so that it may lie in either part. */
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

/* Can the chip do t and then the rest? */
static bool possible(struct pick *p, const struct fragprog_quad *t, const struct fragprog_quad *rest,
                     const struct leaf *as)
{
    const struct splits *s = p->found;
    const struct chip *chip = p->c->p->chip;
    struct leaf leaf[MAX_LEAVES];
    if (!hwemit_r300_matches(t, s->leaf, s->nleaves, s->rgb, chip))
        return false;
    memcpy(leaf, s->leaf, sizeof leaf);
    leaf[s->nleaves] = *as;
    return hwemit_r300_matches(rest, leaf, s->nleaves + 1u, s->rgb, chip);
}

static bool collect(void *user, const struct fragprog_quad *t, const struct fragprog_quad *rest)
{
    struct pick *p = user;
    struct splits *s = p->found;
    struct leaf as = leaf_of(s, t);
    for (unsigned i = 0; i < s->n; i++) /* each t once */
        if (fragprog_quad_equal(&s->way[i].t, t))
            return false;
    if (possible(p, t, rest, &as))
        s->way[s->n++] = (struct split){*t, *rest, as};
    return s->n == p->wanted;
}

static struct splits *find(struct chooser *c, const struct fragprog_quad *q, const struct leaf *leaf,
                           unsigned nleaves, bool rgb)
{
    struct kept_splits *kept = &c->splits;
    for (unsigned i = 0; i < KEPT_SPLITS && i < kept->n; i++) {
        struct splits *s = &kept->kept[i];
        if (s->nleaves == nleaves && s->rgb == rgb && s->packs == c->p->chip->packs &&
            memcmp(s->leaf, leaf, nleaves * sizeof *leaf) == 0 && fragprog_quad_equal(&s->q, q))
            return s;
    }
    struct splits *s = &kept->kept[kept->n++ % KEPT_SPLITS];
    s->q = *q;
    memcpy(s->leaf, leaf, nleaves * sizeof *leaf);
    s->nleaves = (uint8_t)nleaves;
    s->rgb = rgb;
    s->packs = c->p->chip->packs;
    s->all = nleaves == MAX_LEAVES;
    s->n = 0;
    return s;
}

void hwemit_r300_ranked(struct leaf *ranked, const struct leaf *leaf, unsigned nleaves)
{
    for (unsigned i = 0; i < nleaves; i++) {
        unsigned before = 0;
        for (unsigned k = 0; k < nleaves; k++)
            before += hwemit_r300_later(&leaf[i], &leaf[k]);
        ranked[i] = leaf[i];
        ranked[i].index = (uint16_t)before;
    }
}

const struct splits *hwemit_r300_splits(struct chooser *c, const struct fragprog_quad *q,
                                        const struct leaf *leaf, unsigned nleaves, bool rgb, unsigned wanted)
{
    struct leaf ranked[MAX_LEAVES];
    hwemit_r300_ranked(ranked, leaf, nleaves);
    struct splits *s = find(c, q, ranked, nleaves, rgb);
    if (s->all || s->n >= wanted)
        return s;
    struct pick p = {.c = c, .found = s, .wanted = wanted <= 1 ? 1 : wanted <= 4 ? 4 : MAX_SPLITS};
    s->n = 0;
    s->all = !hwemit_r300_split(c->p->chip, q, nleaves, collect, &p);
    return s;
}
