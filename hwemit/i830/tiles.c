/* Ways to compute a value in one operation: for each form (forms.def), each choice of its known arguments, and each scale, the equation "operation = value" is
 * solved for the argument U that is not known. In U an operation is q*U^2 + a*U + b. Where no U in [0,1] gives the value at some points, nothing has to be
 * solved; that rules out nearly all. */
#include "hwemit/i830/tiles.h"

typedef struct i830_equation equation;
typedef struct i830_choice choice;

enum { BURDEN = 1 << 20 }; /* any */

/* ---- one choice ---- */

void hwemit_i830_add_tile(struct i830_cover *c, unsigned value, const choice *k, struct i830_arg u)
{
    struct i830_arg arg[3];
    for (unsigned i = 0; i < 3; i++)
        switch (k->form->arg[i]) {
        case I830_U: arg[i] = u; break;
        case I830_V: arg[i] = (struct i830_arg){u.value, !u.inv}; break;
        case I830_X: arg[i] = k->x->arg; break;
        case I830_Y: arg[i] = k->y->arg; break;
        default: arg[i] = (struct i830_arg){I830_NONE, 0}; break;
        }
    hwemit_i830_tile(c, value, k->form->op + k->multiple, k->scale, arg[0], arg[1], arg[2]);
}

void hwemit_i830_coefficients(const choice *k, struct i830_poly *a, struct i830_poly *b)
{
    const struct i830_quadratic *f = &k->f;
    const double scale = 1 << k->scale;
    *a = hwemit_i830_poly_constant((double)f->ac * scale);
    *b = hwemit_i830_poly_constant((double)f->bc * scale);
    if (f->ax != 0)
        *a = hwemit_i830_poly_sum(1, a, (double)f->ax * scale, &k->x->p);
    if (f->ay != 0)
        *a = hwemit_i830_poly_sum(1, a, (double)f->ay * scale, &k->y->p);
    if (f->bx != 0)
        *b = hwemit_i830_poly_sum(1, b, (double)f->bx * scale, &k->x->p);
    if (f->by != 0)
        *b = hwemit_i830_poly_sum(1, b, (double)f->by * scale, &k->y->p);
    if (f->bxy != 0) {
        const struct i830_poly xy = hwemit_i830_poly_product(&k->x->p, &k->y->p);
        *b = hwemit_i830_poly_sum(1, b, (double)f->bxy * scale, &xy);
    }
}

/* ---- the last but one stage ---- */

/* Whether U may be had in one stage: at the points where all atoms are integers it is a value of one stage. Asked only where all that is known is read by stages. */
static bool of_one_stage(const equation *e, const choice *k)
{
    const struct i830_quadratic *f = &k->f;
    double root[I830_WHOLE][2];
    unsigned nroots = 1;
    for (unsigned i = 0; i < I830_WHOLE; i++) {
        const double x = k->x->whole[i], y = k->y->whole[i], p = e->whole[i] / (double)(1u << k->scale);
        const double a = (double)f->ac + (double)f->ax * x + (double)f->ay * y, b = (double)f->bc + (double)f->bx * x + (double)f->by * y + (double)f->bxy * x * y;
        if (f->q == 0) {
            if (a == 0)
                return true; /* not known */
            root[i][0] = (p - b) / a;
            continue;
        }
        const double q = (double)f->q, d = a * a - 4 * q * (b - p), r = hwemit_i830_whole_root(d);
        if (r < 0)
            return d >= 137438953472.0;
        nroots = 2;
        root[i][0] = (-a + r) / (2 * q);
        root[i][1] = (-a - r) / (2 * q);
    }
    for (unsigned n = 0; n < nroots * nroots; n++) {
        const double u[I830_WHOLE] = {root[0][n % nroots], root[1][n / nroots]};
        if (hwemit_i830_of_one_stage(e->c, u))
            return true;
    }
    return false;
}

static void of_polynomial(equation *e, const struct i830_poly *p);

bool hwemit_i830_of_two_stages(struct i830_cover *c, const struct i830_poly *u)
{
    for (unsigned inv = 0; inv < 2; inv++) {
        const struct i830_poly p = hwemit_i830_poly_affine(inv ? -1 : 1, u, inv);
        if (p.bad || !hwemit_i830_plain(c, &p))
            return true;
        struct i830_equation e; /* large: not cleared */
        e.value = hwemit_i830_scratch(c, &p);
        if (e.value != I830_VALUES)
            return true; /* asked when it is looked for */
        hwemit_i830_whole(&p, e.whole);
        uint64_t key = 1;
        for (unsigned i = 0; i < I830_WHOLE; i++)
            key = (key ^ (uint64_t)(int64_t)(e.whole[i] * 256)) * UINT64_C(0x9e3779b97f4a7c15), key ^= key >> 31;
        key |= 1;
        if (c->not_two[key >> 54] == key)
            continue;
        e.c = c;
        e.stages = 2;
        e.asks = true;
        e.found = false;
        of_polynomial(&e, &c->value[I830_VALUES].p);
        if (e.found)
            return true;
        c->not_two[key >> 54] = key;
    }
    return false;
}

/* ---- solutions ---- */

bool hwemit_i830_may_be_had(struct i830_cover *c, const struct i830_poly *u, unsigned stages)
{
    const struct i830_value *v = &c->value[hwemit_i830_scratch(c, u)];
    const unsigned leaves = v->nvector + v->nscalar;
    return v->leaf || v->number || (v->depth <= stages && leaves <= 4 * stages - 1 && (v->dots || v->nvector <= 2 * stages + 1));
}

/* U = sat(u) is a solution if its clamp cannot bite, or is not seen. */
static void try_solution(equation *e, const choice *k, const struct i830_poly *a, const struct i830_poly *b, const struct i830_poly *u, double most)
{
    float at[I830_POINTS];
    bool inside = true;
    if (u->bad || hwemit_i830_burden(u) > most || hwemit_i830_least(e->c, u) >= e->stages)
        return;
    hwemit_i830_at(e->c, u, at);
    for (unsigned i = 0; i < I830_POINTS; i++) {
        inside &= at[i] > -I830_NEAR && at[i] < 1 + I830_NEAR;
        at[i] = at[i] < 0 ? 0 : at[i] > 1 ? 1 : at[i];
    }
    if (!inside && !hwemit_i830_gives(e, k, at))
        return;
    struct i830_poly at1 = hwemit_i830_poly_sum(1, a, 1, b);
    at1 = hwemit_i830_poly_affine(1, &at1, (double)k->f.q * (1 << k->scale));
    if (!hwemit_i830_may_be_had(e->c, u, e->stages - 1))
        return;
    if ((e->stages != 3 || hwemit_i830_of_two_stages(e->c, u)) && hwemit_i830_unseen(e->c, b, &at1, e->p, u))
        hwemit_i830_add_tile(e->c, e->value, k, hwemit_i830_arg(e->c, u));
}

/* U = sat(u) where u has a clamped value w = sat(q) multiplied: half of it is not sat(q/2), which may do as well where the reader's clamp hides the difference. */
static void try_opened(equation *e, const choice *k, const struct i830_poly *a, const struct i830_poly *b, const struct i830_poly *u)
{
    struct i830_cover *c = e->c;
    if (u->bad)
        return;
    for (unsigned i = 0; i < u->n; i++) {
        const unsigned w = (unsigned)(u->m[i] >> 56);
        if (!w || u->m[i] << 8 || c->atom[w].kind != I830_VALUE || (double)u->c[i] >= 1 || (double)u->c[i] <= -1)
            continue;
        const struct i830_poly zero = hwemit_i830_poly_restrict(u, w, 0), *const q = &c->value[c->atom[w].value[0]].p,
                               open = hwemit_i830_poly_sum(1, &zero, (double)u->c[i], q);
        float at[I830_POINTS];
        if (open.bad || hwemit_i830_least(c, &open) >= e->stages)
            continue;
        hwemit_i830_at(c, &open, at);
        for (unsigned n = 0; n < I830_POINTS; n++)
            at[n] = at[n] < 0 ? 0 : at[n] > 1 ? 1 : at[n];
        if (!hwemit_i830_gives(e, k, at) || !hwemit_i830_may_be_had(c, &open, e->stages - 1) || (e->stages == 3 && !hwemit_i830_of_two_stages(c, &open)))
            continue;
        const struct i830_arg arg = hwemit_i830_arg(c, &open);
        struct i830_poly p, r;
        if (!hwemit_i830_of_value(c, arg, &p))
            continue;
        r = hwemit_i830_poly_affine((double)k->f.q * (1 << k->scale), &p, 0);
        r = hwemit_i830_poly_sum(1, &r, 1, a);
        r = hwemit_i830_poly_product(&r, &p);
        r = hwemit_i830_poly_sum(1, &r, 1, b);
        if (hwemit_i830_is(c, e->value, &r))
            hwemit_i830_add_tile(e->c, e->value, k, arg);
    }
}

static void solve(equation *e, const choice *k)
{
    struct i830_poly a, b, u, root, rest;
    double number, most = BURDEN;
    if (e->stages == 2 && e->plain && k->x->plain && k->y->plain) {
        if (!of_one_stage(e, k))
            return;
        if (e->asks) {
            e->found = true;
            return;
        }
    } else if (e->asks || !hwemit_i830_useful(e, k)) {
        e->found |= e->asks; /* not known */
        return;
    } else {
        most = e->burden;
    }
    hwemit_i830_coefficients(k, &a, &b);
    rest = hwemit_i830_poly_sum(1, e->p, -1, &b); /* q*U^2 + a*U */
    if (rest.bad || a.bad)
        return;
    if (k->f.q == 0) {
        if (hwemit_i830_poly_is_constant(&a, &number) ? number != 0 && (u = hwemit_i830_poly_affine(1 / number, &rest, 0), true) :
                                                        hwemit_i830_poly_divide(&u, &rest, &a))
            try_solution(e, k, &a, &b, &u, most), try_opened(e, k, &a, &b, &u);
        return;
    }
    const double q = (double)k->f.q * (1 << k->scale); /* (2qU + a)^2 = a^2 + 4*q*rest */
    const struct i830_poly square = hwemit_i830_poly_product(&a, &a), sum = hwemit_i830_poly_sum(1, &square, 4 * q, &rest);
    if (!hwemit_i830_poly_root(&root, &sum))
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        u = hwemit_i830_poly_sum(sign / (2 * q), &root, -1 / (2 * q), &a);
        try_solution(e, k, &a, &b, &u, most);
    }
}

/* U is something that a stage can read. */
static void from_leaves(equation *e, const choice *k)
{
    struct i830_poly a, b;
    for (unsigned i = 0; i < e->ndirect; i++) {
        const struct i830_known *u = &e->known[i];
        if (!hwemit_i830_gives(e, k, u->at))
            continue;
        hwemit_i830_coefficients(k, &a, &b);
        struct i830_poly p = hwemit_i830_poly_product(&a, &u->p);
        p = hwemit_i830_poly_sum(1, &p, 1, &b);
        if (hwemit_i830_is(e->c, e->value, &p))
            hwemit_i830_add_tile(e->c, e->value, k, u->arg);
    }
}

/* ---- all of them ---- */

/* Two registers beside that of U, or one that is not the other pipe's, only where there are so many. */
static bool to_be_had(const equation *e, const struct i830_known *x, const struct i830_known *y)
{
    return x->direct || y->direct || x->arg.value == y->arg.value || (e->c->accum && (x->scalar || y->scalar));
}

/* Leaves that U has to bring: a stage less than the value's reads so many at most (options.c). */
static bool too_many_left(const equation *e, const struct i830_known *x, const struct i830_known *y)
{
    const struct i830_value *v = &e->c->value[e->value];
    const unsigned brought = x->leaves + (x->arg.value == y->arg.value ? 0u : y->leaves), most = e->stages == 1 ? 1 : 4 * (e->stages - 1) - 1;
    return (unsigned)(v->nvector + v->nscalar) > brought + most;
}

static bool spent(struct i830_cover *c)
{
    if (c->work < c->most_work)
        return false;
    c->overflow = true;
    return true;
}

static void one_form(equation *e, const struct i830_form *form, unsigned multiple)
{
    choice k = {.form = form, .multiple = multiple, .f = hwemit_i830_of_form(form, multiple)};
    const bool takes_x = hwemit_i830_takes(form, I830_X), takes_y = hwemit_i830_takes(form, I830_Y), leaves_only = e->stages == 1;
    const bool alike = form->arg[1] == I830_X && form->arg[2] == I830_Y; /* exchanged, they do the same, with V for U at most */
    const unsigned n = leaves_only ? e->ndirect : e->nknown, nx = takes_x ? n : 1;
    if (k.f.q != 0 && (leaves_only || !e->squares))
        return;
    for (unsigned i = 0; i < nx && !e->found; i++) {
        k.x = &e->known[i];
        if (takes_x && k.x->number && (!(form->x & k.x->number) || (form->op == I830_MODULATE_AND_ADD && multiple == 0)))
            continue;
        for (unsigned j = takes_y && alike ? i : 0; j < (takes_y ? n : 1); j++) {
            k.y = &e->known[j];
            if (takes_y && ((k.y->number && !(form->y & k.y->number)) || (k.x->number && k.y->number) || !to_be_had(e, k.x, k.y)))
                continue;
            if (too_many_left(e, k.x, k.y))
                continue;
            const unsigned scales = hwemit_i830_possible(e, &k, form->scales);
            for (k.scale = 0; scales >> k.scale; k.scale++)
                if (scales >> k.scale & 1) {
                    if (spent(e->c))
                        return;
                    e->c->work++;
                    if (leaves_only)
                        from_leaves(e, &k);
                    else
                        solve(e, &k);
                }
        }
    }
}

void hwemit_i830_each_form(equation *e)
{
    for (unsigned i = 0; i < hwemit_i830_nforms && !e->found && e->c->work < e->c->most_work; i++) {
        const bool mad = hwemit_i830_forms[i].op == I830_MODULATE_AND_ADD;
        for (unsigned multiple = 0; multiple < (mad ? e->c->mad ? I830_MULTIPLES : 0u : 1u); multiple++)
            one_form(e, &hwemit_i830_forms[i], multiple);
    }
}

static void dots(equation *e)
{
    for (unsigned scale = 0; scale < 3; scale++) {
        const struct i830_poly r = hwemit_i830_poly_affine(1 / (double)(1 << scale), e->p, 0);
        if (r.n != 1 || (double)r.c[0] != 1 || !r.m[0] || r.m[0] << 8)
            continue;
        const struct i830_atom *a = &e->c->atom[r.m[0] >> 56];
        if (a->kind == I830_DOT)
            hwemit_i830_tile(e->c, e->value, I830_DOT3, scale, (struct i830_arg){I830_NONE, 0}, (struct i830_arg){a->value[0], 0},
                             (struct i830_arg){a->value[1], a->inv});
    }
}

static bool is_of_one_stage(struct i830_cover *c, const struct i830_poly *p)
{
    double whole[I830_WHOLE];
    hwemit_i830_whole(p, whole);
    return hwemit_i830_of_one_stage(c, whole);
}

/* Two that are not known: any value is a*value(a=1) + (1-a)*value(a=0), if of degree 1 in a, and a*(their difference) + value(a=0). One of the two has to be
 * to be had beside the other: from the other pipe, or the other register. */
static void both_ends(equation *e)
{
    struct i830_cover *c = e->c;
    for (unsigned i = 2; i < e->nknown && !e->found; i++)
        for (unsigned scale = 0; scale < 3; scale++) {
            const struct i830_known *w = &e->known[i];
            const unsigned atom = w->arg.inv ? 0 : w->atom;
            const struct i830_poly r = hwemit_i830_poly_affine(1 / (double)(1 << scale), e->p, 0);
            bool linear = atom != 0;
            for (unsigned t = 0; t < r.n && scale; t++)
                linear &= (double)r.c[t] * (r.m[t] ? 1 : 2) == (double)(int)(r.c[t] * (r.m[t] ? 1 : 2));
            for (unsigned t = 0; t < r.n; t++)
                for (i830_mono m = r.m[t]; m << 8; m <<= 8)
                    linear &= !(m >> 56 == atom && (m << 8) >> 56 == atom);
            if (!linear || r.bad)
                continue;
            const struct i830_poly x = hwemit_i830_poly_restrict(&r, atom, 1), y = hwemit_i830_poly_restrict(&r, atom, 0), d = hwemit_i830_poly_sum(1, &x, -1, &y);
            if (hwemit_i830_poly_equal(&x, &y) || (e->stages == 2 && e->plain && !is_of_one_stage(c, &y)) || !hwemit_i830_is_unit(c, &y))
                continue;
            if (e->asks) {
                e->found |= is_of_one_stage(c, &x);
                for (unsigned k = 0; c->mad && k < 3; k++) {
                    const struct i830_poly part = hwemit_i830_poly_affine(1 / (double)(1 << k), &d, 0);
                    e->found |= is_of_one_stage(c, &part);
                }
                continue;
            }
            const struct i830_arg low = hwemit_i830_arg(c, &y);
            if (low.value == I830_NONE)
                continue;
            const bool second = c->accum || c->value[low.value].scalar || c->value[low.value].number || c->value[low.value].leaf;
            if (hwemit_i830_is_unit(c, &x)) {
                const struct i830_arg high = hwemit_i830_arg(c, &x);
                if (high.value != I830_NONE && (second || c->value[high.value].leaf || c->value[high.value].number || c->value[high.value].scalar))
                    hwemit_i830_tile(c, e->value, I830_BLEND, scale, w->arg, high, low);
            }
            for (unsigned k = 0; c->mad && k < 3; k++) {
                const struct i830_poly part = hwemit_i830_poly_affine(1 / (double)(1 << k), &d, 0);
                if (second && hwemit_i830_is_unit(c, &part))
                    hwemit_i830_tile(c, e->value, I830_MODULATE_AND_ADD + k, scale, low, hwemit_i830_arg(c, &part), w->arg);
            }
        }
}

static void of_polynomial(equation *e, const struct i830_poly *p)
{
    const struct i830_value *v = &e->c->value[e->value];
    if (spent(e->c))
        return;
    e->p = p;
    e->decisive = 0;
    e->plain = hwemit_i830_plain(e->c, p);
    hwemit_i830_whole(p, e->whole);
    e->nknown = 0;
    for (unsigned scale = 0; scale < 3; scale++)
        for (unsigned i = 0; i < I830_POINTS; i++) {
            const float r = v->at[i] / (float)(1 << scale);
            e->lo[scale][i] = v->at[i] < I830_NEAR ? -100 : r - I830_NEAR;
            e->hi[scale][i] = v->at[i] > 1 - I830_NEAR ? 100 : r + I830_NEAR;
        }
    hwemit_i830_gather(e);
    if (e->stages > 1) {
        hwemit_i830_look(e);
        both_ends(e);
    }
    hwemit_i830_each_form(e);
}

void hwemit_i830_expand(struct i830_cover *c, unsigned value, unsigned stages)
{
    struct i830_value *v = &c->value[value];
    const bool full = c->nvalues >= c->most_values && c->most_values < I830_VALUES; /* rarely leads anywhere any more */
    if (v->expanded >= stages || v->leaf || v->number || ((c->frozen || full) && stages > 2))
        return;
    struct i830_equation e; /* large: not cleared */
    e.c = c;
    e.value = value;
    e.stages = stages;
    e.p = &v->p;
    e.asks = e.found = false;
    dots(&e);
    of_polynomial(&e, &v->p);
    for (unsigned i = v->also; i != I830_NONE && stages > 1; i = c->also[i].next)
        of_polynomial(&e, &c->also[i].p);
    v->expanded = (uint8_t)stages;
}
