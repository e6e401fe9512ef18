/* The forms of one multiply-add for a wanted polynomial: 2^omod * (A*B + C), each of A, B, C a leaf, 0, 1/2, 1, a number, or a presubtract value, with a sign (facts: section 2).
 * The quadratic terms can only be those of A*B, which says of what leaves A and B are; then C has to be the rest, which is affine. */
#include "hwemit/r300/program.h"

#include <string.h>

enum { N = QUAD_LEAVES + 1, MAX_PRODUCTS = 4 };

struct line { float c[N]; }; /* c[0] + c[1]*leaf 1 + ... */

/* What an operand can be: a number (a == 0), leaf a, or a presubtract of leaf a alone, with leaf b, or with a number k (b == 0). */
struct value {
    uint8_t pre, a, b;
    float k;
    float offset, factor, other; /* offset + factor*a + other*b */
};

/* A form while its operands are put in. */
struct draft { struct form f; uint8_t npre, part[2]; };

struct search {
    struct form *form;
    unsigned n, room;
    const struct leaf *leaf;
    unsigned nleaves;
    const struct chip *chip;
    bool rgb;
    bool light;            /* no numbers */
    bool dot;              /* three times A*B is wanted */
    struct line wanted, q; /* constant and linear terms; the same over the output modifier */
    float factor[MAX_PRODUCTS];
    unsigned nproducts;    /* products of two leaves: factor, and over the output modifier */
    struct { uint8_t i, j; float factor; } product[MAX_PRODUCTS];
    int8_t omod;
    uint8_t used[N];       /* leaves that occur, nused of them */
    unsigned nused;
};

static unsigned part_of(const struct search *s, unsigned leaf) { return s->leaf[leaf - 1].lane[0] == 3; }

/* The presubtract value of two leaves is one source of its own: the same channels of both. */
static bool presubtracts(const struct search *s, unsigned a, unsigned b)
{
    const uint8_t *x = s->leaf[a - 1].lane, *y = s->leaf[b - 1].lane;
    return s->rgb ? memcmp(x, y, 3) == 0 && hwemit_r300_presubtracts(s->chip, x) : x[0] == y[0];
}

/* ---- operands ---- */

static struct value constant(float k) { return (struct value){.pre = PRE_NONE, .k = k, .offset = k}; }
static struct value plain(unsigned a) { return (struct value){.pre = PRE_NONE, .a = (uint8_t)a, .factor = 1}; }
static struct value complement(unsigned a) { return (struct value){.pre = PRE_1_MINUS_X, .a = (uint8_t)a, .b = (uint8_t)a, .offset = 1, .factor = -1}; }
static struct value sign_of(unsigned a) { return (struct value){.pre = PRE_1_MINUS_2X, .a = (uint8_t)a, .b = (uint8_t)a, .offset = 1, .factor = -2}; }
static struct value twice(unsigned a) { return (struct value){.pre = PRE_ADD, .a = (uint8_t)a, .b = (uint8_t)a, .factor = 2}; }
/* a + sign*b, a < b */
static struct value both(unsigned a, unsigned b, float sign)
{
    return (struct value){.pre = sign < 0 ? PRE_SUB : PRE_ADD, .a = (uint8_t)a, .b = (uint8_t)b, .factor = 1, .other = sign};
}
static struct value shifted(unsigned a, float k) { return (struct value){.pre = k < 0 ? PRE_SUB : PRE_ADD, .a = (uint8_t)a, .k = k, .offset = k, .factor = 1}; }

static bool later(const struct leaf *a, const struct leaf *b) { return a->file > b->file || (a->file == b->file && a->index > b->index); }

static bool put(const struct search *s, struct draft *d, unsigned arg, const struct value *v, float sign)
{
    struct form *f = &d->f;
    if (v->pre == PRE_NONE && v->a == 0)
        return hwemit_r300_constant(f, arg, sign * v->k) && (!s->light || f->arg[arg] < ARG_NUMBER);
    f->mod[arg] = sign < 0 ? MOD_NEG : 0;
    if (v->pre == PRE_NONE) {
        f->arg[arg] = (uint8_t)(ARG_LEAF + v->a - 1);
        return true;
    }
    struct presub p = {v->pre, {(uint8_t)(ARG_LEAF + v->a - 1), (uint8_t)(ARG_LEAF + v->b - 1)}};
    if (!presubtracts(s, v->a, v->b ? v->b : v->a) || (v->b == 0 && (s->light || v->k == 0)))
        return false;
    if (v->b == 0 && !hwemit_r300_number(f, v->k < 0 ? -v->k : v->k, &p.arg[1]))
        return false;
    if (v->pre == PRE_SUB && v->b && later(&s->leaf[v->a - 1], &s->leaf[v->b - 1])) { /* a - b as -(b - a): one order for both halves of a pair */
        f->mod[arg] ^= MOD_NEG;
    } else if (v->pre == PRE_SUB) { /* src1 - src0 */
        const uint8_t first = p.arg[0];
        p.arg[0] = p.arg[1];
        p.arg[1] = first;
    }
    const unsigned part = part_of(s, v->a);
    unsigned n = 0;
    while (n < 2 && n < d->npre && d->part[n] != part)
        n++;
    if (n == 2)
        return false;
    if (n == d->npre) {
        if (n == 1 && !s->chip->part_presub && f->pre[0].op != p.op)
            return false;
        f->pre[n] = p;
        d->part[d->npre++] = (uint8_t)part;
    } else if (memcmp(&f->pre[n], &p, sizeof p) != 0)
        return false;
    f->arg[arg] = n ? ARG_PRE2 : ARG_PRE;
    return true;
}

/* Two numbers of which one is twice the other: one constant, and its sum with itself. */
static bool doubled(const struct search *s, struct draft *d)
{
    struct form *f = &d->f;
    const unsigned large = f->number[0] == 2 * f->number[1] ? 0 : 1;
    if (f->number[1] == 0 || f->number[large] != 2 * f->number[1 - large] || d->npre == 2 || (d->npre && d->part[0] == RGB))
        return false;
    if (d->npre && !s->chip->part_presub && f->pre[0].op != PRE_ADD)
        return false;
    for (unsigned k = 0; k < d->npre; k++)
        if (f->pre[k].arg[0] < ARG_LEAF || f->pre[k].arg[1] < ARG_LEAF)
            return false;
    for (unsigned a = 0; a < 3; a++)
        if (f->arg[a] >= ARG_NUMBER && f->arg[a] < ARG_LEAF)
            f->arg[a] = f->arg[a] != ARG_NUMBER + large ? ARG_NUMBER : d->npre ? ARG_PRE2 : ARG_PRE;
    f->pre[d->npre++] = (struct presub){PRE_ADD, {ARG_NUMBER, ARG_NUMBER}};
    f->number[0] = f->number[1 - large];
    f->number[1] = 0;
    return true;
}

static void add(struct search *s, const struct draft *d)
{
    struct draft other = *d;
    if (doubled(s, &other))
        add(s, &other);
    struct form f = d->f;
    f.omod = s->omod;
    f.dot = s->dot;
    if (s->n == s->room || !hwemit_r300_fits(&f, s->leaf, s->rgb, s->chip))
        return;
    for (unsigned i = 0; i < s->n; i++)
        if (memcmp(&s->form[i], &f, sizeof f) == 0)
            return;
    s->form[s->n++] = f;
}

static void as_rest(struct search *s, const struct draft *product, const struct value *v, float sign)
{
    struct draft d = *product;
    if (s->n < s->room && put(s, &d, 2, v, sign))
        add(s, &d);
}

/* The rest as operand C: nothing, a number, a leaf, or a presubtract value. */
static void finish(struct search *s, const struct draft *product, const struct line *rest)
{
    unsigned leaf[2] = {0, 0}, n = 0;
    for (unsigned u = 0; u < s->nused; u++)
        if (rest->c[s->used[u]] != 0) {
            if (n == 2)
                return;
            leaf[n++] = s->used[u];
        }
    const float k = rest->c[0], x = rest->c[leaf[0]], y = rest->c[leaf[1]];
    struct value v = constant(k);
    if (s->dot && (n || k != 0))
        return;
    if (n == 0)
        as_rest(s, product, &v, 1);
    if (n == 1) {
        const float sign = x < 0 ? -1 : 1, magnitude = sign * x;
        if (magnitude == 1 && k == 0)
            v = plain(leaf[0]), as_rest(s, product, &v, sign);
        if (magnitude == 1 && k == -sign)
            v = complement(leaf[0]), as_rest(s, product, &v, -sign);
        if (magnitude == 2 && k == -sign)
            v = sign_of(leaf[0]), as_rest(s, product, &v, -sign);
        if (magnitude == 2 && k == 0)
            v = twice(leaf[0]), as_rest(s, product, &v, sign);
        if (magnitude == 1 && k != 0)
            v = shifted(leaf[0], sign * k), as_rest(s, product, &v, sign);
    }
    if (n == 2 && k == 0 && (x == 1 || x == -1) && (y == 1 || y == -1))
        v = both(leaf[0], leaf[1], x * y), as_rest(s, product, &v, x);
}

/* What a leaf may be multiplied with in an operand; 0: it is not in it. */
static bool is_factor(float c) { return c == 0 || c == 1 || c == -1 || c == 2 || c == -2; }

/* Can an operand have these leaves? */
static bool is_operand(const struct search *s, const struct line *rest)
{
    unsigned n = 0;
    for (unsigned u = 0; u < s->nused; u++) {
        const float c = rest->c[s->used[u]];
        if (c != 0 && (n++ == 2 || !is_factor(c)))
            return false;
    }
    return n < 2 || rest->c[0] == 0;
}

/* A*B with this sign, and C. A is no number. */
static void multiply(struct search *s, const struct value *a, const struct value *b, float sign)
{
    struct line rest = s->q;
    rest.c[a->a] -= sign * b->offset * a->factor;
    rest.c[b->a] -= sign * a->offset * b->factor;
    rest.c[a->b] -= sign * b->offset * a->other;
    rest.c[b->b] -= sign * a->offset * b->other;
    rest.c[0] = s->q.c[0] - sign * a->offset * b->offset;
    if (!is_operand(s, &rest))
        return;
    struct draft d = {.f = {NO_PRESUB}};
    if (!put(s, &d, 0, a, sign) || !put(s, &d, 1, b, 1))
        return;
    if (d.f.mod[1]) { /* one sign for the product */
        d.f.mod[0] ^= MOD_NEG;
        d.f.mod[1] = 0;
    }
    finish(s, &d, &rest);
}

/* ---- no products: A times a number ---- */

/* By all numbers that leave of leaf a what C can have. */
static void times_number(struct search *s, const struct value *v)
{
    const unsigned others = s->nused - (v->b && v->b != v->a ? 2 : 1); /* leaves of q that C has to be of, two at most */
    if (others > 2)
        return;
    for (int left = -2; left <= 2; left++) {
        const float m = (s->q.c[v->a] - (float)left) / v->factor;
        const struct value b = constant(m);
        if (m == 0 || (s->dot && left) || (left && others == 2) || (s->light && m != 1 && m != -1 && m != 0.5f && m != -0.5f))
            continue;
        multiply(s, v, &b, 1);
    }
}

static void linear(struct search *s)
{
    const struct draft none = {.f = {.arg = {ARG_ZERO, ARG_ZERO, ARG_ZERO}, NO_PRESUB}};
    struct value v;
    if (!s->dot)
        finish(s, &none, &s->q);
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
        for (float left = -1; !s->dot && !s->light && left <= 1; left += 0.5f) /* m*(x + k) and a C of which `left` is the constant */
            for (float m = 0.5f; m <= 1; m *= 2)
                if (s->q.c[0] != left) {
                    const struct value b = constant(m);
                    v = shifted(i, (s->q.c[0] - left) / m), multiply(s, &v, &b, 1);
                    v = shifted(i, -(s->q.c[0] - left) / m), multiply(s, &v, &b, -1);
                }
    }
    for (float sign = 1; !s->dot && sign >= -1; sign -= 2) { /* 1/2 * 1/2 is a number that takes no address */
        struct draft quarter = {.f = {.arg = {ARG_HALF, ARG_HALF}, .mod = {sign < 0 ? MOD_NEG : 0}, NO_PRESUB}};
        struct line rest = s->q;
        rest.c[0] -= sign * 0.25f;
        finish(s, &quarter, &rest);
    }
}

/* ---- one product: A is of the one leaf, B of the other ---- */

enum { KINDS = 4 };
static const float kind_factor[KINDS] = {1, -1, -2, 2}, kind_offset[KINDS] = {0, 1, 1, 0};
static struct value kind(unsigned n, unsigned leaf) { return n == 0 ? plain(leaf) : n == 1 ? complement(leaf) : n == 2 ? sign_of(leaf) : twice(leaf); }

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
                multiply(s, &a, &b, sign);
        }
    }
}

static void one_product(struct search *s, unsigned i, unsigned j, float factor)
{
    for (unsigned x = 0; x < KINDS; x++)
        for (unsigned y = i == j ? x : 0; y < KINDS; y++) {
            const float sign = same_size(factor, kind_factor[x] * kind_factor[y]);
            if (sign == 0)
                continue;
            const struct value a = kind(x, i), b = kind(y, j);
            multiply(s, &a, &b, sign);
        }
    if (s->light)
        return;
    shifted_product(s, i, j, factor);
    if (i != j)
        shifted_product(s, j, i, factor);
    for (int left = -2; same_size(factor, 1) != 0 && left <= 2; left++) { /* (x + k) * (y + k) or (x + k) * (y - k) */
        const float k = factor * (s->q.c[j] - (float)left) / (i == j ? 2 : 1);
        const struct value a = shifted(i, k), b = shifted(j, k), c = shifted(j, -k);
        if (k != 0)
            multiply(s, &a, &b, factor);
        if (k != 0 && i != j)
            multiply(s, &a, &c, factor);
    }
}

/* ---- two products: a leaf times a presubtract of two ---- */

static struct value sum(unsigned a, unsigned b, float sign) { return a < b ? both(a, b, sign) : both(b, a, sign); }

static void two_products(struct search *s)
{
    const unsigned leaf[2][2] = {{s->product[0].i, s->product[0].j}, {s->product[1].i, s->product[1].j}};
    for (unsigned p = 0; p < 2; p++)
        for (unsigned r = 0; r < 2; r++) {
            const unsigned common = leaf[0][p], y = leaf[0][1 - p], z = leaf[1][1 - r];
            if (leaf[1][r] != common || y == z || (p == 1 && leaf[0][0] == leaf[0][1]) || (r == 1 && leaf[1][0] == leaf[1][1]))
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
                    multiply(s, &a, &b, sign);
            }
            for (int left = -2; !s->light && left <= 2; left++) {
                const struct value a = shifted(common, factor * (s->q.c[b.a] - (float)left));
                if (a.k != 0 && same_size(factor, 1) != 0)
                    multiply(s, &a, &b, factor);
            }
        }
}

/* ---- three: a presubtract of two leaves, squared; four: a presubtract of either part ---- */

static void three_products(struct search *s)
{
    unsigned cross = 3, a = 0, b = 0;
    for (unsigned p = 0; p < 3; p++)
        if (s->product[p].i != s->product[p].j)
            cross = p;
    if (cross == 3)
        return;
    a = s->product[cross].i;
    b = s->product[cross].j;
    const float square = s->product[(cross + 1) % 3].factor, sign = s->product[cross].factor / 2 / square;
    if (s->product[(cross + 2) % 3].factor != square || (square != 1 && square != -1) || (sign != 1 && sign != -1))
        return;
    for (unsigned p = 1; p < 3; p++) {
        const unsigned i = s->product[(cross + p) % 3].i;
        if (i != s->product[(cross + p) % 3].j || (i != a && i != b))
            return;
    }
    const struct value v = sum(a, b, sign);
    multiply(s, &v, &v, square);
}

static float factor_of(const struct search *s, unsigned x, unsigned y)
{
    for (unsigned p = 0; p < s->nproducts; p++)
        if ((s->product[p].i == x && s->product[p].j == y) || (s->product[p].i == y && s->product[p].j == x))
            return s->product[p].factor;
    return 0;
}

static void four_products(struct search *s)
{
    const unsigned a = s->product[0].i, c = s->product[0].j;
    unsigned b = 0, d = 0;
    for (unsigned p = 1; p < 4; p++) { /* (a + b)*(c + d): d is with a too, b with c too */
        const unsigned i = s->product[p].i, j = s->product[p].j;
        d = i == a ? j : j == a ? i : d;
        b = i == c ? j : j == c ? i : b;
    }
    if (!b || !d || a == b || c == d || a == c)
        return;
    const float first = s->product[0].factor, x = factor_of(s, b, c) / first, y = factor_of(s, a, d) / first;
    if ((first != 1 && first != -1) || (x != 1 && x != -1) || (y != 1 && y != -1) || factor_of(s, b, d) != first * x * y)
        return;
    const struct value u = sum(a, b, x), v = sum(c, d, y);
    const float sign = (u.a == a ? 1 : x) * (v.a == c ? 1 : y);
    multiply(s, &u, &v, first * sign);
}

/* The wanted polynomial taken apart. False if it has more products, or more leaves, than an instruction can read. */
static bool take_apart(struct search *s, const struct quad *q)
{
    bool multiplied[N] = {false};
    unsigned rest = 0;
    s->nused = s->nproducts = 0;
    memset(&s->wanted, 0, sizeof s->wanted);
    for (unsigned j = 1; j <= s->nleaves; j++) {
        const float *row = &q->c[quad_term(0, j)];
        bool used = row[0] != 0;
        for (unsigned i = 1; i <= j; i++)
            if (row[i] != 0) {
                if (s->nproducts == MAX_PRODUCTS)
                    return false;
                s->factor[s->nproducts] = row[i];
                s->product[s->nproducts].i = (uint8_t)i;
                s->product[s->nproducts++].j = (uint8_t)j;
                multiplied[i] = multiplied[j] = true;
            }
        for (unsigned i = j; !used && i <= s->nleaves; i++)
            used = q->c[quad_term(j, i)] != 0;
        for (unsigned i = 1; !used && i < j; i++)
            used = row[i] != 0;
        if (used)
            s->used[s->nused++] = (uint8_t)j;
        s->wanted.c[j] = row[0];
    }
    s->wanted.c[0] = q->c[0];
    for (unsigned u = 0; u < s->nused; u++)
        rest += !multiplied[s->used[u]];
    return rest <= (s->nproducts ? 2 : 4);
}

/* The same over an output modifier. False if no product of two operands has such factors. */
static bool prepare(struct search *s, int omod, float divisor)
{
    static const float over[] = {8, 4, 2, 1, 0.5f, 0.25f, 0.125f}; /* 2^-omod for omod -3.. */
    const float scale = over[omod + 3];
    s->omod = (int8_t)omod;
    for (unsigned p = 0; p < s->nproducts; p++) {
        const float c = s->factor[p] / divisor * scale;
        if (c != 1 && c != -1 && c != 2 && c != -2 && c != 4 && c != -4)
            return false;
        s->product[p].factor = c;
    }
    for (unsigned i = 0; i <= s->nleaves; i++)
        s->q.c[i] = s->wanted.c[i] / divisor * scale;
    return true;
}

static void at_modifier(struct search *s)
{
    switch (s->nproducts) {
    case 0: linear(s); break;
    case 1: one_product(s, s->product[0].i, s->product[0].j, s->product[0].factor); break;
    case 2: two_products(s); break;
    case 3: three_products(s); break;
    default: four_products(s); break;
    }
}

static void all_modifiers(struct search *s, float divisor)
{
    static const int8_t omods[] = {0, 1, 2, 3, -1, -2, -3};
    for (unsigned o = 0; o < sizeof omods && s->n < s->room; o++)
        if (prepare(s, omods[o], divisor))
            at_modifier(s);
}

/* A colour that is the same in all channels may be three times a product. */
static bool by_dot(const struct search *s, const struct quad *q)
{
    bool dot = s->rgb && s->nused;
    for (unsigned u = 0; u < s->nused; u++) {
        const uint8_t *lane = s->leaf[s->used[u] - 1].lane;
        dot &= lane[0] == lane[1] && lane[1] == lane[2];
    }
    for (unsigned t = 0; dot && t < QUAD_TERMS; t++)
        dot &= q->c[t] / 3 * 16 == (float)(int)(q->c[t] / 3 * 16);
    return dot;
}

/* How much a form takes: numbers, then presubtract values. */
static unsigned weight(const struct form *f)
{
    return 3u * ((f->number[0] != 0) + (f->number[1] != 0)) + (f->pre[0].op != PRE_NONE) + (f->pre[1].op != PRE_NONE);
}

/* The lightest first; unless all are wanted, the heavy ones only where there are no others. */
static void sort(struct search *s)
{
    for (unsigned i = 1; i < s->n; i++) {
        const struct form f = s->form[i];
        unsigned j = i;
        for (; j > 0 && weight(&s->form[j - 1]) > weight(&f); j--)
            s->form[j] = s->form[j - 1];
        s->form[j] = f;
    }
    if (s->n && !s->chip->thorough) {
        const unsigned least = weight(&s->form[0]), most = least < 1 ? 1 : least;
        unsigned n = 1;
        while (n < s->n && weight(&s->form[n]) <= most)
            n++;
        s->n = n;
    }
}

static void all_forms(struct search *s, const struct quad *q)
{
    if (!take_apart(s, q))
        return;
    if (!s->chip->thorough && s->room > 1) { /* numbers only where it does not go without */
        s->light = true;
        all_modifiers(s, 1);
        s->light = false;
        if (s->n)
            return;
    }
    all_modifiers(s, 1);
    s->dot = by_dot(s, q);
    if (s->dot)
        all_modifiers(s, 3);
}

bool hwemit_r300_match(struct form *forms, unsigned *n, const struct quad *q, const struct leaf *leaf, unsigned nleaves, bool rgb, const struct chip *chip)
{
    struct form found[2 * MAX_FORMS];
    struct search s = {.form = found, .room = 2 * MAX_FORMS, .leaf = leaf, .nleaves = nleaves, .rgb = rgb, .chip = chip};
    all_forms(&s, q);
    sort(&s);
    *n = s.n < MAX_FORMS ? s.n : MAX_FORMS;
    memcpy(forms, found, *n * sizeof *forms);
    return s.n > 0;
}

bool hwemit_r300_matches(const struct quad *q, const struct leaf *leaf, unsigned nleaves, bool rgb, const struct chip *chip)
{
    struct form form;
    struct search s = {.form = &form, .room = 1, .leaf = leaf, .nleaves = nleaves, .rgb = rgb, .chip = chip};
    all_forms(&s, q);
    return s.n > 0;
}
