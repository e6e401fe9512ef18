/* Sums of two values neither of which is known: one that a single stage makes of some of the terms, which the other pipe (of alphas) or the other register holds
 * meanwhile, and the rest. Which terms: those that share no atom with the others, and at most one term of a single atom more. */
#include "hwemit/i830/tiles.h"

enum { GROUPS = 4 };

struct split {
    struct i830_equation *e;
    struct i830_poly r;         /* the value, less its scale */
    unsigned scale, ngroups;
    uint8_t group[I830_TERMS];  /* of each term; GROUPS: the constant */
};

static bool share(i830_mono a, i830_mono b)
{
    for (; a; a <<= 8)
        for (i830_mono m = b; m; m <<= 8)
            if (a >> 56 == m >> 56)
                return true;
    return false;
}

/* Puts terms that share atoms, directly or not, into groups. False if there are too many, or one alone. */
static bool make_groups(struct split *s)
{
    s->ngroups = 0;
    for (unsigned i = 0; i < s->r.n; i++)
        s->group[i] = s->r.m[i] ? 0xff : GROUPS;
    for (unsigned i = 0; i < s->r.n; i++) {
        if (s->group[i] != 0xff)
            continue;
        if (s->ngroups == GROUPS)
            return false;
        s->group[i] = (uint8_t)s->ngroups++;
        for (bool more = true; more;) {
            more = false;
            for (unsigned j = 0; j < s->r.n; j++)
                for (unsigned k = 0; k < s->r.n && s->group[j] == 0xff; k++)
                    if (s->group[k] == s->group[i] && share(s->r.m[j], s->r.m[k]))
                        s->group[j] = s->group[i], more = true;
        }
    }
    return s->ngroups >= 2;
}

/* The terms in the groups (bits), and one more; without the constant. */
static struct i830_poly some(const struct split *s, unsigned groups, unsigned more)
{
    struct i830_poly p = hwemit_i830_poly_constant(0);
    for (unsigned i = 0; i < s->r.n; i++)
        if (i == more || (s->group[i] < GROUPS && groups >> s->group[i] & 1)) {
            p.c[p.n] = s->r.c[i];
            p.m[p.n++] = s->r.m[i];
        }
    return p;
}

static bool can_wait(const struct i830_cover *c, const struct i830_poly *p)
{
    bool scalar = true;
    for (unsigned i = 0; i < p->n; i++)
        for (i830_mono m = p->m[i]; m; m <<= 8)
            scalar &= c->atom[m >> 56].scalar != 0;
    return (scalar || c->accum) && hwemit_i830_plain(c, p);
}

static bool of_one_stage(struct i830_cover *c, const struct i830_poly *p)
{
    double whole[I830_WHOLE];
    hwemit_i830_whole(p, whole);
    return hwemit_i830_of_one_stage(c, whole);
}

/* "u + x", "u - x", "x - u", each with what it is before the clamp, where that is the value. */
static void try_sum(struct split *s, unsigned op, const struct i830_poly *u, const struct i830_poly *x, bool x_first)
{
    struct i830_cover *c = s->e->c;
    const struct i830_value *v = &c->value[s->e->value];
    float at[2][I830_POINTS];
    struct i830_poly p, q, sum;
    if (u->bad || hwemit_i830_least(c, u) >= s->e->stages)
        return;
    hwemit_i830_at(c, u, at[0]);
    hwemit_i830_at(c, x, at[1]);
    for (unsigned i = 0; i < I830_POINTS; i++) {
        for (unsigned k = 0; k < 2; k++)
            at[k][i] = at[k][i] < 0 ? 0 : at[k][i] > 1 ? 1 : at[k][i];
        float is = op == I830_SUBTRACT ? (x_first ? at[1][i] - at[0][i] : at[0][i] - at[1][i]) : at[0][i] + at[1][i] - (op == I830_ADDSIGNED ? 0.5f : 0);
        is *= (float)(1u << s->scale);
        is = (is < 0 ? 0 : is > 1 ? 1 : is) - v->at[i];
        if (is > I830_NEAR || is < -I830_NEAR)
            return;
    }
    if (!hwemit_i830_may_be_had(c, u, s->e->stages - 1))
        return;
    const struct i830_arg a = hwemit_i830_arg(c, u), b = hwemit_i830_arg(c, x), none = {I830_NONE, 0};
    if (!hwemit_i830_of_value(c, a, &p) || !hwemit_i830_of_value(c, b, &q))
        return;
    sum = hwemit_i830_poly_sum(x_first && op == I830_SUBTRACT ? -1 : 1, &p, op == I830_SUBTRACT && !x_first ? -1 : 1, &q);
    sum = hwemit_i830_poly_affine(1, &sum, op == I830_ADDSIGNED ? -0.5 : 0);
    sum = hwemit_i830_poly_affine(1 << s->scale, &sum, 0);
    if (hwemit_i830_is(c, s->e->value, &sum))
        hwemit_i830_tile(c, s->e->value, op, s->scale, none, x_first ? b : a, x_first ? a : b);
}

/* x: some terms and a constant, so that it is positive; of one stage. */
static void try_part(struct split *s, const struct i830_poly *part)
{
    struct i830_cover *c = s->e->c;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct i830_poly x = hwemit_i830_poly_affine(sign, part, 0);
        if (x.bad)
            continue;
        const struct i830_range range = hwemit_i830_range(c, &x);
        for (double low = 0; low < 1; low += 0.5) { /* where it begins */
            const double t = low - range.lo;
            if (t * 2 != (double)(int)(t * 2))
                break;
            const struct i830_poly from = hwemit_i830_poly_affine(1, &x, t);
            if (from.bad || !of_one_stage(c, &from))
                continue;
            const struct i830_poly rest = hwemit_i830_poly_sum(1, &s->r, -sign, &from), minus = hwemit_i830_poly_affine(-1, &rest, 0),
                                   half = hwemit_i830_poly_affine(1, &rest, 0.5);
            if (sign > 0) {
                try_sum(s, I830_ADD, &rest, &from, false);
                try_sum(s, I830_ADDSIGNED, &half, &from, false);
                try_sum(s, I830_SUBTRACT, &minus, &from, true);
            } else {
                try_sum(s, I830_SUBTRACT, &rest, &from, false);
            }
        }
    }
}

void hwemit_i830_split(struct i830_equation *e)
{
    struct split s;
    s.e = e;
    for (s.scale = 0; s.scale < 3; s.scale++) {
        s.r = hwemit_i830_poly_affine(1 / (double)(1 << s.scale), e->p, 0);
        if (s.r.bad || !make_groups(&s))
            return;
        for (unsigned groups = 1; groups + 1 < 1u << s.ngroups; groups++)
            for (unsigned more = 0; more <= s.r.n; more++) {
                const bool alone = more == s.r.n; /* none more */
                if (!alone && (!s.r.m[more] || s.r.m[more] << 8 || groups >> s.group[more] & 1))
                    continue;
                const struct i830_poly part = some(&s, groups, alone ? I830_TERMS : more);
                if (can_wait(e->c, &part))
                    try_part(&s, &part);
            }
    }
}
