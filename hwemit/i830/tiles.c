/* Ways to compute a value in one operation: for each operation, each choice of the arguments but one, and each scale, the equation "operation = value" is solved for
 * the argument that is left. Known arguments are atoms of the value, 0, 1, and parts that the program itself names. */
#include "hwemit/i830/cover.h"

static const double tiny = 1e-9;
static const struct i830_arg none = {I830_NONE, 0};

enum { KNOWN = 20 };
struct known { struct i830_poly p; struct i830_arg arg; uint8_t simple; /* atom, 0 or 1 */ };
struct equation {
    struct i830_cover *c;
    unsigned value, scale;
    struct i830_poly r; /* the value before clamp and scale */
    unsigned nknown, nsimple;
    struct known known[KNOWN];
};

/* ---- what is known ---- */

static bool has(const struct equation *e, struct i830_arg arg)
{
    for (unsigned i = 0; i < e->nknown; i++)
        if (e->known[i].arg.value == arg.value && e->known[i].arg.inv == arg.inv)
            return true;
    return false;
}

/* An argument, and its inversion. */
static void add_known(struct equation *e, struct i830_arg arg, bool simple)
{
    if (arg.value == I830_NONE || arg.value == e->value)
        return;
    for (unsigned inv = 0; inv < 2; inv++) {
        struct i830_arg a = {arg.value, arg.inv ^ inv};
        const struct i830_value *v = &e->c->value[a.value];
        if (has(e, a) || e->nknown == KNOWN || !(v->leaf || v->atom || hwemit_i830_is_unit(e->c, &v->p)))
            continue;
        struct i830_poly p = v->atom ? hwemit_i830_poly_atom(v->atom) : v->p;
        e->known[e->nknown++] = (struct known){a.inv ? hwemit_i830_poly_affine(-1, &p, 1) : p, a, simple};
    }
}

/* The part of a monomial that is scalar, e.g. T0.a*T1.a of T0.a*T1.a*T2: the alpha pipe can make it meanwhile. */
static i830_mono scalar_part(const struct i830_cover *c, i830_mono m, unsigned *degree)
{
    i830_mono part = 0;
    *degree = 0;
    for (; m; m <<= 8)
        if (c->atom[m >> 56].scalar && c->atom[m >> 56].kind != I830_DOT)
            part |= (m >> 56) << (56 - 8 * (*degree)++);
    return part;
}

static void gather(struct equation *e, const struct i830_poly *p)
{
    const struct i830_cover *c = e->c;
    e->nknown = 0;
    for (unsigned i = 0; i < p->n; i++)
        for (i830_mono m = p->m[i]; m; m <<= 8) {
            const struct i830_atom *a = &c->atom[m >> 56];
            if (a->kind != I830_DOT)
                add_known(e, (struct i830_arg){a->value[0], 0}, true);
        }
    e->nsimple = e->nknown;
    for (unsigned t = c->value[e->value].tile; t != I830_NONE; t = c->tile[t].next)
        for (unsigned k = 0; k < 3; k++) {
            const unsigned v = c->tile[t].arg[k].value;
            if (v != I830_NONE && !c->value[v].number && (c->accum || c->value[v].scalar))
                add_known(e, (struct i830_arg){(uint16_t)v, 0}, false);
        }
    if (c->value[e->value].scalar)
        return;
    struct i830_poly sum = hwemit_i830_poly_constant(0);
    for (unsigned i = 0; i < p->n; i++) {
        unsigned degree;
        const i830_mono part = scalar_part(c, p->m[i], &degree);
        struct i830_poly term = {.n = 1, .c = {1}, .m = {part}};
        if (degree > 1)
            add_known(e, hwemit_i830_arg(e->c, &term), false);
        if (part && part == p->m[i])
            sum = hwemit_i830_poly_sum(1, &sum, (double)p->c[i], &term);
    }
    if (hwemit_i830_poly_length(&sum) > 1)
        for (unsigned k = 0; k < 3; k++) { /* x, x+1/2, x+1 */
            struct i830_poly s = hwemit_i830_poly_affine(1 / (double)(1 << e->scale), &sum, 0.5 * k);
            if (hwemit_i830_is_unit(c, &s))
                add_known(e, hwemit_i830_arg(e->c, &s), false);
        }
}

/* ---- solutions ---- */

/* What the operation asks of the unknown: that it may be clamped from below, from above, without a difference. */
enum { NEGATIVE = 1, ABOVE = 2 };

static bool in_bounds(const struct equation *e, const struct i830_poly *x, unsigned may)
{
    if (x->bad || hwemit_i830_poly_length(x) > hwemit_i830_poly_length(&e->r))
        return false;
    double ends[2] = {hwemit_i830_poly_constant_term(x), 0};
    for (unsigned i = 0; i < x->n; i++)
        ends[1] += (double)x->c[i];
    for (unsigned i = 0; i < 2; i++)
        if ((ends[i] < 0 && !(may & NEGATIVE)) || (ends[i] > 1 && !(may & ABOVE)))
            return false;
    struct i830_range r = hwemit_i830_range(e->c, x);
    return (r.lo >= -tiny || may & NEGATIVE) && (r.hi <= 1 + tiny || may & ABOVE);
}

static void add(struct equation *e, unsigned op, struct i830_arg a0, struct i830_arg a1, struct i830_arg a2)
{
    hwemit_i830_tile(e->c, e->value, op, e->scale, a0, a1, a2);
}

static struct i830_arg arg(struct equation *e, const struct i830_poly *x) { return hwemit_i830_arg(e->c, x); }

static void sums(struct equation *e)
{
    for (unsigned k = 0; k < e->nknown; k++) {
        const struct known *known = &e->known[k];
        struct i830_poly x = hwemit_i830_poly_sum(1, &e->r, -1, &known->p);
        if (in_bounds(e, &x, ABOVE)) /* above 1 the sum is, too */
            add(e, I830_ADD, none, arg(e, &x), known->arg);
        x = hwemit_i830_poly_affine(1, &x, 0.5);
        if (in_bounds(e, &x, e->scale ? ABOVE : 0)) /* 1+b-1/2 is 1/2 at least */
            add(e, I830_ADDSIGNED, none, arg(e, &x), known->arg);
        x = hwemit_i830_poly_sum(1, &e->r, 1, &known->p);
        if (in_bounds(e, &x, NEGATIVE))
            add(e, I830_SUBTRACT, none, arg(e, &x), known->arg);
        x = hwemit_i830_poly_sum(-1, &e->r, 1, &known->p);
        if (in_bounds(e, &x, ABOVE))
            add(e, I830_SUBTRACT, none, known->arg, arg(e, &x));
    }
    for (unsigned one = 0; one < 2; one++) { /* a - 1/2, a + 1/2 */
        struct i830_poly x = hwemit_i830_poly_affine(1, &e->r, one ? -0.5 : 0.5), k = hwemit_i830_poly_constant(one);
        if (in_bounds(e, &x, e->scale ? ABOVE : 0))
            add(e, I830_ADDSIGNED, none, arg(e, &x), arg(e, &k));
    }
}

static void products(struct equation *e)
{
    struct i830_poly x;
    for (unsigned k = 0; k < e->nknown; k++)
        if (hwemit_i830_poly_divide(&x, &e->r, &e->known[k].p) && in_bounds(e, &x, NEGATIVE))
            add(e, I830_MODULATE, none, arg(e, &x), e->known[k].arg);
}

/* Simple, or to be had beside another unknown: from the other pipe, or the other register. */
static bool is_second(const struct equation *e, struct i830_arg a)
{
    const struct i830_value *v = &e->c->value[a.value];
    return v->leaf || v->number || v->scalar || e->c->accum;
}

static void blends(struct equation *e)
{
    struct i830_poly x, y;
    for (unsigned k = 0; k < e->nsimple; k += 2) { /* any value is a*value(a=1) + (1-a)*value(a=0), if of degree 1 in a */
        const unsigned atom = (unsigned)(e->known[k].p.m[0] >> 56);
        bool linear = true;
        for (unsigned i = 0; i < e->r.n; i++)
            for (i830_mono m = e->r.m[i]; m << 8; m <<= 8)
                linear &= !(m >> 56 == atom && (m << 8) >> 56 == atom);
        if (!linear)
            continue;
        x = hwemit_i830_poly_restrict(&e->r, atom, 1);
        y = hwemit_i830_poly_restrict(&e->r, atom, 0);
        if (!in_bounds(e, &x, 0) || !in_bounds(e, &y, 0) || hwemit_i830_poly_equal(&x, &y))
            continue;
        struct i830_arg a = arg(e, &x), b = arg(e, &y);
        if (a.value != I830_NONE && b.value != I830_NONE && (is_second(e, a) || is_second(e, b)))
            add(e, I830_BLEND, e->known[k].arg, a, b);
    }
    /* The weight is unknown: (value - b) / (a - b). Where a = b, so is the value. */
    for (unsigned j = 0; j < e->nknown; j++)
        for (unsigned k = j + 1; k < e->nknown; k++) {
            const struct known *a = &e->known[j], *b = &e->known[k];
            if (a->arg.value == b->arg.value)
                continue;
            struct i830_poly top = hwemit_i830_poly_sum(1, &e->r, -1, &b->p), bottom = hwemit_i830_poly_sum(1, &a->p, -1, &b->p);
            if (hwemit_i830_poly_divide(&x, &top, &bottom) && in_bounds(e, &x, 0))
                add(e, I830_BLEND, arg(e, &x), a->arg, b->arg);
        }
}

/* m*a1*a2 + a0 */
static void product_sums(struct equation *e)
{
    struct i830_poly x, y, product;
    for (unsigned m = 0; m < 3; m++)
        for (unsigned j = 0; j < e->nknown; j++) {
            for (unsigned k = j; k < e->nknown; k++) {
                product = hwemit_i830_poly_product(&e->known[j].p, &e->known[k].p);
                x = hwemit_i830_poly_sum(1, &e->r, -(double)(1 << m), &product);
                if (in_bounds(e, &x, ABOVE))
                    add(e, I830_MODULATE_AND_ADD + m, arg(e, &x), e->known[j].arg, e->known[k].arg);
            }
            x = hwemit_i830_poly_sum(1, &e->r, -1, &e->known[j].p);
            x = hwemit_i830_poly_affine(1 / (double)(1 << m), &x, 0);
            for (unsigned k = 0; k < e->nknown; k++)
                if (hwemit_i830_poly_divide(&y, &x, &e->known[k].p) && in_bounds(e, &y, 0))
                    add(e, I830_MODULATE_AND_ADD + m, e->known[j].arg, arg(e, &y), e->known[k].arg);
        }
}

static void dots(struct equation *e)
{
    const struct i830_poly *r = &e->r;
    if (r->n != 1 || (double)r->c[0] != 1 || !r->m[0] || r->m[0] << 8)
        return;
    const struct i830_atom *a = &e->c->atom[r->m[0] >> 56];
    if (a->kind == I830_DOT)
        add(e, I830_DOT3, none, (struct i830_arg){a->value[0], 0}, (struct i830_arg){a->value[1], a->inv});
}

/* A scale is tried where what is left has no broken coefficients (a constant may be half), unless the value itself has some. */
static bool divides(const struct i830_poly *p, double by)
{
    for (unsigned i = 0; i < p->n; i++) {
        double c = (double)p->c[i] / by * (p->m[i] ? 1 : 2);
        if (c != (double)(int)c)
            return false;
    }
    return true;
}

void hwemit_i830_expand(struct i830_cover *c, unsigned value)
{
    struct i830_value *v = &c->value[value];
    if (v->expanded || v->leaf || v->number)
        return;
    v->expanded = 1;
    struct equation e = {.c = c, .value = value};
    double number;
    if (hwemit_i830_poly_is_constant(&v->p, &number)) {
        const struct i830_poly one = hwemit_i830_poly_constant(1), zero = hwemit_i830_poly_constant(0);
        if (number == 0.5)
            add(&e, I830_ADDSIGNED, none, arg(&e, &one), arg(&e, &zero));
        return;
    }
    for (e.scale = 0; e.scale < 3; e.scale++) {
        if (e.scale && !divides(&v->p, 1 << e.scale))
            continue;
        e.r = hwemit_i830_poly_affine(1 / (double)(1 << e.scale), &v->p, 0);
        if (e.r.bad)
            continue;
        dots(&e);
        gather(&e, &v->p);
        products(&e);
        blends(&e);
        sums(&e);
        if (c->mad)
            product_sums(&e);
        if (e.scale)
            add(&e, I830_ARG1, none, arg(&e, &e.r), none);
    }
    e.scale = 0;
    add(&e, I830_ARG1, none, (struct i830_arg){(uint16_t)hwemit_i830_complement(c, value), 1}, none);
}
