/* Bounds of polynomials over what their atoms can be. */
#include "hwemit/i830/bounds.h"

bool hwemit_i830_split_at(const struct i830_poly *p, unsigned w, struct i830_poly *a, struct i830_poly *b)
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

struct i830_poly hwemit_i830_with(const struct i830_poly *p, unsigned w, const struct i830_poly *in_place)
{
    struct i830_poly sum = hwemit_i830_poly_constant(0);
    for (unsigned i = 0; i < p->n; i++) {
        struct i830_poly term = {.n = 1, .c = {p->c[i]}};
        unsigned power = 0, n = 0;
        for (i830_mono m = p->m[i]; m; m <<= 8)
            if (m >> 56 == w)
                power++;
            else
                term.m[0] |= (m >> 56) << (56 - 8 * n++);
        for (; power > 0; power--)
            term = hwemit_i830_poly_product(&term, in_place);
        sum = hwemit_i830_poly_sum(1, &sum, 1, &term);
    }
    return sum;
}

/* p with atoms that cannot be all of [0,1] written as what they can be, of others that can. False if that does not go: *r is p. */
static bool narrowed(const struct i830_cover *c, const struct i830_poly *p, struct i830_poly *r)
{
    uint32_t done[I830_ATOMS / 32] = {0};
    *r = *p;
    for (unsigned i = 0; i < p->n; i++)
        for (i830_mono m = p->m[i]; m; m <<= 8) {
            const unsigned w = (unsigned)(m >> 56);
            if (c->atom[w].kind != I830_VALUE || (c->low[w] <= 0 && c->high[w] >= 1) || done[w / 32] >> w % 32 & 1)
                continue;
            done[w / 32] |= UINT32_C(1) << w % 32;
            struct i830_poly atom = hwemit_i830_poly_atom(w);
            atom = hwemit_i830_poly_affine((double)(c->high[w] - c->low[w]), &atom, (double)c->low[w]);
            *r = hwemit_i830_with(r, w, &atom);
            if (r->bad) {
                *r = *p;
                return false;
            }
        }
    return true;
}

struct i830_range hwemit_i830_range(const struct i830_cover *c, const struct i830_poly *p)
{
    struct i830_poly q;
    narrowed(c, p, &q);
    return hwemit_i830_poly_range(&q, c->reach);
}

bool hwemit_i830_holds(const struct i830_cover *c, const struct i830_poly *t, const struct i830_poly *region)
{
    static const uint8_t factor[] = {0, 1, 2, 4};
    unsigned done = 0;
    float at[2][I830_POINTS];
    hwemit_i830_at(c, t, at[0]);
    hwemit_i830_at(c, region, at[1]);
    struct i830_poly narrow_t, narrow_region;
    const bool both_are = narrowed(c, t, &narrow_t), all = narrowed(c, region, &narrow_region) && both_are;
    if (!all) /* the halves of an atom have to be the same in both */
        narrow_t = *t, narrow_region = *region;
    for (unsigned i = 0; i < sizeof factor; i++) {
        bool may = true;
        for (unsigned k = 0; k < I830_POINTS; k++)
            may &= at[0][k] - (float)factor[i] * at[1][k] > -1e-4f;
        if (!may)
            continue;
        struct i830_poly rest = hwemit_i830_poly_sum(1, t, -factor[i], region);
        if (!rest.bad && hwemit_i830_range(c, &rest).lo >= -I830_TINY)
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
                both = (below && hwemit_i830_poly_range_half(&narrow_region, c->reach, atom, upper).hi <= I830_TINY) ||
                       (positive && hwemit_i830_poly_range_half(&narrow_t, c->reach, atom, upper).lo >= -I830_TINY);
            }
            if (both)
                return true;
            done = atom;
        }
    return false;
}

bool hwemit_i830_may_hold(const struct i830_cover *c, const struct i830_poly *t, const struct i830_poly *region)
{
    float at[2][I830_POINTS];
    hwemit_i830_at(c, t, at[0]);
    hwemit_i830_at(c, region, at[1]);
    for (unsigned i = 0; i < I830_POINTS; i++)
        if (at[0][i] < -1e-4f && at[1][i] > 1e-4f)
            return false;
    return true;
}

/* p >= 0 everywhere, by what a clamped value w = sat(q) in it is where q is below 0, above 1, and between. */
static bool never_negative(const struct i830_cover *c, const struct i830_poly *p)
{
    if (p->bad)
        return false;
    for (unsigned i = 0; i < p->n; i++)
        for (i830_mono m = p->m[i]; m; m <<= 8) {
            const unsigned w = (unsigned)(m >> 56);
            struct i830_poly a, b;
            if (c->atom[w].kind != I830_VALUE || !hwemit_i830_split_at(p, w, &a, &b))
                continue;
            const struct i830_poly *const q = &c->value[c->atom[w].value[0]].p, product = hwemit_i830_poly_product(&a, q),
                                          open = hwemit_i830_poly_sum(1, &product, 1, &b), sum = hwemit_i830_poly_sum(1, &a, 1, &b),
                                          below = hwemit_i830_poly_affine(-1, q, 0), above = hwemit_i830_poly_affine(1, q, -1),
                                          under = hwemit_i830_poly_affine(-1, q, 1);
            if (open.bad || sum.bad)
                continue;
            const struct i830_range r = hwemit_i830_range(c, q);
            if ((r.lo >= -I830_TINY || hwemit_i830_holds(c, &b, &below)) && (r.hi <= 1 + I830_TINY || hwemit_i830_holds(c, &sum, &above)) &&
                (hwemit_i830_holds(c, &open, q) || hwemit_i830_holds(c, &open, &under)))
                return true;
        }
    return false;
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
    const struct i830_range r = hwemit_i830_range(c, p);
    const struct i830_poly rest = hwemit_i830_poly_affine(-1, p, 1);
    return (r.lo >= -I830_TINY || never_negative(c, p)) && (r.hi <= 1 + I830_TINY || never_negative(c, &rest));
}
