/* What a value is behind its clamp, as far as bounds show it: clamps that cannot be seen are opened. */
#include "hwemit/i830/cover.h"

static const double tiny = 1e-9; /* bounds are exact but for thirds (poly.c) */

/* p = a*w + b with w an atom of degree 1. */
static bool split(const struct i830_poly *p, unsigned w, struct i830_poly *a, struct i830_poly *b)
{
    for (unsigned i = 0; i < p->n; i++) {
        unsigned power = 0;
        for (i830_mono m = p->m[i]; m; m <<= 8)
            power += m >> 56 == w;
        if (power > 1)
            return false;
    }
    struct i830_poly one = hwemit_i830_poly_restrict(p, w, 1);
    *b = hwemit_i830_poly_restrict(p, w, 0);
    *a = hwemit_i830_poly_sum(1, &one, -1, b);
    return !a->bad && !b->bad;
}

/* p with atoms that cannot be all of [0,1] written as what they can be, of others that can; *all: each of these is. */
static struct i830_poly narrowed(const struct i830_cover *c, const struct i830_poly *p, bool *all)
{
    struct i830_poly r = *p, a, b;
    uint32_t done[I830_ATOMS / 32] = {0};
    for (unsigned i = 0; i < p->n; i++)
        for (i830_mono m = p->m[i]; m; m <<= 8) {
            const unsigned w = (unsigned)(m >> 56);
            if (c->atom[w].kind != I830_VALUE || (c->low[w] <= 0 && c->high[w] >= 1) || done[w / 32] >> w % 32 & 1)
                continue;
            if (!split(&r, w, &a, &b)) {
                *all = false;
                continue;
            }
            done[w / 32] |= UINT32_C(1) << w % 32;
            struct i830_poly atom = hwemit_i830_poly_atom(w);
            atom = hwemit_i830_poly_affine((double)(c->high[w] - c->low[w]), &atom, (double)c->low[w]);
            a = hwemit_i830_poly_product(&a, &atom);
            r = hwemit_i830_poly_sum(1, &a, 1, &b);
        }
    *all &= !r.bad;
    return r.bad ? *p : r;
}

struct i830_range hwemit_i830_range(const struct i830_cover *c, const struct i830_poly *p)
{
    bool all = true; /* each is safe by itself */
    const struct i830_poly q = narrowed(c, p, &all);
    return hwemit_i830_poly_range(&q, c->reach);
}

bool hwemit_i830_is_unit(const struct i830_cover *c, const struct i830_poly *p)
{
    if (p->bad)
        return false;
    float at[I830_POINTS];
    hwemit_i830_at(c, p, at);
    for (unsigned i = 0; i < I830_POINTS; i++)
        if (at[i] < -1e-5f || at[i] > 1 + 1e-5f)
            return false;
    struct i830_range r = hwemit_i830_range(c, p);
    return r.lo >= -tiny && r.hi <= 1 + tiny;
}

/* t >= 0 wherever region > 0, shown by t - k*region >= 0 everywhere, or in either half of what an atom can be by region <= 0 or t >= 0. */
static bool holds(const struct i830_cover *c, const struct i830_poly *t, const struct i830_poly *region)
{
    static const uint8_t factor[] = {0, 1, 2, 4};
    unsigned done = 0;
    float at[2][I830_POINTS];
    hwemit_i830_at(c, t, at[0]);
    hwemit_i830_at(c, region, at[1]);
    bool all = true;
    struct i830_poly narrow_t = narrowed(c, t, &all), narrow_region = narrowed(c, region, &all);
    if (!all) /* the halves of an atom have to be the same in both */
        narrow_t = *t, narrow_region = *region;
    for (unsigned i = 0; i < sizeof factor; i++) {
        bool may = true;
        for (unsigned k = 0; k < I830_POINTS; k++)
            may &= at[0][k] - (float)factor[i] * at[1][k] > -1e-4f;
        if (!may)
            continue;
        struct i830_poly rest = hwemit_i830_poly_sum(1, t, -factor[i], region);
        if (!rest.bad && hwemit_i830_range(c, &rest).lo >= -tiny)
            return true;
    }
    for (unsigned i = 0; i < narrow_region.n; i++)
        for (i830_mono m = narrow_region.m[i]; m; m <<= 8) {
            const unsigned atom = (unsigned)(m >> 56);
            bool both = atom != done && c->reach[atom] == 0;
            for (unsigned upper = 0; upper < 2 && both; upper++) {
                const float middle = all && c->atom[atom].kind == I830_VALUE ? (c->low[atom] + c->high[atom]) / 2 : 0.5f;
                bool below = true, positive = true;
                for (unsigned k = 0; k < I830_POINTS; k++)
                    if ((c->point[atom][k] > middle) == (upper != 0)) {
                        below &= at[1][k] < 1e-4f;
                        positive &= at[0][k] > -1e-4f;
                    }
                both = (below && hwemit_i830_poly_range_half(&narrow_region, c->reach, atom, upper).hi <= tiny) ||
                       (positive && hwemit_i830_poly_range_half(&narrow_t, c->reach, atom, upper).lo >= -tiny);
            }
            if (both)
                return true;
            done = atom;
        }
    return false;
}

/* Whether t may be 0 or more wherever region > 0, as far as the points tell. */
static bool may_hold(const struct i830_cover *c, const struct i830_poly *t, const struct i830_poly *region)
{
    float at[2][I830_POINTS];
    hwemit_i830_at(c, t, at[0]);
    hwemit_i830_at(c, region, at[1]);
    for (unsigned i = 0; i < I830_POINTS; i++)
        if (at[0][i] < -1e-4f && at[1][i] > 1e-4f)
            return false;
    return true;
}

/* Whether `clamped` and `open` are both at least 1, or both at most 0, in the region. order: open - clamped is known to be positive there (1), negative (-1). */
static bool same_end(const struct i830_cover *c, const struct i830_poly *clamped, const struct i830_poly *open, const struct i830_poly *region, int order)
{
    for (int end = -1; end <= 1; end += 2) {
        const struct i830_poly x = hwemit_i830_poly_affine(end, clamped, end < 0 ? 0 : -1), y = hwemit_i830_poly_affine(end, open, end < 0 ? 0 : -1);
        if (!x.bad && !y.bad && may_hold(c, &y, region) && may_hold(c, &x, region) && holds(c, &x, region) && (order == end || holds(c, &y, region)))
            return true;
    }
    return false;
}

bool hwemit_i830_unseen(const struct i830_cover *c, const struct i830_poly *at0, const struct i830_poly *at1, const struct i830_poly *open, const struct i830_poly *q)
{
    const struct i830_poly below = hwemit_i830_poly_affine(-1, q, 0), above = hwemit_i830_poly_affine(1, q, -1), slope = hwemit_i830_poly_sum(1, at1, -1, at0);
    if (open->bad || slope.bad || below.bad || above.bad)
        return false;
    const struct i830_range r = hwemit_i830_range(c, q);
    if (r.lo >= -tiny && r.hi <= 1 + tiny)
        return true;
    const struct i830_poly product = hwemit_i830_poly_product(&slope, q), line = hwemit_i830_poly_sum(1, &product, 1, at0);
    const struct i830_range s = hwemit_i830_range(c, &slope);
    /* With f a line that rises: above, f(q) is more than f(1); below, it is less than f(0). */
    const int rises = line.bad || !hwemit_i830_poly_equal(&line, open) ? 0 : s.lo >= -tiny ? 1 : s.hi <= tiny ? -1 : 0;
    return (r.lo >= -tiny || same_end(c, at0, open, &below, -rises)) && (r.hi <= 1 + tiny || same_end(c, at1, open, &above, rises));
}

/* Whether the values behind the clamp agree at the points. */
static bool look_alike(const struct i830_cover *c, const struct i830_poly *p, const struct i830_poly *q)
{
    float x[I830_POINTS], y[I830_POINTS];
    hwemit_i830_at(c, p, x);
    hwemit_i830_at(c, q, y);
    for (unsigned i = 0; i < I830_POINTS; i++) {
        const float u = x[i] < 0 ? 0 : x[i] > 1 ? 1 : x[i], v = y[i] < 0 ? 0 : y[i] > 1 ? 1 : y[i], d = u - v;
        if (d < -1e-4f || d > 1e-4f)
            return false;
    }
    return true;
}

/* A clamped value w = sat(q) inside sat(a*w+b), whose clamp cannot be seen behind the outer one, is opened; or it is 0 or 1 as far as can be seen. */
static bool open_clamp(const struct i830_cover *c, struct i830_poly *p, unsigned w)
{
    const struct i830_poly *q = &c->value[c->atom[w].value[0]].p;
    struct i830_poly a, b;
    if (!split(p, w, &a, &b))
        return false;
    const struct i830_poly product = hwemit_i830_poly_product(&a, q), open = hwemit_i830_poly_sum(1, &product, 1, &b),
                           sum = hwemit_i830_poly_sum(1, &a, 1, &b);
    if (open.bad || sum.bad)
        return false;
    if (hwemit_i830_poly_length(&open) <= 8 && look_alike(c, p, &open) && hwemit_i830_unseen(c, &b, &sum, &open, q)) {
        *p = open;
        return true;
    }
    for (unsigned end = 0; end < 2; end++) { /* wherever w is not at that end, the value is at one of its own, with w there and as it is: between its ends and q */
        const struct i830_poly put = hwemit_i830_poly_sum(end, &a, 1, &b), other = hwemit_i830_poly_sum(!end, &a, 1, &b),
                               region = hwemit_i830_poly_affine(end ? -1 : 1, q, end);
        if (put.bad || region.bad || !look_alike(c, p, &put))
            continue;
        const struct i830_range r = hwemit_i830_range(c, q);
        const bool beyond = end ? r.lo < -tiny : r.hi > 1 + tiny; /* w goes all the way to the other end */
        if (same_end(c, &put, &open, &region, 0) && (!beyond || same_end(c, &put, &other, &region, 0))) {
            *p = put;
            return true;
        }
    }
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
    if (r.hi <= tiny)
        *p = hwemit_i830_poly_constant(0);
    else if (r.lo >= 1 - tiny)
        *p = hwemit_i830_poly_constant(1);
}

void hwemit_i830_normalise(const struct i830_cover *c, struct i830_poly *p, float *at)
{
    hwemit_i830_at(c, p, at);
    close_ends(c, p, at);
    for (unsigned opened = 1, rounds = 0; opened && rounds < 8; rounds++) {
        opened = 0;
        for (unsigned i = 0; i < p->n && !opened; i++)
            for (i830_mono m = p->m[i]; m && !opened; m <<= 8)
                opened = c->atom[m >> 56].kind == I830_VALUE && open_clamp(c, p, (unsigned)(m >> 56));
        if (opened) {
            hwemit_i830_at(c, p, at);
            close_ends(c, p, at); /* 1 - sat(x - 1/2) + x has become 3/2 */
        }
    }
    hwemit_i830_at(c, p, at);
}
