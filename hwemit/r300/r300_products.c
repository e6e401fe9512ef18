/* Enumerates A and B of one multiply-add A*B + C: their product must have the quadratic terms of the
 * polynomial, of which there are at most two (r300_match.c). */
#include "hwemit/r300/r300_match.h"

/* ---- no quadratic term: A times a literal ---- */

/* C can hold one source with a factor of magnitude 1 or 2, or two sources with factors 1 or -1. If C already
 * holds `leaves` sources, returns the largest magnitude of the factor that one more source may have (0: no
 * further source is possible), or NO_ROOM if these are already too many. */
enum { NO_ROOM = -1 };
static int room_beside(unsigned leaves) { return 2 - (int)leaves; }

/* As room_beside, if C already holds all sources except a and b. */
static int room_for(const struct search *s, unsigned a, unsigned b)
{
    const unsigned others = s->linear & ~(1u << a | 1u << b), n = up_to_three(others);
    return n > 2 || others & ~s->factors ? NO_ROOM : s->dot ? 0 : room_beside(n);
}

/* Tries products of v and a literal m. For each factor that source a can have in C, m is chosen so that A*B
 * has the rest of a's coefficient in the polynomial. */
static void times_number(struct search *s, const struct value *v)
{
    const int room = room_for(s, v->a, v->b);
    const struct others others = others_than(s, v->a, v->b);
    for (int left = -room; left <= room && !is_full(s); left++) {
        const float m = (s->q.c[v->a] - (float)left) / v->factor, number = s->q.c[0] - v->offset * m;
        if (m == 0 || (s->light && m != 1 && m != -1 && m != 0.5f && m != -0.5f) ||
            (others.n + (left != 0) == 2 && number != 0) ||
            is_no_rest(s, others, (float)left, v->other != 0 ? s->q.c[v->b] - m * v->other : 0, number))
            continue;
        const struct value b = constant(m);
        hwemit_r300_multiply(s, v, &b, 1);
    }
}

/* Returns whether a form without literals is possible, in which A is multiplied by 1/2 or 1 and the factors
 * in C are integers. */
static bool is_light(const struct search *s)
{
    for (unsigned u = 0; u < s->nused; u++) {
        const float c = s->q.c[s->used[u]];
        if (c > 4 || c < -4 || c * 2 != (float)(int)(c * 2))
            return false;
    }
    return true;
}

static void linear(struct search *s)
{
    if (s->light && !is_light(s))
        return;
    const struct draft none = {.f = {.arg = {ARG_ZERO, ARG_ZERO, ARG_ZERO}, NO_PRESUB}};
    struct value v;
    if (!s->dot)
        hwemit_r300_finish(s, &none, &s->q);
    for (unsigned u = 0; u < s->nused && !is_full(s); u++) {
        const unsigned i = s->used[u];
        v = plain(i), times_number(s, &v);
        v = complement(i), times_number(s, &v);
        v = sign_of(i), times_number(s, &v);
        if (has_room(s, i))
            v = twice(i), times_number(s, &v);
        for (unsigned w = u + 1; w < s->nused && !is_full(s); w++) {
            v = both(i, s->used[w], 1), times_number(s, &v);
            v = both(i, s->used[w], -1), times_number(s, &v);
        }
    }
    for (float sign = 1; !s->dot && sign >= -1 && !is_full(s);
         sign -= 2) { /* 1/2 * 1/2 is a literal that takes no address */
        struct draft quarter = {
            .f = {.arg = {ARG_HALF, ARG_HALF}, .mod = {sign < 0 ? MOD_NEG : 0}, NO_PRESUB}};
        struct line rest = s->q;
        rest.c[0] -= sign * 0.25f;
        hwemit_r300_finish(s, &quarter, &rest);
    }
}

/* ---- one product: A contains one of its sources, B the other ---- */

enum { KINDS = 4 };
static const float kind_factor[KINDS] = {1, -1, -2, 2}, kind_offset[KINDS] = {0, 1, 1, 0},
                   kind_sign[KINDS] = {1, -1, -1, 1}, over_kind[KINDS] = {1, -1, -0.5f, 0.5f};
/* Operands of one source x are of four kinds: x, 1 - x, 1 - 2x, 2x. Returns the first of the two kinds whose
 * factor has this magnitude, or KINDS if it is neither 1 nor 2. */
static unsigned kinds_of(float factor)
{
    const unsigned size = factor_of(factor);
    return size == 1 ? 0 : size == 2 ? 2 : KINDS;
}
/* Returns the sign to multiply the product of two kinds with, to get the sign of `factor`. */
static float sign_of_kinds(float factor, unsigned x, unsigned y)
{
    return (factor < 0 ? -1.0f : 1.0f) * kind_sign[x] * kind_sign[y];
}
static struct value kind(unsigned n, unsigned leaf)
{
    return n == 0 ? plain(leaf) : n == 1 ? complement(leaf) : n == 2 ? sign_of(leaf) : twice(leaf);
}

/* Tries (x + k) * B with x = source one and B a kind of source two, for every k for which the remaining
 * factor of source two fits into C. */
static void shifted_product(struct search *s, unsigned one, unsigned two, float factor)
{
    const struct others others = others_than(s, one, two);
    const unsigned first = kinds_of(factor);
    for (unsigned y = first; y < KINDS && y < first + 2 && !is_full(s); y++) {
        const float sign = sign_of_kinds(factor, y, 0), offset = kind_offset[y];
        const float rest = one != two ? s->q.c[one] - sign * offset : 0;
        const unsigned n = others.n + (rest != 0);
        const int room = factor_of(rest) != OTHER_FACTOR ? room_beside(n) : NO_ROOM;
        for (int left = -room; left <= room; left++) {
            const float k = sign * (s->q.c[two] - (float)left) - (one == two ? offset : 0);
            const float shift = k * over_kind[y], number = s->q.c[0] - sign * shift * offset;
            if (k == 0 || (n + (left != 0) == 2 && number != 0) ||
                is_no_rest(s, others, rest, (float)left, number))
                continue;
            const struct value a = shifted(one, shift), b = kind(y, two);
            hwemit_r300_multiply(s, &a, &b, sign);
        }
    }
}

/* Tries sign * (x + k) * (y + m), with x, y = leaf[] and k, m = by[]. */
static void try_shifts(struct search *s, const unsigned leaf[2], const float by[2], float sign)
{
    const unsigned i = leaf[0], j = leaf[1];
    const float x = s->q.c[i] - sign * by[1], y = i != j ? s->q.c[j] - sign * by[0] : -sign * by[0];
    if (is_no_rest(s, others_than(s, i, j), i != j ? x : 0, i != j ? y : x + y,
                   s->q.c[0] - sign * by[0] * by[1]))
        return;
    const struct value a = shifted(i, by[0]), b = shifted(j, by[1]);
    hwemit_r300_multiply(s, &a, &b, sign);
}

/* Tries (x + k) * (y + k), (x + k) * (y - k) and (x + k) * (y + m). */
static void both_shifted(struct search *s, unsigned i, unsigned j, float factor)
{
    const unsigned leaf[2] = {i, j};
    const int room = room_beside(s->nrest);
    for (int left = -room; left <= room; left++) {
        const float k = factor * (s->q.c[j] - (float)left) / (i == j ? 2 : 1);
        if (k != 0)
            try_shifts(s, leaf, (const float[]){k, k}, factor);
        if (k != 0 && i != j)
            try_shifts(s, leaf, (const float[]){k, -k}, factor);
    }
    const float k = factor * s->q.c[j], m = factor * s->q.c[i];
    if (i != j && k != 0 && m != 0 && k != m && k != -m) { /* two literals */
        const unsigned n = s->n;
        try_shifts(s, leaf, (const float[]){k, m}, factor);
        /* two literals take so many constants that two instructions would often be easier to pair */
        if (s->n > n && !s->chip->packs) {
            s->n = n;
            hwemit_r300_note_packing(s->chip);
        }
    }
}

/* Tries all kinds of both sources whose product has the factor, without literals. */
static void both_kinds(struct search *s, unsigned i, unsigned j, float factor)
{
    static const uint8_t pairs[3][8][2] = {{{0, 0}, {0, 1}, {1, 0}, {1, 1}},
                                           {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 0}, {2, 1}, {3, 0}, {3, 1}},
                                           {{2, 2}, {2, 3}, {3, 2}, {3, 3}}};
    const unsigned size = factor_of(factor), row = size == 1 ? 0 : size == 2 ? 1 : 2, n = row == 1 ? 8 : 4;
    const struct others others = others_than(s, i, j);
    for (unsigned p = 0; p < n && !is_full(s); p++) {
        const unsigned x = pairs[row][p][0], y = pairs[row][p][1];
        const float sign = sign_of_kinds(factor, x, y);
        const float of_i = sign * kind_offset[y] * kind_factor[x],
                    of_j = sign * kind_offset[x] * kind_factor[y];
        if ((i == j && x > y) ||
            is_no_rest(s, others, s->q.c[i] - of_i - (i == j ? of_j : 0), i == j ? 0 : s->q.c[j] - of_j,
                       s->q.c[0] - sign * kind_offset[x] * kind_offset[y]))
            continue;
        const struct value a = kind(x, i), b = kind(y, j);
        hwemit_r300_multiply(s, &a, &b, sign);
    }
}

static void one_product(struct search *s, unsigned i, unsigned j, float factor)
{
    both_kinds(s, i, j, factor);
    if (s->light || is_full(s))
        return;
    if (has_room(s, i))
        shifted_product(s, i, j, factor);
    if (i != j && has_room(s, j))
        shifted_product(s, j, i, factor);
    if (factor_of(factor) == 1 && !is_full(s) && has_room(s, i) && has_room(s, j))
        both_shifted(s, i, j, factor);
}

/* ---- two products: a source times a presubtract of two sources ---- */

static struct value sum(unsigned a, unsigned b, float sign)
{
    return a < b ? both(a, b, sign) : both(b, a, sign);
}

static void two_products(struct search *s)
{
    const float ratio = s->product[1].factor / s->product[0].factor;
    if (ratio != 1 && ratio != -1)
        return;
    const unsigned leaf[2][2] = {{s->product[0].i, s->product[0].j}, {s->product[1].i, s->product[1].j}};
    for (unsigned p = 0; p < 2; p++)
        for (unsigned r = 0; r < 2; r++) {
            const unsigned common = leaf[0][p], y = leaf[0][1 - p], z = leaf[1][1 - r];
            if (leaf[1][r] != common || y == z || (p == 1 && leaf[0][0] == leaf[0][1]) ||
                (r == 1 && leaf[1][0] == leaf[1][1]))
                continue;
            const struct value b = sum(y, z, ratio); /* source b.a has factor 1 */
            const float factor = b.a == y ? s->product[0].factor : s->product[1].factor;
            const unsigned first = kinds_of(factor);
            for (unsigned x = first; x < KINDS && x < first + 2; x++) {
                const float sign = sign_of_kinds(factor, x, 0), of_b = sign * kind_offset[x];
                if (is_no_rest(s, others_than(s, y, z), s->q.c[b.a] - of_b, s->q.c[b.b] - of_b * b.other,
                               s->q.c[0]))
                    continue;
                const struct value a = kind(x, common);
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
