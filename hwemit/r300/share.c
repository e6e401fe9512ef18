/* A polynomial as a sum with a value that the other half computes, too: two instructions, whose first stands beside it. */
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

/* ---- the ways ---- */

struct making { const struct chooser *c; struct shares *s; struct quad other; struct leaf leaf[MAX_LEAVES]; unsigned number; uint8_t known, part; };

static bool matches(const struct making *m, const struct quad *q, unsigned nleaves)
{
    return hwemit_r300_quad_count(q) > (q->c[0] != 0) && hwemit_r300_matches(q, m->leaf, nleaves, m->s->rgb, m->c->p->chip);
}

static const float factors[] = {1, -1, 2, -2, 0.5f, -0.5f}, scales[] = {0.5f, 1, 2, 4}, constants[] = {0, 0.5f, -0.5f};
enum { FACTORS = sizeof factors / sizeof *factors, SCALES = sizeof scales / sizeof *scales, CONSTANTS = sizeof constants / sizeof *constants };

/* q as scale * (first + factor*known + constant +- leaf x); what is known is leaf `number`, what is first the next. */
static void make(struct quad *first, struct quad *rest, const struct quad *q, const struct quad *other, unsigned number, const struct share_way *way)
{
    const float factor = factors[way->factor], scale = scales[way->scale];
    struct quad summand = hwemit_r300_quad_affine(way->minus ? -1 : 1, way->x, constants[way->constant]);
    *first = hwemit_r300_quad_sum(1 / scale, q, -factor, other);
    *first = hwemit_r300_quad_sum(1, first, -1, &summand);
    summand.c[quad_term(0, number)] = factor;
    summand.c[quad_term(0, number + 1)] = 1;
    *rest = hwemit_r300_quad_sum(scale, &summand, 0, &summand);
}

static void add(struct making *m, struct share_way way)
{
    struct shares *s = m->s;
    struct quad first, rest;
    if (s->n == MAX_SHARES)
        return;
    make(&first, &rest, &s->q, &m->other, m->number, &way);
    if (!matches(m, &first, m->number - 1) || (way.x && !matches(m, &rest, m->number + 1)))
        return;
    way.known = m->known;
    way.part = m->part;
    s->way[s->n++] = way;
}

/* Has q - factor*known, over any scale, one or two products, and the known value one? */
static bool few_products(const struct quad *q, float factor, const struct quad *other)
{
    unsigned n = 0, known = 0;
    for (unsigned j = 1; j <= QUAD_LEAVES; j++)
        for (unsigned i = 1; i <= j; i++) {
            n += q->c[quad_term(i, j)] != factor * other->c[quad_term(i, j)];
            known += other->c[quad_term(i, j)] != 0;
        }
    return known && (n == 1 || n == 2);
}

static void all_ways(struct making *m)
{
    const struct quad *q = &m->s->q;
    for (unsigned x = 0; x < m->number; x++)
        for (unsigned minus = 0; minus < (x && hwemit_r300_quad_has(q, x) ? 2 : x == 0); minus++)
            for (unsigned f = 0; f < FACTORS; f++)
                for (unsigned scale = 0; scale < SCALES; scale++)
                    for (unsigned k = 0; k < CONSTANTS; k++)
                        if (x == 0 || few_products(q, factors[f] * scales[scale], &m->other))
                            add(m, (struct share_way){.factor = (uint8_t)f, .scale = (uint8_t)scale, .constant = (uint8_t)k, .x = (uint8_t)x, .minus = minus});
}

/* ---- kept, for the same question comes in every try ---- */

static bool same_leaves(const struct leaf *a, unsigned na, const struct leaf *b, unsigned nb) { return na == nb && memcmp(a, b, na * sizeof *a) == 0; }

static unsigned where(const struct chooser *c, unsigned known) { return c->p->op[c->p->vreg[c->known[known].vreg].source].where; }

/* Were they asked for with the same known values? */
static bool up_to_date(const struct chooser *c, const struct shares *s, const struct quad *q, const struct leaf *leaf, unsigned nleaves, unsigned nknown)
{
    if (s->nknown != nknown || s->packs != c->p->chip->packs || !same_leaves(s->leaf, s->nleaves, leaf, nleaves) || !hwemit_r300_quad_equal(&s->q, q))
        return false;
    for (unsigned k = 0; k < nknown; k++)
        if (s->where[k] != where(c, k) || !same_leaves(s->known[k].leaf, s->known[k].nleaves, c->known[k].leaf, c->known[k].nleaves) || !hwemit_r300_quad_equal(&s->known[k].q, &c->known[k].q))
            return false;
    return true;
}

static void read_known(const struct chooser *c, struct leaf *leaf, unsigned known, unsigned part, bool rgb)
{
    *leaf = (struct leaf){.file = FILE_VREG, .index = c->known[known].vreg, .lane = {3, 3, 3}};
    for (unsigned i = 0; i < 3 && part == RGB; i++)
        leaf->lane[i] = rgb ? (uint8_t)i : 0;
}

static void find(const struct chooser *c, struct shares *s, const struct quad *q, const struct leaf *leaf, unsigned nleaves, unsigned nknown, bool rgb)
{
    struct making m = {.c = c, .s = s, .number = nleaves + 1};
    s->q = *q;
    s->nleaves = (uint8_t)nleaves;
    s->nknown = (uint8_t)nknown;
    s->rgb = rgb;
    s->packs = c->p->chip->packs;
    s->n = 0;
    memcpy(s->leaf, leaf, nleaves * sizeof *leaf);
    memcpy(m.leaf, leaf, nleaves * sizeof *leaf);
    m.leaf[nleaves + 1] = (struct leaf){.file = FILE_VREG, .index = NONE, .lane = {3, 3, 3}};
    for (unsigned k = 0; k < nknown; k++) {
        s->known[k] = c->known[k];
        s->where[k] = (uint8_t)where(c, k);
        m.known = (uint8_t)k;
        for (unsigned part = 0; part < 2 && over_leaves(&m.other, &c->known[k], leaf, nleaves); part++) {
            m.part = (uint8_t)part;
            read_known(c, &m.leaf[nleaves], k, part, rgb);
            if (where(c, k) != (part == ALPHA ? AT_RGB : AT_ALPHA))
                all_ways(&m);
        }
    }
}

bool hwemit_r300_share(struct chooser *c, unsigned *n, struct share *share, const struct quad *q, const struct leaf *leaf, unsigned nleaves, bool rgb)
{
    const unsigned nknown = c->nknown < SHARED ? c->nknown : SHARED;
    struct shares *s = &c->shares[rgb ? RGB : ALPHA];
    struct quad other;
    if (nknown == 0 || nleaves + 2 > MAX_LEAVES)
        return false;
    if (!up_to_date(c, s, q, leaf, nleaves, nknown))
        find(c, s, q, leaf, nleaves, nknown, rgb);
    if (*n >= s->n) {
        *n -= s->n;
        return false;
    }
    const struct share_way *way = &s->way[*n];
    over_leaves(&other, &c->known[way->known], leaf, nleaves);
    make(&share->first, &share->rest, q, &other, nleaves + 1, way);
    read_known(c, &share->leaf, way->known, way->part, rgb);
    return true;
}
