/* The arguments that a way to compute a value may take as given: 0, 1, what a stage can read of that on which the value depends, and parts of it that the other pipe or
 * the other register may hold. */
#include "hwemit/i830/tiles.h"

static bool has(const struct i830_equation *e, struct i830_arg arg)
{
    for (unsigned i = 0; i < e->nknown; i++)
        if (e->known[i].arg.value == arg.value && e->known[i].arg.inv == arg.inv)
            return true;
    return false;
}

/* An argument, and its inversion: what a stage can read, what can be looked into, and clamped values that the program, or the value itself, says. */
static void add(struct i830_equation *e, struct i830_arg arg, bool own)
{
    if (arg.value == I830_NONE || arg.value == e->value || has(e, arg))
        return;
    const struct i830_value *v = &e->c->value[arg.value];
    if (!(v->leaf || (v->atom && (own || !e->c->atom[v->atom].late)) || hwemit_i830_is_unit(e->c, &v->p)))
        return;
    for (unsigned inv = 0; inv < 2 && e->nknown < I830_KNOWN; inv++) {
        struct i830_known *k = &e->known[e->nknown++];
        const struct i830_poly p = v->atom ? hwemit_i830_poly_atom(v->atom) : v->p;
        k->arg = (struct i830_arg){arg.value, arg.inv ^ inv};
        k->direct = v->leaf || v->number;
        k->scalar = v->scalar;
        k->leaves = (uint8_t)(v->nvector + v->nscalar);
        k->atom = v->atom ? v->atom : v->leaf;
        k->number = (uint8_t)(v->number ? 1u << (v->p.n != 0) : 0);
        k->p = k->arg.inv ? hwemit_i830_poly_affine(-1, &p, 1) : p;
        k->plain = hwemit_i830_plain(e->c, &k->p);
        hwemit_i830_whole(&k->p, k->whole);
        for (unsigned i = 0; i < I830_POINTS; i++)
            k->at[i] = k->arg.inv ? 1 - v->at[i] : v->at[i];
        if (v->number)
            break;
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

/* Products and sums of alphas in p. */
static void scalar_parts(struct i830_equation *e, const struct i830_poly *p)
{
    const struct i830_cover *c = e->c;
    struct i830_poly sum = hwemit_i830_poly_constant(0);
    for (unsigned i = 0; i < p->n; i++) {
        unsigned degree;
        const i830_mono part = scalar_part(c, p->m[i], &degree);
        struct i830_poly term = {.n = 1, .c = {1}, .m = {part}};
        if (degree > 1)
            add(e, hwemit_i830_arg(e->c, &term), true);
        if (part && part == p->m[i])
            sum = hwemit_i830_poly_sum(1, &sum, (double)p->c[i], &term);
    }
    if (hwemit_i830_poly_length(&sum) > 1)
        for (unsigned k = 0; k < 9; k++) { /* x, x+1/2, x+1 of each scale */
            struct i830_poly s = hwemit_i830_poly_affine(1 / (double)(1 << k / 3), &sum, 0.5 * (k % 3));
            if (hwemit_i830_is_unit(c, &s))
                add(e, hwemit_i830_arg(e->c, &s), true);
        }
}

void hwemit_i830_gather(struct i830_equation *e)
{
    const struct i830_poly *p = e->p;
    struct i830_cover *c = e->c;
    const struct i830_value *v = &c->value[e->value];
    for (unsigned one = 0; one < 2; one++) {
        const struct i830_poly number = hwemit_i830_poly_constant(one);
        add(e, (struct i830_arg){(uint16_t)hwemit_i830_value(c, &number), 0}, true);
    }
    for (unsigned i = 1; i < c->natoms; i++)
        if (v->leaves[i / 32] >> i % 32 & 1)
            add(e, (struct i830_arg){c->atom[i].value[0], 0}, true);
    e->ndirect = e->nknown;
    if (e->stages == 1)
        return;
    for (unsigned i = 0; i < p->n; i++)
        for (i830_mono m = p->m[i]; m; m <<= 8)
            if (c->atom[m >> 56].kind == I830_VALUE)
                add(e, (struct i830_arg){c->atom[m >> 56].value[0], 0}, true);
    for (unsigned t = v->tile; t != I830_NONE; t = c->tile[t].next)
        for (unsigned k = 0; k < 3; k++) {
            const unsigned part = c->tile[t].arg[k].value;
            if (part != I830_NONE && (c->accum || c->value[part].scalar))
                add(e, (struct i830_arg){(uint16_t)part, 0}, false);
        }
    if (!v->scalar)
        scalar_parts(e, p);
}
