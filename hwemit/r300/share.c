/* A polynomial as a sum with a value that the other half computes, too: then three instructions, of which two stand beside each other, cost this half no more than two. */
#include "hwemit/r300/choose.h"

#include <string.h>

/* What is known, in terms of these leaves. False if it is of others. */
static bool over_leaves(struct quad *q, const struct known *known, const struct leaf *leaf, unsigned nleaves)
{
    unsigned at[QUAD_LEAVES + 1] = {0};
    for (unsigned i = 0; i < known->nleaves; i++) {
        for (unsigned j = 0; j < nleaves; j++)
            if (memcmp(&leaf[j], &known->leaf[i], sizeof *leaf) == 0)
                at[i + 1] = j + 1;
        if (!at[i + 1])
            return false;
    }
    *q = (struct quad){{0}};
    for (unsigned j = 0; j <= known->nleaves; j++)
        for (unsigned i = 0; i <= j; i++)
            q->c[at[i] < at[j] ? quad_term(at[i], at[j]) : quad_term(at[j], at[i])] = known->q.c[quad_term(i, j)];
    return true;
}

bool hwemit_r300_share(const struct chooser *c, unsigned *n, struct quad *first, struct quad *rest, struct leaf *summand, const struct quad *q, const struct leaf *leaf, unsigned nleaves, bool rgb)
{
    static const float scales[] = {0.5f, 1, 2, 4}, factors[] = {1, -1, 2, -2, 0.5f, -0.5f}, constants[] = {0, 0.5f, -0.5f};
    enum { SCALES = sizeof scales / sizeof *scales, FACTORS = sizeof factors / sizeof *factors, CONSTANTS = sizeof constants / sizeof *constants };
    struct quad other;
    for (unsigned k = 0; k < c->nknown; k++)
        for (unsigned i = 0; i < FACTORS * SCALES * CONSTANTS && over_leaves(&other, &c->known[k], leaf, nleaves); i++) {
            const float factor = factors[i / CONSTANTS / SCALES], scale = scales[i / CONSTANTS % SCALES], constant = constants[i % CONSTANTS];
            *first = hwemit_r300_quad_sum(1 / scale, q, -factor, &other);
            first->c[0] -= constant;
            if (hwemit_r300_quad_count(first) == (first->c[0] != 0) || !hwemit_r300_matches(first, leaf, nleaves, rgb, c->p->chip))
                continue;
            if (*n > 0) {
                --*n;
                continue;
            }
            *rest = hwemit_r300_quad_affine(scale * factor, 2, scale * constant); /* scale * (first + factor*known + constant) */
            rest->c[quad_term(0, 1)] = scale;
            *summand = (struct leaf){.file = FILE_VREG, .index = c->known[k].vreg, .lane = {3, 3, 3}};
            return true;
        }
    return false;
}
