/* Values that are not the ones a reader asks for, and do as well: where what it reads would be outside [0,1], its own clamp leaves a choice. With U = sat(u) wanted by
 * the reader, and u = g(sat(u2)) but for the inner clamp, g one operation, it may read sat(g(sat(u2))), which need not be sat(u). */
#include "hwemit/i830/tiles.h"

typedef struct i830_equation equation;
typedef struct i830_choice choice;

/* a*x + b */
static struct i830_poly line(const struct i830_poly *a, const struct i830_poly *x, const struct i830_poly *b)
{
    const struct i830_poly product = hwemit_i830_poly_product(a, x);
    return hwemit_i830_poly_sum(1, &product, 1, b);
}

/* Fills in what g may be at the points: what the reader makes the value of. */
static void accepted(equation *inner, const equation *e, const choice *k)
{
    const struct i830_quadratic f = k->f;
    const float *const x = k->x->at, *const y = k->y->at;
    for (unsigned i = 0; i < I830_POINTS; i++) {
        const float a = f.ac + f.ax * x[i] + f.ay * y[i], b = f.bc + f.bx * x[i] + f.by * y[i] + f.bxy * x[i] * y[i];
        float lo = -100, hi = 100;
        if (a > I830_NEAR || a < -I830_NEAR) {
            const float end[2] = {(e->lo[k->scale][i] - b) / a, (e->hi[k->scale][i] - b) / a};
            lo = end[a < 0], hi = end[a > 0];
        }
        for (unsigned scale = 0; scale < 3; scale++) {
            inner->lo[scale][i] = lo < I830_NEAR ? -100 : lo / (float)(1u << scale) - I830_NEAR;
            inner->hi[scale][i] = hi > 1 - I830_NEAR ? 100 : hi / (float)(1u << scale) + I830_NEAR;
        }
    }
}

void hwemit_i830_solve_behind(equation *inner, const choice *k2)
{
    const struct i830_reader *r = inner->reader;
    struct i830_cover *c = inner->c;
    struct i830_poly a2, b2, u2, p;
    double number;
    hwemit_i830_coefficients(k2, &a2, &b2);
    const struct i830_poly rest = hwemit_i830_poly_sum(1, inner->p, -1, &b2);
    if (rest.bad || a2.bad)
        return;
    if (hwemit_i830_poly_is_constant(&a2, &number)) {
        if (number == 0)
            return;
        u2 = hwemit_i830_poly_affine(1 / number, &rest, 0);
    } else if (!hwemit_i830_poly_divide(&u2, &rest, &a2)) {
        return;
    }
    float at[I830_POINTS];
    bool inside = true;
    if (u2.bad || hwemit_i830_least(c, &u2) >= inner->stages)
        return;
    hwemit_i830_at(c, &u2, at);
    for (unsigned i = 0; i < I830_POINTS; i++) {
        inside &= at[i] > -I830_NEAR && at[i] < 1 + I830_NEAR;
        at[i] = at[i] < 0 ? 0 : at[i] > 1 ? 1 : at[i];
    }
    if (inside || !hwemit_i830_gives(inner, k2, at) || !hwemit_i830_may_be_had(c, &u2, inner->stages - 1))
        return;
    /* g, and the reader of it, where the inner value is 0 and 1: between them both are lines, so that no clamp is seen that is not seen there. */
    const struct i830_poly one = hwemit_i830_poly_constant(1), zero = hwemit_i830_poly_constant(0);
    const struct i830_poly g[2] = {line(&a2, &zero, &b2), line(&a2, &one, &b2)}, of[2] = {line(r->a, &g[0], r->b), line(r->a, &g[1], r->b)};
    const struct i830_poly at1 = hwemit_i830_poly_sum(1, r->a, 1, r->b);
    for (unsigned end = 0; end < 2; end++)
        if (g[end].bad || !hwemit_i830_unseen(c, r->b, &at1, &of[end], &g[end]))
            return;
    if (!hwemit_i830_unseen(c, &of[0], &of[1], r->e->p, &u2) || (inner->stages == 3 && !hwemit_i830_of_two_stages(c, &u2)))
        return;
    const struct i830_arg arg = hwemit_i830_arg(c, &u2);
    if (!hwemit_i830_of_value(c, arg, &p))
        return;
    p = line(&a2, &p, &b2);
    if (p.bad)
        return;
    const unsigned n = c->nvalues, value = hwemit_i830_value(c, &p), inverted = value == n ? hwemit_i830_complement(c, value) : I830_NONE;
    if (value == n) /* of no other use: not made in other ways */
        c->value[value].expanded = I830_MOST_STAGES;
    if (inverted == n + 1)
        c->value[inverted].expanded = I830_MOST_STAGES;
    hwemit_i830_add_tile(c, value, k2, arg);
    hwemit_i830_add_tile(c, r->e->value, r->k, (struct i830_arg){(uint16_t)value, 0});
}

void hwemit_i830_behind(equation *e, const choice *k, const struct i830_poly *a, const struct i830_poly *b, const struct i830_poly *u)
{
    const struct i830_reader r = {e, k, a, b};
    struct i830_equation inner = *e;
    inner.p = u;
    inner.stages = e->stages - 1;
    inner.decisive = 0;
    inner.reader = &r;
    accepted(&inner, e, k);
    hwemit_i830_each_form(&inner);
}
