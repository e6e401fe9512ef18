/* Ways to compute a value in one operation: for each operation, each choice of the arguments but one, and each scale, the equation
 * "operation = value" is solved for the argument that is left. Known arguments are atoms of the value, 0, 1, and parts that the program itself names. */
#include "hwemit/i830/cover.h"

static const double tiny = 1e-9;
static const struct i830_arg none = {I830_NONE, 0};

enum { KNOWN = 20 };
struct known { struct i830_poly p; struct i830_arg arg; uint8_t simple; /* atom, 0 or 1 */ };
struct equation {
    struct i830_cover *c;
    unsigned value, scale;
    struct i830_poly r; /* the value before clamp and scale */
    double burden;      /* of r */
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

/* What is left to be computed: an operation that leaves more is no way (this is what bounds the search). */
static double burden(const struct i830_poly *p)
{
    double sum = 0;
    for (unsigned i = 0; i < p->n; i++) {
        const double c = (double)p->c[i], size = c < 0 ? -c : c;
        if (!p->m[i]) {
            sum += c == 1 ? 0 : 2;
            continue;
        }
        sum += 4 + size;
        for (i830_mono m = p->m[i]; m; m <<= 8)
            sum += 4;
    }
    return sum;
}

static bool in_bounds(const struct equation *e, const struct i830_poly *x, unsigned may)
{
    if (x->bad || burden(x) > e->burden)
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

/* ---- cheap reasons why an argument leaves more than it takes ---- */

static double coefficient(const struct i830_poly *p, i830_mono m)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->m[i] == m)
            return (double)p->c[i];
    return 0;
}

static unsigned atom_of(const struct known *k) { return (unsigned)(k->p.m[0] >> 56); }

/* Whether to subtract (sign 1) or add (-1) the argument may help. */
static bool helps(const struct equation *e, const struct known *k, int sign)
{
    return !k->simple || (k->arg.inv ? -sign : sign) * coefficient(&e->r, k->p.m[0]) > 0;
}

static bool product_helps(const struct equation *e, const struct known *a, const struct known *b, double m)
{
    if (!a->simple || !b->simple)
        return a->simple || b->simple;
    const i830_mono x = a->p.m[0], y = b->p.m[0];
    const double c = coefficient(&e->r, x >= y ? x | y >> 8 : y | x >> 8) * (a->arg.inv != b->arg.inv ? -1 : 1);
    return c > 0 && m < 2 * c;
}

/* r with the two arguments equal to v and everything else to `others`. */
static double corner(const struct i830_poly *r, const struct known *a, const struct known *b, unsigned v, unsigned others)
{
    double sum = 0;
    for (unsigned i = 0; i < r->n; i++) {
        bool one = true;
        for (i830_mono m = r->m[i]; m && one; m <<= 8)
            one = m >> 56 == atom_of(a) ? v != a->arg.inv : m >> 56 == atom_of(b) ? v != b->arg.inv : others;
        sum += one ? (double)r->c[i] : 0;
    }
    return sum;
}

/* Between equal ends, every blend is that end. */
static bool blend_helps(const struct equation *e, const struct known *a, const struct known *b)
{
    for (unsigned i = 0; i < 4 && a->simple && b->simple && a->arg.value != b->arg.value; i++)
        if (corner(&e->r, a, b, i & 1, i >> 1) != (i & 1))
            return false;
    return true;
}

/* ---- operations ---- */

static void sums(struct equation *e)
{
    struct i830_poly x;
    for (unsigned k = 0; k < e->nknown; k++) {
        const struct known *known = &e->known[k];
        if (helps(e, known, 1)) {
            x = hwemit_i830_poly_sum(1, &e->r, -1, &known->p);
            if (in_bounds(e, &x, ABOVE)) /* above 1 the sum is, too */
                add(e, I830_ADD, none, arg(e, &x), known->arg);
            x = hwemit_i830_poly_affine(1, &x, 0.5);
            if (in_bounds(e, &x, e->scale ? ABOVE : 0)) /* 1+b-1/2 is 1/2 at least */
                add(e, I830_ADDSIGNED, none, arg(e, &x), known->arg);
            x = hwemit_i830_poly_sum(-1, &e->r, 1, &known->p);
            if (in_bounds(e, &x, ABOVE))
                add(e, I830_SUBTRACT, none, known->arg, arg(e, &x));
        }
        if (helps(e, known, -1)) {
            x = hwemit_i830_poly_sum(1, &e->r, 1, &known->p);
            if (in_bounds(e, &x, NEGATIVE))
                add(e, I830_SUBTRACT, none, arg(e, &x), known->arg);
        }
    }
    for (unsigned k = 1; k < 3; k++) { /* the unknown twice: x+x-1/2, x-(1-x) = 2x-1. No clamp of x can be seen. */
        x = hwemit_i830_poly_affine(0.5, &e->r, 0.25 * k);
        const double c = hwemit_i830_poly_constant_term(&x);
        if ((c != 0 && c != 1) || !in_bounds(e, &x, NEGATIVE | ABOVE))
            continue;
        const struct i830_arg a = arg(e, &x);
        add(e, k == 1 ? I830_ADDSIGNED : I830_SUBTRACT, none, a, (struct i830_arg){a.value, k == 1 ? a.inv : !a.inv});
    }
    for (unsigned one = 0; one < 2; one++) { /* a - 1/2, a + 1/2 */
        struct i830_poly k = hwemit_i830_poly_constant(one);
        x = hwemit_i830_poly_affine(1, &e->r, one ? -0.5 : 0.5);
        if (in_bounds(e, &x, e->scale ? ABOVE : 0))
            add(e, I830_ADDSIGNED, none, arg(e, &x), arg(e, &k));
    }
}

static void products(struct equation *e)
{
    struct i830_poly x;
    const unsigned scale = e->scale;
    for (unsigned k = 0; k < e->nknown; k++) {
        if (!hwemit_i830_poly_divide(&x, &e->r, &e->known[k].p))
            continue;
        for (; e->scale < 3; e->scale++) { /* e.g. (a+b)*c by ((a+b)/2)*c*2 */
            if (in_bounds(e, &x, NEGATIVE)) {
                add(e, I830_MODULATE, none, arg(e, &x), e->known[k].arg);
                break;
            }
            x = hwemit_i830_poly_affine(0.5, &x, 0);
        }
        e->scale = scale;
    }
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
        const unsigned atom = atom_of(&e->known[k]);
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
    for (unsigned k = 0; k < e->nsimple; k++) { /* between the unknown and its inverse */
        const struct i830_poly *w = &e->known[k].p, sum = hwemit_i830_poly_sum(1, &e->r, 1, w), top = hwemit_i830_poly_affine(1, &sum, -1),
                               bottom = hwemit_i830_poly_affine(2, w, -1);
        if (hwemit_i830_poly_divide(&x, &top, &bottom) && in_bounds(e, &x, 0)) {
            struct i830_arg a = arg(e, &x);
            add(e, I830_BLEND, e->known[k].arg, a, (struct i830_arg){a.value, !a.inv});
        }
    }
    for (unsigned k = 0; k < e->nknown; k++) { /* weight between 1 and an argument */
        const struct known *b = &e->known[k];
        const struct i830_poly one = hwemit_i830_poly_constant(1), top = hwemit_i830_poly_sum(1, &e->r, -1, &b->p),
                               bottom = hwemit_i830_poly_affine(-1, &b->p, 1);
        if (hwemit_i830_poly_divide(&x, &top, &bottom) && in_bounds(e, &x, 0))
            add(e, I830_BLEND, arg(e, &x), arg(e, &one), b->arg);
    }
    /* The weight is unknown: (value - b) / (a - b). Where a = b, so is the value. */
    for (unsigned j = 0; j < e->nknown; j++)
        for (unsigned k = j + 1; k < e->nknown; k++) {
            const struct known *a = &e->known[j], *b = &e->known[k];
            if (!blend_helps(e, a, b))
                continue;
            struct i830_poly top = hwemit_i830_poly_sum(1, &e->r, -1, &b->p), bottom = hwemit_i830_poly_sum(1, &a->p, -1, &b->p);
            if (hwemit_i830_poly_divide(&x, &top, &bottom) && in_bounds(e, &x, 0))
                add(e, I830_BLEND, arg(e, &x), a->arg, b->arg);
        }
}

/* m*a1*a2 + a0 */
static void product_sums(struct equation *e)
{
    struct i830_poly x, y, rest, product;
    for (unsigned j = 0; j < e->nknown; j++) {
        for (unsigned k = j; k < e->nknown; k++) {
            if (!product_helps(e, &e->known[j], &e->known[k], 1))
                continue;
            product = hwemit_i830_poly_product(&e->known[j].p, &e->known[k].p);
            for (unsigned m = 0; m < 3; m++) {
                x = hwemit_i830_poly_sum(1, &e->r, -(double)(1 << m), &product);
                if (product_helps(e, &e->known[j], &e->known[k], 1 << m) && in_bounds(e, &x, ABOVE))
                    add(e, I830_MODULATE_AND_ADD + m, arg(e, &x), e->known[j].arg, e->known[k].arg);
            }
        }
        if (!helps(e, &e->known[j], 1))
            continue;
        rest = hwemit_i830_poly_sum(1, &e->r, -1, &e->known[j].p);
        for (unsigned k = 0; k < e->nknown; k++) {
            if (!hwemit_i830_poly_divide(&y, &rest, &e->known[k].p))
                continue;
            for (unsigned m = 0; m < 3; m++) {
                x = hwemit_i830_poly_affine(1 / (double)(1 << m), &y, 0);
                if (in_bounds(e, &x, 0))
                    add(e, I830_MODULATE_AND_ADD + m, e->known[j].arg, arg(e, &x), e->known[k].arg);
            }
        }
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

/* Numbers: one half is 1+0-1/2, from which others come. */
static void number(struct equation *e, double x)
{
    const struct i830_poly one = hwemit_i830_poly_constant(1), zero = hwemit_i830_poly_constant(0), half = hwemit_i830_poly_constant(0.5);
    if (x == 0.5)
        add(e, I830_ADDSIGNED, none, arg(e, &one), arg(e, &zero));
    if (x == 0.25)
        add(e, I830_MODULATE, none, arg(e, &half), arg(e, &half));
    if (x == 0.75)
        add(e, I830_BLEND, arg(e, &half), arg(e, &half), arg(e, &one));
}

static void solve(struct equation *e, const struct i830_poly *p)
{
    for (e->scale = 0; e->scale < 3; e->scale++) {
        if (e->scale && !divides(p, 1 << e->scale))
            continue;
        e->r = hwemit_i830_poly_affine(1 / (double)(1 << e->scale), p, 0);
        if (e->r.bad)
            continue;
        e->burden = burden(&e->r);
        dots(e);
        gather(e, p);
        products(e);
        blends(e);
        sums(e);
        if (e->c->mad)
            product_sums(e);
        if (e->scale)
            add(e, I830_ARG1, none, arg(e, &e->r), none);
    }
    e->scale = 0;
}

void hwemit_i830_expand(struct i830_cover *c, unsigned value)
{
    struct i830_value *v = &c->value[value];
    if (v->expanded || v->leaf || v->number)
        return;
    v->expanded = 1;
    struct equation e = {.c = c, .value = value};
    double x;
    if (hwemit_i830_poly_is_constant(&v->p, &x)) {
        number(&e, x);
        return;
    }
    solve(&e, &v->p);
    for (unsigned i = v->also; i != I830_NONE; i = c->also[i].next)
        solve(&e, &c->also[i].p);
    add(&e, I830_ARG1, none, (struct i830_arg){(uint16_t)hwemit_i830_complement(c, value), 1}, none);
}
