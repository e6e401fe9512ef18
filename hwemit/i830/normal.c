/* What a value is behind its clamp, as far as bounds show it: clamps that cannot be seen are opened. */
#include "hwemit/i830/bounds.h"

/* Whether `clamped` and `open` are both at least 1, or both at most 0, in the region. order: open - clamped is known to be positive there (1), negative (-1). */
static bool same_end(const struct i830_cover *c, const struct i830_poly *clamped, const struct i830_poly *open, const struct i830_poly *region, int order)
{
    for (int end = -1; end <= 1; end += 2) {
        const struct i830_poly x = hwemit_i830_poly_affine(end, clamped, end < 0 ? 0 : -1), y = hwemit_i830_poly_affine(end, open, end < 0 ? 0 : -1);
        if (!x.bad && !y.bad && hwemit_i830_may_hold(c, &y, region) && hwemit_i830_may_hold(c, &x, region) && hwemit_i830_holds(c, &x, region) && (order == end || hwemit_i830_holds(c, &y, region)))
            return true;
    }
    return false;
}

bool hwemit_i830_unseen(const struct i830_cover *c, const struct i830_poly *at0, const struct i830_poly *at1, const struct i830_poly *open, const struct i830_poly *q)
{
    const struct i830_poly below = hwemit_i830_poly_affine(-1, q, 0), above = hwemit_i830_poly_affine(1, q, -1), slope = hwemit_i830_poly_sum(1, at1, -1, at0);
    if (open->bad || slope.bad || below.bad || above.bad)
        return false;
    if (hwemit_i830_is_unit(c, q))
        return true;
    const struct i830_range r = hwemit_i830_range(c, q);
    const struct i830_poly product = hwemit_i830_poly_product(&slope, q), line = hwemit_i830_poly_sum(1, &product, 1, at0);
    const struct i830_range s = hwemit_i830_range(c, &slope);
    /* With f a line that rises: above, f(q) is more than f(1); below, it is less than f(0). */
    const int rises = line.bad || !hwemit_i830_poly_equal(&line, open) ? 0 : s.lo >= -I830_TINY ? 1 : s.hi <= I830_TINY ? -1 : 0;
    return (r.lo >= -I830_TINY || same_end(c, at0, open, &below, -rises)) && (r.hi <= 1 + I830_TINY || same_end(c, at1, open, &above, rises));
}

/* ---- what may be done to a clamped value w in p, as far as the points tell ---- */

enum { OPEN = 1, PUT_0 = 2, PUT_1 = 4, UP = 8, UP_OF_COMPLEMENT = 16 };

static float sat(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static bool near(float x, float y) { return x - y < 1e-4f && y - x < 1e-4f; }

/* The bits of what agrees with p at all points; 0 if w is squared. */
static unsigned may_be(const struct i830_cover *c, const struct i830_poly *p, unsigned w)
{
    float a[I830_POINTS] = {0}, b[I830_POINTS] = {0};
    for (unsigned t = 0; t < p->n; t++) {
        float term[I830_POINTS];
        bool has = false;
        for (unsigned i = 0; i < I830_POINTS; i++)
            term[i] = p->c[t];
        for (i830_mono m = p->m[t]; m; m <<= 8) {
            if (m >> 56 == w) {
                if (has)
                    return 0;
                has = true;
                continue;
            }
            const float *x = c->point[m >> 56];
            for (unsigned i = 0; i < I830_POINTS; i++)
                term[i] *= x[i];
        }
        float *const sum = has ? a : b;
        for (unsigned i = 0; i < I830_POINTS; i++)
            sum[i] += term[i];
    }
    unsigned may = OPEN | PUT_0 | PUT_1 | UP | UP_OF_COMPLEMENT;
    bool above[2] = {true, true}, below[2] = {true, true};
    for (unsigned i = 0; i < I830_POINTS && may; i++) {
        const float x = c->point[w][i], is = sat(a[i] * x + b[i]), middle = a[i] / 2 + b[i], one = a[i] + b[i];
        may &= ~(near(is, sat(a[i] * c->unclamped[w][i] + b[i])) ? 0u : OPEN) & ~(near(is, sat(b[i])) ? 0u : PUT_0) & ~(near(is, sat(one)) ? 0u : PUT_1);
        const unsigned side = x < 0.5f;
        const float end = side ? b[i] : one;
        if (near(x, 0.5f))
            continue;
        above[side] &= middle > 1 - 1e-4f && end > 1 - 1e-4f;
        below[side] &= middle < 1e-4f && end < 1e-4f;
        may &= ~(above[side] || below[side] ? 0u : side ? UP_OF_COMPLEMENT : UP);
    }
    return may;
}

/* A clamped value w = sat(q) inside sat(a*w+b), whose clamp cannot be seen behind the outer one, is opened; or it is 0 or 1 as far as can be seen. */
static bool open_clamp(const struct i830_cover *c, struct i830_poly *p, unsigned w, unsigned may)
{
    const struct i830_poly *q = &c->value[c->atom[w].value[0]].p;
    struct i830_poly a, b;
    if (!(may & (OPEN | PUT_0 | PUT_1)) || !hwemit_i830_split_at(p, w, &a, &b))
        return false;
    const struct i830_poly product = hwemit_i830_poly_product(&a, q), open = hwemit_i830_poly_sum(1, &product, 1, &b),
                           sum = hwemit_i830_poly_sum(1, &a, 1, &b);
    if (open.bad || sum.bad)
        return false;
    if (may & OPEN && hwemit_i830_poly_length(&open) <= 8 && hwemit_i830_unseen(c, &b, &sum, &open, q)) {
        *p = open;
        return true;
    }
    for (unsigned end = 0; end < 2; end++) { /* wherever w is not at that end, the value is at one of its own, with w there and as it is: between its ends and q */
        if (!(may & (end ? PUT_1 : PUT_0)))
            continue;
        const struct i830_poly put = hwemit_i830_poly_sum(end, &a, 1, &b), other = hwemit_i830_poly_sum(!end, &a, 1, &b),
                               region = hwemit_i830_poly_affine(end ? -1 : 1, q, end);
        if (put.bad || region.bad)
            continue;
        const struct i830_range r = hwemit_i830_range(c, q);
        const bool beyond = end ? r.lo < -I830_TINY : r.hi > 1 + I830_TINY; /* w goes all the way to the other end */
        if (same_end(c, &put, &open, &region, 0) && (!beyond || same_end(c, &put, &other, &region, 0))) {
            *p = put;
            return true;
        }
    }
    return false;
}

/* With x from 1/2 on, a*x + b is at one end of the outer clamp: then w = sat(q) does as well as half of sat(2q), which is the form of it. *w is that. */
static bool goes_on(struct i830_cover *c, const struct i830_poly *a, const struct i830_poly *b, const struct i830_poly *q, struct i830_poly *w)
{
    enum { MOST = 32 };
    const struct i830_poly half = hwemit_i830_poly_sum(0.5, a, 1, b), one = hwemit_i830_poly_sum(1, a, 1, b), twice = hwemit_i830_poly_affine(2, q, 0);
    if (half.bad || one.bad || twice.bad)
        return false;
    for (unsigned i = 0; i < twice.n; i++)
        if ((double)twice.c[i] > MOST || (double)twice.c[i] < -MOST)
            return false;
    const struct i830_range x = hwemit_i830_range(c, &half), y = hwemit_i830_range(c, &one);
    if (!(x.lo >= 1 - I830_TINY && y.lo >= 1 - I830_TINY) && !(x.hi <= I830_TINY && y.hi <= I830_TINY))
        return false;
    if (hwemit_i830_range(c, &twice).hi <= 1 + I830_TINY)
        return false;
    return hwemit_i830_of_value(c, hwemit_i830_arg(c, &twice), w);
}

/* One end of a clamped value's clamp cannot be seen, the other can: it is written as what is scaled most. */
static bool scale_up(struct i830_cover *c, struct i830_poly *p, unsigned w, unsigned may)
{
    const struct i830_poly q = c->value[c->atom[w].value[0]].p;
    struct i830_poly a, b, atom;
    if (!(may & (UP | UP_OF_COMPLEMENT)) || !hwemit_i830_split_at(p, w, &a, &b))
        return false;
    const struct i830_poly minus = hwemit_i830_poly_affine(-1, &a, 0), sum = hwemit_i830_poly_sum(1, &a, 1, &b), rest = hwemit_i830_poly_affine(-1, &q, 1);
    bool up = may & UP && goes_on(c, &a, &b, &q, &atom);
    if (up)
        atom = hwemit_i830_poly_affine(0.5, &atom, 0);
    else if ((up = may & UP_OF_COMPLEMENT && !sum.bad && goes_on(c, &minus, &sum, &rest, &atom))) /* the same of 1-w */
        atom = hwemit_i830_poly_affine(-0.5, &atom, 1);
    if (!up)
        return false;
    atom = hwemit_i830_poly_product(&a, &atom);
    atom = hwemit_i830_poly_sum(1, &atom, 1, &b);
    if (atom.bad)
        return false;
    *p = atom;
    return true;
}

/* A clamped value v within w, of p: wherever v is not at one of its ends, p is at one of its own, whatever w is. Then v is put at that end. */
static bool put_inner(struct i830_cover *c, struct i830_poly *p, unsigned w, unsigned v, const float *at)
{
    for (unsigned end = 0; end < 2; end++) {
        bool above = true, below = true;
        for (unsigned i = 0; i < I830_POINTS; i++)
            if (end ? c->point[v][i] < 1 - 1e-4f : c->point[v][i] > 1e-4f)
                above &= at[i] > 1 - 1e-4f, below &= at[i] < 1e-4f;
        const struct i830_poly *const q = &c->value[c->atom[v].value[0]].p, region = hwemit_i830_poly_affine(end ? -1 : 1, q, end);
        for (unsigned up = 0; up < 2; up++) {
            const struct i830_poly t = hwemit_i830_poly_affine(up ? 1 : -1, p, up ? -1 : 0);
            struct i830_poly r;
            if (!(up ? above : below) || t.bad || region.bad || !hwemit_i830_holds(c, &t, &region))
                continue;
            r = hwemit_i830_poly_constant(end);
            r = hwemit_i830_with(&c->value[c->atom[w].value[0]].p, v, &r);
            if (r.bad || !hwemit_i830_of_value(c, hwemit_i830_arg(c, &r), &r))
                return false;
            r = hwemit_i830_with(p, w, &r);
            const struct i830_poly also = hwemit_i830_poly_affine(up ? 1 : -1, &r, up ? -1 : 0);
            if (r.bad || also.bad || !hwemit_i830_holds(c, &also, &region)) /* w may have been narrower */
                return false;
            *p = r;
            return true;
        }
    }
    return false;
}

static bool put_any_inner(struct i830_cover *c, struct i830_poly *p, unsigned w, const float *at)
{
    const struct i830_poly q = c->value[c->atom[w].value[0]].p;
    for (unsigned i = 0; i < q.n; i++)
        for (i830_mono m = q.m[i]; m; m <<= 8)
            if (c->atom[m >> 56].kind == I830_VALUE && put_inner(c, p, w, (unsigned)(m >> 56), at))
                return true;
    return false;
}

/* A value that is always at an end is that number. */
static void close_ends(const struct i830_cover *c, struct i830_poly *p, const float *at)
{
    bool above = true, below = true;
    for (unsigned i = 0; i < I830_POINTS; i++) {
        above &= at[i] > 1 - 1e-4f;
        below &= at[i] < 1e-4f;
    }
    if (!above && !below)
        return;
    struct i830_range r = hwemit_i830_range(c, p);
    if (r.hi <= I830_TINY)
        *p = hwemit_i830_poly_constant(0);
    else if (r.lo >= 1 - I830_TINY)
        *p = hwemit_i830_poly_constant(1);
}

static void normalise(struct i830_cover *c, struct i830_poly *p, float *at)
{
    hwemit_i830_at(c, p, at);
    close_ends(c, p, at);
    for (unsigned opened = 1, rounds = 0; opened && rounds < 8; rounds++) {
        opened = 0;
        for (unsigned i = 0; i < p->n && !opened; i++)
            for (i830_mono m = p->m[i]; m && !opened; m <<= 8) {
                const unsigned w = (unsigned)(m >> 56), may = c->atom[w].kind == I830_VALUE ? may_be(c, p, w) : 0;
                opened = open_clamp(c, p, w, may) || scale_up(c, p, w, may) || (c->atom[w].kind == I830_VALUE && put_any_inner(c, p, w, at));
            }
        if (opened) {
            hwemit_i830_at(c, p, at);
            close_ends(c, p, at); /* 1 - sat(x - 1/2) + x has become 3/2 */
        }
    }
}

void hwemit_i830_normalise(struct i830_cover *c, struct i830_poly *p, float *at)
{
    bool clamped = false;
    uint64_t h = p->n;
    for (unsigned i = 0; i < p->n; i++) {
        h = (h ^ p->m[i] ^ (uint64_t)(int64_t)((double)p->c[i] * 256)) * 0x9e3779b97f4a7c15u, h ^= h >> 32;
        for (i830_mono m = p->m[i]; m; m <<= 8)
            clamped |= c->atom[m >> 56].kind == I830_VALUE;
    }
    struct i830_normal *known = &c->normal[h % I830_NORMALS]; /* asked again and again */
    if (clamped && hwemit_i830_poly_equal(&known->from, p)) {
        *p = known->to;
    } else {
        const struct i830_poly from = *p;
        normalise(c, p, at);
        if (clamped)
            known->from = from, known->to = *p;
    }
    hwemit_i830_at(c, p, at);
}
