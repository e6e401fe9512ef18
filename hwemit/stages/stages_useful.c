/* Cheap tests that decide whether an equation is worth solving, to limit the search. A solution must be a
 * product or a blend, or simpler than the value, and computable in one stage less. */
#include "hwemit/stages/stages_cover.h"

double hwemit_stages_burden(const struct fragprog_poly *p)
{
    double sum = 0;
    for (unsigned i = 0; i < p->n; i++) {
        const double c = (double)p->c[i], size = c < 0 ? -c : c;
        if (!p->m[i]) {
            sum += c == 1 ? 0 : 2;
            continue;
        }
        sum += 4 + size;
        for (fragprog_monomial m = p->m[i]; m; m <<= 8)
            sum += 4;
    }
    return sum;
}

static bool equal(float a, float b) { return a - b < STAGES_NEAR && b - a < STAGES_NEAR; }

/* Evaluates e->p at sample point 0, but with ex and ey as the values of atoms x and y. */
static float with(const struct stages_equation *e, unsigned x, float ex, unsigned y, float ey)
{
    float sum = 0;
    for (unsigned t = 0; t < e->p->n; t++) {
        float term = e->p->c[t];
        for (fragprog_monomial m = e->p->m[t]; m; m <<= 8)
            term *= m >> 56 == x ? ex : m >> 56 == y ? ey : e->c->point[m >> 56][0];
        sum += term;
    }
    return sum;
}

/* In the equation a*U + b = value, the value must equal b wherever a is 0, else a cannot divide value - b.
 * Tests this at one point where a is 0. */
static bool may_divide(const struct stages_equation *e, const struct stages_choice *k)
{
    const struct stages_linear *f = &k->f;
    const unsigned ax = k->x->atom, ay = k->y->atom;
    float x = k->x->number ? (float)(k->x->number / 2) : 0.375f,
          y = k->y->number ? (float)(k->y->number / 2) : 0.625f;
    if ((!ax && !k->x->number) || (!ay && !k->y->number))
        return true;
    if (f->ay != 0 && !k->y->number)
        y = -(f->ac + f->ax * x) / f->ay;
    else
        x = -(f->ac + f->ay * y) / f->ax;
    const float ex = k->x->arg.inv ? 1 - x : x, ey = k->y->arg.inv ? 1 - y : y;
    if (ax == ay && !equal(ex, ey))
        return true;
    return equal(with(e, ax, ex, ay, ey),
                 (f->bc + f->bx * x + f->by * y + f->bxy * x * y) * (float)(1u << k->scale));
}

/* Returns whether subtracting times*X simplifies the value, i.e. whether the value has a term of X with the
 * same sign. */
static bool helps(const struct stages_equation *e, const struct stages_known *x, float times)
{
    return !x->atom ||
        (double)(x->arg.inv ? -times : times) * fragprog_poly_coefficient(e->p, x->atom, 0) > 0;
}

static bool product_helps(const struct stages_equation *e, const struct stages_known *x,
                          const struct stages_known *y, double times)
{
    const unsigned a = x->atom, b = y->atom;
    if (!a || !b)
        return a || b;
    const double c = fragprog_poly_coefficient(e->p, a, b) * (x->arg.inv != y->arg.inv ? -1 : 1);
    return c > 0 && times < 2 * c;
}

/* Returns whether dividing by the scale leaves integer coefficients (the constant may be a multiple of 1/2).
 */
static bool divides(const struct fragprog_poly *p, double by)
{
    for (unsigned i = 0; i < p->n; i++) {
        const double c = (double)p->c[i] / by * (p->m[i] ? 1 : 2);
        if (c != (double)(int)c)
            return false;
    }
    return true;
}

bool hwemit_stages_useful(const struct stages_equation *e, const struct stages_choice *k)
{
    const struct stages_linear *f = &k->f;
    const bool x = f->bx != 0 && !k->x->number, y = f->by != 0 && !k->y->number;
    double number;
    if (f->ax != 0 || f->ay != 0)
        return may_divide(e, k);
    if (stages_is_constant(e->p, &number))
        return true;
    if ((f->bxy != 0 || x || y) && (k->scale == 0 || divides(e->p, 1 << k->scale)) &&
        (!x || helps(e, k->x, f->bx)) && (!y || helps(e, k->y, f->by)) &&
        (f->bxy == 0 || product_helps(e, k->x, k->y, (double)f->bxy * (1 << k->scale))))
        return true;
    /* An operation that only scales is useful for dot products, whose alpha may need no scale, and for scales
     * beyond that of one operation (4). */
    if (f->bxy == 0 && !x && !y && f->bc == 0 && f->bx == 0)
        return e->c->value[e->value].dots || (k->scale == 2 && divides(e->p, 16 * (double)f->ac));
    const double at0 = stages_constant_term(e->p),
                 b0 = (double)f->bc + (k->x->number == 2 ? (double)f->bx : 0);
    /* the constant term of U; useful if it is 0 or 1 and that of the value is a fraction */
    const double u0 = (at0 / (1 << k->scale) - b0) / (double)f->ac;
    if (f->bxy == 0 && !x && !y && at0 != 0 && at0 != 1 && (u0 == 0 || u0 == 1) &&
        (k->scale == 0 || divides(e->p, 1 << k->scale)))
        return true;
    return k->scale == 0 && (f->ac < 0 || f->ac == 2) && !x && !y;
}

unsigned hwemit_stages_least(const struct stages_cover *c, const struct fragprog_poly *u)
{
    unsigned least = hwemit_stages_fraction_depth(c, u), degree = 0;
    bool inner = false;
    for (unsigned i = 0; i < u->n; i++) {
        unsigned n = 0;
        for (fragprog_monomial m = u->m[i]; m; m <<= 8, n++) {
            const unsigned kind = c->atom[m >> 56].kind;
            inner |= kind == STAGES_VALUE || kind == STAGES_DOT;
        }
        degree = n > degree ? n : degree;
    }
    if (least < 2 && (inner ? u->n > 2 || degree > 1 : degree > 2))
        least = 2;
    return !inner && least < 3 && degree > 4 ? 3 : least;
}
