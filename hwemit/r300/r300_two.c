/* Polynomials that no instruction computes, as two: which of the ways that r300_split.c offers the chip can
 * do. What was found is kept, for the same question comes in every try. */
#include "hwemit/r300/r300_choose.h"
#include "hwemit/r300/r300_split.h"

#include <string.h>

struct pick {
    const struct chooser *c;
    struct splits *found;
    unsigned wanted;
    unsigned terms, budget; /* level 2: t has fewer terms than q; splits of t that are tried */
};

/* How the second instruction reads t: as a scalar where it is one, so that it may lie in either part. */
static struct leaf leaf_of(const struct splits *s, const struct quad *t)
{
    struct leaf leaf = {.file = FILE_VREG, .index = NONE, .lane = {0, 1, 2}};
    bool uniform = true, scalar = !s->rgb;
    for (unsigned i = 0; i < s->nleaves; i++)
        if (s->rgb && hwemit_r300_quad_has(t, i + 1)) {
            const uint8_t *lane = s->leaf[i].lane;
            uniform &= lane[0] == lane[1] && lane[1] == lane[2];
            scalar |= lane[0] == 3;
        }
    if (uniform && scalar)
        memset(leaf.lane, 3, 3);
    return leaf;
}

static bool exists(void *user, const struct quad *t, const struct quad *rest);

/* Can the chip do t and then the rest? */
static bool possible(struct pick *p, const struct quad *t, const struct quad *rest, const struct leaf *as)
{
    const struct splits *s = p->found;
    const struct chip *chip = p->c->p->chip;
    struct leaf leaf[MAX_LEAVES];
    if (s->level > 1 && (p->budget == 0 || hwemit_r300_quad_count(t) >= p->terms))
        return false;
    if (s->level == 1 && !hwemit_r300_matches(t, s->leaf, s->nleaves, s->rgb, chip))
        return false;
    memcpy(leaf, s->leaf, sizeof leaf);
    leaf[s->nleaves] = *as;
    if (!hwemit_r300_matches(rest, leaf, s->nleaves + 1u, s->rgb, chip))
        return false;
    if (s->level == 1)
        return true;
    p->budget--; /* t takes two */
    struct splits inner = {.nleaves = s->nleaves, .level = 1, .rgb = s->rgb};
    struct pick pick = {.c = p->c, .found = &inner, .wanted = 1};
    memcpy(inner.leaf, s->leaf, sizeof inner.leaf);
    return hwemit_r300_split(chip, t, s->nleaves, false, exists, &pick);
}

static bool exists(void *user, const struct quad *t, const struct quad *rest)
{
    struct pick *p = user;
    const struct leaf as = leaf_of(p->found, t);
    return possible(p, t, rest, &as);
}

static bool collect(void *user, const struct quad *t, const struct quad *rest)
{
    struct pick *p = user;
    struct splits *s = p->found;
    struct leaf as = leaf_of(s, t);
    for (unsigned i = 0; i < s->n; i++) /* each t once */
        if (hwemit_r300_quad_equal(&s->way[i].t, t))
            return false;
    if (possible(p, t, rest, &as))
        s->way[s->n++] = (struct split){*t, *rest, as};
    return s->n == p->wanted;
}

static struct splits *find(struct chooser *c, const struct quad *q, const struct leaf *leaf, unsigned nleaves,
                           bool rgb, unsigned level)
{
    struct kept_splits *kept = &c->splits;
    for (unsigned i = 0; i < KEPT_SPLITS && i < kept->n; i++) {
        struct splits *s = &kept->kept[i];
        if (s->nleaves == nleaves && s->rgb == rgb && s->packs == c->p->chip->packs && s->level == level &&
            memcmp(s->leaf, leaf, nleaves * sizeof *leaf) == 0 && hwemit_r300_quad_equal(&s->q, q))
            return s;
    }
    struct splits *s = &kept->kept[kept->n++ % KEPT_SPLITS];
    s->q = *q;
    memcpy(s->leaf, leaf, nleaves * sizeof *leaf);
    s->nleaves = (uint8_t)nleaves;
    s->level = (uint8_t)level;
    s->rgb = rgb;
    s->packs = c->p->chip->packs;
    s->all = nleaves == MAX_LEAVES;
    s->n = 0;
    return s;
}

const struct splits *hwemit_r300_splits(struct chooser *c, const struct quad *q, const struct leaf *leaf,
                                        unsigned nleaves, bool rgb, unsigned level, unsigned wanted)
{
    struct splits *s = find(c, q, leaf, nleaves, rgb, level);
    if (s->all || s->n >= wanted)
        return s;
    struct pick p = {.c = c,
                     .found = s,
                     .wanted = wanted <= 1 ? 1
                         : wanted <= 4     ? 4
                                           : MAX_SPLITS,
                     .terms = hwemit_r300_quad_count(q),
                     .budget = 12};
    s->n = 0;
    s->all = !hwemit_r300_split(c->p->chip, q, nleaves, level > 1, collect, &p);
    return s;
}
