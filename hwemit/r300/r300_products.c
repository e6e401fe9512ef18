/* What A and B of one multiply-add can be: their product has the quadratic terms that are wanted, which are
 * few (r300_match.c). */
#include "hwemit/r300/r300_match.h"

/* ---- no products: A times a number ---- */

/* Can C have all leaves but these? */
static bool for_rest(const struct search *s, unsigned a, unsigned b)
{
    unsigned n = 0;
    for (unsigned u = 0; u < s->nused; u++)
        if (s->used[u] != a && s->used[u] != b && (!is_factor(s->q.c[s->used[u]]) || ++n > 2))
            return false;
    return true;
}

/* By all numbers that leave of leaf a what C can have. */
static void times_number(struct search *s, const struct value *v)
{
    /* leaves of q that C has to be of, two at most */
    const unsigned others = s->nused - (v->b && v->b != v->a ? 2 : 1);
    if (others > 2 || !for_rest(s, v->a, v->b))
        return;
    for (int left = -2; left <= 2; left++) {
        const float m = (s->q.c[v->a] - (float)left) / v->factor;
        const struct value b = constant(m);
        if (m == 0 || (s->dot && left) || (left && others == 2) ||
            (s->light && m != 1 && m != -1 && m != 0.5f && m != -0.5f))
            continue;
        hwemit_r300_multiply(s, v, &b, 1);
    }
}

static void linear(struct search *s)
{
    const struct draft none = {.f = {.arg = {ARG_ZERO, ARG_ZERO, ARG_ZERO}, NO_PRESUB}};
    struct value v;
    if (!s->dot)
        hwemit_r300_finish(s, &none, &s->q);
    for (unsigned u = 0; u < s->nused; u++) {
        const unsigned i = s->used[u];
        v = plain(i), times_number(s, &v);
        v = complement(i), times_number(s, &v);
        v = sign_of(i), times_number(s, &v);
        v = twice(i), times_number(s, &v);
        for (unsigned w = u + 1; w < s->nused; w++) {
            v = both(i, s->used[w], 1), times_number(s, &v);
            v = both(i, s->used[w], -1), times_number(s, &v);
        }
    }
    for (float sign = 1; !s->dot && sign >= -1; sign -= 2) { /* 1/2 * 1/2 is a number that takes no address */
        struct draft quarter = {
            .f = {.arg = {ARG_HALF, ARG_HALF}, .mod = {sign < 0 ? MOD_NEG : 0}, NO_PRESUB}};
        struct line rest = s->q;
        rest.c[0] -= sign * 0.25f;
        hwemit_r300_finish(s, &quarter, &rest);
    }
}

/* ---- one product: A is of the one leaf, B of the other ---- */

enum { KINDS = 4 };
static const float kind_factor[KINDS] = {1, -1, -2, 2}, kind_offset[KINDS] = {0, 1, 1, 0};
static struct value kind(unsigned n, unsigned leaf)
{
    return n == 0 ? plain(leaf) : n == 1 ? complement(leaf) : n == 2 ? sign_of(leaf) : twice(leaf);
}

/* sign, if x = sign*y; else 0. */
static float same_size(float x, float y) { return x == y ? 1.0f : x == -y ? -1.0f : 0.0f; }

/* (x + k) * B for leaf one and B of leaf two; k from what C can have of that. */
static void shifted_product(struct search *s, unsigned one, unsigned two, float factor)
{
    for (unsigned y = 0; y < KINDS; y++) {
        const float sign = same_size(factor, kind_factor[y]);
        if (sign == 0 || (one != two && !is_factor(s->q.c[one] - sign * kind_offset[y])))
            continue;
        const struct value b = kind(y, two);
        for (int left = -2; left <= 2; left++) {
            const float k = sign * (s->q.c[two] - (float)left) - (one == two ? b.offset : 0);
            const struct value a = shifted(one, k / b.factor);
            if (k != 0)
                hwemit_r300_multiply(s, &a, &b, sign);
        }
    }
}

static void one_product(struct search *s, unsigned i, unsigned j, float factor)
{
    if (!for_rest(s, i, j))
        return;
    for (unsigned x = 0; x < KINDS; x++)
        for (unsigned y = i == j ? x : 0; y < KINDS; y++) {
            const float sign = same_size(factor, kind_factor[x] * kind_factor[y]);
            if (sign == 0)
                continue;
            const struct value a = kind(x, i), b = kind(y, j);
            hwemit_r300_multiply(s, &a, &b, sign);
        }
    if (s->light)
        return;
    shifted_product(s, i, j, factor);
    if (i != j)
        shifted_product(s, j, i, factor);
    /* (x + k) * (y + k) or (x + k) * (y - k) */
    for (int left = -2; same_size(factor, 1) != 0 && left <= 2; left++) {
        const float k = factor * (s->q.c[j] - (float)left) / (i == j ? 2 : 1);
        const struct value a = shifted(i, k), b = shifted(j, k), c = shifted(j, -k);
        if (k != 0)
            hwemit_r300_multiply(s, &a, &b, factor);
        if (k != 0 && i != j)
            hwemit_r300_multiply(s, &a, &c, factor);
    }
    const float k = factor * s->q.c[j], m = factor * s->q.c[i];
    /* (x + k) * (y + m) and a number */
    if (i != j && same_size(factor, 1) != 0 && k != 0 && m != 0 && k != m && k != -m) {
        const struct value a = shifted(i, k), b = shifted(j, m);
        const unsigned n = s->n;
        hwemit_r300_multiply(s, &a, &b, factor);
        if (s->n > n && !s->chip->packs) { /* heavy: beside other operations two would often be better */
            s->n = n;
            hwemit_r300_note_packing(s->chip);
        }
    }
}

/* ---- two products: a leaf times a presubtract of two ---- */

static struct value sum(unsigned a, unsigned b, float sign)
{
    return a < b ? both(a, b, sign) : both(b, a, sign);
}

static void two_products(struct search *s)
{
    const unsigned leaf[2][2] = {{s->product[0].i, s->product[0].j}, {s->product[1].i, s->product[1].j}};
    for (unsigned p = 0; p < 2; p++)
        for (unsigned r = 0; r < 2; r++) {
            const unsigned common = leaf[0][p], y = leaf[0][1 - p], z = leaf[1][1 - r];
            if (leaf[1][r] != common || y == z || (p == 1 && leaf[0][0] == leaf[0][1]) ||
                (r == 1 && leaf[1][0] == leaf[1][1]))
                continue;
            const float ratio = s->product[1].factor / s->product[0].factor;
            if (ratio != 1 && ratio != -1)
                continue;
            const struct value b = sum(y, z, ratio); /* of which the first has factor 1 */
            const float factor = b.a == y ? s->product[0].factor : s->product[1].factor;
            for (unsigned x = 0; x < KINDS; x++) {
                const struct value a = kind(x, common);
                const float sign = factor / a.factor;
                if (sign == 1 || sign == -1)
                    hwemit_r300_multiply(s, &a, &b, sign);
            }
        }
}

void hwemit_r300_products(struct search *s)
{
    switch (s->nproducts) {
    case 0: linear(s); break;
    case 1: one_product(s, s->product[0].i, s->product[0].j, s->product[0].factor); break;
    default: two_products(s); break;
    }
}
