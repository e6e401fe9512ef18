/* Finds which clamps can be removed. A clamp inside an expression is removed if bounds prove that this does
 * not change the clamped result. */
#include "hwemit/stages/stages_cover.h"

#define TINY 1e-9 /* bounds are exact except for thirds */

struct fragprog_interval hwemit_stages_range(const struct stages_cover *c, const struct fragprog_poly *p)
{
    struct fragprog_interval r;
    return fragprog_poly_bounds(&r, p, c->box) ? r : (struct fragprog_interval){-1e9, 1e9};
}

bool hwemit_stages_is_unit(const struct stages_cover *c, const struct fragprog_poly *p)
{
    const fragprog_monomial first = p->n == 1 ? p->m[0] : 0;
    if (first && !(first << 8) && !p->bad) /* a multiple of an atom: most arguments */
        return p->c[0] >= 0 && (double)p->c[0] * c->box[first >> 56].hi <= 1 && c->box[first >> 56].lo >= 0;
    const struct fragprog_interval r = hwemit_stages_range(c, p);
    return r.lo >= -TINY && r.hi <= 1 + TINY;
}

/* Returns whether `clamped` and `open` are both at least 1, or both at most 0, wherever region > 0. order: 1
 * if open - clamped is known to be positive there, -1 if negative, 0 if neither is known. */
static bool same_end(const struct stages_cover *c, const struct fragprog_poly *clamped,
                     const struct fragprog_poly *open, const struct fragprog_poly *region, int order)
{
    for (int end = -1; end <= 1; end += 2) {
        const struct fragprog_poly x = stages_affine(end, clamped, end < 0 ? 0 : -1);
        const struct fragprog_poly y = stages_affine(end, open, end < 0 ? 0 : -1);
        if (!x.bad && !y.bad && fragprog_poly_implies(region, &x, c->box) &&
            (order == end || fragprog_poly_implies(region, &y, c->box)))
            return true;
    }
    return false;
}

bool hwemit_stages_unseen(const struct stages_cover *c, const struct fragprog_poly *at0,
                          const struct fragprog_poly *at1, const struct fragprog_poly *open,
                          const struct fragprog_poly *q)
{
    const struct fragprog_poly below = stages_affine(-1, q, 0), above = stages_affine(1, q, -1);
    const struct fragprog_poly slope = stages_sum(1, at1, -1, at0);
    if (open->bad || slope.bad || below.bad || above.bad)
        return false;
    const struct fragprog_interval r = hwemit_stages_range(c, q);
    const struct fragprog_poly product = stages_product(&slope, q), line = stages_sum(1, &product, 1, at0);
    const struct fragprog_interval s = hwemit_stages_range(c, &slope);
    /* If the line f rises, f(q) exceeds f(1) for q > 1 and is less than f(0) for q < 0. */
    const bool straight = !line.bad && fragprog_poly_equal(&line, open);
    const int rises = !straight ? 0 : s.lo >= -TINY ? 1 : s.hi <= TINY ? -1 : 0;
    return (r.lo >= -TINY || same_end(c, at0, open, &below, -rises)) &&
        (r.hi <= 1 + TINY || same_end(c, at1, open, &above, rises));
}

/* Replaces a clamped value w = sat(q) inside sat(a*w + b) by q, if the outer clamp hides the difference. */
static bool open_clamp(const struct stages_cover *c, struct fragprog_poly *p, unsigned w, const float *at)
{
    enum { MOST = 8 }; /* limit of terms */
    const struct fragprog_poly *q = &c->value[c->atom[w].value[0]].p;
    struct fragprog_poly a, b;
    if (c->atom[w].kind != STAGES_VALUE || !fragprog_poly_split(&a, &b, p, w))
        return false;
    const struct fragprog_poly product = stages_product(&a, q), open = stages_sum(1, &product, 1, &b),
                               sum = stages_sum(1, &a, 1, &b);
    if (open.bad || sum.bad || stages_length(&open) > MOST)
        return false;
    float opened[STAGES_POINTS];
    hwemit_stages_evaluate(c, &open, opened);
    for (unsigned i = 0; i < STAGES_POINTS; i++) /* the sample points rule out most cases at a low cost */
        if (opened[i] - at[i] > 1e-4f || at[i] - opened[i] > 1e-4f)
            return false;
    if (!hwemit_stages_unseen(c, &b, &sum, &open, q))
        return false;
    *p = open;
    return true;
}

static bool open_any(const struct stages_cover *c, struct fragprog_poly *p)
{
    float at[STAGES_POINTS];
    hwemit_stages_evaluate(c, p, at);
    for (unsigned i = 0; i < p->n; i++)
        for (fragprog_monomial m = p->m[i]; m; m <<= 8)
            if (open_clamp(c, p, (unsigned)(m >> 56), at))
                return true;
    return false;
}

/* Replaces a value that is always 0 or always 1 after the clamp by that constant. */
static void close_ends(const struct stages_cover *c, struct fragprog_poly *p)
{
    const struct fragprog_interval r = hwemit_stages_range(c, p);
    if (r.hi <= TINY)
        *p = stages_constant(0);
    else if (r.lo >= 1 - TINY)
        *p = stages_constant(1);
}

void hwemit_stages_normalise(const struct stages_cover *c, struct fragprog_poly *p)
{
    close_ends(c, p);
    for (unsigned rounds = 0; rounds < 8 && open_any(c, p); rounds++)
        close_ends(c, p); /* for instance 1 - sat(x - 1/2) + x has become 3/2 */
}
