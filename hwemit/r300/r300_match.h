/* Matching of a polynomial to the forms of one instruction, 2^omod * (A*B + C). r300_match.c analyses the
 * polynomial, r300_products.c enumerates what A and B can be, r300_fill.c finds C and writes the form.
 * Sources (leaves) are numbered from 1. */
#ifndef HWEMIT_R300_MATCH_H
#define HWEMIT_R300_MATCH_H

#include "hwemit/r300/r300_program.h"

#include <string.h>

enum { N = FRAGPROG_QUAD_LEAVES + 1, MAX_PRODUCTS = 2 };

struct line {
    float c[N];
}; /* an affine function of the sources: c[0] + c[1] * source 1 + ... */

/* The value of an operand: a literal (a == 0); source a; or a presubtract of source a alone, of sources a and
 * b, or of source a and literal k (b == 0). */
struct value {
    uint8_t pre, a, b;
    float k;
    float offset, factor, other; /* the operand is offset + factor * a + other * b */
};

/* A form under construction, and the parts that its presubtracts use. */
struct draft {
    struct form f;
    uint8_t npre, part[2];
};

struct search {
    struct form *form;
    unsigned n, room;
    bool first;     /* one form is enough, the cheapest */
    unsigned least; /* lower bound of hwemit_r300_weight */
    uint32_t work;  /* work done, for hwemit_r300_spend */
    const struct leaf *leaf;
    unsigned nleaves;
    const struct chip *chip;
    bool rgb;
    bool light; /* only forms without literals */
    /* the result depends on which part (colour or alpha) the literals of a presubtract are read from */
    bool sided;
    bool dot;      /* the form computes 3*A*B by a dot product */
    unsigned full; /* bit mask of the parts whose three addresses are all taken by the sources */
    /* wanted: constant and linear terms of the polynomial; q: those terms divided by the output modifier */
    struct line wanted, q;
    float factor[MAX_PRODUCTS];
    /* the products of two sources: factor[] has their factors, product[] those divided by the output modifier
     */
    unsigned nproducts;
    struct {
        uint8_t i, j;
        float factor;
    } product[MAX_PRODUCTS];
    int8_t omod;
    uint8_t used[N], rest[N]; /* used: the sources that occur; rest: those of them that are in no product */
    unsigned nused, nrest;
    /* Masks of sources. linear: those with a linear term; ones: those whose linear factor is 1 or -1;
     * factors: those whose linear factor is 0, 1, -1, 2 or -2. */
    unsigned linear, ones, factors;
};

static inline bool is_full(const struct search *s) { return s->n == s->room; }
/* Returns the number of bits that are set, or 3 for more than 3. */
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
/* Returns the value a + sign*b, for a < b. */
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

/* Returns the magnitude of a factor if it is 0, 1 or 2, by which an operand can multiply a source; else
 * OTHER_FACTOR. Compares bit patterns because this is called very often. */
enum { OTHER_FACTOR = 3 };
static inline unsigned factor_of(float c)
{
    uint32_t bits;
    memcpy(&bits, &c, sizeof bits);
    bits <<= 1; /* drop the sign */
    return bits == 0 ? 0 : bits == 0x7f000000 ? 1 : bits == 0x80000000 ? 2 : OTHER_FACTOR;
}
/* Returns whether the literal is built into the operand select and takes no source address. */
static inline bool is_free(float k) { return k == 0 || k == 0.5f || k == -0.5f || k == 1 || k == -1; }

static inline unsigned part_of(const struct search *s, unsigned leaf)
{
    return s->leaf[leaf - 1].lane[0] == 3;
}
/* Returns whether the source's part has a free address, so that a presubtract can read a literal or the same
 * source a second time. */
static inline bool has_room(const struct search *s, unsigned leaf)
{
    return !(s->full >> part_of(s, leaf) & 1);
}

/* r300_products.c: passes every A and B whose product has the quadratic terms of the polynomial to
 * hwemit_r300_multiply. */
void hwemit_r300_products(struct search *s);
/* ---- r300_fill.c ---- */
/* The sources with a linear term that are neither in A nor in B. n: their number (3 for more than 3). two:
 * one of them has a factor other than 1 or -1, so that C can hold no other source. */
struct others {
    unsigned n;
    bool two;
};
static inline struct others others_than(const struct search *s, unsigned a, unsigned b)
{
    const unsigned bits = s->linear & ~(1u << a | 1u << b);
    return (struct others){up_to_three(bits), (bits & ~s->ones) != 0};
}

/* Quick test whether C cannot exist: C must be k plus sources a and b with factors x and y plus the linear
 * terms of `others`. Returns true if it cannot exist, false if it may. */
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

/* Tries sign * A * B, and computes the C that it needs. A is not a literal. */
void hwemit_r300_multiply(struct search *s, const struct value *a, const struct value *b, float sign);
/* Adds the forms with A*B of `product` and with C equal to `rest`: zero, a literal, a source, or a
 * presubtract. */
void hwemit_r300_finish(struct search *s, const struct draft *product, const struct line *rest);

#endif
