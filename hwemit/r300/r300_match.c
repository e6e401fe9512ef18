/* Finds the forms of one multiply-add, 2^omod * (A*B + C), that compute a given polynomial. Each of A, B and
 * C is a source, 0, 1/2, 1, a literal, or a presubtract, with a sign (notes/facts/r300.md 2). The quadratic
 * terms determine which sources A and B contain; C must be the remainder, which is affine. */
#include "hwemit/r300/r300_match.h"

#include <string.h>

/* Two products fit one instruction only if they share a source and have the same factor up to sign. */
static bool is_common(const struct search *s)
{
    const uint8_t i = s->product[0].i, j = s->product[0].j;
    return (s->factor[0] == s->factor[1] || s->factor[0] == -s->factor[1]) &&
        (s->product[1].i == i || s->product[1].i == j || s->product[1].j == i || s->product[1].j == j);
}

/* Returns the mask of the parts (colour, alpha) of a source that this half reads. */
static unsigned parts_of(const struct search *s, const struct leaf *leaf)
{
    const uint8_t *lane = leaf->lane;
    const bool alpha = lane[0] == 3, both = s->rgb && ((lane[1] == 3) != alpha || (lane[2] == 3) != alpha);
    return both ? 1 << RGB | 1 << ALPHA : alpha ? 1 << ALPHA : 1 << RGB;
}

/* Returns whether the sources that the polynomial reads, and so every form of it, fit the three addresses of
 * each part, and few enough of them are constants. */
static bool has_addresses(struct search *s)
{
    unsigned n[2] = {0, 0}, constants = 0;
    s->full = 0;
    if (s->nused < 3) /* always fits */
        return true;
    for (unsigned u = 0; u < s->nused; u++) {
        const struct leaf *leaf = &s->leaf[s->used[u] - 1];
        unsigned parts = parts_of(s, leaf);
        bool again = false;
        for (unsigned w = 0; w < u; w++) {
            const struct leaf *other = &s->leaf[s->used[w] - 1];
            if (other->index == leaf->index && other->file == leaf->file) {
                parts &= ~parts_of(s, other);
                again = true;
            }
        }
        constants += leaf->file == FILE_CONST && !again;
        n[RGB] += parts & 1;
        n[ALPHA] += parts >> 1;
    }
    s->full = (n[RGB] >= 3 ? 1u : 0) | (n[ALPHA] >= 3 ? 2u : 0);
    return n[RGB] <= 3 && n[ALPHA] <= 3 && constants <= s->chip->pair_consts;
}

/* Decomposes the polynomial into products and linear terms. Returns false if it has more of them than one
 * instruction can compute. */
static bool take_apart(struct search *s, const struct fragprog_quad *q)
{
    unsigned multiplied = 0;
    s->nused = s->nproducts = s->nrest = s->linear = 0;
    memset(&s->q, 0, sizeof s->q);
    memset(&s->wanted, 0, sizeof s->wanted);
    s->wanted.c[0] = q->c[0];
    for (unsigned j = 1, term = 1; j <= s->nleaves; j++) {
        if (q->c[term] != 0)
            s->linear |= bit_of(j);
        s->wanted.c[j] = q->c[term++];
        for (unsigned i = 1; i <= j; i++, term++)
            if (q->c[term] != 0) {
                if (s->nproducts == MAX_PRODUCTS)
                    return false;
                s->factor[s->nproducts] = q->c[term];
                s->product[s->nproducts].i = (uint8_t)i;
                s->product[s->nproducts++].j = (uint8_t)j;
                multiplied |= bit_of(i) | bit_of(j);
            }
    }
    for (unsigned j = 1; j <= s->nleaves; j++)
        if ((s->linear | multiplied) >> j & 1) {
            s->used[s->nused++] = (uint8_t)j;
            if (!(multiplied >> j & 1))
                s->rest[s->nrest++] = (uint8_t)j;
        }
    return s->nrest <= (s->nproducts ? 2 : 4) && (s->nproducts < 2 || is_common(s));
}

/* Returns log2 of the magnitude of a factor, or NO_POWER if it is not a power of two. */
enum { NO_POWER = 100 };
static int power_of(float factor)
{
    uint32_t bits;
    memcpy(&bits, &factor, sizeof bits);
    return bits & 0x7fffff ? NO_POWER : (int)(bits >> 23 & 0xff) - 127;
}

/* Divides the polynomial by an output modifier (scale is 1 / modifier). Returns false if no operand C can
 * have the resulting factors. */
static bool prepare(struct search *s, float scale)
{
    for (unsigned p = 0; p < s->nproducts; p++)
        s->product[p].factor = s->factor[p] * scale;
    for (unsigned u = 0; s->nproducts && u < s->nrest; u++) /* these sources can only be in C */
        if (factor_of(s->wanted.c[s->rest[u]] * scale) == OTHER_FACTOR)
            return false;
    s->ones = s->factors = 0;
    s->q.c[0] = s->wanted.c[0] * scale;
    for (unsigned u = 0; u < s->nused; u++) {
        const unsigned i = s->used[u];
        s->q.c[i] = s->wanted.c[i] * scale;
        const unsigned c = factor_of(s->q.c[i]);
        s->ones |= (unsigned)(c == 1) << i;
        s->factors |= (unsigned)(c != OTHER_FACTOR) << i;
    }
    return true;
}

static void all_modifiers(struct search *s)
{
    static const int8_t omods[] = {0, 1, 2, 3, -1, -2, -3};
    static const float over[] = {1, 0.5f, 0.25f, 0.125f, 2, 4, 8}; /* 2^-omod */
    const int power = s->nproducts ? power_of(s->factor[0]) : NO_POWER;
    if (s->nproducts && power == NO_POWER)
        return;
    /* log2 of the largest factor of A*B, which is 4 with a single product, else 2 */
    const unsigned most = s->nproducts == 1 ? 2 : 1;
    for (unsigned o = 0; o < sizeof omods && !is_full(s); o++)
        if ((s->nproducts == 0 || (unsigned)(power - omods[o]) <= most) && prepare(s, over[o])) {
            s->omod = omods[o];
            s->work += 5;
            hwemit_r300_products(s);
        }
}

/* Divides the polynomial by 3, for forms with a dot product. */
static void divide(struct search *s)
{
    s->factor[0] /= 3;
    s->factor[1] /= 3;
    for (unsigned i = 0; i <= s->nleaves; i++)
        s->wanted.c[i] /= 3;
}

/* Returns whether a dot product may compute the polynomial as 3*A*B: it must be a colour with equal channels.
 */
static bool by_dot(const struct search *s, const struct fragprog_quad *q)
{
    bool dot = s->rgb && s->nused;
    for (unsigned u = 0; u < s->nused; u++) {
        const uint8_t *lane = s->leaf[s->used[u] - 1].lane;
        dot &= lane[0] == lane[1] && lane[1] == lane[2];
    }
    return dot && fragprog_quad_thrice(q);
}

unsigned hwemit_r300_weight(const struct form *f)
{
    return 3u * ((f->number[0] != 0) + (f->number[1] != 0)) + (f->pre[0].op != PRE_NONE) +
        (f->pre[1].op != PRE_NONE);
}

/* Sorts the forms by weight, lightest first. Unless the chip's `thorough` is set, drops heavy forms if there
 * are light ones. */
static void sort(struct search *s)
{
    for (unsigned i = 1; i < s->n; i++) {
        const struct form f = s->form[i];
        unsigned j = i;
        for (; j > 0 && hwemit_r300_weight(&s->form[j - 1]) > hwemit_r300_weight(&f); j--)
            s->form[j] = s->form[j - 1];
        s->form[j] = f;
    }
    if (s->n && !s->chip->thorough) {
        const unsigned least = hwemit_r300_weight(&s->form[0]), most = least < 1 ? 1 : least;
        unsigned n = 1;
        while (n < s->n && hwemit_r300_weight(&s->form[n]) <= most)
            n++;
        s->n = n;
    }
}

/* Lower bound of a form's weight. A presubtract is needed for two products, for two sources beside a product,
 * for a source and a literal beside a product, and for more than two sources, or two and a literal, without a
 * product. */
static unsigned least_weight(const struct search *s)
{
    if (s->nproducts == 0)
        return s->nused > 2 || (s->nused == 2 && s->wanted.c[0] != 0);
    return s->nproducts == 2 || s->linear & (s->linear - 1) || (s->linear && s->wanted.c[0] != 0);
}

/* Tries the cheapest form first: A*B is source*source, source*1 or 0, and C is a source or a literal that
 * takes no address. */
static bool find_plain(struct search *s)
{
    struct form f = {.arg = {ARG_ZERO, ARG_ZERO, ARG_ZERO}, NO_PRESUB};
    const unsigned linear = up_to_three(s->linear), last = s->nused ? s->used[s->nused - 1] : 0;
    const float k = s->wanted.c[0];
    unsigned leaf = linear ? last : 0; /* the source in C */
    float factor = 1;
    if (s->nproducts == 1 && linear <= 1) {
        factor = s->factor[0];
        f.arg[0] = (uint8_t)(ARG_LEAF + s->product[0].i - 1);
        f.arg[1] = (uint8_t)(ARG_LEAF + s->product[0].j - 1);
        for (unsigned u = 0; linear && !(s->linear >> leaf & 1); u++)
            leaf = s->used[u];
    } else if (s->nproducts == 0 && (linear == 2 || (linear == 1 && k != 0 && s->chip->hasty))) {
        leaf = linear == 2 ? last : 0;
        factor = s->wanted.c[s->used[0]];
        f.arg[0] = (uint8_t)(ARG_LEAF + s->used[0] - 1);
        f.arg[1] = ARG_ONE;
    } else if (s->nproducts || linear > 2)
        return false;
    const float c = s->wanted.c[leaf];
    if ((factor != 1 && factor != -1) || (leaf ? k != 0 || (c != 1 && c != -1) : !is_free(k)))
        return false;
    f.mod[0] = factor < 0 ? MOD_NEG : 0;
    hwemit_r300_constant(&f, 2, k);
    if (leaf) {
        f.arg[2] = (uint8_t)(ARG_LEAF + leaf - 1);
        f.mod[2] = c < 0 ? MOD_NEG : 0;
    }
    if (!hwemit_r300_fits(&f, s->leaf, s->rgb, s->chip))
        return false;
    s->form[0] = f;
    s->n = s->room = 1;
    return true;
}

/* Quick test for polynomials with two products x*y and x*z, where A is x, 1 - x, 1 - 2x or 2x, and B is y + z
 * or y - z. C is the remaining linear part, which may have at most two terms (sources or a literal). Returns
 * false if no such C exists. */
static bool may_be_two(const struct search *s)
{
    const unsigned i = s->product[0].i, j = s->product[0].j, k = s->product[1].i, l = s->product[1].j;
    const unsigned x = i == k || i == l ? i : j, y = i == x ? j : i, z = k == x ? l : k;
    if (x == y || x == z || y == z)
        return true;
    const float *c = s->wanted.c;
    const unsigned beside = s->nrest + (c[x] != 0) + (c[0] != 0);
    for (float part = 0; part <= 1; part += 0.5f)
        if (beside + (c[y] + part * s->factor[0] != 0) + (c[z] + part * s->factor[1] != 0) <= 2)
            return true;
    return false;
}

/* Returns whether no form can have a literal: C must hold a source that is in no product, and no source's
 * part has a free address for a literal in a presubtract. */
static bool has_no_number(const struct search *s)
{
    bool room = s->nproducts == 0 || s->nrest == 0;
    for (unsigned u = 0; u < s->nused; u++)
        room = room || has_room(s, s->used[u]);
    return !room;
}

static void find_forms(struct search *s, const struct fragprog_quad *q)
{
    bool numbers = true;
    s->work += 5;
    if (!take_apart(s, q))
        return;
    if ((s->first || s->room == 1) && find_plain(s))
        return;
    if ((s->nproducts == 2 && !may_be_two(s)) || !has_addresses(s))
        return;
    s->least = least_weight(s);
    if (!s->chip->thorough && s->room > 1) { /* use forms with literals only if there are no others */
        s->light = true;
        all_modifiers(s);
        s->light = false;
        if (s->n)
            return;
        numbers = !has_no_number(s);
    }
    if (numbers)
        all_modifiers(s);
    s->dot = !is_full(s) && by_dot(s, q);
    if (s->dot) {
        divide(s);
        all_modifiers(s);
    }
}

static void all_forms(struct search *s, const struct fragprog_quad *q)
{
    find_forms(s, q);
    hwemit_r300_spend(s->chip, s->work);
}

/* Maximum numbers of forms to collect, in fast mode and normally; more are rarely useful. */
enum { HASTY_FORMS = 2, FEW_FORMS = 8 };
unsigned hwemit_r300_match(struct form *forms, const struct fragprog_quad *q, const struct leaf *leaf,
                           unsigned nleaves, const struct asked *asked, struct answer *answer)
{
    const struct chip *chip = asked->chip;
    struct form found[2 * MAX_FORMS];
    const unsigned room = chip->hasty ? HASTY_FORMS : chip->thorough ? 2 * MAX_FORMS : FEW_FORMS;
    struct search s = {.form = found,
                       .room = room,
                       .first = asked->first,
                       .leaf = leaf,
                       .nleaves = nleaves,
                       .rgb = asked->rgb,
                       .chip = chip};
    const enum packing before = *chip->packing;
    *chip->packing = PACKING_NONE;
    all_forms(&s, q);
    *answer = (struct answer){s.room != room, s.sided,
                              *chip->packing && s.n == 0 ? PACKING_NEEDED : *chip->packing};
    *chip->packing = before;
    sort(&s);
    const unsigned n = s.n < MAX_FORMS ? s.n : MAX_FORMS;
    memcpy(forms, found, n * sizeof *forms);
    return n;
}

bool hwemit_r300_matches(const struct fragprog_quad *q, const struct leaf *leaf, unsigned nleaves,
                         const struct asked *asked, bool *sided)
{
    struct form form;
    struct search s = {
        .form = &form, .room = 1, .leaf = leaf, .nleaves = nleaves, .rgb = asked->rgb, .chip = asked->chip};
    const enum packing before = *s.chip->packing;
    all_forms(&s, q);
    *s.chip->packing = before; /* this query must not record what packing would change */
    *sided = s.sided || *sided;
    return s.n > 0;
}
