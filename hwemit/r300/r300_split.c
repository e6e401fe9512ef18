/* Splits a polynomial that no single instruction computes into two: a value t, and the rest with t as a
 * further source. Tries every place of t in the second instruction, 2^omod * (A*B + C): as C, as a factor, or
 * in a presubtract, where the quadratic terms of A*B occur unchanged in q. */
#include "hwemit/r300/r300_match.h"
#include "hwemit/r300/r300_split.h"

#include <stddef.h>

enum { MAX_OPERANDS = 3 * FRAGPROG_QUAD_LEAVES + FRAGPROG_QUAD_LEAVES * (FRAGPROG_QUAD_LEAVES - 1) };

struct splitter {
    const struct chip *chip;
    const struct fragprog_quad *q;
    struct fragprog_quad scaled; /* q divided by the output modifier */
    float scale;
    unsigned nleaves, t; /* t: the number of the source that stands for t */
    struct {
        uint8_t i, j, term;
    } square[FRAGPROG_QUAD_TERMS]; /* the quadratic terms of q */
    unsigned nsquares;
    /* possible operands without t: first nplain sources, then presubtracts */
    struct value operand[MAX_OPERANDS];
    unsigned noperands, nplain;
    bool (*candidate)(void *user, const struct fragprog_quad *t, const struct fragprog_quad *rest);
    void *user;
    bool found;
};

static bool is_constant(const struct fragprog_quad *q)
{
    for (unsigned t = 1; t < FRAGPROG_QUAD_TERMS; t++)
        if (q->c[t] != 0)
            return false;
    return true;
}

/* Multiplies the rest by the output modifier, and passes t and the rest to the candidate function. */
static void offer(struct splitter *s, const struct fragprog_quad *t,
                  const struct fragprog_quad *unscaled_rest)
{
    if (s->found || is_constant(t))
        return;
    struct fragprog_quad rest = *unscaled_rest;
    if (s->scale != 1)
        rest = fragprog_quad_sum(s->scale, &rest, 0, &rest);
    s->found = s->candidate(s->user, t, &rest);
}

/* Returns whether one instruction (r300_match.c) can compute the quadratic terms of q - product. */
static bool may_be_product(const struct splitter *s, const struct fragprog_quad *product)
{
    unsigned leaf[2][2], n = 0, squares = 0;
    float factor[2];
    for (unsigned k = 0; k < s->nsquares; k++) {
        const unsigned i = s->square[k].i, j = s->square[k].j;
        const float c = s->scaled.c[s->square[k].term] - (product ? product->c[s->square[k].term] : 0);
        if (c == 0)
            continue;
        if (n == 2)
            return false;
        squares += i == j;
        factor[n] = c < 0 ? -c : c;
        leaf[n][0] = i;
        leaf[n++][1] = j;
    }
    return n < 2 ||
        (factor[0] == factor[1] && squares < 2 &&
         (leaf[0][0] == leaf[1][0] || leaf[0][0] == leaf[1][1] || leaf[0][1] == leaf[1][0] ||
          leaf[0][1] == leaf[1][1]));
}

/* Given A*B, tries C = t, and (if the presubtract is free) C = t + x or t - x for a source x, and C = 1 - t.
 */
static void as_summand(struct splitter *s, const struct fragprog_quad *product, bool pre_free)
{
    hwemit_r300_spend(s->chip, 10);
    if (!may_be_product(s, product))
        return;
    const struct fragprog_quad t = fragprog_quad_sum(1, &s->scaled, -1, product);
    struct fragprog_quad rest = *product;
    rest.c[fragprog_quad_term(0, s->t)] += 1;
    offer(s, &t, &rest);
    if (!pre_free)
        return;
    for (unsigned i = 1; i <= s->nleaves && !s->found; i++) {
        const float c = s->scaled.c[fragprog_quad_term(0, i)];
        if (c != 1 && c != -1)
            continue;
        struct fragprog_quad less = t, more = rest;
        less.c[fragprog_quad_term(0, i)] -= c;
        more.c[fragprog_quad_term(0, i)] += c;
        offer(s, &less, &more);
    }
    struct fragprog_quad less = fragprog_quad_sum(-1, &t, 0, &t); /* C = 1 - t */
    less.c[0] += 1;
    rest.c[0] += 1;
    rest.c[fragprog_quad_term(0, s->t)] -= 2;
    offer(s, &less, &rest);
}

/* Returns sign * v as a polynomial. */
static struct fragprog_quad affine_of(const struct value *v, float sign)
{
    struct fragprog_quad q = fragprog_quad_affine(sign * v->factor, v->a, sign * v->offset);
    if (v->b)
        q.c[fragprog_quad_term(0, v->b)] += sign * v->other;
    return q;
}

static float of_leaf(const struct value *v, unsigned leaf)
{
    return (v->a == leaf ? v->factor : 0) + (v->b == leaf ? v->other : 0);
}

/* Quick test whether q - sign*c can be a multiple of the factor: it must be 0 where the factor is 0. All
 * products of q are known to contain the factor's source. A factor of two sources is not tested. */
static bool may_be_multiple(const struct splitter *s, const struct value *factor, const struct value *c,
                            float sign)
{
    if (factor->other != 0)
        return true;
    const float *q = s->scaled.c, root = -factor->offset / factor->factor;
    const unsigned x = factor->a;
    for (unsigned i = 1; i <= s->nleaves; i++)
        if (i != x &&
            q[fragprog_quad_term(0, i)] - sign * of_leaf(c, i) + root * q[fragprog_quad_term(i, x)] != 0)
            return false;
    const float slope = q[fragprog_quad_term(0, x)] - sign * of_leaf(c, x);
    return q[0] - sign * c->offset + root * (slope + root * q[fragprog_quad_term(x, x)]) == 0;
}

/* Tries to write q as t * v + sign * w for affine v and w: divides q - sign * w by v, and offers the quotient
 * as t if there is no remainder. */
static void as_factor(struct splitter *s, const struct value *v, const struct value *w, float sign)
{
    hwemit_r300_spend(s->chip, 5);
    if (s->found || !may_be_multiple(s, v, w, sign))
        return;
    hwemit_r300_spend(s->chip, 10);
    const unsigned x = v->a;
    const struct fragprog_quad factor = affine_of(v, 1), c = affine_of(w, sign),
                               q = fragprog_quad_sum(1, &s->scaled, -1, &c);
    const float lead = v->factor, square = q.c[fragprog_quad_term(x, x)] / lead;
    struct fragprog_quad t = {{0}}, product;
    for (unsigned i = 0; i < N; i++)
        if (i != x)
            t.c[fragprog_quad_term(0, i)] = (q.c[fragprog_quad_term(i, x)] -
                                             square * factor.c[fragprog_quad_term(0, i)]) /
                lead;
    t.c[fragprog_quad_term(0, x)] += square;
    if (!fragprog_quad_product(&product, &t, &factor) || !fragprog_quad_equal(&product, &q))
        return;
    const struct fragprog_quad leaf = fragprog_quad_affine(1, s->t, 0);
    if (!fragprog_quad_product(&product, &leaf, &factor))
        return;
    struct fragprog_quad rest = fragprog_quad_sum(1, &product, 1, &c);
    offer(s, &t, &rest);
    /* offers also 1 - t in place of t, which the second instruction then inverts */
    struct fragprog_quad other = fragprog_quad_sum(-1, &t, 0, &t);
    other.c[0] += 1;
    rest = fragprog_quad_sum(1, &rest, -2, &product);
    rest = fragprog_quad_sum(1, &rest, 1, &factor);
    offer(s, &other, &rest);
}

/* Returns whether the quadratic terms of q are those of a multiple of v. */
static bool divides(const struct splitter *s, const struct value *v)
{
    const float *q = s->scaled.c;
    for (unsigned k = 0; k < s->nsquares; k++)
        if (s->square[k].i != v->a && s->square[k].j != v->a &&
            (v->other == 0 || (s->square[k].i != v->b && s->square[k].j != v->b)))
            return false;
    if (v->other == 0)
        return s->nsquares > 0;
    float t[N] = {0}, factor[N] = {0}; /* both sources of v have factor 1 or -1 */
    factor[v->a] = v->factor;
    factor[v->b] = v->other;
    t[v->a] = q[fragprog_quad_term(v->a, v->a)] / v->factor;
    bool any = t[v->a] != 0;
    for (unsigned i = 1; i <= s->nleaves; i++) {
        if (i != v->a)
            t[i] = (q[fragprog_quad_term(i, v->a)] - t[v->a] * factor[i]) / v->factor;
        any |= t[i] != 0;
    }
    /* compares only the terms that contain source b; t was chosen so that the others match */
    for (unsigned i = 1; any && i <= s->nleaves; i++)
        if (q[fragprog_quad_term(i, v->b)] !=
            (i == v->b ? t[i] * factor[i] : t[i] * factor[v->b] + t[v->b] * factor[i]))
            return false;
    return any;
}

static void find_squares(struct splitter *s)
{
    s->nsquares = 0;
    for (unsigned j = 1, term = 2; j <= s->nleaves; j++, term++)
        for (unsigned i = 1; i <= j; i++, term++)
            if (s->q->c[term] != 0) {
                s->square[s->nsquares].i = (uint8_t)i;
                s->square[s->nsquares].j = (uint8_t)j;
                s->square[s->nsquares++].term = (uint8_t)term;
            }
}

static void find_operands(struct splitter *s)
{
    unsigned n = 0;
    for (unsigned i = 1; i <= s->nleaves; i++)
        if (fragprog_quad_has(s->q, i))
            s->operand[n++] = plain(i);
    s->nplain = n;
    for (unsigned i = 0; i < s->nplain; i++) {
        const unsigned leaf = s->operand[i].a;
        s->operand[n++] = complement(leaf);
        s->operand[n++] = sign_of(leaf);
        for (unsigned j = i + 1; j < s->nplain; j++) {
            s->operand[n++] = both(leaf, s->operand[j].a, 1);
            s->operand[n++] = both(leaf, s->operand[j].a, -1);
        }
    }
    s->noperands = n;
}

/* Tries A*B = v * source b, if all quadratic terms of this product occur in q. */
static void of_product(struct splitter *s, const struct value *v, unsigned b, bool pre_free)
{
    const float x = s->scaled.c[fragprog_quad_term(v->a, b)],
                y = v->other != 0 ? s->scaled.c[fragprog_quad_term(v->b, b)] : 0;
    for (float sign = 1; sign >= -1 && !s->found; sign -= 2) {
        if (x != sign * v->factor || y != sign * v->other)
            continue;
        struct fragprog_quad product = fragprog_quad_affine(sign * v->offset, b, 0);
        product.c[fragprog_quad_term(v->a, b)] = x;
        if (v->other != 0)
            product.c[fragprog_quad_term(v->b, b)] = y;
        as_summand(s, &product, pre_free);
    }
}

/* Tries q = t * v + c with c = 0, a literal, a source, or v itself. */
static void by_factor(struct splitter *s, const struct value *v)
{
    const struct value zero = constant(0), rest = constant(s->scaled.c[0]);
    as_factor(s, v, &zero, 1);
    for (float sign = 1; sign >= -1 && !s->found; sign -= 2) {
        as_factor(s, v, v, sign);
        for (unsigned b = 0; b < s->nplain; b++)
            as_factor(s, v, &s->operand[b], sign);
        if (sign > 0 && rest.offset != 0)
            as_factor(s, v, &rest, 1);
    }
}

static void at_scale(struct splitter *s)
{
    static const struct fragprog_quad zero = {{0}};
    const unsigned n = s->noperands;
    hwemit_r300_spend(s->chip, 40);
    for (unsigned a = 0; a < n && !s->found; a++)
        for (unsigned b = 0; b < s->nplain && b <= a && !s->found; b++)
            of_product(s, &s->operand[a], s->operand[b].a, a < s->nplain);
    /* then the sum of t and an affine operand, so that t has all the products of q */
    for (unsigned a = 0; may_be_product(s, NULL) && a < n && !s->found; a++)
        for (float sign = 1; sign >= -1; sign -= 2) {
            const struct fragprog_quad c = affine_of(&s->operand[a], sign);
            as_summand(s, &c, a < s->nplain);
        }
    for (unsigned a = 0; a < n && !s->found; a++)
        if (divides(s, &s->operand[a]))
            by_factor(s, &s->operand[a]);
    as_summand(s, &zero, true);
}

/* Returns the index of the scale with which the first product has the factor 1 or -1, which makes a split
 * likely.
 */
static unsigned likely_scale(const struct splitter *s, const float *scale, unsigned n)
{
    const float c = s->nsquares ? s->q->c[s->square[0].term] : 1;
    unsigned i = 0;
    while (i < n && c != scale[i] && c != -scale[i])
        i++;
    return i < n ? i : 0;
}

bool hwemit_r300_split(const struct chip *chip, const struct fragprog_quad *q, unsigned nleaves,
                       bool (*candidate)(void *, const struct fragprog_quad *, const struct fragprog_quad *),
                       void *user)
{
    static const float scales[] = {1, 2, 4, 0.5f, 8, 3}; /* 3: a dot product of scalars (r300_match.c) */
    struct splitter s = {
        .chip = chip, .q = q, .nleaves = nleaves, .t = nleaves + 1, .candidate = candidate, .user = user};
    if (s.t > FRAGPROG_QUAD_LEAVES)
        return false;
    find_squares(&s);
    find_operands(&s);
    const unsigned n = sizeof scales / sizeof *scales - !fragprog_quad_thrice(q);
    const unsigned first = chip->hasty ? likely_scale(&s, scales, n) : 0;
    for (unsigned i = 0; i < n && !s.found && !hwemit_r300_spent(chip); i++) {
        s.scale = scales[i == 0 ? first : i == first ? 0 : i];
        s.scaled = fragprog_quad_sum(1 / s.scale, q, 0, q);
        at_scale(&s);
    }
    return s.found;
}
