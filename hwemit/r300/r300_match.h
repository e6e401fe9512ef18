/* Between r300_match.c (what is asked for), r300_products.c (what A and B can be) and r300_fill.c (A, B and C
 * put into a form). */
#ifndef HWEMIT_R300_MATCH_H
#define HWEMIT_R300_MATCH_H

#include "hwemit/r300/r300_program.h"

#include <string.h>

enum { N = FRAGPROG_QUAD_LEAVES + 1, MAX_PRODUCTS = 2 };

struct line {
    float c[N];
}; /* c[0] + c[1]*leaf 1 + ... */

/* What an operand can be: a number (a == 0), leaf a, or a presubtract of leaf a alone, with leaf b, or with a
 * number k (b == 0). */
struct value {
    uint8_t pre, a, b;
    float k;
    float offset, factor, other; /* offset + factor*a + other*b */
};

/* A form while its operands are put in. */
struct draft {
    struct form f;
    uint8_t npre, part[2];
};

struct search {
    struct form *form;
    unsigned n, room;
    bool first;     /* only the form that stands first among all is wanted */
    unsigned least; /* no form is lighter */
    uint32_t work;  /* to be spent */
    const struct leaf *leaf;
    unsigned nleaves;
    const struct chip *chip;
    bool rgb;
    bool light;            /* no numbers */
    bool sided;            /* a form was made or refused for the part that a number's presubtract lies in */
    bool dot;              /* three times A*B is wanted */
    unsigned full;         /* parts (bits) of which the leaves take all addresses */
    struct line wanted, q; /* constant and linear terms; the same over the output modifier */
    float factor[MAX_PRODUCTS];
    unsigned nproducts; /* products of two leaves: factor, and over the output modifier */
    struct {
        uint8_t i, j;
        float factor;
    } product[MAX_PRODUCTS];
    int8_t omod;
    uint8_t used[N], rest[N]; /* leaves that occur, nused of them, and those of them that are in no product */
    unsigned nused, nrest;
    /* bits of leaves: those of which q has something by itself; with factor 1 or -1; also with 2 or -2 */
    unsigned linear, ones, factors;
};

static inline bool is_full(const struct search *s) { return s->n == s->room; }
/* Bits; of three or more 3. */
static inline unsigned up_to_three(unsigned bits)
{
    const unsigned more = bits & (bits - 1);
    return !bits ? 0 : !more ? 1 : more & (more - 1) ? 3 : 2;
}
static inline unsigned bit_of(unsigned leaf) { return 1u << leaf & ~1u; }

static inline struct value constant(float k) { return (struct value){.pre = PRE_NONE, .k = k, .offset = k}; }
static inline struct value plain(unsigned a)
{
    return (struct value){.pre = PRE_NONE, .a = (uint8_t)a, .factor = 1};
}
static inline struct value complement(unsigned a)
{
    return (struct value){.pre = PRE_1_MINUS_X, .a = (uint8_t)a, .b = (uint8_t)a, .offset = 1, .factor = -1};
}
static inline struct value sign_of(unsigned a)
{
    return (struct value){.pre = PRE_1_MINUS_2X, .a = (uint8_t)a, .b = (uint8_t)a, .offset = 1, .factor = -2};
}
static inline struct value twice(unsigned a)
{
    return (struct value){.pre = PRE_ADD, .a = (uint8_t)a, .b = (uint8_t)a, .factor = 2};
}
/* a + sign*b, a < b */
static inline struct value both(unsigned a, unsigned b, float sign)
{
    return (struct value){
        .pre = sign < 0 ? PRE_SUB : PRE_ADD, .a = (uint8_t)a, .b = (uint8_t)b, .factor = 1, .other = sign};
}
static inline struct value shifted(unsigned a, float k)
{
    return (struct value){
        .pre = k < 0 ? PRE_SUB : PRE_ADD, .a = (uint8_t)a, .k = k, .offset = k, .factor = 1};
}

/* What a leaf may be multiplied with in an operand is 0 (it is not in it), 1 or 2, or less than 0: that, or
 * OTHER_FACTOR. By the bits of the number, for these questions are asked often. */
enum { OTHER_FACTOR = 3 };
static inline unsigned factor_of(float c)
{
    uint32_t bits;
    memcpy(&bits, &c, sizeof bits);
    bits <<= 1; /* no sign */
    return bits == 0 ? 0 : bits == 0x7f000000 ? 1 : bits == 0x80000000 ? 2 : OTHER_FACTOR;
}
/* A number that takes no address. */
static inline bool is_free(float k) { return k == 0 || k == 0.5f || k == -0.5f || k == 1 || k == -1; }

static inline unsigned part_of(const struct search *s, unsigned leaf)
{
    return s->leaf[leaf - 1].lane[0] == 3;
}
/* Has the leaf's part an address more, for a number or the leaf itself beside it in a presubtract? */
static inline bool has_room(const struct search *s, unsigned leaf)
{
    return !(s->full >> part_of(s, leaf) & 1);
}

/* r300_products.c: every A and B whose product has the quadratic terms of s->q. */
void hwemit_r300_products(struct search *s);
/* ---- r300_fill.c ---- */
/* The leaves of q that are not in A and B: of three or more 3; and C may have one of them at most. */
struct others {
    unsigned n;
    bool two;
};
static inline struct others others_than(const struct search *s, unsigned a, unsigned b)
{
    const unsigned bits = s->linear & ~(1u << a | 1u << b);
    return (struct others){up_to_three(bits), (bits & ~s->ones) != 0};
}

/* Is there no C that has the number k, x and y of two leaves, and what q has of the others? False: it is not
 * known. */
static inline bool is_no_rest(const struct search *s, struct others others, float x, float y, float k)
{
    const unsigned first = factor_of(x), second = factor_of(y), more = first | second;
    const unsigned n = others.n + (first != 0) + (second != 0);
    const bool two = others.two || more & 2;
    if (n >= 2 || (n && s->dot))
        return n > 2 || two || k != 0 || s->dot;
    if (n == 1)
        return more == OTHER_FACTOR || ((two || s->light) && factor_of(k) > 1);
    return s->dot ? k != 0 : s->light && !is_free(k);
}

/* A*B with this sign, and C. A is no number. */
void hwemit_r300_multiply(struct search *s, const struct value *a, const struct value *b, float sign);
/* The rest as operand C: nothing, a number, a leaf, or a presubtract value. */
void hwemit_r300_finish(struct search *s, const struct draft *product, const struct line *rest);

#endif
