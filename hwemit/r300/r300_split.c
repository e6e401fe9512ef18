/* A polynomial that no single instruction computes, as two: a value t, and the rest with t as one more leaf.
 * Tried is every place that t can have in the second instruction, 2^omod * (A*B + C): C, a factor, or an
 * operand of the presubtract; where the quadratic terms of A*B occur in q as they are. */
#include "hwemit/r300/r300_split.h"

enum { N = FRAGPROG_QUAD_LEAVES + 1 };

struct splitter {
    const struct chip *chip;
    struct fragprog_quad scaled; /* over the output modifier */
    float scale;
    unsigned nleaves, t; /* number of the new leaf */
    bool (*candidate)(void *user, const struct fragprog_quad *t, const struct fragprog_quad *rest);
    void *user;
    bool found;
};

static bool is_constant(const struct fragprog_quad *q) { return fragprog_quad_count(q) == (q->c[0] != 0); }

/* The second instruction is scale * (rest in terms of the new leaf). */
static void offer(struct splitter *s, const struct fragprog_quad *t,
                  const struct fragprog_quad *unscaled_rest)
{
    if (s->found || is_constant(t))
        return;
    struct fragprog_quad rest = fragprog_quad_sum(s->scale, unscaled_rest, 0, unscaled_rest);
    s->found = s->candidate(s->user, t, &rest);
}

/* Is every quadratic term of the product in q, with its factor? */
static bool occurs(const struct fragprog_quad *product, const struct fragprog_quad *q)
{
    for (unsigned j = 1; j < N; j++)
        for (unsigned i = 1; i <= j; i++) {
            float c = product->c[fragprog_quad_term(i, j)];
            if (c != 0 && c != q->c[fragprog_quad_term(i, j)])
                return false;
        }
    return true;
}

/* Can the quadratic terms be those of one product of operands (r300_match.c)? */
static bool may_be_product(const struct fragprog_quad *q)
{
    unsigned leaf[2][2], n = 0, squares = 0;
    float factor[2];
    for (unsigned j = 1; j < N; j++)
        for (unsigned i = 1; i <= j; i++) {
            const float c = q->c[fragprog_quad_term(i, j)];
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

/* A*B is known: t is C, or C is the presubtract of t with a leaf. */
static void as_summand(struct splitter *s, const struct fragprog_quad *product, bool pre_free)
{
    hwemit_r300_spend(s->chip, 10);
    const struct fragprog_quad t = fragprog_quad_sum(1, &s->scaled, -1, product);
    if (!may_be_product(&t))
        return;
    const struct fragprog_quad leaf = fragprog_quad_affine(1, s->t, 0),
                               rest = fragprog_quad_sum(1, product, 1, &leaf);
    offer(s, &t, &rest);
    if (!pre_free)
        return;
    for (unsigned i = 1; i <= s->nleaves; i++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            if (s->scaled.c[fragprog_quad_term(0, i)] != (float)sign)
                continue;
            struct fragprog_quad x = fragprog_quad_affine((float)sign, i, 0);
            struct fragprog_quad less = fragprog_quad_sum(1, &t, -1, &x),
                                 more = fragprog_quad_sum(1, &rest, 1, &x);
            offer(s, &less, &more);
        }
    struct fragprog_quad one = fragprog_quad_affine(0, 0, 1); /* C = 1 - t */
    struct fragprog_quad less = fragprog_quad_sum(-1, &t, 1, &one),
                         more = fragprog_quad_sum(1, product, 1, &one);
    more = fragprog_quad_sum(1, &more, -1, &leaf);
    offer(s, &less, &more);
}

/* q = t * factor + c with the affine factor: t by division, if it is a polynomial. */
static void as_factor(struct splitter *s, const struct fragprog_quad *factor, const struct fragprog_quad *c)
{
    hwemit_r300_spend(s->chip, 15);
    unsigned x = 0;
    for (unsigned i = 1; i <= s->nleaves && !x; i++)
        if (factor->c[fragprog_quad_term(0, i)] != 0)
            x = i;
    if (!x)
        return;
    const struct fragprog_quad q = fragprog_quad_sum(1, &s->scaled, -1, c);
    const float lead = factor->c[fragprog_quad_term(0, x)], square = q.c[fragprog_quad_term(x, x)] / lead;
    struct fragprog_quad t = {{0}}, product;
    for (unsigned i = 0; i < N; i++)
        if (i != x)
            t.c[fragprog_quad_term(0, i)] = (q.c[fragprog_quad_term(i, x)] -
                                             square * factor->c[fragprog_quad_term(0, i)]) /
                lead;
    t.c[fragprog_quad_term(0, x)] += square;
    if (!fragprog_quad_product(&product, &t, factor) || !fragprog_quad_equal(&product, &q))
        return;
    const struct fragprog_quad leaf = fragprog_quad_affine(1, s->t, 0);
    if (!fragprog_quad_product(&product, &leaf, factor))
        return;
    struct fragprog_quad rest = fragprog_quad_sum(1, &product, 1, c);
    offer(s, &t, &rest);
    /* the factor is 1 - t */
    struct fragprog_quad one = fragprog_quad_affine(0, 0, 1), other = fragprog_quad_sum(-1, &t, 1, &one);
    rest = fragprog_quad_sum(1, &rest, -2, &product);
    rest = fragprog_quad_sum(1, &rest, 1, factor);
    offer(s, &other, &rest);
}

/* Are the quadratic terms of q those of the factor times something? */
static bool divides(const struct splitter *s, const struct fragprog_quad *factor)
{
    unsigned x = 0;
    for (unsigned i = 1; i <= s->nleaves && !x; i++)
        if (factor->c[fragprog_quad_term(0, i)] != 0)
            x = i;
    const float lead = factor->c[fragprog_quad_term(0, x)],
                square = s->scaled.c[fragprog_quad_term(x, x)] / lead;
    float t[N] = {0};
    bool any = square != 0;
    for (unsigned i = 1; i <= s->nleaves; i++) {
        if (i != x)
            t[i] = (s->scaled.c[fragprog_quad_term(i, x)] - square * factor->c[fragprog_quad_term(0, i)]) /
                lead;
        any |= t[i] != 0;
    }
    t[x] = square;
    for (unsigned j = 1; any && j <= s->nleaves; j++)
        for (unsigned i = 1; i <= j; i++) {
            const float fi = factor->c[fragprog_quad_term(0, i)], fj = factor->c[fragprog_quad_term(0, j)];
            if (s->scaled.c[fragprog_quad_term(i, j)] != (i == j ? t[i] * fi : t[i] * fj + t[j] * fi))
                return false;
        }
    return any;
}

/* Everything that may stand for an operand without t: leaves, and affine values that a presubtract gives. */
enum { MAX_OPERANDS = 3 * FRAGPROG_QUAD_LEAVES + FRAGPROG_QUAD_LEAVES * FRAGPROG_QUAD_LEAVES };
static unsigned operands(const struct splitter *s, struct fragprog_quad *operand, unsigned *leaf,
                         unsigned *plain)
{
    unsigned n = 0;
    for (unsigned i = 1; i <= s->nleaves; i++)
        if (fragprog_quad_has(&s->scaled, i)) {
            leaf[n] = i;
            operand[n++] = fragprog_quad_affine(1, i, 0);
        }
    *plain = n;
    for (unsigned i = 0; i < *plain; i++) {
        struct fragprog_quad one = fragprog_quad_affine(0, 0, 1);
        operand[n++] = fragprog_quad_sum(-1, &operand[i], 1, &one);
        operand[n++] = fragprog_quad_sum(-2, &operand[i], 1, &one);
        for (unsigned j = i + 1; j < *plain; j++) {
            operand[n++] = fragprog_quad_sum(1, &operand[i], 1, &operand[j]);
            operand[n++] = fragprog_quad_sum(1, &operand[i], -1, &operand[j]);
        }
    }
    return n;
}

/* a * leaf b: the quadratic terms are the linear ones of a. */
static void of_product(struct splitter *s, const struct fragprog_quad *a, unsigned b, bool pre_free)
{
    struct fragprog_quad product;
    hwemit_r300_spend(s->chip, 10);
    for (unsigned i = 1; i <= s->nleaves; i++) {
        const float c = a->c[fragprog_quad_term(0, i)], q = s->scaled.c[fragprog_quad_term(i, b)];
        if (c != 0 && c != q && c != -q)
            return; /* it occurs with no sign */
    }
    const struct fragprog_quad leaf = fragprog_quad_affine(1, b, 0);
    if (!fragprog_quad_product(&product, a, &leaf))
        return;
    for (int sign = 1; sign >= -1; sign -= 2) {
        product = fragprog_quad_sum((float)sign, &product, 0, &product);
        if (occurs(&product, &s->scaled))
            as_summand(s, &product, pre_free);
    }
}

static void at_scale(struct splitter *s)
{
    static const struct fragprog_quad zero = {{0}};
    struct fragprog_quad operand[MAX_OPERANDS];
    hwemit_r300_spend(s->chip, 40);
    unsigned plain, leaf[FRAGPROG_QUAD_LEAVES], n = operands(s, operand, leaf, &plain);
    const bool product = may_be_product(&s->scaled); /* what is affine changes nothing in that */
    const struct fragprog_quad one = fragprog_quad_affine(0, 0, 1);

    for (unsigned a = 0; a < n && !s->found; a++)
        for (unsigned b = 0; b < plain && b <= a && !s->found; b++)
            of_product(s, &operand[a], leaf[b], a < plain);
    for (unsigned a = 0; a < n && !s->found; a++) /* a sum of two */
        for (int sign = 1; sign >= -1; sign -= 2) {
            if (!product) {
                hwemit_r300_spend(s->chip, 10);
                continue;
            }
            struct fragprog_quad c = fragprog_quad_sum((float)sign, &operand[a], 0, &one);
            as_summand(s, &c, a < plain);
        }
    /* q = t*factor + c, c = 0, a constant, a leaf, the factor itself */
    for (unsigned a = 0; a < n && !s->found; a++) {
        if (!divides(s, &operand[a]))
            continue;
        as_factor(s, &operand[a], &zero);
        for (int sign = 1; sign >= -1; sign -= 2) {
            struct fragprog_quad c = fragprog_quad_sum((float)sign, &operand[a], 0, &one);
            as_factor(s, &operand[a], &c);
            for (unsigned b = 0; b < plain; b++) {
                c = fragprog_quad_sum((float)sign, &operand[b], 0, &one);
                as_factor(s, &operand[a], &c);
            }
            c = fragprog_quad_affine(0, 0, s->scaled.c[0]);
            if (sign > 0 && c.c[0] != 0)
                as_factor(s, &operand[a], &c);
        }
    }
    as_summand(s, &zero, true);
}

bool hwemit_r300_split(const struct chip *chip, const struct fragprog_quad *q, unsigned nleaves,
                       bool (*candidate)(void *, const struct fragprog_quad *, const struct fragprog_quad *),
                       void *user)
{
    static const float scales[] = {1, 2, 4, 0.5f, 8, 3}; /* 3: of scalars, by a dot product (r300_match.c) */
    struct splitter s = {
        .chip = chip, .nleaves = nleaves, .t = nleaves + 1, .candidate = candidate, .user = user};
    if (s.t > FRAGPROG_QUAD_LEAVES)
        return false;
    const unsigned n = sizeof scales / sizeof *scales - !fragprog_quad_thrice(q);
    for (unsigned i = 0; i < n && !s.found && !hwemit_r300_spent(chip); i++) {
        s.scale = scales[i];
        s.scaled = fragprog_quad_sum(1 / s.scale, q, 0, q);
        at_scale(&s);
    }
    return s.found;
}
